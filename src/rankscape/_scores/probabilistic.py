"""Probabilistic scores: P(E₁ | E₂) of two events of any sample space."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

from ..errors import UsageError
from ..outcomes import TWO_CLASS, SampleSpace
from .expressions import Node, weighted_sum
from .score import Score


def probabilistic_score(event: str, given: str | None = None, space: SampleSpace = TWO_CLASS) -> Score:
    """Return the probabilistic score P(E₁ | E₂), for events named by their outcomes; defined where P(E₂) ≠ 0.

    Defined where P(E₂) ≠ 0. (Tile, eqs (1)-(2).)

    Parameters
    ----------
    event
        The outcomes of E₁, separated by commas. E₁ is intersected with E₂, and must be neither impossible nor sure
        given E₂.
    given
        The outcomes of E₂; by default all of them.
    space
        The sample space, by default that of two classes.

    Returns
    -------
    Score
        The score, in [0, 1].

    Raises
    ------
    UsageError
        For an event without outcomes, or of outcomes that the space lacks.

    See Also
    --------
    rankscape.probabilistic_scores : all of them
    rankscape.ranking_score

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[50, 10, 5, 35]])
    >>> rs.probabilistic_score("tp", "fp, tp")(P) == rs.score("precision")(P)
    array([ True])
    """
    outer = np.ones(len(space), dtype=bool) if given is None else space.event(given)
    inner = space.event(event) & outer
    if not inner.any() or (inner == outer).all():
        raise UsageError(f"P({event.strip()} | {given or 'Ω'}) is constant: the event must be possible and not sure")
    first, second = (dict.fromkeys(np.array(space.outcomes)[mask].tolist(), 1) for mask in (inner, outer))
    node = Node("call", "/", (weighted_sum(first), weighted_sum(second)))
    text = f"P({', '.join(first)} | {', '.join(second)})" if given else f"P({', '.join(first)})"
    importance = tuple(Fraction(int(inside)) for inside in outer)
    satisfying = None if space.satisfaction is None else np.array(space.satisfaction) == 1
    ranking = satisfying is not None and bool((inner == (outer & satisfying)).all())
    dual = satisfying is not None and bool((inner == (outer & ~satisfying)).all())
    return Score(
        key=text,
        name=text,
        symbol=text,
        formula=f"({' + '.join(first)}) / ({' + '.join(second)})",
        domain=f"{' + '.join(second)} > 0",
        low=0.0,
        high=1.0,
        direction="smaller" if dual else "larger" if ranking else None,
        importance=importance if ranking else None,
        orders_as=importance if ranking or dual else None,
        source="Tile, eqs (1)-(2) and Lemma 6",
        space=space,
        node=node,
        known=True,
    )


def probabilistic_scores(space: SampleSpace = TWO_CLASS) -> list[Score]:
    """Return all probabilistic scores of a sample space; 50 for two classes, 14 of them unconditional.

    Parameters
    ----------
    space
        The sample space, by default that of two classes.

    Returns
    -------
    list of Score
        One score per pair of events that has a meaning.

    See Also
    --------
    rankscape.probabilistic_score

    Examples
    --------
    >>> import rankscape as rs
    >>> len(rs.probabilistic_scores())
    50
    """
    return [
        probabilistic_score(",".join(inner), None if len(outer) == len(space) else ",".join(outer), space)
        for outer in _subsets(space.outcomes)
        for inner in _subsets(outer)
        if len(inner) < len(outer)
    ]


def _subsets(outcomes: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return (subset for size in range(1, len(outcomes) + 1) for subset in combinations(outcomes, size))
