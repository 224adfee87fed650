"""Tables as they are printed, in Markdown, HTML and LaTeX: their cells without emphasis, footnotes and ± parts.

Whatever is left of a cell that is not plainly a number is refused where a number is needed, as in a CSV file.
"""

from __future__ import annotations

import html
import re
from collections import Counter, deque
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from itertools import takewhile
from typing import Any, NamedTuple

from ..errors import DataError, Place
from ..texts import counted
from .headers import role
from .sheets import Sheet, located, quoted
from .sources import Source

MOST_SIGNS, MOST_TEXT = 2000, 10 * 10**6
"""Signs that a cell, and that a text with printed tables may have."""


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
    """Return the table in a text; of several the only one whose headers are understood, two at least if it has such."""
    text = source.text()
    if len(text) > MOST_TEXT:
        size = f"a printed table of {len(text) // 10**6:,} million signs"
        raise located(source.where, f"{size}; expected at most {MOST_TEXT // 10**6}: save it as CSV")
    try:
        tables_in = {"markdown": markdown_tables, "html": html_tables, "latex": latex_tables}[kind]
        tables = [table for table in tables_in(text) if table.rows]
    except DataError as error:
        raise error.located(source.where) from None
    if not tables:
        what = "HTML or XML, not a table: download the data themselves, as CSV or JSON"
        raise located(
            source.where, f"this is {what if kind == 'html' else f'{kind} without a table: save the table as CSV'}"
        )
    sheets = [_sheet(table, source.where, wanted) for table in tables]
    understood = [sum(map(wanted, sheet.headers)) for sheet in sheets]
    eligible = [i for i, n in enumerate(understood) if n >= max(min(max(understood), 2), 1)]
    if len(sheets) == 1 or len(eligible) == 1:
        return sheets[0] if len(sheets) == 1 else sheets[eligible[0]]
    lines = ", ".join(str(tables[i].lines[0]) for i in eligible)
    which = f"{len(eligible)} of them (lines {lines}) have" if eligible else "none of them has"
    raise located(
        source.where,
        f"this holds {len(sheets)} tables, and {which} headers that are understood: keep only the one that is meant",
    )


def _refuse_long(cell: str) -> None:
    """Refuse a cell that nobody prints, before it is searched for marks again and again."""
    if len(cell) > MOST_SIGNS:
        raise DataError(
            f"a cell of {len(cell):,} signs starts with {quoted(cell[:20])}",
            expected=f"at most {MOST_SIGNS:,} in a printed table",
            way_out="save the table as CSV",
        )


# From rows to a sheet


def _sheet(table: PrintedTable, where: str, wanted: Callable[[str], bool]) -> Sheet:
    """Return a printed table as a sheet of cleaned texts."""
    width = max(sum(span.columns for span in row) for row in table.rows[: table.n_headers])
    grid = _grid(table, where, width)
    heads, body, lines = grid[: table.n_headers], grid[table.n_headers :], table.lines[table.n_headers :]
    printed = table.rows[table.n_headers :]  # one cell above others is a title, such as the name of a group of methods
    kept = [i for i, row in enumerate(printed) if not (width > 1 and len(row) == 1 and row[0].columns == width)]
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

    >>> list(map(_header, ("F1 ↑*", "Recall (%, 95% CI)", "TP (n)", "Accuracy [mean ± SD]")))
    ['F1', 'Recall (%)', 'TP', 'Accuracy']
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

    >>> list(map(_without_marks, ("U-Net^{†}*", "83.1^{2}", "Smith [12]", "2^{10}")))
    ['U-Net', '83.1', 'Smith', '2^{10}']
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
    flat = list(map(_flat, cells))
    bare = list(map(_without_marks, flat))
    alike = Counter(plain for plain, _ in {*zip(bare, flat, strict=True)})
    out, shortened = [], 0
    for text, plain in zip(flat, bare, strict=True):
        match = None if of_names else _SHORTENED.fullmatch(plain)
        if match:
            out.append(match[1].strip() + (" %" if match[2] and "%" not in match[1] else ""))
            shortened += 1
        else:
            out.append(plain if re.fullmatch(rf"{_NUMBER}\s*%?", plain) or alike[plain] == 1 else text)
    return out, shortened


# Markdown


def is_markdown(start: str) -> bool:
    r"""Tell whether a text has a table of Markdown: below the headers a line of dashes, with bars between them.

    >>> is_markdown("| a | b |\n|---|:-:|\n| 1 | 2 |"), is_markdown("a|b\n1|2")
    (True, False)
    """
    try:
        return bool(markdown_tables(start, most=1))
    except DataError:  # which reading it all will name
        return True


def markdown_tables(text: str, most: int | None = None) -> list[PrintedTable]:
    """Return the tables in a text of Markdown."""
    lines, tables, behind = text.splitlines(), list[PrintedTable](), 1
    for i, rule in enumerate(lines):
        if i < behind or len(tables) == most or not {"|", "-"} <= {*rule} <= {*"|-: \t"} or "|" not in lines[i - 1]:
            continue
        headers, dashes = _markdown_cells(lines[i - 1]), _markdown_cells(rule)
        if len(headers) == len(dashes) and all(re.fullmatch(":?-+:?", cell) for cell in dashes):
            body = list(takewhile(lambda line: "|" in line, lines[i + 1 :]))
            rows = [[Span(cell) for cell in row] for row in (headers, *map(_markdown_cells, body))]
            tables.append(PrintedTable(rows, [i, *range(i + 2, i + 2 + len(body))]))
            behind = i + len(body) + 2
    return tables


def _markdown_cells(line: str) -> list[str]:
    """Return the cells of a line, without emphasis and links."""
    bare = re.sub("[ \t]+", " ", line).strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [_plain_markdown(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", bare)]


def _plain_markdown(text: str) -> str:
    r"""Return the text of a cell of Markdown.

    >>> list(map(_plain_markdown, ("**83.1**<sup>a</sup>", "[my_net_2](x.md) [^1]", "__a__ \\*")))
    ['83.1^{a}', 'my_net_2 ^{1}', 'a *']
    """
    _refuse_long(text)
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
    text = re.sub(r"\$([^$]*)\$", lambda math: plain_latex(math[1]), text)
    return html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)).strip()


# HTML

_SILENT = ("script", "style", "template", "noscript")
_PARTS = ("thead", "tbody", "tfoot", "tr", "td", "th")
_INSTEAD = {"sup": "^{", "br": " ", "p": " ", "div": " ", "li": " "}


def html_tables(text: str) -> list[PrintedTable]:
    """Return the tables in a page; a table inside a cell is one by itself.

    >>> html_tables("<table><tr><th>a<tr><td>1</table>")[0].rows
    [[Span(text='a', columns=1, rows=1)], [Span(text='1', columns=1, rows=1)]]
    """
    page = _Page()
    page.feed(text)
    page.close()
    tables = []
    for kept in ([row for row in rows if row[1]] for rows in page.tables):
        rows = [[Span("".join(parts).strip(), *spans) for parts, spans, _ in cells] for _, cells in kept]
        for row in rows:
            _refuse_long(max((span.text for span in row), key=len))
        n = next((i for i, (_, cells) in enumerate(kept) if not all(cell[2] for cell in cells)), 1)
        tables.append(PrintedTable(rows, [line for line, _ in kept], max(n, 1)))
    return tables


class _Page(HTMLParser):
    """Collects the rows of tables: the line, and the pieces of each cell, its spans, and whether it is a header."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[tuple[int, list[tuple[list[str], tuple[int, int], bool]]]]] = []
        self.open: list[tuple[Any, list[list[str]]]] = []  # each table that is read, and the pieces of its open cell
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in _SILENT
        if tag == "table":
            self.tables.append([])
            self.open.append((self.tables[-1], []))
        elif self.open and tag in _PARTS:
            rows, cell = self.open[-1]
            cell.clear()
            if tag == "tr":
                rows.append((self.getpos()[0], []))
            elif tag in ("td", "th") and rows:
                digits = [re.match("[0-9]{0,3}", dict(attrs).get(name) or "") for name in ("colspan", "rowspan")]
                cell.append([])
                rows[-1][1].append((cell[0], tuple(max(int(one[0] or 1), 1) for one in digits if one), tag == "th"))
        else:
            self.handle_data(_INSTEAD.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in _SILENT and self.silent > 0
        if self.open and tag == "table":
            self.open.pop()
        elif self.open and tag in _PARTS:
            self.open[-1][1].clear()
        elif tag == "sup":
            self.handle_data("}")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1][1] and not self.silent:
            self.open[-1][1][0].append(data)


# LaTeX

_ENDS = re.compile(r"\\(begin|end)\s*\{(tabular\*?|tabularx|tabulary|longtable|tblr|array)\}")
_GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*+\})*+\}"
_COLUMNS = re.compile(rf"(?:\s*(?:\[[^\]]*\]|{_GROUP})){{0,3}}")
"""What stands before the first cell of a table: where it is, how wide, and the kinds of its columns."""

_RULES = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|cmidrule|cline|addlinespace|specialrule|endhead|endfirsthead|endfoot"
    r"|endlastfoot|morecmidrules|noalign|rowcolor|hdashline|Xhline)\b(?:\s*\[[^\]]*\]|\s*\([^)]*\)|\s*\{[^{}]*\})*"
)
_DROPPED = {"begin": 2} | dict.fromkeys(
    (
        *("footnote", "footnotemark", "footnotetext", "tnote", "cite", "citep", "citet", "citealp", "ref", "label"),
        *("hspace", "vspace", "phantom", "hphantom", "vphantom", "rule", "cellcolor", "rowcolor", "color", "textcolor"),
        *("colorbox", "rotatebox", "scalebox", "raisebox", "href", "end"),
    ),
    1,
)
"""How many arguments of a command are not printed."""

_SIGNS = {
    **{"pm": "±", "dagger": "†", "ddagger": "‡", "dag": "†", "ddag": "‡", "ast": "*", "star": "⋆", "S": "§", "P": "¶"},
    **{"times": "×", "cdot": "·", "uparrow": "↑", "downarrow": "↓", "textendash": "–", "textemdash": "—", "sim": "~"},
    **{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "lambda": "λ", "kappa": "κ", "mu": "μ", "sigma": "σ"},
    **{"textbar": "|", "ldots": "…", "dots": "…", "percent": "%", "textpm": "±", "textasteriskcentered": "*"},
    **{"textsuperscript": "^", "textsubscript": "_"},
}
_SPACES = {",": "\N{THIN SPACE}", ";": " ", ":": " ", "!": "", "(": "", ")": "", "\\": " "}
_KEPT = dict(zip("{}^_$~", map(chr, range(0xE000, 0xE006)), strict=True))
"""Signs that are printed, and must not be taken for those of LaTeX."""

_SPAN = {"multicolumn": 0xE100, "multirow": 0xE500}
"""From where on a character says how many columns, or rows, a cell spans."""

_COMMAND = re.compile(r"\\([a-zA-Z]++)\*?(?:\s*\[[^\[\]{}]*\])*+((?:\s*\{[^{}]*\})*+)(?!\s*\{)")


def latex_tables(text: str) -> list[PrintedTable]:
    r"""Return the tables in a text of LaTeX, the outer ones.

    >>> table = latex_tables(
    ...     r"\begin{tabular}{lr} a & b \\ \midrule \textbf{1\,234} & 2 \% \\ \end{tabular}"
    ... )[0]
    >>> [[cell.text for cell in row] for row in table.rows], table.n_headers
    ([['a', 'b'], ['1\u2009234', '2 %']], 1)
    """
    text = re.sub(r"(?<!\\)((?:\\\\)*)%.*", r"\1", text)  # comments
    begun, outer = list[re.Match[str]](), list[tuple[int, int]]()
    for mark in _ENDS.finditer(text):
        if mark[1] == "begin":
            begun.append(mark)
        elif begun:
            start = begun.pop().end()
            outer = [one for one in outer if one[0] < start] + [(start, mark.start())]
    return [_latex_table(text, start, end) for start, end in outer]


def _latex_table(text: str, start: int, end: int) -> PrintedTable:
    """Return the table whose columns are described from ``start`` on."""
    before = _COLUMNS.match(text, start, end)
    behind = start = before.end() if before else start
    rows, lines, n_headers, line = list[list[Span]](), list[int](), 0, 1 + text.count("\n", 0, start)
    below: dict[int, Span] = {}  # by column: a cell of several rows, under which LaTeX leaves empty places
    for offset, piece in _split(text[start:end], r"\\\\(?:\s*\[[^\]]*\])?|\\tabularnewline\b"):
        if rows and not n_headers and re.search(r"\\(?:midrule|hline|endhead|endfirsthead)\b", piece):
            n_headers = len(rows)
        bare = _RULES.sub(lambda rule: "\n" * rule[0].count("\n"), piece)
        if not bare.strip():
            continue
        line, behind = line + text.count("\n", behind, start + offset), start + offset
        lines.append(line + bare[: len(bare) - len(bare.lstrip())].count("\n"))
        rows.append([])
        for column, (_, cell) in enumerate(_split(bare, "&")):
            span, above = _latex_span(cell), below.pop(column, Span(""))
            span = span if span.text or above.rows < 2 else above._replace(rows=above.rows - 1)
            below |= {column: span}
            rows[-1].append(span._replace(rows=1))
    return PrintedTable(rows, lines, n_headers if 0 < n_headers < len(rows) else 1)


def _split(text: str, separator: str) -> list[tuple[int, str]]:
    """Return the parts of a text between separators outside braces and inner environments, each with its offset."""
    parts, depth, begin = list[tuple[int, str]](), 0, 0
    marks = rf"({separator})|(\{{|\\begin(?![a-zA-Z]))|(\}}|\\end(?![a-zA-Z]))|\\."
    for mark in re.finditer(marks, text, re.DOTALL):
        if mark[1] and not depth:
            parts.append((begin, text[begin : mark.start()]))
            begin = mark.end()
        depth = max(depth + bool(mark[2]) - bool(mark[3]), 0)
    return [*parts, (begin, text[begin:])]


def _latex_span(cell: str) -> Span:
    _refuse_long(cell)
    text, spans = plain_latex(re.sub(r"(\\multirow[^{]*\{[0-9]+\})\s*\*", r"\1{*}", cell)), []
    for start in _SPAN.values():
        spans += [max((ord(sign) - start for sign in text if start < ord(sign) < start + 1000), default=1)]
    return Span(re.sub("[\ue100-\ue900]", "", text).strip(), *spans)


def plain_latex(text: str) -> str:
    r"""Return a text of LaTeX as plain text, superscripts as "^{…}"; what is innermost is made plain first.

    >>> plain_latex(r"\underline{$83.1 \pm 0.4$}\,\%"), plain_latex(r"{\bf U\_Net}~\cite{unet}$^\dagger$")
    ('83.1 ±0.4\u2009%', 'U_Net ^{†}')
    """
    text = re.sub(r"\\([^a-zA-Z])", lambda sign: _SPACES.get(sign[1], _KEPT.get(sign[1], sign[1])), text)
    text = re.sub(r"\\([a-zA-Z]+) *", lambda name: _SIGNS.get(name[1], name[0]), re.sub(r"\$", "", text))
    before, text = "", text.replace("~", " ")
    while before != text:
        before, text = text, _COMMAND.sub(_of_command, text)
        text = re.sub(r"([\^_])(?:\{([^{}]*)\}|([^{}\\^_]))", _raised, text)
        text = re.sub(r"(?<![\^_])\{([^{}]*)\}", r"\1", text) if before == text else text
    text = re.sub("[{}]", "", text).translate({ord(kept): sign for sign, kept in _KEPT.items()})
    return re.sub(r"[ \n\t]+", " ", text.replace("--", "–")).strip()


def _of_command(match: re.Match[str]) -> str:
    """Return what a command prints whose arguments have no braces inside; a switch such as ``bfseries`` nothing."""
    name, arguments = match[1], re.findall(r"\{([^{}]*)\}", match[2])
    if name in _SPAN and len(arguments) > 2 and re.fullmatch(r"\s*[0-9]{1,3}\s*", arguments[0]):
        return chr(_SPAN[name] + int(arguments[0])) + "".join(arguments[2:])
    return "".join(arguments[_DROPPED.get(name, 0) :])


def _raised(match: re.Match[str]) -> str:
    """Return a superscript as "^{…}", with braces that stay; a subscript, and a margin, as they are."""
    inner = match[3] if match[2] is None else match[2]
    if inner.startswith("±"):
        return f" {inner}"
    return f"{_KEPT['^']}{_KEPT['{']}{inner}{_KEPT['}']}" if match[1] == "^" else inner
