"""The tables of the page "The papers reproduced" are what the scripts of the papers compute today."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "papers"
NEAR = 1e-9  # what is shown has ten digits, or is a difference from 0 that is rounding


@pytest.fixture(scope="module")
def maker(load: Callable[[str], ModuleType]) -> Iterator[ModuleType]:
    for name in ("foundations", "tile", "optimal_tradeoff"):
        load(name)
    before = list(sys.path)
    spec = importlib.util.spec_from_file_location("docs_papers", PAGE / "make_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path[:] = before


def same(shown: str, computed: str) -> bool:
    """Tell whether two cells agree: text exactly, numbers within what is shown."""
    if shown == computed:
        return True
    try:
        return abs(number(shown) - number(computed)) <= NEAR * max(1, abs(number(shown)))
    except ValueError:
        return False


def number(text: str) -> float:
    return 0.0 if text == "below 1e-12" else float(Fraction(text))


def different(written: Any, computed: Any) -> list[str]:
    """Rows that are not the same in both, by what they are about."""
    found = []
    for shown, now in zip(written, computed, strict=True):
        if shown[:2] != now[:2] or shown[3] != now[3] or not same(shown[2], now[2]):
            found.append(f"{shown} is now {now}")
    return found


def test_a_row_that_changed_is_found() -> None:
    row = ("a", "0.5", "0.4999999999", "printed")
    assert different([row], [("a", "0.5", "0.49999999994", "printed")]) == []
    assert len(different([row], [("a", "0.5", "0.4999", "printed")])) == 1
    assert len(different([row], [("a", "0.5", "0.4999999999", "exact")])) == 1
    assert len(different([("a", "1", "yes", "exact")], [("a", "1", "no", "exact")])) == 1
    assert same("below 1e-12", "3e-14")


@pytest.mark.nightly  # the values themselves are tested each time, in the other modules here
def test_the_rows_of_the_foundations(maker: ModuleType) -> None:
    assert different(maker.written(PAGE / "foundations.csv"), maker.rows(maker.of_the_foundations())) == []


@pytest.mark.nightly
def test_the_rows_of_the_tile(maker: ModuleType) -> None:
    assert different(maker.written(PAGE / "tile.csv"), maker.rows(maker.of_the_tile())) == []


@pytest.mark.nightly
def test_the_rows_of_the_tradeoff_that_need_no_data(maker: ModuleType, tmp_path: Path) -> None:
    computed = maker.rows(maker.of_the_tradeoff(tmp_path))
    assert len(computed) > 70
    about = {row[0] for row in computed}
    written = [row for row in maker.written(PAGE / "optimal_tradeoff.csv") if row[0] in about]
    assert different(written, computed) == []


def test_the_rows_of_the_tradeoff_on_real_performances(maker: ModuleType, shared_data: Path) -> None:
    script = importlib.import_module("optimal_tradeoff")
    data = script.Data(shared_data)
    computed = maker.rows(script.FIGURES["fig3"](data)[1] + script.FIGURES["figA2.2"](data)[1])
    about = {row[0] for row in computed}
    written = [row for row in maker.written(PAGE / "optimal_tradeoff.csv") if row[0] in about]
    assert len(written) > 15
    assert different(written, computed) == []


def test_what_differs_is_listed(maker: ModuleType) -> None:
    every = [row for name in ("foundations", "tile", "optimal_tradeoff") for row in maker.written(PAGE / f"{name}.csv")]
    assert maker.written(PAGE / "differs.csv") == [row for row in every if row[3].startswith("differs")]
    assert {row[3].partition(" ")[0] for row in every} == {"exact", "printed", "follows", "differs"}
    assert not {row[1] for row in every} & {"yes", "no"}  # the column "printed" has what a paper prints
    assert all(row[1] or row[3] == "follows" or row[3].startswith("differs") for row in every)
