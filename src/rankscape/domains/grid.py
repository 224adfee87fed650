"""Entities × domains: which cells exist, what each domain weighs, and the weighted parts that sum to the summaries.

:func:`prepare` goes from the data to what is scored, the same way everywhere: choose domains, average, shift the prior.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import isfinite, nan, prod
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ..arrays import Integers
from ..checks import two_class_only
from ..checks.names import domain_parts, domain_text
from ..checks.numbers import meant, printed_number
from ..errors import DataError, Option, RankscapeWarning, UsageError, no_effect, not_among
from ..kernels.exact import fractions_of, integers_of_fractions
from ..kernels.operations import with_priors
from ..outcomes import SampleSpace, to_be_found
from ..performances import Performances, as_performances
from ..performances.averages import (
    arrangement,
    averaged,
    gaps_in_words,
    refuse_nothing_at_all,
    refuse_weights,
    refuse_without_counts,
    sizes_of,
    weighted_parts,
)
from ..tasks.success import is_right_or_wrong, mean_of_grades
from ..texts import counted, label, one_line, percent, some
from ..typing import Missing, Number, PerformancesLike, PriorLike, WeightsLike

WEIGHTS = ("equal", "size", "hierarchical")
WHOLE = "all"
"""The name of the only domain where none is named; no message has it."""
NAME_DOMAINS = Option(
    "domain", python="name the column of domains",
    shell="name the column of domains with --domain-column",
)  # fmt: skip
MISSING: tuple[Missing, ...] = get_args(Missing)
MOST_UNEQUAL, MOST_UNEQUAL_NAMED = 2, 3
"""Times as many cases of one as of another, on the same domain, that are not remarked, and domains that are named."""


class MissingDomainsWarning(RankscapeWarning):
    """Some entities lack some domains, or without true negatives a part of what was to be found on one."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Performances arranged: ``rows[e, d]`` is a row of ``performances``, −1 where entity e lacks domain d.

    ``weights`` are the λ_d, exact fractions that sum to 1; where an entity lacks domains those that it has are divided
    by their sum. ``left_out`` names the domains that not every entity has, where only shared ones are compared. After a
    shift of the prior the weights differ between entities: ``shares[e, d]`` are those.

    Without true negatives each domain is measured per thing to be found; if ``pooled``, its counts are added to those
    of the others, so that a domain counts, too, where nothing is to be found, and has the weight 0.
    """

    performances: Performances
    entities: tuple[str, ...]
    domains: tuple[str, ...]
    rows: Integers
    weights: tuple[Fraction, ...]
    left_out: tuple[str, ...] = ()
    shares: NDArray[Any] | None = None
    pooled: bool = False

    def shares_of(self, e: int) -> list[Fraction]:
        """Return the weights of the domains for an entity, in their order, up to a factor."""
        return list(self.lambdas[e if len(self.lambdas) > 1 else 0])

    @property
    def lacking(self) -> dict[str, tuple[str, ...]]:
        """The domains that an entity lacks, for those that lack some."""
        holes = self.rows < 0
        return {
            self.entities[e]: tuple(self.domains[d] for d in np.flatnonzero(holes[e]).tolist())
            for e in np.flatnonzero(holes.any(axis=1)).tolist()
        }

    @property
    def used(self) -> list[int]:
        """The domains that count: those with a weight, and all where counts are pooled."""
        return [d for d, weight in enumerate(self.weights) if weight or self.pooled]

    @cached_property
    def empty(self) -> tuple[str, ...]:
        """The domains that count and have nothing to be found, for an entity or more; only without true negatives."""
        nothing = (self.rows >= 0) & self.performances.nothing_to_find[self.rows]
        return tuple(self.domains[d] for d in self.used if nothing[:, d].any())

    @cached_property
    def apart(self) -> list[tuple[str, tuple[str, int], tuple[str, int]]]:
        """The domains on which entities hardly had the same cases, with who has fewest and most; of counts alone.

        Without true negatives these are things to be found, which may not differ; else there may be twice as many.
        """
        counts, factor = self.performances.counts, 1 if self.to_find else MOST_UNEQUAL
        if counts is None:
            return []
        of_rows, apart = sizes_of(counts, self.performances.space), []
        for d in self.used:
            here = np.flatnonzero(self.rows[:, d] >= 0)
            sizes = of_rows[self.rows[here, d]]
            least, most = ((self.entities[here[i]], int(sizes[i])) for i in (sizes.argmin(), sizes.argmax()))
            if factor * least[1] < most[1]:
                apart.append((self.domains[d], least, most))
        return apart

    @property
    def to_find(self) -> bool:
        """Whether domains are measured per thing to be found, for there are no true negatives."""
        return to_be_found(self.performances.space) is not None

    def about_sizes(self, most: int = MOST_UNEQUAL_NAMED) -> tuple[str, ...]:
        """Return sentences on the domains on which entities hardly had the same cases."""
        why = "these are hardly the same cases, and the easier ones may decide"
        why = "they were not tried on the same" if self.to_find else why
        sentences = []
        for domain, (least, fewest), (name, highest) in self.apart[:most]:
            had = (
                f"had {counted(fewest, 'thing')} to find (fn + tp)"
                if self.to_find
                else f"has {counted(fewest, 'case')}"
            )
            where = "" if domain == WHOLE else f" on {label(domain)}"
            sentences.append(f"{label(least)} {had}{where}, {label(name)} {highest}: {why}")
        more = len(self.apart) - most
        return (*sentences, *([f"and so on {counted(more, 'more domain')}"] if more > 0 else []))

    @property
    def exact(self) -> bool:
        """Whether the parts are integers: the performances come from counts."""
        return self.performances.of_integers

    @cached_property
    def parts(self) -> NDArray[Any]:
        """λ_d·P_d up to a factor per entity, (entities, domains, outcomes): integers where exact; 0 where missing."""
        return weighted_parts(self.performances, self.rows, self.lambdas, self.pooled).astype(
            object if self.exact else float
        )

    @property
    def lambdas(self) -> NDArray[Any]:
        """The weights of the domains, (entities, domains), or (1, domains) where all have the same."""
        return np.array([self.weights], dtype=object) if self.shares is None else self.shares

    def summary(self) -> Performances:
        """Return the summarized performances, one per entity."""
        whole = self.performances
        out: Performances = averaged(whole, self.entities, self.rows, self.lambdas, self.pooled)
        shared = None if self.shares is not None else whole.shared
        return out.sharing(shared and shared.averaged(self.rows, self.weights))


def arranged(
    performances: PerformancesLike,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    policies: Sequence[str] = MISSING,
) -> Grid:
    """Return the performances as entities × domains with the weights of the domains; see :func:`summarize`.

    ``policies`` are the values of ``missing`` that the caller has.
    """
    if missing not in policies:
        raise not_among("missing", missing, policies)
    performances = as_performances(performances)
    refuse_idle(performances.domains, weights, missing)
    entities, domains, rows = arrangement(performances.names, performances.domains or (WHOLE,) * len(performances))
    kept = tuple(range(len(domains)))
    if (rows < 0).any():
        kept = _without_missing(rows, entities, domains, missing, policies)
    left_out = tuple(domain for d, domain in enumerate(domains) if d not in kept)
    domains, rows = tuple(domains[d] for d in kept), rows[:, kept]
    kind = kind_of_weights(weights, performances, rows)
    lambdas = exact_weights(kind, performances, domains, rows, left_out)
    pooled = kind == "size" and to_be_found(performances.space) is not None
    grid = Grid(performances, entities, domains, rows, lambdas, left_out, pooled=pooled)
    _refuse_unweighed(grid, weights)
    if len(grid.domains) > 1 and grid.to_find and grid.apart:
        warnings.warn(grid.about_sizes(1)[0], MissingDomainsWarning, 3)
    return grid


def refuse_idle(domains: Sequence[str] | None, weights: WeightsLike | None, missing: Missing = "error") -> None:
    """Raise for weights that mean nothing, and for another average than that by default of fewer than two domains."""
    known = bool(weights) if isinstance(weights, Mapping) else isinstance(weights, str) and weights in WEIGHTS
    if weights is not None and not known:
        expected = f"one of {', '.join(map(repr, WEIGHTS))}, or a mapping of domains to weights"
        raise UsageError(Option("weights", weights if isinstance(weights, str) else None), expected=expected,
                         got="" if isinstance(weights, str) else type(weights).__name__)  # fmt: skip
    idle = "weights" if weights not in (None, WEIGHTS[0]) else "missing" if missing != "error" else ""
    if not idle or len({*(domains or ())}) > 1:
        return
    if domains is not None:
        raise no_effect(idle, f"{one_line(domains[0])} is the only domain", way_out="leave it out")
    raise UsageError(
        "the performances name no domains, so there is nothing to average",
        way_out=[["leave out ", Option(idle)], NAME_DOMAINS],
    )


def _refuse_unweighed(grid: Grid, weights: WeightsLike | None) -> None:
    """Raise where an entity has no domain that counts, and for weights of domains that have nothing to be found."""
    counting = grid.rows[:, grid.used] >= 0
    if not counting.any(axis=1).all():
        name = grid.entities[int(np.argmin(counting.any(axis=1)))]
        raise DataError(f'entity "{one_line(name)}" has no domain with a positive weight: drop it, or weigh another')
    if len(grid.domains) < 2:
        return
    if not grid.pooled:
        refuse_weights(grid.empty, f"{weights} weights" if isinstance(weights, str) else "weights")
    elif grid.exact:
        refuse_nothing_at_all(grid.parts.sum(axis=(1, 2)) == 0, grid.entities)


def refuse_pooled(grid: Grid, what: str) -> None:
    """Raise where nothing weighs the domains, because their counts are added."""
    if grid.pooled and len(grid.domains) > 1:
        raise UsageError(
            f"{what} change the weights of domains, and pooled counts have none",
            way_out=[
                ["leave out ", Option("weights", "size")],
                "leave out the domains that have nothing to be found (fn + tp = 0)",
            ],
        )


def earned_and_due(importance: Sequence[Any] | NDArray[Any], space: SampleSpace) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what each outcome earns and what is due for it, I·S and I up to a common factor, in whole numbers."""
    due = np.array([Fraction(weight) for weight in importance], dtype=object)
    earned = due * [Fraction(worth) for worth in space.satisfaction or ()]
    top, bottom = integers_of_fractions(np.concatenate([earned, due])[None])[0].reshape(2, -1)
    return top, bottom


def _without_missing(
    rows: Integers, entities: tuple[str, ...], domains: tuple[str, ...], missing: Missing, policies: Sequence[str]
) -> tuple[int, ...]:
    """Apply the policy for missing cells, warn, and return the domains that are kept."""
    gaps = gaps_in_words(rows, entities, domains)
    ways: dict[str, Any] = {
        "complete": ["choose ", Option("missing", "complete"), " (the domains that all share)"],
        "available": ["choose ", Option("missing", "available"), " (each on what it has)"],
    }
    if missing == "error":
        one = Option("domain", option="domain", python="choose one domain", shell="choose one domain with --domain")
        raise DataError(
            f"{gaps}, and summaries over different domains cannot be compared",
            way_out=["drop those models or domains", one, *(ways[policy] for policy in policies if policy in ways)],
        )
    if missing == "available":
        warnings.warn(f"{gaps}: every model is summarized over the domains that it has", MissingDomainsWarning, 4)
        return tuple(range(len(domains)))
    shared = np.asarray((rows >= 0).all(axis=0))
    if not shared.any():
        raise DataError(
            f"{gaps}: no domain is shared by all models",
            way_out=["drop a model", *(ways[policy] for policy in policies if policy == "available")],
        )
    names = some([name for name, keep in zip(domains, shared, strict=True) if not keep], word=one_line)
    kept = counted(int(shared.sum()), "shared domain")
    warnings.warn(f"{gaps}: compared on {kept}, without {names}", MissingDomainsWarning, 4)
    return tuple(np.flatnonzero(shared).tolist())


def checked_shift(prior: PriorLike | None, space: SampleSpace, name: str = "shift_prior") -> Fraction | None:
    """Return the prior to shift to as the number that is meant, or None: 0.2 is 1/5, on the page and everywhere.

    ``name`` is that of the argument.

    >>> from rankscape import TWO_CLASS
    >>> str(checked_shift(0.2, TWO_CLASS))
    '1/5'
    """
    if prior is None:
        return None
    two_class_only(space, "a shift of the prior")
    number = prior.item() if isinstance(prior, np.generic) else prior
    if isinstance(number, bool) or not isinstance(number, (int, float, Fraction)) or not isfinite(number):
        given = Option("shift_prior", python=f"{name}={prior!r:.80}", shell=f"--shift-prior {prior!s:.80}")
        raise UsageError([given, " is no share of positives"], expected="a number in [0, 1]")
    if not 0 <= number <= 1:
        option = Option("shift_prior", python=f"{name}=")
        raise UsageError([option, " must lie in [0, 1]"], got=f"{float(number):g}")
    return meant(number)


def shifted(grid: Grid, prior: Fraction | None) -> Grid:
    """Return the grid of the population whose summaries are shifted to a prior: its parts still sum to the summary.

    In the mixture of an entity all negatives are multiplied by one factor, all positives by another, on whichever
    domain they are. So P_d′ ∝ (tn·f₋, fp·f₋, fn·f₊, tp·f₊), the share of a domain is λ_d′ ∝ λ_d·(π₋ f₋ + π₊ f₊), and
    R_I(P̄′) = Σ w_d·R_I(P_d′). A domain without cases of the only class that is left is absent.

    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72]]
    >>> grid = arranged(Performances.from_counts(rows, names=["m", "m"], domains=["x", "y"]))
    >>> moved = shifted(grid, Fraction(1, 10))
    >>> moved.summary().priors.tolist(), [round(float(share), 3) for share in moved.shares_of(0)]
    ([0.1], [0.82, 0.18])
    """
    if prior is None:
        return grid
    if not grid.exact:  # floats are taken as the numbers that they are
        P = grid.performances
        grid = replace(grid, performances=P.from_trusted(P.integers, P.names, P.domains, P.space, P.account))
    grid.summary().shift_priors(prior)  # raises where an entity lacks a class that must appear
    classes = grid.parts.sum(axis=1).reshape(-1, 2, 2).sum(axis=2)
    classes = np.where(classes == 0, 1, classes)
    factors = classes[:, ::-1] * np.array([prior.denominator - prior.numerator, prior.numerator], dtype=object)
    whole, here = grid.performances, grid.rows >= 0
    before = np.where(here[..., None], whole.integers[grid.rows], 0)
    after = before * np.repeat(factors, 2, axis=1)[:, None]  # of tn, fp, fn and tp
    e, d = np.nonzero(after.sum(axis=2) > 0)
    rows = np.full(grid.rows.shape, -1, dtype=np.int64)
    rows[e, d] = np.arange(len(e))
    names, domains = (tuple(of[i] for i in at) for of, at in ((grid.entities, e), (grid.domains, d)))
    moved = Performances.from_trusted(after[e, d], names, domains, whole.space, whole.account)
    shares = np.array([grid.shares_of(i) for i in range(len(rows))], dtype=object) * fractions_of(after.sum(axis=2))
    shares /= fractions_of(np.where(here, before.sum(axis=2), 1))
    return replace(grid, performances=moved, rows=rows, shares=shares / shares.sum(axis=1, keepdims=True))


def moved_to(masses: NDArray[Any], prior: Fraction | None) -> NDArray[Any]:
    """Return masses (…, 4), exact integers or floats, at a prior, up to a factor; all 0 where a class is absent.

    >>> moved_to(np.array([[8, 0, 1, 1], [5, 5, 0, 0]], dtype=object), Fraction(1, 2)).tolist()
    [[16, 0, 8, 8], [0, 0, 0, 0]]
    """
    if prior is None:
        return masses
    negative, positive = prior.denominator - prior.numerator, prior.numerator
    if masses.dtype.kind == "f":
        negative, positive = float(1 - prior), float(prior)  # type: ignore[assignment]
    absent = np.zeros(masses.shape[:-1], dtype=bool)
    for side, columns in ((negative, slice(2)), (positive, slice(2, 4))):
        absent |= (masses[..., columns].sum(axis=-1) == 0) & (side > 0)
    return np.where(absent[..., None], 0, with_priors(masses, np.asarray(negative), np.asarray(positive)))


def groups_of(domains: Sequence[str]) -> tuple[str, ...]:
    """Return the group of each domain: what precedes the first "/" of its name, the first level of a hierarchy.

    >>> groups_of(["clinic/north", "clinic/south", "field"])
    ('clinic', 'clinic', 'field')
    """
    return tuple(domain_parts(domain)[0] for domain in domains)


def kind_of_weights(weights: WeightsLike | None, performances: Performances, rows: Integers) -> WeightsLike:
    """Return the weights asked for; by default equal ones, or "size" where something has nothing to be found.

    ``rows`` (entities, domains) are those compared, −1 where an entity lacks a domain.
    """
    if weights is not None:
        return weights
    empty = rows.shape[1] > 1 and bool(performances.nothing_to_find[rows[rows >= 0]].any())
    if empty and performances.counts is None:
        named = performances.domains or ()
        refuse_without_counts([named[r] for r in rows.ravel().tolist() if r >= 0 and performances.nothing_to_find[r]])
    return "size" if empty else "equal"


def exact_weights(
    weights: WeightsLike,
    performances: Performances,
    domains: Sequence[str],
    rows: Integers,
    left_out: Sequence[str] = (),
) -> tuple[Fraction, ...]:
    """Return the λ_d, which sum to 1; those of domains that are ``left_out`` may be given, too.

    Weights of groups stay those of groups, as "hierarchical" has them: a group keeps its weight while any of its
    domains is left.
    """
    if isinstance(weights, str) and weights == "equal":
        return (Fraction(1, len(domains)),) * len(domains)
    if isinstance(weights, str) and weights == "size":
        sizes = _sizes(performances, rows)
        return tuple(size / sum(sizes) if any(sizes) else Fraction(1, len(sizes)) for size in sizes)
    if weights == "hierarchical" and not any("/" in domain for domain in domains):
        raise UsageError(
            [Option("weights", "hierarchical"), " needs domains called group/name"],
            got=some(domains, 3, quote="", word=repr),
            way_out="rename them",
        )
    given, every = _by_text(weights) if isinstance(weights, Mapping) else {}, (*domains, *left_out)
    groups = {name for domain in every for name in _levels(domain)[:-1]}
    if weights == "hierarchical" or groups.difference(every).intersection(given):
        paths, of_all = list(map(_levels, domains)), list(map(_levels, every))
    else:
        paths, of_all = [[domain] for domain in domains], [[domain] for domain in every]
        given = dict.fromkeys(left_out, 0) | given if given else given
    by_level(given, of_all)  # raises for what means nothing
    left = {name for path in paths for name in path}
    kept = {name: weight for name, weight in given.items() if name in left}
    if given and not any(kept.values()):
        raise DataError(
            f"the domains that all models share have no weight; those that are left out have: "
            f"{some(left_out, word=one_line)}"
        )
    return by_level(kept, paths)


def _by_text(weights: Mapping[Any, Number]) -> dict[str, Number]:
    """Return weights by the names of domains or groups, of which tuples have several parts."""
    return {domain_text(list(map(str, name))) if isinstance(name, tuple) else name: w for name, w in weights.items()}


def _levels(domain: str) -> list[str]:
    """Return the groups that a domain is in, the largest first, and the domain.

    >>> _levels("night/rain/a")
    ['night', 'night/rain', 'night/rain/a']
    """
    parts = domain_parts(domain)
    return [domain_text(parts[:k]) for k in range(1, len(parts) + 1)]


def by_level(weights: Mapping[Any, Number], paths: Sequence[Sequence[str]]) -> tuple[Fraction, ...]:
    """Return the weights of domains, level by level: those of the members of a group where they are given, else equal.

    A path names the groups of a domain, if any, and the domain. The weights sum to 1.

    >>> paths = [["night", "night/a"], ["night", "night/b"], ["day", "day/c"]]
    >>> [str(weight) for weight in by_level({"night": 1, "day": 3}, paths)]
    ['1/8', '1/8', '3/4']
    """
    given, members = _by_text(weights), dict[str | None, dict[str, None]]()
    for path in paths:
        for group, name in zip([None, *path], path, strict=False):
            members.setdefault(group, {})[name] = None
    kind = "domain" if max(map(len, paths)) == 1 else "group"
    known = [name for names in members.values() for name in names]
    if unknown := [name for name in given if name not in known]:
        of_groups = ", and no group of domains" if kind == "group" else ""
        raise UsageError(
            f"weights: {unknown[0]!r} is no domain{of_groups}",
            expected=f"weights of {some(known, quote='', word=repr)}",
        )
    share: dict[str, Fraction] = {}
    for names in members.values():
        numbers = [Fraction(1)] * len(names)
        if not given.keys().isdisjoint(names):
            numbers = [_number(given, name, kind, list(names)) for name in names]
            if not any(numbers):
                raise UsageError(f"weights: at least one {kind} must have a positive weight")
        share |= {name: number / sum(numbers) for name, number in zip(names, numbers, strict=True)}
    return tuple(prod((share[name] for name in path), start=Fraction(1)) for path in paths)


def _number(given: Mapping[str, Number], name: str, kind: str, names: Sequence[str]) -> Fraction:
    """Return the weight of a domain, or of a group, beside which others have some."""
    if name not in given:
        raise UsageError(
            f"weights: the {kind} {name!r} has no weight",
            expected=f"one, which may be 0, for each of {some(names, quote='', word=repr)}",
        )
    weight: Any = given[name]
    try:
        number = printed_number(weight)
    except (TypeError, ValueError):
        number = nan
    if isinstance(number, float) or number < 0:
        raise UsageError(f"weights: {name!r} has {weight!r:.80}; expected a finite number, not negative")
    return Fraction(number)


def _sizes(performances: Performances, rows: Integers) -> list[Fraction]:
    """Return the number of cases of each domain, the mean over the entities that have it; without tn, of things."""
    of_domain = getattr(performances.pairing, "cases", None)
    if performances.counts is None and of_domain:  # graded cases
        return [Fraction(of_domain[domain]) for domain in dict.fromkeys(performances.domains or [""])]
    if performances.counts is None:
        cases = "pass weights={domain: number of cases}", "give the cases, as in --weights x=100,y=50"
        raise DataError(
            [Option("weights", "size"), " needs counts; these are probabilities"],
            way_out=Option("weights", python=cases[0], shell=cases[1]),
        )
    totals = sizes_of(performances.counts, performances.space).tolist()
    sizes = []
    for column in rows.T.tolist():
        here = [totals[row] for row in column if row >= 0]
        sizes.append(Fraction(sum(here), len(here)))
    return sizes


MOST_NAMED = 6
PER_THING = "per thing to be found"
"""The average of performances without true negatives."""


@dataclass(frozen=True, eq=False, repr=False)
class Prepared:
    """The performances that are scored, one per entity, and how they were prepared.

    :meth:`sentences` describes all of it.

    Attributes
    ----------
    given
        The performances as they were given.
    grid
        The performances on the domains that are compared, with their weights.
    weighting
        The kind of weights: "equal", "size", "hierarchical" or "given". Where true negatives are not known, "size"
        adds the counts.
    missing
        The policy for missing cells.
    shift_prior
        The prior to which the averages were shifted, or None.

    See Also
    --------
    rankscape.domains.prepare

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72]]
    >>> P = rs.Performances.from_counts(rows, names=["m", "m"], domains=["x", "y"])
    >>> prepared = rs.domains.prepare(P, weights={"x": 3, "y": 1}, shift_prior=0.2)
    >>> prepared.performances.priors.tolist()
    [0.2]
    >>> prepared.sentences()[0]
    'Performances (not scores) averaged over 2 domains with the weights given (x 75.0 %, y 25.0 %)'
    """

    given: Performances
    grid: Grid
    weighting: str
    missing: Missing
    shift_prior: Fraction | None

    @cached_property
    def averaged(self) -> Performances:
        """One performance per entity before the shift; the counts themselves where there is one domain only."""
        return self.given if self.given.n_domains < 2 else self.grid.summary()

    @cached_property
    def performances(self) -> Performances:
        """One performance per entity: averaged, then shifted."""
        return self.averaged if self.shift_prior is None else self.averaged.shift_priors(self.shift_prior)

    @cached_property
    def population(self) -> Grid:
        """The grid of the shifted population, whose weighted domains sum to the performances."""
        return shifted(self.grid, self.shift_prior)

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains that are compared; none where none is named."""
        return () if self.given.domains is None else self.grid.domains

    @property
    def weights(self) -> dict[str, Fraction]:
        """The weight of each domain; they sum to 1."""
        return dict(zip(self.domains, self.grid.weights, strict=False))

    @property
    def left_out(self) -> tuple[str, ...]:
        """The domains that are left out because not every entity has them."""
        return self.grid.left_out

    @property
    def lacking(self) -> dict[str, tuple[str, ...]]:
        """The domains that each entity lacks, over which it is not averaged."""
        return self.grid.lacking

    @property
    def weights_in_words(self) -> str:
        """A phrase for the weights of the domains: their kind, and the numbers where these differ."""
        kind = {"given": "the weights given"}.get(self.weighting, f"{self.weighting} weights")
        if self.weighting == "equal":
            return kind
        shares = [f"{label(name)} {percent(float(w)) if w else '0 %'}" for name, w in self.weights.items()]
        return f"{kind} ({some(shares, MOST_NAMED, quote='', word=str)})"

    @property
    def about_average(self) -> str:
        """A sentence on the domains over which the performances are averaged; empty if no domain is named."""
        if not self.domains:
            return ""
        if len(self.domains) == 1:
            return f"On the domain {label(self.domains[0])}"
        over = "up to " if self.lacking else ""
        if self.grid.pooled:
            empty = self.grid.empty
            why = f", because nothing is to be found on {some(empty, MOST_NAMED, quote='')}" if empty else ""
            return f"Counts pooled: those of {over}{len(self.domains)} domains are added{why}"
        what = "Shares of right answers" if is_right_or_wrong(self.given.space) else "Performances (not scores)"
        if mean_of_grades(self.given.space) is not None:
            what = "Mean grades" if self.given.space.name == "grade" else f"Means of {one_line(self.given.space.name)}"
        return f"{what} averaged over {over}{len(self.domains)} domains with {self.weights_in_words}{self.per_thing}"

    @property
    def per_thing(self) -> str:
        """The end of a sentence on domains that are averaged without true negatives; else empty."""
        return ", each measured per thing to be found (fn + tp)" if self.average == PER_THING else ""

    @property
    def average(self) -> str:
        """What is averaged over the domains: "performances", "per thing to be found" or "pooled"."""
        if to_be_found(self.given.space) is None:
            return "performances"
        return "pooled" if self.grid.pooled else PER_THING

    @property
    def only_pooled(self) -> bool:
        """Whether counts are added because a domain has nothing to be found, so that no weights exist."""
        return self.grid.pooled and len(self.domains) > 1 and bool(self.grid.empty)

    @property
    def about_gaps(self) -> tuple[str, ...]:
        """A sentence on the missing results, and how they were treated."""
        n, gaps = len(self.domains), list(self.lacking.items())
        sentences = [
            f"{label(name)} lacks {counted(len(places), 'domain')} ({some(places, MOST_NAMED, quote='')}) and is "
            f"averaged over {n - len(places)} of {n}: not comparable with those tried on all"
            for name, places in gaps[:MOST_NAMED]
        ]
        if gaps[MOST_NAMED:]:
            sentences.append(f"and so {counted(len(gaps) - MOST_NAMED, 'more model')}")
        if self.left_out:
            sentences.append(f"left out because not every model has it: {some(self.left_out, MOST_NAMED, quote='')}")
        return (*sentences, *self.grid.about_sizes())

    @property
    def about_shift(self) -> str:
        """A sentence on the shift of the prior; empty if there is none."""
        if self.shift_prior is None:
            return ""
        low, high = float(self.averaged.priors.min()), float(self.averaged.priors.max())
        before = f"{low:.4g}" if f"{low:.4g}" == f"{high:.4g}" else f"{low:.4g} to {high:.4g}"
        after = " after averaging" if len(self.domains) > 1 else ""
        return (
            f"Prior (share of positives) shifted to {float(self.shift_prior):.4g}{after}; measured: {before}. "
            "The TNR and TPR of every model stay the same"
        )

    @property
    def in_short(self) -> str:
        """The preparation, in the short words of a caption."""
        parts = [self.about_average] if len(self.domains) > 1 else []
        if self.left_out:
            parts.append(f"Without {some(self.left_out, MOST_NAMED, quote='')}")
        if self.shift_prior is not None:
            parts.append(f"Prior shifted to {float(self.shift_prior):.4g}")
        return " ".join(f"{part}." for part in parts)

    def sentences(self) -> tuple[str, ...]:
        """Return one sentence for each step of the preparation, in order; none if there was no step.

        Returns
        -------
        tuple of str
            The sentences, for a reader.
        """
        average = self.about_average if len(self.domains) > 1 else ""
        return tuple(filter(None, (average, *self.about_gaps, self.about_shift)))

    def document(self) -> dict[str, Any]:
        """Return the preparation as a part of a JSON document.

        Returns
        -------
        dict
            The part of a JSON document.
        """
        return {
            "domains": list(self.domains),
            "average": self.average,
            "weights": {name: float(weight) for name, weight in self.weights.items()},
            "missing": self.missing,
            "lacking": {name: list(places) for name, places in self.lacking.items()},
            "left_out": list(self.left_out),
            "shift_prior": None if self.shift_prior is None else float(self.shift_prior),
        }

    def __repr__(self) -> str:
        return f"<Prepared: {counted(len(self.grid.entities), 'entity', 'entities')}; {'; '.join(self.sentences())}>"


def prepare(
    performances: PerformancesLike,
    *,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    shift_prior: PriorLike | None = None,
    policies: Sequence[str] = MISSING,
) -> Prepared:
    """Summarize the domains with weights, then shift the prior of the summary.

    Every command, the card, the explorer and the gate go this way.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    weights
        The weights of the domains, as in :func:`rankscape.summarize`.
    missing
        What to do where an entity lacks a domain, as in :func:`rankscape.summarize`.
    shift_prior
        The share of positives π₊ of the population that the weights describe; by default none. Label shift comes after
        averaging. To shift each domain first, pass ``P.shift_priors(prior)``.
    policies
        The values of ``missing`` that the caller has.

    Returns
    -------
    Prepared
        One performance per entity, and how it came about.

    Raises
    ------
    DataError
        For missing cells, and for an entity without cases of a class that must appear.
    UsageError
        For weights or a prior that mean nothing.

    See Also
    --------
    rankscape.summarize

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72]]
    >>> P = rs.Performances.from_counts(rows, names=["m", "m"], domains=["x", "y"])
    >>> after = rs.domains.prepare(P, shift_prior=0.1).performances
    >>> first = rs.domains.prepare(P.shift_priors(0.1)).performances
    >>> after.mass.round(3).tolist(), first.mass.round(3).tolist()
    ([[0.837, 0.063, 0.022, 0.078]], [[0.785, 0.115, 0.03, 0.07]])
    """
    chosen = as_performances(performances)
    prior = checked_shift(shift_prior, chosen.space)
    grid = arranged(chosen, weights, missing, policies)
    kind: str = "given"
    if weights is None or isinstance(weights, str):
        kind = weights or ("size" if grid.pooled else "equal")
    prepared = Prepared(given=chosen, grid=grid, weighting=kind, missing=missing, shift_prior=prior)
    if prior is not None:
        _ = prepared.performances  # raises where an entity lacks a class that must appear
    return prepared


def prepared(given: PerformancesLike | Prepared) -> Prepared:
    """Return what was prepared, or prepare it: equal weights of the domains, and no shift of the prior."""
    return given if isinstance(given, Prepared) else prepare(given)
