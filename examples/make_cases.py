"""Write ``cases.csv``: the 1000 cases behind ``three.csv``, with the answers of all three models to each.

Run ``python examples/make_cases.py``. The cases are made up, and counted they give the table of the README. Mostly a
case that *cautious* calls positive is called so by *balanced*, too, and by *eager*; a few are not.
"""

import csv
import random
from itertools import repeat
from pathlib import Path

POSITIVE = {(1, 1, 1): 24, (1, 0, 1): 1, (0, 1, 1): 12, (0, 1, 0): 2, (0, 0, 1): 9, (0, 0, 0): 2}
NEGATIVE = {(1, 1, 1): 3, (1, 0, 1): 1, (1, 0, 0): 1, (0, 1, 1): 18, (0, 1, 0): 4, (0, 0, 1): 48, (0, 0, 0): 875}
"""How many cases have which answers of *cautious*, *balanced* and *eager*."""


def main() -> None:
    """Write the cases in an order that says nothing."""
    rows = [
        (truth, *answers)
        for truth, cases in ((1, POSITIVE), (0, NEGATIVE))
        for answers, count in cases.items()
        for answers in repeat(answers, count)
    ]
    random.Random(1).shuffle(rows)
    with (Path(__file__).parent / "cases.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "truth", "cautious", "balanced", "eager"])
        writer.writerows((number, *row) for number, row in enumerate(rows, 1))


if __name__ == "__main__":
    main()
