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

import numpy as np

from ...errors import DataError, Place
from ...outcomes import TWO_CLASS
from ...performances import Performances, concat
from ..content import Content, How, Reader, names_of
from ..counting import positive_of
from ..counts import read_sheet, without_totals
from ..headers import plain, role
from ..pairing import Rows, performances_of
from ..sheets import Sheet, quoted

_OF_FLAGS = ("real vulnerability", "identified by tool")
_OF_CASES = ("testname", "category", "realvulnerability", "identifiedbytool")
_FLAGS = {"false": 0, "true": 1}
_HEADER = "test name, category, CWE, real vulnerability, identified by tool, pass/fail"


def recognise(content: Content) -> bool:
    """Tell whether a content is a scorecard, of cases or of categories."""
    counts = {role(header) for header in content.headers} >= {*TWO_CLASS.outcomes}
    return _is_of_cases(content) or (counts and {"category", "cwe"} <= {*map(plain, content.headers)})


def _is_of_cases(content: Content) -> bool:
    return {*_OF_CASES} <= {*map(plain, content.headers)}


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of tools in each category, paired by test where scorecards list the same tests."""
    parts, rows = list[Performances](), list[tuple[str, str, str, int]]()
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
        tools, categories, tests, outcomes = zip(*rows, strict=True)
        cases = [(test, outcome // 2) for test, outcome in zip(tests, outcomes, strict=True)]  # with the same truth
        known = [tuple(dict.fromkeys(cells)) for cells in (tools, categories, cases)]
        entity, domain, case = (
            np.array([*map({cell: i for i, cell in enumerate(of)}.get, cells)])
            for of, cells in zip(known, (tools, categories, cases), strict=True)
        )
        paired = len(known[0]) > 1
        names: Any = known[:2]
        table = Rows(entity, domain, case if paired else None, None, None, np.array(outcomes), *names)
        P = performances_of(table, np.identity(4, dtype=object), TWO_CLASS, None)
        n = len({*zip(categories, tests, strict=True)}) if P.pairing is not None else None
        parts.insert(0, P.noting(records=len(rows), cases=n, positive=positive_of(P, "true")))
    return parts[0] if len(parts) == 1 else concat(parts)


def _cases(content: Content) -> Iterator[tuple[str, str, int]]:
    """Yield category, test and outcome. The header has more cells than the rows: the versions, too."""
    rows: list[tuple[int | None, Sequence[Any]]] = []
    if content.source is None:
        rows = [(None, content.headers), *((None, row) for row in content.sheet.rows)]
    else:
        with content.source.lines() as text:
            lines = csv.reader(text)
            rows = [(lines.line_num, cells) for cells in lines if "".join(cells).strip()]
    places = [list(map(plain, rows[0][1])).index(header) for header in _OF_CASES]
    seen, where = set[tuple[str, str]](), content.where
    for line, cells in rows[1:]:
        if len(cells) <= max(places):
            raise DataError(f"this row has {len(cells)} cells", where=Place(where, line=line), expected=_HEADER)
        test, category, *flags = [str(cells[place]).strip() for place in places]
        for header, flag in zip(_OF_FLAGS, flags, strict=True):
            if flag.lower() not in _FLAGS:
                raise DataError(f"{header} = {quoted(flag)}", where=Place(where, line=line), expected="true or false")
        if (category, test) in seen:
            what = f"the test {quoted(test)} occurs twice"
            raise DataError(what, where=Place(where, line=line), expected="each test once")
        seen.add((category, test))
        yield category, test, 2 * _FLAGS[flags[0].lower()] + _FLAGS[flags[1].lower()]
    if not seen:
        raise content.error("there is no test below the header")


READER = Reader(
    name="owasp", files="scorecards of the OWASP benchmark, one file per tool, named in Scorecard_for_TOOL.csv",
    columns="test name, category, real vulnerability, identified by tool; or Category, CWE #, TP, FN, TN, FP",
    lacks="no Category and CWE #", recognise=recognise, together=read, holds=("table", "text"), named=("entity",),
)  # fmt: skip
