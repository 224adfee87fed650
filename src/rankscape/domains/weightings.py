"""Who comes first for which weights of the domains: shares of all weightings, and what dethrones the winner."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import nan, sqrt
from typing import TypeAlias

import numpy as np

from .._scores import Score, as_score
from ..checks import checked_rng, checked_size
from ..errors import DataError, Option, UsageError
from ..typing import Missing, PerformancesLike, PriorLike, RandomLike, ScoreLike, WeightsLike
from .contests import Contest, Ratios, contest_of
from .grid import Grid, refuse_pooled
from .prepare import Prepared, prepare
from .weight_flips import WeightFlip, ends_on_line, lines_of, scanned
from .weight_programs import BITS, Possibility, possibilities
from .weight_shares import Corner, WeightRegion, area, drawn, on_line, on_triangle
from .weighting_record import Weightings, names_of_groups
from .weights import Groups

Regions: TypeAlias = Sequence[tuple[list[int], tuple[tuple[Fraction, ...], ...]]]
"""Groups that come first together, and the corners of where they do, as weights that sum to 1."""

DRAWS = 100_000
"""Weightings that are drawn where shares are not exact."""

FEWEST_DRAWS, MOST_NUMBERS = 1000, 8_000_000
"""The fewest weightings that are drawn unasked, and the numbers (weightings × entities × outcomes) that this takes."""


def weightings(
    performances: PerformancesLike,
    by: ScoreLike | None = None,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    *,
    groups: Groups = None,
    shift_prior: PriorLike | None = None,
    draws: int = DRAWS,
    rng: RandomLike = 0,
) -> Weightings:
    """Find who comes first for which weights of the domains, and which change of one weight dethrones the winner.

    Parameters
    ----------
    performances : PerformancesLike
        Performances on two or more domains.
    by : ScoreLike, optional
        The score, as in :func:`rankscape.rank`.
    weights : WeightsLike
        The present weights, from which the changes start; as in :func:`rankscape.summarize`, with ``groups``.
    missing : {"error", "complete", "available"}
        What is done where an entity lacks a domain, as there. With "available" an entity has no score where all the
        weight is on domains that it lacks.
    groups : mapping of domains to groups, optional
        The groups of the present weights.
    shift_prior : number, optional
        The share of positives to which the averages are shifted, under all weights.
    draws : int
        The number of weightings that are drawn where shares are not exact.
    rng : int, Generator or None
        The seed of these draws.

    Returns
    -------
    Weightings
        Shares of all weightings, who can come first at all, and the changes of one weight.

    Raises
    ------
    DataError
        For fewer than two domains, and for missing cells.
    UsageError
        Where nobody comes first because the score is undefined for every entity, and for weights that mean nothing.

    See Also
    --------
    rankscape.domains.worst_case : how much the score may change
    rankscape.domains.leave_one_out
    rankscape.summarize

    Notes
    -----
    Under weights w a ranking score of entity i is Σ w_d·E_d[I·S] / Σ w_d·E_d[I]. It is linear in w, up to what all
    share, where E_d[I] is the same for all entities on each domain: always so for the accuracy, and for the true
    positive rate where all entities have the same cases. Shares are exact for two domains (intervals between roots of
    quadratics), and for three where scores are linear (polygons); otherwise weightings are drawn. Who can come first is
    decided by linear programs, whose answers are verified on integers. Changes of one weight are exact for ranking
    scores; for others they are looked for in steps of a thousandth, and then halved.

    Examples
    --------
    >>> import rankscape as rs
    >>> right = [90, 60, 80, 80, 85, 70]
    >>> P = rs.tasks.success.from_counts(
    ...     right, 100, names=["a", "b"] * 3, domains=["x"] * 2 + ["y"] * 2 + ["z"] * 2
    ... )
    >>> result = rs.domains.weightings(P)
    >>> result.shares, result.possible["b"]
    ({'a': 1.0, 'b': 0.0}, 'in ties only')
    """
    draws = checked_size("draws", draws)
    asked = prepare(performances, weights=weights, missing=missing, shift_prior=shift_prior, groups=groups)
    return weightings_of(asked, as_score(by, asked.grid.performances.space), draws, rng)


def weightings_of(
    asked: Prepared, score: Score, draws: int | None = None, rng: RandomLike = 0, shares: bool = True
) -> Weightings:
    """Return the same of what was prepared; without a number of draws, fewer where scores take long to compute.

    Without ``shares`` only the changes of one weight are computed, and nothing else is known.
    """
    generator, grid = checked_rng(rng), asked.grid
    if len(grid.domains) < 2:
        column = "name the column of domains"
        raise DataError(
            "weights can only change between two or more domains",
            got=str(len(grid.domains)),
            way_out=Option("domain", option="domain-column", python=column, shell=f"{column} with --domain-column"),
        )
    refuse_pooled(grid, "weightings")
    contest = contest_of(grid, score, asked.shift_prior)
    best = contest.first_at(grid.weights)
    if not best:
        raise UsageError(f"no model is first: {score.name} is undefined for all of them with these weights")
    if draws is None:
        draws = DRAWS if contest.kind != "other" else min(DRAWS, max(FEWEST_DRAWS, MOST_NUMBERS // contest.width))
    of_groups = _shares(contest, len(grid.domains), draws, generator) if shares else _unknown(len(contest.members))
    named = partial(names_of_groups, grid.entities, contest)
    members = [(e, group) for group, rows in enumerate(contest.members) for e in rows]
    of_names = [(grid.entities[e], group) for e, group in sorted(members)]
    return Weightings(
        score=score,
        names=grid.entities,
        domains=grid.domains,
        weights=grid.weights,
        kind=contest.kind,
        shares={name: of_groups.shares[group] for name, group in of_names},
        errors={name: of_groups.errors[group] for name, group in of_names},
        possible={name: of_groups.possible[group] for name, group in of_names},
        first=frozenset(named(best)),
        flips=tuple(sorted(_flips(contest, best, grid), key=lambda flip: flip.change)),
        draws=of_groups.draws,
        contest=contest,
        regions=tuple(WeightRegion(named(best), corners) for best, corners in of_groups.regions),
    )


def over_weights(asked: Prepared, score: Score, shares: bool = True) -> Weightings | None:
    """Return the same for a page that has other things to say, without warnings.

    None for fewer than two domains, and where nobody has a score.
    """
    if len(asked.domains) < 2:
        return None
    with warnings.catch_warnings(), suppress(UsageError):
        warnings.simplefilter("ignore")
        return weightings_of(asked, score, shares=shares)
    return None


@dataclass(frozen=True)
class _OfGroups:
    shares: list[float]
    errors: list[float]
    possible: dict[int, Possibility]
    draws: int = 0
    regions: Regions = ()


def _unknown(groups: int) -> _OfGroups:
    return _OfGroups([nan] * groups, [nan] * groups, dict.fromkeys(range(groups), "not seen"))


def _shares(contest: Contest, n: int, draws: int, rng: np.random.Generator) -> _OfGroups:
    """Return the share of each group, its standard error, and whether it can come first."""
    groups = range(len(contest.members))
    if isinstance(contest, Ratios) and n == 2:
        pieces = on_line(contest)
        lengths = [sum((end - start for start, end, best in pieces if i in best), Fraction(0)) for i in groups]
        witnesses = {i: _whole(1 - (start + end) / 2) for start, end, best in pieces for i in best}
        regions: Regions = [(best, ((1 - start, start), (1 - end, end))) for start, end, best in pieces]
        return _OfGroups(list(map(float, lengths)), [0.0] * len(groups), possibilities(contest, witnesses), 0, regions)
    if isinstance(contest, Ratios) and n == 3 and contest.linear:
        polygons = {i: corners for i, corners in on_triangle(contest).items() if area(corners)}
        witnesses = {i: [sum(column) for column in zip(*corners, strict=True)] for i, corners in polygons.items()}
        shares = [float(area(polygons.get(i, ()))) for i in groups]
        regions = [([i], tuple(map(_fractions, corners))) for i, corners in polygons.items()]
        return _OfGroups(shares, [0.0] * len(groups), possibilities(contest, witnesses), 0, regions)
    times, places = drawn(contest, draws, n, rng)
    witnesses = {i: [round(x * 2**BITS) for x in places[i].tolist()] for i in groups if times[i]}
    if isinstance(contest, Ratios):
        possible = possibilities(contest, witnesses)
    else:
        possible = {i: "yes" if i in witnesses else "not seen" for i in groups}
    certain = isinstance(contest, Ratios) and sum(answer != "no" for answer in possible.values()) == 1
    smoothed = [(int(k) + 0.5) / (draws + 1) for k in times]  # so that none has no error
    errors = [
        0.0 if possible[i] == "no" or certain else sqrt(share * (1 - share) / draws) for i, share in enumerate(smoothed)
    ]
    return _OfGroups([int(k) / draws for k in times], errors, possible, draws)


def _whole(share: Fraction) -> list[int]:
    """Return weights of two domains in whole numbers, up to a factor, given the share of the first."""
    return [share.numerator, share.denominator - share.numerator]


def _fractions(corner: Corner) -> tuple[Fraction, ...]:
    """Return weights that sum to 1."""
    return tuple(Fraction(x, sum(corner)) for x in corner)


def _flips(contest: Contest, first: list[int], grid: Grid) -> Iterator[WeightFlip]:
    """Yield how far the weight of each domain can change; of one that has all weight the others have no proportion."""
    named = partial(names_of_groups, grid.entities, contest)
    lines = lines_of(contest, grid.weights) if isinstance(contest, Ratios) else []
    for d, (domain, weight) in enumerate(zip(grid.domains, grid.weights, strict=True)):
        if weight == 1:
            continue
        if isinstance(contest, Ratios):
            ends, below, above = ends_on_line(lines[d], first, weight)
        else:
            ends, below, above = scanned(contest, first, d, grid.weights)
        yield WeightFlip(domain, weight, ends, named(below), named(above))
