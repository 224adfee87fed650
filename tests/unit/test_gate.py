"""The gate: boxes, exact verdicts, probabilities, and the command."""

import json
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs
from rankscape.cli import main
from rankscape.uncertainty import parse_box
from rankscape.uncertainty.box import smallest_of_draws, worst_in

CELLS = st.lists(st.integers(0, 12), min_size=4, max_size=4).filter(lambda row: sum(row[:2]) and sum(row[2:]))
SHARES = st.fractions(0, 1, max_denominator=8)


def difference(new, old, a, b, prior):
    """R of the new one minus R of the old one at a place, by definition."""
    out = []
    for tn, fp, fn, tp in (new, old):
        p = [Fraction(x) for x in (tn, fp, fn, tp)]
        if prior is not None:
            p = [
                p[0] * (1 - prior) / (tn + fp),
                p[1] * (1 - prior) / (tn + fp),
                p[2] * prior / (fn + tp),
                p[3] * prior / (fn + tp),
            ]
        s, u = (1 - a) * p[0] + a * p[3], (1 - b) * p[1] + b * p[2]
        out.append(s / (s + u) if s + u else None)
    return None if None in out else out[0] - out[1]


def mid(low, high, n=6):
    return [low + (high - low) * Fraction(k, n) for k in range(n + 1)]


@given(CELLS, CELLS, SHARES, SHARES, SHARES, SHARES, st.booleans(), st.integers(1, 9), st.integers(1, 9))
def test_nothing_inside_a_box_is_worse_than_said(new, old, a0, a1, b0, b1, shifted, p0, p1):
    (a0, a1), (b0, b1), (p0, p1) = sorted((a0, a1)), sorted((b0, b1)), sorted((Fraction(p0, 10), Fraction(p1, 10)))
    text = f"a in [{a0}, {a1}], b in [{b0}, {b1}]" + (f", prior in [{p0}, {p1}]" if shifted else "")
    worst = worst_in(parse_box(text), new, old)
    found = [
        difference(new, old, a, b, p)
        for a in mid(a0, a1, 4)
        for b in mid(b0, b1, 4)
        for p in (mid(p0, p1) if shifted else [None])
    ]
    assert worst.prior in ((p0, p1) if shifted else (None,))
    defined = [x for x in found if x is not None]
    if worst.difference >= 0:
        assert all(x >= 0 for x in defined)
    else:
        assert difference(new, old, worst.a, worst.b, worst.prior) == worst.difference


@given(st.integers(0, 2**32 - 1))
def test_draws_are_decided_as_fractions_are(seed):
    rng = np.random.default_rng(seed)
    new, old = rng.integers(1, 30, (2, 40, 4))
    for text in ("beta in [0.5, 2]", "a in [0.2, 0.9], b in [0, 1], prior in [0.1, 0.7]"):
        box = parse_box(text)
        smallest = smallest_of_draws(box, new / new.sum(axis=1, keepdims=True), old / old.sum(axis=1, keepdims=True))
        for h, mine, other in zip(smallest, new.tolist(), old.tolist(), strict=True):
            exact = worst_in(box, mine, other).difference
            if abs(exact) > 1e-12:
                assert (h >= 0) == (exact >= 0)


@pytest.mark.parametrize(
    ("text", "a", "b", "prior"),
    [
        ("beta = 2", (1, 1), (0.8, 0.8), None),
        ("BETA in [0.5;2] and prior in [1/20, 0.2]", (1, 1), (0.2, 0.8), (0.05, 0.2)),
        ("miss in [1, 3], a = 0", (0, 0), (0.5, 0.75), None),
        ("detection in [1, 4], b in [0, 1]", (0.5, 0.8), (0, 1), None),
    ],
)
def test_boxes(text, a, b, prior):
    box = parse_box(text)
    assert tuple(map(float, box.a)) == a
    assert tuple(map(float, box.b)) == b
    assert (None if box.prior is None else tuple(map(float, box.prior))) == prior


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("beta between 1 and 2", "is not understood"),
        ("gamma = 1", "'gamma' is no name"),
        ("beta = 1, beta = 2", "'beta' is given twice"),
        ("beta = 1, b = 0.5", "b and beta each say the same"),
        ("prior = 0.2", "says nothing of a"),
        ("a = 1", "says nothing of b"),
        ("", "says nothing of a"),
        ("beta in [2, 1]", "the first is larger"),
        ("a = 2, b = 0", "a must lie in [0, 1]"),
        ("beta = 1, prior = 1", "prior must lie inside (0, 1)"),
        ("beta = x", "expected a number"),
        ("beta = -1", "expected a number"),
        ("beta = 1/0", "a division by 0"),
    ],
)
def test_boxes_that_mean_nothing(text, message):
    with pytest.raises(rs.UsageError) as error:
        parse_box(text)
    assert message in str(error.value)


GOOD, BAD, SIMILAR = [[9900, 100, 5, 995]], [[9500, 500, 200, 800]], [[890, 35, 22, 48]]


def test_verdicts():
    found = rs.gate(GOOD, BAD, "beta in [0.5, 2], prior in [0.05, 0.2]")
    assert (found.verdict, found.exit_status, found.probability) == ("pass", 0, 1.0)
    found = rs.gate(BAD, GOOD, "beta in [0.5, 2]")
    assert (found.verdict, found.exit_status) == ("worse", 1)
    assert found.worst.difference < 0
    found = rs.gate([[900, 30, 20, 50]], SIMILAR)
    assert (found.verdict, found.exit_status) == ("undecided", 4)
    assert 0.5 < found.probability < 0.95


def test_that_many_more_cases_do():
    new, old = np.array([900, 30, 20, 50]), np.array(SIMILAR[0])
    found = rs.gate([new], [old], draws=4000)
    enough, fewer = (
        np.rint(np.array([new, old]) * times).astype(int) for times in (found.times * 1.1, found.times / 1.2)
    )
    assert rs.gate(enough[:1], enough[1:], draws=4000).verdict == "pass"
    assert rs.gate(fewer[:1], fewer[1:], draws=4000).verdict == "undecided"
    assert found.more_cases == np.ceil(1000 * (found.times - 1))


def test_equals_are_undecided_for_ever():
    found = rs.gate(SIMILAR, SIMILAR)
    assert (found.verdict, found.equal, found.times) == ("undecided", True, np.inf)
    assert rs.gate(SIMILAR, SIMILAR, min_prob=0).verdict == "pass"


def test_undefined_scores_decide_nothing():
    found = rs.gate([[90, 0, 0, 0]], [[80, 5, 0, 0]], "beta in [0.5, 2]")
    assert (found.verdict, found.undefined) == ("undecided", True)
    with pytest.raises(rs.DataError, match="has no positive cases"):
        rs.gate([[90, 0, 0, 0]], [[80, 5, 0, 0]], "beta = 1, prior = 0.1")


def test_probabilities_have_no_draws():
    P = [[0.9, 0.03, 0.02, 0.05]]
    found = rs.gate(P, [[0.8, 0.1, 0.05, 0.05]])
    assert found.verdict == "undecided"
    assert np.isnan(found.probability)
    assert rs.gate(P, [[0.8, 0.1, 0.05, 0.05]], min_prob=0).verdict == "pass"


def test_several_domains_are_summarized():
    rows = [[900, 10, 5, 85], [90, 1, 1, 8]]
    P = rs.Performances.from_counts(rows, names=["m", "m"], domains=["x", "y"])
    assert rs.gate(P, [[700, 200, 50, 50]]).verdict == "pass"
    assert rs.gate(P, [[800, 100, 50, 50]], draws=10).new_value == pytest.approx(rs.score("f1")(rs.summarize(P))[0])


def test_what_is_refused():
    with pytest.raises(rs.DataError, match="new: expected one entity; got 2"):
        rs.gate([[9, 1, 1, 9], [8, 2, 2, 8]], GOOD)
    with pytest.raises(rs.UsageError, match="min_prob must be"):
        rs.gate(GOOD, BAD, min_prob=1)


def test_the_seed_decides():
    one, two = (rs.gate([[900, 30, 20, 50]], SIMILAR, rng=7).probability for _ in range(2))
    assert one == two


def run(*arguments, status):
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == status, done.output
    return done


def test_command(tmp_path):
    files = {}
    for name, (row,) in {"good": GOOD, "bad": BAD, "near": SIMILAR, "close": [[900, 30, 20, 50]]}.items():
        files[name] = str(tmp_path / f"{name}.csv")
        (tmp_path / f"{name}.csv").write_text(f"entity,tn,fp,fn,tp\n{name},{','.join(map(str, row))}\n")
    box = ("--box", "beta in [0.5, 2], prior in [0.05, 0.2]")
    assert (
        "PASS: good is at least as good as bad"
        in run("gate", files["good"], "--against", files["bad"], *box, status=0).stdout
    )
    assert (
        "WORSE: bad is worse than good" in run("gate", files["bad"], "--against", files["good"], *box, status=1).stdout
    )
    shown = run("gate", files["near"], "--against", files["near"], status=4).stdout
    assert "UNDECIDED" in shown
    assert "More cases of this kind would never decide it" in shown
    found = json.loads(run("gate", files["close"], "--against", files["near"], "--format", "json", status=4).stdout)
    assert found["verdict"] == "undecided"
    assert found["more_cases"] > 0
    assert (
        "box: 'nonsense' is not understood"
        in run("gate", files["near"], "--against", files["bad"], "--box", "nonsense", status=2).output
    )
    both = tmp_path / "both.csv"
    both.write_text("entity,tn,fp,fn,tp\ngood,9900,100,5,995\nbad,9500,500,200,800\n")
    run("gate", str(both), "--against", str(both), "--entity", "good", "--against-entity", "bad", status=0)
    assert "expected one entity" in run("gate", str(both), "--against", files["bad"], status=3).output
