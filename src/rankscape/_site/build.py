"""``rs.site``: the static site of a challenge, in a folder.

Unchanged files stay as they are, and an interrupted run leaves the old site.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from .._report import to_json
from .._report.pages import figures_of
from .._report.sections import Asked
from .._scores import as_score
from ..domains import prepare
from ..errors import DataError, Option, UsageError
from ..explorer.build import POLICIES, Policy
from ..io import read
from ..look import pretty
from ..outputs import checked_path
from ..performances import as_performances
from ..results import Result, Table
from ..texts import counted, some, visible
from ..typing import (
    PathLike,
    PerformancesLike,
    PosteriorMethod,
    PriorLike,
    RandomLike,
    Resample,
    ScoreLike,
    TableLike,
    Ties,
    WeightsLike,
)
from ..uncertainty import Draws
from ..uncertainty.defaults import LEVEL
from ..uncertainty.page_inputs import prepared_and_drawn
from .challenge import Challenge
from .metadata import read_metadata
from .pages import pages

BODY = '<div id="rankscape">'
BACK = '<nav class="rankscape-back" aria-label="Site"><a href="index.html">← Leaderboard</a></nav>'
"""Where the body of the explorer begins, and the link back that the site puts before it."""


@dataclass(frozen=True, eq=False, repr=False)
class Site(Result):
    """The site of a challenge: its folder, and the state of each file. Get one from :func:`rankscape.site`.

    Attributes
    ----------
    path
        The folder.
    sizes
        {file: bytes}.
    states
        {file: "new", "changed", "unchanged" or "removed"}.

    See Also
    --------
    rankscape.site

    Examples
    --------
    >>> from pathlib import Path
    >>> import rankscape as rs
    >>> rs.Site(Path("site"), {"index.html": 9000}, {"index.html": "new"}).heading
    'site: 1 file (1 new)'
    """

    path: Path
    sizes: dict[str, int]
    states: dict[str, str]

    @property
    def heading(self) -> str:
        """How many files there are, and how many of these changed."""
        states = list(self.states.values())
        parts = [
            f"{states.count(state)} {state}" for state in ("new", "changed", "unchanged", "removed") if state in states
        ]
        return f"{self.path}: {counted(len(self.sizes), 'file')} ({', '.join(parts)})"

    def table(self) -> Table:
        """Return one row per file: file, bytes, state.

        Returns
        -------
        Table
            One column per name; ``.frame()`` has the same as a data frame.
        """
        return Table(
            {
                "file": list(self.states),
                "bytes": [self.sizes.get(name, 0) for name in self.states],
                "state": list(self.states.values()),
            }
        )


def site(
    source: PerformancesLike | Draws,
    path: PathLike,
    by: ScoreLike | None = None,
    *,
    title: str | None = None,
    metadata: TableLike | None = None,
    ties: Ties = "min",
    draws: int | None = None,
    rng: RandomLike = None,
    level: float = LEVEL,
    figures: bool = True,
    method: PosteriorMethod = "exchangeable",
    resample: Resample | None = None,
    weights: WeightsLike | None = None,
    missing: Policy = "error",
    shift_prior: PriorLike | None = None,
) -> Site:
    """Write the static site of a challenge, which any host can serve and any browser can open.

    It has the official leaderboard with intervals, ties and tiers, a page per method and per domain, the explorer, what
    the ranking was made from, and downloads (CSV, JSON, LaTeX). The pages make no request.

    Parameters
    ----------
    source
        What :func:`rankscape.read` takes, such as ``"submissions/*.csv"``, or draws, such as those of
        :func:`rankscape.uncertainty.paired`.
    path
        The folder, which is made if it is not there. Other files in it stay.
    by, ties
        As in :func:`rankscape.rank`.
    title
        What the challenge is called.
    metadata
        A table with a row per method and any other columns, such as team, date, paper, code. Addresses of http and
        https become links.
    draws, rng, level, method, resample
        As in :func:`rankscape.uncertainty.rank_intervals`; 0 draws: no intervals.
    figures
        Whether the page on how it is ranked has figures.
    weights, missing, shift_prior
        As in :func:`rankscape.summarize`; ``missing`` is "error", or "complete": domains that all methods share.

    Returns
    -------
    Site
        The files, and which are new, changed, unchanged or removed. Unchanged files are not touched.

    Raises
    ------
    UsageError
        For a folder that cannot be written, or that holds files of another origin in the place of pages.
    DataError
        For what :func:`rankscape.read` refuses, missing cells, and metadata without names.

    See Also
    --------
    rankscape.explore
    rankscape.report

    Examples
    --------
    >>> import tempfile
    >>> import rankscape as rs
    >>> P = rs.datasets.classifiers().in_domain("wine 2")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = rs.site(P, folder, by="f1", title="Wine", draws=200, figures=False)
    ...     again = rs.site(P, folder, by="f1", title="Wine", draws=200, figures=False)
    >>> made.states["index.html"], set(again.states.values())
    ('new', {'unchanged'})
    """
    folder = checked_path(path)
    if missing not in POLICIES:
        what: list[str | Option] = [Option("missing", missing), " would compare methods on different domains"]
        raise UsageError(what, expected=" or ".join(map(repr, POLICIES)))
    if title is not None and not isinstance(title, str):
        raise UsageError(Option("title", title), expected="a text")
    before = written_before(folder)
    if not isinstance(source, Draws):
        several = isinstance(source, (list, tuple)) and all(isinstance(one, (str, os.PathLike)) for one in source)
        source = read(source) if several else as_performances(source)
        prepare(source, weights=weights, missing=missing, shift_prior=shift_prior, policies=POLICIES)  # warns
    prepared, drawn, *_ = prepared_and_drawn(
        source, draws, rng, level=level, method=method, resample=resample, weights=weights, missing=missing,
        shift_prior=shift_prior,
    )  # fmt: skip
    asked = Asked(prepared, as_score(by, prepared.given.space), ties, level, drawn)
    names = list(dict.fromkeys(prepared.performances.names))
    known = read_metadata(metadata, names)
    many = counted(len(names), "method")
    by_what = asked.score.name.replace(asked.score.symbol, pretty(asked.score.symbol))
    challenge = Challenge(asked, title or f"{many} ranked by {by_what}", known)
    files = _files(challenge)
    offered = [(_title(name), name) for name in files if name.startswith("data/")]
    placed = figures_of(asked.sections, "svg", "figures") if figures else {}
    files |= {one.address: one.content for one in placed.values()} | pages(challenge, offered, placed)
    files[FILE] = list_of(files)
    states = publish(folder, files, before)
    return Site(folder, {name: len(content) for name, content in files.items()}, states)


def _files(challenge: Challenge) -> dict[str, bytes]:
    """Return what is no page of ours: the explorer and downloads."""
    explorer = challenge.asked.explorer(challenge.title).replace(BODY, f"{BACK}\n{BODY}", 1)
    return {"explorer.html": explorer.encode("utf-8", "backslashreplace"), **downloads(challenge)}


def _title(name: str) -> str:
    """Return what a file is called, such as "Leaderboard (CSV)"."""
    stem, _, suffix = name.rpartition("/")[2].partition(".")
    return f"{stem.capitalize()} ({'LaTeX' if suffix == 'tex' else suffix.upper()})"


def downloads(challenge: Challenge) -> dict[str, bytes]:
    """Return the files, by their names in the site."""
    board = challenge.board
    files = {
        "data/leaderboard.csv": _whole(challenge).to_csv(),
        "data/leaderboard.json": to_json(board.document()),
        "data/leaderboard.tex": board.render("latex"),
        "data/results.csv": challenge.asked.performances.table().to_csv(),
    }
    if challenge.places:
        files["data/domains.csv"] = _domains(challenge).to_csv()
    return {name: text.encode("utf-8", "backslashreplace") for name, text in files.items()}


def _whole(challenge: Challenge) -> Table:
    """Return the leaderboard with the metadata: of links the address."""
    table, metadata = challenge.board.whole(), challenge.metadata
    cells: dict[str, Any] = {name: table[name] for name in table.columns}
    for i, column in enumerate(metadata.columns):
        header = column if column not in cells else f"{column} (metadata)"
        each = [metadata.of(name)[i] for name in table["entity"]]
        cells[header] = [cell.address or cell.text for cell in each]
    return Table(cells)


def _domains(challenge: Challenge) -> Table:
    """Return ranks and values of every method on every domain, and on every level."""
    columns: dict[str, list[Any]] = {name: [] for name in ("domain", "entity", "rank", "value")}
    for place in challenge.places:
        if place.standings is not None:
            ranked = place.standings.ranking.table()
            columns["domain"] += [place.name] * len(ranked)
            for name in ("entity", "rank", "value"):
                columns[name] += ranked[name]
    return Table(columns)


FILE, SCHEMA = "files.json", "rankscape/site/1"
"""The list of the files of a site, by which the next run knows what an earlier one wrote."""

Staged = list[tuple[Path, Path]]


def list_of(files: Iterable[str]) -> bytes:
    """Return the list of the files of a site, and of itself, as the next run reads it."""
    return to_json({"schema": SCHEMA, "files": sorted([*files, FILE])}).encode()


def written_before(folder: Path) -> list[str]:
    """Return the names of the files that the last run left in a folder; none where there was no run.

    Raises DataError for a list that no run has written.
    """
    path = folder / FILE
    try:
        document = json.loads(path.read_text("utf-8"))
        files = list(document["files"])
        if document["schema"] != SCHEMA or not all(isinstance(name, str) for name in files):
            raise ValueError(document["schema"])
        return files
    except FileNotFoundError:
        return []
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DataError(
            "it is not the list of the files of a site", where=visible(str(path)),
            expected="the file that the last run wrote",
            way_out="restore it from the last site, or move the folder away to write a new site",
        ) from error  # fmt: skip
    except OSError as error:
        raise UsageError(f"cannot read {visible(str(path))}: {error.strerror or error}") from None


def publish(folder: Path, files: Mapping[str, bytes], before: Sequence[str]) -> dict[str, str]:
    """Write files, by their names in the folder, and remove those of ``before`` that are no more; return what was done.

    All that changed is written beside its place first, and only then moved there, so that what fails on the way leaves
    the old site. The last file is moved last. Files that are not of the site stay; one in the way is not overwritten.
    Returns "new", "changed" or "unchanged" by name, and "removed".
    """
    before = [name for name in before if _harmless(name)]
    _refuse_what_cannot_be(folder, files)
    done = {name: _state(folder / name, content) for name, content in files.items()}
    _refuse_foreign(folder, [name for name in files if name not in set(before) and done[name] == "changed"])
    staged: Staged = []
    try:
        for name, content in files.items():
            if done[name] != "unchanged":
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                part = target.with_name(f".rankscape-{os.getpid()}-{len(staged)}.part")
                staged.append((part, target))
                part.write_bytes(content)
    except BaseException as error:
        for part, _ in staged:
            part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise UsageError(f"cannot write {visible(str(folder))}: {error.strerror or error}") from None
        raise
    _move(staged)
    for name in before:
        if name not in files and (folder / name).is_file():
            (folder / name).unlink()
            done[name] = "removed"
    return done


def _move(staged: Staged) -> None:
    """Move files to their places; Ctrl-C waits until all are there, which takes milliseconds."""
    interrupted = None
    while staged:
        try:
            part, target = staged[0]
            if part.exists():  # else Ctrl-C came between the move and its note
                os.replace(part, target)
            staged.pop(0)
        except KeyboardInterrupt as error:
            interrupted = error
        except OSError as error:
            for part, _ in staged:
                part.unlink(missing_ok=True)
            raise UsageError(f"cannot write {visible(str(target))}: {error.strerror or error}") from None
    if interrupted is not None:
        raise interrupted


def _state(path: Path, content: bytes) -> str:
    try:
        return "unchanged" if path.read_bytes() == content else "changed"
    except FileNotFoundError:
        return "new"
    except OSError:  # there, but not readable
        return "changed"


def _refuse_what_cannot_be(folder: Path, files: Mapping[str, bytes]) -> None:
    """Refuse folders where files of the site will be, and files where its folders will be."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{visible(str(folder))} is a file", expected="the name of a folder")
    folders = {parent for name in files for parent in PurePosixPath(name).parents}
    in_the_way = [name for name in files if (folder / name).is_dir()]
    no_folders = [name for name in sorted(folders) if os.path.lexists(folder / name) and not (folder / name).is_dir()]
    in_the_way += map(str, no_folders)
    if in_the_way:
        raise UsageError(
            f"{visible(str(folder))} holds {some(in_the_way, 3)}, in the way of the site",
            way_out=["choose a new folder", "move these away"],
        )


def _refuse_foreign(folder: Path, in_the_way: Sequence[str]) -> None:
    """Refuse to write over files that no earlier run of this site has written."""
    if in_the_way:
        raise UsageError(
            f"{visible(str(folder))} holds {some(in_the_way, 3)}, which no earlier site of rankscape wrote",
            way_out=["choose a new folder", "move these files away"],
        )


def _harmless(name: str) -> bool:
    """Tell whether a name of a list of files, which anybody may have edited, stays inside the folder."""
    parts = PurePosixPath(name).parts
    return bool(parts) and "\\" not in name and ":" not in name and not {"..", "/"} & set(parts)
