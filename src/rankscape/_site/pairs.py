"""What the page of comparisons carries: values of all methods on all domains, and P(better) of all pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._report import decimals
from ..texts import LONGEST_NAME, shortened
from ..typing import Flags, Floats
from .challenge import Challenge

MOST_PAIRED = 300
"""P(better) is carried for the first so many methods."""

MOST_CELLS = 14_000
"""Values on the domains are carried up to so many cells, so that the page stays small."""

MANY, LONGEST_OF_MANY = 100, 40
"""Of more methods than this, names are shorter, for the same reason."""


def pairs(challenge: Challenge) -> dict[str, Any]:
    """Return the data of the page: methods in the order of their ranks."""
    names, board = challenge.names, challenge.standings
    places = [local for local in challenge.places if len(names) * len(challenge.places) <= MOST_CELLS]
    columns = [column for column in board.columns if column.key not in ("model", "note")]
    rates = _rates(challenge)
    longest = LONGEST_NAME if len(names) <= MANY else LONGEST_OF_MANY
    return {
        "names": [shortened(name, longest) for name in names],
        "pages": [challenge.slugs[name] for name in names],
        "score": challenge.value_title,
        "smaller": challenge.board.ranking.score.direction == "smaller",
        "columns": [*(column.title for column in columns), *rates],
        "cells": [
            [*(row.cells[column.key] for column in columns), *(values[place] for values in rates.values())]
            for place, row in enumerate(board.rows)
        ],
        "domains": [
            [shortened(local.place.name, LONGEST_NAME), local.place.slug, int(local.place.is_level)] for local in places
        ],
        "values": ["|".join(local.cell(name, "value") for name in names) for local in places],
        **_certainty(challenge),
    }


def _rates(challenge: Challenge) -> dict[str, list[str]]:
    """Return recall, specificity and precision of all methods, of two classes."""
    if not challenge.asked.two_class:
        return {}
    data = challenge.asked.averaged
    position = {name: i for i, name in enumerate(data.names)}
    tn, fp, fn, tp = data.mass[[position[name] for name in challenge.names]].T
    with np.errstate(invalid="ignore", divide="ignore"):
        values = {
            "Recall (TPR)": tp / (tp + fn),
            "Specificity (TNR)": tn / (tn + fp),
            "Precision (PPV)": tp / (tp + fp),
        }
    return {title: decimals(each.tolist(), 3, 3) for title, each in values.items()}


def _certainty(challenge: Challenge) -> dict[str, Any]:
    """Return P(better) as two digits per pair, and the sure differences as hexadecimal bits: of the first methods."""
    intervals = challenge.intervals
    if intervals is None:
        return {"paired": 0, "better": "", "sure": ""}
    position = {name: i for i, name in enumerate(intervals.names)}
    first = [position[name] for name in challenge.names[:MOST_PAIRED]]
    better = np.nan_to_num(_p_better(challenge, first))
    percents = np.where(better >= 0.99, 99, np.minimum(np.rint(100 * better), 98)).astype(int)  # 99: at least 0.99
    return {
        "paired": len(first),
        "better": "".join(f"{percent:02d}" for percent in percents.ravel().tolist()),
        "sure": np.packbits(_sure(challenge, first)).tobytes().hex(),
    }


def _p_better(challenge: Challenge, rows: list[int]) -> Floats:
    """Return P(row better than column) among some of the methods."""
    intervals = challenge.intervals
    if intervals is None:
        return np.zeros((len(rows),) * 2)
    places = intervals.places[:, rows]
    return np.stack([((place[:, None] < places) & (place[:, None] > 0)).mean(axis=0) for place in places.T])


def _sure(challenge: Challenge, rows: list[int]) -> Flags:
    intervals = challenge.intervals
    out = np.zeros((len(rows),) * 2, dtype=bool)
    if intervals is not None:
        place = {row: i for i, row in enumerate(intervals.together.tolist())}
        known = [i for i, row in enumerate(rows) if row in place]
        inner = [place[rows[i]] for i in known]
        out[np.ix_(known, known)] = intervals.sure[np.ix_(inner, inner)]
    return out
