"""The pages of a site in headless Chromium, from the folder, with the network blocked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import HOSTILE, WINDOW, needs_axe, serious

import rankscape as rs

NAMES = [*HOSTILE, "plain", "b", "c", "d"]
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    rows = [[200 - 9 * i - j, 9 * i + j, 3 * i + j, 100 - 3 * i - j] for i in range(len(NAMES)) for j in range(3)]
    P = rs.Performances.from_counts(
        rows, names=[name for name in NAMES for _ in range(3)], domains=["x/a", "x/b", "<b>y</b>"] * len(NAMES)
    )
    metadata = {"method": ["plain", HOSTILE[0]], "code": ["https://example.org", "javascript:alert(1)"]}
    rs.site(P, folder, by="f1", title='<"Challenge"> & more', metadata=metadata, draws=100)
    return folder


@pytest.fixture(scope="module")
def tab(context: Any) -> Iterator[Any]:
    """One tab for all tests, with what it says and asks for."""
    page = context.new_page()
    page.said, page.asked = [], []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("dialog", lambda dialog: (page.said.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: page.asked.append(request.url))
    yield page
    page.close()


def opened(tab: Any, path: Path, fragment: str = "", viewport: Any = WINDOW, scheme: str = "light") -> Any:
    tab.said.clear()
    tab.asked.clear()
    tab.set_viewport_size(viewport)
    tab.emulate_media(color_scheme=scheme)
    tab.goto("about:blank")
    tab.goto(path.as_uri() + fragment)
    return tab


def pages(site: Path) -> list[Path]:
    """A page of each kind, and those of all methods."""
    names = ["index", "about", "domains", "domains/x-a"]
    return [*(site / f"{name}.html" for name in names), *sorted(site.glob("methods/*.html"))[::2]]


@pytest.mark.some(1)
def test_no_page_runs_what_a_name_says_or_asks_for_anything_far(tab: Any, site: Path) -> None:
    for path in pages(site):
        page = opened(tab, path)
        assert page.said == [], path.name
        assert {url.partition(":")[0] for url in page.asked} <= {"file", "data"}
        assert page.evaluate("[...document.images].every((image) => image.naturalWidth > 0)"), path.name


def test_nothing_sticks_out_on_a_phone(tab: Any, site: Path) -> None:
    for path in pages(site):
        page = opened(tab, path, viewport=PHONE)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path.name


def test_light_and_dark_differ(tab: Any, site: Path) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    colors = [opened(tab, site / "index.html", scheme=scheme).evaluate(background) for scheme in ("light", "dark")]
    assert colors[0] == "rgb(255, 255, 255)" != colors[1]


def column(page: Any, number: int) -> list[str]:
    return page.evaluate(
        f"[...document.querySelectorAll('.board tbody tr')].map((row) => row.cells[{number}].innerText)"
    )


def test_the_leaderboard_is_sorted_and_searched(tab: Any, site: Path) -> None:
    page = opened(tab, site / "index.html")
    official = column(page, 1)
    page.click(".board th:nth-child(4) button")
    assert page.get_attribute(".board th:nth-child(4)", "aria-sort") == "ascending"
    assert column(page, 1) == official[::-1]
    page.click(".board th:nth-child(4) button")
    assert page.get_attribute(".board th:nth-child(4)", "aria-sort") == "descending"
    assert column(page, 1) == official
    page.click(".board th:nth-child(2) button")
    assert sorted(map(str.lower, official))[0] == column(page, 1)[0].lower()
    page.fill("input[type=search]", "PLAIN")
    assert page.locator(".board tbody tr:visible").count() == 1
    assert page.inner_text("[role=status]") == f"1 of {len(NAMES)}"
    assert page.locator(".board tbody a[href^=http]").count() == 1


@pytest.mark.some(1)
@needs_axe
def test_axe_finds_nothing_serious(browser: Any, site: Path) -> None:
    context = browser.new_context(bypass_csp=True, offline=True)
    page = context.new_page()
    for name in ("index", "about", "domains", "methods/plain", "explorer"):
        path = site / f"{name}.html"
        page.goto(path.as_uri())
        assert serious(page) == [], path.name
    context.close()
