import numpy as np
from numpy.typing import NDArray

def inversions(values: NDArray[np.int64]) -> int: ...
def correlation_rows(
    integers: NDArray[np.int64],
    levels: NDArray[np.int64],
    resolution: int,
    start: int,
    stop: int,
    threads: int,
    spearman: bool,
    out: NDArray[np.int64],
) -> None: ...
def rank_rows(
    mass: NDArray[np.float64],
    sizes: NDArray[np.int64],
    rank: int,
    inverted: bool,
    resolution: int,
    rounding: float,
    start: int,
    stop: int,
    threads: int,
    at: NDArray[np.int64],
    close: NDArray[np.bool_],
) -> None: ...
def value_maps(
    gain: NDArray[np.float64], loss: NDArray[np.float64], threads: int, out: NDArray[np.float64]
) -> None: ...
