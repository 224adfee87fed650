"""Sources: which files a name, a pattern or a folder stands for, unpacked and decoded in one way for every reader."""

import glob
import gzip
import io
import os
import re
import shutil
import stat
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from ..errors import DataError, MissingExtraError, Option, Place, UsageError
from ..texts import some
from .sheets import located, quoted

TABLE_SUFFIXES = (".parquet", ".pq", ".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".run")
"""The suffixes of tables, and of runs of TREC, in a folder, perhaps before one of a packed file."""

PACKED_SUFFIXES = (".gz", ".zst", ".zip")

KNOWN_SUFFIXES = (*TABLE_SUFFIXES, ".md", ".markdown", ".tex", ".html", ".htm", ".dat", ".tab", ".out", ".log", ".xlsx")
"""The suffixes that are no part of the name of a model."""

_PIECES = re.compile(r"(?<![a-z])(part|shard|chunk|piece|batch|fold|split)s?[-_. ]?#|#[-_ ]?of[-_ ]?#", re.IGNORECASE)
"""How the names of files say, without their numbers, that they are pieces of one table."""

HEAD = 1 << 16
ALWAYS_UNPACKED, MOST_UNPACKED, MOST_TIMES = 100 * 10**6, 4 * 10**9, 200
"""Bytes that any packed file may unpack to, that none may exceed, and how many times its own size in between."""

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_PACKED = ((b"\x1f\x8b", "gz"), (b"\x28\xb5\x2f\xfd", "zst"), (b"PK\x03\x04", "zip"))
_SAVE = "save the sheet as CSV, or pass the data frame of pandas.read_excel"
_NO_TABLE = (
    (b"\xd0\xcf\x11\xe0", f"this is an old Excel workbook: {_SAVE}"),
    (b"%PDF", "this is a PDF document; expected a table: CSV, TSV, JSON or Parquet"),
    (b"BZh", "this is packed with bzip2; expected no compression, or gz, zst or zip: pack it anew"),
    (b"\xfd7zXZ", "this is packed with xz; expected no compression, or gz, zst or zip: pack it anew"),
)


@dataclass(frozen=True)
class Source:
    """One table as it comes: a file, or the content of standard input or of an open file.

    ``where`` is the name that errors use, ``path`` a file on disk or None, ``content`` what was read from elsewhere.
    """

    where: str
    path: str | None = None
    content: bytes = b""
    encoding: str | None = None

    def _raw(self) -> Any:
        """Return the bytes as they lie there, as an open file."""
        return io.BytesIO(self.content) if self.path is None else open(self.path, "rb")

    @cached_property
    def _start(self) -> bytes:
        with self.failures(), self._raw() as file:
            return bytes(file.read(HEAD))

    @property
    def packed(self) -> str:
        """How the bytes are packed: "gz", "zst", "zip" or "" for not at all; zip archives must hold one file."""
        return next((kind for magic, kind in _PACKED if self._start.startswith(magic)), "")

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unpacked; what is no table is refused."""
        with self.opened() as file:
            start = file.read(HEAD)
        for magic, problem in _NO_TABLE:
            if start.startswith(magic):
                raise located(self.where, problem)
        return start

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Give the unpacked bytes as a file; raises DataError where they cannot be read."""
        if not self.packed and len(self._start) < HEAD:  # which is all there is
            yield io.BytesIO(self._start)
            return
        with self.failures(), self._raw() as raw, _unpacked(raw, self.packed, self.where) as file:
            size = len(self.content) if self.path is None else os.path.getsize(self.path)
            yield io.BufferedReader(_Counted(file, self.where, size)) if self.packed else file

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Raise a DataError that names the reason why a file cannot be read."""
        try:
            yield
        except (UnicodeError, DataError):
            raise
        except (EOFError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error) as error:
            raise located(self.where, f"its compression is damaged ({error}); expected a whole file") from None
        except FileNotFoundError:
            raise _no_such_file(self.where) from None
        except PermissionError:
            raise located(self.where, "no permission to read it: change its permissions, or copy it") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise located(self.where[:200], f"cannot be read ({reason}); expected a file") from None

    @property
    def charset(self) -> str:
        """The encoding: the one asked for, else that of the byte-order mark, else UTF-8."""
        try:
            "".encode(self.encoding or "utf-8")
        except LookupError:
            raise UsageError(f"{self.encoding!r} is no known encoding; try 'utf-8', 'latin-1' or 'utf-16'") from None
        marked = next((name for mark, name in _MARKS if self.head.startswith(mark)), None)
        if not self.encoding:
            return marked or "utf-8"
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
                raise located(self.where, "this is not text; expected a table: CSV, TSV, JSON or Parquet") from None
            try:
                at = len(content.decode(charset))
            except UnicodeDecodeError as exact:
                at = exact.start
            raise DataError(
                f"byte 0x{content[at]:02x} is not {charset.removesuffix('-sig')}",
                where=Place(self.where, line=content.count(b"\n", 0, at) + 1),
                way_out=["save the file as UTF-8", ("say what it is, such as ", Option("encoding", "latin-1"))],
            ) from None

    @contextmanager
    def on_disk(self) -> Iterator[str]:
        """Give a file that holds the bytes unpacked: the file itself, or a temporary one that goes away at the end."""
        if self.path is not None and not self.packed:
            yield self.path
            return
        with tempfile.TemporaryDirectory(prefix="rankscape-") as folder:
            path = os.path.join(folder, "table")
            with self.opened() as file, open(path, "wb") as copy:
                shutil.copyfileobj(file, copy)
            yield path


# Compression


class _Counted(io.RawIOBase):
    """Reads what a packed file unpacks to, up to a size: a few bytes may stand for more than a memory holds."""

    def __init__(self, file: IO[bytes], where: str, size: int) -> None:
        self.file, self.where, self.count = file, where, 0
        self.most = min(MOST_UNPACKED, max(ALWAYS_UNPACKED, MOST_TIMES * size))

    def readable(self) -> bool:
        """Tell that there is something to read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes; refuse more than are meant."""
        part = self.file.read(len(buffer))
        self.count += len(part)
        if self.count > self.most:
            problem = f"this unpacks to more than {self.most // 10**6:,} MB, too many for a packed file of its size"
            raise located(
                self.where, f"{problem}; expected a table: unpack it yourself, and give the file that comes out"
            )
        buffer[: len(part)] = part
        return len(part)


@contextmanager
def _unpacked(raw: IO[bytes], kind: str, where: str) -> Iterator[Any]:
    """Give the bytes in a packed file, as a file."""
    with ExitStack() as stack:
        if kind == "zip":
            archive = stack.enter_context(zipfile.ZipFile(raw))
            names = [name for name in archive.namelist() if not name.endswith("/") and not name.startswith("__MACOSX/")]
            if "[Content_Types].xml" in names:
                raise located(where, f"this is an Excel workbook: {_SAVE}")
            if "header.json" in names or "_journal/start.json" in names:
                raise located(where, "this is a packed log of Inspect: write it as JSON with `inspect log dump FILE`")
            if len(names) != 1:
                files = some(names, quote="", word=quoted)
                raise located(where, f"this archive holds {len(names)} files ({files}); expected one: unpack it first")
            yield stack.enter_context(archive.open(names[0]))
        elif kind == "zst":
            yield stack.enter_context(_zst(raw, where))
        else:
            yield stack.enter_context(gzip.GzipFile(fileobj=raw) if kind == "gz" else nullcontext(raw))


def _zst(raw: IO[bytes], where: str) -> Any:
    for module in ("compression.zstd", "zstandard", "pyarrow"):
        try:
            library: Any = import_module(module)
        except ImportError:
            continue
        if module == "pyarrow":
            return library.CompressedInputStream(library.PythonFile(raw, mode="r"), "zstd")
        return library.open(raw, "rb")
    raise MissingExtraError(f"{where}: unpacking zst needs zstandard or pyarrow: pip install zstandard")


# Names


def is_source(given: Any) -> bool:
    """Tell whether something is a file, a pattern, a folder, an open file, or several files."""
    return is_file(given) or (isinstance(given, (list, tuple)) and bool(given) and all(map(is_file, given)))


def is_file(given: Any) -> bool:
    """Tell whether something is the name of a file, or an open one; frames of SQLFrame have any attribute."""
    is_open = not hasattr(type(given), "columns") and callable(getattr(given, "read", None))
    return isinstance(given, (str, os.PathLike, Source)) or is_open


def source_of(given: Any, encoding: str | None = None) -> Source:
    """Return one file, standard input ("-"), an open file or a source as a source.

    A pipe, such as that of ``<(zcat results.csv.gz)``, is read now, as it is read once.
    """
    if isinstance(given, Source):
        return given
    if not isinstance(given, (str, os.PathLike)):
        where = name if isinstance(name := getattr(given, "name", None), str) else "the file"
        try:
            content = given.read()
        except UnicodeError as error:
            raise located(where, f"cannot be read ({error}): open it as bytes, or with its encoding") from None
        if isinstance(content, str):  # which is decoded already
            return Source(where, content=content.encode("utf-8", "surrogatepass"))
        return Source(where, content=content, encoding=encoding)
    where = os.fsdecode(os.fspath(given))
    if where == "-":
        refuse_closed_input()
        try:
            return replace(source_of(getattr(sys.stdin, "buffer", sys.stdin), encoding), where="standard input")
        except OSError as error:
            raise DataError(f"standard input cannot be read ({error.strerror}): name a file, or use a pipe") from None
    _refuse_addresses(where)
    source = Source(where, path=where, encoding=encoding)
    if not is_stream(where):
        return source
    with source.failures():
        return replace(source, path=None, content=Path(where).read_bytes())


def sources_of(given: Any, encoding: str | None = None) -> list[Source]:
    """Return the files that names, patterns and folders stand for, in order; the same file twice is refused.

    A pattern or folder is searched recursively; links count as the file that they lead to.
    """
    several = list(given) if isinstance(given, (list, tuple)) else [given]
    if not several:
        raise DataError("no file is given; expected at least one, or a data frame")
    sources: list[Source] = []
    for one in several:
        named = isinstance(one, (str, os.PathLike)) and os.fspath(one) != "-"
        sources += [source_of(path, encoding) for path in (_paths(os.fsdecode(os.fspath(one))) if named else [one])]
    seen: dict[Any, str] = {}
    for source in sources:
        status = None if source.path is None else _status(source.path)
        if source.path is not None and status is None:  # reading raises it with the reason
            continue
        key = source.where if status is None else (status.st_dev, status.st_ino)
        if key in seen:
            as_ = "" if seen[key] == source.where else f", as {seen[key]} and as {source.where}"
            raise located(source.where, f"this file is given twice{as_}; its rows would count twice: name it once")
        seen[key] = source.where
    return sources


def _paths(where: str) -> list[str]:
    """Return the files that a path, a pattern or a folder stands for, in order."""
    _refuse_addresses(where)
    if os.path.isdir(where):
        inside = (str(file) for file in Path(where).rglob("*") if file.is_file())
        files = sorted(filter(is_table_name, inside))
        if not files:
            raise located(where, f"no file of this folder is a table ({', '.join(TABLE_SUFFIXES)}): name a pattern")
        return files
    files = [where] if os.path.exists(where) else sorted(filter(os.path.isfile, glob.glob(where, recursive=True)))
    if not files and glob.has_magic(where):
        raise located(where, "no file is like this pattern")
    try:
        os.stat(files[0] if files else where)
    except (FileNotFoundError, NotADirectoryError):
        raise _no_such_file(where) from None
    except (OSError, ValueError):  # opening it raises it with the reason, such as a name that is too long
        return [where]
    return files


def _no_such_file(where: str) -> DataError:
    """Return a DataError about a file that is not there, with the nearest names beside it."""
    folder, name = os.path.split(where)
    near = get_close_matches(name, os.listdir(folder or "."), n=3) if os.path.isdir(folder or ".") else []
    hint = f"; near it are {', '.join(map(quoted, near))}" if near else ": check the name and the folder"
    return located(where, f"there is no such file{hint}")


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def is_stream(path: str) -> bool:
    """Tell whether a path leads to something that is neither a regular file nor a folder, such as a pipe."""
    status = _status(path)
    return status is not None and not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode))


def refuse_encoding(encoding: str | None) -> None:
    """Refuse the encoding of what is no file."""
    if encoding is not None:
        raise UsageError([Option("encoding"), " would change nothing: what is in memory is decoded already"])


def refuse_closed_input() -> None:
    """Raise DataError where nothing can come from standard input."""
    if sys.stdin is None or sys.stdin.closed:
        raise DataError("standard input is closed; expected a table there: name a file, or pass one with a pipe")


def _refuse_addresses(where: str) -> None:
    """Refuse the address of a page, and the text of a table, in the place of a name."""
    if re.match(r"[a-z][a-z0-9+]+://", where):
        raise DataError(f"{where} is an address; expected a file: download it first")
    if "\n" in where:
        raise DataError(f"{quoted(where)} is no name of a file: where it is the table itself, pass io.StringIO(text)")


def names_of_files(files: Sequence[str]) -> list[str]:
    """Return what models are called that only their files name: by the file, or by its folder where files are alike.

    What is no file is P1, P2, …

    >>> names_of_files(["runs/GPT-4.1.csv.gz", ""]), names_of_files(["a/run.csv", "b/run.csv"])
    (['GPT-4.1', 'P2'], ['a', 'b'])
    """
    stems = [without_suffixes(os.path.basename(file)) or f"P{i + 1}" for i, file in enumerate(files)]
    if len({*stems}) == len(stems):
        return stems
    folders = [os.path.basename(os.path.dirname(os.path.abspath(file))) if file else "" for file in files]
    alike = len({*stems}) == 1 and len({*folders}) == len(folders)
    return folders if alike else [f"{folder}/{stem}" for folder, stem in zip(folders, stems, strict=True)]


def are_pieces(sources: Sequence[Source]) -> bool:
    """Tell whether files are pieces of one table, as engines and hubs write them: numbered parts, shards or folds.

    >>> [are_pieces(list(map(Source, names))) for names in (["part-0.pq", "part-1.pq"], ["a1", "a2"])]
    [True, False]
    """
    stems = {re.sub(r"\d+", "#", without_suffixes(os.path.basename(source.where))) for source in sources}
    return len(sources) > 1 and len(stems) == 1 and re.search(_PIECES, stems.pop()) is not None


def is_table_name(path: str) -> bool:
    """Tell whether the name of a file is that of a table, perhaps packed."""
    stem, suffix = os.path.splitext(path)
    return (os.path.splitext(stem)[1] if suffix.lower() in PACKED_SUFFIXES else suffix).lower() in TABLE_SUFFIXES


def without_suffixes(name: str) -> str:
    """Return the name of a file without its known suffixes, and without that of a packed file.

    >>> [without_suffixes(name) for name in ("GPT-4.1", "GPT-4.1.csv.gz", "v3.0.1.JSON")]
    ['GPT-4.1', 'GPT-4.1', 'v3.0.1']
    """
    for known in (PACKED_SUFFIXES, KNOWN_SUFFIXES):
        stem, suffix = os.path.splitext(name)
        name = stem if suffix.lower() in known else name
    return name
