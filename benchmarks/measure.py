"""Run the measurements, each path and size in a process of its own, with a limit of time and memory per cell."""

import json
import os
import resource
import select
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any

from .child import PEER, SORT
from .paths import PATHS

ROOT = Path(__file__).resolve().parents[1]
FAILED, MEMORY, NO_INPUT = "failed", "memory", "no input"


@dataclass
class Cell:
    """The calls on one kind of input: their seconds, by how many MB the process grew, or why there are none."""

    seconds: list[float] = field(default_factory=list)
    mb: float | None = None
    refused: str | None = None

    @property
    def median(self) -> float | None:
        """The median time, None where no call has ended."""
        return median(self.seconds) if self.seconds and not self.refused else None


Cells = dict[str, Cell]


def over(cell: Cell) -> bool:
    """Tell whether a cell took more than the limits allow."""
    return cell.refused is not None and (cell.refused.startswith(">") or cell.refused in (MEMORY, NO_INPUT))


@dataclass(frozen=True)
class Limits:
    """Seconds and GB that one cell may take."""

    seconds: float = 60
    memory: float = 6


MAKING = 30
"""So many times the limit may pass while inputs are made."""


def lines_of(process: subprocess.Popen[bytes], seconds: float) -> Any:
    """Yield the lines that a process prints; ends with None where it prints nothing for so many seconds."""
    rest, limit = b"", MAKING * seconds
    while True:
        deadline = monotonic() + limit
        while b"\n" not in rest:
            ready, _, _ = select.select([process.stdout], [], [], max(0, deadline - monotonic()))
            if not ready:
                yield None
                return
            piece = os.read(process.stdout.fileno(), 1 << 16)  # type: ignore[union-attr]
            if not piece:
                return
            rest += piece
        *lines, rest = rest.split(b"\n")
        for line in map(json.loads, lines):
            limit = seconds * (MAKING if "making" in line else 1)
            yield line


def run(name: str, n: int, kinds: list[str], limits: Limits, cells: Cells, scratch: str) -> str | None:
    """Measure some kinds in one process; return the one at which it had to be ended, or has died."""
    limit = int(limits.memory * 2**30)
    call = [sys.executable, "-m", "benchmarks.child", name, str(n), *kinds]
    environment = {**os.environ, "TMPDIR": scratch, "MPLBACKEND": "Agg"}
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            call, cwd=ROOT, stdout=subprocess.PIPE, stderr=messages, env=environment,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
        )  # fmt: skip
        at, making, done = None, False, False
        try:
            for line in lines_of(process, limits.seconds):
                if line is None:
                    if at is None:
                        raise RuntimeError(f"{name}, {n}: not even the small input was ready within the limit")
                    cells[at].refused = NO_INPUT if making else f"> {limits.seconds:.0f} s"
                    break
                if "start" in line:
                    at, making = line["start"], "making" in line
                elif "refused" in line:
                    cells[line["kind"]].refused = line["refused"]
                elif "kind" in line:
                    cells[line["kind"]].seconds.append(line["seconds"])
                    cells[line["kind"]].mb = cells[line["kind"]].mb if line["mb"] is None else line["mb"]
                done = done or "done" in line
            else:
                process.wait()
        finally:
            process.kill()
            process.wait()
            process.stdout.close()  # type: ignore[union-attr]
        if done:
            return None
        if at is None or cells[at].refused is None:
            messages.seek(0)
            text = messages.read().decode(errors="replace")
            if at is None:
                raise RuntimeError(f"{name}, {n}: the measurement failed\n{text}")
            memory = "MemoryError" in text or process.returncode in (-6, -9)
            cells[at].refused = MEMORY if memory else FAILED
            if not memory:
                print(f"{name}, {n}, {at}:\n{text}", file=sys.stderr)
    return at


def cells_of(name: str, n: int, limits: Limits, scratch: str) -> Cells:
    """Return the cells of one path at one size: its kinds, the peer and one sort of n floats."""
    path = PATHS[name]
    kinds = [path.kinds[0], SORT, *path.kinds[1:]]
    if path.peer is not None and n <= path.peer.largest:
        kinds.insert(1, PEER)
    cells: Cells = defaultdict(Cell)
    while kinds:
        if run(name, n, kinds, limits, cells, scratch) is None:
            break
        if over(cells[path.kinds[0]]):
            break  # there is nothing to compare the other kinds with
        kinds = [kind for kind in kinds if cells[kind].refused is None and not cells[kind].seconds]
    return cells
