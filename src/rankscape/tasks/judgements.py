"""Judgements and runs: graded relevance and scores per document, or plain sets and lists, become sets of results."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from decimal import Decimal
from itertools import islice
from numbers import Real
from typing import Any

import numpy as np

from ..checks import checked_size, one_line
from ..errors import DataError, Option, UsageError
from ..texts import counted
from .entities import refuse_masked

Results = Set[Any]
_CONTAINERS = (Mapping, Set, list, tuple)

_AT_K = re.compile(
    r"(?!m?ap[@_](50|75|9[05])$)"
    r"(p|prec|precision|r|recall|n?dcg|map|ap|mrr|rr|hits?|hit_?rate|success)(@|_|_cut_|_at_)[0-9]+"
)
_WHOLE = re.compile(r"mean_?average_?precision|map|n?dcg|mrr|(mean_?)?recip(rocal)?_?rank|r_?prec(ision)?|bpref|infap")

INSTEAD = [
    Option(
        "qrels",
        python='give runs and judgements, as in rs.read(["a.run", "b.run"], qrels="judgements.qrels")',
        shell="give runs and judgements, as in `rankscape rank a.run b.run --qrels judgements.qrels`",
    ),
    Option(
        "unit",
        python='judged items, as in rs.tasks.retrieval.evaluate({"q1": {"d1"}}, {"a": {"q1": {"d1", "d2"}}})',
        shell="a table of judged items, as in `rankscape rank items.csv --truth relevant --prediction bm25 "
        "--task retrieval --unit query`",
    ),
]
"""What tells fp, fn and tp of every query, in place of such metrics."""


def is_one_query(item: Any) -> bool:
    """Tell whether something is the grades or scores of the documents of one query, not of several queries.

    >>> is_one_query({"d1": 0.3}), is_one_query({"q1": {"d1": 0.3}}), is_one_query(["d1"])
    (True, False, False)
    """
    return isinstance(item, Mapping) and not any(
        isinstance(value, _CONTAINERS) or getattr(value, "ndim", 0) > 0 for value in item.values()
    )


def relevant(queries: Any, relevance: Any) -> list[Results]:
    """Return the relevant results of every query: those of a set or a list, or with a grade of ``relevance`` or more.

    >>> relevant({"q1": {"d1": 0, "d2": 2, "d3": 1}, "q2": ["d4"]}, 2) == [{"d2"}, {"d4"}]
    True
    """
    if not _is_number(relevance) or not 0 < relevance < math.inf:
        raise UsageError(
            [Option("relevance"), " must be a number above 0, the least grade that counts"], got=repr(relevance)
        )
    items = list(queries.values() if isinstance(queries, Mapping) else queries)
    if relevance != 1 and not any(isinstance(item, Mapping) for item in items):
        raise UsageError([Option("relevance"), " is about graded judgements; here the truth has sets or lists"])

    def chosen(grades: Mapping[Any, Any], where: str) -> Results:
        for result, grade in grades.items():
            if not (_is_number(grade) or isinstance(grade, (bool, np.bool_))) or not 0 <= grade < math.inf:
                raise DataError(
                    f"{where}: the grade of {_quoted(result)} is {_quoted(grade)}; expected a number ≥ 0: write 0 for "
                    "what is not relevant"
                )
        return frozenset(result for result, grade in grades.items() if grade >= relevance)

    return _sets("the truth", queries, items, chosen, None)


def retrieved(system: str, items: Sequence[Any], keys: Any, depth: int | None) -> list[Results]:
    """Return the results that a system retrieves for every query: all, or the first ``depth`` of them.

    Documents with scores are ordered by score, the largest first, and those with equal scores by name, the last of the
    alphabet first, as trec_eval does; lists are in order. ``keys`` are the queries, to name them in errors.

    >>> retrieved("the run", [{"d1": 0.3, "d2": 0.9, "d3": 0.3}, ["d9", "d8", "d7"]], range(2), 2) == [
    ...     {"d2", "d3"},
    ...     {"d9", "d8"},
    ... ]
    True
    """
    if depth is not None:
        checked_size("depth", depth)

    def chosen(scores: Mapping[Any, Any], where: str) -> Results:
        for result, score in scores.items():
            if not _is_number(score) or score != score:
                raise DataError(
                    f"{where}: the score of {_quoted(result)} is {_quoted(score)}; expected a number, larger for better"
                )
        if depth is None:
            return frozenset(scores)
        return frozenset(sorted(scores, key=lambda result: (scores[result], str(result)), reverse=True)[:depth])

    return _sets(system, keys, items, chosen, depth)


def _sets(
    system: str, keys: Any, items: Iterable[Any], chosen: Callable[[Mapping[Any, Any], str], Results], depth: int | None
) -> list[Results]:
    names = [_quoted(key) for key in keys] if isinstance(keys, Mapping) else []
    out: list[Results] = []
    for i, results in enumerate(items):
        where = f"{system}, query {names[i] if names else i + 1}"
        refuse_masked(results, where)
        if isinstance(results, Mapping):
            documents = chosen(results, where)
        elif isinstance(results, Set):
            documents = results
            if depth is not None and len(documents) > depth:
                raise UsageError([Option("depth"), f" needs scores, or lists in order; {where} is a set"])
        else:
            documents = _in_order(results, where, depth)
        _refuse_scores(documents, where)
        out.append(documents)
    return out


def _in_order(results: Any, where: str, depth: int | None) -> Results:
    """Return the first results of a list."""
    if isinstance(results, (str, bytes)) or not isinstance(results, Iterable):
        got = one_line(repr(results))
        raise DataError(f"{where}: expected a set or list of results; got {got}: wrap it in a list")
    try:
        different = dict.fromkeys(results.tolist() if hasattr(results, "tolist") else results)
    except TypeError:
        raise DataError(f"{where}: results must be hashable, such as texts or numbers") from None
    return frozenset(islice(different, depth))


def _refuse_scores(results: Results, where: str) -> None:
    """Refuse numbers that are no names of documents, and what is missing."""
    if not {type(result) for result in results} - {str, int}:
        return
    for result in results:
        if result is None or (isinstance(result, float) and not result.is_integer()):
            raise DataError(
                f"{where}: a result is {_quoted(result)}; expected the names of documents: give scores as mappings of "
                'documents to scores, as in {"d1": 0.3}'
            )


def refuse_other_kinds(true: Sequence[Results], predicted: Sequence[Results], system: str) -> None:
    """Refuse predictions of which none can be a true result, for they are of another kind, such as 1 and "1"."""
    expected, given = (_examples(sets) for sets in (true, predicted))
    if not expected or not given or expected.keys() & given.keys():
        return
    (kind, one), (other, two) = next(iter(expected.items())), next(iter(given.items()))
    way_out = 'give scores as mappings, as in {"d1": 0.3}' if other == "tuples" else "use the same names in both"
    raise DataError(
        f"{system}: its results are {other}, such as {_quoted(two)}, those of the truth are {kind}, such as "
        f"{_quoted(one)}: {way_out}"
    )


def _examples(sets: Iterable[Results]) -> dict[str, Any]:
    """Return an example of each kind of result."""
    by_type = {type(result): result for results in sets for result in results}
    return {_kind(result): result for result in by_type.values()}


def _kind(result: Any) -> str:
    if isinstance(result, str):
        return "texts"
    return "numbers" if isinstance(result, (Real, Decimal, np.generic)) else f"{type(result).__name__}s"


def refuse_lists_of_indicators(queries: Iterable[Any]) -> None:
    """Refuse lists of 0 and 1 of one length, in which results repeat: they say which labels hold, not which results."""
    items = list(queries)
    if not items or not all(isinstance(item, (list, tuple)) and len(item) == len(items[0]) > 2 for item in items):
        return
    if all(isinstance(value, (bool, int, float, np.generic)) and value in (0, 1) for item in items for value in item):
        raise DataError(
            "the truth is lists of 0 and 1, which name no more than two results: pass indicator matrices as arrays, as "
            "in np.asarray(y_true)"
        )


def answered(lacking: dict[str, list[Any]], name: str, items: Any, truth: Any) -> Any:
    """Return a run of scores with nothing retrieved for the queries that it lacks, which go into ``lacking``."""
    scored = isinstance(items, Mapping) and all(isinstance(results, Mapping) for results in items.values())
    if not scored or not isinstance(truth, Mapping):
        return items
    absent = [query for query in truth if query not in items]
    if items and len(absent) == len(truth):
        one, two = _quoted(next(iter(truth))), _quoted(next(iter(items)))
        raise DataError(
            f'entity "{one_line(name)}" has none of the queries of the truth (such as {one}), but others (such as '
            f"{two}): use the same names in both"
        )
    if absent:
        lacking[name] = absent
    return {query: items.get(query, {}) for query in (*truth, *items)}


def about_lacking(name: str, absent: Sequence[Any], total: int) -> str:
    """Say which queries a run lacks, and what that means."""
    return (
        f'entity "{one_line(name)}" has no results for {len(absent)} of {counted(total, "query", "queries")}, such as '
        f"{_quoted(absent[0])}: it counts as having retrieved nothing there, as with trec_eval -c (pytrec_eval leaves "
        "such queries out)"
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool)


def _quoted(value: Any) -> str:
    return one_line(f'"{value}"' if isinstance(value, str) else repr(value))


def is_of_ranked_lists(name: str) -> bool:
    """Tell whether a name is that of a metric of ranked lists, as papers and trec_eval write it.

    >>> [
    ...     is_of_ranked_lists(name)
    ...     for name in ("P@10", "nDCG @ 10", "ndcg_cut_10", "MAP (%)", "Recall at 100")
    ... ]
    [True, True, True, True, True]
    >>> [is_of_ranked_lists(name) for name in ("precision", "f1", "accuracy@5", "mapping")]
    [False, False, False, False]

    At 50 and 75 an average precision is as likely that of a detector, at an overlap in percent.

    >>> is_of_ranked_lists("mAP@50"), is_of_ranked_lists("map@100")
    (False, True)
    """
    plain = re.sub(r"\s*[(\[%].*", "", name.strip().lower())
    plain = re.sub(r"[\s\-]+", "_", re.sub(r"\s*@\s*", "@", plain))
    return bool(_AT_K.fullmatch(plain) or _WHOLE.fullmatch(plain))
