"""How long a command takes to start, against an interpreter that imports NumPy; the number in brackets is the ratio.

Run ``make bench``. ``python benchmarks/bench_start.py`` prints the ratios of processor time, which hardly depend on
what else the machine does. What a command may load is a test: ``tests/unit/test_start.py``.
"""

import resource
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import pytest

TABLE = Path(__file__).resolve().parents[1] / "examples" / "results.csv"
STARTS = {
    "import numpy": ["-c", "import numpy"],
    "rankscape --help": ["-m", "rankscape", "--help"],
    "rankscape rank": ["-m", "rankscape", "rank", str(TABLE)],
    "rankscape why": ["-m", "rankscape", "why", str(TABLE)],
}
ROUNDS = 15


def start(how: str) -> None:
    """Run a program to its end."""
    subprocess.run([sys.executable, *STARTS[how]], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("how", STARTS)
def test_start(benchmark: Any, how: str) -> None:
    benchmark.group = "start of a command on a small file"
    benchmark.pedantic(start, (how,), rounds=ROUNDS, warmup_rounds=1)


def processor_time(how: str) -> float:
    """Return the seconds of a processor that a program takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start(how)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the ratios: the median of rounds in each of which every program runs once."""
    rounds = [{how: processor_time(how) for how in STARTS} for _ in range(ROUNDS + 1)][1:]
    for how in STARTS:
        print(f"{how:<20} {median(times[how] / times['import numpy'] for times in rounds):.2f}")


if __name__ == "__main__":
    main()
