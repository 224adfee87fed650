"""Sums and means of rows are never ranked, whether their name says so or their numbers; a model called so is."""

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankscape as rs

pytestmark = pytest.mark.filterwarnings("ignore::rankscape.errors.IncompleteDataWarning")
MODELS = {"forest": [90, 10, 5, 45], "svm": [80, 20, 3, 47], "bayes": [71, 29, 10, 40], "knn": [85, 15, 9, 41]}
SUM = np.sum([*MODELS.values()], axis=0).tolist()
MEAN = [81, 19, 7, 43]  # of 81.5, 18.5, 6.75 and 43.25
SITES = {
    "A": {"S1": [149, 19, 18, 19], "S2": [510, 42, 56, 5]},
    "B": {"S1": [121, 47, 26, 11], "S2": [533, 19, 29, 32]},
}


def table(rows: dict[str, list[int]], header: str = "model") -> str:
    return f"{header},tn,fp,fn,tp\n" + "".join(f"{name},{','.join(map(str, row))}\n" for name, row in rows.items())


def by_site(names: dict[str, str], rows: Any = SITES) -> str:
    """Return a table of sites with a row more for each model."""
    lines = [f"{m},{s},{','.join(map(str, c))}" for m, sites in rows.items() for s, c in sites.items()]
    for model, name in names.items():
        lines.append(f"{model},{name},{','.join(map(str, np.sum([*rows[model].values()], axis=0)))}")
    return "\n".join(["model,site,tn,fp,fn,tp", *lines, ""])


@pytest.mark.parametrize("name", [
    "Total", "TOTAL", "Sum", "Overall", "All", "Combined", "**combined (877)**", "Gesamt", "Summe", "Grand Total", "All models",
    "Total (4 models)", "Totals*", "_Sum_", "Sum of all", "Overall results", "合計",
])  # fmt: skip
def test_named_sums_are_no_models(name: str) -> None:
    for rows in ({**MODELS, name: SUM}, {name: SUM, **MODELS}, {"forest": MODELS["forest"], name: MODELS["forest"]}):
        assert rs.read(io.StringIO(table(rows))).names == tuple(model for model in rows if model != name)
    frame = pd.DataFrame({**MODELS, name: SUM}, index=["tn", "fp", "fn", "tp"]).T
    assert rs.read(frame).names == tuple(MODELS)
    assert rs.read(
        {model: {"tn": r[0], "fp": r[1], "fn": r[2], "tp": r[3]} for model, r in [*MODELS.items(), (name, SUM)]}
    ).names == tuple(MODELS)
    assert rs.read({model: [r[:2], r[2:]] for model, r in [*MODELS.items(), (name, SUM)]}).names == tuple(MODELS)


@pytest.mark.parametrize(
    "name", ["Average", "Mean", "macro avg", "Avg.", "Durchschnitt", "Average over models", "Overall"]
)
def test_named_means_are_no_models(name: str) -> None:
    assert rs.read(io.StringIO(table({**MODELS, name: MEAN}))).names == tuple(MODELS)
    both = {**MODELS, name: MEAN, "Total": SUM}
    assert rs.read(io.StringIO(table(both))).names == tuple(MODELS)
    shares = {model: [x / 150 for x in row] for model, row in MODELS.items()}
    means = np.mean([*shares.values()], axis=0).tolist()
    text = table({**shares, name: means})  # type: ignore[dict-item]
    assert rs.read(io.StringIO(text)).names == tuple(MODELS)


def test_what_was_left_out_is_named() -> None:
    with pytest.warns(rs.IncompleteDataWarning, match=r'left out: 1 row \("Total", the sum of the others\)'):
        rs.read(io.StringIO(table({**MODELS, "Total": SUM})))
    with pytest.warns(rs.IncompleteDataWarning, match=r'left out: 2 rows \("all sites", the sum of the others\)'):
        rs.read(io.StringIO(by_site({"A": "all sites", "B": "all sites"})), domain="site")


@pytest.mark.parametrize("name", ["Total", "Sum", "Gesamt", "Subtotal"])
@pytest.mark.parametrize("row", [[327, 74, 27, 173], [90, 10, 5, 45], [300, 60, 20, 150]])
def test_what_is_called_a_sum_and_is_none_is_asked_about(name: str, row: list[int]) -> None:
    with pytest.raises(rs.DataError) as refused:
        rs.read(io.StringIO(table({**MODELS, name: row})))
    assert (
        f'"{name}" is called a sum of the others, and is none: tn = {row[0]}, theirs sum to 326' in str(refused.value)
        or row[0] == 326
    )
    assert "drop the row, or rename it if it is no sum" in str(refused.value)


@pytest.mark.parametrize("name", ["Overall", "All", "Combined"])
def test_an_odd_number_of_cases_tells_that_a_row_is_no_model(name: str) -> None:
    with pytest.raises(rs.DataError, match=f'"{name}" is called a sum of the others, and is none'):
        rs.read(io.StringIO(table({**MODELS, name: [327, 74, 27, 173]})))


@pytest.mark.parametrize("name", [
    "combined", "all", "mean", "average", "mean teacher", "all-MiniLM", "Sum-Product Network", "ensemble", "total variation",
    "overall best", "micro-transformer", "pooled",
])  # fmt: skip
def test_models_may_be_called_so(name: str) -> None:
    own = [95, 5, 8, 42]  # of as many cases as the others
    P = rs.read(io.StringIO(table({**MODELS, name: own})))
    assert (P.names, P.counts[-1].tolist()) == ((*MODELS, name), own)


@pytest.mark.parametrize("name", ["ensemble", "everyone", "unet", "X"])
def test_the_exact_sum_of_three_others_is_a_sum_whatever_its_name(name: str) -> None:
    assert rs.read(io.StringIO(table({**MODELS, name: SUM}))).names == tuple(MODELS)
    two = {"forest": MODELS["forest"], "svm": MODELS["svm"], name: [170, 30, 8, 92]}  # two others may be a coincidence
    assert rs.read(io.StringIO(table(two))).names == tuple(two)
    near = {**MODELS, name: [SUM[0] + 1, *SUM[1:]]}
    assert rs.read(io.StringIO(table(near))).names == tuple(near)


def test_small_counts_are_sums_by_chance() -> None:
    small = {"a": [1, 0, 0, 1], "b": [0, 1, 0, 1], "c": [1, 0, 1, 0], "d": [2, 1, 1, 2]}
    assert rs.read(io.StringIO(table(small))).names == tuple(small)


# Domains


@pytest.mark.parametrize("name", ["Total", "overall", "All", "all sites", "All regions", "Combined", "SUM"])
def test_sums_over_domains_are_no_domain(name: str) -> None:
    P = rs.read(io.StringIO(by_site({"A": name, "B": name})), domain="site")
    assert P.domains == ("S1", "S2", "S1", "S2")
    only_one = rs.read(io.StringIO(by_site({"A": name})), domain="site")
    assert only_one.domains == ("S1", "S2", "S1", "S2")


def test_means_over_domains_are_no_domain() -> None:
    rows = "A,average,330,30,37,12\nB,average,327,33,28,22\n"
    P = rs.read(io.StringIO(by_site({}) + rows), domain="site")
    assert P.domains == ("S1", "S2", "S1", "S2")


def test_an_unnamed_domain_that_sums_up_all_others_of_every_model_is_none() -> None:
    rng = np.random.default_rng(5)
    sites = {m: {s: rng.integers(5, 90, 4).tolist() for s in "wxyz"} for m in "AB"}
    assert set(rs.read(io.StringIO(by_site({"A": "FULL", "B": "FULL"}, sites)), domain="site").domains) == set("wxyz")
    one = by_site({"A": "FULL"}, sites) + "B,FULL,1,2,3,100\n"  # of one model only
    assert set(rs.read(io.StringIO(one), domain="site").domains) == {*"wxyz", "FULL"}


def test_a_domain_may_be_called_all() -> None:
    rows = "A,all,100,10,5,20\nB,all,90,20,5,20\n"
    P = rs.read(io.StringIO(by_site({}) + rows), domain="site")
    assert set(P.domains) == {"S1", "S2", "all"}
    with pytest.raises(
        rs.DataError, match='"all" is called a sum of the others, and is none: tn = 700, theirs sum to 659'
    ):
        rs.read(io.StringIO(by_site({}) + rows.replace("100,", "700,").replace("90,", "700,")), domain="site")


def test_sums_over_models_on_each_domain_and_over_everything() -> None:
    per_site = [f"Total,{s},{','.join(map(str, np.sum([SITES[m][s] for m in SITES], axis=0)))}" for s in ("S1", "S2")]
    whole = np.sum([c for sites in SITES.values() for c in sites.values()], axis=0)
    text = by_site({"A": "Total", "B": "Total"}) + "\n".join(
        [*per_site, f"Total,Total,{','.join(map(str, whole))}", ""]
    )
    P = rs.read(io.StringIO(text), domain="site")
    assert (P.names, P.domains) == (("A", "A", "B", "B"), ("S1", "S2", "S1", "S2"))


def test_sums_of_the_levels_of_a_domain() -> None:
    rows = [("a", "x", [10, 2, 3, 20]), ("a", "y", [30, 4, 1, 9]), ("b", "x", [7, 7, 7, 7]), ("b", "y", [50, 1, 2, 3])]
    lines = [f"m,{g},{v},{','.join(map(str, c))}" for g, v, c in rows]
    lines += [f"m,{g},all,{','.join(map(str, np.sum([c for h, _, c in rows if h == g], axis=0)))}" for g in "ab"]
    lines += [f"m,Overall,Overall,{','.join(map(str, np.sum([c for *_, c in rows], axis=0)))}"]
    text = "\n".join(["model,group,video,tn,fp,fn,tp", *lines, ""])
    assert rs.read(io.StringIO(text), domain=["group", "video"]).domains == ("a/x", "a/y", "b/x", "b/y")


def test_a_total_that_stands_alone_is_read() -> None:
    assert rs.read(io.StringIO("model,tn,fp,fn,tp\nTotal,1,2,3,4\n")).names == ("Total",)
    alone = rs.read(io.StringIO("model,site,tn,fp,fn,tp\nA,Total,1,2,3,4\nB,Total,2,2,3,4\n"), domain="site")
    assert alone.domains == ("Total", "Total")


def test_other_kinds_of_counts_have_sums_too() -> None:
    assert rs.read(io.StringIO("model,correct,total\na,8,10\nb,6,10\nTotal,14,20\n")).names == ("a", "b")
    assert rs.read(io.StringIO("model,passed,failed\na,8,2\nb,6,4\nAverage,7,3\n")).names == ("a", "b")
    assert rs.read(io.StringIO("model,fp,fn,tp\na,8,2,5\nb,6,4,5\nSum,14,6,10\n")).names == ("a", "b")
    pairs = "model,a→a,a→b,b→a,b→b\nx,5,1,2,6\ny,4,2,1,7\nOverall,9,3,3,13\n"
    assert rs.read(io.StringIO(pairs)).names == ("x", "y")
    prefixed = "Name,eval/TN,eval/FP,eval/FN,eval/TP\na,5,1,2,6\nb,4,2,1,7\nTotal,9,3,3,13\n"
    assert rs.read(io.StringIO(prefixed)).names == ("a", "b")
    markdown = "| Method | TN | FP | FN | TP |\n|---|---|---|---|---|\n| a | 5 | 1 | 2 | 6 |\n| b | 4 | 2 | 1 | 7 |\n| **combined (26)** | 9 | 3 | 3 | 13 |\n"
    assert rs.read(io.StringIO(markdown)).names == ("a", "b")
