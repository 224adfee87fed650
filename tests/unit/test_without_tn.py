"""Performances without true negatives: the right side of the Tile is that of any number of true negatives."""

import io
import warnings
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

import rankscape as rs
from rankscape import Performances
from rankscape.cli import main
from rankscape.errors import DataError, NoPlaceError, UsageError
from rankscape.outcomes import WITHOUT_TN
from rankscape.tasks.retrieval import SPACE
from rankscape.tasks.two_class import at_right_side

LACKS = "needs true negatives, which these data do not have"
NAMES = list("abcde")
ROW = st.tuples(*[st.integers(0, 12)] * 3).filter(any)
ROWS = st.lists(ROW, min_size=2, max_size=5)
TABLE = "tracker,sequence,TP,FP,FN\n" + "".join(
    f"{name},{sequence},{counts}\n"
    for name, rows in {
        "careful": ("120,10,80", "90,4,60"), "balanced": ("150,40,50", "110,25,40"), "eager": ("170,120,30", "130,90,20")
    }.items()
    for sequence, counts in zip(("s1", "s2"), rows, strict=True)
)  # fmt: skip


def without(rows: Any, **more: Any) -> Performances:
    fp, fn, tp = np.array(rows).T
    return Performances.from_counts(fp=fp, fn=fn, tp=tp, names=NAMES[: len(rows)], **more)


def with_tn(rows: Any, tn: Any, **more: Any) -> Performances:
    fp, fn, tp = np.array(rows).T
    return Performances.from_counts(tn=tn, fp=fp, fn=fn, tp=tp, names=NAMES[: len(rows)], **more)


def run(line: str, folder: Path, **files: str) -> Result:
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text)
    parts = [str(folder / part) if part.endswith((".csv", "c.html", "card.html")) else part for part in line.split()]
    return CliRunner().invoke(main, parts)


# ---- against the same data with true negatives, exactly


@given(ROWS, st.data(), st.sampled_from(["f1", "precision", "recall", "csi", "fbeta(2)", "fmi", "fdr", "kulczynski2"]))
def test_values_and_ranks_are_those_with_any_true_negatives(rows: Any, data: Any, name: str) -> None:
    tn = data.draw(st.lists(st.integers(0, 10**6), min_size=len(rows), max_size=len(rows)))
    P, Q = without(rows), with_tn(rows, tn)
    one, other = rs.score(name, P.space)(P), rs.score(name)(Q)
    assert np.array_equal(one, rs.score(name)(P), equal_nan=True)
    assert one == pytest.approx(other, abs=1e-15, nan_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.UnsoundScoreWarning)
        first, second = rs.rank(P, by=name), rs.rank(Q, by=name)
    assert np.array_equal(first.ranks, second.ranks, equal_nan=True)
    assert first.score.symbol == second.score.symbol


@given(ROWS, st.data(), st.fractions(0, 1, max_denominator=7))
def test_flips_and_regions_are_those_of_the_right_side(rows: Any, data: Any, b: Fraction) -> None:
    tn = data.draw(st.lists(st.integers(0, 500), min_size=len(rows), max_size=len(rows)))
    P, Q = without(rows), with_tn(rows, tn)
    by = rs.at(Fraction(1), b)
    try:
        expected = rs.regions.flips(Q, by)
    except UsageError:  # undefined for all, at the ends of the side
        with pytest.raises(UsageError, match="no(body| model) is first"):
            rs.regions.flips(P, by)
        return
    found = rs.regions.flips(P, by)
    assert (found.first, found.along_b, found.beta) == (expected.first, expected.along_b, expected.beta)
    assert found.factor == expected.factor
    assert np.isnan(found.along_a).all()
    along = [flip for flip in expected.flips if "false alarms" in flip.direction]
    assert [*found.flips] == along

    regions, tile = rs.regions.first(P), rs.regions.first(Q)
    cuts = sorted({Fraction(0), Fraction(1), *(x for i in P for j in P for x in crossing(i, j))})
    areas: dict[str, Fraction] = {}
    for low, high in pairwise(cuts):
        for name in tile.at(1, (low + high) / 2):
            areas[name] = areas.get(name, Fraction(0)) + high - low
    assert regions.areas == pytest.approx({name: float(area) for name, area in areas.items()}, abs=1e-12)
    assert set(rs.regions.winners(P)) == set(areas)
    assert all(set(regions.at(1, x)) == set(tile.at(1, x)) for x in cuts)


def crossing(one: Performances, other: Performances) -> list[Fraction]:
    """Return the b in (0, 1) at which (1−b)·fp/tp + b·fn/tp of two are equal."""
    (fp, fn, tp), (fp2, fn2, tp2) = (map(int, each.counts[0]) for each in (one, other))
    left, right = fp * tp2 - fp2 * tp, fn * tp2 - fn2 * tp
    return [Fraction(left, left - right)] if left * right < 0 else []


@given(ROWS, st.data())
def test_trade_offs_are_those_with_any_true_negatives(rows: Any, data: Any) -> None:
    tn = data.draw(st.lists(st.integers(0, 500), min_size=len(rows), max_size=len(rows)))
    t, u = rs.tradeoff(without(rows)), rs.tradeoff(with_tn(rows, tn))
    assert t.exact_swaps == u.exact_swaps
    assert t.tau_ends == pytest.approx(u.tau_ends, nan_ok=True)
    assert t.n_rankings == u.n_rankings
    assert np.array_equal(t.optimal_set, u.optimal_set, equal_nan=True)
    assert t.summary().splitlines()[:2] == u.summary().splitlines()[:2]


@given(ROW, ROW, st.integers(0, 100))
def test_dominance_and_wins_are_on_the_right_side(one: Any, other: Any, tn: int) -> None:
    P = without([one, other])
    values = np.array([rs.ranking_score(P, rs.at(1, b)) for b in np.linspace(0.01, 0.99, 99)])
    ahead = values[:, 0] - values[:, 1]
    if rs.regions.dominates(P[0], P[1]):
        assert (ahead >= -1e-12).all()
        assert (ahead > 0).any()
    share = rs.regions.area_of_win(P[0], P[1])
    assert share == pytest.approx((ahead > 1e-12).mean(), abs=0.03)
    cut = rs.regions.border(P[0], P[1]).exact_b(Fraction(1))
    assert cut == rs.regions.border(*with_tn([one, other], tn)).exact_b(Fraction(1))


# ---- what there is


def test_counts_and_importances() -> None:
    P = without([(3, 4, 10), (9, 2, 12)])
    assert P.space == WITHOUT_TN
    assert P.counts.tolist() == [[3, 4, 10], [9, 2, 12]]
    assert Performances.from_counts(fp=3, fn=4, tp=10, space=SPACE).space.name == "retrieval"
    for by in ([1, 1, 2], [0, 1, 1, 2], rs.at(1, 0.5), rs.fbeta(1), {"fp": 1, "fn": 1, "tp": 2}, rs.score("f1")):
        assert rs.rank(P, by=by).values == pytest.approx(rs.rank(P, by="f1").values)
    assert rs.rank(P, by={"tn": 0, "fp": 1, "tp": 1}).values == pytest.approx(rs.rank(P, by="precision").values)
    assert rs.rank(P, by="tp/(1 - tn)").values == pytest.approx(rs.rank(P, by="jaccard").values)
    assert rs.score("f2", P.space).place() == (1, 0.8)
    assert rs.score("P(tp | fp, tp)", P.space)(P) == pytest.approx(rs.score("ppv")(P))
    assert rs.compare(P[0], P[1], by="recall") == "worse"
    assert at_right_side(P).counts[:, 0].tolist() == [0, 0]
    assert P.common_prior() is None


@pytest.mark.parametrize("call", [
    lambda P: rs.rank(P, by="accuracy"), lambda P: rs.rank(P, by="error rate"), lambda P: rs.rank(P, by="tp - fp"),
    lambda P: rs.rank(P, by="lift"), lambda P: rs.rank(P, by="mcc"), lambda P: rs.score("kappa")(P),
    lambda P: rs.rank(P, by="tn/(tn + fp)"), lambda P: rs.rank(P, by=rs.at(0.5, 0.5)), lambda P: rs.vut(P),
    lambda P: rs.rank(P, by=rs.costs(miss=20)), lambda P: rs.rank(P, by={"tn": 1, "fp": 1}), lambda P: P.priors,
    lambda P: P.shift_priors(0.2), lambda P: P.no_skill(), lambda P: rs.tile.entity(P), lambda P: rs.tile.value(P, "a"),
    lambda P: rs.tradeoff(P, ends=("npv", "tpr")), lambda P: rs.views.roc(P), lambda P: rs.views.pr(P, by="accuracy"),
    lambda P: rs.regions.first(P).at(0.5, 0.5), lambda P: rs.regions.first(P).borders_at(0),
    lambda P: rs.regions.prior_flips(P, "f1"), lambda P: rs.uncertainty.first_tile(P, draws=10),
    lambda P: rs.gate(P["a"], P["b"], "a = 0.5, b = 0.5"), lambda P: rs.gate(P["a"], P["b"], "beta = 1, prior = 0.1"),
    lambda P: rs.gate(P["a"], P["b"], shift_prior=0.1), lambda P: rs.gate(P["a"], P["b"], costs=rs.costs(miss=5)),
])  # fmt: skip
def test_the_rest_says_why_not(call: Any) -> None:
    with pytest.raises(UsageError, match=LACKS):
        call(without([(3, 4, 10), (9, 2, 12)]))


def test_costs_name_the_f_score_of_the_same_exchange_rate() -> None:
    P = without([(3, 4, 10), (9, 2, 12)])
    with pytest.raises(UsageError, match=r"by=rs\.at\(1, Fraction\(20, 21\)\)"):
        rs.rank(P, by=rs.costs(miss=20))
    with pytest.raises(UsageError, match='box="a = 1, b = 5/6"'):
        rs.gate(P["a"], P["b"], costs=rs.costs(miss=5))
    with pytest.raises(NoPlaceError, match="it breaks the axioms of ranking"):
        rs.regions.flips(P, by="fmi")
    with pytest.raises(DataError, match="of different kinds, without true negatives and two-class"):
        rs.gate(P["a"], with_tn([(3, 4, 10)], 5))
    with pytest.raises(DataError, match="all counts are 0"):
        without([(0, 0, 0), (1, 1, 1)])


def test_pr_space_has_the_lines_of_f_scores() -> None:
    P = without([(3, 4, 10), (9, 2, 12), (0, 5, 0), (20, 1, 14)])
    view = rs.views.pr(P, by="f2", zoom=False)
    assert view.hull is None
    assert view.no_skill is None
    assert view.prior is None
    assert view.preference.best == tuple(rs.rank(P, by="f2").best)
    for level, line in zip(view.preference.levels, view.preference.lines, strict=True):
        recall, precision = line[1:-1].T
        assert 5 / (4 / recall + 1 / precision) == pytest.approx(np.full(len(recall), level))
    assert rs.views.pr(P, by="precision").preference.lines[0][:, 1].std() == 0
    view.plot().figure.canvas.draw()


def test_the_heuristic_needs_the_same_positives() -> None:
    same = rs.tradeoff(without([(3, 4, 10), (9, 2, 12), (20, 1, 13)]))
    assert same.heuristic_beta == pytest.approx((32 / 7) ** 0.5)
    assert np.isnan(same.sivf_beta)
    other = rs.tradeoff(without([(3, 4, 10), (9, 2, 15)]))
    assert np.isnan(other.heuristic_beta)
    assert "SIVF" not in other.compare()["score"]


# ---- how sure


def test_draws_pool_precision_and_recall() -> None:
    rng = np.random.default_rng(0)
    tp, fp = rng.binomial(200, 0.77, 10), rng.poisson(60, 10)
    P = Performances.from_counts(fp=fp, fn=200 - tp, tp=tp)
    for by in ("f1", "recall", "precision"):  # ten that are alike: nobody is surely first
        assert np.nanmax(rs.uncertainty.rank_intervals(P, by=by, draws=500).p_first) < 0.6
    each = rs.uncertainty.posterior(P, draws=2000, method="jeffreys").values
    recall = each[:, 0, 2] / each[:, 0, 1:].sum(axis=1)
    assert recall.mean() == pytest.approx(tp[0] / 200, abs=0.01)
    assert recall.std() == pytest.approx((tp[0] * (200 - tp[0]) / 200**3) ** 0.5, rel=0.1)


@pytest.mark.nightly
def test_draws_are_calibrated() -> None:
    """Five trackers, 100 objects: stated and observed probabilities of the likeliest first, and intervals."""
    for by in ("f1", "recall", "precision"):
        stated, observed, inside = [], [], []
        for k in range(200):
            rng = np.random.default_rng(k)
            recall, alarms = expit(rng.normal(1.2, 0.5, 5)), 100 * np.exp(rng.normal(np.log(0.3), 0.5, 5))
            tp, fp = rng.binomial(100, recall), rng.poisson(alarms)
            truth = Performances.from_probabilities(
                (shares := np.stack([alarms, 100 * (1 - recall), 100 * recall], 1)) / shares.sum(1, keepdims=True),
                space=WITHOUT_TN,
            )
            P = Performances.from_counts(fp=fp, fn=100 - tp, tp=tp)
            drawn, values = rs.uncertainty.rank_intervals(P, by=by, draws=300, rng=k), rs.score(by)(truth)
            best = int(np.nanargmax(drawn.p_first))
            stated.append(drawn.p_first[best])
            observed.append(best == values.argmax())
            inside.append(((drawn.value_low <= values) & (values <= drawn.value_high)).mean())
        assert np.mean(stated) - np.mean(observed) <= 0.07
        assert np.mean(inside) >= 0.93 - 0.01  # a target less what chance may take from 1000 intervals


@pytest.mark.some(6)
@pytest.mark.parametrize(("new", "old"), [
    ((30, 40, 160), (60, 60, 140)), ((50, 50, 150), (60, 55, 145)), ((60, 60, 140), (30, 40, 160)), ((8, 5, 15), (6, 6, 14)),
])  # fmt: skip
@pytest.mark.parametrize("box", ["beta = 1", "beta in [0.5, 2]", "a = 1, b = 1"])
def test_a_gate_is_that_of_very_many_true_negatives(new: Any, old: Any, box: str) -> None:
    many = 10**7
    found = rs.gate(without([new]), without([old]), box, draws=4000)
    expected = rs.gate(with_tn([new], many - new[0]), with_tn([old], many - old[0]), box, draws=4000)
    assert found.verdict == expected.verdict
    # differs because what is pooled differs: tp and the kind of errors, in the place of two rates; most for few cases
    assert found.probability == pytest.approx(expected.probability, abs=0.03 if sum(new) > 100 else 0.1)
    assert (found.new_value, found.old_value) == pytest.approx((expected.new_value, expected.old_value))
    assert found.prior is None


def test_a_margin_is_of_the_detections() -> None:
    new, old = without([(60, 70, 130)]), without([(60, 60, 140)])
    assert rs.gate(new, old, margin=0).probability < rs.gate(new, old, margin=0.1).probability
    allowed = rs.gate(new, old, margin=0.1).allowed
    assert allowed == pytest.approx(float(rs.score("f1")(without([(60, 74, 126)]))[0]))
    assert rs.gate(new, new, margin=0.3).verdict == "pass"


def test_a_gate_on_domains() -> None:
    sides = [
        Performances.from_counts(
            fp=[20, 12, 31, 8, 15, 20], fn=fn, tp=[150, 40, 300, 90, 80, 70], names=["m"] * 6, domains=list("uvwxyz")
        )
        for fn in ([34, 8, 70, 12, 19, 22], [40, 20, 90, 30, 33, 41])
    ]  # fmt: skip
    for resample, verdict in (("cases", "pass"), ("domains", "undecided")):  # six other domains might differ
        decision = rs.gate(*sides, resample=resample)
        assert (decision.verdict, decision.probability > 0.9) == (verdict, True)
        assert decision.worst.a == 1
    every = rs.gate(*sides, every_domain=True)
    assert set(every.by_domain) == set("uvwxyz")


# ---- tables and the command line


def test_a_table_without_tn_is_read() -> None:
    P = rs.read(io.StringIO(TABLE))
    assert P.space == WITHOUT_TN
    assert P.domains[:2] == ("s1", "s2")
    assert P.counts[0].tolist() == [10, 80, 120]
    shares = rs.read({"model": ["a", "b"], "tp": ["0.2", "0.3"], "fp": ["0.3", "0.3"], "fn": ["0.5", "0.4"]})
    assert shares.space == WITHOUT_TN
    assert shares.counts is None
    assert rs.read({"tp": [1], "fp": [2], "fn": [3], "precision": [0.3]}).counts.tolist() == [[2, 3, 1]]
    for columns, says in (
        ({"tp": [1], "fp": [2], "fn": [3], "true_negs": [4]}, 'no column tn; .* rename "true_negs"'),
        ({"tp": [1], "fp": [2], "fn": [3], "TN (pixels)": [4]}, 'no column tn; .* rename "TN .pixels."'),
        ({"tp": [1], "fp": [2]}, "no columns tn, fn"),
        ({"tp": [1], "fp": [2], "fn": [3], "FP": [4]}, 'the columns "fp" and "FP" all mean fp'),
        ({"tp": ["0.2"], "fp": ["0.3"], "fn": ["0.4"]}, "fp, fn, tp sum to 0.9"),
        ({"tp": [1], "fp": [2], "fn": [3], "total": [9]}, "give them in a column tn if they are true negatives"),
    ):
        with pytest.raises(DataError, match=says):
            rs.read(columns)


@pytest.mark.parametrize(("line", "says"), [
    ("rank t.csv", "On the right side of the Tile, at b = 0.5: a miss counts as a false alarm"),
    ("rank t.csv --by 1,4/5", "a miss counts as 4 false alarms"),
    ("rank t.csv --by fp=1,fn=2,tp=3", "a miss counts as 2 false alarms"),
    ("rank t.csv --by recall --uncertainty --draws 100", "P(first)"),
    ("why t.csv", "Share of the right side of the Tile"),
    ("why t.csv --by f2", "What if correct rejections counted, too? That needs true negatives"),
    ("tradeoff t.csv", "The balanced trade-off is F_β"),
    ("domains t.csv", "bottleneck"),
    ("rank t.csv --by 1/2,1/2", f"--by 0.5,0.5 {LACKS}: at --by 1,0.5 they do not count"),
    ("rank t.csv --costs miss=20", f"an expected cost per case {LACKS}: the F-score of the same exchange rate needs none: --by 1,20/21"),
    ("rank t.csv --by accuracy", f"accuracy {LACKS}"),
    ("rank t.csv --shift-prior 0.2", f"a shift of the prior {LACKS}"),
    ("tradeoff t.csv --ends npv tpr", LACKS),
    ("tile t.csv", f"the Tile {LACKS}: `rankscape why` says who is first on its right side"),
    ("gate t.csv --entity eager --against t.csv --against-entity careful --box a=0,b=0", "state the box in beta"),
])  # fmt: skip
def test_commands(line: str, says: str, tmp_path: Path) -> None:
    result = run(line, tmp_path, t=TABLE)
    assert says in " ".join(result.output.split())
    assert result.exit_code == (2 if LACKS in says or "state the box" in says else 0), result.output


def test_a_gate_on_the_command_line(tmp_path: Path) -> None:
    new, old = TABLE.replace("120,10,80", "160,10,40"), TABLE
    result = run("gate n.csv --entity careful --against o.csv --against-entity careful", tmp_path, n=new, o=old)
    assert result.exit_code == 0, result.output
    result = run("gate o.csv --entity eager --against n.csv --against-entity careful", tmp_path, n=new, o=old)
    assert result.exit_code == 1
    near = TABLE.replace("120,10,80", "123,10,77")
    result = run("gate n.csv --entity careful --against o.csv --against-entity careful", tmp_path, n=near, o=old)
    assert result.exit_code == 4
    assert "positive cases of each of the two" in " ".join(result.output.split())


def test_a_card_without_true_negatives(tmp_path: Path) -> None:
    card = rs.report(rs.read(io.StringIO(TABLE)), draws=100)
    titles = [section.title for section in card.sections]
    assert {"What would change the answer", "May you rank with this score?", "Between precision and recall"} <= {
        *titles
    }
    text = " ".join(line for section in card.sections for line in section.lines)
    assert "True negatives are not known, and nothing on this page needs them" in text
    assert not any("detection" in change for change in card["What would change the answer"].table["nearest change"])
    result = run("report t.csv -o card.html --draws 50", tmp_path, t=TABLE)
    assert result.exit_code == 0
    page = (tmp_path / "card.html").read_text()
    assert "in PR space" in page
    assert "ROC" not in page
    linked = run("explore t.csv -o c.html --draws 50", tmp_path, t=TABLE)
    assert linked.exit_code == 0, linked.output
