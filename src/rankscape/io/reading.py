"""Reading: files, data frames and records become Performances, or an error names the cell in the way."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np

from ..checks import SUM_TOLERANCE
from ..errors import DataError, MissingExtraError, Option, Place, UsageError
from ..outcomes import TWO_CLASS, SampleSpace
from ..performances import Performances
from ..results import Table, without_guard
from ..tasks.pairs import Pairs
from ..tasks.table import task_of
from ..texts import listed
from ..typing import PerformancesLike, TableLike
from .at_once import ColumnTable, performances_at_once, plain_table, table_of_mapping
from .cells import integers_of_decimals, missing, missing_text, numbers
from .columns import Values
from .duck import connected, duckdb_or_none, parquet_relation
from .formats import format_of, parquet_frame
from .frames import data_frame, index_columns, refuse_misread
from .headers import is_cv_results
from .naming import is_file, source_of
from .query_results import is_check, refuse_incomplete
from .sheets import Sheet, located, quoted, sheet_of_mapping, sheet_of_records
from .sources import Source
from .spaces import columns_in, known


def read(
    source: TableLike | Performances,
    *,
    entity: str | None = None,
    domain: str | None = None,
    tolerance: float | None = None,
    encoding: str | None = None,
) -> Performances:
    r"""Return the performances in a table with the columns tn, fp, fn, tp, and optionally entity and domain.

    A table of several classes has one column per pair of classes, called "truth→prediction", as :func:`count` has them;
    one of cases that succeed or fail has the columns correct and total. A saved ``cv_results_`` of scikit-learn is read
    as by :meth:`Performances.from_cv_results`.

    ``source`` is a path (CSV, TSV, JSON, JSON lines or Parquet, also compressed with gz, zst or zip; "-" is standard
    input), an open file, a data frame (pandas, polars, pyarrow, …), a mapping of columns or a list of records. Headers
    are compared without case, and the usual ones are understood ("model", "dataset", "True Negatives"); ``entity`` and
    ``domain`` name other columns. Without such a header the only column of different texts holds the names. If all
    numbers are whole they are counts, otherwise probabilities, each row summing to 1 within ``tolerance``; of decimal
    text 0.9 is 9/10 exactly. The order of the rows is kept; rows without a name are called P1, P2, … Text is UTF-8, or
    the encoding of its byte-order mark, unless ``encoding`` is given.
    Raises DataError, naming file, row and column, for what is missing, doubtful or impossible.

    >>> import io
    >>> P = read(io.StringIO("model;TN;FP;FN;TP\nunet;0,5;0,2;0,05;0,25\n"))
    >>> P.names, P.mass.tolist()
    (('unet',), [[0.5, 0.2, 0.05, 0.25]])
    """
    within = SUM_TOLERANCE if tolerance is None else tolerance
    if not 0 <= within < 1:
        raise UsageError(
            (Option("tolerance", python="tolerance"), " is out of range"),
            expected="a number from 0 to below 1",
            got=str(tolerance),
        )
    if isinstance(source, Performances):
        return as_performances(source)
    table = _table(source_of(source, encoding) if is_file(source) else source, entity, domain)
    checked = any(map(is_check, table.headers))
    if isinstance(table, ColumnTable) and not checked:
        at_once = performances_at_once(table, entity, domain, within)
        if at_once is not None:
            return at_once
    sheet = table.sheet() if isinstance(table, ColumnTable) else table
    if checked:
        refuse_incomplete(sheet)
    if entity is None and domain is None and is_cv_results(sheet.headers):
        return _of_cv_results(sheet)
    space, columns = columns_in(sheet, entity, domain)
    if not sheet.rows:
        raise sheet.error("there is no row", expected="one per entity below the header")
    if "entity" not in columns:
        columns |= _only_text(sheet, columns)
    names, domains = _names(sheet, columns, "entity"), _names(sheet, columns, "domain")
    called = names or [f"P{i + 1}" for i in range(len(sheet.rows))]
    made = [key for key in task_of(space).columns if {*key} <= {*columns}]  # such as correct and total
    counted = made[0] if made else space.outcomes
    values = numbers(sheet, [columns[name] for name in counted], called)
    try:
        if made:
            return task_of(space).columns[counted](*zip(*values, strict=True), names=names, domains=domains)
        if all(isinstance(value, int) for row in values for value in row):
            return Performances.from_counts(np.array(values, dtype=object), names=names, domains=domains, space=space)
        _refuse_sums(values, called, within, space)
        mass = np.array(values, dtype=np.float64)
        performances = Performances.from_probabilities(
            mass, names=names, domains=domains, space=space, tolerance=within
        )
        exact = integers_of_decimals(values)
        return performances if exact is None else replace(performances, exact=exact)
    except DataError as error:
        raise error.located(sheet.where, sheet.line(error.where.row)) from None


def as_performances(obj: PerformancesLike | Pairs) -> Performances:
    """Return performances from whatever holds them: Performances, a table as in :func:`read`, or an array.

    An array is a confusion matrix of scikit-learn (2, 2), a stack of them (n, 2, 2), or rows tn, fp, fn, tp (n, 4).

    >>> as_performances([[50, 10], [5, 35]]).counts.tolist()
    [[50, 10, 5, 35]]
    """
    if isinstance(obj, Pairs):
        raise UsageError(
            "these are pairs (truth, prediction) of regression, with no finite set of outcomes",
            way_out=[
                Option("pairs", python="use rs.rank, rs.compare or rs.ranking_score: maps and scores need outcomes")
            ],
        )
    if hasattr(type(obj), "cross_fitted"):
        raise UsageError(
            "these are models with scores, and no thresholds yet",
            way_out=["S.cross_fitted(by) chooses them", "S.at(0.5) takes one", "S.first() is their Tile"],
        )
    if isinstance(getattr(obj, "performances", None), Performances):
        raise UsageError(f"expected performances, got {type(obj).__name__}", way_out="pass its .performances")
    if isinstance(obj, Performances):
        if len(obj) == 0:
            raise UsageError("no performance is selected; expected at least one")
        return obj
    records = isinstance(obj, (list, tuple)) and len(obj) > 0 and all(isinstance(item, Mapping) for item in obj)
    if records or not isinstance(obj, (list, tuple, np.ndarray)):
        return read(cast(TableLike, obj))
    try:
        array = np.asarray(obj)
    except ValueError:
        raise DataError("the rows of the array have different lengths; expected tn, fp, fn, tp in each") from None
    if array.dtype.kind not in "iufO":
        raise DataError(f"expected an array of numbers; got one of type {array.dtype}")
    if array.ndim >= 2 and array.shape[-2:] == (2, 2):
        return Performances.from_confusion_matrix(array)
    if array.ndim not in (1, 2) or array.shape[-1] != len(TWO_CLASS):
        raise DataError(
            "expected confusion matrices (2, 2) or (n, 2, 2), or rows tn, fp, fn, tp (n, 4); "
            f"got an array of shape {array.shape}"
        )
    try:
        floats = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return Performances.from_counts(array)  # which raises for the first that is no number
    whole = not np.isfinite(floats).all() or bool((floats == np.floor(floats)).all())
    return Performances.from_counts(array) if whole else Performances.from_probabilities(array)


# Sheets


def _table(source: Any, entity: str | None, domain: str | None) -> ColumnTable | Sheet:
    if isinstance(source, Source):
        return _table_of_file(source, entity, domain)
    if isinstance(source, Table):
        source = {header: source[header] for header in source.columns}
    if isinstance(source, Mapping):
        return table_of_mapping(source, lambda: sheet_of_mapping(source, "", known))
    if isinstance(source, (list, tuple)) and all(isinstance(record, Mapping) for record in source):
        return sheet_of_records(source)
    return _table_of_frame(source, "", entity, domain)


def _table_of_file(source: Source, entity: str | None, domain: str | None) -> ColumnTable | Sheet:
    named = {header for header in (entity, domain) if header is not None}
    format_ = format_of(source)
    if format_.sheet is None:
        try:
            return _table_of_frame(parquet_frame(source), source.where, entity, domain)
        except MissingExtraError:
            if duckdb_or_none() is None:
                raise
        with connected() as connection, source.on_disk() as path:
            relation, _ = parquet_relation(connection, [path], source.where)
            return Sheet(tuple(relation.columns), relation.fetchall(), source.where)

    def wanted(header: str) -> bool:
        return known(header) or header in named or is_cv_results([header])

    sheet = partial(format_.sheet, source, wanted)
    return (plain_table(source, wanted, sheet) if format_.texts else None) or sheet()


def _table_of_frame(native: Any, where: str, entity: str | None, domain: str | None) -> ColumnTable:
    import narwhals as nw  # not needed for files of text

    frame = data_frame(native, where)
    if frame is None:
        raise DataError(
            "expected a path, an open file, a data frame, a mapping of columns or a list of records; "
            f"got {type(native).__name__}: for arrays use Performances.from_counts or from_probabilities"
        )
    extra, headers = index_columns(frame), list(frame.collect_schema().names())
    if entity is None and domain is None and is_cv_results(list(map(str, headers))):
        whole = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        lists = [whole[header].to_list() for header in headers]
        return ColumnTable(
            tuple(map(str, headers)),
            list(map(Values, lists)),
            lambda: Sheet(tuple(map(str, headers)), list(zip(*lists, strict=True)), where),
        )
    # A lazy frame is refused before anything is computed, and gives only the columns that are used.
    _, columns = columns_in(Sheet((*extra, *map(str, headers)), [], where), entity, domain)
    used = [headers[i - len(extra)] for i in columns.values() if i >= len(extra)]
    used += [header for header in headers if is_check(str(header))]
    if "entity" not in columns:  # texts may be the names
        used += [header for header, kind in frame.collect_schema().items() if kind == nw.String and header not in used]
    for header in used:
        refuse_misread(frame, header, where)
    chosen = frame.select(used)
    try:
        eager = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    except Exception as error:  # each engine has its own
        raise located(where, f"the table cannot be read: {' '.join(str(error).split())[:200]}") from error
    series = [eager[header] for header in used]
    titles = (*extra, *map(str, used))

    def sheet() -> Sheet:
        cells = [*extra.values(), *(column.to_list() for column in series)]
        return Sheet(titles, list(zip(*cells, strict=True)), where)

    wide = (nw.Int128, nw.UInt128)  # which numpy does not have
    arrays = [
        one.to_numpy() if one.dtype.is_numeric() and one.dtype not in wide and not one.null_count() else one.to_list()
        for one in series
    ]
    return ColumnTable(titles, list(map(Values, [*extra.values(), *arrays])), sheet)


def _of_cv_results(sheet: Sheet) -> Performances:
    """Return the candidates of a search, saved as by ``pandas.DataFrame(search.cv_results_).to_csv``."""
    if len(set(sheet.headers)) < len(sheet.headers):
        raise sheet.error("two columns have the same header", expected="the columns of cv_results_, each once")
    try:
        return Performances.from_cv_results(dict(zip(sheet.headers, zip(*sheet.rows, strict=True), strict=False)))
    except DataError as error:
        raise error.located(sheet.where) from None


# Names and sums


def _names(sheet: Sheet, columns: Mapping[str, int], kind: str) -> list[str] | None:
    if kind not in columns:
        return None
    column = columns[kind]
    cells = [row[column] for row in sheet.rows]
    if sheet.headers[column] == "" and all(str(cell).isdigit() for cell in cells):
        return None  # the numbered index of a data frame holds no names
    for row, cell in enumerate(cells):
        if isinstance(cell, (list, dict)):
            problem = f"{sheet.headers[column] or kind} = {quoted(cell)} is no name"
            raise DataError(problem, where=sheet.place(row), expected="a text")
        if missing(cell) or not str(cell).strip():
            raise DataError(
                f"{sheet.headers[column] or kind} is missing",
                where=sheet.place(row),
                expected=f"the name of the {kind}",
                way_out="fill it in or drop the row",
            )
    texts = [str(cell).strip() for cell in cells]
    return [without_guard(text) for text in texts] if sheet.separator else texts


def _only_text(sheet: Sheet, columns: Mapping[str, int]) -> dict[str, int]:
    """Return the only column of texts that has no role, if it can name the entities; raise where there are several.

    A name in an unknown column ("run") would otherwise be dropped without a word.
    """
    free = [i for i in range(len(sheet.headers)) if i not in columns.values()]
    texts = [i for i in free if all(isinstance(row[i], str) and _is_name(row[i]) for row in sheet.rows)]
    places = [row[columns["domain"]] if "domain" in columns else "" for row in sheet.rows]
    naming = [i for i in texts if len({(p, row[i]) for p, row in zip(places, sheet.rows, strict=True)}) == len(places)]
    if len(naming) > 1 or (texts and not naming):
        headers = ", ".join(quoted(sheet.headers[i]) for i in texts)
        raise sheet.error(
            f"no column entity, but texts in {headers}",
            way_out=[("say which with ", Option("entity", "…", option="entity-column")), "drop them"],
        )
    return {"entity": naming[0]} if naming else {}


def _is_name(cell: str) -> bool:
    return bool(re.search(r"[^\W\d_]", cell)) and not missing_text(cell)


def _refuse_sums(values: Sequence[Sequence[Any]], names: Sequence[str], tolerance: float, space: SampleSpace) -> None:
    """Explain both readings of a table that is neither counts nor probabilities."""
    totals = [sum(map(float, row)) for row in values]
    off = [i for i, total in enumerate(totals) if abs(total - 1) > tolerance]
    if not off or any(value < 0 for row in values for value in row) or 0 in totals:
        return
    i = off[0]
    j, k = next((j, k) for j, row in enumerate(values) for k, value in enumerate(row) if not isinstance(value, int))
    if all(abs(total - 100) < 1 for total in totals):
        ways: list[Any] = ["if these are percentages, divide them by 100"]
    elif all(abs(total - 1) < 0.01 for total in totals):
        ways = ["if these are rounded, divide each row by its sum", ("pass a larger ", Option("tolerance"))]
    else:
        ways = ["give whole counts in every row", "divide each row by its sum"]
    raise DataError(
        f"{listed(space.outcomes)} sum to {totals[i]:.9g}. As probabilities they must sum to 1 within {tolerance:g}; "
        f"as counts all must be whole numbers, but row {j + 1} has {space.outcomes[k]} = {values[j][k]:.9g}",
        where=Place(row=i, name=names[i]),
        way_out=ways,
    )
