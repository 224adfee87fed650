"""The explorer as a story: the answer, one control, what is linked, and the way back."""

import contextlib
import io
import shlex
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import Opener
from click.testing import CliRunner

import rankscape as rs
from rankscape import look
from rankscape.cli import main

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
    assert page.run("document.querySelector('.lead').textContent") == f"{winner} is first by F₁"
    page.quiet()


CELLS = """() => Object.fromEntries([...document.querySelectorAll(".board tbody tr")].filter((row) => !row.hidden).map((row) =>
  [row.querySelector("button.entity").textContent, Object.fromEntries([...row.cells].map((cell) => [cell.className.split(" ")[0], cell.textContent]))]))"""


def test_the_leaderboard_has_intervals_tiers_and_when_each_method_wins(opened: Opener) -> None:
    page = opened(five(), "#a=1&b=0.5", draws=2000)
    page.settle()
    python = rs.uncertainty.rank_intervals(five(), "f1")
    cells = page.run(CELLS)
    for row in python.frame().to_dict("records"):
        cell = cells[row["entity"]]
        assert cell["interval"] == "–".join(dict.fromkeys(f"{row[end]:g}" for end in ("low", "high")))
    values = page.run(
        "(() => { const { values, placeOf } = rankscape.view().detail; return Array.from(rankscape.view().set.names, (_, i) => [values.from[placeOf.get(i)], values.to[placeOf.get(i)]]); })()"
    )
    np.testing.assert_allclose(values, np.stack([python.value_low, python.value_high], axis=1), atol=1e-6)
    starts = page.run("Array.from(rankscape.view().detail.tier, (i) => rankscape.view().set.names[i])")
    assert starts == [names[0] for names in python.tiers[1:]]
    low, high = rs.regions.flips(five(), by="f1").along_b
    (winner,) = rs.rank(five(), by="f1").best
    ends = [float(end) for end in cells[winner]["keeps"].split() if end[0].isdigit()]
    assert ends == pytest.approx([b / (1 - b) for b in (low, high) if 0 < b < 1], rel=0.05)
    never = {name for name in cells if cells[name]["keeps"] == "never"}
    assert never == set(cells) - set(rs.tile.entity(five()).shares)
    page.page.locator("th.area .sort").click()
    page.settle()
    order = list(page.run(CELLS))
    shares = rs.tile.entity(five()).shares
    assert order[: len(shares)] == sorted(shares, key=lambda name: -shares[name])
    assert page.page.locator("th.area").get_attribute("aria-sort") == "ascending"
    page.quiet()


def test_the_printed_page_keeps_the_pictures(opened: Opener) -> None:
    """Browsers print a canvas that was just painted without its content, so that paper gets drawings of its own."""
    page = opened(five())
    page.run("dispatchEvent(new Event('beforeprint'))")
    drawn = page.run(
        "[...document.querySelectorAll('.layers > svg')].map((svg) => [svg.checkVisibility(), svg.textContent])"
    )
    assert [seen for seen, _ in drawn] == [True] * 3
    assert "recall (TPR)" in drawn[0][1]
    assert not page.run("[...document.querySelectorAll('.layers canvas')].some((canvas) => canvas.checkVisibility())")
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.run("document.querySelectorAll('.layers > svg').length") == 0
    assert page.run("[...document.querySelectorAll('.layers canvas')].every((canvas) => canvas.checkVisibility())")
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


def test_a_click_near_a_named_score_is_on_it(opened: Opener) -> None:
    page = opened(five())
    box = page.page.locator(".tile canvas").nth(1).bounding_box()
    handle = page.page.locator(".handle").bounding_box()
    assert box is not None
    assert handle is not None
    right, side = handle["x"] + handle["width"] / 2, box["width"] - 64
    middle = handle["y"] + handle["height"] / 2
    page.page.mouse.click(right - 4, middle - 0.3 * side + 3)
    page.settle()
    assert (page.state()["a"], page.state()["b"]) == (1, 0.8)
    assert "by F₂" in page.page.locator(".lead").inner_text()
    page.quiet()


def test_two_pins_are_compared(opened: Opener) -> None:
    page = opened(five())
    for name in ("alpha", "beta"):
        page.page.get_by_role("button", name=f"Pin {name} for comparison").click()
        page.settle()
    assert (page.state()["selected"], page.state()["pinned"]) == (0, 1)
    assert "than beta by" in page.page.locator(".compared").inner_text()
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
    page.run(touch.replace('"pointermove"', '"pointerup"'), [200, 300])  # a tap does what a click does
    page.settle()
    tapped = page.state()
    assert (tapped["a"], tapped["b"]) != (before["a"], before["b"])
    (winner,) = rs.regions.first(five()).at(tapped["a"], tapped["b"])
    assert tapped["selected"] == five().names.index(winner)
    page.run("(patch) => rankscape.set(patch)", before)
    page.settle()
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


def test_a_phone_has_every_column_and_undo_at_hand(opened: Opener) -> None:
    page = opened(five(), viewport={"width": 360, "height": 740})
    page.run("document.querySelector('.board').scrollIntoView()")
    for name in ("Undo", "Export"):
        box = page.page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= 360
    hidden = "(key) => getComputedStyle(document.querySelector(`.board th.${key}`)).display === 'none'"
    assert not any(page.run(hidden, key) for key in ("rank", "interval", "name", "first", "keeps", "area"))
    page.page.get_by_role("button", name="Tour", exact=True).click()
    for step in range(1, 6):
        page.page.get_by_text(f"{step} of 6").wait_for()
        box = page.page.locator(".tour").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        page.page.get_by_role("button", name="Next", exact=True).click()
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


def test_the_tour_says_of_averages_that_it_speaks_of_these_weights(opened: Opener) -> None:
    rows = [[9, 1, 4, 6], [6, 4, 1, 9], [5, 5, 5, 5]]
    averaged = rs.Performances.from_counts(rows * 2, names=list("abc") * 2, domains=["x"] * 3 + ["y"] * 3)
    clear = rs.Performances.from_counts([[9, 1, 1, 9], [6, 4, 4, 6]] * 2, names=list("abab"), domains=list("xxyy"))
    for P, words in (
        *((averaged, "with these weights the other"), (averaged.in_domain("x"), "on these data the other")),
        *((clear, "With these weights one is: a wins"), (clear.in_domain("x"), "On these data one is: a wins")),
    ):
        page = opened(P)
        page.page.get_by_role("button", name="Tour", exact=True).click()
        page.page.get_by_role("button", name="Next", exact=True).click()
        page.page.get_by_text("2 of 6").wait_for()
        assert words in page.page.locator(".tour").inner_text()


def test_the_tour_explains_the_page_on_these_data_and_leaves_no_trace(opened: Opener) -> None:
    page = opened(five(), "#a=0.7&b=0.5&view=margin")
    before = page.state()
    page.page.get_by_role("button", name="Tour", exact=True).click()
    card = page.page.get_by_role("dialog", name="This square is the Tile")
    card.wait_for()
    assert "which of the 5 methods" in card.inner_text()
    texts = []
    for step in range(2, 7):
        page.page.get_by_role("button", name="Next", exact=True).click()
        page.page.get_by_text(f"{step} of 6").wait_for()
        texts.append(page.page.locator(".tour").inner_text())
        assert page.page.locator(".toured").count() == 1
    border = next(x for x in sorted(rs.regions.first(five()).borders_at(0.7)) if x > 0.5)
    changes = look.exchange_rate(border / (1 - border))
    assert f"Above {changes}" in texts[1]  # not where the circle is
    share = max(rs.tile.entity(five()).shares.values())
    assert f"{100 * share:.1f}".removesuffix(".0") in texts[0]
    assert sum(len(text.split()) for text in texts) < 250  # about a minute
    page.settle()
    assert page.page.get_by_role("button", name="Undo").is_disabled()  # it leaves no steps
    page.page.get_by_role("button", name="screening 10").click()  # what its last step invites to
    page.page.get_by_role("button", name="Done", exact=True).click()
    page.settle()
    assert page.state() == {**before, "a": pytest.approx(10 / 11), "b": pytest.approx(10 / 11), "path": "costs"}
    page.page.get_by_role("button", name="Undo").click()
    page.until("rankscape.state().b === 0.5")
    assert page.state() == before
    page.page.get_by_role("button", name="Tour", exact=True).click()
    page.page.get_by_role("button", name="Skip", exact=True).click()
    assert not page.page.locator(".tour").is_visible()
    page.quiet()


def test_a_method_that_does_not_exist_has_the_rank_and_share_of_python(opened: Opener) -> None:
    page = opened(five(), "#a=0.5&b=0.6")
    box = page.page.locator(".spaces canvas").nth(1).bounding_box()
    assert box is not None
    page.page.locator(".spaces").scroll_into_view_if_needed()
    page.page.locator(".spaces canvas").nth(1).click(position={"x": box["width"] / 2, "y": 40})
    page.settle()
    fpr, tpr = page.state()["imagined"]
    P, prior = five(), 0.12
    assert P.common_prior() == pytest.approx(prior)
    new = [(1 - prior) * (1 - fpr), (1 - prior) * fpr, prior * (1 - tpr), prior * tpr]
    everybody = rs.Performances.from_probabilities([*P.mass.tolist(), new], names=[*P.names, "new"])
    ranking = rs.rank(everybody, by=rs.at(0.5, 0.6))
    said = page.page.locator(".imagined").inner_text()
    assert f"rank {ranking['new']:g} of 6" in said
    assert f"Score {ranking.values[-1]:.3f}" in said
    share = rs.tile.entity(everybody).shares.get("new", 0)
    assert (f"first for {100 * share:.1f}".removesuffix(".0") if share else "first for no preference") in said
    recall = page.page.get_by_label("Recall of a method that does not exist")
    recall.fill("95")
    assert "expected 0 to 1, such as 0.01" in page.page.locator(".spaces .problem").inner_text()
    page.run("rankscape.set({ a: 1, b: 0.5, imagined: [0.9, 0.1] })")
    page.settle()
    said = page.page.locator(".imagined").inner_text()
    numbers = said.split("such as a recall of ")[1].rstrip(".").split(" at a false positive rate of ")
    new = [(1 - prior) * (1 - float(numbers[1])), (1 - prior) * float(numbers[1])]
    new += [prior * (1 - float(numbers[0])), prior * float(numbers[0])]
    everybody = rs.Performances.from_probabilities([*P.mass.tolist(), new], names=[*P.names, "new"])
    assert rs.rank(everybody, by="f1")["new"] == 1
    recall.fill("1")
    page.page.get_by_label("False positive rate of a method that does not exist").fill("0")
    page.settle()
    assert "rank 1 of 6" in page.page.locator(".imagined").inner_text()
    page.page.get_by_role("button", name="Remove", exact=True).click()
    assert page.state()["imagined"] is None
    other = opened(rs.Performances.from_counts([[5, 1, 1, 3], [2, 2, 2, 4]]))
    assert "share a prior" in other.page.locator(".imagined").inner_text()


def several() -> rs.Performances:
    rng = np.random.default_rng(4)
    names, domains = [f"m{i // 3} it's" for i in range(12)], [f"d, {i % 3}" for i in range(12)]
    return rs.Performances.from_counts(rng.integers(1, 40, size=(12, 4)), names=names, domains=domains)


def test_questions_are_views_with_a_sentence(opened: Opener) -> None:
    page = opened(five())
    page.page.get_by_label("Questions that a view answers").select_option(label="Where would F₁ mislead you?")
    page.settle()
    (winner,) = rs.rank(five(), by="f1").best
    assert page.state()["flavor"] == "regret"
    assert f"F₁ chooses {winner}" in page.page.locator(".hover").inner_text()
    page.page.get_by_label("What the Tile shows").select_option("entity")
    page.settle()
    assert "F₁ chooses" not in page.page.locator(".hover").inner_text()
    page.quiet()


QUICK = ("difference", "bottleneck")
SLOW = (
    "entity_at_rank",
    "value",
    "entity_last",
    "regret",
    "correlation",
    "p_first",
    "best",
    "worst",
    "no_skill",
    "skill",
    "ranking",
)


@pytest.mark.parametrize("flavors", [QUICK, pytest.param(SLOW, marks=pytest.mark.nightly)], ids=["quick", "slow"])
def test_the_code_that_is_copied_makes_what_is_shown(
    flavors: tuple[str, ...], opened: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(several())
    page.page.get_by_role("button", name="Export", exact=True).click()
    with page.page.expect_download() as download:
        page.page.get_by_role("button", name="Data CSV", exact=True).click()
    (tmp_path / "data.csv").write_bytes(Path(download.value.path()).read_bytes())

    def code(label: str) -> str:
        page.page.get_by_role("button", name=label, exact=True).click()
        return str(page.page.get_by_label("Code", exact=True).input_value())

    scripts, commands = [], set()
    for flavor in flavors:
        weights = None if flavor == "p_first" else [1, 2.5, 4]  # draws are of the weights that the page opened with
        place = {"a": 0.3, "b": 0.6, "imagined": [0.2, 0.7]}
        patch = {"flavor": flavor, "selected": 1, "pinned": 2, "weights": weights, "prior": 0.2, **place}
        page.run("(patch) => rankscape.set(patch)", patch)
        page.settle()
        scripts.append(code("Copy as Python").replace('"tile.png"', f'"{flavor}.png"'))
        commands |= {line for line in code("Copy as command line").splitlines() if not line.startswith("#")}
    page.run("rankscape.set({ weights: [1, 2.5, 4] })")
    page.settle()
    order = page.run("Array.from(rankscape.view().ranking.order, (i) => rankscape.view().set.names[i])")
    monkeypatch.chdir(tmp_path)
    done = io.StringIO()
    with contextlib.redirect_stdout(done):
        for script in scripts:
            exec(script, {})  # what the page copied
    assert {path.stem for path in tmp_path.glob("*.png")} == set(flavors)
    assert order[0] in done.getvalue()
    assert "what if" in done.getvalue()
    pair = rs.summarize(several(), {"d, 0": 1, "d, 1": 2.5, "d, 2": 4}).shift_priors(0.2)[["m1 it's", "m2 it's"]]
    assert str(rs.tile.entity(pair).shares) in done.getvalue()
    assert all(script.startswith("# pip install rankscape\nimport") for script in scripts)
    for command in sorted(commands):
        extra = ["--resolution", "11", "-o", "tile.csv"] if " tile " in command else []
        result = CliRunner().invoke(main, [*shlex.split(command)[1:], *extra])
        assert result.exit_code == 0, (command, result.output)
        if " rank " in command and "--weights" in command:
            found = [name for name in order if name in result.output]
            assert sorted(found, key=result.output.index) == order
    page.quiet()


def words_of(svg: str) -> str:
    return " ".join(" ".join(ElementTree.fromstring(svg).itertext()).split())


def test_pictures_that_leave_say_what_they_are(opened: Opener) -> None:
    page = opened(five(), color_scheme="dark")
    for which in ("tile", "roc", "pr"):
        text = page.run("(which) => rankscape.pictures.svg(which)", which)
        words = words_of(text)
        assert "[object" not in words
        assert "undefined" not in words
        for part in ("is first by F₁", "made with rankscape on", "5 methods"):
            assert part in words, part
        assert f'fill="{look.PAPER}"' in text[:200]  # light, though the page is dark
    page.run("rankscape.set({ b: 0.75, selected: 0, pinned: 1, imagined: [0.01, 0.99] })")
    page.settle()
    words = words_of(page.run("rankscape.pictures.svg('tile')"))
    assert "a miss counts as 3 false alarms" in words  # in the units of the axes
    assert "thick, alpha; thin, beta. Dashed: where a method with false positive rate 0.01" in words
    assert page.run("rankscape.pictures.svg('tile').match(/stroke-dasharray=.7 4/g).length") > 1
    bare = words_of(page.run("rankscape.pictures.svg('tile', true)"))
    assert "Each point" not in bare
    assert "rankscape" not in bare
    page.run("rankscape.set({ flavor: 'entity_at_rank', rank: 2, selected: null, pinned: null, imagined: null })")
    page.settle()
    page.until("rankscape.pictures.ready()")
    words = words_of(page.run("rankscape.pictures.svg('tile')"))
    second = list(rs.rank(five(), by=rs.at(1, 0.75)))[1]
    assert f"only detections count as successes: {second}." in words
    assert "is first" not in words
    page.run("rankscape.set({ flavor: 'margin' })")
    page.settle()
    page.until("rankscape.pictures.ready()")
    bar = ElementTree.fromstring(page.run("rankscape.pictures.svg('tile')"))
    fills = [element.get("fill") for element in bar.iter() if element.tag.endswith("path")]
    assert len({fill for fill in fills if fill and fill.startswith("rgb")}) > 30
    page.quiet()


def test_maps_of_names_have_exact_borders_and_the_leaderboard_agrees(opened: Opener) -> None:
    page = opened(five())
    for flavor, rank in (("entity_at_rank", 2), ("entity_at_rank", 4), ("entity_last", 5)):
        page.run("([flavor, rank]) => rankscape.set({ flavor, rank })", [flavor, rank])
        page.settle()
        page.until("rankscape.pictures.ready()")
        svg = page.run("rankscape.pictures.svg('tile')")
        assert "<image" not in svg  # curves, not pixels
        colors = look.colors_of(five().names)
        for a, b in np.random.default_rng(0).random((40, 2)).tolist():
            code = page.run(
                "([a, b]) => { const { values, size, wide } = rankscape.pictures.map();"
                " return values[Math.round(b * (size - 1)) * wide + Math.round(a * (wide - 1))]; }", [a, b]
            )  # fmt: skip
            at = rs.rank(five(), by=rs.at(round(a * 200) / 200, round(b * 160) / 160))
            name = five().names[int(code)]
            assert at[name] == rank
            assert "rgb({}, {}, {})".format(*bytes.fromhex(look.tint(colors[name])[1:])) in svg
    page.quiet()


FRAMED = """(text) => new Promise((done) => {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.style.width = "900px";
  addEventListener("message", (event) => event.data.type === "rankscape:height" && done(event.data.height));
  frame.srcdoc = text;
  document.body.append(frame);
})"""


def test_it_lives_in_a_frame_without_an_address(browser: Any, tmp_path: Path) -> None:
    path = rs.explore(five(), tmp_path / "explorer.html", draws=0)
    page = browser.new_page(color_scheme="dark")
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text))
    page.set_content("<body></body>")
    assert page.evaluate(FRAMED, path.read_text("utf-8")) > 500
    (frame,) = [frame for frame in page.frames if frame.parent_frame]
    frame.get_by_role("button", name="screening 10").click()
    frame.evaluate("rankscape.settled()")
    frame.get_by_role("button", name="Undo").click()
    frame.evaluate("rankscape.settled()")
    assert frame.evaluate("rankscape.state().b") == 0.5
    assert frame.evaluate("getComputedStyle(document.querySelector('.rankscape')).backgroundColor") == "rgb(23, 25, 28)"
    assert said == []
    page.goto(path.as_uri() + "?embed&theme=light")
    assert page.evaluate("document.querySelector('.rankscape').className") == "rankscape story embed light"
    page.goto(path.as_uri())
    assert page.evaluate("document.querySelector('.rankscape').className") == "rankscape story"
    page.goto("about:blank")
    path = rs.explore(rs.tasks.success.from_counts([3, 4], 5), tmp_path / "x.html", draws=0)
    assert page.evaluate(FRAMED, path.read_text("utf-8")) > 200
    (frame,) = [frame for frame in page.frames if frame.parent_frame]
    assert frame.evaluate("getComputedStyle(document.querySelector('.rankscape')).backgroundColor") == "rgb(23, 25, 28)"
    assert not frame.locator(".files").is_visible()
    assert said == []
    page.close()
