"""The gate: may a new model replace the one in use, for every preference and prior in a box?"""

from dataclasses import dataclass, replace
from math import inf, isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import checked_size, two_class_only
from ..data import as_performances
from ..domains import summarize
from ..errors import DataError, UsageError
from ..outcomes import canonical_importance
from ..performances import Performances
from ..scores import ranking_score
from ..tables import Table
from .box import Box, Worst, parse_box, smallest_of_draws, undefined_in, worst_in
from .draws import DRAWS, posterior

Floats = NDArray[np.float64]
VERDICTS = ("pass", "worse", "undecided")
MOST_TIMES = 2**20
"""How many times as many cases are tried at most."""


@dataclass(frozen=True)
class Gate:
    """Whether a new model may replace another one: the verdict, and what it rests on.

    ``verdict`` is "pass" (at least as good everywhere in the box, with at least the probability ``min_prob``), "worse"
    (worse somewhere in the box, by the performances seen) or "undecided" (not worse anywhere, but not sure enough, or
    undefined somewhere). ``probability`` is P(at least as good everywhere in the box), NaN for probabilities
    instead of counts. ``worst`` is the least favorable corner of the box, ``equal`` whether the two tie there.
    ``times`` is how many times as many cases would be needed, ∞ where none would do, NaN where it was not asked;
    ``more_cases`` how many more that are for the new one.

    >>> found = gate([[900, 10, 5, 85]], [[870, 40, 30, 60]], "beta in [0.5, 2]")
    >>> found.verdict, round(found.probability, 1), found.exit_status
    ('pass', 1.0, 0)
    """

    verdict: str
    probability: float
    min_prob: float
    box: Box
    worst: Worst
    new: str
    old: str
    new_value: float
    old_value: float
    times: float
    more_cases: float
    draws: int
    method: str
    undefined: bool

    @property
    def equal(self) -> bool:
        """Whether the two tie at the worst place."""
        return self.worst.difference == 0

    @property
    def exit_status(self) -> int:
        """The exit status of ``rankscape gate``: 0 pass, 1 worse, 4 undecided."""
        return {"pass": 0, "worse": 1, "undecided": 4}[self.verdict]

    def table(self) -> Table:
        """Return one row: verdict, probability, min_prob, the least favorable corner (worst_a, …), more_cases."""
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
            "times_as_many_cases": self.times,
            "more_cases": self.more_cases,
        }
        return Table({name: [value] for name, value in row.items()})

    def frame(self) -> Any:
        """Return the table as a pandas data frame where pandas is installed."""
        return self.table().frame()


def gate(
    new: Any,
    against: Any,
    box: str | Box = "beta = 1",
    min_prob: float = 0.95,
    draws: int = DRAWS,
    rng: Any = 0,
    *,
    prior: str | float = "jeffreys",
    weights: Any = "equal",
) -> Gate:
    """Decide whether a new model is at least as good as another one for every preference and prior in a box.

    ``new`` and ``against`` hold one entity each, on one or several domains, which are summarized with ``weights``.
    ``box`` bounds the preference, and perhaps the prior to which both are shifted, as in :func:`parse_box`:
    "beta in [0.5, 2], prior in [0.05, 0.2]". Of the performances seen it is decided exactly, on fractions. The
    probability is the share of posterior draws (``draws``, ``rng``, ``prior`` as of :func:`posterior`; the two models
    independent) in which the new one is at least as good all over the box. Where that is less than ``min_prob``, the
    posterior is drawn again as if of more cases with the same rates, to tell how many it would take.
    Raises UsageError for a box that is not understood, DataError for several entities, or a prior to be
    shifted where a class has no case.

    >>> gate([[90, 3, 2, 5]], [[89, 4, 2, 5]], "beta in [0.5, 2], prior in [0.05, 0.2]").verdict
    'undecided'
    """
    if not 0 <= min_prob < 1:
        raise UsageError(f"min_prob must be a probability below 1, such as 0.95; got {min_prob}")
    checked_size("draws", draws)
    box = parse_box(box) if isinstance(box, str) else box
    sides = [_one(given, what) for given, what in ((new, "new"), (against, "against"))]
    points = [summarize(side, weights) for side in sides]
    if box.prior is not None:
        for point in points:
            point.shift_priors(0.5)  # raises where a class has no case
    rows = [[int(x) for x in point.integers[0]] for point in points]
    worst = worst_in(box, *rows)
    undefined = any(undefined_in(box, row) for row in rows)
    counted = all(side.counts is not None for side in sides)
    seeds = np.random.default_rng(rng).integers(2**63, size=2).tolist()  # the same at every number of cases

    def probability(times: float) -> float:
        drawn = [
            posterior(_scaled(side, times), draws, np.random.default_rng(seed), prior=prior, weights=weights)
            for side, seed in zip(sides, seeds, strict=True)
        ]
        smallest = smallest_of_draws(box, drawn[0].values[:, 0], drawn[1].values[:, 0])
        return float(np.mean(smallest >= 0))

    p = probability(1) if counted else nan
    enough = min_prob == 0 or p >= min_prob
    verdict = "worse" if worst.difference < 0 else "pass" if enough and not undefined else "undecided"
    times = nan
    if verdict == "undecided" and counted and not undefined:
        times = inf if worst.difference == 0 else _needed(probability, min_prob)
    cases = float(sides[0].counts.sum()) if sides[0].counts is not None else nan
    values = [_value(point, worst) for point in points]
    more = nan if isnan(times) else inf if times == inf else float(np.ceil(cases * (times - 1)))
    method = "posterior of each model, independent" if counted else "no counts, so no draws"
    return Gate(
        verdict, p, min_prob, box, worst, sides[0].names[0], sides[1].names[0], values[0], values[1], times, more,
        draws if counted else 0, method, undefined,
    )  # fmt: skip


def _one(given: Any, what: str) -> Performances:
    performances = as_performances(given)
    two_class_only(performances.space, "a gate")
    names = list(dict.fromkeys(performances.names))
    if len(names) > 1:
        shown = ", ".join(map(repr, names[:3]))
        raise DataError(
            f"{what}: expected one entity; got {len(names)} ({shown}, …): choose one, as in P[{names[0]!r}]"
        )
    return performances


def _scaled(performances: Performances, times: float) -> Performances:
    """Return performances of that many times as many cases."""
    if times == 1 or performances.counts is None:
        return performances
    return replace(performances, counts=np.rint(performances.counts * times).astype(np.int64))


def _needed(probability: Any, enough: float) -> float:
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


def _value(point: Performances, worst: Worst) -> float:
    """Return the canonical score at the worst place."""
    shifted = point if worst.prior is None else point.shift_priors(float(worst.prior))
    return float(ranking_score(shifted, canonical_importance(float(worst.a), float(worst.b)))[0])
