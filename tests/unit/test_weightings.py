"""Who comes first for which weights of the domains, against enumeration, scanning and draws of other kinds."""

import re
import warnings
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import rankscape as rs
from rankscape.domains import Weightings, weightings
from rankscape.domains.contests import Ratios, _exactly, game

Table = list[list[Fraction]]


def successes(seed: int, n: int, d: int, cases: int = 5) -> tuple[rs.Performances, Table]:
    """Few cases, so that there are ties: the performances, and the accuracy of each entity on each domain."""
    right = np.random.default_rng(seed).integers(0, cases + 1, (n, d))
    names, domains = [f"m{i}" for i in range(n) for _ in range(d)], [f"b{k}" for k in range(d)] * n
    performances = rs.tasks.success.from_counts(right.ravel(), cases, names=names, domains=domains)
    return performances, [[Fraction(int(x), cases) for x in row] for row in right]


def two_class(seed: int, n: int, d: int, most: int = 4) -> tuple[rs.Performances, np.ndarray[Any, Any]]:
    counts = np.random.default_rng(seed).integers(0, most, (n, d, 4)) + np.array([1, 0, 0, 0])
    names, domains = [f"m{i}" for i in range(n) for _ in range(d)], [f"x{k}" for k in range(d)] * n
    return rs.Performances.from_counts(counts.reshape(-1, 4), names=names, domains=domains), counts


def first_by_f1(counts: np.ndarray[Any, Any], weights: Sequence[Fraction]) -> set[str]:
    """The definition: average performances in fractions, then score, then compare."""
    values = {}
    for i, rows in enumerate(counts.tolist()):
        _, fp, fn, tp = (
            sum(w * Fraction(row[k], sum(row)) for w, row in zip(weights, rows, strict=True)) for k in range(4)
        )
        if 2 * tp + fp + fn:
            values[f"m{i}"] = 2 * tp / (2 * tp + fp + fn)
    return {name for name, value in values.items() if value == max(values.values())}


def first_by_accuracy(table: Table, weights: Sequence[Fraction]) -> set[str]:
    values = [sum(w * x for w, x in zip(weights, row, strict=True)) for row in table]
    return {f"m{i}" for i, value in enumerate(values) if value == max(values)}


def along(weights: Sequence[Fraction], d: int, t: Fraction) -> list[Fraction]:
    """The weights after that of one domain is changed to t, the others in proportion."""
    return [t if k == d else w * (1 - t) / (1 - weights[d]) for k, w in enumerate(weights)]


def solved(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The solution of rows·w = 0 with Σw = 1, by elimination; None where it is not unique."""
    n = len(rows[0])
    matrix = [[*row, Fraction(0)] for row in rows] + [[Fraction(1)] * (n + 1)]
    for column in range(n):
        pivot = next((r for r in range(column, n) if matrix[r][column]), None)
        if pivot is None:
            return None
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        matrix[column] = [x / matrix[column][column] for x in matrix[column]]
        for r in set(range(n)) - {column}:
            matrix[r] = [x - matrix[r][column] * y for x, y in zip(matrix[r], matrix[column], strict=True)]
    return [row[-1] for row in matrix]


def chances_by_vertices(table: Table) -> dict[str, str]:
    """Try all vertices of the polytope of weights under which an entity is first; their mean decides the rest."""
    n, out = len(table[0]), {}
    sides = [[Fraction(int(k == d)) for k in range(n)] for d in range(n)]
    for i, row in enumerate(table):
        borders = [[x - y for x, y in zip(row, other, strict=True)] for other in table] + sides
        vertices = [w for rows in combinations(borders, n - 1) if (w := solved(list(rows))) is not None]
        vertices = [w for w in vertices if min(w) >= 0 and f"m{i}" in first_by_accuracy(table, w)]
        if not vertices:
            out[f"m{i}"] = "no"
            continue
        middle = [sum(column) / len(vertices) for column in zip(*vertices, strict=True)]
        equals = {f"m{k}" for k, other in enumerate(table) if other == row}
        out[f"m{i}"] = "yes" if first_by_accuracy(table, middle) == equals else "in ties only"
    return out


@pytest.mark.parametrize("d", [2, 3, 4])
def test_who_can_come_first_is_what_all_vertices_say(d: int) -> None:
    answers = set()
    for seed in range(12):
        performances, table = successes(seed, n=5 if d < 4 else 4, d=d, cases=4)
        result = weightings(performances, draws=200)
        assert result.kind == "linear"
        assert result.possible == chances_by_vertices(table), seed
        if d < 4:
            assert {name for name, share in result.shares.items() if share} == {
                name for name, answer in result.possible.items() if answer == "yes"
            }
        answers |= set(result.possible.values())
    assert answers == {"yes", "no", "in ties only"}


def test_draws_find_nobody_who_cannot_come_first() -> None:
    for seed in range(6):
        performances, _ = successes(seed, n=6, d=5, cases=9)
        result = weightings(performances, draws=2000)
        for name, share in result.shares.items():
            assert not share or result.possible[name] == "yes"
            assert (result.errors[name] == 0) == (result.possible[name] == "no" or share == 1)


@pytest.mark.parametrize("d", [2, 3])
def test_exact_shares_are_those_of_many_draws(d: int) -> None:
    for seed in range(8):
        performances, table = successes(seed, n=5, d=d, cases=6)
        result = weightings(performances)
        assert result.draws == 0
        assert set(result.errors.values()) == {0.0}
        points = np.random.default_rng(seed).dirichlet(np.ones(d), 20_000)
        values = points @ np.array(table, dtype=float).T
        near = values >= values.max(axis=1, keepdims=True) - 1e-12  # equal ones alone are so near
        for i, share in enumerate(near.mean(axis=0)):
            assert abs(result.shares[f"m{i}"] - share) < 0.02


def test_shares_of_three_are_rational_areas() -> None:
    table = {"a": [1, 0, 0], "b": [0, 1, 0], "c": [0, 0, 1], "d": [0, 0, 1]}
    performances = rs.tasks.success.from_counts(
        [x for row in table.values() for x in row], 1, names=[n for n in table for _ in "xyz"], domains=list("xyz") * 4
    )
    result = weightings(performances)
    assert result.shares == pytest.approx(dict.fromkeys("abcd", 1 / 3))  # c and d are equal, and share theirs
    assert result.table()["first"] == [True] * 4


@pytest.mark.parametrize("d", [2, 3])
def test_flips_are_those_of_a_scan_in_fractions(d: int) -> None:
    tiny, seen = Fraction(1, 10**9), 0
    for seed in range(5):
        performances, counts = two_class(seed, n=4, d=d)
        given = {f"x{k}": k + 1 for k in range(d)}
        result = weightings(rs.domains.prepare(performances, weights=given), by="f1", draws=100)
        weights = [Fraction(k + 1, d * (d + 1) // 2) for k in range(d)]
        assert result.first == first_by_f1(counts, weights)
        assert [flip.change for flip in result.flips] == sorted(flip.change for flip in result.flips)
        for flip in result.flips:
            k = int(flip.domain[1:])
            low, high = flip.ends
            for t in [Fraction(j, 40) for j in range(1, 40)]:
                stays = result.first <= first_by_f1(counts, along(weights, k, t))
                if low < t < high:
                    assert stays, (seed, flip, t)
            for end, names, step in ((low, flip.below, -tiny), (high, flip.above, tiny)):
                if names:
                    seen += 1
                    assert set(names) == first_by_f1(counts, along(weights, k, end + step)), (seed, flip)
                    assert not result.first <= set(names)
                else:
                    assert end in (0, 1)
    assert seen > 4


def test_flips_of_accuracies_are_rational() -> None:
    for seed in range(8):
        performances, table = successes(seed, n=5, d=4, cases=7)
        result = weightings(performances, draws=100)
        for flip in result.flips:
            for end, names in zip(flip.ends, (flip.below, flip.above), strict=True):
                if names and 0 < end < 1:
                    both = first_by_accuracy(table, along(result.weights, int(flip.domain[1:]), end))
                    assert both >= set(names) | result.first


@pytest.mark.nightly
def test_ratios_on_few_weights() -> None:
    for seed in range(10):
        performances, counts = two_class(seed, n=5, d=3)
        result = weightings(performances, by="f1", draws=3000)
        assert result.kind == "ratio"
        assert sum(result.shares.values()) >= 1 - 1e-9
        for parts in product(range(9), repeat=3):
            if sum(parts) == 8:
                best = first_by_f1(counts, [Fraction(x, 8) for x in parts])
                assert all(result.possible[name] != "no" for name in best)
                if len(best) == 1:
                    assert result.possible[min(best)] == "yes"
                assert result.at(dict(zip(result.domains, parts, strict=True))) == best


def test_shares_of_ratios_on_two_domains_are_exact() -> None:
    for seed in range(6):
        performances, counts = two_class(seed, n=4, d=2)
        result = weightings(performances, by="f1")
        assert result.draws == 0
        places = [Fraction(2 * k + 1, 800) for k in range(400)]
        best = [first_by_f1(counts, [1 - t, t]) for t in places]
        for name, share in result.shares.items():
            assert abs(share - sum(name in names for names in best) / 400) < 0.02


def test_games_on_integers_agree_with_enumeration() -> None:
    rng, signs = np.random.default_rng(3), set()
    for _ in range(150):
        rows = rng.integers(-3, 4, (int(rng.integers(1, 4)), 3))
        sign, weights = _exactly(rows.astype(object))
        grid = [w for w in product(range(13), repeat=3) if sum(w) == 12]
        best = max(min(int(row @ w) for row in rows) for w in grid)
        assert sign >= np.sign(best)
        assert np.sign(min(int(row @ weights) for row in rows)) == sign
        assert game(rows)[0] == sign
        signs.add(sign)
    assert signs == {-1, 0, 1}


def made(rows: list[list[int]], by: str, **options: Any) -> Weightings:
    """Entities a, b, … on the domains x, y, …: one list of counts per entity, four for each domain."""
    names = [chr(97 + i) for i, row in enumerate(rows) for _ in range(len(row) // 4)]
    domains = [chr(120 + k) for row in rows for k in range(len(row) // 4)]
    counts = np.array(rows).reshape(-1, 4)
    P = rs.Performances.from_counts(counts, names=names, domains=domains)
    return weightings(rs.domains.prepare(P, shift_prior=options.pop("shift_prior", None)), by=by, **options)


ALIKE = [[5, 5, 4, 6, 6, 4, 5, 5, 7, 3, 6, 4], [6, 4, 5, 5, 5, 5, 3, 7, 8, 2, 7, 3]]
UNLIKE = [[5, 5, 4, 6, 60, 40, 5, 5], [6, 4, 5, 5, 50, 50, 3, 7]]


@pytest.mark.parametrize(
    ("rows", "by", "kind"),
    [
        (ALIKE, "accuracy", "linear"),
        (UNLIKE, "accuracy", "linear"),
        (ALIKE, "error rate", "linear"),
        (ALIKE, "tpr", "linear"),
        (UNLIKE, "fpr", "linear"),
        (ALIKE, "kappa", "linear"),  # the priors of all domains are equal
        (ALIKE, "balanced accuracy", "linear"),
        (UNLIKE, "balanced accuracy", "other"),
        (ALIKE, "f1", "ratio"),
        (ALIKE, "mcc", "other"),
        (ALIKE, "kulczynski 1", "ratio"),
        ([[9, 0, 0, 9, 5, 1, 1, 5], [5, 1, 1, 5, 5, 1, 1, 5]], "kulczynski 1", "other"),  # undefined for the perfect
    ],
)
def test_how_scores_depend_on_the_weights(rows: list[list[int]], by: str, kind: str) -> None:
    result = made(rows, by, draws=500)
    assert result.kind == kind
    for weights in ({"x": 1, "y": 3}, {"x": 2, "y": 1}, {"y": 1}):
        domains = set(result.domains) if kind == "linear" else set(weights)
        whole = dict.fromkeys(domains | set(weights) | set(result.domains), 0) | weights
        names = [chr(97 + i) for i, row in enumerate(rows) for _ in range(len(row) // 4)]
        places = [chr(120 + k) for row in rows for k in range(len(row) // 4)]
        summary = rs.summarize(
            rs.Performances.from_counts(np.array(rows).reshape(-1, 4), names=names, domains=places), whole
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert result.at(weights) == rs.rank(summary, by=by).best


def test_other_scores_are_drawn_and_scanned() -> None:
    rows = [[50, 5, 5, 40, 40, 10, 10, 40, 30, 5, 20, 45], [45, 10, 2, 43, 48, 2, 20, 30, 45, 5, 5, 45]]
    exactly, scan = made(rows, "kappa", draws=4000), made(rows, "mcc", draws=4000)
    assert scan.kind == "other"
    assert scan.flip is not None
    [low, high], tiny = scan.flip.ends, Fraction(1, 10**6)
    assert (high, scan.flip.above) == (1, ())
    assert scan.at(_changed(scan, low + tiny)) == scan.first
    assert scan.at(_changed(scan, low - tiny)) == set(scan.flip.below) != scan.first
    assert set(scan.possible.values()) <= {"yes", "not seen"}
    assert "steps of 0.1 %" in " ".join(scan.sentences())
    assert "steps" not in " ".join(made(rows, "f1", draws=400).sentences())
    shifted = made(rows, "f1", draws=4000, shift_prior=0.5)
    assert shifted.kind == "other"
    assert shifted.weights == exactly.weights


def _changed(result: Weightings, weight: Fraction) -> dict[str, Fraction]:
    flip = result.flips[0]
    rest = (1 - weight) / (1 - flip.weight)
    parts = zip(result.domains, result.weights, strict=True)
    return {name: weight if name == flip.domain else w * rest for name, w in parts}


def test_equal_entities_share_their_place() -> None:
    one = [8, 2, 3, 7, 5, 5, 1, 9]
    result = made([one, [2 * x for x in one], [5, 5, 5, 5, 5, 5, 5, 5]], "f1")
    assert result.shares == {"a": 1.0, "b": 1.0, "c": 0.0}
    assert result.possible == {"a": "yes", "b": "yes", "c": "no"}
    assert result.first == {"a", "b"}
    assert result.flip is None
    assert result.sentences()[0] == "a = b come first for all weightings of the 2 domains"


def test_scores_that_never_change_tie_exactly() -> None:
    """Constant ratios of different kinds, which floats would round differently, are one function of the weights."""
    third = [1, 0, 2, 0, 5, 0, 10, 0]
    result = made([third, [3, 3, 3, 0, 7, 14, 0, 0], [0, 3, 3, 0, 0, 1, 1, 0]], "accuracy", draws=50)
    assert result.shares == {"a": 1.0, "b": 1.0, "c": 0.0}
    npv = made([[1, 0, 2, 0, 0, 3, 0, 0, 1, 0, 2, 0], [1, 0, 2, 9, 7, 5, 14, 0, 3, 9, 6, 0]], "npv", draws=50)
    assert npv.shares == {"a": 1.0, "b": 1.0}


def test_an_undefined_score_is_never_first() -> None:
    result = made([[9, 0, 1, 0, 9, 0, 1, 0], [8, 1, 1, 0, 8, 1, 1, 0]], "precision")
    assert result.shares == {"a": 0.0, "b": 1.0}
    assert result.possible == {"a": "no", "b": "yes"}
    somewhere = made([[9, 0, 1, 0, 9, 0, 1, 1], [8, 1, 1, 0, 9, 1, 0, 0]], "precision")
    assert somewhere.at({"x": 1}) == {"b"}
    assert somewhere.shares["a"] == 1.0
    with pytest.raises(rs.errors.UsageError, match="no model is first: positive predictive value is undefined for all"):
        made([[9, 0, 1, 0, 9, 0, 1, 0], [8, 0, 1, 0, 8, 0, 1, 0]], "precision")


def test_a_domain_without_anything_that_matters_changes_nothing() -> None:
    result = made([[5, 5, 0, 0, 5, 5, 4, 6], [6, 4, 0, 0, 5, 5, 2, 8]], "tpr")
    assert result.shares == {"a": 0.0, "b": 1.0}
    assert result.possible == {"a": "no", "b": "yes"}
    assert result.flip is None


def test_everybody_who_can_win_is_named_however_rarely() -> None:
    """With weights 1, 1, 0, 0 c is first (.702 against .700), yet for almost no weighting; twelve others are named."""
    right = {"a": [900, 500, 900, 900], "b": [500, 900, 900, 900], "c": [702, 702, 100, 100]}
    names, counts = [name for name in right for _ in "xyzw"], [n for row in right.values() for n in row]
    result = weightings(rs.tasks.success.from_counts(counts, 1000, names=names, domains=list("xyzw") * 3), draws=1000)
    assert (result.shares["c"], result.possible["c"]) == (0.0, "yes")
    assert result.at({"x": 1, "y": 1}) == {"c"}
    assert result.sentences()[-1] == "c can come first, too, though for none of the 1 000 weightings drawn"
    many = weightings(
        rs.tasks.success.from_counts(
            np.eye(12, dtype=int).ravel(),
            2,
            names=[f"m{i}" for i in range(12) for _ in range(12)],
            domains=[f"d{k}" for _ in range(12) for k in range(12)],
        ),
        draws=2000,
    )
    assert all(re.search(rf"\b{name} (comes first )?for \d", many.sentences()[0]) for name in many.names)
    edge = made([[9, 1, 1, 9, 9, 1, 1, 9], [9, 0, 1, 0, 9, 0, 1, 9]], "precision")  # b has no precision on x
    assert edge.sentences()[-1] == "a can come first, too, though only where other domains have no weight"


def test_one_domain_is_refused_in_one_sentence() -> None:
    for domains in (None, ["x", "x"]):
        performances = rs.tasks.success.from_counts([3, 4], 5, domains=domains)
        with pytest.raises(rs.errors.DataError, match=r"^weights can only change between two or more domains; got 1"):
            weightings(performances)


def test_missing_cells_follow_the_policy() -> None:
    names, domains = ["a", "a", "a", "b", "b"], ["x", "y", "z", "x", "y"]
    performances = rs.tasks.success.from_counts([9, 4, 9, 5, 8], 10, names=names, domains=domains)
    with pytest.raises(rs.errors.DataError, match="1 cell of 6 missing"):
        weightings(performances)
    with pytest.warns(rs.domains.MissingDomainsWarning):
        complete = weightings(rs.domains.prepare(performances, missing="complete"))
    assert complete.domains == ("x", "y")
    assert complete.shares == {"a": 0.5, "b": 0.5}
    with pytest.warns(rs.domains.MissingDomainsWarning):
        available = weightings(rs.domains.prepare(performances, missing="available"), draws=5000)
    assert available.kind == "ratio"
    assert available.at({"z": 1}) == {"a"}
    assert available.shares["a"] > 0.5


def test_weights_of_one_domain_alone_have_no_proportions_to_keep() -> None:
    performances, _ = successes(1, n=3, d=3)
    result = weightings(rs.domains.prepare(performances, weights={"b0": 1, "b1": 0, "b2": 0}))
    assert [flip.domain for flip in result.flips if flip.domain == "b0"] == []
    assert {float(flip.weight) for flip in result.flips} == {0.0}


def test_sentences() -> None:
    right = {"alpha": [80, 70, 60], "beta": [60, 75, 85], "gamma": [55, 60, 50]}
    performances = rs.tasks.success.from_counts(
        [x for row in right.values() for x in row], 100, names=[n for n in right for _ in range(3)],
        domains=["mmlu", "gsm8k", "code"] * 3,
    )  # fmt: skip
    result = weightings(rs.domains.prepare(performances, weights={"mmlu": 3, "gsm8k": 1, "code": 1}))
    assert result.sentences() == (
        "beta comes first for 64.4 % of all weightings of the 3 benchmarks, alpha for 35.6 %",
        "With the given weights, alpha is first; the smallest change of a single weight that alters this is code above "
        "35.4 % of the weight (now 20 %), the others in proportion: then beta comes first",
        "gamma cannot come first, whatever the weights",
    )
    assert result.changes["high"][0] == pytest.approx(11 / 31)  # alpha leads by 13.75 (1 − t) − 25 t


def test_sentences_about_ties_and_about_what_is_not_known() -> None:
    border = made([[5, 5, 4, 6, 8, 2, 5, 5], [5, 5, 5, 5, 9, 1, 5, 5]], "accuracy")
    assert border.sentences()[1] == (
        "With equal weights, a = b tie for first; as soon as x gets more of the weight (now 50 %), the others in "
        "proportion, a comes first"
    )
    once = made(
        [[5, 5, 5, 5, 5, 5, 5, 5], [9, 1, 1, 9, 5, 5, 5, 5], [5, 5, 5, 5, 9, 1, 1, 9], [9, 1, 1, 9, 1, 9, 9, 1]], "f1"
    )
    assert "d ties for first with some weights, but never comes first alone" in once.sentences()


def test_a_domain_that_is_called_by_a_number_is_no_number_in_a_sentence() -> None:
    right = [90, 60, 60, 80]
    P = rs.tasks.success.from_counts(right, 100, names=["a", "b"] * 2, domains=["2023", "2023", "2024", "2024"])
    assert "alters this is benchmark 2023 below 40 % of the weight" in weightings(P).about_change


def test_the_same_seed_gives_the_same_shares() -> None:
    performances, _ = successes(2, n=5, d=5, cases=50)
    one, two = (weightings(performances, draws=300) for _ in range(2))
    assert one.shares == two.shares
    with pytest.raises(rs.errors.UsageError, match="draws must be a whole number"):
        weightings(performances, draws=0)


def test_the_record_holds_what_a_page_needs() -> None:
    performances, _ = successes(3, n=4, d=3)
    result = weightings(performances)
    assert isinstance(result.contest, Ratios)
    document = result.document()
    assert {row["entity"] for row in document["entities"]} == set(result.names)
    assert [row["domain"] for row in document["changes"]] == result.changes["domain"]
    assert sum(result.weights) == 1
    firsts = result.firsts(np.array([[0.2, 0.3, 0.5]]))
    names = {name for name, best in zip(result.names, firsts[0], strict=True) if best}
    assert names == result.at({"b0": 2, "b1": 3, "b2": 5})
