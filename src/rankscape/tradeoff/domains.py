"""The trade-off on each of several domains, which need not agree."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..data import as_performances
from ..errors import UsageError
from ..tables import Table
from .result import Tradeoff
from .words import figures


@dataclass(frozen=True, eq=False, repr=False)
class Tradeoffs(Mapping[str, Tradeoff]):
    """One trade-off per domain, by name: a mapping, with a table.

    >>> from rankscape import Performances
    >>> from rankscape.tradeoff import tradeoffs
    >>> rows = [[80, 2, 9, 9], [76, 6, 6, 12], [8, 1, 4, 6], [6, 3, 1, 9]]
    >>> found = tradeoffs(Performances.from_counts(rows, names=["p", "q", "p", "q"], domains=["x", "x", "y", "y"]))
    >>> {name: round(t.beta, 4) for name, t in found.items()}
    {'x': 0.7454, 'y': 0.5477}
    """

    by_domain: dict[str, Tradeoff]

    def __getitem__(self, domain: str) -> Tradeoff:
        if domain not in self.by_domain:
            raise KeyError(f"no domain is called {domain!r}; there are {', '.join(map(repr, list(self)[:5]))}")
        return self.by_domain[domain]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_domain)

    def __len__(self) -> int:
        return len(self.by_domain)

    def table(self) -> Table:
        """Return one row per domain: the figures of its trade-off."""
        rows = [{"domain": domain} | figures(t) for domain, t in self.items()]
        return Table({name: [one[name] for one in rows] for name in rows[0]})

    def frame(self) -> Any:
        """Return the table as a pandas data frame where pandas is installed."""
        return self.table().frame()

    def __repr__(self) -> str:
        return f"<Tradeoffs on {len(self)} domains>"


def each_domain(performances: Any, of: Any) -> Tradeoffs:
    """Return the trade-offs of the domains, by a function of performances."""
    performances = as_performances(performances)
    if performances.domains is None:
        raise UsageError("these performances have no domains: use tradeoff(P), or read them with a domain column")
    domains = dict.fromkeys(performances.domains)
    return Tradeoffs({domain: of(performances.in_domain(domain)) for domain in domains})
