"""How much faster many scores of many performances are than what one would write today; ratios of medians, one process.

Run ``python benchmarks/bench_scores.py``.
"""

import statistics
import time
import warnings
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pandas as pd

import rankscape as rs

N = 100_000
NAMES = [
    key for key, formula in zip(rs.scores()["key"], rs.scores()["formula"], strict=True) if "(" not in key and formula
][:40]


def seconds(function: Callable[[], object], repeat: int = 3) -> float:
    """Return the median time of a call."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    """Print the ratios."""
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 1000, size=(N, 4))
    P = rs.Performances.from_counts(counts)
    frame = pd.DataFrame(counts, columns=["tn", "fp", "fn", "tp"])
    few = frame.head(2000)

    ours = seconds(lambda: [rs.score(name)(P) for name in NAMES])
    by_row = seconds(lambda: few.apply(lambda r: 2 * r.tp / (2 * r.tp + r.fp + r.fn), axis=1)) * N / len(few)
    columns = seconds(lambda: 2 * frame.tp / (2 * frame.tp + frame.fp + frame.fn))
    one = seconds(lambda: rs.score("f1")(P))
    print(f"{len(NAMES)} scores of {N} performances: {ours:.2f} s")
    print(f"F1 against one formula on pandas columns: {columns / one:.2f} times as fast")
    print(f"F1 against pandas row by row: {by_row / one:.0f} times as fast")

    exact = seconds(lambda: rs.rank(P, by="f1"))
    fractions = seconds(
        lambda: sorted(Fraction(2 * int(tp), 2 * int(tp) + int(fp) + int(fn)) for _, fp, fn, tp in counts), repeat=1
    )
    floats = seconds(lambda: frame.assign(f1=2 * frame.tp / (2 * frame.tp + frame.fp + frame.fn)).f1.rank(method="min"))
    print(f"exact ranking against sorting fractions: {fractions / exact:.1f} times as fast")
    print(f"exact ranking against pandas' rank of floats (ties by luck): {floats / exact:.2f} times as fast")


if __name__ == "__main__":
    warnings.simplefilter("ignore", rs.UnsoundScoreWarning)
    main()
