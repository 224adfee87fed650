"""Several domains: summaries, weights, roles, the mean of scores, worst cases, and the command."""

import json
import sys
import warnings
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs
from rankscape.cli import main

CELLS = st.lists(st.integers(0, 30), min_size=4, max_size=4).filter(any)
IMPORTANCES = st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any)


def one_entity(rows):
    return rs.Performances.from_counts(rows, names=["m"] * len(rows), domains=[f"d{i}" for i in range(len(rows))])


@given(st.lists(CELLS, min_size=2, max_size=8), IMPORTANCES, st.data())
def test_score_of_the_summary_is_the_weighted_mean_of_scores(rows, importance, data):
    P = one_entity(rows)
    weights = {d: data.draw(st.integers(0, 4)) for d in P.domains}
    weights["d0"] += 1
    found = rs.domains.roles(rs.domains.prepare(P, weights=weights), importance)
    total = Fraction(sum(weights.values()))
    exact = [Fraction(0), Fraction(0)]
    for row, weight in zip(rows, weights.values(), strict=True):
        share = Fraction(weight) / total / sum(row)
        exact[0] += share * (importance[0] * row[0] + importance[3] * row[3])
        exact[1] += share * sum(i * x for i, x in zip(importance, row, strict=True))
    ours = rs.ranking_score(rs.summarize(P, weights), importance)[0]
    if exact[1] == 0:
        assert np.isnan(ours)
        assert np.isnan(found.summarized[0])
        return
    assert ours == pytest.approx(float(exact[0] / exact[1]), abs=1e-14)
    assert found.summarized[0] == float(exact[0] / exact[1])
    w, r = np.nan_to_num(found.weights[0]), np.nan_to_num(found.values[0])
    assert abs(w.sum() - 1) < 1e-14
    assert abs((w * r).sum() - float(exact[0] / exact[1])) < 1e-14


@given(st.lists(CELLS, min_size=1, max_size=5), st.lists(st.integers(1, 10**6), min_size=5, max_size=5))
def test_ranks_do_not_depend_on_total_counts(rows, factors):
    scaled = [[f * x for x in row] for row, f in zip(rows, factors, strict=False)]
    ours, theirs = (rs.summarize(one_entity(cells)).integers[0] for cells in (rows, scaled))
    assert (ours * theirs.sum() == theirs * ours.sum()).all()


@given(st.lists(CELLS, min_size=1, max_size=6))
def test_summaries_keep_the_bijection_of_roc_and_pr_space(rows):
    P = rs.summarize(one_entity(rows))
    tpr, fpr, ppv = (rs.score(name)(P)[0] for name in ("tpr", "fpr", "ppv"))
    prior = P.priors[0]
    if not np.isnan([tpr, fpr, ppv]).any():
        assert ppv == pytest.approx(prior * tpr / (prior * tpr + (1 - prior) * fpr), abs=1e-13)


def gap_of_means(P: rs.Performances) -> float:
    """The mean PPV less the PPV that belongs to the means of TPR, FPR and prior."""
    tpr, fpr, ppv = (rs.domains.mean_of_scores(P, key).means[0] for key in ("tpr", "fpr", "ppv"))
    prior = rs.summarize(P).priors[0]
    return ppv - prior * tpr / (prior * tpr + (1 - prior) * fpr)


def test_means_break_it_unless_domains_are_alike():
    P = one_entity([[85, 5, 4, 6], [8, 2, 18, 72]])
    assert gap_of_means(P) == pytest.approx(
        (6 / 11 + 72 / 74) / 2 - 0.35 / (0.35 + 0.5 * (5 / 90 + 2 / 10) / 2), abs=1e-15
    )
    assert gap_of_means(one_entity([[85, 5, 4, 6], [850, 50, 40, 60]])) == pytest.approx(0, abs=1e-15)


def test_roles_by_hand():
    P = one_entity([[85, 5, 4, 6], [8, 2, 18, 72], [60, 30, 5, 5]])
    found = rs.domains.roles(P, by="f1")
    due = np.array([2 * 6 + 9, 2 * 72 + 20, 2 * 5 + 35]) / 100
    earned = np.array([12, 144, 10]) / 100
    assert found.weights[0] == pytest.approx(due / due.sum(), abs=1e-15)
    assert found.errors[0] == pytest.approx((due - earned) / (due - earned).sum(), abs=1e-15)
    assert (found.easiest, found.hardest, found.preponderant) == (("d1",), ("d2",), ("d1",))
    assert found.bottleneck == ("d2",)


def test_ties_of_roles_are_exact():
    found = rs.domains.roles(one_entity([[0, 2, 2, 5], [0, 6, 6, 15], [0, 1, 8, 1]]), by="f1")
    assert found.sets["easiest"][0] == ("d0", "d1")
    assert found.sets["hardest"][0] == ("d2",)


def test_roles_are_decided_where_quotients_round_to_the_same_number(monkeypatch):
    half = 2**53
    counts = [[half, half, 0, 0], [half + 1, half - 1, 0, 0], [half, half, 0, 0]]
    P = rs.Performances.from_counts(counts * 50, names=np.repeat(range(50), 3), domains=["x", "y", "z"] * 50)
    found = rs.domains.roles(P, by="accuracy")
    assert found.values[0].tolist() == [0.5, 0.5, 0.5]
    assert set(found.sets["easiest"]) == {("y",)}
    assert set(found.sets["hardest"]) == {("x", "z")}
    compared = []
    module = sys.modules["rankscape.domains.roles"]  # the function has its name
    monkeypatch.setattr(module, "Fraction", lambda *number: compared.append(number) or Fraction(*number))
    Q = rs.Performances.from_counts(np.arange(1, 601).reshape(150, 4), names=P.names, domains=P.domains)
    rs.domains.roles(Q, by="accuracy")
    assert len(compared) < 50  # fractions are made of what floats cannot decide, not of everything


def test_perfect_domains_have_no_bottleneck_and_undefined_ones_no_role():
    assert rs.domains.roles(one_entity([[5, 0, 0, 5], [4, 0, 0, 6]])).bottleneck == (None,)
    assert rs.domains.roles(one_entity([[5, 0, 0, 0]]), by="f1").hardest == (None,)
    found = rs.domains.roles(one_entity([[95, 5, 0, 0], [60, 10, 10, 20]]), by="recall")
    assert found.weights.tolist() == [[0, 1]]
    assert found.hardest == found.easiest == ("d1",)


def test_scores_without_importance_have_no_roles():
    with pytest.raises(rs.NoPlaceError, match="gives the domains no weights"):
        rs.domains.roles(one_entity([[5, 1, 1, 5], [4, 1, 2, 6]]), by="mcc")
    by_error = rs.domains.roles(one_entity([[5, 1, 1, 5], [4, 1, 2, 6]]), by="error rate")
    assert by_error.hardest == rs.domains.roles(one_entity([[5, 1, 1, 5], [4, 1, 2, 6]]), by="accuracy").hardest


@pytest.mark.parametrize("role", ["easiest", "hardest", "preponderant", "bottleneck"])
def test_maps_of_roles_agree_with_roles_at_places(role):
    P = one_entity([[85, 5, 4, 6], [8, 2, 18, 72], [60, 30, 5, 5], [70, 10, 5, 15]])
    tile_map = rs.domains.roles_tile(P, role=role, resolution=5)
    for a, b in product(np.linspace(0, 1, 5), repeat=2):
        assert set(tile_map.at(a, b)) == set(rs.domains.roles(P, rs.at(a, b)).sets[role][0])
    assert tile_map.parameters == {"name": "m", "role": role}


def test_weights():
    P = one_entity([[8, 0, 0, 2], [40, 5, 3, 2]])
    for weights, expected in {"equal": [Fraction(1, 2)] * 2, "size": [Fraction(1, 6), Fraction(5, 6)]}.items():
        assert list(rs.domains.roles(rs.domains.prepare(P, weights=weights)).lambdas) == expected
    cdnet = rs.Performances.from_counts([[8, 0, 0, 2]] * 3, names=["m"] * 3, domains=["a/x", "a/y", "b/z"])
    assert list(rs.domains.roles(rs.domains.prepare(cdnet, weights="hierarchical")).lambdas) == [Fraction(1, 4)] * 2 + [
        Fraction(1, 2)
    ]
    found = rs.domains.roles(rs.domains.prepare(cdnet, weights={"a": 1, "b": 2}))
    assert list(found.lambdas) == [Fraction(1, 6), Fraction(1, 6), Fraction(2, 3)]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("big", 'weights="big"; expected one of'),
        ({"d0": 1}, "the domain 'd1' has no weight"),
        ({"d0": 1, "d1": 1, "d2": 1}, "'d2' is no domain"),
        ({"d0": -1, "d1": 1}, "'d0' has -1; expected a finite number"),
        ({"d0": float("nan"), "d1": 1}, "expected a finite number"),
        ({"d0": 0, "d1": 0}, "at least one domain must have a positive weight"),
        ("hierarchical", "needs domains called group/name"),
        ([1, 2], "a mapping of domains to weights"),
    ],
)
def test_weights_that_mean_nothing(weights, message):
    with pytest.raises(rs.UsageError, match=message):
        rs.summarize(one_entity([[8, 0, 0, 2], [40, 5, 3, 2]]), weights)


def test_sizes_need_counts():
    P = rs.Performances.from_probabilities([[0.5, 0, 0, 0.5]] * 2, names=["m", "m"], domains=["x", "y"])
    with pytest.raises(rs.DataError, match="needs counts; these are probabilities"):
        rs.summarize(P, "size")
    assert rs.summarize(P).mass.tolist() == [[0.5, 0, 0, 0.5]]


def test_missing_cells_are_never_silent():
    rows = [[8, 0, 0, 2], [40, 5, 3, 2], [4, 1, 1, 4]]
    P = rs.Performances.from_counts(rows, names=["m", "m", "n"], domains=["x", "y", "x"])
    with pytest.raises(rs.DataError, match=r'1 cell of 4 missing \("n" on "y"\).*missing="complete"'):
        rs.summarize(P)
    with pytest.warns(rs.domains.MissingDomainsWarning, match='on 1 shared domain, without "y"'):
        common = rs.summarize(P, missing="complete")
    assert common.mass.tolist() == [[0.8, 0, 0, 0.2], [0.4, 0.1, 0.1, 0.4]]
    with pytest.warns(rs.domains.MissingDomainsWarning, match="over the domains that it has"):
        report = rs.summarize(P, missing="available")
    assert report.mass[1].tolist() == [0.4, 0.1, 0.1, 0.4]
    assert report.mass[0] == pytest.approx((np.array(rows[0]) / 10 + np.array(rows[1]) / 50) / 2, abs=1e-16)
    with pytest.raises(rs.UsageError, match='missing="drop"'):
        rs.summarize(P, missing="drop")
    apart = rs.Performances.from_counts(rows[:2], names=["m", "n"], domains=["x", "y"])
    with pytest.raises(rs.DataError, match="no domain is shared"):
        rs.summarize(apart, missing="complete")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.domains.MissingDomainsWarning)
        with pytest.raises(rs.DataError, match="no domain with a positive weight"):
            rs.summarize(apart, {"x": 1, "y": 0}, missing="available")


def test_without_domains_a_summary_is_what_it_was():
    P = rs.Performances.from_counts([[8, 0, 0, 2], [4, 1, 1, 4]])
    assert (rs.summarize(P).mass == P.mass).all()
    assert rs.domains.roles(P).easiest == ("all", "all")
    assert len(rs.domains.leave_one_out(P).domains) == 0


def test_more_than_two_classes():
    space = rs.SampleSpace("three", ("right", "near", "wrong"), (1.0, 0.5, 0.0))
    P = rs.Performances.from_counts([[5, 3, 2], [1, 0, 9]], names=["m", "m"], domains=["x", "y"], space=space)
    assert rs.summarize(P).mass.tolist() == [[0.3, 0.15, 0.55]]
    found = rs.domains.roles(P, by=[1, 1, 1])
    assert found.values.tolist() == [[0.65, 0.1]]
    assert found.summarized.tolist() == [0.375]
    assert found.bottleneck == ("y",)


@pytest.mark.parametrize("by", ["fpr", "fnr", "error rate", "fdr", "for", "bennett", "plr"])
def test_values_are_those_of_the_score_that_was_asked_for(by):
    rows = [[50, 10, 15, 25], [20, 20, 10, 50], [33, 7, 4, 56]]
    if by == "plr":  # orders as a ranking score at fixed priors only
        rows = [[50, 10, 15, 25], [30, 30, 10, 30], [53, 7, 4, 36]]
    P, X = one_entity(rows), rs.score(by)
    found = rs.domains.roles(rs.domains.prepare(P, weights={"d0": 1, "d1": 2, "d2": 3}), X)
    values = X(P)
    assert found.values[0] == pytest.approx(values, abs=1e-14)
    assert found.summarized == pytest.approx(X(rs.summarize(P, {"d0": 1, "d1": 2, "d2": 3})), abs=1e-14)
    best, worst = (np.argmin, np.argmax) if X.direction == "smaller" else (np.argmax, np.argmin)
    assert (found.easiest, found.hardest) == ((f"d{best(values)}",), (f"d{worst(values)}",))


@pytest.mark.parametrize("name", ["roles", "mean_of_scores", "leave_one_out"])
def test_scores_of_other_sample_spaces_are_refused(name):
    space = rs.SampleSpace("three", ("right", "near", "wrong"), (1.0, 0.5, 0.0))
    P = rs.Performances.from_counts([[90, 5, 5], [40, 30, 30]], names=["m"] * 2, domains=["x", "y"], space=space)
    with pytest.raises(rs.UsageError, match="F_1 is a score on two-class performances, not on three"):
        getattr(rs.domains, name)(P, "f1")


def test_domains_without_weight_are_not_lost():
    P = rs.Performances.from_counts([[5, 1, 1, 3], [9, 0, 0, 0]], names=["m", "m"], domains=["x", "y"])
    assert rs.domains.mean_of_scores(rs.domains.prepare(P, weights={"x": 1, "y": 0}), "f1").undefined.tolist() == [0]
    assert rs.domains.mean_of_scores(P, "f1").undefined.tolist() == [1]


@pytest.mark.parametrize(("role", "place"), [("bottleneck", (0, 0)), ("preponderant", (0, 1))])
def test_nearly_equal_probabilities_do_not_tie(role, place):
    step = 2.0**-44  # as a share of 1/8 below 1e-12
    rows = [[0.5, 0.125, 0.125, 0.25], [0.5, 0.125 + step, 0.125, 0.25 - step]]
    if role == "preponderant":
        rows = [[0.5, 0.125, 0.125, 0.25], [0.5, 0.125 - step, 0.125 + step, 0.25]]
    P = rs.Performances.from_probabilities(rows, names=["m", "m"], domains=["x", "y"])
    assert rs.domains.roles_tile(P, role=role, resolution=3).at(*place) == ("y",)
    same = rs.Performances.from_probabilities(rows[:1] * 2, names=["m", "m"], domains=["x", "y"])
    assert rs.domains.roles_tile(same, role=role, resolution=3).at(*place) == ("x", "y")


def test_sizes_are_means_over_the_entities_that_have_the_domain():
    rows = [[8, 0, 0, 2], [20, 4, 3, 3], [10, 4, 3, 3], [80, 5, 5, 10]]
    P = rs.Performances.from_counts(rows, names=["m", "m", "n", "n"], domains=["x", "y"] * 2)
    assert list(rs.domains.roles(rs.domains.prepare(P, weights="size")).lambdas) == [
        Fraction(3, 16),
        Fraction(13, 16),
    ]  # (10+20)/2 : 65
    with pytest.warns(rs.domains.MissingDomainsWarning):
        found = rs.domains.roles(rs.domains.prepare(P[[0, 1, 3]], weights="size", missing="available"))
    assert list(found.lambdas) == [Fraction(2, 15), Fraction(13, 15)]  # 10 : (30 + 100) / 2


def test_leaving_out_is_dropping():
    P = rs.datasets.classifiers()
    found = rs.domains.leave_one_out(P, by="f1")
    for d, best, ranks in zip(found.domains, found.winners, found.ranks, strict=True):
        kept = P[[domain != d for domain in P.domains]]
        expected = rs.rank(kept, by="f1")
        assert best == expected.best
        assert ranks.tolist() == expected.ranks.tolist()


def test_swapped_pairs_by_loops():
    P = rs.datasets.classifiers()
    found = rs.domains.mean_of_scores(P, by="accuracy")
    assert found.swapped == ()  # all weights are 1: the mean of accuracies is the accuracy of the mean
    assert found.means.tolist() == found.values.tolist()
    found = rs.domains.mean_of_scores(P, by="f1")
    assert len(found.swapped) == sum(
        (found.values[i] > found.values[j]) and (found.means[i] < found.means[j])
        for i, j in product(range(len(found.names)), repeat=2)
    )


def run(*arguments, status=0):
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == status, done.output
    return done


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text("domain,entity,tn,fp,fn,tp\nx,m,85,5,4,6\ny,m,8,2,18,72\nx,n,80,10,5,5\ny,n,9,1,9,81\n")
    return str(path)


def test_command_domains(table):
    shown = run("domains", table).stdout
    assert "summarized  easiest  hardest  preponderant  bottleneck" in shown
    assert "Who is first depends on one domain: without y, others are first" in shown
    one = run("domains", table, "--entity", "m", "--by", "f1").stdout
    assert "Score of the summarized performance: 0.8432; mean of the scores: 0.7247" in one
    assert "easiest, preponderant, bottleneck" in one
    found = json.loads(run("domains", table, "--entity", "n", "--format", "json").stdout)
    assert [cell["entity"] for cell in found["cells"]] == ["n", "n"]
    assert run("domains", table, "--format", "csv").stdout.startswith(
        "entity,domain,given,share,weight,value,errors,easiest,hardest,preponderant,bottleneck\nm,x,0.5,0.5,"
    )


def test_command_domains_tells_one_story_by_error_rate(table):
    shown = run("domains", table, "--entity", "m", "--by", "er").stdout
    assert "Score of the summarized performance: 0.1450; mean of the scores: 0.1450" in shown
    found = json.loads(run("domains", table, "--by", "er", "--entity", "m", "--format", "json").stdout)
    assert found["entities"][0]["summarized"] == pytest.approx(found["entities"][0]["mean"]) == 0.145
    assert [cell["value"] for cell in found["cells"]] == pytest.approx([0.09, 0.2])


def test_command_domains_refuses(table):
    assert "no entity is called 'q'" in run("domains", table, "--entity", "q", status=2).output
    assert "'x' is not understood" in run("domains", table, "--weights", "x", status=2).output
    assert "the domain 'y' has no weight" in run("domains", table, "--weights", "x=1", status=2).output
    assert "gives the domains no weights" in run("domains", table, "--by", "mcc", status=2).output


def test_the_command_speaks_of_one_and_of_several_domains(tmp_path):
    path = tmp_path / "r.csv"
    rows = {("m", "x"): "85,5,4,6", ("m", "y"): "8,2,18,72", ("n", "x"): "80,10,5,5", ("n", "y"): "9,1,9,81"}

    def shown(*options, status=0):
        path.write_text("entity,domain,tn,fp,fn,tp\n" + "".join(f"{e},{d},{r}\n" for (e, d), r in rows.items()))
        done = CliRunner().invoke(main, ["domains", str(path), *options])
        assert done.exit_code == status, done.output
        return " ".join(done.output.split())

    assert "Who is first depends on one domain: without y, others are first" in shown()
    one = shown("--domain", "x")
    assert "There is one domain only" in one
    assert "swaps" not in one
    rows = {(e, d): r for e, r in (("m", "8,2,2,8"), ("n", "8,2,2,8")) for d in "xyz"}
    rows["m", "x"], rows["n", "y"] = "9,1,1,9", "9,1,1,9"  # tied, until either is left out
    said = shown()
    assert "Who is first depends on each of 2 domains: leaving out any one of them, x, y, changes who is first" in said
    assert "y and z" in said
    assert " = " not in said.split("The mean")[0].split("bottleneck", 2)[-1]


def test_who_is_undefined_everywhere_has_no_role():
    P = rs.Performances.from_counts([[9, 0, 1, 0], [8, 0, 2, 0]], names=["m", "m"], domains=["x", "y"])
    found = rs.domains.roles(P, by="precision")
    assert found.sets["preponderant"] == ((),)


def test_the_mean_of_scores_puts_pairs_the_other_way_round(table):
    P = rs.read(table)
    found = rs.domains.mean_of_scores(P, by="f1")
    said = " ".join(run("domains", table).stdout.split())
    assert found.swapped
    for better, worse in found.swapped:
        assert f"{worse} above {better}" in said


def test_a_domain_that_is_left_out_needs_no_weight(tmp_path: Path) -> None:
    rows = "model,domain,tn,fp,fn,tp\na,x,9,1,4,6\na,y,8,2,2,8\nb,x,7,3,5,5\nb,y,6,4,1,9\na,z,1,1,1,1\n"
    (tmp_path / "t.csv").write_text(rows)
    P = rs.read(tmp_path / "t.csv")
    with pytest.warns(rs.domains.MissingDomainsWarning):
        left = rs.summarize(P, {"x": 3, "y": 1}, missing="complete")
    with pytest.warns(rs.domains.MissingDomainsWarning):
        whole = rs.summarize(P, {"x": 3, "y": 1, "z": 5}, missing="complete")
    assert left.mass.tolist() == whole.mass.tolist()
    shown = run("rank", str(tmp_path / "t.csv"), "--missing", "complete", "--weights", "x=3,y=1").stdout
    assert "left out because not every model has it: z" in shown
    assert (
        "'y' has no weight"
        in run("rank", str(tmp_path / "t.csv"), "--missing", "complete", "--weights", "x=3", status=2).stderr
    )


def test_weights_name_domains_with_commas_and_equals_signs(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('model,domain,tn,fp,fn,tp\nm,"a, b",9,1,4,6\nm,c=d,8,2,2,8\n')
    shown = run("domains", str(path), "--format", "json", "--weights", '"a, b"=3, c=d=1').stdout
    assert json.loads(shown)["prepared"]["weights"] == {"a, b": 0.75, "c=d": 0.25}


@pytest.mark.parametrize("weights", [
    {"n": 1, "d": 1}, {("n",): 1, ("d",): 1}, {("n", "x"): 2, ("d", "y"): 2, "d/z": 5},
])  # fmt: skip
def test_weights_of_groups_stay_so_where_a_domain_is_left_out(weights) -> None:
    rows = [[5, 1, 1, 5], [4, 2, 2, 4], [3, 3, 1, 5], [6, 1, 2, 3], [1, 2, 3, 4]]
    P = rs.Performances.from_counts(rows, names=list("ababa"), domains=["n/x", "n/x", "d/y", "d/y", "d/z"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        means = [rs.summarize(P, weights=w, missing="complete").integers.tolist() for w in (weights, "hierarchical")]
    assert means[0] == means[1]
