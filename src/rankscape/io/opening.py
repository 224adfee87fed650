"""Opening tables of predictions: files and data frames of any kind become cases that can be counted."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import DataError
from ..results import Table
from ..texts import some
from .cases import CaseTable, Columns, roles_of
from .coded import CodedCases, coded_cases
from .duck import connected, fetching, kept, keys_of_lines, parquet_relation, text_relation
from .engines import EngineCases, ask, coded_columns, coded_rows
from .formats import Format, first_of_lines, format_of, places_of
from .frames import lazy_frame
from .headers import FILE, model_column, says_nothing_of_models
from .separated import separated_table
from .sheets import Sheet
from .sources import (
    Source,
    are_pieces,
    is_source,
    names_of_files,
    refuse_closed_input,
    refuse_encoding,
    sources_of,
)
from .tables import whole_sheet
from .unanswered import answered

Choose = Callable[[Sequence[str]], Mapping[str, str]]
"""Gives, for the headers of a table, those that are needed, and what the column of each holds."""


@contextmanager
def opened(
    source: Any,
    columns: Sequence[Columns],
    progress: Callable[[int], None] | None = None,
    *,
    cluster: str | None = None,
    repeat: str | None = None,
    encoding: str | None = None,
    pairs: bool = False,
    unanswered: str | None = None,
    pos_label: Any = None,
) -> Iterator[CaseTable]:
    """Give a table of predictions, after checking that the columns asked for are there; errors inside name the file.

    ``pairs`` tells that kinds of cases will be asked for, too; ``unanswered`` what becomes of cases without an answer,
    which ``pos_label`` is needed for. Then, and with a column that numbers repeats, the rows are in memory.
    """
    with ExitStack() as stack:
        table = _table(source, _wanted(columns, cluster, repeat), progress, encoding, stack)
        table.join(columns[0].levels)
        chosen = with_models(table, columns)
        try:
            if unanswered is not None or repeat is not None:
                yield _in_memory(table, chosen, cluster, repeat, unanswered, pos_label)
            else:
                if isinstance(table, EngineCases):
                    ask(table, chosen, cluster, pairs)
                yield table
        except DataError as error:
            raise error.located(table.where) from None
        _finished(source, progress)


def _in_memory(
    table: EngineCases | CodedCases,
    columns: Sequence[Columns],
    cluster: str | None,
    repeat: str | None,
    unanswered: str | None,
    pos_label: Any,
) -> CodedCases:
    """Return the rows of a table, with an answer to each case where ``unanswered`` tells what becomes of the others."""
    rows = table
    if isinstance(rows, EngineCases):
        rows = coded_columns(rows, list(roles_of(columns, cluster, repeat)))
        rows.join(columns[0].levels)
        rows.entity = table.entity
    return rows if unanswered is None else answered(rows, columns, unanswered, pos_label)


def rows_in_memory(
    source: Any,
    columns: Sequence[Columns],
    progress: Callable[[int], None] | None = None,
    *,
    encoding: str | None = None,
) -> CodedCases:
    """Return the rows of a table of predictions themselves, in the order of the source where it has one."""
    with ExitStack() as stack:
        table = _table(source, _wanted(columns), progress, encoding, stack)
        if not isinstance(table, EngineCases):
            table.join(columns[0].levels)
            return table
        rows = coded_rows(table, with_models(table, columns))
        rows.entity = table.entity
        _finished(source, progress)
        return rows


def _finished(source: Any, progress: Callable[[int], None] | None) -> None:
    """Say that all is done of a data frame, which is counted in one go."""
    if progress is not None and not is_source(source):
        progress(100)


def columns_in_memory(
    source: Any, choose: Choose, known: Callable[[str], bool], *, encoding: str | None = None
) -> CodedCases:
    """Return some columns of a table, of files, a data frame, a mapping of columns or records, as cases in arrays.

    ``choose`` gets the headers and returns those that are needed, with what each holds; ``known`` recognizes headers
    that find the separator of a text.

    >>> columns_in_memory(
    ...     {"y": [1, None], "z": [3, 4]}, lambda headers: {"y": "truth"}, str.isalpha
    ... ).columns
    {'y': Column(values=[1], codes=array([ 0, -1]))}
    """
    with ExitStack() as stack:
        table = _table(source, Chosen(choose, known), None, encoding, stack)
        return table if isinstance(table, CodedCases) else coded_columns(table, list(choose(table.headers)))


class Chosen(NamedTuple):
    """Which columns are needed: ``roles`` of the headers of a table gives what each holds.

    ``known`` recognizes headers, of texts; the columns ``numbers`` hold numbers. ``several`` tells that the table will
    be asked more than once. ``predicted`` is the only column of predictions or scores, where no column was named that
    names the models.
    """

    roles: Choose
    known: Callable[[str], bool]
    numbers: Sequence[str] = ()
    several: bool = False
    predicted: str | None = None

    def entity(self, headers: Sequence[str], sources: Sequence[Source] = ()) -> str | None:
        """Return the column that names the models where nobody named it: one called so, or else that of the files.

        A file that names no model is one, called by the file, unless the files are pieces of one table.
        """
        if self.predicted is None:
            return None
        named = [source for source in sources if source.path and source.path == source.where]
        model = model_column(headers, self.roles(headers))
        of_files = len(named) == len(sources) and not are_pieces(named) and bool(named)
        alone = len(sources) == 1 and not says_nothing_of_models(self.predicted)
        return model or (FILE if of_files and not alone else None)

    def on(self, headers: Sequence[str], where: str) -> Mapping[str, str]:
        """Return the roles of the headers of a file; errors name it."""
        try:
            return self.roles(headers)
        except DataError as error:
            raise error.located(where) from None


def _of_sheet(sheet: Sheet, wanted: Chosen) -> CodedCases:
    entity = wanted.entity(sheet.headers)
    roles = {**wanted.roles(sheet.headers), **({} if entity is None else {entity: "entity"})}
    places = places_of(sheet.headers, roles, sheet.where)
    rows = (((sheet.where, None), [row[place] for place in places]) for row in sheet.rows)
    table = coded_cases(rows, list(roles), wanted.numbers, sheet.where, texts=False)
    table.headers, table.entity = sheet.headers, entity
    table.first = _cells(sheet.headers, sheet.rows[0] if sheet.rows else ())
    return table


def _wanted(columns: Sequence[Columns], cluster: str | None = None, repeat: str | None = None) -> Chosen:
    """Return the columns that counting needs."""
    roles, first = roles_of(columns, cluster, repeat), columns[0]
    scores = [one.prediction for one in columns if one.scored]
    numbers = list(dict.fromkeys(filter(None, (first.weight, *scores))))
    several = first.case is not None or cluster is not None
    predicted = first.prediction if first.entity is None and len(columns) == 1 else None
    return Chosen(lambda headers: roles, roles.__contains__, numbers, several, predicted)


def with_models(table: CaseTable, columns: Sequence[Columns]) -> list[Columns]:
    """Return the columns that are counted, with the one that names the models where the table has told it."""
    return [one if table.entity is None else one._replace(entity=table.entity) for one in columns]


def _table(
    source: Any,
    wanted: Chosen,
    progress: Callable[[int], None] | None,
    encoding: str | None,
    stack: ExitStack,
) -> EngineCases | CodedCases:
    """Return the table of predictions of files or a data frame."""
    if not is_source(source) and not (isinstance(source, (list, tuple)) and not source):
        refuse_encoding(encoding)
        records = isinstance(source, (list, tuple)) and all(isinstance(record, Mapping) for record in source)
        if records or isinstance(source, (Mapping, Table)):
            return _of_sheet(whole_sheet(source, None, wanted.known), wanted)
        table = EngineCases(lazy_frame(source), "")
        table.entity = wanted.entity(table.headers)
        table.check(wanted.roles(table.headers))
        if any(str(table.schema[header]) == "Object" for header in wanted.numbers):  # such as decimals of Python
            return _of_sheet(whole_sheet(source, None, wanted.known), wanted)
        return table
    sources = sources_of(source, encoding) if source != "-" else [_spooled(stack, encoding)]
    formats = {format_of(one).name: format_of(one) for one in sources}
    if "parquet" in formats and len(formats) > 1:
        kinds = ", ".join(sorted(formats))
        raise DataError(f"the files are of several kinds ({kinds}); expected one: name a pattern")
    read: EngineCases | CodedCases
    if "parquet" in formats:
        read = table = _parquet(sources, wanted, progress, stack)
        table.check(wanted.on(table.headers, table.where))
    else:
        read = _text(sources, list(formats.values()), wanted, progress, stack)
    if wanted.predicted is not None and read.entity is None and are_pieces(sources):
        read.notes = ("the files are read as pieces of one table",)
    return read


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
    sources: Sequence[Source], wanted: Chosen, progress: Callable[[int], None] | None, stack: ExitStack
) -> EngineCases:
    where = some(sources, 1, quote="", word=lambda source: source.where)
    connection = stack.enter_context(connected())
    paths = [stack.enter_context(source.on_disk()) for source in sources]
    relation, records = parquet_relation(connection, paths, where)
    entity = wanted.entity(relation.columns, sources)
    if entity == FILE:
        names = names_of_files([source.where for source in sources])
        relation, records = parquet_relation(connection, paths, where, names)
    table = EngineCases(lazy_frame(relation, where), where, fetching(connection, where, progress), records)
    table.entity = entity
    return table


def _text(
    sources: Sequence[Source],
    formats: Sequence[Format],
    wanted: Chosen,
    progress: Callable[[int], None] | None,
    stack: ExitStack,
) -> EngineCases | CodedCases:
    """Return the cases in files of text: by DuckDB where they are plain, else record by record."""
    where, numbers = some(sources, 1, quote="", word=lambda source: source.where), wanted.numbers
    connection = stack.enter_context(connected())
    kinds = {format_.name for format_ in formats}
    all_texts = all(format_.texts for format_ in formats)
    first = _first_row(connection, sources[0], formats[0], wanted.known, stack)
    headers = tuple(first)
    entity = wanted.entity(headers, sources)
    roles = {**wanted.on(headers, where), **({} if entity is None else {entity: "entity"})}
    names = names_of_files([source.where for source in sources]) if entity == FILE else []
    if kinds in ({"csv"}, {"json"}):
        plain = text_relation(connection, sources, all_texts, list(roles), numbers, stack, names)
        if plain is not None:
            relation = kept(connection, plain[0], where) if wanted.several else plain[0]
            fetch = fetching(connection, where, progress)
            table = EngineCases(lazy_frame(relation, where), where, fetch, plain[1], texts=all_texts)
            table.headers, table.entity, table.first = headers or table.headers, entity, first
            return table
    coded = coded_cases(_rows(sources, roles, names, progress), list(roles), numbers, where, texts=all_texts)
    coded.headers = headers or coded.headers
    coded.entity, coded.first = entity, first
    return coded


def _first_row(
    connection: Any, source: Source, format_: Format, known: Callable[[str], bool], stack: ExitStack
) -> dict[str, Any]:
    """Return the headers of a file of text, each with the first cell below it, None where there is no row."""
    if format_.name == "json":
        keys = keys_of_lines(connection, source, stack)
        first = None if keys is None else first_of_lines(source)
        if keys is not None and first is not None:
            return {**first, **{key: None for key in keys if key not in first}}
    if not format_.texts:
        sheet = None if format_.sheet is None else format_.sheet(source, known)
        return {} if sheet is None else _cells(sheet.headers, sheet.rows[0] if sheet.rows else ())
    with source.lines() as text:
        table = separated_table(text, source.where, known)
        return _cells(table.headers, next(iter(table.records), (0, ()))[1])


def _cells(headers: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
    return {header: row[i] if i < len(row) else None for i, header in enumerate(headers)}


def _rows(
    sources: Sequence[Source],
    roles: Mapping[str, str],
    names: Sequence[str],
    progress: Callable[[int], None] | None,
) -> Iterator[tuple[tuple[str, int | None], Sequence[Any]]]:
    """Yield the file and line, and the cells that are needed, of one row after the other; the last is its file."""
    of_files = {header: what for header, what in roles.items() if header != FILE}
    for done, source in enumerate(sources, start=1):
        format_ = format_of(source)
        if format_.rows is None:
            raise DataError(f"files of the kind {format_.name} have no rows of text")
        last = [names[done - 1]] if names else []
        for line, cells in format_.rows(source, of_files):
            yield (source.where, line), [*cells, *last] if last else cells
        if progress is not None:
            progress(100 * done // len(sources))
