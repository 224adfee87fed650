"""Results of TrackEval: sequences are domains, each tracker has a folder of its own.

TrackEval writes TRACKER/CLASS_detailed.csv, with a row per sequence (seq) and the row COMBINED at the end, and
TRACKER/CLASS_summary.txt, one row for all sequences, separated by spaces. The counts of detections are CLR_TP, CLR_FN
and CLR_FP of the CLEAR metrics; where these were not computed, IDTP, IDFN and IDFP of the identity metrics are taken.
There are no true negatives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...errors import DataError
from ...performances import Performances
from ...tasks.retrieval import SPACE
from ...texts import some
from ..cells import numbers
from ..sheets import Sheet, quoted
from .content import Content, How, names_of, noted
from .totals import without_totals

_METRICS = (("CLR_FP", "CLR_FN", "CLR_TP"), ("IDFP", "IDFN", "IDTP"))
_CLASSES = ("pedestrian", "person", "car", "cyclist", "rider", "bus", "truck", "train", "motorcycle", "bicycle", "van")
"""Classes of the usual benchmarks: a file called by one of them lies in the folder of its tracker."""


def lacks(content: Content) -> str:
    """Return what a content lacks to be of this format."""
    return "" if any({*columns} <= {*_headers(content)} for columns in _METRICS) else "no CLR_TP, CLR_FN, CLR_FP"


def read_trackers(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of trackers on every sequence."""
    files, notes = _without_summaries(list(zip(contents, *_names(contents, how), strict=True)))
    several = len({of_class for *_, of_class in files}) > 1
    entities: list[str] = []
    domains: list[tuple[str, ...]] = []
    counts: list[list[int]] = []
    for content, name, of_class in files:
        for sequence, row in _counts(content, name):
            entities.append(name)
            domains.append((*([of_class] if several else []), *([sequence] if sequence else [])))
            counts.append(row)
    named = domains if any(domains) else None
    P = Performances.from_counts(counts, names=entities, domains=named, space=SPACE)
    return noted(without_totals(P, contents[0].where if len(contents) == 1 else ""), notes, {})


def _without_summaries(files: list[tuple[Content, str, str]]) -> tuple[list[tuple[Content, str, str]], list[str]]:
    """Return files without the summaries of those that have a row per sequence, and say so; refuse other summaries."""
    detailed = {tuple(key) for content, *key in files if "seq" in _headers(content)}
    summaries = [content for content, *key in files if "seq" not in _headers(content)]
    alone = [content for content, *key in files if content in summaries and tuple(key) not in detailed]
    if detailed and alone:
        raise alone[0].error(
            "this sums up all sequences, but other files have a row per sequence", expected="the same kind of all",
            way_out="name the detailed file in its place",
        )  # fmt: skip
    if detailed and summaries:
        note = f"{some([content.where for content in summaries])} left out, because the sequences are read one by one"
        return [file for file in files if file[0] not in summaries], [note]
    return files, []


def _counts(content: Content, name: str) -> Iterator[tuple[str, list[int]]]:
    """Yield the sequence, "" in a summary, and fp, fn, tp of each row in which there is something."""
    sheet = _sheet(content)
    columns = next(columns for columns in _METRICS if {*columns} <= {*sheet.headers})
    if not sheet.rows:
        raise sheet.error("there is no row", expected="one per sequence below the header")
    sequences = _sequences(sheet)
    called = [sequence or name for sequence in sequences]
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


def _headers(content: Content) -> Sequence[str]:
    """Return the headers of a table, or those of a summary, which spaces separate."""
    if content.container == "text" and content.first_lines:
        return content.first_lines[0].split()
    return content.headers


def _sheet(content: Content) -> Sheet:
    """Return the table, be it separated by commas or by spaces."""
    if content.container != "text":
        return content.sheet
    header, *rows = (line.split() for line in content.first_lines)
    for row in rows:
        if len(row) != len(header):
            raise content.error(f"a row has {len(row)} numbers", expected=f"{len(header)}, as in the header")
    return Sheet(tuple(header), rows, content.where)


def _sequences(sheet: Sheet) -> list[str]:
    """Return the names of the sequences; of a summary there are none."""
    if "seq" not in sheet.headers:
        return [""] * len(sheet.rows)
    return [str(row[sheet.headers.index("seq")]).strip() for row in sheet.rows]


def _names(contents: Sequence[Content], how: How) -> tuple[list[str], list[str]]:
    """Return the trackers and the classes of files: TRACKER/CLASS_detailed.csv, or TRACKER_detailed.csv."""
    names, classes = [how.name] if how.name else names_of(contents), []
    for i, content in enumerate(contents):
        prefix = re.sub(r"_(detailed|summary)$", "", content.stem)
        if prefix.startswith("cls_comb"):
            raise content.error(
                f"{quoted(content.stem)} averages over classes that have files of their own",
                way_out="leave it out, or read it alone under another name",
            )
        is_class = prefix.lower() in _CLASSES and content.folder != ""
        classes.append(prefix if is_class else "")
        if content.stem:
            names[i] = content.folder if is_class else re.sub(r"_(detailed|summary)$", "", names[i])
    return names, classes
