"""Rankings of challenges beside ours: ranks of each case that are averaged, and tests of each pair of entities.

Challenges often rank in other ways than by an averaged performance: they rank the entities on each case and average
these ranks (rank then aggregate), or count how many others an entity beats in a statistical test (test then rank). Both
can contradict every preference: adding an entity may swap two others. They are shown to compare, and not to rank by.
(Maier-Hein et al. 2018; Wiesenfarth et al. 2021, challengeR.)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks.numbers import checked_share, meant
from ..errors import UsageError
from ..floats import products
from ..kernels.exact import integers_of_fractions
from ..ordering import kendall_tau, rank
from ..performances import Joint, Units, as_performances
from ..results import Result, Table
from ..texts import counted, some
from ..typing import Floats, Integers, PerformancesLike, WeightsLike
from .grid import arranged

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
        """Kendall's τ_b between our overall ranking and that of each other way; NaN where one of them ties all."""
        ours, *others = WAYS
        return {way: kendall_tau(self.overall[ours], self.overall[way]) for way in others}

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
        n, several = len(self.names), len(self.domains) > 1
        places = [*self.domains, *(["all"] if several else [])] or [""]
        columns: dict[str, Any] = {
            "domain": [place for place in places for _ in range(n)],
            "entity": self.names * len(places),
            "value": [*self.values.ravel().tolist(), *[nan] * (n * several)],
        }
        for way in WAYS:
            columns[way] = [*self.ranks[way].ravel().tolist(), *(self.overall[way].tolist() if several else [])]
        if not self.domains:
            del columns["domain"]
        return Table(columns)

    def sentences(self) -> list[str]:
        """Return a sentence for each other way of ranking: its winner, and how alike its order is to ours.

        Returns
        -------
        list of str
            One sentence per other way.
        """

        def first(way: str) -> list[str]:
            return [name for name, rank in zip(self.names, self.overall[way].tolist(), strict=True) if rank == 1]

        lines = []
        for way, tau in self.taus.items():
            same = first(way) == first(WAYS[0])
            best = "the same model first" if same else f"{some(first(way), quote='')} first"
            alike = "it ties them all" if tau != tau else f"Kendall's τ with ours: {tau:.2f}"
            lines.append(f"{way.capitalize()} puts {best} ({alike})")
        return lines


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
        Performances that know their cases, as those of :func:`rankscape.cases`.
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
    >>> P = rs.cases(rows, correct=["steady", "brilliant"]).performances
    >>> R = rs.domains.case_rankings(P)
    >>> R.overall["aggregate then rank"].tolist(), R.overall["rank then mean"].tolist()
    ([2.0, 1.0], [1.0, 2.0])
    """
    alpha = checked_share("alpha", alpha, "be a probability between 0 and 1")
    given = as_performances(performances)
    if not isinstance(given.pairing, Joint):
        raise UsageError(
            "these performances do not say which cases their models share",
            expected="those of tables with one row per case, such as rs.cases(…).performances",
        )
    joint = given.pairing.on(given.domains)
    names = tuple(dict.fromkeys(given.names))
    order = [list(dict.fromkeys(joint.performances.names)).index(name) for name in names]
    P = joint.performances[list(names)]
    if P.space.satisfaction is None:
        raise UsageError(f"the outcomes of {P.space.name} have no satisfaction, by which cases could be ranked")
    worth = np.array(P.space.satisfaction)
    domains = tuple(dict.fromkeys(P.domains or ()))
    means, *others = zip(*(_on_domain(units.only(order), worth, alpha) for units in joint.units), strict=True)
    parts = [P.in_domain(place) for place in domains] or [P]
    satisfaction = [1] * len(P.space)  # all outcomes matter alike, as each case does to the other methods
    ours = np.stack([rank(part[list(names)], satisfaction).ranks for part in parts])
    ranks = dict(zip(WAYS, (ours, *map(np.stack, others)), strict=True))
    overall = {way: _ranks(of_domains.mean(axis=0)) for way, of_domains in ranks.items()}
    overall[WAYS[0]] = rank(arranged(P, weights).summary(), satisfaction).ranks
    return CaseRankings(names, domains, np.stack(means), ranks, overall, alpha)


def _ranks(values: NDArray[Any], axis: int | None = None) -> Floats:
    """Return ranks, smaller first, ties at the smallest rank.

    >>> _ranks(np.array([5, 1, 5])).tolist()
    [2.0, 1.0, 2.0]
    """
    from scipy.stats import rankdata  # which takes long to load

    return np.asarray(rankdata(values, method="min", axis=axis), dtype=np.float64)


def _on_domain(units: Units, worth: Floats, alpha: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the mean satisfactions of the entities, and their ranks by the mean, the median, and tests won."""
    of_codes = worth if units.grades is None else products(units.grades, worth[:, None])[:, 0]
    values, size = of_codes[units.codes], units.size  # (kinds, n)
    means = (size[:, None] * values).sum(axis=0) / size.sum()
    per_case = np.repeat(_ranks(-values, axis=1), size, axis=0)
    beaten = _beaten(_whole(values), size, alpha)
    return means, _ranks(per_case.sum(axis=0)), _ranks(np.median(per_case, axis=0)), _ranks(-beaten)


def _whole(values: Floats) -> NDArray[Any]:
    """Return whole numbers in proportion to grades, as they are typed: differences of 0.3 and 0.2, 0.2 and 0.1 tie.

    >>> _whole(np.array([[0.3, 0.2], [0.1, 0.25]])).tolist()
    [[6, 4], [2, 5]]
    """
    levels, place = np.unique(values, return_inverse=True)
    parts = integers_of_fractions(np.array([[meant(level) for level in levels.tolist()]], dtype=object))[0]
    return np.asarray(parts[place.reshape(values.shape)])


def _beaten(values: NDArray[Any], size: Integers, alpha: float) -> Integers:
    """Return how many others each entity beats by one-sided signed-rank tests, corrected as by Holm."""
    n = values.shape[1]
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    p = np.array([_p_alike(values[:, i] - values[:, j], size) for i, j in pairs])
    order = np.argsort(p, kind="stable")
    sure = np.logical_and.accumulate(p[order] * np.arange(len(p), 0, -1) <= alpha)
    return np.bincount([pairs[k][0] for k in order[sure].tolist()], minlength=n)


def _p_alike(differences: NDArray[Any], size: Integers) -> float:
    """Return the p-value of Wilcoxon's signed ranks, normal and corrected for ties and continuity; 1 without any.

    Only the order of the differences counts, so their places stand for whole numbers that floats would round.

    >>> round(_p_alike(np.array([1, 2, -1]), np.array([5, 3, 2])), 4)
    0.0219
    """
    from scipy.stats import wilcoxon

    if not differences.any():
        return 1.0
    _, place = np.unique(np.abs(differences), return_inverse=True)
    signed = np.where(differences > 0, place + 1, np.where(differences < 0, -place - 1, 0))
    test = wilcoxon(np.repeat(signed, size), alternative="greater", correction=True, method="approx")
    return float(test.pvalue)
