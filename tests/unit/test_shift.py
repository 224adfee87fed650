"""The shift of the prior, missing domains and weights: every output says what was done, and uncertainty works, too."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.domains import leave_one_out, mean_of_scores, prepare, roles, roles_tile
from rankscape.explorer import build
from rankscape.explorer.explore import page_of
from rankscape.uncertainty import paired, posterior, rank_intervals, resampled_domains

# averaged and then shifted, new is better; shifted and then averaged, old is
ROWS = [[791, 109, 22, 78], [377, 23, 2, 598], [876, 24, 3, 97], [331, 69, 114, 486]]
TWO = rs.Performances.from_counts(ROWS, names=["old", "old", "new", "new"], domains=["x", "y"] * 2)
GAPS = "entity,domain,tn,fp,fn,tp\na,e,95,5,5,95\na,h,60,40,40,60\nb,e,94,6,6,94\nb,g,6,5,5,5\na,g,6,4,3,7\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.csv").write_text(TWO.table().to_csv())
    Path("gaps.csv").write_text(GAPS)
    Path("plain.csv").write_text("entity,tn,fp,fn,tp\na,80,2,9,9\nb,76,6,6,12\n")


def run(line: str, status: int = 0) -> Any:
    done = CliRunner().invoke(main, line.split())
    assert done.exit_code == status, done.output
    return done


def flat(text: str) -> str:
    return " ".join(text.split())


# ---- the order: average, then shift


def test_the_order_matters_and_rank_and_gate_agree() -> None:
    shift = Fraction(1, 20)
    after = rs.rank(rs.summarize(TWO).shift_priors(shift), by="f1")
    before = rs.rank(TWO.shift_priors(shift), by="f1")
    assert list(after) != list(before)  # else this test shows nothing
    found = json.loads(run("rank two.csv --shift-prior 0.05 --format json").stdout)
    assert [row["entity"] for row in found["entities"]] == list(after)
    first, second = after
    for way in ("--shift-prior 0.05", "--box beta=1,prior=0.05"):
        line = f"gate two.csv --entity {second} --against two.csv --against-entity {first} {way} --format json"
        shown = json.loads(CliRunner().invoke(main, line.split()).stdout)
        assert shown["value"] < shown["value_against"]
        assert rs.gate(TWO[second], TWO[first], shift_prior=0.05).worst.difference < 0
    why = json.loads(run("why two.csv --shift-prior 0.05 --format json").stdout)
    assert why["first"] == [first]
    assert rs.report(TWO, shift_prior=0.05, draws=0)["Leaderboard"].table["model"] == list(after)


def test_who_wants_each_domain_shifted_first_shifts_it() -> None:
    each = prepare(TWO.shift_priors(Fraction(1, 20))).performances
    assert each.mass.tolist() != prepare(TWO, shift_prior=0.05).performances.mass.tolist()
    assert rs.rank(each, by="f1").values.tolist() == rs.rank(TWO.shift_priors(Fraction(1, 20)), by="f1").values.tolist()


@pytest.mark.parametrize(("given", "meant"), [(0.2, Fraction(1, 5)), (np.float64(0.02), Fraction(1, 50)), (1, 1)])
def test_a_decimal_is_the_number_that_is_written(given: Any, meant: Any) -> None:
    assert prepare(TWO, shift_prior=given).shift_prior == meant


@pytest.mark.parametrize("given", [-0.1, 1.5, float("nan"), True, "0.2", [0.2]])
def test_what_is_no_prior_is_refused(given: Any) -> None:
    with pytest.raises(rs.UsageError, match="shift_prior="):
        prepare(TWO, shift_prior=given)


# ---- every output says what was done


@pytest.mark.parametrize("command", ["rank", "why", "domains", "tradeoff"])
def test_text_csv_and_json_say_weights_and_shift(command: str) -> None:
    how = f"{command} two.csv --weights x=3,y=1 --shift-prior 0.02"
    sentences = prepare(TWO, weights={"x": 3, "y": 1}, shift_prior=0.02).sentences()
    assert sentences[0].endswith("2 domains with the weights given (x 75.0 %, y 25.0 %)")
    assert sentences[1].startswith("Prior (share of positives) shifted to 0.02 after averaging; measured: 0.225")
    shown, table = flat(run(how).stdout), run(f"{how} --format csv").stderr
    document = json.loads(run(f"{how} --format json").stdout)["prepared"]
    for sentence in sentences:
        assert sentence in shown
        assert f"note: {sentence}\n" in table
    assert (document["weights"], document["shift_prior"]) == ({"x": 0.75, "y": 0.25}, 0.02)


def test_the_tile_says_it_in_the_figure_and_in_its_numbers() -> None:
    run("tile two.csv --weights x=3,y=1 --shift-prior 0.02 -o t.svg --resolution 11")
    text = flat(Path("t.svg").read_text().replace("<!--", "").replace("-->", ""))
    assert "75.0 %, y 25.0 %)" in text
    assert "shifted to 0.02." in text  # of which a line may begin
    done = run("tile two.csv --shift-prior 0.02 -o t.json --resolution 11")
    found = json.loads(Path("t.json").read_text())
    assert (found["prepared"]["shift_prior"], found["prior"]) == (0.02, pytest.approx(0.02))
    assert "note: Prior (share of positives) shifted to 0.02 after averaging" in done.stderr


def test_the_card_says_it_and_keeps_the_counts() -> None:
    card = rs.report(TWO, shift_prior=0.02, weights="size", draws=200)
    text = " ".join(card["The data"].lines)
    assert "Cases per model and domain: 1000" in text
    assert "Share of positives (prior π₊), as measured: from 0.1 to 0.6" in text
    assert "averaged over 2 domains with size weights (x 50.0 %, y 50.0 %)" in text
    assert "shifted to 0.02 after averaging; measured: 0.35" in text
    assert any("shifted to 0.02" in line for line in card.made)
    assert "ranks" in card["Leaderboard"].table.columns
    assert any("each shifted to the prior 0.02" in line for line in card["How sure"].lines)


def test_the_gate_names_weights_seed_and_shift() -> None:
    how = "gate two.csv --entity new --against two.csv --against-entity old --draws 150 --seed 7"
    shown = flat(CliRunner().invoke(main, f"{how} --weights x=3,y=1 --shift-prior 0.02".split()).stdout)
    assert "averaged over 2 domains with the weights given (x 75.0 %, y 25.0 %)" in shown
    assert "150 draws, seed 7, alpha 0.05" in shown
    assert "of both models shifted to 0.02 after averaging" in shown
    line = f"{how} --weights x=1,y=0 --shift-prior 0.02 --format json"
    found = json.loads(CliRunner().invoke(main, line.split()).stdout)
    assert (found["prepared"]["weights"], found["prepared"]["shift_prior"]) == ({"x": 1, "y": 0}, 0.02)
    assert (found["seed"], found["worst_prior"], found["prior"]) == (7, 0.02, 0.02)
    boxed = f"{how} --box beta=1,prior=0.1"
    assert "shifted to those of the box" in flat(CliRunner().invoke(main, boxed.split()).stdout)
    assert "the prior is stated twice" in run(f"{boxed} --shift-prior 0.1", status=2).stderr
    with pytest.raises(rs.UsageError, match=r"must lie inside \(0, 1\) for a gate"):
        rs.gate(TWO["new"], TWO["old"], shift_prior=1)


def test_the_hint_of_the_trade_off_prepares_the_same() -> None:
    done = run("tradeoff two.csv --weights x=3,y=1 --shift-prior 0.02")
    assert "Rank by the optimum: rankscape rank, with the same options and --by " in done.stdout
    assert "cannot be compared" in run("tradeoff gaps.csv", status=3).stderr
    run("tradeoff gaps.csv --missing complete")


# ---- missing domains


def test_domains_are_resampled_where_some_are_missing() -> None:
    line = "rank gaps.csv --uncertainty --resample domains --draws 50"
    assert "--missing complete" in run(line, status=3).stderr
    shown = flat(run(f"{line} --missing complete").stdout)
    assert "Drawn: new samples of domains" in shown
    assert "left out because not every model has it: h" in shown
    assert "expected one of 'error', 'complete'" in flat(run(f"{line} --missing available", status=2).stderr)
    P = rs.read("gaps.csv")
    with pytest.raises(rs.DataError, match='choose missing="complete"') as error:
        resampled_domains(P)
    assert "available" not in str(error.value)
    with pytest.warns(rs.domains.MissingDomainsWarning):
        assert resampled_domains(P, 10, missing="complete").observed.names == ("a", "b")


def test_the_explorer_refuses_gaps_unless_asked() -> None:
    refused = run("explore gaps.csv -o e.html", status=3)
    assert "--missing complete" in refused.stderr
    assert "available" not in refused.stderr
    assert not Path("e.html").exists()
    done = run("explore gaps.csv -o e.html --missing complete --weights e=2,h=1,g=1")
    assert 'compared on 2 shared domains, without "h"' in done.stderr
    text = Path("e.html").read_text()
    assert '"weights":[2,0,1],"prior":null' in text
    with pytest.raises(rs.DataError, match="summaries over different domains"):
        rs.explore(rs.read("gaps.csv"), "f.html")


def test_pages_open_as_asked(tmp_path: Path) -> None:
    rs.explore(TWO, "e.html", weights={"x": 3, "y": 1}, shift_prior=0.02, draws=0, by="f1")
    linked = Path("e.html").read_text()
    assert '"weights":[3,1],"prior":0.02' in linked
    assert linked == page_of(prepare(TWO, weights={"x": 3, "y": 1}, shift_prior=0.02), by="f1").html()
    rs.explore(TWO, "e.html", draws=20, level=0.9)
    assert '"level":0.9,' in Path("e.html").read_text()
    with pytest.warns(rs.RankscapeWarning, match="1 cell of 6 missing"):
        gaps = prepare(rs.read("gaps.csv"), missing="available")
    with pytest.raises(rs.UsageError, match="compares on domains that all models share"):
        page_of(gaps)
    with pytest.raises(rs.UsageError, match="out of the range of the explorer"):
        rs.explore(TWO, "far.html", shift_prior=Fraction(1, 10**7))
    kappa = build.opening(prepare(TWO, shift_prior=0.3), "kappa")
    assert (kappa["a"], kappa["b"]) == pytest.approx(rs.locate("kappa", prior=0.3))


def test_weights_of_domains_that_are_left_out_are_not_needed_elsewhere() -> None:
    run("rank gaps.csv --missing complete --weights e=2,h=1,g=1")
    assert "no weight" in run("rank gaps.csv --missing complete --weights e=0,h=1,g=0", status=3).stderr
    assert "'q' is no domain" in run("rank gaps.csv --missing complete --weights e=1,h=1,g=1,q=1", status=2).stderr


@pytest.mark.parametrize("weights", ["x=1", "hierarchical"])
def test_no_error_says_the_inner_name_of_the_only_domain(weights: str) -> None:
    error = run(f"rank plain.csv --weights {weights}", status=2).stderr
    assert "plain.csv names no domains, so there is nothing to average" in error
    assert "'all'" not in error


# ---- the domains of a shifted population


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("by", ["f1", "accuracy", "fbeta(2)", "npv"])
def test_the_summary_is_the_weighted_mean_of_the_shifted_domains(exact: bool, by: str) -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 30, size=(12, 4)) + np.array([1, 0, 0, 1])
    counts[0, :2] = 0  # a domain without negatives
    names, domains = [f"e{i // 4}" for i in range(12)], [f"d{i % 4}" for i in range(12)]
    P = rs.Performances.from_counts(counts, names=names, domains=domains)
    P = P if exact else rs.Performances.from_probabilities(P.mass, names=names, domains=domains)
    weights = {"d0": 2, "d1": 1, "d2": 0, "d3": Fraction(1, 3)}
    shift = Fraction(7, 100)
    found = roles(rs.domains.prepare(P, weights=weights, shift_prior=shift), by)
    summary = prepare(P, weights=weights, shift_prior=shift).performances
    np.testing.assert_allclose(found.summarized, rs.score(by)(summary), rtol=0, atol=1e-13)
    mean = np.nansum(np.where(found.weights > 0, found.weights * found.values, 0), axis=1)
    np.testing.assert_allclose(mean, found.summarized, rtol=0, atol=1e-13)
    np.testing.assert_allclose(np.nansum(found.shares, axis=1), 1, atol=1e-13)
    for e, name in enumerate(found.names):  # the same two factors on every domain of an entity
        before = P[name].mass
        factors = summary[name].mass[0] / rs.summarize(P, weights)[name].mass[0]
        after = before * factors
        share = np.array([float(w) for w in found.lambdas]) * after.sum(axis=1)
        np.testing.assert_allclose(found.shares[e], share / share.sum(), atol=1e-13)
        here = [d for d, w in enumerate(found.lambdas) if w]
        moved = rs.Performances.from_probabilities(after / after.sum(axis=1, keepdims=True))
        np.testing.assert_allclose(found.values[e][here], rs.score(by)(moved)[here], atol=1e-12)


def test_without_a_shift_nothing_changes() -> None:
    plain, shares = roles(TWO, "f1"), [[0.5, 0.5]] * 2
    assert plain.shares.tolist() == shares
    own = roles(rs.domains.prepare(TWO, shift_prior=Fraction(7, 20)), "f1")  # the prior that the averages have
    np.testing.assert_allclose(own.values, plain.values, atol=1e-14)
    np.testing.assert_allclose(own.shares, shares, atol=1e-14)


def test_a_domain_of_the_class_that_is_gone_is_absent() -> None:
    rows = [[5, 5, 0, 0], [3, 1, 2, 4]]
    P = rs.Performances.from_counts(rows, names=["m", "m"], domains=["x", "y"])
    found = roles(rs.domains.prepare(P, shift_prior=1), "tpr")
    assert (found.shares[0, 1], np.isnan(found.shares[0, 0])) == (1, True)
    assert found.summarized[0] == pytest.approx(4 / 6)


def test_leaving_a_domain_out_comes_before_the_shift() -> None:
    found = leave_one_out(rs.domains.prepare(TWO, shift_prior=0.05), "f1")
    for domain, first in zip(found.domains, found.winners, strict=True):
        other = "y" if domain == "x" else "x"
        assert first == rs.rank(TWO.in_domain(other).shift_priors(Fraction(1, 20)), by="f1").best
    one_class = rs.Performances.from_counts([[5, 5, 0, 0], [3, 1, 2, 4]], names=["m", "m"], domains=["x", "y"])
    assert np.isnan(leave_one_out(rs.domains.prepare(one_class, shift_prior=0.1), "f1").ranks[1, 0])
    assert (
        mean_of_scores(rs.domains.prepare(TWO, shift_prior=0.05), "f1").values.tolist()
        == roles(rs.domains.prepare(TWO, shift_prior=0.05), "f1").summarized.tolist()
    )
    assert roles_tile(rs.domains.prepare(TWO, shift_prior=0.05), "new", "preponderant", resolution=3).shares


# ---- uncertainty


def test_draws_are_summarized_and_then_shifted() -> None:
    plain, found = posterior(TWO, 40), posterior(TWO, 40, shift_prior=0.05)
    for before, after in zip(plain.values, found.values, strict=True):
        drawn = rs.Performances.from_probabilities(before).shift_priors(Fraction(1, 20))
        np.testing.assert_allclose(after, drawn.mass, rtol=0, atol=1e-15)
    assert found.observed.mass.tolist() == prepare(TWO, shift_prior=0.05).performances.mass.tolist()
    assert found.prepared is not None
    assert found.prepared.shift_prior == Fraction(1, 20)
    assert np.ptp(found.values[:, 0, 2]) > 0


def test_the_command_draws_counts_and_shifts_the_draws() -> None:
    rows = json.loads(run("rank two.csv --uncertainty --shift-prior 0.05 --draws 300 --format json").stdout)["entities"]
    found = rank_intervals(TWO, "f1", 300, shift_prior=0.05)
    for row in rows:
        i = found.names.index(row["entity"])
        assert (row["p_first"], row["value_low"]) == (found.p_first[i], found.value_low[i])
        assert row["value_low"] < row["value"] < row["value_high"]


def test_paired_draws_are_shifted_each_by_itself() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 60)
    said = {name: np.where(rng.random(60) < 0.8, truth, 1 - truth) for name in "ab"} | {"c": None}
    said["c"] = said["a"]
    draws = paired(truth, said, draws=100)
    for prior in (Fraction(1, 20), Fraction(123456789, 10**12)):
        found = draws.shift_priors(prior)
        expected = rs.Performances.from_probabilities(draws.values.reshape(-1, 4)).shift_priors(prior)
        assert found.values.reshape(-1, 4) == pytest.approx(expected.mass, rel=1e-12)
        intervals = rank_intervals(draws, "f1", shift_prior=prior)
        assert intervals.p_first[0] == intervals.p_first[2]  # copies
        assert intervals.method.endswith(f"each shifted to the prior {float(prior):.4g}")
    Path("p.csv").write_text("y,a,b\n" + "".join(f"{t},{x},{z}\n" for t, x, z in zip(truth, said["a"], said["b"])))  # noqa: B905
    line = "rank p.csv --truth y --prediction a --prediction b --uncertainty --shift-prior 0.05 --draws 50"
    assert "models pooled by how similar they are, each shifted to the prior 0.05" in flat(run(line).stdout)


def test_a_class_that_was_never_seen_cannot_be_shifted_to() -> None:
    P = rs.Performances.from_counts([[9, 1, 0, 0], [5, 1, 1, 3]], names=["none", "some"])
    for call in (lambda: prepare(P, shift_prior=0.2), lambda: posterior(P, shift_prior=0.2)):
        with pytest.raises(rs.DataError, match="none.*has no positive cases"):
            call()


# ---- names


def test_the_prior_distribution_of_draws_is_a_method() -> None:
    assert "uniform prior" in posterior(TWO, 2, method="uniform").method
    with pytest.raises(TypeError, match="prior"):
        posterior(TWO, 2, prior="uniform")  # type: ignore[call-arg]
    shown = run("rank two.csv --uncertainty --posterior 0.1 --draws 5").stdout
    assert "prior of 0.1 cases per outcome" in " ".join(shown.split())
    assert "the prior distribution of the draws is --posterior" in run("rank two.csv --prior 0.1", status=2).stderr
