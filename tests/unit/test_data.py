"""Reading tables: every format comes back as it went in, every bad input gets its sentence."""

import csv
import decimal
import fractions
import io
import json
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rankscape.errors import DataError, IncompleteDataWarning, UsageError
from rankscape.io import read
from rankscape.io.content import Content
from rankscape.performances import Performances, as_performances

COUNTS = [[50, 10, 5, 35], [45, 15, 2, 38]]
CSV = "entity,tn,fp,fn,tp\nunet,50,10,5,35\nsegnet,45,15,2,38\n"
RECORDS = [
    {"entity": "unet", "tn": 50, "fp": 10, "fn": 5, "tp": 35},
    {"entity": "segnet", "tn": 45, "fp": 15, "fn": 2, "tp": 38},
]
COLUMNS = {"entity": ["unet", "segnet"], "tn": [50, 45], "fp": [10, 15], "fn": [5, 2], "tp": [35, 38]}


def text(content: str) -> Performances:
    return read(io.StringIO(content))


def same(P: Performances, names: tuple[str, ...] = ("unet", "segnet"), counts: list[list[int]] = COUNTS) -> bool:
    return P.names == names and P.counts is not None and P.counts.tolist() == counts


def refused(source: object, *parts: str, **options: object) -> str:
    """Return the sentence of the DataError, on one line, after checking that all parts are in it."""
    with pytest.raises(DataError) as caught:
        read(source, **options)
    sentence = str(caught.value)
    for part in parts:
        assert part in sentence, f"{part!r} is not in {sentence!r}"
    return sentence


def refused_text(content: str, *parts: str) -> str:
    return refused(io.StringIO(content), *parts)


# A frame answers as the CSV of the same values does; tests/fuzz/frames.py draws such tables at random

FRAMES = {
    "pandas": pd.DataFrame,
    "object": lambda columns: pd.DataFrame(columns).astype(object),
    "Decimal": lambda columns: pd.DataFrame(
        {
            header: [cell if isinstance(cell, str) else decimal.Decimal(repr(cell)) for cell in cells]
            for header, cells in columns.items()
        }
    ),
    "nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "Arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame,
}


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize(
    "columns",
    [
        {"name": ["a", "b"], "index": [0, 1], "failed": [6, 1], "passed": [5, 7]},
        {"foo": ["a", "b"], "failure": [9, 3], "unanswered": [1, 0], "success": [4, 8], "accuracy": [0.25, 0.5]},
        {"": ["a", "b"], "success": [67, 71], "failure": [42, 18]},
        {"Unnamed: 0": ["a", "b"], "tn": [1, 2], "fp": [3, 4], "fn": [5, 6], "tp": [7, 8], "seed": [1, 2]},
        {
            "": ["a", "b", "mean"],
            "index": [0, 1, 2],
            "tn": [2, 4, 3],
            "fp": [1, 3, 2],
            "fn": [5, 5, 5],
            "tp": [1, 1, 1],
        },
        {"Unnamed: 0": ["a", "b"], "success": [0.5, 0.25], "failure": [0.5, 0.75]},
        {"model": ["a", "a"], "threshold": [0.5, 0.7], "tn": [1, 2], "fp": [3, 4], "fn": [5, 6], "tp": [7, 8]},
        {"model": ["a", "b"], "success": [0.333, 0.5], "failure": [0.666, 0.5]},
        {"model": ["a", "b"], "correct": [3, 9], "total": [4, 8]},
        {"model": ["a", "b"], "accuracy": [0.25, 0.5], "n": [4.0, 8.0]},
    ],
)
@pytest.mark.some(20)
def test_a_frame_answers_as_its_csv(columns: dict[str, list[object]], kind: str) -> None:
    lines = (",".join(map(str, row)) for row in (columns, *zip(*columns.values(), strict=True)))

    def answer(source: object) -> object:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", IncompleteDataWarning)  # the account says so, too
                P = read(source)
        except DataError as error:
            return re.sub(r"line \d, |the file: |\"(?=0)", "", str(error))
        return P.names, P.domains, P.integers.tolist(), P.space, P.account.document() | {"source": ""}

    assert answer(FRAMES[kind](columns)) == answer(io.StringIO("\n".join(lines)))


# Formats


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("suffix", ["csv", "tsv", "txt", "json"])
def test_separated_values_are_found_by_content(tmp_path: Path, separator: str, suffix: str) -> None:
    path = tmp_path / f"results.{suffix}"
    path.write_text(CSV.replace(",", separator))
    assert same(read(path))
    assert same(read(str(path)))


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_blank_lines_and_blank_rows(tmp_path: Path, line_end: str) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(("\n" + CSV.replace("segnet", "\n,,,,\n  \nsegnet") + "\n\n").replace("\n", line_end).encode())
    assert same(read(path))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(CSV.replace("unet", "ünët").encode(encoding))
    assert same(read(path), ("ünët", "segnet"))


def test_byte_order_mark_in_a_text_that_is_open() -> None:
    assert same(text("\ufeff" + CSV))


def test_other_encodings_are_named_not_guessed(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(CSV.replace("segnet", "modèle").encode("latin-1"))
    refused(path, "results.csv: line 3: byte 0xe8 is not utf-8: save the file as UTF-8", 'encoding="latin-1"')
    assert same(read(path, encoding="latin-1"), ("unet", "modèle"))
    with pytest.raises(UsageError, match="'idna' is no known encoding"):
        read(path, encoding="idna")
    with pytest.raises(UsageError, match="'klingon' is no known encoding"):
        read(path, encoding="klingon")


def test_excel_announces_its_separator() -> None:
    assert same(text("sep=;\r\n" + CSV.replace(",", ";")))
    refused_text(
        "sep=;\n" + CSV.replace(",", ";").replace("45", "NA"), 'row 2 (line 4, "segnet"): tn = "NA" is missing'
    )


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(RECORDS),
        json.dumps(RECORDS, indent=2),
        "\n".join(map(json.dumps, RECORDS)) + "\n\n",
        json.dumps(COLUMNS),
        pd.DataFrame(COLUMNS).to_json(),
        pd.DataFrame(COLUMNS).to_json(orient="records"),
        pd.DataFrame(COLUMNS).set_index("entity").to_json(),
        pd.DataFrame(COLUMNS).set_index("entity").to_json(orient="index"),
        json.dumps(RECORDS).replace("50", "50.0").replace("45", "4.5e1"),
        json.dumps(RECORDS).replace("50", '"50"'),
    ],
)
def test_json(tmp_path: Path, content: str) -> None:
    path = tmp_path / "results.csv"
    path.write_text(content)
    assert same(read(path))


def test_json_with_one_record() -> None:
    assert same(text(json.dumps(RECORDS[0])), ("unet",), COUNTS[:1])


@pytest.mark.parametrize(
    "source",
    [
        RECORDS,
        tuple(RECORDS),
        COLUMNS,
        COLUMNS | {"tn": np.array([50, 45])},
        {
            name: {k: v for k, v in record.items() if k != "entity"}
            for name, record in zip(COLUMNS["entity"], RECORDS, strict=True)
        },
        {column: dict(zip("ab", values, strict=True)) for column, values in COLUMNS.items()},
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).astype({"tn": float, "fp": "Int64", "fn": "uint8", "tp": object}),
        pd.DataFrame(COLUMNS).set_index("entity"),
        pd.DataFrame(COLUMNS).set_index("entity").rename_axis("run"),
        pd.DataFrame(COLUMNS).set_index("entity").rename_axis(None),
        pd.DataFrame(COLUMNS, index=[7, 7]),
        pl.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS).lazy(),
        pa.table(COLUMNS),
        Performances.from_counts(COUNTS, names=["unet", "segnet"]),
        Performances.from_counts(COUNTS, names=["unet", "segnet"]).table(),
        io.BytesIO(CSV.encode()),
        io.StringIO(CSV),
    ],
    ids=lambda x: type(x).__name__,
)
def test_objects(source: object) -> None:
    assert same(read(source))
    if hasattr(source, "seek"):
        source.seek(0)
    assert same(as_performances(source))


def test_pandas_index_with_domains() -> None:
    frame = pd.DataFrame(COLUMNS | {"video": ["a", "b"]}).set_index(["video", "entity"])
    P = read(frame)
    assert same(P)
    assert P.domains == ("a", "b")
    named = pd.DataFrame(COLUMNS).set_index("entity").rename_axis("run")
    assert same(read(named, entity="run"))


def test_parquet_and_csv_of_pandas(tmp_path: Path) -> None:
    frame = pd.DataFrame(COLUMNS)
    pyarrow.parquet.write_table(pa.table(COLUMNS), tmp_path / "results.parquet")
    assert same(read(tmp_path / "results.parquet"))
    frame.to_csv(tmp_path / "numbered.csv")
    assert same(read(tmp_path / "numbered.csv"))
    frame.set_index("entity").rename_axis(None).to_csv(tmp_path / "index.csv")
    assert same(read(tmp_path / "index.csv"))
    frame.drop(columns="entity").to_csv(tmp_path / "nobody.csv")
    assert same(read(tmp_path / "nobody.csv"), ("P1", "P2"))


def test_parquet_without_pyarrow_and_polars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.parquet"
    pyarrow.parquet.write_table(pa.table(COLUMNS), path)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert same(read(path))
    monkeypatch.setitem(sys.modules, "polars", None)  # so DuckDB reads it, which is always there
    assert same(read(path))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CSV.encode("utf-8-sig"))))
    assert same(read("-"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    refused("-", "standard input: this is empty")


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_pipe_with_a_name_is_read_once() -> None:
    for source in (str, lambda path: [path]):
        end, start = os.pipe()
        os.write(start, CSV.encode())
        os.close(start)
        assert read(source(f"/dev/fd/{end}")).names == read(io.StringIO(CSV)).names
        os.close(end)


# Columns


@pytest.mark.parametrize(
    "header",
    [
        "Model;TN;FP;FN;TP",
        "method;True Negatives;false_positives;FalseNegatives;true-positives",
        " CLASSIFIER ;#TN;#FP;#FN;#TP",
        '"algorithm";true negative;false positive;false negative;true positive',
    ],
)
def test_usual_headers(header: str) -> None:
    assert same(text(CSV.replace(",", ";").replace("entity;tn;fp;fn;tp", header)))


def test_order_of_columns_and_extra_columns() -> None:
    P = text("note,tp,entity,fn,note,tn,dataset,fp\nx,35,unet,5,1,50,d,10\n,38,segnet,2,,45,d,15\n")
    assert same(P)
    assert P.domains == ("d", "d")


def test_rows_without_names() -> None:
    assert same(text("tn,fp,fn,tp\n50,10,5,35\n45,15,2,38\n"), ("P1", "P2"))


def test_order_of_rows_is_kept() -> None:
    assert text("entity,tn,fp,fn,tp\nz,1,0,0,0\na,2,0,0,0\nm,3,0,0,0\n").names == ("z", "a", "m")


def test_columns_can_be_named() -> None:
    content = "model,name,video,dataset,tn,fp,fn,tp\nunet,A,v,d,50,10,5,35\nsegnet,B,v,d,45,15,2,38\n"
    P = read(io.StringIO(content), entity="model", domain="Video")
    assert same(P)
    assert P.domains == ("v", "v")
    refused_text(content, 'the columns "model" and "name" all mean entity; expected one: say which with entity="…"')
    refused(
        io.StringIO(content), 'no column is called "modle" (entity=); expected one of "model", "name"', entity="modle"
    )
    assert same(text(content.replace("name", "entity").replace("dataset", "domain")), ("A", "B"))


def test_missing_columns() -> None:
    refused_text(
        "entity,tn,fp,false_negs,tp\na,1,2,3,4\n",
        "the file: no column fn; expected tn, fp, fn, tp (and entity, domain), ",
        'found "entity", "tn", "fp", "false_negs", "tp"',
        'rename "false_negs" if that is what is meant',
    )
    refused_text(
        "Dear Sir,\nI have no table.\n",
        'no columns tn, fp, fn, tp; expected tn, fp, fn, tp (and entity, domain), found "Dear Sir"',
    )
    refused_text("unet,50,10,5,35\n", 'found "unet", "50", "10", "5", "35": the first row must hold the headers')
    refused_text(",".join(f"c{i}" for i in range(20)), '"c11" and 8 more')
    refused(pd.DataFrame({"entity": ["a"], "tn": [1]}), "no columns fp, fn, tp;")


def test_headers_that_occur_twice() -> None:
    refused_text(
        "entity,tn,fp,fn,tp,tp\na,1,2,3,4,5\n",
        'the columns "tp" and "tp" all mean tp; expected one: rename or drop one',
    )
    refused_text("entity,tn,fp,fn,tp,TruePositives\na,1,2,3,4,5\n", '"tp" and "TruePositives" all mean tp')
    refused_text("entity,model,entity,tn,fp,fn,tp\na,a,a,1,2,3,4\n", '"entity" and "entity" all mean entity')
    refused_text('{"tn": 1, "fp": 2, "fn": 3, "tp": 4, "tn": 5}', '"tn" occurs twice in one JSON object')
    refused(
        pd.DataFrame([[1, 2, 3, 4, 5]], columns=["tn", "fp", "fn", "tp", "tp"]),
        "the data frame cannot be used: ",
        "'tp' 2 times",
    )


def test_predictions_are_not_performances() -> None:
    sentence = "this holds predictions, one case per row (columns"
    refused_text(
        "case,Y_true,y_pred\n1,0,1\n",
        sentence,
        '"Y_true", "y_pred"',
        "rs.count, or `rankscape count`",
    )
    refused(pl.DataFrame({"truth": [0], "prediction": [1]}).lazy(), sentence)


def test_a_lazy_frame_is_refused_before_it_is_computed() -> None:
    def explode(_: pl.Series) -> pl.Series:
        raise RuntimeError("computed")

    lazy = pl.DataFrame({"tn": [0], "model": ["a"]}).lazy().with_columns(pl.col("tn").map_batches(explode, pl.Int64))
    refused(lazy, "no columns fp, fn, tp")


# Numbers


@pytest.mark.parametrize("cell", ["50", "50.0", "5e1", "+50", " 50 ", "50.", "0050", "0.5e2", '"50"', "500E-1"])
def test_whole_numbers_are_counts(cell: str) -> None:
    assert same(text(CSV.replace("50", cell)))


@pytest.mark.parametrize("n", [10**9, 2**53 + 1, 10**18 + 1, 2**60])
def test_large_counts_are_exact(n: int) -> None:
    for source in (
        f"entity,tn,fp,fn,tp\na,{n},0,0,1\n",
        f"entity,tn,fp,fn,tp\na,{n}.0,0,0,1\n",
        f'[{{"entity": "a", "tn": {n}, "fp": 0, "fn": 0, "tp": 1}}]',
        f'[{{"entity": "a", "tn": {n}.0, "fp": 0, "fn": 0, "tp": 1}}]',
    ):
        assert same(text(source), ("a",), [[n, 0, 0, 1]])
    assert same(read({"entity": ["a"], "tn": [n], "fp": [0], "fn": [0], "tp": [1]}), ("a",), [[n, 0, 0, 1]])


def test_counts_that_are_too_large() -> None:
    for cell in ("1e31", "1e400", "1e999999999", "9" * 5000, str(2**61)):
        sentence = refused_text(
            CSV.replace("10", cell), "row 1 (line 2", '"unet"): fp = ', "is too large; expected at most 2**60"
        )
        assert len(sentence) < 300


def test_probabilities() -> None:
    P = text("entity,tn,fp,fn,tp\na,0.5,0.2,0.05,0.25\nb,1,0,0,0\n")
    assert P.counts is None
    assert P.mass.tolist() == [[0.5, 0.2, 0.05, 0.25], [1, 0, 0, 0]]


def test_one_hot_rows_are_counts() -> None:
    assert same(text("entity,tn,fp,fn,tp\na,1,0,0,0\nb,0,0,0,1\n"), ("a", "b"), [[1, 0, 0, 0], [0, 0, 0, 1]])


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_decimal_commas(separator: str) -> None:
    content = "entity;tn;fp;fn;tp\na;0,5;0,2;,05;0,25\nb;1,000;0;0;0,000\n".replace(";", separator)
    assert text(content).mass.tolist() == [[0.5, 0.2, 0.05, 0.25], [1, 0, 0, 0]]
    assert same(text("entity;tn;fp;fn;tp\na;12,0;3,0;4,0;5,0\n".replace(";", separator)), ("a",), [[12, 3, 4, 5]])


def test_decimal_commas_in_quotes_and_json() -> None:
    assert text('entity,tn,fp,fn,tp\na,"0,5","0,2","0,05","0,25"\n').mass.tolist() == [[0.5, 0.2, 0.05, 0.25]]
    assert text('{"tn": "0,5", "fp": 0, "fn": 0, "tp": "0,5"}').mass.tolist() == [[0.5, 0, 0, 0.5]]


def test_thousands_are_refused_where_a_comma_may_be_decimal() -> None:
    both = "write 1234 for thousands, and 0.5 or 0,5 for a half"
    row = 'row 1 (line 2, "a"): '
    refused_text("entity;tn;fp;fn;tp\na;1,234;10;5;35\n", row + 'tn = "1,234" may mean 1234 or 1.234', "which: " + both)
    refused_text('entity,tn,fp,fn,tp\na,"1,234","5,678","9,012","3,456"\n', row + 'tn = "1,234" may mean 1234 or 1.234')
    refused_text('entity,tn,fp,fn,tp\na,"1,234",5678,5,35\n', row + 'tn = "1,234" may mean 1234 or 1.234')
    refused_text(
        'entity,tn,fp,fn,tp\na,7,"1,23,567",5,35\n', row + 'fp = "1,23,567" has thousands separators; expected', both
    )
    refused_text("entity;tn;fp;fn;tp\na;12.000;10;5;35\n", row + 'tn = "12.000" may mean 12000 or 12.000')
    refused_text(
        "entity;tn;fp;fn;tp\na;1.234,5;10;5;35\n", 'tn = "1.234,5" has a comma, but "1.234,5" in row 1 has a point'
    )
    refused_text(
        "entity;tn;fp;fn;tp\na;0,5;0.5;0;0\n", 'tn = "0,5" has a comma, but "0.5" in row 1 has a point; expected one'
    )
    refused_text(
        "entity,tn,fp,fn,tp\na,12 34,10,5,35\n",
        'tn = "12 34" is not a number',
        "without units, % or thousands separators",
    )
    refused_text("entity,tn,fp,fn,tp\na,1_234,10,5,35\n", 'tn = "1_234" is not a number')
    refused_text("entity,tn,fp,fn,tp\na,1/10,0.2,0.3,0.4\n", 'tn = "1/10" is not a number', "separators: write 0.1")
    refused_text("entity,tn,fp,fn,tp\na,1/3,0.2,0.3,0.4\n", 'tn = "1/3" is not a number', "write a decimal")
    refused_text("entity,tn,fp,fn,tp\na,1'23,10,5,35\n", 'tn = "1\'23" is not a number')
    # unquoted, they give too many cells, and are never shifted into the next column
    refused_text("entity,tn,fp,fn,tp\na,1,234,10,5,35\n", "row 1 (line 2): this row has 6 cells; expected 5")


def test_points_are_decimal_where_commas_separate() -> None:
    assert same(text("entity,tn,fp,fn,tp\na,12.000,3.000,4.000,5.000\n"), ("a",), [[12, 3, 4, 5]])
    assert same(text("entity;tn;fp;fn;tp\na;12.000;3.000;4.000;0.000\n"), ("a",), [[12, 3, 4, 0]])


@pytest.mark.parametrize("cell", ["", " ", "NA", "nan", "NaN", "N/A", "null", "None", "-", "?"])
def test_missing_numbers(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "results.csv"
    path.write_text(CSV.replace("15", cell))
    sentence = refused(
        path, f'results.csv: row 2 (line 3, "segnet"): fp = {json.dumps(cell)} is missing; expected a count'
    )
    assert sentence.endswith("(a whole number ≥ 0) or a probability: fill it in or drop the row")


@pytest.mark.parametrize("cell", ["ten", "12%", "$5", "1/2", "0x1F", "inf", "-inf", "1e", "--3", "١٢", "1.2.3"])
def test_cells_that_are_no_numbers(cell: str) -> None:
    refused_text(CSV.replace("15", cell), f'row 2 (line 3, "segnet"): fp = "{cell}" is not a number; expected a count')


@pytest.mark.parametrize(
    "value",
    [None, float("nan"), np.nan, pd.NA, pd.NaT, decimal.Decimal("nan"), np.float32("nan")],
    ids=lambda x: type(x).__name__,
)
def test_missing_values_in_objects(value: object) -> None:
    parts = ('row 2 ("segnet"): fp = ', " is missing; expected a count")
    refused(COLUMNS | {"fp": [10, value]}, *parts)
    refused([RECORDS[0], RECORDS[1] | {"fp": value}], *parts)
    refused(pd.DataFrame(COLUMNS | {"fp": pd.Series([10, value], dtype=object)}), *parts)


def test_missing_values_in_frames() -> None:
    parts = ('row 2 ("segnet"): fp = ', " is missing; expected a count")
    refused(pd.DataFrame(COLUMNS | {"fp": pd.array([10, None], dtype="Int64")}), *parts)
    refused(pd.DataFrame(COLUMNS | {"fp": [10, None]}), *parts)
    refused(pl.DataFrame(COLUMNS | {"fp": [10, None]}), *parts)
    refused(pl.DataFrame(COLUMNS | {"fp": [10.0, float("nan")]}), *parts)
    refused(pa.table(COLUMNS | {"fp": [10, None]}), *parts)
    refused([RECORDS[0], {"entity": "segnet", "tn": 1, "fn": 2, "tp": 3}], *parts)
    refused_text('[{"tn": 1, "fp": 2, "fn": NaN, "tp": 4}]', 'row 1 ("P1"): fn = nan is missing')


@pytest.mark.parametrize("value", [True, 1j, [1], b"1", object()])
def test_values_that_are_no_numbers(value: object) -> None:
    refused(COLUMNS | {"fp": [10, value]}, 'row 2 ("segnet"): fp = ', "is not a number; expected a count")


def test_infinite_values() -> None:
    refused(COLUMNS | {"fp": [10, float("inf")]}, 'row 2 ("segnet"): fp = inf is not finite; expected a count')


def test_numbers_of_all_kinds() -> None:
    kinds = [np.int8(1), np.float32(2), fractions.Fraction(3), decimal.Decimal("4.0")]
    assert same(read([dict(zip(("tn", "fp", "fn", "tp"), kinds, strict=True))]), ("P1",), [[1, 2, 3, 4]])
    half = fractions.Fraction(1, 2)
    assert read([{"tn": half, "fp": decimal.Decimal("0.25"), "fn": np.float32(0.25), "tp": 0}]).mass[0, 0] == 0.5


def test_negative_counts(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("\n" + CSV.replace("15", "-3"))
    refused(path, 'results.csv: row 2 (line 4, "segnet"): fp = -3 is negative; counts must be ≥ 0')
    refused_text(CSV.replace("15", "\N{MINUS SIGN}3"), "fp = -3 is negative; counts must be ≥ 0")
    refused(COLUMNS | {"fp": [10, -3]}, 'row 2 ("segnet"): fp = -3 is negative; counts must be ≥ 0')


def test_negative_probabilities() -> None:
    refused_text(
        "entity,tn,fp,fn,tp\na,0.7,0.5,-0.2,0\n",
        'row 1 (line 2, "a"): fn = -0.2 is negative; probabilities must be ≥ 0',
    )


def test_rows_of_zeros() -> None:
    refused_text(
        CSV.replace("45,15,2,38", "0,0,0,0"), 'row 2 (line 3, "segnet"): all counts are 0: a performance needs'
    )
    refused_text(
        "entity,tn,fp,fn,tp\na,.5,.5,0,0\nb,0,0,0,0\n",
        'row 2 (line 3, "b"): all probabilities are 0; they must sum to 1',
    )


def test_neither_counts_nor_probabilities() -> None:
    refused_text(
        CSV.replace("15", "15.5").replace("35", "36"),
        'row 1 (line 2, "unet"): tn, fp, fn, tp sum to 101. As probabilities they must sum to 1 within 1e-06; '
        "as counts all must be whole numbers, but row 2 has fp = 15.5: give whole counts in every row",
    )
    refused_text("entity,tn,fp,fn,tp\na,50.5,49.5,0,0\n", "if these are percentages, divide them by 100")
    refused_text("entity,tn,fp,fn,tp\na,0.333,0.333,0.333,0\n", "sum to 0.999.", "divide each row by its sum")
    refused_text("entity,tn,fp,fn,tp\na,0.5,0.5,0,0\nb,5,5,0,0\n", 'row 2 (line 3, "b"): tn, fp, fn, tp sum to 10.')


# Names


def test_names_that_are_missing() -> None:
    refused_text(
        CSV.replace("segnet", " "), "row 2 (line 3): entity is missing; expected the name of the entity: fill it in"
    )
    refused_text("tn,fp,fn,tp,video\n1,2,3,4,\n", "row 1 (line 2): video is missing; expected the name of the domain")
    refused(pd.DataFrame(COLUMNS | {"entity": ["a", None]}), "row 2: entity is missing")
    refused(pl.DataFrame(COLUMNS | {"entity": ["a", None]}), "row 2: entity is missing")


def test_duplicates() -> None:
    refused_text(
        CSV.replace("segnet", "unet"), 'rows 1, 2: entity "unet" occurs 2 times; expected once: merge the rows'
    )
    content = "entity,video,tn,fp,fn,tp\na,x,1,2,3,4\na,y,1,2,3,4\n"
    assert text(content).domains == ("x", "y")
    refused_text(content.replace(",y,", ",x,"), 'rows 1, 2: entity "a" on domain "x" occurs 2 times')


def test_names_are_texts() -> None:
    assert read([{"team": 7, "tn": 1, "fp": 2, "fn": 3, "tp": 4}]).names == ("7",)
    assert text(CSV.replace("unet", "NA")).names == ("NA", "segnet")


HOSTILE = [
    '"',
    "a\nb",
    "a\r\nb",
    "a\rb",
    ",",
    ";",
    "a\tb",
    "|",
    "<script>alert('x')</script>",
    "x" * 500,
    "'",
    '""',
    "é",
    "名前",
    "=1+1",
    "[",
    "{}",
]
names_of_entities = st.lists(
    st.one_of(
        st.sampled_from(HOSTILE),
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30),
    ),
    min_size=1,
    max_size=5,
    unique=True,
).map(lambda names: list(dict.fromkeys(name.strip() or f"n{i}" for i, name in enumerate(names))))
any_counts = st.lists(st.sampled_from([0, 1, 7, 999, 1000, 10**9, 2**53 + 1, 2**60]), min_size=3, max_size=3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=names_of_entities, data=st.data(), separator=st.sampled_from([",", ";", "\t", "|"]), by_pandas=st.booleans()
)
@example(names=HOSTILE, data=None, separator=";", by_pandas=True)
@example(names=HOSTILE, data=None, separator=",", by_pandas=False)
def test_hostile_names_round_trip(
    tmp_path: Path, names: list[str], data: object, separator: str, by_pandas: bool
) -> None:
    names = list(dict.fromkeys(name.strip() for name in names))
    counts = [[*(data.draw(any_counts) if data else [1, 2, 3]), 1] for _ in names]
    frame = pd.DataFrame(counts, columns=["tn", "fp", "fn", "tp"])
    frame.insert(2, "entity", names)
    path = tmp_path / "results.csv"
    if by_pandas:
        frame.to_csv(path, sep=separator, index=False, lineterminator="\r\n")
    else:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter=separator)
            writer.writerow(frame.columns)
            writer.writerows(frame.to_numpy().tolist())
    assert same(read(path), tuple(names), counts)
    lines = "\n".join(json.dumps(record) for record in frame.to_dict("records"))
    assert same(text(lines), tuple(names), counts)


@given(
    st.one_of(
        st.binary(max_size=60), st.text(max_size=60).map(lambda t: ("tn,fp,fn,tp\n" + t).encode("utf-8", "replace"))
    )
)
@example(b'"')
@example(b"[" * 100_000)
@example(b"PAR1")
@example(b"sep=;\n")
def test_whatever_it_is_there_is_an_answer_or_a_sentence(content: bytes) -> None:
    try:
        outcome = read(io.BytesIO(content)).counts is not None or "probabilities"
    except DataError as error:
        outcome = str(error)
    assert outcome in (True, "probabilities") or outcome.startswith("the file: ")


# Files


def test_rows_of_unequal_length() -> None:
    refused_text(
        CSV.replace(",38", ""),
        "the file: row 2 (line 3): this row has 4 cells; expected 5, as in the header "
        '("entity", "tn", "fp", "fn", "tp"): complete the row, ',
        'or put cells with "," in "quotes"',
    )
    refused_text("entity,tn,fp,fn,tp\na,0,5,0,2,0,05,0,25\n", "row 1 (line 2): this row has 9 cells; expected 5")
    refused_text(
        "a b\tc\n".replace("a b\tc", "entity\ttn\tfp\tfn\ttp") + "x\n",
        "row 1 (line 2): this row has 1 cell; expected 5",
        'or put cells with "\\t" in',
    )


def test_lines_count_newlines_in_names() -> None:
    refused_text('entity,tn,fp,fn,tp\n"a\nb",1,2,3,4\n\nc,1,2,x,4\n', 'row 2 (line 5, "c"): fn = "x" is not a number')
    refused_text(
        '{"tn": 1, "fp": 2, "fn": 3, "tp": 4}\n\n{"tn": 1, "fp": 2, "fn": 3}\n',
        'row 2 (line 3, "P2"): tp = None is missing',
    )


def test_quotes_that_are_not_closed() -> None:
    refused_text(
        CSV.replace("segnet", '"segnet'),
        "line 3: the row cannot be read: unexpected end of data: close every quotation mark",
    )


@pytest.mark.parametrize("content", ["", "\n\n", "  ", "\ufeff", "sep=;\n", "[]", "{}"])
def test_empty(content: str) -> None:
    refused_text(content, "the file: th", "is empty; expected")


def test_header_only() -> None:
    refused_text("entity,tn,fp,fn,tp\n", "the file: there is no row; expected one per entity below the header")
    refused(pd.DataFrame(COLUMNS).head(0), "there is no row; expected one per entity")
    refused([], "the table is empty; expected columns tn, fp, fn, tp")


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"PK\x03\x04....", "its compression is damaged (File is not a zip file); expected a whole file"),
        (b"\xd0\xcf\x11\xe0....", "this is an old Excel workbook: save the table as CSV"),
        (b"\x1f\x8b....", "its compression is damaged"),
        (b"%PDF-1.4", "this is a PDF document: save the table as CSV"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "this is not text: save the table as CSV, JSON or Parquet, perhaps packed"),
        (CSV.encode("utf-16-le"), "this is not text: save the table"),
        (b"model,tn,fp,fn,tp\na\0,1,2,3,4\nb,1,1,1,1\n", "this is not text: save the table"),
        (b"\xff\xfe" + b"\x00\xd8a", "line 1: byte 0x00 is not utf-16"),
        (b"<!DOCTYPE html><html></html>", "this is HTML or XML, not a table: download the data themselves"),
        (b"PAR1 and no more", "DuckDB cannot read this as a table"),
        (b'[{"tn": 1,', "line 1: character "),
        (b'{"tn": 1}\n{"tn": }\n', "line 2: character 8 is not JSON (Expecting value): correct it"),
        (b'{"tn": 1}\n[1]\n{"tn": 2}\n', "line 2: no record stands here; expected a record"),
        (b"[[50, 10, 5, 35]]", 'expected JSON records, [{"entity": "unet", "tn": 50, …}, …], or columns'),
        (b'{"tn": [1], "fp": [1, 2], "fn": [1], "tp": [1]}', "the columns have different lengths (tn: 1, fp: 2, fn"),
        (b'{"tn": [1], "fp": 2, "fn": [1], "tp": [1]}', 'column "fp" is 2; expected a list, one value per row'),
    ],
)  # fmt: skip
def test_files_that_are_no_tables(tmp_path: Path, content: bytes, part: str) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(content)
    refused(path, "results.csv: ", part)


def test_files_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "results.csv").write_text(CSV)
    refused(tmp_path / "result.csv", 'result.csv: there is no such file; near it are "results.csv"')
    refused(tmp_path / "nowhere" / "x.csv", "x.csv: there is no such file: check the name and the folder")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", "no file of this folder is a table")
    assert read(tmp_path).names == read(tmp_path / "results.csv").names  # the one file in the folder
    refused("a\0b", "cannot be read (embedded null byte); expected a file")
    refused("x" * 5000, "cannot be read (File name too long); expected a file")
    refused(
        CSV, r'"entity,tn,fp,fn,tp\nunet', "is no name of a file: where it is the table itself, pass io.StringIO(text)"
    )
    refused(
        "https://example.org/results.csv", "https://example.org/results.csv is an address; expected a file: download it"
    )

    def forbidden(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("rankscape.io.sheets.open", forbidden, raising=False)
    refused(tmp_path / "results.csv", "results.csv: cannot be read (Permission denied); expected a file")


def test_files_that_are_open(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(CSV.encode())
    with path.open("rb") as file:
        assert same(read(file))
    path.write_bytes(CSV.replace("unet", "modèle").encode("latin-1"))
    with path.open(encoding="utf-8") as file:
        refused(file, "results.csv: cannot be read ('utf-8' codec", "open it as bytes, or with its encoding")


@pytest.mark.parametrize(
    "source",
    [None, 3, b"results.csv", np.zeros((2, 4)), [[1, 2, 3, 4]], pd.Series([1])],
    ids=lambda x: type(x).__name__,
)
def test_objects_that_are_no_tables(source: object) -> None:
    refused(
        source,
        "expected a path, an open file, a data frame, a mapping of columns or a list of records; got ",
        "from_counts",
    )


# Arrays


def test_as_performances() -> None:
    P = Performances.from_counts(COUNTS)
    assert as_performances(P) is P
    matrices = np.array(COUNTS).reshape(2, 2, 2)
    for source in (COUNTS, np.array(COUNTS), np.array(COUNTS, dtype=float), matrices, matrices.tolist()):
        assert same(as_performances(source), ("P1", "P2"))
    for source in (matrices[0], COUNTS[0], tuple(COUNTS[0]), [COUNTS[0]]):
        assert same(as_performances(source), ("P1",), COUNTS[:1])
    assert as_performances([0.5, 0.2, 0.05, 0.25]).counts is None
    assert as_performances(np.array([0.5, 0.2, 0.05, 0.25], dtype=object)).counts is None
    assert as_performances(np.array([[0.5, 0.2], [0.05, 0.25]])).counts is None


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ([[1, 2, 3], [4, 5, 6]], "or rows tn, fp, fn, tp (n, 4); got an array of shape (2, 3)"),
        ([[1, 2, 3, 4], [5]], "the rows of the array have different lengths; expected tn, fp, fn, tp in each"),
        ([[1, 2, 3, [4]]], "the rows of the array have different lengths"),
        (np.array([[1, 2, 3, "x"]], dtype=object), 'row 1 ("P1"): tp = \'x\' is not a number; expected a count'),
        (["a", "b", "c", "d"], "expected an array of numbers; got one of type <U1"),
        ([[1, 2, 3, None]], 'row 1 ("P1"): tp = None is not finite; expected a count'),
        ([[1, 2, 3, float("nan")]], 'row 1 ("P1"): tp = nan is not finite; expected a count'),
        ([[1, 2, 3, -4]], 'row 1 ("P1"): tp = -4 is negative; counts must be ≥ 0'),
        (np.zeros((0, 4), dtype=int), "the table is empty: expected one row per entity, got none"),
        ([], "expected confusion matrices"),
        (3, "got int"),
    ],
)  # fmt: skip
def test_arrays_that_are_no_performances(source: object, part: str) -> None:
    with pytest.raises(DataError, match=re.escape(part)):
        as_performances(source)


def test_no_data_frame_library_is_imported() -> None:
    code = (
        "import io, sys; from rankscape.io import read; read(io.StringIO('tn,fp,fn,tp\\n1,2,3,4\\n'))\n"
        "frames = {'pandas', 'polars', 'pyarrow', 'narwhals'}\n"
        "print(sorted({m.split('.')[0] for m in sys.modules} & frames))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("source", [
    lambda text: io.StringIO(text), lambda text: pd.read_csv(io.StringIO(text)),
    lambda text: pl.read_csv(io.StringIO(text)).lazy(), lambda text: pl.read_csv(io.StringIO(text)).to_arrow(),
])  # fmt: skip
def test_the_only_column_of_texts_holds_the_names(source: Callable[[str], object]) -> None:
    assert read(source("tn,fp,which,fn,tp\n1,2,a,3,4\n2,2,b,3,4\n")).names == ("a", "b")
    for header, cells in (("which,who", "a,x b,y"), ("kind,", "ok,1 ok,2")):
        rows = "".join(f"{cell},1,2,3,4\n" for cell in cells.split())
        with pytest.raises(DataError, match='no column entity, but texts in .*entity="…", or drop them'):
            read(source(f"{header if header[-1] != ',' else 'kind,n'},tn,fp,fn,tp\n{rows}"))
    assert read(source("k,tn,fp,fn,tp\n7,1,2,3,4\n8,2,2,3,4\n")).names == ("P1", "P2")


def test_decimal_text_is_exact() -> None:
    found = read(io.StringIO("entity,tn,fp,fn,tp\na,0.9,0.05,0.02,0.03\nb,9e-1,0,5.0e-2,.05\n"))
    assert found.integers.tolist() == [[90, 5, 2, 3], [900, 0, 50, 50]]
    assert found.mass.tolist() == [[0.9, 0.05, 0.02, 0.03], [0.9, 0, 0.05, 0.05]]
    comma = read(io.StringIO("entity;tn;fp;fn;tp\na;0,9;0,05;0,02;0,03\n"))
    assert comma.integers.tolist() == [[90, 5, 2, 3]]
    json_rows = read(io.StringIO('[{"entity": "a", "tn": 0.9, "fp": 0.05, "fn": 0.02, "tp": 0.03}]'))
    assert json_rows.integers.tolist() == [[90, 5, 2, 3]]
    floats = read([{"entity": "a", "tn": 0.9, "fp": 0.05, "fn": 0.02, "tp": 0.03}])  # the decimals that they print
    assert floats.integers.tolist() == [[90, 5, 2, 3]]
    tiny = read(io.StringIO("entity,tn,fp,fn,tp\na,1,1e-999999999,0,0\n"))
    assert tiny.mass.tolist() == [[1, 0, 0, 0]]


def test_a_tenth_of_32_bits_is_a_tenth_beside_missing_cells_too():
    for cells in ([0.1, 0.2], [0.1, None]):
        frame = pl.DataFrame({"tn": [1, 2], "rate": cells}, schema_overrides={"rate": pl.Float32})
        assert str(Content(frame, lambda header: True).sheet.rows[0][1]) == "0.1"


@pytest.mark.parametrize("way", ["wrong", "apart", "common"])
def test_counts_that_do_not_say_how_many_cases_have_no_answer_refuse_what_to_do_with_them(way: str) -> None:
    table = {"entity": ["a", "b"], "tn": [5, 6], "fp": [1, 2], "fn": [2, 1], "tp": [3, 4]}
    with pytest.raises(UsageError, match=f'unanswered="{way}" would change nothing: no column says how'):
        read(table, unanswered=way)
    complete = read(table | {"unanswered": [0, 0]}, unanswered="wrong")  # as in the next file of the same kind
    assert complete.counts.tolist() == read(table).counts.tolist()
