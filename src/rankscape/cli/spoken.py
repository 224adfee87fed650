"""Warnings of rankscape, printed as sentences."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from ..errors import RankscapeWarning
from ..texts import visible


@contextmanager
def spoken_warnings() -> Iterator[None]:
    """Print each warning of rankscape once on stderr, as soon as it is raised; leave all others to Python."""
    spoken: set[str] = set()
    show = warnings.showwarning

    def showwarning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, RankscapeWarning):
            show(message, category, *place, **more)
        elif (text := visible(f"warning: {message}")) not in spoken:
            spoken.add(text)
            click.echo(text, err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always", RankscapeWarning)
        warnings.showwarning = showwarning
        yield
