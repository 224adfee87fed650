"""Measure one path at one size, in a process of its own; each call prints one line of JSON for the parent.

``python -m benchmarks.child PATH SIZE KIND --profile`` prints instead where the time of one call goes.
"""

import cProfile
import ctypes
import json
import os
import pstats
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path as File
from time import perf_counter
from typing import Any

import numpy as np

import rankscape as rs

from .paths import PATHS, Path

ROUNDS, SECONDS = 25, 2.0
"""Every call is repeated so often, or until all calls together have taken so long."""

FEW = 50
"""The size of the first calls, which import what the others need."""

PEER, SORT = "peer", "sort"


def emit(**fields: Any) -> None:
    """Print one line, at once."""
    print(json.dumps(fields), flush=True)


def status(field: str) -> float:
    """Return a field of this process in MB, as Linux counts it."""
    text = File("/proc/self/status").read_text()
    return float(text.split(f"{field}:")[1].split()[0]) / 1024


def with_peak(call: Callable[[], Any]) -> tuple[Any, float | None]:
    """Return what a call returns, and how many MB the process grew meanwhile; None where that cannot be known."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
        File("/proc/self/clear_refs").write_text("5")  # forget the peak
        before = status("VmRSS")
    except (OSError, AttributeError):
        return call(), None
    result = call()
    return result, status("VmHWM") - before


def timed(call: Callable[[], Any]) -> float:
    """Return the seconds of a call."""
    start = perf_counter()
    call()
    return perf_counter() - start


def calls_of(name: str, n: int, kinds: list[str]) -> dict[str, Callable[[], Any]]:
    """Return what is timed, by kind; the input of each is made here and printed as a step of its own."""
    path, calls = PATHS[name], {}
    for kind in kinds:
        emit(start=kind, making=True)
        try:
            if kind == SORT:
                floats = np.random.default_rng(0).random(n)
                calls[kind] = lambda floats=floats: np.sort(floats)
            elif kind == PEER:
                given = path.prepare(path.kinds[0], n)
                calls[kind] = lambda given=given: path.peer.call(given)
            else:
                given = path.prepare(kind, n)
                calls[kind] = lambda given=given: path.work(given)
        except MemoryError:
            emit(kind=kind, refused="memory")
    return calls


def warm(path: Path, kind: str, n: int) -> None:
    """Call once, so that what is imported at the first call is there."""
    with suppress(rs.RankscapeError):
        if kind == PEER and path.peer:
            path.peer.call(path.prepare(path.kinds[0], n))
        elif kind != SORT:
            path.work(path.prepare(kind, n))


def measure(name: str, n: int, kinds: list[str]) -> None:
    """Time every kind in turns, and print each call."""
    path = PATHS[name]
    for kind in kinds:
        warm(path, kind, min(n, FEW))
    calls, spent = calls_of(name, n, kinds), 0.0
    for turn in range(ROUNDS):
        for kind, call in [*calls.items()]:
            emit(start=kind)
            try:
                seconds, peak = with_peak(lambda call=call: timed(call)) if turn == 0 else (timed(call), None)
            except MemoryError:
                emit(kind=kind, refused="memory")
                del calls[kind]
                continue
            except rs.RankscapeError as error:
                emit(kind=kind, refused=str(error))
                del calls[kind]
                continue
            spent += seconds
            emit(kind=kind, seconds=seconds, mb=peak)
        if spent > SECONDS and turn:
            break
        if spent > 10 * SECONDS:
            break
    emit(done=True)


def profile(name: str, n: int, kind: str) -> None:
    """Print where the time of one call goes."""
    path = PATHS[name]
    path.work(path.prepare(path.kinds[0], 100))
    given, profiler = path.prepare(kind, n), cProfile.Profile()
    profiler.runcall(path.work, given)
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(45)


def main() -> None:
    """Measure, or profile, what the arguments say."""
    name, n, *kinds = sys.argv[1:]
    os.environ.setdefault("MPLBACKEND", "Agg")
    warnings.simplefilter("ignore")
    if "--profile" in kinds:
        with tempfile.TemporaryDirectory(prefix="rankscape-") as folder:
            tempfile.tempdir = folder
            profile(name, int(n), kinds[0])
        return
    measure(name, int(n), kinds)


if __name__ == "__main__":
    main()
