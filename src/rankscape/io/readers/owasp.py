"""Scorecards of the OWASP Benchmark (BenchmarkJava, BenchmarkUtils): categories are domains, each file is one tool.

``Benchmark_v1.2_Scorecard_for_TOOL.csv`` has a test case per row, under the header "# test name, category, CWE, real
vulnerability, identified by tool, pass/fail", to which the versions are appended. The page of the same name has the
table Category, CWE #, TP, FN, TN, FP, Total, TPR, FPR, Score, with a row of totals. Only the name of the file tells
the tool.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import DataError, Place
from ...outcomes import TWO_CLASS
from ...performances import Joint, Performances, Units, concat
from ..content import Content, How, Reader, names_of
from ..counts import read_sheet, without_totals
from ..headers import plain, role
from ..sheets import Sheet, quoted

_OF_CASES = ("testname", "category", "realvulnerability", "identifiedbytool")

_Outcomes = dict[str, dict[str, int]]
"""The outcome of each test, by category."""


def recognise(content: Content) -> bool:
    """Tell whether a content is a scorecard, of cases or of categories."""
    headers = {plain(header) for header in content.headers}
    counts = {role(header) for header in content.headers} >= {*TWO_CLASS.outcomes}
    return _is_of_cases(content) or (counts and {"category", "cwe"} <= headers)


def _is_of_cases(content: Content) -> bool:
    return {plain(header) for header in content.headers} >= {*_OF_CASES}


def read(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of tools in each category, paired by test where scorecards list the same tests."""
    tools = [re.sub(r"^.*Scorecard_for_", "", name) for name in names_of(contents)]
    cases = {tool: _outcomes(content) for content, tool in zip(contents, tools, strict=True) if _is_of_cases(content)}
    parts = [_of_cases(cases)] if cases else []
    for content, tool in zip(contents, tools, strict=True):
        if _is_of_cases(content):
            continue
        sheet = content.sheet  # the table of categories has no column for the tool
        headers = tuple("domain" if plain(header) == "category" else header for header in sheet.headers)
        rows = sheet.rows
        if not any(role(header) == "entity" or header == how.entity for header in headers):
            headers, rows = ("entity", *headers), [[tool, *row] for row in rows]
        sheet = Sheet(headers, rows, sheet.where, sheet.lines, sheet.separator)
        parts.append(without_totals(read_sheet(sheet, replace(how, name=tool)), content.where))
    return parts[0] if len(parts) == 1 else concat(parts)


def _outcomes(content: Content) -> _Outcomes:
    """Return the outcome of every test of a tool. The header has more cells than the rows: the versions, too."""
    rows: list[tuple[int | None, Sequence[Any]]] = []
    if content.source is None:
        rows = [(None, content.headers), *((None, row) for row in content.sheet.rows)]
    else:
        with content.source.lines() as text:
            lines = csv.reader(text)
            rows = [(lines.line_num, cells) for cells in lines if any(cell.strip() for cell in cells)]
    places = [list(map(plain, rows[0][1])).index(header) for header in _OF_CASES]
    out: _Outcomes = {}
    for line, cells in rows[1:]:
        where = Place(content.where, line=line)
        if len(cells) <= max(places):
            raise DataError(
                f"this row has {len(cells)} cells", where=where,
                expected="test name, category, CWE, real vulnerability, identified by tool, pass/fail",
            )  # fmt: skip
        test, category, *flags = (str(cells[place]).strip() for place in places)
        for header, flag in zip(("real vulnerability", "identified by tool"), flags, strict=True):
            if flag.lower() not in ("true", "false"):
                raise DataError(f"{header} = {quoted(flag)}", where=where, expected="true or false")
        is_real, is_reported = (flag.lower() == "true" for flag in flags)
        if test in out.setdefault(category, {}):
            raise DataError(f"the test {quoted(test)} occurs twice", where=where, expected="each test once")
        out[category][test] = 2 * is_real + is_reported
    if not out:
        raise content.error("there is no test below the header")
    return out


def _of_cases(tools: dict[str, _Outcomes]) -> Performances:
    """Return the counts of tools in each category, with the tests that they share where these are the same."""
    categories = list(dict.fromkeys(category for outcomes in tools.values() for category in outcomes))
    rows = [(category, tool) for category in categories for tool in tools if category in tools[tool]]
    counts = [np.bincount([*tools[tool][category].values()], minlength=4) for category, tool in rows]
    P = Performances.from_counts(
        np.array(counts), names=[tool for _, tool in rows], domains=[category for category, _ in rows]
    )
    same = all(len({frozenset(o.get(category, ())) for o in tools.values()}) == 1 for category in categories)
    if not same or len(tools) < 2:
        return P
    first = next(iter(tools.values()))
    codes = [np.array([[o[at][test] for o in tools.values()] for test in sorted(first[at])]) for at in categories]
    units = tuple(Units(*np.unique(one, axis=0, return_counts=True)) for one in codes)
    return P.with_pairing(Joint(P, units, clustered=False))


READER = Reader(
    name="owasp", files="scorecards of the OWASP benchmark, one file per tool, named in Scorecard_for_TOOL.csv",
    columns="test name, category, real vulnerability, identified by tool; or Category, CWE #, TP, FN, TN, FP",
    lacks="no Category and CWE #", recognise=recognise, together=read, holds=("table", "text"), named=("entity",),
)  # fmt: skip
