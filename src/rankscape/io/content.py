"""Content: what is given to be read, as a table, a JSON value or lines of text, each made when a reader asks for it."""

from __future__ import annotations

import atexit
import ctypes
import glob
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ..checks.names import domain_text
from ..errors import DataError, Option, Place, RankscapeError, Text
from ..performances import Performances, concat
from ..results import Table
from ..tasks import success
from . import sheets
from .cells import missing
from .headers import FILE, JOINED, columns_in, named_column, role
from .sheets import Columns, Format, Sheet, Source, json_document, located, names_of_files, quoted, source_of

if TYPE_CHECKING:
    import narwhals as nw

NAMED = ("entity", "domain")  # what a table has a column of
FIRST_LINES = 20  # of a text, which tell what it is


@dataclass(frozen=True)
class How:
    """How something is to be read: what its columns are called, and what a reader cannot know by itself."""

    entity: str | None = None
    domain: tuple[str, ...] = ()  # the headers of its levels
    unanswered: str | None = None
    only: str | None = None  # the domain that is chosen afterwards: printed rates of others need not fix their counts
    name: str | None = None  # of an entity that its file does not name
    more: Mapping[str, Any] = field(default_factory=dict)  # the options of one reader, such as the qrels of TREC


@dataclass(frozen=True, kw_only=True)
class Reader:
    """A format of another tool, at the top of a module in the folder ``readers``, where it is found."""

    name: str
    files: str  # what :func:`rankscape.formats` says of it, as the columns
    columns: str
    recognise: Callable[[Content], bool]
    read: Callable[[Content, How], Performances] | None = None
    together: Callable[[Sequence[Content], How], Performances] | None = None  # of all contents, where one needs another
    options: tuple[str, ...] = ()  # those of :func:`rankscape.read` that are about it
    goes_with: str = ""  # the option with which all contents are of this format
    named: tuple[str, ...] = ()  # the columns whose headers can be others, "entity" and "domain"
    beside: tuple[str, ...] = ()  # other files of the tool, which are passed over
    turn: int = 0  # formats that are no single tool's are tried last


@dataclass(frozen=True, eq=False)
class Content:
    """What was given: a file (a :class:`Source`), a data frame, a mapping or a list."""

    given: Any
    wanted: Callable[[str], bool]  # whether any reader understands a header, which finds the separator of a text
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # headers of domains, cases and clusters
    asked: bool = False  # for this format

    @property
    def source(self) -> Source | None:
        """The file, or None."""
        return self.given if isinstance(self.given, Source) else None

    @property
    def where(self) -> str:
        """How errors name it."""
        return self.source.where if self.source is not None else ""

    @property
    def file(self) -> str:
        """The name of the file with its folders; empty where it has none, as standard input."""
        on_disk = self.source is not None and self.source.path
        return self.where if on_disk or os.path.splitext(self.where)[1] else ""

    @property
    def stem(self) -> str:
        """The name of the file without folders and known suffixes: "GPT-4.1" stays whole; empty where there is none."""
        return sheets.without_suffixes(self.file)

    @property
    def directory(self) -> str:
        """The folder in which a file on disk lies, in full; empty where there is none."""
        return os.path.dirname(os.path.abspath(self.source.path)) if self.source and self.source.path else ""

    @property
    def model(self) -> str:
        """The model that the folder of a log is called by, in which "__" stands for "/"; empty where there is none."""
        return os.path.basename(self.directory).replace("__", "/")

    def value_beside(self, name: str) -> Any:
        """Return the JSON value of a file in the same folder; None where there is none that can be read."""
        path = os.path.join(self.directory, name)
        try:
            return json_document(Source(path, path=path))[0] if self.directory and os.path.isfile(path) else None
        except DataError:
            return None

    def error(self, sentence: Text, **fields: Any) -> DataError:
        """Return a DataError about all of it."""
        return DataError(sentence, where=Place(self.where), **fields)

    @cached_property
    def format(self) -> Format | None:
        """How the bytes of a file are written."""
        return None if self.source is None else sheets.format_of(self.source)

    @property
    def is_text(self) -> bool:
        """Whether it is a file in which there is no table, and no JSON."""
        return self.source is not None and self.value is None and len(self.headers) < 2

    @cached_property
    def _document(self) -> tuple[Any, Sequence[int]]:
        """The value, and the lines of the file on which its records stand."""
        if self.source is not None:
            return json_document(self.source) if self.format is not None and self.format.name == "json" else (None, ())
        plain = isinstance(self.given, (Mapping, list, tuple, np.ndarray)) and not isinstance(self.given, Table)
        return self.given if plain else None, ()

    @property
    def value(self) -> Any:
        """The value of JSON, or the mapping or list that was given; None for a table. JSON lines are a list."""
        return self._document[0]

    @cached_property
    def records(self) -> Sequence[Mapping[str, Any]]:
        """The records of JSON lines, or of a list of mappings; none for anything else."""
        value = self.value
        if isinstance(value, Mapping) and self.where.casefold().endswith((".jsonl", ".ndjson")):
            return [value]  # of one line
        alike = isinstance(value, (list, tuple)) and all(isinstance(record, Mapping) for record in value)
        return value if alike else ()

    @cached_property
    def first_record(self) -> Mapping[str, Any] | None:
        """The first record of JSON lines, of which not all need be read, or of a list of mappings; else None."""
        is_json = self.source is not None and self.format is not None and self.format.name == "json"
        lines = sheets.records_of_lines(self.given) if is_json else iter(())
        return next((record for _, record in lines), None) or (self.records[0] if self.records else None)

    @cached_property
    def headers(self) -> tuple[str, ...]:
        """The headers of a table, or the keys of a mapping or of the first record; none for another JSON value."""
        known = self.value if self.first_record is None else self.first_record
        if known is not None:
            return tuple(map(str, known)) if isinstance(known, Mapping) else ()
        try:
            if self.format is not None and self.format.texts:
                return sheets.separated_table(self.given, self.wanted).headers
            if isinstance(self.given, Table) or self.format is not None:
                return self._table.headers
            frame = data_frame(self.given, "")
            return () if frame is None else tuple(map(str, (*index_columns(frame), *frame.collect_schema().names())))
        except RankscapeError:  # the reader of counts says what is wrong
            return ()

    @cached_property
    def _table(self) -> Sheet:
        """The table by the headers that any reader understands."""
        return self.table(self.wanted)

    @cached_property
    def sheet(self) -> Sheet:
        """The whole table; of one of which only its reader knows the headers, all of these."""
        return self._table if any(map(self.wanted, self.headers)) else self.table(lambda header: True)

    def table(self, wanted: Callable[[str], bool], check: Callable[[tuple[str, ...]], Any] | None = None) -> Sheet:
        """Return the table by the headers that are wanted; a frame is computed once these have passed a check."""
        value, lines = self._document
        if isinstance(self.given, Table):
            value = {header: self.given[header] for header in self.given.columns}
        if isinstance(value, Mapping) or (isinstance(value, (list, tuple)) and len(self.records) == len(value)):
            return sheets.sheet_of_value(self.records or value, self.where, wanted, lines)
        if self.format is not None:
            return self.format.sheet(self.given, wanted)
        import narwhals as nw  # not needed for files of text

        frame = data_frame(self.given, "")
        if frame is None:
            instead = ": for arrays use Performances.from_counts or from_probabilities" if check is not None else ""
            raise DataError(
                "expected a path, an open file, a data frame, a mapping of columns or a list of records; "
                f"got {type(self.given).__name__}{instead}"
            )
        index = index_columns(frame)
        headers = (*index, *frame.collect_schema().names())
        if check is not None:
            check(headers)
        try:
            eager = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        except Exception as error:  # each engine has its own
            raise located("", f"the table cannot be read: {' '.join(str(error).split())[:200]}") from error
        columns: list[Any] = list(index.values())
        for series in eager.iter_columns():  # 0.1 of 32 bits is another float of 64 bits
            cells, is_short = series.to_list(), series.dtype == nw.Float32
            columns.append([x if x is None else np.float32(x) for x in cells] if is_short else cells)
        return Sheet(headers, Columns(columns) if columns else [], self.where)

    def counts(self, entity: str | None, domain: Sequence[str]) -> Sheet:
        """Return a table of counts; of several headers of domains one column is made, called :data:`JOINED`."""
        first = domain[0] if domain else None
        check = lambda headers: columns_in(Sheet(headers, []), entity, first)  # noqa: E731
        sheet = self.table(self.wanted, check) if self.format is None else self._table
        return joined_sheet(sheet, domain) if len(domain) > 1 else sheet

    @cached_property
    def first_lines(self) -> tuple[str, ...]:
        """The first lines of a text that are not blank."""
        if self.source is None or (self.format is not None and self.format.name == "parquet"):
            return ()
        with self.source.lines() as text:
            return tuple(line.strip() for line in islice((line for line in text if line.strip()), FIRST_LINES))


def whole_sheet(source: Any, encoding: str | None, wanted: Callable[[str], bool]) -> Sheet:
    """Return a whole table with all of its columns; ``wanted`` recognizes the headers that find the separator."""
    if not sheets.is_file(source):
        sheets.refuse_encoding(encoding)
        return Content(source, wanted).table(wanted)
    sheet = Content(source_of(source, encoding), wanted).table(wanted)
    return sheet if sheet.headers else Sheet(("",), [], sheet.where)


def joined_sheet(sheet: Sheet, domain: Sequence[str]) -> Sheet:
    """Return a sheet with a column more, :data:`JOINED`, which holds the domain that several columns make."""
    places = [named_column(sheet, header, "domain") for header in domain]
    rows = []
    for i, row in enumerate(sheet.rows):
        parts = [row[place] for place in places]
        for header, part in zip(domain, parts, strict=True):
            if missing(part) or not str(part).strip():
                raise DataError(
                    f"{header} is missing", where=sheet.place(i), expected="a part of the name of the domain",
                    way_out="fill it in or drop the row",
                )  # fmt: skip
        rows.append([*row, domain_text([str(part).strip() for part in parts])])
    return Sheet((*sheet.headers, JOINED), rows, sheet.where, sheet.lines, sheet.separator)


def part(value: Any, *keys: str) -> Mapping[str, Any]:
    """Return what lies below some keys of JSON, one after the other; an empty mapping where that is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def of_file(given: Any) -> Content:
    """Return what is given beside what is read, such as judgements: a file, or a value."""
    return Content(source_of(given) if sheets.is_file(given) else given, lambda header: True)


def beside(contents: Sequence[Content], given: Any) -> tuple[Sequence[Content], Content]:
    """Return the contents without a file that is given for another purpose, though it may lie beside them; and it."""
    other = given if isinstance(given, Content) else of_file(given)
    place = os.path.realpath(other.file) if other.file else ""
    rest = [content for content in contents if not content.file or os.path.realpath(content.file) != place]
    return rest or contents, other


def with_names(contents: Sequence[Content]) -> list[tuple[Content, str]]:
    """Return contents with what entities are called that their files do not name, as :func:`names_of_files`."""
    return list(zip(contents, names_of_files([content.file for content in contents]), strict=True))


def put_together(parts: Sequence[Performances], grade: str = "") -> Performances:
    """Return parts as one; right and wrong are grades, too, where some are, or all are of a metric, the ``grade``."""
    names = {part.space.name for part in parts}
    if grade or names == {success.SPACE.name, "grade"}:
        spaces = [success.graded(grade or "grade", len(part.space) > len(success.SPACE)) for part in parts]
        parts = [replace(part, space=space).sharing(part.shared) for part, space in zip(parts, spaces, strict=True)]
    return parts[0] if len(parts) == 1 else concat(parts)


# Data frames of any library, and Parquet files, which DuckDB reads out of core


@cache
def _database(process: int) -> Any:
    """Return the database of a process, in memory: making one takes longer than counting a small file."""
    import duckdb  # which commands on tables of counts do without

    database = duckdb.connect(config={"temp_directory": tempfile.gettempdir()})
    if hasattr(os, "register_at_fork"):  # not on Windows; a forked process has no threads, and would die of closing it
        os.register_at_fork(after_in_child=partial(ctypes.pythonapi.Py_IncRef, ctypes.py_object(database)))
    return database


@contextmanager
def parquet_relation(paths: Sequence[str], where: str, names: Sequence[str] = ()) -> Iterator[Any]:
    """Give the rows of Parquet files, columns by name and rows in order, perhaps with the names of the files."""
    parts, literal = [], [_sql(glob.escape(path)) for path in paths]  # DuckDB takes patterns, these are names
    for path, name in zip(literal, names, strict=bool(names)):
        parts.append(f'select *, {_sql(name)} as "{FILE}" from read_parquet({path}, hive_partitioning=false)')
    query = f"from read_parquet([{', '.join(literal)}], union_by_name=true, hive_partitioning=false)"
    import duckdb

    connection = _database(os.getpid()).cursor()  # a new connection, whose tables are its own
    try:
        connection.execute("set enable_progress_bar = false")
        yield connection.sql(" union all by name ".join(parts) or query)
    except (duckdb.Error, RuntimeError) as error:
        if "Query interrupted" in str(error):
            raise KeyboardInterrupt from None
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = quoted(" ".join(lines)[:300]) if lines else error
        raise located(where, f"DuckDB cannot read this as a table: {reason}") from None
    finally:
        with suppress(Exception):
            connection.close()


def _sql(text: str) -> str:
    """Return a text as DuckDB writes it: control characters by their numbers."""
    if text.isprintable():
        return "'{}'".format(text.replace("'", "''"))
    return " || ".join(f"chr({ord(character)})" for character in text)


def parquet_sheet(source: Source) -> Sheet:
    """Return the whole table in a Parquet file."""
    with parquet_relation([source.on_disk], source.where) as relation:
        rows = relation.fetchall()
        for i in [i for i, kind in enumerate(relation.types) if str(kind) == "FLOAT"]:  # 0.1 of 32 bits is meant
            rows = [(*row[:i], None if row[i] is None else np.float32(row[i]), *row[i + 1 :]) for row in rows]
        return Sheet(tuple(relation.columns), rows, source.where)


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


def lazy_frame(native: Any) -> nw.LazyFrame[Any]:
    """Return a data frame of any kind as a plan that its engine will carry out."""
    frame = data_frame(native, "")
    if frame is None:
        raise DataError(
            "",
            expected="files or a data frame of predictions, one case per row",
            got=type(native).__name__,
            way_out=[Option("arrays", python="for arrays use Performances.from_labels")],
        )
    return frame.lazy()


_CACHED = type(cache(int))


def release_engines() -> None:
    """Empty the caches of narwhals: in them it keeps DuckDB's types, and DuckDB reports what outlives it as leaked."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "narwhals":
            for thing in list(vars(module).values()):
                if isinstance(thing, _CACHED):
                    thing.cache_clear()


atexit.register(release_engines)
