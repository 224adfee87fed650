"""Opening tables of predictions: files and data frames of any kind become cases in arrays, as they are counted."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import DataError
from ..results import Table
from ..texts import some
from .coded import CodedCases, Columns, coded_cases, roles_of
from .content import whole_sheet
from .duck import connected, fetching, keys_of_lines, parquet_relation, text_relation
from .engines import Engine
from .formats import Format, first_of_lines, format_of, places_of, separated_table
from .frames import lazy_frame
from .headers import FILE, model_column, says_nothing_of_models
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

Choose = Callable[[Sequence[str]], Mapping[str, str]]
"""Gives, for the headers of a table, those that are needed, and what the column of each holds."""
Progress = Callable[[int], None]


class Chosen(NamedTuple):
    """Which columns are needed: ``roles`` of the headers of a table gives what each holds.

    ``known`` recognizes headers, of texts; ``columns`` are those that are counted, of which an engine gives
    ``distinct`` rows, ``together`` or one by one.
    """

    roles: Choose
    known: Callable[[str], bool]
    columns: Sequence[Columns] = ()
    distinct: bool = False
    together: bool = False

    @property
    def numbers(self) -> list[str]:
        """The columns that hold numbers."""
        scores = [one.prediction for one in self.columns if one.scored]
        return list(dict.fromkeys([*(one.weight for one in self.columns[:1] if one.weight is not None), *scores]))

    @property
    def predicted(self) -> str | None:
        """The only column of predictions or scores, where no column was named that names the models."""
        alone = len(self.columns) == 1 and self.columns[0].entity is None
        return self.columns[0].prediction if alone else None

    def of(self, headers: Sequence[str], where: str, files: Sequence[Source] = ()) -> tuple[str | None, dict[str, str]]:
        """Return the column that names the models where nobody named it, and what each needed column holds.

        It is one called so, or else that of the files: a file that names no model is one, called by the file, unless
        the files are pieces of one table. Errors name the file.
        """
        try:
            roles = dict(self.roles(headers))
        except DataError as error:
            raise error.located(where) from None
        answers = [what for what in roles.values() if what in ("right or wrong", "entity")] == ["right or wrong"]
        if self.predicted is None and not answers:
            return None, roles
        named = [source for source in files if source.path == source.where or os.path.splitext(source.where)[1]]
        of_files = len(named) == len(files) and not are_pieces(named) and bool(named)
        alone = len(files) == 1 and self.predicted is not None and not says_nothing_of_models(self.predicted)
        model = None if answers else model_column(headers, roles)  # which was looked for already
        entity = model or (FILE if of_files and not alone else None)
        return entity, roles | ({} if entity is None else {entity: "entity"})

    def read(self, engine: Engine, entity: str | None, roles: Mapping[str, str]) -> CodedCases:
        """Return the cases that an engine holds."""
        columns = [one if entity is None else one._replace(entity=entity) for one in self.columns]
        engine.check(roles, columns)
        table = engine.distinct(list(roles), columns, self.together) if self.distinct else engine.rows(list(roles))
        table.entity = entity
        return table


def opened(
    source: Any,
    columns: Sequence[Columns],
    progress: Progress | None = None,
    *,
    cluster: str | None = None,
    repeat: str | None = None,
    encoding: str | None = None,
    distinct: bool = False,
    together: bool = False,
) -> CodedCases:
    """Return a table of predictions, after checking that the columns asked for are there.

    Rows stand in the order of the source where it has one; ``distinct`` ones are put together by an engine that holds
    them, ``together`` of all columns of predictions or each by itself.
    """
    roles = roles_of(columns, cluster, repeat)
    table = _table(
        source, Chosen(lambda headers: roles, roles.__contains__, columns, distinct, together), progress, encoding
    )
    table.join(columns[0].levels)
    if progress is not None and not is_source(source):  # a data frame is counted in one go
        progress(100)
    return table


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
    return _table(source, Chosen(choose, known), None, encoding)


def with_models(table: CodedCases, columns: Sequence[Columns]) -> list[Columns]:
    """Return the columns that are counted, with the one that names the models where the table has told it."""
    return [one if table.entity is None else one._replace(entity=table.entity) for one in columns]


def _table(source: Any, wanted: Chosen, progress: Progress | None, encoding: str | None) -> CodedCases:
    """Return the table of predictions of files or a data frame."""
    if not is_source(source) and not (isinstance(source, (list, tuple)) and not source):
        refuse_encoding(encoding)
        of_records = isinstance(source, (list, tuple)) and all(isinstance(record, Mapping) for record in source)
        if not (of_records or isinstance(source, (Mapping, Table))):
            engine = Engine(lazy_frame(source))
            schema = engine.frame.collect_schema()
            if not any(str(schema.get(header)) == "Object" for header in wanted.numbers):  # as decimals of Python are
                return wanted.read(engine, *wanted.of(engine.headers(), ""))
        return _of_sheet(whole_sheet(source, None, wanted.known), wanted)
    with ExitStack() as stack:
        sources = sources_of(source, encoding) if source != "-" else [_spooled(stack, encoding)]
        formats = {format_of(one).name: format_of(one) for one in sources}
        if "parquet" in formats and len(formats) > 1:
            kinds = ", ".join(sorted(formats))
            raise DataError(f"the files are of several kinds ({kinds}); expected one: name a pattern")
        where = some(sources, 1, quote="", word=lambda source: source.where)
        connection = stack.enter_context(connected())
        fetch = fetching(connection, where, progress)
        if "parquet" in formats:
            paths = [stack.enter_context(source.on_disk()) for source in sources]
            relation, records = parquet_relation(connection, paths, where)
            entity, roles = wanted.of(relation.columns, where, sources)
            if entity == FILE:
                names = names_of_files([source.where for source in sources])
                relation, records = parquet_relation(connection, paths, where, names)
            table = wanted.read(Engine(lazy_frame(relation, where), where, fetch, records), entity, roles)
        else:
            table = _text(sources, formats, wanted, where, connection, fetch, progress, stack)
    if (wanted.predicted is not None or not wanted.columns) and table.entity is None and are_pieces(sources):
        table.notes = ("the files are read as pieces of one table",)
    return table


def _of_sheet(sheet: Sheet, wanted: Chosen) -> CodedCases:
    entity, roles = wanted.of(sheet.headers, sheet.where)
    places = places_of(sheet.headers, roles, sheet.where)
    rows = (((sheet.where, None), [row[place] for place in places]) for row in sheet.rows)
    table = coded_cases(rows, list(roles), wanted.numbers, sheet.where, texts=False)
    table.headers, table.entity = sheet.headers, entity
    table.first = _cells(sheet.headers, sheet.rows[0] if sheet.rows else ())
    return table


def _spooled(stack: ExitStack, encoding: str | None) -> Source:
    """Return standard input, kept in a temporary file, which goes away at the end."""
    refuse_closed_input()
    path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rankscape-"))) / "input"
    stdin: Any = getattr(sys.stdin, "buffer", None)
    if stdin is None:  # replaced by a text
        path.write_text(sys.stdin.read(), encoding="utf-8")
    else:
        with path.open("wb") as file:
            shutil.copyfileobj(stdin, file)
    return Source("standard input", path=str(path), encoding=encoding)


def _text(
    sources: Sequence[Source],
    formats: Mapping[str, Format],
    wanted: Chosen,
    where: str,
    connection: Any,
    fetch: Callable[..., Any],
    progress: Progress | None,
    stack: ExitStack,
) -> CodedCases:
    """Return the cases in files of text: by DuckDB where they are plain, else record by record."""
    all_texts = all(format_.texts for format_ in formats.values())
    first = _first_row(connection, sources[0], next(iter(formats.values())), wanted.known, stack)
    entity, roles = wanted.of(tuple(first), where, sources)
    names = names_of_files([source.where for source in sources]) if entity == FILE else []
    plain = None
    if formats.keys() in ({"csv"}, {"json"}):
        plain = text_relation(connection, sources, all_texts, list(roles), wanted.numbers, stack, names)
    if plain is not None:
        table = wanted.read(Engine(lazy_frame(plain[0], where), where, fetch, plain[1], all_texts), entity, roles)
    else:
        rows = _rows(sources, roles, names, progress)
        table = coded_cases(rows, list(roles), wanted.numbers, where, texts=all_texts)
    table.headers, table.entity, table.first = tuple(first) or table.headers, entity, first
    return table


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
    sources: Sequence[Source], roles: Mapping[str, str], names: Sequence[str], progress: Progress | None
) -> Iterator[tuple[tuple[str, int | None], Sequence[Any]]]:
    """Yield the file and line, and the cells that are needed, of one row after the other; the last is its file."""
    of_files = {header: what for header, what in roles.items() if header != FILE}
    for done, source in enumerate(sources, start=1):
        format_ = format_of(source)
        last = [names[done - 1]] if names else []
        for line, cells in format_.rows(source, of_files):
            yield (source.where, line), [*cells, *last] if last else cells
        if progress is not None:
            progress(100 * done // len(sources))
