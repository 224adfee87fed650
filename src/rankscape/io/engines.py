"""Engines: data frames of any library as narwhals sees them, and files that DuckDB reads out of core.

DuckDB is given every option, for a guess may lose rows.
"""

from __future__ import annotations

import atexit
import ctypes
import glob
import json
import mmap
import os
import signal
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DataError, Option
from ..kernels.plain_csv import plain_csv
from .codes import Column, column_of
from .headers import FILE, role
from .sheets import Source, located, quoted, separated_table

if TYPE_CHECKING:
    import narwhals as nw

Progress = Callable[[int], None]
_BLANK = " \t\r\n\v\f\x1c\x1d\x1e\x1f"
_RARE = [sign for sign in map(chr, range(128, 0x3001)) if sign.isspace()]  # which str.strip takes off, too
_WAIT = 0.1
_QUIET = "set enable_progress_bar = true; set enable_progress_bar_print = false"  # rankscape shows progress itself
_NUMBER = r"[+-]?([0-9]{1,15}\.?[0-9]{0,16}|0?\.0*[1-9][0-9]{0,16})([eE][+-]?[0-9]{1,2})?"
"""Numbers that differ as texts differ as floats, unless somebody wrote more digits than a float has."""
_ARE_NUMBERS = [f"coalesce(bool_and(regexp_full_match(%s, '{p}')), true)" for p in (_NUMBER, "[+-]?[0-9]{1,18}")]
_ARE_NUMBERS += ["count(%s) > 0"]
"""What columns are asked: whether all cells are numbers, and whole ones, and whether there is any."""
_ARE_NAMES = "coalesce(bool_and(starts_with(%s, '\"') or regexp_full_match(%s, '-?[0-9]{1,18}')), false)"
_LARGEST_LABEL = 10**18  # whole numbers beyond it may have been rounded
_LINES = f"format='newline_delimited', maximum_object_size={2**24}"


@cache
def _database(process: int) -> Any:
    """Return the database of a process, in memory: making one takes longer than counting a small file."""
    import duckdb  # which commands on tables of counts do without

    database = duckdb.connect(config={"temp_directory": tempfile.gettempdir()})
    if hasattr(os, "register_at_fork"):  # not on Windows; a forked process has no threads, and would die of closing it
        os.register_at_fork(after_in_child=partial(ctypes.pythonapi.Py_IncRef, ctypes.py_object(database)))
    return database


@contextmanager
def connected() -> Iterator[Any]:
    """Give a new connection, closed at the end; its tables are its own, and rows of files keep their order."""
    connection = _database(os.getpid()).cursor()
    try:
        connection.execute(_QUIET)
        yield connection
    finally:
        with suppress(Exception):
            connection.close()


def parquet_relation(connection: Any, paths: Sequence[str], where: str, names: Sequence[str] = ()) -> tuple[Any, int]:
    """Return the rows of Parquet files, columns by name, perhaps with the names of the files, and their number."""
    literal = [glob.escape(path) for path in paths]  # DuckDB takes patterns, these are names
    parts = [f"select *, {_sql(name)} as {_name(FILE)} from read_parquet({_sql(path)}, hive_partitioning=false)"
             for path, name in zip(literal, names, strict=bool(names))]  # fmt: skip
    try:
        query = f"from read_parquet([{', '.join(map(_sql, literal))}], union_by_name=true, hive_partitioning=false)"
        relation = connection.sql(" union all by name ".join(parts) or query)
        total = "select sum(num_rows) from parquet_file_metadata(?)"
        return relation, int(connection.execute(total, [literal]).fetchall()[0][0] or 0)
    except Exception as error:  # DuckDB has many kinds of errors
        raise unreadable(error, where) from None


class NotPlainError(Exception):
    """A file is not plain: it is read record by record instead."""


def text_relation(
    connection: Any, sources: Sequence[Source], texts: bool, headers: Sequence[str], numbers: Sequence[str],
    names: Sequence[str] = (), cases: Sequence[str] = (),
) -> tuple[Any, int] | None:  # fmt: skip
    """Return the rows of plain files of text, and how many records they hold; None where a file is not plain.

    Of CSV files (``texts``) the columns ``headers`` are texts, blank ones missing, of JSON lines their values as JSON
    writes them (see :func:`labels_of_json`), of which ``cases`` must be written in one way each; those of ``numbers``
    are whole numbers or floats. What is not plain, in a file (quotes, ends of lines, blank or uneven records) or in a
    number, is left to the strict reader. With ``names`` each file has one, which stands in the column :data:`FILE` of
    its rows.
    """
    import duckdb

    try:
        of_files = [header for header in headers if header != FILE]
        parts = [_plain_csv(one, of_files) if texts else _plain_lines(one, of_files, numbers, cases) for one in sources]
        if names:
            parts = [
                (f"select *, {_sql(name)} as {_name(FILE)} from ({query})", records)
                for (query, records), name in zip(parts, names, strict=True)
            ]
        relation = connection.sql(" union all ".join(query for query, _ in parts))
        if cases and not texts and not all(map(all, _tested(relation, cases, [_ARE_NAMES]).values())):
            return None
        return _with_numbers(relation, headers, numbers, texts), sum(records for _, records in parts)
    except (NotPlainError, duckdb.Error):
        return None


def _plain_lines(
    source: Source, headers: Sequence[str], numbers: Sequence[str], cases: Sequence[str]
) -> tuple[str, int]:
    """Return the query of the rows of plain JSON lines, and the number of their records."""
    if not source.json_lines:
        raise NotPlainError
    columns = ", ".join(f"{_sql(header)}: 'JSON'" for header in headers)
    cells = {header: f"{_name(header)}::varchar" for header in headers}
    cells |= {header: f"nullif({cells[header]}, '\"\"')" for header in cases}
    cells |= {header: f"nullif(trim({cells[header]}, '\"'), '')" for header in numbers}
    chosen = ", ".join(f"{cell} as {_name(header)}" for header, cell in cells.items())
    options = f"auto_detect=false, columns={{{columns}}}, ignore_errors=false, {_LINES}"
    return f"select {chosen} from read_json({_sql(glob.escape(source.on_disk))}, {options})", source.json_lines


def labels_of_json(column: Column) -> Column:
    """Return a column of labels that JSON writes; raise where one is none, or a number that may have been rounded."""
    if column.values and not isinstance(column.values[0], str):
        return column
    labels = json.loads(f"[{','.join(column.values)}]")
    plain = all(isinstance(x, (str, bool)) or (type(x) is int and abs(x) < _LARGEST_LABEL) for x in labels)
    if not plain or not labels:
        raise NotPlainError
    return column_of((None if label == "" else label for label in labels), column.codes)


def _tested(rows: Any, headers: Sequence[str], tests: Sequence[str]) -> dict[str, list[bool]]:
    """Return the answers of columns to tests of all of their cells, asked in one pass."""
    asked = ", ".join(test.replace("%s", _name(header)) for header in headers for test in tests)
    answers = iter(rows.aggregate(asked).fetchall()[0])
    return {header: [next(answers) for _ in tests] for header in headers}


def keys_of_lines(connection: Any, source: Source) -> list[str] | None:
    """Return the keys of the records in plain JSON lines; None where another file."""
    import duckdb

    if not source.json_lines:
        return None
    try:
        files = f"{_sql(glob.escape(source.on_disk))}, {_LINES}"
        query = f"select distinct json_keys(json) from read_json_objects({files})"
        return sorted({key for (keys,) in connection.sql(query).fetchall() for key in keys})
    except duckdb.Error:
        return None


def _plain_csv(source: Source, headers: Sequence[str]) -> tuple[str, int]:
    """Return the query of the rows of a plain CSV file, and the number of its records."""
    if source.charset not in ("utf-8", "utf-8-sig"):
        raise NotPlainError
    table = separated_table(source, set(headers).__contains__)
    path = source.on_disk
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        data = np.frombuffer(content, dtype=np.uint8)
        mark = 3 if bytes(data[:3]) == b"\xef\xbb\xbf" else 0
        announced = bytes(data[mark : mark + 4]).lower() == b"sep="
        shape = None if announced else plain_csv(data[mark:], table.separator)
        # To take white space off every cell takes as long as all the rest: only where there is some.
        rare = _RARE if shape is not None and data.max() >= 128 else []
        blank = _BLANK if shape is not None and shape.padded else ""
        blank += "".join(sign for sign in rare if content.find(sign.encode()) >= 0)
        repeated = content.find(b"\n" + content[mark : content.find(b"\n")].rstrip()) >= 0  # which has a line to name
        del data
    counts, places = Counter(table.headers), {header: i for i, header in enumerate(table.headers)}
    if shape is None or repeated or any(counts[header] != 1 for header in headers):
        raise NotPlainError
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(table.headers)))
    end = r"\r\n" if shape.returns else r"\n"
    cell = f"trim({{}}, {_sql(blank)})" if blank else "{}"
    chosen = ", ".join(f"nullif({cell.format(f'c{places[header]}')}, '') as {_name(header)}" for header in headers)
    options = (
        f"auto_detect=false, columns={{{columns}}}, delim={_sql(table.separator)}, quote='\"', escape='\"', "
        f"header=true, skip=0, comment='', nullstr='', new_line='{end}', max_line_size={2**22}, "
        f"null_padding=false, ignore_errors=false, parallel={'false' if shape.ends_in_quotes else 'true'}"
    )
    return f"select {chosen} from read_csv({_sql(glob.escape(path))}, {options})", shape.records - 1


def _with_numbers(relation: Any, headers: Sequence[str], numbers: Sequence[str], texts: bool) -> Any:
    """Return the rows with columns of numbers, whole ones where all are; raise where a cell is none."""
    kinds = _tested(relation, numbers, _ARE_NUMBERS) if numbers else {}
    if not all(is_number and (texts or there) for is_number, _, there in kinds.values()):
        raise NotPlainError
    types = {header: "BIGINT" if whole else "DOUBLE" for header, (_, whole, _) in kinds.items()}
    cells = {header: f"cast({_name(header)} as {kind}) as {_name(header)}" for header, kind in types.items()}
    return relation.project(", ".join(cells.get(header, _name(header)) for header in headers)) if kinds else relation


def _name(header: str) -> str:
    return '"{}"'.format(header.replace('"', '""'))


def _sql(text: str) -> str:
    """Return a text as DuckDB writes it: control characters by their numbers."""
    if text.isprintable():
        return "'{}'".format(text.replace("'", "''"))
    return " || ".join(f"chr({ord(character)})" for character in text)


def unreadable(error: BaseException, where: str) -> DataError:
    """Return the error for a table that DuckDB refuses."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return located(where, f"DuckDB cannot read this as a table: {quoted(' '.join(lines)[:300]) if lines else error}")


def fetching(connection: Any, where: str, progress: Progress | None) -> Callable[..., Any]:
    """Return a function that carries out a plan in another thread, and so reports progress and can be interrupted."""

    def fetch(frame: nw.LazyFrame[Any], take: Callable[[Any], Any] = lambda relation: list(relation.fetchall())) -> Any:
        outcome: dict[str, Any] = {}

        def run() -> None:
            try:
                outcome["rows"] = take(frame.to_native())
            except BaseException as error:
                outcome["error"] = error

        worker = threading.Thread(target=run, daemon=True)
        asked: list[bool] = []
        done = 0
        asked_progress = getattr(connection, "query_progress", lambda: 0)  # not in every version
        # KeyboardInterrupt anywhere, as by the second Ctrl-C of impatient people, would leave a thread behind that
        # Python then kills, at which DuckDB aborts: it is held until the end. Handlers of others, and threads that hear
        # no signals, are left alone.
        usual = signal.default_int_handler
        held = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is usual
        if held:
            signal.signal(signal.SIGINT, lambda number, frame: asked.append(True))
        try:
            worker.start()
            while worker.is_alive() and not asked:
                worker.join(_WAIT)
                if progress is not None and worker.is_alive():
                    done = max(done, min(99, int(asked_progress())))  # which may go back
                    progress(done)
        finally:
            while worker.is_alive():  # again and again: DuckDB may be too busy to hear it
                with suppress(Exception):
                    connection.interrupt()
                worker.join(_WAIT)
            if held:
                signal.signal(signal.SIGINT, usual)
            if progress is not None:
                progress(100)
        if asked:
            raise KeyboardInterrupt
        if "error" in outcome:
            raise unreadable(outcome["error"], where) from None
        return outcome["rows"]

    return fetch


# Data frames of any library: plans that their own engine carries out


def data_frame(native: Any, where: str) -> nw.DataFrame[Any] | nw.LazyFrame[Any] | None:
    """Return a data frame of any library as narwhals sees it, None for anything else.

    Headers of pandas that are numbers or pairs become texts, as a file of the frame would have them.
    """
    import narwhals as nw  # not needed for files of text

    try:
        frame = nw.from_native(native, pass_through=True)
        if isinstance(frame, nw.DataFrame) and frame.implementation.is_pandas_like():
            headers = list(frame.columns)
            if not all(isinstance(header, str) for header in headers):
                parts = (header if isinstance(header, tuple) else (header,) for header in headers)
                texts = [" ".join(text for part in of if (text := str(part).strip())) for of in parts]
                frame = nw.from_native(frame.to_native().set_axis(texts, axis=1))
    except Exception as error:  # each library refuses a frame in another way, such as one with equal headers
        raise located(where, f"the data frame cannot be used: {' '.join(str(error).split())}") from error
    return frame if isinstance(frame, (nw.DataFrame, nw.LazyFrame)) else None


def index_columns(frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> dict[str, list[Any]]:
    """Return the index of a pandas frame as columns that it lacks: known headers, or the only one if it has texts."""
    import narwhals as nw

    columns: dict[str, list[Any]] = {}
    index: Any = nw.maybe_get_index(frame) if isinstance(frame, nw.DataFrame) else None
    for level, name in enumerate([] if index is None else index.names):
        cells, header = index.get_level_values(level), "" if name is None else str(name)
        texts = index.nlevels == 1 and all(isinstance(cell, str) for cell in cells)
        if header not in frame.columns and (texts or role(header) in ("entity", "domain")):
            columns[header] = list(cells)
    return columns


def lazy_frame(native: Any, where: str = "") -> nw.LazyFrame[Any]:
    """Return a data frame of any kind as a plan that its engine will carry out."""
    frame = data_frame(native, where)
    if frame is None:
        raise DataError(
            "",
            expected="files or a data frame of predictions, one case per row",
            got=type(native).__name__,
            way_out=[Option("arrays", python="for arrays use Performances.from_labels, or an Accumulator for batches")],
        )
    return frame.lazy()


def on_duckdb(frame: nw.LazyFrame[Any] | nw.DataFrame[Any]) -> bool:
    """Tell whether DuckDB holds the rows, perhaps behind Ibis or SQLFrame."""
    kind, native = frame.implementation, frame.to_native()
    if kind.is_ibis():
        with suppress(Exception):  # a table without a backend, which is refused when rows are asked for
            return bool(native.get_backend().name == "duckdb")
        return False
    return bool(kind.is_duckdb()) or (kind.is_sqlframe() and type(native).__module__.startswith("sqlframe.duckdb"))


def refuse_misread(frame: nw.LazyFrame[Any] | nw.DataFrame[Any], header: str, where: str) -> None:
    """Refuse the header of a column that SQLFrame takes for a value: 1 is then the number, and null is nothing."""
    named = header.startswith("`") or (header.isidentifier() and header.casefold() != "null")
    if frame.implementation.is_sqlframe() and not named:
        problem = f"SQLFrame does not take {quoted(header)} for the name of a column"
        raise located(where, f"{problem}; expected letters, digits and underscores: rename it")


_CACHED = type(cache(int))


def release_engines() -> None:
    """Empty the caches of narwhals: in them it keeps DuckDB's types, and DuckDB reports what outlives it as leaked."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "narwhals":
            for thing in list(vars(module).values()):
                if isinstance(thing, _CACHED):
                    thing.cache_clear()


atexit.register(release_engines)
