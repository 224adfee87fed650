"""Cases that are right or wrong on a card: how many there are, and how much is answered right on each domain."""

from __future__ import annotations

from collections.abc import Sequence

from ..domains import Roles
from ..domains.roles import Role
from ..performances import Performances
from ..results import Table
from ..tasks.success import mean_of_grades
from ..texts import and_more
from .leaderboard import in_percent, shares_right
from .render import decimals

MOST_COLUMNS = 8
"""Up to so many domains have a column each."""

BOTTLENECK = "the domain with the largest share of the wrong answers"
"""What the bottleneck of right-or-wrong data is, by its errors."""

OF_GRADES = "the domain with the largest share of what is lost"
"""What the bottleneck of cases with grades is."""


def cases_by_domain(data: Performances) -> Table | None:
    """Return the number of cases of each domain, from the fewest to the most of an entity; None where none is known.

    >>> from ..tasks.success import from_counts
    >>> list(cases_by_domain(from_counts([3, 4], [5, 8], names=["a", "a"], domains=["x", "y"])).rows())
    [('x', '5'), ('y', '8')]
    """
    cases: dict[str, list[int]] = {}
    if data.pairing is not None:
        cases = {domain: [n] for domain, n in getattr(data.pairing, "cases", {}).items()}
    elif data.counts is not None:
        for domain, total in zip(data.domains or [""] * len(data), data.counts.sum(axis=1).tolist(), strict=True):
            cases.setdefault(domain, []).append(total)
    if not cases:
        return None
    spans = [f"{min(n)}" if min(n) == max(n) else f"{min(n)} to {max(n)}" for n in cases.values()]
    return Table({"cases": spans} if data.domains is None else {"domain": list(cases), "cases": spans})


def about_cases(data: Performances) -> list[str]:
    """Say what is known of the cases: whether all entities answered the same ones, and what cannot be said."""
    if data.pairing is not None:
        lines = ["Every model answered the same cases, which the draws keep together"]
        if (mean := mean_of_grades(data.space)) is not None:
            lines.append(f"Cases are not right or wrong: they have grades, and the {mean} is ranked")
        elif data.counts is None:
            lines.append("Models have several answers to a case, and the shares of right ones are averaged")
        return lines
    return ["These are counts: which cases the models share is not known"]


def rates_by_domain(parts: Roles, rows: Sequence[int]) -> tuple[Table, tuple[str, ...]]:
    """Return how much some entities answer right, or their mean grades, by domain, and which is the hardest of each."""
    write = shares_right if in_percent(parts.score) else decimals
    columns: dict[str, list[str]] = {"model": [parts.names[row] for row in rows]}
    columns["on average"] = write([float(parts.summarized[row]) for row in rows])
    taken = {*columns, "easiest", "hardest", "bottleneck"}
    listed = parts.domains if len(parts.domains) <= MOST_COLUMNS and not taken & {*parts.domains} else ()
    for d, domain in enumerate(parts.domains):
        if domain in listed:
            columns[domain] = write([float(parts.values[row, d]) for row in rows])
    roles: tuple[Role, ...] = ("hardest", "bottleneck") if listed else ("easiest", "hardest", "bottleneck")
    for role in roles:
        sets = [parts.sets[role][row] for row in rows]
        columns[role] = [" = ".join(each[:2]) + and_more(len(each), 2) if each else "—" for each in sets]
    return Table(columns), ("on average", *listed)
