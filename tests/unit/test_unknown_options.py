"""A keyword that a function does not take is refused, with the nearest that it takes or with what to do instead."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankscape as rs
from rankscape import plots
from rankscape.plots.board import INSTEAD, LOOKS
from rankscape.testing import assert_no_worse

P = rs.Performances.from_counts([[50, 5, 5, 40], [40, 10, 10, 40]])
TILE = rs.tile.entity(P, resolution=5)
DRAWING = [getattr(plots, name) for name in plots.__all__ if name.startswith("draw_")]

TAKERS: dict[str, Callable[..., Any]] = {
    "score": lambda **options: rs.score("fbeta", **options),
    "score of an expression": lambda **options: rs.score("sqrt(tpr*tnr)", **options),
    "score of an event": lambda **options: rs.score("P(tp|fn,tp)", **options),
    "score of an importance": lambda **options: rs.score({"tp": 1, "tn": 2}, **options),
    "importance": rs.TWO_CLASS.importance,
    "reconstruct": lambda **options: rs.reconstruct(sensitivity="0.8", n=10, **options),
    "rank_intervals": lambda **options: rs.uncertainty.rank_intervals(P, draws=2, **options),
    "first_tile": lambda **options: rs.uncertainty.first_tile(P, draws=2, resolution=2, **options),
    "assert_no_worse": lambda **options: assert_no_worse(P[0], P[1], **options),
    "TileMap.plot": TILE.plot,
    "RankIntervals.plot": rs.uncertainty.rank_intervals(P, draws=20).plot,
    "FirstTile.plot": rs.uncertainty.first_tile(P, draws=2, resolution=3).plot,
    "Tradeoff.plot": rs.tradeoff(P).plot,
    "ModelRegions.plot": rs.sweep([0, 0, 1, 1], {"a": [1, 2, 3, 4]}).first().plot,
}


@pytest.mark.parametrize("taker", TAKERS)
def test_an_unknown_keyword_is_named(taker: str) -> None:
    with pytest.raises(TypeError, match=r"\bbanana\b") as caught:
        TAKERS[taker](banana=3)
    assert isinstance(caught.value, rs.UnknownOptionError)


@pytest.mark.parametrize(("taker", "typed", "meant"), [
    ("TileMap.plot", "titel", "title="), ("RankIntervals.plot", "titel", "title="),
    ("TileMap.plot", "colors", "figures keep one set of colors"), ("TileMap.plot", "axes", "ax="), ("FirstTile.plot", "exchnage", "exchange="),
    ("rank_intervals", "levl", "level="), ("first_tile", "resample_", "resample="),
    ("assert_no_worse", "aplha", "alpha="), ("reconstruct", "sensitivty", "sensitivity"), ("score", "bta", "beta"),
    ("importance", "tq", "tp"),
])  # fmt: skip
def test_the_nearest_keyword_is_named(taker: str, typed: str, meant: str) -> None:
    with pytest.raises(rs.UnknownOptionError, match=rf"\b{typed}\b.*\b{meant}"):
        TAKERS[taker](**{typed: 3})


@pytest.mark.parametrize("draw", DRAWING, ids=lambda draw: draw.__name__)
def test_every_drawing_takes_the_look_and_nothing_unknown(draw: Callable[..., Any]) -> None:
    names = list(inspect.signature(draw).parameters)
    passes_on = names[-1] == "options"  # to draw_tile
    assert passes_on or names[-1] == "look"
    first = rs.uncertainty.first_tile(P, draws=2, resolution=3) if passes_on else None
    for typed in ("banana", "figsize", "cmap"):
        with pytest.raises(rs.UnknownOptionError, match=f"takes no {typed}="):
            draw(first, **{typed: 3})
    with pytest.raises(rs.UnknownOptionError, match="the size is width=, in inches"):
        draw(first, figsize=(3, 3))
    with pytest.raises(rs.UnknownOptionError, match=r"did you mean title=\?"):
        draw(first, titel="x")


def test_what_matplotlib_calls_otherwise_is_no_option_of_ours() -> None:
    ours = {name for draw in DRAWING for name in inspect.signature(draw).parameters} | set(LOOKS)
    assert not ours & set(INSTEAD)
    for typed in INSTEAD:
        with pytest.raises(rs.UnknownOptionError) as caught:
            TILE.plot(**{typed: 3})
        assert INSTEAD[typed] in str(caught.value)


def test_parameters_of_a_score_are_given_once() -> None:
    assert rs.score("fbeta", beta=2).symbol == rs.score("fbeta(2)").symbol == "F_2"
    assert rs.score("exp(x*tpr)", x=2)([[1, 0, 0, 1]])[0] == pytest.approx(np.e**2)
    with pytest.raises(rs.UsageError, match=r"'fbeta\(2\)' has its parameters, and beta= is given, too"):
        rs.score("fbeta(2)", beta=3)
