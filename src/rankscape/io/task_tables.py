"""Tables of predictions of other tasks than classification: values, clusters, and items of queries.

A table has one row per case, one column of truth, and either one column of predictions per entity, or one column that
names the entity and one that names the case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..checks.numbers import printed_number
from ..errors import DataError, Option, UsageError
from ..performances import Performances, concat
from ..tasks import clustering, regression, retrieval
from ..tasks.pairs import Pairs
from ..texts import counted, some
from .cells import missing, missing_text, number_of_text
from .headers import domain_of, named_column
from .sheets import Sheet, quoted
from .tables import joined_sheet
from .tabular import whole_sheet


@dataclass(frozen=True)
class Cases:
    """The cases of a table: the truth, the predictions by entity, and the domain and the unit where they are named."""

    truth: list[Any]
    predictions: dict[str, list[Any]]
    domain: list[str]
    unit: list[str]
    where: str

    def only(self, rows: Sequence[int]) -> Cases:
        """Return some of the cases."""
        predictions = {name: [cells[i] for i in rows] for name, cells in self.predictions.items()}
        return Cases(
            [self.truth[i] for i in rows], predictions, [self.domain[i] for i in rows] if self.domain else [],
            [self.unit[i] for i in rows] if self.unit else [], self.where,
        )  # fmt: skip


def read_task(
    source: Any,
    task: str,
    *,
    truth: str,
    prediction: Sequence[str],
    entity: str | None = None,
    domain: str | Sequence[str] | None = None,
    case: str | None = None,
    unit: str | None = None,
    encoding: str | None = None,
) -> Performances | Pairs:
    """Return the performances in a table of predictions of a task: "regression", "clustering" or "retrieval".

    ``unit`` is the column of queries of retrieval, whose rows are items with 0 or 1 as truth and prediction; each query
    is a domain then. Raises DataError for what is missing, and where entities were not tried on the same cases.

    >>> table = {"y": [1.0, 2.0], "a": [1.5, 2.0], "b": [1.0, 4.0]}
    >>> read_task(table, "regression", truth="y", prediction=["a", "b"])
    <Pairs: 2 entities, 2 pairs (truth, prediction) each>
    """
    if unit is not None and task != "retrieval":
        raise UsageError([Option("unit"), f" names the queries of retrieval; {task} has none"])
    place, levels = domain_of(domain)
    sheet = whole_sheet(source, encoding, {truth, *prediction, entity, place, *levels, case, unit}.__contains__)
    cases = _cases(joined_sheet(sheet, levels) if levels else sheet, truth, prediction, entity, place, case, unit)
    return TASKS[task](cases)


def _cases(
    sheet: Sheet, truth: str, prediction: Sequence[str], entity: str | None, domain: str | None, case: str | None,
    unit: str | None,
) -> Cases:  # fmt: skip
    """Return the cases of a table."""
    if not sheet.rows:
        raise sheet.error("there is no row", expected="one per case below the header")
    if entity is not None and (len(prediction) > 1 or case is None):
        raise UsageError(
            "where a column names the entity, one column holds the predictions, and another the case",
            way_out=[("name the column of cases with ", Option("case"))],
        )
    if not prediction:
        raise UsageError(
            "no column of predictions is named", way_out=[("name one per entity with ", Option("prediction"))]
        )
    asked = [(truth, "truth"), *((name, "prediction") for name in prediction)]
    asked += [
        (name, what) for name, what in ((entity, "entity"), (case, "case"), (domain, "domain"), (unit, "unit")) if name
    ]
    column = {name: [_cell(sheet, row, named_column(sheet, name, what)) for row in range(len(sheet.rows))]
              for name, what in asked}  # fmt: skip
    places, units = (([str(cell).strip() for cell in column[name]] if name else []) for name in (domain, unit))
    blank = [""] * len(sheet.rows)
    keys = [] if case is None else list(zip(places or blank, units or blank, column[case], strict=True))
    if entity is None:
        _refuse_twice(keys, sheet)
        return Cases(column[truth], {name: column[name] for name in prediction}, places, units, sheet.where)
    rows: dict[str, dict[Any, int]] = {}
    for i, (name, key) in enumerate(zip(column[entity], keys, strict=True)):
        if rows.setdefault(str(name).strip(), {}).setdefault(key, i) != i:
            raise DataError(
                f"the case {quoted(str(key[2]))} occurs twice", where=sheet.place(i, str(name)), expected="once"
            )
    first, whole = next(iter(rows.items()))
    for name, answered in rows.items():
        if answered.keys() != whole.keys():
            lacking = [str(key[2]) for key in whole.keys() ^ answered.keys()]
            raise sheet.error(
                f"{quoted(name)} and {quoted(first)} were not tried on the same cases: {counted(len(lacking), 'case')} "
                f"such as {some(sorted(lacking), 3)} {'is' if len(lacking) == 1 else 'are'} of one of them only",
                way_out="complete the table, or leave these cases out",
            )
    order = list(whole.values())
    for name, answered in rows.items():
        for key, i in answered.items():
            value, other = column[truth][i], column[truth][whole[key]]
            if value != other:
                what = f"{truth} = {quoted(value)}, but {quoted(other)} for {quoted(first)}"
                raise DataError(what, where=sheet.place(i, name), expected="one truth per case")
    predictions = {name: [column[prediction[0]][of[key]] for key in whole] for name, of in rows.items()}
    places, units = ([cells[i] for i in order] if cells else [] for cells in (places, units))
    return Cases([column[truth][i] for i in order], predictions, places, units, sheet.where)


def _refuse_twice(keys: Sequence[tuple[str, str, Any]], sheet: Sheet) -> None:
    """Refuse a table of one row per case that has a case in several."""
    for key, times in Counter(keys).items():
        if times > 1:
            raise DataError(
                f"the case {quoted(str(key[2]))} occurs {counted(times, 'time')}",
                where=sheet.place(len(keys) - 1 - keys[::-1].index(key)), expected="once",
            )  # fmt: skip


def _cell(sheet: Sheet, row: int, column: int) -> Any:
    cell = sheet.rows[row][column]
    if missing(cell) or (isinstance(cell, str) and missing_text(cell)):
        raise DataError(
            f"{sheet.headers[column]} is missing", where=sheet.place(row), way_out="fill it in or drop the row"
        )
    return cell.strip() if isinstance(cell, str) else cell


# Tasks


def _number(cell: Any, cases: Cases) -> Any:
    """Return the number in a cell: of a text the decimal, of a float the one that it prints."""
    number = number_of_text(cell, "," in cell) if isinstance(cell, str) else cell
    try:
        return printed_number(quoted(cell) if number is None else number)
    except DataError as error:
        raise error.located(cases.where) from None
    except (TypeError, ValueError):
        raise DataError(f"{quoted(cell)} is not a number", where=cases.where, expected="a value per case") from None


def _regression(cases: Cases) -> Pairs:
    if cases.domain:
        raise UsageError("regression has no domains: choose the rows of one, and rank these")
    truth = np.array([_number(cell, cases) for cell in cases.truth], dtype=object)
    predictions = {
        name: np.array([_number(cell, cases) for cell in cells], dtype=object)
        for name, cells in cases.predictions.items()
    }
    return regression.evaluate(truth, predictions)


def _clustering(cases: Cases) -> Performances:
    """Pairs of elements are no independent cases, so that the performances have no counts."""

    def evaluated(part: Cases) -> Performances:
        predictions = {name: np.array(cells, dtype=object) for name, cells in part.predictions.items()}
        return clustering.evaluate(np.array(part.truth, dtype=object), predictions)

    places = list(dict.fromkeys(cases.domain))
    if not places:
        P = evaluated(cases)
        return replace(P, counts=None, exact=P.integers)
    parts = []
    for place in places:
        P = evaluated(cases.only([i for i, name in enumerate(cases.domain) if name == place]))
        parts.append(replace(P, counts=None, exact=P.integers, domains=(place,) * len(P)))
    return concat(parts)


def _retrieval(cases: Cases) -> Performances:
    if not cases.unit:
        raise UsageError(
            "a table of items does not say which query they belong to",
            way_out=[("name the column with ", Option("unit"))],
        )
    if cases.domain:
        raise UsageError("queries are the domains of retrieval: leave the other domains out")
    marks = {"0": False, "1": True, "false": False, "true": True}

    def sets(cells: Sequence[Any]) -> dict[str, set[int]]:
        queries: dict[str, set[int]] = {query: set() for query in cases.unit}
        for i, (query, cell) in enumerate(zip(cases.unit, cells, strict=True)):
            text = (
                str(int(cell)) if isinstance(cell, (int, float, np.number)) and float(cell).is_integer() else str(cell)
            )
            if text.casefold() not in marks:
                raise DataError(
                    f"{quoted(cell)} is no mark", where=cases.where, expected="1 for retrieved or relevant, else 0"
                )
            if marks[text.casefold()]:
                queries[query].add(i)
        return queries

    return retrieval.evaluate(
        sets(cases.truth), {name: sets(cells) for name, cells in cases.predictions.items()}, none=True, by_query=True
    )


TASKS: dict[str, Callable[[Cases], Performances | Pairs]] = {
    "regression": _regression,
    "clustering": _clustering,
    "retrieval": _retrieval,
}
"""The tasks whose predictions are no classes."""
