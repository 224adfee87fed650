"""Draws of cases, clusters or domains by the data alone: masses of the outcomes and shares of the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..floats import expit, large_products, logit
from ..performances import Units
from ..typing import Flags, Floats, Integers

Classes = Sequence[list[int]]
Numbers = Integers | Floats

FEW_OUTCOMES = 9
"""With more outcomes than this, masses are products of sparse matrices."""

LEAST_OF_A_CASE = 0.02
"""What each of few graded cases counts at least."""

LEAST_SHARE = 1e-12
"""The least share of what is to be found, per outcome that is drawn."""

HALF = 0.5
"""Of a unit, how much is added on which the entities differ as on those seen, and as much on which the reverse."""

LENT = 4
"""Degrees of freedom that the variances of the other entities lend to that of one."""


@dataclass(frozen=True)
class Drawn:
    """Draws on one domain: ``masses`` (draws, n, k) of the outcomes, in cases, comparable within a class only.

    ``shares`` (draws, n or 1, classes) are those of the true classes.
    """

    masses: Floats
    shares: Floats


def sorted_units(units: Units) -> Units:
    """Return the kinds of cases in the order of their outcomes, alike ones together; clusters in that of their cases.

    >>> units = sorted_units(Units(np.array([[3, 0], [0, 0], [3, 0]]), np.array([1, 1, 4])))
    >>> units.codes.tolist(), units.size.tolist()
    ([[0, 0], [3, 0]], [1, 5])
    """
    codes, size, cluster, grades = units
    if cluster is None:
        kinds, inverse = np.unique(codes, axis=0, return_inverse=True)
        return Units(kinds, np.bincount(inverse.ravel(), weights=size).astype(np.int64), None, grades)
    if len(cluster) == cluster.max() + 1:  # of one kind each
        order = np.lexsort((size, *codes.T[::-1]))
        return Units(codes[order], size[order], np.arange(len(order)), grades)
    order = np.lexsort((*codes.T[::-1], cluster))
    content: dict[int, list[tuple[int, ...]]] = {}
    for row in order.tolist():
        content.setdefault(int(cluster[row]), []).append((*codes[row].tolist(), int(size[row])))
    place = {c: i for i, c in enumerate(sorted(content, key=content.__getitem__))}
    cluster = np.array([place[int(c)] for c in cluster])
    order = np.lexsort((*codes.T[::-1], cluster))
    return Units(codes[order], size[order], cluster[order], grades)


def single_cases(units: Units) -> Units:
    """Return kinds of cases as one cluster per case.

    >>> single_cases(Units(np.array([[0, 1], [1, 1]]), np.array([2, 1]))).cluster.tolist()
    [0, 1, 2]
    """
    n = int(units.size.sum())
    return Units(np.repeat(units.codes, units.size, axis=0), np.ones(n, dtype=np.int64), np.arange(n), units.grades)


class Counted(NamedTuple):
    """Counts (n, k) of one domain; the class totals that occur, (kinds, classes), and those of each entity, (n,)."""

    counts: Floats
    totals: Integers
    kind: Integers


def counted(counts: Numbers, classes: Classes) -> Counted:
    """Return counts with the class totals that occur, of which entities share their draws of shares."""
    totals, kind = np.unique(totals_of(counts, classes), axis=0, return_inverse=True)
    return Counted(counts.astype(np.float64), totals, kind.ravel())


def of_counts(seen: Counted, pseudo: float, draws: int, rng: np.random.Generator) -> Drawn:
    """Return draws of counts, each entity by itself; those with the same class totals share their shares."""
    shares = shares_of(seen, pseudo, draws, rng)
    return Drawn(rng.standard_gamma(seen.counts, size=(draws, *seen.counts.shape)), shares)


def shares_of(seen: Counted, pseudo: float, draws: int, rng: np.random.Generator) -> Floats:
    """Return the shares of the classes (draws, n, classes), one draw for all entities with the same class totals."""
    return _shares(seen.totals, pseudo, draws, rng)[:, seen.kind]


def of_cases(
    units: Units, counts: Numbers, classes: Classes, pseudo: float, draws: int, rng: np.random.Generator
) -> Drawn:
    """Return draws of kinds of cases, weighed by Gamma(how many there are), the same for all entities.

    Each of n graded cases counts as (n − 2)/n, so that their mean varies as s²/n, with the variance s² that they show.
    """
    number = units.size.sum()
    of_case = 1.0 if units.grades is None else max((number - 2) / number, LEAST_OF_A_CASE)
    size = units.size * of_case
    weights = rng.standard_gamma(size, size=(draws, len(size)))
    shares = _shares(totals_of(counts[:1], classes), pseudo, draws, rng)
    masses = masses_of(units, weights, counts.shape[1], classes)
    if units.grades is not None:
        contents = np.stack([units.shares(outcome) for outcome in range(counts.shape[1])], axis=2)
        masses += either_way(contents, classes, draws, rng, units.size, pseudo * of_case)
    return Drawn(masses, shares)


def of_clusters(
    units: Units,
    k: int,
    classes: Classes,
    draws: int,
    rng: np.random.Generator,
    times: float = 1.0,
    errors: bool = False,
) -> Drawn:
    """Return draws of clusters, weighed by Dirichlet(1, …, 1), and spread as few clusters ask for.

    They are spread as if there were so many ``times`` the clusters. Grades that are ``errors`` need no half clusters.
    """
    cluster = np.arange(len(units.size)) if units.cluster is None else units.cluster
    number = int(cluster.max()) + 1
    seen = masses_of(units, units.size[None].astype(np.float64), k, classes)[0]
    of_class = (units.size * within(units, outcomes, classes) for outcomes in classes)
    sizes = np.stack([np.bincount(cluster, each, minlength=number) for each in of_class], axis=1)
    weights = _dirichlet(number, draws, rng)[:, cluster] * units.size
    half = 0.5 if units.grades is None else 0.5 / _sureness_of_grades(units, seen, classes)
    drawn = masses_of(units, weights, k, classes)
    if units.grades is not None and not errors:
        contents = np.zeros((number, *seen.shape))
        np.add.at(contents, cluster, np.stack([units.shares(o) for o in range(k)], axis=2) * units.size[:, None, None])
        drawn += either_way(contents, classes, draws, rng)
    return _spread(drawn, seen, sizes.astype(np.float64), classes, rng, half, times)


def _sureness_of_grades(units: Units, seen: Floats, classes: Classes) -> float:
    """Return as how many cases that are right or wrong a graded case counts, at least one: p(1 − p)/variance.

    >>> grades = np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> _sureness_of_grades(
    ...     Units(np.array([[0], [1]]), np.array([5, 5]), None, grades),
    ...     np.array([[5.0, 5]]),
    ...     ([1, 0],),
    ... )
    4.0
    """
    variance = binary = 0.0
    for outcomes in classes:
        here = np.flatnonzero(within(units, outcomes, classes))
        if not len(here):
            continue
        rate = seen[:, outcomes[0]] / seen[:, outcomes].sum(axis=1)
        deviations = units.shares(outcomes[0])[here] - rate
        variance += float((units.size[here, None] * deviations**2).sum() / units.size.sum())
        binary += float((rate * (1 - rate)).sum() * units.size[here].sum() / units.size.sum())
    return min(max(1.0, binary / variance if variance > 0 else 1.0), float(units.size.sum()))


def of_domains(masses: Floats, classes: Classes, draws: int, rng: np.random.Generator, times: float = 1.0) -> Drawn:
    """Return draws of domains with masses (domains, n, k), weighed by Dirichlet(1, …, 1), and spread likewise."""
    sizes = np.stack([masses[:, :, outcomes].sum(axis=(1, 2)) for outcomes in classes], axis=1)
    drawn = _drawn_domains(masses, classes, draws, rng)
    return _spread(drawn, masses.sum(axis=0), sizes, classes, rng, times=times)


def _drawn_domains(masses: Floats, classes: Classes, draws: int, rng: np.random.Generator) -> Floats:
    """Return masses (draws, n, k) of domains with masses (domains, n, k), weighed by Dirichlet(1, …, 1)."""
    number, n, k = masses.shape
    drawn = large_products(_dirichlet(number, draws, rng), masses.reshape(number, n * k)).reshape(draws, n, k)
    if n == 2:  # of more, what the entities have in common says how much they differ
        drawn += either_way(masses, classes, draws, rng)
    return drawn


def found_in_domains(
    masses: Floats, targets: list[int], beside: list[int], draws: int, rng: np.random.Generator, times: float = 1.0
) -> Floats:
    """Return draws of domains without true negatives, (draws, n, k), per thing to be found, and spread likewise.

    ``targets`` are tp and fn, ``beside`` the other outcomes, of each of which the share among itself and what is to be
    found is spread.
    """
    drawn, seen = _drawn_domains(masses, [[*targets, *beside]], draws, rng), masses.sum(axis=0)
    out = np.zeros_like(drawn)
    for outcomes in (targets, *([outcome, *targets] for outcome in beside)):
        first = outcomes[0]
        if not masses[:, :, outcomes].any() or (outcomes is not targets and not masses[:, :, first].any()):
            continue
        u = float(effective(masses[:, :, outcomes].sum(axis=(1, 2))[:, None])[0])
        total, all_seen = drawn[:, :, outcomes].sum(axis=2), seen[:, outcomes].sum(axis=1)
        rate = np.full(total.shape, np.nan)
        if u >= 2:
            rate = _wider(drawn[:, :, first], total, seen[:, first], all_seen, u, rng, 0.5, times)
        out[:, :, first] = rate if outcomes is targets else rate / np.maximum(1 - rate, LEAST_SHARE)
        if outcomes is targets:
            out[:, :, targets[1]] = 1 - rate
    return out


def found_of_counts(
    counts: Floats, factors: Floats, targets: list[int], beside: list[int], draws: int, rng: np.random.Generator
) -> Floats:
    """Return draws of counts (domains, n, k) without true negatives, averaged with factors: (draws, n, k).

    Of what is to be found on a domain, tp is drawn, with one case more, on which an entity does as on all domains in
    the same draw; of few cases each counts as a little less than one, see :func:`as_sure_as`. The other outcomes are
    drawn per thing to be found, of which there are as many in each draw.
    """
    out = np.zeros((draws, *counts.shape[1:]))
    things = counts[:, :, targets].sum(axis=2)
    sure = np.where(things > 0, as_sure_as(np.maximum(things, 1)), 0)
    weight = factors * things
    of_case = np.divide(weight, (sure + 1) * sure, out=np.zeros_like(sure), where=sure > 0)
    scale = np.divide(sure, things, out=np.zeros_like(things), where=things > 0)
    right, total = [], []
    centre, every = np.zeros((draws, counts.shape[1])), np.zeros((draws, counts.shape[1]))
    for d, row in enumerate(counts):
        masses = rng.standard_gamma((row[:, targets] * scale[d][:, None]).T[:, None], size=(2, draws, len(row)))
        right.append(masses[0])
        total.append(masses.sum(axis=0))
        centre += of_case[d] * right[d]  # weighed so that the case of all domains does not move the average
        every += of_case[d] * total[d]
    centre /= np.where(every > 0, every, 1)
    for d, row in enumerate(counts):
        case = rng.standard_gamma(1.0, size=(draws, 1))
        rate = (right[d] + case * centre) / (total[d] + case)
        out[:, :, targets[0]] += weight[d] * rate
        out[:, :, targets[1]] += weight[d] * (1 - rate)
        others = rng.standard_gamma(row[:, beside], size=(draws, len(row), len(beside)))
        out[:, :, beside] += factors[d][:, None] * others
    return out


def as_sure_as(number: Floats) -> Floats:
    """Return as how many cases the n of a domain count, for the average over like domains to vary as 1/n per domain.

    With y cases of its own and one of all domains, its part of the average varies as (y(n − 1)/n + 1 + 1/y)/(y + 1)²,
    of cases that deviate from the average by themselves. That this is 1/n is y³ + (3 − n)y² + (1 − n)y − n = 0.

    >>> as_sure_as(np.array([1.0, 8.0, 1000.0])).round(3).tolist()
    [0.618, 6.31, 998.002]
    """
    y = np.maximum(number, 1.0)  # beyond the root, from where Newton's steps descend to it
    for _ in range(60):
        value = ((y + 3 - number) * y + 1 - number) * y - number
        y = y - value / ((3 * y + 2 * (3 - number)) * y + 1 - number)
    return np.asarray(y)


def either_way(
    masses: Floats, classes: Classes, draws: int, rng: np.random.Generator, times: Numbers | int = 1, share: float = 1.0
) -> Floats:
    """Return half a unit on which the entities differ as on those seen, and half one on which they differ the reverse.

    ``masses`` (units, n, k) are what was seen; those that differ most count most. So a few units on which one entity
    does better do not say that it always does, however alike they look. Units occur so many ``times``, and only a
    ``share`` of these halves is returned.
    """
    right = masses[:, :, [outcomes[0] for outcomes in classes]].sum(axis=2)
    apart = right - right.mean(axis=1, keepdims=True)
    number = np.broadcast_to(np.asarray(times, dtype=np.float64), len(masses))
    along = (apart * number[:, None]).sum(axis=0)
    gains = (apart * along).sum(axis=1) * number
    if not gains.any():
        return np.zeros((draws, *masses.shape[1:]))
    order = np.argsort(along, kind="stable")
    mirror = np.empty_like(order)
    mirror[order] = order[::-1]
    ahead = np.where((gains > 0)[:, None, None], masses, masses[:, mirror])
    typical = (ahead * (np.abs(gains) / np.abs(gains).sum())[:, None, None]).sum(axis=0)
    halves = rng.standard_gamma(share * HALF, (draws, 2))[:, :, None, None]
    return np.asarray(halves[:, 0] * typical + halves[:, 1] * typical[mirror])


def effective(sizes: Floats) -> Floats:
    """Return as how many units of one size those of ``sizes`` (units, …) count: (Σm)²/Σm², two at least if there are.

    >>> effective(np.array([[1.0, 8.0, 5.0], [1, 1, 0], [1, 1, 0]])).tolist()
    [3.0, 2.0, 1.0]
    """
    total, squares = sizes.sum(axis=0), (sizes**2).sum(axis=0)
    count = np.divide(total**2, squares, out=np.zeros_like(total, dtype=np.float64), where=squares > 0)
    return np.asarray(np.maximum(count, np.minimum((sizes > 0).sum(axis=0), 2)))


def add_pseudo_case(each: list[Drawn], classes: Classes, rng: np.random.Generator, graded: Flags | None = None) -> None:
    """Add to the masses on each of several domains one more case per class, on which an entity does as on all.

    Domains of ``graded`` cases, unless there is one only, show how much the cases vary, and need none.
    """
    every = each[0].masses.copy()
    for drawn in each[1:]:
        every += drawn.masses
    centres = []
    for outcomes in classes:
        masses = every[:, :, outcomes]
        total = masses.sum(axis=2, keepdims=True)
        centres.append(np.divide(masses, total, out=np.zeros_like(masses), where=total > 0))
    for position, drawn in enumerate(each):
        if graded is not None and graded[position]:
            continue
        for outcomes, centre in zip(classes, centres, strict=True):
            drawn.masses[:, :, outcomes] += rng.standard_gamma(1.0, size=(len(centre), 1, 1)) * centre


def masses_of(units: Units, weights: Floats, k: int, classes: Classes) -> Floats:
    """Return the masses of the outcomes, (draws, n, k), of kinds of cases with weights (draws, kinds)."""
    draws, n = len(weights), units.codes.shape[1]
    if k > FEW_OUTCOMES and units.grades is None:  # most kinds lack most outcomes
        from scipy.sparse import csr_array

        rows, columns = np.indices(units.codes.shape)
        places = (rows.ravel(), (columns * k + units.codes).ravel())
        kinds = csr_array((np.ones(rows.size), places), shape=(len(units.codes), n * k))
        return np.asarray((kinds.T @ weights.T).T.reshape(draws, n, k))
    out = np.zeros((draws, n, k))
    for outcomes in classes:
        here = np.flatnonzero(within(units, outcomes, classes))
        kinds = units._replace(codes=units.codes[here])
        there = [outcome for outcome in outcomes if kinds.shares(outcome).any()]
        if there:
            of_entities = np.stack([kinds.shares(outcome) for outcome in there], axis=2).reshape(len(here), -1)
            out[:, :, there] = large_products(weights[:, here], of_entities).reshape(draws, n, len(there))
    return out


def within(units: Units, outcomes: list[int], classes: Classes) -> Flags:
    """Return which kinds of cases are of a class; graded answers, right or wrong, have one class."""
    return np.ones(len(units.codes), dtype=bool) if len(classes) == 1 else np.asarray(units.within(outcomes))


def totals_of(counts: Numbers, classes: Classes) -> Integers:
    """Return how many cases of each true class there are, (n, classes)."""
    return np.stack([counts[:, outcomes].sum(axis=1) for outcomes in classes], axis=1)


def _shares(totals: Integers, pseudo: float, draws: int, rng: np.random.Generator) -> Floats:
    """Return shares of the classes (draws, kinds, classes), with ``pseudo`` cases before those seen, split evenly."""
    classes = totals.shape[1]
    masses = rng.standard_gamma(totals + pseudo / classes, size=(draws, *totals.shape))
    masses /= masses.sum(axis=2, keepdims=True)
    return masses


def _dirichlet(number: int, draws: int, rng: np.random.Generator) -> Floats:
    """Return weights of units, with the mean 1."""
    weights = rng.standard_exponential((draws, number))
    return np.asarray(weights / weights.mean(axis=1, keepdims=True))


def _spread(
    masses: Floats,
    seen: Floats,
    sizes: Floats,
    classes: Classes,
    rng: np.random.Generator,
    half: float = 0.5,
    times: float = 1.0,
) -> Drawn:
    """Return draws whose deviations from what was seen are wider by √((u + 1)/χ²(u − 1)), on the logit scale.

    For u units of one size, or units of several ``sizes`` (units, classes) that count as u. One alone says nothing:
    NaN. ``half`` a case is added to either side of a rate. The spread is that of so many ``times`` the units.
    """
    out = np.full(masses.shape, np.nan)
    number = float(effective(sizes.sum(axis=1)))
    for outcomes, u in zip(classes, effective(sizes).tolist(), strict=True):
        if not u:
            out[:, :, outcomes] = 0.0
        if u < 2:
            continue
        total, all_seen = masses[:, :, outcomes].sum(axis=2), seen[:, outcomes].sum(axis=1)
        rate = _wider(masses[:, :, outcomes[0]], total, seen[:, outcomes[0]], all_seen, u, rng, half, times)
        wrong = outcomes[1:]
        errors = masses[:, :, wrong]
        sums = errors.sum(axis=2, keepdims=True)
        shares = np.divide(errors, sums, out=np.full_like(errors, 1 / len(wrong)), where=sums > 0)
        out[:, :, outcomes[0]] = all_seen * rate
        out[:, :, wrong] = (all_seen * (1 - rate))[..., None] * shares
    totals = np.stack([masses[:, :, outcomes].sum(axis=2) for outcomes in classes], axis=2)
    of_seen = np.stack([seen[:, outcomes].sum(axis=1) for outcomes in classes], axis=1)
    if len(classes) == 1 or number < 2:
        return Drawn(out, np.full((len(out), 1, len(classes)), 1.0 if len(classes) == 1 else np.nan))
    whole, whole_seen = totals.sum(axis=2, keepdims=True), of_seen.sum(axis=1, keepdims=True)
    centre, deviation = _deviation(totals, whole, of_seen, whole_seen)
    shares = expit(centre + _factor(len(out), number, rng, times)[:, None, None] * deviation)
    shares = np.where(of_seen > 0, shares, 0.0)
    return Drawn(out, shares / shares.sum(axis=2, keepdims=True))


def _wider(
    right: Floats,
    total: Floats,
    seen: Floats,
    all_seen: Floats,
    u: float,
    rng: np.random.Generator,
    half: float,
    times: float,
) -> Floats:
    """Return rates (draws, n), wider on the logit scale: the mean of the entities, and what is each one's own.

    How much entities differ in their own way from unit to unit is much the same for all, so that u units of n entities
    tell more of it than u units of one: moderated variances and degrees of freedom (Smyth, 2004).
    """
    centre, deviation = _deviation(right, total, seen, all_seen, half)
    common = deviation.mean(axis=1, keepdims=True)
    apart = deviation - common
    lent = min(LENT, (deviation.shape[1] - 2) * (u - 1))
    if lent <= 0:
        return np.asarray(expit(centre + _factor(len(right), u, rng, times)[:, None] * deviation))
    variance = apart.var(axis=0)
    moderated = (lent * variance.mean() + (u - 1) * variance) / (lent + u - 1)
    scale = np.sqrt(np.divide(moderated, variance, out=np.ones_like(variance), where=variance > 0))
    freedom = lent + u * times - 1
    of_each = np.sqrt((u + 1) / (u * times - 1) * freedom / rng.chisquare(freedom, len(right)))[:, None]
    return np.asarray(expit(centre + _factor(len(right), u, rng, times)[:, None] * common + of_each * scale * apart))


def _deviation(part: Floats, whole: Floats, seen: Floats, all_seen: Floats, half: float = 0.5) -> tuple[Floats, Floats]:
    """Return the logits of the shares that were seen, and how far those of draws are from them."""
    centre = logit((seen + half) / (all_seen + 2 * half))
    return centre, logit((part + half) / (whole + 2 * half)) - centre


def _factor(draws: int, u: float, rng: np.random.Generator, times: float) -> Floats:
    return np.asarray(np.sqrt((u + 1) / rng.chisquare(u * times - 1, draws)))
