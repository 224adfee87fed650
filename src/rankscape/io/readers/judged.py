"""What was found, beside a file that says what is true: detections of COCO, and runs of TREC, pytrec_eval and ranx.

Detections of COCO (the results format and the annotations of ``pycocotools``, cocodataset.org, "Data format") are a
list of {"image_id", "category_id", "bbox": [x, y, width, height], "score"}; the annotations an object with "images"
("id"), "annotations" ("image_id", "category_id", "bbox", "iscrowd") and "categories" ("id"). Boxes of one category
match one to one, by decreasing score, as there. Each image is a domain; an image without any box is the outcome "none".
Crowds are left out, on both sides.

A run of trec_eval has six columns, separated by white space: query, "Q0", document, rank, score and the tag of the run;
judgements (qrels) have four: query, iteration, document, grade. pytrec_eval and ranx have both as {query: {document:
number}}, in Python or as JSON. Queries are domains, each file or run is a system. Of a run the ``depth`` best documents
count, by score and not by rank, as trec_eval orders them.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from ...errors import DataError, Option, Place, UsageError
from ...performances import Performances
from ...tasks import detection, retrieval
from ...texts import counted, some
from ..cells import is_number
from ..content import Content, How, Reader, beside, part, with_names
from ..headers import behind_prefix, matters, role
from ..sheets import quoted


def _apart(
    contents: Sequence[Content], how: How, option: str, predicted: str, true: str, are_true: Callable[[Content], bool]
) -> tuple[Sequence[Content], Content]:
    """Return what was found, and the file beside it that says what is true; it must be given by its option."""
    given = how.more.get(option)
    contents, answers = beside(contents, {} if given is None else given)
    for content in filter(are_true, contents):
        first = f"name the {predicted} first, and these with "
        raise content.error(f"these are {true}", way_out=[(first, Option(option, content.file or "FILE"))])
    if given is None:
        what = f"these are {predicted}, and nothing says what is true"
        raise contents[0].error(what, way_out=[(f"name the {true} with ", Option(option, "FILE"))])
    return contents, answers


# COCO

IOU = 0.5
MIN_SCORE = 0.5

_Boxes = dict[Any, dict[str, list[Any]]]
"""Boxes, labels and scores by image."""


def _is_coco(content: Content) -> bool:
    """Tell whether a content is detections, or annotations."""
    first, value = content.first_record, content.value
    is_detections = first is not None and {"image_id", "bbox"} <= {*first}
    return is_detections or (isinstance(value, Mapping) and {"images", "annotations"} <= {*value})


def _coco(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of detectors on every image, without boxes of a low score, and in crowds."""
    contents, annotations = _apart(
        contents, how, "annotations", "detections", "annotations",
        lambda content: isinstance(content.value, Mapping) and "annotations" in content.value,
    )  # fmt: skip
    iou, least = how.more.get("iou", IOU), how.more.get("min_score", MIN_SCORE)
    if not isinstance(least, (int, float)):
        raise UsageError(Option("min_score", least), expected="a number, the least score of a box that counts")
    parts = part(annotations.value)
    lists = [parts.get("images"), parts.get("annotations"), parts.get("categories", [])]
    are_lists = all(isinstance(one, (list, tuple)) for one in lists)
    ids, categories = ([part(one).get("id") for one in lists[i]] if are_lists else [None] for i in (0, 2))
    if not all(map(_is_id, ids)):
        raise annotations.error(
            "these are no annotations of COCO", expected='"images" and "annotations"',
            got=some(list(parts), quote="", word=quoted),
        )  # fmt: skip
    truth: _Boxes = {image: {"boxes": [], "labels": []} for image in ids}
    crowds: dict[Any, list[tuple[Any, list[float]]]] = {}
    for image, label, box, one in _boxes(annotations, parts["annotations"], truth, categories):
        if one.get("iscrowd"):
            crowds.setdefault(image, []).append((label, box))
        else:
            truth[image]["boxes"].append(box)
            truth[image]["labels"].append(label)
    detected: dict[str, _Boxes] = {}
    boxes = below = 0
    for content, name in with_names(contents):
        if not isinstance(content.value, (list, tuple)):
            raise content.error("these are no detections of COCO", expected="a list of boxes")
        of = detected[name] = {image: {"boxes": [], "labels": [], "scores": []} for image in truth}
        for image, label, box, one in _boxes(content, content.value, truth, categories, "detection"):
            score = float(one["score"])
            boxes, below = boxes + 1, below + (score < least)
            if score >= least and not any(
                label == crowd[0] and _inside(box, crowd[1]) for crowd in crowds.get(image, ())
            ):
                for key, cell in (("boxes", box), ("labels", label), ("scores", score)):
                    of[image][key].append(cell)
    P = detection.evaluate(
        {str(image): one for image, one in truth.items()},
        {name: {str(image): one for image, one in of.items()} for name, of in detected.items()},
        iou=iou, matching="greedy", by_image=True,
    )  # fmt: skip
    notes = []
    if "iou" not in how.more or "min_score" not in how.more:
        notes.append(
            f"boxes match from an intersection over union of {iou:g} on, {below} of {counted(boxes, 'box', 'boxes')}, "
            f"with a score below {least:g}, left out (iou and min_score change this)"
        )
    if n := sum(map(len, crowds.values())):
        notes.append(f"{counted(n, 'crowd is', 'crowds are')} left out, and the boxes in them")
    return P.noting(*filter(None, ["; ".join(notes)]), records=boxes)


def _boxes(
    content: Content, records: Sequence[Any], images: _Boxes, categories: Sequence[Any], kind: str = "annotation"
) -> Iterator[tuple[Any, Any, list[float], Mapping[str, Any]]]:
    """Yield the image, the category and the corners of each box, and its record."""
    for i, record in enumerate(records):
        one, what = part(record), f"{kind} {i + 1}"
        box, score = _floats(one.get("bbox")), _floats([one.get("score")])
        for key, is_good, expected in (
            ("image_id", _is_id(one.get("image_id")), "a number or a text"),
            ("category_id", _is_id(one.get("category_id")), "a number or a text"),
            ("bbox", len(box) == 4 and min(box[2:]) >= 0, "x, y, width and height, none negative"),
            ("score", kind != "detection" or bool(score), "a number"),
        ):
            if not is_good:
                raise content.error(f"the {key} of {what} is {quoted(one.get(key))}", expected=expected)
        image, category = one["image_id"], one["category_id"]
        if image not in images:
            raise content.error(f"{what} is about the image {quoted(image)}", expected="an image of the annotations")
        if kind == "detection" and categories and category not in categories:
            listed = some(sorted(categories, key=str), 8, quote="", word=quoted)
            raise content.error(
                f"{what} is of the category {quoted(category)}", expected=f"one of the annotations: {listed}"
            )
        yield image, category, [*box[:2], box[0] + box[2], box[1] + box[3]], one


def _floats(values: Any) -> list[float]:
    """Return finite numbers; none where one is something else."""
    try:
        numbers = list(map(float, values))
    except (TypeError, ValueError):
        return []
    return numbers if all(map(math.isfinite, numbers)) else []


def _is_id(value: Any) -> bool:
    return isinstance(value, (str, int, float, Decimal))


def _inside(box: Sequence[float], crowd: Sequence[float]) -> bool:
    """Tell whether at least half of a box lies in a crowd.

    >>> _inside([0, 0, 2, 2], [1, 0, 5, 5]), _inside([0, 0, 2, 2], [1.5, 0, 5, 5])
    (True, False)
    """
    width, height = (min(box[k + 2], crowd[k + 2]) - max(box[k], crowd[k]) for k in (0, 1))
    area = (box[2] - box[0]) * (box[3] - box[1])
    return width > 0 and height > 0 and 2 * width * height >= area


COCO = Reader(
    name="coco", files="COCO: detections in JSON, one file per detector, with annotations=",
    columns="image_id, category_id, bbox, score", recognise=_is_coco, together=_coco,
    options=("annotations", "iou", "min_score"), goes_with="annotations",
)  # fmt: skip


# TREC

_RUN, _QRELS = 6, 4
_KINDS = {
    _RUN: ("score", "query, Q0, document, rank, score and run", "this is no run"),
    _QRELS: ("grade", "query, iteration, document and grade", "these are no judgements"),
}
"""By the number of columns: what the numbers of documents are, the columns, and the error about something else."""

_Numbers = dict[str, dict[str, float]]
"""Scores or grades of documents, by query."""


def _is_trec(content: Content) -> bool:
    """Tell whether a content is runs or judgements: lines of a text, or numbers of documents by query."""
    if isinstance(content.value, Mapping):
        inner = list(content.value.values())
        if not all(isinstance(one, Mapping) and all(map(is_number, one.values())) for one in inner):
            return False
        first = [str(key) for one in inner[:1] for key in one]
        are_metrics = any(role(key) or matters(key) or behind_prefix(key) for key in first)
        return not are_metrics and len({frozenset(map(str, one)) for one in inner}) > 1
    lines = [line.split() for line in content.first_lines]
    return {len(line) for line in lines} in ({_RUN}, {_QRELS}) and all(
        line[1].upper() in ("Q0", "0") and is_number(_number(line[4 if len(line) == _RUN else 3])) for line in lines
    )


def _trec(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of systems for every query."""
    contents, judgements = _apart(
        contents, how, "qrels", "runs", "judgements (qrels)",
        lambda content: [len(line.split()) for line in content.first_lines[:1]] == [_QRELS],
    )  # fmt: skip
    qrels = _numbers(judgements, _QRELS)[""]
    for query, grades in qrels.items():
        if not grades:
            raise judgements.error(f"the query {quoted(query)} has no judgement", expected="documents with grades")
        qrels[query] = {document: max(grade, 0) for document, grade in grades.items()}  # as trec_eval takes them
    runs: dict[str, _Numbers] = {}
    notes, documents = list[str](), 0
    for content, file in with_names(contents):
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
        if is_number(number) and document not in documents:
            documents[document] = float(number)
            return
        of, where = f"{quoted(document)} for the query {quoted(query)}", Place(content.where, line=line)
        if is_number(number):
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


def _number(text: str) -> Any:
    """Return the number in a text, or the text where it is none."""
    try:
        return float(text)
    except ValueError:
        return text


TREC = Reader(
    name="trec", files="runs of TREC, pytrec_eval or ranx, one per system, with qrels=",
    columns="query, Q0, document, rank, score, run; or {query: {document: score}}",
    recognise=_is_trec, together=_trec,
    options=("qrels", "depth", "relevance"), goes_with="qrels",
)  # fmt: skip
