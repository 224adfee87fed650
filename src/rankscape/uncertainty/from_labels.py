"""From labels and predictions of the same cases to the number of cases of each kind."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import one_line
from ..checks.labels import as_given, labeled, refuse_scores, refuse_values, stacked_predictions
from ..errors import DataError, UsageError
from ..io.cells import missing as is_missing
from ..io.pairing import crossing_clusters
from ..outcomes import TWO_CLASS
from ..performances import Joint, Performances, kinds_of
from ..tasks.multi_class import coded_cases


def joint_of_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike | Mapping[str, ArrayLike],
    pos_label: Hashable = None,
    clusters: ArrayLike | None = None,
    domains: ArrayLike | None = None,
    names: Sequence[object] | None = None,
    labels: Sequence[object] | None = None,
) -> Joint:
    """Return how many cases there are of each kind, per domain, and per cluster where clusters are given."""
    if labels is not None and pos_label is not None:
        raise UsageError("labels= lists several classes, and pos_label= sets one against all others: leave out one")
    if labels is not None or (pos_label is None and _of_several(y_true)):
        if labels is None:
            _refuse_values(y_true, y_pred)
        columns, space, codes = coded_cases(y_true, y_pred, labels=labels)
    else:
        columns, truth, predicted = labeled(y_true, y_pred, pos_label)
        space, codes = TWO_CLASS, 2 * truth.astype(np.int64) + predicted
    given = columns if names is None else names
    entities = tuple(map(str, [f"P{i + 1}" for i in range(len(codes))] if given is None else given))
    places = labels_of_cases(domains, codes.shape[1], "domains")
    groups = labels_of_cases(clusters, codes.shape[1], "clusters")
    if clusters is not None and (crossing := crossing_clusters(zip(places, groups, strict=True))):
        raise DataError(crossing)
    where = np.asarray(places)
    parts, cells = [], []
    for place in dict.fromkeys(places):
        here = np.flatnonzero(where == place)
        inside = np.unique(np.asarray(groups)[here], return_inverse=True)[1].ravel()
        parts.append(kinds_of(codes[:, here], inside if clusters is not None else None))
        cells += [np.bincount(row, minlength=len(space)) for row in codes[:, here]]
    kinds = list(dict.fromkeys(places))
    of = None if domains is None else [kind for kind in kinds for _ in entities]
    observed = Performances.from_counts(np.array(cells), names=list(entities) * len(kinds), domains=of, space=space)
    return Joint(observed, tuple(parts), clusters is not None)


def _of_several(y_true: ArrayLike) -> bool:
    """Tell whether the truth has more than two labels; missing ones do not count."""
    return len({label for label in as_given(y_true, "y_true").ravel().tolist() if not is_missing(label)}) > 2


def _refuse_values(y_true: ArrayLike, y_pred: ArrayLike | Mapping[str, ArrayLike]) -> None:
    """Raise DataError for what each would become a class of its own: scores, and targets of a regression."""
    true = as_given(y_true, "y_true").ravel().tolist()
    predicted = stacked_predictions(y_pred)[1].ravel().tolist()
    refuse_scores(set(true), dict.fromkeys(predicted))
    refuse_values(true, predicted)


def labels_of_cases(labels: ArrayLike | None, m: int, what: str) -> list[str]:
    """Return the name of the cluster or domain of each of m cases; raise DataError for missing or ambiguous ones."""
    if labels is None:
        return ["all"] * m
    if np.ma.is_masked(labels):
        raise DataError(f"{what}: some labels are masked: drop these cases, or say what they belong to")
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
