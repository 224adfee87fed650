"""Classes that only one cluster or domain holds: how others would differ is unknown, and so no draw is defined."""

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.uncertainty import first_tile, paired, rank_intervals, resampled_domains

COUNTS = {
    "a": {"x": [45, 5, 5, 45], "y": [30, 5, 0, 0], "z": [20, 8, 0, 0]},
    "b": {"x": [40, 10, 10, 40], "y": [25, 10, 0, 0], "z": [25, 3, 0, 0]},
}
ROWS = [(name, domain, counts) for name, each in COUNTS.items() for domain, counts in each.items()]
P = rs.Performances.from_counts(
    [counts for *_, counts in ROWS], names=[name for name, *_ in ROWS], domains=[domain for _, domain, _ in ROWS]
)
WHY = "Only one domain has positive cases, which does not show how much others would differ: no draw is defined"


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = ["entity,domain,tn,fp,fn,tp", *(f"{name},{domain},{','.join(map(str, c))}" for name, domain, c in ROWS)]
    (tmp_path / "p.csv").write_text("\n".join(lines))
    return "p.csv"


@pytest.mark.parametrize("by", ["f1", "tnr", "accuracy"])
@pytest.mark.parametrize("domains", [("x", "y"), ("x", "y", "z")])
def test_a_class_on_one_domain_leaves_every_draw_undefined(by, domains):
    kept = P[[i for i, domain in enumerate(P.domains) if domain in domains]]
    intervals = rank_intervals(resampled_domains(kept), by)
    assert np.isnan(intervals.p_first).all()
    assert (intervals.p_undefined == 1).all()
    assert WHY in intervals.notes


def test_a_class_in_one_cluster_leaves_every_draw_undefined():
    drawn = paired([1, 1, 1, 0, 0, 0], {"a": [1, 1, 0, 0, 0, 1], "b": [0, 1, 1, 1, 0, 0]}, clusters=list("aabbbb"))
    assert np.isnan(drawn.values).any(axis=2).all()
    assert any(note.startswith("Only one cluster has negative cases") for note in drawn.notes)


def test_the_map_of_the_most_probable_first_says_nothing_there():
    found = first_tile(P, 50, resample="domains", resolution=3)
    assert np.isnan(found.p_first).all()
    assert found.shares == {}


@pytest.mark.parametrize("command", ["rank", "report", "domains"])
def test_commands_say_that_no_draw_is_defined(command, table):
    options = {
        "rank": ["--uncertainty", "--resample", "domains"],
        "report": ["--resample", "domains", "--no-figures", "-o", "card.md"],
        "domains": [],
    }[command]
    done = CliRunner().invoke(main, [command, table, *options])
    assert done.exit_code == 0, done.output
    text = Path("card.md").read_text() if command == "report" else done.stdout
    assert not re.search(r"\bnan\b", text)
    assert "no draw is defined" in " ".join(text.split())


def test_clusters_that_span_domains_are_refused_and_not_counted_twice(tmp_path):
    truth, predicted = [0, 1, 1, 0] * 4, {"a": [0, 1, 1, 0] * 4, "b": [0, 1, 0, 0] * 4}
    clusters, domains = [1, 1, 2, 2] * 4, ["x", "y"] * 8
    with pytest.raises(rs.DataError, match='the cluster "1" lies on the domains "x" and "y".*name them apart'):
        paired(truth, predicted, 10, clusters=clusters, domains=domains)
    apart = [f"{domain}/{cluster}" for domain, cluster in zip(domains, clusters, strict=True)]
    assert paired(truth, predicted, 10, clusters=apart, domains=domains).unit.startswith(
        "Drawn: new samples of clusters (4 "
    )
    lines = ["y,a,b,c,d"]
    for case in zip(truth, predicted["a"], predicted["b"], clusters, domains, strict=True):
        lines.append(",".join(map(str, case)))
    (tmp_path / "t.csv").write_text("\n".join(lines))
    options = ["--truth", "y", "--prediction", "a", "--prediction", "b", "--cluster", "c", "--domain-column", "d"]
    done = CliRunner().invoke(main, ["rank", str(tmp_path / "t.csv"), *options, "--uncertainty"])
    assert (done.exit_code, "lies on the domains" in done.stderr) == (3, True)


@pytest.mark.parametrize("seed", [3, 9, 10, 27])
def test_two_clusters_may_leave_a_class_out_of_a_draw_without_a_warning_of_numpy(seed):
    rng = np.random.default_rng(seed)
    truth, where = (rng.random(20) < 0.4).astype(int), rng.integers(0, 2, 20)
    predictions = {name: np.where(rng.random(20) < 0.8, truth, 1 - truth) for name in "abc"}
    intervals = rank_intervals(paired(truth, predictions, 300, seed, clusters=where), by="f1")
    assert intervals.p_first.sum() == pytest.approx(1)
