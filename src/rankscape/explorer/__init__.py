"""The explorer: one self-contained HTML page, and the same as a widget in notebooks."""

from .build import explore

__all__ = ["explore"]
