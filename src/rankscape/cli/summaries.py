"""How domains are averaged, priors shifted, and what draws start from: the options, and what they prepare."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from ..texts import visible
from .base import Command, Spelled, number, once, parts_of, spoken_warnings

if TYPE_CHECKING:
    from ..domains import Prepared
    from ..performances import Performances

KINDS = ("equal", "size", "hierarchical")
METHODS = ("jeffreys", "uniform")
POLICIES = ("error", "complete", "available")


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


def posterior(text: str) -> Any:
    """Return the name of a prior distribution of draws, or its cases per outcome."""
    return text.lower() if text.lower() in METHODS else float(number(text))


def weights_option(command: Command) -> Command:
    """Add ``--weights``."""
    what = (
        "How much each domain counts: equal (the default), size (its cases), hierarchical (equal per group, "
        "for domains called group/name), or numbers, as in x=2,y=1."
    )
    return click.option("--weights", "given", type=weights, default="equal", metavar="TEXT", help=what)(command)


def missing_option(*choices: str) -> Callable[[Command], Command]:
    """Add ``--missing`` with all of its choices, or some."""
    choices = choices or POLICIES
    meanings = {
        "error": "error (the default) refuses",
        "complete": "complete compares on the domains that all have",
        "available": "available summarizes each entity over those that it has",
    }
    what = "What to do where domains are missing: " + ", ".join(meanings[choice] for choice in choices) + "."
    return click.option("--missing", type=Spelled(choices), default="error", help=what)


def shift_option(command: Command) -> Command:
    """Add ``--shift-prior``."""
    what = (
        "Share of positives of the population that is compared: the averages over the domains are shifted to it, and "
        "the TNR and TPR of every entity stay the same."
    )
    return click.option("--shift-prior", type=number, multiple=True, callback=once, metavar="P", help=what)(command)


def prepared(
    data: "Performances", given: Any, missing: Any, shift_prior: Any, policies: Sequence[str] = POLICIES
) -> "Prepared":
    """Return what is scored: the performances averaged over the domains, then shifted; warnings go to stderr."""
    from ..domains import prepare

    with spoken_warnings():
        return prepare(data, weights=given, missing=missing, shift_prior=shift_prior, policies=policies)


def note(asked: "Prepared") -> None:
    """Say on stderr what was done, where the output itself has no place for it."""
    for sentence in asked.sentences():
        click.echo(f"note: {visible(sentence)}", err=True)


def posterior_option(command: Command) -> Command:
    """Add ``--posterior``."""
    what = (
        "Prior distribution of the draws, on each domain: jeffreys (the default, half a case per outcome), uniform "
        "(one), or a number of cases."
    )
    return click.option("--posterior", type=posterior, default="jeffreys", metavar="TEXT", help=what)(command)
