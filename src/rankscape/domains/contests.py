"""Who comes first under given weights of the domains: exactly for one weighting, in floats for many at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._scores import Score
from .._scores.score import levels
from ..arrays import Flags, Floats
from ..errors import NoPlaceError
from ..floats import products
from ..kernels.exact import integers_of_fractions
from ..outcomes import TWO_CLASS, canonical_importance
from ..performances import Performances
from ..performances.averages import per_size, sizes_of
from .grid import Grid, earned_and_due
from .shift import moved_to

Kind: TypeAlias = Literal["linear", "ratio", "other"]
"""How scores depend on the weights: linearly, as a ratio of two sums that are linear, or in another way."""

AT_ONCE = 4_000_000
"""Numbers that are computed at once: points × entities."""


@dataclass(frozen=True, eq=False)
class Ratios:
    """Scores Σ w_d·earned[i, d] / Σ w_d·due[i, d] of groups of entities that are equal under all weights.

    ``earned`` and ``due`` (groups, domains) are integers, up to a factor per group; ``members`` are the rows of the
    entities of each group. An entity without anything due has no score. ``linear`` says that the denominators are the
    same for all: then the numerators alone decide.
    """

    earned: NDArray[Any]
    due: NDArray[Any]
    members: tuple[tuple[int, ...], ...]

    @cached_property
    def linear(self) -> bool:
        """Whether what is due is the same for all, on every domain; factors are chosen so that this shows."""
        return bool((self.due == self.due[:1]).all())

    @property
    def width(self) -> int:
        """How many numbers are computed for each weighting."""
        return len(self.members)

    @property
    def kind(self) -> Kind:
        """How the scores depend on the weights."""
        return "linear" if self.linear else "ratio"

    def first_at(self, weights: Sequence[int] | Sequence[Fraction]) -> list[int]:
        """Return the groups that come first under weights of the domains, exactly; none where no score is defined."""
        w = integers_of_fractions(np.array([[Fraction(x) for x in weights]], dtype=object))[0]
        earned, due = (np.asarray(side @ w).tolist() for side in (self.earned, self.due))
        best: list[int] = []
        for i, (top, bottom) in enumerate(zip(earned, due, strict=True)):
            if bottom == 0:
                continue
            ahead = 1 if not best else top * due[best[0]] - earned[best[0]] * bottom
            if ahead > 0:
                best = [i]
            elif ahead == 0:
                best.append(i)
        return best

    @cached_property
    def _in_floats(self) -> tuple[Floats, Floats, Floats]:
        """Both sides as floats, up to a factor per group, and the scores of those that always have the same, else NaN.

        Scores that are always the same tie exactly with others like them, so they must not be rounded differently.
        """
        largest = self.due.max(axis=1, keepdims=True)
        scale = np.where(largest == 0, 1, largest)
        earned, due = (np.asarray(side / scale, dtype=np.float64) for side in (self.earned, self.due))
        values = (constant(top, bottom) for top, bottom in zip(self.earned.tolist(), self.due.tolist(), strict=True))
        return earned, due, np.array([np.nan if value is None else float(value) for value in values])

    def firsts(self, points: Floats) -> Flags:
        """Return which groups come first (points, groups) under weights (points, domains), in floats."""
        earned, due, always = self._in_floats
        bottom = products(due, points.T).T
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.where(np.isnan(always), products(earned, points.T).T / bottom, always)
        values = np.where(bottom > 0, values, -np.inf)
        best = values.max(axis=1, keepdims=True)
        return np.asarray((values == best) & (best > -np.inf))


@dataclass(frozen=True, eq=False)
class Others:
    """Scores that are no ratio of sums that are linear in the weights, or are compared at a shifted prior."""

    grid: Grid
    score: Score
    prior: Fraction | None

    kind: Kind = "other"

    @property
    def width(self) -> int:
        """How many numbers are computed for each weighting."""
        return len(self.members) * len(self.score.space)

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The rows of the entities of each group: those with the same masses on all domains are one."""
        groups: dict[bytes, list[int]] = {}
        for e, mass in enumerate(self._masses):
            groups.setdefault(mass.tobytes(), []).append(e)
        return tuple(map(tuple, groups.values()))

    @cached_property
    def _masses(self) -> Floats:
        """The masses (entities, domains, outcomes); 0 where an entity lacks a domain."""
        grid = self.grid
        mass = per_size(grid.performances.mass, grid.performances.space)
        return np.asarray(np.where(grid.rows[..., None] >= 0, mass[grid.rows], 0.0) + 0.0)

    def first_at(self, weights: Sequence[int] | Sequence[Fraction]) -> list[int]:
        """Return the groups that come first under weights of the domains; exactly where the score allows it."""
        grid = replace(self.grid, weights=tuple(Fraction(w) / sum(map(Fraction, weights)) for w in weights))
        parts = moved_to(grid.parts.sum(axis=1), self.prior)
        there = [group for group in range(len(self.members)) if (parts[self.members[group][0]] > 0).any()]
        if not there:
            return []
        rows = [self.members[group][0] for group in there]
        level, _ = levels(grid.summary(parts[rows], rows), self.score)
        return [group for group, here in zip(there, level.tolist(), strict=True) if here == level.max() >= 0]

    def firsts(self, points: Floats) -> Flags:
        """Return which groups come first (points, groups) under weights (points, domains), in floats."""
        rows = [group[0] for group in self.members]
        masses = np.zeros((len(points), len(rows), len(self.score.space)))
        for weights, of_domain in zip(points.T, self._masses[rows].transpose(1, 0, 2), strict=True):
            masses += weights[:, None, None] * of_domain
        masses = moved_to(masses, self.prior)
        there = (masses > 0).any(axis=-1)
        values = np.full(there.shape, -np.inf)
        if there.any():
            names = ("",) * int(there.sum())
            of_points = self.score(Performances.from_trusted(masses[there], names, None, self.score.space))
            of_points = -of_points if self.score.direction == "smaller" else of_points
            values[there] = np.where(np.isnan(of_points), -np.inf, of_points)
        best = values.max(axis=1, keepdims=True)
        return np.asarray((values == best) & (best > -np.inf))


Contest: TypeAlias = "Ratios | Others"


def contest_of(grid: Grid, score: Score, prior: Fraction | None) -> Contest:
    """Return how the entities compare under any weights of the domains, their averages shifted to a prior if given."""
    score.check(grid.performances)
    importance = None if prior is not None else _importance(grid, score)
    return Others(grid, score, prior) if importance is None else _ratios(grid, importance)


def chunks(points: int, width: int) -> Iterator[int]:
    """Yield how many points to take at a time, so that not too many numbers are computed at once."""
    step = max(1, AT_ONCE // max(width, 1))
    for start in range(0, points, step):
        yield min(step, points - start)


def constant(earned: Sequence[int], due: Sequence[int]) -> Fraction | None:
    """Return the score that an entity has under all weights, None where it depends on them or is undefined.

    >>> constant([1, 2, 0], [2, 4, 0]), constant([1, 2], [2, 2])
    (Fraction(1, 2), None)
    """
    scores = {Fraction(top, bottom) for top, bottom in zip(earned, due, strict=True) if bottom}
    return scores.pop() if len(scores) == 1 else None


def _importance(grid: Grid, score: Score) -> NDArray[Any] | None:
    """Return the importance of the ranking score that orders as the score does, under all weights; None without one."""
    performances = grid.performances[np.unique(grid.rows[grid.rows >= 0])]
    importance: Any = score.importance or score.orders_as
    if importance is None and score.space.outcomes == TWO_CLASS.outcomes and score.direction is not None:
        tn, fp, fn, tp = performances.integers.T
        priors = {Fraction(int(a), int(b)) for a, b in zip(fn + tp, tn + fp + fn + tp, strict=True)}
        if len(priors) == 1:  # the same under all weights
            with suppress(NoPlaceError):
                a, b = score.exact_place(priors.pop())
                importance = canonical_importance(np.array(a, dtype=object), np.array(b, dtype=object))
    if importance is None or score.space.satisfaction is None:
        return None
    weights = np.array([Fraction(weight) for weight in importance], dtype=object)
    if score.importance is None:  # it must be undefined where the ranking score is, and nowhere else
        due = (performances.mass * (weights > 0)).sum(axis=1) > 0
        if (np.isnan(score(performances)) == due).any():
            return None
    return weights


def _ratios(grid: Grid, importance: NDArray[Any]) -> Ratios:
    """Return what is earned and due, as integers; entities that are equal under all weights are one group."""
    sides = earned_and_due(importance, grid.performances.space)
    integers = grid.performances.integers
    totals = sizes_of(integers, grid.performances.space).tolist()
    earned, due = (np.asarray((integers * side).sum(axis=1)).tolist() for side in sides)
    rows = [[r for r in row if r >= 0] for row in grid.rows.T.tolist()]
    alike = all(len(row) == len(grid.entities) for row in rows)
    alike = alike and all(due[r] * totals[row[0]] == due[row[0]] * totals[r] for row in rows for r in row)
    common = lcm(*totals) if alike else 0  # one factor for all, so that equal denominators are equal integers
    groups: dict[Any, list[int]] = {}
    for e, row in enumerate(grid.rows.tolist()):
        factor = common or lcm(*(totals[r] for r in row if r >= 0))
        top, bottom = ([side[r] * (factor // totals[r]) if r >= 0 else 0 for r in row] for side in (earned, due))
        groups.setdefault(_function(top, bottom, alike), []).append(e)
    members = tuple(map(tuple, groups.values()))
    numbers = np.array(list(groups), dtype=object).reshape(len(groups), 2, len(grid.domains))
    return Ratios(numbers[:, 0], numbers[:, 1], members)


def _function(earned: list[int], due: list[int], alike: bool = False) -> tuple[int, ...]:
    """Return numbers, earned before due, that entities share whose scores are equal under all weights, and no others.

    Ratios of linear forms are the same function where both forms are proportional, or where both are the same number.
    With ``alike`` denominators there is one factor for all, so the numbers stay.

    >>> _function([1, 2], [2, 4]), _function([3, 0], [6, 0]), _function([2, 4], [4, 6])
    ((1, 1, 2, 2), (1, 0, 2, 0), (1, 2, 2, 3))
    """
    if alike:
        return (*earned, *due)
    value = constant(earned, due)
    if value is not None and all(due):
        return (value.numerator,) * len(due) + (value.denominator,) * len(due)
    divisor = gcd(*earned, *due) or 1
    return tuple(x // divisor for x in (*earned, *due))
