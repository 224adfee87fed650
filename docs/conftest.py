"""The examples of the pages run where their files are: in a folder of its own for each page."""

import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
collect_ignore_glob = [
    *("conf.py", "check_links.py", "equations.py", "gallery/*", "generators/*", "papers/*.py", "sg_*"),
    *("reference/generated/*", "reference/commands/*", "reference/schemas.rst", "reference/scores.rst"),
]


def lay_out(page: Path, folder: Path) -> None:
    """Write into a folder the files that a page shows with their name as caption, and the data of the examples."""
    for name in ("results.csv", "predictions.parquet"):
        shutil.copy(ROOT / "examples" / name, folder)
    block = r"^\.\. code-block:: \w+\n   :caption: (\S+)\n\n((?:(?:   .*)?\n)+)"
    for name, text in re.findall(block, page.read_text(encoding="utf-8"), re.MULTILINE):
        lines = text.rstrip().splitlines()
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(line[3:] + "\n" for line in lines), encoding="utf-8")


@pytest.fixture(autouse=True)
def _in_the_folder_of_the_page(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Run a page beside its files."""
    lay_out(request.node.path, tmp_path)
    monkeypatch.chdir(tmp_path)
