"""Checks of single values: numbers of Python or numpy, inside an interval or as they are printed; yes or no."""

import re
from decimal import MAX_PREC, Context, Decimal, InvalidOperation
from fractions import Fraction
from math import isclose, isfinite, nan
from numbers import Rational, Real
from typing import Any, NamedTuple, SupportsFloat, TypeGuard

import numpy as np
from numpy.typing import NDArray

from ..arrays import EXACT, Flags, as_given
from ..errors import Option, UsageError
from ..kernels.exact import MOST_DIGITS, sized, too_long

MOST_DECIMALS = 12
"""A number with more decimals, such as 2/3 in floating point, counts as one printed to so many."""

OF_32_BITS = 8
"""A share with many digits that is one of 32 bits, as 0.8999999761581421 is 0.9, stands for so many units of its last
bit: a few operations in 32 bits miss the truth by less than half of that."""

LARGEST_LABEL = 10**30
"""Whole numbers below, such as times in nanoseconds, are kept to the last digit where floats would round them."""

_WIDE = Context(prec=MAX_PREC)
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
PERCENT = re.compile(r"[\s,_]*[(\[]?\s*(in\s+)?(%|per ?cent|pct)\s*[)\]]?\s*$", re.IGNORECASE)
_TYPED = re.compile(r"([+-]?)([0-9]*)(?:[.,]([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?\s*(%)?")


def is_number(value: Any) -> TypeGuard[float]:
    """Tell whether a value is one real number, of Python or numpy; True and False are none.

    >>> is_number(2), is_number(np.int64(2)), is_number("2"), is_number(True), is_number(np.array([2]))
    (True, True, False, False, False)
    """
    return isinstance(value, (Real, np.integer, np.floating)) and not isinstance(value, bool)


def reads_as_number(value: Any) -> bool:
    """Tell whether a value is a real number, or a text that holds one."""
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def meant(number: SupportsFloat) -> Fraction:
    """Return the number that is meant by the digits it is written in: 0.2 is 1/5. Raises ValueError for NaN and ∞.

    >>> str(meant(0.2)), str(meant(np.float32(0.07))), str(meant(Fraction(1, 3)))
    ('1/5', '7/100', '1/3')
    """
    if isinstance(number, np.floating):
        return Fraction(str(number))
    plain = number.item() if isinstance(number, np.generic) else number
    return Fraction(plain) if isinstance(plain, Rational) else Fraction(repr(float(plain)))


def exact_numbers(values: Any, what: str) -> NDArray[Any]:
    """Return numbers as float64 where floats hold each of them, else as Python's integers and fractions, exactly.

    NaN and ∞ stay floats, and what is missing is NaN. Raises TypeError or ValueError for what is no number.

    >>> exact_numbers(["0.1", 2**53 + 1], "x").tolist(), exact_numbers([1, 0.1], "x").tolist()
    ([Fraction(1, 10), 9007199254740993], [1.0, 0.1])
    """
    array = as_given(values, what)
    kind, size = array.dtype.kind, array.dtype.itemsize
    whole = kind in "iu" and (not array.size or (array.max() <= EXACT and array.min() >= -EXACT))
    if kind == "b" or whole or (kind == "f" and size <= 8):
        return array.astype(np.float64)
    if kind not in "iufOUS":
        raise TypeError(f"{what} are no numbers")
    out = np.empty(array.shape, dtype=object)
    out.ravel()[:] = numbers = list(map(exact_number, array.ravel().tolist()))
    return out if any(_rounded(number) for number in numbers) else out.astype(np.float64)


def exact_number(value: Any) -> Any:
    """Return a number as an int or a Fraction, exactly; floats as they are, NaN for what is missing."""
    if isinstance(value, (int, np.integer, np.bool_)):
        return int(value)
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return nan
    if isinstance(value, (str, bytes)):
        value = decimal_of(value if isinstance(value, str) else value.decode("ascii"))
    if isinstance(value, Decimal):
        return Fraction(sized(value)) if value.is_finite() else float(value)
    if isinstance(value, Rational):
        return Fraction(value)
    if isinstance(value, np.floating) and value.dtype.itemsize > 8 and np.isfinite(value):
        return Fraction(*value.as_integer_ratio())
    return float(value)


def printed_number(value: Any) -> Any:
    """Return a number as an int or a Fraction: a float as the shortest decimal that rounds to it.

    >>> printed_number(0.1), printed_number("0.1"), printed_number(2**60 + 1)
    (Fraction(1, 10), Fraction(1, 10), 1152921504606846977)
    """
    exact = exact_number(value)
    return meant(value) if isinstance(exact, float) and isfinite(exact) else exact


def decimal_of(text: str) -> Decimal | float:
    """Return the number that a text holds, with a decimal point or without; raises ValueError where it holds none."""
    plain = text.strip()
    if len(plain) > MOST_DIGITS and re.fullmatch(r"[0-9.eE+-]+", plain):
        raise too_long(plain)
    if not NUMBER.fullmatch(plain):
        return float(plain.replace("_", "no number"))  # only the names of NaN and ∞ are numbers then
    try:
        return sized(Decimal(plain))
    except InvalidOperation:  # an exponent of many digits
        raise too_long(plain) from None


def _rounded(number: Any) -> bool:
    """Tell whether no float is equal to a number."""
    try:
        return not isinstance(number, float) and float(number) != number
    except OverflowError:
        return True


def finite_numbers(numbers: NDArray[Any]) -> Flags:
    """Tell which of some numbers, as :func:`exact_numbers` gives them, are finite."""
    if numbers.dtype != object:
        return np.asarray(np.isfinite(numbers))
    return np.array([not isinstance(v, float) or isfinite(v) for v in numbers.ravel()], dtype=bool).reshape(
        numbers.shape
    )


def floats_that_differ(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return finite numbers as floats, unless whole ones would be rounded or different ones would become equal."""
    if numbers.dtype != object:
        return numbers
    distinct = set(numbers.ravel().tolist())
    try:
        floats = set(map(float, distinct))
    except OverflowError:
        return numbers
    rounded = any(abs(number) < LARGEST_LABEL and number == int(number) and _rounded(number) for number in distinct)
    return numbers if rounded or len(floats) < len(distinct) else numbers.astype(np.float64)


def as_levels(numbers: NDArray[Any]) -> NDArray[np.float64]:
    """Return floats in the order of numbers, as :func:`exact_numbers` gives them, equal for equal ones; NaN stays.

    >>> as_levels(exact_numbers([2**53 + 1, None, 2**53], "x")).tolist()
    [1.0, nan, 0.0]
    """
    if numbers.dtype != object:
        return numbers
    known = np.array([number == number for number in numbers.ravel()], dtype=bool).reshape(numbers.shape)
    out = np.full(numbers.shape, np.nan)
    out[known] = np.unique(numbers[known], return_inverse=True)[1].ravel()
    return out


def checked_share(name: str, share: Any, expected: str, most: float = 1) -> float:
    """Return a number between 0 and ``most``."""
    if is_number(share) and 0 < share < most:
        return float(share)
    raise UsageError([Option(name), f" must {expected}"], got=f"{share!r:.80}")


def checked_flag(name: str, flag: Any) -> bool:
    """Return yes or no; refuse all else, of which most would count as yes, even the text "no".

    >>> checked_flag("simultaneous", np.False_)
    False
    """
    if isinstance(flag, (bool, np.bool_)):
        return bool(flag)
    raise UsageError([Option(name), " must be True or False"], got=f"{flag!r:.80}")


class Typed(NamedTuple):
    """A number as it is printed: the text, its value, the unit of its last decimal, and whether it is a percentage."""

    text: str
    value: Fraction
    unit: Fraction
    percent: bool


def in_percent(name: str) -> bool:
    """Tell whether a name says that its numbers are percentages, as "Prevalence (percent)" and "% correct" do."""
    return "%" in name or PERCENT.search(name) is not None


def as_typed(name: str, value: Any, decimals: int | None = None, percent: bool = False) -> Typed | None:
    """Return a text as typed, or a number with so many ``decimals``; None for a text that is no number.

    ``percent`` says that it is a percentage without a sign. Raises UsageError for what is neither text nor number.

    >>> as_typed("recall", "83,1 %"), as_typed("recall", "n/a")
    (Typed(text='83,1 %', value=Fraction(831, 1000), unit=Fraction(1, 1000), percent=True), None)
    >>> single = as_typed("recall", 0.8999999761581421)  # 0.9 in 32 bits
    >>> abs(single.value - Fraction(9, 10)) < single.unit / 2, float(single.unit)
    (True, 4.76837158203125e-07)
    """
    if isinstance(value, str):
        text = value.strip()
        plain = text.replace("\N{MINUS SIGN}", "-").replace("\N{NO-BREAK SPACE}", " ")
        match = _TYPED.fullmatch(plain.replace("\N{NARROW NO-BREAK SPACE}", " "))
        if match is None or not (match[2] or match[3]):
            return None
        sign, whole, fraction, exponent, unit_sign = match.groups(default="")
        given = Decimal(f"{sign}{whole or '0'}.{fraction}e{exponent or 0}")
        percent, number = percent or bool(unit_sign), _shortened(given)
    else:
        given = _typed_number(name, value, decimals)
        number = _shortened(given)
        text = format(number, "f") + (" %" if percent else "")
    scale = 100 if percent else 1
    for factor in (1, scale)[: 1 + percent]:  # computed in 32 bits, perhaps as a percentage
        single = _of_32_bits(given / (scale // factor), 7 if isinstance(value, np.float32) else 8)
        if single is not None:
            exact, spacing = Fraction(float(single)), Fraction(float(np.spacing(single)))
            return Typed(text, exact / factor, OF_32_BITS * spacing / factor, percent)
    unit = Fraction(1, 10 ** -min(int(number.as_tuple().exponent), 0))
    return Typed(text, Fraction(number) / scale, unit / scale, percent)


def instead_of_fraction(text: str) -> str:
    """Return what to write in place of a fraction, which tables do not hold; nothing for another text.

    >>> instead_of_fraction(" 1/10"), instead_of_fraction("1/3"), instead_of_fraction("n/a")
    ('write 0.1', 'write a decimal', '')
    """
    match = re.fullmatch(r"\s*([0-9]{1,15})\s*/\s*0*([1-9][0-9]{0,14})\s*", text)
    if match is None:
        return ""
    value = Fraction(int(match[1]), int(match[2]))
    return f"write {float(value):.15g}" if 10**15 % value.denominator == 0 else "write a decimal"


def _typed_number(name: str, value: Any, decimals: int | None) -> Decimal:
    """Return a number with as many decimals as were printed: those of its shortest text, unless they are given."""
    plain = str(value) if isinstance(value, (np.generic, Decimal)) else repr(value)
    real = isinstance(value, (int, float, np.integer, np.floating, Decimal)) and not isinstance(value, bool)
    if not real or not isfinite(float(value)):
        raise UsageError(f"{name} = {plain[:60]} is not a number", expected="a finite number, or a text as printed")
    typed = Decimal(plain)
    if decimals is None:
        return typed
    trimmed = typed.normalize(_WIDE)
    places = max(-int(trimmed.as_tuple().exponent), 0)
    if places > decimals:
        raise UsageError(
            f"{name} = {plain} has {places} decimals, which is more than decimals={decimals}",
            way_out="round it, or give texts, which keep their decimals",
        )
    return typed.quantize(Decimal(1).scaleb(-decimals), context=_WIDE)


def _of_32_bits(given: Decimal, least: int) -> np.float32 | None:
    """Return the number of 32 bits that a decimal of at ``least`` so many digits stands for, if there is one."""
    number = given.normalize(_WIDE)
    if len(number.as_tuple().digits) < least or not 0 < number < 200:
        return None
    single = np.float32(float(number))
    rounded = Decimal(float(single)).quantize(number, context=_WIDE)
    return single if rounded == number or isclose(single, number, rel_tol=1e-15) else None


def _shortened(typed: Decimal) -> Decimal:
    """Return a number with at most :data:`MOST_DECIMALS` decimals, and none before the point left out."""
    exponent = int(typed.as_tuple().exponent)
    if exponent > 0:
        return typed.quantize(Decimal(1), context=_WIDE)
    return typed if exponent >= -MOST_DECIMALS else typed.quantize(Decimal(1).scaleb(-MOST_DECIMALS), context=_WIDE)
