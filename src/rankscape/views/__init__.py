"""Further views of the same numbers: ROC, PR and gain space, cost and decision curves, the performance diagram."""

from .curves import CurveView, cost_curve, decision_curve, decision_curves
from .points import PointView, Preference, performance_diagram, pr, precision_recall_gain, roc

__all__ = [
    "CurveView", "PointView", "Preference", "cost_curve", "decision_curve", "decision_curves", "performance_diagram",
    "pr", "precision_recall_gain", "roc"
]  # fmt: skip
__dir__ = __all__.copy  # dir() lists the public names
