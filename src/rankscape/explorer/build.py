"""The explorer: one HTML page that shows all rankings of some performances, and opens offline."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd
from typing import Any, Literal, TypeAlias, get_args

from .._scores import as_score
from ..domains import Prepared
from ..domains.weightings import over_weights
from ..errors import Option, UsageError
from ..kernels.exact import fractions_of, integers_of_fractions
from ..outcomes import TWO_CLASS
from ..performances import Performances
from ..typing import ScoreLike
from ..uncertainty import Draws
from ..uncertainty.defaults import LEVEL
from ..uncertainty.page_inputs import WinningPoints
from .sample import carried

FIRST_SCORE = "f1"
LARGEST_SAFE = 2**53
LARGEST_WEIGHT = 10**9
"""What one may type for a weight stays below, and so do the weights that are carried as integers."""

Weight = float | str
"""The weight of a domain: a number, or the digits of a large integer."""

Policy: TypeAlias = Literal["error", "complete"]
POLICIES = get_args(Policy)
"""What the page can do where domains are missing: it compares on shared domains only."""

LEAST_PRIOR = Fraction(1, 10**6)
"""The least prior of the page, as in state.js."""


def payload(performances: Performances) -> dict[str, Any]:
    """Return what the page carries of performances of two classes: names and numbers, column by column.

    Counts stay integers, else there are exact integers, where there are some, or probabilities, the doubles that they
    are; integers too large for a double are digits.

    >>> found = payload(Performances.from_counts([[50, 10, 5, 35]], names=["unet"]))
    >>> found["entities"], found["tp"], found["counts"]
    (['unet'], [35], True)
    """
    columns: list[list[Any]] = performances.mass.T.tolist()
    if performances.of_integers:
        whole = performances.integers if performances.counts is None else performances.counts
        columns = [digits(column) for column in whole.T]
    numbers = zip(TWO_CLASS.outcomes, columns, strict=True)
    return named(performances) | dict(numbers) | {"counts": performances.counts is not None}


def named(performances: Performances) -> dict[str, Any]:
    """Return the names of entities and domains, once each, and which of them each row is of."""
    entities = list(dict.fromkeys(performances.names))
    domains = None if performances.domains is None else list(dict.fromkeys(performances.domains))
    number = {name: i for i, name in enumerate(entities)}
    columns: dict[str, Any] = {"entities": entities, "domains": domains}
    columns["entity"] = [number[name] for name in performances.names]
    if domains is not None and performances.domains is not None:
        place = {name: i for i, name in enumerate(domains)}
        columns["domain"] = [place[name] for name in performances.domains]
    return columns


def read_of(performances: Performances) -> dict[str, str]:
    """Return the sentence that says what was read, where there is more to say than how much was given."""
    account = performances.account
    return {} if account is None or account.plain else {"read": f"{account.sentence()}."}


def digits(numbers: Iterable[Any]) -> list[int | str]:
    """Return natural numbers as JavaScript reads them exactly: the digits of those that a double may not hold.

    >>> digits([3, 2**60])
    [3, '1152921504606846976']
    """
    return [int(x) if int(x) < LARGEST_SAFE else str(int(x)) for x in numbers]


def opening(asked: Prepared, by: ScoreLike) -> dict[str, Any]:
    """Return the state in which the page opens: the place of a score, the weights of the domains, and the prior."""
    a, b = map(float, as_score(by).place_among(asked.performances))
    shift = asked.shift_prior
    if shift is not None and not LEAST_PRIOR <= shift <= 1 - LEAST_PRIOR:
        raise UsageError(
            [Option("shift_prior"), " is out of the range of the explorer"],
            expected="a number from 0.000001 to 0.999999",
            got=f"{float(shift):g}",
        )
    return {"a": a, "b": b, "weights": start_weights(asked), "prior": None if shift is None else float(shift)}


def start_weights(asked: Prepared) -> list[Weight] | None:
    """Return the weights with which the page opens; None for equal ones on shared domains, which it starts with.

    They are in the exact proportions of the weights: small integers, else digits of integers.
    """
    if asked.given.n_domains < 2 or asked.weighting == "equal" or asked.only_pooled:
        return None
    weights = [asked.weights.get(domain, 0) for domain in dict.fromkeys(asked.given.domains or ())]
    return [weight if weight < LARGEST_WEIGHT else str(weight) for weight in whole_importance(weights)]


def whole_importance(weights: Iterable[Any]) -> tuple[int, ...]:
    """Return weights as natural numbers without a common factor, in their exact proportions.

    >>> whole_importance([0.5, 1, Fraction(1, 4)])
    (2, 4, 1)
    """
    whole = integers_of_fractions(fractions_of(list(weights))).tolist()
    common = gcd(*whole) or 1
    return tuple(weight // common for weight in whole)


def data_of(
    asked: Prepared,
    drawn: Draws | None,
    level: float = LEVEL,
    by: ScoreLike = FIRST_SCORE,
    points: WinningPoints | None = None,
) -> dict[str, Any]:
    """Return the data that the page carries, with draws, and the weights for which these hold, and costs given.

    Where the entities are operating points, it also carries the model of each, and what to know about them. Of several
    domains it says for which weights of each the winner stays first, and the state in which that holds.
    """
    draws, costs = carried(drawn, asked, level), as_score(by).costs
    data = payload(asked.given) | read_of(asked.given) | {"draws": draws and draws | {"weights": start_weights(asked)}}
    if points is not None:
        data |= {"models": list(points.models), "about": list(points.notes)}
    if costs:  # to compute expected costs, and to write them
        each = (costs.correct_rejection, costs.false_alarm, costs.miss, costs.detection)
        data["costs"] = {"each": list(map(float, each)), "unit": costs.unit(), "around": list(costs.around)}
        data["costs"] |= {key: getattr(costs, key) for key in ("per", "heading", "phrase")}
    over = None if points is not None else over_weights(asked, as_score(by), shares=False)
    return data if over is None else data | {"dethroned": {**opening(asked, by), "text": f"{over.about_ranges}."}}
