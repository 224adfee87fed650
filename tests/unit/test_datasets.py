"""The data that come along are what they are said to be."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import rankscape as rs
from rankscape import datasets

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_finley_s_affair() -> None:
    P = datasets.finley()
    assert P.counts.sum(axis=1).tolist() == [2803, 2803]
    assert P.common_prior() == pytest.approx(51 / 2803)
    assert rs.rank(P, by="accuracy").best == {"never a tornado"}
    assert rs.rank(P, by="f1").ranks.tolist() == [1, 2]
    assert np.isnan(rs.score("precision")(P)[1])


@pytest.mark.parametrize("prior", [0.2, 0.5, 0.8])
def test_toy_has_the_rates_of_figure_5(prior: float) -> None:
    P = datasets.toy(prior)
    assert P.priors == pytest.approx([prior] * 4, abs=1e-15)
    assert rs.score("tnr")(P) == pytest.approx([1, 0.7, 0.5, 0], abs=2e-16)
    assert rs.score("tpr")(P) == pytest.approx([0, 0.7, 0.8, 1], abs=2e-16)
    with pytest.raises(ValueError, match=r"inside \(0, 1\); got 0"):
        datasets.toy(0)


@pytest.mark.nightly
def test_results_are_counted_from_the_predictions() -> None:
    predictions = pq.read_table(EXAMPLES / "predictions.parquet")
    assert predictions.column_names == ["entity", "domain", "case", "truth", "prediction", "score"]
    columns = {name: predictions[name].to_numpy() for name in predictions.column_names}
    P = datasets.classifiers()
    assert len(P) == 14 * 14
    for i, (name, domain) in enumerate(zip(P.names, P.domains, strict=True)):
        mine = (columns["entity"] == name) & (columns["domain"] == domain)
        counted = rs.Performances.from_labels(columns["truth"][mine], columns["prediction"][mine])
        assert counted.counts.tolist() == P.counts[[i]].tolist()
        assert sorted(columns["case"][mine]) == list(range(mine.sum()))


def test_every_domain_has_every_entity_and_the_same_truth() -> None:
    P = datasets.classifiers()
    for domain in set(P.domains):
        here = P.in_domain(domain)
        assert set(here.names) == set(P.names)
        assert len({(row[:2].sum(), row[2:].sum()) for row in here.counts}) == 1


def test_a_missing_example_says_where_to_find_it() -> None:
    with pytest.raises(rs.DataError, match=r"nothing\.csv is not in this installation"):
        datasets.example_file("nothing.csv")
