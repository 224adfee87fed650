"""The ranking card: all that a reader must know of a ranking, as one page."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from .._scores import as_score
from ..decisions import Sweeps
from ..errors import Option, UsageError
from ..explorer.build import POLICIES
from ..explorer.pages import page_of
from ..explorer.regression import regression_page
from ..outputs import checked_path, figures_folder, write_whole
from ..performances import Performances
from ..regions.shares import REFERENCE, checked_reference
from ..tasks.pairs import Pairs
from ..texts import counted
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
from ..uncertainty.page_inputs import points_asked, prepared_and_drawn
from ..version import __version__
from .front import front_of, front_of_values
from .illustrations import illustrations
from .leaderboard import displayed, right_columns
from .pages import WRITERS, Card, embedded, written_beside
from .regression import regression_board
from .sections import Asked, Section, sections


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
    explorer: str | None = None,
    method: PosteriorMethod = "exchangeable",
    resample: Resample | None = None,
    weights: WeightsLike | None = None,
    missing: Missing = "error",
    shift_prior: PriorLike | None = None,
    reference_prior: PriorLike = 0.5,
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
        The file to write; its suffix, .html, .md or .tex, says as what. Figures are part of the HTML page, and files
        in a folder beside the others.
    by, ties
        The preference and how ties are ranked, as in :func:`rankscape.rank`.
    draws, rng, level, method, resample
        As in :func:`rankscape.uncertainty.rank_intervals`, by default 2000 draws with the seed 0; with 0 draws there
        are no sets of ranks.
    title
        The heading.
    figures
        False leaves out the figures.
    explorer
        The name of a file beside the card: an explorer that is written too and linked. It opens with the same weights,
        domains, prior and draws.
    weights, missing
        The weights of the domains, and what happens where entities lack some, as in :func:`rankscape.summarize`.
    shift_prior
        The share of positives, in [0, 1], to which the summaries and the draws are shifted.
    reference_prior
        The share of positives at which shares of the Tile are shown beside those of the data.

    Returns
    -------
    Card
        The card.

    Raises
    ------
    UsageError
        For another suffix, for a name of the explorer that is none, for options that regressors do not have, and what
        :func:`rankscape.rank` raises; then nothing is written.

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
    path = None if path is None else checked_path(path)
    if path is None and (explorer is not None or not figures):
        idle = Option("figures", option="no-figures") if explorer is None else Option("explorer")
        raise UsageError([idle, ' would change nothing without a file: name one, as in report(P, "card.html")'])
    kind = ".html" if path is None else path.suffix.lower()
    if kind not in WRITERS:
        raise UsageError(f"{path}: expected a name that ends in {', '.join(WRITERS)}")
    if isinstance(performances, Pairs):
        if shift_prior is not None:
            raise UsageError("regressors have no outcomes, so there is no prior to shift")
        idle_ones = {"figures": not figures, "resample": resample is not None, "weights": weights is not None,
                     "missing": missing != "error", "reference_prior": reference_prior != REFERENCE}  # fmt: skip
        for name in (name for name, given in idle_ones.items() if given):
            idle = Option(name, option="no-figures" if name == "figures" else "")
            raise UsageError([idle, " would change nothing: regressors have no figures, no domains and no prior"])
        if explorer is not None and path is not None:
            _check_name(explorer, path)
        drawn_with = None if draws == 0 else {"draws": draws, "rng": rng, "level": level, "method": method}
        card = _card_of_values(performances, by, ties, title, drawn_with)
        if path is not None:
            if explorer is not None:
                write_whole(path.with_name(explorer), regression_page(performances, None, by, drawn_with).encode())
            write_whole(path, WRITERS[kind](card, (), explorer).encode())
        return card
    sweeps, points = None, None
    if isinstance(performances, Sweeps):
        sweeps = performances
        points = points_asked(performances, draws, rng, level, method, resample, weights, missing)
        performances, draws = points.performances, 0
    prepared, drawn = prepared_and_drawn(
        performances, draws, rng, level=level, method=method, resample=resample, weights=weights, missing=missing,
        shift_prior=shift_prior,
    )  # fmt: skip
    reference = checked_reference(reference_prior)
    asked = Asked(prepared, as_score(by, prepared.given.space), ties, level, drawn, reference, sweeps, points)
    if explorer is not None and path is not None:
        _check_explorer(explorer, path, asked)
    many = counted(len(set(prepared.given.names)), "model") if points is None else points.count
    name = title or f"{many} ranked by {asked.score.name}"
    parts = tuple(sections(asked))
    by_title = {section.title: section for section in parts}
    front = front_of(asked, by_title, f"rankscape {__version__}", data_hash(asked.performances))
    card = Card(name, parts, _made(asked), front)
    if path is not None:
        _write(card, asked, path, figures, explorer)
    return card


def _card_of_values(pairs: Pairs, by: Any, ties: Ties, title: str | None, drawn: dict[str, Any] | None) -> Card:
    """Return the card of regressors: the leaderboard, the question, and how sure it is."""
    board = regression_board(pairs, by, ties, drawn)
    table, right = displayed(board.ranking, None, board.intervals), right_columns(board.ranking)
    first, *others = board.lines
    parts = [Section("Leaderboard", (first,), table, right), Section("Question", tuple(board.title.splitlines()))]
    parts.append(Section("How sure this is", tuple(others)))
    many, program = counted(len(pairs), "model"), f"rankscape {__version__}"
    front = front_of_values(board, LEVEL if drawn is None else float(drawn.get("level", LEVEL)), program)
    return Card(title or f"{many} ranked by {board.ranking.score.name}", tuple(parts), (program,), front)


def _check_explorer(explorer: str, path: Path, asked: Asked) -> None:
    """Refuse what the explorer cannot compare, and what is no name for it."""
    if asked.prepared.missing not in POLICIES and asked.prepared.lacking:
        raise UsageError(
            ["the explorer compares on domains that all models share, so ", Option("missing", asked.prepared.missing),
             " cannot be linked from the report"],
            way_out=[["choose ", Option("missing", "complete")], ["leave out ", Option("explorer")]],
        )  # fmt: skip
    _check_name(explorer, path)


def _check_name(explorer: str, path: Path) -> None:
    """Refuse what is no name of another file beside the report."""
    if Path(explorer).name != explorer or explorer in ("", ".", "..") or not explorer.lower().endswith(".html"):
        expected = "the name of a file beside the report, such as explorer.html"
        raise UsageError(Option("explorer", explorer), expected=expected)
    if path.with_name(explorer) == path:
        raise UsageError([Option("explorer", explorer), " is the report itself: give the explorer another name"])


def data_hash(performances: Performances) -> str:
    """Return a hash of names, domains and counts (or probabilities), the same on every machine.

    >>> data_hash(Performances.from_counts([[1, 0, 0, 1]], names=["a"]))[:12]
    '432ae3cd5fea'
    """
    numbers = performances.mass if performances.counts is None else performances.counts
    content = [list(performances.names), list(performances.domains or ()), numbers.tolist()]
    return hashlib.sha256(json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()).hexdigest()


def _made(asked: Asked) -> tuple[str, ...]:
    lines = [
        f"rankscape {__version__}",
        *asked.prepared.sentences(),
        f"SHA-256 of names, domains and numbers (rankscape._report.card.data_hash): {data_hash(asked.performances)}",
    ]
    if asked.drawn is not None:
        seed = "given as a generator" if asked.drawn.seed is None else asked.drawn.seed
        lines.append(f"{len(asked.drawn)} draws, seed {seed}")
    return tuple(lines)


def _write(card: Card, asked: Asked, path: Path, figures: bool, explorer: str | None) -> None:
    """Write the page and its figures; all is made before the first file is written."""
    suffix, folder = path.suffix.lower(), figures_folder(path)
    drawn = tuple(illustrations(asked, {".html": "svg", ".md": "png", ".tex": "pdf"}[suffix])) if figures else ()
    placed = embedded(drawn) if suffix == ".html" else written_beside(drawn, folder)
    page = WRITERS[suffix](card, placed, explorer)
    if explorer is not None:
        opens_at = None if asked.score.orders_as is None else asked.score  # the default has a place for every prior
        linked = page_of(asked.prepared, by=opens_at, drawn=asked.drawn, points=asked.points)
        write_whole(path.with_name(explorer), linked.encode())
    if not path.parent.is_dir():
        write_whole(path, page.encode())  # raises the error about the folder
    if drawn and suffix != ".html":
        with suppress(OSError):  # writing into it will say why
            folder.mkdir(exist_ok=True)
        for figure in drawn:
            write_whole(folder / figure.file, figure.content)
    write_whole(path, page.encode())
