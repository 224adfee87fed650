"""A ranking as a leaderboard: title, table and summary, or one JSON document."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .. import domains, uncertainty
from .._costs import Costs
from .._scores import Score, as_score
from ..domains import Prepared, prepare
from ..errors import NoPlaceError
from ..ordering import Ranking, rank
from ..outcomes import lacks_tn
from ..performances import Performances
from ..results import Table
from ..tasks.success import is_right_or_wrong, mean_of_grades
from ..texts import WIDEST, and_more, counted, estimated, joined, label, rank_range, some, visible
from ..typing import ScoreLike, Ties
from ..uncertainty.defaults import FEW
from .render import PAGE, decimals, in_words, interval, records, render, share_text, to_json

Place = tuple[Fraction, Fraction]
MOST_NAMED, MOST_PAIRS, MOST_COLUMNS = 6, 60, 8
"""A sentence lists so many names, a table so many sure differences; of more only those that follow from no others.

So many domains have a column each.
"""

BETTER = {"larger": "larger is better", "smaller": "smaller is better", None: "the largest is shown first"}

NO_RANK = "No model can be ranked: the score is undefined for all of them"

MOST_DECIMALS = 5
"""Decimals of a percentage, at most: shares that differ by less look alike."""


@dataclass(frozen=True)
class Leaderboard:
    """A ranking with what its reader must know: on which domains, and where the score is on the Tile."""

    ranking: Ranking
    prepared: Prepared
    intervals: uncertainty.RankIntervals | None = None

    def render(self, format_: str, width: int = PAGE, differences: bool = False) -> str:
        """Return the leaderboard in a format of :mod:`rankscape._report`, or its sure ``differences``."""
        intervals = self.intervals if differences else None
        if format_ == "json":
            return to_json(self.document() | ({"differences": records(intervals.differences)} if intervals else {}))
        if format_ == "csv":
            return (intervals.differences if intervals else self.whole()).to_csv()
        notes = [f"Note: {note}" for note in self.notes]
        notes += [f"Caution: {self.ranking.caution}"] if self.ranking.caution else []
        longest = WIDEST if format_ == "table" else None
        title, right = self.title(), right_columns(self.ranking)
        if intervals:
            title, right = self.title(f"Sure differences of {self.many}"), ("value", "value ", "P(better)")
            lines, table = self._differences(intervals, longest)
        else:
            lines, table = self.summary().splitlines(), displayed(self.ranking, longest, self.intervals)
            lacking, domains = self.prepared.lacking, self.prepared.domains
            if lacking:
                names = [self.ranking.names[i] for i in self.ranking.order.tolist()]
                has = [f"{len(domains) - len(lacking.get(name, ()))} of {len(domains)}" for name in names]
                table = Table({column: table[column] for column in table.columns} | {"domains": has})
        summary = "\n".join(map(visible, lines + notes))
        return render(table, format_, title=title, summary=summary, right=right, width=width)

    def _differences(self, intervals: uncertainty.RankIntervals, longest: int | None) -> tuple[list[str], Table]:
        """Return what is to be said of the sure differences, and a table of them."""
        rows = records(intervals.differences)
        lines = [uncertainty.on_differences(intervals, MOST_NAMED).removesuffix(".")]
        if len(rows) > MOST_PAIRS:
            direct = [row for row in rows if row["direct"]]
            lines += [f"The {len(rows) - len(direct)} sure differences that follow from these are not listed"]
            rows = direct
        lines += [*self.about_average, *self.notes_of_draws]
        score = self.ranking.score
        return lines, Table(
            {
                "surely better": [cut(row["better"], longest) for row in rows],
                "value": values_of(score, [row["value_better"] for row in rows]),
                "than": [cut(row["worse"], longest) for row in rows],
                "value ": values_of(score, [row["value_worse"] for row in rows]),
                "P(better)": [estimated(row["probability"]) for row in rows],
            }
        )

    @property
    def place(self) -> Place | None:
        """The place of the score on the Tile; None where it has none."""
        return place_of(self.ranking.score, self.prior)

    @property
    def prior(self) -> float | None:
        """The share of positives at which the score has its place; None where it needs none."""
        return self.prepared.performances.common_prior() if self.ranking.score.sound == "fixed priors" else None

    @property
    def many(self) -> str:
        """How many entities there are."""
        return counted(len(self.ranking.names), "model")

    @property
    def about_average(self) -> list[str]:
        """How domains are averaged, and priors shifted."""
        return [line for line in (self.prepared.about_average, self.prepared.about_shift) if line]

    @property
    def by(self) -> str:
        """The score and which values of it are better."""
        return f"{full_name(self.ranking.score)}; {BETTER[self.ranking.score.direction]}"

    @property
    def notes_of_draws(self) -> list[str]:
        """What was drawn, how, and of what to beware; nothing where nothing was drawn."""
        return [] if self.intervals is None else uncertainty.about_draws(self.intervals)

    @property
    def notes_of_ranking(self) -> list[str]:
        """What the ranking says of itself, without its caution."""
        return [note for note in self.ranking.notes if note != self.ranking.caution]

    @property
    def notes(self) -> list[str]:
        """What the summary does not say already."""
        return [*self.notes_of_ranking, *self.prepared.about_gaps]

    def title(self, what: str = "") -> str:
        """Say which score this is, how it is computed, and what it prefers."""
        score = self.ranking.score
        lines = [f"{what or f'Ranking of {self.many}'} by {self.by}"]
        if score.formula and score.formula != score.name:
            meaning = ", the share of cases that are answered right" if in_percent(score) else ""
            lines.append(formula(score) + meaning)
        if (place := self.place) is not None:
            lines.append(place_in_words(score, place, self.prior))
        return "\n".join(lines)

    def summary(self) -> str:
        """Say which entities are first, tied or undefined, and on what they were measured."""
        ranking, best = self.ranking, sorted(self.ranking.best)
        lines = [NO_RANK]
        if best:
            value = values_of(ranking.score, ranking.values.tolist())[int(ranking.order[0])]
            tied = self.tied if len(best) > 1 else ""
            has = f" ({value}{f', {tied}' if tied else ''})"
            if in_percent(ranking.score):
                has = f", which {'answer' if tied else 'answers'} {value} right{f' ({tied})' if tied else ''}"
            lines = [f"First: {some(best, MOST_NAMED, quote='')}{has}", self.about_costs]
        lines += [*self.about_ties(), *self.about_undefined(), self.about_cases, *self.about_average]
        if self.intervals is not None:
            lines += [visible(line) for line in uncertainty.sentences(self.intervals)]
        return "\n".join(filter(None, lines))

    @property
    def question(self) -> str:
        """What a share of right answers answers; empty for other scores."""
        return "Which model answers the largest share of the cases right?" if in_percent(self.ranking.score) else ""

    @property
    def about_costs(self) -> str:
        """What the first is expected to cost, where the preference was given as costs."""
        return expense(self.ranking.score.costs, self.prepared.performances, self.ranking.best)

    @property
    def tied(self) -> str:
        """How equal values are known to be equal."""
        return "tied exactly" if self.ranking.exact else "tied in floating point"

    @property
    def cases(self) -> int | None:
        """On how many cases all models were tried whose mean errors are ranked; None for others."""
        given, known = self.prepared.given, self.ranking.score.function is not None
        known = known and is_right_or_wrong(given.space) and given.counts is None
        return given.account.cases if known and given.account is not None else None

    @property
    def about_cases(self) -> str:
        """How many cases regressors have; empty for others."""
        return "" if self.cases is None else f"Compared on {counted(self.cases, 'case')}, the same for all"

    def about_ties(self) -> list[str]:
        """Say who is tied, but for the best."""
        best = self.ranking.best
        groups = [
            " = ".join(map(label, names[:MOST_NAMED])) + and_more(len(names), MOST_NAMED)
            for names in tied_groups(self.ranking)
            if names[0] not in best
        ]
        kind = f"Also {self.tied}" if len(best) > 1 else self.tied.capitalize()
        listed = "; ".join(groups[:MOST_NAMED]) + and_more(len(groups), MOST_NAMED)
        return [f"{kind}: {listed}"] if groups else []

    def about_undefined(self) -> list[str]:
        """Say who is not ranked, and why."""
        return [
            f"Undefined, so not ranked: {some(names, MOST_NAMED, quote='')} ({reason})"
            for reason, names in undefined_groups(self.ranking)
        ]

    def whole(self) -> Table:
        """Return the ranking as a table, with the uncertainty where it was asked for."""
        return with_draws(self.ranking.table(), self.intervals)

    def document(self) -> dict[str, Any]:
        """Return the leaderboard as one JSON document."""
        ranking, score, account = self.ranking, self.ranking.score, self.prepared.given.account
        place, outcomes = self.place, score.space.outcomes
        return {
            "schema": "rankscape/rank/1",
            "score": score.name,
            "symbol": score.symbol,
            "formula": score.formula,
            "parameters": dict(score.parameters),
            "direction": score.direction,
            "sound": score.sound,
            "importance": score.importance and dict(zip(outcomes, score.importance, strict=True)),
            "place": place and dict(zip(("a", "b"), place, strict=True)),
            **({"costs": score.costs.document()} if score.costs else {}),
            "ties": ranking.ties,
            "exact": ranking.exact,
            **({} if self.cases is None else {"cases": self.cases}),
            "domains": list(self.prepared.domains),
            "prepared": self.prepared.document(),
            "account": account and account.document(),
            "notes": [*ranking.notes, *self.prepared.sentences()],
            **({} if self.intervals is None else {"uncertainty": _of_draws(self.intervals)}),
            "entities": records(self.whole()),
        }


def leaderboard(performances: Performances | Prepared, by: ScoreLike | None, ties: Ties = "min") -> Leaderboard:
    """Rank what was prepared, or performances as they are, and keep what a reader must know."""
    prepared = performances if isinstance(performances, Prepared) else prepare(performances)
    score = as_score(by, prepared.performances.space)
    return Leaderboard(rank(prepared.performances, by=score, ties=ties), prepared)


def _of_draws(intervals: uncertainty.RankIntervals) -> dict[str, Any]:
    names = ("method", "unit", "paired", "draws", "seed", "level", "simultaneous", "held", "tied_for_first")
    return {name: getattr(intervals, name) for name in names} | {
        "sure_differences": int(intervals.sure.sum()),
        "pairs": intervals.pairs,
        "notes": uncertainty.cautions_of(intervals),
    }


def with_draws(table: Table, intervals: uncertainty.RankIntervals | None, printed: bool = False) -> Table:
    """Return a ranking with what draws say of each entity, where there are some, beside the ranges of printed rates."""
    columns = {name: table[name] for name in table.columns}
    if intervals is not None:
        rows = {row["entity"]: row for row in records(intervals.table())}
        costs = ("cost_low", "cost_high") if intervals.cost_low is not None else ()
        for name in ("low", "high", "p_first", "value_low", "value_high", *costs, *(() if printed else ("tier",))):
            column = f"drawn_{name}" if printed and name != "p_first" else name
            columns[column] = [rows[entity][name] for entity in table["entity"]]
    return Table(columns)


def right_columns(ranking: Ranking) -> tuple[str, ...]:
    """Return the columns of :func:`displayed` that are aligned to the right."""
    costs = ranking.score.costs
    of_costs = () if costs is None else (costs.heading, "cost interval")
    return ("rank", "value", "accuracy", "ranks", "value interval", "accuracy interval", "P(first)", *of_costs)


def values_of(score: Score, values: list[float]) -> list[str]:
    """Return values of a score as they are read, shares of right answers in percent."""
    return shares_right(values) if in_percent(score) else decimals(values)


def cut(name: str, longest: int | None) -> str:
    """Return a name as a label of so many characters at most; as it is where there is no most."""
    return label(name, longest) if longest else name


def displayed(ranking: Ranking, longest: int | None, intervals: uncertainty.RankIntervals | None = None) -> Table:
    """Return the rows as they are read: tied ranks as 2=, undefined ones with the reason."""
    order, accuracy, costs = ranking.order.tolist(), in_percent(ranking.score), ranking.score.costs
    low, high = ranking.bounds[order].T.tolist()
    tied = [first != last and first == first for first, last in zip(low, high, strict=True)]
    ranks = ["—" if rank != rank else f"{rank:g}" for rank in ranking.ranks[order].tolist()]
    notes = [ranking.reasons[i] or "" for i in order]
    columns = {
        "rank": [f"{rank}=" if equal else rank for rank, equal in zip(ranks, tied, strict=True)],
        "model": [cut(ranking.names[i], longest) for i in order],
        "accuracy" if accuracy else "value": values_of(ranking.score, ranking.values[order].tolist()),
    }
    if costs is not None and ranking.expected_costs is not None:
        columns[costs.heading] = costs.numbers(ranking.expected_costs[order])
        if intervals is not None and intervals.cost_low is not None and intervals.cost_high is not None:
            columns["cost interval"] = costs.intervals(intervals.cost_low[order], intervals.cost_high[order])
    if intervals is not None:
        name, write = ("accuracy interval", share_interval) if accuracy else ("value interval", interval)
        columns[name] = list(map(write, *(end[order].tolist() for end in (intervals.value_low, intervals.value_high))))
        columns["ranks"] = list(map(rank_range, *(end[order].tolist() for end in (intervals.low, intervals.high))))
        n = intervals.draws
        columns["P(first)"] = [
            "—" if p != p else f"{p * n:.3g} of {n}" if n < FEW else estimated(p)
            for p in intervals.p_first[order].tolist()
        ]
    if any(tied) or any(notes):
        bounds = [f"tied: {first:g}–{last:g}" if t else "" for first, last, t in zip(low, high, tied, strict=True)]
        columns["note"] = [note or bound for note, bound in zip(notes, bounds, strict=True)]
    return Table(columns)


def roles_of_models(
    parts: domains.Roles, rows: Sequence[int], longest: int | None = None
) -> tuple[Table, tuple[str, ...]]:
    """Return the value of each model, of a mean that on each of few domains, and its easiest, hardest, … domains.

    Also returns the columns that are aligned to the right.
    """
    linear = is_linear(parts.score)  # then the domains weigh what is given, for all alike
    value = "on average" if linear else "summarized"
    columns = {
        "model": [cut(parts.names[row], longest) for row in rows],
        value: values_of(parts.score, [float(parts.summarized[row]) for row in rows]),
    }
    roles = [role for role in parts.sets if role != "preponderant" or not linear]
    few = linear and len(parts.domains) <= MOST_COLUMNS and not {*columns, *roles} & {*parts.domains}
    listed = parts.domains if few else ()
    for place, domain in enumerate(listed):
        columns[domain] = values_of(parts.score, [float(parts.values[row][place]) for row in rows])
    for role in roles[1:] if few else roles:  # the easiest is seen
        columns[role] = [joined(parts.sets[role][row] or ("—",), 2) for row in rows]
    return Table(columns), (value, *listed)


def tied_groups(ranking: Ranking) -> list[list[str]]:
    """Return the names of each group of equivalent entities, best first."""
    groups: dict[float, list[str]] = {}
    for i in ranking.order.tolist():
        if ranking.ranks[i] == ranking.ranks[i]:  # undefined ones are equal to none
            groups.setdefault(float(ranking.bounds[i, 0]), []).append(ranking.names[i])
    return [group for group in groups.values() if len(group) > 1]


def undefined_groups(ranking: Ranking) -> list[tuple[str, list[str]]]:
    """Return each reason why entities have no value, with their names."""
    return list(names_by_reason({ranking.names[row]: ranking.reasons[row] for row in ranking.order.tolist()}).items())


def names_by_reason(reasons: Mapping[str, str | None]) -> dict[str, list[str]]:
    """Return each reason, with the names that it is about; those without one are left out."""
    groups: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        if reason is not None:
            groups.setdefault(reason, []).append(name)
    return groups


def shares_of_positives(data: Performances) -> str:
    """Return at which share of positives performances are."""
    low, high = map(share_text, (data.priors.min(), data.priors.max()))
    return f"a share of positives of {low}" if low == high else f"their own shares of positives, {low} to {high}"


def expense(costs: Costs | None, data: Performances, first: Collection[str], *, beside: bool = False) -> str:
    """Say what the first is expected to cost, and who costs less where anybody does; nothing without costs.

    ``beside`` adds what the cheapest of the others costs.
    """
    if costs is None or not first:
        return ""
    expected = costs.expected(data)
    rows = [row for row, name in enumerate(data.names) if name in first]
    row = rows[0]
    others = [other for other in range(len(data)) if data.names[other] not in first]
    cheapest = min(others, key=lambda other: float(expected[other]), default=row)
    amounts = costs.amounts(expected)
    here, there = amounts[row], amounts[cheapest]
    text = f"Expected cost of {label(data.names[row])}, at {shares_of_positives(data)}: {here} {costs.unit()}"
    name = label(data.names[cheapest])
    if expected[cheapest] < expected[row]:
        return f"{text}. {name} would cost less: {there}"
    return f"{text}. The next, {name}, would cost {there}" if beside and others else text


def full_name(score: Score) -> str:
    """Return the name of a score and its symbol."""
    same = score.symbol.lower() in (score.name.lower(), score.key.lower()) and score.symbol == score.name
    return visible(score.name if same or score.symbol in score.name.split() else f"{score.name} ({score.symbol})")


def formula(score: Score) -> str:
    """Return the formula, and the values of its parameters."""
    values = "".join(
        f", {name} = {float(value):g}" for name, value in score.parameters.items() if name in score.formula
    )
    return visible(f"{score.symbol} = {score.formula}{values}")


def place_of(score: Score, prior: float | Fraction | None) -> Place | None:
    """Return the place of a score on the Tile, None where it has none."""
    try:
        return score.exact_place(prior)
    except NoPlaceError:
        return None


def place_in_words(score: Score, place: Place, prior: float | Fraction | None) -> str:
    """Say where a score is on the Tile and what it prefers."""
    a, b = place
    if lacks_tn(score.space):
        errors = in_words((0, *(score.orders_as or ()))).partition(";")[0]
        return f"On the right side of the Tile, at b = {exactly(b)}: {errors}; true negatives are not known, nor needed"
    weights: Sequence[Any] = score.orders_as or (1 - a, 1 - b, b, a)
    where = f"at the prior {float(prior):.4g}, " if prior is not None and score.orders_as is None else ""
    return f"On the Tile {where}at a = {exactly(a)}, b = {exactly(b)}: {in_words(weights)}"


def exactly(number: Fraction) -> str:
    """Return a fraction as a decimal where four digits are exact, else as a short fraction or rounded."""
    decimal = f"{float(number):.4g}"
    if Fraction(decimal) == number:
        return decimal
    return str(number) if number.denominator < 1000 else decimal


def in_percent(score: Score) -> bool:
    """Tell whether a score is the share of right answers, which reads best in percent.

    >>> from .._scores import score
    >>> from ..tasks.success import SPACE
    >>> (
    ...     in_percent(score("pass rate", SPACE)),
    ...     in_percent(score("error rate", SPACE)),
    ...     in_percent(score("accuracy")),
    ... )
    (True, False, False)
    """
    return is_linear(score) and mean_of_grades(score.space) is None


def is_linear(score: Score) -> bool:
    """Tell whether a score is a mean over cases, such as an accuracy or a mean grade, and so that over domains, too.

    >>> from .._scores import score
    >>> from ..tasks.success import graded
    >>> is_linear(score("mean dice", graded("dice"))), in_percent(score("mean dice", graded("dice")))
    (True, False)
    """
    if not is_right_or_wrong(score.space) or score.direction != "larger" or score.importance is None:
        return False
    return len(set(score.importance)) == 1


def largest_loss(score: Score) -> str:
    """Return what the bottleneck is by its errors, of scores that are means over cases.

    >>> from .._scores import score
    >>> from ..tasks.success import SPACE
    >>> largest_loss(score("pass rate", SPACE))
    'the domain with the largest share of the wrong answers'
    """
    return f"the domain with the largest share of {'the wrong answers' if in_percent(score) else 'what is lost'}"


def shares_right(values: Sequence[float]) -> list[str]:
    """Return shares in percent, with as many decimals as tell different ones apart; undefined ones are a dash.

    >>> (
    ...     shares_right([0.84123, 0.5, float("nan")]),
    ...     shares_right([0.84123, 0.84125]),
    ...     shares_right([1.0, 0.9996]),
    ... )
    (['84.1 %', '50.0 %', '—'], ['84.123 %', '84.125 %'], ['100 %', '99.96 %'])
    """
    known = {value for value in values if value == value}
    for digits in range(1, MOST_DECIMALS + 1):
        texts = {value: _percent(value, digits) for value in known}
        if len(set(texts.values())) == len(known):
            break
    return ["—" if value != value else texts[value] for value in values]


def _percent(value: float, digits: int) -> str:
    """Write a share in percent; only 0 and 1 are written as 0 % and 100 %."""
    if value in (0, 1):
        return f"{100 * value:.0f} %"
    text = f"{100 * value:.{digits}f}"
    while float(text) in (0, 100) and digits < 15:
        digits += 1
        text = f"{100 * value:.{digits}f}"
    return f"{text} %"


def share_interval(low: float, high: float) -> str:
    """Return an interval of shares in percent.

    >>> share_interval(0.7641, 0.8234), share_interval(float("nan"), 1)
    ('76.4 to 82.3 %', '—')
    """
    text = interval(100 * low, 100 * high, 1)
    return text if text == "—" else f"{text} %"
