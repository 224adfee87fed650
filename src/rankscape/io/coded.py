"""Cases in arrays: a table of predictions, each column as codes of its distinct values; equal rows may be one."""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
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
from .cells import Cell, is_number, missing, missing_text, number_of_text, uses_decimal_commas
from .codes import Group, name_in, plain_value
from .headers import JOINED
from .sheets import located, quoted

LARGEST_TOTAL = 2**62
"""Whole weights are added up to here."""

LARGEST_FLOAT = 2**53
"""Sums of whole weights up to here are exact in floats."""


class Columns(NamedTuple):
    """Which column holds what; ``prediction`` is a score where there is a threshold.

    Where several columns make a domain they are the ``levels``, and ``domain`` is :data:`rankscape.io.headers.JOINED`.
    """

    truth: str
    prediction: str
    entity: str | None
    domain: str | None
    case: str | None
    weight: str | None
    threshold: float | None
    all_thresholds: bool
    fold: str | None = None
    levels: tuple[str, ...] = ()

    @property
    def scored(self) -> bool:
        """Whether the column of predictions holds scores."""
        return self.threshold is not None or self.all_thresholds


def roles_of(columns: Sequence[Columns], cluster: str | None = None, repeat: str | None = None) -> dict[str, str]:
    """Return the headers of the source that are used, and what each column holds."""
    first = columns[0]
    named = [(first.truth, "truth"), *((one.prediction, "prediction") for one in columns), (first.entity, "entity")]
    named += [(level, "domain") for level in first.levels or (first.domain,)]
    named += [(first.case, "case"), (first.weight, "weight"), (cluster, "cluster")]
    named += [(first.fold, "fold"), (repeat, "repeat")]
    roles: dict[str, str] = {}
    for header, role in named:
        if header is not None:
            roles.setdefault(header, role)
    return roles


class Column(NamedTuple):
    """The values of a column: the distinct ones, and the code of each row, −1 where nothing is there."""

    values: list[Any]
    codes: Integers


@dataclass(eq=False)
class CodedCases:
    """A table of predictions of ``records`` rows, of which equal ones may stand as one.

    ``times`` is how many rows each one stands for, and ``size`` how many cases like that of the row there are: 1 unless
    equal ones were put together; then the cases have no names, and ``case`` numbers them where the table has a column
    of them. ``texts`` is True where labels are texts; ``entity`` is the column that names the models, of its own or of
    its files, where none was asked for, and ``first`` the first row, where it is known. ``apart`` are the tables of
    each column of predictions, where there are too many to group by all of them. Rows that an engine gives in any order
    are not ``ordered``; where weights are ``summed`` that of a row is of all it stands for, else of each.
    """

    columns: dict[str, Column]
    records: int
    where: str
    texts: bool
    times: Any = None
    size: Any = None
    headers: Sequence[str] = ()
    entity: str | None = None
    first: Mapping[str, Any] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    ordered: bool = True
    summed: bool = False
    apart: dict[str, "CodedCases"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Count each row once where nothing says how often."""
        self.times = np.ones(self.records, dtype=np.int64) if self.times is None else self.times
        self.size = np.ones(len(self.times), dtype=np.int64) if self.size is None else self.size
        self.headers = self.headers or list(self.columns)

    def has_numbers(self, header: str) -> bool:
        """Tell whether a column seems to hold numbers; it need not be one of those that were read."""
        return is_number(self.first.get(header))

    def put_together(self, case: str) -> None:
        """Make one row of those that are alike, where each of them is a case of its own."""
        named = self.columns[case].codes
        if self.records > len(named) or named.min(initial=0) < 0 or len(ranked(named)[0]) < len(named):
            return
        others = [header for header in self.columns if header != case]
        code, places = combined([self.columns[header].codes for header in others])
        for header, codes in zip(others, places.T, strict=True):
            self.columns[header] = self.columns[header]._replace(codes=codes)
        self.columns[case] = Column(list(range(len(places))), np.arange(len(places)))
        self.times = self.size = np.bincount(code)

    def join(self, levels: Sequence[str]) -> None:
        """Add the column :data:`JOINED` where several columns make a domain."""
        for part in (self, *self.apart.values()) if levels else ():
            code, places = combined([part.columns[level].codes for level in levels])
            names = [[name_in(value, self.texts) for value in part.columns[level].values] + [None] for level in levels]
            index: dict[str, int] = {}
            at = []
            for row in places.tolist():
                parts = [of[i] for of, i in zip(names, row, strict=True)]
                text = None if None in parts else domain_text(list(map(str, parts)))
                at.append(-1 if text is None else index.setdefault(text, len(index)))
            part.columns[JOINED] = Column(list(index), np.array([*at, -1], dtype=np.int64)[code])

    def codes(self, header: str | None) -> Integers:
        """Return the codes of a column, 0 without one."""
        return np.zeros(len(self.times), dtype=np.int64) if header is None else self.columns[header].codes

    def value(self, header: str, code: int) -> Any:
        """Return the value that a code stands for, None where nothing is there."""
        return None if code < 0 else self.columns[header].values[code]

    def groups(self, columns: Columns) -> list[Group]:
        """Return the groups of equal rows, as they are written."""
        if columns.prediction in self.apart and self.apart[columns.prediction] is not self:
            return self.apart[columns.prediction].groups(columns)
        predicted = self.columns[columns.prediction]
        if columns.threshold is not None:  # True and False where an engine has compared them
            reached = [x if isinstance(x, bool) else float(x) >= columns.threshold for x in predicted.values]
            predicted = Column([False, True], np.array([*map(int, reached), -1], dtype=np.int64)[predicted.codes])
        keys = [self.codes(header) for header in (columns.domain, columns.entity, columns.truth)]
        code, places = combined([*keys, predicted.codes])
        rows = weighted_bincount(code, self.times, len(places)).tolist()
        weights = rows if columns.weight is None else self._weights(columns.weight, code, len(places))
        return [
            Group(
                "" if columns.domain is None else self.value(columns.domain, domain),
                columns.prediction if columns.entity is None else self.value(columns.entity, entity),
                self.value(columns.truth, truth),
                None if prediction < 0 else predicted.values[prediction],
                n,
                weight,
            )
            for (domain, entity, truth, prediction), n, weight in zip(places.tolist(), rows, weights, strict=True)
        ]

    def _weights(self, header: str, code: Integers, size: int) -> list[Any]:
        """Return the sums of the weights of groups: exact, of the decimals that floats are printed as."""
        column, name = self.columns[header], quoted(header)
        if absent := int(self.times[column.codes < 0].sum()):
            problem = f"a weight in the column {name} is missing ({absent} of {self.records} rows); fill it in"
            raise located(self.where, problem)
        wrong = next((value for value in column.values if not 0 <= value < math.inf), None)
        if wrong is not None:
            raise located(self.where, f"a weight in the column {name} is {wrong:g}; expected finite, ≥ 0")
        times = np.ones_like(self.times) if self.summed else self.times
        largest = max(column.values, default=0) * self.records
        n = weighted_bincount(column.codes, times, len(column.values)).tolist() if largest > LARGEST_TOTAL else ()
        if sum(Fraction(value) * k for value, k in zip(column.values, n, strict=False)) > LARGEST_TOTAL:
            raise located(self.where, f"the weights in the column {name} are too large to be added exactly")
        if not largest:
            return [0] * size
        weights = checked_weights(column.values, len(column.values))
        integers: Any = [] if weights is None else weights.integers
        if int(max(integers.tolist())) * self.records > LARGEST_TOTAL:
            integers = integers.astype(object)
        sums = sums_of_weights(weighted_bincount(code, integers[column.codes] * times, size), weights).tolist()
        rounded = largest > LARGEST_FLOAT and any(isinstance(value, float) for value in column.values)
        return [Fraction(number) for number in sums] if rounded else sums  # as floats beyond 2⁵³ are no counts

    def lacking(self, header: str) -> int:
        """Count the rows without a value in a column; a blank text is none."""
        column = self.columns[header]
        absent = np.array([*(name_in(value, self.texts) is None for value in column.values), True])
        return int(self.times[absent[column.codes]].sum())


def ranked(codes: Integers, size: int = 0) -> tuple[Integers, Integers]:
    """Return the distinct integers in order, and the place of each among them; ``size`` where they are below it."""
    low, high = (0, size - 1) if size else (int(codes.min(initial=0)), int(codes.max(initial=0)))
    if high - low > 4 * len(codes) + 1000:
        values, place = np.unique(codes, return_inverse=True)
        return values, place
    codes = codes - low if low else codes
    there = np.bincount(codes, minlength=high - low + 1) > 0
    if there.all():
        return np.arange(low, high + 1), codes
    return np.flatnonzero(there) + low, (np.cumsum(there) - 1)[codes]


def combined(columns: Sequence[Integers]) -> tuple[Integers, Integers]:
    """Return, for columns of codes, the code of each row's combination, and the combinations (k, columns), sorted.

    >>> code, combinations = combined([np.array([0, 1, 0]), np.array([2, -1, 2])])
    >>> code.tolist(), combinations.tolist()
    ([0, 1, 0], [[0, 2], [1, -1]])
    """
    code, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        if size * (high - low + 1) > 2**62:
            values, code = ranked(code, size)
            size = len(values)
        code = column - low if size == 1 else code * (high - low + 1) + (column - low)
        size *= high - low + 1
    values, code = ranked(code, size)
    first = np.empty(len(values), dtype=np.int64)
    first[code] = np.arange(len(code))  # any row of each
    return code, np.stack([column[first] for column in columns], axis=1)


def column_of(cells: Iterable[Any], codes: Integers) -> Column:
    """Return a column of codes of cells, put together where they mean the same; None means nothing."""
    values: dict[Any, int] = {}
    at = [-1 if cell is None else values.setdefault(cell, len(values)) for cell in cells]
    return Column(list(values), np.array([*at, -1], dtype=np.int64)[codes])


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
    met: list[dict[Any, int]] = [{} for _ in headers]
    places: list[list[Origin]] = [[] for _ in headers]
    codes = [[np.zeros(0, dtype=np.int64)] for _ in headers]
    iterator = iter(rows)
    while part := list(islice(iterator, CHUNK)):
        for k, header in enumerate(headers):
            cells = [row[k] for _, row in part]
            try:
                unknown = set(cells) - met[k].keys()
            except TypeError:  # a list or an object of JSON
                origin, value = next((origin, row[k]) for origin, row in part if isinstance(row[k], (list, dict)))
                cell = Cell(value, header, partial(Place, origin[0], line=origin[1]))
                raise cell.error("is no label", expected="a text, a number, true or false") from None
            for origin, row in part if unknown else ():
                if row[k] in unknown:
                    unknown.discard(row[k])
                    met[k][row[k]] = len(met[k])
                    places[k].append(origin)
            codes[k].append(np.fromiter(map(met[k].__getitem__, cells), dtype=np.int64, count=len(cells)))
    columns = {}
    for header, known, first, parts in zip(headers, met, places, codes, strict=True):
        values = [cell.strip() if texts else cell for cell in known]
        values = [None if missing(value) or value == "" else value for value in values]
        if header in numbers:
            numbered = [
                Cell(value, header, partial(Place, file, line=line))
                for value, (file, line) in zip(values, first, strict=True)
            ]
            commas = uses_decimal_commas([cell for cell in numbered if isinstance(cell.value, str)])
            values = [_number(cell, commas) for cell in numbered]
        columns[header] = column_of(values if header in numbers else map(plain_value, values), np.concatenate(parts))
    return CodedCases(columns, len(next(iter(columns.values())).codes), where, texts)


def _number(cell: Cell, commas: bool) -> int | float | Decimal | None:
    """Return the number in a cell, an integer where it is whole, a decimal of other texts; None where it is missing."""
    value: Any = cell.value
    if value is None or (isinstance(value, str) and missing_text(value)):
        return None
    value = number_of_text(value, commas) if isinstance(value, str) else value
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        raise cell.error("is not a number", expected="one in every cell of this column")
    largest: Any = sys.float_info.max
    if not -largest <= value <= largest:
        raise cell.error("is too large, or not finite", expected="a number below 1e308")
    try:
        value = sized(value) if isinstance(value, Decimal) else value
    except DataError:
        raise cell.error("has too many digits", expected=f"at most {MOST_DIGITS}") from None
    whole = isinstance(value, Decimal) and value == value.to_integral_value()
    number: int | float | Decimal = int(value) if whole else value
    return number
