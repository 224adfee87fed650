"""The browser, shared by the tests of all pages, and how they open one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import CHROMIUM, WINDOW, Opened, Opener

import rankscape as rs


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: the page is not opened")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: the page is not opened")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def context(browser: Any) -> Any:
    found = browser.new_context(accept_downloads=True, offline=True)
    found.set_default_timeout(5000)
    return found


@pytest.fixture
def opened(context: Any, tmp_path: Path) -> Iterator[Opener]:
    free = list(context.pages)  # a new page takes longer than what most tests do with it
    used = []

    def open_(
        performances: Any,
        fragment: str = "",
        viewport: Any = WINDOW,
        color_scheme: str = "light",
        reduced_motion: str = "no-preference",
        **how: Any,
    ) -> Opened:
        few = {} if getattr(performances, "counts", "of a table") is None else {"draws": 200}
        path = rs.explore(performances, tmp_path / "explorer.html", **few | how)
        found = Opened(free.pop() if free else context.new_page())
        used.append(found)
        found.page.set_viewport_size(viewport)
        found.page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        found.page.goto(path.as_uri() + fragment)
        found.run("document.querySelectorAll('details.more').forEach((details) => (details.open = true))")
        found.settle()
        return found

    yield open_
    for found in used:
        found.leave()
