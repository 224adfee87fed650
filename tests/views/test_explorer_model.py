"""The explorer's model under node, against what Python computes: scores, ranks, ties, borders, regions, flips."""

import json
import math
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import rankscape as rs
from rankscape.domains import prepare
from rankscape.explorer import build, document
from rankscape.geometry.borders import border_of_integers
from rankscape.geometry.roc import Pencil, roc_points

TOLERANCE = 1e-12
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed: the explorer's model is not tested")

DRIVER = """
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
const answers = input.map((task) => {
  const data = dataOf(task.data);
  const set = performances(data, task.weights ?? defaultWeights(data), task.prior ?? null);
  return tasks[task.task](set, task);
});
console.log(JSON.stringify(answers));
"""

TASKS = """
const tasks = {
  ranks: (set, task) => task.importances.map((importance) => {
    const found = rank(set, importance.map(valueOf));
    const list = (x) => Array.from(x);
    return { order: list(found.order), low: list(found.low), high: list(found.high), value: list(found.value) };
  }),
  places: (set, task) => task.places.map(([a, b]) => {
    const found = rank(set, preferenceAt(a, b));
    return { low: Array.from(found.low), high: Array.from(found.high) };
  }),
  borders: (set, task) => task.pairs.map(([i, j]) => {
    const border = borderOf(set.exact(i), set.exact(j));
    const span = spanOf(border);
    return { kind: border.kind, area: areaOfWin(border), b: task.columns.map((a) => borderB(border, a)),
      span: span && span.map((end) => end.number) };
  }),
  regions: (set) => firstRegions(set).map(({ rows, area, pieces }) => ({ rows, area, pieces: pieces.length })),
  everFirst: (set) => [...everFirst(set, firstRegions(set))],
  flips: (set, task) => {
    const regions = firstRegions(set);
    return task.places.map(([a, b]) => stability(set, regions, rank(set, preferenceAt(a, b)).order[0], a, b));
  },
  priors: (set, task) => {
    const regions = firstRegions(set);
    return task.places.map(([a, b]) => {
      const found = rank(set, preferenceAt(a, b));
      const first = Array.from(found.order.subarray(0, found.high[found.order[0]]));
      if (!found.defined || first.some((i) => set.group(i) !== set.group(first[0]))) return null;
      const { low, high, below, above } = priorRange(set, regions, first[0], a, b);
      return { first, low, high, below: below && below.rows, above: above && above.rows };
    });
  },
  distances: (set, task) => {
    const regions = firstRegions(set);
    return task.places.map(([a, b]) => regions.map((region) => distanceTo(region, a, b).distance));
  },
  exact: (set) => Array.from({ length: set.n }, (_, i) => set.exact(i).map(String)),
  certainty: (set, task) => {
    const sample = sampleOf(set, task.data.draws, drawnNumbers(task.data.draws));
    return task.places.map((place) => {
      const importance = importanceAt(...place);
      const { low, high } = rankSets(sample, importance, rank(set, importance).low);
      const { from, to } = valueIntervals(sample, importance);
      return { first: Array.from(shareFirst(sample, importance)), low: Array.from(low), high: Array.from(high), from: Array.from(from), to: Array.from(to) };
    });
  },
  simplest: (set, task) => task.numbers.map(simplest),
  quotients: (set, task) => task.pairs.map(([n, d]) => quotient(BigInt(n), BigInt(d))),
};
"""


def under_node(*tasks: dict[str, Any]) -> list[Any]:
    script = document.bundle("csv", "leads", "maps", "priors", "together") + TASKS + DRIVER
    done = subprocess.run(
        [NODE or "node", "-e", script], input=json.dumps(tasks), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: list[Any] = json.loads(done.stdout)
    return found


def drawn(n: int, total: int, seed: int, prior: float | None = None) -> rs.Performances:
    """Counts with zeros, doubles and proportional rows on purpose; with one prior where it is asked for."""
    rng = np.random.default_rng(seed)
    if prior is None:
        counts = rng.multinomial(total, rng.dirichlet([1, 0.5, 0.5, 1]), size=n)
    else:
        positive = round(total * prior)
        fp, fn = rng.integers(0, total - positive + 1, n), rng.integers(0, positive + 1, n)
        counts = np.stack([total - positive - fp, fp, fn, positive - fn], axis=1)
    counts[-1] = 3 * counts[0]
    counts[-2] = counts[1]
    return rs.Performances.from_counts(counts)


def fibonacci() -> list[tuple[int, int]]:
    """Fractions that differ by one part in 10²⁷: floats cannot tell them apart, nor can their products."""
    numbers = [1, 1]
    while len(numbers) < 69:
        numbers.append(numbers[-1] + numbers[-2])
    return list(pairwise(numbers[60:]))


def several() -> dict[str, rs.Performances]:
    rng = np.random.default_rng(5)
    mass = rng.dirichlet([3, 1, 1, 2], size=9)
    mass[4] = mass[2]
    domains = rs.Performances.from_counts(
        rng.integers(1, 40, size=(12, 4)),
        names=[f"e{i // 3}" for i in range(12)],
        domains=[f"d{i % 3}" for i in range(12)],
    )
    return {
        "small counts": drawn(25, 12, 1),
        "one prior": drawn(30, 60, 2, 0.3),
        "large counts": rs.Performances.from_counts(rng.integers(0, 10**9, size=(12, 4))),
        "huge counts": rs.Performances.from_counts(rng.integers(10**15, 2 * 10**17, size=(6, 4))),
        "probabilities": rs.Performances.from_probabilities(mass),
        "domains": domains,
        "tiny": rs.Performances.from_probabilities([[1 - 1e-300, 1e-300, 0, 0], [1, 0, 0, 0], [0.5, 0.25, 0.25, 0]]),
        "neighbors": rs.Performances.from_counts([[x, y, 0, 0] for x, y in fibonacci()]),
        "tied sides": rs.Performances.from_counts(
            [[8, 0, 1, 2], [2, 0, 1, 8], [5, 0, 2, 5], [5, 1, 0, 5], [9, 1, 0, 2]]
        ),
        "one": drawn(3, 20, 3)[0],
        "examples": rs.datasets.classifiers(),
    }


CASES = several()
PLACES = [(0.5, 0.5), (1.0, 0.5), (1.0, 0.8), (0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (1.0, 1.0), (0.3, 0.7), (0.123, 0.87)]


def importances() -> list[list[float]]:
    rng = np.random.default_rng(0)
    random = [[float(x) for x in rs.canonical_importance(a, b)] for a, b in rng.random((200, 2))]
    return [[1, 1, 1, 1], [0, 1, 1, 2], [0, 1, 4, 5], [1, 0, 1, 1], [7, 3, 0, 2], [0, 0, 1, 1], *random]


@pytest.mark.some(6)
@needs_node
@pytest.mark.parametrize("name", CASES)
def test_values_ranks_and_ties_are_those_of_python(name: str) -> None:
    performances = CASES[name]
    wanted = importances()
    (found,) = under_node({"task": "ranks", "data": build.payload(performances), "importances": wanted})
    for importance, mine in zip(wanted, found, strict=True):
        expected = rs.rank(performances, by=importance)
        low, high = (np.nan_to_num(expected.bounds[:, k]).astype(int).tolist() for k in (0, 1))
        assert (mine["low"], mine["high"]) == (low, high)
        assert mine["order"] == expected.order.tolist()
        values = np.array([np.nan if x is None else x for x in mine["value"]])
        np.testing.assert_allclose(values, expected.values, rtol=0, atol=TOLERANCE, equal_nan=True)


@needs_node
@pytest.mark.parametrize("name", CASES)
def test_a_place_means_the_simplest_fraction(name: str) -> None:
    performances = CASES[name]
    (found,) = under_node({"task": "places", "data": build.payload(performances), "places": PLACES})
    for (a, b), mine in zip(PLACES, found, strict=True):
        a_, b_ = (Fraction(x).limit_denominator(1000) for x in (a, b))
        expected = rs.rank(performances, by=[1 - a_, 1 - b_, b_, a_]).bounds
        assert [mine["low"], mine["high"]] == np.nan_to_num(expected).astype(int).T.tolist()


@needs_node
def test_ties_of_f2_are_ties() -> None:
    performances = drawn(300, 14, 8)
    (found,) = under_node({"task": "places", "data": build.payload(performances), "places": [(1.0, 0.8)]})
    bounds = np.nan_to_num(rs.rank(performances, by="f2").bounds).astype(int)
    assert found[0]["low"] == bounds[:, 0].tolist()
    assert (bounds[:, 1] > bounds[:, 0]).sum() > 100


@pytest.mark.some(4)
@needs_node
@pytest.mark.parametrize("weights", [[1, 1, 1], [0.1, 0.7, 0.2], [2, 0, 1]])
@pytest.mark.parametrize("prior", [None, 0.2, 0.013])
def test_weighted_domains_and_shifted_priors_are_exactly_those_of_python(
    weights: list[float], prior: float | None
) -> None:
    performances = CASES["domains"]
    expected = rs.summarize(performances, dict(zip(dict.fromkeys(performances.domains), weights, strict=True)))
    expected = expected if prior is None else expected.shift_priors(Fraction(str(prior)))  # 0.2 is 1/5
    (rows, ranks) = under_node(
        {"task": "exact", "data": build.payload(performances), "weights": weights, "prior": prior},
        {
            "task": "ranks",
            "data": build.payload(performances),
            "weights": weights,
            "prior": prior,
            "importances": importances(),
        },
    )
    for row, integers in zip(rows, expected.integers.tolist(), strict=True):
        mine = [Fraction(int(x), sum(map(int, row))) for x in row]
        assert mine == [Fraction(int(x), int(sum(integers))) for x in integers]
    for importance, mine in zip(importances(), ranks, strict=True):
        ranking = rs.rank(expected, by=importance)
        assert mine["low"] == np.nan_to_num(ranking.bounds[:, 0]).astype(int).tolist()
        np.testing.assert_allclose(mine["value"], ranking.values, rtol=0, atol=TOLERANCE)


@needs_node
@pytest.mark.parametrize("name", CASES)
def test_borders_and_areas_of_win_are_those_of_python(name: str) -> None:
    performances = CASES[name].per_entity()
    pairs = [[i, j] for i in range(len(performances)) for j in range(i)][:150]
    columns = [0.0, 0.1, 0.25, 0.5, 0.8, 1.0]
    (found,) = under_node({"task": "borders", "data": build.payload(CASES[name]), "pairs": pairs, "columns": columns})
    for (i, j), mine in zip(pairs, found, strict=True):
        border = border_of_integers(*([int(x) for x in performances.integers[k]] for k in (i, j)))
        assert mine["kind"] == border.kind
        assert mine["span"] == (None if border.span is None else [float(x) for x in border.span])
        assert mine["area"] == pytest.approx(border.area(), abs=TOLERANCE)
        b = np.array([np.nan if x is None else x for x in mine["b"]])
        np.testing.assert_allclose(b, border.b(columns), rtol=0, atol=TOLERANCE, equal_nan=True)


@needs_node
@pytest.mark.parametrize("name", CASES)
def test_regions_are_those_of_python(name: str) -> None:
    (found,) = under_node({"task": "regions", "data": build.payload(CASES[name])})
    expected = rs.regions.first(CASES[name])
    assert {tuple(region["rows"]) for region in found} == {region.rows for region in expected}
    areas = {region.rows: region.area for region in expected}
    for region in found:
        assert region["area"] == pytest.approx(areas[tuple(region["rows"])], abs=TOLERANCE)


@needs_node
@pytest.mark.parametrize("seed", range(6))
def test_regions_of_many_random_sets_are_those_of_python(seed: int) -> None:
    sets = [drawn(4 + 5 * k, 10 + 30 * k, 100 * seed + k, None if k % 2 else 0.4) for k in range(8)]
    found = under_node(*({"task": "regions", "data": build.payload(one)} for one in sets))
    for one, mine in zip(sets, found, strict=True):
        expected = {region.rows: region.area for region in rs.regions.first(one)}
        assert {tuple(region["rows"]): pytest.approx(region["area"], abs=TOLERANCE) for region in mine} == expected


@needs_node
def test_regions_of_degenerate_sets_are_those_of_python() -> None:
    rng = np.random.default_rng(17)
    sets = []
    for _ in range(120):
        counts = rng.integers(0, 4, size=(int(rng.integers(1, 9)), 4))
        counts[counts.sum(axis=1) == 0] = 1
        sets.append(rs.Performances.from_counts(counts))
    found = under_node(*({"task": "regions", "data": build.payload(one)} for one in sets))
    for one, mine in zip(sets, found, strict=True):
        expected = {region.rows: region.area for region in rs.regions.first(one)}
        assert {tuple(region["rows"]): pytest.approx(region["area"], abs=TOLERANCE) for region in mine} == expected


@needs_node
def test_those_first_in_ties_or_on_a_side_only_are_those_of_python() -> None:
    rng = np.random.default_rng(18)
    sets = [drawn(4 + 3 * k, 10 + 30 * k, k, None if k % 2 else 0.4) for k in range(8)]
    sets.append(rs.Performances.from_counts([[9, 1, 4, 6], [7, 3, 2, 8], [8, 2, 3, 7], [6, 4, 4, 6]]))  # P3 in a tie
    for _ in range(120):
        counts = rng.integers(0, 4, size=(int(rng.integers(1, 9)), 4))
        counts[counts.sum(axis=1) == 0] = 1
        sets.append(rs.Performances.from_counts(counts))
    found = under_node(*({"task": "everFirst", "data": build.payload(one)} for one in sets))
    rarely = 0
    for one, mine in zip(sets, found, strict=True):
        regions = rs.regions.first(one)
        assert {one.names[row] for row in mine} == regions.everywhere(), one.counts
        rarely += len(regions.everywhere()) - len({name for region in regions for name in region.names})
    assert rarely > 20


def nearest_of_others(performances: rs.Performances, first: frozenset[str], a: float, b: float) -> float:
    """Return the distance from a place to where others come first: along the edges of their regions, piece by piece."""
    found = math.inf
    for piece in (piece for one in rs.regions.first(performances) if not first <= {*one.names} for piece in one.pieces):

        def off(x: float, side: int, piece: Any = piece) -> float:
            """The distance to one edge of the piece in a column, or with both to its part of the column."""
            low, high = (float(edge[0]) for edge in piece.band(np.array([x])))
            return math.hypot(x - a, (min(max(b, low), high) if side == 2 else (low, high)[side]) - b)

        parts = np.linspace(float(piece.start), float(piece.end), 9)
        found = min(found, *(off(x, 2) for x in (*parts, min(max(a, parts[0]), parts[-1]))))
        for side, bounds in product((0, 1), pairwise(parts)):
            found = min(
                found, minimize_scalar(off, bounds=bounds, args=(side,), method="bounded", options={"xatol": 1e-12}).fun
            )
    return found


@needs_node
@pytest.mark.parametrize("name", ["one prior", "probabilities", "large counts"])
def test_flips_are_those_of_python(name: str) -> None:
    performances = CASES[name]
    places = [(0.3, 0.7), (0.5, 0.5), (0.9, 0.2), (1.0, 0.5), (0.123, 0.87)]
    found, apart = under_node(
        {"task": "flips", "data": build.payload(performances), "places": places},
        {"task": "distances", "data": build.payload(performances), "places": places},
    )
    for (a, b), mine, distances in zip(places, found, apart, strict=True):
        a_, b_ = (Fraction(x).limit_denominator(1000) for x in (a, b))
        expected = rs.regions.flips(performances, by=[1 - a_, 1 - b_, b_, a_])
        assert [mine["alongB"]["low"], mine["alongB"]["high"]] == pytest.approx(list(expected.along_b), abs=TOLERANCE)
        assert [mine["alongA"]["low"], mine["alongA"]["high"]] == pytest.approx(list(expected.along_a), abs=TOLERANCE)
        nearest = float(nearest_of_others(performances, expected.first, a, b))
        assert (nearest < math.inf) is bool(mine["nearest"]["rows"])
        if nearest < math.inf:  # both search along an arc; a minimum is flat, so its place has half of the digits
            assert mine["nearest"]["distance"] == pytest.approx(nearest, abs=1e-9)
            assert min(d for d in distances if d > 0) == pytest.approx(mine["nearest"]["distance"], abs=1e-9)
        assert min(distances) == 0


@needs_node
def test_the_interval_of_the_prior_is_that_of_python() -> None:
    rng = np.random.default_rng(8)
    sets = [CASES["one prior"], drawn(9, 40, 1, 0.1), drawn(30, 400, 2, 0.5)]
    for _ in range(15):
        negative, positive = rng.integers(1, 9, 2)
        n = int(rng.integers(1, 6))
        fp, tp = (rng.integers(0, most + 1, n) for most in (negative, positive))
        sets.append(rs.Performances.from_counts(np.stack([negative - fp, fp, positive - tp, tp], axis=1)))
    shifts = [None, 0.3, 0.02]
    places = [
        (0.3, 0.7),
        (0.5, 0.5),
        (1.0, 0.5),
        (1.0, 0.8),
        (0.4, 0.0),
        (0.0, 0.25),
        (0.7, 1.0),
        (1, 1),
        (0, 1),
        (0, 0),
        (1, 0),
    ]
    tasks = [
        {"task": "priors", "data": build.payload(one), "places": places, "prior": x} for one in sets for x in shifts
    ]
    seen = 0
    for task, ranges in zip(tasks, under_node(*tasks), strict=True):
        P = sets[tasks.index(task) // len(shifts)]
        P = P if task["prior"] is None else P.shift_priors(Fraction(str(task["prior"])))
        for (a, b), mine in zip(places, ranges, strict=True):
            a_, b_ = (Fraction(x).limit_denominator(1000) for x in (a, b))
            by = [1 - a_, 1 - b_, b_, a_]
            ranking = rs.rank(P, by=by)
            if mine is None or not len(ranking):
                continue
            changes = rs.regions.prior_flips(P, by=by)
            assert {P.names[i] for i in mine["first"]} == changes.first
            assert [mine["low"], mine["high"]] == pytest.approx(list(changes.stays), rel=TOLERANCE)
            beyond = {"fewer positives": mine["below"], "more positives": mine["above"]}
            expected = {direction: set(names) for direction, _, names in changes.beyond()}
            assert {key: {P.names[i] for i in rows} for key, rows in beyond.items() if rows} == expected
            seen += len(expected)
    assert seen > 60


@needs_node
def test_the_simplest_fraction_of_a_number() -> None:
    numbers = [0, 1, 0.5, 0.8, 1 / 3, 0.1234, 4 / 13, math.pi / 4]
    (found,) = under_node({"task": "simplest", "data": build.payload(CASES["one"]), "numbers": numbers})
    assert found == [[0, 1], [1, 1], [1, 2], [4, 5], [1, 3], [617, 5000], [4, 13], None]


@needs_node
def test_quotients_are_correct_far_outside_of_doubles() -> None:
    pairs = [(1, 3), (-7, 9), (10**400, 3 * 10**399), (1, 10**300), (2**2000 + 1, 2**2000), (0, 5), (1, 2**1070)]
    data = build.payload(CASES["one"])
    (found,) = under_node({"task": "quotients", "data": data, "pairs": [[str(n), str(d)] for n, d in pairs]})
    assert found == pytest.approx([float(Fraction(n, d)) for n, d in pairs], rel=2e-16, abs=0)


def _cases_of(seed: int, domains: bool) -> rs.uncertainty.Draws:
    """Return paired draws of seven methods that are wrong on the same hard cases."""
    rng = np.random.default_rng(seed)
    truth, hard = rng.random(300) < 0.4, rng.random(300)
    predictions = {f"m{i}": truth ^ (hard + 0.3 * rng.random(300) < 0.1 + 0.05 * i) for i in range(7)}
    places = rng.choice(list("xyz"), 300) if domains else None
    return rs.uncertainty.paired(truth.astype(int), predictions, 1500, seed, pos_label=1, domains=places)


def _opened() -> dict[str, tuple[rs.uncertainty.Draws, float | None]]:
    draw = rs.uncertainty.posterior
    rows = [[15, 4, 1, 10], [14, 5, 2, 9], [18, 1, 9, 2], [18, 0, 11, 1], [15, 4, 1, 10]]
    few = rs.Performances.from_counts(rows, names=list("edcba"))
    several = rs.datasets.classifiers()
    return {
        "counts": (draw(few, 3000, 5), None),
        "counts, shifted": (draw(few, 3000, 5), 0.03),
        "domains": (draw(several, 1000, weights="size"), None),
        "other domains": (draw(several, 1000, resample="domains"), None),
        "paired": (_cases_of(1, domains=False), None),
        "paired on domains, shifted": (_cases_of(2, domains=True), 0.2),
        "apart": (draw(few, 500, method="jeffreys"), None),
        "without a score": (draw([[9, 1, 1, 0], [10, 0, 1, 0], [8, 2, 1, 0], [5, 1, 1, 4]], 500), None),
    }


@needs_node
@pytest.mark.parametrize("name", _opened())
def test_the_page_says_what_python_says(name: str) -> None:
    drawn, prior = _opened()[name]
    assert drawn.prepared is not None
    asked = replace(drawn.prepared, shift_prior=prior and Fraction(repr(prior)))
    data = build.data_of(asked, drawn)
    betas = (1.0, 2.0, 0.5)
    places = [(1.0, beta**2 / (1 + beta**2)) for beta in betas]
    task = {"task": "certainty", "data": data, "places": places, "prior": prior, "weights": data["draws"]["weights"]}
    (found,) = under_node(task)
    for beta, page in zip(betas, found, strict=True):
        python = rs.uncertainty.rank_intervals(drawn, rs.fbeta(beta), shift_prior=prior)
        for key, values in (("first", python.p_first), ("low", python.low), ("high", python.high)):
            there = np.array([math.nan if x is None else x for x in page[key]], dtype=float)
            there[np.isnan(python.ranks)] = math.nan
            np.testing.assert_allclose(there, values, rtol=0, atol=1e-9, err_msg=f"{key} at beta {beta}")
        ends = np.array([page["from"], page["to"]], dtype=float)  # NaN is null
        np.testing.assert_allclose(ends, [python.value_low, python.value_high], rtol=0, atol=2e-6)


def test_the_page_carries_fewer_draws_of_many_entities_and_says_so() -> None:
    rng = np.random.default_rng(0)
    P = rs.Performances.from_counts(rng.integers(1, 40, (200, 4)))
    drawn = rs.uncertainty.posterior(P, 2000)
    assert drawn.prepared is not None
    found = build.data_of(drawn.prepared, drawn)["draws"]
    assert found["count"] == 1310
    assert found["left"] == "The page carries 1310 of 2000 draws: rankscape rank takes all"
    assert len(found["data"]) <= 4 * 1024**2


@pytest.mark.nightly
@needs_node
def test_of_very_many_entities_only_those_that_may_be_first_are_drawn() -> None:
    rng = np.random.default_rng(0)
    counts = np.stack([rng.integers(1, 400, 1200), rng.integers(1, 40, 1200), rng.integers(1, 40, 1200)], axis=1)
    P = rs.Performances.from_counts(np.hstack([counts, 400 - counts[:, 2:]]))
    drawn = rs.uncertainty.posterior(P, 2000)
    assert drawn.prepared is not None
    found = build.data_of(drawn.prepared, drawn)["draws"]
    assert len(found["rows"]) <= 300
    assert found["left"].startswith(f"Only the {len(found['rows'])} of 1200 methods that may be first are drawn, ")
    best = int(rs.score("f1")(drawn.observed).argmax())
    assert best in found["rows"]


@needs_node
def test_lines_and_points_of_roc_and_pr_space_are_those_of_python(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    places = [(0.0, 0.0, 0.2, 0.5), (1.0, 1.0, 0.5, 0.3), (0.5, 0.5, 0.3, 0.7), *rng.random((60, 4)).tolist()]
    script = (
        document.bundle("csv", "leads", "maps", "priors", "together", "dom", "tile", "spaces")
        + """
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
const data = dataOf(input.data);
const set = performances(data, defaultWeights(data));
const ends = input.places.map(([a, b, prior, value]) => clipped(isoLine({ a, b }, prior, value)));
const points = ["roc", "pr"].map((space) => Array.from({ length: set.n }, (_, i) => pointOf(set, i, space)));
console.log(JSON.stringify({ ends, points }));
"""
    )
    performances = CASES["small counts"]
    given = json.dumps({"data": build.payload(performances), "places": places})
    program = tmp_path / "lines.js"  # too long for an argument
    program.write_text(script, encoding="utf-8")
    done = subprocess.run([NODE or "node", str(program)], input=given, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    for (a, b, prior, value), ends in zip(places, found["ends"], strict=True):
        expected = Pencil(a, b, prior).line(value).clip()
        assert (ends is None) is (expected is None)
        if expected is not None:
            np.testing.assert_allclose(ends, expected, rtol=0, atol=TOLERANCE)
    in_pr = rs.score("tpr")(performances), rs.score("ppv")(performances)
    for points, coordinates in zip(found["points"], (roc_points(performances), in_pr), strict=True):
        expected = np.stack(coordinates, axis=1)
        mine = np.array([[np.nan, np.nan] if point is None else point for point in points])
        whole = ~np.isnan(expected).any(axis=1)
        assert (whole == ~np.isnan(mine).any(axis=1)).all()
        np.testing.assert_allclose(mine[whole], expected[whole], rtol=0, atol=TOLERANCE)


def tied_under_weights(rng: np.random.Generator) -> rs.Performances:
    """Performances on three domains of which every second one has the same mixture as the one before: equal exactly."""
    rows = rng.integers(1, 9, size=(8, 3, 4))
    rows[1::2] = rows[::2] * rng.integers(1, 9, size=(4, 3, 1))
    names, domains = [f"e{i // 3}" for i in range(24)], [f"d{i % 3}" for i in range(24)]
    return rs.Performances.from_counts(rows.reshape(24, 4), names=names, domains=domains)


WEIGHTS: list[Any] = [
    "size",
    {"d0": Fraction(1, 3), "d1": Fraction(1, 7), "d2": Fraction(11, 21)},
    {"d0": 0.1, "d1": 0.7, "d2": 0.2},
    {"d0": Fraction(1, 10**25 + 13), "d1": Fraction(1, 3), "d2": Fraction(2, 7)},
    {"d0": Fraction(10**12, 7), "d1": Fraction(1, 3), "d2": 0},
    {"d0": 1 / 3, "d1": 2.0**-60, "d2": 1e300},
]


@pytest.mark.some(5)
@needs_node
@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
@pytest.mark.parametrize("prior", [None, 0.2])
def test_the_weights_that_a_page_opens_with_are_exactly_those_of_python(weights: Any, prior: float | None) -> None:
    performances = tied_under_weights(np.random.default_rng(3))
    given = rs.summarize(performances, weights)
    expected = given if prior is None else given.shift_priors(Fraction(str(prior)))
    task = {
        "data": build.payload(performances),
        "weights": build.start_weights(prepare(performances, weights=weights)),
        "prior": prior,
    }
    wanted = importances()[:40]
    rows, ranks = under_node(task | {"task": "exact"}, task | {"task": "ranks", "importances": wanted})
    for row, integers in zip(rows, expected.integers.tolist(), strict=True):
        assert [Fraction(int(x), sum(map(int, row))) for x in row] == [
            Fraction(int(x), int(sum(integers))) for x in integers
        ]
    for importance, mine in zip(wanted, ranks, strict=True):
        bounds = np.nan_to_num(rs.rank(expected, by=importance).bounds).astype(int)
        assert (mine["low"], mine["high"]) == (bounds[:, 0].tolist(), bounds[:, 1].tolist())
    assert (bounds[:, 1] > bounds[:, 0]).all()


@needs_node
def test_weights_are_carried_as_small_integers_where_they_can() -> None:
    performances = tied_under_weights(np.random.default_rng(3))
    assert build.start_weights(
        prepare(performances, weights={"d0": Fraction(1, 3), "d1": Fraction(2, 3), "d2": 0})
    ) == [1, 2, 0]
    assert build.start_weights(prepare(performances, weights={"d0": 0.1, "d1": 0.7, "d2": 0.2})) == [1, 7, 2]
    carried = build.start_weights(prepare(performances, weights=WEIGHTS[3]))
    assert carried is not None
    assert [isinstance(weight, str) for weight in carried] == [False, True, True]
    assert build.start_weights(prepare(performances, weights="equal")) is None
