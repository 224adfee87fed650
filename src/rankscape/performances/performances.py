"""Performances: how they are built, and the operations of the theory on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..account import Account, Positive, together
from ..arrays import Flags, Floats, Integers, Label, PredictionsLike, array_of, mean_of
from ..checks import (
    LARGEST_COUNT,
    PRIOR_TOLERANCE,
    checked_counts,
    checked_integers,
    checked_mass,
    checked_mixture,
    checked_names,
    checked_new_priors,
    checked_sums,
    checked_weights,
    rows_chosen,
    rows_of,
    stacked_counts,
    sums_of_weights,
    two_class_only,
)
from ..checks.labels import as_given, labeled, refuse_other_order, scored
from ..checks.matrices import rows_of_two_classes
from ..errors import DataError, Place, UsageError
from ..kernels.counting import confusion, operating_points
from ..kernels.exact import (
    LARGEST_IN_FLOATS,
    fractions_of,
    integers_of_floats,
    integers_of_fractions,
    normalized,
    quotients,
)
from ..kernels.operations import PERMUTATIONS, no_skill, with_priors
from ..outcomes import RIGHT_SIDE, TWO_CLASS, WITHOUT_TN, SampleSpace, checked_importance, lacks_tn, to_be_found
from ..results import Result, Table
from ..texts import counted, listed
from .averages import (
    arrangement,
    averaged,
    gaps_in_words,
    refuse_nothing_at_all,
    refuse_without_counts,
)
from .pairing import CHANGED, MIXED, POINTS, Joint, Shared, shared_by, shared_of, weighed

if TYPE_CHECKING:
    from ..uncertainty import Draws

Operation = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True, eq=False, repr=False)
class Measures(Result):
    """How performances are stored, chosen and renamed; :class:`rankscape.Performances` describes the fields."""

    mass: Floats
    counts: Integers | None
    names: tuple[str, ...]
    domains: tuple[str, ...] | None = None
    space: SampleSpace = TWO_CLASS
    thresholds: Floats | None = None
    exact: NDArray[Any] | None = None
    account: Account | None = None

    shared: ClassVar[Shared | None] = None
    """The cases that the entities share, where they are known, and what an operation made of them."""

    def __post_init__(self) -> None:
        for array in (self.mass, self.counts, self.thresholds, self.exact):
            if array is not None:
                array.flags.writeable = False

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Write the names of operating points once they are asked for: a million take longer than all else."""
            if name != "names" or self.__dict__.get("thresholds") is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            return self.__dict__.setdefault("names", names_of_thresholds(self.thresholds))

    def __len__(self) -> int:
        return len(self.mass)

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: ArrayLike | slice) -> Self:
        """Return some of the performances, by position, slice, mask, or by the name(s) of entities."""
        rows = rows_chosen(self.names, key)
        names = tuple(self.names[i] for i in rows)
        domains = None if self.domains is None else tuple(self.domains[i] for i in rows)
        part = replace(self, names=names, domains=domains, **self._each(lambda array: array[rows]))
        return part.sharing(self.shared and self.shared.on(rows))

    def _each(self, change: Operation) -> dict[str, Any]:
        """Return the arrays that there are, changed."""
        fields = {name: getattr(self, name) for name in ("mass", "counts", "exact", "thresholds")}
        return {name: None if array is None else change(array) for name, array in fields.items()}

    @cached_property
    def pairing(self) -> Joint | None:
        """The cases that the entities share, where they are known: draws are then paired."""
        return None if self.shared is None else self.shared.joint(self)

    @property
    def averaged_with(self) -> dict[str, Fraction] | None:
        """The weights of the domains over which these are averages, where the cases that they share are known."""
        if self.pairing is None or self.shared is None or self.shared.weights is None:
            return None
        places = dict.fromkeys(self.pairing.performances.domains or ())
        return dict(zip(places, self.shared.weights, strict=True)) if places else None

    def with_pairing(self, pairing: Joint | None) -> Self:
        """Return the performances with the cases that their entities share, of which draws are paired; or without.

        Operating points stay those of one set of cases, of which there are no draws.
        """
        if pairing is not None:
            return replace(self).sharing(Shared.of(pairing, self))
        points = self.shared is not None and self.shared.lost == POINTS
        return replace(self).sharing(self.shared if points else None)

    def noting(self, *notes: str, **changes: Any) -> Self:
        """Return the performances with more in their account; see :meth:`rankscape.account.Account.noting`.

        >>> from rankscape import Performances
        >>> P = Performances.from_counts([[50, 10, 5, 35]], names=["a"]).noting(
        ...     source="results.csv", records=1
        ... )
        >>> P.account.sentence()
        'Read 1 row of 1 model'
        """
        account = self.account or Account()
        if account.models is None:
            account = account.noting(models=len(set(self.names)), domains=self.n_domains or None)
        return replace(self, account=account.noting(*notes, **changes)).sharing(self.shared)

    def sharing(self, shared: Shared | None) -> Self:
        """Set the cases of performances that were just made."""
        if shared is not None:
            object.__setattr__(self, "shared", shared)
        return self

    @property
    def notes(self) -> tuple[str, ...]:
        """Why the entities are not paired although the cases that they share were known; mostly nothing."""
        lost = self.shared is not None and len(set(self.names)) > 1 and self.pairing is None
        return (f"Not paired: {self.shared.lost or MIXED}",) if lost and self.shared is not None else ()

    @property
    def n_domains(self) -> int:
        """The number of domains, 0 where none are named."""
        return len(set(self.domains or ()))

    def in_domain(self, domain: str) -> Self:
        """Return the performances on one domain."""
        if self.domains is None:
            raise UsageError(f"these performances have no domains; {domain!r} cannot be chosen")
        return self[rows_of(self.domains, domain, "domain")]

    def rename(self, names: Mapping[str, str] | Sequence[object], domains: Sequence[object] | None = None) -> Self:
        """Return the performances under other names: one per row, or a mapping of old names to new ones.

        ``domains``, one per row, replaces the domains if it is given. Raises DataError where two rows would have the
        same name and domain.

        >>> from rankscape import Performances
        >>> P = Performances.from_counts([[1, 0, 0, 1], [0, 1, 1, 0]], names=["a", "b"])
        >>> P.rename({"b": "baseline"}).names
        ('a', 'baseline')
        """
        if isinstance(names, Mapping):
            names = [names.get(name, name) for name in self.names]
        new_names, new_domains = checked_names(len(self), names, self.domains if domains is None else domains)
        return replace(self, names=new_names, domains=new_domains).sharing(self.shared)

    def pushforward(self, space: SampleSpace, outcomes: Sequence[str]) -> Self:
        """Return the measures on another sample space, to whose ``outcomes`` ours are mapped, one for each of ours.

        The probability of an outcome is the sum over all that are mapped to it. Counts stay counts.

        >>> from rankscape import Performances
        >>> P = Performances.from_counts([[50, 10, 5, 35]])
        >>> right_or_wrong = SampleSpace("right or wrong", ("wrong", "right"))
        >>> P.pushforward(right_or_wrong, ["right", "wrong", "wrong", "right"]).counts
        array([[15, 85]])
        """
        if len(outcomes) != len(self.space):
            raise UsageError(
                f"pushforward needs {len(self.space)} outcomes, one for each of {listed(self.space.outcomes)}"
            )
        into = np.array([space.index(outcome) for outcome in outcomes])

        def summed(array: NDArray[Any]) -> NDArray[Any]:
            return np.stack([array[:, into == outcome].sum(axis=1) for outcome in range(len(space))], axis=-1)

        counts = None if self.counts is None else summed(self.counts)
        mass = summed(self.mass) if counts is None else counts / counts.sum(axis=-1, keepdims=True)
        exact = summed(self.integers) if counts is None else None  # sums of floats would be rounded
        out = replace(self, mass=mass, counts=counts, space=space, exact=exact)
        return out.sharing(self.shared and self.shared.mapped(into, len(space)))

    @property
    def of_integers(self) -> bool:
        """Whether the measures come from integers, on which operations stay exact; those of floats round."""
        return self.counts is not None or self.exact is not None

    @cached_property
    def integers(self) -> NDArray[Any]:
        """Python integers (n, k) proportional to the measures, for exact comparisons: floats are taken as they are."""
        whole = self.exact if self.counts is None else self.counts
        integers = integers_of_floats(self.mass) if whole is None else whole.astype(object)
        integers.flags.writeable = False
        return integers

    @cached_property
    def nothing_to_find(self) -> Flags:
        """Of which rows (n,) nothing was to be found, fn + tp = 0, where true negatives are not known."""
        targets = to_be_found(self.space)
        whole = self.mass if self.counts is None else self.counts
        return np.zeros(len(self), dtype=bool) if targets is None else (whole[:, targets] == 0).all(axis=1)

    @cached_property
    def small(self) -> Integers | None:
        """Integers of 64 bits (n, k) proportional to the measures, where floats hold them and their sums; else None."""
        whole = self.exact if self.counts is None else self.counts
        if whole is None or not (whole <= LARGEST_IN_FLOATS // whole.shape[1]).all():
            return None
        return whole.astype(np.int64, copy=False)

    def fitting(self, degree: int = 1) -> NDArray[Any]:
        """Return integers (n, k) proportional to the measures: of 64 bits where floats hold all products of sums.

        ``degree`` is the number of factors. Where products may be larger, these are Python's integers.
        """
        if self.small is None or int(self.small.sum(axis=1).max(initial=0)) ** degree > LARGEST_IN_FLOATS:
            return self.integers
        return self.small

    @property
    def priors(self) -> Floats:
        """The prior π₊ = P(fn) + P(tp) of the positive class (the prevalence), (n,)."""
        two_class_only(self.space, "priors")
        return self._rate(("fn", "tp"))

    @property
    def prediction_rates(self) -> Floats:
        """The rate τ₊ = P(fp) + P(tp) of positive predictions, (n,)."""
        two_class_only(self.space, "prediction_rates")
        return self._rate(("fp", "tp"))

    def _rate(self, event: tuple[str, ...]) -> Floats:
        mask = self.space.event(*event)
        if self.counts is None:
            return np.asarray(self.mass[:, mask].sum(axis=1))
        return np.asarray(self.counts[:, mask].sum(axis=1) / self.counts.sum(axis=1))

    def common_prior(self) -> float | None:
        """Return the prior π₊ that all share, but for rounding; None where they differ, or have no classes."""
        return None if self._lack_tn else self._common(self.priors)

    def common_prediction_rate(self) -> float | None:
        """Return the rate τ₊ of positive predictions that all share, but for rounding; None where they differ.

        >>> from rankscape import Performances
        >>> Performances.from_counts([[6, 2, 2, 2], [7, 3, 1, 1]]).common_prediction_rate()
        0.3333333333333333
        """
        return None if self._lack_tn else self._common(self.prediction_rates)

    @property
    def _lack_tn(self) -> bool:
        return self.space == RIGHT_SIDE or lacks_tn(self.space)

    def _common(self, shares: Floats) -> float | None:
        alike = self.space == TWO_CLASS and len(self) > 0
        alike = alike and bool(np.ptp(shares) <= PRIOR_TOLERANCE)
        sides = (shares > 0, shares < 1) if alike else ()  # all have cases of a side, or none
        return mean_of(shares) if alike and all(side.all() or not side.any() for side in sides) else None

    def table(self) -> Table:
        """Return the performances as a table: domain (if any), entity, and one column per outcome."""
        columns: dict[str, Any] = {} if self.domains is None else {"domain": self.domains}
        values = self.mass if self.counts is None else self.counts
        return Table(columns | {"entity": self.names} | dict(zip(self.space.outcomes, values.T, strict=True)))

    @property
    def heading(self) -> str:
        """How many entities and domains there are, and what is known of them."""
        kind = "probabilities" if self.counts is None else "counts"
        entities = counted(len(set(self.names)), "entity", "entities")
        domains = "" if self.domains is None else f" on {counted(self.n_domains, 'domain')}"
        read = () if self.account is None or self.account.plain else (self.account.sentence(),)
        return ". ".join((f"{entities}{domains}, {kind} of {listed(self.space.outcomes)}", *read, *self.notes))

    def __repr__(self) -> str:
        return f"<Performances: {self.heading}>"


@dataclass(frozen=True, eq=False, repr=False)
class Performances(Measures):
    """Performances of n entities: probability measures over a sample space Ω, one per row.

    Build one with the ``from_...`` constructors or :func:`rankscape.read`. (Foundations, 3.1.)

    Attributes
    ----------
    mass : (n, k)
        The probabilities of k outcomes, read-only.
    counts : (n, k)
        The integer counts they come from, or None.
    names
        The entities.
    domains
        The dataset of each row, or None.
    space
        The sample space.
    thresholds : (n,)
        The threshold of each row, of operating points, else None.
    exact : (n, k)
        Integers in proportion to the probabilities, where these come from integers that are no counts, else None.
    account
        What was read: source, records, columns used and not used, the positive class, rows left out; or None.

    See Also
    --------
    rankscape.read
    rankscape.count
    rankscape.rank

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts(
    ...     tn=[50, 45], fp=[10, 15], fn=[5, 2], tp=[35, 38], names=["a", "b"]
    ... )
    >>> P.counts.tolist()
    [[50, 10, 5, 35], [45, 15, 2, 38]]
    >>> P["b"].mass.tolist()
    [[0.45, 0.15, 0.02, 0.38]]
    """

    @classmethod
    def from_counts(
        cls,
        counts: ArrayLike | None = None,
        *,
        tn: ArrayLike | None = None,
        fp: ArrayLike | None = None,
        fn: ArrayLike | None = None,
        tp: ArrayLike | None = None,
        names: Sequence[object] | None = None,
        domains: Sequence[object] | None = None,
        space: SampleSpace = TWO_CLASS,
    ) -> Self:
        """Return performances from integer counts.

        Counts stay integers (int64), so that ties are decided exactly. Where nobody counts true negatives, as in
        tracking, leave ``tn`` out. On a domain where nothing was to be found, and nothing was, a row is then all 0.

        Parameters
        ----------
        counts : (n, k)
            The counts of k outcomes, in the place of ``tn=, fp=, fn=, tp=``. A 2 × 2 confusion matrix of scikit-learn,
            or a stack of them, is taken as it is.
        tn, fp, fn, tp : (n,)
            The counts of each outcome.
        names
            The names of the entities; by default P1, P2, …
        domains
            The domain of each row; by default there are none.
        space
            The sample space, by default that of two classes.

        Returns
        -------
        Performances
            One row per row of counts.

        Raises
        ------
        DataError
            For negative, fractional or missing counts, empty rows, and another number of columns.
        UsageError
            For ``counts`` beside named outcomes, and for neither.

        See Also
        --------
        rankscape.Performances.from_probabilities
        rankscape.Performances.from_labels
        rankscape.read : from a file

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.Performances.from_counts(tn=2680, fp=72, fn=23, tp=28, names=["Finley"])
        >>> P.priors.round(4).tolist()
        [0.0182]
        """
        space = WITHOUT_TN if counts is None is tn and tp is not None and space == TWO_CLASS else space
        of_columns = (fp, fn, tp) if lacks_tn(space) and tn is None else (tn, fp, fn, tp)
        array = stacked_counts(*of_columns) if counts is None else array_of(counts, "counts")
        if counts is not None and not all(column is None for column in (tn, fp, fn, tp)):
            raise UsageError("from_counts takes either one array of counts or tn, fp, fn, tp, not both")
        if space == TWO_CLASS and array.ndim >= 2 and array.shape[-2:] == (2, 2):
            array = array.reshape(-1, 4)
        names_, domains_ = checked_names(len(array := np.atleast_2d(array)), names, domains)
        whole = checked_counts(array, names_, space, empty_rows=domains_ is not None and to_be_found(space) is not None)
        mass = quotients(whole, whole.sum(axis=-1, keepdims=True))
        account = Account("arrays", records=len(whole))
        return cls(mass=mass, counts=whole, names=names_, domains=domains_, space=space, account=account)

    @classmethod
    def from_exact(
        cls,
        integers: ArrayLike,
        *,
        names: Sequence[object] | None = None,
        domains: Sequence[object] | None = None,
        space: SampleSpace = TWO_CLASS,
    ) -> Self:
        """Return performances proportional to rows of integers (n, k) of any size, which are not counts of cases.

        Orders and ties are decided on the integers.

        Parameters
        ----------
        integers : (n, k)
            Whole numbers ≥ 0 of any size, also as texts.
        names
            The names of the entities; by default P1, P2, …
        domains
            The domain of each row; by default there are none.
        space
            The sample space, by default that of two classes.

        Returns
        -------
        Performances
            One row per row of integers.

        Raises
        ------
        DataError
            For negative or fractional numbers and empty rows.

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.Performances.from_exact([[10**30, 0, 0, 3 * 10**30]])
        >>> P.mass.tolist(), P.counts is None
        ([[0.25, 0.0, 0.0, 0.75]], True)
        """
        array = np.atleast_2d(array_of(integers, "integers"))
        names_, domains_ = checked_names(len(array), names, domains)
        return cls.from_trusted(checked_integers(array, names_, space), names_, domains_, space)

    @classmethod
    def from_weighted_counts(
        cls,
        weights: ArrayLike,
        *,
        names: Sequence[object] | None = None,
        domains: Sequence[object] | None = None,
        space: SampleSpace = TWO_CLASS,
    ) -> Self:
        """Return performances from sums of weights per outcome (n, k): integers are counts, others probabilities.

        Parameters
        ----------
        weights : (n, k)
            Sums of weights per outcome, ≥ 0.
        names
            The names of the entities; by default P1, P2, …
        domains
            The domain of each row; by default there are none.
        space
            The sample space, by default that of two classes.

        Returns
        -------
        Performances
            One row per row of weights.

        Raises
        ------
        DataError
            For negative or missing numbers, empty rows, and another number of columns.

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.Performances.from_weighted_counts([[1.5, 0.5, 0.0, 2.0]]).mass.tolist()
        [[0.375, 0.125, 0.0, 0.5]]
        """
        array = np.atleast_2d(array_of(weights, "weights"))
        whole = array.dtype == object and all(isinstance(n, int) and n <= LARGEST_COUNT for n in array.ravel())
        if whole or array.dtype.kind in "iu":
            return cls.from_counts(array, names=names, domains=domains, space=space)
        names_, domains_ = checked_names(len(array), names, domains)
        return cls.from_trusted(checked_sums(array, names_, space), names_, domains_, space)

    @classmethod
    def from_trusted(
        cls,
        measures: NDArray[Any],
        names: tuple[str, ...],
        domains: tuple[str, ...] | None,
        space: SampleSpace,
        account: Account | None = None,
    ) -> Self:
        """Return performances proportional to rows (n, k) that need no check; integers stay exact.

        Parameters
        ----------
        measures : (n, k)
            Integers, which stay exact, or floats.
        names
            The names of the entities, n texts.
        domains
            The domain of each row, or None.
        space
            The sample space, of k outcomes.
        account
            What was read to get them, if anything was.

        Returns
        -------
        Performances
            One row per row of numbers.

        Examples
        --------
        >>> import numpy as np
        >>> import rankscape as rs
        >>> rs.Performances.from_trusted(
        ...     np.array([[1.0, 0.0, 0.0, 3.0]]), ("a",), None, rs.TWO_CLASS
        ... ).mass.tolist()
        [[0.25, 0.0, 0.0, 0.75]]
        """
        exact = measures if measures.dtype.kind in "Oi" else None
        mass = measures / measures.sum(axis=-1, keepdims=True) if exact is None else normalized(measures)
        return cls(mass=mass, counts=None, names=names, domains=domains, space=space, exact=exact, account=account)

    @classmethod
    def from_probabilities(
        cls,
        mass: ArrayLike,
        *,
        names: Sequence[object] | None = None,
        domains: Sequence[object] | None = None,
        space: SampleSpace = TWO_CLASS,
    ) -> Self:
        """Return performances from probabilities.

        Floats are taken as the exact rationals that they are, and fractions, decimals and decimal texts as themselves:
        nothing is rounded before a comparison. 0.1 as a float is a little more than 1/10; ``"0.1"`` is 1/10, as it is
        in a table that :func:`rankscape.read` reads.

        Parameters
        ----------
        mass : (n, k)
            The probabilities of k outcomes, each row summing to 1 within 1e-6: divide others by their sums.
        names
            The names of the entities; by default P1, P2, …
        domains
            The domain of each row; by default there are none.
        space
            The sample space, by default that of two classes.

        Returns
        -------
        Performances
            One row per row of probabilities, without counts.

        Raises
        ------
        DataError
            For negative or missing numbers, and rows that do not sum to 1.

        See Also
        --------
        rankscape.Performances.from_counts : where the counts are known, which is better

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.Performances.from_probabilities([[0.5, 0.2, 0.05, 0.25]]).priors.tolist()
        [0.3]
        """
        array = np.atleast_2d(array_of(mass, "probabilities"))
        names_, domains_ = checked_names(len(array), names, domains)
        checked, exact = checked_mass(array, names_, space)
        account = Account("arrays", records=len(checked))
        return cls(mass=checked, counts=None, names=names_, domains=domains_, space=space, exact=exact, account=account)

    @classmethod
    def from_confusion_matrix(
        cls,
        matrix: PredictionsLike,
        *,
        pos_label: Label | None = None,
        names: Sequence[object] | None = None,
        domains: Sequence[object] | None = None,
    ) -> Self:
        """Return performances from confusion matrices in the layout of scikit-learn, [[tn, fp], [fn, tp]].

        Parameters
        ----------
        matrix : (2, 2), (n, 2, 2), or a mapping of names to matrices
            Rows for the truth; the first row is the negative class where nothing names the classes. Of data frames the
            columns are brought into the order of the rows, by label, and words such as "actual" and "predicted" tell
            which side is the truth.
        pos_label
            The positive class of data frames whose labels do not tell it, as 0 and 1 or no and yes do.
        names
            The names of the entities; by default P1, P2, …
        domains
            The domain of each row; by default there are none.

        Returns
        -------
        Performances
            One row per matrix.

        Raises
        ------
        DataError
            For matrices of another shape, and numbers that are no counts.

        See Also
        --------
        rankscape.tasks.multi_class.from_confusion_matrix : for several classes

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.Performances.from_confusion_matrix([[50, 10], [5, 35]]).counts.tolist()
        [[50, 10, 5, 35]]
        """
        matrices, array, positive = rows_of_two_classes(matrix, pos_label)
        names = matrices.names if names is None else names
        shares = array.dtype.kind == "f" and np.allclose(array.sum(axis=1), 1)  # confusion_matrix(..., normalize="all")
        P = (cls.from_probabilities if shares else cls.from_counts)(array, names=names, domains=domains)
        if matrices.classes is None:
            return P.noting(*matrices.notes) if matrices.notes else P
        share = float(P.mass[:, 2:].sum() / P.mass.sum())
        return P.noting(*matrices.notes, source="arrays", positive=Positive.of(positive, share))

    @classmethod
    def from_labels(
        cls,
        y_true: ArrayLike,
        y_pred: PredictionsLike,
        *,
        pos_label: Label | None = None,
        sample_weight: ArrayLike | None = None,
        names: Sequence[object] | None = None,
    ) -> Self:
        """Return performances from true and predicted labels.

        Probabilities are refused: see :meth:`from_scores`.

        Parameters
        ----------
        y_true : (m,)
            The true labels.
        y_pred : (m,), (k, m), or a mapping of names to (m,)
            The predicted labels. A data frame with one column per entity is such a mapping.
        pos_label
            The positive class, if the labels are no known pair such as 0 and 1, or no and yes. With more than
            two labels it must be named, and all others are negative.
        sample_weight : (m,), optional
            The weight of each case, ≥ 0, not all 0; whole numbers keep counts whole. Sums are exact: a float is the
            shortest decimal that rounds to it, so that 0.1 + 0.2 is 0.3.
        names
            The names of the entities; by default P1, P2, …

        Returns
        -------
        Performances
            One row per entity.

        Raises
        ------
        DataError
            For labels that are missing or do not fit together, and lengths that differ.

        See Also
        --------
        rankscape.count : tables of any size
        rankscape.Performances.from_scores
        rankscape.sweep

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.Performances.from_labels(
        ...     [0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]}
        ... ).counts.tolist()
        [[1, 1, 0, 2], [2, 0, 1, 1]]
        """
        columns, truth, predicted = labeled(y_true, y_pred, pos_label)
        names = columns if names is None else names
        refuse_other_order(y_true, sample_weight, "weights")
        weight = checked_weights(sample_weight, len(truth))
        P = cls.from_weighted_counts(
            sums_of_weights(confusion(truth, predicted, weight and weight.integers), weight), names=names
        )
        share = float(P.priors[0]) if len(P) else None
        P = replace(
            P, account=Account.of_labels(as_given(y_true, "y_true"), truth, pos_label, len(set(P.names)), share)
        )
        if weight is not None:
            return P.sharing(weighed(len(P)))
        return P.sharing(shared_of(P, 2 * truth.astype(np.int8) + predicted))

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Label | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Return every operating point of a scored classifier: positive if score ≥ t, for t = ∞ and each score.

        They are there to rank and to map. Draws of them are refused, because thresholds are chosen on these cases:
        :func:`rankscape.decide` says how sure a choice is. Several models of one test set are compared at one threshold
        each, as below, or by :func:`rankscape.sweep`, which takes the scores of all of them. Both keep that the models
        share their cases, so that differences between them are drawn in pairs.

        Parameters
        ----------
        y_true : (m,)
            The true labels.
        y_score : (m,)
            The scores, larger for more positive.
        pos_label
            The positive class, if the labels are no known pair such as 0 and 1, or no and yes.
        sample_weight : (m,), optional
            The weight of each case, ≥ 0; by default 1.

        Returns
        -------
        Performances
            One row per threshold; ``thresholds`` holds t, in decreasing order.

        Raises
        ------
        DataError
            For scores that are missing, and lengths that differ.

        See Also
        --------
        rankscape.sweep : the best threshold, of one model or of several on the same cases

        Examples
        --------
        >>> import numpy as np
        >>> import rankscape as rs
        >>> truth = [0, 0, 1, 1]
        >>> scores = {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.2, 0.6, 0.7, 0.9]}
        >>> P = rs.Performances.from_scores(truth, scores["a"])
        >>> P.thresholds.tolist(), P.counts[:, 3].tolist()
        ([inf, 0.8, 0.4, 0.1], [0, 1, 2, 2])
        >>> both = rs.Performances.from_labels(
        ...     truth, {name: np.array(s) >= 0.5 for name, s in scores.items()}
        ... )
        >>> rs.uncertainty.rank_intervals(both, "f1", draws=100).paired
        True
        """
        truth, score = scored(y_true, y_score, pos_label)
        refuse_other_order(y_true, sample_weight, "weights")
        weight = checked_weights(sample_weight, len(truth))
        counts, thresholds = operating_points(truth, score, weight and weight.integers)
        account = Account.of_labels(as_given(y_true, "y_true"), truth, pos_label, 1, float(truth.mean()))
        return cls.from_operating_points(sums_of_weights(counts, weight), thresholds, account)

    @classmethod
    def from_operating_points(
        cls, weights: NDArray[Any], thresholds: Floats, account: Account | None = None, *, cases: bool = True
    ) -> Self:
        """Return the operating points at given thresholds, on the same cases; their names are like "score >= 0.5".

        Parameters
        ----------
        weights : (k, 4)
            Sums of weights of tn, fp, fn and tp, ≥ 0; they are not checked.
        thresholds : (k,)
            The thresholds.
        account
            What was read to get them, if anything was.
        cases
            Whether the weights are those of cases; else integers in proportion.

        Returns
        -------
        Performances
            One row per threshold, to rank and to map. No draws are made of them: thresholds are chosen on these cases.

        Examples
        --------
        >>> import numpy as np
        >>> import rankscape as rs
        >>> rs.Performances.from_operating_points(np.array([[1, 2, 0, 3]]), np.array([0.5])).names
        ('score >= 0.5',)
        """
        if cases and weights.dtype.kind in "iu":
            mass, counts = weights / weights.sum(axis=-1, keepdims=True), weights.astype(np.int64)
            points = cls(mass=mass, counts=counts, names=(), thresholds=thresholds, account=account)
            del points.__dict__["names"]  # which are written when they are asked for
        else:
            names = names_of_thresholds(thresholds)
            whole = cls.from_weighted_counts(weights, names=names) if cases else None
            points = whole or cls.from_trusted(weights, names, None, TWO_CLASS)
            points = replace(points, thresholds=thresholds, account=account)
        return points.sharing(Shared(None, np.arange(len(points)), lost=POINTS))

    @classmethod
    def from_cv_results(
        cls, results: object, names: Sequence[object] | Callable[[Mapping[str, object]], object] | None = None
    ) -> Self:
        """Return performances from scikit-learn searches; candidates become entities, and folds domains.

        The counts come from :func:`rankscape.outcome_scorers`, passed as ``scoring``. The folds of one data set are no
        populations of their own: pool their counts with ``weights="size"``, as in ``rs.summarize(P, "size")``, and
        never average scores over them.

        Parameters
        ----------
        results
            A fitted ``GridSearchCV`` or ``RandomizedSearchCV``, its ``cv_results_``, also as a data frame; the dict of
            ``cross_validate`` (one entity); or a mapping of names to these. Of a halving search, the last round.
        names
            One name per candidate, or a function of their parameters; by default what differs: "C=1, penalty=l2".

        Returns
        -------
        Performances
            The candidates on "fold 1", "fold 2", … ("repeat 1/fold 1", … of a search with repeated folds). With
            fractional sample weights these are probabilities. Fits that failed are left out, with an
            IncompleteDataWarning, and folds that are known to share cases warn, as intervals would be too narrow.

        Raises
        ------
        DataError
            Where the counts are missing, all fits failed, or no case is positive.

        Examples
        --------
        >>> import rankscape as rs
        >>> results = {"test_tn": [40, 38], "test_fp": [5, 7], "test_fn": [2, 1], "test_tp": [3, 4]}
        >>> P = rs.Performances.from_cv_results(results, names=["svm"])
        >>> P.domains, P.counts.tolist()
        (('fold 1', 'fold 2'), [[40, 5, 2, 3], [38, 7, 1, 4]])
        """
        folds_of = import_module(".cross_validation", __package__)  # few need it
        weights, entities, folds = folds_of.rows_of_cv_results(results, names)
        return cls.from_weighted_counts(weights, names=entities, domains=folds)

    def mix(self, weights: ArrayLike | None = None, *, name: str = "mixture") -> Self:
        """Return the mixture Σ λᵢPᵢ: what choosing entity i at random with probability λᵢ achieves.

        Without true negatives the entities are mixed per thing to be found, fn + tp, which all have in common.

        Parameters
        ----------
        weights : (n,) or (k, n)
            The λᵢ of one mixture, or of k, ≥ 0 and not all 0. They are divided by their sum; equal by default.
        name
            The name of the mixture.

        Returns
        -------
        Performances
            One row per mixture.

        Raises
        ------
        UsageError
            Where there is not one finite weight ≥ 0 per entity, and where some only have something to be found.

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.Performances.from_counts([[4, 0, 0, 0], [0, 0, 1, 1]]).mix([1, 3]).mass.tolist()
        [[0.25, 0.0, 0.375, 0.375]]
        """
        given = checked_mixture(weights, len(self))
        names = (name,) if len(given) == 1 else tuple(f"{name} {i + 1}" for i in range(len(given)))
        empty = self.nothing_to_find
        if empty.any() and not empty.all():
            some_name, other = self.names[int(np.argmax(empty))], self.names[int(np.argmin(empty))]
            raise UsageError(
                f"mixing takes entities that had the same to find: {some_name!r} had nothing (fn + tp = 0), and "
                f"{other!r} had something"
            )
        mixtures: Self = averaged(self, names, np.arange(len(self))[None], given, pooled=bool(empty.all()))
        return mixtures

    def over_domains(self) -> Self:
        """Return one performance per entity: the mixture of its performances over all domains, equally weighted.

        Performances are averaged, never scores. (Summarization, eq. (2).) Without true negatives each domain is
        measured per thing to be found; where a domain has nothing to be found, counts are added, as with
        ``rs.summarize(P, "size")``.

        Returns
        -------
        Performances
            One row per entity, without domains.

        Raises
        ------
        DataError
            Where an entity lacks a domain.
        UsageError
            Where there are no domains.

        See Also
        --------
        rankscape.summarize : weights, and missing domains

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.Performances.from_counts(
        ...     [[1, 0, 0, 1], [0, 2, 2, 0]], names=["m", "m"], domains=["x", "y"]
        ... )
        >>> P.over_domains().mass.tolist()
        [[0.25, 0.25, 0.25, 0.25]]
        """
        if self.domains is None:
            raise UsageError("these performances have no domains to average over")
        entities, places, rows = arrangement(self.names, self.domains)
        if (rows < 0).any():
            raise DataError(
                f"{gaps_in_words(rows, entities, places)}, and averages over different domains cannot be compared",
                way_out=[
                    "drop those models or domains",
                    "choose one domain",
                    'average with rs.summarize(P, missing="complete") (the domains that all share)',
                    'with missing="available" (each on what it has)',
                ],
            )
        empty = self.nothing_to_find[rows].any(axis=0)
        if empty.any():
            if self.counts is None:
                refuse_without_counts([places[d] for d in np.flatnonzero(empty)])
            refuse_nothing_at_all(self.integers[rows].sum(axis=(1, 2)) == 0, entities)
        weights = (Fraction(1, len(places)),) * len(places)
        out: Self = averaged(self, entities, rows, np.array([weights], dtype=object), pooled=bool(empty.any()))
        return out.sharing(self.shared and self.shared.averaged(rows, weights))

    @property
    def how_averaged(self) -> str:
        """A phrase on how :meth:`per_entity` averages over several domains; empty where there are not several."""
        if self.n_domains < 2:
            return ""
        if self.nothing_to_find.any():
            return f"pooled over {self.n_domains} domains: counts are added, for one has nothing to be found"
        per = "" if to_be_found(self.space) is None else ", each measured per thing to be found"
        return f"averaged over {self.n_domains} domains with equal weights{per}"

    def per_entity(self) -> Self:
        """Return one performance per entity: those on several domains averaged with equal weights, others as they are.

        Returns
        -------
        Performances
            One row per entity, without domains.

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.Performances.from_counts(
        ...     [[1, 0, 0, 1], [0, 2, 2, 0]], names=["m", "m"], domains=["x", "y"]
        ... )
        >>> P.per_entity().names, P.in_domain("x").per_entity().counts.tolist()
        (('m',), [[1, 0, 0, 1]])
        """
        return self.over_domains() if self.n_domains > 1 else self

    def filter(self, importance: ArrayLike) -> Self:
        """Return P'(ω) ∝ P(ω)·I(ω): the performances once outcomes are kept with a probability proportional to I.

        (Foundations, Property 1: R_I = E_S ∘ filter_I.)

        Parameters
        ----------
        importance : (k,)
            The importance of each outcome, ≥ 0.

        Returns
        -------
        Performances
            One row per entity.

        Raises
        ------
        DataError
            Where E[I] = 0.

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.Performances.from_counts([[50, 10, 5, 35]]).filter([0, 0, 1, 1]).mass.tolist()
        [[0.0, 0.0, 0.125, 0.875]]
        """
        weights = checked_importance(importance, self.space)
        floats = weights.astype(np.float64)
        nothing = (self.mass * floats).sum(axis=-1) == 0
        if nothing.any():
            row = int(np.argmax(nothing))
            raise DataError(
                f"{Place(row=row, name=self.names[row])} has no mass on an outcome of positive importance: E[I] = 0"
            )
        whole = integers_of_fractions(fractions_of(weights))
        return self._changed(lambda p: p * whole, lambda p: p * floats)

    @property
    def performances(self) -> Self:
        """These performances: all evidence has some, with ``draws`` and an ``account``."""
        return self

    def draws(self, draws: int = 2000, rng: int | np.random.Generator | None = 0) -> Draws:
        """Return draws of the performances that might be seen on other cases of this kind.

        Parameters
        ----------
        draws, rng
            How many, and a seed or a generator.

        Returns
        -------
        rankscape.uncertainty.Draws
            Those of :func:`rankscape.uncertainty.posterior`, which has more options.
        """
        made: Draws = import_module("..uncertainty", __package__).posterior(self, draws, rng)
        return made

    def shift_priors(self, prior: ArrayLike | Fraction) -> Self:
        """Return the performances after a target shift to another share of positives.

        tn, fp are multiplied by π'₋/π₋ and fn, tp by π'₊/π₊; the rates TNR and TPR stay. (Tile, 3.2 and Lemma 5.)

        Parameters
        ----------
        prior : a number or (n,)
            π₊ for all rows, or of each, in [0, 1]. A fraction is taken exactly, and a float, alone or in an array, as
            the binary number that it is: 0.1 is a little more than 1/10, so give ``Fraction(1, 10)`` where ties depend
            on it.

        Returns
        -------
        Performances
            The shifted performances, which are no counts.

        Raises
        ------
        DataError
            For a performance without cases of a class that would have to appear.
        UsageError
            For a prior outside [0, 1].

        See Also
        --------
        rankscape.regions.prior_flips : who comes first at which prior
        rankscape.tile.place_at_prior

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.Performances.from_counts([[6, 2, 1, 1]]).shift_priors(0.5).mass.tolist()
        [[0.375, 0.125, 0.25, 0.25]]
        """
        two_class_only(self.space, "shift_priors")
        given = np.broadcast_to(array_of(prior, "prior"), (len(self),))
        numbers = checked_new_priors(given, self.mass, self.names)
        priors, which = np.unique(given, return_inverse=True)
        positive = fractions_of(priors)
        sides = integers_of_fractions(np.stack([1 - positive, positive], axis=-1))[which.ravel()]
        floats = np.stack([1 - numbers, numbers], axis=-1)
        return self._changed(lambda p: with_priors(p, *sides.T), lambda p: with_priors(p, *floats.T))

    def no_skill(self) -> Self:
        """Return the performances without skill, P(Y)·P(Ŷ), that have the same priors and prediction rates.

        Returns
        -------
        Performances
            One row per entity.

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.Performances.from_counts([[5, 1, 2, 2]]).no_skill().mass.tolist()
        [[0.42, 0.18, 0.28, 0.12]]
        """
        two_class_only(self.space, "no_skill")
        return self._changed(no_skill, no_skill)

    def swap_classes(self) -> Self:
        """Exchange the negative and the positive class: tn ↔ tp, fp ↔ fn. (Tile, Lemma 4.)

        Returns
        -------
        Performances
            One row per entity.

        See Also
        --------
        rankscape.tile.transform_place : where preferences move
        """
        return self._permuted("swap_classes")

    def swap_truth_and_prediction(self) -> Self:
        """Exchange truth and prediction: fp ↔ fn. (Tile, Lemma 3.)

        Returns
        -------
        Performances
            One row per entity.
        """
        return self._permuted("swap_truth_and_prediction")

    def change_prediction(self) -> Self:
        """Predict the other class always: tn ↔ fp, fn ↔ tp. (Tile, Lemma 1.)

        Returns
        -------
        Performances
            One row per entity.
        """
        return self._permuted("change_prediction")

    def change_truth(self) -> Self:
        """Change every true class to the other: tn ↔ fn, fp ↔ tp. (Tile, Lemma 2.)

        Returns
        -------
        Performances
            One row per entity.
        """
        return self._permuted("change_truth")

    def _permuted(self, operation: str) -> Self:
        two_class_only(self.space, operation)
        order = PERMUTATIONS[operation]
        fields = self._each(lambda array: array[:, order] if array.ndim > 1 else array)
        out = replace(self, **fields | {"thresholds": None})
        return out.sharing(self.shared and self.shared.mapped(np.argsort(order), len(self.space)))

    def _changed(self, exactly: Operation, in_floats: Operation) -> Self:
        """Apply an operation exactly where the performances are exact, else in floats."""
        measures = exactly(self.integers) if self.of_integers else in_floats(self.mass)
        out = type(self).from_trusted(measures, self.names, self.domains, self.space, self.account)
        return out.sharing(self.shared and self.shared.without(CHANGED))


def as_performances(obj: Any) -> Performances:
    """Return performances from whatever holds them: Performances, a table as in :func:`rankscape.read`, or an array.

    An array is a confusion matrix of scikit-learn (2, 2), a stack of them (n, 2, 2), or rows tn, fp, fn, tp (n, 4).

    >>> as_performances([[50, 10], [5, 35]]).counts.tolist()
    [[50, 10, 5, 35]]
    """
    if isinstance(obj, Performances):
        if len(obj) == 0:
            raise UsageError("no performance is selected; expected at least one")
        return obj
    if refuse := getattr(type(obj), "_refuse_as_performances", None):
        refuse(obj)
    if isinstance(getattr(obj, "performances", None), Performances):
        raise UsageError(f"expected performances, got {type(obj).__name__}", way_out="pass its .performances")
    records = isinstance(obj, (list, tuple)) and len(obj) > 0 and all(isinstance(item, Mapping) for item in obj)
    if records or not isinstance(obj, (list, tuple, np.ndarray)):
        read: Performances = import_module("..io", __package__).read(obj)  # tables load what reads them
        return read
    try:
        array = np.asarray(obj)
    except ValueError:
        raise DataError("the rows of the array have different lengths; expected tn, fp, fn, tp in each") from None
    if array.dtype.kind not in "iufO":
        raise DataError(f"expected an array of numbers; got one of type {array.dtype}")
    if array.ndim >= 2 and array.shape[-2:] == (2, 2):
        return Performances.from_confusion_matrix(array)
    if array.ndim not in (1, 2) or array.shape[-1] != len(TWO_CLASS):
        expected = "expected confusion matrices (2, 2) or (n, 2, 2), or rows tn, fp, fn, tp (n, 4)"
        raise DataError(f"{expected}; got an array of shape {array.shape}")
    try:
        floats = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return Performances.from_counts(array)  # which raises for the first that is no number
    whole = not np.isfinite(floats).all() or bool((floats == np.floor(floats)).all())
    return Performances.from_counts(array) if whole else Performances.from_probabilities(array)


def names_of_thresholds(thresholds: Floats) -> tuple[str, ...]:
    """Return how operating points are called."""
    return tuple([f"score >= {threshold}" for threshold in thresholds.tolist()])


def concat(parts: Iterable[Performances]) -> Performances:
    """Return the performances of several parts, one after the other.

    The result has counts where all parts have them, and thresholds likewise; comparisons stay exact.

    Parameters
    ----------
    parts
        Performances of the same sample space, either all or none of them with domains.

    Returns
    -------
    Performances
        All rows, in the order of the parts.

    Raises
    ------
    DataError
        Where a name occurs twice (on the same domain).
    UsageError
        Where parts do not fit together.

    See Also
    --------
    rankscape.read
    rankscape.Performances

    Examples
    --------
    >>> import rankscape as rs
    >>> new = rs.Performances.from_counts([[8, 1, 2, 9]], names=["new"])
    >>> old = rs.Performances.from_counts([[9, 0, 4, 7]], names=["old"])
    >>> rs.concat([new, old]).names
    ('new', 'old')
    """
    given = list(parts)
    if not given or not all(isinstance(part, Performances) for part in given):
        raise UsageError("concat takes one or more Performances, as in rs.concat([P, Q])")
    first = given[0]
    if any(part.space != first.space for part in given):
        spaces = " and ".join(dict.fromkeys(part.space.name for part in given))
        raise UsageError(f"concat takes performances of one sample space; got {spaces}")
    if len({part.domains is None for part in given}) > 1:
        raise UsageError("concat takes performances that all have domains, or that all have none")
    domains = None if first.domains is None else [place for part in given for place in part.domains or ()]
    names, domains_ = checked_names(sum(map(len, given)), [name for part in given for name in part.names], domains)

    def stacked(field: str) -> Any:
        arrays = [getattr(part, field) for part in given]
        return None if any(array is None for array in arrays) else np.concatenate(arrays)

    counts = stacked("counts")
    exact = counts is None and any(part.of_integers for part in given)
    whole = replace(
        first,
        mass=stacked("mass"),
        counts=counts,
        names=names,
        domains=domains_,
        thresholds=stacked("thresholds"),
        exact=stacked("integers") if exact else None,
        account=together([part.account for part in given], len(set(names)), len(set(domains_ or ()))),
    )
    return whole.sharing(shared_by(given, whole))
