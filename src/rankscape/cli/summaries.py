"""How domains are averaged, priors shifted, and what draws start from: the options, and what they prepare."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import click
from click.core import ParameterSource

from ..domains import Prepared, prepare
from ..domains.weights import WEIGHTS
from ..performances import Performances
from ..texts import visible
from ..uncertainty.defaults import DRAWS, LEVEL, METHODS, UNITS
from .base import Decorator, Spelled, group, number, numbers_by_name, single
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
    return numbers_by_name(text, "domain", f"{', '.join(WEIGHTS)}, or x=2,y=1")


def posterior(text: str) -> str | float:
    """Return the name of a prior distribution of draws, or its cases per outcome."""
    if text.lower() in METHODS:
        return text.lower()
    try:
        return float(number(text))
    except click.BadParameter as error:
        try:
            return float(text.replace("_", "?"))  # such as 1e300, inf: the draws name their own limits
        except ValueError:
            raise click.BadParameter(f"{text[:80]!r} is unknown; expected {', '.join(METHODS)}, or a number") from error


weights_option = click.option(
    "--weights",
    "given",
    type=weights,
    metavar="TEXT",
    help="How much each domain counts: equal (the default), size (its cases), hierarchical (equal per group, "
    'for domains called group/name), or numbers, as in x=2,y=1; a name with a comma is quoted: "a, b"=2. Without true '
    "negatives, domains are measured per thing to be found (fn + tp), and size adds the counts, which is the default "
    "where a domain has nothing to be found.",
)
shift_option = single(
    "--shift-prior",
    type=number,
    metavar="P",
    help="Share of positives of the population that is compared: the averages over the domains are shifted to it, and "
    "the TNR and TPR of every model stay the same.",
)
reference_option = single(
    "--reference-prior",
    type=number,
    metavar="P",
    help="Share of positives at which shares of the Tile are shown beside those at the prior of the data; by default "
    "0.5.",
)
OF_DRAWS = ("draws", "seed", "level", "posterior", "resample", "cluster")
"""The options of draws, of which none may be given in vain."""


def draws_options(least: int, none: str = "") -> Decorator:
    """Add the options of draws, the same for every command, with at ``least`` this number of draws."""
    return group(
        click.option(
            "--draws", type=click.IntRange(least), default=DRAWS, show_default=True, help=f"Number of draws{none}."
        ),
        click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the draws."),
        click.option(
            "--level",
            type=click.FloatRange(0, 1, True, True),
            default=LEVEL,
            show_default=True,
            help="Share of the draws in which all sets of ranks are right at once, at least, and each interval of a "
            "score on its own.",
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
            type=Spelled(UNITS),
            help="Unit that is drawn: cases, clusters (with --cluster) or whole domains. By default clusters where "
            "--cluster is given, domains where at least five have 10 000 cases or more each on average, else cases.",
        ),
        case_options("cluster"),
    )


def draws_asked(asked: bool, without: str) -> dict[str, Any]:
    """Return the options of draws; raise for one given in vain, where no draws are asked for."""
    ctx = click.get_current_context()
    given = [name for name in OF_DRAWS if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT]
    idle = [name for name in given if name != "draws" or ctx.params["draws"]]
    if idle and not asked:
        raise click.UsageError(f"--{idle[0]} {without}")
    return {name: ctx.params[name] for name in OF_DRAWS}


def summary_options(*policies: str) -> Decorator:
    """Add ``--weights``, ``--missing`` (all of its policies, or some) and ``--shift-prior``, for :func:`prepared`."""
    policies = policies or tuple(POLICIES)
    what = f"What to do where domains are missing: {', '.join(POLICIES[policy] for policy in policies)}."
    missing_option = click.option("--missing", type=Spelled(policies), default="error", help=what)
    return group(weights_option, missing_option, shift_option)


def prepared(
    data: Performances, given: Any, missing: Any, shift_prior: Any, policies: Sequence[str] = tuple(POLICIES)
) -> Prepared:
    """Return what is scored: the performances averaged over the domains, then shifted; warnings go to stderr."""
    return prepare(data, weights=given, missing=missing, shift_prior=shift_prior, policies=policies)


def note(preparation: Prepared) -> None:
    """Print on stderr how the performances were prepared, where the output itself has no place for it."""
    for sentence in preparation.sentences():
        click.echo(f"note: {visible(sentence)}", err=True)
