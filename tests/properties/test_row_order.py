"""No answer depends on the order of the rows."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main

ENDS = [("ppv", "tpr"), ("npv", "tpr"), ("tnr", "tpr"), (rs.at(0.25, 0), rs.at(0.25, 1))]


def plain(x: Any) -> Any:
    """Return numbers that can be compared, NaN with NaN; names that share a place in no order."""
    if isinstance(x, np.ndarray):
        x = x.tolist()
    if isinstance(x, dict):
        return sorted((key, plain(value)) for key, value in x.items())
    if isinstance(x, (list, tuple)):
        return [plain(one) for one in x]
    if isinstance(x, float) and x != x:
        return "nan"
    return sorted(x.split(" = ")) if isinstance(x, str) else x


def rows(table: Any) -> list[str]:
    """Return the rows of a table, in no order."""
    return sorted(str(plain([table[name][k] for name in table.columns])) for k in range(len(table)))


def of_tradeoff(P: rs.Performances, ends: tuple, distinct: bool) -> Any:
    t = rs.tradeoff(P, ends, distinct)
    ranks = sorted(zip(t.names, plain(t.path().rankings.T), strict=True))
    return [plain([t.table()[name] for name in t.table().columns]), rows(t.compare(0.3)), ranks,
            plain(t.curve()["optimality"]), t.exact_optimal_set, plain(t.place), plain(t.quantile(0.8)),
            t.summary().split("\n")[:3]]  # fmt: skip


def of_view(view: Any) -> Any:
    return rows(view.table()), view.prior, view.subtitle, view.preference and plain(view.preference.value)


ANSWERS: dict[str, Any] = {
    **{
        f"trade-off {k}, distinct {distinct}": lambda P, ends=ends, distinct=distinct: of_tradeoff(P, ends, distinct)
        for k, ends in enumerate(ENDS)
        for distinct in (False, True)
    },
    "areas": lambda P: plain(rs.regions.first(P).areas),
    "winners": lambda P: sorted(rs.regions.winners(P)),
    "without skill": lambda P: rs.regions.without_skill(P),
    "flips": lambda P: rows(rs.regions.flips(P, by="f1").table()),
    "flips of recall": lambda P: rows(rs.regions.flips(P, by="recall").table()),
    "flips of the prior": lambda P: rows(rs.regions.prior_flips(P, by="f1").table()),
    "ranks": lambda P: sorted(zip(P.names, plain(rs.rank(P, by="f1").bounds), strict=True)),
    "ROC space": lambda P: of_view(rs.views.roc(P, by="kappa")),
    "PR space": lambda P: of_view(rs.views.pr(P, by="f1")),
    "cost curves": lambda P: rows(rs.views.cost_curve(P).table()),
    "best": lambda P: plain(rs.tile.best(P, resolution=5).values),
    "margin": lambda P: plain(rs.tile.margin(P, resolution=5).values),
    "correlation": lambda P: plain(rs.tile.correlation("f1", P, resolution=5).values),
    "prior": lambda P: P.common_prior(),
}


TIED = rs.Performances.from_counts(
    [[90, 10, 5, 20], [90, 10, 5, 20], [80, 20, 5, 20], [80, 20, 5, 20], [95, 5, 0, 0], [96, 4, 0, 0]],
    names=["zeta", "alpha", "mid", "beta", "none", "aaa"],
)
LISTS: dict[str, Any] = {
    "ranking": lambda P: [list(rs.rank(P, by="recall")), rs.rank(P, by="recall").table()["entity"]],
    "intervals": lambda P: rs.uncertainty.rank_intervals(P, by="f1", draws=200).table()["entity"],
    "differences": lambda P: rs.uncertainty.rank_intervals(P, by="f1", draws=200).differences.frame().values.tolist(),
    "weightings": lambda P: rs.domains.weightings(over_two_domains(P), by="f1").sentences(),
    "ties on the Tile": lambda P: rs.tile.entity(P).ties,
    "trade-off": lambda P: rs.tradeoff(P).notes,
    "points": lambda P: [
        rs.views.roc(P[P.priors > 0], by="accuracy").preference.best,
        rs.views.pr(P, by="f1").preference.best,
    ],
    "card": lambda P: on_first_page(rs.report(P, by="recall", draws=200)),
    "thresholds": lambda P: list(rs.sweep(TRUE, scores(P)).best("f1").table()["entity"]),
    "decision": lambda P: rs.decide(TRUE, scores(P), costs=rs.costs(miss=2), folds=3).entity,
    "site": lambda P: names_on_site(over_two_domains(P)),
}


TRUE = [0, 0, 1, 0, 1, 1, 0, 1]


def scores(P: rs.Performances) -> dict[str, list[float]]:
    return {name: [0.1, 0.2, 0.3, 0.4, 0.6, 0.9, 0.5, 0.7] for name in P.names}


def on_first_page(card: Any) -> list[str]:
    return [card.front.verdict, card.front.lead, *(row.name for row in card.front.rows)]


def names_on_site(P: rs.Performances) -> list[str]:
    with TemporaryDirectory() as folder:
        rs.site(P, folder, by="recall")
        text = "".join(Path(folder, page).read_text("utf-8") for page in ("index.html", "domains.html"))
    return re.findall(r">(zeta|alpha|mid|beta|none|aaa)<", text)


def over_two_domains(P: rs.Performances) -> rs.Performances:
    counts = np.concatenate([P.counts, P.counts + np.array([1, 2, 3, 4])])
    return rs.Performances.from_counts(counts, names=P.names * 2, domains=["x"] * len(P) + ["y"] * len(P))


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=pytest.mark.nightly) if what == "site" else what for what in LISTS]
)
def test_who_ties_is_listed_by_name(what: str) -> None:
    one, other = (LISTS[what](TIED[rows]) for rows in ([0, 1, 2, 3, 4, 5], [5, 3, 1, 4, 2, 0]))
    assert one == other


@pytest.mark.parametrize("command", [
    *("rank ties.csv", "rank ties.csv --by recall", "rank ties.csv --uncertainty", "rank ties.csv --format json"),
    *("why ties.csv", "why right.csv", "tile ties.csv"),
])  # fmt: skip
def test_no_text_of_a_command_depends_on_the_order_of_the_rows(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = []
    for rows in ([0, 1, 2, 3, 4, 5], [5, 3, 1, 4, 2, 0]):
        named = list(zip(TIED[rows].names, TIED[rows].counts.tolist(), strict=True))
        counts = [",".join(map(str, (name, *row))) for name, row in named]
        right = [f"{name},{domain},{row[3]},100" for name, row in named for domain in "xy"]
        Path("ties.csv").write_text("\n".join(["model,tn,fp,fn,tp", *counts]))
        Path("right.csv").write_text("\n".join(["model,benchmark,correct,total", *right]))
        done = CliRunner().invoke(main, command.split())
        assert done.exit_code == 0, done.output
        texts.append(done.stdout)
    assert texts[0] == texts[1]


def performances(rng: np.random.Generator, kind: int) -> rs.Performances:
    n = int(rng.integers(2, 8))
    names = [f"m{k}" for k in range(n)]
    if kind == 0:
        fp, tp = rng.integers(0, 9, n), rng.integers(0, 6, n)
        return rs.Performances.from_counts(np.stack([8 - fp, fp, 5 - tp, tp], axis=-1), names=names)
    if kind == 1:
        prior, rates = rng.choice([0.1, 0.2, 0.3, 0.7]), rng.choice([0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.9], (n, 2))
        tnr, tpr = rates.T
        mass = np.stack([(1 - prior) * tnr, (1 - prior) * (1 - tnr), prior * (1 - tpr), prior * tpr], axis=-1)
        return rs.Performances.from_probabilities(mass, names=names)
    counts = rng.integers(0, 5, (n, 4)) + np.array([1, 0, 0, 0])
    return rs.Performances.from_counts(counts, names=names)


def differing(seed: int, tables: int) -> list[str]:
    """Return the answers that change where the rows are shuffled."""
    rng, found = np.random.default_rng(seed), set()
    for k in range(tables):
        P = performances(rng, k % 3)
        Q = P[rng.permutation(len(P))]
        for name, answer in ANSWERS.items():
            given = []
            for one in (P, Q):
                try:
                    given.append(answer(one))
                except rs.RankscapeError as error:
                    given.append(type(error))
            if given[0] != given[1]:
                found.add(name)
    return sorted(found)


def test_no_answer_depends_on_the_order_of_rows() -> None:
    assert differing(0, 6) == []


def test_the_value_of_the_best_is_the_same_for_every_order_of_rows() -> None:
    for counts in ([[4, 2, 3, 3], [3, 1, 4, 3]], [[8, 4, 6, 6], [2, 6, 0, 4]]):
        values = [rs.views.pr(rows, by="f1").preference.value for rows in (counts, counts[::-1])]  # type: ignore[union-attr]
        assert values[0] == values[1]


def test_names_that_tie_are_listed_in_one_order() -> None:
    """Names that share a region, an interval of priors or a change are sorted, whichever rows they have."""
    names = ["b", "a", "d", "c", "e"]
    counts = np.array([[9, 1, 4, 6], [9, 1, 4, 6], [8, 2, 2, 8], [8, 2, 2, 8], [9, 1, 4, 6]])
    listings = []
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]):
        P = rs.Performances.from_counts(counts[order], names=[names[row] for row in order])
        regions, priors = rs.regions.first(P), rs.regions.prior_flips(P, by="f1")
        listings.append((
            [region.names for region in regions], list(regions.areas), regions.at(1, 0.5), regions.at(0, 0.5),
            [one.names for one in (*priors.intervals, *priors.flips)],
            [change.names for change in rs.regions.flips(P, by="f1").flips],
        ))  # fmt: skip
    assert listings[0] == listings[1] == listings[2]
    assert listings[0][0] == [("c", "d"), ("a", "b", "e")]


@pytest.mark.nightly
def test_no_answer_of_many_depends_on_the_order_of_rows() -> None:
    assert differing(1, 150) == []
