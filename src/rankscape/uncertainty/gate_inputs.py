"""The two sides of a gate: one entity each, on the same domains, and their draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import nan
from typing import Any

import numpy as np

from ..checks import checked_rng, checked_size, one_of, two_class_only
from ..domains import Prepared, prepare
from ..domains.weights import shared_weights, weights_left
from ..errors import DataError, Option, UsageError
from ..io import as_performances
from ..performances import Performances
from ..texts import counted, some
from ..typing import Floats, Missing, PerformancesLike, PosteriorMethod, RandomLike, WeightsLike
from .draws import Draws, posterior

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
            "", where=what, expected="one entity", got=f"{len(names)} ({first})", way_out=one_of(names, "P[{}]", which)
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


@dataclass(frozen=True)
class Material:
    """What a gate decides on: the two performances, their draws as if of so many times the cases, and how they came."""

    observed: tuple[Performances, Performances]
    draw: Callable[[float], tuple[Floats, Floats]] | None
    draws: int
    method: str
    paired: bool
    domains: tuple[str, ...]
    cases: float
    notes: tuple[str, ...]
    prepared: Prepared | None = None
    seed: int | None = None


def posteriors_of(
    new: PerformancesLike,
    against: PerformancesLike,
    draws: int,
    rng: RandomLike,
    method: PosteriorMethod,
    weights: WeightsLike,
    missing: Missing,
) -> Material:
    """Return what a gate decides on, by draws from the posterior of each model, where there are counts."""
    checked_size("draws", draws)
    sides = entity_of(new, "new"), entity_of(against, "against")
    first_side, second_side, domains, left_out, notes = same_domains(*sides, missing)
    sides = first_side, second_side
    weighed = shared_weights(sides, weights_left(weights, None, (*domains, *left_out), left_out))
    first, second = (prepare(side, weights=each) for side, each in zip(sides, weighed, strict=True))
    kind = weights if isinstance(weights, str) else "given"
    named = first if first.domains else second
    prepared = replace(named, grid=replace(named.grid, left_out=left_out), weighting=kind, missing=missing)
    material = Material(
        observed=(first.grid.summary(), second.grid.summary()), draw=None, draws=0, method="no counts, so no draws",
        paired=False, domains=domains, cases=nan, notes=notes, prepared=prepared,
    )  # fmt: skip
    cases = sides[0].counts
    if cases is None or sides[1].counts is None:
        return material
    seeds = checked_rng(rng).integers(2**63, size=2).tolist()  # the same at every number of cases

    def drawn(times: float) -> tuple[Draws, Draws]:
        first, second = (
            posterior(scaled(side, times), draws, np.random.default_rng(seed), method=method, weights=each)
            for side, seed, each in zip(sides, seeds, weighed, strict=True)
        )
        return first, second

    once = drawn(1)
    notes += tuple(dict.fromkeys(note for side in once for note in side.notes))

    def values(times: float) -> tuple[Floats, Floats]:
        first, second = once if times == 1 else drawn(times)
        return first.values[:, 0], second.values[:, 0]

    return replace(
        material, draw=values, draws=draws, method=once[0].method,
        cases=float(cases.sum()), notes=notes, seed=rng if isinstance(rng, int) else None,
    )  # fmt: skip


def given_draws(new: Draws, against: Draws, idle: list[str]) -> Material:
    """Return what a gate decides on, by draws of both models; refuse arguments that would change nothing."""
    if idle:
        raise UsageError([Option(idle[0]), " would change nothing: these are draws already"])
    for side, what in ((new, "new"), (against, "against")):
        two_class_only(side.space, "a gate")
        if len(side.names) > 1:
            which = "entity" if what == "new" else "against_entity"
            ways = one_of(side.names, "draws[{}]", which)
            raise UsageError("", where=what, expected="draws of one entity", way_out=ways)
    if len(new) != len(against):
        raise UsageError(f"the numbers of draws differ: {len(new)} and {len(against)}")
    paired = new.paired and against.paired and new.values.base is not None and new.values.base is against.values.base
    shares = (side.values[:, 0] / side.values[:, 0].sum(axis=1, keepdims=True) for side in (new, against))
    first, second = (share.astype(np.float64) for share in shares)  # after dividing: integers may be too large
    notes = tuple(dict.fromkeys(new.notes + against.notes))
    return Material(
        observed=(new.observed, against.observed), draw=lambda _: (first, second), draws=len(new), method=new.method,
        paired=paired, domains=new.prepared.domains if new.prepared else (), cases=nan, notes=notes,
        prepared=new.prepared,
    )  # fmt: skip
