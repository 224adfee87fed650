"""The figures of a ranking card."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from .. import tile, views
from ..errors import DataError, NoPlaceError, UsageError
from ..geometry.curves import odds
from ..look import colors_of, pretty
from ..plots import draw_rank_paths
from ..plots.tile import Moving
from ..regions import flips
from .answers import place_of as place_of_rate
from .answers import within
from .expenses import costs_that_keep
from .figures import Figure, content
from .leaderboard import place_of
from .sections import OF_WEIGHTS, Asked

LONGEST = 14
"""Characters of the symbol of a score that marks its place."""

COLUMN: dict[str, Any] = {"style": "paper", "title": None}
"""How figures look on a page of HTML, where they are as wide as a column and have their notes as a caption."""

MOST_BARS = 30
"""Sets of ranks that the page draws: the first ones."""


def illustrations(asked: Asked, kind: str) -> Iterator[Figure]:
    """Yield the figures that make sense for the performances, as files of a kind; svg is for a page of HTML."""
    intervals = asked.intervals
    if intervals is not None:
        most: dict[str, Any] = {"most": MOST_BARS} if kind == "svg" else {}
        caption = "The set of ranks of every model"
        yield _figure("intervals", "How sure", caption, kind, lambda **look: intervals.plot(**most, **look).figure)
    over = asked.over_weights
    if over is not None and len(over.names) > 1:
        caption = "Who comes first for which weights of the domains"
        yield _figure("weights", OF_WEIGHTS, caption, kind, lambda **look: over.plot(**look).figure)
    data, section = asked.averaged, "What would change the answer"
    if asked.side:
        caption = f"{(asked.limited or 'the models').capitalize()} in PR space"
        yield _figure("points", section, caption, kind, lambda **look: _in_pr_space(asked).plot(**look).figure)
        yield from _ranks(asked, kind)
    if not asked.two_class:
        return
    models = None if asked.sweeps is None else asked.sweeps.first(asked.prepared.shift_prior).tile_map()
    caption = "Who is first, for every preference: the Tile"
    if models is not None:
        caption = "Which model wins, for every preference, each at its own best threshold: the Tile of models"
    yield _tile(asked, models or tile.entity(data), caption, kind)
    if ((data.priors > 0) & (data.priors < 1)).all():
        caption = f"{(asked.limited or 'the models').capitalize()}, with lines of equal score"
        yield _figure("points", section, caption, kind, lambda **look: _points(asked).plot(**look).figure)
    if asked.sweeps is None:
        yield from _ranks(asked, kind)


def _figure(name: str, section: str, caption: str, kind: str, draw: Callable[..., Any]) -> Figure:
    """Return a figure as a file; on a page of HTML its caption is what the figure itself would note."""
    if kind != "svg":
        return Figure(name, section, caption, kind, content(draw, kind))
    drawn: list[Any] = []

    def small() -> Any:
        drawn.append(draw(**COLUMN))
        return drawn[0]

    image = content(small, kind, outlined=True)
    return Figure(name, section, drawn[0].caption or caption, kind, image)


def _tile(asked: Asked, tile_map: tile.TileMap, caption: str, kind: str) -> Figure:
    """Return the Tile; on the first page with the preference of the card instead of scores, and without patterns."""
    options: dict[str, Any] = {}
    place = place_of(asked.score, asked.board.prior)
    if kind == "svg":
        options["colors"] = colors_of([names[0] for names in tile_map.sets if len(names) == 1])
        if place is not None:
            symbol = pretty(asked.score.symbol)
            options["markers"] = {symbol if len(symbol) <= LONGEST else "this card": place}
            options["moving"] = _moving(asked, float(place[0]))
    name, section = "tile", "What would change the answer"
    figure = _figure(name, section, caption, kind, lambda **look: tile_map.plot(**options, **look).figure)
    circle = " Circle: the preference of this card." * bool(kind == "svg" and place)
    return replace(figure, caption=figure.caption + circle)


def _moving(asked: Asked, a: float) -> Moving | None:
    """Return how far the cost of a miss, or else its worth alone, may change before the winner does."""
    try:
        changes = flips(asked.averaged, asked.score)
        models = None if asked.sweeps is None else asked.sweeps.flips(asked.score, asked.prepared.shift_prior)
    except (NoPlaceError, UsageError, DataError):
        return None
    costs = changes.score.costs
    kept = None if costs is None or models is not None else costs_that_keep(costs, asked.averaged, changes.first)
    if kept is not None:
        low, high = place_of_rate(kept.low), place_of_rate(kept.high)
        line, what = ((low, low), (high, high)), "the cost of a miss may change"
    else:
        low, high = (changes if models is None else models).along_b
        line, what = ((a, low), (a, high)), "the worth of a miss may change"
    rates = {low: within(odds(low), up=True)} if low > 0 else {}
    rates |= {high: within(odds(high), up=False)} if high < 1 else {}
    return Moving(line, rates, f"Dotted line: how far {what} before the winner does (bold).") if rates else None


def _ranks(asked: Asked, kind: str) -> Iterator[Figure]:
    """Yield how the ranks change between precision and recall; nothing for one entity."""
    if len(asked.averaged) < 2:
        return
    caption, section = "How the ranks change between precision and recall", "Between precision and recall"
    between = asked.between
    yield _figure("ranks", section, caption, kind, lambda **look: draw_rank_paths(between, **look).figure)


def _in_pr_space(asked: Asked) -> views.PointView:
    """Return the view in PR space, with the lines of an F-score."""
    try:
        return views.pr(asked.pictured, by=asked.score)
    except (DataError, NoPlaceError, UsageError):
        return views.pr(asked.pictured)


def _points(asked: Asked) -> views.PointView:
    """Return the view in ROC space, or where priors differ in PR space, with lines where the score has them."""
    data = asked.pictured
    if data.common_prior() is None:
        return _in_pr_space(asked)
    try:
        return views.roc(data, by=asked.score)
    except (DataError, NoPlaceError, UsageError):
        return views.roc(data)
