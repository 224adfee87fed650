"""Reports: tables and numbers as text, for a terminal, a spreadsheet, a program or a paper."""

import json
import math
import re
import textwrap
from collections.abc import Collection, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from typing import Any

from ..errors import not_among
from ..results import Table, undefined
from ..texts import WIDEST, columns, inside, padded, shortened, visible

FORMATS = ("table", "csv", "json", "latex", "markdown")
"""What :func:`render` writes."""

PAGE = 100
"""How many characters a line of prose has in a terminal, at most."""

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "{''}",
    "`": r"\textasciigrave{}",
    "[": "{[}",  # an optional argument at the start of a row
    "]": "{]}",
    "½": r"$\frac12$",
    "…": r"\ldots{}",
    "—": r"\textemdash{}",
    "–": r"\textendash{}",
    "−": "$-$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "≠": r"$\neq$",
    "∞": r"$\infty$",
    "€": r"\texteuro{}",
    "₊": "$_+$",
    "₋": "$_-$",
    "β": r"$\beta$",
    "θ": r"$\theta$",
    "κ": r"$\kappa$",
    "λ": r"$\lambda$",
    "π": r"$\pi$",
    "τ": r"$\tau$",
    "✓": r"$+$",
    "○": r"$\circ$",
    "✗": r"$\times$",
    "†": r"$^\dagger$",
    "↓": r"$\downarrow$",
    "′": "$'$",
    **{sign: f"\\{sign}" for sign in "{}$&#_%"},
}


_IN_NUMBER = re.compile(r"(?<=\d) (?=\d{3}\b|%)")
"""The space before three digits of a number or before its percent sign, at which no line ends."""

_IN_NUMBER_KEPT = re.compile(r"(?<=\d)\N{NO-BREAK SPACE}(?=\d{3}\b|%)")


def render(
    table: Table,
    format: str = "table",
    *,
    title: str = "",
    summary: str = "",
    right: Collection[str] | None = None,
    width: int = PAGE,
) -> str:
    r"""Return a table as text that ends with a newline: "table", "csv", "json", "latex" or "markdown".

    ``title`` and ``summary`` surround it where the format has a place for prose (LaTeX: in comments). ``right`` names
    the columns to be aligned to the right, by default those of numbers. Names are escaped as the format asks; in the
    format "table" prose is wrapped at ``width``.

    >>> render(Table({"entity": ["a|b"], "value": [0.5]}), "markdown").splitlines()[-1]
    '| a\\|b | 0.5 |'
    """
    if format not in FORMATS:
        raise not_among("format", format, FORMATS)
    if format == "csv":
        return table.to_csv()
    if format == "json":
        return to_json(records(table))
    numeric = [all(isinstance(cell, (int, float)) or cell is None for cell in table[name]) for name in table.columns]
    rights = numeric if right is None else [name in right for name in table.columns]
    writer = {"table": _as_text, "latex": _as_latex, "markdown": _as_markdown}[format]
    parts = [_prose(title, format, width), writer(table, rights), _prose(summary, format, width)]
    return "\n\n".join(filter(None, parts)) + "\n"


def records(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table as mappings of column names to cells."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows()]


def _prose(text: str, format: str, width: int) -> str:
    lines = text.splitlines()
    if format == "latex":
        return "\n".join(f"% {line}" for line in lines)
    return "  \n".join(map(markdown_escaped, lines)) if format == "markdown" else wrapped(text, width)


def wrapped(text: str, width: int = PAGE, indent: int = 2) -> str:
    """Return text with lines of at most ``width`` characters, continued ones indented; long words stay whole."""
    lines = (
        textwrap.wrap(line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
        for line in _IN_NUMBER.sub("\N{NO-BREAK SPACE}", text).splitlines()
    )
    return _IN_NUMBER_KEPT.sub(" ", "\n".join("\n".join(line) for line in lines))


def cell_text(cell: Any) -> str:
    r"""Return a cell as text on one line: undefined is empty, floats are short, control characters are escaped.

    >>> cell_text(float("nan")), cell_text(0.30000000000000004), cell_text("a\nb")
    ('', '0.3', 'a\\nb')
    """
    if undefined(cell):
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else visible(str(cell))


def _as_text(table: Table, rights: Sequence[bool]) -> str:
    rows = [table.columns, *([shortened(cell_text(cell), 10 * WIDEST) for cell in row] for row in table.rows())]
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        return "  ".join(map(padded, cells, widths, rights)).rstrip()

    return "\n".join(map(line, rows))


def _as_latex(table: Table, rights: Sequence[bool]) -> str:
    def line(cells: Sequence[Any]) -> str:
        return " & ".join(latex_escaped(cell_text(cell)) for cell in cells) + r" \\"

    columns = "".join("r" if right else "l" for right in rights)
    head = [r"\begin{tabular}{" + columns + "}", r"\toprule", line(table.columns), r"\midrule"]
    return "\n".join([*head, *map(line, table.rows()), r"\bottomrule", r"\end{tabular}"])


def _as_markdown(table: Table, rights: Sequence[bool]) -> str:
    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cells)} |"

    body = [line([markdown_escaped(cell_text(cell)) for cell in row]) for row in table.rows()]
    head = line([markdown_escaped(name) for name in table.columns])
    return "\n".join([head, line(["--:" if right else "---" for right in rights]), *body])


def to_json(value: Any) -> str:
    r"""Return valid JSON, indented: NaN and infinity become null, fractions numbers.

    >>> to_json({"value": float("nan")})
    '{\n  "value": null\n}\n'
    """
    return json.dumps(_plain(value), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def latex_escaped(text: str) -> str:
    r"""Return text that LaTeX prints as it is.

    >>> latex_escaped("50%_of #1")
    '50\\%\\_of \\#1'
    """
    return "".join(_LATEX.get(character, character) for character in text).replace("--", "-{}-")


def markdown_escaped(text: str) -> str:
    r"""Return text that Markdown, also inside a table, prints as it is; HTML and links stay text.

    >>> markdown_escaped("a|b <i>")
    'a\\|b \\<i\\>'
    """
    return re.sub(r"([\\`*_\[\]<>|~&$#])", r"\\\1", text)


def in_words(importance: Sequence[Any]) -> str:
    """Say what an importance (tn, fp, fn, tp) means, as rates of exchange.

    >>> in_words([1, 1, 2, 4])
    'a miss counts as 2 false alarms; a detection as 4 correct rejections'
    >>> in_words([0, 1, 1, 2])
    'a miss counts as a false alarm; correct rejections do not count'
    """
    tn, fp, fn, tp = (Fraction(weight) for weight in importance)
    errors = _exchange(fn, fp, ("miss", "misses"), ("false alarm", "false alarms"))
    successes = _exchange(tp, tn, ("detection", "detections"), ("correct rejection", "correct rejections"))
    return f"{errors}; {successes.replace(' counts as ', ' as ') if ' counts as ' in errors else successes}"


def _exchange(left: Fraction, right: Fraction, one: tuple[str, str], other: tuple[str, str]) -> str:
    if left < right:
        left, right, one, other = right, left, other, one
    if left == 0:
        return f"neither {one[1]} nor {other[1]} count"
    if right == 0:
        return f"{other[1]} do not count"
    return f"a {one[0]} counts as {f'a {other[0]}' if left == right else f'{float(left / right):.3g} {other[1]}'}"


def decimals(values: Sequence[float], fewest: int = 4, most: int = 8) -> list[str]:
    """Return numbers as text with as many decimals as tell different ones apart, and from 0; undefined ones are a dash.

    >>> decimals([0.5, 0.25, float("nan")]), decimals([0.123456, 0.123457]), decimals([0.000012])
    (['0.5000', '0.2500', '—'], ['0.123456', '0.123457'], ['0.00001'])
    """
    known = [value for value in values if not undefined(value)]
    apart = {0.0, *(value for value in known if abs(value) > 10.0**-most)}
    large = any(abs(value) >= 1e4 for value in known)
    for digits in range(fewest, most + 1):
        style = f".{digits + 4}g" if large else f".{digits}f"
        texts = {format(value, style) for value in known}
        if len(texts) == len(set(known)) and len({float(format(value, style)) for value in apart}) == len(apart):
            break
    return ["—" if undefined(value) else format(value, style) for value in values]


def share_text(share: float) -> str:
    """Return a share of positives with four digits, or with as many as keep it off 1.

    >>> share_text(0.25), share_text(0.99996)
    ('0.25', '0.99996')
    """
    text = f"{share:.4g}"
    return inside(share) if text == "1" else text


def interval(low: float, high: float, fewest: int = 3, most: int = 8, *, outward: bool = False) -> str:
    """Return an interval as text, with as many decimals as make it five units of the last one wide at least.

    The ends are rounded to the nearest, or ``outward``, so that what is printed holds the interval.

    >>> (
    ...     interval(0.75, 0.8712),
    ...     interval(0.00346, 0.00381),
    ...     interval(1.0, 1.0),
    ...     interval(float("nan"), 1.0),
    ...     interval(0.7509, 0.8712, outward=True),
    ... )
    ('0.750 to 0.871', '0.00346 to 0.00381', '1.000 to 1.000', '—', '0.750 to 0.872')
    """
    digits = fewest
    if not (undefined(low) or undefined(high)):
        enough = [n for n in range(fewest, most) if (high - low) * 10**n >= 5 or low == high == round(low, n)]
        digits = enough[0] if enough else most
    if outward and math.isfinite(low) and math.isfinite(high):
        large = max(abs(low), abs(high)) >= 1e4
        low, high = _cut(low, digits, ROUND_FLOOR, large), _cut(high, digits, ROUND_CEILING, large)
    ends = decimals([low, high], digits, digits)
    return "—" if "—" in ends else " to ".join(ends)


def _cut(x: float, digits: int, rounding: str, large: bool) -> float:
    """Return a number rounded down or up to the digits that :func:`decimals` prints."""
    exact = Decimal(repr(float(x)))
    return float(exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits - 3 if large else -digits), rounding))
