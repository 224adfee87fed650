"""Codes: what cells mean, what groups of rows amount to, and tables of cases, each column as codes of its values."""

import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import partial
from numbers import Real
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from ..arrays import Integers, Label
from ..checks import checked_weights, sums_of_weights
from ..checks.labels import refuse_scores, refuse_values
from ..checks.names import domain_text
from ..checks.positive import positive_class, usual_positive
from ..errors import DataError, Option, Place, UsageError
from ..kernels.counting import weighted_bincount
from ..kernels.exact import MOST_DIGITS, sized
from ..outcomes import TWO_CLASS, SampleSpace
from ..results import without_guard
from ..tasks.classes import class_text, space
from ..texts import some
from .cells import Cell, missing, missing_text, number_of_text, uses_decimal_commas
from .headers import FILE, JOINED
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


def order_of(value: Any) -> tuple[bool, Any]:
    """Order numbers by value, before all else by text."""
    number = isinstance(value, (Real, Decimal)) and not isinstance(value, bool)
    return not number, value if number else str(value)


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
        labels = ALL_LABELS if several else None
    given: list[Any] | None = None
    if labels is not None and isinstance(labels, str) and labels == ALL_LABELS:
        given = seen
    elif labels is not None:
        given = [] if isinstance(labels, str) else [_matched(label, seen) for label in labels]
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
    known = None if given is None else frozenset(given)
    if given is None:
        usual = usual_positive(seen if len(seen) <= 2 else [*true])
        pair = frozenset({*true, usual if pos_label is None else _matched(pos_label, seen)})
        known = pair if len(true) <= 2 and len(pair) == 2 and None not in pair else None
        if pos_label is None and known is None and len(seen) > 2:
            raise DataError(
                f"the labels {listed(seen)} are more than two",
                way_out=[
                    ["name the positive class with ", Option("pos_label"), " (all others are then negative)"],
                    ["ask for one performance over all pairs of labels with ", Option("labels", "all")],
                ],
            )
    among = given or (sorted(known, key=order_of) if known is not None and pos_label is None else seen)
    positive = positive_class(among, None if pos_label is None else _matched(pos_label, among))

    def place(truth: Any, predicted: Any) -> int:
        return 2 * int(truth == positive) + int(predicted if scored else predicted == positive)

    return Coding(TWO_CLASS, known, place, positive)


def _matched(pos_label: Any, labels: Sequence[Any]) -> Any:
    """Return the positive label as the table has it; a text and a number that read alike are one."""
    positive = plain_value(pos_label)
    texts = [label for label in labels if isinstance(label, str)]
    if isinstance(positive, str) and not texts:
        return values_of_labels([positive.strip()])[positive.strip()]
    if not isinstance(positive, str) and len(texts) == len(labels):  # 1 where a table of text has "1"
        alike = [label for label in texts if values_of_labels([label])[label] == positive]
        return alike[0] if len(alike) == 1 else positive
    return positive


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
            examples = " and ".join(f"{kind} ({quoted_label(of[-1])})" for kind, of in sorted(met.items()))
            rows = ", ".join(f"{sum(map(labels.__getitem__, of))} {kind}" for kind, of in sorted(met.items()))
            raise DataError(f"the {what} labels are {examples} in one column ({rows}): use one kind of label")
        kinds.append(next(iter(met), ""))
    if "" not in kinds and kinds[0] != kinds[1]:
        raise DataError(
            f"true labels are {kinds[0]} ({listed(true)}), predicted labels are {kinds[1]} ({listed(predicted)}): "
            "use the same labels in both"
        )


def quoted_label(label: Any) -> str:
    """Return a label as a sentence shows it: texts in quotes."""
    return quoted(label) if isinstance(label, str) else repr(label)


def listed(labels: Iterable[Any]) -> str:
    """Return labels as a sentence shows them: the first few."""
    return some(list(labels), quote="", word=quoted_label)


# Cases in arrays

LARGEST_TOTAL = 2**62
"""Whole weights are added up to here."""

LARGEST_FLOAT = 2**53
"""Sums of whole weights up to here are exact in floats."""


class Columns(NamedTuple):
    """Which column holds what: several of predictions are several models; they are scores where there is a threshold.

    Several ``levels`` make a domain, in a hierarchy.
    """

    truth: str
    predictions: tuple[str, ...]
    threshold: float | None = None
    entity: str | None = None
    levels: tuple[str, ...] = ()
    case: str | None = None
    cluster: str | None = None
    repeat: str | None = None
    fold: str | None = None
    weight: str | None = None

    @property
    def scored(self) -> bool:
        """Whether the columns of predictions hold scores."""
        return self.threshold is not None

    @property
    def domain(self) -> str | None:
        """The column that names the domain, None where none does."""
        return JOINED if len(self.levels) > 1 else next(iter(self.levels), None)

    def numbers(self) -> dict[str, tuple[str, str]]:
        """Return the columns that must hold numbers: what they hold, and what is expected."""
        weights = {} if self.weight is None else {self.weight: ("numbers", "weights ≥ 0")}
        return dict.fromkeys(self.predictions if self.scored else (), ("scores", "numbers")) | weights

    def by_role(self) -> dict[str, tuple[str, ...]]:
        """Return the headers by what their columns hold; a column that files are given is none."""
        names = ("truth", "prediction", "entity", "domain", "case", "weight", "cluster", "fold", "repeat")
        several = {"score" if self.scored else "prediction": self.predictions, "domain": self.levels}
        named: dict[str, Any] = {name: (getattr(self, name, None),) for name in names} | several
        return {name: headers for name, headers in named.items() if headers not in ((None,), (FILE,), ())}

    def roles(self) -> dict[str, str]:
        """Return the headers of the source that are used, and what each column holds."""
        roles: dict[str, str] = {}
        for what, headers in self.by_role().items():
            for header in headers:
                roles.setdefault(header, what)
        return roles


class Column(NamedTuple):
    """The values of a column: the distinct ones, and the code of each row, −1 where nothing is there."""

    values: list[Any]
    codes: Integers


@dataclass(eq=False)
class CodedCases:
    """A table of predictions of ``records`` rows, of which equal ones may stand as one.

    ``times`` is how many rows each one stands for: 1 unless equal ones were put together; then the cases have no names,
    and ``case`` numbers them where the table has a column of them. ``texts`` is True where labels are texts; ``entity``
    is the column that names the models, of its own or of its files, where none was asked for, and ``first`` the first
    row, where it is known. Rows that an engine gives in any order are not ``ordered``.
    """

    columns: dict[str, Column]
    records: int
    where: str
    texts: bool
    times: Any = None
    headers: Sequence[str] = ()
    entity: str | None = None
    first: Mapping[str, Any] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
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
        if not levels:
            return
        code, places = combined([self.columns[level].codes for level in levels])
        names = [[name_in(value, self.texts) for value in self.columns[level].values] + [None] for level in levels]
        rows = ([of[i] for of, i in zip(names, row, strict=True)] for row in places.tolist())
        texts = (None if None in row else domain_text(list(map(str, row))) for row in rows)
        self.columns[JOINED] = column_of(texts, code)

    def codes(self, header: str | None) -> Integers:
        """Return the codes of a column, 0 without one."""
        return np.zeros(len(self.times), dtype=np.int64) if header is None else self.columns[header].codes

    def sums(self, header: str | None, code: Integers, size: int) -> Any:
        """Return how many rows have each code, or what their weights in a column add up to.

        Sums are exact, of the decimals that floats are printed as.
        """
        if header is None:
            return weighted_bincount(code, np.tile(self.times, len(code) // len(self.times)), size)
        column, name = self.columns[header], quoted(header)
        if absent := int(self.times[column.codes < 0].sum()):
            problem = f"a weight in the column {name} is missing ({absent} of {self.records} rows); fill it in"
            raise located(self.where, problem)
        wrong = next((value for value in column.values if not 0 <= value < math.inf), None)
        if wrong is not None:
            raise located(self.where, f"a weight in the column {name} is {wrong:g}; expected finite, ≥ 0")
        largest = max(column.values, default=0) * self.records
        weights = checked_weights(column.values, len(column.values)) if largest else None
        integers: Any = np.zeros(1, dtype=np.int64) if weights is None else weights.integers
        if int(max(integers.tolist())) * self.records > LARGEST_TOTAL:
            integers = integers.astype(object)
        of_rows = np.tile(integers[column.codes] * self.times, len(code) // len(self.times))
        sums = sums_of_weights(weighted_bincount(code, of_rows, size), weights)
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


def column_of(cells: Iterable[Any], codes: Integers) -> Column:
    """Return a column of codes of cells, put together where they mean the same; None means nothing."""
    values: dict[Any, int] = {}
    at = [-1 if cell is None else values.setdefault(cell, len(values)) for cell in cells]
    return Column(list(values), np.array([*at, -1], dtype=np.int64)[codes])


Chunk = tuple[str, Iterable[int | None], Sequence[Sequence[Any]]]
"""Some rows: their file, the lines on which they start, where lines are known, and the cells of each column."""


def coded_cases(
    chunks: Iterable[Chunk], headers: Sequence[str], numbers: Collection[str], where: str, texts: bool
) -> CodedCases:
    """Return cases from cells; the columns ``numbers`` hold numbers, which are read as in tables of counts."""
    met: list[dict[Any, int]] = [{} for _ in headers]
    places: list[list[Any]] = [[] for _ in headers]
    codes = [[np.zeros(0, dtype=np.int64)] for _ in headers]
    for file, lines, columns_of in chunks:
        for known, header, first, parts, cells in zip(met, headers, places, codes, columns_of, strict=True):
            try:
                unknown = set(cells) - known.keys()
            except TypeError:  # a list or an object of JSON
                line, value = next(one for one in zip(lines, cells, strict=False) if isinstance(one[1], (list, dict)))
                odd = Cell(value, header, partial(Place, file, line=line))
                raise odd.error("is no label", expected="a text, a number, true or false") from None
            for line, cell in zip(lines, cells, strict=False) if unknown and header in numbers else ():
                if cell in unknown and cell not in known:
                    first.append(partial(Place, file, line=line))
                    known[cell] = len(known)
            for cell in dict.fromkeys(cells) if unknown else ():
                known.setdefault(cell, len(known))
            parts.append(np.fromiter(map(known.__getitem__, cells), dtype=np.int64, count=len(cells)))
    columns = {}
    for header, known, first, parts in zip(headers, met, places, codes, strict=True):
        values = [cell.strip() or None for cell in known] if texts else list(map(plain_value, known))
        if header in numbers:
            numbered = [Cell(value, header, place) for value, place in zip(values, first, strict=True)]
            commas = uses_decimal_commas([cell for cell in numbered if isinstance(cell.value, str)])
            values = [_number(cell, commas) for cell in numbered]
        columns[header] = column_of((None if value == "" else value for value in values), np.concatenate(parts))
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
