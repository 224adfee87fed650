"""What to rank by: the options that say it, and the score they stand for."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import Any

import click

from .. import _scores, uncertainty
from ..checks import needs_tn, two_class_only
from ..outcomes import TWO_CLASS, SampleSpace, at, importance, lacks_tn
from ..performances import Performances
from ..tasks.pairs import Pairs
from .base import Decorator, costs_option, grouped, number, parts_of, single
from .base import importance as importance_of

DEFAULT = "f1"
_NUMBERS = re.compile(r"\s*(\w+\s*=|[-+.\d][^()|]*,)")


def preferred(text: str) -> Any:
    """Return a place of the Tile, or an importance, that a text gives in numbers; else the text, which is a score.

    >>> preferred("f1"), preferred("1, 1/2"), [*preferred("1,1,5,5")]
    ('f1', (Fraction(1, 1), Fraction(1, 2)), ['tn', 'fp', 'fn', 'tp'])
    """
    if not text.strip():
        raise click.BadParameter(f"it is empty; expected a score, such as {DEFAULT}")
    if not _NUMBERS.match(text):
        return text
    parts = parts_of(text)
    return tuple(map(number, parts)) if len(parts) == 2 and "=" not in text else importance_of(text)


def preference_options(
    help: str = f"What to rank by; by default {DEFAULT}, and accuracy for several classes",
) -> Decorator:
    """Add ``--by`` and ``--costs``, of which the command gets the values as a mapping ``ways``."""
    what = "a score, an expression, a place a,b of the Tile, or importances such as tn=1,fp=1,fn=5,tp=5."
    return grouped("ways", single("--by", type=preferred, metavar="SCORE", help=f"{help}: {what}"), costs_option)


def seen_and_drawn(
    data: Performances | Pairs,
    ways: Mapping[str, Any],
    drawn: Mapping[str, Any],
    average: Mapping[str, Any],
    needed: bool = False,
) -> tuple[Performances, uncertainty.Draws | None, _scores.Score]:
    """Return what is ranked, draws of it, and the score.

    The draws are None where none are asked for and, unless they are ``needed``, where probabilities do not say how many
    cases there are.
    """
    how, resample = (drawn["draws"], drawn["seed"], drawn["posterior"]), drawn["resample"]
    if isinstance(data, Pairs):
        if ways["costs"] is not None or not isinstance(ways["by"], str | None):
            raise click.UsageError(
                "costs, places and importances are about outcomes, and regression has errors: choose one with --by"
            )
        data, score = uncertainty.graded_cases(data, ways["by"])
    else:
        score = preference(data.space, **ways)
    known = needed or data.counts is not None or data.pairing is not None or resample == "domains"
    if not how[0] or not known:
        return data, None, score
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the commands say it
        evidence = uncertainty.evidence_of_counts(data, average["weights"], average["missing"], resample=resample)
        return data, uncertainty.drawn_from(evidence, *how), score


def drawn_or_seen(
    data: Performances | Pairs, ways: Mapping[str, Any], drawn: Mapping[str, Any], average: Mapping[str, Any]
) -> tuple[Any, _scores.Score, dict[str, Any]]:
    """Return what cards and sites take: draws, or performances without any, the score, and how they are averaged."""
    seen, draws, score = seen_and_drawn(data, ways, drawn, average)
    if draws is None:
        return seen, score, {"draws": 0, **average}
    return draws, score, {"shift_prior": average["shift_prior"]}


def preference(space: SampleSpace = TWO_CLASS, by: Any = None, costs: Any = None) -> _scores.Score:
    """Return the score that the options ask for, for performances on a sample space."""
    if by is not None and costs is not None:
        raise click.UsageError("--by and --costs each say what to rank by: choose one of them")
    if costs is None and isinstance(by, str | None):
        return _scores.score(by or _scores.default_score(space) or DEFAULT, space)
    if not lacks_tn(space):
        what = "--costs" if by is None else "a place of the Tile" if isinstance(by, tuple) else "an importance"
        two_class_only(space, what)
    if costs is not None:
        return _scores.as_score(costs, space)
    if isinstance(by, dict):
        return _scores.score_of_importance(importance(**by), space)
    a, b = map(float, by)
    if lacks_tn(space) and a != 1:
        raise needs_tn(f"--by {a:g},{b:g}", way_out=f"at --by 1,{b:g} they do not count")
    return _scores.score_of_importance(at(*by), space, name=f"the ranking score at a = {a:g}, b = {b:g}")
