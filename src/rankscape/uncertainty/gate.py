"""The gate: may a new model replace the one in use, for every preference and prior in a box?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isnan, nan
from typing import Any, Literal

import numpy as np

from .._scores import ranking_score
from ..domains import Prepared
from ..domains.shift import checked_shift
from ..errors import Option, UsageError
from ..outcomes import TWO_CLASS, canonical_importance
from ..performances import Performances
from ..results import Result, Table
from ..typing import PerformancesLike, PosteriorMethod, PriorLike, RandomLike, Verdict, WeightsLike
from .box import Box, Worst, parse_box, smallest_of_draws, undefined_in, worst_in
from .draws import DRAWS, Draws
from .gate_inputs import Material, given_draws, posteriors_of

MOST_TIMES = 2**20
"""How many times as many cases are tried at most."""

ROUNDING = 1e-12
"""Differences that are no larger may come from rounding where probabilities are floats; then they count as ties."""


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Result):
    """Whether a new model may replace another one: the verdict, and what it rests on.

    ``verdict`` is "pass" (at least as good everywhere in the box, with at least the probability ``min_prob``), "worse"
    (worse somewhere in the box, by the performances seen) or "undecided" (not worse anywhere, but not sure enough,
    undefined somewhere, or the draws do not hold what was seen, as ``notes`` say). "At least as good" allows for the
    ``margin``, a share of the right answers of the other one. ``probability`` is P(at least as good everywhere in the
    box), NaN for probabilities instead of counts. ``worst`` is the least favorable of the corners of the box (its sign
    is that of the whole box, but between the corners the difference may be larger), ``equal`` whether the two tie
    there; ``new_value`` and ``old_value`` are the scores seen there, ``allowed`` that of the other one less the margin:
    the smallest that passes there. ``domains`` are those summarized, ``prepared`` says how, ``shift_prior`` is the
    prior to which both were shifted (None: their own, or those of the box), ``seed`` that of the draws; ``paired``
    whether the draws of the two are of the same cases. ``sample_size_factor`` is how many times as many cases
    both would need, ∞ where no number suffices, NaN where the verdict needs none; ``more_cases`` how many more that are
    for the new one.

    >>> decision = gate([[900, 10, 5, 85]], [[870, 40, 30, 60]], "beta in [0.5, 2]")
    >>> decision.verdict, round(decision.probability, 1), decision.exit_status
    ('pass', 1.0, 0)
    """

    verdict: Verdict
    probability: float
    min_prob: float
    box: Box
    worst: Worst
    new: str
    old: str
    new_value: float
    old_value: float
    sample_size_factor: float
    more_cases: float
    draws: int
    method: str
    undefined: bool
    margin: Fraction = Fraction(0)
    domains: tuple[str, ...] = ()
    paired: bool = False
    notes: tuple[str, ...] = ()
    allowed: float = nan
    shift_prior: Fraction | None = None
    prepared: Prepared | None = None
    seed: int | None = None

    @property
    def equal(self) -> bool:
        """Whether the two tie at the worst place."""
        return self.worst.difference == 0

    @property
    def exit_status(self) -> int:
        """The exit status of ``rankscape gate``: 0 pass, 1 worse, 4 undecided."""
        return {"pass": 0, "worse": 1, "undecided": 4}[self.verdict]

    def table(self) -> Table:
        """Return one row: verdict, probability, min_prob, the least favorable corner (worst_a, …), more_cases, …"""
        prior = self.worst.prior
        row = {
            "verdict": self.verdict,
            "new": self.new,
            "against": self.old,
            "probability": self.probability,
            "min_prob": self.min_prob,
            "worst_a": float(self.worst.a),
            "worst_b": float(self.worst.b),
            "worst_prior": nan if prior is None else float(prior),
            "value": self.new_value,
            "value_against": self.old_value,
            "times_as_many_cases": self.sample_size_factor,
            "more_cases": self.more_cases,
            "margin": float(self.margin),
            "value_allowed": self.allowed,
            "domains": ", ".join(self.domains),
            "draws": self.draws,
            "paired": self.paired,
            "exit_status": self.exit_status,
        }
        return Table({name: [value] for name, value in row.items()})

    @property
    def heading(self) -> str:
        """The two models, the verdict, and the notes."""
        return ". ".join((f"{self.new} against {self.old}: {self.verdict}", *self.notes))


def gate(
    new: PerformancesLike | Draws,
    against: PerformancesLike | Draws,
    box: str | Box = "beta = 1",
    min_prob: float = 0.95,
    draws: int | None = None,
    rng: RandomLike = None,
    *,
    method: PosteriorMethod | None = None,
    weights: WeightsLike | None = None,
    missing: Literal["error", "complete"] = "error",
    margin: float | Fraction = 0,
    shift_prior: PriorLike | None = None,
) -> Gate:
    """Decide whether a new model is at least as good as another one for every preference and prior in a box.

    ``new`` and ``against`` hold one entity each, on one or several domains, which are summarized with ``weights`` (by
    default "equal"; with "size" by the mean number of cases of the two). They must name the same domains; with
    ``missing="complete"`` only those of both are compared. ``box`` bounds the preference, and perhaps the prior to
    which both are shifted, as in :func:`parse_box`: "beta in [0.5, 2], prior in [0.05, 0.2]". ``shift_prior`` is
    another way to state one prior, for a box that says nothing of it: domains are averaged first, then shifted. Of the
    performances seen it is decided exactly, on fractions. The probability is the share of posterior draws (``draws``,
    by default 2000, ``rng``, ``method`` as of :func:`posterior`; the two models independent) in which the new one is
    at least as good all over the box. Where that is less than ``min_prob``, the posterior is drawn again as if of more
    cases with the same rates, to estimate how many it would take. Where an interval of the draws does not hold the
    score seen, nothing passes.

    An unchanged model never passes so, for it is as probably worse as better. ``margin`` in [0, 1) allows for it: the
    new one is compared with the other less that share of its right answers, TNR and TPR both ×(1 − margin).
    Or give draws of both from one paired bootstrap: ``d = bootstrap(y, {"new": …, "old": …})``,
    ``gate(d["new"], d["old"])``.
    Raises UsageError for a box that is not understood or two priors, DataError for several entities, different domains,
    or a prior to be shifted where a class has no case.

    >>> gate([[90, 3, 2, 5]], [[89, 4, 2, 5]], "beta in [0.5, 2], prior in [0.05, 0.2]").verdict
    'undecided'
    >>> gate([[9000, 300, 200, 500]], [[9000, 300, 200, 500]], margin=0.2).verdict
    'pass'
    """
    if not 0 <= min_prob < 1:
        name = Option("min_prob", python="min_prob")
        raise UsageError([name, " must be a probability below 1, such as 0.95"], got=str(min_prob))
    if not 0 <= margin < 1:
        name = Option("margin", python="margin")
        raise UsageError([name, " must be a share of the right answers below 1, such as 0.01"], got=str(margin))
    margin = margin if isinstance(margin, Fraction) else Fraction(str(margin))
    if not isinstance(box, (str, Box)):
        raise UsageError("the box of preferences is a text, such as beta in [0.5, 2]", got=type(box).__name__)
    box = parse_box(box) if isinstance(box, str) else box
    prior = _checked_prior(shift_prior, box)
    if isinstance(new, Draws) and isinstance(against, Draws):
        options = {"draws": draws, "rng": rng, "method": method, "weights": weights}
        material = given_draws(new, against, [name for name, value in options.items() if value is not None])
    elif isinstance(new, Draws) or isinstance(against, Draws):
        raise UsageError("expected performances of both models, or draws of both; got draws of one only")
    else:
        material = posteriors_of(
            new, against, DRAWS if draws is None else draws, 0 if rng is None else rng,
            "jeffreys" if method is None else method, "equal" if weights is None else weights, missing,
        )  # fmt: skip
    if prior is None:
        return _decided(material, box, min_prob, margin)
    return replace(
        _decided(material, replace(box, prior=(prior, prior)), min_prob, margin),
        shift_prior=prior, prepared=material.prepared and replace(material.prepared, shift_prior=prior),
    )  # fmt: skip


def _checked_prior(shift_prior: PriorLike | None, box: Box) -> Fraction | None:
    """Return the one prior to which both models are shifted, or None where the box has some, or theirs stay."""
    prior = checked_shift(shift_prior, TWO_CLASS)
    if prior is not None and box.prior is not None:
        raise UsageError(
            ["the prior is stated twice: in the box, and by ", Option("shift_prior")], way_out="leave one of them out"
        )
    if prior in (0, 1):
        raise UsageError([Option("shift_prior"), " must lie inside (0, 1) for a gate"], got=str(prior))
    return prior


def _decided(material: Material, box: Box, min_prob: float, margin: Fraction) -> Gate:
    observed, notes, draw = material.observed, material.notes, material.draw
    if box.prior is not None:
        for performance in observed:
            performance.shift_priors(0.5)  # raises where a class has no case
    row, other = ([int(x) for x in performance.integers[0]] for performance in observed)
    allowed = _less(other, *margin.as_integer_ratio())
    worst = worst_in(box, row, allowed)
    if any(performance.exact is None for performance in observed) and 0 < abs(worst.difference) <= ROUNDING:
        worst = replace(worst, difference=Fraction(0))
        notes += ("Tied within rounding: the probabilities are floats, and differ by less than 1e-12",)
    undefined = undefined_in(box, row) or undefined_in(box, allowed)
    values = [_value(performance, worst) for performance in observed]

    def probability(times: float) -> float:
        if draw is None:
            return nan
        first, second = draw(times)
        second = np.stack(_less(second.T, float(margin)), axis=-1)
        return float(np.mean(smallest_of_draws(box, first, second) >= -ROUNDING))

    p = probability(1)
    beyond: list[str] = []
    enough = min_prob == 0 or (p >= min_prob and not beyond)
    verdict: Verdict = "worse" if worst.difference < 0 else "pass" if enough and not undefined else "undecided"
    times = nan
    if verdict == "undecided" and not isnan(material.cases) and not undefined and not beyond:
        times = inf if worst.difference == 0 else _needed(probability, min_prob)
    more = nan if isnan(times) else inf if times == inf else float(np.ceil(material.cases * (times - 1)))
    return Gate(
        verdict=verdict, probability=p, min_prob=min_prob, box=box, worst=worst, new=observed[0].names[0],
        old=observed[1].names[0], new_value=values[0], old_value=values[1], sample_size_factor=times, more_cases=more,
        draws=material.draws, method=material.method, undefined=undefined, margin=margin, domains=material.domains,
        paired=material.paired, notes=(*notes, *beyond), allowed=_value(Performances.from_exact([allowed]), worst),
        prepared=material.prepared, seed=material.seed,
    )  # fmt: skip


def _less(row: Iterable[Any], lost: Any, whole: int = 1) -> list[Any]:
    """Return a measure less the share lost/whole of its right answers, which become errors of the same class.

    >>> _less([90, 3, 2, 50], 1, 10)
    [810, 120, 70, 450]
    """
    tn, fp, fn, tp = row
    return [tn * (whole - lost), fp * whole + tn * lost, fn * whole + tp * lost, tp * (whole - lost)]


def _needed(probability: Callable[[float], float], enough: float) -> float:
    """Return about how many times as many cases it takes, within some percent; ∞ where too many."""
    low, high = 1.0, 2.0
    while probability(high) < enough:
        low, high = high, 2 * high
        if high > MOST_TIMES:
            return inf
    for _ in range(5):
        middle = (low * high) ** 0.5
        low, high = (low, middle) if probability(middle) >= enough else (middle, high)
    return high


def _value(observed: Performances, worst: Worst) -> float:
    """Return the canonical score at the worst place."""
    shifted = observed if worst.prior is None else observed.shift_priors(float(worst.prior))
    return float(ranking_score(shifted, canonical_importance(float(worst.a), float(worst.b)))[0])
