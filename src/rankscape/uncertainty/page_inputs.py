"""What the ranking card and the explorer start from: performances and draws of them, or models with thresholds."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol, runtime_checkable

from ..domains import MissingDomainsWarning, Prepared, prepare
from ..domains.shift import checked_shift
from ..errors import Option, UsageError
from ..performances import Performances, as_performances
from ..regions import first
from ..texts import counted
from ..typing import Missing, PerformancesLike, PosteriorMethod, PriorLike, RandomLike, Resample, WeightsLike
from .defaults import DRAWS, LEVEL
from .draws import Draws, posterior


def prepared_and_drawn(
    performances: PerformancesLike | Draws,
    draws: int | None = None,
    rng: RandomLike = None,
    *,
    level: float = LEVEL,
    method: PosteriorMethod = "exchangeable",
    resample: Resample | None = None,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    shift_prior: PriorLike | None = None,
) -> tuple[Prepared, Draws | None]:
    """Return performances averaged and shifted, and draws of them before the shift.

    The draws are None for ``draws=0``, and for probabilities, which do not say how many cases they come from. Given
    draws know how domains were averaged. An option that would change nothing raises UsageError: about given draws, or
    of draws, and ``level``, where there are none.

    >>> prepared, drawn = prepared_and_drawn([[50, 10, 5, 35], [45, 15, 2, 38]], 10, shift_prior=0.2)
    >>> prepared.performances.priors.round(12).tolist(), drawn.values.shape
    ([0.2, 0.2], (10, 2, 4))
    """
    if isinstance(performances, Draws):
        given = {"draws": draws, "rng": rng, "resample": resample}
        idle = [name for name, value in given.items() if value is not None]
        defaults = {"method": (method, "exchangeable"), "weights": (weights, None), "missing": (missing, "error")}
        idle += [name for name, (value, default) in defaults.items() if value != default]
        if idle:
            raise UsageError([Option(idle[0]), " would change nothing: these are draws already"])
        plain = prepare(performances.observed) if performances.prepared is None else performances.prepared
        drawn: Draws | None = performances
    else:
        performances = as_performances(performances)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MissingDomainsWarning)  # the card and the page name these domains
            plain = prepare(performances, weights=weights, missing=missing)
            drawn = None
            known = performances.counts is not None or performances.pairing is not None
            if draws != 0 and (known or resample == "domains"):
                drawn = posterior(
                    performances, DRAWS if draws is None else draws, 0 if rng is None else rng, method=method,
                    weights=weights, missing=missing, resample=resample,
                )  # fmt: skip
            else:
                _refuse_draws({"draws": draws or None, "rng": rng, "resample": resample}, level, method, draws == 0)
    if shift_prior is None:
        return plain, drawn
    return replace(plain, shift_prior=checked_shift(shift_prior, plain.grid.performances.space)), drawn


def _refuse_draws(given: Mapping[str, object], level: float, method: object, unwanted: bool) -> None:
    """Raise UsageError for an option of draws where there are none."""
    idle = [name for name, value in given.items() if value is not None]
    idle += ["level"] * (level != LEVEL) + ["method"] * (method != "exchangeable")
    if idle:
        why = (
            [Option("draws", 0), " draws nothing"]
            if unwanted
            else ["probabilities do not say how many cases there are"]
        )
        raise UsageError([Option(idle[0]), " would change nothing: ", *why])


FLATTERS = (
    "Each point is a threshold that is best on these cases, which flatters: rankscape decide says which costs to "
    "expect on new ones"
)
NOT_SURE = (
    "There is no uncertainty here, because every draw would have to choose the thresholds again, and these are fixed"
)


@dataclass(frozen=True, eq=False)
class WinningPoints:
    """The operating points that win somewhere on the Tile: their performances, and the model of each.

    A constant answer, the same for all models, is there once, and stands for a model of its own.

    >>> points = WinningPoints(
    ...     Performances.from_counts([[1, 1, 0, 2]], names=["a at 0.3"]), ("a",), (), 1
    ... )
    >>> points.shares(), points.count
    ({('a',): 1.0}, '1 threshold of 1 model')
    """

    performances: Performances
    models: tuple[str, ...]
    notes: tuple[str, ...]
    n_models: int

    @property
    def count(self) -> str:
        """How many thresholds of how many models there are."""
        return f"{counted(len(self.models), 'threshold')} of {counted(self.n_models, 'model')}"

    def shares(self, prior: Fraction | None = None) -> dict[tuple[str, ...], float]:
        """Return the share of the Tile of each model, at a prior; of models that tie, by all of their names."""
        owner = dict(zip(self.performances.names, self.models, strict=True))
        data = self.performances if prior is None else self.performances.shift_priors(prior)
        shares: dict[tuple[str, ...], float] = {}
        for region in first(data):
            models = tuple(dict.fromkeys(owner[name] for name in region.names))
            shares[models] = shares.get(models, 0.0) + region.area
        return dict(sorted(shares.items(), key=lambda item: -item[1]))


@runtime_checkable
class WithThresholds(Protocol):
    """Models with scores: a :class:`rankscape.Sweeps`, which is known by its method."""

    def winning_points(self) -> WinningPoints:
        """Return the operating points that win somewhere on the Tile."""


def points_asked(
    models: WithThresholds,
    draws: int | None,
    rng: RandomLike,
    level: float,
    method: object,
    resample: object,
    weights: object,
    missing: str,
) -> WinningPoints:
    """Return the points of models; raises UsageError for options of draws and of domains, which say nothing here."""
    given = {"draws": draws or None, "rng": rng, "resample": resample}
    idle = [name for name, value in given.items() if value is not None]
    idle += ["level"] * (level != LEVEL) + ["method"] * (method != "exchangeable")
    if idle:
        raise UsageError(
            [Option(idle[0]), " is about draws, and models with thresholds have none, because the thresholds were "
             "chosen on these cases: rankscape.decide says how sure the choice is"]
        )  # fmt: skip
    if weights is not None or missing != "error":
        name = "missing" if missing != "error" else "weights"
        raise UsageError([Option(name), " would change nothing: weights of domains are those of sweep(…, weights=…)"])
    return models.winning_points()
