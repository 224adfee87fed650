"""How a command's figure looks: one group of options, and the file with the figure."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import click

from ..errors import DataError, Place, UsageError
from ..io.sheets import numbered_records
from ..texts import some, visible
from ..typing import FigureStyle
from .base import Command, Spelled, group, single, write

_options = group(
    single("--style", type=Spelled(get_args(FigureStyle)), help="Look of a figure: screen, or paper, which has small "
           "type that stays readable, patterns for gray print, and the notes in a caption that is printed."),
    single("--width", "figure_width", type=float, metavar="INCHES", help="Width of a figure; 3.3 for a paper."),
    click.option("--no-title", is_flag=True, help="Draw a figure without a title."),
    single("--names", type=click.Path(path_type=Path), metavar="CSV", help="What a figure calls the models: a table "
           "of two columns, model and label."),
)  # fmt: skip


@dataclass(frozen=True)
class FigureLook:
    """What the options say of a figure."""

    style: str | None = None
    width: float | None = None
    no_title: bool = False
    names: Path | None = None

    def refuse_without(self, kind: str | None) -> None:
        """Refuse the options where no figure is written."""
        asked = [name for name, value in vars(self).items() if value is not None and value is not False]
        given = [f"--{name.replace('_', '-')}" for name in asked]
        if given and not kind:
            raise click.UsageError(f"{given[0]} is for figures: a name that ends with .png, .svg or .pdf")

    def options(self, entities: Collection[str]) -> dict[str, Any]:
        """Return the options of the functions that draw; a label of nobody is named."""
        given: dict[str, Any] = {"style": self.style, "width": self.width}
        given = {name: value for name, value in given.items() if value is not None}
        given |= {"title": None} if self.no_title else {}
        if self.names is None:
            return given
        labels = read_labels(self.names)
        known = set(entities)
        unknown = [name for name in labels if name not in known]
        if unknown:
            text = f"{self.names} has labels for what is not in the data: {some(unknown, 6, quote=chr(39))}"
            click.echo(visible(f"warning: {text}"), err=True)
        return given | {"names": {name: label for name, label in labels.items() if name in known}}


def figure_options(command: Command) -> Command:
    """Add the options that say how a figure looks; the command gets them as ``look``."""

    @wraps(command)
    def with_look(
        *args: Any, style: str | None, figure_width: float | None, no_title: bool, names: Path | None, **options: Any,
    ) -> Any:  # fmt: skip
        return command(*args, look=FigureLook(style, figure_width, no_title, names), **options)

    return _options(with_look)


def read_labels(path: Path) -> dict[str, str]:
    """Return the label of each entity that a file of two columns names."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"cannot read {visible(str(path))}: {reason}") from None
    labels: dict[str, str] = {}
    records = numbered_records(text.splitlines(keepends=True), ",", str(path))
    for line, row in ((line, row) for starts, rows in records for line, row in zip(starts, rows, strict=True)):
        where = Place(file=str(path), line=line)
        if len(row) != 2:
            raise DataError(f"{len(row)} columns", where=where, expected="two, the model and its label")
        name, label = (cell.strip() for cell in row)
        if not name or not label:
            raise DataError("a cell is empty", where=where, expected="two cells, the model and its label")
        if not labels and [name.lower(), label.lower()] in (["entity", "label"], ["name", "label"]):
            continue
        if labels.get(name, label) != label:
            raise DataError(f"{name!r} has two labels: {labels[name]!r} and {label!r}", where=where)
        labels[name] = label
    return labels


def write_figure(
    output: Path, draw: Callable[..., Any], kind: str, look: FigureLook, entities: Collection[str]
) -> None:
    """Draw with the options of the look, write the file, and print the caption of a figure for a paper."""
    options, drawn = look.options(entities), []

    def figure() -> Any:
        drawn.append(draw(**options))
        return drawn[0]

    figures = import_module(".._report.pages", __package__)  # which few need
    write(output, figures.content(figure, kind))
    if look.style == "paper" and (caption := getattr(drawn[0], "caption", "")):
        click.echo(visible(f"caption: {caption}"), err=True)
