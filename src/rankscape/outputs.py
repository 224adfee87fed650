"""Files are written whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from .errors import UsageError
from .texts import visible

FIGURES = ("png", "svg", "pdf")
"""The kinds of files of figures, as their names end."""


def checked_path(path: object) -> Path:
    """Return the path of a file to write."""
    if isinstance(path, (str, os.PathLike)) and path != "":
        with suppress(TypeError):  # a path of bytes
            return Path(path)
    raise UsageError("path must be the name of a file to write", got=f"{path!r:.80}")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there; raises UsageError with the reason why it cannot be written."""
    target = Path(os.path.realpath(path))
    part = target.with_name(f".rankscape-{os.getpid()}.part")
    try:
        if target.exists() and not target.is_file() and not target.is_dir():  # a device, a pipe
            target.write_bytes(content)
            return
        try:
            with part.open("xb") as file:
                file.write(content)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        gone = "" if target.parent.is_dir() else f": there is no folder {visible(str(path.parent))}"
        raise UsageError(f"cannot write {visible(str(path))}{gone or f': {error.strerror or error}'}") from None


def figures_folder(path: Path) -> Path:
    """Return the folder of the figures of a report that is no HTML page."""
    return path.with_name(f"{path.stem}_figures")
