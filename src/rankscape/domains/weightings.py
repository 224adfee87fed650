"""Who comes first for which weights of the domains: shares of all weightings, and what dethrones the winner."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import partial
from math import inf, nan, sqrt
from typing import Any, ClassVar, TypeAlias

import numpy as np

from .._scores import Score, as_score
from ..arrays import Flags, Floats
from ..checks import checked_rng, checked_size
from ..errors import DataError, UsageError
from ..performances.averages import refuse_weights
from ..results import DrawnResult, Table
from ..tasks.success import SPACE as SUCCESS
from ..texts import counted, grouped, label, percent, some, tied
from ..typing import Number, PerformancesLike, RandomLike, ScoreLike
from .contests import (
    BITS,
    Contest,
    Corner,
    Kind,
    Possibility,
    Ratios,
    WeightFlip,
    area,
    chunks,
    contest_of,
    drawn,
    on_line,
    on_triangle,
    possibilities,
)
from .grid import NAME_DOMAINS, Prepared, by_level, prepared, refuse_pooled

Regions: TypeAlias = Sequence[tuple[list[int], tuple[tuple[Fraction, ...], ...]]]
"""Groups that come first together, and the corners of where they do, as weights that sum to 1."""

DRAWS = 100_000
"""Weightings that are drawn where shares are not exact."""

FEWEST_DRAWS, MOST_NUMBERS = 1000, 8_000_000
"""The fewest weightings that are drawn unasked, and the numbers (weightings × entities × outcomes) that this takes."""

MOST_NAMED = 6
"""Names that a sentence lists of those who cannot come first; it lists everybody who can."""

MOST_RANGES = 4
"""Domains whose ranges of weights a sentence lists; the pages have the same number."""


@dataclass(frozen=True, eq=False, repr=False)
class Weightings(DrawnResult):
    """Which entities come first, over all weights of the domains.

    The weights form a simplex, on which weightings are uniform.

    Attributes
    ----------
    score
        The score.
    names, domains
        The entities and the domains.
    weights
        The present weights.
    kind
        How the scores depend on the weights: "linear", as a "ratio" of two linear sums, or "other".
    shares
        {entity: share of all weightings for which it comes first, alone or tied}; entities that are equal under all
        weights each have the share of all of them.
    errors
        The standard errors of shares that were drawn; 0 where a share is exact.
    possible
        Whether an entity can come first: "yes" (alone but for its equals, for some weights), "in ties only", "no", or
        "not seen" (for none of the weightings tried, and not ruled out). "yes" and "no" are proved on integers; of
        linear scores so is "in ties only".
    first
        The names of those who come first under the present weights.
    flips
        How far the weight of each domain can change, the others in proportion, before they do not; the smallest change
        stands first.
    draws
        The number of weightings drawn.
    contest
        What decides who comes first under other weights.
    regions
        The exact regions of two domains, or of three for linear scores, else (): the names of those who come first, and
        the corners, weights of the domains that sum to 1, of an interval or a polygon.

    See Also
    --------
    rankscape.domains.weightings
    rankscape.plots.draw_weightings

    Examples
    --------
    >>> import rankscape as rs
    >>> right = [90, 60, 70, 60, 80, 65]
    >>> P = rs.tasks.success.from_counts(
    ...     right, 100, names=["a", "b", "c"] * 2, domains=["x"] * 3 + ["y"] * 3
    ... )
    >>> result = rs.domains.weightings(P)
    >>> result.shares, result.possible["c"], result.flip.domain, result.flip.low
    ({'a': 0.6, 'b': 0.4, 'c': 0.0}, 'no', 'x', 0.4)
    """

    drawing: ClassVar[str] = "draw_weightings"

    score: Score
    names: tuple[str, ...]
    domains: tuple[str, ...]
    weights: tuple[Fraction, ...]
    kind: Kind
    shares: Mapping[str, float]
    errors: Mapping[str, float]
    possible: Mapping[str, Possibility]
    first: frozenset[str]
    flips: tuple[WeightFlip, ...]
    draws: int
    contest: Contest = field(repr=False)
    regions: tuple[tuple[tuple[str, ...], tuple[tuple[Fraction, ...], ...]], ...] = field(default=(), repr=False)
    """Where each comes first, of two domains, and of three where scores are linear; else empty."""

    @property
    def noun(self) -> str:
        """The word for a domain; it is "benchmark" for cases that succeed or fail."""
        return "benchmark" if self.score.space.outcomes == SUCCESS.outcomes else "domain"

    @property
    def method(self) -> str:
        """The method by which the shares were computed."""
        return f"{grouped(self.draws)} drawn" if self.draws else "exact"

    @property
    def heading(self) -> str:
        """A phrase with the score, the number of domains, and the method."""
        domains = counted(len(self.domains), self.noun)
        return f"First by {self.score.name} over all weightings of {domains} ({self.method})"

    @property
    def flip(self) -> WeightFlip | None:
        """The smallest change of one weight that puts another entity first; None where none does."""
        return self.flips[0] if self.flips and self.flips[0].change < inf else None

    @property
    def changes(self) -> Table:
        """One row per domain, the smallest change first: weight, low, high, and who comes first below and above."""
        return Table(
            {
                "domain": [flip.domain for flip in self.flips],
                "weight": [float(flip.weight) for flip in self.flips],
                "low": [flip.low for flip in self.flips],
                "high": [flip.high for flip in self.flips],
                "below": [" = ".join(flip.below) for flip in self.flips],
                "above": [" = ".join(flip.above) for flip in self.flips],
            }
        )

    def table(self) -> Table:
        """Return one row per entity, the largest share first: entity, share, error, possible, first (now).

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        order = sorted(self.names, key=lambda name: (-self.shares[name], name))
        return Table(
            {
                "entity": order,
                "share": [self.shares[name] for name in order],
                "error": [self.errors[name] for name in order],
                "possible": [self.possible[name] for name in order],
                "first": [name in self.first for name in order],
            }
        )

    def at(self, weights: Mapping[str, Number]) -> frozenset[str]:
        """Return who comes first under other weights, {domain: weight}, exactly; a domain that is left out has none.

        Parameters
        ----------
        weights
            {domain: weight}, ≥ 0 and not all 0; a domain that is left out has none.

        Returns
        -------
        frozenset of str
            The entities that come first, all that tie.

        Raises
        ------
        UsageError
            For weights that mean nothing.
        """
        given = by_level(dict.fromkeys(self.domains, 0) | dict(weights), [[domain] for domain in self.domains])
        return frozenset(names_of_groups(self.names, self.contest, self.contest.first_at(given)))

    def firsts(self, points: Floats) -> Flags:
        """Return which entities come first (points, n) under weights (points, domains), in floats.

        Parameters
        ----------
        points : (points, domains)
            Weights of the domains.

        Returns
        -------
        (points, n)
            Whether each entity comes first, in floats.
        """
        out, start = np.zeros((len(points), len(self.names)), dtype=bool), 0
        for size in chunks(len(points), self.contest.width):
            of_groups = self.contest.firsts(points[start : start + size])
            for group, members in enumerate(self.contest.members):
                out[start : start + size, list(members)] = of_groups[:, [group]]
            start += size
        return out

    @property
    def _looked(self) -> str:
        return "" if self.kind != "other" else " (looked for in steps of 0.1 % of the weight)"

    @property
    def about_change(self) -> str:
        """A sentence on the smallest change of one weight that puts another entity first."""
        winners = sorted(self.first)
        many, flip = len(winners) > 1, self.flip
        given = "equal" if len(set(self.weights)) == 1 else "the given"
        start = f"With {given} weights, {tied(winners)} {'tie for first' if many else 'is first'}"
        stays = f"{start} and {'stay' if many else 'stays'} so"
        if flip is None:
            return f"{stays} whatever weight a single {self.noun} gets, the others in proportion{self._looked}"
        rises = bool(flip.above) and (not flip.below or flip.ends[1] - flip.weight <= flip.weight - flip.ends[0])
        end, names = (flip.ends[1], flip.above) if rises else (flip.ends[0], flip.below)
        then = f"{tied(names)} {'come' if len(names) > 1 else 'comes'} first"
        more = "more" if rises else "less"
        limit, here = limits(end, flip.weight)
        of_it = f"of the weight (now {here}), the others in proportion"
        if end == flip.weight:
            return f"{start}; as soon as {_called(self, flip)} gets {more} {of_it}, {then}"
        side = "above" if rises else "below"
        smallest = f"the smallest change of a single weight that alters this is {_called(self, flip)} {side} {limit}"
        return f"{start}; {smallest} {of_it}: then {then}{self._looked}"

    @property
    def about_ranges(self) -> str:
        """A sentence: the weights of each domain for which the winner stays first, and who comes next."""
        winners = sorted(self.first)
        stays = f"{tied(winners)} {'stay' if len(winners) > 1 else 'stays'} first"
        ending = [flip for flip in self.flips if flip.change < inf]
        if not ending:
            return f"{stays} whatever weight a single {self.noun} gets{self._looked}"
        alone = f"If the weight of one {self.noun} changes and the others keep their proportions, {stays} for "
        if len(ending) > MOST_RANGES:
            ranges = [_range(flip) for flip in ending[: MOST_RANGES - 1]]
            others = counted(len(self.flips) - len(ranges), self.noun)
            return f"{alone}{_every(ranges)}; the other {others} leave more room{self._looked}"
        free = [flip for flip in self.flips if flip.change == inf]
        free.sort(key=lambda flip: self.domains.index(flip.domain))
        rest = [f"{some([flip.domain for flip in free], 3, quote='')} at any weight"] if free else []
        return f"{alone}{_every([*map(_range, ending), *rest])}{self._looked}"

    def sentences(self) -> tuple[str, ...]:
        """Return sentences on the shares, the change that dethrones the winner, and who cannot come first.

        Returns
        -------
        tuple of str
            The sentences, for a reader.
        """
        return tuple(filter(None, (*_about_shares(self), self.about_change, *_about_chances(self))))

    def document(self) -> dict[str, Any]:
        """Return the result as a part of a JSON document.

        Returns
        -------
        dict
            The part of a JSON document.
        """
        table = self.table()
        return {
            "weights": {name: float(weight) for name, weight in zip(self.domains, self.weights, strict=True)},
            "scores": self.kind,
            "draws": self.draws,
            "first": sorted(self.first),
            "entities": [dict(zip(table.columns[:-1], row[:-1], strict=True)) for row in table.rows()],
            "changes": [
                {"domain": flip.domain, "weight": float(flip.weight), "low": flip.low, "high": flip.high}
                | {"below": list(flip.below), "above": list(flip.above)}
                for flip in self.flips
            ],
        }


def weightings(
    performances: PerformancesLike | Prepared,
    by: ScoreLike | None = None,
    *,
    draws: int | None = None,
    rng: RandomLike = 0,
    shares: bool = True,
) -> Weightings:
    """Find who comes first for which weights of the domains, and which change of one weight dethrones the winner.

    Parameters
    ----------
    performances
        Performances on two or more domains, or what :func:`prepare` makes of them, whose weights are the present ones,
        from which the changes start. Of entities that lack a domain, one has no score where all the weight is on
        domains that it lacks. A prior is shifted after averaging, under all weights.
    by : ScoreLike, optional
        The score, as in :func:`rankscape.rank`.
    draws : int, optional
        The number of weightings that are drawn where shares are not exact; by default 100 000, and fewer where scores
        take long to compute.
    rng : int, Generator or None
        The seed of these draws.
    shares : bool
        Whether shares are computed, which takes longest; else only the changes of one weight.

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
    asked, generator = prepared(performances), checked_rng(rng)
    grid, score = asked.grid, as_score(by, asked.grid.performances.space)
    if len(grid.domains) < 2:
        raise DataError(
            "weights can only change between two or more domains", got=str(len(grid.domains)), way_out=NAME_DOMAINS
        )
    refuse_pooled(grid, "weightings")
    equal = (Fraction(1, len(grid.domains)),) * len(grid.domains)
    refuse_weights(replace(grid, weights=equal).empty, "weightings")  # also of domains that have no weight now
    contest = contest_of(grid, score, asked.shift_prior)
    best = contest.first_at(grid.weights)
    if not best:
        raise UsageError(f"no model is first: {score.name} is undefined for all of them with these weights")
    usual = DRAWS if contest.kind != "other" else min(DRAWS, max(FEWEST_DRAWS, MOST_NUMBERS // contest.width))
    draws = usual if draws is None else checked_size("draws", draws)
    of_groups = errors = [nan] * len(contest.members)
    possible: Mapping[int, Possibility] = dict.fromkeys(range(len(errors)), "not seen")
    drawings: int = 0
    regions: Regions = ()
    if shares:
        of_groups, errors, possible, drawings, regions = _shares(contest, len(grid.domains), draws, generator)
    named = partial(names_of_groups, grid.entities, contest)
    flips = []
    for d, (domain, weight) in enumerate(zip(grid.domains, grid.weights, strict=True)):
        if weight != 1:  # else the others have no proportion
            ends, below, above = contest.ends(best, d, grid.weights)
            flips.append(WeightFlip(domain, weight, ends, named(below), named(above)))
    members = [(e, group) for group, rows in enumerate(contest.members) for e in rows]
    of_names = [(grid.entities[e], group) for e, group in sorted(members)]
    return Weightings(
        score=score,
        names=grid.entities,
        domains=grid.domains,
        weights=grid.weights,
        kind=contest.kind,
        shares={name: of_groups[group] for name, group in of_names},
        errors={name: errors[group] for name, group in of_names},
        possible={name: possible[group] for name, group in of_names},
        first=frozenset(named(best)),
        flips=tuple(sorted(flips, key=lambda flip: flip.change)),
        draws=drawings,
        contest=contest,
        regions=tuple((named(best), corners) for best, corners in regions),
    )


def over_weights(asked: Prepared, score: Score, shares: bool = True) -> Weightings | None:
    """Return the weightings for a page that has other things to say, without warnings.

    None for fewer than two domains, and where nobody has a score.
    """
    if len(asked.domains) < 2:
        return None
    with warnings.catch_warnings(), suppress(UsageError):
        warnings.simplefilter("ignore")
        return weightings(asked, score, shares=shares)
    return None


def _shares(
    contest: Contest, n: int, draws: int, rng: np.random.Generator
) -> tuple[list[float], list[float], Mapping[int, Possibility], int, Regions]:
    """Return the share of each group, its standard error, whether it can come first, the draws, and exact regions."""
    groups = range(len(contest.members))
    if isinstance(contest, Ratios) and (n == 2 or (n == 3 and contest.linear)):
        pieces: list[tuple[list[int], tuple[tuple[Fraction, ...], ...], Fraction]]
        if n == 2:
            pieces = [(best, ((1 - low, low), (1 - high, high)), high - low) for low, high, best in on_line(contest)]
        else:
            polygons = [([i], corners, area(corners)) for i, corners in on_triangle(contest).items()]
            pieces = [(best, tuple(map(_unit, corners)), size) for best, corners, size in polygons if size]
        witnesses: dict[int, Any] = {
            i: [sum(column) for column in zip(*corners, strict=True)] for best, corners, _ in pieces for i in best
        }
        shares = [float(sum(size for best, _, size in pieces if i in best)) for i in groups]
        regions = [(best, corners) for best, corners, _ in pieces]
        return shares, [0.0] * len(groups), possibilities(contest, witnesses), 0, regions
    times, places = drawn(contest, draws, n, rng)
    witnesses = {i: [round(x * 2**BITS) for x in places[i].tolist()] for i in groups if times[i]}
    possible: Mapping[int, Possibility] = {i: "yes" if i in witnesses else "not seen" for i in groups}
    if isinstance(contest, Ratios):
        possible = possibilities(contest, witnesses)
    certain = sum(answer != "no" for answer in possible.values()) == 1 and isinstance(contest, Ratios)
    smoothed = [(int(k) + 0.5) / (draws + 1) for k in times]  # so that none has no error
    errors = [
        0.0 if possible[i] == "no" or certain else sqrt(share * (1 - share) / draws) for i, share in enumerate(smoothed)
    ]
    return [int(k) / draws for k in times], errors, possible, draws, ()


def _unit(corner: Corner) -> tuple[Fraction, ...]:
    return tuple(Fraction(weight, sum(corner)) for weight in corner)


def names_of_groups(names: Sequence[str], contest: Contest, groups: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the entities of groups, sorted."""
    return tuple(sorted(names[e] for group in groups for e in contest.members[group]))


def _about_shares(result: Weightings) -> Iterator[str]:
    """Say for which share of all weightings each comes first."""
    groups = [names_of_groups(result.names, result.contest, [k]) for k in range(len(result.contest.members))]
    groups = [names for names in groups if result.shares[names[0]]]
    groups.sort(key=lambda names: (-result.shares[names[0]], names))
    over = f"weightings of the {counted(len(result.domains), result.noun)}"
    if not groups:
        return
    largest = groups[0]
    verb = "come" if len(largest) > 1 else "comes"
    share = result.shares[largest[0]]
    if share == 1 and not result.errors[largest[0]]:
        yield f"{tied(largest)} {verb} first for all {over}"
        return
    texts = [f"{tied(names)} for {percent(result.shares[names[0]])}" for names in groups[1:]]
    start = f"{tied(largest)} {verb} first for {percent(share)} of all {over}"
    drawn = ""
    if result.draws:
        error = max(100 * max(result.errors.values()), 0.01)
        drawn = f" ({grouped(result.draws)} were drawn; standard errors are at most {error:.2g} points)"
    yield ", ".join([start, *texts]) + drawn


def _called(result: Weightings, flip: WeightFlip) -> str:
    """Return the name of a domain in a sentence: one that starts with a digit would read as a number."""
    name = label(flip.domain)
    return f"{result.noun} {name}" if name[:1].isdigit() else name


def _range(flip: WeightFlip) -> str:
    """Return the weights of one domain between which the winner stays first, and who comes first beyond."""
    low = limits(flip.ends[0], flip.weight)[0] if flip.below else ""
    high = limits(flip.ends[1], flip.weight)[0] if flip.above else ""
    sides = (("below", flip.below), ("above", flip.above))
    beyond = ", ".join(f"{side}: {tied(names)}" for side, names in sides if names)
    if flip.ends[0] == flip.ends[1]:
        return f"{label(flip.domain)} at {low or high} exactly ({beyond})"
    span = f"{low} to {high}" if low and high else f"{low} or more" if low else f"{high} or less"
    return f"{label(flip.domain)} at {span} ({beyond})"


def limits(end: Fraction, here: Fraction) -> tuple[str, str]:
    """Return the end of an interval of weights in percent, rounded towards the present one, and this one.

    >>> limits(Fraction(312, 1000), Fraction(1, 5)), limits(Fraction(33334, 100000), Fraction(1, 3))
    (('31.2 %', '20 %'), ('33.334 %', '33.333 %'))
    """
    for digits in range(1, 17):
        step = Decimal(1).scaleb(-digits)
        now = (Decimal(here.numerator) / Decimal(here.denominator) * 100).quantize(step)
        exact = Decimal(end.numerator) / Decimal(end.denominator) * 100
        limit = exact.quantize(step, rounding=ROUND_FLOOR if end > here else ROUND_CEILING)
        if end == here or (limit != now and (limit > now) == (end > here) and (limit not in (0, 100) or end in (0, 1))):
            break
    return tuple(f"{float(x):.15g} %" for x in (limit, now))  # type: ignore[return-value]


def _about_chances(result: Weightings) -> Iterator[str]:
    """Say who comes first too rarely to have a share, or only in ties, who cannot, and of whom it is not known."""
    everybody = sorted(result.names)
    answers: tuple[Possibility, ...] = ("no", "in ties only", "not seen")
    never, ties, unseen = ([name for name in everybody if result.possible[name] == one] for one in answers)
    rarely = [name for name in everybody if result.possible[name] == "yes" and not result.shares[name]]
    n = len(everybody)
    if rarely:
        where = f"only where other {result.noun}s have no weight"
        where = f"for none of the {grouped(result.draws)} weightings drawn" if result.draws else where
        yield f"{_every(list(map(label, rarely)))} can come first, too, though {where}"
    if never:
        yield f"{_subject(never, n)} cannot come first, whatever the weights"
    if ties:
        verbs = ("ties", "comes") if len(ties) == 1 else ("tie", "come")
        names = _every(list(map(label, ties)))
        yield f"{names} {verbs[0]} for first with some weights, but never {verbs[1]} first alone"
    if unseen:
        verb = "was" if len(unseen) == 1 else "were"
        drawn = f"{grouped(result.draws)} weightings drawn" if result.draws else "weightings tried"
        yield f"{_subject(unseen, n)} {verb} not first for any of the {drawn}; whether that can be is not known"


def _every(texts: Sequence[str]) -> str:
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _subject(names: Sequence[str], n: int) -> str:
    """Return a few names, or how many of all they are.

    >>> _subject(["a"], 9), _subject(["a", "b"], 9), _subject(list("abcdefgh"), 9)
    ('a', 'a and b', '8 of the 9 models')
    """
    if len(names) > MOST_NAMED:
        return f"{len(names)} of the {n} models"
    return _every([label(name) for name in names])
