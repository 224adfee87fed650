"""The ranking card: all that a reader must know of a ranking, as one page."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from .._scores import as_score
from ..decisions import Sweeps
from ..domains.weightings import limits
from ..errors import RankscapeError, UsageError
from ..look import highlighted, pretty
from ..outputs import checked_path, figures_folder, write_whole
from ..performances import Performances
from ..regions import Flips
from ..regions.flips import FEWER
from ..tasks.pairs import Pairs
from ..tasks.success import is_right_or_wrong
from ..texts import and_more, capitalized, counted, joined, label, level_text, tied, visible
from ..typing import (
    Missing,
    PathLike,
    PerformancesLike,
    PosteriorMethod,
    PriorLike,
    RandomLike,
    Resample,
    ScoreLike,
    Ties,
    WeightsLike,
)
from ..uncertainty import Draws
from ..uncertainty.defaults import LEVEL
from ..uncertainty.page_inputs import prepared_and_drawn
from ..uncertainty.summary import chance
from ..version import __version__
from .answers import by_costs, by_rates, priors_of, within
from .leaderboard import full_name, in_percent
from .pages import Axis, Card, Front, Section, as_html, as_markdown, figures_of, rows_of
from .sections import Asked

KINDS = {".html": "svg", ".md": "png"}
"""The kind of figures of a card, by the suffix of its file."""


def report(
    performances: PerformancesLike | Draws | Sweeps | Pairs,
    path: PathLike | None = None,
    by: ScoreLike | None = None,
    *,
    ties: Ties = "min",
    draws: int | None = None,
    rng: RandomLike = None,
    level: float = LEVEL,
    title: str | None = None,
    figures: bool = True,
    method: PosteriorMethod = "exchangeable",
    resample: Resample | None = None,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    shift_prior: PriorLike | None = None,
) -> Card:
    """Return the ranking card of performances, and write it if you pass a path.

    The card holds the leaderboard with sets of ranks, the question and its importances in words, the data, priors and
    domains, what would change the answer and who can ever be first, the audit of the score, the trade-off between
    precision and recall, the version and a hash of the data. It works on every sample space; what needs a Tile is left
    out where there is none. Regressors (:func:`rankscape.tasks.regression.evaluate`) get the leaderboard and how sure
    it is.

    Parameters
    ----------
    performances
        What :func:`rankscape.rank` takes; or draws, such as those of :func:`rankscape.uncertainty.paired`, which know
        the performances, how domains were averaged, and what the entities share. Of models with thresholds, a
        :class:`rankscape.decisions.Sweeps`, the card compares the operating points that win somewhere, such as
        "network at 0.153", without draws.
    path
        The file to write; its suffix, .html or .md, says as what. Figures are part of the HTML page, and files in a
        folder beside the Markdown.
    by, ties
        The preference and how ties are ranked, as in :func:`rankscape.rank`.
    draws, rng, level, method, resample
        As in :func:`rankscape.uncertainty.rank_intervals`, by default 2000 draws with the seed 0; with 0 draws there
        are no sets of ranks.
    title
        The heading.
    figures
        False leaves out the figures.
    weights, missing
        The weights of the domains, and what happens where entities lack some, as in :func:`rankscape.summarize`.
    shift_prior
        The share of positives, in [0, 1], to which the summaries and the draws are shifted.

    Returns
    -------
    Card
        The card.

    Raises
    ------
    UsageError
        For another suffix, for options that regressors do not have, and what :func:`rankscape.rank` raises; then
        nothing is written.

    See Also
    --------
    rankscape.explore
    rankscape.rank

    Examples
    --------
    >>> import rankscape as rs
    >>> card = rs.report(rs.datasets.finley(), by="csi", draws=500)
    >>> card["Leaderboard"].lines
    ('Finley is first, with probability almost 1 (> 0.99)',)
    """
    target = None if path is None else checked_path(path)
    if target is None and not figures:
        raise UsageError('figures= would change nothing without a file: name one, as in report(P, "card.html")')
    if target is not None and target.suffix.lower() not in KINDS:
        raise UsageError(f"{target}: expected a name that ends in {', '.join(KINDS)}")
    prepared, drawn, points, score = prepared_and_drawn(
        performances, draws, rng, by, level=level, method=method, resample=resample, weights=weights, missing=missing,
        shift_prior=shift_prior,
    )  # fmt: skip
    sweeps = performances if isinstance(performances, Sweeps) else None
    asked = Asked(prepared, as_score(score, prepared.given.space), ties, level, drawn, sweeps, points)
    pairs = performances if isinstance(performances, Pairs) else None
    numbers = None if pairs is None else np.vstack([pairs.truth, pairs.predictions])
    card = _card_of(asked, title, data_hash(asked.performances, numbers))
    if target is not None:
        _write(card, target, figures)
    return card


def _card_of(asked: Asked, title: str | None, numbers: str) -> Card:
    """Return the card, which says why it lacks a section where one is asked for."""
    program = f"rankscape {__version__}"
    many = counted(len(asked.averaged), "model") if asked.points is None else asked.points.count
    made = [program, *asked.prepared.sentences()]
    made.append(f"SHA-256 of names, domains and numbers (rankscape._report.card.data_hash): {numbers}")
    if asked.intervals is not None:
        seed = "given as a generator" if asked.intervals.seed is None else asked.intervals.seed
        made.append(f"{asked.intervals.draws} draws, seed {seed}")
    front = front_of(asked, {section.title: section for section in asked.sections}, f"{program}, data {numbers[:12]}…")
    parts = tuple(section for section in asked.sections if not section.empty)
    empty = {section.title: section.empty for section in asked.sections if section.empty}
    return Card(title or f"{many} ranked by {asked.score.name}", parts, tuple(made), front, empty)


def data_hash(performances: Performances, numbers: Any = None) -> str:
    """Return a hash of names, domains and counts (or probabilities, or other numbers), the same on every machine.

    >>> data_hash(Performances.from_counts([[1, 0, 0, 1]], names=["a"]))[:12]
    '432ae3cd5fea'
    """
    if numbers is None:
        numbers = performances.mass if performances.counts is None else performances.counts
    content = [list(performances.names), list(performances.domains or ()), numbers.tolist()]
    return hashlib.sha256(json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()).hexdigest()


def _write(card: Card, path: Path, figures: bool) -> None:
    """Write the page and its figures; all is made before the first file is written."""
    kind, folder = KINDS[path.suffix.lower()], figures_folder(path)
    drawn = figures_of(card.sections, kind, folder.name if kind == "png" else "") if figures else {}
    text = as_html(card, drawn) if kind == "svg" else as_markdown(card, drawn)
    if not path.parent.is_dir():
        write_whole(path, text.encode())  # raises the error about the folder
    if drawn and kind == "png":
        with suppress(OSError):  # writing into it will say why
            folder.mkdir(exist_ok=True)
        for figure in drawn.values():
            write_whole(folder / figure.file, figure.content)
    write_whole(path, text.encode())


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
    if board.question:
        question.insert(0, board.question)
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
    rows: list[tuple[str, tuple[str, ...]]] = []
    changes, over = asked.changes if asked.has_tile else None, asked.over_weights
    if isinstance(changes, Flips):
        rows = by_costs(changes, asked.averaged) or by_rates(changes)
        at_priors = priors_of(asked.averaged, asked.score)
        if not isinstance(at_priors, RankscapeError) and at_priors.first is not None and at_priors.prior is not None:
            for direction, prior, names in at_priors.beyond():
                word, here = "fewer" if direction == FEWER else "more", f"{100 * at_priors.prior:.3g} %"
                most = within(100 * prior, up=direction == FEWER)
                rows.append((f"{word} than {most} % positives (here {here})", names))
    for flip in [] if over is None else over.flips[:1]:  # the smallest change of the weight of a domain
        for names, weight, word in ((flip.below, flip.ends[0], "less"), (flip.above, flip.ends[1], "more")):
            limit, now = limits(weight, flip.weight)
            rows += [(f"{label(flip.domain)} weighing {word} than about {limit} (now {now})", names)] if names else []
    if rows:
        return tuple((condition, tied(names, MOST_NAMED)) for condition, names in rows[:MOST_CHANGES]), ""
    if asked.board.cases is not None:
        return (), "Other errors, or other weights of the cases, could: `rankscape explore` shows how."
    if isinstance(changes, Flips):
        return (), "Nothing: the answer is the same whatever a miss and a detection are worth."
    if len(asked.averaged) == 1:
        return (), "Nothing: there is no other model."
    if over is not None:
        return (), _sentence(over.about_change)
    if is_right_or_wrong(asked.performances.space):
        return (), "Only other cases: every ranking score gives the same order."
    return (), "For this score it is not known what would change the answer."


def _sentence(text: str) -> str:
    """Return a text that starts with a capital and ends with a full stop."""
    return capitalized(text) + "." * (not text.endswith((".", "?")))
