"""The central noun: probability measures over outcomes, many at once, with the counts they come from."""

from .measures import concat
from .performances import Performances

__all__ = ["Performances", "concat"]
