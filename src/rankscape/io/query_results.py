"""Results of queries that count: was every row counted, and is all of the result here? Two columns tell."""

from __future__ import annotations

from ..texts import counted
from .cells import numbers
from .headers import CHECKS, RESULT_ROWS, plain
from .sheets import Sheet, quoted


def refuse_incomplete(sheet: Sheet) -> None:
    """Refuse the result of a query that left rows out, or of which rows are missing; other tables pass."""
    for check, refuse in ((CHECKS[0], _refuse_left_out), (CHECKS[1], _refuse_cut)):
        places = [i for i, header in enumerate(sheet.headers) if plain(header) == check]
        for place in places:
            cells = numbers(sheet, [place], [f"P{i + 1}" for i in range(len(sheet.rows))])
            refuse(sheet, [float(row[0]) for row in cells])


def _refuse_left_out(sheet: Sheet, left_out: list[float]) -> None:
    rows = [i for i, n in enumerate(left_out) if n]
    if rows:
        total = counted(int(sum(left_out)), "row")
        where = "" if len(sheet.rows) == 1 else f" (the first of them in row {rows[0] + 1} of the result)"
        raise sheet.error(
            f"{total} of the table could not be counted{where}: a value is missing, a label is none of those that the "
            "query names, or a weight is not whole",
            way_out=["correct the table", "name all labels in the query"],
        )


def _refuse_cut(sheet: Sheet, sizes: list[float]) -> None:
    here = len(sheet.rows)
    other = [size for size in sizes if size != here]
    if other:
        raise sheet.error(
            f"here are {counted(here, 'row')} of a result that has {other[0]:.0f} ({quoted(RESULT_ROWS)})",
            way_out=[
                "save the whole result",
                "read the results of several queries one by one, and join them with concat",
                f"drop the column {RESULT_ROWS} where rows were left out on purpose",
            ],
        )
