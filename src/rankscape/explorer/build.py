"""What the pages of the explorer carry: names and numbers, and where the page starts.

The explorer of the Tile shows all rankings of performances of two classes. Every sample space that has no Tile, such
as success, retrieval and several classes, has the simple page: a leaderboard, the importances as sliders where there is
something to choose, and the domains.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import gcd, isclose, lcm
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from ..domains import Prepared
from ..domains.weightings import over_weights
from ..errors import NoPlaceError, Option, UsageError
from ..kernels.exact import fractions_of, integers_of_fractions
from ..outcomes import TWO_CLASS, SampleSpace, to_be_found
from ..performances import Performances
from ..tasks import multi_class, success
from ..tasks.table import task_of
from ..typing import Floats, Integers, ScoreLike
from ..uncertainty import Draws
from ..uncertainty.defaults import LEVEL
from ..uncertainty.intervals import MOST_TOGETHER, critical, least
from ..uncertainty.page_inputs import WinningPoints
from ..uncertainty.summary import about_draws

FIRST_SCORE = "f1"
LARGEST_SAFE = 2**53
LARGEST_WEIGHT = 10**9
"""What one may type for a weight stays below, and so do the weights that are carried as integers."""

Weight = float | str
"""The weight of a domain: a number, or the digits of a large integer."""

Policy: TypeAlias = Literal["error", "complete"]
POLICIES = get_args(Policy)
"""What the page can do where domains are missing: it compares on shared domains only."""

LEAST_PRIOR = Fraction(1, 10**6)
"""The least prior of the page, as in state.js."""


def payload(performances: Performances) -> dict[str, Any]:
    """Return what the page carries of performances of two classes: names and numbers, column by column.

    Counts stay integers, else there are exact integers, where there are some, or probabilities, the doubles that they
    are; integers too large for a double are digits.

    >>> found = payload(Performances.from_counts([[50, 10, 5, 35]], names=["unet"]))
    >>> found["entities"], found["tp"], found["counts"]
    (['unet'], [35], True)
    """
    columns: list[list[Any]] = performances.mass.T.tolist()
    if performances.of_integers:
        whole = performances.integers if performances.counts is None else performances.counts
        columns = [digits(column) for column in whole.T]
    numbers = zip(TWO_CLASS.outcomes, columns, strict=True)
    return named(performances) | dict(numbers) | {"counts": performances.counts is not None}


def named(performances: Performances) -> dict[str, Any]:
    """Return the names of entities and domains, once each, and which of them each row is of."""
    entities = list(dict.fromkeys(performances.names))
    domains = None if performances.domains is None else list(dict.fromkeys(performances.domains))
    number = {name: i for i, name in enumerate(entities)}
    columns: dict[str, Any] = {"entities": entities, "domains": domains}
    columns["entity"] = [number[name] for name in performances.names]
    if domains is not None and performances.domains is not None:
        place = {name: i for i, name in enumerate(domains)}
        columns["domain"] = [place[name] for name in performances.domains]
    return columns


def read_of(performances: Performances) -> dict[str, str]:
    """Return the sentence that says what was read, where there is more to say than how much was given."""
    account = performances.account
    return {} if account is None or account.plain else {"read": f"{account.sentence()}."}


def digits(numbers: Iterable[Any]) -> list[int | str]:
    """Return natural numbers as JavaScript reads them exactly: the digits of those that a double may not hold.

    >>> digits([3, 2**60])
    [3, '1152921504606846976']
    """
    return [int(x) if int(x) < LARGEST_SAFE else str(int(x)) for x in numbers]


def opening(asked: Prepared, by: ScoreLike) -> dict[str, Any]:
    """Return the state in which the page opens: the place of a score, the weights of the domains, and the prior."""
    a, b = map(float, as_score(by).place_among(asked.performances))
    shift = asked.shift_prior
    if shift is not None and not LEAST_PRIOR <= shift <= 1 - LEAST_PRIOR:
        raise UsageError(
            [Option("shift_prior"), " is out of the range of the explorer"],
            expected="a number from 0.000001 to 0.999999",
            got=f"{float(shift):g}",
        )
    return {"a": a, "b": b, "weights": start_weights(asked), "prior": None if shift is None else float(shift)}


def start_weights(asked: Prepared) -> list[Weight] | None:
    """Return the weights with which the page opens; None for equal ones on shared domains, which it starts with.

    They are in the exact proportions of the weights: small integers, else digits of integers.
    """
    if asked.given.n_domains < 2 or asked.weighting == "equal" or asked.only_pooled:
        return None
    weights = [asked.weights.get(domain, 0) for domain in dict.fromkeys(asked.given.domains or ())]
    return [weight if weight < LARGEST_WEIGHT else str(weight) for weight in whole_importance(weights)]


def whole_importance(weights: Iterable[Any]) -> tuple[int, ...]:
    """Return weights as natural numbers without a common factor, in their exact proportions.

    >>> whole_importance([0.5, 1, Fraction(1, 4)])
    (2, 4, 1)
    """
    whole = integers_of_fractions(fractions_of(list(weights))).tolist()
    common = gcd(*whole) or 1
    return tuple(weight // common for weight in whole)


def data_of(
    asked: Prepared,
    drawn: Draws | None,
    level: float = LEVEL,
    by: ScoreLike = FIRST_SCORE,
    points: WinningPoints | None = None,
) -> dict[str, Any]:
    """Return the data that the page carries, with draws, and the weights for which these hold, and costs given.

    Where the entities are operating points, it also carries the model of each, and what to know about them. Of several
    domains it says for which weights of each the winner stays first, and the state in which that holds.
    """
    draws, costs = carried(drawn, asked, level), as_score(by).costs
    data = payload(asked.given) | read_of(asked.given) | {"draws": draws and draws | {"weights": start_weights(asked)}}
    if points is not None:
        data |= {"models": list(points.models), "about": list(points.notes)}
    if costs:  # to compute expected costs, and to write them
        each = (costs.correct_rejection, costs.false_alarm, costs.miss, costs.detection)
        data["costs"] = {"each": list(map(float, each)), "unit": costs.unit(), "around": list(costs.around)}
        data["costs"] |= {key: getattr(costs, key) for key in ("per", "heading", "phrase")}
    over = None if points is not None else over_weights(asked, as_score(by), shares=False)
    return data if over is None else data | {"dethroned": {**opening(asked, by), "text": f"{over.about_ranges}."}}


# The simple page

Kind: TypeAlias = Literal["one", "errors", "classes", "outcomes"]
"""One ordering only; misses against false alarms, without tn; several classes; any other outcomes."""

MOST_OUTCOMES = 12
"""So many outcomes get a weight each on the page; of more, only named scores are offered."""

WITHOUT_TN = {"none": 1, "fp": 0, "fn": 0, "tp": 1}
"""The features of misses against false alarms, and how satisfying each is."""

BALANCED = "balanced accuracy"

Wholes: TypeAlias = tuple[int, ...]


class Offered(NamedTuple):
    """A score that the page offers: the weights of the features in what is earned, and in what is lost."""

    name: str
    earned: Wholes
    lost: Wholes


@dataclass(frozen=True)
class Features:
    """The features of a sample space, which are its outcomes, or sums of them, and the scores made of them.

    Of several classes they say how often each one is right, missed, and wrongly predicted. ``extra`` are importances of
    outcomes for which two features stand by themselves, because the others do not make them.

    >>> from rankscape.tasks import retrieval
    >>> features = features_of(retrieval.SPACE)
    >>> features.kind, features.names, features.scores[0]
    ('errors', ('none', 'fp', 'fn', 'tp'), Offered(name='jaccard', earned=(0, 0, 0, 1), lost=(0, 1, 1, 0)))
    """

    space: SampleSpace
    extra: tuple[tuple[str, Wholes], ...] = ()

    @cached_property
    def kind(self) -> Kind:
        """What the page lets choose."""
        if self.space.labels:
            return "classes"
        if len(self.space) == 2:
            return "one"
        given = dict(zip(self.space.outcomes, self.space.satisfaction or (), strict=False))
        without_tn = {"fp", "fn", "tp"} <= given.keys() and given.items() <= WITHOUT_TN.items()
        return "errors" if without_tn else "outcomes"

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
        return {*whole.tolist()} <= {0, scale}

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """What each feature is called, but for the extra ones."""
        parts = ("right", "missed", "wrongly")[: 3 if self.crisp else 2]
        of_classes = tuple(f"{part} {label}" for part in parts for label in self.space.labels)
        return of_classes or (tuple(WITHOUT_TN) if self.kind == "errors" else self.space.outcomes)

    @property
    def names(self) -> tuple[str, ...]:
        """What each feature is called."""
        return self.plain + tuple(f"{name} {side}" for name, _ in self.extra for side in ("earned", "lost"))

    @property
    def size(self) -> Wholes:
        """The weights of the features in what a row is divided by: its cases, or without tn what is to be found."""
        if self.kind == "classes":
            return self._padded((1, 1) * len(self.space.labels))  # right and missed ones
        targets = to_be_found(self.space)
        return self._padded(self._placed(np.ones(len(self.space), dtype=int) if targets is None else targets))

    def _padded(self, weights: Iterable[Any]) -> Wholes:
        """Return weights of the first features; the others have none."""
        first = tuple(map(int, weights))
        return first + (0,) * (len(self.names) - len(first))

    def _placed(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return what each outcome has, in the order of the features."""
        if self.kind != "errors":
            return values
        places = [self.space.outcomes.index(name) if name in self.space.outcomes else -1 for name in WITHOUT_TN]
        return np.concatenate([values, np.zeros_like(values[..., :1])], axis=-1)[..., places]

    def of(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the features (…, some) of performances (…, outcomes), exactly where these are integers."""
        whole, scale, *_ = self.satisfaction
        if values.dtype.kind == "f":
            whole, scale = whole.astype(np.float64) / scale, 1
        lost = scale - whole
        parts = [self._placed(values)]
        if self.kind == "classes":
            square = (len(self.space.labels),) * 2
            right, wrong = ((values * side).reshape(*values.shape[:-1], *square) for side in (whole, lost))
            parts = [right.sum(axis=-1), wrong.sum(axis=-1)] + [wrong.sum(axis=-2)] * self.crisp
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
            return np.asarray(features / sizes)[..., 1 if self.kind == "one" else 0 :]

    def importance_of(self, weights: Sequence[Any], name: str = "") -> Offered | None:
        """Return the sides of an importance of outcomes; None where only two features of its own would make it.

        Of several classes these are all but those that depend on the true class alone.
        """
        whole, scale, *_ = self.satisfaction
        table, width = np.array(weights, dtype=object), len(self.space.labels)
        sides = [self._placed(table * whole).tolist(), self._placed(table * (scale - whole)).tolist()]
        if self.kind == "classes":
            table = table.reshape(width, width)
            if (table != table[:, :1]).any():
                return None
            sides = [table[:, 0].tolist(), [0] * width + table[:, 0].tolist()]
        common = gcd(*map(int, (*sides[0], *sides[1]))) or 1
        return Offered(name, *(self._padded(x // common for x in side) for side in sides))

    @cached_property
    def scores(self) -> tuple[Offered, ...]:
        """The named scores of the space, one of each ordering, else that of equal importances; extra ones last."""
        named = [(name, whole_importance(weights)) for name, weights in self.space.scores.items()]
        ends = (self.space.satisfaction or ()) == (0, 1)
        equal = (f"share of {self.space.outcomes[1]}" if ends else "expected satisfaction", (1,) * len(self.space))
        if self.kind == "one":
            named = [one for one in named if len({*one[1]}) == 1][:1]
        scores: dict[Any, Offered] = {}
        for name, weights in named or [equal]:
            if offered := self.importance_of(weights, name):
                scores.setdefault(offered[1:], offered)
        units = np.eye(len(self.names), dtype=int)[len(self.plain) :].tolist()
        for (name, _), *sides in zip(self.extra, units[::2], units[1::2], strict=True):
            scores[tuple(sides[0]), tuple(sides[1])] = Offered(name, *map(tuple, sides))
        return tuple(scores.values())

    @property
    def start(self) -> dict[str, Any]:
        """The state in which a page opens by default: the score of the task, or the first named one."""
        if self.kind == "errors":
            return {"a": 1.0, "b": 0.5}
        default, names = task_of(self.space).default, [score.name for score in self.scores]
        return {"score": default if default in names else names[0]}

    def state(self, by: Score, performances: Performances) -> dict[str, Any] | None:
        """Return the state of a score: a place, a named one, weights, or a score of one class; else None.

        Raises NoPlaceError for a score that is no ranking score of these performances.
        """
        if self.kind == "one":  # whatever the score
            return self.start
        if self.kind == "classes" and by.name == BALANCED and multi_class.same_priors(performances):
            return {"score": BALANCED}
        importance = importance_at(by, self.space)
        if self.kind == "errors":
            none, fp, fn, tp = self._placed(np.array(importance, dtype=object)).tolist()
            if not none + tp or not fp + fn:
                raise NoPlaceError(f"the explorer cannot open at {by.name}, which is the same for all performances")
            return {"a": tp / (none + tp), "b": fn / (fp + fn)}
        offered = self.importance_of(importance)
        for score in self.scores:
            if offered is not None and score[1:] == offered[1:]:
                return {"score": score.name}
        given: Sequence[Any] = (
            importance if max(importance) < LARGEST_WEIGHT else by.orders_as or ()
        )  # thirds stay thirds
        weights = given[:: len(self.space.labels) or 1]
        several = self.kind == "classes"
        if offered is None or (several and sum(map(bool, weights)) == 1):
            return self._of_class(importance)
        return {"importance": list(map(float, weights))} if several or len(self.space) <= MOST_OUTCOMES else None

    def _of_class(self, importance: Wholes) -> dict[str, Any] | None:
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

    def values_of(self, score: Score | None) -> dict[str, Any]:
        """Return what a page with one ordering writes besides what its features are.

        That is the score, its values where all is lost and earned, and its direction. Between these ends values are
        straight, or roots (of squared errors).
        """
        if score is None or self.kind != "one":
            return {"smaller": False, "root": False, "amounts": False}
        mass = np.array([[1, 0], [0.5, 0.5], [0, 1]])
        low, middle, high = score(Performances.from_trusted(mass, ("",) * 3, None, self.space)).tolist()
        amounts = score.function is not None
        return {
            "range": [low, high], "smaller": score.direction == "smaller",
            "root": not isclose(middle, (low + high) / 2, rel_tol=1e-9), "amounts": amounts,
            "scores": [{"name": score.name, "earned": [0, 1], "lost": [1, 0]}],
            **({"noun": "band"} if amounts else {}),
        }  # fmt: skip


def features_of(space: SampleSpace) -> Features:
    """Return the features of a sample space, with two of their own for each named score that others do not make."""
    features = Features(space)
    named = [(name, whole_importance(weights)) for name, weights in space.scores.items()]
    return replace(features, extra=tuple(one for one in named if features.importance_of(one[1]) is None))


def importance_at(by: Score, space: SampleSpace) -> Wholes:
    """Return the importance that orders as a score does; raises NoPlaceError for one that is no ranking score."""
    if by.orders_as is None:
        raise NoPlaceError(
            f"the explorer cannot open at {by.name}, which is no ranking score of these performances",
            way_out="open it at a ranking score, such as " + (next(iter(space.scores), "an importance")),
        )
    return whole_importance(by.orders_as)


def simple_page(
    asked: Prepared, by: ScoreLike | None, drawn: Draws | None, level: float = LEVEL
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the data that the page carries, and the state in which it opens.

    The data are names, features, the scores made of them, draws, and a hash. Raises NoPlaceError for a score that is no
    ranking score of these performances.

    >>> from rankscape.domains import prepare
    >>> data, start = simple_page(prepare(success.from_counts([3, 4], 5)), None, None)
    >>> data["features"], data["values"], start
    (['failure', 'success'], [[2, 1], [3, 4]], {'score': 'accuracy', 'weights': None})
    """
    given, space = asked.given, asked.given.space
    score = None if by is None else as_score(by, space)
    features = features_of(space)
    start = features.start if score is None else features.state(score, asked.performances)
    if score is not None and start is None:
        one = (score.name, importance_at(score, space))
        features, start = replace(features, extra=(*features.extra, one)), {"score": score.name}
    whole, scale, low, high = features.satisfaction
    names, weights = named(given), start_weights(asked)
    columns = [digits(column) for column in features.of(given.integers.astype(object)).T]
    plain = [*names.values(), space.outcomes, columns[: len(features.plain)]]
    graded, right_or_wrong = success.mean_of_grades(space) is not None, space.outcomes == success.SPACE.outcomes
    weighed = space.outcomes if features.kind == "outcomes" else ()  # each by itself
    draws = carried(drawn, asked, level, features.drawn, _ratios(features, asked), best=MOST_DRAWN)
    values = features.values_of(score)
    data = names | {
        "kind": features.kind,
        "success": right_or_wrong and not graded,
        "graded": graded,
        "outcomes": list(weighed),
        "classes": list(space.labels),
        "none": "none" in space.outcomes,
        "crisp": features.crisp,
        "real": list(map(bool, whole[:: len(space.labels) + 1])) if space.labels else [],
        "features": list(features.names),
        "size": list(features.size),
        "range": [low, high],
        "scores": [
            {"name": name, "earned": digits(earned), "lost": digits(lost)} for name, earned, lost in features.scores
        ],
        "satisfaction": [digits(whole), digits(scale - whole)] if weighed else None,
        "values": columns,
        "counts": given.counts is not None,
        "found": to_be_found(space) is not None,
        "noun": "benchmark" if right_or_wrong else "domain",
        "hash": f"{zlib.crc32(json.dumps(plain).encode()):08x}",
        **read_of(given), "pooled": asked.only_pooled, **values, "draws": draws and draws | {"weights": weights},
    }  # fmt: skip
    if "scores" in values:
        start = {"score": values["scores"][0]["name"]}
    return data, (start or {}) | {"weights": weights}


def _ratios(features: Features, asked: Prepared) -> Iterator[Floats]:
    """Yield what each entity loses per what it earns, by each of the scores."""
    shares = features.of(asked.performances.mass)
    for _, *sides in features.scores:
        earned, lost = ((shares * side).sum(axis=1) for side in sides)
        with np.errstate(invalid="ignore", divide="ignore"):
            yield lost / earned


# The draws that the page carries, so that its numbers are those of Python: prior, FPR and FNR of each entity

MOST_NUMBERS = 786_432
"""This many numbers of 4 bytes make 4 MB of base64."""

PLACES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_DRAWN = 300
"""Of very many entities at most so many are drawn."""

Reduced = Callable[[Floats], Floats]
"""From a block of draws (draws, n, outcomes) to the numbers that a page carries of each, (draws, n, some)."""


def carried(
    drawn: Draws | None,
    asked: Prepared,
    level: float = LEVEL,
    reduced: Reduced | None = None,
    ratios: Iterable[Floats] | None = None,
    best: int = 40,
) -> dict[str, Any] | None:
    """Return the draws as the page takes them, or None where there are none.

    ``data`` are the numbers (draws, n, 3) as base64 of float32, of the entities ``rows``: the share of positives, FPR
    and FNR, so that the page can shift the prior. Of many entities there are fewer draws, or only those entities that
    may be first; then ``left`` says so: they are among the ``best`` by one of the ``ratios`` of what is lost to what is
    earned, by default those at 25 places of the Tile. Of other sample spaces ``reduced`` says which numbers.

    >>> from ..uncertainty.page_inputs import prepared_and_drawn
    >>> asked, drawn, *_ = prepared_and_drawn([[50, 10, 5, 35], [45, 15, 2, 38]], 200)
    >>> found = carried(drawn, asked)
    >>> found["count"], found["rows"], len(found["data"])
    (200, [0, 1], 6400)
    """
    if drawn is None:
        return None
    if drawn.prepared is not None and drawn.prepared.shift_prior is not None:
        raise UsageError(
            "these draws are shifted to a prior already, and the page shifts them itself",
            way_out=[["pass the draws before the shift, and ", Option("shift_prior", 0.2)]],
        )
    n = len(drawn.names)
    rows = np.arange(n) if n <= MOST_TOGETHER else contenders(ratios or _odds(asked), best)
    reduced = reduced or _rates
    numbers = _numbers(drawn, rows, reduced)
    count = len(numbers)
    place = {name: i for i, name in enumerate(dict.fromkeys(asked.given.names))}
    return {
        "count": count,
        "rows": [place[drawn.names[row]] for row in rows.tolist()],
        "kinds": drawn.kinds[rows].tolist(),
        "level": level,
        "least": least(min(n, MOST_TOGETHER), level),
        "data": base64.b64encode(numbers.astype("<f4").tobytes()).decode(),
        "apart": _apart(drawn, rows, level, reduced),
        "notes": [_of_methods(note) for note in about_draws(drawn)],
        "left": _left(n, len(rows), len(drawn), count),
    }


def _of_methods(note: str) -> str:
    """Call entities, or models, methods, as the page does."""
    return re.sub(r"\b(?:model|entity)\b", "method", re.sub(r"\b(?:models|entities)\b", "methods", note))


def _apart(drawn: Draws, rows: Integers, level: float, reduced: Reduced) -> dict[str, Any] | None:
    """Return the draws in which nothing is pooled, and which differences are clear there; None where there are none."""
    if drawn.apart is None or len(rows) < len(drawn.names):
        return None
    numbers = _numbers(drawn.apart, rows, reduced)
    data = base64.b64encode(numbers.astype("<f4").tobytes()).decode()
    return {"count": len(numbers), "data": data, "critical": critical(len(rows), level)}


def _left(n: int, rows: int, draws: int, count: int) -> str:
    if rows < n:
        return f"Only the {rows} of {n} methods that may be first are drawn, {count} of {draws} times, without ranks"
    return "" if count == draws else f"The page carries {count} of {draws} draws: rankscape rank takes all"


def _numbers(drawn: Draws, rows: Integers, reduced: Reduced) -> Floats:
    """Return the numbers of some rows in the draws, as many draws as a page takes: (draws, n, some)."""
    parts: list[Floats] = []
    seen, most = 0, len(drawn)
    for block in drawn.blocks():
        numbers = reduced(np.asarray(block[: most - seen, rows], dtype=np.float64))
        if not parts:
            most = min(most, max(1, MOST_NUMBERS // (len(rows) * numbers.shape[2])))
        parts.append(numbers[: most - seen])
        seen += len(parts[-1])
        if seen >= most:
            break
    return np.concatenate(parts)


def _rates(block: Floats) -> Floats:
    """Return prior, FPR and FNR; NaN where a draw is undefined."""
    tn, fp, fn, tp = np.moveaxis(block, 2, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack([(fn + tp) / (tn + fp + fn + tp), fp / (tn + fp), fn / (fn + tp)], axis=2)


def _odds(asked: Prepared) -> Iterator[Floats]:
    """Yield what each entity loses per what it earns at 25 places of the Tile."""
    tn, fp, fn, tp = asked.performances.mass.T
    for a in PLACES:
        for b in PLACES:
            yield ((1 - b) * fp + b * fn) / ((1 - a) * tn + a * tp)


def contenders(ratios: Iterable[Floats], best: int) -> Integers:
    """Return the rows that may be first: those among the best by one of the ratios, the smaller the better.

    >>> contenders([np.array([0.2, 0.1, 0.3]), np.array([0.2, 0.3, 0.4])], 1).tolist()
    [0, 1]
    """
    ranked = [np.argsort(ratio, kind="stable")[:best].tolist() for ratio in ratios]
    rows = dict.fromkeys(row for place in zip(*ranked, strict=True) for row in place)  # the best of every place first
    return np.sort(list(rows)[:MOST_DRAWN])
