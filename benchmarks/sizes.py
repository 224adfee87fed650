"""Counting files of a thousand bytes and more, CSV and JSON lines: ``python -m benchmarks.sizes``.

Each size is three times the one before, so that no constant in the code lies outside. Printed are the milliseconds of
``rs.count``, and its speed as a multiple of that of pandas (reading and grouping) and of DuckDB's own GROUP BY, which
guesses the format. Wanted are .3 of pandas up to 100 000 rows, and .4 of DuckDB beyond. ``--cpu`` compares the time of
the processor, which a busy machine changes less.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd

import rankscape as rs

HOW = {"truth": "y", "prediction": "yhat", "entity": "model", "domain": "video"}
COLUMNS = ["model", "video", "y", "yhat"]
KINDS: dict[str, tuple[Callable[[pd.DataFrame, Path], Any], Callable[[Path], pd.DataFrame]]] = {
    "csv": (lambda frame, path: frame.to_csv(path, index=False), pd.read_csv),
    "jsonl": (
        lambda frame, path: frame.to_json(path, orient="records", lines=True),
        lambda path: pd.read_json(path, lines=True),
    ),
}


def predictions(rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    names = {"model": [f"model {i}" for i in range(20)], "video": [f"video {i}" for i in range(10)]}
    texts = {name: rng.choice(values, rows) for name, values in names.items()}
    return pd.DataFrame(texts | {name: rng.integers(0, 2, rows) for name in ("y", "yhat")})


def fastest(question: Callable[[], Any], clock: Callable[[], float], times: int) -> float:
    seconds = []
    for _ in range(times):
        start = clock()
        question()
        seconds.append(clock() - start)
    return min(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=float, default=1e8, help="bytes of the largest file")
    parser.add_argument("--cpu", action="store_true")
    given = parser.parse_args()
    clock = time.process_time if given.cpu else time.perf_counter
    print(f"{'kind':<6} {'bytes':>11} {'rows':>9} {'ms':>9} {'of pandas':>10} {'of DuckDB':>10}")
    for kind, (write, read) in KINDS.items():
        rows, size = 40, 0
        while size * 3 <= given.most:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, f"cases.{kind}")
                write(predictions(rows), path)
                size, times = path.stat().st_size, 9 if rows < 10_000 else 3
                query = f"select model, video, y, yhat, count(*) from '{path}' group by all"
                ours = fastest(lambda path=path: rs.count(path, **HOW), clock, times)
                pandas = fastest(lambda path=path, read=read: read(path).groupby(COLUMNS).size(), clock, times)
                bare = fastest(lambda query=query: duckdb.sql(query).fetchall(), clock, times)
                print(
                    f"{kind:<6} {size:>11,} {rows:>9,} {ours * 1e3:>9.1f} {pandas / ours:>10.2f} {bare / ours:>10.2f}"
                )
            rows *= 3


if __name__ == "__main__":
    main()
