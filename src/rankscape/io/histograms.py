"""Histograms of scores: positives and negatives in bins with fixed edges, counted by any engine, merged exactly."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..account import Account, together
from ..arrays import Floats, Integers, Label
from ..errors import DataError, IncompleteDataWarning, Option, UsageError
from ..texts import counted
from ..typing import TableLike
from .bins import INFINITE, Bins, checked_bins
from .cases import CaseTable, Columns
from .codes import Group, name_order
from .counting import predictions_of, refuse_unknown_invalid, tally_of
from .engines import EngineCases
from .groups import Invalid, Tally, refuse_vanished
from .headers import domain_of
from .opening import opened, with_models
from .rows import coded_rows
from .sheets import quoted
from .terms import Terms

MOST_CELLS = 2**27
"""Numbers of cases, by model, domain, fold and bin, of one class: a gigabyte."""


@dataclass(frozen=True, eq=False)
class ScoreHistograms:
    """Numbers of positives and of negatives by model, domain, fold and bin of the score, (k, domains, folds, bins).

    Bin j holds ``edges[j]`` ≤ score < ``edges[j + 1]``; the first bin is open below and the last one above. Without
    domains or folds these are None, and their axis has the length 1. Names, domains and folds are sorted. Histograms of
    parts of the data, with the same edges, add up with ``+``, in any order, to that of all. Get some from
    ``Accumulator(bins=…).histograms`` or :func:`scored_histograms`.

    >>> from rankscape.io import Accumulator
    >>> first = Accumulator(bins=4).add([0, 1, 1], [0.1, 0.6, 0.9]).histograms
    >>> second = Accumulator(bins=4).add([1, 0], [0.8, 0.3]).histograms
    >>> both = first + second
    >>> both.positives.ravel().tolist(), both.negatives.ravel().tolist(), both.bin_error
    ([0, 0, 1, 2], [1, 1, 0, 0], 0.6666666666666666)
    """

    names: tuple[str, ...]
    domains: tuple[str, ...] | None
    folds: tuple[str, ...] | None
    edges: Floats
    positives: Integers
    negatives: Integers
    positive: Any = 1
    notes: tuple[str, ...] = ()
    account: Account | None = None

    def merge(self, other: ScoreHistograms) -> ScoreHistograms:
        """Return the histograms of the data of both.

        Raises DataError where the edges or the positive labels differ, or where only one has domains, or folds.
        """
        if not isinstance(other, ScoreHistograms):
            raise DataError(f"histograms can be merged with histograms only; got {type(other).__name__}")
        if not np.array_equal(self.edges, other.edges):
            raise DataError("the edges of the bins differ: expected the same in all parts, as with the same bins=")
        for what, first, second in (("domains", self.domains, other.domains), ("folds", self.folds, other.folds)):
            if (first is None) != (second is None):
                raise DataError(f"only some of these histograms have {what}; expected all of them, or none")
        if self.positive != other.positive:
            raise DataError(f"the positive labels differ: {self.positive!r} and {other.positive!r}")
        names, domains, folds = (
            _union(*parts)
            for parts in ((self.names, other.names), (self.domains, other.domains), (self.folds, other.folds))
        )
        _refuse_many((names, domains, folds), len(self.edges) - 1)
        shape = (len(names), len(domains), len(folds), len(self.edges) - 1)
        positives, negatives = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for part in (self, other):
            at = np.ix_(*map(_places_in, (names, domains, folds), (part.names, part.domains, part.folds)))
            positives[at] += part.positives
            negatives[at] += part.negatives
        return _frozen(
            names, None if self.domains is None else domains, None if self.folds is None else folds, self.edges,
            positives, negatives, self.positive, tuple(dict.fromkeys((*self.notes, *other.notes))),
            together((self.account, other.account), len(names), len(domains)),
        )  # fmt: skip

    def __add__(self, other: ScoreHistograms) -> ScoreHistograms:
        return self.merge(other) if isinstance(other, ScoreHistograms) else NotImplemented

    def __len__(self) -> int:
        """Return the number of scores counted."""
        return int(self.positives.sum() + self.negatives.sum())

    @property
    def bin_error(self) -> float:
        """The largest error in TPR and FPR: the largest share of the positives, or negatives, of a model in one bin.

        All domains and folds are counted together. A threshold within a bin lies between its edges, where TPR and FPR
        are known exactly; so neither is off by more than that share.
        """
        return float(self.bin_errors().max())

    def bin_errors(self, weights: ArrayLike | None = None) -> Floats:
        """Return the largest share of the positives and of the negatives of each model in one bin, (k, 2).

        ``weights`` (domains,) are the weights of the domains, such as all 1: the cases of a domain, of both classes,
        then weigh as much together. By default every case has the same weight. The share is 0 where there is no case
        of a class, for the rate is then undefined.
        """
        both = np.stack([self.positives.sum(axis=2), self.negatives.sum(axis=2)])  # (2, k, domains, bins)
        if weights is None:
            cases: Any = both.sum(axis=2)
        else:
            given = np.asarray(weights, dtype=np.float64)
            valid = given.shape == both.shape[2:3] and np.isfinite(given).all() and (given >= 0).all()
            if not valid or not given.any():
                raise UsageError(f"expected {counted(both.shape[2], 'weight')}, one per domain, finite, ≥ 0, not all 0")
            of_domain = both.sum(axis=(0, 3))
            cases = (both * (given / np.maximum(of_domain, 1))[None, :, :, None]).sum(axis=2)
        total = cases.sum(axis=2)
        return np.asarray((cases.max(axis=2) / np.where(total > 0, total, 1)).T, dtype=np.float64)

    def __repr__(self) -> str:
        models = counted(len(self.names), "model")
        return f"<ScoreHistograms: {len(self)} scores of {models} in {len(self.edges) - 1} bins>"


def _union(first: tuple[str, ...] | None, second: tuple[str, ...] | None) -> tuple[str, ...]:
    return tuple(sorted({*(first or ("",)), *(second or ("",))}, key=name_order))


def _places_in(names: tuple[str, ...], part: tuple[str, ...] | None) -> list[int]:
    at = {name: i for i, name in enumerate(names)}
    return [at[name] for name in part or ("",)]


def _refuse_many(axes: Iterable[Sequence[str]], bins: int) -> None:
    """Refuse more cells than memory is meant for."""
    cells = bins
    for names in axes:
        cells *= len(names)
    if cells > MOST_CELLS:
        raise DataError(
            f"histograms of {bins} bins for every model, domain and fold are {cells:,} numbers",
            expected=f"at most {MOST_CELLS:,}", way_out=["choose fewer bins", "leave out the domains or folds"],
        )  # fmt: skip


def _frozen(
    names: tuple[str, ...],
    domains: tuple[str, ...] | None,
    folds: tuple[str, ...] | None,
    edges: Floats,
    positives: Integers,
    negatives: Integers,
    positive: Any,
    notes: tuple[str, ...],
    account: Account | None = None,
) -> ScoreHistograms:
    for array in (edges, positives, negatives):
        array.flags.writeable = False
    return ScoreHistograms(names, domains, folds, edges, positives, negatives, positive, notes, account)


# Counting


def scored_histograms(
    source: TableLike,
    *,
    truth: str,
    score: str | Sequence[str],
    entity: str | None = None,
    domain: str | Sequence[str] | None = None,
    case: str | None = None,
    fold: str | None = None,
    pos_label: Label | None = None,
    bins: int | tuple[float, float, int] | ArrayLike = 4096,
    encoding: str | None = None,
    invalid: Invalid = "error",
    progress: Callable[[int], None] | None = None,
) -> ScoreHistograms:
    """Return the histograms of the scores in a table, counted by its engine: files or a data frame, as in ``count``.

    ``bins`` is a number of bins of equal widths on [0, 1], a tuple (low, high, number), or a list of increasing edges.
    The other arguments mean what they mean in :func:`scored_table`, and the same is refused; ``case`` is only checked.
    Whatever the number of rows, only counts travel, and the same score is in the same bin on every engine.

    >>> import pyarrow as pa
    >>> table = pa.table({"y": [0, 1, 1, 0], "s": [0.1, 0.5, 0.75, 0.49], "m": ["a", "a", "b", "b"]})
    >>> found = scored_histograms(table, truth="y", score="s", entity="m", bins=4)
    >>> found.names, found.edges.tolist(), found.positives[:, 0, 0].tolist()
    (('a', 'b'), [0.0, 0.25, 0.5, 0.75, 1.0], [[0, 0, 1, 0], [0, 0, 0, 1]])
    """
    refuse_unknown_invalid(invalid)
    names, edges = predictions_of(None, score, entity), checked_bins(bins)
    place, levels = domain_of(domain)
    columns = [Columns(truth, name, entity, place, case, None, None, False, fold, edges, levels) for name in names]
    with opened(source, columns, progress, encoding=encoding) as there:
        columns = with_models(there, columns)
        table = _with_edges(there, columns)
        raw = [group for one in columns for group in table.groups(one)]
        _refuse_infinite(table.where, raw, names)
        tally, terms = tally_of(table, columns, pos_label=pos_label, invalid=invalid)
        groups, sentences = _with_folds(table.where, raw, terms, invalid, fold)
    cells: dict[tuple[str, str, str, bool], list[Group]] = defaultdict(list)
    for group in groups:
        known = tally.known is None or group.truth in tally.known
        if known and None not in (group.truth, group.predicted, group.entity, group.domain):
            names_of_cell = (str(group.entity), str(group.domain), str(group.fold))
            cells[(*names_of_cell, group.truth == tally.positive)].append(group)
    counts = {cell: _binned(members, edges) for cell, members in cells.items()}
    histograms = histograms_of(counts, edges, (domain is not None, fold is not None), tally)
    if sentences := [*tally.warnings, *sentences]:
        warnings.warn("; ".join(sentences), IncompleteDataWarning, stacklevel=3)
    return histograms


def _with_edges(table: CaseTable, columns: Sequence[Columns]) -> CaseTable:
    """Return the rows themselves where pandas or Arrow, which hold them in memory anyway, would be slow or not exact.

    Bins of unequal widths make an engine compare every score with every edge, and Arrow multiplies decimals by a power
    of ten, which gives another float than the nearest one.
    """
    if not isinstance(table, EngineCases) or columns[0].bins is None:
        return table
    kind = table.frame.implementation
    decimals = any("Decimal" in str(table.schema[one.prediction]) for one in columns)
    in_memory = kind.is_pandas_like() or kind.is_pyarrow()
    return coded_rows(table, columns) if in_memory and (decimals or columns[0].bins.given is not None) else table


def _binned(groups: Sequence[Group], bins: Bins) -> Integers:
    place = np.array([group.predicted for group in groups], dtype=np.int64)
    counts = np.zeros(bins.number, dtype=np.int64)
    np.add.at(counts, place, np.array([group.rows for group in groups], dtype=np.int64))
    return counts


def histograms_of(
    counts: Mapping[tuple[str, str, str, bool], Integers], bins: Bins, with_places: tuple[bool, bool], tally: Tally
) -> ScoreHistograms:
    """Return histograms from the counts (bins,) by entity, domain, fold, and whether these are positives.

    ``with_places`` tells whether there are domains, and folds; ``tally`` is what counting without bins gives.
    """
    refuse_vanished(tally, {entity for entity, *_ in counts})
    axes = [sorted(set(names), key=name_order) for names in list(zip(*counts, strict=True))[:3]]
    _refuse_many(axes, bins.number)
    at = [{name: i for i, name in enumerate(names)} for names in axes]
    both = np.zeros((2, *map(len, axes), bins.number), dtype=np.int64)
    for (entity, domain, fold, positive), numbers in counts.items():
        both[0 if positive else 1, at[0][entity], at[1][domain], at[2][fold]] += numbers
    names, domains, folds = map(tuple, axes)
    return _frozen(
        names, domains if with_places[0] else None, folds if with_places[1] else None, bins.edges,
        both[0], both[1], tally.positive, tally.notes, tally.account,
    )  # fmt: skip


def _refuse_infinite(where: str, groups: Sequence[Group], names: Sequence[str]) -> None:
    rows = sum(group.rows for group in groups)
    wrong = sum(group.rows for group in groups if group.predicted == INFINITE)
    if wrong:
        header = f" {quoted(names[0])}" if len(names) == 1 else ""
        raise DataError(
            f"in {wrong} of {counted(rows, 'row')} the score{header} is infinite",
            where=where, expected="finite numbers, larger for more positive",
        )  # fmt: skip


def _with_folds(
    where: str, raw: Sequence[Group], terms: Terms, invalid: Invalid, header: str | None
) -> tuple[list[Group], list[str]]:
    """Return groups in their terms, those without a fold refused, or left out with a sentence."""
    groups = [terms.group(group) for group in raw]
    lacking = sum(group.rows for group in groups if group.fold is None)
    if not lacking:
        return groups, []
    sentence = f"in {lacking} of {counted(sum(group.rows for group in groups), 'row')} the fold is missing"
    if invalid != "warn":
        warn = [["leave such rows out, and see how many, with ", Option("invalid", "warn")]]
        ways = ["fill in what is missing", "drop the rows", *(warn if invalid == "error" else [])]
        raise DataError(f"{sentence} ({quoted(header)})", where=where, way_out=ways)
    return [group for group in groups if group.fold is not None], [f"{sentence}: left out"]
