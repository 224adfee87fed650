"""Rankings of regressors as they are read: a leaderboard of errors, and the card of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import uncertainty
from ..ordering import Ranking, rank
from ..tasks.pairs import Pairs
from ..texts import WIDEST, counted, some, visible
from ..typing import Ties
from .leaderboard import displayed, full_name, right_columns, whole
from .render import PAGE, decimals, records, render, to_json

MOST_NAMED = 6
DEFAULT = "mae"
"""The error by which regressors are ranked where none is named."""


@dataclass(frozen=True)
class RegressionBoard:
    """A ranking of regressors, with the uncertainty where it was asked for."""

    pairs: Pairs
    ranking: Ranking
    intervals: uncertainty.RankIntervals | None = None

    def render(self, format_: str, width: int = PAGE) -> str:
        """Return the leaderboard in a format of :mod:`rankscape._report`."""
        if format_ == "json":
            return to_json(self.document())
        table = whole(self.ranking, self.intervals)
        if format_ == "csv":
            return table.to_csv()
        readable = displayed(self.ranking, WIDEST if format_ == "table" else None, self.intervals)
        prose = {"title": self.title, "summary": "\n".join(map(visible, self.lines))}
        return render(readable, format_, **prose, right=right_columns(self.ranking), width=width)

    @property
    def title(self) -> str:
        """The score, and which values are better."""
        score, n = self.ranking.score, len(self.ranking.names)
        better = f"{score.direction} is better"
        return f"Ranking of {counted(n, 'model')} by {full_name(score)}; {better}\n{score.formula}"

    @property
    def lines(self) -> list[str]:
        """Who is first, on how many cases, and how sure that is."""
        ranking = self.ranking
        best = sorted(ranking.best)
        values = dict(zip(ranking.names, decimals(ranking.values.tolist()), strict=True))
        tied = (", tied exactly" if ranking.exact else ", tied in floating point") if len(best) > 1 else ""
        lines = [f"First: {some(best, MOST_NAMED, quote='')} ({values[best[0]]}{tied})"] if best else []
        lines.append(f"Compared on {counted(len(self.pairs.truth), 'case')}, the same for all")
        lines += [f"Note: {note}" for note in ranking.notes]
        return lines if self.intervals is None else [*lines, *uncertainty.sentences(self.intervals)]

    def document(self) -> dict[str, Any]:
        """Return the leaderboard as one JSON document."""
        score, intervals = self.ranking.score, self.intervals
        of_draws = intervals and {
            "method": intervals.method, "unit": intervals.unit, "draws": intervals.draws, "seed": intervals.seed,
            "level": intervals.level, "held": intervals.held, "notes": uncertainty.cautions_of(intervals),
        }  # fmt: skip
        return {
            "schema": "rankscape/regression/1",
            "score": score.name,
            "formula": score.formula,
            "direction": score.direction,
            "ties": self.ranking.ties,
            "exact": self.ranking.exact,
            "cases": len(self.pairs.truth),
            **({"uncertainty": of_draws} if of_draws else {}),
            "entities": records(whole(self.ranking, intervals)),
            "account": None if self.pairs.account is None else self.pairs.account.document(),
        }


def regression_board(
    pairs: Pairs, by: Any = None, ties: Ties = "min", drawn: dict[str, Any] | None = None
) -> RegressionBoard:
    """Rank regressors; ``drawn`` are the options of draws, or None for no uncertainty."""
    score = DEFAULT if by is None else by
    ranking = rank(pairs, by=score, ties=ties)
    intervals = None if drawn is None else uncertainty.rank_intervals(pairs, score, **drawn)
    return RegressionBoard(pairs, ranking, intervals)
