"""Facts of the summarization slides, each named by its id."""

from fractions import Fraction

import pytest

import rankscape as rs

EXPECTED_OF_BOTH = {
    "TPR": 0.78,
    "FPR": 0.07,
    "PPV": 0.9176470588235294,
    "NPV": 0.808695652173913,
    "prior+": 0.5,
    "ER": 0.145,
    "F1": 0.8432432432432433,
}
FACTS = {
    "summ-S1": ([[85, 5, 4, 6], [8, 2, 18, 72]], EXPECTED_OF_BOTH),
    "summ-S3": ([[850, 50, 40, 60], [8, 2, 18, 72]], EXPECTED_OF_BOTH),
    "summ-S4": (
        [[95, 5, 0, 0], [60, 10, 10, 20]],
        {
            "TPR": 2 / 3,
            "FPR": 0.08823529411764706,
            "PPV": 0.5714285714285714,
            "NPV": 0.9393939393939394,
            "prior+": 0.15,
            "ER": 0.125,
            "F1": 0.6153846153846154,
        },
    ),
}
NAMES = {"TPR": "tpr", "FPR": "fpr", "PPV": "ppv", "NPV": "npv", "ER": "error rate", "F1": "f1"}


@pytest.mark.parametrize("fact", FACTS)
def test_summarized_scores(fact):
    rows, expected = FACTS[fact]
    P = rs.Performances.from_counts(rows, names=["m", "m"], domains=["v1", "v2"])
    half = Fraction(1, 2)
    summary = rs.summarize(P, {"v1": half, "v2": half})
    assert summary.priors[0] == pytest.approx(expected["prior+"], abs=1e-12)
    for what, name in NAMES.items():
        assert rs.score(name)(summary)[0] == pytest.approx(expected[what], abs=1e-12), what


def test_sizes_do_not_matter_unless_asked_for():
    small, large = (
        rs.Performances.from_counts(FACTS[f][0], names=["m", "m"], domains=["v1", "v2"]) for f in ("summ-S1", "summ-S3")
    )
    assert rs.summarize(small).mass.tolist() == rs.summarize(large).mass.tolist()
    pooled = rs.summarize(large, "size").mass[0] * 1100
    assert pooled == pytest.approx([858, 52, 58, 132], abs=1e-10)


def test_a_video_without_positives_has_no_tpr_but_the_summary_has_one():
    P = rs.Performances.from_counts(FACTS["summ-S4"][0], names=["m", "m"], domains=["v1", "v2"])
    found = rs.domains.mean_of_scores(P, by="tpr")
    assert found.undefined.tolist() == [1]
    assert found.values[0] == pytest.approx(2 / 3, abs=1e-15)
