"""Several scored models: the Tile of models, best thresholds, flips and cross-fitting, against looking at every point."""

import pickle
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankscape as rs
from rankscape.decisions.sweeps import Folded, folded
from rankscape.errors import DataError, NoPlaceError, UndefinedScoreError, UsageError
from rankscape.uncertainty import paired, posterior, rank_intervals

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

F = Fraction
Point = tuple[float, F, F, F, F]
Models = Mapping[str, tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Truth, score and domain of the cases of each model."""


def points(y: np.ndarray, s: np.ndarray, weight: list[F], sides: tuple[F, F]) -> list[Point]:
    """Every threshold with tn, fp, fn, tp, the classes multiplied by ``sides``."""
    out = []
    for t in [np.inf, *sorted(set(s.tolist()), reverse=True)]:
        four = [F(0)] * 4
        for truth, score, w in zip(y.tolist(), s.tolist(), weight, strict=True):
            four[2 * truth + (score >= t)] += w * sides[truth]
        out.append((t, *four))
    return out


def values(of_model: list[Point], a: F, b: F) -> dict[float, F]:
    """The ranking score at every threshold where it is defined."""
    found = {}
    for t, tn, fp, fn, tp in of_model:
        s, u = (1 - a) * tn + a * tp, (1 - b) * fp + b * fn
        if s + u:
            found[t] = s / (s + u)
    return found


def best_of(every: Mapping[str, list[Point]], a: F, b: F) -> dict[str, set[float]]:
    """The models that are best at a place, and the thresholds with which they are."""
    of = {name: values(rows, a, b) for name, rows in every.items()}
    top = max((v for each in of.values() for v in each.values()), default=None)
    return {name: at for name, each in of.items() if (at := {t for t, v in each.items() if v == top})}


def random_models(rng: np.random.Generator) -> tuple[Models, bool]:
    """Ties, constant scores, one class rare, duplicates; on the same cases or not."""

    def cases() -> tuple[np.ndarray, np.ndarray]:
        m = int(rng.integers(4, 20))
        y = (rng.random(m) < rng.choice([0.5, 0.1, 0.9])).astype(int)
        y[:2] = 0, 1
        domain = rng.integers(0, 3, m)
        domain[:3] = 0, 1, 2
        return y, domain

    apart, (y, domain) = rng.random() < 0.3, cases()
    models: dict[str, Any] = {}
    for i in range(int(rng.integers(1, 5))):
        y, domain = cases() if apart else (y, domain)
        kind, m = rng.choice(["constant", "few", "many", "good", "same"]), len(y)
        score = {
            "constant": np.ones(m), "few": rng.integers(0, 4, m), "many": rng.random(m),
            "good": y + rng.integers(0, 4, m) / 2, "same": rng.integers(0, 3, m),
        }[kind]  # fmt: skip
        if kind == "same" and models and not apart:
            score = models["m0"][1]
        models[f"m{i}"] = y, np.asarray(score, dtype=float), domain
    return models, bool(apart)


def random_sweeps(seed: int) -> tuple[rs.Sweeps, dict[str, list[Point]], F | None, np.random.Generator]:
    """Sweeps, and what each model does at every threshold as fractions, averaged over domains, at the prior."""
    rng = np.random.default_rng(seed)
    models, apart = random_models(rng)
    prior = [None, None, F(1, 2), F(1, 10)][seed % 4]
    weights: Any = [None, "equal", "size", {"0": 1, "1": 2, "2": 5}][int(rng.integers(0, 4))]
    options = {} if weights is None else {"weights": weights}
    if apart:
        parts = [pd.DataFrame({"m": n, "y": y, "s": s, "d": d}) for n, (y, s, d) in models.items()]
        columns = {} if weights is None else {"domain": "d"}
        sweeps = rs.sweep(pd.concat(parts), truth="y", score="s", entity="m", **columns, **options)
    else:
        y, _, domain = models["m0"]
        arrays = {} if weights is None else {"domains": domain}
        sweeps = rs.sweep(y, {n: s for n, (_, s, _) in models.items()}, **arrays, **options)
    every = {}
    for name, (y, s, domain) in models.items():
        of = {
            "equal": [F(1)] * 3, "size": [F(sum(int((d == j).sum()) for _, _, d in models.values())) for j in range(3)]
        }.get(str(weights), [F(1), F(2), F(5)])  # fmt: skip
        weight = [F(1) if weights is None else of[j] / int((domain == j).sum()) for j in domain.tolist()]
        negative, positive = (sum(w for w, t in zip(weight, y, strict=True) if t == side) for side in (0, 1))
        sides = (F(1), F(1)) if prior is None else ((1 - prior) / negative, prior / positive)
        every[name] = points(y, s, weight, sides)
    return sweeps, every, prior, rng


def random_places(rng: np.random.Generator, regions: rs.ModelRegions) -> list[tuple[F, F]]:
    """Places inside the Tile, on its corners and sides, and on borders."""
    inside = [(F(int(x), 41), F(int(y), 41)) for x, y in rng.integers(1, 40, (6, 2))]
    places = [*inside, *((F(x), F(y)) for x in (0, 1) for y in (0, 1))]
    places += [(F(0), inside[0][1]), (F(1), inside[1][1]), (inside[2][0], F(0)), (inside[3][0], F(1))]
    for piece in [piece for region in regions for piece in region.pieces][:8]:
        for a in (piece.start, (piece.start + piece.end) / 2):
            places += [(a, b) for arc in (piece.low, piece.high) if arc and (b := arc.exact_b(a)) is not None]
    return places


def without_inner_borders(region: rs.regions.Region) -> bool:
    """Whether no piece of a region touches another one above it."""
    cuts = sorted({end for piece in region.pieces for end in (piece.start, piece.end)})
    for start, end in pairwise(cuts):
        a = (start + end) / 2
        here = [piece for piece in region.pieces if piece.start <= start and end <= piece.end]
        ends = sorted(
            (F(0) if p.low is None else p.low.exact_b(a), F(1) if p.high is None else p.high.exact_b(a)) for p in here
        )
        if any(one[1] >= other[0] for one, other in pairwise(ends)):
            return False
    return True


@pytest.mark.some(6)
@pytest.mark.parametrize("seed", range(16))
def test_the_tile_of_models_is_what_every_operating_point_says(seed: int) -> None:
    sweeps, every, prior, rng = random_sweeps(seed)
    regions = sweeps.first(prior)
    assert sum(region.area for region in regions) == pytest.approx(1)
    assert all(without_inner_borders(region) for region in regions)
    cells = {name: 0.0 for name in sweeps.names}
    for a, b in random_places(rng, regions):
        best = best_of(every, a, b)
        assert set(regions.at(a, b)) == set(best)
        assert all(sweeps.threshold(name, a, b, prior=prior) in best[name] for name in best)
        for name in sweeps.names:
            alone = best_of({name: every[name]}, a, b)
            if alone:
                assert sweeps.threshold(name, a, b, prior=prior) in alone[name]
            else:
                with pytest.raises(UndefinedScoreError):
                    sweeps.threshold(name, a, b, prior=prior)
    n = 12  # areas, on a grid
    for i, j in np.ndindex(n, n):
        for name in best_of(every, F(2 * i + 1, 2 * n), F(2 * j + 1, 2 * n)):
            cells[name] += 1 / n**2
    for name, share in cells.items():
        assert regions.areas.get(name, 0) == pytest.approx(share, abs=0.09)


@pytest.mark.parametrize("seed", range(24))
def test_a_flip_is_where_another_model_is_best(seed: int) -> None:
    sweeps, every, prior, rng = random_sweeps(seed)
    importance = [int(x) for x in rng.integers(1, 9, 4)]
    if seed % 3 == 1:
        importance[int(rng.integers(0, 4))] = 0
    a, b = (F(importance[high], importance[low] + importance[high]) for low, high in ((0, 3), (1, 2)))
    if seed % 5 == 0:  # on a border, if there is one
        borders = [place for place in random_places(rng, sweeps.first(prior))[14:] if 0 < min(place) <= max(place) < 1]
        a, b = borders[0] if borders else (a, b)
        scale = a.denominator * b.denominator
        importance = [int(x * scale) for x in (1 - a, 1 - b, b, a)]
    flips = sweeps.flips(importance, prior)

    def first(x: F, y: F) -> set[str]:
        return set(best_of(every, x, y))

    assert flips.first == first(a, b)
    places = {flip.direction: flip for flip in flips.flips}
    for axis, (low, high), down, up in (
        (0, flips.along_a, "fewer correct rejections per detection", "more correct rejections per detection"),
        (1, flips.along_b, "fewer false alarms per miss", "more false alarms per miss"),
    ):
        for end, side, direction in ((low, 0, down), (high, 1, up)):
            here, stop = [a, b], F(side)
            if direction in places:
                stop = places[direction].place[axis]
                here[axis] = stop + (2 * side - 1) * F(1, 10**9)
                assert first(*here) == set(places[direction].names)
                assert not flips.first <= first(*here)
            assert float(stop) == pytest.approx(end)
            for part in (F(1, 7), F(999, 1000)):
                here[axis] = (a, b)[axis] + (stop - (a, b)[axis]) * part
                assert flips.first <= first(*here)
    if flips.factor < 1e9:
        factor = F(flips.factor) * (1 - F(1, 10**9))
        ends = [(x / factor / (1 - x + x / factor), x * factor / (1 - x + x * factor)) for x in (a, b)]
        corners = [(x, y) for x in ends[0] for y in ends[1]]
        assert factor < 1 or all(flips.first <= first(*corner) for corner in corners)


def test_flips_need_a_place_and_a_winner() -> None:
    rows = pd.DataFrame({"m": list("aaabbb"), "y": [0, 1, 1, 0, 0, 1], "s": [1, 2, 3, 1, 2, 3]})
    sweeps = rs.sweep(rows, truth="y", score="s", entity="m")
    with pytest.raises(NoPlaceError):
        sweeps.flips("kappa")
    assert sweeps.flips("kappa", 0.3).first == {"a", "b"}
    assert sweeps.flips("f1").factor == np.inf


# The best threshold

BIGGER: dict[str, Callable[[int, int, int, int], float | None]] = {
    "f1": lambda tn, fp, fn, tp: 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else None,
    "accuracy": lambda tn, fp, fn, tp: (tn + tp) / (tn + fp + fn + tp),
    "mcc": lambda tn, fp, fn, tp: (
        (tn * tp - fp * fn) / ((tn + fp) * (tn + fn) * (tp + fp) * (tp + fn)) ** 0.5
        if (tn + fp) * (tn + fn) * (tp + fp) * (tp + fn)
        else None
    ),
    "ppv": lambda tn, fp, fn, tp: tp / (tp + fp) if tp + fp else None,
    "ppv * tpr - fpr / 3": lambda tn, fp, fn, tp: (
        tp / (tp + fp) * tp / (tp + fn) - fp / (tn + fp) / 3 if (tp + fp) * (tp + fn) * (tn + fp) else None
    ),
    "costs": lambda tn, fp, fn, tp: -(7 * fn + 2 * fp) / (tn + fp + fn + tp),
}


@pytest.mark.parametrize("by", BIGGER)
def test_the_best_threshold_is_what_looking_at_all_says(by: str) -> None:
    score = rs.costs(miss=7, false_alarm=2) if by == "costs" else by
    rng = np.random.default_rng(0)
    for m in [*range(4, 24), 3000]:  # of so many cases the best are found by bounds of their values
        y = (rng.random(m) < 0.3).astype(int)
        y[:2] = 0, 1
        scores = {"a": rng.random(m) + y / 3, "b": rng.integers(0, 4, m), "c": np.round(rng.normal(size=m) + y, 1)}
        sweeps = rs.sweep(y, scores)
        best = sweeps.best(score, current={"a": 0.5})
        of = {}
        for name, points_of in sweeps:
            rows = [BIGGER[by](*(int(x) for x in row)) for row in points_of.counts]
            of[name] = max(value for value in rows if value is not None)
            at = rows[int(np.flatnonzero(points_of.thresholds == best[name].threshold)[0])]
            assert at == pytest.approx(of[name], rel=1e-12)
            if by != "costs":
                assert best[name].value == pytest.approx(of[name], rel=1e-12)
        assert [of[name] for name in best.names] == pytest.approx(sorted(of.values(), reverse=True))
        assert best["b"].gain is None
        assert best["a"].gain is not None
        assert not best["a"].gain < 0  # NaN where it is undefined at 0.5


def test_an_undefined_score_names_the_model() -> None:
    with pytest.raises(UndefinedScoreError, match="'b'"):
        rs.sweep([0, 1, 1, 0], {"a": [1, 2, 3, 4], "b": [1, 1, 1, 1]}).best("mcc")


def test_weights_that_are_fractions_shift_to_the_prior() -> None:
    y, s, w = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.9], [0.5, 0.3, 1.7, 0.2, 0.1, 0.05]
    sweeps = rs.sweep(y, {"a": s}, sample_weight=w)
    for prior in (0.25, 0, 1):
        shares = sweeps.sweep("a", prior).performances.priors
        assert shares.tolist() == pytest.approx([prior] * len(shares))
    parts = [[(w[i], s[i] >= t) for i in range(6) if y[i] == side] for side in (0, 1) for t in [0.4]]
    right = [sum(x for x, positive in part if positive == bool(side)) / sum(x for x, _ in part)
             for side, part in enumerate(parts)]  # fmt: skip
    assert sweeps.sweep("a", 0.25).at(0.4).mass[0, [0, 3]].tolist() == pytest.approx([0.75 * right[0], 0.25 * right[1]])
    with pytest.raises(DataError, match="fractions cannot be averaged over domains"):
        rs.sweep(y, {"a": s}, sample_weight=w, domains=list("aabbab"))


# Cross-fitting


def scores_of(m: int = 240, seed: int = 0, k: int = 3) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    y = (rng.random(m) < 0.3).astype(int)
    return y, {"abcdef"[i]: y * (0.8 + 0.3 * i) + rng.normal(size=m) for i in range(k)}


def cases_of(sweeps: rs.Sweeps, folds: int | None = None) -> Folded:
    return folded(sweeps, folds, 0)


def places_of(sweeps: rs.Sweeps, by: rs.Score) -> list[list[int]]:
    return [[place for _, place in plan.values()] for plan in cases_of(sweeps).fitted(by).values()]


def test_the_label_of_a_case_does_not_choose_the_threshold_that_judges_it() -> None:
    y, scores = scores_of()
    fold = np.arange(len(y)) % 5
    by = rs.score("f1")
    places = places_of(rs.sweep(y, scores, folds=fold), by)
    moved = 0
    for case in range(0, 40):
        flipped = y.copy()
        flipped[case] = 1 - y[case]
        now = places_of(rs.sweep(flipped, scores, folds=fold), by)
        assert [row[fold[case]] for row in now] == [row[fold[case]] for row in places]
        moved += now != places
    assert moved  # it does choose those of other folds


def test_the_threshold_of_a_fold_is_the_mean_place_of_the_best_on_the_others_but_two() -> None:
    y, scores = scores_of(k=1)
    fold = np.arange(len(y)) % 5
    order = np.sort(scores["a"])[::-1]
    called = np.zeros(len(y), dtype=bool)
    for out in range(5):
        others = [f for f in range(5) if f != out]
        ranks = []
        for i, one in enumerate(others):
            for two in others[i + 1 :]:
                kept = (fold == one) | (fold == two)  # two more are left out
                best = rs.sweep(y[kept], scores["a"][kept]).best("f1")
                ranks.append(int((order > best.below).sum()))  # up to the next case that is kept
        place = round(np.mean(ranks) - 1e-9)
        called |= (fold == out) & (scores["a"] >= order[place - 1])
    counts = [int(((y == t) & (called == p)).sum()) for t in (0, 1) for p in (False, True)]
    assert rs.sweep(y, scores, folds=fold).cross_fitted("f1").counts.tolist() == [counts]


def test_pairing_is_kept() -> None:
    y, scores = scores_of()
    sweeps = rs.sweep(y, scores)
    P = sweeps.cross_fitted("f1")
    cases = cases_of(sweeps)
    rows = places_of(sweeps, rs.score("f1"))
    called = {
        m.cells.name: (m.cells.place < np.array(row)[m.fold]).astype(int)
        for m, row in zip(cases.models, rows, strict=True)
    }
    known = rank_intervals(paired(y, called, rng=1), "f1")
    assert rank_intervals(P, "f1", rng=1).table().to_csv() == known.table().to_csv()
    assert rs.gate(P["c"], P["a"]).paired
    assert not rs.gate(rs.sweep(y, scores).at(0.5)["c"], rs.sweep(y, scores, sample_weight=y + 1).at(0.5)["a"]).paired
    assert P.shift_priors(0.2).pairing is None
    assert rs.concat([P, P.rename(["d", "e", "f"])]).pairing is not None  # the same cases
    assert P[["a", "c"]].pairing is not None
    copy = pickle.loads(pickle.dumps(P))
    assert rank_intervals(copy, "f1", rng=1).table().to_csv() == known.table().to_csv()
    assert pickle.loads(pickle.dumps(sweeps)).best("f1").table().to_csv() == sweeps.best("f1").table().to_csv()


def test_a_domain_alone_is_paired_by_its_cases() -> None:
    y, scores = scores_of()
    P = rs.sweep(y, scores, domains=np.arange(len(y)) % 2).cross_fitted("accuracy")
    assert P.domains == ("0",) * 3 + ("1",) * 3
    assert P.counts.sum(axis=1).tolist() == [120] * 6
    assert P.pairing is not None
    alone = posterior(P.in_domain("1"), 50)
    assert alone.paired
    assert alone.evidence is not None
    assert [int(units.size.sum()) for units in alone.evidence.units] == [120]
    assert posterior(P[:3], 50).values.tolist() == posterior(P.in_domain("0"), 50).values.tolist()
    assert P[:4].pairing is None


@pytest.mark.parametrize("options", [{}, {"sample_weight": True}, {"domains": True}, {"folds": True}])
def test_the_order_of_rows_changes_nothing(options: dict[str, bool]) -> None:
    y, scores = scores_of(120)
    scores = {name: np.round(values_of, 1) for name, values_of in scores.items()}
    every = {"sample_weight": np.arange(120) % 3 + 1, "domains": np.arange(120) % 2, "folds": np.arange(120) % 4}
    order = np.random.default_rng(5).permutation(120)
    results = []
    for rows in (np.arange(120), order):
        chosen = {name: every[name][rows] for name in options}
        sweeps = rs.sweep(y[rows], {name: of[rows] for name, of in scores.items()}, **chosen)
        results.append(sweeps.cross_fitted("f1", rng=None if "folds" in options else 3).integers.tolist())
    assert results[0] == results[1]
    assert rs.sweep(y, dict(reversed(scores.items()))).cross_fitted("f1").counts[::-1].tolist() == (
        rs.sweep(y, scores).cross_fitted("f1").counts.tolist()
    )


def test_folds_and_weights() -> None:
    y, scores = scores_of(150, k=2)
    for number in (3, 4, 10):
        assert rs.sweep(y, scores).cross_fitted("f1", number).counts.sum(axis=1).tolist() == [150, 150]
    many = rs.sweep(y, scores, folds=np.arange(150) % 15)
    assert cases_of(many).number == 10
    assert any("joined" in note for note in cases_of(many).notes)
    with pytest.raises(DataError, match="3"):
        rs.sweep(y, scores, folds=np.arange(150) % 2).cross_fitted()
    with pytest.raises(UsageError, match="leave it out"):
        many.cross_fitted(folds=5)
    with pytest.raises(UsageError, match="at most 10"):
        rs.sweep(y, scores).cross_fitted(folds=11)
    with pytest.raises(DataError, match="2 positive cases cannot be spread"):
        rs.sweep([1, 1, 0, 0, 0, 0], {"a": [1, 2, 3, 4, 5, 6]}).cross_fitted()
    twice = rs.sweep(y, scores, sample_weight=np.full(150, 2)).cross_fitted("f1")
    assert twice.counts.tolist() == (2 * rs.sweep(y, scores).cross_fitted("f1").counts).tolist()
    half = rs.sweep(y, scores, sample_weight=np.full(150, 0.5)).cross_fitted("f1")
    assert half.mass.tolist() == twice.mass.tolist()
    assert twice.pairing is half.pairing is None  # a weighted case is not one case


def test_models_on_different_cases() -> None:
    y, scores = scores_of(200, k=2)
    rows = pd.DataFrame({"m": ["a"] * 200 + ["b"] * 100, "y": [*y, *y[:100]], "s": [*scores["a"], *scores["b"][:100]]})
    sweeps = rs.sweep(rows, truth="y", score="s", entity="m")
    P = sweeps.cross_fitted("f1")
    assert not sweeps.paired
    assert P.pairing is None
    assert P.counts.sum(axis=1).tolist() == [200, 100]


# Sources and wrong arguments


def test_every_source_gives_the_same(tmp_path: Path) -> None:
    y, scores = scores_of(60, k=2)
    wide = pd.DataFrame({"y": y, **scores})
    wide.to_csv(tmp_path / "wide.csv", index=False)
    pl.from_pandas(wide).write_parquet(tmp_path / "wide.parquet")
    whole = rs.sweep(y, wide[["a", "b"]])
    expected = whole.best("f1").table().to_csv(), whole.cross_fitted("f1").counts.tolist()
    for source in (tmp_path / "wide.csv", str(tmp_path / "wide.parquet"), wide, pl.from_pandas(wide)):
        sweeps = rs.sweep(source, truth="y", score=["a", "b"])
        assert sweeps.paired
        assert (sweeps.best("f1").table().to_csv(), sweeps.cross_fitted("f1").counts.tolist()) == expected
    long = wide.reset_index().melt(["index", "y"], ["a", "b"], "m", "s").sample(frac=1, random_state=0)
    sweeps = rs.sweep(long, truth="y", score="s", entity="m", case="index")
    assert sweeps.paired
    assert (sweeps.best("f1").table().to_csv(), sweeps.cross_fitted("f1").counts.tolist()) == expected


Y, S = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.9]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: rs.sweep(Y, S, truth="y", score="s"), "y_score= belongs to arrays"),
        (lambda: rs.sweep(Y, {"a": S}, entity="m"), "entity= belongs to a table"),
        (lambda: rs.sweep("x.csv", truth="y"), "score= names a column"),
        (lambda: rs.sweep(Y), "expected scores"),
        (lambda: rs.sweep(Y, S, domains=Y), "needs the name of the model"),
        (lambda: rs.sweep(Y, np.stack([S, S], 1)), "positive class, as in y_score[:, 1]"),
        (lambda: rs.sweep(Y, {"a": np.stack([S, S], 1)}), "positive class, as in y_score[:, 1]"),
        (lambda: rs.sweep(Y, {"a": [*S[:5], np.nan]}), "case 6: scores must be finite"),
        (lambda: rs.sweep(Y, {"a": S}, domains=list("aabbab"), weights="foo"), 'weights="foo"'),
        (lambda: rs.sweep(Y, {"a": S}, weights="foo"), 'weights="foo"'),
        (lambda: rs.sweep(Y, {"a": S}, weights={"x": 1}), "name no domains"),
        (lambda: rs.sweep(Y, S, weights="size"), "weights= needs the name of the model"),
        (lambda: rs.sweep(Y, {"a": S}).best(current={"b": 1}), "no model is called 'b'"),
        (lambda: rs.sweep(Y, {"a": S}).best(current="x"), "the threshold of 'a' must be a number; got 'x'"),
        (lambda: rs.sweep(Y, {"a": S})["a"].at("x"), "a threshold must be a number; got 'x'"),
        (lambda: rs.sweep(Y, {"a": S}).at({"n": ("a", 0.5, 1)}), "must be a number; got ('a', 0.5, 1)"),
        (lambda: rs.sweep(Y, {"a": S}).at({"b": 1}), "no model is called 'b'"),
        (lambda: rs.sweep(Y, {"a": S}).threshold("a", 1.5, 0), "lie in [0, 1]; got 1.5"),
        (lambda: rs.sweep(Y, {"a": S}).threshold("a", np.nan, 0), "lie in [0, 1]; got nan"),
        (lambda: rs.sweep(Y, {"a": S}).first(1.5), "prior= must lie in [0, 1]"),
        (lambda: rs.sweep([0] * 6, {"a": S}).first(0.5), "'a' has no positive case"),
        *(
            (
                lambda given=given: rs.decide(rs.sweep(Y, {"a": S}), given, costs=rs.costs(miss=2)),
                "belongs to sweep()",
            )
            for given in (S, {"a": S})
        ),
    ],
)
def test_wrong_arguments_get_a_sentence(call: Callable[[], object], said: str) -> None:
    with pytest.raises((DataError, UsageError)) as error:
        call()
    assert said in str(error.value)


# The picture


def test_the_picture_says_where_all_cases_are_called_alike() -> None:
    y = [1, 0, 0, 1, 0, 0, 1, 0, 1, 0]
    sweeps = rs.sweep(y, {"a": [3, 3, 1, 3, 1, 1, 2, 2, 1, 1], "b": [2, 3, 3, 3, 1, 1, 2, 1, 1, 2]})
    regions = sweeps.first()
    tile_map = regions.tile_map(65)
    assert tile_map.subtitle == "1 of 2 models ever wins."
    called = [names for region in tile_map.regions for names in [region.names]]
    assert ("call all negative",) in called
    assert ("call all positive",) in called
    assert tile_map.at(0.05, 0.05) == ("a", "b") == regions.at(0.05, 0.05)
    assert sweeps.first() is regions  # computed once
    assert "call all negative" in {text.get_text().split("\n")[0] for text in regions.plot().texts}


def test_scores_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(rs.DataError, match="scores"):
        rs.sweep([0, 1, 1], np.array(["2020-01-01"] * 3, "M8[D]"))


def test_what_wins_somewhere_can_be_looked_at_elsewhere(tmp_path: Path) -> None:
    y, scores = scores_of(80)
    scores |= {"d": scores["a"].round(), "e": scores["c"] * 1e-9 + 1}  # thresholds that differ in the tenth digit
    sweeps = rs.sweep(y, scores)
    regions, winners = sweeps.first(), sweeps.winning_points().performances
    with pytest.raises(UsageError, match="draws"):  # which would flatter
        rs.explore(sweeps, tmp_path / "no.html", draws=100)
    assert len(set(winners.names)) == len(winners) == len(rs.regions.winners(winners))
    for name in sweeps.names:
        shares = [share for called, share in rs.regions.first(winners).areas.items() if called.startswith(f"{name} ")]
        assert sum(shares) <= regions.areas.get(name, 0) + 1e-12
    page = rs.explore(sweeps, tmp_path / "explorer.html")
    assert winners.names[0].split()[-1] in Path(str(page)).read_text("utf-8")
    for wrong in (sweeps, sweeps["a"]):
        with pytest.raises(UsageError, match=r"S\.first|\.performances"):
            rs.rank(wrong)
    assert rs.rank(pd.DataFrame({"entity": ["x"], "tn": [1], "fp": [1], "fn": [1], "tp": [1], "cross_fitted": [1]}))
