"""A trade-off in sentences, and as one row of a table."""

from math import inf, isnan, sqrt
from typing import TYPE_CHECKING, Any

from ..texts import counted, percent

if TYPE_CHECKING:
    from .result import Tradeoff


def row(t: "Tradeoff") -> dict[str, Any]:
    """Return the figures of a trade-off by name; None where there is none.

    ``optimality_f1`` is 𝒪 at β = 1; on other segments than precision to recall its names say "middle" and "heuristic".
    """
    low, high = t.optimal_set
    closed = t.optimal_set_closed
    return {
        "first_end": t.ends[0],
        "second_end": t.ends[1],
        "entities": t.n,
        "tau_ends": t.tau_ends,
        "discordant_pairs": t.n_discordant,
        "beta": t.beta,
        "a": t.place[0],
        "b": t.place[1],
        "optimal_from": low**0.5,
        "optimal_to": high**0.5,
        "optimal_from_included": closed[0],
        "optimal_to_included": closed[1],
        "optimality_of_1": optimality_or_nan(t, 1),
        "heuristic_beta": t.heuristic_beta,
        "optimality_of_heuristic": optimality_or_nan(t, t.heuristic_beta),
        "sivf_beta": t.sivf_beta,
        "optimality_of_sivf": optimality_or_nan(t, t.sivf_beta),
    }


def optimality_or_nan(t: "Tradeoff", beta: float) -> float:
    """Return 𝒪 at a β, NaN where there is no such β, or where it is not between the ends."""
    from ..errors import UsageError

    if isnan(beta):
        return beta
    try:
        return float(t.optimality(beta))
    except UsageError:
        return float("nan")


def summary(t: "Tradeoff") -> str:
    """Say what the trade-off is, a sentence per line."""
    first, second = t.ends
    lines = [f"Among {counted(t.n, 'entity', 'entities')} {first} and {second} "]
    if not t.n_discordant:
        lines[0] += "order all pairs alike: nothing is to be traded off, and every score between them orders so too"
        return "\n".join([*lines, *t.notes])
    part = percent(t.n_discordant / t.n_pairs)
    lines[0] += f"order {t.n_discordant} of {counted(t.n_pairs, 'pair')} differently ({part}, τ = {t.tau_ends:.3g})"
    lines.append(_optimum(t))
    if is_f(t):
        lines.append(_habit(t))
    return "\n".join([*lines, *t.notes])


def is_f(t: "Tradeoff") -> bool:
    """Tell whether the scores between the ends are all F_β, from precision to recall."""
    segment = t.segment
    return segment.kind == "vertical" and segment.fixed == 1 and segment.whole


def _optimum(t: "Tradeoff") -> str:
    vertical = t.segment.kind == "vertical"
    name = "F_β with β" if is_f(t) else f"the score at {'b' if vertical else 'a'}"
    low, high, at = (_shown(t, odds) for odds in (*t.optimal_set, t.beta_squared))
    text = f"The balanced trade-off is {name} = {at:.3g}"
    if low < at < high:
        return f"{text}; so is every one from {low:.3g} to {high:.3g}"
    if low == at == high:
        return text
    better = f"{low:.3g} is" if low == high else f"those from {low:.3g} to {high:.3g} are"
    return f"{text}, the median of the swaps; as some swaps coincide, {better} better still"


def _shown(t: "Tradeoff", odds: float) -> float:
    """Return β between precision and recall, elsewhere the coordinate."""
    return sqrt(odds) if is_f(t) else odds / (1 + odds) if odds < inf else 1.0


def _habit(t: "Tradeoff") -> str:
    """Say how good F1 is, and when a β only copies one of the ends."""
    optimality, (first, last) = t.optimality(1), t.copies
    text = f"F1 orders {percent(optimality)} of the disputed pairs as the optimum does"
    if last < 1:
        return f"{text}: it only copies {t.ends[not t.segment.reversed]}, as every β above {last:.3g} does"
    if first > 1:
        return f"{text}: it only copies {t.ends[t.segment.reversed]}, as every β below {first:.3g} does"
    return f"{text}; below β = {first:.3g} F_β only copies precision, above {last:.3g} recall"
