"""Draws: what the performances might be, given the counts, or the cases, that were seen."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import checked_rng, checked_size, rows_of
from ..domains.grid import arranged
from ..errors import DataError, Option, UsageError
from ..io import as_performances
from ..outcomes import SampleSpace
from ..performances import Performances
from .trust import about_prior

PRIORS = {"jeffreys": 0.5, "uniform": 1.0}
DRAWS = 2000
MOST_CASES = 1e15
"""Of a prior, per outcome."""
OPTIONS = ("prior", "weights", "missing", "groups")


@dataclass(frozen=True, eq=False, repr=False)
class Draws:
    """Draws of the performances of n entities: ``values`` (draws, n, k) for k outcomes; the same draw for all.

    ``values`` are probabilities, or integers proportional to them, of which ties are exact. ``point`` are the
    performances that were seen, ``method`` says in words what was drawn, ``paired`` whether the entities share cases,
    ``notes`` what a reader should know of them. ``draws["a"]`` are those of one entity.

    >>> P = Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]], names=["a", "b"])
    >>> posterior(P, draws=3).values.shape
    (3, 2, 4)
    """

    values: NDArray[Any]
    point: Performances
    method: str
    paired: bool
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entities."""
        return self.point.names

    @property
    def space(self) -> SampleSpace:
        """The sample space."""
        return self.point.space

    @property
    def exact(self) -> bool:
        """Whether the draws are integers, so that ties are exact."""
        return self.values.dtype.kind != "f"

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: str) -> "Draws":
        """Return the draws of one entity. Raises UsageError for an unknown name."""
        row = rows_of(self.names, name, "entity")[0]
        return replace(self, values=self.values[:, row : row + 1], point=self.point[name])

    def __repr__(self) -> str:
        return f"<Draws: {len(self)} of {len(self.names)} entities; {self.method}>"


def posterior(
    performances: Any,
    draws: int = DRAWS,
    rng: Any = 0,
    *,
    prior: str | float = "jeffreys",
    weights: Any = "equal",
    missing: str = "error",
    groups: Mapping[str, str] | None = None,
) -> Draws:
    """Draw from the posterior Dirichlet(counts + α) of every entity on every domain, all independent.

    ``prior`` is "jeffreys" (α = ½), "uniform" (α = 1) or α ≥ 0. Counts do not say which cases two entities share, so
    nothing is paired: differences between entities that were tried on the same cases look less certain than they are
    (see :func:`bootstrap`). The prior counts k·α cases on every domain: on many small ones it pulls, and ``notes`` of
    the draws say so. Draws on several domains are summarized as by :func:`rankscape.summarize`. ``rng`` is a seed or a
    generator.
    Raises DataError for performances without counts.

    >>> P = Performances.from_counts([[500, 100, 50, 350]])
    >>> posterior(P, draws=4000).values.mean(axis=(0, 1)).round(2).tolist()
    [0.5, 0.1, 0.05, 0.35]
    """
    performances = as_performances(performances)
    if performances.counts is None:
        raise DataError(
            "uncertainty needs counts, and these are probabilities, which do not say how many cases they come from",
            way_out=["give counts", Option("bootstrap", python="draws, as those of uncertainty.bootstrap")],
        )
    alpha, name = _concentration(prior)
    count = checked_size("draws", draws)
    generator = checked_rng(rng)
    grid = arranged(performances, weights, missing, groups)
    n, k = len(grid.entities), len(performances.space)
    values = np.zeros((count, n, k))
    for e, row in enumerate(grid.rows.tolist()):
        for r, weight in zip(row, grid.weights, strict=True):
            if r >= 0 and weight:
                drawn = generator.standard_gamma(performances.counts[r] + alpha, size=(count, k))
                values[:, e] += float(weight) * drawn / drawn.sum(axis=1, keepdims=True)
    values /= values.sum(axis=2, keepdims=True)
    each = "entity" if len(grid.domains) == 1 else "entity and domain"
    here = (grid.rows >= 0) & (np.array([float(weight) for weight in grid.weights]) > 0)
    cases = np.array([performances.counts[row[used]].sum() for row, used in zip(grid.rows, here, strict=True)])
    notes = about_prior(alpha, k, here.sum(axis=1), cases)
    return Draws(values, grid.summary(), f"posterior of each {each}, {name}, independent", False, notes)


def _concentration(prior: str | float) -> tuple[float, str]:
    """Return α and how the prior is called."""
    if isinstance(prior, str) and prior.lower() in PRIORS:
        alpha = PRIORS[prior.lower()]
        title = {"jeffreys": "Jeffreys' prior", "uniform": "uniform prior"}[prior.lower()]
        return alpha, f"{title} Dirichlet({'½' if alpha == 0.5 else '1'})"
    if isinstance(prior, (int, float)) and not isinstance(prior, bool) and 0 <= prior <= MOST_CASES:
        return float(prior), f"prior Dirichlet({float(prior):g})"
    raise UsageError(
        Option("prior", prior), expected='"jeffreys", "uniform", or a number of cases per outcome, from 0 to 1e15'
    )


def draws_of(performances: Any, draws: int | None, rng: Any, options: Mapping[str, Any], default: int = DRAWS) -> Draws:
    """Return draws as they are, or those of the posterior; refuse what would change nothing about given draws."""
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise UsageError([Option(unknown[0]), " is no option of draws"], expected=f"one of {', '.join(OPTIONS)}")
    if not isinstance(performances, Draws):
        return posterior(performances, default if draws is None else draws, 0 if rng is None else rng, **options)
    idle = [*(name for name, value in (("draws", draws), ("rng", rng)) if value is not None), *options]
    if idle:
        names = [part for name in idle for part in (", ", Option(name))][1:]
        raise UsageError(
            [*names, " would change nothing: these are draws already; leave out ", *names, ", or pass counts"]
        )
    return performances
