"""Costs: a preference like any importance, and the expected cost of each performance, against plain fractions."""

import copy
import json
import pickle
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape._report.render import wrapped
from rankscape.cli import main
from rankscape.uncertainty.box import box_of_costs

COUNTS = [[90, 5, 1, 4], [80, 15, 0, 5], [95, 0, 5, 0], [10**17, 3, 10**17 + 1, 7]]
CASES = [
    {"miss": 20},
    {"miss": 0.3, "false_alarm": 0.1, "detection": 0.1},
    {"miss": 0, "detection": -1, "false_alarm": 0.25},
    {"miss": Fraction(1, 3), "false_alarm": 7, "correct_rejection": -2, "detection": Fraction(-5, 7)},
]


@pytest.mark.parametrize("given", CASES)
@pytest.mark.parametrize("of", ["counts", "probabilities", "shifted"])
def test_the_expected_cost_is_exact_but_for_one_rounding(given: dict, of: str) -> None:
    P = rs.Performances.from_counts(COUNTS)
    if of == "probabilities":
        P = rs.Performances.from_probabilities(P.mass)
    if of == "shifted":
        P = P[:3].shift_priors(Fraction(1, 50))
    four = [Fraction(str(given.get(name, default))) for name, default in
            (("correct_rejection", 0), ("false_alarm", 1), ("miss", 1), ("detection", 0))]  # fmt: skip
    brute = [float(sum(c * int(n) for c, n in zip(four, row, strict=True)) / int(sum(row))) for row in P.integers]
    assert rs.costs(**given).expected(P).tolist() == brute


@pytest.mark.parametrize("given", CASES)
def test_at_equal_priors_the_score_orders_as_the_expected_cost(given: dict) -> None:
    rng = np.random.default_rng(0)
    positives = rng.integers(0, 31, size=40)
    negatives = rng.integers(0, 71, size=40)
    P = rs.Performances.from_counts(np.stack([70 - negatives, negatives, 30 - positives, positives], axis=1))
    C = rs.costs(**given)
    exact = [Fraction(x) for x in C.importance.tolist()]
    assert exact[0] == exact[1]
    assert exact[2] == exact[3] == Fraction(str(given.get("miss", 1))) - Fraction(str(given.get("detection", 0)))
    costs, values = C.expected(P), rs.rank(P, by=C).values
    order = np.argsort(values)
    assert (np.diff(costs[order]) <= 0).all()


def test_costs_stand_for_their_importance() -> None:
    C, P = rs.costs(miss=5), rs.datasets.finley()
    assert np.asarray(C).tolist() == C.importance.tolist() == [1, 1, 5, 5]
    assert np.asarray(C, dtype=float).dtype == np.float64
    assert rs.locate(C) == rs.locate([1, 1, 5, 5])
    plain = rs.rank(P, by=[1, 1, 5, 5])
    assert rs.rank(P, by=C).values.tolist() == plain.values.tolist()
    assert rs.ranking_score(P, C).tolist() == rs.ranking_score(P, [1, 1, 5, 5]).tolist()
    assert np.mean([np.asarray(C), np.asarray(rs.costs(miss=3))], axis=0).tolist() == [1, 1, 4, 4]  # averaged


def test_costs_are_values() -> None:
    assert rs.costs(miss=20, currency="€") == rs.costs(20, 1, currency="€")
    assert rs.costs(miss=20) != rs.costs(miss=21)
    assert rs.costs(miss=20) != rs.costs(miss=20, currency="€")
    assert len({rs.costs(), rs.costs(), rs.costs(5)}) == 2
    assert repr(rs.costs(5, currency="€")) == "costs(miss=5, false_alarm=1, currency='€')"
    assert rs.costs(Fraction(1, 3)).miss == Fraction(1, 3)
    assert isinstance(rs.costs(np.float64(2)).miss, float)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"miss": -1}, "costs must not be negative, nor both 0; got a miss -1, a false alarm 1"),
        ({"miss": 0, "false_alarm": 0}, "nor both 0; got a miss 0, a false alarm 0"),
        ({"detection": 2}, "each error must cost at least as much as the right answer in its place.*a detection 2"),
        ({"detection": 1, "correct_rejection": 1}, "and one of them more"),
        ({"miss": "5"}, "the cost of a miss must be a finite number; got 5"),
        ({"false_alarm": float("nan")}, "the cost of a false alarm must be a finite number; got nan"),
        ({"detection": float("-inf")}, "the cost of a detection must be a finite number"),
        ({"currency": 3}, "currency"),
        ({"per": 0}, "a number of cases ≥ 1"),
        ({"per": 0.5}, "a number of cases ≥ 1"),
    ],
)
def test_costs_that_mean_nothing_get_a_sentence(given: dict, says: str) -> None:
    with pytest.raises(rs.UsageError, match=says):
        rs.costs(**given)


def test_benefits_of_right_answers() -> None:
    P = rs.Performances.from_counts(COUNTS[:3])
    p = 0.2
    C = rs.costs(miss=0, detection=-1, false_alarm=p / (1 - p))
    net_benefit = P.mass[:, 3] - p / (1 - p) * P.mass[:, 1]
    assert -C.expected(P) == pytest.approx(net_benefit)
    assert list(rs.rank(P, by=C)) == list(rs.rank(P, by=rs.net_benefit(p)))
    with pytest.raises(rs.UsageError, match="two-class performances"):
        C.expected(rs.tasks.success.from_counts([3, 4], [5, 5]))


def test_how_costs_are_written() -> None:
    C = rs.costs(miss=20, currency="€", per=100_000)
    assert C.text(0.025) == "€ 2 500 per 100 000 cases"
    assert C.text(-0.025) == "€ -2 500 per 100 000 cases"
    assert C.phrase == "a miss € 20, a false alarm € 1"
    assert (
        rs.costs(miss=3, currency="days", detection=-1).phrase
        == "a miss 3 days, a false alarm 1 days, a detection -1 days"
    )
    assert C.numbers([0.1, 0.10000001]) == ["10 000.000", "10 000.001"]


def test_no_line_ends_inside_a_number() -> None:
    text = "a cost of 12 340 per 1 000 cases"
    for width in range(8, 40):
        lines = wrapped(text, width).split("\n")
        assert " ".join(line.strip() for line in lines) == text
        assert not [line for line in lines if line.strip().startswith(("340", "000"))]


def test_costs_can_be_copied_and_pickled() -> None:
    C = rs.costs(Fraction(1, 3), detection=-2, currency="€", per=100)
    assert pickle.loads(pickle.dumps(C)) == copy.deepcopy(C) == C


# ---- rankings, and how sure they are


def domains() -> rs.Performances:
    return rs.Performances.from_counts(
        [[90, 5, 1, 4], [80, 15, 0, 5], [40, 20, 2, 38], [45, 15, 20, 20]],
        names=["a", "b", "a", "b"], domains=["x", "x", "y", "y"],
    )  # fmt: skip


def test_a_ranking_by_costs_has_the_expected_cost() -> None:
    P, C = domains(), rs.costs(miss=20, currency="€")
    ranking = rs.rank(P, by=C)
    averaged = rs.summarize(P)
    assert ranking.expected_costs is not None
    assert ranking.expected_costs.tolist() == C.expected(averaged).tolist() == [0.425, 2.15]
    assert ranking.table().columns == ["rank", "entity", "value", "expected_cost", "rank_low", "rank_high", "reason"]
    assert ranking.table()["expected_cost"] == [0.425, 2.15]
    plain = rs.rank(P, by=C.importance)
    assert plain.expected_costs is None
    assert "expected_cost" not in plain.table().columns
    assert plain.ranks.tolist() == ranking.ranks.tolist()


def test_it_is_said_where_the_order_is_not_that_of_costs() -> None:
    note = "priors differ between models, so the order is not that of expected costs"
    P = rs.Performances.from_counts([[8, 1, 0, 1], [4, 1, 2, 3]])
    assert note in rs.rank(P, by=rs.costs(miss=5)).notes
    assert note not in rs.rank(P, by=rs.costs()).notes  # the expected cost is the error rate
    assert note in rs.rank(P, by=rs.costs(miss=2, detection=1)).notes  # importance 1, 1, 1, 1, and yet not the order
    assert note not in rs.rank(P[:1], by=rs.costs(miss=5)).notes


def test_intervals_of_costs_are_quantiles_of_the_same_draws() -> None:
    P, C = rs.Performances.from_counts([[90, 5, 1, 4], [80, 15, 0, 5]], names=["a", "b"]), rs.costs(20, detection=-3)
    drawn = rs.uncertainty.posterior(P, draws=400, shift_prior=0.1)
    intervals = rs.uncertainty.rank_intervals(drawn, C)
    costs = drawn.values @ np.array([0, 1, 20, -3.0])
    assert intervals.cost_low == pytest.approx(np.quantile(costs, 0.025, axis=0))
    assert intervals.cost_high == pytest.approx(np.quantile(costs, 0.975, axis=0))
    assert intervals.expected_costs == pytest.approx(C.expected(P.shift_priors(0.1)))
    plain = rs.uncertainty.rank_intervals(drawn, C.importance)
    assert plain.cost_low is None
    assert plain.p_first.tolist() == intervals.p_first.tolist()
    assert "cost_low" in intervals.table().columns
    assert "cost_low" not in plain.table().columns
    whole = rs.uncertainty.posterior(P, draws=50, method=0.5)
    assert rs.uncertainty.rank_intervals(whole, C).cost_low is not None


# ---- the command line


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == status, result.output
    return result.stdout if status == 0 else result.output


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    rows = ["a,x,90,5,1,4", "b,x,80,15,0,5", "a,y,40,20,2,38", "b,y,45,15,20,20"]
    Path("results.csv").write_text("\n".join(["entity,domain,tn,fp,fn,tp", *rows]))
    return "results.csv"


def test_the_leaderboard_shows_costs(table: str) -> None:
    costs = ("--costs", "miss=20,false-alarm=1,currency=€")
    text = run("rank", table, *costs)
    assert "€ per 1 000 cases" in text
    assert "Expected cost of a, at a share of positives of 0.225: € 425 per 1 000 cases" in " ".join(text.split())
    assert "€ per 100 cases" in run("rank", table, "--costs", f"{costs[1]},per=100")
    assert "cost interval" in run("rank", table, *costs, "--uncertainty", "--draws", "50")
    assert "per 1 000" not in run("rank", table, "--by", "1,1,20,20")
    document = json.loads(run("rank", table, *costs, "--format", "json"))
    assert document["costs"] == {
        "miss": 20, "false_alarm": 1, "detection": 0, "correct_rejection": 0, "currency": "€", "unit": "€ per case",
    }  # fmt: skip
    assert [row["expected_cost"] for row in document["entities"]] == [0.425, 2.15]
    assert run("rank", table, *costs, "--format", "csv").startswith("rank,entity,value,expected_cost,")
    shifted = json.loads(run("rank", table, *costs, "--shift-prior", "0.5", "--format", "json"))
    C, P = rs.costs(miss=20), rs.summarize(domains()).shift_priors(Fraction(1, 2))
    assert [row["expected_cost"] for row in shifted["entities"]] == C.expected(P).tolist()


def test_benefits_on_the_command_line(table: str) -> None:
    document = json.loads(run("rank", table, "--costs", "miss=0,detection=-1,false-alarm=1/4", "--format", "json"))
    averaged = rs.summarize(domains())
    net_benefit = averaged.mass[:, 3] - averaged.mass[:, 1] / 4
    assert [-row["expected_cost"] for row in document["entities"]] == pytest.approx(sorted(net_benefit, reverse=True))
    assert "must cost at least as much" in run("rank", table, "--costs", "miss=1,detection=2", status=2)


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        ("miss=20,per=0", "per=0 is no number of cases; expected one such as per=1000"),
        ("miss=20,per=many", "per=many is no number of cases"),
        ("miss=20,currency=€,currency=$", "currency is given twice"),
        ("currency=€", "expected, for example, miss=1,false-alarm=1"),
    ],
)
def test_units_of_costs_are_read_or_refused(table: str, costs: str, sentence: str) -> None:
    assert sentence in run("rank", table, "--costs", costs, status=2)


def test_why_says_what_the_others_would_cost(table: str) -> None:
    text = " ".join(run("why", table, "--costs", "miss=20,currency=€").split())
    assert "Expected cost of a, at a share of positives of 0.225: € 425 per 1 000 cases." in text
    assert "The next, b, would cost € 2 150." in text
    assert "now € per 1 000 cases" not in text  # nothing changes the answer
    document = json.loads(run("why", table, "--costs", "miss=20", "--format", "json"))
    assert document["expected_costs"] == {"a": 0.425, "b": 2.15}
    assert "expected_costs" not in json.loads(run("why", table, "--format", "json"))


def test_text_table_and_card_have_one_limit_of_the_cost_of_a_miss() -> None:
    P = rs.Performances.from_counts(
        [[945, 5, 25, 25], [925, 25, 12, 38], [880, 70, 4, 46]], names=["cautious", "balanced", "eager"]
    )
    card = rs.report(P, by=rs.costs(miss=10, false_alarm=1), draws=0)
    section = card["What would change the answer"]
    assert section.lines[1].startswith("It stays first while a miss costs at least 5.63 false alarms (here 10); this")
    assert section.lines[2].startswith("With a detection held at 10 correct rejections, it stays first while a miss is")
    assert section.table["nearest change"][:2] == [
        "a miss costing less than 5.63 false alarms (here 10)", "a miss worth less than 5.33 false alarms"
    ]  # fmt: skip
    assert card.front is not None
    assert card.front.changes[0] == ("a miss costing less than 5.63 false alarms (here 10)", "balanced")


def test_why_shows_what_those_first_beyond_cost_now(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text("entity,tn,fp,fn,tp\na,80,10,0,10\nb,89,1,4,6\n")
    lines = run("why", str(path), "--costs", "miss=20,currency=€").splitlines()
    assert any(line.endswith("first beyond  now € per 1 000 cases") for line in lines)
    assert any(line.startswith("a miss worth less than") and line.endswith(" 810") for line in lines)


def test_who_costs_less_is_said_where_priors_differ(tmp_path: Path) -> None:
    path = tmp_path / "differ.csv"
    path.write_text("entity,tn,fp,fn,tp\na,40,0,5,55\nb,95,1,1,3\n")
    text = " ".join(run("rank", str(path), "--costs", "miss=20").split())
    assert "Expected cost of a, at their own shares of positives, 0.04 to 0.6: 1 000 per 1 000 cases." in text
    assert "b would cost less: 210" in text


def test_the_card_shows_costs(table: str) -> None:
    run("report", table, "-o", "card.md", "--costs", "miss=20,currency=€", "--no-figures", "--draws", "50")
    text = Path("card.md").read_text("utf-8")
    assert "| € per 1 000 cases | cost interval |" in text
    assert "Expected cost of a" in text
    run("rank", table, "-o", "board.tex", "--costs", "miss=20,currency=€")
    assert r"\texteuro{} per 1 000 cases" in Path("board.tex").read_text("utf-8")


# ---- the gate

NEW, OLD = [[8700, 900, 30, 370]], [[9100, 500, 80, 320]]


@pytest.mark.parametrize("prior", [None, 0.002, 0.3])
@pytest.mark.parametrize("given", CASES)
def test_a_gate_by_costs_says_what_both_cost(given: dict, prior: float | None) -> None:
    C = rs.costs(**given)
    decision = rs.gate(NEW, OLD, costs=C, shift_prior=prior)
    both = rs.Performances.from_counts([*NEW, *OLD])
    new, old = C.expected(both if prior is None else both.shift_priors(prior))
    assert decision.expenses[:3] == pytest.approx((new, old, new - old))
    low, high = decision.expenses[3:]
    assert low <= new - old <= high
    assert (decision.verdict == "pass") == (high <= 0)
    assert (decision.verdict == "worse") == (low > 0)
    plain = rs.gate(
        NEW, OLD, f"a = {Fraction(decision.box.a[0])}, b = {Fraction(decision.box.b[0])}", shift_prior=prior
    )
    assert plain.probability == decision.probability  # the draws are the same
    assert plain.p_worse == decision.p_worse
    assert plain.costs is None
    assert "new_cost" not in plain.table().columns
    assert "new_cost" in decision.table().columns


def test_a_gate_compares_costs_at_the_prior_of_the_model_in_use() -> None:
    decision = rs.gate([[4350, 450, 300, 3700]], OLD, costs=rs.costs(miss=20))
    assert decision.expenses.new_cost == pytest.approx(0.96 * 450 / 4800 + 20 * 0.04 * 300 / 4000)
    assert decision.expenses.old_cost == pytest.approx((500 + 20 * 80) / 10000)


def test_a_gate_of_paired_predictions_has_the_interval_of_its_draws() -> None:
    rng = np.random.default_rng(1)
    y = rng.random(600) < 0.3
    new, old = (np.where(rng.random(600) < wrong, ~y, y) for wrong in (0.1, 0.2))
    drawn = rs.uncertainty.paired(y, {"new": new, "old": old}, draws=300, rng=0)
    decision = rs.gate(drawn["new"], drawn["old"], costs=rs.costs(miss=5))
    low, high = decision.expenses[3:]
    assert low < decision.expenses.cost_change < high < 0
    assert decision.verdict == "pass"


def test_probabilities_have_costs_and_no_interval() -> None:
    P = rs.Performances.from_probabilities([[0.9, 0.05, 0.01, 0.04]])
    decision = rs.gate(P, P, costs=rs.costs(miss=20))
    assert decision.expenses.cost_change == 0
    assert np.isnan(decision.expenses.cost_change_low)


def test_box_of_costs_takes_costs_of_any_outcome() -> None:
    box = box_of_costs(rs.costs(miss=3, detection=-1, correct_rejection=Fraction(1, 2), false_alarm=1.5))
    assert box.a == box.b == (Fraction(4, 5), Fraction(4, 5))
    assert box.text == "costs: a miss 3, a false alarm 1.5, a detection -1, a correct rejection 0.5"
    assert box_of_costs(rs.costs(miss=0.3)).a[0] == Fraction(3, 13)  # decimals are taken as they are written


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.chdir(tmp_path)
    Path("new.csv").write_text("entity,tn,fp,fn,tp\nnew,8700,900,30,370\n")
    Path("old.csv").write_text("entity,tn,fp,fn,tp\nold,9100,500,80,320\n")
    return ("gate", "new.csv", "--against", "old.csv")


def test_the_gate_prints_costs(files: tuple[str, ...]) -> None:
    text = run(*files, "--costs", "miss=20,currency=€")
    assert text.startswith("PASS: new is at least as good as old at these costs\n")
    heads, cells = (re.split("  +", line.strip()) for line in text.splitlines()[5:7])
    shown = dict(zip(heads, cells, strict=True))
    assert (shown["new, € per 1 000 cases"], shown["the other"]) == ("150", "210")
    advice = "So new may replace old: new costs € 60 less per 1 000 cases on these data"
    assert f"{advice}, at a share of positives of 0.04 (90 % interval of the difference: -" in " ".join(text.split())
    worse = " ".join(run(*files, "--costs", "miss=20", "--shift-prior", "0.002", status=1).split())
    assert "So keep old: new costs 36.6 more per 1 000 cases on these data" in worse
    document = json.loads(run(*files, "--costs", "miss=20", "--format", "json"))
    assert (document["new_cost"], document["old_cost"]) == (0.15, 0.21)
    assert document["costs"]["unit"] == "cost per case"


def test_the_summary_of_a_job(files: tuple[str, ...]) -> None:
    run(*files, "--costs", "miss=20,currency=€", "-o", "sum.md")
    text = Path("sum.md").read_text("utf-8")
    parts = text.split("\n\n")
    title, advice, box = parts[0].split("  \n")
    assert title == "## PASS: new is at least as good as old at these costs"
    assert advice.startswith("So new may replace old")
    assert "at a share of positives of 0.04" in advice
    assert box == "Costs: a miss € 20, a false alarm € 1"
    assert parts[1].splitlines()[1] == "| --: | --: | --: | --: | --: |"
    assert parts[2].startswith("P(at least as good at these costs) = ")
    run(*files, "--box", "beta in [0.5, 2]", "-o", "sum.md", status=1)
    text = Path("sum.md").read_text("utf-8")
    assert text.startswith("## WORSE: new is worse than old somewhere in the box  \nSo keep old  \nBox: ")
    assert "\n| --- | --: | --: | --: |\n" in text


def test_the_summary_of_a_job_by_domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "{0},x,900,100,30,270\n{0},y,800,200,30,270\n"
    for name in ("new", "old"):
        Path(f"{name}.csv").write_text("entity,domain,tn,fp,fn,tp\n" + rows.format(name))
    files = ("gate", "new.csv", "--against", "old.csv", "--every-domain", "--costs", "miss=5", "--margin", "0.2")
    text = run(*files, "--format", "markdown")
    assert text.startswith(
        "## PASS: new is at least as good as old less the margin on each of 2 domains, at these costs"
    )
    assert "| new, cost per 1 000 cases | the other |" in text
    assert [row["new_cost"] for row in json.loads(run(*files, "--format", "json"))["by_domain"]] == [
        pytest.approx(250 / 1300), pytest.approx(350 / 1300),
    ]  # fmt: skip


def test_a_share_of_positives_below_1_is_not_called_1(tmp_path: Path) -> None:
    path = tmp_path / "rare.csv"
    path.write_text("entity,tn,fp,fn,tp\na,3,1,1000,98996\nb,2,2,900,99096\n")
    for command in ("rank", "why"):
        shown = CliRunner().invoke(main, [command, str(path), "--costs", "miss=5,false-alarm=1"]).stdout
        assert "at a share of positives of 0.99996:" in " ".join(shown.split())


def test_costs_are_written_with_all_their_digits() -> None:
    C = rs.costs(miss=1234567, false_alarm=0.1234567, detection=Fraction(-1, 3), correct_rejection=Fraction(-41, 2))
    assert C.phrase == "a miss 1234567, a false alarm 0.1234567, a detection -1/3, a correct rejection -20.5"
    assert rs.costs(miss=1_000_000.0, currency="€").phrase == "a miss € 1000000, a false alarm € 1"
    assert rs.costs(miss=1234567).name != rs.costs(miss=1234568).name
