"""The central noun: probability measures over outcomes, many at once, with the counts they come from."""

from .pairing import Joint, Shared, Units, kinds_of, shared_of, weighed
from .performances import Performances, as_performances, concat

__all__ = ["Joint", "Performances", "Shared", "Units", "as_performances", "concat", "kinds_of", "shared_of", "weighed"]
