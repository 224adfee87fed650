"""Further views of the same numbers: ROC and PR space, cost curves and decision curves."""

from .curves import CurveView, cost_curve, decision_curve, decision_curves
from .points import PointView, Preference, pr, roc

__all__ = ["CurveView", "PointView", "Preference", "cost_curve", "decision_curve", "decision_curves", "pr", "roc"]
__dir__ = __all__.copy  # dir() lists the public names
