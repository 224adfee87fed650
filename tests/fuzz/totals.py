"""Tables of counts at random, with totals, domains and spare columns: each is answered rightly, or refused with advice.

    python tests/fuzz/totals.py --tables 1000 --seed 1
    python tests/fuzz/totals.py --seconds 20 --seed 1

Numbers of right answers and confusion matrices as JSON, too. Exits with 1 as tables.py does.
"""

import json
import random
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from tables import MODEL, NAMES, PAIRS, Columns, Table, averaged, f1, main, one_file, text_of

OUTCOMES = (
    ("tn", "fp", "fn", "tp"),
    ("TN", "FP", "FN", "TP"),
    ("#tn", "#fp", "#fn", "#tp"),
    ("True Negatives", "False Positives", "misses", "hits"),
    ("TrueNeg", "FalsePos", "FalseNeg", "TruePos"),
)


def counts_table(draw: random.Random) -> Table:
    """Counts, with spare columns, an index, totals or means, several domains, several files."""
    names = draw.sample(NAMES, draw.randint(2, 4))
    domains = draw.choice(([""], [""], ["x", "y"], ["city", "night's", "zoo"]))
    cells = {(d, m): [draw.randint(1, 60) for _ in range(4)] for d in domains for m in names}
    rows, extra = [(d, m, cells[d, m]) for d, m in cells], draw.choice(("", "", "sum", "domains"))
    if extra == "sum" and domains == [""]:
        rows.append(("", draw.choice(("Total", "Overall", "All")), [sum(row[2][k] for row in rows) for k in range(4)]))
    elif extra == "domains" and domains != [""]:
        word = draw.choice(("Total", "All", "overall"))
        rows += [(word, m, [sum(cells[d, m][k] for d in domains) for k in range(4)]) for m in names]
    right = {m: f1(averaged([cells[d, m] for d in domains])) for m in names}
    outcomes, model = draw.choice(OUTCOMES), draw.choice(MODEL)

    def file(some: list[Any]) -> tuple[str, str]:
        columns = {model: [m for _, m, _ in some]} | {h: [cell[k] for *_, cell in some] for k, h in enumerate(outcomes)}
        columns |= {"dataset": [d for d, *_ in some]} if any(domains) else {}
        return text_of(draw, columns, draw.choice((0, 0, 1, 2)))

    apart = extra == "" and draw.random() < 0.25
    each = [file([row for row in rows if row[1] == m]) for m in names] if apart else [file(rows)]
    files = {f"{i}.{suffix}": text for i, (text, suffix) in enumerate(each)}
    return Table(files, [*files], right)


def totals(draw: random.Random) -> Table:
    """Numbers of right answers among all, or matrices of two classes as JSON."""
    names, n = draw.sample(NAMES[:7], draw.randint(2, 4)), draw.randint(60, 200)
    if draw.random() < 0.5:
        labels, upside = draw.choice(PAIRS[:5]), draw.random() < 0.5
        matrix = {m: [[draw.randint(1, 50) for _ in "ab"] for _ in "ab"] for m in names}
        turned = {m: [row[::-1] for row in of[::-1]] if upside else of for m, of in matrix.items()}
        content = {m: {"labels": labels[::-1] if upside else labels, "matrix": of} for m, of in turned.items()}
        return Table({"m.json": json.dumps(content)}, ["m.json"], {m: f1((*of[0], *of[1])) for m, of in matrix.items()})
    solved = {m: draw.randint(1, 50) for m in names}
    good, rest = draw.choice((("correct", "total"), ("passed", "failed")))
    columns: Columns = {draw.choice(MODEL): names, good: [*solved.values()]}
    columns[rest] = [n if rest == "total" else n - k for k in solved.values()]
    return one_file(draw, columns, [], {m: Fraction(k, n) for m, k in solved.items()}, draw.choice((0, 1)))


if __name__ == "__main__":
    sys.exit(main([counts_table, totals]))
