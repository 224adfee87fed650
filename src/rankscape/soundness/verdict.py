"""The verdict on a score: three tests, each proved, refuted by a counterexample, or not refuted by a stated search.

Counterexamples are sought on lattices and among random members; what is found is checked exactly. Beside the verdict
stand the least and the largest rank correlation of a score with all ranking scores, by a search from coarse to fine.
Where R_{a,b} ties the same performances as X the correlation jumps, at a point of the Tile only: accuracy has τ = 1
with itself, at (1/2, 1/2), and less all around. The search of the paper avoids such places; the other one looks there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, product
from math import gcd, inf, lcm, nan
from typing import Any, ClassVar, Final, Literal

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, score
from .._scores.catalogue import ROWS
from .._scores.score import Proof, levels, place_of_importance, proved, ranking_proof
from .._scores.sets import SIMPLEX_STEPS, PerformanceSet
from ..errors import UsageError
from ..kernels.maps import tau_b_map
from ..ordering import NEIGHBORS
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..results import Result, Table
from ..typing import Direction, Flags, Floats, Integers

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


# The verdict, and the rank correlations

PROVED: Final = "proved"
REFUTED: Final = "refuted"
OPEN: Final = "not refuted"
Status = Literal["proved", "refuted", "not refuted"]
LONGEST_LINE = 120
"""Characters of a line of a printed verdict."""

VERDICTS = {PROVED: "sound for ranking", REFUTED: "NOT sound for ranking", OPEN: "undecided: nothing was refuted"}
TITLES = {
    "axiom2": "what surely satisfies less is not better (Axiom 2)",
    "quasiconvex": "no mixture above what it mixes (quasi-convex)",
    "quasiconcave": "no mixture below what it mixes (quasi-concave)",
    "domain": "no mixture undefined (domain closed)",
}


@dataclass(frozen=True)
class Finding:
    """What is known of one property of a score.

    Attributes
    ----------
    status
        "proved", "refuted" by a counterexample, or "not refuted" by the search made.
    how
        The proof, or what was searched.
    counterexample
        (P₁, P₂, weight of P₁), counts in the order tn, fp, fn, tp that are normalized before they are mixed; the weight
        is None where nothing is mixed.
    evidence
        What the counterexample shows, in numbers.

    See Also
    --------
    rankscape.soundness.Audit

    Examples
    --------
    >>> import rankscape as rs
    >>> finding = rs.audit("fmi", statistic=None).quasiconcave
    >>> finding.status, finding.holds, finding.counterexample
    ('refuted', False, ((0, 0, 1, 1), (0, 1, 0, 1), Fraction(1, 2)))
    """

    status: Status
    how: str
    counterexample: Counterexample | None = None
    evidence: str = ""

    @property
    def holds(self) -> bool:
        """Whether the property is not refuted."""
        return self.status != REFUTED


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Result):
    """Whether a score may be used to rank a set of performances, and which sound score is most like it.

    Quasi-convexity and -concavity are those of X itself, whatever ``better`` says. (Foundations, 5.2 and A.7.2.)

    Attributes
    ----------
    score, among, better
        The score, the set of performances, and which values are better.
    axiom2
        What surely satisfies less is not better.
    quasiconvex, quasiconcave
        No mixture has a value above the largest of what it mixes; none below the smallest.
    domain
        No mixture is undefined where what it mixes is defined.
    importance
        The importance (tn, fp, fn, tp) of the ranking score with the same order, where there is a proof.
    tau_min, tau_max
        The least and largest correlation with a ranking score R_{a,b}, those of −X where smaller is better.
    at_min, at_max
        The places where they are.
    exact_end
        "min" or "max" where that correlation is proved to be −1 or 1, else None.
    statistic, n
        The correlation, and the number of performances of the lattice.
    lattice
        The lattice on which the extremes are, in words.
    closest
        The best-known sound score that orders most alike.
    exact
        Whether the order was decided on integers.
    sound_if
        "smaller" or "larger" where the score is refuted only because the other direction was taken.

    See Also
    --------
    rankscape.audit

    Examples
    --------
    >>> import rankscape as rs
    >>> verdict = rs.audit("ba", priors=0.2, statistic=None)
    >>> verdict.status, [str(weight) for weight in verdict.importance]
    ('proved', ['1/5', '1/5', '4/5', '4/5'])
    """

    worded: ClassVar[bool] = True

    score: Score
    among: PerformanceSet
    better: Direction
    axiom2: Finding
    quasiconvex: Finding
    quasiconcave: Finding
    domain: Finding
    importance: tuple[Fraction, ...] | None
    tau_min: float
    tau_max: float
    at_min: tuple[float, float] | None
    at_max: tuple[float, float] | None
    exact_end: Literal["min", "max"] | None  # where that is proved to be −1 or 1
    statistic: Literal["kendall", ""]
    n: int
    closest: str | None
    exact: bool
    sound_if: Direction | None = None
    lattice: str = ""

    @property
    def findings(self) -> dict[str, Finding]:
        """All findings by name."""
        return {name: getattr(self, name) for name in ("axiom2", *TESTS)}

    @property
    def sound(self) -> bool:
        """Whether nothing is refuted; :attr:`status` separates what is proved from what was only searched."""
        return all(finding.holds for finding in self.findings.values())

    @property
    def status(self) -> Status:
        """The verdict in one word: "proved", "refuted" or "not refuted"."""
        statuses = {finding.status for finding in self.findings.values()}
        return REFUTED if REFUTED in statuses else OPEN if OPEN in statuses else PROVED

    def table(self) -> Table:
        """Return one row per property: test, status, how, p1, p2, weight.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        examples = [finding.counterexample or (None, None, None) for finding in self.findings.values()]
        return Table(
            {
                "test": list(self.findings),
                "status": [finding.status for finding in self.findings.values()],
                "how": [finding.how for finding in self.findings.values()],
                "p1": [p1 and " ".join(map(str, p1)) for p1, _, _ in examples],
                "p2": [p2 and " ".join(map(str, p2)) for _, p2, _ in examples],
                "weight": [None if weight is None else str(weight) for _, _, weight in examples],
            }
        )

    @property
    def heading(self) -> str:
        """The verdict in one sentence."""
        name = self.score.name if self.score.symbol == self.score.name else f"{self.score.name} ({self.score.symbol})"
        text = f"{name} on {self.among.description}: {VERDICTS[self.status]}"
        if self.sound_if is not None:
            return f"{text} if {self.better} is better; sound if {self.sound_if} is better"
        return f"{text} (smaller is better)" if self.better == "smaller" else text

    def __repr__(self) -> str:
        lines, before = [self.heading], ""
        for test, finding in self.findings.items():
            lines.append(f"  {TITLES[test]:<51} {finding.status}")
            text = finding.evidence or finding.how
            lines += [f"    {text}"] * (text != before)
            before = text
        if any(finding.counterexample for finding in self.findings.values()):
            checked = "; checked in exact arithmetic" * self.exact
            lines.append(f"  counts are tn, fp, fn, tp; performances are normalized before they are mixed{checked}")
        if self.importance is not None:
            weights = ", ".join(f"{o} {_short(w)}" for o, w in zip(TWO_CLASS.outcomes, self.importance, strict=True))
            lines.append(f"  orders as the ranking score of the importance {weights}")
        lines += self._correlations()
        if not self.exact and self.status != PROVED:
            lines.append("  no rational formula: values were compared in floating point")
            if self.score.function is not None and not self.score.known and self.status == OPEN:
                lines.append("  more can be proved of an expression, such as 2*tp/(2*tp + fp + fn), than of a function")
        return "\n".join(lines)

    def _correlations(self) -> list[str]:
        if self.at_min is None or self.at_max is None:
            return []
        ends = [(self.tau_min, self.at_min), (self.tau_max, self.at_max)]
        low, high = (f"{value:.3f} at a = {a:.3g}, b = {b:.3g}" for value, (a, b) in ends)
        better = ", smaller being better," if self.better == "smaller" else ","
        extremes = f"from {low}, to {high}"
        lines = [f"  τ with ranking scores{better} on {self.lattice}: {extremes}"]
        if len(lines[0]) > LONGEST_LINE:
            lines = [lines[0].removesuffix(f" {extremes}"), f"    {extremes}"]
        if self.closest not in (None, self.score.name):
            lines.append(f"  the closest sound score with a name: {self.closest}")
        return lines


def _short(weight: Fraction) -> str:
    return str(weight) if weight.denominator <= 1000 else f"{float(weight):.6g}"


def decide(score: Score, among: PerformanceSet, better: int) -> tuple[dict[str, Finding], Proof | None, Order]:
    """Return the findings: what is proved is not searched, and what is found is not proved."""
    order = Order.of(score, among)
    if np.isnan(order.keys(np.asarray(among.lattice().counts))).all():
        raise UsageError(f"{score.name} has no value on {among.description}: it is 0/0 or infinite everywhere")
    proof = ranking_proof(score, among)
    findings = {test: Finding(PROVED, how) for test, how in proved(score, among, better).items()}
    if "domain" in findings and proof is not None and proof.sign:
        gaps = without_value(score, among, proof.importance)
        findings["domain"] = Finding(PROVED, findings["domain"].how + gaps)
    left = tuple(test for test in TESTS if test not in findings)
    examples = mixtures(order, among, left) if left else {}
    if "axiom2" not in findings and (example := axiom_2(order, among, better)):
        examples["axiom2"] = example
    for test in ("axiom2", *TESTS):
        if test in examples:
            findings[test] = _refuted(order, *examples[test])
        findings.setdefault(test, Finding(OPEN, f"searched: {SEARCHED[test]}"))
    return findings, proof, order


def _refuted(order: Order, example: Counterexample, where: str) -> Finding:
    """Return a finding that states in numbers what a counterexample shows, so that a reader can check it by hand."""
    first, second, weight = example
    rows = [first, second] if weight is None else [first, second, mixture(first, second, weight)]
    values = [f"{value + 0.0:.4g}" for value in order.score(Performances.from_counts(rows))]
    texts = [f"({', '.join(map(str, row))})" for row in rows]
    symbol = order.score.symbol if len(order.score.symbol) < 20 else "X"
    evidence = f"{symbol}{texts[0]} = {values[0]}, {symbol}{texts[1]} = {values[1]}"
    if weight is not None:
        how = "middle" if weight == Fraction(1, 2) else f"mixture with {weight} of the first"
        evidence += f"; their {how} {texts[2]}: {values[2] if values[2] != 'nan' else 'undefined'}"
    exactly = "exactly" if order.exact else "in floating point"
    return Finding(REFUTED, f"found {where}, checked {exactly}", example, evidence)


def audited(
    score: Score,
    among: PerformanceSet,
    direction: Direction | None,
    statistic: Literal["kendall"] | None,
    search: Search = "lattice",
) -> Audit:
    """Return the audit of a score on a set; ``search`` says where the extremes of τ are sought ("paper": Table 1)."""
    smaller = (direction or score.direction) == "smaller"
    better = -1 if smaller else 1
    findings, proof, order = decide(score, among, better)
    consistent = proof if proof is not None and proof.sign == better else None
    named = consistent is not None and score.known
    low, high, n = NOWHERE, NOWHERE, 0
    exact_end: Literal["min", "max"] | None = None
    name = score.name if named else None
    if statistic is not None:
        performances = among.lattice()
        n = len(performances)
        low, high = extremes(performances, score, among, search)
        if smaller:
            low, high = ((-tau, place) for tau, place in (high, low))
        if proof is not None and proof.sign:
            a, b = map(float, place_of_importance(proof.importance))
            exact_end = "max" if proof.sign == better else "min"
            low, high = (low, (1.0, (a, b))) if exact_end == "max" else ((-1.0, (a, b)), high)
        if not named and low[1] is not None:
            name = closest(performances, score, among, better)
    turned = proof is not None and proof.sign == -better and findings["axiom2"].status == REFUTED
    turned = turned and all(findings[test].status == PROVED for test in TESTS)
    return Audit(
        score=score, among=among, better="smaller" if smaller else "larger", **findings,
        importance=None if consistent is None else consistent.importance,
        tau_min=low[0], tau_max=high[0], at_min=low[1], at_max=high[1], exact_end=exact_end,
        statistic=statistic or "", n=n, closest=name, exact=order.exact,
        sound_if=("larger" if smaller else "smaller") if turned else None,
        lattice=f"the {n} performances {among.steps}" + ", but for (1/2, 1/2)" * (search == "paper") if n else "",
    )  # fmt: skip


def without_value(score: Score, among: PerformanceSet, importance: tuple[Fraction, ...]) -> str:
    """Return a clause on the faces where a score lacks a value that the ranking score has; "" where it lacks none.

    PPV/(1 − PPV) orders as PPV, but not those without false positives, which are the best by PPV: they have no value,
    so they are incomparable to all others. (Foundations, 3.2.)

    >>> from .._scores import score
    >>> without_value(
    ...     score("ppv/(1 - ppv)"),
    ...     PerformanceSet(),
    ...     (Fraction(0), Fraction(1), Fraction(0), Fraction(1)),
    ... )
    '; it has no value where fp = 0, though R_I has one: these are incomparable to the others'
    """
    counts = among.grid(4).reshape(-1, 4)  # points inside of every face
    counts = counts[counts[:, 3] >= 0]
    matters = (counts @ np.array([w > 0 for w in importance], dtype=np.int64)) > 0
    lost = np.isnan(score(Performances.from_counts(counts))) & matters
    faces = {frozenset(np.flatnonzero(row).tolist()) for row in counts[lost]}
    largest = [face for face in faces if not any(face < other for other in faces)]
    texts = sorted(" = ".join([TWO_CLASS.outcomes[i] for i in range(4) if i not in face] + ["0"]) for face in largest)
    if not texts:
        return ""
    return f"; it has no value where {' or '.join(texts)}, though R_I has one: these are incomparable to the others"


Search = Literal["lattice", "paper"]
COARSE, EIGHTHS = 16, 9
"""Points a side of the first grids: an even one, which misses (1/2, 1/2), and the multiples of 1/8."""

WINDOWS: dict[Search, tuple[int, list[Fraction]]] = {
    "paper": (6, [Fraction(2, 5) ** k / 15 for k in range(4)]),
    "lattice": (5, [Fraction(1, 8 * 2**k) for k in range(6)]),
}
"""Points a side of the finer windows around the best place, and half of their widths; the even ones miss (1/2, 1/2)."""

ROUNDING = 1e-12
"""Of the largest value: floats of a function that are closer than this are taken as tied in a correlation."""

Place = tuple[Fraction, Fraction]
Interval = tuple[Fraction, Fraction]

SIMPLE = 20
"""The largest denominator of the simple fractions near a place."""

LARGEST = 2**61
"""What is larger is multiplied as Python integers: sums of two outcomes stay in 64 bits."""

UNIT: Interval = (Fraction(0), Fraction(1))


Extreme = tuple[float, tuple[float, float] | None]
"""An extreme correlation, and where on the Tile it is."""

NOWHERE: Extreme = (nan, None)
"""That of a score with the same value everywhere."""


def raw_levels(performances: Performances, by: Score) -> Integers:
    """Return levels that are larger where X is larger, whatever is better; −1 where it is undefined."""
    level, exact = levels(performances, replace(by, direction="larger"))
    return level if exact or by.function is None else _without_noise(level, by(performances))


def extremes(
    performances: Performances,
    by: Score,
    among: PerformanceSet,
    search: Search = "lattice",
) -> tuple[Extreme, Extreme]:
    """Return the least and the largest correlation of X with a ranking score R_{a,b}, as far as a search goes.

    On a coarse grid of the Tile, edges included, then on finer ones around the best place so far; but for the search of
    the "paper" also at the multiples of 1/8, at the places of scores with a name, and at simple fractions near the best
    place. Pairs for which either is undefined are dropped. NaN where X is constant. (Foundations, A.7.2, where we
    believe that I*(tp) = a, I*(tn) = 1 − a is meant.)

    >>> for search in ("lattice", "paper"):
    ...     low, high = extremes(
    ...         PerformanceSet().lattice(), score("accuracy"), PerformanceSet(), search=search
    ...     )
    ...     round(low[0], 2), round(high[0], 2)
    (0.47, 1.0)
    (0.47, 0.98)
    """
    integers, level = _integers(performances), raw_levels(performances, by)
    seen: dict[Place, float] = {}

    def look(a: Interval, b: Interval, points: int) -> None:
        values = _window(integers, level, a, b, points)
        for i, j in np.argwhere(~np.isnan(values)).tolist():
            seen[_point_of(a, j, points), _point_of(b, i, points)] = float(values[i, j])

    look(UNIT, UNIT, COARSE)
    if search == "lattice":
        look(UNIT, UNIT, EIGHTHS)
        for a, b in named_places(among):
            look((a, a), (b, b), 2)
    if not seen:
        return NOWHERE, NOWHERE
    ends: list[Extreme] = []
    points, steps = WINDOWS[search]
    for best in (min, max):
        for step in steps:
            a, b = best(seen, key=seen.__getitem__)
            look(_around(a, step), _around(b, step), points)
        a, b = best(seen, key=seen.__getitem__)
        for x, y in product(_simple(a), _simple(b)) if search == "lattice" else ():
            if (x, y) not in seen:
                look((x, x), (y, y), 2)
        a, b = best(seen, key=seen.__getitem__)
        ends.append((seen[a, b], (float(a), float(b))))
    return ends[0], ends[1]


def _integers(performances: Performances) -> NDArray[Any]:
    """Return integers proportional to the performances, in 64 bits where they are counts."""
    return performances.integers if performances.counts is None else performances.counts


def _around(at: Fraction, step: Fraction) -> Interval:
    """Return two steps around a place, moved inside [0, 1]; the middle one of five points is the place, if it fits."""
    low = min(max(at - step, Fraction(0)), 1 - 2 * step)
    return low, low + 2 * step


def _simple(at: Fraction) -> list[Fraction]:
    """Return the simple fractions near a number, the simplest first."""
    near = {at.limit_denominator(largest) for largest in range(1, SIMPLE + 1)}
    return sorted((x for x in near if abs(x - at) <= Fraction(1, 2 * SIMPLE)), key=lambda x: x.denominator)


def _point_of(interval: Interval, k: int, points: int) -> Fraction:
    """Return the k-th of some points that divide an interval evenly."""
    return interval[0] + (interval[1] - interval[0]) * k / (points - 1)


def _window(integers: NDArray[Any], level: Integers, a: Interval, b: Interval, points: int) -> Floats:
    """Return the correlations on a part of the Tile."""
    return tau_b_map(part_of(integers, a, b), level, points, os.cpu_count() or 1)


def _without_noise(level: Integers, values: Floats) -> Integers:
    """Return levels in which values that differ by the rounding of floats are tied, so that ties can coincide."""
    defined = np.flatnonzero(level >= 0)
    if not len(defined):
        return level
    order = defined[np.argsort(level[defined], kind="stable")]
    apart = abs(np.diff(values[order])) > ROUNDING * abs(values[order]).max()
    out = level.copy()
    out[order] = np.concatenate([[0], np.cumsum(apart)])
    return out


def named_places(among: PerformanceSet) -> list[Place]:
    """Return the places on the Tile of the scores of the catalogue that are sound on a set, each once.

    >>> (
    ...     (Fraction(1), Fraction(4, 5)) in named_places(PerformanceSet()),
    ...     len(named_places(PerformanceSet())),
    ... )
    (True, 11)
    """
    names = (*(row.key for row in ROWS if not row.parameters), *NEIGHBORS)
    return list(dict.fromkeys(place for _, place in _sound_places(names, among)))


def _sound_places(names: Iterable[str], among: PerformanceSet) -> Iterator[tuple[Score, Place]]:
    """Yield the scores of these names that are sound on a set, each with its place."""
    prior = among.share if among.fixed == "prior" else None
    for by in map(score, names):
        if not by.constant and (by.sound == "always" or (by.sound == "fixed priors" and prior is not None)):
            yield by, by.exact_place(prior)


def closest(performances: Performances, by: Score, among: PerformanceSet, better: int) -> str | None:
    """Return the name of the well-known score, sound on this set, that orders most alike (Kendall's τ)."""
    integers, level = _integers(performances), raw_levels(performances, by)
    best: tuple[float, str | None] = (-inf, None)
    for other, (a, b) in _sound_places(NEIGHBORS, among):
        tau = better * float(_window(integers, level, (a, a), (b, b), 2)[0, 0])
        if tau > best[0]:
            best = tau, other.name
    return best[1]


def part_of(integers: NDArray[Any], a: Interval, b: Interval) -> NDArray[Any]:
    """Return performances whose whole Tile is a part of the Tile of these, up to a factor of each.

    (1−a)tn + a·tp is linear in a, so the ends of the interval take the places of tn and tp; and so for fp and fn.

    >>> half = (Fraction(0), Fraction(1, 2))
    >>> part_of(np.array([[6, 2, 1, 3]], dtype=object), half, half).tolist()
    [[12, 4, 3, 9]]
    """
    scale = lcm(*(end.denominator for end in (*a, *b)))
    if scale * int(integers.max(initial=0)) > LARGEST:
        integers = integers.astype(object)
    tn, fp, fn, tp = integers.T
    ends = [[int(end * scale) for end in interval] for interval in (a, b)]
    columns = [(scale - ends[0][0]) * tn + ends[0][0] * tp, (scale - ends[1][0]) * fp + ends[1][0] * fn]
    columns += [(scale - ends[1][1]) * fp + ends[1][1] * fn, (scale - ends[0][1]) * tn + ends[0][1] * tp]
    return np.stack(columns, axis=-1)
