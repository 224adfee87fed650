"""Content: what is given to be read, as a table, a JSON value or lines of text, each made when a reader asks for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from ..errors import DataError, Place, RankscapeError, Text
from ..performances import Performances
from ..results import Table
from .formats import Format, first_of_lines, format_of, json_value, parquet_frame
from .frames import data_frame, index_columns
from .sheets import Sheet, sheet_of_mapping, sheet_of_records
from .sources import Source, names_of_files, source_of, without_suffixes
from .tables import whole_sheet

FIRST_LINES = 20
"""Lines of a text that tell what it is."""


@dataclass(frozen=True)
class How:
    """How something is to be read: what its columns are called, and what a reader cannot know by itself.

    ``entity`` and ``domain`` are headers, of a domain perhaps several; ``name`` is the name of an entity that its file
    does not name. ``unanswered`` says what becomes of cases without an answer. ``more`` are the options of one reader,
    such as the ``qrels`` of TREC.
    """

    entity: str | None = None
    domain: tuple[str, ...] = ()
    tolerance: float = 0.0
    unanswered: str | None = None
    name: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Reader:
    """A format of another tool: the name ``READER`` of a module in the folder ``readers``, where it is found.

    ``recognise`` tells whether a content is of the format, else ``lacks`` says what it would need. ``read`` makes
    performances of one content, ``together`` of all that were given, where one needs another. ``files`` and ``columns``
    stand in :func:`rankscape.formats`. ``holds`` are the containers that may hold it, as in ``Content.container``, none
    for any; ``options`` those of :func:`rankscape.read` that are about it; where ``goes_with`` is given, all contents
    are of this format; ``named`` are the columns whose headers can be others, "entity" and "domain", and ``beside`` are
    other files of the tool, which are passed over. A content is of the first format that recognizes it, of those with
    the least ``turn`` first: formats that are no single tool's come last.
    """

    name: str
    files: str
    columns: str
    lacks: str
    recognise: Callable[[Content], bool]
    read: Callable[[Content, How], Performances] | None = None
    together: Callable[[Sequence[Content], How], Performances] | None = None
    holds: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    goes_with: str = ""
    named: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    turn: int = 0


JSON = ("JSON object", "JSON list")
NAMED = ("entity", "domain")
"""What a table has a column of."""


@dataclass(frozen=True, eq=False)
class Content:
    """What was given: a file (a :class:`Source`), a data frame, a mapping or a list.

    ``wanted`` tells whether any reader understands a header, which finds the separator of a text. ``named`` are the
    headers of domains, cases and clusters that were named, ``asked`` tells that the format was.
    """

    given: Any
    wanted: Callable[[str], bool]
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    asked: bool = False

    @property
    def source(self) -> Source | None:
        """The file, or None."""
        return self.given if isinstance(self.given, Source) else None

    @property
    def where(self) -> str:
        """How errors name it."""
        return self.given.where if isinstance(self.given, Source) else ""

    @property
    def file(self) -> str:
        """The name of the file with its folders; empty where it has none, as standard input."""
        source = self.source
        return source.where if source is not None and (source.path or os.path.splitext(source.where)[1]) else ""

    @property
    def stem(self) -> str:
        """The name of the file without folders and known suffixes: "GPT-4.1" stays whole; empty where there is none."""
        return without_suffixes(os.path.basename(self.file))

    @property
    def directory(self) -> str:
        """The folder in which a file on disk lies, in full; empty where there is none."""
        return os.path.dirname(os.path.abspath(self.source.path)) if self.source and self.source.path else ""

    @property
    def model(self) -> str:
        """The model that the folder of a log is called by, in which "__" stands for "/"; empty where there is none."""
        return os.path.basename(self.directory).replace("__", "/")

    def value_beside(self, name: str) -> Any:
        """Return the JSON value of a file in the same folder; None where there is none that can be read."""
        path = os.path.join(self.directory, name)
        try:
            return json_value(Source(path, path=path)) if self.directory and os.path.isfile(path) else None
        except DataError:
            return None

    @cached_property
    def container(self) -> str:
        """What holds it: "JSON object" (or a mapping), "JSON list" (or a list of Python), "table" or "text"."""
        if self.first_record is not None:
            return "JSON list"
        if self.value is not None:
            return "JSON object" if isinstance(self.value, Mapping) else "JSON list"
        return "table" if self.source is None or len(self.headers) > 1 else "text"

    @cached_property
    def format(self) -> Format | None:
        """How the bytes of a file are written."""
        return None if self.source is None else format_of(self.source)

    @cached_property
    def value(self) -> Any:
        """The value of JSON, or the mapping or list that was given; None for a table. JSON lines are a list."""
        if self.source is not None:
            return json_value(self.source) if self.format is not None and self.format.name == "json" else None
        plain = isinstance(self.given, (Mapping, list, tuple, np.ndarray)) and not isinstance(self.given, Table)
        return self.given if plain else None

    @cached_property
    def records(self) -> Sequence[Mapping[str, Any]]:
        """The records of JSON lines, or of a list of mappings; none for anything else."""
        value = self.value
        if isinstance(value, Mapping) and self.where.casefold().endswith((".jsonl", ".ndjson")):
            return [value]  # of one line
        alike = isinstance(value, (list, tuple)) and all(isinstance(record, Mapping) for record in value)
        return value if alike else ()

    @cached_property
    def first_record(self) -> Mapping[str, Any] | None:
        """The first record of JSON lines, or of a list of mappings; None for anything else."""
        if self.source is not None and self.format is not None and self.format.name == "json":
            first = first_of_lines(self.source)
            if first is not None:
                return first
        return self.records[0] if self.records else None

    @cached_property
    def headers(self) -> tuple[str, ...]:
        """The headers of a table, or the keys of a mapping or of the first record; none for another JSON value."""
        if (first := self.first_record) is not None:
            return tuple(map(str, first))
        if isinstance(self.value, Mapping):
            return tuple(map(str, self.value))
        if self.value is not None:
            return ()
        if isinstance(self.given, Table):
            return tuple(self.given.columns)
        try:
            if self.source is None or self.format is None or self.format.sheet is None:
                frame = data_frame(self.frame, self.where)
                return (
                    () if frame is None else tuple(map(str, (*index_columns(frame), *frame.collect_schema().names())))
                )
            if self.format.headers is not None:
                return self.format.headers(self.source, self.wanted)
            return self.format.sheet(self.source, self.wanted).headers
        except RankscapeError:  # the reader of counts says what is wrong
            return ()

    @cached_property
    def frame(self) -> Any:
        """The data frame that was given, or that a Parquet file holds."""
        return parquet_frame(self.source) if self.source is not None else self.given

    @cached_property
    def sheet(self) -> Sheet:
        """The whole table."""
        if self.records:
            return sheet_of_records(self.records, self.where)
        if isinstance(self.value, Mapping):
            return sheet_of_mapping(self.value, self.where, self.wanted)
        foreign = not any(map(self.wanted, self.headers))  # a table of which only its reader knows the headers
        return whole_sheet(self.given, None, (lambda header: True) if foreign else self.wanted)

    @cached_property
    def first_lines(self) -> tuple[str, ...]:
        """The first lines of a text that are not blank."""
        if self.source is None or (self.format is not None and self.format.sheet is None):
            return ()
        with self.source.lines() as text:
            return tuple(line.strip() for line in islice((line for line in text if line.strip()), FIRST_LINES))

    def error(self, sentence: Text, **fields: Any) -> DataError:
        """Return a DataError about all of it."""
        return DataError(sentence, where=Place(self.where), **fields)


def beside(contents: Sequence[Content], given: Any) -> tuple[Sequence[Content], Content]:
    """Return the contents without the file that is given for another purpose, and may lie in the same folder; and it.

    >>> len(beside([Content({}, str.isalpha)], {"q1": {"d1": 1}})[0])
    1
    """
    is_path = isinstance(given, (str, os.PathLike))
    place = os.path.realpath(given) if is_path else ""
    rest = [content for content in contents if not content.file or os.path.realpath(content.file) != place]
    return rest or contents, Content(source_of(given) if is_path else given, lambda header: True)


def names_of(contents: Sequence[Content]) -> list[str]:
    """Return how entities are called that their files do not name: by the file, or by its folder where files are alike.

    What is no file is P1, P2, …

    >>> names_of([Content({}, str.isalpha), Content({}, str.isalpha)])
    ['P1', 'P2']
    """
    return names_of_files([content.file for content in contents])
