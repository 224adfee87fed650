"""Rows of scores: the same arrays from every engine and file, pairs by their cases, and nothing lost without a word."""

import decimal
import gzip
import json
import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_tables import SOURCES, csv_file

import rankscape as rs
from rankscape.errors import DataError, UsageError
from rankscape.io import ScoredTable, scored_arrays, scored_table

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow.parquet")

LONG: dict[str, Any] = {"truth": "y", "score": "s", "entity": "model", "domain": "site", "fold": "part"}
WIDE: dict[str, Any] = {"truth": "y", "score": ["b", "a"], "domain": "site", "fold": "part"}
SPECIAL = [
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    0.1 + 0.2,
    1 / 3,
    -1e-300,
    2**53 + 2,
]


def wide() -> Any:
    rng = np.random.default_rng(0)
    n = 60
    columns = {"case": rng.permutation(n), "y": rng.integers(0, 2, n), "site": rng.choice(["n", "s"], n)}
    columns |= {"part": rng.integers(0, 12, n), "w": rng.integers(1, 4, n), "note": ["unused"] * n}
    columns |= {"a": [*SPECIAL, *rng.random(n - len(SPECIAL))], "b": np.round(rng.random(n), 1)}
    return pd.DataFrame(columns)


def long(frame: Any = None) -> Any:
    rest = ["case", "y", "site", "part", "w", "note"]
    melted = (wide() if frame is None else frame).melt(rest, ["a", "b"], "model", "s")
    return melted.sample(frac=1, random_state=0, ignore_index=True)


def packed(frame: Any, folder: Path) -> str:
    (folder / "t.csv.gz").write_bytes(gzip.compress(Path(csv_file(frame, folder)).read_bytes()))
    return str(folder / "t.csv.gz")


def parts(frame: Any, folder: Path) -> list[str]:
    for i in range(3):
        frame[40 * i : 40 * i + 40].to_parquet(folder / f"{i}.parquet")
    return [str(folder / f"{i}.parquet") for i in range(3)]


def json_lines(frame: Any, folder: Path) -> str:
    records = map(json.dumps, frame.to_dict("records"))
    (folder / "t.jsonl").write_text("\n".join(records) + "\n")
    return str(folder / "t.jsonl")


UNORDERED = ("duckdb", "ibis", "sqlframe")
ORDERED: dict[str, Callable[[Any, Path], Any]] = {
    **{name: make for name, make in SOURCES.items() if name not in UNORDERED},
    "pandas, categories": lambda frame, _: frame.assign(site=frame.site.astype("category")),
    "CSV, packed": packed,
    "JSON": json_lines,
    "Parquet, in parts": parts,
}


def plain(table: ScoredTable) -> list[Any]:
    """All that a table holds, scores by their bits."""
    models = [
        (
            model.name,
            model.truth.tolist(),
            [struct.pack(">d", score) for score in model.score.tolist()],
            *(None if array is None else array.tolist() for array in (model.domain, model.fold, model.weight)),
        )
        for model in table.models
    ]
    return [
        models,
        table.domains,
        table.folds,
        table.paired,
        table.cases,
        table.account.positive,
        table.account.records,
        table.notes,
    ]


def said(source: Any, **how: Any) -> str:
    with pytest.raises(DataError) as error:
        scored_table(source, **how)
    return str(error.value)


# Every source says the same


@pytest.mark.some(10)
@pytest.mark.parametrize("engine", [*ORDERED, *UNORDERED])
def test_every_engine_gives_the_same_cases(engine: str, tmp_path: Path) -> None:
    make = (SOURCES | ORDERED)[engine]
    expected = wide().sort_values(["site", "case"])
    found = scored_table(make(long(), tmp_path), **LONG, case="case", weight="w")
    assert plain(found) == plain(scored_table(long(), **LONG, case="case", weight="w"))
    assert found.names == ("a", "b")
    assert found.cases == tuple(map(str, expected.case))
    assert found.folds == tuple(map(str, range(12)))  # 9 before 10
    for model in found.models:
        assert model.score.tolist() == expected[model.name].tolist()
        assert [bool(y) for y in expected.y] == model.truth.tolist()
        assert model.weight.tolist() == expected.w.tolist()
    by_columns = scored_table(make(wide(), tmp_path), **WIDE, case="case", weight="w")
    assert by_columns.names == ("b", "a")
    assert [plain(found)[0][i] for i in (1, 0)] == plain(by_columns)[0]


@pytest.mark.some(8)
@pytest.mark.parametrize("engine", ORDERED)
def test_without_cases_rows_stand_in_the_order_of_the_source(engine: str, tmp_path: Path) -> None:
    found = scored_table(ORDERED[engine](wide(), tmp_path), **WIDE)
    assert [model.score.tolist() for model in found.models] == [wide()["b"].tolist(), wide()["a"].tolist()]
    assert plain(found) == plain(scored_table(wide(), **WIDE))
    rows = long()
    apart = scored_table(ORDERED[engine](rows, tmp_path), **LONG)
    assert not apart.paired
    assert [model.score.tolist() for model in apart.models] == [rows.s[rows.model == name].tolist() for name in "ab"]


@pytest.mark.parametrize("how", [{**LONG}, {**LONG, "weight": "w"}, {**WIDE}], ids=["rows", "weights", "columns"])
def test_where_rows_have_no_order_their_order_does_not_matter(how: dict[str, Any]) -> None:
    frame = long() if "entity" in how else wide()
    tables = [
        scored_table(SOURCES["duckdb"](frame.sample(frac=1, random_state=seed), Path()), **how) for seed in range(3)
    ]
    assert plain(tables[0]) == plain(tables[1]) == plain(tables[2])
    model = tables[0].models[0]
    keys = list(
        zip(model.domain.tolist(), model.fold.tolist(), model.truth.tolist(), model.score.tolist(), strict=True)
    )
    assert keys == sorted(keys)


def test_scores_are_the_nearest_floats_of_what_is_written(tmp_path: Path) -> None:
    written = [
        "0.1",
        "4.9e-324",
        "0.30000000000000004",
        "9007199254740992",
        "-0",
        "1e2",
        "123456789012345678.9",
    ]
    expected = [float(text) + 0.0 for text in written]
    (tmp_path / "t.csv").write_text("y,s\n" + "\n".join(f"{i % 2},{text}" for i, text in enumerate(written)) + "\n")
    score = scored_table(str(tmp_path / "t.csv"), truth="y", score="s").models[0].score
    assert score.tolist() == expected
    assert not np.signbit(score).any()
    decimals = pa.table({"y": [0, 1], "s": pa.array([decimal.Decimal("0.30"), decimal.Decimal("1.15")])})
    assert scored_table(decimals, truth="y", score="s").models[0].score.tolist() == [0.3, 1.15]
    whole = pa.table({"y": [0, 1], "s": [2**53 + 1, 2**62 + 1]})
    assert scored_table(whole, truth="y", score="s").models[0].score.tolist() == [2**53 + 1, 2**62 + 1]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_types_that_numpy_lacks_are_read(engine: str) -> None:
    def table(query: str) -> Any:
        relation = duckdb.sql(query)
        return relation if engine == "duckdb" else relation.pl()

    rows = "(1, 0.5::decimal(5, 2), date '2020-01-02'), (0, 0.25, date '2020-01-01')"
    found = scored_table(table(f"select * from (values {rows}) t(y, s, part)"), truth="y", score="s", fold="part")
    assert found.folds == ("2020-01-01", "2020-01-02")
    assert sorted(found.models[0].score.tolist()) == [0.25, 0.5]


def test_only_named_columns_are_read() -> None:
    lazy = pl.from_pandas(long()).lazy().with_columns(note=pl.col("note").map_elements(_fail, return_dtype=pl.String))
    assert len(scored_table(lazy, **LONG).models) == 2


def _fail(value: Any) -> Any:
    raise AssertionError(value)


# What cannot be used


def changed(row: int, **values: Any) -> Any:
    """The long table with other values in one row."""
    frame = long()
    for header, value in values.items():
        column = frame[header].astype(object)
        column[row] = value
        frame[header] = column.infer_objects()
    return frame


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: changed(6, s=math.nan), 'row 7: in 1 of 120 rows the score is missing ("s")'),
        (lambda: changed(6, s=math.inf), 'row 7: in 1 of 120 rows the score "s" is infinite; expected finite numbers'),
        (lambda: changed(6, s=-math.inf), 'row 7: in 1 of 120 rows the score "s" is infinite'),
        (lambda: changed(6, part=math.nan), 'row 7: in 1 of 120 rows the fold is missing ("part")'),
        (lambda: changed(6, y=None), "in 1 of 120 rows the truth is missing"),
        (lambda: changed(6, model=None), "in 1 of 120 rows the name of the entity is missing"),
        (lambda: changed(6, y=2), "the labels 0, 1, 2 are more than two"),
        (lambda: changed(6, y="x"), "the true labels are numbers (1) and texts"),
        (lambda: changed(6, case=None), "in 1 row the case is missing"),
        (lambda: long()[1:], 'lacks 1 of'),
        (lambda: pd.concat([long(), long()[:1]]), "has more than one row of a case: 1 row too many"),
        (lambda: changed(6, y=1 - long().y[6]), "1 case with several truths"),
        (lambda: changed(6, part=99), "1 case with several folds: complete or correct the table"),
        (lambda: changed(6, w=99), "1 case with several weights"),
        (lambda: changed(6, w=-1), 'a weight in the column "w" is -1'),
        (lambda: changed(6, w=math.nan), 'a weight in the column "w" is missing'),
        (lambda: long()[lambda t: (t.model != "a") | (t.site != "n")], 'entity "a" has no case on domain "n"'),
        (lambda: long().assign(s="x"), 'the column "s" holds no scores but'),
        (lambda: long().drop(columns="part"), 'no column is called "part" (fold); expected one of'),
        (lambda: long()[:0], "there is no row"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_in_a_sentence(make: Callable[[], Any], sentence: str) -> None:
    assert sentence in said(make(), **LONG, case="case", weight="w")


def test_a_row_is_named_only_where_rows_have_an_order(tmp_path: Path) -> None:
    bad = changed(6, s=math.nan)
    assert said(SOURCES["duckdb"](bad, tmp_path), **LONG).startswith("in 1 of 120 rows the score is missing")
    assert f"{tmp_path}" in said(csv_file(bad, tmp_path), **LONG)
    assert "row 7" in said(csv_file(bad, tmp_path), **LONG)
    assert "line 8" in said(csv_file(changed(6, s="high"), tmp_path), **LONG)


@pytest.mark.parametrize(
    "make", [lambda: changed(6, s=math.nan), lambda: long()[1:], lambda: changed(6, s=math.nan)[2:]]
)
def test_models_are_compared_on_the_cases_that_all_have_a_score_for(make: Callable[[], Any]) -> None:
    frame = make()
    table = scored_table(frame, **LONG, case="case", unanswered="common")
    assert table.paired
    lost = long()[~long().case.isin(set(map(int, table.cases)))]
    assert {len(model.score) for model in table.models} == {len(table.cases)}
    assert len(table.cases) == 60 - lost.case.nunique()
    assert plain(table)[:5] == plain(scored_table(long().drop(lost.index), **LONG, case="case"))[:5]
    assert table.account.left_out["some model did not answer the case"] > 0
    with pytest.raises(UsageError, match="unanswered=\"wrong\"; expected one of 'common', for scores"):
        scored_table(frame, **LONG, case="case", unanswered="wrong")


def test_models_are_compared_on_the_domains_that_all_have_a_score_on() -> None:
    frame = long()[lambda t: (t.model != "a") | (t.site != "n")]
    with pytest.raises(DataError, match='all have with unanswered="common", drop one or the other'):
        scored_table(frame, **LONG, case="case")
    table = scored_table(frame, **LONG, case="case", unanswered="common")
    rest = scored_table(long()[lambda t: t.site != "n"], **LONG, case="case")
    assert plain(table)[:5] == plain(rest)[:5]
    assert table.account.notes == ('no model is compared on "n", where no case was answered by every model',)


def test_a_case_without_one_score_is_left_out_of_all_columns() -> None:
    frame = wide()
    frame.loc[3, "a"] = math.nan
    assert said(frame, **WIDE).startswith('row 4: in 1 of 60 rows the score is missing ("a")')
    table = scored_table(frame, **WIDE, unanswered="common")
    assert table.models[0].score.tolist() == frame.b.drop(3).tolist()
    assert rs.sweep(frame, **WIDE, unanswered="common").account.left_out == {"some model did not answer the case": 1}


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(UsageError, match="several columns of predictions are several entities"):
        scored_table(wide(), truth="y", score=["a", "b"], entity="site")


def test_hostile_labels_and_names() -> None:
    names = ['<b>"a"', "a\nb", "=1+1", "☃"]
    frame = pd.DataFrame({"y": ["ja", "nein"] * 4, "s": np.arange(8) / 8, "m": np.repeat(names, 2)})
    table = scored_table(frame, truth="y", score="s", entity="m", pos_label="ja")
    assert set(table.names) == set(names)
    assert all(model.truth.tolist() == [True, False] for model in table.models)
    assert "nothing says which of the labels" in said(frame, truth="y", score="s", entity="m")
    mixed = pd.DataFrame({"y": [0, 1, 0, 1], "s": [1, 2, 3, 4], "f": pd.Series([1, "1", 1.0, True], dtype=object)})
    assert scored_table(mixed, truth="y", score="s", fold="f").folds == ("1",)
    unlike = scored_table(mixed, truth="y", score="s", fold="f", pos_label=0)
    assert unlike.models[0].truth.tolist() == [True, False, True, False]
    assert unlike.account.positive.label == "0"


# Arrays


def test_arrays_are_paired_in_their_order() -> None:
    frame = wide()
    table = scored_arrays(frame.y, frame[["b", "a"]], domains=frame.site, folds=frame.part, sample_weight=frame.w)
    assert plain(table)[:5] == plain(scored_table(frame, **WIDE, weight="w"))[:5]
    assert table.models[0].truth is table.models[1].truth
    assert not table.models[0].score.flags.writeable
    assert scored_arrays([0, 1], [0.1, -0.0]).names == ("P1",)
    assert scored_arrays([0, 1], [[0.1, 0.2], [0.3, 0.4]], names=["x", "y"]).names == ("x", "y")
    assert scored_arrays(["n", "p"], {"m": [1, 2]}, pos_label="p").models[0].truth.tolist() == [False, True]


@pytest.mark.parametrize(
    ("y_true", "y_score", "how", "sentence"),
    [
        ([0, 1], {"a": [0.1, math.nan]}, {}, 'entity "a": case 2: scores must be finite numbers'),
        ([0, 1], {"a": ["x", "y"]}, {}, 'entity "a": scores must be numbers'),
        ([0, 1, 1], [[0.1, 0.2]] * 3, {}, "transpose it"),
        ([0, 1, 1], [0.1, 0.2], {}, "expected as many scores as true values"),
        ([0, 1, 2], [0.1, 0.2, 0.3], {}, "the labels 0, 1, 2 are more than two"),
        ([0, None], [0.1, 0.2], {}, "a true value is missing"),
        ([0, 1], [0.1, 0.2], {"folds": [1]}, "folds: expected 2 labels, one per case"),
        ([0, 1], [0.1, 0.2], {"folds": [1, None]}, "folds: case 2 has no label"),
        ([0, 1], [0.1, 0.2], {"domains": ["a", math.nan]}, "domains: case 2 has no label"),
        ([0, 1], [[0.1, 0.2]] * 2, {"names": ["x", "x"]}, "occurs 2 times"),
        ([], [], {}, "no cases"),
    ],
)
def test_arrays_that_cannot_be_used(y_true: Any, y_score: Any, how: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DataError) as error:
        scored_arrays(y_true, y_score, **how)
    assert sentence in str(error.value)


def test_arrays_in_another_order_are_refused() -> None:
    truth, scores = pd.Series([0, 1]), pd.Series([0.1, 0.2])
    with pytest.raises(DataError, match="another order"):
        scored_arrays(truth, scores[::-1])
    with pytest.raises(DataError, match="another order"):
        scored_arrays(truth, scores, folds=pd.Series([1, 2])[::-1])
    with pytest.raises(DataError, match="is the truth itself"):
        scored_arrays(pd.Series([0, 1], name="y"), pd.DataFrame({"y": [0, 1], "a": [0.1, 0.2]}))
