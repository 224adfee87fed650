"""Who comes first for which weights of the domains: against rationals, for whatever counts."""

from fractions import Fraction

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankscape import Performances
from rankscape.domains import prepare, weightings
from rankscape.tasks import success

CELL = st.tuples(*[st.integers(0, 3)] * 4).filter(any)
IMPORTANCE = st.tuples(*[st.integers(0, 3)] * 4).filter(any)
TINY = Fraction(1, 10**12)


@st.composite
def tables(draw: st.DrawFn) -> list[list[tuple[int, ...]]]:
    """Few cases: ties, equal entities, undefined scores; two to four domains."""
    d = draw(st.integers(2, 4))
    rows = draw(st.lists(st.lists(CELL, min_size=d, max_size=d), min_size=1, max_size=5))
    return rows + draw(st.lists(st.sampled_from(rows), max_size=1))


def first_at(table: list[list[tuple[int, ...]]], importance: tuple[int, ...], weights: list[Fraction]) -> set[str]:
    values = {}
    for i, row in enumerate(table):
        mass = [sum(w * Fraction(cell[k], sum(cell)) for w, cell in zip(weights, row, strict=True)) for k in range(4)]
        due = sum(w * m for w, m in zip(importance, mass, strict=True))
        if due:
            values[f"e{i}"] = (importance[0] * mass[0] + importance[3] * mass[3]) / due
    return {name for name, value in values.items() if value == max(values.values())}


@given(tables(), IMPORTANCE, st.lists(st.integers(1, 9), min_size=4, max_size=4), st.integers(0, 2**32))
@settings(max_examples=settings.default.max_examples * 2 // 5)
def test_all_answers_hold(
    table: list[list[tuple[int, ...]]], importance: tuple[int, ...], given_weights: list[int], seed: int
) -> None:
    d = len(table[0])
    weights = [Fraction(w, sum(given_weights[:d])) for w in given_weights[:d]]
    assume(first_at(table, importance, weights))
    domains = [f"d{k}" for k in range(d)]
    names = [f"e{i}" for i in range(len(table)) for _ in domains]
    counts = np.array(table).reshape(-1, 4)
    performances = Performances.from_counts(counts, names=names, domains=domains * len(table))
    by = list(importance)
    result = weightings(
        prepare(performances, weights=dict(zip(domains, given_weights, strict=False))),
        by,
        draws=50,
        rng=seed,
    )
    assert result.first == first_at(table, importance, weights)
    rng = np.random.default_rng(seed)
    for parts in rng.integers(0, 4, (20, d)).tolist():
        if any(parts):
            best = first_at(table, importance, [Fraction(x, sum(parts)) for x in parts])
            assert result.at(dict(zip(domains, parts, strict=True))) == best
            assert all(result.possible[name] != "no" for name in best)
    for name, share in result.shares.items():
        assert not share or result.possible[name] == "yes" or result.kind != "linear"
        assert not share or result.possible[name] != "no"
    for flip in result.flips:
        k = domains.index(flip.domain)

        def changed(t: Fraction, k: int = k) -> set[str]:
            others = [w * (1 - t) / (1 - weights[k]) for w in weights]
            return first_at(table, importance, [t if c == k else w for c, w in enumerate(others)])

        low, high = flip.ends
        assert low <= flip.weight <= high
        for t in (low + (high - low) * Fraction(j, 7) for j in range(1, 7)):
            if 0 < t < 1:
                assert low == high or result.first <= changed(t)
        for end, beyond, step in ((low, flip.below, -TINY), (high, flip.above, TINY)):
            assert bool(beyond) or end in (0, 1)
            if beyond:
                assert set(beyond) == changed(end + step)
                assert not result.first <= set(beyond)


def test_the_nearer_change_is_named_and_the_largest_share_stands_first():
    right = [90, 79, 40, 40, 79, 90]
    P = success.from_counts(right, 100, names=list("abc") * 2, domains=["x"] * 3 + ["y"] * 3)
    less, more = (weightings(prepare(P, weights={"x": x, "y": 10 - x})) for x in (3, 7))
    assert "x below 22 % of the weight (now 30 %), the others in proportion: then c" in less.about_change
    assert "x above 78 % of the weight (now 70 %), the others in proportion: then a" in more.about_change
    assert [row[0] for row in less.table().rows()] == ["b", "a", "c"]
