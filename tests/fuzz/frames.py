"""Tables of counts and of right answers at random: a data frame of any kind answers as the CSV of the same values does.

    python tests/fuzz/frames.py --tables 3000 --seed 1
    python tests/fuzz/frames.py --seconds 20 --seed 1

Frames of pandas (plain, object, Decimal, nullable, Arrow) and polars. Exits with 1, and prints the table, where names,
domains, counts or shares, the account, warnings or the refusal differ.
"""
# fmt: off

import argparse
import csv
import io
import random
import re
import sys
import time
import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl

import rankscape as rs

Columns = dict[str, list[Any]]
COUNTS = (
    *[("tn", "fp", "fn", "tp")] * 4, ("fp", "fn", "tp"), ("True Negatives", "False Positives", "misses", "hits"),
    ("correct", "total"), ("failed", "passed"), ("right", "wrong"), ("success", "failure"), ("accuracy", "n"),
    ("failure", "unanswered", "success"), ("a→a", "a→b", "b→a", "b→b"), ("eval/tn", "eval/fp", "eval/fn", "eval/tp"),
    ("n_correct", "n_total"), ("recall", "specificity"), ("correct",), ("m1", "m2", "m3"),
)  # fmt: skip
NAMING = ("model", "Method", "name", "", "Unnamed: 0", "foo", "Classifier Name", "run", "id", None)
DOMAINS = ("domain", "dataset", "site", "fold", "category")
SPARE: dict[str, tuple[Any, ...]] = {
    "accuracy": (0.5, 0.25, 0.9), "F1 (%)": (50.5, 71.0), "n": (100, 60), "time": ("1.2 s", "3 ms"), "index": (0, 1, 2),
    "note": ("", "a b"), "threshold": (0.5, 0.7), "Unnamed: 0": (0, 1, 2, 3), "version": ("v1", "v2"), "seed": (1, 2),
    "unanswered": (0, 0, 1), "n_positive": (10, 20, None), "params (M)": (1.5, 7.25, None), "ok": (True, False),
    "weight": (1, 2), "question": ("q1", "q2", "q3"),
}  # fmt: skip
FRAMES: dict[str, Callable[[Columns], Any]] = {
    "pandas": pd.DataFrame,
    "object": lambda columns: pd.DataFrame(columns).astype(object),
    "Decimal": lambda columns: pd.DataFrame({header: list(map(decimal, cells)) for header, cells in columns.items()}),
    "nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "Arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
}


def decimal(cell: Any) -> Any:
    return Decimal(repr(cell)) if type(cell) in (int, float) else cell


def table(draw: random.Random) -> Columns:
    """Return columns of numbers, perhaps of shares, behind names, domains, and others that say little."""
    headers, n = draw.choice(COUNTS), draw.choice((1, 2, 3, 4, 6, 9))
    kind = draw.choice(("whole", "whole", "floats", "shares", "bits", "holes"))
    columns: Columns = {}
    naming, several = draw.choice(NAMING), draw.random() < 0.3
    names = [f"m{i // 2 if several else i}" for i in range(n)]
    if draw.random() < 0.15:
        names[-1] = draw.choice(("Total", "mean", "all", names[0]))
    columns |= {} if naming is None else {naming: names}
    columns |= {draw.choice(DOMAINS): [f"d{i % 2}" for i in range(n)]} if several else {}
    for header in draw.sample([*SPARE], draw.choice((0, 0, 0, 1, 1, 2))):
        columns[header] = draw.choices(SPARE[header], k=n)
    rows = [[draw.randint(0, 60) for _ in headers] for _ in range(n)]
    if kind == "shares":
        rows = [[round(x / (sum(row) or 1), draw.choice((2, 3, 12))) for x in row] for row in rows]
    elif kind == "bits":
        rows = [[x % 2 for x in row] for row in rows]
    elif draw.random() < 0.2 and n > 2:
        rows[-1] = [sum(column) for column in zip(*rows[:-1], strict=True)]
    if kind == "floats":
        rows = [[float(x) for x in row] for row in rows]
    elif kind == "holes" and len(columns) + len(headers) > 1:  # else a line would be blank
        rows[draw.randrange(n)][0] = None
    columns |= {header: [row[i] for row in rows] for i, header in enumerate(headers)}
    return {header: columns[header] for header in draw.sample([*columns], len(columns))}


def as_csv(columns: Columns) -> io.StringIO:
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(columns)
    writer.writerows(["" if x is None else x for x in row] for row in zip(*columns.values(), strict=True))
    stream.seek(0)
    return stream


def answer(source: Any, options: dict[str, str]) -> Any:
    """Return what is read from a table, or why nothing is, where numbers may be written in any way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            P = rs.read(source, **options)
        except rs.RankscapeError as error:
            return type(error).__name__, plain(str(error))
        numbers = P.integers if P.counts is None else P.counts
        account = {} if P.account is None else P.account.document() | {"source": None}
        said = sorted(plain(str(one.message)) for one in caught)
        return P.names, P.domains, P.space.outcomes, numbers.tolist(), P.shared is None, account, said


def plain(sentence: str) -> str:
    sentence = re.sub(r"(?<!\w)\(?line \d+(, )?", "(", sentence.removeprefix("the file: ")).replace(" ()", "")
    sentence = re.sub(r'(nan|None|<NA>|"") is missing', "is missing", re.sub(r'holds "?[0-9.]+"?', "holds", sentence))
    return re.sub(r'(?<!\w)"?(-?\d+(\.\d+)?)(?!\w)"?', lambda number: f"{float(number[1]):g}", sentence)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    draw, start, tried, wrong = random.Random(asked.seed), time.monotonic(), 0, 0
    while tried < asked.tables and time.monotonic() - start < asked.seconds:
        columns, tried = table(draw), tried + 1
        of_names = [header for header, cells in columns.items() if {*map(type, cells)} in ({str}, {int})]
        named = of_names and draw.random() < 0.2  # 1.0 names as it stands in a text, and is 1 in a frame
        options = {draw.choice(("entity", "domain")): draw.choice(of_names)} if named else {}
        expected = answer(as_csv(columns), options)
        for name, frame in FRAMES.items():
            if (given := answer(frame(columns), options)) != expected:
                wrong += 1
                print(name, options, as_csv(columns).getvalue(), f"CSV   {expected}", f"frame {given}", sep="\n")
    print(f"{tried} tables of {len(FRAMES)} kinds each; {wrong} answers differ from those of CSV")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
