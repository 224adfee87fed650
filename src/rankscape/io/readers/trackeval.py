"""Results of TrackEval: sequences are domains, each tracker has a folder of its own.

TrackEval writes TRACKER/CLASS_detailed.csv, with a row per sequence (seq) and the row COMBINED at the end, and
TRACKER/CLASS_summary.txt, one row for all sequences, separated by spaces. The counts of detections are CLR_TP, CLR_FN
and CLR_FP of the CLEAR metrics; where these were not computed, IDTP, IDFN and IDFP of the identity metrics are taken.
There are no true negatives.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...errors import DataError
from ...performances import Performances
from ...tasks.retrieval import SPACE
from ...texts import some
from ..cells import numbers
from ..content import Content, How, Reader, names_of
from ..counts import without_totals
from ..sheets import Sheet, quoted

_METRICS = (("CLR_FP", "CLR_FN", "CLR_TP"), ("IDFP", "IDFN", "IDTP"))
_KIND = re.compile(r"_(detailed|summary)$")
_CLASSES = ("pedestrian", "person", "car", "cyclist", "rider", "bus", "truck", "train", "motorcycle", "bicycle", "van")
"""Classes of the usual benchmarks: a file called by one of them lies in the folder of its tracker."""


class _File(NamedTuple):
    content: Content
    tracker: str
    of_class: str
    detailed: bool


def recognise(content: Content) -> bool:
    """Tell whether a content has the counts of a metric."""
    return any({*columns} <= {*_headers(content)} for columns in _METRICS)


def _headers(content: Content) -> Sequence[str]:
    """Return the headers of a table, or those of a summary, which spaces separate."""
    is_summary = content.container == "text" and content.first_lines
    return content.first_lines[0].split() if is_summary else content.headers


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of trackers on every sequence; a summary is left out where the sequences are there."""
    names = names_of(contents)
    files = [_file(content, name) for content, name in zip(contents, names, strict=True)]
    detailed = {file[1:3] for file in files if file.detailed}
    summaries = [file.content for file in files if detailed and not file.detailed]
    for file in files:
        if detailed and file[1:3] not in detailed:
            raise file.content.error(
                "this sums up all sequences, but other files have a row per sequence", expected="the same kind of all",
                way_out="name the detailed file in its place",
            )  # fmt: skip
    files = [file for file in files if file.detailed or not detailed]
    several = len({file.of_class for file in files}) > 1
    rows = [
        (file.tracker, (*([file.of_class] if several else []), *([sequence] if sequence else [])), counts)
        for file in files
        for sequence, counts in _counts(file)
    ]
    trackers, domains, counts = zip(*rows, strict=True)
    P = Performances.from_counts(counts, names=trackers, domains=domains if any(domains) else None, space=SPACE)
    P = without_totals(P, contents[0].where if len(contents) == 1 else "")
    if not summaries:
        return P
    left = some([content.where for content in summaries])
    return P.noting(f"{left} left out, because the sequences are read one by one")


def _file(content: Content, name: str) -> _File:
    """Return a file with its tracker and its class: TRACKER/CLASS_detailed.csv, or TRACKER_detailed.csv."""
    prefix = _KIND.sub("", content.stem)
    if prefix.startswith("cls_comb"):
        raise content.error(
            f"{quoted(content.stem)} averages over classes that have files of their own",
            way_out="leave it out, or read it alone under another name",
        )
    is_class = prefix.lower() in _CLASSES and content.directory != ""
    tracker = os.path.basename(content.directory) if is_class else _KIND.sub("", name)
    return _File(content, tracker, prefix if is_class else "", "seq" in _headers(content))


def _counts(file: _File) -> Iterator[tuple[str, list[int]]]:
    """Yield the sequence, "" in a summary, and fp, fn, tp of each row in which there is something."""
    sheet = _sheet(file.content)
    columns = next(columns for columns in _METRICS if {*columns} <= {*sheet.headers})
    if not sheet.rows:
        raise sheet.error("there is no row", expected="one per sequence below the header")
    at = sheet.headers.index("seq") if "seq" in sheet.headers else None
    sequences = ["" if at is None else str(row[at]).strip() for row in sheet.rows]
    called = [sequence or file.tracker for sequence in sequences]
    values = numbers(sheet, [sheet.headers.index(column) for column in columns], called)
    if not any(any(row) for row in values):
        raise sheet.error(f"{', '.join(columns)} are 0 everywhere", expected="detections, or objects, in a sequence")
    for i, row in enumerate(values):
        for column, value in zip(columns, row, strict=True):
            if value < 0 or value != int(value):
                where = sheet.place(i, called[i])
                raise DataError(f"{column} = {value}", where=where, expected="a count (a whole number ≥ 0)")
        if any(row):  # from an empty sequence nothing can be drawn
            yield sequences[i], [int(value) for value in row]


def _sheet(content: Content) -> Sheet:
    """Return the table, be it separated by commas or by spaces."""
    if content.container != "text" or content.source is None:
        return content.sheet
    with content.source.lines() as text:
        header, *rows = [line.split() for line in text if line.strip()]
    for row in rows:
        if len(row) != len(header):
            raise content.error(f"a row has {len(row)} numbers", expected=f"{len(header)}, as in the header")
    return Sheet(tuple(header), rows, content.where)


READER = Reader(
    name="trackeval", files="TrackEval: CLASS_detailed.csv and CLASS_summary.txt; the folder names the tracker",
    columns="seq, CLR_TP, CLR_FN, CLR_FP (or IDTP, IDFN, IDFP)", lacks="no CLR_TP, CLR_FN, CLR_FP",
    recognise=recognise, together=read, holds=("table", "text"),
)  # fmt: skip
