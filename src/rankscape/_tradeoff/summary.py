"""A trade-off in sentences, and as one row of a table."""

from collections.abc import Callable, Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from math import inf, isnan, nan, sqrt
from typing import Any

from ..arrays import mean_of
from ..distributions import Shares
from ..errors import UsageError
from ..outcomes import RIGHT_SIDE
from ..results import Table
from ..texts import counted, percent
from .places import Places


def figures(t: Places) -> dict[str, Any]:
    """Return the figures of a trade-off by name; NaN where there is none. ``optimality_of_1`` is that of β = 1.

    ``prior`` is the mean π₊; ``agree`` and the two shares after it are those of ``shares`` at β = 1.
    """
    low, high = t.optimal_set
    closed, shares = t.optimal_set_closed, shares_or_nan(t, 1)
    return {
        "first_end": t.ends[0],
        "second_end": t.ends[1],
        "entities": t.n,
        "prior": mean_prior(t),
        "tau_ends": t.tau_ends,
        "discordant_pairs": t.n_discordant,
        "beta": t.beta,
        "a": t.place[0],
        "b": t.place[1],
        "median_beta": t.median_beta,
        "optimal_from": sqrt(low),
        "optimal_to": sqrt(high),
        "optimal_from_included": closed[0],
        "optimal_to_included": closed[1],
        "optimality_of_1": _or_nan(t.optimality, 1),
        "balance_of_1": _or_nan(t.balance, 1),
        "agree": shares.agree,
        "as_optimum_with_1": shares.as_optimum,
        "against_optimum_with_1": shares.against_optimum,
        "heuristic_beta": t.heuristic_beta,
        "optimality_of_heuristic": _or_nan(t.optimality, t.heuristic_beta),
        "sivf_beta": t.sivf_beta,
        "optimality_of_sivf": _or_nan(t.optimality, t.sivf_beta),
    }


def _or_nan(of: Callable[[float], Any], beta: float) -> float:
    """Return a function of a β, NaN where there is no such β, or where it is not between the ends."""
    try:
        return nan if isnan(beta) else float(of(beta))
    except UsageError:
        return nan


def shares_or_nan(t: Places, beta: float) -> Shares[Any]:
    """Return the three shares of pairs at a β, NaN where it is not between the ends, or where there are no pairs."""
    try:
        return t.shares(beta)
    except UsageError:
        return Shares(nan, nan, nan)


def mean_prior(t: Places) -> float:
    """Return the mean of the priors π₊ of the entities; NaN without true negatives."""
    if t.performances.space == RIGHT_SIDE:
        return nan
    members, sizes = t.members
    return mean_of(members.priors, sizes) if t.n else nan


def summary(t: Places) -> str:
    """Return what the trade-off is, a sentence per line."""
    first, second = t.ends
    lines = [f"Among {counted(t.n, 'model')} {first} and {second} "]
    if t.n == 0:
        return "\n".join([f"Nobody has a value between {first} and {second}", *t.notes])
    if not t.n_pairs:
        return "\n".join(
            [
                f"One model alone has no pair to order: nothing is to be traded off between {first} and {second}",
                *t.notes,
            ]
        )
    if not t.n_discordant:
        lines[0] += "order all pairs alike: nothing is to be traded off, and every score between them orders so too"
        return "\n".join([*lines, *t.notes])
    part = percent(t.n_discordant / t.n_pairs)
    lines[0] += f"order {t.n_discordant} of {counted(t.n_pairs, 'pair')} differently ({part}, τ = {t.tau_ends:.3g})"
    lines += _optimum(t)
    if t.segment.is_f_beta and t.limits[0] <= 1 <= t.limits[1]:
        lines.append(_habit(t))
    return "\n".join([*lines, *t.notes])


def _optimum(t: Places) -> Iterator[str]:
    name = "F_β with β" if t.segment.is_f_beta else f"the score at {t.segment.moving}"
    (low, at, high), (from_low, to_high) = optimum_texts(t), t.optimal_set_closed
    text = f"The balanced trade-off is {name} = {at}"
    if from_low or to_high:
        yield f"{text}, exactly at a swap: there models tie that are ordered on either side"
        if from_low != to_high:
            yield "So is every one " + (f"above it and below {high}" if from_low else f"below it and above {low}")
    else:
        yield text if low == high else f"{text}; so is every one strictly between {low} and {high}"
    if not t.median_is_optimal:
        median = _on_scale(t, t.median_beta**2)
        yield f"The median of the swaps, {median:.3g}, is not optimal, because some swaps coincide"


def optimum_texts(t: Places) -> tuple[str, str, str]:
    """Return the optimum as text, between the ends of the optimal set, all β or coordinates: equal where it is a point.

    The ends are rounded to its inside, and all have so many digits that they keep their order, three if possible.

    >>> from rankscape._tradeoff import tradeoff
    >>> optimum_texts(tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]]))
    ('0.594', '0.674', '0.745')
    """
    low, at, high = (_on_scale(t, odds) for odds in (t.optimal_set[0], t.beta_squared, t.optimal_set[1]))
    from_low, to_high = t.optimal_set_closed
    for digits in range(3, 18):
        middle = f"{at:.{digits}g}"
        start = middle if from_low else _rounded(low, digits, ROUND_CEILING)
        stop = middle if to_high else _rounded(high, digits, ROUND_FLOOR)
        if (from_low or float(start) < float(middle)) and (to_high or float(middle) < float(stop)):
            return start, middle, stop
    return (f"{at:.3g}",) * 3  # no floats are between the ends


def _rounded(x: float, digits: int, rounding: str) -> str:
    return f"{float(Context(prec=digits, rounding=rounding).create_decimal(Decimal(x))):.{digits}g}"


def _on_scale(t: Places, odds: float) -> float:
    """Return β on the side from precision to recall, elsewhere the coordinate."""
    return sqrt(odds) if t.segment.is_f_beta else odds / (1 + odds) if odds < inf else 1.0


def _habit(t: Places) -> str:
    """Return how good F1 is, and below and above which β F_β only copies one of the ends."""
    optimality, (first, last) = t.optimality(1), t.first_and_last_swap
    low, high = t.ends[t.segment.reversed], t.ends[not t.segment.reversed]
    text = f"F1 orders {percent(optimality)} of the disputed pairs as the optimum does"
    below, above = _rounded(first, 3, ROUND_FLOOR), _rounded(last, 3, ROUND_CEILING)
    if last < 1:
        return f"{text}: it only copies {high}, as every β above {above} does"
    if first > 1:
        return f"{text}: it only copies {low}, as every β below {below} does"
    return f"{text}; below β = {below} F_β only copies {low}, above {above} {high}"


def compare(t: Places, quantile: float | None) -> Table:
    """Return what one could rank by between the ends: see ``Tradeoff.compare``."""
    low, high = t.ends[t.segment.reversed], t.ends[not t.segment.reversed]
    named = [(low, sqrt(t.limits[0])), ("heuristic", t.heuristic_beta), (high, sqrt(t.limits[1]))]
    if t.n_discordant:
        named.append(("optimum", t.beta))
        if not t.median_is_optimal:
            named.append(("median of the swaps", t.median_beta))
    if t.segment.is_f_beta:
        named += [("F1", 1), ("SIVF", t.sivf_beta)]
    if quantile is not None:
        named.append((f"quantile {quantile:g}", t.quantile(quantile)))
    rows = [(name, beta) for name, beta in named if not isnan(beta) and sqrt(t.limits[0]) <= beta <= sqrt(t.limits[1])]
    rows.sort(key=lambda one: (one[1], one[0] == high, one[0] != low))
    betas = [beta for _, beta in rows]
    taus, places = [t.tau(beta) for beta in betas], [t.place_of(beta) for beta in betas]
    places = [t.place if name == "optimum" else place for (name, _), place in zip(rows, places, strict=True)]
    return Table(
        {
            "score": [name for name, _ in rows],
            "beta": [float(beta) for beta in betas],
            "a": [a for a, _ in places],
            "b": [b for _, b in places],
            "tau_first": [first for first, _ in taus],
            "tau_second": [second for _, second in taus],
            "optimality": [t.optimality(beta) for beta in betas],
            "balance": [t.balance(beta) for beta in betas],
        }
    )
