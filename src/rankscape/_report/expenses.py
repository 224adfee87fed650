"""Expected costs in sentences and columns, where a preference was given as costs."""

from collections.abc import Collection

from .._costs import Costs
from ..performances import Performances
from ..texts import inside, label


def share_text(share: float) -> str:
    """Return a share of positives with four digits, or with as many as keep it off 1.

    >>> share_text(0.25), share_text(0.99996)
    ('0.25', '0.99996')
    """
    text = f"{share:.4g}"
    return inside(share) if text == "1" else text


def shares_of_positives(data: Performances) -> str:
    """Return at which share of positives performances are."""
    low, high = map(share_text, (data.priors.min(), data.priors.max()))
    return f"a share of positives of {low}" if low == high else f"their own shares of positives, {low} to {high}"


def expense(costs: Costs | None, data: Performances, first: Collection[str], *, beside: bool = False) -> str:
    """Say what the first is expected to cost, and who costs less where anybody does; nothing without costs.

    ``beside`` adds what the cheapest of the others costs.
    """
    if costs is None or not first:
        return ""
    expected = costs.expected(data)
    rows = [row for row, name in enumerate(data.names) if name in first]
    row = rows[0]
    others = [other for other in range(len(data)) if data.names[other] not in first]
    cheapest = min(others, key=lambda other: float(expected[other]), default=row)
    amounts = costs.amounts(expected)
    here, there = amounts[row], amounts[cheapest]
    text = f"Expected cost of {label(data.names[row])}, at {shares_of_positives(data)}: {here} {costs.unit()}"
    name = label(data.names[cheapest])
    if expected[cheapest] < expected[row]:
        return f"{text}. {name} would cost less: {there}"
    return f"{text}. The next, {name}, would cost {there}" if beside and others else text
