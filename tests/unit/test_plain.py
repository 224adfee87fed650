"""Plain tables are read and counted at once: the same numbers as cell by cell, and what is odd is left to that."""

import io
import random

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankscape as rs
from rankscape.io import cells

COUNTS = ("0", "1", "12", "007", "123456789012345678", "1.0", "3.", "1e2", "+4", " 5", "12345678", "999999999999999999")
SHARES = (
    "0.25",
    "0.250",
    ".25",
    "25e-2",
    "0.2500000000000000001",
    "0.5",
    "0",
    "1",
    "0.125",
    "0.0",
    "1.000",
    "0.1",
    "0.7",
    "0.15",
)
ODD = (
    "",
    "-1",
    "-0",
    "nan",
    "n/a",
    "1_0",
    "0x1",
    "1,5",
    "1.234",
    "−5",
    "−0",
    "1e400",
    "1e30",
    "1e-40",
    "٣",
    "12345678901234567890",
    "1.5e-22",
    "5%",
    "0.30000000000000000000000000001",
)
NAMES = ("a", "é", "m 1", " b ", '"q""uoted"', "'=1+1", '""', "1", "\xa0c", '"x,y"', '"  "', '"two\nlines"', "模型")


def random_table(draw: random.Random) -> str:
    separator = draw.choice(",,,;\t|")
    end = draw.choice(("\n", "\n", "\r\n"))
    headers = draw.sample(["tn", "fp", "FN", "True Positives"], 4)
    names = [["model"], ["model", "dataset"], ["", "note"], ["run"], []][draw.choice((0, 0, 0, 1, 1, 2, 3, 4))]
    rows = [[*names, *headers]]
    quoting = draw.choice(("{}", "{}", '"{}"'))
    odd, kind = draw.choice((0, 0, 0, 0.05)), draw.choice((COUNTS, COUNTS[:4], SHARES))
    for i in range(draw.randint(0, 6)):
        cells = [draw.choice(NAMES) if draw.random() < 0.4 else f"n{i}" for _ in names]
        numbers = [draw.choice(ODD) if draw.random() < odd else draw.choice(kind) for _ in headers]
        if kind is SHARES and draw.random() < 0.8:
            numbers = draw.choice(
                (
                    ["0.25", "0.250", ".25", "25e-2"],
                    ["0.1", "0.7", "0.15", "0.05"],
                    ["0.30000000000000004", "0.2", "0.1", "0.4"],
                    ["0.123456789012345678", "0.376543210987654322", "0.5", "0"],
                    ["0", "0.000", "1.0", "0"],
                    ["0.125", "0.125", "0.250", "0.500"],
                    ["0.0012345678901234567", "0.9987654321098765433", "0", "0e5"],
                )
            )
        rows.append([*cells, *(quoting.format(number) for number in numbers)])
    text = end.join(separator.join(row) for row in rows) + draw.choice((end, "", end * 2))
    return draw.choice(("", "", "", "\ufeff", f"sep={separator}{end}")) + text


def everything(source: object) -> object:
    try:
        P = rs.read(source)
    except rs.RankscapeError as error:
        return str(error)
    parts = [
        None if x is None else (x.dtype, x.tolist(), [type(v) for v in x.ravel()]) for x in (P.counts, P.mass, P.exact)
    ]
    return P.names, P.domains, repr(parts), P.integers.tolist()


def looking_at_each_cell(patch: pytest.MonkeyPatch) -> None:
    """Have numbers read cell by cell."""
    patch.setattr(cells, "_plain_numbers", lambda column, points_are_decimal: None)


@pytest.mark.parametrize("tables", [400, pytest.param(2000, marks=pytest.mark.nightly)])
def test_tables_read_at_once_are_those_read_cell_by_cell(tables: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(0)
    ways, at_once = [], cells._plain_numbers

    def noted(*given: object) -> object:
        found = at_once(*given)
        ways.append(found is not None)
        return found

    for _ in range(tables):
        text = random_table(draw)
        source: object = text.encode(draw.choice(("utf-8", "utf-8", "utf-16"))) if draw.random() < 0.5 else text

        def opened(source: object = source) -> object:
            return io.BytesIO(source) if isinstance(source, bytes) else io.StringIO(str(source), newline="")

        with monkeypatch.context() as patch:
            patch.setattr(cells, "_plain_numbers", noted)
            quick = everything(opened())
        with monkeypatch.context() as patch:
            looking_at_each_cell(patch)
            assert quick == everything(opened()), text
    assert sum(ways) > tables / 20
    assert len(ways) - sum(ways) > tables / 20


@pytest.mark.some(2)
@pytest.mark.parametrize("library", ["mapping", "pandas", "polars", "pyarrow"])
def test_columns_of_frames_are_read_at_once_to_the_bit(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(1)
    quickly = 0
    for _ in range(300):
        n = draw.randint(1, 4)
        kinds = (
            lambda: draw.choice((0, 1, 7, 10**6)),
            lambda: draw.choice((0.0, -0.0, 3.0, 2.0**40)),
            lambda: draw.choice((0.25, 0.75, 0.0, 1.0, 0.5)),
            lambda: draw.choice((1, 0.5, -1, None, float("nan"), 2**70, True, "5")),
        )
        columns: dict[str, object] = {
            "model": [draw.choice(("a", "b ", "c", "d", "", 5)) if draw.random() < 0.1 else f"m{i}" for i in range(n)]
        }
        kind = draw.choice((0, 0, 1, 2, 2))
        for outcome in ("tn", "fp", "fn", "tp"):
            cell = kinds[3 if draw.random() < 0.05 else kind]
            columns[outcome] = [cell() for _ in range(n)]
        if kind == 2 and draw.random() < 0.7:
            columns |= {"tn": [0.25] * n, "fp": [0.5] * n, "fn": [0.0] * n, "tp": [0.25] * n}
        try:
            source: object = {"mapping": dict, "pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}[
                library
            ](columns)
        except (TypeError, OverflowError, pa.ArrowInvalid, pa.ArrowTypeError):
            continue
        quick = everything(source)
        with monkeypatch.context() as patch:
            looking_at_each_cell(patch)
            assert quick == everything(source), columns
        quickly += isinstance(quick, tuple)
    assert quickly > 60


def test_a_large_plain_table_is_not_looked_at_cell_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "_number", None)
    rows = "".join(f'model {i},"d,{i % 7}",{i},{i * i},0{i},{10**17 + i}\n' for i in range(3000))
    P = rs.read(io.StringIO("entity,domain,tn,fp,fn,tp\n" + rows))
    assert P.names[::1000] == ("model 0", "model 1000", "model 2000")
    assert P.domains is not None
    assert P.domains[:2] == ("d,0", "d,1")
    assert P.counts is not None
    assert P.counts[2999].tolist() == [2999, 2999**2, 2999, 10**17 + 2999]
    shares = "".join(f"model {i},0.{i:017},0.5,{0.5 - i / 10**17!r},0.00000000000000000001\n" for i in range(3000))
    Q = rs.read(io.StringIO("entity,tn,fp,fn,tp\n" + shares))
    assert Q.exact is not None
    assert Q.exact[77].tolist() == [77000, 5 * 10**19, 49999999999999920000, 1]


def test_two_names_that_differ_are_not_refused_though_their_hashes_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.hash", lambda value: 1)
    P = rs.Performances.from_counts([[1, 1, 1, 1]] * 2, names=["a", "b"], domains=["x", "x"])
    assert P.names == ("a", "b")
    with pytest.raises(rs.DataError, match='entity "a" on domain "x" occurs 2 times'):
        rs.Performances.from_counts([[1, 1, 1, 1]] * 2, names=["a", "a"], domains=["x", "x"])


def test_a_mask_is_not_overlooked() -> None:
    """An array with a mask is read cell by cell, as a missing number."""
    masked = np.ma.masked_array([5, 7], mask=[1, 0])
    with pytest.raises(rs.DataError, match="row 1"):
        rs.read({"tn": masked, "fp": [1, 2], "fn": [1, 2], "tp": [1, 2]})
