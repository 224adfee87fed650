"""Results of scikit-learn's cross-validation and searches: counts of each candidate on each fold, and what counts."""

from __future__ import annotations

import re
import warnings
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Floats, Label, as_given
from ..checks import checked_weights, sums_of_weights
from ..checks.labels import WAYS_WITHOUT, has_missing, labeled
from ..errors import DataError, IncompleteDataWarning, MissingExtraError, UsageError
from ..kernels.counting import confusion
from ..outcomes import TWO_CLASS
from ..texts import counted, one_line, shortened, some

NamesLike: TypeAlias = "Sequence[object] | Callable[[Mapping[str, object]], object] | None"

_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_KINDS = (
    "a fitted search, its cv_results_ (a mapping or a data frame), the dict of cross_validate, or a mapping of names "
    "to these"
)


class Folds(NamedTuple):
    """Sums of weights (n, folds, 4) of n candidates, NaN where the fit or a score failed, with their parameters.

    ``overlap`` says why a case may be in several folds, empty where nothing says so.
    """

    sums: Floats
    names: Sequence[str]
    params: Sequence[Mapping[str, object]]
    folds: Sequence[str]
    overlap: str


def rows_of_cv_results(results: object, names: NamesLike) -> tuple[NDArray[Any], list[str], list[str]]:
    """Return sums of weights (rows, 4), int64 where all are whole, and the entity and the domain of every row."""
    parts = _parts(results)
    one = parts[0]
    other = next((part for part in parts if len(part.folds) != len(one.folds)), None)
    if other is not None:
        raise DataError(
            f'"{one_line(one.names[0])}" has {len(one.folds)} folds and "{one_line(other.names[0])}" '
            f"{len(other.folds)}",
            expected="the same folds for all",
            way_out="pass the same cv=StratifiedKFold(5, shuffle=True, random_state=0) each time",
        )
    entities = [name for part in parts for name in part.names]
    if names is not None:
        given = [names(p) for part in parts for p in part.params] if callable(names) else names
        texts = list(map(str, [given] if isinstance(given, str) else given))
        if len(texts) != len(entities):
            raise UsageError(f"names: expected {counted(len(entities), 'name')}, one per candidate; got {len(texts)}")
        entities = texts
    sums = np.concatenate([part.sums for part in parts])
    valid = ~np.isnan(sums).any(axis=2)
    failed, why = int((~valid).sum()), 'error_score="raise" shows why'
    if failed == valid.size:
        raise DataError("every fit or scorer failed: all counts are NaN", way_out=f"run it again, {why}")
    warned = [part.overlap for part in parts if part.overlap]
    if failed:
        lost = [name for name, fits in zip(entities, valid, strict=True) if not fits.all()]
        warned.append(f"left out for failing: {failed} of {counted(valid.size, 'fit')}, of {some(lost)}: {why}")
    for text in dict.fromkeys(warned):
        warnings.warn(text, IncompleteDataWarning, stacklevel=3)
    rows = sums[valid]
    if not rows[:, 2:].any():
        raise DataError(
            "no fold has a positive case", expected="fn + tp > 0", way_out="pass pos_label= to rs.outcome_scorers"
        )
    whole = bool((rows == np.floor(rows)).all() and rows.sum(axis=1).max() <= 2**53)
    folds = [part.folds for part in parts for _ in part.names]
    cells = np.argwhere(valid).tolist()
    return rows.astype(np.int64) if whole else rows, [entities[i] for i, _ in cells], [folds[i][k] for i, k in cells]


# ---- what is given


def _parts(results: object) -> list[Folds]:
    """Return the folds of every search or cross-validation that is given."""
    columns = _columns(results)
    if columns is None:
        unfitted = " without cv_results_ (searches have them after fit)" if hasattr(results, "fit") else ""
        raise DataError(f"expected {_KINDS}; got {'a ' * bool(unfitted)}{type(results).__name__}{unfitted}")
    if any(_SPLIT.fullmatch(key) or key.startswith("test_") for key in columns):
        return [_folds(columns, getattr(results, "cv", None))]
    if not columns or any(_columns(value) is None for value in columns.values()):
        raise DataError(
            f"expected {_KINDS}; got {'a mapping with the keys ' + some(list(columns)) if columns else '{}'}"
        )
    named = []
    for name, value in columns.items():
        try:
            parts = _parts(value)
        except DataError as error:
            raise error.located(f'"{one_line(name)}"') from None
        for part in parts:
            one = len(part.names) == 1
            named.append(part._replace(names=[name if one else f"{name} ({inner})" for inner in part.names]))
    return named


def _columns(results: object) -> dict[str, Any] | None:
    """Return what is given as columns by name; None where it is nothing of the kind."""
    if hasattr(results, "cv_results_"):
        results = results.cv_results_
    if isinstance(results, Mapping):
        return {str(key): value for key, value in results.items()}
    if hasattr(results, "columns") and hasattr(results, "__getitem__"):
        return {str(header): list(results[header]) for header in results.columns}
    return None


def _folds(columns: Mapping[str, Any], cv: object) -> Folds:
    """Return the folds of ``cv_results_``, of a halving search those of its last round; or of ``cross_validate``."""
    splits = sorted({int(match[1]) for match in map(_SPLIT.fullmatch, columns) if match})
    prefixes = [f"split{k}_test_" for k in splits] or ["test_"]
    _refuse_others([key.removeprefix(prefixes[0]) for key in columns if key.startswith(prefixes[0])], prefixes[0])
    n = len(_numbers(columns, f"{prefixes[0]}tn"))
    cells = [[_numbers(columns, prefix + outcome, n) for outcome in TWO_CLASS.outcomes] for prefix in prefixes]
    params: list[Mapping[str, object]] = [{}]
    sums, names, repeats, overlap = np.array(cells).transpose(2, 0, 1), ["P1"], 1, ""
    if not splits:  # one candidate, whose folds are the rows
        sums = sums.swapaxes(0, 1)
        tested = (columns.get("indices") or {}).get("test", [()])
        cases = np.concatenate([np.asarray(part) for part in tested])
        overlap = "a case is in several folds" if len(np.unique(cases)) < len(cases) else ""
    else:
        params = [_parameters(given) for given in columns.get("params", [{}] * n)]
        if "iter" in columns:
            rounds = _numbers(columns, "iter", n)
            last = np.flatnonzero(rounds == rounds.max())
            sums, params = sums[last], [params[i] for i in last]
        names, kind, repeats = candidate_names(params), type(cv), getattr(cv, "n_repeats", 1)
        repeats = repeats if isinstance(repeats, int) and len(splits) % repeats == 0 else 1
        if repeats > 1:
            overlap = f"every case is in {repeats} folds ({kind.__name__})"
        elif any("ShuffleSplit" in base.__name__ for base in kind.__mro__) and len(splits) > 1:
            overlap = f"a case may be in several folds ({kind.__name__})"
    if overlap:
        ways = "split with StratifiedKFold"
        ways = 'take one repetition, P[[fold.startswith("repeat 1/") for fold in P.domains]]' if repeats > 1 else ways
        overlap += (
            ": the ranking averages over them, but intervals and probabilities would take each as a new case and be "
            f"too sure; for these {ways}"
        )
    each = range(1, sums.shape[1] // repeats + 1)
    folds = [f"repeat {r + 1}/fold {k}" if repeats > 1 else f"fold {k}" for r in range(repeats) for k in each]
    return Folds(sums, names, params, folds, overlap)


def _refuse_others(scores: Sequence[str], prefix: str) -> None:
    """Refuse results without the four counts, and say how to get them."""
    lacking = [outcome for outcome in TWO_CLASS.outcomes if outcome not in scores]
    if not lacking:
        return
    renamed = [score for score in scores if score.endswith(tuple(f"_{outcome}" for outcome in lacking))]
    call = "search again with GridSearchCV(…, scoring=rs.outcome_scorers(), refit=False)"
    call = "run cross_validate(…, scoring=rs.outcome_scorers())" if prefix == "test_" else call
    raise DataError(
        f"no {', '.join(prefix + outcome for outcome in lacking)}",
        expected="the counts of every fold",
        got=some([prefix + score for score in scores], 4, quote=""),
        way_out=f'call the scorers "tn", "fp", "fn" and "tp", not {some(renamed, 2)}' if renamed else call,
    )


def _numbers(columns: Mapping[str, Any], header: str, n: int | None = None) -> Floats:
    """Return a column of n numbers, NaN where there is none."""
    column = columns.get(header)
    if not isinstance(column, Iterable) or isinstance(column, (str, bytes, Mapping)):
        raise DataError(f"{header} = {column!r}", expected="a list, one value per fold")
    cells = ["nan" if cell is None or cell == "" else cell for cell in column]
    if n not in (None, len(cells)):
        raise DataError(f"{header} has {len(cells)} values", expected=f"{n}, as many as the other columns")
    try:
        return np.array(cells, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{header} = {some(cells, 3, quote='', word=repr)}", expected="numbers") from None


def _parameters(given: object) -> Mapping[str, object]:
    """Return the parameters of a candidate, which a table of text writes as Python does; objects stay a text."""
    try:
        value = literal_eval(given) if isinstance(given, str) else given
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = given
    return value if isinstance(value, Mapping) else {"params": value}


# ---- names of candidates: what differs between their parameters


def candidate_names(params: Sequence[Mapping[str, object]]) -> list[str]:
    """Return a name per candidate: the parameters that differ, in a few digits where these keep them apart.

    Parameters of a step of a pipeline go by their last part, where no other has it. Candidates that are equal are
    numbered.

    >>> candidate_names([{"svc__C": 0.1, "svc__tol": 1}, {"svc__C": 1 / 3, "svc__tol": 1}])
    ['C=0.1', 'C=0.333333']
    >>> candidate_names(
    ...     [{"kernel": "linear"}, {"kernel": "rbf", "gamma": 2}, {"kernel": "rbf", "gamma": 2}]
    ... )
    ['kernel=linear', 'kernel=rbf, gamma=2', 'kernel=rbf, gamma=2 (2)']
    """
    keys = list(dict.fromkeys(key for one in params for key in one))
    full, short = ({key: [_written(one, key, few) for one in params] for key in keys} for few in (False, True))
    differing = [key for key in keys if len({*full[key]}) > 1] or keys
    texts = {key: short[key] if len({*short[key]}) == len({*full[key]}) else full[key] for key in differing}
    last = Counter(key.rpartition("__")[2] for key in differing)
    called = {key: key.rpartition("__")[2] if last[key.rpartition("__")[2]] == 1 else key for key in differing}
    named, times = [], Counter[str]()
    for i, one in enumerate(params):
        name = ", ".join(f"{called[key]}={texts[key][i]}" for key in differing if key in one) or "default"
        times[name] += 1
        named.append(f"{name} ({times[name]})" if times[name] > 1 else name)
    return named


def _written(params: Mapping[str, object], key: str, few: bool) -> str:
    """Return a parameter on one line: in full, functions and classes by their names, or short."""
    value = params.get(key, "")
    plain = value.item() if isinstance(value, np.generic) else float(value) if isinstance(value, Decimal) else value
    if few and isinstance(plain, float):
        return f"{plain:.6g}"
    text = str(getattr(plain, "__name__", None) or " ".join(repr(plain).split()))
    return shortened(plain if isinstance(plain, str) else text, 40) if few else text


# ---- what counts


def outcome_scorers(*, pos_label: Label | None = None) -> dict[str, Callable[..., float]]:
    """Return scikit-learn scorers that count outcomes: ``{"tn": …, "fp": …, "fn": …, "tp": …}``.

    They go into ``GridSearchCV``, ``RandomizedSearchCV`` or ``cross_validate``, whose results
    :meth:`rankscape.Performances.from_cv_results` takes. Each model predicts a fold once.

    Parameters
    ----------
    pos_label
        The positive class, if the labels are no known pair such as 0 and 1, or no and yes; with more than
        two classes all others are negative.

    Returns
    -------
    dict
        One scorer per outcome, which returns the number of its cases, or the sum of their weights where scikit-learn
        passes ``sample_weight``. With metadata routing, ask for the weights of each:
        ``scorer.set_score_request(sample_weight=True)``. The values say how often something happens, not how good the
        model is: pass ``refit=False``, or the name of a further scorer.

    Raises
    ------
    MissingExtraError
        Where scikit-learn is not installed.

    See Also
    --------
    rankscape.Performances.from_cv_results : reads what cross_validate returns

    Examples
    --------
    >>> import rankscape as rs
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.model_selection import cross_validate
    >>> model, X, y = DummyClassifier(strategy="constant", constant=1), [[0]] * 6, [0, 1, 1, 0, 1, 1]
    >>> results = cross_validate(model, X, y, cv=2, scoring=rs.outcome_scorers())
    >>> rs.Performances.from_cv_results(results, names=["always"]).counts.tolist()
    [[0, 1, 0, 2], [0, 1, 0, 2]]
    """
    try:
        from sklearn.metrics import make_scorer
    except ImportError:
        raise MissingExtraError("outcome_scorers needs scikit-learn: pip install scikit-learn") from None
    given = {} if pos_label is None else {"pos_label": pos_label}
    return {outcome: make_scorer(count_of_labels, outcome=outcome, **given) for outcome in TWO_CLASS.outcomes}


def count_of_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    outcome: str,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return how many cases have an outcome, or the sum of their weights, as the functions of ``sklearn.metrics`` do.

    scikit-learn checks ``pos_label`` against the classes of the model, of which a fold may lack any.

    >>> (
    ...     count_of_labels([0, 1, 1], [0, 0, 1], outcome="fn"),
    ...     count_of_labels(["b"], ["b"], outcome="tn", pos_label="a"),
    ... )
    (1.0, 1.0)
    """
    if pos_label is None:
        _, true, predicted = labeled(y_true, y_pred, None)
    else:
        truth, prediction = as_given(y_true, "y_true"), as_given(y_pred, "y_pred")
        if has_missing(truth) or has_missing(prediction):
            raise DataError("a label is missing (NaN or None)", way_out=WAYS_WITHOUT)
        _, true, predicted = labeled((truth == pos_label).astype(int), (prediction == pos_label).astype(int), 1)
    weight = checked_weights(sample_weight, len(true))
    counts = sums_of_weights(confusion(true, predicted, weight and weight.integers), weight)
    return float(counts[0, TWO_CLASS.index(outcome)])
