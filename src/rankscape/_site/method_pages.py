"""The card of each method: its rank and how sure it is, its neighbors, its domains, its ranks so far, its badge."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from typing import Any

from .._report.leaderboard import full_name, in_percent
from ..look import pretty
from ..texts import estimated, label, percent, visible
from .challenge import Challenge, Local
from .history import Change, History, Update
from .standings import Axis, axis_of, bar_of

NEIGHBORS = 3
"""How many better and how many worse methods a card compares with."""

Context = dict[str, Any]


def method_pages(challenge: Challenge, history: History) -> Iterator[tuple[str, Context]]:
    """Yield the name of each method, and what stands on its page."""
    axis = _axis(challenge)
    for place, name in enumerate(challenge.names):
        changes = [_in_words(update, change) for update, change in history.of(name)]
        yield name, {
            "lead": _lead(challenge, name), "facts": _facts(challenge, name), "about": _about(challenge, name),
            "rivals": _rivals(challenge, place), "changes": changes, **_places(challenge, name, axis),
            **_badge(challenge, name),
        }  # fmt: skip


def _lead(challenge: Challenge, name: str) -> str:
    cell = challenge.standings.cell
    rank, value = cell(name, "rank"), cell(name, "value") or cell(name, "accuracy")
    score = pretty(challenge.asked.score.symbol)
    if rank == "—":
        return f"Not ranked: {cell(name, 'note') or 'its score is undefined'}"
    tied = ", tied" if rank.endswith("=") else ""
    return f"Rank {rank.rstrip('=')} of {len(challenge.names)}{tied}, with {score} = {value}"


def _facts(challenge: Challenge, name: str) -> list[tuple[str, str]]:
    board = challenge.standings
    skipped = ("rank", "entity", "value", "accuracy", "note")
    facts = [(column.title, board.cell(name, column.key)) for column in board.columns if column.key not in skipped]
    facts = [("Possible ranks" if title == "Ranks" else title, text) for title, text in facts]
    tier = next(row.tier for row in board.rows if row.name == name)
    facts += [("Tier", str(tier))] if tier else []
    facts += [("Ranked by", challenge.printed(full_name(challenge.asked.score)))]
    if challenge.areas is not None:
        area = challenge.areas.get(name, 0.0)
        facts.append(("First on the Tile", percent(area) if area else "nowhere"))
    return facts


def _about(challenge: Challenge, name: str) -> list[tuple[str, Any]]:
    cells = zip(challenge.metadata.columns, challenge.metadata.of(name), strict=True)
    return [(title, cell) for title, cell in cells if cell.text]


def _rivals(challenge: Challenge, place: int) -> list[Context]:
    rows, cell, intervals = challenge.standings.rows, challenge.standings.cell, challenge.intervals
    name = rows[place].name
    near = [row.name for row in rows[max(0, place - NEIGHBORS) : place + NEIGHBORS + 1] if row.name != name]
    return [
        {
            "name": other, "rank": cell(other, "rank"), "value": cell(other, "value") or cell(other, "accuracy"),
            "p": "" if intervals is None else estimated(intervals.better(other, name)),
        }
        for other in near
    ]  # fmt: skip


def _axis(challenge: Challenge) -> Axis:
    values = [value for local in challenge.places if local.ranking for value in local.ranking.values.tolist()]
    return axis_of(values, in_percent(challenge.asked.score)) or Axis(0.0, 1.0, ("0", "1"))


def _places(challenge: Challenge, name: str, axis: Axis) -> Context:
    roles = challenge.roles
    shares: dict[str, float] = {}
    notes: dict[str, list[str]] = {}
    sentence = ""
    if roles is not None and name in roles.names:
        row = roles.names.index(name)
        shares = dict(zip(roles.domains, roles.errors[row].tolist(), strict=True))
        for role in ("easiest", "hardest", "bottleneck"):
            for domain in roles.sets[role][row]:
                notes.setdefault(domain, []).append(role)
        if roles.bottleneck[row] is not None:
            sentence = (
                "The hardest domain has the worst score; the bottleneck has the largest share of the errors that matter"
            )
    rows = [_place(local, name, shares, notes, axis) for local in challenge.places]
    lines = [*filter(None, [sentence]), *challenge.without_intervals]
    return {"places": [row for row in rows if row], "shares": bool(shares), "place_lines": lines, "axis": axis}


def _place(local: Local, name: str, shares: dict[str, float], notes: dict[str, list[str]], axis: Axis) -> Context:
    if local.ranking is None or not local.cell(name, "rank"):
        return {}
    place = local.place
    domain = "" if place.is_level else place.domains[0]
    value = float(local.values.get(name, nan))
    share = shares.get(domain, nan)
    return {
        "slug": place.slug, "title": place.name, "is_level": place.is_level,
        "rank": f"{local.cell(name, 'rank')} of {len(local.ranking.names)}", "value": local.cell(name, "value"),
        "bar": bar_of(axis, value, value, value), "share": "" if share != share else percent(share) if share else "0 %",
        "note": ", ".join(notes.get(domain, [])),
    }  # fmt: skip


def _in_words(update: Update, change: Change) -> str:
    when = f"Update {update.number}" + (f" ({update.date})" if update.date else "")
    if change.before is None:
        return f"{when}: new, at rank {change.after}"
    return f"{when}: from rank {change.before} to {change.after}"


def _badge(challenge: Challenge, name: str) -> Context:
    file = f"badges/{challenge.slugs[name]}.svg"
    page = f"methods/{challenge.slugs[name]}.html"
    url = challenge.about.url or "https://…/"
    text = f"Rank {challenge.standings.cell(name, 'rank')} of {len(challenge.names)}"
    alt = visible(label(challenge.about.title)).replace("[", "(").replace("]", ")")
    return {"badge": f"../{file}", "badge_text": text, "snippet": f"[![{alt}]({url}{file})]({url}{page})"}
