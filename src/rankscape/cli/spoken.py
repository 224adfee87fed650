"""Warnings of rankscape, printed as sentences."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ..domains import MissingDomainsWarning
from ..errors import ContradictionWarning, IncompleteDataWarning, LookWarning
from ..ordering import UnsoundScoreWarning
from ..texts import visible

OURS = (UnsoundScoreWarning, MissingDomainsWarning, IncompleteDataWarning, ContradictionWarning, LookWarning)


@contextmanager
def spoken_warnings() -> Iterator[None]:
    """Print the warnings of rankscape on stderr; leave all others to Python."""
    with warnings.catch_warnings(record=True) as caught:
        for category in OURS:
            warnings.simplefilter("always", category)
        yield
    spoken: set[str] = set()
    for warning in caught:
        if issubclass(warning.category, OURS):
            text = visible(f"warning: {warning.message}")
            if text not in spoken:
                click.echo(text, err=True)
            spoken.add(text)
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
