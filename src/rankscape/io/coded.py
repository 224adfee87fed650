"""Cases in arrays: the rows of a table of predictions, read one by one, each column as codes of its distinct values."""

import math
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ..arrays import Integers
from ..checks import checked_weights, sums_of_weights
from ..checks.names import domain_text
from ..errors import DataError, Place
from ..kernels.counting import weighted_bincount
from ..kernels.exact import MOST_DIGITS, sized
from .cases import LARGEST_FLOAT, LARGEST_TOTAL, CaseNumbers, CaseTable, Classes, Columns, Kind, Places
from .cells import Cell, missing, missing_text, number_of_text, uses_decimal_commas
from .codes import Group, plain_value
from .headers import JOINED
from .sheets import located, quoted


class Column(NamedTuple):
    """The values of a column: the distinct ones, and the code of each row, −1 where nothing is there."""

    values: list[Any]
    codes: Integers


class CodedCases(CaseTable):
    """A table of predictions whose rows are in memory."""

    def __init__(self, columns: dict[str, Column], records: int, where: str, texts: bool) -> None:
        super().__init__(list(columns), records, where, texts)
        self.columns = columns
        self.ordered = True  # else the engine gives its rows in any order

    def join(self, levels: Sequence[str]) -> None:
        """Add the column :data:`JOINED` where several columns make a domain."""
        if not levels:
            return
        code, places = combined([self.columns[level].codes for level in levels])
        whole = (places >= 0).all(axis=1)
        at = np.append(np.where(whole, np.cumsum(whole) - 1, -1), -1)  # the last for a table without rows
        parts = [self.columns[level].values for level in levels]
        texts = [
            domain_text([str(values[i]) for values, i in zip(parts, row, strict=True)])
            for row in places[whole].tolist()
        ]
        self.columns[JOINED] = Column(texts, at[code])

    def groups(self, columns: Columns) -> list[Group]:
        """Return the groups of equal rows, as they are written."""
        keys = [self._codes(header) for header in (columns.domain, columns.entity, columns.truth, columns.fold)]
        predicted = self._predicted(columns)
        code, places = combined([*keys, predicted.codes])
        rows = np.bincount(code, minlength=len(places)).tolist()
        sums = rows if columns.weight is None else self._weights(columns.weight, code, len(places))
        value = self._value
        return [
            Group(
                "" if columns.domain is None else value(columns.domain, domain),
                columns.prediction if columns.entity is None else value(columns.entity, entity),
                value(columns.truth, truth),
                None if prediction < 0 else predicted.values[prediction],
                n,
                weight,
                "" if columns.fold is None else value(columns.fold, fold),
            )
            for (domain, entity, truth, fold, prediction), n, weight in zip(places.tolist(), rows, sums, strict=True)
        ]

    def _value(self, header: str, code: int) -> Any:
        return None if code < 0 else self.columns[header].values[code]

    def _codes(self, header: str | None) -> Integers:
        return np.zeros(self.records, dtype=np.int64) if header is None else self.columns[header].codes

    def _predicted(self, columns: Columns) -> Column:
        """Return the predictions; of scores whether they reach the threshold, or all of them."""
        column = self.columns[columns.prediction]
        if columns.threshold is None:
            return column
        reached = [float(score) >= columns.threshold for score in column.values]  # as engines compare them
        above = np.array(reached, dtype=np.int64)
        return Column([False, True], np.where(column.codes < 0, -1, above[column.codes] if len(above) else -1))

    def _weights(self, header: str, code: Integers, size: int) -> list[Any]:
        column = self.columns[header]
        if not self.records:
            return [0] * size
        absent = int((column.codes < 0).sum())
        if absent:
            n = f"{absent} of {self.records} rows"
            raise located(self.where, f"a weight in the column {quoted(header)} is missing ({n}); fill it in")
        wrong = next((value for value in column.values if not 0 <= value < math.inf), None)
        if wrong is not None:
            raise located(self.where, f"a weight in the column {quoted(header)} is {wrong:g}; expected finite, ≥ 0")
        largest = max(column.values) * self.records
        if largest > LARGEST_TOTAL:
            raise located(self.where, f"the weights in the column {quoted(header)} are too large to be added exactly")
        whole = all(value == int(value) for value in column.values)
        if whole and (largest <= LARGEST_FLOAT or all(isinstance(value, int) for value in column.values)):
            integers = np.zeros(size, dtype=np.int64)
            np.add.at(integers, code, np.array([int(value) for value in column.values], dtype=np.int64)[column.codes])
            return integers.tolist()
        values = np.empty(len(column.values), dtype=object)
        values[:] = column.values
        weights = checked_weights(values[column.codes], self.records)
        sums = weighted_bincount(code, weights and weights.integers, size)
        return list(sums_of_weights(sums, weights).tolist())

    def case_numbers(self, everything: Sequence[Columns], strange: Sequence[Any]) -> CaseNumbers:
        """Count what is wrong with cases, of rows that are complete and without ``strange`` labels."""
        parts = [self._rows_that_count(columns, strange) for columns in everything]
        several, first = len(everything) > 1, everything[0]
        rows = np.concatenate(parts)
        column = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        case, truth, domain = (self._codes(header)[rows] for header in (first.case, first.truth, first.domain))
        entity = column if first.entity is None else self._codes(first.entity)[rows]
        nameless = int((case < 0).sum())
        keep = case >= 0
        domain, entity, case, truth = domain[keep], entity[keep], case[keep], truth[keep]

        def name(code: int) -> Any:
            plain = everything[code].prediction if several else ""
            return plain if first.entity is None else self._value(first.entity, code)

        def place(code: int) -> Any:
            return "" if first.domain is None else self._value(first.domain, code)

        _, cells = combined([domain, case])
        of_cases = dict(zip(*np.unique(cells[:, 0], return_counts=True), strict=True)) if len(cells) else {}
        _, each = combined([domain, entity, case])
        _, truths = combined([domain, case, truth])
        rows_of, places = combined([domain, entity])
        n_rows = np.bincount(rows_of, minlength=len(places))
        n_cases = np.bincount(combined([each[:, 0], each[:, 1]])[0], minlength=len(places))  # of the same pairs, sorted
        same, _ = combined([truths[:, 0], truths[:, 1]])
        torn = int((np.bincount(same) > 1).sum()) if len(same) else 0
        numbers = zip(places.tolist(), n_rows.tolist(), n_cases.tolist(), strict=True)
        entities = [(place(d), name(e), n, cases) for (d, e), n, cases in numbers]
        return CaseNumbers.of(nameless, entities, {place(d): int(n) for d, n in of_cases.items()}, torn)

    def _rows_that_count(self, columns: Columns, strange: Sequence[Any]) -> Integers:
        """Return the rows that have a truth, a prediction and names, and labels that were expected."""
        keep = np.ones(self.records, dtype=bool)
        for header in (columns.truth, columns.prediction, columns.entity, columns.domain):
            keep &= self._codes(header) >= 0
        for header in (columns.truth, *(() if columns.scored else (columns.prediction,))) if len(strange) else ():
            column = self.columns[header]
            odd = np.array([value in strange for value in column.values] + [False])
            keep &= ~odd[column.codes]
        return np.flatnonzero(keep)

    def lacking(self, header: str) -> int:
        """Count the rows without a value in a column."""
        return int((self.columns[header].codes < 0).sum())

    def kinds(self, everything: Sequence[Columns], cluster: str | None, classes: Classes, place: Places) -> list[Kind]:
        """Return the kinds of cases."""
        first = everything[0]
        domain, unit = self._codes(first.domain), self._codes(cluster)

        def places_of(header: str) -> Integers:
            column = self.columns[header]
            return np.array([classes.place(value) for value in column.values], dtype=np.int64)[column.codes]

        truth = classes.number * places_of(first.truth)
        if first.entity is None:
            outcomes = np.stack([truth + places_of(columns.prediction) for columns in everything], axis=1)
        else:
            places = [place(value) for value in self.columns[first.entity].values]
            n = 1 + max((at for at in places if at is not None), default=-1)
            at = np.array([-1 if p is None else p for p in places], dtype=np.int64)[self._codes(first.entity)]
            code, cells = combined([domain, unit, self._codes(first.case)])
            outcomes = np.zeros((len(cells), n), dtype=np.int64)
            used = at >= 0  # the others are on other domains
            np.add.at(outcomes, (code[used], at[used]), (truth + places_of(first.prediction))[used])
            domain, unit = cells[:, 0], cells[:, 1]
        groups, kinds = combined([domain, unit, *outcomes.T])
        sizes = np.bincount(groups, minlength=len(kinds)).tolist()
        return [
            Kind(
                "" if first.domain is None else self._value(first.domain, kind[0]),
                0 if cluster is None else self._value(cluster, kind[1]),
                np.array(kind[2:], dtype=np.int64),
                n,
            )
            for kind, n in zip(kinds.tolist(), sizes, strict=True)
        ]


def combined(columns: Sequence[Integers]) -> tuple[Integers, Integers]:
    """Return, for columns of codes, the code of each row's combination, and the combinations (k, columns), sorted.

    >>> code, combinations = combined([np.array([0, 1, 0]), np.array([2, -1, 2])])
    >>> code.tolist(), combinations.tolist()
    ([0, 1, 0], [[0, 2], [1, -1]])
    """
    n = len(columns[0])
    code = np.zeros(n, dtype=np.int64)
    for column in columns:
        values, place = np.unique(column, return_inverse=True)
        _, code = np.unique(code * max(len(values), 1) + place, return_inverse=True)
    first = np.full(int(code.max()) + 1 if n else 0, n, dtype=np.int64)
    np.minimum.at(first, code, np.arange(n))
    return code, np.stack([column[first] for column in columns], axis=1)


# Reading rows

CHUNK = 1 << 15
"""Rows that are read before they are encoded."""

Origin = tuple[str, int | None]
"""A file, and the line in it on which a row starts, where lines are known."""


def coded_cases(
    rows: Iterable[tuple[Origin, Sequence[Any]]],
    headers: Sequence[str],
    numbers: Sequence[str],
    where: str,
    texts: bool,
) -> CodedCases:
    """Return cases from rows of cells; the columns ``numbers`` hold numbers, which are read as in tables of counts."""
    encoders = [_Encoder(header, texts) for header in headers]
    iterator, records = iter(rows), 0
    while part := list(islice(iterator, CHUNK)):
        records += len(part)
        origins = [origin for origin, _ in part]
        for k, encoder in enumerate(encoders):
            encoder.add([cells[k] for _, cells in part], origins)
    return CodedCases({e.header: e.column(e.header in numbers) for e in encoders}, records, where, texts)


class _Encoder:
    """A column as it is read: every cell that was met before is one look-up."""

    def __init__(self, header: str, texts: bool) -> None:
        self.header = header
        self.texts = texts
        self.values: dict[Any, int] = {}
        self.origins: list[Origin] = []
        self.known: dict[Any, int] = {}
        self.codes: list[Integers] = []

    def add(self, cells: list[Any], origins: Sequence[Origin]) -> None:
        """Add the cells of some rows."""
        try:
            unknown = set(cells) - self.known.keys()
        except TypeError:  # a list or an object of JSON
            row = next(i for i, cell in enumerate(cells) if isinstance(cell, (list, dict)))
            cell = Cell(cells[row], self.header, partial(_place, origins[row]))
            raise cell.error("is no label", expected="a text, a number, true or false") from None
        if unknown:
            for cell, origin in zip(cells, origins, strict=True):
                if cell in unknown:
                    unknown.discard(cell)
                    self.known[cell] = self._code(cell, origin)
        self.codes.append(np.fromiter(map(self.known.__getitem__, cells), dtype=np.int64, count=len(cells)))

    def _code(self, cell: Any, origin: Origin) -> int:
        value = cell.strip() if self.texts else cell
        if missing(value) or value == "":
            return -1
        code = self.values.setdefault(value, len(self.values))
        if code == len(self.origins):
            self.origins.append(origin)
        return code

    def column(self, of_numbers: bool) -> Column:
        """Return the column, its values as Python has them."""
        codes = np.concatenate(self.codes) if self.codes else np.zeros(0, dtype=np.int64)
        if of_numbers:
            return _numbers(self.header, list(self.values), codes, self.origins)
        return Column([plain_value(value) for value in self.values], codes)


def _numbers(header: str, values: list[Any], codes: Integers, origins: list[Origin]) -> Column:
    """Return a column of numbers: integers where they are whole, decimals of texts; missing ones have the code −1."""
    cells = [Cell(value, header, partial(_place, origin)) for value, origin in zip(values, origins, strict=True)]
    commas = uses_decimal_commas([cell for cell in cells if isinstance(cell.value, str)])
    out: list[Any] = []
    again: dict[Any, int] = {}
    code = np.full(len(values) + 1, -1, dtype=np.int64)
    for i, cell in enumerate(cells):
        number = _number(cell, commas)
        if number is not None:
            code[i] = again.setdefault(number, len(out))
            out += [number] if code[i] == len(out) else []
    return Column(out, code[codes])


def _place(origin: Origin) -> Place:
    return Place(origin[0], line=origin[1])


def _number(cell: Cell, commas: bool) -> int | float | Decimal | None:
    """Return the number in a cell, None where it is missing."""
    value: Any = cell.value
    if isinstance(value, str):
        if missing_text(value):
            return None
        value = number_of_text(value, commas)
    if value is None or isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        raise cell.error("is not a number", expected="one in every cell of this column")
    if isinstance(value, Decimal) and value.adjusted() <= sys.float_info.max_10_exp:
        value = _exactly(cell, value)
    if isinstance(value, (float, Decimal)) and not math.isfinite(value):
        raise cell.error("is not finite, or too large", expected="a number below 1e308")
    if abs(value) > sys.float_info.max:
        raise cell.error("is too large", expected="a number below 1e308")
    number: int | float | Decimal = value
    return number


def _exactly(cell: Cell, value: Decimal) -> int | Decimal:
    """Return a decimal number that can be computed with, as an integer where it is whole."""
    try:
        value = sized(value)
    except DataError:
        raise cell.error("has too many digits", expected=f"at most {MOST_DIGITS}") from None
    return int(value) if value == value.to_integral_value() else value
