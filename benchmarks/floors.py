"""The page on physical limits: what each kernel takes, on one thread, over what the machine must do at least."""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

import rankscape as rs
from rankscape.kernels.backend import inversions
from rankscape.kernels.crossings import Crossings, lines_of_integers
from rankscape.kernels.draws import first_counts
from rankscape.kernels.grid import ranks_of
from rankscape.kernels.maps import tau_b_map, value_maps

from . import inputs, peers
from .table import brief, power

COLUMNS = ("kernel", "size", "floor", "in floors")
UNITS = ("floor", "time")
ROUNDS = 5
CELLS, VALUES, DRAWS = 11, 201, 100

Call = Callable[[], Any]


class Floor(NamedTuple):
    """What must be done at least: its name, a call that does some of it, and how often that is needed."""

    what: str
    call: Call
    times: float = 1


def sort(n: int, times: float = 1, of: str = "a sort") -> Floor:
    """Return the floor of what must be ordered: n floats are sorted."""
    floats = np.random.default_rng(0).random(n)
    return Floor(of, lambda: np.sort(floats), times)


def writing(numbers: int) -> Floor:
    """Return the floor of what must be written: the memory takes so many floats, new pages included."""
    return Floor("writing the values", lambda: np.full(numbers, 0.5))


def comparing(numbers: float) -> Floor:
    """Return the floor of what must be compared: so many pairs of floats, in the nearest cache."""
    one, two = np.random.default_rng(0).random((2, 2048))
    out = np.empty(2048, dtype=bool)

    def compare() -> None:
        for _ in range(500):
            np.less(one, two, out=out)

    return Floor("comparing all", compare, numbers / (500 * 2048))


def drawing(numbers: int) -> Floor:
    """Return the floor of draws from Dirichlet distributions: as many gamma numbers."""
    rng = np.random.default_rng(0)
    shapes = rng.integers(1, 5000, numbers).astype(float)
    return Floor("drawing gamma numbers", lambda: rng.standard_gamma(shapes))


def parsing(path: Path) -> Floor:
    """Return the floor of reading a table: pandas' compiled reader, which trusts what it reads."""
    import pandas as pd

    return Floor("pandas.read_csv", lambda: pd.read_csv(path))


def grouping(path: Path) -> Floor:
    """Return the floor of counting: the grouping of the engine alone."""
    return Floor("DuckDB's GROUP BY", lambda: peers.count_by_duckdb(path))


def middle(crossings: Crossings) -> Any:
    """Return the median crossing."""
    return crossings.kth((crossings.total + 1) // 2).place


def kernels(n: int) -> Iterator[tuple[str, int, Call, Floor]]:
    """Yield each kernel with its size, a call and its floor; ``n`` is the size of the large ones."""
    few = max(2, n // 10)
    P, one_prior = inputs.exact("counts", n), inputs.exact_of_one_prior("counts", n)
    f1 = rs.score("f1")
    yield "exact order by a score, F1", n, lambda: rs.ordering.levels(P, f1), sort(n)
    permutation = np.random.default_rng(0).permutation(n)
    yield "inversions", n, lambda: inversions(permutation), sort(n)
    rows = np.maximum(P.integers[:, 1:].astype(np.int64), [0, 0, 1])
    lines = lines_of_integers(rows)
    yield "exact order at one trade-off", n, lambda: lines.order((2, 1), after=True), sort(n)
    yield "median of all crossings, optimal β", n, lambda: middle(Crossings(lines)), sort(n)
    yield "who can ever be first, one prior", n, lambda: rs.regions.winners(one_prior), sort(n)

    some = inputs.exact("counts", few)
    levels, _ = rs.ordering.levels(some, f1)
    yield (
        f"correlation map, {CELLS}²", few, lambda: tau_b_map(some.integers, levels, CELLS),
        sort(few, CELLS**2, "a sort per cell"),
    )  # fmt: skip
    ones = np.ones(few, dtype=np.int64)
    yield (
        f"map of the rank of one, {CELLS}²", few, lambda: ranks_of(0, some.integers, ones, CELLS),
        comparing(few * CELLS**2),
    )  # fmt: skip

    hundred, axis = inputs.masses(100), np.linspace(0, 1, VALUES)
    yield f"value maps, {VALUES}²", 100, lambda: value_maps(hundred, axis, axis), writing(100 * VALUES**2)
    draws = np.random.default_rng(0).dirichlet([8.0, 1.5, 1.0, 4.0], (DRAWS, 100))
    yield (
        f"map of P(first), {DRAWS} draws, {VALUES}²", 100, lambda: first_counts(draws, VALUES),
        comparing(DRAWS * 100 * VALUES**2),
    )  # fmt: skip

    counted = rs.Performances.from_counts(inputs.counts(100, 1000))
    yield (
        "draws of the posterior, 2000", 100, lambda: rs.uncertainty.posterior(counted, 2000, method="jeffreys").values,
        drawing(2000 * 100 * 4),
    )  # fmt: skip
    table = inputs.table_file("csv")("counts", few)
    yield "reading a table, CSV", few, lambda: rs.read(table), parsing(table)
    for suffix in ("csv", "parquet"):
        path = inputs.predictions_file(suffix)("counts", n)
        yield (
            f"counting, {'CSV' if suffix == 'csv' else 'Parquet'}", n,
            lambda path=path: rs.count(path, truth="y", prediction="yhat", entity="model", domain="video"),
            grouping(path),
        )  # fmt: skip
    truth, score = inputs.scored("floats", n)
    yield "sweep of thresholds", n, lambda: rs.sweep(truth, score), sort(n)


def seconds(call: Call) -> float:
    """Return the time of a call."""
    start = perf_counter()
    call()
    return perf_counter() - start


def ratio(call: Call, floor: Call) -> float:
    """Return the median of the ratios of calls in turns."""
    call(), floor()
    return median(seconds(call) / seconds(floor) for _ in range(ROUNDS))


def lines(n: int = 10**6) -> Iterator[list[str]]:
    """Measure every kernel, and yield a line for each."""
    warnings.simplefilter("ignore")
    for name, size, call, floor in kernels(n):
        yield [name, power(size), floor.what, brief(ratio(call, floor.call) / floor.times)]


def units(n: int = 10**6) -> Iterator[list[str]]:
    """Yield what the floors take on this machine."""
    floats = np.random.default_rng(0).random(n)
    per_element = {
        f"sorting a float, among {power(n)}": (sort(n).call, n),
        f"sorting an index by floats, among {power(n)}": (lambda: np.argsort(floats), n),
        "writing a float": (writing(20 * n).call, 20 * n),
        "comparing two floats, in cache": (comparing(1).call, 500 * 2048),
        "drawing a gamma number": (drawing(n).call, n),
    }
    for what, (call, elements) in per_element.items():
        call()
        yield [what, f"{median(seconds(call) for _ in range(ROUNDS)) / elements * 1e9:.2g} ns"]
