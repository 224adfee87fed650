"""What the paths are measured on: the same performances as counts, large counts, floats, averages, and so on."""

import pickle
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rankscape as rs

Array = NDArray[Any]

KINDS = ("counts", "large", "floats", "averaged", "shifted", "ties")
"""Counts of about 1e4; counts of 1e12; probabilities; averages of three domains; a shifted prior; few distinct rows."""

SHARE = 0.3
"""Positives, where all entities have the same prior."""


def masses(n: int, seed: int = 0) -> Array:
    """Return n random performances, uniform on the simplex."""
    return np.random.default_rng([seed, n]).dirichlet(np.ones(4), n)


def of_one_prior(mass: Array) -> Array:
    """Return performances of the same rates whose prior is ``SHARE`` but for rounding."""
    tn, fp, fn, tp = mass.T
    negative, positive = (1 - SHARE) / (tn + fp), SHARE / (fn + tp)
    return np.stack([tn * negative, fp * negative, fn * positive, tp * positive], axis=-1)


def counts_of(mass: Array, totals: Array) -> Array:
    """Return whole numbers of a total per row, as close to the masses as rounding down allows."""
    counts = np.floor(mass * totals[:, None]).astype(np.int64)
    counts[:, 0] += totals - counts.sum(axis=1)
    return counts


def counts_of_one_prior(mass: Array, total: int) -> Array:
    """Return counts on the same test set for all rows."""
    positives = round(total * SHARE)
    tn = np.round((total - positives) * mass[:, 0] / (mass[:, 0] + mass[:, 1])).astype(np.int64)
    tp = np.round(positives * mass[:, 3] / (mass[:, 2] + mass[:, 3])).astype(np.int64)
    return np.stack([tn, total - positives - tn, positives - tp, tp], axis=-1)


def counts(n: int, total: int = 10_000, one_prior: bool = False, seed: int = 0) -> Array:
    """Return counts (n, 4): on one test set, or each on its own with half as many cases to as many as ``total``."""
    mass = masses(n, seed)
    if one_prior:
        return counts_of_one_prior(mass, total)
    return counts_of(mass, np.random.default_rng([seed, n, 1]).integers(total // 2, total + 1, n))


def over_domains(n: int, domains: int = 3, one_prior: bool = False) -> rs.Performances:
    """Return n entities tried on some domains, one after the other."""
    rows = np.concatenate([counts(n, 10_000 - 500 * d, one_prior, seed=d) for d in range(domains)])
    names = [f"m{i}" for i in range(n)] * domains
    return rs.Performances.from_counts(rows, names=names, domains=[f"d{d}" for d in range(domains) for _ in range(n)])


def performances(kind: str, n: int, one_prior: bool = False) -> rs.Performances:
    """Return n performances of a kind, all of the same prior or each of its own."""
    make = rs.Performances.from_counts
    match kind:
        case "counts":
            return make(counts(n, one_prior=one_prior))
        case "large":
            return make(counts(n, 10**12, one_prior))
        case "floats":
            mass = masses(n)
            return rs.Performances.from_probabilities(of_one_prior(mass) if one_prior else mass)
        case "averaged":
            return rs.summarize(over_domains(n, one_prior=one_prior))
        case "shifted":
            return make(counts(n)).shift_priors(SHARE)
        case "ties":
            return make(counts(n, 40, one_prior))
    raise ValueError(f"no kind of input: {kind}")


def kept(kind: str, n: int, one_prior: bool) -> rs.Performances:
    """Return performances whose integers are there, as after reading; a path of its own says what they cost.

    They are made once and then read, because many processes ask for the same ones.
    """
    path = scratch(f"{kind}-{n}-{'one' if one_prior else 'any'}.pickle")
    if path.exists():
        with path.open("rb") as file:
            return pickle.load(file)  # type: ignore[no-any-return]
    P = performances(kind, n, one_prior)
    P.integers  # noqa: B018
    with path.open("wb") as file:
        pickle.dump(P, file, protocol=5)
    return P


def exact(kind: str, n: int) -> rs.Performances:
    """Return performances, each of its own prior."""
    return kept(kind, n, one_prior=False)


def exact_of_one_prior(kind: str, n: int) -> rs.Performances:
    """Return performances of one prior."""
    return kept(kind, n, one_prior=True)


def cases(kind: str, n: int) -> rs.Performances:
    """Return performances that know how many cases they come from, which draws start from; domains stay apart."""
    return over_domains(max(n, 1)) if kind == "averaged" else performances("counts" if kind == "shifted" else kind, n)


def columns(kind: str, n: int) -> dict[str, Any]:
    """Return the columns of a table of performances; the averaged ones have fourteen rows per entity."""
    if kind == "averaged":
        P = over_domains(max(1, n // 14), 14)
        numbers, first = P.counts, {"entity": list(P.names), "domain": list(P.domains or ())}
    else:
        numbers, first = {
            "counts": counts(n), "large": counts(n, 10**12), "floats": masses(n), "ties": counts(n, 40),
        }[kind], {"entity": [f"m{i}" for i in range(n)]}  # fmt: skip
    return first | dict(zip(("tn", "fp", "fn", "tp"), np.asarray(numbers).T, strict=True))


def scratch(name: str) -> Path:
    """Return where a file is written; the program makes a folder of its own the one for such files."""
    return Path(gettempdir()) / name


def table_file(suffix: str) -> Callable[[str, int], Path]:
    """Return what writes a table of performances as a file of a kind, csv or parquet."""

    def write(kind: str, n: int) -> Path:
        import pandas as pd

        path, frame = scratch(f"table-{kind}-{n}.{suffix}"), pd.DataFrame(columns(kind, n))
        frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
        return path

    return write


def table_frame(kind: str, n: int) -> Any:
    """Return such a table as a data frame of pandas."""
    import pandas as pd

    return pd.DataFrame(columns(kind, n))


def predictions_file(suffix: str) -> Callable[[str, int], Path]:
    """Return what writes n predictions of 20 entities on 10 domains as a file of a kind."""

    def write(kind: str, n: int) -> Path:
        import duckdb

        path = scratch(f"predictions-{n}.{suffix}")
        how = "header" if suffix == "csv" else "format parquet"
        duckdb.sql(f"""
            copy (
                select 'model ' || (i % 20) as model, 'video ' || (i // 20 % 10) as video,
                       (hash(i) % 10 < 3)::tinyint as y,
                       ((hash(i) % 10 < 3) != (hash(-i - 1) % 8 = 0))::tinyint as yhat
                from range({n}) t(i)
            ) to '{path}' ({how})""")
        return path

    return write


def predictions_frame(kind: str, n: int) -> Any:
    """Return such predictions as a data frame of pandas."""
    import pandas as pd

    return pd.read_parquet(predictions_file("parquet")(kind, n))


def scored(kind: str, n: int) -> tuple[Array, Array]:
    """Return truth and scores of n cases; with ties the scores have two decimals."""
    rng = np.random.default_rng(n)
    truth = (rng.random(n) < SHARE).astype(int)
    score = rng.normal(size=n) + truth
    return truth, score.round(2) if kind == "ties" else score


def labeled(kind: str, n: int) -> tuple[Array, Array]:
    """Return truth and predictions of n cases."""
    truth, score = scored(kind, n)
    return truth, (score > 1).astype(int)


def same_cases(kind: str, n: int) -> tuple[Array, dict[str, Array]]:
    """Return truth and the predictions of ten entities on n cases."""
    rng = np.random.default_rng(n)
    truth = (rng.random(n) < SHARE).astype(int)
    return truth, {f"m{i}": np.where(rng.random(n) < 0.85, truth, 1 - truth) for i in range(10)}


def two_labelings(kind: str, n: int) -> Array:
    """Return two labelings of n elements in 20 classes."""
    return np.random.default_rng(n).integers(0, 20, (2, n))


def two_orders(kind: str, n: int) -> list[Array]:
    """Return two orders of n elements."""
    return [np.random.default_rng([seed, n]).permutation(n) for seed in (0, 1)]


def values_of_six(kind: str, n: int) -> Array:
    """Return a true value and five guesses of n cases."""
    return np.random.default_rng(n).normal(size=(6, n))


def queries(kind: str, n: int) -> tuple[list[set[int]], list[set[int]]]:
    """Return, for n queries, what is relevant and what is retrieved."""

    def sets(seed: int) -> list[set[int]]:
        rng = np.random.default_rng([seed, n])
        cuts = np.cumsum(rng.integers(1, 20, n - 1))
        return [set(part.tolist()) for part in np.split(rng.integers(0, 1000, cuts[-1] + 10), cuts)]

    return sets(0), sets(1)
