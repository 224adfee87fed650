"""What all tests and examples share, wherever they are: drawing without a screen, and no figure left open."""

import sys
from collections.abc import Iterator

import matplotlib
import pytest

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _closed_figures() -> Iterator[None]:
    """Leave no figure open for the next test; pyplot is not loaded for tests that do not draw."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
