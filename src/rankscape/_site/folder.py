"""The folder of a site: unchanged files stay as they are, and an interrupted run leaves the old site."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from .._report import to_json
from ..errors import DataError, UsageError
from ..texts import some, visible

FILE, SCHEMA = "files.json", "rankscape/site/1"
"""The list of the files of a site, by which the next run knows what an earlier one wrote."""

Staged = list[tuple[Path, Path]]


def list_of(files: Iterable[str]) -> bytes:
    """Return the list of the files of a site, and of itself, as the next run reads it."""
    return to_json({"schema": SCHEMA, "files": sorted([*files, FILE])}).encode()


def written_before(folder: Path) -> list[str]:
    """Return the names of the files that the last run left in a folder; none where there was no run.

    Raises DataError for a list that no run has written.
    """
    path = folder / FILE
    try:
        document = json.loads(path.read_text("utf-8"))
        files = list(document["files"])
        if document["schema"] != SCHEMA or not all(isinstance(name, str) for name in files):
            raise ValueError(document["schema"])
        return files
    except FileNotFoundError:
        return []
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DataError(
            "it is not the list of the files of a site", where=visible(str(path)),
            expected="the file that the last run wrote",
            way_out="restore it from the last site, or move the folder away to write a new site",
        ) from error  # fmt: skip
    except OSError as error:
        raise UsageError(f"cannot read {visible(str(path))}: {error.strerror or error}") from None


def publish(folder: Path, files: Mapping[str, bytes], before: Sequence[str]) -> dict[str, str]:
    """Write files, by their names in the folder, and remove those of ``before`` that are no more; return what was done.

    All that changed is written beside its place first, and only then moved there, so that what fails on the way leaves
    the old site. The last file is moved last. Files that are not of the site stay; one in the way is not overwritten.
    Returns "new", "changed" or "unchanged" by name, and "removed".
    """
    before = [name for name in before if _harmless(name)]
    _refuse_what_cannot_be(folder, files)
    done = {name: _state(folder / name, content) for name, content in files.items()}
    _refuse_foreign(folder, [name for name in files if name not in set(before) and done[name] == "changed"])
    staged: Staged = []
    try:
        for name, content in files.items():
            if done[name] != "unchanged":
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                part = target.with_name(f".rankscape-{os.getpid()}-{len(staged)}.part")
                staged.append((part, target))
                part.write_bytes(content)
    except BaseException as error:
        for part, _ in staged:
            part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise UsageError(f"cannot write {visible(str(folder))}: {error.strerror or error}") from None
        raise
    _move(staged)
    for name in before:
        if name not in files and (folder / name).is_file():
            (folder / name).unlink()
            done[name] = "removed"
    return done


def _move(staged: Staged) -> None:
    """Move files to their places; Ctrl-C waits until all are there, which takes milliseconds."""
    interrupted = None
    while staged:
        try:
            part, target = staged[0]
            if part.exists():  # else Ctrl-C came between the move and its note
                os.replace(part, target)
            staged.pop(0)
        except KeyboardInterrupt as error:
            interrupted = error
        except OSError as error:
            for part, _ in staged:
                part.unlink(missing_ok=True)
            raise UsageError(f"cannot write {visible(str(target))}: {error.strerror or error}") from None
    if interrupted is not None:
        raise interrupted


def _state(path: Path, content: bytes) -> str:
    try:
        return "unchanged" if path.read_bytes() == content else "changed"
    except FileNotFoundError:
        return "new"
    except OSError:  # there, but not readable
        return "changed"


def _refuse_what_cannot_be(folder: Path, files: Mapping[str, bytes]) -> None:
    """Refuse folders where files of the site will be, and files where its folders will be."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{visible(str(folder))} is a file", expected="the name of a folder")
    folders = {parent for name in files for parent in PurePosixPath(name).parents}
    in_the_way = [name for name in files if (folder / name).is_dir()]
    no_folders = [name for name in sorted(folders) if os.path.lexists(folder / name) and not (folder / name).is_dir()]
    in_the_way += map(str, no_folders)
    if in_the_way:
        raise UsageError(
            f"{visible(str(folder))} holds {some(in_the_way, 3)}, in the way of the site",
            way_out=["choose a new folder", "move these away"],
        )


def _refuse_foreign(folder: Path, in_the_way: Sequence[str]) -> None:
    """Refuse to write over files that no earlier run of this site has written."""
    if in_the_way:
        raise UsageError(
            f"{visible(str(folder))} holds {some(in_the_way, 3)}, which no earlier site of rankscape wrote",
            way_out=["choose a new folder", "move these files away"],
        )


def _harmless(name: str) -> bool:
    """Tell whether a name of a list of files, which anybody may have edited, stays inside the folder."""
    parts = PurePosixPath(name).parts
    return bool(parts) and "\\" not in name and ":" not in name and not {"..", "/"} & set(parts)
