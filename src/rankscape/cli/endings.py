"""How a command ends: every error as one sentence on stderr, with an exit status; a traceback only on demand."""

import errno
import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from functools import wraps
from importlib import import_module
from typing import Any, NoReturn

import click

from ..errors import DataError, Option, RankscapeError, RankscapeWarning
from ..texts import visible
from .inputs import refuse_overwriting
from .interrupts import STATUS as INTERRUPTED
from .interrupts import cleaned_up, end_at_once

FINDING, BAD_USAGE, BAD_DATA, UNDECIDED = 1, 2, 3, 4
INTERNAL, PIPE_CLOSED = 70, 141
DEBUG = "--debug"
"""What stands anywhere on the command line to show where an error came from."""

_COUNTED_FIRST = (
    "scores are counted first, as in `rankscape count FILE --truth y --score p --threshold 0.5 "
    "--entity-column model -o results.csv`"
)
WAYS_OUT = {
    "--prior": "the share of positives is --shift-prior, and the prior distribution of the draws is --posterior",
    "--domain": "the column that names the domain is --domain-column",
    "--entity": "the column that names the model is --entity-column, as in --truth y --prediction yhat "
    "--entity-column model",
    "--at": "a place on the Tile is --by A,B",
    "--importance": "an importance is --by tn=1,fp=1,fn=5,tp=5",
    **dict.fromkeys(("--currency", "--per"), "the unit stands with the costs: --costs miss=5,currency=€,per=100"),
    **dict.fromkeys(
        ("--metric", "--depth", "--relevance", "--iou", "--min-score"),
        "the fine tuning of other tools' files is that of `rankscape convert`",
    ),
    "--missing": "--unanswered common (with --case) compares on the cases, and so the domains, that all models have",
    **dict.fromkeys(("--positive", "--positive-label", "--positive-class"), "the positive label is --pos-label"),
    **dict.fromkeys(("--score", "--threshold"), _COUNTED_FIRST),
    "--by-domain": "--domain NAME takes one domain",
}
"""Options that people try, and what to use instead."""


SYNONYMS = {"tex": "latex", "md": "markdown", "txt": "table", "text": "table"}
"""Other words for a choice."""


def spelled(word: str) -> str:
    """Return the option, command or choice that a word means: also in capitals, and with underscores."""
    plain = word.lower().replace("_", "-")
    return SYNONYMS.get(plain, plain)


def example(line: str) -> str:
    """Return the end of a help text: one line that works."""
    return f"\b\nExample:\n  {line}"


class Refusal(click.ClickException):
    """One sentence on stderr and an exit status."""

    def __init__(self, message: str, exit_code: int = BAD_USAGE) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[misc]  # click has one per class

    def show(self, file: Any = None) -> None:
        """Write the sentence; where stderr takes nothing any more, the exit status has to do."""
        try:
            super().show(file)
        except OSError:
            _mute(sys.stderr)


class Commands(click.Group):
    """A group whose commands are imported when they are called, and end with one sentence, a traceback on demand."""

    def __init__(self, *, package: str, summaries: Mapping[str, str], **more: Any) -> None:
        super().__init__(**more)
        self._package, self._summaries = package, summaries

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return sorted(self._summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, which will not write over what it reads."""
        if cmd_name in self._summaries and cmd_name not in self.commands:
            command: click.Command = import_module(f".{cmd_name}", self._package).command
            if command.callback is not None:
                command.callback = _careful(command.callback)
            self.add_command(command)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        limit = formatter.width - 6 - max(map(len, self._summaries))
        known = (click.Command(name, help=self._summaries[name]) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(str(command.name), command.get_short_help_str(limit)) for command in known])

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, with the three streams in place."""
        open_streams()
        try:
            return super().main(*args, **kwargs)
        except SystemExit as end:
            if end.code == INTERRUPTED:
                end_at_once()
            raise

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **kwargs: Any) -> click.Context:
        """Start: what the terminal cannot show is replaced."""
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")
        debugging, rest = DEBUG in args, [word for word in args if word != DEBUG]
        with _sentences(debugging):
            ctx = super().make_context(info_name, rest, *more, **kwargs)
        ctx.meta[DEBUG] = debugging
        return ctx

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; every error becomes a sentence and an exit status."""
        with _sentences(ctx.meta[DEBUG]):
            return super().invoke(ctx)


def _careful(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a command, which first refuses to write over its inputs, and words errors and warnings."""

    @wraps(callback)
    def careful(*args: Any, **kwargs: Any) -> Any:
        ctx = click.get_current_context()
        with _sentences(ctx.meta.get(DEBUG, False)), cleaned_up(), spoken_warnings():
            refuse_overwriting(ctx)
            return callback(*args, **kwargs)

    return careful


@contextmanager
def _sentences(debugging: bool) -> Iterator[None]:
    """Turn every error into a sentence and an exit status."""
    try:
        yield
    except (click.exceptions.Exit, Refusal):
        raise
    except (KeyboardInterrupt, click.Abort):
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _mute(sys.stdout, sys.stderr)  # nobody reads any more, nor will what is left be flushed
        raise click.exceptions.Exit(PIPE_CLOSED) from None
    except Exception as error:
        if isinstance(error, RuntimeError) and str(error) == "Query interrupted":  # Ctrl-C, as DuckDB tells it
            raise click.exceptions.Exit(INTERRUPTED) from None
        if debugging:
            click.echo(traceback.format_exc(), err=True)
        if isinstance(error, OSError) and error.filename is None and error.errno in _FULL:
            _mute(sys.stdout)
        raise refusal(error) from None


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


_FULL = (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT if hasattr(errno, "EDQUOT") else errno.ENOSPC)
"""What writing to standard output fails with; files are named."""


def _mute(*streams: Any) -> None:
    """Send what is left in streams nowhere, so that closing them raises nothing."""
    for stream in streams:
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def refusal(error: Exception) -> click.ClickException:
    """Return the sentence and the exit status of an error."""
    if isinstance(error, click.UsageError):
        ctx = error.ctx or click.get_current_context(silent=True)
        command = ctx.command_path if ctx else "rankscape"
        if isinstance(error, click.NoSuchOption):  # of options that are less alike, none is meant
            alike = get_close_matches(error.option_name, error.possibilities or (), cutoff=0.8)
            error = click.NoSuchOption(error.option_name, possibilities=alike, ctx=ctx)
        message = visible(error.format_message()).rstrip(".")
        if isinstance(error, click.NoSuchOption) and ctx and _reads_cases(ctx) and error.option_name in WAYS_OUT:
            message = f"{error.option_name} is none of `{command}`: {WAYS_OUT[error.option_name]}"
        return Refusal(f"{message}{'' if message.endswith('?') else '.'} See '{command} --help'.")
    if isinstance(error, click.ClickException):
        return error
    if isinstance(error, RankscapeError):
        message = error.worded(in_shell)
        return Refusal(message, BAD_DATA if isinstance(error, DataError) else BAD_USAGE)
    if isinstance(error, OSError) and error.filename is None and error.errno in _FULL:
        why = "no space is left there" if error.errno == errno.ENOSPC else error.strerror
        return Refusal(f"cannot write to standard output: {why}")
    if isinstance(error, OSError) and error.strerror:
        return Refusal(visible(": ".join(filter(None, (str(error.filename or ""), error.strerror)))))
    if isinstance(error, MemoryError):
        return Refusal("there is not enough memory for this")
    what = visible(f"{type(error).__name__}: {error}")
    return Refusal(f"rankscape has failed ({what}); this is a defect: --debug shows where", INTERNAL)


def _reads_cases(ctx: click.Context) -> bool:
    return any(parameter.name == "truth" for parameter in ctx.command.params)


def in_shell(option: Option) -> str | None:
    """Word an option as the current command takes it; None where it does not."""
    ctx = click.get_current_context(silent=True)
    for parameter in ctx.command.params if ctx is not None else ():
        if isinstance(parameter, click.Option) and option.flag in parameter.opts and not parameter.hidden:
            choices = getattr(parameter.type, "choices", None)
            return option.in_shell if option.value is None or choices is None or option.value in choices else None
    return None


def open_streams() -> None:
    """Give the process the streams that it was started without (``<&-``), so that no file takes the place of one."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(_Closed("standard input"))
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(_Closed("standard output"), write_through=True)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


class _Closed(io.RawIOBase):
    """A stream that the process was started without."""

    def __init__(self, name: str) -> None:
        self._name = name

    def readable(self) -> bool:
        """Tell that asking makes sense: the answer is why not."""
        return True

    writable = readable

    def readinto(self, buffer: Any) -> NoReturn:
        """Say that nothing can be read."""
        raise DataError("it is closed", where=self._name, way_out="name a file, or pipe a table into the command")

    def write(self, content: Any) -> NoReturn:
        """Say that nothing can be written."""
        raise OSError(errno.EBADF, "it is closed", self._name)
