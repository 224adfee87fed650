"""Special functions of SciPy, which is loaded when the first one is called, for most commands need none."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..typing import Floats


def ndtr(x: Any) -> Floats:
    """Return the standard normal distribution function."""
    from scipy import special

    return np.asarray(special.ndtr(x))


def ndtri(p: Any) -> Floats:
    """Return the quantiles of the standard normal distribution."""
    from scipy import special

    return np.asarray(special.ndtri(p))


def betaln(a: Any, b: Any) -> Floats:
    """Return the logarithm of the beta function."""
    from scipy import special

    return np.asarray(special.betaln(a, b))
