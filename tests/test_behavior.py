"""Tests of behavior name public things only, and the rule that tells them apart can say both."""

from pathlib import Path

import pytest
from behavior import inner, reaches_inside


@pytest.mark.parametrize(
    "text",
    [
        "from rankscape.io import tally",
        "from rankscape.tile.maps import TileMap as Map, anything",
        "import rankscape.kernels.native",
        "from rankscape.cli import endings",
        "from rankscape.cli.reading import OF_READING",
        "import rankscape as rs\nrs.kernels.backend",
        "monkeypatch.setattr('rankscape.tile.ranks.MOST_SLABS', 1)",
        "from rankscape import errors",
        "from rankscape import _scores",
    ],
)
def test_what_reaches_inside_is_seen(text: str) -> None:
    assert inner(text)


@pytest.mark.parametrize(
    "text",
    [
        "import rankscape as rs\nrs.tile.value, rs.__version__",
        "from rankscape.cli import COMMANDS, main",
        "from rankscape.errors import DataError",
        "from rankscape.tasks import success",
        "import rankscape.testing\nfrom rankscape.testing import assert_no_worse",
        "import numpy.ma\nprint('rankscape.csv is read', 'rankscape.tasks.success')",
    ],
)
def test_what_is_public_is_behavior(text: str) -> None:
    assert not inner(text)


def test_helpers_count(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("from explorer_reader import needs_node\n", "utf-8")
    (tmp_path / "test_b.py").write_text("from test_docstrings import public\n", "utf-8")
    assert reaches_inside(tmp_path / "test_a.py")
    assert not reaches_inside(tmp_path / "test_b.py")


def test_each_test_is_one_or_the_other(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        assert bool(item.get_closest_marker("inner")) != bool(item.get_closest_marker("behavior")), item.nodeid
