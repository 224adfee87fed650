"""From the data to what is scored, the same way everywhere: choose domains, average over them, shift the prior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..outcomes import to_be_found
from ..performances import Performances, as_performances
from ..tasks.success import is_right_or_wrong, mean_of_grades
from ..texts import counted, label, one_line, percent, some
from ..typing import Missing, PerformancesLike, PriorLike, WeightsLike
from .grid import MISSING, Grid, arranged, checked_shift, shifted

MOST_NAMED = 6
PER_THING = "per thing to be found"
"""The average of performances without true negatives."""


@dataclass(frozen=True, eq=False, repr=False)
class Prepared:
    """The performances that are scored, one per entity, and how they were prepared.

    :meth:`sentences` describes all of it.

    Attributes
    ----------
    given
        The performances as they were given.
    grid
        The performances on the domains that are compared, with their weights.
    weighting
        The kind of weights: "equal", "size", "hierarchical" or "given". Where true negatives are not known, "size"
        adds the counts.
    missing
        The policy for missing cells.
    shift_prior
        The prior to which the averages were shifted, or None.

    See Also
    --------
    rankscape.domains.prepare

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72]]
    >>> P = rs.Performances.from_counts(rows, names=["m", "m"], domains=["x", "y"])
    >>> prepared = rs.domains.prepare(P, weights={"x": 3, "y": 1}, shift_prior=0.2)
    >>> prepared.performances.priors.tolist()
    [0.2]
    >>> prepared.sentences()[0]
    'Performances (not scores) averaged over 2 domains with the weights given (x 75.0 %, y 25.0 %)'
    """

    given: Performances
    grid: Grid
    weighting: str
    missing: Missing
    shift_prior: Fraction | None

    @cached_property
    def averaged(self) -> Performances:
        """One performance per entity before the shift; the counts themselves where there is one domain only."""
        return self.given if self.given.n_domains < 2 else self.grid.summary()

    @cached_property
    def performances(self) -> Performances:
        """One performance per entity: averaged, then shifted."""
        return self.averaged if self.shift_prior is None else self.averaged.shift_priors(self.shift_prior)

    @cached_property
    def population(self) -> Grid:
        """The grid of the shifted population, whose weighted domains sum to the performances."""
        return shifted(self.grid, self.shift_prior)

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains that are compared; none where none is named."""
        return () if self.given.domains is None else self.grid.domains

    @property
    def weights(self) -> dict[str, Fraction]:
        """The weight of each domain; they sum to 1."""
        return dict(zip(self.domains, self.grid.weights, strict=False))

    @property
    def left_out(self) -> tuple[str, ...]:
        """The domains that are left out because not every entity has them."""
        return self.grid.left_out

    @property
    def lacking(self) -> dict[str, tuple[str, ...]]:
        """The domains that each entity lacks, over which it is not averaged."""
        return self.grid.lacking

    @property
    def weights_in_words(self) -> str:
        """A phrase for the weights of the domains: their kind, and the numbers where these differ."""
        kind = {"given": "the weights given"}.get(self.weighting, f"{self.weighting} weights")
        if self.weighting == "equal":
            return kind
        shares = [f"{label(name)} {percent(float(w)) if w else '0 %'}" for name, w in self.weights.items()]
        return f"{kind} ({some(shares, MOST_NAMED, quote='', word=str)})"

    @property
    def about_average(self) -> str:
        """A sentence on the domains over which the performances are averaged; empty if no domain is named."""
        if not self.domains:
            return ""
        if len(self.domains) == 1:
            return f"On the domain {label(self.domains[0])}"
        over = "up to " if self.lacking else ""
        if self.grid.pooled:
            empty = self.grid.empty
            why = f", because nothing is to be found on {some(empty, MOST_NAMED, quote='')}" if empty else ""
            return f"Counts pooled: those of {over}{len(self.domains)} domains are added{why}"
        what = "Shares of right answers" if is_right_or_wrong(self.given.space) else "Performances (not scores)"
        if mean_of_grades(self.given.space) is not None:
            what = "Mean grades" if self.given.space.name == "grade" else f"Means of {one_line(self.given.space.name)}"
        return f"{what} averaged over {over}{len(self.domains)} domains with {self.weights_in_words}{self.per_thing}"

    @property
    def per_thing(self) -> str:
        """The end of a sentence on domains that are averaged without true negatives; else empty."""
        return ", each measured per thing to be found (fn + tp)" if self.average == PER_THING else ""

    @property
    def average(self) -> str:
        """What is averaged over the domains: "performances", "per thing to be found" or "pooled"."""
        if to_be_found(self.given.space) is None:
            return "performances"
        return "pooled" if self.grid.pooled else PER_THING

    @property
    def only_pooled(self) -> bool:
        """Whether counts are added because a domain has nothing to be found, so that no weights exist."""
        return self.grid.pooled and len(self.domains) > 1 and bool(self.grid.empty)

    @property
    def about_gaps(self) -> tuple[str, ...]:
        """A sentence on the missing results, and how they were treated."""
        n, gaps = len(self.domains), list(self.lacking.items())
        sentences = [
            f"{label(name)} lacks {counted(len(places), 'domain')} ({some(places, MOST_NAMED, quote='')}) and is "
            f"averaged over {n - len(places)} of {n}: not comparable with those tried on all"
            for name, places in gaps[:MOST_NAMED]
        ]
        if gaps[MOST_NAMED:]:
            sentences.append(f"and so {counted(len(gaps) - MOST_NAMED, 'more model')}")
        if self.left_out:
            sentences.append(f"left out because not every model has it: {some(self.left_out, MOST_NAMED, quote='')}")
        return (*sentences, *self.grid.about_sizes())

    @property
    def about_shift(self) -> str:
        """A sentence on the shift of the prior; empty if there is none."""
        if self.shift_prior is None:
            return ""
        low, high = float(self.averaged.priors.min()), float(self.averaged.priors.max())
        before = f"{low:.4g}" if f"{low:.4g}" == f"{high:.4g}" else f"{low:.4g} to {high:.4g}"
        after = " after averaging" if len(self.domains) > 1 else ""
        return (
            f"Prior (share of positives) shifted to {float(self.shift_prior):.4g}{after}; measured: {before}. "
            "The TNR and TPR of every model stay the same"
        )

    @property
    def in_short(self) -> str:
        """The preparation, in the short words of a caption."""
        parts = [self.about_average] if len(self.domains) > 1 else []
        if self.left_out:
            parts.append(f"Without {some(self.left_out, MOST_NAMED, quote='')}")
        if self.shift_prior is not None:
            parts.append(f"Prior shifted to {float(self.shift_prior):.4g}")
        return " ".join(f"{part}." for part in parts)

    def sentences(self) -> tuple[str, ...]:
        """Return one sentence for each step of the preparation, in order; none if there was no step.

        Returns
        -------
        tuple of str
            The sentences, for a reader.
        """
        average = self.about_average if len(self.domains) > 1 else ""
        return tuple(filter(None, (average, *self.about_gaps, self.about_shift)))

    def document(self) -> dict[str, Any]:
        """Return the preparation as a part of a JSON document.

        Returns
        -------
        dict
            The part of a JSON document.
        """
        return {
            "domains": list(self.domains),
            "average": self.average,
            "weights": {name: float(weight) for name, weight in self.weights.items()},
            "missing": self.missing,
            "lacking": {name: list(places) for name, places in self.lacking.items()},
            "left_out": list(self.left_out),
            "shift_prior": None if self.shift_prior is None else float(self.shift_prior),
        }

    def __repr__(self) -> str:
        return f"<Prepared: {counted(len(self.grid.entities), 'entity', 'entities')}; {'; '.join(self.sentences())}>"


def prepare(
    performances: PerformancesLike,
    *,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    shift_prior: PriorLike | None = None,
    policies: Sequence[str] = MISSING,
) -> Prepared:
    """Summarize the domains with weights, then shift the prior of the summary.

    Every command, the card, the explorer and the gate go this way.

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    weights
        The weights of the domains, as in :func:`rankscape.summarize`.
    missing
        What to do where an entity lacks a domain, as in :func:`rankscape.summarize`.
    shift_prior
        The share of positives π₊ of the population that the weights describe; by default none. Label shift comes after
        averaging. To shift each domain first, pass ``P.shift_priors(prior)``.
    policies
        The values of ``missing`` that the caller has.

    Returns
    -------
    Prepared
        One performance per entity, and how it came about.

    Raises
    ------
    DataError
        For missing cells, and for an entity without cases of a class that must appear.
    UsageError
        For weights or a prior that mean nothing.

    See Also
    --------
    rankscape.summarize

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = [[85, 5, 4, 6], [8, 2, 18, 72]]
    >>> P = rs.Performances.from_counts(rows, names=["m", "m"], domains=["x", "y"])
    >>> after = rs.domains.prepare(P, shift_prior=0.1).performances
    >>> first = rs.domains.prepare(P.shift_priors(0.1)).performances
    >>> after.mass.round(3).tolist(), first.mass.round(3).tolist()
    ([[0.837, 0.063, 0.022, 0.078]], [[0.785, 0.115, 0.03, 0.07]])
    """
    chosen = as_performances(performances)
    prior = checked_shift(shift_prior, chosen.space)
    grid = arranged(chosen, weights, missing, policies)
    kind: str = "given"
    if weights is None or isinstance(weights, str):
        kind = weights or ("size" if grid.pooled else "equal")
    prepared = Prepared(given=chosen, grid=grid, weighting=kind, missing=missing, shift_prior=prior)
    if prior is not None:
        _ = prepared.performances  # raises where an entity lacks a class that must appear
    return prepared


def prepared(given: PerformancesLike | Prepared) -> Prepared:
    """Return what was prepared, or prepare it: equal weights of the domains, and no shift of the prior."""
    return given if isinstance(given, Prepared) else prepare(given)
