"""A box of preferences and priors, and whether one performance is at least as good as another all over it: exactly.

At a place (a, b) and the odds t = π₊/π₋ of a prior to which both are shifted, S ∝ (1−a)·TNR + a·t·TPR and
U ∝ (1−b)·FPR + b·t·FNR, so h = S₁U₂ − S₂U₁ = (1−a)(1−b)·c₀₀ + t·[a(1−b)·c₁₀ + (1−a)b·c₀₁] + t²·ab·c₁₁ with the corner
values c of the rates. For a fixed t it is bilinear in (a, b), so it is negative somewhere only if it is so at a corner.
There it is a quadratic in t, which could dip below 0 between two positive ends only if c₀₀ > 0 and c₁₁ > 0; but then
the first has the larger TNR and TPR, and no coefficient is negative. So the corners of the box in (a, b, prior) decide.
Without a prior t = 1, with the probabilities themselves in place of rates.

Where both have the same odds, with the gains δ₋ = TNR₁ − TNR₂ and δ₊ = TPR₁ − TPR₂, this is h = δ₋·W₋ + δ₊·W₊ with
W₋ = (1−a)(1−b) + t·[a(1−b)·TPR₂ + (1−a)b·FNR₂] and W₊ = t·[a(1−b)·FPR₂ + (1−a)b·TNR₂] + t²·ab: of draws it is computed
so, and no gain is lost in rounding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .._costs import Costs
from ..checks import fraction_of
from ..errors import Option, UsageError
from ..typing import Floats

Interval = tuple[Fraction, Fraction]
Measure: TypeAlias = Sequence[Any]
"""Numbers proportional to tn, fp, fn and tp."""
NAMES = ("a", "b", "beta", "miss", "detection", "prior")
_TERM = re.compile(
    r"([^\W\d_]+)\s*(?:in\s*\[([^\],;]+)[,;]([^\]]+)\]|=\s*([^,;\s]+))\s*(?:[,;]|and\b|$)\s*", re.IGNORECASE
)
_NUMBER = re.compile(r"[+]?(\d{1,20}/\d{1,20}|(\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e[+-]?\d{1,2})?)", re.IGNORECASE)


@dataclass(frozen=True)
class Box:
    """Preferences (a, b) between bounds, and perhaps priors.

    Attributes
    ----------
    a, b
        The bounds, as fractions.
    prior
        The bounds of the prior π₊ to which performances are shifted, or None: their own.
    text
        The box as it was typed.
    costs
        The costs that the box is of, where it is one place.
    successes
        Whether the cases are right or wrong, so that all preferences are one, the accuracy.

    Examples
    --------
    >>> box = parse_box("beta in [0.5, 2], prior in [0.05, 0.2]")
    >>> [str(x) for x in (*box.a, *box.b, *box.prior)]
    ['1', '1', '1/5', '4/5', '1/20', '1/5']
    """

    a: Interval
    b: Interval
    prior: Interval | None
    text: str
    costs: Costs | None = None
    successes: bool = False

    def corners(self) -> Iterator[tuple[Fraction, Fraction]]:
        """Yield the corners (a, b)."""
        yield from dict.fromkeys(product(self.a, self.b))


ACCURACY = Box((Fraction(1), Fraction(1)), (Fraction(1), Fraction(1)), None, "accuracy", successes=True)
"""The only preference of right-or-wrong data, of which successes are detections, and failures misses."""


def parse_box(text: str) -> Box:
    """Return the box of preferences that a text describes.

    The names are a and b (places on the Tile), beta (of F_β; a = 1, b = β²/(1+β²)), miss (how many false alarms a miss
    is worth, b/(1−b)), detection (how many correct rejections a detection is worth, a/(1−a)) and prior (in (0, 1)).

    >>> box = parse_box("a = 1/2, miss in [1, 3]")
    >>> [str(x) for x in (*box.a, *box.b)], box.prior
    (['1/2', '1/2', '1/2', '3/4'], None)
    """
    bounds: dict[str, Interval] = {}
    rest = text.strip()
    if not rest:
        raise UsageError('box: it is empty; expected, for example, "beta in [0.5, 2]"')
    while rest:
        term = _TERM.match(rest)
        if term is None:
            raise UsageError(
                f'box: {rest[:60]!r} is not understood; expected, for example, "beta in [0.5, 2], prior in [0.05, 0.2]"'
            )
        name, low, high, only = term.groups()
        name = name.lower()
        if name not in NAMES or name in bounds:
            problem = "is given twice" if name in bounds else f"is no name; expected one of {', '.join(NAMES)}"
            raise UsageError(f"box: {name!r} {problem}")
        bounds[name] = _interval(name, low or only, high or only)
        rest = rest[term.end() :]
    a = _only(bounds, "a", {"a": lambda x: x, "detection": _place, "beta": lambda _: Fraction(1)})
    b = _only(bounds, "b", {"b": lambda x: x, "miss": _place, "beta": lambda x: _place(x * x)})
    return Box(a, b, bounds.get("prior"), " ".join(text.split()))


def box_of_costs(costs: Costs) -> Box:
    """Return the box that holds one place: where the order is that of the expected cost, at any one prior.

    >>> box = box_of_costs(Costs(miss=4))
    >>> str(box.a[0]), str(box.b[1]), box.text
    ('4/5', '4/5', 'costs: a miss 4, a false alarm 1')
    """
    if not isinstance(costs, Costs):
        raise UsageError(
            [Option("costs"), " are not understood"], expected="rankscape.costs(miss=5, false_alarm=1)",
            got=f"{costs!s:.60}",
        )  # fmt: skip
    correct_rejection, false_alarm, miss, detection = costs.by_outcome
    place = (miss - detection) / (miss - detection + false_alarm - correct_rejection)
    return Box((place, place), (place, place), None, f"costs: {costs.phrase}", costs)


def _only(bounds: dict[str, Interval], name: str, ways: dict[str, Callable[[Fraction], Fraction]]) -> Interval:
    """Return the interval of a coordinate, given in one of several ways."""
    given = [way for way in ways if way in bounds]
    if len(given) > 1:
        raise UsageError(f"box: {given[0]} and {given[1]} each say the same; give one of them")
    if not given:
        first, second, third = ways
        raise UsageError(f"box: it says nothing of {name}; give {first}, {second} or {third}, as in beta in [0.5, 2]")
    low, high = bounds[given[0]]
    return ways[given[0]](low), ways[given[0]](high)


def _place(odds: Fraction) -> Fraction:
    return odds / (1 + odds)


def _interval(name: str, low: str, high: str) -> Interval:
    ends = []
    for text in (low, high):
        if not _NUMBER.fullmatch(text.strip()):
            raise UsageError(f"box: {name} has {text.strip()[:40]!r}; expected a number such as 0.5 or 1/3")
        try:
            ends.append(fraction_of(text.strip()))
        except ZeroDivisionError:
            raise UsageError(f"box: {name} has {text.strip()!r}, a division by 0") from None
    first, last = ends
    if first > last:
        raise UsageError(f"box: {name} in [{low}, {high}]: the first is larger than the second")
    if name in ("a", "b") and last > 1:
        raise UsageError(f"box: {name} must lie in [0, 1]; got {last}")
    if name == "prior" and not 0 < first <= last < 1:
        raise UsageError(f"box: prior must lie inside (0, 1); got [{low}, {high}]")
    return first, last


@dataclass(frozen=True)
class Worst:
    """The corner of a box with the smallest difference of the scores: that difference, exact, and the place.

    Only its sign is that of the whole box: where it is negative, the difference may be larger elsewhere in the box.
    """

    difference: Fraction
    a: Fraction
    b: Fraction
    prior: Fraction | None


def parts_at(row: Measure, a: Any, b: Any, odds: Any = 1) -> tuple[Any, Any]:
    """Return S and S + U of a measure (tn, fp, fn, tp) at a place, of which the score is the ratio; exact if they are.

    >>> parts_at([8, 2, 2, 8], 1, Fraction(1, 5))
    (8, Fraction(10, 1))
    """
    tn, fp, fn, tp = row
    right = (1 - a) * tn + odds * a * tp
    return right, right + (1 - b) * fp + odds * b * fn


def score_at(place: Worst, row: Measure) -> Fraction | None:
    """Return the score of a measure at a place and its prior, exactly; None where it is undefined."""
    odds = Fraction(1)
    if place.prior is not None:  # the rates of each class, up to a factor
        tn, fp, fn, tp = map(Fraction, row)
        row, odds = [tn * (fn + tp), fp * (fn + tp), fn * (tn + fp), tp * (tn + fp)], place.prior / (1 - place.prior)
    right, due = parts_at(row, place.a, place.b, odds)
    return Fraction(right) / due if due else None


def worst_in(box: Box, new: Measure, old: Measure) -> Worst:
    """Return, of the corners of a box, that at which a measure (tn, fp, fn, tp) does worst against another.

    The difference of the scores there is exact, and negative if and only if it is so anywhere in the box; between the
    corners it may be further from 0. Where a score is undefined it is 0.

    >>> worst = worst_in(parse_box("beta in [0.5, 2]"), [8, 2, 2, 8], [9, 1, 4, 6])
    >>> str(worst.difference), str(worst.b)
    ('1/95', '1/5')
    """
    corners = []
    for (a, b), prior in product(box.corners(), dict.fromkeys(box.prior or (None,))):
        corner = Worst(Fraction(0), a, b, prior)
        first, second = score_at(corner, new), score_at(corner, old)
        corners.append(corner if first is None or second is None else replace(corner, difference=first - second))
    return min(corners, key=lambda worst: worst.difference)


def undefined_in(box: Box, row: Measure) -> bool:
    """Tell whether a measure has no score somewhere in a box: S + U, which is not negative, is 0 at a corner."""
    return any(parts_at(row, a, b)[1] == 0 for a, b in box.corners())


def needed_classes(box: Box) -> tuple[bool, bool]:
    """Tell whether any preference of a box weighs what is done with negatives, and with positives.

    >>> needed_classes(parse_box("beta = 1")), needed_classes(parse_box("a = 1, b = 1"))
    ((True, True), (False, True))
    """
    corners = list(box.corners())
    return any(min(a, b) < 1 for a, b in corners), any(max(a, b) > 0 for a, b in corners)


class Rates(NamedTuple):
    """Draws of two models at one prior: rates of right answers of negatives and positives, and the odds π₊/π₋.

    ``old`` (draws, 2) are those of the model in use, ``gain`` (draws, 2) what the new one has more, ``odds`` (draws,).
    """

    old: Floats
    gain: Floats
    odds: Floats


def signs_of_draws(box: Box, rates: Rates, lost: float | Floats = 0.0) -> Floats:
    """Return, for each corner of a box and each draw, the sign of the difference of the scores; NaN if undefined.

    The rates of the model in use are lowered by ``lost`` (draws, 2).
    """
    needed = np.array(needed_classes(box))
    lost = np.where(needed, lost, 0.0)
    gain = np.where(needed, rates.gain, 0.0) + lost
    old = np.where(needed, rates.old, 0.0) - lost
    (tnr, tpr), (more_tnr, more_tpr) = old.T, gain.T
    odds: list[Any] = [np.clip(rates.odds, 0, 1e100)]
    if box.prior is not None:
        odds = [float(prior / (1 - prior)) for prior in dict.fromkeys(box.prior)]
    out = []
    for a, b in ((float(a), float(b)) for a, b in box.corners()):
        for t in odds:
            negative = (1 - a) * (1 - b) + t * (a * (1 - b) * tpr + (1 - a) * b * (1 - tpr))
            positive = t * (a * (1 - b) * (1 - tnr) + (1 - a) * b * tnr) + t * t * a * b
            both = ((tnr, tpr), (tnr + more_tnr, tpr + more_tpr))
            due = [parts_at((x, 1 - x, 1 - y, y), a, b, t)[1] for x, y in both]
            defined = (due[0] > 0) & (due[1] > 0)  # NaN is not
            out.append(np.where(defined, np.sign(more_tnr * negative + more_tpr * positive), np.nan))
    return np.stack(out)
