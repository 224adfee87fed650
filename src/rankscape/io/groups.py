"""Groups of equal rows, as an engine counts them, become performances: labels are understood, nothing is lost."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from ..account import Account
from ..errors import DataError, Option
from ..outcomes import SampleSpace
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted, one_line, some
from .codes import Group, coding_of, listed, name_order, order_of, quoted_label
from .sheets import quoted

Invalid: TypeAlias = Literal["error", "warn", "never"]
"""What rows do that cannot be counted: raise, warn, or raise an error that names no way around."""

_MOST_STRANGERS = 3
"""Labels that were not expected and are named one by one; of more, all are one sentence."""

_UNANSWERED: tuple[Any, ...] = (
    ["count missing predictions as wrong with ", Option("unanswered", "wrong")],
    ["compare on the cases that every model answered with ", Option("unanswered", "common")],
)

INVALID: tuple[Invalid, ...] = ("error", "warn")
"""The values that a user may choose."""


@dataclass(frozen=True, eq=False, repr=False)
class Tally(Result):
    """The performances, and how many rows were counted or left out for each of them.

    ``rows`` is the number of rows counted or left out (of several columns of predictions, of each), ``records`` that of
    the files, by another way of counting, None for data frames; ``left_out`` gives, for each reason, how many were not
    counted; ``warnings`` are sentences about them and about unmatched cases, ``notes`` are other sentences.
    ``positive`` is the positive label, ``known`` are the labels that were expected, None where all are. ``pooled`` are
    the columns that were not used but may name entities or domains: {header: "entity" or "domain"}. Get one from
    :func:`rankscape.io.tally`.
    """

    performances: Performances
    rows: int
    left_out: dict[str, int]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    per_entity: Table
    positive: Any = None
    known: frozenset[Any] | None = None
    records: int | None = None
    pooled: Mapping[str, str] = field(default_factory=dict)

    @property
    def account(self) -> Account:
        """What was read."""
        return self.performances.account or Account()

    def table(self) -> Table:
        """Return the rows and those left out, per domain (if any) and entity."""
        return self.per_entity


def tallied(groups: Iterable[Group], *, pos_label: Any, labels: Any, invalid: Invalid, scored: bool) -> Tally:
    """Return the performances that groups amount to, one per domain and entity, sorted; see :func:`count`.

    With ``scored`` predictions are already True or False. Raises DataError, with numbers, for rows that cannot be
    counted, unless ``invalid`` is "warn"; "never" is an error that names no way around.
    """
    everything = list(groups)
    total = sum(group.rows for group in everything)
    if not total:
        raise DataError("there is no row; expected one per case and entity")
    lacking = {
        what: sum(group.rows for group in everything if getattr(group, key) is None)
        for key, what in (("truth", "the truth"), ("predicted", "the prediction"), ("entity", "the name of the entity"))
    }
    complete = [g for g in everything if None not in (g.truth, g.predicted, g.entity) and g.domain is not None]
    lacking["the name of the domain"] = sum(group.rows for group in everything if group.domain is None)
    if scored:
        lacking["the score"] = lacking.pop("the prediction")
    problems = [(f"{what} is missing", n) for what, n in lacking.items() if n]
    ways = list(_UNANSWERED) if lacking.get("the prediction") else []
    ways += ["fill in what is missing"] if sum(lacking.values()) > lacking.get("the prediction", 0) else []
    if not complete:
        raise DataError(f"no row can be counted: {_sentence(problems, total)}", way_out=ways)
    coding = coding_of(complete, pos_label, labels, scored)
    counts: dict[tuple[Any, Any], list[Any]] = {}
    used: Counter[tuple[Any, Any]] = Counter()
    strangers: Counter[Any] = Counter()
    for group in complete:
        read = (group.truth,) if scored else (group.truth, group.predicted)
        strange = [] if coding.known is None else [label for label in read if label not in coding.known]
        if strange:
            strangers[strange[0]] += group.rows
            continue
        key = (group.domain, group.entity)
        counts.setdefault(key, [0] * len(coding.space))[coding.place(group.truth, group.predicted)] += group.weight
        used[key] += group.rows
    expected = listed(sorted(coding.known or (), key=order_of))
    problems += _of_strangers(strangers, expected)
    if problems and invalid != "warn":
        ways += ["correct the labels"] if strangers else []
        if invalid == "error":
            ways += [["name all labels with ", Option("labels")]] if strangers else []
            ways += [["leave such rows out, and see how many, with ", Option("invalid", "warn")]]
        raise DataError(_sentence(problems, total), way_out=ways)
    _refuse_emptied(everything, counts)
    for names in zip(*counts, strict=True):
        _refuse_alike(names)
    keys = sorted(counts, key=lambda key: (name_order(key[0]), name_order(key[1])))
    seen: Counter[tuple[Any, Any]] = Counter()
    for group in everything:
        seen[group.domain, group.entity] += group.rows
    return Tally(
        performances=_performances(keys, [counts[key] for key in keys], coding.space),
        rows=total,
        left_out=dict(problems),
        warnings=tuple(f"{_sentence([problem], total)}: left out" for problem in problems),
        notes=_absent(keys),
        per_entity=_rows_table(keys, [seen[key] for key in keys], [used[key] for key in keys]),
        positive=coding.positive,
        known=coding.known,
    )


def _of_strangers(strangers: Counter[Any], expected: str) -> list[tuple[str, int]]:
    """Return what is wrong with labels that were not expected, and in how many rows: of each, or of many together."""
    if len(strangers) > _MOST_STRANGERS:
        most = ", ".join(quoted_label(label) for label, _ in strangers.most_common(_MOST_STRANGERS))
        return [(f"a label, such as {most}, is none of {expected}", strangers.total())]
    return [
        (f"a label is {quoted_label(label)}, which is none of {expected}", n) for label, n in strangers.most_common()
    ]


def _refuse_alike(names: Iterable[Any]) -> None:
    """Refuse names that differ only by the spaces around them: tables of counts are read without."""
    texts: dict[str, str] = {}
    for name in map(str, names):
        other = texts.setdefault(name.strip(), name)
        if other != name:
            raise DataError(f"two names differ by spaces only: {quoted(other)} and {quoted(name)}; write them alike")


def _sentence(problems: Sequence[tuple[str, int]], total: int) -> str:
    return "; ".join(f"in {n} of {counted(total, 'row')} {what}" for what, n in problems)


def _refuse_emptied(groups: Sequence[Group], counts: dict[tuple[Any, Any], list[Any]]) -> None:
    """Refuse an entity on a domain of which no row is left: it would vanish."""
    for group in groups:
        key = (group.domain, group.entity)
        if None not in key and not any(counts.get(key, ())):
            where = "" if key[0] == "" else f" on domain {_named(key[0])}"
            raise DataError(
                f"entity {_named(key[1])}{where} has no row that can be counted, or only weights of 0; "
                "expected at least one: correct the table, or drop the entity"
            )


def _named(value: Any) -> str:
    return f'"{one_line(str(value))}"'


def _performances(keys: Sequence[tuple[Any, Any]], cells: list[list[Any]], space: SampleSpace) -> Performances:
    names = [str(entity) for _, entity in keys]
    domains = None if all(domain == "" for domain, _ in keys) else [str(domain) for domain, _ in keys]
    weights = np.array(cells, dtype=object)
    return Performances.from_weighted_counts(weights, names=names, domains=domains, space=space)


def _absent(keys: Sequence[tuple[Any, Any]]) -> tuple[str, ...]:
    """Return a sentence about the entities that have no row at all on a domain that others have."""
    entities, domains, there = {e: 0 for _, e in keys}, {d: 0 for d, _ in keys}, set(keys)
    absent = [(d, e) for d in domains for e in entities if (d, e) not in there]
    if not absent:
        return ()
    cells = some(absent, 1, quote="", word=lambda cell: f"entity {_named(cell[1])} on domain {_named(cell[0])}")
    return (f"{len(absent)} of {len(entities) * len(domains)} cells have no row: {cells}",)


def _rows_table(keys: Sequence[tuple[Any, Any]], rows: list[int], used: list[int]) -> Table:
    columns: dict[str, list[Any]] = {}
    if any(domain != "" for domain, _ in keys):
        columns["domain"] = [str(domain) for domain, _ in keys]
    columns["entity"] = [str(entity) for _, entity in keys]
    return Table(columns | {"rows": rows, "counted": used})
