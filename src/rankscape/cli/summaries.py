"""How domains are averaged, priors shifted, and what draws start from: the options, and what they prepare."""

from fractions import Fraction
from typing import Any

import click

from ..domains.grid import WEIGHTS
from ..uncertainty.defaults import DRAWS, LEVEL, UNITS
from .base import Decorator, grouped, number, numbers_by_name, parts_of, refuse, single
from .reading import case_options

POLICIES = {
    "error": "error (the default) refuses",
    "complete": "complete compares on the domains that all have",
    "available": "available summarizes each model over those that it has",
}


def weights(text: str) -> str | dict[str, Fraction]:
    """Return the kind of weights, or the numbers in ``x=2,y=1``."""
    if text.lower() in WEIGHTS:
        return text.lower()
    return numbers_by_name(parts_of(text), f"expected {', '.join(WEIGHTS)}, or x=2,y=1", "domain")


def posterior(text: str) -> str | float:
    """Return the name of a prior distribution, or its cases per outcome; the draws say which there are."""
    try:
        return float(text.replace("_", "?"))
    except ValueError:
        return text.lower()


weights_option = click.option(
    "--weights",
    type=weights,
    metavar="TEXT",
    help="How much each domain counts: equal (the default), size (its cases), hierarchical (equal per group, "
    'for domains called group/name), or numbers, as in x=2,"a, b"=1. Without true negatives, domains are measured per '
    "thing to be found (fn + tp); size adds the counts, the default where a domain has nothing to be found.",
)
shift_option = single(
    "--shift-prior",
    type=number,
    metavar="P",
    help="Share of positives to which the averages over the domains are shifted; the TNR and TPR of every model stay.",
)


def draws_option(least: int, more: str = "") -> Decorator:
    """Add ``--draws``, with at ``least`` this number."""
    text = f"Number of draws{more}."
    return click.option("--draws", type=click.IntRange(least), default=DRAWS, show_default=True, help=text)


def seed_of(what: str) -> Decorator:
    """Add ``--seed``, of the draws and perhaps of more."""
    return click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help=f"Seed of {what}.")


seed_option = seed_of("the draws")
OF_DRAWS = ("draws", "seed", "level", "posterior", "resample", "cluster")
"""The options of draws, of which none may be given in vain."""


def draws_options(least: int, more: str = "") -> Decorator:
    """Add the options of draws, the same for every command, as a mapping ``drawn``."""
    return grouped(
        "drawn",
        draws_option(least, more),
        seed_option,
        click.option(
            "--level",
            type=click.FloatRange(0, 1, True, True),
            default=LEVEL,
            show_default=True,
            help="Share of the draws in which all sets of ranks are right at once, and each interval on its own.",
        ),
        click.option(
            "--posterior",
            type=posterior,
            default="exchangeable",
            metavar="TEXT",
            help="Prior distribution of the draws: exchangeable (the default) pools the models by how similar "
            "they are; jeffreys (half a case per outcome), uniform (one) or a number of cases treat each on its own.",
        ),
        click.option(
            "--resample",
            type=click.Choice(UNITS),
            help="Unit that is drawn: cases, clusters (by default with --cluster) or whole domains (by default if at "
            "least five have 10 000 cases or more each on average).",
        ),
        case_options("cluster"),
    )


def no_draws(drawn: dict[str, Any], why: str = "would change nothing: --draws 0 draws nothing") -> None:
    """Refuse options of draws, and draw none; that there are 0 may be said."""
    refuse(OF_DRAWS if drawn["draws"] else OF_DRAWS[1:], why)
    drawn["draws"] = 0


def summary_options(*policies: str) -> Decorator:
    """Add ``--weights``, ``--missing`` (all of its policies, or some) and ``--shift-prior``, as ``average``."""
    policies = policies or tuple(POLICIES)
    what = f"What to do where domains are missing: {', '.join(POLICIES[policy] for policy in policies)}."
    missing_option = click.option("--missing", type=click.Choice(policies), default="error", help=what)
    return grouped("average", weights_option, missing_option, shift_option)
