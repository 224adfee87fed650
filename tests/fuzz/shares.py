"""Numbers that are no answers of models, at random: none of these tables may be ranked, whatever its refusal advises.

    python tests/fuzz/shares.py --tables 1000 --seed 1
    python tests/fuzz/shares.py --seconds 20 --seed 1

Normalized matrices, metrics in rows, folds, probabilities of classes, correlations and histories.
"""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from tables import NAMES, Columns, Table, main, text_of


def shares(draw: random.Random) -> Table:
    """Numbers from 0 to 1 that are no answers: normalized matrices, metrics, folds, probabilities, histories."""
    names, kind = (
        draw.sample(NAMES[:7], 3),
        draw.choice(("matrix", "metrics", "long", "folds", "classes", "history", "correlations")),
    )

    def numbers(n: int) -> list[str]:
        return [f"{draw.uniform(0.3, 0.99):.3f}" for _ in range(n)]

    if kind in ("matrix", "classes"):
        n, whole = (3, draw.choice((1, 100))) if kind == "matrix" else (12, 1)
        parts = [(a, b, 100 - a - b) for a, b in ((draw.randint(1, 60), draw.randint(1, 39)) for _ in range(n))]
        columns: Columns = {"": ["cat", "dog", "owl"]} if kind == "matrix" else {"id": [f"c{i}" for i in range(n)]}
        columns |= {
            label: [f"{part[k] * whole / 100:g}" for part in parts] for k, label in enumerate(("cat", "dog", "owl"))
        }
    elif kind == "long":
        columns = {"model": [m for m in names for _ in range(6)], "dataset": [*"xxyyzz"] * 3}
        columns |= {"metric": ["AUC", "Brier score"] * 9, "value": numbers(18)}
    elif kind == "correlations":
        r = numbers(3)
        columns = {"": [*"abc"], "a": [1, r[0], r[1]], "b": [r[0], 1, r[2]], "c": [r[1], r[2], 1]}
    elif kind == "history":
        columns = {"epoch": [*range(9)], "loss": numbers(9), "val_acc": numbers(9)}
    else:
        columns = {"fold": [1, 2, 3, 4]} if kind == "folds" else {"metric": ["accuracy", "MCC", "AUC", "F1"]}
        columns |= {m: numbers(4) for m in names}
    text, suffix = text_of(draw, columns, kept=True)
    return Table({f"t.{suffix}": text}, [f"t.{suffix}"], None)


if __name__ == "__main__":
    sys.exit(main([shares]))
