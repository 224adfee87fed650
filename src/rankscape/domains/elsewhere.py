"""Would the ranking hold elsewhere? The sentences of a cross-validation over domains."""

from collections.abc import Iterator

import numpy as np

from ..arrays import Floats
from ..texts import counted, spelled
from .cross_validation import CrossValidation

FEW = 10
"""Domains below which the result is called a rough guide."""

MUCH_TAU = 0.1
"""Difference of the mean τ between ways of weighting that is mentioned."""

MUCH_FIRST = 0.2
"""Difference of P(the winner of the others comes first) between ways of weighting that is mentioned."""

ERRORS = 2
"""Standard errors of the mean difference over the domains that a difference must have to be mentioned."""


def sentences(validation: CrossValidation) -> Iterator[str]:
    """Yield how well the others predict a domain, how sure that is, and which way of weighting predicts best.

    >>> from rankscape import datasets
    >>> from rankscape.domains import cross_validate
    >>> next(sentences(cross_validate(datasets.classifiers(), by="accuracy"))).split(". ")[1]
    'The winner over the others also wins the one left out on 3.167 of 14 (one of m tied models counts 1/m)'
    """
    n, used = len(validation.domains), int(validation.used[0])
    if not used:
        yield f"The others predict the ranking on none of the {n} domains, for no two models can be told apart"
        return
    smallest = tau_in_words(float(np.nanmin(validation.tau[0])))
    yield (
        f"When each of the {n} domains is left out in turn, the others predict its ranking with a mean Kendall's τ of "
        f"{tau_in_words(validation.mean_tau[0])} (smallest {smallest}). The winner over the others also wins "
        f"the one left out on {_hits(validation)}"
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
    best, worse = _clearly_worse(validation.tau, MUCH_TAU)
    if worse:
        than = " and ".join(f"{ways[i]} ({tau_in_words(validation.mean_tau[i])})" for i in worse)
        better = f"{ways[best]} predict the ranking better (mean τ {tau_in_words(validation.mean_tau[best])})"
        yield f"On these domains, {better} than {than}"
    best, worse = _clearly_worse(validation.first, MUCH_FIRST)
    if worse:
        than = " and ".join(f"{ways[i]} ({validation.hits[i]:.4g})" for i in worse)
        share = f"{validation.hits[best]:.4g} of {validation.used[best]}"
        yield f"On these domains, {ways[best]} find the winner more often ({share}) than {than}"


def _clearly_worse(agreement: Floats, much: float) -> tuple[int, list[int]]:
    """Return the best way of weighting (rows), and those worse by ``much`` and by more than chance on few domains."""
    used = agreement[:, ~np.isnan(agreement[0])]
    best = int(used.mean(axis=1).argmax())
    lost = used[best] - used
    error = lost.std(axis=1, ddof=1) / np.sqrt(used.shape[1]) if used.shape[1] > 1 else np.full(len(used), np.inf)
    return best, np.flatnonzero((lost.mean(axis=1) >= much) & (lost.mean(axis=1) >= ERRORS * error)).tolist()


def _hits(validation: CrossValidation) -> str:
    hits = float(validation.hits[0])
    ties = "" if abs(hits - round(hits)) < 1e-9 else " (one of m tied models counts 1/m)"
    return f"{hits:.4g} of {validation.used[0]}{ties}"


def tau_in_words(tau: float) -> str:
    """Return τ with two digits and a minus sign.

    >>> tau_in_words(-0.256), tau_in_words(-0.001)
    ('−0.26', '0.00')
    """
    return f"{tau:.2f}".replace("-0.00", "0.00").replace("-", "−")
