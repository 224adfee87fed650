"""The little reStructuredText that the generated pages need."""

import re
from collections.abc import Iterable, Sequence


def escaped(text: str) -> str:
    r"""Escape what would be markup; what stands between backticks stays literal.

    >>> print(escaped("R_{a,b} is `rankscape rank`, F_β and 2*tp"))
    R\_{a,b} is ``rankscape rank``, F_β and 2\*tp
    """
    parts = re.split(r"`+([^`]+)`+", text)
    return "".join(
        f"``{part}``" if i % 2 else re.sub(r"([*|\\]|_(?!\w))", r"\\\1", part) for i, part in enumerate(parts)
    )


def in_words(text: str) -> str:
    """Return a text of the program as markup: names of options are literal, or -- would become a dash."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    flag = r"(?<![\w-])(--?[a-z][a-z-]*)"
    return escaped("".join(part if number % 2 else re.sub(flag, r"`\1`", part) for number, part in enumerate(parts)))


def title(text: str, line: str = "=") -> str:
    """Return a title with its line."""
    return f"{text}\n{line * len(text)}\n"


def indented(text: str, by: int = 3) -> str:
    """Indent the lines of a text; empty lines stay empty."""
    return "\n".join(" " * by + line if line.strip() else "" for line in text.rstrip("\n").split("\n"))


def block(kind: str, text: str) -> str:
    """Return a block of code."""
    return f".. code-block:: {kind}\n\n{indented(text)}\n"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[int], kind: str = "words") -> str:
    """Return a table of a class of its own; the cells are reStructuredText."""
    lines = [
        ".. list-table::",
        "   :header-rows: 1",
        f"   :class: {kind}",
        f"   :widths: {' '.join(map(str, widths))}",
        "",
    ]
    for row in (header, *rows):
        lines += [f"   {'  - ' if number else '* - '}{cell}".rstrip() for number, cell in enumerate(row)]
    return "\n".join(lines) + "\n"
