"""Correlation maps: how alike a score and every canonical ranking score order performances."""

from __future__ import annotations

import inspect
import os
from dataclasses import replace
from typing import Any

from .._scores import as_score
from .._scores.score import levels
from ..checks import checked_size
from ..distributions import Distribution
from ..errors import Option, UsageError, no_effect, not_among
from ..flavors import titled
from ..kernels.grid import Progress
from ..kernels.maps import MOST, spearman_map, tau_b_map
from ..performances import Performances
from ..texts import counted
from ..typing import Correlation, PerformancesLike, RandomLike, ScoreLike
from .maps import TileMap, one_per_entity

STATISTICS = {"kendall": "Kendall's τ-b", "spearman": "Spearman's ρ"}
RESOLUTION = 101
SAMPLE = 10_000


def correlation(
    score: ScoreLike,
    performances: PerformancesLike | Distribution,
    *,
    statistic: Correlation = "kendall",
    n: int | None = None,
    resolution: int = RESOLUTION,
    rng: RandomLike = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> TileMap:
    """Map the rank correlation of a score with every canonical ranking score R_{a,b}.

    Performances for which either score is undefined are dropped. 1 is reached where a score orders as R_{a,b} does.
    Larger scores are compared with larger R, whatever is better. (Tile, 5 and Figs 4 and 7.)

    Parameters
    ----------
    score
        A name, an expression, a :class:`Score` or a function.
    performances
        A set of performances, or a distribution, such as ``rs.distributions.Uniform()``, of which ``n`` are drawn.
    statistic
        "kendall" (τ-b) or "spearman"; either is decided exactly.
    n
        The number of performances to draw of a distribution, by default 10 000.
    resolution
        The number of points of the grid along each axis of the Tile, at least 2.
    rng
        A generator or a seed for these; None draws another sample each time.
    threads
        The number of threads, all processors by default; results do not depend on it.
    progress
        A function that is called with the number of rows done.

    Returns
    -------
    TileMap
        The correlations, in [−1, 1]; NaN against a constant.

    Raises
    ------
    UsageError
        For an unknown statistic or too many performances, and for ``n`` and ``rng`` where nothing is drawn.
    UnknownScoreError
        For an unknown score.

    See Also
    --------
    rankscape.kendall_tau
    rankscape.audit : the closest sound score

    Examples
    --------
    >>> import rankscape as rs
    >>> tile_map = rs.tile.correlation("f1", rs.distributions.Uniform(), n=200, resolution=5, rng=0)
    >>> tile_map.at(1, 0.5), tile_map.values.shape
    (1.0, (5, 5))
    """
    by: Any
    source: Any
    first = isinstance(score, Performances) or callable(getattr(score, "draw", None))  # as the other maps have them
    by, source = (performances, score) if first else (score, performances)
    if statistic not in STATISTICS:
        raise not_among("statistic", statistic, STATISTICS)
    if inspect.isclass(source):
        raise UsageError(f"{source.__name__} is a class: give a distribution, as in {source.__name__}()")
    drawn = callable(getattr(source, "draw", None))
    for name in [name for name, given in (("n", n), ("rng", rng)) if given is not None and not drawn]:
        raise no_effect(name, "performances are not drawn")
    data, averaged = one_per_entity(source.draw(SAMPLE if n is None else n, rng) if drawn else source)
    if len(data) > MOST:
        raise UsageError(
            f"a correlation map takes at most {MOST} performances; got {len(data)}",
            way_out=["use fewer", Option("n", python="draw fewer, such as n=10_000")],
        )
    resolution, by = checked_size("resolution", resolution, 2), as_score(by)
    level, _ = levels(data, replace(by, direction="larger"))  # from the smallest value, whatever is better
    kernel = spearman_map if statistic == "spearman" else tau_b_map
    values = kernel(data.integers, level, resolution, threads=threads or os.cpu_count() or 1, progress=progress)
    where = counted(len(data), "performance") + (f" drawn from {source!r}" if drawn else "")
    parameters: dict[str, Any] = {"score": by.name, "statistic": statistic}
    if drawn:
        parameters |= {"distribution": repr(source), "n": SAMPLE if n is None else int(n)}
    return TileMap(
        flavor="correlation", title=titled("correlation", score=by.symbol), label=STATISTICS[statistic], values=values,
        subtitle=f"Of {where}.{'' if drawn else averaged}", prior=data.common_prior(),
        vmin=-1.0, vmax=1.0, center=0.0, parameters=parameters,
    )  # fmt: skip
