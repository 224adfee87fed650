"""What the draws of a gate start from: numbers of cases of two models, and the joint kinds of those that they share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..domains import Prepared
from ..outcomes import TWO_CLASS, lacks_tn
from ..performances import Units
from ..performances.averages import per_size
from ..typing import Floats
from .engine import UNKNOWN_CASES
from .evidence import Evidence, classes_of
from .gate_draws import Pair
from .units import single_cases, sorted_units


def pair_of(evidence: Evidence) -> Pair:
    """Return what draws start from, of evidence on two models, the new one first."""
    order = in_order(evidence.prepared)
    weights = np.array([float(evidence.prepared.grid.weights[d]) for d in order])
    cells = np.stack([_cells(evidence, d) for d in order])
    side = lacks_tn(evidence.space)
    classes = classes_of(TWO_CLASS) if side else evidence.classes
    right = np.stack([cells[..., outcomes[0]] for outcomes in classes], axis=2)
    total = np.stack([cells[..., outcomes].sum(axis=2) for outcomes in classes], axis=2)
    units = [sorted_units(evidence.units[d]) for d in order] if evidence.units else []
    kinds = tuple(joint_kinds(each, classes) for each in units)
    if evidence.unit == "domains" and not evidence.prepared.grid.pooled:  # weights are of performances, not of cases
        sums = total[..., 1:] if side else total.sum(axis=2, keepdims=True)
        right, total = right / sums * sums.mean(), total / sums * sums.mean()
    return Pair(
        evidence, weights / weights.sum(), right, total, kinds, evidence.unit, evidence.graded, side, tuple(order)
    )


def _cells(evidence: Evidence, d: int) -> Floats:
    """Return the counts of a domain, (models, k), 0 for unknown true negatives; probabilities count as few cases."""
    grid = evidence.prepared.grid
    if evidence.graded or grid.performances.counts is not None:
        cells = np.asarray(evidence.counts(d), dtype=np.float64)
    else:
        cells = per_size(grid.performances.mass, evidence.space)[grid.rows[:, d]] * UNKNOWN_CASES
    return np.insert(cells, 0, 0.0, axis=1) if lacks_tn(evidence.space) else cells


def joint_kinds(units: Units, classes: Sequence[list[int]]) -> Floats:
    """Return how many cases of each class and joint kind there are, (clusters, classes, 4).

    Of graded cases each is a cluster, unless they have some, and shares its mass: both right as far as both grades go.

    >>> joint_kinds(
    ...     Units(np.array([[3, 2], [0, 0], [2, 3]]), np.array([5, 4, 1])), ([0, 1], [3, 2])
    ... ).tolist()
    [[[4.0, 0.0, 0.0, 0.0], [0.0, 5.0, 1.0, 0.0]]]
    """
    if units.grades is not None and units.cluster is None:
        units = single_cases(units)
    cluster = np.zeros(len(units.codes), dtype=np.int64) if units.cluster is None else units.cluster
    out = np.zeros((int(cluster.max()) + 1, len(classes), 4))
    for c, outcomes in enumerate(classes):
        here = np.ones(len(cluster), dtype=bool) if len(classes) == 1 else units.within(outcomes)
        new, old = units.shares(outcomes[0])[here].astype(np.float64).T
        kinds = np.stack([np.minimum(new, old), new - np.minimum(new, old), old - np.minimum(new, old),
                          1 - np.maximum(new, old)], axis=1)  # fmt: skip
        np.add.at(out[:, c], cluster[here], kinds * units.size[here, None])
    return out


def in_order(prepared: Prepared) -> list[int]:
    """Return the domains that have a weight, in the order of their names: the order of rows changes nothing."""
    grid = prepared.grid
    return sorted(grid.used, key=grid.domains.__getitem__)
