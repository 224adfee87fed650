"""What a row of outcomes is divided by before rows are added: the one rule behind every average of performances.

With true negatives, all entities share the cases of a domain, so a row is divided by its sum. Without them, that sum
depends on the entity (false positives in one domain would raise recall), and what all share is what is to be found: a
row is divided by fn + tp. Where nothing is to be found, only counts can be added: they are *pooled*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Integers
from ..errors import DataError, Option, UsageError
from ..kernels.exact import integers_of_fractions, weighted
from ..outcomes import SampleSpace, to_be_found
from ..texts import counted, one_line, some


def numbered(column: Sequence[str]) -> tuple[tuple[str, ...], Integers]:
    """Return the different texts of a column, in the order of their first appearance, and the number of each.

    >>> numbered(["b", "a", "b"])
    (('b', 'a'), array([0, 1, 0]))
    """
    number = {text: i for i, text in enumerate(dict.fromkeys(column))}
    return tuple(number), np.array([number[text] for text in column], dtype=np.int64)


def arrangement(
    names: Sequence[str], domains: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...], Integers]:
    """Return the entities, the domains, and the row of each entity on each domain, −1 where it lacks the domain.

    >>> arrangement(["m", "m", "n"], ["x", "y", "y"])[2].tolist()
    [[0, 1], [-1, 2]]
    """
    (entities, e), (places, d) = numbered(names), numbered(domains or ("",) * len(names))
    rows = np.full((len(entities), len(places)), -1, dtype=np.int64)
    rows[e, d] = np.arange(len(names))
    return entities, places, rows


def gaps_in_words(rows: Integers, entities: Sequence[str], domains: Sequence[str]) -> str:
    """Return which cells are missing, of rows as :func:`arrangement` gives them."""
    holes = np.argwhere(rows < 0).tolist()
    cells = some(holes, 3, "", word=lambda cell: f'"{one_line(entities[cell[0]])}" on "{one_line(domains[cell[1]])}"')
    return f"{counted(len(holes), 'cell')} of {rows.size} missing ({cells})"


def weighted_parts(table: Any, rows: Integers, weights: NDArray[Any], pooled: bool = False) -> NDArray[Any]:
    """Return weight·P of rows (n, m) of performances, (n, m, outcomes) up to a factor per entity; 0 where one is −1.

    ``weights`` (n or 1, m) are fractions. The parts are integers where the performances come from some, else floats.
    """
    here, added = rows >= 0, pooled or rows.shape[1] == 1  # then nothing is to be brought to one scale
    if table.of_integers:
        whole = table.fitting()
        parts, shares = whole[rows], np.where(here, weights**0 if pooled else integers_of_fractions(weights), 0)
        parts[~here] = 0
        return weighted(parts, shares, sizes_of(whole, table.space, added)[rows])
    numbers = weights.astype(np.float64)
    mass = table.mass if added else per_size(table.mass, table.space)
    return np.asarray(numbers[..., None] * np.where((here & (numbers > 0))[..., None], mass[rows], 0.0))


def averaged(table: Any, names: tuple[str, ...], rows: Integers, weights: NDArray[Any], pooled: bool = False) -> Any:
    """Return performances, one per name: the averages of rows with weights, as for :func:`weighted_parts`."""
    parts = weighted_parts(table, rows, weights, pooled)
    if table.of_integers:
        sums = parts.sum(axis=1)
        sums //= np.gcd.reduce(sums, axis=1)[:, None]
    else:  # sorted, so that the order of the domains changes nothing
        sums = np.sort(parts, axis=1).sum(axis=1)
    return table.from_trusted(sums, names, None, table.space, table.account)


def sizes_of(rows: NDArray[Any], space: SampleSpace, pooled: bool = False) -> NDArray[Any]:
    """Return what rows (…, k) of outcomes are divided by: their sums, without tn what is to be found; 1 where pooled.

    >>> from ..outcomes import TWO_CLASS, WITHOUT_TN
    >>> rows = np.array([[8, 1, 1]])
    >>> sizes_of(rows, WITHOUT_TN).tolist(), sizes_of(rows, WITHOUT_TN, pooled=True).tolist()
    ([2], [1])
    >>> sizes_of(np.array([[90, 8, 1, 1]]), TWO_CLASS).tolist()
    [100]
    """
    targets = to_be_found(space)
    if pooled and targets is not None:
        return np.ones_like(rows[..., 0])
    return np.asarray((rows if targets is None else rows[..., targets]).sum(axis=-1))


def per_size(mass: Floats, space: SampleSpace) -> Floats:
    """Return probabilities (…, k) as they are added over domains: without tn, per thing to be found; NaN without any.

    >>> from ..outcomes import WITHOUT_TN
    >>> per_size(np.array([[0.5, 0.25, 0.25]]), WITHOUT_TN).tolist()
    [[1.0, 0.5, 0.5]]
    """
    if to_be_found(space) is None:
        return mass
    sizes = sizes_of(mass, space)[..., None]
    return np.asarray(np.divide(mass, sizes, out=np.full_like(mass, np.nan), where=sizes > 0))


def refuse_weights(domains: Sequence[str], what: str) -> None:
    """Raise where domains with nothing to be found are to be weighed; ``what`` are the weights."""
    if domains:
        where, them = ("the domain ", "it") if len(domains) == 1 else ("", "them")
        raise UsageError(
            f"nothing is to be found on {where}{some(domains, 3, word=one_line)} (fn + tp = 0), and without true "
            f"negatives domains are measured per thing to be found: {what} do not exist there",
            way_out=[["add the counts, with ", Option("weights", "size")], f"leave {them} out"],
        )


def refuse_without_counts(domains: Sequence[str]) -> None:
    """Raise where counts would have to be added, and there are none."""
    where = f"on {some(domains, 3, word=one_line)}"
    raise DataError(
        f"nothing is to be found {where} (fn + tp = 0), so counts must be added, and these are probabilities",
        way_out=["give counts", "leave out what has nothing to be found"],
    )


def refuse_nothing_at_all(empty: Flags, names: Sequence[str]) -> None:
    """Raise for an entity whose counts are all 0 on all domains."""
    if empty.any():
        name = one_line(names[int(np.argmax(empty))])
        raise DataError(f'entity "{name}": all counts are 0 on all domains: a performance needs at least one case')
