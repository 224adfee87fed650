"""Two-class classification: Ω = {tn, fp, fn, tp}, and every task that has the same shape.

Thought experiment: draw a sample, ask the oracle and the classifier for its class; the outcome says whether the
prediction is negative or positive, and whether it is right. (Foundations, 5; Tile, 2.1.)

>>> import rankscape as rs
>>> P = rs.tasks.two_class.evaluate([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]})
>>> P.counts.tolist()
[[1, 1, 0, 2], [2, 0, 1, 1]]
>>> sorted(rs.rank(P, by="recall").best), sorted(rs.rank(P, by="precision").best)
(['a'], ['b'])

"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..checks import instead_of_two_classes
from ..errors import UsageError
from ..outcomes import TWO_CLASS, SampleSpace
from ..performances import Performances
from ..typing import PredictionsLike

__all__ = ["as_two_class", "evaluate"]
__dir__ = __all__.copy  # dir() lists the public names


def evaluate(
    y_true: ArrayLike,
    y_pred: PredictionsLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    names: Sequence[object] | None = None,
) -> Performances:
    """Return the performances of classifiers from labels; the same as :meth:`Performances.from_labels`.

    ``y_true`` (m,); ``y_pred`` (m,), (k, m), a mapping of names to (m,), or a data frame with one column per entity.
    Raises DataError for labels that do not fit together.

    >>> evaluate(["ham", "spam"], ["spam", "spam"], pos_label="spam").counts.tolist()
    [[0, 1, 0, 1]]
    """
    return Performances.from_labels(y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight, names=names)


def as_two_class(performances: Performances, what: str = "the Tile") -> Performances:
    """Return the same measures as two-class ones: the first satisfying outcome as tn, the second as tp.

    For every sample space with two satisfying and two unsatisfying outcomes, such as none, fp, fn, tp of detection: its
    ranking scores are those of two classes, and lie on the Tile; the unsatisfying outcomes become fp and fn, in order.
    There are no priors, nor answers without skill: what needs equal priors is left out of maps.
    Raises UsageError, naming ``what`` needs it, for any other space. (Foundations, A.2.5.)

    >>> from rankscape.tasks import detection
    >>> P = Performances.from_counts([[1, 2, 3, 4]], space=detection.SPACE)
    >>> as_two_class(P).space.outcomes, as_two_class(P).counts.tolist()
    (('tn', 'fp', 'fn', 'tp'), [[1, 2, 3, 4]])
    """
    space = performances.space
    if space.outcomes == TWO_CLASS.outcomes:
        return performances
    satisfaction = np.array(space.satisfaction if space.satisfaction is not None else ())
    right, wrong = np.flatnonzero(satisfaction == 1), np.flatnonzero(satisfaction == 0)
    if len(space) != 4 or len(right) != 2 or len(wrong) != 2:
        raise UsageError(
            f"{what} is defined for two-class performances (tn, fp, fn, tp), and for others with two satisfying and "
            f"two unsatisfying outcomes, not for {space.name}",
            way_out=instead_of_two_classes(space),
        )
    alike = SampleSpace(space.name, TWO_CLASS.outcomes, TWO_CLASS.satisfaction)
    named = dict(zip((right[0], *wrong, right[1]), TWO_CLASS.outcomes, strict=True))
    return performances.pushforward(alike, [named[i] for i in range(len(space))])
