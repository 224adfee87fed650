"""The types in the signatures of rankscape, by name, for your own annotations and for reading its signatures.

Functions take array-likes and return NumPy arrays. ``SomethingLike`` is the type of everything that is accepted as a
Something.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import IO, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .arrays import DataFrameLike as DataFrameLike
from .arrays import Flags as Flags
from .arrays import Floats as Floats
from .arrays import Integers as Integers
from .arrays import Label as Label
from .arrays import PredictionsLike as PredictionsLike
from .performances import Performances

__all__ = [
    "Correlation", "DataFrameLike", "Direction", "FigureStyle", "Flags", "Floats",
    "Integers", "ItemsLike", "Label", "Missing", "Number", "PathLike", "PerformancesLike",
    "PosteriorMethod", "PredictionsLike", "PriorLike", "RandomLike", "Resample", "ScoreLike", "TableLike",
    "Ties", "Undefined", "WeightsLike",
]  # fmt: skip
__dir__ = __all__.copy  # dir() lists the public names

Number: TypeAlias = float | Fraction | np.floating[Any] | np.integer[Any]
"""A number; a fraction is taken exactly, a float as the binary number that it is."""

PathLike: TypeAlias = str | os.PathLike[str]
"""The name of a file."""

TableLike: TypeAlias = (
    "PathLike | IO[Any] | DataFrameLike | Mapping[str, Any] | Sequence[PathLike] | Sequence[Mapping[str, Any]]"
)
"""A table: a file or several, an open file, a data frame, a mapping of column names to columns, or records."""

PerformancesLike: TypeAlias = "Performances | TableLike | ArrayLike"
"""Performances, or what :func:`rankscape.read` reads, or confusion matrices: an array (n, 2, 2), a mapping of names."""

ScoreLike: TypeAlias = str | ArrayLike | Mapping[str, float] | Callable[[Performances], ArrayLike]
"""A score: its name, an expression, a :class:`rankscape.Score` or another function of performances, an importance."""

PriorLike: TypeAlias = Number
"""A prior π₊, the share of positives, in [0, 1]."""

WeightsLike: TypeAlias = Literal["equal", "size", "hierarchical"] | Mapping[str, Number]
"""Weights of domains: "equal", "size" (numbers of cases), "hierarchical" (equal groups), or a number ≥ 0 for each."""

RandomLike: TypeAlias = "int | np.random.Generator | None"  # numpy.random takes long to load
"""A seed or a generator; None draws another sample each time."""

FigureStyle: TypeAlias = Literal["screen", "paper"]
"""How a figure looks: for a screen, or for a column of a paper."""

Ties: TypeAlias = Literal["min", "max", "average"]
"""The rank that tied entities share."""

Missing: TypeAlias = Literal["error", "complete", "available"]
"""What is done where an entity lacks a domain: refuse, compare on the shared domains, or take those each one has."""

Undefined: TypeAlias = Literal["nan", "raise", "limit"]
"""What to return where a score is undefined (0/0)."""

Direction: TypeAlias = Literal["larger", "smaller"]
"""Which values of a score are better."""

PosteriorMethod: TypeAlias = Literal["exchangeable", "jeffreys", "uniform"] | float
"""The prior distribution behind draws: by name, or as a number of pseudo-cases per outcome."""


Resample: TypeAlias = Literal["cases", "clusters", "domains"]
"""What is drawn: other cases, other clusters of cases, or other domains."""

Correlation: TypeAlias = Literal["kendall", "spearman"]
"""A rank correlation: Kendall's τ-b or Spearman's ρ."""

ItemsLike: TypeAlias = Sequence[Any] | Mapping[Any, Any] | np.ndarray[Any, Any]
"""One item per input, such as a set of results or of boxes: in the order of the inputs, or by their names."""
