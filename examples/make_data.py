"""Train a dozen classifiers on scikit-learn's bundled datasets and write what they predicted, out of fold.

Run ``python examples/make_data.py`` (scikit-learn and pyarrow are needed; about a minute). It writes, beside itself,
``predictions.parquet`` (entity, domain, case, truth, prediction, score) and, counted from it, ``results.csv`` (domain,
entity, tn, fp, fn, tp). Every prediction is of a case that its model has not seen; all seeds are fixed.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from sklearn.base import ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

HERE = Path(__file__).parent
SEED = 1884

ENTITIES: dict[str, ClassifierMixin] = {
    "always negative": DummyClassifier(strategy="constant", constant=0),
    "random guess": DummyClassifier(strategy="stratified", random_state=SEED),
    "naive Bayes": GaussianNB(),
    "linear discriminant": LinearDiscriminantAnalysis(),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
    "balanced logistic regression": make_pipeline(
        StandardScaler(), LogisticRegression(max_iter=2000, class_weight="balanced")
    ),
    "nearest neighbors": make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=9)),
    "shallow tree": DecisionTreeClassifier(max_depth=3, random_state=SEED),
    "balanced tree": DecisionTreeClassifier(max_depth=4, class_weight="balanced", random_state=SEED),
    "random forest": RandomForestClassifier(n_estimators=60, random_state=SEED),
    "gradient boosting": HistGradientBoostingClassifier(max_iter=40, random_state=SEED),
    "linear SVM": make_pipeline(StandardScaler(), LinearSVC(C=0.01, random_state=SEED)),
    "kernel SVM": make_pipeline(StandardScaler(), SVC(C=0.5)),
    "neural network": make_pipeline(
        StandardScaler(), MLPClassifier(hidden_layer_sizes=(8,), max_iter=60, early_stopping=True, random_state=SEED)
    ),
}


def domains() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield the name, features and truth (1 = positive) of every two-class problem."""
    cancer = load_breast_cancer()
    yield "breast cancer", cancer.data, (cancer.target == 0).astype(np.int8)  # malignant is the positive class
    for name, data in (("digit", load_digits()), ("wine", load_wine())):
        for label in np.unique(data.target):
            yield f"{name} {label}", data.data, (data.target == label).astype(np.int8)


def predict(model: ClassifierMixin, features: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return out-of-fold predictions and scores (larger is more positive) of the same fitted models."""
    prediction, score = np.empty(len(truth), np.int8), np.empty(len(truth), np.float32)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=SEED).split(features, truth):
        fitted = clone(model).fit(features[train], truth[train])
        prediction[test] = fitted.predict(features[test])
        decide = getattr(fitted, "decision_function", None)
        score[test] = decide(features[test]) if decide else fitted.predict_proba(features[test])[:, -1]
    return prediction, score


def main() -> None:
    """Write both files."""
    tables, results = [], []
    for domain, features, truth in domains():
        for entity, model in ENTITIES.items():
            prediction, score = predict(model, features, truth)
            cases = pa.array(np.arange(len(truth), dtype=np.int16))
            columns = [[entity] * len(truth), [domain] * len(truth), cases, truth, prediction, score]
            names = ["entity", "domain", "case", "truth", "prediction", "score"]
            tables.append(pa.table(columns, names))
            tn, fp, fn, tp = np.bincount(2 * truth + prediction, minlength=4).tolist()
            results.append({"domain": domain, "entity": entity, "tn": tn, "fp": fp, "fn": fn, "tp": tp})
    pa.parquet.write_table(pa.concat_tables(tables), HERE / "predictions.parquet", compression="zstd")
    with (HERE / "results.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, results[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(results)


if __name__ == "__main__":
    main()
