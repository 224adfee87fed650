"""Which kernels run: the compiled ones, or, where there are none or RANKSCAPE_NATIVE=0 is set, the NumPy reference."""

import os
from types import ModuleType

SWITCH = "RANKSCAPE_NATIVE"


def load() -> ModuleType | None:
    """Return the compiled extension, or None where the twins are to run.

    >>> load() is None or callable(load().inversions)
    True
    """
    if os.environ.get(SWITCH) == "0":
        return None
    try:
        from . import _native
    except ImportError:
        return None
    return _native
