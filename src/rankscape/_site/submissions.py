"""Submissions to a challenge: each file is read as it will be, and an error says what to mend."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import DataError, RankscapeError, Wording, in_python
from ..io import read
from ..io.sheets import is_table_name
from ..performances import Performances
from ..texts import counted, some, visible
from ..typing import PathLike, PerformancesLike

MOST_NAMED = 6


@dataclass(frozen=True)
class Submission:
    """One file: what it holds, or the error that reading it raised, and the warnings."""

    file: str
    holds: str = ""
    error: RankscapeError | None = None
    notes: tuple[str, ...] = ()

    def sentence(self, wording: Wording = in_python) -> str:
        """Return what the file holds, or what is wrong with it and the way out."""
        return f"{self.file}: {self.holds}" if self.error is None else self.error.worded(wording)


def check_submissions(
    source: PathLike | Sequence[PathLike], like: PerformancesLike | None = None, **reading: Any
) -> list[Submission]:
    r"""Read each file by itself, those of a folder with all below it, and compare it with the results ``like``.

    A submission must have the domains of the official results. ``reading`` are the options of :func:`rankscape.read`.

    >>> import io
    >>> check_submissions(io.StringIO("entity,tn,fp,fn,tp\na,8,1,0,1\n"))[0].sentence()
    '<file>: 1 method'
    """
    official = None if like is None else like if isinstance(like, Performances) else read(like, **reading)
    given = [source] if isinstance(source, (str, os.PathLike)) or hasattr(source, "read") else list(source)
    files = [file for one in given for file in _files(one)]
    return [_checked(file, official, reading) for file in files]


def _files(given: Any) -> Iterator[Any]:
    """Yield the tables of a folder, and whatever is no folder as it is."""
    if isinstance(given, (str, os.PathLike)) and Path(os.fspath(given)).is_dir():
        folder = Path(os.fspath(given))
        tables = sorted(path for path in folder.rglob("*") if path.is_file() and is_table_name(str(path)))
        if not tables:
            raise DataError(
                "no file of this folder is a table", where=visible(str(folder)), expected="CSV, JSON or Parquet"
            )
        yield from tables
    else:
        yield given


def _checked(file: Any, official: Performances | None, reading: dict[str, Any]) -> Submission:
    name = visible(str(file)) if isinstance(file, (str, os.PathLike)) else "<file>"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            data = read(file, **reading)
            _refuse_other_domains(data, official, name)
        except RankscapeError as error:
            return Submission(name, error=error if error.where.file else error.located(name))
        notes = tuple(visible(str(warning.message)) for warning in caught)
    names = dict.fromkeys(data.names)
    domains = f" on {counted(data.n_domains, 'domain')}" if data.domains is not None else ""
    return Submission(name, f"{counted(len(names), 'method')}{domains}", notes=notes)


def _refuse_other_domains(data: Performances, official: Performances | None, name: str) -> None:
    """Raise DataError for outcomes, or domains, that are not those of the official results."""
    if official is None:
        return
    if data.space.outcomes != official.space.outcomes:
        raise DataError("the outcomes differ from those of the official results", where=name,
                        expected=", ".join(official.space.outcomes), got=", ".join(data.space.outcomes))  # fmt: skip
    wanted, given = dict.fromkeys(official.domains or ()), data.domains or ()
    for method in dict.fromkeys(data.names):
        here = (
            {domain for domain, entity in zip(given, data.names, strict=True) if entity == method} if given else set()
        )
        lacking = [domain for domain in wanted if domain not in here]
        unknown = sorted(here - wanted.keys())
        if lacking:
            raise DataError(f"{visible(method)} lacks {counted(len(lacking), 'domain')} ({some(lacking, MOST_NAMED)})",
                            where=name, expected=f"all {len(wanted)} of the official results")  # fmt: skip
        if unknown:
            raise DataError(f"{visible(method)} has {counted(len(unknown), 'domain')} that the official results do not "
                            f"have ({some(unknown, MOST_NAMED)})", where=name)  # fmt: skip
