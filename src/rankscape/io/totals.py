"""Rows that sum up others, as models or as domains: they are never ranked, and the account names them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks.names import domain_parts
from ..errors import DataError, Place
from ..performances import Performances
from ..texts import some

SUMS = {*re.findall(r"\w+", "total totals subtotal sum sums gesamt insgesamt summe totale totaux suma 合計 合计 总计")}
"""Words that name nothing but a sum."""

_OR_MODELS = (
    "overall all average averages averaged avg mean combined pooled aggregate aggregated macro micro weighted "
    "mittel mittelwert durchschnitt moyenne media promedio 平均"
)
SUMS_OR_MODELS = {*re.findall(r"\w+", _OR_MODELS)}
"""Words that name a sum or a mean, or a model or a domain of its own: the numbers decide."""

_BESIDE = (
    "grand the of over across on in per and for row rows result results score scores model models method methods class "
    "classes video videos sequence sequences site sites domain domains n dataset datasets category categories test set "
    "case cases patients images everything"
)
"""Words that may stand beside these."""

_ANY = re.compile("|".join(map(re.escape, sorted(SUMS | SUMS_OR_MODELS))))

FEWEST_OTHERS = 3
"""Rows that a row without such a name sums up at least, to be a sum and no coincidence."""

FEWEST_CASES = 20
"""Cases of such a row, at least."""

_SLACK = 1e-9
_OFF = Fraction(1, 2)
"""How far a mean of counts is off at most, where it is rounded."""

_ROUNDED = 0.005
"""How far the mean of probabilities of two decimals is off at most."""


def without_totals(P: Performances, where: str) -> Performances:
    """Return performances without the rows that are the sum, or the mean, of their group: all models, or all domains.

    A name says so, or the row is the exact sum of all others. Raises DataError for a row that is called a sum, and is
    none.

    >>> P = Performances.from_counts([[90, 10, 5, 45], [80, 20, 3, 47]], names=["a", "b"])
    >>> without_totals(P, "") is P
    True
    """
    last = {domain: domain_parts(domain)[-1] for domain in {*(P.domains or ())}}
    levels = [last[domain] for domain in P.domains] if P.domains else [""] * len(P)
    of_models, of_domains = _says_total(P.names), _says_total(levels)
    base = np.flatnonzero(~(of_models | of_domains))
    reasons = _unnamed(P, base) if P.counts is not None else {}
    its_own: list[str] = []
    for row in np.flatnonzero(of_models | of_domains).tolist():
        as_model = bool(of_models[row])
        others = _group(P, row, base, as_model, bool(of_domains[row]))
        name = P.names[row] if as_model else str(levels[row])
        kind = _kind(P, row, others) if len(others) else "alone"
        if kind in ("sum", "mean"):
            reasons[row] = f"{some([name])}, the {kind} of the others"
        elif not kind and _may_be_its_own(P, row, others, name, as_model):
            its_own.append(name)
        elif not kind:
            values = P.mass if P.counts is None else P.counts
            sums = values[others].sum(axis=0)
            at = int(np.argmax(values[row] != sums))
            raise DataError(
                f"{some([name])} is called a sum of the others, and is none: {P.space.outcomes[at]} = "
                f"{values[row, at]:.9g}, theirs sum to {sums[at]:.9g}",
                where=Place(where),
                way_out=["drop the row", "rename it if it is no sum"],
            )
    if not (reasons or its_own):
        return P
    as_it_is = "is read as it is: neither the sum nor the mean of the others"
    rest = P[[row for row in range(len(P)) if row not in reasons]] if reasons else P
    return rest.noting(
        *(f"{some([name])} {as_it_is}" for name in dict.fromkeys(its_own)), left_out=Counter(reasons.values()),
        models=len({*rest.names}), domains=rest.n_domains or None,
    )  # fmt: skip


def fractional_means(
    values: Sequence[Sequence[Any]], names: Sequence[str], domains: Sequence[str] | None
) -> dict[int, str]:
    """Return the rows of fractions, among whole counts, that are called means and are those of their group.

    None where another row has fractions, too: then the table holds no counts.

    >>> fractional_means([[1, 2], [2, 4], [1.5, 3]], ["a", "b", "Average"], None)
    {2: '"Average", the mean of the others'}
    """
    levels = [domain_parts(domain)[-1] for domain in domains] if domains else [""] * len(values)
    broken: dict[int, bool] = {}
    for row, numbers in enumerate(values):
        if not {int}.issuperset(map(type, numbers)):
            broken[row] = is_total(names[row])
            if not (broken[row] or is_total(levels[row])):
                return {}
    reasons: dict[int, str] = {}
    for row, as_model in broken.items():
        key, of = (levels, levels[row]) if as_model else (list(names), names[row])
        others = [values[i] for i in range(len(values)) if i not in broken and (key[i] == of or not domains)]
        means = [Fraction(sum(column), len(others)) for column in zip(*others, strict=True)]
        if not means or any(abs(Fraction(value) - mean) > _OFF for value, mean in zip(values[row], means, strict=True)):
            return {}
        reasons[row] = f"{some([names[row] if as_model else levels[row]])}, the mean of the others"
    return reasons


def _says_total(names: Sequence[str]) -> NDArray[np.bool_]:
    """Tell for each name whether it is that of a sum, such as "**combined (877)**" or "All sites"."""
    distinct = {*names}
    totals = set() if _ANY.search("\n".join(distinct).casefold()) is None else set(filter(is_total, distinct))
    return np.array([name in totals for name in names]) if totals else np.zeros(len(names), dtype=bool)


def is_total(name: str) -> bool:
    """Tell whether a name may be that of a sum.

    >>> (
    ...     is_total("**combined (877)**"),
    ...     is_total("macro avg"),
    ...     is_total("Total"),
    ...     is_total("mean teacher"),
    ... )
    (True, True, True, False)
    """
    pieces = re.findall(r"[^\W\d_]+", name.casefold())
    totals = SUMS | SUMS_OR_MODELS
    plain = re.fullmatch(r"[\w\s*().,:;#&%/+–\[\]-]*", name) is not None
    of_all = len(pieces) == 2 and pieces[0] in {"all", *SUMS} and pieces[1].endswith("s")  # "All regions"
    return plain and bool({*pieces} & totals) and (of_all or {*pieces} <= totals | {*_BESIDE.split()})


def _group(P: Performances, row: int, base: NDArray[Any], is_model: bool, is_domain: bool) -> NDArray[Any]:
    """Return the rows that a row may sum up: all models of its domain, all domains of its model, or everything."""
    if P.domains is None or (is_model and is_domain):
        return base
    if is_model:
        return np.array([i for i in base.tolist() if P.domains[i] == P.domains[row]], dtype=int)
    above = domain_parts(P.domains[row])[:-1]
    above = () if all(map(is_total, above)) else above
    same = (i for i in base.tolist() if P.names[i] == P.names[row])
    return np.array([i for i in same if domain_parts(P.domains[i])[: len(above)] == above], dtype=int)


def _kind(P: Performances, row: int, others: NDArray[Any]) -> str:
    """Return "sum" or "mean" where a row is that of others, a mean also where it is rounded; else nothing."""
    if P.counts is None:
        return "mean" if (np.abs(P.mass[row] - P.mass[others].mean(axis=0)) <= _ROUNDED).all() else ""
    sums, counts = P.counts[others].astype(object).sum(axis=0), P.counts[row].astype(object)
    if (sums == counts).all():
        return "sum"
    return "mean" if (2 * abs(len(others) * counts - sums) <= len(others)).all() else ""


def _may_be_its_own(P: Performances, row: int, others: NDArray[Any], name: str, as_model: bool) -> bool:
    """Tell whether a row may be a model called "combined", of as many cases as others, or a domain of no more."""
    if {*re.findall(r"[^\W\d_]+", name.casefold())} & SUMS:
        return False
    if P.counts is None:
        return True
    n, sizes = P.counts[row].sum(), P.counts[others].sum(axis=1)
    return bool((sizes == n).any() if as_model else n <= sizes.max())


def _unnamed(P: Performances, base: NDArray[Any]) -> dict[int, str]:
    """Return the rows without such a name that are the exact sum of all others, wherever they stand."""
    keys: list[Sequence[str]] = [P.names, P.domains or [""] * len(P)]
    if len(base) < len(P):
        keys = [[key[i] for i in base.tolist()] for key in keys]
    counts = np.asarray(P.counts)[base]
    reasons: dict[int, str] = {}
    for of, within in ((0, 1), (1, 0)) if P.domains is not None else ((0, 1),):
        code = {key: i for i, key in enumerate(dict.fromkeys(keys[within]))}
        group = np.fromiter(map(code.__getitem__, keys[within]), dtype=int, count=len(base))
        sums = np.bincount(group, counts[:, -1], len(code))[group]
        near = np.abs(2.0 * counts[:, -1] - sums) <= _SLACK * sums  # which few are; and exactly, below
        near &= (np.bincount(group, minlength=1)[group] > FEWEST_OTHERS) & (counts.sum(axis=1) >= FEWEST_CASES)
        for name in dict.fromkeys(keys[of][i] for i in np.flatnonzero(near).tolist()):
            rows = [i for i, key in enumerate(keys[of]) if key == name]
            if near[rows].all() and all(_is_sum(counts, group, i) for i in rows):
                reasons |= {int(base[i]): f"{some([name])}, the sum of the others" for i in rows}
    return reasons


def _is_sum(counts: NDArray[Any], group: NDArray[Any], row: int) -> bool:
    sums = counts[group == group[row]].astype(object).sum(axis=0)
    return bool((sums == 2 * counts[row].astype(object)).all())
