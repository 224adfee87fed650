"""The pages of domains and of the levels that hold them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..texts import and_more, percent
from .challenge import Challenge, Local

MOST_TIED = 3

Context = dict[str, Any]


def domain_pages(challenge: Challenge) -> Iterator[tuple[str, str, Context]]:
    """Yield the file of each page, its template, and what stands on it."""
    if not challenge.places:
        return
    rows = [_row(challenge, local) for local in challenge.places]
    lines = [*challenge.asked.prepared.sentences(), *challenge.without_intervals]
    given = challenge.asked.performances
    has = {"cases": given.counts is not None, "priors": challenge.asked.two_class}
    yield "domains.html", "domains", {"rows": rows, "lines": lines, **has}
    for local in challenge.places:
        yield f"domains/{local.place.slug}.html", "domain", _page(challenge, local)


def _row(challenge: Challenge, local: Local) -> Context:
    given, place = challenge.asked.performances, local.place
    weights = challenge.asked.prepared.weights
    inside = set(place.domains)
    rows = [i for i, domain in enumerate(given.domains or ()) if domain in inside]
    share = float(sum(weights.get(domain, 0) for domain in place.domains))
    best = local.best
    row: Context = {
        "slug": place.slug, "is_level": place.is_level, "title": place.name,
        "weight": percent(share) if share else "—", "methods": len({given.names[i] for i in rows}),
        "best": best[:MOST_TIED], "more": and_more(len(best), MOST_TIED),
        "value": local.cell(best[0], "value") if best else "—",
    }  # fmt: skip
    if given.counts is not None:
        totals: dict[str, int] = {}
        for i in rows:
            domain = (given.domains or ())[i]
            totals[domain] = max(totals.get(domain, 0), int(given.counts[i].sum()))
        row["cases"] = f"{sum(totals.values()):,}".replace(",", " ")
    if challenge.asked.two_class:
        priors = sorted({f"{prior:.3g}" for prior in given.priors[rows].tolist()}, key=float)
        row["prior"] = priors[0] if len(priors) == 1 else f"{priors[0]} to {priors[-1]}"
    return row


def _page(challenge: Challenge, local: Local) -> Context:
    place = local.place
    lines = [local.why] if local.why else [*local.prepared.sentences()] if local.prepared else []
    lines += [] if local.why else challenge.without_intervals
    if not any(challenge.asked.prepared.weights.get(domain) for domain in place.domains):
        lines.append(f"{'These domains do' if place.is_level else 'This domain does'} not count officially")
    inside = [other.place for other in challenge.places if place.is_level and _is_inside(other, local)]
    above = [other.place for other in challenge.places if other.place.is_level and _is_inside(local, other)]
    return {
        "name": place.name, "lines": lines, "standings": local.standings,
        "inside": [(" / ".join(other.parts[len(place.parts):]), other.slug) for other in inside],
        "above": [(other.parts[-1], other.slug) for other in above],
    }  # fmt: skip


def _is_inside(local: Local, level: Local) -> bool:
    inner, outer = local.place.parts, level.place.parts
    return len(inner) > len(outer) and inner[: len(outer)] == outer
