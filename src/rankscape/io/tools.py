"""Files of other tools: each has a reader in the folder ``readers``; the first that recognizes a content reads it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from ..errors import DataError, Option, UsageError
from ..outcomes import TWO_CLASS
from ..performances import Performances, concat
from ..results import Table
from ..tasks import success
from . import readers
from .content import NAMED, Content, How, Reader, names_of
from .counts import read_counts, without_totals
from .diagnoses import diagnosed
from .frames import data_frame
from .headers import PrintedRatesError, of_task, role
from .sheets import FORMATS

COUNTS = Reader(
    name="counts", files="", lacks="", recognise=lambda content: True, read=read_counts, named=NAMED,
    columns="entity, domain?, tn, fp, fn, tp; correct, total; passed, failed; accuracy, n; or pairs truth→prediction",
)  # fmt: skip
"""The format of rankscape itself, which reads all that nothing else recognizes."""

_MODULES = (import_module(f"{readers.__name__}.{module.name}") for module in iter_modules(readers.__path__))
READERS: tuple[Reader, ...] = tuple(
    sorted(
        (value for module in _MODULES for value in vars(module).values() if isinstance(value, Reader)),
        key=lambda reader: (reader.turn, reader.name),
    )
)
"""The formats of other tools, as they are tried."""

OF_COUNTS = ("cdnet", "statistics of CDnet, one row per method and video", "method, category, video, tn, fp, fn, tp")
"""A format that is a table of counts with headers of its own."""


def formats() -> Table:
    """Return the formats that :func:`rankscape.read` understands.

    Returns
    -------
    Table
        One row per format: ``format``, the name that ``read(source, format=...)`` takes, ``files`` and ``columns``.

    Examples
    --------
    >>> import rankscape as rs
    >>> table = rs.formats()
    >>> list(table.columns)
    ['format', 'files', 'columns']
    >>> "cdnet" in table["format"]
    True
    """
    rows = [*((kind.name, kind.files, COUNTS.columns) for kind in reversed(FORMATS)), OF_COUNTS]
    rows += [(reader.name, reader.files, reader.columns) for reader in READERS]
    return Table(dict(zip(("format", "files", "columns"), zip(*rows, strict=True), strict=True)))


def read_all(contents: Sequence[Content], how: How, name: str | None) -> Performances:
    """Return the performances in one or several contents, each of the format that it has, or of the one named.

    Files that tools write beside what is read are passed over; beside logs of benchmarks, JSON files that are no logs
    are left out, and named.
    """
    names = {os.path.basename(content.where) for content in contents}
    tools = [reader for reader in READERS if names & {*reader.beside}]
    beside = {name for reader in tools for name in reader.beside}
    rest = [content for content in contents if os.path.basename(content.where) not in beside]
    if any(reader.recognise(content) for content in rest for reader in tools):
        contents = rest
    by_content = [(content, reader_of(content, name, how)) for content in contents]
    left_out: dict[str, int] = {}
    if any("metric" in reader.options for _, reader in by_content):
        for pair in [*by_content]:
            content, reader = pair
            is_json = reader is COUNTS and content.source is not None and content.container.startswith("JSON")
            if is_json and content.headers and not _has_counts(content):
                left_out[f"{content.where}, which is no log"] = 1
                by_content.remove(pair)
    used = list(dict.fromkeys(reader for _, reader in by_content))
    _refuse_idle(used, how)
    called = names_of([content for content, _ in by_content])
    parts = list[Performances]()
    for reader in used:
        places = [i for i, (_, other) in enumerate(by_content) if other is reader]
        if reader.together is not None:
            parts.append(reader.together([by_content[i][0] for i in places], how))
        else:
            named = [replace(how, name=called[i]) if len(by_content) > 1 else how for i in places]
            parts += [_read(reader, by_content[i][0], one) for i, one in zip(places, named, strict=True)]
    if {part.space.name for part in parts} == {success.SPACE.name, "grade"}:  # right and wrong are grades, too
        spaces = [success.graded("grade", len(part.space) > len(success.SPACE)) for part in parts]
        parts = [replace(part, space=space).sharing(part.shared) for part, space in zip(parts, spaces, strict=True)]
    try:
        P = parts[0] if len(parts) == 1 else concat(parts)
    except UsageError as error:
        kinds = ", ".join(reader.name for reader in used)
        raise DataError(f"the files do not fit together ({kinds}): {error}") from None
    return P.noting(left_out=left_out)


def reader_of(content: Content, name: str | None, how: How) -> Reader:
    """Return the reader of a content: the one named, or the first that recognizes it; that of counts for all others.

    The name of a kind of file, such as "csv", says nothing about what its table holds.
    """
    by_name = {OF_COUNTS[0]: COUNTS, **{reader.name: reader for reader in READERS}}
    if name in by_name:
        reader = by_name[name]
        if reader.goes_with not in how.more and not reader.recognise(content):
            raise content.error(f"this is not of the format {name}: {reader.lacks}")
        return reader
    kinds = [kind.name for kind in reversed(FORMATS)]
    if name not in (None, *kinds):
        raise UsageError(f"format {name!r} is unknown", expected=f"one of {', '.join((*kinds, *by_name))}")
    kind = None if content.format is None else content.format.name
    if name not in (None, kind):
        what = "this is no file" if kind is None else f"this file is of the kind {kind}"
        leave = ("leave out ", Option("format", python="format", option="from"))
        raise content.error(what, expected=f"one of the kind {name}", way_out=[leave])
    with_it = next((reader for reader in READERS if reader.goes_with in how.more), None)
    return with_it or next((reader for reader in READERS if reader.recognise(content)), COUNTS)


def _has_counts(content: Content) -> bool:
    return any(role(header) in TWO_CLASS.outcomes for header in content.headers)


def _refuse_idle(used: Sequence[Reader], how: How) -> None:
    """Refuse an option that is about none of the formats that are read."""
    formats_ = ", ".join(reader.name for reader in used)
    for name in (name for name in NAMED if getattr(how, name) and not any(name in one.named for one in used)):
        column = Option(name, option=f"{name}-column")
        raise UsageError([column, f" would change nothing: {formats_} has no such column"])
    for idle in (option for option in how.more if not any(option in reader.options for reader in used)):
        of = f"data of the format {', '.join(reader.name for reader in READERS if idle in reader.options)}"
        raise UsageError([Option(idle), " would change nothing"], expected=of, got=formats_)


def _read(reader: Reader, content: Content, how: How) -> Performances:
    """Return the performances in one content; what is no table of counts is asked for what it might be."""
    read: Any = reader.read  # which reads one content, or reads all together
    try:
        return without_totals(read(content, how), content.where)
    except DataError as error:
        is_empty = not content.headers and (content.value is None or len(content.value) == 0)
        right = _has_counts(content) or of_task(content.headers) is not None  # such as correct and total
        if reader is not COUNTS or error.where.row is not None or is_empty or right:
            raise  # the headers are right
        rates, looks = isinstance(error, PrintedRatesError), None
        with suppress(DataError):  # of a table that cannot be read as a whole
            frame = None if content.source is not None or content.value is not None else data_frame(content.given, "")
            if len(content.headers) > 1 and not hasattr(frame, "collect"):  # of a lazy one nothing is computed
                looks = diagnosed(content.sheet, rates)
        if looks is not None:
            raise looks from None
        if rates or error.ways_out:
            raise
        advice: list[Any] = [
            Option("truth", python="count predictions with rs.count", shell="name the columns of predictions with "
                   "--truth and --prediction"),
            Option("format", python="see rs.formats() for files of other tools", shell="see `rankscape formats` for "
                   "files of other tools", option="from"),
        ]  # fmt: skip
        if content.container != "table":
            fits = (reader for reader in READERS if not reader.holds or content.container in reader.holds)
            lacking = ", ".join(f"{reader.name} ({reader.lacks})" for reader in fits)
            advice = [f"no other format in a {content.container} fits: {lacking}"]
        raise DataError(error.what, where=error.where, expected=error.expected, got=error.got, way_out=advice) from None
