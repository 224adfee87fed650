"""Right or wrong: tables with one row per case, or of accuracies with the number of cases.

One row per model and case has a column called correct, success, passed, …, or a score beside a case; a wide table has
one column of 0 and 1, or of grades, per model. Both know which cases the models share.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import islice
from typing import Any

from ...errors import DataError, IncompleteDataWarning
from ...performances import Performances
from ...tasks import success
from ...texts import some
from .. import headers, spaces
from ..case_columns import (
    CORRECT,
    PERHAPS,
    WEIGHTS,
    case_columns,
    chosen_columns,
    empty,
    odd_answer,
    wide_columns,
    wide_headers,
)
from ..cells import missing, number_of_text
from ..right_or_wrong import right_or_wrong
from ..sheets import Sheet, quoted
from .content import Content, How

LOOKED_AT = 1000
"""Rows of a wide table that tell what it is; all of them are checked when it is read."""

MOST_NAMED = 4
READ_AS = "read as right or wrong (name the format, right-or-wrong, to be rid of this note)"
OPTIONS = ("case", "cluster", "repeat", "correct", "scale")


def lacks(content: Content) -> str:
    """Return what a content lacks to be a table of cases that are right or wrong."""
    if spaces.of_task(Sheet(content.headers, [], "")) is not None:
        return "columns of counts"
    if case_columns(content.headers) is not None or _wide(content) is not None:
        return ""
    return "no column correct, nor one of 0 and 1 per model"


def _wide(content: Content) -> Any:
    """Return the columns of a table with one column of answers per entity; None for other tables."""
    known = [header for header in content.headers if headers.role(header) is not None or headers.matters(header)]
    if any(headers.role(header) not in ("entity", "domain") for header in known):
        return None  # counts, or what is printed beside them
    if len(content.headers) < 2 or (content.source is not None and content.container == "JSON object"):
        return None
    try:
        sheet = content.sheet
    except DataError:
        return None
    return wide_columns(sheet.headers, islice(sheet.rows, LOOKED_AT))


def odd_cell(content: Content) -> DataError | None:
    """Return the error about the cell for which a table is not read as one column of answers per entity, if any."""
    if content.container != "table" or any(headers.matters(header) for header in content.headers):
        return None
    by_header = wide_headers(content.headers)
    if by_header is None or by_header.case is None:
        return None
    sheet = content.sheet
    odd = odd_answer(sheet.headers, islice(sheet.rows, LOOKED_AT))
    if odd is None:
        return None
    row, header, cell = odd
    return DataError(
        f"{header} = {quoted(cell)} is no answer", where=sheet.place(row),
        expected="1 or 0, true or false, or a grade in [0, 1], as in the other cells", way_out="correct it",
    )  # fmt: skip


def read_cases(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances in tables of cases; several files are read as one table."""
    wide = (
        None if "correct" in how.more or len(contents) > 1 or case_columns(contents[0].headers) else _wide(contents[0])
    )
    more = {name: how.more.get(name) for name in ("case", "cluster", "repeat")}
    more["scale"] = how.more.get("scale")
    correct = how.more.get("correct")
    if wide is not None:
        correct, more["case"] = wide.correct, more["case"] or wide.case
    given: Any = contents[0].given if len(contents) == 1 else [content.given for content in contents]
    result = right_or_wrong(
        given, correct=correct, entity=how.entity, domain=how.domain or (wide.domain if wide else None),
        unanswered=how.unanswered, **more,
    )  # fmt: skip
    read_as: tuple[str, ...] = ()
    if wide is not None and not how.named:
        names = some(wide.correct, MOST_NAMED)
        read_as = (f"{READ_AS}, one column per model: {names}; for predictions name the truth",)
    elif wide is None:
        read_as = _read_as(contents[0].headers, how)
    for note in (*read_as, *result.notes):
        warnings.warn(note, IncompleteDataWarning, stacklevel=2)
    return result.performances


def _read_as(names: Sequence[str], how: How) -> tuple[str, ...]:
    """Return notes on a column whose header may mean something else than grades, and on weights, which are not used."""
    notes = []
    correct, *options = (how.more.get(name) for name in ("correct", "case", "cluster", "repeat"))
    columns = chosen_columns(names, correct, how.entity, how.domain, *options)
    rest = [name for name in names if name not in columns.roles()]
    if (
        not how.named
        and correct is None
        and headers.plain(columns.correct[0]) in PERHAPS
        and (rest or columns.entity is None)
    ):
        passed_over = (
            f", and {some(rest, MOST_NAMED)} {'is' if len(rest) == 1 else 'are'} not looked at" if rest else ""
        )
        notes.append(f"each case has its {quoted(columns.correct[0])}{passed_over}; for predictions name the truth")
    others = [name for name in rest if correct is None and headers.plain(name) in CORRECT]
    if others and not notes:
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


def by_benchmark(content: Content) -> bool:
    """Tell whether a table may have one column of accuracies per benchmark: a column of names, then shares or percent.

    >>> table = {"Model": ["a", "b"], "MMLU": ["66.6 ± 0.4", "70.3"], "ARC": [83.4, 82]}
    >>> others = (
    ...     {"house": [1], "price": [31], "flat": [29]},
    ...     {"house": ["red"], "price": [310], "flat": [290]},
    ... )
    >>> by_benchmark(Content(table, bool)), [by_benchmark(Content(other, bool)) for other in others]
    (True, [False, False])
    """
    try:
        rows = [list(row) for row in islice(content.sheet.rows, LOOKED_AT)] if len(content.headers) > 2 else []
    except DataError:
        return False
    cells = [str(cell).split("±")[0].strip().removesuffix("%") for row in rows for cell in row[1:] if not empty(cell)]
    numbers = [number_of_text(cell.strip(), False) for cell in cells]
    names = [number_of_text(str(row[0]), False) for row in rows]
    return bool(cells) and all(x is not None and 0 <= x <= 100 for x in numbers) and set(names) == {None}


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
                raise DataError(f"{what} is missing", where=sheet.place(i), way_out="fill it in or drop the row")
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
