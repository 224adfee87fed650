"""Files of predictions: DuckDB scans them, out of core, and reads only the columns that are asked for."""

import glob
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import DataError, UsageError
from .tabular import located, no_such_file, shown

if TYPE_CHECKING:
    import narwhals as nw

_KINDS = {
    ".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "csv", ".txt": "csv",
    ".json": "json", ".jsonl": "json", ".ndjson": "json",
}  # fmt: skip
_PACKED = (".gz", ".zst")
_WAIT = 0.1
_QUIET = "set enable_progress_bar = true; set enable_progress_bar_print = false"  # told here, never on standard output
Progress = Callable[[int], None]


def is_files(source: Any) -> bool:
    """Tell whether a source is a file, a pattern, a folder, or several of them."""
    one = (str, os.PathLike)
    return isinstance(source, one) or (isinstance(source, (list, tuple)) and all(isinstance(s, one) for s in source))


@contextmanager
def scanned(source: Any, progress: Progress | None) -> Iterator[tuple[Any, str, Any]]:
    """Give a DuckDB relation over files, what errors call them, and how its plans are carried out."""
    try:
        import duckdb
    except ImportError:
        raise UsageError(
            'counting files needs DuckDB: pip install "rankscape[data]" (or: pip install duckdb)'
        ) from None
    with _spooled(source) as sources:
        paths = [path for one in sources for path in _paths(os.fspath(one))]
        kinds = {_kind(path) for path in paths}
        if len(kinds) > 1:
            raise DataError(
                f"the files are of several kinds ({', '.join(sorted(kinds))}); expected one: name a pattern"
            )
        where = "standard input" if source == "-" else paths[0] + (f" and {len(paths) - 1} more" if paths[1:] else "")
        connection = duckdb.connect(config={"temp_directory": tempfile.gettempdir(), "preserve_insertion_order": False})
        try:
            connection.execute(_QUIET)
            yield _relation(connection, kinds.pop(), paths, where), where, _fetching(connection, where, progress)
        finally:
            with suppress(duckdb.Error):
                connection.close()


@contextmanager
def _spooled(source: Any) -> Iterator[Sequence[Any]]:
    """Give the sources as files: standard input is kept in a temporary one, which goes away at the end."""
    if source != "-":
        yield list(source) if isinstance(source, (list, tuple)) else [source]
        return
    with tempfile.TemporaryDirectory(prefix="rankscape-") as folder:
        path = Path(folder) / "input"
        with path.open("wb") as file:
            shutil.copyfileobj(getattr(sys.stdin, "buffer", sys.stdin), file)
        yield [path]


def _paths(where: str) -> list[str]:
    """Return the files that a path, a pattern or a folder stands for, in order."""
    if "://" in where:
        raise DataError(f"{where} is an address; expected a file: download it first")
    path = Path(where)
    if path.is_dir():
        found = sorted(str(file) for file in path.rglob("*") if file.is_file() and _suffix(str(file)) in _KINDS)
        if not found:
            raise located(where, f"no file of this folder is a table ({', '.join(_KINDS)}): name a pattern")
        return found
    if path.exists():
        return [where]
    found = sorted(filter(os.path.isfile, glob.glob(where, recursive=True)))
    if not found:
        raise located(where, "no file is like this pattern") if glob.has_magic(where) else no_such_file(where)
    return found


def _suffix(path: str) -> str:
    stem, suffix = os.path.splitext(path)
    return (os.path.splitext(stem)[1] if suffix.lower() in _PACKED else suffix).lower()


def _kind(path: str) -> str:
    """Return what a file holds: by its first byte, or, where it is packed, by its name."""
    if path.lower().endswith(_PACKED):
        return _KINDS.get(_suffix(path), "csv")
    try:
        with open(path, "rb") as file:
            start = file.read(256)
    except OSError as error:
        raise located(path, f"cannot be read ({error.strerror or error}); expected a file") from None
    if not start.strip():
        raise located(path, "this is empty; expected predictions, one case per row")
    if start.startswith(b"PAR1"):
        return "parquet"
    return "json" if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[") else "csv"


def _relation(connection: Any, kind: str, paths: list[str], where: str, sample: int | None = None) -> Any:
    """Return the rows of files; columns go by name, and what a file does not have is missing."""
    literal = [glob.escape(path) for path in paths]  # DuckDB takes patterns, these are names
    try:
        if kind == "parquet":
            return connection.read_parquet(literal, union_by_name=True)
        if kind == "json":
            return connection.read_json(literal, union_by_name=True)
        return connection.read_csv(literal, union_by_name=True, sample_size=-1 if sample is None else sample)
    except Exception as error:  # DuckDB has many kinds of errors
        raise _unreadable(error, where) from None


def _unreadable(error: Exception, where: str) -> DataError:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return located(where, f"DuckDB cannot read this as a table: {shown(' '.join(lines)[:300]) if lines else error}")


def _fetching(connection: Any, where: str, progress: Progress | None) -> Callable[["nw.LazyFrame[Any]"], list[Any]]:
    """Return what carries out a plan: in a thread of its own, so that progress is told and Ctrl-C is heard."""

    def fetch(frame: "nw.LazyFrame[Any]") -> list[Any]:
        outcome: dict[str, Any] = {}

        def run() -> None:
            try:
                outcome["rows"] = frame.to_native().fetchall()
            except BaseException as error:
                outcome["error"] = error

        worker = threading.Thread(target=run, daemon=True)
        worker.start()
        try:
            while worker.is_alive():
                worker.join(_WAIT)
                if progress is not None and worker.is_alive():
                    progress(min(99, max(0, int(connection.query_progress()))))
        except KeyboardInterrupt:
            while worker.is_alive():  # impatient people press Ctrl-C twice, and DuckDB may be too busy to hear it
                with suppress(KeyboardInterrupt, Exception):
                    connection.interrupt()
                with suppress(KeyboardInterrupt):
                    worker.join(_WAIT)
            raise
        finally:
            if progress is not None:
                progress(100)
        if "error" in outcome:
            raise _unreadable(outcome["error"], where) from None
        return list(outcome["rows"])

    return fetch
