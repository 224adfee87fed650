"""The optimal trade-off between two scores: what lies between precision and recall, and which F_β is in the middle."""

from typing import Any

import numpy as np

from .._scores import as_score
from ..errors import UsageError
from ..io import as_performances
from ..kernels.crossings import Crossings
from ..performances import Performances
from ..tasks import two_class
from ..texts import some
from .domains import Tradeoffs, each_domain
from .path import Path
from .result import Tradeoff
from .segments import Segment, placed, segment_between

__all__ = ["Path", "Segment", "Tradeoff", "Tradeoffs", "tradeoff", "tradeoffs"]


def tradeoff(performances: Any, ends: tuple[Any, Any] = ("ppv", "tpr"), distinct: bool = False) -> Tradeoff:
    """Return the optimal trade-off between the rankings by two scores: by default the best F_β for ranking.

    Two performances swap at β² = −(1/Pr₁ − 1/Pr₂)/(1/Re₁ − 1/Re₂); the optimum is the median of all swaps: it minimizes
    the Fréchet variance d_τ²(Pr;F_β) + d_τ²(F_β;Re). Exact; the optimum, any quantile and any τ in O(n log n) expected,
    lists of all swaps and rankings in the time of their length. ``ends`` are two scores, importances or places on one
    horizontal or vertical line of the Tile, such as ("npv", "tpr"); at equal priors also TNR and TPR, at equal rates of
    predictions also NPV and PPV. Every row counts as an entity; ``distinct`` merges those equal between the ends.
    Domains are averaged (see :func:`tradeoffs`). Precision 0/0 is 0 as is the limit of F_β; entities undefined on the
    whole way are left out. Raises UsageError for ends that are equal or on no common line, NoPlaceError for one without
    a place, DataError for a diagonal where what must be equal differs.
    (Optimal trade-off, (8)-(12), (36), with the errata on ties.)

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]])
    >>> t = tradeoff(P)
    >>> round(t.beta, 4), t.n_discordant, round(t.quantile(0.8), 4)
    (0.6736, 6, 0.9374)
    >>> [round(x, 4) for x in tradeoff(P, ends=("tnr", "npv")).place]
    [0.0, 0.6093]
    """
    performances = two_class.as_two_class(as_performances(performances), "a trade-off")
    notes = []
    if performances.n_domains > 1:
        notes.append(f"Performances are averaged over {performances.n_domains} domains with equal weights")
    performances = performances.per_entity()
    if not isinstance(ends, (tuple, list)) or len(ends) != 2:
        raise UsageError(f'ends are two scores, such as ("ppv", "tpr"); got {ends!r}')
    first, second = ends
    segment = segment_between(first, second, performances.common_prior())
    found = placed(performances, segment)
    if distinct:
        merged = len(performances)
        performances = performances[_different(found)]
        found = placed(performances, segment)
        if merged > len(performances):
            fewer = merged - len(performances)
            said = "is equal to another" if fewer == 1 else "are equal to others"
            notes.append(f"Of {merged} entities {fewer} {said} between the ends, and not counted")
    if len(found.undefined):
        names = some(found.undefined.tolist(), 3, quote="", word=performances.names.__getitem__)
        notes.append(f"Left out, for they have no value between the ends: {names}")
    for end, name in zip(ends, segment.names, strict=True) if len(found.constant) else ():
        rows = found.constant[np.isnan(as_score(end)(performances[found.constant]))]
        if len(rows):
            limit = 0 if found.smaller_first else 1
            names = some(rows.tolist(), 3, quote="", word=performances.names.__getitem__)
            notes.append(f"{name} is 0/0 for {names}: {limit} is taken, the limit between the ends")
    return Tradeoff(performances, segment, found, Crossings(found.lines), tuple(notes))


def _different(found: Any) -> Any:
    """Return the rows of which none is equal to an earlier one between the ends, ascending."""
    lines = found.lines
    numbers = np.arange(len(lines))
    new = np.append(True, ~lines.alike(numbers[1:], numbers[:-1])) if len(lines) else np.empty(0, dtype=bool)
    first = found.rows[lines.original[new]]
    return np.sort(np.concatenate([first, found.constant[:1], found.undefined]))


def tradeoffs(performances: Any, ends: tuple[Any, Any] = ("ppv", "tpr"), distinct: bool = False) -> Tradeoffs:
    """Return the trade-off on each domain, as :func:`tradeoff` does on one: the optimal β is another on each.

    Raises UsageError where there are no domains.

    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[80, 2, 9, 9], [76, 6, 6, 12]], names=["p", "q"], domains=["x", "x"])
    >>> [round(beta, 4) for beta in tradeoffs(P).table()["beta"]]
    [0.7454]
    """

    def of(part: Performances) -> Tradeoff:
        return tradeoff(part, ends, distinct)

    return each_domain(performances, of)
