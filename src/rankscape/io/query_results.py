"""Results of queries that count: was every row counted, and is all of the result here? Two columns tell."""

from __future__ import annotations

from ..texts import counted
from .cells import numbers
from .headers import plain
from .sheets import Sheet, quoted

NOT_COUNTED = "not_counted"
"""The column of the rows that a query could not count."""

RESULT_ROWS = "result_rows"
"""The column of the number of rows that the result has, the same in each."""

_CHECKS = (plain(NOT_COUNTED), plain(RESULT_ROWS))


def is_check(header: str) -> bool:
    """Tell whether a column checks the result of a query; Snowflake writes headers in capitals.

    >>> is_check("NOT_COUNTED"), is_check("result_rows"), is_check("tn")
    (True, True, False)
    """
    return plain(header) in _CHECKS


def refuse_incomplete(sheet: Sheet) -> None:
    """Refuse the result of a query that left rows out, or of which rows are missing; other tables pass."""
    for check, refuse in ((_CHECKS[0], _refuse_left_out), (_CHECKS[1], _refuse_cut)):
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
