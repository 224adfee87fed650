"""Queries, images and graded cases as domains: the mean is what the task evaluates, and others can be drawn."""

import time
from typing import Any

import numpy as np
import pytest

import rankscape as rs
from rankscape import DataError, UsageError
from rankscape.tasks import detection, retrieval, segmentation, success
from rankscape.uncertainty import rank_intervals, resampled_domains


def queries(
    m: int, systems: int, seed: int = 0, least: int = 0
) -> tuple[dict[str, set[int]], dict[str, dict[str, set[int]]]]:
    rng = np.random.default_rng(seed)
    truth = {f"q{i}": {*rng.choice(40, rng.integers(least, 9), replace=False).tolist()} for i in range(m)}
    hits = np.linspace(0.4, 0.8, systems)
    runs = {
        f"s{j:02d}": {
            query: {d for d in range(40) if rng.random() < (p if d in items else 0.03)}
            for query, items in truth.items()
        }
        for j, p in enumerate(hits)
    }
    return truth, runs


def same(averaged: rs.Performances, whole: rs.Performances) -> bool:
    """Tell whether performances are equal, exactly."""
    one, two = averaged.integers, whole.integers
    equal = one * two.sum(axis=1, keepdims=True) == two * one.sum(axis=1, keepdims=True)
    return averaged.names == whole.names and averaged.space == whole.space and bool(equal.all())


def boxes(m: int, detectors: int) -> tuple[list[Any], dict[str, list[Any]]]:
    rng = np.random.default_rng(3)
    truth = [[(x, 0, x + 1, 1) for x in range(0, 2 * int(n), 2)] for n in rng.integers(0, 4, m)]
    found = {f"d{j}": [[box for box in image if rng.random() < 0.7] for image in truth] for j in range(detectors)}
    return truth, found


@pytest.mark.parametrize("none", [True, False])
def test_the_mean_over_queries_is_what_retrieval_evaluates(none: bool) -> None:
    truth, runs = queries(40, 3, least=0 if none else 1)
    P = retrieval.evaluate(truth, runs, none=none, by_query=True)
    assert (P.n_domains, len(P)) == (40, 120)
    assert set(P.domains or ()) == set(truth)
    assert same(rs.summarize(P), retrieval.evaluate(truth, runs, none=none))


def test_the_mean_over_images_is_what_detection_evaluates() -> None:
    truth, found = boxes(30, 3)
    P = detection.evaluate(truth, found, by_image=True)
    assert (P.n_domains, P.domains and P.domains[:2]) == (30, ("1", "2"))
    assert same(rs.summarize(P), detection.evaluate(truth, found))


def by_case(grades: Any) -> rs.Performances:
    """Return graded cases that are domains, of entities a, b, …"""
    n, m = grades.shape
    mass = np.stack([1 - grades, grades], axis=-1).reshape(-1, 2)
    names, domains = [name for name in "abcdefgh"[:n] for _ in range(m)], [str(i) for i in range(m)] * n
    return rs.Performances.from_probabilities(mass, names=names, domains=domains, space=success.SPACE)


def test_the_mean_over_cases_is_that_of_the_grades() -> None:
    grades = np.random.default_rng(0).integers(0, 65, (3, 25)) / 64
    whole = success.from_grades(grades, names=list("abc"))
    assert rs.summarize(by_case(grades)).mass == pytest.approx(whole.mass, abs=1e-15)


def test_a_query_with_nothing_to_find_pools_and_adds_its_false_positives() -> None:
    truth = [{1, 2}, set(), {3}]
    runs = {"a": [{1}, set(), {3}], "b": [{1, 2, 4}, set(), {5}]}
    P = retrieval.evaluate(truth, runs, by_query=True)
    assert P.domains == ("1", "2", "3", "1", "2", "3")
    assert same(rs.summarize(P), retrieval.evaluate(truth, runs))
    before = rs.score("precision", P.space)(rs.summarize(P))
    runs["b"][1] = {6}
    P = retrieval.evaluate(truth, runs, by_query=True)
    assert same(rs.summarize(P), retrieval.evaluate(truth, runs))
    after = rs.score("precision", P.space)(rs.summarize(P))
    assert (after[0], after[1]) == (before[0], pytest.approx(2 / 5))
    with pytest.raises(DataError, match="no query has a true or predicted result"):
        retrieval.evaluate([set()], {"a": [set()]}, by_query=True)
    P = retrieval.evaluate(truth, runs, none=True, by_query=True)
    assert same(rs.summarize(P), retrieval.evaluate(truth, runs, none=True))


def test_items_and_inputs_do_not_count_alike_at_once() -> None:
    with pytest.raises(UsageError, match="pooled and by_query contradict each other"):
        retrieval.evaluate([{1}], {"a": [{1}]}, pooled=True, by_query=True)
    with pytest.raises(UsageError, match="pooled and by_image contradict each other"):
        detection.evaluate([[(0, 0, 1, 1)]], {"a": [[]]}, pooled=True, by_image=True)


def test_other_queries_are_drawn_fast_and_in_any_order() -> None:
    truth, runs = queries(200, 20, least=1)
    P = retrieval.evaluate(truth, runs, by_query=True)
    began = time.perf_counter()
    intervals = rank_intervals(resampled_domains(P), by="f1")
    assert time.perf_counter() - began < 10
    assert (intervals.low <= intervals.ranks).all()
    assert (intervals.ranks <= intervals.high).all()
    assert intervals.p_first.sum() == pytest.approx(1)
    assert intervals.p_first[19] > intervals.p_first[0]
    few = {name: runs[name] for name in ("s19", "s03", "s11")}
    drawn = resampled_domains(retrieval.evaluate(truth, few, by_query=True), 20).values
    order = sorted(truth, key=lambda query: query[::-1])
    turned = {query: truth[query] for query in order}
    other = {name: {query: few[name][query] for query in order} for name in sorted(few)}
    again = resampled_domains(retrieval.evaluate(turned, other, by_query=True), 20)
    assert np.array_equal(again.values[:, [again.names.index(name) for name in few]], drawn)


def test_draws_of_grades_cover_as_their_variance_says() -> None:
    grades = np.random.default_rng(1).random((2, 400)) ** [[1.0], [1.2]]
    drawn = resampled_domains(by_case(grades), 4000).values[:, :, 1]
    assert drawn.mean(axis=0) == pytest.approx(grades.mean(axis=1), abs=0.01)
    difference = grades[0] - grades[1]
    assert (drawn[:, 0] - drawn[:, 1]).std() == pytest.approx(difference.std() / np.sqrt(401), rel=0.35)


def test_every_task_of_inputs_is_ranked_on_others() -> None:
    truth, found = boxes(60, 4)
    of_images = rank_intervals(resampled_domains(detection.evaluate(truth, found, by_image=True)), by="f1")
    grades = np.array([np.random.default_rng(ord(name)).random(50) for name in "abc"])
    of_cases = rank_intervals(resampled_domains(by_case(grades)))
    rng = np.random.default_rng(0)
    pixels = {f"i{i}": rng.integers(0, 3, 50) for i in range(20)}
    nets = {name: {i: np.where(rng.random(50) < 0.8, y, 0) for i, y in pixels.items()} for name in "ab"}
    of_pixels = rank_intervals(resampled_domains(segmentation.evaluate(pixels, nets)), by="accuracy")
    for intervals in (of_images, of_cases, of_pixels):
        assert intervals.p_first.sum() == pytest.approx(1)
        assert (intervals.value_low < intervals.value_high).all()
        assert ((intervals.value_low <= intervals.values) & (intervals.values <= intervals.value_high)).all()
