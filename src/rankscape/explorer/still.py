"""What a widget leaves in a saved notebook, for readers without a kernel: the Tile and the leaderboard."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

from .. import tile
from ..domains import Prepared
from ..errors import RankscapeError
from ..ordering import rank
from ..results import MOST_PICTURED
from ..typing import ScoreLike
from .simple import has_tile

NOTE = "This is what the explorer shows first; run the cell to explore."


class Still:
    """A widget that a notebook also shows where it cannot run: ``still`` makes the HTML, when it is displayed."""

    still: Callable[[], str] | None = None

    def _repr_mimebundle_(self, **options: Any) -> Any:
        bundle = super()._repr_mimebundle_(**options)  # type: ignore[misc]  # of the widget
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None and self.still is not None:
            data["text/html"] = self.still()
        return bundle


def still_of(asked: Prepared, title: str, by: ScoreLike | None) -> str:
    """Return the first view of the explorer as HTML that needs nothing else: the Tile, and the leaderboard."""
    data, parts = asked.performances, [f"<p><strong>{html.escape(title)}</strong></p>"]
    try:
        if has_tile(data.space) and len(data) <= MOST_PICTURED:
            parts.append(tile.entity(data)._repr_html_())
        parts.append(rank(data, by=by)._repr_html_() if by is not None else rank(data)._repr_html_())
    except RankscapeError as error:  # the widget says it, too
        parts.append(f"<p>{html.escape(str(error))}</p>")
    return "".join([*parts, f"<p>{NOTE}</p>"])
