"""Rankings of challenges beside ours: against SciPy, brute force and known reversals."""

import itertools
import statistics
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import norm, rankdata, wilcoxon

import rankscape as rs
from rankscape.cli import main
from rankscape.domains import case_rankings
from rankscape.domains.case_rankings import _p_alike, _whole

ONES = np.ones(4, dtype=int)
NAMES = ("a", "b", "c", "d")


def graded(seed: int, cases: int = 40) -> tuple[np.ndarray, rs.Performances]:
    rng = np.random.default_rng(seed)
    values = np.round(np.clip(rng.normal([0.6, 0.55, 0.5, 0.5], 0.2, (cases, 4)), 0, 1), 1)
    rows = {"case": list(range(cases))} | dict(zip(NAMES, values.T.tolist(), strict=True))
    return values, rs.cases(rows, correct=list(NAMES)).performances


@pytest.mark.parametrize("seed", range(5))
def test_ranks_of_cases_and_tests_are_those_of_brute_force(seed: int) -> None:
    values, P = graded(seed)
    rankings = case_rankings(P)
    per_case = np.array([rankdata(-row, method="min") for row in values])
    expected = {
        "rank then mean": rankdata(per_case.mean(axis=0).round(9), method="min"),
        "rank then median": rankdata([statistics.median(column) for column in per_case.T.tolist()], method="min"),
    }
    pairs = list(itertools.permutations(range(4), 2))
    tenths = np.rint(10 * values)  # whose differences tie
    p = [wilcoxon(tenths[:, i], tenths[:, j], alternative="greater", zero_method="wilcox", correction=True,
                  method="approx").pvalue for i, j in pairs]  # fmt: skip
    beaten = np.zeros(4)
    for place, k in enumerate(np.argsort(p)):
        if p[k] * (len(p) - place) > 0.05:
            break
        beaten[pairs[k][0]] += 1
    expected["test then rank"] = rankdata(-beaten, method="min")
    expected["aggregate then rank"] = rs.rank(P).ranks
    assert {way: ranks.tolist() for way, ranks in rankings.overall.items()} == {
        way: expected[way].tolist() for way in rankings.overall
    }
    assert set(rankings.taus) == {"rank then mean", "rank then median", "test then rank"}


def test_a_third_model_swaps_two_by_ranks_of_cases_and_never_by_ours() -> None:
    rows = {"case": [1, 2, 3, 4, 5], "a": [0.9, 0.9, 0.9, 0.1, 0.1], "b": [0.8, 0.8, 0.8, 0.2, 0.2]}
    two = case_rankings(rs.cases(rows, correct=["a", "b"]).performances)
    third = {**rows, "c": [0.1, 0.1, 0.1, 0.15, 0.15]}
    three = case_rankings(rs.cases(third, correct=["a", "b", "c"]).performances)
    assert two.overall["rank then mean"].tolist() == [1, 2]
    assert three.overall["rank then mean"].tolist()[:2] != [1, 2] or three.overall["rank then mean"][1] <= 2
    assert np.sign(np.diff(two.overall["aggregate then rank"][:2])) == np.sign(
        np.diff(three.overall["aggregate then rank"][:2])
    )


def test_domains_have_ranks_of_their_own() -> None:
    rows = [
        {"model": m, "benchmark": d, "question": q, "correct": int((q * 7 + 3 * i + len(d)) % (4 + i) > 1)}
        for d in ("x", "yy") for q in range(30) for i, m in enumerate("ab")
    ]  # fmt: skip
    P = rs.read(rows)
    rankings = case_rankings(P, weights={"x": 3, "yy": 1})
    assert rankings.domains == ("x", "yy")
    assert (
        rankings.overall["aggregate then rank"].tolist() == rs.rank(rs.summarize(P, {"x": 3, "yy": 1})).ranks.tolist()
    )
    assert list(rankings.table()["domain"]) == ["x", "x", "yy", "yy", "all", "all"]


def test_alike_models_beat_nobody() -> None:
    P = rs.cases({"case": [1, 2], "a": [1, 0], "b": [1, 0]}, correct=["a", "b"]).performances
    rankings = case_rankings(P)
    assert rankings.overall["test then rank"].tolist() == [1, 1]
    assert all(np.isnan(tau) for tau in rankings.taus.values())


def test_counts_do_not_say_which_cases_are_shared() -> None:
    with pytest.raises(rs.UsageError, match="do not say which cases their models share"):
        case_rankings(rs.tasks.success.from_counts([3, 4], 5))
    with pytest.raises(rs.UsageError, match="alpha"):
        case_rankings(graded(0)[1], alpha=2)


def test_the_command_prints_them(tmp_path: Path) -> None:
    values, _ = graded(1)
    path = tmp_path / "grades.csv"
    lines = [f"{i},{','.join(map(str, row))}" for i, row in enumerate(values.tolist())]
    path.write_text("case,a,b,c,d\n" + "\n".join(lines) + "\n")
    named = [part for name in "abcd" for part in ("--correct", name)]
    result = CliRunner().invoke(main, ["rank", str(path), "--other-methods", *named])
    assert result.exit_code == 0
    assert "rank then median" in result.output
    assert "Rank then mean puts" in result.output
    result = CliRunner().invoke(main, ["rank", str(path), "--other-methods", *named, "--by", "mean grade"])
    assert "--by would change nothing" in result.output


TWO = "model,task,case,correct\n" + "".join(
    f"{model},{task},{case},{int((model == 'a') == (task == 'x'))}\n"
    for task in "xy"
    for model in "ab"
    for case in (1, 2)
)


@pytest.mark.parametrize(("domain", "first"), [("x", "a"), ("y", "b")])
def test_one_domain_has_the_rankings_of_its_cases(tmp_path: Path, domain: str, first: str) -> None:
    path = tmp_path / "two.csv"
    path.write_text(TWO)
    shown = CliRunner().invoke(main, ["rank", str(path), "--domain", domain, "--other-methods", "--format", "csv"])
    assert shown.exit_code == 0, shown.output
    rankings = case_rankings(rs.read(path).in_domain(domain))
    assert shown.stdout == rankings.table().to_csv()
    assert rankings.domains == (domain,)
    assert all(dict(zip(rankings.names, ranks, strict=True))[first] == 1 for ranks in rankings.overall.values())
    alone = tmp_path / "alone.csv"
    alone.write_text("".join(line for line in TWO.splitlines(keepends=True) if f",{domain}," in line or "task" in line))
    assert str(rankings.taus) == str(case_rankings(rs.read(alone)).taus)  # NaN is no number that is equal


@pytest.mark.parametrize("idle", ["--shift-prior 0.3", "--missing available", "--by 1,0.5"])
def test_what_the_other_methods_lack_is_refused(tmp_path: Path, idle: str) -> None:
    path = tmp_path / "two.csv"
    path.write_text(TWO)
    shown = CliRunner().invoke(main, ["rank", str(path), "--other-methods", *idle.split()])
    assert shown.exit_code == 2
    assert f"{idle.split()[0]} would change nothing" in shown.output


def test_differences_tie_as_they_are_typed() -> None:
    rows = {"case": [1, 2, 3, 4], "a": [0.3, 0.2, 0.2, 0.9], "b": [0.2, 0.3, 0.1, 0.1]}
    tens = {"case": [1, 2, 3, 4], "a": [3, 2, 2, 9], "b": [2, 3, 1, 1]}
    typed, whole = (
        case_rankings(rs.cases(table, correct=["a", "b"], scale=scale).performances)
        for table, scale in ((rows, (0, 1)), (tens, (0, 10)))
    )
    assert {way: ranks.tolist() for way, ranks in typed.overall.items()} == {
        way: ranks.tolist() for way, ranks in whole.overall.items()
    }
    assert _p_alike(_whole(np.array([[0.3, 0.2], [0.2, 0.3], [0.2, 0.1], [0.9, 0.1]])) @ np.array([1, -1]), ONES) == (
        pytest.approx(norm.sf(0.9449), abs=1e-4)
    )


def right_up_to(**right: int) -> rs.Performances:
    cases = np.arange(40)
    rows = {"case": cases} | {name: (cases < number).astype(int) for name, number in right.items()}
    return rs.cases(rows, correct=list(right)).performances


def test_tests_are_corrected_as_by_holm() -> None:
    """6 of 6 has p = 0.0098: times the 4 pairs that are left it is below 0.05, times all 6 it is not."""
    assert case_rankings(right_up_to(x=32, y=20, z=14)).overall["test then rank"].tolist() == [1, 2, 3]
    assert case_rankings(right_up_to(x=32, y=20, z=15)).overall["test then rank"].tolist() == [1, 2, 2]


def test_names_keep_their_ranks_in_another_order_and_weights_count() -> None:
    chosen = case_rankings(right_up_to(x=32, y=20, z=14)[["z", "x"]])
    assert chosen.names == ("z", "x")
    assert chosen.overall["rank then mean"].tolist() == chosen.overall["aggregate then rank"].tolist() == [2, 1]
    rows = {"domain": ["u", "u", "v", "v"], "case": [1, 2, 1, 2], "a": [1, 1, 0, 1], "b": [0, 1, 1, 1]}
    P = rs.cases(rows, correct=["a", "b"]).performances
    firsts = [case_rankings(P, {"u": share, "v": 3 - share}).overall["aggregate then rank"] for share in (1, 2)]
    assert [ranks.tolist() for ranks in firsts] == [[2, 1], [1, 2]]


def test_predictions_are_ranked_by_their_right_answers(tmp_path: Path) -> None:
    """Accuracy and F1 order these otherwise: 92, 88 and 85 of 100 are right."""
    truth = [1] * 20 + [0] * 80
    predictions = {
        "a": [1] * 12 + [0] * 88, "b": [1] * 8 + [0] * 92, "c": [1] * 35 + [0] * 65
    }  # fmt: skip
    table = {"case": list(range(100)), "y": truth, **predictions}
    P = rs.cases(table, truth="y", prediction=list(predictions), case="case").performances
    assert rs.rank(P, by="f1").ranks.tolist() == [1, 3, 2]
    answers = {name: [int(x == y) for x, y in zip(each, truth, strict=True)] for name, each in predictions.items()}
    right = rs.cases({"case": table["case"], **answers}, correct=list(predictions)).performances
    found, expected = rs.domains.case_rankings(P), rs.domains.case_rankings(right)
    assert found.overall["aggregate then rank"].tolist() == [1, 2, 3]
    for way, ranks in expected.overall.items():
        assert found.overall[way].tolist() == ranks.tolist()
    path = tmp_path / "p.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in [list(table), *zip(*table.values(), strict=True)]))
    words = "--truth y --prediction a --prediction b --prediction c --case case --other-methods --format csv"
    shown = CliRunner().invoke(main, ["rank", str(path), *words.split()])
    assert shown.exit_code == 0, shown.output
    assert "a,0.92,1" in shown.output
