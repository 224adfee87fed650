"""Arithmetic of floats that gives the same bits on every machine: sums, eliminations, logarithms, exponentials.

BLAS and LAPACK add in an order that depends on the processor and the number of threads, and logarithms and exponentials
of NumPy and of C libraries differ in the last bit. So what is stored, compared or printed is made of what is rounded in
one way only, +, −, ×, ÷, √ and powers of two, each in one order.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats

LN2 = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""log 2 in two parts; the first times an exponent is exact."""

OF_LOG = (
    6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
    1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
)  # fmt: skip
"""Of the polynomial in s² = (f/(2 + f))² by which fdlibm has log(1 + f), within 2⁻⁵⁸."""

OF_EXP = (
    1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05, -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)  # fmt: skip
"""Of the polynomial in r² by which fdlibm has r·(exp(r) + 1)/(exp(r) − 1), within 2⁻⁵⁹."""

IN_CACHE, IN_BLOCK = 2**14, 2**21
"""How many numbers are gone through at once, and how many of a large matrix."""


def products(left: Any, right: Any) -> Floats:
    """Return left @ right of floats, (…, k, n) by (…, n, m), each sum in one order.

    >>> products(
    ...     np.array([[0.5, 0.25, 0.25]]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    ... ).tolist()
    [[0.75, 0.5]]
    """
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    stack = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    out = np.empty((*stack, left.shape[-2], right.shape[-1]))
    for row in range(left.shape[-2]):  # so that at most one row's terms are held
        out[..., row, :] = np.multiply(left[..., row, :, None], right, order="C").sum(axis=-2)
    return out


def large_products(left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
    """Return left @ right of large matrices, (k, n) by (n, m), by BLAS, whose sums are exact here, in whatever order.

    Those of integers, for which there is no BLAS, are exact as they are.

    Rows and columns are split into parts of so few bits that no sum of n products is rounded. Relative to the largest
    of a row times the largest of a column, what is left out is below n/2³⁸ of a term for n up to 2¹⁴, and a part of the
    rounding of floats where the right matrix consists of 0 and 1.

    >>> large_products(np.array([[0.1, 0.2]]), np.array([[1.0, 0.0], [1.0, 1.0]])).round(15).tolist()
    [[0.3, 0.2]]
    """
    if "f" not in left.dtype.kind + right.dtype.kind:
        return np.asarray(left @ right)
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    room = 53 - right.shape[0].bit_length()
    flags = bool(((right == 0) | (right == 1)).all())
    high, low = (right, None) if flags else _parts(right, room // 2, axis=0)
    out = np.empty((left.shape[0], right.shape[1]))
    step = max(1, IN_BLOCK // max(1, right.shape[0]))
    for start in range(0, len(left), step):
        first, second = _parts(left[start : start + step], room - 1 if flags else room // 2, axis=1)
        rest = second @ high if low is None else second @ high + first @ low
        out[start : start + step] = first @ high + rest
    return out


def squares(values: Floats) -> Floats:
    """Return valuesᵀ @ values of (m, n), as :func:`large_products` has them.

    >>> squares(np.array([[1.0, 2.0], [3.0, 6.0]])).tolist()
    [[10.0, 20.0], [20.0, 40.0]]
    """
    step = max(1, IN_BLOCK // max(1, values.shape[1]))
    blocks = (values[start : start + step] for start in range(0, len(values), step))
    return sum((large_products(block.T, block) for block in blocks), np.zeros((values.shape[1],) * 2))


def covariances(values: Floats) -> Floats:
    """Return the covariances of the columns of values (m, n).

    >>> covariances(np.array([[1.0, 2.0], [3.0, 6.0]])).tolist()
    [[2.0, 4.0], [4.0, 8.0]]
    """
    return squares(values - values.mean(axis=0)) / (len(values) - 1)


def _parts(values: Floats, bits: int, axis: int) -> tuple[Floats, Floats]:
    """Return two parts of values, so many bits each, below the largest along an axis; their sum is nearly the values.

    What is added and taken away again leaves a multiple of its own last bit.
    """
    ends = values.max(axis=axis, keepdims=True, initial=0.0), values.min(axis=axis, keepdims=True, initial=0.0)
    _, exponent = np.frexp(np.maximum(ends[0], -ends[1]))
    high = values + (first := np.ldexp(1.5, exponent + (52 - bits)))
    high -= first
    low = values - high
    low += (second := np.ldexp(1.5, exponent + (52 - 2 * bits)))
    low -= second
    return high, low


def solved(matrix: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Return the solutions x of matrix·x = right, (…, n, m), and the logarithms of the determinants.

    The matrices (…, n, n) are symmetric and positive definite, so that Gauss and Jordan's elimination needs no search
    for pivots.

    >>> x, log_determinant = solved(np.array([[4.0, 2.0], [2.0, 5.0]]), np.array([[8.0], [12.0]]))
    >>> x.tolist(), round(float(log_determinant), 12) == round(float(np.log(16)), 12)
    ([[1.0], [2.0]], True)
    """
    n = matrix.shape[-1]
    if matrix.ndim > 2 and len(matrix) > 1 and matrix.size > IN_BLOCK:
        first, second = (solved(half, right) for half in np.array_split(matrix, 2))
        return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])
    right = np.broadcast_to(right, (*matrix.shape[:-2], *right.shape[-2:]))
    table = np.concatenate([matrix, right], axis=-1)
    pivots = np.empty(matrix.shape[:-1])
    for i in range(n):
        pivots[..., i] = table[..., i, i]
        row = table[..., i, i + 1 :] / pivots[..., i, None]
        table[..., i + 1 :] -= table[..., :, i, None] * row[..., None, :]
        table[..., i, i + 1 :] = row
    return table[..., n:], logs(pivots).sum(axis=-1)


def root(matrix: Floats) -> Floats:
    """Return a lower triangle L with L·Lᵀ = matrix, (n, n), symmetric and positive semidefinite; equal rows stay equal.

    >>> root(np.array([[4.0, 2.0], [2.0, 5.0]])).tolist(), root(np.full((2, 2), 0.09)).tolist()
    ([[2.0, 0.0], [1.0, 2.0]], [[0.3, 0.0], [0.3, 0.0]])
    """
    rest, lower = matrix.copy(), np.zeros_like(matrix)
    for i, row in enumerate(rest):
        if row[i] > 0:
            lower[i:, i] = rest[i:, i] / row[i] * np.sqrt(row[i])
            rest[i:, i:] -= (rest[i:, i] / row[i])[:, None] * row[i:].copy()
    return lower


def logs(x: Any) -> Floats:
    """Return natural logarithms, as fdlibm has them: −∞ of 0, and NaN of less.

    >>> logs([1, 2, 0, np.inf, -1]).tolist()
    [0.0, 0.6931471805599453, -inf, inf, nan]
    """
    return _in_parts(_logs, x)


def logs1p(x: Any) -> Floats:
    """Return the logarithms of 1 + x, exact in the last bits for small x, too.

    >>> logs1p([1e-20, 1, -1]).tolist()
    [1e-20, 0.6931471805599453, -inf]
    """
    x = np.asarray(x, dtype=np.float64)
    whole = 1 + x
    with np.errstate(invalid="ignore", divide="ignore"):
        lost = np.where(np.isfinite(whole) & (whole > 0), (x - (whole - 1)) / whole, 0.0)
    return np.asarray(logs(whole) + lost)


def exps(x: Any) -> Floats:
    """Return e to the power of x, as fdlibm has it: 0 and ∞ beyond the range of floats.

    >>> exps([0, 0.5, -1000, 1000]).tolist()
    [1.0, 1.6487212707001282, 0.0, inf]
    """
    return _in_parts(_exps, x)


def powers(x: Any, exponent: float) -> Floats:
    """Return x to the power of one exponent; NaN of negative numbers, for whole exponents are products.

    >>> powers([4, 0, -1], 1.5).round(12).tolist()
    [8.0, 0.0, nan]
    """
    with np.errstate(invalid="ignore"):
        return exps(exponent * logs(x))


def expit(x: Any) -> Floats:
    """Return 1/(1 + exp(−x)).

    >>> expit([0, -np.inf, np.inf]).tolist()
    [0.5, 0.0, 1.0]
    """
    return np.asarray(1 / (1 + exps(-np.asarray(x, dtype=np.float64))))


def logit(p: Any) -> Floats:
    """Return log(p/(1 − p)).

    >>> logit([0.5, 0, 1]).tolist()
    [0.0, -inf, inf]
    """
    p = np.asarray(p, dtype=np.float64)
    with np.errstate(divide="ignore"):
        return logs(p / (1 - p))


def geometric(low: float, high: float, number: int) -> Floats:
    """Return so many numbers from one to another, each larger by the same factor.

    >>> geometric(0.01, 100, 3).round(12).tolist()
    [0.01, 1.0, 100.0]
    """
    return exps(np.linspace(float(logs(low)), float(logs(high)), number))


def lengths(x: Any, y: Any) -> Floats:
    """Return √(x² + y²).

    >>> lengths([3, 0], 4).tolist()
    [5.0, 4.0]
    """
    return np.asarray(np.sqrt(np.square(x, dtype=np.float64) + np.square(y, dtype=np.float64)))


def _in_parts(function: Callable[[Floats], Floats], x: Any) -> Floats:
    x = np.asarray(x, dtype=np.float64)
    flat = x.ravel()
    out = np.empty(flat.shape)
    with np.errstate(all="ignore"):
        for start in range(0, len(flat), IN_CACHE):
            out[start : start + IN_CACHE] = function(flat[start : start + IN_CACHE])
    return out.reshape(x.shape)


def _logs(x: Floats) -> Floats:
    half, exponent = np.frexp(x)
    low = half < np.sqrt(0.5)
    f, k = np.where(low, 2 * half, half) - 1, exponent - low
    s, square = f / (2 + f), f * f / 2
    out = k * LN2[0] - ((square - (s * (square + _polynomial(OF_LOG, s * s)) + k * LN2[1])) - f)
    return np.where((x > 0) & (x < np.inf), out, np.where(x == 0, -np.inf, np.where(x > 0, x, np.nan)))


def _exps(x: Floats) -> Floats:
    near = np.where(np.isnan(x), 0, np.clip(x, -800, 800))
    k = np.rint(near / (LN2[0] + LN2[1]))
    high, low = near - k * LN2[0], k * LN2[1]
    r = high - low
    c = r - _polynomial(OF_EXP, r * r)
    out = np.ldexp(1 - ((low - r * c / (2 - c)) - high), k.astype(np.int32))
    return np.where(np.isnan(x), np.nan, out)


def _polynomial(coefficients: tuple[float, ...], x: Floats) -> Floats:
    """Return c₁x + c₂x² + …"""
    out = np.full_like(x, 0.0)
    for c in reversed(coefficients):
        out += c
        out *= x
    return out
