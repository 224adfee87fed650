"""Performances: probability measures over outcomes, many at once, with the counts they come from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import array_of
from .checks import (
    PRIOR_TOLERANCE,
    SUM_TOLERANCE,
    checked_counts,
    checked_mass,
    checked_mixture,
    checked_names,
    checked_new_priors,
    checked_tolerance,
    checked_weights,
    row_text,
    rows_by_entity,
    rows_of,
    stacked_counts,
    two_class_only,
)
from .errors import DataError, UsageError
from .kernels.counting import confusion, operating_points
from .kernels.exact import fractions_of, integers_of_floats, integers_of_fractions, normalized
from .kernels.operations import PERMUTATIONS, no_skill, with_priors
from .labels import labeled, scored
from .matrices import rows_of_two_classes
from .outcomes import TWO_CLASS, SampleSpace, checked_importance
from .tables import Table
from .texts import counted, listed

Operation = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True, eq=False, repr=False)
class Performances:
    """Performances of n entities: probability measures over a sample space Ω, one per row.

    ``mass`` holds the probabilities, (n, k) for k outcomes, read-only; ``counts`` the integer counts they come from, or
    None; ``names`` and ``domains`` say which entity on which dataset. Build one with the ``from_...`` constructors or
    :func:`rankscape.read`. (Foundations, 3.1.)

    >>> P = Performances.from_counts(tn=[50, 45], fp=[10, 15], fn=[5, 2], tp=[35, 38], names=["a", "b"])
    >>> P.counts.tolist()
    [[50, 10, 5, 35], [45, 15, 2, 38]]
    >>> P["b"].mass.tolist()
    [[0.45, 0.15, 0.02, 0.38]]
    """

    mass: NDArray[np.float64]
    counts: NDArray[np.int64] | None
    names: tuple[str, ...]
    domains: tuple[str, ...] | None = None
    space: SampleSpace = TWO_CLASS
    thresholds: NDArray[np.float64] | None = None
    _exact: NDArray[Any] | None = field(default=None)

    def __post_init__(self) -> None:
        for array in (self.mass, self.counts, self.thresholds, self._exact):
            if array is not None:
                array.flags.writeable = False

    @classmethod
    def from_counts(
        cls,
        counts: ArrayLike | None = None,
        *,
        tn: ArrayLike | None = None,
        fp: ArrayLike | None = None,
        fn: ArrayLike | None = None,
        tp: ArrayLike | None = None,
        names: Sequence[Any] | None = None,
        domains: Sequence[Any] | None = None,
        space: SampleSpace = TWO_CLASS,
    ) -> Self:
        """Return performances from integer counts: ``tn=, fp=, fn=, tp=``, or one array (n, k), k outcomes.

        Counts stay integers (int64), so that ties are decided exactly. A 2 × 2 confusion matrix of scikit-learn, or a
        stack of them, is taken as it is. Raises DataError for negative, fractional or missing counts and empty rows.

        >>> Performances.from_counts(tn=2680, fp=72, fn=23, tp=28, names=["Finley"]).priors.round(4).tolist()
        [0.0182]
        """
        array = stacked_counts(tn, fp, fn, tp) if counts is None else array_of(counts, "counts")
        if counts is not None and not all(column is None for column in (tn, fp, fn, tp)):
            raise UsageError("from_counts takes either one array of counts or tn, fp, fn, tp, not both")
        if space == TWO_CLASS and array.ndim >= 2 and array.shape[-2:] == (2, 2):
            array = array.reshape(-1, 4)
        names_, domains_ = checked_names(len(array := np.atleast_2d(array)), names, domains)
        checked = checked_counts(array, names_, space)
        return cls._build(checked.astype(object), names_, domains_, space, counts=checked)

    @classmethod
    def from_probabilities(
        cls,
        mass: ArrayLike,
        *,
        names: Sequence[Any] | None = None,
        domains: Sequence[Any] | None = None,
        space: SampleSpace = TWO_CLASS,
        tolerance: float = SUM_TOLERANCE,
    ) -> Self:
        """Return performances from probabilities (n, k), each row summing to 1 within ``tolerance``.

        The floats are taken as the exact rationals that they are: nothing is rounded before a comparison.

        >>> Performances.from_probabilities([[0.5, 0.2, 0.05, 0.25]]).priors.tolist()
        [0.3]
        """
        array = np.atleast_2d(array_of(mass, "probabilities"))
        names_, domains_ = checked_names(len(array), names, domains)
        return cls(checked_mass(array, names_, space, tolerance), None, names_, domains_, space)

    @classmethod
    def from_confusion_matrix(
        cls, matrix: Any, *, names: Sequence[Any] | None = None, domains: Sequence[Any] | None = None
    ) -> Self:
        """Return performances from confusion matrices as scikit-learn's, [[tn, fp], [fn, tp]]: (2, 2) or (n, 2, 2).

        A mapping of names to matrices is taken too. Of data frames the columns are brought into the order of the rows,
        by label; the first row is the negative class, unless the labels say otherwise (pos and neg, 1 and 0).

        >>> Performances.from_confusion_matrix([[50, 10], [5, 35]]).counts.tolist()
        [[50, 10, 5, 35]]
        """
        keys, array = rows_of_two_classes(matrix)
        names = keys if names is None else names
        if array.dtype.kind == "f" and np.allclose(array.sum(axis=1), 1):  # confusion_matrix(..., normalize="all")
            return cls.from_probabilities(array, names=names, domains=domains)
        return cls.from_counts(array, names=names, domains=domains)

    @classmethod
    def from_labels(
        cls,
        y_true: ArrayLike,
        y_pred: Any,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        names: Sequence[Any] | None = None,
    ) -> Self:
        """Return performances from true labels (m,) and predicted ones: (m,), (k, m), or a mapping of names to (m,).

        A data frame of predictions, one column per entity, is such a mapping. ``pos_label`` (by default 1) is the
        positive class; with more than two labels it must be named, and all others are negative. Integer weights keep
        integer counts. Probabilities are refused: see ``from_scores``.

        >>> Performances.from_labels([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]}).counts.tolist()
        [[1, 1, 0, 2], [2, 0, 1, 1]]
        """
        columns, truth, predicted = labeled(y_true, y_pred, pos_label)
        names = columns if names is None else names
        weight = checked_weights(sample_weight, len(truth))
        return cls._from_weighted(confusion(truth, predicted, weight), names)

    @classmethod
    def from_scores(
        cls, y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = 1, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Return every operating point of a scored classifier: positive if score ≥ t, t = ∞ and each distinct score.

        ``thresholds`` holds t, in decreasing order; a larger score must mean "more positive".

        >>> P = Performances.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
        >>> P.thresholds.tolist(), P.counts[:, 3].tolist()
        ([inf, 0.8, 0.4, 0.1], [0, 1, 2, 2])
        """
        truth, score = scored(y_true, y_score, pos_label)
        counts, thresholds = operating_points(truth, score, checked_weights(sample_weight, len(truth)))
        points = cls._from_weighted(counts, [f"score >= {t}" for t in thresholds.tolist()])
        return replace(points, thresholds=thresholds)

    @classmethod
    def _from_weighted(cls, counts: NDArray[Any], names: Sequence[Any] | None, **more: Any) -> Self:
        if counts.dtype.kind in "iu":
            return cls.from_counts(counts, names=names, **more)
        return cls.from_probabilities(counts / counts.sum(axis=-1, keepdims=True), names=names, **more)

    @classmethod
    def _build(
        cls,
        exact: NDArray[Any],
        names: tuple[str, ...],
        domains: tuple[str, ...] | None,
        space: SampleSpace,
        counts: NDArray[np.int64] | None = None,
    ) -> Self:
        mass = normalized(exact) if counts is None else counts / counts.sum(axis=-1, keepdims=True)
        return cls(mass, counts, names, domains, space, _exact=exact)

    def __len__(self) -> int:
        return len(self.mass)

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Self:
        """Return some of the performances, by position, slice, mask, or by the name(s) of entities."""
        if isinstance(key, str):
            rows: Any = rows_of(self.names, key, "entity")
        elif isinstance(key, (list, tuple)) and key and all(isinstance(name, str) for name in key):
            rows = [i for name in key for i in rows_of(self.names, name, "entity")]
        else:
            rows = np.atleast_1d(np.arange(len(self))[key])
        return self._take(rows)

    @property
    def n_domains(self) -> int:
        """The number of domains, 0 where none are named."""
        return len(set(self.domains or ()))

    def in_domain(self, domain: str) -> Self:
        """Return the performances on one domain."""
        if self.domains is None:
            raise UsageError(f"these performances have no domains; {domain!r} cannot be chosen")
        return self._take(rows_of(self.domains, domain, "domain"))

    @cached_property
    def integers(self) -> NDArray[Any]:
        """Python integers (n, k) proportional to the exact measures, for exact comparisons."""
        if self._exact is not None:
            return self._exact
        integers = integers_of_floats(self.mass)
        integers.flags.writeable = False
        return integers

    @property
    def priors(self) -> NDArray[np.float64]:
        """The prior π₊ = P(fn) + P(tp) of the positive class (the prevalence), (n,)."""
        two_class_only(self.space, "priors")
        return self._rate(("fn", "tp"))

    @property
    def prediction_rates(self) -> NDArray[np.float64]:
        """The rate τ₊ = P(fp) + P(tp) of positive predictions, (n,)."""
        two_class_only(self.space, "prediction_rates")
        return self._rate(("fp", "tp"))

    def _rate(self, event: tuple[str, ...]) -> NDArray[np.float64]:
        mask = self.space.event(*event)
        if self.counts is None:
            return np.asarray(self.mass[:, mask].sum(axis=1))
        return np.asarray(self.counts[:, mask].sum(axis=1) / self.counts.sum(axis=1))

    def common_prior(self, tolerance: float = PRIOR_TOLERANCE) -> float | None:
        """Return the prior π₊ that all share, within a tolerance; None where they differ, or have no classes."""
        tolerance = checked_tolerance(tolerance)
        priors, alike = self.priors, self.space == TWO_CLASS and len(self) > 0
        alike = alike and bool(np.ptp(priors) <= tolerance) and len(np.unique(np.sign(priors))) == 1
        return float(priors.mean()) if alike else None

    def table(self) -> Table:
        """Return the performances as a table: domain (if any), entity, and one column per outcome."""
        columns: dict[str, Any] = {} if self.domains is None else {"domain": self.domains}
        values = self.mass if self.counts is None else self.counts
        return Table(columns | {"entity": self.names} | dict(zip(self.space.outcomes, values.T, strict=True)))

    def frame(self) -> Any:
        """Return the table as a pandas data frame where pandas is installed."""
        return self.table().frame()

    def __repr__(self) -> str:
        kind = "probabilities" if self.counts is None else "counts"
        who = counted(len(set(self.names)), "entity", "entities")
        who += "" if self.domains is None else f" on {counted(self.n_domains, 'domain')}"
        return f"<Performances: {who}, {kind} of {listed(self.space.outcomes)}>"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def mix(self, weights: ArrayLike | None = None, *, name: str = "mixture") -> Self:
        """Return the mixture Σ λᵢPᵢ: what choosing entity i at random with probability λᵢ achieves.

        ``weights`` (n,) gives one mixture, (k, n) gives k; they are divided by their sum; equal by default.

        >>> Performances.from_counts([[4, 0, 0, 0], [0, 0, 1, 1]]).mix([1, 3]).mass.tolist()
        [[0.25, 0.0, 0.375, 0.375]]
        """
        given, numbers = checked_mixture(weights, len(self))
        names = (name,) if len(given) == 1 else tuple(f"{name} {i + 1}" for i in range(len(given)))
        if self._exact is None:
            mass = numbers @ self.mass / numbers.sum(axis=-1, keepdims=True)
            return type(self)(mass, None, names, None, self.space)
        shares = self._exact * np.array([[Fraction(1, int(total))] for total in self._exact.sum(axis=-1)], dtype=object)
        return self._build(integers_of_fractions(fractions_of(given) @ shares), names, None, self.space)

    def over_domains(self, weights: ArrayLike | None = None) -> Self:
        """Return one performance per entity: the mixture Σ P(domain)·P over its domains, equally weighted by default.

        ``weights``, one per domain in order of appearance, are divided by their sum. Performances are averaged, never
        scores. Raises DataError where an entity lacks a domain. (Summarization, eq. (2).)

        >>> P = Performances.from_counts([[1, 0, 0, 1], [0, 2, 2, 0]], names=["m", "m"], domains=["x", "y"])
        >>> P.over_domains().mass.tolist()
        [[0.25, 0.25, 0.25, 0.25]]
        """
        if self.domains is None:
            raise UsageError("these performances have no domains to average over")
        entities, rows = rows_by_entity(self.names, self.domains)
        mixed = [self._take(mine).mix(weights, name=name) for name, mine in zip(entities, rows, strict=True)]
        exact = None if self._exact is None else np.concatenate([m.integers for m in mixed])
        return type(self)(np.concatenate([m.mass for m in mixed]), None, entities, None, self.space, _exact=exact)

    def per_entity(self) -> Self:
        """Return one performance per entity: those on several domains averaged with equal weights, others as they are.

        >>> P = Performances.from_counts([[1, 0, 0, 1], [0, 2, 2, 0]], names=["m", "m"], domains=["x", "y"])
        >>> P.per_entity().names, P.in_domain("x").per_entity().counts.tolist()
        (('m',), [[1, 0, 0, 1]])
        """
        return self.over_domains() if self.n_domains > 1 else self

    def filter(self, importance: ArrayLike) -> Self:
        """Return P'(ω) ∝ P(ω)·I(ω): the performances once outcomes are kept with a probability proportional to I.

        Raises DataError where E[I] = 0. (Foundations, Property 1: R_I = E_S ∘ filter_I.)

        >>> Performances.from_counts([[50, 10, 5, 35]]).filter([0, 0, 1, 1]).mass.tolist()
        [[0.0, 0.0, 0.125, 0.875]]
        """
        weights = checked_importance(importance, self.space)
        floats = weights.astype(np.float64)
        nothing = (self.mass * floats).sum(axis=-1) == 0
        if nothing.any():
            where = row_text(int(np.argmax(nothing)), self.names)
            raise DataError(f"{where} has no mass on an outcome of positive importance: E[I] = 0")
        whole = integers_of_fractions(fractions_of(weights))
        return self._changed(lambda p: p * whole, lambda p: p * floats)

    def shift_priors(self, prior: ArrayLike | Fraction) -> Self:
        """Return the performances after a target shift to π₊ = ``prior``, a number or one per row, in [0, 1].

        tn, fp are multiplied by π'₋/π₋ and fn, tp by π'₊/π₊; the rates TNR and TPR stay. Raises DataError for a
        performance without cases of a class that would have to appear. (Tile, 3.2 and Lemma 5.)

        >>> Performances.from_counts([[6, 2, 1, 1]]).shift_priors(0.5).mass.tolist()
        [[0.375, 0.125, 0.25, 0.25]]
        """
        two_class_only(self.space, "shift_priors")
        given = np.broadcast_to(array_of(prior, "prior"), (len(self),))
        numbers = checked_new_priors(given, self.mass, self.names)
        sides = integers_of_fractions(np.stack([1 - fractions_of(given), fractions_of(given)], axis=-1))
        floats = np.stack([1 - numbers, numbers], axis=-1)
        return self._changed(lambda p: with_priors(p, *sides.T), lambda p: with_priors(p, *floats.T))

    def no_skill(self) -> Self:
        """Return the performances without skill that have the same priors and rates of predictions: P(Y)·P(Ŷ).

        >>> Performances.from_counts([[5, 1, 2, 2]]).no_skill().mass.tolist()
        [[0.42, 0.18, 0.28, 0.12]]
        """
        two_class_only(self.space, "no_skill")
        return self._changed(no_skill, no_skill)

    def swap_classes(self) -> Self:
        """Exchange the negative and the positive class: tn ↔ tp, fp ↔ fn. (Tile, Lemma 4.)"""
        return self._permuted("swap_classes")

    def swap_truth_and_prediction(self) -> Self:
        """Exchange truth and prediction: fp ↔ fn. (Tile, Lemma 3.)"""
        return self._permuted("swap_truth_and_prediction")

    def change_prediction(self) -> Self:
        """Predict the other class always: tn ↔ fp, fn ↔ tp. (Tile, Lemma 1.)"""
        return self._permuted("change_prediction")

    def change_truth(self) -> Self:
        """Change every true class to the other: tn ↔ fn, fp ↔ tp. (Tile, Lemma 2.)"""
        return self._permuted("change_truth")

    def _permuted(self, operation: str) -> Self:
        two_class_only(self.space, operation)
        order = PERMUTATIONS[operation]
        counts = None if self.counts is None else self.counts[:, order]
        exact = None if self._exact is None else self._exact[:, order]
        return replace(self, mass=self.mass[:, order], counts=counts, thresholds=None, _exact=exact)

    def _changed(self, exactly: Operation, in_floats: Operation) -> Self:
        """Apply an operation exactly where the performances are exact, else in floats."""
        if self._exact is not None:
            return self._build(exactly(self._exact), self.names, self.domains, self.space)
        mass = in_floats(self.mass)
        return type(self)(mass / mass.sum(axis=-1, keepdims=True), None, self.names, self.domains, self.space)

    def _take(self, rows: Any) -> Self:
        index = np.asarray(rows, dtype=np.int64)
        arrays: tuple[Any, ...] = (self.counts, self.thresholds, self._exact)
        counts, thresholds, exact = (None if array is None else array[index] for array in arrays)
        names = tuple(self.names[i] for i in index)
        domains = None if self.domains is None else tuple(self.domains[i] for i in index)
        return type(self)(self.mass[index], counts, names, domains, self.space, thresholds, exact)
