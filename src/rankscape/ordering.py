"""Orderings and rankings: which entity is better, decided exactly."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from ._scores import Score, as_score, levels, score
from ._scores.expressions import Ratio
from ._scores.lookup import orders_alike
from ._scores.score import differing, one_per_level, proved_sound, ranking_proof
from ._scores.sets import PerformanceSet, set_of
from .account import Account
from .arrays import rows_in_order
from .checks import rows_of
from .checks.numbers import as_levels, exact_numbers
from .errors import DataError, Option, RankscapeWarning, UsageError
from .kernels.backend import inversions
from .kernels.exact import float_levels, integers_of_fractions
from .kernels.reference import kendall_counts
from .outcomes import TWO_CLASS
from .performances import Performances, as_performances, concat
from .results import Result, Table
from .tasks import regression
from .tasks.pairs import Pairs
from .tasks.regression import Criterion
from .tasks.success import graded
from .typing import Floats, Integers, PerformancesLike, ScoreLike, Ties

ORDERS = ("worse", "equivalent", "better")
NEIGHBORS = ("accuracy", "f1", "f2", "f0.5", "tpr", "ppv", "tnr", "npv", "jminus", "kappa", "ba")
"""Sound scores that everybody knows, from which a neighbor of an unsound one is named."""
DIFFERING_PRIORS = "priors differ between models, so the order is not that of expected costs"


class UnsoundScoreWarning(RankscapeWarning):
    """The score can rank a blind mixture of models above the best of them, or below the worst."""


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Result):
    """A ranking of n entities by a score.

    1 is best, ties share a rank, undefined entities have none (NaN). A ranking behaves like a list of the names that
    are ranked, best first: ``len(ranking)``, ``list(ranking)``; ``ranking["name"]`` is the rank of one. ``best`` is the
    set of the names of all that come first.

    Attributes
    ----------
    score
        The score.
    names
        The entities, in the order of the data.
    values, ranks : (n,)
        The scores and the ranks; NaN where undefined.
    bounds : (n, 2)
        The ranks of Axiom 1: 1 + the number of better entities, and the number of better or equivalent ones; every fair
        way of breaking ties stays inside.
    ties
        The rank that tied entities share.
    exact
        Whether the order was decided on integers.
    reasons
        Why there is no value, one text or None per entity.
    notes
        What a reader must know.
    caution
        Why the score is not sound for these performances, or None.
    expected_costs : (n,)
        The expected costs per case where the preference was given as :func:`costs`, else None.

    See Also
    --------
    rankscape.rank : returns it

    Examples
    --------
    >>> import rankscape as rs
    >>> ranking = rs.rank(
    ...     rs.Performances.from_counts([[5, 1, 1, 3], [10, 2, 2, 6], [5, 2, 2, 1]]), by="f1"
    ... )
    >>> ranking.ranks.tolist(), ranking.bounds.tolist(), sorted(ranking.best)
    ([1.0, 1.0, 3.0], [[1.0, 2.0], [1.0, 2.0], [3.0, 3.0]], ['P1', 'P2'])
    """

    score: Score
    names: tuple[str, ...]
    values: Floats
    ranks: Floats
    bounds: Floats
    ties: Ties
    exact: bool
    reasons: tuple[str | None, ...]
    notes: tuple[str, ...] = ()
    caution: str | None = None
    expected_costs: Floats | None = None

    def __len__(self) -> int:
        return int((~np.isnan(self.ranks)).sum())

    def __iter__(self) -> Iterator[str]:
        return (self.names[i] for i in self.order[: len(self)])

    def __getitem__(self, name: str) -> float:
        """Return the rank of one entity, NaN where it is undefined."""
        return float(self.ranks[rows_of(self.names, name, "entity")[0]])

    @property
    def heading(self) -> str:
        """What the entities are ranked by."""
        return f"Ranking by {self.score.name}"

    @cached_property
    def order(self) -> Integers:
        """The rows from first to last; tied ones are sorted by name, and so are undefined ones, at the end."""
        return rows_in_order(self.names, self.ranks)

    @cached_property
    def best(self) -> frozenset[str]:
        """The names of all entities that come first, alone or tied."""
        return frozenset(name for name, low in zip(self.names, self.bounds[:, 0], strict=True) if low == 1)

    def table(self) -> Table:
        """Return the leaderboard.

        Returns
        -------
        Table
            The columns rank, entity, value, rank_low, rank_high and reason (why there is no value); where the
            preference was given as costs, also expected_cost, per case.
        """
        order = self.order
        costs = {} if self.expected_costs is None else {"expected_cost": self.expected_costs[order]}
        return Table(
            {
                "rank": _readable(self.ranks[order]),
                "entity": [self.names[i] for i in order],
                "value": self.values[order],
                **costs,
                "rank_low": _readable(self.bounds[order, 0]),
                "rank_high": _readable(self.bounds[order, 1]),
                "reason": [self.reasons[i] for i in order],
            }
        )


def _readable(ranks: Floats) -> list[float | int]:
    """Whole ranks as integers; NaN and halves stay floats."""
    return [int(rank) if rank.is_integer() else rank for rank in ranks.tolist()]


def rank(
    performances: PerformancesLike | Pairs, by: ScoreLike | Criterion | None = None, ties: Ties = "min"
) -> Ranking:
    """Rank performances by a score; 1 is best.

    Performances on several domains are averaged first, equally weighted. Undefined entities are incomparable: their
    rank is NaN, they come last, and ``reasons`` says why. Where the preference is given as :func:`rankscape.costs`, the
    ranking also has the expected cost per case of each entity. (Foundations, 3.2 and 4.1.)

    Parameters
    ----------
    performances
        Performances, what :func:`rankscape.read` reads, confusion matrices (n, 2, 2), or pairs of regressors.
    by
        The name of a score, an expression, a :class:`Score`, an importance (tn, fp, fn, tp; or a mapping of outcomes to
        numbers), or a function of performances that returns (n,) numbers. The direction of a score is kept: of the
        error rate, the smallest comes first. By default F₁, where there is one, and accuracy for several classes.
    ties
        The rank that tied entities share: "min" (1 + the number of better ones), "max" or "average".

    Returns
    -------
    Ranking
        The ranks, with the values and the names that come first.

    Raises
    ------
    UsageError
        For unknown ``ties``, and without ``by`` where there is no default.
    UnknownScoreError
        For an unknown score, with the nearest names.

    Warns
    -----
    UnsoundScoreWarning
        Where the score breaks an axiom of ranking for these performances.

    See Also
    --------
    rankscape.compare : two performances
    rankscape.tile.entity : who comes first for every preference
    rankscape.uncertainty.rank_intervals : how sure the ranks are
    rankscape.summarize : other weights of the domains
    rankscape.audit : whether a score may be used to rank

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     tn=[90, 80], fp=[0, 10], fn=[10, 2], tp=[0, 8], names=["never", "model"]
    ... )
    >>> rs.rank(P, by="accuracy").best, rs.rank(P, by="recall").best
    (frozenset({'never'}), frozenset({'model'}))
    """
    if ties not in get_args(Ties):
        known = ", ".join(map(repr, get_args(Ties)))
        hint = ": dense ranks leave the bounds of Axiom 1" if str(ties) == "dense" else ""
        raise UsageError(Option("ties", ties), expected=f"one of {known}{hint}")
    if isinstance(performances, Pairs):
        performances, by = graded_errors([performances], by)
    performances, notes = as_performances(performances), []
    if performances.how_averaged:
        notes.append(f"performances {performances.how_averaged} (performances, not scores)")
        if not performances.of_integers:
            notes.append(
                "averages of floats are rounded, so that equal ones may differ: give counts, fractions or decimal texts"
            )
    performances = performances.per_entity()
    by = as_score(by, performances.space)
    problem = unsoundness(performances, by)
    if problem:
        notes.append(problem)
        warnings.warn(problem, UnsoundScoreWarning, stacklevel=2)
    elif by.caution is not None and by.note:  # an average over classes that is something else
        notes.append(by.note)
        warnings.warn(by.note, RankscapeWarning, stacklevel=2)
    if _of_costs(by) and performances.common_prior() is None:
        notes.append(DIFFERING_PRIORS)
    level, exact = levels(performances, by)
    if not exact:
        notes.append(f"{by.symbol} is not a rational function: compared in floating point")
    values = by(performances)
    reasons: list[str | None] = [None] * len(level)
    if np.isnan(values).any():  # perhaps only beyond what floats hold
        reasons = [None if known else why for known, why in zip(level >= 0, reasons_of(by, performances), strict=True)]
    ranking = _ranking(by, performances.names, values, level, ties, exact, reasons, notes, problem)
    return ranking if by.costs is None else replace(ranking, expected_costs=by.costs.expected(performances))


def reasons_of(by: Score, performances: Performances) -> list[str | None]:
    """Return why a score has no value, for each performance, with a score that has one and orders all others alike."""
    reasons = by.reasons(performances)
    alike = orders_alike(by, performances) if any(reasons) else None
    if alike is None:
        return reasons
    other, where = alike
    lacking = np.isnan(other(performances))
    also = f"; {other.symbol} has a value and orders alike{where}: rank by {other.key}"
    return [reason and reason + also * (not lacks) for reason, lacks in zip(reasons, lacking, strict=True)]


def _ranking(
    by: Score,
    names: tuple[str, ...],
    of_score: Floats,
    level: Integers,
    ties: Ties,
    exact: bool,
    reasons: Sequence[str | None],
    notes: Sequence[str] = (),
    caution: str | None = None,
) -> Ranking:
    """Return the ranking that levels make, 0 for the worst, −1 for undefined."""
    defined = level >= 0
    size = np.bincount(level[defined], minlength=1)
    at_least = size[::-1].cumsum()[::-1].astype(np.float64)  # number of better or equivalent ones, per level
    high = np.where(defined, at_least[level], np.nan)
    low = np.where(defined, 1 + at_least[level] - size[level], np.nan)
    ranks = {"min": low, "max": high, "average": (low + high) / 2}[ties]
    bounds = np.stack([low, high], axis=-1)
    return Ranking(
        score=by,
        names=names,
        values=one_per_level(of_score, level),
        ranks=ranks,
        bounds=bounds,
        ties=ties,
        exact=exact,
        reasons=tuple(reasons),
        notes=tuple(notes),
        caution=caution,
    )


def ranking_of_values(ranking: Ranking, values: Floats) -> Ranking:
    """Return a ranking of the same entities by the same score with other values, of which equal ones tie."""
    level = float_levels(values)
    reasons = [None if known else reason for known, reason in zip(level >= 0, ranking.reasons, strict=True)]
    if ranking.score.direction == "smaller":
        level = np.where(level < 0, -1, level.max(initial=-1) - level)
    again = _ranking(ranking.score, ranking.names, values, level, ranking.ties, ranking.exact, reasons, ranking.notes)
    return replace(again, caution=ranking.caution, expected_costs=ranking.expected_costs)


def graded_errors(every: Sequence[Pairs], by: Any, width: float | None = None) -> tuple[Performances, Score]:
    """Return regressors as graded cases, and the score by which these are ranked: its values are mean errors.

    The grade of an error e is 1 − e/``width``, by default of the largest mean error. Of a share, of which more is
    better, the error is what it lacks to 1. The values of draws are made alike. (Foundations, A.2.2.)

    >>> from rankscape.tasks import regression
    >>> P, mae = graded_errors(
    ...     [regression.evaluate([1, 2], {"a": [1, 4], "b": [1, 3]})], "mae", width=4
    ... )
    >>> P.mass.tolist(), mae(P).tolist()
    ([[0.25, 0.75], [0.125, 0.875]], [1.0, 0.5])
    """
    chosen = criterion_of(by)
    means = regression.means(every, chosen)
    root, larger, space = chosen.kind == "root", chosen.direction == "larger", graded("error")
    names = tuple(name for pairs in every for name in pairs.names)
    top, lost, unit = Fraction(int(larger)), [Fraction(0)] * len(names), Fraction(1)
    if means is not None:
        lost = [top - mean if larger else mean for mean in means]
        unit = Fraction(max(lost) if width is None else width)
    rows = np.array([[one, (unit or 1) - one] for one in lost], dtype=object)
    performances = Performances.from_trusted(integers_of_fractions(rows), names, None, space)

    def exactly(given: Performances) -> Ratio:
        total = given.integers.sum(axis=1)
        return Ratio(given.integers[:, int(larger)], 0 * total if means is None else total)

    def values(given: Performances) -> Floats:
        if means is None:
            return np.full(len(given), np.nan)
        if not given.of_integers:
            errors = given.mass[:, 0] * float(unit)
            return float(top) - errors if larger else np.sqrt(errors) if root else errors
        shares = [Fraction(*row) for row in zip(given.integers[:, 0].tolist(), given.integers.sum(axis=1), strict=True)]
        return np.array([regression.as_float(top - unit * x if larger else unit * x, root) for x in shares])

    account = every[0].account or Account(cases=len(every[0].truth), models=len(names))
    return replace(performances, account=account), Score(
        key=chosen.kind,
        name=chosen.name,
        symbol=chosen.symbol,
        formula=chosen.formula,
        domain="E[I] > 0",
        high=1.0 if chosen.kind == "within" else np.inf,
        low=0.0,
        direction=chosen.direction,
        source="Foundations, A.2.2",
        space=space,
        function=values,
        exactly=exactly,
        orders_as=(Fraction(1), Fraction(1)),
        why_undefined=lambda mass: "E[I] = 0: no case has importance",
    )


def criterion_of(by: Any) -> Criterion:
    """Return the criterion by which regressors are ranked, or an error that says what takes its place."""
    if by is None:
        known = '"mae", "mse", "rmse", "within(0.5)", or a criterion'
        raise UsageError([Option("by"), " is needed to rank regressors"], way_out=known)
    return regression.criterion(by)


def _of_costs(by: Score) -> bool:
    """Tell whether a score is one of unequal costs: importance (c_fp, c_fp, c_fn, c_fn), or as it orders."""
    # Then it orders as the expected cost at equal priors only. Where right answers cost something, it does so even with
    # equal importances, unless the errors cost the same.
    if by.costs is not None and by.costs.miss != by.costs.false_alarm:
        return True
    if by.orders_as is None or by.space.outcomes != TWO_CLASS.outcomes or by.constant:
        return False
    tn, fp, fn, tp = by.orders_as
    return tn * fn == tp * fp and fp != fn


def unsoundness(performances: Performances, by: Score) -> str | None:
    """Say why a score is not sound for ranking these performances and name a sound neighbor; None where it is sound."""
    problem, has_neighbors = caution(performances, by)
    neighbor = sound_neighbor(performances, by) if has_neighbors else None
    return f"{problem}; a sound neighbor here is {neighbor}" if neighbor else problem


def caution(performances: Performances, by: Score) -> tuple[str | None, bool]:
    """Say why a score is not sound for ranking these performances, and whether a sound one may be alike.

    None where it is sound. Of an expression, what is proved is what an audit proves: on all performances or, where
    priors are equal, at that prior; or else where prediction rates are equal, at that rate. Nothing is searched.
    """
    if by.constant:
        way_out = ": give importance to satisfying and unsatisfying outcomes" if by.orders_as is not None else ""
        return f"{by.name} has the same value for every model{way_out}", False
    if by.direction is None:
        return f"{by.name} says nothing about quality: neither larger nor smaller is better", False
    if by.caution is not None:
        return by.caution(performances), False
    if by.sound == "always":
        return None, False
    two_class = performances.space == by.space and by.space.outcomes == TWO_CLASS.outcomes
    if by.sound == "fixed priors" and two_class and performances.common_prior() is not None:
        return None, False
    sets = [set_of(performances), set_of(performances, "rate")] if two_class else [PerformanceSet()] * 2
    proofs = [ranking_proof(by, among) if two_class else None for among in sets]
    proof = proofs[0]  # a set of which nothing is fixed is that of all performances
    if proof is not None and proof.sign == 0:
        return f"{by.name} has the same value for every model", False
    if any(proof and proof.sign and proved_sound(by, among) for proof, among in zip(proofs, sets, strict=True)):
        return None, False
    if by.sound in ("fixed priors", "fixed prediction rates"):
        where = differing(performances, "prior" if by.sound == "fixed priors" else "rate")
        return f"{by.name} is sound for ranking only where {where}", True
    if by.known:
        why = "it can put a blind mixture before the best, or after the worst, of what it mixes"
        return f"{by.name} is not sound for ranking: {why}", True
    if proof is not None and proof.sign < 0:
        return f"{by.name} is not sound for ranking: it is largest for the worst; rank by -({by.name})", True
    return f"{by.name} is not known to be sound for ranking", True


def sound_neighbor(performances: Performances, by: Score) -> str | None:
    """Return the well-known sound score that orders these performances most alike (Kendall's τ), in words."""
    if by.space.outcomes != TWO_CLASS.outcomes:
        return None
    prior = performances.common_prior()
    given = by.sign * by(performances)
    best: tuple[Any, str] = ((-np.inf, -np.inf), "")
    for name in NEIGHBORS:
        other = score(name)
        if other.key == by.key or (other.sound == "fixed priors" and prior is None):
            continue
        values = other(performances)
        tau, both = kendall_tau(given, values), int((~np.isnan(given) & ~np.isnan(values)).sum())
        if not np.isnan(tau) and (both, tau) > best[0]:  # above all, defined where the score is
            over = "" if both == len(given) else f" over {both} of {len(given)}"
            best = ((both, tau), f"{other.name} (τ = {tau:.2f}{over})")
    return best[1] or None


def compare(
    first: PerformancesLike | Pairs, second: PerformancesLike | Pairs, by: ScoreLike | Criterion | None = None
) -> str:
    """Return whether the first performance is better, worse, equivalent or incomparable to the second.

    Equal performances are equivalent even where the score is undefined; else two undefined ones are incomparable. Only
    :func:`rank` says whether the score is sound for ranking. (Foundations, 3.2 and Theorem 1.)

    Parameters
    ----------
    first, second
        Two performances of one sample space.
    by
        The score or preference; by default the one by which :func:`rank` ranks.

    Returns
    -------
    str
        "better", "worse", "equivalent" or "incomparable".

    Raises
    ------
    UsageError
        Unless there are two performances of one sample space.

    See Also
    --------
    rankscape.rank
    rankscape.regions.dominates : for every preference at once

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[86, 4, 0, 10], [79, 6, 0, 15]])
    >>> rs.compare(P[0], P[1], by="precision")
    'equivalent'
    """
    if isinstance(first, str) or isinstance(second, str):
        raise UsageError('compare takes performances, not names: compare(P["a"], P["b"], by="f1")')
    if isinstance(first, Pairs) and isinstance(second, Pairs):
        both, by = graded_errors([first, second], by)
        if np.isnan(by(both)).any() and first.measure() != second.measure():
            return "incomparable"
        first, second = both[: len(first)], both[len(first) :]
    first, second = as_performances(first), as_performances(second)
    if first.space != second.space:
        raise UsageError(f"{first.space.name} and {second.space.name} performances cannot be compared")
    for side in (first, second):
        if len(side) != 1:
            domains = side.domains is not None and len(set(side.names)) == 1
            way_out = ": choose a domain with in_domain, or average with over_domains" if domains else ""
            raise UsageError(f"compare takes two performances, as in compare(P[0], P[1]); got {len(side)}{way_out}")
    if (first.integers * second.integers.sum() == second.integers * first.integers.sum()).all():
        return "equivalent"
    by = as_score(by, first.space)
    both = concat([replace(first, names=("first",), domains=None), replace(second, names=("second",), domains=None)])
    level, _ = levels(both, by)
    if level.min() < 0:
        return "incomparable"
    return ORDERS[int(np.sign(level[0] - level[1])) + 1]


def kendall_tau(x: ArrayLike, y: ArrayLike) -> float:
    """Return Kendall's τ-b of two series of numbers.

    Pairs of which one number is undefined (NaN) are dropped. Integers of any size, fractions, decimals and decimal
    texts are compared exactly.

    Parameters
    ----------
    x, y : (n,)
        The two series, such as values of two scores for the same entities.

    Returns
    -------
    float
        τ-b, in [−1, 1]; NaN against a constant.

    Raises
    ------
    UsageError
        For series of different lengths.

    See Also
    --------
    rankscape.tile.correlation : of a score with every preference

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.kendall_tau([1, 2, 3, 4], [1, 3, 2, 4])
    0.6666666666666669
    """
    try:
        x, y = (as_levels(exact_numbers(values, name)) for values, name in ((x, "x"), (y, "y")))
    except (DataError, UsageError):
        raise
    except (TypeError, ValueError, OverflowError):
        raise UsageError("kendall_tau takes two series of numbers; got something else") from None
    if x.shape != y.shape or x.ndim != 1:
        raise UsageError(f"kendall_tau takes two series of equal length; got shapes {x.shape} and {y.shape}")
    defined = ~(np.isnan(x) | np.isnan(y))
    first, second = float_levels(x[defined]), float_levels(y[defined])
    if not (first.any() and second.any()):  # a constant
        return float("nan")
    ascending = np.argsort(first, kind="stable")
    shared, untied, other = kendall_counts(first[ascending], second[ascending], inversions)
    return min(
        1.0, max(-1.0, shared / sqrt(untied) / sqrt(other))
    )  # to the last bit as SciPy, which takes long to load
