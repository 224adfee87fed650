"""The first page of a ranking card: the verdict, how sure it is, what would change it, and the question."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite

from ..domains.weightings import limits
from ..errors import NoPlaceError, RankscapeError, UsageError
from ..look import highlighted, pretty
from ..ordering import Ranking
from ..regions import Flips, flips
from ..regions.prior_flips import FEWER
from ..texts import and_more, capitalized, counted, joined, label, tied, visible
from ..uncertainty import RankIntervals
from ..uncertainty.summary import chance
from .answers import amount, rate, within
from .at_priors import priors_of
from .expenses import costs_that_keep
from .leaderboard import displayed, full_name, in_percent
from .regression import RegressionBoard
from .sections import Asked, Section

MOST_ROWS, MOST_CHANGES, MOST_NAMED, MOST_BEST = 6, 5, 3, 2
LONGEST = 180
"""Characters of a name on the first page, where names may take several lines."""


@dataclass(frozen=True)
class Row:
    """One entity on the first page; ``low``, ``at`` and ``high`` are its value and interval, None where not known."""

    rank: str
    name: str
    value: str
    chance: str
    color: str
    low: float | None = None
    at: float | None = None
    high: float | None = None
    ends_tier: bool = False


@dataclass(frozen=True)
class Front:
    """What stands on the first page, besides its figure."""

    verdict: str
    lead: str
    cautions: tuple[str, ...]
    heading: str
    level: str
    rows: tuple[Row, ...]
    more: int
    changes: tuple[tuple[str, str], ...]
    unchanged: str
    question: tuple[str, ...]
    made: str
    source: str


def front_of(asked: Asked, sections: dict[str, Section], program: str, digest: str) -> Front:
    """Return the first page, given the sections that follow it, the program, and the hash of the data."""
    board, intervals = asked.board, asked.intervals
    ranking = board.ranking
    best = sorted(ranking.best)
    rows = rows_of_front(ranking, intervals)
    changes, unchanged = _changes(asked)
    title = board.title().splitlines()[1:]
    question = [_sentence(line.partition(": ")[2] if line.startswith("On the ") else line) for line in title[::-1]]
    if in_percent(ranking.score):
        question.insert(0, "Which model answers the largest share of the cases right?")
    data = [line for line in sections["The data"].lines if not line.startswith("No cell is missing")]
    certainty = sections["How sure"].lines
    how = [line for line in certainty if not line.startswith("Caution") and " is first " not in line]
    sound = sections.get("May you rank with this score?")
    verdict = [sound.lines[0]] if sound is not None else []
    return Front(
        verdict=verdict_of(best),
        lead=_lead(asked, best),
        cautions=tuple(line for line in sections["Leaderboard"].lines if line.startswith("Caution")),
        heading="accuracy" if in_percent(ranking.score) else _short(ranking),
        level=f"{100 * asked.level:g} %",
        rows=rows[:MOST_ROWS],
        more=max(0, len(rows) - MOST_ROWS),
        changes=changes,
        unchanged=unchanged,
        question=tuple(question),
        made=" ".join(_sentence(line) for line in [*data, *how[-2:], *verdict]),
        source=f"{program}, data {digest[:12]}…",
    )


def front_of_values(board: RegressionBoard, level: float, program: str) -> Front:
    """Return the first page of the card of regressors."""
    ranking, intervals = board.ranking, board.intervals
    best = sorted(ranking.best)
    rows = rows_of_front(ranking, intervals)
    title, *formulas = board.title.splitlines()
    first = f"by {full_name(ranking.score)}, among {counted(len(ranking.names), 'model')}."
    return Front(
        verdict=verdict_of(best),
        lead=" ".join([first, *_sureness(intervals, best)]),
        cautions=tuple(line for line in board.lines if line.startswith("Caution")),
        heading=_short(ranking),
        level=f"{100 * level:g} %",
        rows=rows[:MOST_ROWS],
        more=max(0, len(rows) - MOST_ROWS),
        changes=(),
        unchanged="Other errors, or other weights of the cases, could: `rankscape explore` shows how.",
        question=tuple(map(_sentence, (title.partition(" by ")[2], *formulas))),
        made=_sentence(f"Compared on {counted(len(board.pairs.truth), 'case')}, the same for all"),
        source=program,
    )


def _sureness(intervals: RankIntervals | None, best: list[str]) -> list[str]:
    """Say how probably the best is first, and from whom it cannot be told apart."""
    if intervals is None or not intervals.places.any() or not best:
        return ["These data do not show how sure that is."]
    if not intervals.pairs:
        return []
    sure = [f"It is first {chance(intervals, best[0])}."] if len(best) == 1 else []
    others = [name for name in intervals.tied_for_first if name not in best]
    if others:
        named = joined(others, MOST_NAMED)
        sure.append(f"The data cannot tell {'it' if len(best) == 1 else 'them'} apart from {named}.")
    elif intervals.pairs and len(best) == 1:
        sure.append("It is surely better than all others.")
    return sure


def verdict_of(best: list[str]) -> str:
    """Return who comes first, in a few words."""
    if not best:
        return "No model can be ranked"
    names = " and ".join(label(name, LONGEST) for name in best[:MOST_BEST]) + and_more(len(best), MOST_BEST)
    return f"{names} ranks first" if len(best) == 1 else f"{names} tie for first"


def _lead(asked: Asked, best: list[str]) -> str:
    """Say by what, among how many, how probably, and from whom the first cannot be told apart."""
    board, intervals = asked.board, asked.intervals
    by = f"by {full_name(board.ranking.score)}, among {counted(len(board.ranking.names), 'model')}."
    costs = [_sentence(board.about_costs)] if board.about_costs else []
    if not best:
        return f"{by} The score is undefined for all of them."
    return " ".join([by, *_sureness(intervals, best), *costs])


def rows_of_front(ranking: Ranking, intervals: RankIntervals | None) -> tuple[Row, ...]:
    """Return the entities in their order, with what the leaderboard says of them."""
    table = displayed(ranking, None, intervals)
    order = ranking.order.tolist()
    names = [ranking.names[i] for i in order]
    colors = highlighted(ranking.names, names)
    values = table["accuracy" if "accuracy" in table.columns else "value"]
    ranks = table["ranks" if intervals is not None else "rank"]
    chances = table["P(first)"] if intervals is not None else [""] * len(names)
    ends = _ends_of_tiers(intervals)
    rows = []
    for k, (i, name) in enumerate(zip(order, names, strict=True)):
        low: float | None = None
        high: float | None = None
        at: float | None = float(ranking.values[i])
        if intervals is not None:
            low, high = float(intervals.value_low[i]), float(intervals.value_high[i])
        low, at, high = (x if x is not None and isfinite(x) else None for x in (low, at, high))
        rows.append(Row(ranks[k], name, values[k], chances[k], colors[name], low, at, high, name in ends))
    return tuple(rows)


def _ends_of_tiers(intervals: RankIntervals | None) -> set[str]:
    """Return the last entity of each tier but the last one."""
    return set() if intervals is None else {tier[-1] for tier in intervals.tiers[:-1] if tier}


def _short(ranking: Ranking) -> str:
    symbol = pretty(visible(ranking.score.symbol))
    return symbol if len(symbol) <= 12 else "value"


def _changes(asked: Asked) -> tuple[tuple[tuple[str, str], ...], str]:
    """Return what would put others first, and who; or a sentence where nothing would, or it is not known."""
    rows: list[tuple[str, str]] = []
    known = False
    if asked.two_class or asked.side:
        try:
            changes = flips(asked.averaged, asked.score)
        except (NoPlaceError, UsageError, RankscapeError):
            pass
        else:
            known = True
            rows += _of_costs(asked, changes)
            for flip in [] if rows else changes.flips:
                if flip.direction != "nearest":
                    rows.append((_condition(flip.direction, flip.miss, flip.detection), tied(flip.names, MOST_NAMED)))
            rows += _priors(asked)
    rows += _weights(asked)
    if rows or not known:
        return tuple(
            rows[:MOST_CHANGES]
        ), "" if rows else "For this score it is not known what would change the answer."
    return (), "Nothing: the answer is the same whatever a miss and a detection are worth."


def _condition(direction: str, miss: float, detection: float) -> str:
    """Return where another comes first, with the number up to which the first stays first.

    >>> _condition("fewer correct rejections per detection", 2.0, 1.0)
    'a detection worth less than 1 correct rejection'
    """
    fewer = direction.startswith("fewer")
    if direction.endswith("per miss"):
        worth, one, others = miss, "a miss", "false alarms"
    else:
        worth, one, others = detection, "a detection", "correct rejections"
    if worth == inf:
        return f"{one} worth anything but infinitely many {others}"
    return f"{one} worth {'less' if fewer else 'more'} than {amount(within(worth, up=fewer), others)}"


def _of_costs(asked: Asked, changes: Flips) -> list[tuple[str, str]]:
    """Return for which costs of a miss others come first, where the preference was given as costs."""
    costs = changes.score.costs
    kept = None if costs is None else costs_that_keep(costs, asked.averaged, changes.first)
    if kept is None:
        return []
    low, high = within(float(kept.low), up=True), within(float(kept.high), up=False)
    rows = [(f"a miss costing less than {amount(low, 'false alarms')}", kept.below)]
    rows += [(f"a miss costing more than {amount(high, 'false alarms')}", kept.above)]
    here = f" (here {rate(float(kept.here))})"
    return [(text + here, tied(names, MOST_NAMED)) for text, names in rows if names]


def _priors(asked: Asked) -> list[tuple[str, str]]:
    at_priors = priors_of(asked.averaged, asked.score)
    if isinstance(at_priors, RankscapeError) or at_priors.first is None or at_priors.prior is None:
        return []
    return [
        (
            f"{'fewer' if direction == FEWER else 'more'} than {within(100 * end, up=direction == FEWER)} % positives "
            f"(here {100 * at_priors.prior:.3g} %)",
            tied(names, MOST_NAMED),
        )
        for direction, end, names in at_priors.beyond()
    ]


def _weights(asked: Asked) -> list[tuple[str, str]]:
    """Return the smallest change of the weight of a domain."""
    over = asked.over_weights
    rows = []
    for flip in [] if over is None else over.flips[:1]:
        for names, end, word in ((flip.below, flip.ends[0], "less"), (flip.above, flip.ends[1], "more")):
            if names:
                limit, now = limits(end, flip.weight)
                condition = f"{label(flip.domain)} weighing {word} than about {limit} (now {now})"
                rows.append((condition, tied(names, MOST_NAMED)))
    return rows


def _sentence(text: str) -> str:
    """Return a text that starts with a capital and ends with a full stop."""
    return capitalized(text) + "." * (not text.endswith((".", "?")))
