"""Counts of fp, fn and tp per input, such as a query or an image: averaged over the inputs, added, or kept apart."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ..checks import one_line
from ..errors import DataError, UsageError
from ..outcomes import SampleSpace
from ..performances import Performances
from ..typing import Integers

INPUTS = {"by_query": ("query", "queries"), "by_image": ("input", "images")}
"""What one input of a task is called, and several, by the argument that keeps them apart."""


def of_inputs(
    counts: Sequence[Integers], names: Sequence[str], space: SampleSpace, truth: Collection[Any],
    pooled: bool | None, option: Literal["by_query", "by_image"], apart: bool,
) -> Performances:  # fmt: skip
    """Return performances from fp, fn, tp of every input (m, 3), per entity: all inputs alike, pooled, or kept apart.

    Each input is measured per thing to be found, fn + tp; by default counts are added where an input has none. Inputs
    that are kept apart are domains, whose mean is what is returned else. The items of one input are no independent
    cases, which their space says.
    """
    what, several = INPUTS[option]
    if apart and pooled:
        raise UsageError(f"pooled and {option} contradict each other: inputs count alike, or items do; leave out one")
    rows = np.stack(counts)
    if "none" in space.outcomes:  # an input that is empty on both sides is one of "none"
        rows = np.concatenate([rows.sum(axis=2, keepdims=True) == 0, rows], axis=2, dtype=np.int64)
    nothing = np.flatnonzero(counts[0][:, 1:].sum(axis=1) == 0) + 1  # the truth is the same for all
    if not apart and pooled is False and len(nothing):
        raise UsageError(
            f"pooled=False averages per thing to be found, and {what} {nothing[0]} has none", way_out="leave pooled out"
        )
    sizes = rows.sum(axis=(1, 2))
    if apart and not sizes.any():
        raise DataError(f"no {what} has a true or predicted result: there is nothing to rank")
    if not apart and not sizes.all():
        raise DataError(
            f'entity "{one_line(names[int(np.argmin(sizes))])}": no {what} has a true or predicted result: '
            'pass none=True, which makes "none" an outcome'
        )
    if not apart and (pooled or len(nothing)):
        return Performances.from_counts(rows.sum(axis=1), names=names, space=space)
    inputs = list(map(str, truth if isinstance(truth, Mapping) else range(1, len(truth) + 1)))
    each = Performances.from_counts(
        rows.reshape(-1, len(space)), names=[name for name in names for _ in inputs], domains=inputs * len(names),
        space=replace(space, unit=several) if apart else space,
    )  # fmt: skip
    return each if apart else each.over_domains()
