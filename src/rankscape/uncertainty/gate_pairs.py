"""What the draws of a gate start from: numbers of cases of two models, and the joint kinds of those that they share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..domains import Prepared
from ..io.joint import Units
from ..outcomes import TWO_CLASS, lacks_tn
from ..performances.averages import per_size
from ..typing import Floats
from .engine import UNKNOWN_CASES
from .evidence import Evidence, classes_of
from .gate_draws import HALF, Pair
from .units import single_cases, sorted_units


def pair_of(each: list[Evidence]) -> Pair:
    """Return what draws start from: of one evidence on two models, or of one on each."""
    orders = [in_order(evidence.prepared) for evidence in each]
    first = each[0]
    grid = first.prepared.grid
    weights = np.array([float(grid.weights[d]) for d in orders[0]])
    cells = np.concatenate(
        [np.stack([_cells(evidence, d) for d in order]) for evidence, order in zip(each, orders, strict=True)], axis=1
    )
    side = lacks_tn(first.space)
    classes = classes_of(TWO_CLASS) if side else first.classes
    right = np.stack([cells[..., outcomes[0]] for outcomes in classes], axis=2)
    total = np.stack([cells[..., outcomes].sum(axis=2) for outcomes in classes], axis=2)
    shared = first.units if len(each) == 1 else ()  # what two evidences say of their units is of different cases
    units = [sorted_units(shared[d]) for d in orders[0]] if shared else []
    kinds = tuple(joint_kinds(each_unit, classes) for each_unit in units)
    graded = any(each_unit.grades is not None for each_unit in units)
    if first.unit == "domains" and not grid.pooled:  # weights are of performances, not of cases
        sums = total[..., 1:] if side else total.sum(axis=2, keepdims=True)
        right, total = right / sums * sums.mean(), total / sums * sums.mean()
    half = _half(units, classes) if graded else HALF
    return Pair(weights / weights.sum(), right, total, kinds, first.unit, graded, half, side, grid.pooled)


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
        here = np.ones(len(cluster), dtype=bool) if len(classes) == 1 else np.isin(units.codes[:, 0], outcomes)
        new, old = units.shares(outcomes[0])[here].astype(np.float64).T
        kinds = np.stack([np.minimum(new, old), new - np.minimum(new, old), old - np.minimum(new, old),
                          1 - np.maximum(new, old)], axis=1)  # fmt: skip
        np.add.at(out[:, c], cluster[here], kinds * units.size[here, None])
    return out


def _half(units: Sequence[Units], classes: Sequence[list[int]]) -> float:
    """Return half a case of those that differ by 1 between the two, for grades that differ by less."""
    gains = np.concatenate([np.repeat(np.diff(u.shares(classes[0][0]), axis=1)[:, 0], u.size) for u in units])
    return HALF * float((gains**2).sum() / np.abs(gains).sum()) if gains.any() else HALF


def in_order(prepared: Prepared) -> list[int]:
    """Return the domains that have a weight, in the order of their names: the order of rows changes nothing."""
    grid = prepared.grid
    return sorted(grid.used, key=grid.domains.__getitem__)
