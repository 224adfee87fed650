"""Reports: tables and numbers as text, for a terminal, a spreadsheet, a program or a paper; and the ranking card."""

from .card import Card, report
from .render import (
    FORMATS,
    PAGE,
    cell_text,
    decimals,
    in_words,
    latex_escaped,
    markdown_escaped,
    render,
    to_json,
    wrapped,
)

__all__ = [
    "FORMATS",
    "PAGE",
    "Card",
    "cell_text",
    "decimals",
    "in_words",
    "latex_escaped",
    "markdown_escaped",
    "render",
    "report",
    "to_json",
    "wrapped",
]
