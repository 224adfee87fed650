"""Sets of ranks: the level moves them, they hold, copies share them, and sentences say in how many draws they hold."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.special import expit

import rankscape as rs
from rankscape.cli import main
from rankscape.uncertainty import rank_intervals, sentences
from rankscape.uncertainty.intervals import alike_within, critical

LEVELS = (0.5, 0.75, 0.9, 0.95, 0.99)
TWELVE = [240, 249, 260, 273, 284, 290, 297, 301, 310, 318, 322, 335]


def regressors(names, seed=0, scales=None):
    """Return regressors on 60 cases: those with the same letter are copies."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=60)
    errors = {letter: rng.normal(size=60) * (1 + 0.3 * k) for k, letter in enumerate(dict.fromkeys(names))}
    return rs.tasks.regression.evaluate(truth, {f"{x}{i}": truth + errors[x] for i, x in enumerate(names)})


def predictions(names, seed=0):
    """Return labels and predictions of 80 cases: those with the same letter are copies."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, 80)
    seen = {
        x: np.where(rng.random(80) < 0.9 - 0.06 * k, labels, 1 - labels) for k, x in enumerate(dict.fromkeys(names))
    }
    return labels, {f"{x}{i}": seen[x] for i, x in enumerate(names)}


def of_predictions(names):
    return rs.uncertainty.paired(*predictions(names))


def of_successes(names):
    right = {x: 70 - 6 * k for k, x in enumerate(dict.fromkeys(names))}
    return rs.tasks.success.from_counts([right[x] for x in names], 100, names=[f"{x}{i}" for i, x in enumerate(names)])


def of_counts(names, domains=1):
    row = {x: [50 - 4 * k, 10 + 4 * k, 5, 35] for k, x in enumerate(dict.fromkeys(names))}
    every = [f"{x}{i}" for i, x in enumerate(names)]
    where = None if domains == 1 else [f"d{d}" for d in range(domains) for _ in names]
    return rs.Performances.from_counts([row[x] for x in names] * domains, names=every * domains, domains=where)


def of_printed_rates(names):
    rate = {x: f"0.{9 - k}" for k, x in enumerate(dict.fromkeys(names))}
    n = len(names)
    columns = {"model": [f"{x}{i}" for i, x in enumerate(names)], "sensitivity": [rate[x] for x in names],
               "specificity": ["0.8"] * n, "n_positive": [50] * n, "n_negative": [50] * n}  # fmt: skip
    return rs.read_published(columns).draws(400)


ENGINES = {
    "counts": (of_counts, "f1"),
    "counts on domains": (lambda names: of_counts(names, 3), "f1"),
    "other domains": (lambda names: rs.uncertainty.resampled_domains(of_counts(names, 3)), "f1"),
    "predictions": (of_predictions, "f1"),
    "successes": (of_successes, None),
    "printed rates": (of_printed_rates, "f1"),
    "regression": (regressors, "mae"),
}


def width(intervals):
    return (intervals.high - intervals.low).sum()


def test_sets_are_narrower_at_lower_levels():
    twelve = rs.tasks.success.from_counts(TWELVE, 400)
    widths = [width(rank_intervals(twelve, level=level)) for level in LEVELS]
    assert sorted(set(widths)) == widths
    assert widths[0] + 4 <= widths[-1]


@pytest.mark.parametrize("engine", ["counts", "counts on domains", "predictions", "successes", "regression"])
def test_every_engine_moves_with_the_level(engine):
    made, by = ENGINES[engine]
    found = made("abcdefgh")
    assert width(rank_intervals(found, by, level=0.5)) < width(rank_intervals(found, by, level=0.99))


def test_two_models_move_with_the_level():
    both = rs.tasks.success.from_counts([77, 70], 100)
    assert [width(rank_intervals(both, level=level)) for level in (0.5, 0.95)] == [0, 2]
    assert 0.75 < rank_intervals(both).better("P1", "P2") < 0.84


def test_differences_of_alike_entities_lie_below_the_critical_one():
    rng = np.random.default_rng(1)
    groups = rng.standard_normal((20_000, 12))
    spans = np.maximum(np.ptp(groups[:, :9], axis=1), np.ptp(groups[:, 9:], axis=1)) / np.sqrt(2)
    for level in LEVELS:
        error = 4 * np.sqrt(level * (1 - level) / len(spans))
        assert abs((spans < critical(12, level)).mean() - level) < error
    assert alike_within((2,), 0.95) == pytest.approx(1.959964, abs=1e-5)


GROUPS = {
    "three and two alike": (np.repeat([0.8, 0], [3, 2]), 1000),
    "seven and eight alike": (np.repeat([0.8, 0], [7, 8]), 1000),
    "seven and eight alike, near each other": (np.repeat([0.4, 0], [7, 8]), 300),
    "ten and five alike": (np.repeat([0.8, 0], [10, 5]), 1000),
    "twelve and three alike": (np.repeat([0.8, 0], [12, 3]), 1000),
    "five, five and five alike": (np.repeat([1.6, 0.8, 0], 5), 1000),
    "fourteen and one": (np.repeat([0.4, 0], [14, 1]), 1000),
    "thirty spread": (np.linspace(0, 1, 30), 200),
    "fifteen equal": (np.zeros(15), 300),
}


def held_trials(abilities, cases, trials):
    """Return whether no claim is false, (trials, levels)."""
    rates = expit(np.asarray(abilities))
    untrue = rates[:, None] <= rates
    out = []
    for trial in range(trials):
        right = np.random.default_rng([trial, cases]).binomial(cases, rates)
        drawn = rs.uncertainty.posterior(rs.tasks.success.from_counts(right.tolist(), cases), 1000, trial)
        out.append([not (rank_intervals(drawn, level=level).sure & untrue).any() for level in LEVELS])
    return np.array(out)


def assert_held(held, slack=0.0):
    for level, share in zip(LEVELS, held.mean(axis=0), strict=True):
        assert share >= level - slack - 3 * np.sqrt(level * (1 - level) / len(held)), level


def test_sets_hold_for_groups_exactly_alike():
    assert_held(held_trials(*GROUPS["three and two alike"], trials=50))


@pytest.mark.nightly
@pytest.mark.parametrize("world", GROUPS)
def test_sets_hold_at_every_level(world):
    slack = 0.05 if "equal" in world else 0  # who are all equal are told apart a little too often
    assert_held(held_trials(*GROUPS[world], trials=400), slack)


def test_sets_of_regressors_hold_for_groups_exactly_alike():
    scales, held = np.repeat([1, 1.4], [3, 3]), []
    for trial in range(25):
        rng = np.random.default_rng(trial)
        truth = rng.normal(size=300)
        P = rs.tasks.regression.evaluate(
            truth, {f"m{k}": truth + scale * rng.normal(size=300) for k, scale in enumerate(scales)}
        )
        claims = rank_intervals(P, "mae", 500, trial).sure
        held.append(not (claims & (scales[:, None] >= scales)).any())
    assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 25)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_sets_hold_in_the_stated_share_of_the_draws(engine):
    made, by = ENGINES[engine]
    found = rank_intervals(made("abcd"), by, level=0.8)
    inside = [all(x == 0 or low <= x <= high for x, low, high in zip(row, found.low, found.high, strict=True))
              for row in found.places.tolist()]  # fmt: skip
    assert found.held == np.mean(inside) >= 0.8
    rows, columns = np.nonzero(found.sure)
    right = [all(0 < row[i] < row[j] for i, j in zip(rows, columns, strict=True)) for row in found.places.tolist()]
    assert found.differences_held == np.mean(right)


@pytest.mark.parametrize("engine", ENGINES)
def test_copies_share_what_draws_say_exactly(engine):
    made, by = ENGINES[engine]
    found = rank_intervals(made("aaa"), by)
    assert np.unique(found.p_first).tolist() == [1 / 3]
    among = rank_intervals(made("babab"), by)
    for copies in (among.kinds == among.kinds[0], among.kinds == among.kinds[1]):
        assert copies.sum() in (2, 3)
        for numbers in (among.p_first, among.low, among.high, among.value_low, among.value_high, among.podium[:, 1]):
            assert len(np.unique(numbers[copies])) == 1
    better = among.p_better
    assert better[0, 2] == better[2, 0] == better[4, 2] == among.better(among.names[2], among.names[4])
    assert len(np.unique(better[np.ix_([0, 2, 4], [1, 3])])) == 1
    assert among.better(among.names[0], among.names[0]) == 0


def test_the_tile_shares_first_places_among_copies():
    found = rs.uncertainty.first_tile(of_counts("aab"), 200, resolution=3)
    assert (found.of("a0").values == found.of("a1").values).all()


def test_who_differ_anywhere_are_no_copies():
    rows = [[50, 10, 5, 35], [40, 20, 5, 35], [40, 20, 5, 35], [50, 10, 5, 35], [50, 10, 5, 35], [40, 20, 5, 35]]
    P = rs.Performances.from_counts(rows, names=list("abc") * 2, domains=["x"] * 3 + ["y"] * 3)
    assert len(np.unique(rank_intervals(P, "f1", 200).kinds)) == 3  # the same sums, from other domains


# ---- sentences


def shown(*arguments):
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def table(folder, rows):
    path = folder / "t.csv"
    path.write_text("model,tn,fp,fn,tp\n" + "\n".join(rows) + "\n")
    return path


def test_the_sentence_says_in_how_many_draws_sets_hold(tmp_path):
    path = table(tmp_path, [f"m{k},{50 - 4 * k},{10 + 4 * k},5,35" for k in range(6)])
    answer = json.loads(shown("rank", path, "--uncertainty", "--level", 0.5, "--format", "json"))["uncertainty"]
    assert answer["level"] == 0.5 < answer["held"] < 1
    text = " ".join(shown("rank", path, "--uncertainty", "--level", 0.5).split())
    assert f"right at once in {100 * answer['held']:.1f} % of 2000 draws (level: at least 50 %)" in text
    assert "With 50 % probability" not in text
    alone = rank_intervals(of_counts("ab"), "f1", simultaneous=False)
    assert "95 % credible intervals, each on its own" in " ".join(sentences(alone))


@pytest.mark.parametrize("level", [0.57, 0.999999])
def test_levels_are_not_rounded_in_sentences(level):
    assert f"at least {100 * level:.10g} %)" in " ".join(sentences(rank_intervals(of_counts("ab"), "f1", level=level)))


def test_one_model_alone_is_not_first_with_any_probability(tmp_path):
    path = table(tmp_path, ["a,50,10,5,35"])
    text = shown("rank", path, "--uncertainty")
    assert "P(first)" in text
    assert not any(words in text for words in ("probability", "> 0.99", "sets of ranks"))
    assert json.loads(shown("rank", path, "--uncertainty", "--format", "json"))["entities"][0]["p_first"] is None
    assert rs.report(of_counts("a"), by="f1", draws=200)["Leaderboard"].lines == ("a0 is first",)
    assert rs.report(regressors("a"), by="mae", draws=200)["Leaderboard"].lines == ("a0 is first",)


def test_one_formatter_says_what_is_next_to_sure(tmp_path):
    path = table(tmp_path, ["a,90,1,1,90", "b,20,80,80,20"])
    text = shown("rank", path, "--uncertainty")
    assert "almost 1 (> 0.99)" in text
    assert "in all draws" not in text
    rates = tmp_path / "rates.csv"
    rates.write_text("model,sensitivity,specificity,n_positive,n_negative\na,0.98,0.98,50,50\nb,0.2,0.2,50,50\n")
    assert "> 0.99" in shown("rank", rates, "--uncertainty", "--by", "accuracy")
