"""Rows that sum up the others: they are left out, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace

from ...errors import IncompleteDataWarning
from ...texts import some
from ..sheets import Sheet


def without_totals(sheet: Sheet, column: int, is_total: Callable[[str], bool]) -> Sheet:
    """Return a table without the rows whose cell in a column names a total, with a warning.

    >>> sheet = Sheet(("seq", "tp"), [("a", 1), ("b", 2)])
    >>> without_totals(sheet, 0, lambda text: text == "COMBINED") is sheet
    True
    """
    totals = [str(row[column]).strip() for row in sheet.rows if is_total(str(row[column]).strip())]
    if not totals:
        return sheet
    where = f"{sheet.where}: " if sheet.where else ""
    are = "row {} is left out, because it sums" if len(totals) == 1 else "rows {} are left out, because they sum"
    warnings.warn(f"{where}the {are.format(some(totals))} up the others", IncompleteDataWarning, stacklevel=2)
    kept = [i for i, row in enumerate(sheet.rows) if not is_total(str(row[column]).strip())]
    lines = [sheet.lines[i] for i in kept] if sheet.lines else ()
    return replace(sheet, rows=[sheet.rows[i] for i in kept], lines=lines)
