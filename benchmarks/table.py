"""The table of the paths: ratios instead of seconds, with a mark where something is a cliff."""

from collections.abc import Iterable
from math import log, log10
from typing import NamedTuple

from .child import PEER, SORT
from .inputs import KINDS
from .measure import FAILED, Cell, Cells, over
from .paths import PATHS

CLIFF = 2.0
"""More than so many times the time of the first kind is marked."""
GROWTH = 1.15
"""A larger exponent from 1e4 on is marked."""
NOISE = 0.01
"""Seconds below which a path is fast whatever its ratios are: no mark, and no exponent from there."""

Text = tuple[str, bool]
"""What a cell says, and whether it is marked."""

COLUMNS = (
    "path", "size", "sorts", "large", "floats", "averaged", "shifted", "ties", "peer", "× peer", "slowest",
    "growth", "MB",
)  # fmt: skip


class Row(NamedTuple):
    """What was measured of one path at one size."""

    name: str
    n: int
    cells: Cells


def power(n: int) -> str:
    """Write a number as a power of ten, where it is one."""
    exponent = round(log10(n))
    return "10" + str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")) if n == 10**exponent else str(n)


def brief(x: float) -> str:
    """Write a ratio with two digits."""
    return f"{x:.0f}" if x >= 10 else f"{x:.1f}" if x >= 1 else f"{x:.2g}"


def base_of(row: Row) -> Cell:
    """Return the cell of the first kind, which ratios refer to."""
    return row.cells[PATHS[row.name].kinds[0]]


def ratio(cell: Cell, base: Cell) -> Text:
    """Return the time of a kind of input over that of the first kind."""
    if cell.refused:
        return reason(cell), True
    if cell.median is None or base.median is None:
        return "", False
    times = cell.median / base.median
    return brief(times), times > CLIFF and cell.median > NOISE


def reason(cell: Cell) -> str:
    """Say in a word why there is no time; an error of rankscape is a refusal."""
    return cell.refused if over(cell) or cell.refused == FAILED else "refused"  # type: ignore[return-value]


def slowest(row: Row) -> float | None:
    """Return the time of the slowest kind of input; None where the limit ended one."""
    cells = [row.cells[kind] for kind in PATHS[row.name].kinds if kind in row.cells]
    times = [cell.median for cell in cells if cell.median is not None]
    return None if not times or any(over(cell) for cell in cells) else max(times)


def against_peer(row: Row) -> tuple[Text, Text]:
    """Return how many times as fast as the peer a path is: on the first kind, and on the slowest."""
    peer, theirs = PATHS[row.name].peer, row.cells.get(PEER, Cell())
    ours, worst = base_of(row).median, slowest(row)
    if peer is None or (theirs.median is None and not theirs.refused):
        return ("", False), ("", False)
    if theirs.median is None:
        return (theirs.refused or "", False), ("", False)
    seconds = theirs.median * peer.times

    def one(mine: float | None) -> Text:
        return ("", False) if mine is None else (brief(seconds / mine), seconds < mine and mine > NOISE)

    return one(ours), one(worst)


def growth(row: Row, before: Row | None) -> Text:
    """Return the largest exponent of all kinds since the size before."""
    if before is None or before.name != row.name:
        return "", False
    exponents = []
    for kind in PATHS[row.name].kinds:
        small, large = (r.cells[kind].median if kind in r.cells else None for r in (before, row))
        if small and large:
            exponents.append((log(large / small) / log(row.n / before.n), large > NOISE and before.n >= 1000))
    if not exponents:
        return "", False
    return f"{max(exponents)[0]:.2f}", any(exponent > GROWTH and matters for exponent, matters in exponents)


def memory(row: Row) -> str:
    """Return the MB that the process grew during the hungriest kind."""
    sizes = [row.cells[k].mb for k in PATHS[row.name].kinds if k in row.cells and row.cells[k].mb is not None]
    return f"{max(0, max(sizes)):.0f}" if sizes else ""  # type: ignore[type-var]


def line(row: Row, before: Row | None) -> list[Text]:
    """Return the cells of one line of the table; ``before`` is the row that was measured before it."""
    path, base = PATHS[row.name], base_of(row)
    one_sort = row.cells[SORT].median
    sorts = (reason(base), True) if base.refused else ("", False)
    if base.median and one_sort:
        sorts = (brief(base.median / one_sort), False)
    kinds = [(ratio(row.cells[k], base) if k in row.cells and k != path.kinds[0] else ("", False)) for k in KINDS[1:]]
    peer = "" if path.peer is None else path.peer.name
    return [
        (path.what, False), (power(row.n), False), sorts, *kinds, (peer, False), *against_peer(row),
        growth(row, before), (memory(row), False),
    ]  # fmt: skip


def marked(texts: list[Text]) -> bool:
    """Tell whether a line has a mark."""
    return any(mark for _, mark in texts)


def bold(texts: list[Text]) -> list[str]:
    """Return the cells in reStructuredText: what is marked is bold."""
    return [f"**{text}**" if mark else text for text, mark in texts]


PEER_COLUMN = COLUMNS.index("peer")


def header() -> list[str]:
    """Return the header on the page, where the peer stands behind the path."""
    return ["path (peer)", *COLUMNS[1:PEER_COLUMN], *COLUMNS[PEER_COLUMN + 1 :]]


def for_page(row: Row, before: Row | None, texts: list[Text]) -> list[list[str]]:
    """Return the lines of a row on the page: a new group has a heading, and a path is named once, with its peer."""
    group, cells, lines = PATHS[row.name].group, bold(texts), []
    if peer := cells.pop(PEER_COLUMN):
        cells[0] += f" (*{peer}*)"
    if before is None or PATHS[before.name].group != group:
        lines.append([f"**{group}**", *[""] * (len(cells) - 1)])
    if before is not None and before.name == row.name:
        cells[0] = ""
    return [*lines, cells]


def for_terminal(texts: list[Text], widths: Iterable[int]) -> str:
    """Return the cells as one line of text: what is marked has an exclamation mark."""
    cells = [f"{text} !" if mark else text for text, mark in texts]
    return "  ".join(
        cell.ljust(width) if i in (0, 8) else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
