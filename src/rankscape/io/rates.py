"""Rates of two classes as ratios of counts, for readers of printed tables: they recompute what is printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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
"""Numerator and denominator of the scores that are understood, of :data:`SQUARED` those of the signed squares."""
