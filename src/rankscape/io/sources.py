"""Sources: one table as it comes, from a file or as bytes, unpacked and decoded in one way for every reader."""

import gzip
import io
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from ..errors import DataError, MissingExtraError, Option, Place, UsageError
from ..texts import some
from .sheets import located, no_such_file, quoted

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
    content: bytes | str = b""
    encoding: str | None = None

    @cached_property
    def packed(self) -> str:
        """How the bytes are packed: "gz", "zst", "zip" or "" for not at all; zip archives must hold one file."""
        if self.path is None:
            start = b"" if isinstance(self.content, str) else self.content[:8]
        else:
            with self._failures(), open(self.path, "rb") as file:
                start = file.read(8)
        return next((kind for magic, kind in _PACKED if start.startswith(magic)), "")

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unpacked; what is no table is refused."""
        with self.opened() as file:
            start = file.read(HEAD)
        for magic, problem in _NO_TABLE:
            if start.startswith(magic):
                raise located(self.where, problem)
        return start

    def read_once(self) -> "Source":
        """Return the source with its bytes in memory, for what is no regular file, such as a pipe, is read once."""
        if self.path is None:
            return self
        with self._failures():
            return replace(self, path=None, content=Path(self.path).read_bytes())

    @property
    def size(self) -> int:
        """The number of bytes as they lie there."""
        return len(self.content) if self.path is None else os.path.getsize(self.path)

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Give the unpacked bytes as a file; raises DataError where they cannot be read."""
        with self._failures():
            held = self.content
            data = held.encode("utf-8", "surrogatepass") if isinstance(held, str) else held
            raw: Any = open(self.path, "rb") if self.path is not None else io.BytesIO(data)  # noqa: SIM115
            with raw, _UNPACK[self.packed](raw, self.where) as file:
                yield _Unpacked(file, self.where, self.size) if self.packed else file

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Raise a DataError that names the reason why a file cannot be read."""
        try:
            yield
        except (EOFError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error) as error:
            raise located(self.where, f"its compression is damaged ({error}); expected a whole file") from None
        except IsADirectoryError:
            raise located(self.where, "this is a folder; expected a file") from None
        except FileNotFoundError:
            raise no_such_file(self.where) from None
        except PermissionError:
            raise located(self.where, "no permission to read it: change its permissions, or copy it") from None
        except (UnicodeError, DataError):
            raise
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise located(self.where[:200], f"cannot be read ({reason}); expected a file") from None

    @property
    def charset(self) -> str:
        """The encoding: the one asked for, else that of the byte-order mark, else UTF-8."""
        if self.encoding is not None:
            try:
                "".encode(self.encoding)
            except LookupError:
                raise UsageError(
                    f"{self.encoding!r} is no known encoding; try 'utf-8', 'latin-1' or 'utf-16'"
                ) from None
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
        if isinstance(self.content, str) and self.content:
            yield io.StringIO(self.content.removeprefix("\ufeff"), newline="")
            return
        charset = self.charset
        try:
            with self.opened() as file, io.TextIOWrapper(file, encoding=charset, newline="") as text:
                yield text
        except UnicodeError:
            with self.opened() as file:
                raise self.undecodable(file.read(), charset) from None

    def undecodable(self, content: bytes, charset: str) -> DataError:
        """Return the error about bytes that are not in the encoding."""
        if b"\0" in content and charset.startswith("utf-8"):
            return located(self.where, "this is not text; expected a table: CSV, TSV, JSON or Parquet")
        at = 0
        try:
            content.decode(charset)
        except UnicodeDecodeError as exact:
            at = exact.start
        line = content.count(b"\n", 0, at) + 1
        return DataError(
            f"byte 0x{content[at]:02x} is not {charset.removesuffix('-sig')}",
            where=Place(self.where, line=line),
            way_out=["save the file as UTF-8", ("say what it is, such as ", Option("encoding", "latin-1"))],
        )

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


class _Unpacked(io.BufferedReader):
    """What a packed file unpacks to, up to a size: a few bytes may stand for more than a memory holds."""

    def __init__(self, file: IO[bytes], where: str, size: int) -> None:
        super().__init__(_Counted(file, where, size))


class _Counted(io.RawIOBase):
    """Reads from a stream and counts."""

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
            raise located(
                self.where,
                f"this unpacks to more than {self.most // 10**6:,} MB, too many for a packed file of its size; "
                "expected a table: unpack it yourself, and give the file that comes out",
            )
        buffer[: len(part)] = part
        return len(part)


@contextmanager
def _zip(raw: IO[bytes], where: str) -> Iterator[IO[bytes]]:
    with zipfile.ZipFile(raw) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/") and not name.startswith("__MACOSX/")]
        if "[Content_Types].xml" in names:
            raise located(where, f"this is an Excel workbook: {_SAVE}")
        if "header.json" in names or "_journal/start.json" in names:
            raise located(where, "this is a packed log of Inspect: write it as JSON with `inspect log dump FILE`")
        if len(names) != 1:
            files = some(names, quote="", word=quoted)
            raise located(where, f"this archive holds {len(names)} files ({files}); expected one: unpack it first")
        with archive.open(names[0]) as file:
            yield file


@contextmanager
def _zst(raw: IO[bytes], where: str) -> Iterator[IO[bytes]]:
    openers: tuple[tuple[str, Callable[[Any], Any]], ...] = (
        ("compression.zstd", lambda m: m.open(raw, "rb")),
        ("zstandard", lambda m: m.ZstdDecompressor().stream_reader(raw)),
        ("pyarrow", lambda m: m.CompressedInputStream(m.PythonFile(raw, mode="r"), "zstd")),
    )
    for module, open_ in openers:
        try:
            library = import_module(module)
        except ImportError:
            continue
        with open_(library) as stream:
            yield io.BufferedReader(stream) if module == "zstandard" else stream
        return
    raise MissingExtraError(f"{where}: unpacking zst needs zstandard or pyarrow: pip install zstandard")


_UNPACK: dict[str, Callable[[IO[bytes], str], Any]] = {
    "": lambda raw, where: nullcontext(raw),
    "gz": lambda raw, where: gzip.GzipFile(fileobj=raw),
    "zst": _zst,
    "zip": _zip,
}
