"""Tables of HTML, by the parser of Python."""

from __future__ import annotations

from html.parser import HTMLParser

from .markup import PrintedTable, Span, refuse_long

_SILENT = {"script", "style", "template", "noscript"}
_MOST_SPANNED = 1000
"""Columns or rows that a cell may span, as in browsers."""


def tables_in(text: str) -> list[PrintedTable]:
    """Return the tables in a page; a table inside a cell is one by itself.

    >>> [
    ...     [cell.text for cell in row]
    ...     for row in tables_in("<table><tr><th>a<th>b<tr><td>1<td>2</table>")[0].rows
    ... ]
    [['a', 'b'], ['1', '2']]
    """
    parser = _Tables()
    parser.feed(text)
    parser.close()
    parser.end()
    return parser.tables


class _Open:
    """A table that is being read: its rows, and of each whether it is one of headers."""

    def __init__(self) -> None:
        self.rows: list[list[Span]] = []
        self.lines: list[int] = []
        self.of_headers: list[bool] = []
        self.cell: list[str] | None = None
        self.spans = (1, 1)
        self.in_head = False
        self.raised = 0

    def end_cell(self) -> None:
        if self.cell is not None and self.rows:
            text = "".join(self.cell).strip()
            refuse_long(text)
            self.rows[-1].append(Span(text, *self.spans))
        self.cell = None

    def printed(self) -> PrintedTable:
        self.end_cell()
        kept = [i for i, row in enumerate(self.rows) if row]
        n = 0
        while n < len(kept) and self.of_headers[kept[n]]:
            n += 1
        rows = [self.rows[i] for i in kept]
        return PrintedTable(rows, [self.lines[i] for i in kept], max(n if n < len(kept) else 1, 1))


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[PrintedTable] = []
        self.open: list[_Open] = []
        self.silent = 0

    def end(self) -> None:
        """End the tables that nothing ends."""
        while self.open:
            self.handle_endtag("table")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self.silent += 1
        elif tag == "table":
            self.open.append(_Open())
        if not self.open:
            return
        table = self.open[-1]
        if tag == "thead":
            table.in_head = True
        elif tag in ("tbody", "tfoot"):
            table.end_cell()
            table.in_head = False
        elif tag == "tr":
            table.end_cell()
            table.rows.append([])
            table.lines.append(self.getpos()[0])
            table.of_headers.append(True)
        elif tag in ("td", "th") and table.rows:
            table.end_cell()
            given = dict(attrs)
            table.cell, table.raised, table.spans = (
                [],
                0,
                (_number(given.get("colspan")), _number(given.get("rowspan"))),
            )
            table.of_headers[-1] &= tag == "th" or table.in_head
        elif tag == "sup" and table.cell is not None:
            table.cell.append("^{")
            table.raised += 1
        elif tag in ("br", "p", "div", "li") and table.cell is not None:
            table.cell.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self.silent = max(self.silent - 1, 0)
        if not self.open:
            return
        table = self.open[-1]
        if tag == "table":
            self.tables.append(self.open.pop().printed())
        elif tag == "thead":
            table.end_cell()
            table.in_head = False
        elif tag in ("td", "th", "tr"):
            table.end_cell()
        elif tag == "sup" and table.cell is not None and table.raised:
            table.cell.append("}")
            table.raised -= 1

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1].cell is not None and not self.silent:
            self.open[-1].cell.append(data)


def _number(text: str | None) -> int:
    digits = (text or "").strip().lstrip("0")
    return min(int(digits[:9]), _MOST_SPANNED) if digits.isdecimal() else 1
