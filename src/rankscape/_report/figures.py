"""Figures as files: the same bytes for the same figure."""

import base64
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

DPI = 200
_NO_DATE = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}  # equal inputs, equal files


@dataclass(frozen=True)
class Drawing:
    """A figure of a section: its name, its caption, and what draws it in a look and returns its axes."""

    name: str
    caption: str
    draw: Callable[..., Any]

    def drawn(self, kind: str) -> "Figure":
        """Return the figure as a file, as wide as a column; its caption is what the figure itself would note."""
        captions: list[str] = []

        def draw() -> Any:
            figure = self.draw(style="paper", title=None).figure
            captions.append(figure.caption or self.caption)
            return figure

        image = content(draw, kind, outlined=kind == "svg")
        return Figure(f"{self.name}.{kind}", captions[0], image)


@dataclass(frozen=True)
class Figure:
    """A figure as a file: the name of the file, a caption, what the file holds, and where a page finds it."""

    file: str
    caption: str
    content: bytes
    address: str = ""

    @property
    def inline(self) -> str:
        """The address of an SVG that a page holds itself."""
        return f"data:image/svg+xml;base64,{base64.b64encode(self.content).decode()}"


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
