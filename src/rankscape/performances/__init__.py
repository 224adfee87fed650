"""The central noun: probability measures over outcomes, many at once, with the counts they come from."""

from .performances import Performances, concat

__all__ = ["Performances", "concat"]
