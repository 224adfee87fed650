"""The explorer in a notebook, through anywidget: the same code as on the page, in step with Python."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from .. import tile
from ..domains import Prepared
from ..errors import MissingExtraError, RankscapeError
from ..flavors import PAGE
from ..ordering import rank
from ..outcomes import TWO_CLASS
from ..results import MOST_PICTURED
from ..typing import ScoreLike
from .document import Page, as_script_data

if TYPE_CHECKING:
    from anywidget import AnyWidget

NOTE = "This is what the explorer shows first; run the cell to explore."


def widget(page: Page, still: Callable[[], str]) -> AnyWidget:
    """Return a page as a widget, and what it leaves in a saved notebook, for readers without a kernel: ``still()``.

    That of the Tile has ``a``, ``b``, ``prior``, ``selected``, ``pinned``, ``flavor`` that follow what is done in it;
    setting them moves the widget; ``observe`` them to follow it. Raises MissingExtraError, with the command that helps,
    where anywidget is not installed.
    """
    place = {name: page.start[name] for name in ("a", "b", "prior")} if page.tile else {}
    made: AnyWidget = _classes()[page.tile](
        _esm=page.script("widget") + "\nexport default { render };\n",
        _css=page.style,
        _title=page.title,
        _data=as_script_data(page.source),
        _start=json.dumps(page.start),
        **place,
    )
    made.still = still
    return made


@cache
def _classes() -> tuple[Any, Any]:
    """Return the classes of widgets, without a Tile and with one."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise MissingExtraError(
            'the notebook widget needs anywidget: pip install "rankscape[notebook]"; '
            'or write a page with explore(performances, "explorer.html")'
        ) from None

    class SimpleExplorer(anywidget.AnyWidget):  # type: ignore[misc, name-defined, unused-ignore]
        """The simple page of some performances."""

        still: Callable[[], str]
        _esm = traitlets.Unicode("").tag(sync=True)
        _css = traitlets.Unicode("").tag(sync=True)
        _data = traitlets.Unicode("").tag(sync=True)
        _title = traitlets.Unicode("").tag(sync=True)
        _start = traitlets.Unicode("{}").tag(sync=True)

        def _repr_mimebundle_(self, **options: Any) -> Any:
            bundle = super()._repr_mimebundle_(**options)
            data = bundle[0] if isinstance(bundle, tuple) else bundle
            if data is not None:
                data["text/html"] = self.still()
            return bundle

    class Explorer(SimpleExplorer):
        """The explorer of some performances."""

        a = traitlets.Float(0.5, min=0, max=1).tag(sync=True)
        b = traitlets.Float(0.5, min=0, max=1).tag(sync=True)
        prior = traitlets.Float(None, min=1e-6, max=1 - 1e-6, allow_none=True).tag(sync=True)
        selected = traitlets.Unicode(None, allow_none=True).tag(sync=True)
        pinned = traitlets.Unicode(None, allow_none=True).tag(sync=True)
        flavor = traitlets.Enum([flavor.id for flavor in PAGE], PAGE[0].id).tag(sync=True)
        uncertainty = traitlets.Bool(True).tag(sync=True)

    return SimpleExplorer, Explorer


def still_of(asked: Prepared, title: str, by: ScoreLike | None) -> str:
    """Return the first view of the explorer as HTML that needs nothing else: the Tile, and the leaderboard."""
    data, parts = asked.performances, [f"<p><strong>{html.escape(title)}</strong></p>"]
    try:
        if data.space.outcomes == TWO_CLASS.outcomes and len(data) <= MOST_PICTURED:
            parts.append(tile.entity(data)._repr_html_())
        parts.append(rank(data, by=by)._repr_html_())
    except RankscapeError as error:  # the widget says it, too
        parts.append(f"<p>{html.escape(str(error))}</p>")
    return "".join([*parts, f"<p>{NOTE}</p>"])
