"""Columns: a whole column is checked and read at once; a column in which anything is odd is left to ``cells``.

What is read here is what ``cells`` would read, to the bit. Nothing here raises: None means "look at every cell", which
finds the error and names its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Integers
from ..results import without_guard
from .cells import LARGEST_EXPONENT, number_of_text

EXACT = 2**53
"""Integers up to here, and powers of ten up to 10²², are floats: a quotient of two of them is rounded once."""

_LARGEST = 10**18
"""Integers below this are read here: all their digits fit into 64 bits."""

_MOST_PLACES = 60
_TENS = np.array([10**k for k in range(_MOST_PLACES + 1)], dtype=object)
_TENS_WHOLE = np.array([10**k for k in range(19)], dtype=np.int64)
_TENS_FLOAT = np.array([float(10**k) for k in range(_MOST_PLACES + 1)])
_EXACT_TENS = 22

_BLOCK = 8
"""Digits that are read at once, as one integer of 64 bits."""

_BLOCKS = 3
_ZEROS = np.uint64(0x3030303030303030)
_LONGEST = _BLOCK * _BLOCKS
_LAST = np.array(
    [
        [2**64 - 2 ** (8 * (_BLOCK - min(max(length - _BLOCK * block, 0), _BLOCK))) for length in range(_LONGEST + 2)]
        for block in range(_BLOCKS)
    ],
    dtype=np.uint64,
)
"""Of eight bytes the last ones, in the order of the file, that belong to a cell: by block from its end, and length."""


class Numbers(NamedTuple):
    """The numbers of a column: integers over powers of ten (``places``), or the floats ``given``."""

    integers: Integers
    places: Integers
    given: Floats | None
    points: bool = False
    """Whether there are decimal points."""
    grouped: bool = False
    """Whether all of them may as well separate thousands: three digits follow."""

    @property
    def floats(self) -> Floats:
        """The floats nearest to the numbers."""
        if self.given is not None:
            return self.given
        if self.integers.max(initial=0) <= EXACT and self.places.max(initial=0) <= _EXACT_TENS:
            return np.asarray(self.integers / _TENS_FLOAT[self.places])
        parts = zip(self.integers.tolist(), _TENS[self.places].tolist(), strict=True)
        return np.array([integer / ten for integer, ten in parts])  # a quotient of Python integers is rounded once, too


class Column(Protocol):
    """A column of a table."""

    def names(self) -> list[str] | None:
        """Return the cells as names, stripped; None where a cell is no name, or blank."""

    def numbers(self) -> Numbers | None:
        """Return the cells as numbers ≥ 0; None where a cell is none, or has too many digits."""


class Values:
    """A column whose cells have types: an array, or a list of texts, integers or floats."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def names(self) -> list[str] | None:
        """Return the cells as names; see :class:`Column`."""
        cells = self.values.tolist() if isinstance(self.values, np.ndarray) else list(self.values)
        kinds = set(map(type, cells))
        if kinds == {int}:
            return list(map(str, cells))
        return _stripped(cells) if kinds == {str} else None

    def numbers(self) -> Numbers | None:
        """Return the cells as numbers; see :class:`Column`."""
        array = self.values
        if not isinstance(array, np.ndarray):
            kinds = set(map(type, array))
            if kinds not in ({int}, {float}):
                return None
            try:
                array = np.array(array, dtype=np.int64 if kinds == {int} else np.float64)
            except OverflowError:
                return None
        if array.ndim != 1 or not len(array) or array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
            return None
        if not (array >= 0).all() or not array.max() < _LARGEST:  # NaN is not
            return None
        if array.dtype.kind != "f":
            return Numbers(array.astype(np.int64), np.zeros(len(array), dtype=np.int64), array.astype(np.float64))
        return _of_floats(array + 0.0)  # −0 is 0


class Text(NamedTuple):
    """Bytes of a plain file, in which cells are ranges of bytes."""

    content: bytes
    eights: NDArray[np.uint64]
    """Eight bytes from each one on, the first of them ``_BLOCKS`` blocks before the content."""
    decimal_points: Integers
    """Where points are."""
    ascii: str | None
    """The text, where every byte is a character."""

    @classmethod
    def of(cls, content: bytes) -> Text:
        """Return bytes as the text of cells."""
        padded = bytes(_LONGEST) + content + bytes(_BLOCK)
        eights: Any = np.ndarray((len(padded) - _BLOCK + 1,), dtype="<u8", buffer=padded, strides=(1,))
        points = np.flatnonzero(np.frombuffer(content, dtype=np.uint8) == ord("."))
        return cls(content, eights, points, content.decode("ascii") if content.isascii() else None)

    def digits(self, begin: Integers, end: Integers) -> tuple[Integers, Flags]:
        """Return the integers in ranges of bytes, and whether they are such: digits only, and below 10¹⁸.

        >>> Text.of(b"12,007,3x").digits(np.array([0, 3, 7]), np.array([2, 6, 9]))[1].tolist()
        [True, True, False]
        """
        length = np.minimum(end - begin, _LONGEST + 1)
        value, good = np.zeros(len(begin), dtype=np.int64), (length > 0) & (length <= _LONGEST)
        for block in range(min(_BLOCKS, -(-int(length.max(initial=0)) // _BLOCK))):
            word = (self.eights[end + _BLOCK * (_BLOCKS - 1 - block)] ^ _ZEROS) & _LAST[block][length]
            high = np.uint64(0x8080808080808080)
            good &= ((word + np.uint64(0x7676767676767676)) | word) & high == 0  # no byte is above 9
            # neighbors are joined: two digits, then four, then eight
            word = (word * np.uint64(10 << 8 | 1) >> np.uint64(8)) & np.uint64(0x00FF00FF00FF00FF)
            word = (word * np.uint64(100 << 16 | 1) >> np.uint64(16)) & np.uint64(0x0000FFFF0000FFFF)
            word = word * np.uint64(10000 << 32 | 1) >> np.uint64(32)
            if block == _BLOCKS - 1:
                good &= word < _LARGEST // 10 ** (_BLOCK * block)
            value += word.view(np.int64) * 10 ** (_BLOCK * block)
        return value, good


class Cells:
    """A column of a plain file: the range of bytes of each cell, without its quotation marks."""

    def __init__(self, text: Text, begin: Integers, end: Integers, *, strip: bool) -> None:
        self.text = text
        self.begin = begin
        self.end = end
        self.strip = strip

    def texts(self) -> list[str]:
        """Return the cells."""
        data = np.frombuffer(self.text.content + b"\n", dtype=np.uint8)
        size = self.end - self.begin + 1  # each cell with the byte that follows it, a separator or quotation mark
        gaps = np.append(self.begin[1:], len(data)) - self.end - 1
        chosen = np.repeat(np.arange(2 * len(size)) % 2 == 0, np.stack([size, gaps], axis=1).ravel())
        joined = data[self.begin[0] :][chosen]
        joined[np.cumsum(size) - 1] = ord("\n")  # which no cell holds
        return str(joined.tobytes(), "utf-8").split("\n")[:-1]

    def names(self) -> list[str] | None:
        """Return the cells as names; see :class:`Column`."""
        cells = self.texts()
        if b'""' in self.text.content:
            cells = [cell.replace('""', '"') for cell in cells]
        if b"'" in self.text.content:
            stripped = _stripped(cells)
            return None if stripped is None else list(map(without_guard, stripped))
        if self.strip:
            return _stripped(cells)
        return None if (self.begin == self.end).any() else cells

    def numbers(self) -> Numbers | None:
        """Return the cells as numbers; see :class:`Column`."""
        places, points = np.zeros(len(self.begin), dtype=np.int64), self.text.decimal_points
        next_point = np.searchsorted(points, self.begin) if len(points) else places
        point = np.append(points, len(self.text.content))[next_point]
        broken = point < self.end
        pointed = grouped = bool(broken.any())
        integers, good = self.text.digits(self.begin, np.minimum(point, self.end) if pointed else self.end)
        if pointed:
            after = np.where(broken, point + 1, self.end)
            part, right = self.text.digits(after, self.end)
            places = self.end - after
            fits = (integers == 0) | (integers * _TENS_FLOAT[np.minimum(places, _MOST_PLACES)] < _LARGEST)
            good &= ~broken | (right & fits)
            fraction = good & broken & (part > 0)
            places = np.where(fraction, places, 0)
            grouped = (places[fraction] == 3).all()
            integers = np.where(fraction, integers * _TENS_WHOLE[np.minimum(places, 18)] + part, integers)
        for row in np.flatnonzero(~good).tolist():
            number = _digits_of(self.text.content[self.begin[row] : self.end[row]].decode())
            if number is None:
                return None
            integers[row], places[row] = number
        return Numbers(integers, places, None, points=pointed, grouped=bool(grouped))


def _of_floats(array: NDArray[Any]) -> Numbers | None:
    """Return the shortest decimals that round to floats: they are read from the text that a table would have."""
    if array.dtype.itemsize < 8:
        distinct, at = np.unique(array, return_inverse=True)
        array = np.array([float(str(value)) for value in distinct])[at]
    text = Text.of(repr(array.tolist()).replace(" ", "").encode())
    commas = np.flatnonzero(np.frombuffer(text.content, dtype=np.uint8) == ord(","))
    begin, end = np.append(0, commas) + 1, np.append(commas, len(text.content) - 1)
    numbers = Cells(text, begin, end, strip=False).numbers()
    return None if numbers is None else Numbers(numbers.integers, numbers.places, array.astype(np.float64))


def _stripped(cells: list[str]) -> list[str] | None:
    stripped = list(map(str.strip, cells))
    return None if "" in stripped else stripped


def _digits_of(text: str) -> tuple[int, int] | None:
    """Return the integer and the decimal places of a number in any spelling; None where there is none, or no room."""
    number = number_of_text(text, False)
    if number is None or number < 0 or number >= _LARGEST:
        return None
    if number == int(number):
        return int(number), 0
    exact = Decimal(number)
    digits, places = exact.as_tuple().digits, -int(exact.as_tuple().exponent)
    integer = int("".join(map(str, digits)))
    fits = integer < _LARGEST and places <= _MOST_PLACES and exact.adjusted() > -LARGEST_EXPONENT
    return (integer, places) if fits else None


def proportional(numbers: Sequence[Numbers]) -> NDArray[Any]:
    """Return integers proportional, in every row, to the numbers of several columns."""
    integers = np.stack([column.integers for column in numbers], axis=1)
    places = np.stack([column.places for column in numbers], axis=1)
    missing = places.max(axis=1, keepdims=True) - places
    if (integers * _TENS_FLOAT[missing]).max() < _LARGEST:
        return np.asarray((integers * _TENS_WHOLE[np.where(integers == 0, 0, missing)]).astype(object))
    return np.asarray(integers.astype(object) * _TENS[missing])
