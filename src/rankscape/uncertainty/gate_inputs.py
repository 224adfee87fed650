"""The two sides of a gate: one entity each, on the same domains."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..checks import one_of, two_class_only
from ..errors import DataError, Option, UsageError
from ..io import as_performances
from ..performances import Performances
from ..texts import counted, some
from ..typing import PerformancesLike

MISSING = ("error", "complete")


def entity_of(given: PerformancesLike, what: str) -> Performances:
    """Return the performances of one side, after checking that they are of one entity."""
    performances = as_performances(given)
    two_class_only(performances.space, "a gate")
    names = list(dict.fromkeys(performances.names))
    if len(names) > 1:
        first = ", ".join(map(repr, names[:3])) + (", …" if len(names) > 3 else "")
        which = "entity" if what == "new" else "against_entity"
        raise DataError(
            "",
            where=what,
            expected="one entity",
            got=f"{len(names)} ({first})",
            way_out=one_of(names, "P[{}]", which),
        )
    return performances


def same_domains(
    new: Performances, against: Performances, missing: str
) -> tuple[Performances, Performances, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return both on the same domains, these, those left out, and notes; raise DataError where they differ by default.

    Where one side names no domain, and the other one only, nothing can be compared, and a note says so.
    """
    if missing not in MISSING:
        raise UsageError(Option("missing", missing), expected=f"one of {', '.join(map(repr, MISSING))}")
    of_new, of_old = (tuple(dict.fromkeys(side.domains or ())) for side in (new, against))
    if not of_new or not of_old:
        named = of_new or of_old
        if not named:
            return new, against, (), (), ()
        which = "The other one" if of_new else "The new one"
        if len(named) > 1:
            raise DataError(
                f"{which.lower()} names no domain, and the counts of its opponent are of {len(named)} "
                f"({some(named)}), which are averaged: count both per domain, or both pooled"
            )
        note = f"{which} names no domain: whether it was tried on the same ones cannot be told"
        return new, against, named, (), (note,)
    only = [name for name in of_new if name not in of_old], [name for name in of_old if name not in of_new]
    if not any(only):
        return new, against, of_new, (), ()
    parts = [f"{some(names)} only in {where}" for names, where in zip(only, ("new", "against"), strict=True) if names]
    common = tuple(name for name in of_new if name in of_old)
    if missing == "error" or not common:
        shared = f"both have {some(common)}" if common else "they share none"
        ways: list[Any] = ["give the same domains"]
        ways += [["choose ", Option("missing", "complete"), " to compare on those"]] if common else []
        raise DataError(f"the two are of different domains ({'; '.join(parts)}; {shared})", way_out=ways)
    new, against = (_on(side, common) for side in (new, against))
    left_out = (*only[0], *only[1])
    note = f"Compared on {counted(len(common), 'domain')} that both have, without {some(left_out)}"
    return new, against, common, left_out, (note,)


def _on(side: Performances, domains: tuple[str, ...]) -> Performances:
    return side[np.array([name in domains for name in side.domains or ()])]


def scaled(performances: Performances, times: float) -> Performances:
    """Return performances of that many times as many cases: floats, for 64 bits may not hold them."""
    if times == 1 or performances.counts is None:
        return performances
    counts: Any = np.rint(performances.counts * times)
    return replace(performances, counts=counts)
