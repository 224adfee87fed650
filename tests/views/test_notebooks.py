"""What a notebook shows of every kind of result: its table, and its picture where it has one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rankscape as rs
from rankscape.results import DrawnResult, Result

P = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38], [55, 5, 9, 31]], names=["a", "b", "<c>"])
D = rs.Performances.from_counts(
    [[9, 1, 4, 6], [8, 2, 2, 8], [7, 3, 5, 5], [6, 4, 1, 9]], names=["m", "n"] * 2, domains=["x", "x", "y", "y"]
)
Y, S = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9]
PUBLISHED = {"model": ["<c>", "b"], "sensitivity": ["0.9", "0.8"], "specificity": ["0.8", "0.9"]}
DRAWS = {"draws": 50, "rng": 0}


TABLES: dict[str, Callable[[], Any]] = {
    "audit": lambda: rs.audit("f1", statistic=None),
    "performances": lambda: P,
    "ranking": lambda: rs.rank(P),
    "regions": lambda: rs.regions.first(P),
    "flips": lambda: rs.regions.flips(P, by="f1"),
    "prior flips": lambda: rs.regions.prior_flips(P, by="f1"),
    "gate": lambda: rs.gate(P[0], P[1], **DRAWS),
    "draws": lambda: rs.uncertainty.posterior(P, **DRAWS),
    "sweep": lambda: rs.sweep(Y, S),
    "best threshold": lambda: rs.sweep(Y, S).best("f1", current=0.5),
    "sweeps": lambda: rs.sweep(Y, {"s": S}),
    "best thresholds": lambda: rs.sweep(Y, {"s": S}).best("f1", current=0.5),
    "flips between models": lambda: rs.sweep(Y, {"s": S}).flips("f1"),
    "reconstruction": lambda: rs.reconstruct(accuracy="0.8", n_positive=3, n_negative=2),
    "published rates": lambda: rs.read_published(PUBLISHED),
    "published ranking": lambda: rs.read_published(PUBLISHED).rank("accuracy", shift_prior=0.1),
    "roles": lambda: rs.domains.roles(D, by="f1"),
    "mean of scores": lambda: rs.domains.mean_of_scores(D, by="f1"),
    "each left out": lambda: rs.domains.leave_one_out(D, by="f1"),
    "path": lambda: rs.tradeoff(P).path(),
    "case rankings": lambda: rs.domains.case_rankings(
        rs.cases({"case": [1, 2, 3], "a": [1, 0, 1], "b": [0, 0, 1]}, correct=["a", "b"]).performances
    ),
    "site": lambda: rs.Site(Path("<c>"), {"<c>.html": 1}, {"<c>.html": "new"}),
    "regression": lambda: rs.tasks.regression.evaluate([1.0, 2.0], {"u": [1.0, 2.5], "v": [0.0, 2.0]}),
}
PICTURES: dict[str, Callable[[], Any]] = {
    "map": lambda: rs.tile.entity(P, resolution=21),
    "map of P(first)": lambda: rs.uncertainty.first_tile(P, resolution=5, **DRAWS),
    "map of models": lambda: rs.sweep(Y, {"s": S}).first(),
    "decision": lambda: rs.decide(Y * 3, {"s": S * 3}, costs=rs.costs(miss=5), folds=3, draws=100),
    "roc": lambda: rs.views.roc(P),
    "cost curve": lambda: rs.views.cost_curve(P),
    "trade-off": lambda: rs.tradeoff(P),
    "trade-offs": lambda: rs.tradeoffs(D),
    "weightings": lambda: rs.domains.weightings(D, by="f1"),
    "intervals": lambda: rs.uncertainty.rank_intervals(P, "f1", **DRAWS),
}


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
def test_a_table_is_shown(make: Callable[[], Any]) -> None:
    result = make()
    assert isinstance(result, Result)
    page = result._repr_html_()
    assert "<table>" in page or "<pre>" in page
    assert "<img" not in page
    assert "<c>" not in page


@pytest.mark.some(4)
@pytest.mark.parametrize("make", PICTURES.values(), ids=PICTURES)
def test_a_picture_and_the_table_are_shown_and_no_figure_stays_open(make: Callable[[], Any]) -> None:
    result, before = make(), plt.get_fignums()
    assert isinstance(result, DrawnResult)
    page = result._repr_html_()
    assert page.startswith('<img alt="')
    assert "data:image/png;base64," in page
    assert "<table>" in page or "<pre>" in page
    assert "<c>" not in page
    assert plt.get_fignums() == before


def test_every_kind_of_result_is_tried() -> None:
    def below(kind: type) -> set[type]:
        return {kind, *(lower for one in kind.__subclasses__() for lower in below(one))}

    made = {type(make()) for make in (*TABLES.values(), *PICTURES.values())}
    leaves = {kind for kind in below(Result) if not kind.__subclasses__() and kind.__module__.startswith("rankscape")}
    assert {kind.__name__ for kind in leaves - made} <= {
        "Tally",
        "Heuristic",
        "RankSteps",
        "Cases",
    }  # within other results


def test_many_entities_are_not_drawn_unasked() -> None:
    rng = np.random.default_rng(0)
    many = rs.Performances.from_counts(rng.integers(1, 99, (301, 4)))
    assert "<img" not in rs.views.roc(many)._repr_html_()
    assert "<img" not in rs.tradeoff(many)._repr_html_()


@pytest.mark.nightly
def test_a_widget_leaves_a_picture_and_a_table_in_a_saved_notebook() -> None:
    pytest.importorskip("anywidget")
    before = plt.get_fignums()
    for performances in (P, rs.tasks.success.from_counts([9, 4], 10, names=["<c>", "b"])):
        bundle = rs.explore(performances, draws=0)._repr_mimebundle_()
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        page = data["text/html"]
        assert "application/vnd.jupyter.widget-view+json" in data
        assert ("data:image/png;base64," in page) == (performances is P)
        assert "<table>" in page
        assert "<c>" not in page
        assert "<script" not in page
    assert plt.get_fignums() == before


def test_a_card_is_a_page_of_its_kind_in_a_notebook() -> None:
    page = rs.report(P, draws=50)._repr_html_()
    assert "<html" not in page
    assert "a ranks first" in page or "ranks first" in page


def test_notes_stand_below_the_table_wherever_it_is_shown() -> None:
    with pytest.warns(rs.UnsoundScoreWarning):
        unsound = rs.rank(P, by="mcc")
    assert "is not sound for ranking" in unsound._repr_html_().partition("</table>")[2]
    assert repr(unsound).endswith("\n".join(unsound.notes))
    assert "<p>" not in rs.rank(P)._repr_html_().partition("</table>")[2]
