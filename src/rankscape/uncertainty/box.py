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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .._costs import OUTCOMES, Costs
from ..checks import fraction_of_text
from ..errors import Option, UsageError
from ..typing import Floats

Interval = tuple[Fraction, Fraction]
CostsLike: TypeAlias = Costs | Mapping[str, float] | Sequence[float]
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

    See Also
    --------
    rankscape.uncertainty.parse_box

    Examples
    --------
    >>> import rankscape as rs
    >>> box = rs.uncertainty.parse_box("beta in [0.5, 2], prior in [0.05, 0.2]")
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
        """Yield the corners (a, b).

        Yields
        ------
        tuple of Fraction
            A place (a, b).
        """
        yield from dict.fromkeys(product(self.a, self.b))

    def odds(self) -> Interval:
        """Return the bounds of t = π₊/π₋, the odds of the prior, 1 without a prior.

        Returns
        -------
        tuple of Fraction
            The smallest and the largest.
        """
        if self.prior is None:
            return Fraction(1), Fraction(1)
        low, high = self.prior
        return low / (1 - low), high / (1 - high)


ACCURACY = Box((Fraction(1), Fraction(1)), (Fraction(1), Fraction(1)), None, "accuracy", successes=True)
"""The only preference of right-or-wrong data, of which successes are detections, and failures misses."""


def parse_box(text: str) -> Box:
    """Return the box of preferences that a text describes.

    The names are a and b (places on the Tile), beta (of F_β; a = 1, b = β²/(1+β²)), miss (how many false alarms a miss
    is worth, b/(1−b)), detection (how many correct rejections a detection is worth, a/(1−a)) and prior (in (0, 1)).

    Parameters
    ----------
    text
        Such as "beta in [0.5, 2], prior in [0.05, 0.2]", or "a = 1, b in [1/5, 4/5]".

    Returns
    -------
    Box
        The bounds, as fractions.

    Raises
    ------
    UsageError
        For what is not understood, and for a box without bounds of a or b.

    See Also
    --------
    rankscape.gate : what it is for

    Examples
    --------
    >>> import rankscape as rs
    >>> box = rs.uncertainty.parse_box("a = 1/2, miss in [1, 3]")
    >>> [str(x) for x in (*box.a, *box.b)], box.prior
    (['1/2', '1/2', '1/2', '3/4'], None)
    """
    if not isinstance(text, str):
        raise UsageError("the box of preferences is a text, such as beta in [0.5, 2]", got=type(text).__name__)
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


def box_of_costs(costs: CostsLike) -> Box:
    """Return the box that holds one place: where the order is that of the expected cost, at any one prior.

    ``costs`` are those of :func:`rankscape.costs`, or a mapping such as {"miss": 5, "false-alarm": 1}, where errors
    that are left out cost 1, and right answers nothing.

    >>> box = box_of_costs({"miss": 4})
    >>> str(box.a[0]), str(box.b[1]), box.text
    ('4/5', '4/5', 'costs: a miss 4, a false alarm 1')
    """
    expected = 'costs such as rankscape.costs(miss=5, false_alarm=1), or {"miss": 5, "false_alarm": 1}'
    if isinstance(costs, Costs):
        given = {name: getattr(costs, name) for name in OUTCOMES}
    elif isinstance(costs, Mapping):
        given = {str(name).replace("-", "_"): cost for name, cost in costs.items()}
        if set(given) - set(OUTCOMES):
            raise UsageError([Option("costs"), " are not understood"], expected=expected, got=str(sorted(given)))
    else:
        four = np.asarray(costs).ravel().tolist()
        if len(four) != 4 or four[0] != four[1] or four[2] != four[3]:
            raise UsageError([Option("costs"), " are not understood"], expected=expected, got=str(four)[:60])
        given = {"false_alarm": four[0], "miss": four[3]}
    try:
        exact: dict[str, Any] = {name: fraction_of_text(str(value)) for name, value in given.items()}
    except (ValueError, ZeroDivisionError):
        values = list(given.values())
        raise UsageError([Option("costs"), " are not numbers"], expected=expected, got=f"{values!s:.60}") from None
    of_box: Costs = replace(costs, **exact) if isinstance(costs, Costs) else Costs(**exact)
    false_alarm, miss = (Fraction(weight) for weight in of_box.importance[1:3])
    place = miss / (miss + false_alarm)
    return Box((place, place), (place, place), None, f"costs: {of_box.phrase}", of_box)


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
            ends.append(fraction_of_text(text.strip()))
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


def worst_in(box: Box, new: list[int], old: list[int]) -> Worst:
    """Return, of the corners of a box, that at which a measure (tn, fp, fn, tp) does worst against another.

    The difference of the scores there is exact, and negative if and only if it is so anywhere in the box; between the
    corners it may be further from 0.

    >>> worst = worst_in(parse_box("beta in [0.5, 2]"), [8, 2, 2, 8], [9, 1, 4, 6])
    >>> str(worst.difference), str(worst.b)
    ('1/95', '1/5')
    """
    first, second = (_rates([Fraction(x) for x in row], box.prior is not None) for row in (new, old))
    low, high = box.odds()
    corners = []
    for a, b in box.corners():
        terms = _terms(first, second, a, b)
        for t in dict.fromkeys((low, high)):
            h = terms[0] + t * (terms[1] + t * terms[2])
            due = _due(first, a, b, t) * _due(second, a, b, t)
            corners.append(Worst(h / due if due else Fraction(0), a, b, None if box.prior is None else t / (1 + t)))
    return min(corners, key=lambda worst: worst.difference)


def _due(row: Any, a: Any, b: Any, t: Any) -> Any:
    """Return S + U."""
    tn, fp, fn, tp = row
    return (1 - a) * tn + (1 - b) * fp + t * (a * tp + b * fn)


def _rates(row: Any, shifted: bool) -> tuple[Any, ...]:
    """Return tn, fp, fn, tp as they are, or, where priors are to be shifted, as the rates of each class."""
    tn, fp, fn, tp = row
    if not shifted:
        return tn, fp, fn, tp
    with np.errstate(divide="ignore", invalid="ignore"):
        return tn / (tn + fp), fp / (tn + fp), fn / (fn + tp), tp / (fn + tp)


def _terms(first: Any, second: Any, a: Any, b: Any, sign: int = -1) -> tuple[Any, Any, Any]:
    """Return the coefficients of 1, t and t² of h = S₁U₂ − S₂U₁, or, with another sign, of S₁U₂ + S₂U₁."""
    (tn, fp, fn, tp), (tn2, fp2, fn2, tp2) = first, second
    c00, c01 = tn * fp2 + sign * tn2 * fp, tn * fn2 + sign * tn2 * fn
    c10, c11 = tp * fp2 + sign * tp2 * fp, tp * fn2 + sign * tp2 * fn
    return (1 - a) * (1 - b) * c00, a * (1 - b) * c10 + (1 - a) * b * c01, a * b * c11


def undefined_in(box: Box, row: list[int]) -> bool:
    """Tell whether a measure has no score somewhere in a box: S + U, which is not negative, is 0 at a corner."""
    tn, fp, fn, tp = row
    return any((1 - a) * tn + a * tp + (1 - b) * fp + b * fn == 0 for a, b in box.corners())


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


def signs_of_draws(box: Box, rates: Rates, margin: float | Floats = 0.0) -> Floats:
    """Return, for each corner of a box and each draw, the sign of the difference of the scores; NaN if undefined.

    ``margin`` is the share of its right answers that the model in use is lowered by, or one for each class.
    """
    needed = np.array(needed_classes(box))
    old = np.where(needed, rates.old, 0.0)
    gain = np.where(needed, rates.gain, 0.0) + margin * old
    old = old * (1 - margin)
    (tnr, tpr), (more_tnr, more_tpr) = old.T, gain.T
    odds = [np.clip(rates.odds, 0, 1e100)] if box.prior is None else [float(t) for t in dict.fromkeys(box.odds())]
    out = []
    for a, b in ((float(a), float(b)) for a, b in box.corners()):
        for t in odds:
            negative = (1 - a) * (1 - b) + t * (a * (1 - b) * tpr + (1 - a) * b * (1 - tpr))
            positive = t * (a * (1 - b) * (1 - tnr) + (1 - a) * b * tnr) + t * t * a * b
            due = [
                (1 - a) * x + (1 - b) * (1 - x) + t * (a * y + b * (1 - y))
                for x, y in ((tnr, tpr), (tnr + more_tnr, tpr + more_tpr))
            ]
            defined = (due[0] > 0) & (due[1] > 0)  # NaN is not
            out.append(np.where(defined, np.sign(more_tnr * negative + more_tpr * positive), np.nan))
    return np.stack(out)
