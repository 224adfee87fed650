"""The search behind printed rates: all tables of counts that round to them, against a scan of every table."""

import itertools
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from math import isclose

import numpy as np
import pytest

import rankscape as rs
from rankscape._report.published import PublishedBoard
from rankscape.published import reconstruction as searching
from rankscape.published.rates import FORMULAS, NEGATIVE, SQUARED, TN, Printed, printed
from rankscape.published.reconstruction import Search
from rankscape.published.shares import CURVES

RATES = [*FORMULAS, *("tpr", "tnr", "ppv", "npv", "accuracy", "jplus", "jminus"), "f1", "f2", "F0.5"]


def value(rate: Printed, table: tuple[int, ...]) -> Fraction | None:
    """The rate of a table of counts, or its signed square, in fractions."""
    top, bottom = rate.ratio(table)
    return Fraction(top, bottom) if bottom else None


def scan(totals: list[tuple[int, int]], rates: list[Printed]) -> list[tuple[int, ...]]:
    """All tables at some class totals that round to the rates, one after the other."""
    out = []
    for negative, positive in totals:
        for fp, tp in itertools.product(range(negative + 1), range(positive + 1)):
            table = (negative - fp, fp, positive - tp, tp)
            values = [value(rate, table) for rate in rates]
            if sum(table) and all(
                v is not None and rate.ends()[0] <= v <= rate.ends()[1] for v, rate in zip(values, rates, strict=True)
            ):
                out.append(table)
    return sorted(out)


def drawn(rng: np.random.Generator, n: int) -> tuple[tuple[int, ...], list[Printed]]:
    """A table of counts, and some of its rates as printed; some of them changed, so that nothing need fit."""
    table = tuple(int(x) for x in rng.multinomial(n, rng.dirichlet([0.6] * 4)))
    rates = []
    for name in rng.choice(RATES, size=rng.integers(1, 5), replace=False):
        exact = value(rate := printed(str(name), "0.5"), table)
        if exact is not None:
            shown = np.sign(float(exact)) * abs(float(exact)) ** 0.5 if rate.key in SQUARED else float(exact)
            shown += rng.choice([0, 0, 0, 0, 0, 0.02, -0.1])
            shown = min(max(shown, rate.score.low), rate.score.high)
            rates.append(printed(str(name), f"{shown:.{rng.integers(1, 4)}f}"))
    return table, rates


@pytest.mark.parametrize("name", RATES)
def test_formulas_are_those_of_the_catalogue(name: str) -> None:
    tables = [table for table in itertools.product(range(4), repeat=4) if sum(table)]
    expected = rs.score(name)(np.array(tables))
    rate = printed(name, "0.5")
    for table, number in zip(tables, expected.tolist(), strict=True):
        exact = value(rate, table)
        assert (exact is None) == (number != number), (name, table)
        if exact is not None:
            root = np.sign(float(exact)) * abs(float(exact)) ** 0.5 if rate.key in SQUARED else float(exact)
            assert isclose(root, number, abs_tol=1e-12)


@pytest.mark.parametrize("name", CURVES)
def test_curves_order_tables_as_the_scores_of_the_catalogue_do(name: str) -> None:
    tables = [table for table in itertools.product(range(4), repeat=4) if sum(table)]
    values = rs.score(name)(np.array(tables)).tolist()
    found: dict[Fraction, list[float]] = defaultdict(list)
    for table, number in zip(tables, values, strict=True):
        top, bottom = CURVES[name](table)
        if bottom and number == number:
            found[Fraction(top, bottom)].append(number)
    ordered = [found[ratio] for ratio in sorted(found)]
    assert all(max(alike) - min(alike) < 1e-12 for alike in ordered)
    steps = np.diff([alike[0] for alike in ordered])
    assert len(steps) > 10
    assert (steps > 1e-12).all() or (steps < -1e-12).all()


@pytest.mark.parametrize("much", [1 << 15, 4])
@pytest.mark.parametrize("known", [True, False])
def test_the_tables_are_those_of_a_scan(known: bool, much: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MUCH", much)  # parts are halved early, and tried in several blocks
    monkeypatch.setattr(searching, "AT_FIRST", much)
    rng, several = np.random.default_rng(7 + known), 0
    for _ in range(30 if much > 4 else 8):
        table, rates = drawn(rng, int(rng.integers(3, 26)))
        n, p = sum(table), table[2] + table[3]
        totals = [(n - p, p)] if known else [(n - other, other) for other in range(n + 1)]
        expected = scan(totals, rates)
        negative, positive = (np.array(column) for column in zip(*totals, strict=True))
        tables = Search(negative, positive, rates).solutions()
        assert tables is not None
        assert list(map(tuple, tables.tolist())) == expected
        assert Search(negative, positive, rates).exists() == bool(expected)
        if expected:  # the bounds of more than a million are found in another way
            ends = [np.min(expected, axis=0).tolist(), np.max(expected, axis=0).tolist()]
            assert Search(negative, positive, rates).bounds().tolist() == ends
            several += len(expected) > 1
    assert several


def true_counts_are_among_those_found(trials: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        table = rng.multinomial(int(rng.integers(1, 2001)), rng.dirichlet([0.7] * 4))
        places, given = int(rng.integers(2, 5)), {}
        for name in rng.choice(RATES, size=rng.integers(2, 5), replace=False):
            score = rs.score(str(name))(table[None])[0]
            if score == score and score < 100:
                given[str(name)] = f"{score:.{places}f}"
        if not given:
            continue
        sizes = {"n_positive": int(table[2:].sum()), "n_negative": int(table[:2].sum())}
        if rng.random() < 0.2:
            sizes = {"n": int(table.sum())}
        result = rs.reconstruct(given, **sizes)
        if result.counts is None:
            assert (result.bounds[0] <= table).all()
            assert (table <= result.bounds[1]).all()
        else:
            assert (result.counts == table).all(axis=1).any(), (table, given)


def test_the_true_counts_are_among_those_found() -> None:
    true_counts_are_among_those_found(60, seed=1)


@pytest.mark.nightly
def test_the_true_counts_are_among_those_found_in_2000_cases() -> None:
    true_counts_are_among_those_found(2000, seed=2)


def test_values_are_read_as_typed_with_rounding_inclusive() -> None:
    for text in ("0.830", "0,830", "83.0 %", "83,0%", " +0.830 "):
        rate = printed("recall", text)
        assert (rate.low, rate.high) == (Fraction("0.8295"), Fraction("0.8305"))
    assert rs.reconstruct(recall="0.12", n_positive=8, n_negative=1).bounds[:, 3].tolist() == [1, 1]  # half to even
    assert rs.reconstruct(recall="0.13", n_positive=8, n_negative=1).bounds[:, 3].tolist() == [1, 1]  # half up
    assert printed("recall", 0.8, decimals=2).unit == Fraction(1, 100)
    assert printed("recall", 2 / 3).low <= Fraction(2, 3) <= printed("recall", 2 / 3).high
    assert printed("recall", np.float32(0.83)).unit == Fraction(1, 100)
    for name in (
        "Sensitivity (%)",
        "Sensitivity [%]",
        "Sensitivity, percent",
        "Sensitivity in percent",
        "sens_percent",
    ):
        assert printed(name, "83.1").value == Fraction("0.831")
        assert printed(name, 83.1).value == Fraction("0.831")
    assert printed("mcc", "−0.25").value == Fraction(-1, 4)


def test_rates_are_derived_from_others_outwards() -> None:
    row = rs.read_published([{"model": "a", "precision": "0.60", "recall": "0.80", "prevalence": "0.10"}])["a"]
    rng = np.random.default_rng(0)
    ppv, tpr, prior = (x + rng.uniform(-1, 1, 2000) / 200 for x in (0.6, 0.8, 0.1))
    tnr = 1 - tpr * prior / (1 - prior) * (1 - ppv) / ppv
    low, high = map(float, row.space.range(TN, NEGATIVE))
    assert low <= tnr.min() <= tnr.max() <= high
    assert high - low < 1.1 * np.ptp(tnr)
    nearest = rs.Performances.from_exact([row.nearest])
    for name, text in (("precision", 0.6), ("recall", 0.8), ("prior", 0.1)):
        assert rs.score(name)(nearest)[0] == pytest.approx(text, abs=1e-15)
    for other, text in (
        ("accuracy", "0.80"),
        ("npv", "0.90"),
        ("f1", "0.70"),
        ("youden", "0.70"),
        ("balanced accuracy", "0.80"),
        ("mcc", "0.60"),
        ("kappa", "0.60"),
    ):
        row = rs.read_published([{"model": "a", other: text, "recall": "0.80", "prevalence": "0.30"}])["a"]
        value = rs.score(other)(rs.Performances.from_exact([row.nearest]))[0]
        assert value == pytest.approx(float(text), abs=1e-4), other


CASES = {"model": ["a", "b"], "sensitivity": ["0.90", "0.85"], "specificity": ["0.9", "0.8"], "n_positive": [50, 40],
         "n_negative": [50, 60]}  # fmt: skip


def test_a_chance_near_1_or_0_is_displayed_as_every_leaderboard_has_it() -> None:
    table = rs.read_published(CASES)
    intervals = rs.uncertainty.rank_intervals(table.draws(200), "accuracy", level=0.95)
    board = PublishedBoard(table.rank("accuracy"), replace(intervals, p_first=np.array([0.9996, 0.0004])))
    assert board.displayed(None)["P(first)"] == ["> 0.99", "< 0.01"]  # as every leaderboard has it
    near = PublishedBoard(table.rank("accuracy"), replace(intervals, p_first=np.array([0.94996, float("nan")])))
    assert near.displayed(None)["P(first)"] == ["0.95", "—"]
