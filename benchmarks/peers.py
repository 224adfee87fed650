"""What people write today for the same question, with the libraries that they have; no ties are exact here.

Where the whole would take too long, a share of it is done: ``Peer.times`` says how often that must be repeated.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import rankscape as rs

Array = NDArray[Any]
COLUMNS = ("tn", "fp", "fn", "tp")


class Peer(NamedTuple):
    """A way to the answer without rankscape: its name, a call, how often the whole needs it, and the largest size."""

    name: str
    call: Callable[[Any], Any]
    times: float = 1
    largest: int = 10**9


def f1_of(mass: Array) -> Array:
    """Return F1 in floats."""
    _, fp, fn, tp = mass.T
    return np.asarray(2 * tp / (2 * tp + fp + fn))


def mcc_of(mass: Array) -> Array:
    """Return Matthews' correlation coefficient in floats."""
    tn, fp, fn, tp = mass.T
    with np.errstate(invalid="ignore"):
        return np.asarray((tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


def ranks_by_pandas(P: rs.Performances) -> Any:
    import pandas as pd

    return pd.Series(f1_of(P.mass), index=P.names).rank(method="min", ascending=False)


def leaderboard_by_pandas(P: rs.Performances) -> Any:
    import pandas as pd

    frame = pd.DataFrame({"entity": P.names, "value": f1_of(P.mass)})
    frame["rank"] = frame["value"].rank(method="min", ascending=False)
    return frame.sort_values("rank")


def values_at(mass: Array, a: Array, b: Array) -> Array:
    """Return the ranking scores of all on a grid: (n, rows, columns)."""
    s = (1 - a) * mass[:, :1] + a * mass[:, 3:]
    u = (1 - b) * mass[:, 1:2] + b * mass[:, 2:3]
    with np.errstate(invalid="ignore"):
        return np.asarray(s[:, None, :] / (s[:, None, :] + u[:, :, None]))


def one_row(reduce: Callable[[Array], Array], cells: int) -> Callable[[rs.Performances], Array]:
    """Return what reduces the values of all in one row of a grid of so many cells per side, by NumPy."""
    axis = np.linspace(0, 1, cells)
    return lambda P: reduce(values_at(P.mass, axis, np.array([0.4])))


def one_cell(statistic: Callable[[Array, Array], Any]) -> Callable[[rs.Performances], Any]:
    """Return what correlates MCC with the ranking score of one cell."""

    def correlate(P: rs.Performances) -> Any:
        return statistic(mcc_of(P.mass), values_at(P.mass, np.array([0.3]), np.array([0.6]))[:, 0, 0])

    return correlate


def swaps_by_numpy(P: rs.Performances) -> Array:
    """Return all swaps between precision and recall, by blocks of rows."""
    _, fp, fn, tp = P.mass.T
    with np.errstate(divide="ignore", invalid="ignore"):
        u, v = fp / tp, fn / tp
        swaps = []
        for start in range(0, len(u), 500):
            theta = -(u[start : start + 500, None] - u) / (v[start : start + 500, None] - v)
            earlier = np.arange(len(u)) > np.arange(start, min(start + 500, len(u)))[:, None]
            swaps.append(theta[earlier & (theta > 0) & np.isfinite(theta)])
    return np.concatenate(swaps)


def taus_by_scipy(P: rs.Performances) -> tuple[float, float]:
    """Return how F1 correlates with precision and with recall."""
    from scipy.stats import kendalltau

    _, fp, fn, tp = P.mass.T
    with np.errstate(invalid="ignore"):
        f1, ppv, tpr = f1_of(P.mass), tp / (tp + fp), tp / (tp + fn)
    return kendalltau(f1, ppv, nan_policy="omit").statistic, kendalltau(f1, tpr, nan_policy="omit").statistic


def hull_by_scipy(P: rs.Performances) -> Any:
    from scipy.spatial import ConvexHull

    tn, fp, fn, tp = P.mass.T
    return ConvexHull(np.stack([fp / (fp + tn), tp / (fn + tp)], axis=-1), qhull_options="Qt QJ")


def averages_by_pandas(P: rs.Performances) -> Any:
    import pandas as pd

    return pd.DataFrame(P.mass, columns=COLUMNS).groupby(np.asarray(P.names)).mean()


def roles_by_pandas(P: rs.Performances) -> Any:
    import pandas as pd

    values = pd.Series(f1_of(P.mass), index=pd.MultiIndex.from_arrays([P.names, P.domains])).unstack()
    return values.idxmax(axis=1), values.idxmin(axis=1)


def intervals_by_numpy(P: rs.Performances) -> Array:
    """Draw a hundred times from each Dirichlet distribution, and rank."""
    rng, own = np.random.default_rng(0), np.asarray(P.counts)
    ranks = np.empty((100, len(own)))
    for row in ranks:
        row[np.argsort(-f1_of(rng.standard_gamma(own + 0.5)))] = np.arange(len(own))
    return np.asarray(np.quantile(ranks, [0.025, 0.975], axis=0))


def first_by_numpy(P: rs.Performances) -> Array:
    """Say who is first on a grid of 101², for ten draws."""
    rng, axis = np.random.default_rng(0), np.linspace(0, 1, 101)
    out = np.zeros((len(P), 101, 101), dtype=np.int32)
    places = np.arange(len(P))[:, None, None]
    for _ in range(10):
        out += values_at(rng.standard_gamma(np.asarray(P.counts) + 0.5), axis, axis).argmax(axis=0) == places
    return out


def bootstrap_by_numpy(x: tuple[Array, dict[str, Array]]) -> Array:
    """Draw the cases a hundred times with replacement, and rank by F1."""
    truth, predicted = x
    codes = np.stack([2 * truth + p for p in predicted.values()])
    rng, ranks = np.random.default_rng(0), np.empty((100, len(codes)))
    for row in ranks:
        chosen = codes[:, rng.integers(len(truth), size=len(truth))]
        row[:] = f1_of(np.stack([np.bincount(c, minlength=4) for c in chosen]).astype(float)).argsort()
    return ranks


def check_by_pandas(frame: Any) -> Any:
    """Look for what every reader must refuse: names that occur twice, numbers that are missing or negative."""
    numbers = frame[list(COLUMNS)]
    keys = [name for name in ("entity", "domain") if name in frame]
    return frame, frame.duplicated(keys).any(), numbers.isna().any(axis=None), (numbers < 0).any(axis=None)


def read_by_pandas(path: Path) -> Any:
    """Read a table, and check it."""
    import pandas as pd

    return check_by_pandas(pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path))


def count_by_duckdb(path: Path) -> Any:
    import duckdb

    return duckdb.sql(f"select model, video, y, yhat, count(*) from '{path}' group by all").fetchall()


def count_by_pandas(frame: Any) -> Any:
    return frame.groupby(["video", "model", "y", "yhat"], observed=True).size().unstack(["y", "yhat"], fill_value=0)


def roc_by_sklearn(x: tuple[Array, Array]) -> Any:
    from sklearn.metrics import roc_curve

    return roc_curve(*x, drop_intermediate=False)


def confusion_by_sklearn(x: tuple[Array, Array]) -> Any:
    from sklearn.metrics import confusion_matrix

    return confusion_matrix(*x)


def pairs_by_sklearn(x: Array) -> Any:
    from sklearn.metrics.cluster import pair_confusion_matrix

    return pair_confusion_matrix(*x)


def errors_by_sklearn(values: Array) -> Any:
    from sklearn.metrics import mean_absolute_error

    return np.argsort([mean_absolute_error(values[0], guess) for guess in values[1:]])


def overlaps(x: tuple[list[set[int]], list[set[int]]]) -> float:
    """Return the mean of |Y ∩ Ŷ| / |Y ∪ Ŷ| over the queries."""
    return float(np.mean([len(y & z) / len(y | z) for y, z in zip(*x, strict=True)]))


def kendall_by_scipy(x: tuple[Array, Array]) -> Any:
    return kendall(*x)


def kendall(x: Array, y: Array) -> Any:
    from scipy.stats import kendalltau

    return kendalltau(x, y)


def spearman(x: Array, y: Array) -> Any:
    from scipy.stats import spearmanr

    return spearmanr(x, y)
