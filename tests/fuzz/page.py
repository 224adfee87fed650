"""Table texts at random, read by Python and by the page under node: the same rows exactly, or both refuse.

    python tests/fuzz/page.py --seconds 20 --seed 1

Exits with 1, and prints the text, where they differ.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "views"))

from explorer_reader import all_that_page_reads, python_reads
from table_texts import table_text

AT_ONCE = 200
KEYS = ("refused", "rows", "counts")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    start, n, refused = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{i}.txt" for i in range(AT_ONCE)]
        while time.monotonic() - start < given.seconds:
            for i, path in enumerate(paths):
                text = table_text(random.Random(f"{given.seed} {n + i}"))
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
            for path, page in zip(paths, all_that_page_reads(paths), strict=True):
                python = python_reads(path)
                if [page.get(key) for key in KEYS] != [python.get(key) for key in KEYS]:
                    print(f"seed {given.seed}: page {page}, Python {python}\n{path.read_bytes()!r}", file=sys.stderr)
                    return 1
                refused += "refused" in page
            n += len(paths)
    print(f"{n} tables: the page and Python read the same, {refused} refused by both")
    return 0


if __name__ == "__main__":
    sys.exit(main())
