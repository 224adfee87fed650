"""Four kinds of evidence answer one protocol: performances, draws of them, and an account of what was read."""

import numpy as np
import pytest

import rankscape as rs

ROWS = {"id": [1, 2, 3, 4] * 2, "model": list("aaaabbbb"), "y": [0, 0, 1, 1] * 2, "yhat": [0, 1, 1, 1, 0, 0, 1, 0]}
COUNTS = {"model": ["a", "b"], "tn": [9, 8], "fp": [1, 2], "fn": [2, 1], "tp": [8, 9]}
PRINTED = {
    "model": ["a", "b"],
    "recall": ["0.8", "0.9"],
    "tnr": ["0.9", "0.8"],
    "n_positive": [10] * 2,
    "n_negative": [10] * 2,
}
SCORES = {"y": [0, 0, 1, 1], "a": [0.1, 0.6, 0.4, 0.9], "b": [0.2, 0.3, 0.4, 0.8]}
EVIDENCE = {
    "counts": rs.read(COUNTS),
    "rows of cases": rs.cases(ROWS, truth="y", prediction="yhat", entity="model", case="id"),
    "printed rates": rs.read_published(PRINTED),
    "scores": rs.sweep(SCORES, truth="y", score=["a", "b"]),
}


@pytest.mark.parametrize("kind", EVIDENCE)
def test_all_evidence_has_performances_draws_and_an_account(kind: str) -> None:
    evidence = EVIDENCE[kind]
    P = evidence.performances
    assert isinstance(P, rs.Performances)
    assert P.performances is P
    assert evidence.account is not None
    if kind == "scores":  # their thresholds would have to be chosen anew in each draw
        with pytest.raises(rs.UsageError, match="rankscape.decide says how sure"):
            evidence.draws(50, 1)
        return
    drawn = evidence.draws(50, 1)
    assert drawn.names == P.names == ("a", "b")
    assert drawn.values.shape == (50, 2, 4)
    assert drawn.paired == (kind == "rows of cases")
    np.testing.assert_array_equal(drawn.values, rs.uncertainty.posterior(P, 50, 1).values)
