"""The table of metadata: a row per method, with team, date, paper, code, or whatever the organizer adds."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from ..errors import DataError, IncompleteDataWarning
from ..io.content import whole_sheet
from ..io.headers import HEADERS, plain
from ..io.sheets import quoted
from ..results import undefined
from ..texts import some, visible
from ..typing import TableLike

SAFE = "!#$%&'()*+,/:;=?@[]~"
"""Characters of an address that stay as they are; spaces, quotes, braces, < and > are percent-encoded."""


@dataclass(frozen=True)
class Cell:
    """What a table of metadata says in one place: a text, and the address that it leads to, if it is one."""

    text: str = ""
    address: str = ""


@dataclass(frozen=True)
class Metadata:
    """The columns beside the ranking, in order, and the cells of each method."""

    columns: tuple[str, ...] = ()
    cells: Mapping[str, tuple[Cell, ...]] | None = None

    def of(self, name: str) -> tuple[Cell, ...]:
        """Return the cells of a method, empty ones where the table does not name it."""
        return (self.cells or {}).get(name.strip(), (Cell(),) * len(self.columns))


def address(text: str) -> str:
    """Return the address that a text is, fit for a link; empty where it is none, or not one of http or https.

    >>> (
    ...     address("https://example.org/a b"),
    ...     address("javascript:alert(1)"),
    ...     address("see https://example.org"),
    ... )
    ('https://example.org/a%20b', '', '')
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
    except ValueError:  # such as http://[
        return ""
    host = parts.hostname or ""
    plausible = parts.scheme.lower() in ("http", "https") and bool(host) and not set(host) & set(" \\")
    return quote(text, safe=SAFE) if plausible and visible(text) == text else ""


def read_metadata(source: TableLike | None, names: Sequence[str]) -> Metadata:
    """Return the metadata of the methods ``names``; the first column with a usual header, such as method, names them.

    A cell that is an address of http or https is a link, and is called like its column. Every other cell is text.
    Raises DataError where no column names the methods, or one is there twice; warns of methods without results.

    >>> table = {"method": ["a"], "team": ["Liège"], "code": ["https://example.org"]}
    >>> read_metadata(table, ["a", "b"]).of("a")
    (Cell(text='Liège', address=''), Cell(text='code', address='https://example.org'))
    """
    if source is None:
        return Metadata()
    sheet = whole_sheet(source, None, lambda header: plain(header) in HEADERS["entity"])
    column = _column_of_names(sheet.headers, sheet.rows, names)
    if column is None:
        raise sheet.error("no column names the methods", expected="a header such as method, model or entity",
                          got=some(sheet.headers))  # fmt: skip
    others = [i for i in range(len(sheet.headers)) if i != column and sheet.headers[i].strip()]
    titles = [sheet.headers[i].strip() for i in others]
    if len({*titles}) < len(titles):
        twice = next(title for title in titles if titles.count(title) > 1)
        raise sheet.error(f"several columns are called {quoted(twice)}", expected="different headers")
    cells: dict[str, tuple[Cell, ...]] = {}
    for number, row in enumerate(sheet.rows):
        name = _text(row[column])
        if name in cells:
            raise DataError(f"the method {quoted(name)} has two rows", where=sheet.place(number), expected="one")
        if name:
            cells[name] = tuple(_cell(row[i], sheet.headers[i]) for i in others)
    known = {name.strip() for name in names}  # as a table has them
    unknown = [name for name in cells if name not in known]
    if unknown:
        warnings.warn(f"metadata of methods without results are left out: {some(unknown)}", IncompleteDataWarning,
                      stacklevel=3)  # fmt: skip
    return Metadata(tuple(sheet.headers[i].strip() for i in others), cells)


def _column_of_names(headers: Sequence[str], rows: Sequence[Sequence[Any]], names: Sequence[str]) -> int | None:
    """Return the column that names the methods: of those with a usual header the one with the most of the names."""
    usual = [i for i, header in enumerate(headers) if plain(header) in HEADERS["entity"]]
    known = {name.strip() for name in names}
    return max(usual, key=lambda i: sum(_text(row[i]) in known for row in rows), default=None)


def _cell(value: Any, header: str) -> Cell:
    text = _text(value)
    link = address(text)
    return Cell(header.strip(), link) if link else Cell(text)


def _text(value: Any) -> str:
    return "" if undefined(value) else str(value).strip()
