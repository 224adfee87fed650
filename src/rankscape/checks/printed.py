"""Numbers as they are printed: the decimals that are typed, percent signs, and decimal commas."""

from __future__ import annotations

import re
from decimal import Decimal
from math import isfinite
from typing import Any

import numpy as np

from ..errors import UsageError

MOST_DECIMALS = 12
"""A number with more decimals, such as 2/3 in floating point, counts as one printed to so many."""

_TYPED = re.compile(r"([+-]?)([0-9]*)(?:[.,]([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?\s*(%)?")


def typed_text(text: str, percent: bool = False) -> tuple[Decimal | None, bool]:
    """Return the number that is typed, and whether it is a percentage; None where it is none.

    >>> typed_text("83,10 %"), typed_text("n/a")
    ((Decimal('83.10'), True), (None, False))
    """
    plain = text.strip().replace("\N{MINUS SIGN}", "-").replace("\N{NO-BREAK SPACE}", " ")
    match = _TYPED.fullmatch(plain.replace("\N{NARROW NO-BREAK SPACE}", " "))
    if match is None or not (match[2] or match[3]):
        return None, percent
    number = (
        f"{match[1]}{match[2] or '0'}" + (f".{match[3]}" if match[3] else "") + (f"e{match[4]}" if match[4] else "")
    )
    return _shortened(Decimal(number)), percent or match[5] is not None


def typed_number(name: str, value: Any, decimals: int | None) -> Decimal:
    """Return a number with as many decimals as were printed: those of its shortest text, unless they are given."""
    plain = str(value) if isinstance(value, (np.generic, Decimal)) else repr(value)
    real = isinstance(value, (int, float, np.integer, np.floating, Decimal)) and not isinstance(value, bool)
    if not real or not isfinite(float(value)):
        raise UsageError(f"{name} = {plain[:60]} is not a number", expected="a finite number, or a text as printed")
    typed = Decimal(plain)
    if decimals is None:
        return _shortened(typed)
    trimmed = typed.normalize()
    places = max(-int(trimmed.as_tuple().exponent), 0)
    if places > decimals:
        raise UsageError(
            f"{name} = {plain} has {places} decimals, which is more than decimals={decimals}",
            way_out="round it, or give decimals per rate as a mapping",
        )
    return typed.quantize(Decimal(1).scaleb(-decimals))


def _shortened(typed: Decimal) -> Decimal:
    """Return a number with at most :data:`MOST_DECIMALS` decimals, and none before the point left out."""
    exponent = int(typed.as_tuple().exponent)
    if exponent > 0:
        return typed.quantize(Decimal(1))
    return typed if exponent >= -MOST_DECIMALS else typed.quantize(Decimal(1).scaleb(-MOST_DECIMALS))
