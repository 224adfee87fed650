"""Table 1 of the foundations paper, from end to end: 27 scores on three sets, three tests and two extremes of τ each.

``examples/papers/foundations_table1.csv`` holds what is printed. One cell differs: the chance in Cohen's κ is constant at balanced
priors, so that it passes the first test (printed X: rounding of floats), and its τ is undefined (printed 0).
"""

import csv
import math
from pathlib import Path
from types import ModuleType

import pytest

import rankscape as rs
from rankscape._scores import score
from rankscape._scores.sets import PerformanceSet
from rankscape.kernels.maps import tau_b_map
from rankscape.soundness.verdict import audited, raw_levels

SCRIPT = "foundations"
TOLERANCE = 0.0025  # the lattice of the paper is known to "about 6,550 performances"
CONSTANT = ("Chance in Cohen's kappa", "pi+=0.5")
ROOT = Path(__file__).resolve().parents[2]


def read(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return {(row["score"], row["set"]): row for row in csv.DictReader(lines)}


PRINTED = read(ROOT / "examples" / "papers" / "foundations_table1.csv")


def test_all_cells_are_printed(script: ModuleType) -> None:
    assert set(PRINTED) == {(name, of) for name in script.SCORES for of in script.SETS}
    assert len(PRINTED) == 81


def test_two_sets_are_those_of_the_golden_file(shared_golden: Path) -> None:
    golden = read(shared_golden / "foundations_table1.csv")
    assert len(golden) == 54
    for cell, row in golden.items():
        assert [PRINTED[cell][test] for test in ("test1", "test2", "test3")] == [row[f"test{i}"] for i in (1, 2, 3)]
        for end in ("tau_min", "tau_max"):
            assert float(PRINTED[cell][end]) == float(row[end])
            assert (abs(float(PRINTED[cell][end])) == 1) == (row[f"{end}_theoretical"] == "1")


@pytest.mark.parametrize(("name", "of"), sorted(set(PRINTED) - {CONSTANT}))
def test_a_cell_is_as_printed(script: ModuleType, name: str, of: str) -> None:
    audit, printed = script.audit_of(name, of), PRINTED[name, of]
    assert script.marks_of(audit) == [printed[t] for t in ("test1", "test2", "test3")]
    for end in ("tau_min", "tau_max"):
        assert getattr(audit, end) == pytest.approx(float(printed[end]), abs=TOLERANCE)
        assert (abs(float(printed[end])) == 1) == (audit.exact_end == end.removeprefix("tau_"))
    assert audit.domain.holds


def test_the_cell_that_differs_is_constant(script: ModuleType) -> None:
    audit = script.audit_of(*CONSTANT)
    assert script.marks_of(audit) == ["V", "V", "V"]
    assert PRINTED[CONSTANT]["test1"] == "X"
    assert math.isnan(audit.tau_min)
    assert audit.importance is None
    assert audit.status == "proved"


@pytest.mark.parametrize(("name", "at", "expected"), [  # fact tab1-1
    ("accuracy", (15, 15), 0.4694990076237483),
    ("f1", (0, 0), 0.16078030692134057),
    ("f0.5", (0, 15), 0.07903855834503502),
])  # fmt: skip
def test_tau_on_the_lattice(name: str, at: tuple[int, int], expected: float) -> None:
    P = PerformanceSet().lattice()
    assert len(P) == 6545
    values = tau_b_map(P.integers, raw_levels(P, score(name)), 16)
    assert values[at[1], at[0]] == pytest.approx(expected, abs=0.002)


def test_the_search_does_not_fall_into_the_ties_of_accuracy() -> None:
    P = PerformanceSet().lattice()
    level = raw_levels(P, score("ba"))
    assert tau_b_map(P.integers, level, 3)[1, 1] == pytest.approx(0.726, abs=0.0005)  # what an odd grid finds
    printed = audited(score("ba"), PerformanceSet(), None, "kendall", "paper")
    assert printed.tau_max < 0.7155
    assert printed.lattice.endswith("multiples of 1/32, but for (1/2, 1/2)")


@pytest.mark.some(2)
@pytest.mark.parametrize("name", ["ba", "markedness", "ptn", "mcc"])
def test_an_extreme_is_that_of_its_lattice_wherever_it_is_printed(name: str) -> None:
    one = rs.audit(name)
    assert one.lattice == "the 6545 performances whose probabilities are multiples of 1/32"
    assert f"on {one.lattice}: from {one.tau_min:.3f}" in " ".join(repr(one).split())
    P = PerformanceSet().lattice()
    level = raw_levels(P, score(name))
    for points in (9, 13, 16):  # odd ones hit (1/2, 1/2), where a quarter of the extremes are
        values = tau_b_map(P.integers, level, points)
        assert one.tau_min <= values.min()
        assert values.max() <= one.tau_max
    if name == "ba":  # and the place named is where it is
        assert one.at_max == (0.5, 0.5)
        other, known = raw_levels(P, score("accuracy")), level >= 0  # it is undefined where a class is missing
        assert rs.kendall_tau(level[known], other[known]) == pytest.approx(one.tau_max, abs=1e-12)
