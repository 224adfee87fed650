"""Constructors and operations keep the cases that entities share; where they cannot, the result says so."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankscape as rs
from rankscape.performances import Performances

N, DRAWS = 60, 60
RNG = np.random.default_rng(5)
TRUTH = (RNG.random(N) < 0.4).astype(int)
LABELS = {name: np.where(RNG.random(N) < rate, TRUTH, 1 - TRUTH) for name, rate in (("b", 0.7), ("a", 0.8), ("c", 0.8))}
SITE = np.where(np.arange(N) < 25, "x", "y")
HALVES = {place: {name: row[place == SITE] for name, row in LABELS.items()} for place in ("x", "y")}
COLUMNS = {"y": TRUTH.tolist(), "site": SITE.tolist(), **{name: row.tolist() for name, row in LABELS.items()}}
LONG = {
    "id": list(range(N)) * 3,
    "model": np.repeat(list(LABELS), N).tolist(),
    "y": TRUTH.tolist() * 3,
    "yhat": np.concatenate(list(LABELS.values())).tolist(),
}


def table(rows: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("pyarrow").table(rows)


def whole() -> Performances:
    return Performances.from_labels(TRUTH, LABELS)


def on_sites() -> Performances:
    """The same cases on two domains, counted apart and joined."""
    parts = [Performances.from_labels(TRUTH[place == SITE], HALVES[place]) for place in ("x", "y")]
    return rs.concat(part.rename({}, [place] * 3) for part, place in zip(parts, ("x", "y"), strict=True))


def drawn(P: Any, **how: Any) -> np.ndarray:
    return rs.uncertainty.posterior(P, DRAWS, **how).values


def paired(names: tuple[str, ...] = ("b", "a", "c"), domains: Any = None, **how: Any) -> np.ndarray:
    return rs.uncertainty.paired(TRUTH, {name: LABELS[name] for name in names}, DRAWS, domains=domains, **how).values


WAYS: dict[str, Callable[[], Performances]] = {
    "from_labels": whole,
    "with_pairing": lambda: whole().with_pairing(None).with_pairing(whole().pairing),
    "a slice": lambda: whole()[:],
    "choosing by name": lambda: whole()[["b", "a", "c"]],
    "choosing and joining": lambda: (lambda P: rs.concat([P[["b"]], P["a"], P["c"]]))(whole()),
    "rename there and back": lambda: whole().rename({"a": "z"}).rename({"z": "a"}),
    "renamed parts": lambda: rs.concat([(P := whole())["b"], P["a"].rename(["q"]).rename(["a"]), P["c"]]),
    "swap_classes twice": lambda: whole().swap_classes().swap_classes(),
    "change_prediction and change_truth": lambda: (
        whole().change_prediction().change_truth().change_truth().change_prediction()
    ),
    "per_entity": lambda: whole().per_entity(),
    "summarize": lambda: rs.summarize(whole()),
    "count of columns": lambda: rs.count(table(COLUMNS), truth="y", prediction=["b", "a", "c"])[["b", "a", "c"]],
    "count of rows": lambda: rs.count(table(LONG), truth="y", prediction="yhat", entity="model", case="id")[
        ["b", "a", "c"]
    ],
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_that_knows_the_cases_draws_them_together(way: str) -> None:
    P = WAYS[way]()
    assert P.notes == ()
    assert np.array_equal(drawn(P), paired())
    assert rs.uncertainty.rank_intervals(P, draws=DRAWS).paired


OF_SITES: dict[str, Callable[[], tuple[Performances, np.ndarray]]] = {
    "concat": lambda: (on_sites(), paired(domains=SITE)),
    "in_domain": lambda: (
        on_sites().in_domain("x"),
        rs.uncertainty.paired(TRUTH[SITE == "x"], HALVES["x"], DRAWS).values,
    ),
    "parts of domains": lambda: (
        rs.concat([on_sites().in_domain("y"), on_sites().in_domain("x")]),
        paired(domains=SITE),
    ),
    "choosing": lambda: (on_sites()[["a", "b"]], paired(("a", "b"), domains=SITE)),
    "renamed domains": lambda: (
        on_sites().rename({}, ["1"] * 3 + ["2"] * 3),
        paired(domains=np.where(SITE == "x", "1", "2")),
    ),
    "summarize": lambda: (rs.summarize(on_sites()), paired(domains=SITE)),
    "summarize, weighed": lambda: (
        rs.summarize(on_sites(), {"x": 3, "y": 1}),
        paired(domains=SITE, weights={"x": 3, "y": 1}),
    ),
    "summarize by size": lambda: (rs.summarize(on_sites(), "size"), paired(domains=SITE, weights="size")),
    "over_domains": lambda: (on_sites().over_domains()[["c", "a"]], paired(("c", "a"), SITE)),
    "count with domains": lambda: (
        rs.count(table(COLUMNS), truth="y", prediction=["b", "a", "c"], domain="site")[["b", "a", "c"]],
        paired(domains=SITE),
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", OF_SITES)
def test_domains_keep_their_cases(way: str) -> None:
    P, expected = OF_SITES[way]()
    assert P.notes == ()
    assert np.array_equal(drawn(P), expected)


SCORES = {"a": TRUTH + RNG.normal(size=N), "b": 2 * TRUTH + RNG.normal(size=N)}
POINTS: dict[str, Callable[[], Performances]] = {
    "from_scores": lambda: Performances.from_scores(TRUTH, SCORES["a"])[[40, 10, 25]],
    "fractions of weights": lambda: Performances.from_scores(TRUTH, SCORES["a"], sample_weight=np.full(N, 0.5)),
    "one model": lambda: rs.sweep(TRUTH, SCORES["a"]).performances,
    "several models": lambda: rs.sweep(TRUTH, SCORES).performances,
    "on domains": lambda: rs.sweep(TRUTH, SCORES, domains=np.arange(N) % 2).performances,
    "hull": lambda: rs.sweep(TRUTH, SCORES)["a"].hull().performances,
}
DOORS: dict[str, Callable[[Performances], object]] = {
    "draws": lambda P: P.draws(100),
    "renamed": lambda P: P.rename([f"model {i}" for i in range(len(P))]).draws(100),
    "changed": lambda P: P.swap_classes().draws(100),
    "joined": lambda P: rs.concat([P[[0]], P[[2]], whole()]).draws(100),
    "averaged": lambda P: rs.summarize(P).draws(100),
    "intervals": lambda P: rs.uncertainty.rank_intervals(P, "f1", draws=100),
    "Tile": lambda P: rs.uncertainty.first_tile(P, draws=100),
    "gate": lambda P: rs.gate(P[[1]], P[[2]]),
    "report": lambda P: rs.report(P, draws=100),
    "explore": lambda P: rs.explore(P, draws=100),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("points", POINTS)
def test_no_door_draws_operating_points(points: str, door: str) -> None:
    """They share the cases on which thresholds are chosen: as entities with cases of their own they looked too sure."""
    with pytest.raises(rs.UsageError, match=r"thresholds were chosen on these cases.*rankscape\.decide.*at\("):
        DOORS[door](POINTS[points]())


@pytest.mark.parametrize("points", POINTS)
def test_operating_points_are_ranked_mapped_and_accounted_for(points: str) -> None:
    P = POINTS[points]()
    assert P.account.cases == N
    assert rs.rank(P, "f1").best
    assert rs.regions.first(P).areas
    assert rs.tradeoff(P).n_rankings >= 1


def test_thresholds_that_are_given_are_drawn() -> None:
    labels = {name: (SCORES[name] >= 0.5).astype(int) for name in SCORES}
    expected = rs.uncertainty.paired(TRUTH, labels, DRAWS).values
    assert np.array_equal(drawn(rs.sweep(TRUTH, SCORES).at(0.5)), expected)
    one = POINTS["one model"]()[[30]]
    assert one.draws(100).values.shape == (100, 1, 4)
    assert rs.gate(one, rs.sweep(TRUTH, SCORES)["b"].at(0.5), draws=200).verdict


def test_pages_of_operating_points_have_no_draws(tmp_path: Path) -> None:
    page = rs.explore(POINTS["several models"](), tmp_path / "points.html")
    assert page.stat().st_size


def test_classes_grades_and_right_answers_share_their_cases() -> None:
    three = {name: (row + np.arange(N) % 3) % 3 for name, row in LABELS.items()}
    P = rs.tasks.multi_class.evaluate(np.arange(N) % 3, three)
    assert np.array_equal(drawn(P), rs.uncertainty.paired(np.arange(N) % 3, three, DRAWS).values)
    against = rs.tasks.multi_class.one_vs_rest(P, 1)
    binary = {name: row == 1 for name, row in three.items()}
    assert np.array_equal(
        drawn(against), rs.uncertainty.paired(np.arange(N) % 3 == 1, binary, DRAWS, pos_label=True).values
    )
    right = {name: (row == TRUTH).astype(float) for name, row in LABELS.items()}
    half = {name: row / 2 for name, row in right.items()}
    for grades in (right, half):
        cases = rs.cases({k: v.tolist() for k, v in grades.items()}, correct=list(grades)).performances
        assert np.array_equal(drawn(rs.tasks.success.from_grades(grades)), drawn(cases))
    cases = rs.cases({k: v.tolist() for k, v in right.items()}, correct=list(right)).performances
    assert np.array_equal(drawn(rs.tasks.success.evaluate(TRUTH, LABELS)), drawn(cases))


LOSING: dict[str, tuple[Callable[[], Performances], str]] = {
    "shift_priors": (lambda: whole().shift_priors(0.2), "shift_prior="),
    "filter": (lambda: whole().filter([1, 2, 1, 1]), "draw before"),
    "no_skill": (lambda: whole().no_skill(), "draw before"),
    "weights of cases": (
        lambda: Performances.from_labels(TRUTH, LABELS, sample_weight=np.full(N, 2)),
        "weights are not kept",
    ),
    "half of a grid": (lambda: on_sites()[[0, 4]], "lost"),
    "other cases": (lambda: rs.concat([whole(), whole().with_pairing(None).rename(["d", "e", "f"])]), "not paired"),
    "swap_truth_and_prediction": (lambda: whole().swap_truth_and_prediction(), "Not paired"),
}


@pytest.mark.parametrize("way", LOSING)
def test_what_loses_the_cases_says_so(way: str) -> None:
    make, said = LOSING[way]
    P = make()
    assert P.pairing is None
    assert said in " ".join(P.notes)
    assert P.notes[0] in repr(P)


OTHERS = {
    "from_counts", "from_exact", "from_weighted_counts", "from_trusted", "from_probabilities",
    "from_confusion_matrix", "from_cv_results",  # these are given no cases
    "from_operating_points",  # of sums that may have weights
    "noting",  # which changes the account alone
    "mix",  # one entity that answers at random
    "common_prior", "common_prediction_rate", "draws", "fitting", "table", "frame", "sharing",  # no performances
}  # fmt: skip


def test_every_public_constructor_and_operation_is_tried() -> None:
    tried = " ".join([*WAYS, *OF_SITES, *LOSING, "from_scores pushforward"])
    public = [name for name, _ in inspect.getmembers(Performances, callable) if not name.startswith("_")]
    assert [name for name in public if name not in OTHERS and name not in tried] == []


def test_the_result_has_the_caution_that_the_command_line_prints() -> None:
    counts = whole().with_pairing(None)
    for result in (
        rs.uncertainty.posterior(counts, DRAWS),
        rs.uncertainty.rank_intervals(counts, draws=DRAWS),
        rs.uncertainty.first_tile(counts, draws=DRAWS, resolution=5),
    ):
        assert any("do not show whether the models ran on the same cases" in note for note in result.notes)
        assert "ran on the same cases" in repr(result)
    assert rs.uncertainty.rank_intervals(whole(), draws=DRAWS).notes == ()
    apart = rs.Performances.from_counts([[9, 1, 1, 9], [8, 3, 1, 9]])
    assert not any("same cases" in note for note in rs.uncertainty.rank_intervals(apart, draws=DRAWS).notes)


def test_card_page_and_gate_draw_the_same_cases_together() -> None:
    P = whole()
    assert rs.gate(P["a"], P["b"], draws=DRAWS).paired
    assert rs.gate(P["a"].rename(["new"]), P["b"].rename(["old"]), draws=DRAWS).paired
    assert rs.gate(rs.summarize(on_sites())["a"], rs.summarize(on_sites())["b"], draws=DRAWS).paired is False
    S = rs.summarize(on_sites())
    assert rs.gate(S["a"], S["b"], draws=DRAWS).paired
    assert "the same for all models" in rs.report(P, draws=DRAWS).markdown()
    from rankscape.uncertainty.page_inputs import prepared_and_drawn

    assert prepared_and_drawn(P, DRAWS)[1].paired  # of which page and card are made


def test_copies_of_one_entity_are_equally_good_with_certainty_and_kinds_are_few() -> None:
    P = whole()
    both = rs.concat([P["a"], P["a"].rename(["copy"])])
    assert both.pairing is not None
    many = 100_000
    y = RNG.random(many) < 0.5
    Q = Performances.from_labels(y, {name: y ^ (RNG.random(many) < 0.1) for name in "abcdef"}, pos_label=True)
    assert Q.pairing.units[0].codes.shape[0] <= 2**7
