"""Sources: how bytes become rows is decided once, whatever a file is called, packed in or written with."""

import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import rankscape as rs
from rankscape.errors import DataError
from rankscape.io import sheets, tally

pytestmark = pytest.mark.filterwarnings("ignore::rankscape.PooledRowsWarning")  # CASES has an entity, counted or not
CASES = "y,p,model\n1,1,a\n0,0,a\n1,0,a\n"
COUNTS = "entity,tn,fp,fn,tp\na,1,0,1,1\n"


def counts(source: Any, **options: Any) -> list[list[int]]:
    return rs.count(source, truth="y", prediction="p", **options).counts.tolist()


def packed(folder: Path, text: str) -> dict[str, Path]:
    """Write a text in every way of packing."""
    import pyarrow as pa

    (folder / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
    with zipfile.ZipFile(folder / "t.zip", "w") as archive:
        archive.writestr("folder/", "")
        archive.writestr("folder/t.csv", text)
        archive.writestr("__MACOSX/t.csv", "junk")
    with pa.CompressedOutputStream(str(folder / "t.csv.zst"), "zstd") as stream:
        stream.write(text.encode())
    (folder / "named-otherwise").write_bytes(gzip.compress(text.encode()))
    return {path.name: path for path in folder.iterdir()}


def test_packed_files_are_read_alike(tmp_path: Path) -> None:
    (tmp_path / "cases").mkdir()
    (tmp_path / "counts").mkdir()
    for path in packed(tmp_path / "cases", CASES).values():
        assert counts(path) == [[1, 0, 1, 1]]
    for path in packed(tmp_path / "counts", COUNTS).values():
        assert rs.read(path).counts.tolist() == [[1, 0, 1, 1]]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "latin-1"])
def test_encodings_are_those_of_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    given = {"encoding": encoding} if encoding == "latin-1" else {}
    path.write_bytes(mark + CASES.replace("a\n", "é\n").encode(encoding))
    assert rs.count(path, truth="y", prediction="p", entity="model", **given).names == ("é",)
    path.write_bytes(mark + COUNTS.replace("a,", "é,").encode(encoding))
    assert rs.read(path, **given).names == ("é",)


@pytest.mark.parametrize("encoding", ["utf-16-le", "UTF_16_BE", "utf-32-le", "utf8"])
def test_a_byte_order_mark_is_no_part_of_the_header_though_the_encoding_is_named(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(("\ufeff" + CASES).encode(encoding))
    assert rs.count(path, truth="y", prediction="p", encoding=encoding).counts.tolist() == [[1, 0, 1, 1]]
    path.write_bytes(("\ufeff" + COUNTS).encode(encoding))
    assert rs.read(path, encoding=encoding).counts.tolist() == [[1, 0, 1, 1]]


def test_bytes_in_another_encoding_are_refused_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(CASES.encode() + "1,1,é\n".encode("latin-1"))
    with pytest.raises(
        DataError, match=r't.csv: line 5: byte 0xe9 is not utf-8: save the file as UTF-8, or .*"latin-1"'
    ):
        counts(tmp_path / "t.csv")


def test_archives_and_damage_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.csv", CASES)
        archive.writestr("b.csv", CASES)
    with zipfile.ZipFile(tmp_path / "book.xlsx", "w") as archive:
        archive.writestr("[Content_Types].xml", "")
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(CASES.encode() * 100)[:60])
    (tmp_path / "t.csv.xz").write_bytes(b"\xfd7zXZ\0rest")
    for name, says in {
        "two.zip": 'this archive holds 2 files ("a.csv", "b.csv"); expected one: unpack it first',
        "book.xlsx": "this is an Excel workbook: save the table as CSV",
        "cut.csv.gz": "its compression is damaged",
        "t.csv.xz": "packed with xz",
    }.items():
        for call in (rs.read, counts):
            with pytest.raises(DataError) as caught:
                call(tmp_path / name)
            assert says in str(caught.value)


def test_a_small_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s.csv").write_text(COUNTS)
    opened, really = [], open
    monkeypatch.setattr("builtins.open", lambda file, *how, **more: opened.append(file) or really(file, *how, **more))
    assert rs.read(tmp_path / "s.csv").counts.tolist() == [[1, 0, 1, 1]]
    assert opened.count(str(tmp_path / "s.csv")) == 1


def test_a_file_given_twice_is_refused_by_any_name(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text(CASES)
    (tmp_path / "symbolic.csv").symlink_to(path)
    os.link(path, tmp_path / "hard.csv")
    other = tmp_path / "other"
    other.mkdir()
    (other / "s.csv").symlink_to(path)
    for given in ([path, path], [path, tmp_path / "hard.csv"], tmp_path, str(tmp_path / "*.csv"), [path, other]):
        with pytest.raises(DataError, match="this file is given twice"):
            counts(given)
    assert counts([path]) == [[1, 0, 1, 1]]


def test_open_files_and_standard_input_are_sources_of_cases(tmp_path: Path) -> None:
    assert counts(io.StringIO(CASES)) == counts(io.BytesIO(CASES.encode())) == [[1, 0, 1, 1]]
    (tmp_path / "s.csv").write_text(CASES)
    with (tmp_path / "s.csv").open() as file:
        assert counts(file) == [[1, 0, 1, 1]]
    code = "import rankscape as rs; print(rs.count('-', truth='y', prediction='p').counts.tolist())"
    for data in (CASES.encode(), gzip.compress(CASES.encode()), CASES.encode("utf-16")):
        done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
        assert done.stdout.decode().strip() == "[[1, 0, 1, 1]]"


def test_the_apostrophe_of_the_findings_loses_no_row(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("y,yhat,note\n1,1,ok\n0,0,'\n1,0,ok\n0,1,ok\n1,0,'\n0,0,ok\n")
    found = tally(path, truth="y", prediction="yhat")
    assert (found.rows, found.performances.counts.tolist()) == (6, [[2, 1, 2, 1]])


def test_labels_written_as_floats_are_the_numbers_that_they_are(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("y,p\n1.0,1\n0.0,0\n1.0,0\n0.0,true\n")
    for positive in (None, 1, "1", "1.0", 1.0, True, "true"):
        assert counts(path, pos_label=positive) == [[1, 1, 1, 1]]
    assert counts(path, labels=["0", "1.0"]) == [[1, 1, 1, 1]]
    path.write_text("y,p\n1.1,1.10\n1.10,1.10\n2.1,2.1\n")  # names of sections, not one number
    P = rs.count(path, truth="y", prediction="p", labels="all")
    assert P.counts.tolist() == [[0, 1, 0, 0, 1, 0, 0, 0, 1]]


def test_headers_among_the_rows_are_refused_in_frames_too() -> None:
    import pandas as pd

    frame = pd.DataFrame({"y": ["1", "y", "0"], "p": ["1", "p", "1"]})
    with pytest.raises(DataError, match=r'1 row repeats the header \("y", "p"\)'):
        counts(frame, pos_label="1")


def test_long_cells_are_read(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("y,p,prompt\n1,1," + "x" * 3_000_000 + "\n0,0,short\n")
    assert counts(tmp_path / "s.csv") == [[1, 0, 0, 1]]


def test_json_keeps_types_and_says_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"y": 1, "p": true}\n\n{"y": 0, "p": 0.0}\n{"y": 9007199254740993, "p": 1}\n')
    with pytest.raises(DataError, match="9007199254740993"):
        counts(path)
    path.write_text('{"y": 1}\n{"y": 0}\n')
    with pytest.raises(DataError, match='no column is called "p" .prediction.; expected one of "y"'):
        counts(path)
    path.write_text('{"y": 1, "p": [1]}\n{"y": 0, "p": [0]}\n')
    with pytest.raises(DataError, match=r"line 1: p = \[1\] is no label; expected a text, a number, true or false"):
        counts(path)
    path.write_text('{"y": [1, 0, 1], "p": [1, 0, 0]}')
    assert counts(path) == [[1, 0, 1, 1]]


def test_columns_of_names_that_are_not_used_are_noted(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("y,p,model,dataset\n1,1,a,x\n0,0,b,x\n")
    counted = tally(tmp_path / "s.csv", truth="y", prediction="p")
    assert counted.performances.account.columns["entity"] == ("model",)
    assert counted.performances.account.unused == ("dataset",)
    assert [note.split(",")[0] for note in counted.notes] == ['if "dataset" names the domains']
    assert not tally(tmp_path / "s.csv", truth="y", prediction="p", entity="model", domain="dataset").notes


def test_parquet_needs_duckdb_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    path = tmp_path / "t.parquet"
    pyarrow.parquet.write_table(pa.table({"model": ["a"], "tn": [1], "fp": [2], "fn": [3], "tp": [4]}), path)
    for name in ("pyarrow.parquet", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    assert rs.read(path).counts.tolist() == [[1, 2, 3, 4]]


JSON_LINES = {
    "numbers": [0, 1], "booleans": [False, True], "texts": ["no", "yes"], "digits": ["0", "1"], "floats": [0.0, 1.0],
}  # fmt: skip
"""The labels of tables."""


@pytest.mark.parametrize("kind", JSON_LINES)
def test_json_lines_are_read_as_the_same_records(tmp_path: Path, kind: str) -> None:
    labels = JSON_LINES[kind]
    rows = [
        {"y": labels[i % 2], "p": labels[i // 2 % 2], "s": i / 10, "model": i % 2, "id": f"c{i // 2}"}
        for i in range(12)
    ]
    path = tmp_path / "s.jsonl"
    path.write_bytes("\r\n".join(map(json.dumps, rows)).encode())
    for how in ({"prediction": "p"}, {"score": "s", "threshold": 0.4}):
        found = [tally(source, truth="y", pos_label=labels[-1], **how) for source in (path, rows)]
        assert found[0].rows == found[1].rows == 12
        assert found[0].performances.counts.tolist() == found[1].performances.counts.tolist()
    path.write_text('{"y": 1, "p": 1}\n' * 40_000 + '{"y": 0, "p": 0, "model": "late"}\n')
    with pytest.raises(DataError, match="in 40000 of 40001 rows the name of the entity is missing"):
        counts(path)


def test_files_name_models_by_what_tells_them_apart() -> None:
    assert list(map(sheets.without_suffixes, ("runs/GPT-4.1", "GPT-4.1.csv.gz", "v3.0.1.JSON"))) == [
        "GPT-4.1",
        "GPT-4.1",
        "v3.0.1",
    ]
    assert sheets.names_of_files(["runs/GPT-4.1.csv.gz", ""]) == ["GPT-4.1", "P2"]
    assert sheets.names_of_files(["a/run.csv", "b/run.csv"]) == ["a", "b"]
    pieces = [["part-0.pq", "part-1.pq"], ["x-1-of-2.csv", "x-2-of-2.csv"], ["a1", "a2"]]
    assert [sheets.are_pieces(list(map(sheets.Source, names))) for names in pieces] == [True, True, False]
