r"""Sheets: where rows come from, and how they are divided into cells, decided once for every reader.

A source is a file as it comes, found by a name, a pattern or a folder, and unpacked once. What it holds is recognized
by its content, never by its name. Records of a CSV file end at \n, \r\n or \r outside quotes. A cell is quoted only if
its first character is ``"``; inside, ``""`` is one quotation mark; after the closing one the cell must end. Nothing
else is special: no apostrophe, backslash or ``#``. A record of blank cells is none; every other one must have as many
cells as the header, and must not repeat it.
"""

import csv
import glob
import gzip
import io
import json
import os
import re
import stat
import sys
import tempfile
import weakref
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from functools import cached_property, partial
from importlib import import_module
from itertools import chain, islice, repeat
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from ..errors import DataError, MissingExtraError, Option, Place, Text, UsageError, no_effect
from ..texts import counted, some

Wanted = Callable[[str], bool]  # tells whether a header matters
Roles = Mapping[str, str]  # the headers that are needed, and what the column of each holds: {"y": "truth"}
Records = tuple[Sequence[int], list[list[str]]]  # the lines on which records of text start, and their cells

# The suffixes of tables and of runs of TREC in a folder, of packed ones behind them, and those that name no model.
TABLE_SUFFIXES = (".parquet", ".pq", ".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".run")
PACKED_SUFFIXES = (".gz", ".zst", ".zip")
KNOWN_SUFFIXES = (*TABLE_SUFFIXES, ".md", ".markdown", ".tex", ".html", ".htm", ".dat", ".tab", ".out", ".log", ".xlsx")
HEAD = 1 << 16
# Bytes that any packed file may unpack to, that none may exceed, and how many times its own size in between.
ALWAYS_UNPACKED, MOST_UNPACKED, MOST_TIMES = 100 * 10**6, 4 * 10**9, 200
LONGEST_NUMBER = 4000  # digits, also of what an exponent stands for: others would take long to write out
MOST_HOLES = 10_000_000  # cells that a table may have of which fewer than one in a hundred is given
MOST_CHARACTERS, MOST_LISTED = 60, 12
# Records that are read at once: the first, which tell the headers, and the rest, so few that no garbage is looked for.
FEW_RECORDS, MANY_RECORDS = 50, 1 << 12
SEPARATORS = ",;\t|"
_MARKS = {
    b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe\0\0": "utf-32", b"\0\0\xfe\xff": "utf-32", b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}  # fmt: skip
# How the names of files say, without their numbers, that they are pieces of one table.
_PIECES = re.compile(r"(?<![a-z])(part|shard|chunk|piece|batch|fold|split)s?[-_. ]?#|#[-_ ]?of[-_ ]?#", re.IGNORECASE)
_SAVE = "save the table as CSV, JSON or Parquet, perhaps packed (gz, zst, zip)"
_NO_TABLE = {
    b"\xd0\xcf\x11\xe0": "an old Excel workbook", b"%PDF": "a PDF document", b"BZh": "packed with bzip2",
    b"\xfd7zXZ": "packed with xz",
}  # fmt: skip
_NO_TEXT = f"this is not text: {_SAVE}"
_EMPTY = "this is empty; expected a header and rows below it"
_EXAMPLE = '{"entity": "unet", "tn": 50, …}'
_PARQUET = "PAR1"
_JSON_START = re.compile(
    r"(?!\[[^\[\]]*\][(\[:])(?:\{|(?:\[\s*)+(?:[\"\d{\]-]|true|false|null|NaN|Infinity|$))"
)  # no [link](…)


def located(where: str, sentence: str) -> DataError:
    """Return a DataError about a file, or about no file where there is none."""
    return DataError(sentence, where=where)


def quoted(value: Any) -> str:
    """Return a value as an error shows it: short, on one line, texts in quotes."""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 3] + "…" + text[-1]


# Tables in memory


class Columns(Sequence[Sequence[Any]]):
    """Rows of cells that are held by columns, one at least."""

    def __init__(self, columns: Sequence[Sequence[Any]]) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, row: Any) -> Any:
        cells = (column[row] for column in self.columns)
        return list(zip(*cells, strict=True)) if isinstance(row, slice) else tuple(cells)

    def __iter__(self) -> Iterator[Sequence[Any]]:
        return zip(*self.columns, strict=True)


@dataclass(frozen=True)
class Sheet:
    """A table as it came: headers and rows of cells, and what errors need to name a place in them."""

    headers: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    where: str = ""
    lines: Sequence[int] = ()  # on which each row starts, if it has one
    separator: str = ""
    notes: tuple[str, ...] = ()  # what was left out of its cells

    def error(self, sentence: Text, **fields: Any) -> DataError:
        """Return a DataError about the whole table."""
        return DataError(sentence, where=Place(self.where), **fields)

    def place(self, row: int, name: str | None = None) -> Place:
        """Return a row as the place of an error: ``row 7 (line 9, "unet")``."""
        return Place(self.where, row, self.line(row), name)

    def column(self, column: int) -> list[Any]:
        """Return the cells of a column."""
        held = self.rows.columns[column] if isinstance(self.rows, Columns) else map(itemgetter(column), self.rows)
        return list(held)

    def line(self, row: int | None) -> int | None:
        """Return the line of the file on which a row starts, None where there are no lines."""
        return self.lines[row] if self.lines and row is not None else None


def sheet_of_records(records: Sequence[Mapping[Any, Any]], where: str = "", lines: Sequence[int] = ()) -> Sheet:
    """Return a table given as one mapping per row; what a row does not have is missing."""
    headers = tuple(dict.fromkeys(key for record in records for key in record))
    given = sum(map(len, records))
    if len(records) * len(headers) > max(MOST_HOLES, 100 * given):
        problem = f"{len(records)} rows have {len(headers)} different keys, and {given / len(records):.3g} each on "
        raise located(where, f"{problem}average; expected rows with the same keys")
    rows = [[record.get(header) for header in headers] for record in records]
    return Sheet(tuple(map(str, headers)), rows, where, lines)


def is_column(values: Any) -> bool:
    """Tell lists and arrays from single values."""
    single = isinstance(values, (str, bytes, Mapping)) or getattr(values, "shape", 1) == ()
    return hasattr(values, "__len__") and not single


def sheet_of_value(value: Any, where: str, wanted: Wanted, lines: Sequence[int] = ()) -> Sheet:
    """Return the table in a value of JSON or Python: records, columns by header, one row, or one row per entity."""
    if isinstance(value, (list, tuple)) and all(isinstance(record, Mapping) for record in value):
        return sheet_of_records(value, where, lines)
    if not isinstance(value, Mapping):
        expected = f'JSON records, [{_EXAMPLE}, …], or columns, {{"tn": [50, …], …}}'
        raise located(where, f"expected {expected}; got a list of values")
    headers = tuple(map(str, value))
    if value and all(isinstance(values, Mapping) for values in value.values()):
        index = dict.fromkeys(key for values in value.values() for key in values)
        if sum(map(wanted, headers)) <= sum(map(wanted, {*map(str, index)})):  # also where an entity is called "Total"
            return sheet_of_records([{"entity": name, **record} for name, record in value.items()], where)
        rows = ({h: values[key] for h, values in value.items() if key in values} for key in index)
        return sheet_of_records([{"": key, **row} for key, row in zip(index, rows, strict=True)], where)
    if not any(map(is_column, value.values())):
        return Sheet(headers, [list(value.values())] if value else [], where)
    cells = []
    for header, values in zip(headers, value.values(), strict=True):
        if not is_column(values):
            raise located(where, f"column {quoted(header)} is {quoted(values)}; expected a list, one value per row")
        whole = isinstance(values, np.ndarray) and values.dtype.kind in "iu"
        cells.append(values.tolist() if whole else list(values))
    if len({*map(len, cells)}) > 1:
        lengths = ", ".join(f"{header}: {len(column)}" for header, column in zip(headers, cells, strict=True))
        raise located(where, f"the columns have different lengths ({lengths}); expected one value per row in each")
    return Sheet(headers, Columns(cells), where)


# Sources


@dataclass(eq=False)
class Source:
    """One table as it comes: a file, or the content of standard input, of a pipe or of an open file."""

    where: str  # the name that errors use
    path: str | None = None  # a file on disk
    content: bytes | str = b""  # what was read from elsewhere, or a temporary file that holds it
    encoding: str | None = None
    packed = False

    @cached_property
    def plain(self) -> bytes | str:
        """The bytes as they are meant, where these are few or were given, else the file that holds them, unpacked."""
        lies = self.content if self.path is None else self.path
        with self.failures(), _opened(lies) as raw:
            start = raw.read(HEAD)
            file = _unpacked(raw, start, self.where)
            if file is None:
                return start if len(start) < HEAD else lies
            most = min(MOST_UNPACKED, max(ALWAYS_UNPACKED, MOST_TIMES * raw.seek(0, os.SEEK_END)))
            raw.seek(0)
            self.packed = True
            with file:
                start = file.read(HEAD)
                return self.copied(file, start, most) if len(start) == HEAD else start

    def copied(self, file: IO[bytes], start: bytes = b"", most: float = float("inf")) -> str:
        """Return a temporary file with what an open one holds, up to a size; it goes away with this source."""
        size = 0
        with tempfile.NamedTemporaryFile(prefix="rankscape-", delete=False) as copy:
            weakref.finalize(self, os.unlink, copy.name)
            for part in chain([start], iter(partial(file.read, HEAD), b"")):
                size += copy.write(part)
                if size > most:  # a few bytes may stand for more than a memory holds
                    raise located(self.where, f"this unpacks to more than {most // 10**6:,} MB: unpack it yourself")
        return copy.name

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unpacked; what is no table is refused."""
        with self.opened() as file:
            start = file.read(HEAD)
        for kind in (kind for magic, kind in _NO_TABLE.items() if start.startswith(magic)):
            raise located(self.where, f"this is {kind}: {_SAVE}")
        return start

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Give the unpacked bytes as a file; raises DataError where they cannot be read."""
        with self.failures(), _opened(self.plain) as file:
            yield file

    @cached_property
    def on_disk(self) -> str:
        """A file that holds the bytes unpacked: the file itself, or a temporary one that goes away with this source."""
        if isinstance(self.plain, str):
            return self.plain
        lies = self.content if self.path is None else self.path
        return lies if isinstance(lies, str) and not self.packed else self.copied(io.BytesIO(self.plain))

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Raise a DataError that names the reason why a file cannot be read."""
        try:
            yield
        except (UnicodeError, DataError):
            raise
        except (EOFError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error) as error:
            raise located(self.where, f"its compression is damaged ({error}); expected a whole file") from None
        except (FileNotFoundError, NotADirectoryError):
            folder, name = os.path.split(self.where)
            near = get_close_matches(name, os.listdir(folder or "."), n=3) if os.path.isdir(folder or ".") else []
            hint = f"; near it are {', '.join(map(quoted, near))}" if near else ": check the name and the folder"
            raise located(self.where, f"there is no such file{hint}") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise located(self.where[:200], f"cannot be read ({reason}); expected a file") from None

    @property
    def charset(self) -> str:
        """The encoding: the one asked for, else that of the byte-order mark, else UTF-8."""
        marked = next((name for mark, name in _MARKS.items() if self.head.startswith(mark)), None)
        if not self.encoding:
            return marked or "utf-8"
        try:
            bytes(range(256)).decode(self.encoding, "replace")  # what encodes names of hosts decodes no text
        except (LookupError, UnicodeError):
            raise UsageError(f"{self.encoding!r} is no known encoding; try 'utf-8', 'latin-1' or 'utf-16'") from None
        named = self.encoding.lower().replace("_", "-")
        if named in ("utf8", "utf-8"):
            return "utf-8-sig"
        return marked if marked and named.startswith(marked) else self.encoding  # "utf-16-le" would keep its mark

    def text(self) -> str:
        """Return the whole text; raises DataError, with the line, where bytes are not in the encoding."""
        with self.lines() as text:
            return text.read().removeprefix("\ufeff")

    @contextmanager
    def lines(self) -> Iterator[IO[str]]:
        """Give the text as a file whose line ends are kept, for readers that take one record after the other."""
        charset = self.charset
        try:
            with self.opened() as file, io.TextIOWrapper(file, encoding=charset, newline="") as text:
                yield text
        except UnicodeError:
            with self.opened() as file:
                content = file.read()
            if b"\0" in content and charset.startswith("utf-8"):
                raise located(self.where, _NO_TEXT) from None
            try:
                at = len(content.decode(charset))
            except UnicodeDecodeError as exact:
                at = exact.start
            raise DataError(
                f"byte 0x{content[at]:02x} is not {charset.removesuffix('-sig')}",
                where=Place(self.where, line=content.count(b"\n", 0, at) + 1),
                way_out=["save the file as UTF-8", ("say what it is, such as ", Option("encoding", "latin-1"))],
            ) from None


def _opened(lies: bytes | str) -> IO[bytes]:
    return open(lies, "rb") if isinstance(lies, str) else io.BytesIO(lies)


def _unpacked(raw: IO[bytes], start: bytes, where: str) -> Any:
    """Return a file of the bytes that are packed in another one, None where they are not packed."""
    raw.seek(0)
    if start.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw)
    if start.startswith(b"PK\x03\x04"):
        archive = zipfile.ZipFile(raw)
        names = [name for name in archive.namelist() if not name.endswith("/") and not name.startswith("__MACOSX/")]
        if "[Content_Types].xml" in names:
            raise located(where, f"this is an Excel workbook: {_SAVE}")
        if "header.json" in names or "_journal/start.json" in names:
            raise located(where, "this is a packed log of Inspect: write it as JSON with `inspect log dump FILE`")
        if len(names) != 1:
            files = some(names, quote="", word=quoted)
            raise located(where, f"this archive holds {len(names)} files ({files}); expected one: unpack it first")
        return archive.open(names[0])
    if not start.startswith(b"\x28\xb5\x2f\xfd"):
        return None
    for module in ("compression.zstd", "zstandard", "pyarrow"):
        with suppress(ImportError):
            library: Any = import_module(module)
            if module == "pyarrow":
                return library.CompressedInputStream(library.PythonFile(raw, mode="r"), "zstd")
            return library.open(raw, "rb")
    raise MissingExtraError(f"{where}: unpacking zst needs zstandard or pyarrow: pip install zstandard")


def is_file(given: Any) -> bool:
    """Tell whether something is the name of a file, or an open one; frames of SQLFrame have any attribute."""
    is_open = not hasattr(type(given), "columns") and callable(getattr(given, "read", None))
    return isinstance(given, (str, os.PathLike, Source)) or is_open


def is_source(given: Any) -> bool:
    """Tell whether something is a file, a pattern, a folder, an open file, or several files."""
    return is_file(given) or (isinstance(given, (list, tuple)) and bool(given) and all(map(is_file, given)))


def is_stream(path: str) -> bool:
    """Tell whether a path leads to something that is neither a regular file nor a folder, such as a pipe."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def source_of(given: Any, encoding: str | None = None) -> Source:
    """Return one file, standard input ("-"), a pipe or an open file as a source; what can be read once is read now."""
    if isinstance(given, Source):
        return given
    where = os.fsdecode(os.fspath(given)) if isinstance(given, (str, os.PathLike)) else None
    if where == "-":
        if sys.stdin is None or sys.stdin.closed:
            raise DataError("standard input is closed: name a file, or pass one with a pipe")
        if not hasattr(sys.stdin, "buffer"):  # replaced by a text
            return replace(source_of(sys.stdin), where="standard input")
        source = Source("standard input", encoding=encoding)
        with source.failures():
            source.content = source.copied(sys.stdin.buffer)
        return source
    if where is not None:
        _refuse_addresses(where)
        source = Source(where, path=where, encoding=encoding)
        if is_stream(where):
            with source.failures(), open(where, "rb") as pipe:
                source.path, source.content = None, source.copied(pipe)
        return source
    where = name if isinstance(name := getattr(given, "name", None), str) else "the file"
    try:
        content = given.read()
    except UnicodeError as error:
        raise located(where, f"cannot be read ({error}): open it as bytes, or with its encoding") from None
    if isinstance(content, str):  # which is decoded already
        return Source(where, content=content.encode("utf-8", "surrogatepass"))
    return Source(where, content=content, encoding=encoding)


def sources_of(given: Any, encoding: str | None = None, every: bool = False) -> list[Source]:
    """Return the files that names, patterns and folders stand for, in order; the same file twice is refused.

    Of a folder they are tables by their names, or ``every`` file, as runs of TREC may be called anything.
    """
    several = list(given) if isinstance(given, (list, tuple)) else [given]
    if not several:
        raise DataError("no file is given; expected at least one, or a data frame")
    sources = [source_of(one, encoding) for pattern in several for one in _files(pattern, every)]
    seen: dict[Any, str] = {}
    for source in sources:
        try:
            status = None if source.path is None else os.stat(source.path)
        except (OSError, ValueError):  # reading raises it with the reason
            continue
        key = source.where if status is None else (status.st_dev, status.st_ino)
        if key in seen:
            as_ = "" if seen[key] == source.where else f", as {seen[key]} and as {source.where}"
            raise located(source.where, f"this file is given twice{as_}; its rows would count twice: name it once")
        seen[key] = source.where
    return sources


def _files(given: Any, every: bool) -> Sequence[Any]:
    """Return the files that a path, a pattern or a folder stands for, in order; what is none of them as it is."""
    where = os.fsdecode(os.fspath(given)) if isinstance(given, (str, os.PathLike)) else "-"
    if where == "-":
        return [given]
    _refuse_addresses(where)
    if os.path.isdir(where):
        inside = (file for file in Path(where).rglob("*") if file.is_file())
        files = sorted(str(file) for file in inside if is_table_name(file.name) or (every and file.name[0] != "."))
        if not files:
            raise located(where, f"no file of this folder is a table ({', '.join(TABLE_SUFFIXES)}): name a pattern")
        return files
    files = [where] if os.path.exists(where) else sorted(filter(os.path.isfile, glob.glob(where, recursive=True)))
    if not files and glob.has_magic(where):
        raise located(where, "no file is like this pattern")
    return files or [where]  # opening it raises the reason why it cannot be read


def _refuse_addresses(where: str) -> None:
    """Refuse the address of a page, and the text of a table, in the place of a name."""
    if re.match(r"[a-z][a-z0-9+]+://", where):
        raise DataError(f"{where} is an address; expected a file: download it first")
    if "\n" in where:
        raise DataError(f"{quoted(where)} is no name of a file: where it is the table itself, pass io.StringIO(text)")


def refuse_encoding(encoding: str | None) -> None:
    """Refuse the encoding of what is no file."""
    if encoding is not None:
        raise no_effect("encoding", "what is in memory is decoded already")


def names_of_files(files: Sequence[str]) -> list[str]:
    """Return what models are called that only their files name; where files are alike by their folders, P1 without."""
    stems = [without_suffixes(file) or f"P{i + 1}" for i, file in enumerate(files)]
    if len({*stems}) == len(stems):
        return stems
    folders = [os.path.basename(os.path.dirname(os.path.abspath(file))) if file else "" for file in files]
    alike = len({*stems}) == 1 and len({*folders}) == len(folders)
    return folders if alike else [f"{folder}/{stem}" for folder, stem in zip(folders, stems, strict=True)]


def are_pieces(sources: Sequence[Source]) -> bool:
    """Tell whether files are pieces of one table, as engines and hubs write them: numbered parts, shards or folds."""
    stems = {re.sub(r"\d+", "#", without_suffixes(source.where)) for source in sources}
    return len(sources) > 1 and len(stems) == 1 and re.search(_PIECES, stems.pop()) is not None


def is_table_name(path: str) -> bool:
    """Tell whether the name of a file is that of a table, perhaps packed."""
    stem, suffix = os.path.splitext(path)
    return (os.path.splitext(stem)[1] if suffix.lower() in PACKED_SUFFIXES else suffix).lower() in TABLE_SUFFIXES


def without_suffixes(file: str) -> str:
    """Return the name of a file without its folders, known suffixes, and that of a packed file: "GPT-4.1" stays."""
    name = os.path.basename(file)
    for known in (PACKED_SUFFIXES, KNOWN_SUFFIXES):
        stem, suffix = os.path.splitext(name)
        name = stem if suffix.lower() in known else name
    return name


# Formats: one row of a table each, recognized by the content


class Format(NamedTuple):
    """One kind of file."""

    name: str
    starts: Callable[[str, str], bool]  # whether a text that starts so, of that name, is one
    sheet: Callable[[Source, Wanted], Sheet]
    files: str  # what :func:`rankscape.formats` says of it
    texts: bool = False  # all cells are texts, of which some stand for numbers


def format_of(source: Source) -> Format:
    """Return the format of a source, by how it starts."""
    is_text = not source.head.startswith(_PARQUET.encode())
    start = source.head.decode(source.charset, "replace").lstrip("\ufeff").lstrip() if is_text else _PARQUET
    if not start:
        raise located(source.where, _EMPTY)
    if re.match(r"(?:%.*\s+)*\\[a-zA-Z]+", start) or re.search(r"\\begin\s*\{(tabular|longtable|tblr|array)", start):
        raise located(source.where, f"this is LaTeX, which is not read: {_SAVE}, or, with pandoc, as Markdown")
    return next(format_ for format_ in FORMATS if format_.starts(start, source.where))


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
    """A table of text, whose records are to be taken once, many at a time."""

    headers: tuple[str, ...]
    records: Iterator[Records]
    separator: str


def separated_table(source: Source, wanted: Wanted) -> SeparatedTable:
    """Return the table in a text; ``wanted`` recognizes the headers that matter, and so finds the separator."""
    where, start = source.where, source.head.decode(source.charset, "replace").removeprefix("\ufeff")
    if "\0" in start:
        raise located(where, _NO_TEXT)

    def understood(separator: str) -> tuple[int, bool, int]:
        """Return how many headers matter, whether the row below is as long, and how many cells there are."""
        rows = list[list[str]]()
        with suppress(DataError):  # with this separator, or where the start ends: the chosen one reads it all
            rows += next(numbered_records(io.StringIO(start, newline=""), separator, where))[1][:2]
        headers = {cell.strip() for cell in (rows[0] if rows else ()) if wanted(cell.strip())}
        return len(headers), bool(headers) and len({*map(len, rows)}) == 1, len(rows[0]) if rows else 0

    announced = re.match(r"sep=([^\r\n\"])(?=[\r\n]|$)", start, re.IGNORECASE)  # as Excel has it
    separator = announced[1] if announced else max(SEPARATORS, key=understood)

    def lines() -> Iterator[str]:
        with source.lines() as text:
            yield from text

    records = numbered_records(lines(), separator, where, 1 if announced else 0)
    starts, rows = next(records, ((), []))
    if not rows:
        raise located(where, _EMPTY)
    headers = tuple(cell.strip() for cell in rows[0])
    records = _checked(chain([(starts[1:], rows[1:])], records), headers, separator, where)
    return SeparatedTable(headers, records, separator)


def numbered_records(lines: Iterable[str], separator: str, where: str, skipped: int = 0) -> Iterator[Records]:
    """Yield the records that are not blank, after some lines, all of which must have been read in the end.

    They come many at a time, the first few by themselves, each with the line on which it starts.
    """
    if csv.field_size_limit() < sys.maxsize >> 32:
        csv.field_size_limit(sys.maxsize >> 32)  # else the module refuses cells of more than 131 072 characters
    taken = 0

    def of_text() -> Iterator[str]:
        nonlocal taken
        for text in lines:
            taken += 1
            if "\0" in text:
                raise located(where, _NO_TEXT)
            yield text

    reader, begin = csv.reader(islice(of_text(), skipped, None), delimiter=separator, strict=True), 1 + skipped
    for size in chain([FEW_RECORDS], repeat(MANY_RECORDS)):
        starts, rows, before, odd = list[int](), list[list[str]](), begin, None
        try:
            for cells in islice(reader, size):
                if cells and (cells[0].strip() or any(map(str.strip, cells))):
                    starts.append(begin)
                    rows.append(cells)
                begin = reader.line_num + 1 + skipped
        except csv.Error as error:  # those before it are there
            odd = error
        if rows:
            yield starts, rows
        if odd is not None:
            raise DataError(
                f"the row cannot be read: {odd}", where=Place(where, line=begin),
                way_out='close every quotation mark ("), and double those inside quoted cells',
            )  # fmt: skip
        if begin == before:
            break
    if reader.line_num + skipped != taken:
        read, of = reader.line_num + skipped, counted(taken, "line")
        raise located(where, f"{read} of {of} were read: a row would be lost")


def _checked(records: Iterable[Records], headers: tuple[str, ...], separator: str, where: str) -> Iterator[Records]:
    """Yield the records below the header; one of another length, or that repeats the header, is refused."""
    width, first, row = len(headers), headers[0], 0
    for starts, rows in records:
        odd = any(len(cells) != width or cells[0].strip() == first for cells in rows)
        for line, cells in zip(starts, rows, strict=True) if odd else ():
            if len(cells) != width:
                raise DataError(
                    f"this row has {counted(len(cells), 'cell')}", where=Place(where, row, line),
                    expected=f"{width}, as in the header ({', '.join(map(quoted, headers[:8]))})",
                    way_out=f'complete the row, or put cells with {quoted(separator)} in "quotes"',
                )  # fmt: skip
            if tuple(cell.strip() for cell in cells) == headers:
                way = "drop it, or, where several files were put together, name the files instead"
                raise DataError("this row repeats the header", where=Place(where, row, line), way_out=way)
            row += 1
        row += 0 if odd else len(rows)
        yield starts, rows


def _separated_sheet(source: Source, wanted: Wanted) -> Sheet:
    table, rows, lines = separated_table(source, wanted), list[list[str]](), list[int]()
    for starts, several in table.records if any(map(wanted, table.headers)) else ():  # else the headers are wrong
        rows += several
        lines += starts
    return Sheet(table.headers, rows, source.where, lines, table.separator)


# JSON: a list of records, columns, or one record per line; numbers stay as they were written


def records_of_lines(source: Source) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the line and the record on every line that is not blank; nothing of JSON that has not one on each."""
    with source.lines() as text:
        lines = ((number, line) for number, line in enumerate(text, start=1) if line.strip())
        start = list(islice(lines, 2))
        if len(start) < 2 or not re.fullmatch(r"\{.*\}", start[0][1].strip(), re.DOTALL):
            return
        for number, line in chain(start, lines):
            try:
                record = _loaded(line.strip(), source.where)
            except json.JSONDecodeError as error:
                if number == start[0][0]:
                    return
                raise _bad_json(source.where, error, number, error.colno + len(line) - len(line.lstrip())) from None
            if not isinstance(record, dict):
                place, expected = Place(source.where, line=number), f"a record, {_EXAMPLE}"
                raise DataError("no record stands here", where=place, expected=expected, got=quoted(line.strip()))
            yield number, record


def json_document(source: Source) -> tuple[Any, Sequence[int]]:
    """Return the value of a JSON text, or the records of its lines and these; of ``rankscape count`` its results."""
    if records := list(records_of_lines(source)):
        return [record for _, record in records], [line for line, _ in records]
    try:
        value = _loaded(source.text(), source.where)
    except json.JSONDecodeError as error:
        raise _bad_json(source.where, error, error.lineno, error.colno) from None
    is_counted = isinstance(value, dict) and re.fullmatch(r"rankscape/count/[0-9]+", str(value.get("schema")))
    return (value["results"] if is_counted and "results" in value else value), ()


def _record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise DataError(f"{quoted(twice)} occurs twice in one JSON object; expected once: rename or drop one")
    return record


def _decimal(number: str) -> Decimal:
    try:
        value = Decimal(number)
        if len(number) <= LONGEST_NUMBER and abs(value.adjusted()) <= LONGEST_NUMBER:
            return value
    except InvalidOperation:  # an exponent of many digits
        pass
    raise ValueError(f"{quoted(number[:40])} has more than {LONGEST_NUMBER} digits")


_DECODER = json.JSONDecoder(parse_float=_decimal, object_pairs_hook=_record)


def _loaded(text: str, where: str) -> Any:
    try:
        return _DECODER.decode(text)
    except DataError as error:
        raise error.located(where) from None
    except json.JSONDecodeError:
        raise
    except (RecursionError, ValueError) as error:  # also an integer of thousands of digits
        raise located(where, f"the JSON cannot be read ({error})") from None


def _bad_json(where: str, error: json.JSONDecodeError, line: int, column: int) -> DataError:
    problem = f"character {column} is not JSON ({error.msg})"
    return DataError(problem, where=Place(where, line=line), way_out="correct it, or save the table as CSV")


def _json_sheet(source: Source, wanted: Wanted) -> Sheet:
    value, lines = json_document(source)
    return sheet_of_value(value, source.where, wanted, lines)


# Parquet, and tables as they are printed


def _parquet_sheet(source: Source, wanted: Wanted) -> Sheet:
    table: Sheet = import_module(".content", __package__).parquet_sheet(source)
    return table


def _printed(kind: str, source: Source, wanted: Wanted) -> Sheet:
    table: Sheet = import_module(".markup", __package__).markup_sheet(source, kind, wanted)  # which few runs need
    return table


def _is_markdown(start: str, where: str) -> bool:
    dashes = re.search(r"^[ \t|:-]*-[ \t|:-]*\r?$", start, re.MULTILINE)
    return dashes is not None and bool(import_module(".markup", __package__).is_markdown(start))


def _is_json(start: str, where: str) -> bool:
    """Tell JSON, by the name or the first value, from a text that begins with a link, or a section, in brackets."""
    named = re.search(r"\.(json|jsonl|ndjson)(\.gz|\.zst|\.zip)?$", where, re.IGNORECASE)
    return start[0] in "{[" and (named is not None or _JSON_START.match(start) is not None)


_MARKDOWN = "a table in Markdown, such as in a README; of several tables the one whose headers are understood"
_TEXT = "text, with commas, semicolons, tabs or bars between cells; also compressed (gz, zst, zip)"
_JSON = "JSON records, columns, or one record per line"

FORMATS = (
    Format("html", lambda start, where: start.startswith("<"), partial(_printed, "html"), "a table of a web page"),
    Format("markdown", _is_markdown, partial(_printed, "markdown"), _MARKDOWN),
    Format("parquet", lambda start, where: start == _PARQUET, _parquet_sheet, "Parquet"),
    Format("json", _is_json, _json_sheet, _JSON),
    Format("csv", lambda start, where: True, _separated_sheet, _TEXT, texts=True),
)
"""What a file may hold; the first row that recognizes its start is the one."""
