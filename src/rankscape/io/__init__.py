"""The way in: tables and data frames, of counts or of predictions, become Performances."""

from ..gathered import gather

__all__ = gather(__name__)
