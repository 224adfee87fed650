"""Tables of printed rates, in the place of counts: which columns are rates, and what each row leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple

from ..account import ONLY_COUNTS, Account
from ..errors import DataError, Option, Place, UsageError
from ..outcomes import TWO_CLASS
from ..published.rates import RATES, Printed, checked_decimals, printed, score_of
from ..published.reconstruction import SIZES, Reconstruction, Sizes, checked_sizes, contradiction, reconstructed
from ..published.shares import Leeway, Range, contradiction_of_shares, leeway
from ..published.tables import PublishedTable, may_be_one, share_of_positives
from ..texts import listed, some
from ..typing import TableLike
from .cells import number_of_text, whole_of
from .content import whole_sheet
from .counts import located, names_in
from .headers import AS_PRINTED, PrintedRatesError, columns_of, empty, naming_column, role, size_of
from .sheets import Sheet, quoted


def read_published(
    source: TableLike,
    *,
    entity: str | None = None,
    domain: str | None = None,
    domain_column: str | None = None,
    decimals: int | None = None,
    encoding: str | None = None,
) -> PublishedTable:
    r"""Read published rates, such as sensitivity, specificity, precision or F1, in the place of counts.

    Parameters
    ----------
    source
        What :func:`rankscape.read` takes: a file, a data frame, a mapping of columns or a list of records. Columns are
        named by scores ("Sensitivity (%)", "recall", "F1"), and may be accompanied by n, n_positive, n_negative and
        prevalence. Cells keep their decimals, and may have percent signs and decimal commas; an empty one is unknown.
    entity, domain_column, encoding
        Other headers of the names and of the domains, and the encoding, as in :func:`rankscape.read`.
    domain
        The domain to be read, where the table has several.
    decimals
        How many decimals numbers (not texts) were printed with; by default as many as Python prints.

    Returns
    -------
    PublishedTable
        With ``rank(by, shift_prior)``.

    Raises
    ------
    DataError
        Naming the row: for a cell that is no rate, and where the rates of a row contradict each other.

    See Also
    --------
    rankscape.read : tables of counts
    rankscape.reconstruct : the counts behind a few rates

    Examples
    --------
    >>> import io
    >>> import rankscape as rs
    >>> text = "test;Sensitivity;Specificity\nA;83,1 %;91 %\nB;90 %;80,5 %\n"
    >>> rs.read_published(io.StringIO(text), entity="test").rank(
    ...     "accuracy", shift_prior=0.02
    ... ).possible_first
    ('A',)
    """
    headers_named = {header for header in (entity, domain_column) if header is not None}
    sheet = whole_sheet(source, encoding, lambda header: header in headers_named or _known(header))
    columns = _columns(sheet, entity, domain_column)
    rows = _rows_of_domain(sheet, columns, domain)
    checked_decimals(decimals, (sheet.rows[row][i] for row in rows for i in columns.rates))
    every = _read_rows(sheet, columns, rows, decimals)
    names = [one.name or f"P{i + 1}" for i, one in enumerate(every)]
    if twice := next((i for i, name in enumerate(names) if name in names[:i]), 0):
        raise DataError("this name occurs twice", where=every[twice].place, way_out="rename or drop one")
    averages = _averages(sheet, every)
    sources: list[Reconstruction | Leeway] = []
    for one in every:
        with located(one.place, averages):
            tables = reconstructed(one.rates, one.sizes) if one.is_counted else None
            left: Reconstruction | Leeway | None = tables
            if tables is None or tables.counts is None:
                n, positive = one.sizes.n, one.sizes.n_positive
                prior = Fraction(positive, n) if n and positive is not None else None
                left = leeway(one.rates, prior, None if one.is_counted else 0)
            if left is None:
                raise contradiction_of_shares(one.rates)
            sources.append(left)
    _refuse_differing(sheet, every, list(map(share_of_positives, sources)))
    used = {columns.entity, columns.domain, *columns.rates, *columns.sizes.values()}
    unused = [header for i, header in enumerate(sheet.headers) if i not in used]
    of_columns = [f"column{'s' if unused[1:] else ''} not used: {some(unused, 8)}"] if unused else []
    notes = (*of_columns, *sheet.notes, *_idle(names, sources, every), *averages)
    where, models = sheet.where or "data in memory", len(names)
    account = Account(where, len(sheet.rows), models=models, columns=columns.named(sheet), unused=tuple(unused))
    texts = tuple(tuple(map(str, one.rates)) for one in every)
    return PublishedTable(tuple(names), texts, tuple(sources), notes, account)


def sheet_of_counts(
    sheet: Sheet, entity: str | None, domain: str | None, only: str | None = None
) -> tuple[Sheet, dict[str, tuple[str, ...]]] | None:
    """Return a table of printed rates as counts, and its columns, where exactly one table of counts rounds to each row.

    Where ``only`` is a domain, the rows of others are left aside. It is None where numbers of cases are missing. Raises
    PrintedRatesError where the rounding leaves several tables, and DataError where a row contradicts itself.
    """
    try:
        columns = _columns(sheet, entity, domain)
    except DataError:  # what is wrong with these columns, the reader of counts says
        return None
    if not columns.sizes:
        return None
    chosen = list(range(len(sheet.rows)))
    if only is not None and columns.domain is not None:
        named = names_in(sheet, columns.domain, "domain")
        chosen = [row for row in chosen if named[row] == only] or chosen
    every = _read_rows(sheet, columns, chosen)
    if not every or not all(one.is_counted for one in every):
        return None
    averages = _averages(sheet, every)
    kept = [i for i in range(len(sheet.headers)) if i not in {*columns.rates, *columns.sizes.values()}]
    rows, tables = list[list[Any]](), list[Reconstruction]()
    for row, one in zip(chosen, every, strict=True):
        with located(one.place, averages):
            counts = one.sizes.search(one.rates).solutions(most=1)
            if counts is not None and not len(counts):
                raise contradiction(one.rates, one.sizes)
        if counts is None:
            raise PrintedRatesError(
                f"several tables of counts round to {listed(list(map(str, one.rates)))}", where=one.place,
                way_out=[AS_PRINTED, "give more decimals"],
            )  # fmt: skip
        tables.append(Reconstruction(counts, one.sizes, tuple(one.rates)))
        rows.append([*(sheet.rows[row][i] for i in kept), *counts[0].tolist()])
    of_domain = [""] * len(sheet.rows) if columns.domain is None else names_in(sheet, columns.domain, "domain")
    for domain in dict.fromkeys(of_domain[row] for row in chosen):
        here = [k for k, row in enumerate(chosen) if of_domain[row] == domain]
        _refuse_differing(sheet, [every[k] for k in here], [share_of_positives(tables[k]) for k in here])
    headers = (*(sheet.headers[i] for i in kept), *TWO_CLASS.outcomes)
    notes = (*sheet.notes, *averages, ONLY_COUNTS)
    return replace(sheet, headers=headers, rows=rows, notes=notes), columns.named(sheet)


class _Row(NamedTuple):
    """The rates and the numbers of cases in a row; the name is None where no column has it."""

    name: str | None
    place: Place
    rates: list[Printed]
    sizes: Sizes

    @property
    def is_counted(self) -> bool:
        """Whether the number of cases has a bound, so that tables of counts can be found."""
        one = self.sizes.n_positive or self.sizes.n_negative
        shares = any(rate.key in ("prior", "negativeprior") and rate.low > 0 and rate.high < 1 for rate in self.rates)
        return self.sizes.n is not None or bool(one and shares)


def _read_rows(sheet: Sheet, columns: _Columns, rows: Sequence[int], decimals: int | None = None) -> list[_Row]:
    """Return what some rows hold. Raises DataError where there is no rate, or one is none."""
    names = None if columns.entity is None else names_in(sheet, columns.entity, "entity")
    every = []
    for row in rows:
        name = None if names is None else names[row]
        place, cells = sheet.place(row, name), sheet.rows[row]
        with located(place):
            given = [(sheet.headers[i], cells[i]) for i in columns.rates if not empty(cells[i])]
            if not given:
                raise UsageError("no rate is given", expected="two at least")
            rates = [printed(header, cell, decimals) for header, cell in given]
            sizes = {key: cells[i] for key, i in columns.sizes.items() if not empty(cells[i])}
            for key, cell in sizes.items():
                if isinstance(cell, str | Decimal):
                    number = number_of_text(whole_of(str(cell).removesuffix(".0")), commas=False)
                    if not isinstance(number, int):  # 1.000 may be 1 or 1 000
                        problem = f"{key} = {quoted(str(cell))} is not a number of cases"
                        raise UsageError(problem, expected="a whole number ≥ 0")
                    sizes[key] = number
            every.append(_Row(name, place, rates, checked_sizes(**sizes)))
    return every


AVERAGES = {("tpr", "accuracy"): "weighted", ("fnr", "er"): "weighted", ("tpr", "ba"): "macro"}
"""Rates that are equal if they are averages over classes: weighted by the sizes of the classes, or not."""

BY_CHANCE = 0.01
"""Rates of a few decimals may be equal in all rows by chance; where that is less probable, it is none."""


def _averages(sheet: Sheet, every: Sequence[_Row]) -> tuple[str, ...]:
    """Refuse averages over classes that are printed as rates of one class; say so where only one row looks like it."""
    # The weighted average of recall is accuracy. Two classes have that, too, where TPR = TNR, as a specificity shows.
    _refuse_always_one_class(every)
    rates = [one.rates for one in every]
    for pair, kind in AVERAGES.items():
        alike = [equal for one in rates if (equal := _alike(one, pair)) is not None]
        some_lack_it = len(alike) < sum(any(rate.key in pair for rate in one) for one in rates)
        if not alike or some_lack_it or not all(alike):
            continue
        one, other = (next(rate.name for row in rates for rate in row if rate.key == key) for key in pair)
        same = f"{quoted(one)} equals {quoted(other)} in {'every row' if len(rates) > 1 else 'the only row'}"
        coarse = [max(rate.unit for rate in row if rate.key in pair) for row in rates]
        if len(alike) == 1 or prod(4 * unit for unit in coarse) > BY_CHANCE:
            return (f"{same}, as in {kind} averages over the classes; read as rates of the positive class",)
        ways = [f"keep {quoted(other)} alone, with a column n, to rank accuracies"] if kind == "weighted" else []
        raise sheet.error(
            f"{same}, as in {kind} averages over the classes, which are no rates of one class",
            expected="rates of the positive class",
            way_out=[*ways, "add a column specificity, if two classes have equal error rates"],
        )
    return ()


def _refuse_differing(sheet: Sheet, every: Sequence[_Row], shares: Sequence[Range]) -> None:
    """Refuse shares of positives that differ, where one number of cases in all rows says that they are the same."""
    n = every[0].sizes.n
    stated = any(rate.key in ("prior", "negativeprior") for one in every for rate in one.rates)
    if n is None or stated or len({one.sizes for one in every}) > 1 or may_be_one(shares):
        return
    names = [one.name or f"P{i + 1}" for i, one in enumerate(every)]
    least, most = (
        max(range(len(every)), key=lambda i: shares[i].low),
        min(range(len(every)), key=lambda i: shares[i].high),
    )
    low, high = float(100 * shares[least].low), float(100 * shares[most].high)
    raise sheet.error(
        f"all rows are of n = {n} cases, but of these the rates leave {low:.4g} % of positives or more for "
        f"{quoted(names[least])}, and {high:.4g} % or less for {quoted(names[most])}",
        expected="rates of the positive class, not averages over classes (macro, weighted)",
        way_out="add a column n_positive or prevalence, if the models were tried on different cases",
    )


def _refuse_always_one_class(every: Sequence[_Row]) -> None:
    """Refuse macro averages, which the row of a model that always says the same class gives away."""
    units: dict[str, Fraction] = {}  # of each column: a table may leave out zeros at the end
    for rate in (rate for read in every for rate in read.rates):
        units[rate.key] = min(rate.unit, units.get(rate.key, rate.unit))
    for read in every:
        if k := _always_one_class(read.rates, units, len(every)):
            name = next(rate.name for rate in read.rates if rate.key == "tpr")
            raise DataError(
                f"{quoted(name)} is 1/{k} and the precision 1/{k} of the accuracy, as in macro averages over "
                f"{k} classes of a model that always says the same one, which are no rates of one class",
                where=read.place,
                expected="rates of the positive class",
                way_out="add a column specificity, if they are",
            )


def _always_one_class(rates: Sequence[Printed], finest: Mapping[str, Fraction], rows: int) -> int:
    """Return of how many classes rates are macro averages, of a model that always says the largest class; else 0."""
    # Such a model has a recall of 1 and a precision that is the accuracy, for one class, and 0 for all others.
    by = {rate.key: rate.value for rate in rates}
    if not {"tpr", "ppv", "accuracy"} <= {*by} or {"tnr", "fpr"} & {*by}:
        return 0
    likely = BY_CHANCE / (4 * finest["tpr"] * 4 * finest["ppv"] * rows)  # of how many numbers of classes chance tells
    of = range(2, 2 + min(9, int(likely)))
    same = (
        k
        for k in of
        if abs(by["tpr"] - Fraction(1, k)) <= finest["tpr"] and abs(by["ppv"] - by["accuracy"] / k) <= finest["ppv"]
    )
    return next(same, 0)


def _alike(rates: Sequence[Printed], pair: tuple[str, str]) -> bool | None:
    """Tell whether two rates of a row are equal within rounding; None where that says nothing."""
    # It says nothing where both are 0 or 1, and where a specificity shows equal error rates.
    by = {rate.key: rate for rate in rates}
    if not all(key in by for key in pair) or by[pair[0]].value in (0, 1):
        return None
    one, other = (by[key] for key in pair)
    same, rest = ("fpr", "tnr") if pair[0] == "fnr" else ("tnr", "fpr")
    true = {same: (one.low, one.high), rest: (1 - one.high, 1 - one.low)}
    if any(key in by and by[key].low <= high and low <= by[key].high for key, (low, high) in true.items()):
        return None
    return one.low <= other.high and other.low <= one.high


@dataclass(frozen=True)
class _Columns:
    """Where the columns of a table are."""

    entity: int | None
    domain: int | None
    rates: tuple[int, ...]
    sizes: Mapping[str, int]

    def named(self, sheet: Sheet) -> dict[str, tuple[str, ...]]:
        """Return the headers as an account has them."""
        places = {"entity": [self.entity], "domain": [self.domain], "rate": self.rates, "size": self.sizes.values()}
        return {role: tuple(sheet.headers[i] for i in at if i is not None) for role, at in places.items()}


def _known(header: str) -> bool:
    try:
        return role(header) is not None or size_of(header) is not None or score_of(header) is not None
    except UsageError:  # a name with two meanings, about which reading will raise
        return True


def _columns(sheet: Sheet, entity: str | None, domain: str | None) -> _Columns:
    places = columns_of(sheet, entity, domain, {})
    rates: list[int] = []
    sizes: dict[str, int] = {}
    for i, header in enumerate(sheet.headers):
        if i in places.values():
            continue
        if (size := size_of(header)) is not None and size in SIZES:
            if size in sizes:
                raise sheet.error(
                    f"the columns {quoted(sheet.headers[sizes[size]])} and {quoted(header)} both mean {size}"
                )
            sizes[size] = i
        elif role(header) in TWO_CLASS.outcomes:
            raise sheet.error(f"{quoted(header)} holds counts", expected="rates", way_out="read counts with rs.read")
        elif score_of(header) is not None:
            rates.append(i)
    if len(rates) < 2:
        got = some([sheet.headers[i] for i in rates], quote="", word=quoted) or "none"
        only = [by.key for i in rates if (by := score_of(sheet.headers[i])) is not None] == ["accuracy"]
        raise sheet.error(
            "this table has too few rates", expected=f"two columns at least, of {listed(RATES)}, …", got=got,
            way_out="accuracies can be ranked with a column n, the number of cases of each" if only else (),
        )  # fmt: skip
    if "entity" not in places:
        used = {sheet.headers[i]: i for i in rates} | sizes | places
        if (naming := naming_column(sheet, used)) is not None:
            places["entity"] = naming
    return _Columns(places.get("entity"), places.get("domain"), tuple(rates), sizes)


def _rows_of_domain(sheet: Sheet, columns: _Columns, domain: str | None) -> list[int]:
    if not sheet.rows:
        raise sheet.error("there is no row", expected="one per model below the header")
    if columns.domain is None:
        if domain is not None:
            raise sheet.error("the table names no domains, so none can be chosen")
        return list(range(len(sheet.rows)))
    cells = names_in(sheet, columns.domain, "domain")
    if domain is None and len(set(cells)) > 1:
        raise sheet.error(
            f"the rates are of several domains, {some(list(dict.fromkeys(cells)))}, and rounded rates are not averaged",
            way_out=[("choose one with ", Option("domain", "…", "domain"))],
        )
    rows = [i for i, cell in enumerate(cells) if domain in (None, cell)]
    if not rows:
        raise sheet.error(f"no row is of the domain {quoted(domain)}", expected=some(list(dict.fromkeys(cells))))
    return rows


def _idle(names: Sequence[str], sources: Sequence[Reconstruction | Leeway], every: Sequence[_Row]) -> Iterator[str]:
    """Say which numbers were not used, because the number of all cases does not follow."""
    for key, other in (("n_positive", "n_negative"), ("n_negative", "n_positive")):
        lonely = [
            name for name, source, one in zip(names, sources, every, strict=True)
            if source.n_solutions == 0 and getattr(one.sizes, key) is not None
        ]  # fmt: skip
        if lonely:
            yield (
                f"{key} not used for {some(lonely)}: alone it does not say how many cases there are in all; add n, "
                f"{other} or a prevalence above 0"
            )
