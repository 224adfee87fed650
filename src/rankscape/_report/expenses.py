"""Expected costs in sentences and columns, where a preference was given as costs."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Kept:
    """For which costs of a miss, in false alarms, the first stays first, and who comes first beyond either end."""

    low: Fraction
    high: Fraction | float
    here: Fraction
    below: tuple[str, ...] = ()
    above: tuple[str, ...] = ()


def costs_that_keep(costs: Costs, data: Performances, first: Collection[str]) -> Kept | None:
    """Return for which ratios of the costs of a miss and a false alarm the first stays first.

    Right answers are worth what they save, so both exchange rates move together. It is None where shares of positives
    differ, or a false alarm costs nothing.

    >>> P = Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=["a", "b"])
    >>> kept = costs_that_keep(Costs(miss=2), P, {"b"})
    >>> str(kept.low), kept.high, kept.here == 2, kept.below
    ('1/2', inf, True, ('a',))
    """
    _, negative, positive, _ = (Fraction(weight) for weight in costs.importance.tolist())
    if not negative or data.common_prior() is None:
        return None
    rows = data.integers.tolist()
    shares = [(Fraction(fn, tn + fp + fn + tp), Fraction(fp, tn + fp + fn + tp)) for tn, fp, fn, tp in rows]
    misses, alarms = shares[next(i for i, name in enumerate(data.names) if name in first)]
    ends: dict[bool, dict[Fraction, list[tuple[Fraction, str]]]] = {False: {}, True: {}}
    for name, (fn, fp) in zip(data.names, shares, strict=True):
        if fn != misses:  # expensive misses favor those with fewer of them
            ends[fn < misses].setdefault((fp - alarms) / (misses - fn), []).append((fn, name))
    low = max([Fraction(0), *ends[False]])
    high = min(ends[True], default=None)
    below = _extreme(ends[False].get(low, []) if low else [], max)
    above = [] if high is None else ends[True][high]
    return Kept(low, inf if high is None else high, positive / negative, below, _extreme(above, min))


def _extreme(tied: list[tuple[Fraction, str]], of: Callable[[list[Fraction]], Fraction]) -> tuple[str, ...]:
    """Return the names of those with the most, or the fewest, misses."""
    end = of([fn for fn, _ in tied]) if tied else None
    return tuple(name for fn, name in tied if fn == end)


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
