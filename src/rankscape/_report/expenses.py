"""Expected costs in sentences and columns, where a preference was given as costs."""

from collections.abc import Collection
from fractions import Fraction
from math import inf

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


def written(costs: Costs, data: Performances) -> list[str]:
    """Return the expected costs of all, with digits that tell them apart: a sentence says what a table shows."""
    return costs.numbers(costs.expected(data))


def shares_of_positives(data: Performances) -> str:
    """Return at which share of positives performances are."""
    low, high = map(share_text, (data.priors.min(), data.priors.max()))
    return f"a share of positives of {low}" if low == high else f"their own shares of positives, {low} to {high}"


def costs_that_keep(
    costs: Costs, data: Performances, first: Collection[str]
) -> tuple[Fraction, Fraction | float, Fraction] | None:
    """Return for which ratios of the costs of a miss and a false alarm the first stays first, and the present ratio.

    Right answers are worth what they save, so both exchange rates move together. It is None where shares of positives
    differ, or a false alarm costs nothing.

    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> [str(end) for end in costs_that_keep(Costs(miss=2), P, {"b"})]
    ['1/2', 'inf', '2']
    """
    _, negative, positive, _ = (Fraction(weight) for weight in costs.importance.tolist())
    if not negative or data.common_prior() is None:
        return None
    rows = data.integers.tolist()
    tn, fp, fn, tp = rows[next(i for i, name in enumerate(data.names) if name in first)]
    total, low, high = tn + fp + fn + tp, Fraction(0), inf
    ends: list[Fraction | float] = [high]
    for row in rows:
        more = fn * sum(row) - row[2] * total
        room = row[1] * total - fp * sum(row)
        if more > 0:
            ends.append(Fraction(room, more))
        elif more < 0:
            low = max(low, Fraction(room, more))
    return low, min(ends), positive / negative


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
