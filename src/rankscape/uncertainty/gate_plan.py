"""What a gate will decide, before there are cases: how often it passes better, equal and worse models, simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, nan

import numpy as np

from .._costs import Costs
from ..checks import checked_rng, checked_size
from ..checks.numbers import checked_share
from ..errors import Option, UsageError
from ..floats import exps, geometric, logs, logs1p
from ..results import Result, Table
from ..typing import Floats, Number, RandomLike
from .box import Box, Rates, needed_classes, signs_of_draws
from .draws import given_seed
from .gate import shares_of
from .gate_inputs import DEFAULT_BOX, checked_alpha, checked_box, checked_margin
from .pooling import SCALE

FACTORS = tuple(Fraction(2) ** power for power in range(-2, 5))
"""How many times the number of cases that is asked about."""

DRAWS = 400
"""Draws behind each simulated verdict: enough for a threshold of 0.95, as errors of either sign cancel out."""

MOST_DRAWS = 10_000
"""Draws behind each simulated verdict at most, where the errors allowed are rare: more would take minutes."""

AT_ONCE = 100
"""Simulated gates that are decided together."""

HALF = 0.5
"""Cases of each kind that are added to those seen."""

SPREADS, TINY = geometric(0.03, 100, 40), 1e-12
"""Spreads of differences, in standard errors of one, and how far rates stay from 0 and 1."""

SCENARIOS = ("better", "equal", "worse")


@dataclass(frozen=True, eq=False, repr=False)
class GatePlan(Result):
    """How often a gate passes a new model, or calls it worse, for each number of cases.

    Each probability is the share of ``trials`` simulated gates, and so has a standard error of at most ½/√trials.

    Attributes
    ----------
    difference
        By how much the new model is better or worse: both TNR and TPR are that much larger, or smaller.
    cases : (sizes,)
        The numbers of cases.
    p_pass, p_worse : (sizes, 3)
        The probabilities of these verdicts where the new model is better, equal, and worse.
    alpha, margin, box
        What the gate is asked.
    tnr, tpr, prior
        Those of the model in use.
    discordant
        The share of cases that just one of two equal models gets right, None where the two are tried on different
        cases.
    trials, seed
        The number of simulated gates, and their seed.
    accuracy
        Of cases that are right or wrong, that of the model in use, which differs instead of the rates.

    See Also
    --------
    rankscape.gate_plan

    Examples
    --------
    >>> import rankscape as rs
    >>> plan = rs.gate_plan(difference=0.05, cases=800, trials=200)
    >>> bool(plan.p_pass[2, 0] > 0.5), bool(plan.p_pass[2, 2] < 0.05)
    (True, True)
    """

    difference: float
    cases: tuple[int, ...]
    p_pass: Floats
    p_worse: Floats
    alpha: float
    margin: float
    box: Box
    tnr: float
    tpr: float
    prior: float
    discordant: float | None
    trials: int
    seed: int | None
    accuracy: float | None = None

    def table(self) -> Table:
        """Return one row per number of cases: cases, pass_if_better, …, worse_if_worse.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        columns: dict[str, list[float]] = {"cases": list(self.cases)}
        for verdict, shares in (("pass", self.p_pass), ("worse", self.p_worse)):
            for column, scenario in enumerate(SCENARIOS):
                columns[f"{verdict}_if_{scenario}"] = shares[:, column].tolist()
        return Table(columns)

    def cases_for(self, power: float = 0.8) -> float:
        """Return the smallest number of cases of the table with which a better model passes so often.

        Parameters
        ----------
        power
            The probability that a better model passes.

        Returns
        -------
        float
            The number of cases, or NaN where no number of the table is large enough.
        """
        enough = np.flatnonzero(self.p_pass[:, 0] >= power)
        return self.cases[enough[0]] if enough.size else nan

    @property
    def heading(self) -> str:
        """What is better by how much."""
        if self.accuracy is not None:
            return f"Verdicts of a gate on models that differ by {self.difference:g} in accuracy"
        return f"Verdicts of a gate on models that differ by {self.difference:g} in TNR and TPR; box: {self.box.text}"


def gate_plan(
    difference: float = 0.02,
    cases: int = 500,
    *,
    box: str | Box = DEFAULT_BOX,
    alpha: float = 0.05,
    margin: Number = 0,
    costs: Costs | Mapping[str, float] | Sequence[float] | None = None,
    tnr: float | None = None,
    tpr: float | None = None,
    prior: float | None = None,
    discordant: float | None = 0.1,
    accuracy: float | None = None,
    trials: int = 1000,
    rng: RandomLike = 0,
) -> GatePlan:
    """Simulate how a gate will decide, for a quarter to sixteen times the number of cases.

    Parameters
    ----------
    difference
        By how much both TNR and TPR of the new model differ from those of the model in use, in (0, 1).
    cases
        How many cases both will be tried on.
    box, alpha, margin, costs
        As of :func:`gate`.
    tnr, tpr, prior
        The rates of right answers of the model in use, by default 0.8, and the share of positives, by default 0.5.
    discordant
        The share of cases, in [0, 1], of each class, that just one of the two gets right where they are equal; None for
        models that are tried on different cases, or of which only counts will be known.
    accuracy
        Of cases that are right or wrong, the share that the model in use gets right, in the place of ``tnr``, ``tpr``
        and ``prior``; the accuracy of the new model then differs by ``difference``.
    trials, rng
        How many gates are simulated per row and scenario, and their seed.

    Returns
    -------
    GatePlan
        The probabilities of the verdicts.

    Raises
    ------
    UsageError
        For rates that cannot be, or an alpha so small that it takes too many draws.

    See Also
    --------
    rankscape.gate

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.gate_plan(difference=0.05, cases=400, trials=100).table()["cases"]
    [100, 200, 400, 800, 1600, 3200, 6400]
    """
    difference = checked_share("difference", difference, "be a number above 0 and below 1, such as 0.02")
    cases, trials = checked_size("cases", cases), checked_size("trials", trials)
    alpha = checked_alpha(alpha)
    if discordant is not None:
        discordant = checked_share("discordant", discordant, "be a share in [0, 1]", ends=True)
    if accuracy is None:
        rates = {"tnr": 0.8 if tnr is None else tnr, "tpr": 0.8 if tpr is None else tpr,
                 "prior": 0.5 if prior is None else prior}  # fmt: skip
        tnr, tpr, prior = (checked_share(name, rate, "lie inside (0, 1)") for name, rate in rates.items())
        classes = [("tnr", tnr, 1 - prior), ("tpr", tpr, prior)]
    else:
        for name, rate in (("tnr", tnr), ("tpr", tpr), ("prior", prior)):
            if rate is not None:
                raise UsageError([Option(name), " would change nothing: ", Option("accuracy"), " has no classes"])
        tnr = tpr = prior = nan
        accuracy = checked_share("accuracy", accuracy, "lie inside (0, 1)")
        classes = [("accuracy", accuracy, 1.0)]
    box, share = checked_box(box, costs, "" if accuracy is None else "accuracy"), float(checked_margin(margin))
    draws = _draws_for(alpha, box)
    at_once = max(1, AT_ONCE * DRAWS // draws)
    scenarios = [_truth(sign * difference, classes, discordant) for sign in (1, 0, -1)]
    generator = checked_rng(rng)
    sizes = tuple(dict.fromkeys(max(1, round(cases * factor)) for factor in FACTORS))
    p_pass, p_worse = np.empty((len(sizes), 3)), np.empty((len(sizes), 3))
    for row, size in enumerate(sizes):
        for column, truth in enumerate(scenarios):
            parts = (min(at_once, trials - start) for start in range(0, trials, at_once))
            verdicts = [
                _verdicts(truth, size, box, alpha, share, discordant is not None, part, draws, generator)
                for part in parts
            ]
            p_pass[row, column], p_worse[row, column] = np.concatenate(verdicts, axis=1).mean(axis=1)
    return GatePlan(
        difference, sizes, p_pass, p_worse, alpha, share, box, tnr, tpr, prior, discordant, trials,
        given_seed(rng), accuracy,
    )  # fmt: skip


def _draws_for(alpha: float, box: Box) -> int:
    """Return how many draws tell an error of ``alpha``, and of its part for each corner; raise where too many."""
    corners = len(signs_of_draws(box, Rates(np.full((1, 2), 0.5), np.zeros((1, 2)), np.ones(1))))
    if alpha * MOST_DRAWS < corners:
        least = f"at least {corners / MOST_DRAWS:g} for this box"
        raise UsageError([Option("alpha"), " is too small for a plan"], expected=least, got=f"{alpha:g}")
    return max(DRAWS, ceil(corners / alpha))


def _truth(difference: float, classes: Sequence[tuple[str, float, float]], discordant: float | None) -> Floats:
    """Return the probabilities of the joint kinds of cases, (2 classes, 4): both right, only the new one, …

    ``classes`` are the rate of right answers of each, with its name, and its share; one alone is that of positives.
    """
    out = [[0.0] * 4] * (2 - len(classes))
    for name, rate, share in classes:
        new = rate + difference
        if discordant is None:
            kinds = [new * rate, new * (1 - rate), (1 - new) * rate, (1 - new) * (1 - rate)]
        else:
            apart = max(discordant, abs(difference))
            only_new, only_old = (apart + difference) / 2, (apart - difference) / 2
            kinds = [rate - only_old, only_new, only_old, 1 - rate - only_new]
        room: list[str | Option] = [
            Option(name, float(f"{rate:.6g}")),
            f" leaves no room for a difference of {abs(difference):g}",
        ]
        if not 0 < new < 1:
            raise UsageError(
                [*room, f", because that of the {'better' if difference > 0 else 'worse'} model would be {new:.6g}"],
                way_out=[["choose a smaller ", Option("difference")],
                         ["choose another ", Option(name, option="baseline")]],
            )  # fmt: skip
        if min(kinds) < 0:
            raise UsageError(
                [*room, f" with a share of {discordant:g} that just one of the two gets right"],
                way_out=[["choose a smaller ", Option("discordant")]],
            )
        out.append([share * kind for kind in kinds])
    return np.array(out)


def _verdicts(
    truth: Floats, cases: int, box: Box, alpha: float, margin: float, paired: bool, trials: int,
    draws: int, rng: np.random.Generator,
) -> Floats:  # fmt: skip
    """Return which of so many simulated gates pass, and which say worse: (2, trials)."""
    seen = rng.multinomial(cases, truth.ravel() / truth.sum(), trials).reshape(trials, 1, 2, 4).astype(np.float64)
    if paired:
        masses = rng.standard_gamma(np.broadcast_to(seen + HALF, (trials, draws, 2, 4)))
        both, only_new, only_old, neither = np.moveaxis(masses, 3, 0)
        odds = both + only_new + only_old + neither
        new, old = (both + only_new) / odds, (both + only_old) / odds
    else:
        right = np.stack([seen[..., :2].sum(axis=-1), seen[..., ::2].sum(axis=-1)], axis=3)
        total = seen.sum(axis=3)[..., None]
        beta = rng.beta(*np.broadcast_arrays(right + HALF, total - right + HALF, np.empty((trials, draws, 2, 2)))[:2])
        new, old = beta[..., 0], beta[..., 1]
        odds = rng.standard_gamma(np.broadcast_to(total[..., 0] + HALF, (trials, draws, 2)))
    rates = _pooled(new, old, rng)
    flat = [rate.reshape(-1, 2) for rate in rates]
    signs = signs_of_draws(box, Rates(flat[1], flat[0] - flat[1], (odds[..., 1] / odds[..., 0]).ravel()), margin)
    passing, worse, _ = shares_of(signs.reshape(len(signs), trials, draws))
    needed = np.array(needed_classes(box))
    enough = (seen.sum(axis=(1, 3)) >= 2)[:, needed].all(axis=1)
    passes, is_worse = passing >= 1 - alpha, worse >= 1 - alpha / len(signs)
    return np.stack([passes & enough, is_worse & enough & ~passes])


def _pooled(new: Floats, old: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return draws of rates (trials, draws, classes) of two models that learn from one another, as a ranking has them.

    That is by a normal approximation, for speed: a difference d with the standard error s becomes d·τ²/(τ² + s²), with
    the spread τ of such differences drawn from its posterior. Its prior is half-Cauchy, ``SCALE`` on the logit scale
    for the spread of one model.
    """
    gain = new - old
    low, centre, high = np.quantile(gain, [0.1587, 0.5, 0.8413], axis=1)
    error = np.maximum((high - low) / 2, TINY)
    level = np.clip((new + old).mean(axis=1) / 2, TINY, 1 - TINY)
    scale = SCALE * np.sqrt(2) * level * (1 - level)
    spread = SPREADS * error[..., None]
    total = spread**2 + error[..., None] ** 2
    weight = (
        logs(spread) - logs1p((spread / scale[..., None]) ** 2) - (logs(total) + centre[..., None] ** 2 / total) / 2
    )
    below = exps(weight - weight.max(axis=2, keepdims=True)).cumsum(axis=2)
    rows = np.arange(error.size).reshape(error.shape)
    ends = (below / below[..., -1:] + rows[..., None]).ravel()  # one row after the other, to be searched at once
    chosen = np.searchsorted(ends, rng.random(gain.shape) + rows[:, None]) % len(SPREADS)
    kept = (SPREADS**2 / (SPREADS**2 + 1))[chosen]
    pooled = kept * centre[:, None] + np.sqrt(kept) * (gain - centre[:, None])
    moved = (gain - pooled) / 2
    return np.clip(new - moved, 0, 1), np.clip(old + moved, 0, 1)
