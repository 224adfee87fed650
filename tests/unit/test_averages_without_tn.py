"""Averages over domains without true negatives: false positives, on whichever domain, never help."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.special import expit

import rankscape as rs
from rankscape.cli import main
from rankscape.domains import MissingDomainsWarning, prepare
from rankscape.errors import DataError, UsageError
from rankscape.outcomes import RIGHT_SIDE, WITHOUT_TN, to_be_found
from rankscape.tasks import detection, retrieval

PLACES = [Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(4, 5), Fraction(1)]
"""Precision, F½, F₁, F₂ and recall, on the side a = 1 of the Tile."""

Counts = list[list[tuple[int, int, int]]]
"""fp, fn, tp of each system on each domain."""


def performances(counts: Counts, space: Any = WITHOUT_TN) -> rs.Performances:
    n = len(counts[0])
    return rs.Performances.from_counts(
        [cell for row in counts for cell in row], names=[f"s{i}" for i in range(len(counts)) for _ in range(n)],
        domains=[f"q{d}" for d in range(n)] * len(counts), space=space,
    )  # fmt: skip


def average(row: list[tuple[int, int, int]], weights: list[Fraction] | None) -> list[Fraction]:
    """Return fp, fn, tp per thing to be found, by the definition; counts are added where there are no weights."""
    sums = [Fraction(0)] * 3
    for d, cell in enumerate(row):
        for k in range(3):
            sums[k] += cell[k] if weights is None else weights[d] * Fraction(cell[k], cell[1] + cell[2])
    return sums


def value(sums: list[Fraction], b: Fraction) -> Fraction | None:
    fp, fn, tp = sums
    below = tp + (1 - b) * fp + b * fn
    return tp / below if below else None


def random_run(seed: int) -> tuple[Counts, Counts, bool]:
    """Return the counts of systems, the same with junk added to the last one, and whether a query has no answer."""
    rng = np.random.default_rng(seed)
    systems, queries = int(rng.integers(2, 5)), int(rng.integers(2, 7))
    things = rng.integers(1, 9, queries)
    if rng.random() < 0.3:
        things[rng.integers(queries)] = 0
        things[0] = max(things[0], 1)
    empty = bool((things == 0).any())
    counts: Counts = []
    for _ in range(systems):
        tp = [int(rng.integers(0, n + 1)) for n in things]
        counts.append([(int(rng.integers(0, 6)), int(n) - t, t) for n, t in zip(things, tp, strict=True)])
    counts.append([*counts[-1]])  # a twin, which returns more that is wrong
    junk = [
        *counts[:-1],
        [(fp + int(rng.integers(0, 40)) * bool(rng.random() < 0.5), *rest) for fp, *rest in counts[-1]],
    ]
    return counts, junk, empty  # type: ignore[return-value]


def check_run(seed: int) -> None:
    counts, junk, empty = random_run(seed)
    rng = np.random.default_rng([seed, 1])
    n = len(counts[0])
    given = [Fraction(int(w), 7) for w in rng.integers(1, 9, n)]
    ways: list[tuple[Any, list[Fraction] | None]] = [(None, None if empty else [Fraction(1)] * n), ("size", None)]
    if not empty:
        ways += [("equal", [Fraction(1)] * n), ({f"q{d}": w for d, w in enumerate(given)}, given)]
    P, Q = performances(counts), performances(junk)
    for name, weights in ways:
        before, after = rs.summarize(P, name), rs.summarize(Q, name)
        for rows, found in ((counts, before), (junk, after)):
            for row, integers in zip(rows, found.integers.tolist(), strict=True):
                sums = average(row, weights)
                assert [Fraction(x, sum(integers)) for x in integers] == [x / sum(sums) for x in sums]
        for b in PLACES:
            values = [value(average(row, weights), b) for row in junk]
            clean = value(average(counts[-1], weights), b)
            assert values[-1] is None or clean is None or values[-1] <= clean  # junk never helps
            ranking = rs.rank(after, by=rs.at(1, b))
            for mine, rank in zip(values, ranking.ranks.tolist(), strict=True):
                if mine is None:
                    assert np.isnan(rank)
                else:
                    assert rank == 1 + sum(x is not None and x > mine for x in values)
            if name is None:  # what averages by itself does so, too
                assert np.array_equal(rs.rank(Q, by=rs.at(1, b)).ranks, ranking.ranks, equal_nan=True)
                assert rs.domains.leave_one_out(Q, rs.at(1, b)).ranking.ranks.tolist() == ranking.ranks.tolist() or any(
                    x is None for x in values
                )


@pytest.mark.parametrize("seed", range(12))
def test_junk_never_helps(seed: int) -> None:
    check_run(seed)


@pytest.mark.nightly
@pytest.mark.parametrize("start", range(12, 300, 24))
def test_junk_never_helps_in_300_runs(start: int) -> None:
    for seed in range(start, start + 24):
        check_run(seed)


HONEST, JUNK = [(0, 0, 1), (1, 1, 0)], [(0, 0, 1), (9, 1, 0)]


def test_junk_for_one_query_leaves_recall_as_it_is() -> None:
    P = performances([HONEST, JUNK])
    assert rs.rank(P, by="recall").values.tolist() == [0.5, 0.5]
    assert rs.rank(P, by="recall").best == {"s0", "s1"}
    assert rs.rank(P, by="precision").values == pytest.approx([0.5, 0.1])
    assert rs.rank(P).notes == (
        "performances averaged over 2 domains with equal weights, each measured per thing to be found (performances, not scores)",
    )
    for space in (retrieval.SPACE, detection.SPACE):
        rows = [[(0, *cell) for cell in row] if "none" in space.outcomes else row for row in (HONEST, JUNK)]
        R = performances(rows, space)  # type: ignore[arg-type]
        assert rs.rank(R, by="recall").values.tolist() == [0.5, 0.5]
    floats = rs.Performances.from_probabilities(P.mass, names=P.names, domains=P.domains, space=P.space)
    assert rs.rank(floats, by="recall").values == pytest.approx([0.5, 0.5])
    assert rs.summarize(floats).mass == pytest.approx(rs.summarize(P).mass)
    assert rs.summarize(floats, {"q0": 3, "q1": 1}).mass == pytest.approx(rs.summarize(P, {"q0": 3, "q1": 1}).mass)
    assert to_be_found(rs.TWO_CLASS) is None
    assert to_be_found(RIGHT_SIDE) is not None


def test_entities_are_mixed_per_thing_to_be_found() -> None:
    P = rs.Performances.from_counts(fp=[0, 8], fn=[1, 1], tp=[1, 1])
    for Q in (P, rs.Performances.from_probabilities(P.mass, space=P.space)):
        assert rs.score("recall")(Q.mix([1, 3])) == pytest.approx([0.5])
        assert Q.mix([1, 3]).mass == pytest.approx(np.array([[6, 1, 1]]) / 8)
    with pytest.raises(UsageError, match=r"'P1' had nothing \(fn \+ tp = 0\), and 'P2' had something"):
        rs.Performances.from_counts(fp=[1, 1], fn=[0, 1], tp=[0, 1]).mix()


EMPTY = [[*HONEST, (2, 0, 0)], [*JUNK, (0, 0, 0)]]


def test_counts_are_added_where_nothing_is_to_be_found() -> None:
    P = performances(EMPTY)
    assert rs.summarize(P).integers.tolist() == [[3, 1, 1], [9, 1, 1]]
    assert rs.summarize(P, "size").integers.tolist() == [[3, 1, 1], [9, 1, 1]]
    assert P.over_domains().integers.tolist() == [[3, 1, 1], [9, 1, 1]]
    assert rs.rank(P).notes[0].startswith("performances pooled over 3 domains: counts are added")
    asked = prepare(P)
    assert (asked.average, asked.weighting, asked.only_pooled) == ("pooled", "size", True)
    assert asked.about_average == ("Counts pooled: those of 3 domains are added, because nothing is to be found on q2")
    says = r'nothing is to be found on the domain "q2" .* {} do not exist there: add the counts, with weights="size"'
    for weights, what in (("equal", "equal weights"), ({"q0": 1, "q1": 1, "q2": 1}, "weights")):
        with pytest.raises(UsageError, match=says.format(what)):
            rs.summarize(P, weights)
    assert rs.summarize(P, {"q0": 1, "q1": 1, "q2": 0}).integers.tolist() == [[1, 1, 1], [9, 1, 1]]
    with pytest.raises(UsageError, match=says.format("weightings")):  # q2 has no weight now, but could have one
        rs.domains.weightings(rs.domains.prepare(P, weights={"q0": 1, "q1": 1, "q2": 0}), by="f1")
    with pytest.raises(DataError, match="counts must be added, and these are probabilities"):
        rs.rank(
            rs.Performances.from_probabilities(
                [[0.5, 0, 0.5], [1, 0, 0]], names=["a"] * 2, domains=["x", "y"], space=WITHOUT_TN
            )
        )
    with pytest.raises(UsageError, match="pooled counts have none"):
        rs.domains.weightings(P)
    roles = rs.domains.roles(P, by="f1")
    assert roles.weights == pytest.approx(np.array([[2, 2, 2], [2, 10, 0]]) / np.array([[6], [12]]))
    assert rs.domains.leave_one_out(P).domains == ("q0", "q1", "q2")
    assert rs.domains.leave_one_out(P, by="precision").weighting == "size"


def test_what_is_left_out_does_not_pool() -> None:
    rows = [(0, 0, 1), (1, 1, 0), (2, 0, 0), (0, 0, 1), (9, 1, 0)]
    P = rs.Performances.from_counts(
        rows, names=["a"] * 3 + ["b"] * 2, domains=["x", "y", "z", "x", "y"], space=WITHOUT_TN
    )
    with pytest.warns(MissingDomainsWarning, match="without"):
        assert prepare(P, missing="complete").average == "per thing to be found"


def test_a_row_of_zeros_adds_nothing_and_is_allowed_beside_others_only() -> None:
    P = performances(EMPTY)
    assert rs.rank(P.in_domain("q2"), by="precision").best == {"s0"}
    assert list(rs.rank(P.in_domain("q2"), by="precision").reasons) == [
        None,
        "nothing was to be found, and nothing was",
    ]
    with pytest.raises(DataError, match="all counts are 0: a performance needs at least one case"):
        rs.Performances.from_counts(fp=[0], fn=[0], tp=[0])
    with pytest.raises(DataError, match="all counts are 0: a performance needs at least one case"):
        rs.Performances.from_counts([[0, 0, 0, 0]], names=["a"], domains=["x"])
    nothing = performances([[(1, 0, 0), (0, 1, 1)], [(0, 0, 0), (0, 0, 0)]])
    for ask in (rs.summarize, rs.rank):
        with pytest.raises(DataError, match='entity "s1": all counts are 0 on all domains'):
            ask(nothing)  # type: ignore[operator]


def test_who_had_not_as_much_to_find_is_named() -> None:
    P = performances([[(1, 1, 3), (2, 1, 4)], [(0, 2, 2), (0, 2, 4)]])
    with pytest.warns(MissingDomainsWarning, match=r"s0 had 5 things to find \(fn \+ tp\) on q1, s1 6"):
        asked = prepare(P)
    assert asked.sentences()[1] == "s0 had 5 things to find (fn + tp) on q1, s1 6: they were not tried on the same"
    decision = rs.gate(P["s0"], P["s1"])
    assert asked.sentences()[1] in decision.notes


def test_draws_are_of_the_same_average() -> None:
    """Queries of different sizes, on which recall and false positives differ: the draws lie around the average."""
    counts = [(6, 18, 2), (0, 0, 1), (2, 1, 0), (0, 0, 2), (1, 15, 25), (0, 0, 1)] * 5
    for weights, resample in ((None, "cases"), ("size", "cases"), (None, "domains"), ("size", "domains")):
        P = performances([counts, [(fp + 30, fn, tp) for fp, fn, tp in counts]])
        drawn = rs.uncertainty.posterior(P, draws=3000, weights=weights, resample=resample, method="jeffreys").values
        seen = rs.summarize(P, weights).mass
        for mask in ([False, True, True], [True, False, True]):
            rate, of_seen = (each[..., 2] / each[..., mask].sum(axis=-1) for each in (drawn, seen))
            assert np.median(rate, axis=0) == pytest.approx(of_seen, abs=0.03)
        recall = drawn[..., 2] / drawn[..., 1:].sum(axis=2)
        assert 0.4 < (recall[:, 0] > recall[:, 1]).mean() < 0.6  # 30 wrong results more change no recall


def test_recall_of_queries_with_one_answer_each_is_as_sure_as_their_number() -> None:
    tp = np.random.default_rng(0).binomial(1, 0.7, 40).tolist()
    P = performances([[(1, 1 - t, t) for t in tp]] * 2)
    drawn = rs.uncertainty.posterior(P, draws=4000, resample="cases", method="jeffreys").values
    recall = drawn[..., 2] / drawn[..., 1:].sum(axis=2)
    rate = np.mean(tp)
    assert recall.mean() == pytest.approx(rate, abs=0.02)
    assert recall.std(axis=0) == pytest.approx(np.full(2, (rate * (1 - rate) / 40) ** 0.5), rel=0.12)
    alarms = drawn[..., 0] / drawn[..., 1:].sum(axis=2)  # 40 on 40 things
    assert alarms.std(axis=0) == pytest.approx(np.full(2, 40**-0.5), rel=0.12)


def test_a_domain_with_nothing_to_find_has_false_positives_only() -> None:
    rows = [[(2, 4, 16), (1, 10, 10), (0, 0, 0)], [(2, 4, 16), (1, 10, 10), (40, 0, 0)]]
    for resample in ("cases", "domains"):
        drawn = rs.uncertainty.posterior(performances(rows), draws=1000, resample=resample, method="jeffreys").values
        recall, precision = drawn[..., 2] / drawn[..., 1:].sum(axis=2), drawn[..., 2] / (drawn[..., 0] + drawn[..., 2])
        assert abs(np.diff(np.median(recall, axis=0))[0]) < 0.03
        assert np.median(precision[:, 0]) > np.median(precision[:, 1]) + 0.1


def test_the_first_domain_with_nothing_to_find_is_named() -> None:
    rows = [[(2, 0, 0), (1, 10, 10)], [(3, 5, 5), (1, 5, 15)]]
    with pytest.warns(MissingDomainsWarning, match="s0 had 0 things to find"):
        prepared = prepare(performances(rows))
    assert prepared.about_average.endswith(f"because nothing is to be found on {prepared.domains[0]}")


@pytest.mark.nightly
@pytest.mark.parametrize(("weights", "spread"), [(None, 0.5), ("size", 0.5), (None, 0.0)])
def test_intervals_and_p_first_of_averages_are_calibrated(weights: Any, spread: float) -> None:
    """Five systems on 30 queries with five things each (one without any where counts are pooled)."""
    stated, observed, inside = [], [], []
    for seed in range(120):
        rng = np.random.default_rng(seed)
        things = np.full(30, 5)
        things[0] = 0 if weights else 5
        recall = expit(rng.normal(1.2, spread, (5, 1)) + rng.normal(0, spread, (1, 30)))
        alarms = np.exp(rng.normal(-0.7, spread, (5, 1)) + rng.normal(0, spread, (1, 30)))
        tp, fp = rng.binomial(things, recall), rng.poisson(alarms * 5)
        counts = np.stack([fp, things - tp, tp], axis=2).tolist()
        with np.errstate(invalid="ignore"):
            parts = np.stack([alarms * 5, things * (1 - recall), things * recall], axis=2)
        truth = parts.sum(axis=1) / parts.sum(axis=(1, 2))[:, None]
        values = rs.score("f1")(rs.Performances.from_probabilities(truth, space=WITHOUT_TN))
        found = rs.uncertainty.rank_intervals(performances(counts), by="f1", draws=300, rng=seed, weights=weights)
        order = [int(name[1:]) for name in found.names]
        best, there = int(np.nanargmax(found.p_first)), values[order]
        first = np.isclose(there, there.max())
        stated.append(found.p_first[best])
        observed.append(first[best] / first.sum())
        inside.append(((found.value_low <= there) & (there <= found.value_high)).mean())
    assert np.mean(inside) >= 0.93 - 0.015  # a target less what chance may take from 600 intervals
    if spread:  # where all are alike, no prior distribution is right
        assert np.mean(stated) - np.mean(observed) <= 0.07


QRELS = "q1 0 d1 1\nq2 0 d2 1\n"
RUNS = {
    "honest.run": "q1 Q0 d1 1 9 t\nq2 Q0 x1 1 9 t\n",
    "junk.run": "q1 Q0 d1 1 9 t\n" + "".join(f"q2 Q0 x{i} {i} {10 - i} t\n" for i in range(1, 10)),
}
PER_THING, ADDED = "each measured per thing to be found (fn + tp)", "Counts pooled: those of 3 domains are added"


def asked(folder: Path, line: str, pooled: bool) -> str:
    """Return what a command prints of two runs; with ``pooled`` a third query has nothing to be found."""
    (folder / "q.qrels").write_text(QRELS + ("q3 0 d3 0\n" if pooled else ""), "utf-8")
    for name, text in RUNS.items():
        (folder / name).write_text(text + ("q3 Q0 z 1 1 t\n" if pooled else ""), "utf-8")
    parts = [str(folder / part) if re.search(r"\.\w+$", part) else part for part in line.split()]
    result = CliRunner().invoke(main, [*parts, "--qrels", str(folder / "q.qrels")])
    assert result.exit_code in (0, 1, 4), result.output
    return " ".join(result.stdout.split())


@pytest.mark.parametrize(("pooled", "says"), [(False, PER_THING), (True, ADDED)])
def test_every_command_names_the_same_average(tmp_path: Path, pooled: bool, says: str) -> None:
    both = "honest.run junk.run"
    precision = "0.3333" if pooled else "0.5000"
    board = asked(tmp_path, f"rank {both} --by precision --uncertainty --draws 50", pooled)
    assert f"First: honest ({precision})" in board
    assert "Drawn: new samples of queries" in board
    printed = [board, *(asked(tmp_path, f"{line} {both}", pooled) for line in ("domains", "why", "tradeoff"))]
    printed.append(asked(tmp_path, "gate honest.run --against junk.run --draws 50", pooled))
    assert all(says in text for text in printed), printed
    document = json.loads(asked(tmp_path, f"rank {both} --by precision --format json", pooled))
    assert document["prepared"]["average"] == ("pooled" if pooled else "per thing to be found")
    assert document["entities"][0]["value"] == pytest.approx(float(precision), abs=1e-4)
    asked(tmp_path, f"report {both} --by precision --draws 50 -o card.md", pooled)
    assert says in " ".join((tmp_path / "card.md").read_text("utf-8").split())
    asked(tmp_path, f"explore {both} --by precision --draws 50 -o page.html", pooled)
    assert f'"pooled":{json.dumps(pooled)}' in (tmp_path / "page.html").read_text("utf-8").replace('": ', '":')


def test_a_table_with_a_row_of_zeros_is_read(tmp_path: Path) -> None:
    table = tmp_path / "images.csv"
    table.write_text("model,domain,fp,fn,tp\na,i1,1,1,3\na,i2,0,0,0\nb,i1,0,2,2\nb,i2,3,0,0\n", "utf-8")
    result = CliRunner().invoke(main, ["rank", str(table), "--by", "precision"])
    assert "Counts pooled: those of 2 domains are added, because nothing is to be found on i2" in " ".join(
        result.output.split()
    )
    assert "First: a (0.7500)" in result.output
    for weights in ("equal", "i1=1,i2=2"):
        refused = CliRunner().invoke(main, ["rank", str(table), "--weights", weights])
        assert refused.exit_code == 2
        assert "add the counts, with --weights size" in refused.output
