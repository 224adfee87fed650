"""The page of regressors: values and ranks are those of Python for every importance, and no name can do harm."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import HOSTILE, Opened
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.explorer.regression import bands
from rankscape.tasks import regression

RNG = np.random.default_rng(0)
TRUTH = RNG.gamma(2, 3, 60).round(2)
GUESSES = {f"r{i}": (TRUTH + RNG.normal(0, 1 + i / 4, 60)).round(2) for i in range(3)}
REVERSED = 2 * TRUTH - GUESSES["r0"]  # its errors are those of r0, nearly: floats decide as what they are
PAIRS = regression.evaluate(TRUTH, GUESSES | {"twin": GUESSES["r0"], "reversed": REVERSED})


def chosen(page: Opened, measure: int, steps: list[int]) -> dict[str, Any]:
    return page.run("([measure, steps]) => rankscape.set({ measure, steps })", [measure, steps])


def test_values_and_ranks_are_those_of_python_and_the_link_keeps_the_state(opened: Any) -> None:
    page = opened(PAIRS, draws=200)
    text = page.page.inner_text
    assert "P(first)" in text("thead >> nth=0")
    tenths = np.array(page.run("rankscape.tenths"))
    edges, _ = bands(TRUTH)
    for _ in range(10):
        steps = RNG.integers(0, len(tenths), 4)
        for measure, kind in enumerate(("absolute", "root")):
            page_says = chosen(page, measure, steps.tolist())
            weights = tenths[steps]
            by = regression.criterion(kind, importance=lambda y, w=weights: w[np.searchsorted(edges, y, side="right")])
            ranking = rs.rank(PAIRS, by=by)
            assert page_says["values"] == pytest.approx(ranking.values.tolist(), nan_ok=True)
            assert page_says["ranks"] == pytest.approx(ranking.ranks.tolist(), nan_ok=True)
    chosen(page, 1, [4, 4, 4, 5])
    page.settle()
    assert page.page.url.endswith("#error=1&weights=1,1,1,2")
    assert set(page.page.locator("td.first").all_inner_texts()) == {"–"}
    assert "How sure this is" in text(".sure")
    page.page.get_by_role("button", name="All alike").click()
    assert "%" in text("td.first >> nth=0")
    assert "How sure" not in text(".sure")
    page.page.get_by_role("slider").first.press("ArrowLeft")
    page.settle()
    assert page.page.url.endswith("#error=1&weights=0.5,1,1,1")
    chosen(page, 0, [0, 0, 0, 0])
    assert "nothing can be ranked" in text(".lead")
    page.run("location.hash = 'error=1&weights=0.5,2,1,1'")
    page.until("document.querySelector('.lead').textContent.includes('root mean squared')")
    assert page.page.locator("output").all_inner_texts() == ["0.5 ×", "2 ×", "1 ×", "1 ×"]
    page.quiet()


def test_hostile_names_and_numbers_are_only_shown(opened: Any) -> None:
    huge = TRUTH * 1e250
    pairs = regression.evaluate(huge, {name: huge * (1 + i / 8) for i, name in enumerate(HOSTILE)})
    page = opened(pairs, "#error=x&weights=a", viewport={"width": 390, "height": 844}, by="rmse", draws=0)
    assert len(page.page.locator(".board tbody tr").all()) == len(HOSTILE)
    assert page.run("document.documentElement.scrollWidth") == 390
    found = chosen(page, 0, [4] * 4)
    assert found["values"] == pytest.approx(rs.rank(pairs, by="rmse").values.tolist())
    page.quiet()


def test_pages_are_written_or_refused(tmp_path: Path) -> None:
    table = tmp_path / "values.csv"
    table.write_text("y,a,b\n" + "".join(f"{y},{y + 1},{y - 2}\n" for y in range(9)))
    line = f"--truth y --prediction a --prediction b --task regression --by rmse --draws 100 -o {tmp_path}/".split()
    for command, names in (("explore", ["page.html"]), ("report", ["card.html", "--explorer", "page.html"])):
        (tmp_path / "page.html").unlink(missing_ok=True)
        given = [command, str(table), *line[:-1], line[-1] + names[0], *names[1:]]
        result = CliRunner().invoke(main, given)
        assert result.exit_code == 0, result.output
        assert '"root mean squared error"' in (tmp_path / "page.html").read_text("utf-8")
    assert 'href="page.html"' in (tmp_path / "card.html").read_text("utf-8")
    for idle in ({"weights": "size"}, {"shift_prior": 0.1}, {"resample": "domains"}):
        with pytest.raises(rs.UsageError, match="would change nothing: regressors have no domains"):
            rs.explore(PAIRS, tmp_path / "x.html", **idle)  # type: ignore[arg-type]
    with pytest.raises(rs.UsageError, match="needs a file"):
        rs.explore(PAIRS)
    with pytest.raises(rs.UsageError, match="by name"):
        rs.explore(PAIRS, tmp_path / "x.html", by=regression.criterion(np.negative))  # type: ignore[arg-type]
    with pytest.raises(rs.UsageError, match="is the report itself"):
        rs.report(PAIRS, tmp_path / "x.html", draws=0, explorer="x.html")
    assert not (tmp_path / "x.html").exists()
