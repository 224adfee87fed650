"""Two-class classification: Ω = {tn, fp, fn, tp}, and every task that has the same shape.

Thought experiment: draw a sample, ask the oracle and the classifier for its class; the outcome says whether the
prediction is negative or positive, and whether it is right. (Foundations, 5; Tile, 2.1.)

>>> import rankscape as rs
>>> P = rs.Performances.from_labels([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]})
>>> P.counts.tolist()
[[1, 1, 0, 2], [2, 0, 1, 1]]
>>> sorted(rs.rank(P, by="recall").best), sorted(rs.rank(P, by="precision").best)
(['a'], ['b'])

"""

from __future__ import annotations

import numpy as np

from ..checks import two_class_only
from ..outcomes import RIGHT_SIDE, TWO_CLASS, SampleSpace, lacks_tn
from ..performances import Performances

__all__ = ["as_two_class", "at_right_side"]
__dir__ = __all__.copy  # dir() lists the public names


def as_two_class(performances: Performances, what: str = "the Tile") -> Performances:
    """Return the same measures as two-class ones: the first satisfying outcome as tn, the second as tp.

    For every sample space with two satisfying and two unsatisfying outcomes, such as none, fp, fn, tp of detection: its
    ranking scores are those of two classes, and lie on the Tile; the unsatisfying outcomes become fp and fn, in order.
    There are no priors, nor answers without skill: what needs equal priors is left out of maps. (Foundations, A.2.5.)

    Parameters
    ----------
    performances
        Performances of such a space.
    what
        What needs two classes, for the error.

    Returns
    -------
    Performances
        The same measures, of two classes.

    Raises
    ------
    UsageError
        For any other space.

    See Also
    --------
    rankscape.tasks.two_class.at_right_side

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[1, 2, 3, 4]], space=rs.tasks.detection.SPACE)
    >>> (
    ...     rs.tasks.two_class.as_two_class(P).space.outcomes,
    ...     rs.tasks.two_class.as_two_class(P).counts.tolist(),
    ... )
    (('tn', 'fp', 'fn', 'tp'), [[1, 2, 3, 4]])
    """
    space = performances.space
    if space.outcomes == TWO_CLASS.outcomes and space != RIGHT_SIDE:
        return performances
    satisfaction = np.array(space.satisfaction if space.satisfaction is not None else ())
    right, wrong = np.flatnonzero(satisfaction == 1), np.flatnonzero(satisfaction == 0)
    if space == RIGHT_SIDE or len(space) != 4 or len(right) != 2 or len(wrong) != 2:
        two_class_only(space, what)  # raises
    alike = SampleSpace(space.name, TWO_CLASS.outcomes, TWO_CLASS.satisfaction)
    named = dict(zip((right[0], *wrong, right[1]), TWO_CLASS.outcomes, strict=True))
    return performances.pushforward(alike, [named[i] for i in range(len(space))])


def at_right_side(performances: Performances, what: str = "the Tile") -> Performances:
    """Return the measures as two-class ones as :func:`as_two_class` does; those without true negatives with tn = 0.

    On the right side of the Tile, a = 1, true negatives have no importance. So there the ranking scores, orders and
    borders are those of any number of true negatives. With tn = 0 borders do not depend on a, and areas of the Tile are
    lengths of that side.

    Parameters
    ----------
    performances
        Performances of two classes, with or without true negatives.
    what
        What needs two classes, for the error.

    Returns
    -------
    Performances
        The measures, of two classes. Those without true negatives are of the space ``RIGHT_SIDE``, which says that
        nothing else is meant.

    Raises
    ------
    UsageError
        For any other space.

    See Also
    --------
    rankscape.tasks.two_class.as_two_class

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(fp=[2], fn=[3], tp=[4])
    >>> (
    ...     rs.tasks.two_class.at_right_side(P).counts.tolist(),
    ...     rs.tasks.two_class.at_right_side(P).space.name,
    ... )
    ([[0, 2, 3, 4]], 'the right side of the Tile')
    """
    if performances.space == RIGHT_SIDE:
        return performances
    if not lacks_tn(performances.space):
        return as_two_class(performances, what)
    return performances.pushforward(RIGHT_SIDE, performances.space.outcomes)
