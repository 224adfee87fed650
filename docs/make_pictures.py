"""Draw the picture that links to the project show, and the icon of its pages, both from the three models of the README.

Run ``python docs/make_pictures.py``: it writes ``social.png`` (1280 x 640) and ``_static/favicon.svg`` beside itself.
"""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

import rankscape as rs
from rankscape.look import HUES, INK, PAPER, QUIET, tint

HERE = Path(__file__).parent
COSTS = rs.costs(miss=10, false_alarm=1)
QUESTIONS = (("accuracy", "by accuracy"), ("f1", "by F1"), (COSTS, "if a miss costs ten false alarms"))
PLACES = {"accuracy": (0.5, 0.5), "F1": (1.0, 0.5), "10 : 1": (10 / 11, 10 / 11)}
NAMES = {"cautious": (0.4, 0.3), "balanced": (0.4, 0.735), "eager": (0.4, 0.93)}
ICON = 32


def social(P: rs.Performances) -> None:
    """Draw the Tile beside three leaderboards of the same models."""
    colors = dict(zip(P.names, HUES, strict=False))
    figure = plt.figure(figsize=(12.8, 6.4), dpi=100, facecolor=PAPER)
    tile = figure.add_axes((0.555, 0.1, 0.4, 0.8))
    for region in rs.regions.first(P).regions:
        for a, b in region.outlines():
            tile.fill(a, b, facecolor=tint(colors[region.names[0]]), edgecolor=INK, linewidth=1.5)
    for name, place in NAMES.items():
        tile.text(*place, name, size=22, ha="center", va="center", color=INK)
    for text, (x, y) in PLACES.items():
        tile.plot(x, y, "o", markersize=12, mfc=PAPER, mec=INK, mew=2.5, clip_on=False, zorder=5)
        side, offset = ("left", 12) if x == 1 else ("right", -14)
        tile.annotate(text, (x, y), (offset, 0), textcoords="offset points", size=15, ha=side, va="center", color=INK)
    tile.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    tile.set_xlabel("detections matter more  →", size=15, color=QUIET, loc="right", labelpad=10)
    tile.set_ylabel("misses matter more  →", size=15, color=QUIET, loc="top", labelpad=10)

    figure.text(0.045, 0.8, "rankscape", size=54, weight="bold", color=INK)
    figure.text(
        0.045, 0.615, "Which model is best depends\non what you care about.", size=25, color=INK, linespacing=1.3
    )
    figure.text(0.045, 0.5, "Three models, the same 1000 cases:", size=17, color=QUIET)
    for line, (by, words) in enumerate(QUESTIONS):
        winner, y = next(iter(rs.rank(P, by=by))), 0.41 - 0.095 * line
        box = {"facecolor": tint(colors[winner]), "edgecolor": "none", "boxstyle": "round,pad=0.35"}
        figure.text(0.053, y, winner, size=19, color=INK, bbox=box)
        figure.text(0.182, y, words, size=19, color=INK)
    figure.text(0.045, 0.08, "Exact leaderboards, and how sure they are.", size=17, color=QUIET)
    figure.savefig(HERE / "social.png", metadata={"Software": None})
    plt.close(figure)


def favicon(P: rs.Performances) -> None:
    """Write the regions of the Tile as an icon."""
    colors = dict(zip(P.names, HUES, strict=False))
    parts = []
    for region in rs.regions.first(P).regions:
        for a, b in region.outlines(12):
            points = " ".join(f"{ICON * x:.4g},{ICON * (1 - y):.4g}" for x, y in zip(a[:-1], b[:-1], strict=True))
            parts.append(f'<polygon points="{points}" fill="{colors[region.names[0]]}"/>')
    corners = f'<clipPath id="c"><rect width="{ICON}" height="{ICON}" rx="6"/></clipPath>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {ICON} {ICON}">'
    text = "\n".join([head, corners, '<g clip-path="url(#c)">', *parts, "</g>", "</svg>", ""])
    (HERE / "_static/favicon.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    mpl.use("Agg")
    three = rs.read(HERE.parent / "examples/three.csv")
    social(three)
    favicon(three)
