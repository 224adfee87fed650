"""The explorer: one HTML page that shows all rankings of some performances, and opens offline."""

import base64
import hashlib
import html
import json
import os
import re
import warnings
from collections.abc import Sequence
from fractions import Fraction
from importlib import resources
from math import gcd, lcm
from pathlib import Path
from typing import Any

from .._scores import as_score
from ..checks import two_class_only
from ..domains.grid import MissingDomainsWarning, arranged
from ..errors import NoPlaceError
from ..io import as_performances
from ..outcomes import TWO_CLASS
from ..outputs import write_whole
from ..performances import Performances
from ..texts import visible

READING = ("texts", "json", "sheet", "headers", "cells", "csv")
"""The modules that read a table that is dropped in, and write one."""

MODEL = ("exact", "model", "borders", "regions", "uncertainty", *READING, "state", "maps")
"""The modules that compute; they know of no page."""

VIEW = ("pens", "fields", "tile", "spaces", "derived", "told", "board", "panel", "files", "twins", "pictures", "app")
"""The modules that show."""

TITLE = "Which is best, for whom?"
FIRST_SCORE = "f1"
LARGEST_SAFE = 2**53
DOUBLE_BITS = 53
LARGEST_WEIGHT = 10**9
"""What one may type for a weight stays below, and so do the weights that are carried as integers."""

Weight = float | str
"""The weight of a domain: a number, or the digits of a large integer."""

_IMPORT = re.compile(r"^import\b[^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|function|class|async|let)\b)", re.MULTILINE)


def source(name: str) -> str:
    """Return the text of a file of the explorer."""
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def bundle(modules: Sequence[str]) -> str:
    """Return modules as one script: in order, without their imports and exports, for they share one scope."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", source(f"{name}.js"))) for name in modules)


def payload(performances: Any) -> dict[str, Any]:
    """Return what the page carries of performances: names and numbers, column by column.

    Counts stay integers; probabilities are the doubles that they are; integers too large for a double are digits.

    >>> found = payload(Performances.from_counts([[50, 10, 5, 35]], names=["unet"]))
    >>> found["entities"], found["tp"], found["counts"]
    (['unet'], [35], True)
    """
    performances = as_performances(performances)
    two_class_only(performances.space, "the explorer")
    entities = list(dict.fromkeys(performances.names))
    domains = None if performances.domains is None else list(dict.fromkeys(performances.domains))
    number = {name: i for i, name in enumerate(entities)}
    found: dict[str, Any] = {"entities": entities, "domains": domains}
    found["entity"] = [number[name] for name in performances.names]
    if domains is not None and performances.domains is not None:
        place = {name: i for i, name in enumerate(domains)}
        found["domain"] = [place[name] for name in performances.domains]
    for outcome, column in zip(TWO_CLASS.outcomes, _numbers(performances), strict=True):
        found[outcome] = column
    return found | {"counts": performances.counts is not None}


def _numbers(performances: Performances) -> list[list[Any]]:
    """Return the four columns: counts, else the exact integers where there are some, else probabilities."""
    if performances.counts is None and performances._exact is None:
        return [[float(x) for x in column] for column in performances.mass.T]
    whole = performances.integers if performances.counts is None else performances.counts
    return [[int(x) if int(x) < LARGEST_SAFE else str(int(x)) for x in column] for column in whole.T]


def as_script_data(value: Any) -> str:
    """Return JSON that stays text inside a script element: no <, > or & is left in it."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def digest(text: str) -> str:
    """Return the source expression of a Content-Security-Policy that allows this very text."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def start(performances: Performances, by: Any) -> tuple[float, float]:
    """Return the place (a, b) on the Tile of a score; of one that has a place only at a prior, at the shared prior."""
    score = as_score(by)
    if score.sound != "fixed priors":
        return score.place()
    compared = performances if performances.domains is None else performances.over_domains()
    prior = compared.common_prior()
    if prior is None:
        raise NoPlaceError(
            f"{score.name} has a place on the Tile only where all share a prior; theirs differ: use shift_priors first"
        )
    return score.place(prior)


def start_weights(performances: Performances, weights: Any) -> list[Weight] | None:
    """Return the weights with which the page opens, up to a factor; None for equal ones, which it starts with.

    They are in the exact proportions of the weights: small integers, else doubles, else digits of integers.
    """
    if performances.n_domains < 2 or weights == "equal":
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingDomainsWarning)  # the page says which cells are missing
        grid = arranged(performances, weights, "report")
    given = dict(zip(grid.domains, grid.weights, strict=True))
    return _exact_weights([given[domain] for domain in dict.fromkeys(performances.domains or ())])


def _exact_weights(weights: Sequence[Fraction]) -> list[Weight]:
    scale = Fraction(lcm(*(weight.denominator for weight in weights)), gcd(*(weight.numerator for weight in weights)))
    whole = [int(weight * scale) for weight in weights]
    if max(whole) < LARGEST_WEIGHT:
        return list(whole)
    power = max(whole).bit_length()
    if all(len(bin(weight).rstrip("0")) - 2 <= DOUBLE_BITS for weight in whole):
        return [float(Fraction(weight, 2**power)) for weight in whole]
    return [weight if weight < LARGEST_WEIGHT else str(weight) for weight in whole]


def page(performances: Any, title: str = TITLE, by: Any = FIRST_SCORE, weights: Any = "equal") -> str:
    """Return the explorer of some performances as one HTML page that needs nothing else, not even a network.

    It opens at the place of the score ``by``, with the ``weights`` of the domains. Its Content-Security-Policy allows
    this very script and style, and no request. Raises UsageError for performances that are not of two classes, and
    NoPlaceError for a score that has no place on the Tile.

    >>> text = page(Performances.from_counts([[50, 10, 5, 35]], names=["<b>"]))
    >>> text.startswith("<!DOCTYPE html>"), "<b>" in text
    (True, False)
    """
    script = "(() => {\n" + '"use strict";\n' + bundle((*MODEL, *VIEW, "page")) + "})();\n"
    style = source("style.css")
    policy = (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    performances = as_performances(performances)
    source_ = payload(performances)
    a, b = start(performances, by)
    opening = {"a": a, "b": b, "weights": start_weights(performances, weights)}
    carried = as_script_data({"title": title, "start": opening, "source": source_})
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="rankscape">
<title>{html.escape(visible(title))}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<div id="rankscape"><p>This page needs JavaScript; it makes no request.</p></div>
<script type="application/json" id="rankscape-data">{carried}</script>
<script>{script}</script>
</body>
</html>
"""


def explore(
    performances: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    by: Any = FIRST_SCORE,
    title: str = TITLE,
    weights: Any = "equal",
) -> Any:
    """Write the explorer: one HTML page that opens offline, with linked views of all sound rankings.

    ``performances`` are what :func:`rankscape.rank` takes, of two classes; counts or probabilities, on one or several
    domains. The page shows who is first for every preference, the leaderboard, ROC and PR space, and takes other
    tables dropped into it. It opens at the preference of the score ``by``, F1 unless said otherwise, and with the
    ``weights`` of the domains, as in :func:`rankscape.summarize`. In exported CSV a name that a spreadsheet would take
    for a formula (it starts with =, +, - or @) is behind an apostrophe; :func:`rankscape.read` and the page take it off
    again. Returns the path. Without a ``path`` it returns a widget for
    notebooks, which needs ``pip install "rankscape[notebook]"`` and says so where that is missing.
    Raises UsageError for performances that are not of two classes, NoPlaceError for a score ``by`` that has no place
    on the Tile, and UsageError where the path cannot be written.

    >>> import tempfile
    >>> from pathlib import Path
    >>> P = Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]], names=["unet", "segnet"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     explore(P, Path(folder) / "explorer.html").read_text("utf-8").count("unet")
    1
    """
    if path is None:
        from .widget import widget

        performances = as_performances(performances)
        two_class_only(performances.space, "the explorer")
        return widget(performances, title, start(performances, by), start_weights(performances, weights))
    target = Path(path)
    write_whole(target, page(performances, title, by, weights).encode())
    return target
