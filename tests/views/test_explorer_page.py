"""The explorer in headless Chromium, opened from a file with the network blocked."""

import io
import json
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import HOSTILE, SETTLED, Opened, Opener, needs_axe, serious
from jsonschema import Draft202012Validator

import rankscape as rs
from rankscape import look
from rankscape.domains import prepare
from rankscape.explorer import build, document
from rankscape.explorer.explore import page_of

TOLERANCE = 1e-12
DRAWN = {"svg", "rect", "path", "circle", "text", "image", "g", "clipPath"}


def models() -> rs.Performances:
    rng = np.random.default_rng(3)
    fp, fn = rng.integers(0, 41, 14), rng.integers(0, 21, 14)
    counts = np.stack([40 - fp, fp, fn, 20 - fn], axis=1)
    counts[5] = counts[2]
    return rs.Performances.from_counts(counts, names=[f"model {i}" for i in range(14)])


def on_domains() -> rs.Performances:
    rng = np.random.default_rng(4)
    names, domains = [f"m{i // 3}" for i in range(12)], [f"d{i % 3}" for i in range(12)]
    return rs.Performances.from_counts(rng.integers(1, 40, size=(12, 4)), names=names, domains=domains)


BOARD = """({ a, b, patch }) => {
  rankscape.set({ ...patch, a, b });
  return new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
    const { set, ranking } = rankscape.view();
    const list = (x) => Array.from(x, (y) => (Number.isNaN(y) ? null : y));
    const rows = [...document.querySelectorAll(".board tbody tr")].filter((row) => !row.hidden);
    done({ names: set.names, low: list(ranking.low), high: list(ranking.high), value: list(ranking.value),
      shown: rows.map((row) => [row.querySelector("td.rank").textContent, row.querySelector("button.entity").textContent, row.querySelector("td.value").textContent]) });
  }, 0)));
}"""


def test_random_preferences_give_the_leaderboard_of_python(opened: Opener) -> None:
    performances = models()
    page = opened(performances)
    asked = [{"a": a, "b": b, "patch": {}} for a, b in np.random.default_rng(0).random((80, 2)).tolist()]
    one_by_one = "const all = []; for (const one of asked) all.push(await board(one)); return all;"
    boards = page.run(f"async (asked) => {{ const board = {BOARD}; {one_by_one} }}", asked)
    for mine, one in zip(boards, asked, strict=True):
        a, b = one["a"], one["b"]
        expected = rs.rank(performances, by=rs.at(a, b))
        assert [mine["low"], mine["high"]] == expected.bounds.astype(int).T.tolist()
        np.testing.assert_allclose(mine["value"], expected.values, rtol=0, atol=TOLERANCE)
        assert [name for _, name, _ in mine["shown"]] == list(expected)
        for rank, name, value in mine["shown"]:
            assert int(rank.rstrip("=")) == expected[name]
            assert value == f"{expected.values[expected.names.index(name)]:.4f}"
    page.quiet()


def test_a_shifted_prior_and_weighted_domains_give_the_leaderboard_of_python(opened: Opener) -> None:
    performances = on_domains()
    page = opened(performances)
    for weights, prior in (([1, 2, 0.5], None), ([0, 1, 1], 0.07), (None, 0.5)):
        mine = page.run(BOARD, {"a": 0.9, "b": 0.35, "patch": {"weights": weights, "prior": prior}})
        expected = rs.summarize(
            performances, weights and dict(zip(dict.fromkeys(performances.domains), weights, strict=True))
        )
        expected = expected if prior is None else expected.shift_priors(prior)
        ranking = rs.rank(expected, by=rs.at(0.9, 0.35))
        assert mine["low"] == ranking.bounds[:, 0].astype(int).tolist()
        np.testing.assert_allclose(mine["value"], ranking.values, rtol=0, atol=TOLERANCE)
    page.quiet()


def test_the_page_is_strict_about_what_may_run(opened: Opener) -> None:
    text = page_of(prepare(models())).html()
    policy = text.split('Content-Security-Policy" content="')[1].split('"')[0]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    page = opened(models())
    page.run(
        "() => { const s = document.createElement('script'); s.textContent = 'globalThis.intruder = 1'; document.body.append(s); }"
    )
    assert page.run("globalThis.intruder") is None
    assert any("Content Security Policy" in text for text in page.said)


def test_code_and_page_stay_small() -> None:
    empty = page_of(prepare(models()))
    code = len(empty.script("page").encode()) + len(empty.style.encode())
    assert code < 300_000
    rng = np.random.default_rng(0)
    many = rs.Performances.from_counts(
        rng.integers(0, 10_000, size=(10_000, 4)), names=[f"model-{i}" for i in range(10_000)]
    )
    assert len(page_of(prepare(many)).html().encode()) < 3_000_000


def test_hostile_names_are_text(opened: Opener) -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(1, 30, size=(2 * len(HOSTILE), 4))
    performances = rs.Performances.from_counts(
        counts, names=[name for name in HOSTILE for _ in range(2)], domains=["<b>d</b>", "</style>"] * len(HOSTILE)
    )
    page = opened(performances)
    assert page.run("rankscape.view().data.entities") == HOSTILE
    for view in page.run("[...document.querySelectorAll('.tile optgroup option')].map((option) => option.value)"):
        page.run("([flavor]) => rankscape.set({ flavor, selected: 0, pinned: 1, uncertainty: true })", [view])
        page.settle()
        drawn = [page.run("(which) => rankscape.pictures.svg(which)", which) for which in ("tile", "roc")]
        assert {
            element.tag.partition("}")[2] for text in drawn for element in ElementTree.fromstring(text).iter()
        } <= DRAWN
    assert page.run("document.querySelectorAll('img, svg, b, script:not([id])').length") == 1  # the page's own script
    shown = page.run("[...document.querySelectorAll('button.entity')].map((button) => button.textContent)")
    assert any("<img" in name for name in shown)
    assert not any("\u202e" in name for name in shown)
    page.quiet()


def test_a_link_brings_back_the_state(opened: Opener) -> None:
    page = opened(on_domains())
    wanted = {
        "flavor": "ranking",
        "a": 0.75,
        "b": 1 / 3,
        "prior": 0.2,
        "weights": [1, 0, 2],
        "selected": 1,
        "pinned": 2,
        "uncertainty": True,
    }
    page.run("(patch) => rankscape.set(patch)", wanted)
    page.settle()
    fragment = page.run("location.hash")
    again = opened(on_domains(), fragment)
    state = again.state()
    assert {key: state[key] for key in wanted} == wanted
    assert again.page.locator(".notice").inner_text() == ""
    other = opened(models(), fragment)
    assert "made for other data" in other.page.locator(".notice").inner_text()
    state = other.state()
    first = other.run("rankscape.view().set.rows[rankscape.view().leader]")
    assert (state["a"], state["selected"], state["pinned"], state["weights"]) == (0.75, first, None, None)
    damaged = opened(on_domains(), "#a=7&b=0.5&view=nothing&selected=nobody")
    assert "damaged" in damaged.page.locator(".notice").inner_text()
    assert damaged.state()["b"] == 0.5


def saved(page: Opened, label: str) -> bytes:
    page.page.get_by_role("button", name="Export", exact=True).click()
    with page.page.expect_download() as download:
        page.page.get_by_role("button", name=label, exact=True).click()
    page.page.get_by_role("button", name="Close", exact=True).click()
    return Path(download.value.path()).read_bytes()


@pytest.mark.parametrize("performances", [models(), on_domains()], ids=["entities", "domains"])
def test_data_go_out_and_come_back(opened: Opener, performances: rs.Performances) -> None:
    page = opened(performances)
    table = saved(page, "Data CSV")
    back = rs.read(io.BytesIO(table))
    assert back.names == performances.names
    assert back.domains == performances.domains
    np.testing.assert_array_equal(back.counts, performances.counts)
    before = page.run("location.hash")
    page.page.locator("input[type=file]").set_input_files({"name": "x.csv", "mimeType": "text/csv", "buffer": table})
    page.until("document.querySelector('.notice').textContent.includes('Your table')")
    page.settle()
    assert page.run("location.hash") == before  # the same data have the same hash
    page.quiet()


def test_exports_are_what_is_shown(opened: Opener) -> None:
    page = opened(models(), "#a=1&b=0.8")
    expected = rs.rank(models(), by="f2")
    header, *rows = saved(page, "Leaderboard CSV").decode().splitlines()
    plain, sure = rs.rank(models(), by="f2"), rs.uncertainty.rank_intervals(models(), "f2", draws=200)
    frames = [*plain.frame().columns, *(c for c in sure.frame().columns if c != "p_undefined")]
    assert header.split(",")[:12] == list(dict.fromkeys([*frames[:6], "low", "high", "p_first", *frames]))
    drawn = {row.split(",")[1]: [int(x) for x in row.split(",")[6:8]] for row in rows}
    assert drawn == dict(zip(sure.names, np.stack([sure.low, sure.high], axis=1).astype(int).tolist(), strict=True))
    found = [(int(row.split(",")[0]), row.split(",")[1], float(row.split(",")[2])) for row in rows]
    assert [name for _, name, _ in found] == list(expected)
    for rank, name, value in found:
        assert rank == expected[name]
        assert value == pytest.approx(expected.values[expected.names.index(name)], abs=TOLERANCE)
    table = saved(page, "Leaderboard CSV")
    assert set(rs.read(io.BytesIO(table)).names) == set(models().names)
    document = json.loads(saved(page, "Everything JSON"))
    schema = json.loads(files("rankscape._report.schemas").joinpath("explorer-1.json").read_text("utf-8"))
    assert not [error.message for error in Draft202012Validator(schema).iter_errors(document)]
    assert sum(region["area"] for region in document["first"]) == pytest.approx(1, abs=1e-9)
    for name in ("Tile", "ROC", "PR"):
        svg = saved(page, f"{name} SVG").decode()
        assert svg.startswith("<svg")
        assert "<image" not in svg  # curves, not pixels
        assert saved(page, f"{name} PNG").startswith(b"\x89PNG")
    assert len(ElementTree.fromstring(saved(page, "Tile SVG").decode())) > 20
    take(page, table, "Your table")
    page.quiet()


MALFORMED = {
    "empty": ("", "is empty"),
    "blank": ("\n\n  \n", "is empty"),
    "binary": ("PK\x00\x03", "is no text"),
    "header only": ("entity,tn,fp,fn,tp\n", "no row below the header"),
    "missing column": ("entity,tn,fp,fn\na,1,2,3\n", "no column tp"),
    "double column": ("entity,tn,fp,fn,tp,TP\na,1,2,3,4,5\n", "The columns “tp” and “TP” all mean tp"),
    "negative": ("entity,tn,fp,fn,tp\na,1,-2,3,4\n", "Line 2 (“a”): fp = -2 is negative"),
    "grouped": (
        "entity;tn;fp;fn;tp\nbig;10.000;2.000;1.000;9.000\nsmall;900;250;100;800\n",
        "may mean 10000 or 10.000",
    ),
    "grouped by commas": ("entity;tn;fp;fn;tp\na;1,000;2,000;10;20\n", "may mean 1000 or 1.000"),
    "millions": ("entity;tn;fp;fn;tp\na;10,00,000;2;10;20\n", "has thousands separators"),
    "two signs": ("entity;tn;fp;fn;tp\na;0,5;0.2;0,1;0,2\n", "has a comma, but “0.2” in line 2 has a point"),
    "two columns of texts": (
        "who,team a,tn,fp,fn,tp\nx,u,1,2,3,4\ny,v,1,2,3,4\n",
        "there are texts in “who”, “team a”",
    ),
    "fractional": ("entity,tn,fp,fn,tp\na,1,2.5,3,4\n", "expected whole counts"),
    "no number": ("entity,tn,fp,fn,tp\na,1,2%,3,4\n", "“2%” is no number"),
    "not a number": ("entity,tn,fp,fn,tp\na,1,nan,3,4\n", "fp is missing"),
    "missing cell": ("entity,tn,fp,fn,tp\na,1,,3,4\n", "fp is missing"),
    "zeros": ("entity,tn,fp,fn,tp\na,0,0,0,0\n", "zeros only"),
    "ragged": ("entity,tn,fp,fn,tp\na,1,2,3,4\nb,1,2,3\n", "Line 3 has 4 cells; expected 5"),
    "twice": ("entity,tn,fp,fn,tp\na,1,2,3,4\na,1,2,3,4\n", "is there twice"),
    "twice on a domain": ("domain,entity,tn,fp,fn,tp\nd,a,1,2,3,4\nd,a,1,2,3,4\n", "on “d” is there twice"),
    "no name": ("entity,tn,fp,fn,tp\n ,1,2,3,4\n", "has no name"),
    "open quote": ('entity,tn,fp,fn,tp\n"a,1,2,3,4\n', "never closed"),
    "sums": ("entity,tn,fp,fn,tp\na,0.5,0.2,0.2,0.2\n", "sum to 1.1"),
    "infinite": ("entity,tn,fp,fn,tp\na,1e999,2,3,4\n", "too large"),
    "hostile": ("entity,tn,fp,fn,tp\n<img src=x onerror=alert(1)>,x,2,3,4\n", "<img src=x"),
    "too large": ("x" * 20_000_001, "20 MB; expected at most 20"),
}


def test_malformed_tables_are_answered_by_one_sentence(opened: Opener, tmp_path: Path) -> None:
    page = opened(models())
    before = page.state()
    table = tmp_path / "x.csv"  # a file, for playwright takes seconds for a buffer of 20 MB
    for name, (text, sentence) in MALFORMED.items():
        table.write_bytes(text.encode())
        page.page.locator("input[type=file]").set_input_files(table)
        page.until("(part) => document.querySelector('.notice').textContent.includes(part)", sentence)
        said = page.page.locator(".notice").inner_text()
        assert said.endswith("."), name
        assert "\n" not in said, name
        page.run("document.querySelector('.notice').textContent = ''")
    assert page.state() == before
    assert page.run("rankscape.view().set.n") == 14
    page.quiet()


@pytest.mark.some(4)
@pytest.mark.parametrize(
    "text",
    [
        "\ufeffmodel;TN;FP;FN;TP\r\nunet;50;10;5;35\r\nsegnet;45;15;2;38\r\n",
        "model;TN;FP;FN;TP\nunet;0,5;0,1;0,05;0,35\nsegnet;0,45;0,15;0,02;0,38\n",
        'Method\ttrue negatives\tfalse_positives\tmisses\thits\n"unet"\t50\t10\t5\t35\nsegnet\t45\t15\t2\t38',
        "tp,fn,fp,tn\n35,5,10,50\n38,2,15,45\n",
        "sep=;\nmodel;TN;FP;FN;TP\nunet;50;10;5;35\nsegnet;45;15;2;38\n",
        "Submission|tn|fp|fn|tp\nunet|50|10|5|35\nsegnet|45|15|2|38\n",
    ],
    ids=["semicolons", "decimal commas", "tabs", "no names", "as Excel says it", "bars and an unknown header"],
)
def test_other_spellings_of_a_table_are_read(opened: Opener, text: str) -> None:
    page = opened(models())
    page.page.locator("input[type=file]").set_input_files(
        {"name": "x.csv", "mimeType": "text/csv", "buffer": text.encode()}
    )
    page.until("document.querySelector('.notice').textContent.includes('Your table')")
    mass = page.run("Array.from(rankscape.view().set.p)")
    np.testing.assert_allclose(np.reshape(mass, (2, 4)), [[0.5, 0.1, 0.05, 0.35], [0.45, 0.15, 0.02, 0.38]], atol=1e-15)


def test_everything_is_reached_by_keys(opened: Opener) -> None:
    page = opened(models(), "#a=0.5&b=0.5", viewport={"width": 1300, "height": 900})
    keyboard = page.page.keyboard
    reached = []
    for _ in range(150):
        keyboard.press("Tab")
        found = page.run(
            "() => { const e = document.activeElement; if (!e || e === document.body) return null;"
            " const s = getComputedStyle(e);"
            " return [e.tagName, e.getAttribute('aria-label') ?? e.textContent.trim().slice(0, 30), s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2]; }"
        )
        if found is None:
            break
        reached.append(found)
    assert all(visible for _, _, visible in reached)
    labels = " | ".join(label for _, label, _ in reached)
    for wanted in (
        "What the Tile shows",
        "The Tile: all preferences",
        "Find a method",
        "A named score",
        "a: from",
        "False alarms".lower(),
        "Importance of tp",
        "Share of positives",
        "What a miss costs",
        "an F-score",
        "screening 10",
        "Reset",
        "Copy link",
        "Export",
        "Your own table",
        "The Tile as a table",
        "Pin model",
    ):
        assert wanted in labels, wanted
    page.page.locator(".tile canvas").nth(1).focus()
    for key, (a, b) in {
        "ArrowRight": (0.51, 0.5),
        "ArrowUp": (0.51, 0.51),
        "Shift+ArrowLeft": (0.41, 0.51),
        "Alt+ArrowDown": (0.41, 0.509),
        "Home": (0.5, 0.5),
    }.items():
        keyboard.press(key)
        assert [page.state()[x] for x in "ab"] == pytest.approx([a, b], abs=1e-9)
    keyboard.press("Enter")
    leader = page.run("rankscape.view().set.rows[rankscape.view().leader]")
    assert page.state()["selected"] == leader
    keyboard.press("p")
    assert page.state()["pinned"] == leader
    keyboard.press("Escape")
    assert page.state()["selected"] is None
    page.settle()
    assert page.page.locator(".unseen[aria-live=polite]").inner_text() == lead(page)
    page.quiet()


def test_a_click_on_a_region_selects_and_a_drag_moves(opened: Opener) -> None:
    page = opened(models(), viewport={"width": 1300, "height": 900})
    box = page.page.locator(".tile canvas").nth(1).bounding_box()
    page.page.mouse.click(box["x"] + 200, box["y"] + 200)
    first = page.state()
    regions = rs.regions.first(models())
    assert page.run("rankscape.view().data.entities[rankscape.state().selected]") in regions.at(first["a"], first["b"])
    page.page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + 300, box["y"] + 150, steps=5)
    page.page.mouse.up()
    assert page.state()["a"] > first["a"]
    assert page.state()["b"] > first["b"]
    assert "is first" in page.page.locator(".hover").inner_text()
    page.quiet()


def test_four_editors_are_one_preference(opened: Opener) -> None:
    page = opened(models())
    labeled = page.page.get_by_label
    labeled("A named score").select_option("f2")
    assert (page.state()["a"], page.state()["b"]) == (1, 0.8)
    page.settle()
    assert labeled("How many false alarms a miss counts as").input_value() == "4"
    assert labeled("β of an F-score").input_value() == "2"
    assert labeled("Importance of fn").input_value() == "0.8"
    labeled("What a miss costs, in false alarms").fill("5")
    assert [page.state()[x] for x in "ab"] == pytest.approx([5 / 6, 5 / 6])
    labeled("Importance of tn").fill("3")
    labeled("Importance of tp").fill("1")
    page.settle()
    assert page.state()["a"] == 0.25
    labeled("Share of positives in percent").fill("12")
    assert page.state()["prior"] == 0.12
    page.page.get_by_role("button", name="as measured").click()
    assert page.state()["prior"] is None
    page.quiet()


@pytest.mark.some(2)
@pytest.mark.parametrize("count", ["one", "undefined", "two equal"])
def test_odd_sets_are_shown(opened: Opener, count: str) -> None:
    sets = {
        "one": rs.Performances.from_counts([[50, 10, 5, 35]]),
        "undefined": rs.Performances.from_counts([[5, 0, 0, 0], [0, 3, 2, 0], [4, 0, 1, 0]]),
        "two equal": rs.Performances.from_counts([[5, 1, 1, 5], [5, 1, 1, 5]]),
    }
    page = opened(sets[count])
    for view in page.run("[...document.querySelectorAll('.tile optgroup option')].map((option) => option.value)"):
        show = "rankscape.set({ flavor, a, b, selected: 0, pinned: 0, uncertainty: true });"
        places = "[[0, 0], [1, 0], [0, 1], [1, 1], [0.3, 0.3]]"
        page.run(f"async (flavor) => {{ for (const [a, b] of {places}) {{ {show} await {SETTLED}; }} }}", view)
    page.quiet()


@pytest.mark.some(1)
def test_every_flavor_is_the_map_of_python(opened: Opener) -> None:
    performances = models()
    page = opened(performances)
    maps = {
        "value": rs.tile.value(performances, "model 1", resolution=101),
        "ranking": rs.tile.ranking(performances, "model 1", resolution=101),
        "best": rs.tile.best(performances, resolution=101),
        "worst": rs.tile.worst(performances, resolution=101),
        "no_skill": rs.tile.no_skill(prior=performances.common_prior(), resolution=101),
        "difference": rs.tile.difference(performances, "model 1", "model 3", resolution=101),
        "margin": rs.tile.margin(performances, resolution=101),
        "regret": rs.tile.regret(performances, "model 1", resolution=101),
        "no_skill_prior": rs.tile.no_skill_prior(resolution=101),
        "correlation": rs.tile.correlation("mcc", performances, resolution=41),
    }
    for flavor, expected in maps.items():
        page.run("([flavor]) => rankscape.set({ flavor, selected: 1, pinned: 3, score: 'mcc' })", [flavor])
        page.settle()
        page.until("rankscape.pictures.ready()")
        found = np.array(
            page.run("Array.from(rankscape.pictures.map().values, (x) => (Number.isNaN(x) ? null : x))"), dtype=float
        )
        found = found.reshape(expected.values.shape)
        inner = (slice(1, -1), slice(1, -1))  # on the sides of the Tile, ties and undefined scores are decided exactly
        if flavor == "ranking":
            np.testing.assert_array_equal(found, expected.values)
        else:
            np.testing.assert_allclose(
                found[inner], expected.values[inner], rtol=0, atol=1e-9, equal_nan=True, err_msg=flavor
            )
    page.quiet()


@needs_axe
def test_axe_finds_nothing_serious(browser: Any, tmp_path: Path) -> None:
    path = rs.explore(on_domains(), tmp_path / "explorer.html")
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(path.as_uri())
    page.evaluate("rankscape.set({ selected: 0, pinned: 1, uncertainty: true })")
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    page.evaluate(SETTLED)
    assert serious(page) == []
    context.close()


@pytest.mark.some(3)
@pytest.mark.parametrize("width", [360, 768, 1200, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out(opened: Opener, width: int, scheme: str) -> None:
    page = opened(on_domains(), viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    assert page.run("document.documentElement.scrollWidth") <= width
    boxes = page.run(
        "[...document.querySelectorAll('.panel fieldset')].map((box) => box.scrollWidth - box.clientWidth)"
    )
    assert max(boxes) <= 1
    page.quiet()


FAKE_MODEL = """async ({ code, values }) => {
  const module = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  const listeners = {};
  globalThis.values = values;
  globalThis.saves = 0;
  globalThis.model = {
    get: (key) => globalThis.values[key],
    set: (key, value) => (globalThis.values[key] = value),
    save_changes: () => globalThis.saves++,
    on: (event, listener) => (listeners[event] = listener),
    off: (event) => delete listeners[event],
  };
  globalThis.fromPython = (key, value) => { globalThis.values[key] = value; listeners[`change:${key}`]?.(); };
  globalThis.stop = module.default.render({ model: globalThis.model, el: document.getElementById("cell") });
  globalThis.listeners = listeners;
}"""


def test_the_widget_goes_both_ways(browser: Any) -> None:
    context = browser.new_context(offline=True)
    page = Opened(context.new_page())
    page.page.set_content("<style></style><div id='cell' style='width: 900px'></div>")
    data = json.dumps(build.payload(models()))
    start = {
        "a": 0.3,
        "b": 0.6,
        "prior": None,
        "selected": "model 4",
        "pinned": None,
        "flavor": "entity",
        "uncertainty": False,
    }
    page.run(
        FAKE_MODEL,
        {
            "code": document.bundle("story", "widget") + "\nexport default { render };\n",
            "values": {**start, "_data": data, "_title": "Here", "_start": "{}"},
        },
    )
    assert page.page.locator("h1").inner_text() == "Here"
    page.until("document.querySelector('tr.selected button.entity')?.textContent === 'model 4'")
    page.run("fromPython('selected', 'model 2')")
    page.until("document.querySelector('tr.selected button.entity')?.textContent === 'model 2'")
    page.run("document.querySelector('details.more').open = true")
    page.page.get_by_label("A named score").select_option("f2")
    page.until("values.a === 1 && values.b === 0.8 && saves > 0")
    page.page.get_by_role("button", name="model 7", exact=True).first.click()
    page.until("values.selected === 'model 7'")
    page.run("stop()")
    assert page.run("Object.keys(listeners).length") == 0
    assert page.said == []
    context.close()


def test_a_table_dropped_anywhere_is_shown_and_found(opened: Opener) -> None:
    page = opened(models(), "#a=0.5&b=0.5")
    page.run(
        """(text) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([text], "mine.csv", { type: "text/csv" }));
          const event = (name) => new DragEvent(name, { dataTransfer: transfer, bubbles: true, cancelable: true });
          document.querySelector(".board").dispatchEvent(event("dragover"));
          document.querySelector(".board").dispatchEvent(event("drop"));
        }""",
        "entity,tn,fp,fn,tp\n" + "".join(f"mine {i},{50 + i},10,5,35\n" for i in range(60)),
    )
    page.until("rankscape.view().set.n === 60")
    visible = "[...document.querySelectorAll('.board tbody tr')].filter((row) => !row.hidden).length"
    assert page.run(visible) == 14
    page.page.get_by_role("button", name="Show 46 more of 60").click()
    assert page.run(visible) == 60
    page.page.get_by_label("Find a method").fill("mine 41")
    assert page.run(visible) == 1
    assert page.page.locator("td.rank").first.inner_text() == "19"
    page.quiet()


def take(page: Opened, table: str | bytes, says: str) -> str:
    """Let the page take a table, wait until its notice holds some words, and return the notice."""
    buffer = table.encode() if isinstance(table, str) else table
    page.run("document.querySelector('.notice').textContent = ''")
    page.page.locator("input[type=file]").set_input_files({"name": "x.csv", "mimeType": "text/csv", "buffer": buffer})
    page.until("(part) => document.querySelector('.notice').textContent.includes(part)", says)
    page.settle()
    return str(page.page.locator(".notice").inner_text())


def lead(page: Opened) -> str:
    page.settle()
    page.settle()
    return str(page.run("['.lead', '.about'].map((part) => document.querySelector(part).textContent).join('. ')"))


def test_entries_that_make_no_sense_are_told_and_restored(opened: Opener) -> None:
    page = opened(on_domains(), "#a=0.5&b=0.5")
    labeled = page.page.get_by_label
    problems = page.page.locator(".problem:not(:empty)")
    for label, entry, before, sentence in (
        ("Importance of tn", "-1", "0.5", "-1 is not used; expected 0 or more"),
        ("How many false alarms a miss counts as", "", "1", "it is empty; expected a number"),
        ("β of an F-score", "-2", "", "-2 is not used"),
        ("Share of positives in percent", "100", None, "expected 0.0001 to 99.9999"),
        ("Weight of d1", "-3", "1", "not all of them 0"),
        ("Weight of d1", "1e9", "1", "below 10⁹"),
    ):
        field = labeled(label, exact=True)
        start, shown = page.state(), field.input_value()
        assert before is None or shown == before
        field.fill(entry)
        assert field.get_attribute("aria-invalid") == "true"
        assert sentence in problems.inner_text()
        assert problems.get_attribute("aria-live") == "polite"
        field.blur()
        page.settle()
        assert (field.input_value(), field.get_attribute("aria-invalid")) == (shown, None), label
        assert problems.count() == 0  # nothing red is left beside a number that makes sense
        assert page.state() == start, label
        field.fill("3")
        field.blur()
        assert problems.count() == 0
        page.run("rankscape.set({ a: 0.5, b: 0.5, weights: null, prior: null })")
        page.settle()
    labeled("Importance of tn").fill("-1")
    labeled("Importance of tp").fill("2")
    page.settle()
    assert page.state()["a"] == 0.8  # of 0.5 and 2, not of −1 and 2
    labeled("Importance of tn").fill("0")
    labeled("Importance of tp").fill("0")
    assert "tn and tp not both 0" in problems.inner_text()
    page.quiet()


def test_a_prior_near_certainty_has_a_link_that_works(opened: Opener) -> None:
    page = opened(models())
    share = page.page.get_by_label("Share of positives in percent")
    share.fill("99.99999")
    assert page.state()["prior"] is None
    for typed, expected in (("99.9999", 1 - 1e-6), ("99.9985", 0.999985), ("0.0001", 1e-6)):
        share.fill(typed)
        share.blur()
        page.settle()
        assert page.state()["prior"] == pytest.approx(expected, rel=1e-15)
        assert float(share.input_value()) == float(typed)
        again = opened(models(), page.run("location.hash"))
        assert again.state()["prior"] == page.state()["prior"]
        assert again.page.locator(".notice").inner_text() == ""
        assert f"Shifted to {typed}" in again.page.locator(".panel").inner_text()
    page.quiet()


def test_an_incomplete_table_is_told(opened: Opener) -> None:
    page = opened(models())
    header = "entity,domain,tn,fp,fn,tp\n"
    said = take(page, header + "A,x,5,1,2,6\nA,y,4,4,2,2\nB,x,6,2,1,5\n", "Your table")
    assert "B lacks y" in said
    assert "Shown: x; without weight: y." in said
    assert page.run("rankscape.view().weights") == [1, 0]
    assert "lacks" not in take(page, header + "A,x,5,1,2,6\nB,x,6,2,1,5\n", "Your table")
    said = take(page, header + "A,x,5,1,2,6\nB,y,6,2,1,5\n", "Your table")
    assert "A lacks y, B lacks x" in said
    assert "not compared: B" in said
    page.quiet()


def test_other_encodings_are_read_or_named(opened: Opener) -> None:
    page = opened(models())
    table = "entity,tn,fp,fn,tp\nplain,3,1,2,6\nmodèle,5,1,2,6\n"
    said = take(page, table.encode("latin-1"), "UTF-8")
    assert "Line 3" in said
    assert "Latin-1" in said
    assert page.run("rankscape.view().set.n") == 14
    for encoding in ("utf-16", "utf-8-sig", "utf-8"):
        take(page, table.encode(encoding), "Your table")
        assert page.run("rankscape.view().data.entities") == ["plain", "modèle"]
    take(page, b"\xfe\xff" + table.encode("utf-16-be"), "Your table")
    assert page.run("rankscape.view().data.entities") == ["plain", "modèle"]
    assert "no text" in take(page, b"\x89PNG\x00\xff", "text")
    page.quiet()


def test_kappa_orders_and_the_value_is_that_of_the_ranking_score(opened: Opener) -> None:
    performances = models()
    page = opened(performances)
    page.page.get_by_label("A named score").select_option("kappa")
    said = lead(page)
    expected = rs.rank(performances, by="kappa")
    place = rs.locate("kappa", prior=performances.common_prior())
    value = max(rs.rank(performances, by=rs.at(*place)).values)
    assert said.startswith(f"{next(iter(expected))} is first if a miss is worth 1 false alarm (order of Cohen’s κ)")
    assert f"Cohen’s κ {max(expected.values):.3f}; value of the ranking score R(a, b) {value:.3f}" in said
    assert "they are not Cohen’s κ" in page.page.locator(".board .note").last.inner_text()
    page.page.get_by_label("A named score").select_option("ba")
    assert "false alarms (Balanced accuracy)" in lead(page)
    page.quiet()


def test_the_headline_says_shares_of_all_who_tie_or_none(opened: Opener) -> None:
    page = opened(rs.Performances.from_counts([[6, 2, 1, 3], [5, 1, 2, 4], [7, 3, 0, 2], [1, 1, 5, 5]]), "#a=0.5&b=0.5")
    said = lead(page)
    assert said.startswith("P1 = P2 = P3 are first if a miss costs 1 false alarm (Accuracy). ")
    assert "Accuracy 0.750. They tie for this preference, not for all." in said
    assert "%" not in said
    assert "Holds" not in said
    twins = opened(rs.Performances.from_counts([[6, 2, 1, 3], [12, 4, 2, 6], [1, 1, 5, 5]]), "#a=0.5&b=0.5")
    assert lead(twins).startswith("P1 = P2 are first")
    assert "First for" in lead(twins)


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", ["prediction", "correct"])
def test_the_page_says_what_was_read(opened: Opener, kind: str) -> None:
    rows = {"id": list("abcd"), "y": [0, 0, 1, 1], "m": [0, 1, 1, 1], "n": [0, 0, 0, 1], "site": list("xyxy")}
    columns: dict[str, Any] = {kind: ["m", "n"]} | ({"truth": "y"} if kind == "prediction" else {})
    P = rs.cases(rows, case="id", **columns).count()
    assert P.account is not None
    page = opened(P)
    shown = page.page.locator(".note, .notes").all_inner_texts()
    assert any(f"{P.account.sentence()}." in text for text in shown), shown
    page.quiet()


def test_views_of_somebody_show_somebody(opened: Opener) -> None:
    page = opened(models())
    needing = ("value", "ranking", "skill", "regret", "p_first", "difference")
    for flavor in needing:
        page.run("([flavor]) => rankscape.set({ flavor: 'entity', selected: null, pinned: null })", [flavor])
        page.page.get_by_label("What the Tile shows").select_option(flavor)
        page.settle()
        page.until("rankscape.pictures.ready()")
        assert page.state()["selected"] == page.run("rankscape.view().set.rows[rankscape.view().leader]")
        assert "somebody" not in page.page.locator(".lack").inner_text(), flavor
        assert (page.state()["pinned"] is not None) == (flavor == "difference")
    disabled = "[...document.querySelectorAll('.tile optgroup option:disabled')].map((option) => option.value)"
    assert page.run(disabled) == ["easiest", "hardest", "preponderant", "bottleneck"]
    mass = opened(rs.Performances.from_probabilities([[0.5, 0.1, 0.1, 0.3]]))
    wanted = {
        "easiest",
        "hardest",
        "preponderant",
        "bottleneck",
        "p_first",
        "difference",
        "margin",
        "correlation",
    }
    assert set(mass.run(disabled)) == wanted
    assert opened(on_domains()).run(disabled) == []
    page.quiet()


def test_the_legend_says_what_is_drawn(opened: Opener) -> None:
    perfect = rs.Performances.from_counts([[60, 0, 0, 40], [50, 10, 5, 35]], names=["A", "B"])
    legend = opened(perfect).page.locator(".legend").inner_text()
    assert legend == "A 100\u00a0%"
    hatched = rs.Performances.from_counts([[50, 10, 20, 20], [40, 20, 10, 30]], names=["A", "B"])
    page = opened(hatched)
    assert "hatched" in page.page.locator(".legend").inner_text()
    page.run("rankscape.set({ flavor: 'entity_last' })")
    page.settle()
    page.until("rankscape.pictures.ready() && document.querySelector('.lack').textContent.includes('grid')")
    assert "B ≈ " in page.page.locator(".legend").inner_text()
    assert "201 × 161" in page.page.locator(".lack").inner_text()


def test_the_correlation_says_on_whom_it_is_computed(opened: Opener) -> None:
    rng = np.random.default_rng(0)
    page = opened(rs.Performances.from_counts(rng.integers(1, 90, size=(400, 4))), "#view=correlation")
    page.until("document.querySelector('.lack').textContent.includes('160 of the 400')")
    assert page.run("rankscape.pictures.ready()")


def test_names_from_right_to_left_are_isolated(opened: Opener) -> None:
    page = opened(rs.Performances.from_counts([[50, 10, 5, 35], [50, 12, 8, 30]], names=["מודל 7", "m"]))
    isolated = "\u2068מודל 7\u2069"
    assert f"{isolated} is first" in lead(page)
    assert isolated in page.run("document.querySelector('.legend').textContent")
    assert page.run("document.querySelector('button.entity bdi').textContent") == isolated
    assert "\u2068" not in saved(page, "Leaderboard CSV").decode()


def test_exports_are_safe_and_without_dust(opened: Opener) -> None:
    names = ["=1+1", "+x", "-y", "@z", "'=q", "plain"]
    counts = [[40, 8, 9, 43], [50, 10, 5, 35], [45, 15, 2, 38], [30, 30, 10, 30], [48, 12, 6, 34], [20, 40, 20, 20]]
    page = opened(rs.Performances.from_counts(counts, names=names), "#a=0.5&b=0.5&uncertainty=1")
    table = saved(page, "Leaderboard CSV").decode()
    header, *rows = [line.split(",") for line in table.splitlines()]
    found = {row[1]: dict(zip(header, row, strict=True)) for row in rows}
    assert set(found) == {"'=1+1", "'+x", "'-y", "'@z", "''=q", "plain"}
    assert (found["'+x"]["value"], found["'=1+1"]["value"], found["'-y"]["value"]) == ("0.85", "0.83", "0.83")
    assert [found[name]["behind_first"] for name in ("'+x", "'-y", "'@z")] == ["0", "0.02", "0.25"]
    assert [found["'=1+1"][outcome] for outcome in ("tn", "fp", "fn", "tp")] == ["0.4", "0.08", "0.09", "0.43"]
    first = [row["p_first"] for row in found.values()]
    assert sum(map(float, first)) == pytest.approx(1)
    assert all(len(share) <= 6 for share in first)  # of 2000 draws
    assert found["plain"]["flip_distance"] == ""
    assert float(found["'-y"]["flip_distance"]) > 0
    take(page, saved(page, "Data CSV"), "Your table")
    assert page.run("rankscape.view().data.entities") == names
    given = opened(rs.Performances.from_probabilities([[0.83, 0.07, 0.05, 0.05]]))
    row = saved(given, "Leaderboard CSV").decode().splitlines()[1].split(",")
    assert row[-4:] == ["0.83", "0.07", "0.05", "0.05"]
    assert row[header.index("p_first")] == ""


def test_the_page_shows_expected_costs_where_they_were_given(opened: Opener) -> None:
    P = rs.Performances.from_counts([[90, 5, 1, 4], [80, 15, 0, 5], [40, 20, 2, 38]], names=["a", "b", "c"])
    costs = rs.costs(miss=20, detection=-3, currency="€", per=10_000)
    page = opened(P, by=costs)
    read = "[...document.querySelectorAll('tbody tr:not([hidden]) td.cost')].map((cell) => cell.textContent)"
    by_name = dict(zip(costs.numbers(costs.expected(P)), P.names, strict=True))
    shown = [text.replace("\u00a0", " ") for text in page.run(read)]
    assert [by_name[text] for text in shown] == list(rs.rank(P, by=costs))
    assert page.run("document.querySelector('th.cost .sort').textContent") == "€ per 10 000 cases"
    assert "Expected cost: € -" in lead(page)
    assert "always use your costs, a miss € 20, a false alarm € 1, a detection € -3" in page.run(
        "rankscape.view().note"
    )
    rows = [line.split(",") for line in saved(page, "Leaderboard CSV").decode().splitlines()]
    column = rows[0].index("expected_cost")
    exact = dict(zip(P.names, costs.expected(P).tolist(), strict=True))
    assert {row[1]: float(row[column]) for row in rows[1:]} == pytest.approx(exact)
    page.run("rankscape.set({ prior: 0.2 })")
    page.settle()
    shifted = costs.expected(P.shift_priors(0.2))
    assert page.run("rankscape.view().costs.each(0)") == pytest.approx(shifted[0])
    take(page, "entity,tn,fp,fn,tp\nA,5,1,2,6\nB,6,2,1,5\n", "Your table")
    assert page.run("rankscape.view().costs.each(0)") == pytest.approx((1 + 40 - 18) / 14)
    plain = opened(P)
    assert not plain.page.locator("th.cost").is_visible()
    assert "Expected cost" not in lead(plain)


def test_the_copied_link_says_that_it_carries_no_table(opened: Opener) -> None:
    page = opened(models())
    copy = page.page.locator(".tools").get_by_role("button", name="Copy link", exact=True)
    status = "document.querySelector('.notice').textContent"
    copy.click()
    page.until(f"{status}.includes('link to this view')")
    assert "carry" not in page.run(status)
    assert "file on this machine" in page.run(status)
    take(page, "entity,tn,fp,fn,tp\nA,5,1,2,6\nB,6,2,1,5\n", "Your table")
    copy.click()
    page.until(f"{status}.includes('does not carry your table')")


def test_numbers_are_written_as_people_write_them(opened: Opener) -> None:
    page = opened(
        rs.Performances.from_counts(
            [[500000, 100000, 50000, 350000], [499999, 100001, 50000, 350000], [499900, 100100, 50000, 350000]]
        )
    )
    page.run("rankscape.set({ a: 0.5, b: 0.5001 })")
    assert "A detection counts as much as a correct rejection" in lead(page)
    assert page.run("document.querySelector('.board .find button').textContent") == ""
    assert page.run("document.querySelector('.lead').getAttribute('aria-hidden')") == "true"
    near = opened(models())
    assert "1/" not in lead(near)


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_the_pin_is_in_sight(opened: Opener, width: int) -> None:
    page = opened(on_domains(), viewport={"width": width, "height": 800})
    page.run("rankscape.set({ uncertainty: true })")
    page.settle()
    button = page.page.locator("button.pin").first.bounding_box()
    box = page.page.locator(".board .scroll").bounding_box()
    assert box["x"] <= button["x"]
    assert button["x"] + button["width"] <= box["x"] + box["width"]


def test_names_keep_away_from_one_another(opened: Opener) -> None:
    counts = [[50, 10, 5, 35], [49, 11, 5, 35], [50, 10, 6, 34]]
    page = opened(rs.Performances.from_counts(counts, names=["leader", "one of them", "other one"]))
    page.run("rankscape.set({ selected: 1, pinned: 2 })")
    page.settle()
    root = ElementTree.fromstring(page.run("rankscape.pictures.svg('roc')"))
    places = [float(t.get("y", "nan")) for t in root.iter() if t.text in ("one of them", "other one")]
    assert abs(places[0] - places[1]) >= 12
    tile = page.run("rankscape.pictures.svg('tile')")
    assert tile.count(">leader<") == 1  # a name is drawn once


def test_it_opens_where_it_is_asked_to(opened: Opener, tmp_path: Path) -> None:
    page = opened(models())
    assert [page.state()[x] for x in "ab"] == [1, 0.5]
    assert "is first by F₁. F₁ 0." in lead(page)
    for by, place in (("f2", (1, 0.8)), ("kappa", rs.locate("kappa", prior=1 / 3)), ([1, 1, 3, 1], (0.5, 0.75))):
        start = build.opening(prepare(models()), by)
        assert (start["a"], start["b"]) == pytest.approx(place)
    with pytest.raises(rs.errors.NoPlaceError, match="breaks the axioms"):
        rs.explore(models(), tmp_path / "x.html", by="mcc")
    with pytest.raises(rs.errors.NoPlaceError, match="only where priors are equal; here they go from 0.25 to 0.7"):
        rs.explore([[1, 2, 3, 4], [5, 1, 1, 1]], tmp_path / "x.html", by="kappa")


def dropped(page: Opened, text: str) -> None:
    page.page.locator("input[type=file]").set_input_files(
        {"name": "x.csv", "mimeType": "text/csv", "buffer": text.encode()}
    )
    page.until("document.querySelector('.notice').textContent.includes('Your table')")


def test_a_dropped_table_has_the_names_and_domains_of_the_command_line(opened: Opener, tmp_path: Path) -> None:
    rows = [("UNet", "x", "50,10,5,35"), ("SegNet", "x", "45,15,2,38"), ("UNet", "y", "50,12,5,35")]
    rows.append(("SegNet", "y", "45,15,2,38"))
    text = "Submission,Sequence,tn,fp,fn,tp\n" + "".join(f"{','.join(row)}\n" for row in rows)
    (tmp_path / "x.csv").write_text(text)
    expected = rs.rank(rs.read(tmp_path / "x.csv"), by="f1")
    page = opened(models())
    dropped(page, text)
    found = [row.split(",")[1] for row in saved(page, "Leaderboard CSV").decode().splitlines()[1:]]
    assert found == list(expected) == ["SegNet", "UNet"]


def test_whole_numbers_that_no_double_holds_stay_as_they_are(opened: Opener) -> None:
    page = opened(models())
    dropped(page, "entity,tn,fp,fn,tp\na,9007199254740993,1,2,3\nb,9007199254740992,1,2,3\n")
    assert "9007199254740993" in saved(page, "Data CSV").decode()


def test_decimals_of_a_dropped_table_tie_as_in_python_and_go_out_as_typed(opened: Opener) -> None:
    text = "entity,tn,fp,fn,tp\nA,.4,.1,.2,.3\nB,.5,.2,.1,.2\n"
    performances = rs.read(io.StringIO(text))
    expected = rs.rank(performances, by="accuracy").bounds.astype(int).tolist()
    assert expected == [[1, 2], [1, 2]]
    page = opened(models(), "#a=0.5&b=0.5")
    dropped(page, text)
    assert page.run("Array.from(rankscape.view().ranking.low)") == [1, 1]
    assert page.run("Array.from(rankscape.view().ranking.high)") == [2, 2]
    assert "A = B are first" in lead(page)
    link = page.run("location.hash")
    data = saved(page, "Data CSV").decode()
    assert data == "entity,tn,fp,fn,tp\nA,0.4,0.1,0.2,0.3\nB,0.5,0.2,0.1,0.2\n"
    assert [row.split(",")[-4:] for row in saved(page, "Leaderboard CSV").decode().splitlines()[1:]] == [
        ["0.4", "0.1", "0.2", "0.3"],
        ["0.5", "0.2", "0.1", "0.2"],
    ]
    document = json.loads(saved(page, "Everything JSON"))
    schema = json.loads(files("rankscape._report.schemas").joinpath("explorer-1.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(document)
    assert (document["data"]["counts"], document["data"]["tn"]) == (False, [4, 5])
    assert document["leaderboard"][0]["tn"] == 0.4
    dropped(page, data)
    assert page.run("location.hash") == link
    of_python = opened(performances)
    assert saved(of_python, "Data CSV").decode() == data
    page.quiet()


def test_json_is_read_and_other_files_are_told_the_way_out(opened: Opener) -> None:
    page = opened(models())
    take(page, '[{"model": "A", "tn": 9007199254740993, "fp": 1, "fn": 2, "tp": 3}]', "Your table")
    assert "A,9007199254740993,1,2,3" in saved(page, "Data CSV").decode()
    take(
        page,
        '{"model": "A", "tn": 0.1, "fp": 0.2, "fn": 0.3, "tp": 0.4}\n{"model": "B", "tn": 1, "fp": 0, "fn": 0, "tp": 0}\n',
        "Your table",
    )
    assert saved(page, "Data CSV").decode() == "entity,tn,fp,fn,tp\nA,0.1,0.2,0.3,0.4\nB,1,0,0,0\n"
    for content in (b"PAR1\x15\x04", b"\x1f\x8b\x08\x00", b"PK\x03\x04\x14"):
        assert take(page, content, "rankscape explore FILE").endswith(".")
    assert page.run("rankscape.view().data.entities") == ["A", "B"]
    page.quiet()


def test_weights_beyond_doubles_live_in_links_exports_and_editors(opened: Opener) -> None:
    P = on_domains()
    weights = {"d0": Fraction(1, 10**25 + 13), "d1": Fraction(1, 3), "d2": Fraction(2, 7)}
    expected = rs.rank(rs.summarize(P, weights), by="f1")
    page = opened(P, weights=weights)
    assert page.run("Array.from(rankscape.view().ranking.order, (i) => rankscape.view().set.names[i])") == list(
        expected
    )
    carried = page.run("rankscape.view().weights")
    assert carried == build.start_weights(prepare(P, weights=weights))
    page.run("rankscape.set({ uncertainty: true, flavor: 'bottleneck' })")
    page.settle()
    document = json.loads(saved(page, "Everything JSON"))
    schema = json.loads(files("rankscape._report.schemas").joinpath("explorer-1.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(document)
    assert document["weights"] == document["state"]["weights"] == carried
    again = opened(P, page.run("location.hash"), weights=weights)
    assert again.page.locator(".notice").inner_text() == ""
    assert again.run("rankscape.view().weights") == carried
    again.page.get_by_label("Weight of d0", exact=True).fill("3")
    again.settle()
    assert again.run("rankscape.view().weights") == [3, *carried[1:]]
    page.quiet()


ON_THE_SIDES = {
    "never": [[80, 10, 3, 7], [85, 5, 6, 4], [90, 0, 10, 0]],
    "always": [[80, 10, 3, 7], [85, 5, 6, 4], [0, 90, 0, 10]],
    "nothing right": [[80, 10, 3, 7], [0, 10, 20, 0], [0, 30, 0, 0]],
    "one class": [[80, 10, 0, 0], [85, 5, 0, 0], [70, 20, 0, 0]],
    "ties at the middle": [[12, 8, 10, 10], [5, 15, 18, 2], [19, 1, 19, 1], [9, 11, 7, 13], [6, 14, 12, 8]],
}


@pytest.mark.some(4)
@pytest.mark.parametrize("rows", ON_THE_SIDES.values(), ids=list(ON_THE_SIDES))
def test_ranks_are_those_of_python_on_the_sides_of_the_tile_too(opened: Opener, rows: list[list[int]]) -> None:
    performances = rs.Performances.from_counts(rows, names=[f"m{i}" for i in range(len(rows))])
    page = opened(performances)
    for index, name in enumerate(performances.names):
        expected = rs.tile.ranking(performances, name, resolution=101).values
        page.run("([selected]) => rankscape.set({ flavor: 'ranking', selected })", [index])
        page.settle()
        page.until("rankscape.pictures.ready()")
        found = page.run("Array.from(rankscape.pictures.map().values, (x) => (Number.isNaN(x) ? null : x))")
        np.testing.assert_array_equal(np.array(found, dtype=float).reshape(101, 101), expected, err_msg=name)


@pytest.mark.parametrize("order", ["BAC", "ABC", "CBA"])
def test_the_flip_of_those_who_tie_for_first_is_their_own(opened: Opener, order: str) -> None:
    rows = {"A": [95, 5, 0, 100], "B": [60, 40, 0, 100], "C": [100, 0, 10, 90]}
    page = opened(rs.Performances.from_counts([rows[name] for name in order], names=list(order)), "#a=1&b=1")
    header, *lines = (line.split(",") for line in saved(page, "Leaderboard CSV").decode().splitlines())
    flips = {line[1]: line[header.index("flip_distance")] for line in lines}
    assert float(flips["A"]) == pytest.approx(0.689, abs=5e-4)
    assert flips["B"] == "0"  # first at the corner only


def test_two_are_compared_in_the_numbers_of_python(opened: Opener) -> None:
    performances, names = models(), ("model 1", "model 8")
    pair = performances[np.isin(np.array(performances.names), list(names))]
    shares = rs.tile.entity(pair).shares
    values = dict(zip(pair.names, rs.score("f1")(pair), strict=True))
    page = opened(performances, "#a=1&b=0.5&selected=model 1&pinned=model 8")
    said = page.page.locator(".compared").inner_text()
    better = "better" if values[names[0]] > values[names[1]] else "worse"
    difference = re.search(rf"{better} than model 8 by ([0-9]+\.[0-9]+)", said)
    assert difference is not None, said
    assert float(difference[1]) == pytest.approx(abs(values[names[0]] - values[names[1]]), rel=0.02)
    for found, name in zip(re.findall(r"([0-9.]+)\s%", said), names, strict=True):
        assert float(found) == pytest.approx(100 * shares[name], abs=0.06)


def test_the_headline_holds_as_long_as_python_says(opened: Opener) -> None:
    performances = rs.datasets.classifiers().in_domain("breast cancer")
    for place, by in (("#a=1&b=0.48", rs.at(1, 0.48)), ("#a=0.5&b=0.9", rs.at(0.5, 0.9))):
        low, high = rs.regions.flips(performances, by=by).along_b
        page = opened(performances, place)
        said = page.page.locator(".about").inner_text()
        found = [float(number) for number in re.findall(r"(?:least|most|as|weighs|to) ([0-9.]+)(?= |\.)", said)]
        expected = [b / (1 - b) for b in (low, high) if 0 < b < 1]
        assert found[-len(expected) :] == pytest.approx(expected, rel=0.01), said


REACH = """(() => {
  const [slider] = document.querySelectorAll(".reach input");
  const mark = document.querySelector(".reach i");
  const [track, part] = [mark.parentElement, mark].map((element) => element.getBoundingClientRect());
  const shown = getComputedStyle(mark.parentElement).visibility === "visible";
  const at = (x) => Number(slider.min) + (Number(slider.max) - Number(slider.min)) * (x - track.left) / track.width;
  return shown ? [part.left, part.right].map((x) => 1 / (1 + Math.exp(-at(x)))) : null;
})()"""


def test_the_slider_of_the_prior_marks_where_the_first_stays_first(opened: Opener) -> None:
    P = rs.Performances.from_counts([[836, 44, 12, 108], [792, 88, 4, 116], [871, 9, 40, 80]], names=list("ABC"))
    page = opened(P)
    note = page.page.locator(".panel .note").first
    for state, by, prior in (
        ({}, "f1", None), ({"prior": 0.01}, "f1", 0.01), ({"a": 0.5, "b": 0.8, "prior": 0.2}, rs.at(0.5, 0.8), 0.2)
    ):  # fmt: skip
        page.run("(state) => rankscape.set(state)", state)
        page.settle()
        changes = rs.regions.prior_flips(P if prior is None else P.shift_priors(prior), by=by)
        (winner,) = changes.first
        text = note.inner_text()
        assert f"{winner} stays first" in text
        found = [float(number) for number in re.findall(r"([0-9.]+)\s%", text.partition("stays first")[2])]
        ends = [end for end in changes.stays if 0 < end < 1]
        assert found == pytest.approx([100 * end for end in ends], rel=0.01)
        for _, _, names in changes.beyond():
            assert f" it, {names[0]}" in text
        marked = [np.clip(end, 0.00092, 0.99908) for end in changes.stays]
        assert page.run(REACH) == pytest.approx(marked, rel=0.05, abs=1e-4)
    page.run("rankscape.set({ a: 0.5, b: 0.5, prior: null })")
    page.settle()
    page.quiet()


def test_the_slider_marks_nothing_where_priors_differ_or_entities_tie(opened: Opener) -> None:
    page = opened(rs.Performances.from_counts([[836, 44, 12, 108], [792, 88, 40, 116]], names=list("AB")))
    assert page.run(REACH) is None
    assert "stays first" not in page.page.locator(".panel .note").first.inner_text()
    page = opened(rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 2, 8]], names=list("AB")), "#a=0&b=0&prior=0.5")
    assert page.run(REACH) is not None
    page = opened(rs.Performances.from_counts([[9, 1, 4, 6], [8, 2, 3, 7]], names=list("AB")), "#a=0.5&b=0.5")
    assert page.run(REACH) is None


def test_shares_are_shown_at_one_half_too(opened: Opener) -> None:
    P = models()
    page = opened(P, "#a=0.5&b=0.5")
    page.run("rankscape.set({ prior: 0.02 })")
    page.settle()
    rows = page.run(
        """[...document.querySelectorAll(".board tbody tr")].filter((row) => !row.hidden)
        .map((row) => ["button.entity", "td.area", "td.even"].map((cell) => row.querySelector(cell).textContent))"""
    )
    here, even = (rs.regions.first(P.shift_priors(prior)).areas for prior in (0.02, 0.5))
    for name, *shares in rows:
        for text, areas in zip(shares, (here, even), strict=True):
            shown = float(re.sub(r"[^0-9.]", "", text) or 0)
            assert shown == pytest.approx(100 * areas.get(name, 0), abs=0.11)
    page = opened(rs.Performances.from_counts([[9, 1, 0, 0], [8, 2, 0, 0]]))
    assert not page.page.locator("th.even").is_visible()


def test_the_f_beta_editor_is_in_beta(opened: Opener) -> None:
    page = opened(models())
    field = page.page.get_by_label("β of an F-score")
    field.fill("2")
    field.press("Enter")
    page.settle()
    assert (page.state()["a"], page.state()["b"]) == (1, pytest.approx(0.8))


def test_draws_are_shifted_with_the_prior(opened: Opener) -> None:
    P = rs.Performances.from_counts([[86, 4, 4, 6], [70, 20, 1, 9]], names=["a", "b"])
    python = rs.uncertainty.rank_intervals(P, "f1", shift_prior=0.8)
    page = opened(P, "#a=1&b=0.5&prior=0.8", draws=2000)
    header, *lines = (line.split(",") for line in saved(page, "Leaderboard CSV").decode().splitlines())
    first = {line[1]: float(line[header.index("p_first")]) for line in lines}
    assert first["a"] == pytest.approx(python.p_first[0], abs=1e-9)


def test_it_says_how_sure_for_the_weights_it_was_opened_with(opened: Opener) -> None:
    P = rs.datasets.classifiers()
    page = opened(P, "#uncertainty=1", weights="size", draws=2000)
    note = "[...document.querySelectorAll('.board .note')].map((one) => one.textContent).join(' ')"
    assert "Drawn: new samples of cases" in page.run(note)
    assert "2000 draws; seed 0; methods pooled" in page.run(note)
    python = rs.uncertainty.rank_intervals(P, "f1", weights="size")
    best = int(python.order[0])
    cells = "Array.from(document.querySelectorAll('.board tbody tr:first-child td.interval')).map((x) => x.textContent)"
    page.until(f"{cells}[0] !== ''")
    assert page.run(cells) == [f"{python.low[best]:g}–{python.high[best]:g}"]
    page.run("rankscape.set({ weights: rankscape.view().data.domains.map(() => 1) })")
    page.settle()
    assert "only for the weights that the page opened with" in page.run(note)
    assert page.run(cells) == [""]
    take(page, "entity,tn,fp,fn,tp\nA,5,1,2,6\nB,6,2,1,5\n", "Your table")
    page.settle()
    assert "takes simulated new samples" in page.run(note)


def test_an_entity_keeps_its_hue(opened: Opener) -> None:
    page = opened(models())
    hues = "Object.fromEntries(Array.from(rankscape.view().hue, ([i, hue]) => [rankscape.view().set.rows[i], hue]))"
    before = page.run(hues)
    page.run("rankscape.set({ prior: 0.9 })")
    page.settle()
    after = page.run(hues)
    common = before.keys() & after.keys()
    assert common
    assert {i: before[i] for i in common} == {i: after[i] for i in common}
    python = look.colors_of(models().names)
    assert {models().names[int(i)]: hue for i, hue in after.items()}.items() <= python.items()


def test_it_opens_with_the_weights_asked_for(opened: Opener) -> None:
    P = rs.datasets.classifiers()
    P = P[np.isin(np.array(P.domains), ["wine 0", "digit 8"])]
    expected = rs.rank(rs.summarize(P, {"wine 0": 3, "digit 8": 1}), by="f1")
    page = opened(P, weights={"wine 0": 3, "digit 8": 1})
    found = page.run("Array.from(rankscape.view().ranking.order, (i) => rankscape.view().set.names[i])")
    assert found[: len(expected)] == list(expected)
    assert page.run("rankscape.view().weights[0] / rankscape.view().weights[1]") in (3, pytest.approx(1 / 3))
    dropped(
        page,
        "entity,domain,tn,fp,fn,tp\na,x,5,1,1,3\na,y,5,1,1,3\na,z,5,1,1,3\nb,x,4,2,1,3\nb,y,4,2,2,2\nb,z,4,2,1,3\n",
    )
    assert page.run("rankscape.view().weights") == [1, 1, 1]
    page.quiet()


def test_it_opens_shifted_and_a_link_without_a_prior_means_the_measured_one(opened: Opener) -> None:
    P = rs.datasets.classifiers()
    P = P[np.isin(np.array(P.domains), ["wine 0", "digit 8"])]
    how = {"weights": {"wine 0": 3, "digit 8": 1}, "shift_prior": 0.02}
    expected = rs.rank(rs.domains.prepare(P, **how).performances, by="f1")
    page = opened(P, **how)
    order = "Array.from(rankscape.view().ranking.order, (i) => rankscape.view().set.names[i])"
    assert page.run(order)[: len(expected)] == list(expected)
    assert page.state()["prior"] == 0.02
    note = page.run("rankscape.view().note")
    assert "averaged over 2 domains with the weights under “More preferences”;" in note
    assert "Priors are shifted to 2\u00a0% positives after averaging." in note
    page.run("rankscape.set({ prior: null })")
    page.settle()
    again = opened(P, page.run("location.hash"), **how)
    assert (again.state()["prior"], again.state()["weights"]) == (None, page.state()["weights"])
    plain = rs.rank(rs.summarize(P, how["weights"]), by="f1")
    assert again.run(order)[: len(plain)] == list(plain)
    dropped(page, "entity,tn,fp,fn,tp\na,5,1,1,3\nb,4,2,1,3\n")
    assert page.state()["prior"] is None
    page.quiet()


@pytest.mark.parametrize("names", [["a", "b", "c"], HOSTILE[:3]])
def test_operating_points_of_one_model_share_a_hue(names: list[str], opened: Opener) -> None:
    rng = np.random.default_rng(0)
    y = (rng.random(300) < 0.3).astype(int)
    spread = [1 + 0.6 * y, 1.6 - 0.6 * y, np.full(300, 1.2)]
    scores = {name: y + rng.normal(0, 1, 300) * each for name, each in zip(names, spread, strict=True)}
    S = rs.sweep(y, scores)
    points = S.winning_points()
    page = opened(S, draws=0)
    hue = "Object.fromEntries(Array.from(rankscape.view().hue, ([i, hue]) => [rankscape.view().set.names[i], hue]))"
    ties = {name for tied in rs.regions.first(points.performances) if len(tied.names) > 1 for name in tied.names}
    for prior in (None, 0.7):
        page.run("(prior) => rankscape.set({ prior })", prior)
        page.settle()
        hues = page.run(hue)
        assert set(hues) == set(points.performances.names)
        owners = zip(points.performances.names, points.models, strict=True)
        of_models = {(model, hues[name]) for name, model in owners if name not in ties}
        assert len(of_models) == len({model for model, _ in of_models}) == len({color for _, color in of_models})
        parts = page.run("rankscape.view().parts.map(({ names, area }) => [names, area])")
        shares = points.shares(None if prior is None else Fraction(str(prior)))
        assert {tuple(models): area for models, area in parts} == pytest.approx(shares)
    legend = page.run("document.querySelectorAll('.tile .legend li').length")
    assert legend == len(shares) + page.run("document.querySelector('.legend').textContent.includes('hatched')")
    note = page.run("document.querySelector('.board .note:last-child').textContent")
    assert all(text in note for text in points.notes)
    most = max(set(points.models), key=points.models.count)
    hovered = page.run("rankscape.view().set.names")
    assert f"{most} at " in "".join(hovered)
    assert len(ElementTree.fromstring(page.run("rankscape.pictures.svg('tile')"))) > len(parts)
    for view in ("entity_at_rank", "entity"):
        page.run("(flavor) => rankscape.set({ flavor, rank: 2 })", view)
        page.until("rankscape.pictures.ready()")
    take(page, "entity,tn,fp,fn,tp\nA,5,1,2,6\nB,6,2,1,5\n", "Your table")
    page.settle()
    assert page.run("rankscape.view().parts === rankscape.view().regions")
    assert "on these cases" not in page.run("document.querySelector('.board .note:last-child').textContent")
    page.quiet()


def test_what_dethrones_the_winner_stands_only_where_it_holds(opened: Opener) -> None:
    weights = {"d0": 2, "d1": 1, "d2": 1}
    page = opened(on_domains(), weights=weights)
    text = f"{rs.domains.weightings(rs.domains.prepare(on_domains(), weights=weights), by='f1').about_ranges}."
    assert "If the weight of one domain changes" in text
    for patch, holds in (
        ({}, True),
        ({"b": 0.6}, False),
        ({"b": 0.5, "weights": [1, 1, 1]}, False),
        ({"weights": [2, 1, 1]}, True),
        ({"prior": 0.2}, False),
        ({"prior": None}, True),
    ):
        page.run("(patch) => rankscape.set(patch)", patch)
        page.settle()
        assert (text in page.page.locator(".board .note").last.inner_text()) == holds, patch
    dropped(page, "entity,domain,tn,fp,fn,tp\na,x,1,2,3,4\na,y,4,3,2,1\n")
    page.until("() => document.querySelector('.lead').textContent.includes('a is first')")
    page.settle()
    assert "If the weight of one domain" not in page.page.locator(".board .note").last.inner_text()
    page.quiet()
