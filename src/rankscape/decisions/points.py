"""The operating points of models that win somewhere on the Tile, as entities for the explorer and the card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import groupby

import numpy as np

from ..errors import DataError
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..regions import first
from ..typing import Floats
from ..uncertainty.page_inputs import FLATTERS, NOT_SURE, WinningPoints
from .regions import NEGATIVE, POSITIVE, ModelRegions
from .thresholds import ThresholdSweep

MOST_POINTS = 500
"""Of more operating points those with the largest shares of the Tile are kept."""


def winning_points(
    first_at: Callable[[Fraction | None], ModelRegions],
    hulls: Mapping[str, ThresholdSweep],
    cases: bool,
    most: int = MOST_POINTS,
) -> WinningPoints:
    """Return the operating points that win somewhere on the Tile among those of all models.

    ``first_at`` gives the Tile of models at a prior, or (None) at those of the data. Where these differ, other points
    may win once all share a prior, at whichever: they are there, too. ``cases`` tells whether points are counts of
    cases. Of more than ``most`` points, those with the largest shares of the Tile are kept.
    """
    tile = first_at(None)
    tiles, below = [tile], np.concatenate([points.below for points in hulls.values()])
    if tile.points.common_prior() is None:
        with suppress(DataError):  # a model without cases of one class cannot be shifted
            tiles.append(first_at(Fraction(1, 2)))
    winners = sorted({row for one in tiles for region in one.regions for row in region.rows})
    constant = _constants(tile, winners)
    rows = [row for row in winners if constant.get(row, ("", row))[1] == row]
    notes = [FLATTERS, NOT_SURE]
    if len(rows) > most:
        notes.append(f"Of {len(rows)} thresholds that win somewhere, these are the {most} with the largest shares")
        rows = sorted(sorted(rows, key=_areas(tile, rows).__getitem__, reverse=True)[:most])
    models = [constant[row][0] if row in constant else tile.owners[row] for row in rows]
    names = list(_named(tile, rows, below, constant))
    integers = tile.points.integers[rows]
    if cases:
        points = Performances.from_counts(integers.astype(np.int64), names=names)
    else:
        points = Performances.from_trusted(integers, tuple(names), None, TWO_CLASS)
    return WinningPoints(points, tuple(models), tuple(notes), len(tile.models))


def _constants(tile: ModelRegions, rows: Iterable[int]) -> dict[int, tuple[str, int]]:
    """Return of each row that calls every case alike what it does, and the first row that is equal to it."""
    known: dict[tuple[str, Fraction], int] = {}
    alike: dict[int, tuple[str, int]] = {}
    for row in rows:
        tn, fp, fn, tp = map(Fraction, tile.points.integers[row])
        call = NEGATIVE if not fp + tp else POSITIVE if not tn + fn else ""
        if call:
            alike[row] = call, known.setdefault((call, (fn + tp) / (tn + fp + fn + tp)), row)
    calls = [call for call, _ in known]
    if len(set(calls)) < len(calls):  # priors differ, so what one calls them is not enough
        alike = {row: (f"{tile.owners[same]}: {call}", same) for row, (call, same) in alike.items()}
    return alike


def _named(
    tile: ModelRegions, rows: Sequence[int], below: Floats, constant: dict[int, tuple[str, int]]
) -> Iterator[str]:
    """Yield readable names, all different: rows of a model follow each other, with decreasing thresholds."""
    for owner, same in groupby(rows, key=tile.owners.__getitem__):
        for row in same:
            yield constant[row][0] if row in constant else f"{owner} at {short(below[row], tile.thresholds[row])}"


def short(below: float, threshold: float) -> str:
    """Return a threshold with three digits, or as many as keep it in (below, threshold]: it predicts the same.

    >>> (
    ...     short(0.2, 0.8391),
    ...     short(0.15271, 0.15274),
    ...     short(-1.25, -1.0),
    ...     short(0.1, 0.1 + 2**-56),
    ...     short(0.0, 1e-9),
    ... )
    ('0.839', '0.15274', '-1', '0.10000000000000002', '1e-09')
    """
    for digits in range(3, 18):
        text = f"{threshold:.{digits}g}"
        if below < float(text) <= threshold:
            return text
        step = float(f"1e{Decimal(threshold).adjusted() - digits + 1}") if threshold else 1.0
        text = f"{float(text) - step:.{digits}g}"
        if below < float(text) <= threshold:
            return text
    return repr(float(threshold))


def _areas(tile: ModelRegions, rows: Sequence[int]) -> dict[int, float]:
    """Return the share of the Tile of each row."""
    names = [f"{row}" for row in rows]
    points = Performances.from_trusted(tile.points.integers[rows], tuple(names), None, TWO_CLASS)
    areas = dict.fromkeys(rows, 0.0)
    for region in first(points):
        areas |= {int(name): region.area for name in region.names}
    return areas
