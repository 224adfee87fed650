"""Decision curves of risk models, whose threshold is the probability above which one acts."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure

import rankscape as rs
from rankscape.errors import DataError, UsageError
from rankscape.views import decision_curve, decision_curves

GRID = [0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9]


def models(seed: int, n: int = 40, m: int = 3, digits: int = 1) -> tuple[list[int], dict[str, list[float]]]:
    rng = np.random.default_rng(seed)
    truth = np.append([0, 1], rng.integers(0, 2, n - 2))
    risks = {f"m{i}": np.clip(0.3 * truth + rng.random(n) * 0.7, 0, 1).round(digits).tolist() for i in range(m)}
    return truth.tolist(), risks


def net_benefit(truth: list[int], risk: list[float], p: float, prior: Fraction | None) -> Fraction:
    """NB = tp/n − fp/n · p/(1 − p), from the cases; at another prior, each class counts for its new share."""
    n, positives = len(truth), sum(truth)
    tp = sum(y == 1 and r >= p for y, r in zip(truth, risk, strict=True))
    fp = sum(y == 0 and r >= p for y, r in zip(truth, risk, strict=True))
    share = Fraction(positives, n) if prior is None else prior
    odds = Fraction(repr(p)) / (1 - Fraction(repr(p)))
    return share * Fraction(tp, positives) - (1 - share) * Fraction(fp, n - positives) * odds


@pytest.mark.parametrize("prior", [None, 0.02, 0.5, Fraction(1, 3), 0, 1])
@pytest.mark.parametrize("seed", range(6))
def test_curves_are_those_of_the_definition(seed: int, prior: float | Fraction | None) -> None:
    truth, risks = models(seed, digits=1 + seed % 2)
    view = decision_curves({name: rs.sweep(truth, risk) for name, risk in risks.items()}, GRID, prior)
    exact = None if prior is None else Fraction(str(prior))
    share = Fraction(sum(truth), len(truth)) if exact is None else exact
    for k, p in enumerate(GRID):
        values = {name: net_benefit(truth, risk, p, exact) for name, risk in risks.items()}
        assert view.values[:, k] == pytest.approx([float(value) for value in values.values()], abs=1e-12)
        odds = Fraction(repr(p)) / (1 - Fraction(repr(p)))
        everybody = share - (1 - share) * odds
        assert view.references["treat all"][k] == pytest.approx(float(everybody), abs=1e-12)
        assert view.references["treat none"][k] == 0
        best = max(0, everybody, *values.values())
        leaders = {name for name, value in values.items() if value == best}
        if best == 0:
            leaders = {"treat none"}
        elif best == everybody:
            leaders = {"treat all"}
        there = [names for names, low, _ in view.first if low <= p][-1]
        assert set(there) == leaders
    assert view.first[0][1] == GRID[0]
    assert view.first[-1][2] == GRID[-1]
    assert all(high == low for (_, _, high), (_, low, _) in zip(view.first, view.first[1:], strict=False))


def test_each_point_is_on_the_curve_of_the_classifier_with_that_threshold() -> None:
    truth, risks = models(7, digits=2)
    points = rs.sweep(truth, risks["m0"])
    view = decision_curves({"m0": points}, GRID)
    for k, p in enumerate(GRID):
        fixed = decision_curve(points.at(p), thresholds=[p])
        assert view.values[0, k] == pytest.approx(fixed.values[0, 0], abs=1e-15)


def test_weights_are_counted() -> None:
    truth, risks = models(3)
    weight = np.arange(len(truth)) % 4 + 1
    whole = decision_curves({"m": rs.sweep(truth, risks["m0"], sample_weight=weight)}, GRID)
    halves = decision_curves({"m": rs.sweep(truth, risks["m0"], sample_weight=weight / 2)}, GRID)
    again = decision_curves({"m": rs.sweep(np.repeat(truth, weight), np.repeat(risks["m0"], weight))}, GRID)
    assert whole.values.tolist() == again.values.tolist()
    assert whole.values == pytest.approx(halves.values, abs=1e-15)


def test_the_view_has_a_table_and_a_picture() -> None:
    truth, risks = models(0, n=300, digits=3)
    view = decision_curves({name: rs.sweep(truth, risk) for name, risk in risks.items()}, prior=0.1)
    table = view.table()
    assert len(table["entity"]) == 5 * 100
    assert table["entity"][-1] == "treat all"
    ax = view.plot(Figure().add_subplot())
    assert ax.get_ylabel() == "net benefit"
    assert "Prior shifted to 0.1; measured: 0.54" in view.subtitle
    assert view.title in repr(view)
    assert ax.get_xlim() == (0, 1)
    short = decision_curves({"m0": rs.sweep(truth, risks["m0"])}, thresholds=[0, 0.1, 0.2, 0.3])
    assert short.plot(Figure().add_subplot()).get_xlim() == (0, 0.3)


def test_what_cannot_be_drawn_is_said() -> None:
    truth, risks = models(1)
    points = rs.sweep(truth, risks["m0"])
    with pytest.raises(DataError, match='"svm": scores from -2 to 1 are no risks; expected probabilities'):
        decision_curves({"m": points, "svm": rs.sweep([0, 1], [-2, 1])})
    with pytest.raises(DataError, match="need equal priors; here they differ"):
        decision_curves({"m": points, "other": rs.sweep([0, 0, 0, 1], [0.1, 0.2, 0.3, 0.4])})
    shifted = decision_curves({"m": points, "other": rs.sweep([0, 0, 0, 1], [0.1, 0.2, 0.3, 0.4])}, prior=0.2)
    assert shifted.prior == 0.2
    assert "0.25 to 0." in shifted.subtitle
    never = replace(points, counts=points.counts * [1, 1, 0, 0])
    with pytest.raises(DataError, match='"m": it has no positive cases: its prior cannot be shifted to 0.1'):
        decision_curves({"m": never}, prior=0.1)
    assert decision_curves({"m": never}).first[0][0] in (("treat none",), ("treat all",))
    for thresholds in ([0.2, 1.0], [-0.1], [[0.1]]):
        with pytest.raises(UsageError, match=r"probabilities p_t in \[0, 1\)"):
            decision_curves({"m": points}, thresholds)
    for thresholds in ([0.2, 0.1], [0.1, 0.1], []):
        with pytest.raises(UsageError, match="increasing order"):
            decision_curves({"m": points}, thresholds)
    with pytest.raises(UsageError, match="at least one model"):
        decision_curves({})
    with pytest.raises(UsageError, match="a prior must lie in"):
        decision_curves({"m": points}, prior=2)


def test_a_model_that_is_first_in_several_places_is_named_once() -> None:
    truth, risks = models(2, n=200, digits=2)
    view = decision_curves({name: rs.sweep(truth, risk) for name, risk in risks.items()})
    alone = [names[0] for names, _, _ in view.first if len(names) == 1 and names[0] in view.names]
    assert len(alone) > len(set(alone))
    ax = view.plot(Figure().add_subplot())
    texts = [text.get_text() for text in ax.texts]
    assert [texts.count(name) for name in dict.fromkeys(alone)] == [1] * len(set(alone))


def test_ties_are_decided_at_the_threshold_that_is_meant() -> None:
    risk = rs.sweep([1] * 3 + [0] * 7, [0.5] * 10)  # at 3/10 to treat all is worth nothing; the float 0.3 is less
    assert decision_curves({"risk": risk}, [0.3]).first == ((("treat none",), 0.3, 0.3),)
    skilled = rs.sweep([1] * 5 + [0] * 5, [0.5] * 5 + [0.1] * 5)
    assert decision_curves({"risk": skilled}, [0.3], prior=0.3).first[0][0] == ("risk",)
    assert decision_curves({"risk": risk}).x.tolist() == [float(f"0.{k:02}") for k in range(100)]
