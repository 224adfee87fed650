"""Tables as they are printed, in Markdown, LaTeX and HTML: their cells without emphasis, footnotes and ± parts.

Whatever is left of a cell that is not plainly a number is refused where a number is needed, as in a CSV file.
"""

from __future__ import annotations

import html
import re
from collections import Counter, deque
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import takewhile
from typing import Any, NamedTuple

from ..errors import DataError, Place
from ..texts import counted
from .headers import role
from .sheets import Sheet, located, quoted
from .sources import Source

KINDS = {"latex": "latex_tables", "html": "html_tables"}
"""The modules that take the tables out of a text; Markdown is taken apart here."""


MOST_SIGNS, MOST_TEXT = 2000, 10 * 10**6
"""Signs that a cell, and that a text with printed tables may have."""


def refuse_long(cell: str) -> None:
    """Refuse a cell that nobody prints, before it is searched for marks again and again."""
    if len(cell) > MOST_SIGNS:
        raise DataError(
            f"a cell of {len(cell):,} signs starts with {quoted(cell[:20])}",
            expected=f"at most {MOST_SIGNS:,} in a printed table",
            way_out="save the table as CSV",
        )


class Span(NamedTuple):
    """A cell that spans columns and rows. Superscripts are written "^{…}"."""

    text: str
    columns: int = 1
    rows: int = 1


class PrintedTable(NamedTuple):
    """A table: its rows, the line of the file on which each starts, and how many of them are headers."""

    rows: list[list[Span]]
    lines: list[int]
    n_headers: int = 1


def markup_sheet(source: Source, kind: str, wanted: Callable[[str], bool]) -> Sheet:
    """Return the table in a text; of several the only one whose headers are understood."""
    text = source.text()
    if len(text) > MOST_TEXT:
        raise located(
            source.where,
            f"a printed table of {len(text) // 10**6:,} million signs; expected at most {MOST_TEXT // 10**6}: "
            "save it as CSV",
        )
    module: Any = import_module(f".{KINDS[kind]}", __package__) if kind in KINDS else None
    try:
        tables = [table for table in (module.tables_in if module else markdown_tables)(text) if table.rows]
    except RecursionError:
        raise located(source.where, "its braces are nested too deeply: save the table as CSV") from None
    except DataError as error:
        raise error.located(source.where) from None
    if not tables:
        what = "HTML or XML, not a table: download the data themselves, as CSV or JSON" if kind == "html" else (
            f"{kind} without a table: save the table as CSV")  # fmt: skip
        raise located(source.where, f"this is {what}")
    sheets = [_sheet(table, source.where, wanted) for table in tables]
    return sheets[0] if len(sheets) == 1 else _chosen(sheets, tables, source.where, wanted)


def _chosen(
    sheets: Sequence[Sheet], tables: Sequence[PrintedTable], where: str, wanted: Callable[[str], bool]
) -> Sheet:
    """Return the only sheet whose headers are understood, two at least where there are such."""
    understood = [sum(map(wanted, sheet.headers)) for sheet in sheets]
    least = max(min(max(understood), 2), 1)
    eligible = [i for i, n in enumerate(understood) if n >= least]
    if len(eligible) == 1:
        return sheets[eligible[0]]
    lines = ", ".join(str(tables[i].lines[0]) for i in eligible)
    what = f"{len(eligible)} of them (lines {lines}) have" if eligible else "none of them has"
    raise located(
        where,
        f"this holds {len(sheets)} tables, and {what} headers that are understood: keep only the one that is meant",
    )


# From rows to a sheet


def _sheet(table: PrintedTable, where: str, wanted: Callable[[str], bool]) -> Sheet:
    """Return a printed table as a sheet of cleaned texts."""
    width = max(sum(span.columns for span in row) for row in table.rows[: table.n_headers])
    grid = _grid(table, where, width)
    heads, body, lines = grid[: table.n_headers], grid[table.n_headers :], table.lines[table.n_headers :]
    kept = [i for i, row in enumerate(body) if not _is_title(table.rows[table.n_headers + i], width)]
    rows, lines = [body[i] for i in kept], [lines[i] for i in kept]
    headers = _headers(heads)
    columns, shortened = [], 0
    for header, cells in zip(headers, zip(*rows, strict=True), strict=False):
        column, n = _column(cells, of_names=role(header) in ("entity", "domain"))
        columns.append(column)
        shortened += n if wanted(header) else 0
    notes: tuple[str, ...] = ()
    if shortened:
        verb = "has a ± part or brackets" if shortened == 1 else "have ± parts or brackets"
        notes = (f"{counted(shortened, 'cell')} {verb}: only the leading number is read",)
    cleaned = [list(row) for row in zip(*columns, strict=True)]
    return Sheet(tuple(headers), cleaned, where, lines, notes=notes)


def _grid(table: PrintedTable, where: str, width: int) -> list[list[str]]:
    """Return the texts of all cells, those that span several places in each of them."""
    grid: list[list[str]] = []
    below: dict[int, tuple[str, int]] = {}  # by column: the text of a cell from above, and how many rows are left
    for number, (row, line) in enumerate(zip(table.rows, table.lines, strict=True)):
        cells, texts = deque(row), list[str]()
        while cells or len(texts) in below:
            text, left = below.pop(len(texts), ("", 0))
            span = Span(text, 1, left) if left else cells.popleft()
            for _ in range(span.columns):
                if span.rows > 1:
                    below[len(texts)] = (span.text, span.rows - 1)
                texts.append(span.text)
        row_of_data = number - table.n_headers
        if row_of_data >= 0 and len(texts) != width:
            raise DataError(
                f"this row has {counted(len(texts), 'cell')}", where=Place(where, row_of_data, line),
                expected=f"{width}, as the headers", way_out="complete the row",
            )  # fmt: skip
        grid.append([*texts, *[""] * (width - len(texts))])
    return grid


def _is_title(row: Sequence[Span], width: int) -> bool:
    """Tell whether a row is one cell above others, such as the name of a group of methods."""
    return width > 1 and len(row) == 1 and row[0].columns == width


def _headers(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the headers: the lowest texts, with those above where the same would occur twice."""
    columns = [[text for text in map(_header, parts) if text] for parts in zip(*rows, strict=True)]
    lowest = [parts[-1] if parts else "" for parts in columns]
    counts = Counter(lowest)
    return [
        " ".join(dict.fromkeys(parts)) if text and counts[text] > 1 else text
        for text, parts in zip(lowest, columns, strict=True)
    ]


def _header(text: str) -> str:
    """Return a header without marks, arrows, and what it says about intervals.

    >>> (
    ...     _header("F1 ↑*"),
    ...     _header("Recall (%, 95% CI)"),
    ...     _header("TP (n)"),
    ...     _header("Accuracy [mean ± SD]"),
    ... )
    ('F1', 'Recall (%)', 'TP', 'Accuracy')
    """
    plain = re.sub(r"\s*[↑↓]", "", _without_marks(_flat(text)))
    match = re.fullmatch(r"(.*?)\s*[(\[]([^()\[\]]*(?:±|\b(?:CI|SD|SE|std|mean)\b)[^()\[\]]*)[)\]]", plain)
    if match:
        plain = match[1] + (" (%)" if re.match(r"\s*(%|in %)", match[2]) else "")
    return re.sub(r"\s*[(\[](n|no\.?|#)[)\]]$", "", plain, flags=re.IGNORECASE).strip()


# Cells

_NUMBER = (
    r"[+-]?[0-9](?:[0-9.,'\N{RIGHT SINGLE QUOTATION MARK}]|[ \N{THIN SPACE}](?=[0-9]{3}(?![0-9])))*(?:[eE][+-]?[0-9]+)?"
)
_SHORTENED = re.compile(rf"({_NUMBER}\s*%?)\s*(?:(?:±|\+/-|\+-)[^%]*|\(.*\)|\[.*\])\s*(%?)")
_MARKS = "*†‡§¶∗⋆★‖"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def _flat(text: str) -> str:
    """Return a text on one line, superscripts as "^{…}"."""
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda match: "^{" + match[0].translate(_SUPERSCRIPTS) + "}", text)
    text = re.sub("[\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{FIGURE SPACE}]", "\N{THIN SPACE}", text)
    text = re.sub(r"[ \t\r\n]+", " ", text.replace("\N{MINUS SIGN}", "-"))
    return text.strip(" \N{THIN SPACE}")


def _without_marks(text: str) -> str:
    r"""Return a text without footnote marks; a digit that is raised behind a whole number may be a power, and stays.

    >>> (
    ...     _without_marks("U-Net^{†}*"),
    ...     _without_marks("83.1^{2}"),
    ...     _without_marks("Smith [12]"),
    ...     _without_marks("2^{10}"),
    ... )
    ('U-Net', '83.1', 'Smith', '2^{10}')
    """
    before = None
    while before != text:
        before = text
        text = text.strip(" \N{THIN SPACE}").strip(_MARKS)
        match = re.fullmatch(r"(.*?)\s*(?:\^\{([^{}]*)\}|\[[0-9a-z]{1,2}\])", text)
        power = match and re.fullmatch("[0-9]+", match[2] or "") and re.search(r"(?<![.,0-9])[0-9]+$", match[1])
        text = match[1] if match and match[1] and not power else text
    return text


def _column(cells: Sequence[str], *, of_names: bool) -> tuple[list[str], int]:
    """Return the cells of a column cleaned, and of how many only the leading number is kept.

    Names that differ by nothing but their marks keep them.
    """
    flat = [_flat(cell) for cell in cells]
    bare = [_without_marks(text) for text in flat]
    variants: dict[str, set[str]] = {}
    for text, plain in zip(flat, bare, strict=True):
        variants.setdefault(plain, set()).add(text)
    out, shortened = [], 0
    for text, plain in zip(flat, bare, strict=True):
        match = None if of_names else _SHORTENED.fullmatch(plain)
        if match:
            in_percent = match[2] and "%" not in match[1]
            out.append(match[1].strip() + (" %" if in_percent else ""))
            shortened += 1
        elif re.fullmatch(rf"{_NUMBER}\s*%?", plain) or len(variants[plain]) == 1:
            out.append(plain)
        else:
            out.append(text)
    return out, shortened


# Markdown

_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")


def is_markdown(start: str) -> bool:
    r"""Tell whether a text has a table of Markdown: below the headers a line of dashes, with bars between them.

    >>> is_markdown("| a | b |\n|---|:-:|\n| 1 | 2 |"), is_markdown("a|b\n1|2")
    (True, False)
    """
    try:
        return "|" in start and "-" in start and bool(markdown_tables(start, most=1))
    except (RecursionError, DataError):  # which reading it all will name
        return True


def markdown_tables(text: str, most: int | None = None) -> list[PrintedTable]:
    """Return the tables in a text of Markdown."""
    lines, tables, i = text.splitlines(), list[PrintedTable](), 1
    while i < len(lines) and (most is None or len(tables) < most):
        rule = lines[i]
        if "|" not in rule or "-" not in rule or not _RULE.fullmatch(re.sub("[ \t]+", " ", rule)):
            i += 1
            continue
        headers = _markdown_cells(lines[i - 1])
        if "|" not in lines[i - 1] or len(headers) != len(_markdown_cells(rule)):
            i += 1
            continue
        body = list(takewhile(lambda line: "|" in line, lines[i + 1 :]))
        rows = [headers, *map(_markdown_cells, body)]
        tables.append(
            PrintedTable([[Span(cell) for cell in row] for row in rows], [i, *range(i + 2, i + 2 + len(body))])
        )
        i += len(body) + 2
    return tables


def _markdown_cells(line: str) -> list[str]:
    """Return the cells of a line, without emphasis and links."""
    bare = re.sub("[ \t]+", " ", line).strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [_plain_markdown(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", bare)]


def _plain_markdown(text: str) -> str:
    r"""Return the text of a cell of Markdown.

    >>> (
    ...     _plain_markdown("**83.1**<sup>a</sup>"),
    ...     _plain_markdown("[my_net_2](x.md) [^1]"),
    ...     _plain_markdown("__a__ \\*"),
    ... )
    ('83.1^{a}', 'my_net_2 ^{1}', 'a *')
    """
    refuse_long(text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[\^([^\]]+)\]", r"^{\1}", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<sup>(.*?)</sup>", r"^{\1}", text, flags=re.IGNORECASE)
    text = re.sub(r"<br\s*/?>", " ", text, flags=re.IGNORECASE)
    text = re.sub(r"</?[a-zA-Z][^>]*>", "", text)
    before = None
    while before != text:
        before = text
        text = re.sub(r"(?<![\w\\*])(\*\*\*|\*\*|\*|___|__|_|~~|`+)(?=\S)(.*?\S)(?<!\\)\1(?![\w*])", r"\2", text)
    text = re.sub(r"\$([^$]*)\$", lambda math: _mathematics(math[1]), text)
    return html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)).strip()


def _mathematics(text: str) -> str:
    latex: Any = import_module(".latex_tables", __package__)
    return str(latex.plain_latex(text))
