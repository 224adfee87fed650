"""The files of a page: those that it shows with their name, and the tables that come with the package."""

import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLES = ("three.csv", "hospitals.csv", "cases.csv", "results.csv", "predictions.parquet")
_SHOWN = re.compile(r"^\.\. code-block:: \w+\n   :caption: (\S+)\n\n((?:(?:   .*)?\n)+)", re.MULTILINE)


def lay_out(page: Path, folder: Path) -> None:
    """Write into a folder the files that a page shows with their name as caption, and the data of the examples."""
    for name in TABLES:
        shutil.copy(ROOT / "examples" / name, folder)
    for name, text in _SHOWN.findall(page.read_text(encoding="utf-8")):
        lines = text.rstrip().splitlines()
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(line[3:] + "\n" for line in lines), encoding="utf-8")
