"""What the simple page carries of a sample space: numbers of which each of its preferences is a ratio.

A ranking score is R_I = E[I·S]/E[I]. With satisfactions moved to 0 … 1, a page needs E[I·S] (what is earned) and
E[I·(1 − S)] (what is lost) of each preference that it offers. Both are sums of *features*, natural numbers per row:
the outcomes themselves, or, of several classes, how often each class is right, missed, and wrongly predicted, which
are 3K numbers in the place of K².
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd, lcm
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._scores import Score
from ..errors import NoPlaceError, UsageError
from ..outcomes import SampleSpace, to_be_found
from ..performances import Performances
from ..tasks import multi_class
from ..tasks.table import task_of
from ..typing import Floats

Kind: TypeAlias = Literal["one", "errors", "classes", "outcomes"]
"""One ordering only; misses against false alarms, without tn; several classes; any other outcomes."""

MOST_OUTCOMES = 12
"""So many outcomes get a weight each on the page; of more, only named scores are offered."""

WITHOUT_TN = ("none", "fp", "fn", "tp")
BALANCED = "balanced accuracy"
LARGEST_WEIGHT = 10**9
"""Weights on the page stay below."""

Integers: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Offered:
    """A score that the page offers: the weights of the features in what is earned, and in what is lost."""

    name: str
    earned: Integers
    lost: Integers


@dataclass(frozen=True)
class Features:
    """The features of a sample space, and the scores made of them.

    ``extra`` are importances of outcomes for which two features stand by themselves, because the others do not make
    them.

    >>> from rankscape.tasks import retrieval
    >>> features = Features(retrieval.SPACE)
    >>> features.kind, features.names, features.scores[0]
    ('errors', ('none', 'fp', 'fn', 'tp'), Offered(name='jaccard', earned=(0, 0, 0, 1), lost=(0, 1, 1, 0)))
    """

    space: SampleSpace
    extra: tuple[tuple[str, Integers], ...] = ()

    @property
    def kind(self) -> Kind:
        """Which preferences the page offers."""
        if self.space.labels:
            return "classes"
        if len(self.space) == 2:
            return "one"
        expected = {"tp": 1, "none": 1, "fp": 0, "fn": 0}
        given = dict(zip(self.space.outcomes, self.space.satisfaction or (), strict=False))
        if {"fp", "fn", "tp"} <= given.keys() <= expected.keys() and given.items() <= expected.items():
            return "errors"
        return "outcomes"

    @cached_property
    def satisfaction(self) -> tuple[NDArray[Any], int, float, float]:
        """The satisfactions moved to 0 … 1 as integers, what they are divided by, and the ends that they came from."""
        if self.space.satisfaction is None:
            raise UsageError(f"{self.space.name} has no satisfaction: say which outcomes are satisfying, and how much")
        given = [Fraction(s) for s in self.space.satisfaction]
        low, high = min(given), max(given)
        moved = [(s - low) / (high - low) if high > low else Fraction(0) for s in given]
        scale = lcm(*(s.denominator for s in moved))
        whole = np.array([int(s * scale) for s in moved], dtype=object)
        return whole, scale, float(low), float(high)

    @property
    def crisp(self) -> bool:
        """Whether every outcome is right or wrong."""
        whole, scale, *_ = self.satisfaction
        return all(s in (0, scale) for s in whole)

    @property
    def real(self) -> list[bool]:
        """Which of several classes can be right; a void class cannot."""
        whole, *_ = self.satisfaction
        return [bool(s) for s in whole[:: len(self.space.labels) + 1]] if self.space.labels else []

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each feature is called."""
        labels = self.space.labels
        if self.kind == "classes":
            parts = ("right", "missed", "wrongly") if self.crisp else ("right", "missed")
            plain = tuple(f"{part} {label}" for part in parts for label in labels)
        else:
            plain = WITHOUT_TN if self.kind == "errors" else self.space.outcomes
        return plain + tuple(f"{name} {side}" for name, _ in self.extra for side in ("earned", "lost"))

    @property
    def size(self) -> Integers:
        """The weights of the features in what a row is divided by: its cases, or without tn what is to be found."""
        targets = to_be_found(self.space)
        if self.kind == "errors" and targets is not None:
            return (0, 0, 1, 1) + (0,) * (len(self.names) - self._width)
        if targets is not None:
            return (*map(int, targets), *(0,) * (len(self.names) - self._width))
        parts = 2 * len(self.space.labels) if self.kind == "classes" else self._width  # right and missed: all cases
        return (1,) * parts + (0,) * (len(self.names) - parts)

    @property
    def _width(self) -> int:
        """The number of features but for the extra ones."""
        return len(self.names) - 2 * len(self.extra)

    def of(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the features (…, some) of performances (…, outcomes), exactly where these are integers."""
        whole, scale, *_ = self.satisfaction
        if values.dtype.kind == "f":
            whole, scale = whole.astype(np.float64) / scale, 1
        lost = scale - whole
        if self.kind == "classes":
            width = len(self.space.labels)
            table = values.reshape(*values.shape[:-1], width, width)
            right, wrong = table * whole.reshape(width, width), table * lost.reshape(width, width)
            parts = [right.sum(axis=-1), wrong.sum(axis=-1)] + [wrong.sum(axis=-2)] * self.crisp
        elif self.kind == "errors":
            place = {name: i for i, name in enumerate(self.space.outcomes)}
            zero = np.zeros_like(values[..., 0])
            parts = [np.stack([values[..., place[n]] if n in place else zero for n in WITHOUT_TN], axis=-1)]
        else:
            parts = [values]
        for _, weights in self.extra:
            weighed = values * np.array(weights, dtype=values.dtype)
            parts.append(np.stack([(weighed * whole).sum(axis=-1), (weighed * lost).sum(axis=-1)], axis=-1))
        return np.concatenate(parts, axis=-1)

    def drawn(self, block: Floats) -> Floats:
        """Return the features of draws as shares of the cases, NaN where undefined; of two outcomes the second alone.

        >>> Features(SampleSpace("coin", ("heads", "tails"), (0, 1))).drawn(
        ...     np.array([[[1.0, 3.0]]])
        ... ).tolist()
        [[[0.75]]]
        """
        features = self.of(block)
        with np.errstate(invalid="ignore", divide="ignore"):
            sizes = (features * np.array(self.size)).sum(axis=-1, keepdims=True)
            sizes = np.where(sizes == 0, features[..., : self._width].sum(axis=-1, keepdims=True), sizes)
            shares = features / sizes
        return np.asarray(shares[..., 1:] if self.kind == "one" else shares)

    def importance_of(self, weights: Sequence[Any]) -> Offered | None:
        """Return the sides of an importance of outcomes; None where only two features of its own would make it."""
        whole, scale, *_ = self.satisfaction
        table = np.array(weights, dtype=object)
        if self.kind == "classes":
            width = len(self.space.labels)
            table = table.reshape(width, width)
            if not (table == table[:, :1]).all():
                return None
            rest = self._width - width
            return self._offered([*table[:, 0], *[0] * rest], [*[0] * width, *table[:, 0], *[0] * (rest - width)])
        if self.kind == "errors":
            given = dict(zip(self.space.outcomes, table, strict=True))
            table = np.array([given.get(name, 0) for name in WITHOUT_TN], dtype=object)
            whole, scale = np.array([1, 0, 0, 1], dtype=object), 1
        return self._offered([*(table * whole)], [*(table * (scale - whole))])

    def _offered(self, earned: Sequence[Any], lost: Sequence[Any]) -> Offered:
        sides = [int(x) for x in (*earned, *lost)]
        common = reduce(gcd, sides) or 1
        half, none = len(earned), (0, 0) * len(self.extra)
        whole = tuple(x // common for x in sides)
        return Offered("", whole[:half] + none, whole[half:] + none)

    @cached_property
    def scores(self) -> tuple[Offered, ...]:
        """The named scores of the space, one of each ordering; of two outcomes the one with equal importances."""
        named = [(name, whole_importance(weights)) for name, weights in self.space.scores.items()]
        if not named or self.kind == "one":
            equal = (1,) * len(self.space)
            named = [next(((name, w) for name, w in named if len({*w}) == 1), (self._plain_name, equal))]
        scores: dict[Any, Offered] = {}
        for name, weights in named:
            offered = self.importance_of(weights)
            if offered is not None:
                scores.setdefault((offered.earned, offered.lost), replace(offered, name=name))
        at = self._width
        for i, (name, _) in enumerate(self.extra):
            unit = [tuple(int(f == at + 2 * i + side) for f in range(len(self.names))) for side in (0, 1)]
            scores[unit[0], unit[1]] = Offered(name, unit[0], unit[1])
        return tuple(scores.values())

    @property
    def _plain_name(self) -> str:
        ends = (self.space.satisfaction or ()) == (0, 1)
        return f"share of {self.space.outcomes[1]}" if ends else "expected satisfaction"


def whole_importance(weights: Iterable[Any]) -> Integers:
    """Return an importance as natural numbers without a common factor, in its exact proportions.

    >>> whole_importance([0.5, 1, Fraction(1, 4)])
    (2, 4, 1)
    """
    fractions = [Fraction(w) for w in weights]
    scale = lcm(*(w.denominator for w in fractions))
    whole = [int(w * scale) for w in fractions]
    common = reduce(gcd, whole) or 1
    return tuple(w // common for w in whole)


def opened_at(space: SampleSpace, by: Score | None, performances: Performances) -> tuple[Features, dict[str, Any]]:
    """Return the features that a page needs to open at a score, and the state in which it opens.

    Raises NoPlaceError for a score that is no ranking score of these performances.
    """
    features = Features(space)
    extra = []
    for name, weights in space.scores.items():
        whole = whole_importance(weights)
        if features.kind != "one" and features.importance_of(whole) is None:
            extra.append((name, whole))
    features = replace(features, extra=tuple(extra))
    if by is None or features.kind == "one":
        return features, _first(features)
    if by.name == BALANCED and features.kind == "classes" and multi_class.same_priors(performances):
        return features, {"score": BALANCED}
    if by.orders_as is None:
        raise NoPlaceError(
            f"the explorer cannot open at {by.name}, which is no ranking score of these performances",
            way_out="open it at a ranking score, such as " + (next(iter(space.scores), "an importance")),
        )
    weights = whole_importance(by.orders_as)
    offered = features.importance_of(weights)
    state = None if offered is None else _state(features, offered, by)
    state = state or _of_class(space, weights, features.crisp)
    if state is not None:
        return features, state
    return replace(features, extra=(*features.extra, (by.name, weights))), {"score": by.name}


def _first(features: Features) -> dict[str, Any]:
    """Return the state of the default: F1, or the first named score."""
    if features.kind == "errors":
        return {"a": 1.0, "b": 0.5}
    default = task_of(features.space).default
    names = [score.name for score in features.scores]
    return {"score": default if default in names else names[0]}


def _state(features: Features, offered: Offered, by: Score) -> dict[str, Any] | None:
    """Return the state of an importance: a place, a named score, weights of true classes, weights of few outcomes."""
    both = [earned + lost for earned, lost in zip(offered.earned, offered.lost, strict=True)]
    if features.kind == "errors":
        return _place(by.name, dict(zip(WITHOUT_TN, both, strict=False)))
    for score in features.scores:
        if (score.earned, score.lost) == (offered.earned, offered.lost):
            return {"score": score.name}
    importance: Sequence[Any] = by.orders_as or ()
    whole = whole_importance(importance)
    if max(whole) < LARGEST_WEIGHT:
        importance = whole  # thirds stay thirds
    if features.kind == "classes":
        weights = importance[:: len(features.space.labels)]
        return None if sum(map(bool, weights)) == 1 else {"importance": [float(w) for w in weights]}
    return {"importance": [float(w) for w in importance]} if len(features.space) <= MOST_OUTCOMES else None


def _place(name: str, weights: dict[str, int]) -> dict[str, Any]:
    """Return the place of an importance without tn on the right side of the Tile, or, with none, anywhere on it."""
    none, fp, fn, tp = (weights[outcome] for outcome in WITHOUT_TN)
    if not none + tp or not fp + fn:
        raise NoPlaceError(f"the explorer cannot open at {name}, which is the same for all performances")
    return {"a": tp / (none + tp), "b": fn / (fp + fn)}


def _of_class(space: SampleSpace, weights: Integers, crisp: bool) -> dict[str, Any] | None:
    """Return the state of a score of one class, such as recall(cat); None for other importances."""
    width = len(space.labels)
    right = [c for c in range(width) if weights[c * (width + 1)]]
    if not crisp or len(right) != 1:
        return None
    for which in multi_class.OF_ONE_CLASS:
        if whole_importance(multi_class.importance_of_class(space, space.labels[right[0]], which)) == weights:
            return {"score": which, "of": right[0]}
    return None
