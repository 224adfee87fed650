"""Information retrieval: Ω = {fp, fn, tp}, or {none, fp, fn, tp}.

Thought experiment: draw a query, ask the oracle and the system for their sets of results, draw a result from the union
of both; it is a tp if both sets have it, a fp if only the predicted one has, a fn if only the true one has. Where both
sets are empty, start again, or say "none". (Foundations, A.2.3.)

Two systems and three queries: one finds few results, all right; the other finds everything, and more.

>>> import rankscape as rs
>>> truth = [{"a", "b"}, {"c"}, set()]
>>> results = {"short": [{"a"}, {"c"}, set()], "long": [{"a", "b", "d"}, {"c", "e"}, {"f"}]}
>>> P = rs.tasks.retrieval.evaluate(truth, results)
>>> rs.score("jaccard", P.space)(P).round(3).tolist()
[0.75, 0.389]
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
([[0.417, 0.583, 0.0], [0.0, 0.25, 0.75]], frozenset({'right'}))

"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..checks import one_line
from ..errors import DataError, IncompleteDataWarning
from ..outcomes import WITHOUT_TN, SampleSpace
from ..performances import Performances
from ..typing import DataFrameLike, Integers, ItemsLike
from .draws import by_inputs, from_inputs, units_of
from .entities import by_entity
from .indicators import from_indicators
from .judgements import (
    about_lacking,
    answered,
    is_one_query,
    refuse_lists_of_indicators,
    refuse_other_kinds,
    relevant,
    retrieved,
)

__all__ = ["SPACE", "SPACE_WITH_NONE", "evaluate"]
__dir__ = __all__.copy  # dir() lists the public names

SPACE = replace(WITHOUT_TN, name="retrieval")
"""The outcomes of a result drawn from the union of the true and the predicted set."""

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
    pooled: bool = False,
    by_query: bool = False,
    names: Sequence[object] | None = None,
) -> Performances:
    """Return the performances of retrieval systems from their sets of results, one per query.

    Parameters
    ----------
    y_true
        A set (or list, or array) of results per query, in a list or a mapping by query. Instead of a set, a mapping of
        documents to grades ≥ 0. Or an indicator matrix of 0 and 1 (queries, results), an array or a data frame, as in
        multilabel classification.
    y_pred
        The same, or a mapping of names to it, or a data frame with one column per system; instead of a set, a mapping
        of documents to scores, larger for better. Indicator matrices may be (k, queries, results).
    relevance
        The least grade of a relevant document.
    depth
        How many results count: the first of each list and the best of each mapping, those with equal scores in
        descending order of their names as texts, as in trec_eval; by default all.
    none
        Whether a query for which both sets are empty yields the outcome "none"; by default such queries are drawn
        again. Only with it is choosing a system at random for every query a mixture with the same weights.
    pooled
        Whether a result is drawn among those of all queries, so that queries with many results count more, and counts
        stay integers; by default each query counts alike.
    by_query
        Whether each query is a domain of its own; averaged with equal weights they are the performances without it. A
        query with both sets empty is left out if it is so for all systems, and needs ``none`` if for some.
        :func:`rankscape.uncertainty.resampled_domains` then says how the systems would rank on other queries.
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
        than the true ones, and if no query has results and there is no ``none``.
    UsageError
        For ``pooled`` together with ``by_query``.

    See Also
    --------
    rankscape.rank
    rankscape.Performances

    Notes
    -----
    P(tp) is the mean over queries of |Y ∩ Ŷ| / |Y ∪ Ŷ|, exactly. Precision and recall are ratios of means, P(tp) /
    P(fp, tp) and P(tp) / P(fn, tp), not means over queries of the precision and recall of each; the mean over queries
    of the Jaccard index is "jaccard". (Foundations, A.2.3.)

    A result that a list repeats counts once. A run of scores that lacks a query has retrieved nothing there, with a
    warning (so trec_eval with -c; pytrec_eval leaves the query out); a query without judgements is an error.

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.tasks.retrieval.evaluate({"q1": [1, 2], "q2": [3]}, {"q1": [2, 5], "q2": []})
    >>> P.mass.round(4).tolist()  # (1/3 + 0)/2, (1/3 + 1)/2, (1/3 + 0)/2
    [[0.1667, 0.6667, 0.1667]]
    """
    y_true, y_pred = from_indicators(y_true, y_pred)
    lacking: dict[str, list[Any]] = {}
    entities = by_entity(y_pred, y_true, names, lone=is_one_query, complete=partial(answered, lacking))
    if not len(y_true):
        raise DataError("no queries: expected at least one set of results")
    for name, absent in lacking.items():
        warnings.warn(about_lacking(name, absent, len(y_true)), IncompleteDataWarning, stacklevel=2)
    refuse_lists_of_indicators(y_true.values() if isinstance(y_true, Mapping) else y_true)
    true = relevant(y_true, relevance)
    counts = []
    for name, items in entities:
        system = f'entity "{one_line(name)}"'
        results = retrieved(system, items, y_true, depth)
        refuse_other_kinds(true, results, system)
        counts.append(_counted(true, results))
    systems, space = [name for name, _ in entities], SPACE_WITH_NONE if none else SPACE
    queries = units_of(y_true, by_query, pooled, "by_query")
    if queries is not None:
        return by_inputs(counts, systems, space, queries, "query")
    return from_inputs(counts, systems, space, pooled, "query")


def _counted(true: Sequence[Set[Any]], predicted: Sequence[Set[Any]]) -> Integers:
    """Return fp, fn, tp of every query, (m, 3)."""
    tp = np.array([len(one & other) for one, other in zip(true, predicted, strict=True)], dtype=np.int64)
    fp, fn = (np.fromiter(map(len, sets), dtype=np.int64, count=len(sets)) - tp for sets in (predicted, true))
    return np.stack([fp, fn, tp], axis=-1)
