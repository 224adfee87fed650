"""Tables and the CSV that they write."""

import io
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.results import Table, without_guard

FORMULAS = {
    "=HYPERLINK(1)": "'=HYPERLINK(1)",
    "+1": "'+1",
    "-1 model": "'-1 model",
    "@SUM": "'@SUM",
    "'=x": "''=x",
    "''+a": "'''+a",
    "  =x": "'=x",
}
HARMLESS = ["plain", "'quoted'", "'", "a=b", "\N{MINUS SIGN}1", "#1", ""]


def test_a_text_that_is_a_formula_goes_out_behind_an_apostrophe() -> None:
    table = Table({"=entity": [*FORMULAS, *HARMLESS], "-value": [-1.5] * len(FORMULAS) + [-2] * len(HARMLESS)})
    header, *rows = table.to_csv().splitlines()
    assert header == "=entity,-value"
    assert [row.rpartition(",")[0] for row in rows] == [*FORMULAS.values(), *HARMLESS]
    assert {row.rpartition(",")[2] for row in rows} == {"-1.5", "-2"}
    assert [without_guard(text) for text in FORMULAS.values()] == [text.strip() for text in FORMULAS]
    assert [without_guard(text) for text in HARMLESS] == HARMLESS


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_apostrophe_is_taken_off_where_text_is_read(separator: str) -> None:
    names = [name.strip() for name in FORMULAS]
    performances = rs.Performances.from_counts(np.ones((7, 4), dtype=int), names=names, domains=names[::-1])
    text = performances.table().to_csv().replace(",", separator)
    back = rs.read(io.StringIO(text))
    assert (back.names, back.domains) == (performances.names, performances.domains)


def test_names_that_never_were_in_a_csv_file_stay_as_they_are() -> None:
    performances = rs.Performances.from_counts([[1, 2, 3, 4]], names=["'=x"])
    assert rs.read(performances).names == rs.read(performances.frame()).names == ("'=x",)
    assert rs.read(io.StringIO('[{"entity": "\'=x", "tn": 1, "fp": 2, "fn": 3, "tp": 4}]')).names == ("'=x",)


def test_the_command_line_writes_no_formula(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("entity,tn,fp,fn,tp\n=HYPERLINK(1),50,10,5,35\n@b,45,15,2,38\n", "utf-8")
    done = CliRunner().invoke(main, ["rank", str(tmp_path / "r.csv"), "--format", "csv"])
    assert done.exit_code == 0, done.stderr
    assert "'=HYPERLINK(1)" in done.stdout
    assert "\n=" not in done.stdout
    assert ",=" not in done.stdout
    assert "'@b" in done.stdout
