"""Outcomes, events, satisfaction and importance: what can happen, and how much it matters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Flags, Floats, array_of
from .errors import Option, Text, UsageError, refuse_unknown
from .texts import exact, listed

_PLACE = Option("by", python="a place on the Tile is rs.at(a, b)", shell="a place on the Tile is given as --by A,B")


@dataclass(frozen=True)
class SampleSpace:
    """A finite sample space Ω: the outcomes, in a fixed order, and how satisfying each one is.

    (Foundations, 3.1.)

    Parameters
    ----------
    name
        What performances of the space are called.
    outcomes
        The names of the k outcomes.
    satisfaction : (k,), optional
        The task: 1 = satisfying, 0 = not, or numbers between; None where a task has yet to be chosen.
    scores
        {name: importance}, whose ranking scores are customary, for ``rank(P, by="...")``.
    labels
        The names of the K classes where the outcomes are all K² pairs (true class, predicted class), truth first; else
        empty.
    unit
        What each domain is, "queries" or "images", where its outcomes are no independent cases; else empty.

    See Also
    --------
    rankscape.TWO_CLASS
    rankscape.tasks

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.TWO_CLASS.outcomes
    ('tn', 'fp', 'fn', 'tp')
    >>> rs.TWO_CLASS.event("fp, tp").tolist()
    [False, True, False, True]
    """

    name: str
    outcomes: tuple[str, ...]
    satisfaction: tuple[float, ...] | None = None
    scores: Mapping[str, tuple[float, ...]] = field(default_factory=dict, compare=False, repr=False)
    labels: tuple[str, ...] = field(default=(), repr=False)
    unit: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.outcomes) < 2 or len(set(self.outcomes)) != len(self.outcomes):
            raise UsageError(f"a sample space needs two or more different outcomes; got {list(self.outcomes)}")
        if self.satisfaction is not None and len(self.satisfaction) != len(self.outcomes):
            raise UsageError(f"satisfaction needs {len(self.outcomes)} numbers, one per outcome of {self.outcomes}")
        if self.labels and len(self.labels) ** 2 != len(self.outcomes):
            raise UsageError(f"{len(self.labels)} labels need {len(self.labels) ** 2} outcomes, one per pair of labels")

    def __len__(self) -> int:
        return len(self.outcomes)

    def index(self, outcome: str) -> int:
        """Return the position of an outcome on the last axis of every array.

        Parameters
        ----------
        outcome
            The name of the outcome.

        Returns
        -------
        int
            Its position, from 0.

        Raises
        ------
        UsageError
            For an outcome that the space lacks.
        """
        if outcome not in self.outcomes:
            raise UsageError(f"{outcome!r} is no outcome of {self.name}; expected one of {listed(self.outcomes)}")
        return self.outcomes.index(outcome)

    def event(self, *outcomes: str) -> Flags:
        """Return an event as a mask over Ω, as in ``event("fp", "tp")`` or ``event("fp, tp")``.

        Parameters
        ----------
        outcomes
            The names of the outcomes.

        Returns
        -------
        (k,)
            Whether each outcome belongs to the event.

        Raises
        ------
        UsageError
            For an outcome that the space lacks.
        """
        mask = np.zeros(len(self), dtype=bool)
        for text in outcomes:
            for outcome in text.split(","):
                mask[self.index(outcome.strip())] = True
        return mask

    def importance(self, **weights: float | Fraction) -> NDArray[Any]:
        """Return an importance by the names of the outcomes; those not named have importance 0.

        Parameters
        ----------
        weights
            The importance of outcomes, by their names, ≥ 0.

        Returns
        -------
        (k,)
            The importance; 0 for outcomes that are not named.

        Raises
        ------
        UsageError
            For unknown outcomes, and weights that are negative, not finite, or all 0.

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.TWO_CLASS.importance(fp=1, fn=5, tp=6).tolist()
        [0, 1, 5, 6]
        """
        values: list[Any] = [0] * len(self)
        refuse_unknown(weights, self.outcomes, f"importance() of {self.name}")
        for outcome, weight in weights.items():
            values[self.index(outcome)] = weight
        return checked_importance(values, self)


TWO_CLASS = SampleSpace("two-class", ("tn", "fp", "fn", "tp"), satisfaction=(1.0, 0.0, 0.0, 1.0))

WITHOUT_TN = SampleSpace(
    "fp-fn-tp",
    ("fp", "fn", "tp"),
    satisfaction=(0.0, 0.0, 1.0),
    scores={
        "jaccard": (1, 1, 1),
        "f1": (1, 1, 2),
        "f2": (1, 4, 5),
        "f0.5": (4, 1, 5),
        "precision": (1, 0, 1),
        "recall": (0, 1, 1),
        "iou": (1, 1, 1),
        "dice": (1, 1, 2),
    },
)
"""The outcomes of tasks that count no true negatives, such as tracking: the right side of the Tile, a = 1, is left."""


RIGHT_SIDE = replace(TWO_CLASS, name="the right side of the Tile")
"""The outcomes of two classes where true negatives are not known: 0 stands for them, and only a = 1 is meant."""


def lacks_tn(space: SampleSpace) -> bool:
    """Tell whether a sample space is that of two classes without true negatives.

    >>> lacks_tn(WITHOUT_TN), lacks_tn(TWO_CLASS)
    (True, False)
    """
    return space.outcomes == WITHOUT_TN.outcomes


def to_be_found(space: SampleSpace) -> Flags | None:
    """Return which outcomes are things to be found, fn and tp, where true negatives are not known; else None.

    A domain is measured per thing to be found there: how many outcomes there are in all depends on the entity.

    >>> targets = to_be_found(WITHOUT_TN)
    >>> None if targets is None else targets.tolist(), to_be_found(TWO_CLASS)
    ([False, True, True], None)
    """
    lacking = {"fp", "fn", "tp"} <= {*space.outcomes} <= {"none", "fp", "fn", "tp"}
    return space.event("fn", "tp") if lacking or space == RIGHT_SIDE else None


def checked_importance(values: object, space: SampleSpace = TWO_CLASS) -> NDArray[Any]:
    """Return an importance as an array with Ω on its last axis, after checking it: not negative, not all 0.

    Without true negatives, one of two classes that gives them no importance is taken, too: rs.at(1, b), for example.
    """
    array = array_of(values, "importance")
    if lacks_tn(space) and array.shape[-1:] == (len(TWO_CLASS),):
        if (np.asarray(checked_importance(array)[..., 0], dtype=np.float64) > 0).any():
            raise UsageError(
                "an importance of true negatives needs true negatives, which these data do not have",
                expected="0 for tn, as in rs.at(1, b) and rs.fbeta(2)",
            )
        array = array[..., 1:]
    if array.shape[-1:] != (len(space),):
        raise UsageError(
            f"an importance needs {len(space)} numbers, in the order {listed(space.outcomes)}",
            got=str(array.shape[-1] if array.ndim else 1),
            way_out=_PLACE if array.shape == (2,) else (),
        )
    try:
        if array.dtype.kind == "c":
            raise TypeError
        numbers = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"importances must be numbers; got {_short(array)}") from None
    if not np.isfinite(numbers).all() or (numbers < 0).any():
        raise UsageError(
            f"importances must be finite and not negative; got {_short(array)}",
            way_out=_expected_value(numbers, space) if np.isfinite(numbers).all() and numbers.ndim == 1 else (),
        )
    if not (numbers > 0).any(axis=-1).all():
        raise UsageError("an importance must be positive for one outcome at least; got zeros only")
    return array


def _expected_value(values: Floats, space: SampleSpace) -> Text:
    """Return the way to an expected value, which may have negative values where an importance may not."""
    if space.outcomes != TWO_CLASS.outcomes:
        means = "values that may be negative are a satisfaction of the sample space"
        return [Option("satisfaction", python=f"{means}: satisfaction=, with equal importances")]
    terms = [f"{exact(value)}*{outcome}" for value, outcome in zip(values, space.outcomes, strict=True) if value]
    text = " + ".join(terms).replace("+ -", "- ")
    return [
        Option(
            "by",
            python=f'rank by the expected value: by="{text}"',
            shell=f"rank by the expected value: --by '0 + {text}'",
        )
    ]


def importance(tn: float = 0, fp: float = 0, fn: float = 0, tp: float = 0) -> NDArray[Any]:
    """Return the importance I = (I(tn), I(fp), I(fn), I(tp)) of the four outcomes of two-class classification.

    Parameters
    ----------
    tn, fp, fn, tp
        How much each outcome matters, ≥ 0.

    Returns
    -------
    (4,)
        The importance, for ``by=``.

    Raises
    ------
    UsageError
        For weights that are negative, not finite, or all 0.

    See Also
    --------
    rankscape.at : by a place on the Tile
    rankscape.costs : by what errors cost
    rankscape.fbeta

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.importance(tn=1, fp=1, fn=5, tp=5).tolist()
    [1, 1, 5, 5]
    """
    return TWO_CLASS.importance(tn=tn, fp=fp, fn=fn, tp=tp)


def canonical_importance(a: ArrayLike, b: ArrayLike) -> NDArray[Any]:
    """Return the canonical importance (1−a, 1−b, b, a) at the place (a, b) of the Tile.

    (Tile, Definition 1, which differs from A.1.4: see the errata.)

    Parameters
    ----------
    a : (…)
        How true positives weigh against true negatives, in [0, 1].
    b : (…)
        How false negatives weigh against false positives, in [0, 1]; it broadcasts with ``a``.

    Returns
    -------
    (…, 4)
        The importance; Ω is the last axis.

    Raises
    ------
    UsageError
        For numbers outside [0, 1].

    See Also
    --------
    rankscape.at : the same by a short name

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.canonical_importance(0.25, 0.5).tolist()
    [0.75, 0.5, 0.5, 0.25]
    """
    a, b = np.broadcast_arrays(array_of(a, "a"), array_of(b, "b"))
    for name, values in (("a", a), ("b", b)):
        numbers = np.asarray(values, dtype=np.float64)
        if not ((numbers >= 0) & (numbers <= 1)).all():
            raise UsageError(f"{name} must lie in [0, 1]; got {_short(values)}")
    return np.stack([1 - a, 1 - b, b, a], axis=-1)


def at(a: ArrayLike, b: ArrayLike) -> NDArray[Any]:
    """Return the preference at the place (a, b) of the Tile; the same as :func:`canonical_importance`.

    A float is taken as the binary number that it is: 0.8 is not quite 4/5, which decides ties at F₂; Fraction(4, 5) is.

    Parameters
    ----------
    a : (…)
        How true positives weigh against true negatives, in [0, 1].
    b : (…)
        How false negatives weigh against false positives, in [0, 1]; it broadcasts with ``a``.

    Returns
    -------
    (…, 4)
        The importance (1−a, 1−b, b, a), for ``by=``.

    Raises
    ------
    UsageError
        For numbers outside [0, 1].

    See Also
    --------
    rankscape.locate : the place of a score
    rankscape.costs
    rankscape.fbeta

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.at(1, 0.5).tolist()  # F₁
    [0.0, 0.5, 0.5, 1.0]
    """
    return canonical_importance(a, b)


def fbeta(beta: float) -> NDArray[Any]:
    """Return the importance (0, 1, β², 1 + β²) whose ranking score is F_β.

    Parameters
    ----------
    beta
        How many times as much recall counts as precision, ≥ 0.

    Returns
    -------
    (4,)
        The importance, for ``by=``.

    Raises
    ------
    UsageError
        For a negative or infinite β.

    See Also
    --------
    rankscape.tradeoff : the best β for ranking
    rankscape.at

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.fbeta(2).tolist()
    [0, 1, 4, 5]
    """
    if not 0 <= beta < np.inf:
        raise UsageError(f"beta must be a finite number ≥ 0; got {beta}")
    return importance(fp=1, fn=beta**2, tp=1 + beta**2)


def net_benefit(threshold: float) -> NDArray[Any]:
    """Return the importance that orders by net benefit when the priors are equal.

    It lies at (1 − p_t, 1 − p_t) on the Tile: a miss costs (1 − p_t)/p_t false alarms.

    Parameters
    ----------
    threshold
        The probability p_t above which you act, in [0, 1].

    Returns
    -------
    (4,)
        The importance, for ``by=``.

    Raises
    ------
    UsageError
        For a threshold outside [0, 1].

    See Also
    --------
    rankscape.views.decision_curve : over all thresholds
    rankscape.costs

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.net_benefit(0.25).tolist()
    [0.25, 0.25, 0.75, 0.75]
    """
    if not 0 <= threshold <= 1:
        raise UsageError(f"the threshold p_t must lie in [0, 1]; got {threshold}")
    return canonical_importance(1 - threshold, 1 - threshold)


def _short(values: Iterable[Any] | NDArray[Any]) -> str:
    flat = np.asarray(values).ravel()
    return ", ".join(str(value) for value in flat[:8]) + (", …" if flat.size > 8 else "")
