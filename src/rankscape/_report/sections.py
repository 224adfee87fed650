"""The sections of a ranking card: what was asked, of what, the answer, how sure it is, and what would change it."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from .._scores import Score
from .._scores.proofs import proved_sound
from .._scores.sets import set_of
from .._tradeoff import Tradeoff, tradeoff
from ..decisions import Sweeps
from ..domains import MissingDomainsWarning, Prepared, Weightings, leave_one_out, mean_of_scores, roles
from ..domains.stability import FEWEST
from ..domains.weightings import over_weights
from ..errors import DataError, NoPlaceError, UsageError, in_prose
from ..geometry.curves import odds
from ..ordering import UnsoundScoreWarning
from ..outcomes import TWO_CLASS, lacks_tn
from ..performances import Performances
from ..regions import flips
from ..regions.shares import REFERENCE
from ..results import Table
from ..soundness import audit
from ..tasks.success import is_right_or_wrong
from ..texts import and_more, counted, label, percent, tied
from ..typing import Ties
from ..uncertainty import Draws, RankIntervals, rank_intervals
from ..uncertainty.page_inputs import FLATTERS, NOT_SURE, WinningPoints
from ..uncertainty.summary import chance, on_other_domains, sentences
from .answers import answer, beyond, of_models, readable, right_of_changes, stays
from .at_priors import priors_of
from .leaderboard import Leaderboard, displayed, in_percent, is_linear, leaderboard, right_columns
from .over_weights import RIGHT_OF_WEIGHTS, readable_changes
from .successes import BOTTLENECK, OF_GRADES, about_cases, cases_by_domain, rates_by_domain

MOST_LISTED = 6
LONGEST = 90
"""Characters of the name of the winner, which has a line of its own."""
OF_WEIGHTS = "Who is first for which weights"
SHOWN = 100
"""Of more entities the tables, and the figures with a mark for each, show these first ones."""


@dataclass(frozen=True)
class Section:
    """A part of the card: a title, sentences, and a table where there is one."""

    title: str
    lines: tuple[str, ...]
    table: Table | None = None
    right: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """What a report is about: what is scored and how it came about, by which score, and draws where there are some.

    ``reference`` is the prior at which shares of the Tile are shown beside those of the data; of models with
    thresholds, ``sweeps``, the performances are the operating ``points`` that win somewhere.
    """

    prepared: Prepared
    score: Score
    ties: Ties
    level: float
    drawn: Draws | None = None
    reference: Fraction = REFERENCE
    sweeps: Sweeps | None = None
    points: WinningPoints | None = None

    @property
    def performances(self) -> Performances:
        """The performances as they were given, on all domains."""
        return self.prepared.given

    @property
    def how(self) -> dict[str, Any]:
        """How domains are averaged and priors shifted, as arguments."""
        prepared = self.prepared
        plain: dict[str, Any] = {"equal": None, "size": "size"}
        weights = plain.get(prepared.weighting, prepared.weights or None)
        return {"weights": weights, "missing": prepared.missing, "shift_prior": prepared.shift_prior}

    @property
    def averaged(self) -> Performances:
        """One performance per entity, averaged over the domains, then shifted."""
        return self.prepared.performances

    @cached_property
    def intervals(self) -> RankIntervals | None:
        """The sets of ranks; None where there are no counts, or nothing is to be drawn."""
        if self.drawn is None:
            return None
        before, shift = self.drawn.prepared, self.prepared.shift_prior
        done = before is not None and before.shift_prior == shift
        return rank_intervals(self.drawn, self.score, level=self.level, shift_prior=None if done else shift)

    @cached_property
    def board(self) -> Leaderboard:
        """The ranking."""
        return leaderboard(self.prepared, self.score, self.ties)

    @cached_property
    def over_weights(self) -> Weightings | None:
        """Who comes first for which weights of the domains; None for operating points, or fewer than two domains."""
        return None if self.points is not None else over_weights(self.prepared, self.score)

    @cached_property
    def between(self) -> Tradeoff:
        """The trade-off between precision and recall among all entities, for sentences, table and figure."""
        return tradeoff(self.averaged)

    @cached_property
    def pictured(self) -> Performances:
        """The averaged performances of the first ``SHOWN`` entities, in the order given."""
        first = sorted(self.board.ranking.order[:SHOWN].tolist())
        return self.averaged if len(first) == len(self.averaged) else self.averaged[first]

    @property
    def limited(self) -> str:
        """Which entities tables and figures show; empty where it is all of them."""
        n = len(self.averaged)
        return "" if len(self.pictured) == n else f"the first {len(self.pictured)} of {n} models"

    @property
    def two_class(self) -> bool:
        """Whether the outcomes are tn, fp, fn, tp, so that there is a Tile."""
        return self.performances.space.outcomes == TWO_CLASS.outcomes

    @property
    def side(self) -> bool:
        """Whether there are no true negatives, so that the right side of the Tile is left of it."""
        return lacks_tn(self.performances.space)


def sections(asked: Asked) -> Iterator[Section]:
    """Yield the sections, those left out that make no sense for the performances."""
    with warnings.catch_warnings():
        for category in (UnsoundScoreWarning, MissingDomainsWarning):  # the card says it
            warnings.simplefilter("ignore", category)
        board, intervals = asked.board, asked.intervals
        yield _answer(asked, board, intervals)
        yield _question(board)
        yield _data(asked, board)
        yield _certainty(asked, intervals)
        if asked.two_class or asked.side:
            yield from _change(asked)
        if asked.performances.n_domains > 1:
            yield _domains(asked)
            yield from _weights(asked)
            yield from _elsewhere(asked)
        if asked.two_class or asked.side:
            yield _soundness(asked)
            if asked.points is None and len(set(asked.performances.names)) > 1:
                yield _tradeoff(asked)


def _answer(asked: Asked, board: Leaderboard, intervals: RankIntervals | None) -> Section:
    ranking = board.ranking
    best = sorted(ranking.best)
    if not best:
        lines = ["No model can be ranked: the score is undefined for all of them"]
    else:
        names = " and ".join(label(name, LONGEST) for name in best[:MOST_LISTED])
        others = " and others" if len(best) > MOST_LISTED else ""
        lines = [f"{names}{others} {'is' if len(best) == 1 else 'are tied for'} first"]
        sure = chance(intervals, best[0]) if intervals is not None and len(best) == 1 else ""
        lines[0] += f", {sure}" if sure else ""
    lines += filter(None, (board.about_costs,))
    lines += [FLATTERS] * (asked.points is not None)
    if ranking.caution:
        lines.append(f"Caution: {ranking.caution}")
    if asked.limited:
        lines.append(f"The table shows {asked.limited}; `rankscape rank` lists all")
    table = displayed(ranking, None, intervals)
    table = Table({name: table[name][: len(asked.pictured)] for name in table.columns})
    return Section("Leaderboard", tuple(lines), table, right_columns(ranking))


def _question(board: Leaderboard) -> Section:
    lines = board.title().splitlines()
    if in_percent(board.ranking.score):
        lines.insert(0, "Which model answers the largest share of the cases right?")
    ties = {"min": "the best rank of the tie", "max": "the worst rank of the tie", "average": "the mean rank"}
    exact = "in whole numbers, exactly" if board.ranking.exact else "in floating point"
    lines.append(f"Order and ties are decided {exact}; tied models get {ties[board.ranking.ties]}")
    lines += [*board.about_ties(), *board.about_undefined(), *board.notes_of_ranking]
    return Section("The question", tuple(lines))


def _data(asked: Asked, board: Leaderboard) -> Section:
    data = asked.performances
    lines = [f"{counted(len(set(data.names)), 'model')} on {counted(max(data.n_domains, 1), 'domain')}"]
    cases = cases_by_domain(data) if is_right_or_wrong(data.space) else None
    if asked.points is not None:
        notes = (note for note in asked.points.notes if note not in (FLATTERS, NOT_SURE))
        lines = [f"{asked.points.count}: those that win for some preference", *notes]
    if cases is not None:
        lines += about_cases(data)
    elif data.counts is not None:
        totals = data.counts.sum(axis=1)
        low, high = int(totals.min()), int(totals.max())
        what = "True and false positives and misses" if asked.side else "Cases"
        lines.append(f"{what} per model and domain: {low if low == high else f'{low} to {high}'}")
    elif asked.points is None:
        lines.append("Given as probabilities, so the numbers of cases are not known")
    if asked.two_class:
        least, most = float(data.priors.min()), float(data.priors.max())
        same = f"{least:.4g}, the same for all" if least == most else f"from {least:.4g} to {most:.4g}"
        lines.append(f"Share of positives (prior π₊), as measured: {same}")
    if asked.side:
        lines.append("True negatives are not known, and nothing on this page needs them")
    if data.n_domains > 1 and not board.prepared.about_gaps:
        lines.append("No cell is missing: every model was tried on every domain")
    lines += board.prepared.sentences()
    lines += [] if data.account is None or data.account.plain else [data.account.sentence()]
    return Section("The data", tuple(lines), cases, ("cases",))


def _certainty(asked: Asked, intervals: RankIntervals | None) -> Section:
    if asked.points is not None:
        return Section("How sure", (NOT_SURE,))
    if intervals is None:
        why = (
            "nothing was drawn"
            if asked.performances.counts is not None
            else "probabilities do not say how many cases there were"
        )
        return Section("How sure", (f"No intervals: {why}",))
    return Section("How sure", tuple(sentences(intervals)))


def _change(asked: Asked) -> Iterator[Section]:
    data = asked.averaged
    try:
        changes = flips(data, asked.score)
    except (NoPlaceError, UsageError, DataError) as error:
        yield Section("What would change the answer", (error.worded(in_prose), *_shares(asked, frozenset())))
        return
    at_priors = priors_of(data, asked.score)
    lines = (*answer(changes, data, at_priors).splitlines(), *_moving(asked), *_shares(asked, changes.first))
    table = readable(changes, data) if changes.flips else None
    right = right_of_changes(changes)
    yield Section("What would change the answer", lines, table, right)


def _moving(asked: Asked) -> list[str]:
    """Say how long a model wins whose threshold moves along with the preference."""
    if asked.sweeps is None:
        return []
    models = asked.sweeps.flips(asked.score, asked.prepared.shift_prior)
    names = tied(sorted(models.first))
    winner = f"With other thresholds, too, {names} {'stays' if len(models.first) == 1 else 'stay'}"
    return [f"{stays(models.along_b, odds(models.b), 'a miss', 'false alarms', winner)}."]


def _shares(asked: Asked, here: frozenset[str]) -> list[str]:
    if asked.points is not None:
        return of_models(asked.points, asked.prepared.shift_prior, asked.reference)
    return beyond(asked.prepared, here, asked.reference).splitlines()


def _domains(asked: Asked) -> Section:
    means = mean_of_scores(asked.performances, asked.score, **asked.how)
    if means.swapped:
        line = f"Ranking by the mean of the scores would swap {counted(len(means.swapped), 'pair')} of models"
    else:
        line = "Ranking by the mean of the scores would give the same order"
    successes = is_linear(asked.score)
    try:
        parts = roles(asked.performances, asked.score, **asked.how)
    except (NoPlaceError, UsageError) as error:
        return Section("The domains", (error.worded(in_prose), line))
    names = set(asked.pictured.names)
    rows = [row for row, name in enumerate(parts.names) if name in names]
    first_ones = [f"The table shows {asked.limited}"] if asked.limited else []
    if successes:  # of which the mean of the scores is the score of the average
        table, right = rates_by_domain(parts, rows)
        bottleneck = BOTTLENECK if in_percent(asked.score) else OF_GRADES
        return Section("The domains", (f"Bottleneck: {bottleneck}", *first_ones), table, right)
    columns: dict[str, list[str]] = {"model": [parts.names[row] for row in rows]}
    for role in ("easiest", "hardest", "preponderant", "bottleneck"):
        sets = [parts.sets[role][row] for row in rows]
        columns[role] = [" = ".join(each[:2]) + and_more(len(each), 2) if each else "—" for each in sets]
    return Section("The domains", (line, *first_ones), Table(columns))


def _weights(asked: Asked) -> Iterator[Section]:
    """Yield who comes first for which weights of the domains; nothing where these cannot change the answer."""
    over = asked.over_weights
    if over is None or len(over.names) < 2:
        return
    table = readable_changes(over, MOST_LISTED)
    lines = tuple(over.sentences())
    yield Section(OF_WEIGHTS, lines, table if len(table) else None, RIGHT_OF_WEIGHTS if len(table) else ())


def _elsewhere(asked: Asked) -> Iterator[Section]:
    """Yield how well the other domains predict each one; nothing for few domains, or one entity."""
    if len(asked.prepared.grid.used) < FEWEST or len(asked.prepared.grid.entities) < 2:
        return
    lines = [*leave_one_out(asked.performances, asked.score, **asked.how).sentences()]
    if asked.drawn is not None:
        lines = [*lines, *on_other_domains(asked.drawn, asked.score, asked.level, asked.prepared.shift_prior)]
    yield Section("Would it hold elsewhere?", tuple(lines))


def _soundness(asked: Asked) -> Section:
    prior = asked.averaged.common_prior()
    if prior is not None:
        prior = min(max(round(prior, 3), 0.001), 0.999)  # the same verdict, in numbers that can be checked by hand
    there = asked.score.sound != "always" and proved_sound(asked.score, set_of(asked.averaged))
    verdict = audit(asked.score.with_tn(), priors=prior if there else None, statistic=None)
    return Section(
        "May you rank with this score?", tuple(" ".join(line.split()) for line in repr(verdict).splitlines())
    )


def _tradeoff(asked: Asked) -> Section:
    between = asked.between
    table = between.compare()
    columns = {
        "rank by": table["score"],
        "β": [f"{beta:.3g}".replace("inf", "∞") for beta in table["beta"]],
        "degree of optimality": ["" if x != x else percent(x) for x in table["optimality"]],
    }
    return Section("Between precision and recall", tuple(between.summary().splitlines()), Table(columns), ("β",))
