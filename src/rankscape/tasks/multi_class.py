"""Multi-class classification: Ω = all K² pairs (true class, predicted class), written "cat→dog".

Thought experiment: draw a sample, ask the oracle for its class and the classifier for another; the outcome is the pair.
It is satisfying if both are equal, or as much as both are similar. (Foundations, A.2.1.)

>>> import rankscape as rs
>>> truth = ["cat", "cat", "cat", "dog", "dog", "fox"]
>>> guesses = {
...     "a": ["cat", "cat", "cat", "dog", "cat", "dog"],
...     "b": ["cat", "dog", "fox", "dog", "dog", "fox"],
... }
>>> P = rs.tasks.multi_class.evaluate(truth, guesses)
>>> (
...     rs.score("accuracy", P.space)(P).round(3).tolist(),
...     rs.score("recall(cat)", P.space)(P).round(3).tolist(),
... )
([0.667, 0.667], [1.0, 0.333])
>>> rare = rs.tasks.multi_class.importance(P, {"fox": 5})  # the other classes keep importance 1
>>> sorted(rs.rank(P, by=rare).best), sorted(rs.rank(P, by="recall(cat)").best)
(['b'], ['a'])
>>> dog = rs.tasks.multi_class.one_vs_rest(P, "dog")  # two-class performances, for the Tile
>>> dog.counts.tolist()
[[3, 1, 1, 1], [3, 1, 0, 2]]

"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import checked_weights, sums_of_weights
from ..checks.labels import refuse_other_order
from ..checks.matrices import refuse_normalized, stacked
from ..errors import DataError, UsageError
from ..kernels.counting import weighted_bincount
from ..outcomes import TWO_CLASS, SampleSpace, checked_importance
from ..performances import Performances, shared_of, weighed
from ..texts import one_line, some
from ..typing import DataFrameLike, Floats, Integers, PredictionsLike
from .classes import class_text, classes, labels_in, space
from .entities import labels_of

__all__ = [
    "OF_ONE_CLASS",
    "class_priors",
    "classes",
    "evaluate",
    "from_confusion_matrix",
    "importance",
    "importance_of_class",
    "one_vs_rest",
    "same_priors",
    "space",
]
__dir__ = __all__.copy  # dir() lists the public names

OF_ONE_CLASS: Mapping[str, tuple[str, ...]] = {
    "recall": ("sensitivity", "tpr", "hit rate"),
    "precision": ("ppv", "positive predictive value"),
    "jaccard": ("iou", "jaccard index", "threat score", "csi"),
    "f1": ("dice", "f1 measure"),
}
"""Ranking scores of one class, such as recall(cat), and other names of them."""


def evaluate(
    y_true: ArrayLike,
    y_pred: PredictionsLike,
    *,
    labels: Sequence[object] | None = None,
    similarity: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    names: Sequence[object] | None = None,
) -> Performances:
    """Return the performances of classifiers over the K² pairs (true class, predicted class), from labels.

    (Foundations, A.2.1.)

    Parameters
    ----------
    y_true : (m,)
        The true classes.
    y_pred : (m,), (k, m), or a mapping of names to (m,)
        The predicted classes; a data frame has one column per entity.
    labels
        The classes and their order; by default all that occur, sorted.
    similarity : (K, K), optional
        How satisfying each prediction is, as in :func:`space`.
    sample_weight : (m,), optional
        The weight of each case, ≥ 0, not all 0; whole numbers keep counts whole.
    names
        The names of the entities; by default P1, P2, …

    Returns
    -------
    Performances
        One row per entity.

    Raises
    ------
    DataError
        For labels that are none of ``labels``.

    See Also
    --------
    rankscape.count : tables of any size, with ``labels="all"``

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.tasks.multi_class.evaluate([0, 1, 2, 2], [0, 2, 2, 1])
    >>> P.space.outcomes[:4], P.counts.reshape(3, 3).tolist()
    (('0→0', '0→1', '0→2', '1→0'), [[1, 0, 0], [0, 0, 1], [0, 1, 1]])
    """
    entities, true, predicted = labels_of(y_true, y_pred, names)
    known = list(labels) if labels is not None else labels_in(true, predicted)
    code = {label: i for i, label in enumerate(known)}
    omega = space(known, similarity)
    first = _coded(true, code, "true") * len(known)
    codes = np.stack([first + _coded(row, code, "predicted") for row in predicted])
    refuse_other_order(y_true, sample_weight, "weights")
    weight = checked_weights(sample_weight, codes.shape[1])
    sums = np.stack([weighted_bincount(row, weight and weight.integers, len(omega)) for row in codes])
    P = _from_table(sums_of_weights(sums, weight), omega, entities)
    return P.sharing(shared_of(P, codes) if weight is None else weighed(len(P)))


def from_confusion_matrix(
    matrix: ArrayLike | Mapping[str, ArrayLike] | DataFrameLike,
    *,
    labels: Sequence[object] | None = None,
    similarity: ArrayLike | None = None,
    names: Sequence[object] | None = None,
) -> Performances:
    """Return performances from confusion matrices, rows for the truth as in scikit-learn.

    Parameters
    ----------
    matrix : (K, K), (n, K, K), or a mapping of names to matrices
        The rows and columns of a data frame name the classes; columns are brought into the order of the rows by label,
        and several frames into one order, that of ``labels`` if given.
    labels
        The names of the classes; by default 0 … K−1.
    similarity : (K, K), optional
        How satisfying each prediction is, as in :func:`space`.
    names
        The names of the entities; by default P1, P2, …

    Returns
    -------
    Performances
        One row per matrix.

    Raises
    ------
    DataError
        For what is not square, and for classes that are rows only, or columns only.

    See Also
    --------
    rankscape.tasks.multi_class.evaluate
    rankscape.Performances.from_confusion_matrix

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.multi_class.from_confusion_matrix(
    ...     [[5, 1, 0], [0, 4, 2], [1, 0, 7]], labels=["a", "b", "c"]
    ... ).names
    ('P1',)
    """
    matrices = stacked(matrix, labels)
    table = matrices.tables
    names, labels = matrices.names if names is None else names, matrices.classes or labels
    if table.ndim not in (2, 3) or table.shape[-1] != table.shape[-2]:
        raise DataError(f"expected confusion matrices (K, K) or (n, K, K), rows = truth; got shape {table.shape}")
    width = table.shape[-1]
    known = list(range(width)) if labels is None else list(labels)
    if len(known) != width:
        raise DataError(f"labels: expected {width}, one per row of the matrix; got {len(known)}")
    refuse_normalized(table)
    return _from_table(table.reshape(-1, width**2), space(known, similarity), names)


def _from_table(table: NDArray[Any], omega: SampleSpace, names: Sequence[Any] | None) -> Performances:
    if table.dtype == object:
        return Performances.from_weighted_counts(table, names=names, space=omega)
    if table.dtype.kind != "f" or (table == np.floor(table)).all():
        return Performances.from_counts(table, names=names, space=omega)
    return Performances.from_probabilities(table / table.sum(axis=-1, keepdims=True), names=names, space=omega)


def importance(
    omega: SampleSpace | Performances, weights: Mapping[object, float] | ArrayLike, default: float = 1
) -> NDArray[Any]:
    """Return an importance (K²,) of pairs, from numbers per true class or per pair.

    Parameters
    ----------
    omega
        Performances of several classes, or their sample space.
    weights : (K,), (K, K), or a mapping
        Numbers ≥ 0 per true class, or per pair, rows for the truth; a mapping has classes or pairs (true class,
        predicted class) as keys, and a pair overrides its class.
    default
        The importance of what is not named.

    Returns
    -------
    (K²,)
        The importance, for ``by=``.

    Raises
    ------
    UsageError
        For an unknown class, negative numbers, or zeros only.

    See Also
    --------
    rankscape.tasks.multi_class.importance_of_class
    rankscape.importance

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.multi_class.importance(
    ...     rs.tasks.multi_class.space(["a", "b"]), {"b": 3, ("a", "b"): 2}
    ... ).tolist()
    [1.0, 2.0, 3.0, 3.0]
    """
    omega = omega.space if isinstance(omega, Performances) else omega
    known = classes(omega)
    width = len(known)
    if not isinstance(weights, Mapping):
        given = np.asarray(weights)
        if given.shape not in ((width,), (width, width)):
            raise UsageError(f"expected {width} numbers, one per class, or ({width}, {width}); got shape {given.shape}")
        full = given if given.ndim == 2 else np.repeat(given[:, None], width, axis=1)
        return checked_importance(full.ravel(), omega)
    full = np.full((width, width), float(default))
    for key, weight in sorted(weights.items(), key=lambda item: isinstance(item[0], tuple)):
        if isinstance(key, tuple):
            full[_index(key[0], known), _index(key[1], known)] = weight
        else:
            full[_index(key, known)] = weight
    return checked_importance(full.ravel(), omega)


def importance_of_class(omega: SampleSpace | Performances, label: object, score: str) -> NDArray[Any]:
    """Return the importance that makes a ranking score of one class.

    For crisp satisfaction recall is P(Ŷ = c | Y = c), of I = 1[Y = c]; precision is P(Y = c | Ŷ = c), of I = 1[Ŷ = c];
    Jaccard's I is 1 where either is c, that of F₁ the sum of both.

    Parameters
    ----------
    omega
        Performances of several classes, or their sample space.
    label
        The class c.
    score
        "recall", "precision", "jaccard" or "f1".

    Returns
    -------
    (K²,)
        The importance, for ``by=``.

    Raises
    ------
    UsageError
        For an unknown class or score.

    See Also
    --------
    rankscape.tasks.multi_class.importance
    rankscape.tasks.multi_class.one_vs_rest

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.multi_class.importance_of_class(
    ...     rs.tasks.multi_class.space(["a", "b"]), "b", "f1"
    ... ).tolist()
    [0.0, 1.0, 1.0, 2.0]
    """
    known = classes(omega)
    true, predicted = np.zeros((2, len(known), len(known)))
    true[_index(label, known)] = 1
    predicted[:, _index(label, known)] = 1
    table = {"recall": true, "precision": predicted, "jaccard": np.maximum(true, predicted), "f1": true + predicted}
    if score not in table:
        raise UsageError(f"{score!r} is no ranking score of one class; expected one of {', '.join(OF_ONE_CLASS)}")
    return table[score].ravel()


def why_not(name: str, parts: Collection[str]) -> str | None:
    """Say why a score that is known for two classes is none of several; None for other names."""
    if name in ("mcc", "kappa", "cohenkappa", "cohenskappa", "matthewscorrcoef"):
        short = "kappa" if "kappa" in name else "mcc"
        way_out = f"take accuracy or balanced accuracy; {short}_macro averages that of each class against the rest"
        return f"of several classes it is no ranking score (it corrects for chance by all margins); {way_out}"
    if "weighted" in parts and {"kappa", "cohen"} & {*parts}:
        way_out = "pass the weights as similarity= of multi_class.evaluate, and rank by the expected similarity"
        return (
            f"it weighs pairs of classes, and corrects for chance by all margins, so it is no ranking score; {way_out}"
        )
    return None


def class_priors(performances: Performances) -> Floats:
    """Return P(Y = y) for every entity and class.

    Parameters
    ----------
    performances
        Performances of several classes.

    Returns
    -------
    (n, K)
        The priors, in [0, 1].

    See Also
    --------
    rankscape.tasks.multi_class.same_priors

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.multi_class.class_priors(
    ...     rs.tasks.multi_class.from_confusion_matrix([[3, 1], [0, 4]])
    ... ).tolist()
    [[0.5, 0.5]]
    """
    width = len(classes(performances))
    return np.asarray(performances.mass.reshape(-1, width, width).sum(axis=2))


def same_priors(performances: Performances) -> bool:
    """Tell whether all entities have the same class priors, exactly.

    Parameters
    ----------
    performances
        Performances of several classes.

    Returns
    -------
    bool
        True for a single entity.

    See Also
    --------
    rankscape.tasks.multi_class.class_priors

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.multi_class.same_priors(
    ...     rs.tasks.multi_class.from_confusion_matrix([[[3, 1], [0, 4]], [[6, 2], [4, 4]]])
    ... )
    True
    """
    width = len(classes(performances))
    rows = performances.integers.reshape(-1, width, width).sum(axis=2)
    total = rows.sum(axis=1)
    return bool((rows * total[0] == rows[0] * total[:, None]).all())


def one_vs_rest(performances: Performances, label: object) -> Performances:
    """Return the two-class performances of one class (positive) against all others, for everything two classes have.

    Rankings of two-class scores of one class say how well a model tells that class from the rest, not how good a
    multi-class classifier is: confusing two of the others counts as right.

    Parameters
    ----------
    performances
        Performances of several classes.
    label
        The positive class.

    Returns
    -------
    Performances
        The same entities, of two classes.

    Raises
    ------
    UsageError
        For an unknown class.

    See Also
    --------
    rankscape.tasks.multi_class.importance_of_class

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.tasks.multi_class.one_vs_rest(
    ...     rs.tasks.multi_class.from_confusion_matrix([[5, 1, 0], [0, 4, 2], [1, 0, 7]]), 1
    ... ).counts.tolist()
    [[13, 1, 2, 4]]
    """
    known = classes(performances)
    c = _index(label, known)
    pairs = product(range(len(known)), repeat=2)
    seen_as = [TWO_CLASS.outcomes[2 * (true == c) + (predicted == c)] for true, predicted in pairs]
    return performances.pushforward(TWO_CLASS, seen_as)


def _index(label: object, known: tuple[str, ...]) -> int:
    name = class_text(label)
    if name not in known:
        expected = some(known, 8, quote="", word=one_line)
        raise UsageError(f"no class is called {name!r}; expected one of {expected}")
    return known.index(name)


def _coded(values: NDArray[Any], code: Mapping[Any, int], what: str) -> Integers:
    """Return the positions of labels among the classes."""
    objects = values.dtype.kind == "O"
    unique, inverse = (values, slice(None)) if objects else np.unique(values, return_inverse=True)
    try:
        positions = np.array([code[label] for label in unique.tolist()], dtype=np.int64)
    except KeyError as error:
        expected = some(list(code), 8, quote="", word=lambda label: one_line(repr(label)))
        raise DataError(f"the {what} label {error.args[0]!r} is none of the classes {expected}") from None
    return np.asarray(positions[inverse])
