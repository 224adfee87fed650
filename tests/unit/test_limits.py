"""What is packed, nested or long has a limit with a clear error, and takes no more steps than it has to."""

import bz2
import gzip
import io
import json
import lzma
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import rankscape as rs
from rankscape.cli import main
from rankscape.io import sheets
from rankscape.io.markup import MOST_SIGNS
from rankscape.published.rates import score_of

TABLE = "entity,tn,fp,fn,tp\na,1,2,3,4\n"


def calls_of(work: Callable[[], object]) -> int:
    """How many functions of Python a piece of work calls, and lines it runs: the same on every machine."""
    count = 0

    def step(frame: object, event: str, argument: object) -> Callable[..., object]:
        nonlocal count
        count += 1
        return step

    sys.settrace(step)
    try:
        work()
    except rs.RankscapeError:
        pass
    finally:
        sys.settrace(None)
    return count


def test_a_packed_file_unpacks_up_to_a_size_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "ALWAYS_UNPACKED", 10_000)
    text = (TABLE + "b,1,2,3,4\n" * 100_000).encode()
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text))
    with zipfile.ZipFile(tmp_path / "t.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", text)
    for name in ("t.csv.gz", "t.zip"):
        with pytest.raises(rs.DataError, match="unpacks to more than .* MB: unpack it yourself"):
            rs.read(tmp_path / name)
    (tmp_path / "small.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    assert rs.read(tmp_path / "small.csv.gz").counts.tolist() == [[1, 2, 3, 4]]
    for name, packed in (("t.bz2", bz2.compress(text)), ("t.xz", lzma.compress(text))):
        (tmp_path / name).write_bytes(packed)
        with pytest.raises(
            rs.DataError, match="packed with (bzip2|xz): save the table as CSV, JSON or Parquet, perhaps packed"
        ):
            rs.read(tmp_path / name)


@pytest.mark.parametrize("number", ["1e999999999999999999999", "1e999999999", "9" * 5000, "1e-99999999999999999999"])
def test_numbers_that_fill_the_memory_end_in_one_sentence(number: str, tmp_path: Path) -> None:
    texts = {
        "t.json": f'[{{"tn":{number},"fp":1,"fn":1,"tp":1}}]',
        "t.csv": f"tn,fp,fn,tp\n{number},1,1,1\n",
        "t.md": f"|m|tn|fp|fn|tp|\n|-|-|-|-|-|\n|a|{number}|1|1|1|\n",
        "rates.csv": f"model,recall,precision,n\na,{number},0.5,100\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        status = 0
        try:
            main(["rank", str(tmp_path / name)], standalone_mode=False)
        except SystemExit as end:
            status = end.code
        except rs.RankscapeError:
            status = 3
        except Exception as error:  # click's own
            status = getattr(error, "exit_code", 70)
        assert status in (0, 2, 3), (name, number)


NESTED = {
    "JSON lists": "[" * 100_000,
    "JSON objects": '{"a":' * 100_000,
    "Markdown": "|m|tn|fp|fn|tp|\n|-|-|-|-|-|\n|" + "**a" * 3000 + "**|1|2|3|4|\n",
    "HTML": "<table><tr><th>m<th>tn<th>fp<th>fn<th>tp<tr><td>" + "<b>" * 3000 + "a" * 3000 + "<td>1<td>2<td>3<td>4</table>",
}  # fmt: skip


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_what_is_nested_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(rs.DataError) as caught:
        rs.read(io.StringIO(text))
    assert len(str(caught.value)) < 400


SIGNS = {
    "bars in a header": lambda n: f"entity,tn,fp,fn,tp,{'|' * n}\na,1,2,3,4,5\n",
    "words in a header": lambda n: f"entity,tn,fp,fn,tp,{'a.' * n}\na,1,2,3,4,5\n",
    "blanks in a rule": lambda n: f"|m|tn|fp|fn|tp|\n|-{' ' * n}|-|-|-|-|x\n|a|1|2|3|4|\n",
    "raised": lambda n: "<table><tr><td>" + "<sup>a</sup>" * n + "<td>1</table>",
    "cells": lambda n: "<table><tr>" + "<td>5" * n + "<tr>" + "<td>6" * n + "</table>",
}


@pytest.mark.parametrize("make", SIGNS.values(), ids=SIGNS)
def test_steps_grow_as_what_is_read(make: Callable[[int], str]) -> None:
    calls_of(lambda: rs.read(io.StringIO(make(40))))  # imports what it needs, once
    rs_read = [calls_of(lambda n=n: rs.read(io.StringIO(make(n)))) for n in (40, 400, 1600)]
    assert rs_read[2] - rs_read[1] < 6 * max(rs_read[1] - rs_read[0], 2000), rs_read


CELLS = ["case", *(f"m{i}" for i in range(800))]
WIDE: dict[str, Callable[[int], str]] = {
    "CSV": lambda n: "\n".join(",".join(row) for row in wide(n)),
    "JSON": lambda n: json.dumps([dict(zip(wide(n)[0], row, strict=True)) for row in wide(n)[1:]]),
    "HTML": lambda n: "<table>" + "".join("<tr>" + "".join(f"<td>{x}" for x in row) for row in wide(n)) + "</table>",
}


def wide(n: int) -> list[list[str]]:
    """Headers and two rows of right and wrong, with one column per model."""
    return [CELLS[: n + 1], ["q1", *"10" * (n // 2)], ["q2", *"01" * (n // 2)]]


@pytest.mark.some(2)
@pytest.mark.filterwarnings("ignore:read as right or wrong")
@pytest.mark.parametrize("make", WIDE.values(), ids=WIDE)
def test_no_list_of_headers_is_searched_once_for_each(make: Callable[[int], str]) -> None:
    searched = 0

    def step(frame: object, event: str, argument: object) -> None:
        nonlocal searched
        if event == "c_call" and getattr(argument, "__name__", "") in ("count", "index"):
            within = getattr(argument, "__self__", ())
            searched += len(within) if isinstance(within, (list, tuple)) else 0

    steps = []
    for n in (100, 800):
        text, searched = make(n), 0
        sys.setprofile(step)
        try:
            rs.read(io.StringIO(text))
        finally:
            sys.setprofile(None)
        steps.append(searched)
    assert steps[1] < 20 * 800, steps


class Compared(str):
    """A text that counts how often it is compared."""

    times = 0

    def __str__(self) -> str:
        return self

    def __eq__(self, other: object) -> bool:
        Compared.times += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


@pytest.mark.filterwarnings("ignore:read as right or wrong")
def test_headers_are_compared_in_few_steps() -> None:
    headers, first, second = wide(800)
    columns = {Compared(header): [x, y] for header, x, y in zip(headers, first, second, strict=True)}
    Compared.times = 0
    assert len(rs.read(columns)) == 800
    assert Compared.times < 60 * 800


def test_records_with_other_keys_each_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_HOLES", 10_000)
    records = [{"model": f"m{i}", "tn": 1, "fp": 2, "fn": 3, "tp": 4, f"key {i}": 1} for i in range(900)]
    with pytest.raises(rs.DataError, match=r"900 rows have 905 different keys, and 6 each on average"):
        rs.read(io.StringIO(json.dumps(records)))
    by_model = {f"m{i}": {f"key {i}": 1, "tn": 1} for i in range(900)}
    with pytest.raises(rs.DataError, match=r"900 rows have 902 different keys, and 3 each"):
        rs.read(io.StringIO(json.dumps(by_model)))
    assert len(rs.read(records[:400])) == 400


def test_a_header_that_is_no_score_is_looked_up_in_a_few_steps() -> None:
    assert score_of("warm up") is None
    assert calls_of(lambda: score_of("some other header")) < 3000


def test_a_long_cell_of_a_printed_table_is_refused() -> None:
    row = f"|m|tn|fp|fn|tp|\n|-|-|-|-|-|\n|{'a' * (MOST_SIGNS + 1)}|1|2|3|4|\n"
    with pytest.raises(
        rs.DataError, match=r'a cell of 2,001 signs starts with "aaaaaaaaaaaaaaaaaaaa"; expected at most 2,000'
    ):
        rs.read(io.StringIO(row))
    assert json.dumps(rs.read(io.StringIO(row.replace("a" * (MOST_SIGNS + 1), "b"))).names) == '["b"]'
