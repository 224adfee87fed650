"""Tables of predictions of other tasks than classification: values and clusters.

A table has one row per case, one column of truth, and either one column of predictions per entity, or one column that
names the entity and one that names the case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..account import Account
from ..checks.numbers import printed_number
from ..errors import DataError, Option, UsageError
from ..performances import Performances, concat
from ..tasks import clustering, regression
from ..tasks.pairs import Pairs
from ..texts import counted
from .cells import number_of_text
from .codes import combined, lacking, rows_of, unmatched
from .counting import predictions_of, table_of
from .headers import MODELS_OF_CASES, Columns, empty, first_of, levels_of
from .sheets import quoted

Predictions = Mapping[str, Sequence[Any]]


def read_task(
    source: Any, task: str, *, truth: str, prediction: str | Sequence[str], entity: str | None = None,
    domain: str | Sequence[str] | None = None, case: str | None = None, encoding: str | None = None,
) -> Performances | Pairs:  # fmt: skip
    """Return the performances in a table of predictions of a task: "regression" or "clustering".

    Raises DataError for what is missing, and where entities were not tried on the same cases.

    >>> table = {"y": [1.0, 2.0], "a": [1.5, 2.0], "b": [1.0, 4.0]}
    >>> P = read_task(table, "regression", truth="y", prediction=["a", "b"])
    >>> P, P.account.sentence()
    (<Pairs: 2 entities, 2 pairs (truth, prediction) each>, 'Read 2 cases of 2 models (columns a, b); truth y')
    """
    columns = Columns(predictions_of(prediction, entity), entity, levels_of(domain), case, truth=truth)

    def choose(headers: Sequence[str]) -> Mapping[str, str]:
        model = None if columns.lone is None else first_of(headers, MODELS_OF_CASES, *columns.roles())
        return columns.roles() | ({} if model is None else {model: "entity"})

    table = table_of(source, choose, columns.roles().__contains__, encoding=encoding)
    entity = next((header for header in table.columns if header not in columns.roles()), entity)
    columns = columns._replace(entity=entity)
    roles = columns.roles()
    if entity is not None and case is None and len(table.columns[entity].values) > 1:
        way_out = [("name the column of cases with ", Option("case"))]
        what = f"{quoted(entity)} names the models, and no column the cases that they share"
        raise UsageError(what, way_out=way_out)
    if not table.records:
        raise DataError("there is no row", where=table.where, expected="one per case below the header")
    for header in roles:
        values, codes = table.columns[header]
        there = np.array([*(not empty(value) for value in values), False])[codes]
        if lost := int((~there).sum()):
            what = f"{header} is missing in {counted(lost, 'row')}"
            raise DataError(what, where=table.where, way_out="fill it in, or drop such rows")
    table.join(columns.levels)
    rows, n = rows_of(table, columns), table.records
    if case is not None:
        of_truth = np.tile(table.codes(truth), len(columns.answers))
        if amiss := unmatched(rows, columns, of_truth) or [*filter(None, [lacking(rows)])]:
            raise DataError("; ".join(amiss), where=table.where, way_out="complete or correct the table")

    def cells(header: str, at: Any) -> list[Any]:
        values, codes = table.columns[header]
        return [values[code] for code in codes[at].tolist()]

    at = np.arange(n)[:, None]
    if entity is not None:  # the row of each case and entity
        question, _ = combined([rows.domain, np.asarray(rows.case)])
        at = np.argsort(question * len(rows.entities) + rows.entity, kind="stable").reshape(-1, len(rows.entities))
    predictions = {name: cells(columns.answers[0], at[:, i]) for i, name in enumerate(rows.entities)} if entity else {
        header: cells(header, at[:, 0]) for header in columns.answers
    }  # fmt: skip
    places = [rows.domains[place] for place in rows.domain[at[:, 0]].tolist()] if rows.domains else []
    P = _TASKS[task](cells(truth, at[:, 0]), predictions, places, table.where)
    account = (P.account or Account()).noting(
        source=table.where or "data in memory", records=n, cases=len(at), models=len({*P.names}),
        domains=len({*places}) or None, unused=filter(None, table.headers), columns=columns.by_role(),
    )  # fmt: skip
    return replace(P, account=account)


def _regression(true: Sequence[Any], predictions: Predictions, places: Sequence[str], where: str) -> Pairs:
    if places:
        raise UsageError("regression has no domains: choose the rows of one, and rank these")

    def numbers(cells: Sequence[Any]) -> Any:
        """Return the number in each cell: of a text the decimal, of a float the one that it prints."""
        out = []
        for cell in cells:
            number = number_of_text(cell, "," in cell) if isinstance(cell, str) else cell
            try:
                out.append(printed_number(quoted(cell) if number is None else number))
            except DataError as error:
                raise error.located(where) from None
            except (TypeError, ValueError):
                raise DataError(f"{quoted(cell)} is not a number", where=where, expected="a value per case") from None
        return np.array(out, dtype=object)

    return regression.evaluate(numbers(true), {name: numbers(of) for name, of in predictions.items()})


def _clustering(true: Sequence[Any], predictions: Predictions, places: Sequence[str], where: str) -> Performances:
    """Pairs of elements are no independent cases, so that the performances have no counts."""
    parts = []
    for place in dict.fromkeys(places or [""]):
        here = [i for i in range(len(true)) if not places or places[i] == place]
        labels, *of = (np.array([cells[i] for i in here], dtype=object) for cells in (true, *predictions.values()))
        P = clustering.evaluate(labels, dict(zip(predictions, of, strict=True)))
        parts.append(replace(P, counts=None, exact=P.integers, domains=(place,) * len(P) if places else None))
    return concat(parts) if places else parts[0]


_TASKS: dict[str, Callable[..., Performances | Pairs]] = {"regression": _regression, "clustering": _clustering}
