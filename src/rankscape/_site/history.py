"""What changed between the updates of a site: the ranks of the last run, and the list of all changes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from datetime import date as Date
from pathlib import Path
from typing import Any

from .._report import to_json
from ..errors import DataError, UsageError
from ..texts import visible

FILE, SCHEMA = "history.json", "rankscape/site/1"
MOST_UPDATES = 100
"""The history keeps so many updates, the latest ones."""


@dataclass(frozen=True)
class Change:
    """The ranks of a method before and after an update; None where it was not there."""

    entity: str
    before: str | None
    after: str | None

    @property
    def kind(self) -> str:
        """One of "new", "gone", "up", "down" and "tie" (the rank is the same, and a tie began or ended)."""
        if self.before is None or self.after is None:
            return "gone" if self.after is None else "new"
        places = [_place(self.before), _place(self.after)]
        return "tie" if places[0] == places[1] else "up" if places[1] < places[0] else "down"


@dataclass(frozen=True)
class Update:
    """One update of the results: its number, its date if known, the question where it changed, and what changed."""

    number: int
    date: str | None
    methods: int
    question: str | None = None
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class History:
    """What the last run left in the folder: its files, the ranks, and the updates, oldest first."""

    files: tuple[str, ...] = ()
    fingerprint: str = ""
    question: str = ""
    ranks: dict[str, str] = field(default_factory=dict)
    updates: tuple[Update, ...] = ()

    def after(self, question: str, ranks: dict[str, str], values: list[Any], date: str | None) -> History:
        """Return the history after a run: with one more update where ranks, values or the question changed.

        >>> first = History().after("by F1", {"a": "1", "b": "2"}, [0.9, 0.8], None)
        >>> again = first.after("by F1", {"a": "1", "b": "2"}, [0.9, 0.8], "2026-01-01")
        >>> then = again.after("by F1", {"b": "1", "a": "2"}, [0.95, 0.9], "2026-01-08")
        >>> len(again.updates), then.updates[-1].changes[0]
        (1, Change(entity='b', before='2', after='1'))
        """
        content = json.dumps([question, list(ranks.items()), values], ensure_ascii=True)
        fingerprint = hashlib.sha256(content.encode()).hexdigest()
        if fingerprint == self.fingerprint:
            return self
        changes = [Change(name, self.ranks.get(name), rank) for name, rank in ranks.items()]
        changes += [Change(name, rank, None) for name, rank in self.ranks.items() if name not in ranks]
        real = tuple(change for change in changes if change.before != change.after) if self.updates else ()
        asked = question if self.updates and question != self.question else None
        number = self.updates[-1].number + 1 if self.updates else 1
        update = Update(number, date, len(ranks), asked, real)
        return History(self.files, fingerprint, question, ranks, (*self.updates, update)[-MOST_UPDATES:])

    def of(self, name: str) -> list[tuple[Update, Change]]:
        """Return the changes of one method, the latest first."""
        pairs = ((update, change) for update in reversed(self.updates) for change in update.changes)
        return [(update, change) for update, change in pairs if change.entity == name]

    def content(self, files: tuple[str, ...]) -> bytes:
        """Return the file that the next run reads, with the names of the files of this one."""
        document = {"schema": SCHEMA, **asdict(self), "files": files}
        return to_json(document).encode("utf-8", "backslashreplace")


def read_history(folder: Path) -> History:
    """Return what the last run left in a folder, an empty history where there is none.

    Raises DataError for a file that no run has written.
    """
    path = folder / FILE
    try:
        document = json.loads(path.read_text("utf-8"))
        if document["schema"] != SCHEMA:
            raise ValueError(document["schema"])
        updates = tuple(
            Update(
                int(one["number"]), _text(one["date"]), int(one["methods"]), _text(one["question"]),
                tuple(Change(str(c["entity"]), _text(c["before"]), _text(c["after"])) for c in one["changes"]),
            )
            for one in document["updates"]
        )  # fmt: skip
        ranks = {str(name): str(rank) for name, rank in document["ranks"].items()}
        files = tuple(str(name) for name in document["files"])
        return History(files, str(document["fingerprint"]), str(document["question"]), ranks, updates)
    except FileNotFoundError:
        return History()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DataError(
            "it is not the history of a site", where=visible(str(path)), expected="the file that the last run wrote",
            way_out="restore it from the last site, or move the folder away to begin a new history",
        ) from error  # fmt: skip
    except OSError as error:
        raise UsageError(f"cannot read {visible(str(path))}: {error.strerror or error}") from None


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def checked_date(date: str | None) -> str | None:
    """Return a date as it is printed, 2026-01-31; raises UsageError for what is none."""
    if date is None:
        return None
    try:
        return Date.fromisoformat(date).isoformat()
    except (ValueError, TypeError):
        raise UsageError(f"{date!r:.40} is no date", expected="one such as 2026-01-31") from None


def _place(rank: str) -> float:
    """Return the number of a printed rank, "2=" or "—", which is behind all others."""
    try:
        return float(rank.rstrip("="))
    except ValueError:
        return float("inf")
