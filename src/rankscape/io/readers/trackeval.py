"""Results of TrackEval: sequences are domains, each tracker has a folder of its own.

TrackEval writes TRACKER/CLASS_detailed.csv, with a row per sequence (seq) and the row COMBINED at the end, and
TRACKER/CLASS_summary.txt, one row for all sequences, separated by spaces. The counts of detections are CLR_TP, CLR_FN
and CLR_FP of the CLEAR metrics; where these were not computed, IDTP, IDFN and IDFP of the identity metrics are taken.
There are no true negatives.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import replace

from ...checks.names import domain_text
from ...performances import Performances, concat
from ...tasks.retrieval import SPACE
from ...texts import some
from ..content import Content, How, Reader, names_of
from ..counts import read_sheet, without_totals
from ..sheets import Sheet, Source, quoted

_METRICS = (("CLR_FP", "CLR_FN", "CLR_TP"), ("IDFP", "IDFN", "IDTP"))
_KIND = re.compile(r"_(detailed|summary)$")
_CLASSES = ("pedestrian", "person", "car", "cyclist", "rider", "bus", "truck", "train", "motorcycle", "bicycle", "van")
"""Classes of the usual benchmarks: a file called by one of them lies in the folder of its tracker."""


def recognise(content: Content) -> bool:
    """Tell whether a content has the counts of a metric."""
    return any({*columns} <= {*_headers(content)} for columns in _METRICS)


def _headers(content: Content) -> Sequence[str]:
    """Return the headers of a table, or those of a summary, which spaces separate."""
    is_summary = content.container == "text" and content.first_lines
    return content.first_lines[0].split() if is_summary else content.headers


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of trackers on every sequence; a summary is left out where the sequences are there."""
    files = [(*_tracker(content, name), content) for content, name in zip(contents, names_of(contents), strict=True)]
    detailed = {file[:2] for file in files if "seq" in _headers(file[2])}
    summaries = [file for file in files if detailed and "seq" not in _headers(file[2])]
    for file in (file for file in files if detailed and file[:2] not in detailed):
        raise file[2].error(
            "this sums up all sequences, but other files have a row per sequence", expected="the same kind of all",
            way_out="name the detailed file in its place",
        )  # fmt: skip
    files = [file for file in files if file not in summaries]
    several = len({of_class for _, of_class, _ in files}) > 1
    parts = [_of_file(content, tracker, of_class if several else "", how) for tracker, of_class, content in files]
    P = without_totals(replace(concat(parts), space=SPACE), contents[0].where if len(contents) == 1 else "")
    left = some([content.where for _, _, content in summaries])
    return P.noting(*([f"{left} left out, because the sequences are read one by one"] if summaries else []))


def _tracker(content: Content, name: str) -> tuple[str, str]:
    """Return the tracker of a file and its class: TRACKER/CLASS_detailed.csv, or TRACKER_detailed.csv."""
    prefix = _KIND.sub("", content.stem)
    if prefix.startswith("cls_comb"):
        raise content.error(
            f"{quoted(content.stem)} averages over classes that have files of their own",
            way_out="leave it out, or read it alone under another name",
        )
    if prefix.lower() in _CLASSES and content.directory:
        return os.path.basename(content.directory), prefix
    return _KIND.sub("", name), ""


def _of_file(content: Content, tracker: str, of_class: str, how: How) -> Performances:
    """Return the performances in the rows of a file in which there is something, as a table of counts."""
    sheet = (
        content.sheet if content.container != "text" or content.source is None else _summary(content, content.source)
    )
    counts = next(columns for columns in _METRICS if {*columns} <= {*sheet.headers})
    at = [sheet.headers.index(column) for column in counts]
    kept = [i for i, row in enumerate(sheet.rows) if {str(row[j]).strip() for j in at} - {"0", "0.0"}]
    if sheet.rows and not kept:
        raise sheet.error(f"{', '.join(counts)} are 0 everywhere", expected="detections, or objects, in a sequence")
    rows = [[sheet.rows[i][j] for j in at] for i in kept]
    of_sequences = "seq" in sheet.headers
    if of_class or of_sequences:
        seq = sheet.column(sheet.headers.index("seq")) if of_sequences else [""] * len(sheet.rows)
        levels = [list(filter(None, (of_class, str(seq[i]).strip()))) for i in kept]
        rows = [[domain_text(of), *row] for of, row in zip(levels, rows, strict=True)]
    headers = (*(["seq"] if of_class or of_sequences else []), "fp", "fn", "tp")
    lines = [sheet.lines[i] for i in kept] if sheet.lines else ()
    how = replace(how, name=tracker, domain=headers[:-3])
    return read_sheet(Sheet(headers, rows, sheet.where, lines, sheet.separator), how)


def _summary(content: Content, source: Source) -> Sheet:
    """Return the table in a text whose cells spaces separate."""
    with source.lines() as text:
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
