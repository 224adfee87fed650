"""The simple page: the explorer of every sample space that has no Tile, such as success, retrieval and several classes.

It shows a leaderboard, the importances as sliders where there is something to choose, and the domains.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from .._scores import as_score
from ..domains import Prepared
from ..outcomes import to_be_found
from ..performances import Performances
from ..tasks import success
from ..typing import Floats, ScoreLike
from ..uncertainty import Draws
from ..uncertainty.defaults import LEVEL
from .build import digits, named, read_of, start_weights
from .features import Features, opened_at
from .sample import MOST_DRAWN, carried

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
    weights, values = start_weights(asked), features.values_of(score)
    draws = carried(drawn, asked, level, features.drawn, _ratios(features, asked), best=MOST_DRAWN)
    data = payload(given, features) | read_of(given) | {"pooled": asked.only_pooled} | values
    if "scores" in values:
        start = {"score": values["scores"][0]["name"]}
    return data | {"draws": draws and draws | {"weights": weights}}, start | {"weights": weights}


def payload(given: Performances, features: Features) -> dict[str, Any]:
    """Return what the page carries: names, features, the scores made of them, and a hash of the data."""
    whole, scale, low, high = features.satisfaction
    integers = features.of(given.integers.astype(object))
    space, graded = given.space, success.mean_of_grades(given.space) is not None
    right_or_wrong = space.outcomes == success.SPACE.outcomes
    data = named(given) | {
        "kind": features.kind,
        "space": space.name,
        "success": right_or_wrong and not graded,
        "graded": graded,
        "outcomes": list(features.weighed),
        "classes": list(space.labels),
        "none": "none" in space.outcomes,
        "crisp": features.crisp,
        "real": list(map(bool, whole[:: len(space.labels) + 1])) if space.labels else [],
        "features": list(features.names),
        "size": list(features.size),
        "range": [low, high],
        "scores": [
            {"name": score.name, "earned": digits(score.earned), "lost": digits(score.lost)}
            for score in features.scores
        ],
        "satisfaction": [digits(whole), digits(scale - whole)] if features.weighed else None,
        "values": [digits(column) for column in integers.T],
        "counts": given.counts is not None,
        "found": to_be_found(space) is not None,
        "noun": "benchmark" if right_or_wrong else "domain",
    }
    plain = [*named(given).values(), space.outcomes, data["values"][: len(features.plain)]]
    return data | {"hash": f"{zlib.crc32(json.dumps(plain).encode()):08x}"}


def _ratios(features: Features, asked: Prepared) -> Iterator[Floats]:
    """Yield what each entity loses per what it earns, by each of the scores."""
    shares = features.of(asked.performances.mass)
    for score in features.scores:
        earned, lost = ((shares * side).sum(axis=1) for side in (score.earned, score.lost))
        with np.errstate(invalid="ignore", divide="ignore"):
            yield lost / earned
