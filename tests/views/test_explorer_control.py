"""The main control of the explorer: by costs, by an F-score, or at any other place; and the sentences of each."""

import contextlib
import io
import shlex
from pathlib import Path

import numpy as np
import pytest
from browsing import Opened, Opener
from click.testing import CliRunner

import rankscape as rs
from rankscape import look
from rankscape.cli import main

THREE = Path(__file__).parents[2] / "examples" / "three.csv"


def three() -> rs.Performances:
    return rs.read(THREE)


def number(page: Opened) -> tuple[str, str]:
    """Return what the field says, and the question around it."""
    page.settle()
    said = page.run("document.querySelector('.ask').innerText.replace(/\\s+/g, ' ').replace('?', '').trim()")
    return page.page.locator("input.rate").input_value(), str(said)


def said(page: Opened) -> str:
    page.settle()
    return str(page.run("['.lead', '.about'].map((part) => document.querySelector(part).textContent).join('. ')"))


CELLS = """() => Object.fromEntries([...document.querySelectorAll(".board tbody tr")].filter((row) => !row.hidden)
  .map((row) => [row.querySelector("button.entity").textContent, row.querySelector(".keeps").textContent]))"""
TRACK = """() => [...document.querySelectorAll('.track i')].map((part) =>
  [part.title, part.style.background, parseFloat(part.style.left), parseFloat(part.style.width)])"""


def test_costs_an_f_score_and_other_places_are_three_questions(opened: Opener) -> None:
    page = opened(three(), draws=0)
    assert number(page) == ("1", "In the F-score, a miss weighs × a false alarm")
    assert said(page).startswith("balanced is first by F₁. ")
    assert "Holds while a miss weighs 0.67 to 3.77 × a false alarm." in said(page)
    page.page.get_by_role("button", name="costs of errors").click()
    assert number(page) == ("1", "A miss costs false alarm")
    assert said(page).startswith("cautious is first if a miss costs 1 false alarm (Accuracy). ")  # 30 errors, not 37
    page.page.get_by_role("button", name="screening 10").click()
    assert (page.state()["a"], page.state()["b"]) == (10 / 11, 10 / 11)
    assert "eager is first if a miss costs 10 false alarms. " in said(page)
    assert "Holds while a miss costs at least 5.63 false alarms." in said(page)
    ranges = {"cautious": "below 1.53", "balanced": "1.54 to 5.62", "eager": "above 5.63"}
    assert page.run(CELLS) == ranges
    assert page.page.locator("th.keeps").inner_text().split("?")[0].strip() == "Wins when a miss costs"
    track = page.run(TRACK)
    assert [title for title, *_ in track] == [f"{name}: {ends}" for name, ends in ranges.items()]
    colors = look.colors_of(three().names)
    for (_, color, left, width), name in zip(track, ranges, strict=True):
        assert color == "rgb({}, {}, {})".format(*bytes.fromhex(colors[name][1:]))
        rate = 30 ** (2 * (left + width / 2) / 100 - 1)
        assert rs.rank(three(), by=rs.costs(miss=rate)).best == {name}
    slider = page.page.get_by_label("What a miss costs", exact=False).nth(1)
    slider.focus()
    page.page.keyboard.press("ArrowLeft")
    state = page.state()
    assert state["a"] == state["b"] < 10 / 11
    page.page.get_by_role("button", name="Undo").click()
    page.until("rankscape.state().b === 10 / 11 && rankscape.state().a === 10 / 11")
    page.page.get_by_role("button", name="search F½").click()
    assert number(page) == ("1/4", "In the F-score, a miss weighs × a false alarm")
    page.run("rankscape.set({ a: 0.75, b: 0.8 })")
    assert number(page) == ("4", "A miss counts as false alarms")
    assert "While a detection counts as 3 correct rejections." in page.page.locator(".control").inner_text()
    field = page.page.locator("input.rate")
    field.fill("3")  # crosses the diagonal, and a stays where it is
    field.fill("30")
    assert (page.state()["a"], page.state()["b"]) == (0.75, pytest.approx(30 / 31))
    page.page.get_by_role("button", name="costs of errors").click()
    field.fill("∞")
    assert said(page).startswith("eager is first if only misses count (Recall (TPR))")
    again = opened(three(), page.run("location.hash"), draws=0)
    assert number(again) == ("∞", "A miss costs false alarms")
    page.quiet()


def test_what_follows_at_once_holds_of_the_newest_state(opened: Opener) -> None:
    page = opened(three(), "#a=0.75&b=0.8", draws=0)
    page.run(
        """() => {
          const field = document.querySelector("input.rate");
          const type = (text) => { field.value = text; field.dispatchEvent(new Event("input")); };
          type("30");
          [...document.querySelectorAll("button.mode")].find((button) => button.textContent === "costs of errors").click();
          type("∞");
        }"""
    )  # all in one frame, before anything is painted
    assert said(page).startswith("eager is first if only misses count (Recall (TPR))")
    state = page.state()
    assert (state["a"], state["b"], number(page)[0]) == (1, 1, "∞")


def test_the_number_takes_fractions_and_refuses_the_rest_in_a_sentence_that_goes_away(opened: Opener) -> None:
    page = opened(three(), "#a=0.5&b=0.5", draws=0)
    field, problem = page.page.locator("input.rate"), page.page.locator(".control > .problem")
    for typed, rate in (("1/3", 1 / 3), ("2.5", 2.5), ("1e2", 100)):
        field.fill(typed)
        assert page.state()["a"] == page.state()["b"] == pytest.approx(rate / (1 + rate), abs=1e-15)
    for typed in ("abc", "1/0", "-1"):
        state = page.state()
        field.fill(typed)
        expected = f"“{typed}” is not used; expected a number, 0 or more, such as 10, 2.5, 1/3 or ∞."
        assert (problem.inner_text(), field.get_attribute("aria-invalid")) == (expected, "true")
        assert page.state() == state
        field.fill("1/3")
        assert (problem.inner_text(), field.get_attribute("aria-invalid")) == ("", None)
        page.settle()
        assert field.input_value() == "1/3"
    for leave in (
        lambda: page.page.get_by_role("button", name="Reset", exact=True).click(),
        lambda: page.page.get_by_role("button", name="Undo").click(),
        lambda: page.run("rankscape.set({ b: 0.9 })"),  # as a drag does, which leaves the field where it is
    ):
        field.fill("abc")
        leave()
        page.until("document.querySelector('.control > .problem').textContent === ''")
        assert "abc" not in field.input_value()
    page.quiet()


def test_the_headline_says_what_else_was_changed_and_who_is_more_probably_best(opened: Opener) -> None:
    page = opened(three(), "#a=1&b=0.8", draws=2000)
    sure = rs.uncertainty.rank_intervals(three(), "f2")
    chances = sure.frame().set_index("entity")["p_first"]
    assert chances["balanced"] > chances["eager"]
    both = f"({100 * chances['balanced']:.1f}\xa0% against {100 * chances['eager']:.1f}\xa0%)"
    assert f"eager is first by F₂. F₂ 0.728. First by score; balanced is more probably best {both}." in said(page)
    page.run("rankscape.set({ prior: 0.5 })")
    assert " is first by F₂ if 50\xa0% were positive. " in said(page)
    rng = np.random.default_rng(4)
    names, domains = [f"m{i // 3}" for i in range(12)], [f"d{i % 3}" for i in range(12)]
    page = opened(rs.Performances.from_counts(rng.integers(1, 40, size=(12, 4)), names=names, domains=domains), draws=0)
    for weights, prior, end in (
        ("[0, 1, 0]", "null", " is first by F₁ on d1 alone. "),
        ("[2, 1, 0]", "null", " is first by F₁ for your weights. "),
        ("[1, 1, 0]", "0.5", " is first by F₁ if 50\xa0% were positive, on d0, d1 only. "),
        ("null", "null", " is first by F₁. "),
    ):
        page.run(f"rankscape.set({{ weights: {weights}, prior: {prior} }})")
        assert end in said(page)
    page.run("rankscape.set({ a: 0.75, b: 0.75, prior: 0.5, weights: [0, 0, 1] })")
    assert " is first if a miss costs 3 false alarms and 50\xa0% were positive, on d2 alone. " in said(page)


def test_the_code_of_costs_makes_what_is_shown(opened: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened(three(), "#a=0.9090909090909091&b=0.9090909090909091", draws=0)
    page.page.get_by_role("button", name="Export", exact=True).click()
    (tmp_path / "data.csv").write_text(THREE.read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)

    def code(label: str) -> str:
        page.page.get_by_role("button", name=label, exact=True).click()
        return str(page.page.get_by_label("Code", exact=True).input_value())

    for state, python, option in (
        ("{}", "by=rs.costs(miss=10, false_alarm=1)", "--costs miss=10,false-alarm=1"),
        ("{ a: 0.25, b: 0.25 }", "by=rs.costs(miss=1, false_alarm=3)", "--costs miss=1,false-alarm=3"),
        ("{ a: 1, b: 0.8 }", 'by="f2"', "--by f2"),
        ("{ a: 1, b: 0.75 }", "by=rs.at(1, 0.75)", "--by 1,0.75"),
    ):
        page.run(f"rankscape.set({state})")
        page.settle()
        copied, command = code("Copy as Python"), code("Copy as command line").splitlines()[1]
        assert (python in copied, option in command) == (True, True), (copied, command)
        first = page.run("rankscape.view().set.names[rankscape.view().leader]")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(copied, {})
        for text in (printed.getvalue(), CliRunner().invoke(main, shlex.split(command)[1:]).output):
            assert min(three().names, key=lambda name: text.index(f" {name} ")) == first, text
