"""The optimal trade-off between two scores: the score in the middle, what else could be chosen, and the rankings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from .._scores import Score
from .._scores.score import score_of_importance
from ..ordering import Ranking, rank
from ..outcomes import at
from ..results import MOST_PICTURED, DrawnResult, Table
from ..texts import counted
from ..typing import Ties
from .optimum import MOST_DISTINCT
from .path import Path, path_of
from .places import Places
from .steps import step_curve
from .summary import compare, figures, optimum_texts, summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Tradeoff(Places, DrawnResult):
    """The optimal trade-off between the rankings by two scores, by default precision and recall.

    Between the ends F_β goes a shortest way: each of the ``n_discordant`` pairs that the ends order differently swaps
    once, at β² = ϑ. A place between them has the odds β² = b/(1−b) (on a horizontal side of the Tile a/(1−a)): the β of
    F_β between precision and recall. A β given as a float meets the swaps within its rounding. τ and d_τ count ties as
    agreement: SciPy's τ-b is another number where there are ties.

    Attributes
    ----------
    performances
        One performance per entity.
    segment
        The line on the Tile between the two scores.
    placed, crossings
        The entities as lines over that segment, and where the lines cross.
    notes
        What a reader must know: averages, and entities that were left out.
    merged : (k,)
        With ``distinct``: the k entities before equal ones were merged, and how many there are of each.

    See Also
    --------
    rankscape.tradeoff : returns it

    Examples
    --------
    >>> import rankscape as rs
    >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]])
    >>> t.swaps.round(4).tolist(), t.n_rankings, [round(x, 4) for x in t.optimal_set]
    ([0.0556, 0.2222, 0.3519, 0.5556, 0.7222, 1.0], 7, [0.3519, 0.5556])
    >>> round(t.beta, 4), round(t.optimality(beta=1), 4)
    (0.6736, 0.5833)
    """

    drawing, brief = "draw_tradeoff", True

    def curve(self) -> Table:
        """Return the step curves of τ, variance and optimality over β.

        A row stands for an open interval between swaps, or for a swap, in β, ascending.

        Returns
        -------
        Table
            The columns from and to (β; equal for a swap), passed (swaps), tau_first, tau_second, variance, optimality.
        """
        return step_curve(self)

    @property
    def score(self) -> Score:
        """The ranking score at ``exact_place``, which is the optimal score to rank by.

        Raises UsageError where the ends order all pairs alike.

        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> t.score.symbol, t.score(t.performances).round(4).tolist()
        ('F_0.85', [0.6458, 0.6667, 0.6458])
        """
        name = f"F_{optimum_texts(self)[1]}" if self.segment.is_f_beta else ""
        place: Any = self.exact_place  # fractions, which at() takes exactly
        score = score_of_importance(at(*place), name=name or "the optimal trade-off")
        return replace(score, symbol=name or f"R({float(place[0]):.3g}, {float(place[1]):.3g})")

    def ranking(self, ties: Ties = "min") -> Ranking:
        """Return the ranking by ``score``, as :func:`rankscape.rank` does.

        Where the optimum is a swap, the entities that swap there are tied.

        Parameters
        ----------
        ties
            The rank that tied entities share: "min", "max" or "average".

        Returns
        -------
        Ranking
            The ranking by the optimal compromise.

        Raises
        ------
        UsageError
            Where :func:`rankscape.rank` raises it.

        Examples
        --------
        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> t.ranking().ranks.tolist()
        [2.0, 1.0, 2.0]
        """
        return rank(self.performances, by=self.score, ties=ties)

    def compare(self, quantile: float | None = None) -> Table:
        """Return the scores between the ends, each with its τ to both ends, its degree of optimality and its balance.

        The rows are the ends, the optimum, the median of the swaps where it is not optimal, the heuristic, and, between
        precision and recall, F1 and SIVF.

        Parameters
        ----------
        quantile
            The share of the way, in [0, 1], of one more row.

        Returns
        -------
        Table
            The columns score, beta, a, b, tau_first, tau_second, optimality, balance, ascending from the first end.

        Examples
        --------
        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> t.compare()["score"]
        ['PPV', 'optimum', 'F1', 'heuristic', 'SIVF', 'TPR']
        """
        return compare(self, quantile)

    def path(self, ties: Literal["min", "average"] = "min") -> Path:
        """Return the rankings between the ends, in the order of β, and their principal components.

        Parameters
        ----------
        ties
            "min" or "average" (mid-ranks), for entities that are equal on a whole interval.

        Returns
        -------
        Path
            The rankings, and where each stands among the components.
        """
        self._refuse_more_than(MOST_DISTINCT)
        return path_of(self, ties)

    def summary(self) -> str:
        """Return a summary of the trade-off in a few sentences.

        Returns
        -------
        str
            Some sentences, for a reader.
        """
        return summary(self)

    def table(self) -> Table:
        """Return the figures in one row.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        return Table({name: [value] for name, value in figures(self).items()})

    @property
    def pictured(self) -> bool:
        """Whether a notebook shows the picture by itself."""
        return self.n <= MOST_PICTURED

    def plot(self, ax: Any = None, **options: Any) -> Figure:  # type: ignore[override]  # several panels are a figure
        """Draw the four panels of the trade-off.

        Parameters
        ----------
        ax
            The axes to draw on; by default new ones.
        options
            The options of :func:`rankscape.plots.draw_tradeoff`.

        Returns
        -------
        Figure
            The figure that was drawn on.
        """
        return super().plot(ax, **options)  # type: ignore[return-value]

    @property
    def heading(self) -> str:
        """The ends, and the numbers of entities and swaps."""
        entities, swaps = counted(self.n, "model"), counted(self.n_discordant, "swap")
        return f"Tradeoff between {' and '.join(self.ends)}: {entities}, {swaps}"
