"""Rates as they are printed: which score a name stands for, and which values round to what is typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite, lcm
from typing import Any, TypeAlias, cast

import numpy as np

from .._scores import Score, score_called
from .._scores.names import refuse_ambiguous
from ..checks.numbers import MOST_DECIMALS, PERCENT, as_typed, in_percent, instead_of_fraction
from ..errors import UnknownOptionError, UsageError, no_effect
from ..texts import listed
from ..typing import Floats, Integers

Cells: TypeAlias = "Sequence[Any]"
"""tn, fp, fn, tp: integers, or arrays of them."""

Formula: TypeAlias = "Callable[[Cells], tuple[Any, Any]]"
"""Gives numerator and denominator."""

Form: TypeAlias = tuple[Any, Any, Any, Any]
"""The coefficients of a linear form of tn, fp, fn and tp."""

TN, FP, FN, TP = UNITS = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
NONE, ALL, NEGATIVE, POSITIVE, PREDICTED = (0, 0, 0, 0), (1, 1, 1, 1), (1, 1, 0, 0), (0, 0, 1, 1), (0, 1, 0, 1)


def at(form: Form, cells: Cells) -> Any:
    """Return the value of a linear form."""
    a, b, c, d = form
    tn, fp, fn, tp = cells
    return a * tn + b * fp + c * fn + d * tp


def combined(*parts: tuple[Any, Sequence[Any]]) -> Form:
    """Return a sum of linear forms with coefficients."""
    tn, fp, fn, tp = 0, 0, 0, 0
    for factor, (a, b, c, d) in parts:  # most are 0, and sums of fractions take long
        tn += factor * a if a else 0
        fp += factor * b if b else 0
        fn += factor * c if c else 0
        tp += factor * d if d else 0
    return tn, fp, fn, tp


@dataclass(frozen=True)
class Ratio:
    """A ratio of two linear forms, or of these times the negatives, plus two others times the positives.

    >>> FORMULAS["ba"]((60, 20, 5, 15))  # (80 * 15 + 20 * 60) / (2 * 20 * 80)
    (2400, 3200)
    """

    top: Form
    bottom: Form
    of_positives: tuple[Form, Form] | None = None

    @property
    def curved(self) -> bool:
        """Whether it is no ratio of two linear forms."""
        return self.of_positives is not None

    @cached_property
    def slopes(self) -> tuple[Form, Form]:
        """What the share of positives is multiplied by, in shares."""
        top, bottom = self.of_positives or (self.top, self.bottom)
        return combined((1, top), (-1, self.top)), combined((1, bottom), (-1, self.bottom))

    def __call__(self, cells: Cells) -> tuple[Any, Any]:
        """Return numerator and denominator, of degree one or two in the counts."""
        top, bottom = at(self.top, cells), at(self.bottom, cells)
        if self.of_positives is None:
            return top, bottom
        (negative, positive), others = (at(form, cells) for form in (NEGATIVE, POSITIVE)), self.of_positives
        return negative * top + positive * at(others[0], cells), negative * bottom + positive * at(others[1], cells)


def _correlation(cells: Cells) -> tuple[Any, Any]:
    tn, fp, fn, tp = cells
    covariance = tn * tp - fp * fn
    return covariance * abs(covariance), (tn + fp) * (fn + tp) * (tn + fn) * (fp + tp)


OBLIQUE: dict[str, Formula] = {
    "gmean": lambda cells: (cells[0] * cells[3], (cells[0] + cells[1]) * (cells[2] + cells[3])),
    "mcc": _correlation,
    "or": lambda cells: (cells[0] * cells[3], cells[1] * cells[2]),
}
"""Rates that are no ratio of two linear forms of fp and tp, even at given class totals."""

SQUARED = frozenset({"mcc", "gmean"})
"""Rates compared by their squares, with their signs."""

FORMULAS: dict[str, Formula] = {
    "fnr": Ratio(FN, POSITIVE),
    "fpr": Ratio(FP, NEGATIVE),
    "fdr": Ratio(FP, PREDICTED),
    "for": Ratio(FN, (1, 0, 1, 0)),
    "er": Ratio((0, 1, 1, 0), ALL),
    "bennett": Ratio((1, -1, -1, 1), ALL),
    "prior": Ratio(POSITIVE, ALL),
    "negativeprior": Ratio(NEGATIVE, ALL),
    "predictionrate": Ratio(PREDICTED, ALL),
    "negativerate": Ratio((1, 0, 1, 0), ALL),
    "ba": Ratio(TP, NONE, (TN, (2, 2, 0, 0))),
    "youden": Ratio(TP, NONE, ((0, -1, 0, 0), NEGATIVE)),
    "kappa": Ratio((0, 0, 0, 2), PREDICTED, ((0, -2, 0, 0), (1, 0, 1, 0))),
    "plr": Ratio(TP, NONE, (NONE, FP)),
    "nlr": Ratio(FN, NONE, (NONE, TN)),
    **OBLIQUE,
}
"""Numerators and denominators of rates that are no ranking scores, of gmean and mcc those of the signed squares."""


def formula_of(by: Score) -> Formula | None:
    """Return what gives numerator and denominator of a rate, or of its signed square; None for other scores."""
    if not by.known or by.importance is None:
        return FORMULAS.get(by.key) if by.known else None
    common = lcm(*(weight.denominator for weight in by.importance))
    tn, fp, fn, tp = (int(common * weight) for weight in by.importance)
    return Ratio((tn, 0, 0, tp), (tn, fp, fn, tp))


SYNONYMS = {"predictedpositives": "predictionrate", "prevalenceofdisease": "prior"}
"""Names that tables use beside those of the catalogue."""

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

    @cached_property
    def ratio(self) -> Formula:
        """What gives numerator and denominator, or those of the signed square, of tables of counts."""
        return cast("Formula", formula_of(self.score))

    @property
    def form(self) -> Ratio | None:
        """The rate as a ratio of forms; None for one that is none."""
        return self.ratio if isinstance(self.ratio, Ratio) else None

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
    return by if by is not None and formula_of(by) is not None else None


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


def fewest(rates: Sequence[Printed], contradict: Callable[[Sequence[Printed]], bool]) -> list[Printed]:
    """Return some of the rates that contradict each other, of which none can be spared."""
    core = list(rates)
    for rate in rates:
        fewer = [other for other in core if other is not rate]
        if fewer and contradict(fewer):
            core = fewer
    return core


def checked_decimals(decimals: object, values: Iterable[Any]) -> None:
    """Refuse decimals that are no number of them, and those of texts alone, which keep the decimals that they have."""
    if decimals is None:
        return
    if isinstance(decimals, bool) or not isinstance(decimals, (int, np.integer)) or not 0 <= decimals <= MOST_DECIMALS:
        raise UsageError(f"decimals = {decimals!r} is not a number of decimals", expected=f"0 to {MOST_DECIMALS}")
    if all(isinstance(value, str) for value in values):
        raise no_effect("decimals", "texts keep the decimals as typed")
