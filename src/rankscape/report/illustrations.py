"""The figures of a ranking card."""

from collections.abc import Callable, Iterator
from typing import Any

from .. import tile, views
from ..errors import DataError, NoPlaceError, UsageError
from ..tradeoff import tradeoff
from ..uncertainty import rank_intervals
from .figures import content
from .pages import Figure
from .sections import Asked


def illustrations(asked: Asked, kind: str) -> Iterator[Figure]:
    """Yield the figures that make sense for the performances, as files of a kind."""
    if asked.performances.counts is not None and asked.draws:
        found = rank_intervals(asked.performances, asked.score, asked.draws, asked.rng, level=asked.level)
        image = content(lambda: found.plot().figure, kind)
        yield Figure("intervals", "How sure", "The rank of every entity, with its interval", kind, image)
    if not asked.two_class:
        return
    data = asked.performances.per_entity()
    change = "What would change the answer"
    drawings: list[tuple[str, str, str, Callable[[], Any]]] = [
        ("tile", change, "Who is first, for every preference: the Tile", lambda: tile.entity(data).plot().figure),
        ("points", change, "The entities, with lines of equal score", lambda: _points(asked).plot().figure),
        (
            "ranks",
            "Between precision and recall",
            "How the ranks change between precision and recall",
            lambda: tradeoff(data).plot(panels="ranks"),
        ),
    ]
    for name, section, caption, draw in drawings:
        yield Figure(name, section, caption, kind, content(draw, kind))


def _points(asked: Asked) -> Any:
    """Return the view in ROC space, or where priors differ in PR space, without lines where the score has no place."""
    data = asked.performances.per_entity()
    if data.common_prior() is None:
        return views.pr(data)
    try:
        return views.roc(data, by=asked.score)
    except (DataError, NoPlaceError, UsageError):
        return views.roc(data)
