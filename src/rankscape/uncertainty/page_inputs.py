"""What the ranking card and the explorer start from: performances and draws of them, or models with thresholds."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol, Unpack, runtime_checkable

from ..domains import MissingDomainsWarning, Prepared, prepare
from ..domains.grid import checked_shift
from ..errors import Option, UsageError
from ..performances import Performances, as_performances
from ..performances.pairing import several_points
from ..regions import first
from ..tasks.pairs import Pairs
from ..texts import counted
from ..typing import PerformancesLike, RandomLike, ScoreLike
from .defaults import DRAWS, LEVEL
from .draws import DrawOptions, Draws, posterior, refuse_for_draws
from .errors import graded_cases

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


def prepared_and_drawn(
    performances: PerformancesLike | Draws | WithThresholds | Pairs,
    draws: int | None = None,
    rng: RandomLike = None,
    by: ScoreLike | None = None,
    *,
    level: float = LEVEL,
    **options: Unpack[DrawOptions],
) -> tuple[Prepared, Draws | None, WinningPoints | None, ScoreLike | None]:
    """Return performances averaged and shifted, draws of them before the shift, the points of models, and the score.

    The draws are None for ``draws=0``, for probabilities, which do not say how many cases they come from, and for
    models with thresholds, of which the performances are the points that win somewhere on the Tile. Given draws know
    how domains were averaged. Regressors are graded cases, and their score makes errors of these. An option that would
    change nothing raises UsageError: about given draws, or of draws, and ``level``, where there are none.

    >>> prepared, drawn, *_ = prepared_and_drawn(
    ...     [[50, 10, 5, 35], [45, 15, 2, 38]], 10, shift_prior=0.2
    ... )
    >>> prepared.performances.priors.round(12).tolist(), drawn.values.shape
    ([0.2, 0.2], (10, 2, 4))
    """
    shift_prior = options.pop("shift_prior", None)
    usual = {"level": LEVEL, "method": "exchangeable", "missing": "error"}
    asked = {"draws": draws, "rng": rng, "level": level, **options}
    given = [
        name for name, value in asked.items() if value is not None and not (name in usual and value == usual[name])
    ]

    def refuse(names: Sequence[str], *why: str | Option) -> None:
        """Raise UsageError for the first of the options that would change nothing."""
        if idle := [name for name in names if name in given]:
            raise UsageError([Option(idle[0]), *why])

    of_draws = ["draws"] * bool(draws) + ["rng", "resample", "level", "method"]
    drawn: Draws | None = None
    points: WinningPoints | None = None
    if isinstance(performances, Pairs):
        performances, by = graded_cases(performances, by)
    if isinstance(performances, Draws):
        refuse_for_draws({name: asked[name] for name in given if name != "level"})
        drawn = performances
        plain = prepare(drawn.observed) if drawn.prepared is None else drawn.prepared
    elif isinstance(performances, WithThresholds):
        refuse(
            of_draws, " is about draws, and models with thresholds have none, because the thresholds were chosen on "
            "these cases: rankscape.decide says how sure the choice is",
        )  # fmt: skip
        refuse(["missing", "weights"], " would change nothing: weights of domains are those of sweep(…, weights=…)")
        points = performances.winning_points()
        plain = prepare(points.performances)
    else:
        performances = as_performances(performances)
        known = performances.counts is not None or performances.pairing is not None
        known = known or options.get("resample") == "domains"
        if several_points(performances):  # whoever asks for draws of them hears why there are none
            known = any(name in given for name in of_draws)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MissingDomainsWarning)  # the card and the page name these domains
            plain = prepare(performances, weights=options.get("weights"), missing=options.get("missing", "error"))
            if draws == 0 or not known:
                why = [Option("draws", 0), " draws nothing"] if draws == 0 else [
                    "probabilities do not say how many cases there are"
                ]  # fmt: skip
                refuse(of_draws, " would change nothing: ", *why)
            else:
                drawn = posterior(performances, DRAWS if draws is None else draws, 0 if rng is None else rng, **options)
    if shift_prior is not None:
        plain = replace(plain, shift_prior=checked_shift(shift_prior, plain.grid.performances.space))
    return plain, drawn, points, by
