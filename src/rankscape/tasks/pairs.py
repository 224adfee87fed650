"""Empirical measures of weighted pairs (truth, prediction): the performances of regressors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..account import Account
from ..checks import rows_chosen
from ..errors import UsageError
from ..kernels.exact import fractions_of, integers_of_fractions, quotients
from ..results import Result, Table
from ..texts import counted
from ..typing import Floats


class ExactPairs(NamedTuple):
    """Pairs as integers over a unit, of 64 bits where differences fit: ``truth`` (m,) and ``predictions`` (n, m)."""

    truth: NDArray[Any]
    predictions: NDArray[Any]
    unit: int


@dataclass(frozen=True, eq=False, repr=False)
class Pairs(Result):
    """Performances of n regressors: empirical measures of weighted pairs (truth, prediction).

    ``rs.rank``, ``rs.compare`` and ``rs.ranking_score`` take it as they take Performances. (Foundations, A.2.2.)

    Attributes
    ----------
    truth, weights : (m,)
        The true values and the weights, which all share.
    predictions : (n, m)
        The predicted values.
    names
        The regressors.
    exact
        Values that floats would round, as integers over a unit: errors are those of the integers. Else None.
    account
        What was read; None where the pairs were made of arrays.

    See Also
    --------
    rankscape.tasks.regression.evaluate

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.tasks.regression.evaluate([1, 2], {"a": [1, 4], "b": [2, 2]})
    >>> P.names, len(P), P["b"].predictions.tolist()
    (('a', 'b'), 2, [[2.0, 2.0]])
    """

    truth: Floats
    predictions: Floats
    weights: NDArray[Any]
    names: tuple[str, ...]
    exact: ExactPairs | None = None
    account: Account | None = None

    def __post_init__(self) -> None:
        for array in (self.truth, self.predictions, self.weights):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.predictions)

    def __iter__(self) -> Iterator[Pairs]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Pairs:
        """Return some of the performances, by position, slice, mask, or by the name(s) of entities."""
        rows = rows_chosen(self.names, key)
        exact = None if self.exact is None else self.exact._replace(predictions=self.exact.predictions[rows])
        return replace(self, predictions=self.predictions[rows], names=tuple(self.names[i] for i in rows), exact=exact)

    def _refuse_as_performances(self) -> NoReturn:
        """Raise for what needs outcomes."""
        problem = "these are pairs (truth, prediction) of regression, with no finite set of outcomes"
        way_out = "rank, gate, report and explore take them; maps, domains and scores need outcomes"
        raise UsageError(problem, way_out=way_out)

    @property
    def space(self) -> NoReturn:
        """There is no finite sample space of pairs of numbers: raises UsageError, which says what to do."""
        raise UsageError(
            "pairs (truth, prediction) of regression have no finite sample space, and so no Score: pass a name, as in "
            'rs.rank(P, by="mae"), or a criterion of tasks.regression'
        )

    def measure(self) -> dict[tuple[Any, Any], Fraction]:
        """Return the probability of every pair (truth, prediction) that one entity has, exactly.

        Returns
        -------
        dict
            {(truth, prediction): probability}; the values are fractions where they are exact.

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.tasks.regression.evaluate([1, 2, 1], [1, 4, 1]).measure()
        {(1.0, 1.0): Fraction(2, 3), (2.0, 4.0): Fraction(1, 3)}
        """
        weights = list(map(Fraction, self.weights.tolist()))
        total = sum(weights)
        sides: list[list[Any]] = [self.truth.tolist(), self.predictions[0].tolist()]
        if self.exact is not None:
            truth, predictions, unit = self.exact
            sides = [[Fraction(value, unit) for value in side.tolist()] for side in (truth, predictions[0])]
        out = defaultdict[tuple[Any, Any], Fraction](Fraction)
        for weight, *pair in zip(weights, *sides, strict=True):
            if weight:
                out[pair[0], pair[1]] += weight / total
        return dict(out)

    def table(self) -> Table:
        """Return the pairs as a table: truth, weight, and one column per entity.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        known = {"truth": self.truth, "weight": self.weights}
        return Table(known | dict(zip(self.names, self.predictions, strict=True)))

    @property
    def heading(self) -> str:
        """How many entities and pairs there are."""
        pairs = counted(len(self.truth), "pair")
        return f"<Pairs: {counted(len(self), 'entity', 'entities')}, {pairs} (truth, prediction) each>"

    def __repr__(self) -> str:
        return self.heading


def pairs_of(truth: NDArray[Any], predictions: NDArray[Any], weights: NDArray[Any], names: tuple[str, ...]) -> Pairs:
    """Return pairs of numbers, as :func:`rankscape.checks.numbers.exact_numbers` gives them."""
    if truth.dtype != object and predictions.dtype != object:
        return Pairs(truth, predictions, weights, names)
    *integers, unit = integers_of_fractions(fractions_of([*truth, *predictions.ravel(), 1]))
    table = np.array(integers, dtype=object).reshape(-1, len(truth))
    floats = quotients(table, np.array(unit, dtype=object))
    if np.abs(table).max() < 2**62:
        table = table.astype(np.int64)
    return Pairs(floats[0], floats[1:], weights, names, ExactPairs(table[0], table[1:], unit))
