"""Tables of published rates: files, data frames and records with rates in the place of counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._scores import as_score
from ..account import ONLY_COUNTS, Account
from ..checks import checked_rng, checked_size, rows_of
from ..checks.numbers import refuse_idle_decimals
from ..domains.shift import checked_shift
from ..errors import DataError, Option, RankscapeError, UsageError
from ..io.cells import missing, missing_text, number_of_text, whole_of
from ..io.content import whole_sheet
from ..io.counts import is_numbered, names_in
from ..io.headers import AS_PRINTED, SIZES, PrintedRatesError, columns_of, naming_column, role, size_of
from ..io.sheets import Sheet, quoted
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..results import Result, Table
from ..texts import counted, listed, some
from ..typing import PosteriorMethod, PriorLike, RandomLike, ScoreLike, TableLike, Ties
from ..uncertainty import Draws, drawn_from, evidence_of_counts
from ..uncertainty.draws import APART, given_seed
from .contradictions import contradiction, contradiction_of_shares
from .leeway import Leeway, leeway
from .ranking import PublishedRanking, nearest, ranked, refuse_open
from .rates import RATES, Printed, decimals_of, printed, score_of
from .reconstruction import Reconstruction, Sizes, checked_sizes, reconstructed

CHOICES = 20
"""How many choices of tables of counts draws are made from, where several tables round to what is printed."""


@dataclass(frozen=True, eq=False, repr=False)
class PublishedTable(Result):
    """Published rates of n entities.

    What the rates leave open is kept, so that rankings have bounds.

    Attributes
    ----------
    names
        The entities.
    rates
        The printed rates of each, as texts.
    sources
        What they leave: all tables of counts (:class:`Reconstruction`) where the number of cases is known, else ranges
        of rates.
    notes
        The columns that were not used.
    account
        What was read; None where the table was made of something else.

    See Also
    --------
    rankscape.read_published
    rankscape.reconstruct

    Examples
    --------
    >>> import rankscape as rs
    >>> table = rs.read_published(
    ...     {
    ...         "model": ["a"],
    ...         "Sensitivity": ["83 %"],
    ...         "Specificity": ["91 %"],
    ...         "n": ["160"],
    ...         "n_positive": ["60"],
    ...     }
    ... )
    >>> table.sources[0].counts.tolist()
    [[91, 9, 10, 50]]
    """

    names: tuple[str, ...]
    rates: tuple[tuple[str, ...], ...]
    sources: tuple[Reconstruction | Leeway, ...]
    notes: tuple[str, ...] = ()
    account: Account | None = None

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> Reconstruction | Leeway:
        """Return what the rates of one entity leave. Raises UsageError for an unknown name."""
        return self.sources[rows_of(self.names, name, "entity")[0]]

    @property
    def heading(self) -> str:
        """How many entities there are."""
        return f"Published rates of {counted(len(self.names), 'model')}"

    @property
    def tables(self) -> tuple[int | None, ...]:
        """How many tables of counts round to the rates of each entity: None beyond a million, 0 without n."""
        return tuple(one.n_solutions if isinstance(one, Reconstruction) else 0 for one in self.sources)

    def performances(self, shift_prior: PriorLike | None = None) -> Performances:
        """Return the performance of each entity that is nearest to the printed rates; rounding is ignored.

        It has counts where all entities have a number of cases, and no prior is shifted to.

        Parameters
        ----------
        shift_prior
            The share of positives π₊ to shift to; by default none.

        Returns
        -------
        Performances
            One row per entity.

        Raises
        ------
        UsageError
            Where a prior is needed.

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.read_published({"model": ["a"], "sensitivity": ["0.83"], "specificity": ["0.91"]})
        >>> P.performances(shift_prior=0.5).mass.round(3).tolist()
        [[0.455, 0.045, 0.085, 0.415]]
        """
        prior = checked_shift(shift_prior, TWO_CLASS)
        for name, one in zip(self.names, self.sources, strict=True):
            if isinstance(one, Leeway):
                refuse_open(one, lambda P: P.mass, prior, f'"{name}"', "shares of outcomes")
        rows = [nearest(one, prior, f'"{name}"') for name, one in zip(self.names, self.sources, strict=True)]
        known = all(isinstance(one, Reconstruction) and one.counts is not None for one in self.sources)
        make = Performances.from_counts if known and prior is None else Performances.from_exact
        return make(rows, names=self.names)

    def rank(
        self, by: ScoreLike | None = None, shift_prior: PriorLike | None = None, ties: Ties = "min"
    ) -> PublishedRanking:
        """Rank the entities by a score, with bounds of ranks and values over all that rounds to the printed decimals.

        Where the number of cases is known, the bounds are over all tables of counts that round to what is printed, else
        over all shares of outcomes that do: every column counts, and a score that is printed bounds itself. A bound may
        be wider than necessary, never narrower, where balanced accuracy, κ, MCC and the like are printed, and for
        scores without a place on the Tile.

        Parameters
        ----------
        by
            The score or preference; by default F₁.
        shift_prior
            The share of positives of the population that you care about; by default that of the table.
        ties
            The rank that tied entities share: "min", "max" or "average".

        Returns
        -------
        PublishedRanking
            The ranking, with bounds.

        Raises
        ------
        UsageError
            Where the columns leave the score open, and for a score whose bounds are not known.

        See Also
        --------
        rankscape.rank : where the counts are known
        rankscape.reconstruct

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.read_published(
        ...     {"model": ["a", "b"], "sensitivity": ["0.9", "0.8"], "specificity": ["0.8", "0.9"]}
        ... )
        >>> P.rank("balanced accuracy", shift_prior=0.02).bounds.tolist()
        [[1.0, 2.0], [1.0, 2.0]]
        """
        prior = checked_shift(shift_prior, TWO_CLASS)
        return ranked(self.names, self.sources, as_score(by, TWO_CLASS), ties, prior, self.tables, self.notes)

    def draws(
        self,
        draws: int = 2000,
        rng: RandomLike = 0,
        *,
        method: PosteriorMethod = "exchangeable",
        shift_prior: PriorLike | None = None,
    ) -> Draws:
        """Return draws of the performances behind the printed rates, for :func:`rankscape.uncertainty.rank_intervals`.

        Where one table of counts rounds to the rates of each entity, these are the draws of those counts. Else each
        draw first takes one of the tables, all as likely: it mixes rounding and chance.

        Parameters
        ----------
        draws
            The number of draws.
        rng
            A generator or a seed; None draws another sample each time.
        method
            The prior distribution of a rate, as in :func:`rankscape.uncertainty.posterior`.
        shift_prior
            The share of positives to shift to; by default none.

        Returns
        -------
        Draws
            For :func:`rankscape.uncertainty.rank_intervals`.

        Raises
        ------
        DataError
            For rates without numbers of cases, and where more than a million tables round to them.

        Examples
        --------
        >>> import rankscape as rs
        >>> P = rs.read_published(
        ...     {
        ...         "model": ["a", "b"],
        ...         "sensitivity": ["0.9", "0.6"],
        ...         "specificity": ["0.9", "0.7"],
        ...         "n_positive": [50, 50],
        ...         "n_negative": [50, 50],
        ...     }
        ... )
        >>> rs.uncertainty.rank_intervals(P.draws(500), "accuracy").p_first.round(1).tolist()
        [1.0, 0.0]
        """
        prior = checked_shift(shift_prior, TWO_CLASS)
        made = _drawn(self.names, self.sources, draws, rng, method)
        return made.shift_priors(prior)

    def table(self) -> Table:
        """Return one row per entity: entity, rates, tables (how many counts round to them; 0 without n).

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        return Table({"entity": self.names, "rates": [", ".join(one) for one in self.rates], "tables": self.tables})


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
    every_name = None if columns.entity is None else names_in(sheet, columns.entity, "entity")
    names = [f"P{i + 1}" if every_name is None else every_name[row] for i, row in enumerate(rows)]
    if twice := next((i for i, name in enumerate(names) if name in names[:i]), 0):
        place = sheet.place(rows[twice], names[twice])
        raise DataError("this name occurs twice", where=place, way_out="rename or drop one")
    refuse_idle_decimals(decimals, (sheet.rows[row][i] for row in rows for i in columns.rates))
    every = [_row(sheet, columns, row, name, decimals) for row, name in zip(rows, names, strict=True)]
    averages = _averages(sheet, [rates for rates, _ in every])
    sources: list[Reconstruction | Leeway] = []
    for row, name, (rates, sizes) in zip(rows, names, every, strict=True):
        with _at_row(sheet, row, name, averages):
            left = reconstructed(rates, sizes) if _have_counts(rates, sizes) else leeway(rates)
            if left is None:
                raise contradiction_of_shares(rates)
            sources.append(left)
    used = {columns.entity, columns.domain, *columns.rates, *columns.sizes.values()}
    unused = [header for i, header in enumerate(sheet.headers) if i not in used]
    of_columns = [f"column{'s' if unused[1:] else ''} not used: {some(unused, 8)}"] if unused else []
    notes = (*of_columns, *sheet.notes, *_idle(names, sources, [sizes for _, sizes in every]), *averages)
    named = {"entity": columns.entity, "domain": columns.domain}
    roles = {role: (sheet.headers[column],) for role, column in named.items() if column is not None}
    where, models = sheet.where or "data in memory", len(names)
    account = Account(where, len(sheet.rows), models=models, columns=roles, unused=tuple(unused))
    texts = tuple(tuple(map(str, rates)) for rates, _ in every)
    return PublishedTable(tuple(names), texts, tuple(sources), notes, account)


def sheet_of_counts(sheet: Sheet, entity: str | None, domain: str | None) -> Sheet | None:
    """Return a table of printed rates with counts in their place, where exactly one table of counts rounds to each row.

    It is None where numbers of cases are missing. Raises PrintedRatesError where the rounding leaves several tables,
    and DataError where a row contradicts itself.
    """
    try:
        columns = _columns(sheet, entity, domain)
    except DataError:  # what is wrong with these columns, the reader of counts says
        return None
    if not columns.sizes:
        return None
    names = None if columns.entity is None else names_in(sheet, columns.entity, "entity")
    called: Sequence[str | None] = names or [None] * len(sheet.rows)
    every = [_row(sheet, columns, row, name, None) for row, name in enumerate(called)]
    if not every or not all(_have_counts(*one) for one in every):
        return None
    averages = _averages(sheet, [rates for rates, _ in every])
    kept = [i for i in range(len(sheet.headers)) if i not in {*columns.rates, *columns.sizes.values()}]
    rows: list[list[Any]] = []
    for row, (name, (rates, sizes)) in enumerate(zip(called, every, strict=True)):
        with _at_row(sheet, row, name, averages):
            counts = sizes.search(rates).solutions(most=1)
            if counts is not None and not len(counts):
                raise contradiction(rates, sizes.search, str(sizes))
        if counts is None:
            raise PrintedRatesError(
                f"several tables of counts round to {listed(list(map(str, rates)))}", where=sheet.place(row, name),
                way_out=[AS_PRINTED, "give more decimals"],
            )  # fmt: skip
        rows.append([*(sheet.rows[row][i] for i in kept), *counts[0].tolist()])
    headers = (*(sheet.headers[i] for i in kept), *TWO_CLASS.outcomes)
    return replace(sheet, headers=headers, rows=rows, notes=(*sheet.notes, *averages, ONLY_COUNTS))


@contextmanager
def _at_row(sheet: Sheet, row: int, name: str | None, hints: Sequence[str] = ()) -> Iterator[None]:
    """Say in which row something is wrong."""
    try:
        yield
    except RankscapeError as error:
        raise DataError(
            error.what, where=sheet.place(row, name), expected=error.expected, got=error.got,
            way_out=[*error.ways_out, *hints],
        ) from None  # fmt: skip


def _row(
    sheet: Sheet, columns: _Columns, row: int, name: str | None, decimals: int | None
) -> tuple[list[Printed], Sizes]:
    """Return the rates and the numbers of cases of a row. Raises DataError where there is no rate, or one is none."""
    with _at_row(sheet, row, name):
        cells = [(sheet.headers[i], sheet.rows[row][i]) for i in columns.rates]
        rates = [printed(name, cell, decimals_of(name, decimals)) for name, cell in cells if not _absent(cell)]
        if not rates:
            raise UsageError("no rate is given", expected="two at least")
        sizes = {key: cell for key, i in columns.sizes.items() if not _absent(cell := sheet.rows[row][i])}
        for key, cell in sizes.items():
            if isinstance(cell, str):
                sizes[key] = number = number_of_text(whole_of(cell), commas=False)
                if not isinstance(number, int):
                    raise UsageError(f"{key} = {quoted(cell)} is not a number of cases", expected="a whole number")
        return rates, checked_sizes(**sizes)


def _absent(cell: Any) -> bool:
    return missing(cell) or (isinstance(cell, str) and missing_text(cell))


def _have_counts(rates: Sequence[Printed], sizes: Sizes) -> bool:
    """Tell whether the number of cases has a bound, so that tables of counts can be found."""
    one = sizes.n_positive or sizes.n_negative
    shares = any(rate.key in ("prior", "negativeprior") and rate.low > 0 and rate.high < 1 for rate in rates)
    return sizes.n is not None or bool(one and shares)


AVERAGES = {("tpr", "accuracy"): "weighted", ("fnr", "er"): "weighted", ("tpr", "ba"): "macro"}
"""Rates that are equal if they are averages over classes: weighted by the sizes of the classes, or not."""

BY_CHANCE = 0.01
"""Rates of a few decimals may be equal in all rows by chance; where that is less probable, it is none."""


def _averages(sheet: Sheet, rates: Sequence[Sequence[Printed]]) -> tuple[str, ...]:
    """Refuse averages over classes that are printed as rates of one class; say so where only one row looks like it.

    The weighted average of recall is accuracy. Two classes have that, too, where TPR = TNR, as a specificity shows.
    """
    for pair, kind in AVERAGES.items():
        alike = [equal for one in rates if (equal := _alike(one, pair)) is not None]
        some_lack_it = len(alike) < sum(any(rate.key in pair for rate in one) for one in rates)
        if not alike or some_lack_it or not all(alike):
            continue
        one, other = (next(rate.name for row in rates for rate in row if rate.key == key) for key in pair)
        same = f"{quoted(one)} equals {quoted(other)} in {'every row' if len(rates) > 1 else 'the only row'}"
        units = [max(rate.unit for rate in row if rate.key in pair) for row in rates]
        if len(alike) == 1 or prod(4 * unit for unit in units) > BY_CHANCE:
            return (f"{same}, as in {kind} averages over the classes; read as rates of the positive class",)
        ways = [f"keep {quoted(other)} alone, with a column n, to rank accuracies"] if kind == "weighted" else []
        raise sheet.error(
            f"{same}, as in {kind} averages over the classes, which are no rates of one class",
            expected="rates of the positive class",
            way_out=[*ways, "add a column specificity, if two classes have equal error rates"],
        )
    return ()


def _alike(rates: Sequence[Printed], pair: tuple[str, str]) -> bool | None:
    """Tell whether two rates of a row are equal within rounding; None where that says nothing.

    It says nothing where both are 0 or 1, and where a specificity shows equal error rates.
    """
    by = {rate.key: rate for rate in rates}
    if not all(key in by for key in pair) or by[pair[0]].value in (0, 1):
        return None
    one, other = (by[key] for key in pair)
    true = {"tnr": (one.low, one.high), "fpr": (1 - one.high, 1 - one.low)}
    if pair[0] == "fnr":
        true = {"fpr": (one.low, one.high), "tnr": (1 - one.high, 1 - one.low)}
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


def _known(header: str) -> bool:
    try:
        return role(header) is not None or size_of(header) is not None or score_of(header) is not None
    except UsageError:  # a name with two meanings, about which reading will raise
        return True


def _columns(sheet: Sheet, entity: str | None, domain: str | None) -> _Columns:
    places = columns_of(sheet, entity, domain, {})
    if entity is None and "entity" in places and is_numbered(sheet, places["entity"]):
        del places["entity"]
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
            way_out=[("choose one with ", Option("domain", "…"))],
        )
    rows = [i for i, cell in enumerate(cells) if domain in (None, cell)]
    if not rows:
        raise sheet.error(f"no row is of the domain {quoted(domain)}", expected=some(list(dict.fromkeys(cells))))
    return rows


def _idle(names: Sequence[str], sources: Sequence[Reconstruction | Leeway], sizes: Sequence[Sizes]) -> Iterator[str]:
    """Say which numbers of cases were not used, because the number of all cases does not follow."""
    for key, other in (("n_positive", "n_negative"), ("n_negative", "n_positive")):
        lonely = [
            name for name, source, known in zip(names, sources, sizes, strict=True)
            if isinstance(source, Leeway) and getattr(known, key) is not None
        ]  # fmt: skip
        if lonely:
            yield (
                f"{key} not used for {some(lonely)}: alone it does not say how many cases there are in all; add n, "
                f"{other} or a prevalence above 0"
            )


# ---- draws: chance, and what the rounding hides, together


def _drawn(
    names: Sequence[str],
    sources: Sequence[Reconstruction | Leeway],
    draws: int,
    rng: RandomLike,
    method: PosteriorMethod,
) -> Draws:
    """Return draws as of counts; of several tables that round to what is printed each draw takes one, all as likely.

    Raises DataError for rates without numbers of cases, and where tables are too many to be listed.
    """
    count, seed = checked_size("draws", draws), given_seed(rng)
    tables = [_counts(name, what) for name, what in zip(names, sources, strict=True)]
    nearest = Performances.from_counts(
        np.array([what.nearest() for what in sources if isinstance(what, Reconstruction)]), names=list(names)
    )
    if all(len(counts) == 1 for counts in tables):
        return drawn_from(evidence_of_counts(nearest), count, rng, method)
    entropy = int(checked_rng(rng).integers(2**63)) if seed is None else seed
    order = {name: place for place, name in enumerate(sorted(names))}  # the order of the rows changes nothing
    choices = min(CHOICES, count)
    picks = [np.random.default_rng([entropy, order[name]]).integers(len(counts), size=choices)
             for name, counts in zip(names, tables, strict=True)]  # fmt: skip
    parts = []
    for i in range(choices):
        chosen = np.array([counts[rows[i]] for rows, counts in zip(picks, tables, strict=True)])
        generator = np.random.default_rng([entropy, len(names), i])
        evidence = evidence_of_counts(Performances.from_counts(chosen, names=list(names)))
        parts.append(drawn_from(evidence, -(-count // choices), generator, method))
    first = drawn_from(evidence_of_counts(nearest), count, entropy, method)
    phrase = f"{choices} choices of the tables of counts that round to what is printed, and of each {first.method}"
    notes = (*first.notes, "All tables of counts that round to the same rates are taken as equally likely")
    printed = [counts.tobytes() for counts in tables]
    same = np.array([printed.index(one) for one in printed])
    mixed = replace(first, method=phrase, notes=notes, seed=seed, source=lambda: _in_turn(parts), same=same)
    apart = [replace(part.apart, count=-(-APART // choices)) for part in parts if part.apart is not None]
    return replace(
        mixed, apart=replace(mixed, apart=None, count=APART, source=lambda: _in_turn(apart)) if apart else None
    )


def _in_turn(parts: Sequence[Draws]) -> Iterator[NDArray[Any]]:
    for part in parts:
        yield from part.blocks()


def _counts(name: str, what: Reconstruction | Leeway) -> NDArray[Any]:
    """Return the tables of counts of one entity. Raises DataError where there are none."""
    if not isinstance(what, Reconstruction):
        raise DataError(
            f"rankscape cannot estimate the uncertainty: {name!r} has rates, but no numbers of cases",
            way_out="add columns n_positive and n_negative, or leave it out",
        )
    if what.counts is None:
        raise DataError(
            "rankscape cannot estimate the uncertainty: more than a million tables of counts round to the rates "
            f"of {name!r}",
            way_out="add columns n_positive and n_negative, or more decimals",
        )
    return what.counts
