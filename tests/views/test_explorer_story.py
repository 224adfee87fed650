"""The explorer as a story: the answer, one control, what is linked, and the way back."""

from typing import Any

import numpy as np
import pytest
from browsing import Opener

import rankscape as rs
from rankscape import look

COUNTS = [[836, 44, 12, 108], [792, 88, 4, 116], [871, 9, 40, 80], [700, 180, 50, 70], [850, 30, 20, 100]]


def five() -> rs.Performances:
    return rs.Performances.from_counts(COUNTS, names=["alpha", "beta", "gamma", "delta", "epsilon"])


IN_SIGHT = """[...document.querySelectorAll(".lead, .tools button, .tile canvas, .control input, .chip, .board tbody tr:first-child")]
  .filter((element) => element.offsetParent !== null).every((element) => {
    const box = element.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
  })"""


def test_all_that_matters_is_in_sight_without_scrolling(opened: Opener) -> None:
    page = opened(five())
    page.run("document.querySelector('details.more').open = false")
    page.settle()
    assert page.run(IN_SIGHT)
    page.run("document.querySelector('details.more').open = true")
    page.run("scrollTo(0, 300)")
    for part in (".lead", ".tile .layers"):
        assert page.run(f"document.querySelector('{part}').getBoundingClientRect().top") >= 0  # they stay
    (winner,) = rs.rank(five(), by="f1").best
    answer = f"{winner} is first if a miss is worth 1 false alarm (F1)"
    assert page.run("document.querySelector('.lead').textContent") == answer
    page.quiet()


def test_the_main_control_moves_what_a_miss_is_worth_and_shows_who_wins_there(opened: Opener) -> None:
    page = opened(five(), "#a=0.6&b=0.5")
    page.page.get_by_role("button", name="screening 10").click()
    assert page.state()["b"] == pytest.approx(10 / 11)
    page.settle()
    number = page.page.get_by_label("For me, a miss is worth this many false alarms")
    assert number.input_value() == "10"
    number.fill("3")
    assert (page.state()["a"], page.state()["b"]) == (0.6, pytest.approx(0.75))
    slider = page.page.get_by_label("How many false alarms a miss is worth")
    slider.focus()
    page.page.keyboard.press("ArrowLeft")
    assert page.state()["b"] < 0.75
    page.settle()
    shown = page.run(
        "[...document.querySelectorAll('.track i')].map((part) => [part.title, part.style.background, parseFloat(part.style.left), parseFloat(part.style.width)])"
    )
    colors = look.colors_of(five().names)
    regions = rs.regions.first(five())
    for name, color, left, width in shown:
        red, green, blue = (int(colors[name][k : k + 2], 16) for k in (1, 3, 5))
        assert color == f"rgb({red}, {green}, {blue})"
        if width > 0.1:
            rate = 30 ** (2 * (left + width / 2) / 100 - 1)
            assert regions.at(0.6, rate / (1 + rate)) == (name,)
    assert sum(width for *_, width in shown) == pytest.approx(100)
    page.quiet()


CELLS = """() => Object.fromEntries([...document.querySelectorAll(".board tbody tr")].filter((row) => !row.hidden).map((row) =>
  [row.querySelector("button.entity").textContent, Object.fromEntries([...row.cells].map((cell) => [cell.className.split(" ")[0], cell.textContent]))]))"""


def test_the_leaderboard_has_intervals_tiers_and_when_the_lead_is_lost(opened: Opener) -> None:
    page = opened(five(), "#a=1&b=0.5")
    page.settle()
    python = rs.uncertainty.rank_intervals(five(), "f1")
    cells = page.run(CELLS)
    for row in python.frame().to_dict("records"):
        cell = cells[row["entity"]]
        assert cell["interval"] == f"{row['low']:g}–{row['high']:g}"
    values = page.run(
        "(() => { const { values, placeOf } = rankscape.view().detail; return Array.from(rankscape.view().set.names, (_, i) => [values.from[placeOf.get(i)], values.to[placeOf.get(i)]]); })()"
    )
    np.testing.assert_allclose(values, np.stack([python.value_low, python.value_high], axis=1), atol=1e-6)
    starts = page.run("Array.from(rankscape.view().detail.tier, (i) => rankscape.view().set.names[i])")
    assert starts == [names[0] for names in python.tiers[1:]]
    low, high = rs.regions.flips(five(), by="f1").along_b
    (winner,) = rs.rank(five(), by="f1").best
    ends = [float(end) for end in cells[winner]["keeps"].split(" or ")]
    assert ends == pytest.approx([b / (1 - b) for b in (low, high) if 0 < b < 1], rel=0.05)
    page.page.locator("th.area .sort").click()
    page.settle()
    order = list(page.run(CELLS))
    shares = rs.tile.entity(five()).shares
    assert order[: len(shares)] == sorted(shares, key=lambda name: -shares[name])
    assert page.page.locator("th.area").get_attribute("aria-sort") == "ascending"
    page.quiet()


def test_hovering_and_selecting_is_seen_everywhere(opened: Opener) -> None:
    page = opened(five())
    pixels = "[...document.querySelectorAll('.layers canvas:nth-child(2)')].map((canvas) => canvas.toDataURL().length + canvas.toDataURL())"
    before = page.run(pixels)
    row = page.page.locator(".board tbody tr", has_text="beta")
    row.hover()
    hovered = page.run(pixels)
    assert all(one != other for one, other in zip(before, hovered, strict=True))
    page.page.mouse.move(0, 0)
    row.get_by_role("button", name="beta", exact=True).click()
    page.page.mouse.move(0, 0)
    page.settle()
    assert all(one != other for one, other in zip(before, page.run(pixels), strict=True))
    page.page.get_by_label("whole square").check()
    assert page.state()["whole"] is True
    page.quiet()


def test_undo_redo_reset_and_back(opened: Opener) -> None:
    page = opened(five())
    start = page.state()

    def to(place: dict[str, Any]) -> None:
        page.run("(patch) => rankscape.set(patch)", place)
        page.settle()

    to({"b": 0.75})
    to({"b": 0.9})
    undo, redo = (page.page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    undo.click()
    page.until("rankscape.state().b === 0.75")
    redo.click()
    page.until("rankscape.state().b === 0.9")
    page.page.go_back()
    page.until("rankscape.state().b === 0.75")
    assert "b=0.75" in page.run("location.hash")
    table = "entity,tn,fp,fn,tp\nmine,5,1,2,6\nother,6,2,1,5\n"
    page.page.locator("input[type=file]").set_input_files(
        {"name": "x.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )
    page.until("rankscape.view().set.n === 2")
    undo.click()
    page.until("rankscape.view().set.n === 5 && rankscape.state().b === 0.75")
    redo.click()
    page.until("rankscape.view().set.n === 2")
    page.page.get_by_role("button", name="Reset", exact=True).click()
    page.until("rankscape.view().set.n === 5")
    page.settle()
    assert page.state() == start
    page.quiet()


def test_a_finger_scrolls_the_page_unless_it_is_on_the_circle(opened: Opener) -> None:
    page = opened(five(), viewport={"width": 390, "height": 844})
    before = page.state()
    touch = """([x, y]) => {
      const canvas = document.querySelectorAll(".tile canvas")[1];
      const box = canvas.getBoundingClientRect();
      for (const type of ["pointerdown", "pointermove"]) canvas.dispatchEvent(new PointerEvent(type, { pointerType: "touch", pointerId: 1, clientX: box.left + x, clientY: box.top + y, bubbles: true }));
    }"""
    page.run(touch, [150, 150])
    assert page.state() == before
    assert page.run("getComputedStyle(document.querySelectorAll('.tile canvas')[1]).touchAction") == "pan-y"
    handle = page.page.locator(".handle")
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x - 60, y + 40, steps=3)
    page.page.mouse.up()
    assert page.state()["a"] < before["a"]
    assert page.run("document.documentElement.scrollWidth") <= 390
    page.quiet()


def test_every_question_mark_explains_a_term(opened: Opener) -> None:
    page = opened(five())
    asked = page.run("[...document.querySelectorAll('button.help')].map((button) => button.dataset.term)")
    assert {"tile", "miss", "score", "ranks", "lead", "roc", "prior"} <= set(asked)
    page.page.get_by_role("button", name="What is the Tile?").click()
    assert "way to weigh the four outcomes" in page.page.locator(".bubble").inner_text()
    page.page.keyboard.press("Escape")
    assert not page.page.locator(".bubble").is_visible()
    page.quiet()
