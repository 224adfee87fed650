"""Spark and Dask: few jobs, only the columns that are needed, and the numbers of other engines."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rankscape import DataError
from rankscape.cases import joint
from rankscape.io import scored_table, tally
from rankscape.performances import Joint

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")

LONG = {"truth": "y", "prediction": "yhat", "entity": "model"}
WIDE = {"truth": "y", "prediction": ["a", "b", "c"]}
ALL = {"domain": "site", "cluster": "patient"}
COUNTS: dict[str, tuple[str, dict[str, Any]]] = {
    "weights": ("long", {**LONG, "domain": "site", "weight": "w"}),
    "cases": ("long", {**LONG, "case": "case"}),
    "cases on domains": ("long", {**LONG, "case": "case", "domain": "site"}),
    "columns": ("wide", {**WIDE, "domain": "site", "case": "case", "weight": "w"}),
    "columns of several types": ("mixed", {**WIDE}),
    "a threshold": ("long", {"truth": "y", "score": "s", "threshold": 0.5, "entity": "model", "case": "case"}),
}
PAIRS: dict[str, tuple[str, dict[str, Any]]] = {
    "rows": ("long", {**LONG, **ALL, "case": "case"}),
    "columns": ("wide", {**WIDE, **ALL, "case": "case"}),
    "one domain": ("long", {**LONG, "case": "case", "domain": "site", "only": "north"}),
    "classes": ("classes", {**LONG, "case": "case"}),
}
TRAVEL = 240
"""Fewer rows than this travel in all, of tables of 240 cases in 24 clusters and up to 720 rows."""

SCHEMA = re.compile(r"ReadSchema: struct<([^>]*)>")
KINDS: list[tuple[str, Callable[..., Any], dict[str, tuple[str, dict[str, Any]]]]]
KINDS = [("count", tally, COUNTS), ("pairs", joint, PAIRS)]
SCORED: dict[str, Any] = {"truth": "y", "score": "s", "entity": "model", "case": "case", "domain": "site", "fold": "w"}
REFUSED: dict[str, tuple[str, dict[str, Any]]] = {
    name: (name, {**LONG, **ALL, "case": "case"})
    for name in ("twice", "swapped", "absent", "missing", "torn", "two clusters", "no cluster")
}
"""What pairing refuses; the message is that of pandas."""


def tables() -> dict[str, Any]:
    """Return tables of 240 cases, three entities, two domains and 24 clusters."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 240)
    guesses = {name: np.where(rng.random(240) < 0.8, truth, 1 - truth) for name in "abc"}
    of_cases = {"case": range(240), "site": np.repeat(["north", "south"], 120), "w": rng.integers(1, 4, 240)}
    of_cases |= {"t": rng.random(240)}
    of_cases |= {"patient": [f"p{i // 10:02d}" for i in range(240)], "s": rng.integers(0, 9, 240) / 8, "note": "unused"}
    wide = pd.DataFrame({"y": truth, **of_cases, **guesses})
    long = wide.melt(["y", *of_cases], list("abc"), "model", "yhat").sample(frac=1, random_state=0, ignore_index=True)
    words = np.array(["cat", "dog", "fox"])
    first_two = long["case"].isin([0, 1]) & (long["model"] == long["case"].map({0: "a", 1: "b"}))
    return {
        "wide": wide,
        "long": long,
        "mixed": wide.assign(b=wide["b"].astype(float), c=wide["c"].astype("int8")),
        "classes": long.assign(y=words[long["case"] % 3], yhat=words[(long["case"] + long["yhat"]) % 3]),
        "twice": pd.concat([long, long[:1]], ignore_index=True),
        "swapped": long.assign(model=np.where(first_two, long["case"].map({0: "b", 1: "a"}), long["model"])),
        "absent": long[1:],
        "missing": long.assign(yhat=long["yhat"].astype("Int64").mask(long.index == 5)),
        "torn": long.assign(y=long["y"] ^ (long.index == 5)),
        "two clusters": long.assign(patient=long["patient"].mask(long.index == 5, long["patient"] + "'")),
        "no cluster": long.assign(patient=long["patient"].mask(long.index == 5)),
    }


def plain(found: Joint | Any) -> list[Any]:
    """Return what was counted, exactly, as JSON keeps it."""
    if isinstance(found, Joint):
        units = [
            (u.codes.tolist(), u.size.tolist(), [] if u.cluster is None else u.cluster.tolist()) for u in found.units
        ]
        return json.loads(json.dumps([found.performances.names, found.performances.counts.tolist(), units]))
    P = found.performances
    return json.loads(json.dumps([P.names, P.domains, P.counts.tolist(), found.rows, found.notes]))


def rows_of_scores(table: Any) -> list[Any]:
    """Return the scores in a table, by cases and without them, where rows stand in any order."""
    paired = scored_table(table, **SCORED)
    single = scored_table(table, **{name: header for name, header in SCORED.items() if name != "case"})
    scores = [sorted(zip(m.truth.tolist(), m.score.tolist(), strict=True)) for m in single.models]
    cases = [[m.truth.tolist(), m.score.tolist(), m.domain.tolist(), m.fold.tolist()] for m in paired.models]
    return json.loads(json.dumps([paired.names, paired.cases, paired.domains, paired.folds, cases, scores]))


def said(question: Callable[..., Any], table: Any, how: dict[str, Any]) -> str:
    with pytest.raises(DataError) as error:
        question(table, **how)
    return str(error.value)


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    """What pandas says."""
    found = {f"count {name}": plain(tally(tables()[table], **how)) for name, (table, how) in COUNTS.items()}
    found |= {"scored": rows_of_scores(tables()["long"])}
    found |= {f"pairs {name}": plain(joint(tables()[table], **how)) for name, (table, how) in PAIRS.items()}
    return found | {f"refused {name}": said(joint, tables()[table], how) for name, (table, how) in REFUSED.items()}


def needed(how: dict[str, Any]) -> set[str]:
    """Return the columns that arguments name."""
    names = [value for key, value in how.items() if key not in ("only", "threshold")]
    return {name for value in names for name in ([value] if isinstance(value, str) else value)}


# Dask


@pytest.mark.spark  # it takes as long as these, and runs with them
def test_dask_computes_once_and_reads_only_what_is_needed(expected: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dd = pytest.importorskip("dask.dataframe")
    callbacks = importlib.import_module("dask.callbacks")
    read: set[str] = set()
    computed: list[int] = []

    class Rows(callbacks.Callback):  # type: ignore[name-defined, misc]
        def _start(self, graph: Any) -> None:
            computed.append(0)

        def _finish(self, graph: Any, state: Any, failed: bool) -> None:
            frames = [state["cache"].get(key) for key in state["cache"]]
            computed[-1] = sum(len(frame) for frame in frames if hasattr(frame, "columns"))

    def dask(table: Any) -> Any:
        parts = np.array_split(np.arange(len(table)), 3)

        def part(rows: Any, columns: list[str] | None = None) -> Any:
            read.update(table.columns if columns is None else columns)
            return table.iloc[rows][list(table.columns if columns is None else columns)]

        return dd.from_map(part, parts, meta=table[:0])

    for kind, question, asked in KINDS:
        for name, (table, how) in asked.items():
            frame = dask(tables()[table])
            read.clear()
            computed.clear()
            with Rows(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = plain(question(frame, **how))
            assert found == expected[f"{kind} {name}"], name
            assert len(computed) == 1, (name, computed)
            assert sum(computed) < TRAVEL or ("case" in how and sum(computed) == len(tables()[table])), (name, computed)
            assert read == needed(how), name


# Spark: in another process, as this one treats its warnings as errors


def ask_spark(path: str) -> None:
    """Write what Spark says of every table: the answer, the jobs, the rows that travelled, and the columns read."""
    from pyspark.sql import SparkSession

    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "2"}
    quiet |= {"spark.sql.maxMetadataValueLength": "9999"}
    session = SparkSession.builder.master("local[2]").config(map=quiet).getOrCreate()
    plans: list[str] = []
    rows: list[int] = []
    out = {}
    for kind, question, asked in [*KINDS, ("refused", lambda table, **how: said(joint, table, how), REFUSED)]:
        for name, (table, how) in asked.items():
            tables()[table].to_parquet(Path(path).with_name(f"{table}.parquet"))
            frame = session.read.parquet(str(Path(path).with_name(f"{table}.parquet")))
            collect = type(frame).collect

            def collected(self: Any, collect: Any = collect) -> Any:
                found = collect(self)
                plans.append(self._jdf.queryExecution().executedPlan().toString())
                rows.append(len(found))
                return found

            plans.clear()
            rows.clear()
            session.sparkContext.setJobGroup(f"{kind} {name}", name)
            type(frame).collect = collected
            found = question(frame, **how)
            type(frame).collect = collect
            jobs = session.sparkContext.statusTracker().getJobIdsForGroup(f"{kind} {name}")
            read = {
                part.split(":")[0] for plan in plans for schema in SCHEMA.findall(plan) for part in schema.split(",")
            }
            answer = found if isinstance(found, str) else plain(found)
            out[f"{kind} {name}"] = [answer, len(jobs), sum(rows), sorted(read)]
    frame = session.read.parquet(str(Path(path).with_name("long.parquet")))
    out["scored"] = [rows_of_scores(frame), 0, 0, []]
    Path(path).write_text(json.dumps(out), encoding="utf-8")


@pytest.mark.spark
@pytest.mark.skipif(
    not (shutil.which("java") and importlib.util.find_spec("pyspark")),
    reason="PySpark is not tested: it needs Java and pip install pyspark",
)
def test_spark_runs_at_most_three_jobs_and_reads_only_what_is_needed(expected: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    quick = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}  # what Java compiles here runs once
    script = [sys.executable, "-W", "ignore", __file__, str(path)]
    done = subprocess.run(script, capture_output=True, text=True, check=False, timeout=600, env=os.environ | quick)
    assert done.returncode == 0, done.stderr
    found = json.loads(path.read_text(encoding="utf-8"))
    assert {name: answer for name, (answer, *_) in found.items()} == expected
    for kind, _, asked in KINDS:
        for name, (table, how) in asked.items():
            _, jobs, rows, read = found[f"{kind} {name}"]
            assert 1 <= jobs <= 3, (name, jobs)
            assert rows < TRAVEL or ("case" in how and rows == len(tables()[table])), (name, rows)
            assert set(read) == needed(how), name


if __name__ == "__main__":
    ask_spark(sys.argv[1])
