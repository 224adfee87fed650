"""Performances as curves over the diagonal of the Tile: cost curves and decision curves."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..checks import WAYS_TO_EQUAL_PRIORS
from ..errors import DataError, UsageError
from ..geometry.hull import first_intervals
from ..geometry.roc import roc_points
from ..performances import Performances
from ..results import Table
from ..typing import Direction, Floats, PerformancesLike
from .points import View, entities

POINTS = 101
ANSWERS = ("always negative", "always positive")
TREATMENTS = ("treat none", "treat all")


@dataclass(frozen=True, eq=False, repr=False)
class CurveView(View):
    """One curve per entity over x, (n, m), and ``references``, those of the constant answers, (m,) each.

    ``first`` says who is first where, the constant answers competing: (names, low, high) along x, without gaps and
    exactly, not on the grid of x; tied entities together. ``better`` is "smaller" or "larger".

    >>> [(names, round(high, 3)) for names, _, high in cost_curve([[9, 1, 4, 6], [8, 2, 2, 8]]).first]
    [(('always negative',), 0.143), (('P1',), 0.333), (('P2',), 0.8), (('always positive',), 1.0)]
    """

    flavor: Literal["cost", "decision"]
    title: str
    names: tuple[str, ...]
    x: Floats
    values: Floats
    references: dict[str, Floats]
    first: tuple[tuple[tuple[str, ...], float, float], ...]
    x_label: str
    label: str
    better: Direction
    prior: float | None
    subtitle: str = ""

    drawing = "draw_curves"

    def table(self) -> Table:
        """Return one row per curve and x, those of the constant answers at the end: entity, x, value."""
        names = [*self.names, *self.references]
        values = np.concatenate([self.values, *(line[None] for line in self.references.values())])
        entity = [name for name in names for _ in self.x]
        return Table({"entity": entity, "x": np.tile(self.x, len(names)), "value": values.ravel()})


def cost_curve(performances: PerformancesLike, points: int = POINTS) -> CurveView:
    """Return the cost curves: normalized expected cost FNR·PC + FPR·(1 − PC) over the probability-cost PC, in [0, 1].

    PC = π₊c_fn / (π₊c_fn + π₋c_fp) says how much the positive class matters, by its share and its costs together;
    smaller is better, and a line is straight. It is the diagonal of the Tile: with t = PC·π₋ / (PC·π₋ + (1 − PC)·π₊)
    the cost is 1 − R_{t,t}, so t = PC for priors of ½. Priors may differ. Raises DataError where a class has no cases.
    (Drummond and Holte, Cost curves, 2006.)

    >>> view = cost_curve([[9, 1, 4, 6]], points=3)
    >>> view.x.tolist(), view.values.round(12).tolist(), view.references["always positive"].tolist()
    ([0.0, 0.5, 1.0], [[0.1, 0.25, 0.4]], [1.0, 0.5, 0.0])
    """
    if points < 2:
        raise UsageError(f"a curve needs at least 2 points; got {points}")
    performances, subtitle = entities(performances)
    prior = performances.common_prior()
    first = _first(performances if prior is not None else performances.shift_priors(Fraction(1, 2)), *ANSWERS)
    fpr, tpr = (rate[:, None] for rate in roc_points(performances))
    x = np.linspace(0, 1, points)
    return CurveView(
        flavor="cost", title="Expected cost, for all costs and priors", names=performances.names, x=x,
        values=(1 - tpr) * x + fpr * (1 - x), references=dict(zip(ANSWERS, (x.copy(), 1 - x), strict=True)),
        first=first, x_label="probability-cost PC", label="normalized expected cost", better="smaller", prior=prior,
        subtitle=subtitle,
    )  # fmt: skip


def decision_curve(performances: PerformancesLike, thresholds: ArrayLike | None = None) -> CurveView:
    """Return the decision curves: net benefit P(tp) − P(fp)·p_t/(1 − p_t) over the threshold p_t, in [0, 1).

    p_t is the probability above which one acts, so that a false alarm costs p_t/(1 − p_t) of what a detection gains.
    Larger is better; "treat none" has 0, "treat all" π₊ − π₋·p_t/(1 − p_t). The order at p_t is that of R_{t,t} at
    t = 1 − p_t, the diagonal of the Tile: net benefit = (R_{t,t}·E[I] − π₋p_t)/(1 − p_t). Every entity is one fixed
    classifier: where it comes from a risk model, its own threshold does not follow p_t. Needs equal priors (DataError).
    (Vickers and Elkin, Decision curve analysis, 2006.)
    Raises DataError where priors differ, UsageError for thresholds outside [0, 1).

    >>> view = decision_curve([[9, 1, 4, 6], [8, 2, 2, 8]], thresholds=[0.2, 0.5])
    >>> view.values.round(12).tolist(), view.references["treat all"].tolist()
    ([[0.2875, 0.25], [0.375, 0.3]], [0.375, 0.0])
    """
    x = np.linspace(0, 0.99, 100) if thresholds is None else np.atleast_1d(np.asarray(thresholds, dtype=np.float64))
    if x.ndim != 1 or not ((x >= 0) & (x < 1)).all():
        raise UsageError("thresholds are probabilities p_t in [0, 1), in one dimension")
    performances, subtitle = entities(performances)
    prior = performances.common_prior()
    if prior is None:
        raise DataError("decision curves need equal priors; here they differ", way_out=WAYS_TO_EQUAL_PRIORS)
    price = x / (1 - x)
    _, fp, _, tp = performances.mass.T[:, :, None]
    first = _first(performances, *TREATMENTS)
    turned = [(names, _threshold(high, prior), _threshold(low, prior)) for names, low, high in first]
    return CurveView(
        flavor="decision", title="Net benefit, for every threshold", names=performances.names, x=x,
        values=tp - fp * price,
        references=dict(zip(TREATMENTS, (np.zeros_like(x), prior - (1 - prior) * price), strict=True)),
        first=tuple(turned[::-1]), x_label="threshold probability", label="net benefit", better="larger", prior=prior,
        subtitle=subtitle,
    )  # fmt: skip


def _threshold(cost: float, prior: float) -> float:
    """Return p_t at a probability-cost: PC = π₊(1 − p_t) / (π₊(1 − p_t) + π₋p_t), solved for p_t."""
    return prior * (1 - cost) / (prior * (1 - cost) + (1 - prior) * cost)


def _first(performances: Performances, never: str, always: str) -> tuple[tuple[tuple[str, ...], float, float], ...]:
    """Return who is first along the probability-cost, by name; rows of nobody are those of a constant answer."""
    return tuple(
        (tuple(performances.names[row] for row in rows) or (never if low == 0 else always,), low, high)
        for rows, low, high in first_intervals(performances, corners=True)
    )
