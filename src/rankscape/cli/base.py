"""What the commands share: kinds of values, options, and where an answer goes."""

import csv
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import click
from click.core import ParameterSource

from .._costs import PER, Costs
from .._report import FORMATS, PAGE, render, to_json
from ..account import Account, together
from ..checks import fraction_of
from ..errors import UsageError
from ..outputs import FIGURES, write_whole
from ..results import Table
from ..texts import isolated, visible
from ..typing import FigureStyle
from .endings import Refusal
from .endings import example as example

FORMAT_OF = {
    "": "table",
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".md": "markdown",
    ".markdown": "markdown",
}
_PLAIN_NUMBER = re.compile(
    r"\s*[+-]?(\d{1,40}/\d{1,40}|(\d{1,40}(\.\d{0,40})?|\.\d{1,40})(e[+-]?\d{1,3})?)\s*", re.IGNORECASE
)
ACCOUNTS = "rankscape.accounts"
"""Where a command keeps the accounts of what it has read."""

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


# Options


class OutputPath(click.Path):
    """The name of a file or folder to write; an empty one, of a variable that is not set, is no folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a path."""
        if value == "":
            self.fail("the name is empty", param, ctx)
        return super().convert(value, param, ctx)


def once(ctx: click.Context, parameter: click.Parameter, given: Sequence[Any]) -> Any:
    """Return the value of an option that may be given once only; click would take the last without a word."""
    if len(given) > 1:
        raise click.BadParameter(
            f"given {len(given)} times ({', '.join(map(str, given))[:80]}); expected one", ctx, parameter
        )
    return given[0] if given else None


def single(*names: str, **more: Any) -> Decorator:
    """Return an option that may be given once only."""
    return click.option(*names, multiple=True, **{"callback": once} | more)


def group(*options: Decorator) -> Decorator:
    """Return one decorator for several options, which the help lists in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def grouped(name: str, *options: Decorator) -> Decorator:
    """Return one decorator for several options, whose values the command gets as one mapping of this name."""

    def add(command: Command) -> Command:
        @wraps(command)
        def with_mapping(*args: Any, **given: Any) -> Any:
            mapping = {option: given.pop(option) for option in names}
            return command(*args, **given, **{name: mapping})

        known = len(getattr(with_mapping, "__click_params__", ()))
        group(*options)(with_mapping)
        names = [parameter.name for parameter in getattr(with_mapping, "__click_params__", ())[known:]]
        return with_mapping

    return add


def given(*names: str) -> str | None:
    """Return the first option of the command that was given, of those called so in the code; None where none was."""
    context = click.get_current_context()
    for parameter in context.command.params:
        known = parameter.name in names and context.get_parameter_source(str(parameter.name))
        if known and known is not ParameterSource.DEFAULT:
            return parameter.opts[0]
    return None


def refuse(names: Sequence[str], why: str) -> None:
    """Refuse options that would say nothing here."""
    if option := given(*names):
        raise click.UsageError(f"{option} {why}")


def one_or_several(values: Sequence[str]) -> Any:
    """Return what an option that may be repeated was given: one text, the list of several, or None."""
    return values[0] if len(values) == 1 else list(values) or None


# Values


def number(text: str) -> Fraction:
    """Return the exact number that a decimal, a fraction or a share in percent says: 0.3 is 3/10, and 2% is 1/50."""
    if text.strip().endswith("%"):
        return number(text.strip()[:-1]) / 100
    if _PLAIN_NUMBER.fullmatch(text):
        with suppress(ZeroDivisionError):
            try:
                return fraction_of(text)
            except UsageError as error:  # a ValueError, of which click 8.1 would drop the sentence
                raise click.BadParameter(str(error)) from None
    raise click.BadParameter(f"{text[:80]!r} is no number; expected one such as 5, 0.3 or 1/3")


def parts_of(text: str) -> list[str]:
    """Return what stands between commas."""
    return [part.strip() for part in next(csv.reader([text], skipinitialspace=True), []) if part.strip()]


def numbers_by_name(
    parts: Sequence[str], expected: str, what: str = "", known: Mapping[str, str] | None = None
) -> dict[str, Fraction]:
    """Return the numbers in ``x=2,y=1`` by name, or by what the ``known`` names stand for."""
    numbers: dict[str, Fraction] = {}
    if not parts:
        raise click.BadParameter(f"it is empty; {expected}")
    for part in parts:
        name, _, value = (piece.strip() for piece in part.rpartition("="))
        key = name if known is None else known.get(name.lower().replace("_", "-"))
        if not key:
            raise click.BadParameter(f"{part[:80]!r} is not understood; {expected}")
        if key in numbers:
            raise click.BadParameter(f"{f'the {what} {key!r}' if what else key} is given twice")
        numbers[key] = number(value)
    return numbers


def number_or_by_name(what: str, one: str, several: str) -> Callable[[str], Fraction | dict[str, Fraction]]:
    """Return what understands one number, or those in ``x=2,y=1``: one for each domain, or model, as ``what`` says."""
    expected = f"expected {one}, or {several}"

    def understood(text: str) -> Fraction | dict[str, Fraction]:
        return numbers_by_name(parts_of(text), expected, what) if "=" in text else number(text)

    return understood


def importance(text: str) -> dict[str, Fraction]:
    """Return the weights in ``tn=1,fp=1,fn=5,tp=5``, or ``1,1,5,5``."""
    names = ("tn", "fp", "fn", "tp")
    parts = parts_of(text)
    if any("=" in part for part in parts):
        expected = f"expected, for example, {','.join(f'{name}=1' for name in names)}"
        return numbers_by_name(parts, expected, known={name: name for name in names})
    if len(parts) != len(names):
        raise click.BadParameter(f"expected 4 numbers ({', '.join(names)}); got {len(parts)}")
    return {name: number(part) for name, part in zip(names, parts, strict=True)}


def costs(text: str) -> Costs:
    """Return the costs in ``miss=5,false-alarm=1``, perhaps with the unit ``currency=€`` and ``per=100`` cases."""
    short = {"fn": "miss", "fp": "false-alarm", "tp": "detection", "tn": "correct-rejection"}
    parts, unit = parts_of(text), dict[str, str]()
    for part in [part for part in parts if part.partition("=")[0].strip() in ("currency", "per")]:
        name, _, value = part.partition("=")
        if unit.setdefault(name.strip(), value.strip()) != value.strip():
            raise click.BadParameter(f"{name.strip()} is given twice")
        parts.remove(part)
    per = unit.get("per", str(PER))
    if not per.isdecimal() or not int(per):
        raise click.BadParameter(f"per={per[:80]} is no number of cases; expected one such as per=1000")
    known = short | {name: name for name in short.values()}
    numbers = numbers_by_name(parts, "expected, for example, miss=1,false-alarm=1", known=known)
    how: dict[str, Any] = {name.replace("-", "_"): cost for name, cost in numbers.items()}
    try:
        return Costs(**how, currency=unit.get("currency", ""), per=int(per))
    except UsageError as error:  # a ValueError, of which click 8.1 would drop the sentence
        raise click.BadParameter(str(error)) from None


costs_option = click.option(
    "--costs", type=costs, metavar="miss=5,false-alarm=1", help="What each error costs, and perhaps each right answer: "
    "detection=…, correct-rejection=…; a negative cost is a benefit. Costs are printed in a unit, such as currency=€, "
    "for a number of cases, by default per=1000.",
)  # fmt: skip


# Where an answer goes


@dataclass(frozen=True)
class Output:
    """Where an answer goes, as what (a format of text, or of a figure), and how a figure looks."""

    kind: str
    path: Path | None
    style: str | None = None

    def __post_init__(self) -> None:
        """Refuse a look where no figure is written."""
        if self.style and not self.is_figure:
            raise click.UsageError("--style is for figures: a name that ends with .png, .svg or .pdf")

    @property
    def is_figure(self) -> bool:
        """Whether a figure is asked for."""
        return self.kind in FIGURES

    def show(self, text: str) -> None:
        """Put a text on standard output, or into a file, below a line on stderr about what was read."""
        data = text.encode("utf-8", "backslashreplace")
        if self.path is not None and str(self.path) != "-":
            write(self.path, data)
            return
        say_what_was_read(self.kind)
        if sys.stdout.isatty():
            click.echo("\n".join(isolated(visible(line)) for line in text.rstrip("\n").split("\n")))
        elif self.kind == "table":
            click.echo(isolated(text), nl=False)
        else:
            click.echo(data, nl=False)  # data keep their characters everywhere

    def answer(
        self,
        document: Callable[[], Mapping[str, Any]],
        rows: Callable[[], Table],
        table: Callable[[], Mapping[str, Any]],
        notes: Sequence[str] = (),
        hint: str = "",
    ) -> None:
        """Show an answer: its document as JSON, its rows as CSV with notes on stderr, else a table with its prose.

        ``hint`` is a command that goes on from here.
        """
        if self.kind == "json":
            self.show(to_json(accounted(document())))
        elif self.kind == "csv":
            self.show(rows().to_csv())
            note(notes)
        else:
            below = f"\n{hint}\n" if hint and self.kind == "table" else ""
            self.show(render(format=self.kind, width=width(), **table()) + below)

    def draw(self, plot: Callable[..., Any], *, quiet: bool = False) -> None:
        """Draw what a method plots into the file, and print the caption of a figure for a paper."""
        look = {"style": self.style} if self.style else {}
        drawn: list[Any] = []

        def figure() -> Any:
            drawn.append(plot(**look).figure)
            return drawn[0]

        pages = import_module(".._report.pages", __package__)  # which few need
        if self.path is not None:
            write(self.path, pages.content(figure, self.kind), quiet=quiet)
        if self.style == "paper" and (caption := getattr(drawn[0], "caption", "")):
            click.echo(visible(f"caption: {caption}"), err=True)


style_option = single(
    "--style",
    type=click.Choice(get_args(FigureStyle)),
    help="Look of a figure: screen, or paper, which is 3.3 inches wide, with small type, patterns for gray print, and "
    "the notes in a caption that is printed.",
)


def output_option(help: str, **more: Any) -> Decorator:
    """Add ``-o, --output``."""
    return click.option("-o", "--output", type=OutputPath(path_type=Path), help=help, **more)


def output_options(
    more: str = "", *, figures: bool = False, pages: Sequence[str] = (), default: str = "table", help: str = ""
) -> Decorator:
    """Add ``--format`` and ``-o``, for texts and perhaps ``figures``; the command gets both as :class:`Output`.

    ``more`` is what the help says of further outputs, ``pages`` are suffixes of them.
    """
    options = group(
        *([style_option] if figures else []),
        click.option("--format", "format_", type=click.Choice(FORMATS), help=help or "Format of the output; by default "
                     "a table to read."),
        output_option(f"File to write; its suffix (csv, json, tex, md, txt) sets the format.{more}"),
    )  # fmt: skip

    def add(command: Command) -> Command:
        @wraps(command)
        def with_output(
            *args: Any, format_: str | None, output: Path | None, style: str | None = None, **others: Any
        ) -> Any:
            kind = _kind(format_, output, (*(FIGURES if figures else ()), *pages), default)
            return command(*args, out=Output(kind, output, style), **others)

        return options(with_output)

    return add


def _kind(format_: str | None, output: Path | None, others: Sequence[str], default: str) -> str:
    """Return the format asked for, or the one that the name of the output stands for; ``others`` are known, too."""
    suffix = "" if output is None else output.suffix.lower()
    kind = suffix.removeprefix(".")
    if format_ is not None:
        if kind in others and kind in FIGURES:
            raise click.UsageError(f"--format is for texts, and {output} is a figure: leave one of them out")
        return format_
    if kind in others:
        return kind
    if suffix not in FORMAT_OF:
        known = ", ".join([*(f".{other}" for other in others if other in FIGURES), *filter(None, FORMAT_OF)])
        raise Refusal(f"{visible(str(output))}: cannot tell the format from {suffix}: pass --format, or use {known}")
    return default if FORMAT_OF[suffix] == "table" else FORMAT_OF[suffix]


def announce(account: Account | None) -> None:
    """Keep what was read: one line says it before the output, and JSON has it inside."""
    accounts = click.get_current_context().meta.setdefault(ACCOUNTS, [])
    if account is not None and account not in accounts:
        accounts.append(account)


def accounted(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a document of JSON with the account of all that the command has read, if it reads anything."""
    accounts = click.get_current_context().meta.get(ACCOUNTS)
    whole = together(accounts or ())
    return document if accounts is None else {**document, "account": None if whole is None else whole.document()}


def say_what_was_read(kind: str = "") -> None:
    """Print on stderr what was read, a line for each reading, once; JSON has it inside."""
    context = click.get_current_context(silent=True)
    accounts = [] if context is None else context.meta.get(ACCOUNTS, [])
    for account in accounts if kind != "json" else ():
        click.echo(visible(account.sentence()), err=True)
    accounts.clear()


def note(sentences: Sequence[str]) -> None:
    """Print on stderr what the output itself has no place for."""
    for sentence in sentences:
        click.echo(f"note: {visible(sentence)}", err=True)


def width() -> int:
    """Return how many characters a line of prose may have."""
    return min(shutil.get_terminal_size((PAGE, 24)).columns, PAGE)


def write(path: Path, content: bytes, *, quiet: bool = False) -> None:
    """Write a file whole or not at all, and say where."""
    write_whole(path, content)
    if not quiet:
        say_what_was_read(path.suffix.lower().removeprefix("."))
        click.echo(f"written to {visible(str(path))}", err=True)
