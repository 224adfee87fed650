"""Tables of published rates: the performances behind them, ranked with bounds over the rounding, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._scores import Score, as_score
from .._scores.score import levels
from ..account import Account
from ..checks import rows_of
from ..domains.grid import checked_shift
from ..errors import DataError, UsageError
from ..ordering import DIFFERING_PRIORS, Ranking, rank, ranking_of_values
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted, some
from ..typing import Floats, Integers, PosteriorMethod, PriorLike, RandomLike, ScoreLike, Ties
from .rates import RATES_ALONE, Printed
from .reconstruction import Reconstruction
from .shares import SHARE, Ends, Leeway, Range, Ray, cost_ends, depends_on_prior, extremes, shifted

if TYPE_CHECKING:
    from ..uncertainty import Draws

Values: TypeAlias = "Callable[[Performances], Any]"
"""Gives one or several values of each performance."""

STATED = ("state the share of positives with ", SHARE)
"""How a ranking takes the share of positives."""


@dataclass(frozen=True, eq=False, repr=False)
class PublishedTable(Result):
    """Published rates of n entities.

    What the rates leave open is kept, so that rankings have bounds.

    Attributes
    ----------
    names
        The entities.
    rates
        The printed rates of each, as texts.
    sources
        What they leave: all tables of counts (:class:`Reconstruction`) where the number of cases is known, else ranges
        of rates.
    notes
        The columns that were not used.
    account
        What was read; None where the table was made of something else.

    See Also
    --------
    rankscape.read_published
    rankscape.reconstruct

    Examples
    --------
    >>> import rankscape as rs
    >>> table = rs.read_published(
    ...     {
    ...         "model": ["a"],
    ...         "Sensitivity": ["83 %"],
    ...         "Specificity": ["91 %"],
    ...         "n": ["160"],
    ...         "n_positive": ["60"],
    ...     }
    ... )
    >>> table.sources[0].counts.tolist()
    [[91, 9, 10, 50]]
    """

    names: tuple[str, ...]
    rates: tuple[tuple[str, ...], ...]
    sources: tuple[Reconstruction | Leeway, ...]
    notes: tuple[str, ...] = ()
    account: Account | None = None

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> Reconstruction | Leeway:
        """Return what the rates of one entity leave. Raises UsageError for an unknown name."""
        return self.sources[rows_of(self.names, name, "entity")[0]]

    def _refuse_as_performances(self) -> None:
        raise UsageError("expected performances, got PublishedTable", way_out="pass its .performances")

    @property
    def heading(self) -> str:
        """How many entities there are."""
        return f"Published rates of {counted(len(self.names), 'model')}"

    @property
    def tables(self) -> tuple[int | None, ...]:
        """How many tables of counts round to the rates of each entity: None beyond a million, 0 without n."""
        return tuple(one.n_solutions for one in self.sources)

    @property
    def performances(self) -> Performances:
        """The performance of each entity that is nearest to the printed rates, as if it were exact.

        It has counts where all entities have a number of cases. The account says of which entities other numbers round
        to the same rates. Where a prior is needed, this is a UsageError, and :meth:`shift_priors` takes it.
        """
        return self.shift_priors(None)

    def shift_priors(self, prior: PriorLike | None) -> Performances:
        """Return the performances that are nearest to the printed rates, shifted to another share of positives.

        Parameters
        ----------
        prior
            The share of positives π₊ to shift to; None leaves it as it is.

        Returns
        -------
        Performances
            One row per entity.

        Raises
        ------
        UsageError
            Where a prior is needed.

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.read_published({"model": ["a"], "sensitivity": ["0.83"], "specificity": ["0.91"]})
        >>> P.shift_priors(0.5).mass.round(3).tolist()
        [[0.455, 0.045, 0.085, 0.415]]
        """
        number = checked_shift(prior, TWO_CLASS)
        for name, one in zip(self.names, self.sources, strict=True):
            _refuse_open(name, one, lambda P: P.mass, number, "shares of outcomes", "use .shift_priors(PREVALENCE)")
        rows = [_nearest(one, number) for one in self.sources]
        known = number is None and all(self.tables)
        P = (Performances.from_counts if known else Performances.from_exact)(rows, names=self.names)
        several = [name for name, tables in zip(self.names, self.tables, strict=True) if tables != 1]
        note = f"other numbers round to the printed rates of {some(several)}, too; the nearest are taken as if exact"
        account = (self.account or Account(models=len(self))).noting(*([note] if several else []))
        return replace(P, account=account)

    def rank(
        self, by: ScoreLike | None = None, shift_prior: PriorLike | None = None, ties: Ties = "min"
    ) -> PublishedRanking:
        """Rank the entities by a score, with bounds of ranks and values over all that rounds to the printed decimals.

        Where the number of cases is known, the bounds are over all tables of counts that round to what is printed, else
        over all shares of outcomes that do: every column counts, and a score that is printed bounds itself. A bound may
        be wider than necessary, never narrower, where balanced accuracy, κ, MCC and the like are printed, and for
        scores without a place on the Tile.

        Parameters
        ----------
        by
            The score or preference; by default F₁.
        shift_prior
            The share of positives of the population that you care about; by default that of the table.
        ties
            The rank that tied entities share: "min", "max" or "average".

        Returns
        -------
        PublishedRanking
            The ranking, with bounds.

        Raises
        ------
        UsageError
            Where the columns leave the score open, and for a score whose bounds are not known.

        See Also
        --------
        rankscape.rank : where the counts are known
        rankscape.reconstruct

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.read_published(
        ...     {"model": ["a", "b"], "sensitivity": ["0.9", "0.8"], "specificity": ["0.8", "0.9"]}
        ... )
        >>> P.rank("balanced accuracy", shift_prior=0.02).bounds.tolist()
        [[1.0, 2.0], [1.0, 2.0]]
        """
        prior = checked_shift(shift_prior, TWO_CLASS)
        return _ranked(self, as_score(by, TWO_CLASS), ties, prior)

    def draws(
        self,
        draws: int = 2000,
        rng: RandomLike = 0,
        *,
        method: PosteriorMethod = "exchangeable",
    ) -> Draws:
        """Return draws of the performances behind the printed rates, for :func:`rankscape.uncertainty.rank_intervals`.

        Where one table of counts rounds to the rates of each entity, these are the draws of those counts. Else each
        draw first takes one of the tables, all as likely: it mixes rounding and chance.

        Parameters
        ----------
        draws
            The number of draws.
        rng
            A generator or a seed; None draws another sample each time.
        method
            The prior distribution of a rate, as in :func:`rankscape.uncertainty.posterior`.

        Returns
        -------
        Draws
            For :func:`rankscape.uncertainty.rank_intervals`.

        Raises
        ------
        DataError
            For rates without numbers of cases, and where more than a million tables round to them.

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.read_published(
        ...     {
        ...         "model": ["a", "b"],
        ...         "sensitivity": ["0.9", "0.6"],
        ...         "specificity": ["0.9", "0.7"],
        ...         "n_positive": [50, 50],
        ...         "n_negative": [50, 50],
        ...     }
        ... )
        >>> rs.uncertainty.rank_intervals(P.draws(500), "accuracy").p_first.round(1).tolist()
        [1.0, 0.0]
        """
        from ..uncertainty.draws import draws_of_tables  # which few need

        for name, tables in zip(self.names, self.tables, strict=True):
            if not tables:
                problem, way_out = f"{name!r} has rates, but no numbers of cases", "or leave it out"
                if tables is None:
                    problem = f"more than a million tables of counts round to the rates of {name!r}"
                    way_out = "or more decimals"
                raise DataError(
                    f"rankscape cannot estimate the uncertainty: {problem}",
                    way_out=f"add columns n_positive and n_negative, {way_out}",
                )
        counts = [one.solutions for one in self.sources if isinstance(one, Reconstruction)]
        return draws_of_tables(self.performances, counts, draws, rng, method)

    def table(self) -> Table:
        """Return one row per entity: entity, rates, tables (how many counts round to them; 0 without n).

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        return Table({"entity": self.names, "rates": [", ".join(one) for one in self.rates], "tables": self.tables})


@dataclass(frozen=True, eq=False, repr=False)
class PublishedRanking(Result):
    """A ranking of published performances, with bounds over everything that rounds to the printed decimals.

    The ranges are those of rounding; the sample adds its own.

    Attributes
    ----------
    ranking
        The ranking of the performances nearest to what is printed.
    bounds : (n, 2)
        The ranks that each entity may have.
    value_bounds : (n, 2)
        Its smallest and largest score; NaN where the score is undefined for all.
    tables
        How many tables of counts round to what is printed: None for more than a million, 0 where only rates are known.
    prior
        The share of positives to which all were shifted, or None.
    notes
        What a reader must know.
    cost_bounds : (n, 2)
        The smallest and largest expected cost per case where the preference was given as :func:`rankscape.costs`, else
        None.

    See Also
    --------
    rankscape.PublishedTable
    rankscape.read_published

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.read_published(
    ...     {"model": ["a", "b"], "sensitivity": ["0.90", "0.83"], "specificity": ["0.80", "0.91"]}
    ... )
    >>> P.rank("accuracy", shift_prior=0.02).bounds.tolist()
    [[2.0, 2.0], [1.0, 1.0]]
    """

    ranking: Ranking
    bounds: Floats
    value_bounds: Floats
    tables: tuple[int | None, ...]
    prior: Fraction | None
    notes: tuple[str, ...] = ()
    cost_bounds: Floats | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entities."""
        return self.ranking.names

    @property
    def heading(self) -> str:
        """What the entities are ranked by."""
        at = "" if self.prior is None else f" at the prior {float(self.prior):.4g}"
        return f"Ranking of published performances by {self.ranking.score.name}{at}, with bounds over the rounding"

    @property
    def possible_first(self) -> tuple[str, ...]:
        """The entities that can come first within the rounding of the printed decimals, in the order of the ranking."""
        return tuple(self.names[i] for i in self.ranking.order.tolist() if self.bounds[i, 0] == 1)

    def table(self) -> Table:
        """Return one row per entity, best first.

        Returns
        -------
        Table
            The columns rank, entity, value, value_low, value_high, rank_low, rank_high, tables, reason; of costs,
            expected_cost, cost_low and cost_high, per case, stand behind the values.
        """
        order = self.ranking.order
        whole = [[int(x) if x == x else x for x in self.bounds[order, side].tolist()] for side in (0, 1)]
        ranking, costs = self.ranking.table(), self.cost_bounds
        of_costs = {} if costs is None else {
            "expected_cost": ranking["expected_cost"], "cost_low": costs[order, 0], "cost_high": costs[order, 1],
        }  # fmt: skip
        return Table(
            {
                **{name: ranking[name] for name in ("rank", "entity", "value")},
                "value_low": self.value_bounds[order, 0],
                "value_high": self.value_bounds[order, 1],
                **of_costs,
                "rank_low": whole[0],
                "rank_high": whole[1],
                "tables": [self.tables[i] for i in order.tolist()],
                "reason": ranking["reason"],
            }
        )


def share_of_positives(source: Reconstruction | Leeway) -> Range:
    """Return the range of the share of positives."""
    if isinstance(source, Leeway):
        return source.prior
    shares = [Fraction(*pair) for pair in {(int(row[2:].sum()), int(row.sum())) for row in source.solutions}]
    return Range(min(shares), max(shares))


def _refuse_open(
    name: str, source: Reconstruction | Leeway, values: Values, prior: Fraction | None, which: str, stated: Any = STATED
) -> None:
    """Refuse values that the columns would leave open even if they were exact, with what would settle them."""
    if isinstance(source, Reconstruction):  # counts have all values, but for those at a prior that they cannot have
        if not len(_with_classes(source, prior)):
            raise UsageError(f'"{name}" lacks a class in all of its tables of counts, so its prior cannot be shifted')
        return

    def value(rays: Sequence[Ray], prior: Fraction | None = prior) -> Any:
        moved = [row for ray in rays if any(row := shifted(ray, prior))]
        return values(Performances.from_exact(np.array(moved, dtype=object))) if moved else []

    if source.n_solutions is None or source.fixes(value):
        return
    ways: list[Any] = []
    if prior is None and source.fixes(lambda rays: value(rays, Fraction(1, 2))):
        ways.append(stated)
    if prior is None and source.fixes(value, prior_known=True):
        ways.append("add a column prevalence")
    enough = "sensitivity, specificity and the prevalence, or as many other rates" if prior is None else (
        "sensitivity and specificity, or as many other rates")  # fmt: skip
    problem = f'what is printed of "{name}" leaves {which} open, even if it were exact'
    raise UsageError(problem, expected="" if ways else enough, way_out=ways)


def _with_classes(source: Reconstruction, prior: Fraction | None) -> Integers:
    """Return the tables of counts that have the classes that a shift needs."""
    counts = source.solutions
    negative, positive = counts[:, :2].sum(axis=1), counts[:, 2:].sum(axis=1)
    return np.asarray(counts[((negative > 0) | (prior in (None, 1))) & ((positive > 0) | (prior in (None, 0)))])


def _moved(counts: Integers, prior: Fraction | None) -> NDArray[Any]:
    """Return tables of counts at another prior, as integers."""
    return np.asarray(counts if prior is None else Performances.from_counts(counts).shift_priors(prior).integers)


def _nearest(source: Reconstruction | Leeway, prior: Fraction | None) -> list[int]:
    """Return the table nearest to the numbers as printed, at a prior."""
    if isinstance(source, Leeway):
        return list(shifted(source.nearest, prior))
    return list(map(int, _moved(source.nearest(_with_classes(source, prior))[None], prior)[0]))


def _ends(
    source: Reconstruction | Leeway, by: Score, prior: Fraction | None
) -> tuple[Ends, tuple[float, float] | None]:
    """Return the worst and the best that a performance may be, and the ends of its expected cost."""
    if isinstance(source, Leeway):
        return extremes(source, by, prior), None if by.costs is None else cost_ends(source, by.costs, prior)
    counts = _with_classes(source, prior)
    if prior is not None:  # one table for each pair of TPR and TNR
        divisors = [np.gcd(counts[:, i], counts[:, i + 1]).clip(1) for i in (0, 0, 2, 2)]
        _, first = np.unique(counts // np.stack(divisors, axis=1), axis=0, return_index=True)
        counts = counts[np.sort(first)]
    rows = _moved(counts, prior)
    tables = Performances.from_exact(rows) if rows.dtype == object else Performances.from_counts(rows)
    level, _ = levels(tables, by)
    defined = np.flatnonzero(level >= 0)
    worst, best = (
        rows[defined[pick(level[defined])]].tolist() if len(defined) else None for pick in (np.argmin, np.argmax)
    )
    if by.costs is None:
        return Ends(worst, best), None
    expected = by.costs.expected(tables)
    return Ends(worst, best), (float(expected.min()), float(expected.max()))


def _ranked(table: PublishedTable, by: Score, ties: Ties, prior: Fraction | None) -> PublishedRanking:
    """Return the ranking of the nearest performances, with bounds over all that rounds to what is printed."""
    sources, notes = table.sources, table.notes
    stated: list[Printed | None] = []  # of the score itself, where no counts say it more exactly
    for name, one in zip(table.names, sources, strict=True):
        rates = one.printed if isinstance(one, Leeway) and (prior is None or by.key in RATES_ALONE) else ()
        same = [rate for rate in rates if rate.key == by.key and rate.score.parameters == by.parameters]
        stated.append(min(same, key=lambda rate: rate.unit, default=None))
        _refuse_open(name, one, by, prior, by.name)
    pairs = [_ends(one, by, prior) for one in sources]
    rows = np.array([_nearest(one, prior) for one in sources], dtype=object)
    bounds, value_bounds = _bounds([ends for ends, _ in pairs], by, stated)
    ranking = rank(Performances.from_exact(rows, names=table.names), by=by, ties=ties)
    if any(stated):  # a score that is printed has the printed value, or the nearest that the rest allows
        nearest_values = [
            value if one is None else min(max(float(one.value), low), high)
            for value, one, (low, high) in zip(ranking.values.tolist(), stated, value_bounds.tolist(), strict=True)
        ]
        ranking = ranking_of_values(ranking, np.array(nearest_values))
    if prior is None and depends_on_prior(by):
        ranges = list(map(share_of_positives, sources))
        notes = (*notes, *_about_priors(table, ranges))
        if may_be_one(ranges):
            ranking = replace(ranking, notes=tuple(note for note in ranking.notes if note != DIFFERING_PRIORS))
    costs = None if by.costs is None else np.array([cost for _, cost in pairs])
    return PublishedRanking(ranking, bounds, value_bounds, table.tables, prior, notes, costs)


def _bounds(ends: Sequence[Ends], by: Score, stated: Sequence[Printed | None]) -> tuple[Floats, Floats]:
    """Return the bounds of ranks, (n, 2), and of values, (n, 2): tables are compared exactly.

    Beyond what is printed of the score itself no value is.
    """
    never = np.array([one.worst is None for one in ends])
    rows = [row or (1, 1, 1, 1) for one in ends for row in (one.worst, one.best)]
    both = Performances.from_exact(np.array([list(map(int, row)) for row in rows], dtype=object))
    level, _ = levels(both, by)
    worst, best = level.reshape(-1, 2).T.astype(np.float64)
    open_worst, open_best = (np.array([getattr(one, side) for one in ends]) for side in ("open_worst", "open_best"))
    worst[open_worst], best[open_best] = -np.inf, np.inf
    smaller = by.direction == "smaller"
    values = by(both).reshape(-1, 2)
    values[open_worst, 0], values[open_best, 1] = (by.high, by.low) if smaller else (by.low, by.high)
    values = values[:, ::-1] if smaller else values
    better = worst[None, :] > best[:, None]
    for i, one in enumerate(stated):
        if one is not None:
            values[i] = np.clip(values[i], float(one.low), float(one.high))
            for j, other in enumerate(stated):  # j is surely better, where the printed values alone say so
                apart = other is not None and (other.high < one.low if smaller else other.low > one.high)
                better[i, j] |= apart
    better = better & ~never & ~never[:, None]
    values[never] = np.nan
    bounds = np.stack([1.0 + better.sum(axis=1), float((~never).sum()) - better.sum(axis=0)], axis=1)
    bounds[never] = np.nan
    return bounds, values


def _about_priors(table: PublishedTable, ranges: Sequence[Range]) -> Iterator[str]:
    """Say which shares of positives follow from what is printed, and whether they differ."""
    derived = {
        name: share
        for name, one, share in zip(table.names, table.sources, ranges, strict=True)
        if one.n_solutions == 0
        and not any(rate.key in ("prior", "negativeprior") for rate in one.printed)
        and share.high - share.low < Fraction(1, 2)
    }
    if derived:
        may_be = may_be_one(ranges)  # so many decimals of percents show whether one share is in all: by default one
        places = next(
            (n for n in range(1, 9) if may_be_one([one.outward(10 ** (n + 2)) for one in ranges]) == may_be), 1
        )
        texts = {}
        for name, share in derived.items():  # in percent, rounded outwards to at least three digits
            digits = max(places, 1 if share.high >= Fraction(1, 100) else 3)
            low, high = (f"{float(100 * end):.{digits}f}" for end in share.outward(10 ** (digits + 2)))
            texts[name] = f"{low} %" if low == high else f"{low} to {high} %"
        alike = len(set(texts.values())) == 1 and len(texts) == len(ranges) > 1
        rows = (
            [f"{next(iter(texts.values()))} in every row"] if alike else [f"{x} ({name})" for name, x in texts.items()]
        )
        yield f"the share of positives is not printed; the other columns leave {some(rows, 4, quote='')}"
    if not may_be_one(ranges):
        yield (
            "the shares of positives differ between the models: averages over classes (macro, weighted) are no rates "
            "of one class; of models tried on different cases, state the share of yours to compare them at it"
        )


def may_be_one(shares: Sequence[Range]) -> bool:
    """Tell whether one share of positives is in all ranges."""
    return max(share.low for share in shares) <= min(share.high for share in shares)
