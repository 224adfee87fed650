"""The files that a command reads, which it never writes over."""

import glob
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from ..outputs import figures_folder
from ..texts import visible

_FILES = {"FILE", "FILE...", "NEW"}
"""How the help calls what is read."""

Identity = tuple[int, int]


def refuse_overwriting(ctx: click.Context) -> None:
    """Refuse outputs that are an input, under whatever name."""
    written = {identity: path for path in _outputs(ctx.params) if (identity := _identity(path)) is not None}
    if not written:
        return
    for parameter in ctx.command.params:
        value = ctx.params.get(parameter.name or "")
        if value is None or not _FILES & {*(parameter.metavar or "").split("|")}:
            continue
        for file in (file for given in ([value] if isinstance(value, str) else value) for file in _files(given)):
            if path := written.get(_identity(file) or (-1, -1)):
                raise UsageError(f"{visible(str(path))} is an input and would be overwritten: write to another file")


def _outputs(params: dict[str, Any]) -> Iterator[Path]:
    """Yield the files that will be written: that of ``--output``, and what a report writes beside."""
    output = params.get("output")
    if output is None or str(output) == "-":
        return
    yield output
    if not params.get("no_figures", True):
        yield from figures_folder(output).rglob("*")


def _files(given: str) -> Iterable[Any]:
    """Return what a name stands for: a file, standard input, all in a folder, all of a pattern."""
    if given == "-":
        return [0]
    if os.path.isdir(given):
        return Path(given).rglob("*")
    return [given] if os.path.exists(given) else glob.glob(given, recursive=True)


def _identity(file: Any) -> Identity | None:
    """Return what tells a regular file from others, the same through links; None where there is none."""
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
