"""Thought experiments that draw an input, then one of its items: from counts per input to exact performances."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..checks import one_line
from ..errors import DataError, UsageError
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


def units_of(truth: Collection[Any], by_unit: bool, pooled: bool, option: str) -> list[str] | None:
    """Return the names of the inputs, as a mapping has them or by number, where each is to be a domain, else None.

    >>> units_of(["x", "y"], True, False, "by_query"), units_of({"x": 1}, False, False, "by_query")
    (['1', '2'], None)
    """
    if not by_unit:
        return None
    if pooled:
        raise UsageError(f"pooled and {option} contradict each other: inputs count alike, or items do; leave out one")
    return [str(key) for key in truth] if isinstance(truth, Mapping) else [str(i + 1) for i in range(len(truth))]


def by_inputs(
    counts: Sequence[Integers], names: Sequence[str], space: SampleSpace, units: Sequence[str], what: str
) -> Performances:
    """Return one performance per entity and input, each input a domain: their mean is what :func:`from_inputs` gives.

    They are no counts of cases, for the items of one input are not independent. Inputs that are empty for every entity
    are left out, as they are drawn again; those that are empty for some would compare entities on different inputs.
    """
    none = "none" in space.outcomes
    empty = np.stack([sets.sum(axis=1) == 0 for sets in counts])  # (entities, inputs)
    kept: Integers = np.arange(len(units)) if none else np.flatnonzero(~empty.all(axis=0))
    if not none and (empty[:, kept].any() or not len(kept)):
        e, i = np.argwhere(empty)[0] if not len(kept) else np.argwhere(empty[:, kept])[0]
        unit = one_line(units[int(kept[i] if len(kept) else i)])
        raise DataError(
            f'entity "{one_line(names[int(e)])}": on the {what} "{unit}" there is no true or predicted result, so '
            'there is none to draw: pass none=True, which makes "none" an outcome'
        )
    rows = [np.column_stack([lost, sets])[kept, 0 if none else 1 :] for lost, sets in zip(empty, counts, strict=True)]
    return Performances.from_exact(
        np.concatenate(rows).astype(object), names=[name for name in names for _ in kept],
        domains=[units[i] for i in kept.tolist()] * len(names), space=space,
    )  # fmt: skip


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
