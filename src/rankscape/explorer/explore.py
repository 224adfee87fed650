"""``rs.explore``: the explorer as a page in a file, or as a widget in a notebook."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..domains import Prepared, prepare
from ..errors import Option, UsageError
from ..kernels.exact import integers_of_fractions
from ..outcomes import TWO_CLASS
from ..outputs import checked_path, write_whole
from ..performances import Performances, as_performances
from ..tasks.pairs import Pairs
from ..tasks.regression import criterion, exact_sums
from ..tasks.success import graded
from ..typing import (
    Floats,
    Integers,
    PathLike,
    PerformancesLike,
    PosteriorMethod,
    PriorLike,
    RandomLike,
    Resample,
    ScoreLike,
    WeightsLike,
)
from ..uncertainty import Draws
from ..uncertainty.defaults import LEVEL
from ..uncertainty.errors import DEFAULT, width_of
from ..uncertainty.page_inputs import WinningPoints, WithThresholds, prepared_and_drawn
from . import build
from .build import POLICIES, Policy
from .document import Page
from .widget import still_of, widget

if TYPE_CHECKING:
    from anywidget import AnyWidget


def explore(
    performances: PerformancesLike | Draws | WithThresholds | Pairs,
    path: PathLike | None = None,
    *,
    by: ScoreLike | None = None,
    title: str | None = None,
    draws: int | None = None,
    rng: RandomLike = None,
    level: float = LEVEL,
    method: PosteriorMethod = "exchangeable",
    resample: Resample | None = None,
    weights: WeightsLike | None = None,
    missing: Policy = "error",
    shift_prior: PriorLike | None = None,
) -> Path | AnyWidget:
    """Write the explorer: one HTML page that opens offline and shows all sound rankings.

    Of two classes, the page links the Tile, the leaderboard, ROC and PR space, and takes other tables dropped into it.
    Of any other finite sample space (success, several classes, retrieval, detection, your own) it is simpler: a
    leaderboard, the preference as sliders, what each class is like, and the domains with their weights. Without true
    negatives there is one main slider, what a miss is worth, on the right side of the Tile. Of regressors
    (:func:`rankscape.tasks.regression.evaluate`) it shows errors, over all cases and by bands of the true values, which
    are weighted as domains are.

    Parameters
    ----------
    performances
        What :func:`rankscape.rank` takes, counts or probabilities, on one or several domains; or draws, such as those
        of :func:`rankscape.uncertainty.paired`. Of models with thresholds, a :class:`rankscape.decisions.Sweeps`, the
        entities are the operating points that win somewhere, such as "network at 0.153"; those of one model share a
        color. They have no draws, because their thresholds were chosen on these cases:
        :func:`rankscape.decisions.decide` says what to expect.
    path
        The file to write; without one, a widget for notebooks is returned.
    by
        The score at which the page opens, by default that of :func:`rankscape.rank`. Of ``rankscape.costs(…)`` the page
        also shows expected costs.
    title
        The heading of the page.
    draws, rng, level, method, resample
        The page says how sure the ranking is by draws that Python made and the page carries, as in
        :func:`rankscape.uncertainty.rank_intervals`; 0 draws: none. Of many entities it carries fewer, and says so.
    weights, missing
        The weights of the domains, and "error", or "complete" (those domains that all entities share), as in
        :func:`rankscape.summarize`. Weights can be moved on the page.
    shift_prior
        The share of positives to which the averages are shifted, of two classes. It can be moved on the page.

    Returns
    -------
    Path or AnyWidget
        The path; or a widget, which needs ``pip install "rankscape[notebook]"``.

    Raises
    ------
    UsageError
        For performances without a satisfaction, for options that mean nothing for regressors, and where the path cannot
        be written.
    DataError
        For missing cells.
    NoPlaceError
        For a score ``by`` that is no ranking score of these performances.
    MissingExtraError
        For a widget where anywidget is not installed.

    See Also
    --------
    rankscape.report
    rankscape.site

    Notes
    -----
    In exported CSV a name that a spreadsheet would take for a formula (it starts with =, +, - or @) is behind an
    apostrophe, which :func:`rankscape.read` and the page take off again.

    In a frame of another page, the page leaves out what a frame has no use for, and posts its height, ``{"type":
    "rankscape:height", "height": …}``. Opened with ``?theme=dark``, or ``light``, it has these colors, by default the
    setting of the reader.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]], names=["unet", "segnet"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rs.explore(P, Path(folder) / "explorer.html").read_text("utf-8").count("unet")
    1
    """
    target = None if path is None else checked_path(path)
    if not isinstance(performances, (Draws, WithThresholds, Pairs)):
        performances = as_performances(performances)
        prepare(performances, weights=weights, missing=missing, shift_prior=shift_prior, policies=POLICIES)  # warns
    asked, drawn, points, score = prepared_and_drawn(
        performances, draws, rng, by, level=level, method=method, resample=resample, weights=weights, missing=missing,
        shift_prior=shift_prior,
    )  # fmt: skip
    if isinstance(performances, Pairs):
        asked = banded(performances, by)
    page = page_of(asked, title, score, drawn, level, points)
    if target is None:
        return widget(page, partial(still_of, asked, page.title, score))
    write_whole(target, page.html().encode())
    return target


def page_of(
    asked: Prepared,
    title: str | None = None,
    by: ScoreLike | None = None,
    drawn: Draws | None = None,
    level: float = LEVEL,
    points: WinningPoints | None = None,
    file: str | None = None,
) -> Page:
    """Return what the page of what was prepared is made of, opened at the score ``by``, by default that of the task.

    It carries the data as they are, with draws (before the shift of the prior), where some are given, and the models,
    where the entities are operating ``points``. Without a title it is called by the ``file`` that the data came from.

    >>> from rankscape.domains import prepare
    >>> page_of(prepare([[50, 10, 5, 35]]), file="results.csv").title
    'results.csv: which is best, for whom?'
    """
    if asked.lacking:
        raise UsageError(
            "the explorer compares on domains that all models share",
            way_out=[["choose ", Option("missing", "complete")]],
        )
    tile = asked.given.space.outcomes == TWO_CLASS.outcomes
    question = "Which is best, for whom?" if tile else "Which is best?"
    title = title or (f"{file}: {question[:1].lower()}{question[1:]}" if file else question)
    if not tile:
        return Page(title, *build.simple_page(asked, by, drawn, level), False)
    score = build.FIRST_SCORE if by is None else by
    data, start = build.data_of(asked, drawn, level, score, points), build.opening(asked, score)
    return Page(title, data, start, True)


# Regressors as the page shows them: their graded cases, on bands of the truth

BANDS = 4
"""Bands of the true values, at most."""

OFF = 0.02
"""How far, relative to the narrowest band, an edge may be from the quantile, so that it has few digits."""


def banded(pairs: Pairs, by: Any = None) -> Prepared:
    """Return regressors as graded cases, with the bands of the true values as domains that count as their cases do.

    >>> from rankscape.tasks import regression
    >>> asked = banded(regression.evaluate([1, 2, 4, 9], {"a": [1, 2, 3, 6], "b": [2, 2, 2, 9]}))
    >>> asked.given.domains[:4], asked.given.mass[:4, 0].round(3).tolist()
    (('below 1.75', '1.75 to 3', '3 to 5.25', 'from 5.25'), [0.0, 0.0, 0.111, 0.333])
    """
    chosen = criterion(DEFAULT if by is None else by)
    edges, labels = bands(pairs.truth)
    sums, weights, unit = exact_sums(pairs, chosen, _part(edges, pairs.truth), len(labels))
    used = [band for band, weight in enumerate(weights) if weight]
    if not used:
        raise UsageError("no case has importance, so nothing can be ranked")
    whole = Fraction(width_of(pairs, chosen) or 1) * unit
    rows = np.array([[row[band] / (whole * weights[band]) for band in used] for row in sums], dtype=object).ravel()
    lost = 1 - rows if chosen.direction == "larger" else rows
    domains = {labels[band]: Fraction(weights[band]) for band in used}
    given = Performances.from_trusted(
        integers_of_fractions(np.stack([lost, 1 - lost], axis=1)),
        tuple(name for name in pairs.names for _ in used),
        (*domains,) * len(pairs),
        graded("error"),
        pairs.account,
    )
    return prepare(given, weights=domains)


def bands(truth: Floats) -> tuple[Floats, list[str]]:
    """Return the true values at which one band ends and the next begins, and what the bands are called.

    >>> edges, labels = bands(np.array([1.0, 2.0, 3.0, 10.0]))
    >>> edges.tolist(), labels
    ([1.75, 2.5, 4.75], ['below 1.75', '1.75 to 2.5', '2.5 to 4.75', 'from 4.75'])
    >>> bands(np.array([0.0, 0.0, 0.0, 0.0, 0.0, 7.0]))[1], bands(np.ones(3))[1]
    (['below 7', 'from 7'], ['all'])
    """
    if truth.min() == truth.max():
        return truth[:0], ["all"]
    middle = np.unique(np.quantile(truth, np.arange(1, BANDS) / BANDS))
    used = np.unique(_part(middle, truth))
    edges = middle[used[1:] - 1]
    if not len(edges):  # nearly all are the smallest
        edges = truth[truth > truth.min()].min(keepdims=True)
    room = np.diff(np.unique([truth.min(), *edges, truth.max()])).min()
    for digits in range(2, 18):  # 17 are exact
        short = np.array([float(f"{edge:.{digits}g}") for edge in edges])
        if abs(short - edges).max() <= OFF * room and len(np.unique(_part(short, truth))) == len(edges) + 1:
            edges = short
            break
    texts = [min(repr(edge).removesuffix(".0"), f"{edge:.{digits}g}", key=len) for edge in edges.tolist()]
    return edges, [f"below {texts[0]}", *(f"{low} to {high}" for low, high in pairwise(texts)), f"from {texts[-1]}"]


def _part(edges: Floats, truth: Floats) -> Integers:
    return np.asarray(np.searchsorted(edges, truth, side="right"))
