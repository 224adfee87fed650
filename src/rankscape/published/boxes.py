"""Rates without a number of cases: the box of true positive rates, true negative rates and prevalences they leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from ..errors import DataError, UsageError
from .rates import Printed

Solved = Callable[[Fraction, Fraction, Fraction, Printed], Fraction]


@dataclass(frozen=True)
class Range:
    """A rate between two ends, and the value nearest to what is printed."""

    low: Fraction
    high: Fraction
    value: Fraction

    def __and__(self, other: Range) -> Range:
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Range(low, high, min(max(self.value, low), high))


@dataclass(frozen=True)
class Box:
    """The ranges of TPR, TNR and prevalence; the last is None where nothing is known about it."""

    tpr: Range
    tnr: Range
    prior: Range | None


def _range(rate: Printed, other_way_round: bool = False) -> Range:
    if other_way_round:
        return Range(1 - rate.high, 1 - rate.low, 1 - rate.value)
    return Range(rate.low, rate.high, rate.value)


def _odds(prior: Fraction) -> Fraction:
    return prior / (1 - prior)


def _beta(rate: Printed) -> Fraction:
    return rate.score.parameters["beta"] ** 2


TNR_FROM: dict[str, Solved] = {
    "youden": lambda r, t, p, _: r + 1 - t,
    "ba": lambda r, t, p, _: 2 * r - t,
    "accuracy": lambda r, t, p, _: (r - p * t) / (1 - p),
    "er": lambda r, t, p, _: (1 - r - p * t) / (1 - p),
    "ppv": lambda r, t, p, _: 1 - t * _odds(p) * (1 - r) / r,
    "fdr": lambda r, t, p, _: 1 - t * _odds(p) * r / (1 - r),
    "npv": lambda r, t, p, _: r / (1 - r) * (1 - t) * _odds(p),
    "for": lambda r, t, p, _: (1 - r) / r * (1 - t) * _odds(p),
    "fbeta": lambda r, t, p, rate: 1 - _odds(p) * ((1 + _beta(rate)) * t * (1 / r - 1) - _beta(rate) * (1 - t)),
}
"""The TNR that belongs to a rate, a TPR and a prevalence; it rises or falls with each of them."""

TPR_FROM: dict[str, Solved] = {
    "youden": TNR_FROM["youden"],
    "ba": TNR_FROM["ba"],
    "accuracy": lambda r, s, p, _: (r - (1 - p) * s) / p,
    "er": lambda r, s, p, _: (1 - r - (1 - p) * s) / p,
    "ppv": lambda r, s, p, _: r / (1 - r) * (1 - s) / _odds(p),
    "fdr": lambda r, s, p, _: (1 - r) / r * (1 - s) / _odds(p),
    "npv": lambda r, s, p, _: 1 - s / _odds(p) * (1 - r) / r,
    "for": lambda r, s, p, _: 1 - s / _odds(p) * r / (1 - r),
}
"""The TPR that belongs to a rate, a TNR and a prevalence."""

WITHOUT_PRIOR = ("youden", "ba")
OF_PRECISION = ("ppv", "fdr", "fbeta")


def box_of(rates: Sequence[Printed]) -> Box:
    """Return the box that rates leave, outwards where one is derived from the others.

    Raises UsageError for rates that do not say enough, and DataError for those that contradict each other.
    """
    prior = _both(rates, "prior", "negativeprior")
    tpr, tnr = _both(rates, "tpr", "fnr"), _both(rates, "tnr", "fpr")
    if tpr is not None and tnr is None:
        tnr = _derived(rates, tpr, prior, TNR_FROM)
    elif tnr is not None and tpr is None:
        tpr = _derived(rates, tnr, prior, TPR_FROM)
    if tpr is not None and tnr is None and prior is None and any(rate.key in OF_PRECISION for rate in rates):
        raise UsageError(
            "recall and precision, or F1, leave the number of negatives open",
            expected="the prevalence, or n and n_positive, too",
            way_out="add a column prevalence, with as many decimals as are known",
        )
    if tpr is None or tnr is None:
        raise UsageError(
            "without n these rates do not say enough",
            expected="sensitivity and specificity, or one of them, the prevalence, and precision, npv, accuracy or F1",
        )
    return Box(tpr, tnr, prior)


def _both(rates: Sequence[Printed], key: str, complement: str) -> Range | None:
    """Return the range that a rate and its complement leave, None where neither is given."""
    chosen = [rate for rate in rates if rate.key in (key, complement)]
    out: Range | None = None
    for rate in chosen:
        one = _range(rate, rate.key == complement)
        out = one if out is None else out & one
    if out is not None and out.low > out.high:
        raise DataError(f"{' and '.join(map(str, chosen))} contradict each other", way_out="check them")
    return out


def _derived(rates: Sequence[Printed], known: Range, prior: Range | None, table: dict[str, Solved]) -> Range | None:
    """Return the range of the other rate over the corners, for it rises or falls with each number."""
    out: Range | None = None
    for rate in rates:
        if rate.key not in table or (prior is None and rate.key not in WITHOUT_PRIOR):
            continue
        share = prior or Range(Fraction(1, 2), Fraction(1, 2), Fraction(1, 2))
        solved = table[rate.key]
        try:
            corners = [
                solved(*corner, rate)
                for corner in product((rate.low, rate.high), (known.low, known.high), (share.low, share.high))
            ]
            value = solved(rate.value, known.value, share.value, rate)
        except ZeroDivisionError:  # an end at 0 or 1, at which the other rate may be anything
            continue
        low, high = max(min(corners), Fraction(0)), min(max(corners), Fraction(1))
        if low > high:
            raise DataError(
                f"{rate} contradicts the other rates: no rate between 0 and 1 goes with it", way_out="check it"
            )
        one = Range(low, high, min(max(value, low), high))
        out = one if out is None else out & one
        if out.low > out.high:
            raise DataError(f"{rate} contradicts the other rates", way_out="check it")
    return out
