"""Thought experiments that draw an input, then one of its items: from counts per input to exact performances."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..checks import one_line
from ..errors import DataError
from ..kernels.exact import integers_of_fractions
from ..outcomes import SampleSpace
from ..performances import Performances
from ..typing import Integers


def from_inputs(
    counts: Sequence[Integers], names: Sequence[str], space: SampleSpace, pooled: bool, what: str
) -> Performances:
    """Return performances from fp, fn, tp of every input (m, 3), per entity."""
    none = "none" in space.outcomes
    rows: list[list[Any]] = []
    for name, sets in zip(names, counts, strict=True):
        shares, empty = _drawn(sets, pooled)
        if not none and not any(shares):
            raise DataError(
                f'entity "{one_line(name)}": no {what} has a true or predicted result, so there is none to draw: '
                'pass none=True, which makes "none" an outcome'
            )
        if pooled:  # an input without any item is one draw, as is every item
            items = [int(n) for n in sets.sum(axis=0)]
            rows.append([empty, *items] if none else items)
        else:
            full = Fraction(len(sets) - empty, len(sets))
            rows.append([1 - full, *(full * share for share in shares)] if none else list(shares))
    if pooled:
        return Performances.from_counts(rows, names=names, space=space)
    fractions = np.array(rows, dtype=object).reshape(-1, len(space))
    return Performances.from_exact(integers_of_fractions(fractions), names=names, space=space)


def _drawn(sets: Integers, pooled: bool) -> tuple[list[Fraction], int]:
    """Return P(fp), P(fn), P(tp), and how many inputs have nothing at all, from fp, fn, tp of every input (m, 3).

    An input is drawn, then one of its items; with ``pooled``, one of all items. All 0 where there is no item.
    """
    size = sets.sum(axis=1)
    empty = int((size == 0).sum())
    if pooled or empty == len(sets):
        return [Fraction(int(n), max(int(size.sum()), 1)) for n in sets.sum(axis=0)], empty
    sizes, group = np.unique(size, return_inverse=True)
    sums = np.zeros((len(sizes), 3), dtype=np.int64)
    np.add.at(sums, group, sets)
    share = [
        sum((Fraction(int(n), int(s)) for n, s in zip(column, sizes, strict=True) if s), Fraction(0))
        for column in sums.T
    ]
    return [value / (len(sets) - empty) for value in share], empty
