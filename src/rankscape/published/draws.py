"""Draws of published performances: chance, and what the rounding hides, together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..checks import checked_rng, checked_size
from ..errors import DataError
from ..performances import Performances
from ..typing import Floats, Integers, RandomLike
from ..uncertainty import Draws
from ..uncertainty.draws import given_seed
from .boxes import Box
from .reconstruction import Reconstruction

METHOD = "one of the tables of counts that round to what is printed, then Jeffreys' prior for each rate"


def drawn(
    names: Sequence[str],
    sources: Sequence[Reconstruction | Box],
    observed: Callable[[], Performances],
    draws: int,
    rng: RandomLike,
) -> Draws:
    """Return draws of entities by themselves: each takes one of its tables, all as likely, then the rates behind it.

    Raises DataError for rates without numbers of cases, and where tables are too many to be listed.
    """
    count, seed = checked_size("draws", draws), given_seed(rng)
    entropy = int(checked_rng(rng).integers(2**63)) if seed is None else seed
    order = {name: place for place, name in enumerate(sorted(names))}
    values = np.empty((count, len(names), 4))
    for i, (name, what) in enumerate(zip(names, sources, strict=True)):
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
        generator = np.random.default_rng([entropy, order[name]])  # the order of the rows changes nothing
        values[:, i] = _of_one(what.counts[generator.integers(len(what.counts), size=count)], generator)
    notes = ("Each is drawn by itself, as if the studies had nothing in common, and as if all tables were as likely",)
    return Draws(observed(), lambda: iter((values,)), count, METHOD, paired=False, notes=notes, seed=seed)


def _of_one(counts: Integers, rng: np.random.Generator) -> Floats:
    tn, fp, fn, tp = counts.T + 0.5
    tpr, tnr = rng.beta(tp, fn), rng.beta(tn, fp)
    prior = rng.beta(fn + tp - 0.5, tn + fp - 0.5)
    return np.stack([(1 - prior) * tnr, (1 - prior) * (1 - tnr), prior * (1 - tpr), prior * tpr], axis=-1)
