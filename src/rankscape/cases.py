"""Cases: rows that say what a model made of a case, whatever they hold, and the account of how they were read."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from .account import Account
from .errors import IncompleteDataWarning, Option, PooledRowsWarning, UsageError, no_effect
from .io.codes import ALL_OF_SEVERAL, LabelsOf
from .performances import Joint, Performances
from .results import Result, Table
from .typing import Label, Number, PriorLike, RandomLike, TableLike, WeightsLike

if TYPE_CHECKING:
    from ._costs import Costs
    from .decisions import Decision, Sweeps
    from .uncertainty import Draws

Columns = str | Sequence[str]
KINDS = {"prediction": "predictions", "score": "scores", "correct": "answers"}
"""The roles that say what rows hold, and what that is called."""


class Role(NamedTuple):
    """What a word says of rows of cases: which kinds have such a thing, and the help of its option."""

    kinds: tuple[str, ...]
    help: str
    several: bool = False
    metavar: str = "HEADER"


_ALL, _LABELED, _UNSCORED = ("predictions", "scores", "answers"), ("predictions", "scores"), ("predictions", "answers")
ROLES = {
    "entity": Role(_ALL, "Column that names the model."),
    "domain": Role(_ALL, "Column that names the domain; several make a hierarchy.", several=True),
    "truth": Role(_LABELED, "Column of true labels: FILE has predictions or scores, one row per case."),
    "prediction": Role(("predictions",), "Column of predicted labels; repeated for several models.", several=True),
    "score": Role(
        ("scores",), "Column of scores, larger for more positive; one per model, or one for all with --entity-column.",
        several=True,
    ),
    "correct": Role(
        ("answers",), "Column that says whether a case is right, or how far, such as a metric of each case; repeated "
        "for several models.", several=True,
    ),
    "case": Role(_ALL, "Column that names the case: models are compared on the cases that they share."),
    "cluster": Role(
        _UNSCORED, "Column that names the cluster of a case, such as its patient: clusters are drawn instead of cases."
    ),
    "repeat": Role(
        _UNSCORED, "Column that numbers repeated answers to a case, which are averaged; all: whatever numbers them.",
        metavar="HEADER|all",
    ),
    "fold": Role(("scores",), "Column that names the fold; by default, folds are drawn at random."),
    "weight": Role(_LABELED, "Column that says how often each row counts."),
    "pos_label": Role(_LABELED, "Positive label; of 0 and 1, no and yes … it is known.", metavar="LABEL"),
    "labels": Role(_LABELED, "Labels that are expected; more than two give all pairs.", metavar="A,B,C|all"),
    "scale": Role(
        ("answers",), "Worst and best value of the metric, where FILE has one value per case.", metavar="WORST BEST"
    ),
    "unanswered": Role(
        _ALL, "What to do with cases without an answer, by default refused: wrong counts them as errors (not of "
        "scores); apart makes them an outcome of right-or-wrong data, and leaves them out of counts; common compares "
        "on the cases that all answered (not of counts).", metavar="WAY",
    ),
}  # fmt: skip
"""All that is known of rows of cases, word by word: the arguments of :func:`cases`, and options of commands."""

OPTIONS = {word: Option(word).flag.removeprefix("--") for word in ROLES}
"""The option of each word, without its hyphens."""


@dataclass(frozen=True, eq=False, repr=False)
class Cases(Result):
    """Cases that were read, by :func:`rankscape.cases`: what each model predicted, scored or answered.

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
    tally
        The number of rows that were counted, where a table of predictions was.

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
    scored: Any = field(default=None, repr=False)
    tally: Any = field(default=None, repr=False)

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
        """Return what the outcomes of each model amount to.

        Returns
        -------
        Table
            As that of the performances, by domain; of scores the column entity alone.
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
        """
        if self.counted is not None:
            if threshold is not None:
                raise no_effect("threshold", f"these are {self.kind}, not scores")
            return self.counted
        if threshold is None:
            raise UsageError(
                "these are scores, which need a threshold",
                way_out=[Option("threshold", python="C.count(threshold=0.5) takes one"),
                         Option("sweep", python="C.sweep() looks at all of them")],
            )  # fmt: skip
        performances: Performances = self.sweep().at(dict.fromkeys(self.names, threshold))
        read = ("source", "records", "cases", "columns", "positive", "unused", "left_out")
        return performances.noting(**{what: getattr(self.account, what) for what in read})

    def draws(self, draws: int = 2000, rng: RandomLike = 0) -> Draws:
        """Return draws of the performances on other cases of this kind.

        Parameters
        ----------
        draws, rng
            How many, and a seed or a generator.

        Returns
        -------
        rankscape.uncertainty.Draws
            The same cases are drawn for all models, where it is known which they share.
        """
        return self.performances.draws(draws, rng)

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
        sweeps: Sweeps = import_module(".decisions.sweeps", __package__).sweeps_of(self.scored, weights)
        return sweeps

    def decide(
        self, *, costs: Costs, prior: PriorLike | None = None,
        current: Number | Mapping[str, Number] | None = None, folds: int | None = None, rng: RandomLike = 0,
        draws: int | None = None, weights: WeightsLike = "equal",
    ) -> Decision:  # fmt: skip
        """Decide which model to deploy at which threshold.

        Parameters
        ----------
        costs, prior, current, folds, rng, draws, weights
            As in :func:`rankscape.decide`.

        Returns
        -------
        Decision
            As :func:`rankscape.decide` returns it.
        """
        options = {} if draws is None else {"draws": draws}
        decision: Decision = import_module(".decisions", __package__).decide(
            self.sweep(weights), costs=costs, prior=prior, current=current, folds=folds, rng=rng, **options
        )
        return decision

    @cached_property
    def paired(self) -> bool:
        """Whether it is known which cases the models share, so that draws are paired."""
        return self.scored.paired if self.scored is not None else self.performances.pairing is not None


def cases(
    source: TableLike, *, truth: str | None = None, prediction: Columns | None = None, score: Columns | None = None,
    correct: Columns | None = None, entity: str | None = None, domain: Columns | None = None, case: str | None = None,
    cluster: str | None = None, repeat: str | bool | None = None, fold: str | None = None, weight: str | None = None,
    pos_label: Label | None = None, labels: Sequence[object] | str | None = None,
    scale: tuple[float, float] | None = None, unanswered: str | None = None, encoding: str | None = None,
) -> Cases:  # fmt: skip
    """Read cases: rows with what each model predicted, scored or answered, and an account of what was read as what.

    Parameters
    ----------
    source
        A file, several, a pattern or a folder (CSV, JSON, Parquet; perhaps packed), a data frame of any engine, a
        mapping of columns, or records. Several files that name no model are one model each, called by the file.
    truth
        The column of true labels, beside predictions or scores.
    prediction, score
        The column of predicted labels, or of scores, larger for more positive; several are one model each.
    correct
        The column that says whether an answer is right (1 or 0, true or false), or how good, or one per model; by
        default the one called correct, passed, solved, …
    entity, domain
        The columns that name the model (by default one called model, method, classifier, …) and the domain, such as a
        data set; several make a hierarchy.
    case, cluster
        The columns that name the case, so that models are compared on the cases that they share, and its cluster, such
        as a patient: clusters are drawn instead of cases.
    repeat
        The column that numbers repeated answers to a case, which are averaged; True averages without one.
    fold, weight
        The columns that name the fold of a case with scores, and say how often a row counts.
    pos_label
        The positive label; by default 1, True, "yes", … as the account says.
    labels
        The classes, or "all": then Ω is all pairs (truth, prediction); so by default where the truth has more than two.
    scale
        The worst and the best value of grades.
    unanswered
        What cases without an answer are: "wrong"; "common" for those that every model answered, and of scores for the
        domains with some; or, of answers that are right or wrong, "apart" for an outcome of their own. By default they
        are refused.
    encoding
        The encoding of a text; by default that of its byte-order mark, else UTF-8.

    Returns
    -------
    Cases
        With ``.account``, ``.count()``, ``.sweep()`` and ``.decide()``. What cannot be read without a guess that could
        change the answer is a DataError; its message has the option that settles it.

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
    roles = {word: value for word, value in locals().items() if word in ROLES}
    return cases_of(source, roles, encoding=encoding)


def cases_of(
    source: Any, roles: Mapping[str, Any], *, pairs: str = "perhaps", among: LabelsOf = ALL_OF_SEVERAL,
    thresholds: tuple[Any] | None = None, only: str | None = None, encoding: str | None = None,
) -> Cases:  # fmt: skip
    """Read cases, as all that reads some does: ``roles`` are the arguments of :func:`cases` that were given.

    ``pairs`` and ``only`` are as in :func:`rankscape.io.tally`, which counts predictions, and scores at
    one of ``thresholds``; ``among`` are the labels where none are given.
    """
    given = {word: value for word, value in roles.items() if value is not None}
    named = [word for word in KINDS if word in given]
    if len(named) > 1:
        first, second, *_ = named
        raise UsageError([Option(first), " and ", Option(second), " each say what the rows hold: choose one of them"])
    if not named and "truth" in given:
        raise UsageError(
            ["either ", Option("prediction"), ", the column of predicted labels, or ", Option("score"), " is needed"],
            got="neither",
        )
    kind = KINDS[named[0] if named else "correct"]
    idle = [word for word in given if kind not in ROLES[word].kinds]
    idle += ["labels"] if kind == "scores" and thresholds is None and "labels" in given else []
    if idle:
        raise no_effect(idle[0], f"{kind} have no such thing")
    if thresholds == (None,) or (kind != "scores" and thresholds is not None):
        raise UsageError([Option("score"), " and ", Option("threshold"), " go together"],
                         way_out=[["give ", Option("threshold"), ", a number such as 0.5"]])  # fmt: skip
    if kind == "answers":
        performances = _io("counting").right_or_wrong(source, encoding=encoding, **given)
        return Cases(kind, performances.account or Account(), performances)
    if "truth" not in given:
        raise UsageError(f"{kind} need the column of true labels", way_out=[["name it with ", Option("truth")]])
    if kind == "scores" and thresholds is None:
        table = _io("scored").scored_table(source, encoding=encoding, **given)
        return Cases(kind, table.account or Account(), scored=table)
    if isinstance(given.get("repeat"), bool):
        raise UsageError([Option("repeat"), " names the column that numbers the repeats of predictions"])
    drawn = [word for word in ("repeat", "cluster") if word in given]
    if drawn and "weight" in given:
        raise UsageError([Option("weight"), " and ", Option(drawn[0]), " do not go together"])
    tallied = _io("counting").tally(
        source, **{"labels": among, **given}, pairs="always" if drawn else pairs,
        threshold=None if thresholds is None else thresholds[0], only=only, encoding=encoding,
    )  # fmt: skip
    P = tallied.performances
    return Cases(kind, P.account or Account(), P, tally=tallied)


def scored_cases(y_true: Any, y_score: Any, **how: Any) -> Cases:
    """Return the scores of models on the same cases that arrays hold, with the labels, weights, domains and folds."""
    table = _io("scored").scored_arrays(y_true, y_score, **how)
    return Cases("scores", table.account or Account(), scored=table)


def joint(source: Any, pairs: str = "always", **roles: Any) -> Joint:
    """Return what the models of a table of predictions do on the same cases; what cannot be paired is a DataError."""
    how = {name: roles.pop(name) for name in ("only", "encoding", "among") if name in roles}
    performances = cases_of(source, roles, pairs=pairs, **how).performances
    _io("codes").refuse_gaps(performances, "" if performances.account is None else performances.account.source)
    return cast(Joint, performances.pairing)


def count(
    source: TableLike, *, truth: str | None = None, prediction: Columns | None = None, score: Columns | None = None,
    threshold: float | None = None, correct: Columns | None = None, entity: str | None = None,
    domain: Columns | None = None, case: str | None = None, repeat: str | bool | None = None,
    weight: str | None = None, pos_label: Label | None = None, labels: Sequence[object] | str | None = None,
    scale: tuple[float, float] | None = None, unanswered: str | None = None, encoding: str | None = None,
) -> Performances:  # fmt: skip
    """Count the outcomes in a table of predictions, one case per row, for each entity and domain.

    The engine that holds the table groups its rows, and only counts travel. Labels are texts, numbers or booleans; 1,
    1.0 and True are one label, "1" is another beside numbers.

    Parameters
    ----------
    source, truth, prediction, correct, entity, domain, repeat, weight, pos_label, scale, unanswered, encoding
        As in :func:`rankscape.cases`. Weights that are whole give counts, others probabilities.
    score
        The column of scores, in the place of ``prediction``, with a ``threshold``; several are several entities.
    threshold
        Positive if score ≥ threshold, NaN refused.
    case
        The column that names the case: every entity must have the same cases, once.
    labels
        A list of labels, or "all": then Ω is all pairs (truth, prediction), in that order. More than two labels need
        them, or ``pos_label``.

    Returns
    -------
    Performances
        One row per domain and entity, sorted.

    Warns
    -----
    PooledRowsWarning
        For columns that are not used and whose headers look like those of entities or domains, such as "model": rows
        that differ in them are counted together.

    Examples
    --------
    >>> import rankscape as rs
    >>> import pyarrow as pa
    >>> rows = {"model": ["a", "a", "b", "b"], "y": [0, 1, 0, 1], "yhat": [0, 1, 1, 1]}
    >>> P = rs.count(pa.table(rows), truth="y", prediction="yhat", entity="model")
    >>> P.names, P.counts.tolist()
    (('a', 'b'), [[1, 0, 0, 1], [0, 1, 0, 1]])
    """
    roles = {word: value for word, value in locals().items() if word in ROLES}
    at = None if score is None and threshold is None else (threshold,)
    C = cases_of(source, roles, among=None, thresholds=at, encoding=encoding)
    if C.tally is None and (sentences := C.account.warnings()):
        warnings.warn("; ".join(sentences), IncompleteDataWarning, stacklevel=2)
    if C.tally is not None and C.tally.pooled:
        warnings.warn("; ".join(C.tally.pooled), PooledRowsWarning, stacklevel=2)
    return C.performances


def _io(name: str) -> Any:
    """Return a module that reads: tables of counts, which most are, do without those of cases."""
    return import_module(f".io.{name}", __package__)
