"""The way in: tables and data frames, of counts or of predictions, become Performances."""

from .accumulator import Accumulator
from .counting import IncompleteDataWarning, count, tally
from .reading import as_performances, read

__all__ = ["Accumulator", "IncompleteDataWarning", "as_performances", "count", "read", "tally"]
