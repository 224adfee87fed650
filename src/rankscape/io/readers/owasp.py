"""Scorecards of the OWASP Benchmark (BenchmarkJava, BenchmarkUtils): categories are domains, each file is one tool.

``Benchmark_v1.2_Scorecard_for_TOOL.csv`` has a test case per row, under the header "# test name, category, CWE, real
vulnerability, identified by tool, pass/fail", to which the versions are appended. The page of the same name has the
table Category, CWE #, TP, FN, TN, FP, Total, TPR, FPR, Score, with a row of totals. Only the name of the file tells
the tool.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...errors import DataError, Place
from ...outcomes import TWO_CLASS
from ...performances import Performances, concat
from ..content import Content, How, Reader, names_of
from ..counting import tally
from ..counts import read_sheet, without_totals
from ..headers import plain, role
from ..sheets import Sheet, quoted

_OF_CASES = ("testname", "category", "realvulnerability", "identifiedbytool")
_HEADER = "test name, category, CWE, real vulnerability, identified by tool, pass/fail"


def recognise(content: Content) -> bool:
    """Tell whether a content is a scorecard, of cases or of categories."""
    counts = {role(header) for header in content.headers} >= {*TWO_CLASS.outcomes}
    return _is_of_cases(content) or (counts and {"category", "cwe"} <= {*map(plain, content.headers)})


def _is_of_cases(content: Content) -> bool:
    return {*_OF_CASES} <= {*map(plain, content.headers)}


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of tools in each category, paired by test where scorecards list the same tests."""
    parts, rows = list[Performances](), list[tuple[str, str, str, bool, bool]]()
    for content, name in zip(contents, names_of(contents), strict=True):
        tool = re.sub(r"^.*Scorecard_for_", "", name)
        if _is_of_cases(content):
            rows += [(tool, *cells) for cells in _cases(content)]
            continue
        sheet = content.sheet  # the table of categories has no column for the tool
        headers = tuple("domain" if plain(header) == "category" else header for header in sheet.headers)
        sheet = Sheet(headers, sheet.rows, sheet.where, sheet.lines, sheet.separator)
        parts.append(without_totals(read_sheet(sheet, replace(how, name=tool)), content.where))
    if rows:
        names = ("entity", "domain", "case", "truth", "prediction")
        columns: Any = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        tests = {tool: {row[1:3] for row in rows if row[0] == tool} for tool in {*columns["entity"]}}
        roles: Any = {name: name for name in names}
        paired = len(tests) > 1 and len({frozenset(of) for of in tests.values()}) == 1
        if not paired:
            del columns["case"], roles["case"]
        P = tally(columns, **roles, pairs="always" if paired else "never").performances
        parts.insert(0, P.noting(columns=dict.fromkeys(columns, ())))  # which are ours, not those of a file
    return parts[0] if len(parts) == 1 else concat(parts)


def _cases(content: Content) -> Iterator[tuple[str, str, bool, bool]]:
    """Yield category, test, truth and answer. The header has more cells than the rows: the versions, too."""
    rows: list[tuple[int | None, Sequence[Any]]] = []
    if content.source is None:
        rows = [(None, content.headers), *((None, row) for row in content.sheet.rows)]
    else:
        with content.source.lines() as text:
            lines = csv.reader(text)
            rows = [(lines.line_num, cells) for cells in lines if any(cell.strip() for cell in cells)]
    places = [list(map(plain, rows[0][1])).index(header) for header in _OF_CASES]
    seen = set()
    for line, cells in rows[1:]:
        where = Place(content.where, line=line)
        if len(cells) <= max(places):
            raise DataError(f"this row has {len(cells)} cells", where=where, expected=_HEADER)
        test, category, *flags = (str(cells[place]).strip() for place in places)
        for header, flag in zip(("real vulnerability", "identified by tool"), flags, strict=True):
            if flag.lower() not in ("true", "false"):
                raise DataError(f"{header} = {quoted(flag)}", where=where, expected="true or false")
        if (category, test) in seen:
            raise DataError(f"the test {quoted(test)} occurs twice", where=where, expected="each test once")
        seen.add((category, test))
        yield category, test, flags[0].lower() == "true", flags[1].lower() == "true"
    if not seen:
        raise content.error("there is no test below the header")


READER = Reader(
    name="owasp", files="scorecards of the OWASP benchmark, one file per tool, named in Scorecard_for_TOOL.csv",
    columns="test name, category, real vulnerability, identified by tool; or Category, CWE #, TP, FN, TN, FP",
    lacks="no Category and CWE #", recognise=recognise, together=read, holds=("table", "text"), named=("entity",),
)  # fmt: skip
