"""How domains are summarized, and which prior draws start from: the options that say it."""

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from .base import Command, Spelled, number, parts_of, spoken_warnings

if TYPE_CHECKING:
    from ..performances import Performances

KINDS = ("equal", "size", "hierarchical")
PRIORS = ("jeffreys", "uniform")


def weights(text: str) -> Any:
    """Return the kind of weights, or the numbers in ``x=2,y=1``."""
    if text.lower() in KINDS:
        return text.lower()
    found: dict[str, Fraction] = {}
    for part in parts_of(text):
        name, equals, value = part.rpartition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"{part[:80]!r} is not understood; expected {', '.join(KINDS)}, or x=2,y=1")
        found[name.strip()] = number(value.strip())
    return found


def prior(text: str) -> Any:
    """Return the name of a prior of draws, or its cases per outcome."""
    return text.lower() if text.lower() in PRIORS else float(number(text))


def weights_option(command: Command) -> Command:
    """Add ``--weights``."""
    what = (
        "How much each domain counts: equal (the default), size (its cases), hierarchical (equal per group, "
        "for domains called group/name), or numbers, as in x=2,y=1."
    )
    return click.option("--weights", "given", type=weights, default="equal", metavar="TEXT", help=what)(command)


def missing_option(*choices: str) -> Callable[[Command], Command]:
    """Add ``--missing`` with some of its choices: error, common, report."""
    meanings = {
        "error": "error (the default) refuses",
        "common": "common compares on the domains that all have",
        "report": "report summarizes each entity over those that it has",
    }
    what = "What to do where domains are missing: " + ", ".join(meanings[choice] for choice in choices) + "."
    return click.option("--missing", type=Spelled(choices), default="error", help=what)


def summarized(data: "Performances", given: Any, missing: str) -> "Performances":
    """Return data, or, where weights or a policy for missing cells were asked for, their summary over the domains."""
    from ..domains import summarize

    if (given, missing) == ("equal", "error"):
        return data
    with spoken_warnings():
        return summarize(data, given, missing)


def prior_option(command: Command) -> Command:
    """Add ``--prior``."""
    what = "Of the draws, on each domain: jeffreys (the default, half a case per outcome), uniform (one), or a number."
    return click.option("--prior", type=prior, default="jeffreys", metavar="TEXT", help=what)(command)
