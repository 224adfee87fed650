"""The figures of a ranking card."""

from collections.abc import Iterator

from .. import tile, views
from .._tradeoff import tradeoff
from ..errors import DataError, NoPlaceError, UsageError
from ..plots import draw_rank_paths
from .figures import content
from .pages import Figure
from .sections import OF_WEIGHTS, Asked


def illustrations(asked: Asked, kind: str) -> Iterator[Figure]:
    """Yield the figures that make sense for the performances, as files of a kind."""
    intervals = asked.intervals
    if intervals is not None:
        image = content(lambda: intervals.plot().figure, kind)
        yield Figure("intervals", "How sure", "The set of ranks of every entity", kind, image)
    over = asked.over_weights
    if over is not None and len(over.names) > 1:
        image = content(lambda: over.plot().figure, kind)
        yield Figure("weights", OF_WEIGHTS, "Who comes first for which weights of the domains", kind, image)
    data, section = asked.averaged, "What would change the answer"
    if asked.side:
        image = content(lambda: _in_pr_space(asked).plot().figure, kind)
        caption = f"{(asked.limited or 'the entities').capitalize()} in PR space"
        yield Figure("points", section, caption, kind, image)
        yield from _ranks(asked, kind)
    if not asked.two_class:
        return
    if asked.sweeps is None:
        image = content(lambda: tile.entity(data).plot().figure, kind)
        yield Figure("tile", section, "Who is first, for every preference: the Tile", kind, image)
    else:
        models = asked.sweeps.first(asked.prepared.shift_prior)
        image = content(lambda: models.plot().figure, kind)
        caption = "Which model wins, for every preference, each at its own best threshold: the Tile of models"
        yield Figure("tile", section, caption, kind, image)
    if ((data.priors > 0) & (data.priors < 1)).all():
        image = content(lambda: _points(asked).plot().figure, kind)
        caption = f"{(asked.limited or 'the entities').capitalize()}, with lines of equal score"
        yield Figure("points", section, caption, kind, image)
    if asked.sweeps is None:
        yield from _ranks(asked, kind)


def _ranks(asked: Asked, kind: str) -> Iterator[Figure]:
    """Yield how the ranks change between precision and recall; nothing for one entity."""
    if len(asked.averaged) < 2:
        return
    image = content(lambda: draw_rank_paths(tradeoff(asked.pictured)).figure, kind)
    among = f", among {asked.limited}" if asked.limited else ""
    caption = f"How the ranks change between precision and recall{among}"
    yield Figure("ranks", "Between precision and recall", caption, kind, image)


def _in_pr_space(asked: Asked) -> views.PointView:
    """Return the view in PR space, with the lines of an F-score."""
    try:
        return views.pr(asked.pictured, by=asked.score)
    except (NoPlaceError, UsageError):
        return views.pr(asked.pictured)


def _points(asked: Asked) -> views.PointView:
    """Return the view in ROC space, or where priors differ in PR space, without lines where the score has no place."""
    data = asked.pictured
    if data.common_prior() is None:
        return views.pr(data)
    try:
        return views.roc(data, by=asked.score)
    except (DataError, NoPlaceError, UsageError):
        return views.roc(data)
