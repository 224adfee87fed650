"""Detections of COCO: the results format and the annotations of ``pycocotools``, cocodataset.org, "Data format".

Detections are a list of {"image_id", "category_id", "bbox": [x, y, width, height], "score"}; the annotations an object
with "images" ("id"), "annotations" ("image_id", "category_id", "bbox", "iscrowd") and "categories" ("id"). Boxes of one
category match one to one, by decreasing score, as there. Each image is a domain; an image without any box is the
outcome "none". Crowds are left out, on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import Option, UsageError
from ...performances import Performances
from ...tasks import detection
from ...texts import counted, some
from ..content import JSON, Content, How, Reader, beside, names_of
from ..sheets import quoted

IOU = 0.5
MIN_SCORE = 0.5

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
    truth, crowds, categories = _truth(annotations)
    detected: dict[str, _Boxes] = {}
    boxes = below = 0
    for content, name in zip(contents, names_of(contents), strict=True):
        detected[name] = _detected(content, truth, categories)
        for image, one in detected[name].items():
            enough = [i for i, score in enumerate(one["scores"]) if score >= least]
            boxes, below = boxes + len(one["scores"]), below + len(one["scores"]) - len(enough)
            around = crowds.get(image, ())
            kept = [
                i for i in enough
                if not any(one["labels"][i] == label and _inside(one["boxes"][i], crowd) for label, crowd in around)
            ]  # fmt: skip
            detected[name][image] = {key: [cells[i] for i in kept] for key, cells in one.items()}
    P = detection.evaluate(
        {str(image): one for image, one in truth.items()},
        {name: {str(image): one for image, one in of.items()} for name, of in detected.items()},
        iou=iou, matching="greedy", by_image=True,
    )  # fmt: skip
    what = []
    if "iou" not in how.more or "min_score" not in how.more:
        what.append(
            f"boxes match from an intersection over union of {iou:g} on, {below} of {counted(boxes, 'box', 'boxes')}, "
            f"with a score below {least:g}, left out (iou and min_score change this)"
        )
    if n := sum(map(len, crowds.values())):
        what.append(f"{counted(n, 'crowd is', 'crowds are')} left out, and the boxes in them")
    return P.noting(*(["; ".join(what)] if what else []), records=boxes)


def _truth(content: Content) -> tuple[_Boxes, dict[Any, list[Any]], set[Any]]:
    """Return the true boxes by image, the crowds (category, box) by image, and the categories."""
    value = content.value
    if not isinstance(value, Mapping) or not {"images", "annotations"} <= {*value}:
        raise content.error(
            "these are no annotations of COCO", expected='"images" and "annotations"',
            got=some(list(value), quote="", word=quoted) if isinstance(value, Mapping) else f"a {content.container}",
        )  # fmt: skip
    for key in ("images", "annotations", "categories"):
        if not isinstance(value.get(key, []), (list, tuple)):
            raise content.error(f"{key} is {quoted(value[key])}", expected="a list")
    images = [_field(content, image, "id", f"image {i + 1}") for i, image in enumerate(value["images"])]
    truth: _Boxes = {image: {"boxes": [], "labels": []} for image in images}
    crowds: dict[Any, list[Any]] = {}
    for i, one in enumerate(value["annotations"]):
        what = f"annotation {i + 1}"
        image, category, corners = _box(content, one, what)
        if image not in truth:
            raise content.error(f"{what} is about the image {quoted(image)}", expected="one of the images listed")
        if one.get("iscrowd"):
            crowds.setdefault(image, []).append((category, corners))
        else:
            truth[image]["boxes"].append(corners)
            truth[image]["labels"].append(category)
    return truth, crowds, {_field(content, one, "id", "a category") for one in value.get("categories", ())}


def _detected(content: Content, images: _Boxes, categories: set[Any]) -> _Boxes:
    """Return the boxes of a detector by image."""
    value = content.value
    if not isinstance(value, (list, tuple)):
        raise content.error("these are no detections of COCO", expected="a list of boxes", got=f"a {content.container}")
    out: _Boxes = {image: {"boxes": [], "labels": [], "scores": []} for image in images}
    for i, one in enumerate(value):
        what = f"detection {i + 1}"
        image, category, corners = _box(content, one, what)
        score = _field(content, one, "score", what)
        if image not in out:
            raise content.error(
                f"{what} is about the image {quoted(image)}", expected="an image of the annotations",
                way_out="take the detections of this set of images",
            )  # fmt: skip
        if categories and category not in categories:
            raise content.error(
                f"{what} is of the category {quoted(category)}",
                expected=f"one of the annotations: {some(sorted(categories, key=str), 8, quote='', word=quoted)}",
            )
        try:
            number = float(score)
        except (TypeError, ValueError):
            number = np.nan
        if not np.isfinite(number):
            raise content.error(f"the score of {what} is {quoted(score)}", expected="a number")
        for key, cell in zip(("boxes", "labels", "scores"), (corners, category, number), strict=True):
            out[image][key].append(cell)
    return out


def _box(content: Content, record: Any, what: str) -> tuple[Any, Any, list[float]]:
    """Return image, category and corners of a box."""
    image, category, box = (_field(content, record, key, what) for key in ("image_id", "category_id", "bbox"))
    try:
        x, y, width, height = map(float, box)
        good = bool(np.isfinite([x, y, width, height]).all()) and width >= 0 and height >= 0
    except (TypeError, ValueError):
        good = False
    if not good:
        raise content.error(f"the bbox of {what} is {quoted(box)}", expected="x, y, width and height, none negative")
    return image, category, [x, y, x + width, y + height]


def _field(content: Content, record: Any, key: str, what: str) -> Any:
    if not isinstance(record, Mapping) or key not in record:
        raise content.error(f"{what} has no {key}", expected=f"an object with {key}")
    if key != "bbox" and isinstance(record[key], (list, Mapping)):
        raise content.error(f"the {key} of {what} is {quoted(record[key])}", expected="a number or a text")
    return record[key]


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
