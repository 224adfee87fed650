"""Resampling: what the performances might have been on other cases, clusters of cases, or domains; always paired."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import checked_rng, checked_size, one_line
from ..checks.labels import labeled
from ..domains import prepare
from ..errors import DataError, UsageError
from ..io.cells import missing as is_missing
from ..io.joint import Joint, Units, joint, units_of_clusters, units_of_kinds
from ..kernels.exact import integers_of_fractions
from ..performances import Performances
from ..typing import Integers, PerformancesLike, RandomLike, TableLike, WeightsLike
from .draws import DRAWS, LARGEST, Draws

CHUNK = 20_000_000
"""How many numbers of cases are drawn at once."""


def bootstrap(
    y_true: ArrayLike,
    y_pred: ArrayLike | Mapping[str, ArrayLike],
    draws: int = DRAWS,
    rng: RandomLike = 0,
    *,
    pos_label: Hashable = None,
    clusters: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    weights: WeightsLike = "equal",
    names: Sequence[object] | None = None,
) -> Draws:
    """Resample cases with replacement, the same for all entities: a paired bootstrap of their performances.

    ``y_true`` (m,) and ``y_pred`` (m,), (n, m) or a mapping of names to (m,), as in ``Performances.from_labels``.
    ``clusters`` (m,) names the cluster of each case (a patient, a video): clusters are then resampled as wholes.
    ``domains`` (m,) names the domain of each case: cases are then resampled within each domain, and the draws are
    summarized with ``weights`` as by :func:`rankscape.summarize`. The draws are integers, so that ties are exact. A
    class that the sample lacks is in no draw.
    Raises DataError for labels that cannot be paired, or are missing.

    >>> draws = bootstrap([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 1, 1, 1]}, draws=5)
    >>> draws.values.sum(axis=2).tolist()[0], bool((draws.values[:, 0] == draws.values[:, 1]).all())
    ([4, 4], True)
    """
    columns, truth, predicted = labeled(y_true, y_pred, pos_label)
    given = columns if names is None else names
    entities = tuple(map(str, [f"P{i + 1}" for i in range(len(predicted))] if given is None else given))
    codes = 2 * truth.astype(np.int64) + predicted
    places = _labels_of(domains, len(truth), "domains")
    units = _labels_of(clusters, len(truth), "clusters")
    parts, cells = [], []
    for place in dict.fromkeys(places):
        here = np.array([other == place for other in places])
        group = [unit for unit, inside in zip(units, here, strict=True) if inside] if clusters is not None else None
        parts.append(_units(codes[:, here], group))
        cells += [np.bincount(row, minlength=4) for row in codes[:, here]]
    kinds = list(dict.fromkeys(places))
    of = None if domains is None else [kind for kind in kinds for _ in entities]
    observed = Performances.from_counts(np.array(cells), names=list(entities) * len(kinds), domains=of)
    return paired_draws(Joint(observed, tuple(parts), clusters is not None), draws, rng, weights)


def bootstrap_table(
    source: TableLike,
    draws: int = DRAWS,
    rng: RandomLike = 0,
    *,
    truth: str,
    prediction: str | Sequence[str],
    entity: str | None = None,
    domain: str | None = None,
    case: str | None = None,
    cluster: str | None = None,
    pos_label: Hashable = None,
    weights: WeightsLike = "equal",
    progress: Callable[[int], None] | None = None,
) -> Draws:
    """Resample the cases of a table of predictions, as :func:`bootstrap` does, counted by the engine that holds it.

    ``source``, ``truth``, ``prediction``, ``entity``, ``domain``, ``case``, ``pos_label`` and ``progress`` are as in
    :func:`rankscape.count`; ``cluster`` names a column, too. Several columns of predictions are several entities on
    the same rows; where a column names the ``entity``, ``case`` says which rows are of one case. Only the number of
    cases of each kind travels (what the truth is, and what each entity says), or the counts of each cluster.
    Raises DataError, with numbers, for what cannot be counted or paired.

    >>> import pyarrow as pa
    >>> rows = {"case": [1, 2, 3, 1, 2, 3], "model": list("aaabbb"), "y": [0, 1, 1] * 2, "yhat": [0, 1, 0, 1, 1, 1]}
    >>> draws = bootstrap_table(pa.table(rows), 100, truth="y", prediction="yhat", entity="model", case="case")
    >>> draws, draws.names
    (<Draws: 100 of 2 entities; paired bootstrap over cases>, ('a', 'b'))
    """
    counts = joint(
        source, truth=truth, prediction=prediction, entity=entity, domain=domain, case=case, cluster=cluster,
        pos_label=pos_label, progress=progress,
    )  # fmt: skip
    return paired_draws(counts, draws, rng, weights)


def paired_draws(cases: Joint, draws: int = DRAWS, rng: RandomLike = 0, weights: WeightsLike = "equal") -> Draws:
    """Return draws of units with replacement, the same for all entities, summarized over the domains."""
    count, generator = checked_size("draws", draws), checked_rng(rng)
    prepared = prepare(cases.performances, weights=weights)
    parts = [_resampled(*units, count, generator) for units in cases.units]
    what = "clusters of cases" if cases.clustered else "cases"
    method = f"paired bootstrap over {what}" + " within each domain" * (len(parts) > 1)
    values = _mixed(parts, prepared.grid.weights)
    return Draws(values, prepared.grid.summary(), method=method, paired=True, prepared=prepared)


def _labels_of(labels: ArrayLike | None, m: int, what: str) -> list[str]:
    if labels is None:
        return ["all"] * m
    values = np.asarray(labels, dtype=object).ravel().tolist()
    if len(values) != m:
        raise DataError(f"{what}: expected {m} labels, one per case; got {len(values)}")
    texts: dict[Any, str] = {}
    for case, value in enumerate(values):
        if is_missing(value):
            raise DataError(f"{what}: case {case + 1} has no label (NaN or None): drop it, or say what it belongs to")
        texts.setdefault(value, str(value))
    kinds: dict[str, Any] = {}
    for value, text in texts.items():
        if text in kinds:
            raise DataError(
                f'{what}: {kinds[text]!r} and {value!r} are both called "{one_line(text)}": give all labels as texts, '
                "or all as numbers"
            )
        kinds[text] = value
    return [texts[value] for value in values]


def _units(codes: Integers, clusters: list[str] | None) -> Units:
    """Return what is resampled of cases with outcomes (n, m): their kinds, or their clusters."""
    if clusters is None:  # cases on which all entities do the same are exchangeable: how many of each kind are drawn
        kinds, size = _kinds(codes)
        return units_of_kinds(kinds.T, size)
    number = {name: i for i, name in enumerate(dict.fromkeys(clusters))}
    index = np.array([number[name] for name in clusters])
    return units_of_clusters(codes.T, index, np.ones(len(index), dtype=np.int64))


def _resampled(units: Integers, size: Integers, draws: int, rng: np.random.Generator) -> Integers:
    """Return counts (draws, n, 4) of as many units as there are, drawn with replacement."""
    _, n, k = units.shape
    flat = units.reshape(len(units), n * k).astype(np.float64)
    out = np.empty((draws, n * k), dtype=np.int64)
    chunk = max(1, CHUNK // len(units))
    for start in range(0, draws, chunk):
        stop = min(start + chunk, draws)
        drawn = rng.multinomial(size.sum(), size / size.sum(), size=stop - start)
        out[start:stop] = np.rint(drawn.astype(np.float64) @ flat)
    return out.reshape(draws, n, k)


def _kinds(codes: Integers) -> tuple[Integers, Integers]:
    """Return the different columns of an array of codes below 4, in their order, and how often each occurs.

    >>> [part.tolist() for part in _kinds(np.array([[3, 0, 3], [1, 2, 1]]))]
    [[[0, 3], [2, 1]], [1, 2]]
    """
    key, largest = np.zeros(codes.shape[1], dtype=np.int64), 1
    for row in codes:
        if largest > LARGEST // 4:
            key = np.unique(key, return_inverse=True)[1].ravel()
            largest = int(key.max()) + 1
        key, largest = 4 * key + row, 4 * largest
    _, first, size = np.unique(key, return_index=True, return_counts=True)
    return codes[:, first], size


def _mixed(parts: list[Integers], lambdas: tuple[Fraction, ...]) -> NDArray[Any]:
    """Return Σ λ_d·counts_d/total_d up to a factor per draw and entity, in integers."""
    if len(parts) == 1:
        return parts[0]
    totals = np.stack([part[:, 0].sum(axis=1) for part in parts], axis=1)  # (draws, domains), the same for all entities
    distinct, same = np.unique(totals, axis=0, return_inverse=True)  # of cases one row, for their number is fixed
    shares = np.array([[w / t for w, t in zip(lambdas, row, strict=True)] for row in distinct.tolist()], dtype=object)
    factors = integers_of_fractions(shares)
    kind = np.int64 if (factors * distinct.astype(object)).sum(axis=1).max() < LARGEST else object
    each = factors.astype(kind)[same.ravel()]
    return np.asarray(sum(each[:, d, None, None] * part.astype(kind, copy=False) for d, part in enumerate(parts)))


def bootstrap_domains(
    performances: PerformancesLike,
    draws: int = DRAWS,
    rng: RandomLike = 0,
    *,
    weights: WeightsLike = "equal",
    missing: Literal["error", "complete"] = "error",
    groups: Mapping[str, str] | None = None,
) -> Draws:
    """Resample domains with replacement, the same for all entities: what another choice of domains might have given.

    Draws are Σ k_d·λ_d·P_d, k_d how often a domain was drawn. Says nothing of the cases within a domain. With
    ``missing="complete"`` only the domains that all entities share are drawn.
    Raises DataError for missing cells, UsageError for a single domain.

    >>> P = Performances.from_counts([[5, 1, 1, 3], [2, 2, 2, 4]], names=["m", "m"], domains=["x", "y"])
    >>> len(bootstrap_domains(P, draws=10))
    10
    """
    prepared = prepare(performances, weights=weights, missing=missing, groups=groups, policies=("error", "complete"))
    grid = prepared.grid
    chosen = [d for d, weight in enumerate(grid.weights) if weight]
    if len(chosen) < 2:
        raise UsageError("resampling domains needs two of them, with positive weights; got one")
    count, size = checked_size("draws", draws), len(chosen)
    drawn = checked_rng(rng).multinomial(size, np.full(size, 1 / size), size=count)
    parts = grid.parts[:, chosen]
    if grid.exact and int(parts.sum(axis=(1, 2)).max()) * size < LARGEST:
        parts = parts.astype(np.int64)
    values = np.stack([drawn.astype(part.dtype) @ part for part in parts], axis=1)
    return Draws(values, grid.summary(), method="paired bootstrap over domains", paired=True, prepared=prepared)
