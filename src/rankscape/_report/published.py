"""A ranking of published rates as a leaderboard: value, range, rank and range of ranks, or one JSON document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..account import Account
from ..published import PublishedRanking
from ..results import Table
from ..texts import WIDEST, counted, estimated, label, level_text, of_draws, rank_range, some, visible
from ..uncertainty import RankIntervals
from .expenses import share_text
from .leaderboard import MOST_NAMED, formula, full_name
from .render import PAGE, decimals, interval, records, render, to_json

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
        ranking = self.ranking.ranking
        better = {"larger": "larger is better", "smaller": "smaller is better", None: "the largest is shown first"}
        lines = [
            f"Ranking of {counted(len(ranking.names), 'model')} by {full_name(ranking.score)}, from "
            f"printed rates; {better[ranking.score.direction]}"
        ]
        if ranking.score.formula and ranking.score.formula != ranking.score.name:
            lines.append(formula(ranking.score))
        return "\n".join(lines)

    def rows(self) -> Table:
        """Return the ranking, with what the draws say where there are some."""
        table = self.ranking.table()
        columns = {name: table[name] for name in table.columns}
        if self.intervals is not None:
            row = {name: i for i, name in enumerate(self.intervals.names)}
            order = [row[name] for name in table["entity"]]
            costs = ("cost_low", "cost_high") if self.intervals.cost_low is not None else ()
            for name in ("low", "high", "p_first", "value_low", "value_high", *costs):
                column = name if name == "p_first" else f"drawn_{name}"
                columns[column] = getattr(self.intervals, name)[order].tolist()
        return Table(columns)

    def displayed(self, longest: int | None) -> Table:
        """Return the rows as they are read."""
        rows = records(self.rows())
        columns: dict[str, list[Any]] = {
            "rank": ["—" if row["rank"] != row["rank"] else f"{row['rank']:g}" for row in rows],
            "model": [label(row["entity"], longest) if longest else row["entity"] for row in rows],
            "value": decimals([row["value"] for row in rows]),
            "value range": [_range(row["value_low"], row["value_high"]) for row in rows],
            "ranks": [rank_range(row["rank_low"], row["rank_high"]) for row in rows],
        }
        costs = self.ranking.ranking.score.costs
        if costs is not None:
            low, high = (np.array([row[end] for row in rows]) for end in ("cost_low", "cost_high"))
            columns[costs.heading] = costs.intervals(low, high, outward=True)
        if self.intervals is not None:
            columns["set of ranks"] = [rank_range(row["drawn_low"], row["drawn_high"]) for row in rows]
            columns["P(first)"] = [estimated(row["p_first"]) for row in rows]
        if any(row["tables"] != 0 for row in rows):
            columns["tables"] = [
                {None: "> 1 million", 0: "rates only"}.get(n, n) for n in (row["tables"] for row in rows)
            ]
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
        ranking = self.ranking.ranking
        return {
            "schema": "rankscape/published/1",
            "score": ranking.score.name,
            "symbol": ranking.score.symbol,
            "formula": ranking.score.formula,
            "direction": ranking.score.direction,
            "shift_prior": None if self.ranking.prior is None else float(self.ranking.prior),
            **({"costs": ranking.score.costs.document()} if ranking.score.costs else {}),
            "ties": ranking.ties,
            "possible_first": list(self.ranking.possible_first),
            "account": None if self.account is None else self.account.document(),
            "notes": [*self.ranking.notes, *ranking.notes],
            "draws": None if self.intervals is None else self.intervals.draws,
            "seed": None if self.intervals is None else self.intervals.seed,
            "level": None if self.intervals is None else self.intervals.level,
            "held": None if self.intervals is None else self.intervals.held,
            "entities": records(self.rows()),
        }


def _range(low: float, high: float) -> str:
    return interval(low, high, outward=True) if low != high else "one value"
