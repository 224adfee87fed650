"""The explorer: one self-contained HTML page, and the same as a widget in notebooks."""

from ..gathered import gather

__all__ = gather(__name__, frozenset({"banded", "page_of"}))
