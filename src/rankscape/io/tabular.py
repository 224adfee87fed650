"""Tables as they come: CSV, JSON, records, and data frames, brought into one shape, a sheet of cells."""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from itertools import islice
from typing import Any

from ..checks import one_line
from ..errors import DataError, UsageError

SEPARATORS = (",", ";", "\t", "|")
"""What may separate the cells of a text file."""

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)

_SAVE = "save the sheet as CSV, or pass the data frame of pandas.read_excel"
_NO_TEXT = (
    (b"PK\x03\x04", f"an Excel workbook or a zip archive: {_SAVE}"),
    (b"\xd0\xcf\x11\xe0", f"an old Excel workbook: {_SAVE}"),
    (b"\x1f\x8b", "compressed with gzip: unpack it first"),
    (b"%PDF", "a PDF document; expected a table: CSV, TSV, JSON or Parquet"),
)
_SIGNS = {",": "a comma, also a decimal one,", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
_RECORD = '{"entity": "unet", "tn": 50, …}'


@dataclass(frozen=True)
class Sheet:
    """A table as it came: headers and rows of cells, with what an error needs to name the place."""

    headers: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    where: str = ""
    lines: Sequence[int] = ()
    separator: str = ""

    def error(self, sentence: str) -> DataError:
        """Return a DataError that starts with the file."""
        return located(self.where, sentence)

    def place(self, row: int, name: str | None = None) -> str:
        """Return how an error names a row: ``row 7 (line 9, "unet")``, with the line of the file where it has one."""
        known = [f"line {self.lines[row]}"] if self.lines else []
        known += [] if name is None else [f'"{one_line(name)}"']
        return f"row {row + 1}" + (f" ({', '.join(known)})" if known else "")

    def with_line(self, sentence: str) -> str:
        """Return a sentence about ``row 7 ("unet")`` with the line of the file added."""
        found = re.match(r'row (\d+) \("', sentence)
        return (
            self.place(int(found[1]) - 1)[:-1] + ", " + sentence[found.end() - 1 :]
            if found and self.lines
            else sentence
        )


def located(where: str, sentence: str) -> DataError:
    """Return a DataError about a file, or about no file where there is none."""
    return DataError(f"{where}: {sentence}" if where else sentence)


def no_such_file(where: str) -> DataError:
    """Return a DataError about a file that is not there, with the nearest names beside it."""
    folder, name = os.path.split(where)
    near = get_close_matches(name, os.listdir(folder or "."), n=3) if os.path.isdir(folder or ".") else []
    hint = f"; near it are {', '.join(map(shown, near))}" if near else ": check the name and the folder"
    return located(where, f"there is no such file{hint}")


def shown(value: Any) -> str:
    """Return a value as an error shows it: short, on one line, texts in quotes."""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…" + text[-1]


def sheet_of_bytes(content: bytes, where: str, encoding: str | None, wanted: Callable[[str], bool]) -> Sheet:
    """Return the table in a file of text: JSON or JSON lines where it starts with [ or {, else separated values."""
    for magic, what in _NO_TEXT:
        if content.startswith(magic):
            raise located(where, f"this is {what}")
    return sheet_of_text(_decoded(content, where, encoding), where, wanted)


def sheet_of_text(text: str, where: str, wanted: Callable[[str], bool]) -> Sheet:
    """Return the table in a text; ``wanted`` recognizes the headers that matter, and so finds the separator."""
    text = text.removeprefix("\ufeff")
    start = text.lstrip()
    if not start:
        raise located(where, "this is empty; expected a header with tn, fp, fn, tp and one row per entity")
    if "\0" in text:
        raise located(where, "this is not text; expected a table: CSV, TSV, JSON or Parquet")
    if start[0] == "<":
        raise located(where, "this is HTML or XML, not a table: download the data themselves, as CSV or JSON")
    return _sheet_of_json(text, where, wanted) if start[0] in "[{" else _sheet_of_csv(text, where, wanted)


def sheet_of_records(records: Sequence[Mapping[Any, Any]], where: str = "", lines: Sequence[int] = ()) -> Sheet:
    """Return a table given as one mapping per row; what a row does not have is missing."""
    headers = tuple(dict.fromkeys(key for record in records for key in record))
    rows = [[record.get(header) for header in headers] for record in records]
    return Sheet(tuple(map(str, headers)), rows, where, lines)


def sheet_of_mapping(columns: Mapping[Any, Any], where: str, wanted: Callable[[str], bool]) -> Sheet:
    """Return a table given as columns by header, as one row, or as one row per entity: {"unet": {"tn": …}, …}."""
    headers = tuple(map(str, columns))
    if columns and all(isinstance(values, Mapping) for values in columns.values()):
        if not any(map(wanted, headers)):
            return sheet_of_records([{"entity": name, **record} for name, record in columns.items()], where)
        index = dict.fromkeys(key for values in columns.values() for key in values)
        return Sheet(("", *headers), [[key, *(values.get(key) for values in columns.values())] for key in index], where)
    if not any(map(_is_column, columns.values())):
        return Sheet(headers, [list(columns.values())] if columns else [], where)
    for header, values in zip(headers, columns.values(), strict=True):
        if not _is_column(values):
            raise located(where, f"column {shown(header)} is {shown(values)}; expected a list, one value per row")
    cells = [list(values) for values in columns.values()]
    if len({len(column) for column in cells}) > 1:
        found = ", ".join(f"{header}: {len(column)}" for header, column in zip(headers, cells, strict=True))
        raise located(where, f"the columns have different lengths ({found}); expected one value per row in each")
    return Sheet(headers, list(zip(*cells, strict=True)), where)


def _is_column(values: Any) -> bool:
    """Tell lists, arrays and series from single values."""
    return (
        hasattr(values, "__len__")
        and not isinstance(values, (str, bytes, Mapping))
        and getattr(values, "shape", 1) != ()
    )


def _decoded(content: bytes, where: str, encoding: str | None) -> str:
    marked = next((name for mark, name in _BYTE_ORDER_MARKS if content.startswith(mark)), None)
    chosen = encoding or marked or "utf-8"
    try:
        return content.decode(chosen)
    except LookupError:
        raise UsageError(f"{encoding!r} is no known encoding; try 'utf-8', 'latin-1' or 'utf-16'") from None
    except UnicodeError as error:
        if b"\0" in content and not marked:
            raise located(where, "this is not text; expected a table: CSV, TSV, JSON or Parquet") from None
        at = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = content.count(b"\n", 0, at) + 1
        way_out = 'save the file as UTF-8, or say what it is, such as encoding="latin-1"'
        raise located(where, f"line {line} is not {chosen} (byte 0x{content[at]:02x}): {way_out}") from None


def _sheet_of_csv(text: str, where: str, wanted: Callable[[str], bool]) -> Sheet:
    announced = re.match(r"sep=(.)\r?\n", text, re.IGNORECASE)  # the first line that Excel writes and reads
    skipped = 1 if announced else 0
    text = text[announced.end() :] if announced else text
    separator = announced[1] if announced else _separator(text, wanted)
    records = list(_records(text, separator, where, skipped))
    if not records:
        raise located(where, "this is empty; expected a header with tn, fp, fn, tp and one row per entity")
    headers = tuple(cell.strip() for cell in records[0][1])
    sheet = Sheet(headers, [cells for _, cells in records[1:]], where, [line for line, _ in records[1:]], separator)
    for row, cells in enumerate(sheet.rows if any(map(wanted, headers)) else []):  # else the headers are what is wrong
        if len(cells) != len(headers):
            count = f"{len(cells)} cell" + "s" * (len(cells) != 1)
            raise sheet.error(
                f"{sheet.place(row)} has {count}; expected {len(headers)}, as in the header "
                f"({', '.join(map(shown, headers[:8]))}): complete the row, "
                f'or put cells that hold {_SIGNS.get(separator, separator)} in "quotes"'
            )
    return sheet


def _records(text: str, separator: str, where: str, skipped: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yield (line on which it starts, cells) for every record that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1 + skipped
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            way_out = 'look for a quotation mark (") that is not closed'
            raise located(where, f"the row that starts on line {line} cannot be read ({error}): {way_out}") from None
        if any(cell.strip() for cell in cells):
            yield line, cells


def _separator(text: str, wanted: Callable[[str], bool]) -> str:
    """Return the separator that finds the most different known headers, then rows as long as the header, then cells."""

    def found(separator: str) -> tuple[int, bool, int]:
        try:
            cells, *rows = (cells for _, cells in islice(_records(text, separator, ""), 2))
        except (DataError, ValueError):
            return 0, False, 0
        known = len(set(filter(wanted, cells)))
        return known, known > 0 and {len(row) for row in rows} <= {len(cells)}, len(cells)

    return max(SEPARATORS, key=found)


def _sheet_of_json(text: str, where: str, wanted: Callable[[str], bool]) -> Sheet:
    try:
        value = _json(text, where)
    except json.JSONDecodeError as error:
        lines = text.split("\n")
        first = next(line for line in lines if line.strip())
        if not (first.strip().startswith("{") and first.strip().endswith("}")):
            raise _bad_json(where, error, error.lineno) from None
        return _sheet_of_json_lines(lines, where)
    if isinstance(value, list) and all(isinstance(record, dict) for record in value):
        return sheet_of_records(value, where)
    if isinstance(value, dict):
        return sheet_of_mapping(value, where, wanted)
    raise located(
        where, f'expected JSON records, [{_RECORD}, …], or columns, {{"tn": [50, …], …}}; got a list of values'
    )


def _sheet_of_json_lines(lines: Sequence[str], where: str) -> Sheet:
    records, numbers = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = _json(line, where)
        except json.JSONDecodeError as error:
            raise _bad_json(where, error, number) from None
        if not isinstance(record, dict):
            raise located(where, f"line {number} is {shown(line.strip())}; expected a record, {_RECORD}")
        records.append(record)
        numbers.append(number)
    return sheet_of_records(records, where, numbers)


def _json(text: str, where: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
            raise located(where, f"{shown(twice)} occurs twice in one JSON object; expected once: rename or drop one")
        return record

    try:
        return json.loads(text, parse_float=Decimal, object_pairs_hook=unique)
    except RecursionError:
        raise located(where, "the JSON is nested too deeply; expected records or columns") from None


def _bad_json(where: str, error: json.JSONDecodeError, line: int) -> DataError:
    problem = f"line {line}, character {error.colno} is not JSON ({error.msg})"
    return located(where, f"{problem}: correct it, or save the table as CSV")
