"""Files of predictions: DuckDB scans them, out of core, and reads only the columns that are asked for."""

import glob
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import DataError, MissingExtraError
from .tabular import located, no_such_file, shown

if TYPE_CHECKING:
    import narwhals as nw

_KINDS = {
    ".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "csv", ".txt": "csv",
    ".json": "json", ".jsonl": "json", ".ndjson": "json",
}  # fmt: skip
_PACKED = (".gz", ".zst")
_WAIT = 0.1
_WHOLE = "-?(0|[1-9][0-9]{0,17})"
_NUMBER = "-?(0|[1-9][0-9]{0,17})(\\.[0-9]+)?(e[+-][0-9]+)?"  # as programs write them: 007 and 1e1 are names
_QUIET = "set enable_progress_bar = true; set enable_progress_bar_print = false"  # told here, never on standard output
Progress = Callable[[int], None]


def is_files(source: Any) -> bool:
    """Tell whether a source is a file, a pattern, a folder, or several of them."""
    one = (str, os.PathLike)
    return isinstance(source, one) or (isinstance(source, (list, tuple)) and all(isinstance(s, one) for s in source))


@contextmanager
def scanned(
    source: Any,
    progress: Progress | None,
    texts: Sequence[str | None] = (),
    numbers: Sequence[str | None] = (),
    labels: Sequence[str | None] = (),
) -> Iterator[tuple[Any, str, Any]]:
    """Give a DuckDB relation over files, what errors call them, and how its plans are carried out.

    In CSV files the columns ``texts`` are left as they are ("1.10" is a name), ``numbers`` may have decimal commas, and
    ``labels`` are numbers only if all of them are.
    """
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError(
            'counting files needs DuckDB: pip install "rankscape[data]" (or: pip install duckdb)'
        ) from None
    if isinstance(source, (list, tuple)) and not source:
        raise DataError("no file is given; expected at least one, or a data frame")
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
            relation = _relation(connection, kinds.pop(), paths, where, *map(_headers, (texts, numbers, labels)))
            yield relation, where, _fetching(connection, where, progress)
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


def _headers(given: Sequence[str | None]) -> set[str]:
    return {str(header).casefold() for header in given if header is not None}


def _relation(connection: Any, kind: str, paths: list[str], where: str, *roles: set[str]) -> Any:
    """Return the rows of files; columns go by name, and what a file does not have is missing."""
    literal = [glob.escape(path) for path in paths]  # DuckDB takes patterns, these are names
    try:
        if kind == "parquet":
            return connection.read_parquet(literal, union_by_name=True)
        if kind == "json":
            return connection.read_json(literal, union_by_name=True, hive_partitioning=False)
        return _csv(connection, literal, where, *roles)
    except DataError:
        raise
    except Exception as error:  # DuckDB has many kinds of errors
        raise _unreadable(error, where) from None


def _csv(connection: Any, literal: list[str], where: str, texts: set[str], numbers: set[str], labels: set[str]) -> Any:
    """Return the rows of CSV files: names as they are written, numbers with decimal points or commas."""
    import duckdb

    def rows(**more: Any) -> Any:  # a folder "y=0" is no column, and "#N/A" no comment
        return connection.read_csv(literal, union_by_name=True, hive_partitioning=False, comment="", **more)

    headers = rows().columns
    _refuse_repeated(connection, literal, where, headers, texts | numbers | labels)
    kinds = {header: "VARCHAR" for header in headers if header.casefold() in texts | labels}
    found = rows(sample_size=-1, dtype=kinds)
    unread = _texts(found, numbers)
    if unread:
        with suppress(duckdb.Error):  # such as a comma that separates cells, too
            other = rows(sample_size=-1, dtype=kinds, decimal=",")
            if not _texts(other, numbers):
                _refuse_thousands(found, unread, where)
                found = other
    return _typed(found, [header for header in headers if header.casefold() in labels - texts])


def _typed(relation: Any, labels: Sequence[str]) -> Any:
    """Return the rows with labels as numbers, or true and false, where every cell of all their columns is written so.

    Else they stay as they are: DuckDB would take yes for true, and 1e1 for 10.
    """
    if not labels:
        return relation
    cells = [f"trim({_quoted(header)})" for header in labels]

    def all_are(pattern: str) -> str:
        return " and ".join(f"coalesce(bool_and(regexp_full_match({cell}, '{pattern}', 'i')), true)" for cell in cells)

    kinds = {"BIGINT": _WHOLE, "DOUBLE": _NUMBER, "BOOLEAN": "true|false"}
    found = relation.query("t", f"select {', '.join(map(all_are, kinds.values()))} from t").fetchall()[0]
    kind = next((kind for kind, holds in zip(kinds, found, strict=True) if holds), None)
    if kind is None:
        return relation
    casts = (f"cast({cell} as {kind}) as {_quoted(header)}" for cell, header in zip(cells, labels, strict=True))
    return relation.query("t", f"select * replace ({', '.join(casts)}) from t")


def _quoted(header: str) -> str:
    return '"{}"'.format(header.replace('"', '""'))


def _refuse_repeated(
    connection: Any, literal: Sequence[str], where: str, headers: Sequence[str], used: set[str]
) -> None:
    """Refuse files in which two columns have the same header: DuckDB calls the second one x_1."""
    known = {header.casefold() for header in headers}
    again = [re.sub(r"_[0-9]+$", "", header).casefold() for header in headers if re.search(r"_[0-9]+$", header)]
    if not {*again} & used & known:
        return
    for path in literal:
        whole = connection.read_csv(path, header=False, all_varchar=True, comment="", hive_partitioning=False)
        cells = [str(cell).strip().casefold() for row in whole.limit(1).fetchall() for cell in row]
        for header in used:
            if cells.count(header) > 1:
                raise located(where, f"{cells.count(header)} columns are called {shown(header)}; rename all but one")


def _texts(relation: Any, headers: set[str]) -> list[str]:
    """Return which columns hold text, of those that should hold numbers."""
    columns = zip(relation.columns, relation.types, strict=True)
    return [header for header, kind in columns if header.casefold() in headers and str(kind) == "VARCHAR"]


def _refuse_thousands(relation: Any, headers: Sequence[str], where: str) -> None:
    """Refuse a column in which every comma may as well separate thousands."""
    for header in headers:
        cell = f"trim({_quoted(header)})"
        doubtful = f"bool_and(regexp_full_match({cell}, '[+-]?[1-9][0-9]{{0,2}},[0-9]{{3}}')), min({cell})"
        (every, example), *_ = relation.query("t", f"select {doubtful} from t where contains({cell}, ',')").fetchall()
        if every:
            readings = f"{example.replace(',', '')} or {example.replace(',', '.')}"
            problem = f"may mean {readings}, and no other number in the column tells which"
            raise located(where, f"{shown(header)} = {example} {problem}: write 1234 for thousands, and 0,5 for a half")


def _unreadable(error: Exception, where: str) -> DataError:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return located(where, f"DuckDB cannot read this as a table: {shown(' '.join(lines)[:300]) if lines else error}")


@contextmanager
def _held_interruptions() -> Iterator[list[bool]]:
    """Give a list that Ctrl-C makes true, and raise KeyboardInterrupt at the end.

    Raised anywhere, as the second Ctrl-C of impatient people, it would leave a thread behind that Python then kills,
    at which DuckDB aborts. Handlers of others, and threads that hear no signals, are left alone.
    """
    asked: list[bool] = []
    usual = signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not usual:
        yield asked
        return
    signal.signal(signal.SIGINT, lambda number, frame: asked.append(True))
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, usual)
    if asked:
        raise KeyboardInterrupt


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
        told = 0
        try:
            with _held_interruptions() as asked:
                worker.start()
                try:
                    while worker.is_alive() and not asked:
                        worker.join(_WAIT)
                        if progress is not None and worker.is_alive():
                            told = max(told, min(99, int(connection.query_progress())))  # which may go back
                            progress(told)
                finally:
                    while worker.is_alive():  # again and again: DuckDB may be too busy to hear it
                        with suppress(Exception):
                            connection.interrupt()
                        worker.join(_WAIT)
        finally:
            if progress is not None:
                progress(100)
        if "error" in outcome:
            raise _unreadable(outcome["error"], where) from None
        return list(outcome["rows"])

    return fetch
