"""The explorer: one HTML page that shows all rankings of some performances, and opens offline."""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

from ..checks import two_class_only
from ..data import as_performances
from ..outcomes import TWO_CLASS
from ..performances import Performances

MODEL = ("exact", "model", "borders", "regions", "uncertainty")
"""The modules that compute; they know of no page."""

LARGEST_SAFE = 2**53
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
