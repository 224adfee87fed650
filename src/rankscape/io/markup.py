"""Tables as they are printed, in Markdown, HTML and LaTeX: their cells without emphasis, footnotes and ± parts.

Markdown and LaTeX are rewritten as HTML, line by line, which one parser reads; superscripts become "^{…}". Whatever is
left of a cell that is not plainly a number is refused where a number is needed, as in a CSV file.
"""

import html
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from ..errors import DataError, Place
from ..texts import counted
from .headers import role
from .sheets import Sheet, located, quoted
from .sources import Source

MOST_SIGNS, MOST_TEXT = 2000, 10 * 10**6
"""Signs that a cell, and that a text with printed tables may have."""


class _Cell(NamedTuple):
    """The text of a cell, how many columns and rows it spans, and whether it is a header."""

    text: str
    columns: int = 1
    rows: int = 1
    header: bool = False


_Table = list[tuple[int, list[_Cell]]]
"""Rows, each with its line in the file."""


def markup_sheet(source: Source, kind: str, wanted: Callable[[str], bool]) -> Sheet:
    """Return the table in a text; of several the only one whose headers are understood, two at least if it has such."""
    text = source.text()
    if len(text) > MOST_TEXT:
        size = f"a printed table of {len(text) // 10**6:,} million signs"
        raise located(source.where, f"{size}; expected at most {MOST_TEXT // 10**6}: save it as CSV")
    of_kind: dict[str, Callable[[str], str]] = {"markdown": _of_markdown, "latex": _of_latex}
    try:
        tables = _tables(of_kind[kind](text) if kind in of_kind else text)
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
    lines = ", ".join(str(tables[i][0][0]) for i in eligible)
    which = f"{len(eligible)} of them (lines {lines}) have" if eligible else "none of them has"
    raise located(
        source.where,
        f"this holds {len(sheets)} tables, and {which} headers that are understood: keep only the one that is meant",
    )


# From rows to a sheet


def _sheet(table: _Table, where: str, wanted: Callable[[str], bool]) -> Sheet:
    """Return a printed table as a sheet of cleaned texts."""
    n = next((i for i, (_, cells) in enumerate(table) if not all(cell.header for cell in cells)), 1) or 1
    width = max(sum(cell.columns for cell in cells) for _, cells in table[:n])
    grid = _grid(table, n, width, where)
    headers = _headers(grid[:n])
    kept = [  # one cell above others is a title, such as the name of a group of methods
        i for i, (_, cells) in enumerate(table)
        if i >= n and not (width > 1 and len(cells) == 1 and cells[0].columns == width)
    ]  # fmt: skip
    columns, shortened = [], 0
    for header, cells in zip(headers, zip(*(grid[i] for i in kept), strict=True), strict=False):
        column, few = _column(cells, of_names=role(header) in ("entity", "domain"))
        columns.append(column)
        shortened += few if wanted(header) else 0
    verb = "has a ± part or brackets" if shortened == 1 else "have ± parts or brackets"
    notes = (f"{counted(shortened, 'cell')} {verb}: only the leading number is read",) if shortened else ()
    rows = [list(row) for row in zip(*columns, strict=True)]
    return Sheet(tuple(headers), rows, where, [table[i][0] for i in kept], notes=notes)


def _grid(table: _Table, n_headers: int, width: int, where: str) -> list[list[str]]:
    """Return the texts of all cells, those that span several places in each of them."""
    grid: list[list[str]] = []
    below: dict[int, _Cell] = {}  # by column: a cell from above, and in how many rows more it is
    for number, (line, row) in enumerate(table):
        cells, texts = deque(row), list[str]()
        while cells or len(texts) in below:
            cell = below.pop(len(texts), None) or cells.popleft()
            for _ in range(cell.columns):
                if cell.rows > 1:
                    below[len(texts)] = cell._replace(columns=1, rows=cell.rows - 1)
                texts.append(cell.text)
        if number >= n_headers and len(texts) != width:
            raise DataError(
                f"this row has {counted(len(texts), 'cell')}", where=Place(where, number - n_headers, line),
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
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def _flat(text: str) -> str:
    """Return a text on one line, superscripts as "^{…}"."""
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda match: "^{" + match[0].translate(_SUPERSCRIPTS) + "}", text)
    text = re.sub("[\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{FIGURE SPACE}]", "\N{THIN SPACE}", text)
    return re.sub(r"[ \t\r\n]+", " ", text.replace("\N{MINUS SIGN}", "-")).strip(" \N{THIN SPACE}")


def _without_marks(text: str) -> str:
    r"""Return a text without footnote marks; a digit that is raised behind a whole number may be a power, and stays.

    >>> list(map(_without_marks, ("U-Net^{†}*", "83.1^{2}", "Smith [12]", "2^{10}")))
    ['U-Net', '83.1', 'Smith', '2^{10}']
    """
    before = None
    while before != text:
        before, text = text, text.strip(" \N{THIN SPACE}").strip("*†‡§¶∗⋆★‖")
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


# HTML

_TOKEN = re.compile(
    r"<!--.*?(?:-->|$)|<(script|style|template|noscript)\b.*?(?:</\1\s*>|$)"
    r"""|<(/?)([a-z][a-z0-9]*)((?:=\s*"[^"]*"|=\s*'[^']*'|[^>])*+)>|([^<]+|<)""",
    re.DOTALL | re.IGNORECASE,
)
_INSTEAD = {"sup": "^{", "/sup": "}", "br": " ", "p": " ", "div": " ", "li": " "}


def _tables(page: str) -> list[_Table]:
    """Return the tables in a page that have cells; a table inside a cell is one by itself."""
    tables, line, behind = list[list[tuple[int, list[list[Any]]]]](), 1, 0
    opened = list[tuple[list[tuple[int, list[list[Any]]]], list[list[Any]]]]()  # tables that are read, and an open cell
    for token in _TOKEN.finditer(page):
        tag, attributes = ((token[2] or "") + (token[3] or "")).lower(), token[4] or ""
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
                rows.append((int(_attribute("line", attributes) or line), []))
            elif tag in ("td", "th") and rows:
                columns, lines = (max(int(_attribute(name, attributes) or 1), 1) for name in ("colspan", "rowspan"))
                cell.append(["", columns, lines, tag == "th"])
                rows[-1][1].append(cell[0])
        elif opened[-1][1]:
            opened[-1][1][0][0] += token[5] or _INSTEAD.get(tag, "")
    read = [[(n, [_Cell(html.unescape(cell[0]).strip(), *cell[1:]) for cell in row]) for n, row in rows if row]
            for rows in tables]  # fmt: skip
    for text in (one.text for table in read for _, cells in table for one in cells):
        _refuse_long(text)
    return list(filter(None, read))


def _attribute(name: str, attributes: str) -> str:
    """Return the number in an attribute, of three digits at most where it is a span."""
    match = re.search(rf"""\b{name}\s*=\s*["']?([0-9]+)""", attributes, re.IGNORECASE)
    return match[1][: 3 if name.endswith("span") else 9] if match else ""


def _refuse_long(cell: str) -> None:
    """Refuse a cell that nobody prints, before it is searched for marks again and again."""
    if len(cell) > MOST_SIGNS:
        raise DataError(
            f"a cell of {len(cell):,} signs starts with {quoted(cell[:20])}",
            expected=f"at most {MOST_SIGNS:,} in a printed table", way_out="save the table as CSV",
        )  # fmt: skip


# Markdown


def is_markdown(start: str) -> bool:
    r"""Tell whether a text has a table of Markdown: below the headers a line of dashes, with bars between them.

    >>> is_markdown("| a | b |\n|---|:-:|\n| 1 | 2 |"), is_markdown("a|b\n1|2")
    (True, False)
    """
    return next(_markdown_rules(start.splitlines()), None) is not None


def _markdown_rules(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines of dashes below the headers of tables."""
    for i, rule in enumerate(lines[1:], start=1):
        if {"|", "-"} <= {*rule} <= {*"|-: \t"} and "|" in lines[i - 1]:
            dashes = _bars(rule)
            if len(_bars(lines[i - 1])) == len(dashes) and all(re.fullmatch(" *:?-+:? *", cell) for cell in dashes):
                yield i


def _bars(line: str) -> list[str]:
    """Return the cells between the bars of a line."""
    bare = re.sub("[ \t]+", " ", line).strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [cell.replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", bare)]


def _of_markdown(text: str) -> str:
    """Return the tables in a text of Markdown as HTML, without emphasis and links."""
    lines, page, behind = text.splitlines(), list[str](), 0
    for rule in _markdown_rules(lines):
        if rule <= behind:
            continue
        body = len(list(takewhile(lambda line: "|" in line, lines[rule + 1 :])))
        page.append("<table>")
        for i in (rule - 1, *range(rule + 1, rule + 1 + body)):
            tag = "<th>" if i < rule else "<td>"
            page += [f"<tr line={i + 1}>", *(tag + _plain_markdown(cell) for cell in _bars(lines[i]))]
        page.append("</table>")
        behind = rule + body
    return "".join(page)


def _plain_markdown(text: str) -> str:
    r"""Return the HTML of a cell of Markdown.

    >>> list(map(_plain_markdown, ("**83.1**<sup>a</sup>", "[my_net_2](x.md) [^1]", "__a__ \\*")))
    ['83.1<sup>a</sup>', 'my_net_2 <sup>1</sup>', 'a *']
    """
    _refuse_long(text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"<(?!/?[a-zA-Z][^<>]*>)", "&lt;", text)
    text = re.sub(r"\[\^([^\]]+)\]", r"<sup>\1</sup>", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    before = None
    while before != text:
        before = text
        text = re.sub(r"(?<![\w\\*])(\*\*\*|\*\*|\*|___|__|_|~~|`+)(?=\S)(.*?\S)(?<!\\)\1(?![\w*])", r"\2", text)
    text = re.sub(r"\$([^$]*)\$", lambda math: html.escape(plain_latex(math[1])), text)
    return re.sub(r"\\([!-/:-@\[-`{-~])", lambda sign: html.escape(sign[1]), text).strip()


# LaTeX

_ENDS = re.compile(r"\\(begin|end)\s*\{(tabular\*?|tabularx|tabulary|longtable|tblr|array)\}")
_GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*+\})*+\}"
_COLUMNS = re.compile(rf"(?:\s*(?:\[[^\]]*\]|{_GROUP})){{0,3}}")
"""What stands before the first cell of a table: where it is, how wide, and the kinds of its columns."""

_RULES = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|cmidrule|cline|addlinespace|specialrule|endhead|endfirsthead|endfoot"
    r"|endlastfoot|morecmidrules|noalign|rowcolor|hdashline|Xhline)\b(?:\s*\[[^\]]*\]|\s*\([^)]*\)|\s*\{[^{}]*\})*"
)
_DROPPED = re.compile(
    "(?:foot|t)note(?:mark|text)?|cite(?:p|t|alp)?|ref|label|[hv]space|[hv]?phantom|rule|(?:cell|row|text)?color|colorbox"
    "|(?:rotate|scale|raise)box|href|end"
)
"""Commands whose first argument is not printed."""

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

_SPANS = {"multicolumn": "\ue100", "multirow": "\ue101"}
"""The sign around the number of columns, or rows, that a cell spans."""

_COMMAND = re.compile(r"\\([a-zA-Z]++)\*?(?:\s*\[[^\[\]{}]*\])*+((?:\s*\{[^{}]*\})*+)(?!\s*\{)")


def _of_latex(text: str) -> str:
    """Return the tables in a text of LaTeX, the outer ones, as HTML."""
    text = re.sub(r"(?<!\\)((?:\\\\)*)%.*", r"\1", text)  # comments
    begun, outer = list[re.Match[str]](), list[tuple[int, int]]()
    for mark in _ENDS.finditer(text):
        if mark[1] == "begin":
            begun.append(mark)
        elif begun:
            start = begun.pop().end()
            outer = [one for one in outer if one[0] < start] + [(start, mark.start())]
    page, line, behind = list[str](), 1, 0
    for begin, end in outer:
        before = _COLUMNS.match(text, begin, end)
        start, n_headers = before.end() if before else begin, 0
        rows, below = _Table(), dict[int, _Cell]()
        for offset, piece in _split(text[start:end], r"\\\\(?:\s*\[[^\]]*\])?|\\tabularnewline\b"):
            if rows and not n_headers and re.search(r"\\(?:midrule|hline|endhead|endfirsthead)\b", piece):
                n_headers = len(rows)
            bare = _RULES.sub(lambda rule: "\n" * rule[0].count("\n"), piece)
            if not bare.strip():
                continue
            line, behind = line + text.count("\n", behind, start + offset), start + offset
            rows.append((line + bare[: len(bare) - len(bare.lstrip())].count("\n"), []))
            for i, (_, cell) in enumerate(_split(bare, "&")):
                span = _latex_cell(cell)
                if not span.text and i in below and below[i].rows > 1:
                    span = below[i]._replace(rows=below[i].rows - 1)
                below[i] = span
                rows[-1][1].append(span)
        n_headers = n_headers if n_headers < len(rows) else 0
        page.append("<table>")
        for i, (at, cells) in enumerate(rows):
            tag = "th" if i < max(n_headers, 1) else "td"
            page += [f"<tr line={at}>", *(f"<{tag} colspan={cell.columns}>{html.escape(cell.text)}" for cell in cells)]
        page.append("</table>")
    return "".join(page)


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


def _latex_cell(cell: str) -> _Cell:
    _refuse_long(cell)
    text = plain_latex(re.sub(r"(\\multirow[^{]*\{[0-9]+\})\s*\*", r"\1{*}", cell))
    columns, rows = (max(map(int, re.findall(f"{sign}([0-9]+){sign}", text)), default=1) for sign in _SPANS.values())
    return _Cell(re.sub("([\ue100\ue101])[0-9]+\\1", "", text).strip(), columns, rows)


def plain_latex(text: str) -> str:
    r"""Return a text of LaTeX as plain text, superscripts as "^{…}"; what is innermost is made plain first.

    >>> plain_latex(r"\underline{$83.1 \pm 0.4$}\,\%"), plain_latex(r"{\bf U\_Net}~\cite{unet}$^\dagger$")
    ('83.1 ±0.4\u2009%', 'U_Net ^{†}')
    """

    def of_command(match: re.Match[str]) -> str:
        """Return what a command prints whose arguments have no braces inside; a switch such as bfseries nothing."""
        name, arguments = match[1], list[str](re.findall(r"\{([^{}]*)\}", match[2]))
        if name in _SPANS and len(arguments) > 2 and re.fullmatch(r"\s*[0-9]{1,3}\s*", arguments[0]):
            return _SPANS[name] + arguments[0].strip() + _SPANS[name] + "".join(arguments[2:])
        return "".join(arguments[2 if name == "begin" else int(_DROPPED.fullmatch(name) is not None) :])

    def raised(match: re.Match[str]) -> str:
        """Return a superscript as "^{…}", with braces that stay; a subscript, and a margin, as they are."""
        inner: str = match[3] if match[2] is None else match[2]
        if match[1] == "_" or inner.startswith("±"):
            return " " * inner.startswith("±") + inner
        return f"{_KEPT['^']}{_KEPT['{']}{inner}{_KEPT['}']}"

    text = re.sub(r"\\([^a-zA-Z])", lambda sign: _SPACES.get(sign[1], _KEPT.get(sign[1], sign[1])), text)
    text = re.sub(r"\\([a-zA-Z]+) *", lambda name: _SIGNS.get(name[1], name[0]), re.sub(r"\$", "", text))
    before, text = "", text.replace("~", " ")
    while before != text:
        before, text = text, _COMMAND.sub(of_command, text)
        text = re.sub(r"([\^_])(?:\{([^{}]*)\}|([^{}\\^_]))", raised, text)
        text = re.sub(r"(?<![\^_])\{([^{}]*)\}", r"\1", text) if before == text else text
    text = re.sub("[{}]", "", text).translate({ord(kept): sign for sign, kept in _KEPT.items()})
    return re.sub(r"[ \n\t]+", " ", text.replace("--", "–")).strip()
