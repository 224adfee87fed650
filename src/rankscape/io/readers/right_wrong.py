"""Right or wrong: tables with one row per case, or of accuracies with the number of cases.

One row per model and case has a column called correct, success, passed, …, or a score beside a case; a wide table has
one column of 0 and 1, or of grades, per model. Both know which cases the models share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from ...errors import DataError
from ...performances import Performances
from ...tasks import success
from ...tasks.classes import ARROW
from ...texts import some
from .. import headers, spaces
from ..case_columns import (
    CORRECT,
    WEIGHTS,
    CaseColumns,
    case_columns,
    chosen_columns,
    transposed_columns,
    wide_columns,
)
from ..cells import missing
from ..right_or_wrong import right_or_wrong
from ..sheets import Sheet, quoted
from .content import Content, How

LOOKED_AT = 1000
"""Rows of a wide table that tell what it is; all of them are checked when it is read."""

MOST_NAMED = 4
OPTIONS = ("case", "cluster", "repeat", "correct", "scale")


def lacks(content: Content) -> str:
    """Return what a content lacks to be a table of cases that are right or wrong."""
    if spaces.of_task(Sheet(content.headers, [], "")) is not None:
        return "columns of counts"
    if case_columns(content.headers) is not None or _side_by_side(content, False) is not None:
        return ""
    return "no column correct, nor one of 0 and 1 per model"


def lacks_asked(content: Content) -> str:
    """Return what a content lacks to be such a table where the format was named, so that items need no numbers."""
    lacking = lacks(content)
    return "" if lacking and _side_by_side(content, True) is not None else lacking


def _side_by_side(content: Content, asked: bool) -> tuple[CaseColumns, Sheet] | None:
    """Return the columns of a table with one column of answers per entity, or per item, and the table; else None."""
    known = [header for header in content.headers if headers.role(header) is not None or headers.matters(header)]
    if any(headers.role(header) not in ("entity", "domain") for header in known):
        return None  # counts, or what is printed beside them
    if any(ARROW in header for header in content.headers):
        return None  # pairs of classes
    if len(content.headers) < 2 or (content.source is not None and content.container == "JSON object"):
        return None
    try:
        sheet = content.sheet
    except DataError:
        return None
    rows = list(islice(sheet.rows, LOOKED_AT))
    columns = wide_columns(sheet.headers, rows, **content.named) or transposed_columns(sheet.headers, rows, asked)
    return None if columns is None else (columns, sheet)


def read_cases(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances in tables of cases; several files are read as one table."""
    options = {name: how.more.get(name) for name in ("case", "cluster", "repeat", "scale")}
    given: Any = contents[0].given if len(contents) == 1 else [content.given for content in contents]
    correct, entity, domain, asked = how.more.get("correct"), how.entity, how.domain, "correct" in how.more
    layout = None
    if not asked and len(contents) == 1 and case_columns(contents[0].headers) is None:
        layout = _side_by_side(contents[0], how.named)
    if layout is not None and layout[0].entity is None:
        columns = layout[0]
        correct, domain, options["case"] = columns.correct, domain or columns.domain, options["case"] or columns.case
    elif layout is not None:
        given, correct, entity, options["case"] = _in_rows(*layout), "correct", "entity", "case"
    P = right_or_wrong(
        given, correct=correct, entity=entity, domain=domain or None, unanswered=how.unanswered, asked=asked, **options
    )
    if layout is None:
        return P.noting(*_read_as(contents[0].headers, how))
    if layout[0].entity is None or P.account is None:
        return P
    items = {"entity": (layout[0].entity,), "correct": layout[0].correct, "case": ()}
    return replace(P, account=P.account.noting("each column of answers is an item", columns=items)).sharing(P.shared)


def _in_rows(columns: CaseColumns, sheet: Sheet) -> dict[str, list[Any]]:
    """Return a table with one row per entity as one with a row per entity and item."""
    at = [sheet.headers.index(header) for header in columns.correct]
    name = sheet.headers.index(str(columns.entity))
    rows = [(row[name], header, row[i]) for row in sheet.rows for i, header in zip(at, columns.correct, strict=True)]
    return {key: list(cells) for key, cells in zip(("entity", "case", "correct"), zip(*rows, strict=True), strict=True)}


def _read_as(names: Sequence[str], how: How) -> tuple[str, ...]:
    """Return notes on columns that may say more than the one that is read, and on weights, which are not used."""
    notes = []
    correct, *options = (how.more.get(name) for name in ("correct", "case", "cluster", "repeat"))
    columns = chosen_columns(names, correct, how.entity, how.domain, *options)
    rest = [name for name in names if name not in columns.roles()]
    others = [name for name in rest if correct is None and headers.plain(name) in CORRECT]
    if others:
        notes.append(f"right or wrong as {quoted(columns.correct[0])} says; not looked at: {some(others, MOST_NAMED)}")
    weights = [name for name in rest if headers.plain(name) in WEIGHTS]
    if weights:
        notes.append(f"the weights in {quoted(weights[0])} are not used: each case counts once")
    return tuple(notes)


# Accuracies with the number of cases


def lacks_rates(content: Content) -> str:
    """Return what a content lacks to be a table of accuracies with the number of cases."""
    rates = [header for header in content.headers if headers.rate_of(header) is not None]
    sizes = [header for header in content.headers if headers.size_of(header) == "n"]
    outcomes = [header for header in content.headers if headers.role(header) not in (None, "entity", "domain")]
    if spaces.of_task(Sheet(content.headers, [], "")) is not None:
        return "columns of counts"
    if outcomes or len(rates) != 1 or headers.rate_of(rates[0]) != "accuracy":
        return "no accuracy as its only rate"
    return "" if len(sizes) == 1 else "no number of cases beside the accuracy"


def read_rates(content: Content, how: How) -> Performances:
    """Return the performances behind printed accuracies."""
    sheet: Sheet = content.sheet
    places = {"rate": headers.rate_of, "n": headers.size_of}
    at = {name: next(i for i, header in enumerate(sheet.headers) if of(header)) for name, of in places.items()}
    columns = headers.columns_of(sheet, how.entity, how.domain[0] if how.domain else None, {})
    if not sheet.rows:
        raise sheet.error("there is no row", expected="one per model below the header")
    for i, row in enumerate(sheet.rows):
        for name, column in (*columns.items(), *at.items()):
            if missing(row[column]) or not str(row[column]).strip():
                what = sheet.headers[column] or name
                raise DataError(f"{what} is missing", where=sheet.place(i), way_out="fill it in")
    names, domains = (
        [str(row[columns[kind]]).strip() for row in sheet.rows] if kind in columns else None
        for kind in ("entity", "domain")
    )
    if names is None and how.name is not None:
        names = [how.name] * len(sheet.rows)
    sizes = [_whole(row[at["n"]], sheet, i) for i, row in enumerate(sheet.rows)]
    rates: Any = [row[at["rate"]] for row in sheet.rows]
    try:
        return success.from_rates(rates, sizes, names, domains, percent=headers.in_percent(sheet.headers[at["rate"]]))
    except DataError as error:
        raise error.located(sheet.where, sheet.line(error.where.row)) from None


def _whole(cell: Any, sheet: Sheet, row: int) -> int:
    try:
        number = int(str(cell).strip())
    except ValueError:
        raise DataError(
            f"n = {cell} is no number of cases", where=sheet.place(row), expected="a whole number"
        ) from None
    return number
