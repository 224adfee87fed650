"""Spaces: which outcomes the columns of a table of counts stand for, those of two classes or the pairs of several."""

from collections.abc import Mapping

from ..outcomes import TWO_CLASS, WITHOUT_TN, SampleSpace
from ..tasks.classes import ARROW, classes_in, pair_text, space
from ..tasks.table import TASKS
from ..texts import some
from . import headers
from .sheets import Sheet, quoted

Pair = tuple[str, str]


def known(header: str) -> bool:
    """Tell whether a header is understood: of an entity, a domain, an outcome or a pair."""
    return headers.known(header) or (ARROW in header and len(classes_in(header)) == 2)


def columns_in(
    sheet: Sheet, entity: str | None = None, domain: str | None = None
) -> tuple[SampleSpace, dict[str, int]]:
    """Return the sample space of a table, and where its columns are: the outcomes, and entity and domain if any.

    Columns called by pairs of classes, such as "cat→dog", are those of multi-class performances; classes keep the order
    in which they come first as the truth. A table that lacks tn only is one without true negatives. The table of tasks
    knows the columns of other tasks, such as correct and total. Raises DataError where some pair is missing or occurs
    twice, where an arrow can be read in two ways, and where columns of two classes are there as well.
    """
    pairs = _pairs(sheet)
    roles = {headers.role(header) for header in sheet.headers}
    two_class = roles >= set(TWO_CLASS.outcomes)
    complete = pairs and {*pairs} == {(true, other) for true, _ in pairs for other, _ in pairs} and len(pairs) > 1
    task = None if pairs or roles & set(TWO_CLASS.outcomes) else of_task(sheet)
    if task is not None:
        return task[0], headers.columns_of(sheet, entity, domain, task[1])
    if not pairs or (two_class and not complete):
        columns = headers.columns_of(sheet, entity, domain)
        return (TWO_CLASS if "tn" in columns else WITHOUT_TN), columns
    if two_class:
        raise sheet.error(
            f"columns of two classes (tn, fp, fn, tp) and pairs of classes (such as {_first(pairs)}) in one table; "
            "expected one kind: drop the other"
        )
    if not complete:
        raise sheet.error(_about_incomplete(pairs))
    omega = space(list(dict.fromkeys(true for true, _ in pairs)))
    places = {pair_text(*pair): column for pair, column in pairs.items()}
    return omega, headers.columns_of(sheet, entity, domain, {name: places[name] for name in omega.outcomes})


def of_task(sheet: Sheet) -> tuple[SampleSpace, dict[str, int]] | None:
    """Return the sample space of a task, and where its columns are; None where they are those of no task."""
    plain = [headers.plain(header) for header in sheet.headers]
    for task in filter(lambda task: task.columns, TASKS):
        spaces = sorted(task.spaces, key=len, reverse=True)  # failure, unanswered, success are not two outcomes
        for columns, omega in (*((made, task.spaces[0]) for made in task.columns), *((s.outcomes, s) for s in spaces)):
            if all(plain.count(name) == 1 for name in columns):
                return omega, {name: plain.index(name) for name in columns}
    return None


def _pairs(sheet: Sheet) -> dict[Pair, int]:
    """Return where each pair of classes is."""
    columns: dict[Pair, int] = {}
    for column, header in enumerate(sheet.headers):
        parts = classes_in(header) if ARROW in header else ()
        if len(parts) > 2:
            raise sheet.error(
                f"column {quoted(header)} has {len(parts) - 1} arrows, and can be read as several pairs of classes; "
                'expected one arrow, as in "truth→prediction": write an arrow inside the name of a class as "\\→"'
            )
        if len(parts) == 2 and columns.setdefault((parts[0], parts[1]), column) != column:
            raise sheet.error(f"the pair {quoted(header)} occurs twice; expected one column per pair: drop one")
    return columns


def _about_incomplete(pairs: Mapping[Pair, int]) -> str:
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    lacking = [pair_text(true, other) for true in names for other in names if (true, other) not in pairs]
    if len(names) < 2:
        return f"the only pair of classes is {_first(pairs)}; expected all pairs of two or more classes"
    return (
        f"no column {some(lacking, quote='', word=quoted)}; expected all {len(names) ** 2} pairs "
        f"truth→prediction of the classes {some(names, quote='', word=quoted)}: add what is missing, with 0 where "
        "nothing was counted"
    )


def _first(pairs: Mapping[Pair, int]) -> str:
    return quoted(pair_text(*next(iter(pairs))))
