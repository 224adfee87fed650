"""Who comes first under weights of the domains: under one or many, for which share, until when, and who ever does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice, pairwise
from math import gcd, inf, lcm
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._scores import Score
from .._scores.score import levels
from ..arrays import Flags, Floats, Integers
from ..errors import NoPlaceError
from ..floats import products
from ..kernels.exact import integers_of_fractions
from ..lines import Line, fall, share, walk
from ..outcomes import TWO_CLASS, SampleSpace, canonical_importance
from ..performances import Performances
from ..performances.averages import per_size, sizes_of
from .grid import Grid, earned_and_due, moved_to

Kind: TypeAlias = Literal["linear", "ratio", "other"]
"""How scores depend on the weights: linearly, as a ratio of two sums that are linear, or in another way."""

Ends: TypeAlias = "tuple[tuple[Fraction, Fraction], list[int], list[int]]"
"""The smallest and the largest weight with which the first stay so, and who is first below and above."""

GRID, HALVINGS = 1000, 40
"""Steps of a weight in which scores that are no ranking scores are compared, and how often one of them is halved."""

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
        return _largest(values)

    def ends(self, first: Sequence[int], d: int, weights: Sequence[Fraction]) -> Ends:
        """Return the ends of one weight within which the first stay so, the others in proportion, and who is beyond."""
        here, common = weights[d], lcm(*(weight.denominator for weight in weights))
        whole, sides = np.array([int(weight * common) for weight in weights], dtype=object), []
        for side in (self.earned, self.due):
            sides += [side @ whole - whole[d] * side[:, d], side[:, d] * (common - whole[d])]
        lines: list[Line] = list(zip(*sides, strict=True))
        high, above = fall(lines, first, here / (1 - here))
        if here == 0:
            return (Fraction(0), share(high)), [], above
        low, below = fall([(e1, e0, u1, u0) for e0, e1, u0, u1 in lines], first, (1 - here) / here)
        return (1 - share(low), share(high)), below, above


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
        masses = moved_to(grid.parts.sum(axis=1), self.prior)
        [level] = levels_of_masses(
            masses[[group[0] for group in self.members]][None], self.score, grid.performances.space
        )
        return np.flatnonzero((level == level.max()) & (level >= 0)).tolist()

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
        return _largest(values)

    def ends(self, first: Sequence[int], d: int, weights: Sequence[Fraction]) -> Ends:
        """Return the same as for ratios: the first change in steps, one of which is halved then."""
        here = weights[d]
        others = np.array([0.0 if c == d else float(w / (1 - here)) for c, w in enumerate(weights)])

        def end(side: int) -> tuple[Fraction, list[int]]:
            inner, outer, beyond = here, Fraction(side), list[int]()
            if side == here:
                return inner, beyond
            for count in (GRID, *[2] * HALVINGS):  # the side itself is not looked at: there scores may be undefined
                places = [inner + (outer - inner) * Fraction(k, count) for k in range(1, count + (count == 2))]
                points = np.array([(1 - float(t)) * others for t in places])
                points[:, d] = [float(t) for t in places]
                firsts = self.firsts(points)
                lost = np.flatnonzero(~firsts[:, list(first)].all(axis=1)).tolist()
                if not lost:
                    return Fraction(side), beyond
                inner, outer = places[lost[0] - 1] if lost[0] else inner, places[lost[0]]
                beyond = np.flatnonzero(firsts[lost[0]]).tolist()
            return inner, beyond

        (low, below), (high, above) = end(0), end(1)
        return (low, high), below, above


def _largest(values: Floats) -> Flags:
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


@dataclass(frozen=True)
class WeightFlip:
    """The weights of one domain for which the present winners stay first, with the others in proportion.

    At a weight of exactly 0 or 1 some scores may be undefined; there the ends are limits.

    Attributes
    ----------
    domain, weight
        The domain, and its present weight.
    ends
        The smallest and the largest weight, as fractions: exact where they are rational, else within 2⁻¹²⁸.
    below, above
        The names of those who come first beyond, () where nobody else does.

    See Also
    --------
    rankscape.domains.weightings
    """

    domain: str
    weight: Fraction
    ends: tuple[Fraction, Fraction]
    below: tuple[str, ...]
    above: tuple[str, ...]

    @property
    def low(self) -> float:
        """The smallest weight with which they stay first."""
        return float(self.ends[0])

    @property
    def high(self) -> float:
        """The largest weight with which they stay first."""
        return float(self.ends[1])

    @property
    def change(self) -> float:
        """The smallest change of the weight that puts another entity first; ∞ where none does."""
        changes = [self.weight - self.ends[0]] * bool(self.below) + [self.ends[1] - self.weight] * bool(self.above)
        return float(min(changes)) if changes else inf


Corner: TypeAlias = tuple[int, ...]
"""Weights of the domains, up to a factor."""


CORNERS: tuple[Corner, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def on_triangle(forms: Ratios) -> dict[int, tuple[Corner, ...]]:
    """Return the corners of the polygon of weightings of three domains for which each group is first, exactly.

    Scores are linear. Where it is a line or a point, the group is first there in ties only; it is empty for a group
    that is never first.
    """
    earned = [[int(x) for x in row] for row in forms.earned]
    groups = range(len(earned))
    best = [max(groups, key=[row[d] for row in earned].__getitem__) for d in range(3)]
    order = list(dict.fromkeys([*best, *sorted(groups, key=[-sum(row) for row in earned].__getitem__)]))
    out = {}
    for i in order:
        corners: tuple[Corner, ...] = CORNERS
        for k in order:
            if k != i and corners:
                corners = cut(corners, tuple(x - y for x, y in zip(earned[i], earned[k], strict=True)))
        out[i] = corners
    return out


def cut(corners: Sequence[Corner], normal: Sequence[int]) -> tuple[Corner, ...]:
    """Return the part of a convex polygon where normal·weights ≥ 0, a line or a point where it is no more than that.

    >>> cut(CORNERS, (1, -1, 0)), cut(CORNERS, (-1, -1, 0))
    (((1, 0, 0), (1, 1, 0), (0, 0, 1)), ((0, 0, 1),))
    """
    sides = [sum(x * y for x, y in zip(corner, normal, strict=True)) for corner in corners]
    kept: list[Corner] = []
    for t, (corner, side) in enumerate(zip(corners, sides, strict=True)):
        following, next_side = corners[(t + 1) % len(corners)], sides[(t + 1) % len(corners)]
        if side >= 0:
            kept.append(corner)
        if side * next_side < 0:
            crossed = [x * abs(next_side) + y * abs(side) for x, y in zip(corner, following, strict=True)]
            kept.append(tuple(x // gcd(*crossed) for x in crossed))
    return tuple(dict.fromkeys(kept))


def area(corners: Sequence[Corner]) -> Fraction:
    """Return the share of the triangle of weights that a convex polygon covers.

    >>> area(CORNERS), area(cut(CORNERS, (1, -1, 0)))
    (Fraction(1, 1), Fraction(1, 2))
    """
    places = [(Fraction(x, x + y + z), Fraction(y, x + y + z)) for x, y, z in (*corners, *corners[:1])]
    return abs(sum((x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise(places)), Fraction(0)))


def on_line(forms: Ratios) -> list[tuple[Fraction, Fraction, list[int]]]:
    """Return from which weight of the second of two domains to which one which groups are first, from 0 to 1.

    An irrational end is rounded, far beyond what a float holds.
    """
    lines: list[Line] = [(*map(int, e), *map(int, u)) for e, u in zip(forms.earned, forms.due, strict=True)]  # type: ignore[misc]
    return [
        (start / (1 + start), Fraction(1) if end is None else end / (1 + end), best)
        for start, end, best in walk(lines, Fraction(0))
    ]


def drawn(contest: Contest, draws: int, n: int, rng: Any) -> tuple[Integers, Floats]:
    """Draw weights of n domains, uniformly; return how often each group is first, and weights where it is, or NaN."""
    groups = len(contest.members)
    times, witnesses = np.zeros(groups, dtype=np.int64), np.full((groups, n), np.nan)
    for size in chunks(draws, contest.width):
        points = rng.standard_exponential((size, n))
        points /= points.sum(axis=1, keepdims=True)
        firsts = contest.firsts(points)
        times += firsts.sum(axis=0)
        new = np.flatnonzero(firsts.any(axis=0) & np.isnan(witnesses[:, 0]))
        witnesses[new] = points[firsts[:, new].argmax(axis=0)]
    return times, witnesses


Possibility: TypeAlias = Literal["yes", "in ties only", "no", "not seen"]
"""Whether an entity can come first for some weights of the domains, as far as it is known."""

Weights: TypeAlias = list[int]

BITS = 40
"""Bits to which weights in floats are rounded before they are verified."""

MOST_PROGRAMS, MOST_IN_ALL = 200, 2000
"""Linear programs that are solved for one entity whose scores are ratios, and for all of them together."""


def possibilities(forms: Ratios, witnesses: Mapping[int, Sequence[int]]) -> dict[int, Possibility]:
    """Return whether each group can come first, with a proof on integers but for those that are "not seen".

    ``witnesses`` are weights under which a group seems to come first; those that hold are proofs.
    """
    out: dict[int, Possibility] = {i: "yes" for i, weights in witnesses.items() if forms.first_at(weights) == [i]}
    here = np.flatnonzero((forms.due > 0).any(axis=0))  # elsewhere nothing that matters happens
    forms = Ratios(forms.earned[:, here], forms.due[:, here], forms.members)
    for alone in np.eye(len(here), dtype=int).tolist():
        best = forms.first_at(alone)
        for i in best:
            if out.get(i) != "yes":
                out[i] = "yes" if len(best) == 1 else "in ties only"
    rivals = {i for i, answer in out.items() if answer == "yes"}
    programs = iter(range(MOST_IN_ALL))
    for i in range(len(forms.members)):
        if out.get(i) == "yes":
            continue
        if not forms.due[i].any() or any(_dominates(forms, k, i) for k in rivals):
            out[i] = "no"
        else:
            answer = _linear(forms, i, {*rivals}) if forms.linear else _ratio(forms, i, {*rivals}, programs)
            if answer == "yes":
                rivals.add(i)
            out[i] = "in ties only" if answer == "not seen" and i in out else answer
    return out


def _dominates(forms: Ratios, k: int, i: int) -> bool:
    """Tell whether one is better than another under all weights, for all coefficients of a quadratic form say so."""
    if forms.linear:
        return bool((forms.earned[k] > forms.earned[i]).all())
    form = np.outer(forms.earned[k], forms.due[i]) - np.outer(forms.earned[i], forms.due[k])
    return bool((form + form.T > 0).all())


def _linear(forms: Ratios, i: int, known: set[int]) -> Possibility:
    """Decide for a group whose scores are linear: exact in all cases."""
    while True:
        sign, weights = game(forms.earned[i] - forms.earned[sorted(known)])
        if sign < 0:
            return "no"
        best = forms.first_at(weights)
        if i in best:
            return "yes" if best == [i] else "in ties only"
        known |= set(best)


def _ratio(forms: Ratios, i: int, known: set[int], programs: Iterator[int]) -> Possibility:
    """Search where a group comes first with a score from low to high, halving what cannot be ruled out.

    Then earned[i] ≥ low·due[i], and earned[k] ≤ high·due[k] for all others: a linear program.
    """
    scores = [Fraction(x, y) for x, y in zip(forms.earned[i].tolist(), forms.due[i].tolist(), strict=True) if y]
    least, most = min(scores), max(scores)
    common = least.denominator * most.denominator
    intervals = [(int(least * common), int(most * common), common)]  # low, high, and the denominator of both
    answer: Possibility = "no"
    for _ in islice(programs, MOST_PROGRAMS):
        low, high, per = intervals.pop(0)
        above, others = per * forms.earned[[i]] - low * forms.due[[i]], sorted(known)
        sign, weights = game(np.concatenate([above, high * forms.due[others] - per * forms.earned[others]]))
        if sign >= 0:
            best = forms.first_at(weights)
            if best == [i]:
                return "yes"
            if i in best:
                answer = "in ties only"
            known |= set(best) - {i}
            intervals += [(2 * low, low + high, 2 * per), (low + high, 2 * high, 2 * per)]
        if not intervals:
            return answer
    return "not seen" if answer == "no" else answer


def game(matrix: NDArray[Any]) -> tuple[int, Weights]:
    """Return the sign of max over weights ≥ 0 of the least row·weights, and weights that reach that sign.

    Weights and, for the other player, a mixture of rows prove the sign on integers: of the solution by HiGHS where it
    suffices, else of a simplex algorithm by hand, for a value of 0 needs exact weights, which SciPy cannot give.

    >>> (
    ...     game(np.array([[1, -1], [-1, 2]]))[0],
    ...     game(np.array([[0, -1]])),
    ...     game(np.array([[-1, -3], [-5, 1]]))[0],
    ... )
    (1, (0, [1, 0]), -1)
    """
    k, n = matrix.shape
    if not k:
        return 1, [1] * n
    from scipy.optimize import linprog  # slow to load

    matrix = matrix.astype(object)
    scale = np.maximum(np.abs(matrix).max(axis=1), 1)  # each row by itself: that changes no sign
    solved = linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.column_stack([-np.asarray(matrix / scale[:, None], dtype=np.float64), np.ones(k)]),
        b_ub=np.zeros(k),
        A_eq=np.append(np.ones(n), 0.0)[None],
        b_eq=np.ones(1),
        bounds=[*[(0, None)] * n, (None, None)],
        method="highs",
    )
    if solved.status == 0:
        weights, mixture = _rounded(solved.x[:-1]), _rounded(-solved.ineqlin.marginals) * (scale.max() << BITS) // scale
        if (matrix @ weights).min() > 0:
            return 1, weights.tolist()
        if (mixture @ matrix).max() < 0:
            return -1, weights.tolist()
    return _exactly(matrix)


def _rounded(weights: Floats) -> NDArray[Any]:
    return np.asarray(np.rint(weights.clip(0, 1) * 2.0**BITS).astype(np.int64).astype(object))


def _exactly(matrix: NDArray[Any]) -> tuple[int, Weights]:
    """Solve the game by the simplex algorithm on integers (Bland's rule), every division without remainder.

    All entries are raised above 0. Then max Σz with matrixᵀz ≤ 1, z ≥ 0 starts at z = 0, and 1/Σz is the value of the
    raised game; the optimal weights are the prices of the rows of this program.
    """
    k, n = matrix.shape
    rise = 1 - int(matrix.min())
    table = np.zeros((n + 1, k + n + 1), dtype=object)
    table[:n, :k] = matrix.T + rise
    table[:n, k : k + n] = np.eye(n, dtype=int)
    table[:n, -1] = 1
    table[n, :k] = -1
    basis, factor = list(range(k, k + n)), 1
    while (entering := np.flatnonzero(table[n, :-1] < 0)).size:
        column = int(entering[0])
        rows = [r for r in range(n) if table[r, column] > 0]
        row = min(rows, key=lambda r: (Fraction(table[r, -1], table[r, column]), basis[r]))
        pivot, kept = table[row, column], table[row].copy()
        table = (table * pivot - np.outer(table[:, column], kept)) // factor
        table[row] = kept
        factor, basis[row] = pivot, column
    value = factor - rise * table[n, -1]  # of the game, times Σz > 0
    return int(np.sign(value)), [int(x) for x in table[n, k : k + n]]


def levels_of_masses(masses: NDArray[Any], score: Score, space: SampleSpace) -> Integers:
    """Return the levels by a score of masses (m, entities, outcomes); −1 where undefined, or nothing is there."""
    out = np.full(masses.shape[:2], -1, dtype=np.int64)
    there = (masses > 0).any(axis=-1)
    if there.any():
        names = ("",) * int(there.sum())
        out[there], _ = levels(Performances.from_trusted(masses[there], names, None, space), score)
    return out
