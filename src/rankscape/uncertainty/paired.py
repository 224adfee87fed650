"""Draws of entities that were tried on the same cases, clusters or domains: what they share stays shared."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..checks import one_line
from ..checks.labels import as_given, labeled, stacked_predictions
from ..errors import DataError, UsageError
from ..io.cells import missing as is_missing
from ..io.codes import LabelsOf
from ..io.joint import Joint, Units, joint
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..tasks.multi_class import coded_cases
from ..typing import Integers, PairedMethod, PerformancesLike, RandomLike, Resample, TableLike, WeightsLike
from .draws import DRAWS, Draws, drawn_from
from .evidence import evidence_of_cases, evidence_of_counts

LARGEST = 2**62


def paired(
    y_true: ArrayLike,
    y_pred: ArrayLike | Mapping[str, ArrayLike],
    draws: int = DRAWS,
    rng: RandomLike = 0,
    *,
    pos_label: Hashable = None,
    labels: Sequence[object] | None = None,
    clusters: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    random_domains: bool = False,
    weights: WeightsLike = "equal",
    names: Sequence[object] | None = None,
    method: PairedMethod = "exchangeable",
) -> Draws:
    """Draw the performances that entities tried on the same cases might have on all cases of this kind.

    ``y_true`` (m,) and ``y_pred`` (m,), (n, m) or a mapping of names to (m,), as in ``Performances.from_labels``.
    More than two classes of the truth, or ``labels``, make Ω all pairs (truth, prediction), as in
    ``tasks.multi_class.evaluate``; with ``pos_label`` it is that class against the others.
    ``clusters`` (m,) names the cluster of each case (a patient, a video): then other clusters are drawn instead of
    other cases. ``domains`` (m,) names the domain of each case; the draws are summarized with ``weights`` as by
    :func:`rankscape.summarize`. The domains stay the same, but with ``random_domains`` others of their kind are drawn.
    ``method`` is as in :func:`posterior`, or "bootstrap": the plain bootstrap, for comparison only.
    Raises DataError for labels that cannot be paired, or are missing.

    >>> drawn = paired([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 1, 0]}, draws=5)
    >>> drawn.values.shape, drawn.paired
    ((5, 2, 4), True)
    """
    cases = joint_of_labels(y_true, y_pred, pos_label, clusters, domains, names, labels)
    return paired_draws(cases, draws, rng, weights, method, "domains" if random_domains else None)


def paired_table(
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
    labels: LabelsOf = None,
    random_domains: bool = False,
    weights: WeightsLike = "equal",
    method: PairedMethod = "exchangeable",
    progress: Callable[[int], None] | None = None,
) -> Draws:
    """Draw as :func:`paired` does, of a table of predictions, counted by the engine that holds it.

    ``source``, ``truth``, ``prediction``, ``entity``, ``domain``, ``case``, ``pos_label``, ``labels`` and ``progress``
    are as in :func:`rankscape.count`; ``cluster`` names a column, too. More than two classes of the truth are all of
    them taken, without ``labels``. Several columns of predictions are several entities on
    the same rows; where a column names the ``entity``, ``case`` says which rows are of one case. Only the number of
    cases of each kind travels (what the truth is, and what each entity says), per cluster where there are clusters.
    Raises DataError, with numbers, for what cannot be counted or paired.

    >>> import pyarrow as pa
    >>> rows = {"case": [1, 2, 3, 1, 2, 3], "model": list("aaabbb"), "y": [0, 1, 1] * 2, "yhat": [0, 1, 0, 1, 1, 1]}
    >>> drawn = paired_table(pa.table(rows), 100, truth="y", prediction="yhat", entity="model", case="case")
    >>> len(drawn), drawn.names
    (100, ('a', 'b'))
    """
    cases = joint(
        source, truth=truth, prediction=prediction, entity=entity, domain=domain, case=case, cluster=cluster,
        pos_label=pos_label, labels=labels, progress=progress,
    )  # fmt: skip
    return paired_draws(cases, draws, rng, weights, method, "domains" if random_domains else None)


def paired_draws(
    cases: Joint,
    draws: int = DRAWS,
    rng: RandomLike = 0,
    weights: WeightsLike = "equal",
    method: PairedMethod = "exchangeable",
    resample: Resample | None = None,
) -> Draws:
    """Return draws of the performances on other cases, clusters or domains, the same for all entities."""
    return drawn_from(evidence_of_cases(cases, weights, resample), draws, rng, method)


def resampled_domains(
    performances: PerformancesLike,
    draws: int = DRAWS,
    rng: RandomLike = 0,
    *,
    weights: WeightsLike = "equal",
    missing: Literal["error", "complete"] = "error",
    groups: Mapping[str, str] | None = None,
    method: PairedMethod = "exchangeable",
) -> Draws:
    """Draw the performances on other domains of the same kind, the same for all entities: would the ranking hold there?

    The domains count as a random sample of their kind. With ``missing="complete"`` only those that all entities share
    are taken. ``method`` is as in :func:`paired`. Works without counts, too.
    Raises DataError for missing cells, UsageError for a single domain.

    >>> P = Performances.from_counts([[5, 1, 1, 3], [2, 2, 2, 4]], names=["m", "m"], domains=["x", "y"])
    >>> len(resampled_domains(P, draws=10))
    10
    """
    evidence = evidence_of_counts(performances, weights, missing, groups, resample="domains")
    return drawn_from(evidence, draws, rng, method)


def joint_of_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike | Mapping[str, ArrayLike],
    pos_label: Hashable = None,
    clusters: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    names: Sequence[object] | None = None,
    labels: Sequence[object] | None = None,
) -> Joint:
    """Return the kinds of cases of labels (m,) and predictions, per domain, in clusters where given."""
    if labels is not None and pos_label is not None:
        raise UsageError("labels= are those of several classes, pos_label= is one against the others: leave out one")
    if labels is not None or (pos_label is None and _of_several(y_true)):
        columns, space, codes = coded_cases(y_true, y_pred, labels=labels)
        _refuse_scores(y_true, y_pred)
    else:
        columns, truth, predicted = labeled(y_true, y_pred, pos_label)
        space, codes = TWO_CLASS, 2 * truth.astype(np.int64) + predicted
    given = columns if names is None else names
    entities = tuple(map(str, [f"P{i + 1}" for i in range(len(codes))] if given is None else given))
    places = labels_of_cases(domains, codes.shape[1], "domains")
    groups = labels_of_cases(clusters, codes.shape[1], "clusters")
    where = np.asarray(places)
    parts, cells = [], []
    for place in dict.fromkeys(places):
        here = np.flatnonzero(where == place)
        inside = np.unique(np.asarray(groups)[here], return_inverse=True)[1].ravel()
        parts.append(_kinds(codes[:, here], inside if clusters is not None else None))
        cells += [np.bincount(row, minlength=len(space)) for row in codes[:, here]]
    kinds = list(dict.fromkeys(places))
    of = None if domains is None else [kind for kind in kinds for _ in entities]
    observed = Performances.from_counts(np.array(cells), names=list(entities) * len(kinds), domains=of, space=space)
    return Joint(observed, tuple(parts), clusters is not None)


def _of_several(y_true: ArrayLike) -> bool:
    """Tell whether labels of the truth are more than two; those that are missing are none."""
    return len({label for label in as_given(y_true, "y_true").ravel().tolist() if not is_missing(label)}) > 2


def _refuse_scores(y_true: ArrayLike, y_pred: ArrayLike | Mapping[str, ArrayLike]) -> None:
    """Refuse predictions with a fraction where the truth has none: each would be a class of its own."""
    if not any(map(_broken, as_given(y_true, "y_true").ravel().tolist())):
        broken = next(filter(_broken, stacked_predictions(y_pred)[1].ravel().tolist()), None)
        if broken is not None:
            raise DataError(f"predictions such as {broken:.4g} are no labels: give the predicted class of each case")


def _broken(label: object) -> bool:
    return isinstance(label, float) and not label.is_integer()


def labels_of_cases(labels: ArrayLike | None, m: int, what: str) -> list[str]:
    """Return the name of the cluster or domain of each of m cases; refuse what is missing, or called alike."""
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


def _kinds(codes: Integers, cluster: Integers | None) -> Units:
    """Return the different columns of codes (n, m), within clusters, in their order, and how often each occurs.

    >>> units = _kinds(np.array([[3, 0, 3], [1, 2, 1]]), None)
    >>> units.codes.tolist(), units.size.tolist()
    ([[0, 2], [3, 1]], [1, 2])
    """
    base = int(codes.max()) + 1
    key, largest = np.zeros(codes.shape[1], dtype=np.int64), 1
    if cluster is not None:
        key, largest = cluster.astype(np.int64), int(cluster.max()) + 1
    for row in codes:
        if largest > LARGEST // base:
            key = np.unique(key, return_inverse=True)[1].ravel()
            largest = int(key.max()) + 1
        key, largest = base * key + row, base * largest
    _, first, size = np.unique(key, return_index=True, return_counts=True)
    return Units(codes[:, first].T, size, None if cluster is None else cluster[first])
