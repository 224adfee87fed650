"""The explorer: one self-contained HTML page, and the same as a widget in notebooks."""

from .explore import explore

__all__ = ["explore"]
