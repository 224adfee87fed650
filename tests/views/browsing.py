"""Pages in headless Chromium, opened from a file with the network blocked."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")  # the leanest first
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
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


class Opened:
    """A page of the explorer, and everything that it said or asked for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.said: list[str] = []
        self.requests: list[str] = []
        self.listeners = {
            "console": lambda message: self.said.append(message.text),
            "pageerror": lambda error: self.said.append(str(error)),
            "dialog": lambda dialog: (self.said.append(f"dialog {dialog.message}"), dialog.dismiss()),
            "request": lambda request: self.requests.append(request.url),
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)

    def run(self, script: str, argument: Any = None) -> Any:
        return self.page.evaluate(script, argument)

    def settle(self) -> None:
        self.run(SETTLED)

    def until(self, script: str, argument: Any = None) -> None:
        """Wait for a condition; the page allows no eval, by which playwright would wait."""
        assert self.run(UNTIL % script, argument), f"{script} never came true"

    def state(self) -> Any:
        return self.run("rankscape.state()")

    def quiet(self) -> None:
        assert self.said == []
        assert [url for url in self.requests if not url.startswith(("file:", "data:", "blob:"))] == []
        assert len([url for url in self.requests if url.startswith("file:")]) == 1

    def leave(self) -> None:
        """Leave an empty page, the mouse away from what is next."""
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)


SETTLED = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))).then(() => rankscape.settled())"
UNTIL = """async (argument) => {
  for (const start = performance.now(); performance.now() - start < 10000; await new Promise((next) => setTimeout(next, 5))) {
    const found = (%s);
    if (typeof found === "function" ? found(argument) : found) return true;
  }
  return false;
}"""
WINDOW = {"width": 1280, "height": 720}
AXE = os.environ.get("RANKSCAPE_AXE", "")  # axe.min.js
needs_axe = pytest.mark.skipif(
    not Path(AXE).is_file(), reason="RANKSCAPE_AXE names no axe.min.js: accessibility is not checked"
)
STILL = "Promise.all(document.getAnimations().map((one) => one.finished)).then(() => true)"


def serious(page: Any) -> list[tuple[str, str, Any]]:
    """What axe-core finds serious on a page in light colors, and about the contrast in dark ones."""
    page.add_script_tag(path=AXE)
    findings = []
    for scheme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(f"new Promise(requestAnimationFrame).then(() => {STILL})")
        report = page.evaluate("(options) => axe.run(options)", options)
        assert len(report["passes"]) > (15 if scheme == "light" else 0)
        findings += [
            (scheme, rule["id"], [node["target"] for node in rule["nodes"]][:4])
            for rule in report["violations"]
            if rule["impact"] in ("serious", "critical")
        ]
    return findings


Opener = Callable[..., Opened]
