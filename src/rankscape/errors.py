"""The errors of rankscape: they carry fields, which each face (Python, command line) puts into words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Self

from .texts import one_line, visible


@dataclass(frozen=True)
class Option:
    """A parameter that a sentence names: ``missing="complete"`` in Python, ``--missing complete`` on the command line.

    ``option`` is the name of the option where it differs from the parameter's, ``python`` and ``shell`` are the words
    of each face where the plain ones would not do. A command that lacks the option leaves the advice out; advice that
    only Python can follow is an option that no command has.

    >>> Option("missing", "complete").in_python, Option("missing", "complete").in_shell
    ('missing="complete"', '--missing complete')
    >>> Option("from_scores", python="use from_scores").in_python
    'use from_scores'
    """

    name: str
    value: Any = None
    option: str = ""
    python: str = ""
    shell: str = ""

    @property
    def flag(self) -> str:
        """The option on the command line."""
        column = f"{self.name}-column" if self.name in COLUMNS else self.name.replace("_", "-")
        return f"--{self.option or column}"

    @property
    def in_python(self) -> str:
        """The words of Python."""
        value = f'"{self.value}"' if isinstance(self.value, str) else "" if self.value is None else repr(self.value)
        return self.python or f"{self.name}={value}"

    @property
    def in_shell(self) -> str:
        """The words of the command line."""
        value = f'"{self.value}"' if " " in str(self.value) else self.value
        return self.shell or (self.flag if self.value is None else f"{self.flag} {value}")

    @property
    def in_prose(self) -> str:
        """The words of a face that has no such option, where they cannot be left out."""
        name = self.name.replace("_", " ")
        return name if self.value is None else f"{name} {self.value!r}"


COLUMNS = {"entity", "domain"}
"""Parameters that name a column; the options ``--entity`` and ``--domain`` choose rows."""

Text = str | Option | Sequence[str | Option]
"""A phrase: a text, an option, or several of both in a row."""

Wording = Callable[[Option], str | None]
"""How a face words an option; None where it has none."""


def in_python(option: Option) -> str:
    """Word an option as Python does."""
    return option.in_python


def in_prose(option: Option) -> None:
    """Word no option: a text that both faces read leaves out the ways that need one."""


@dataclass(frozen=True)
class Place:
    """Where in the data something is wrong: the file, the row (counted from 0) with its line and name, the column."""

    file: str = ""
    row: int | None = None
    line: int | None = None
    name: str | None = None
    column: str = ""

    def __str__(self) -> str:
        known = [] if self.line is None else [f"line {self.line}"]
        known += [] if self.name is None else [f'"{one_line(self.name)}"']
        parts = [self.file]
        if self.row is not None:
            parts.append(f"row {self.row + 1}" + (f" ({', '.join(known)})" if known else ""))
        elif self.line is not None:
            parts.append(f"line {self.line}")
        return ": ".join(filter(None, (*parts, self.column)))


class RankscapeError(ValueError):
    """Root of the errors raised on purpose by rankscape.

    ``str(error)`` words an error for Python, :meth:`worded` for another face.

    Parameters
    ----------
    what
        What is wrong.
    where
        The place: a file, a row, a column.
    expected, got
        What was expected, and what rankscape got.
    way_out
        What to do, or a list of several ways.

    Examples
    --------
    >>> from rankscape.errors import Place
    >>> import rankscape as rs
    >>> error = rs.DataError(
    ...     "fp = -3 is negative", where=Place(row=6, name="unet"), expected="counts ≥ 0"
    ... )
    >>> str(error), error.expected
    ('row 7 ("unet"): fp = -3 is negative; expected counts ≥ 0', 'counts ≥ 0')
    """

    def __init__(
        self,
        what: Text,
        *,
        where: Place | str = "",
        expected: Text = "",
        got: Text = "",
        way_out: Text | list[Any] = "",
    ) -> None:
        self.what = what
        self.where = Place(where) if isinstance(where, str) else where
        self.expected = expected
        self.got = got
        self.ways_out: tuple[Text, ...] = tuple(filter(None, way_out if isinstance(way_out, list) else [way_out]))
        super().__init__(self.worded())

    def worded(self, wording: Wording = in_python) -> str:
        """Return the error as one line, with options in the words of Python or of the command line.

        Parameters
        ----------
        wording
            How a face writes options; by default as in Python.

        Returns
        -------
        str
            One line.
        """
        text = _phrase(self.what, wording, always=True) or ""
        for lead, field in (("expected", self.expected), ("got", self.got)):
            phrase = _phrase(field, wording, always=True)
            text = "; ".join(filter(None, (text, f"{lead} {phrase}" if phrase else "")))
        ways = [way for way in (_phrase(way, wording) for way in self.ways_out) if way]
        either = ", or ".join(filter(None, (", ".join(ways[:-1]), *ways[-1:])))
        return visible(": ".join(filter(None, (str(self.where), text, either))))  # on one line, whatever a name holds

    def located(self, file: str = "", line: int | None = None) -> Self:
        """Return the same error with the file, and the line, that it concerns.

        Parameters
        ----------
        file
            The name of the file.
        line
            The number of the line, from 1.

        Returns
        -------
        Self
            A new error of the same class.
        """
        kept = self.where.line
        place = replace(self.where, file=self.where.file or file, line=line if kept is None else kept)
        return type(self)(self.what, where=place, expected=self.expected, got=self.got, way_out=list(self.ways_out))


def _phrase(text: Text, wording: Wording, *, always: bool = False) -> str | None:
    """Return a phrase in the words of a face; None, or prose (``always``), where the face lacks an option of it."""
    parts = (text,) if isinstance(text, (str, Option)) else text
    phrases = [part if isinstance(part, str) else wording(part) for part in parts]
    if always:
        phrases = [
            part.in_prose if isinstance(part, Option) and phrase is None else phrase
            for part, phrase in zip(parts, phrases, strict=True)
        ]
    return None if None in phrases else "".join(filter(None, phrases))


class DataError(RankscapeError):
    """The data are wrong; the message names the place, the expectation, the value and the way out."""


class UsageError(RankscapeError):
    """An argument has a value that makes no sense here."""


def not_among(name: str, value: object, known: Iterable[object]) -> UsageError:
    """Return the error about a parameter whose value is none of those known.

    >>> str(not_among("draws", 0.5, (1, 2)))
    'draws=0.5; expected one of 1, 2'
    """
    return UsageError(Option(name, value), expected=f"one of {', '.join(map(repr, known))}")


def no_effect(given: str | Option, *why: str | Option, **more: Any) -> UsageError:
    """Return the error about a parameter that would change nothing, with the reason.

    >>> str(no_effect("rng", "the data name their folds"))
    'rng= would change nothing: the data name their folds'
    """
    return UsageError([Option(given) if isinstance(given, str) else given, " would change nothing: ", *why], **more)


class MissingExtraError(UsageError, ImportError):
    """An optional package is not installed; the message names the command that installs it."""


class UnknownScoreError(UsageError):
    """No score has this name, and it is no expression either; the message suggests the nearest names."""


class UnknownOptionError(UsageError, TypeError):
    """A function takes no keyword of this name; the message names the nearest that it takes, or all of them."""


def refuse_unknown(
    given: Iterable[str], known: Collection[str], function: str, instead: Mapping[str, str] | None = None
) -> None:
    """Raise UnknownOptionError for the first keyword that a function does not take; ``instead`` says what else to do.

    >>> refuse_unknown(["titles"], ["title", "width"], "draw_tile()")
    Traceback (most recent call last):
        ...
    rankscape.errors.UnknownOptionError: draw_tile() takes no titles=: did you mean title=?
    """
    for name in given:
        if name in known:
            continue
        near = get_close_matches(name, known, 1)
        way_out = (instead or {}).get(name) or (f"did you mean {near[0]}=?" if near else "")
        expected = f"{'one of ' * (len(known) > 1)}{', '.join(known)}" if known and not way_out else ""
        raise UnknownOptionError([f"{function} takes no ", Option(name)], expected=expected, way_out=way_out)


class UndefinedScoreError(RankscapeError):
    """A score is undefined for a performance, and ``undefined="raise"`` was passed."""


class NoPlaceError(RankscapeError):
    """The ordering of a score has no place on the Tile, at least not with these priors or prediction rates."""


class RankscapeWarning(UserWarning):
    """Root of the warnings raised by rankscape; the command line prints each as a sentence."""


class IncompleteDataWarning(RankscapeWarning):
    """Some rows were not counted, or some cases are not matched; the message gives the numbers."""


class PooledRowsWarning(RankscapeWarning):
    """A column that may name models or domains is not used, so their rows are counted together."""


class ContradictionWarning(RankscapeWarning):
    """A table contradicts itself; the message names the cells and what the counts give."""
