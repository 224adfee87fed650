"""Tables of predictions of other tasks than classification: values, clusters, and items of queries.

A table has one row per case, one column of truth, and either one column of predictions per entity, or one column that
names the entity and one that names the case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..account import Account
from ..checks.numbers import printed_number
from ..errors import DataError, Option, UsageError
from ..performances import Performances, concat
from ..tasks import clustering, regression, retrieval
from ..tasks.pairs import Pairs
from ..texts import counted, some
from .cells import missing, missing_text, number_of_text
from .headers import domain_of, named_column
from .sheets import Sheet, quoted
from .tables import joined_sheet, whole_sheet


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
        columns = (self.truth, self.domain, self.unit)
        truth, domain, unit = ([cells[i] for i in rows] if cells else [] for cells in columns)
        predictions = {name: [cells[i] for i in rows] for name, cells in self.predictions.items()}
        return Cases(truth, predictions, domain, unit, self.where)


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
    >>> P = read_task(table, "regression", truth="y", prediction=["a", "b"])
    >>> P, P.account.sentence()
    (<Pairs: 2 entities, 2 pairs (truth, prediction) each>, 'Read 2 cases of 2 models (columns a, b); truth y')
    """
    if unit is not None and task != "retrieval":
        raise UsageError([Option("unit"), f" names the queries of retrieval; {task} has none"])
    place, levels = domain_of(domain)
    sheet = whole_sheet(source, encoding, {truth, *prediction, entity, place, *levels, case, unit}.__contains__)
    cases = _cases(joined_sheet(sheet, levels) if levels else sheet, truth, prediction, entity, place, case, unit)
    P = TASKS[task](cases)
    named = {"truth": (truth,), "prediction": tuple(prediction), "entity": (entity,), "case": (case,)}
    named["domain"] = levels or (place if unit is None else unit,)
    columns = {role: headers for role, headers in named.items() if headers != (None,)}
    account = (P.account if isinstance(P, Performances) and P.account else Account()).noting(
        source=sheet.where or "data in memory", records=len(sheet.rows), cases=len(cases.truth), models=len({*P.names}),
        domains=len({*(cases.unit or cases.domain)}) or None, columns=columns, unused=filter(None, sheet.headers),
    )  # fmt: skip
    return replace(P, account=account)


def _cases(
    sheet: Sheet, truth: str, prediction: Sequence[str], entity: str | None, domain: str | None, case: str | None,
    unit: str | None,
) -> Cases:  # fmt: skip
    """Return the cases of a table, of which each entity must have the same, with the same truth."""
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
    asked: list[tuple[str, str | None]] = [("truth", truth), *(("prediction", name) for name in prediction)]
    asked += [("entity", entity), ("case", case), ("domain", domain), ("unit", unit)]
    column = {name: _cells(sheet, named_column(sheet, name, what)) for what, name in asked if name}
    places, units = ([str(cell).strip() for cell in column[name]] if name else [] for name in (domain, unit))
    n = len(sheet.rows)
    keys = list(zip(places or [""] * n, units or [""] * n, column[case] if case else range(n), strict=True))
    rows: dict[str, dict[Any, int]] = {}
    for i, key in enumerate(keys):
        name = "" if entity is None else str(column[entity][i]).strip()
        if rows.setdefault(name, {}).setdefault(key, i) != i:
            what = f"the case {quoted(str(key[2]))} occurs twice"
            raise DataError(what, where=sheet.place(i, name or None), expected="once")
    first, whole = next(iter(rows.items()))
    for name, answered in rows.items():
        if answered.keys() != whole.keys():
            lacking = [str(key[2]) for key in whole.keys() ^ answered.keys()]
            raise sheet.error(
                f"{quoted(name)} and {quoted(first)} were not tried on the same cases: {counted(len(lacking), 'case')} "
                f"such as {some(sorted(lacking), 3)} {'is' if len(lacking) == 1 else 'are'} of one of them only",
                way_out="complete the table, or leave these cases out",
            )
        for key, i in answered.items():
            value, other = column[truth][i], column[truth][whole[key]]
            if value != other:
                what = f"{truth} = {quoted(value)}, but {quoted(other)} for {quoted(first)}"
                raise DataError(what, where=sheet.place(i, name), expected="one truth per case")
    predictions = {name: [column[prediction[0]][of[key]] for key in whole] for name, of in rows.items()}
    if entity is None:
        predictions = {name: column[name] for name in prediction}
    rest = Cases(column[truth], {}, places, units, sheet.where).only(list(whole.values()))
    return replace(rest, predictions=predictions)


def _cells(sheet: Sheet, column: int) -> list[Any]:
    """Return the cells of a column, of which none may be missing."""
    cells = [row[column] for row in sheet.rows]
    for i, cell in enumerate(cells):
        if missing(cell) or (isinstance(cell, str) and missing_text(cell)):
            what = f"{sheet.headers[column]} is missing"
            raise DataError(what, where=sheet.place(i), way_out="fill it in or drop the row")
    return [cell.strip() if isinstance(cell, str) else cell for cell in cells]


# Tasks


def _regression(cases: Cases) -> Pairs:
    if cases.domain:
        raise UsageError("regression has no domains: choose the rows of one, and rank these")

    def numbers(cells: Sequence[Any]) -> Any:
        """Return the number in each cell: of a text the decimal, of a float the one that it prints."""
        out = []
        for cell in cells:
            number = number_of_text(cell, "," in cell) if isinstance(cell, str) else cell
            try:
                out.append(printed_number(quoted(cell) if number is None else number))
            except DataError as error:
                raise error.located(cases.where) from None
            except (TypeError, ValueError):
                what = f"{quoted(cell)} is not a number"
                raise DataError(what, where=cases.where, expected="a value per case") from None
        return np.array(out, dtype=object)

    return regression.evaluate(numbers(cases.truth), {name: numbers(of) for name, of in cases.predictions.items()})


def _clustering(cases: Cases) -> Performances:
    """Pairs of elements are no independent cases, so that the performances have no counts."""
    parts = []
    for place in dict.fromkeys(cases.domain or [""]):
        part = cases.only([i for i, name in enumerate(cases.domain) if name == place]) if cases.domain else cases
        predictions = {name: np.array(cells, dtype=object) for name, cells in part.predictions.items()}
        P = clustering.evaluate(np.array(part.truth, dtype=object), predictions)
        parts.append(replace(P, counts=None, exact=P.integers, domains=(place,) * len(P) if cases.domain else None))
    return concat(parts) if cases.domain else parts[0]


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
            whole = isinstance(cell, (int, float, np.number)) and float(cell).is_integer()
            text = str(int(cell) if whole else cell).casefold()
            if text not in marks:
                raise DataError(
                    f"{quoted(cell)} is no mark", where=cases.where, expected="1 for retrieved or relevant, else 0"
                )
            if marks[text]:
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
