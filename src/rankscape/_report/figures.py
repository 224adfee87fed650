"""Figures as files: the same bytes for the same figure."""

import re
import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

FIGURES = ("png", "svg", "pdf")
DPI = 200
_NO_DATE = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}  # equal inputs, equal files


def content(draw: Callable[[], Any], kind: str) -> bytes:
    """Return what a function draws, a figure, as the content of a file; ``kind`` is png, svg or pdf."""
    import matplotlib

    matplotlib.use("Agg")  # files only; the machine may have no screen
    import matplotlib.pyplot as plt

    buffer = BytesIO()
    with warnings.catch_warnings(), plt.rc_context({"svg.hashsalt": "rankscape"}):
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # a name in a script that the font lacks
        figure = draw()
        figure.savefig(buffer, format=kind, dpi=DPI, bbox_inches="tight", metadata=_NO_DATE[kind])
        plt.close(figure)
    return buffer.getvalue()


def figures_folder(path: Path) -> Path:
    """Return the folder of the figures of a report that is no HTML page."""
    stem = re.sub(r"[^\w.-]+", "-", path.stem, flags=re.ASCII) if path.suffix.lower() == ".tex" else path.stem
    return path.with_name(f"{stem}_figures")  # LaTeX does not take a % or # in it
