"""The gate: boxes, exact verdicts, probabilities, and the command."""

import json
import re
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
        ("beta = 1.5/3", "beta has '1.5/3'; expected a number"),
        ("beta in [0.5, .5/3]", "beta has '.5/3'; expected a number"),
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
        np.rint(np.array([new, old]) * times).astype(int)
        for times in (found.sample_size_factor * 1.1, found.sample_size_factor / 1.2)
    )
    assert rs.gate(enough[:1], enough[1:], draws=4000).verdict == "pass"
    assert rs.gate(fewer[:1], fewer[1:], draws=4000).verdict == "undecided"
    assert found.more_cases == np.ceil(1000 * (found.sample_size_factor - 1))


def test_equals_are_undecided_for_ever():
    found = rs.gate(SIMILAR, SIMILAR)
    assert (found.verdict, found.equal, found.sample_size_factor) == ("undecided", True, np.inf)
    assert rs.gate(SIMILAR, SIMILAR, min_prob=0).verdict == "pass"


def test_undefined_scores_decide_nothing():
    found = rs.gate([[90, 0, 0, 0]], [[80, 5, 0, 0]], "beta in [0.5, 2]")
    assert (found.verdict, found.undefined) == ("undecided", True)
    with pytest.raises(rs.DataError, match="has no positive cases"):
        rs.gate([[90, 0, 0, 0]], [[80, 5, 0, 0]], "beta = 1, prior = 0.1")


def test_what_is_undefined_does_not_pass_however_probable():
    found = rs.gate([[90, 0, 0, 0]], [[80, 5, 0, 0]], "beta in [0.5, 2]", min_prob=0.01)
    assert found.probability > 0.01
    assert (found.verdict, found.exit_status, found.undefined) == ("undecided", 4, True)
    assert rs.gate([[90, 0, 0, 0]], [[80, 5, 0, 0]], min_prob=0).verdict == "undecided"


def test_large_counts_can_be_many_times_as_many():
    new, old = [9 * 10**13, 10**12, 10**12, 9 * 10**12 + 100], [9 * 10**13, 10**12, 10**12, 9 * 10**12]
    found = rs.gate([new], [old], draws=50)
    assert found.verdict == "undecided"
    assert found.sample_size_factor > 1


def test_one_set_of_sizes_for_both():
    names = {"names": ["m"] * 2, "domains": ["x", "y"]}
    new = rs.Performances.from_counts([[500, 100, 100, 300], [80, 5, 5, 10]], **names)
    old = rs.Performances.from_counts([[50, 10, 10, 30], [800, 50, 50, 100]], **names)  # the same rates
    found = rs.gate(new, old, weights="size", draws=2000)
    assert found.equal
    assert found.probability == pytest.approx(0.5, abs=0.1)
    both = rs.Performances.from_counts([[550, 110, 110, 330], [880, 55, 55, 110]], **names)
    assert found.new_value == pytest.approx(rs.score("f1")(rs.summarize(both, "size"))[0], abs=1e-14)
    half = rs.Performances.from_counts([[500, 100, 100, 300]], names=["m"], domains=["x"])
    assert rs.gate(half, half, weights="size", draws=10).equal
    with pytest.raises(rs.DataError, match="needs counts"):
        rs.gate([[0.5, 0.2, 0.1, 0.2]], [[0.5, 0.2, 0.1, 0.2]], weights="size")


def test_probabilities_have_no_draws():
    P = [[0.9, 0.03, 0.02, 0.05]]
    found = rs.gate(P, [[0.8, 0.1, 0.05, 0.05]])
    assert found.verdict == "undecided"
    assert np.isnan(found.probability)
    assert rs.gate(P, [[0.8, 0.1, 0.05, 0.05]], min_prob=0).verdict == "pass"


def test_several_domains_are_summarized():
    rows = [[900, 10, 5, 85], [90, 1, 1, 8]]
    P = rs.Performances.from_counts(rows, names=["m", "m"], domains=["x", "y"])
    other = rs.Performances.from_counts([[700, 200, 50, 50], [70, 20, 5, 5]], names=["o", "o"], domains=["x", "y"])
    assert rs.gate(P, other).verdict == "pass"
    assert rs.gate(P, other, draws=10).new_value == pytest.approx(rs.score("f1")(rs.summarize(P))[0])


def test_what_is_refused():
    with pytest.raises(rs.DataError, match="new: expected one entity; got 2"):
        rs.gate([[9, 1, 1, 9], [8, 2, 2, 8]], GOOD)
    with pytest.raises(rs.UsageError, match="rng must be a seed"):
        rs.gate(GOOD, BAD, rng=-1)
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
        "WORSE: by the counts seen, bad is worse than good"
        in run("gate", files["bad"], "--against", files["good"], *box, status=1).stdout
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
    shown = run("gate", files["near"], "--against", files["bad"], "--box", "beta = 1.5/3", status=2).output
    assert "expected a number such as 0.5 or 1/3" in shown
    both = tmp_path / "both.csv"
    both.write_text("entity,tn,fp,fn,tp\ngood,9900,100,5,995\nbad,9500,500,200,800\n")
    run("gate", str(both), "--against", str(both), "--entity", "good", "--against-entity", "bad", status=0)
    assert "expected one entity" in run("gate", str(both), "--against", files["bad"], status=3).output


def on(rows, domains, name="m"):
    return rs.Performances.from_counts(rows, names=[name] * len(rows), domains=domains)


def test_domains_must_be_the_same():
    new, old = on([[900, 10, 5, 85]] * 2, ["x", "y"]), on([[870, 40, 30, 60]] * 2, ["x", "z"])
    with pytest.raises(rs.DataError, match='different domains \\("y" only in new; "z" only in against; both have "x"'):
        rs.gate(new, old)
    found = rs.gate(new, old, missing="complete")
    assert (found.verdict, found.domains) == ("pass", ("x",))
    assert found.new_value == pytest.approx(rs.score("f1")(new[:1])[0])
    assert 'without "y", "z"' in found.notes[0]
    with pytest.raises(rs.DataError, match="they share none"):
        rs.gate(new, on([[870, 40, 30, 60]], ["w"]), missing="complete")
    assert "names no domain" in rs.gate(new[:1], [[870, 40, 30, 60]]).notes[0]
    with pytest.raises(rs.DataError, match="the other one names no domain, .* of 2 \\(.*count both per domain"):
        rs.gate(new, [[870, 40, 30, 60]])
    with pytest.raises(rs.UsageError, match='missing="available"'):
        rs.gate(new, old, missing="available")


def test_draws_that_miss_what_was_seen_decide_nothing():
    new, old = (on([row] * 12, [f"fold {k}" for k in range(12)]) for row in ([20, 1, 0, 4], [20, 3, 1, 1]))
    found = rs.gate(new, old)
    assert found.probability > 0.95
    assert found.verdict == "undecided"
    assert any("do not hold the score that was seen" in note for note in found.notes)
    assert any("The prior counts 2 cases on each domain, 24 beside the 300" in note for note in found.notes)
    assert rs.gate(new, old, method=0.02).verdict == "pass"
    assert rs.gate(new, old, min_prob=0).verdict == "pass"
    assert rs.gate([[500, 0, 0, 500]], BAD).verdict == "pass"  # a perfect score, of which every draw stays short


def test_a_margin_lets_pass_an_equal_model():
    rows = [[9000, 300, 200, 500]]
    assert rs.gate(rows, rows).verdict == "undecided"
    found = rs.gate(rows, rows, margin=0.15)
    assert (found.verdict, found.margin) == ("pass", Fraction(15, 100))
    assert found.new_value == found.old_value
    # exactly a tenth of the right answers less: tied with the other less the margin, and worse by one case more
    other, equal, worse = [[900, 100, 100, 900]], [[810, 190, 190, 810]], [[810, 190, 191, 809]]
    assert rs.gate(equal, other, margin=0.1).equal
    assert rs.gate(equal, other, margin=0.1).allowed == pytest.approx(rs.score("f1")(equal)[0])
    assert rs.gate(equal, other).verdict == rs.gate(worse, other, margin=0.1).verdict == "worse"
    with pytest.raises(rs.UsageError, match="margin must be"):
        rs.gate(rows, rows, margin=1)


def test_paired_draws():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 400)
    old = np.where(rng.random(400) < 0.8, truth, 1 - truth)
    new = np.where((old != truth) & (rng.random(400) < 0.2), truth, old)  # corrects some errors, makes none
    found = rs.uncertainty.bootstrap(truth, {"old": old, "new": new, "same": old}, draws=300)
    paired = rs.gate(found["new"], found["old"], "a in [0, 1], b in [0, 1]")
    assert (paired.verdict, paired.paired, paired.probability) == ("pass", True, 1)
    assert rs.gate(found["same"], found["old"]).verdict == "pass"
    counts = [rs.Performances.from_labels(truth, labels) for labels in (new, old)]
    assert rs.gate(*counts, "a in [0, 1], b in [0, 1]").probability < 0.95
    again = rs.uncertainty.bootstrap(truth, {"old": old}, draws=300, rng=1)
    assert not rs.gate(found["new"], again["old"]).paired
    for call, message in (
        (lambda: rs.gate(found["new"], counts[1]), "draws of one only"),
        (lambda: rs.gate(found, found), "expected draws of one entity"),
        (lambda: rs.gate(found["new"], found["old"], draws=10), "draws= would change nothing"),
        (lambda: found["nobody"], "no entity is called 'nobody'"),
    ):
        with pytest.raises(rs.UsageError, match=message):
            call()


def test_probabilities_that_are_equal_tie(tmp_path):
    (tmp_path / "p.csv").write_text("entity,tn,fp,fn,tp\np,0.9,0.05,0.02,0.03\n")
    (tmp_path / "c.csv").write_text("entity,tn,fp,fn,tp\nc,900,50,20,30\n")
    both = (rs.read(str(tmp_path / "p.csv")), rs.read(str(tmp_path / "c.csv")))
    for new, old in (both, both[::-1]):
        found = rs.gate(new, old, "beta in [0.5, 2], prior in [0.05, 0.2]")
        assert (found.verdict, found.worst.difference, found.notes) == ("undecided", 0, ())
    floats = rs.gate([[0.9, 0.05, 0.02, 0.03]], [[900, 50, 20, 30]], "a in [0, 1], b in [0, 1]")
    assert floats.verdict == "undecided"
    assert "Tied within rounding" in floats.notes[0]
    assert rs.gate([[0.9, 0.05, 0.02, 0.03]], [[900, 49, 20, 31]]).verdict == "worse"


def test_the_command_names_domains_pairing_and_status(tmp_path):
    for name, domains in (("new", "xy"), ("old", "xz")):
        rows = "".join(f"{name},{domain},900,10,5,85\n" for domain in domains)
        (tmp_path / f"{name}.csv").write_text("entity,domain,tn,fp,fn,tp\n" + rows)
    files = [str(tmp_path / "new.csv"), "--against", str(tmp_path / "old.csv")]
    assert "--missing complete" in run("gate", *files, status=3).stderr
    shown = run("gate", *files, "--missing", "complete", status=4).stdout
    for part in ("Averaged over 1 domain: x", "Unpaired", "--margin 0.01", 'without "y", "z"'):
        assert part in " ".join(shown.split())
    options = ("--missing", "complete", "--margin", "0.2", "--posterior", "uniform", "--format", "json")
    found = json.loads(run("gate", *files, *options, status=0).stdout)
    assert (found["domains"], found["draws"], found["exit_status"], found["paired"]) == (["x"], 2000, 0, False)
    assert (found["margin"], "uniform" in found["method"]) == (0.2, True)
    assert "be it by chance" in " ".join(run("gate", "--help", status=0).stdout.split())
    assert "is no number" in run("gate", *files, "--posterior", "none", status=2).stderr
    both = tmp_path / "both.csv"
    both.write_text("entity,tn,fp,fn,tp\nknn,9900,100,5,995\nsvm,9500,500,200,800\n")
    assert "choose one of 'knn', 'svm' with --entity" in run("gate", str(both), "--against", str(both), status=3).stderr


@pytest.mark.parametrize(
    ("new", "old", "box"),
    [
        ([10**8, 5, 8, 22], [10**8, 6, 9, 21], "beta in [0.5, 2]"),
        ([10**9, 500, 100, 100], [10**9, 100, 500, 100], "beta = 1"),
        ([10**8, 5, 8, 22], [10**8, 6, 9, 21], "beta = 1, prior in [0.0000001, 0.000001]"),
    ],
)
def test_rare_classes_are_compared_as_others_are(new, old, box):
    assert 0.35 < rs.gate([new], [old], box).probability < 0.65


def test_undefined_at_one_corner_is_undefined():
    found = rs.gate([[90, 0, 10, 0]], [[90, 0, 10, 0]], "a = 1, b in [0, 0.5]", min_prob=0)
    assert (found.undefined, found.verdict) == (True, "undecided")


def test_what_is_needed_is_said_of_both(tmp_path):
    (tmp_path / "new.csv").write_text("entity,tn,fp,fn,tp\nnew,905,95,57,443\n")
    (tmp_path / "old.csv").write_text("entity,tn,fp,fn,tp\nold,900,100,60,440\n")
    done = CliRunner().invoke(main, ["gate", str(tmp_path / "new.csv"), "--against", str(tmp_path / "old.csv")])
    said = " ".join(done.output.split())
    assert re.search(r"About 1\d times as many cases of each of the two would do .* more of the new one", said)
