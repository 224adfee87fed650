"""The first page of a ranking card: the verdict, how sure it is, what would change it, and the question."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isfinite

from ..domains.weightings import limits
from ..errors import RankscapeError
from ..look import highlighted, pretty
from ..regions import Flips
from ..regions.prior_flips import FEWER
from ..texts import and_more, capitalized, counted, joined, label, level_text, tied, visible
from ..uncertainty.summary import chance
from .answers import amount, costs_that_keep, priors_of, rate, within
from .leaderboard import full_name, in_percent
from .pages import Front, Section
from .rows import Axis, rows_of
from .sections import Asked

MOST_ROWS, MOST_CHANGES, MOST_NAMED, MOST_BEST = 6, 5, 3, 2
LONGEST = 180
"""Characters of a name on the first page, where names may take several lines."""


def front_of(asked: Asked, sections: Mapping[str, Section], source: str) -> Front:
    """Return the first page, given the sections that follow it; ``source`` is what made it, of which data."""
    board, intervals, ranking = asked.board, asked.intervals, asked.board.ranking
    best = sorted(ranking.best)
    rows = rows_of(ranking, intervals)
    top, *title = board.title().splitlines()
    question = [line.partition(": ")[2] if line.startswith("On the ") else line for line in title[::-1]]
    if in_percent(ranking.score):
        question.insert(0, "Which model answers the largest share of the cases right?")
    elif not asked.has_tile:
        question.insert(0, top.partition(" by ")[2])
    data = [line for line in sections["The data"].lines if not line.startswith("No cell is missing")]
    certainty = sections["How sure"].lines
    how = [line for line in certainty if not line.startswith("Caution") and " is first " not in line]
    verdict = sections["May you rank with this score?"].lines[:1]
    symbol = pretty(visible(ranking.score.symbol))
    ends = [x for row in rows[:MOST_ROWS] for x in (row.low, row.value, row.high) if isfinite(x)]
    barred = intervals is not None and any(isfinite(row.low) for row in rows[:MOST_ROWS])
    changes, unchanged = _changes(asked)
    return Front(
        verdict=verdict_of(best),
        lead=_lead(asked, best),
        cautions=tuple(line for line in sections["Leaderboard"].lines if line.startswith("Caution")),
        heading="accuracy" if in_percent(ranking.score) else symbol if len(symbol) <= 12 else "value",
        level=level_text(asked.level),
        rows=rows[:MOST_ROWS],
        axis=Axis(min(ends), max(ends)) if barred else None,
        colors=highlighted(ranking.names, [row.name for row in rows]),
        more=max(0, len(rows) - MOST_ROWS),
        changes=changes,
        unchanged=unchanged,
        question=tuple(map(_sentence, question)),
        made=" ".join(map(_sentence, (*data, *how[-2:], *verdict))),
        source=source,
    )


def verdict_of(best: list[str]) -> str:
    """Return who comes first, in a few words."""
    if not best:
        return "No model can be ranked"
    names = " and ".join(label(name, LONGEST) for name in best[:MOST_BEST]) + and_more(len(best), MOST_BEST)
    return f"{names} ranks first" if len(best) == 1 else f"{names} tie for first"


def _lead(asked: Asked, best: list[str]) -> str:
    """Say by what, among how many, how probably, and from whom the first cannot be told apart."""
    board, intervals, ranking = asked.board, asked.intervals, asked.board.ranking
    sentences = [f"by {full_name(ranking.score)}, among {counted(len(ranking.names), 'model')}."]
    if not best:
        return f"{sentences[0]} The score is undefined for all of them."
    if intervals is None or not intervals.places.any():
        sentences.append("These data do not show how sure that is.")
    elif intervals.pairs:
        alone = len(best) == 1
        sentences += [f"It is first {chance(intervals, best[0])}."] if alone else []
        others = [name for name in intervals.tied_for_first if name not in best]
        if others:
            named = joined(others, MOST_NAMED)
            sentences.append(f"The data cannot tell {'it' if alone else 'them'} apart from {named}.")
        elif alone:
            sentences.append("It is surely better than all others.")
    return " ".join([*sentences, *([_sentence(board.about_costs)] if board.about_costs else [])])


def _changes(asked: Asked) -> tuple[tuple[tuple[str, str], ...], str]:
    """Return what would put others first, and who; or a sentence where nothing would, or it is not known."""
    rows: list[tuple[str, str]] = []
    changes = asked.changes if asked.has_tile else None
    if isinstance(changes, Flips):
        rows += _of_costs(asked, changes)
        for flip in [] if rows else changes.flips:
            if flip.direction != "nearest":
                rows.append((_condition(flip.direction, flip.miss, flip.detection), _named(flip.names)))
        rows += _of_priors(asked)
    rows += _of_weights(asked)
    if rows:
        return tuple(rows[:MOST_CHANGES]), ""
    if asked.board.cases is not None:
        return (), "Other errors, or other weights of the cases, could: `rankscape explore` shows how."
    if isinstance(changes, Flips):
        return (), "Nothing: the answer is the same whatever a miss and a detection are worth."
    return (), "For this score it is not known what would change the answer."


def _condition(direction: str, miss: float, detection: float) -> str:
    """Return where another comes first, with the number up to which the first stays first.

    >>> _condition("fewer correct rejections per detection", 2.0, 1.0)
    'a detection worth less than 1 correct rejection'
    """
    fewer = direction.startswith("fewer")
    worth, one, others = detection, "a detection", "correct rejections"
    if direction.endswith("per miss"):
        worth, one, others = miss, "a miss", "false alarms"
    if worth == inf:
        return f"{one} worth anything but infinitely many {others}"
    return f"{one} worth {'less' if fewer else 'more'} than {amount(within(worth, up=fewer), others)}"


def _of_costs(asked: Asked, changes: Flips) -> list[tuple[str, str]]:
    """Return for which costs of a miss others come first, where the preference was given as costs."""
    kept, words = (
        costs_that_keep(changes.score.costs, asked.averaged, changes.first),
        {"lower": "less", "higher": "more"},
    )
    if kept is None:
        return []
    here = rate(float(kept.here))
    words = {"lower": "less", "higher": "more"}
    conditions = [(words[side], amount(end, "false alarms"), names) for side, end, names in kept.ends]
    return [(f"a miss costing {word} than {end} (here {here})", _named(names)) for word, end, names in conditions]


def _of_priors(asked: Asked) -> list[tuple[str, str]]:
    at_priors = priors_of(asked.averaged, asked.score)
    if isinstance(at_priors, RankscapeError) or at_priors.first is None or at_priors.prior is None:
        return []
    return [
        (
            f"{'fewer' if direction == FEWER else 'more'} than {within(100 * end, up=direction == FEWER)} % positives "
            f"(here {100 * at_priors.prior:.3g} %)",
            _named(names),
        )
        for direction, end, names in at_priors.beyond()
    ]


def _of_weights(asked: Asked) -> list[tuple[str, str]]:
    """Return the smallest change of the weight of a domain."""
    over = asked.over_weights
    rows = []
    for flip in [] if over is None else over.flips[:1]:
        for names, end, word in ((flip.below, flip.ends[0], "less"), (flip.above, flip.ends[1], "more")):
            if names:
                limit, now = limits(end, flip.weight)
                condition = f"{label(flip.domain)} weighing {word} than about {limit} (now {now})"
                rows.append((condition, _named(names)))
    return rows


def _sentence(text: str) -> str:
    """Return a text that starts with a capital and ends with a full stop."""
    return capitalized(text) + "." * (not text.endswith((".", "?")))


def _named(names: tuple[str, ...]) -> str:
    return tied(names, MOST_NAMED)
