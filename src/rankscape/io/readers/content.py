"""Content: what is given to be read, as a table, a JSON value or lines of text, each made when a reader asks for it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from ...errors import DataError, Place, RankscapeError
from ...results import Table
from ..formats import Format, first_of_lines, format_named, format_of, json_value, parquet_frame
from ..frames import data_frame, index_columns
from ..naming import PACKED_SUFFIXES
from ..sheets import Sheet, sheet_of_mapping, sheet_of_records
from ..sources import Source
from ..tabular import whole_sheet

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
    case: str | None = None
    cluster: str | None = None
    tolerance: float = 0.0
    unanswered: str | None = None
    name: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Content:
    """What was given: a file (a :class:`Source`), a data frame, a mapping or a list.

    ``wanted`` tells whether any reader understands a header, which finds the separator of a text.
    """

    given: Any
    wanted: Callable[[str], bool]
    kind: str = ""

    @property
    def source(self) -> Source | None:
        """The file, or None."""
        return self.given if isinstance(self.given, Source) else None

    @property
    def where(self) -> str:
        """How errors name it."""
        return self.given.where if isinstance(self.given, Source) else ""

    @property
    def stem(self) -> str:
        """The name of the file without folders and suffixes; empty where there is none."""
        name = os.path.basename(self.where) if self.source is not None else ""
        stem, suffix = os.path.splitext(name)
        return os.path.splitext(stem)[0] if suffix.lower() in PACKED_SUFFIXES else stem

    @property
    def folder(self) -> str:
        """The name of the folder in which the file lies; empty where there is none."""
        return os.path.basename(os.path.dirname(os.path.abspath(self.where))) if self.source is not None else ""

    @cached_property
    def format(self) -> Format | None:
        """How the bytes of a file are written."""
        if self.source is None:
            return None
        return format_named(self.kind) if self.kind else format_of(self.source)

    @cached_property
    def value(self) -> Any:
        """The value of JSON, or the mapping or list that was given; None for a table. JSON lines are a list."""
        if self.source is not None:
            return json_value(self.source) if self.format is not None and self.format.name == "json" else None
        return (
            self.given if isinstance(self.given, (Mapping, list, tuple)) and not isinstance(self.given, Table) else None
        )

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
            return self.format.headers(self.source, self.wanted) if self.format.headers else self.sheet.headers
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
        return whole_sheet(self.given, None, self.wanted)

    @cached_property
    def first_lines(self) -> tuple[str, ...]:
        """The first lines of a text that are not blank."""
        if self.source is None or (self.format is not None and self.format.sheet is None):
            return ()
        with self.source.lines() as text:
            return tuple(line.strip() for line in islice((line for line in text if line.strip()), FIRST_LINES))

    def error(self, sentence: str, **fields: Any) -> DataError:
        """Return a DataError about all of it."""
        return DataError(sentence, where=Place(self.where), **fields)


def keys_of(value: Any) -> frozenset[str]:
    """Return the keys of a mapping as headers are compared; none for anything else.

    >>> sorted(keys_of({"True Negatives": 5, "FP": 2}))
    ['fp', 'truenegatives']
    """
    return (
        frozenset(re.sub(r"[\W_]+", "", str(key)).casefold() for key in value)
        if isinstance(value, Mapping)
        else frozenset()
    )
