"""Results of scikit-learn's cross-validation and searches: counts of each candidate on each fold, and what counts."""

from __future__ import annotations

import re
import warnings
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import count
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Flags, Floats, Label, as_given
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


@dataclass(frozen=True)
class Folds:
    """Sums of weights (n, folds, 4) of n candidates, NaN where the fit or a score failed, with their parameters.

    ``overlap`` says why a case may be in several folds, empty where nothing says so.
    """

    sums: Floats
    names: Sequence[str]
    params: Sequence[Mapping[str, object]]
    repeats: int = 1
    overlap: str = ""

    @property
    def folds(self) -> list[str]:
        """The names of the folds."""
        each = self.sums.shape[1] // self.repeats
        if self.repeats == 1:
            return [f"fold {k + 1}" for k in range(each)]
        return [f"repeat {r + 1}/fold {k + 1}" for r in range(self.repeats) for k in range(each)]


def rows_of_cv_results(results: object, names: NamesLike) -> tuple[NDArray[Any], list[str], list[str]]:
    """Return sums of weights (rows, 4), int64 where all are whole, and the entity and the domain of every row."""
    parts = _parts(results)
    sizes = {part.sums.shape[1]: part.names[0] for part in reversed(parts)}
    if len(sizes) > 1:
        (most, one), (fewest, other) = max(sizes.items()), min(sizes.items())
        raise DataError(
            f'"{one_line(one)}" has {most} folds and "{one_line(other)}" {fewest}',
            expected="the same folds for all",
            way_out="pass the same cv=StratifiedKFold(5, shuffle=True, random_state=0) each time",
        )
    entities = _called(
        names, [name for part in parts for name in part.names], [p for part in parts for p in part.params]
    )
    sums = np.concatenate([part.sums for part in parts])
    valid = ~np.isnan(sums).any(axis=2)
    _tell_failures(entities, valid)
    for overlap in dict.fromkeys(part.overlap for part in parts if part.overlap):
        warnings.warn(overlap, IncompleteDataWarning, stacklevel=3)
    rows = sums[valid]
    if not rows[:, 2:].any():
        raise DataError(
            "no fold has a positive case", expected="fn + tp > 0", way_out="pass pos_label= to rs.outcome_scorers"
        )
    whole = bool((rows == np.floor(rows)).all() and rows.sum(axis=1).max() <= 2**53)
    folds = [part.folds for part in parts for _ in part.names]
    cells = np.argwhere(valid).tolist()
    return rows.astype(np.int64) if whole else rows, [entities[i] for i, _ in cells], [folds[i][k] for i, k in cells]


def _called(names: NamesLike, known: Sequence[str], params: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the names of the entities: those that are known, given, or made of the parameters."""
    if names is None:
        return list(known)
    given = [names] if isinstance(names, str) else [names(p) for p in params] if callable(names) else list(names)
    texts = [str(name) for name in given]
    if len(texts) != len(known):
        raise UsageError(f"names: expected {counted(len(known), 'name')}, one per candidate; got {len(texts)}")
    twice = [text for text in texts if texts.count(text) > 1] if len(set(texts)) < len(texts) else []
    if twice:
        raise UsageError(f'names: "{one_line(twice[0])}" is given to several candidates; expected another for each')
    return texts


def _tell_failures(entities: Sequence[str], valid: Flags) -> None:
    """Warn of fits without counts, which are left out; raise where there is nothing else."""
    failed, why = int((~valid).sum()), 'error_score="raise" shows why'
    if failed == valid.size:
        raise DataError("every fit or scorer failed: all counts are NaN", way_out=f"run it again, {why}")
    if failed:
        lost = [name for name, fits in zip(entities, valid, strict=True) if not fits.all()]
        are = "is" if failed == 1 else "are"
        warnings.warn(
            f"{failed} of {counted(valid.size, 'fit')} failed and {are} left out, of {some(lost)}: {why}",
            IncompleteDataWarning,
            stacklevel=4,
        )


# ---- what is given


def _parts(results: object) -> list[Folds]:
    """Return the folds of every search or cross-validation that is given."""
    columns = _columns(results)
    if columns is None:
        unfitted = " without cv_results_ (searches have them after fit)" if hasattr(results, "fit") else ""
        raise DataError(f"expected {_KINDS}; got {'a ' * bool(unfitted)}{type(results).__name__}{unfitted}")
    if any(_SPLIT.fullmatch(key) or key.startswith("test_") for key in columns):
        return [_folds(columns, getattr(results, "cv", None))]
    inner = {name: _columns(value) for name, value in columns.items()}
    if not inner or any(value is None for value in inner.values()):
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
            named.append(replace(part, names=[name if one else f"{name} ({inner})" for inner in part.names]))
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
    sums = np.array(cells).transpose(2, 0, 1)
    if not splits:  # one candidate, whose folds are the rows
        cases = columns["indices"]["test"] if "test" in (columns.get("indices") or ()) else [()]
        cases = np.concatenate([np.asarray(part) for part in cases])
        twice = len(np.unique(cases)) < len(cases)
        overlap = _overlap("a case is in several folds", "split with StratifiedKFold") if twice else ""
        return Folds(sums.swapaxes(0, 1), ["P1"], [{}], overlap=overlap)
    params = _params(columns, n)
    if "iter" in columns:
        rounds = _numbers(columns, "iter", n)
        last = np.flatnonzero(rounds == rounds.max())
        sums, params = sums[last], [params[i] for i in last]
    repeats = getattr(cv, "n_repeats", 1)
    repeats = repeats if isinstance(repeats, int) and len(splits) % repeats == 0 else 1
    overlap = ""
    if repeats > 1:
        one = 'P[[fold.startswith("repeat 1/") for fold in P.domains]]'
        overlap = _overlap(f"every case is in {repeats} folds ({type(cv).__name__})", f"take one repetition, {one}")
    elif any("ShuffleSplit" in kind.__name__ for kind in type(cv).__mro__) and len(splits) > 1:
        overlap = _overlap(f"a case may be in several folds ({type(cv).__name__})", "split with StratifiedKFold")
    return Folds(sums, candidate_names(params), params, repeats, overlap)


def _overlap(what: str, way_out: str) -> str:
    return (
        f"{what}: the ranking averages over them, but intervals and probabilities would take each as a new case and be "
        f"too sure; for these {way_out}"
    )


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
    if header not in columns:
        raise DataError(f"no column {header}", expected="tn, fp, fn and tp of every fold")
    column = columns[header]
    if not isinstance(column, Iterable) or isinstance(column, (str, bytes, Mapping)):
        raise DataError(f"{header} = {column!r}", expected="a list, one value per fold")
    cells = ["nan" if cell is None or cell == "" else cell for cell in column]
    if n not in (None, len(cells)):
        raise DataError(f"{header} has {len(cells)} values", expected=f"{n}, as many as the other columns")
    try:
        return np.array(cells, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{header} = {some(cells, 3, quote='', word=repr)}", expected="numbers") from None


def _params(columns: Mapping[str, Any], n: int) -> list[dict[str, object]]:
    """Return the parameters of every candidate; else those of the columns param_…"""
    given = [_literal(params) for params in columns.get("params", ())]
    if len(given) == n and all(isinstance(params, Mapping) for params in given):
        return [dict(params) for params in given]
    cells = {key.removeprefix("param_"): list(columns[key]) for key in columns if key.startswith("param_")}
    return [{key: column[i] for key, column in cells.items() if not _absent(column[i])} for i in range(n)]


def _literal(params: object) -> Any:
    """Return the parameters that a table of text writes as Python does; the text itself where it holds objects."""
    try:
        return literal_eval(params) if isinstance(params, str) else params
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return params


def _absent(cell: object) -> bool:
    if isinstance(cell, (str, float)):
        return cell == "" or cell != cell
    return cell is None or cell is np.ma.masked


# ---- names of candidates: what differs between their parameters


def candidate_names(params: Sequence[Mapping[str, object]]) -> list[str]:
    """Return a name per candidate: the parameters that differ, with as many digits as keep them apart.

    Parameters of a step of a pipeline go by their last part, where no other has it. Candidates that are equal are
    numbered.

    >>> candidate_names([{"svc__C": 0.1, "svc__tol": 1}, {"svc__C": 1 / 3, "svc__tol": 1}])
    ['C=0.1', 'C=0.3333']
    >>> candidate_names(
    ...     [{"kernel": "linear"}, {"kernel": "rbf", "gamma": 2}, {"kernel": "rbf", "gamma": 2}]
    ... )
    ['kernel=linear', 'kernel=rbf, gamma=2', 'kernel=rbf, gamma=2 (2)']
    """
    keys = list(dict.fromkeys(key for one in params for key in one))
    texts = {key: [_written(one[key]) if key in one else "" for one in params] for key in keys}
    differing = [key for key in keys if len({*texts[key]}) > 1] or keys
    last = Counter(key.rpartition("__")[2] for key in differing)
    called = {key: key.rpartition("__")[2] if last[key.rpartition("__")[2]] == 1 else key for key in differing}
    for key in differing:
        for digits in (4, 6, 9):
            short = [_written(one[key], digits) if key in one else "" for one in params]
            if len({*short}) == len({*texts[key]}):
                texts[key] = short
                break
    named = (
        ", ".join(f"{called[key]}={texts[key][i]}" for key in differing if key in one) for i, one in enumerate(params)
    )
    return unique(name or "default" for name in named)


def unique(names: Iterable[str]) -> list[str]:
    """Return names, those that come again with a number that makes another name of them.

    >>> unique(["a", "b", "a"]), unique(["a", "a (2)", "a"])
    (['a', 'b', 'a (2)'], ['a', 'a (2)', 'a (3)'])
    """
    given = list(names)
    numbers = {name: count(2) for name in given}
    out: dict[str, None] = {}
    for name in given:
        others = (text for n in numbers[name] if (text := f"{name} ({n})") not in numbers and text not in out)
        out[next(others) if name in out else name] = None
    return list(out)


def _written(value: object, digits: int = 0) -> str:
    """Return a value on one line: in full, functions and classes by their names, or with so many ``digits``."""
    plain = value.item() if isinstance(value, np.generic) else float(value) if isinstance(value, Decimal) else value
    if digits and isinstance(plain, float):
        return f"{plain:.{digits}g}"
    full = str(getattr(plain, "__name__", None) or " ".join(repr(plain).split()))
    return shortened(plain if isinstance(plain, str) else full, 10 * digits) if digits else full


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
