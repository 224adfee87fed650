"""The trade-off on each of several domains, which need not agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isnan, nan

import numpy as np

from ..checks import one_line
from ..errors import DataError, Option, UsageError
from ..floats import covariances
from ..performances import Performances, as_performances
from ..results import DrawnResult, Table
from ..texts import some
from ..typing import PerformancesLike
from .result import Tradeoff
from .roc_reading import coordinate
from .summary import figures, mean_prior


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

    drawing, brief = "draw_optima", True

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
        rows = [{"domain": domain} | figures(t) for domain, t in self.items()]
        return Table({name: [one[name] for one in rows] for name in rows[0]})

    def predictors(self) -> Table:
        """Return one row per domain that has an optimum: its b = β²/(1+β²), and what predicts it without swaps.

        Columns: domain, optimal_b, prior (the mean π₊), heuristic_b = E[PFP]/(E[PFP]+E[PFN]); on a horizontal of the
        Tile, a is meant, and E[PTN]/(E[PTN]+E[PTP]). (Optimal trade-off, 4.6.)
        """
        rows = [
            (domain, float(coordinate(t.beta)), mean_prior(t), float(coordinate(t.heuristic_beta)))
            for domain, t in self.items()
            if t.n_discordant and not isnan(t.heuristic_beta)
        ]
        names = ("domain", "optimal_b", "prior", "heuristic_b")
        return Table({name: [row[i] for row in rows] for i, name in enumerate(names)})

    def pearson(self) -> dict[str, float]:
        """Return Pearson's r between the optimal b and each predictor, NaN for fewer than two different values.

        >>> import rankscape as rs
        >>> rows = [[80, 2, 9, 9], [76, 6, 6, 12], [8, 1, 4, 6], [6, 3, 1, 9]]
        >>> P = rs.Performances.from_counts(rows, names=["p", "q", "p", "q"], domains=["x", "x", "y", "y"])
        >>> {name: round(r, 4) for name, r in rs.tradeoffs(P).pearson().items()}
        {'prior': -1.0, 'heuristic_b': -1.0}
        """
        table = self.predictors()
        return {name: _pearson(table["optimal_b"], table[name]) for name in ("prior", "heuristic_b")}

    @property
    def heading(self) -> str:
        """The number of domains."""
        return f"Tradeoffs on {len(self)} domains"


def each_domain(performances: PerformancesLike, of: Callable[[Performances], Tradeoff]) -> Tradeoffs:
    """Return the trade-offs of the domains, by a function of performances."""
    performances = as_performances(performances)
    if performances.domains is None:
        ways = [Option("tradeoff", python="use tradeoff(P)")]
        ways += [Option("domain", python="read them with a column of domains")]
        raise UsageError("these performances have no domains", way_out=ways)
    by_domain = {}
    for domain in dict.fromkeys(performances.domains):
        try:
            by_domain[domain] = of(performances.in_domain(domain))
        except DataError as error:
            raise error.located(f"domain '{one_line(domain)}'") from None
    return Tradeoffs(by_domain)


def _pearson(x: list[float], y: list[float]) -> float:
    if len(set(x)) < 2 or len(set(y)) < 2:
        return nan
    (var_x, both), (_, var_y) = covariances(np.array([x, y]).T)
    return float(both / np.sqrt(var_x) / np.sqrt(var_y))
