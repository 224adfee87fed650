"""Docstrings on the pages of the reference: plain text stays plain, and signatures show what a caller types."""

import inspect
import re
from typing import Any

from docutils import nodes

import rankscape

LITERALS = re.compile(r"(``.*?``|:\w+:`.*?`|(?<![\w*^)\]])\*[^\W_][^*\n]*?(?<!\s)\*(?![\w*]))", re.S)
"""What is markup in a docstring: literals, roles and emphasis, also over the end of a line."""


def _escaped(text: str) -> str:
    """Escape what reStructuredText would read as markup: |Ω|, R_{a,b}, a*b."""
    parts = LITERALS.split(text)
    return "".join(
        part if index % 2 else re.sub(r"(?<!\\)([|*]|_(?!\w))", r"\\\1", part) for index, part in enumerate(parts)
    )


def _plain(_app: Any, what: str, name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Escape a docstring, doctests excepted; a constant has a sentence of its own, not the docstring of its class."""
    if what == "data" and name == "rankscape.TWO_CLASS":
        lines[:] = [
            "The sample space of two classes, with the outcomes tn, fp, fn and tp; tn and tp are right.",
            "",
            "It is the space of all performances that have no other one. See :class:`rankscape.SampleSpace`.",
        ]
    text: list[str] = []
    out: list[str] = []
    doctest = False
    for line in [*lines, ">>>"]:
        doctest = line.lstrip().startswith(">>>") or (doctest and bool(line.strip()))
        if not doctest:
            text.append(line)
            continue
        out += _escaped("\n".join(text)).split("\n") if text else []
        text = []
        out.append(line)
    lines[:] = out[:-1]


def _signature(
    _app: Any, what: str, _name: str, thing: Any, _options: Any, arguments: str | None, returns: str | None
) -> tuple[str | None, str | None] | None:
    """Leave out the fields of a result, which its attributes list, and write constants by their values.

    Results are made by functions, not by callers, so nobody needs the order of their fields.
    """
    if arguments is None:
        return None
    doc = inspect.getdoc(thing) or ""
    made = re.search(r"^Attributes\n-+$", doc, re.M) and not re.search(r"^Parameters\n-+$", doc, re.M)
    if what == "class" and (made or getattr(thing, "_is_protocol", False)):
        return "", returns
    known = getattr(inspect.unwrap(thing), "__globals__", {})

    def value(match: re.Match[str]) -> str:
        constant = known.get(match[1])
        return f"={constant!r}" if isinstance(constant, int | float | str) else match[0]

    arguments = arguments.replace(repr(rankscape.TWO_CLASS), "TWO_CLASS").replace("<factory>", "{}")
    return re.sub(r"=([A-Z][A-Z_]+)\b", value, arguments), returns


def _short_aliases(_app: Any, tree: nodes.document) -> None:
    """Remove what an alias stands for where that is the inside of NumPy; its description says what it takes."""
    for line in list(tree.findall(nodes.paragraph)):
        if line.astext().startswith("alias of ") and "_SupportsArray" in line.astext():
            line.parent.remove(line)


def setup(app: Any) -> dict[str, bool]:
    """Read docstrings as plain text, and shorten signatures."""
    app.connect("autodoc-process-docstring", _plain, priority=100)
    app.connect("autodoc-process-signature", _signature)
    app.connect("doctree-read", _short_aliases)
    return {"parallel_read_safe": True}
