"""Each domain predicted by the others, against plain loops over the public functions."""

import json
import time
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main


def results(seed: int, n: int, domains: list[str], most: int = 9) -> rs.Performances:
    """Small counts, so that scores tie and are undefined now and then."""
    counts = np.random.default_rng(seed).integers(0, most, size=(n * len(domains), 4))
    counts[:, 0] += 1
    names = [f"m{e}" for e in range(n) for _ in domains]
    return rs.Performances.from_counts(counts, names=names, domains=domains * n)


def by_loops(P, by, weights, missing="error", shift_prior=None):
    """τ and P(first) per domain: rank what is left, rank the domain, compare."""
    taus, firsts = [], []
    for d in dict.fromkeys(P.domains):
        there = P[[domain == d for domain in P.domains]]
        rest = P[[domain != d and name in there.names for domain, name in zip(P.domains, P.names, strict=True)]]
        kept = weights if isinstance(weights, str) else {name: weight for name, weight in weights.items() if name != d}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            others = rs.summarize(rest, kept, missing)
        alone = there[[name in others.names for name in there.names]]
        ranks = []
        for side in (others, alone):
            shifted = {}
            for e, name in enumerate(side.names):
                one = side[e]
                if shift_prior is not None:
                    try:
                        one = one.shift_priors(shift_prior)
                    except rs.DataError:
                        continue
                value = rs.score(by).exact(one)
                if value.bottom[0]:
                    sign = -1 if rs.score(by).direction == "smaller" else 1
                    shifted[name] = sign * Fraction(value.top[0], value.bottom[0])
            ranks.append(shifted)
        both = [name for name in ranks[0] if name in ranks[1]]
        tau = rs.kendall_tau(*([float(side[name]) for name in both] for side in ranks)) if both else np.nan
        taus.append(tau)
        first = [{name for name, x in side.items() if x == max(side.values())} for side in ranks]
        share = len(first[0] & first[1]) / (len(first[0]) * len(first[1])) if tau == tau else np.nan
        firsts.append(share)
    return taus, firsts


@pytest.mark.some(3)
@pytest.mark.parametrize("shift_prior", [None, 0.3])
@pytest.mark.parametrize("by", ["f1", "precision", "accuracy", "fpr"])
def test_every_way_is_that_of_plain_loops(by, shift_prior) -> None:
    domains = ["a/1", "a/2", "b/1", "a/3", "c/1", "b/2"]
    for seed in range(2):
        P = results(seed, 5, domains)
        given = {name: weight for weight, name in enumerate(domains, start=1)}
        for way in (given, "equal", "size", "hierarchical"):
            result = rs.domains.leave_one_out(rs.domains.prepare(P, weights=way, shift_prior=shift_prior), by)
            assert result.weighting == ("given" if way is given else way)
            taus, firsts = by_loops(P, by, way, shift_prior=shift_prior)
            np.testing.assert_allclose(result.tau_there, taus, atol=1e-12)
            np.testing.assert_allclose(result.p_first, firsts, atol=1e-12)


def test_floats_are_ranked_as_the_counts_that_they_come_from() -> None:
    P = results(1, 6, ["a/1", "a/2", "b", "c"], most=50)
    Q = rs.Performances.from_probabilities(P.mass, names=P.names, domains=P.domains)
    for way in ("hierarchical", "equal"):
        counts, floats = (rs.domains.leave_one_out(rs.domains.prepare(side, weights=way), "f1") for side in (P, Q))
        assert floats.tau_there.tolist() == counts.tau_there.tolist()
        assert floats.p_first.tolist() == counts.p_first.tolist()


def test_available_compares_those_that_both_sides_have() -> None:
    P = results(3, 6, ["w", "x", "y", "z"], most=30)
    P = P[[(name, domain) not in {("m0", "w"), ("m1", "x"), ("m1", "y"), ("m2", "w")}
           for name, domain in zip(P.names, P.domains, strict=True)]]  # fmt: skip
    with pytest.warns(rs.domains.MissingDomainsWarning):
        result = rs.domains.leave_one_out(rs.domains.prepare(P, missing="available"), "f1")
    assert dict(zip(result.domains, result.compared, strict=True)) == {"w": 4, "x": 5, "y": 5, "z": 6}
    taus, firsts = by_loops(P, "f1", "equal", "available")
    np.testing.assert_allclose(result.tau_there, taus, atol=1e-12)
    np.testing.assert_allclose(result.p_first, firsts, atol=1e-12)
    with pytest.raises(rs.DataError, match="4 cells of 24 missing"):
        rs.domains.leave_one_out(P, "f1")
    with pytest.warns(rs.domains.MissingDomainsWarning):
        assert (
            rs.domains.leave_one_out(rs.domains.prepare(P, missing="complete"), "f1").domains == ()
        )  # one domain is shared by all


def test_an_entity_on_one_domain_only_predicts_nothing_and_wins_nothing() -> None:
    rows = [[5, 1, 1, 5]] * 3 + [[4, 2, 2, 4]] * 3 + [[6, 0, 0, 6]]
    P = rs.Performances.from_counts(rows, names=list("aaabbbc"), domains=list("xyzxyzz"))
    with pytest.warns(rs.domains.MissingDomainsWarning):
        result = rs.domains.leave_one_out(rs.domains.prepare(P, missing="available"), "f1")
    assert result.observed == ({"a"},) * 3
    assert result.compared.tolist() == [2, 2, 2]
    assert result.p_first.tolist() == [1, 1, 1]


def test_ties_count_in_part() -> None:
    good, bad = [5, 1, 1, 5], [4, 2, 2, 4]
    rows = [good, good, good, good, good, good, bad, good, bad, bad, bad, bad]  # a = b on x and z; a alone on y …
    P = rs.Performances.from_counts(rows, names=[n for n in "abcd" for _ in "xyz"], domains=list("xyz") * 4)
    result = rs.domains.leave_one_out(P, "accuracy")
    assert result.observed == ({"a", "b"}, {"a", "b", "c"}, {"a", "b"})
    assert result.predicted == ({"a", "b"},) * 3
    assert result.p_first.tolist() == [1 / 2, 1 / 3, 1 / 2]
    assert round(result.hits, 6) == 1.333333
    assert "left out on 1.333 of 3 (one of m tied models counts 1/m)" in " ".join(result.sentences())


def test_a_winner_without_a_score_on_the_domain_is_not_first_there() -> None:
    rows = {"a": [[9, 0, 1, 9], [9, 0, 1, 9], [9, 0, 9, 0]], "b": [[8, 2, 2, 8]] * 3, "c": [[7, 3, 3, 7]] * 3}
    P = rs.Performances.from_counts(
        [row for of_one in rows.values() for row in of_one],
        names=[n for n in "abc" for _ in "xyz"],
        domains=list("xyz") * 3,
    )
    result = rs.domains.leave_one_out(P, "precision")
    assert result.compared.tolist() == [3, 3, 2]  # on z, a has no precision
    assert result.predicted[2] == {"a"}
    assert result.p_first.tolist() == [1, 1, 0]


def test_domains_where_nothing_can_be_compared_do_not_count() -> None:
    tie = [[5, 1, 1, 5]] * 3
    rows = [[9, 1, 1, 9], [8, 2, 2, 8], [7, 3, 3, 7]] * 3 + tie + [[9, 1, 0, 0]] * 3
    P = rs.Performances.from_counts(
        rows, names=list("abc") * 5, domains=[d for d in ("x", "y", "z", "tie", "none") for _ in "abc"]
    )
    result = rs.domains.leave_one_out(P, "recall")
    assert result.used == 3
    assert np.isnan(result.tau_there).tolist() == np.isnan(result.p_first).tolist() == [False] * 3 + [True] * 2
    assert result.mean_tau == result.hits / result.used == 1
    said = list(result.sentences())
    assert "of 1.00 (smallest 1.00). The winner over the others also wins the one left out on 3 of 3" in said[0]
    assert said[1:] == [
        "2 domains do not count there, because fewer than two models can be compared or all of them tie",
        "Three domains are few, so take this as a rough guide",
    ]


def test_nothing_to_compare_is_no_number() -> None:
    P = rs.Performances.from_counts([[5, 1, 1, 5]] * 6, names=list("ab") * 3, domains=list("xxyyzz"))
    result = rs.domains.leave_one_out(P, "f1")
    assert result.used == 0
    assert np.isnan([result.mean_tau, *result.p_first]).all()
    assert list(result.sentences()) == [
        "The others predict the ranking on none of the 3 domains, for no two models can be told apart"
    ]


def test_nothing_is_predicted_by_one_domain() -> None:
    P = results(0, 3, ["x", "y", "z"])
    for few in (P[[d != "z" for d in P.domains]], P.in_domain("x")):
        assert not list(rs.domains.leave_one_out(few, "f1").sentences())
    assert not list(rs.domains.leave_one_out(rs.domains.prepare(P, weights={"x": 1, "y": 2, "z": 0}), "f1").sentences())


def test_other_sample_spaces() -> None:
    space = rs.SampleSpace("three", ("right", "near", "wrong"), (1.0, 0.5, 0.0))
    rows = [[8, 1, 1], [7, 2, 1], [9, 0, 1], [5, 3, 2], [5, 2, 3], [5, 1, 4]]
    P = rs.Performances.from_counts(rows, names=list("aaabbb"), domains=list("xyz") * 2, space=space)
    assert rs.domains.leave_one_out(P, [1, 1, 1]).p_first.tolist() == [1, 1, 1]
    with pytest.raises(rs.UsageError, match="F_1 is a score on two-class performances, not on three"):
        rs.domains.leave_one_out(P, "f1")


def test_a_domain_without_weight_is_left_aside() -> None:
    P = results(5, 4, ["w", "x", "y", "z"], most=40)
    result = rs.domains.leave_one_out(rs.domains.prepare(P, weights={"w": 0, "x": 1, "y": 2, "z": 3}), "f1")
    without = rs.domains.leave_one_out(
        rs.domains.prepare(P[[d != "w" for d in P.domains]], weights={"x": 1, "y": 2, "z": 3}), "f1"
    )
    assert result.domains == ("x", "y", "z")
    assert result.tau_there.tolist() == without.tau_there.tolist()


def test_groups_share_the_weight_of_the_one_left_out() -> None:
    P = results(7, 5, ["a/w", "a/x", "b/y", "c/z"], most=40)
    result = rs.domains.leave_one_out(rs.domains.prepare(P, weights="hierarchical"), "f1")
    rest = P[[d != "a/w" for d in P.domains]]  # x has all of group a
    others = rs.rank(rs.summarize(rest, "hierarchical"), "f1")
    there = rs.rank(P.in_domain("a/w"), "f1")
    assert result.tau_there[0] == pytest.approx(rs.kendall_tau(others.ranks, there.ranks))
    assert result.ranks[0].tolist() == others.ranks.tolist()


def test_hundred_entities_on_forty_domains_take_no_time() -> None:
    P = results(2, 100, [f"g{d % 7}/d{d}" for d in range(40)], most=2000)
    rs.domains.leave_one_out(rs.datasets.classifiers(), "f1")  # SciPy is loaded
    start = time.perf_counter()
    rs.domains.leave_one_out(rs.domains.prepare(P, weights="size"), "f1")
    assert time.perf_counter() - start < 2  # measured: 0.1


def test_table() -> None:
    table = rs.domains.leave_one_out(rs.datasets.classifiers(), "f1").table()
    assert table.columns == ["domain", "first", "tau", "moved", "observed", "tau_there", "p_first"]
    assert len(table) == 14


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = ["entity,domain,tn,fp,fn,tp"]
    P = results(4, 3, ["x", "y", "z"], most=40)
    rows += [",".join(map(str, row)) for row in zip(P.names, P.domains, *P.counts.T.tolist(), strict=True)]
    (tmp_path / "three.csv").write_text("\n".join(rows))
    (tmp_path / "two.csv").write_text("\n".join(row for row in rows if ",z," not in row))
    (tmp_path / "one.csv").write_text("\n".join(row for row in rows if row[:2] in ("en", "m0")))
    return tmp_path


def test_the_command_and_the_card_say_it(folder: Path) -> None:
    P = rs.read("three.csv")
    expected = list(rs.domains.leave_one_out(P, "f1").sentences())
    result = CliRunner().invoke(main, ["domains", "three.csv", "--by", "f1"])
    assert result.exit_code == 0
    assert all(line in " ".join(result.stdout.split()) for line in expected)
    document = json.loads(CliRunner().invoke(main, ["domains", "three.csv", "--by", "f1", "--format", "json"]).stdout)
    found = rs.domains.leave_one_out(P, "f1")
    assert document["leave_one_out"]["mean_tau"] == pytest.approx(found.mean_tau)
    assert [cell["domain"] for cell in document["leave_one_out"]["cells"]] == list(found.domains)
    card = rs.report(P, by="f1", draws=0)
    assert list(card["Would it hold elsewhere?"].lines) == expected


@pytest.mark.parametrize("options", [["two.csv"], ["one.csv"], ["three.csv", "--weights", "x=1,y=1,z=0"]])
def test_nothing_is_said_of_two_domains_or_one_entity(folder: Path, options: list[str]) -> None:
    result = CliRunner().invoke(main, ["domains", *options, "--by", "f1"])
    assert result.exit_code == 0, result.stderr
    assert "left out in turn" not in result.stdout
    weights = {"x": 1, "y": 1, "z": 0} if len(options) > 1 else "equal"
    card = rs.report(rs.read(options[0]), by="f1", draws=0, weights=weights)
    assert "Would it hold elsewhere?" not in [section.title for section in card.sections]
