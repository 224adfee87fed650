"""Right or wrong: tables with one row per case.

One row per model and case has a column called correct, success, passed, …, or a score beside a case; a wide table has
one column of 0 and 1, or of grades, per model, or one row per model. All know which cases the models share.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from ...account import Account
from ...errors import DataError
from ...performances import Performances
from ...tasks.classes import ARROW
from ...texts import some
from .. import headers
from ..content import NAMED, Content, How, Reader
from ..headers import CORRECT, WEIGHTS, CaseColumns, case_columns, wide_columns
from ..right_or_wrong import right_or_wrong
from ..sheets import quoted

LOOKED_AT = 1000
"""Rows of a wide table that tell what it is; all of them are checked when it is read."""

MOST_NAMED = 4


def recognise(content: Content) -> bool:
    """Tell whether a content is a table of cases that are right or wrong; items need numbers where nobody asked."""
    if headers.of_task(content.headers) is not None:
        return False  # columns of counts
    return case_columns(content.headers) is not None or _side_by_side(content) is not None


def _side_by_side(content: Content) -> CaseColumns | None:
    """Return the columns of a table with one column of answers per entity, or per item; else None."""
    known = [header for header in content.headers if headers.role(header) is not None or headers.matters(header)]
    if any(headers.role(header) not in NAMED for header in known):
        return None  # counts, or what is printed beside them
    if len(content.headers) < 2 or any(ARROW in header for header in content.headers):
        return None  # pairs of classes
    if content.source is not None and content.container == "JSON object":
        return None
    try:
        sheet = content.sheet
    except DataError:
        return None
    return wide_columns(sheet.headers, list(islice(sheet.rows, LOOKED_AT)), content.asked, **content.named)


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances in tables of cases; several files are read as one table."""
    options = {name: how.more.get(name) for name in ("case", "cluster", "repeat", "scale")}
    given: Any = contents[0].given if len(contents) == 1 else [content.given for content in contents]
    correct, entity, domain, asked = how.more.get("correct"), how.entity, how.domain, "correct" in how.more
    is_long = asked or len(contents) > 1 or case_columns(contents[0].headers) is not None
    columns = None if is_long else _side_by_side(contents[0])
    if columns is not None and columns.entity is None:
        correct, domain, options["case"] = columns.correct, domain or columns.domain, options["case"] or columns.case
    elif columns is not None:  # one row per entity, of which each cell becomes a row
        sheet = contents[0].sheet
        place, *at = (sheet.headers.index(header) for header in (str(columns.entity), *columns.correct))
        cells = [(row[place], sheet.headers[i], row[i]) for row in sheet.rows for i in at]
        given = dict(zip(("entity", "case", "correct"), map(list, zip(*cells, strict=True)), strict=True))
        correct, entity, options["case"] = "correct", "entity", "case"
    P = right_or_wrong(
        given, correct=correct, entity=entity, domain=domain or None, unanswered=how.unanswered, asked=asked, **options
    )
    account = P.account or Account()
    if columns is not None and columns.entity is not None:
        items = {"entity": (columns.entity,), "correct": columns.correct, "case": ()}
        return replace(P, account=account.noting("each column of answers is an item", columns=items)).sharing(P.shared)
    notes = []
    if columns is None:
        others = [name for name in account.unused if not asked and headers.plain(name) in CORRECT]
        if others:
            says = quoted(account.columns["correct"][0])
            notes.append(f"right or wrong as {says} says; not looked at: {some(others, MOST_NAMED)}")
        for name in [name for name in account.unused if headers.plain(name) in WEIGHTS][:1]:
            notes.append(f"the weights in {quoted(name)} are not used: each case counts once")
    return P.noting(*notes)


READER = Reader(
    name="right-or-wrong", files="right or wrong, or a grade, per case: one row per model and case, or wide",
    columns="entity, domain?, case, correct; or case, domain?, one column of 0 and 1 per model",
    lacks="no column correct, nor one of 0 and 1 per model", recognise=recognise, together=read,
    holds=("table", "JSON list"), options=("case", "cluster", "repeat", "correct", "scale"), goes_with="correct",
    named=NAMED, turn=1,
)  # fmt: skip
