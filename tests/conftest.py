"""What the tests share: reproducible examples, and data that may lie beside the checkout."""

import inspect
import os
from collections.abc import Generator
from functools import partialmethod
from pathlib import Path

import click.testing
import pytest
from _pytest.doctest import DoctestModule
from behavior import reaches_inside
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("RANKSCAPE_SHARED") or ROOT.parent / "shared")
"""Real performances and golden values that are not part of the project: the one place outside it that tests read."""

if (
    "mix_stderr" in inspect.signature(click.testing.CliRunner).parameters
):  # click 8.1 keeps output and errors apart on demand
    click.testing.CliRunner.__init__ = partialmethod(click.testing.CliRunner.__init__, mix_stderr=False)  # type: ignore[method-assign]
    click.testing.Result.output = property(lambda self: self.stdout + self.stderr)  # type: ignore[method-assign]

# By day a property has the same examples in every run, which is then never red by chance; the night looks at new ones.
settings.register_profile("day", deadline=None, max_examples=20, derandomize=True, print_blob=True)
settings.register_profile("nightly", deadline=None, max_examples=400, print_blob=True)
settings.load_profile("day")


def pytest_configure(config: pytest.Config) -> None:
    """Let ``-m nightly`` look at more examples of every property."""
    if config.option.markexpr == "nightly":
        settings.load_profile("nightly")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for no examples in the docstrings of tests, and do not load what only stands beside them."""
    return [found for found in (yield) if not isinstance(found, DoctestModule)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to the night what ``some(n)`` leaves out, and let it run the properties too, with more examples."""
    alike: dict[tuple[str, str], list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("some"):
            alike.setdefault((str(item.path), item.originalname), []).append(item)
        if config.option.markexpr == "nightly" and getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("nightly")
    for group in alike.values():
        kept = evenly(len(group), group[0].get_closest_marker("some").args[0])
        for place in set(range(len(group))) - kept:
            group[place].add_marker("nightly")
    for item in items:
        item.add_marker("inner" if looks_inside(item) else "behavior")


def looks_inside(item: pytest.Item) -> bool:
    """Tell whether a test reaches inside the package, as examples do that cannot be pasted elsewhere."""
    if isinstance(item, pytest.DoctestItem):
        return item.path.suffix == ".py" and not any("import rankscape" in one.source for one in item.dtest.examples)
    return reaches_inside(item.path)


def evenly(length: int, kept: int) -> set[int]:
    """Return this many places of a list, the first and the last among them, or all where there are no more."""
    return {place * (length - 1) // max(1, kept - 1) for place in range(kept)} if kept < length else set(range(length))


def shared(folder: str, *files: str) -> Path:
    """Return a folder beside the checkout that holds the files, or skip the test."""
    missing = [name for name in files if not (SHARED / folder / name).is_file()]
    if missing:
        pytest.skip(f"the shared data are not beside the checkout: {', '.join(missing)}")
    return SHARED / folder


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real performances: tests on them run where they are at hand."""
    files = ("cada_rre.csv", "cdnet2014_partial.csv", "fairness_binsensitive.csv", "semseg74.csv")
    return shared("data", *files)


@pytest.fixture(scope="session")
def shared_golden() -> Path:
    """Golden values: tests of them run where they are at hand."""
    return shared("golden", "foundations_table1.csv")
