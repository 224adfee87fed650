"""The compiled kernels, where they were built; None where numpy stands in for them.

``RANKSCAPE_NATIVE=0`` in the environment asks for numpy.
"""

import os
from typing import Any

compiled: Any = None
if os.environ.get("RANKSCAPE_NATIVE", "1") != "0":
    try:
        from . import _native as compiled  # type: ignore[no-redef,attr-defined,unused-ignore]
    except ImportError:  # built without a compiler
        compiled = None
