"""Figures as files: the same bytes for the same figure."""

import warnings
from collections.abc import Callable
from io import BytesIO
from typing import Any

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
        around = None if getattr(figure, "cut", False) else "tight"
        figure.savefig(buffer, format=kind, dpi=DPI, bbox_inches=around, metadata=_NO_DATE[kind])
        plt.close(figure)
    return buffer.getvalue()
