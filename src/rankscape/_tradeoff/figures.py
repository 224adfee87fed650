"""What figures of a trade-off show: its curves and ranks at some swaps, entities as points, and the heuristic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isnan, nan, sqrt
from typing import NamedTuple

import numpy as np

from ..arrays import mean_of
from ..checks import needs_tn
from ..errors import UsageError
from ..geometry.roc import roc_points
from ..kernels.crossings import START
from ..outcomes import RIGHT_SIDE, at
from ..results import Result, Table
from ..typing import Floats
from ..views import PointView, pr, roc
from .record import MOST_DISTINCT, Tradeoff, curves, optimum_texts
from .segments import root

NUMBERS = 120_000
"""Ranks that :func:`rank_steps` returns where there would be more: about as many as a figure can show."""

SHARP = 20_000
"""Swaps up to which curves are drawn with every step: more are too narrow to be seen."""

SAMPLED, SELECTED = 1000, 100
"""Swaps at which curves are drawn where there are more, and where these are too many to be listed."""

READ = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, inf)
"""The β whose rays are drawn where the heuristic is read off."""


def drawn_curve(t: Tradeoff) -> Table:
    """Return the curves as a figure shows them: every step or, of very many swaps, the values at some, evenly spread.

    >>> from rankscape._tradeoff import tradeoff
    >>> t = tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
    >>> drawn_curve(t)["passed"] == t.curve()["passed"]
    True
    """
    total = t.n_discordant
    if total <= SHARP:
        return t.curve()
    listed = total <= MOST_DISTINCT
    numbers = np.unique(np.linspace(1, total, SAMPLED if listed else SELECTED).round().astype(np.int64))
    if listed:
        places = t.crossings.every()
        chosen = np.unique(places[numbers - 1])
        before, upto = (np.searchsorted(places, chosen, side) for side in ("left", "right"))
        swaps = [Fraction(place) for place in chosen.tolist()]
    else:
        crossings = {crossing.place: crossing for crossing in (t.crossings.kth(int(k)) for k in numbers)}
        swaps = sorted(crossings)
        before, upto = (np.array([getattr(crossings[place], side) for place in swaps]) for side in ("before", "upto"))
    betas = np.array([root(t.segment.odds_at(place)) for place in swaps])
    low = np.concatenate([[sqrt(t.limits[0])], betas, betas[-1:]])
    high = np.concatenate([betas[:1], betas, [sqrt(t.limits[1])]])
    return curves(t, low, high, np.concatenate([[0], before + upto, [2 * total]]))


class RankSteps(NamedTuple):
    """The ranks of all entities (m, n), 1 is best, each row from the β of ``low`` to that of ``high``.

    ``n_rankings`` is the number of rankings between the ends, None where it is not counted: there are more than two
    million swaps. Where m is less, m of them are listed, and each stands for those up to the next one.
    """

    names: tuple[str, ...]
    low: Floats
    high: Floats
    ranks: Floats
    n_rankings: int | None


def rank_steps(t: Tradeoff, most: int | None = None) -> RankSteps:
    """Return the ranks of all entities between the ends, at ``most`` places: all of them, or evenly many swaps apart.

    >>> from rankscape._tradeoff import tradeoff
    >>> steps = rank_steps(tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]]))
    >>> steps.low.round(4).tolist(), steps.ranks.astype(int).tolist()
    ([0.0, 0.7454, 0.8498, 1.0], [[1, 2, 3], [2, 1, 3], [3, 1, 2], [3, 2, 1]])
    """
    total = t.n_discordant
    most = max(NUMBERS // max(t.n, 1), 50) if most is None else most
    if total < most:
        swaps = [place for place, _ in t.crossings.distinct()]
        n_rankings: int | None = len(swaps) + 1
    else:
        numbers = np.unique(np.linspace(1, total, max(most - 1, 2)).round().astype(int))
        swaps = sorted({t.crossings.kth(int(k)).place for k in numbers})
        n_rankings = t.n_rankings if total <= MOST_DISTINCT else None
    ranks = t.placed.ranks([START, *(place.as_integer_ratio() for place in swaps)], "min")
    beta = np.array([sqrt(t.limits[0]), *(root(t.segment.odds_at(place)) for place in swaps), sqrt(t.limits[1])])
    return RankSteps(t.names, beta[:-1], beta[1:], ranks, n_rankings)


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
    best = t.heuristic_beta
    if isnan(best):
        raise UsageError("the heuristic β² = E[PFP]/E[PFN] is 0/0 here: no model makes an error")
    members, sizes = t.members
    tn, fp, fn, tp = (mean_of(outcome, sizes) for outcome in members.mass.T)
    prior, rays = fn + tp, {}
    for beta in sorted({*READ, best}):  # a ray from (0, 1) with FPR/FNR = β²π₊/π₋ leaves the unit square below or right
        slope = inf if beta == inf or prior == 1 else beta**2 * prior / (1 - prior)
        rays[beta] = (slope, 0.0) if slope <= 1 else (1.0, 1 - 1 / slope)
    fpr, tpr = roc_points(performances)
    x, y = (part / (part + rest) if part + rest else nan for part, rest in ((fp, tn), (tp, fn)))
    return Heuristic(performances.names, fpr, tpr, (x, y), prior, best, t.beta, rays)
