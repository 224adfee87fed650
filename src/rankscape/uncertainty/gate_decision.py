"""The verdict of a gate: both error rates, what is in the way of a verdict, and how many further cases bring one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil, inf, isnan, nan, sqrt
from typing import NamedTuple

import numpy as np

from .._scores import ranking_score
from ..checks import LARGEST_SIZE
from ..outcomes import canonical_importance
from ..performances import Performances
from ..texts import counted, label
from ..typing import Verdict
from .box import Box, Worst, needed_classes, signs_of_draws, undefined_in, worst_in
from .defaults import FEW
from .gate_costs import Expenses, expenses
from .gate_draws import Pair, rates_of
from .gate_inputs import Sides
from .methods import phrase
from .special import ndtri

MOST_TIMES = 2**20
"""How many times as many cases are tried at most."""

TELLING = 10
"""Draws of the rarer kind that tell how rare it is: of fewer, the normal distribution tells how many cases it takes."""

ROUNDING = 1e-12
"""Differences that are no larger may come from rounding where probabilities are floats; then they count as ties."""

CLASS_NAMES = ("negative", "positive")


class Decision(NamedTuple):
    """What a gate finds: see the fields of the same names of ``Gate``."""

    verdict: Verdict
    probability: float
    p_worse: float
    p_worse_needed: float
    worst: Worst
    new_value: float
    old_value: float
    allowed: float
    prior: float | None
    sample_size_factor: float
    more_cases: float
    more_discordant: float
    method: str
    undefined: bool
    p_undefined: float
    reason: str
    notes: tuple[str, ...]
    expenses: Expenses


class Votes(NamedTuple):
    """Shares of draws: nowhere in the box worse; worse at the corner where most are; undefined somewhere."""

    probability: float
    p_worse: float
    p_undefined: float

    def verdict(self, alpha: float, corners: int) -> Verdict:
        """Return the verdict, each of whose errors has at most about the probability ``alpha``."""
        if self.probability >= 1 - alpha:
            return "pass"
        return "worse" if self.p_worse >= 1 - alpha / corners else "undecided"


def votes_of(pair: Pair, box: Box, margin: float, draws: int, seed: int, times: float = 1.0) -> tuple[Votes, int]:
    """Return the votes of draws as if of so many times the units, and the number of corners.

    A draw in which a score is undefined at a corner votes neither to pass nor, there, for worse.
    """
    lost = np.array([0.0, margin]) if pair.side else margin  # of unknown true negatives none can be lost
    signs = signs_of_draws(box, rates_of(pair, draws, seed, times), lost)
    if pair.copies and not margin:  # nothing says which is which, so that a draw counts either way, as in a ranking
        other_way = np.where(np.isnan(signs), np.nan, np.where(signs < 0, 1.0, -1.0))  # a tie is shared
        signs = np.concatenate([signs, other_way], axis=1)
    undefined = np.isnan(signs).any(axis=0)
    with np.errstate(invalid="ignore"):
        passing, worse = (signs >= 0).all(axis=0), (signs < 0).mean(axis=1)
    return Votes(float(passing.mean()), float(worse.max()), float(undefined.mean())), len(signs)


def decision_on(sides: Sides, box: Box, alpha: float, margin: Fraction, domains: int) -> Decision:
    """Decide on two models, one of ``domains`` comparisons that are made at once."""
    if box.prior is not None:
        for performance in sides.observed:
            performance.shift_priors(0.5)  # raises where a class has no case
    new, old, prior, notes = _at_one_prior(sides, box)
    prior = None if box.successes else prior
    allowed = less(old, *margin.as_integer_ratio())
    worst = worst_in(box, new, allowed) if sum(new) else Worst(Fraction(0), box.a[0], box.b[0], None)
    if any(not performance.of_integers for performance in sides.observed) and 0 < abs(worst.difference) <= ROUNDING:
        worst = replace(worst, difference=Fraction(0))
        notes += ("Tied within rounding: the probabilities are floats, and differ by less than 1e-12",)
    undefined = not sum(new) or undefined_in(box, new) or undefined_in(box, allowed)
    new_value, old_value, allowed_value = (_value(row, worst) for row in (new, old, allowed))
    pair, reason = sides.pair, ""
    votes, corners = Votes(nan, nan, nan), 1
    if pair is not None:
        votes, corners = votes_of(pair, box, float(margin), sides.draws, sides.seed)
        reason = _in_the_way(sides, pair, box, margin) or too_few_draws(sides.draws, alpha, corners * domains, votes)
        if votes.p_undefined == 1:  # of so few units no draw is defined
            votes = Votes(nan, nan, 1.0)
    if undefined:
        reason = "a score is undefined somewhere in the box, by what was seen"
        if not sum(new):
            reason = f"{label(sides.observed[0].names[0])} lacks a class that the model in use has"
    if pair is None and sides.successes:
        reason = reason or "these are no counts, and no table has the grades of both models on the same cases"
    elif pair is None:
        reason = reason or "these are probabilities, not counts, which do not say how many cases they come from"
    verdict = "undecided" if reason else votes.verdict(alpha, corners * domains)
    times = more = discordant = nan
    if verdict == "undecided" and pair is not None and (not reason or pair.alike) and not undefined:
        times = inf
        if worst.difference != 0 and not pair.alike:
            times = _needed(
                lambda s: votes_of(pair, box, float(margin), sides.draws, sides.seed, s)[0], votes,
                (alpha, alpha / (corners * domains)), sides.draws,
            )  # fmt: skip
        more, discordant = (
            inf if times == inf else float(ceil(cases * (times - 1))) if not isnan(cases) else nan
            for cases in (float(pair.total[:, 0, pair.side :].sum()), pair.discordant)
        )
        discordant = discordant if pair.kinds else nan
        if pair.unit == "domains":  # more cases on the same domains would not help
            more = discordant = nan
    return Decision(
        verdict, votes.probability, votes.p_worse, 1 - alpha / (corners * domains), worst, new_value, old_value,
        allowed_value, prior, times, more, discordant, _method(pair), undefined, votes.p_undefined, reason,
        (*sides.notes, *notes), expenses(box, (new, old), pair, sides.draws, sides.seed, alpha),
    )  # fmt: skip


def _at_one_prior(sides: Sides, box: Box) -> tuple[list[int], list[int], float | None, tuple[str, ...]]:
    """Return both measures at the prior of the model in use, that prior, and a note where they differ.

    The new one is all 0 where it lacks a class that the other one has. A prior in the box decides otherwise.
    """
    new, old = ([int(x) for x in performance.integers[0]] for performance in sides.observed)
    if sides.side:
        return new, old, None, ()
    if box.prior is not None:
        return new, old, float(box.prior[0]) if box.prior[0] == box.prior[1] else None, ()
    priors = [Fraction(sum(row[2:]), sum(row)) for row in (new, old)]
    if priors[0] == priors[1]:
        return new, old, float(priors[1]), ()
    moved = _shifted(new, old)
    before, after = (f"{float(prior):.4g}" for prior in priors)
    if abs(priors[0] - priors[1]) <= ROUNDING:
        return moved, old, float(priors[1]), ()
    names = [label(performance.names[0]) for performance in sides.observed]
    note = (
        f"The priors (shares of positives) differ: {before} for {names[0]}, {after} for {names[1]}. Both are compared "
        "at that of the model in use; a prior in the box would state another"
    )
    return moved, old, float(priors[1]), (note,)


def _shifted(row: list[int], to: list[int]) -> list[int]:
    """Return a measure at the prior of another one; all 0 where it lacks a class that this has.

    >>> _shifted([8, 0, 1, 1], [3, 0, 1, 0]), _shifted([8, 2, 0, 0], [3, 0, 1, 0])
    ([48, 0, 8, 8], [0, 0, 0, 0])
    """
    (negative, positive), (to_negative, to_positive) = ((sum(each[:2]), sum(each[2:])) for each in (row, to))
    if (to_negative and not negative) or (to_positive and not positive):
        return [0, 0, 0, 0]
    factors = to_negative * (positive or 1), to_positive * (negative or 1)
    return [x * factors[place // 2] for place, x in enumerate(row)]


def _in_the_way(sides: Sides, pair: Pair, box: Box, margin: Fraction) -> str:
    """Say why nothing can be decided, whatever the draws say; or nothing."""
    if sides.draws < FEW:
        return f"{counted(sides.draws, 'draw')} cannot tell how sure this is; at least {FEW} are needed"
    cases, units = pair.cases.sum(axis=0), pair.units()
    what = {"cases": "case", "clusters": "cluster", "domains": "domain"}[pair.unit]
    names = ("",) if box.successes else CLASS_NAMES
    for c, needed in enumerate((True,) if box.successes else needed_classes(box)):
        if not needed or (pair.side and c == 0):
            continue
        if not cases[c]:
            return f"no {names[c]} case was seen"
        each = pair.unit == "cases" and not pair.graded
        here = units.sum(axis=0)[c] if each else units[units[:, c] > 0, c].min()
        if here < 2:
            on = " on a domain" if not each and pair.unit != "domains" and len(pair.weights) > 1 else ""
            which = f"one {names[c]} case" if what == "case" else f"one {what} with {names[c]} cases"
            which = f"one {what}" if box.successes else which
            return f"only {which} was seen{on}, and one {what} does not say what others would show"
    if pair.alike and not margin:
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


def _method(pair: Pair | None) -> str:
    return "no counts, so no draws" if pair is None else phrase(pair.evidence, "exchangeable")


def less(row: list[int], lost: int, whole: int = 1) -> list[int]:
    """Return a measure less the share lost/whole of its right answers, which become errors of the same class.

    >>> less([90, 3, 2, 50], 1, 10)
    [810, 120, 70, 450]
    """
    tn, fp, fn, tp = row
    return [tn * (whole - lost), fp * whole + tn * lost, fn * whole + tp * lost, tp * (whole - lost)]


def _needed(votes_at: Callable[[float], Votes], now: Votes, alphas: tuple[float, float], draws: int) -> float:
    """Return about how many times as many cases it takes, within some percent; ∞ where too many.

    ``alphas`` are the probabilities of errors that are allowed of "pass", and of "worse" at a corner. Where the draws
    are too few to tell so rare an error, the cases are sought for one that they can tell, and more of them in the ratio
    of the squares of the normal quantiles.
    """
    levels = [max(alpha, TELLING / draws) for alpha in alphas]

    def missing(times: float) -> float:
        """Return the factor that is still missing of so many times the cases; ∞ where the draws do not tell."""
        votes = now if times == 1 else votes_at(times)
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


def _value(row: list[int], worst: Worst) -> float:
    """Return the canonical score of a measure at the worst place."""
    if not sum(row):
        return nan
    seen = Performances.from_exact([row])
    shifted = seen if worst.prior is None else seen.shift_priors(float(worst.prior))
    return float(ranking_score(shifted, canonical_importance(float(worst.a), float(worst.b)))[0])
