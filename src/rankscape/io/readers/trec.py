"""Runs of TREC, pytrec_eval and ranx, with judgements (qrels): queries are domains, each file or run is a system.

A run of trec_eval has six columns, separated by white space: query, "Q0", document, rank, score and the tag of the run;
qrels have four: query, iteration, document, grade. pytrec_eval and ranx have both as {query: {document: number}}, in
Python or as JSON. Of a run the ``depth`` best documents count, by score and not by rank, as trec_eval orders them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

from ...errors import DataError, Option, Place
from ...performances import Performances
from ...tasks import retrieval
from ...texts import counted
from ..content import Content, How, Reader, beside, names_of
from ..headers import behind_prefix, matters, role
from ..sheets import quoted

_RUN, _QRELS = 6, 4
_COLUMNS = {_RUN: "query, Q0, document, rank, score and run", _QRELS: "query, iteration, document and grade"}

_Numbers = dict[str, dict[str, Any]]
"""Scores or grades of documents, by query."""


def recognise(content: Content) -> bool:
    """Tell whether a content is runs or judgements: lines of a text, or numbers of documents by query."""
    if isinstance(content.value, Mapping):
        inner = list(content.value.values())
        if not all(isinstance(one, Mapping) and all(map(_is_real, one.values())) for one in inner):
            return False
        first = [str(key) for one in inner[:1] for key in one]
        are_metrics = any(role(key) or matters(key) or behind_prefix(key) for key in first)
        return not are_metrics and len({frozenset(map(str, one)) for one in inner}) > 1
    lines = [line.split() for line in content.first_lines]
    of = {len(line) for line in lines}
    return of in ({_RUN}, {_QRELS}) and all(
        line[1].upper() in ("Q0", "0") and _is_number(line[4 if len(line) == _RUN else 3]) for line in lines
    )


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of systems for every query."""
    given = how.more.get("qrels")
    if given is None:
        lines = [line.split() for line in contents[0].first_lines]
        if lines and len(lines[0]) == _QRELS:
            raise contents[0].error(
                "these are judgements (qrels), without a run",
                way_out=[("name the runs first, and these with ", Option("qrels", contents[0].where))],
            )
        raise contents[0].error(
            "this is a run, and nothing says which documents are relevant",
            way_out=[("name the judgements with ", Option("qrels", "judgements.qrels"))],
        )
    contents, judgements = beside(contents, given)
    qrels = _judgements(judgements)
    runs: dict[str, _Numbers] = {}
    notes: list[str] = []
    documents = 0
    for content, file in zip(contents, names_of(contents), strict=True):
        name = re.sub(r"(^|/)input\.(?=.)", r"\1", file)
        for tag, run in _runs(content).items():
            key = tag if tag and (len(contents) == 1 and not content.stem) else name
            key = f"{name}/{tag}" if key in runs else key
            documents += sum(map(len, run.values()))
            runs[key] = _judged(content, key, run, qrels, notes)
    relevance, depth = how.more.get("relevance", 1), how.more.get("depth")
    P = retrieval.evaluate(qrels, runs, relevance=relevance, depth=depth, by_query=True)
    return P.noting(*notes, records=documents)


def _judgements(content: Content) -> _Numbers:
    """Return the grades of documents by query, from a file or a mapping."""
    if isinstance(content.value, Mapping):
        qrels = _nested(content, content.value, "grade")
    elif content.source is None:
        raise content.error("these are no judgements", expected="a file, or {query: {document: grade}}")
    else:
        qrels = {}
        for where, (query, _, document, grade) in _lines(content, _QRELS):
            if not _is_number(grade):
                raise DataError(
                    f"the grade is {quoted(grade)}", where=where, expected="a number, 0 for not relevant"
                )  # fmt: skip
            _put(qrels, query, document, float(grade), where)
    if not qrels:
        raise content.error("there is no judgement", expected=_COLUMNS[_QRELS])
    for query, grades in qrels.items():
        if not grades:
            raise content.error(f"the query {quoted(query)} has no judgement", expected="documents with grades")
        # trec_eval, too, takes negative grades as not relevant
        qrels[query] = {document: max(grade, 0) for document, grade in grades.items()}
    return qrels


def _runs(content: Content) -> dict[str, _Numbers]:
    """Return the runs in a file or a mapping, by their tags; "" where they have none."""
    value = content.value
    if isinstance(value, Mapping):
        inner = [documents for run in value.values() if isinstance(run, Mapping) for documents in run.values()]
        if inner and all(isinstance(documents, Mapping) for documents in inner):
            return {str(name): _nested(content, run, "score") for name, run in value.items()}
        return {"": _nested(content, value, "score")}
    if content.source is None or value is not None:
        raise content.error("this is no run", expected="a file of TREC, or {query: {document: score}}")
    runs: dict[str, _Numbers] = {}
    for where, (query, _, document, _, score, tag) in _lines(content, _RUN):
        if not _is_number(score):
            raise DataError(f"the score is {quoted(score)}", where=where, expected="a number")
        _put(runs.setdefault(tag, {}), query, document, float(score), where)
    if not runs:
        raise content.error("there is no row", expected=_COLUMNS[_RUN])
    return runs


def _judged(content: Content, name: str, run: _Numbers, qrels: _Numbers, notes: list[str]) -> _Numbers:
    """Return a run without the queries that nobody has judged, and note how many these are."""
    if not run:
        raise content.error(f"the run {quoted(name)} has no query", expected="documents with scores for each query")
    other = [query for query in run if query not in qrels]
    if len(other) == len(run):
        one, two = quoted(next(iter(run))), quoted(next(iter(qrels)))
        raise content.error(
            f"none of the queries of {quoted(name)}, such as {one}, is among those of the judgements, such as {two}",
            way_out="use the same names of queries in both",
        )  # fmt: skip
    if other:
        notes.append(
            f"{len(other)} of {counted(len(run), 'query', 'queries')} of {quoted(name)} have no judgements and are "
            f"left out, such as {quoted(other[0])}"
        )
    return {query: documents for query, documents in run.items() if query in qrels}


def _lines(content: Content, columns: int) -> Iterator[tuple[Place, list[str]]]:
    """Yield the place and the cells of every line that is not blank."""
    source: Any = content.source
    with source.lines() as text:
        for number, line in enumerate(text, start=1):
            cells, where = line.split(), Place(content.where, line=number)
            if cells and len(cells) != columns:
                raise DataError(
                    f"this line has {counted(len(cells), 'column')}", where=where,
                    expected=f"{columns}: {_COLUMNS[columns]}",
                )  # fmt: skip
            if cells:
                yield where, cells


def _put(numbers: _Numbers, query: str, document: str, number: float, where: Place) -> None:
    documents = numbers.setdefault(query, {})
    if document in documents:
        raise DataError(
            f"the document {quoted(document)} occurs twice for the query {quoted(query)}", where=where, expected="once"
        )
    documents[document] = number


def _nested(content: Content, value: Mapping[Any, Any], what: str) -> _Numbers:
    """Return documents with numbers, by query."""
    for query, documents in value.items():
        if not isinstance(documents, Mapping):
            raise content.error(
                f"the query {quoted(str(query))} has {quoted(documents)}", expected=f"{{document: {what}}}"
            )
        for document, number in documents.items():
            if not _is_real(number) or math.isnan(number):
                raise content.error(
                    f"the {what} of {quoted(str(document))} for the query {quoted(str(query))} is {quoted(number)}",
                    expected="a number",
                )
    return {str(q): {str(d): float(number) for d, number in documents.items()} for q, documents in value.items()}


def _is_real(value: Any) -> bool:
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool)


def _is_number(text: str) -> bool:
    try:
        return not math.isnan(float(text))
    except ValueError:
        return False


READER = Reader(
    name="trec", files="runs of TREC, pytrec_eval or ranx, one per system, with qrels=",
    columns="query, Q0, document, rank, score, run; or {query: {document: score}}",
    lacks="no scores of documents by query", recognise=recognise, together=read,
    holds=("text", "table", "JSON object"), options=("qrels", "depth", "relevance"), goes_with="qrels",
)  # fmt: skip
