r"""The sample space of several classes: all K² pairs (true class, predicted class), and how each pair is written.

Every way to multi-class performances builds its space here: labels, confusion matrices, counting, and tables of counts.
A pair is written "cat→dog". In the name of a class an arrow is written "\→" and a backslash "\\", so that a column
called by its pair can be read back, whatever the classes are called.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks.names import joined, parts_of
from ..checks.positive import class_text as class_text
from ..errors import DataError, UsageError
from ..outcomes import SampleSpace
from ..performances import Performances
from ..texts import one_line, some

ARROW = "→"


def pair_text(true: str, predicted: str) -> str:
    r"""Return how a pair of classes is written.

    >>> pair_text("cat", "dog"), pair_text("a→b", "c")
    ('cat→dog', 'a\\→b→c')
    """
    return joined([true, predicted], ARROW)


def classes_in(text: str) -> tuple[str, ...]:
    r"""Return the classes that arrows separate in a text: two in the name of a pair, one in a text without an arrow.

    >>> classes_in("cat→dog"), classes_in("a\\→b→c"), classes_in("tn"), classes_in("a→b→c")
    (('cat', 'dog'), ('a→b', 'c'), ('tn',), ('a', 'b', 'c'))
    """
    return tuple(part.strip() for part in parts_of(text, ARROW))


def labels_in(*arrays: NDArray[Any]) -> list[Any]:
    """Return the different labels in some arrays, in order.

    >>> labels_in(np.array([2, 0]), np.array([1, 0]))
    [0, 1, 2]
    """
    labels = [array.ravel().tolist() if array.dtype.kind == "O" else np.unique(array).tolist() for array in arrays]
    try:
        return sorted({label for part in labels for label in part})
    except TypeError:
        raise DataError("labels are of different kinds, such as text and numbers: use one kind of label") from None


def space(labels: Sequence[object], similarity: ArrayLike | None = None, *, void: object = None) -> SampleSpace:
    """Return the sample space of all pairs of classes.

    The labels 1, 1.0 and "1" name the same class.

    Parameters
    ----------
    labels
        The classes, at least two.
    similarity : (K, K), optional
        ``similarity[i, j]`` is how satisfying it is to predict class j where class i is right: any finite numbers,
        larger for more. By default 1 where both are equal, else 0.
    void
        One of the labels that is no true class: to predict it is never right, and averages over classes leave it out.

    Returns
    -------
    SampleSpace
        K² outcomes, "truth→prediction", truth first.

    Raises
    ------
    UsageError
        For fewer than two classes, or two that are written alike.

    See Also
    --------
    rankscape.SampleSpace
    rankscape.tasks.multi_class.evaluate

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.multi_class.space(["a", "b"], similarity=[[1, 0.5], [0.2, 1]]).satisfaction
    (1.0, 0.5, 0.2, 1.0)
    >>> rs.tasks.multi_class.space([0, 1, 2]) == rs.tasks.multi_class.space(["0", "1", "2"])
    True
    """
    texts = tuple(class_text(label) for label in labels)
    if len(texts) < 2 or len(set(texts)) < len(texts):
        raise UsageError(f"expected two or more different classes; got {some(texts, 8, quote='', word=one_line)}")
    width = len(texts)
    satisfaction = np.eye(width) if similarity is None else np.array(similarity, dtype=np.float64)
    if satisfaction.shape != (width, width) or not np.isfinite(satisfaction).all():
        raise UsageError(
            f"similarity: expected ({width}, {width}) finite numbers, rows = truth; got shape {satisfaction.shape}"
        )
    if void is not None:
        at = texts.index(class_text(void))
        satisfaction[at, at] = 0
    mean = "accuracy" if similarity is None else "expected similarity"
    outcomes = tuple(pair_text(true, predicted) for true in texts for predicted in texts)
    everywhere = {mean: (1.0,) * len(outcomes)}
    return SampleSpace("multi-class", outcomes, tuple(satisfaction.ravel().tolist()), scores=everywhere, labels=texts)


def classes(omega: SampleSpace | Performances) -> tuple[str, ...]:
    """Return the names of the classes of multi-class performances, or of their sample space.

    Parameters
    ----------
    omega
        Performances of several classes, or their sample space.

    Returns
    -------
    tuple of str
        The names, in the order of the space.

    Raises
    ------
    UsageError
        For performances of another task.

    See Also
    --------
    rankscape.tasks.multi_class.space

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.multi_class.classes(rs.tasks.multi_class.space(["a", "b", "c"]))
    ('a', 'b', 'c')
    """
    omega = omega.space if isinstance(omega, Performances) else omega
    if not omega.labels:
        raise UsageError(f"expected multi-class performances, as multi_class.evaluate returns; got {omega.name}")
    return omega.labels


def is_crisp(omega: SampleSpace) -> bool:
    """Tell whether a prediction is right or wrong, nothing between.

    >>> is_crisp(space(["a", "b"])), is_crisp(space(["a", "b"], similarity=[[1, 0.5], [0.5, 1]]))
    (True, False)
    """
    satisfaction = np.array(omega.satisfaction if omega.satisfaction is not None else (np.nan,))
    width = len(omega.labels)
    wrong = satisfaction.reshape(width, width)[~np.eye(width, dtype=bool)] if width else ()
    return bool(np.isin(satisfaction, (0, 1)).all()) and not np.any(wrong)


def true_classes(omega: SampleSpace | Performances) -> tuple[str, ...]:
    """Return the classes that a prediction can get right: all but void.

    >>> true_classes(space(["road", "sky", "void"], void="void"))
    ('road', 'sky')
    """
    omega = omega.space if isinstance(omega, Performances) else omega
    known = classes(omega)
    return tuple(label for label, s in zip(known, (omega.satisfaction or ())[:: len(known) + 1], strict=True) if s)
