"""Views against the textbook formulas, one case at a time, and against the Tile."""

import inspect
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs
from rankscape import DataError, NoPlaceError, Performances, UsageError, views
from rankscape.geometry.roc import Pencil

N, POSITIVE = 12, 8
POINTS = st.lists(st.tuples(st.integers(0, N), st.integers(0, POSITIVE)), min_size=1, max_size=8)


def of_points(points: list) -> Performances:
    return Performances.from_counts([[N - fp, fp, POSITIVE - tp, tp] for fp, tp in points])


def eight() -> Performances:
    points = [(0, 3), (1, 5), (2, 6), (5, 7), (3, 5), (0, 0), (12, 8), (7, 2)]
    return Performances.from_counts(
        [[N - fp, fp, POSITIVE - tp, tp] for fp, tp in points],
        names=[*list("abcd"), "inside", "never", "always", "bad"],
    )


# ---- points


def test_roc_and_pr_hold_the_rates() -> None:
    view = views.roc(eight())
    assert view.table()["fpr"] == [0, 1 / 12, 2 / 12, 5 / 12, 3 / 12, 0, 1, 7 / 12]
    assert view.table()["tpr"] == [3 / 8, 5 / 8, 6 / 8, 7 / 8, 5 / 8, 0, 1, 2 / 8]
    assert [name for name, on in zip(view.names, view.table()["on_hull"], strict=True) if on] == [
        *"abcd",
        "always",
    ]
    view = views.pr(eight())
    assert view.table()["recall"] == views.roc(eight()).table()["tpr"]
    assert view.table()["precision"][:5] == [1, 5 / 6, 6 / 8, 7 / 12, 5 / 8]
    assert np.isnan(view.y[5])
    assert view.no_skill.tolist() == [[0, 0.4], [1, 0.4]]
    assert set(view.frame().columns) == {"entity", "recall", "precision", "on_hull"}


@pytest.mark.parametrize("by", ["f1", "accuracy", "f2", "npv", "kappa", "ba", [2, 3, 1, 6]])
@pytest.mark.parametrize("view", [views.roc, views.pr])
@pytest.mark.parametrize("zoom", [True, False])
def test_lines_have_the_values_that_they_say_and_pass_through_the_winner(view, by, zoom: bool) -> None:
    found = view(eight(), by=by, zoom=zoom)
    preference = found.preference
    star = Pencil(*rs.locate(by, 0.4), 0.4)
    assert preference.pencil == star
    assert set(preference.best) == rs.rank(eight(), by=by).best
    assert np.allclose(np.diff(preference.levels), np.diff(preference.levels)[:1])
    for level, line in [*zip(preference.levels, preference.lines, strict=True), (preference.value, preference.through)]:
        x, y = np.linspace(line[0], line[-1], 9).T if len(line) == 2 else line.T
        inside = (x > 1e-9) & (y > 1e-9)
        x, y = x[inside], y[inside]
        if found.flavor == "roc":
            fpr, tpr = x, y
        else:
            fpr, tpr = x * (1 / y - 1) * 0.4 / 0.6, x
        away = np.abs(fpr - 1) + np.abs(tpr - 1) > 1e-9  # from the vertex of NPV, where it is 0/0
        values = star.value(fpr[away], tpr[away])
        assert np.allclose(values[~np.isnan(values)], level, rtol=0, atol=1e-9)
    row = found.names.index(preference.best[0])
    assert preference.value == pytest.approx(
        star.value(*(r[row] for r in (views.roc(eight()).x, views.roc(eight()).y)))
    )


def test_labels_say_whose_values_the_lines_have() -> None:
    def label(by: object) -> str:
        return views.roc(eight(), by=by).preference.label

    assert label("f1") == "F_1"
    assert label("accuracy") == "A"
    assert label("jaccard") == "R(1, 0.5)"  # orders as F₁, with other values
    assert label("kappa") == "R(0.692, 0.5)"
    assert label(rs.at(0.5, 0.25)) == "R(0.5, 0.25)"
    with pytest.raises(NoPlaceError):
        views.roc(eight(), by="mcc")


def test_windows_show_the_skillful() -> None:
    close = Performances.from_counts([[99, 1, 10, 90], [97, 3, 5, 95], [50, 50, 50, 50], [100, 0, 100, 0]])
    view = views.roc(close)
    x0, y0, x1, y1 = view.window
    shown = (view.x >= x0) & (view.x <= x1) & (view.y >= y0) & (view.y <= y1)
    assert shown.tolist() == [True, True, False, False]
    assert views.roc(close, zoom=False).window == (0, 0, 1, 1)
    assert views.roc(eight()).window == (0, 0, 1, 1)
    assert views.roc(Performances.from_counts([[1, 9, 9, 1]])).window == (0, 0, 1, 1)


def test_without_equal_priors_there_is_no_hull_and_no_line() -> None:
    P = Performances.from_counts([[6, 2, 1, 3], [6, 2, 1, 9]])
    view = views.roc(P)
    assert view.hull is None
    assert view.table()["on_hull"] == [None, None]
    assert "Shares of positives differ: 0.333 to 0.556." in view.subtitle
    message = "iso-performance lines need equal priors; here they go from 0.3333 to 0.5556: use shift_priors, or take one domain"
    with pytest.raises(DataError) as error:
        views.roc(P, by="f1")
    assert str(error.value) == message


def test_performances_on_several_domains_are_averaged() -> None:
    P = Performances.from_counts([[1, 1, 1, 1], [3, 1, 0, 4]], names=["m", "m"], domains=["x", "y"])
    view = views.roc(P)
    assert view.subtitle == "Averaged over 2 domains."
    assert (view.x.tolist(), view.y.tolist()) == ([0.375], [0.75])


def test_the_frontier_is_what_mixtures_of_neighbors_on_the_hull_reach() -> None:
    P = eight()
    roc = views.roc(P)
    assert roc.frontier.tolist() == [[0, 0], *([roc.x[row], roc.y[row]] for row in roc.hull)]
    whole, pr = views.pr(P).frontier, views.pr(P)
    for t in (0.2, 0.5):
        mixed = views.pr(P[["b", "c"]].mix([t, 1 - t]))
        assert np.hypot(*(whole - [mixed.x[0], mixed.y[0]]).T).min() < 0.01
    assert np.hypot(*(whole - [pr.x[2], pr.y[2]]).T).min() < 1e-12


# ---- cost curves


@given(POINTS)
def test_costs_are_those_of_drummond_and_holte_and_the_diagonal_of_the_tile(points: list) -> None:
    P = of_points(points)
    view = views.cost_curve(P)
    for pc, costs in zip(view.x[::10], view.values.T[::10], strict=True):
        for (fp, tp), cost in zip(points, costs, strict=True):
            assert cost == pytest.approx((1 - tp / POSITIVE) * pc + fp / N * (1 - pc), abs=1e-14)
        t = pc * 0.6 / (pc * 0.6 + (1 - pc) * 0.4)
        assert np.allclose(costs, 1 - rs.ranking_score(P.mass, rs.canonical_importance(t, t)), rtol=0, atol=1e-14)
        balanced = P.shift_priors(0.5)
        assert np.allclose(costs, 1 - rs.ranking_score(balanced.mass, rs.canonical_importance(pc, pc)), atol=1e-14)


@given(POINTS)
def test_who_is_first_along_cost_curves_has_the_lowest_cost(points: list) -> None:
    view = views.cost_curve(of_points(points))
    assert view.first[0][1] == 0
    assert view.first[-1][2] == 1
    lines = dict(zip(view.names, points, strict=True))
    lines |= {"always negative": (0, 0), "always positive": (N, POSITIVE)}

    def cost(name: str, pc: float) -> float:
        fp, tp = lines[name]
        return (1 - tp / POSITIVE) * pc + fp / N * (1 - pc)

    for names, low, high in view.first:
        pc = (low + high) / 2
        lowest = min(cost(name, pc) for name in lines)
        assert all(cost(name, pc) == pytest.approx(lowest, abs=1e-12) for name in names)
        others = [name for name in lines if name not in names and lines[name] != lines[names[0]]]
        assert all(cost(name, pc) > lowest for name in others)


def test_costs_of_different_priors_are_compared_by_their_rates() -> None:
    view = views.cost_curve([[6, 2, 1, 3], [6, 2, 1, 9]])
    assert view.prior is None
    assert [names for names, _, _ in view.first] == [("always negative",), ("P2",), ("always positive",)]


# ---- decision curves


@given(POINTS, st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8]))
def test_net_benefit_is_that_of_vickers_and_elkin_and_orders_as_the_tile(points: list, threshold: float) -> None:
    P = of_points(points)
    view = views.decision_curve(P, thresholds=[threshold])
    n = N + POSITIVE
    for (fp, tp), value in zip(points, view.values[:, 0], strict=True):
        assert value == pytest.approx(tp / n - fp / n * threshold / (1 - threshold), abs=1e-14)
    t = Fraction(threshold).limit_denominator(100)
    exact = [Fraction(tp) - fp * t / (1 - t) for fp, tp in points]
    place = rs.at(1 - t, 1 - t)
    expected = [1 + sum(other > own for other in exact) for own in exact]
    assert rs.rank(P, by=place).ranks.tolist() == expected
    mean = 0.6 * threshold + 0.4 * (1 - threshold)  # E[I]
    r = rs.ranking_score(P.mass, rs.canonical_importance(1 - threshold, 1 - threshold))
    assert np.allclose(view.values[:, 0], (r * mean - 0.6 * threshold) / (1 - threshold), rtol=0, atol=1e-14)


@given(POINTS)
def test_who_is_first_along_decision_curves_has_the_largest_net_benefit(points: list) -> None:
    view = views.decision_curve(of_points(points))
    assert (view.first[0][1], view.first[-1][2]) == (0, 1)
    lines = dict(zip(view.names, points, strict=True)) | {"treat none": (0, 0), "treat all": (N, POSITIVE)}
    for names, low, high in view.first:
        p = (low + high) / 2
        benefit = {name: tp - fp * p / (1 - p) for name, (fp, tp) in lines.items()}
        assert all(benefit[name] == pytest.approx(max(benefit.values()), abs=1e-9) for name in names)


def test_treat_all_and_treat_none() -> None:
    view = views.decision_curve(eight())
    assert np.array_equal(view.references["treat none"], np.zeros(100))
    assert np.allclose(view.references["treat all"], view.values[6])  # the entity that always says yes
    assert np.allclose(view.references["treat none"], view.values[5])
    assert view.references["treat all"][0] == pytest.approx(0.4)
    assert view.references["treat all"][np.abs(view.x - 0.4).argmin()] == pytest.approx(0, abs=1e-12)


def test_tables_are_long() -> None:
    view = views.decision_curve(eight(), thresholds=[0.1, 0.2])
    table = view.table()
    assert table.columns == ["entity", "x", "value"]
    assert len(table) == 2 * 10
    assert table["entity"][-1] == "treat all"
    assert table["value"][:2] == view.values[0].tolist()
    assert len(view.frame()) == 20


# ---- errors and contracts


def test_errors() -> None:
    different = [[6, 2, 1, 3], [6, 2, 1, 9]]
    with pytest.raises(
        DataError, match="^decision curves need equal priors; here they go from .* to .*: use shift_priors, or"
    ):
        views.decision_curve(different)
    with pytest.raises(UsageError, match=r"^thresholds are probabilities p_t in \[0, 1\), in one dimension$"):
        views.decision_curve([[6, 2, 1, 3]], thresholds=[0.5, 1])
    with pytest.raises(DataError, match="has no positive cases: it has no point in ROC space"):
        views.roc([[6, 2, 0, 0]])
    with pytest.raises(UsageError, match="ROC space is defined for two-class"):
        views.roc(Performances.from_counts([[1, 1]], space=rs.SampleSpace("coin", ("heads", "tails"))))


def test_public_names_have_examples() -> None:
    for name in views.__all__:
        assert ">>>" in (inspect.getdoc(getattr(views, name)) or ""), name


def test_views_say_what_they_are() -> None:
    assert repr(views.roc(eight())) == "<PointView: Who can be first, in ROC space; 8 models>"
    assert repr(views.cost_curve(eight())).startswith("<CurveView: Expected cost")


@pytest.mark.parametrize("view", [rs.views.roc, rs.views.pr])
def test_rare_positives_are_shown_with_any_preference(view: object) -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        fp, fn = rng.integers(0, 60000, 4), rng.integers(0, 2000, 4)
        P = rs.Performances.from_counts(np.stack([98000 - fp, fp, fn, 2000 - fn], axis=-1))
        for by in ("accuracy", "f1", rs.at(0.2, 0.9)):
            found = view(P, by=by)
            assert ((found.preference.levels >= 0) & (found.preference.levels <= 1)).all()
    view([[94000, 4000, 1000, 1000], [53886, 44114, 400, 1600], [87200, 10800, 800, 1200]], by="accuracy")


def test_a_heading_counts_one_entity() -> None:
    one = Performances.from_counts([[1, 2, 3, 4]])
    assert repr(views.roc(one)) == "<PointView: Who can be first, in ROC space; 1 model>"
    assert repr(rs.tradeoff(one)) == "<Tradeoff between PPV and TPR: 1 model, 0 swaps>"
    assert rs.domains.roles(one, by="f1").heading == "Roles of 1 domain for 1 model by F_1 score"
    assert "of 1 entity; " in repr(rs.uncertainty.posterior(one, draws=2))


def test_f_scores_have_lines_in_pr_space_where_priors_differ() -> None:
    rows = [[9, 1, 4, 6], [8, 2, 1, 14], [7, 3, 2, 11], [9, 1, 8, 4]]
    assert rs.Performances.from_counts(rows).common_prior() is None
    view = views.pr(rows, by="f1", zoom=False)
    assert view.preference.best == ("P2",)
    assert view.preference.value == pytest.approx(28 / 31)
    for level, line in zip(view.preference.levels, view.preference.lines, strict=True):
        recall, precision = line.T
        np.testing.assert_allclose(2 * recall * precision, level * (recall + precision), atol=1e-12)
    recall, precision = view.preference.through.T
    at = view.x[1], view.y[1]
    assert np.min(np.hypot(recall - at[0], precision - at[1])) < 0.02
    with pytest.raises(rs.DataError, match="need equal priors"):
        views.pr(rows, by="accuracy")
    with pytest.raises(rs.DataError, match="need equal priors"):
        views.roc(rows, by="f1")
