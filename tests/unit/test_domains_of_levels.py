"""Several columns make the domain of predictions: the same names in every engine and file, whatever the parts hold."""

from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from engine_tables import SOURCES, pd

import rankscape as rs
from rankscape.cases import joint
from rankscape.checks.names import domain_text
from rankscape.cli import main

KINDS = ["a/b", "c\\", "\\/", "ü'\"", "00"]
LEVELS = ["kind", "size", "night"]
HOW = {"truth": "y", "entity": "model", "case": "case", "domain": LEVELS}
FRAME = pd.DataFrame(
    [
        {"kind": kind, "size": size, "night": night, "case": f"{i}{y}{p}", "model": model, "y": y, "p": p}
        for i, (kind, size, night) in enumerate(product(KINDS, [0.5, 2.5], [False, True]))
        for (y, p), model in product([(0, 0), (1, 0), (1, 1)], "uv")
    ]
)
NAMES = {domain_text(list(map(str, parts))) for parts in product(KINDS, [0.5, 2.5], [False, True])}


SLOW = ("dask", "ibis", "sqlframe")


@pytest.mark.some(3)
@pytest.mark.parametrize(
    "source",
    [pytest.param(name, marks=pytest.mark.nightly) if name in SLOW else name for name in SOURCES],
)
def test_every_engine_and_file_gives_the_same_domains(source: str, tmp_path: Path) -> None:
    table = SOURCES[source](FRAME, tmp_path)
    P = rs.count(table, prediction="p", **HOW)
    assert P.domains is not None
    assert ({*P.domains}, P.counts.tolist()) == (NAMES, [[1, 0, 1, 1]] * 2 * len(NAMES))
    Q = joint(table, prediction="p", **HOW)
    assert (Q.performances.domains, [units.size.sum() for units in Q.units]) == (P.domains, [3] * len(NAMES))
    if source in ("CSV", "pandas", "duckdb"):
        assert {*(rs.sweep(table, score="p", **HOW)["u"].performances.domains or NAMES)} == NAMES


@pytest.mark.parametrize("library", ["pandas", "polars", "duckdb", "CSV"])
def test_a_part_that_is_missing_or_blank_leaves_no_domain(library: str, tmp_path: Path) -> None:
    frame = FRAME.head(6).assign(size=[1.0, 1.0, None, None, 2.0, 2.0], kind=["a", "a", "a", "a", " ", " "])
    with pytest.raises(rs.DataError, match="in 4 of 6 rows the name of the domain is missing"):
        rs.count(SOURCES[library](frame, tmp_path), truth="y", prediction="p", entity="model", domain=["kind", "size"])


def test_whole_numbers_are_named_as_one_column_names_them() -> None:
    table = FRAME.head(2).assign(size=[3.0, 3.0])
    P = rs.count(table, truth="y", prediction="p", entity="model", domain=["size", "kind"])
    assert P.domains == ("3/a\\/b",) * 2


@pytest.mark.parametrize("levels", [["kind", "kind"], []])
def test_levels_are_different_columns(levels: list[str]) -> None:
    with pytest.raises(rs.UsageError, match="names the columns of a hierarchy; expected different ones"):
        rs.count(FRAME, truth="y", prediction="p", domain=levels)


def test_dates_may_be_levels() -> None:
    dates = FRAME.assign(size=pd.Timestamp("2026-01-01"))
    P = rs.count(dates, truth="y", prediction="p", entity="model", domain=["kind", "size"])
    assert {domain.rpartition("/")[2] for domain in P.domains} == {"2026-01-01 00:00:00"}


def test_the_command_line_weighs_levels_of_predictions(tmp_path: Path) -> None:
    rows = [
        (kind, video, f"{kind}{video}{case}", model, case % 2, (case + (model == "v" and kind == "x")) % 2)
        for kind, video in [("x", 1), ("y", 1), ("y", 2), ("y", 3)] for case in range(4) for model in "uv"
    ]  # fmt: skip
    path = tmp_path / "t.csv"
    pd.DataFrame(rows, columns=["kind", "video", "case", "model", "y", "p"]).to_csv(path, index=False)
    levels = ["--domain-column", "kind", "--domain-column", "video"]
    options = ["--truth", "y", "--prediction", "p", "--entity-column", "model", "--case", "case", *levels]

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(main, [arguments[0], str(path), *options, *arguments[1:]])
        assert result.exit_code == 0, result.output
        return result.output

    for more in ([], ["--uncertainty", "--draws", "100"]):
        assert "x/1 50.0 %, y/1 16.7 %" in " ".join(run("rank", "--weights", "hierarchical", *more).split())
    assert "averaged over 4 domains" in run("rank", "--task", "clustering")
    assert "x/1,u,2,0,0,2" in run("count")
    rates = tmp_path / "rates.csv"
    rates.write_text("kind,video,model,sensitivity,specificity\nx,1,u,0.8,0.9\nx,1,v,0.7,0.9\n")
    refused = CliRunner().invoke(main, ["rank", str(rates), *levels])
    assert (refused.exit_code, "FILE has printed rates, of one column of domains" in refused.output) == (2, True)
