"""No row is lost on its way: what cannot be read is an error, a pipe is read once, and each kind of file says the same."""

import csv
import io
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main

COUNTS = "model,tn,fp,fn,tp\na,50,10,5,35\nb,45,15,2,38\nc,40,20,1,39\n"
RATES = "model,sensitivity,specificity,n_positive,n_negative\na,0.8,0.9,100,100\nb,0.7,0.95,100,100\n"
CASES = "case,model,correct\n" + "".join(f"c{i},{m},{int(i % 3 > 0)}\n" for i in range(12) for m in "ab")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("line", [0, 1, 2, 3])
@pytest.mark.parametrize("text", [COUNTS, CASES])
def test_a_sign_that_is_no_text_is_an_error_wherever_it_stands(text: str, line: int, separator: str) -> None:
    lines = text.replace(",", separator).splitlines(keepends=True)
    lines[line] = lines[line].replace("c", "c\0", 1).replace("a", "a\0", 1)
    if "\0" not in lines[line]:
        lines[line] = "\0" + lines[line]
    for given in ("".join(lines), "".join(lines).encode()):
        with pytest.raises(rs.DataError, match="this is not text: save the table as CSV"):
            rs.read(io.StringIO(given) if isinstance(given, str) else io.BytesIO(given))


@pytest.mark.parametrize("line", [0, 1, 2, 3, 300])
def test_bytes_of_another_encoding_are_an_error_wherever_they_stand(line: int) -> None:
    lines = ["model,tn,fp,fn,tp", *(f"m{i},50,10,5,35" for i in range(400))]
    lines[line] = lines[line].replace("m", "mü", 1)
    with pytest.raises(rs.DataError, match=f"line {line + 1}: byte 0xfc is not utf-8"):
        rs.read(io.BytesIO("\n".join(lines).encode("latin-1")))
    assert (
        len(rs.read(io.BytesIO("\n".join(lines).encode("latin-1")), encoding="latin-1", entity=lines[0].split(",")[0]))
        == 400
    )


@pytest.mark.parametrize("quote", ['"a;x"', 'a";x'])
def test_a_quotation_mark_that_only_one_separator_allows_loses_no_row(quote: str) -> None:
    text = f"model;tn;fp;fn;tp\n{quote.replace(';', '')};1;2;3;4\nb;2;2;3;4\n"
    assert len(rs.read(io.StringIO(text))) == 2


def test_where_no_header_is_understood_the_headers_are_what_is_wrong() -> None:
    for rows in ("a,1,2\n", '"a,1,2,3\n', "model,tn,fp,fn,tp\na,1,2,3,4\n"):
        with pytest.raises(rs.DataError, match="no column says whether a case succeeded"):
            rs.cases(io.StringIO("model,tn,fp,fn,tp\n" + rows))
        with pytest.raises(rs.DataError, match=r"line 2"):
            rs.count(io.StringIO("model,tn,fp,fn,tp\n" + rows), truth="tn", prediction="fp")
    with pytest.raises(rs.DataError, match="this is not text"):
        rs.cases(io.StringIO("model,tn\na,\0\n"))


# Pipes


@pytest.fixture
def pipe(tmp_path: Path) -> Callable[[str], str]:
    """Return a function that returns the name of a pipe, into which a text is written once."""

    def of(text: str) -> str:
        path = str(tmp_path / f"pipe{len(os.listdir(tmp_path))}")
        os.mkfifo(path)
        threading.Thread(target=lambda: Path(path).write_text(text), daemon=True).start()
        return path

    return of


def test_pipes_are_read_once(pipe: Callable[[str], str]) -> None:
    assert rs.read(pipe(COUNTS)).names == ("a", "b", "c")
    assert (
        rs.read([pipe(COUNTS), pipe(COUNTS.replace("a,", "d,").replace("b,", "e,").replace("c,", "f,"))]).names[3]
        == "d"
    )
    assert rs.read_published(pipe(RATES)).names == ("a", "b")
    assert rs.cases(pipe(CASES), correct="correct", entity="model", case="case").performances.counts.sum() == 24
    assert rs.count(pipe("y,p\n1,1\n0,1\n"), truth="y", prediction="p").counts.tolist() == [[0, 1, 0, 1]]


@pytest.mark.parametrize(("text", "options"), [
    (COUNTS, ["--by", "f1"]), (RATES, ["--by", "ba"]), (CASES, []), (CASES, ["--uncertainty"]),
    ("y,p,model\n1,1,a\n0,1,a\n1,0,b\n0,0,b\n", ["--truth", "y", "--prediction", "p", "--entity-column", "model"]),
    ("y,u,v\n1,1.5,1\n2,2,2.25\n", ["--task", "regression", "--truth", "y", "--prediction", "u", "--prediction", "v"]),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_commands_read_pipes_as_they_read_files(
    pipe: Callable[[str], str], tmp_path: Path, text: str, options: list[str]
) -> None:
    file = tmp_path / "table.csv"
    file.write_text(text)
    from_file, from_pipe = (CliRunner().invoke(main, ["rank", str(given), *options]) for given in (file, pipe(text)))
    assert (from_pipe.exit_code, from_pipe.stdout) == (from_file.exit_code, from_file.stdout) != (3, "")


# One table, many ways


def ways(frame: pd.DataFrame) -> dict[str, Any]:
    """Return a table as a file of each kind, and as a frame of each engine."""
    parquet = io.BytesIO()
    frame.to_parquet(parquet, index=False)
    parquet.seek(0)
    return {
        "csv": io.StringIO(frame.to_csv(index=False)), "json": io.StringIO(frame.to_json(orient="records")),
        "lines": io.StringIO(frame.to_json(orient="records", lines=True)), "parquet": parquet,
        "polars": pl.from_pandas(frame), "arrow": pl.from_pandas(frame).to_arrow(), "pandas": frame,
        "columns": frame.to_dict("list"), "records": frame.to_dict("records"),
    }  # fmt: skip


@pytest.mark.parametrize(("names", "expected"), [
    ([" unet", "segnet ", "fcn"], ("unet", "segnet", "fcn")), ([7, 8, 9], ("7", "8", "9")), (["1.0", "1.1", "2"], ("1.0", "1.1", "2")),
    (["=a", "+b", "-c"], ("=a", "+b", "-c")), (["Nele", "Zoë", "日本"], ("Nele", "Zoë", "日本")),
])  # fmt: skip
def test_names_and_numbers_mean_the_same_in_every_kind_of_table(names: list[Any], expected: tuple[str, ...]) -> None:
    rows = {"tn": [50, 45, 40], "fp": [10, 15, 20], "fn": [5, 2, 1], "tp": [35, 38, 39]}
    for way, given in ways(pd.DataFrame({"model": names, **rows})).items():
        P = rs.read(given)
        assert (P.names, P.counts.tolist()) == (expected, [list(row) for row in zip(*rows.values(), strict=True)]), way


def test_whole_numbers_name_alike_whatever_their_type() -> None:
    rows = {"tn": [50, 45], "fp": [10, 15], "fn": [5, 2], "tp": [35, 38]}
    for names in ([1.0, 2.0], [1, 2], pd.array([1, 2], dtype="Int64")):
        frame = pd.DataFrame({"model": names, **rows})
        assert rs.read(frame).names == rs.read(frame.to_dict("records")).names == ("1", "2")


# Headers that are no texts


def test_frames_with_numbers_and_pairs_as_headers() -> None:
    pairs = pd.MultiIndex.from_product([["tn", "fp", "fn", "tp"], ["sum"]])
    frame = pd.DataFrame([[50, 10, 5, 35], [45, 15, 2, 38]], index=["a", "b"], columns=pairs)
    with pytest.raises(rs.DataError, match='"tn sum"'):
        rs.read(frame)
    frame.columns = pd.MultiIndex.from_product([["tn", "fp", "fn", "tp"], [""]])
    assert (rs.read(frame).names, rs.read(frame).counts.tolist()) == (("a", "b"), [[50, 10, 5, 35], [45, 15, 2, 38]])
    with_number = pd.DataFrame(
        {"model": ["a", "b"], 2024: [1, 2], "tn": [5, 4], "fp": [1, 2], "fn": [2, 2], "tp": [3, 4]}
    )
    assert rs.read(with_number).names == ("a", "b")
    for odd in (pd.DataFrame([[1, 2, 3, 4]]), pd.DataFrame([[1, 2, 3, 4]], columns=list(range(4)))):
        with pytest.raises(rs.DataError, match="no columns tn, fp, fn, tp"):
            rs.read(odd)
    labels = pd.DataFrame({0: [0, 1, 1, 0], 1: [0, 1, 0, 0]})
    assert rs.count(labels, truth="0", prediction="1").counts.tolist() == [[2, 0, 1, 1]]
    twice = pd.DataFrame([[1, 2]], columns=[1, "1"])
    with pytest.raises(rs.DataError, match="the data frame cannot be used"):
        rs.read(twice)


def test_a_line_that_is_taken_and_not_read_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    reader: Any = csv.reader

    class Careless:
        def __init__(self, lines: Iterator[str], **how: Any) -> None:
            next(lines)
            self.rows = reader(lines, **how)

        def __iter__(self) -> Iterator[list[str]]:
            return iter(self.rows)

        @property
        def line_num(self) -> int:
            return int(self.rows.line_num)

    monkeypatch.setattr("csv.reader", Careless)
    with pytest.raises(rs.DataError, match="3 of 4 lines were read: a row would be lost"):
        rs.read(io.StringIO('"a first line, which is lost"\n' + COUNTS.partition("c,")[0]))
    monkeypatch.undo()
    assert len(rs.read(io.StringIO("sep=,\n\n" + COUNTS + "\n\n"))) == 3
