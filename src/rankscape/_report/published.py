"""A ranking of published rates as a leaderboard: value, range, rank and range of ranks, or one JSON document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..account import Account
from ..published import PublishedRanking
from ..results import Table
from ..texts import WIDEST, counted, estimated, level_text, of_draws, rank_range, some, visible
from ..uncertainty import RankIntervals
from .leaderboard import BETTER, MOST_NAMED, cut, formula, full_name, with_draws
from .render import PAGE, decimals, interval, records, render, share_text, to_json

RIGHT = ("rank", "value", "ranks", "set of ranks", "P(first)", "tables")


@dataclass(frozen=True)
class PublishedBoard:
    """The leaderboard of a published ranking."""

    ranking: PublishedRanking
    intervals: RankIntervals | None = None
    account: Account | None = None

    def render(self, format_: str, width: int = PAGE) -> str:
        """Return the leaderboard in a format of :mod:`rankscape._report`."""
        if format_ == "json":
            return to_json(self.document())
        if format_ == "csv":
            return self.rows().to_csv()
        prose = {"title": self.title(), "summary": "\n".join(map(visible, self.sentences()))}
        return render(
            self.displayed(WIDEST if format_ == "table" else None), format_, **prose, right=RIGHT, width=width
        )

    def title(self) -> str:
        """Say which score this is, and at which prior."""
        ranking, score = self.ranking.ranking, self.ranking.ranking.score
        many = counted(len(ranking.names), "model")
        title = f"Ranking of {many} by {full_name(score)}, from printed rates; {BETTER[score.direction]}"
        return title if score.formula in ("", score.name) else f"{title}\n{formula(score)}"

    def rows(self) -> Table:
        """Return the ranking, with what the draws say where there are some."""
        return with_draws(self.ranking.table(), self.intervals, printed=True)

    def displayed(self, longest: int | None) -> Table:
        """Return the rows as they are read."""
        rows, costs = records(self.rows()), self.ranking.ranking.score.costs
        columns: dict[str, list[Any]] = {
            "rank": ["—" if row["rank"] != row["rank"] else f"{row['rank']:g}" for row in rows],
            "model": [cut(row["entity"], longest) for row in rows],
            "value": decimals([row["value"] for row in rows]),
            "value range": [_range(row["value_low"], row["value_high"]) for row in rows],
            "ranks": [rank_range(row["rank_low"], row["rank_high"]) for row in rows],
        }
        if costs is not None:
            low, high = (np.array([row[end] for row in rows]) for end in ("cost_low", "cost_high"))
            columns[costs.heading] = costs.intervals(low, high, outward=True)
        if self.intervals is not None:
            columns["set of ranks"] = [rank_range(row["drawn_low"], row["drawn_high"]) for row in rows]
            columns["P(first)"] = [estimated(row["p_first"]) for row in rows]
        tables = [row["tables"] for row in rows]
        if any(number != 0 for number in tables):
            columns["tables"] = [{None: "> 1 million", 0: "rates only"}.get(number, number) for number in tables]
        if any(row["reason"] for row in rows):
            columns["note"] = [row["reason"] or "" for row in rows]
        return Table(columns)

    def sentences(self) -> list[str]:
        """Say who comes first, what the ranges are, and what to do."""
        first = self.ranking.possible_first
        named = some(first, MOST_NAMED, quote="", joint=" or ")
        lines = []
        if self.ranking.prior is not None:
            share = share_text(float(self.ranking.prior))
            lines.append(f"TNR and TPR stay as they are, and the share of positives is {share}.")
        lines.append(self._basis())
        alone = len(self.ranking.ranking.names) == 1
        if self.intervals is not None and not alone:
            lines.append(
                f"The sets of ranks and P(first) mix rounding and chance (seed {self.intervals.seed}): "
                f"{self.intervals.method}. All sets are right at once in "
                f"{of_draws(self.intervals.held, self.intervals.draws)} (level: at least "
                f"{level_text(self.intervals.level)})."
            )
            lines += [f"Caution: {note}." for note in self.intervals.notes]
        if not first:
            lines.append("rankscape cannot rank any model: the score is undefined for all of them.")
        elif alone:
            lines.append(
                "There is no other model to compare it with, so neither rounding nor chance can change its rank."
            )
        elif len(first) == 1:
            lines.append(f"So the printed decimals are enough: {named} comes first, whatever the rounding hides.")
            if self.intervals is not None:
                p_first = dict(zip(self.intervals.names, self.intervals.p_first.tolist(), strict=True))
                if p_first[first[0]] < self.intervals.level:
                    lines.append("But other cases could change that: see P(first).")
        else:
            which = f"whether {named} comes" if len(first) <= MOST_NAMED else f"which of {len(first)} models comes"
            lines.append(
                f"So the printed decimals leave open {which} first: ask the authors for the counts, or for more "
                "decimals."
            )
        lines += [f"Note: {note}" for note in (*self.ranking.notes, *self.ranking.ranking.notes)]
        return lines

    def _basis(self) -> str:
        """Say what values and ranges are of: whole counts where the numbers of cases are known, and few fit."""
        whole = [bool(number) for number in self.ranking.tables]
        of = "the whole counts nearest to the printed numbers" if all(whole) else "the numbers as printed"
        if any(whole) and not all(whole):
            of += ' (or, where "tables" has a number, of the nearest whole counts)'
        return f"Each value is that of {of}; its range holds all that round to them, and says nothing about chance."

    def document(self) -> dict[str, Any]:
        """Return the leaderboard as one JSON document."""
        ranking, score, intervals = self.ranking.ranking, self.ranking.ranking.score, self.intervals
        return {
            "schema": "rankscape/published/1",
            "score": score.name,
            "symbol": score.symbol,
            "formula": score.formula,
            "direction": score.direction,
            "shift_prior": None if self.ranking.prior is None else float(self.ranking.prior),
            **({"costs": score.costs.document()} if score.costs else {}),
            "ties": ranking.ties,
            "possible_first": list(self.ranking.possible_first),
            "account": self.account and self.account.document(),
            "notes": [*self.ranking.notes, *ranking.notes],
            **{name: getattr(intervals, name, None) for name in ("draws", "seed", "level", "held")},
            "entities": records(self.rows()),
        }


def _range(low: float, high: float) -> str:
    return interval(low, high, outward=True) if low != high else "one value"
