"""Tables as they are printed, in Markdown and HTML: their cells without emphasis, footnotes and ± parts.

Markdown is rewritten as HTML, line by line, which one parser reads; superscripts become "^{…}". Whatever is
left of a cell that is not plainly a number is refused where a number is needed, as in a CSV file.
"""

import html
import re
import unicodedata
from collections import Counter, deque
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from ..errors import DataError, Place
from ..texts import counted
from .headers import role
from .sheets import Sheet, Source, located, quoted

MOST_SIGNS, MOST_TEXT, MOST_SPANNED = 2000, 10 * 10**6, 999  # of a cell, of a text with tables, of rows or columns


class _Cell(NamedTuple):
    """The text of a cell, how many columns and rows it spans, and whether it is a header."""

    text: str
    columns: int
    rows: int
    header: bool


_Table = list[tuple[int, list[_Cell]]]  # rows, each with its line in the file


def markup_sheet(source: Source, kind: str, wanted: Callable[[str], bool]) -> Sheet:
    """Return the table in a text; of several the only one whose headers are understood, two at least if it has such."""
    text = source.text()
    if len(text) > MOST_TEXT:
        size = f"a printed table of {len(text) // 10**6:,} million signs"
        raise located(source.where, f"{size}; expected at most {MOST_TEXT // 10**6}: save it as CSV")
    try:
        tables = _tables(_of_markdown(text) if kind == "markdown" else text)
    except DataError as error:
        raise error.located(source.where) from None
    if not tables:
        raise located(source.where, "this is HTML or XML, not a table: download the data themselves, as CSV or JSON")
    sheets = [_sheet(table, source.where, wanted) for table in tables]
    understood = [sum(map(wanted, sheet.headers)) for sheet in sheets]
    eligible = [i for i, n in enumerate(understood) if n >= max(min(max(understood), 2), 1)]
    if len(sheets) == 1 or len(eligible) == 1:
        return sheets[0] if len(sheets) == 1 else sheets[eligible[0]]
    lines = ", ".join(str(tables[i][0][0]) for i in eligible)
    which = f"{len(eligible)} of them (lines {lines}) have" if eligible else "none of them has"
    raise located(
        source.where,
        f"this holds {len(sheets)} tables, and {which} headers that are understood: keep only the one that is meant",
    )


def _sheet(table: _Table, where: str, wanted: Callable[[str], bool]) -> Sheet:
    """Return a printed table as a sheet of cleaned texts; cells that span several places are in each of them."""
    n = next((i for i, (_, cells) in enumerate(table) if not all(cell.header for cell in cells)), 1) or 1
    width = max(sum(cell.columns for cell in cells) for _, cells in table[:n])
    heads, rows, lines = list[list[str]](), list[list[str]](), list[int]()
    below: dict[int, _Cell] = {}  # by column: a cell from above, and in how many rows more it is
    for i, (line, row) in enumerate(table):
        cells, texts = deque(row), list[str]()
        while cells or len(texts) in below:
            cell = below.pop(len(texts), None) or cells.popleft()
            for _ in range(cell.columns):
                if cell.rows > 1:
                    below[len(texts)] = cell._replace(columns=1, rows=cell.rows - 1)
                texts.append(cell.text)
        if i >= n and len(texts) != width:
            raise DataError(
                f"this row has {counted(len(texts), 'cell')}", where=Place(where, i - n, line),
                expected=f"{width}, as the headers", way_out="complete the row",
            )  # fmt: skip
        if i < n:
            heads.append([*texts, *[""] * (width - len(texts))])
        elif width == 1 or len(row) > 1 or row[0].columns < width:  # else a title, such as that of a group of methods
            rows.append(texts)
            lines.append(line)
    above = [[text for text in map(_header, parts) if text] for parts in zip(*heads, strict=True)]
    lowest = [parts[-1] if parts else "" for parts in above]
    counts = Counter(lowest)  # where the same would occur twice, with what stands above
    headers = tuple(
        " ".join(dict.fromkeys(parts)) if text and counts[text] > 1 else text
        for text, parts in zip(lowest, above, strict=True)
    )
    columns, shortened = [], 0
    for header, texts_of in zip(headers, zip(*rows, strict=True), strict=False):
        column, few = _column(texts_of, of_names=role(header) in ("entity", "domain"))
        columns.append(column)
        shortened += few if wanted(header) else 0
    verb = "has a ± part or brackets" if shortened == 1 else "have ± parts or brackets"
    notes = (f"{counted(shortened, 'cell')} {verb}: only the leading number is read",) if shortened else ()
    return Sheet(headers, [list(row) for row in zip(*columns, strict=True)], where, lines, notes=notes)


# Cells

_NUMBER = (
    r"[+-]?[0-9](?:[0-9.,'\N{RIGHT SINGLE QUOTATION MARK}]|[ \N{THIN SPACE}](?=[0-9]{3}(?![0-9])))*(?:[eE][+-]?[0-9]+)?"
)
_SHORTENED = re.compile(rf"({_NUMBER}\s*%?)\s*(?:(?:±|\+/-|\+-)[^%]*|\(.*\)|\[.*\])\s*(%?)")


def _header(text: str) -> str:
    """Return a header without marks, arrows, and what it says about intervals."""
    plain = re.sub(r"\s*[↑↓]", "", _without_marks(text))
    match = re.fullmatch(r"(.*?)\s*[(\[]([^()\[\]]*(?:±|\b(?:CI|SD|SE|std|mean)\b)[^()\[\]]*)[)\]]", plain)
    if match:
        plain = match[1] + (" (%)" if re.match(r"\s*(%|in %)", match[2]) else "")
    return re.sub(r"\s*[(\[](n|no\.?|#)[)\]]$", "", plain, flags=re.IGNORECASE).strip()


def _without_marks(text: str) -> str:
    """Return a text without footnote marks; a digit that is raised behind a whole number may be a power, and stays."""
    before = None
    while before != text:
        before, text = text, text.strip(" \N{THIN SPACE}").strip("*†‡§¶∗⋆★‖")
        match = re.fullmatch(r"(.*?)\s*(?:\^\{([^{}]*)\}|\[[0-9a-z]{1,2}\])", text)
        power = match and re.fullmatch("[0-9]+", match[2] or "") and re.search(r"(?<![.,0-9])[0-9]+$", match[1])
        text = match[1] if match and match[1] and not power else text
    return text


def _column(cells: Sequence[str], *, of_names: bool) -> tuple[list[str], int]:
    """Return the cells of a column cleaned, and of how many only the leading number is kept."""
    bare = list(map(_without_marks, cells))
    alike = Counter(plain for plain, _ in {*zip(bare, cells, strict=True)})  # names that marks tell apart keep them
    out, shortened = [], 0
    for text, plain in zip(cells, bare, strict=True):
        match = None if of_names else _SHORTENED.fullmatch(plain)
        if match:
            out.append(match[1].strip() + (" %" if match[2] and "%" not in match[1] else ""))
            shortened += 1
        else:
            out.append(plain if re.fullmatch(rf"{_NUMBER}\s*%?", plain) or alike[plain] == 1 else text)
    return out, shortened


# HTML

_TOKEN = re.compile(
    r"<!--.*?(?:-->|$)|<(script|style|template|noscript)\b.*?(?:</\1\s*>|$)"
    r"""|<(/?)([a-z][a-z0-9]*)((?:=\s*"[^"]*"|=\s*'[^']*'|[^>])*+)>|([^<]+|<)""",
    re.DOTALL | re.IGNORECASE,
)
_NUMBERS = re.compile(r"""\b(colspan|rowspan|line)\s*=\s*["']?([0-9]{1,9})""", re.IGNORECASE)
_INSTEAD = {"sup": "^{", "/sup": "}", "br": " ", "p": " ", "div": " ", "li": " "}


def _tables(page: str) -> list[_Table]:
    """Return the tables in a page that have cells; a table inside a cell is one by itself."""
    tables, line, behind = list[list[tuple[int, list[list[Any]]]]](), 1, 0
    opened = list[tuple[list[tuple[int, list[list[Any]]]], list[list[Any]]]]()  # tables that are read, and an open cell
    for token in _TOKEN.finditer(page):
        tag = ((token[2] or "") + (token[3] or "")).lower()
        numbers = {name.lower(): int(n) for name, n in _NUMBERS.findall(token[4])} if token[4] else {}
        if tag == "table":
            tables.append([])
            opened.append((tables[-1], []))
        elif not opened:
            continue
        elif tag == "/table":
            opened.pop()
        elif tag.strip("/") in ("thead", "tbody", "tfoot", "tr", "td", "th"):
            rows, cell = opened[-1]
            cell.clear()
            if tag == "tr":
                line, behind = line + page.count("\n", behind, token.start()), token.start()
                rows.append((numbers.get("line", line), []))
            elif tag in ("td", "th") and rows:
                spans = [min(max(numbers.get(name, 1), 1), MOST_SPANNED) for name in ("colspan", "rowspan")]
                cell.append(["", *spans, tag == "th"])
                rows[-1][1].append(cell[0])
        elif opened[-1][1]:
            opened[-1][1][0][0] += token[5] or _INSTEAD.get(tag, "")
    read = [[(n, [_Cell(_flat(cell[0]), *cell[1:]) for cell in row]) for n, row in rows if row] for rows in tables]
    return list(filter(None, read))


def _flat(text: str) -> str:
    """Return the text of a cell of HTML on one line, superscripts as "^{…}"."""
    text = html.unescape(_short(text)).strip()
    if not text.isascii():
        text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda match: "^{" + unicodedata.normalize("NFKC", match[0]) + "}", text)
        text = re.sub("[\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{FIGURE SPACE}]", "\N{THIN SPACE}", text)
    return re.sub(r"[ \t\r\n]+", " ", text.replace("\N{MINUS SIGN}", "-")).strip(" \N{THIN SPACE}")


def _short(cell: str) -> str:
    """Return a cell; refuse one that nobody prints, before it is searched for marks again and again."""
    if len(cell) > MOST_SIGNS:
        raise DataError(
            f"a cell of {len(cell):,} signs starts with {quoted(cell[:20])}",
            expected=f"at most {MOST_SIGNS:,} in a printed table", way_out="save the table as CSV",
        )  # fmt: skip
    return cell


# Markdown


def is_markdown(start: str) -> bool:
    """Tell whether a text has a table of Markdown: below the headers a line of dashes, with bars between them."""
    try:
        return bool(_of_markdown(start))
    except DataError:  # which reading it all will name
        return True


def _of_markdown(text: str) -> str:
    """Return the tables in a text of Markdown as HTML, without emphasis and links."""
    lines, page, behind = text.splitlines(), list[str](), 0

    def cells(line: str) -> list[str]:
        bare = re.sub("[ \t]+", " ", line).strip().removeprefix("|")
        bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
        return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", bare)]

    for rule, line in enumerate(lines):
        if rule <= behind or not {"|", "-"} <= {*line} <= {*"|-: \t"} or "|" not in lines[rule - 1]:
            continue
        headers, dashes = cells(lines[rule - 1]), cells(line)
        if len(headers) != len(dashes) or not all(re.fullmatch(":?-+:?", cell) for cell in dashes):
            continue
        body = list(takewhile(lambda line: "|" in line, lines[rule + 1 :]))
        page += [f"<table><tr line={rule}>", *(f"<th>{_plain_markdown(cell)}" for cell in headers)]
        for i, row in enumerate(body, start=rule + 2):
            page += [f"<tr line={i}>", *(f"<td>{_plain_markdown(cell)}" for cell in cells(row))]
        page.append("</table>")
        behind = rule + len(body)
    return "".join(page)


def _plain_markdown(text: str) -> str:
    """Return the HTML of a cell of Markdown."""
    if not re.search(r"[\[<*_~`$\\]", _short(text)):  # as most cells are
        return text
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)  # pictures
    text = re.sub(r"<(?!/?[a-zA-Z][^<>]*>)", "&lt;", text)  # < that begins no tag
    text = re.sub(r"\[\^([^\]]+)\]", r"<sup>\1</sup>", text)  # footnotes
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)  # links
    before = None
    while before != text:  # bold, italics, code, crossed out, one inside another
        before = text
        text = re.sub(r"(?<![\w\\*])(\*\*\*|\*\*|\*|___|__|_|~~|`+)(?=\S)(.*?\S)(?<!\\)\1(?![\w*])", r"\2", text)
    text = re.sub(r"\$([^$]*)\$", lambda math: _plain_mathematics(math[1]), text)
    return re.sub(r"\\([!-/:-@\[-`{-~])", lambda sign: html.escape(sign[1]), text).strip()


def _plain_mathematics(text: str) -> str:
    """Return the HTML of a formula in a cell: a number, perhaps bold, raised or with ±."""
    text = re.sub(r"\\pm(?![a-zA-Z])", "±", re.sub(r"\\[,%]|\{,\}", lambda sign: sign[0].strip("\\{}"), text))
    text = re.sub(r"\\(?:mathbf|mathrm|text|textbf|bm)\s*\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"_\{([^{}]*)\}|\^\{(\s*±[^{}]*)\}", r" \1\2", text)
    return re.sub(r"\^(?:\{([^{}]*)\}|([^{}\\]))", r"<sup>\1\2</sup>", text).replace("\\", "")
