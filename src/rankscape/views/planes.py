"""The planes of views: each maps points and lines of ROC space to its own, at a prior."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..geometry.roc import Line, iso_curve_pr, iso_line
from ..kernels.exact import quotients
from ..typing import Floats

Flavor = Literal["roc", "pr", "gain", "diagram"]
CURVE = 121
"""Points of a curved line."""


@dataclass(frozen=True)
class Plane:
    """A plane over ROC space: coordinates, the image of iso-performance lines, the way back; is better to the left?"""

    flavor: Flavor
    title: str
    columns: Callable[..., dict[str, Floats]]  # integers tn, fp, fn, tp → x, y, and further numbers
    no_skill: Callable[[float], list[list[float]]]  # prior → the ends of the line without skill
    curve: Callable[[tuple[float, float], float, float], Floats | None]  # place, prior, value → points (m, 2)
    back: Callable[[float, float, float], tuple[float, float]]  # x, y, prior → FPR, TPR
    image: Callable[[Floats, Floats, float], tuple[Floats, Floats]]  # FPR, TPR, prior → x, y
    left: bool = False


def _gain_line(place: tuple[float, float], prior: float, value: float) -> Floats | None:
    """Return the image of an iso-performance line: FPR/TPR = 1 − precision gain, 1/TPR = 1 + (1 − recall gain)π₋/π₊."""
    line, odds = iso_line(*place, prior, value), (1 - prior) / prior
    return Line(-line.w * odds, -line.u, line.u + line.v + line.w * (1 + odds)).clip()


def _gain_back(x: float, y: float, prior: float) -> tuple[float, float]:
    tpr = 1 / (1 + (1 - x) * (1 - prior) / prior)
    return (1 - y) * tpr, tpr


def _pr_curve(place: tuple[float, float], prior: float, value: float) -> Floats | None:
    points = np.stack(iso_curve_pr(*place, prior, value, CURVE), axis=-1)
    return points if len(points) else None


def _pr_back(x: float, y: float, prior: float) -> tuple[float, float]:
    """Return FPR and TPR of a point; where no performance has such a precision, those of the nearest one."""
    return (min(1.0, x * (1 / y - 1) * prior / (1 - prior)) if y else 1.0), x


def _pr_image(fpr: Floats, tpr: Floats, prior: float) -> tuple[Floats, Floats]:
    return tpr, prior * tpr / (prior * tpr + (1 - prior) * fpr)


def _gain_image(fpr: Floats, tpr: Floats, prior: float) -> tuple[Floats, Floats]:
    return 1 - prior / (1 - prior) * (1 - tpr) / tpr, 1 - fpr / tpr


ROC = Plane(
    "roc", "Who can be first, in ROC space",
    lambda tn, fp, fn, tp: {"fpr": quotients(fp, tn + fp), "tpr": quotients(tp, fn + tp)},
    lambda _: [[0.0, 0.0], [1.0, 1.0]],
    lambda at, prior, value: iso_line(*at, prior, value).clip(), lambda x, y, _: (x, y), lambda x, y, _: (x, y),
    left=True,
)  # fmt: skip
PR = Plane(
    "pr", "Who can be first, in PR space",
    lambda tn, fp, fn, tp: {"recall": quotients(tp, fn + tp), "precision": quotients(tp, fp + tp)},
    lambda prior: [[0.0, prior], [1.0, prior]],
    _pr_curve, _pr_back, _pr_image,
)  # fmt: skip
GAIN = Plane(
    "gain", "Who can be first, in PR-gain space",
    lambda tn, fp, fn, tp: {
        "recall_gain": quotients((tn + fp) * tp - (fn + tp) * fn, (tn + fp) * tp),
        "precision_gain": quotients((tn + fp) * tp - (fn + tp) * fp, (tn + fp) * tp),
    },
    lambda _: [[0.0, 0.0], [1.0, 0.0]],
    _gain_line, _gain_back, _gain_image,
)  # fmt: skip
DIAGRAM = Plane(
    "diagram", "Performance diagram",
    lambda tn, fp, fn, tp: {
        "success_ratio": quotients(tp, fp + tp), "pod": quotients(tp, fn + tp), "csi": quotients(tp, fp + fn + tp),
        "bias": quotients(fp + tp, fn + tp),
    },
    lambda prior: [[prior, 0.0], [prior, 1.0]],
    _pr_curve, _pr_back, lambda x, y, prior: _pr_image(x, y, prior)[::-1],
)  # fmt: skip
