"""Words for cases that are right or wrong: shares of right answers, in percent, and the domains of a card."""

from __future__ import annotations

from collections.abc import Sequence

from .._scores import Score
from ..domains import Roles
from ..domains.roles import Role
from ..io.joint import Joint
from ..performances import Performances
from ..results import Table
from ..tasks.success import is_right_or_wrong
from ..texts import and_more
from .render import interval

MOST_DECIMALS = 5
"""Decimals of a percentage, at most: shares that differ by less look alike."""
MOST_COLUMNS = 8
"""Up to so many domains have a column each."""

BOTTLENECK = "the domain with the largest share of the wrong answers"
"""What the bottleneck of right-or-wrong data is, by its errors."""


def in_percent(score: Score) -> bool:
    """Tell whether a score is the share of right answers, which reads best in percent.

    >>> from .._scores import score
    >>> from ..tasks.success import SPACE
    >>> in_percent(score("pass rate", SPACE)), in_percent(score("error rate", SPACE)), in_percent(score("accuracy"))
    (True, False, False)
    """
    if not is_right_or_wrong(score.space) or score.direction != "larger" or score.importance is None:
        return False
    return len(set(score.importance)) == 1


def shares_right(values: Sequence[float]) -> list[str]:
    """Return shares in percent, with as many decimals as tell different ones apart; undefined ones are a dash.

    >>> shares_right([0.84123, 0.5, float("nan")]), shares_right([0.84123, 0.84125]), shares_right([1.0, 0.9996])
    (['84.1 %', '50.0 %', '—'], ['84.123 %', '84.125 %'], ['100 %', '99.96 %'])
    """
    known = {value for value in values if value == value}
    for digits in range(1, MOST_DECIMALS + 1):
        texts = {value: _percent(value, digits) for value in known}
        if len(set(texts.values())) == len(known):
            break
    return ["—" if value != value else texts[value] for value in values]


def _percent(value: float, digits: int) -> str:
    """Write a share in percent; only 0 and 1 are written as 0 % and 100 %."""
    if value in (0, 1):
        return f"{100 * value:.0f} %"
    text = f"{100 * value:.{digits}f}"
    while float(text) in (0, 100) and digits < 15:
        digits += 1
        text = f"{100 * value:.{digits}f}"
    return f"{text} %"


def share_interval(low: float, high: float) -> str:
    """Return an interval of shares in percent.

    >>> share_interval(0.7641, 0.8234), share_interval(float("nan"), 1)
    ('76.4 to 82.3 %', '—')
    """
    text = interval(100 * low, 100 * high, 1)
    return text if text == "—" else f"{text} %"


def cases_by_domain(data: Performances) -> Table | None:
    """Return the number of cases of each domain, from the fewest to the most of an entity; None where none is known.

    >>> from ..tasks.success import from_counts
    >>> list(cases_by_domain(from_counts([3, 4], [5, 8], names=["a", "a"], domains=["x", "y"])).rows())
    [('x', '5'), ('y', '8')]
    """
    cases: dict[str, list[int]] = {}
    if isinstance(data.pairing, Joint):
        cases = {domain: [n] for domain, n in data.pairing.cases.items()}
    elif data.counts is not None:
        for domain, total in zip(data.domains or [""] * len(data), data.counts.sum(axis=1).tolist(), strict=True):
            cases.setdefault(domain, []).append(total)
    if not cases:
        return None
    spans = [f"{min(n)}" if min(n) == max(n) else f"{min(n)} to {max(n)}" for n in cases.values()]
    return Table({"cases": spans} if data.domains is None else {"domain": list(cases), "cases": spans})


def about_cases(data: Performances) -> list[str]:
    """Say what is known of the cases: whether all entities answered the same ones, and what cannot be said."""
    if isinstance(data.pairing, Joint):
        lines = ["Every entity answered the same cases, which the draws keep together"]
        if data.counts is None:
            lines.append("Some answers have grades between wrong and right")
        return lines
    return ["These are counts: which cases the entities share is not known"]


def rates_by_domain(parts: Roles, rows: Sequence[int]) -> tuple[Table, tuple[str, ...]]:
    """Return how much some entities answer right on each domain, with the hardest and the bottleneck of each."""
    columns: dict[str, list[str]] = {"entity": [parts.names[row] for row in rows]}
    columns["on average"] = shares_right([float(parts.summarized[row]) for row in rows])
    taken = {*columns, "easiest", "hardest", "bottleneck"}
    listed = parts.domains if len(parts.domains) <= MOST_COLUMNS and not taken & {*parts.domains} else ()
    for d, domain in enumerate(parts.domains):
        if domain in listed:
            columns[domain] = shares_right([float(parts.values[row, d]) for row in rows])
    roles: tuple[Role, ...] = ("hardest", "bottleneck") if listed else ("easiest", "hardest", "bottleneck")
    for role in roles:
        sets = [parts.sets[role][row] for row in rows]
        columns[role] = [" = ".join(each[:2]) + and_more(len(each), 2) if each else "—" for each in sets]
    return Table(columns), ("on average", *listed)
