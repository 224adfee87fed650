"""Draw the verdict on a score: the mixtures that refute it, or where on the Tile it belongs."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from matplotlib.axes import Axes

from ..errors import UsageError
from ..look import BAND, ENDS, QUIET, pretty
from ..soundness import Audit
from ..soundness.verdict import TITLES
from .board import board_on
from .looks import Look, in_look, plain, wanted
from .tile import draw_tile

LONGEST = 20
"""Characters of the symbol of a score that names an axis."""

ROOM = 0.18
"""How much of the range of the values stays free above and below them."""


@in_look
def draw_audit(audit: Audit, ax: Axes | None = None, **look: Unpack[Look]) -> Axes:
    """Draw why a score may not be used to rank, or where on the Tile the ranking score with its order lies.

    A refuted score is drawn along the mixtures of two performances: a score that may rank stays inside the band between
    the values of the two. A score that is not refuted is a place on the Tile: that of the ranking score with the same
    order, or of the one that orders most alike.

    Parameters
    ----------
    audit
        What :func:`rankscape.audit` returns.
    ax
        Axes to draw on; by default those of a new figure.
    **look
        How every figure may look: style, width, title and names, see :class:`rankscape.plots.Look`.

    Returns
    -------
    Axes
        The axes.

    Raises
    ------
    UsageError
        For a score without a counterexample and without a place on the Tile.

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.plots.draw_audit(rs.audit("mcc", statistic=None)).get_xlabel()
    'share of P₂ in the mixture'
    >>> rs.plots.draw_audit(rs.audit("f1", statistic=None)).get_title(loc="left")
    'F₁ may rank'
    """
    if not audit.refuted_by:
        return _on_tile(audit, ax)
    table = audit.along()
    share, values = (np.asarray(table[column], dtype=np.float64) for column in ("share", "value"))
    finite = values[np.isfinite(values)]
    if not finite.size:
        raise UsageError(f"{audit.score.name} has no value to draw")
    low, high = float(finite.min()), float(finite.max())
    room = ROOM * ((high - low) or 1.0)
    limits: dict[str, Any] = {"xlim": (-0.04, 1.04), "ylim": (low - room, high + room)}
    board = board_on(ax, "share of P₂ in the mixture", _name(audit), **limits)
    ends = values[[0, -1]]
    if np.isfinite(ends).all():
        board.ax.axhspan(*sorted(ends.tolist()), color=BAND, lw=0, zorder=0.5, gid="between")
        for end in ends.tolist():
            board.line([[-0.04, end], [1.04, end]], QUIET, 0.8, dash=(0, (4, 3)), soft=False, zorder=1, gid="end")
    board.line(np.stack([share, values], axis=-1), ENDS["second"], 2.2, soft=False, zorder=3, gid="along")
    *rows, weight = audit.findings[audit.refuted_by].counterexample or ((), (), None)
    points = []
    for x, name, row in zip((0.0, 1.0), ("P₁", "P₂"), rows, strict=True):
        points.append((x, float(ends[int(x)]), f"{name} = ({', '.join(map(str, row))})"))
    if weight is not None:
        at = 1 - float(weight)
        points.append((at, float(np.interp(at, share, values)), "half of each" if at == 0.5 else "their mixture"))
    for x, y, text in points:
        if np.isfinite(y):
            board.dot((x, y), ENDS["first"], 7.5, gid="performance")
            board.name((x, y), text, reach=8, factor=0.9)
    note = "P₁, P₂: tn, fp, fn, tp. Band: between their values, where the values of mixtures belong."
    return board.finish(f"{_name(audit)} may not rank", _refuted(audit), note)


def _on_tile(audit: Audit, ax: Axes | None) -> Axes:
    """Draw the place of a score that is not refuted."""
    if audit.place is None:
        raise UsageError(f"{audit.score.name} has no counterexample, and no place on the Tile to draw")
    title = f"{_name(audit)} may rank" if audit.status == "proved" else f"{_name(audit)}: nothing was refuted"
    if audit.importance is None:
        title += f", most like a = {audit.place[0]:.3g}, b = {audit.place[1]:.3g}"
    prior = float(audit.among.share) if audit.among.fixed == "prior" else None
    titled: Look = {"title": title} if wanted().title is ... else {}
    return draw_tile(None, ax, markers={_name(audit): audit.place}, prior=prior, **titled)


def _name(audit: Audit) -> str:
    """Return what to call the score: its symbol, where that is short."""
    symbol = pretty(audit.score.symbol)
    return plain(symbol) if len(symbol) <= LONGEST else "the score"


def _refuted(audit: Audit) -> str:
    """Say what is refuted, and of which performances."""
    texts = [TITLES[test].partition(" (")[0] for test, finding in audit.findings.items() if not finding.holds]
    on = audit.among.description
    return f"Refuted on {on}: {', '.join(texts)}."
