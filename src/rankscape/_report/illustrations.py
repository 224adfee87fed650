"""The figures of a ranking card."""

from collections.abc import Callable, Iterator
from typing import Any

from .. import tile, views
from .._tradeoff import tradeoff
from ..errors import DataError, NoPlaceError, UsageError
from ..plots import draw_rank_paths
from .figures import content
from .pages import Figure
from .sections import Asked


def illustrations(asked: Asked, kind: str) -> Iterator[Figure]:
    """Yield the figures that make sense for the performances, as files of a kind."""
    intervals = asked.intervals
    if intervals is not None:
        image = content(lambda: intervals.plot().figure, kind)
        yield Figure("intervals", "How sure", "The rank of every entity, with its interval", kind, image)
    if not asked.two_class:
        return
    data = asked.averaged
    winners = tile.entity(data)
    change = "What would change the answer"
    drawings: list[tuple[str, str, str, Callable[[], Any]]] = [
        ("tile", change, "Who is first, for every preference: the Tile", lambda: winners.plot().figure)
    ]
    if ((data.priors > 0) & (data.priors < 1)).all():
        points = _points(asked)
        drawings.append(("points", change, "The entities, with lines of equal score", lambda: points.plot().figure))
    if len(data) > 1:
        ranks, between = "How the ranks change between precision and recall", "Between precision and recall"
        drawings.append(("ranks", between, ranks, lambda: draw_rank_paths(tradeoff(data)).figure))
    for name, section, caption, draw in drawings:
        yield Figure(name, section, caption, kind, content(draw, kind))


def _points(asked: Asked) -> views.PointView:
    """Return the view in ROC space, or where priors differ in PR space, without lines where the score has no place."""
    data = asked.averaged
    if data.common_prior() is None:
        return views.pr(data)
    try:
        return views.roc(data, by=asked.score)
    except (DataError, NoPlaceError, UsageError):
        return views.roc(data)
