"""Ctrl-C ends the command line quietly, from its first import on; a program that imports rankscape is left alone."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import PurePath
from typing import NoReturn

STATUS = 130
"""What shells report of a command that Ctrl-C has ended."""


def starts_command_line(argv: list[str], original: list[str]) -> bool:
    """Tell whether the process is the command ``rankscape``, or ``python -m rankscape`` about to start.

    >>> starts_command_line(["/usr/bin/rankscape"], []), starts_command_line(["notebook.py", "rankscape"], [])
    (True, False)
    """
    if argv[:1] == ["-m"]:  # what Python says while it imports the package of a module that it will run
        return next((name for flag, name in pairwise(original) if flag == "-m"), "") == "rankscape"
    return bool(argv) and PurePath(argv[0]).name.removesuffix(".exe") == "rankscape"


def end_quietly() -> None:
    """Let Ctrl-C end the command line without a traceback, unless it was started to ignore Ctrl-C."""
    if starts_command_line(sys.argv, sys.orig_argv) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(ValueError):  # not the main thread
            signal.signal(signal.SIGINT, _end)


@contextmanager
def cleaned_up() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt while files are being written, so that nothing half-written stays."""
    quiet = signal.getsignal(signal.SIGINT) is _end
    if quiet:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if quiet:
            signal.signal(signal.SIGINT, _end)


def _end(signum: int, frame: object) -> NoReturn:
    os._exit(STATUS)


end_quietly()
