"""Evidence: what was seen, and the units that are drawn: cases, clusters or domains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..account import NO_CASES
from ..domains import Prepared, prepare
from ..domains.grid import MISSING
from ..errors import UsageError, not_among
from ..outcomes import TWO_CLASS, SampleSpace, to_be_found
from ..performances import Joint, Units, as_performances
from ..performances.averages import sizes_of
from ..performances.pairing import no_draws_of_points, several_points
from ..tasks.success import is_right_or_wrong
from ..texts import counted
from ..typing import Floats, Integers, Missing, PerformancesLike, PosteriorMethod, Resample, WeightsLike
from .defaults import UNITS
from .units import totals_of, within

MANY_CASES, ENOUGH_DOMAINS = 10_000, 5
"""From this many cases per domain and this many domains on, domains are drawn instead of cases."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What draws start from: performances on domains, and the units of which others might have been seen.

    ``prepared`` holds the performances on the domains that are compared, with their weights. ``unit`` is "cases",
    "clusters" or "domains". ``units`` are the kinds of cases that were seen on each domain of ``prepared.grid``, in
    clusters where these are given. There are none where domains are drawn, or where only the counts of each entity are
    known; then the unit is "cases", and the entities are drawn apart. ``chosen`` is the reason, where the data decided
    on the unit; ``noun`` is what the domains are, "cases" where each of these has a performance of its own. Draws are
    made as if of so many ``times`` the units, with the same rates. ``caution`` says of what to beware in these.
    """

    prepared: Prepared
    unit: Resample = "cases"
    units: tuple[Units, ...] = ()
    chosen: str = ""
    noun: str = "domains"
    times: float = 1.0
    caution: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entities, in the order of the data."""
        return self.prepared.grid.entities

    @property
    def space(self) -> SampleSpace:
        """The sample space."""
        return self.prepared.grid.performances.space

    @property
    def paired(self) -> bool:
        """Whether the entities share the units that are drawn."""
        return bool(self.units) or self.unit == "domains"

    @property
    def known(self) -> bool:
        """Whether it is known how many units were seen; probabilities alone do not say it, so none can be drawn."""
        return self.paired or self.prepared.grid.performances.counts is not None

    @cached_property
    def perhaps_same_cases(self) -> bool:
        """Whether these are counts of equally many cases of each class for all entities: probably of the same cases."""
        if self.paired or len(self.names) < 2 or not self.known:
            return False
        totals = (totals_of(self.counts(d), self.classes) for d in self.used)
        return all(bool((total == total[0]).all()) for total in totals)

    @cached_property
    def kinds(self) -> Integers:
        """The kind of each entity, (n,): of those of one kind exactly the same was seen."""
        seen = [self.units[d].codes.T if self.units else self.counts(d) for d in self.used]
        return kinds_of([self.weights[:, self.used], *seen], len(self.names))

    @property
    def weights(self) -> Floats:
        """The weight of each domain for each entity, (n, domains); 0 where it lacks the domain.

        Without true negatives it is the weight of what is to be found there, 0 also where that is nothing.
        """
        grid = self.prepared.grid
        weights = np.where(grid.rows >= 0, np.array([float(weight) for weight in grid.weights]), 0.0)
        if grid.pooled:
            weights = np.where(grid.rows >= 0, sizes_of(self._rows, self.space)[grid.rows], 0).astype(np.float64)
        total = np.sort(weights, axis=1).sum(axis=1, keepdims=True)  # the same in any order
        return np.asarray(weights / np.where(total > 0, total, 1))

    @property
    def _rows(self) -> Integers | Floats:
        """The counts of all rows, or probabilities."""
        performances = self.prepared.grid.performances
        return performances.mass if performances.counts is None else performances.counts

    @property
    def factors(self) -> Floats:
        """What counts, or probabilities, are multiplied by before they are added over the domains, (n, domains).

        Without true negatives: then the average has one thing to be found in all, or, where there is none, 1 outcome.
        """
        grid, rows = self.prepared.grid, self._rows
        sizes = np.where(grid.rows >= 0, sizes_of(rows, self.space)[grid.rows], 0).astype(np.float64)
        if not grid.pooled:
            return np.divide(self.weights, sizes, out=np.zeros_like(sizes), where=sizes > 0)
        total = sizes.sum(axis=1, keepdims=True)
        every = np.where(grid.rows >= 0, rows.sum(axis=1)[grid.rows], 0).sum(axis=1, keepdims=True)
        return np.asarray((grid.rows >= 0) / np.where(total > 0, total, every))

    @property
    def used(self) -> list[int]:
        """The domains that count for some entity."""
        return [d for d in self.prepared.grid.used if (self.prepared.grid.rows[:, d] >= 0).any()]

    @property
    def classes(self) -> tuple[list[int], ...]:
        """The outcomes of each true class, the right one first."""
        return classes_of(self.space)

    @property
    def beside(self) -> list[int]:
        """The outcomes that are of no true class: false positives (and "none"), without true negatives."""
        if to_be_found(self.space) is None:
            return []
        return [self.space.index(outcome) for outcome in ("fp", "none") if outcome in self.space.outcomes]

    @property
    def class_names(self) -> tuple[str, ...]:
        """What the true classes are called, as in "a case is …"."""
        if len(self.classes) == 2 and not self.space.labels:
            return "negative", "positive"
        return self.space.labels or ("to be found" if self.beside else "seen",)

    @property
    def graded(self) -> bool:
        """Whether cases have shares of outcomes instead of one."""
        return any(units.grades is not None for units in self.units)

    @property
    def errors(self) -> bool:
        """Whether grades stand for errors, each case being a unit by itself: these show how much they vary."""
        return self.unit == "cases" and any(units.cluster is not None for units in self.units)

    def counts(self, d: int) -> Integers | Floats:
        """Return the counts of a domain, (n, k), or sums of grades, or probabilities: 0 for an entity that lacks it."""
        if self.graded:
            units = self.units[d]
            return np.asarray(units.counts(units.size * self.times, len(self.space)))
        row = self.prepared.grid.rows[:, d]
        whole = np.where((row >= 0)[:, None], self._rows[row], 0)
        return whole if self.times == 1 else whole * self.times

    def only(self, names: Sequence[str]) -> Evidence:
        """Return the evidence on some entities, in the order given, on the same domains with the same weights."""
        row = {name: e for e, name in enumerate(self.names)}
        order = [row[name] for name in names]
        grid = self.prepared.grid
        grid = replace(grid, entities=tuple(names), rows=grid.rows[order])
        units = tuple(units.only(order) for units in self.units)
        given = self.prepared.given[list(names)]
        return replace(self, prepared=replace(self.prepared, grid=grid, given=given), units=units)

    def on(self, d: int) -> Evidence:
        """Return the evidence on one domain by itself, of cases where domains are drawn."""
        grid = self.prepared.grid
        alone = replace(grid, domains=grid.domains[d : d + 1], weights=(Fraction(1),), rows=grid.rows[:, d : d + 1])
        on = replace(self, prepared=replace(self.prepared, grid=alone), units=self.units[d : d + 1])
        return replace(on, unit="cases", chosen="") if self.unit == "domains" else on

    @property
    def sentence(self) -> str:
        """What is drawn, in one sentence without its stop; "" where nothing can be."""
        domains = len(self.prepared.grid.domains)
        if not self.known:
            return ""
        if self.unit == "domains":
            what = (
                f"Drawn: new samples of {self.noun}, as if the {len(self.used)} here were a random sample of their kind"
            )
        elif self.unit == "clusters":
            total = sum(int(units.cluster.max()) + 1 for units in self.units if units.cluster is not None)
            what = f"Drawn: new samples of clusters ({total} in the data), the same for all models"
        elif self.units:
            what = "Drawn: new samples of cases, the same for all models, as if cases were independent"
        else:
            what = "Drawn: new samples of cases, separately for each model, as if cases were independent"
        if self.unit != "domains" and domains > 1:
            what += "; the domains stay the same"
        return f"{what} ({self.chosen})" if self.chosen else what


def kinds_of(evidence: Iterable[NDArray[np.generic]], n: int) -> Integers:
    """Return the kind of each of n entities, (n,), from arrays (n, m): where all rows are equal, the kind is the same.

    >>> kinds_of([np.array([[1, 2], [1, 2], [1, 2]]), np.array([[0], [5], [0]])], 3).tolist()
    [0, 1, 0]
    """
    each = [np.unique(array, axis=0, return_inverse=True)[1].ravel() for array in evidence if array.shape[1]]
    return np.unique(np.stack([np.zeros(n, dtype=np.int64), *each], axis=1), axis=0, return_inverse=True)[1].ravel()


def classes_of(space: SampleSpace) -> tuple[list[int], ...]:
    """Return the outcomes of each true class, the right one first; or all outcomes, the satisfying ones first.

    Without true negatives there is one class, tp and fn: what is to be found. False positives are of none.

    >>> from ..outcomes import TWO_CLASS, WITHOUT_TN
    >>> classes_of(TWO_CLASS), classes_of(WITHOUT_TN)
    (([0, 1], [3, 2]), ([2, 1],))
    """
    if space.outcomes == TWO_CLASS.outcomes:
        return [0, 1], [3, 2]
    k = len(space.labels)
    if k:
        return tuple([c * k + c, *(c * k + other for other in range(k) if other != c)] for c in range(k))
    if to_be_found(space) is not None:
        return ([space.index("tp"), space.index("fn")],)
    worth = space.satisfaction or (0.0,) * len(space)
    return (sorted(range(len(space)), key=lambda outcome: (-worth[outcome], -outcome)),)


def evidence_of_counts(
    performances: PerformancesLike,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    resample: Resample | None = None,
    policies: Sequence[str] = MISSING,
) -> Evidence:
    """Return the evidence in a table of counts: on cases, or on domains where ``resample`` or the data ask for it.

    Domains are drawn where there are at least five, shared by all entities, with 10 000 cases or more each on average:
    so many cases can hardly be independent; and where they are queries or images. Where the performances know which
    cases the entities share, these are drawn. Probabilities, too, are evidence, from which nothing can be drawn unless
    domains are. ``policies`` are the values of ``missing`` that the caller has.

    >>> from ..performances import Performances
    >>> P = Performances.from_counts(
    ...     [[20_000, 1, 1, 20_000]] * 5, names=["m"] * 5, domains=list("abcde")
    ... )
    >>> evidence_of_counts(P).unit, evidence_of_counts(P, resample="cases").unit
    ('domains', 'cases')
    """
    performances = as_performances(performances)
    if resample is not None and resample not in UNITS:
        raise not_among("resample", resample, UNITS)
    if several_points(performances):
        raise no_draws_of_points()
    if performances.pairing is not None:
        averaged = performances.averaged_with
        if averaged is not None and weights not in (None, "equal", "size"):
            raise UsageError(
                "these performances are averaged over their domains already", way_out="leave out the weights"
            )
        cases = performances.pairing
        known = cases.performances.with_pairing(cases)  # the sizes of domains of graded cases, and what a card says
        prepared = prepare(known, weights=averaged or weights, missing=missing, policies=policies)
        return _on_cases(prepared, cases, resample)
    if missing == "complete" and performances.shared is not None and performances.domains is not None:
        prepared = prepare(performances, weights=weights, missing=missing)
        on_all = performances[np.isin(performances.domains, prepared.domains)]
        if on_all.pairing is not None:
            return _on_cases(prepared, on_all.pairing, resample)
    if resample == "clusters":
        raise UsageError(
            "counts do not say which cases belong to one cluster", way_out="give predictions, with a column of clusters"
        )
    policies = ("error", "complete") if resample == "domains" else policies
    prepared = prepare(performances, weights=weights, missing=missing, policies=policies)
    if resample == "domains":
        return _on_domains(prepared)
    reason = _dependent(prepared) if resample is None else ""
    return _on_domains(prepared, reason) if reason else Evidence(prepared)


def _on_cases(prepared: Prepared, cases: Joint, resample: Resample | None) -> Evidence:
    """Return the evidence in cases that were seen on the domains that are compared."""
    if resample == "clusters" and not cases.clustered:
        raise UsageError("clusters cannot be drawn, because no column of clusters is named")
    if resample == "domains":
        return _on_domains(prepared)
    if resample == "cases" and cases.clustered:
        raise UsageError("cases cannot be drawn one by one where clusters are given", way_out="leave the clusters out")
    places, names = list(cases.cases), list(dict.fromkeys(cases.performances.names))
    order = [names.index(name) for name in prepared.grid.entities]
    units = (
        tuple(cases.units[places.index(d)].only(order) for d in prepared.domains) if prepared.domains else cases.units
    )
    return Evidence(prepared, "clusters" if cases.clustered else "cases", units, caution=cases.caution)


def _on_domains(prepared: Prepared, chosen: str = "") -> Evidence:
    if len(prepared.grid.used) < 2:
        raise UsageError("drawing other domains needs two domains with positive weights, or more; got one")
    return Evidence(prepared, "domains", chosen=chosen, noun=prepared.grid.performances.space.unit or "domains")


def _dependent(prepared: Prepared) -> str:
    """Return the reason why cases can hardly be independent, or "" where they may be."""
    grid = prepared.grid
    used = grid.used
    if grid.performances.counts is None:
        return ""
    if grid.performances.space.unit and len(used) > 1:
        return f"the outcomes inside {grid.performances.space.unit} can hardly be independent"
    if len(used) < ENOUGH_DOMAINS or (grid.rows[:, used] < 0).any():
        return ""
    cases = np.asarray(grid.performances.counts).sum(axis=1)[grid.rows[:, used]].mean()
    if cases < MANY_CASES:
        return ""
    return f"{cases:,.0f} cases per domain can hardly be independent".replace(",", " ")


# ---- of what to beware

FEW_CASES, FEW_UNITS = 5, 5
"""With fewer cases of a class than this, or fewer clusters or domains, a note says that draws tell little."""

FEW_GRADED = 6
"""With fewer graded cases than this, how much they vary is hardly known."""

WEAK = 0.5
"""A prior of fewer cases than this per outcome leaves rates of 0 and 1 where they are."""


def about_evidence(evidence: Evidence, method: PosteriorMethod) -> tuple[str, ...]:
    """Return notes where the draws say little, or may mislead.

    >>> from ..performances import Performances
    >>> P = Performances.from_counts([[90, 5, 2, 1], [80, 15, 1, 2]])
    >>> about_evidence(evidence_of_counts(P), "exchangeable")[0]
    'Only 3 cases are positive: too few to say much, and the draws rest mostly on the prior distribution'
    """
    return (
        *_few_cases(evidence, method),
        *_extreme(evidence, method),
        *_few_units(evidence),
        *few_graded(evidence),
        *filter(None, (evidence.caution,)),
        *_apart(evidence, method),
        *_perhaps_paired(evidence),
    )


def _perhaps_paired(evidence: Evidence) -> list[str]:
    """Return a note where counts may be of the same cases, which would make differences surer."""
    if not evidence.perhaps_same_cases:
        return []
    account = evidence.prepared.grid.performances.account
    rows = "predictions" if account and "truth" in account.columns else "rows"
    if account and ("truth" in account.columns or NO_CASES in account.notes):
        seen, way_out = f"these {rows} do", "name the column of cases with --case (case= in Python)"
    else:
        would_tell = "a table with one row per model and case" if is_right_or_wrong(evidence.space) else "predictions"
        seen, way_out = "these counts do", f"pass {would_tell} instead of counts"
    return [
        f"{seen} not show whether the models ran on the same cases. If they did, most differences are surer than they "
        f"look here; to see that, {way_out}"
    ]


def _extreme(evidence: Evidence, method: PosteriorMethod) -> list[str]:
    """Return a note where draws repeat rates of 0 or 1, for want of a prior that knows better."""
    if not isinstance(method, float) or method >= WEAK:
        return []
    if evidence.prepared.grid.performances.counts is None:
        return []
    counts = np.sum([evidence.counts(d) for d in evidence.used], axis=0)
    right = np.stack([counts[:, outcomes[0]] for outcomes in evidence.classes], axis=1)
    if not ((right == 0) | (right == totals_of(counts, evidence.classes))).any():
        return []
    return [
        f"A model is right, or wrong, in all cases of a class; with a prior of {method:g} cases per outcome nearly all "
        "draws repeat that, and look surer than they are"
    ]


def units_of_classes(evidence: Evidence) -> list[int]:
    """Return how many units that are drawn show each class: of the model, and on the domain, with the fewest."""
    totals = np.stack([totals_of(evidence.counts(d), evidence.classes) for d in evidence.used])
    if evidence.unit == "domains":
        return [int(n) for n in (totals > 0).sum(axis=0).min(axis=0)]
    if not evidence.units or (evidence.unit == "cases" and not evidence.graded):
        return [int(n) for n in totals.sum(axis=0).min(axis=0)]
    numbers = []
    for outcomes in evidence.classes:
        here = [(units, within(units, outcomes, evidence.classes)) for units in evidence.units]
        each = [units.size[at].sum() if units.cluster is None else len(set(units.cluster[at])) for units, at in here]
        numbers.append(min((int(n) for n in each if n), default=0))
    return numbers


def _few_cases(evidence: Evidence, method: PosteriorMethod) -> list[str]:
    uncounted = evidence.prepared.grid.performances.counts is None and not evidence.graded
    if uncounted or evidence.unit == "domains" or evidence.errors:
        return []
    each = np.array([totals_of(evidence.counts(d), evidence.classes) for d in evidence.used])
    every = np.rint(each.sum(axis=0)).astype(np.int64)  # sums of grades may be off by rounding
    totals, alike = every.min(axis=0).tolist(), bool((every == every[0]).all())
    labels = evidence.class_names
    few = [(name, n) for name, n in zip(labels, totals, strict=True) if n < FEW_CASES]
    if not few:
        return []
    if len(few) == 1:
        name, n = few[0]
        is_ = f"Only {counted(n, 'case')} {'is' if n == 1 else 'are'} {name}" if n else f"No case is {name}"
        if not alike:
            is_ = f"Of some models {f'only {n}' if n else 'no'} case{'s are' if n > 1 else ' is'} {name}"
    else:
        is_ = f"{len(few)} classes have fewer than {FEW_CASES} cases"
    weak = isinstance(method, float) and method < WEAK
    return [f"{is_}: too few to say much" + ("" if weak else ", and the draws rest mostly on the prior distribution")]


def _few_units(evidence: Evidence) -> list[str]:
    if evidence.unit == "cases":
        return []
    domains = evidence.unit == "domains"
    what = "domain" if domains else "cluster"
    on = "" if domains or len(evidence.units) == 1 else " on a domain"
    clusters = (int(units.cluster.max()) + 1 for units in evidence.units if units.cluster is not None)
    number, of_classes = len(evidence.used) if domains else min(clusters), units_of_classes(evidence)
    seen, verb = "", "was seen" if number == 1 else "were seen"
    fewest = min((n for n in of_classes if n), default=number)
    if fewest < min(number, FEW_UNITS):
        name = evidence.class_names[of_classes.index(fewest)]
        cases = f"{name} cases" if len(evidence.classes) == 2 and not evidence.space.labels else f"cases of {name}"
        cases = "anything to be found" if evidence.beside else cases
        number, seen, verb = fewest, f" {cases}", "has" if fewest == 1 else "have"
    if number >= FEW_UNITS:
        return []
    if number == 1:
        return [
            f"Only one {what} {verb}{seen}{on}, which does not show how much others would differ: no draw is defined"
        ]
    return [f"Only {number} {what}s {verb}{seen}{on}: so few hardly show how much others would differ"]


def few_graded(evidence: Evidence) -> list[str]:
    """Return a note where so few graded cases were seen that how much their differences vary is not known."""
    number = sum(len(units.size) if evidence.errors else int(units.size.sum()) for units in evidence.units)
    if not evidence.graded or evidence.unit != "cases" or number >= FEW_GRADED:
        return []
    seen, what = ("case", "errors") if evidence.errors else ("graded case", "differences")
    return [
        f"Only {counted(number, seen)} {'was' if number == 1 else 'were'} seen: how much {what} vary from case to case "
        "is hardly known"
    ]


def _apart(evidence: Evidence, method: PosteriorMethod) -> list[str]:
    if len(evidence.names) < 3 or method == "exchangeable":
        return []
    return ["The models are drawn separately: where they are alike, P(first) is too large"]
