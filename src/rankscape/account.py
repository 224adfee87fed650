"""The account of a reading: what was read, which column says what, and whatever was decided without being asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from .texts import counted, grouped, label, percent, some

MOST_UNUSED, MOST_NOTES = 6, 4
ROLES = (
    *("entity", "domain", "case", "cluster", "repeat", "fold", "weight", "truth", "prediction", "score", "correct"),
    *("rate", "size"),
)
"""What a column of a table may hold, in the order in which an account names them; a size is a number of cases."""

NUMBERED_ANEW = "cases are numbered anew on each domain, so equal numbers are different cases"
SAME_NAMES = "cases of the same name on different domains are different cases"
ONLY_COUNTS = "the counts are the only ones that round to the printed rates"
NO_CASES = "Not paired: no column names the case, so each model is counted by itself"
ONE_IS_RIGHT = "1 = right"
UNWARNED = {NUMBERED_ANEW, SAME_NAMES, ONLY_COUNTS, ONE_IS_RIGHT}
"""Notes on what is usual, was asked for, or could not be otherwise: nobody is warned of these."""

_OF_MODELS = ("prediction", "score", "correct")
"""Of these each column is a model where there are several, and no other column names the models."""


class Positive(NamedTuple):
    """The label that counts as positive, and its share among the cases; None where that is not known."""

    label: str
    share: float | None = None

    @classmethod
    def of(cls, label: Any, share: float | None = None) -> Positive:
        """Return the positive class of a label of any type; whole numbers are written without a point.

        >>> Positive.of(1.0, 0.5), Positive.of("yes")
        (Positive(label='1', share=0.5), Positive(label='yes', share=None))
        """
        whole = isinstance(label, float) and label.is_integer()
        return cls(str(int(label)) if whole else str(label).strip(), share)


@dataclass(frozen=True)
class Account:
    """What was read: where it comes from, how much of it there was, which column says what, and what was decided.

    Attributes
    ----------
    source
        The file, or what else was given, such as "arrays".
    records
        How many rows the source has, those left out included; None where nobody counted them.
    cases
        How many different cases there are, where rows are cases.
    models, domains
        How many there are.
    columns
        The headers by what their columns hold: those in ``ROLES``.
    positive
        The positive class of two, and its share.
    metric
        What was measured, where a file has several metrics, or grades.
    unused
        The headers of columns that say nothing here, those that would split the rows first.
    left_out
        Why rows were left out, and how many.
    notes
        What was decided without being asked, one sentence each, without a full stop.

    Examples
    --------
    >>> account = Account(
    ...     cases=4000,
    ...     models=2,
    ...     columns={"prediction": ("A", "B"), "truth": ("y",)},
    ...     positive=Positive("1", 0.38),
    ...     unused=("site",),
    ... )
    >>> account.sentence()
    'Read 4 000 cases of 2 models (columns A, B); truth y, positive 1 (38.0 %); not used: site'
    """

    source: str = ""
    records: int | None = None
    cases: int | None = None
    models: int | None = None
    domains: int | None = None
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    positive: Positive | None = None
    metric: str | None = None
    unused: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def of_labels(
        cls, labels: Any, truth: Any, pos_label: Any, models: int, share: float | None, domains: int | None = None
    ) -> Account:
        """Return the account of labels in an array: how many there are, and which is positive, with its share."""
        met = labels.ravel()[truth][:1].tolist()
        positive = Positive.of(met[0] if met else 1 if pos_label is None else pos_label, share)
        return cls("arrays", len(truth), len(truth), models, domains, positive=positive)

    def noting(self, *notes: str, **changes: Any) -> Account:
        """Return the account with more in it: notes, rows left out, columns and unused ones are added, the rest set."""
        added: dict[str, Any] = {
            "columns": {**self.columns, **changes.pop("columns", {})},
            "left_out": dict(Counter(self.left_out) + Counter(changes.pop("left_out", {}))),
            "notes": tuple(dict.fromkeys((*self.notes, *notes))),
        }
        used = {header for headers in added["columns"].values() for header in headers}
        unused = dict.fromkeys((*self.unused, *changes.pop("unused", ())))
        return replace(self, unused=tuple(header for header in unused if header not in used), **added, **changes)

    def sentence(self) -> str:
        """Return the account in one line."""
        return "; ".join((self._head(), *self._roles(), *self._rest()))

    @property
    def plain(self) -> bool:
        """Whether there is nothing to say but how much was given, as of arrays of counts."""
        return not (self.columns or self.positive or self.metric or self.unused or self.left_out or self.notes)

    def warnings(self) -> list[str]:
        """Return what somebody who never looks at the account must hear of: what was left out, and decided."""
        notes = [note for note in self.notes if note not in UNWARNED]
        return [*(f"left out: {counted(n, 'row')} ({why})" for why, n in self.left_out.items()), *notes]

    def _head(self) -> str:
        """Say how much was read, and of whom."""
        much = ""
        if self.cases is not None:
            much = f"{grouped(self.cases)} {'case' if self.cases == 1 else 'cases'}"
        elif self.records is not None:
            much = f"{grouped(self.records)} {'row' if self.records == 1 else 'rows'}"
        text = f"Read {much}".rstrip() if much or self.models else "Read what was given"
        if self.models:
            columns = self.columns.get("entity") or self._wide
            text += f"{' of' if much else ''} {counted(self.models, 'model')}{_in_columns(columns)}"
        if self.domains:
            text += f" on {counted(self.domains, 'domain')}{_in_columns(self.columns.get('domain', ()))}"
        return text

    @property
    def _wide(self) -> tuple[str, ...]:
        """The columns that are models themselves."""
        several = (self.columns.get(role, ()) for role in _OF_MODELS if "entity" not in self.columns)
        return next((headers for headers in several if len(headers) > 1), ())

    def _roles(self) -> list[str]:
        """Say which columns hold what of each case."""
        named = {role: self.columns[role] for role in ROLES[2:] if self.columns.get(role)}
        texts = {
            role: f"{role} {some(headers, MOST_UNUSED, quote='', word=_header)}"
            for role, headers in named.items()
            if headers != self._wide
        }
        if self.positive is not None:
            share = "" if self.positive.share is None else f" ({percent(self.positive.share)})"
            truth = f"{texts['truth']}, " if "truth" in texts else ""
            texts["truth"] = f"{truth}positive {_header(self.positive.label)}{share}"
        return [*(texts[role] for role in ROLES if role in texts), *([f"metric {self.metric}"] if self.metric else [])]

    def _rest(self) -> list[str]:
        """Say what is not used, what was left out, and what was decided."""
        texts = [f"not used: {some(self.unused, MOST_UNUSED, quote='', word=_header)}"] if self.unused else []
        texts += [f"left out: {counted(n, 'row')} ({why})" for why, n in self.left_out.items()]
        more = len(self.notes) - MOST_NOTES
        return [*texts, *self.notes[:MOST_NOTES], *([f"and {counted(more, 'more note')}"] if more > 0 else [])]

    def document(self) -> dict[str, Any]:
        """Return the account as JSON has it."""
        return {
            "source": self.source,
            "records": self.records,
            "cases": self.cases,
            "columns": {role: list(self.columns[role]) for role in ROLES if self.columns.get(role)},
            "positive": None if self.positive is None else self.positive._asdict(),
            "metric": self.metric,
            "unused": list(self.unused),
            "left_out": [{"why": why, "rows": n} for why, n in self.left_out.items()],
            "notes": list(self.notes),
        }


def together(
    accounts: Iterable[Account | None], models: int | None = None, domains: int | None = None
) -> Account | None:
    """Return the account of several readings as one; None where none has any.

    The positive class and the metric are kept where all agree; numbers are added where all are known. By default no
    model, and each domain, is in several of them.

    >>> together(
    ...     [Account("a.csv", records=2, models=2), Account("b.csv", records=3, models=1)]
    ... ).sentence()
    'Read 5 rows of 3 models'
    """
    known = [account for account in accounts if account is not None]
    if not known:
        return None
    whole = known[0]
    for other in known[1:]:
        whole = whole.noting(*other.notes, columns=other.columns, left_out=other.left_out, unused=other.unused)

    def common(name: str) -> Any:
        values = {getattr(one, name) for one in known}
        return values.pop() if len(values) == 1 else None

    return replace(
        whole,
        source=some(list(dict.fromkeys(one.source for one in known if one.source)), 1, quote="", word=str),
        records=_sum([one.records for one in known]),
        cases=_sum([one.cases for one in known]),
        models=_sum([one.models for one in known]) if models is None else models,
        domains=(max(one.domains or 0 for one in known) if domains is None else domains) or None,
        positive=common("positive"),
        metric=common("metric"),
    )


def _sum(numbers: Sequence[int | None]) -> int | None:
    return None if None in numbers else sum(filter(None, numbers))


def _in_columns(headers: Sequence[str]) -> str:
    """Say in which columns something stands."""
    what = "column" if len(headers) == 1 else "columns"
    return f" ({what} {some(headers, MOST_UNUSED, quote='', word=_header)})" if headers else ""


def _header(header: str) -> str:
    """Return a header as it stands in a sentence: in quotation marks where it is more than a word."""
    text = label(header)
    return text if text and not any(sign in text for sign in ' ,;()"') else f'"{text}"'
