"""Tables that look like predictions, one case per row: the error says how to have them counted."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from ...errors import DataError, Option
from ...texts import some
from ..cells import missing
from ..headers import TRUTH, plain, role
from ..sheets import quoted
from .content import Content

LOOKED_AT = 1000
"""Rows that are looked at."""

MOST_CLASSES = 20
"""Different labels in a column, at most."""

MOST_MODELS = 3
"""Columns of predictions that the example names."""


def about_labels(content: Content, error: DataError) -> DataError | None:
    """Return the error on a table whose columns hold the same labels; None for any other table, and for data frames."""
    if content.container != "table" or content.source is None:  # a lazy frame is not computed for this
        return None
    try:
        sheet = content.sheet
    except DataError:
        return None
    alike = labeled(sheet.headers, list(islice(sheet.rows, LOOKED_AT)))
    if len(alike) < 2:
        return None
    truth = next((header for header in alike if plain(header) in TRUTH), None)
    classes = sorted(set().union(*alike.values()))
    positive = "" if "1" in classes else " --pos-label LABEL"
    shell = f"say which hold the true and the predicted labels with --truth HEADER --prediction HEADER{positive}"
    if truth is not None:
        models = [shlex.quote(header) for header in alike if header != truth]
        named = " ".join(f"--prediction {model}" for model in models[:MOST_MODELS]) + " …" * (len(models) > MOST_MODELS)
        entity = next((f" --entity-column {shlex.quote(h)}" for h in sheet.headers if role(h) == "entity"), "")
        shell = f"add --truth {shlex.quote(truth)} {named}{entity}{positive}"
    return DataError(
        "this looks like predictions, one case per row: the columns "
        f"{some(list(alike), MOST_MODELS + 1, quote='', word=quoted)} hold the labels "
        f"{some(classes, MOST_MODELS, quote='', word=quoted)}",
        where=error.where,
        way_out=Option("truth", python="count them first with rs.count(…, truth=…, prediction=[…])", shell=shell),
    )


def labeled(headers: Sequence[str], rows: Sequence[Sequence[Any]]) -> Mapping[str, set[str]]:
    """Return the columns that hold the same few labels, with these: those of the truth where a header names it.

    >>> list(labeled(["id", "y", "svm"], [[1, "a", "b"], [2, "b", "b"], [3, "a", "a"], [4, "b", "a"]]))
    ['y', 'svm']
    """
    columns = {
        header: {str(row[i]).strip() for row in rows if not missing(row[i])}
        for i, header in enumerate(headers)
        if role(header) is None
    }
    few = range(2, min(MOST_CLASSES, len(rows) // 2) + 1)
    classes = next((labels for header, labels in columns.items() if plain(header) in TRUTH), None)
    if classes is None:
        classes = next((labels for labels in columns.values() if len(labels) in few), set())
    return {
        header: labels for header, labels in columns.items() if labels and labels <= classes and len(classes) in few
    }
