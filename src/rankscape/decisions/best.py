"""The best thresholds of several models, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from .._scores import Score
from .._scores.score import levels
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted
from .thresholds import BestThreshold


@dataclass(frozen=True, eq=False, repr=False)
class BestThresholds(Result):
    """The best threshold of each model, the best model first.

    ``best["a"]`` is the :class:`BestThreshold` of one model. Models that tie are sorted by name. The values are
    those on the cases that the thresholds were chosen on.

    Attributes
    ----------
    score
        The score by which the thresholds were chosen.
    models
        {name: :class:`BestThreshold`}, the best first.

    See Also
    --------
    rankscape.decisions.Sweeps
    rankscape.decisions.decide

    Examples
    --------
    >>> import rankscape as rs
    >>> S = rs.sweep([0, 0, 1, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.2, 0.1, 0.9, 0.3]})
    >>> best = S.best("accuracy")
    >>> best.names, best["a"].threshold, [name for name, _ in best]
    (('b', 'a'), 0.8, ['b', 'a'])
    """

    score: Score
    models: Mapping[str, BestThreshold]

    @classmethod
    def of(cls, score: Score, models: Mapping[str, BestThreshold]) -> BestThresholds:
        """Return the models in the order of their values, decided exactly.

        Parameters
        ----------
        score
            The score by which the thresholds were chosen.
        models
            The best threshold of each model, by its name.

        Returns
        -------
        BestThresholds
            The best model first.
        """
        rows = np.concatenate([best.performance.integers for best in models.values()])
        level, _ = levels(Performances.from_trusted(rows, tuple(models), None, TWO_CLASS), score)
        names = list(models)
        order = sorted(range(len(names)), key=lambda i: (-level[i], names[i]))
        return cls(score, {names[i]: models[names[i]] for i in order})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models, the best first."""
        return tuple(self.models)

    def __getitem__(self, name: str) -> BestThreshold:
        return self.models[name]

    def __iter__(self) -> Iterator[tuple[str, BestThreshold]]:
        return iter(self.models.items())

    def __len__(self) -> int:
        return len(self.models)

    def table(self) -> Table:
        """Return one row per model: entity, threshold, below, value, perhaps cost, tied, current, and the gain.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        rows = list(self.models.values())
        names = rows[0].columns if rows else ()
        return Table({"entity": self.names} | {name: [getattr(row, name) for row in rows] for name in names})

    @property
    def heading(self) -> str:
        """The score, and how many models."""
        return f"Best thresholds of {counted(len(self), 'model')} by {self.score.name}, on the same cases"
