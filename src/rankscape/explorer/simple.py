"""The simple page: the explorer of every sample space that has no Tile, such as success, retrieval and several classes.

It shows a leaderboard, the importances as sliders where there is something to choose, and the domains.
"""

from __future__ import annotations

import json
import zlib
from math import isclose
from typing import Any

import numpy as np

from .._scores import Score, as_score
from ..domains import Prepared
from ..outcomes import TWO_CLASS, SampleSpace, to_be_found
from ..performances import Performances
from ..tasks import success
from ..typing import Integers, ScoreLike
from ..uncertainty import Draws
from ..uncertainty.defaults import LEVEL
from ..uncertainty.intervals import MOST_TOGETHER
from .build import digits, named, read_of, start_weights
from .document import document, source
from .features import Features, opened_at
from .sample import carried

MODEL = (
    "exact", "model", "uncertainty", "texts", "names", "memory", "simple_data", "simple_preference", "simple_strip",
    "simple_shares", "simple_state", "simple_view",
)  # fmt: skip
"""The modules that compute; the first ones are those of the Tile's page."""

VIEW = (
    "look",
    "palette",
    "dom",
    "fields",
    "terms",
    "trail",
    "simple_sentences",
    "simple_tables",
    "simple_panel",
    "simple_files",
    "simple_app",
)
"""The modules that show."""

FEWEST = 300
"""Of very many entities at least so many are drawn."""


def has_tile(space: SampleSpace) -> bool:
    """Whether performances of a sample space are shown on a Tile."""
    return space.outcomes == TWO_CLASS.outcomes


def opened(
    asked: Prepared, by: ScoreLike | None, drawn: Draws | None, level: float = LEVEL
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the data that the page carries, and the state in which it opens.

    >>> from rankscape.domains import prepare
    >>> data, start = opened(prepare(success.from_counts([3, 4], 5)), None, None)
    >>> data["features"], data["values"], start
    (['failure', 'success'], [[2, 1], [3, 4]], {'score': 'accuracy', 'weights': None})
    """
    given = asked.given
    score = None if by is None else as_score(by, given.space)
    features, start = opened_at(given.space, score, asked.performances)
    weights = start_weights(asked)
    draws = carried(drawn, asked, level, features.drawn, _likely(features, asked, drawn))
    data = payload(given, features) | read_of(given) | {"pooled": asked.only_pooled} | values_of(score, features)
    named_score = {"score": data["scores"][0]["name"]} if features.kind == "one" else {}
    return data | {"draws": draws and draws | {"weights": weights}}, start | named_score | {"weights": weights}


def payload(given: Performances, features: Features) -> dict[str, Any]:
    """Return what the page carries: names, features, the scores made of them, and a hash of the data."""
    _, _, low, high = features.satisfaction
    integers = features.of(given.integers.astype(object))
    space = given.space
    data = named(given) | {
        "kind": features.kind,
        "space": space.name,
        "success": space.outcomes == success.SPACE.outcomes and success.mean_of_grades(space) is None,
        "graded": success.mean_of_grades(space) is not None,
        "outcomes": list(space.outcomes if features.kind == "outcomes" else ()),
        "classes": list(space.labels),
        "none": "none" in space.outcomes,
        "crisp": features.crisp,
        "real": features.real,
        "features": list(features.names),
        "size": list(features.size),
        "range": [low, high],
        "scores": [
            {"name": score.name, "earned": digits(score.earned), "lost": digits(score.lost)}
            for score in features.scores
        ],
        "satisfaction": [digits(side) for side in _sides(features)] if features.kind == "outcomes" else None,
        "values": [digits(column) for column in integers.T],
        "counts": given.counts is not None,
        "found": to_be_found(space) is not None,
        "noun": "benchmark" if space.outcomes == success.SPACE.outcomes else "domain",
    }
    plain = [*named(given).values(), space.outcomes, data["values"][: len(features.size) - 2 * len(features.extra)]]
    return data | {"hash": f"{zlib.crc32(json.dumps(plain).encode()):08x}"}


def values_of(score: Score | None, features: Features) -> dict[str, Any]:
    """Return what a page with one ordering writes: the score, its values where all is lost and earned, its direction.

    Between these ends values are straight, or roots (of squared errors).
    """
    if score is None or features.kind != "one":
        return {"smaller": False, "root": False, "amounts": False}
    mass = np.array([[1, 0], [0.5, 0.5], [0, 1]])
    low, middle, high = score(Performances.from_trusted(mass, ("",) * 3, None, features.space)).tolist()
    root = not isclose(middle, (low + high) / 2, rel_tol=1e-9)
    sides = {"name": score.name, "earned": digits([0, 1]), "lost": digits([1, 0])}
    out = {"range": [low, high], "smaller": score.direction == "smaller", "root": root, "scores": [sides]}
    return out | ({"amounts": True, "noun": "band"} if score.function is not None else {"amounts": False})


def _sides(features: Features) -> tuple[list[int], list[int]]:
    """Return how much of each outcome is earned and lost."""
    whole, scale, *_ = features.satisfaction
    return [int(s) for s in whole], [int(scale - s) for s in whole]


def _likely(features: Features, asked: Prepared, drawn: Draws | None) -> Integers | None:
    """Return the rows that are drawn: all, or of very many those that are among the best by one of the scores."""
    if drawn is None or len(drawn.names) <= MOST_TOGETHER:
        return None
    shares = features.of(asked.performances.mass)
    ranked = []
    for score in features.scores:
        earned, lost = ((shares * side).sum(axis=1) for side in (score.earned, score.lost))
        with np.errstate(invalid="ignore", divide="ignore"):
            ranked.append(np.argsort(lost / earned, kind="stable")[:FEWEST].tolist())
    best = dict.fromkeys(row for place in zip(*ranked, strict=True) for row in place)
    return np.sort(list(best)[:FEWEST])


def page_of(
    asked: Prepared, title: str, by: ScoreLike | None = None, drawn: Draws | None = None, level: float = LEVEL
) -> str:
    """Return the page of what was prepared.

    >>> from rankscape.domains import prepare
    >>> text = page_of(prepare(success.from_counts([3, 4], 5, names=["<b>", "b"])), "Which is best?")
    >>> text.startswith("<!DOCTYPE html>"), "<b>" in text
    (True, False)
    """
    data, start = opened(asked, by, drawn, level)
    style = source("style.css") + source("simple.css")
    return document(title, (*MODEL, *VIEW, "simple_page"), style, {"title": title, "start": start, "source": data})
