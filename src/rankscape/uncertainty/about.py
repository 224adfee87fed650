"""How draws came about: what results say of it."""

from __future__ import annotations

from dataclasses import dataclass

from ..domains import Prepared


@dataclass(frozen=True)
class About:
    """How draws came about: a phrase, whether they are paired, notes, what was prepared, the unit, and the seed."""

    method: str
    paired: bool
    notes: tuple[str, ...]
    prepared: Prepared | None
    unit: str
    seed: int | None
