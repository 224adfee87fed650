"""Counting: the same numbers on every engine, agreement with scikit-learn, and nothing lost without a word."""

import decimal
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import engine_tables
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

import rankscape as rs
from rankscape.cli import main
from rankscape.errors import DataError, PooledRowsWarning, UsageError
from rankscape.io import content, tally

ROOT = Path(__file__).resolve().parents[2]
duckdb = pytest.importorskip("duckdb")

POOLED = pytest.mark.filterwarnings("ignore::rankscape.PooledRowsWarning")  # on purpose


def predictions(n: int = 500, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "y": rng.integers(0, 2, n),
            "yhat": rng.integers(0, 2, n),
            "s": rng.integers(0, 20, n) / 20,
            "model": rng.choice(["b", "a", "C", "é"], n),
            "video": rng.choice([10, 9], n),
            "w": rng.integers(1, 4, n),
            "f": rng.integers(1, 4, n) / 4,
        }
    )


ENGINES: dict[str, Callable[[pd.DataFrame], Any]] = {
    **engine_tables.ENGINES,
    "pandas, categories": lambda frame: frame.assign(model=frame.model.astype("category")),
    "polars, categories": lambda frame: pl.from_pandas(frame).with_columns(pl.col("model").cast(pl.Categorical)),
}
WAYS: dict[str, dict[str, Any]] = {
    "labels": {"prediction": "yhat"},
    "weights": {"prediction": "yhat", "weight": "w"},
    "fractional weights": {"prediction": "yhat", "weight": "f"},
    "scores": {"score": "s", "threshold": 0.35},
    "other class": {"prediction": "yhat", "pos_label": 0},
}


def same(P: rs.Performances, Q: rs.Performances) -> bool:
    alike = (P.names, P.domains, P.space) == (Q.names, Q.domains, Q.space) and np.array_equal(P.mass, Q.mass)
    return alike and (P.counts is None) == (Q.counts is None) and np.array_equal(P.integers, Q.integers)


@pytest.mark.some(22)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_counts_the_same(engine: str, way: str) -> None:
    frame = predictions()
    options = {"truth": "y", "entity": "model", "domain": "video", **WAYS[way]}
    expected = rs.count(frame, **options)
    assert same(rs.count(ENGINES[engine](frame), **options), expected)
    assert expected.names == ("C", "a", "b", "é") * 2  # sorted by domain, numbers by value, and entity
    assert expected.domains == ("9",) * 4 + ("10",) * 4


@pytest.mark.parametrize("kind", ["csv", "tsv", "csv.gz", "parquet", "jsonl"])
def test_every_file_counts_the_same(tmp_path: Path, kind: str) -> None:
    frame = predictions()
    path = tmp_path / f"predictions [1].{kind}"  # brackets are a pattern elsewhere
    if kind == "parquet":
        pa.parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), path)
    elif kind == "jsonl":
        frame.to_json(path, orient="records", lines=True, force_ascii=False)
    else:
        frame.to_csv(path, index=False, sep="\t" if kind == "tsv" else ",")
    for options in WAYS.values():
        options = {"truth": "y", "entity": "model", "domain": "video", **options}
        assert same(rs.count(path, **options), rs.count(frame, **options))


@POOLED
def test_patterns_folders_and_lists_go_by_column_not_by_place(tmp_path: Path) -> None:
    frame = predictions()
    (tmp_path / "parts" / "deep").mkdir(parents=True)
    frame[:200].to_csv(tmp_path / "parts" / "a.csv", index=False)
    frame[200:][list(reversed(frame.columns))].to_csv(tmp_path / "parts" / "deep" / "b.csv", index=False)
    (tmp_path / "parts" / "README").write_text("no table")
    options = {"truth": "y", "prediction": "yhat", "entity": "model"}
    expected = rs.count(frame, **options)
    for source in (
        tmp_path / "parts",
        str(tmp_path / "parts" / "**" / "*.csv"),
        [tmp_path / "parts" / "a.csv", tmp_path / "parts" / "deep" / "b.csv"],
    ):
        assert same(rs.count(source, **options), expected)


def test_counting_the_example_gives_the_table_beside_it() -> None:
    P = rs.count(
        ROOT / "examples" / "predictions.parquet",
        truth="truth",
        prediction="prediction",
        entity="entity",
        domain="domain",
        case="case",
    )
    Q = rs.read(ROOT / "examples" / "results.csv")
    rows = dict(zip(zip(Q.domains or (), Q.names, strict=True), Q.counts.tolist(), strict=True))
    assert dict(zip(zip(P.domains or (), P.names, strict=True), P.counts.tolist(), strict=True)) == rows
    assert list(zip(P.domains or (), P.names, strict=True)) == sorted(rows)


@pytest.mark.spark
@pytest.mark.skipif(
    not (shutil.which("java") and importlib.util.find_spec("pyspark")),
    reason="PySpark is not tested: it needs Java and pip install pyspark",
)
def test_spark_counts_the_same_in_the_example() -> None:
    script = [sys.executable, "-W", "ignore", str(ROOT / "examples" / "counting.py"), "duckdb", "spark"]
    quick = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}  # what Java compiles here runs once
    done = subprocess.run(script, capture_output=True, text=True, check=False, timeout=300, env=os.environ | quick)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in (lines[0], lines[3])] == ["duckdb", "spark"]
    assert lines[0].partition(":")[2] == lines[3].partition(":")[2]
    assert lines[1:3] == lines[4:6]


# Labels


@pytest.mark.some(4)
@pytest.mark.parametrize(
    ("negative", "positive", "pos_label"),
    [
        (0, 1, None),
        (-1, 1, None),
        (False, True, None),
        (0.0, 1.0, 1),
        ("ham", "spam", "spam"),
        ("0", "1", "1"),
        ("0", "1", "0"),
        (3, 7, "7"),
        (False, True, "true"),
    ],
)
@settings(max_examples=20)
@given(data=st.data())
def test_labels_of_any_type_agree_with_sklearn(negative: Any, positive: Any, pos_label: Any, data: Any) -> None:
    pairs = data.draw(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
    pairs += [(True, False), (False, True)]  # both labels occur
    truth, predicted = ([positive if flag else negative for flag in column] for column in zip(*pairs, strict=True))
    order = [positive, negative] if pos_label == "0" else [negative, positive]
    expected = confusion_matrix(truth, predicted, labels=order).ravel().tolist()
    for frame in (pd.DataFrame({"y": truth, "p": predicted}), pl.DataFrame({"y": truth, "p": predicted})):
        assert rs.count(frame, truth="y", prediction="p", pos_label=pos_label).counts.tolist() == [expected]


@given(pairs=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_all_pairs_of_labels_agree_with_sklearn(pairs: list[tuple[str, str]]) -> None:
    truth, predicted = zip(*pairs, strict=True)
    P = rs.count(pl.DataFrame({"y": truth, "p": predicted}), truth="y", prediction="p", labels=["c", "a", "b"])
    expected = confusion_matrix(truth, predicted, labels=["c", "a", "b"])
    assert P.counts.reshape(3, 3).tolist() == expected.tolist()
    assert rs.ranking_score(P, np.ones(9), P.space.satisfaction)[0] == pytest.approx(np.trace(expected) / len(pairs))


def test_one_against_the_rest() -> None:
    frame = pd.DataFrame({"y": list("abcab"), "p": list("aabcb")})
    assert rs.count(frame, truth="y", prediction="p", pos_label="a").counts.tolist() == [[2, 1, 1, 1]]


def test_whole_decimals_and_floats_are_integers_and_missing_ones_make_no_float_of_them() -> None:
    D = decimal.Decimal
    frame = pl.DataFrame({"y": [0, 1, None], "p": [D("0"), D("1"), D("1")], "m": [1.0, 1.0, 2.0]})
    P = rs.count(frame[:2], truth="y", prediction="p", entity="m")
    assert (P.names, P.counts.tolist()) == (("1",), [[1, 0, 0, 1]])


def test_texts_that_read_as_the_positive_label_are_it() -> None:
    frame = pl.DataFrame({"y": ["0", "1", "1"], "p": ["0", "1", "0"]})
    assert rs.count(frame, truth="y", prediction="p").counts.tolist() == [[1, 0, 1, 1]]
    both = pl.DataFrame({"y": ["1", "1.0"], "p": ["1", "1"]})
    with pytest.raises(DataError, match='nothing says which of the labels "1", "1.0" is positive'):
        rs.count(both, truth="y", prediction="p")


@pytest.mark.parametrize(
    ("columns", "options", "parts"),
    [
        ({"y": [0, 1], "p": ["0", "1"]}, {}, ("true labels are numbers (0, 1), predicted labels are texts",)),
        ({"y": [0, 1, 1], "p": [0.0, 0.7, 0.7]}, {}, ("predictions such as 0.7 (2 rows) are scores", "rs.sweep")),
        (
            {"y": ["n", "p", "p"], "p": ["0.1", "0.7", None]},
            {"pos_label": "p"},
            ("predictions such as 0.1 (2 rows) are",),
        ),
        ({"y": ["n", "p", "p"], "p": [0.1, 0.7, 0.7]}, {"pos_label": "p"}, ("predictions such as 0.1 (3 rows) are",)),
        (
            {"y": list("nppp"), "p": list("abcd")},
            {"pos_label": "p"},
            ('in 4 of 4 rows a label is "a", "b", "c" or 1 more, which is none of "n", "p"',),
        ),
        (
            {"y": ["a", "b"], "p": ["a", "b"]},
            {},
            ('nothing says which of the labels "a", "b" is positive: name the positive class with pos_label=',),
        ),
        ({"y": ["a", "b"], "p": ["a", "b"]}, {}, ('nothing says which of the labels "a", "b" is positive',)),
        ({"y": [0, 1], "p": [0, 1]}, {"pos_label": 5}, ("pos_label=5 is none of the labels 0, 1",)),
        ({"y": [0, 1, 2], "p": [0, 1, 2]}, {}, ("the labels 0, 1, 2 are more than two", 'labels="all"')),
        ({"y": [1, 1, 1], "p": [0, 1, 2]}, {}, ("the labels 0, 1, 2 are more than two",)),
        ({"y": [0, 1, 1, 0], "p": [0, 1, 2, 2]}, {}, ("in 2 of 4 rows a label is 2, which is none of 0, 1",)),
        ({"y": [0, 1, 9], "p": [0, 1, 1]}, {"labels": [0, 1]}, ("in 1 of 3 rows a label is 9",)),
        ({"y": [0, None, 1], "p": [0, 1, 1]}, {}, ("in 1 of 3 rows the truth is missing", "fill in what is missing")),
        ({"y": [0, 1, 1], "p": [0, None, None]}, {}, ("in 2 of 3 rows the prediction is missing",)),
        ({"y": [0, 1], "p": [0, 1], "m": [" ", "a"]}, {"entity": "m"}, ("in 1 of 2 rows the name of the entity",)),
        ({"y": [0, 1], "p": [0, 1], "d": [None, "a"]}, {"domain": "d"}, ("in 1 of 2 rows the name of the domain",)),
        ({"y": [None], "p": [1]}, {}, ("no row can be counted", "in 1 of 1 row the truth is missing")),
        ({"y": [0, 1], "p": [0, 1]}, {"entity": "mdl"}, ('no column is called "mdl" (entity); expected one of',)),
        ({"y": [0, 1], "p": [0, 1], "w": [1, -2]}, {"weight": "w"}, ('a weight in the column "w" is -2',)),
        ({"y": [0, 1], "p": [0, 1], "w": [1, None]}, {"weight": "w"}, ("missing (1 of 2 rows)",)),
        ({"y": [0, 1], "p": [0, 1], "w": [1.0, float("inf")]}, {"weight": "w"}, ("is inf; expected finite",)),
        ({"y": [0, 1], "p": [0, 1], "w": ["1", "2"]}, {"weight": "w"}, ("holds no numbers",)),
        ({"y": [0, 1], "p": [0, 1], "w": [0, 0]}, {"weight": "w"}, ("only weights of 0",)),
        ({"y": [], "p": []}, {}, ("there is no row",)),
    ],
)
def test_what_cannot_be_counted_is_said_with_numbers(columns: Any, options: Any, parts: tuple[str, ...]) -> None:
    for frame in (pl.DataFrame(columns, strict=False), pl.DataFrame(columns, strict=False).to_arrow()):
        with pytest.raises(DataError) as caught:
            rs.count(frame, truth="y", prediction="p", **options)
        for part in parts:
            assert part in str(caught.value)


@pytest.mark.some(3)
@pytest.mark.parametrize("engine", ENGINES)
@POOLED
def test_nan_scores_are_refused_on_every_engine(engine: str) -> None:
    frame = pd.DataFrame({"y": [0, 1, 1], "s": [0.2, float("nan"), 0.7], "model": ["m"] * 3})
    with pytest.raises(DataError, match="in 1 of 3 rows the score is missing"):
        rs.count(ENGINES[engine](frame), truth="y", score="s", threshold=0.5)


def by_ibis(path: Path) -> Any:
    return pytest.importorskip("ibis").duckdb.connect().read_parquet(str(path))


def by_sqlframe(path: Path) -> Any:
    return engine_tables.session_of_sqlframe(duckdb.connect()).read.parquet(str(path))


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "way", [str, lambda path: duckdb.read_parquet(str(path)), pl.scan_parquet, by_ibis, by_sqlframe]
)
def test_nan_is_refused_from_parquet_whose_statistics_ignore_it(tmp_path: Path, way: Callable[[Path], Any]) -> None:
    nan = float("nan")
    table = pa.table({"y": [0, 1, 1, 0], "s": [0.2, nan, 0.9, 0.5], "c": [1, nan, 2, 3]})
    pa.parquet.write_table(table, tmp_path / "nan.parquet")
    source = way(tmp_path / "nan.parquet")
    for threshold in (0.1, 0.5, 0.95):
        with pytest.raises(DataError, match="in 1 of 4 rows the score is missing"):
            rs.count(source, truth="y", score="s", threshold=threshold)
    with pytest.raises(DataError, match="in 1 row the case is missing"):
        rs.count(source, truth="y", prediction="y", case="c")


# Cases


@pytest.mark.some(3)
@pytest.mark.parametrize("engine", ENGINES)
def test_cases_that_do_not_match_are_said_with_numbers(engine: str) -> None:
    frame = pd.DataFrame({"y": [0, 1, 0, 1], "p": [0, 1, 1, 1], "model": list("aabb"), "c": [1, 2, 1, 2]})
    options: dict[str, Any] = {"truth": "y", "prediction": "p", "entity": "model", "case": "c"}
    expected = rs.count(frame, truth="y", prediction="p", entity="model")
    assert same(rs.count(ENGINES[engine](frame), **options), expected)
    changes = (
        ({"c": [1, 2, 1, 3]}, '"a" lacks 1 of 3 cases; "b" lacks 1 of 3 cases'),
        ({"c": [1, 1, 1, 2]}, 'entity "a" has more than one row of a case: 1 row too many, of 2 cases'),
        ({"y": [0, 1, 1, 1]}, "1 case with several truths"),
        ({"c": [1.0, 2.0, 1.0, None]}, "in 1 row the case is missing"),
    )
    for change, part in changes[:1] if engine == "dask" else changes:  # Dask takes seconds for each
        with pytest.raises(DataError, match=part):
            rs.count(ENGINES[engine](frame.assign(**change)), **options)


@pytest.mark.parametrize("name", ["t", "g", "rows", "kinds", "cases", "_rankscape", "_rankscape_numbered"])
def test_a_table_of_duckdb_may_have_any_name(name: str) -> None:
    frame = pd.DataFrame({"y": [0, 1, 0, 1], "p": [0, 1, 1, 1], "model": list("aabb"), "c": [1, 2, 1, 2]})
    connection = duckdb.connect()
    connection.register("frame", frame)
    connection.execute(f'create table "{name}" as from frame')
    for source in (connection.table(name), connection.sql(f'select * from "{name}" where true')):
        P = rs.count(source, truth="y", prediction="p", entity="model", case="c")
        assert P.counts.tolist() == [[1, 0, 0, 1], [0, 1, 0, 1]]
        assert P.pairing is not None
    assert connection.sql("show tables").fetchall() == sorted([("frame",), (name,)])


ANY_TABLE = [name for name in ENGINES if "categories" not in name]  # the others know the columns of one table


@pytest.mark.parametrize("engine", ANY_TABLE)
def test_a_score_beside_texts_reaches_a_threshold_on_every_engine(engine: str) -> None:
    frame = pd.DataFrame({"y": [0, 1, 1, 0], "s": [0.1, 0.2, 0.3, 0.4], "m": list("aaaa"), "c": [1, 2, 3, 4]})
    for how in ({"entity": "m"}, {"case": "c"}, {"entity": "m", "case": "c"}):
        P = rs.count(ENGINES[engine](frame), truth="y", score="s", threshold=0.25, **how)
        assert P.counts.tolist() == [[1, 1, 1, 1]]


@pytest.mark.parametrize("engine", ANY_TABLE)
def test_whole_weights_are_added_exactly(engine: str) -> None:
    rows = pd.DataFrame({"y": [0, 0, 1, 1] * 1000, "p": [0, 1, 0, 1] * 1000, "w": [2**51] + [1] * 3999})
    found = rs.count(ENGINES[engine](rows), truth="y", prediction="p", weight="w").counts
    assert found.tolist() == [[2**51 + 999, 1000, 1000, 1000]]
    rows["w"] = np.arange(4000).astype(np.uint8)
    found = rs.count(ENGINES[engine](rows), truth="y", prediction="p", weight="w").counts
    assert found.tolist() == [[int(rows.w[i::4].sum()) for i in range(4)]]
    if engine == "sqlframe":  # which knows no such numbers
        return
    rows["w"] = np.array([2**63 - 1] + [0] * 3999, dtype=np.uint64)
    huge = rs.count(ENGINES[engine](rows), truth="y", prediction="p", weight="w")
    assert huge.mass.tolist() == [[1, 0, 0, 0]]


def test_many_rows_of_texts_are_told_apart_alike_everywhere() -> None:
    rng = np.random.default_rng(0)
    ids = rng.permutation(np.repeat(np.arange(10_000), 2))
    rows = pd.DataFrame({"c": [f"case-{i}" for i in ids], "y": ids % 2, "m": "", "p": rng.integers(0, 2, len(ids))})
    rows["m"] = np.where(rows.duplicated("c"), "a", "b")
    how = {"truth": "y", "prediction": "p", "entity": "m", "case": "c"}
    found = [rs.count(ENGINES[engine](rows), **how) for engine in ANY_TABLE]
    assert {P.pairing.units[0].size.sum() for P in found} == {10_000}
    assert all(P.counts.tolist() == found[0].counts.tolist() for P in found)
    rows.loc[7, "c"] = None
    with pytest.raises(DataError, match="in 1 row the case is missing"):
        rs.count(rows, **how)


@pytest.mark.parametrize("engine", ANY_TABLE)
def test_cases_in_rows_of_their_own_are_put_together(engine: str) -> None:
    rng = np.random.default_rng(1)
    columns = {"id": np.arange(300), "y": rng.integers(0, 2, 300), "d": rng.choice(["u", "v"], 300)}
    rows = pd.DataFrame(columns | {name: rng.integers(0, 2, 300) for name in "abc"})
    how = {"truth": "y", "prediction": list("abc"), "domain": "d"}
    whole, named = (rs.count(ENGINES[engine](rows), **how, **more) for more in ({}, {"case": "id"}))
    assert whole.counts.tolist() == named.counts.tolist()
    assert [len(units.size) <= 16 for units in named.pairing.units] == [True, True]
    assert sum(units.size.sum() for units in named.pairing.units) == 300


def test_a_column_of_clusters_is_no_frequency() -> None:
    rows = {"c": [1, 2, 3, 4], "y": [0, 1, 0, 1], "p": [0, 1, 1, 1], "n": [1, 1, 2, 2]}
    P = rs.cases(pd.DataFrame(rows), truth="y", prediction="p", case="c", cluster="n").count()
    assert P.counts.tolist() == [[1, 1, 0, 2]]


@pytest.mark.parametrize("more", [{}, {"repeat": "r"}])
def test_ways_of_unanswered_cases_are_named_before_anything_else(more: dict[str, str]) -> None:
    rows = pd.DataFrame({"y": [0, 1] * 2, "p": [0, 1, 1, 1], "m": list("aabb"), "r": [1, 2, 1, 2]})
    with pytest.raises(UsageError, match="expected one of 'wrong', 'common', for predictions"):
        rs.cases(rows, truth="y", prediction="p", entity="m", unanswered="apart", **more)
    with pytest.raises(UsageError, match="would change nothing: every case has a prediction"):
        rs.cases(rows, truth="y", prediction="p", entity="m", unanswered="common", **more)


@pytest.mark.parametrize("way", ["case", "cluster"])
def test_cases_that_are_clusters_too_keep_their_names(tmp_path: Path, way: str) -> None:
    frame = pd.DataFrame({"y": [0, 1, 0, 1] * 2, "p": [0, 1, 1, 1, 0, 1, 0, 1], "model": list("aaaabbbb")})
    frame = frame.assign(c=[1, 2, 3, 4] * 2, k=[1, 1, 2, 2] * 2)
    frame.to_parquet(tmp_path / "t.parquet")
    how = {"truth": "y", "prediction": "p", "entity": "model", "case": "c", "cluster": "c" if way == "case" else "k"}
    there, here = (rs.cases(source, **how).count().pairing for source in (tmp_path / "t.parquet", frame))
    for one, other in zip(there.units[0], here.units[0], strict=True):
        assert np.array_equal(one, other)


@pytest.mark.some(3)
@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "dask"])
def test_a_case_without_a_number_is_missing(engine: str) -> None:
    frame = pd.DataFrame({"y": [0, 1], "p": [0, 1], "c": [1.0, float("nan")]})
    sources = [ENGINES[engine](frame.assign(model="m"))]
    if engine == "polars":
        sources.append(pl.DataFrame({"y": [0, 1], "p": [0, 1], "c": [1.0, float("nan")]}))
    for source in sources:
        with pytest.raises(DataError, match="in 1 row the case is missing"):
            rs.count(source, truth="y", prediction="p", case="c")


@pytest.mark.some(3)
@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "dask"])
@POOLED
def test_cases_on_a_domain_without_a_name(engine: str) -> None:
    frame = pd.DataFrame({"y": [0, 1, 1], "p": [0, 1, 1], "c": [1, 2, 3], "d": [1.0, 1.0, float("nan")], "model": "m"})
    options: dict[str, Any] = {"truth": "y", "prediction": "p", "case": "c", "domain": "d"}
    sources = [ENGINES[engine](frame)]
    if engine == "polars":
        sources.append(sources[0].with_columns(pl.col("d").fill_null(float("nan"))))
    for source in sources:
        with pytest.raises(DataError, match="in 1 of 3 rows the name of the domain is missing"):
            rs.count(source, **options)


def test_whole_weights_in_a_column_of_floats_give_counts() -> None:
    frame = {"y": [0, 1, 1], "p": [0, 1, 1]}
    for make in (pd.DataFrame, pl.DataFrame, pa.table):
        for weights, expected in (([2.0, 1.0, 3.0], [2, 0, 0, 4]), ([2.0, 0.5, 0.5], None)):
            P = rs.count(make({**frame, "w": weights}), truth="y", prediction="p", weight="w")
            assert (None if P.counts is None else P.counts[0].tolist()) == expected


def test_absent_cells_are_noted() -> None:
    frame = pl.DataFrame({"y": [0, 1, 0], "p": [0, 1, 1], "m": list("aab"), "d": list("xyx")})
    found = tally(frame, truth="y", prediction="p", entity="m", domain="d")
    assert found.notes == ('1 of 4 cells have no row: entity "b" on domain "y"',)


# Thresholds and several columns


def test_several_columns_are_several_entities() -> None:
    frame = pl.DataFrame({"y": [0, 1, 1], "b": [0, 1, 0], "a": [1, 1, 1]})
    P = rs.count(frame, truth="y", prediction=["b", "a"])
    assert (P.names, P.counts.tolist()) == (("a", "b"), [[0, 1, 0, 2], [1, 0, 1, 1]])


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({}, "either prediction="),
        ({"prediction": "p", "score": "p", "threshold": 0}, "each say what the rows hold: choose one of them"),
        ({"score": "p"}, "score= and threshold= go together"),
        ({"prediction": "p", "threshold": 0.5}, "score= and threshold= go together"),
        ({"score": "p", "threshold": "some"}, 'threshold="some"'),
        ({"score": "p", "threshold": float("nan")}, "threshold=nan; expected a number"),
        ({"prediction": ["p", "p"]}, "several different ones"),
        ({"prediction": ["p", "y"], "entity": "p"}, "leave out entity="),
        ({"prediction": "p", "labels": [1]}, "two or more different labels"),
        ({"score": "p", "threshold": 0, "labels": [0, 1, 2]}, "two classes"),
    ],
)
def test_arguments_that_mean_nothing(options: dict[str, Any], part: str) -> None:
    with pytest.raises(UsageError) as caught:
        rs.count(pl.DataFrame({"y": [0, 1], "p": [0, 1]}), truth="y", **options)
    assert part in str(caught.value)


# Files that are none


def test_files_that_cannot_be_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(source: Any, part: str, kind: type[Exception] = DataError) -> None:
        with pytest.raises(kind) as caught:
            rs.count(source, truth="y", prediction="p")
        assert part in str(caught.value)

    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 but no more")
    (tmp_path / "a.csv").write_text("y,p\n1,1\n")
    (tmp_path / "nothing").mkdir()
    refused(tmp_path / "a.cvs", 'there is no such file; near it are "a.csv"')
    refused(tmp_path / "empty.csv", "this is empty")
    refused(tmp_path / "bad.parquet", "DuckDB cannot read this as a table")
    refused(tmp_path / "nothing", "no file of this folder is a table")
    refused(str(tmp_path / "*.json"), "no file is like this pattern")
    refused([tmp_path / "a.csv", tmp_path / "bad.parquet"], "several kinds (csv, parquet)")
    refused("s3://bucket/a.csv", "is an address")
    refused([], "no file is given")
    refused([1, 2], "expected files or a data frame of predictions")


def test_names_in_text_files_stay_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text("y,p,Model,d,c\n1,1,1.10,10,1.0\n0,0,1.1,10,1\n1,0,2.0,9,01\n")
    P = rs.count(tmp_path / "names.csv", truth="y", prediction="p", entity="Model", domain="d")
    assert (P.names, P.domains) == (("2.0", "1.1", "1.10"), ("9", "10", "10"))  # numbers by value, too
    with pytest.raises(DataError, match='"1.1" lacks 1 of 2 cases on "10"; '):
        rs.count(tmp_path / "names.csv", truth="y", prediction="p", entity="Model", domain="d", case="c")
    (tmp_path / "more.csv").write_text("y,p\n1,1\n")
    with pytest.raises(DataError, match='more.csv: no column is called "Model" .entity.; expected one of "y", "p"'):
        rs.count([tmp_path / "names.csv", tmp_path / "more.csv"], truth="y", prediction="p", entity="Model")
    with pytest.raises(DataError, match='no column is called "modle" .entity.; expected one of'):
        rs.count(tmp_path / "names.csv", truth="y", prediction="p", entity="modle")


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_a_folder_that_looks_like_a_column_is_none(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "y=0" / f"a.{kind}"
    path.parent.mkdir()
    if kind == "parquet":
        pa.parquet.write_table(pa.table({"y": [1], "p": [1]}), path)
    else:
        path.write_text("y,p\n1,1\n" if kind == "csv" else '{"y": 1, "p": 1}\n')
    assert rs.count(path, truth="y", prediction="p").counts.tolist() == [[0, 0, 0, 1]]


def test_decimal_commas_are_read_never_misread(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"

    def counted(text: str, **options: Any) -> Any:
        path.write_text(text)
        return rs.count(path, truth="y", score="s", threshold=0.5, **options)

    assert counted("y;s\n1;0,9\n0;0,25\n0;1\n").counts.tolist() == [[1, 1, 0, 1]]
    assert counted('y,s\n1,"0,9"\n0,"0,25"\n').counts.tolist() == [[1, 0, 0, 1]]
    assert counted("y;s;w\n1;1;0,5\n0;0;1,5\n", weight="w").mass.tolist() == [[0.75, 0, 0, 0.25]]
    with pytest.raises(DataError, match='"1,900" may mean 1900 or 1.900'):
        counted("y;s\n1;1,900\n0;2,250\n")
    with pytest.raises(DataError, match='s = "1,900" has a comma, but "2.25" has a point'):
        counted("y;s\n1;1,900\n0;2.25\n")


def test_a_late_text_is_a_label_not_a_crash(tmp_path: Path) -> None:
    (tmp_path / "late.csv").write_text("y;p\n" + "0;0\n1;1\n" * 30_000 + "1;maybe\n")
    with pytest.raises(DataError, match='in 1 of 60001 rows a label is "maybe", which is none of "0", "1"'):
        rs.count(tmp_path / "late.csv", truth="y", prediction="p")


def test_an_interruption_is_passed_on(tmp_path: Path) -> None:
    predictions().to_parquet(tmp_path / "a.parquet", index=False)

    def interrupted() -> None:
        with content.parquet_relation([str(tmp_path / "a.parquet")], "a.parquet") as relation:
            assert len(relation.fetchall()) == 500
            raise RuntimeError("Query interrupted")  # as DuckDB says when it hears Ctrl-C

    with pytest.raises(KeyboardInterrupt):
        interrupted()


def test_nothing_but_the_table_goes_to_standard_output(tmp_path: Path) -> None:
    code = "import sys, rankscape as rs; rs.count(sys.argv[1], truth='y', prediction='yhat')"
    predictions().to_parquet(tmp_path / "a.parquet", index=False)
    with content.parquet_relation([str(tmp_path / "a.parquet")], "a.parquet") as relation:
        (shown,) = relation.select("current_setting('enable_progress_bar')").distinct().fetchall()
    assert shown == (False,)  # DuckDB's own bar, after two seconds, would be in the table
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    call = [sys.executable, "-c", code, str(tmp_path / "a.parquet")]
    done = subprocess.run(call, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == ""


def test_a_missing_truth_is_no_second_truth() -> None:
    rows = {
        "model": ["a", "a", "b", "b"],
        "case": ["1", "2", "1", "2"],
        "y": ["1", "0", "1", None],
        "yhat": ["1", "0", "0", "0"],
    }
    options = {"truth": "y", "prediction": "yhat", "entity": "model", "case": "case", "pos_label": "1"}
    with pytest.raises(DataError, match="the truth is missing") as error:
        tally(pa.table(rows), **options)
    assert "several truths" not in str(error.value)


def test_labels_of_a_list_are_not_made_one() -> None:
    with pytest.raises(DataError, match="numbers \\(1\\) and texts"):
        rs.count({"y": [0, 1, "1"], "p": [0, 1, 1]}, truth="y", prediction="p")
    for truth, predicted in (([1, "1"], [1, 1]), ([0, 1], [1, "1"])):
        with pytest.raises(DataError, match="labels are texts and others"):
            rs.Performances.from_labels(truth, predicted)
    with pytest.raises(DataError, match="labels are texts and others"):
        rs.Performances.from_scores([0, 1, "1"], [0.1, 0.2, 0.3])


def test_series_in_another_order_are_not_paired_by_position() -> None:
    truth = pd.Series([0, 1, 1])
    for update in (
        lambda: rs.Performances.from_labels(truth, truth[::-1]),
        lambda: rs.Performances.from_labels(truth, {"a": truth[::-1]}),
        lambda: rs.Performances.from_labels(truth, truth, sample_weight=truth[::-1]),
        lambda: rs.Performances.from_scores(truth, truth[::-1]),
        lambda: rs.Performances.from_scores(truth, truth, sample_weight=truth[::-1]),
        lambda: rs.sweep(truth, truth, sample_weight=truth[::-1]),
        lambda: rs.tasks.multi_class.evaluate(truth, truth, sample_weight=truth[::-1]),
        lambda: rs.tasks.regression.evaluate(truth, truth, sample_weight=truth[::-1]),
    ):
        with pytest.raises(DataError, match="in another order"):
            update()


def test_weights_whose_sum_would_wrap_are_added_exactly() -> None:
    labels, weights = [0, 1, 0, 1, 1], [2**62] * 4 + [1]
    P = rs.Performances.from_labels(labels, labels, sample_weight=weights)
    assert P.exact is not None
    assert P.exact.tolist() == [[2**63, 0, 0, 2**63 + 1]]


CSV = {
    "a comment": ("y,p\n1,1\n0,0\n#N/A,1\n1,0\n", {}, 'the labels "#N/A", "0", "1" are more than two'),
    "a repeated header": ("y,p,p\n1,1,0\n0,1,0\n", {}, '2 columns are called "p"; rename all but one'),
    "the header again": ("y,p\n1,1\ny,p\n0,1\n", {"pos_label": 1}, "row 2 (line 3): this row repeats the header"),
    "an apostrophe is no quote": ("y,p,n\n1,1,'\n0,1\n", {}, "row 2 (line 3): this row has 2 cells; expected 3"),
    "text after a quote": (
        'y,p\n"1"0,1\n',
        {},
        "the row cannot be read: ',' expected after '\"': close every quotation mark",
    ),
}


@pytest.mark.parametrize(("text", "more", "sentence"), CSV.values(), ids=list(CSV))
def test_what_csv_files_hide_is_said(tmp_path: Path, text: str, more: dict[str, Any], sentence: str) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(DataError, match=re.escape(sentence)):
        rs.count(tmp_path / "x.csv", truth="y", prediction="p", **more)


def test_rows_that_begin_with_a_hash_are_rows(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,model,y,p\n#1,a,1,1\n2,a,0,0\n#1,b,1,0\n2,b,0,0\n")
    found = rs.count(tmp_path / "x.csv", truth="y", prediction="p", entity="model", case="id")
    assert found.counts.tolist() == [[1, 0, 0, 1], [1, 0, 1, 0]]


LABELS = {
    "yes and no": ("yes,yes\nno,yes\nno,no\nyes,no\n", "yes", [[1, 1, 1, 1]]),
    "t and f": ("t,t\nf,t\nf,f\nt,f\n", "t", [[1, 1, 1, 1]]),
    "booleans": ("True,true\nFalse,TRUE\nfalse,False\n", None, [[1, 1, 0, 1]]),
    "floats": ("1.0,1\n0,1.0\n0.0,0\n", None, [[1, 1, 0, 1]]),
    "spaces": ("1, 1\n0,1\n 0,0\n", None, [[1, 1, 0, 1]]),
    "leading zeros": ("007,7\n007,007\n7,7\n7,7\n", "007", [[2, 0, 1, 1]]),
}


@pytest.mark.parametrize(("text", "positive", "expected"), LABELS.values(), ids=list(LABELS))
def test_labels_of_csv_files_are_as_they_are_written(
    tmp_path: Path, text: str, positive: str | None, expected: list[list[int]]
) -> None:
    (tmp_path / "x.csv").write_text(f"y,p\n{text}")
    assert rs.count(tmp_path / "x.csv", truth="y", prediction="p", pos_label=positive).counts.tolist() == expected


def test_classes_that_look_like_powers_of_ten_are_names(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("y,p\n1e1,10\n10,10\n3,3\n4,3\n")
    found = rs.count(tmp_path / "x.csv", truth="y", prediction="p", labels="all")
    assert len(found.space) == 16
    right = [found.space.outcomes.index(f"{label}→{label}") for label in ("10", "1e1", "3", "4")]
    assert found.counts[0, right].sum() == 2


@pytest.mark.parametrize("kind", ["pandas on Arrow", "polars", "pyarrow", "pandas"])
def test_weights_of_unusual_types(kind: str) -> None:
    def table(weights: list[int]) -> Any:
        frame = pd.DataFrame({"y": [0, 1], "p": [0, 1], "w": pd.Series(weights, dtype="uint64")})
        if kind == "pandas on Arrow":
            return frame.convert_dtypes(dtype_backend="pyarrow")
        return {"polars": pl.from_pandas, "pyarrow": pa.Table.from_pandas, "pandas": lambda x: x}[kind](frame)

    assert rs.count(table([5, 1]), truth="y", prediction="p", weight="w").counts.tolist() == [[5, 0, 0, 1]]
    huge = rs.count(table([2**63, 1]), truth="y", prediction="p", weight="w")
    assert huge.integers.tolist() == [[2**63, 0, 0, 1]]


def test_float_weights_whose_sum_is_not_exact_are_no_counts() -> None:
    frame = pd.DataFrame({"y": [0, 0, 1], "p": [0, 0, 1], "w": [2.0**53, 1.0, 1.0]})
    assert rs.count(frame, truth="y", prediction="p", weight="w").counts is None


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1e999999999"])
@pytest.mark.parametrize("column", ["score", "weight"])
def test_numbers_beyond_all_floats_are_refused(tmp_path, number, column):
    path = tmp_path / "p.csv"
    path.write_text(f"y,p,x\n1,1,{number}\n0,0,1\n")
    asked = {"score": "x", "threshold": 0.5} if column == "score" else {"prediction": "p", "weight": "x"}
    with pytest.raises(DataError, match=r'line 2: x = ".*too large'):
        rs.count(path, truth="y", **asked)


def test_huge_whole_numbers_of_json_are_refused(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text('{"y": 1, "s": 1' + "0" * 400 + '}\n{"y": 0, "s": 1}\n')
    with pytest.raises(DataError, match="line 1: s = .* is too large"):
        rs.count(path, truth="y", score="s", threshold=0.5)


@pytest.mark.parametrize("end", ["\n", "\r"])
def test_a_header_alone_with_a_column_of_weights_has_no_row(tmp_path, end):
    path = tmp_path / "p.csv"
    path.write_bytes(f"y,p,w{end}".encode())
    with pytest.raises(DataError, match="there is no row"):
        rs.count(path, truth="y", prediction="p", weight="w")


def test_whole_weights_of_eighteen_digits_give_counts_in_files_of_any_size(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("y,p,w\n1,1,123456789012345678\n")
    assert rs.count(path, truth="y", prediction="p", weight="w").counts.tolist() == [[0, 0, 0, 123456789012345678]]


@pytest.mark.parametrize("space", ["\N{NO-BREAK SPACE}", "\N{IDEOGRAPHIC SPACE}", "\N{THIN SPACE}"])
def test_rare_spaces_around_a_case_make_no_other_case(tmp_path, space):
    path = tmp_path / "p.csv"
    path.write_text(f"y,p,m,c\n1,1,a,{space}x\n1,0,b,x\n", encoding="utf-8")
    assert rs.count(path, truth="y", prediction="p", entity="m", case="c").counts.tolist() == [
        [0, 0, 0, 1],
        [0, 0, 1, 0],
    ]


def test_a_column_that_names_the_models_is_used_and_one_of_domains_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("model,fold,y,p\na,1,1,1\nb,1,0,1\n")
    for more in ((), ("--uncertainty", "--draws", "50")):
        shown = CliRunner().invoke(main, ["rank", str(path), "--truth", "y", "--prediction", "p", *more])
        assert "(column model)" in shown.stderr
        assert 'if "fold" names the domains, add --domain-column "fold"' in shown.stderr
    named = ["--entity-column", "model", "--domain-column", "fold"]
    shown = CliRunner().invoke(main, ["rank", str(path), "--truth", "y", "--prediction", "p", *named])
    assert "not used" not in shown.stderr


def test_count_warns_of_columns_that_may_name_domains() -> None:
    table = {"model": ["a", "b"], "fold": [1, 2], "note": ["", ""], "y": [1, 0], "p": [1, 1]}
    frame = pd.DataFrame(table)
    with pytest.warns(PooledRowsWarning) as caught:
        assert rs.count(frame, truth="y", prediction="p").counts.tolist() == [[0, 0, 0, 1], [0, 1, 0, 0]]
    assert [str(warning.message) for warning in caught] == [
        'if "fold" names the domains, add --domain-column "fold" (domain="fold" in Python)'
    ]
    assert caught[0].filename == __file__
    assert len(rs.count(frame, truth="y", prediction="p", entity="model", domain="fold")) == 2
    assert len(rs.count(frame.drop(columns=["model", "fold"]), truth="y", prediction="p")) == 1


def runs(header: str, case: Callable[[int, int], str]) -> io.StringIO:
    """Return predictions of two models in two runs, on cases that are called by number and run."""
    lines = [
        f"{case(i, run)},{model},{run},{i % 2},{(i * run + (model == 'a')) % 2}"
        for model in "ab" for run in (1, 2) for i in range(4)
    ]  # fmt: skip
    return io.StringIO("\n".join([f"id,model,{header},y,yhat", *lines]))


@pytest.mark.parametrize("header", ["seed", "Run", "repeat", "random_seed", "epoch"])
def test_runs_on_the_same_cases_are_not_pooled(header: str) -> None:
    roles = {"truth": "y", "prediction": "yhat", "entity": "model"}
    same, others = (lambda i, run: f"{i}"), (lambda i, run: f"{run}/{i}")
    with pytest.raises(rs.DataError, match=f'each "{header}" may have the same cases again') as caught:
        rs.cases(runs(header, same), **roles)
    for part in (f'repeat="{header}"', "the column of cases by case=", f'domain="{header}"'):
        assert part in str(caught.value)
    with pytest.raises(rs.DataError, match=f'each "{header}" has the same cases again') as caught:
        rs.cases(runs(header, same), **roles, case="id")
    assert f'repeat="{header}"' in str(caught.value)
    C = rs.cases(runs(header, same), **roles, case="id", repeat=header)
    assert C.account.cases == 4
    assert rs.cases(runs(header, others), **roles, case="id").account.cases == 8  # a twin: they are other cases
    assert rs.cases(runs(header, same), **roles, domain=header).count().n_domains == 2
    rest = pd.read_csv(runs(header, same))
    for one in (rest[rest[header] == 1], rest.assign(**{header: range(len(rest))})):  # one run; and a number of the row
        assert header in rs.cases(one, **roles).account.unused


@pytest.mark.parametrize("kind", ["pandas", "parquet", "csv"])
def test_runs_are_found_in_tables_of_any_kind(tmp_path: Path, kind: str) -> None:
    frame = pd.read_csv(runs("seed", lambda i, run: f"{i}")).pivot(
        index=["id", "seed", "y"], columns="model", values="yhat"
    )
    frame = frame.reset_index()
    source: Any = frame
    if kind != "pandas":
        source = tmp_path / f"t.{kind}"
        frame.to_parquet(source) if kind == "parquet" else frame.to_csv(source, index=False)
    how: dict[str, Any] = {"truth": "y", "prediction": ["a", "b"]}
    for more in ({}, {"case": "id"}):
        with pytest.raises(rs.DataError, match=r'repeat="seed"|--repeat seed'):
            rs.cases(source, **how, **more)
    assert rs.cases(source, **how, case="id", repeat="seed").paired
    for score in (0.1, 0.7):  # scores have no repeats
        frame[["a", "b"]] = frame[["a", "b"]] * score
    with pytest.raises(rs.DataError, match="keep the rows of one") as caught:
        rs.cases(frame, truth="y", score=["a", "b"])
    assert "repeat=" not in str(caught.value)


def test_folds_of_one_table_of_cases_are_no_runs() -> None:
    rows = {"id": range(8), "fold": [1, 2] * 4, "y": [0, 1] * 4, "yhat": [0, 0, 1, 1] * 2}
    for more in ({}, {"case": "id"}):
        assert "fold" in rs.cases(pd.DataFrame(rows), truth="y", prediction="yhat", **more).account.unused
    again = pd.DataFrame(rows | {"id": [0, 0, 1, 1, 2, 2, 3, 3], "y": [0, 0, 1, 1] * 2})
    with pytest.raises(rs.DataError, match='each "fold" has the same cases again'):
        rs.cases(again, truth="y", prediction="yhat", case="id")


def test_a_case_that_a_model_lacks_is_asked_about() -> None:
    rows = {"id": [1, 2, 3, 1, 2], "m": [*"aaabb"], "y": [0, 1, 1, 0, 1], "p": [0, 1, 0, 0, 1]}
    with pytest.raises(rs.DataError, match='"b" lacks 1 of 3 cases') as caught:
        rs.cases(rows, truth="y", prediction="p", entity="m", case="id")
    assert 'unanswered="wrong"' in str(caught.value)
    assert 'unanswered="common"' in str(caught.value)
    for way, correct in (("wrong", 2), ("common", 2)):
        P = rs.cases(rows, truth="y", prediction="p", entity="m", case="id", unanswered=way).performances
        assert int(P["b"].counts[0, [0, 3]].sum()) == correct  # type: ignore[index]
    with pytest.raises(rs.DataError, match='"b" lacks 1 of 3 cases') as caught:
        rs.cases(rows, truth="y", score="p", entity="m", case="id")
    assert "wrong" not in str(caught.value)
    assert 'unanswered="common"' in str(caught.value)


def test_one_of_several_files_may_have_a_column_of_seeds(tmp_path: Path) -> None:
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    a.write_text("case,y,p,seed\n1,1,1,1\n2,0,0,2\n3,1,0,1\n", "utf-8")
    b.write_text("case,y,p\n1,1,1\n2,0,1\n3,1,1\n", "utf-8")
    for files in ([a, b], [b, a]):
        P = rs.count(files, truth="y", prediction="p")
        assert dict(zip(P.names, P.counts.tolist(), strict=True)) == {"a": [1, 0, 1, 1], "b": [0, 1, 0, 2]}
        assert rs.count(files, truth="y", prediction="p", case="case").counts.tolist() == P.counts.tolist()
    a.write_text("case,y,p,seed\n1,1,1,1\n1,1,0,2\n2,0,0,1\n2,0,0,2\n3,1,0,1\n3,1,1,2\n", "utf-8")
    with pytest.raises(rs.DataError, match='each "seed" has the same cases again'):
        rs.count([a, b], truth="y", prediction="p", case="case")


@pytest.mark.parametrize("labels", [["yes", "Yes", "no"], ["spam", "ham", "SPAM"], ["a", "b", "A "]])
def test_spellings_of_the_positive_label_are_no_classes_of_their_own(labels: list[str]) -> None:
    table = {"y": labels * 4, "p": [labels[0], labels[2], labels[2]] * 4}
    for ask in (
        lambda: rs.count(table, truth="y", prediction="p", pos_label=labels[0]),
        lambda: rs.count(table, truth="y", prediction="p", pos_label=labels[0], labels=labels),
        lambda: rs.Performances.from_labels(table["y"], table["p"], pos_label=labels[0]),
    ):
        with pytest.raises(rs.DataError, match="look like one, spelled in several ways: write them alike"):
            ask()


def test_several_classes_that_differ_by_case_are_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("y,m,n\na,a,A\nA,A,A\nb,b,a\nc,c,c\n")
    with pytest.raises(
        rs.DataError, match='the labels "A", "a" look like one, spelled in several ways: write them alike'
    ):
        len(rs.cases(path, truth="y", prediction=["m", "n"]).performances)
    assert len(rs.count(path, truth="y", prediction=["m", "n"], labels="all").space.labels) == 4
