"""Counts of fp, fn and tp per input, such as a query or an image: averaged over the inputs, added, or kept apart."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..checks import one_line
from ..errors import DataError, UsageError
from ..outcomes import SampleSpace
from ..performances import Performances
from ..typing import Integers

UNITS = {"query": "queries", "input": "images"}
"""What the inputs of a task are called, by the name of one."""


def from_inputs(
    counts: Sequence[Integers], names: Sequence[str], space: SampleSpace, pooled: bool | None, what: str
) -> Performances:
    """Return performances from fp, fn, tp of every input (m, 3), per entity: all inputs alike, or pooled.

    Each input is measured per thing to be found, fn + tp; by default counts are added where an input has none.
    """
    nothing = np.flatnonzero(counts[0][:, 1:].sum(axis=1) == 0) + 1  # the truth is the same for all
    if pooled is False and len(nothing):
        raise UsageError(
            f"pooled=False averages per thing to be found, and {what} {nothing[0]} has none", way_out="leave pooled out"
        )
    rows = [_with_none(sets, space) for sets in counts]
    for name, row in zip(names, rows, strict=True):
        if not row.any():
            raise DataError(
                f'entity "{one_line(name)}": no {what} has a true or predicted result: '
                'pass none=True, which makes "none" an outcome'
            )
    if pooled or len(nothing):
        return Performances.from_counts(np.stack([row.sum(axis=0) for row in rows]), names=names, space=space)
    units = [str(i) for i in range(len(rows[0]))]
    each = Performances.from_counts(
        np.concatenate(rows), names=[name for name in names for _ in units], domains=units * len(names), space=space
    )
    return each.over_domains()


def _with_none(sets: Integers, space: SampleSpace) -> Integers:
    """Return the outcomes of every input: one that is empty on both sides is one of "none", where there is that one."""
    none = (sets.sum(axis=1) == 0).astype(np.int64)
    return np.column_stack([none, sets]) if "none" in space.outcomes else sets


def units_of(truth: Collection[Any], by_unit: bool, pooled: bool | None, option: str) -> list[str] | None:
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

    The items of one input are no independent cases, which the space says.
    """
    rows = np.concatenate([_with_none(sets, space) for sets in counts])
    if not rows.any():
        raise DataError(f"no {what} has a true or predicted result: there is nothing to rank")
    return Performances.from_counts(
        rows, names=[name for name in names for _ in units], domains=[*units] * len(names),
        space=replace(space, unit=UNITS[what]),
    )  # fmt: skip
