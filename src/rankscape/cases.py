"""Cases: rows that say what a model made of a case, whatever they hold, and the account of how they were read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .account import Account
from .errors import Option, UsageError
from .io.codes import ALL_OF_SEVERAL
from .io.counting import tally_table
from .io.joint import joint
from .io.right_or_wrong import right_or_wrong
from .io.scored import ScoredTable, scored_table
from .performances import Performances
from .results import Result, Table
from .typing import Label, Number, PriorLike, RandomLike, TableLike, WeightsLike

if TYPE_CHECKING:
    from ._costs import Costs
    from .decisions import Decision, Sweeps

Columns = str | Sequence[str]
KINDS = {"prediction": "predictions", "score": "scores", "correct": "answers"}
_ONLY = {
    "truth": ("predictions", "scores"), "pos_label": ("predictions", "scores"), "labels": ("predictions",),
    "fold": ("scores",), "weight": ("predictions", "scores"), "cluster": ("predictions", "answers"),
    "progress": ("predictions", "scores"), "repeat": ("predictions", "answers"), "scale": ("answers",),
    "unanswered": ("predictions", "answers"),
}  # fmt: skip
"""The arguments that some kinds of cases have, and which."""


@dataclass(frozen=True, eq=False, repr=False)
class Cases(Result):
    """Cases that were read: what each model predicted, scored or answered, and what was read as what.

    Get some from :func:`rankscape.cases`.

    Attributes
    ----------
    kind
        What the rows hold: "predictions", "scores" or "answers", which are right or wrong, or grades.
    account
        What was read: source, records, cases, columns used and not used, the positive class, what was left out.
    counted
        The performances, where no threshold has to be chosen first, else None.
    scored
        The scores, where there are some, else None.

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = {"y": [0, 0, 1, 1], "a": [0.1, 0.6, 0.4, 0.9], "b": [0.2, 0.3, 0.4, 0.8]}
    >>> C = rs.cases(rows, truth="y", score=["a", "b"])
    >>> C
    <Read 4 cases of 2 models (columns a, b); truth y, positive 1 (50.0 %)>
    >>> C.count(threshold=0.5).counts.tolist()
    [[1, 1, 1, 1], [2, 0, 1, 1]]
    """

    brief = True

    kind: str
    account: Account
    counted: Performances | None = None
    scored: ScoredTable | None = field(default=None, repr=False)

    @property
    def heading(self) -> str:
        """What was read, in one line."""
        return self.account.sentence()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return self.scored.names if self.scored is not None else tuple(dict.fromkeys(self.performances.names))

    def __len__(self) -> int:
        """Return how many models there are."""
        return len(self.names)

    def table(self) -> Table:
        """Return what the outcomes of each model amount to, by domain; of scores the models alone.

        Returns
        -------
        Table
            As that of the performances, or the column entity.
        """
        return Table({"entity": self.names}) if self.counted is None else self.counted.table()

    @property
    def performances(self) -> Performances:
        """The performances, where no threshold has to be chosen first; see :meth:`count`."""
        return self.count()

    def count(self, threshold: Number | None = None) -> Performances:
        """Return the performances of the models, by domain; they know which cases they share.

        Parameters
        ----------
        threshold
            Of scores: positive if score ≥ threshold.

        Returns
        -------
        Performances
            One row per domain and model.

        Raises
        ------
        UsageError
            For scores without a threshold, and for a threshold of anything else.

        Examples
        --------
        >>> import rankscape as rs
        >>> rows = {"question": ["q1", "q2"], "small": [1, 0], "large": [1, 1]}
        >>> rs.cases(rows, correct=["small", "large"]).count().counts.tolist()
        [[1, 1], [0, 2]]
        """
        if self.counted is not None:
            if threshold is not None:
                raise UsageError([Option("threshold"), f" would change nothing: these are {self.kind}, not scores"])
            return self.counted
        if threshold is None:
            raise UsageError(
                "these are scores, which need a threshold",
                way_out=[Option("threshold", python="C.count(threshold=0.5) takes one"),
                         Option("sweep", python="C.sweep() looks at all of them")],
            )  # fmt: skip
        performances: Performances = self.sweep().at(dict.fromkeys(self.names, threshold))
        return performances.noting(**_of(self.account))

    def sweep(self, weights: WeightsLike = "equal") -> Sweeps:
        """Return the scored models at all their thresholds.

        Parameters
        ----------
        weights
            How domains are averaged, as in :func:`rankscape.summarize`.

        Returns
        -------
        Sweeps
            As :func:`rankscape.sweep` returns them.

        Raises
        ------
        UsageError
            Where there are no scores.
        """
        if self.scored is None:
            raise UsageError(f"these are {self.kind}, which have no thresholds", expected="scores, named by score=")
        sweeps: Sweeps = import_module(".decisions.sweep", __package__).sweeps_of(self.scored, weights)
        return sweeps

    def decide(
        self,
        *,
        costs: Costs | Mapping[str, float],
        prior: PriorLike | None = None,
        current: Number | Mapping[str, Number] | None = None,
        folds: int | None = None,
        rng: RandomLike = 0,
        draws: int | None = None,
        weights: WeightsLike = "equal",
    ) -> Decision:
        """Decide which model to deploy at which threshold.

        Parameters
        ----------
        costs, prior, current, folds, rng, draws, weights
            As in :func:`rankscape.decide`.

        Returns
        -------
        Decision
            As :func:`rankscape.decide` returns it.

        Raises
        ------
        UsageError
            Where there are no scores.
        """
        options = {"costs": costs, "prior": prior, "current": current, "folds": folds, "rng": rng}
        options |= {} if draws is None else {"draws": draws}
        decision: Decision = import_module(".decisions", __package__).decide(self.sweep(weights), **options)
        return decision

    @cached_property
    def paired(self) -> bool:
        """Whether it is known which cases the models share, so that draws are paired."""
        return self.scored.paired if self.scored is not None else self.performances.pairing is not None


def cases(
    source: TableLike,
    *,
    truth: str | None = None,
    prediction: Columns | None = None,
    score: Columns | None = None,
    correct: Columns | None = None,
    entity: str | None = None,
    domain: Columns | None = None,
    case: str | None = None,
    cluster: str | None = None,
    repeat: str | bool | None = None,
    fold: str | None = None,
    weight: str | None = None,
    pos_label: Label | None = None,
    labels: Sequence[object] | str | None = None,
    scale: tuple[float, float] | None = None,
    unanswered: str | None = None,
    encoding: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Cases:
    """Read cases: rows with what each model predicted, scored or answered, and an account of what was read as what.

    Parameters
    ----------
    source
        A file, several, a pattern or a folder (CSV, JSON, Parquet; perhaps packed), a data frame of any engine, a
        mapping of columns, or records. Several files that name no model are one model each, called by the file.
    truth, prediction
        The columns of true and of predicted labels; several columns of predictions are one model each.
    truth, score
        The columns of true labels and of scores, larger for more positive.
    correct
        The column that says whether an answer is right (1 or 0, true or false), or how good, or one per model; by
        default the one called correct, passed, solved, …
    entity
        The column that names the model; by default one called model, method, classifier, …
    domain
        The column that names the domain, such as a data set; several make a hierarchy.
    case
        The column that names the case: models are compared on the cases that they share.
    cluster
        The column that names the cluster of a case, such as its patient: clusters are drawn instead of cases.
    repeat
        The column that numbers repeated answers to a case, which are averaged; True averages without one.
    fold
        The column that names the fold of a case with scores.
    weight
        The column that says how often a row counts.
    pos_label
        The positive label; by default 1, True, "yes", … as the account says.
    labels
        The classes, or "all": then Ω is all pairs (truth, prediction); so by default, where the truth has more than
        two.
    scale
        The worst and the best value of grades.
    unanswered
        What cases without an answer are: "wrong"; "common" for those that every model answered; or, of answers that
        are right or wrong, "apart" for an outcome of their own. By default they are refused.
    encoding
        The encoding of a text; by default that of its byte-order mark, else UTF-8.
    progress
        A function that is called with the share of the rows that is done, in percent.

    Returns
    -------
    Cases
        With ``.account``, ``.count()``, ``.sweep()`` and ``.decide()``.

    Raises
    ------
    DataError
        For what cannot be read without a guess that could change the answer; the message has the option that settles
        it.
    UsageError
        For arguments that do not fit together.

    Examples
    --------
    >>> import rankscape as rs
    >>> rows = {"id": [1, 2, 1, 2], "model": list("aabb"), "y": [0, 1, 0, 1], "yhat": [0, 1, 1, 1]}
    >>> C = rs.cases(rows, truth="y", prediction="yhat", case="id")
    >>> C.account.sentence()
    'Read 2 cases of 2 models (column model); case id; truth y, positive 1 (50.0 %); prediction yhat'
    >>> C.count().counts.tolist(), C.paired
    ([[1, 0, 0, 1], [0, 1, 0, 1]], True)
    """
    kind = _kind(prediction, score, correct)
    given: dict[str, Any] = {
        "truth": truth, "pos_label": pos_label, "labels": labels, "fold": fold, "weight": weight, "cluster": cluster,
        "repeat": repeat, "scale": scale, "unanswered": unanswered, "progress": progress,
    }  # fmt: skip
    _refuse_idle(given, kind)
    where: dict[str, Any] = {"entity": entity, "domain": domain, "case": case, "encoding": encoding}
    if kind == "answers":
        of_answers = {name: given[name] for name in ("cluster", "repeat", "scale", "unanswered")}
        performances = right_or_wrong(source, correct=correct, **where, **of_answers)
        return Cases(kind, performances.account or Account(), performances)
    if truth is None:
        raise UsageError(f"{kind} need the column of true labels", way_out=[["name it with ", Option("truth")]])
    if score is not None:
        table = scored_table(
            source, truth=truth, score=score, fold=fold, weight=weight, pos_label=pos_label, progress=progress, **where
        )
        return Cases(kind, table.account or Account(), scored=table)
    among: Any = ALL_OF_SEVERAL if labels is None else labels
    how: dict[str, Any] = {"truth": truth, "prediction": prediction, "pos_label": pos_label, "labels": among,
                           "unanswered": unanswered}  # fmt: skip
    if isinstance(repeat, bool):
        raise UsageError([Option("repeat"), " names the column that numbers the repeats of predictions"])
    if cluster is not None or repeat is not None:
        if weight is not None:
            what = "cluster" if repeat is None else "repeat"
            raise UsageError([Option("weight"), " and ", Option(what), " do not go together"])
        paired = joint(source, cluster=cluster, repeat=repeat, progress=progress, **how, **where)
        performances = paired.performances.with_pairing(paired)
    else:
        performances = tally_table(source, True, weight=weight, progress=progress, **how, **where).performances
    return Cases(kind, performances.account or Account(), performances)


def _kind(prediction: Any, score: Any, correct: Any) -> str:
    """Return which kind of cases is asked for; without a column they are answers, right or wrong."""
    named = {name: columns for name, columns in (("prediction", prediction), ("score", score), ("correct", correct))
             if columns is not None}  # fmt: skip
    if len(named) > 1:
        first, second, *_ = named
        raise UsageError([Option(first), " and ", Option(second), " each say what the rows hold: choose one of them"])
    return KINDS[next(iter(named), "correct")]


def _refuse_idle(given: Mapping[str, Any], kind: str) -> None:
    """Refuse arguments that would change nothing."""
    for name, value in given.items():
        if value is not None and kind not in _ONLY[name]:
            raise UsageError([Option(name), f" would change nothing: {kind} have no such thing"])


def _of(account: Account) -> dict[str, Any]:
    """Return the parts of an account that belong to its performances, too."""
    return {
        "source": account.source, "records": account.records, "cases": account.cases, "columns": account.columns,
        "positive": account.positive, "unused": account.unused, "left_out": account.left_out,
    }  # fmt: skip
