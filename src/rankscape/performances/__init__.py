"""The central noun: probability measures over outcomes, many at once, with the counts they come from."""

from .measures import concat
from .pairing import Joint, Shared, Units, kinds_of, shared_of, weighed
from .performances import Performances

__all__ = ["Joint", "Performances", "Shared", "Units", "concat", "kinds_of", "shared_of", "weighed"]
