"""The examples of the pages run where their files are: in a folder of its own for each page."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from page_files import lay_out  # noqa: E402  (beside this file)

collect_ignore_glob = [
    *("*.py", "gallery/*", "generators/*", "papers/*.py", "sg_*"),
    *("reference/generated/*", "reference/commands/*", "reference/schemas.rst", "reference/scores.rst"),
]


@pytest.fixture(autouse=True)
def _in_the_folder_of_the_page(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Run a page beside its files."""
    lay_out(request.node.path, tmp_path)
    monkeypatch.chdir(tmp_path)
