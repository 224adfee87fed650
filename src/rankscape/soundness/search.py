"""The search for counterexamples: lattices and random members; what it finds is checked exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._scores import Score
from .._scores.score import levels
from .._scores.sets import SIMPLEX_STEPS, PerformanceSet
from ..errors import UsageError
from ..performances import Performances
from ..typing import Flags, Floats, Integers

Counterexample = tuple[tuple[int, ...], tuple[int, ...], Fraction | None]
STEPS = (2, 4, 6, 8, 10, 12, 16, 20, 24, 32)
"""Steps of the lattices, from coarse to fine, so that counterexamples have small numbers."""

N_RANDOM = 5000
NOISE = 1e-9
"""Of the usual spread of the values: differences of floats below this prove nothing."""

Examples = Mapping[str, tuple[Counterexample, str]]
"""A counterexample per test, and where it is from."""
HALF = Fraction(1, 2)
TESTS = ("quasiconvex", "quasiconcave", "domain")
MIXED = f"pairs of the lattices with up to {SIMPLEX_STEPS} steps, {N_RANDOM} random mixtures"
SEARCHED = dict.fromkeys(TESTS, MIXED) | {
    "axiom2": f"all pairs of the lattices with up to {STEPS[-1]} steps, {N_RANDOM} at random"
}
"""What was searched where nothing was found."""


@dataclass(frozen=True)
class Order:
    """The order that a score gives to performances: exact where the score has a rational formula, else in floats."""

    score: Score
    tolerance: float
    exact: bool

    @classmethod
    def of(cls, score: Score, among: PerformanceSet) -> Order:
        """Find out how a score can be compared on a set."""
        some = Performances.from_counts(np.concatenate([among.lattice().counts, among.random(200, _rng())]))
        if score.exact(some) is not None:
            return cls(score, 0.0, True)
        values = score(some)
        if not np.array_equal(values, score(some), equal_nan=True):
            raise UsageError(f"{score.name} is not a function of performances: called twice, it gave other values")
        values = values[~np.isnan(values)]
        if not len(values):
            return cls(score, NOISE, False)
        low, high = np.quantile(values, [0.25, 0.75])
        return cls(score, max(NOISE * (high - low), 1e-3 * NOISE * float(np.abs(values).max())), False)

    def keys(self, counts: NDArray[Any]) -> Floats:
        """Return numbers in the order of the score, larger where X is larger, NaN where it is undefined or outside."""
        flat = counts.reshape(-1, 4)
        inside = (flat >= 0).all(axis=1) & (flat > 0).any(axis=1)
        out = np.full(len(flat), np.nan)
        if inside.any():
            P = Performances.from_counts(flat[inside])
            if self.exact:
                level, _ = levels(P, replace(self.score, direction="larger"))
                out[inside] = np.where(level < 0, np.nan, level)
            else:
                out[inside] = self.score(P)
        return out.reshape(counts.shape[:-1])


def _rng() -> np.random.Generator:
    return np.random.default_rng(0)


def reduced(counts: Any) -> tuple[int, ...]:
    """Return the smallest whole numbers of the same performance.

    >>> reduced([6, 0, 2, 4])
    (3, 0, 1, 2)
    """
    whole = [int(k) for k in counts]
    divisor = gcd(*whole)
    return tuple(k // divisor for k in whole)


def mixture(first: Any, second: Any, weight: Fraction) -> tuple[int, ...]:
    """Return counts of the mixture of two performances given by counts, ``weight`` being that of the first.

    >>> mixture((1, 0, 0, 1), (0, 2, 0, 2), Fraction(1, 2))
    (1, 1, 0, 2)
    """
    n1, n2 = sum(map(int, first)), sum(map(int, second))
    w, v = weight.numerator, weight.denominator - weight.numerator
    return reduced([w * n2 * int(x) + v * n1 * int(y) for x, y in zip(first, second, strict=True)])


def _margin(test: str, low: Floats, middle: Floats, high: Floats) -> Floats:
    """By how much a mixture is above the larger, or below the smaller, of what it mixes; NaN where one is undefined."""
    if test == "quasiconvex":
        return np.asarray(middle - np.maximum(low, high))
    if test == "quasiconcave":
        return np.asarray(np.minimum(low, high) - middle)
    return np.where(np.isnan(middle) & ~np.isnan(low) & ~np.isnan(high), np.inf, np.nan)


def holds_against(order: Order, test: str, example: Counterexample) -> bool:
    """Tell whether a counterexample to a test is one: exactly, or, of floats, by more than their noise."""
    first, second, weight = example
    if weight is None:
        low, high = order.keys(np.array([first, second], dtype=np.int64))
        return bool(abs(low - high) > order.tolerance)
    rows = np.array([first, mixture(first, second, weight), second], dtype=np.int64)
    low, middle, high = order.keys(rows)
    return bool(_margin(test, low, middle, high) > order.tolerance)


def axiom_2(order: Order, among: PerformanceSet, better: int) -> tuple[Counterexample, str] | None:
    """Return performances (P₁, P₂), P₁ better although it surely satisfies no more than P₂, and where they were found.

    With satisfactions 0 and 1, that is P₁ without satisfaction, or P₂ with nothing else. ``better`` is +1 where larger
    values are better, −1 where smaller ones are. None if none is found. (Foundations, Axiom 2.)
    """
    for where, counts in _members(among):
        keys = better * order.keys(counts)
        counts, keys = counts[~np.isnan(keys)], keys[~np.isnan(keys)]
        never = np.flatnonzero((counts[:, 0] == 0) & (counts[:, 3] == 0))
        always = np.flatnonzero((counts[:, 1] == 0) & (counts[:, 2] == 0))
        for first, second in ((never, np.arange(len(keys))), (np.arange(len(keys)), always)):
            if len(first) and len(second):
                i, j = first[keys[first].argmax()], second[keys[second].argmin()]
                if keys[i] > keys[j] + order.tolerance:
                    return (reduced(counts[i]), reduced(counts[j]), None), where
    return None


def _members(among: PerformanceSet) -> Iterator[tuple[str, Integers]]:
    """Members of the set: lattices, then some at random, many of which never, or always, satisfy."""
    for steps in STEPS:
        counts = among.grid(steps).reshape(-1, 4)
        yield f"on the lattice of 1/{steps}", counts[(counts >= 0).all(axis=1)]
    some = among.random(N_RANDOM, _rng())
    if among.fixed is None:
        ends = np.concatenate([some * (0, 1, 1, 0), some * (1, 0, 0, 1)])
    else:  # one that never does, and one that always does
        ends = among.grid(1).reshape(-1, 4)
    yield "at random", np.concatenate([some, ends[ends.any(axis=1)]])


def mixtures(order: Order, among: PerformanceSet, tests: tuple[str, ...]) -> dict[str, tuple[Counterexample, str]]:
    """Return counterexamples (P₁, P₂, weight) to the tests, as far as there are any, and where each was found."""
    refuted: dict[str, tuple[Counterexample, str]] = {}
    for examples in chain(_on_lattices(order, among, tests, refuted), _at_random(order, among)):
        for test, (example, where) in examples.items():
            if test in tests and test not in refuted and holds_against(order, test, example):
                refuted[test] = example, where
        if len(refuted) == len(tests):
            break
    return refuted


def _on_lattices(order: Order, among: PerformanceSet, tests: tuple[str, ...], refuted: Examples) -> Iterator[Examples]:
    """Look at every pair of points of a lattice whose middle is a point of it."""
    for steps in STEPS:
        grid = among.grid(steps)
        keys, counts = order.keys(grid).ravel(), grid.reshape(-1, 4)
        low, high, offset = _pairs(~np.isnan(keys).reshape(grid.shape[:-1]))
        middle = (low + high) // 2
        best: dict[str, tuple[int, Counterexample]] = {}
        for test in [test for test in tests if test not in refuted]:
            margin = _margin(test, keys[low], keys[middle], keys[high])
            hits = np.flatnonzero(margin > order.tolerance)
            hits = hits[np.lexsort((low[hits], -margin[hits], offset[hits]))]
            for k in hits[np.unique(offset[hits], return_index=True)[1]]:  # the widest margin of each offset
                pair = reduced(counts[low[k]]), reduced(counts[high[k]])
                size = sum(pair[0]) + sum(pair[1])
                if test not in best or size < best[test][0]:
                    best[test] = size, (*pair, HALF)
        yield {test: (example, f"on the lattice of 1/{steps}") for test, (_, example) in best.items()}


def _pairs(defined: Flags) -> tuple[Integers, Integers, Integers]:
    """Return the pairs of defined points of a grid whose middle is on it, as flat indices, and a number per offset.

    >>> [part.tolist() for part in _pairs(np.array([True, True, True, False]))]
    [[0], [2], [2]]
    """
    points = np.argwhere(defined)
    flat: NDArray[Any] = np.flatnonzero(defined).astype(np.int32)
    alike = (points % 2) @ (1 << np.arange(defined.ndim))
    code = (points @ ((2 * len(defined)) ** np.arange(defined.ndim)[::-1])).astype(np.int32)
    pairs = []
    for parity in np.unique(alike):
        members = np.flatnonzero(alike == parity)
        first, second = np.triu_indices(len(members), 1)
        pairs.append((members[first].astype(np.int32), members[second].astype(np.int32)))  # there are millions
    low, high = map(np.concatenate, zip(*pairs, strict=True)) if pairs else (flat, flat)
    return flat[low], flat[high], code[high] - code[low]


def _at_random(order: Order, among: PerformanceSet) -> Iterator[Examples]:
    rng = _rng()
    first, second = among.random(N_RANDOM, rng), among.random(N_RANDOM, rng)
    weights = [Fraction(int(k), 8) for k in rng.integers(1, 8, N_RANDOM)]
    mixed = np.array([mixture(*row) for row in zip(first, second, weights, strict=True)], dtype=np.int64)
    keys = order.keys(np.stack([first, mixed, second]))
    examples = {}
    for test in TESTS:
        margin = np.nan_to_num(_margin(test, *keys), nan=-np.inf)
        k = int(margin.argmax())
        if margin[k] > order.tolerance:
            examples[test] = (reduced(first[k]), reduced(second[k]), weights[k]), "at random"
    yield examples
