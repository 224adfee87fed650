"""Ctrl-C ends the command line quietly, from its first import on; a program that imports rankscape is left alone."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import PurePath
from typing import NoReturn

STATUS = 130
"""What shells report of a command that Ctrl-C has ended."""


def starts_command_line(program: str) -> bool:
    """Tell whether the process is the command ``rankscape``, or ``python -m rankscape``, by ``sys.argv[0]``.

    >>> starts_command_line("/usr/bin/rankscape"), starts_command_line("notebook.py")
    (True, False)
    """
    path = PurePath(program)
    return path.name.removesuffix(".exe") == "rankscape" or path.parts[-2:] == ("rankscape", "__main__.py")


def end_quietly() -> None:
    """Let Ctrl-C end the command line without a traceback, unless it was started to ignore Ctrl-C."""
    if sys.argv and starts_command_line(sys.argv[0]) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
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


def end_at_once() -> None:
    """End the command line after Ctrl-C, all being cleaned up; do nothing in other programs.

    Left to itself, ``python -m`` would die of the signal where Ctrl-C met an exec, as in the making of a dataclass.
    """
    if sys.argv and starts_command_line(sys.argv[0]):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # closed, full, or none
                stream.flush()
        os._exit(STATUS)


def _end(signum: int, frame: object) -> NoReturn:
    os._exit(STATUS)


end_quietly()
