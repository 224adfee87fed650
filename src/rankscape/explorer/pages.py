"""The page of any performances: that with the Tile where there is one, else the simple one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..domains import Prepared
from ..errors import Option, UsageError
from ..typing import ScoreLike
from ..uncertainty import Draws
from ..uncertainty.defaults import LEVEL
from ..uncertainty.page_inputs import WinningPoints
from . import build, simple, widget
from .document import titled
from .still import still_of

if TYPE_CHECKING:
    from anywidget import AnyWidget

SIMPLE_TITLE = "Which is best?"


def page_of(
    asked: Prepared,
    title: str | None = None,
    by: ScoreLike | None = None,
    drawn: Draws | None = None,
    level: float = LEVEL,
    points: WinningPoints | None = None,
    frame: build.Frame | None = None,
    file: str | None = None,
) -> str:
    """Return the page of what was prepared, opened at the score ``by``, by default that of the task.

    Without a title the page is called by the ``file`` that the data came from, where there is one.
    """
    if simple.has_tile(asked.given.space):
        score = build.FIRST_SCORE if by is None else by
        return build.page_of(asked, title or titled(build.TITLE, file), score, drawn, level, points, frame)
    if frame:
        raise UsageError([Option(next(iter(frame))), " is for two classes: other pages have no such view"])
    return simple.page_of(asked, title or titled(SIMPLE_TITLE, file), by, drawn, level)


def widget_of(
    asked: Prepared,
    title: str | None,
    by: ScoreLike | None,
    drawn: Draws | None,
    level: float,
    points: WinningPoints | None,
) -> AnyWidget:
    """Return the same as a widget for notebooks."""
    if simple.has_tile(asked.given.space):
        score = build.FIRST_SCORE if by is None else by
        data = build.data_of(asked, drawn, level, score, points)
        page = widget.widget(data, title or build.TITLE, build.opening(asked, score))
        page.still = partial(still_of, asked, title or build.TITLE, score)
        return page
    data, start = simple.opened(asked, by, drawn, level)
    page = widget.simple_widget(data, title or SIMPLE_TITLE, start)
    page.still = partial(still_of, asked, title or SIMPLE_TITLE, by)
    return page
