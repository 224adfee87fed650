"""Draws of what is behind printed rates: chance, and what the rounding hides, together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import checked_rng, checked_size
from ..performances import Performances
from ..typing import PosteriorMethod, RandomLike
from .draws import APART, Draws, drawn_from, given_seed
from .evidence import evidence_of_counts

CHOICES = 20
"""How many choices of tables of counts draws are made from, where several tables round to what is printed."""


def draws_of_tables(
    nearest: Performances, tables: Sequence[NDArray[Any]], draws: int, rng: RandomLike, method: PosteriorMethod
) -> Draws:
    """Return draws as of counts; of several tables that round to what is printed each draw takes one, all as likely.

    ``nearest`` are the performances nearest to what is printed, ``tables`` all counts that each may have, (m, 4).
    """
    count, seed = checked_size("draws", draws), given_seed(rng)
    names = nearest.names
    if all(len(counts) == 1 for counts in tables):
        return drawn_from(evidence_of_counts(nearest), count, rng, method)
    entropy = int(checked_rng(rng).integers(2**63)) if seed is None else seed
    order = {name: place for place, name in enumerate(sorted(names))}  # the order of the rows changes nothing
    choices = min(CHOICES, count)
    picks = [np.random.default_rng([entropy, order[name]]).integers(len(counts), size=choices)
             for name, counts in zip(names, tables, strict=True)]  # fmt: skip
    parts = []
    for i in range(choices):
        chosen = np.array([counts[rows[i]] for rows, counts in zip(picks, tables, strict=True)])
        generator = np.random.default_rng([entropy, len(names), i])
        evidence = evidence_of_counts(Performances.from_counts(chosen, names=list(names)))
        parts.append(drawn_from(evidence, -(-count // choices), generator, method))
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
