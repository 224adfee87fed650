"""The record of performances: measures over a sample space, one per row; how they are stored, chosen and stacked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..account import Account, together
from ..arrays import Flags, Floats, Integers, mean_of
from ..checks import PRIOR_TOLERANCE, checked_names, rows_of, two_class_only
from ..errors import UsageError
from ..kernels.exact import LARGEST_IN_FLOATS, integers_of_floats
from ..outcomes import RIGHT_SIDE, TWO_CLASS, SampleSpace, lacks_tn
from ..results import Result, Table
from ..texts import counted, listed
from .averages import nothing_to_find
from .pairing import MIXED, Joint, Shared, shared_by


@dataclass(frozen=True, eq=False, repr=False)
class Measures(Result):
    """Probability measures over a sample space Ω, one per row.

    ``exact`` holds integers (n, k), of 64 bits or Python's own, proportional to the measures where operations are to
    stay exact and there are no counts, else None;
    :class:`rankscape.Performances` describes the other fields.
    """

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
        chosen: Any = key
        if isinstance(key, str):
            chosen = rows_of(self.names, key, "entity")
        elif isinstance(key, (list, tuple)) and key and all(isinstance(name, str) for name in key):
            chosen = [i for name in key for i in rows_of(self.names, name, "entity")]
        rows = np.atleast_1d(np.arange(len(self))[chosen])
        arrays: dict[str, Any] = {name: getattr(self, name) for name in ("mass", "counts", "thresholds", "exact")}
        of_rows: dict[str, Any] = {name: None if array is None else array[rows] for name, array in arrays.items()}
        names = tuple(self.names[i] for i in rows)
        domains = None if self.domains is None else tuple(self.domains[i] for i in rows)
        part = replace(self, names=names, domains=domains, **of_rows)
        return part.sharing(self.shared and self.shared.on(rows))

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
        """Return the performances with the cases that their entities share, of which draws are paired; or without."""
        return replace(self).sharing(None if pairing is None else Shared.of(pairing, self))

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
        return nothing_to_find(self.mass if self.counts is None else self.counts, self.space)

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
        alike = alike and bool(np.ptp(shares) <= PRIOR_TOLERANCE) and len(np.unique(np.sign(shares))) == 1
        return mean_of(shares) if alike else None

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


Kind = TypeVar("Kind", bound=Measures)


def names_of_thresholds(thresholds: Floats) -> tuple[str, ...]:
    """Return how operating points are called."""
    return tuple([f"score >= {threshold}" for threshold in thresholds.tolist()])


def concat(parts: Iterable[Kind]) -> Kind:
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
    if not given or not all(isinstance(part, Measures) for part in given):
        raise UsageError("concat takes one or more Performances, as in rs.concat([P, Q])")
    first = given[0]
    if any(part.space != first.space for part in given):
        spaces = " and ".join(dict.fromkeys(part.space.name for part in given))
        raise UsageError(f"concat takes performances of one sample space; got {spaces}")
    if len({part.domains is None for part in given}) > 1:
        raise UsageError("concat takes performances that all have domains, or that all have none")
    domains = None if first.domains is None else [place for part in given for place in part.domains or ()]
    names, domains_ = checked_names(sum(map(len, given)), [name for part in given for name in part.names], domains)

    def stacked(arrays: list[NDArray[Any] | None]) -> NDArray[Any] | None:
        known = [array for array in arrays if array is not None]
        return np.concatenate(known) if len(known) == len(arrays) else None

    counts = stacked([part.counts for part in given])
    exact = counts is None and any(part.of_integers for part in given)
    whole = replace(
        first,
        mass=np.concatenate([part.mass for part in given]),
        counts=counts,
        names=names,
        domains=domains_,
        thresholds=stacked([part.thresholds for part in given]),
        exact=np.concatenate([part.integers for part in given]) if exact else None,
        account=together([part.account for part in given], len(set(names)), len(set(domains_ or ()))),
    )
    return whole.sharing(shared_by([(part.shared, part.pairing) for part in given], whole))
