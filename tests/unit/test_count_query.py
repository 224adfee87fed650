"""Queries that count: every dialect gives what count gives, and a wrong number is impossible."""

import csv
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs
from rankscape.cli import main
from rankscape.errors import DataError, UsageError
from rankscape.io.dialects import DIALECTS

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
sqlglot = pytest.importorskip("sqlglot")

NASTY = ["it's", 'a "b"', "a`b", "back\\slash", "end\\", "\\'", "'; --", "line\nbreak", "tab\t", "→", "a→b", "é日", "%s", "{x}", "$1", "E'x'"]  # fmt: skip


def table(n: int = 300, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    columns = {
        "site": rng.choice(["north", "south"], n),
        "model": rng.choice(["unet", "segnet", "vit"], n),
        "y": truth,
        "yhat": np.where(rng.random(n) < 0.8, truth, 1 - truth),
        "other": np.where(rng.random(n) < 0.6, truth, 1 - truth),
        "s": rng.integers(0, 21, n) / 20,
        "w": rng.integers(0, 5, n),
        "animal": rng.choice(["cat", "dog", "fox"], n),
        "guess": rng.choice(["cat", "dog", "fox"], n),
    }
    return pd.DataFrame(columns)


def ran(query: str, dialect: str, frame: Any, name: str = "predictions") -> Any:
    """Return the result of a query as CSV, run by DuckDB, in the words of DuckDB."""
    if dialect != "duckdb":
        (query,) = sqlglot.transpile(query, read=dialect, write="duckdb")
    connection = duckdb.connect()
    connection.register("rows", frame if isinstance(frame, pa.Table) else pa.Table.from_pandas(frame))
    connection.execute(f"create table {DIALECTS['duckdb'].name(name)} as from rows")
    result = connection.execute(query)
    headers = [column[0] for column in result.description]
    return as_csv(headers, result.fetchall())


def as_csv(headers: Sequence[str], rows: Sequence[Any]) -> io.StringIO:
    text = io.StringIO()
    csv.writer(text).writerows([headers, *(["" if cell is None else cell for cell in row] for row in rows)])
    return io.StringIO(text.getvalue())


def numbers(P: rs.Performances) -> Any:
    return sorted(zip(P.domains or [""] * len(P), P.names, P.counts.tolist(), strict=True)), P.space.outcomes


ASKED: dict[str, dict[str, Any]] = {
    "labels": {"truth": "y", "prediction": "yhat", "entity": "model"},
    "domains": {"truth": "y", "prediction": "yhat", "entity": "model", "domain": "site"},
    "columns": {"truth": "y", "prediction": ["yhat", "other"], "domain": "site"},
    "nothing else": {"truth": "y", "prediction": "yhat"},
    "other class": {"truth": "y", "prediction": "yhat", "entity": "model", "pos_label": 0},
    "scores": {"truth": "y", "score": "s", "threshold": 0.7, "entity": "model"},
    "weights": {"truth": "y", "prediction": "yhat", "entity": "model", "weight": "w"},
    "classes": {"truth": "animal", "prediction": "guess", "entity": "model", "labels": ["cat", "dog", "fox"]},
    "one class": {"truth": "animal", "prediction": "guess", "pos_label": "dog", "labels": ["cat", "dog", "fox"]},
}


def seen_by(how: dict[str, Any], frame: pd.DataFrame) -> pd.DataFrame:
    """A query does not know which columns its table has, so that it pools models unless they are named."""
    return frame if "entity" in how else frame.drop(columns="model")


@pytest.mark.some(18)
@pytest.mark.filterwarnings("ignore::rankscape.PooledRowsWarning")
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("asked", ASKED)
def test_every_dialect_counts_as_count_does(dialect: Any, asked: str) -> None:
    how, frame = ASKED[asked], table()
    if asked == "classes" and dialect == "bigquery":
        with pytest.raises(UsageError, match="has no columns with names such as"):
            rs.count_query("predictions", dialect=dialect, **how)
        return
    query = rs.count_query("predictions", dialect=dialect, **how)
    assert numbers(rs.read(ran(query, dialect, frame))) == numbers(rs.count(seen_by(how, frame), **how))


KINDS: dict[str, Any] = {
    "integers": lambda labels: labels,
    "floats": lambda labels: labels.astype(float),
    "booleans": lambda labels: labels.astype(bool),
    "texts": lambda labels: labels.astype(str),
    "nullable": lambda labels: labels.astype("Int64"),
}


@pytest.mark.some(9)
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_every_type_are_counted(dialect: Any, kind: str) -> None:
    frame = table()
    typed = frame.assign(y=KINDS[kind](frame["y"]), yhat=KINDS[kind](frame["yhat"]))
    for labels in (None, [0, 1], ["0", "1"], [False, True], ["false", "true"])[:: 1 if dialect == "duckdb" else 4]:
        query = rs.count_query("predictions", dialect=dialect, labels=labels, **ASKED["labels"])
        assert numbers(rs.read(ran(query, dialect, typed))) == numbers(rs.count(frame, **ASKED["labels"]))


# What cannot be counted


BROKEN: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "no truth": ("y", None, {}),
    "no prediction": ("yhat", None, {}),
    "another label": ("yhat", 2, {}),
    "between labels": ("yhat", 0.7, {}),
    "no entity": ("model", None, {}),
    "no domain": ("site", None, {}),
    "no score": ("s", None, {"prediction": None, "score": "s", "threshold": 0.5}),
    "NaN": ("s", float("nan"), {"prediction": None, "score": "s", "threshold": 0.5}),
    "no weight": ("w", None, {"weight": "w"}),
    "half a weight": ("w", 0.5, {"weight": "w"}),
    "a negative weight": ("w", -1, {"weight": "w"}),
    "an infinite weight": ("w", float("inf"), {"weight": "w"}),
}


@pytest.mark.some(20)
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("broken", BROKEN)
def test_rows_that_cannot_be_counted_are_refused_with_their_number(dialect: Any, broken: str) -> None:
    column, value, more = BROKEN[broken]
    columns: dict[str, Any] = table(40).to_dict("list")
    cells = [value if i in (3, 17) else cell for i, cell in enumerate(columns[column])]
    columns[column] = [float(cell) if isinstance(value, float) else cell for cell in cells]
    frame, how = pa.table(columns), {**ASKED["domains"], **more}
    with pytest.raises(DataError, match=r"2 rows of the table could not be counted"):
        rs.read(ran(rs.count_query("predictions", dialect=dialect, **how), dialect, frame))


def test_a_score_that_is_not_a_number_is_nowhere_positive(tmp_path: Path) -> None:
    """The statistics of Parquet leave NaN out, and DuckDB decides comparisons by them."""
    pytest.importorskip("pyarrow.parquet").write_table(
        pa.table({"y": [0, 1, 1], "s": [0.6, float("nan"), 0.9]}), tmp_path / "t.parquet"
    )
    query = rs.count_query("t", dialect="duckdb", truth="y", score="s", threshold=0.5)
    connection = duckdb.connect()
    connection.execute(f"create view t as from '{tmp_path}/t.parquet'")
    result = connection.execute(query)
    text = as_csv([column[0] for column in result.description], result.fetchall())
    with pytest.raises(DataError, match="1 row of the table could not be counted"):
        rs.read(text)


RESULT = "entity,tn,fp,fn,tp,not_counted,result_rows\na,1,2,3,4,0,2\nb,4,3,2,1,0,2\n"


def test_a_result_that_was_cut_or_put_together_is_refused(tmp_path: Path) -> None:
    assert rs.read(io.StringIO(RESULT)).counts.tolist() == [[1, 2, 3, 4], [4, 3, 2, 1]]
    assert rs.read(io.StringIO(RESULT.upper())).names == ("A", "B")  # as Snowflake writes headers
    assert rs.read(pd.read_csv(io.StringIO(RESULT))).names == ("a", "b")
    cut = "".join(RESULT.splitlines(keepends=True)[:2])
    for source in (io.StringIO(cut), pd.read_csv(io.StringIO(cut)), pd.read_csv(io.StringIO(cut)).to_dict("list")):
        with pytest.raises(DataError, match=r"here are 1 row of a result that has 2 \(\"result_rows\"\)"):
            rs.read(source)
    more = RESULT + RESULT.splitlines()[1].replace("a,", "c,") + "\n"
    with pytest.raises(DataError, match="here are 3 rows of a result that has 2"):
        rs.read(io.StringIO(more))
    left_out = RESULT.replace("1,0,2", "1,7,2")
    for source in (io.StringIO(left_out), pd.read_csv(io.StringIO(left_out)), pa.Table.from_pandas(pd.read_csv(io.StringIO(left_out)))):  # fmt: skip
        with pytest.raises(DataError, match=r"7 rows of the table could not be counted \(the first of them in row 2"):
            rs.read(source)
    with pytest.raises(DataError, match="not_counted = .* is missing"):
        rs.read(io.StringIO(RESULT.replace("4,0,2", "4,,2")))
    (tmp_path / "r.csv").write_text(left_out)
    done = CliRunner().invoke(main, ["rank", str(tmp_path / "r.csv"), "--by", "f1"])
    assert done.exit_code == 3
    assert "7 rows of the table could not be counted" in done.output


def test_an_empty_table_has_no_row() -> None:
    query = rs.count_query("predictions", dialect="duckdb", **ASKED["nothing else"])
    with pytest.raises(DataError, match="there is no row"):
        rs.read(ran(query, "duckdb", table(5)[:0]))


def test_a_name_that_the_table_lacks_is_no_name_of_the_query() -> None:
    frame = table()
    for header in ("truth", "prediction", "entity", "domain", "weight", "not_counted"):
        query = rs.count_query("predictions", dialect="duckdb", truth="y", prediction=header, entity="model")
        with pytest.raises(duckdb.BinderException):
            ran(query, "duckdb", frame)
    turned = frame.rename(columns={"y": "prediction", "yhat": "truth", "model": "domain", "site": "entity"})
    how = {"truth": "prediction", "prediction": "truth", "entity": "domain", "domain": "entity"}
    query = rs.count_query("cases", dialect="duckdb", **how)
    assert numbers(rs.read(ran(query, "duckdb", turned, "cases"))) == numbers(rs.count(turned, **how))


# Hostile names


@pytest.mark.parametrize("dialect", DIALECTS)
def test_hostile_names_are_quoted(dialect: Any) -> None:
    columns = {f"{nasty}1": ["p", nasty, "p", "p"] for nasty in NASTY}
    frame = pa.table({"y": ["p", NASTY[0], NASTY[1], "p"], **columns})
    labels: dict[str, Any] = {"labels": [*NASTY, "p"], "pos_label": "p"}
    query = rs.count_query(["".join(NASTY)], dialect=dialect, truth="y", prediction=list(columns), **labels)
    P = rs.read(ran(query, dialect, frame, "".join(NASTY)))
    assert sorted(P.names) == sorted(columns)
    assert P.counts.tolist() == [[1, 1, 0, 2]] * len(NASTY)


@pytest.mark.parametrize("dialect", DIALECTS)
@given(st.text(st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), min_size=1, max_size=8))
def test_a_text_is_one_name_and_one_literal(dialect: Any, text: str) -> None:
    sql = DIALECTS[dialect]
    query = f"SELECT {sql.literal(text)} AS {sql.name('x')}, {sql.name(text)} FROM {sql.name('t')}"
    (parsed,) = sqlglot.parse(query, read=dialect)
    literal, column = parsed.expressions
    assert literal.this.this == text
    assert column.this.this == text or (dialect == "bigquery" and "." in text)  # whose columns have no points


def test_multi_class_results_have_hostile_classes() -> None:
    labels = ["a→b", 'say "x"', "c,d", "it's"]
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"y": rng.choice(labels, 50), "p": rng.choice(labels, 50)})
    how: dict[str, Any] = {"truth": "y", "prediction": "p", "labels": labels}
    for dialect in ("duckdb", "postgres", "snowflake", "spark"):
        query = rs.count_query("predictions", dialect=dialect, **how)
        P = rs.read(ran(query, dialect, frame))
        assert (P.space, P.counts.tolist()) == (rs.count(frame, **how).space, rs.count(frame, **how).counts.tolist())


# What is refused


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another dialect": ({"dialect": "mysql"}, 'the dialect of SQL is not known; expected one of postgres, .*; got "mysql"'),
    "all labels": ({"labels": "all"}, "a query must name its labels"),
    "one label": ({"labels": [1]}, "two or more different labels"),
    "one label twice": ({"labels": [1, True]}, "two or more different labels"),
    "a missing label": ({"labels": [0, None]}, "a label is none; expected texts, finite numbers or booleans"),
    "labels of two kinds": ({"labels": [0, "x"]}, "use one kind of label"),
    "a positive label alone": ({"pos_label": "spam"}, 'must name its labels, and only "spam" is known'),
    "a strange positive label": ({"pos_label": "c", "labels": ["a", "b"]}, "is none of the labels"),
    "no positive label": ({"labels": ["a", "b"]}, 'nothing says which of the labels "a", "b" is positive'),
    "too many labels": ({"labels": range(41)}, "here are 41 labels; expected at most 40"),
    "long labels": ({"dialect": "postgres", "labels": ["a" * 30, "b" * 31, "c"]}, "more than 63 bytes, which postgres cuts off"),
    "no prediction": ({"prediction": None}, "is needed; got neither"),
    "two entities": ({"prediction": ["a", "b"], "entity": "m"}, "several columns of predictions are several entities"),
    "a score alone": ({"prediction": None, "score": "s"}, "go together"),
    "all thresholds": ({"prediction": None, "score": "s", "threshold": "all"}, "a query counts at one threshold"),
    "an infinite threshold": ({"prediction": None, "score": "s", "threshold": float("inf")}, "the threshold is infinite"),
    "no name": ({"truth": ""}, "a column has no name"),
    "a name with a zero byte": ({"truth": "a\0b"}, "a column has no name"),
    "no table": ({"table": ""}, "the table has no name"),
    "no part of a table": ({"table": ["a", ""]}, "the table has no name"),
}  # fmt: skip


@pytest.mark.parametrize("refused", REFUSED)
def test_what_means_nothing_in_a_query_is_refused(refused: str) -> None:
    change, sentence = REFUSED[refused]
    how: dict[str, Any] = {"table": "t", "dialect": "duckdb", "truth": "y", "prediction": "yhat"} | change
    with pytest.raises((UsageError, DataError), match=sentence):
        rs.count_query(how.pop("table"), **how)


# The command line


def test_the_command_prints_the_query_that_python_returns(tmp_path: Path) -> None:
    words = (
        "count --sql spark --table raw.t --truth y --prediction a --prediction b --domain-column d --labels ham,spam"
    )
    done = CliRunner().invoke(main, [*words.split(), "--pos-label", "spam", "--weight", "w"])
    how: dict[str, Any] = {
        "truth": "y",
        "prediction": ["a", "b"],
        "domain": "d",
        "labels": ["ham", "spam"],
        "weight": "w",
    }
    assert done.output == rs.count_query(["raw", "t"], dialect="spark", pos_label="spam", **how) + ";\n"
    words = f"count --sql duckdb --truth y --score s --threshold 0.5 -o {tmp_path / 'q.sql'}"
    assert CliRunner().invoke(main, words.split()).exit_code == 0
    query = rs.count_query("predictions", dialect="duckdb", truth="y", score="s", threshold=0.5)
    assert (tmp_path / "q.sql").read_text() == query + ";\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--sql spark x.csv", "--sql reads no FILE"),
        ("--sql spark --case c", "checks no cases"),
        ("--sql spark --invalid warn", "its result is then refused"),
        ("--sql spark --format csv", "--format would change nothing"),
        ("--sql spark --encoding latin-1", "--encoding would change nothing"),
        ("--sql spark --table .", "the table has no name"),
        ("--sql mysql", "is not one of"),
        ("x.csv --table t", "--table would change nothing without --sql"),
        ("", "FILE is missing"),
    ],
)
def test_options_that_mean_nothing_beside_sql(words: str, sentence: str) -> None:
    done = CliRunner().invoke(main, ["count", "--truth", "y", "--prediction", "p", *words.split()])
    assert done.exit_code == 2
    assert sentence in re.sub(r"\s+", " ", done.output)


# Spark itself: in another process, as this one treats its warnings as errors


def ask_spark(folder: str) -> None:
    """Write what Spark answers to the query of each question, as CSV."""
    from pyspark.sql import SparkSession

    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "2"}
    session = SparkSession.builder.master("local[2]").config(map=quiet).getOrCreate()
    table().to_parquet(Path(folder, "t.parquet"))
    session.read.parquet(str(Path(folder, "t.parquet"))).createOrReplaceTempView("predictions")
    for asked, how in ASKED.items():
        frame = session.sql(rs.count_query("predictions", dialect="spark", **how) + ";")
        Path(folder, f"{asked}.csv").write_text(as_csv(frame.columns, [tuple(row) for row in frame.collect()]).read())
    nasty = [label for label in NASTY if label.strip() == label]
    session.createDataFrame(pd.DataFrame({"y'`": nasty, "p": nasty})).createOrReplaceTempView("nasty")
    how = {"truth": "y'`", "prediction": "p", "labels": nasty, "pos_label": nasty[0]}
    (row,) = session.sql(rs.count_query("nasty", dialect="spark", **how)).collect()
    assert tuple(row) == ("p", len(nasty) - 1, 0, 0, 1, 0, 1), row


@pytest.mark.spark
@pytest.mark.skipif(
    not (shutil.which("java") and find_spec("pyspark")),
    reason="PySpark is not tested: it needs Java and pip install pyspark",
)
@pytest.mark.filterwarnings("ignore::rankscape.errors.PooledRowsWarning")
def test_spark_runs_the_query(tmp_path: Path) -> None:
    quick = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}  # what Java compiles here runs once
    script = [sys.executable, "-W", "ignore", __file__, str(tmp_path)]
    done = subprocess.run(script, capture_output=True, text=True, check=False, timeout=600, env=os.environ | quick)
    assert done.returncode == 0, done.stderr
    for asked, how in ASKED.items():
        assert numbers(rs.read(tmp_path / f"{asked}.csv")) == numbers(rs.count(seen_by(how, table()), **how)), asked


if __name__ == "__main__":
    ask_spark(sys.argv[1])
