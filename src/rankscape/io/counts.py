"""Tables of counts or probabilities, one row per entity: the format of rankscape itself, and what stands beside them.

Columns beside the counts are looked at: cases without an answer are asked about, and rates that contradict the counts,
by more than half a unit of the last decimal, are named. Rows that sum up others are never ranked.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from itertools import chain
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import SUM_TOLERANCE
from ..checks.names import domain_parts
from ..checks.numbers import MOST_DECIMALS, Typed, as_typed, in_percent
from ..errors import ContradictionWarning, DataError, IncompleteDataWarning, Option, Place, RankscapeError, UsageError
from ..outcomes import TWO_CLASS, SampleSpace, lacks_tn
from ..performances import Performances
from ..results import without_guard
from ..tasks.success import SPACE as SUCCESSES
from ..tasks.success import from_counts, right_answers
from ..tasks.table import task_of
from ..texts import counted, listed, one_line, percent, some
from ..typing import Integers
from .cells import integers_of_decimals, missing, numbers, whole_number
from .codes import LARGEST_TOTAL, plain_value
from .content import Content, How, joined_sheet
from .headers import (
    JOINED,
    columns_in,
    empty,
    matters,
    naming_column,
    plain,
    rate_of,
    refuse_classes,
    role,
    size_of,
)
from .sheets import Sheet, quoted

MOST_NAMED = 3


def read_counts(content: Content, how: How) -> Performances:
    """Return the performances in a table of counts or probabilities; raise DataError for the cell in the way."""
    levels = how.domain or _levels(content.headers)
    return _read(content.counts(how.entity, levels), how, levels, content.stem)


def read_sheet(sheet: Sheet, how: How) -> Performances:
    """Return the performances in a sheet of counts or probabilities that a reader has made of something else."""
    return _read(joined_sheet(sheet, how.domain) if len(how.domain) > 1 else sheet, how, how.domain)


def accounted(P: Performances, headers: Sequence[str], columns: Mapping[str, int], how: How) -> Performances:
    """Return performances whose account says which columns of their table name models and domains, and which nothing.

    A numbered index is no column; of all others those that are not used are named, texts or not.
    """
    used = {headers[place]: kind for kind, place in columns.items()}
    name = next((header for header, kind in used.items() if kind == "entity"), "")
    if how.entity is None and role(name) != "entity" and P.space == TWO_CLASS and P.domains is None and len(P) > 2:
        tn, fp, fn, tp = np.zeros((4, 1), dtype=int) if P.counts is None else P.counts.T
        if {*(tn + fp + fn + tp).tolist()} == {int((fn + tp).sum())} == {int((fp + tp).sum())} != {0}:
            refuse_classes(name)  # each case is positive, and predicted so, in one row
    levels = how.domain or _levels(headers)
    named = ((kind, header) for header, kind in used.items() if kind in ("entity", "domain") and header != "")
    roles: dict[str, tuple[str, ...]] = {kind: (header,) for kind, header in named}
    roles |= {"domain": tuple(levels)} if levels[1:] else {}
    roles |= {kind: (header,) for header, kind in used.items() if kind == "correct" != plain(header)}  # as "passed" is
    rest = (header for header in headers if header not in {*used, *levels, "", JOINED})
    records = P.account.records if P.account is not None and P.account.records else len(P)
    return P.noting(columns=roles, unused=[header for header in rest if not matters(header)], records=records)


def _read(sheet: Sheet, how: How, levels: Sequence[str], file: str = "") -> Performances:
    entity, domain = how.entity, JOINED if len(levels) > 1 else levels[0] if levels else None
    space, columns = columns_in(sheet, entity, domain)
    if not sheet.rows:
        raise sheet.error("there is no row", expected="one per entity below the header")
    if "entity" not in columns and (naming := naming_column(sheet, columns)) is not None:
        columns["entity"] = naming
    names, domains = (
        names_in(sheet, columns[kind], kind) if kind in columns else None for kind in ("entity", "domain")
    )
    of_one = domains is not None and len({*domains}) == len(domains)  # a file that names no model is the model
    if names is None and (how.name is not None or of_one):
        names = [how.name or file or "P1"] * len(sheet.rows)
    if names is not None and len({*names}) < len(names):
        _refuse_repeated(sheet, columns, list(zip(domains or [""] * len(names), names, strict=True)))
    called = names or [f"P{i + 1}" for i in range(len(sheet.rows))]
    made = next((key for key in task_of(space).columns if {*key} <= {*columns}), None)  # such as correct and total
    cells = made or (("accuracy", "total") if "accuracy" in columns else space.outcomes)
    places = [columns[name] for name in cells]
    values: Any = [] if "accuracy" in columns else numbers(sheet, places, called)
    counts = values if isinstance(values, np.ndarray) else None
    try:
        if counts is None and not made and (means := _means_among(values, called, domains, space)):
            kept = [i for i in range(len(values)) if i not in means]
            lines = [sheet.lines[i] for i in kept] if sheet.lines else ()
            rest = _read(replace(sheet, rows=[sheet.rows[i] for i in kept], lines=lines), how, levels, file)
            return rest.noting(left_out=Counter(means.values()), records=len(values))
        if "accuracy" in columns:
            P = _of_accuracies(sheet, columns, names, domains)
        elif made:
            rows = values if counts is None else counts.tolist()
            right, total = (sheet.headers[place] for place in places)
            marks = all(row[0] in (0, 1) for row in rows) and any(row[1] > 1 for row in rows)
            if marks and made == ("correct", "total") and plain(right) != "correct":
                way = f'if it counts some of {quoted(total)}, call it "correct"'
                raise sheet.error(f"{quoted(right)} may say whether each row is right or passed", way_out=way)
            P = task_of(space).columns[made](*zip(*rows, strict=True), names=names, domains=domains)
        elif counts is not None or {int}.issuperset(map(type, chain.from_iterable(values))):
            counts = np.array(values, dtype=object) if counts is None else counts
            P = Performances.from_counts(counts, names=names, domains=domains, space=space)
        else:
            mass = np.fromiter(map(float, chain.from_iterable(values)), dtype=np.float64).reshape(len(values), -1)
            _refuse_sums(values, mass.sum(axis=1).tolist(), called, space)
            more: Any = {"names": names, "domains": domains, "space": space}
            P = replace(Performances.from_probabilities(mass, **more), exact=integers_of_decimals(values))
        return _audited(accounted(P.noting(*sheet.notes), sheet.headers, columns, how), sheet, columns, how.unanswered)
    except DataError as error:
        raise error.located(sheet.where, sheet.line(error.where.row)) from None


@contextmanager
def located(place: Place, hints: Sequence[str] = ()) -> Iterator[None]:
    """Say in which row something is wrong."""
    try:
        yield
    except RankscapeError as error:
        ways = [*error.ways_out, *hints]
        raise DataError(error.what, where=place, expected=error.expected, got=error.got, way_out=ways) from None


def _of_accuracies(
    sheet: Sheet, columns: Mapping[str, int], names: Sequence[str] | None, domains: Sequence[str] | None
) -> Performances:
    """Return the performances behind printed accuracies of so many cases."""
    rate, n = columns["accuracy"], columns["total"]
    header = "accuracy (%)" if in_percent(sheet.headers[rate]) else "accuracy"
    correct, sizes, doubtful = list[int](), list[int](), list[str]()
    printed = import_module("..published.rates", __package__).printed  # which most tables need not
    for i, row in enumerate(sheet.rows):
        place = sheet.place(i, None if names is None else names[i])
        for column in (rate, n):
            if empty(row[column]):
                what = f"{sheet.headers[column] or 'accuracy'} is missing"
                raise DataError(what, where=place, way_out="fill it in")
        number = whole_number(row[n])
        if number is None:
            raise DataError(f"n = {row[n]} is no number of cases", where=place, expected="a whole number")
        with located(place):
            share = printed(header, row[rate])
        fitting = right_answers(share.value, share.unit, number)
        if not fitting:
            near = floor(share.value * number)
            around = f"{near} of {number} is {near / number:.6g}, {near + 1} of {number} is {(near + 1) / number:.6g}"
            problem = f"accuracy = {share.text} is no share of {counted(number, 'case')}: {around}"
            raise DataError(problem, where=place, way_out="check n, or give the counts of right answers")
        sizes.append(number)
        correct.append(min(max(round(share.value * number), fitting[0]), fitting[-1]))
        if len(fitting) > 1:
            doubtful.append(f"{share.text} of {number} may be {fitting[0]} to {fitting[-1]}")
    if doubtful:
        note = "the printed accuracies leave open how many answers are right"
        note = f"{note}: {some(doubtful, 3, quote='')}; the nearest is taken"
        warnings.warn(note, IncompleteDataWarning, stacklevel=2)
    return from_counts(correct, sizes, names, domains)


def _levels(headers: Sequence[str]) -> tuple[str, ...]:
    """Return the headers of a hierarchy of domains that is well known: the categories and videos of CDnet."""
    by_name = {plain(header): header for header in headers}
    return (by_name["category"], by_name["video"]) if {"category", "video"} <= {*by_name} else ()


# Names and sums


def names_in(sheet: Sheet, column: int, kind: str) -> list[str]:
    """Return the names of entities or domains in a column, of which none may be missing."""
    cells = sheet.column(column)
    try:
        plain = all(cells := list(map(str.strip, cells)))
    except TypeError:  # other values than texts
        plain = False
    for row, cell in enumerate(() if plain else cells):
        nested = isinstance(cell, (list, dict))
        if nested or missing(cell) or not str(cell).strip():
            problem = f"= {quoted(cell)} is no name" if nested else "is missing"
            raise DataError(
                f"{sheet.headers[column] or kind} {problem}", where=sheet.place(row),
                expected=f"the name of the {kind}", way_out="fill it in or drop the row",
            )  # fmt: skip
    texts = cells if plain else [str(plain_value(cell)).strip() for cell in cells]  # 1.0 of a frame is 1, as in count
    guarded = sheet.separator and any(text[0] == "'" for text in texts)
    return list(map(without_guard, texts)) if guarded else texts


def _refuse_repeated(sheet: Sheet, columns: Mapping[str, int], keys: Sequence[tuple[str, str]]) -> None:
    """Refuse names that occur twice where one of the other columns tells them apart, such as a threshold."""
    name, times = Counter(keys).most_common(1)[0]
    free = [i for i, header in enumerate(sheet.headers) if i not in columns.values() and not matters(header)]
    cells = {i: [str(row[i]).strip() for row in sheet.rows] for i in free}
    apart = [i for i in free if len({*zip(keys, cells[i], strict=True)}) == len(keys) > len({*cells[i]})]
    if times > 1 and apart:
        header = sheet.headers[apart[0]]
        rows = [str(i + 1) for i, key in enumerate(keys) if key == name][:5]
        raise DataError(
            f"{quoted(name[1])} occurs {times} times, told apart by the column {quoted(header)}",
            where=Place(sheet.where, column=f"rows {', '.join(rows)}"), expected="each name once",
            way_out=[("name that column with ", Option("domain", header)),
                     "join both in one column if both name the model"],
        )  # fmt: skip


def _refuse_sums(
    values: Sequence[Sequence[Any]], totals: Sequence[float], names: Sequence[str], space: SampleSpace
) -> None:
    """Explain both readings of a table that is neither counts nor probabilities."""
    off = [i for i, total in enumerate(totals) if abs(total - 1) > SUM_TOLERANCE]
    if not off or any(value < 0 for row in values for value in row) or 0 in totals:
        return
    i = off[0]
    j, k = next((j, k) for j, row in enumerate(values) for k, value in enumerate(row) if not isinstance(value, int))
    ways: list[Any] = ["give whole counts in every row", "divide each row by its sum"]
    if all(abs(total - 100) < 1 for total in totals):
        ways = ["if these are percentages, divide them by 100"]
    elif all(abs(total - 1) < 0.01 for total in totals):
        ways = ["if these are rounded, divide each row by its sum"]
    raise DataError(
        f"{listed(space.outcomes)} sum to {totals[i]:.9g}. As probabilities they must sum to 1 within "
        f"{SUM_TOLERANCE:g}; as counts all must be whole numbers, but row {j + 1} has {space.outcomes[k]} = "
        f"{values[j][k]:.9g}",
        where=Place(row=i, name=names[i]), way_out=ways,
    )  # fmt: skip


# Columns beside the counts


Sizes = Mapping[str, Sequence[int | None]]
"""For n, n_positive, n_negative and unanswered, as far as there are columns, the numbers of cases of the rows."""

Off = tuple[int, int, str]
"""A cell that contradicts the counts, by row and column, and what they give in its place."""


def _audited(P: Performances, sheet: Sheet, columns: Mapping[str, int], unanswered: str | None) -> Performances:
    """Return performances after a look at the columns beside the counts, which may contradict them."""
    beside = [i for i, header in enumerate(sheet.headers) if i not in columns.values() and matters(header)]
    if not beside or P.space.outcomes not in (TWO_CLASS.outcomes, TWO_CLASS.outcomes[1:], SUCCESSES.outcomes):
        return P
    first = {"n": columns["total"]} if "total" in columns else {}  # nothing else says then how many cases there are
    sizes = first | {key: i for i in reversed(beside) if (key := size_of(sheet.headers[i])) and key not in first}
    whole = {} if first else {key: list(map(whole_number, sheet.column(i))) for key, i in sizes.items()}
    answered = P if P.counts is None else _answered(P, sheet, sizes, whole, unanswered)
    rates = (off for i in beside for off in _rates_off(P, answered, sheet, i, whole))
    off = sorted([*_sizes_off(P, sheet, beside, sizes, whole), *rates], key=lambda one: one[0])
    if off:
        cells = [
            f"{replace(sheet.place(row), file='')}: {sheet.headers[i]} = {sheet.rows[row][i]}, {instead}"
            for row, i, instead in off[:MOST_NAMED]
        ]
        more = f"; and {counted(len(off) - MOST_NAMED, 'more cell')}" if off[MOST_NAMED:] else ""
        where = f"{Place(sheet.where)}: " if sheet.where else ""
        number = f"{counted(len(off), 'cell')} {'contradicts' if len(off) == 1 else 'contradict'} the counts"
        warnings.warn(f"{where}{number}: {'; '.join(cells)}{more}", ContradictionWarning, stacklevel=2)
    return answered


def _answered(
    P: Performances, sheet: Sheet, sizes: Mapping[str, int], whole: Sizes, unanswered: str | None
) -> Performances:
    """Return performances in which cases without an answer are wrong, or apart; refuse them by default."""
    none = [None] * len(P)
    sums = np.asarray(P.counts).sum(axis=1).tolist()
    of_rows = zip(*(whole.get(key, none) for key in ("unanswered", "n", "n_positive", "n_negative")), sums, strict=True)
    lost = []
    for left, n, positive, negative, total in of_rows:  # what a column says, or all without those that are counted
        n = positive + negative if n is None and None not in (positive, negative) else n
        lost.append(max(n - total, 0) if left is None and n is not None else left or 0)
    rows = [row for row, n in enumerate(lost) if n]
    if unanswered == "common":
        raise UsageError(
            [Option("unanswered", unanswered), " needs cases: counts do not say which ones all models answered"]
        )
    if not rows:
        return P
    if unanswered is None:
        column = quoted(sheet.headers[next(sizes[key] for key in ("unanswered", "n", "n_positive") if key in sizes)])
        more = f", and {counted(len(rows) - 1, 'other row')} too" if rows[1:] else ""
        raise DataError(
            f"{lost[rows[0]]} of {sums[rows[0]] + lost[rows[0]]} cases have no answer (column {column}){more}",
            where=sheet.place(rows[0], P.names[rows[0]]), expected="an answer to every case, or what to do without",
            way_out=[
                ("count them as wrong with ", Option("unanswered", "wrong")),
                ("rank on the cases that each answered with ", Option("unanswered", "apart")),
                *(["give them in a column tn if they are true negatives"] if lacks_tn(P.space) else []),
                f"leave the column {column} out if it is no number of cases",
            ],
        )  # fmt: skip
    if unanswered == "wrong":
        counts = np.array(P.counts)
        for row in rows:
            counts[row] += _errors(P, row, lost, whole, sheet)
        complete = Performances.from_counts(counts, names=P.names, domains=P.domains, space=P.space)
        return replace(complete, account=P.account)
    shares = [f'"{one_line(P.names[r])}" answered {percent(sums[r] / (sums[r] + lost[r]))}' for r in rows[:MOST_NAMED]]
    rest = f" and {len(rows) - MOST_NAMED} more rows less than all" if rows[MOST_NAMED:] else ""
    warnings.warn(
        f"{', '.join(shares)}{rest} of the cases: ranks compare the cases that each answered, and those who leave out "
        "hard cases look better than they are",
        IncompleteDataWarning, stacklevel=2,
    )  # fmt: skip
    return P


def _errors(P: Performances, row: int, lost: Sequence[int], whole: Sizes, sheet: Sheet) -> Integers:
    """Return the cases of a row without an answer as errors: false positives and negatives, by their class."""
    counts = np.asarray(P.counts)  # the classes are as large as the table says, or as of others that answered all
    if P.space.outcomes == SUCCESSES.outcomes:
        return np.array([lost[row], 0])
    if len(P.space) == len(TWO_CLASS):
        total = int(counts[row].sum()) + lost[row]
        positive, negative = (cells[row] if (cells := whole.get(key)) else None for key in ("n_positive", "n_negative"))
        positive = total - negative if positive is None and negative is not None else positive
        sizes = {(total - positive, positive)} if positive is not None else {
            (int(counts[i, :2].sum()), int(counts[i, 2:].sum()))
            for i in range(len(P))
            if not lost[i] and (P.domains is None or P.domains[i] == P.domains[row])
        }  # fmt: skip
        false = np.array(sizes.pop()) - [counts[row, :2].sum(), counts[row, 2:].sum()] if len(sizes) == 1 else None
        if false is not None and (false >= 0).all() and false.sum() == lost[row]:
            return np.array([0, false[0], false[1], 0])
    raise DataError(
        f"{lost[row]} cases have no answer, and the table does not say how many of them are positive",
        where=sheet.place(row, P.names[row]), expected="the columns n_positive and n_negative, to count them as wrong",
        way_out=[("rank on the cases that each answered with ", Option("unanswered", "apart"))],
    )  # fmt: skip


def _sizes_off(
    P: Performances, sheet: Sheet, beside: Sequence[int], sizes: Mapping[str, int], whole: Sizes
) -> Iterator[Off]:
    """Yield numbers of cases that neither the counts make, nor these and those without an answer, nor a twin says."""
    of_class = {"n_negative": slice(0, 2), "n_positive": slice(2, 4)}
    for i in beside:
        key, given = size_of(sheet.headers[i]), list(map(whole_number, sheet.column(i)))
        if key is not None and sizes[key] != i:
            twin = sheet.column(sizes[key])
            for row, (n, same) in enumerate(zip(given, map(whole_number, twin), strict=True)):
                if None not in (n, same) and n != same:
                    yield row, i, f"{sheet.headers[sizes[key]]} = {twin[row]}"
        elif key in ("n", *of_class) and P.counts is not None and (key == "n" or len(P.space) == len(TWO_CLASS)):
            sums = np.asarray(P.counts)[:, of_class.get(key, slice(None))].sum(axis=1).tolist()
            left = whole.get("unanswered", [None] * len(P))
            for row, (n, total, open_ones) in enumerate(zip(given, sums, left, strict=True)):
                if n is not None and (n < total if open_ones is None else n not in (total, total + open_ones)):
                    yield row, i, f"the counts give {total}"


def _rates_off(P: Performances, answers: Performances, sheet: Sheet, column: int, whole: Sizes) -> list[Off]:
    """Return the rates in a column that are not those of the counts, of the answers, nor of all cases."""
    header = sheet.headers[column]
    key = rate_of(header)
    rates: list[Any] = (
        [] if key is None else [of for Q in ((P,) if answers is P else (P, answers)) if (of := _rates(key, Q))]
    )
    if not rates:
        return []
    printed = [_printed(cell, header) for cell in sheet.column(column)]
    # A rate may be that of the counts, of the answers, or the accuracy among all cases.
    exact = [[rate for of in rates if (rate := of[row]) is not None] for row in range(len(P))]
    if key == "accuracy" and answers.counts is not None:
        right = answers.counts[:, [0, 3] if len(P.space) == len(TWO_CLASS) else [-1]].sum(axis=1).tolist()
        for of, k, n in zip(exact, right, whole.get("n", ()), strict=False):
            of += [Fraction(k, n)] if n else []

    def off_as(scale: int) -> list[Off]:
        off = []
        for row, (cell, rates) in enumerate(zip(printed, exact, strict=True)):
            of_cell = 1 if cell is None or cell.percent else scale
            if cell and rates and all(abs(cell.value / of_cell - x) > cell.unit / of_cell / 2 for x in rates):
                sign = " %" if str(sheet.rows[row][column]).rstrip().endswith("%") else ""
                computed = float(rates[0] * (100 if cell.percent else scale))
                off.append((row, column, f"the counts give {computed:.6g}{sign}"))
        return off

    # A column without percent signs may still be one of percentages: the reading with fewer contradictions holds.
    above_one = any(cell is not None and not cell.percent and cell.value > 1 for cell in printed)
    return min(map(off_as, (100, 1) if above_one else (1, 100)), key=len)


def _rates(key: str, P: Performances) -> list[Fraction | None]:
    """Return a rate of each row, None where it is not defined; nothing where it needs outcomes that are not there."""
    score = import_module(".._scores", __package__).as_score(key)  # which most tables need not
    absent = len(TWO_CLASS) - len(P.space)  # a success is tp, a failure fn
    if lacks_tn(P.space):
        try:
            score.without_tn(P.space)
        except UsageError:
            return []
    elif absent and key not in ("accuracy", "er"):
        return []
    two_class = Performances.from_exact(np.pad(P.integers, ((0, 0), (absent, 0))))
    ratio = score.exact(two_class, values=True)
    sides = () if ratio is None else zip(ratio.top.tolist(), ratio.bottom.tolist(), strict=True)
    return [Fraction(top, bottom) if bottom else None for top, bottom in sides]


def _printed(cell: Any, header: str) -> Typed | None:
    """Return the number in a cell, and the unit of its last decimal; None where it holds none."""
    try:
        typed = None if missing(cell) else as_typed(header, cell, percent=in_percent(header))
    except UsageError:
        return None
    if typed is None or isinstance(cell, str):
        return typed
    smallest = Fraction(1, 10**MOST_DECIMALS * (100 if typed.percent else 1))
    return typed._replace(unit=2 * smallest) if typed.unit == smallest else typed  # it was computed, and shortened


# Rows that sum up others, as models or as domains

# Words that name nothing but a sum; that name one, or a model or a domain, so that the numbers decide; and beside them.
SUMS = {*re.findall(r"\w+", "total totals subtotal sum sums gesamt insgesamt summe totale totaux suma 合計 合计 总计")}
_OR_MODELS = (
    "overall all average averages averaged avg mean combined pooled aggregate aggregated macro micro weighted "
    "mittel mittelwert durchschnitt moyenne media promedio 平均"
)
_TOTALS = SUMS | {*_OR_MODELS.split(" ")}
_BESIDE = (
    "grand the of over across on in per and for row rows result results score scores model models method methods class "
    "classes video videos sequence sequences site sites domain domains n dataset datasets category categories test set "
    "case cases patients images everything"
)
_OF_TOTALS = _TOTALS | {*_BESIDE.split(" ")}
_ANY = re.compile("|".join(map(re.escape, sorted(_TOTALS))))

FEWEST_OTHERS, FEWEST_CASES = 3, 20
"""Rows that a row without such a name sums up at least, and its cases, to be a sum and no coincidence."""

_ROUNDED = 0.005  # how far the mean of probabilities of two decimals is off at most


def is_total(name: str) -> bool:
    """Tell whether a name may be that of a sum.

    >>> [*map(is_total, ("**combined (877)**", "macro avg", "Total", "All regions", "mean teacher"))]
    [True, True, True, True, False]
    """
    pieces = re.findall(r"[^\W\d_]+", name.casefold())
    plain = re.fullmatch(r"[\w\s*().,:;#&%/+–\[\]-]*", name) is not None
    of_all = len(pieces) == 2 and pieces[0] in {"all", *SUMS} and pieces[1].endswith("s")
    return plain and bool({*pieces} & _TOTALS) and (of_all or {*pieces} <= _OF_TOTALS)


def _totals(names: Sequence[str]) -> NDArray[np.bool_]:
    """Return which names may be those of sums."""
    distinct = {*names}
    totals = set() if _ANY.search("\n".join(distinct).casefold()) is None else set(filter(is_total, distinct))
    return np.array([name in totals for name in names]) if totals else np.zeros(len(names), dtype=bool)


def _levels_of(domains: Sequence[str] | None, n: int) -> list[str]:
    """Return the last level of each domain; one for all where there are none."""
    last = {domain: domain_parts(domain)[-1] for domain in {*(domains or ())}}
    return [last[domain] for domain in domains] if domains else [""] * n


def without_totals(P: Performances, where: str) -> Performances:
    """Return performances without the rows that are the sum, or the mean, of their group: all models, or domains."""
    values, as_counts = (P.mass, False) if P.counts is None else (np.asarray(P.counts), True)
    try:
        reasons, its_own = _sums_and_means(values, P.names, P.domains, P.space.outcomes, as_counts)
    except DataError as error:
        raise error.located(where) from None
    if not (reasons or its_own):
        return P
    as_it_is = "is read as it is: neither the sum nor the mean of the others"
    rest = P[[row for row in range(len(P)) if row not in reasons]] if reasons else P
    return rest.noting(
        *(f"{some([name])} {as_it_is}" for name in dict.fromkeys(its_own)), left_out=Counter(reasons.values()),
        models=len({*rest.names}), domains=rest.n_domains or None,
    )  # fmt: skip


def _sums_and_means(
    values: NDArray[Any], names: Sequence[str], domains: Sequence[str] | None, outcomes: Sequence[str], as_counts: bool
) -> tuple[dict[int, str], list[str]]:
    """Return why rows of counts, or of probabilities, are sums or means of others, and names of sums that are none."""
    levels = _levels_of(domains, len(names))
    of_models, of_domains = _totals(names), _totals(levels)
    base = np.flatnonzero(~(of_models | of_domains))
    reasons = _unnamed(values[base], [[of[i] for i in base.tolist()] for of in (names, domains or levels)], base) if (
        as_counts
    ) else {}  # fmt: skip
    its_own: list[str] = []
    for row in np.flatnonzero(of_models | of_domains).tolist():
        as_model = bool(of_models[row])
        name = names[row] if as_model else levels[row]
        group: Any = base  # everything, all models of its domain, or all domains of its model
        if domains is not None and as_model and not of_domains[row]:
            group = [i for i in base.tolist() if domains[i] == domains[row]]
        elif domains is not None and not as_model:
            above = domain_parts(domains[row])[:-1]
            above = () if all(map(is_total, above)) else above
            same = (i for i in base.tolist() if names[i] == names[row])
            group = [i for i in same if domain_parts(domains[i])[: len(above)] == above]
        if not len(group):
            continue
        cells, *of_group = values[[row, *group]].astype(object)
        others, n, sums = [sum(one) for one in of_group], len(group), sum(of_group)
        # It may be a model called "combined", of as many cases as others, or a domain of no more.
        as_many = not as_counts or (sum(cells) in others if as_model else sum(cells) <= max(others))
        if as_counts and (sums == cells).all():
            reasons[row] = f"{some([name])}, the sum of the others"
        elif (abs(n * cells - sums) <= n * (0.5 if as_counts else _ROUNDED)).all():  # a mean may be rounded
            reasons[row] = f"{some([name])}, the mean of the others"
        elif not {*re.findall(r"[^\W\d_]+", name.casefold())} & SUMS and as_many:
            its_own.append(name)
        else:
            at = int(np.argmax(cells != sums))
            raise DataError(
                f"{some([name])} is called a sum of the others, and is none: {outcomes[at]} = {cells[at]:.9g}, theirs "
                f"sum to {sums[at]:.9g}", way_out=["drop the row", "rename it if it is no sum"],
            )  # fmt: skip
    return reasons, its_own


def _means_among(
    values: Sequence[Sequence[Any]], names: Sequence[str], domains: Sequence[str] | None, space: SampleSpace
) -> dict[int, str]:
    """Return why rows of fractions among whole counts, and other sums, are left out; none where some are no means."""
    broken = [row for row, cells in enumerate(values) if {*map(type, cells)} != {int}]
    levels = _levels_of(domains, len(values))
    if len(broken) in (0, len(values)) or not all(is_total(names[row]) or is_total(levels[row]) for row in broken):
        return {}
    means, _ = _sums_and_means(np.array(values, dtype=object), names, domains, space.outcomes, True)
    return means if {*broken} <= {*means} else {}


def _unnamed(counts: NDArray[Any], keys: Sequence[Sequence[str]], rows: Integers) -> dict[int, str]:
    """Return which rows of models and domains, the keys, are the exact sum of all others without being called so."""
    counts = counts if counts.sum(dtype=float) < LARGEST_TOTAL else counts.astype(object)
    reasons: dict[int, str] = {}
    for of, within in ((0, 1), (1, 0)) if len({*keys[1]}) > 1 else ((0, 1),):
        code = {key: i for i, key in enumerate(dict.fromkeys(keys[within]))}
        group = np.array([code[key] for key in keys[within]], dtype=np.int64)
        sums = np.zeros((len(code), counts.shape[1]), dtype=counts.dtype)
        np.add.at(sums, group, counts)
        are = (sums[group] - counts == counts).all(axis=1) & (counts.sum(axis=1) >= FEWEST_CASES)
        are &= np.bincount(group, minlength=1)[group] > FEWEST_OTHERS
        for name in {keys[of][i] for i in np.flatnonzero(are).tolist()}:
            its_own = [i for i, key in enumerate(keys[of]) if key == name]
            if are[its_own].all():
                reasons |= dict.fromkeys(rows[its_own].tolist(), f"{some([name])}, the sum of the others")
    return reasons
