"""The simple page, for sample spaces without a Tile, in headless Chromium with the network blocked."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsing import HOSTILE, SETTLED, Opened, Opener, needs_axe, serious
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.explorer import document
from rankscape.tasks import detection, multi_class, retrieval, success

TOLERANCE = 1e-12
TRIAGE = rs.SampleSpace(
    "triage", ("home", "ward", "icu", "lost"), (0.2, 0.7, 1, 0), scores={"plain": (1, 1, 1, 1), "urgent": (1, 2, 6, 8)}
)


def answers() -> rs.Performances:
    """Right answers of five models on three benchmarks; two models tie on each, two more over all."""
    correct = [[40, 60, 90], [40, 60, 90], [50, 30, 60], [30, 50, 60], [45, 45, 45]]
    names = [f"m{i}" for i in range(5) for _ in range(3)]
    return success.from_counts(np.ravel(correct), [50, 100, 150] * 5, names=names, domains=["x", "y", "z"] * 5)


def without_tn() -> rs.Performances:
    rng = np.random.default_rng(2)
    counts = rng.integers(0, 12, size=(12, 3))
    counts[3] = 2 * counts[1]
    return rs.Performances.from_counts(
        counts + np.array([0, 0, 1]), names=[f"t{i}" for i in range(12)], space=retrieval.SPACE
    )


def with_none() -> rs.Performances:
    counts = np.random.default_rng(5).integers(1, 9, size=(8, 4))
    return rs.Performances.from_counts(counts, names=[f"d{i}" for i in range(8)], space=detection.SPACE)


def of_classes() -> rs.Performances:
    rng = np.random.default_rng(7)
    truth = rng.permutation(np.repeat(["cat", "dog", "fox"], [30, 20, 10]))
    guesses = {f"n{i}": np.where(rng.random(60) < 0.7, truth, rng.permutation(truth)) for i in range(6)}
    return multi_class.evaluate(truth, guesses | {"twin": guesses["n0"]})


def of_triage() -> rs.Performances:
    counts = np.random.default_rng(8).integers(1, 6, size=(9, 4))
    counts[4] = 3 * counts[2]
    names, domains = [f"k{i // 3}" for i in range(9)], [f"d{i % 3}" for i in range(9)]
    return rs.Performances.from_counts(counts, names=names, domains=domains, space=TRIAGE)


SPACES = {
    "success": answers(), "without tn": without_tn(), "with none": with_none(), "classes": of_classes(),
    "triage": of_triage(), "ranking": rs.tasks.ranking.evaluate(range(7), {"u": [3, 1, 2, 0, 4, 6, 5], "v": [0, 1, 3, 2, 4, 5, 6]}),
}  # fmt: skip

BOARD = """(patch) => {
  rankscape.set(patch);
  rankscape.settled();
  const { set, ranking, data } = rankscape.view();
  const list = (x) => Array.from(x, (y) => (Number.isNaN(y) ? null : y));
  const cells = (name) => Array.from(document.querySelectorAll(`.board tbody ${name}`), (cell) => cell.textContent);
  return { names: set.rows.map((row) => data.entities[row]), low: list(ranking.low), high: list(ranking.high),
    value: list(ranking.value), ranks: cells("td.rank"), shown: cells("button.entity") };
}"""


def check(board: Any, expected: rs.Ranking) -> None:
    assert board["names"] == list(expected.names)
    bounds = [
        [None if x != x else int(x) for x in column]
        for column in np.where(expected.bounds > 0, expected.bounds, np.nan).T
    ]
    assert [[x or None for x in board["low"]], [x or None for x in board["high"]]] == bounds
    np.testing.assert_allclose(np.array(board["value"], dtype=float), expected.values, rtol=0, atol=TOLERANCE)
    assert [name for name in board["shown"] if expected[name] == expected[name]] == list(expected)
    for rank, name in zip(board["ranks"], board["shown"], strict=True):
        assert rank.rstrip("=") == ("–" if expected[name] != expected[name] else str(int(expected[name])))


def test_answers_are_ranked_as_in_python_for_random_weights_of_the_benchmarks(opened: Opener) -> None:
    P = answers()
    page = opened(P, draws=0)
    drawn = np.random.default_rng(0).random((20, 3)).tolist()
    for weights in [*drawn, [1, 1, 1], [0, 1, 0], [5, 2, 2], [3, 1, 0]]:
        expected = rs.rank(rs.summarize(P, dict(zip("xyz", weights, strict=True))))
        check(page.run(BOARD, {"weights": weights}), expected)
    page.quiet()


def test_answers_are_called_right_and_no_one_speaks_of_misses(opened: Opener, tmp_path: Path) -> None:
    table = tmp_path / "answers.csv"
    table.write_text("entity,domain,correct,total\nalpha,x,41,50\nalpha,y,43,50\nbeta,x,40,50\nbeta,y,41,50\n", "utf-8")
    page = opened(table)
    lead = page.page.locator(".lead").inner_text()
    assert lead.startswith("alpha answers 84.0 % right and comes first of 2".replace(" %", "\u00a0%"))
    text = page.page.locator("body").inner_text()
    assert not re.search(r"\bmiss|false alarm|recall|\btp\b", text)
    page.quiet()


def test_grades_keep_their_name_and_no_answer_is_right(opened: Opener) -> None:
    rows = {"case": [1, 2, 3, 4], "place": list("xxyy"), "a": [0.81, 0.92, 0.5, 0.6], "b": [0.77, 0.9, 0.4, 0.7]}
    P = rs.cases(rows, correct=["a", "b"], domain="place").performances
    page = opened(P)
    assert page.page.locator(".lead").inner_text().startswith("a comes first of 2, with mean grade 0.7075")
    text = page.page.locator("body").inner_text()
    assert "Each case has a grade" in text
    assert not re.search(r"\bright\b|accuracy", text, re.IGNORECASE)
    page.quiet()


@pytest.mark.parametrize("name", ["without tn", "with none"])
def test_misses_against_false_alarms_are_ranked_as_in_python(opened: Opener, name: str) -> None:
    P = SPACES[name]
    page = opened(P, draws=0)
    rng = np.random.default_rng(1)
    places = [*rng.random(12).tolist(), 0, 0.2, 0.5, 0.8, 1]
    for b in places:
        a = 1.0 if name == "without tn" else float(rng.choice([0.25, 0.5, 1, rng.random()]))
        one, two = (Fraction(x).limit_denominator(10**6) for x in (a, b))
        one, two = (exact if float(exact) == x else Fraction(x) for exact, x in ((one, a), (two, b)))
        weights = {"none": 1 - one, "fp": 1 - two, "fn": two, "tp": one}
        expected = rs.rank(P, by=[weights[outcome] for outcome in P.space.outcomes])
        check(page.run(BOARD, {"a": a, "b": b}), expected)
    page.quiet()


STRIP = """rankscape.view().strip().map(({ rows, from, to }) =>
  ({ names: rows.map((i) => rankscape.view().data.entities[rankscape.view().set.rows[i]]), ends: [from, to].map((x) => x.key) }))"""


@pytest.mark.parametrize("name", ["without tn", "with none"])
def test_the_borders_of_the_strip_are_exact(opened: Opener, name: str) -> None:
    P = SPACES[name]
    page = opened(P, "#a=0.5&b=0.5" if name == "with none" else "", draws=0)
    parts = page.run(STRIP)
    ends = [[Fraction(end) for end in part["ends"]] for part in parts]
    assert ends[0][0] == 0
    assert ends[-1][1] == 1
    assert [one[1] for one in ends[:-1]] == [one[0] for one in ends[1:]]

    def best(b: Fraction) -> frozenset[str]:
        a = Fraction(1, 2) if name == "with none" else 1
        weights = {"none": 1 - a, "fp": 1 - b, "fn": b, "tp": a}
        return rs.rank(P, by=[weights[outcome] for outcome in P.space.outcomes]).best

    for part, (low, high) in zip(parts, ends, strict=True):
        assert best((low + high) / 2) == best(low + (high - low) / 10**9) == set(part["names"])
    for border in [low for low, _ in ends[1:]]:
        assert len(best(border)) > 1
    legend = page.page.locator(".panel .legend li").all_inner_texts()
    assert len(legend) == len(parts)


def test_classes_are_ranked_as_in_python(opened: Opener) -> None:
    P = of_classes()
    page = opened(P, draws=0)
    check(page.run(BOARD, {}), rs.rank(P, by="accuracy"))
    check(page.run(BOARD, {"score": "balanced accuracy"}), rs.rank(P, by="balanced accuracy"))
    for which in ("recall", "precision", "f1", "jaccard"):
        for c, label in enumerate(P.space.labels):
            check(page.run(BOARD, {"score": which, "of": c}), rs.rank(P, by=f"{which}({label})"))
    for weights in [*np.random.default_rng(3).random((8, 3)).tolist(), [1, 2, 0], [0, 0, 7]]:
        importance = multi_class.importance(P, dict(zip(P.space.labels, weights, strict=True)))
        check(page.run(BOARD, {"importance": weights, "score": None}), rs.rank(P, by=importance))
    rows = page.page.locator(".classes tbody tr").all_inner_texts()
    first = rs.rank(P, by=importance)
    recall = rs.score("recall(cat)", P.space)(P)[first.names.index(next(iter(first)))]
    assert f"{recall:.3f}" in rows[0]
    page.quiet()


def test_a_space_of_ones_own_is_ranked_as_in_python(opened: Opener) -> None:
    P = of_triage()
    page = opened(P, by="urgent", draws=0)
    check(page.run(BOARD, {}), rs.rank(P, by="urgent"))
    for weights in np.random.default_rng(4).integers(0, 5, size=(12, 4)).tolist():
        if any(weights):
            check(page.run(BOARD, {"importance": weights, "score": None}), rs.rank(P, by=weights))
    check(
        page.run(BOARD, {"score": "plain", "importance": None, "weights": [0, 2, 1]}),
        rs.rank(rs.summarize(P, {"d0": 0, "d1": 2, "d2": 1}), by="plain"),
    )
    page.quiet()


def test_kendall_goes_from_minus_one(opened: Opener) -> None:
    P = SPACES["ranking"]
    page = opened(P)
    check(page.run(BOARD, {}), rs.rank(P, by="tau"))
    assert "with tau 0.9048" in page.page.locator(".lead").inner_text()


def test_it_opens_at_any_ranking_score(opened: Opener) -> None:
    P = of_classes()
    for by in ("recall(dog)", "f1(fox)", "balanced accuracy", multi_class.importance(P, {"fox": 5}), "error rate"):
        ranking = rs.rank(P, by="accuracy" if isinstance(by, str) and by == "error rate" else by)
        check(opened(P, by=by, draws=0).run(BOARD, {}), ranking)
    thirds = np.repeat([Fraction(1, 3), Fraction(1, 7), Fraction(1)], 3)
    page = opened(P, by=thirds, draws=0)
    assert page.state()["importance"] == [7, 3, 21]
    check(page.run(BOARD, {}), rs.rank(P, by=thirds))
    odd = np.arange(9)
    check(opened(P, by=odd, draws=0).run(BOARD, {}), rs.rank(P, by=odd))
    with pytest.raises(rs.NoPlaceError, match="cannot open at macro f1"):
        rs.explore(P, "never.html", by="macro f1")
    state = opened(without_tn(), by="f2").state()
    assert (state["a"], state["b"]) == (1, 0.8)


@pytest.mark.some(6)
@pytest.mark.parametrize("name", list(SPACES))
def test_it_says_how_sure_as_python_does_for_every_preference(opened: Opener, name: str) -> None:
    P = SPACES[name]
    patches: dict[str, list[tuple[Any, Any]]] = {
        "success": [({}, None)],
        "ranking": [({}, "tau")],
        "without tn": [({}, "f1"), ({"b": 1}, "recall")],
        "with none": [({"a": 0.5, "b": 0.5}, "accuracy")],
        "classes": [({}, "accuracy"), ({"score": "precision", "of": 1}, "precision(dog)")],
        "triage": [({"score": "urgent"}, "urgent")],
    }
    page = opened(P, draws=2000)
    for patch, by in patches[name]:
        page.run(BOARD, patch)
        expected = rs.uncertainty.rank_intervals(P, by)
        shown = page.run(
            "Array.from(rankscape.view().sure(), ([i, one]) => [one.first, one.low, one.high, one.from, one.to])"
        )
        best, surest = int(expected.order[0]), int(np.nanargmax(expected.p_first))
        chances = [f"{100 * expected.p_first[i]:.1f}\u00a0%" for i in (best, surest)]
        if chances[0] != chances[1] and (expected.ranks == 1).sum() == 1:
            assert (
                f"{expected.names[surest]} is so more probably ({chances[1]})"
                in page.page.locator(".sure").inner_text()
            )
        columns = [expected.p_first, expected.low, expected.high, expected.value_low, expected.value_high]
        np.testing.assert_allclose(np.array(shown, dtype=float).T, columns, atol=2e-3)


def test_intervals_are_never_stale(opened: Opener) -> None:
    page = opened(answers())
    cells = page.page.locator(".board td.interval")
    assert cells.count() == 5
    sure, back = page.page.locator(".sure"), page.page.get_by_role("button", name="Back to those weights")
    assert not back.is_visible()
    page.run(BOARD, {"weights": [1, 2, 3]})
    assert set(cells.all_text_contents()) == {"–"}  # the columns stay, so that nothing jumps
    assert "empty now" in page.page.locator(".notes").inner_text()
    assert sure.inner_text() == "How sure this is, rankscape computed only for the weights that the page opened with."
    back.click()
    page.settle()
    assert not back.is_visible()
    assert "empty now" not in page.page.locator(".notes").inner_text()
    assert "Drawn: new samples of cases" in page.page.locator(".notes").inner_text()
    assert "–" in cells.first.inner_text()
    assert "%" in cells.first.inner_text()
    page = opened(answers(), draws=0)
    assert page.page.locator(".board td.interval").count() == 0
    assert "takes simulated new samples" in page.page.locator(".notes").inner_text()


def of_three(**correct: list[int]) -> rs.Performances:
    names = [name for name in correct for _ in range(3)]
    return success.from_counts(
        np.ravel(list(correct.values())), 100, names=names, domains=["x", "y", "z"] * len(correct)
    )


def test_it_says_for_which_weights_the_winner_stays_first_as_python_does(opened: Opener) -> None:
    rng = np.random.default_rng(6)
    drawn = success.from_counts(rng.integers(0, 100, 60), 100, names=np.repeat([f"n{i}" for i in range(10)], 6).tolist(),
                                domains=list("uvwxyz") * 10)  # fmt: skip
    cases = [
        (of_three(a=[80, 60, 70], b=[70, 75, 66], c=[60, 60, 80]), [[1, 1, 1], [3, 1, 1], [1, 4, 1], [0, 1, 1]]),
        (of_three(a=[60, 60, 60], twin=[60, 60, 60], b=[60, 70, 40], c=[60, 40, 75]), [[1, 1, 1], [5, 1, 1]]),
        (of_three(a=[65, 60, 60], b=[50, 60, 60]), [[1, 1, 1]]),  # a tie at a weight of 0 is no end
        (drawn, [[1, 1, 1, 1, 1, 1], [5, 2, 1, 1, 3, 1]]),
        (of_triage(), [[1, 1, 1], [1, 2, 5]]),
    ]
    for P, weightings in cases:
        page = opened(P, draws=0)
        for weights in weightings:
            page.run(BOARD, {"weights": weights})
            domains = list(dict.fromkeys(P.domains or ()))
            by = page.state()["score"]
            python = rs.domains.weightings(rs.domains.prepare(P, weights=dict(zip(domains, weights, strict=True))), by)
            flips = {flip.domain: flip for flip in python.flips}
            reaches = page.run("rankscape.view().reaches()")
            bars = page.page.locator(".panel .reach i").evaluate_all(
                "(all) => all.map(({ style }) => [style.left, style.right])"
            )
            for domain, reach, (left, right) in zip(domains, reaches, bars, strict=True):
                flip = flips[domain]
                assert [reach["low"], reach["high"]] == pytest.approx([flip.low, flip.high], abs=1e-9)
                assert [len(reach[side]) for side in ("below", "above")] == [len(flip.below), len(flip.above)]
                assert float(left.rstrip("%")) == pytest.approx(100 * flip.low, abs=1e-3)
                assert float(right.rstrip("%")) == pytest.approx(100 - 100 * flip.high, abs=1e-3)
            text = page.page.locator(".about").inner_text().replace("\u00a0", " ")
            assert text == f"{python.about_ranges}."
    slider = page.page.get_by_label("Share of d0 in percent")
    page.run(BOARD, {"weights": [1, 1, 1]})
    slider.fill("60")
    page.settle()
    assert page.run("rankscape.view().weights") == pytest.approx([3, 1, 1])
    page.quiet()


@pytest.mark.some(1)
@pytest.mark.parametrize("width", [390, 1280])
def test_no_control_moves_while_a_weight_is_dragged(opened: Opener, width: int) -> None:
    names = [name for name in ("a", "the model with the longest name", "b") for _ in range(3)]
    P = success.from_counts([80, 60, 70, 70, 75, 66, 60, 60, 80], 100, names=names, domains=["x", "y", "z"] * 3)
    page = opened(P, viewport={"width": width, "height": 800})
    places = "Array.from(document.querySelectorAll('.panel input'), (one) => one.getBoundingClientRect().top + scrollY)"
    before, leads = page.run(places), set()
    for share in ("0", "20", "50", "90", "34"):
        page.page.get_by_label("Share of y in percent").fill(share)
        page.settle()
        leads.add(page.page.locator(".lead").inner_text().split(" answers")[0])
        assert page.run(places) == before, share
    assert len(leads) == 2
    page.leave()
    page = opened(of_classes(), viewport={"width": width, "height": 800})
    before = page.run(places)
    for weight in ("0", "3", "9.5"):
        page.page.get_by_label("Weight of dog").fill(weight)
        page.settle()
        assert page.run(places) == before, weight
    page.quiet()


def test_what_was_looked_at_before_comes_back(opened: Opener) -> None:
    page = opened(answers(), draws=0)
    undo, redo, reset = (page.page.get_by_role("button", name=name) for name in ("Undo", "Redo", "Reset"))
    assert [one.is_disabled() for one in (undo, redo, reset)] == [True] * 3
    page.run(BOARD, {"weights": [3, 1, 1]})
    page.run(BOARD, {"weights": [1, 9, 1]})
    weights = "rankscape.view().weights.join()"
    undo.click()
    page.until(f"() => {weights} === '3,1,1'")
    redo.click()
    page.until(f"() => {weights} === '1,9,1'")
    page.page.go_back()
    page.until(f"() => {weights} === '3,1,1'")
    reset.click()
    page.until(f"() => {weights} === '1,1,1'")
    page.page.get_by_role("button", name="What is weights of the domains?").click()
    assert "not an average of scores" in page.page.locator(".bubble").inner_text()
    page.quiet()


@pytest.mark.some(3)
@pytest.mark.parametrize("name", ["success", "with none", "classes", "triage"])
def test_a_link_brings_back_the_state(opened: Opener, name: str) -> None:
    P = SPACES[name]
    patch: dict[str, Any] = {"selected": 1}
    patch |= {"weights": [1, 0, 2.5]} if P.n_domains > 1 else {}
    patch |= {
        "with none": {"a": 0.25, "b": 0.75}, "classes": {"score": "recall", "of": 2},
        "triage": {"importance": [1, 0, 3, 0.5], "score": None},
    }.get(name, {})  # fmt: skip
    page = opened(P, draws=0)
    page.run(BOARD, patch)
    again = opened(P, page.run("location.hash"), draws=0)
    assert again.state() == page.state()
    assert again.page.locator(".notice").inner_text() == ""
    other = opened(P[:-1] if P.n_domains < 2 else P[:-3], page.run("location.hash"), draws=0)
    assert "made for other data" in other.page.locator(".notice").inner_text()
    damaged = opened(P, "#b=9&score=nothing&importance=x&weights=1&selected=nobody", draws=0)
    assert "damaged" in damaged.page.locator(".notice").inner_text()


def test_hostile_names_are_text(opened: Opener) -> None:
    names = [name for name in HOSTILE for _ in range(2)]
    rng = np.random.default_rng(0)
    P = success.from_counts(rng.integers(1, 40, 16), 40, names=names, domains=["<b>d</b>", "</style>"] * 8)
    page = opened(P)
    assert page.run("rankscape.view().data.entities") == HOSTILE
    assert page.run("document.querySelectorAll('img, svg, b, script:not([id])').length") == 1  # the page's own script
    shown = page.page.locator("button.entity").all_text_contents()
    assert any("<img" in name for name in shown)
    assert not any("\u202e" in name for name in shown)
    truth = np.array(HOSTILE[:3] * 4)
    page.leave()
    page = opened(multi_class.evaluate(truth, {"</script><b>": rng.permutation(truth)}), by=f"recall({HOSTILE[0]})")
    assert page.run("document.querySelectorAll('img, svg, b, script:not([id])').length") == 1
    page.quiet()


def test_sliders_and_selects_set_the_preference(opened: Opener) -> None:
    page = opened(of_classes(), draws=0)
    page.page.get_by_label("Score", exact=True).select_option("precision")
    page.page.get_by_label("Class", exact=True).select_option("1")
    page.settle()
    assert (page.state()["score"], page.state()["of"]) == ("precision", 1)
    page.page.get_by_label("Weight of dog").fill("3")
    page.settle()
    assert page.state()["importance"] == [1, 3, 1]
    assert page.page.locator(".lead").inner_text().startswith("With these weights of the classes")
    page = opened(without_tn())
    page.page.get_by_role("button", name="F₂").click()
    page.settle()
    assert page.state()["b"] == 0.8
    assert page.page.locator(".lead").inner_text().startswith("By F₂")
    field = page.page.get_by_label("How many false alarms a miss is worth")
    field.fill("3")
    page.settle()
    assert page.state()["b"] == 0.75
    field.fill("-1")
    assert "expected 0 or more" in page.page.locator(".problem").inner_text()
    page.quiet()


def test_missing_domains_are_named(opened: Opener) -> None:
    P = answers()
    with pytest.warns(rs.domains.MissingDomainsWarning):
        page = opened(P[:-1], missing="complete")
    assert "m4 lacks z" in page.page.locator(".notes").inner_text()
    assert page.run("rankscape.view().set.used") == [0, 1]
    page.run(BOARD, {"weights": [1, 1, 1]})
    assert "Not compared: m4" in page.page.locator(".notes").inner_text()
    page.quiet()


def test_degenerate_data_are_shown(opened: Opener) -> None:
    lone = opened(success.from_counts([3], [4], names=["only"]))
    assert lone.page.locator(".lead").inner_text() == "only answers 75.0\u00a0% right."
    same = opened(success.from_counts([2, 2], [4, 4], names=["a", "b"]))
    assert "a = b answer 50.0\u00a0% right and come first of 2. They tie." in same.page.locator(".lead").inner_text()
    none = rs.Performances.from_counts([[0, 4, 0], [0, 2, 0]], names=["a", "b"], space=retrieval.SPACE)
    page = opened(none, "#b=0")
    assert "undefined for everybody" in page.page.locator(".lead").inner_text()
    huge = success.from_counts([2**59, 2**59 + 1], 2**60, names=["a", "b"])
    check(opened(huge).run(BOARD, {}), rs.rank(huge))
    graded = success.from_grades({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1], "c": [1e-300, 1, 0]})
    page = opened(graded)
    check(page.run(BOARD, {}), rs.rank(graded))
    page.quiet()


def test_the_leaderboard_goes_out(opened: Opener) -> None:
    page = opened(answers())
    with page.page.expect_download() as download:
        page.page.get_by_role("button", name="Leaderboard CSV").click()
    header, *rows = Path(download.value.path()).read_text("utf-8").splitlines()
    assert header.startswith("rank,entity,value,rank_low,rank_high")
    assert [row.split(",")[1] for row in rows] == list(rs.rank(answers()))


def test_commands_write_the_simple_page(tmp_path: Path) -> None:
    table, page = tmp_path / "r.csv", tmp_path / "e.html"
    table.write_text("model,benchmark,correct,total\nalpha,x,41,50\nbeta,x,44,50\n", "utf-8")
    done = CliRunner().invoke(main, ["explore", str(table), "-o", str(page), "--draws", "200"])
    assert done.exit_code == 0, done.output
    assert '"success":true' in page.read_text("utf-8")
    refused = CliRunner().invoke(main, ["explore", str(table), "-o", str(page), "--shift-prior", "0.2"])
    assert refused.exit_code == 2
    refused = CliRunner().invoke(main, ["explore", str(table), "-o", str(page), "--by", "f1"])
    assert (refused.exit_code, "f1" in refused.output) == (2, True)


def test_in_a_notebook_it_is_a_widget() -> None:
    pytest.importorskip("anywidget")
    shown: Any = rs.explore(answers(), draws=0)
    assert '"success":true' in shown._data
    assert "export default { render };" in shown._esm


def test_modules_share_one_scope_without_clashes() -> None:
    for last in ("page", "widget"):
        text = document.bundle("simple_app", last)
        names = re.findall(r"^(?:const|let|class|function|async function) (\w+)", text, re.MULTILINE)
        assert len(names) == len(set(names)) > 100
        assert len(text.encode()) + len(document.source("style.css") + document.source("simple.css")) < 150_000


@needs_axe
def test_axe_finds_nothing_serious(browser: Any, tmp_path: Path) -> None:
    context = browser.new_context(bypass_csp=True)
    for name in ("success", "with none", "classes"):  # the others have the same parts
        page = context.new_page()
        page.goto(rs.explore(SPACES[name], tmp_path / "explorer.html", draws=200).as_uri())
        page.evaluate("rankscape.set({ selected: 0 })")
        page.evaluate(SETTLED)
        assert serious(page) == [], name
        page.close()
    context.close()


def many(n: int, domains: int) -> rs.Performances:
    rng = np.random.default_rng(0)
    names = [f"a rather long name of model {i}" for i in range(n) for _ in range(domains)]
    return success.from_counts(
        rng.integers(0, 100, n * domains),
        100,
        names=names,
        domains=[f"benchmark {d}" for _ in range(n) for d in range(domains)],
    )


@pytest.mark.some(2)
@pytest.mark.parametrize("width", [360, 768, 1440])
def test_nothing_sticks_out(opened: Opener, width: int) -> None:
    for performances in (many(60, 30), without_tn(), of_classes(), with_none()):
        page = opened(performances, viewport={"width": width, "height": 800}, reduced_motion="reduce", draws=200)
        assert page.run("document.documentElement.scrollWidth") <= width
        page.quiet()


def test_keys_reach_everything(opened: Opener) -> None:
    page: Opened = opened(without_tn())
    page.page.locator(".side input").focus()
    page.page.keyboard.press("ArrowRight")
    page.settle()
    assert page.state()["b"] == 0.51
    page.page.locator("button.entity").nth(2).focus()
    name = page.run("document.activeElement.title")
    page.page.keyboard.press("Enter")
    page.settle()
    assert page.run("rankscape.view().data.entities[rankscape.state().selected]") == name
    assert page.run("document.activeElement.title") == name


@pytest.mark.parametrize("empty", [False, True])
def test_averages_without_true_negatives_are_those_of_python(opened: Opener, empty: bool) -> None:
    """Per thing to be found, with any weights; counts are added, and nothing weighs, where there is nothing to be found."""
    things = [3, 1, 0 if empty else 5]
    rng = np.random.default_rng(3)
    rows = [[int(rng.integers(9)), n - tp, tp] for _ in range(4) for n in things for tp in [int(rng.integers(n + 1))]]
    rows += [[fp + 7, fn, tp] for fp, fn, tp in rows[-3:]]  # as the last, with more false positives
    P = rs.Performances.from_counts(
        rows, names=[f"s{i}" for i in range(5) for _ in range(3)], domains=["x", "y", "z"] * 5, space=retrieval.SPACE
    )
    page = opened(P, draws=0)
    for b in (0, 0.2, 0.5, 1):
        by = [Fraction(1) - Fraction(b).limit_denominator(10), Fraction(b).limit_denominator(10), 1]
        if empty:
            check(page.run(BOARD, {"b": b}), rs.rank(rs.summarize(P), by=by))
            continue
        for weights in ([1, 1, 1], [5, 2, 2], [0, 1, 3], things):
            expected = rs.rank(rs.summarize(P, dict(zip("xyz", weights, strict=True))), by=by)
            check(page.run(BOARD, {"b": b, "weights": weights}), expected)
    text = page.page.locator("body").inner_text()
    if empty:
        assert "averaged over 3 domains by adding their counts (pooled)" in text
        assert "Domains then have no weights" in text
    else:
        assert "averaged over 3 domains by adding their counts (pooled)" in text  # weights are what is to be found
        page.run(BOARD, {"weights": [5, 2, 2]})
        assert "each domain measured per thing to be found (fn + tp)" in page.page.locator("body").inner_text()
    page.quiet()
