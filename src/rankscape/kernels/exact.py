"""Exact integers and rationals in object arrays, where 64 bits would overflow or round."""

from decimal import Decimal
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Integers
from ..errors import DataError

LARGEST_IN_FLOATS = 2**53
"""Quotients of integers up to this are correctly rounded, so that unequal floats are in the order of the ratios."""

SAFE_DIGITS = 15
"""Decimals of so many digits are all different as floats, so that each is the shortest one of its float."""

MOST_DIGITS = 1000
"""Numbers with more digits, or with an exponent further from 0, are refused: they would fill the memory."""

Exact = NDArray[Any]  # object arrays of Python integers


def integers_of_floats(values: Floats) -> Exact:
    """Return integers proportional, along the last axis, to the exact rationals that the floats are."""
    mantissa, exponent = np.frexp(values)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    lowest = np.where(whole == 0, 1, whole & -whole)  # a power of two that divides the mantissa
    exponent = exponent.astype(np.int64) + (np.frexp(lowest)[1] - 1)
    exponent = np.where(whole == 0, np.iinfo(np.int64).max, exponent)
    shift = np.where(whole == 0, 0, exponent - exponent.min(axis=-1, keepdims=True))
    whole = whole // lowest
    if shift.max(initial=0) + 53 < 63:
        return np.asarray((whole << shift).astype(object))
    return np.asarray(whole.astype(object) << shift.astype(object))


def decimal_integers(values: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Return integers and a power of ten: their quotients are the shortest decimals that round to the floats.

    So 0.1 is 1/10, as it would be in a text. The floats are finite; the integers of 64 bits where these hold them.

    >>> (
    ...     decimal_integers(np.array([0.1, 2.0, 0.25])),
    ...     decimal_integers(np.array([0.1], dtype=np.float32))[0],
    ... )
    ((array([ 10, 200,  25]), 100), array([1]))
    """
    if values.dtype.itemsize < 8:
        distinct, place = np.unique(values, return_inverse=True)
        values = np.array([float(str(value)) for value in distinct], dtype=np.float64)[place].reshape(values.shape)
    if values.dtype.itemsize == 8:
        for places in range(SAFE_DIGITS + 1):  # decimals of so many digits are all different as floats
            with np.errstate(over="ignore"):
                whole = np.round(values * 10.0**places)
            if not (np.abs(whole) < 10.0**SAFE_DIGITS).all():
                break
            if (whole / 10.0**places == values).all():
                return whole.astype(np.int64), 10**places
    distinct, place = np.unique(values, return_inverse=True)
    decimals = [Fraction(Decimal(str(value))) for value in distinct]
    scale = lcm(*(decimal.denominator for decimal in decimals))
    whole = np.array([int(decimal * scale) for decimal in decimals], dtype=object)
    return whole[place].reshape(values.shape), scale


def fractions_of(values: Any) -> Exact:
    """Return an object array of the exact fractions that integers, floats or fractions are."""
    array = np.asarray(values, dtype=object)
    flat = np.empty(array.size, dtype=object)
    for i, value in enumerate(array.ravel()):
        plain = value.item() if isinstance(value, np.generic) else value
        flat[i] = Fraction(sized(plain) if isinstance(plain, Decimal) else plain)
    return flat.reshape(array.shape)


def sized(number: Decimal) -> Decimal:
    """Return a number whose digits can be written out.

    >>> sized(Decimal("1e999999999"))
    Traceback (most recent call last):
    ...
    rankscape.errors.DataError: 1E+999999999 is too long to be computed with; expected at most 1000 digits
    """
    _, digits, exponent = number.as_tuple()
    if len(digits) > MOST_DIGITS or (number and abs(int(exponent)) > MOST_DIGITS):
        raise too_long(str(number))
    return number if number else Decimal(0)


def too_long(text: str) -> DataError:
    """Return the error about a number that would fill the memory."""
    short = text if len(text) <= 40 else text[:40] + "…"
    return DataError(f"{short} is too long to be computed with", expected=f"at most {MOST_DIGITS} digits")


def integers_of_fractions(fractions: Exact) -> Exact:
    """Return integers proportional, along the last axis, to the fractions."""
    rows = fractions.reshape(-1, fractions.shape[-1])
    integers = np.empty(rows.shape, dtype=object)
    for i, row in enumerate(rows):
        common = lcm(*(value.denominator for value in row))
        integers[i] = [value.numerator * (common // value.denominator) for value in row]
    return integers.reshape(fractions.shape)


def weighted(parts: NDArray[Any], shares: Exact, totals: NDArray[Any]) -> NDArray[Any]:
    """Return share·part/total of integers (n, m, k), shares and totals (n, m), up to a factor per row.

    They are of 64 bits where floats hold them and their sums, else Python's own. A share of 0 needs no total.

    >>> weighted(
    ...     np.array([[[1, 1], [1, 3]]]), np.array([1, 1], dtype=object), np.array([[2, 4]])
    ... ).tolist()
    [[[2, 2], [1, 3]]]
    """
    totals = np.where(shares == 0, 1, totals.astype(object))
    alike = len(totals) > 0 and bool((totals == totals[0]).all())  # the same cases for everybody, as is usual
    sizes = totals[:1] if alike else totals
    weights = shares * (np.lcm.reduce(sizes, axis=1)[:, None] // sizes)
    most = parts.sum(axis=-1).max(axis=0, initial=0).astype(object)
    small = parts.dtype != object and int((weights * most).sum(axis=1).max(initial=0)) <= LARGEST_IN_FLOATS
    return np.asarray(parts * (weights.astype(np.int64) if small else weights)[..., None])


def normalized(integers: NDArray[Any]) -> Floats:
    """Divide by the sum along the last axis, every quotient rounded once."""
    return quotients(integers, integers.sum(axis=-1, keepdims=True))


def quotients(numerators: Exact, denominators: Exact) -> Floats:
    """Return the correctly rounded quotients of integers, NaN where the denominator is 0.

    Integers are Python's, or of 64 bits up to ``LARGEST_IN_FLOATS``, which floats hold.
    Correct rounding is monotone: unequal floats are in the order of the exact quotients; only equal floats are left
    to be compared exactly.
    """
    numerators, denominators = np.broadcast_arrays(numerators, denominators)
    defined = denominators != 0
    if numerators.dtype != object and denominators.dtype != object:
        return np.asarray(np.divide(numerators, denominators, out=np.full(numerators.shape, np.nan), where=defined))
    out = np.full(numerators.shape, np.nan)
    tops, bottoms = numerators[defined], denominators[defined]
    try:
        out[defined] = (tops / bottoms).astype(np.float64)
    except OverflowError:
        out[defined] = [_quotient(top, bottom) for top, bottom in zip(tops, bottoms, strict=True)]
    return out


def _quotient(top: int, bottom: int) -> float:
    try:
        return top / bottom
    except OverflowError:
        return float("inf") if (top > 0) == (bottom > 0) else float("-inf")


def ascending_floats(values: Floats) -> tuple[Integers, Floats]:
    """Return the rows of numbers in ascending order, those that are NaN left out, and the numbers."""
    defined = np.flatnonzero(~np.isnan(values))
    order = defined[np.argsort(values[defined], kind="stable")]
    return order, values[order]


def float_levels(values: Floats) -> Integers:
    """Return a level per number, 0 for the smallest, equal for equal ones, −1 for NaN.

    >>> float_levels(np.array([0.5, 0.25, np.nan, 0.5])).tolist()
    [1, 0, -1, 1]
    """
    out = np.full(len(values), -1, dtype=np.int64)
    defined = ~np.isnan(values)
    out[defined] = np.unique(values[defined], return_inverse=True)[1]
    return out


def ratio_levels(top: NDArray[Any], bottom: NDArray[Any]) -> Integers:
    """Return a level per ratio of integers, 0 for the smallest, equal for equal ones, −1 for undefined.

    The correctly rounded quotients are sorted; only equal ones are compared again, as ratios. Integers are Python's, or
    of 64 bits up to ``LARGEST_IN_FLOATS``.

    >>> ratio_levels(np.array([1, 2, 0, 0]), np.array([2, 4, 9, 0])).tolist()
    [1, 1, 0, -1]
    """
    order, ranked = ascending_floats(quotients(top, bottom))
    step = ranked[1:] != ranked[:-1]
    close = np.flatnonzero(~step)
    if len(close):
        most = int(np.abs(top).max()) * int(np.abs(bottom).max())
        kind: Any = np.int64 if most <= np.iinfo(np.int64).max and top.dtype != object else object
        tops, bottoms = top.astype(kind, copy=False), bottom.astype(kind, copy=False)

        def apart() -> Flags:
            i, j = order[close], order[close + 1]
            return np.asarray(tops[i] * bottoms[j] != tops[j] * bottoms[i], dtype=bool)

        if (differing := apart()).any():
            run = np.cumsum(np.append(0, step))  # of equal quotients: those that hold different ratios are sorted
            for number in np.unique(run[close[differing]]):
                begin, end = np.searchsorted(run, [number, number + 1])
                members = order[begin:end].tolist()
                order[begin:end] = sorted(members, key=lambda k: Fraction(int(top[k]), int(bottom[k])))
            step[close] = apart()
    out = np.full(len(top), -1, dtype=np.int64)
    out[order] = np.cumsum(np.append(0, step))[: len(order)]
    return out


def first_equal(integers: NDArray[Any], mass: Floats) -> Integers:
    """Return, for every row of integers, the first row that is proportional to it.

    ``mass`` are the correctly rounded shares: only rows that agree in these are compared.

    >>> rows = np.array([[1, 2], [3, 4], [2, 4]])
    >>> first_equal(rows, normalized(rows)).tolist()
    [0, 1, 0]
    """
    key = np.zeros(len(mass), dtype=np.uint64)
    for column in mass.T:
        key = (key ^ np.ascontiguousarray(column + 0.0).view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(32)
    order = np.argsort(key, kind="stable")
    same = key[order][1:] == key[order][:-1]
    shared = np.sort(order[np.append(same, False) | np.append(False, same)])
    out = np.arange(len(mass))
    known: dict[tuple[int, ...], int] = {}
    for row, numbers in zip(shared.tolist(), integers[shared].tolist(), strict=True):
        common = gcd(*numbers)
        out[row] = known.setdefault(tuple(number // common for number in numbers), row)
    return out


def limbs_of(integers: Exact, least: int = 1) -> NDArray[np.uint64]:
    """Return natural numbers in limbs of 64 bits, the least first, along a new axis of at least ``least``.

    >>> limbs_of(np.array([2**64 + 3, 5], dtype=object)).tolist()
    [[3, 1], [5, 0]]
    """
    limbs = max(least, -(-int(integers.max(initial=0)).bit_length() // 64))
    numbers = b"".join([number.to_bytes(8 * limbs, "little") for number in integers.ravel().tolist()])
    return np.frombuffer(numbers, dtype="<u8").reshape(*integers.shape, limbs)
