"""Counts from scikit-learn's searches and cross-validations: outcome_scorers, from_cv_results, and their tables."""

import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    KFold,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import rankscape as rs
from rankscape._scores import as_score
from rankscape.errors import DataError, IncompleteDataWarning, UsageError
from rankscape.performances.cross_validation import candidate_names, count_of_labels

COUNTS = {"test_tn": [5, 6], "test_fp": [1, 0], "test_fn": [0, 1], "test_tp": [4, 3]}


def scorer_of(by: Any) -> Any:
    def value(y: Any, predicted: Any) -> float:
        by_score = as_score(by)
        return float(by_score(rs.Performances.from_labels(y, predicted), undefined="limit")[0])

    return make_scorer(value)


@pytest.fixture(scope="module")
def data() -> tuple[Any, Any]:
    return make_classification(n_samples=230, weights=[0.8], flip_y=0.1, random_state=0)


def searched(data: tuple[Any, Any], **options: Any) -> GridSearchCV:
    model = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {"logisticregression__C": [0.01, 1.0], "logisticregression__class_weight": [None, "balanced"]}
    options = {"scoring": rs.outcome_scorers(), "refit": False, "cv": 5} | options
    return GridSearchCV(model, grid, **options).fit(*data)


# ---- the scorers


def test_counts_are_those_of_confusion_matrices(data: tuple[Any, Any]) -> None:
    X, y = data
    model = make_pipeline(SelectKBest(k=5), StandardScaler(), LogisticRegression())
    P = rs.Performances.from_cv_results(cross_validate(model, X, y, scoring=rs.outcome_scorers(), cv=4))
    expected = [
        confusion_matrix(y[test], clone(model).fit(X[train], y[train]).predict(X[test])).ravel().tolist()
        for train, test in StratifiedKFold(4).split(X, y)
    ]
    assert P.counts is not None
    assert P.counts.tolist() == expected
    assert P.counts.dtype == np.int64
    pooled = rs.summarize(P, "size")
    overall = rs.Performances.from_labels(y, cross_val_predict(model, X, y, cv=4))
    assert pooled.mass.tolist() == overall.mass.tolist()


def test_a_fold_is_predicted_once(data: tuple[Any, Any]) -> None:
    class Counting(LogisticRegression):  # type: ignore[misc]
        calls = 0

        def predict(self, X: Any) -> Any:
            Counting.calls += 1
            return super().predict(X)

    cross_validate(Counting(), *data, scoring=rs.outcome_scorers(), cv=3)
    assert Counting.calls == 3


def test_labels_of_texts_and_more_than_two_classes(data: tuple[Any, Any]) -> None:
    X, y = data
    names = np.where(y == 1, "spam", "ham")
    numbers = cross_validate(LogisticRegression(), X, y, scoring=rs.outcome_scorers())
    texts = cross_validate(LogisticRegression(), X, names, scoring=rs.outcome_scorers(pos_label="spam"))
    other = cross_validate(LogisticRegression(), X, names, scoring=rs.outcome_scorers(pos_label="ham"))
    assert texts["test_tp"].tolist() == numbers["test_tp"].tolist() == other["test_tn"].tolist()
    three = np.where(y == 1, "c", np.where(X[:, 0] > 0, "a", "b"))
    one = cross_validate(DecisionTreeClassifier(max_depth=3), X, three, scoring=rs.outcome_scorers(pos_label="c"))
    P = rs.Performances.from_cv_results(one)
    assert P.counts is not None
    assert int(P.counts[:, 2:].sum()) == int((three == "c").sum())
    with pytest.raises(ValueError, match="pos_label=eggs is not a valid label"):
        cross_validate(
            LogisticRegression(), X, names, scoring=rs.outcome_scorers(pos_label="eggs"), error_score="raise"
        )


def test_a_fold_may_lack_classes() -> None:
    assert [count_of_labels(["ham"] * 3, ["ham"] * 3, outcome=o, pos_label="spam") for o in ("tn", "fp", "fn", "tp")] == [3, 0, 0, 0]  # fmt: skip
    assert count_of_labels(["a", "c"], ["b", "c"], outcome="tn", pos_label="c") == 1  # b is in another fold
    assert count_of_labels([0, 0], [0, 1], outcome="fp") == 1
    for pos_label in (None, 1):
        with pytest.raises(DataError, match="missing"):
            count_of_labels([0.0, 1.0], [0.0, np.nan], outcome="fp", pos_label=pos_label)
    X, y = np.arange(40.0)[:, None] % 7, np.array(["ham"] * 10 + ["ham", "spam"] * 15)
    results = cross_validate(LogisticRegression(), X, y, cv=KFold(4), scoring=rs.outcome_scorers(pos_label="spam"))
    P = rs.Performances.from_cv_results(results)
    assert P.counts is not None
    assert P.counts[:, 2:].sum(axis=1).tolist() == [0, 5, 5, 5]
    assert np.isfinite(rs.rank(rs.summarize(P, "size"), "f1").values).all()


def test_scorers_are_cloned_pickled_and_sent(data: tuple[Any, Any]) -> None:
    copies = pickle.loads(pickle.dumps(rs.outcome_scorers()))
    once, twice = searched(data, scoring=copies), searched(data, n_jobs=2)
    P, Q = map(rs.Performances.from_cv_results, (clone(once).fit(*data), twice))
    assert P.counts is not None
    assert Q.counts is not None
    assert P.counts.tolist() == Q.counts.tolist()
    assert P.names == Q.names


def test_weights_are_summed(data: tuple[Any, Any]) -> None:
    X, y = data
    model, weight = LogisticRegression().fit(X, y), np.arange(len(y)) % 3
    expected = confusion_matrix(y, model.predict(X), sample_weight=weight).ravel().tolist()
    scorers = rs.outcome_scorers()
    assert [scorer(model, X, y, sample_weight=weight) for scorer in scorers.values()] == expected
    assert [scorer(model, X, y, sample_weight=weight / 4) for scorer in scorers.values()] == [x / 4 for x in expected]


def test_weights_are_routed(data: tuple[Any, Any]) -> None:
    X, y = data
    weight = np.arange(len(y)) % 3 + 1.0
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=True)
        plain = cross_validate(model, X, y, scoring=rs.outcome_scorers())  # no weights: nothing to ask for
        scorers = {name: scorer.set_score_request(sample_weight=True) for name, scorer in rs.outcome_scorers().items()}
        weighed = cross_validate(model, X, y, scoring=scorers, params={"sample_weight": weight})
        halves = cross_validate(model, X, y, scoring=scorers, params={"sample_weight": weight / 8})
    P, Q, R = (rs.Performances.from_cv_results(results) for results in (plain, weighed, halves))
    assert P.counts is not None
    assert Q.counts is not None
    assert int(P.counts.sum()) == len(y)
    assert int(Q.counts.sum()) == int(weight.sum())
    assert R.counts is None  # sums of fractions are no counts
    assert R.mass.sum(axis=1).tolist() == pytest.approx([1] * 5)


def test_without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sklearn.metrics", None)
    with pytest.raises(UsageError, match="outcome_scorers needs scikit-learn: pip install scikit-learn"):
        rs.outcome_scorers()


@pytest.mark.nightly
def test_thresholds_are_tuned_by_costs(data: tuple[Any, Any]) -> None:
    X, y = data
    thresholds = {}
    for name, by in (("f2", "fbeta(2)"), ("even", rs.costs(miss=1)), ("dear", rs.costs(miss=20))):
        tuned = TunedThresholdClassifierCV(LogisticRegression(), scoring=scorer_of(by), cv=3, thresholds=25).fit(X, y)
        thresholds[name] = tuned.best_threshold_
    assert thresholds["dear"] < thresholds["even"]
    models = {
        name: TunedThresholdClassifierCV(LogisticRegression(), scoring=scorer_of(by), cv=3, thresholds=25)
        for name, by in (("even", rs.costs(miss=1)), ("dear", rs.costs(miss=20)))
    }
    P = rs.Performances.from_cv_results(
        {name: cross_validate(model, X, y, scoring=rs.outcome_scorers()) for name, model in models.items()}
    )
    assert rs.rank(rs.summarize(P, "size"), by=rs.costs(miss=20)).best == {"dear"}
    with pytest.raises(DataError, match="got a TunedThresholdClassifierCV without cv_results_"):
        rs.Performances.from_cv_results(models["even"].fit(X, y))


# ---- what is read


def test_every_form_of_a_search_gives_the_same(data: tuple[Any, Any], tmp_path: Any) -> None:
    search = searched(data)
    P = rs.Performances.from_cv_results(search)
    assert P.names[::5] == (
        "C=0.01, class_weight=None",
        "C=0.01, class_weight=balanced",
        "C=1, class_weight=None",
        "C=1, class_weight=balanced",
    )
    assert P.domains == tuple(f"fold {k + 1}" for k in range(5)) * 4
    frame = pd.DataFrame(search.cv_results_)
    paths = {kind: tmp_path / f"cv_results.{kind}" for kind in ("csv", "json", "parquet")}
    frame.to_csv(paths["csv"])
    frame.to_json(paths["json"], orient="records")
    pd.read_csv(paths["csv"]).to_parquet(paths["parquet"])
    forms = [rs.Performances.from_cv_results(form) for form in (search.cv_results_, frame, pl.read_csv(paths["csv"]))]
    tables = [rs.read(source) for source in (frame, search.cv_results_, *paths.values())]
    for other in (*forms, *tables):
        assert (other.names, other.domains) == (P.names, P.domains)
        assert np.array_equal(other.counts, P.counts)


def test_folds_work_as_domains(data: tuple[Any, Any]) -> None:
    P = rs.Performances.from_cv_results(searched(data))
    pooled = rs.summarize(P, "size")
    assert rs.rank(pooled, by="f1").best <= set(P.names)
    roles = rs.domains.roles(rs.domains.prepare(P, weights="size"), by="f1")
    assert set(roles.table()["domain"]) == {f"fold {k}" for k in range(1, 6)}
    intervals = rs.uncertainty.rank_intervals(P, by="f1", weights="size", draws=50)
    assert sum(intervals.table()["p_first"]) == pytest.approx(1)


def test_scikit_learn_refits_what_rankscape_ranks_first(data: tuple[Any, Any]) -> None:
    def best(results: dict[str, Any]) -> int:
        P = rs.Performances.from_cv_results(results, names=range(len(results["params"])))
        return int(next(iter(rs.rank(rs.summarize(P, "size"), by=rs.costs(miss=20)))))

    search = searched(data, refit=best)
    P = rs.summarize(rs.Performances.from_cv_results(search), "size")
    assert P.names[search.best_index_] in rs.rank(P, by=rs.costs(miss=20)).best
    assert len(search.predict(data[0])) == len(data[1])


def test_other_searches(data: tuple[Any, Any]) -> None:
    random = RandomizedSearchCV(
        LogisticRegression(), {"C": np.linspace(0.1, 1, 7)}, n_iter=3, random_state=0, refit=False,
        scoring=rs.outcome_scorers() | {"f1": "f1"},
    ).fit(*data)  # fmt: skip
    P = rs.Performances.from_cv_results(random)
    assert len(set(P.names)) == 3
    assert all(name.startswith("C=") and len(name) < 7 for name in P.names)
    assert len(P) == 15


def test_of_a_halving_search_the_last_round_counts(data: tuple[Any, Any]) -> None:
    scorers = rs.outcome_scorers()

    def scoring(model: Any, X: Any, y: Any) -> dict[str, float]:  # halving searches need one score
        return {"score": scorer_of("f1")(model, X, y)} | {k: scorer(model, X, y) for k, scorer in scorers.items()}

    halving = HalvingGridSearchCV(
        LogisticRegression(), {"C": [0.01, 0.1, 1, 10]}, scoring=scoring, refit="score", cv=3, random_state=0, factor=2
    ).fit(*data)
    P = rs.Performances.from_cv_results(halving)
    last = halving.cv_results_["iter"] == halving.n_iterations_ - 1
    assert len(P) == 3 * int(last.sum()) < 3 * len(last)


def test_several_results_by_name(data: tuple[Any, Any]) -> None:
    models = {"trees": DecisionTreeClassifier(), "svm": SVC()}
    results: dict[str, Any] = {n: cross_validate(m, *data, scoring=rs.outcome_scorers()) for n, m in models.items()}
    P = rs.Performances.from_cv_results(results)
    assert tuple(dict.fromkeys(P.names)) == ("trees", "svm")
    Q = rs.Performances.from_cv_results(results | {"grid": searched(data)})
    assert set(Q.names) >= {"trees", "svm", "grid (C=1, class_weight=balanced)"}
    results["three"] = cross_validate(SVC(), *data, scoring=rs.outcome_scorers(), cv=3)
    with pytest.raises(DataError, match='"trees" has 5 folds and "three" 3; expected the same folds'):
        rs.Performances.from_cv_results(results)


def test_names_that_are_given(data: tuple[Any, Any]) -> None:
    search = searched(data)
    of_params = rs.Performances.from_cv_results(
        search, names=lambda params: f"{params['logisticregression__C']} {params['logisticregression__class_weight']}"
    )
    assert of_params.names[0] == "0.01 None"
    assert rs.Performances.from_cv_results(search, names=["a", "b", "c", "d"]).names[-1] == "d"
    assert rs.Performances.from_cv_results(COUNTS, names="svm").names == ("svm", "svm")
    with pytest.raises(UsageError, match="names: expected 4 names, one per candidate; got 1"):
        rs.Performances.from_cv_results(search, names=["a"])
    with pytest.raises(DataError, match='entity "0.01" on domain "fold 1" occurs 2 times'):
        rs.Performances.from_cv_results(search, names=lambda params: params["logisticregression__C"])


def squared(x: float) -> float:
    return x * x


@pytest.mark.parametrize(
    ("params", "names"),
    [
        ([{"C": 1}, {"C": 10}], ["C=1", "C=10"]),
        ([{"C": 1.0, "p": "l1"}, {"C": 1.0, "p": "l2"}], ["p=l1", "p=l2"]),
        ([{"C": 1.0, "p": "l1"}], ["C=1, p=l1"]),
        ([{}], ["default"]),
        ([{"C": 1}, {}], ["C=1", "default"]),
        ([{"a__C": 1, "b__C": 1}, {"a__C": 2, "b__C": 1}], ["C=1", "C=2"]),
        ([{"a__C": 1, "b__C": 1}, {"a__C": 2, "b__C": 3}], ["a__C=1, b__C=1", "a__C=2, b__C=3"]),
        ([{"C": np.float64(0.123456789)}, {"C": 0.12345}], ["C=0.123457", "C=0.12345"]),
        ([{"C": 0.1 + 0.2}, {"C": 0.3}], ["C=0.30000000000000004", "C=0.3"]),
        ([{"C": 1}, {"C": 1}], ["C=1", "C=1 (2)"]),
        ([{"C": 1}, {"C": 1}, {"C": 1}], ["C=1", "C=1 (2)", "C=1 (3)"]),
        ([{"s": SVC()}, {"s": SVC(C=2)}], ["s=SVC()", "s=SVC(C=2)"]),
        ([{"f": squared}, {"f": abs}], ["f=squared", "f=abs"]),
        ([{"w": np.array([1, 2])}, {"w": None}], ["w=array([1, 2])", "w=None"]),
        ([{"w": {0: 1, 1: 5}}, {"w": "x" * 100}], ["w={0: 1, 1: 5}", "w=" + "x" * 20 + "…" + "x" * 19]),
    ],
)
def test_candidates_are_called_by_what_differs(params: list[dict[str, Any]], names: list[str]) -> None:
    assert candidate_names(params) == names


# ---- what goes wrong


class Moody(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose fit fails: never, always or on one fold."""

    def __init__(self, fails: str = "never") -> None:
        self.fails = fails

    def fit(self, X: Any, y: Any) -> "Moody":
        if self.fails == "always" or (self.fails == "once" and X[0, 0] != 0):
            raise RuntimeError("no")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return (X[:, 0] % 2).astype(int)


@pytest.fixture
def moody() -> Iterator[Any]:
    X = np.arange(40.0)[:, None]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=UserWarning)
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        yield lambda *fails: GridSearchCV(
            Moody(), {"fails": fails}, scoring=rs.outcome_scorers(), refit=False, cv=KFold(4)
        ).fit(X, (X[:, 0] % 3 == 1).astype(int))


def test_fits_that_failed_are_left_out_and_named(moody: Any) -> None:
    search = moody("never", "once", "always")
    with pytest.warns(IncompleteDataWarning, match="left out for failing: 5 of 12 fits") as caught:
        P = rs.Performances.from_cv_results(search)
    assert 'of "fails=once", "fails=always": error_score="raise" shows why' in str(caught[0].message)
    assert caught[0].filename == __file__
    assert [P.names.count(f"fails={when}") for when in ("never", "once", "always")] == [4, 3, 0]
    with pytest.raises(DataError, match="1 cell of 8 missing"):
        rs.summarize(P, "size")


def test_where_all_fits_failed() -> None:
    with pytest.raises(DataError, match='every fit or scorer failed: all counts are NaN: .* error_score="raise"'):
        rs.Performances.from_cv_results({"test_tn": [np.nan], "test_fp": [1], "test_fn": [1], "test_tp": [1]})


def test_repeated_folds_are_named_and_warned_of(data: tuple[Any, Any]) -> None:
    search = searched(data, cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0))
    with pytest.warns(UserWarning, match=r"every case is in 2 folds \(RepeatedStratifiedKFold\).*startswith"):
        P = rs.Performances.from_cv_results(search)
    assert P.domains is not None
    assert P.domains[:6] == tuple(f"repeat {r}/fold {k}" for r in (1, 2) for k in (1, 2, 3))
    one = P[[fold.startswith("repeat 1/") for fold in P.domains]]
    assert one.counts is not None
    assert one.counts[:3].sum() == len(data[1])
    with pytest.warns(UserWarning, match="a case may be in several folds"):
        rs.Performances.from_cv_results(searched(data, cv=StratifiedShuffleSplit(n_splits=3, random_state=0)))
    results = cross_validate(
        SVC(), *data, scoring=rs.outcome_scorers(), return_indices=True,
        cv=StratifiedShuffleSplit(n_splits=5, test_size=0.5, random_state=0),
    )  # fmt: skip
    with pytest.warns(UserWarning, match="a case is in several folds"):
        rs.Performances.from_cv_results(results)
    kept = cross_validate(SVC(), *data, scoring=rs.outcome_scorers(), return_indices=True)
    assert len(rs.Performances.from_cv_results(kept)) == 5


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ({"test_score": [1.0]}, r"no test_tn, test_fp, test_fn, test_tp; .* got test_score: run cross_validate\(…, scoring=rs.outcome"),
        ({"split0_test_score": [1.0]}, r"no split0_test_tn, .*search again with GridSearchCV\(…, scoring=rs.outcome_scorers\(\), refit=False"),
        ({"split0_test_tn": [1.0], "split0_test_fp": [1.0]}, "no split0_test_fn, split0_test_tp; expected the counts"),
        ({"test_a_tn": [1], "test_a_fp": [1]}, 'call the scorers "tn", "fp", "fn" and "tp", not "a_tn", "a_fp"'),
        ({"svm": {"test_score": [1.0]}}, '"svm": no test_tn'),
        ({}, "expected a fitted search, its cv_results_ .* got {}"),
        ({"svm": 1}, 'got a mapping with the keys "svm"'),
        (3, "got int"),
        (GridSearchCV(SVC(), {"C": [1]}), "got a GridSearchCV without cv_results_"),
        (COUNTS | {"test_fn": [0, 0], "test_tp": [0, 0]}, "no fold has a positive case; .* pass pos_label= to rs.outcome_scorers"),
        (COUNTS | {"test_fp": [0, -1]}, "fp = -1.* is negative"),
        (COUNTS | {"test_fp": [0]}, "test_fp has 1 values; expected 2"),
        (COUNTS | {"test_fp": ["a", 0]}, "test_fp = 'a', 0; expected numbers"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said(results: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        rs.Performances.from_cv_results(results)


def test_a_saved_table_without_counts_says_what_to_do(tmp_path: Any) -> None:
    path = tmp_path / "cv.csv"
    path.write_text(",params,split0_test_score,split1_test_score\n0,{'C': 1},0.5,0.6\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"cv.csv: no split0_test_tn.*scoring=rs.outcome_scorers\(\)"):
        rs.read(path)
    path.write_text("a,split0_test_tn,split0_test_tn\n1,2,3\n", encoding="utf-8")
    with pytest.raises(DataError, match="two columns have the same header"):
        rs.read(path)
