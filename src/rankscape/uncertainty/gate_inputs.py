"""The two sides of a gate: one entity each, on the same domains, and what was seen of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from .._costs import no_costs
from ..checks import checked_rng, checked_size, fraction_of_text, needs_tn, one_of, two_class_only
from ..checks.numbers import checked_share
from ..domains import MissingDomainsWarning, Prepared
from ..domains.grid import refuse_idle
from ..domains.prepare import prepare
from ..domains.shift import checked_shift
from ..domains.weights import shared_weights, weights_left
from ..errors import DataError, Option, UsageError
from ..outcomes import RIGHT_SIDE, TWO_CLASS, SampleSpace, lacks_tn, to_be_found
from ..performances import Performances, Units, as_performances, concat
from ..performances.averages import sizes_of
from ..tasks.success import SPACE, graded, is_right_or_wrong, mean_of_grades
from ..tasks.two_class import at_right_side
from ..texts import counted, label, some
from ..typing import Missing, PerformancesLike, PriorLike, RandomLike, Resample, WeightsLike
from .box import ACCURACY, Box, CostsLike, box_of_costs, parse_box
from .defaults import DRAWS
from .diagnostics import few_graded
from .draws import Draws, drawn_from, given_seed
from .evidence import Evidence, evidence_of_counts
from .gate_draws import Pair
from .gate_pairs import in_order, pair_of

UNPAIRED = "Unpaired: on the same cases differences are usually surer; counts do not say which they share"
MISSING = ("error", "complete")
DEFAULT_BOX = "beta = 1"


@dataclass(frozen=True, eq=False)
class Sides:
    """What a gate decides on: what was seen of both models, and how others of it are drawn.

    ``observed`` are the summaries of the new model and of the one in use, ``pair`` what draws start from (None where
    the performances are probabilities), ``apart`` the same for each domain by itself. ``sentence`` says what is drawn.
    ``successes`` names the only score of cases that are right or wrong, or graded, of which what was observed is all
    positive; it is empty for others.
    """

    observed: tuple[Performances, Performances]
    pair: Pair | None
    domains: tuple[str, ...]
    prepared: Prepared
    notes: tuple[str, ...]
    sentence: str
    draws: int
    seed: int
    apart: tuple[tuple[str, tuple[Performances, Performances]], ...] = ()
    chosen: bool = False
    successes: str = ""

    @property
    def side(self) -> bool:
        """Whether there are no true negatives, so that only the right side of the Tile is known."""
        return self.observed[0].space == RIGHT_SIDE

    def refuse(self, box: Box, shift_prior: PriorLike | None) -> None:
        """Raise for a box that needs true negatives where there are none."""
        if not self.side:
            return
        if box.costs is not None:
            raise no_costs(box.costs, of_gate=True)
        if box.prior is not None or shift_prior is not None:
            raise needs_tn("a prior of a gate")
        if min(box.a) < 1:
            raise needs_tn("a box with a < 1", way_out="state the box in beta, as in beta in [0.5, 2]")

    def each(self) -> Iterator[tuple[str, Sides]]:
        """Yield each domain that has a weight, in the order of the names, and its sides."""
        for d, (name, observed) in enumerate(self.apart):
            pair = self.pair and self.pair.on(d)
            yield name, replace(self, observed=observed, pair=pair, domains=(name,), notes=(), apart=())


def sides_of_performances(
    new: PerformancesLike,
    against: PerformancesLike,
    draws: int,
    rng: RandomLike,
    weights: WeightsLike | None,
    missing: Missing,
    resample: Resample | None,
) -> Sides:
    """Return the sides of two tables: each model by itself, for these do not say which cases are the same."""
    checked_size("draws", draws)
    sides = tuple(_right_or_wrong(entity_of(side, what)) for side, what in ((new, "new"), (against, "against")))
    if lacks_tn(sides[0].space) != lacks_tn(sides[1].space):
        which = "the new model" if lacks_tn(sides[0].space) else "the model in use"
        raise DataError(f"{which} has no true negatives, and the other one has", way_out="drop their column")
    if sides[0].space.outcomes != sides[1].space.outcomes:
        kinds = " and ".join(side.space.name for side in sides)
        raise DataError(
            f"the two are of different kinds, {kinds}; expected one", way_out="give the same columns of both"
        )
    refuse_idle(tuple({*(sides[0].domains or ()), *(sides[1].domains or ())}) or None, weights, missing)
    first, second, domains, left_out, notes = same_domains(sides[0], sides[1], missing)
    left = weights_left(weights, None, (*domains, *left_out), left_out)
    weighed = shared_weights((first, second), left)[0] if len(domains) > 1 else None
    both = _joined(first, second)
    counts = both.counts is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingDomainsWarning)  # the notes of the gate say it
        evidence = evidence_of_counts(both, weighed, resample=resample) if counts or resample == "domains" else None
        prepared = prepare(both, weights=weighed) if evidence is None else evidence.prepared
    notes = (*notes, *_about_things((first, second)))
    kind = prepared.weighting if weights is None or isinstance(weights, str) else "given"
    prepared = replace(prepared, grid=replace(prepared.grid, left_out=left_out), weighting=kind, missing=missing)
    out = _sides(prepared, evidence, draws if evidence else 0, seed_of(rng), notes)
    observed = [_of_two_classes(prepare(side, weights=weighed).grid.summary()) for side in (first, second)]
    apart = tuple(
        (place, (new.rename(first.names[:1]), old.rename(second.names[:1]))) for place, (new, old) in out.apart
    )
    return replace(out, observed=(observed[0], observed[1]), apart=apart, domains=domains)


def _joined(new: Performances, old: Performances) -> Performances:
    """Return the performances of both models, under different names, on the same domains."""
    places = new.domains or old.domains
    other = old.names[0] if old.names[0] != new.names[0] else f"{old.names[0]} (in use)"
    parts = [
        side.rename([name] * len(side), places if side.domains is None else None)
        for side, name in ((new, new.names[0]), (old, other))
    ]
    return concat([parts[0], parts[1] if old.space == new.space else replace(parts[1], space=new.space)])


def _sides(prepared: Prepared, evidence: Evidence | None, draws: int, seed: int, notes: tuple[str, ...] = ()) -> Sides:
    """Return the sides of performances of two models that were prepared together, the new one first."""
    prepared = _by_name(prepared)
    evidence = evidence and replace(evidence, prepared=prepared, units=_units_by_name(evidence))
    summary = _of_two_classes(prepared.grid.summary())
    if evidence is not None:
        notes += (*few_graded(evidence), *((UNPAIRED,) if evidence.perhaps_same_cases else ()))
    return Sides(
        observed=(summary[0:1], summary[1:2]), pair=None if evidence is None else pair_of(evidence),
        domains=prepared.domains,
        prepared=prepared, notes=notes, sentence="" if evidence is None else evidence.sentence, draws=draws, seed=seed,
        successes=_successes(prepared.given.space), apart=_apart(prepared),
        chosen=bool(evidence and evidence.chosen),
    )  # fmt: skip


def _about_things(sides: tuple[Performances, Performances]) -> tuple[str, ...]:
    """Return notes on the domains where the two had not as much to find, without true negatives."""
    if any(side.counts is None for side in sides) or to_be_found(sides[0].space) is None:
        return ()
    new, old = (
        dict(zip(side.domains or ("",) * len(side), sizes_of(side.integers, side.space).tolist(), strict=True))
        for side in sides
    )
    unlike = [place for place in new if place in old and new[place] != old[place]]
    if not unlike:
        return ()
    more = f", and so on {counted(len(unlike) - 1, 'more domain')}" if len(unlike) > 1 else ""
    where = f" on {label(unlike[0])}" if unlike[0] else ""
    return (
        f"The new model had {counted(new[unlike[0]], 'thing')} to find (fn + tp){where}, the other {old[unlike[0]]}: "
        f"they were not tried on the same{more}",
    )


def sides_of_draws(new: Draws, against: Draws, idle: list[str]) -> Sides:
    """Return the sides of two members of the same draws; the gate draws anew, from what these were drawn from."""
    if idle:
        raise UsageError([Option(idle[0]), " would change nothing: these are draws already"])
    for side, what in ((new, "new"), (against, "against")):
        refuse_other_spaces(side.space)
        if len(side.names) > 1:
            which = "entity" if what == "new" else "against_entity"
            ways = one_of(side.names, "draws[{}]", which)
            raise UsageError("", where=what, expected="draws of one entity", way_out=ways)
    if new.evidence is None or new.evidence is not against.evidence or new.seed != against.seed:
        raise UsageError(
            "the draws of the two models were made apart, so that it is not known what the models share",
            expected='two members of the same draws, such as drawn["new"] and drawn["old"]',
        )
    evidence = new.evidence.only([new.names[0], against.names[0]])
    prepared = _by_name(evidence.prepared)
    if prepared.lacking:
        lacking = "; ".join(f"{label(name)} lacks {some(places)}" for name, places in prepared.lacking.items())
        raise DataError(
            f"the two are of different domains ({lacking})", way_out=[["draw with ", Option("missing", "complete")]]
        )
    return _sides(evidence.prepared, evidence, len(new), seed_of(0 if new.seed is None else new.seed))


def sides_sharing_cases(
    new: PerformancesLike | Draws,
    against: PerformancesLike | Draws,
    draws: int | None,
    rng: RandomLike,
    weights: WeightsLike | None,
    missing: Missing,
    resample: Resample | None,
) -> Sides | None:
    """Return the sides of two models that share their cases, as those of cross-fitting do; None where unknown."""
    if not isinstance(new, Performances) or not isinstance(against, Performances):
        return None
    if new.shared is None or against.shared is None or new.shared.cases is not against.shared.cases:
        return None
    new, against = entity_of(new, "new"), entity_of(against, "against")
    if new.space != against.space or (new.domains is None) != (against.domains is None):
        return None
    refuse_idle(tuple({*(new.domains or ()), *(against.domains or ())}) or None, weights, missing)
    new, against, domains, left_out, notes = same_domains(new, against, missing)
    both = _joined(new, against)
    if both.pairing is None:
        return None
    left = weights_left(weights, None, (*domains, *left_out), left_out)
    evidence = evidence_of_counts(both, left, resample=resample)
    drawn = drawn_from(evidence, DRAWS if draws is None else draws, 0 if rng is None else rng)
    sides = sides_of_draws(drawn[drawn.names[0]], drawn[drawn.names[1]], [])
    grid = replace(sides.prepared.grid, left_out=left_out)
    return replace(sides, prepared=replace(sides.prepared, grid=grid, missing=missing), notes=(*sides.notes, *notes))


def seed_of(rng: RandomLike) -> int:
    """Return the seed of draws: the one given, or one that a generator draws."""
    seed = given_seed(rng)
    return int(checked_rng(rng).integers(2**53)) if seed is None else seed


def _names_in_order(prepared: Prepared) -> list[int]:
    return sorted(range(len(prepared.grid.domains)), key=prepared.grid.domains.__getitem__)


def _units_by_name(evidence: Evidence) -> tuple[Units, ...]:
    return tuple(evidence.units[d] for d in _names_in_order(evidence.prepared)) if evidence.units else ()


def _by_name(prepared: Prepared) -> Prepared:
    """Return what was prepared with its domains in the order of their names."""
    grid = prepared.grid
    order = _names_in_order(prepared)
    domains, weights = tuple(grid.domains[d] for d in order), tuple(grid.weights[d] for d in order)
    return replace(prepared, grid=replace(grid, domains=domains, weights=weights, rows=grid.rows[:, order]))


def _apart(prepared: Prepared) -> tuple[tuple[str, tuple[Performances, Performances]], ...]:
    """Return the performances of both models on each domain that has a weight, where domains are named."""
    if not prepared.domains:
        return ()
    grid = prepared.grid

    def on(e: int, d: int) -> Performances:
        return _of_two_classes(replace(grid.performances[int(grid.rows[e, d])], domains=None))

    return tuple((grid.domains[d], (on(0, d), on(1, d))) for d in in_order(prepared))


def refuse_other_spaces(space: SampleSpace) -> None:
    """Raise for outcomes that are neither those of two classes, perhaps without tn, nor right and wrong."""
    if not (is_right_or_wrong(space) or lacks_tn(space)):
        two_class_only(space, "a gate")


def _successes(space: SampleSpace) -> str:
    """Return the name of the only score of cases that are right or wrong, or graded; nothing for others."""
    return mean_of_grades(space) or ("accuracy" if is_right_or_wrong(space) else "")


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


def entity_of(given: PerformancesLike, what: str) -> Performances:
    """Return the performances of one side, of one entity, in the order of the names of the domains."""
    performances = as_performances(given)
    refuse_other_spaces(performances.space)
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


def same_domains(
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
    new, against = (_on(side, common) for side in (new, against))
    left_out = (*only[0], *only[1])
    note = f"Compared on {counted(len(common), 'domain')} that both have, without {some(left_out)}"
    return new, against, common, left_out, (note,)


def _on(side: Performances, domains: tuple[str, ...]) -> Performances:
    return side[np.array([name in domains for name in side.domains or ()])]


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


def refuse_unknown_policy(missing: Any) -> None:
    """Raise for what is no answer to domains that only one of the two has."""
    if missing not in MISSING:
        raise UsageError(Option("missing", missing), expected=f"one of {', '.join(map(repr, MISSING))}")


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
