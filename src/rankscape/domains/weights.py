"""The weights of domains: equal, by size, by group or given; as exact fractions that sum to 1."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import nan, prod
from typing import Any

from ..arrays import Integers
from ..checks.names import domain_parts, domain_text
from ..checks.numbers import printed_number
from ..errors import DataError, Option, UsageError
from ..outcomes import SampleSpace, to_be_found
from ..performances import Performances
from ..performances.averages import refuse_without_counts, sizes_of
from ..texts import one_line, some
from ..typing import Number, WeightsLike

WEIGHTS = ("equal", "size", "hierarchical")
WHOLE = "all"
"""The name of the only domain where none is named; no message has it."""


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


def is_pooled(weights: WeightsLike | str, space: SampleSpace) -> bool:
    """Tell whether the counts of all domains are added: by "size" where true negatives are not known."""
    return isinstance(weights, str) and weights == "size" and to_be_found(space) is not None


def weights_left(
    weights: WeightsLike | None, domains: tuple[str, ...], left_out: tuple[str, ...]
) -> WeightsLike | None:
    """Return weights without those of domains that are left out, which need none.

    Weights of groups stay those of groups, as "hierarchical" has them: a group keeps its weight while any of its
    domains is left.
    """
    if not left_out or not isinstance(weights, Mapping):
        return weights
    weights, gone = _by_text(weights), {*left_out}
    if _names_groups(weights, domains):
        _by_level(weights, domains)
        gone |= _groups_around(left_out) - _groups_around([domain for domain in domains if domain not in gone])
    else:
        _given(dict.fromkeys(left_out, 0) | weights, domains, "domain")
    kept = {name: weight for name, weight in weights.items() if name not in gone}
    if not any(kept.values()):
        raise DataError(
            "the domains that all models share have no weight; those that are left out have: "
            + some(left_out, word=one_line)
        )
    return kept


def exact_weights(
    weights: WeightsLike, performances: Performances, domains: tuple[str, ...], rows: Integers
) -> tuple[Fraction, ...]:
    """Return the λ_d, which sum to 1."""
    if isinstance(weights, Mapping):
        by_level = _names_groups(weights, domains)
        lambdas = _by_level(weights, domains) if by_level else _given(_by_text(weights), domains, "domain")
    elif weights == "hierarchical":
        if not any("/" in domain for domain in domains):
            raise UsageError(
                [Option("weights", "hierarchical"), " needs domains called group/name"],
                got=some(domains, 3, quote="", word=repr),
                way_out="rename them",
            )
        lambdas = _by_level({}, domains)
    else:
        lambdas = [Fraction(1)] * len(domains) if weights == "equal" else _sizes(performances, rows)
    total = sum(lambdas)
    return tuple(w / total if total else Fraction(1, len(lambdas)) for w in lambdas)


def weights_by_name(weights: Mapping[Any, Number], domains: tuple[str, ...]) -> list[Fraction]:
    """Return the weight of each domain, up to a factor; 0 of a domain that is left out."""
    return _given(dict.fromkeys(domains, 0) | _by_text(weights), domains, "domain")


def _by_text(weights: Mapping[Any, Number]) -> dict[str, Number]:
    """Return weights by the names of domains or groups, of which tuples have several parts."""
    return {domain_text(list(map(str, name))) if isinstance(name, tuple) else name: w for name, w in weights.items()}


def _names_groups(weights: Mapping[Any, Number], domains: Sequence[str]) -> bool:
    """Tell whether weights are those of groups on some level, not of domains alone."""
    groups = _groups_around(domains)
    return any(name in groups and name not in domains for name in _by_text(weights))


def _groups_around(domains: Sequence[str]) -> set[str]:
    """Return the groups, on all levels, in which some domains are."""
    return {
        domain_text(parts[:k]) for domain in domains for parts in [domain_parts(domain)] for k in range(1, len(parts))
    }


def _by_level(weights: Mapping[Any, Number], domains: Sequence[str]) -> list[Fraction]:
    """Return weights level by level: those of the members of a group where they are given, else equal.

    >>> domains = ["night/a", "night/b", "day/c"]
    >>> [str(weight) for weight in _by_level({"night": 1, "day": 3}, domains)]
    ['1/8', '1/8', '3/4']
    """
    given, paths = _by_text(weights), [domain_parts(domain) for domain in domains]
    members: dict[tuple[str, ...], dict[str, None]] = {}
    for path in paths:
        for level in range(len(path)):
            members.setdefault(path[:level], {})[domain_text(path[: level + 1])] = None
    share: dict[str, Fraction] = {}
    for names in map(tuple, members.values()):
        here = {name: given[name] for name in names if name in given}
        numbers = _given(here, names, "group") if here else [Fraction(1)] * len(names)
        share |= {name: number / sum(numbers) for name, number in zip(names, numbers, strict=True)}
    unknown = [name for name in given if name not in share]
    if unknown:
        raise UsageError(f"weights: {unknown[0]!r} is no domain, and no group of domains")
    levels = ([domain_text(path[: level + 1]) for level in range(len(path))] for path in paths)
    return [prod((share[name] for name in names), start=Fraction(1)) for names in levels]


def _given(weights: Mapping[str, Number], names: tuple[str, ...], kind: str) -> list[Fraction]:
    unknown = [name for name in weights if name not in names]
    lost = [name for name in names if name not in weights]
    if unknown or lost:
        lacking = f"the {kind} {lost[0]!r} has" if len(lost) == 1 else f"{some(lost, quote='', word=repr)} have"
        problem = f"{unknown[0]!r} is no {kind}" if unknown else f"{lacking} no weight"
        raise UsageError(
            f"weights: {problem}", expected=f"one, which may be 0, for each of {some(names, quote='', word=repr)}"
        )
    numbers = []
    for name in names:
        weight: Any = weights[name]
        try:
            number = printed_number(weight)
        except (TypeError, ValueError):
            number = nan
        if isinstance(number, float) or number < 0:
            raise UsageError(f"weights: {name!r} has {weight!r:.80}; expected a finite number, not negative")
        numbers.append(Fraction(number))
    if not any(numbers):
        raise UsageError(f"weights: at least one {kind} must have a positive weight")
    return numbers


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
