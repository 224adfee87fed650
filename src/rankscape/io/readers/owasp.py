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
from ..headers import plain, role
from ..sheets import Sheet, quoted
from .content import Content, How, names_of
from .counts import read_sheet
from .totals import without_totals

_OF_CASES = ("testname", "category", "realvulnerability", "identifiedbytool")
_TRUTHS = {"true": True, "false": False}

Outcomes = dict[str, dict[str, int]]
"""The outcome of each test, by category."""


def lacks(content: Content) -> str:
    """Return what a content lacks to be of this format."""
    headers = {plain(header) for header in content.headers}
    if headers >= {*_OF_CASES}:
        return ""
    counts = {role(header) for header in content.headers} >= {*TWO_CLASS.outcomes}
    return "" if counts and {"category", "cwe"} <= headers else "no Category and CWE #"


def read_scorecards(contents: Sequence[Content], how: How) -> Performances:
    """Return the performances of tools in each category, paired by test where scorecards list the same tests."""
    names = [_tool(name) for name in ([how.name] if how.name else names_of(contents))]
    cases: dict[str, Outcomes] = {}
    parts = []
    for content, name in zip(contents, names, strict=True):
        if {*_OF_CASES} <= {plain(header) for header in content.headers}:
            cases[name] = _outcomes(content)
        else:
            parts.append(_of_categories(content, replace(how, name=name)))
    if not parts:
        return _of_cases(cases)
    return concat([*([_of_cases(cases)] if cases else []), *parts])


def _tool(name: str) -> str:
    """Return the name of a tool from that of its file.

    >>> _tool("Benchmark_v1.2_Scorecard_for_FindBugs_v3.0.1"), _tool("zap")
    ('FindBugs_v3.0.1', 'zap')
    """
    return re.sub(r"^.*Scorecard_for_", "", name)


def _of_categories(content: Content, how: How) -> Performances:
    """Return the performances in the table of categories, which has no column for the tool."""
    sheet = content.sheet
    place = next(i for i, header in enumerate(sheet.headers) if plain(header) == "category")
    headers = tuple("domain" if i == place else header for i, header in enumerate(sheet.headers))
    sheet = replace(sheet, headers=headers)
    tools = [i for i, header in enumerate(headers) if role(header) == "entity" or header == how.entity]
    if not tools:
        sheet = Sheet(
            ("entity", *headers), [[how.name, *row] for row in sheet.rows], sheet.where, sheet.lines, sheet.separator
        )
    return without_totals(read_sheet(sheet, how), content.where)


# One test per row


def _outcomes(content: Content) -> Outcomes:
    """Return the outcome of every test of a tool."""
    out: Outcomes = {}
    places: list[int] = []
    for line, cells in _rows(content):
        if not places:
            places = [list(map(plain, cells)).index(header) for header in _OF_CASES]
            continue
        where = Place(content.where, line=line)
        if len(cells) <= max(places):
            raise DataError(
                f"this row has {len(cells)} cells", where=where,
                expected="test name, category, CWE, real vulnerability, identified by tool, pass/fail",
            )  # fmt: skip
        test, category, *flags = (str(cells[place]).strip() for place in places)
        for header, flag in zip(_OF_CASES[2:], flags, strict=True):
            if flag.lower() not in _TRUTHS:
                what = "real vulnerability" if header == _OF_CASES[2] else "identified by tool"
                raise DataError(f"{what} = {quoted(flag)}", where=where, expected="true or false")
        is_real, is_found = (_TRUTHS[flag.lower()] for flag in flags)
        if test in out.setdefault(category, {}):
            raise DataError(f"the test {quoted(test)} occurs twice", where=where, expected="each test once")
        out[category][test] = 2 * is_real + is_found
    if not out:
        raise content.error("there is no test below the header")
    return out


def _rows(content: Content) -> list[tuple[int | None, Sequence[Any]]]:
    """Return the header and the rows; in files the header has more cells than they, for it tells the versions, too."""
    if content.source is None:
        return [(None, content.headers), *((None, row) for row in content.sheet.rows)]
    with content.source.lines() as text:
        reader = csv.reader(text)
        return [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]


def _of_cases(tools: dict[str, Outcomes]) -> Performances:
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
    units = []
    for category in categories:
        codes = np.array(
            [[o[category][test] for o in tools.values()] for test in sorted(next(iter(tools.values()))[category])]
        )
        kinds, size = np.unique(codes, axis=0, return_counts=True)
        units.append(Units(kinds, size))
    return P.with_pairing(Joint(P, tuple(units), clustered=False))
