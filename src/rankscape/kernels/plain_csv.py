"""Is a CSV file plain? Then two readers cannot differ about it, and its records are counted on the way."""

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .native import load

LONGEST = 2**20
"""Bytes of a record from which a file is not plain: engines have their limits."""

native = load()


class Shape(NamedTuple):
    """What is known of a plain CSV file: its records (with the header), and how they end."""

    records: int
    returns: bool
    ends_in_quotes: bool


def plain_csv(data: NDArray[np.uint8], separator: str, longest: int = LONGEST) -> Shape | None:
    r"""Return the shape of a CSV file, None where it is not plain.

    Plain: every record has as many cells as the first, ends as the others do and is not blank; a quotation mark stands
    only around whole cells, doubled inside; there is no NUL and no record of ``longest`` bytes.

    >>> plain_csv(np.frombuffer(b'y,p\n1,"a,b"\n', dtype=np.uint8), ",")
    Shape(records=2, returns=False, ends_in_quotes=False)
    >>> plain_csv(np.frombuffer(b"y,p\n1\n", dtype=np.uint8), ",") is None
    True
    """
    if native is None:
        return in_python(bytes(data), separator, longest)
    plain, records, returns, ends = native.plain_csv(np.ascontiguousarray(data), ord(separator), longest)
    return Shape(records, returns, ends) if plain else None


def in_python(data: bytes, separator: str, longest: int = LONGEST) -> Shape | None:
    """Return the same without the compiled kernel: cell by cell, with a regular expression."""
    between = re.escape(separator.encode())
    cell = re.compile(rb'(?:"((?:[^"\0]|"")*)"|([^"\r\n\0' + between + rb"]*))(" + between + rb"|\r\n|\n|\Z)")
    records = cells = expected = start = at = 0
    blank, ends, kinds = True, False, set()
    while at < len(data) or cells:
        found = cell.match(data, at)
        if found is None:
            return None
        quoted, bare, end = found.groups()
        cells += 1
        blank = blank and not any(byte > 32 for byte in (bare if quoted is None else quoted))
        ends = ends or (quoted is not None and (b"\n" in quoted or b"\r" in quoted))
        at = found.end()
        if end == separator.encode():
            continue
        kinds |= {end} - {b""}
        if blank or found.start(3) - start >= longest or cells != (expected or cells) or len(kinds) > 1:
            return None
        records, expected, cells, start, blank = records + 1, cells, 0, at, True
    return Shape(records, b"\r\n" in kinds, ends) if records else None
