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
from ..performances import Performances
from ..results import without_guard
from ..tasks.classes import class_text, space
from ..texts import counted, some
from .cells import Cell, is_number, missing, missing_text, number_of_text, uses_decimal_commas
from .headers import JOINED
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
_MOST_STRANGERS = 3
"""Labels that were not expected and are named one by one; of more, all are one sentence."""


class Group(NamedTuple):
    """Equal rows of a table of predictions: how many, and their total weight."""

    domain: Any
    entity: Any
    truth: Any
    predicted: Any
    rows: int
    weight: int | float | Fraction


# What a cell means


def plain_value(value: Any) -> Any:
    """Return a cell as Python has it: None where it holds no value, and whole numbers as integers."""
    if missing(value):
        return None
    value = value.item() if isinstance(value, np.generic) else value
    whole = isinstance(value, (float, Decimal)) and math.isfinite(value)
    whole = whole and (isinstance(value, float) or value.adjusted() < MOST_DIGITS) and value == int(value)
    return int(value) if whole else value


def plain_name(value: Any) -> Any:
    """Return the name of an entity or a domain, None where it is missing or blank."""
    value = plain_value(value)
    return None if isinstance(value, str) and not value.strip() else value


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
    name = plain_name(raw)
    return without_guard(name.strip()) if texts and isinstance(name, str) else name


# Which outcome a pair of labels is


class Coding(NamedTuple):
    """How pairs of labels become outcomes: the sample space, what is known, and the position of a pair in Ω."""

    space: SampleSpace
    known: frozenset[Any] | None
    place: Callable[[Any, Any], int]
    positive: Any = None


def coding_of(groups: Sequence[Group], pos_label: Any, labels: Any, scored: bool) -> Coding:
    """Return how the labels of groups are to be read, or raise where that is doubtful.

    Of K > 2 labels Ω is all pairs (truth, prediction), of which the diagonal is satisfying.
    """
    true: Counter[Any] = Counter()
    predicted: Counter[Any] = Counter()
    for group in groups:
        true[group.truth] += group.rows
        if not scored:
            predicted[group.predicted] += group.rows
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
            if label != NO_ANSWER or len(labels) == 1:
                kind = "texts" if isinstance(label, str) else "numbers" if number else type(label).__name__
                met.setdefault(kind, []).append(label)
        if len(met) > 1:
            examples = " and ".join(f"{kind} ({quoted_label(of[-1])})" for kind, of in sorted(met.items()))
            rows = ", ".join(f"{sum(map(labels.__getitem__, of))} {kind}" for kind, of in sorted(met.items()))
            raise DataError(f"the {what} labels are {examples} in one column ({rows}): use one kind of label")
        kinds.append(next(iter(met), ""))
    if predicted and kinds[0] != kinds[1]:
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


# From groups to performances


class Tally(NamedTuple):
    """The performances, and what was counted: the rows, the positive label, and the names of what is pooled.

    ``rows`` is the number of rows that were counted (of several columns of predictions, of each). ``groups`` are the
    names of domain and entity, and the place of the outcome in Ω, of each group; ``code`` is the group of each row.
    ``pooled`` are the columns that were not used but may name entities or domains: {header: "entity" or "domain"}.
    """

    performances: Performances
    rows: int
    groups: Sequence[tuple[str, str, int]]
    positive: Any = None
    notes: tuple[str, ...] = ()
    pooled: Mapping[str, str] = {}
    code: Any = None


def tallied(groups: Sequence[Group], *, pos_label: Any, labels: Any, scored: bool) -> Tally:
    """Return the performances that groups amount to, one per domain and entity, sorted; see :func:`count`.

    With ``scored`` predictions are already True or False. Raises DataError, with numbers, for rows that cannot be
    counted.
    """
    total = sum(group.rows for group in groups)
    if not total:
        raise DataError("there is no row; expected one per case and entity")
    cells = {"truth": 2, "score" if scored else "prediction": 3, "name of the entity": 1, "name of the domain": 0}
    lacking = {what: sum(group.rows for group in groups if group[i] is None) for what, i in cells.items()}
    problems = [(f"the {what} is missing", n) for what, n in lacking.items() if n]
    without = lacking.get("prediction", 0)
    ways: list[Any] = [] if not without else [
        ["count missing predictions as wrong with ", Option("unanswered", "wrong")],
        ["compare on the cases that every model answered with ", Option("unanswered", "common")],
    ]  # fmt: skip
    ways += ["fill in what is missing"] if sum(lacking.values()) > without else []
    complete = [group for group in groups if None not in group[:4]]
    if not complete:
        raise DataError(f"no row can be counted: {_sentence(problems, total)}", way_out=ways)
    coding = coding_of(complete, pos_label, labels, scored)
    counts: dict[tuple[Any, Any], list[Any]] = {}
    strangers, places = Counter[Any](), list[tuple[str, str, int]]()
    for domain, entity, truth, predicted, rows, weight in complete:
        strange = [x for x in (truth, predicted)[: 2 - scored] if coding.known is not None and x not in coding.known]
        if strange:
            strangers[strange[0]] += rows
            continue
        places.append((str(domain), str(entity), coding.place(truth, predicted)))
        counts.setdefault((domain, entity), [0] * len(coding.space))[places[-1][2]] += weight
    expected = listed(sorted(coding.known or (), key=order_of))
    most = [(quoted_label(label), n) for label, n in strangers.most_common()]
    if len(most) > _MOST_STRANGERS:
        named = ", ".join(label for label, _ in most[:_MOST_STRANGERS])
        problems.append((f"a label, such as {named}, is none of {expected}", strangers.total()))
    else:
        problems += [(f"a label is {label}, which is none of {expected}", n) for label, n in most]
    if problems:
        ways += ["correct the labels"] if most else []
        ways += [["name all labels with ", Option("labels")]] if most and not scored else []
        raise DataError(_sentence(problems, total), way_out=ways)
    for (domain, entity), outcomes in counts.items():
        if not any(outcomes):
            on = "" if domain == "" else f" on domain {quoted(str(domain))}"
            raise DataError(
                f"entity {quoted(str(entity))}{on} has only weights of 0", expected="a row that counts",
                way_out=["correct the table", "drop the entity"],
            )  # fmt: skip
    for of in zip(*counts, strict=True):  # tables of counts are read without spaces around names
        texts: dict[str, str] = {}
        for name in map(str, of):
            if (other := texts.setdefault(name.strip(), name)) != name:
                raise DataError(
                    f"two names differ by spaces only: {quoted(other)} and {quoted(name)}; write them alike"
                )
    keys = sorted(counts, key=lambda key: (name_order(key[0]), name_order(key[1])))
    of_domains, names = dict.fromkeys(d for d, _ in keys), dict.fromkeys(e for _, e in keys)
    absent = [(d, e) for d in of_domains for e in names if (d, e) not in counts]  # without any row
    word = "entity {} on domain {}".format
    cells_of = some(absent, 1, quote="", word=lambda cell: word(quoted(str(cell[1])), quoted(str(cell[0]))))
    domains = [str(domain) for domain, _ in keys]
    P = Performances.from_weighted_counts(
        np.array([counts[key] for key in keys], dtype=object), names=[str(entity) for _, entity in keys],
        domains=domains if any(domains) else None, space=coding.space,
    )  # fmt: skip
    note = f"{len(absent)} of {len(of_domains) * len(names)} cells have no row: {cells_of}"
    return Tally(P, total, places, coding.positive, (note,) if absent else ())


def _sentence(problems: Sequence[tuple[str, int]], total: int) -> str:
    return "; ".join(f"in {n} of {counted(total, 'row')} {what}" for what, n in problems)


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

    def roles(self) -> dict[str, str]:
        """Return the headers of the source that are used, and what each column holds."""
        names = ("truth", "prediction", "entity", "domain", "case", "weight", "cluster", "fold", "repeat")
        called = {"prediction": self.predictions, "domain": self.levels}
        roles: dict[str, str] = {}
        for what in names:
            for header in called[what] if what in called else (getattr(self, what),):
                if header is not None:
                    roles.setdefault(header, what)
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
    its files, where none was asked for, and ``first`` the first row, where it is known. Rows that an engine gives in
    any order are not ``ordered``.
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

    def value(self, header: str, code: int) -> Any:
        """Return the value that a code stands for, None where nothing is there."""
        return None if code < 0 else self.columns[header].values[code]

    def groups(self, columns: Columns) -> tuple[list[Group], Integers]:
        """Return the groups of equal rows, as they are written, and that of each row, column after column."""
        everything, codes = list[Group](), list[Integers]()
        keys = [self.codes(header) for header in (columns.domain, columns.entity, columns.truth)]
        for header in columns.predictions:
            predicted = self.columns[header]
            if columns.threshold is not None:
                reached = [float(x) >= columns.threshold for x in predicted.values]
                predicted = Column([False, True], np.array([*map(int, reached), -1], dtype=np.int64)[predicted.codes])
            code, places = combined([*keys, predicted.codes])
            rows = weighted_bincount(code, self.times, len(places)).tolist()
            weights = rows if columns.weight is None else self._weights(columns.weight, code, len(places))
            codes.append(code + len(everything))
            everything += (
                Group(
                    "" if columns.domain is None else self.value(columns.domain, domain),
                    header if columns.entity is None else self.value(columns.entity, entity),
                    self.value(columns.truth, truth),
                    None if prediction < 0 else predicted.values[prediction],
                    n,
                    weight,
                )
                for (domain, entity, truth, prediction), n, weight in zip(places.tolist(), rows, weights, strict=True)
            )
        return everything, np.concatenate(codes)

    def _weights(self, header: str, code: Integers, size: int) -> list[Any]:
        """Return the sums of the weights of groups: exact, of the decimals that floats are printed as."""
        column, name = self.columns[header], quoted(header)
        if absent := int(self.times[column.codes < 0].sum()):
            problem = f"a weight in the column {name} is missing ({absent} of {self.records} rows); fill it in"
            raise located(self.where, problem)
        wrong = next((value for value in column.values if not 0 <= value < math.inf), None)
        if wrong is not None:
            raise located(self.where, f"a weight in the column {name} is {wrong:g}; expected finite, ≥ 0")
        largest = max(column.values, default=0) * self.records
        n = weighted_bincount(column.codes, self.times, len(column.values)).tolist() if largest > LARGEST_TOTAL else ()
        if sum(Fraction(value) * k for value, k in zip(column.values, n, strict=False)) > LARGEST_TOTAL:
            raise located(self.where, f"the weights in the column {name} are too large to be added exactly")
        if not largest:
            return [0] * size
        weights = checked_weights(column.values, len(column.values))
        integers: Any = [] if weights is None else weights.integers
        if int(max(integers.tolist())) * self.records > LARGEST_TOTAL:
            integers = integers.astype(object)
        sums = sums_of_weights(weighted_bincount(code, integers[column.codes] * self.times, size), weights).tolist()
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
