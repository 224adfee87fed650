"""Information retrieval: Ω = {fp, fn, tp}, or {none, fp, fn, tp}.

A result is a tp if the true and the predicted set have it, a fp if only the predicted one has, a fn if only the true
one has. (Foundations, A.2.3.) Queries are averaged per thing to be found: each is measured by what it has of every
outcome per relevant result. The thought experiment of the paper draws a query, then a result from the union of both
sets, whose size depends on the system: more wrong results for one query would raise the recall of the average.

Two systems and three queries: one finds few results, all right; the other finds everything, and more.

>>> import rankscape as rs
>>> truth = [{"a", "b"}, {"c"}, set()]
>>> results = {"short": [{"a"}, {"c"}, set()], "long": [{"a", "b", "d"}, {"c", "e"}, {"f"}]}
>>> P = rs.tasks.retrieval.evaluate(truth, results)
>>> rs.score("jaccard", P.space)(P).round(3).tolist()
[0.667, 0.5]
>>> list(rs.rank(P, by="precision")), list(rs.rank(P, by="recall"))
(['short', 'long'], ['long', 'short'])

Judgements with grades and runs with scores, as pytrec_eval and ranx have them; of a run the best ``depth`` documents:

>>> qrels = {"q1": {"d1": 0, "d2": 0, "d9": 1}, "q2": {"d3": 2, "d4": 1}}
>>> runs = {
...     "wrong": {"q1": {"d1": 0.8, "d2": 0.7}, "q2": {"d5": 0.9, "d3": 0.1}},
...     "right": {"q1": {"d9": 0.9, "d2": 0.1}, "q2": {"d3": 0.9, "d4": 0.2}},
... }
>>> P = rs.tasks.retrieval.evaluate(qrels, runs, depth=1)
>>> P.mass.round(3).tolist(), rs.rank(P, by="f1").best
([[0.429, 0.571, 0.0], [0.0, 0.25, 0.75]], frozenset({'right'}))

"""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from functools import partial
from numbers import Real
from typing import Any, Literal

import numpy as np

from ..checks import checked_size, one_line
from ..errors import DataError, IncompleteDataWarning, Option, UsageError
from ..outcomes import WITHOUT_TN, SampleSpace
from ..performances import Performances
from ..typing import DataFrameLike, Integers, ItemsLike
from .entities import by_entity
from .judgements import about_lacking, answered, is_one_query, refuse_indicators, refuse_other_kinds, results_of

__all__ = ["SPACE", "SPACE_WITH_NONE", "evaluate"]
__dir__ = __all__.copy  # dir() lists the public names

SPACE = replace(WITHOUT_TN, name="retrieval")
"""The outcomes of a result of the true or the predicted set."""

SPACE_WITH_NONE = SampleSpace(
    "retrieval with none",
    ("none", "fp", "fn", "tp"),
    satisfaction=(1.0, 0.0, 0.0, 1.0),
    scores={"accuracy": (1, 1, 1, 1)} | {name: (0, *weights) for name, weights in SPACE.scores.items()},
)
"""The same where a query without true and predicted results has an outcome of its own, which is satisfying."""


def evaluate(
    y_true: ItemsLike,
    y_pred: ItemsLike | Mapping[str, ItemsLike] | DataFrameLike,
    *,
    relevance: float = 1,
    depth: int | None = None,
    none: bool = False,
    pooled: bool | None = None,
    by_query: bool = False,
    names: Sequence[object] | None = None,
) -> Performances:
    """Return the performances of retrieval systems from their sets of results, one per query.

    Parameters
    ----------
    y_true
        A set (or list, or array) of results per query, in a list or a mapping by query. Instead of a set, a mapping of
        documents to grades ≥ 0.
    y_pred
        The same, or a mapping of names to it, or a data frame with one column per system; instead of a set, a mapping
        of documents to scores, larger for better.
    relevance
        The least grade of a relevant document.
    depth
        How many results count: the first of each list and the best of each mapping, those with equal scores in
        descending order of their names as texts, as in trec_eval; by default all.
    none
        Whether a query for which both sets are empty yields the outcome "none"; by default it adds nothing.
    pooled
        Whether counts are added over the queries, so that queries with many relevant results count more. With False
        each query counts alike, measured per relevant result, which no query may lack. By default that is so, but
        counts are added where a query has no relevant result.
    by_query
        Whether each query is a domain of its own; averaged by :func:`rankscape.summarize` they are the performances
        without it. Draws are then of other queries, see :func:`rankscape.uncertainty.resampled_domains`.
    names
        The names of the entities; by default P1, P2, …

    Returns
    -------
    Performances
        One row per system, or per query and system.

    Raises
    ------
    DataError
        For a set or list that lacks a query, for grades that are negative, scores that are NaN, results of another kind
        than the true ones, for matrices of 0 and 1, and if no query has results and there is no ``none``.
    UsageError
        For ``pooled`` together with ``by_query``, and for ``pooled=False`` where a query has no relevant result.

    See Also
    --------
    rankscape.rank
    rankscape.Performances

    Notes
    -----
    Recall is the mean over queries of the recall of each, |Y ∩ Ŷ| / |Y|, exactly. Precision is the mean of |Y ∩ Ŷ| /
    |Y| over the mean of |Ŷ| / |Y|, not the mean of the precision of each. So more wrong results, for whichever query,
    never raise recall, precision or an F-score.

    A result that a list repeats counts once. A run of scores that lacks a query has retrieved nothing there, with a
    warning (so trec_eval with -c; pytrec_eval leaves the query out); a query without judgements is an error.

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.tasks.retrieval.evaluate({"q1": [1, 2], "q2": [3]}, {"q1": [2, 5], "q2": []})
    >>> P.exact.tolist()  # (1/2 + 0)/2, (1/2 + 1)/2, (1/2 + 0)/2, up to a factor
    [[1, 3, 1]]
    """
    refuse_indicators("the truth", y_true)
    for part in y_pred.values() if isinstance(y_pred, Mapping) else [y_pred]:
        refuse_indicators("the prediction", part)
    lacking: dict[str, list[Any]] = {}
    entities = by_entity(y_pred, y_true, names, lone=is_one_query, complete=partial(answered, lacking))
    if not len(y_true):
        raise DataError("no queries: expected at least one set of results")
    for name, absent in lacking.items():
        warnings.warn(about_lacking(name, absent, len(y_true)), IncompleteDataWarning, stacklevel=2)
    if not isinstance(relevance, (Real, Decimal)) or isinstance(relevance, bool) or not 0 < relevance < math.inf:
        raise UsageError(
            [Option("relevance"), " must be a number above 0, the least grade that counts"], got=repr(relevance)
        )
    queries = list(y_true.values() if isinstance(y_true, Mapping) else y_true)
    if relevance != 1 and not any(isinstance(query, Mapping) for query in queries):
        raise UsageError([Option("relevance"), " is about graded judgements; here the truth has sets or lists"])
    true = results_of("the truth", queries, y_true, relevance=relevance)
    if depth is not None:
        checked_size("depth", depth)
    counts = []
    for name, items in entities:
        system = f'entity "{one_line(name)}"'
        results = results_of(system, items, y_true, depth=depth)
        refuse_other_kinds(true, results, system)
        counts.append(_counted(true, results))
    space = SPACE_WITH_NONE if none else SPACE
    return of_inputs(counts, [name for name, _ in entities], space, y_true, pooled, "by_query", by_query)


def _counted(true: Sequence[Set[Any]], predicted: Sequence[Set[Any]]) -> Integers:
    """Return fp, fn, tp of every query, (m, 3)."""
    tp = np.array([len(one & other) for one, other in zip(true, predicted, strict=True)], dtype=np.int64)
    fp, fn = (np.fromiter(map(len, sets), dtype=np.int64, count=len(sets)) - tp for sets in (predicted, true))
    return np.stack([fp, fn, tp], axis=-1)


# Inputs, such as queries or images: averaged, added, or kept apart

INPUTS = {"by_query": ("query", "queries"), "by_image": ("input", "images")}
"""What one input of a task is called, and several, by the argument that keeps them apart."""


def of_inputs(
    counts: Sequence[Integers], names: Sequence[str], space: SampleSpace, truth: Collection[Any],
    pooled: bool | None, option: Literal["by_query", "by_image"], apart: bool,
) -> Performances:  # fmt: skip
    """Return performances from fp, fn, tp of every input (m, 3), per entity: all inputs alike, pooled, or kept apart.

    Each input is measured per thing to be found, fn + tp; by default counts are added where an input has none. Inputs
    that are kept apart are domains, whose mean is what is returned else. The items of one input are no independent
    cases, which their space says.
    """
    what, several = INPUTS[option]
    if apart and pooled:
        raise UsageError(f"pooled and {option} contradict each other: inputs count alike, or items do; leave out one")
    rows = np.stack(counts)
    if "none" in space.outcomes:  # an input that is empty on both sides is one of "none"
        rows = np.concatenate([rows.sum(axis=2, keepdims=True) == 0, rows], axis=2, dtype=np.int64)
    nothing = np.flatnonzero(counts[0][:, 1:].sum(axis=1) == 0) + 1  # the truth is the same for all
    if not apart and pooled is False and len(nothing):
        raise UsageError(
            f"pooled=False averages per thing to be found, and {what} {nothing[0]} has none", way_out="leave pooled out"
        )
    sizes = rows.sum(axis=(1, 2))
    if apart and not sizes.any():
        raise DataError(f"no {what} has a true or predicted result: there is nothing to rank")
    if not apart and not sizes.all():
        raise DataError(
            f'entity "{one_line(names[int(np.argmin(sizes))])}": no {what} has a true or predicted result: '
            'pass none=True, which makes "none" an outcome'
        )
    if not apart and (pooled or len(nothing)):
        return Performances.from_counts(rows.sum(axis=1), names=names, space=space)
    inputs = list(map(str, truth if isinstance(truth, Mapping) else range(1, len(truth) + 1)))
    each = Performances.from_counts(
        rows.reshape(-1, len(space)), names=[name for name in names for _ in inputs], domains=inputs * len(names),
        space=replace(space, unit=several) if apart else space,
    )  # fmt: skip
    return each if apart else each.over_domains()
