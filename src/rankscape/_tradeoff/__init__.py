"""The optimal trade-off between two scores: what lies between precision and recall, and which F_β is in the middle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._scores import as_score
from ..checks import needs_tn
from ..errors import UsageError
from ..kernels.crossings import Crossings
from ..outcomes import RIGHT_SIDE
from ..performances import Performances, as_performances
from ..tasks import two_class
from ..texts import some
from ..typing import Integers, PerformancesLike, ScoreLike
from .domains import Tradeoffs, each_domain
from .path import Path
from .result import Tradeoff
from .segments import Placed, Segment, placed, segment_between

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
    first, second = ends
    segment = segment_between(first, second, performances.common_prior())
    if performances.space == RIGHT_SIDE and not segment.is_f_beta:
        raise needs_tn(f"the trade-off between {segment.names[0]} and {segment.names[1]}")
    if segment.kind == "diagonal" and (prior := _rounded_prior(performances)) is not None:
        performances = performances.from_trusted(
            performances.integers, performances.names, performances.domains, performances.space
        ).shift_priors(prior)
        notes.append(f"Priors are equal but for rounding: all are set to {prior:.6g}")
    lines = placed(performances, segment)
    merged = None
    if distinct:
        given, classes = performances, _classes(lines)
        valued = np.flatnonzero(classes >= 0)
        merged = given[valued], np.bincount(classes[valued])[classes[valued]]
        performances = given[_first_by_name(given.names, classes)]
        lines = placed(performances, segment)
        if fewer := len(given) - len(performances):
            copies = "is equal to another" if fewer == 1 else "are equal to others"
            notes.append(f"Of {len(given)} models {fewer} {copies} between the ends, and not counted")
    if len(lines.undefined):
        notes.append(f"Left out, for they have no value between the ends: {_names(performances, lines.undefined)}")
    for end, name in zip(ends, segment.names, strict=True) if len(lines.constant) else ():
        rows = lines.constant[np.isnan(as_score(end)(performances[lines.constant]))]
        if len(rows):
            limit, what = 0 if lines.smaller_first else 1, f"{name} is 0/0 for {_names(performances, rows)}"
            notes.append(f"{what}: {limit} is taken, the limit between the ends")
    crossings = Crossings(lines.lines)
    return Tradeoff(
        performances=performances, segment=segment, placed=lines, crossings=crossings, notes=tuple(notes), merged=merged
    )


def _rounded_prior(performances: Performances) -> float | None:
    """Return the prior of performances that are floats and have the same prior but for rounding; None for others."""
    prior = performances.common_prior()
    if performances.of_integers or prior is None or not 0 < prior < 1:
        return None
    positive, total = performances.integers[:, 2:].sum(axis=1), performances.integers.sum(axis=1)
    return prior if (positive * total[0] != positive[0] * total).any() else None


def _names(performances: Performances, rows: Integers) -> str:
    return some(sorted(performances.names[row] for row in rows), 3, quote="")


def _classes(given: Placed) -> Integers:
    """Return a number for each row, the same for those that are equal between the ends; −1 for those without value."""
    classes = np.full(len(given.rows) + len(given.constant) + len(given.undefined), -1)
    classes[given.rows[given.lines.original]] = given.lines.groups
    classes[given.constant] = len(given.rows)
    return classes


def _first_by_name(names: Sequence[str], classes: Integers) -> Integers:
    """Return the row of each class whose name comes first, and all rows that are in none, ascending."""
    first: dict[int, int] = {}
    for row in sorted(np.flatnonzero(classes >= 0).tolist(), key=names.__getitem__):
        first.setdefault(int(classes[row]), row)
    return np.sort(np.concatenate([np.flatnonzero(classes < 0), np.array(list(first.values()), dtype=np.int64)]))


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
    return each_domain(performances, lambda part: tradeoff(part, ends, distinct))
