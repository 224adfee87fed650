"""The pages of a site, rendered from templates: whatever comes from outside is text, and nothing is loaded."""

from __future__ import annotations

from math import isfinite, nan
from typing import Any

from .._report.card import data_hash
from .._report.leaderboard import full_name
from .._report.pages import Figure, file_of, markup, page
from ..explorer.document import digest
from ..look import pretty
from ..texts import and_more, estimated, level_text, of_draws, percent
from ..version import __version__
from .challenge import Challenge, Place

Context = dict[str, Any]

WHAT_ROLES_ARE = (
    "The hardest domain has the worst score; the bottleneck has the largest share of the errors that matter"
)
NEIGHBORS, MOST_TIED = 3, 3
"""How many better and how many worse methods a card compares with, and how many a row names that share the lead."""


def pages(challenge: Challenge, files: list[tuple[str, str]], figures: dict[str, Figure]) -> dict[str, bytes]:
    """Return the pages, by their names in the site; ``files`` are those to download, with their titles."""
    menu = [("index", "Leaderboard", "index.html")]
    menu += [("domains", "Domains", "domains.html")] if challenge.places else []
    menu += [("about", "How it is ranked", "about.html"), ("explorer", "Explorer", "explorer.html")]
    style, script = file_of("site.css"), file_of("site.js")
    policy = (
        f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'"
    )
    shared = {
        "policy": markup(policy), "style": markup(style), "script": markup(script), "menu": menu,
        "made": _made(challenge), "challenge": challenge,
    }  # fmt: skip

    def render(template: str, root: str = "", **context: Any) -> bytes:
        text = page(template, root=root, page=template, **shared, **context)
        return text.encode("utf-8", "backslashreplace")

    about = [section for title, section in challenge.sections.items() if title != "Leaderboard"]
    out = {"index.html": render("index", downloads=files, **of_index(challenge))}
    out["about.html"] = render("about", sections=about, figures=figures)
    if challenge.places:
        rows = [row_of_domain(challenge, place) for place in challenge.places]
        lines = [*challenge.asked.prepared.sentences(), *challenge.without_intervals]
        out["domains.html"] = render("domains", rows=rows, lines=lines)
    for place in challenge.places:
        out[f"domains/{place.slug}.html"] = render("domain", "../", place=place, **of_domain(challenge, place))
    for number, name in enumerate(challenge.names):
        context = of_method(challenge, number)
        out[f"methods/{challenge.slugs[name]}.html"] = render("method", "../", name=name, **context)
    return out


def of_index(challenge: Challenge) -> Context:
    """Return what stands on the first page: the leaderboard, how to read it, and how sure it is."""
    board, intervals, prepared = challenge.board, challenge.intervals, challenge.asked.prepared
    n_domains, compared = challenge.asked.performances.n_domains, len(prepared.domains)
    facts = [("Methods", str(len(challenge.names))), ("Ranked by", challenge.printed(board.by))]
    if n_domains > 1:
        facts.append(("Domains", str(n_domains) if compared == n_domains else f"{compared} of {n_domains}"))
    answer, how = challenge.sections["Leaderboard"].lines, board.title().splitlines()[1:]
    if intervals is not None:
        symbol, level = pretty(challenge.asked.score.symbol), level_text(intervals.level)
        held = of_draws(intervals.held, intervals.draws)
        how += [
            f"Bars show the value of {symbol} and its interval, a {level} credible interval by itself",
            f"Ranks: the ranks that a method may have; all of them hold together in {held} (level {level})",
            "P(first): the probability of coming first on new data",
            "A line begins a tier: its first method is surely worse than the first of the tier before",
        ]
    how += [*board.about_ties(), *board.about_undefined(), *answer[1:], *prepared.sentences(), *board.notes_of_ranking]
    account = challenge.asked.performances.account
    how += [] if account is None or account.plain else [account.sentence()]
    lines = [challenge.sentence(line) for line in how if line]
    return {
        "lead": challenge.printed(answer[0]), "facts": facts, "how_to_read": list(dict.fromkeys(lines)),
        "sure": [challenge.sentence(line) for line in challenge.sections["How sure"].lines],
    }  # fmt: skip


def row_of_domain(challenge: Challenge, place: Place) -> Context:
    """Return the row of a domain, or of a level, in the table of all."""
    given, best = challenge.asked.performances, place.best
    rows = [i for i, domain in enumerate(given.domains or ()) if domain in place.domains]
    share = float(challenge.weight(place))
    row: Context = {
        "place": place, "weight": percent(share) if share else "—", "methods": len({given.names[i] for i in rows}),
        "best": best[:MOST_TIED], "more": and_more(len(best), MOST_TIED),
        "value": place.standings.cell(best[0], "value") if place.standings and best else "—",
    }  # fmt: skip
    if given.counts is not None:
        totals = dict.fromkeys(place.domains, 0)
        for i in rows:
            domain = (given.domains or ())[i]
            totals[domain] = max(totals[domain], int(given.counts[i].sum()))
        row["cases"] = f"{sum(totals.values()):,}".replace(",", " ")
    if challenge.asked.two_class:
        priors = sorted({f"{prior:.3g}" for prior in given.priors[rows].tolist()}, key=float)
        row["prior"] = priors[0] if len(priors) == 1 else f"{priors[0]} to {priors[-1]}"
    return row


def of_domain(challenge: Challenge, place: Place) -> Context:
    """Return what stands on the page of a domain, or of a level that holds several, besides the ranking."""
    lines = [place.why] if place.prepared is None else [*place.prepared.sentences(), *challenge.without_intervals]
    if not challenge.weight(place):
        lines.append(f"{'These domains do' if place.is_level else 'This domain does'} not count officially")
    depth = len(place.parts)
    inside = [(" / ".join(one.parts[depth:]), one.slug) for one in challenge.places if place.holds(one)]
    above = [(one.parts[-1], one.slug) for one in challenge.places if one.holds(place)]
    return {"lines": lines, "inside": inside, "above": above}


def of_method(challenge: Challenge, place: int) -> Context:
    """Return what stands on the card of a method: rank, how sure it is, neighbors and domains."""
    rows, cell, intervals = challenge.standings.rows, challenge.standings.cell, challenge.intervals
    name, value, rank = rows[place].name, rows[place].cells["value"], rows[place].cells["rank"]
    lead = f"Not ranked: {cell(name, 'note') or 'its score is undefined'}"
    if rank != "—":
        tied = ", tied" if rank.endswith("=") else ""
        score = pretty(challenge.asked.score.symbol)
        lead = f"Rank {rank.rstrip('=')} of {len(rows)}{tied}, with {score} = {value}"
    skipped = ("rank", "model", "value", "note")
    facts = [
        ("Possible ranks" if column.key == "ranks" else column.title, cell(name, column.key))
        for column in challenge.standings.columns
        if column.key not in skipped
    ]
    facts += [("Tier", str(rows[place].tier))] if rows[place].tier else []
    facts += [("Ranked by", challenge.printed(full_name(challenge.asked.score)))]
    if challenge.areas is not None:
        area = challenge.areas.get(name, 0.0)
        facts.append(("First on the Tile", percent(area) if area else "nowhere"))
    near = [row.name for row in rows[max(0, place - NEIGHBORS) : place + NEIGHBORS + 1] if row.name != name]
    rivals = [
        {
            "name": other, "rank": cell(other, "rank"), "value": cell(other, "value"),
            "p": "" if intervals is None else estimated(intervals.better(other, name)),
        }
        for other in near
    ]  # fmt: skip
    cells = zip(challenge.metadata.columns, challenge.metadata.of(name), strict=True)
    return {
        "lead": lead, "facts": facts, "about": [(title, one) for title, one in cells if one.text], "rivals": rivals,
        **_on_domains(challenge, name),
    }  # fmt: skip


def _on_domains(challenge: Challenge, name: str) -> Context:
    """Return the ranks of a method on the domains, and what each of these is for it."""
    parts, lines = challenge.roles, challenge.without_intervals
    shares: dict[str, float] = {}
    notes: dict[str, list[str]] = {}
    if parts is not None and name in parts.names:
        row = parts.names.index(name)
        shares = dict(zip(parts.domains, parts.errors[row].tolist(), strict=True))
        for role in ("easiest", "hardest", "bottleneck"):
            for domain in parts.sets[role][row]:
                notes.setdefault(domain, []).append(role)
        if parts.bottleneck[row] is not None:
            lines = [WHAT_ROLES_ARE, *lines]
    rows = []
    for place in challenge.places:
        board = place.standings
        if board is None or name not in board.of:
            continue
        domain, value = "" if place.is_level else place.domains[0], board.of[name].value
        share = shares.get(domain, nan)
        rows.append({
            "place": place, "rank": f"{board.cell(name, 'rank')} of {len(board.rows)}",
            "value": board.cell(name, "value"), "bar": challenge.local_axis.bar(value, value, value),
            "share": (percent(share) if share else "0 %") if isfinite(share) else "",
            "note": ", ".join(notes.get(domain, [])),
        })  # fmt: skip
    return {"places": rows, "shares": bool(shares), "place_lines": lines}


def _made(challenge: Challenge) -> list[str]:
    drawn = challenge.asked.drawn
    seed = [] if drawn is None else [f"{len(drawn)} draws, seed {'unknown' if drawn.seed is None else drawn.seed}"]
    made = "; ".join([f"Made with rankscape {__version__}", *seed])
    return [made, f"SHA-256 of names, domains and numbers: {data_hash(challenge.asked.performances)}"]
