"""Naming: which files a name, a pattern or a folder stands for, and what is a file at all."""

import glob
import os
import re
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import DataError, Option, UsageError
from ..texts import some
from .sheets import located, no_such_file, quoted
from .sources import Source

TABLE_SUFFIXES = (".parquet", ".pq", ".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".run")
"""The suffixes of tables, and of runs of TREC, in a folder, perhaps before one of a packed file."""

PACKED_SUFFIXES = (".gz", ".zst", ".zip")

KNOWN_SUFFIXES = (*TABLE_SUFFIXES, ".md", ".markdown", ".tex", ".html", ".htm", ".dat", ".tab", ".out", ".log", ".xlsx")
"""The suffixes that are no part of the name of a model."""


_PIECES = re.compile(r"(?<![a-z])(part|shard|chunk|piece|batch|fold|split)s?[-_. ]?#|#[-_ ]?of[-_ ]?#", re.IGNORECASE)
"""How the names of files say, without their numbers, that they are pieces of one table."""


def is_source(given: Any) -> bool:
    """Tell whether something is a file, a pattern, a folder, an open file, or several files."""
    return is_file(given) or (isinstance(given, (list, tuple)) and bool(given) and all(map(is_file, given)))


def is_file(given: Any) -> bool:
    """Tell whether something is the name of a file, or an open one."""
    return isinstance(given, (str, os.PathLike, Source)) or is_open(given)


def is_open(given: Any) -> bool:
    """Tell whether something is an open file; frames of SQLFrame have whatever attribute they are asked for."""
    return not hasattr(type(given), "columns") and callable(getattr(given, "read", None))


def source_of(given: Any, encoding: str | None = None) -> Source:
    """Return one file, standard input ("-"), an open file or a source as a source."""
    if isinstance(given, Source):
        return given
    if is_open(given):
        name = getattr(given, "name", None)
        where = name if isinstance(name, str) else "the file"
        try:
            return Source(where, content=given.read(), encoding=encoding)
        except UnicodeError as error:
            raise located(where, f"cannot be read ({error}): open it as bytes, or with its encoding") from None
    where = os.fsdecode(os.fspath(given))
    if where == "-":
        return Source("standard input", content=_standard_input(), encoding=encoding)
    refuse_addresses(where)
    return _at(where, encoding)


def _at(path: str, encoding: str | None) -> Source:
    """Return what is at a path; a pipe, such as that of ``<(zcat results.csv.gz)``, is read now, as it is read once."""
    source = Source(path, path=path, encoding=encoding)
    return source.read_once() if is_stream(path) else source


def is_stream(path: str) -> bool:
    """Tell whether a path leads to something that is neither a regular file nor a folder, such as a pipe."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # reading raises it with the reason
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def refuse_encoding(encoding: str | None) -> None:
    """Refuse the encoding of what is no file."""
    if encoding is not None:
        raise UsageError([Option("encoding"), " would change nothing: what is in memory is decoded already"])


def refuse_closed_input() -> None:
    """Raise DataError where nothing can come from standard input."""
    if sys.stdin is None or sys.stdin.closed:
        raise DataError("standard input is closed; expected a table there: name a file, or pass one with a pipe")


def _standard_input() -> bytes | str:
    refuse_closed_input()
    try:
        content: bytes | str = getattr(sys.stdin, "buffer", sys.stdin).read()
    except OSError as error:
        raise DataError(f"standard input cannot be read ({error.strerror}): name a file, or use a pipe") from None
    return content


def refuse_addresses(where: str) -> None:
    """Refuse the address of a page, and the text of a table, in the place of a name."""
    if re.match(r"[a-z][a-z0-9+]+://", where):
        raise DataError(f"{where} is an address; expected a file: download it first")
    if "\n" in where:
        raise DataError(f"{quoted(where)} is no name of a file: where it is the table itself, pass io.StringIO(text)")


def sources_of(given: Any, encoding: str | None = None) -> list[Source]:
    """Return the files that names, patterns and folders stand for, in order; the same file twice is refused.

    A pattern or folder is searched recursively; links count as the file that they lead to.
    """
    several = list(given) if isinstance(given, (list, tuple)) else [given]
    if not several:
        raise DataError("no file is given; expected at least one, or a data frame")
    sources: list[Source] = []
    for one in several:
        if isinstance(one, Source) or is_open(one) or os.fsdecode(os.fspath(one)) == "-":
            sources.append(source_of(one, encoding))
        else:
            sources += [_at(path, encoding) for path in _paths(os.fsdecode(os.fspath(one)))]
    _refuse_twice(sources)
    return sources


def _refuse_twice(sources: Sequence[Source]) -> None:
    """Refuse a file that is given twice, be it by another name: its rows would be counted twice."""
    seen: dict[Any, str] = {}
    for source in sources:
        try:
            status = None if source.path is None else os.stat(source.path)
        except OSError:  # reading raises it with the reason
            continue
        key = source.where if status is None else (status.st_dev, status.st_ino)
        if key in seen:
            as_ = "" if seen[key] == source.where else f", as {seen[key]} and as {source.where}"
            raise located(source.where, f"this file is given twice{as_}; its rows would count twice: name it once")
        seen[key] = source.where


def _paths(where: str) -> list[str]:
    """Return the files that a path, a pattern or a folder stands for, in order."""
    refuse_addresses(where)
    path = Path(where)
    if path.is_dir():
        files = sorted(str(file) for file in path.rglob("*") if file.is_file() and is_table_name(str(file)))
        if not files:
            raise located(where, f"no file of this folder is a table ({', '.join(TABLE_SUFFIXES)}): name a pattern")
        return files
    if path.exists():
        return [where]
    files = sorted(filter(os.path.isfile, glob.glob(where, recursive=True)))
    if not files:
        raise located(where, "no file is like this pattern") if glob.has_magic(where) else no_such_file(where)
    return files


def names_of_files(sources: Sequence[Source]) -> list[str]:
    """Return what models are called that only their files name: by the file, or by its folder where files are alike."""
    paths = [Path(source.where) for source in sources]
    return apart([without_suffixes(path.name) for path in paths], [path.resolve().parent.name for path in paths])


def apart(stems: list[str], folders: list[str]) -> list[str]:
    """Return names of files that tell them apart: the stem, else the folder, else both."""
    if len({*stems}) == len(stems):
        return stems
    alike = len({*stems}) == 1 and len({*folders}) == len(folders)
    return folders if alike else [f"{folder}/{stem}" for folder, stem in zip(folders, stems, strict=True)]


def are_pieces(sources: Sequence[Source]) -> bool:
    """Tell whether files are pieces of one table, as engines and hubs write them: numbered parts, shards or folds.

    >>> (
    ...     are_pieces([Source("part-0.parquet"), Source("part-1.parquet")]),
    ...     are_pieces([Source("a1"), Source("a2")]),
    ... )
    (True, False)
    """
    stems = {re.sub(r"\d+", "#", without_suffixes(os.path.basename(source.where))) for source in sources}
    return len(sources) > 1 and len(stems) == 1 and re.search(_PIECES, stems.pop()) is not None


def is_table_name(path: str) -> bool:
    """Tell whether the name of a file is that of a table, perhaps packed."""
    stem, suffix = os.path.splitext(path)
    return (os.path.splitext(stem)[1] if suffix.lower() in PACKED_SUFFIXES else suffix).lower() in TABLE_SUFFIXES


def without_suffixes(name: str) -> str:
    """Return the name of a file without its known suffixes, and without that of a packed file.

    >>> (
    ...     without_suffixes("GPT-4.1"),
    ...     without_suffixes("GPT-4.1.csv.gz"),
    ...     without_suffixes("v3.0.1.JSON"),
    ... )
    ('GPT-4.1', 'GPT-4.1', 'v3.0.1')
    """
    for known in (PACKED_SUFFIXES, KNOWN_SUFFIXES):
        stem, suffix = os.path.splitext(name)
        name = stem if suffix.lower() in known else name
    return name


def where_of(sources: Sequence[Source]) -> str:
    """Return how errors name some files together."""
    return some(sources, 1, quote="", word=lambda source: source.where)
