"""Judgements and runs: graded relevance and scores per document, or plain sets and lists, become sets of results."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from itertools import count, islice
from numbers import Real
from typing import Any

import numpy as np

from ..arrays import array_of
from ..checks import one_line
from ..errors import DataError, Option, UsageError
from ..texts import counted

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
        "truth",
        python='judged items, as in rs.tasks.retrieval.evaluate({"q1": {"d1"}}, {"a": {"q1": {"d1", "d2"}}})',
        shell="a table of judged items, as in `rankscape rank items.csv --truth relevant --prediction bm25 "
        "--domain-column query`",
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


def results_of(
    side: str, items: Iterable[Any], keys: Any, relevance: float | None = None, depth: int | None = None
) -> list[Results]:
    """Return the results of every query: of judgements with a grade of ``relevance`` or more, else the first ``depth``.

    Documents with scores are ordered by score, the largest first, and those with equal scores by name, the last of the
    alphabet first, as trec_eval does; lists are in order. ``keys`` are the queries, to name them in errors.

    >>> results_of("the truth", [{"d1": 0, "d2": 2, "d3": 1}, ["d4"]], range(2), relevance=2) == [
    ...     {"d2"},
    ...     {"d4"},
    ... ]
    True
    >>> results_of(
    ...     "a", [{"d1": 0.3, "d2": 0.9, "d3": 0.3}, ["d9", "d8", "d7"]], {"q": 0, "r": 1}, depth=2
    ... ) == [
    ...     {"d2", "d3"},
    ...     {"d9", "d8"},
    ... ]
    True
    """
    names = map(_quoted, keys) if isinstance(keys, Mapping) else count(1)
    out: list[Results] = []
    for results, name in zip(items, names, strict=False):
        where = f"{side}, query {name}"
        if isinstance(results, Mapping):
            _refuse_other_numbers(results, where, relevance is not None)
            if relevance is not None:
                documents: Results = frozenset(result for result, grade in results.items() if grade >= relevance)
            elif depth is None:
                documents = frozenset(results)
            else:
                ordered = sorted(results, key=lambda result: (results[result], str(result)), reverse=True)
                documents = frozenset(ordered[:depth])
        elif isinstance(results, Set):
            documents = results
            if depth is not None and len(documents) > depth:
                raise UsageError([Option("depth"), f" needs scores, or lists in order; {where} is a set"])
        elif isinstance(results, (str, bytes)) or not isinstance(results, Iterable):
            got = one_line(repr(results))
            raise DataError(f"{where}: expected a set or list of results; got {got}: wrap it in a list")
        else:
            try:
                different = dict.fromkeys(array_of(results, where).tolist() if hasattr(results, "tolist") else results)
            except TypeError:
                raise DataError(f"{where}: results must be hashable, such as texts or numbers") from None
            documents = frozenset(islice(different, depth))
        for result in documents if {type(result) for result in documents} - {str, int} else ():
            if result is None or (isinstance(result, float) and not result.is_integer()):
                raise DataError(
                    f"{where}: a result is {_quoted(result)}; expected the names of documents: give scores as mappings "
                    'of documents to scores, as in {"d1": 0.3}'
                )
        out.append(documents)
    return out


def _refuse_other_numbers(numbers: Mapping[Any, Any], where: str, graded: bool) -> None:
    """Refuse grades that are no numbers ≥ 0, and scores that are no numbers."""
    what, expected = ("score", "a number, larger for better")
    if graded:
        what, expected = ("grade", "a number ≥ 0: write 0 for what is not relevant")
    for result, number in numbers.items():
        is_flag = isinstance(number, (bool, np.bool_))
        is_number = graded if is_flag else isinstance(number, (Real, Decimal))
        if not is_number or not (0 <= number < math.inf if graded else number == number):
            raise DataError(f"{where}: the {what} of {_quoted(result)} is {_quoted(number)}; expected {expected}")


def refuse_other_kinds(true: Sequence[Results], predicted: Sequence[Results], system: str) -> None:
    """Refuse predictions of which none can be a true result, for they are of another kind, such as 1 and "1"."""
    expected, given = (
        {_kind(result): result for result in {type(result): result for results in sets for result in results}.values()}
        for sets in (true, predicted)
    )
    if not expected or not given or expected.keys() & given.keys():
        return
    (kind, one), (other, two) = next(iter(expected.items())), next(iter(given.items()))
    way_out = 'give scores as mappings, as in {"d1": 0.3}' if other == "tuples" else "use the same names in both"
    raise DataError(
        f"{system}: its results are {other}, such as {_quoted(two)}, those of the truth are {kind}, such as "
        f"{_quoted(one)}: {way_out}"
    )


def _kind(result: Any) -> str:
    if isinstance(result, str):
        return "texts"
    return "numbers" if isinstance(result, (Real, Decimal, np.generic)) else f"{type(result).__name__}s"


def refuse_indicators(side: str, queries: Any) -> None:
    """Refuse 0 or 1 per query and label, in which results repeat: they say which labels hold, not which results."""
    matrix: Any = queries.toarray() if hasattr(queries, "toarray") else queries
    if isinstance(matrix, np.ndarray) or hasattr(matrix, "columns"):
        array, kind = array_of(matrix, side), "a matrix"
        are_indicators = (
            array.dtype.kind in "biuf" and array.ndim > 1 and array.size > 0 and bool(np.isin(array, (0, 1)).all())
        )
    else:
        known = isinstance(queries, (list, tuple, Mapping))
        items, kind = list(queries.values() if isinstance(queries, Mapping) else queries) if known else [], "lists"
        are_indicators = bool(items) and all(
            isinstance(item, (list, tuple))
            and len(item) == len(items[0]) > 2
            and all(isinstance(value, (bool, int, float, np.generic)) and value in (0, 1) for value in item)
            for item in items
        )
    if are_indicators:
        raise DataError(
            f"{side} is {kind} of 0 and 1, which name no more than two results; expected the results of each query, as "
            "in [set(np.flatnonzero(row)) for row in np.asarray(labels)]"
        )


def answered(lacking: dict[str, list[Any]], name: str, items: Any, truth: Any) -> Any:
    """Return a run of scores with nothing retrieved for the queries that it lacks, which go into ``lacking``."""
    scored = isinstance(items, Mapping) and all(isinstance(results, Mapping) for results in items.values())
    if not scored or not isinstance(truth, Mapping):
        return items
    absent = [query for query in truth if query not in items]
    if items and absent and len(absent) == len(truth):
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
        f"{_quoted(absent[0])}: it counts as having retrieved nothing there, as with trec_eval -c"
    )


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
