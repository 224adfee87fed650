"""Draws of published performances: chance, and what the rounding hides, together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import checked_rng, checked_size
from ..errors import DataError
from ..performances import Performances
from ..typing import PosteriorMethod, RandomLike
from ..uncertainty import Draws, drawn_from, evidence_of_counts
from ..uncertainty.draws import APART, given_seed
from .leeway import Leeway
from .reconstruction import Reconstruction

CHOICES = 20
"""How many choices of tables of counts draws are made from, where several tables round to what is printed."""


def drawn(
    names: Sequence[str],
    sources: Sequence[Reconstruction | Leeway],
    draws: int,
    rng: RandomLike,
    method: PosteriorMethod,
) -> Draws:
    """Return draws as of counts; of several tables that round to what is printed each draw takes one, all as likely.

    Raises DataError for rates without numbers of cases, and where tables are too many to be listed.
    """
    count, seed = checked_size("draws", draws), given_seed(rng)
    tables = [_counts(name, what) for name, what in zip(names, sources, strict=True)]
    nearest = _of_counts(names, [what.nearest() for what in sources if isinstance(what, Reconstruction)])
    if all(len(counts) == 1 for counts in tables):
        return drawn_from(evidence_of_counts(nearest), count, rng, method)
    entropy = int(checked_rng(rng).integers(2**63)) if seed is None else seed
    order = {name: place for place, name in enumerate(sorted(names))}  # the order of the rows changes nothing
    choices = min(CHOICES, count)
    picks = [np.random.default_rng([entropy, order[name]]).integers(len(counts), size=choices)
             for name, counts in zip(names, tables, strict=True)]  # fmt: skip
    parts = []
    for i in range(choices):
        chosen = [counts[rows[i]] for rows, counts in zip(picks, tables, strict=True)]
        generator = np.random.default_rng([entropy, len(names), i])
        parts.append(drawn_from(evidence_of_counts(_of_counts(names, chosen)), -(-count // choices), generator, method))
    first = drawn_from(evidence_of_counts(nearest), count, entropy, method)
    phrase = f"{choices} choices of the tables of counts that round to what is printed, and of each {first.method}"
    notes = (*first.notes, "All tables of counts that round to the same rates are taken as equally likely")
    printed = [counts.tobytes() for counts in tables]
    same = np.array([printed.index(one) for one in printed])
    mixed = replace(first, method=phrase, notes=notes, seed=seed, source=lambda: _in_turn(parts), same=same)
    apart = [replace(part.apart, count=-(-APART // choices)) for part in parts if part.apart is not None]
    return replace(
        mixed, apart=replace(mixed, apart=None, count=APART, source=lambda: _in_turn(apart)) if apart else None
    )


def _in_turn(parts: Sequence[Draws]) -> Iterator[NDArray[Any]]:
    for part in parts:
        yield from part.blocks()


def _of_counts(names: Sequence[str], counts: Sequence[Any]) -> Performances:
    return Performances.from_counts(np.array(counts), names=list(names))


def _counts(name: str, what: Reconstruction | Leeway) -> NDArray[Any]:
    """Return the tables of counts of one entity. Raises DataError where there are none."""
    if not isinstance(what, Reconstruction):
        raise DataError(
            f"rankscape cannot estimate the uncertainty: {name!r} has rates, but no numbers of cases",
            way_out="add columns n_positive and n_negative, or leave it out",
        )
    if what.counts is None:
        raise DataError(
            "rankscape cannot estimate the uncertainty: more than a million tables of counts round to the rates "
            f"of {name!r}",
            way_out="add columns n_positive and n_negative, or more decimals",
        )
    return what.counts
