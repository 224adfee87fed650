"""Rates as they are printed: which score a name stands for, and which values round to what is typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from math import inf, isfinite
from typing import Any

import numpy as np

from .._scores import Score, score_called
from .._scores.names import refuse_ambiguous
from ..checks.numbers import MOST_DECIMALS, as_typed, instead_of_fraction
from ..errors import UnknownOptionError, UsageError
from ..io.headers import PERCENT, in_percent
from ..texts import listed
from ..typing import Floats, Integers

Cells = tuple[Any, Any, Any, Any]
"""tn, fp, fn, tp: integers, or arrays of them."""

SQUARED = frozenset({"mcc", "gmean"})
"""Scores compared by their squares, with their signs."""

OBLIQUE = frozenset({"mcc", "gmean", "or"})
"""Scores that are no ratio of two linear forms of fp and tp, even at given class totals."""

SYNONYMS = {"predictedpositives": "predictionrate", "prevalenceofdisease": "prior"}
"""Names that tables use beside those of the catalogue."""


DEGREES = {"ba": 2, "youden": 2, "gmean": 2, "kappa": 2, "mcc": 4, "plr": 2, "nlr": 2, "or": 2}
"""Degrees of numerator and denominator, where they are not 1."""


def _agreement(tn: Any, fp: Any, fn: Any, tp: Any) -> tuple[Any, Any]:
    return 2 * (tn * tp - fp * fn), (tn + fp) * (fp + tp) + (tn + fn) * (fn + tp)


def _correlation(tn: Any, fp: Any, fn: Any, tp: Any) -> tuple[Any, Any]:
    covariance = tn * tp - fp * fn
    return covariance * abs(covariance), (tn + fp) * (fn + tp) * (tn + fn) * (fp + tp)


FORMULAS: dict[str, Callable[[Any, Any, Any, Any], tuple[Any, Any]]] = {
    "tpr": lambda tn, fp, fn, tp: (tp, fn + tp),
    "fnr": lambda tn, fp, fn, tp: (fn, fn + tp),
    "tnr": lambda tn, fp, fn, tp: (tn, tn + fp),
    "fpr": lambda tn, fp, fn, tp: (fp, tn + fp),
    "ppv": lambda tn, fp, fn, tp: (tp, fp + tp),
    "fdr": lambda tn, fp, fn, tp: (fp, fp + tp),
    "npv": lambda tn, fp, fn, tp: (tn, tn + fn),
    "for": lambda tn, fp, fn, tp: (fn, tn + fn),
    "accuracy": lambda tn, fp, fn, tp: (tn + tp, tn + fp + fn + tp),
    "er": lambda tn, fp, fn, tp: (fp + fn, tn + fp + fn + tp),
    "bennett": lambda tn, fp, fn, tp: (tn + tp - fp - fn, tn + fp + fn + tp),
    "prior": lambda tn, fp, fn, tp: (fn + tp, tn + fp + fn + tp),
    "negativeprior": lambda tn, fp, fn, tp: (tn + fp, tn + fp + fn + tp),
    "predictionrate": lambda tn, fp, fn, tp: (fp + tp, tn + fp + fn + tp),
    "negativerate": lambda tn, fp, fn, tp: (tn + fn, tn + fp + fn + tp),
    "ba": lambda tn, fp, fn, tp: (tn * (fn + tp) + tp * (tn + fp), 2 * (tn + fp) * (fn + tp)),
    "youden": lambda tn, fp, fn, tp: (tn * tp - fp * fn, (tn + fp) * (fn + tp)),
    "gmean": lambda tn, fp, fn, tp: (tn * tp, (tn + fp) * (fn + tp)),
    "jplus": lambda tn, fp, fn, tp: (tp, fp + fn + tp),
    "jminus": lambda tn, fp, fn, tp: (tn, tn + fp + fn),
    "kappa": _agreement,
    "mcc": _correlation,
    "plr": lambda tn, fp, fn, tp: (tp * (tn + fp), fp * (fn + tp)),
    "nlr": lambda tn, fp, fn, tp: (fn * (tn + fp), tn * (fn + tp)),
    "or": lambda tn, fp, fn, tp: (tn * tp, fp * fn),
}
"""Numerator and denominator of the scores that are understood, of gmean and mcc those of the signed squares."""


def has_ratio(by: Score) -> bool:
    """Tell whether a score is a rate of which numerator and denominator are known."""
    return by.known and (by.key in FORMULAS or by.key == "fbeta")


def ratio_of(by: Score) -> Callable[[Cells], tuple[Any, Any]]:
    """Return the function that gives numerator and denominator of a rate, or those of its signed square."""
    if by.key != "fbeta":
        return lambda cells: FORMULAS[by.key](*cells)
    squared = by.parameters["beta"] ** 2
    p, q = squared.numerator, squared.denominator

    def ratio(cells: Cells) -> tuple[Any, Any]:
        _, fp, fn, tp = cells
        return (p + q) * tp, (p + q) * tp + p * fn + q * fp

    return ratio


RATES_ALONE = frozenset(
    {"tpr", "tnr", "fpr", "fnr", "ba", "wa", "youden", "snpv", "sppv", "sivf", "gmean", "plr", "nlr", "or"}
    | {"yuleq", "yuley", "dprime"}
)
"""Scores that do not depend on the share of positives."""


@dataclass(frozen=True)
class Printed:
    """A rate as it is printed: the score, the value with its unit (of the last decimal), and the text as typed.

    All values from ``low`` to ``high`` round to it, both ends included: half up, half down and half to even.
    """

    name: str
    score: Score
    value: Fraction
    unit: Fraction
    text: str

    @property
    def key(self) -> str:
        """The key of the score in the catalogue."""
        return self.score.key

    @property
    def low(self) -> Fraction:
        """The smallest value that rounds to what is printed."""
        return self.ends_within(Fraction(1, 2))[0]

    @property
    def high(self) -> Fraction:
        """The largest value that rounds to what is printed."""
        return self.ends_within(Fraction(1, 2))[1]

    def ends_within(self, slack: Fraction) -> tuple[Fraction, Fraction]:
        """Return the smallest and the largest value of the score that is some units, at most a half, from the print."""
        low, high = self.value - slack * self.unit, self.value + slack * self.unit
        low = max(low, Fraction(self.score.low)) if isfinite(self.score.low) else low
        return low, min(high, Fraction(self.score.high)) if isfinite(self.score.high) else high

    @property
    def degree(self) -> int:
        """The degree of numerator and denominator."""
        return DEGREES.get(self.key, 1)

    @property
    def linear(self) -> bool:
        """Whether numerator and denominator are linear in the counts, whatever the class totals."""
        return self.key not in DEGREES

    def ratio(self, cells: Cells) -> tuple[Any, Any]:
        """Return numerator and denominator, or those of the signed square, of tables of counts."""
        return ratio_of(self.score)(cells)

    def ends(self) -> tuple[Fraction, Fraction]:
        """Return both ends as :meth:`ratio` is compared with them."""
        if self.key not in SQUARED:
            return self.low, self.high
        return self.low * abs(self.low), self.high * abs(self.high)

    def values(self, counts: Integers | Floats) -> Floats:
        """Return the values of the score, (m,), for tables of counts (m, 4); NaN where it has none."""
        top, bottom = (np.asarray(side, dtype=np.float64) for side in self.ratio(tuple(counts.astype(np.float64).T)))
        with np.errstate(all="ignore"):
            ratio = np.where(bottom > 0, top / bottom, np.nan)
        return np.sign(ratio) * np.sqrt(abs(ratio)) if self.key in SQUARED else ratio

    def at(self, value: Fraction, slack: int = 0) -> Printed:
        """Return the same rate with another value; with ``slack`` all values so many units away round to it, too."""
        unit = self.unit * (2 * slack + 1)
        places, percent = len(str(self.unit.denominator)) - 1, "%" in self.text or in_percent(self.name)
        text = f"{float(100 * value):.{max(places - 2, 0)}f} %" if percent else f"{float(value):.{places}f}"
        return Printed(self.name, self.score, value, unit, text)

    def __str__(self) -> str:
        return f"{self.name} {self.text}"


def score_of(name: str) -> Score | None:
    """Return the score that the name of a rate stands for; None where it is no score that can be reconstructed from.

    >>> score_of("Sensitivity (%)").symbol, score_of("F1").key, score_of("AUC")
    ('TPR', 'fbeta', None)
    """
    bare = PERCENT.sub("", name.strip()).replace("_", " ")
    plain = re.sub(r"[\W_]+", "", bare).casefold()
    refuse_ambiguous(name, plain)
    by = score_called(SYNONYMS.get(plain, bare)) if plain and "=" not in bare else None
    return by if by is not None and has_ratio(by) else None


RATES = (
    "sensitivity", "specificity", "precision", "npv", "accuracy", "f1", "balanced_accuracy", "mcc", "kappa", "youden",
    "prevalence", "fpr", "fnr",
)  # fmt: skip
"""The names that errors list."""


def printed(name: str, value: Any, decimals: int | None = None) -> Printed:
    """Return a rate as it is printed: a text with the decimals as typed, or a number with so many ``decimals``.

    Under a name such as "Sensitivity (%)" numbers without a sign are percentages, too. Raises UsageError for what is no
    such value.

    >>> rate = printed("sensitivity", "83.1 %")
    >>> str(rate.low), str(rate.high)
    ('1661/2000', '1663/2000')
    >>> printed("recall", 0.8, decimals=2).unit, printed("recall", "0,8").unit
    (Fraction(1, 100), Fraction(1, 10))
    """
    by, percent = score_of(name), in_percent(name)
    if by is None:
        near = get_close_matches(name, (*RATES, "n", "n_positive", "n_negative", "decimals"), 1)
        raise UnknownOptionError(
            f"{name!r} is not a rate from which counts can be reconstructed", expected=f"one of {listed(RATES)}, …",
            way_out=f"did you mean {near[0]}?" if near else "",
        )  # fmt: skip
    typed = as_typed(name, value, decimals, percent)
    if typed is None:
        raise UsageError(
            f"{name} = {value[:60]!r} is not a number", expected='one such as "0.83", "0,83" or "83.1 %"',
            way_out=instead_of_fraction(value) or "put intervals and remarks elsewhere",
        )  # fmt: skip
    text, number, unit, percents = typed
    thousands = isinstance(value, str) and by.high == inf and "," in text
    if thousands and re.fullmatch(r"[1-9][0-9]{0,2}[.,][0-9]{3}\s*%?", text):
        raise UsageError(f"{name} = {text!r} may have a decimal comma, or separate thousands", way_out="use a point")
    if not by.low <= number <= by.high:
        hundred = not percents and 1 < number <= 100 and by.high == 1
        high = "∞" if by.high == inf else f"{by.high:g}"
        raise UsageError(
            f"{name} = {text} is out of range", expected=f"a number from {by.low:g} to {high}",
            way_out=[f'write "{name} (%)" in place of "{name}"', f'write "{text} %"'] if hundred else "",
        )  # fmt: skip
    return Printed(name, by, number, unit, text)


def decimals_of(name: str, decimals: int | Mapping[str, int] | None) -> int | None:
    """Return the decimals of one rate. Raises UsageError for what is no such number."""
    chosen = decimals.get(name) if isinstance(decimals, Mapping) else decimals
    if chosen is None:
        return None
    if isinstance(chosen, bool) or not isinstance(chosen, (int, np.integer)) or not 0 <= chosen <= MOST_DECIMALS:
        raise UsageError(f"decimals = {chosen!r} is not a number of decimals", expected=f"0 to {MOST_DECIMALS}")
    return int(chosen)
