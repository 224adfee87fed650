"""Performances as curves over the diagonal of the Tile: cost curves and decision curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import PRIOR_TOLERANCE, checked_prior, unequal_priors
from ..checks.numbers import meant
from ..errors import DataError, UsageError
from ..geometry.hull import first_intervals
from ..geometry.roc import roc_points
from ..performances import Performances
from ..results import Table
from ..texts import one_line
from ..tile.maps import one_per_entity
from ..typing import Direction, Floats, PerformancesLike, PriorLike
from .points import View

POINTS = 101
ANSWERS = ("always negative", "always positive")
TREATMENTS = ("treat none", "treat all")


class OperatingPoints(Protocol):
    """What happens at every threshold: ``thresholds`` (k,), decreasing from ∞, and ``counts`` (k, 4) at score ≥ t."""

    @property
    def thresholds(self) -> Floats:
        """The thresholds."""

    @property
    def counts(self) -> NDArray[Any]:
        """The sums of weights tn, fp, fn, tp."""


@dataclass(frozen=True, eq=False, repr=False)
class CurveView(View):
    """One curve per entity over x.

    Of :func:`decision_curves` ``first`` is on the grid, up to the last x: who is first at ``low``, and at all other x
    below ``high``.

    Attributes
    ----------
    flavor
        "cost" or "decision".
    title, subtitle
        What the figure is called.
    names
        The entities.
    x : (m,)
        The grid.
    values : (n, m)
        The curves.
    references
        {name: curve (m,)}, those of the constant answers.
    first
        Who is first where, the constant answers competing: (names, low, high) along x, without gaps and exactly, not on
        the grid of x; tied entities together.
    prior
        The prior that all performances share, or None.

    Examples
    --------
    >>> import rankscape as rs
    >>> [
    ...     (names, round(high, 3))
    ...     for names, _, high in rs.views.cost_curve([[9, 1, 4, 6], [8, 2, 2, 8]]).first
    ... ]
    [(('always negative',), 0.143), (('P1',), 0.333), (('P2',), 0.8), (('always positive',), 1.0)]
    """

    flavor: Literal["cost", "decision"]
    title: str
    names: tuple[str, ...]
    x: Floats
    values: Floats
    references: dict[str, Floats]
    first: tuple[tuple[tuple[str, ...], float, float], ...]
    prior: float | None
    subtitle: str = ""

    drawing = "draw_curves"

    @property
    def better(self) -> Direction:
        """Which values are better."""
        return "smaller" if self.flavor == "cost" else "larger"

    def table(self) -> Table:
        """Return one row per curve and x, those of the constant answers at the end: entity, x, value.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        names = [*self.names, *self.references]
        values = np.concatenate([self.values, *(line[None] for line in self.references.values())])
        entity = [name for name in names for _ in self.x]
        return Table({"entity": entity, "x": np.tile(self.x, len(names)), "value": values.ravel()})


def cost_curve(performances: PerformancesLike) -> CurveView:
    """Return the cost curves: normalized expected cost FNR·PC + FPR·(1 − PC) over the probability-cost PC.

    PC = π₊c_fn / (π₊c_fn + π₋c_fp) says how much the positive class matters, by its share and its costs together; a
    line is straight. It is the diagonal of the Tile: with t = PC·π₋ / (PC·π₋ + (1 − PC)·π₊) the cost is 1 − R_{t,t}, so
    t = PC for priors of ½. Priors may differ. (Drummond and Holte, Cost curves, 2006.)

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).

    Returns
    -------
    CurveView
        The costs, in [0, 1]; smaller is better.

    Raises
    ------
    DataError
        Where a class has no cases.
    UsageError
        For performances that are not of two classes.

    Examples
    --------
    >>> import rankscape as rs
    >>> view = rs.views.cost_curve([[9, 1, 4, 6]])
    >>> view.x[::50].tolist(), view.values[0, ::50].round(12).tolist()
    ([0.0, 0.5, 1.0], [0.1, 0.25, 0.4])
    """
    performances, remarks = one_per_entity(performances, "this view")
    prior = performances.common_prior()
    first = _first(performances if prior is not None else performances.shift_priors(Fraction(1, 2)), *ANSWERS)
    fpr, tpr = (rate[:, None] for rate in roc_points(performances))
    x = np.linspace(0, 1, POINTS)
    return CurveView(
        flavor="cost", title="Expected cost, for all costs and priors", names=performances.names, x=x,
        values=(1 - tpr) * x + fpr * (1 - x), references=dict(zip(ANSWERS, (x.copy(), 1 - x), strict=True)),
        first=first, prior=prior, subtitle=remarks.strip(),
    )  # fmt: skip


def decision_curve(performances: PerformancesLike, thresholds: ArrayLike | None = None) -> CurveView:
    """Return the decision curves: net benefit P(tp) − P(fp)·p_t/(1 − p_t) over the threshold p_t.

    p_t is the probability above which you act, so that a false alarm costs p_t/(1 − p_t) of what a detection gains.
    "treat none" has 0, "treat all" π₊ − π₋·p_t/(1 − p_t). The order at p_t is that of R_{t,t} at t = 1 − p_t, the
    diagonal of the Tile: net benefit = (R_{t,t}·E[I] − π₋p_t)/(1 − p_t). Every entity is one fixed classifier: where it
    comes from a risk model, its own threshold does not follow p_t, as :func:`decision_curves` has it. (Vickers and
    Elkin, Decision curve analysis, 2006.)

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    thresholds : (m,)
        The thresholds p_t, in [0, 1); by default a regular grid.

    Returns
    -------
    CurveView
        The net benefit; larger is better.

    Raises
    ------
    DataError
        Where priors differ.
    UsageError
        For thresholds outside [0, 1).

    Examples
    --------
    >>> import rankscape as rs
    >>> view = rs.views.decision_curve([[9, 1, 4, 6], [8, 2, 2, 8]], thresholds=[0.2, 0.5])
    >>> view.values.round(12).tolist(), view.references["treat all"].tolist()
    ([[0.2875, 0.25], [0.375, 0.3]], [0.375, 0.0])
    """
    x = _probabilities(thresholds)
    performances, remarks = one_per_entity(performances, "this view")
    prior = performances.common_prior()
    if prior is None:
        raise unequal_priors("decision curves need", performances.priors)
    price = x / (1 - x)
    _, fp, _, tp = performances.mass.T[:, :, None]
    first = _first(performances, *TREATMENTS)
    turned = [(names, _threshold(high, prior), _threshold(low, prior)) for names, low, high in first]
    return CurveView(
        flavor="decision", title="Net benefit, for every threshold", names=performances.names, x=x,
        values=tp - fp * price,
        references=dict(zip(TREATMENTS, (np.zeros_like(x), prior - (1 - prior) * price), strict=True)),
        first=tuple(turned[::-1]), prior=prior, subtitle=remarks.strip(),
    )  # fmt: skip


def decision_curves(
    models: Mapping[str, OperatingPoints], thresholds: ArrayLike | None = None, prior: PriorLike | None = None
) -> CurveView:
    """Return the decision curves of risk models, whose own threshold is p_t: positive where the risk is at least p_t.

    At p_t a model has the counts of that threshold, and the net benefit P(tp) − P(fp)·p_t/(1 − p_t), per case. Larger
    is better; "treat none" has 0, "treat all" π₊ − π₋·p_t/(1 − p_t). (Vickers and Elkin, 2006.)

    Parameters
    ----------
    models
        The operating points of each model by its name, as of :func:`rankscape.sweep`. Scores must be risks in [0, 1].
    thresholds : (k,), optional
        The p_t in [0, 1), in increasing order; by default 0, 0.01, …, 0.99.
    prior
        The share of positives π₊ to which all are shifted, TPR and FPR as they are at p_t: the risks themselves do not
        change. By default that of the data.

    Returns
    -------
    CurveView
        With one curve per model. Where a model does not do better than treating none or all, that one is first.

    Raises
    ------
    DataError
        For scores that are no probabilities, for models whose priors differ where ``prior`` does not say which one is
        meant, and for a class without cases that a prior needs.
    UsageError
        For thresholds outside [0, 1) or not in order, and where there is no model.

    Examples
    --------
    >>> import rankscape as rs
    >>> risk = rs.sweep([0, 0, 0, 1, 1], [0.1, 0.2, 0.6, 0.4, 0.8])
    >>> view = rs.views.decision_curves({"risk": risk}, thresholds=[0.2, 0.5])
    >>> view.values.round(12).tolist(), view.references["treat all"].round(12).tolist()
    ([[0.3, 0.0]], [0.25, -0.2])
    >>> rs.views.decision_curves({"risk": risk}, thresholds=[0.2], prior=0.1).values.round(3).tolist()
    [[-0.05]]
    """
    x = _probabilities(thresholds)
    if not (x[1:] > x[:-1]).all() or not len(x):
        raise UsageError("thresholds must be given in increasing order, each once")
    if not models:
        raise UsageError("decision_curves needs at least one model")
    share = None if prior is None else checked_prior(prior)
    counts = np.stack([_counts_at(name, points, x) for name, points in models.items()])
    cases = counts[:, 0].reshape(-1, 2, 2).sum(axis=-1)
    priors, subtitle = (cases[:, 1] / cases.sum(axis=1)).astype(np.float64), ""
    if share is None and np.ptp(priors) > PRIOR_TOLERANCE:
        way_out = "count the same cases for all, or pass prior= to shift them to one"
        raise DataError("decision curves need equal priors; here they differ", way_out=way_out)
    if share is not None:
        for name, numbers in zip(models, cases, strict=True):
            for kind, part, number in zip(("negative", "positive"), (1 - share, share), numbers, strict=True):
                if part and not number:
                    lacking = f"it has no {kind} cases: its prior cannot be shifted to {share:g}"
                    raise DataError(lacking, where=f'"{one_line(name)}"')
        low, high = f"{priors.min():.4g}", f"{priors.max():.4g}"
        subtitle = f"Prior shifted to {share:.4g}; measured: {low if low == high else f'{low} to {high}'}."
    (negative, positive), m = cases[0], len(x)
    constant = np.array([[negative, 0, positive, 0], [0, negative, 0, positive]], dtype=counts.dtype)
    counts = np.concatenate([np.repeat(constant[:, None], m, axis=1), counts]).reshape(-1, 4)
    whole = counts.dtype == object  # of averaged domains: integers up to a factor
    points = Performances.from_operating_points(counts, np.arange(len(counts), dtype=np.float64), cases=not whole)
    if prior is not None:
        points = points.shift_priors(meant(prior))
    _, fp, _, tp = points.mass.reshape(-1, m, 4).transpose(2, 0, 1)
    values = tp - fp * (x / (1 - x))
    return CurveView(
        flavor="decision", title="Net benefit of risk models, for every threshold", names=tuple(models), x=x,
        values=values[2:], references=dict(zip(TREATMENTS, values, strict=False)),
        first=_first_on_grid((*TREATMENTS, *models), x, values, points.integers.reshape(-1, m, 4)),
        prior=float(priors[0]) if share is None else share, subtitle=subtitle,
    )  # fmt: skip


def _probabilities(thresholds: ArrayLike | None) -> Floats:
    x = np.arange(100) / 100 if thresholds is None else np.atleast_1d(np.asarray(thresholds, dtype=np.float64))
    if x.ndim != 1 or not ((x >= 0) & (x < 1)).all():
        raise UsageError("thresholds are probabilities p_t in [0, 1), in one dimension")
    return x


def _counts_at(name: str, points: OperatingPoints, x: Floats) -> NDArray[Any]:
    """Return the counts (m, 4) of a model at its thresholds x, after checking that they can be risks."""
    finite = points.thresholds[np.isfinite(points.thresholds)]
    if len(finite) and (finite.max() > 1 or finite.min() < 0):
        raise DataError(
            f"scores from {finite.min():.4g} to {finite.max():.4g} are no risks", where=f'"{one_line(name)}"',
            expected="probabilities in [0, 1]",
            way_out="calibrate the model, or use decision_curve for its performance at one threshold",
        )  # fmt: skip
    return np.asarray(points.counts[np.searchsorted(-points.thresholds, -x, side="right") - 1])


def _first_on_grid(
    names: tuple[str, ...], x: Floats, values: Floats, integers: NDArray[Any]
) -> tuple[tuple[tuple[str, ...], float, float], ...]:
    """Return who is first at each x, neighbors with the same answer together; a constant answer before its equals.

    Ties are decided at the x that are meant: 0.2 is 1/5.
    """
    close = values >= values.max(axis=0) - 1e-9 * (1 + np.abs(values).max(axis=0))
    leaders: list[tuple[str, ...]] = []
    for k, p in enumerate(map(meant, x.tolist())):
        exact = {}
        for i in np.flatnonzero(close[:, k]).tolist():
            tn, fp, fn, tp = integers[i, k].tolist()
            exact[i] = (tp - fp * p / (1 - p)) / (tn + fp + fn + tp)
        best = [i for i, value in exact.items() if value == max(exact.values())]
        leaders.append(tuple(names[i] for i in ([best[0]] if best[0] < len(TREATMENTS) else best)))
    starts = [k for k in range(len(x)) if k == 0 or leaders[k] != leaders[k - 1]]
    ends = [*(float(x[k]) for k in starts[1:]), float(x[-1])]
    return tuple((leaders[k], float(x[k]), end) for k, end in zip(starts, ends, strict=True))


def _threshold(cost: float, prior: float) -> float:
    """Return p_t at a probability-cost: PC = π₊(1 − p_t) / (π₊(1 − p_t) + π₋p_t), solved for p_t."""
    return prior * (1 - cost) / (prior * (1 - cost) + (1 - prior) * cost)


def _first(performances: Performances, never: str, always: str) -> tuple[tuple[tuple[str, ...], float, float], ...]:
    """Return who is first along the probability-cost, by name; rows of nobody are those of a constant answer."""
    return tuple(
        (tuple(performances.names[row] for row in rows) or (never if low == 0 else always,), low, high)
        for rows, low, high in first_intervals(performances, corners=True)
    )
