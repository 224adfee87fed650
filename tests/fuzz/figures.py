"""Figures of performances with names at random: every one is drawn and saved, and shows its names as they are.

    python tests/fuzz/figures.py --seconds 20 --seed 1

Exits with 1, and prints names and counts, where a figure fails.
"""

import argparse
import io
import random
import sys
import time
import traceback
import warnings

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.text import Text

import rankscape as rs
from rankscape import plots, tile, views

PIECES = (
    "$",
    "^",
    "_",
    "{",
    "}",
    "\\",
    "%",
    "&",
    "#",
    "~",
    "\n",
    "\t",
    " ",
    "a",
    "é",
    "深",
    "🦉",
    "ש",
    "\u200b",
    "x" * 90,
    "<b>",
    '"',
    "'",
)
GAMMA = r"$\gamma"  # our own mathematics
KINDS = {
    "entity": lambda P: tile.entity(P).plot(),
    "paper": lambda P: tile.entity(P).plot(style="paper"),
    "ranking": lambda P: tile.ranking(P, P.names[0], resolution=21).plot(),
    "difference": lambda P: tile.difference(P, P.names[0], P.names[1], resolution=21).plot(),
    "roc": lambda P: views.roc(P, by="f1").plot(),
    "pr": lambda P: views.pr(P).plot(),
    "tradeoff": lambda P: rs.tradeoff(P).plot(),
    "intervals": lambda P: plots.draw_rank_intervals(rs.uncertainty.rank_intervals(P, "f1", draws=20)),
}  # fmt: skip


def performances(draw: random.Random) -> rs.Performances:
    """Return some performances of one prior, some of them tied, with hostile names."""
    n = draw.randint(2, 9)
    names: list[str] = []
    while len(names) < n:
        name = "".join(draw.choices(PIECES, k=draw.randint(1, 6)))
        if name.strip() and name not in names:
            names.append(name)
    size = draw.choice((5, 50, 10**6, 10**15))
    rows = [[0, 0, draw.randint(0, size), 0] for _ in names]
    for row in rows:
        row[1] = draw.randint(0, size)
        row[0], row[3] = size - row[1] + 1, size - row[2] + 1
    return rs.Performances.from_counts(rows, names=names)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    warnings.filterwarnings("ignore", "Glyph", UserWarning)  # fonts lack some letters
    draw, start, n = random.Random(given.seed), time.monotonic(), 0
    while time.monotonic() - start < given.seconds:
        P, kind = performances(draw), draw.choice(list(KINDS))
        try:
            drawn = KINDS[kind](P)
            figure = getattr(drawn, "figure", None) or drawn
            figure.savefig(io.BytesIO(), format=draw.choice(("svg", "pdf", "png")), dpi=40)
            texts = [text for text in figure.findobj(Text) if "$" in text.get_text() and GAMMA not in text.get_text()]
            if any(text.get_parse_math() for text in texts):
                raise ValueError(f"read as mathematics: {[text.get_text() for text in texts]}")
        except rs.RankscapeError:
            continue  # refused in a sentence
        except Exception:
            print(f"{kind} of seed {given.seed}:\n{P.names}\n{P.counts.tolist()}", file=sys.stderr)
            traceback.print_exc()
            return 1
        finally:
            plt.close("all")
        n += 1
    print(f"{n} figures with hostile names were drawn and saved")
    return 0


if __name__ == "__main__":
    sys.exit(main())
