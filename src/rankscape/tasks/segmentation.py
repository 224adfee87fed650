"""Segmentation: multi-class classification of pixels, Ω = all K² pairs (true class, predicted class).

Thought experiment: draw a pixel of the images, ask the oracle and the model for its class. Pixels whose true label is
void are not drawn. IoU of a class is a ranking score; mean IoU is not sound for ranking, and ``rs.rank`` says so.

>>> import rankscape as rs
>>> truth = [["road", "road", "sky"], ["road", "void", "sky"]]  # one image of 2 × 3 pixels
>>> P = rs.tasks.segmentation.evaluate(
...     truth, {"net": [["road", "sky", "sky"], ["road", "road", "sky"]]}, void="void"
... )
>>> P.space.labels, P.counts.tolist()
(('road', 'sky'), [[2, 1, 0, 2]])
>>> (
...     rs.score("iou(road)", P.space)(P).round(4).tolist(),
...     rs.score("miou", P.space)(P).round(4).tolist(),
... )
([0.6667], [0.6667])

"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import one_line
from ..checks.labels import as_given
from ..errors import DataError
from ..performances import Performances, concat
from ..typing import Flags
from . import multi_class
from .classes import labels_in, space
from .entities import by_entity

__all__ = ["evaluate"]
__dir__ = __all__.copy  # dir() lists the public names

Images: TypeAlias = NDArray[Any] | Sequence[ArrayLike] | Mapping[str, ArrayLike]


def evaluate(
    y_true: Images,
    y_pred: Images | Mapping[str, Images],
    *,
    labels: Sequence[object] | None = None,
    void: object = None,
    names: Sequence[object] | None = None,
) -> Performances:
    """Return the performances of segmentation models over pairs (true class, predicted class) of pixels.

    Parameters
    ----------
    y_true
        An array of labels of any shape, or a list of such arrays, one per image, whose pixels are counted together; in
        a mapping of names each image is a domain.
    y_pred
        The same, or a mapping of names of models to it.
    labels
        The classes; by default all that occur.
    void
        A label: pixels whose *true* label it is are ignored. A prediction of it elsewhere counts as wrong: void is then
        one more class, which is never right and which means over classes leave out.
    names
        The names of the entities; by default P1, P2, …

    Returns
    -------
    Performances
        One row per model, or per image and model.

    Raises
    ------
    DataError
        For images of different shapes, and for labels that are none of ``labels``.

    See Also
    --------
    rankscape.tasks.multi_class.evaluate
    rankscape.tasks.detection.evaluate

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.segmentation.evaluate(
    ...     [[0, 1], [1, 255]], [[0, 255], [1, 1]], void=255
    ... ).counts.tolist()  # of 0, 1 and 255
    [[1, 0, 0, 0, 1, 1, 0, 0, 0]]
    """
    entities = by_entity(y_pred, y_true, names)
    items: Iterable[ArrayLike] = y_true.values() if isinstance(y_true, Mapping) else list(y_true)
    true = [as_given(image, "the truth") for image in items]
    kept = [np.asarray(image != void) if void is not None else np.ones(image.shape, dtype=bool) for image in true]
    pixels = [image[keep] for image, keep in zip(true, kept, strict=True)]
    predicted = [_pixels(name, images, kept) for name, images in entities]
    if not sum(map(len, pixels)):
        raise DataError("no pixel has a true label: expected at least one that is not void")
    known = [label for label in labels_in(*pixels, *chain(*predicted)) if label != void] if labels is None else labels
    if void is not None and any((part == void).any() for part in chain(*predicted)):
        known = [*(label for label in known if label != void), void]
    omega = space(known, void=void if void in known else None)
    if not isinstance(y_true, Mapping):
        pixels, predicted = [np.concatenate(pixels)], [[np.concatenate(images)] for images in predicted]
    parts = []
    for i, domain in enumerate(y_true if isinstance(y_true, Mapping) else [None]):
        if len(pixels[i]):
            rows = [images[i] for images in predicted]
            part = multi_class.evaluate(pixels[i], rows, labels=known, names=[name for name, _ in entities])
            part = part if domain is None else part.rename(part.names, [domain] * len(part))
            parts.append(replace(part, space=omega))
    return concat(parts)


def _pixels(name: str, images: Sequence[ArrayLike], kept: Sequence[Flags]) -> list[NDArray[Any]]:
    """Return the predictions of one model where pixels are drawn."""
    arrays = [as_given(image, "predictions") for image in images]
    for i, (array, keep) in enumerate(zip(arrays, kept, strict=True)):
        if array.shape != keep.shape:
            raise DataError(
                f'entity "{one_line(name)}", image {i + 1}: expected labels of shape {keep.shape}, as those of the '
                f"truth; got shape {array.shape}"
            )
    return [array[keep] for array, keep in zip(arrays, kept, strict=True)]
