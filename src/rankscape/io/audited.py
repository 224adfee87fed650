"""Columns beside the counts: cases without an answer are asked about, and rates that contradict the counts are named.

A table of counts often repeats itself: an accuracy, an F1, the number of cases. What can be recomputed is, to half a
unit of the last decimal that is printed. A number of cases above the sum of the counts means that cases were left
unanswered; they are never dropped without a word.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..checks.numbers import MOST_DECIMALS, Typed, as_typed
from ..errors import ContradictionWarning, DataError, IncompleteDataWarning, Option, Place, UsageError
from ..outcomes import TWO_CLASS, lacks_tn
from ..performances import Performances
from ..tasks.success import SPACE as SUCCESSES
from ..texts import counted, one_line, percent
from ..typing import Integers
from .cells import LARGEST_EXPONENT, missing, number_of_text, whole_of
from .headers import in_percent, matters, rate_of, size_of
from .sheets import Sheet, quoted

MOST_NAMED = 3


def _agreement(tn: Any, fp: Any, fn: Any, tp: Any) -> tuple[Any, Any]:
    return 2 * (tn * tp - fp * fn), (tn + fp) * (fp + tp) + (tn + fn) * (fn + tp)


def _correlation(tn: Any, fp: Any, fn: Any, tp: Any) -> tuple[Any, Any]:
    covariance = tn * tp - fp * fn
    return covariance * abs(covariance), (tn + fp) * (fn + tp) * (tn + fn) * (fp + tp)


FORMULAS: dict[str, Callable[[Any, Any, Any, Any], tuple[Any, Any]]] = {
    "tpr": lambda tn, fp, fn, tp: (tp, fn + tp),
    "fnr": lambda tn, fp, fn, tp: (fn, fn + tp),
    "tnr": lambda tn, fp, fn, tp: (tn, tn + fp),
    "fpr": lambda tn, fp, fn, tp: (fp, tn + fp),
    "ppv": lambda tn, fp, fn, tp: (tp, fp + tp),
    "fdr": lambda tn, fp, fn, tp: (fp, fp + tp),
    "npv": lambda tn, fp, fn, tp: (tn, tn + fn),
    "for": lambda tn, fp, fn, tp: (fn, tn + fn),
    "accuracy": lambda tn, fp, fn, tp: (tn + tp, tn + fp + fn + tp),
    "er": lambda tn, fp, fn, tp: (fp + fn, tn + fp + fn + tp),
    "bennett": lambda tn, fp, fn, tp: (tn + tp - fp - fn, tn + fp + fn + tp),
    "prior": lambda tn, fp, fn, tp: (fn + tp, tn + fp + fn + tp),
    "negativeprior": lambda tn, fp, fn, tp: (tn + fp, tn + fp + fn + tp),
    "predictionrate": lambda tn, fp, fn, tp: (fp + tp, tn + fp + fn + tp),
    "negativerate": lambda tn, fp, fn, tp: (tn + fn, tn + fp + fn + tp),
    "ba": lambda tn, fp, fn, tp: (tn * (fn + tp) + tp * (tn + fp), 2 * (tn + fp) * (fn + tp)),
    "youden": lambda tn, fp, fn, tp: (tn * tp - fp * fn, (tn + fp) * (fn + tp)),
    "gmean": lambda tn, fp, fn, tp: (tn * tp, (tn + fp) * (fn + tp)),
    "jplus": lambda tn, fp, fn, tp: (tp, fp + fn + tp),
    "jminus": lambda tn, fp, fn, tp: (tn, tn + fp + fn),
    "kappa": _agreement,
    "mcc": _correlation,
    "plr": lambda tn, fp, fn, tp: (tp * (tn + fp), fp * (fn + tp)),
    "nlr": lambda tn, fp, fn, tp: (fn * (tn + fp), tn * (fn + tp)),
    "or": lambda tn, fp, fn, tp: (tn * tp, fp * fn),
}
"""Numerator and denominator of the scores that are understood, of :data:`SQUARED` those of the signed squares."""

_RATES = {
    TWO_CLASS.outcomes: (*FORMULAS, "f1"),
    TWO_CLASS.outcomes[1:]: ("tpr", "fnr", "ppv", "f1", "jplus"),
    SUCCESSES.outcomes: ("accuracy", "er"),
}
"""The outcomes beside whose counts columns are looked at, and the rates that are recomputed."""

Sizes = Mapping[str, Sequence[int | None]]
"""For n, n_positive, n_negative and unanswered, as far as there are columns, the numbers of cases of the rows."""


def audited(P: Performances, sheet: Sheet, columns: Mapping[str, int], unanswered: str | None) -> Performances:
    """Return performances after a look at the columns beside the counts.

    ``unanswered`` is "wrong" or "apart", or None to refuse cases without an answer. Raises DataError for those, and
    warns of cells that contradict the counts.
    """
    used = set(columns.values())
    beside = [i for i, header in enumerate(sheet.headers) if i not in used and matters(header)]
    if not beside or P.space.outcomes not in _RATES:
        return P
    sizes = {"n": columns["total"]} if "total" in columns else {}
    again = []
    for i in beside:
        if (key := size_of(sheet.headers[i])) is not None and sizes.setdefault(key, i) != i:
            again.append((sizes[key], i))
    if "total" in columns:  # nothing else says how many cases there are
        sizes = {}
    whole = {key: list(map(_whole, sheet.column(i))) for key, i in sizes.items()}
    answered = P if P.counts is None else _answered(P, sheet, sizes, whole, unanswered)
    _warn(sheet, [*_sizes_off(P, sheet, sizes, whole, again), *_rates_off(answered, P, sheet, beside, whole)])
    return answered


# Cases without an answer


def _answered(
    P: Performances, sheet: Sheet, sizes: Mapping[str, int], whole: Sizes, unanswered: str | None
) -> Performances:
    """Return performances in which cases without an answer are wrong, or apart; refuse them by default."""
    sums = np.asarray(P.counts).sum(axis=1).tolist()
    left = [_left(total, {key: cells[row] for key, cells in whole.items()}) for row, total in enumerate(sums)]
    rows = [row for row, n in enumerate(left) if n]
    if not rows:
        return P
    row = rows[0]
    column = sheet.headers[next(sizes[key] for key in ("unanswered", "n", "n_positive") if key in sizes)]
    more = f", and {counted(len(rows) - 1, 'other row')} too" if rows[1:] else ""
    what = f"{left[row]} of {sums[row] + left[row]} cases have no answer (column {quoted(column)}){more}"
    if unanswered is None:
        raise DataError(
            what, where=sheet.place(row, P.names[row]), expected="an answer to every case, or what to do without",
            way_out=[
                ("count them as wrong with ", Option("unanswered", "wrong")),
                ("rank on the cases that each answered with ", Option("unanswered", "apart")),
                *(["give them in a column tn if they are true negatives"] if lacks_tn(P.space) else []),
                f"leave the column {quoted(column)} out if it is no number of cases",
            ],
        )  # fmt: skip
    if unanswered == "wrong":
        counts = np.array(P.counts)
        for row in rows:
            counts[row] += _errors(P, row, left, whole, sheet)
        return Performances.from_counts(counts, names=P.names, domains=P.domains, space=P.space)
    shares = [f'"{one_line(P.names[r])}" answered {percent(sums[r] / (sums[r] + left[r]))}' for r in rows[:MOST_NAMED]]
    rest = f" and {len(rows) - MOST_NAMED} more rows less than all" if rows[MOST_NAMED:] else ""
    warnings.warn(
        f"{', '.join(shares)}{rest} of the cases: ranks compare the cases that each answered, and those who leave out "
        "hard cases look better than they are",
        IncompleteDataWarning, stacklevel=2,
    )  # fmt: skip
    return P


def _left(total: int, sizes: Mapping[str, int | None]) -> int:
    """Return how many cases of a row have no answer."""
    if sizes.get("unanswered") is not None:
        return max(int(sizes["unanswered"] or 0), 0)
    n = sizes.get("n")
    if n is None and None not in (sizes.get("n_positive"), sizes.get("n_negative")):
        n = int(sizes["n_positive"] or 0) + int(sizes["n_negative"] or 0)
    return 0 if n is None else max(n - total, 0)


def _errors(P: Performances, row: int, left: Sequence[int], whole: Sizes, sheet: Sheet) -> Integers:
    """Return the cases of a row without an answer as errors: false positives and negatives, by their class.

    The classes are as large as the table says, or as those of others that have answered all.
    """
    counts = np.asarray(P.counts)
    if P.space.outcomes == SUCCESSES.outcomes:
        return np.array([left[row], 0])
    if len(P.space) == len(TWO_CLASS):
        total = int(counts[row].sum()) + left[row]
        positive, negative = (cells[row] if (cells := whole.get(key)) else None for key in ("n_positive", "n_negative"))
        positive = total - negative if positive is None and negative is not None else positive
        sizes = {(total - positive, positive)} if positive is not None else {
            (int(counts[i, :2].sum()), int(counts[i, 2:].sum()))
            for i in range(len(P))
            if not left[i] and (P.domains is None or P.domains[i] == P.domains[row])
        }  # fmt: skip
        false = np.array(sizes.pop()) - [counts[row, :2].sum(), counts[row, 2:].sum()] if len(sizes) == 1 else None
        if false is not None and (false >= 0).all() and false.sum() == left[row]:
            return np.array([0, false[0], false[1], 0])
    raise DataError(
        f"{left[row]} cases have no answer, and the table does not say how many of them are positive",
        where=sheet.place(row, P.names[row]), expected="the columns n_positive and n_negative, to count them as wrong",
        way_out=[("rank on the cases that each answered with ", Option("unanswered", "apart"))],
    )  # fmt: skip


# Contradictions


class _Off(NamedTuple):
    row: int
    header: str
    cell: Any
    instead: str


def _warn(sheet: Sheet, off: Sequence[_Off]) -> None:
    """Warn of cells that contradict the counts, row by row."""
    if not off:
        return
    off = sorted(off, key=lambda one: one.row)
    cells = [
        f"{replace(sheet.place(one.row), file='')}: {one.header} = {one.cell}, {one.instead}"
        for one in off[:MOST_NAMED]
    ]
    more = f"; and {counted(len(off) - MOST_NAMED, 'more cell')}" if off[MOST_NAMED:] else ""
    where = f"{Place(sheet.where)}: " if sheet.where else ""
    number = f"{counted(len(off), 'cell')} {'contradicts' if len(off) == 1 else 'contradict'} the counts"
    warnings.warn(f"{where}{number}: {'; '.join(cells)}{more}", ContradictionWarning, stacklevel=2)


def _sizes_off(
    P: Performances, sheet: Sheet, sizes: Mapping[str, int], whole: Sizes, again: Sequence[tuple[int, int]]
) -> list[_Off]:
    """Return the numbers of cases that neither the counts make, nor those left, nor a column that says the same."""
    off, of_class = [], {"n_negative": slice(0, 2), "n_positive": slice(2, 4)}
    for row, counts in enumerate([] if P.counts is None else np.asarray(P.counts)):
        for key, i in sizes.items():
            given = whole[key][row]
            if given is None or key == "unanswered" or (key in of_class and len(P.space) < len(TWO_CLASS)):
                continue
            computed = int(counts[of_class.get(key, slice(None))].sum())
            left = whole["unanswered"][row] if "unanswered" in whole else None
            if not (given >= computed if left is None else given in (computed, computed + left)):
                off.append(_Off(row, sheet.headers[i], sheet.rows[row][i], f"the counts give {computed}"))
    for first, second in again:
        for row, (usual, other) in enumerate(zip(sheet.column(first), sheet.column(second), strict=True)):
            if None not in (_whole(usual), _whole(other)) and _whole(usual) != _whole(other):
                off.append(_Off(row, sheet.headers[second], other, f"{sheet.headers[first]} = {usual}"))
    return off


def _rates_off(P: Performances, answers: Performances, sheet: Sheet, beside: Sequence[int], whole: Sizes) -> list[_Off]:
    """Return the rates that are not those of the counts, nor of all cases where some have no answer.

    A column without percent signs may still be one of percentages: the reading with fewer contradictions holds.
    """
    off = []
    for i in beside:
        key = rate_of(sheet.headers[i])
        if key is None or key not in _RATES[P.space.outcomes]:
            continue
        exact = [_rates_of_row(key, P, answers, row, whole) for row in range(len(sheet.rows))]
        cells = [_printed(cell, sheet.headers[i]) for cell in sheet.column(i)]
        above_one = any(cell is not None and not cell.percent and cell.value > 1 for cell in cells)
        likely, other = (_column_off(sheet, i, cells, exact, scale) for scale in ((100, 1) if above_one else (1, 100)))
        off += other if len(other) < len(likely) else likely
    return off


def _rates_of_row(key: str, P: Performances, answers: Performances, row: int, whole: Sizes) -> list[Fraction]:
    """Return what a rate may be, where it is defined: that of the counts, of the answers, and of all cases."""
    exact = []
    for Q in (P, answers):
        cells = [int(value) for value in Q.integers[row]]
        tn, fp, fn, tp = [0] * (len(TWO_CLASS) - len(cells)) + cells
        top, bottom = (2 * tp, fp + fn + 2 * tp) if key == "f1" else FORMULAS[key](tn, fp, fn, tp)
        exact += [Fraction(top, bottom)] if bottom else []
    total = whole["n"][row] if "n" in whole else None
    if key == "accuracy" and total and answers.counts is not None:
        right = [0, 3] if len(P.space) == len(TWO_CLASS) else [-1]
        exact.append(Fraction(int(answers.counts[row, right].sum()), total))
    return exact


def _column_off(
    sheet: Sheet, i: int, cells: Sequence[Typed | None], exact: Sequence[Sequence[Fraction]], scale: int
) -> list[_Off]:
    """Return the cells of a column that contradict the rates of their rows, where those without % are of a scale."""
    off = []
    for row, (printed, rates) in enumerate(zip(cells, exact, strict=True)):
        of_cell = 1 if printed is None or printed.percent else scale
        if printed and rates and all(abs(printed.value / of_cell - x) > printed.unit / of_cell / 2 for x in rates):
            of_column, cell = 100 if printed.percent else scale, sheet.rows[row][i]
            sign = " %" if str(cell).rstrip().endswith("%") else ""
            off.append(_Off(row, sheet.headers[i], cell, f"the counts give {float(rates[0] * of_column):.6g}{sign}"))
    return off


def _printed(cell: Any, header: str) -> Typed | None:
    """Return the number in a cell, and the unit of its last decimal; None where it holds none.

    >>> _printed("91,5 %", "accuracy").value, _printed("n/a", "F1")
    (Fraction(183, 200), None)
    """
    try:
        typed = None if missing(cell) else as_typed(header, cell, percent=in_percent(header))
    except UsageError:
        return None
    if typed is None or isinstance(cell, str):
        return typed
    smallest = Fraction(1, 10**MOST_DECIMALS * (100 if typed.percent else 1))
    return typed._replace(unit=2 * smallest) if typed.unit == smallest else typed  # it was computed, and shortened


def _whole(cell: Any) -> int | None:
    """Return a number of cases, None where a cell holds none, or one that writing out would take forever."""
    number = None if missing(cell) or isinstance(cell, bool) else number_of_text(whole_of(str(cell)), commas=False)
    if number is None or (isinstance(number, Decimal) and abs(number.adjusted()) > LARGEST_EXPONENT):
        return None
    return int(number) if number == int(number) and number >= 0 else None
