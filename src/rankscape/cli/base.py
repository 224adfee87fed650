"""What the commands share: options and groups of them, numbers and weights, formats, files out."""

import csv
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .._costs import PER, Costs
from .._report import FORMATS, PAGE
from ..checks import fraction_of
from ..errors import UsageError
from ..outputs import FIGURES, write_whole
from ..texts import isolated, visible
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


if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # generic only from click 8.2 on


class Spelled(_Choice):
    """A choice that understands other spellings: capitals, underscores, and the synonyms given."""

    def __init__(self, choices: Sequence[str], synonyms: Mapping[str, str] | None = None) -> None:
        super().__init__(choices)
        self.synonyms = synonyms or {}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the choice that is meant."""
        plain = str(value).lower().replace("_", "-")
        return super().convert(self.synonyms.get(plain, plain), param, ctx)


ACCOUNTS = "rankscape.accounts"
"""Where a command keeps the accounts of what it has read."""

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


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


format_option = click.option(
    "--format",
    "format_",
    type=Spelled(FORMATS, {"tex": "latex", "md": "markdown", "txt": "table", "text": "table"}),
    help="Format of the output; by default a table to read.",
)


class OutputPath(click.Path):
    """The name of a file or folder to write; an empty one, of a variable that is not set, is no folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a path."""
        if value == "":
            self.fail("the name is empty", param, ctx)
        return super().convert(value, param, ctx)


def output_option(help: str, **more: Any) -> Decorator:
    """Add ``-o, --output``."""
    return click.option("-o", "--output", type=OutputPath(path_type=Path), help=help, **more)


def text_options(more: str = "") -> Decorator:
    """Add ``--format`` and ``--output``, for texts, and ``more`` that the help says of the output."""
    what = f"File to write; its suffix (csv, json, tex, md, txt) sets the format.{more}"
    return group(format_option, output_option(what))


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


def importance(text: str) -> dict[str, Fraction]:
    """Return the weights in ``tn=1,fp=1,fn=5,tp=5``, or ``1,1,5,5``."""
    names = ("tn", "fp", "fn", "tp")
    parts = parts_of(text)
    if not any("=" in part for part in parts):
        if len(parts) != len(names):
            raise click.BadParameter(f"expected 4 numbers ({', '.join(names)}); got {len(parts)}")
        return {name: number(part) for name, part in zip(names, parts, strict=True)}
    return named_numbers(parts, {name: name for name in names})


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
    given = named_numbers(parts, short | {name: name for name in short.values()}, "miss=1,false-alarm=1")
    how: dict[str, Any] = {name.replace("-", "_"): cost for name, cost in given.items()}
    try:
        return Costs(**how, currency=unit.get("currency", ""), per=int(per))
    except UsageError as error:  # a ValueError, of which click 8.1 would drop the sentence
        raise click.BadParameter(str(error)) from None


costs_option = click.option(
    "--costs", type=costs, metavar="miss=5,false-alarm=1", help="What each error costs, and perhaps each right answer: "
    "detection=…, correct-rejection=…; a negative cost is a benefit. Costs are printed in a unit, such as currency=€, "
    "for a number of cases, by default per=1000.",
)  # fmt: skip


def parts_of(text: str) -> list[str]:
    """Return what stands between commas."""
    return [part.strip() for part in next(csv.reader([text], skipinitialspace=True), []) if part.strip()]


def numbers_by_name(text: str, what: str, expected: str) -> dict[str, Fraction]:
    """Return the numbers in ``x=2,y=1``: one for each domain, or model, as ``what`` says."""
    given: dict[str, Fraction] = {}
    for part in parts_of(text):
        name, _, value = (piece.strip() for piece in part.rpartition("="))
        if not name:
            raise click.BadParameter(f"{part[:80]!r} is not understood; expected {expected}")
        if name in given:
            raise click.BadParameter(f"the {what} {name!r} is given twice")
        given[name] = number(value)
    return given


def named_numbers(parts: Sequence[str], meaning: dict[str, str], example: str = "") -> dict[str, Fraction]:
    """Return the numbers in ``x=2,y=1`` by what each name stands for."""
    weights: dict[str, Fraction] = {}
    example = example or ",".join(f"{key}=1" for key in dict.fromkeys(meaning.values()))
    if not parts:
        raise click.BadParameter(f"it is empty; expected, for example, {example}")
    for part in parts:
        given, equals, value = part.partition("=")
        name = meaning.get(given.strip().lower().replace("_", "-"))
        if name is None or not equals:
            raise click.BadParameter(f"{part[:80]!r} is not understood; expected, for example, {example}")
        if name in weights:
            raise click.BadParameter(f"{name} is given twice")
        weights[name] = number(value.strip())
    return weights


def prior_option(help: str) -> Decorator:
    """Add ``--prior``, which may be given once."""
    return single("--prior", type=number, metavar="P", help=help)


def prediction_rate_option(help: str) -> Decorator:
    """Add ``--prediction-rate``, which may be given once."""
    return single("--prediction-rate", type=number, metavar="R", help=help)


def one_or_several(given: Sequence[str]) -> Any:
    """Return what an option that may be repeated was given: one text, the list of several, or None."""
    return given[0] if len(given) == 1 else list(given) or None


def progress(total: int, what: str) -> Callable[[int], None] | None:
    """Return what shows progress on a terminal, None elsewhere."""
    if not sys.stderr.isatty():
        return None

    def show_progress(done: int) -> None:
        click.echo(f"\r{done} of {total} {what}" + ("\r\033[K" if done >= total else ""), nl=False, err=True)

    return show_progress


def chosen_format(format_: str | None, output: Path | None, figures: Sequence[str] = ()) -> str:
    """Return the format asked for, or the one that the name of the output stands for; ``figures`` are known, too."""
    if format_ is not None:
        return format_
    suffix = "" if output is None else output.suffix.lower()
    if suffix not in FORMAT_OF:
        known = ", ".join([*(f".{figure}" for figure in figures), *filter(None, FORMAT_OF)])
        raise Refusal(f"{visible(str(output))}: cannot tell the format from {suffix}: pass --format, or use {known}")
    return FORMAT_OF[suffix]


def figure_kind(format_: str | None, output: Path | None) -> str | None:
    """Return png, svg or pdf where the name of the output asks for a figure, else None."""
    kind = "" if output is None else output.suffix.lower().removeprefix(".")
    return kind if format_ is None and kind in FIGURES else None


def say_what_was_read(kind: str) -> None:
    """Print on stderr what was read, a line for each reading, once; JSON has it inside."""
    context = click.get_current_context(silent=True)
    accounts = [] if context is None else context.meta.get(ACCOUNTS, [])
    for account in accounts if kind != "json" else ():
        click.echo(visible(account.sentence()), err=True)
    accounts.clear()


def show(text: str, format_: str, output: Path | None = None) -> None:
    """Put a text on standard output, or into a file, below a line on stderr about what was read."""
    if output is not None and str(output) != "-":
        write(output, text.encode("utf-8", "backslashreplace"))
        return
    say_what_was_read(format_)
    if sys.stdout.isatty():
        lines = text.rstrip("\n").split("\n")
        click.echo("\n".join(isolated(visible(line)) for line in lines))
    elif format_ == "table":
        click.echo(isolated(text), nl=False)
    else:
        click.echo(text.encode("utf-8", "backslashreplace"), nl=False)  # data keep their characters everywhere


def width() -> int:
    """Return how many characters a line of prose may have."""
    return min(shutil.get_terminal_size((PAGE, 24)).columns, PAGE)


def write(path: Path, content: bytes, *, quiet: bool = False) -> None:
    """Write a file whole or not at all, and say where."""
    write_whole(path, content)
    if not quiet:
        say_what_was_read(path.suffix.lower().removeprefix("."))
        click.echo(f"written to {visible(str(path))}", err=True)
