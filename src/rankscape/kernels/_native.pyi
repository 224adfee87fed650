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
def line_order(
    integers: NDArray[np.int64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    ratio: float,
    small: bool,
    up_high: int,
    up_low: int,
    down_high: int,
    down_low: int,
    after: bool,
    out: NDArray[np.int64],
) -> None: ...
def crossing_places(
    integers: NDArray[np.int64], i: NDArray[np.int64], j: NDArray[np.int64], out: NDArray[np.float64]
) -> None: ...
def inverted_pairs(values: NDArray[np.int64], larger: NDArray[np.int64], smaller: NDArray[np.int64]) -> None: ...
