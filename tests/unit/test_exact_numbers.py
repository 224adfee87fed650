"""Numbers that are given exactly stay exact, on every way in; of floats in a table the decimals count."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankscape as rs
from rankscape.checks import checked_weights
from rankscape.io.scored import read_task
from rankscape.kernels.exact import decimal_integers

B = 2**53
NEAR = {  # three numbers that ascend, and that floats would merge
    "integers": [B, B + 1, B + 2],
    "huge integers": [10**30, 10**30 + 1, 10**30 + 2],
    "uint64": np.array([2**63, 2**63 + 1, 2**63 + 2], dtype=np.uint64),
    "fractions": [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30), Fraction(1, 2)],
    "decimals": [Decimal("0.1"), Decimal("0.1000000000000000000001"), Decimal("0.2")],
    "texts": ["0.1", "0.1000000000000000000001", "0.2"],
    "beside a float": [B, B + 1, 1e300],
    "pandas": pd.Series([B, B + 1, B + 2], dtype="Int64"),
    "polars": pl.Series([B, B + 1, B + 2]),
    "arrow": pa.array([B, B + 1, B + 2]),
    "pandas decimals": pd.Series([Decimal("0.1"), Decimal("0.1000000000000000000001"), Decimal("0.2")]),
}


@pytest.mark.parametrize("near", NEAR.values(), ids=NEAR)
def test_numbers_that_floats_would_merge_stay_apart(near: Any) -> None:
    assert rs.kendall_tau(near, [1, 2, 3]) == 1
    P = rs.Performances.from_scores([0, 1, 1], near)
    assert P.counts is not None
    assert P.counts.tolist() == [[1, 0, 2, 0], [1, 0, 1, 1], [1, 0, 0, 2], [0, 1, 0, 2]]
    best = rs.sweep([0, 1, 1], near).best("accuracy")
    values = near.to_list() if hasattr(near, "to_list") else near.to_pylist() if hasattr(near, "to_pylist") else near
    assert best.value == 1
    assert best.threshold == Fraction(values[1])
    assert rs.sweep([0, 1, 1], {"a": near, "b": [1, 2, 3]}).best("accuracy")["a"].value == 1
    errors = rs.tasks.regression.evaluate(near, {"next": [*values[1:], values[2]], "same": [*values]})
    assert rs.rank(errors, by="mae").ranks.tolist() == [2, 1]
    assert rs.compare(errors["next"], errors["same"], by="mse") == "worse"


@pytest.mark.parametrize("missing", [pd.Series([B, B + 1, None], dtype="Int64"), pl.Series([B, B + 1, None])])
def test_integers_beside_nothing_stay_apart(missing: Any) -> None:
    assert rs.kendall_tau(missing, [1, 2, 3]) == 1


@pytest.mark.parametrize("kind", [Fraction, Decimal, str])
def test_probabilities_tie_where_what_was_given_does(kind: Any) -> None:
    texts = [["0.400", "0.045", "0.055", "0.500"], ["0.300", "0.055", "0.045", "0.600"]]
    rows = [[kind(text) for text in row] for row in texts]
    assert rs.rank(rs.Performances.from_probabilities(rows), by="accuracy").ranks.tolist() == [1, 1]
    floats = rs.Performances.from_probabilities(np.array(texts, dtype=float))
    assert floats.exact is None  # floats are the rationals that they are
    assert rs.rank(floats, by="accuracy").ranks.tolist() == [1, 2]


def test_integers_of_any_size() -> None:
    assert rs.Performances.from_exact([["1" + "0" * 40, 1, 2, 3]]).integers[0, 0] == 10**40
    with pytest.raises(rs.DataError, match="whole numbers of any size to from_exact"):
        rs.Performances.from_counts([[2**63, 1, 2, 3]])
    frame = pd.DataFrame({"tn": [2**60 - 1], "fp": [0.0], "fn": [1.0], "tp": [2.0]})  # numpy makes floats of them
    assert rs.Performances.from_counts(frame).counts.tolist() == [[2**60 - 1, 0, 1, 2]]


@pytest.mark.parametrize("kind", [float, Fraction, Decimal, str])
def test_weights_of_cases_and_domains_are_added_exactly(kind: Any) -> None:
    weights = [kind(text) for text in ("0.1", "0.2", "0.3")]
    models = {"a": [1, 1, 0], "b": [0, 0, 1]}
    P = rs.Performances.from_labels([1, 1, 1], models, sample_weight=weights)
    assert rs.rank(P, by="accuracy").ranks.tolist() == [1, 1]
    rows = [[1, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 0, 1], [1, 0, 1, 0]]
    Q = rs.Performances.from_counts(rows, names=["a", "a", "a", "b", "b", "b"], domains=["x", "y", "z"] * 2)
    given = dict(zip("xyz", weights, strict=True))
    assert rs.rank(rs.summarize(Q, given), by="tnr").ranks.tolist() == [1, 1]


TABLE = pd.DataFrame(
    [
        ("x", "a", 0.1, 0.2, 0.3, 0.4), ("y", "a", 0.2, 0.1, 0.2, 0.5), ("z", "a", 0.3, 0.3, 0.2, 0.2),
        ("x", "b", 0.3, 0.3, 0.2, 0.2), ("y", "b", 0.1, 0.2, 0.3, 0.4), ("z", "b", 0.2, 0.1, 0.2, 0.5),
    ],
    columns=["domain", "entity", "tn", "fp", "fn", "tp"],
)  # fmt: skip


def ways_in(table: pd.DataFrame, folder: Path) -> dict[str, Any]:
    """The same table as everything that can hold it."""
    table.to_csv(folder / "t.csv", index=False)
    (folder / "t.json").write_text(json.dumps(table.to_dict(orient="records")))
    table.to_parquet(folder / "t.parquet")
    return {
        "frame": table,
        "CSV": folder / "t.csv",
        "JSON": folder / "t.json",
        "Parquet": folder / "t.parquet",
        "polars": pl.from_pandas(table),
        "arrow": pa.Table.from_pandas(table),
        "mapping": {name: table[name].tolist() for name in table},
        "arrays": {name: table[name].to_numpy() for name in table},
        "records": table.to_dict(orient="records"),
        "singles": table.astype({name: np.float32 for name in table if table[name].dtype == np.float64}),
    }


def test_frames_and_files_of_the_same_decimals_give_one_order(tmp_path: Path) -> None:
    for name, source in ways_in(TABLE, tmp_path).items():
        P = rs.read(source)
        assert P.of_integers, name
        assert rs.rank(P, by="accuracy").ranks.tolist() == [1, 1], name
    long = TABLE.assign(tn=TABLE["tn"] / 3, tp=TABLE["tp"] + TABLE["tn"] * 2 / 3)  # sixteen and more digits
    integers = {name: rs.read(source).integers for name, source in ways_in(long, tmp_path).items() if name != "singles"}
    first = integers["CSV"]
    for name, other in integers.items():
        assert (other * first.sum(axis=1)[:, None] == first * other.sum(axis=1)[:, None]).all(), name


def test_weights_in_tables_are_decimals(tmp_path: Path) -> None:
    table = pd.DataFrame({"y": [1, 1, 1], "a": [1, 1, 0], "b": [0, 0, 1], "w": [0.1, 0.2, 0.3]})
    sources = {
        name: s
        for name, s in ways_in(table, tmp_path).items()
        if name in ("frame", "CSV", "JSON", "Parquet", "polars", "arrow")
    }
    sources["decimals"] = table.assign(w=[Decimal("0.1"), Decimal("0.2"), Decimal("0.3")])
    for name, source in sources.items():
        P = rs.count(source, truth="y", prediction=["a", "b"], weight="w")
        assert rs.rank(P, by="accuracy").ranks.tolist() == [1, 1], name


def test_scores_in_tables_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"y,s\n0,{B}\n1,{B + 1}\n1,{B + 2}\n")
    for source in (path, pd.read_csv(path), pl.read_csv(path)):
        best = rs.sweep(source, truth="y", score="s").best("accuracy")["s"]
        assert (best.threshold, best.below, best.value) == (B + 1, B, 1)
    with pytest.raises(rs.DataError, match=f"that floats would round, such as {B}; .*: subtract one number"):
        rs.decide(rs.sweep(path, truth="y", score="s"), costs=rs.costs(miss=1))


def test_regression_in_tables_is_exact(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("truth,a,b\n0.1,0.2,0.4\n0.2,0.4,0.2\n")
    frame = pd.read_csv(tmp_path / "t.csv")
    for source in (tmp_path / "t.csv", frame):
        pairs = read_task(source, "regression", truth="truth", prediction=["a", "b"])
        assert rs.rank(pairs, by="mae").ranks.tolist() == [1, 1]
        assert rs.rank(pairs, by="within(0.3)").ranks.tolist() == [1, 1]


def test_the_shortest_decimals_of_floats() -> None:
    rng = np.random.default_rng(0)
    for floats in (rng.random(50), rng.random(50).round(3), rng.random(50) * 1e-30, np.array([5e-324, 1e308, 0.0])):
        for kind in (np.float64, np.float32):
            with np.errstate(over="ignore"):
                given = floats.astype(kind)
            given = given[np.isfinite(given)]
            whole, scale = decimal_integers(given)
            assert [Fraction(int(n), scale) for n in whole] == [Fraction(str(value)) for value in given]


def test_numbers_that_would_fill_the_memory_are_refused() -> None:
    for huge in ("1e999999999999999999999", Decimal("1e999999999"), Decimal("1e-999999999"), "9" * 100_000):
        with pytest.raises(rs.DataError, match="too long to be computed with; expected at most 1000 digits"):
            rs.kendall_tau([huge, 1], [1, 2])
        with pytest.raises(rs.DataError):
            rs.sweep([0, 1], [huge, 1])
        with pytest.raises(rs.DataError):
            checked_weights([huge, 1], 2)
