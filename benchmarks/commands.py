"""The command line: each command once, against starting Python with NumPy alone, and its peak memory."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from threading import Timer
from typing import NamedTuple

from . import inputs
from .table import Text, brief, power

COLUMNS = ("command", "table", "in starts of Python with NumPy", "MB")
SIZES = ((10, 1), (1000, 14), (10_000, 1))
"""Entities and domains."""

QUICK = 2
"""A command is run again until all runs together have taken so many seconds."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "rank": ("rank",),
    "rank --uncertainty": ("rank", "--uncertainty"),
    "why": ("why",),
    "tradeoff": ("tradeoff",),
    "tradeoff, figure": ("tradeoff", "-o", "tradeoff.png"),
    "tile, figure": ("tile", "-o", "tile.png"),
    "tile, rank of one": ("tile", "--flavor", "ranking", "--entity", "m0", "-o", "ranking.png"),
    "tile, correlation": ("tile", "--flavor", "correlation", "--score", "mcc", "-o", "correlation.png"),
    "domains": ("domains",),
    "explore": ("explore", "-o", "explorer.html"),
    "report": ("report", "-o", "report.html"),
}
WITHOUT_TABLE: dict[str, tuple[str, ...]] = {
    "--help": ("--help",),
    "audit mcc": ("audit", "mcc"),
}


LAUNCHER = """
import json, os, sys, time
null, messages = os.open(os.devnull, os.O_RDWR), os.open(sys.argv[1], os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
redirected = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, messages, 2)]
start = time.perf_counter()
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, file_actions=redirected)
print(process, flush=True)
_, status, usage = os.wait4(process, 0)
print(time.perf_counter() - start, usage.ru_maxrss, os.waitstatus_to_exitcode(status), flush=True)
"""
"""Starts a process and waits for it; from here, its peak memory would be at least that of this program."""


class Run(NamedTuple):
    """What one process took."""

    seconds: float
    mb: float
    status: int
    messages: str


def run(call: list[str], folder: Path, limit: float) -> Run:
    """Run a process in a folder, kill it where it takes too long, and return its time and peak memory."""
    messages = folder / "messages"
    launcher = subprocess.Popen(
        [sys.executable, "-S", "-E", "-c", LAUNCHER, str(messages), *call], cwd=folder, stdout=subprocess.PIPE,
        text=True, env={**os.environ, "MPLBACKEND": "Agg"},
    )  # fmt: skip
    with launcher:
        process = int(launcher.stdout.readline())  # type: ignore[union-attr]
        end = Timer(limit, os.kill, (process, signal.SIGKILL))
        end.start()
        seconds, peak, status = launcher.stdout.readline().split()  # type: ignore[union-attr]
        end.cancel()
    mb = int(peak) / (1024 if sys.platform != "darwin" else 1024**2)
    return Run(float(seconds), mb, int(status), messages.read_text(encoding="utf-8"))


def write_table(path: Path, entities: int, domains: int) -> None:
    """Write counts as CSV."""
    rows = [inputs.counts(entities, seed=d) for d in range(domains)]
    with path.open("w", encoding="utf-8") as file:
        file.write(f"entity,{'domain,' * (domains > 1)}tn,fp,fn,tp\n")
        for d, counts in enumerate(rows):
            for i, row in enumerate(counts.tolist()):
                file.write(f"m{i},{f'd{d},' * (domains > 1)}{','.join(map(str, row))}\n")


def starts(folder: Path) -> float:
    """Return how long Python with NumPy takes to start."""
    return median(run([sys.executable, "-c", "import numpy"], folder, 60).seconds for _ in range(7))


def one(name: str, arguments: tuple[str, ...], of: str, unit: float, folder: Path, limit: float) -> list[Text]:
    """Return the line of one command."""
    call = [sys.executable, "-m", "rankscape", *arguments]
    done = run(call, folder, limit)
    seconds = [done.seconds]
    while sum(seconds) < QUICK:
        seconds.append(run(call, folder, limit).seconds)
    time = (brief(median(seconds) / unit), False)
    if done.status == -signal.SIGKILL:
        time = (f"> {limit:.0f} s", True)
    elif done.status not in (0, 1, 4):  # 1 and 4 are answers, too
        time = ("refused", True)
        print(f"rankscape {name}, {of}: status {done.status}\n{done.messages}", file=sys.stderr)
    return [(name, False), (of, False), time, (f"{done.mb:.0f}", False)]


def lines(folder: Path, limit: float, sizes: tuple[tuple[int, int], ...] = SIZES) -> Iterator[list[Text]]:
    """Run every command on every table, and yield a line for each."""
    unit = starts(folder)
    for name, arguments in WITHOUT_TABLE.items():
        yield one(name, arguments, "", unit, folder, limit)
    for entities, domains in sizes:
        of = f"{power(entities)} × {domains}" if domains > 1 else power(entities)
        write_table(folder / "table.csv", entities, domains)
        for name, (command, *options) in COMMANDS.items():
            if domains > 1 or command != "domains":
                yield one(name, (command, "table.csv", *options), of, unit, folder, limit)
