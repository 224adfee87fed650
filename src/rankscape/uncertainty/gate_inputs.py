"""The two sides of a gate: one entity each, on the same domains, what was seen of them, and what was asked for."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from .._costs import no_costs
from ..checks import checked_size, fraction_of_text, needs_tn, one_of, two_class_only
from ..checks.numbers import checked_share
from ..domains import MissingDomainsWarning, Prepared
from ..domains.grid import about_unlike, refuse_idle
from ..domains.prepare import prepare
from ..domains.shift import checked_shift
from ..domains.weights import weights_left
from ..errors import DataError, Option, UsageError
from ..outcomes import TWO_CLASS, lacks_tn
from ..performances import Performances, as_performances, concat
from ..tasks.success import SPACE, graded, is_right_or_wrong, mean_of_grades
from ..tasks.two_class import at_right_side
from ..texts import counted, label, some
from ..typing import Missing, PerformancesLike, PriorLike, RandomLike, Resample, WeightsLike
from .box import ACCURACY, Box, CostsLike, box_of_costs, parse_box
from .defaults import DRAWS
from .diagnostics import few_graded
from .draws import Draws, seed_of
from .evidence import Evidence, evidence_of_counts

UNPAIRED = "Unpaired: on the same cases differences are usually surer; counts do not say which they share"
MISSING = ("error", "complete")
DEFAULT_BOX = "beta = 1"


@dataclass(frozen=True, eq=False)
class Sides:
    """What a gate decides on: what was seen of the new model and of the one in use, with domains in order of names.

    ``observed`` are their summaries, of two classes; ``evidence`` is what draws start from, None where performances are
    probabilities. ``unit`` is the sentence on what is drawn, and ``rounded`` says whether some are floats.
    """

    observed: tuple[Performances, ...]
    evidence: Evidence | None
    prepared: Prepared
    domains: tuple[str, ...]
    notes: tuple[str, ...]
    unit: str
    draws: int
    seed: int
    rounded: bool

    @property
    def lacks_tn(self) -> bool:
        """Whether there are no true negatives, so that only the right side of the Tile is known."""
        return lacks_tn(self.prepared.given.space)

    @property
    def successes(self) -> str:
        """The name of the only score of cases that are right or wrong, or graded; empty for others."""
        space = self.prepared.given.space
        return mean_of_grades(space) or ("accuracy" if is_right_or_wrong(space) else "")

    def refuse(self, box: Box, shift_prior: PriorLike | None) -> None:
        """Raise for a box that needs true negatives where there are none."""
        if not self.lacks_tn:
            return
        if box.costs is not None:
            raise no_costs(box.costs, of_gate=True)
        if box.prior is not None or shift_prior is not None:
            raise needs_tn("a prior of a gate")
        if min(box.a) < 1:
            raise needs_tn("a box with a < 1", way_out="state the box in beta, as in beta in [0.5, 2]")

    def each(self) -> Iterator[tuple[str, Sides]]:
        """Yield each domain that has a weight, and what was seen there."""
        grid = self.prepared.grid
        for d in grid.used:
            rows = (replace(grid.performances[int(row)], domains=None) for row in grid.rows[:, d])
            observed = [_of_two_classes(row).rename(side.names) for row, side in zip(rows, self.observed, strict=True)]
            name, evidence, unit = grid.domains[d], self.evidence and self.evidence.on(d), self.unit
            if evidence is not None and self.evidence is not None and evidence.unit != self.evidence.unit:
                unit = replace(evidence, chosen="").sentence
            yield name, replace(self, observed=tuple(observed), evidence=evidence, domains=(name,), notes=(), unit=unit)


def sides_of(
    new: PerformancesLike | Draws,
    against: PerformancesLike | Draws,
    draws: int | None,
    rng: RandomLike,
    weights: WeightsLike | None,
    missing: Missing,
    resample: Resample | None,
) -> Sides:
    """Return the sides of two members of the same draws, or of two tables, which may know the cases that they share."""
    if missing not in MISSING:
        raise UsageError(Option("missing", missing), expected=f"one of {', '.join(map(repr, MISSING))}")
    if isinstance(new, Draws) and isinstance(against, Draws):
        given = {"draws": draws, "rng": rng, "weights": weights, "missing": missing != "error", "resample": resample}
        return _sides_of_draws(new, against, [name for name, value in given.items() if value not in (None, False)])
    if isinstance(new, Draws) or isinstance(against, Draws):
        raise UsageError("expected performances of both models, or draws of both; got draws of one only")
    count = checked_size("draws", DRAWS if draws is None else draws)
    first, second = _entity_of(new, "new"), _entity_of(against, "against")
    refuse_idle(tuple({*(first.domains or ()), *(second.domains or ())}) or None, weights, missing)
    first, second, domains, left_out, notes = _on_same_domains(first, second, missing)
    both = _sharing_cases(first, second)
    if both is None:  # each model by itself: counts do not say which cases are the same
        first, second = _right_or_wrong(first), _right_or_wrong(second)
        if lacks_tn(first.space) != lacks_tn(second.space):
            which = "the new model" if lacks_tn(first.space) else "the model in use"
            raise DataError(f"{which} has no true negatives, and the other one has", way_out="drop their column")
        if first.space.outcomes != second.space.outcomes:
            kinds = f"{first.space.name} and {second.space.name}"
            raise DataError(
                f"the two are of different kinds, {kinds}; expected one", way_out="give the same columns of both"
            )
        both = _joined(first, second)
    weights = weights_left(weights, (*domains, *left_out), left_out)
    weights = weights if len(domains) > 1 else None  # of the domain that is left
    evidence = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingDomainsWarning)  # the notes of the gate say it
        if both.pairing is not None or both.counts is not None or resample == "domains":
            evidence = evidence_of_counts(both, weights, resample=resample)
        prepared = prepare(both, weights=weights) if evidence is None else evidence.prepared
    prepared = replace(prepared, grid=replace(prepared.grid, left_out=left_out), missing=missing)
    if unlike := about_unlike(prepared.grid.unlike, 1):
        notes += (", ".join(unlike),)
    names, rounded = (first.names[0], second.names[0]), not (first.of_integers and second.of_integers)
    sides = _sides(prepared, evidence, names, count if evidence else 0, seed_of(0 if rng is None else rng), notes)
    return replace(sides, rounded=rounded)


def _sides_of_draws(new: Draws, against: Draws, idle: list[str]) -> Sides:
    """Return the sides of two members of the same draws; the gate draws anew, from what these were drawn from."""
    if idle:
        raise UsageError([Option(idle[0]), " would change nothing: these are draws already"])
    for side, what in ((new, "new"), (against, "against")):
        if not (is_right_or_wrong(side.space) or lacks_tn(side.space)):
            two_class_only(side.space, "a gate")
        if len(side.names) > 1:
            which = "entity" if what == "new" else "against_entity"
            ways = one_of(side.names, "draws[{}]", which)
            raise UsageError("", where=what, expected="draws of one entity", way_out=ways)
    if new.evidence is None or new.evidence is not against.evidence or new.seed != against.seed:
        raise UsageError(
            "the draws of the two models were made apart, so that it is not known what the models share",
            expected='two members of the same draws, such as drawn["new"] and drawn["old"]',
        )
    names = (new.names[0], against.names[0])
    evidence = new.evidence.only(names)
    sides = _sides(evidence.prepared, evidence, names, len(new), 0 if new.seed is None else new.seed)
    if lacking := sides.prepared.lacking:
        gaps = "; ".join(f"{label(name)} lacks {some(places)}" for name, places in lacking.items())
        raise DataError(
            f"the two are of different domains ({gaps})", way_out=[["draw with ", Option("missing", "complete")]]
        )
    return sides


def _sides(
    prepared: Prepared, evidence: Evidence | None, names: tuple[str, str], draws: int, seed: int,
    notes: tuple[str, ...] = (),
) -> Sides:  # fmt: skip
    """Return the sides of performances of two models that were prepared together, the new one first."""
    grid = prepared.grid
    order = sorted(range(len(grid.domains)), key=grid.domains.__getitem__)
    domains, weights = tuple(grid.domains[d] for d in order), tuple(grid.weights[d] for d in order)
    prepared = replace(prepared, grid=replace(grid, domains=domains, weights=weights, rows=grid.rows[:, order]))
    if evidence is not None:
        units = tuple(evidence.units[d] for d in order) if evidence.units else ()
        evidence = replace(evidence, prepared=prepared, units=units)
        notes += (*few_graded(evidence), *((UNPAIRED,) if evidence.perhaps_same_cases else ()))
    summary = _of_two_classes(prepared.grid.summary())
    observed = tuple(summary[e : e + 1].rename([name]) for e, name in enumerate(names))
    unit = "" if evidence is None else evidence.sentence
    rounded = not summary.of_integers
    return Sides(observed, evidence, prepared, prepared.domains, notes, unit, draws, seed, rounded)


def _sharing_cases(new: Performances, old: Performances) -> Performances | None:
    """Return the performances of two models of which it is known which cases they share; None where it is not."""
    if new.shared is None or old.shared is None or new.shared.cases is not old.shared.cases:
        return None
    if new.space != old.space or (new.domains is None) != (old.domains is None):
        return None
    both = _joined(new, old)
    return None if both.pairing is None else both


def _joined(new: Performances, old: Performances) -> Performances:
    """Return the performances of both models, under different names, on the same domains."""
    places = new.domains or old.domains
    other = old.names[0] if old.names[0] != new.names[0] else f"{old.names[0]} (in use)"
    parts = [
        side.rename([name] * len(side), places if side.domains is None else None)
        for side, name in ((new, new.names[0]), (old, other))
    ]
    return concat([parts[0], parts[1] if old.space == new.space else replace(parts[1], space=new.space)])


def _of_two_classes(performances: Performances) -> Performances:
    """Return performances as those of two classes: of right or wrong cases, a success is a detection."""
    space = performances.space
    if lacks_tn(space):
        return at_right_side(performances)
    if not is_right_or_wrong(space):
        return performances
    return performances.pushforward(TWO_CLASS, [*["fn"] * (len(space) - 1), "tp"])


def _right_or_wrong(performances: Performances) -> Performances:
    """Return the performances of one side by itself; what was not answered is wrong."""
    space = performances.space
    if is_right_or_wrong(space) and len(space) > len(SPACE):
        of_two = SPACE if mean_of_grades(space) is None else graded(space.name)
        performances = performances.pushforward(of_two, ["failure", "failure", "success"])
    return performances.with_pairing(None)


def _entity_of(given: PerformancesLike, what: str) -> Performances:
    """Return the performances of one side, of one entity, in the order of the names of the domains."""
    performances = as_performances(given)
    if not (is_right_or_wrong(performances.space) or lacks_tn(performances.space)):
        two_class_only(performances.space, "a gate")
    names = list(dict.fromkeys(performances.names))
    if len(names) > 1:
        first = ", ".join(map(repr, names[:3])) + (", …" if len(names) > 3 else "")
        which = "entity" if what == "new" else "against_entity"
        raise DataError(
            "", where=what, expected="one entity", got=f"{len(names)} ({first})", way_out=one_of(names, "P[{}]", which)
        )
    if performances.domains is None:
        return performances
    return performances[sorted(range(len(performances)), key=performances.domains.__getitem__)]


def _on_same_domains(
    new: Performances, against: Performances, missing: Missing
) -> tuple[Performances, Performances, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return both on the same domains, these, those left out, and notes; raise DataError where they differ by default.

    Where one side names no domain, and the other one only, nothing can be compared, and a note says so.
    """
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
    new, against = (side[np.isin(side.domains or (), common)] for side in (new, against))
    left_out = (*only[0], *only[1])
    note = f"Compared on {counted(len(common), 'domain')} that both have, without {some(left_out)}"
    return new, against, common, left_out, (note,)


def checked_alpha(alpha: float) -> float:
    """Return the largest probability of an error."""
    return checked_share("alpha", alpha, "be a probability above 0, up to 0.5", most=np.nextafter(0.5, 1))


def checked_box(box: str | Box, costs: CostsLike | None, successes: str = "") -> Box:
    """Return the preferences, from a box or from costs; cases with ``successes`` have one only, which it names."""
    if successes:
        given, only = "costs" if costs is not None else "box", replace(ACCURACY, text=successes)
        if costs is not None or box not in (DEFAULT_BOX, only):
            raise UsageError(
                [Option(given), " would change nothing: cases that are right or wrong have no misses and false alarms, "
                 f"so that all preferences order as the {successes} does"], way_out=[["leave out ", Option(given)]],
            )  # fmt: skip
        return only
    if not isinstance(box, (str, Box)):
        raise UsageError("the box of preferences is a text, such as beta in [0.5, 2]", got=type(box).__name__)
    if costs is None:
        return parse_box(box) if isinstance(box, str) else box
    if box != DEFAULT_BOX:
        raise UsageError(["a box and ", Option("costs"), " each say what to prefer: choose one of them"])
    return box_of_costs(costs)


def checked_margin(margin: Any) -> Fraction:
    """Return the margin as the number that is meant: 0.01 is 1/100."""
    try:
        share = margin if isinstance(margin, Fraction) else fraction_of_text(str(margin))
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share < 1:
        got = f"{float(margin):g}" if isinstance(margin, Fraction) else f"{margin!s:.80}"
        raise UsageError(
            [Option("margin"), " must be a share of the right answers, at least 0 and below 1, such as 0.01"], got=got
        )
    return share


def refuse_idle_weights(weights: WeightsLike | None) -> None:
    """Raise for weights of averages where each domain is asked by itself; a weight of 0 leaves a domain out."""
    idle = weights not in (None, "equal")
    if isinstance(weights, Mapping):
        idle = len({weight for weight in weights.values() if weight}) > 1
    if idle:
        raise UsageError(
            [Option("weights"), " would change nothing: ", Option("every_domain"), " averages no domains"],
            way_out=["leave it out", "give each domain the weight 1, or 0 to leave it out"],
        )


def checked_prior(shift_prior: PriorLike | None, box: Box) -> Fraction | None:
    """Return the one prior to which both models are shifted, or None where the box has some, or that in use stays."""
    if box.successes and shift_prior is not None:
        raise UsageError(
            [Option("shift_prior"), " would change nothing: cases that are right or wrong have no prior"],
            way_out=[["leave out ", Option("shift_prior")]],
        )
    prior = checked_shift(shift_prior, TWO_CLASS)
    if prior is not None and box.prior is not None:
        raise UsageError(
            ["the prior is stated twice: in the box, and by ", Option("shift_prior")], way_out="leave one of them out"
        )
    if prior in (0, 1):
        raise UsageError([Option("shift_prior"), " must lie inside (0, 1) for a gate"], got=str(prior))
    return prior
