"""The gate: may a new model replace the one in use, for every preference and prior in a box?"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from math import ceil, inf, isnan, nan, sqrt
from typing import Any, Literal, NamedTuple, cast

import numpy as np

from .._costs import Costs, no_costs
from ..checks import LARGEST_SIZE, checked_size, fraction_of, needs_tn, one_of, two_class_only
from ..checks.numbers import checked_flag, checked_share
from ..domains import MissingDomainsWarning, Prepared
from ..domains.grid import checked_shift, moved_to
from ..errors import DataError, Option, UsageError, no_effect
from ..floats import products
from ..outcomes import TWO_CLASS, SampleSpace, lacks_tn
from ..performances import Performances, as_performances, concat
from ..performances.pairing import no_draws_of_points, several_points
from ..results import Result, Table
from ..tasks.pairs import Pairs
from ..tasks.regression import Criterion, SatisfactionLike, criterion
from ..tasks.success import SPACE, graded, is_right_or_wrong, mean_of_grades
from ..tasks.two_class import at_right_side
from ..texts import counted, label, some
from ..typing import (
    Missing,
    Number,
    PerformancesLike,
    PriorLike,
    RandomLike,
    Resample,
    ScoreLike,
    WeightsLike,
)
from .box import (
    ACCURACY,
    Box,
    Measure,
    Rates,
    Worst,
    box_of_costs,
    needed_classes,
    parse_box,
    score_at,
    signs_of_draws,
    undefined_in,
    worst_in,
)
from .defaults import DRAWS, FEW
from .draws import Draws, drawn_from, phrase, refuse_for_draws, seed_of
from .evidence import Evidence, evidence_of_counts, few_graded, units_of_classes
from .units import totals_of

Verdict = Literal["pass", "worse", "undecided"]

UNPAIRED = "Unpaired: on the same cases differences are usually surer; counts do not say which they share"
DEFAULT_BOX = "beta = 1"

ODDS = 2.0**-10
"""The odds of positives that stand for unknown ones: at a = 1 scores do not depend on it."""

MOST_TIMES = 2**20
"""How many times as many cases are tried at most."""

TELLING = 10
"""Draws of the rarer kind that tell how rare it is: of fewer, the normal distribution tells how many cases it takes."""

ROUNDING = 1e-12
"""Differences that are no larger may come from rounding where probabilities are floats; then they count as ties."""


class Expenses(NamedTuple):
    """Expected costs per case of both models, how much more the new one costs, and its interval; NaN: not known.

    The interval leaves out the share alpha of the draws at either end, so that it lies below 0 where the gate passes
    without a margin.
    """

    new_cost: float = nan
    old_cost: float = nan
    cost_change: float = nan
    cost_change_low: float = nan
    cost_change_high: float = nan


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Result):
    """Whether a new model may replace another one: the verdict, and the evidence for it.

    A worse model passes, and one that is as good is called worse, with a probability of about ``alpha`` at most. Draws
    in which a score is undefined count for neither verdict.

    Attributes
    ----------
    verdict
        "pass" (P(nowhere in the box worse) is at least 1 − ``alpha``), "worse" (at one of the k corners of the box
        P(worse) is at least 1 − ``alpha``/k) or "undecided".
    probability, p_worse, p_worse_needed
        P(nowhere in the box worse), the largest P(worse) over the corners, and how much of it is enough, 1 −
        ``alpha``/k. The first two are NaN for probabilities instead of counts.
    alpha, box, margin
        What was asked for; the margin is a share of the right answers of the model in use, for which "worse" allows.
    worst
        The least favorable corner by what was seen (its sign is that of the whole box; between the corners the
        difference may be larger).
    new, old
        The names of the two models.
    new_value, old_value, allowed
        The scores seen at that corner, and that of the model in use less the margin.
    prior
        The share of positives at which both are compared there, or None: those of the box.
    sample_size_factor, more_cases, more_discordant
        How many times as many cases, and how many further ones, with the rates seen, would bring a verdict with a
        probability of about one half, and how many of them just one of the two gets right (NaN where that is not
        known). Infinite where no number suffices, NaN where there is a verdict already. Where domains are drawn, the
        factor is of domains, and the numbers of cases are NaN. With fewer than 10/alpha draws it
        is about a tenth too large.
    draws, seed, method, unit, paired
        How many draws, their seed, how performances were drawn, what is drawn, and whether both models share it.
    undefined, p_undefined
        Whether a score is undefined in the box by what was seen, and the share of draws in which one is.
    reason
        Why nothing was decided where more than chance is in the way.
    domains, prepared, shift_prior
        The domains that were summarized, how, and the prior to which both were shifted.
    notes
        What a reader must know.
    expenses
        Where the preference was given as ``costs``, the expected costs per case of both models at that prior, and their
        difference with an interval that leaves out ``alpha`` at either end; elsewhere NaN.
    by_domain
        The gate of each domain, where each is asked.

    See Also
    --------
    rankscape.gate

    Examples
    --------
    >>> import rankscape as rs
    >>> decision = rs.gate([[900, 10, 5, 85]], [[870, 40, 30, 60]], "beta in [0.5, 2]")
    >>> decision.verdict, round(decision.probability, 1), decision.exit_status
    ('pass', 1.0, 0)
    """

    verdict: Verdict
    probability: float
    p_worse: float
    p_worse_needed: float
    alpha: float
    box: Box
    worst: Worst
    new: str
    old: str
    new_value: float
    old_value: float
    allowed: float
    margin: Fraction
    prior: float | None
    sample_size_factor: float
    more_cases: float
    more_discordant: float
    draws: int
    method: str
    unit: str
    paired: bool
    undefined: bool
    p_undefined: float
    reason: str
    domains: tuple[str, ...]
    notes: tuple[str, ...]
    shift_prior: Fraction | None
    prepared: Prepared
    seed: int
    expenses: Expenses
    by_domain: Mapping[str, Gate] | None = None

    @property
    def costs(self) -> Costs | None:
        """The costs that were given instead of a box."""
        return self.box.costs

    @property
    def equal(self) -> bool:
        """Whether the two tie at the least favorable corner, by what was seen."""
        return self.worst.difference == 0

    @property
    def exit_status(self) -> int:
        """The exit status of ``rankscape gate``: 0 pass, 1 worse, 4 undecided."""
        return {"pass": 0, "worse": 1, "undecided": 4}[self.verdict]

    def table(self) -> Table:
        """Return one row, or with ``by_domain`` one per domain: verdict, probability, p_worse, alpha, margin, …

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        rows = [("", self)] if self.by_domain is None else list(self.by_domain.items())
        columns: dict[str, list[Any]] = {} if self.by_domain is None else {"domain": [name for name, _ in rows]}
        for _, row in rows:
            for name, value in row.row().items():
                columns.setdefault(name, []).append(value)
        return Table(columns)

    def row(self) -> dict[str, Any]:
        """Return what the table holds, by name.

        Returns
        -------
        dict
            What a row of :meth:`table` holds, by column.
        """
        return {
            "verdict": self.verdict,
            "new": self.new,
            "against": self.old,
            "probability": self.probability,
            "p_worse": self.p_worse,
            "p_worse_needed": self.p_worse_needed,
            "alpha": self.alpha,
            "margin": float(self.margin),
            "worst_a": nan if self.box.successes else float(self.worst.a),
            "worst_b": nan if self.box.successes else float(self.worst.b),
            "worst_prior": nan if self.worst.prior is None else float(self.worst.prior),
            "value": self.new_value,
            "value_against": self.old_value,
            "value_allowed": self.allowed,
            "prior": nan if self.prior is None else self.prior,
            **({} if self.costs is None else self.expenses._asdict()),
            "times_as_many_cases": self.sample_size_factor,
            "more_cases": self.more_cases,
            "more_discordant": self.more_discordant,
            "p_undefined": self.p_undefined,
            "reason": self.reason,
            "domains": ", ".join(self.domains),
            "draws": self.draws,
            "seed": self.seed,
            "unit": self.unit,
            "method": self.method,
            "paired": self.paired,
            "exit_status": self.exit_status,
        }

    @property
    def heading(self) -> str:
        """The two models, the verdict, and what was in its way."""
        return ". ".join(filter(None, (f"{self.new} against {self.old}: {self.verdict}", self.reason)))


def gate(
    new: PerformancesLike | Pairs | Draws,
    against: PerformancesLike | Pairs | Draws,
    box: str | Box = DEFAULT_BOX,
    alpha: float = 0.05,
    margin: Number | Mapping[str, Number] = 0,
    costs: Costs | None = None,
    *,
    by: ScoreLike | None = None,
    every_domain: bool = False,
    draws: int | None = None,
    rng: RandomLike = None,
    weights: WeightsLike | None = None,
    missing: Literal["error", "complete"] = "error",
    resample: Resample | None = None,
    shift_prior: PriorLike | None = None,
) -> Gate:
    """Decide whether a new model is at least as good as another one for every preference and prior in a box.

    Of cases that are right or wrong (``rankscape.tasks.success``) it compares the accuracies, of regressors the errors;
    there is no box.

    Parameters
    ----------
    new, against
        One entity each, on one or several domains: counts, drawn each by itself, or two members of the same draws,
        ``d = paired(y, {"new": …, "old": …})``, ``gate(d["new"], d["old"])``, which share their cases; so do
        those of ``P = rs.cases(…).performances``, ``gate(P["new"], P["old"])``. Of draws only what they were drawn
        from, their number and their seed matter: the gate draws anew, as a ranking of the two does. Counts
        may lack true negatives where the box is one in beta.
    box
        The preferences, and perhaps the priors to which both are shifted, such as "beta in [0.5, 2], prior in [0.05,
        0.2]" or "a = 1, b in [1/5, 4/5]". The names are a and b (places on the Tile), beta (of F_β; a = 1, b =
        β²/(1+β²)), miss (how many false alarms a miss is worth, b/(1−b)), detection (how many correct rejections a
        detection is worth, a/(1−a)) and prior (in (0, 1)).
    alpha
        The largest probability of either error, in (0, 0.5]: to pass a model that is worse, or to call worse one that
        is not. At ``margin=0`` a model that is just as good passes with up to about this probability.
    margin
        The share of the right answers of the model in use, of each class, that may be lost, in [0, 1); with
        ``every_domain`` one for all domains, or one per domain. Of regressors, the share by which the error may be
        larger. An unchanged model passes only with a margin.
    costs
        Instead of a box: ``rankscape.costs(miss=5, false_alarm=1)``. Then the gate also says what both are expected to
        cost.
    by
        The error by which regressors are compared, as in :func:`rankscape.rank`; by default the mean absolute error.
    every_domain
        Ask each domain by itself, instead of their average: to pass, all must pass at ``alpha``; for "worse" ``alpha``
        is divided by their number.
    draws, rng
        How many draws (2000), and their seed (0). Fewer than 1/``alpha`` decide nothing, and for "worse" k/``alpha``
        are needed.
    weights, missing, resample, shift_prior
        How domains are averaged, as in :func:`rankscape.summarize` ("size" is the mean number of cases of the two);
        what is drawn, as in :func:`posterior`; the prior of the population that is compared. Without a prior, both are
        compared at the prior of the model in use.

    Returns
    -------
    Gate
        The verdict, its probabilities, and how many further cases would decide.

    Raises
    ------
    UsageError
        For a box that is not understood, a prior that is stated twice, or draws that were made apart.
    DataError
        For several entities, different domains, or a prior to be shifted where a class has no case.

    See Also
    --------
    rankscape.decide : choose among several models
    rankscape.uncertainty.rank_intervals

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.gate([[90, 3, 2, 5]], [[89, 4, 2, 5]], "beta in [0.5, 2], prior in [0.05, 0.2]").verdict
    'undecided'
    >>> rs.gate([[9000, 300, 200, 500]], [[9000, 300, 200, 500]], margin=0.2).verdict
    'pass'
    >>> rs.gate(
    ...     rs.tasks.success.from_counts(880, 1000), rs.tasks.success.from_counts(840, 1000)
    ... ).verdict
    'pass'
    """
    alpha = checked_share("alpha", alpha, "be a probability above 0, up to 0.5", most=np.nextafter(0.5, 1))
    averaged = {"weights": weights, "missing": missing if missing != "error" else None, "resample": resample}
    drawn = [isinstance(side, Draws) for side in (new, against)]
    if all(drawn):
        refuse_for_draws({"by": by, "draws": draws, "rng": rng, **averaged})
        sides, shifted = _of_draws(new, against)
        if shifted is not None and shift_prior is not None:
            raise no_effect("shift_prior", "the draws are shifted already")
        shift_prior = shift_prior if shifted is None else shifted
    elif any(drawn):
        raise UsageError("expected performances of both models, or draws of both; got draws of one only")
    else:
        count, seed = checked_size("draws", DRAWS if draws is None else draws), seed_of(0 if rng is None else rng)
        errors = None
        if all(isinstance(side, Pairs) for side in (new, against)):
            new, against, errors = _graded(new, against, by)
        elif by is not None:
            raise UsageError([Option("by"), " is for regressors; for other models choose a box or costs"])
        sides = replace(_of_tables(new, against, count, seed, weights, missing, resample), errors=errors)
    box = _checked_box(box, costs, sides)
    if sides.lacks_tn:
        if box.costs is not None:
            raise no_costs(box.costs, of_gate=True)
        if box.prior is not None or shift_prior is not None:
            raise needs_tn("a prior of a gate")
        if min(box.a) < 1:
            raise needs_tn("a box with a < 1", way_out="state the box in beta, as in beta in [0.5, 2]")
    prior = _checked_prior(shift_prior, box, sides)
    if checked_flag("every_domain", every_domain):
        return _of_every_domain(sides, box, alpha, margin, prior, weights, resample)
    if isinstance(margin, Mapping):
        raise UsageError(["one ", Option("margin"), " per domain needs ", Option("every_domain")])
    return _gate(sides, box, alpha, _checked_margin(margin), prior)


# ---- what was asked for


def _checked_box(box: str | Box, costs: Costs | None, sides: Sides) -> Box:
    """Return the preferences, from a box or from costs; where there is one score only, it is the only one."""
    if not isinstance(box, (str, Box)):
        raise UsageError("the box of preferences is a text, such as beta in [0.5, 2]", got=type(box).__name__)
    if sides.only_score:
        only = replace(ACCURACY, text=sides.only_score)
        if costs is not None or box not in (DEFAULT_BOX, only):
            idle = Option("costs" if costs is not None else "box")
            raise no_effect(
                idle, f"{sides.cases} have no misses and false alarms, so that all preferences order as the "
                f"{only.text} does", way_out=[["leave out ", idle]],
            )  # fmt: skip
        return only
    if costs is None:
        return parse_box(box) if isinstance(box, str) else box
    if box != DEFAULT_BOX:
        raise UsageError(["a box and ", Option("costs"), " each say what to prefer: choose one of them"])
    return box_of_costs(costs)


def _checked_margin(margin: Any) -> Fraction:
    """Return the margin as the number that is meant: 0.01 is 1/100."""
    try:
        share = margin if isinstance(margin, Fraction) else fraction_of(str(margin))
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share < 1:
        got = f"{float(margin):g}" if isinstance(margin, Fraction) else f"{margin!s:.80}"
        raise UsageError(
            [Option("margin"), " must be a share of the right answers, at least 0 and below 1, such as 0.01"], got=got
        )
    return share


def _checked_prior(shift_prior: PriorLike | None, box: Box, sides: Sides) -> Fraction | None:
    """Return the one prior to which both models are shifted, or None where the box has some, or that in use stays."""
    if sides.only_score and shift_prior is not None:
        way_out = [["leave out ", Option("shift_prior")]]
        raise no_effect("shift_prior", f"{sides.cases} have no prior", way_out=way_out)
    prior = checked_shift(shift_prior, TWO_CLASS)
    if prior is not None and box.prior is not None:
        raise UsageError(
            ["the prior is stated twice: in the box, and by ", Option("shift_prior")], way_out="leave one of them out"
        )
    if prior in (0, 1):
        raise UsageError([Option("shift_prior"), " must lie inside (0, 1) for a gate"], got=str(prior))
    return prior


# ---- the two sides


class Errors(NamedTuple):
    """The mean errors of two regressors, or satisfactions."""

    by: Criterion
    values: list[float]

    def allowed(self, lost: Any, margin: Any) -> Any:
        """Return the share that may be lost where an error may be larger, or a satisfaction smaller, by a margin."""
        if self.by.direction == "larger":
            return lost * (1 - margin) + margin
        return lost * (1 + margin) ** (2 if self.by.kind == "root" else 1)


@dataclass(frozen=True, eq=False)
class Sides:
    """What a gate decides on: what was seen of the new model and of the one in use, in this order.

    ``names`` is how they are called, ``observed`` are their summaries, of two classes; ``evidence`` is what draws start
    from, of which there are none where performances are probabilities. ``rounded`` says whether some are floats;
    ``errors`` are those of regressors.
    """

    names: tuple[str, str]
    observed: Performances
    evidence: Evidence
    notes: tuple[str, ...]
    draws: int
    seed: int
    rounded: bool
    errors: Errors | None = None

    @property
    def prepared(self) -> Prepared:
        """How domains were averaged."""
        return self.evidence.prepared

    @property
    def lacks_tn(self) -> bool:
        """Whether there are no true negatives, so that only the right side of the Tile is known."""
        return lacks_tn(self.evidence.space)

    @property
    def cases(self) -> str:
        """What the cases are where there is one score only."""
        return "regressors" if self.errors else "cases that are right or wrong"

    @property
    def only_score(self) -> str:
        """The name of the only score of cases that are right or wrong, or graded, or of regressors; else empty."""
        if self.errors is not None:
            return self.errors.by.name
        space = self.evidence.space
        return mean_of_grades(space) or ("accuracy" if is_right_or_wrong(space) else "")

    def each(self) -> Iterator[tuple[str, Sides]]:
        """Yield each domain that has a weight, and what was seen there."""
        grid = self.prepared.grid
        for d in sorted(grid.used, key=grid.domains.__getitem__):
            here = replace(grid.performances[grid.rows[:, d].tolist()], domains=None)
            yield grid.domains[d], replace(self, observed=_of_two_classes(here), evidence=self.evidence.on(d), notes=())


def _of_tables(
    new: Any,
    against: Any,
    draws: int,
    seed: int,
    weights: WeightsLike | None,
    missing: Missing,
    resample: Resample | None,
) -> Sides:
    """Return the sides of two tables, which may know the cases that they share."""
    first, second = _entity_of(new, "new"), _entity_of(against, "against")
    if several_points(first, second):
        raise no_draws_of_points()
    of_new, of_old = (tuple(dict.fromkeys(side.domains or ())) for side in (first, second))
    notes: tuple[str, ...] = ()
    if bool(of_new) != bool(of_old):
        named, which = of_new or of_old, "The other one" if of_new else "The new one"
        if len(named) > 1:
            raise DataError(
                f"{which.lower()} names no domain, and the counts of its opponent are of {len(named)} "
                f"({some(named)}), which are averaged: count both per domain, or both pooled"
            )
        notes = (f"{which} names no domain: whether it was tried on the same ones cannot be told",)
    both = _joined(first, second) if first.space == second.space else None
    if both is None or both.shared is None or both.shared.cases is None:  # counts do not say which cases are the same
        first, second = _alone(first), _alone(second)
        if first.space.outcomes != second.space.outcomes:
            kinds = " and ".join(
                "without true negatives" if lacks_tn(of.space) else of.space.name for of in (first, second)
            )
            raise DataError(
                f"the two are of different kinds, {kinds}; expected one", way_out="give the same columns of both"
            )
        both = _joined(first, second)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingDomainsWarning)  # the notes of the gate say it
        evidence = evidence_of_counts(both, weights, missing, resample, ("error", "complete"))
    grid = evidence.prepared.grid
    if grid.left_out:
        many = counted(len(grid.domains), "domain")
        notes += (f"Compared on {many} that both have, without {some(grid.left_out)}",)
    if grid.to_find and grid.apart:
        notes += (", ".join(grid.about_sizes(1)),)
    sides = _sides(evidence, (first.names[0], second.names[0]), draws, seed, notes)
    return replace(sides, rounded=not (first.of_integers and second.of_integers))


def _of_draws(new: Any, against: Any) -> tuple[Sides, Fraction | None]:
    """Return the sides of two members of the same draws, and the prior to which they are shifted.

    The gate draws anew, from what these were drawn from.
    """
    for side, which in ((new, "new"), (against, "against")):
        _refuse_several_classes(side.space)
        _refuse_several(side.names, which, "draws of ")
    if new.evidence is not against.evidence or new.seed != against.seed:
        raise UsageError(
            "the draws of the two models were made apart, so that it is not known what the models share",
            expected='two members of the same draws, such as drawn["new"] and drawn["old"]',
        )
    names = (new.names[0], against.names[0])
    sides = _sides(new.evidence.only(names), names, len(new), 0 if new.seed is None else new.seed)
    if lacking := sides.prepared.lacking:
        gaps = "; ".join(f"{label(name)} lacks {some(places)}" for name, places in lacking.items())
        raise DataError(
            f"the two are of different domains ({gaps})", way_out=[["draw with ", Option("missing", "complete")]]
        )
    return sides, None if new.prepared is None else new.prepared.shift_prior


def _graded(new: Any, against: Any, by: ScoreLike | None) -> tuple[Performances, Performances, Errors]:
    """Return two regressors that were tried on the same cases as graded cases, and their errors."""
    for side, which in ((new, "new"), (against, "against")):
        _refuse_several(side.names, which)
    if not (np.array_equal(new.truth, against.truth) and np.array_equal(new.weights, against.weights)):
        raise DataError("the two regressors have different cases", way_out="evaluate both on the same cases")
    names = (new.names[0], against.names[0] + " (in use)" * (new.names == against.names))
    exact = None
    if new.exact is not None and against.exact is not None and new.exact.unit == against.exact.unit:
        exact = new.exact._replace(predictions=np.concatenate([new.exact.predictions, against.exact.predictions]))
    both = replace(new, predictions=np.concatenate([new.predictions, against.predictions]), names=names, exact=exact)
    of_errors = import_module(".errors", __package__)  # which few need
    by = of_errors.DEFAULT if by is None else by
    graded, score = of_errors.graded_cases(both, by)
    errors = Errors(criterion(cast(SatisfactionLike, by)), score(graded).tolist())
    return graded[:1], graded[1:].rename(against.names), errors


def _sides(evidence: Evidence, names: tuple[str, str], draws: int, seed: int, notes: tuple[str, ...] = ()) -> Sides:
    """Return the sides of performances of two models that were prepared together, the new one first."""
    cautions = filter(None, (evidence.caution, UNPAIRED if evidence.perhaps_same_cases else ""))
    observed = _of_two_classes(evidence.prepared.grid.summary())
    notes = (*notes, *few_graded(evidence), *cautions)
    return Sides(names, observed, evidence, notes, draws if evidence.known else 0, seed, not observed.of_integers)


def _joined(new: Performances, old: Performances) -> Performances:
    """Return the performances of both models, under different names, on the same domains."""
    places = new.domains or old.domains
    other = old.names[0] if old.names[0] != new.names[0] else f"{old.names[0]} (in use)"
    parts = [
        side.rename([name] * len(side), places if side.domains is None else None)
        for side, name in ((new, new.names[0]), (old, other))
    ]
    return concat([parts[0], parts[1] if old.space == new.space else replace(parts[1], space=new.space)])


def _of_two_classes(performances: Performances) -> Performances:
    """Return performances as those of two classes: of right or wrong cases, a success is a detection."""
    space = performances.space
    if lacks_tn(space):
        return at_right_side(performances)
    if not is_right_or_wrong(space):
        return performances
    return performances.pushforward(TWO_CLASS, [*["fn"] * (len(space) - 1), "tp"])


def _alone(performances: Performances) -> Performances:
    """Return the performances of one side by itself; what was not answered is wrong."""
    space = performances.space
    if is_right_or_wrong(space) and len(space) > len(SPACE):
        of_two = SPACE if mean_of_grades(space) is None else graded(space.name)
        performances = performances.pushforward(of_two, ["failure", "failure", "success"])
    return performances.with_pairing(None)


def _entity_of(given: PerformancesLike, what: str) -> Performances:
    """Return the performances of one side, of one entity, in the order of the names of the domains."""
    performances = as_performances(given)
    _refuse_several_classes(performances.space)
    _refuse_several(list(dict.fromkeys(performances.names)), what)
    if performances.domains is None:
        return performances
    return performances[sorted(range(len(performances)), key=performances.domains.__getitem__)]


def _refuse_several_classes(space: SampleSpace) -> None:
    if not (is_right_or_wrong(space) or lacks_tn(space)):
        two_class_only(space, "a gate")


def _refuse_several(names: Sequence[str], what: str, kind: str = "") -> None:
    """Raise for another number of entities than one, of draws or of performances."""
    if len(names) == 1:
        return
    which = "entity" if what == "new" else "against-entity"
    got = f"{len(names)} ({', '.join(map(repr, names[:3]))}{', …' * (len(names) > 3)})"
    raise (UsageError if kind else DataError)(
        "",
        where=what,
        expected=f"{kind}one entity",
        got=got,
        way_out=one_of(names, "draws[{}]" if kind else "P[{}]", which),
    )


# ---- the verdict


def _of_every_domain(
    sides: Sides,
    box: Box,
    alpha: float,
    margin: Any,
    prior: Fraction | None,
    weights: WeightsLike | None,
    resample: Resample | None,
) -> Gate:
    """Return the gate of each domain by itself, and what they say together, as one gate.

    To pass, all must pass: a model that is worse on one domain passes with ``alpha`` at most, however many there are.
    Any of m domains may say worse, each with ``alpha``/m, so that one of them does so wrongly with ``alpha`` at most.
    The numbers are those of the domain that is the least probable to pass, where no other rule says more.
    """
    unequal = weights not in (None, "equal")
    if isinstance(weights, Mapping):
        unequal = len({weight for weight in weights.values() if weight}) > 1
    if unequal:
        raise no_effect(
            "weights",
            Option("every_domain"),
            " averages no domains",
            way_out=["leave it out", "give each domain the weight 1, or 0 to leave it out"],
        )
    if not sides.prepared.domains:
        raise UsageError([Option("every_domain"), " needs domains, and none is named"])
    if resample == "domains":
        raise UsageError([Option("every_domain"), " asks each domain by itself, so that others cannot be drawn"])
    each = dict(sides.each())
    margins = dict(margin) if isinstance(margin, Mapping) else dict.fromkeys(each, margin)
    if wrong := [name for name in (*margins, *each) if (name in margins) != (name in each)]:
        problem = "has no margin" if wrong[0] in each else "is no domain"
        raise UsageError([Option("margin"), f": {wrong[0]!r} {problem}"],
                         expected=f"one for each of {', '.join(each)[:200]}")  # fmt: skip
    by_domain = {
        name: _gate(side, box, alpha, _checked_margin(margins[name]), prior, len(each)) for name, side in each.items()
    }
    gates = list(by_domain.values())
    verdicts = {one.verdict for one in gates}
    verdict: Verdict = "worse" if "worse" in verdicts else "undecided" if "undecided" in verdicts else "pass"
    least = min(gates, key=lambda one: (isnan(one.probability), one.probability))
    # More cases are needed wherever nothing is decided, as long as nothing is decided for all; NaN stays NaN.
    waiting = [one for one in gates if one.verdict == verdict == "undecided"]
    notes = [f"{name}: {note}" for name, one in by_domain.items() for note in one.notes]
    if sides.evidence.chosen:
        notes.append("So many cases per domain can hardly be independent: all probabilities are too sure")
    return replace(
        least, verdict=verdict, probability=min(one.probability for one in gates),
        domains=tuple(sorted(sides.prepared.domains)), prepared=replace(sides.prepared, shift_prior=prior),
        p_worse=max(one.p_worse for one in gates), undefined=any(one.undefined for one in gates),
        sample_size_factor=float(np.max([one.sample_size_factor for one in waiting] or [nan])),
        more_cases=float(np.sum([one.more_cases for one in waiting] or [nan])),
        more_discordant=float(np.sum([one.more_discordant for one in waiting] or [nan])),
        reason="; ".join(f"{name}: {one.reason}" for name, one in by_domain.items() if one.reason),
        notes=(*sides.notes, *notes), by_domain=by_domain,
    )  # fmt: skip


def _gate(sides: Sides, box: Box, alpha: float, margin: Fraction, prior: Fraction | None, domains: int = 1) -> Gate:
    """Return the gate of the averages, or of one of several ``domains`` that are asked at once."""
    prepared, evidence, errors = sides.prepared, sides.evidence, sides.errors
    if prior is not None:
        box, prepared = replace(box, prior=(prior, prior)), replace(prepared, shift_prior=prior)
    new, old, at, notes = _at_one_prior(sides, box)
    allowed: Measure = less(old, margin)
    if errors is not None:
        lost = errors.allowed(Fraction(old[2], sum(old)), margin)
        allowed = [0, 0, lost, 1 - lost]
    worst = worst_in(box, new, allowed)
    if sides.rounded and 0 < abs(worst.difference) <= ROUNDING:
        worst = replace(worst, difference=Fraction(0))
        notes += ("Tied within rounding: the probabilities are floats, and differ by less than 1e-12",)
    if errors is None:
        scores = [score_at(worst, row) for row in (new, old, allowed)]
        values = [nan if score is None else float(score) for score in scores]
    else:
        by_margin = 1 - margin if errors.by.direction == "larger" else 1 + margin
        values = [*errors.values, errors.values[1] * float(by_margin)]
    undefined = undefined_in(box, new) or undefined_in(box, allowed)
    apart, rates = _discordant(evidence), rates_of(evidence, sides.draws, sides.seed)
    alike = _alike(evidence) if isnan(apart) else not apart
    votes, corners = _votes(sides, rates, box, float(margin))
    reason = _in_the_way(sides, alike, box, bool(margin))
    reason = reason or too_few_draws(sides.draws, alpha, corners * domains, votes)
    if undefined:
        reason = "a score is undefined somewhere in the box, by what was seen"
        if not sum(new):
            reason = f"{label(sides.names[0])} lacks a class that the model in use has"
    alphas = alpha, alpha / (corners * domains)
    verdict: Verdict = "undecided"
    if not reason and votes.probability >= 1 - alphas[0]:
        verdict = "pass"
    elif not reason and votes.p_worse >= 1 - alphas[1]:
        verdict = "worse"
    times = more = discordant = nan
    if verdict == "undecided" and not undefined:
        if alike or (not reason and worst.difference == 0):
            times = inf
        elif not reason:
            times = _needed(sides, box, float(margin), votes, alphas)
        if evidence.unit != "domains" and not isnan(times):  # more cases on the same domains would not help
            of_new = sum(float(totals_of(evidence.counts(d), evidence.classes)[0].sum()) for d in evidence.used)
            more, discordant = (
                n if isnan(n) else inf if times == inf else float(ceil(n * (times - 1)))
                for n in (of_new, apart if errors is None else nan)
            )
    return Gate(
        verdict=verdict, probability=votes.probability, p_worse=votes.p_worse, p_worse_needed=1 - alphas[1],
        alpha=alpha, box=box, worst=worst, new=sides.names[0], old=sides.names[1],
        new_value=values[0], old_value=values[1], allowed=values[2], margin=margin, prior=at,
        sample_size_factor=times, more_cases=more, more_discordant=discordant, draws=sides.draws,
        method=phrase(evidence, "exchangeable"), unit=evidence.sentence, paired=evidence.paired, undefined=undefined,
        p_undefined=votes.p_undefined, reason=reason, domains=tuple(sorted(prepared.domains)),
        notes=(*sides.notes, *notes), shift_prior=prior, prepared=prepared, seed=sides.seed,
        expenses=_expenses(box, (new, old), rates, alpha),
    )  # fmt: skip


# ---- what was seen


def _discordant(evidence: Evidence) -> float:
    """Return how many cases just one of two models gets right; NaN where they are not known to share cases."""
    if not evidence.units:
        return nan
    each = ((units, units.shares(right).astype(float)) for units in evidence.units for right, *_ in evidence.classes)
    return float(sum((abs(np.diff(shares)[:, 0]) * units.size).sum() for units, shares in each))


def _alike(evidence: Evidence) -> bool:
    """Tell whether two models have the same rates on all domains, where domains are drawn."""
    classes = evidence.classes
    if evidence.unit != "domains":
        return False
    pairs = [(right, [right, *wrong]) for right, *wrong in classes]
    pairs += [(outcome, classes[0]) for outcome in evidence.beside]
    cells = np.stack([evidence.counts(d) for d in evidence.used]).astype(np.float64)
    parts = ((cells[..., one], cells[..., every].sum(axis=2)) for one, every in pairs)
    return all((part[:, 0] * whole[:, 1] == part[:, 1] * whole[:, 0]).all() for part, whole in parts)


def _at_one_prior(sides: Sides, box: Box) -> tuple[list[int], list[int], float | None, tuple[str, ...]]:
    """Return both measures at the prior of the model in use, that prior, and a note where they differ."""
    # The new one is all 0 where it lacks a class that the other one has. A prior in the box decides otherwise.
    new, old = sides.observed.integers.tolist()
    if sides.lacks_tn or sides.only_score:
        return new, old, None, ()
    if box.prior is not None:
        for one in (sides.observed[:1], sides.observed[1:]):
            one.shift_priors(0.5)  # raises where a class has no case
        return new, old, float(box.prior[0]) if box.prior[0] == box.prior[1] else None, ()
    priors = [Fraction(sum(row[2:]), sum(row)) for row in (new, old)]
    if priors[0] == priors[1]:
        return new, old, float(priors[1]), ()
    moved = moved_to(np.array([new], dtype=object), priors[1])[0].tolist()
    if abs(priors[0] - priors[1]) <= ROUNDING:
        return moved, old, float(priors[1]), ()
    (before, first), (after, second) = (
        (f"{float(prior):.4g}", label(name)) for prior, name in zip(priors, sides.names, strict=True)
    )
    note = (
        f"The priors (shares of positives) differ: {before} for {first}, {after} for {second}. Both are compared "
        "at that of the model in use; a prior in the box would state another"
    )
    return moved, old, float(priors[1]), (note,)


# ---- what is in the way


def _in_the_way(sides: Sides, alike: bool, box: Box, margin: bool) -> str:
    """Say why nothing can be decided, whatever the draws say; or nothing."""
    evidence = sides.evidence
    if not evidence.known and sides.only_score:
        return "these are no counts, and no table has the grades of both models on the same cases"
    if not evidence.known:
        return "these are probabilities, not counts, which do not say how many cases they come from"
    if sides.draws < FEW:
        return f"{counted(sides.draws, 'draw')} cannot tell how sure this is; at least {FEW} are needed"
    what = evidence.unit.removesuffix("s")
    names = ("negative ", "positive ")[-len(evidence.classes) :] if not sides.only_score else ("",)
    on = " on a domain" if evidence.units and len(evidence.units) > 1 and (evidence.graded or what != "case") else ""
    for c, (name, number) in enumerate(zip(names, units_of_classes(evidence), strict=True)):
        if number >= 2 or (len(names) == 2 and not needed_classes(box)[c]):
            continue
        if not number:
            return f"no {name}case was seen"
        which = f"one {what}" if sides.only_score else f"one {name}case" if what == "case" else (
            f"one {what} with {name}cases"
        )  # fmt: skip
        return f"only {which} was seen{on}, and one {what} does not say what others would show"
    if alike and not margin:
        return "the two did the same wherever they were tried, so that the data do not say which one is better"
    return ""


def too_few_draws(draws: int, alpha: float, parts: int, votes: Votes) -> str:
    """Say how many draws it takes to tell a probability of 1 − ``alpha`` from certainty, where these are fewer; or "".

    For the verdict worse, ``alpha`` is split into so many ``parts``; this is in the way only where all draws say worse.

    >>> too_few_draws(100, 0.0001, 1, Votes(1.0, 0.0, 0.0))
    '100 draws cannot tell whether an error is as rare as alpha = 0.0001: at least 10,000 are needed'
    >>> too_few_draws(10**4, 0.0001, 1, Votes(1.0, 0.0, 0.0))
    ''
    """
    if draws * alpha < 1 - ROUNDING:
        rare, what = alpha, f"alpha = {alpha:g}"
    elif draws * alpha / parts < 1 - ROUNDING and votes.p_worse >= 1 - alpha / parts:
        rare, what = alpha / parts, f"alpha/{parts} = {alpha / parts:.3g}, as the verdict worse needs"
    else:
        return ""
    if rare * LARGEST_SIZE < 1 - ROUNDING:
        return (
            f"draws cannot tell whether an error is as rare as {what}: {LARGEST_SIZE:,} are the most, which tell "
            f"{1 / LARGEST_SIZE:g}"
        )
    needed = ceil((1 - ROUNDING) / rare)
    return f"{counted(draws, 'draw')} cannot tell whether an error is as rare as {what}: at least {needed:,} are needed"


# ---- the draws, which are those of a ranking of the two


class Votes(NamedTuple):
    """Shares of draws: nowhere in the box worse; worse at the corner where most are; undefined somewhere."""

    probability: float
    p_worse: float
    p_undefined: float


def rates_of(evidence: Evidence, draws: int, seed: int, times: float = 1.0) -> Rates:
    """Return draws of the rates of two models, averaged over domains, as if of so many ``times`` the units.

    Gains are NaN of a class of which too few units were seen. The odds are those of the model in use.
    """
    masses = np.zeros((0, 2, len(evidence.space)))
    if evidence.known:
        masses = np.asarray(drawn_from(replace(evidence, times=times), draws, seed).values, dtype=np.float64)
    space, classes = evidence.space, evidence.classes
    with np.errstate(invalid="ignore", divide="ignore"):
        if lacks_tn(space):
            fp, fn, tp = (masses[:, :, space.index(outcome)] for outcome in ("fp", "fn", "tp"))
            alarms, recall = fp / (fn + tp), tp / (fn + tp)  # of so many negatives that nothing depends on the number
            new, old = (np.stack([1 - ODDS * alarms[:, model], recall[:, model]], axis=1) for model in (0, 1))
            gain = np.stack([ODDS * (alarms[:, 1] - alarms[:, 0]), (new - old)[:, 1]], axis=1)
            return Rates(old, gain, np.full(len(masses), ODDS))
        totals = np.stack([masses[:, :, outcomes].sum(axis=2) for outcomes in classes], axis=2)
        rates = np.stack([masses[:, :, outcomes[0]] for outcomes in classes], axis=2) / totals
        old, gain = rates[:, 1], rates[:, 0] - rates[:, 1]
        if len(classes) == 1:  # cases that are right or wrong are all positive
            none = np.zeros_like(old)
            return Rates(np.hstack([none, old]), np.hstack([none, gain]), np.ones(len(old)))
        return Rates(old, gain, totals[:, 1, 1] / totals[:, 1, 0])


def _votes(sides: Sides, rates: Rates, box: Box, margin: float) -> tuple[Votes, int]:
    """Return the votes of draws, NaN where none is defined, and the number of corners."""
    # A draw in which a score is undefined at a corner votes neither to pass nor, there, for worse.
    lost = rates.old * (np.array([0.0, margin]) if sides.lacks_tn else margin)  # no unknown true negatives can be lost
    if sides.errors is not None:
        lost = sides.errors.allowed(1 - rates.old, margin) - (1 - rates.old)
    signs = signs_of_draws(box, rates, lost)
    if not margin and len(np.unique(sides.evidence.kinds)) == 1:  # copies: a draw counts either way, as in a ranking
        other_way = np.where(np.isnan(signs), np.nan, np.where(signs < 0, 1.0, -1.0))  # a tie is shared
        signs = np.concatenate([signs, other_way], axis=1)
    if not signs.size:
        return Votes(nan, nan, nan), len(signs)
    undefined = float(np.isnan(signs).any(axis=0).mean())
    if undefined == 1:  # of so few units no draw is defined
        return Votes(nan, nan, undefined), len(signs)
    return Votes(float((signs >= 0).all(axis=0).mean()), float((signs < 0).mean(axis=1).max()), undefined), len(signs)


def _expenses(box: Box, measures: tuple[list[int], list[int]], rates: Rates, alpha: float) -> Expenses:
    """Return what both cost at one prior, that of the box or of their measures; nothing is known without costs."""
    costs = box.costs
    if costs is None or not all(map(sum, measures)):
        return Expenses()
    prior = None if box.prior is None else box.prior[0]
    both = Performances.from_exact(list(measures))
    new, old = costs.expected(both if prior is None else both.shift_priors(prior)).tolist()
    change = new - old
    if len(rates.odds) < FEW:
        return Expenses(new, old, change)
    weights = np.array(costs.importance[1:3], dtype=np.float64)  # what a right answer saves: of negatives, of positives
    if prior is None:
        odds = np.clip(rates.odds, 0, 1e100)
        shares = np.stack([1 / (1 + odds), odds / (1 + odds)], axis=1)
    else:
        shares = np.broadcast_to([float(1 - prior), float(prior)], rates.gain.shape)
    saved = products(weights[None], (np.where(weights > 0, rates.gain, 0.0) * shares).T)[0]
    saved = saved[~np.isnan(saved)]
    if not len(saved):
        return Expenses(new, old, change)
    low, high = np.quantile(-saved, [alpha, 1 - alpha]).tolist()
    return Expenses(new, old, change, min(low, change), max(high, change))


def _needed(sides: Sides, box: Box, margin: float, now: Votes, alphas: tuple[float, float]) -> float:
    """Return about how many times as many cases it takes, within some percent; ∞ where too many."""
    # ``alphas`` are the probabilities of errors that are allowed of "pass", and of "worse" at a corner. Where the draws
    # are too few to tell so rare an error, the cases are sought for one that they can tell, and more of them in the
    # ratio of the squares of the normal quantiles.
    from scipy.special import ndtri

    levels = [max(alpha, TELLING / sides.draws) for alpha in alphas]

    def missing(times: float) -> float:
        """Return the factor that is still missing of so many times the cases; ∞ where the draws do not tell."""
        votes = now
        if times != 1:
            votes = _votes(sides, rates_of(sides.evidence, sides.draws, sides.seed, times), box, margin)[0]
        factors = [inf]
        for share, alpha, level in zip((votes.probability, votes.p_worse), alphas, levels, strict=True):
            if share >= 1 - level:
                reached = min(max(1 - share, alpha), level) if times == 1 else level
                factors.append(float(ndtri(alpha) / ndtri(reached)) ** 2 if reached > alpha else 1.0)
        return min(factors)

    if (factor := missing(1.0)) < inf:
        return factor
    low, high = 1.0, 2.0
    while missing(high) == inf:
        low, high = high, 2 * high
        if high > MOST_TIMES:
            return inf
    for _ in range(5):
        middle = sqrt(low * high)
        low, high = (low, middle) if missing(middle) < inf else (middle, high)
    times = high * missing(high)
    return times if times <= MOST_TIMES else inf


def less(row: Measure, lost: Fraction) -> Measure:
    """Return a measure less a share of its right answers, which become errors of the same class.

    >>> [int(x) for x in less([90, 3, 2, 50], Fraction(1, 10))]
    [81, 12, 7, 45]
    """
    tn, fp, fn, tp = row
    return [tn * (1 - lost), fp + tn * lost, fn + tp * lost, tp * (1 - lost)]
