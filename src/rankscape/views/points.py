"""Performances as points of a plane: ROC, PR and precision-recall-gain space, and the performance diagram."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import floor, log10
from typing import Any

import numpy as np

from .._scores import Score, as_score, locate
from ..checks import WAYS_TO_EQUAL_PRIORS
from ..errors import DataError
from ..geometry.roc import Line, Pencil, hull, iso_curve_pr, iso_line, pencil, pr_points, roc_points
from ..kernels.exact import quotients
from ..ordering import rank
from ..performances import Performances
from ..results import Table
from ..texts import inside
from ..tile.maps import one_per_entity
from ..typing import Floats, Integers

Window = tuple[float, float, float, float]
SQUARE: Window = (0.0, 0.0, 1.0, 1.0)
LINES = 10  # iso-performance lines to aim at in a window
CURVE = 121  # points of a curved line
CSI_LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
BIASES = (0.25, 0.5, 0.8, 1.0, 1.25, 2.0, 4.0)


@dataclass(frozen=True, eq=False, repr=False)
class Preference:
    """A preference seen in a plane: its place (a, b), and lines of equal R_{a,b} at equally spaced values.

    ``lines`` holds one array of points (m, 2) per value of ``levels``; ``through`` the line through the ``best``
    entities, whose value is ``value``; ``pencil`` the lines in ROC space. ``label`` names what has those values,
    ``symbol`` the preference: of κ, say, which orders as R_{a,b} but has other values.

    >>> view = roc([[9, 1, 4, 6], [8, 2, 2, 8]], by="f1")
    >>> view.preference.label, view.preference.place, view.preference.best, round(view.preference.value, 3)
    ('F_1', (1.0, 0.5), ('P2',), 0.8)
    """

    label: str
    symbol: str
    place: tuple[float, float]
    pencil: Pencil
    levels: Floats
    lines: tuple[Floats, ...]
    best: tuple[str, ...]
    value: float
    through: Floats


@dataclass(frozen=True, eq=False, repr=False)
class PointView:
    """One point (x, y) per entity; ``flavor`` says in which plane: "roc", "pr", "gain" or "diagram".

    ``hull`` holds the rows of the vertices of the ROC hull, the constant answers competing, in order, or None where
    priors differ, and ``frontier`` (m, 2) is the hull as a line, what mixtures can reach; ``columns`` has all numbers
    per entity, ``no_skill`` is the line, (2, 2), of performances without skill;
    ``window`` (x₀, y₀, x₁, y₁) encloses the points worth looking at; ``contours`` named lines of the plane itself.

    >>> roc([[9, 1, 4, 6], [8, 2, 2, 8]]).table()
    entity  fpr  tpr  on_hull
    P1      0.1  0.6  True
    P2      0.2  0.8  True
    """

    flavor: str
    title: str
    names: tuple[str, ...]
    x: Floats
    y: Floats
    columns: dict[str, Any]
    hull: Integers | None
    prior: float | None
    frontier: Floats | None = None
    no_skill: Floats | None = None
    window: Window = SQUARE
    preference: Preference | None = None
    contours: dict[str, dict[float, Floats]] = field(default_factory=dict)
    subtitle: str = ""

    def table(self) -> Table:
        """Return one row per entity: its name, its coordinates, and whether it is on the ROC hull (None: unknown)."""
        rows = range(len(self.names))
        on = [None if self.hull is None else row in set(self.hull.tolist()) for row in rows]
        return Table({"entity": self.names, **self.columns, "on_hull": on})

    def frame(self) -> Any:
        """Return the table as a pandas data frame where pandas is installed."""
        return self.table().frame()

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the view on matplotlib axes (new ones by default) and return them."""
        from ..plots.roc import draw_points

        return draw_points(self, ax=ax, **options)

    def __repr__(self) -> str:
        return f"<PointView: {self.title}; {len(self.names)} entities>"


def entities(performances: Any) -> tuple[Performances, str]:
    """Return one performance per entity, and what must be said of averages and priors.

    >>> entities([[9, 1, 4, 6], [8, 2, 12, 8]])[1]
    'Shares of positives differ: 0.5 to 0.667.'
    """
    performances, said = one_per_entity(performances, "this view")
    return performances, said.strip()


@dataclass(frozen=True)
class _Plane:
    """A plane over ROC space: its image of an iso-performance line, the way back, and whether better is to the left."""

    flavor: str
    title: str
    curve: Callable[[tuple[float, float], float, float], Floats | None]  # place, prior, value → points (m, 2)
    back: Callable[[float, float, float], tuple[float, float]]  # x, y, prior → FPR, TPR
    image: Callable[[Floats, Floats, float], tuple[Floats, Floats]]  # FPR, TPR, prior → x, y
    left: bool = False


def roc(performances: Any, by: Any = None, zoom: bool = True) -> PointView:
    """Return the view in ROC space: FPR to the right, TPR upwards, both in [0, 1]; better is to the upper left.

    ``by``, a preference in any form that has a place (a, b) on the Tile, adds straight lines of equal R_{a,b} and the
    one through the winner; it needs equal priors (DataError), and without these the hull is None. ``zoom`` chooses a
    window around the skillful. (Tile, 3.3.)
    Raises NoPlaceError where ``by`` has no place.

    >>> view = roc([[9, 1, 4, 6], [8, 2, 2, 8]], by=[1, 1, 1, 1])
    >>> view.hull.tolist(), view.preference.through.round(12).tolist()
    ([0, 1], [[0.0, 0.6], [0.4, 1.0]])
    """
    performances, said = entities(performances)
    fpr, tpr = roc_points(performances)
    diagonal = np.array([[0.0, 0.0], [1.0, 1.0]])
    return _view(performances, said, _ROC, {"fpr": fpr, "tpr": tpr}, by, zoom, diagonal)


def pr(performances: Any, by: Any = None, zoom: bool = True) -> PointView:
    """Return the view in PR space: recall to the right, precision upwards, both in [0, 1]; the upper right is best.

    As :func:`roc`, whose lines become arcs of hyperbolas through the ROC–PR bijection of the prior. Without skill
    precision is π₊. NaN, and no point, where precision is 0/0. (Tile, 3.3.)
    Raises DataError where ``by`` is given and priors differ.

    >>> pr([[9, 1, 4, 6], [10, 0, 10, 0]]).table()["precision"]
    [0.8571428571428571, nan]
    """
    performances, said = entities(performances)
    recall, precision = pr_points(performances)
    prior = performances.common_prior()
    level = None if prior is None else np.array([[0.0, prior], [1.0, prior]])
    return _view(performances, said, _PR, {"recall": recall, "precision": precision}, by, zoom, level)


def precision_recall_gain(performances: Any, by: Any = None, zoom: bool = True) -> PointView:
    """Return the view in precision-recall-gain space: recall gain to the right, precision gain upwards, at most 1.

    Precision gain (Prec − π₊)/((1 − π₊)Prec) = 1 − FPR/TPR, recall gain (Rec − π₊)/((1 − π₊)Rec), each with the
    entity's own prior; the upper right is best, below 0 is worse than "always positive"; NaN where TP = 0. It is the
    right side of the Tile: F_β is constant on lines of slope −β² = −b/(1 − b), and as the image of ROC space is
    projective, the lines of every R_{a,b} are straight. (Flach and Kull, Precision-Recall-Gain Curves, 2015.)
    Raises DataError where ``by`` is given and priors differ.

    >>> view = precision_recall_gain([[6, 2, 1, 3]])
    >>> view.x.round(12).tolist(), view.y.round(12).tolist()
    ([0.833333333333], [0.666666666667])
    """
    performances, said = entities(performances)
    tn, fp, fn, tp = performances.integers.T
    gains = {
        "recall_gain": quotients((tn + fp) * tp - (fn + tp) * fn, (tn + fp) * tp),
        "precision_gain": quotients((tn + fp) * tp - (fn + tp) * fp, (tn + fp) * tp),
    }
    return _view(performances, said, _GAIN, gains, by, zoom, np.array([[0.0, 0.0], [1.0, 0.0]]))


def performance_diagram(performances: Any, zoom: bool = True) -> PointView:
    """Return the performance diagram of forecasters: success ratio to the right, probability of detection upwards.

    Success ratio 1 − FAR = precision, POD = recall; ``contours`` has the curves of equal critical success index
    CSI = 1/(1/SR + 1/POD − 1), which orders as F₁, the place (1, ½) of the Tile, and the lines of equal frequency bias
    POD/SR; NaN where undefined. Better is to the upper right, and bias 1 unbiased. (Roebber, Visualizing multiple
    measures of forecast quality, 2009.)
    Raises UsageError for performances that are not of two classes.

    >>> performance_diagram([[2680, 72, 23, 28]]).table()["csi"]  # Finley's tornadoes, 1884
    [0.22764227642276422]
    """
    performances, said = entities(performances)
    pod, ratio = pr_points(performances)
    _, fp, fn, tp = performances.integers.T
    columns = {
        "success_ratio": ratio, "pod": pod, "csi": quotients(tp, fp + fn + tp), "bias": quotients(fp + tp, fn + tp)
    }  # fmt: skip
    prior = performances.common_prior()
    level = None if prior is None else np.array([[prior, 0.0], [prior, 1.0]])
    contours: dict[str, dict[float, Floats]] = {"CSI": {}, "bias": {}}
    for csi in CSI_LEVELS:
        x = np.linspace(csi, 1, CURVE)
        contours["CSI"][csi] = np.stack([x, 1 / (1 / csi + 1 - 1 / x)], axis=-1)
    for bias in BIASES:
        contours["bias"][bias] = np.array([[0.0, 0.0], [min(1, 1 / bias), min(1, bias)]])
    return _view(performances, said, _DIAGRAM, columns, None, zoom, level, contours)


def _gain_line(place: tuple[float, float], prior: float, value: float) -> Floats | None:
    """Return the image of an iso-performance line: FPR/TPR = 1 − precision gain, 1/TPR = 1 + (1 − recall gain)π₋/π₊."""
    line, odds = iso_line(*place, prior, value), (1 - prior) / prior
    return Line(-line.w * odds, -line.u, line.u + line.v + line.w * (1 + odds)).clip()


def _gain_back(x: float, y: float, prior: float) -> tuple[float, float]:
    tpr = 1 / (1 + (1 - x) * (1 - prior) / prior)
    return (1 - y) * tpr, tpr


def _pr_curve(place: tuple[float, float], prior: float, value: float) -> Floats | None:
    points = np.stack(iso_curve_pr(*place, prior, value, CURVE), axis=-1)
    return points if len(points) else None


def _pr_back(x: float, y: float, prior: float) -> tuple[float, float]:
    """Return FPR and TPR of a point; where no performance has such a precision, those of the nearest one."""
    return (min(1.0, x * (1 / y - 1) * prior / (1 - prior)) if y else 1.0), x


def _pr_image(fpr: Floats, tpr: Floats, prior: float) -> tuple[Floats, Floats]:
    return tpr, prior * tpr / (prior * tpr + (1 - prior) * fpr)


def _gain_image(fpr: Floats, tpr: Floats, prior: float) -> tuple[Floats, Floats]:
    return 1 - prior / (1 - prior) * (1 - tpr) / tpr, 1 - fpr / tpr


_ROC = _Plane(
    "roc", "Who can be first, in ROC space",
    lambda at, prior, value: iso_line(*at, prior, value).clip(), lambda x, y, _: (x, y), lambda x, y, _: (x, y),
    left=True,
)  # fmt: skip
_PR = _Plane("pr", "Who can be first, in PR space", _pr_curve, _pr_back, _pr_image)
_GAIN = _Plane("gain", "Who can be first, in PR-gain space", _gain_line, _gain_back, _gain_image)
_DIAGRAM = _Plane(
    "diagram", "Performance diagram", _pr_curve, _pr_back, lambda x, y, prior: _pr_image(x, y, prior)[::-1]
)  # fmt: skip


def _view(
    performances: Performances,
    said: str,
    plane: _Plane,
    columns: dict[str, Floats],
    by: Any,
    zoom: bool,
    no_skill: Floats | None,
    contours: dict[str, dict[float, Floats]] | None = None,
) -> PointView:
    x, y = list(columns.values())[:2]
    prior = performances.common_prior()
    rows = None if prior is None else hull(performances)
    window = _window(performances, rows, x, y) if zoom else SQUARE
    preference = None if by is None else _preference(performances, prior, by, plane, window)
    frontier = None if rows is None or prior is None else _frontier(performances[rows], prior, plane)
    return PointView(
        plane.flavor, plane.title, performances.names, x, y, dict(columns), rows, prior, frontier, no_skill, window,
        preference, contours or {}, said,
    )  # fmt: skip


def _frontier(vertices: Performances, prior: float, plane: _Plane) -> Floats:
    """Return the image of the ROC hull from (0, 0) to (1, 1); the first, where an image is 0/0, is its limit."""
    corners = np.array([[0.0, 0.0], *np.stack(roc_points(vertices), axis=-1), [1.0, 1.0]])
    corners = corners[np.concatenate([[True], np.any(np.diff(corners, axis=0) != 0, axis=1)])]
    if plane.flavor == "roc":
        return np.asarray(corners)
    steps = np.arange(0, len(corners) - 1 + 1e-9, 1 / CURVE)
    fpr, tpr = (np.interp(steps, np.arange(len(corners)), rate) for rate in corners.T)
    fpr[0], tpr[0] = fpr[1] * 1e-6, tpr[1] * 1e-6
    with np.errstate(divide="ignore", invalid="ignore"):
        points = np.stack(plane.image(fpr, tpr, prior), axis=-1)
    return points[np.isfinite(points).all(axis=1)]


def _window(performances: Performances, rows: Integers | None, x: Floats, y: Floats) -> Window:
    """Return a box around the hull, constant answers aside, and around most of those with half the best skill."""
    fpr, tpr = roc_points(performances)
    skill = np.nan_to_num(tpr - fpr, nan=-1.0)
    shown = (skill >= skill.max() / 2) & (skill > 0)
    if rows is not None:
        shown[rows[skill[rows] > 0]] = True
    shown &= np.isfinite(x) & np.isfinite(y) & (x >= 0) & (y >= 0)
    if not shown.any():
        return SQUARE
    ends = []
    kept = np.zeros(len(x), dtype=bool) if rows is None else np.isin(np.arange(len(x)), rows) & shown
    for axis in (x, y):
        low, high = float(axis[shown].min()), float(axis[shown].max())
        core = np.concatenate([np.quantile(axis[shown], [0.05, 0.95]), axis[kept]])
        if float(np.ptp(core)) < 0.6 * (high - low):  # stragglers would take most of the window
            low, high = float(core.min()), float(core.max())
        pad = 0.18 * max(high - low, 0.02)
        ends.append((max(0.0, low - pad), min(1.0, high + pad)))
    (x0, x1), (y0, y1) = ends
    alone = np.count_nonzero(shown) < 2  # nothing to be compared with, but for the corners
    return SQUARE if alone or max(x1 - x0, y1 - y0) > 0.5 else (x0, y0, x1, y1)


def _preference(performances: Performances, prior: float | None, by: Any, plane: _Plane, window: Window) -> Preference:
    if prior is None:
        raise DataError("iso-performance lines need equal priors; here they differ", way_out=WAYS_TO_EQUAL_PRIORS)
    a, b = place = locate(by, prior)
    score = as_score(by)
    star = pencil(a, b, prior)
    x0, y0, x1, y1 = window
    best_corner, worst_corner = ((x0, y1), (x1, y0)) if plane.left else ((x1, y1), (x0, y0))
    worst, top = (float(star.value(*plane.back(*corner, prior))) for corner in (worst_corner, best_corner))
    levels = _levels(0.0 if np.isnan(worst) else worst, 1.0 if np.isnan(top) else top)
    kept = [(level, line) for level in levels if (line := plane.curve(place, prior, level)) is not None]
    ranking = rank(performances, by=score)
    rows = np.flatnonzero(ranking.bounds[:, 0] == 1)
    value = float(star.value(*(rate[rows[0]] for rate in roc_points(performances)))) if len(rows) else float("nan")
    through = plane.curve(place, prior, value) if len(rows) else None
    label = _label(score, a, b)
    return Preference(
        label, label if score.symbol == "R_I" else score.symbol, place, star,
        np.array([level for level, _ in kept]), tuple(line for _, line in kept),
        tuple(performances.names[row] for row in rows), value, np.empty((0, 2)) if through is None else through,
    )  # fmt: skip


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
    found = [round(k * step, digits) for k in range(floor(low / step) + 1, floor(high / step) + 1)]
    return [level for level in found if low < level < high]
