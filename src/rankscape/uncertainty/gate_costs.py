"""What the two models of a gate are expected to cost, and the interval of the difference, by the draws of the gate."""

from __future__ import annotations

from fractions import Fraction
from math import nan
from typing import NamedTuple

import numpy as np

from .._costs import Costs
from ..floats import products
from ..performances import Performances
from ..typing import Floats
from .box import Box
from .defaults import FEW
from .gate_draws import Pair, rates_of


class Expenses(NamedTuple):
    """Expected costs per case of both models, how much more the new one costs, and its interval; NaN: not known.

    The interval leaves out the share alpha of the draws at either end, so that it lies below 0 where the gate passes
    without a margin.
    """

    new_cost: float = nan
    old_cost: float = nan
    cost_change: float = nan
    cost_change_low: float = nan
    cost_change_high: float = nan


def expenses(
    box: Box, measures: tuple[list[int], list[int]], pair: Pair | None, draws: int, seed: int, alpha: float
) -> Expenses:
    """Return what both cost at one prior, that of the box or of their measures; nothing is known without costs."""
    costs = box.costs
    if costs is None or not all(map(sum, measures)):
        return Expenses()
    prior = None if box.prior is None else box.prior[0]
    both = Performances.from_exact(list(measures))
    new, old = costs.expected(both if prior is None else both.shift_priors(prior)).tolist()
    change = new - old
    changes = _changes(costs, prior, pair, draws, seed) if pair is not None and draws >= FEW else np.empty(0)
    if not len(changes):
        return Expenses(new, old, change)
    low, high = np.quantile(changes, [alpha, 1 - alpha]).tolist()
    return Expenses(new, old, change, min(low, change), max(high, change))


def _changes(costs: Costs, prior: Fraction | None, pair: Pair, draws: int, seed: int) -> Floats:
    """Return how much more the new model costs in each draw in which that is defined."""
    rates = rates_of(pair, draws, seed)
    weights = np.array(costs.importance[1:3], dtype=np.float64)  # what a right answer saves: of negatives, of positives
    if prior is None:
        odds = np.clip(rates.odds, 0, 1e100)
        shares = np.stack([1 / (1 + odds), odds / (1 + odds)], axis=1)
    else:
        shares = np.broadcast_to([float(1 - prior), float(prior)], rates.gain.shape)
    saved = products(weights[None], (np.where(weights > 0, rates.gain, 0.0) * shares).T)[0]
    return np.asarray(-saved[~np.isnan(saved)])
