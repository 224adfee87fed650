"""The page of regressors: values and ranks are those of Python for every importance, and no name can do harm."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import HOSTILE, Opened
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.tasks import regression

RNG = np.random.default_rng(0)
TRUTH = RNG.gamma(2, 3, 60).round(2)
GUESSES = {f"r{i}": (TRUTH + RNG.normal(0, 1 + i / 4, 60)).round(2) for i in range(5)}
PAIRS = regression.evaluate(TRUTH, GUESSES | {"twin": GUESSES["r0"]})


def values(page: Opened, measure: int, steps: list[int]) -> dict[str, Any]:
    return page.run("([measure, steps]) => rankscape.set({ measure, steps })", [measure, steps])


def test_values_and_ranks_are_those_of_python(opened: Any) -> None:
    page = opened(PAIRS, draws=200)
    steps = page.run("rankscape.steps")
    edges = np.quantile(TRUTH, [0.25, 0.5, 0.75])
    for trial in range(20):
        chosen = RNG.integers(0, len(steps), 4).tolist() if trial else [4] * 4
        weights = np.array([steps[k] for k in chosen])
        for measure, kind in enumerate(("absolute", "root")):
            found = values(page, measure, chosen)
            by = regression.criterion(kind, importance=lambda y, w=weights: w[np.searchsorted(edges, y, side="right")])
            if not weights.any():
                continue
            ranking = rs.rank(PAIRS, by=by)
            assert found["values"] == pytest.approx(ranking.values.tolist())
            assert found["ranks"] == ranking.ranks.tolist()
    page.quiet()


def test_intervals_are_shown_only_where_all_cases_matter_alike(opened: Any) -> None:
    page = opened(PAIRS, draws=200)
    assert "P(first)" in page.page.inner_text("thead")
    values(page, 0, [4, 4, 4, 5])
    assert "P(first)" not in page.page.inner_text("thead")
    assert "press “all alike”" in page.page.inner_text(".note")
    page.page.get_by_role("button", name="all alike").click()
    assert "P(first)" in page.page.inner_text("thead")
    assert "weights=1,1,1,1" in page.page.url
    values(page, 0, [0, 0, 0, 0])
    assert "nothing can be ranked" in page.page.inner_text(".lead")
    assert "no draws" in opened(PAIRS, draws=0).page.inner_text(".note")


def test_names_are_text_and_nothing_leaves_the_page(opened: Any) -> None:
    pairs = regression.evaluate(TRUTH, dict.fromkeys(HOSTILE, TRUTH))
    page = opened(pairs, draws=100)
    page.quiet()
    assert len(page.page.locator("tbody tr").all()) == len(HOSTILE)


@pytest.mark.skipif(
    not Path(os.environ.get("RANKSCAPE_AXE", "-")).is_file(),
    reason="RANKSCAPE_AXE names no axe.min.js: accessibility is not checked",
)
def test_axe_finds_nothing_serious(opened: Any) -> None:
    page = opened(PAIRS, draws=100)
    page.page.evaluate(Path(os.environ["RANKSCAPE_AXE"]).read_text("utf-8"))
    result = page.page.evaluate("axe.run()")
    assert [one["id"] for one in result["violations"] if one["impact"] in ("serious", "critical")] == []


def test_what_regressors_have_not_is_refused(tmp_path: Path) -> None:
    for idle in ({"weights": "size"}, {"shift_prior": 0.1}, {"resample": "domains"}):
        with pytest.raises(rs.UsageError, match="would change nothing: regressors have no domains"):
            rs.explore(PAIRS, tmp_path / "x.html", **idle)  # type: ignore[arg-type]
    with pytest.raises(rs.UsageError, match="needs a file"):
        rs.explore(PAIRS)


def test_the_command_writes_it(tmp_path: Path) -> None:
    table = tmp_path / "values.csv"
    table.write_text("y,a,b\n" + "".join(f"{y},{y + 1},{y - 2}\n" for y in range(9)))
    line = ["explore", str(table), "--truth", "y", "--prediction", "a", "--prediction", "b", "--task", "regression"]
    result = CliRunner().invoke(main, [*line, "--by", "rmse", "--draws", "100", "-o", str(tmp_path / "page.html")])
    assert result.exit_code == 0, result.output
    assert "root mean squared error" in (tmp_path / "page.html").read_text().lower()
