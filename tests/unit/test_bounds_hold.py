"""A printed bound, typed back in, finds what its sentence says."""

import json
import re
import shutil
import subprocess
from fractions import Fraction
from math import inf
from pathlib import Path

import numpy as np
import pytest

import rankscape as rs
from rankscape._report.answers import answer, ends_within, priors_of, readable, within
from rankscape._report.decision import what_would_change
from rankscape._report.published import PublishedBoard
from rankscape._report.render import records

TEXTS = Path(__file__).resolve().parents[2] / "src" / "rankscape" / "explorer" / "texts.js"
NUMBER = r"(?:\d+\.?\d*(?:e[+-]?\d+)?)"


def models(seed: int) -> rs.Performances:
    rng = np.random.default_rng(seed)
    tpr, fpr = rng.random(5), rng.random(5)
    positive, negative = int(rng.integers(50, 3000)), int(rng.integers(50, 3000))
    tp, fp = (positive * np.maximum(tpr, fpr)).astype(int), (negative * np.minimum(tpr, fpr)).astype(int)
    return rs.Performances.from_counts(tn=negative - fp, fp=fp, fn=positive - tp, tp=tp)


def ends(text: str) -> list[float]:
    """The numbers of "at least 2", "at most 3" and "2 to 3"."""
    return [float(number) for number in re.findall(NUMBER, text)]


@pytest.mark.parametrize("seed", range(25))
def test_bounds_that_why_prints_hold_when_they_are_typed_in(seed: int) -> None:
    P = models(seed)
    ratio = float(np.random.default_rng(seed).choice([0.2, 1, 3, 17]))
    costs = rs.costs(miss=ratio)
    changes = rs.regions.flips(P, costs)
    text = answer(changes, P, priors_of(P, rs.score("accuracy")))
    kept = re.search(r"first while a miss costs (.+?) false alarm", text)
    for miss in ends(kept[1]) if kept else ():
        assert changes.first <= rs.rank(P, by=rs.costs(miss=miss)).best, text
    held = re.search(r"first while a miss is worth (.+?) false alarm", text)
    for miss in ends(held[1]) if held else ():
        b = miss / (1 + miss)
        assert changes.first <= rs.rank(P, by=rs.canonical_importance(changes.a, b)).best, text
    for what in readable(changes, P)["nearest change"]:
        if cost := re.match(
            r"a miss costing (?:less|more) than (\S+) false", what
        ):  # up to there the first stays first
            assert changes.first <= rs.rank(P, by=rs.costs(miss=float(cost[1]))).best, what


@pytest.mark.parametrize("seed", range(12))
def test_shares_of_positives_hold_when_they_are_typed_in(seed: int) -> None:
    P = models(seed)
    changes = priors_of(P, rs.score("accuracy"))
    text = answer(rs.regions.flips(P, "accuracy"), P, changes)
    found = re.search(r"for any share of positives (.+?) \(here", text)
    for prior in ends(found[1]) if found else ():
        assert changes.first <= rs.rank(P.shift_priors(prior), by="accuracy").best, text


def test_what_decide_prints_holds_in_its_own_ranges() -> None:
    rng = np.random.default_rng(3)
    y = rng.random(400) < 0.3
    scores = {name: (y * strength + rng.normal(size=400)).round(2) for name, strength in (("a", 1.0), ("b", 1.4))}
    decision = rs.decide(y, scores, costs=rs.costs(miss=4), draws=0)
    (low, high), text = decision.ratio_range, what_would_change(decision)[0]
    printed = ends(re.search(r"while a miss is worth (.+?) false alarms", text)[1])
    assert printed
    assert all(low <= end <= high for end in printed), (text, decision.ratio_range)


@pytest.mark.parametrize("seed", range(12))
def test_ranges_of_printed_rates_hold_what_rounds_to_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    P = models(seed)
    rates = {name: [f"{x:.{rng.integers(2, 5)}f}" for x in rs.score(name)(P)] for name in ("tpr", "tnr", "precision")}
    costs = rs.costs(miss=float(rng.choice([0.3, 7, 40])), per=int(rng.choice([1, 1000])))
    prior = None if seed % 2 else float(rng.choice([0.02, 0.4]))
    ranking = rs.read_published({"model": list(P.names), **rates}).rank(costs, prior)
    rows = {row["model"]: row for row in records(PublishedBoard(ranking).displayed(None))}
    there = P if prior is None else P.shift_priors(prior)
    for i, (name, value, cost) in enumerate(
        zip(P.names, rs.rank(there, by=costs).values, costs.expected(there), strict=True)
    ):
        for printed, bounds, scale, true in (
            (rows[name]["value range"], ranking.value_bounds[i].tolist(), 1, value),
            (rows[name][costs.heading], ranking.cost_bounds[i].tolist(), costs.per, cost),
        ):
            low, high = (Fraction(end.replace(" ", "")) for end in printed.split(" to "))
            assert low <= Fraction(repr(bounds[0])) * scale <= Fraction(repr(bounds[1])) * scale <= high, (
                name,
                printed,
            )
            assert low <= Fraction(true) * scale <= high, (name, printed)


def test_ends_are_rounded_towards_what_is_said() -> None:
    assert (within(17.83, up=True), within(17.83, up=False)) == ("17.9", "17.8")
    assert within(1234.5, up=True) == "1240"
    assert ends_within(0.33333, 0.3339, 0.3335) == ("0.3334", "0.3339")
    rng = np.random.default_rng(0)
    for low, width in zip(10 ** rng.uniform(-3, 5, 200), 10 ** rng.uniform(-5, 1, 200), strict=True):
        high = low * (1 + width)
        least, most = map(float, ends_within(low, high, (low + high) / 2))
        assert low * (1 - 1e-11) <= least <= most <= high * (1 + 1e-11)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_page_prints_the_same_bounds() -> None:
    rng = np.random.default_rng(1)
    cases = [17.83, 0.25, 1 / 3, 1, 4.9999999999995, *(10 ** rng.uniform(-2.9, 5.9, 200)).tolist()]
    code = f"import {{ bound }} from {str(TEXTS)!r}; console.log(JSON.stringify({cases!r}.map((x) => [bound(x, true), bound(x, false)])))"
    done = subprocess.run(["node", "--input-type=module", "-e", code], capture_output=True, text=True, check=True)
    for x, (up, down) in zip(cases, json.loads(done.stdout), strict=True):
        assert (float(up), float(down)) == (float(within(x, up=True)), float(within(x, up=False))), x
    assert within(inf, up=True) == "∞"
