"""Entities × domains: which cells there are, what each domain counts, and the parts that the summaries are made of."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isfinite, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, Option, UsageError
from ..io import as_performances
from ..kernels.exact import normalized
from ..performances import Performances
from ..texts import counted, one_line, some

MISSING = ("error", "complete", "available")
WEIGHTS = ("equal", "size", "hierarchical")
WHOLE = "all"
"""What the only domain is called where none is named; no message says it."""


class MissingDomainsWarning(UserWarning):
    """Some entities lack some domains, and were compared on what is left."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Performances arranged: ``rows[e, d]`` is a row of ``performances``, −1 where entity e lacks domain d.

    ``weights`` are the λ_d, exact fractions that sum to 1; where an entity lacks domains those that it has are divided
    by their sum. ``left_out`` names the domains that not every entity has, where only shared ones are compared. After a
    shift of the prior the weights differ between entities: ``shares[e, d]`` are those.
    """

    performances: Performances
    entities: tuple[str, ...]
    domains: tuple[str, ...]
    rows: NDArray[np.int64]
    weights: tuple[Fraction, ...]
    left_out: tuple[str, ...] = ()
    shares: NDArray[Any] | None = None

    def shares_of(self, e: int) -> list[Fraction]:
        """Return the weights of the domains for an entity, in their order, up to a factor."""
        return list(self.weights) if self.shares is None else list(self.shares[e])

    @property
    def lacking(self) -> dict[str, tuple[str, ...]]:
        """The domains that an entity lacks, for those that lack some."""
        holes = self.rows < 0
        return {
            self.entities[e]: tuple(self.domains[d] for d in np.flatnonzero(holes[e]).tolist())
            for e in np.flatnonzero(holes.any(axis=1)).tolist()
        }

    @property
    def exact(self) -> bool:
        """Whether the parts are integers: the performances come from counts."""
        return self.performances.exact is not None

    @cached_property
    def parts(self) -> NDArray[Any]:
        """λ_d·P_d up to a factor per entity, (entities, domains, outcomes): integers where exact; 0 where missing."""
        n, d, k = (*self.rows.shape, len(self.performances.space))
        if not self.exact:
            weights = np.array([[float(w) for w in self.shares_of(e)] for e in range(1 if self.shares is None else n)])
            mass = np.where(self.rows[..., None] >= 0, self.performances.mass[self.rows], 0.0)
            return np.asarray(weights[..., None] * mass)
        integers = self.performances.integers
        out = np.zeros((n, d, k), dtype=object)
        for e, row in enumerate(self.rows.tolist()):
            lambdas = self.shares_of(e)
            here = [j for j in range(d) if row[j] >= 0 and lambdas[j]]
            shares = [lambdas[j] / int(integers[row[j]].sum()) for j in here]
            common = lcm(*(share.denominator for share in shares))
            for j, share in zip(here, shares, strict=True):
                out[e, j] = integers[row[j]] * (share.numerator * (common // share.denominator))
        return out

    def summary(self, parts: NDArray[Any] | None = None, entities: Sequence[int] | None = None) -> Performances:
        """Return the summarized performances, one per entity, of all parts or of those given (entities, outcomes)."""
        total = self.parts.sum(axis=1) if parts is None else parts
        chosen = range(len(self.entities)) if entities is None else entities
        names = tuple(self.entities[e] for e in chosen)
        space = self.performances.space
        if self.exact:
            return Performances(normalized(total), None, names, None, space, exact=total)
        return Performances(total / total.sum(axis=-1, keepdims=True), None, names, None, space)


_COLUMN = Option(
    "domain",
    option="domain-column",
    python="name the column of domains",
    shell="name the column of domains with --domain-column",
)


_ONE = Option("domain", python="choose one domain", shell="choose one domain with --domain")


def arranged(
    performances: Any,
    weights: Any = "equal",
    missing: str = "error",
    groups: Mapping[str, str] | None = None,
    policies: Sequence[str] = MISSING,
) -> Grid:
    """Return the performances as entities × domains with the weights of the domains; see :func:`summarize`.

    ``policies`` are the values of ``missing`` that the caller has.
    """
    if missing not in policies:
        raise UsageError(Option("missing", missing), expected=f"one of {', '.join(map(repr, policies))}")
    performances = as_performances(performances)
    if performances.domains is None and not _for_anything(weights, groups):
        raise UsageError(
            "the performances name no domains, so there is nothing to weigh",
            way_out=[["leave out ", Option("weights")], _COLUMN],
        )
    domains_of = performances.domains or (WHOLE,) * len(performances)
    entities, domains = tuple(dict.fromkeys(performances.names)), tuple(dict.fromkeys(domains_of))
    number = {name: i for i, name in enumerate(entities)}
    place = {name: i for i, name in enumerate(domains)}
    rows = np.full((len(entities), len(domains)), -1, dtype=np.int64)
    for i, (name, domain) in enumerate(zip(performances.names, domains_of, strict=True)):
        rows[number[name], place[domain]] = i
    kept = tuple(range(len(domains)))
    if (rows < 0).any():
        kept = _without_missing(rows, entities, domains, missing, policies)
    left_out = tuple(domain for d, domain in enumerate(domains) if d not in kept)
    given = weights_left(weights, groups, domains, left_out)
    domains, rows = tuple(domains[d] for d in kept), rows[:, kept]
    found = _weights(given, groups, performances, domains, rows)
    weighed = ((rows >= 0) & np.array([w > 0 for w in found])).any(axis=1)
    if not weighed.all():
        name = entities[int(np.argmin(weighed))]
        raise DataError(f'entity "{one_line(name)}" has no domain with a positive weight: drop it, or weigh another')
    return Grid(performances, entities, domains, rows, found, left_out)


def _for_anything(weights: Any, groups: Mapping[str, str] | None) -> bool:
    """Tell whether weights make sense where no domain is named; the check of other values comes later."""
    named = isinstance(weights, Mapping) or (isinstance(weights, str) and weights == "hierarchical")
    return groups is None and not named


def weights_left(
    weights: Any, groups: Mapping[str, str] | None, domains: tuple[str, ...], left_out: tuple[str, ...]
) -> Any:
    """Return weights without those of domains that are left out; of all the domains each must have had one."""
    if groups is not None or not left_out or not isinstance(weights, Mapping):
        return weights
    _given(weights, domains, "domain")
    kept = {name: weight for name, weight in weights.items() if name not in left_out}
    if not any(kept.values()):
        raise DataError(
            "the domains that all entities share have no weight; those that are left out have: "
            + some(left_out, word=one_line)
        )
    return kept


def _without_missing(
    rows: NDArray[np.int64],
    entities: tuple[str, ...],
    domains: tuple[str, ...],
    missing: str,
    policies: Sequence[str] = MISSING,
) -> tuple[int, ...]:
    """Apply the policy for missing cells, say what was done, and return the domains that are kept."""
    holes = np.argwhere(rows < 0).tolist()
    cells = some(holes, 3, "", word=lambda cell: f'"{one_line(entities[cell[0]])}" on "{one_line(domains[cell[1]])}"')
    gaps = f"{counted(len(holes), 'cell')} of {rows.size} missing ({cells})"
    ways: dict[str, Any] = {
        "complete": ["choose ", Option("missing", "complete"), " (the domains that all share)"],
        "available": ["choose ", Option("missing", "available"), " (each on what it has)"],
    }
    if missing == "error":
        raise DataError(
            f"{gaps}, and summaries over different domains cannot be compared",
            way_out=["drop those entities or domains", _ONE, *(ways[policy] for policy in policies if policy in ways)],
        )
    if missing == "available":
        warnings.warn(f"{gaps}: every entity is summarized over the domains that it has", MissingDomainsWarning, 4)
        return tuple(range(len(domains)))
    shared: NDArray[np.bool_] = np.all(rows >= 0, axis=0)
    if not shared.any():
        raise DataError(
            f"{gaps}: no domain is shared by all entities",
            way_out=["drop an entity", *(ways[policy] for policy in policies if policy == "available")],
        )
    names = some([name for name, keep in zip(domains, shared, strict=True) if not keep], word=one_line)
    kept = counted(int(shared.sum()), "shared domain")
    warnings.warn(f"{gaps}: compared on {kept}, without {names}", MissingDomainsWarning, 4)
    return tuple(np.flatnonzero(shared).tolist())


def shared_weights(sides: Sequence[Performances], weights: Any) -> list[Any]:
    """Return the weights for each of several performances that are compared: of a domain the same for all.

    The size of a domain is the mean number of cases over those that have it.
    """
    if not isinstance(weights, str) or weights != "size" or any(side.counts is None for side in sides):
        return [weights] * len(sides)
    cases: dict[str, list[int]] = {}
    domains = [side.domains or (WHOLE,) * len(side) for side in sides]
    for side, places in zip(sides, domains, strict=True):
        for place, row in zip(places, () if side.counts is None else side.counts, strict=True):
            cases.setdefault(place, []).append(int(row.sum()))
    return [{place: Fraction(sum(cases[place]), len(cases[place])) for place in places} for places in domains]


def _weights(
    weights: Any,
    groups: Mapping[str, str] | None,
    performances: Performances,
    domains: tuple[str, ...],
    rows: NDArray[np.int64],
) -> tuple[Fraction, ...]:
    """Return the λ_d, which sum to 1."""
    if performances.domains is None and (isinstance(weights, Mapping) or weights == "hierarchical"):
        raise UsageError(
            [Option("weights"), " needs domains, and there are none"],
            way_out=["leave it out", _COLUMN],
        )
    if groups is not None or (isinstance(weights, str) and weights == "hierarchical"):
        found = _hierarchical(weights, groups, domains)
    elif isinstance(weights, str):
        if weights not in WEIGHTS:
            raise UsageError(
                Option("weights", weights), expected=f"one of {', '.join(map(repr, WEIGHTS))}, or a mapping"
            )
        found = [Fraction(1)] * len(domains) if weights == "equal" else _sizes(performances, rows)
    elif isinstance(weights, Mapping):
        found = _given(weights, domains, "domain")
    else:
        raise UsageError(
            'weights must be "equal", "size", "hierarchical" or a mapping of domains to weights, '
            f"such as {{{domains[0]!r}: 2}}; got {type(weights).__name__}"
        )
    total = sum(found)
    return tuple(w / total for w in found)


def _hierarchical(weights: Any, groups: Mapping[str, str] | None, domains: tuple[str, ...]) -> list[Fraction]:
    """Return weights per group, equal inside it; by default the group is what precedes the first "/" of a name."""
    if groups is None:
        if not any("/" in domain for domain in domains):
            raise UsageError(
                [Option("weights", "hierarchical"), " needs domains called group/name"],
                got=some(domains, 3, quote="", word=repr),
                way_out=["rename them", Option("groups", python="pass groups={domain: group}")],
            )
        groups = {domain: domain.split("/", 1)[0] for domain in domains}
    lost = [domain for domain in domains if domain not in groups]
    if lost:
        raise UsageError([Option("groups"), f" says nothing of the domain {lost[0]!r}: give every domain its group"])
    names = tuple(dict.fromkeys(groups[domain] for domain in domains))
    if isinstance(weights, str) and weights not in ("equal", "hierarchical"):
        raise UsageError(
            ["with ", Option("groups"), ', weights must be "hierarchical" or {group: weight}'], got=repr(weights)
        )
    by_group = [Fraction(1)] * len(names) if isinstance(weights, str) else _given(weights, names, "group")
    size = {name: sum(groups[domain] == name for domain in domains) for name in names}
    share = dict(zip(names, by_group, strict=True))
    return [share[groups[domain]] / size[groups[domain]] for domain in domains]


def _given(weights: Mapping[Any, Any], names: tuple[str, ...], kind: str) -> list[Fraction]:
    unknown = [name for name in weights if name not in names]
    lost = [name for name in names if name not in weights]
    if unknown or lost:
        problem = f"{unknown[0]!r} is no {kind}" if unknown else f"the {kind} {lost[0]!r} has no weight"
        raise UsageError(f"weights: {problem}; expected one for each of {some(names, quote='', word=repr)}")
    found = []
    for name in names:
        weight = weights[name]
        if not isinstance(weight, (int, float, Fraction, np.number)) or not isfinite(weight) or weight < 0:
            raise UsageError(f"weights: {name!r} has {weight!r}; expected a finite number, not negative")
        found.append(Fraction(weight.item() if isinstance(weight, np.generic) else weight))
    if not any(found):
        raise UsageError(f"weights: at least one {kind} must have a positive weight")
    return found


def _sizes(performances: Performances, rows: NDArray[np.int64]) -> list[Fraction]:
    """Return the number of cases of each domain, the mean over the entities that have it."""
    if performances.counts is None:
        cases = "pass weights={domain: number of cases}", "give the cases, as in --weights x=100,y=50"
        raise DataError(
            [Option("weights", "size"), " needs counts; these are probabilities"],
            way_out=Option("weights", python=cases[0], shell=cases[1]),
        )
    totals = performances.counts.sum(axis=1).tolist()
    sizes = []
    for column in rows.T.tolist():
        here = [totals[row] for row in column if row >= 0]
        sizes.append(Fraction(sum(here), len(here)))
    return sizes
