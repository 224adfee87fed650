"""The explorer in headless Chromium, opened from a file with the network blocked."""

import io
import json
import os
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankscape as rs
from rankscape.explorer import build

TOLERANCE = 1e-12
DRAWN = {"svg", "rect", "path", "circle", "text", "image"}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    '"><svg onload=alert(3)>',
    "line\nbreak, comma; and \"quotes\" & 'more'",
    "<!--",
    "\u202edrawkcab",
    "=HYPERLINK(1)",
    "x" * 500,
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: the page is not opened")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: the page is not opened")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


class Opened:
    """A page of the explorer, and everything that it said or asked for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.said: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", lambda dialog: (self.said.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: self.requests.append(request.url))

    def run(self, script: str, argument: Any = None) -> Any:
        return self.page.evaluate(script, argument)

    def settle(self) -> None:
        self.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
        self.run("rankscape.settled()")

    def until(self, script: str, argument: Any = None) -> None:
        """Wait for a condition; the page allows no eval, by which playwright would wait."""
        for _ in range(200):
            if self.run(script, argument):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{script} never came true")

    def state(self) -> Any:
        return self.run("rankscape.state()")

    def quiet(self) -> None:
        assert self.said == []
        assert [url for url in self.requests if not url.startswith(("file:", "data:", "blob:"))] == []
        assert len([url for url in self.requests if url.startswith("file:")]) == 1


Opener = Callable[..., Opened]


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opener]:
    contexts = []

    def open_(performances: Any, fragment: str = "", **options: Any) -> Opened:
        path = rs.explore(performances, tmp_path / "explorer.html")
        context = browser.new_context(accept_downloads=True, offline=True, **options)
        contexts.append(context)
        found = Opened(context.new_page())
        found.page.goto(path.as_uri() + fragment)
        found.settle()
        return found

    yield open_
    for context in contexts:
        context.close()


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


def test_two_hundred_random_preferences_give_the_leaderboard_of_python(opened: Opener) -> None:
    performances = models()
    page = opened(performances)
    rng = np.random.default_rng(0)
    for a, b in rng.random((200, 2)):
        mine = page.run(BOARD, {"a": float(a), "b": float(b), "patch": {}})
        expected = rs.rank(performances, by=rs.at(float(a), float(b)))
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
        expected = performances.over_domains(weights)
        expected = expected if prior is None else expected.shift_priors(prior)
        ranking = rs.rank(expected, by=rs.at(0.9, 0.35))
        assert mine["low"] == ranking.bounds[:, 0].astype(int).tolist()
        np.testing.assert_allclose(mine["value"], ranking.values, rtol=0, atol=TOLERANCE)
    page.quiet()


def test_the_page_is_strict_about_what_may_run(opened: Opener) -> None:
    text = build.page(models())
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
    code = len(build.bundle((*build.MODEL, *build.VIEW, "page")).encode()) + len(build.source("style.css").encode())
    assert code < 300_000
    rng = np.random.default_rng(0)
    many = rs.Performances.from_counts(
        rng.integers(0, 10_000, size=(10_000, 4)), names=[f"model-{i}" for i in range(10_000)]
    )
    assert len(build.page(many).encode()) < 3_000_000


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
        "flavor": "rank",
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
    with page.page.expect_download() as download:
        page.page.get_by_role("button", name=label, exact=True).click()
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
    assert header.startswith("rank,entity,value,rank_low,rank_high,share")
    found = [(int(row.split(",")[0]), row.split(",")[1], float(row.split(",")[2])) for row in rows]
    assert [name for _, name, _ in found] == list(expected)
    for rank, name, value in found:
        assert rank == expected[name]
        assert value == pytest.approx(expected.values[expected.names.index(name)], abs=TOLERANCE)
    document = json.loads(saved(page, "Everything JSON"))
    assert document["schema"] == "rankscape/explorer/1"
    assert sum(region["area"] for region in document["first"]) == pytest.approx(1, abs=1e-9)
    for name in ("Tile", "ROC", "PR"):
        svg = saved(page, f"{name} SVG").decode()
        assert svg.startswith("<svg")
        assert "<image" not in svg  # curves, not pixels
        assert saved(page, f"{name} PNG").startswith(b"\x89PNG")
    assert len(ElementTree.fromstring(saved(page, "Tile SVG").decode())) > 20
    page.quiet()


MALFORMED = {
    "empty": ("", "is empty"),
    "blank": ("\n\n  \n", "is empty"),
    "binary": ("PK\x00\x03", "is no text"),
    "header only": ("entity,tn,fp,fn,tp\n", "no row below the header"),
    "missing column": ("entity,tn,fp,fn\na,1,2,3\n", "no column tp"),
    "double column": ("entity,tn,fp,fn,tp,TP\na,1,2,3,4,5\n", "names tp twice"),
    "negative": ("entity,tn,fp,fn,tp\na,1,-2,3,4\n", "Line 2 (“a”): fp = -2 is negative"),
    "fractional": ("entity,tn,fp,fn,tp\na,1,2.5,3,4\n", "expected whole counts"),
    "no number": ("entity,tn,fp,fn,tp\na,1,nan,3,4\n", "“nan” is no number"),
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


def test_malformed_tables_are_answered_by_one_sentence(opened: Opener) -> None:
    page = opened(models())
    before = page.state()
    for name, (text, sentence) in MALFORMED.items():
        page.page.locator("input[type=file]").set_input_files(
            {"name": "x.csv", "mimeType": "text/csv", "buffer": text.encode()}
        )
        page.until("(part) => document.querySelector('.notice').textContent.includes(part)", sentence)
        said = page.page.locator(".notice").inner_text()
        assert said.endswith("."), name
        assert "\n" not in said, name
        page.run("document.querySelector('.notice').textContent = ''")
    assert page.state() == before
    assert page.run("rankscape.view().set.n") == 14
    page.quiet()


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffmodel;TN;FP;FN;TP\r\nunet;50;10;5;35\r\nsegnet;45;15;2;38\r\n",
        "model;TN;FP;FN;TP\nunet;0,5;0,1;0,05;0,35\nsegnet;0,45;0,15;0,02;0,38\n",
        'Method\ttrue negatives\tfalse_positives\tmisses\thits\n"unet"\t50\t10\t5\t35\nsegnet\t45\t15\t2\t38',
        "tp,fn,fp,tn\n35,5,10,50\n38,2,15,45\n",
    ],
    ids=["semicolons", "decimal commas", "tabs", "no names"],
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
    page = opened(models(), viewport={"width": 1300, "height": 900})
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
        "Find an entity",
        "A named score",
        "a: from",
        "False alarms".lower(),
        "Importance of tp",
        "Share of positives",
        "Tile SVG",
        "Copy the link",
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
    assert page.page.locator("[aria-live=polite]").inner_text() == page.page.locator(".lead").inner_text()
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


@pytest.mark.parametrize("count", ["one", "undefined", "two equal"])
def test_odd_sets_are_shown(opened: Opener, count: str) -> None:
    sets = {
        "one": rs.Performances.from_counts([[50, 10, 5, 35]]),
        "undefined": rs.Performances.from_counts([[5, 0, 0, 0], [0, 3, 2, 0], [4, 0, 1, 0]]),
        "two equal": rs.Performances.from_counts([[5, 1, 1, 5], [5, 1, 1, 5]]),
    }
    page = opened(sets[count])
    for view in page.run("[...document.querySelectorAll('.tile optgroup option')].map((option) => option.value)"):
        for a, b in ((0, 0), (1, 0), (0, 1), (1, 1), (0.3, 0.3)):
            page.run(
                "([flavor, a, b]) => rankscape.set({ flavor, a, b, selected: 0, pinned: 0, uncertainty: true })",
                [view, a, b],
            )
            page.settle()
    page.quiet()


def test_every_flavor_is_the_map_of_python(opened: Opener) -> None:
    performances = models()
    page = opened(performances)
    maps = {
        "value": rs.tile.value(performances, "model 1", resolution=101),
        "rank": rs.tile.ranking(performances, "model 1", resolution=101),
        "best": rs.tile.best(performances, resolution=101),
        "worst": rs.tile.worst(performances, resolution=101),
        "noskill": rs.tile.no_skill(prior=performances.common_prior(), resolution=101),
        "difference": rs.tile.difference(performances, "model 1", "model 3", resolution=101),
        "margin": rs.tile.margin(performances, resolution=101),
        "regret": rs.tile.regret(performances, "model 1", resolution=101),
        "tying": rs.tile.no_skill_prior(resolution=101),
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
        if flavor == "rank":  # at a place where floats tie, either rank may come out
            assert np.mean(found[inner] != expected.values[inner]) < 0.003
        else:
            np.testing.assert_allclose(
                found[inner], expected.values[inner], rtol=0, atol=1e-9, equal_nan=True, err_msg=flavor
            )
    page.quiet()


AXE = os.environ.get("RANKSCAPE_AXE")  # axe.min.js


@pytest.mark.skipif(
    not AXE or not Path(AXE).is_file(), reason="RANKSCAPE_AXE names no axe.min.js: accessibility is not checked"
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Any, tmp_path: Path, scheme: str) -> None:
    path = rs.explore(on_domains(), tmp_path / "explorer.html")
    context = browser.new_context(color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(path.as_uri())
    page.evaluate("rankscape.set({ selected: 0, pinned: 1, uncertainty: true })")
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    page.wait_for_timeout(300)
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run()")
    serious = [
        (v["id"], v["help"], [n["target"] for n in v["nodes"]][:4])
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
    ]
    assert len(found["passes"]) > 15
    assert serious == []
    context.close()


@pytest.mark.parametrize("width", [360, 768, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out(opened: Opener, width: int, scheme: str) -> None:
    page = opened(on_domains(), viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    assert page.run("document.documentElement.scrollWidth") <= width
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
    from rankscape.explorer.widget import script

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
        "flavor": "first",
        "uncertainty": False,
    }
    page.run(FAKE_MODEL, {"code": script(), "values": {**start, "_data": data, "_title": "Here"}})
    assert page.page.locator("h1").inner_text() == "Here"
    page.until("document.querySelector('tr.selected button.entity')?.textContent === 'model 4'")
    page.run("fromPython('selected', 'model 2')")
    page.until("document.querySelector('tr.selected button.entity')?.textContent === 'model 2'")
    page.page.get_by_label("A named score").select_option("f2")
    page.until("values.a === 1 && values.b === 0.8 && saves > 0")
    page.page.get_by_role("button", name="model 7", exact=True).first.click()
    page.until("values.selected === 'model 7'")
    page.run("stop()")
    assert page.run("Object.keys(listeners).length") == 0
    assert page.said == []
    context.close()


def test_a_table_dropped_anywhere_is_shown_and_found(opened: Opener) -> None:
    page = opened(models())
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
    assert page.run(visible) == 20
    page.page.get_by_role("button", name="Show 40 more of 60").click()
    assert page.run(visible) == 60
    page.page.get_by_label("Find an entity").fill("mine 41")
    assert page.run(visible) == 1
    assert page.page.locator("td.rank").first.inner_text() == "19"
    page.quiet()
