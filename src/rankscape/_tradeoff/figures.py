"""What figures of a trade-off show: its curves and ranks at some swaps, and entities as points."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..kernels.crossings import Crossing
from ..outcomes import RIGHT_SIDE, at
from ..results import Table
from ..typing import Floats
from ..views import PointView, pr, roc
from .record import MOST_DISTINCT, Tradeoff, curves, optimum_texts, rankings_after
from .segments import root

NUMBERS = 120_000
"""Ranks that :func:`rank_steps` returns where there would be more: about as many as a figure can show."""

SHARP = 20_000
"""Swaps up to which curves are drawn with every step: more are too narrow to be seen."""

SAMPLED, SELECTED = 1000, 100
"""Swaps at which curves are drawn where there are more, and where these are too many to be listed."""


def drawn_curve(t: Tradeoff) -> Table:
    """Return the curves as a figure shows them: every step or, of very many swaps, the values at some, evenly spread.

    >>> from rankscape._tradeoff import tradeoff
    >>> t = tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
    >>> drawn_curve(t)["passed"] == t.curve()["passed"]
    True
    """
    if t.n_discordant <= SHARP:
        return t.curve()
    if t.n_discordant <= MOST_DISTINCT:
        every = t.crossings.every()
        places = np.unique(every[np.linspace(0, len(every) - 1, SAMPLED).round().astype(np.int64)])
        passed = np.searchsorted(every, places, "left") + np.searchsorted(every, places, "right")
        swaps = [Fraction(place) for place in places.tolist()]
    else:
        crossings = _some_swaps(t, SELECTED)
        passed = np.array([one.before + one.upto for one in crossings])
        swaps = [one.place for one in crossings]
    betas = np.array([root(t.segment.odds_at(place)) for place in swaps])
    low, high = np.sqrt(t.limits)
    doubled = np.concatenate([[0], passed, [2 * t.n_discordant]])
    return curves(t, np.concatenate([[low], betas, betas[-1:]]), np.concatenate([betas[:1], betas, [high]]), doubled)


def _some_swaps(t: Tradeoff, most: int) -> list[Crossing]:
    """Return so many distinct swaps at most, ascending, evenly many swaps apart."""
    numbers = np.unique(np.linspace(1, t.n_discordant, min(most, t.n_discordant)).round().astype(np.int64))
    crossings = {one.place: one for one in map(t.crossings.kth, numbers.tolist())}
    return [crossings[place] for place in sorted(crossings)]


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
    most = max(NUMBERS // max(t.n, 1), 50) if most is None else most
    few = t.n_discordant < most
    swaps = [p for p, _ in t.crossings.distinct()] if few else [one.place for one in _some_swaps(t, most - 1)]
    rankings, low, high = rankings_after(t, swaps, "min")
    return RankSteps(t.names, low, high, rankings, t.n_rankings if t.n_discordant <= MOST_DISTINCT else None)


def points(t: Tradeoff) -> PointView:
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
    view = (roc if in_roc else pr)(performances, by=at(*t.place) if lined else None)
    if view.preference is None or not t.segment.is_f_beta:
        return view
    name = f"F_{optimum_texts(t)[1]}"
    return replace(view, preference=replace(view.preference, label=name, symbol=name))
