"""Tables of published rates: the performances behind them, ranked and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from .._scores import as_score
from ..account import Account
from ..checks import rows_of
from ..domains.grid import checked_shift
from ..errors import DataError, UsageError
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted
from ..typing import PosteriorMethod, PriorLike, RandomLike, ScoreLike, Ties
from .ranking import PublishedRanking, nearest, ranked, refuse_open
from .reconstruction import Reconstruction
from .shares import Leeway

if TYPE_CHECKING:
    from ..uncertainty import Draws


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
        return tuple(one.n_solutions if isinstance(one, Reconstruction) else one.tables for one in self.sources)

    @property
    def performances(self) -> Performances:
        """The performance of each entity that is nearest to the printed rates, as if it were exact.

        It has counts where all entities have a number of cases. Where a prior is needed, this is a UsageError, and
        :meth:`shift_priors` takes it.
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
            if isinstance(one, Leeway) and one.tables == 0:
                refuse_open(one, lambda P: P.mass, number, f'"{name}"', "shares of outcomes")
        rows = [nearest(one, number, f'"{name}"') for name, one in zip(self.names, self.sources, strict=True)]
        known = all(isinstance(one, Reconstruction) for one in self.sources)
        make = Performances.from_counts if known and number is None else Performances.from_exact
        return make(rows, names=self.names)

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
        return ranked(self.names, self.sources, as_score(by, TWO_CLASS), ties, prior, self.tables, self.notes)

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
        from ..uncertainty.printed import draws_of_tables  # which few need

        tables = [_counts(name, one) for name, one in zip(self.names, self.sources, strict=True)]
        return draws_of_tables(self.performances, tables, draws, rng, method)

    def table(self) -> Table:
        """Return one row per entity: entity, rates, tables (how many counts round to them; 0 without n).

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        return Table({"entity": self.names, "rates": [", ".join(one) for one in self.rates], "tables": self.tables})


def _counts(name: str, what: Reconstruction | Leeway) -> NDArray[Any]:
    """Return the tables of counts of one entity. Raises DataError where there are none."""
    if isinstance(what, Reconstruction):
        return what.solutions
    problem, way_out = f"{name!r} has rates, but no numbers of cases", "or leave it out"
    if what.tables is None:
        problem, way_out = f"more than a million tables of counts round to the rates of {name!r}", "or more decimals"
    raise DataError(
        f"rankscape cannot estimate the uncertainty: {problem}",
        way_out=f"add columns n_positive and n_negative, {way_out}",
    )
