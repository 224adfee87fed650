"""The table of paths: what is asked, on what, by which call, and what one would write today instead."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import rankscape as rs
from rankscape.tasks import clustering, multi_class, ranking, regression, retrieval

from . import inputs, peers
from .inputs import KINDS
from .peers import Peer

Prepare = Callable[[str, int], Any]
COUNTED = ("counts", "large", "averaged", "shifted", "ties")
"""Kinds that know how many cases they come from."""
ONE = ("counts",)


class Path(NamedTuple):
    """One way through the package.

    ``prepare`` makes the input of a kind and size, which is not timed; ``work`` is; ``peer`` is timed on the first
    kind. ``largest`` is the size up to which the question makes sense, or is meant to be asked.
    """

    group: str
    what: str
    prepare: Prepare
    work: Callable[[Any], Any]
    peer: Peer | None = None
    largest: int = 10**9
    kinds: tuple[str, ...] = KINDS


def made(kind: str, n: int) -> Callable[[], rs.Performances]:
    """Return what makes performances from arrays, with the exact integers that all orders are decided on."""
    if kind == "averaged":
        P = inputs.over_domains(n)
        return lambda: rs.summarize(P)
    if kind == "shifted":
        P = inputs.performances("counts", n)
        return lambda: P.shift_priors(inputs.SHARE)
    P = inputs.performances(kind, n)
    if P.counts is None:
        return lambda: rs.Performances.from_probabilities(P.mass)
    return lambda: rs.Performances.from_counts(P.counts)


def of_draws(kind: str, **options: Any) -> dict[str, Any]:
    """Return the options of what draws: a kind of input is shifted there."""
    return options | ({"shift_prior": inputs.SHARE} if kind == "shifted" else {})


def drawn(kind: str, n: int) -> tuple[rs.Performances, dict[str, Any]]:
    """Return performances of known numbers of cases, and the options of a draw."""
    return inputs.cases(kind, n), of_draws(kind)


def both_columns(kind: str, n: int) -> tuple[Any, Any]:
    """Return two scores of n performances, as floats."""
    mass = inputs.performances(kind, n).mass
    return np.nan_to_num(peers.f1_of(mass)), np.nan_to_num(peers.mcc_of(mass))


def many_domains(kind: str, n: int) -> rs.Performances:
    """Return about n rows: entities on fourteen domains."""
    return inputs.over_domains(max(2, n // 14), 14)


EXACT, ONE_PRIOR = inputs.exact, inputs.exact_of_one_prior
BY_CELL = 21
MAP = 101


def tau(P: rs.Performances) -> float:
    return float(rs.tradeoff(P).optimality(beta=1))


PATHS: dict[str, Path] = {
    # ---- the way in
    "make": Path("in and out", "exact performances from arrays", made, lambda make: make().integers),
    "read-csv": Path(
        "in and out", "read a table, CSV", inputs.table_file("csv"), rs.read,
        Peer("pandas, with checks", peers.read_by_pandas), kinds=("counts", "large", "floats", "averaged", "ties"),
    ),
    "read-parquet": Path(
        "in and out", "read a table, Parquet", inputs.table_file("parquet"), rs.read,
        Peer("pandas, with checks", peers.read_by_pandas), kinds=("counts", "large", "floats", "averaged", "ties"),
    ),
    "read-frame": Path(
        "in and out", "read a data frame", inputs.table_frame, rs.read,
        Peer("the checks in pandas", peers.check_by_pandas), kinds=("counts", "large", "floats", "averaged", "ties"),
    ),
    "count-csv": Path(
        "in and out", "count predictions, CSV", inputs.predictions_file("csv"),
        lambda path: rs.count(path, truth="y", prediction="yhat", entity="model", domain="video"),
        Peer("DuckDB's GROUP BY", peers.count_by_duckdb), kinds=ONE,
    ),
    "count-parquet": Path(
        "in and out", "count predictions, Parquet", inputs.predictions_file("parquet"),
        lambda path: rs.count(path, truth="y", prediction="yhat", entity="model", domain="video"),
        Peer("DuckDB's GROUP BY", peers.count_by_duckdb), kinds=ONE,
    ),
    "count-frame": Path(
        "in and out", "count predictions, pandas", inputs.predictions_frame,
        lambda frame: rs.count(frame, truth="y", prediction="yhat", entity="model", domain="video"),
        Peer("pandas' groupby", peers.count_by_pandas), kinds=ONE,
    ),
    "labels": Path(
        "in and out", "count two arrays of labels", inputs.labeled, lambda x: rs.Performances.from_labels(*x),
        Peer("scikit-learn", peers.confusion_by_sklearn), kinds=ONE,
    ),
    "from-scores": Path(
        "in and out", "performances at all thresholds", inputs.scored, lambda x: rs.Performances.from_scores(*x),
        Peer("scikit-learn's roc_curve", peers.roc_by_sklearn), kinds=("floats", "ties"),
    ),
    "sweep": Path(
        "in and out", "sweep of thresholds", inputs.scored, lambda x: rs.sweep(*x),
        Peer("scikit-learn's roc_curve", peers.roc_by_sklearn), kinds=("floats", "ties"),
    ),
    "sweep-best": Path(
        "in and out", "sweep, hull and best F1", inputs.scored,
        lambda x: (s := rs.sweep(*x), s.hull(), s.best("f1")),
        Peer("scikit-learn's roc_curve", peers.roc_by_sklearn), kinds=("floats", "ties"),
    ),
    # ---- leaderboards
    "score": Path(
        "leaderboard", "F1 of all", EXACT, lambda P: rs.score("f1")(P),
        Peer("one formula in NumPy", lambda P: peers.f1_of(P.mass)),
    ),
    "levels": Path(
        "leaderboard", "exact levels by F1", EXACT, lambda P: rs.ordering.levels(P, rs.score("f1")),
        Peer("np.unique of floats", lambda P: np.unique(peers.f1_of(P.mass), return_inverse=True)),
    ),
    "rank": Path(
        "leaderboard", "rank by F1", EXACT, lambda P: rs.rank(P, by="f1"),
        Peer("pandas' rank of floats", peers.ranks_by_pandas),
    ),
    "rank-mcc": Path(
        "leaderboard", "rank by MCC, no ranking score", EXACT, lambda P: rs.rank(P, by="mcc"),
        Peer("pandas' rank of floats", peers.ranks_by_pandas),
    ),
    "frame": Path(
        "leaderboard", "rank and its data frame", EXACT, lambda P: rs.rank(P, by="f1").frame(),
        Peer("pandas, sorted", peers.leaderboard_by_pandas),
    ),
    "kendall": Path(
        "leaderboard", "Kendall's tau of two scores", both_columns, lambda x: rs.kendall_tau(*x),
        Peer("SciPy", peers.kendall_by_scipy),
    ),
    "flips": Path("leaderboard", "what would change the answer", EXACT, rs.regions.flips),
    # ---- domains
    "summarize": Path(
        "domains", "average over 14 domains", many_domains, lambda P: rs.summarize(P),
        Peer("pandas' groupby of floats", peers.averages_by_pandas), kinds=ONE,
    ),
    "per-entity": Path(
        "domains", "… as the other calls do it", many_domains, lambda P: P.per_entity(),
        Peer("pandas' groupby of floats", peers.averages_by_pandas), kinds=ONE,
    ),
    "roles": Path(
        "domains", "hardest domain and bottleneck", many_domains, lambda P: rs.domains.roles(P, by="f1").frame(),
        Peer("pandas, hardest and easiest", peers.roles_by_pandas), kinds=ONE,
    ),
    "mean-of-scores": Path(
        "domains", "mean of scores against averages", many_domains,
        lambda P: rs.domains.mean_of_scores(P, by="f1"), kinds=ONE,
    ),
    # ---- maps of the Tile
    "winners": Path(
        "maps", "who can ever be first, one prior", ONE_PRIOR, rs.regions.winners,
        Peer("SciPy's hull in ROC space", peers.hull_by_scipy),
    ),
    "first": Path(
        "maps", "regions of the first", EXACT, rs.regions.first,
        Peer("NumPy on a grid of 201²", peers.one_row(lambda v: v.argmax(axis=0), 201), 201),
    ),
    "second": Path(
        "maps", "regions of the second", EXACT, lambda P: rs.regions.first(P, rank=2),
        Peer("NumPy on a grid of 201²", peers.one_row(lambda v: np.partition(v, -2, axis=0), 201), 201),
    ),
    "entity": Path(
        "maps", "map of the first, 101²", EXACT, lambda P: rs.tile.entity(P, resolution=MAP),
        Peer("NumPy", peers.one_row(lambda v: v.argmax(axis=0), MAP), MAP),
    ),
    "best": Path(
        "maps", "map of the best value, 101²", EXACT, lambda P: rs.tile.best(P, resolution=MAP),
        Peer("NumPy", peers.one_row(lambda v: v.max(axis=0), MAP), MAP),
    ),
    "margin": Path(
        "maps", "map of the margin, 101²", EXACT, lambda P: rs.tile.margin(P, resolution=MAP),
        Peer("NumPy", peers.one_row(lambda v: np.partition(v, -2, axis=0), MAP), MAP),
    ),
    "ranking": Path(
        "maps", "map of the rank of one, 101²", EXACT, lambda P: rs.tile.ranking(P, P.names[0], resolution=MAP),
        Peer("NumPy", peers.one_row(lambda v: (v > v[:1]).sum(axis=0), MAP), MAP),
    ),
    "value": Path(
        "maps", "map of one value, 101²", EXACT, lambda P: rs.tile.value(P, P.names[0], resolution=MAP),
    ),
    "skill": Path(
        "maps", "map of skill, one prior, 101²", ONE_PRIOR, lambda P: rs.tile.skill(P, resolution=MAP),
        Peer("NumPy", peers.one_row(lambda v: v.max(axis=0), MAP), MAP),
    ),
    "without-skill": Path("maps", "area where no skill wins, one prior", ONE_PRIOR, rs.regions.without_skill),
    "correlation": Path(
        "maps", "map of Kendall's tau with MCC, 21²", EXACT,
        lambda P: rs.tile.correlation("mcc", P, resolution=BY_CELL),
        Peer("SciPy per cell", peers.one_cell(peers.kendall), BY_CELL**2),
    ),
    "spearman": Path(
        "maps", "map of Spearman's rho with MCC, 21²", EXACT,
        lambda P: rs.tile.correlation("mcc", P, statistic="spearman", resolution=BY_CELL),
        Peer("SciPy per cell", peers.one_cell(peers.spearman), BY_CELL**2),
    ),
    "roc": Path(
        "maps", "points and hull in ROC space, one prior", ONE_PRIOR, lambda P: rs.views.roc(P, by="f1"),
        Peer("SciPy's hull", peers.hull_by_scipy),
    ),
    "pr": Path("maps", "points in PR space, one prior", ONE_PRIOR, lambda P: rs.views.pr(P, by="f1")),
    "cost": Path("maps", "cost curves, one prior", ONE_PRIOR, rs.views.cost_curve, largest=10_000),
    # ---- trade-offs
    "beta": Path(
        "trade-offs", "optimal β", EXACT, lambda P: rs.tradeoff(P).beta,
        Peer("NumPy, all pairs", lambda P: np.median(peers.swaps_by_numpy(P)), largest=10_000),
    ),
    "quantile": Path(
        "trade-offs", "β at a quantile of 0.8", EXACT, lambda P: rs.tradeoff(P).quantile(0.8),
        Peer("NumPy, all pairs", lambda P: np.quantile(peers.swaps_by_numpy(P), 0.8), largest=10_000),
    ),
    "optimality": Path("trade-offs", "how optimal F1 is", EXACT, tau, Peer("SciPy, two taus", peers.taus_by_scipy)),
    "other-side": Path(
        "trade-offs", "optimal place between NPV and recall", EXACT,
        lambda P: rs.tradeoff(P, ends=("npv", "tpr")).beta_squared,
    ),
    "other-side-one-prior": Path(
        "trade-offs", "… of TNR and recall, one prior", ONE_PRIOR,
        lambda P: rs.tradeoff(P, ends=("tnr", "tpr")).beta_squared,
    ),
    "summary": Path("trade-offs", "summary of the trade-off", EXACT, lambda P: rs.tradeoff(P).summary()),
    "tradeoff-figure": Path("trade-offs", "its figure", EXACT, lambda P: rs.tradeoff(P).plot(), largest=100_000),
    "n-rankings": Path(
        "trade-offs", "number of rankings", EXACT, lambda P: rs.tradeoff(P).n_rankings,
        Peer("NumPy, all pairs", lambda P: len(np.unique(peers.swaps_by_numpy(P)))), largest=1000,
    ),
    # ---- draws and pages
    "intervals": Path(
        "draws and pages", "intervals of ranks, 2000 draws", drawn,
        lambda x: rs.uncertainty.rank_intervals(x[0], by="f1", **x[1]),
        Peer("NumPy", lambda x: peers.intervals_by_numpy(x[0]), 20), 10_000, COUNTED,
    ),
    "first-tile": Path(
        "draws and pages", "map of P(first), 1000 draws, 101²", drawn,
        lambda x: rs.uncertainty.first_tile(x[0], draws=1000, resolution=MAP, **x[1]),
        Peer("NumPy", lambda x: peers.first_by_numpy(x[0]), 100, 1000), 1000, COUNTED,
    ),
    "paired": Path(
        "draws and pages", "intervals of 10 from paired cases", inputs.same_cases,
        lambda x: rs.uncertainty.rank_intervals(rs.uncertainty.paired(*x), by="f1"),
        Peer("NumPy, bootstrap", peers.bootstrap_by_numpy, 20, 100_000), kinds=ONE,
    ),
    "explore": Path(
        "draws and pages", "explorer, a page", drawn,
        lambda x: rs.explore(x[0], inputs.scratch("explorer.html"), **x[1]), largest=10_000, kinds=COUNTED,
    ),
    "report": Path(
        "draws and pages", "ranking card, with figures", drawn,
        lambda x: rs.report(x[0], inputs.scratch("report.html"), **x[1]), largest=10_000, kinds=COUNTED,
    ),
    # ---- other tasks
    "clustering": Path(
        "other tasks", "clustering, pairs of elements", inputs.two_labelings, lambda x: clustering.evaluate(*x),
        Peer("scikit-learn", peers.pairs_by_sklearn), kinds=ONE,
    ),
    "classes": Path(
        "other tasks", "20 classes", inputs.two_labelings, lambda x: multi_class.evaluate(*x),
        Peer("scikit-learn", peers.confusion_by_sklearn), kinds=ONE,
    ),
    "orders": Path(
        "other tasks", "two orders of elements", inputs.two_orders, lambda x: ranking.evaluate(*x),
        Peer("SciPy", peers.kendall_by_scipy), kinds=ONE,
    ),
    "regression": Path(
        "other tasks", "five regressors, by MAE", inputs.values_of_six,
        lambda x: rs.rank(regression.evaluate(x[0], x[1:]), by="mae"),
        Peer("scikit-learn", peers.errors_by_sklearn), kinds=ONE,
    ),
    "retrieval": Path(
        "other tasks", "retrieval, sets of results", inputs.queries, lambda x: retrieval.evaluate(*x),
        Peer("Python, a loop", peers.overlaps), 100_000, ONE,
    ),
}  # fmt: skip
