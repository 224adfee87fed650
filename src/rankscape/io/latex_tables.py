"""Tables of LaTeX: tabular and its kin, by braces; commands that only change the looks are dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .markup import PrintedTable, Span, refuse_long

_ENDS = re.compile(r"\\(begin|end)\s*\{(tabular\*?|tabularx|tabulary|longtable|tblr|array)\}")
_WITH_WIDTH = ("tabular*", "tabularx", "tabulary")
_RULES = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|cmidrule|cline|addlinespace|specialrule|endhead|endfirsthead|endfoot"
    r"|endlastfoot|morecmidrules|noalign|rowcolor|hdashline|Xhline)\b(?:\s*\[[^\]]*\]|\s*\([^)]*\)|\s*\{[^{}]*\})*"
)
_BELOW_HEADERS = re.compile(r"\\(?:midrule|hline|endhead|endfirsthead)\b")
_DROPPED = {
    *(
        "footnote",
        "footnotemark",
        "footnotetext",
        "tnote",
        "cite",
        "citep",
        "citet",
        "citealp",
        "ref",
        "label",
        "hspace",
    ),
    *(
        "cellcolor",
        "rowcolor",
        "color",
        "vspace",
        "rule",
        "phantom",
        "hphantom",
        "vphantom",
        "arraycolsep",
        "rotatebox",
    ),
}
"""Commands that go with their first argument."""

_OF_SECOND = {"textcolor", "colorbox", "rotatebox", "scalebox", "raisebox", "href", "SI", "qty"}
_SIGNS = {
    **{"pm": "±", "dagger": "†", "ddagger": "‡", "dag": "†", "ddag": "‡", "ast": "*", "star": "⋆", "S": "§", "P": "¶"},
    **{"times": "×", "cdot": "·", "uparrow": "↑", "downarrow": "↓", "textendash": "–", "textemdash": "—", "alpha": "α"},
    **{
        "beta": "β",
        "gamma": "γ",
        "delta": "δ",
        "lambda": "λ",
        "kappa": "κ",
        "mu": "μ",
        "sigma": "σ",
        "textasteriskcentered": "*",
    },
    **{"textbar": "|", "textbackslash": "\\", "ldots": "…", "dots": "…", "percent": "%", "textpm": "±", "sim": "~"},
}
_COMMAND = re.compile(r"\\([a-zA-Z]+)\*?\s*((?:\[[^\]]*\])*)")


def tables_in(text: str) -> list[PrintedTable]:
    r"""Return the tables in a text of LaTeX.

    >>> table = tables_in(
    ...     r"\begin{tabular}{lr} a & b \\ \midrule \textbf{1\,234} & 2 \% \\ \end{tabular}"
    ... )[0]
    >>> [[cell.text for cell in row] for row in table.rows], table.n_headers
    ([['a', 'b'], ['1\u2009234', '2 %']], 1)
    """
    text = re.sub(r"(?<!\\)((?:\\\\)*)%.*", r"\1", text)  # comments
    return [table for name, begin, end in _environments(text) if (table := _table(text, name, begin, end)).rows]


def _environments(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the name of each outermost environment of a table, and where its content starts and ends."""
    open_ones: dict[str, list[re.Match[str]]] = {}
    environments = list[tuple[int, int, str, int, int]]()
    for mark in _ENDS.finditer(text):
        marks = open_ones.setdefault(mark[2], [])
        if mark[1] == "begin":
            marks.append(mark)
        elif marks:
            begin = marks.pop()
            environments.append((begin.start(), mark.end(), mark[2], begin.end(), mark.start()))
    position = 0
    for start, behind, name, begins, ends in sorted(environments):
        if start >= position:
            yield name, begins, ends
            position = behind


def _table(text: str, name: str, begin: int, end: int) -> PrintedTable:
    content, start = text[begin:end], 0
    for _ in range(2 if name in _WITH_WIDTH else 1):
        start = re.compile(r"\s*(\[[^\]]*\])?\s*").match(content, start).end()  # type: ignore[union-attr]
        start = _after_braces(content, start)
    rows, lines, n_headers = list[list[Span]](), list[int](), 0
    counted, line = 0, 0
    for offset, piece in _split(content[start:], r"\\\\(?:\s*\[[^\]]*\])?|\\tabularnewline\b"):
        if rows and not n_headers and _BELOW_HEADERS.search(piece):
            n_headers = len(rows)
        bare = _RULES.sub(lambda rule: "\n" * rule[0].count("\n"), piece)
        if bare.strip():
            above = begin + start + offset
            counted, line = above, line + text.count("\n", counted, above)
            lines.append(line + bare[: len(bare) - len(bare.lstrip())].count("\n") + 1)
            rows.append([_span(cell) for _, cell in _split(bare, "&")])
    if rows and not n_headers:
        n_headers = 1
    rows = _without_gaps(rows)
    return PrintedTable(rows, lines, n_headers if n_headers < len(rows) else 1)


def _without_gaps(rows: list[list[Span]]) -> list[list[Span]]:
    """Return rows without the places that LaTeX leaves empty below a cell of several rows."""
    below: dict[int, int] = {}  # by column: how many rows are left
    out = []
    for row in rows:
        column, kept = 0, list[Span]()
        for span in row:
            left = below.pop(column, 0)
            if left and not span.text:
                below |= {column: left - 1} if left > 1 else {}
            else:
                kept.append(span)
                below |= {column + i: span.rows - 1 for i in range(span.columns) if span.rows > 1}
            column += span.columns
        out.append(kept)
    return out


def _split(text: str, separator: str) -> list[tuple[int, str]]:
    """Return the parts of a text between separators outside braces and inner environments, each with its offset."""
    parts, depth, begin, i = list[tuple[int, str]](), 0, 0, 0
    pattern = re.compile(separator)
    while i < len(text):
        match = pattern.match(text, i) if not depth else None
        if match:
            parts.append((begin, text[begin:i]))
            begin = i = match.end()
        elif text.startswith("\\begin", i):
            depth, i = depth + 1, i + len("\\begin")
        elif text.startswith("\\end", i) and not text[i + 4 : i + 5].isalpha():
            depth, i = max(depth - 1, 0), i + len("\\end")
        elif text[i] == "\\":
            i += 2
        else:
            depth = max(depth + {"{": 1, "}": -1}.get(text[i], 0), 0)
            i += 1
    return [*parts, (begin, text[begin:])]


def _after_braces(text: str, start: int) -> int:
    """Return the position after the braces that open at a position; the position itself where none do."""
    if not text.startswith("{", start):
        return start
    depth, i = 0, start
    while i < len(text):
        if text[i] == "\\":
            i += 2
            continue
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        i += 1
        if not depth:
            return i
    return len(text)


def _arguments(text: str, start: int, n: int) -> tuple[list[str], int]:
    """Return up to n arguments in braces from a position on, and where they end."""
    arguments = []
    for _ in range(n):
        begin = start
        while begin < len(text) and text[begin].isspace():
            begin += 1
        end = _after_braces(text, begin)
        if end == begin:
            break
        arguments.append(text[begin + 1 : end - 1])
        start = end
    return arguments, start


def _span(cell: str) -> Span:
    """Return a cell, with the columns and rows that it spans."""
    refuse_long(cell)
    text, columns, rows = cell.strip(), 1, 1
    while match := re.match(r"\\multi(column|row)\s*(\[[^\]]*\])?", text):
        arguments, end = _arguments(text, match.end(), 3)
        if len(arguments) < 3:
            star = re.match(r"\s*\{([0-9]+)\}\s*\*\s*", text[match.end() :])  # \multirow{2}*{text}
            if star is None:
                break
            inner, end = _arguments(text, match.end() + star.end(), 1)
            arguments = [star[1], "*", *inner]
        number = int(arguments[0]) if re.fullmatch(r"[0-9]{1,3}", arguments[0].strip()) else 1
        columns, rows = (max(number, 1), rows) if match[1] == "column" else (columns, max(number, 1))
        text = (arguments[2] + text[end:]).strip()
    return Span(plain_latex(text), columns, rows)


def plain_latex(text: str) -> str:
    r"""Return a text of LaTeX as plain text, superscripts as "^{…}".

    >>> plain_latex(r"\underline{$83.1 \pm 0.4$}\,\%"), plain_latex(r"{\bf U\_Net}~\cite{unet}$^\dagger$")
    ('83.1 ±0.4\u2009%', 'U_Net ^{†}')
    """
    out, i = list[str](), 0
    while i < len(text):
        character = text[i]
        if character == "\\":
            piece, i = _command(text, i)
            out.append(piece)
        elif character == "{":
            end = _after_braces(text, i)
            out.append(plain_latex(text[i + 1 : end - 1]))
            i = end
        elif character in "^_":
            piece, i = _raised(text, i)
            out.append(piece)
        else:
            out.append({"$": "", "}": "", "~": " "}.get(character, character))
            i += 1
    return re.sub(r"[ \n\t]+", " ", "".join(out).replace("--", "–")).strip()


def _command(text: str, start: int) -> tuple[str, int]:
    """Return what a command prints, and where it ends."""
    match = _COMMAND.match(text, start)
    if match is None:
        sign = text[start + 1 : start + 2]
        return {",": "\N{THIN SPACE}", ";": " ", ":": " ", "!": "", "(": "", ")": "", "\\": " "}.get(
            sign, sign
        ), start + 2
    name, i = match[1], match.end()
    if name in ("textsuperscript", "textsubscript"):
        arguments, i = _arguments(text, i, 1)
        inner = plain_latex("".join(arguments))
        return (f"^{{{inner}}}" if name == "textsuperscript" else inner), i
    if name in _SIGNS:
        return _SIGNS[name], i
    if name in ("begin", "end"):
        _, i = _arguments(text, i, 2 if name == "begin" else 1)
        return " ", i
    if name in _OF_SECOND:
        arguments, i = _arguments(text, i, 2)
        chosen = arguments[:1] if name in ("SI", "qty") else arguments[-1:]
        unit = "%" if name in ("SI", "qty") and "percent" in "".join(arguments[1:]) else ""
        return plain_latex("".join(chosen)) + unit, i
    if name in _DROPPED:
        _, i = _arguments(text, i, 1)
        return "", i
    arguments, i = _arguments(text, i, 1)  # of \textbf, \num, \makecell, …; a switch such as \bfseries has none
    return plain_latex("".join(arguments)), i


def _raised(text: str, start: int) -> tuple[str, int]:
    """Return a superscript as "^{…}", a subscript as it is, and where it ends."""
    if text.startswith("{", start + 1):
        end = _after_braces(text, start + 1)
        inner = plain_latex(text[start + 2 : end - 1])
    elif text.startswith("\\", start + 1):
        inner, end = _command(text, start + 1)
    else:
        inner, end = text[start + 1 : start + 2], start + 2
    raised = text[start] == "^" and not inner.startswith("±")
    return (f"^{{{inner}}}" if raised else f" {inner}" if inner.startswith("±") else inner), end
