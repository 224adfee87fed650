"""Codes: what cells mean, tables of cases as codes of their values, and which cases the models of a table share."""

from __future__ import annotations

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import count, islice, product
from numbers import Real
from typing import Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Integers, Label
from ..checks import checked_weights, sums_of_weights
from ..checks.labels import crossing_clusters, refuse_scores, refuse_values, two_classes
from ..checks.names import domain_text
from ..checks.positive import label_among, label_text, listed, order_of, positive_class, refuse_spellings
from ..errors import DataError, Option, Place, UsageError, no_effect
from ..kernels.counting import weighted_bincount
from ..kernels.exact import MOST_DIGITS, sized
from ..outcomes import TWO_CLASS, SampleSpace
from ..performances import Joint, Performances, Units
from ..results import without_guard
from ..tasks.classes import class_text, space
from ..texts import counted, some
from .cells import Cell, missing, missing_text, number_of_text, uses_decimal_commas
from .headers import JOINED, Columns, role
from .sheets import located, quoted

ALL_LABELS = "all"
ALL_OF_SEVERAL = "all of several"
"""As ``ALL_LABELS`` where more than two labels are true of some case, and no positive one is named; else as None."""
NO_ANSWER = "no answer"
"""The class that stands for a prediction that is missing, where there are more than two: it is never right."""

LabelsOf: TypeAlias = Literal["all"] | Sequence[Label] | None
"""The labels of a table where they are named: a sequence, or all that occur."""

_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]+)?(e[+-][0-9]+)?", re.IGNORECASE)  # as programs write them
_READS_AS_NUMBER = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?")


# What a cell means


def plain_value(value: Any) -> Any:
    """Return a cell as Python has it: None where it holds no value, and whole numbers as integers."""
    if missing(value):
        return None
    value = value.item() if isinstance(value, np.generic) else value
    whole = isinstance(value, (float, Decimal)) and math.isfinite(value)
    whole = whole and (isinstance(value, float) or value.adjusted() < MOST_DIGITS) and value == int(value)
    return int(value) if whole else value


def name_order(value: Any) -> tuple[bool, Any, str]:
    """Order names by value where they read as numbers, as those of a CSV file do, before all else by text."""
    text = str(value)
    number = isinstance(value, str) and _READS_AS_NUMBER.fullmatch(value) is not None
    return (*((False, Decimal(text)) if number else order_of(value)), text)


def values_of_labels(texts: Iterable[str]) -> dict[str, Any]:
    """Return what the labels of a table of text are: numbers, true and false, where all are written so; else texts.

    007 and 1e1 are names, and so are 1.1 and 1.10 beside each other; 1 and 1.0 are one number.

    >>> values_of_labels(["0", "1.0", "true"]), values_of_labels(["0", "x"])
    ({'0': 0, '1.0': 1, 'true': True}, {'0': '0', 'x': 'x'})
    """
    values: dict[str, Any] = {}
    for text in dict.fromkeys(texts):
        if text.lower() in ("true", "false"):
            values[text] = text.lower() == "true"
        elif _NUMBER.fullmatch(text):
            values[text] = int(text) if text.lstrip("-").isdigit() else plain_value(float(text))
        else:
            values[text] = None
    broken = [value for value in values.values() if isinstance(value, float)]
    return {text: text for text in values} if None in values.values() or len({*broken}) < len(broken) else values


def meaning_of_labels(cells: Iterable[Any], texts: bool) -> Callable[[Any], Any]:
    """Return what gives the value of each label of a table, of ``texts`` as all of them together are understood."""
    if not texts:
        return plain_value
    values = values_of_labels(cell.strip() for cell in cells if isinstance(cell, str) and cell.strip())
    return lambda raw: values.get(raw.strip(), raw.strip() or None) if isinstance(raw, str) else plain_value(raw)


def name_in(raw: Any, texts: bool) -> Any:
    """Return the name in a cell, None where it is missing or blank; of ``texts`` without what guards it in sheets."""
    name = plain_value(raw)
    if isinstance(name, str):
        name = (without_guard(name.strip()) if texts else name.strip()) or None
    return name


# Which outcome a pair of labels is


class Coding(NamedTuple):
    """How pairs of labels become outcomes: the sample space, what is known, and the position of a pair in Ω."""

    space: SampleSpace
    known: frozenset[Any] | None
    place: Callable[[Any, Any], int]
    positive: Any = None


def coding_of(true: Counter[Any], predicted: Counter[Any], pos_label: Any, labels: Any, scored: bool) -> Coding:
    """Return how labels, each with its number of rows, are to be read, or raise where that is doubtful.

    Of K > 2 labels Ω is all pairs (truth, prediction), of which the diagonal is satisfying.
    """
    refuse_scores(true, predicted)
    _refuse_mixed(true, predicted)
    seen = sorted({*true, *predicted}, key=order_of)
    if isinstance(labels, str) and labels == ALL_OF_SEVERAL:
        several = pos_label is None and len(true) > 2
        if several:
            refuse_values(true, predicted)
            refuse_spellings(seen, ["take them for classes of their own with ", Option("labels", "all")])
        labels = ALL_LABELS if several else None
    given: list[Any] | None = None
    if labels is not None and isinstance(labels, str) and labels == ALL_LABELS:
        given = seen
    elif labels is not None:
        given = [] if isinstance(labels, str) else [label_among(plain_value(label), seen) for label in labels]
        if len(given) < 2 or len(set(given)) < len(given) or None in given:
            name = Option("labels", python="labels")
            raise UsageError([name, " takes two or more different labels, or all"], got=repr(labels))
        given += [NO_ANSWER] if NO_ANSWER in seen and NO_ANSWER not in given else []
    if given is not None and len(given) > 2 and pos_label is None:
        if scored:
            way_out = [["name the positive class with ", Option("pos_label")]]
            raise UsageError("a score with a threshold has two classes", way_out=way_out)
        alike = Counter(map(class_text, given))
        if again := [label for label in given if alike[class_text(label)] > 1]:
            raise DataError(f"the labels {listed(again)} are written alike, and would be one class: rename all but one")
        at = {label: i for i, label in enumerate(given)}
        return Coding(space(given), frozenset(given), lambda truth, predicted: len(at) * at[truth] + at[predicted])
    if given is None:
        every = [["ask for one performance over all pairs of labels with ", Option("labels", "all")]]
        known, positive = two_classes(true, predicted, pos_label, every)
    else:
        known, positive = frozenset(given), positive_class(given, pos_label)

    def place(truth: Any, predicted: Any) -> int:
        return 2 * int(truth == positive) + int(predicted if scored else predicted == positive)

    return Coding(TWO_CLASS, known, place, positive)


def _refuse_mixed(true: Counter[Any], predicted: Counter[Any]) -> None:
    """Refuse labels of several kinds, such as 1 and "1"."""
    kinds = []
    for what, labels in (("true", true), ("predicted", predicted)):
        met: dict[str, list[Any]] = {}
        for label in labels:
            number = isinstance(label, (Real, Decimal))
            if label != NO_ANSWER:
                kind = "texts" if isinstance(label, str) else "numbers" if number else type(label).__name__
                met.setdefault(kind, []).append(label)
        if len(met) > 1:
            examples = " and ".join(f"{kind} ({listed(of[-1:])})" for kind, of in sorted(met.items()))
            rows = ", ".join(f"{sum(map(labels.__getitem__, of))} {kind}" for kind, of in sorted(met.items()))
            raise DataError(f"the {what} labels are {examples} in one column ({rows}): use one kind of label")
        kinds.append(next(iter(met), ""))
    if "" not in kinds and kinds[0] != kinds[1]:
        raise DataError(
            f"true labels are {kinds[0]} ({listed(true)}), predicted labels are {kinds[1]} ({listed(predicted)}): "
            "use the same labels in both"
        )


# Cases in arrays

LARGEST_TOTAL = 2**62
"""Whole weights are added up to here."""

LARGEST_FLOAT = 2**53
"""Sums of whole weights up to here are exact in floats."""


class Column(NamedTuple):
    """The values of a column: the distinct ones, and the code of each row, −1 where nothing is there."""

    values: list[Any]
    codes: Integers


@dataclass(eq=False)
class CodedCases:
    """A table of predictions of ``records`` rows, of which equal ones may stand as one.

    ``times`` is how many rows each one stands for: 1 unless equal ones were put together; then the cases have no names,
    and ``case`` numbers them where the table has a column of them. ``texts`` is True where labels are texts, and
    ``first`` the first row, where it is known. Rows that an engine gives in any order are not ``ordered``.
    """

    columns: dict[str, Column]
    records: int
    where: str
    texts: bool
    times: Any = None
    headers: Sequence[str] = ()
    first: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    ordered: bool = True

    def __post_init__(self) -> None:
        """Count each row once where nothing says how often."""
        self.times = np.ones(self.records, dtype=np.int64) if self.times is None else self.times
        self.headers = self.headers or list(self.columns)

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
        self.times = np.bincount(code)

    def join(self, levels: Sequence[str]) -> None:
        """Add the column :data:`JOINED` where several columns make a domain."""
        if len(levels) < 2:
            return
        code, places = combined([self.columns[level].codes for level in levels])
        names = [[name_in(value, self.texts) for value in self.columns[level].values] + [None] for level in levels]
        rows = ([of[i] for of, i in zip(names, row, strict=True)] for row in places.tolist())
        texts = (None if None in row else domain_text(list(map(str, row))) for row in rows)
        self.columns[JOINED] = column_of(texts, code)

    def codes(self, header: str | None) -> Integers:
        """Return the codes of a column, 0 without one."""
        return np.zeros(len(self.times), dtype=np.int64) if header is None else self.columns[header].codes

    def sums(self, header: str, rows: Rows, code: Integers, size: int) -> Any:
        """Return what the weights in a column add up to, of the rows with each code.

        Sums are exact, of the decimals that floats are printed as.
        """
        column, name = self.columns[header], quoted(header)
        codes = column.codes[rows.row]
        if absent := int(self.times[column.codes < 0].sum()):
            problem = f"a weight in the column {name} is missing ({absent} of {self.records} rows); fill it in"
            raise located(self.where, problem)
        wrong = next((value for value in column.values if not 0 <= value < math.inf), None)
        if wrong is not None:
            raise located(self.where, f"a weight in the column {name} is {wrong:g}; expected finite, ≥ 0")
        records = max(self.records, len(codes))
        largest = max(column.values, default=0) * records
        weights = checked_weights(column.values, len(column.values)) if largest else None
        integers: Any = np.zeros(1, dtype=np.int64) if weights is None else weights.integers
        if int(max(integers.tolist())) * records > LARGEST_TOTAL:
            integers = integers.astype(object)
        sums = sums_of_weights(weighted_bincount(code, integers[codes] * rows.size, size), weights)
        rounded = largest > LARGEST_FLOAT and any(isinstance(value, float) for value in column.values)
        return np.array([*map(Fraction, sums.tolist())]) if rounded else sums  # as floats beyond 2⁵³ are no counts


def names_of_codes(column: Column, texts: bool) -> tuple[tuple[str, ...], Integers]:
    """Return the names that a column has, as texts in order, and the place of each row's among them; −1 for none.

    >>> names_of_codes(Column([10, 9, "9", " ", "x"], np.array([0, 1, 2, 3, -1])), False)
    (('9', '10'), array([ 1,  0,  0, -1, -1]))
    """
    used = np.bincount(column.codes + 1, minlength=len(column.values) + 1)[1:] > 0
    named = [name_in(value, texts) if there else None for value, there in zip(column.values, used, strict=True)]
    names = [None if name is None else str(name) for name in named]
    ordered = sorted({name for name in names if name is not None}, key=name_order)
    at: dict[Any, int] = {name: place for place, name in enumerate(ordered)}
    return tuple(ordered), np.array([at.get(name, -1) for name in names] + [-1])[column.codes]


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


def stacked(column: NDArray[Any], k: int) -> NDArray[Any]:
    """Return a column k times, one below the other."""
    return column if k == 1 else np.tile(column, k)


def column_of(cells: Iterable[Any], codes: Integers) -> Column:
    """Return a column of codes of cells, put together where they mean the same; None means nothing."""
    values: dict[Any, int] = {}
    at = [-1 if cell is None else values.setdefault(cell, len(values)) for cell in cells]
    return Column(list(values), np.array([*at, -1], dtype=np.int64)[codes])


Chunk = tuple[str, Iterable[int | None], Sequence[Sequence[Any]]]
"""Some rows: their file, the lines on which they start, where lines are known, and the cells of each column."""


def codes_of(index: defaultdict[Any, int], cells: Sequence[Any]) -> Integers:
    """Return the codes of cells by an index, to which those that it lacks are added."""
    return np.fromiter(map(index.__getitem__, cells), dtype=np.int64, count=len(cells))


def coded_cases(
    chunks: Iterable[Chunk], headers: Sequence[str], numbers: Collection[str], where: str, texts: bool
) -> CodedCases:
    """Return cases from cells; the columns ``numbers`` hold numbers, which are read as in tables of counts."""
    indexes = [defaultdict[Any, int](count().__next__) for _ in headers]
    parts = [[np.zeros(0, dtype=np.int64)] for _ in headers]
    read: list[tuple[str, Iterable[int | None], int]] = []
    for file, lines, columns_of in chunks:
        read.append((file, lines, len(columns_of[0])))
        for header, index, part, cells in zip(headers, indexes, parts, columns_of, strict=True):
            try:
                part.append(codes_of(index, cells))
            except TypeError:  # a list or an object of JSON
                line, value = next(one for one in zip(lines, cells, strict=False) if isinstance(one[1], (list, dict)))
                odd = Cell(value, header, partial(Place, file, line=line))
                raise odd.error("is no label", expected="a text, a number, true or false") from None

    def place(codes: Integers, code: int) -> Place:
        """Return where a code stands first."""
        row = int(np.argmax(codes == code))
        for file, lines, n in read:
            if row < n:
                return Place(file, line=next(islice(lines, row, None)))
            row -= n
        return Place(where)

    columns = {}
    for header, index, of in zip(headers, indexes, parts, strict=True):
        codes = np.concatenate(of)
        values = [cell.strip() or None for cell in index] if texts else list(map(plain_value, index))
        if header in numbers:
            numbered = [Cell(value, header, partial(place, codes, code)) for code, value in enumerate(values)]
            commas = uses_decimal_commas([cell for cell in numbered if isinstance(cell.value, str)])
            values = [_number(cell, commas) for cell in numbered]
        columns[header] = column_of((None if value == "" else value for value in values), codes)
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
    if not isinstance(value, Decimal):
        return value
    try:
        return int(value) if sized(value) == value.to_integral_value() else value
    except DataError:
        raise cell.error("has too many digits", expected=f"at most {MOST_DIGITS}") from None


# Which cases models share

WAYS = ("wrong", "common")
"""What may become of cases without an answer: they are errors, or left out for all models."""


class Rows(NamedTuple):
    """What was done, one row each: the places of entity, domain and cluster among names, case, repeat, and a code.

    ``code`` is −1 where nothing was answered; what the others stand for is up to the kind of cases. ``case`` is None
    where no column names it, so that each row is a case of its own. ``size`` is how many cases there are like that of
    the row, and ``row`` its place in the table, which the answers of several columns share.
    """

    entity: Integers
    domain: Integers
    case: Integers | None
    cluster: Integers | None
    repeat: Integers | None
    code: Integers
    size: Integers
    row: Integers
    entities: tuple[str, ...]
    domains: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()

    def at(self, rows: Any) -> Self:
        """Return some of the rows, perhaps more than once."""
        arrays = {name: of[rows] for name, of in self._asdict().items() if isinstance(of, np.ndarray)}
        return self._replace(**arrays)

    def on(self, domain: str) -> Self:
        """Return the rows of one domain."""
        rows = self.at(self.domain == self.domains.index(domain))
        return rows._replace(domain=np.zeros_like(rows.domain), domains=(domain,))

    def without_others(self) -> Self:
        """Return the same rows, without the entities and domains of which there is no row."""
        changes: dict[str, Any] = {}
        for one, several in (("entity", "entities"), ("domain", "domains")):
            place, names = getattr(self, one), getattr(self, several)
            there = np.unique(place[place >= 0])
            changes[one] = np.where(place < 0, -1, np.searchsorted(there, place))
            changes[several] = tuple(names[i] for i in there.tolist()) if names else names
        return self._replace(**changes)


class Tally(NamedTuple):
    """The performances of a table, and what was counted.

    ``cases`` are its rows, of several columns of predictions together, with the outcome as their code, and ``truth``
    the true label of each. ``pooled`` are the notes on columns that were not used but plainly name entities or domains.
    """

    performances: Performances
    cases: Rows
    truth: Integers
    positive: Any = None
    notes: tuple[str, ...] = ()
    pooled: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """How many rows were counted, of several columns of predictions together."""
        return int(self.cases.size.sum())


def rows_of(table: CodedCases, columns: Columns) -> Rows:
    """Return what each row of a table is, column of predictions after column, whose codes are those of the cells."""
    n, k = len(table.times), len(columns.answers)
    row = np.tile(np.arange(n), k)

    def named(header: str | None) -> tuple[tuple[str, ...], Integers]:
        names, places = (
            ((), table.codes(None)) if header is None else names_of_codes(table.columns[header], table.texts)
        )
        return names, stacked(places, k)

    entities, entity = named(columns.entity)
    if columns.entity is None:
        entities = columns.answers
        if columns.truth is not None:  # in the order of names, as where a column has them
            entities = tuple(sorted(entities, key=name_order))
        place = {header: e for e, header in enumerate(entities)}
        entity = np.repeat([place[header] for header in columns.answers], n)
    domains, domain = named(columns.domain)
    clusters, cluster = named(columns.cluster)
    nameless = columns.case is None and columns.entity is not None and len(entities) > 1
    case = row if columns.case is None else stacked(table.codes(columns.case), k)
    return Rows(
        entity, domain, None if nameless else case, cluster if columns.cluster else None,
        stacked(table.codes(columns.repeat), k) if columns.repeat else None,
        np.concatenate([table.codes(header) for header in columns.answers]), stacked(table.times, k), row, entities,
        domains, clusters,
    )  # fmt: skip


# Which cases there are, and which are amiss


def of_same_cases(table: CodedCases, columns: Columns, headers: Iterable[str]) -> list[str]:
    """Return which columns tell answers of a model to the same cases apart, such as by seeds.

    Without a column of cases these may be the same, unless a column has other values in all rows.
    """
    keys = [table.codes(key) for key in (columns.entity, *columns.levels, columns.case, columns.repeat)]
    several = list[str]()
    for header in headers:
        once, each = (len(combined(of)[1]) for of in (keys, [*keys, table.codes(header)]))
        several += [header] if once < each and (columns.case is not None or each < table.records) else []
    return several


def counted_once(header: str) -> list[str | Option]:
    """Return the advice that a column numbers the repeats of the same cases."""
    return ["count each case once, with all of its repeats, by ", Option("repeat", header)]


def refuse_same_cases(header: str, columns: Columns) -> None:
    """Refuse the same cases again and again, as the values of a column tell that nobody named."""
    repeats = header if columns.repeat is None else "all"  # beside others that a column names already
    average = counted_once(repeats)
    ways: list[Any] = [] if columns.scored else [average]
    other: list[Any]
    may, other = "has", ["if they are different cases, name them apart"]
    if columns.case is None:
        domain = Option("domain", header)
        may, other = "may have", ["if they are different cases, say so with ", domain]
        average += [" and the column of cases by ", Option("case")]
    if columns.lone is not None and role(header) == "entity":
        ways += [["name the models with ", Option("entity", header)]]
    raise DataError(
        f"each {quoted(header)} {may} the same cases again, which would count several times",
        way_out=[*ways, "keep the rows of one", other],
    )


def cases_by(rows: Rows, *columns: Integers) -> tuple[Integers, Integers, Integers]:
    """Return the place of each row among the combinations of columns, these, and how many cases each of them is."""
    code, combinations = combined(columns)
    cases = np.empty(len(combinations), dtype=np.int64)
    cases[code] = rows.size
    return code, combinations, cases


def cases_had(rows: Rows) -> tuple[Integers, Integers]:
    """Return how many cases each entity has on each domain, (domains, entities), and how many there are, (domains,)."""
    d, e = max(len(rows.domains), 1), len(rows.entities)
    question, places, cases = cases_by(rows, rows.domain, np.asarray(rows.case))
    cells, _ = ranked(question * e + rows.entity, len(places) * e)
    question, entity = np.divmod(cells, e)
    had = weighted_bincount(places[question, 0] * e + entity, cases[question], d * e)
    return had.reshape(d, e), weighted_bincount(places[:, 0], cases, d)


def refuse_nameless(rows: Rows, columns: Columns) -> None:
    """Refuse rows in which a name is missing, such as that of the case."""
    for what, headers in columns.by_role().items():
        place = getattr(rows, what, None)
        if place is not None and (lost := int(rows.size[place < 0].sum()) // len(columns.answers)):
            header = some(headers, quote="", word=quoted)
            raise DataError(f"in {counted(lost, 'row')} the {what} is missing (column {header})")


def repeated(rows: Rows, columns: Columns) -> str:
    """Return which entities have more than one row of a case, or of a repeat of it; or nothing."""
    n, case = len(rows.entities), np.asarray(rows.case)
    cell = rows.domain * n + rows.entity
    keys, same = [cell, case], "a case"
    if rows.repeat is not None:
        keys, same = [*keys, rows.repeat], f"a case and {quoted(columns.repeat)}"
    _, once, sizes = cases_by(rows, *keys)
    extra = np.bincount(cell, rows.size) - np.bincount(once[:, 0], sizes)

    def word(at: int) -> str:
        d, e = divmod(at, n)
        name = "the table" if columns.entity is None else f"entity {quoted(rows.entities[e])}"
        on = f" on domain {quoted(rows.domains[d])}" if rows.domains else ""
        too_many = f"{counted(int(extra[at]), 'row')} too many, of {counted(int(cases_had(rows)[1][d]), 'case')}"
        return f"{name}{on} has more than one row of {same}: {too_many}"

    hint = "; does another column name the entity?" if columns.entity is None and extra.any() else ""
    return some(np.flatnonzero(extra > 0).tolist(), 3, quote="", joint="; ", word=word) + hint


def unmatched(rows: Rows, columns: Columns, facts: Mapping[str, Integers]) -> list[str]:
    """Return what is wrong with cases, in sentences, of rows in which nothing is missing; each has one of all facts."""
    question, _, cases = cases_by(rows, rows.domain, np.asarray(rows.case))
    problems = [*filter(None, [repeated(rows, columns), lacking(rows, untried=False)])]
    for what, values in facts.items():
        several = np.bincount(combined([question, values])[1][:, 0], minlength=len(cases)) > 1
        if torn := int(cases[several].sum()):
            problems.append(f"{counted(torn, 'case')} with several {what}")
    return problems


def refuse_single(rows: Rows) -> None:
    """Refuse the column of repeats where no model has several answers to a case."""
    if len(combined([rows.domain, rows.entity, np.asarray(rows.case)])[1]) == len(rows.code):
        raise no_effect("repeat", "no model has several answers to a case")


def on_all_domains(rows: Rows, columns: Columns, *truth: Integers) -> str:
    """Return that each domain has all the same cases, by their names, and perhaps truth, where that is so."""
    # Drawn domain by domain, ten copies of a test set would be ten test sets.
    if columns.case is None or len(rows.domains) < 2:
        return ""
    case = np.asarray(rows.case)
    cases, in_domains = (int(cases_by(rows, *by)[2].sum()) for by in ((case, *truth), (rows.domain, case)))
    if cases < 2 or in_domains != len(rows.domains) * cases:
        return ""
    of, same = some(columns.levels, word=quoted, quote=""), ", with the same truth" if truth else ""
    return (
        f"all {cases} cases stand in each of the {len(rows.domains)} domains of {of}{same}, so they may be the same "
        "cases"
    )


def gaps(P: Performances) -> list[tuple[str, str]]:
    """Return the domains and entities of which there is no row."""
    known = {*zip(P.domains or [""] * len(P), P.names, strict=True)}
    return [cell for cell in product(dict.fromkeys(P.domains or ()), dict.fromkeys(P.names)) if cell not in known]


def refuse_gaps(P: Performances, where: str, *ways: Any) -> None:
    """Refuse an entity that has no case on a domain; there may be other ways out than to do without one of them."""
    if lacking := gaps(P):
        d, e = lacking[0]
        more = f", and so {counted(len(lacking) - 1, 'more', 'more')}" if lacking[1:] else ""
        raise DataError(
            f"entity {quoted(e)} has no case on domain {quoted(d)}{more}", where=where,
            expected="every entity on every domain", way_out=[*ways, "drop one or the other", "choose one domain"],
        )  # fmt: skip


def lacking(rows: Rows, untried: bool = True) -> str:
    """Return which entities lack how many of the cases that others have on a domain, perhaps all; or nothing."""
    if rows.case is None:
        return ""
    have, questions = cases_had(rows)

    def word(pair: Any) -> str:
        d, e = int(pair[0]), int(pair[1])
        on = f" on {quoted(rows.domains[d])}" if rows.domains else ""
        return f"{quoted(rows.entities[e])} lacks {questions[d] - have[d, e]} of {questions[d]} cases{on}"

    absent = list(np.argwhere((have < questions[:, None]) & (untried | (have > 0))))
    return some(absent, 3, quote="", joint="; ", word=word) if absent else ""


# Cases without an answer


def settled(rows: Rows, common: bool, everywhere: bool = False) -> tuple[Rows, int, list[str]]:
    """Return rows with those that entities lack, or of the ``common`` cases; how many have no code; and notes.

    An entity lacks a case of a domain on which it has others, unless no two entities share a case there: these have
    cases of their own; or any case, ``everywhere``. A row that it lacks has the code −1, and all else from another row
    of that case. The cases are common of which no row lacks a code; rows without a name are left as they are.
    """
    n = len(rows.entities)
    if rows.case is not None:
        named = np.flatnonzero(np.min([rows.domain, rows.case, rows.entity], axis=0) >= 0)
        domain, entity = rows.domain[named], rows.entity[named]
        question, _ = combined([domain, rows.case[named]])
        first = np.unique(question, return_index=True)[1]
        there, where = ranked(question * n + entity)[0], domain[first]
        shared = np.unique(where if everywhere else where[np.bincount(there // n) > 1])
        of_domain = {d: np.flatnonzero(where == d) for d in shared.tolist()}
        tried = combined([domain, entity])[1].tolist()
        tried = product(of_domain, {e for _, e in tried}) if everywhere else tried
        due = [of_domain[d] * n + e for d, e in tried if d in of_domain]
        absent = np.setdiff1d(np.concatenate(due), there) if due else named[:0]
        entity, code = np.append(rows.entity, absent % n), np.append(rows.code, np.full(len(absent), -1))
        rows = rows.at(np.append(np.arange(len(rows.code)), named[first[absent // n]]))
        rows = rows._replace(entity=entity, code=code)
    missing = int((rows.code < 0).sum())
    if not (common and missing):
        return rows, missing, []
    if rows.case is None:
        way_out = [["name it with ", Option("case")]]
        raise UsageError("only a column of cases says which cases all models answered", way_out=way_out)
    question, _ = combined([rows.domain, rows.case])
    nameless = np.min([rows.domain, rows.case, rows.entity], axis=0) < 0
    rest = rows.at((np.bincount(question, rows.code < 0) == 0)[question] | nameless).without_others()
    if not len(rest.code):
        way_out = [] if everywhere else [["count missing answers as wrong with ", Option("unanswered", "wrong")]]
        raise DataError("no case was answered by every model", way_out=way_out)
    gone = [name for name in rows.domains if name not in rest.domains]
    on = some(gone, 3, quote="", word=quoted)
    note = f"no model is compared on {on}, where no case was answered by every model"
    return rest, missing, [note] if gone else []


def answered(rows: Rows, columns: Columns, way: str) -> tuple[Rows, list[str]]:
    """Return rows of which none is lacking, or only the cases that all models answered, and notes."""
    ways, what = (WAYS[1:], "score") if columns.scored else (WAYS, "prediction")
    if way not in ways:
        raise UsageError(Option("unanswered", way), expected=f"one of {', '.join(map(repr, ways))}, for {what}s")
    # Scores need every model on every domain, so that cases of a domain that a model lacks are not common.
    rows, missing, notes = settled(rows, way == "common", everywhere=columns.scored)
    if not missing:
        raise no_effect(Option("unanswered", way), f"every case has a {what}")
    return rows, notes if way == "common" else [f"{counted(missing, 'missing prediction')} counted as wrong"]


def wrong_labels(known: Sequence[Any], pos_label: Any) -> list[Any]:
    """Return a wrong prediction for each label that may be true: the other class, or side; of several it is none."""
    positive = [label for label in known if pos_label is not None and label_text(label) == label_text(pos_label)]
    if positive:
        other = next((label for label in known if label not in positive), NO_ANSWER)
        return [other if label in positive else positive[0] for label in known]
    return [*reversed(known)] if len(known) == 2 else [NO_ANSWER] * len(known)


# What the models do on the same cases


def performances_of(rows: Rows, whole: Any, space: SampleSpace, cluster: str | None) -> Performances:
    """Return the performances by domain and entity, which know their cases if each entity has all or none of a domain.

    ``whole`` (codes, outcomes) are integers proportional to the shares of the outcomes that a code stands for, all by
    one factor. Several rows of an entity and a case are averaged. Where each case has one outcome these are counts,
    else exact sums; ``cluster`` is the header of clusters.
    """
    n = len(rows.entities)
    case = np.arange(len(rows.code)) if rows.case is None else rows.case
    question, places, size = cases_by(rows, rows.domain, case)
    cells, row = ranked(question * n + rows.entity, len(places) * n)
    code = np.empty(len(cells), dtype=np.int64)
    code[row] = rows.code
    if len(cells) < len(row):
        code, whole = _averages(rows.code, whole, row, np.bincount(row))
    outcome = whole == whole[0].sum()
    grades = None
    if outcome.any(axis=1).all():
        code = outcome.argmax(axis=1)[code]
    else:
        grades = (whole / whole[0].sum()).astype(np.float64)
    pair = places[cells // n, 0] * n + cells % n
    there, at = ranked(pair)
    names = [rows.entities[p % n] for p in there.tolist()]
    domains = [rows.domains[p // n] for p in there.tolist()] if rows.domains else None
    if grades is None:
        counts = weighted_bincount(at * len(space) + code, size[cells // n], len(there) * len(space))
        P = Performances.from_counts(counts.reshape(-1, len(space)), names=names, domains=domains, space=space)
    else:
        order = np.argsort(pair, kind="stable")
        sums = np.add.reduceat(whole[code[order]], np.flatnonzero(np.diff(pair[order], prepend=-1)), axis=0)
        P = Performances.from_exact(sums, names=names, domains=domains, space=space)
    have = np.bincount(at)  # cases of each domain and entity that was tried there
    if rows.case is None or (have < np.bincount(places[:, 0])[there // n]).any():
        return P
    codes = np.full((len(places), n), -1)  # of an entity that was not tried on a domain
    codes.flat[cells] = code
    codes = codes[:, list(dict.fromkeys((there % n).tolist()))]  # in the order of the names, which domains may change
    inside = np.zeros(len(places), dtype=np.int64) if cluster is None else _clusters(rows, question, cluster)
    units = []
    for domain in range(max(len(rows.domains), 1)):
        here = np.flatnonzero(places[:, 0] == domain)
        of_kind, kinds = combined([inside[here], *codes[here].T])
        number = None if cluster is None else np.unique(kinds[:, 0], return_inverse=True)[1].ravel()
        units.append(Units(kinds[:, 1:], weighted_bincount(of_kind, size[here], len(kinds)), number, grades))
    return P.with_pairing(Joint(P, tuple(units), cluster is not None))


def _averages(codes: Integers, whole: Any, row: Integers, times: Integers) -> tuple[Integers, Any]:
    """Return the means over the repeats of each cell, equal ones as one code, and integers proportional to them."""
    kinds = len(whole)
    cell_code, numbers = np.unique(row * kinds + codes, return_counts=True)
    common = int(np.lcm.reduce(np.unique(times).astype(object)))
    total = int(whole[0].sum()) * common  # of the integers of each mean
    kind = np.int64 if total < 2**53 else object
    parts = (common // times.astype(object)).astype(kind)[cell_code // kinds]
    sums = np.zeros((len(times), whole.shape[1]), dtype=kind)
    np.add.at(sums, cell_code // kinds, whole.astype(kind)[cell_code % kinds] * (parts * numbers)[:, None])
    if kind is object:  # which numpy does not sort by rows
        texts = np.array([",".join(map(str, cell)) for cell in sums.tolist()])
        _, first, code = np.unique(texts, return_index=True, return_inverse=True)
        means = sums[first]
    else:
        means, code = np.unique(sums, axis=0, return_inverse=True)
    return code.ravel(), means.astype(object)


def _clusters(rows: Rows, question: Integers, header: str) -> Integers:
    """Return the cluster of each case; raises where a case lies in several, or a cluster on several domains."""
    of_case = combined([question, np.asarray(rows.cluster), rows.domain])[1]
    if len(of_case) > int(question.max()) + 1:
        raise DataError(f"some cases lie in several clusters of {quoted(header)}: expected one of each")
    pairs = combined([of_case[:, 2], of_case[:, 1]])[1].tolist()
    if rows.domains and (crossing := crossing_clusters((rows.domains[d], rows.clusters[c]) for d, c in pairs)):
        raise DataError(crossing)
    return of_case[:, 1]
