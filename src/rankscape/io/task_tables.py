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
from ..texts import counted, some
from .cells import number_of_text
from .content import joined_sheet, whole_sheet
from .headers import JOINED, empty, levels_of, named_column
from .sheets import Sheet, quoted

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
    predictions_in = [prediction] if isinstance(prediction, str) else prediction
    if entity is not None and (len(predictions_in) > 1 or case is None):
        raise UsageError(
            "where a column names the entity, one column holds the predictions, and another the case",
            way_out=[("name the column of cases with ", Option("case"))],
        )
    if not predictions_in:
        way_out = [("name one per entity with ", Option("prediction"))]
        raise UsageError("no column of predictions is named", way_out=way_out)
    named = {"truth": (truth,), "prediction": predictions_in, "entity": (entity,), "case": (case,),
             "domain": levels_of(domain)}  # fmt: skip
    roles = {role: tuple(filter(None, headers)) for role, headers in named.items()}
    sheet = whole_sheet(source, encoding, {header for headers in roles.values() for header in headers}.__contains__)
    joined = joined_sheet(sheet, roles["domain"]) if len(roles["domain"]) > 1 else sheet
    place = (JOINED,) if joined is not sheet else roles["domain"]
    true, predictions, places = _aligned(joined, roles | {"domain": place})
    P = _TASKS[task](true, predictions, places, sheet.where)
    account = (P.account or Account()).noting(
        source=sheet.where or "data in memory", records=len(sheet.rows), cases=len(true), models=len({*P.names}),
        domains=len({*places}) or None, unused=filter(None, sheet.headers),
        columns={role: headers for role, headers in roles.items() if headers},
    )  # fmt: skip
    return replace(P, account=account)


def _aligned(sheet: Sheet, roles: Mapping[str, tuple[str, ...]]) -> tuple[list[Any], dict[str, list[Any]], list[str]]:
    """Return the truth, the predictions by entity and the places of the cases, of which each entity has the same."""
    if not sheet.rows:
        raise sheet.error("there is no row", expected="one per case below the header")
    column: dict[str, list[Any]] = {}
    for what, header in ((what, header) for what, headers in roles.items() for header in headers):
        cells = [
            cell.strip() if isinstance(cell, str) else cell for cell in sheet.column(named_column(sheet, header, what))
        ]
        lacking = next((i for i, cell in enumerate(cells) if empty(cell)), None)
        if lacking is not None:
            raise DataError(f"{header} is missing", where=sheet.place(lacking), way_out="fill it in or drop the row")
        column[header] = cells
    (truth,), predicted, *_ = roles.values()
    entities, cases, where = ([column[header] for header in roles[role]] for role in ("entity", "case", "domain"))
    true, n = column[truth], len(sheet.rows)
    places = [str(cell).strip() for cells in where for cell in cells]
    keys = list(zip(places or [""] * n, *(cases or [list(range(n))]), strict=True))
    rows: dict[str, dict[Any, int]] = {}
    for i, (key, name) in enumerate(zip(keys, map(str, *(entities or [[""] * n])), strict=True)):
        if rows.setdefault(name, {}).setdefault(key, i) != i:
            what = f"the case {quoted(str(key[-1]))} occurs twice"
            raise DataError(what, where=sheet.place(i, name or None), expected="once")
    first, whole = next(iter(rows.items()))
    for name, answered in rows.items():
        if torn := [str(key[-1]) for key in whole.keys() ^ answered.keys()]:
            raise sheet.error(
                f"{quoted(name)} and {quoted(first)} were not tried on the same cases: {counted(len(torn), 'case')} "
                f"such as {some(sorted(torn), 3)} {'is' if len(torn) == 1 else 'are'} of one of them only",
                way_out="complete the table, or leave these cases out",
            )
        for key, i in answered.items():
            if true[i] != true[whole[key]]:
                what = f"{truth} = {quoted(true[i])}, but {quoted(true[whole[key]])} for {quoted(first)}"
                raise DataError(what, where=sheet.place(i, name), expected="one truth per case")
    predictions = {header: column[header] for header in predicted}
    if entities:
        predictions = {name: [column[predicted[0]][of[key]] for key in whole] for name, of in rows.items()}
    at = list(whole.values())
    return [true[i] for i in at], predictions, [places[i] for i in at] if places else []


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
