"""Would the ranking hold elsewhere? The sentences of a cross-validation over domains."""

from collections.abc import Iterator

import numpy as np

from ..texts import counted, spelled
from .cross_validation import CrossValidation

FEW = 10
"""Domains below which the result is called a rough guide."""

MUCH_TAU = 0.1
"""Difference of the mean τ between ways of weighting that is mentioned."""

MUCH_FIRST = 0.2
"""Difference of P(the winner of the others comes first) between ways of weighting that is mentioned."""


def sentences(validation: CrossValidation) -> Iterator[str]:
    """Yield how well the others predict a domain, how sure that is, and which way of weighting predicts best.

    >>> from rankscape import datasets
    >>> from rankscape.domains import cross_validate
    >>> next(sentences(cross_validate(datasets.classifiers(), by="accuracy"))).split(". ")[1]
    'The winner of the others comes first on 3.167 of 14 (one of m tied models counts 1/m)'
    """
    n, used = len(validation.domains), int(validation.used[0])
    if not used:
        yield f"The others predict the ranking on none of the {n} domains, for no two models can be told apart"
        return
    smallest = tau_in_words(float(np.nanmin(validation.tau[0])))
    yield (
        f"When each of the {n} domains is left out in turn, the others predict its ranking with a mean Kendall's τ of "
        f"{tau_in_words(validation.mean_tau[0])} (smallest {smallest}). The winner of the others comes first on "
        f"{_hits(validation, 0)}"
    )
    if used < n:
        skipped = counted(n - used, "domain does", "domains do")
        yield f"{skipped} not count there, because fewer than two models can be compared or all of them tie"
    if used < FEW:
        subject = f"{spelled(used).capitalize()} {'domain is' if used == 1 else 'domains are'}"
        yield f"{subject} few, so take this as a rough guide"
    if (np.isnan(validation.tau) == np.isnan(validation.tau[0])).all():  # else they are not on the same domains
        yield from _about_weightings(validation)


def _about_weightings(validation: CrossValidation) -> Iterator[str]:
    ways = [f"{name} weights".replace("given weights", "the weights given") for name in validation.weightings]
    taus, hits = validation.mean_tau, validation.hits
    if np.ptp(taus) >= MUCH_TAU:
        best = int(taus.argmax())
        others = [f"{tau_in_words(taus[i])} with {ways[i]}" for i in range(len(ways)) if i != best]
        predict = f"On these domains, {ways[best]} predict the ranking best"
        yield f"{predict}, with a mean τ of {tau_in_words(taus[best])} (against {', '.join(others)})"
    if np.ptp(hits) >= MUCH_FIRST * validation.used[0]:
        best = int(hits.argmax())
        others = [f"{hits[i]:.4g} with {ways[i]}" for i in range(len(ways)) if i != best]
        predict = f"On these domains, {ways[best]} find the winner most often"
        yield f"{predict}, on {_hits(validation, best)}, against {', '.join(others)}"


def _hits(validation: CrossValidation, way: int) -> str:
    hits = float(validation.hits[way])
    ties = "" if abs(hits - round(hits)) < 1e-9 else " (one of m tied models counts 1/m)"
    return f"{hits:.4g} of {validation.used[way]}{ties}"


def tau_in_words(tau: float) -> str:
    """Return τ with two digits and a minus sign.

    >>> tau_in_words(-0.256), tau_in_words(-0.001)
    ('−0.26', '0.00')
    """
    return f"{tau:.2f}".replace("-0.00", "0.00").replace("-", "−")
