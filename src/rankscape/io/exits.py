"""Cleaning up when Python ends, so that no library writes a warning after the last line of a script."""

import atexit
import sys
from functools import cache

_CACHED = type(cache(int))


def release_engines() -> None:
    """Empty the caches of narwhals: in them it keeps DuckDB's types, and DuckDB reports what outlives it as leaked.

    >>> release_engines()
    """
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "narwhals":
            for thing in list(vars(module).values()):
                if isinstance(thing, _CACHED):
                    thing.cache_clear()


atexit.register(release_engines)
