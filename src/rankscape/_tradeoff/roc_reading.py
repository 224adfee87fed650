"""What figures of a trade-off show beside its curves: entities as points, and the heuristic read off in ROC space."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isnan, nan

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import mean_of
from ..checks import needs_tn
from ..errors import UsageError
from ..geometry.roc import roc_points
from ..outcomes import RIGHT_SIDE, at
from ..results import Result, Table
from ..typing import Floats
from ..views import PointView, pr, roc
from .result import Tradeoff
from .summary import optimum_texts

READ = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, inf)
"""The β whose rays are drawn where the heuristic is read off."""


def points(t: Tradeoff, zoom: bool = True) -> PointView:
    """Return the entities in ROC space with lines along which the optimum is equal.

    Where priors differ, or true negatives are not known, they are in PR space, with the lines of an F_β alone. Where
    every score between the ends is optimal there are no lines.

    >>> from rankscape._tradeoff import tradeoff
    >>> view = points(tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]]))
    >>> view.flavor, view.preference.symbol, points(tradeoff([[80, 2, 9, 9], [70, 6, 6, 12]])).flavor
    ('roc', 'F_0.745', 'pr')
    """
    performances = t.performances[t.rows]
    in_roc = performances.space != RIGHT_SIDE and performances.common_prior() is not None
    lined = t.n_discordant and (in_roc or t.segment.is_f_beta)
    view = (roc if in_roc else pr)(performances, by=at(*t.place) if lined else None, zoom=zoom)
    if view.preference is None or not t.segment.is_f_beta:
        return view
    name = f"F_{optimum_texts(t)[1]}"
    return replace(view, preference=replace(view.preference, label=name, symbol=name))


@dataclass(frozen=True, eq=False, repr=False)
class Heuristic(Result):
    """The heuristic β² = E[PFP]/E[PFN] in ROC space: on a ray from (0, 1), β² = π₋FPR/(π₊FNR) is the same everywhere.

    ``fpr`` and ``tpr`` (n,) are the entities, ``mean`` the summarized performance, of prior ``prior``, on the ray
    of ``beta``; ``rays`` the points where the rays of other β, and the one of ``beta``, leave the unit square.
    ``optimum`` is the β that they estimate. (Optimal trade-off, A.3.8.)
    """

    names: tuple[str, ...]
    fpr: Floats
    tpr: Floats
    mean: tuple[float, float]
    prior: float
    beta: float
    optimum: float
    rays: dict[float, tuple[float, float]]

    def table(self) -> Table:
        """Return one row per ray: its β, and where it leaves the unit square."""
        x, y = np.array(list(self.rays.values())).T
        return Table({"beta": list(self.rays), "fpr": x, "tpr": y})


def heuristic(t: Tradeoff) -> Heuristic:
    """Return what it takes to read the heuristic off in ROC space; raises UsageError where the paper has none.

    >>> from rankscape._tradeoff import tradeoff
    >>> reading = heuristic(tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]]))
    >>> (
    ...     [round(x, 4) for x in reading.mean],
    ...     round(reading.beta, 4),
    ...     [round(x, 4) for x in reading.rays[1.0]],
    ... )
    ([0.0488, 0.5833], 0.7303, [0.2195, 0.0])
    """
    if not t.segment.is_f_beta:
        raise UsageError(
            f"the heuristic is read off in ROC space between precision and recall, not between {' and '.join(t.ends)}"
        )
    performances = t.performances[t.rows]
    if performances.space == RIGHT_SIDE:
        raise needs_tn("the heuristic read off in ROC space")
    if isnan(t.heuristic_beta):
        raise UsageError("the heuristic β² = E[PFP]/E[PFN] is 0/0 here: no model makes an error")
    members, sizes = t.members
    tn, fp, fn, tp = (mean_of(outcome, sizes) for outcome in members.mass.T)
    fpr, tpr = roc_points(performances)
    x, y = (part / (part + rest) if part + rest else nan for part, rest in ((fp, tn), (tp, fn)))
    return Heuristic(
        names=performances.names, fpr=fpr, tpr=tpr, mean=(x, y), prior=fn + tp, beta=t.heuristic_beta,
        optimum=t.beta if t.n_discordant else nan,
        rays={beta: _leaves(beta, fn + tp) for beta in sorted({*READ, t.heuristic_beta})},
    )  # fmt: skip


def _leaves(beta: float, prior: float) -> tuple[float, float]:
    """Return where the ray from (0, 1) with FPR/FNR = β²π₊/π₋ leaves the unit square."""
    slope = inf if isnan(beta) or beta == inf or prior == 1 else beta**2 * prior / (1 - prior)
    return (slope, 0.0) if slope <= 1 else (1.0, 1 - 1 / slope)


def coordinate(beta: ArrayLike) -> Floats:
    """Return b = β²/(1+β²), in [0, 1] for β in [0, ∞].

    >>> coordinate([0, 1, 2, inf]).tolist()
    [0.0, 0.5, 0.8, 1.0]
    """
    given = np.asarray(beta, dtype=np.float64)
    with np.errstate(divide="ignore", over="ignore"):
        return np.asarray(np.where(given == 0, 0.0, 1 / (1 + 1 / np.where(given == 0, 1.0, given) ** 2)))
