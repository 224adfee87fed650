r"""Formats: what a file may hold, one row of a table each, recognized by its content and never by its name.

Records of a CSV file end at \n, \r\n or \r outside quotes. A cell is quoted only if its first character is ``"``;
inside, ``""`` is one quotation mark; after the closing one the cell must end. Nothing else is special: no apostrophe,
backslash or ``#``. A record of blank cells is none; every other one must have as many cells as the header, and must not
repeat it.
"""

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from importlib import import_module
from io import BytesIO
from itertools import islice
from operator import methodcaller
from typing import Any, NamedTuple

from ..errors import DataError, MissingExtraError, Place
from ..texts import counted, some
from .sheets import Columns, Sheet, located, quoted, sheet_of_mapping, sheet_of_records
from .sources import Source

Wanted = Callable[[str], bool]
"""Tells whether a header matters."""

Roles = Mapping[str, str]
"""The headers that are needed, and what the column of each holds: {"y": "truth"}."""

Record = tuple[int, list[str]]
"""The line on which a record of text starts, and its cells."""

EXAMPLE = '{"entity": "unet", "tn": 50, …}'
LONGEST_NUMBER = 4000
"""Digits that a number may have, and its exponent stand for: others would take long to write out."""

MOST_LISTED = 12
PARQUET = "PAR1"
SEPARATORS = (",", ";", "\t", "|")
"""What may separate the cells of a text file."""

_SIGNS = {",": "a comma, also a decimal one,", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
_EMPTY = "this is empty; expected a header and rows below it"
_NO_TEXT = "this is not text; expected a table: CSV, TSV, JSON or Parquet"


class Format(NamedTuple):
    """One kind of file: how it starts, its whole table as a sheet, and what :func:`rankscape.formats` says of it.

    ``texts`` tells that all cells are texts, of which some stand for numbers.
    """

    name: str
    starts: Callable[[str], bool]
    sheet: Callable[[Source, Wanted], Sheet] | None
    files: str
    texts: bool = False

    def headers(self, source: Source, wanted: Wanted) -> tuple[str, ...]:
        """Return the headers alone: of separated values the rows are left unread."""
        if self.texts:
            with source.lines() as text:
                return separated_table(text, source.where, wanted).headers
        return () if self.sheet is None else self.sheet(source, wanted).headers

    def rows(self, source: Source, roles: Roles) -> Iterator[tuple[int | None, Sequence[Any]]]:
        """Yield the line, and the cells that are asked for, of one row after the other."""
        if self.texts:
            with source.lines() as text:
                table = separated_table(text, source.where, roles.__contains__)
                places = places_of(table.headers, roles, source.where)
                for line, cells in table.records:
                    yield line, [cells[place] for place in places]
        elif self.name == "json" and first_of_lines(source) is not None:  # which need not be in memory
            seen = dict[str, None]()
            for line, record in _records_of_lines(source):
                seen.update(dict.fromkeys(record))
                yield line, [record.get(header) for header in roles]
            places_of(list(seen), roles, source.where)
        elif self.sheet is not None:
            sheet = self.sheet(source, roles.__contains__)
            places = places_of(sheet.headers, roles, sheet.where)
            for i, row in enumerate(sheet.rows):
                yield sheet.line(i), [row[place] for place in places]


def format_of(source: Source) -> Format:
    """Return the format of a source, by how it starts."""
    head = source.head
    is_text = not head.startswith(PARQUET.encode())
    start = head.decode(source.charset, "replace").lstrip("\ufeff").lstrip() if is_text else PARQUET
    if not start:
        raise located(source.where, _EMPTY)
    return next(format_ for format_ in FORMATS if format_.starts(start))


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


# Separated values


class SeparatedTable(NamedTuple):
    """The headers of a table of text, and its records, to be taken once: (line, cells)."""

    headers: tuple[str, ...]
    records: Iterator[Record]
    separator: str


def separated_table(text: Iterable[str], where: str, wanted: Wanted, separator: str | None = None) -> SeparatedTable:
    """Return the table in lines of text; ``wanted`` recognizes the headers that matter, and so finds the separator."""
    lines = _Lines(text, where)
    announced = re.fullmatch(r"sep=(.)[\r\n]*", next(lines.again(), ""), re.IGNORECASE | re.DOTALL)  # as Excel has it
    chosen = separator or (announced[1] if announced else _separator(lines, wanted))
    records = numbered_rows(lines.again(keep=False), chosen, where, 1 if announced else 0, lines)
    _, cells = next(records, (0, None))
    if cells is None:
        raise located(where, _EMPTY)
    headers = tuple(cell.strip() for cell in cells)
    return SeparatedTable(headers, _checked(records, headers, chosen, where), chosen)


class _Lines:
    """Lines of text that can be taken again from the start while the header is looked for."""

    def __init__(self, text: Iterable[str], where: str) -> None:
        self.where, self.taken, self.kept, self.rest = where, 0, list[str](), iter(text)

    def again(self, *, keep: bool = True) -> Iterator[str]:
        """Yield the lines from the start; those read for the first time are kept, or, the last time, are not."""
        yield from self.kept
        for line in self.rest:
            self.taken += 1
            if "\0" in line:
                raise located(self.where, _NO_TEXT)
            if keep:
                self.kept.append(line)
            yield line


def _separator(lines: _Lines, wanted: Wanted) -> str:
    """Return the separator that finds the most different headers that matter, then a row as long, then more cells."""

    def headers(separator: str) -> tuple[int, bool, int]:
        try:
            rows = [cells for _, cells in islice(numbered_rows(lines.again(), separator, ""), 2)]
        except DataError as error:
            if error.where.line is None:  # this is no text
                raise
            return 0, False, 0  # with this separator: the lines are kept, and the chosen one reads them again
        cells = rows[0] if rows else []
        understood = len({cell.strip() for cell in cells if wanted(cell.strip())})
        return understood, understood > 0 and len({*map(len, rows)}) == 1, len(cells)

    return max(SEPARATORS, key=headers)


def numbered_rows(
    lines: Iterable[str], separator: str, where: str, skipped: int = 0, source: _Lines | None = None
) -> Iterator[Record]:
    """Yield every record that is not blank, after some lines; those of a source must all have been read in the end."""
    if csv.field_size_limit() < sys.maxsize >> 32:
        csv.field_size_limit(sys.maxsize >> 32)  # else the module refuses cells of more than 131 072 characters
    reader = csv.reader(islice(lines, skipped, None), delimiter=separator, strict=True)
    line = 1 + skipped
    try:
        for cells in reader:
            if (cells and cells[0].strip()) or any(cell.strip() for cell in cells):  # the first is mostly enough
                yield line, cells
            line = reader.line_num + 1 + skipped
    except csv.Error as error:
        problem = "a quotation mark is not closed" if "end of data" in str(error) else str(error)
        if "expected after" in problem:
            sign = _SIGNS.get(separator, separator)
            problem = f"a quoted cell goes on after its closing quotation mark, where {sign} must follow"
        raise DataError(
            f"the row cannot be read: {problem}",
            where=Place(where, line=line),
            way_out='close every quotation mark ("), and double those inside quoted cells',
        ) from None
    if source is not None and reader.line_num + skipped != source.taken:
        read, of = reader.line_num + skipped, counted(source.taken, "line")
        raise located(where, f"{read} of {of} were read: a row would be lost")


def _checked(records: Iterator[Record], headers: tuple[str, ...], separator: str, where: str) -> Iterator[Record]:
    """Yield the records below the header; one of another length, or that repeats the header, is refused."""
    width, first = len(headers), headers[0]
    for row, (line, cells) in enumerate(records):
        if len(cells) != width:
            raise DataError(
                f"this row has {counted(len(cells), 'cell')}",
                where=Place(where, row, line),
                expected=f"{width}, as in the header ({', '.join(map(quoted, headers[:8]))})",
                way_out=f'complete the row, or put cells that hold {_SIGNS.get(separator, separator)} in "quotes"',
            )
        if cells[0].strip() == first and tuple(cell.strip() for cell in cells) == headers:
            way = "drop it, or, where several files were put together, name the files instead"
            raise DataError("this row repeats the header", where=Place(where, row, line), way_out=way)
        yield line, cells


def plain_columns(text: str, table: SeparatedTable) -> list[list[str]] | None:
    """Return the columns of a whole text at once; None where it has quotes, blank records or anything that is odd."""
    text, separator = text.replace("\r\n", "\n"), table.separator
    lines = text.removesuffix("\n").split("\n")
    plain = not any(sign in text for sign in '"\0\r') and text[:4].lower() != "sep=" and len(lines) > 1
    if not plain or {*map(methodcaller("count", separator), lines)} != {len(table.headers) - 1}:
        return None
    cells = separator.join(lines[1:]).split(separator)
    columns = [cells[i :: len(table.headers)] for i in range(len(table.headers))]
    first = list(map(str.strip, columns[0]))
    return columns if all(first) and table.headers[0] not in first else None


def _separated_sheet(source: Source, wanted: Wanted) -> Sheet:
    with source.lines() as text:
        table = separated_table(text, source.where, wanted)
        understood = any(map(wanted, table.headers))  # else the headers are what is wrong
        columns = plain_columns(source.text(), table) if understood else None
        if columns is not None:
            lines: Sequence[int] = range(2, len(columns[0]) + 2)
            return Sheet(table.headers, Columns(columns), source.where, lines, table.separator)
        records = list(table.records) if understood else []
    lines, rows = zip(*records, strict=True) if records else ((), ())
    return Sheet(table.headers, rows, source.where, lines, table.separator)


# JSON: a list of records, columns, or one record per line; numbers stay as they were written


def first_of_lines(source: Source) -> Mapping[str, Any] | None:
    """Return the first record of JSON that has one on every line, None for other JSON."""
    with source.lines() as text:
        lines = list(islice(filter(None, map(str.strip, text)), 2))
    if len(lines) < 2 or not (lines[0].startswith("{") and lines[0].endswith("}")):
        return None
    with suppress(json.JSONDecodeError):
        record = _loaded(lines[0], source.where)
        return record if isinstance(record, dict) else None
    return None


def _records_of_lines(source: Source) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the line and the record on every line that is not blank."""
    with source.lines() as text:
        for number, line in enumerate(text, start=1):
            if not line.strip():
                continue
            try:
                record = _loaded(line.strip(), source.where)
            except json.JSONDecodeError as error:
                raise _bad_json(source.where, error, number, error.colno + len(line) - len(line.lstrip())) from None
            if not isinstance(record, dict):
                place, expected = Place(source.where, line=number), f"a record, {EXAMPLE}"
                raise DataError("no record stands here", where=place, expected=expected, got=quoted(line.strip()))
            yield number, record


def json_document(source: Source) -> tuple[Any, Sequence[int]]:
    """Return the value of a JSON text, and the lines of its records where these have a line each, as a list.

    What ``rankscape count`` writes stands for the results in it.
    """
    if first_of_lines(source) is not None:
        lines, records = zip(*_records_of_lines(source), strict=True)
        return list(records), lines
    try:
        value = _loaded(source.text(), source.where)
    except json.JSONDecodeError as error:
        raise _bad_json(source.where, error, error.lineno, error.colno) from None
    is_counted = isinstance(value, dict) and re.fullmatch(r"rankscape/count/[0-9]+", str(value.get("schema")))
    return (value["results"] if is_counted and "results" in value else value), ()


def _loaded(text: str, where: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
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


def sheet_of_value(value: Any, where: str, wanted: Wanted, lines: Sequence[int] = ()) -> Sheet:
    """Return the table in a value of JSON or Python: records, columns, or one row per entity."""
    if isinstance(value, (list, tuple)) and all(isinstance(record, Mapping) for record in value):
        return sheet_of_records(value, where, lines)
    if isinstance(value, Mapping):
        return sheet_of_mapping(value, where, wanted)
    expected = f'JSON records, [{EXAMPLE}, …], or columns, {{"tn": [50, …], …}}'
    raise located(where, f"expected {expected}; got a list of values")


def _json_sheet(source: Source, wanted: Wanted) -> Sheet:
    value, lines = json_document(source)
    return sheet_of_value(value, source.where, wanted, lines)


# Parquet, and tables as they are printed


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
            problem = f"this starts like Parquet but cannot be read ({quoted(str(error))})"
            raise located(source.where, problem) from error
    raise MissingExtraError(f"{source.where}: reading Parquet needs pyarrow or polars", way_out="pip install pyarrow")


def _printed(kind: str, starts: Callable[[str], bool], files: str) -> Format:
    """Return the format of printed tables of a kind, whose module few runs need."""

    def sheet(source: Source, wanted: Wanted) -> Sheet:
        table: Sheet = import_module(".markup", __package__).markup_sheet(source, kind, wanted)
        return table

    return Format(kind, starts, sheet, files)


def _is_markdown(start: str) -> bool:
    dashes = re.search(r"^[ \t|:-]*-[ \t|:-]*\r?$", start, re.MULTILINE)  # else the module need not be loaded
    return dashes is not None and import_module(".markup", __package__).is_markdown(start)


def _is_latex(start: str) -> bool:
    """Tell whether a text starts with a command of LaTeX, or has a table of it."""
    command = re.match(r"(?:%.*\s+)*\\[a-zA-Z]+", start)
    return bool(command or re.search(r"\\begin\s*\{(tabular|longtable|tblr|array)", start))


_TEXT = "text, with commas, semicolons, tabs or bars between cells; also compressed (gz, zst, zip)"
_OF_SEVERAL = "a table in Markdown, such as in a README; of several tables the one whose headers are understood"
_TABULAR = "a tabular of LaTeX, with booktabs, multicolumn and multirow; bold and footnote marks are dropped"
_JSON = "JSON records, columns, or one record per line"

FORMATS = (
    _printed("html", lambda start: start.startswith("<"), "a table of a web page"),
    _printed("latex", _is_latex, _TABULAR),
    _printed("markdown", _is_markdown, _OF_SEVERAL),
    Format("parquet", lambda start: start == PARQUET, None, "Parquet"),
    Format("json", lambda start: start.startswith(("{", "[")), _json_sheet, _JSON),
    Format("csv", lambda start: True, _separated_sheet, _TEXT, texts=True),
)
"""What a file may hold; the first row that recognizes its start is the one."""
