"""The ranking card as a page: the answer on the first sheet, at most two sheets of appendix, on every screen."""

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankscape as rs
from rankscape import look

RNG = np.random.default_rng(0)
LONG = [f"a network whose name has very many words, so that it takes several lines on a sheet, seed {k}, {'x' * 180}"[:180]
        for k in range(45)]  # fmt: skip
SHEET = {"width": 688, "height": 1024}
"""What A4 has within its margins, in the pixels of a page."""


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> tuple[rs.Card, str]:
    folder = tmp_path_factory.mktemp("linked")
    P = rs.datasets.classifiers()
    card = rs.report(P, folder / "card.html", draws=150, rng=3, figures=False)
    rs.explore(P, folder / "explorer.html", by="f1", draws=150, rng=3)
    return card, (folder / "explorer.html").read_text("utf-8")


def long_names() -> rs.Performances:
    return rs.Performances.from_counts(RNG.integers(300, 400, (45, 4)), names=[*LONG[:-1], "n" * 180])


def forty_domains() -> rs.Performances:
    domains = [f"domain {d:02d}" for d in range(40) for _ in range(4)]
    names = [f"method {k}" for k in range(4)] * 40
    return rs.Performances.from_counts(RNG.integers(20, 400, (160, 4)), names=names, domains=domains)


def several_classes() -> rs.Performances:
    truth = RNG.integers(0, 3, 60)
    guesses = {name: np.where(RNG.random(60) < 0.7, truth, RNG.integers(0, 3, 60)) for name in "abc"}
    return rs.tasks.multi_class.evaluate(truth, guesses)


@pytest.fixture(scope="module")
def page(browser: Any) -> Any:
    return browser.new_context(offline=True).new_page()


@pytest.mark.some(1)
@pytest.mark.parametrize("data", [several_classes, long_names, forty_domains])
def test_a_card_is_one_sheet_and_at_most_two_more(data: Callable[[], Any], page: Any, tmp_path: Path) -> None:
    P = data()
    by = rs.score("accuracy", P.space) if data is several_classes else "f1"
    rs.report(P, tmp_path / "card.html", by, draws=100)
    page.set_viewport_size(SHEET)
    page.goto((tmp_path / "card.html").as_uri())
    page.emulate_media(media="print")
    front = page.evaluate("document.querySelector('.front').getBoundingClientRect().toJSON()")
    assert front["height"] < SHEET["height"]
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) in (2, 3)
    wide = "[...document.querySelectorAll('.front *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length"
    assert page.evaluate(wide) == 0
    for width, scheme in ((390, "light"), (1280, "dark")):
        page.emulate_media(media="screen", color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        color = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert color == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(23, 23, 27)")


def test_the_first_sheet_says_what_the_functions_say(linked: tuple[rs.Card, str]) -> None:
    front, intervals = (
        linked[0].front,
        rs.uncertainty.rank_intervals(rs.datasets.classifiers(), "f1", draws=150, rng=3),
    )
    assert front is not None
    assert front.verdict == "kernel SVM ranks first"
    assert "nearest neighbors, logistic regression and linear SVM" in front.lead
    order = [intervals.names[i] for i in intervals.order]
    assert [row.name for row in front.rows] == order[:6]
    assert front.more == len(order) - 6
    for row in front.rows:
        i = intervals.names.index(row.name)
        assert (row.low, row.high) == (intervals.value_low[i], intervals.value_high[i])
        assert front.colors[row.name] == look.colors_of(intervals.names)[row.name]
    assert [row.name for row in front.rows if row.begins] == [intervals.tiers[1][0]]
    changes = dict(front.changes)
    assert changes["a miss worth more than 2.29 false alarms"] == "nearest neighbors"
    assert changes["more than 31.9 % positives (here 16.9 %)"] == "nearest neighbors"
    assert front.question[0] == "A miss counts as a false alarm; correct rejections do not count."


@pytest.mark.parametrize("rows", [[[5, 0, 0, 0]], [[0, 0, 0, 5], [0, 0, 5, 0]], [[1, 1, 1, 1]] * 3])
@pytest.mark.parametrize("by", ["f1", "mcc"])
def test_the_first_sheet_of_degenerate_data(rows: list, by: str) -> None:
    card = rs.report(rs.Performances.from_counts(rows), by=by, draws=50)
    assert card.front is not None
    assert card.front.verdict
    assert card.front.changes or card.front.unchanged
    assert "nan" not in card.html()


def test_the_card_has_the_draws_of_the_linked_explorer(linked: tuple[rs.Card, str]) -> None:
    card, page = linked
    (packed,) = re.findall(r'"draws":\{"count":150,.*?"data":"([A-Za-z0-9+/=]+)"', page)
    prior, fpr, fnr = np.frombuffer(base64.b64decode(packed), np.float32).reshape(150, 14, 3).astype(float).T
    found, missed, wrong = prior * (1 - fnr), prior * fnr, (1 - prior) * fpr
    with np.errstate(invalid="ignore"):
        values = 2 * found / (2 * found + missed + wrong)
    first = np.bincount(np.nan_to_num(values).argmax(axis=0), minlength=14) / 150
    chances = sorted((f"{p:.2f}" if p >= 0.005 else "< 0.01" for p in first), reverse=True)
    assert card.front is not None
    assert (
        sorted((row.cells["P(first)"] for row in card.front.rows[:4]), reverse=True)
        == [c for c in chances if c[0] != "<"][:4]
    )
