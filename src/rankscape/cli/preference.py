"""What to rank by: the options that say it, and the score they stand for."""

from __future__ import annotations

import warnings
from typing import Any

import click

from .. import _scores, uncertainty
from ..checks import needs_tn, two_class_only
from ..errors import UnknownScoreError, UsageError
from ..outcomes import TWO_CLASS, SampleSpace, at, importance, lacks_tn
from ..performances import Performances
from ..tasks.classes import space as several_classes
from ..tasks.criteria import criterion
from ..tasks.pairs import Pairs
from .base import costs_option, group, number, single
from .base import importance as importance_of

DEFAULT = "f1"
WAYS = ("by", "at", "importance", "costs")

preference_options = group(
    single("--by", metavar="SCORE", help=f"Name of a score, or an expression; by default {DEFAULT}, and accuracy for "
           "several classes."),
    click.option("--at", nargs=2, type=number, metavar="A B", help="Preference, as a place on the Tile."),
    click.option("--importance", type=importance_of, metavar="tn=1,fp=1,fn=5,tp=5",
                 help="Preference, as weights of the outcomes."),
    costs_option,
    single("--domain", metavar="NAME", help="Use this domain only; by default all are averaged."),
)  # fmt: skip
"""The options of which :func:`preference` takes the values, and ``--domain``."""


def wanted(options: dict[str, Any]) -> dict[str, Any]:
    """Take what to rank by out of the options of a command; raise what is wrong with it whatever the data are.

    That comes before these are read, which may take a while. A name that two classes lack may be one of several
    classes, or, in a table of counts, of another task.
    """
    ways = {name: options.pop(name) for name in WAYS}
    if options["task"] == "regression" and options["truth"] is not None:
        if other := next((name for name in WAYS[1:] if ways[name] is not None), None):
            raise click.UsageError(f"--{other} is about outcomes, and regression has errors: choose one with --by")
        if ways["by"]:
            criterion(ways["by"])
        return ways
    try:
        preference(**ways)
    except UsageError:
        by, predictions, positive = ways["by"], options["truth"] is not None, options["pos_label"] is not None
        if by is None or (predictions and (positive or not _of_several_classes(by))):
            raise
    return ways


def seen_and_drawn(
    data: Performances | Pairs,
    ways: dict[str, Any],
    drawn: dict[str, Any],
    given: Any,
    missing: Any,
    needed: bool = False,
) -> tuple[Performances, uncertainty.Draws | None, _scores.Score]:
    """Return what is ranked, draws of it, and the score.

    The draws are None where none are asked for and, unless they are ``needed``, where probabilities do not say how many
    cases there are.
    """
    how, resample = (drawn["draws"], drawn["seed"], drawn["posterior"]), drawn["resample"]
    if isinstance(data, Pairs):
        return uncertainty.graded_or_drawn(data, ways["by"], *how)
    score = preference(data.space, **ways)
    known = needed or data.counts is not None or data.pairing is not None or resample == "domains"
    if not how[0] or not known:
        return data, None, score
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the commands say it
        evidence = uncertainty.evidence_of_counts(data, given, missing, resample=resample)
        return data, uncertainty.drawn_from(evidence, *how), score


def _of_several_classes(name: str) -> bool:
    """Tell whether several classes have a score of this name, if they are called as the name says."""
    labels = dict.fromkeys([*_scores.labels_in_name(name), "a", "b"])
    try:
        _scores.score(name, several_classes(list(labels)))
    except UnknownScoreError:
        return False
    except UsageError:  # an event, which other classes may have
        return True
    return True


def preference(space: SampleSpace = TWO_CLASS, **ways: Any) -> _scores.Score:
    """Return the score that the options ask for, for performances on a sample space."""
    chosen = [name for name, value in ways.items() if value is not None]
    if len(chosen) > 1:
        both = " and ".join(f"--{name}" for name in chosen)
        raise click.UsageError(f"{both} each say what to rank by: choose one of --by, --at, --importance and --costs")
    if chosen and chosen != ["by"] and not lacks_tn(space):
        two_class_only(space, f"--{chosen[0]}")
    if ways["at"] is not None:
        a, b = ways["at"]
        if lacks_tn(space) and a != 1:
            raise needs_tn(f"--at {float(a):g} {float(b):g}", way_out=f"at --at 1 {float(b):g} they do not count")
        name = f"the ranking score at a = {float(a):g}, b = {float(b):g}"
        return _scores.score_of_importance(at(a, b), space, name=name)
    if ways["importance"] is not None:
        return _scores.score_of_importance(importance(**ways["importance"]), space)
    if ways["costs"] is not None:
        return _scores.as_score(ways["costs"], space)
    return _scores.score(ways["by"] or _scores.default_score(space) or DEFAULT, space)
