"""Tables of predictions, one case per row, wherever their rows are: what rankscape asks of them, and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..arrays import Integers
from ..texts import counted
from .cells import is_number
from .codes import Group
from .sheets import located, quoted

LARGEST_KEY = 2**60
"""Outcomes of several entities are put together into keys below this: 64-bit integers."""

LARGEST_TOTAL = 2**62
"""Sums of whole weights up to here are exact on every engine."""

LARGEST_FLOAT = 2**53
"""Sums of whole weights up to here are exact in floats."""


Places = Callable[[Any], int | None]
"""Gives the position of an entity, None for one that does not count."""


class Classes(NamedTuple):
    """The classes of labels: ``place`` gives the position of a label, as it is written, among ``number`` classes.

    The outcome of a truth and a prediction is their pair: number · (position of the truth) + (that of the prediction).
    """

    place: Callable[[Any], int]
    number: int

    @property
    def outcomes(self) -> int:
        """How many pairs there are."""
        return self.number**2

    @property
    def per_key(self) -> int:
        """The outcomes of how many entities are one 64-bit integer: 30 where there are two classes.

        >>> Classes(int, 2).per_key, Classes(int, 1000).per_key
        (30, 3)
        """
        size = 1
        while self.outcomes ** (size + 1) <= LARGEST_KEY:
            size += 1
        return size


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


class CaseNumbers(NamedTuple):
    """Numbers of wrong cases: (domain, entity, how many, of how many) of repeated and absent ones, and more."""

    nameless: int
    repeated: list[tuple[Any, Any, int, int]]
    absent: list[tuple[Any, Any, int, int]]
    disagreeing: int

    @classmethod
    def of(cls, nameless: int, entities: Iterable[tuple[Any, ...]], of: Mapping[Any, int], torn: int) -> CaseNumbers:
        """Return the numbers from (domain, entity, rows, cases) and the cases ``of`` each domain."""
        per_entity = [(d, e, int(n), int(c)) for d, e, n, c in entities]
        repeated = [(d, e, n - c, of[d]) for d, e, n, c in per_entity if n > c]
        absent = [(d, e, of[d] - c, of[d]) for d, e, _, c in per_entity if c < of[d]]
        return cls(nameless, repeated, absent, torn)


class Kind(NamedTuple):
    """Cases on which all entities do the same: where, in which cluster, the outcomes (n,), and how many there are."""

    domain: Any
    unit: Any
    outcomes: Integers
    size: int


class CaseTable(ABC):
    """A table of predictions, of ``records`` rows; ``texts`` is True where its labels are texts.

    ``entity`` is the column that names the models, of its own or of its files, where none was asked for, and ``first``
    the first row, where it is known.
    """

    def __init__(self, headers: Sequence[str], records: int, where: str, texts: bool) -> None:
        self.headers = headers
        self.records = records
        self.where = where
        self.texts = texts
        self.entity: str | None = None
        self.first: Mapping[str, Any] = {}
        self.left_out: dict[str, int] = {}
        self.notes: tuple[str, ...] = ()

    def has_numbers(self, header: str) -> bool:
        """Tell whether a column seems to hold numbers; it need not be one of those that were read."""
        return is_number(self.first.get(header))

    @abstractmethod
    def groups(self, columns: Columns) -> list[Group]:
        """Return the groups of equal rows, as they are written."""

    @abstractmethod
    def case_numbers(self, everything: Sequence[Columns], strange: Sequence[Any]) -> CaseNumbers:
        """Count what is wrong with cases, of rows that are complete and without ``strange`` labels."""

    @abstractmethod
    def lacking(self, header: str) -> int:
        """Count the rows without a value in a column; a blank text is none."""

    @abstractmethod
    def kinds(self, everything: Sequence[Columns], cluster: str | None, classes: Classes, place: Places) -> list[Kind]:
        """Return the kinds of cases; ``place`` gives the position of an entity, None for one that does not count."""


def refuse_lost(where: str, records: int, rows: int) -> None:
    """Refuse a count of fewer or more rows than the files hold; their number is −1 where it is not known."""
    if records not in (-1, rows):
        raise located(
            where,
            f"{rows} rows were counted, but there are {records} records; this must not happen: "
            "pass the table as a data frame, and report it",
        )


def case_sentences(numbers: CaseNumbers, columns: Columns, several: bool) -> list[str]:
    """Return what is wrong with the cases, in sentences with numbers."""
    problems = []
    if numbers.nameless:
        problems.append(f"in {counted(numbers.nameless, 'row')} the case is missing")
    named = columns.entity is not None or several

    def first_of(places: list[tuple[Any, Any, int, int]]) -> tuple[str, str, int, int]:
        """Return the first entity that it concerns, and how many more, the number, and that of the cases."""
        domain, entity, n, total = min(places, key=lambda place: (str(place[0]), str(place[1])))
        on = "" if columns.domain is None else f" on domain {quoted(str(domain))}"
        more = f", and {counted(len(places) - 1, 'more entity', 'more entities')} likewise" if places[1:] else ""
        return f"entity {quoted(str(entity))}{on}" if named else f"the table{on}", more, n, total

    if numbers.repeated:
        where, others, n, total = first_of(numbers.repeated)
        hint = "" if named else "; does another column name the entity?"
        extra = f"{counted(n, 'row')} too many, of {counted(total, 'case')}"
        problems.append(f"{where} has more than one row of a case: {extra}{others}{hint}")
    if numbers.absent:
        where, others, n, total = first_of(numbers.absent)
        problems.append(f"{where} lacks cases that others have: {n} of {total}{others}")
    if numbers.disagreeing:
        problems.append(f"{counted(numbers.disagreeing, 'case')} with several truths")
    return problems
