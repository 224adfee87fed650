"""The optimal trade-off between two scores: what lies between precision and recall, and which F_β is in the middle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from .._scores import as_score
from ..checks import needs_tn, one_line
from ..errors import DataError, Option, UsageError
from ..kernels.crossings import Crossings
from ..outcomes import RIGHT_SIDE
from ..performances import as_performances
from ..regions.shapes import exact_prior
from ..results import DrawnResult, Table
from ..tasks import two_class
from ..texts import some
from ..typing import Integers, PerformancesLike, ScoreLike
from .record import Path, Tradeoff
from .segments import Segment, placed, segment_between

__all__ = ["Path", "Segment", "Tradeoff", "Tradeoffs", "tradeoff", "tradeoffs"]


def tradeoff(
    performances: PerformancesLike, ends: tuple[ScoreLike, ScoreLike] = ("ppv", "tpr"), distinct: bool = False
) -> Tradeoff:
    """Return the optimal trade-off between the rankings by two scores: by default the best F_β for ranking.

    Two performances swap at β² = −(1/Pr₁ − 1/Pr₂)/(1/Re₁ − 1/Re₂). The optimum is the median of all swaps: it minimizes
    the Fréchet variance d_τ²(Pr;F_β) + d_τ²(F_β;Re). All of it is exact. The optimum, any quantile and any τ take O(n
    log n) expected, lists of all swaps and rankings the time of their length. (Optimal trade-off, (8)-(12), (36), with
    the errata on ties.)

    Parameters
    ----------
    performances
        The performances; domains are averaged (see :func:`tradeoffs`). Between precision and recall true negatives may
        be missing.
    ends
        Two scores, importances or places on one horizontal or vertical line of the Tile, such as ("npv", "tpr"). At
        equal priors also TNR and TPR, at equal rates of predictions also NPV and PPV.
    distinct
        Whether entities that are equal between the ends are merged; by default every row counts. The first by name
        stands for all of them, and the heuristic takes their mean.

    Returns
    -------
    Tradeoff
        The optimum and what surrounds it. Precision 0/0 is 0, as is the limit of F_β; entities that are undefined on
        the whole way are left out, and ``notes`` name them.

    Raises
    ------
    UsageError
        For ends that are equal or on no common line, and without true negatives for ends other than precision and
        recall.
    NoPlaceError
        For an end without a place on the Tile.
    DataError
        For a diagonal where what must be equal differs.

    See Also
    --------
    rankscape.tradeoffs : one per domain
    rankscape.distributions : the optimum for whole families
    rankscape.rank

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]]
    ... )
    >>> t = rs.tradeoff(P)
    >>> round(t.beta, 4), t.n_discordant, round(t.quantile(0.8), 4)
    (0.6736, 6, 0.9374)
    >>> [round(x, 4) for x in rs.tradeoff(P, ends=("tnr", "npv")).place]
    [0.0, 0.6093]
    """
    performances = as_performances(performances)
    notes = [f"Performances are {performances.how_averaged}"] if performances.how_averaged else []
    performances = two_class.at_right_side(performances.per_entity(), "a trade-off")
    if not isinstance(ends, (tuple, list)) or len(ends) != 2:
        raise UsageError(f'ends are two scores, such as ("ppv", "tpr"); got {ends!r}')
    prior = performances.common_prior()
    segment = segment_between(*ends, prior)
    if performances.space == RIGHT_SIDE and not segment.is_f_beta:
        raise needs_tn(f"the trade-off between {segment.names[0]} and {segment.names[1]}")
    floating = segment.kind == "diagonal" and not performances.of_integers
    if floating and prior is not None and 0 < prior < 1 and exact_prior(performances) is None:
        P = performances
        performances = P.from_trusted(P.integers, P.names, P.domains, P.space).shift_priors(prior)
        notes.append(f"Priors are equal but for rounding: all are set to {prior:.6g}")
    lines, merged = placed(performances, segment), None
    if distinct:
        classes, names = lines.classes, performances.names
        valued = np.flatnonzero(classes >= 0)
        merged = performances[valued], np.bincount(classes[valued])[classes[valued]]
        stands = {int(classes[row]): row for row in sorted(valued.tolist(), key=names.__getitem__, reverse=True)}
        kept = sorted([*np.flatnonzero(classes < 0).tolist(), *stands.values()])
        if fewer := len(performances) - len(kept):
            copies = "is equal to another" if fewer == 1 else "are equal to others"
            notes.append(f"Of {len(performances)} models {fewer} {copies} between the ends, and not counted")
        performances = performances[np.array(kept, dtype=np.int64)]
        lines = placed(performances, segment)

    def named(rows: Integers) -> str:
        return some(sorted(performances.names[row] for row in rows), 3, quote="")

    if len(lines.undefined):
        notes.append(f"Left out, for they have no value between the ends: {named(lines.undefined)}")
    for end, name in zip(ends, segment.names, strict=True) if len(lines.constant) else ():
        rows = lines.constant[np.isnan(as_score(end)(performances[lines.constant]))]
        if len(rows):
            limit, what = 0 if lines.smaller_first else 1, f"{name} is 0/0 for {named(rows)}"
            notes.append(f"{what}: {limit} is taken, the limit between the ends")
    return Tradeoff(performances, segment, lines, Crossings(lines.lines), tuple(notes), merged)


@dataclass(frozen=True, eq=False, repr=False)
class Tradeoffs(DrawnResult, Mapping[str, Tradeoff]):
    """One trade-off per domain, by name: a mapping, with a table.

    >>> import rankscape as rs
    >>> rows = [[80, 2, 9, 9], [76, 6, 6, 12], [8, 1, 4, 6], [6, 3, 1, 9]]
    >>> P = rs.Performances.from_counts(rows, names=["p", "q", "p", "q"], domains=["x", "x", "y", "y"])
    >>> {name: round(t.beta, 4) for name, t in rs.tradeoffs(P).items()}
    {'x': 0.7454, 'y': 0.5477}
    """

    by_domain: dict[str, Tradeoff]

    drawing, brief = "draw_tradeoffs", True

    def __getitem__(self, domain: str) -> Tradeoff:
        if domain not in self.by_domain:
            raise KeyError(f"no domain is called {domain!r}; there are {some(list(self), quote='', word=repr)}")
        return self.by_domain[domain]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_domain)

    def __len__(self) -> int:
        return len(self.by_domain)

    @property
    def any(self) -> Tradeoff:
        """The trade-off of the first domain, for what is the same on all, such as the ends."""
        return next(iter(self.values()))

    def table(self) -> Table:
        """Return one row per domain: the figures of its trade-off."""
        tables = [t.table() for t in self.values()]
        return Table({"domain": list(self)} | {name: [one[name][0] for one in tables] for name in tables[0].columns})

    @property
    def heading(self) -> str:
        """The number of domains."""
        return f"Tradeoffs on {len(self)} domains"


def tradeoffs(
    performances: PerformancesLike, ends: tuple[ScoreLike, ScoreLike] = ("ppv", "tpr"), distinct: bool = False
) -> Tradeoffs:
    """Return the trade-off on each domain, as :func:`tradeoff` does on one.

    Every domain may have another optimal β.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    ends
        Two scores, importances or places, as in :func:`tradeoff`.
    distinct
        Whether entities that are equal between the ends are merged.

    Returns
    -------
    Tradeoffs
        One :class:`Tradeoff` per domain.

    Raises
    ------
    UsageError
        Where there are no domains, and as for :func:`tradeoff`.

    See Also
    --------
    rankscape.tradeoff : of the averaged performances

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     [[80, 2, 9, 9], [76, 6, 6, 12]], names=["p", "q"], domains=["x", "x"]
    ... )
    >>> [round(beta, 4) for beta in rs.tradeoffs(P).table()["beta"]]
    [0.7454]
    """
    performances = as_performances(performances)
    if performances.domains is None:
        ways = [Option("tradeoff", python="use tradeoff(P)")]
        ways += [Option("domain", option="domain", python="read them with a column of domains")]
        raise UsageError("these performances have no domains", way_out=ways)
    by_domain = {}
    for domain in dict.fromkeys(performances.domains):
        try:
            by_domain[domain] = tradeoff(performances.in_domain(domain), ends, distinct)
        except DataError as error:
            raise error.located(f"domain '{one_line(domain)}'") from None
    return Tradeoffs(by_domain)
