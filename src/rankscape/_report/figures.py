"""Figures as files: the same bytes for the same figure."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

DPI = 200
_NO_DATE = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}  # equal inputs, equal files


@dataclass(frozen=True)
class Figure:
    """A figure: what it is called, its section, its caption, its content as a file, and where a page finds it."""

    name: str
    section: str
    caption: str
    kind: str
    content: bytes
    address: str = ""

    @property
    def file(self) -> str:
        """The name of the file."""
        return f"{self.name}.{self.kind}"


def content(draw: Callable[[], Any], kind: str, *, outlined: bool = False) -> bytes:
    """Return what a function draws, a figure, as the content of a file; ``kind`` is png, svg or pdf.

    ``outlined`` text looks alike on machines that lack the font.
    """
    import matplotlib

    matplotlib.use("Agg")  # files only; the machine may have no screen
    import matplotlib.pyplot as plt

    buffer = BytesIO()
    with warnings.catch_warnings(), plt.rc_context({"svg.hashsalt": "rankscape"}):
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # a name in a script that the font lacks
        figure = draw()
        if outlined:
            figure.outlined = True
        around = None if getattr(figure, "cut", False) else "tight"
        figure.savefig(buffer, format=kind, dpi=DPI, bbox_inches=around, metadata=_NO_DATE[kind])
        plt.close(figure)
    return buffer.getvalue()
