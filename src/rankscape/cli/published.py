"""Tables of printed rates in the place of counts: how ``rank`` reads and ranks them."""

from __future__ import annotations

from typing import Any

import click

from .._report.published import PublishedBoard
from ..errors import Option
from ..io.sources import Source
from ..outcomes import TWO_CLASS
from ..published import read_published
from ..typing import Ties
from .preference import preference
from .summaries import spoken_warnings

NO_DRAWS = Option(
    "uncertainty",
    shell="printed rates have no draws: without n they do not say how many cases there were, and with n several "
    "tables of counts may round to them; leave out --uncertainty and --differences, or rank counts (rs.reconstruct "
    "lists them)",
)
"""Why there is no uncertainty of printed rates."""


def published_board(
    file: str | Source,
    ways: dict[str, Any],
    reading: dict[str, Any],
    weights: Any,
    missing: str,
    shift_prior: Any,
    ties: Ties,
    sure: bool,
) -> PublishedBoard:
    """Read printed rates and rank them, with bounds over the rounding; refuse options that would change nothing."""
    if sure:
        raise click.UsageError(NO_DRAWS.in_shell)
    idle = {"--weights": weights != "equal", "--missing": missing != "error",
            "--tolerance": reading["tolerance"] is not None}  # fmt: skip
    for option, given in idle.items():
        if given:
            raise click.UsageError(f"{option} would change nothing: FILE has printed rates, of one domain")
    source: Any = file  # one is read as a file is
    table = read_published(
        source,
        entity=reading["entity_column"],
        domain=reading["domain"],
        domain_column=reading["domain_column"],
        encoding=reading["encoding"],
    )
    with spoken_warnings():
        return PublishedBoard(table.rank(preference(TWO_CLASS, **ways), shift_prior, ties))
