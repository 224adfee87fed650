"""The page of any performances: that with the Tile where there is one, else the simple one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..domains import Prepared
from ..errors import Option, UsageError
from ..outcomes import TWO_CLASS
from ..typing import ScoreLike
from ..uncertainty import Draws
from ..uncertainty.defaults import LEVEL
from ..uncertainty.page_inputs import WinningPoints
from . import build, simple
from .document import Page
from .widget import still_of, widget

if TYPE_CHECKING:
    from anywidget import AnyWidget


def opened(
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
    >>> opened(prepare([[50, 10, 5, 35]]), file="results.csv").title
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
        modules, styles = (*simple.MODEL, *simple.VIEW), ("style", "simple")
        return Page(title, modules, styles, *simple.opened(asked, by, drawn, level), False)
    score = build.FIRST_SCORE if by is None else by
    data, start = build.data_of(asked, drawn, level, score, points), build.opening(asked, score)
    return Page(title, (*build.MODEL, *build.VIEW), ("style", "story"), data, start, True)


def page_of(
    asked: Prepared,
    title: str | None = None,
    by: ScoreLike | None = None,
    drawn: Draws | None = None,
    level: float = LEVEL,
    points: WinningPoints | None = None,
    file: str | None = None,
) -> str:
    """Return the page as HTML that needs nothing else, no network.

    >>> from rankscape.domains import prepare
    >>> from rankscape.tasks import success
    >>> text = page_of(prepare(success.from_counts([3, 4], 5, names=["<b>", "b"])))
    >>> text.startswith("<!DOCTYPE html>"), "<b>" in text
    (True, False)
    """
    return opened(asked, title, by, drawn, level, points, file).html()


def widget_of(
    asked: Prepared,
    title: str | None,
    by: ScoreLike | None,
    drawn: Draws | None,
    level: float,
    points: WinningPoints | None,
) -> AnyWidget:
    """Return the same as a widget for notebooks."""
    page = opened(asked, title, by, drawn, level, points)
    return widget(page, partial(still_of, asked, page.title, by))
