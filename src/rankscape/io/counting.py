"""Counting: tables of predictions, of any size and on any engine, become performances."""

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DataError, UsageError
from ..kernels.counting import operating_points
from ..performances import Performances
from .codes import name_text
from .engines import (
    Columns,
    Fetch,
    checked_threshold,
    fetched,
    groups_of,
    lazy_frame,
    predictions_of,
    unmatched_cases,
)
from .files import is_files, scanned
from .groups import INVALID, Group, Tally, tallied

if TYPE_CHECKING:
    import narwhals as nw


class IncompleteDataWarning(UserWarning):
    """Some rows were left out of what was counted, or some cases are not matched: the message has the numbers."""


def count(
    source: Any,
    *,
    truth: str,
    prediction: str | Sequence[str] | None = None,
    score: str | Sequence[str] | None = None,
    threshold: float | str | None = None,
    entity: str | None = None,
    domain: str | None = None,
    case: str | None = None,
    weight: str | None = None,
    pos_label: Any = None,
    labels: Any = None,
    invalid: str = "error",
    progress: Callable[[int], None] | None = None,
) -> Performances:
    """Return the performances in a table of predictions, one case per row, sorted by domain and entity.

    ``source`` is a file (Parquet, CSV, JSON lines), a pattern, a folder or a list of files, scanned by DuckDB, or a
    data frame (pandas, polars, pyarrow, DuckDB, Dask, PySpark; lazy ones too): its engine groups the rows, and only
    counts travel. The other arguments name columns: ``truth``; ``prediction``, or ``score`` with a ``threshold``
    (positive if score ≥ threshold, NaN refused; "all" gives every operating point, and ``.thresholds``); several of
    them are several entities; ``entity``, ``domain``; ``case`` (every entity must have the same cases, once);
    ``weight`` (whole ones give counts, others probabilities).

    Labels are texts, numbers or booleans; 1, 1.0 and True are one label, "1" is another. ``pos_label`` (by default 1)
    is the positive one; more than two labels need it, or ``labels`` (a list, or "all"): then Ω is all pairs (truth,
    prediction), in that order. What cannot be counted (no truth, prediction or name; a label that is none of
    ``labels``, or, without them, none of two true ones) and unmatched cases are a DataError with numbers; with
    ``invalid="warn"`` an IncompleteDataWarning has them. See :func:`tally` for the rows behind each performance.

    >>> import pyarrow as pa
    >>> rows = {"model": ["a", "a", "b", "b"], "y": [0, 1, 0, 1], "yhat": [0, 1, 1, 1]}
    >>> P = count(pa.table(rows), truth="y", prediction="yhat", entity="model")
    >>> P.names, P.counts.tolist()
    (('a', 'b'), [[1, 0, 0, 1], [0, 1, 0, 1]])
    """
    result = tally(
        source,
        truth=truth,
        prediction=prediction,
        score=score,
        threshold=threshold,
        entity=entity,
        domain=domain,
        case=case,
        weight=weight,
        pos_label=pos_label,
        labels=labels,
        invalid=invalid,
        progress=progress,
    )
    if invalid == "warn" and result.warnings:
        warnings.warn("; ".join(result.warnings), IncompleteDataWarning, stacklevel=2)
    return result.performances


def tally(
    source: Any,
    *,
    truth: str,
    prediction: str | Sequence[str] | None = None,
    score: str | Sequence[str] | None = None,
    threshold: float | str | None = None,
    entity: str | None = None,
    domain: str | None = None,
    case: str | None = None,
    weight: str | None = None,
    pos_label: Any = None,
    labels: Any = None,
    invalid: str = "error",
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Return what :func:`count` does, with the number of rows seen, left out and counted; it takes the same arguments.

    >>> import pyarrow as pa
    >>> found = tally(pa.table({"y": [0, 1, 1], "yhat": [0, 1, None]}), truth="y", prediction="yhat", invalid="warn")
    >>> found.rows, found.left_out, found.performances.counts.tolist()
    (3, {'the prediction is missing': 1}, [[1, 0, 0, 1]])
    """
    if invalid not in (*INVALID, "never"):
        raise UsageError(f"invalid={invalid!r}: expected one of {', '.join(map(repr, INVALID))}")
    names = predictions_of(prediction, score, entity)
    if (score is None) != (threshold is None):
        raise UsageError('score= and threshold= go together: a number such as 0.5, or "all" for every operating point')
    number, everywhere = (None, False) if threshold is None else checked_threshold(threshold)
    if everywhere and labels is not None and pos_label is None:
        raise UsageError("operating points are those of two classes: pass pos_label= instead of labels=")
    columns = [Columns(truth, name, entity, domain, case, weight, number, everywhere) for name in names]
    with opened(source, columns, progress) as (frame, where, fetch):
        return tally_of(frame, columns, where, fetch, pos_label=pos_label, labels=labels, invalid=invalid)


@contextmanager
def opened(
    source: Any,
    columns: Sequence[Columns],
    progress: Callable[[int], None] | None = None,
    more_texts: Sequence[str | None] = (),
) -> Iterator[tuple["nw.LazyFrame[Any]", str, Fetch]]:
    """Give a table of predictions as a plan, what errors call it, and how its plans are carried out."""
    if not is_files(source):
        yield lazy_frame(source), "", fetched
        return
    first = columns[0]
    scores = [one.prediction for one in columns if one.threshold is not None or one.all_thresholds]
    texts = (first.entity, first.domain, first.case, *more_texts)
    labels = (first.truth, *(one.prediction for one in columns if one.prediction not in scores))
    with scanned(source, progress, texts, (first.weight, *scores), labels) as (native, where, fetch):
        yield lazy_frame(native, where), where, fetch


def tally_of(
    frame: "nw.LazyFrame[Any]",
    columns: Sequence[Columns],
    where: str,
    fetch: Fetch,
    *,
    pos_label: Any = None,
    labels: Any = None,
    invalid: str = "error",
) -> Tally:
    """Return what :func:`tally` does, of a table that is open; ``invalid="never"`` is an error with no way around."""
    groups = [group for one in columns for group in groups_of(frame, one, where, fetch)]
    everywhere = columns[0].all_thresholds
    scored = everywhere or columns[0].threshold is not None
    if everywhere:
        result = _at_all_thresholds(groups, pos_label, labels, invalid)
    else:
        result = tallied(groups, pos_label=pos_label, labels=labels, invalid=invalid, scored=scored)
    # Only rows that count have a case; where nothing was left out, all columns of predictions have the same ones.
    strange = _strange(groups, result.known, scored)
    unmatched = unmatched_cases(frame, columns if result.left_out else columns[:1], where, fetch, strange)
    if unmatched and invalid != "warn":
        way_out = ', or pass invalid="warn" to count what is there' if invalid == "error" else ""
        raise DataError(f"{'; '.join(unmatched)}: complete or correct the table{way_out}")
    return replace(result, warnings=(*result.warnings, *unmatched))


def _strange(groups: Sequence[Group], known: frozenset[Any] | None, scored: bool) -> list[Any]:
    """Return the labels that were not expected."""
    labels = [label for group in groups for label in ((group.truth,) if scored else (group.truth, group.predicted))]
    return (
        [] if known is None else [label for label in dict.fromkeys(labels) if label is not None and label not in known]
    )


def _at_all_thresholds(groups: Sequence[Group], pos_label: Any, labels: Any, invalid: str) -> Tally:
    """Return every operating point of every entity: positive if score ≥ t, t = ∞ and each of its distinct scores."""
    if any(isinstance(group.predicted, float) and np.isinf(group.predicted) for group in groups):
        raise DataError("a score is infinite; expected finite numbers, larger for more positive")
    below = [group if group.predicted is None else group._replace(predicted=False) for group in groups]
    whole = tallied(below, pos_label=pos_label, labels=labels, invalid=invalid, scored=True)
    positive = whole.positive
    cells: dict[tuple[str, str], list[Group]] = defaultdict(list)
    for group in groups:
        complete = None not in (group.truth, group.predicted, group.entity, group.domain)
        if complete and (whole.known is None or group.truth in whole.known):
            cells[name_text(group.domain), name_text(group.entity)].append(group)
    counts, thresholds, names, domains = [], [], [], []
    places = whole.performances.domains or [""] * len(whole.performances)
    for place, name in zip(places, whole.performances.names, strict=True):
        mine = cells[place, name]
        truths = np.array([group.truth == positive for group in mine])
        scores = np.array([group.predicted for group in mine], dtype=np.float64)
        points, cuts = operating_points(truths, scores, np.array([group.weight for group in mine]))
        counts.append(points)
        thresholds.append(cuts)
        names += [f"{name}, score >= {cut}" for cut in cuts.tolist()]
        domains += [place] * len(cuts)
    P = Performances._from_weighted(
        np.concatenate(counts), names, domains=domains if whole.performances.domains else None
    )
    return replace(whole, performances=replace(P, thresholds=np.concatenate(thresholds)))
