"""``rs.explore``: the explorer as a page in a file, or as a widget in a notebook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..domains import prepare
from ..io import as_performances
from ..outputs import checked_path, write_whole
from ..typing import (
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
from ..uncertainty.page_inputs import WithThresholds, points_asked, prepared_and_drawn
from .build import POLICIES, Policy
from .pages import page_of, widget_of

if TYPE_CHECKING:
    from anywidget import AnyWidget


def explore(
    performances: PerformancesLike | Draws | WithThresholds,
    path: PathLike | None = None,
    *,
    by: ScoreLike | None = None,
    title: str | None = None,
    draws: int | None = None,
    rng: RandomLike = None,
    level: float = LEVEL,
    method: PosteriorMethod = "exchangeable",
    resample: Resample | None = None,
    weights: WeightsLike = "equal",
    missing: Policy = "error",
    shift_prior: PriorLike | None = None,
) -> Path | AnyWidget:
    """Write the explorer: one HTML page that opens offline, with linked views of all sound rankings.

    ``performances`` are what :func:`rankscape.rank` takes, of two classes; counts or probabilities, on one or several
    domains. The page shows who is first for every preference, the leaderboard, ROC and PR space, and takes other tables
    dropped into it. It says how sure that is by draws that Python made and the page carries: ``draws``, ``rng``,
    ``level``, ``method`` and ``resample`` are as in :func:`rankscape.uncertainty.rank_intervals` (0 draws: none), and
    so are the numbers; ``performances`` may be draws, too, such as those of :func:`rankscape.uncertainty.paired`. Of
    more than about 130 entities the page carries fewer draws, and says so. It opens at the preference of the score
    ``by``, F1 by default, with the ``weights`` of the domains and ``missing`` ("error", or "complete": those that all
    entities share) as in :func:`rankscape.summarize`, and shifted to the share of positives ``shift_prior``; weights
    and prior can be moved on the page. Of models with thresholds, a :class:`rankscape.decisions.Sweeps`, the entities
    are the operating points that win somewhere, such as "network at 0.153"; those of one model share a color. They have
    no draws, because their thresholds were chosen on these cases: :func:`rankscape.decisions.decide` says what to
    expect. Of ``by=rankscape.costs(…)`` it also shows expected costs. In exported CSV a
    name that a spreadsheet would take for a formula (it starts with =, +, - or @) is behind an apostrophe, which
    :func:`rankscape.read` and the page take off again. Returns the path. Without a ``path`` it returns a widget for
    notebooks, which needs ``pip install "rankscape[notebook]"`` and says so where that is missing. Raises UsageError
    for performances that are not of two classes, DataError for missing cells, NoPlaceError for a score ``by`` that has
    no place on the Tile, and UsageError where the path cannot be written.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from rankscape import Performances
    >>> P = Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]], names=["unet", "segnet"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     explore(P, Path(folder) / "explorer.html").read_text("utf-8").count("unet")
    1
    """
    target = None if path is None else checked_path(path)
    points = None
    if isinstance(performances, WithThresholds):
        points = points_asked(performances, draws, rng, method, resample, weights, missing)
        performances, draws = points.performances, 0
    if not isinstance(performances, Draws):
        performances = as_performances(performances)
        prepare(performances, weights=weights, missing=missing, shift_prior=shift_prior, policies=POLICIES)  # warns
    asked, drawn = prepared_and_drawn(
        performances, draws, rng, method=method, resample=resample, weights=weights, missing=missing,
        shift_prior=shift_prior,
    )  # fmt: skip
    if target is None:
        return widget_of(asked, title, by, drawn, level, points)
    write_whole(target, page_of(asked, title, by, drawn, level, points).encode())
    return target
