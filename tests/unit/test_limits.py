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
from rankscape.io import sources
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
    monkeypatch.setattr(sources, "ALWAYS_UNPACKED", 10_000)
    text = (TABLE + "b,1,2,3,4\n" * 100_000).encode()
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text))
    with zipfile.ZipFile(tmp_path / "t.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", text)
    for name in ("t.csv.gz", "t.zip"):
        with pytest.raises(rs.DataError, match="unpacks to more than .* MB.*: unpack it yourself, and give the file"):
            rs.read(tmp_path / name)
    (tmp_path / "small.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    assert rs.read(tmp_path / "small.csv.gz").counts.tolist() == [[1, 2, 3, 4]]
    for name, packed in (("t.bz2", bz2.compress(text)), ("t.xz", lzma.compress(text))):
        (tmp_path / name).write_bytes(packed)
        with pytest.raises(rs.DataError, match="expected no compression, or gz, zst or zip"):
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
    "LaTeX": r"\begin{tabular}{lrrrr} m & tn & fp & fn & tp \\ \midrule " + "{" * 3000 + "a" + "}" * 3000 + r" & 1 & 2 & 3 & 4 \\ \end{tabular}",
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
    "begins": lambda n: r"\begin{tabular}" * n,
    "raised": lambda n: "<table><tr><td>" + "<sup>a</sup>" * n + "<td>1</table>",
    "cells": lambda n: "<table><tr>" + "<td>5" * n + "<tr>" + "<td>6" * n + "</table>",
}


@pytest.mark.parametrize("make", SIGNS.values(), ids=SIGNS)
def test_steps_grow_as_what_is_read(make: Callable[[int], str]) -> None:
    rs_read = [calls_of(lambda n=n: rs.read(io.StringIO(make(n)))) for n in (40, 400, 1600)]
    assert rs_read[2] - rs_read[1] < 6 * max(rs_read[1] - rs_read[0], 2000), rs_read


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
