"""The page of regressors: values and ranks are those of Python whatever bands of true values weigh."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import HOSTILE, Opened
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.explorer.explore import bands
from rankscape.tasks import regression

RNG = np.random.default_rng(0)
TRUTH = RNG.gamma(2, 3, 60).round(2)
GUESSES = {f"r{i}": (TRUTH + RNG.normal(0, 1 + i / 4, 60)).round(2) for i in range(3)}
REVERSED = 2 * TRUTH - GUESSES["r0"]  # its errors are those of r0, nearly: floats decide as what they are
PAIRS = regression.evaluate(TRUTH, GUESSES | {"twin": GUESSES["r0"], "reversed": REVERSED})


def weighed(page: Opened, weights: list[float]) -> dict[str, Any]:
    """Give the bands weights; return the values and ranks by name."""
    page.run("(weights) => rankscape.set({ weights })", weights)
    page.settle()
    return page.run(
        """() => { const { ranking, set, data } = rankscape.view();
        return Object.fromEntries(set.rows.map((row, i) => [data.entities[row], [ranking.value[i], ranking.low[i]]])); }"""
    )


@pytest.mark.parametrize("kind", ["absolute", "root", "squared", "within"])
def test_values_and_ranks_are_those_of_python_whatever_the_bands_weigh(opened: Any, kind: str) -> None:
    by = regression.criterion(called := "within(1.5)" if kind == "within" else kind)
    page = opened(PAIRS, draws=200, by=by)
    text = page.page.inner_text
    assert "P(first)" in text("thead >> nth=0")
    edges, labels = bands(TRUTH)
    part = np.searchsorted(edges, TRUTH, side="right")
    sizes = np.bincount(part)
    shown = weighed(page, sizes.tolist())
    intervals = rs.uncertainty.rank_intervals(PAIRS, by, draws=200)
    known = page.run(
        "[...rankscape.view().sure().entries()].map(([i, one]) => [i, one.from, one.to, one.low, one.high])"
    )
    table = intervals.table()
    for i, low, high, first, last in known:
        row = table["entity"].index(PAIRS.names[i])
        assert [low, high] == pytest.approx([table["value_low"][row], table["value_high"][row]], rel=1e-5)
        assert [first, last] == [table["low"][row], table["high"][row]]
    for weights in [sizes, *RNG.integers(0, 5, (8, len(labels)))]:
        if not weights.any():
            continue
        importance = (weights / sizes)[part]
        ranking = rs.rank(PAIRS, by=regression.criterion(called, importance=importance))
        shown = weighed(page, weights.tolist())
        for name, value, (low, _) in zip(ranking.names, ranking.values, ranking.bounds, strict=True):
            assert shown[name][0] == pytest.approx(value, abs=1e-12)
            assert shown[name][1] == low or kind != "within"  # importances of floats split what is tied exactly
    assert set(page.page.locator("td.first").all_inner_texts()) == {"–"}
    assert "How sure this is" in text(".sure")
    page.page.get_by_role("button", name="as opened").click()
    page.settle()
    assert "How sure" not in text(".sure")
    page.quiet()


def test_hostile_names_and_numbers_are_only_shown(opened: Any) -> None:
    huge = TRUTH * 1e150
    pairs = regression.evaluate(huge, {name: huge * (1 + i / 8) for i, name in enumerate(HOSTILE)})
    page = opened(pairs, "#score=x&weights=a", viewport={"width": 390, "height": 844}, by="mae", draws=0)
    assert len(page.page.locator(".board tbody tr").all()) == len(HOSTILE)
    assert page.run("document.documentElement.scrollWidth") == 390
    values = page.run("Array.from(rankscape.view().ranking.value)")
    assert values == pytest.approx(rs.rank(pairs, by="mae").values.tolist())
    assert "e+" in page.page.inner_text(".board tbody")
    assert all(said.startswith("") for said in page.said)


def test_pages_are_written_or_refused(tmp_path: Path) -> None:
    table = tmp_path / "values.csv"
    table.write_text("y,a,b\n" + "".join(f"{y},{y + 1},{y - 2}\n" for y in range(9)))
    line = f"--truth y --prediction a --prediction b --task regression --by rmse --draws 100 -o {tmp_path}/".split()
    for command, name in (("explore", "page.html"), ("report", "card.html")):
        result = CliRunner().invoke(main, [command, str(table), *line[:-1], line[-1] + name])
        assert result.exit_code == 0, result.output
        assert "root mean squared error" in (tmp_path / name).read_text("utf-8")
    for idle, said in (
        ({"weights": "size"}, "name no domains"),
        ({"shift_prior": 0.1}, "a shift of the prior is defined for two-class"),
        ({"resample": "domains"}, "needs two domains"),
    ):
        with pytest.raises(rs.UsageError, match=said):
            rs.explore(PAIRS, tmp_path / "x.html", **idle)  # type: ignore[arg-type]
    with pytest.raises(rs.UsageError, match="a function is no score of pairs"):
        rs.explore(PAIRS, tmp_path / "x.html", by=regression.criterion(np.negative))  # type: ignore[arg-type]
    assert not (tmp_path / "x.html").exists()
