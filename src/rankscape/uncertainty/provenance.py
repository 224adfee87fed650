"""Where draws come from: the record that results of draws carry on."""

from __future__ import annotations

from dataclasses import dataclass

from ..domains import Prepared


@dataclass(frozen=True)
class Provenance:
    """Where draws come from.

    ``method`` is a phrase on how they were made, ``paired`` whether the entities share the units, ``notes`` the
    cautions, ``prepared`` how domains were averaged, ``unit`` the sentence on what was drawn, and ``seed`` the seed,
    None where a generator was given.
    """

    method: str
    paired: bool
    notes: tuple[str, ...]
    prepared: Prepared | None
    unit: str
    seed: int | None
