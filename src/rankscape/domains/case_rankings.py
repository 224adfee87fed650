"""Rankings of challenges beside ours: ranks of each case that are averaged, and tests of each pair of entities.

Challenges often rank in other ways than by an averaged performance: they rank the entities on each case and average
these ranks (rank then aggregate), or count how many others an entity beats in a statistical test (test then rank). Both
can contradict every preference: adding an entity may swap two others. They are shown to compare, and not to rank by.
(Maier-Hein et al. 2018; Wiesenfarth et al. 2021, challengeR.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks.numbers import checked_share, meant
from ..errors import UsageError
from ..floats import products
from ..kernels.exact import integers_of_fractions
from ..kernels.kendall import tau_b
from ..ordering import rank
from ..outcomes import SampleSpace
from ..performances import Joint, Units, as_performances
from ..results import Result, Table
from ..texts import counted, some
from ..typing import Floats, Integers, PerformancesLike, WeightsLike
from .grid import arranged

LARGEST = 2**60
Numbers = NDArray[Any]

WAYS = ("aggregate then rank", "rank then mean", "rank then median", "test then rank")
"""The ways to rank, ours first."""


@dataclass(frozen=True, eq=False, repr=False)
class CaseRankings(Result):
    """Ranks of n entities by four ways, on each domain and over all.

    Get them from :func:`case_rankings`.

    Attributes
    ----------
    names, domains
        The entities and the domains.
    values : (domains, n)
        The mean satisfactions.
    ranks
        {way: ranks (domains, n)}.
    overall
        {way: ranks (n,)}: of ours those of the averaged performance, of the others those of the mean rank over the
        domains.
    alpha
        The level of the tests.

    See Also
    --------
    rankscape.domains.case_rankings
    """

    names: tuple[str, ...]
    domains: tuple[str, ...]
    values: Floats
    ranks: dict[str, Floats]
    overall: dict[str, Floats]
    alpha: float

    @property
    def taus(self) -> dict[str, float]:
        """Kendall's τ_b between our overall ranking and that of each other way."""
        ours, *others = WAYS
        return {way: _tau(self.overall[ours], self.overall[way]) for way in others}

    @property
    def heading(self) -> str:
        """How many entities and domains there are."""
        over = f" on {counted(len(self.domains), 'domain')}" if len(self.domains) > 1 else ""
        return f"Ranks of {counted(len(self.names), 'model')}{over}, by {len(WAYS)} ways to rank"

    def table(self) -> Table:
        """Return one row per domain and entity, and below them, where there are several domains, those over all.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        places = list(self.domains or ("",))
        rows: dict[str, list[Any]] = {"domain": [], "entity": [], "value": []} | {way: [] for way in WAYS}
        several = len(places) > 1
        for d, place in enumerate([*places, "all"] if several else places):
            whole = several and d == len(places)
            rows["domain"] += [place] * len(self.names)
            rows["entity"] += self.names
            rows["value"] += [float("nan")] * len(self.names) if whole else self.values[d].tolist()
            for way in WAYS:
                rows[way] += (self.overall[way] if whole else self.ranks[way][d]).tolist()
        if not self.domains:
            del rows["domain"]
        return Table(rows)


def case_rankings(
    performances: PerformancesLike, weights: WeightsLike = "equal", *, alpha: float = 0.05
) -> CaseRankings:
    """Rank in the ways that challenges use, beside ours, to compare them.

    On each case an entity has a satisfaction: right or wrong, or its grade. *Aggregate then rank* is ours: the mean
    over the cases, then the rank; over domains, performances are averaged with the ``weights``. *Rank then mean* and
    *rank then median* rank the entities on each case, larger first and ties at the smallest rank, and rank these ranks'
    mean or median. *Test then rank* counts the others that an entity beats by a one-sided Wilcoxon signed-rank test at
    level ``alpha``, with Holm's correction on each domain.

    Parameters
    ----------
    performances
        Performances that know their cases, as those of :func:`rankscape.tasks.success.from_cases`.
    weights
        How domains are averaged in our ranking, as in :func:`rankscape.summarize`.
    alpha
        The level of the tests, between 0 and 1.

    Returns
    -------
    CaseRankings
        Ranks per domain and over all; ``.taus`` compares the rankings over all with ours.

    Raises
    ------
    UsageError
        For performances that do not know which cases their entities share.

    See Also
    --------
    rankscape.rank

    References
    ----------
    Wiesenfarth, M. et al. (2021). Methods and open-source toolkit for analyzing and visualizing challenge results.
    Scientific Reports 11, 2369.

    Examples
    --------
    >>> import rankscape as rs
    >>> steady, brilliant = [0.6, 0.6, 0.6, 0.6], [0.5, 0.5, 0.5, 1.0]
    >>> rows = {"case": [1, 2, 3, 4], "steady": steady, "brilliant": brilliant}
    >>> P = rs.tasks.success.from_cases(rows, correct=["steady", "brilliant"])
    >>> R = rs.domains.case_rankings(P)
    >>> R.overall["aggregate then rank"].tolist(), R.overall["rank then mean"].tolist()
    ([2.0, 1.0], [1.0, 2.0])
    """
    alpha = checked_share("alpha", alpha, "be a probability between 0 and 1")
    given = as_performances(performances)
    if not isinstance(given.pairing, Joint):
        raise UsageError(
            "these performances do not say which cases their models share",
            expected="those of tables with one row per case, such as rs.tasks.success.from_cases",
        )
    joint = given.pairing.on(given.domains)
    names = tuple(dict.fromkeys(given.names))
    order = [list(dict.fromkeys(joint.performances.names)).index(name) for name in names]
    P = joint.performances[list(names)]
    domains = tuple(dict.fromkeys(P.domains or ()))
    worth = _worth(P.space)
    each = [_on_domain(units.only(order), worth, alpha) for units in joint.units]
    ranks = {way: np.stack([by_way[way] for _, by_way in each]) for way in WAYS[1:]}
    parts = [P.in_domain(place) for place in domains] or [P]
    ranks[WAYS[0]] = np.stack([rank(part[list(names)]).ranks for part in parts])
    overall = {WAYS[0]: rank(arranged(P, weights).summary()).ranks}
    overall |= {way: _ranks(-ranks[way].mean(axis=0)) for way in WAYS[1:]}
    return CaseRankings(names, domains, np.stack([values for values, _ in each]), ranks, overall, alpha)


def _worth(space: SampleSpace) -> Floats:
    if space.satisfaction is None:
        raise UsageError(f"the outcomes of {space.name} have no satisfaction, by which cases could be ranked")
    return np.array(space.satisfaction)


def _on_domain(units: Units, worth: Floats, alpha: float) -> tuple[Floats, dict[str, Floats]]:
    """Return the mean satisfactions of the entities, and their ranks by each way."""
    of_codes = worth if units.grades is None else products(units.grades, worth[:, None])[:, 0]
    values, size = of_codes[units.codes], units.size  # (kinds, n)
    means = (size[:, None] * values).sum(axis=0) / size.sum()
    values = _whole(values)
    per_case = np.array([_ranks(row) for row in values])
    total = (size[:, None] * per_case).sum(axis=0)
    order = np.argsort(per_case, axis=0, kind="stable")
    medians = np.array([_median(per_case[order[:, j], j], size[order[:, j]]) for j in range(values.shape[1])])
    beaten = _beaten(values, size, alpha)
    return means, dict(zip(WAYS[1:], map(_ranks, (-total, -medians, beaten)), strict=True))


def _whole(values: Floats) -> Numbers:
    """Return whole numbers in proportion to grades, as they are typed: differences of 0.3 and 0.2, 0.2 and 0.1 tie.

    >>> _whole(np.array([[0.3, 0.2], [0.1, 0.25]])).tolist()
    [[6, 4], [2, 5]]
    """
    levels, place = np.unique(values, return_inverse=True)
    parts = integers_of_fractions(np.array([[meant(level) for level in levels.tolist()]], dtype=object))[0]
    whole = parts if max(map(abs, parts)) > LARGEST else parts.astype(np.int64)
    return np.asarray(whole[place.reshape(values.shape)])


def _tau(x: Floats, y: Floats) -> float:
    """Return Kendall's τ_b of two rankings, NaN where one of them ties all."""
    return nan if len(set(x.tolist())) < 2 or len(set(y.tolist())) < 2 else tau_b(x, y)


def _ranks(values: Numbers) -> Floats:
    """Return ranks, larger first, ties at the smallest rank.

    >>> _ranks(np.array([0.5, 0.9, 0.5])).tolist()
    [2.0, 1.0, 2.0]
    """
    ordered = np.sort(-values)
    return np.asarray(1.0 + np.searchsorted(ordered, -values, side="left"))


def _median(ranks: Floats, size: Integers) -> float:
    """Return the median of sorted ranks that occur ``size`` times each."""
    ends = np.cumsum(size)
    total = int(ends[-1])
    low, high = np.searchsorted(ends, [(total - 1) // 2, total // 2], side="right")
    return float(ranks[low] + ranks[high]) / 2


def _beaten(values: Numbers, size: Integers, alpha: float) -> Floats:
    """Return how many others each entity beats by one-sided signed-rank tests, corrected as by Holm."""
    from scipy.stats import norm  # which takes long to load

    n = values.shape[1]
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    scores = np.array([_signed_ranks(values[:, i] - values[:, j], size) for i, j in pairs])
    p = norm.sf(scores)
    beaten = np.zeros(n)
    for place, k in enumerate(np.argsort(p, kind="stable").tolist()):
        if p[k] * (len(p) - place) > alpha:
            break
        beaten[pairs[k][0]] += 1
    return beaten


def _signed_ranks(differences: Numbers, size: Integers) -> float:
    """Return the z-score of Wilcoxon's signed ranks, normal and corrected for ties and continuity; −inf without any.

    >>> round(_signed_ranks(np.array([1, 2, -1]), np.array([5, 3, 2])), 4)
    2.0168
    """
    there = differences != 0
    if not there.any():
        return -np.inf
    kinds, place = np.unique(np.abs(differences[there]), return_inverse=True)
    together = np.bincount(place, size[there], minlength=len(kinds))
    ranks = np.cumsum(together) - (together - 1) / 2
    n = float(together.sum())
    positive = float((ranks[place] * size[there])[differences[there] > 0].sum())
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((together**3 - together).sum()) / 48
    return (positive - n * (n + 1) / 4 - 0.5) / float(np.sqrt(variance)) if variance > 0 else -np.inf


def contradictions(rankings: CaseRankings) -> list[str]:
    """Return a sentence for each other way of ranking: its winner, and how alike its order is to ours.

    Parameters
    ----------
    rankings
        What :func:`case_rankings` returns.

    Returns
    -------
    list of str
        One sentence per other way.

    See Also
    --------
    rankscape.domains.case_rankings
    """
    ours = _first(rankings.names, rankings.overall[WAYS[0]])
    lines = []
    for way, tau in rankings.taus.items():
        first = _first(rankings.names, rankings.overall[way])
        same = "the same model first" if first == ours else f"{some(first, quote='')} first"
        alike = "it ties them all" if tau != tau else f"Kendall's τ with ours: {tau:.2f}"
        lines.append(f"{way[0].upper()}{way[1:]} puts {same} ({alike})")
    return lines


def _first(names: Sequence[str], ranks: Floats) -> list[str]:
    return [name for name, rank in zip(names, ranks.tolist(), strict=True) if rank == 1]
