"""The simple page: the explorer of every sample space that has no Tile, such as success, retrieval and several classes.

It shows a leaderboard, the importances as sliders where there is something to choose, and the domains.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd, isclose, lcm
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from ..domains import Prepared
from ..errors import NoPlaceError, UsageError
from ..outcomes import SampleSpace, to_be_found
from ..performances import Performances
from ..tasks import multi_class, success
from ..tasks.table import task_of
from ..typing import Floats, ScoreLike
from ..uncertainty import Draws
from ..uncertainty.defaults import LEVEL
from .build import digits, named, read_of, start_weights
from .sample import MOST_DRAWN, carried

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
    """The features of a sample space, which are its outcomes, and the scores made of them.

    ``extra`` are importances of outcomes for which two features stand by themselves, because the others do not make
    them.

    >>> from rankscape.tasks import retrieval
    >>> features = features_of(retrieval.SPACE)
    >>> features.kind, features.names, features.scores[0]
    ('errors', ('none', 'fp', 'fn', 'tp'), Offered(name='jaccard', earned=(0, 0, 0, 1), lost=(0, 1, 1, 0)))
    """

    space: SampleSpace
    extra: tuple[tuple[str, Integers], ...] = ()
    kind: ClassVar[Kind] = "outcomes"

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
    def plain(self) -> tuple[str, ...]:
        """What each feature is called, but for the extra ones."""
        return self.space.outcomes

    @property
    def names(self) -> tuple[str, ...]:
        """What each feature is called."""
        return self.plain + tuple(f"{name} {side}" for name, _ in self.extra for side in ("earned", "lost"))

    @property
    def weighed(self) -> tuple[str, ...]:
        """The outcomes of which the page may weigh each by itself."""
        return self.space.outcomes

    @property
    def size(self) -> Integers:
        """The weights of the features in what a row is divided by: its cases, or without tn what is to be found."""
        targets = to_be_found(self.space)
        counted = np.ones(len(self.space), dtype=int) if targets is None else targets
        return self._padded(self._placed(counted).tolist())

    def _padded(self, weights: Sequence[Any]) -> Integers:
        """Return weights of the first features; the others have none."""
        return (*map(int, weights), *(0,) * (len(self.names) - len(weights)))

    def _placed(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return what each outcome has, in the order of the features."""
        return values

    def _sides_of(self, values: NDArray[Any], whole: NDArray[Any], lost: NDArray[Any]) -> list[NDArray[Any]]:
        """Return the features but for the extra ones, in parts; outcomes earn ``whole``, and lose ``lost``."""
        return [self._placed(values)]

    def of(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the features (…, some) of performances (…, outcomes), exactly where these are integers."""
        whole, scale, *_ = self.satisfaction
        if values.dtype.kind == "f":
            whole, scale = whole.astype(np.float64) / scale, 1
        lost = scale - whole
        parts = self._sides_of(values, whole, lost)
        for _, weights in self.extra:
            weighed = values * np.array(weights, dtype=values.dtype)
            parts.append(np.stack([(weighed * whole).sum(axis=-1), (weighed * lost).sum(axis=-1)], axis=-1))
        return np.concatenate(parts, axis=-1)

    def drawn(self, block: Floats) -> Floats:
        """Return the features of draws as shares of the cases, NaN where undefined; of two outcomes the second alone.

        >>> features_of(SampleSpace("coin", ("heads", "tails"), (0, 1))).drawn(
        ...     np.array([[[1.0, 3.0]]])
        ... ).tolist()
        [[[0.75]]]
        """
        features = self.of(block)
        with np.errstate(invalid="ignore", divide="ignore"):
            sizes = (features * np.array(self.size)).sum(axis=-1, keepdims=True)
            sizes = np.where(sizes == 0, features[..., : len(self.plain)].sum(axis=-1, keepdims=True), sizes)
            return np.asarray(features / sizes)

    def importance_of(self, weights: Sequence[Any]) -> Offered | None:
        """Return the sides of an importance of outcomes; None where only two features of its own would make it."""
        whole, scale, *_ = self.satisfaction
        table = np.array(weights, dtype=object)
        earned, lost = self._placed(table * whole), self._placed(table * (scale - whole))
        return self._offered(earned.tolist(), lost.tolist())

    def _offered(self, earned: Sequence[Any], lost: Sequence[Any]) -> Offered:
        common = reduce(gcd, map(int, (*earned, *lost))) or 1
        return Offered("", *(self._padded([x // common for x in side]) for side in (earned, lost)))

    @cached_property
    def scores(self) -> tuple[Offered, ...]:
        """The named scores of the space, one of each ordering; those of extra features last."""
        scores: dict[Any, Offered] = {}
        for name, weights in self._named:
            offered = self.importance_of(weights)
            if offered is not None:
                scores.setdefault((offered.earned, offered.lost), replace(offered, name=name))
        units = np.eye(len(self.names), dtype=int)[len(self.plain) :].tolist()
        for (name, _), earned, lost in zip(self.extra, units[::2], units[1::2], strict=True):
            scores[tuple(earned), tuple(lost)] = Offered(name, tuple(earned), tuple(lost))
        return tuple(scores.values())

    @property
    def _named(self) -> list[tuple[str, Integers]]:
        """The named scores and their importances, at least one."""
        named = [(name, whole_importance(weights)) for name, weights in self.space.scores.items()]
        return named or [self._equal]

    @property
    def _equal(self) -> tuple[str, Integers]:
        """The score of equal importances."""
        ends = (self.space.satisfaction or ()) == (0, 1)
        name = f"share of {self.space.outcomes[1]}" if ends else "expected satisfaction"
        return name, (1,) * len(self.space)

    @property
    def start(self) -> dict[str, Any]:
        """The state in which a page opens by default: the score of the task, or the first named one."""
        default, names = task_of(self.space).default, [score.name for score in self.scores]
        return {"score": default if default in names else names[0]}

    def state(self, by: Score, performances: Performances) -> dict[str, Any] | None:
        """Return the state of a score: a named one, or weights; None where these features do not make it.

        Raises NoPlaceError for a score that is no ranking score of these performances.
        """
        importance = importance_at(by, self.space)
        offered = self.importance_of(importance)
        if offered is None:
            return None
        for score in self.scores:
            if (score.earned, score.lost) == (offered.earned, offered.lost):
                return {"score": score.name}
        given: Sequence[Any] = by.orders_as or ()
        return self._weights_of(importance if max(importance) < LARGEST_WEIGHT else given)  # thirds stay thirds

    def _weights_of(self, importance: Sequence[Any]) -> dict[str, Any] | None:
        """Return the state with an importance as weights of few outcomes."""
        return {"importance": list(map(float, importance))} if len(self.space) <= MOST_OUTCOMES else None

    def values_of(self, score: Score | None) -> dict[str, Any]:
        """Return what a page with one ordering writes besides what its features are."""
        return {"smaller": False, "root": False, "amounts": False}


class OfTwo(Features):
    """Two outcomes have one ordering only: the page offers no preference, and carries draws of the second alone."""

    kind = "one"
    weighed = ()

    def drawn(self, block: Floats) -> Floats:
        """Return the share of the second outcome in draws, NaN where undefined."""
        return super().drawn(block)[..., 1:]

    @property
    def _named(self) -> list[tuple[str, Integers]]:
        return [next(((name, weights) for name, weights in super()._named if len({*weights}) == 1), self._equal)]

    def state(self, by: Score, performances: Performances) -> dict[str, Any]:
        """Return the state of any score: there is one."""
        return self.start

    def values_of(self, score: Score | None) -> dict[str, Any]:
        """Return the score, its values where all is lost and earned, and its direction.

        Between these ends values are straight, or roots (of squared errors).
        """
        if score is None:
            return super().values_of(score)
        mass = np.array([[1, 0], [0.5, 0.5], [0, 1]])
        low, middle, high = score(Performances.from_trusted(mass, ("",) * 3, None, self.space)).tolist()
        amounts = score.function is not None
        return {
            "range": [low, high], "smaller": score.direction == "smaller",
            "root": not isclose(middle, (low + high) / 2, rel_tol=1e-9), "amounts": amounts,
            "scores": [{"name": score.name, "earned": [0, 1], "lost": [1, 0]}],
            **({"noun": "band"} if amounts else {}),
        }  # fmt: skip


class OfErrors(Features):
    """Misses against false alarms, without true negatives: the right side of the Tile, or, with none, all of it."""

    kind = "errors"
    plain = WITHOUT_TN
    weighed = ()
    start: ClassVar[dict[str, Any]] = {"a": 1.0, "b": 0.5}

    def _placed(self, values: NDArray[Any]) -> NDArray[Any]:
        absent = np.zeros_like(values[..., :1])
        places = [self.space.outcomes.index(name) if name in self.space.outcomes else -1 for name in WITHOUT_TN]
        return np.concatenate([values, absent], axis=-1)[..., places]

    def state(self, by: Score, performances: Performances) -> dict[str, Any]:
        """Return the place of a score on the right side of the Tile, or, with none, anywhere on it."""
        none, fp, fn, tp = self._placed(np.array(importance_at(by, self.space), dtype=object)).tolist()
        if not none + tp or not fp + fn:
            raise NoPlaceError(f"the explorer cannot open at {by.name}, which is the same for all performances")
        return {"a": tp / (none + tp), "b": fn / (fp + fn)}


class OfClasses(Features):
    """Several classes: how often each one is right, missed, and wrongly predicted."""

    kind = "classes"
    weighed = ()

    @property
    def plain(self) -> tuple[str, ...]:
        """What each feature is called, but for the extra ones."""
        parts = ("right", "missed", "wrongly") if self.crisp else ("right", "missed")
        return tuple(f"{part} {label}" for part in parts for label in self.space.labels)

    @property
    def size(self) -> Integers:
        """The weights of the features in the number of cases: right and missed ones."""
        return self._padded((1, 1) * len(self.space.labels))

    def _sides_of(self, values: NDArray[Any], whole: NDArray[Any], lost: NDArray[Any]) -> list[NDArray[Any]]:
        width = len(self.space.labels)
        table = values.reshape(*values.shape[:-1], width, width)
        right, wrong = table * whole.reshape(width, width), table * lost.reshape(width, width)
        return [right.sum(axis=-1), wrong.sum(axis=-1)] + [wrong.sum(axis=-2)] * self.crisp

    def importance_of(self, weights: Sequence[Any]) -> Offered | None:
        """Return the sides of an importance that depends on the true class alone; None for others."""
        width = len(self.space.labels)
        table = np.array(weights, dtype=object).reshape(width, width)
        of_class = table[:, 0].tolist()
        return self._offered(of_class, [0] * width + of_class) if (table == table[:, :1]).all() else None

    def state(self, by: Score, performances: Performances) -> dict[str, Any] | None:
        """Return the state of a score: a named one, weights of the true classes, or a score of one class."""
        if by.name == BALANCED and multi_class.same_priors(performances):
            return {"score": BALANCED}
        return super().state(by, performances) or self._of_class(importance_at(by, self.space))

    def _weights_of(self, importance: Sequence[Any]) -> dict[str, Any] | None:
        weights = importance[:: len(self.space.labels)]
        return None if sum(map(bool, weights)) == 1 else {"importance": list(map(float, weights))}

    def _of_class(self, importance: Integers) -> dict[str, Any] | None:
        """Return the state of a score of one class, such as recall(cat); None for other importances."""
        labels = self.space.labels
        right = [c for c in range(len(labels)) if importance[c * (len(labels) + 1)]]
        if not self.crisp or len(right) != 1:
            return None
        for which in multi_class.OF_ONE_CLASS:
            weights = multi_class.importance_of_class(self.space, labels[right[0]], which)
            if whole_importance(weights) == importance:
                return {"score": which, "of": right[0]}
        return None


def features_of(space: SampleSpace) -> Features:
    """Return the features of a sample space, with two of their own for each named score that others do not make."""
    expected = {"tp": 1, "none": 1, "fp": 0, "fn": 0}
    given = dict(zip(space.outcomes, space.satisfaction or (), strict=False))
    errors = {"fp", "fn", "tp"} <= given.keys() <= expected.keys() and given.items() <= expected.items()
    kind = OfClasses if space.labels else OfTwo if len(space) == 2 else OfErrors if errors else Features
    features = kind(space)
    named = [(name, whole_importance(weights)) for name, weights in space.scores.items()]
    return replace(features, extra=tuple(one for one in named if features.importance_of(one[1]) is None))


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


def importance_at(by: Score, space: SampleSpace) -> Integers:
    """Return the importance that orders as a score does; raises NoPlaceError for one that is no ranking score."""
    if by.orders_as is None:
        raise NoPlaceError(
            f"the explorer cannot open at {by.name}, which is no ranking score of these performances",
            way_out="open it at a ranking score, such as " + (next(iter(space.scores), "an importance")),
        )
    return whole_importance(by.orders_as)


def opened_at(space: SampleSpace, by: Score | None, performances: Performances) -> tuple[Features, dict[str, Any]]:
    """Return the features that a page needs to open at a score, and the state in which it opens.

    Raises NoPlaceError for a score that is no ranking score of these performances.
    """
    features = features_of(space)
    if by is None:
        return features, features.start
    state = features.state(by, performances)
    if state is None:
        return replace(features, extra=(*features.extra, (by.name, importance_at(by, space)))), {"score": by.name}
    return features, state


MODEL = (
    "exact", "model", "uncertainty", "texts", "names", "memory", "simple_data", "simple_preference", "simple_strip",
    "simple_shares", "simple_state", "simple_view",
)  # fmt: skip
"""The modules that compute; the first ones are those of the Tile's page."""

VIEW = (
    "look",
    "palette",
    "dom",
    "fields",
    "terms",
    "trail",
    "simple_sentences",
    "simple_tables",
    "simple_panel",
    "simple_files",
    "embed",
    "simple_app",
)
"""The modules that show."""


def opened(
    asked: Prepared, by: ScoreLike | None, drawn: Draws | None, level: float = LEVEL
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the data that the page carries, and the state in which it opens.

    >>> from rankscape.domains import prepare
    >>> data, start = opened(prepare(success.from_counts([3, 4], 5)), None, None)
    >>> data["features"], data["values"], start
    (['failure', 'success'], [[2, 1], [3, 4]], {'score': 'accuracy', 'weights': None})
    """
    given = asked.given
    score = None if by is None else as_score(by, given.space)
    features, start = opened_at(given.space, score, asked.performances)
    weights, values = start_weights(asked), features.values_of(score)
    draws = carried(drawn, asked, level, features.drawn, _ratios(features, asked), best=MOST_DRAWN)
    data = payload(given, features) | read_of(given) | {"pooled": asked.only_pooled} | values
    if "scores" in values:
        start = {"score": values["scores"][0]["name"]}
    return data | {"draws": draws and draws | {"weights": weights}}, start | {"weights": weights}


def payload(given: Performances, features: Features) -> dict[str, Any]:
    """Return what the page carries: names, features, the scores made of them, and a hash of the data."""
    whole, scale, low, high = features.satisfaction
    integers = features.of(given.integers.astype(object))
    space, graded = given.space, success.mean_of_grades(given.space) is not None
    right_or_wrong = space.outcomes == success.SPACE.outcomes
    data = named(given) | {
        "kind": features.kind,
        "space": space.name,
        "success": right_or_wrong and not graded,
        "graded": graded,
        "outcomes": list(features.weighed),
        "classes": list(space.labels),
        "none": "none" in space.outcomes,
        "crisp": features.crisp,
        "real": list(map(bool, whole[:: len(space.labels) + 1])) if space.labels else [],
        "features": list(features.names),
        "size": list(features.size),
        "range": [low, high],
        "scores": [
            {"name": score.name, "earned": digits(score.earned), "lost": digits(score.lost)}
            for score in features.scores
        ],
        "satisfaction": [digits(whole), digits(scale - whole)] if features.weighed else None,
        "values": [digits(column) for column in integers.T],
        "counts": given.counts is not None,
        "found": to_be_found(space) is not None,
        "noun": "benchmark" if right_or_wrong else "domain",
    }
    plain = [*named(given).values(), space.outcomes, data["values"][: len(features.plain)]]
    return data | {"hash": f"{zlib.crc32(json.dumps(plain).encode()):08x}"}


def _ratios(features: Features, asked: Prepared) -> Iterator[Floats]:
    """Yield what each entity loses per what it earns, by each of the scores."""
    shares = features.of(asked.performances.mass)
    for score in features.scores:
        earned, lost = ((shares * side).sum(axis=1) for side in (score.earned, score.lost))
        with np.errstate(invalid="ignore", divide="ignore"):
            yield lost / earned
