"""The sections of a ranking card: what was asked, of what, the answer, how sure it is, and what would change it.

Each is a function of what was asked that returns its title, its sentences, and a table and figures where there are
some; or says why there is nothing to say.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from .. import tile, views
from .._scores import Score
from .._scores.score import proved_sound
from .._scores.sets import set_of
from .._tradeoff import Tradeoff, tradeoff
from ..decisions import Sweeps
from ..domains import MissingDomainsWarning, Prepared, Weightings, leave_one_out, mean_of_scores, roles
from ..domains.roles import FEWEST
from ..domains.weightings import over_weights
from ..errors import DataError, NoPlaceError, UsageError, in_prose
from ..explorer.explore import page_of
from ..geometry.curves import odds
from ..look import pretty
from ..ordering import UnsoundScoreWarning
from ..outcomes import TWO_CLASS, lacks_tn
from ..performances import Performances
from ..regions import Flips, flips
from ..results import Table
from ..soundness import audit
from ..tasks.success import is_right_or_wrong, mean_of_grades
from ..texts import counted, label, tied
from ..typing import Ties
from ..uncertainty import Draws, RankIntervals, rank_intervals
from ..uncertainty.page_inputs import FLATTERS, NOT_SURE, WinningPoints
from ..uncertainty.summary import chance, on_other_domains, sentences
from .answers import (
    REFERENCE,
    RIGHT_OF_WEIGHTS,
    answer,
    beyond,
    compared,
    priors_of,
    readable,
    readable_changes,
    shares_of_tile,
    stays,
)
from .leaderboard import (
    NO_RANK,
    Leaderboard,
    displayed,
    is_linear,
    largest_loss,
    leaderboard,
    right_columns,
    roles_of_models,
)
from .pages import Drawing, Section

MOST_LISTED, MOST_BARS = 6, 30
"""Entities that a sentence lists, and sets of ranks in a figure, at most."""

LONGEST, LONGEST_MARK = 90, 14
"""Characters of the name of the winner, which has a line of its own, and of the symbol of a score at its place."""

SHOWN = 100
"""Of more entities the tables, and the figures with a mark for each, show these first ones."""

NO_TILE = "these outcomes have no Tile"
ONE_DOMAIN = "there is one domain"


@dataclass(frozen=True)
class Asked:
    """What a report is about: what is scored and how it came about, by which score, and draws where there are some.

    Of models with thresholds, ``sweeps``, the performances are the operating ``points`` that win somewhere.
    """

    prepared: Prepared
    score: Score
    ties: Ties
    level: float
    drawn: Draws | None = None
    sweeps: Sweeps | None = None
    points: WinningPoints | None = None

    @property
    def performances(self) -> Performances:
        """The performances as they were given, on all domains."""
        return self.prepared.given

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
        """The ranking, with its sets of ranks."""
        with quiet():
            return replace(leaderboard(self.prepared, self.score, self.ties), intervals=self.intervals)

    @cached_property
    def over_weights(self) -> Weightings | None:
        """Who comes first for which weights of the domains; None for operating points, or fewer than two domains."""
        return None if self.points is not None else over_weights(self.prepared, self.score)

    @cached_property
    def between(self) -> Tradeoff:
        """The trade-off between precision and recall among all entities, for sentences, table and figure."""
        return tradeoff(self.averaged)

    @cached_property
    def changes(self) -> Flips | NoPlaceError | UsageError | DataError:
        """How far the preference may move before another entity is first, or why that is not known."""
        try:
            return flips(self.averaged, self.score)
        except (NoPlaceError, UsageError, DataError) as error:
            return error

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
    def has_tile(self) -> bool:
        """Whether there is a Tile, or its right side."""
        return self.two_class or self.side

    @property
    def two_class(self) -> bool:
        """Whether the outcomes are tn, fp, fn, tp, so that there is a Tile."""
        return self.performances.space.outcomes == TWO_CLASS.outcomes

    @property
    def side(self) -> bool:
        """Whether there are no true negatives, so that the right side of the Tile is left of it."""
        return lacks_tn(self.performances.space)

    def explorer(self, title: str) -> str:
        """Return the explorer of what was asked, with the same draws."""
        opens_at = None if self.score.orders_as is None else self.score  # the default has a place for every prior
        with quiet():
            return page_of(self.prepared, title, opens_at, self.drawn, self.level, self.points).html()

    @cached_property
    def sections(self) -> list[Section]:
        """All sections in reading order, also those that are empty."""
        with quiet():
            return [section(self) for section in SECTIONS]


class quiet(warnings.catch_warnings):
    """Leave out the warnings that the pages say themselves."""

    def __enter__(self) -> None:
        """Ignore what is unsound or missing."""
        super().__enter__()
        for category in (UnsoundScoreWarning, MissingDomainsWarning):
            warnings.simplefilter("ignore", category)


def of_leaderboard(asked: Asked) -> Section:
    """Say who comes first, and what to beware of, above all models."""
    ranking, intervals = asked.board.ranking, asked.intervals
    best = sorted(ranking.best)
    if not best:
        lines = [NO_RANK]
    else:
        names = " and ".join(label(name, LONGEST) for name in best[:MOST_LISTED])
        others = " and others" if len(best) > MOST_LISTED else ""
        lines = [f"{names}{others} {'is' if len(best) == 1 else 'are tied for'} first"]
        sure = chance(intervals, best[0]) if intervals is not None and len(best) == 1 else ""
        lines[0] += f", {sure}" if sure else ""
    lines += filter(None, (asked.board.about_costs,))
    lines += [FLATTERS] * (asked.points is not None)
    if ranking.caution:
        lines.append(f"Caution: {ranking.caution}")
    if asked.limited:
        lines.append(f"The table shows {asked.limited}; `rankscape rank` lists all")
    table = displayed(ranking, None, intervals)
    table = Table({name: table[name][: len(asked.pictured)] for name in table.columns})
    return Section("Leaderboard", tuple(lines), table, right_columns(ranking))


def of_question(asked: Asked) -> Section:
    """Say by which score, what it prefers, and how order and ties are decided."""
    board = asked.board
    lines = [*filter(None, [board.question]), *board.title().splitlines()]
    ties = {"min": "the best rank of the tie", "max": "the worst rank of the tie", "average": "the mean rank"}
    exact = "in whole numbers, exactly" if board.ranking.exact else "in floating point"
    lines.append(f"Order and ties are decided {exact}; tied models get {ties[board.ranking.ties]}")
    lines += [*board.about_ties(), *board.about_undefined(), *board.notes_of_ranking]
    return Section("The question", tuple(lines))


def of_data(asked: Asked) -> Section:
    """Say of how many models, domains and cases, at which shares of positives, and how domains were averaged."""
    data, board = asked.performances, asked.board
    lines = [f"{counted(len(set(data.names)), 'model')} on {counted(max(data.n_domains, 1), 'domain')}"]
    cases = cases_by_domain(data) if is_right_or_wrong(data.space) and board.cases is None else None
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
        lines.append(board.about_cases or "Given as probabilities, so the numbers of cases are not known")
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


def cases_by_domain(data: Performances) -> Table | None:
    """Return the number of cases of each domain, from the fewest to the most of an entity; None where none is known.

    >>> from ..tasks.success import from_counts
    >>> list(cases_by_domain(from_counts([3, 4], [5, 8], names=["a", "a"], domains=["x", "y"])).rows())
    [('x', '5'), ('y', '8')]
    """
    cases: dict[str, list[int]] = {}
    if data.pairing is not None:
        cases = {domain: [n] for domain, n in getattr(data.pairing, "cases", {}).items()}
    elif data.counts is not None:
        for domain, total in zip(data.domains or [""] * len(data), data.counts.sum(axis=1).tolist(), strict=True):
            cases.setdefault(domain, []).append(total)
    if not cases:
        return None
    spans = [f"{min(n)}" if min(n) == max(n) else f"{min(n)} to {max(n)}" for n in cases.values()]
    return Table({"cases": spans} if data.domains is None else {"domain": list(cases), "cases": spans})


def about_cases(data: Performances) -> list[str]:
    """Say what is known of the cases: whether all entities answered the same ones, and what cannot be said."""
    if data.pairing is None:
        return ["These are counts: which cases the models share is not known"]
    lines = ["Every model answered the same cases, which the draws keep together"]
    if (mean := mean_of_grades(data.space)) is not None:
        lines.append(f"Cases are not right or wrong: they have grades, and the {mean} is ranked")
    elif data.counts is None:
        lines.append("Models have several answers to a case, and the shares of right ones are averaged")
    return lines


def of_certainty(asked: Asked) -> Section:
    """Say how sure the ranking is, or why that is not known."""
    intervals = asked.intervals
    if intervals is not None:
        figure = Drawing("intervals", "The set of ranks of every model", partial(intervals.plot, most=MOST_BARS))
        return Section("How sure", tuple(sentences(intervals)), figures=(figure,))
    known = asked.performances.counts is not None or asked.board.cases is not None
    why = "nothing was drawn" if known else "probabilities do not say how many cases there were"
    return Section("How sure", (f"No intervals: {why}" if asked.points is None else NOT_SURE,))


def of_changes(asked: Asked) -> Section:
    """Say how far the preference, and the share of positives, may move before another model is first."""
    title, data, changes = "What would change the answer", asked.averaged, asked.changes
    if not asked.has_tile:
        return Section(title, empty=NO_TILE)
    figures = _figures_of_changes(asked)
    if not isinstance(changes, Flips):
        return Section(title, (changes.worded(in_prose), *_shares(asked, frozenset())), figures=figures)
    text = answer(changes, data, priors_of(data, asked.score))
    lines = (*text.splitlines(), *_moving(asked), *_shares(asked, changes.first))
    table = readable(changes, data)
    return Section(title, lines, table if len(table) else None, tuple(table.columns[2:]), figures)


def _moving(asked: Asked) -> list[str]:
    """Say how long a model wins whose threshold moves along with the preference."""
    if asked.sweeps is None:
        return []
    models = asked.sweeps.flips(asked.score, asked.prepared.shift_prior)
    names = tied(sorted(models.first))
    winner = f"With other thresholds, too, {names} {'stays' if len(models.first) == 1 else 'stay'}"
    return [f"{stays(models.worth('miss'), odds(models.b), 'a miss', 'false alarms', winner)}."]


def _shares(asked: Asked, here: frozenset[str]) -> list[str]:
    points, shift = asked.points, asked.prepared.shift_prior
    if points is None:
        return beyond(asked.prepared, here).splitlines()
    what = "Share of the Tile on which each model wins, at its own best threshold there"
    prior = points.performances.common_prior() if shift is None else float(shift)
    areas, at_reference = points.shares(shift).items(), lambda: points.shares(REFERENCE).items()
    return shares_of_tile(what, areas, at_reference, prior)


def _figures_of_changes(asked: Asked) -> tuple[Drawing, ...]:
    """Return the Tile, and the models with lines of equal score."""
    models = (asked.limited or "the models").capitalize()
    if asked.side:
        return (Drawing("points", f"{models} in PR space", partial(_points, asked)),)
    caption = "Who is first, for every preference: the Tile"
    if asked.sweeps is not None:
        caption = "Which model wins, for every preference, each at its own best threshold: the Tile of models"
    figures = [Drawing("tile", caption, partial(_tile, asked, caption))]
    if ((asked.averaged.priors > 0) & (asked.averaged.priors < 1)).all():
        caption_of_points = f"{models}, with lines of equal score"
        figures.append(Drawing("points", caption_of_points, partial(_points, asked)))
    return tuple(figures)


def _tile(asked: Asked, caption: str, **look: Any) -> Any:
    """Draw the Tile with the preference of the card instead of scores."""
    sweeps = asked.sweeps
    entities = tile.entity(asked.averaged) if sweeps is None else sweeps.first(asked.prepared.shift_prior).tile_map()
    place = asked.board.place
    options: dict[str, Any] = {}
    if place is not None:
        symbol = pretty(asked.score.symbol)
        options["markers"] = {symbol if len(symbol) <= LONGEST_MARK else "this card": place}
    figure: Any = entities.plot(**options, **look).figure
    figure.caption = (figure.caption or caption) + " Circle: the preference of this card." * (place is not None)
    return figure


def _points(asked: Asked, **look: Any) -> Any:
    """Draw the models in ROC space, or else in PR space, with lines of equal score where it has some."""
    view = views.pr if asked.side or asked.pictured.common_prior() is None else views.roc
    try:
        points = view(asked.pictured, by=asked.score)
    except (DataError, NoPlaceError, UsageError):
        points = view(asked.pictured)
    return points.plot(**look)


def of_domains(asked: Asked) -> Section:
    """Say which domain is the easiest, the hardest and the bottleneck of each model."""
    title = "The domains"
    if asked.performances.n_domains < 2:
        return Section(title, empty=ONE_DOMAIN)
    linear = is_linear(asked.score)  # then the mean of the scores is the score of the average
    lines = [] if linear else mean_of_scores(asked.prepared, asked.score).sentences()
    try:
        parts = roles(asked.prepared, asked.score)
    except (NoPlaceError, UsageError) as error:
        return Section(title, (error.worded(in_prose), *lines))
    names = set(asked.pictured.names)
    rows = [row for row, name in enumerate(parts.names) if name in names]
    table, right = roles_of_models(parts, rows)
    lines += [f"Bottleneck: {largest_loss(asked.score)}"] if linear else []
    lines += [f"The table shows {asked.limited}"] if asked.limited else []
    return Section(title, tuple(lines), table, right)


def of_weights(asked: Asked) -> Section:
    """Say who comes first for which weights of the domains."""
    title, over = "Who is first for which weights", asked.over_weights
    if asked.performances.n_domains < 2:
        return Section(title, empty=ONE_DOMAIN)
    if over is None or len(over.names) < 2:
        return Section(title, empty="weights of domains cannot change this answer")
    table = readable_changes(over, MOST_LISTED)
    caption = "Who comes first for which weights of the domains"
    figure = Drawing("weights", caption, over.plot)
    rows = table if len(table) else None
    return Section(title, tuple(over.sentences()), rows, RIGHT_OF_WEIGHTS if rows else (), (figure,))


def of_elsewhere(asked: Asked) -> Section:
    """Say how well the other domains predict each one."""
    title = "Would it hold elsewhere?"
    if asked.performances.n_domains < 2:
        return Section(title, empty=ONE_DOMAIN)
    if len(asked.prepared.grid.used) < FEWEST or len(asked.prepared.grid.entities) < 2:
        return Section(title, empty=f"it takes two models and {FEWEST} domains with weight")
    lines = [*leave_one_out(asked.prepared, asked.score).sentences()]
    if asked.drawn is not None:
        lines += on_other_domains(asked.drawn, asked.score, asked.level, asked.prepared.shift_prior)
    return Section(title, tuple(lines))


def of_soundness(asked: Asked) -> Section:
    """Say whether the score may be used to rank."""
    title = "May you rank with this score?"
    if not asked.has_tile:
        return Section(title, empty=NO_TILE)
    prior = asked.averaged.common_prior()
    if prior is not None:
        prior = min(max(round(prior, 3), 0.001), 0.999)  # the same verdict, in numbers that can be checked by hand
    there = asked.score.sound != "always" and proved_sound(asked.score, set_of(asked.averaged))
    verdict = audit(asked.score.with_tn(), priors=prior if there else None, statistic=None)
    return Section(title, tuple(" ".join(line.split()) for line in repr(verdict).splitlines()))


def of_tradeoff(asked: Asked) -> Section:
    """Say which compromise between precision and recall is the best."""
    title = "Between precision and recall"
    if not asked.has_tile:
        return Section(title, empty=NO_TILE)
    if asked.points is not None or len(asked.averaged) < 2:
        return Section(title, empty="it takes two models without thresholds to choose")
    between = asked.between
    table = compared(between)
    caption = "How the ranks change between precision and recall"
    figure = Drawing("ranks", caption, between.plot)
    return Section(title, tuple(between.summary().splitlines()), table, tuple(table.columns[1:]), (figure,))


SECTIONS: tuple[Callable[[Asked], Section], ...] = (
    of_leaderboard, of_question, of_data, of_certainty, of_changes, of_domains, of_weights, of_elsewhere, of_soundness,
    of_tradeoff,
)  # fmt: skip
"""All sections, in reading order."""
