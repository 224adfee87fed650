"""Opening tables of predictions: files and data frames of any kind become cases that can be counted."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ..errors import DataError
from .answers import ask
from .cases import CaseTable, Columns, roles_of
from .coded import CodedCases
from .duck import connected, csv_relation, duckdb_or_none, fetching, kept, needs_duckdb, parquet_relation
from .encoders import coded_cases
from .engines import EngineCases
from .formats import Format, format_of, parquet_frame
from .frames import concatenated, lazy_frame
from .naming import is_source, refuse_closed_input, sources_of, where_of
from .rows import coded_rows
from .separated import separated_table
from .sources import Source

SMALL = 8_000_000
"""Bytes of text up to which files are read record by record; beyond, DuckDB is asked, where it is installed."""

LARGEST_WITHOUT_DUCKDB = 200_000_000
"""Bytes of text that are read record by record at most where DuckDB is not installed."""


@contextmanager
def opened(
    source: Any,
    columns: Sequence[Columns],
    progress: Callable[[int], None] | None = None,
    *,
    cluster: str | None = None,
    encoding: str | None = None,
    pairs: bool = False,
) -> Iterator[CaseTable]:
    """Give a table of predictions, after checking that the columns asked for are there.

    ``pairs`` tells that kinds of cases will be asked for, too.
    """
    with ExitStack() as stack:
        table = _table(source, columns, progress, cluster, encoding, stack)
        if isinstance(table, EngineCases):
            ask(table, columns, cluster, pairs)
        yield table


def rows_in_memory(
    source: Any,
    columns: Sequence[Columns],
    progress: Callable[[int], None] | None = None,
    *,
    encoding: str | None = None,
) -> CodedCases:
    """Return the rows of a table of predictions themselves, in the order of the source where it has one."""
    with ExitStack() as stack:
        table = _table(source, columns, progress, None, encoding, stack, ordered=True)
        return coded_rows(table, columns) if isinstance(table, EngineCases) else table


def _table(
    source: Any,
    columns: Sequence[Columns],
    progress: Callable[[int], None] | None,
    cluster: str | None,
    encoding: str | None,
    stack: ExitStack,
    *,
    ordered: bool = False,
) -> EngineCases | CodedCases:
    """Return the table of predictions of files or a data frame; ``ordered`` keeps the rows of files in order."""
    if not is_source(source) and not (isinstance(source, (list, tuple)) and not source):
        table = EngineCases(lazy_frame(source), "")
        table.check(columns, cluster)
        return table
    sources = sources_of(source, encoding) if source != "-" else [_spooled(stack, encoding)]
    formats = {format_of(one).name: format_of(one) for one in sources}
    if "parquet" in formats and len(formats) > 1:
        kinds = ", ".join(sorted(formats))
        raise DataError(f"the files are of several kinds ({kinds}); expected one: name a pattern")
    if "parquet" in formats:
        return _parquet(sources, columns, cluster, progress, stack, ordered)
    return _text(sources, list(formats.values()), columns, cluster, progress, stack, ordered)


def _spooled(stack: ExitStack, encoding: str | None) -> Source:
    """Return standard input, kept in a temporary file, which goes away at the end."""
    refuse_closed_input()
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="rankscape-"))
    path = Path(folder) / "input"
    stdin: Any = getattr(sys.stdin, "buffer", None)
    if stdin is None:  # replaced by a text
        path.write_text(sys.stdin.read(), encoding="utf-8")
    else:
        with path.open("wb") as file:
            shutil.copyfileobj(stdin, file)
    return Source("standard input", path=str(path), encoding=encoding)


def _parquet(
    sources: Sequence[Source],
    columns: Sequence[Columns],
    cluster: str | None,
    progress: Callable[[int], None] | None,
    stack: ExitStack,
    ordered: bool,
) -> EngineCases:
    where = where_of(sources)
    if duckdb_or_none() is None:
        frames = [lazy_frame(parquet_frame(source), source.where) for source in sources]
        table = EngineCases(concatenated(frames), where)
    else:
        connection = stack.enter_context(connected(ordered))
        paths = [stack.enter_context(source.on_disk()) for source in sources]
        relation, records = parquet_relation(connection, paths, where)
        table = EngineCases(lazy_frame(relation, where), where, fetching(connection, where, progress), records)
    table.check(columns, cluster)
    return table


def _text(
    sources: Sequence[Source],
    formats: Sequence[Format],
    columns: Sequence[Columns],
    cluster: str | None,
    progress: Callable[[int], None] | None,
    stack: ExitStack,
    ordered: bool,
) -> EngineCases | CodedCases:
    """Return the cases in files of text: by DuckDB where they are large and plain, else record by record."""
    roles, where = roles_of(columns, cluster), where_of(sources)
    scores = [one.prediction for one in columns if one.scored]
    numbers = list(dict.fromkeys(filter(None, (columns[0].weight, *scores))))
    size, all_texts = sum(source.size for source in sources), all(format_.texts for format_ in formats)
    if size > SMALL and all_texts and duckdb_or_none() is not None:
        connection = stack.enter_context(connected(ordered))
        plain = csv_relation(connection, sources, list(roles), numbers, stack)
        if plain is not None:
            several = not ordered and (columns[0].case is not None or cluster is not None)
            relation = kept(connection, plain[0], where) if several else plain[0]
            fetch = fetching(connection, where, progress)
            table = EngineCases(lazy_frame(relation, where), where, fetch, plain[1], texts=True)
            table.headers = _headers(sources[0], roles)
            return table
    if size > LARGEST_WITHOUT_DUCKDB and duckdb_or_none() is None:
        raise needs_duckdb(f"{where}: counting files of more than {LARGEST_WITHOUT_DUCKDB // 10**6} MB")
    coded = coded_cases(_rows(sources, roles, progress), list(roles), numbers, where, texts=all_texts)
    coded.headers = _headers(sources[0], roles) if all_texts else coded.headers
    return coded


def _headers(source: Source, roles: dict[str, str]) -> Sequence[str]:
    """Return the headers of a file of separated values."""
    with source.lines() as text:
        return separated_table(text, source.where, roles.__contains__).headers


def _rows(
    sources: Sequence[Source], roles: dict[str, str], progress: Callable[[int], None] | None
) -> Iterator[tuple[tuple[str, int | None], Sequence[Any]]]:
    """Yield the file and line, and the cells that are needed, of one row after the other."""
    for done, source in enumerate(sources, start=1):
        format_ = format_of(source)
        if format_.rows is None:
            raise DataError(f"files of the kind {format_.name} have no rows of text")
        for line, cells in format_.rows(source, roles):
            yield (source.where, line), cells
        if progress is not None:
            progress(100 * done // len(sources))
