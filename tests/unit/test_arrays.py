"""Array-likes of any kind: their values are read as they are, or refused; nothing is lost in silence."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankscape as rs
from rankscape.arrays import array_of

P = rs.Performances
OTHER = [0, 1, 1, 0]
ENTRIES: dict[str, Callable[[Any], Any]] = {
    "truth": lambda values: P.from_labels(values, OTHER),
    "predictions": lambda values: P.from_labels(OTHER, values),
    "predictions of a name": lambda values: P.from_labels(OTHER, {"a": values}),
    "predictions in rows": lambda values: P.from_labels(OTHER, [values, values]),
    "weights": lambda values: P.from_labels(OTHER, OTHER, sample_weight=values),
    "scores": lambda values: P.from_scores(OTHER, values),
    "truth of scores": lambda values: P.from_scores(values, [0.1, 0.2, 0.3, 0.4]),
    "swept truth": lambda values: rs.sweep(values, [0.1, 0.2, 0.3, 0.4]),
    "counts": P.from_counts,
    "one count": lambda values: P.from_counts(tn=values, fp=1, fn=1, tp=1),
    "probabilities": lambda values: P.from_probabilities(values),
    "priors": lambda values: P.from_counts([[1, 2, 3, 4]] * 4).shift_priors(values),
    "weights of a mixture": lambda values: P.from_counts([[1, 2, 3, 4]] * 4).mix(values),
    "importance": lambda values: rs.ranking_score(P.from_counts([[1, 2, 3, 4]]), values),
    "kendall": lambda values: rs.kendall_tau(values, [1, 2, 3, 4]),
}


class Tensor:
    """A tensor within a computation, which gives its values only once it is detached."""

    requires_grad = True

    def __init__(self, values: Any) -> None:
        self.values = values

    def __dlpack__(self, **options: Any) -> Any:
        raise RuntimeError("requires grad")

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return np.asarray(self.values, dtype=dtype)

    def __len__(self) -> int:
        return len(self.values)

    def detach(self) -> "Tensor":
        other = Tensor(self.values)
        other.requires_grad = False
        return other


class Interface:
    """An array that numpy reads by its interface."""

    def __init__(self, values: Any) -> None:
        self.array = np.array(values)
        self.__array_interface__ = self.array.__array_interface__


class Unreadable:
    """Nothing that numpy understands."""

    def __arrow_array__(self, type: Any = None) -> Any:
        raise NotImplementedError


READ: dict[str, Callable[[list[int]], Any]] = {
    "a tensor with a gradient": Tensor,
    "an array interface": Interface,
    "masked, but nothing is": lambda v: np.ma.masked_array(v, mask=False),
    "pandas, nullable": lambda v: pd.Series(v, dtype="Int64"),
    "pandas on Arrow": lambda v: pd.Series(v, dtype="int64[pyarrow]"),
    "polars": pl.Series,
    "pyarrow": pa.array,
    "pyarrow in chunks": lambda v: pa.chunked_array([v[:1], v[1:]]),
    "a view of memory": lambda v: memoryview(np.array(v)),
}
MISSING: dict[str, Any] = {
    "masked": np.ma.masked_array([0, 1, 1, 0], mask=[0, 1, 0, 0]),
    "masked floats": np.ma.masked_array([0.0, 1.0, 1.0, 0.0], mask=[0, 1, 0, 0]),
    "masked in a list": [0, np.ma.masked, 1, 0],
    "masked objects": np.array([0, np.ma.masked, 1, 0], dtype=object),
    "pandas, nullable": pd.Series([0, None, 1, 0], dtype="Int64"),
    "pandas, nullable booleans": pd.Series([False, None, True, False], dtype="boolean"),
    "pandas on Arrow": pd.Series([0, None, 1, 0], dtype="int64[pyarrow]"),
    "polars": pl.Series([0, None, 1, 0]),
    "polars, booleans": pl.Series([False, None, True, False]),
    "pyarrow": pa.array([0, None, 1, 0]),
}


def same(one: Any, other: Any) -> bool:
    if isinstance(one, rs.Performances):
        return bool((one.mass == other.mass).all())
    return bool(np.array_equal(getattr(one, "counts", one), getattr(other, "counts", other)))


@pytest.mark.parametrize("kind", READ)
@pytest.mark.parametrize("entry", ENTRIES)
def test_every_kind_is_read_as_a_list_is(entry: str, kind: str) -> None:
    values = [1, 0, 0, 0]
    assert same(ENTRIES[entry](READ[kind](values)), ENTRIES[entry](values))


@pytest.mark.parametrize("kind", MISSING)
@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry != "kendall"])  # which drops what is undefined
def test_what_is_missing_is_refused_everywhere(entry: str, kind: str) -> None:
    with pytest.raises(rs.RankscapeError):
        ENTRIES[entry](MISSING[kind])


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: P.from_labels(MISSING["masked"], OTHER),
            "y_true: 1 of 4 values is masked, the first at position 2, and a masked value is a missing one: "
            "drop these cases, or fill them in with filled()",
        ),
        (lambda: P.from_labels(OTHER, {"a": MISSING["masked"]}), "y_pred of a: 1 of 4 values is masked"),
        (lambda: P.from_labels(OTHER, OTHER, sample_weight=MISSING["masked"]), "sample_weight: 1 of 4 values is masked"),
        (lambda: P.from_counts(tn=1, fp=np.ma.masked_array([1, 2, 3], mask=[1, 0, 1]), fn=1, tp=1), "fp: 2 of 3 values are"),
        (lambda: rs.kendall_tau(MISSING["masked"], OTHER), "x: 1 of 4 values is masked"),
        (
            lambda: P.from_confusion_matrix({"a": np.ma.masked_array([[5, 1], [1, 5]], mask=[[0, 0], [1, 0]])}),
            '"a": confusion matrix: 1 of 4 values is masked, the first at position 2, 1, and',
        ),
        (lambda: P.from_counts(Unreadable()), "counts: expected numbers or labels in a list or an array; got Unreadable"),
        (lambda: P.from_labels({0, 1}, [0, 1]), "in a list or an array; got set: pass a list of its values"),
        (
            lambda: P.from_scores([0, 1], {"a": [0.1, 0.9]}),
            "scores: expected those of one model; got a mapping: pass one of its values, or give those of all models to "
            "rs.sweep, which keeps that they share their cases",
        ),
        (
            lambda: P.from_labels([0, 1], {"a": [0.1, 0.9]}),
            "predictions such as 0.1 are scores, not labels: compare them with a threshold, as in score >= 0.5, so that the "
            "models still share their cases, or give them to rs.sweep, which finds the thresholds",
        ),
    ],
)  # fmt: skip
def test_the_refusals_name_the_place_and_the_way_out(build: Callable[[], Any], message: str) -> None:
    with pytest.raises(rs.DataError) as caught:
        build()
    assert message in str(caught.value)


def test_nothing_of_a_structured_masked_array_is_read() -> None:
    with pytest.raises(rs.DataError, match="structured arrays are not read"):
        array_of(np.ma.zeros(2, dtype=[("a", int)]), "counts")


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: rs.Performances.from_exact([[1, 2, 3, 4], [1]]), "integers: expected rows of equal length"),
        (lambda: rs.Performances.from_counts(tn=["1"], fp=[1], fn=[2], tp=[1]), "tn = '1' is text; expected a count"),
        (lambda: rs.tasks.success.from_counts(["1"], [2]), "correct = '1' is text; expected a count"),
        (lambda: rs.tasks.success.from_grades({}), "no entities: expected the predictions of one at least"),
        (lambda: rs.Performances.from_labels([0, 1], {}), "no entities: expected the predictions of one at least"),
    ],
)
def test_rows_of_different_lengths_text_and_nothing_are_refused(build: Callable[[], Any], message: str) -> None:
    with pytest.raises(rs.DataError, match=message):
        build()
