"""Performances as points of a plane: ROC space and PR space."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10, nan
from typing import Literal

import numpy as np

from .._scores import Score, as_score, locate, ranking_score, score
from ..checks import needs_tn, unequal_priors
from ..errors import NoPlaceError
from ..geometry.hull import hull
from ..geometry.roc import Pencil, roc_points
from ..kernels.exact import quotients
from ..ordering import rank
from ..outcomes import RIGHT_SIDE, at
from ..performances import Performances
from ..regions import winners
from ..results import MOST_PICTURED, DrawnResult, Table
from ..texts import counted, inside
from ..tile.maps import one_per_entity
from ..typing import Floats, Integers, PerformancesLike, ScoreLike

Flavor = Literal["roc", "pr"]
Window = tuple[float, float, float, float]
SQUARE: Window = (0.0, 0.0, 1.0, 1.0)
LINES = 10  # iso-performance lines to aim at in a window
CURVE = 121
"""Points of a curved line."""

ANY_PRIOR = 1e-6
"""A prior at which nearly all of PR space is reached: F-scores are functions of precision and recall, at any prior."""


class View(DrawnResult):
    """A view of entities, which has a title."""

    title: str
    names: tuple[str, ...]

    @property
    def heading(self) -> str:
        """The title, and of how many entities the view is."""
        return f"{self.title}; {counted(len(self.names), 'model')}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.heading}>"


@dataclass(frozen=True, eq=False, repr=False)
class Preference:
    """A preference seen in a plane: its place, and lines of equal R_{a,b} at equally spaced values.

    Attributes
    ----------
    label, symbol
        What has those values, and the preference: of κ, say, which orders as R_{a,b} but has other values.
    place
        (a, b) on the Tile.
    pencil
        The lines in ROC space.
    levels, lines
        The values, and the points (m, 2) of the line of each.
    best, value, through
        The entities that come first, their value, and the points (m, 2) of the line through them.

    Examples
    --------
    >>> import rankscape as rs
    >>> view = rs.views.roc([[9, 1, 4, 6], [8, 2, 2, 8]], by="f1")
    >>> (
    ...     view.preference.label,
    ...     view.preference.place,
    ...     view.preference.best,
    ...     round(view.preference.value, 3),
    ... )
    ('F_1', (1.0, 0.5), ('P2',), 0.8)
    """

    label: str
    symbol: str
    place: tuple[float, float]
    pencil: Pencil | None
    levels: Floats
    lines: tuple[Floats, ...]
    best: tuple[str, ...]
    value: float
    through: Floats


@dataclass(frozen=True, eq=False, repr=False)
class PointView(View):
    """One point (x, y) per entity, in a plane.

    Attributes
    ----------
    flavor
        The plane: "roc" or "pr".
    title, subtitle
        What the figure is called, and what must be said of averages and priors.
    names
        The entities.
    x, y : (n,)
        The coordinates.
    columns
        {name: numbers (n,)}, all numbers per entity.
    hull : (k,)
        The rows of the vertices of the ROC hull, the constant answers competing, in order, or None where priors differ.
    prior
        The prior that all performances share, or None.
    frontier : (m, 2)
        The hull as a line, what mixtures can reach.
    no_skill : (2, 2)
        The line of performances without skill.
    window
        (x₀, y₀, x₁, y₁), which encloses the points worth looking at.
    preference
        The lines of a preference, or None.
    first
        Without true negatives, who comes first on the right side of the Tile, in the place of the hull.

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.views.roc([[9, 1, 4, 6], [8, 2, 2, 8]]).table()
    entity  fpr  tpr  on_hull
    P1      0.1  0.6  True
    P2      0.2  0.8  True
    """

    flavor: Flavor
    title: str
    names: tuple[str, ...]
    x: Floats
    y: Floats
    columns: dict[str, Floats]
    hull: Integers | None
    prior: float | None
    frontier: Floats | None = None
    no_skill: Floats | None = None
    window: Window = SQUARE
    preference: Preference | None = None
    subtitle: str = ""
    first: tuple[str, ...] = ()

    drawing = "draw_points"

    @property
    def pictured(self) -> bool:
        """Whether a notebook shows the picture by itself."""
        return len(self.names) <= MOST_PICTURED

    def table(self) -> Table:
        """Return one row per entity: its name, its coordinates, and whether it is on the ROC hull (None: unknown).

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        hull = None if self.hull is None else set(self.hull.tolist())
        on = [None if hull is None else row in hull for row in range(len(self.names))]
        return Table({"entity": self.names, **self.columns, "on_hull": on})


def roc(performances: PerformancesLike, by: ScoreLike | None = None, zoom: bool = True) -> PointView:
    """Return the view in ROC space: FPR to the right, TPR upwards, both in [0, 1].

    Priors must be equal for the hull, and for the lines of a preference. (Tile, 3.3.)

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    by
        A preference that has a place (a, b) on the Tile: it adds straight lines of equal R_{a,b} and the one through
        the winner.
    zoom
        Whether the window is around the skillful.

    Returns
    -------
    PointView
        One point per entity; better is to the upper left.

    Raises
    ------
    NoPlaceError
        Where ``by`` has no place.
    DataError
        Where ``by`` is given and priors differ.

    Examples
    --------
    >>> import rankscape as rs
    >>> view = rs.views.roc([[9, 1, 4, 6], [8, 2, 2, 8]], by=[1, 1, 1, 1])
    >>> view.hull.tolist(), view.preference.through.round(12).tolist()
    ([0, 1], [[0.0, 0.6], [0.4, 1.0]])
    """
    return _view("roc", performances, by, zoom)


def pr(performances: PerformancesLike, by: ScoreLike | None = None, zoom: bool = True) -> PointView:
    """Return the view in PR space: recall to the right, precision upwards, both in [0, 1].

    The lines of :func:`roc` become arcs of hyperbolas through the ROC–PR bijection of the prior. Without skill
    precision is π₊. F-scores are functions of precision and recall alone, so their lines are the same where priors
    differ, or true negatives are not known. (Tile, 3.3.)

    Parameters
    ----------
    performances
        The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion matrices
        (n, 2, 2).
    by
        A preference that has a place on the Tile: it adds lines of equal R_{a,b}.
    zoom
        Whether the window is around the skillful.

    Returns
    -------
    PointView
        One point per entity, none where precision is 0/0; better is to the upper right.

    Raises
    ------
    DataError
        Where ``by`` is no F-score and priors differ.

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.views.pr([[9, 1, 4, 6], [10, 0, 10, 0]]).table()["precision"]
    [0.8571428571428571, nan]
    """
    return _view("pr", performances, by, zoom)


def _view(flavor: Flavor, given: PerformancesLike, by: ScoreLike | None, zoom: bool) -> PointView:
    performances, remarks = one_per_entity(given, f"{flavor.upper()} space", flavor == "pr")
    tn, fp, fn, tp = performances.fitting(1).T
    recall = quotients(tp, fn + tp)
    columns = {"fpr": quotients(fp, tn + fp), "tpr": recall}
    prior = performances.common_prior()
    no_skill: Floats | None = np.array([[0.0, 0.0], [1.0, 1.0]])
    if flavor == "pr":
        columns = {"recall": recall, "precision": quotients(tp, fp + tp)}
        no_skill = None if prior is None else np.array([[0.0, prior], [1.0, prior]])
    x, y = columns.values()
    rows = None if prior is None else hull(performances)
    window = _window(performances, rows, x, y) if zoom else SQUARE
    return PointView(
        flavor=flavor, title=f"Who can be first, in {flavor.upper()} space", names=performances.names, x=x, y=y,
        columns=columns, hull=rows, prior=prior,
        frontier=None if rows is None or prior is None else _frontier(performances[rows], prior, flavor),
        no_skill=no_skill, window=window,
        preference=None if by is None else _preference(performances, prior, by, flavor, window),
        subtitle=remarks.strip(), first=winners(performances) if performances.space == RIGHT_SIDE else (),
    )  # fmt: skip


def _frontier(vertices: Performances, prior: float, flavor: Flavor) -> Floats:
    """Return the image of the ROC hull from (0, 0) to (1, 1); the first, where an image is 0/0, is its limit."""
    corners = np.array([[0.0, 0.0], *np.stack(roc_points(vertices), axis=-1), [1.0, 1.0]])
    corners = corners[np.concatenate([[True], np.any(np.diff(corners, axis=0) != 0, axis=1)])]
    if flavor == "roc":
        return np.asarray(corners)
    steps = np.arange(0, len(corners) - 1 + 1e-9, 1 / CURVE)
    fpr, tpr = (np.interp(steps, np.arange(len(corners)), rate) for rate in corners.T)
    fpr[0], tpr[0] = fpr[1] * 1e-6, tpr[1] * 1e-6
    with np.errstate(divide="ignore", invalid="ignore"):
        points = np.stack([tpr, prior * tpr / (prior * tpr + (1 - prior) * fpr)], axis=-1)
    return np.asarray(points[np.isfinite(points).all(axis=1)])


def _window(performances: Performances, rows: Integers | None, x: Floats, y: Floats) -> Window:
    """Return a box around the hull, constant answers aside, and around most of those with half the best skill."""
    if performances.space == RIGHT_SIDE:
        skill = np.nan_to_num(score("f1")(performances), nan=-1.0)
    else:
        fpr, tpr = roc_points(performances)
        skill = np.nan_to_num(tpr - fpr, nan=-1.0)
    skillful = (skill >= skill.max() / 2) & (skill > 0)
    if rows is not None:
        skillful[rows[skill[rows] > 0]] = True
    skillful &= np.isfinite(x) & np.isfinite(y) & (x >= 0) & (y >= 0)
    if not skillful.any():
        return SQUARE
    ends = []
    kept = np.zeros(len(x), dtype=bool) if rows is None else np.isin(np.arange(len(x)), rows) & skillful
    for axis in (x, y):
        low, high = float(axis[skillful].min()), float(axis[skillful].max())
        core = np.concatenate([np.quantile(axis[skillful], [0.05, 0.95]), axis[kept]])
        if float(np.ptp(core)) < 0.6 * (high - low):  # stragglers would take most of the window
            low, high = float(core.min()), float(core.max())
        pad = 0.18 * max(high - low, 0.02)
        ends.append((max(0.0, low - pad), min(1.0, high + pad)))
    (x0, x1), (y0, y1) = ends
    alone = np.count_nonzero(skillful) < 2  # nothing to be compared with, but for the corners
    return SQUARE if alone or max(x1 - x0, y1 - y0) > 0.5 else (x0, y0, x1, y1)


def _preference(
    performances: Performances, prior: float | None, by: ScoreLike, flavor: Flavor, window: Window
) -> Preference:
    """Return the lines of a preference; those of an F-score need in PR space no common prior, and no true negatives."""
    score = as_score(by)
    if performances.space == RIGHT_SIDE or (prior is None and flavor == "pr" and _is_f_score(score)):
        score, seen_at = score.with_tn(), ANY_PRIOR
        a, b = score.place()
        if a != 1:
            raise needs_tn(score.name)
    elif prior is None:
        raise unequal_priors("iso-performance lines need", performances.priors)
    else:
        (a, b), seen_at = locate(by, prior), prior
    star = Pencil(a, b, seen_at)
    curve = star.segment if flavor == "roc" else star.curve
    x0, y0, x1, y1 = window
    corners = ((x1, y0), (x0, y1)) if flavor == "roc" else ((x0, y0), (x1, y1))
    low, high = (float(star.value(*(corner if flavor == "roc" else _rates(*corner, seen_at)))) for corner in corners)
    low, high = 0.0 if np.isnan(low) else low, 1.0 if np.isnan(high) else high
    lines = {level: line for level in _levels(low, high) if (line := curve(level)) is not None}
    rows = np.flatnonzero(rank(performances, by=score).bounds[:, 0] == 1)
    value = float(ranking_score(performances[rows], at(a, b)).max()) if len(rows) else nan  # equal ones round alike
    through = curve(value) if len(rows) else None
    label = _label(score, a, b)
    return Preference(
        label=label, symbol=label if score.symbol == "R_I" else score.symbol, place=(a, b),
        pencil=None if prior is None else star,
        levels=np.array(list(lines)), lines=tuple(lines.values()),
        best=tuple(sorted(performances.names[row] for row in rows)), value=value,
        through=np.empty((0, 2)) if through is None else through,
    )  # fmt: skip


def _is_f_score(score: Score) -> bool:
    """Tell whether a preference is an F-score, a function of precision and recall alone."""
    try:
        return score.place()[0] == 1
    except NoPlaceError:
        return False


def _rates(recall: float, precision: float, prior: float) -> tuple[float, float]:
    """Return FPR and TPR; where no performance has such a precision, those of the nearest one."""
    fpr = min(1.0, recall * (1 / precision - 1) * prior / (1 - prior)) if precision else 1.0
    return fpr, recall


def _label(score: Score, a: float, b: float) -> str:
    """Return the symbol of a score whose values are those of R_{a,b}, else R(a, b)."""
    weights = score.importance
    same = weights is not None and weights[0] + weights[3] == weights[1] + weights[2] and score.direction == "larger"
    return score.symbol if same and score.symbol != "R_I" else f"R({inside(a)}, {inside(b)})"


def _levels(low: float, high: float) -> list[float]:
    """Return multiples of 1, 2 or 5 times a power of ten between two values, about as many as ``LINES``.

    >>> _levels(0.1, 0.97)
    [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    """
    if not high > low:
        return []
    rough = (high - low) / (LINES + 1)
    power = 10.0 ** floor(log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * (1 - 1e-9))
    digits = max(0, -floor(log10(step) + 1e-9))
    multiples = (round(k * step, digits) for k in range(floor(low / step) + 1, floor(high / step) + 1))
    return [level for level in multiples if low < level < high]
