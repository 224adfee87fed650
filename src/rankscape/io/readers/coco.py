"""Detections of COCO: the results format and the annotations of ``pycocotools``, cocodataset.org, "Data format".

Detections are a list of {"image_id", "category_id", "bbox": [x, y, width, height], "score"}; the annotations an object
with "images" ("id"), "annotations" ("image_id", "category_id", "bbox", "iscrowd") and "categories" ("id"). Boxes of one
category match one to one, by decreasing score, as there. Each image is a domain; an image without any box is the
outcome "none". Crowds are left out, on both sides.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

from ...errors import Option, UsageError
from ...performances import Performances
from ...tasks import detection
from ...texts import counted, some
from ..content import JSON, Content, How, Reader, beside, names_of
from ..logs import part
from ..sheets import quoted

IOU = 0.5
MIN_SCORE = 0.5

_EXPECTED = {
    "image_id": "a number or a text", "category_id": "a number or a text",
    "bbox": "x, y, width and height, none negative", "score": "a number",
}  # fmt: skip
"""What each record of a box has; of annotations all but the score."""

_Boxes = dict[Any, dict[str, list[Any]]]
"""Boxes, labels and scores by image."""


def recognise(content: Content) -> bool:
    """Tell whether a content is detections, or annotations."""
    first, value = content.first_record, content.value
    is_detections = first is not None and {"image_id", "bbox"} <= {*first}
    return is_detections or (isinstance(value, Mapping) and {"images", "annotations"} <= {*value})


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of detectors on every image, without boxes of a low score, and in crowds."""
    given = how.more.get("annotations")
    contents, annotations = beside(contents, {} if given is None else given)
    for content in contents:
        if isinstance(content.value, Mapping) and "annotations" in content.value:
            raise content.error(
                "these are annotations", expected="detections, a list of image_id, category_id, bbox and score",
                way_out=[("name the detections first, and these with ", Option("annotations", content.file or "…"))],
            )  # fmt: skip
    if given is None:
        raise contents[0].error(
            "these are detections, and nothing says which boxes are true",
            way_out=[("name the annotations with ", Option("annotations", "instances.json"))],
        )
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
            got=some(list(parts), quote="", word=quoted) or f"a {annotations.container}",
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
    for content, name in zip(contents, names_of(contents), strict=True):
        if not isinstance(content.value, (list, tuple)):
            what = "these are no detections of COCO"
            raise content.error(what, expected="a list of boxes", got=f"a {content.container}")
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
        checks = {key: _is_id(one.get(key)) for key in ("image_id", "category_id")}
        checks |= {"bbox": len(box) == 4 and min(box[2:]) >= 0, "score": kind != "detection" or bool(score)}
        for key in (key for key, good in checks.items() if not good):
            raise content.error(f"the {key} of {what} is {quoted(one.get(key))}", expected=_EXPECTED[key])
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
    return numbers if all(map(isfinite, numbers)) else []


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


READER = Reader(
    name="coco", files="COCO: detections in JSON, one file per detector, with annotations=",
    columns="image_id, category_id, bbox, score", lacks="no image_id and bbox", recognise=recognise, together=read,
    holds=JSON, options=("annotations", "iou", "min_score"), goes_with="annotations",
)  # fmt: skip
