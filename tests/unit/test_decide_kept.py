"""What is in use stays unless the new choice costs no more, and every difference is that of the costs."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf, isinf
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape._report.decision import alternatives, deployed, how_chosen, how_sure, stated_cost
from rankscape.cli import main
from rankscape.decisions.record import Stretch, around

COSTS = rs.costs(miss=10, false_alarm=1)


def cases(seed: int) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray]:
    rng = np.random.default_rng(seed)
    y = (rng.random(240) < 0.15).astype(int)
    scores = {
        name: 1 / (1 + np.exp(2 - rng.normal(size=240) - d * y))
        for name, d in zip("ab", rng.uniform(0, 2, 2).tolist(), strict=True)
    }
    return y, scores, np.where(np.arange(240) % 5 == 0, "north", "south")


def decisions() -> Iterator[tuple[float, rs.Decision]]:
    for seed in range(4):
        y, scores, sites = cases(seed)
        S = rs.sweep(y, scores, domains=sites if seed % 2 else None)
        rng = np.random.default_rng([seed, 1])
        threshold = round(float(rng.uniform(0.05, 0.6)), 2)
        plain = rs.decide(S, costs=COSTS, draws=100)
        current = {"b": plain.candidates[0].threshold} if seed % 4 == 3 and plain.entity == "b" else {"b": threshold}
        yield plain.cost, rs.decide(S, costs=COSTS, current=current, draws=100)


@pytest.fixture(scope="module")
def every() -> list[tuple[float, rs.Decision]]:
    return list(decisions())


def test_first_line_last_line_and_data_name_one_model_by_one_rule(every: list[tuple[float, rs.Decision]]) -> None:
    kept = 0
    for new_cost, decision in every:
        document = decision.document()
        model = rf"\b{decision.entity}\b"
        assert (document["entity"], document["threshold"]) == (decision.entity, decision.threshold)
        assert document["kept"] == decision.kept
        if decision.kept:
            kept += 1
            assert decision.new is not None
            assert decision.new.cost == new_cost > decision.cost
            assert decision.new.saved > 0
            assert deployed(decision).startswith(f"Keep {decision.entity},")
            assert decision.rule.startswith("Keep b at")
            assert "in use" not in {each.kind for each in decision.alternatives}
        else:
            in_use = [each for each in decision.alternatives if each.kind == "in use"]
            assert all(each.cost >= decision.cost == new_cost for each in in_use)
            assert all(each.saved >= 0 for each in in_use)
            if isinf(decision.threshold):
                assert deployed(decision).startswith("No threshold")
            else:
                assert re.search(model, deployed(decision))
        assert "think twice" not in " ".join(how_sure(decision))
    assert 0 < kept < len(every)


def test_what_is_saved_has_one_baseline_and_adds_up(every: list[tuple[float, rs.Decision]]) -> None:
    seen = set()
    for _, decision in every:
        for each in decision.alternatives:
            base = decision.candidates[0].cost if each.kind == "next model" else decision.cost
            assert each.compared_with == pytest.approx(base)
            assert each.saved == pytest.approx(each.cost - base, abs=1e-12)
            low, high = each.interval
            assert low <= each.saved <= high
        table = alternatives(decision)
        (stated,) = COSTS.numbers([decision.cost])
        saved = [float(cell.replace(" ", "")) for cell in table["saved"]]
        digits = 10.0 ** -len(table["saved"][0].partition(".")[2])
        assert f" {stated} per" in stated_cost(decision)
        others = sorted(
            (each for each in decision.alternatives if each.kind != "next model"), key=lambda each: each.cost
        )
        assert [1000 * each.saved for each in others] == pytest.approx(saved, abs=0.501 * digits)
        differences = {
            r"That understates .* to expect by (\S+)\.": (decision.new or decision).cost
            - decision.candidates[0].flattered
        }
        if decision.new is not None:
            differences[r"would cost (\S+) more than b .*in use"] = decision.new.cost - decision.cost
        if len(decision.candidates) > 1:
            differences[r"The next model.* would cost (\S+) more than"] = (
                decision.candidates[1].cost - decision.candidates[0].cost
            )
        for pattern, exact in differences.items():
            for line in (*how_chosen(decision), *how_sure(decision)):
                if match := re.search(pattern, line):
                    seen.add(pattern)
                    (printed,) = match.groups()
                    assert abs(1000 * exact - float(printed)) <= 0.501 * 10.0 ** -len(printed.partition(".")[2])
    assert len(seen) == 3


def test_differences_of_costs_are_rounded_and_not_those_of_rounded_costs(
    every: list[tuple[float, rs.Decision]],
) -> None:
    (_, decision), *_ = every
    other = replace(
        decision.alternatives[-1], kind="constant", cost=1.0024, compared_with=1.0006, saved=1.0024 - 1.0006
    )
    table = alternatives(replace(decision, cost=1.0006, alternatives=(other,)))
    assert (table["cost per 1 000 cases"], table["saved"]) == (["1 002"], ["2"])  # 1 001 would make it 1
    chosen = replace(decision.candidates[0], flattered=1.0006)
    lines = how_chosen(replace(decision, cost=1.0024, candidates=(chosen,), alternatives=(other,)))
    assert any(
        "seems to cost 1 001 per 1 000 cases. That understates the 1 002 to expect by 2." in line for line in lines
    )


def test_ranges_name_all_where_the_choice_is_the_cheapest(every: list[tuple[float, rs.Decision]]) -> None:
    for _, decision in every:
        name = decision.candidates[0].entity
        answers = tuple((low, high) for low, high, called in decision.answers if called == name)
        if not decision.constant:
            assert decision.ratio_ranges == answers
        if decision.ratio_range is not None:
            start, end = decision.ratio_range
            inside = [each for each in decision.ratio_ranges if start <= each[0] and each[1] <= end]
            assert (start, end) == (inside[0][0], inside[-1][1])
    assert any(len(decision.ratio_ranges) > 1 for _, decision in every)


def test_the_stated_cost_moves_with_the_seed_no_more_than_its_error_says() -> None:
    """One division into folds gives .38 to .52 here, and their means .44 to .46."""
    rng = np.random.default_rng(5)
    y = np.arange(600) % 6 == 0
    scores = {"a": 2 * y + rng.normal(size=600), "b": 1.8 * y + rng.normal(size=600)}
    first, second = (rs.decide(y, scores, costs=COSTS, draws=0, rng=seed) for seed in (0, 1))
    error = np.hypot(first.cost_error, second.cost_error)
    assert abs(first.cost - second.cost) < 2 * error < np.ptp(first.cost_of_folds)
    text = " ".join(how_chosen(first))
    assert re.search(r"is the mean of 5 divisions into folds, which give [\d.]+ to [\d.]+; its standard error is", text)


def test_slivers_end_no_range_and_are_not_named() -> None:
    parts = [
        Stretch(Fraction(0), Fraction(1, 2), 1),
        Stretch(Fraction(1, 2), Fraction(2), 0),
        Stretch(Fraction(2), Fraction(201, 100), 1),
        Stretch(Fraction(201, 100), Fraction(3), 0),
        Stretch(Fraction(3), Fraction(301, 100), 1),
        Stretch(Fraction(301, 100), Fraction(302, 100), 0),
        Stretch(Fraction(302, 100), Fraction(4), 1),
        Stretch(Fraction(4), inf, 0),
    ]
    assert around(parts, 0) == (Fraction(1, 2), Fraction(3))
    assert around(parts[1:], 0) == (Fraction(1, 2), Fraction(3))
    backwards = [
        Stretch(1 / p.high if p.high < inf else Fraction(0), 1 / p.low if p.low else inf, p.choice) for p in parts
    ]
    assert around(backwards[::-1], 0) == (Fraction(1, 3), Fraction(2))
    assert around(parts, 2) == (None, inf)


def test_the_cost_of_other_folds_is_that_of_this_one_or_of_other_folds() -> None:
    y, scores, _ = cases(1)
    decision = rs.decide(y, scores, costs=COSTS, draws=0)
    costs = decision.cost_of_folds
    if not decision.constant:
        assert decision.cost == pytest.approx(np.mean(costs))
        assert decision.cost_error == pytest.approx(np.std(costs, ddof=1) / np.sqrt(len(costs)))
        (first, *_), (low, high) = decision.candidates, (min(costs), max(costs))
        assert first.cost == pytest.approx(decision.cost)
        assert low <= first.cost <= high
        assert len(costs) == 5
        assert min(costs) < max(costs)
    assert rs.decide(rs.sweep(y, scores, folds=np.arange(240) % 4), costs=COSTS, draws=0).cost_of_folds == ()


def test_sites_weigh_equally_and_the_output_says_so(tmp_path: Path) -> None:
    y, scores, sites = cases(3)
    path = tmp_path / "s.csv"
    rows = [f"{i},{sites[i]},{y[i]},{scores['a'][i]!r},{scores['b'][i]!r}" for i in range(len(y))]
    path.write_text("case,site,y,a,b\n" + "\n".join(rows).replace("np.float64(", "").replace(")", "") + "\n")
    way = ["decide", str(path), "--truth", "y", "--score", "a", "--score", "b", "--case", "case", "--costs", "miss=10",
           "--draws", "100"]  # fmt: skip
    text = " ".join(CliRunner().invoke(main, [*way, "--domain-column", "site"]).stdout.split())
    pooled = f"{y.mean():.4g}"
    assert f"averaged over 2 domains with equal weights (pooled: {pooled})" in text
    assert "names the domains" not in text
    document = json.loads(CliRunner().invoke(main, [*way, "--domain-column", "site", "--format", "json"]).stdout)
    assert document["prepared"]["weights"] == {"north": 0.5, "south": 0.5}
    assert document["pooled_prior"] == pytest.approx(y.mean())
    apart = " ".join(CliRunner().invoke(main, way).stdout.split())
    assert 'if "site" names the domains, add --domain-column' in apart
    assert "averaged" not in apart


def test_a_constant_answer_does_not_replace_what_is_cheaper() -> None:
    y, costs = np.arange(100) % 2, rs.costs(miss=4)
    s = np.random.default_rng(0).normal(y * 0.3)
    assert rs.decide(y, {"noise": s}, costs=costs, draws=0).threshold == -inf
    best = rs.sweep(y, {"noise": s}).best(costs)["noise"].threshold
    decision = rs.decide(y, {"noise": s}, costs=costs, current=best, draws=100)
    assert decision.kept
    assert decision.threshold == best
    assert decision.new is not None
    assert decision.new.threshold in (inf, -inf)
    assert decision.new.entity is None
    assert deployed(decision).startswith("Keep noise,")
    assert decision.plot().get_title() is not None
