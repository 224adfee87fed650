"""Histograms of scores: one decision on every engine, exact merging, the error of bins, and batches."""

import copy
import decimal
import math
import pickle
import re
from bisect import bisect_right
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pytest
from engine_tables import SOURCES
from hypothesis import assume, given
from hypothesis import strategies as st

import rankscape as rs
from rankscape.errors import DataError, IncompleteDataWarning, UsageError
from rankscape.io import ScoreHistograms, opening, scored_arrays, scored_histograms, scored_table
from rankscape.io.bins import ABSENT, INFINITE, MOST_EDGES, Bins, checked_bins, exactly

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow.parquet")

RNG = np.random.default_rng(3)
BINS: list[Any] = [
    4096, 1000, 10, 7, 2, 1, (-3, 5, 1000), (-8, 8, 4096), (0, 100, 997), (-1e-7, 1e-7, 4096), (-1, 2.5, 2**12),
    (1e6, 1e6 + 1, 2**10), (-1e300, 1e300, 100), [0, 0.1, 0.15, 0.7, 3], [-2.0, 5.0], np.sort(RNG.normal(size=60)),
    np.linspace(0, 1, 101),
]  # fmt: skip
TINY = [0.0, -0.0, 5e-324, -5e-324, 2.3e-308, -1e-300, 1.7976931348623157e308, -1.7976931348623157e308]


def places(scores: list[float], edges: list[float]) -> list[int]:
    """The bin of each score, by the definition."""
    return [min(max(bisect_right(edges, score) - 1, 0), len(edges) - 2) for score in scores]


def at_edges(bins: Any) -> list[float]:
    """Scores at edges, next to them, and between."""
    edges = checked_bins(bins).edges
    chosen = edges if len(edges) < 300 else np.concatenate([edges[:100], edges[-100:], RNG.choice(edges, 100)])
    near = [chosen, np.nextafter(chosen, math.inf), np.nextafter(chosen, -math.inf), TINY]
    return np.concatenate([*near, RNG.uniform(edges[0], edges[-1], 200)]).tolist()


def frame_of(n: int = 300, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    columns = {"y": rng.integers(0, 2, n), "s": np.round(rng.random(n), 2), "model": rng.choice(["b", "a"], n)}
    return pd.DataFrame(columns | {"site": rng.choice([10, 9], n), "part": rng.integers(0, 3, n), "t": rng.random(n)})


HOW: dict[str, Any] = {"truth": "y", "score": "s", "entity": "model", "domain": "site", "fold": "part"}


def plain(found: ScoreHistograms) -> list[Any]:
    axes = [found.names, found.domains, found.folds, found.edges.tolist()]
    return [*axes, found.positives.tolist(), found.negatives.tolist(), found.positive]


def counted(frame: Any, bins: Any) -> dict[tuple[Any, ...], int]:
    """Count one case after the other."""
    edges = checked_bins(bins).edges.tolist()
    counts: dict[tuple[Any, ...], int] = {}
    for row in frame.itertuples():
        (place,) = places([row.s], edges)
        key = (row.y, row.model, str(row.site), str(row.part), place)
        counts[key] = counts.get(key, 0) + 1
    return counts


# Bins

ELSEWHERE = ("dask", "ibis", "sqlframe")  # engines that small tables are not taken from, either


@pytest.mark.some(5)
@pytest.mark.parametrize(
    ("engine", "large"),
    [(engine, large) for engine in SOURCES for large in (False, True) if large or engine not in ELSEWHERE],
)
def test_every_engine_decides_as_the_definition_does(
    engine: str, large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr(opening, "SMALL", 0)
    for bins in BINS[
        :: 3 if engine in ELSEWHERE else 1 + large
    ]:  # each question to these takes as long as all to numpy
        scores, edges = at_edges(bins), checked_bins(bins).edges.tolist()
        frame = pd.DataFrame({"y": np.arange(len(scores)) % 2, "s": scores})
        expected = np.zeros((2, len(edges) - 1), dtype=np.int64)
        np.add.at(expected, (frame.y, places(scores, edges)), 1)
        found = scored_histograms(SOURCES[engine](frame, tmp_path), truth="y", score="s", bins=bins)
        assert found.edges.tolist() == edges
        assert np.array_equal(found.negatives.ravel(), expected[0]), bins
        assert np.array_equal(found.positives.ravel(), expected[1]), bins


@pytest.mark.parametrize("engine", ["polars", "ibis"])
def test_no_engine_is_given_a_decimal_that_it_could_round(engine: str) -> None:
    values = [
        0.1,
        -2.8281623127311413,
        1e-300,
        2.0**-66 * 3,
        0.12345678901234568,
        9007199254740993.0,
        1234567890.1234567,
    ]
    exact = {f"c{i}": exactly(value) for i, value in enumerate(values)}
    if engine == "polars":
        assert nw.from_native(pl.DataFrame({"a": [1]})).select(**exact).row(0) == tuple(values)
    else:
        ibis = pytest.importorskip("ibis")
        query = ibis.to_sql(nw.from_native(ibis.table({"a": "float64"}, name="t")).select(**exact).to_native())
        assert all(len(digits.replace(".", "").strip("0")) <= 16 for digits in re.findall(r"\d+\.\d+(?!\d|e)", query))


@pytest.mark.parametrize("bins", BINS)
def test_numpy_decides_as_the_definition_does(bins: Any) -> None:
    scores, edges = at_edges(bins), checked_bins(bins).edges.tolist()
    assert checked_bins(bins).places(np.array(scores)).tolist() == places(scores, edges)
    assert checked_bins(bins).places(np.array([math.nan, math.inf, -math.inf])).tolist() == [ABSENT, INFINITE, INFINITE]


@given(
    low=st.floats(-1e9, 1e9), width=st.floats(1e-3, 1e9), number=st.integers(1, 300),
    scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20),
)  # fmt: skip
def test_equal_widths_are_nearly_equal_and_decided_by_their_edges(
    low: float, width: float, number: int, scores: list[float]
) -> None:
    assume(width > 2.0**-35 * (abs(low) + number * width))
    bins = checked_bins((low, low + number * width, number))
    edges = bins.edges
    steps = np.linspace(bins.low, bins.high, number + 1)
    assert (np.diff(edges) > 0).all()
    assert (np.abs(edges - steps) <= 4 * np.spacing(np.maximum(np.abs(low), np.abs(steps).max()))).all()
    table = pl.DataFrame({"y": [0, 1] * len(scores), "s": np.repeat(scores, 2)})
    found = scored_histograms(table, truth="y", score="s", bins=bins)  # type: ignore[arg-type]
    assert found.positives.ravel().tolist() == np.bincount(places(scores, edges.tolist()), minlength=number).tolist()


def test_what_bins_are() -> None:
    assert checked_bins(4096).edges.tolist() == [j / 4096 for j in range(4097)]
    assert checked_bins((-8, 8, 4096)).edges.tolist() == [j / 256 for j in range(-2048, 2049)]
    assert checked_bins(np.linspace(0, 1, 4097)) == checked_bins(4096)
    assert checked_bins([0.0, 0.29, 0.3]).edges.tolist() == [0.0, 0.29, 0.3]
    assert checked_bins((0, 1, 2)).edges.tolist() == [0, 0.5, 1]
    assert checked_bins([0, 1, 2]).edges.tolist() == [0, 1, 2]
    assert checked_bins([-0.0, 1]) == checked_bins([0, 1])
    assert hash(checked_bins(7)) == hash(Bins(0.0, 1.0, 7))


@pytest.mark.parametrize(
    "bins",
    [
        0, -3, True, 2**21, "many", None, (1, 0, 5), (0, 0, 5), (0, math.nan, 5), (0, math.inf, 5), (0, "x", 5),
        (1, 1 + 1e-12, 10**6), (-1.7e308, 1.7e308, 4), [], [1], [0, 0, 1], [1, 0], [0, math.nan], [0, math.inf],
        [[0, 1]], ["a", "b"], 0.5, (0, 1e-310, 4),
    ],
)  # fmt: skip
def test_bins_that_are_none(bins: Any) -> None:
    with pytest.raises(UsageError, match=r"^bins=|^2097152 bins are too many|cannot be told apart in floats"):
        checked_bins(bins)


def test_engines_are_not_asked_for_too_many_unequal_bins() -> None:
    edges = np.cumsum(RNG.random(MOST_EDGES + 5))
    frame = pd.DataFrame({"y": [0, 1, 1], "s": [0.1, 5.0, 9.0]})
    with pytest.raises(UsageError, match="bins of unequal widths are too many for an engine"):
        scored_histograms(pl.from_pandas(frame).lazy(), truth="y", score="s", bins=edges)
    assert len(scored_histograms(frame, truth="y", score="s", bins=edges)) == 3


@pytest.mark.parametrize("engine", ["polars", "polars, lazy", "pyarrow", "duckdb"])
def test_decimals_are_the_nearest_floats(engine: str) -> None:
    written = [decimal.Decimal(i).scaleb(-3) for i in range(1000)]
    table = pa.table({"y": [0, 1] * 500, "s": pa.array(written, pa.decimal128(20, 3))})
    of = {"pyarrow": table, "duckdb": duckdb.from_arrow(table), "polars": pl.from_arrow(table)}
    found = scored_histograms(
        pl.from_arrow(table).lazy() if engine == "polars, lazy" else of[engine],
        truth="y", score="s", bins=[i / 1000 for i in range(0, 1000, 5)],
    )  # fmt: skip
    assert (found.positives + found.negatives).ravel().tolist() == [5] * 198 + [10]


# Counting


@pytest.mark.some(8)
@pytest.mark.parametrize("engine", SOURCES)
@pytest.mark.parametrize("bins", [16, (-1, 2, 30), [0.1, 0.5, 0.51, 0.7]])
def test_models_domains_and_folds_are_counted(engine: str, bins: Any, tmp_path: Path) -> None:
    frame = frame_of()
    found = scored_histograms(SOURCES[engine](frame, tmp_path), **HOW, bins=bins)
    assert (found.names, found.domains, found.folds) == (("a", "b"), ("9", "10"), ("0", "1", "2"))
    expected = counted(frame, bins)
    for y, numbers in enumerate((found.negatives, found.positives)):
        for place, n in np.ndenumerate(numbers):
            k, d, f, j = place
            assert n == expected.get((y, found.names[k], found.domains[d], found.folds[f], j), 0)
    assert len(found) == len(frame)
    columns = scored_histograms(SOURCES[engine](frame, tmp_path), truth="y", score=["t", "s"], bins=bins)
    assert columns.names == ("s", "t")
    assert (columns.domains, columns.folds, columns.positives.shape[:3]) == (None, None, (2, 1, 1))
    assert columns.positives[0, 0, 0].tolist() == found.positives.sum(axis=(0, 1, 2)).tolist()


@pytest.mark.parametrize("seed", range(4))
def test_merging_any_split_equals_counting_at_once(seed: int) -> None:
    frame, rng = frame_of(seed=seed), np.random.default_rng(seed)
    part = rng.integers(0, 4, len(frame)) if seed else frame.groupby(["model", "site"]).ngroup()  # or names apart
    parts = [scored_histograms(frame[part == i], **HOW, bins=32) for i in np.unique(part)]
    whole = plain(scored_histograms(frame, **HOW, bins=32))
    for order in (parts, parts[::-1], [parts[i] for i in rng.permutation(len(parts))]):
        left, right = order[0], order[-1]
        for one in order[1:]:
            left = left + one
        for one in order[-2::-1]:
            right = one.merge(right)
        assert plain(left) == plain(right) == whole


def test_histograms_that_cannot_be_merged() -> None:
    frame = frame_of()
    one = scored_histograms(frame, **HOW, bins=8)
    for other, sentence in [
        (scored_histograms(frame, **HOW, bins=16), "the edges of the bins differ"),
        (scored_histograms(frame, **{**HOW, "fold": None}, bins=8), "only some of these histograms have folds"),
        (scored_histograms(frame, **{**HOW, "domain": None}, bins=8), "only some of these histograms have domains"),
        (scored_histograms(frame, **HOW, pos_label=0, bins=8), "the positive labels differ: 1 and 0"),
        ([1], "histograms can be merged with histograms only; got list"),
    ]:
        with pytest.raises(DataError, match=sentence):
            one.merge(other)
    with pytest.raises(TypeError):
        one + 1  # type: ignore[operator]
    with pytest.raises(ValueError, match="read-only"):
        one.positives[0] = 1


@pytest.mark.nightly
def test_histograms_are_limited() -> None:
    frame = frame_of(4000).assign(model=np.arange(4000), site=np.arange(4000) % 1000)
    with pytest.raises(DataError, match="choose fewer bins, or leave out the domains or folds"):
        scored_histograms(frame, **HOW, bins=4096)


# The error of bins


@pytest.mark.some(10)
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("weights", [None, [1, 1], [3, 1]])
def test_no_threshold_is_off_by_more_than_the_error(seed: int, weights: Any) -> None:
    rng = np.random.default_rng(seed)
    n, bins = 400, int(rng.choice([2, 8, 64]))
    scores = {name: np.round(rng.random(n) ** power, 3) for name, power in (("a", 1), ("b", 4))}
    truth, site = rng.integers(0, 2, n), rng.choice([9, 10], n, p=[0.8, 0.2])
    found = rs.Accumulator(bins=bins).add(truth, scores, domain=site).histograms
    sizes = [1, 1] if weights is None else [w / (site == s).sum() for w, s in zip(weights, (9, 10), strict=True)]
    weight = np.where(site == 9, *sizes)
    largest = np.zeros((2, 2))
    for k, name in enumerate("ab"):
        for c, kind in enumerate((1, 0)):
            here = truth == kind
            total = weight[here].sum()
            for threshold in np.unique(scores[name]):
                rate = weight[here & (scores[name] >= threshold)].sum() / total
                place = found.edges.searchsorted(threshold, side="right") - 1
                for edge in found.edges[[place, min(place + 1, bins)]]:
                    reached = -math.inf if edge == 0 else math.inf if edge == 1 else edge
                    at_edge = weight[here & (scores[name] >= reached)].sum() / total
                    largest[k, c] = max(largest[k, c], abs(rate - at_edge))
    errors = found.bin_errors(weights)
    assert (largest <= errors + 1e-12).all()
    assert (3 * largest >= errors).all()
    if weights is None:
        assert found.bin_error == errors.max()


def test_the_error_where_a_class_is_absent_and_weights_that_are_none() -> None:
    found = rs.Accumulator(bins=2).add([1, 1], [0.1, 0.9], domain="x").histograms
    assert found.bin_errors().tolist() == [[0.5, 0.0]]
    for weights in ([1, 1], [-1], [0], [math.nan]):
        with pytest.raises(UsageError, match="expected 1 weight, one per domain"):
            found.bin_errors(weights)


# What cannot be counted


@pytest.mark.some(3)
@pytest.mark.parametrize("engine", SOURCES)
def test_what_cannot_be_counted_is_refused_in_a_sentence(engine: str, tmp_path: Path) -> None:
    def said(header: str, value: Any, **how: Any) -> str:
        frame = frame_of()
        column = frame[header].astype(object if isinstance(value, str) or value is None else float)
        column[5] = value
        with pytest.raises(DataError) as error:
            scored_histograms(SOURCES[engine](frame.assign(**{header: column}), tmp_path), **{**HOW, **how}, bins=8)
        return str(error.value)

    assert "in 1 of 300 rows the score is missing" in said("s", math.nan)
    for value in (math.inf, -math.inf):
        sentence = said("s", value)
        assert "in 1 of 300 rows the score" in sentence or "is not a number" in sentence or "finite" in sentence
    where, warn = 'in 1 of 300 rows the fold is missing ("part"): fill in what is missing, ', 'with invalid="warn"'
    assert said("part", math.nan).endswith(f"{where}drop the rows, or leave such rows out, and see how many, {warn}")
    assert said("part", math.nan, invalid="never").endswith(f"{where}or drop the rows")
    assert "in 1 of 300 rows the truth is missing" in said("y", math.nan)
    assert "in 1 of 300 rows the name of the entity is missing" in said("model", None)
    assert "more than two" in said("y", 2.0)
    assert "the case is missing" in said("t", math.nan, case="t")


def test_with_a_warning_the_rest_is_counted() -> None:
    frame = frame_of().astype({"part": float})
    frame.loc[3, "s"] = math.nan
    frame.loc[4, "part"] = math.nan
    with pytest.warns(
        IncompleteDataWarning, match="the score is missing: left out; in 1 of 300 rows the fold is missing"
    ):
        found = scored_histograms(frame, **HOW, bins=8, invalid="warn")
    assert plain(found) == plain(scored_histograms(frame.drop([3, 4]), **HOW, bins=8))
    alone = frame.assign(part=frame.part.mask(frame.model == "a"))
    for read in (scored_histograms, scored_table):
        with pytest.raises(DataError, match='entity "a" has no row with a fold'):
            read(alone, **HOW, invalid="warn")


def test_hostile_labels_and_names() -> None:
    names = ['<b>"a"', "a\nb", "=1+1", "☃"]
    frame = pd.DataFrame({"y": ["ja", "nein"] * 4, "s": np.arange(8) / 8, "m": np.repeat(names, 2)})
    found = scored_histograms(frame, truth="y", score="s", entity="m", pos_label="ja", bins=8)
    assert set(found.names) == set(names)
    assert found.positive == "ja"
    mixed = pd.DataFrame(
        {"y": [0, 1, 0, 1], "s": [0.1, 0.2, 0.3, 0.4], "f": pd.Series([1, "1", 1.0, "1"], dtype=object)}
    )
    both = scored_histograms(mixed, truth="y", score="s", fold="f", bins=2)
    assert (both.folds, len(both)) == (("1",), 4)


# Batches


def batches(frame: Any, parts: int, **how: Any) -> list[Any]:
    counters = [rs.Accumulator(**how) for _ in range(parts)]
    for i, (_, row) in enumerate(frame.groupby(np.arange(len(frame)) % 7)):
        counters[i % parts].add(row.y, row.s, entity=row.model, domain=row.site, fold=row.part)
    return counters


@pytest.mark.parametrize("bins", [16, (-1, 2, 30), [0.1, 0.5, 0.51, 0.7]])
def test_batches_amount_to_the_table(bins: Any) -> None:
    frame = frame_of()
    expected = plain(scored_histograms(frame, **HOW, bins=bins))
    first, second, third = batches(frame, 3, bins=bins)
    assert plain((first + second + third).histograms) == expected
    assert plain(first.histograms + (second.histograms + third.histograms)) == expected
    assert plain(pickle.loads(pickle.dumps(first)).merge(copy.deepcopy(second)).merge(third).histograms) == expected
    assert len(first + second + third) == len(frame)
    wide = rs.Accumulator(bins=bins).add(frame.y, {"s": frame.s, "t": frame.t}).histograms
    assert plain(wide) == plain(scored_histograms(frame, truth="y", score=["t", "s"], bins=bins))
    table = scored_arrays(frame.y, frame[["s", "t"]])
    for model, numbers in zip(table.models, wide.positives[:, 0, 0], strict=True):
        places_of = checked_bins(bins).places(model.score[model.truth])
        assert numbers.tolist() == np.bincount(places_of, minlength=len(numbers)).tolist()


def test_labels_and_scores_may_be_counted_by_one() -> None:
    counter = rs.Accumulator(bins=2).update([0, 1], [0, 1]).add([0, 1, 1], [0.1, 0.2, 0.9])
    assert counter.performances().counts.tolist() == [[1, 0, 0, 1]]
    assert counter.histograms.positives.ravel().tolist() == [1, 1]
    assert len(counter) == 5
    text = rs.Accumulator(bins=2, pos_label="ja").add(["ja", "nein"], [0.9, 0.1])
    assert text.histograms.positives.ravel().tolist() == [0, 1]


def test_batches_that_cannot_be_added() -> None:
    def counter() -> Any:
        return rs.Accumulator(bins=4)

    for add, sentence in [
        (lambda: counter().add([0, 1], [0.1, math.nan]), "case 2: scores must be finite"),
        (lambda: counter().add([0, 1], [0.1, math.inf]), "case 2: scores must be finite"),
        (lambda: counter().add([0, 1], [0.1]), "expected as many scores as true labels, 2; got 1"),
        (lambda: counter().add([0, None], [0.1, 0.2]), "the truth is missing in 1 case"),
        (lambda: counter().add([0, 1], [0.1, 0.2], fold=[1, None]), "the fold is missing in 1 case"),
        (lambda: counter().add([0], [0.1]).add([0], [0.1], fold=1), "some batches have a fold and some have none"),
        (lambda: counter().add([0], [0.1]).merge(counter().add([0], [0.1], fold=1)), "some batches have a fold"),
        (lambda: counter().add([0], [0.1], domain=1).add([0], [0.1]), "some batches have a domain"),
        (lambda: counter().merge(rs.Accumulator(bins=5)), "these accumulators differ in bins"),
        (lambda: counter().merge(rs.Accumulator()), "these accumulators differ in bins"),
        (lambda: counter().histograms, "there is no row"),
        (lambda: counter().add([0, 1, 2], [0.1, 0.2, 0.3]).histograms, "the labels 0, 1, 2 are more than two"),
        (lambda: counter().add(pd.Series([0, 1]), pd.Series([0.1, 0.2])[::-1]), "another order"),
    ]:
        with pytest.raises(DataError, match=sentence):
            add()
    for use in (lambda: rs.Accumulator().add([0, 1], [0.1, 0.2]), lambda: rs.Accumulator().histograms):
        with pytest.raises(UsageError, match=r"make it with bins, as in Accumulator\(bins=4096\)"):
            use()
    kept = counter().add([0, 1], [0.1, 0.2])
    with pytest.raises(DataError):
        kept.add([0, 1], {"x": [0.1, 0.2], "y": [0.1, math.nan]})
    assert len(kept) == 2
