"""A trade-off in sentences, and as one row of a table."""

from math import inf, isnan, nan, sqrt
from typing import Any

from ..distributions import Shares
from ..errors import UsageError
from ..outcomes import RIGHT_SIDE
from ..results import Table
from ..texts import counted, percent
from .betas import root
from .optimum import inner_odds
from .places import Places


def figures(t: Places) -> dict[str, Any]:
    """Return the figures of a trade-off by name; NaN where there is none. ``optimality_of_1`` is that of β = 1.

    ``prior`` is the mean π₊; ``agree`` and the two shares after it are those of (13)-(15) at β = 1.
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
        "optimal_from": sqrt(low),
        "optimal_to": sqrt(high),
        "optimal_from_included": closed[0],
        "optimal_to_included": closed[1],
        "optimality_of_1": optimality_or_nan(t, 1),
        "agree": shares.agree,
        "as_optimum_with_1": shares.as_optimum,
        "against_optimum_with_1": shares.against_optimum,
        "heuristic_beta": t.heuristic_beta,
        "optimality_of_heuristic": optimality_or_nan(t, t.heuristic_beta),
        "sivf_beta": t.sivf_beta,
        "optimality_of_sivf": optimality_or_nan(t, t.sivf_beta),
    }


def optimality_or_nan(t: Places, beta: float) -> float:
    """Return 𝒪 at a β, NaN where there is no such β, or where it is not between the ends."""
    if isnan(beta):
        return beta
    try:
        return float(t.optimality(beta))
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
    priors = t.performances.priors[t.rows]
    return float(priors[0] if len(set(priors.tolist())) == 1 else priors.mean()) if len(priors) else nan


def summary(t: Places) -> str:
    """Return what the trade-off is, a sentence per line."""
    first, second = t.ends
    lines = [f"Among {counted(t.n, 'model')} {first} and {second} "]
    if t.n == 0:
        return "\n".join([f"Nobody has a value between {first} and {second}", *t.notes])
    if not t.n_discordant:
        lines[0] += "order all pairs alike: nothing is to be traded off, and every score between them orders so too"
        return "\n".join([*lines, *t.notes])
    part = percent(t.n_discordant / t.n_pairs)
    lines[0] += f"order {t.n_discordant} of {counted(t.n_pairs, 'pair')} differently ({part}, τ = {t.tau_ends:.3g})"
    lines.append(_optimum(t))
    if t.segment.is_f_beta and t.limits[0] <= 1 <= t.limits[1]:
        lines.append(_habit(t))
    return "\n".join([*lines, *t.notes])


def _optimum(t: Places) -> str:
    name = "F_β with β" if t.segment.is_f_beta else f"the score at {t.segment.moving}"
    low, high, at = (_on_scale(t, odds) for odds in (*t.optimal_set, t.beta_squared))
    text = f"The balanced trade-off is {name} = {at:.3g}"
    if low == high == at:
        return f"{text}, exactly at a swap: there models tie that are ordered on either side"
    if f"{low:.3g}" == f"{high:.3g}" and t.median_is_optimal:
        return text
    if t.median_is_optimal:
        return f"{text}; so is every one from {low:.3g} to {high:.3g}"
    better = f"{low:.3g} is" if low == high else f"those strictly between {low:.3g} and {high:.3g} are"
    return f"{text}, the median of the swaps; as some swaps coincide, {better} better still"


def _on_scale(t: Places, odds: float) -> float:
    """Return β on the side from precision to recall, elsewhere the coordinate."""
    return sqrt(odds) if t.segment.is_f_beta else odds / (1 + odds) if odds < inf else 1.0


def _habit(t: Places) -> str:
    """Return how good F1 is, and below and above which β F_β only copies one of the ends."""
    optimality, (first, last) = t.optimality(1), t.first_and_last_swap
    low, high = t.ends[t.segment.reversed], t.ends[not t.segment.reversed]
    text = f"F1 orders {percent(optimality)} of the disputed pairs as the optimum does"
    if last < 1:
        return f"{text}: it only copies {high}, as every β above {last:.3g} does"
    if first > 1:
        return f"{text}: it only copies {low}, as every β below {first:.3g} does"
    return f"{text}; below β = {first:.3g} F_β only copies {low}, above {last:.3g} {high}"


def compare(t: Places, quantile: float | None) -> Table:
    """Return what one could rank by between the ends: see ``Tradeoff.compare``."""
    low, high = t.ends[t.segment.reversed], t.ends[not t.segment.reversed]
    named = [(low, sqrt(t.limits[0])), ("heuristic", t.heuristic_beta), (high, sqrt(t.limits[1]))]
    if t.n_discordant:
        named.append(("optimum" if t.median_is_optimal else "median of the swaps", t.beta))
        if not t.median_is_optimal:
            named.append(("optimum", _inside(t)))
    if t.segment.is_f_beta:
        named += [("F1", 1.0), ("SIVF", t.sivf_beta)]
    if quantile is not None:
        named.append((f"quantile {quantile:g}", t.quantile(quantile)))
    rows = [(name, beta) for name, beta in named if not isnan(beta) and sqrt(t.limits[0]) <= beta <= sqrt(t.limits[1])]
    rows.sort(key=lambda one: (one[1], one[0] == high, one[0] != low))
    taus, places = [t.tau(beta) for _, beta in rows], [t.place_of(beta) for _, beta in rows]
    return Table(
        {
            "score": [name for name, _ in rows],
            "beta": [beta for _, beta in rows],
            "a": [a for a, _ in places],
            "b": [b for _, b in places],
            "tau_first": [first for first, _ in taus],
            "tau_second": [second for _, second in taus],
            "optimality": [t.optimality(beta) for _, beta in rows],
        }
    )


def _inside(t: Places) -> float:
    """Return the β in the middle of the optimal set, on the scale of b."""
    return root(inner_odds(t.exact_optimal_set, t.segment))  # of fractions: two floats next to 1 have no middle
