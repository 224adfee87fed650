"""Cautions about draws: few cases, few units, entities kept apart."""

from __future__ import annotations

import numpy as np

from ..tasks.success import is_right_or_wrong
from ..texts import counted
from ..typing import PosteriorMethod
from .evidence import Evidence
from .units import totals_of

FEW_CASES, FEW_UNITS = 5, 5
"""With fewer cases of a class than this, or fewer clusters or domains, a note says that draws tell little."""

FEW_GRADED = 6
"""With fewer graded cases than this, how much they vary is hardly known."""

WEAK = 0.5
"""A prior of fewer cases than this per outcome leaves rates of 0 and 1 where they are."""


def about_evidence(evidence: Evidence, method: PosteriorMethod) -> tuple[str, ...]:
    """Return notes where the draws say little, or may mislead.

    >>> from ..performances import Performances
    >>> from .evidence import evidence_of_counts
    >>> P = Performances.from_counts([[90, 5, 2, 1], [80, 15, 1, 2]])
    >>> about_evidence(evidence_of_counts(P), "exchangeable")[0]
    'Only 3 cases are positive: too few to say much, and the draws rest mostly on the prior distribution'
    """
    return (
        *_few_cases(evidence, method),
        *_extreme(evidence, method),
        *_few_units(evidence),
        *few_graded(evidence),
        *_apart(evidence, method),
        *_perhaps_paired(evidence),
    )


def _perhaps_paired(evidence: Evidence) -> list[str]:
    """Return a note where counts may be of the same cases, which would make differences surer."""
    if not evidence.perhaps_same_cases:
        return []
    would_tell = "a table with one row per model and case" if is_right_or_wrong(evidence.space) else "predictions"
    return [
        "these counts do not show whether the models ran on the same cases. If they did, most differences are surer "
        f"than they look here; to see that, pass {would_tell} instead of counts"
    ]


def _extreme(evidence: Evidence, method: PosteriorMethod) -> list[str]:
    """Return a note where draws repeat rates of 0 or 1, for want of a prior that knows better."""
    if not isinstance(method, float) or method >= WEAK:
        return []
    if evidence.prepared.grid.performances.counts is None:
        return []
    counts = np.sum([evidence.counts(d) for d in evidence.used], axis=0)
    right = np.stack([counts[:, outcomes[0]] for outcomes in evidence.classes], axis=1)
    if not ((right == 0) | (right == totals_of(counts, evidence.classes))).any():
        return []
    return [
        f"A model is right, or wrong, in all cases of a class; with a prior of {method:g} cases per outcome nearly all "
        "draws repeat that, and look surer than they are"
    ]


def _few_cases(evidence: Evidence, method: PosteriorMethod) -> list[str]:
    uncounted = evidence.prepared.grid.performances.counts is None and not evidence.graded
    if uncounted or evidence.unit == "domains":
        return []
    each = np.array([totals_of(evidence.counts(d), evidence.classes) for d in evidence.used])
    every = np.rint(each.sum(axis=0)).astype(np.int64)  # sums of grades may be off by rounding
    totals, alike = every.min(axis=0).tolist(), bool((every == every[0]).all())
    labels = evidence.class_names
    few = [(name, n) for name, n in zip(labels, totals, strict=True) if n < FEW_CASES]
    if not few:
        return []
    if len(few) == 1:
        name, n = few[0]
        is_ = f"Only {counted(n, 'case')} {'is' if n == 1 else 'are'} {name}" if n else f"No case is {name}"
        if not alike:
            is_ = f"Of some models {f'only {n}' if n else 'no'} case{'s are' if n > 1 else ' is'} {name}"
    else:
        is_ = f"{len(few)} classes have fewer than {FEW_CASES} cases"
    weak = isinstance(method, float) and method < WEAK
    return [f"{is_}: too few to say much" + ("" if weak else ", and the draws rest mostly on the prior distribution")]


def _few_units(evidence: Evidence) -> list[str]:
    if evidence.unit == "cases":
        return []
    domains = evidence.unit == "domains"
    what = "domain" if domains else "cluster"
    on = "" if domains or len(evidence.units) == 1 else " on a domain"
    number, of_classes = _units_of_domains(evidence) if domains else _units_of_clusters(evidence)
    seen, verb = "", "was seen" if number == 1 else "were seen"
    fewest = min((n for n in of_classes if n), default=number)
    if fewest < min(number, FEW_UNITS):
        name = evidence.class_names[of_classes.index(fewest)]
        cases = f"{name} cases" if len(evidence.classes) == 2 and not evidence.space.labels else f"cases of {name}"
        cases = "anything to be found" if evidence.beside else cases
        number, seen, verb = fewest, f" {cases}", "has" if fewest == 1 else "have"
    if number >= FEW_UNITS:
        return []
    if number == 1:
        return [
            f"Only one {what} {verb}{seen}{on}, which does not show how much others would differ: no draw is defined"
        ]
    return [f"Only {number} {what}s {verb}{seen}{on}: so few hardly show how much others would differ"]


def few_graded(evidence: Evidence) -> list[str]:
    """Return a note where so few graded cases were seen that how much their differences vary is not known."""
    number = sum(int(units.size.sum()) for units in evidence.units)
    if not evidence.graded or evidence.unit != "cases" or number >= FEW_GRADED:
        return []
    return [
        f"Only {counted(number, 'graded case')} {'was' if number == 1 else 'were'} seen: how much differences vary "
        "from case to case is hardly known"
    ]


def _units_of_domains(evidence: Evidence) -> tuple[int, list[int]]:
    """Return how many domains there are, and how many have cases of each class."""
    grid = evidence.prepared.grid
    mass = np.nan_to_num(grid.performances.mass)  # a row of zeros has no probabilities
    mass = np.where((grid.rows >= 0)[:, evidence.used, None], mass[grid.rows[:, evidence.used]], 0)
    return len(evidence.used), [int(mass[:, :, each].any(axis=(0, 2)).sum()) for each in evidence.classes]


def _units_of_clusters(evidence: Evidence) -> tuple[int, list[int]]:
    """Return how many clusters there are, and how many have cases of each class: the fewest on any domain."""
    known = [(units, units.cluster) for units in evidence.units if units.cluster is not None]
    of_classes = [
        [len(np.unique(cluster[units.within(outcomes)])) for outcomes in evidence.classes] for units, cluster in known
    ]
    fewest = [min((n for n in numbers if n), default=0) for numbers in zip(*of_classes, strict=True)]
    return min(int(cluster.max()) + 1 for _, cluster in known), fewest


def _apart(evidence: Evidence, method: PosteriorMethod) -> list[str]:
    if len(evidence.names) < 3 or method == "exchangeable":
        return []
    return ["The models are drawn separately: where they are alike, P(first) is too large"]
