"""Values of canonical ranking scores, for many measures on a grid."""

import numpy as np
from numpy.typing import NDArray

from . import native

Floats = NDArray[np.float64]


def value_maps(mass: Floats, a: Floats, b: Floats, threads: int = 1) -> Floats:
    """Return R_{a,b} of measures (n, 4) at all a and b, (n, len(b), len(a)): S(a)/(S(a) + U(b)), NaN where both vanish.

    >>> value_maps(np.array([[0.56, 0.24, 0.06, 0.14]]), np.array([0.5]), np.array([0.5])).round(12).tolist()
    [[[0.7]]]
    """
    mass, a, b = (np.ascontiguousarray(x, dtype=np.float64) for x in (mass, a, b))
    out = np.empty((len(mass), len(b), len(a)))
    if native.compiled is not None:
        native.compiled.value_maps(mass, a, b, out, threads)
        return out
    gain = (1 - a) * mass[:, :1] + a * mass[:, 3:]
    loss = (1 - b) * mass[:, 1:2] + b * mass[:, 2:3]
    np.add(gain[:, None, :], loss[:, :, None], out=out)
    with np.errstate(invalid="ignore"):
        np.divide(gain[:, None, :], out, out=out)
    return out
