"""How time and memory grow with the size of the input, for each path from data to answer; one process per measurement.

Run ``python benchmarks/growth.py``; with ``--csv docs/scale.csv`` it writes the table of the page on scale.
"""

import argparse
import csv
import subprocess
import sys
from collections.abc import Callable
from math import log, log10
from pathlib import Path
from typing import Any

import numpy as np

import rankscape as rs

COLUMNS = ("path", "size", "small", "medium", "large", "MB", "slope", "1000 times more")


def entities(n: int) -> rs.Performances:
    """Return n entities with integer counts of about ten thousand cases."""
    P = rs.Performances.from_counts(np.random.default_rng(0).integers(1, 5000, (n, 4)))
    P.integers  # noqa: B018  exact once, as after reading counts
    return P


def one_prior(n: int) -> rs.Performances:
    """Return n entities tried on the same 10 000 cases."""
    rng = np.random.default_rng(0)
    tn, tp = rng.integers(0, 7001, n), rng.integers(0, 3001, n)
    P = rs.Performances.from_counts(tn=tn, fp=7000 - tn, fn=3000 - tp, tp=tp)
    P.integers  # noqa: B018
    return P


def labels(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return truth and scores of n cases."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, n)
    return truth, rng.random(n) + truth / 2


def table(n: int) -> str:
    """Write a table of n rows beside this process and return its name."""
    path = Path(sys.argv[-1])
    counts = np.random.default_rng(0).integers(0, 5000, (n, 4))
    with path.open("w", encoding="utf-8") as file:
        file.write("entity,tn,fp,fn,tp\n")
        file.writelines(f"m{i},{a},{b},{c},{d}\n" for i, (a, b, c, d) in enumerate(counts))
    return str(path)


def parquet(n: int) -> str:
    """Write n predictions of 20 entities on 10 domains as Parquet beside this process and return its name."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, n, dtype=np.int8)
    wrong = rng.random(n) < 0.2
    names = pa.DictionaryArray.from_arrays(pa.array(rng.integers(0, 20, n), pa.int32()), [f"m{k}" for k in range(20)])
    places = pa.DictionaryArray.from_arrays(pa.array(rng.integers(0, 10, n), pa.int32()), [f"d{k}" for k in range(10)])
    path = str(Path(sys.argv[-1]).with_suffix(".parquet"))
    pq.write_table(pa.table({"y": truth, "p": truth ^ wrong, "model": names, "domain": places}), path)
    return path


Task = tuple[str, str, tuple[int, int, int], Callable[[int], Any], Callable[[Any], Any]]
PATHS: dict[str, Task] = {
    "read": ("read a CSV file", "rows", (1_000, 10_000, 100_000), table, rs.read),
    "labels": (
        "count predictions of one entity", "cases", (10**5, 10**6, 10**7), labels,
        lambda x: rs.Performances.from_labels(x[0], (x[1] > 0.75).astype(int)),
    ),
    "count": (
        "count predictions in Parquet", "rows", (10**5, 10**6, 10**7), parquet,
        lambda path: rs.count(path, truth="y", prediction="p", entity="model", domain="domain"),
    ),
    "sweep": (
        "sweep of thresholds, its hull, best F1", "cases", (10**4, 10**5, 10**6), labels,
        lambda x: (rs.sweep(*x).hull(), rs.sweep(*x).best("f1")),
    ),
    "scores": (
        "every threshold of a classifier", "cases", (10**4, 10**5, 10**6), labels,
        lambda x: rs.Performances.from_scores(*x),
    ),
    "score": ("F1 of all", "entities", (10**4, 10**5, 10**6), entities, lambda P: rs.score("f1")(P)),
    "rank": ("exact leaderboard by F1", "entities", (10**4, 10**5, 10**6), entities, lambda P: rs.rank(P, by="f1")),
    "winners": (
        "who can ever be first, equal priors", "entities", (10**4, 10**5, 10**6), one_prior, rs.regions.winners,
    ),
    "first": ("exact regions of the Tile", "entities", (10**3, 10**4, 10**5), entities, rs.regions.first),
    "flips": ("what would change the answer", "entities", (10**3, 10**4, 10**5), entities, rs.regions.flips),
    "ranking": (
        "map of the rank of one, 101 × 101", "entities", (10**3, 10**4, 10**5), entities,
        lambda P: rs.tile.ranking(P, "P1", resolution=101),
    ),
    "correlation": (
        "map of correlations with MCC, 41 × 41", "entities", (10**3, 10**4, 10**5), entities,
        lambda P: rs.tile.correlation("mcc", P, resolution=41),
    ),
    "intervals": (
        "intervals of ranks, 2000 draws", "entities", (10, 10**2, 10**3), entities, rs.uncertainty.rank_intervals,
    ),
    "first_tile": (
        "map of P(first), 1000 draws, 101 × 101", "entities", (10, 10**2, 10**3), entities,
        lambda P: rs.uncertainty.first_tile(P, draws=1000, resolution=101),
    ),
    "tradeoff": ("optimal trade-off", "entities", (10**4, 10**5, 10**6), entities, lambda P: rs.tradeoff(P).beta),
}  # fmt: skip


MEASURE = """
import resource, sys, time, warnings
sys.path.insert(0, sys.argv[1])
import growth
warnings.simplefilter("ignore")
_, _, _, prepare, work = growth.PATHS[sys.argv[2]]
given = prepare(int(sys.argv[3]))
files = ("read", "count")  # of which the small one would be written over the large one
work(given if sys.argv[2] in files else prepare(growth.PATHS[sys.argv[2]][2][0]))  # what is loaded at the first call
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
times = []
while len(times) < 3 and sum(times) < 10:
    start = time.perf_counter(); work(given); times.append(time.perf_counter() - start)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(min(times), (after - before) / 1024)
"""


def measured(name: str, n: int, scratch: Path) -> tuple[float, float]:
    """Return the seconds of the fastest call of a path at one size, and how many MB its process grew meanwhile."""
    here = str(Path(__file__).resolve().parent)
    call = [sys.executable, "-c", MEASURE, here, name, str(n), str(scratch)]
    seconds, memory = subprocess.run(call, check=True, capture_output=True, text=True).stdout.split()
    return float(seconds), float(memory)


def shown(seconds: float) -> str:
    """Write a time with two digits and the unit that fits."""
    for unit, size in (("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2g} {unit}" if seconds / size < 99.5 else f"{seconds / size:.0f} {unit}"
    return f"{seconds * 1e6:.2g} µs"


def power(n: int) -> str:
    """Write a power of ten."""
    return "10" + str(round(log10(n))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def row(name: str, scratch: Path) -> tuple[str, ...]:
    """Measure one path at three sizes; the slope is that of the last step, the forecast goes on with it, or with 1."""
    what, of, sizes, _, _ = PATHS[name]
    found = [measured(name, n, scratch) for n in sizes]
    times = [seconds for seconds, _ in found]
    slope = log(times[2] / times[1]) / log(sizes[2] / sizes[1])
    cells = [f"{power(n)}: {shown(seconds)}" for n, seconds in zip(sizes, times, strict=True)]
    return (what, of, *cells, f"{found[2][1]:.0f}", f"{slope:.2f}", shown(times[2] * 1000 ** max(slope, 1)))


def main() -> None:
    """Measure all paths, print them, and write them where asked to."""
    parser = argparse.ArgumentParser(description="How time and memory grow with the size of the input.")
    parser.add_argument("--csv", type=Path, help="file to write")
    parser.add_argument("--only", nargs="+", choices=list(PATHS), help="which paths (all)")
    options = parser.parse_args()
    scratch = Path(__file__).with_name("growth.tmp.csv")
    rows = []
    try:
        for name in options.only or PATHS:
            rows.append(row(name, scratch))
            print(" | ".join(rows[-1]), flush=True)
    finally:
        for file in (scratch, scratch.with_suffix(".parquet")):
            file.unlink(missing_ok=True)
    if options.csv:
        with options.csv.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main()
