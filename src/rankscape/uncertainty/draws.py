"""Draws: what the performances might be, given the counts, or the cases, that were seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import nan
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..checks import checked_rng, checked_size, rows_of
from ..domains import Prepared, prepare
from ..domains.shift import checked_shift, moved_to
from ..errors import DataError, Option, UsageError
from ..io import as_performances
from ..outcomes import SampleSpace
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted
from ..typing import Missing, PerformancesLike, PosteriorMethod, PriorLike, RandomLike, WeightsLike
from .diagnostics import about_absent, about_prior

METHODS = {"jeffreys": 0.5, "uniform": 1.0}
"""Cases per outcome of the prior distribution, by name."""

DRAWS = 2000
LARGEST = 2**62
"""Integer draws below this are held in 64 bits."""
MOST_CASES = 1e15
"""Of a prior distribution, per outcome."""


class DrawOptions(TypedDict, total=False):
    """The options of :func:`posterior`; given draws take ``shift_prior`` only."""

    method: PosteriorMethod
    weights: WeightsLike
    missing: Missing
    groups: Mapping[str, str] | None
    shift_prior: PriorLike | None


@dataclass(frozen=True, eq=False, repr=False)
class Draws(Result):
    """Draws of the performances of n entities: ``values`` (draws, n, k) for k outcomes; the same draw for all.

    ``values`` are probabilities, or integers proportional to them, of which ties are exact. ``observed`` are the
    performances that were seen, ``method`` is a phrase on what was drawn, ``paired`` whether the entities share cases,
    ``notes`` what a reader should know of them, ``prepared`` how domains were averaged and priors shifted. In a draw an
    entity may lack a class that a shift needs: such values are NaN, or all 0 where draws are integers, and its scores
    are undefined there. ``draws["a"]`` are those of one entity.

    >>> P = Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]], names=["a", "b"])
    >>> posterior(P, draws=3).values.shape
    (3, 2, 4)
    """

    values: NDArray[Any]
    observed: Performances
    method: str
    paired: bool
    notes: tuple[str, ...] = ()
    prepared: Prepared | None = None

    brief = True

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entities."""
        return self.observed.names

    @property
    def space(self) -> SampleSpace:
        """The sample space."""
        return self.observed.space

    @property
    def exact(self) -> bool:
        """Whether the draws are integers, so that ties are exact."""
        return self.values.dtype.kind != "f"

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: str) -> Draws:
        """Return the draws of one entity. Raises UsageError for an unknown name."""
        row = rows_of(self.names, name, "entity")[0]
        return replace(self, values=self.values[:, row : row + 1], observed=self.observed[name])

    def shift_priors(self, prior: PriorLike | None) -> Draws:
        """Return the draws, and the performances seen, each shifted by itself to the share of positives ``prior``.

        Counts stay counts until after the draw, so that its uncertainty stays, too. Where an entity lacks a class in a
        draw, its values are undefined: NaN, or all 0 in integer draws.
        Raises DataError where the performances seen lack a class that must appear.

        >>> shifted = posterior(Performances.from_counts([[50, 10, 5, 35]]), draws=100).shift_priors(0.2)
        >>> shifted.values[:, 0, 2:].sum(axis=1).round(12).tolist() == [0.2] * 100
        True
        """
        number = checked_shift(prior, self.space)
        if number is None:
            return self
        observed = self.observed.shift_priors(number)
        values = self.values
        if self.exact and int(values.sum(axis=2).max()) ** 2 * number.denominator >= LARGEST:
            values = values.astype(object)  # 64 bits would not hold the products
        values = moved_to(values, number)
        total = values.sum(axis=2)
        undefined = total == 0
        if not self.exact:
            values = np.where(undefined[..., None], nan, values / np.where(undefined, 1, total)[..., None])
        notes = self.notes + about_absent(self.names, undefined)
        method = f"{self.method}, each shifted to the prior {float(number):.4g}"
        prepared = self.prepared and replace(self.prepared, shift_prior=number)
        return replace(self, values=values, observed=observed, method=method, notes=notes, prepared=prepared)

    def table(self) -> Table:
        """Return one row per draw and entity: draw, entity, and the values of all outcomes."""
        draw, entity = np.divmod(np.arange(len(self) * len(self.names)), len(self.names))
        columns = dict(zip(self.space.outcomes, self.values.reshape(len(draw), -1).T, strict=True))
        return Table({"draw": draw, "entity": [self.names[row] for row in entity], **columns})

    @property
    def heading(self) -> str:
        """The numbers of draws and entities, and what was drawn."""
        return f"Draws: {len(self)} of {counted(len(self.names), 'entity', 'entities')}; {self.method}"


def posterior(
    performances: PerformancesLike,
    draws: int = DRAWS,
    rng: RandomLike = 0,
    *,
    method: PosteriorMethod = "jeffreys",
    weights: WeightsLike = "equal",
    missing: Missing = "error",
    groups: Mapping[str, str] | None = None,
    shift_prior: PriorLike | None = None,
) -> Draws:
    """Draw from the posterior Dirichlet(counts + α) of every entity on every domain, all independent.

    ``method`` names the prior distribution: "jeffreys" (α = ½), "uniform" (α = 1) or α ≥ 0. Counts do not say which
    cases two entities share, so nothing is paired: differences between entities that were tried on the same cases look
    less certain than they are (see :func:`bootstrap`). The prior distribution counts k·α cases on every domain: on many
    small ones it pulls, and ``notes`` of the draws say so. Draws on several domains are summarized as by
    :func:`rankscape.summarize`, and then each is shifted to the share of positives ``shift_prior``, if any. ``rng`` is
    a seed or a generator.
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
    alpha, _ = _concentration(method)
    count, generator = checked_size("draws", draws), checked_rng(rng)
    prepared = prepare(performances, weights=weights, missing=missing, groups=groups)
    grid = prepared.grid
    n, k = len(grid.entities), len(performances.space)
    values = np.zeros((count, n, k))
    for e, row in enumerate(grid.rows.tolist()):
        for r, weight in zip(row, grid.weights, strict=True):
            if r >= 0 and weight:
                drawn = generator.standard_gamma(performances.counts[r] + alpha, size=(count, k))
                values[:, e] += float(weight) * drawn / drawn.sum(axis=1, keepdims=True)
    values /= values.sum(axis=2, keepdims=True)
    here = (grid.rows >= 0) & (np.array([float(weight) for weight in grid.weights]) > 0)
    cases = np.array([performances.counts[row[used]].sum() for row, used in zip(grid.rows, here, strict=True)])
    notes = about_prior(alpha, k, here.sum(axis=1), cases)
    phrase = posterior_phrase(method, len(grid.domains))
    given = Draws(values, grid.summary(), method=phrase, paired=False, notes=notes, prepared=prepared)
    return given.shift_priors(shift_prior)


def posterior_phrase(method: PosteriorMethod, n_domains: int, noun: str = "entity") -> str:
    """Return the phrase on a posterior: of what, and with which prior distribution."""
    each = noun if n_domains == 1 else f"{noun} and domain"
    return f"posterior of each {each}, {_concentration(method)[1]}, independent"


def _concentration(method: PosteriorMethod) -> tuple[float, str]:
    """Return α and how the prior distribution is called."""
    if isinstance(method, str) and method.lower() in METHODS:
        alpha = METHODS[method.lower()]
        title = {"jeffreys": "Jeffreys' prior", "uniform": "uniform prior"}[method.lower()]
        return alpha, f"{title} Dirichlet({'½' if alpha == 0.5 else '1'})"
    if isinstance(method, (int, float)) and not isinstance(method, bool) and 0 <= method <= MOST_CASES:
        return float(method), f"prior Dirichlet({float(method):g})"
    raise UsageError(
        [Option("method", option="posterior"), f" {method!r} is no prior distribution"],
        expected='"jeffreys", "uniform", or a number of cases per outcome, from 0 to 1e15',
    )


def draws_of(
    performances: PerformancesLike | Draws,
    draws: int | None,
    rng: RandomLike,
    options: DrawOptions,
    default: int = DRAWS,
) -> Draws:
    """Return draws as they are, or those of the posterior; refuse what would change nothing about given draws.

    Given draws are shifted where ``shift_prior`` asks for it.
    """
    known = DrawOptions.__annotations__
    unknown = [name for name in options if name not in known]
    if unknown:
        raise UsageError([Option(unknown[0]), " is no option of draws"], expected=f"one of {', '.join(known)}")
    if not isinstance(performances, Draws):
        return posterior(performances, default if draws is None else draws, 0 if rng is None else rng, **options)
    idle = [name for name, value in (("draws", draws), ("rng", rng)) if value is not None]
    idle += [name for name in options if name != "shift_prior"]
    if idle:
        names = [part for name in idle for part in (", ", Option(name))][1:]
        raise UsageError(
            [*names, " would change nothing: these are draws already; leave out ", *names, ", or pass counts"]
        )
    return performances.shift_priors(options.get("shift_prior"))
