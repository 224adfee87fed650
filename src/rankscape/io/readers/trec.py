"""Runs of TREC, pytrec_eval and ranx, with judgements (qrels): queries are domains, each file or run is a system.

A run of trec_eval has six columns, separated by white space: query, "Q0", document, rank, score and the tag of the run;
qrels have four: query, iteration, document, grade. pytrec_eval and ranx have both as {query: {document: number}}, in
Python or as JSON. Of a run the ``depth`` best documents count, by score and not by rank, as trec_eval orders them.
"""

import math
import re
from collections.abc import Mapping, Sequence
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
_KINDS = {
    _RUN: ("score", "query, Q0, document, rank, score and run", "this is no run"),
    _QRELS: ("grade", "query, iteration, document and grade", "these are no judgements"),
}
"""By the number of columns: what the numbers of documents are, the columns, and the error about something else."""

_Numbers = dict[str, dict[str, float]]
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
    return {len(line) for line in lines} in ({_RUN}, {_QRELS}) and all(
        line[1].upper() in ("Q0", "0") and _is_real(_number(line[4 if len(line) == _RUN else 3])) for line in lines
    )


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of systems for every query."""
    given = how.more.get("qrels")
    if given is None:
        are_qrels = [len(line.split()) for line in contents[0].first_lines[:1]] == [_QRELS]
        what = "these are judgements (qrels), without a run"
        way: Any = ("name the runs first, and these with ", Option("qrels", contents[0].where))
        if not are_qrels:
            what = "this is a run, and nothing says which documents are relevant"
            way = ("name the judgements with ", Option("qrels", "judgements.qrels"))
        raise contents[0].error(what, way_out=[way])
    contents, judgements = beside(contents, given)
    qrels = _numbers(judgements, _QRELS)[""]
    for query, grades in qrels.items():
        if not grades:
            raise judgements.error(f"the query {quoted(query)} has no judgement", expected="documents with grades")
        qrels[query] = {document: max(grade, 0) for document, grade in grades.items()}  # as trec_eval takes them
    runs: dict[str, _Numbers] = {}
    notes, documents = list[str](), 0
    for content, file in zip(contents, names_of(contents), strict=True):
        name = re.sub(r"(^|/)input\.(?=.)", r"\1", file)
        for tag, run in _numbers(content, _RUN).items():
            key = tag if tag and (len(contents) == 1 and not content.stem) else name
            key = f"{name}/{tag}" if key in runs else key
            documents += sum(map(len, run.values()))
            other = [query for query in run if query not in qrels]
            if len(other) == len(run):
                one, two = (quoted(next(iter(queries), "none")) for queries in (run, qrels))
                raise content.error(
                    f"none of the queries of {quoted(key)}, such as {one}, is among those of the judgements, such as "
                    f"{two}", way_out="use the same names of queries in both",
                )  # fmt: skip
            if other:
                notes.append(
                    f"{len(other)} of {counted(len(run), 'query', 'queries')} of {quoted(key)} have no judgements and "
                    f"are left out, such as {quoted(other[0])}"
                )
            runs[key] = {query: scores for query, scores in run.items() if query in qrels}
    relevance, depth = how.more.get("relevance", 1), how.more.get("depth")
    P = retrieval.evaluate(qrels, runs, relevance=relevance, depth=depth, by_query=True)
    return P.noting(*notes, records=documents)


def _numbers(content: Content, columns: int) -> dict[str, _Numbers]:
    """Return the numbers of documents in a file or a mapping, by the tags of runs; "" where they have none."""
    what, expected, no_such = _KINDS[columns]
    tagged, value = dict[str, _Numbers](), content.value

    def put(tag: str, query: str, document: str, number: Any, line: int | None = None) -> None:
        """Put a number where it belongs."""
        documents = tagged.setdefault(tag, {}).setdefault(query, {})
        if _is_real(number) and document not in documents:
            documents[document] = float(number)
            return
        of, where = f"{quoted(document)} for the query {quoted(query)}", Place(content.where, line=line)
        if _is_real(number):
            raise DataError(f"the document {of} occurs twice", where=where, expected="once")
        raise DataError(f"the {what} of {of} is {quoted(number)}", where=where, expected="a number")

    if isinstance(value, Mapping):
        inner = [documents for run in value.values() if isinstance(run, Mapping) for documents in run.values()]
        by_run = columns == _RUN and bool(inner) and all(isinstance(documents, Mapping) for documents in inner)
        for tag, run in value.items() if by_run else [("", value)]:
            for query, documents in run.items():
                if not isinstance(documents, Mapping):
                    got = f"the query {quoted(str(query))} has {quoted(documents)}"
                    raise content.error(got, expected=f"{{document: {what}}}")
                tagged.setdefault(str(tag), {})[str(query)] = {}
                for document, number in documents.items():
                    put(str(tag), str(query), str(document), number)
    elif content.source is None or value is not None:
        raise content.error(no_such, expected=f"a file of TREC, or {{query: {{document: {what}}}}}")
    else:
        with content.source.lines() as text:
            for i, line in enumerate(text, start=1):
                cells = line.split()
                if cells and len(cells) != columns:
                    where, got = Place(content.where, line=i), f"this line has {counted(len(cells), 'column')}"
                    raise DataError(got, where=where, expected=f"{columns}: {expected}")
                if cells:
                    tag, number = (cells[5], cells[4]) if columns == _RUN else ("", cells[3])
                    put(tag, cells[0], cells[2], _number(number), i)
    if not tagged:
        raise content.error("there is no row", expected=expected)
    return tagged


def _is_real(value: Any) -> bool:
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool) and not math.isnan(value)


def _number(text: str) -> Any:
    """Return the number in a text, or the text where it is none."""
    try:
        return float(text)
    except ValueError:
        return text


READER = Reader(
    name="trec", files="runs of TREC, pytrec_eval or ranx, one per system, with qrels=",
    columns="query, Q0, document, rank, score, run; or {query: {document: score}}",
    lacks="no scores of documents by query", recognise=recognise, together=read,
    holds=("text", "table", "JSON object"), options=("qrels", "depth", "relevance"), goes_with="qrels",
)  # fmt: skip
