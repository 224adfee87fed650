"""Results of TrackEval: sequences are domains, each tracker has a folder of its own.

TrackEval writes TRACKER/CLASS_detailed.csv, with a row per sequence (seq) and the row COMBINED at the end, and
TRACKER/CLASS_summary.txt, one row for all sequences, separated by spaces. The counts of detections are CLR_TP, CLR_FN
and CLR_FP of the CLEAR metrics; where these were not computed, IDTP, IDFN and IDFP of the identity metrics are taken.
There are no true negatives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import DataError
from ...performances import Performances
from ...tasks.retrieval import SPACE
from ..cells import numbers
from ..sheets import Sheet, quoted
from .content import Content, How, names_of
from .totals import without_totals

_METRICS = (("CLR_FP", "CLR_FN", "CLR_TP"), ("IDFP", "IDFN", "IDTP"))
_CLASSES = ("pedestrian", "person", "car", "cyclist", "rider", "bus", "truck", "train", "motorcycle", "bicycle", "van")
"""Classes of the usual benchmarks: a file called by one of them lies in the folder of its tracker."""


def lacks(content: Content) -> str:
    """Return what a content lacks to be of this format."""
    return "" if any({*columns} <= {*_headers(content)} for columns in _METRICS) else "no CLR_TP, CLR_FN, CLR_FP"


def read_trackers(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of trackers on every sequence."""
    names, classes = _names(contents, how)
    entities: list[str] = []
    domains: list[str | tuple[str, ...]] = []
    counts: list[list[int]] = []
    for content, name, of_class in zip(contents, names, classes, strict=True):
        sheet = _sheet(content)
        columns = next(columns for columns in _METRICS if {*columns} <= {*sheet.headers})
        if "seq" in sheet.headers:
            sheet = without_totals(sheet, sheet.headers.index("seq"), lambda text: text == "COMBINED")
        if not sheet.rows:
            raise sheet.error("there is no row", expected="one per sequence below the header")
        sequences = _sequences(sheet)
        values = numbers(sheet, [sheet.headers.index(column) for column in columns], [one or name for one in sequences])
        for i, row in enumerate(values):
            if any(value < 0 or value != int(value) for value in row):
                bad = next(j for j, value in enumerate(row) if value < 0 or value != int(value))
                raise DataError(
                    f"{columns[bad]} = {row[bad]}", where=sheet.place(i, sequences[i] or name),
                    expected="a count (a whole number ≥ 0)",
                )  # fmt: skip
        if not any(any(row) for row in values):
            raise sheet.error(
                f"{', '.join(columns)} are 0 everywhere", expected="detections, or objects, in a sequence"
            )
        counted = [i for i, row in enumerate(values) if any(row)]  # an empty sequence has nothing to draw from
        counts += [[int(value) for value in values[i]] for i in counted]
        entities += [name] * len(counted)
        several = len({*classes}) > 1
        domains += [(of_class, sequences[i]) if several else sequences[i] for i in counted]
    named = domains if all(map(bool, domains)) and ("seq" in _headers(contents[0]) or len({*classes}) > 1) else None
    return Performances.from_counts(counts, names=entities, domains=named, space=SPACE)


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
