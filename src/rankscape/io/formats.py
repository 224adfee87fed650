"""Formats: what a file may hold, one row of a table each, recognized by its content and never by its name."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from importlib import import_module
from io import BytesIO
from itertools import chain
from typing import Any, NamedTuple

from ..errors import DataError, MissingExtraError, Place
from ..texts import some
from .separated import plain_columns, separated_table
from .sheets import Columns, Sheet, located, quoted, sheet_of_mapping, sheet_of_records
from .sources import Source

Wanted = Callable[[str], bool]
"""Tells whether a header matters."""

Roles = Mapping[str, str]
"""The headers that are needed, and what the column of each holds: {"y": "truth"}."""

EXAMPLE = '{"entity": "unet", "tn": 50, …}'
LONGEST_NUMBER = 4000
"""Digits that a number may have, and its exponent stand for: others would take long to write out."""

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
        understood = any(map(wanted, table.headers))  # else the headers are what is wrong
        columns = plain_columns(source.text(), table) if understood else None
        records = list(table.records) if understood and columns is None else []
    rows = [cells for _, cells in records] if columns is None else Columns(columns)
    lines = [line for line, _ in records] if columns is None else range(2, len(rows) + 2)
    return Sheet(table.headers, rows, source.where, lines, table.separator)


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


# JSON: a list of records, columns, or one record per line; numbers stay as they were written


@contextmanager
def _json_lines(source: Source) -> Iterator[Iterator[tuple[int, Mapping[str, Any]]] | None]:
    """Give the records of a file that has one on every line, None for other JSON."""
    with source.lines() as text:
        start: list[str] = []
        while sum(bool(line.strip()) for line in start) < 2 and (line := next(text, "")):
            start.append(line)
        records = [line.strip() for line in start if line.strip()]
        several = len(records) > 1 and records[0].startswith("{") and records[0].endswith("}")
        try:
            several = several and isinstance(_loaded(records[0], source.where), dict)
        except json.JSONDecodeError:
            several = False
        yield _records_of_lines(chain(start, text), source.where) if several else None


def _records_of_lines(lines: Iterable[str], where: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the line and the record on every line that is not blank."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = _loaded(line.strip(), where)
        except json.JSONDecodeError as error:
            raise _bad_json(where, error, number, error.colno + len(line) - len(line.lstrip())) from None
        if not isinstance(record, dict):
            place, expected = Place(where, line=number), f"a record, {EXAMPLE}"
            raise DataError("no record stands here", where=place, expected=expected, got=quoted(line.strip()))
        yield number, record


def _whole_value(source: Source) -> Any:
    """Return the value of a whole JSON text; the results inside what ``rankscape count`` writes."""
    try:
        value = _loaded(source.text(), source.where)
    except json.JSONDecodeError as error:
        raise _bad_json(source.where, error, error.lineno, error.colno) from None
    counted = isinstance(value, dict) and re.fullmatch(r"rankscape/count/[0-9]+", str(value.get("schema")))
    return value["results"] if counted and "results" in value else value


def _loaded(text: str, where: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
            raise located(where, f"{quoted(twice)} occurs twice in one JSON object; expected once: rename or drop one")
        return record

    def decimal(number: str) -> Decimal:
        with suppress(InvalidOperation):  # an exponent of many digits
            value = Decimal(number)
            if len(number) <= LONGEST_NUMBER and abs(value.adjusted()) <= LONGEST_NUMBER:
                return value
        problem = f"the JSON holds a number that cannot be read ({quoted(number[:40])})"
        raise located(where, f"{problem}; expected at most {LONGEST_NUMBER} digits")

    try:
        return json.loads(text, parse_float=decimal, object_pairs_hook=unique)
    except RecursionError:
        raise located(where, "the JSON is nested too deeply; expected records or columns") from None
    except (json.JSONDecodeError, DataError):
        raise
    except ValueError as error:  # an integer of thousands of digits
        raise located(where, f"the JSON holds a number that cannot be read ({error})") from None


def _bad_json(where: str, error: json.JSONDecodeError, line: int, column: int) -> DataError:
    problem = f"character {column} is not JSON ({error.msg})"
    return DataError(problem, where=Place(where, line=line), way_out="correct it, or save the table as CSV")


def json_value(source: Source) -> Any:
    """Return the value of a JSON text; the records of JSON lines are a list."""
    with _json_lines(source) as lines:
        return _whole_value(source) if lines is None else [record for _, record in lines]


def first_of_lines(source: Source) -> Mapping[str, Any] | None:
    """Return the first record of JSON lines, None for other JSON."""
    with _json_lines(source) as lines:
        return None if lines is None else next(record for _, record in lines)


def _json_sheet(source: Source, wanted: Wanted) -> Sheet:
    with _json_lines(source) as lines:
        if lines is not None:
            numbers, records = zip(*lines, strict=True)
            return sheet_of_records(records, source.where, numbers)
    value = _whole_value(source)
    if isinstance(value, list) and all(isinstance(record, dict) for record in value):
        return sheet_of_records(value, source.where)
    if isinstance(value, dict):
        return sheet_of_mapping(value, source.where, wanted)
    expected = f'JSON records, [{EXAMPLE}, …], or columns, {{"tn": [50, …], …}}'
    raise located(source.where, f"expected {expected}; got a list of values")


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
    yield from _rows_of_sheet(_json_sheet(source, roles.__contains__), roles)


def _rows_of_sheet(sheet: Sheet, roles: Roles) -> Cells:
    places = places_of(sheet.headers, roles, sheet.where)
    for i, row in enumerate(sheet.rows):
        yield sheet.line(i), [row[place] for place in places]


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
    raise MissingExtraError(f"{source.where}: reading Parquet needs pyarrow or polars", way_out="pip install pyarrow")


# Markdown, LaTeX and HTML


def _markup(kind: str, starts: Callable[[str], bool]) -> Format:
    """Return the format of printed tables of a kind, whose module few runs need."""

    def sheet(source: Source, wanted: Wanted) -> Sheet:
        table: Sheet = import_module(".markup", __package__).markup_sheet(source, kind, wanted)
        return table

    return Format(kind, starts, sheet, lambda source, roles: _rows_of_sheet(sheet(source, roles.__contains__), roles))


def _is_markdown(start: str) -> bool:
    dashes = re.search(r"^[ \t|:-]*-[ \t|:-]*\r?$", start, re.MULTILINE)  # else the module need not be loaded
    return dashes is not None and import_module(".markup", __package__).is_markdown(start)


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
