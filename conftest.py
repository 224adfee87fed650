"""What all tests and examples share: drawing without a screen, no figure left open, no skip that hides in CI."""

import gc
import os
import sys
from collections.abc import Generator, Iterator
from typing import Any

import matplotlib
import pytest

matplotlib.use("Agg")
pytest_plugins = ["pytester"]

ALLOWED_SKIPS = (
    "the shared data are not beside the checkout",  # real performances and golden values that are not part of it
    "POSIX",  # pipes, signals, links and permissions that Windows lacks
    "another environment than that of make floor",  # versions are looked at where they are pinned
)
"""Beginnings of the reasons for which a test may be skipped where ``CI`` is set; any other skip fails there."""


MISSING = {
    "no Chromium": "apt install chromium",
    "playwright": "pip install playwright",
    "node": "apt install nodejs",
    "axe.min.js": "npm install axe-core, and let RANKSCAPE_AXE name its axe.min.js",
}
"""What tests may lack, as the reasons of skips name it, and the command that brings it."""


def refused_skip(report: Any) -> str | None:
    """Return the reason of a skip that CI does not allow, None for whatever else a report says."""
    if not report.skipped or hasattr(report, "wasxfail") or not os.environ.get("CI"):
        return None
    place = report.longrepr
    reason = str(place[2] if isinstance(place, tuple) else place).removeprefix("Skipped: ")
    return None if reason.startswith(ALLOWED_SKIPS) else reason


def failing_where_a_skip_is_refused(report: Any) -> Any:
    """Turn a skip that CI does not allow into a failure."""
    if (reason := refused_skip(report)) is not None:
        report.outcome = "failed"
        report.longrepr = f"skipped in CI, where everything must run: {reason}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    """Look at each test."""
    return failing_where_a_skip_is_refused((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    """Look at each file, which may skip itself as a whole."""
    return failing_where_a_skip_is_refused((yield))


@pytest.hookimpl(optionalhook=True)  # where pytest-xdist is
def pytest_xdist_auto_num_workers() -> int:
    """Run two more tests at a time than there are cores: some wait for a browser or another process."""
    return int(os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") or (os.cpu_count() or 1) + 2)


def pytest_collection_finish() -> None:
    """Keep what was collected out of the search for garbage, which would otherwise take a twelfth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def left_out(reasons: list[str]) -> list[str]:
    """Return a line for each thing that skipped tests lacked: how many there were, and how to get it."""
    groups: dict[str, list[str]] = {}
    for reason in reasons:
        groups.setdefault(next((thing for thing in MISSING if thing in reason), reason), []).append(reason)
    return [
        f"{len(skips)} {'test was' if len(skips) == 1 else 'tests were'} left out: {skips[0].partition(':')[0]}."
        + (f" To run {'it' if len(skips) == 1 else 'them'}: {MISSING[thing]}" if thing in MISSING else "")
        for thing, skips in groups.items()
    ]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say in a line what was left out; the place of each skip helps nobody."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = [str(one.longrepr[2] if isinstance(one.longrepr, tuple) else one.longrepr) for one in skipped]
    for line in left_out([reason.removeprefix("Skipped: ") for reason in reasons]):
        terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def _closed_figures() -> Iterator[None]:
    """Leave no figure open for the next test; pyplot is not loaded for tests that do not draw."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
