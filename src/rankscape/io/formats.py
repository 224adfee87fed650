"""Formats: what a file may hold, one row of a table each, recognized by its content and never by its name."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from io import BytesIO
from itertools import chain
from typing import Any, NamedTuple

from ..errors import DataError, MissingExtraError
from ..texts import some
from .jsons import EXAMPLE, is_lines, records_of_lines, value_of
from .separated import separated_table
from .sheets import Sheet, located, quoted, sheet_of_mapping, sheet_of_records
from .sources import Source

Wanted = Callable[[str], bool]
"""Tells whether a header matters."""

Roles = Mapping[str, str]
"""The headers that are needed, and what the column of each holds: {"y": "truth"}."""

MOST_LISTED = 12
PARQUET = "PAR1"

Cells = Iterator[tuple[int | None, Sequence[Any]]]
"""The line, and the cells that were asked for, of one row after the other."""


class Format(NamedTuple):
    """One kind of file: how it starts, its whole table as a sheet, and its rows one after the other."""

    name: str
    starts: Callable[[str], bool]
    sheet: Callable[[Source, Wanted], Sheet] | None
    rows: Callable[[Source, Roles], Cells] | None
    texts: bool = False
    """Whether all cells are texts, of which some stand for numbers."""
    headers: Callable[[Source, Wanted], tuple[str, ...]] | None = None
    """The headers alone, where the rows can be left unread."""


def format_of(source: Source) -> Format:
    """Return the format of a source, by how it starts."""
    head = source.head
    charset = "latin-1" if head.startswith(PARQUET.encode()) else source.charset
    start = head.decode(charset, "replace").lstrip("\ufeff").lstrip()
    if not start:
        raise located(source.where, "this is empty; expected a header and rows below it")
    return next(format_ for format_ in FORMATS if format_.starts(start))


# Separated values


def _separated_sheet(source: Source, wanted: Wanted) -> Sheet:
    with source.lines() as text:
        table = separated_table(text, source.where, wanted)
        records = list(table.records) if any(map(wanted, table.headers)) else []  # else the headers are what is wrong
    return Sheet(table.headers, [c for _, c in records], source.where, [line for line, _ in records], table.separator)


def _separated_headers(source: Source, wanted: Wanted) -> tuple[str, ...]:
    with source.lines() as text:
        return separated_table(text, source.where, wanted).headers


def separated_rows(source: Source, roles: Roles) -> Cells:
    """Yield the line and the cells that are needed of one record after the other."""
    with source.lines() as text:
        table = separated_table(text, source.where, roles.__contains__)
        places = places_of(table.headers, roles, source.where)
        for line, cells in table.records:
            yield line, [cells[place] for place in places]


def places_of(headers: Sequence[str], roles: Roles, where: str) -> list[int]:
    """Return the places of some headers; raises DataError where one is not there, or twice."""
    places, counts = {header: i for i, header in enumerate(headers)}, Counter(headers)
    for header in roles:
        if counts[header] > 1:
            raise located(where, f"{counts[header]} columns are called {quoted(header)}; rename all but one")
        if header not in places:
            raise no_column(where, header, roles, headers)
    return [places[header] for header in roles]


def no_column(where: str, header: str, roles: Roles, headers: Sequence[Any]) -> DataError:
    """Return the error about a column that is not there: what it was to hold, and the nearest names."""
    near = get_close_matches(str(header), list(map(str, headers)), n=3)
    names = some(near or headers, MOST_LISTED, quote="", word=quoted)
    return located(where, f"no column is called {quoted(header)} ({roles[header]}); expected one of {names}")


# JSON


@contextmanager
def _json_lines(source: Source) -> Iterator[Iterator[tuple[int, Mapping[str, Any]]] | None]:
    """Give the records of a file that has one on every line, None for other JSON."""
    with source.lines() as text:
        start: list[str] = []
        while sum(bool(line.strip()) for line in start) < 2 and (line := next(text, "")):
            start.append(line)
        records = [line for line in start if line.strip()]
        several = len(records) > 1 and is_lines(records[0], source.where)
        yield records_of_lines(chain(start, text), source.where) if several else None


def json_value(source: Source) -> Any:
    """Return the value of a JSON text; the records of JSON lines are a list."""
    with _json_lines(source) as lines:
        if lines is not None:
            return [record for _, record in lines]
    return value_of(source.text(), source.where)


def first_of_lines(source: Source) -> Mapping[str, Any] | None:
    """Return the first record of JSON lines, None for other JSON."""
    with _json_lines(source) as lines:
        return None if lines is None else next(record for _, record in lines)


def _json_sheet(source: Source, wanted: Wanted) -> Sheet:
    with _json_lines(source) as lines:
        if lines is not None:
            numbered = list(lines)
            return sheet_of_records([r for _, r in numbered], source.where, [line for line, _ in numbered])
    value = value_of(source.text(), source.where)
    if isinstance(value, list) and all(isinstance(record, dict) for record in value):
        return sheet_of_records(value, source.where)
    if isinstance(value, dict):
        return sheet_of_mapping(value, source.where, wanted)
    raise located(
        source.where, f'expected JSON records, [{EXAMPLE}, …], or columns, {{"tn": [50, …], …}}; got a list of values'
    )


def _json_rows(source: Source, roles: Roles) -> Cells:
    with _json_lines(source) as lines:
        if lines is not None:
            absent, seen = set(roles), dict[str, None]()
            for line, record in lines:
                if absent:
                    absent -= record.keys()
                    seen |= dict.fromkeys(record)
                yield line, [record.get(header) for header in roles]
            if absent:
                raise no_column(source.where, min(absent), roles, list(seen))
            return
    sheet = _json_sheet(source, roles.__contains__)
    places = places_of(sheet.headers, roles, source.where)
    for row in sheet.rows:
        yield None, [row[place] for place in places]


# Parquet


def parquet_frame(source: Source) -> Any:
    """Return the data frame in a Parquet file, by pyarrow or polars."""
    with source.opened() as file:
        content = file.read()
    for library, reader in (("pyarrow.parquet", "read_table"), ("polars", "read_parquet")):
        try:
            module = import_module(library)
        except ImportError:
            continue
        try:
            return getattr(module, reader)(BytesIO(content))
        except Exception as error:
            raise located(
                source.where, f"this starts like Parquet but cannot be read ({quoted(str(error))})"
            ) from error
    raise MissingExtraError(
        f"{source.where}: reading Parquet needs DuckDB, pyarrow or polars",
        way_out=['pip install "rankscape[data]"', "pip install pyarrow"],
    )


# Markdown, LaTeX and HTML


def _markup(kind: str, starts: Callable[[str], bool]) -> Format:
    """Return the format of printed tables of a kind, whose module few runs need."""

    def sheet(source: Source, wanted: Wanted) -> Sheet:
        module: Any = import_module(".markup", __package__)
        table: Sheet = module.markup_sheet(source, kind, wanted)
        return table

    def rows(source: Source, roles: Roles) -> Cells:
        table = sheet(source, roles.__contains__)
        places = places_of(table.headers, roles, source.where)
        for i, row in enumerate(table.rows):
            yield table.line(i), [row[place] for place in places]

    return Format(kind, starts, sheet, rows, headers=lambda source, wanted: sheet(source, wanted).headers)


def _is_markdown(start: str) -> bool:
    if not re.search(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\r?$", start, re.MULTILINE):
        return False
    module: Any = import_module(".markup", __package__)
    return bool(module.is_markdown(start))


def _is_latex(start: str) -> bool:
    """Tell whether a text starts with a command of LaTeX, or has a table of it."""
    command = re.match(r"(?:%.*\s+)*\\[a-zA-Z]+", start)
    return bool(command or re.search(r"\\begin\s*\{(tabular|longtable|tblr|array)", start))


FORMATS = (
    Format("parquet", lambda start: start.startswith(PARQUET), None, None),
    _markup("html", lambda start: start.startswith("<")),
    _markup("latex", _is_latex),
    _markup("markdown", _is_markdown),
    Format("json", lambda start: start.startswith(("{", "[")), _json_sheet, _json_rows),
    Format("csv", lambda start: True, _separated_sheet, separated_rows, texts=True, headers=_separated_headers),
)
"""What a file may hold; the first row that recognizes its start is the one."""
