"""The files that a command reads, which it never writes over."""

import glob
import os
import stat
from collections.abc import Iterator
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
    outputs = [(path, identity) for path in _outputs(ctx.params) if (identity := _identity(path)) is not None]
    if not outputs:
        return
    inputs = {identity for given in _inputs(ctx) for identity in _identities(given)}
    for path, identity in outputs:
        if identity in inputs:
            raise UsageError(f"{visible(str(path))} is an input and would be overwritten: write to another file")


def _inputs(ctx: click.Context) -> Iterator[str]:
    for parameter in ctx.command.params:
        value = ctx.params.get(parameter.name or "")
        if value is not None and _FILES & set((parameter.metavar or "").split("|")):
            yield from (value,) if isinstance(value, str) else value


def _outputs(params: dict[str, Any]) -> Iterator[Path]:
    """Yield the files that will be written: that of ``--output``, and what a report writes beside."""
    output = params.get("output")
    if output is None or str(output) == "-":
        return
    yield output
    if params.get("explorer"):
        yield output.with_name(Path(params["explorer"]).name or "-")
    if not params.get("no_figures", True):
        yield from _files_in(figures_folder(output))


def _identities(given: str) -> Iterator[Identity]:
    """Yield which files a name stands for: a file, standard input, all in a folder, all of a pattern."""
    if given == "-":
        paths: list[Any] = [0]
    elif os.path.isdir(given):
        paths = list(_files_in(Path(given)))
    else:
        paths = [given] if os.path.exists(given) else glob.glob(given, recursive=True)
    yield from filter(None, map(_identity, paths))


def _files_in(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _identity(file: Any) -> Identity | None:
    """Return what tells a regular file from others, the same through links; None where there is none."""
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
