"""The two sides of a gate: one entity each, on the same domains."""

from dataclasses import replace
from typing import Any

import numpy as np

from ..checks import one_of, two_class_only
from ..errors import DataError, Option, UsageError
from ..io import as_performances
from ..performances import Performances
from ..texts import counted, one_line, some
from ..typing import Missing

MISSING = ("error", "complete")


def entity_of(given: Any, what: str) -> Performances:
    """Return the performances of one side, after checking that they are of one entity."""
    performances = as_performances(given)
    two_class_only(performances.space, "a gate")
    names = list(dict.fromkeys(performances.names))
    if len(names) > 1:
        which = "entity" if what == "new" else "against_entity"
        raise DataError(
            "",
            where=what,
            expected="one entity",
            got=f"{len(names)} ({some(names, 3, quote='', word=repr)})",
            way_out=one_of(names, "P[{}]", which),
        )
    return performances


def same_domains(
    new: Performances, against: Performances, missing: Missing
) -> tuple[Performances, Performances, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return both on the same domains, these, those left out, and notes; raise DataError where they differ by default.

    Where one side names no domain, and the other one only, nothing can be compared, and a note says so.
    """
    if missing not in MISSING:
        raise UsageError(Option("missing", missing), expected=f"one of {', '.join(map(repr, MISSING))}")
    mine, others = (tuple(dict.fromkeys(side.domains or ())) for side in (new, against))
    if not mine or not others:
        named = mine or others
        if not named:
            return new, against, (), (), ()
        which = "The other one" if mine else "The new one"
        if len(named) > 1:
            raise DataError(
                f"{which.lower()} names no domain, and the counts of its opponent are of {len(named)} "
                f"({_listed(named)}), which are averaged: count both per domain, or both pooled"
            )
        return (
            new,
            against,
            named,
            (),
            (f"{which} names no domain: whether it was tried on the same ones cannot be told",),
        )
    only = [name for name in mine if name not in others], [name for name in others if name not in mine]
    if not any(only):
        return new, against, mine, (), ()
    parts = [
        f"{_listed(names)} only in {where}" for names, where in zip(only, ("new", "against"), strict=True) if names
    ]
    common = tuple(name for name in mine if name in others)
    if missing == "error" or not common:
        shared = f"both have {_listed(common)}" if common else "they share none"
        ways: list[Any] = ["give the same domains"]
        ways += [["choose ", Option("missing", "complete"), " to compare on those"]] if common else []
        raise DataError(f"the two are of different domains ({'; '.join(parts)}; {shared})", way_out=ways)
    new, against = (_on(side, common) for side in (new, against))
    left_out = (*only[0], *only[1])
    note = f"Compared on {counted(len(common), 'domain')} that both have, without {_listed(left_out)}"
    return new, against, common, left_out, (note,)


def _on(side: Performances, domains: tuple[str, ...]) -> Performances:
    return side[np.array([name in domains for name in side.domains or ()])]


def _listed(names: Any) -> str:
    return some(names, word=one_line)


def scaled(performances: Performances, times: float) -> Performances:
    """Return performances of that many times as many cases: floats, for 64 bits may not hold them."""
    if times == 1 or performances.counts is None:
        return performances
    counts: Any = np.rint(performances.counts * times)
    return replace(performances, counts=counts)
