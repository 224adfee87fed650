"""Is a CSV file plain? Then two readers cannot differ about it, and its records are counted on the way."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import backend

LONGEST = 2**20
"""Bytes of a record from which a file is not plain: engines have their limits."""


class Shape(NamedTuple):
    """What is known of a plain CSV file: its records (with the header), and how they end."""

    records: int
    returns: bool
    ends_in_quotes: bool
    padded: bool
    """Whether a cell starts or ends with a byte up to the space: white space of ASCII, or a control character."""


def plain_csv(data: NDArray[np.uint8], separator: str, longest: int = LONGEST) -> Shape | None:
    r"""Return the shape of a CSV file, None where it is not plain.

    Plain: every record has as many cells as the first, ends as the others do and is not blank; a quotation mark stands
    only around whole cells, doubled inside; there is no NUL and no record of ``longest`` bytes.

    >>> plain_csv(np.frombuffer(b'y,p\n1,"a,b"\n', dtype=np.uint8), ",")
    Shape(records=2, returns=False, ends_in_quotes=False, padded=False)
    >>> plain_csv(np.frombuffer(b"y,p\n1\n", dtype=np.uint8), ",") is None
    True
    """
    plain, records, returns, ends_in_quotes, padded = backend.plain_csv(data, separator, longest)
    return Shape(records, returns, ends_in_quotes, padded) if plain else None
