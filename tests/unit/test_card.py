"""The ranking card: what it says, on which data, and that what comes from outside stays text."""

import importlib
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape import Performances, datasets
from rankscape._report.answers import within
from rankscape._report.card import data_hash
from rankscape.cli import main

ROWS = [[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15], [81, 1, 12, 6]]
HOSTILE = ["<img src=x onerror=alert(1)>", "a|b & c", "x\x1b[31m\ny", "50%_$of #1 \\end{longtable}"]


def card(rows: object = ROWS, **options: object) -> rs.Card:
    return rs.report(Performances.from_counts(rows, names=["a", "b", "c", "d"]), draws=200, **options)


def test_the_card_tells_all_that_a_reader_must_know() -> None:
    found = card(by="f2")
    assert [section.title for section in found.sections] == [
        "Leaderboard",
        "The question",
        "The data",
        "How sure",
        "What would change the answer",
        "May you rank with this score?",
        "Between precision and recall",
    ]
    ranking = rs.rank(Performances.from_counts(ROWS, names=["a", "b", "c", "d"]), by="f2")
    assert found["Leaderboard"].table["model"] == [ranking.names[i] for i in ranking.order]
    chance = rs.uncertainty.rank_intervals(ROWS, by="f2", draws=200).p_first.max()
    assert f"{chance:.2f}" in found["Leaderboard"].lines[0]
    assert "sound for ranking" in found["May you rank with this score?"].lines[0]
    assert any(
        "Share of positives (prior π₊), as measured: 0.18, the same for all" in line for line in found["The data"].lines
    )
    assert found.made[0] == f"rankscape {rs.__version__}"


def test_an_unsound_score_is_said_to_be_one() -> None:
    found = card(by="mcc")
    assert any(line.startswith("Caution") for line in found["Leaderboard"].lines)
    assert "NOT sound" in found["May you rank with this score?"].lines[0]
    assert "has no place on the Tile" in found["What would change the answer"].lines[0]


@pytest.fixture(scope="module")
def of_domains() -> rs.Card:
    return rs.report(datasets.classifiers(), draws=100)


def test_many_domains_have_a_section(of_domains: rs.Card) -> None:
    found = of_domains
    assert "averaged over 14 domains with equal weights" in " ".join(found["The data"].lines)
    assert set(found["The domains"].table["model"]) == set(datasets.classifiers().names)


def test_probabilities_have_no_intervals() -> None:
    found = rs.report(Performances.from_probabilities([[0.5, 0.1, 0.1, 0.3], [0.4, 0.2, 0.05, 0.35]]))
    assert found["How sure"].lines == ("No intervals: probabilities do not say how many cases there were",)
    assert "interval" not in found["Leaderboard"].table.columns


def test_other_outcomes_have_no_tile() -> None:
    P = rs.tasks.multi_class.evaluate(["a", "b", "c", "a"], {"m": ["a", "b", "a", "a"], "n": ["a", "c", "c", "b"]})
    found = rs.report(P, by=rs.score("accuracy", P.space), draws=100)
    assert [section.title for section in found.sections] == ["Leaderboard", "The question", "The data", "How sure"]


@pytest.mark.parametrize("rows", [[[5, 0, 0, 0]], [[0, 0, 0, 5], [0, 0, 5, 0]], [[1, 1, 1, 1]] * 3])
def test_degenerate_data_have_a_card(rows: list) -> None:
    assert rs.report(Performances.from_counts(rows), draws=50)["Leaderboard"].lines


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    P = Performances.from_counts(ROWS, names=HOSTILE)
    found = rs.report(P, tmp_path / "r.html", draws=50, title=HOSTILE[0], figures=False)
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "<img src=x" not in page
    assert "\x1b" not in page + found.markdown()
    assert "default-src 'none'" in page
    assert not re.search(r"<script|https?://(?!www\.w3\.org)", re.sub(r"base64,[^\"]*", "", page))
    assert r"a\|b \& c" in found.markdown()


def test_figures_are_inside_the_page_or_beside_it(tmp_path: Path) -> None:
    P = Performances.from_counts(ROWS)
    rs.report(P, tmp_path / "r.html", draws=50)
    assert (tmp_path / "r.html").read_text("utf-8").count("data:image/svg+xml;base64,") == 4
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]
    rs.report(P, tmp_path / "my report.md", draws=50)
    page = (tmp_path / "my report.md").read_text("utf-8")
    for name in ("intervals", "tile", "points", "ranks"):
        assert f"(my%20report_figures/{name}.png)" in page
        assert (tmp_path / "my report_figures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    rs.report(P, tmp_path / "plain.md", draws=50, figures=False)
    assert "![" not in (tmp_path / "plain.md").read_text("utf-8")


@pytest.mark.nightly  # make machines compares what is written byte by byte, too
def test_the_same_data_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.html", "two.html"):
        rs.report(Performances.from_counts(ROWS), tmp_path / name, draws=50)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_the_hash_is_that_of_names_domains_and_counts() -> None:
    base = Performances.from_counts(ROWS)
    others = [
        Performances.from_counts(ROWS[::-1]),
        Performances.from_counts(ROWS, names=["a", "b", "c", "d"]),
        Performances.from_counts(ROWS, domains=["x"] * 4),
        Performances.from_probabilities(base.mass),
    ]
    assert data_hash(base) == data_hash(Performances.from_counts(np.array(ROWS)))
    assert len({data_hash(base), *map(data_hash, others)}) == 5


def test_nothing_is_written_where_something_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(rs.UsageError, match=r"expected a name that ends in \.html, \.md$"):
        rs.report(ROWS, tmp_path / "report.docx")
    with pytest.raises(rs.UnknownScoreError):
        rs.report(ROWS, tmp_path / "report.html", by="no score")
    with pytest.raises(rs.DataError, match="summaries over different domains cannot be compared"):
        rs.report(
            Performances.from_counts(ROWS[:3], names=["a", "a", "b"], domains=["x", "y", "x"]), tmp_path / "report.html"
        )
    assert not list(tmp_path.iterdir())


def test_the_command_writes_what_the_function_writes(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(
        "entity,tn,fp,fn,tp\n" + "".join(f"e{k},{','.join(map(str, row))}\n" for k, row in enumerate(ROWS))
    )
    options = ["--by", "f2", "--draws", "50", "--no-figures", "-o", str(tmp_path / "cli.md")]
    done = CliRunner().invoke(main, ["report", str(tmp_path / "r.csv"), *options])
    assert done.exit_code == 0, done.output
    rs.report(rs.read(tmp_path / "r.csv"), tmp_path / "py.md", by="f2", draws=50, figures=False)
    assert (tmp_path / "cli.md").read_text("utf-8") == (tmp_path / "py.md").read_text("utf-8")


def test_the_version_is_that_of_the_package() -> None:
    pyproject = (Path(__file__).resolve().parents[2] / "pyproject.toml").read_text("utf-8")
    assert f'\nversion = "{rs.__version__}"\n' in pyproject


@pytest.mark.some(1)
@pytest.mark.parametrize("rows", [[[0, 0, 3, 5], [0, 0, 1, 7]], [[5, 3, 0, 0], [7, 1, 0, 0]], [[5, 1, 2, 8]]])
def test_what_has_no_place_in_a_figure_is_left_out(rows: list, tmp_path: Path) -> None:
    found = rs.report(Performances.from_counts(rows), tmp_path / "r.html", draws=20)
    assert "data:image/svg+xml" in (tmp_path / "r.html").read_text("utf-8")
    assert found.title.startswith("1 model ranked" if len(rows) == 1 else "2 models ranked")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("entity,tn,fp,fn,tp\na,5,1,2,8\n")
    for kind in ("html", "md"):
        output = str(tmp_path / "no" / f"r.{kind}")
        done = CliRunner().invoke(
            main, ["report", str(tmp_path / "r.csv"), "-o", output, "--no-figures", "--draws", "0"]
        )
        assert done.exit_code == 2
        assert "there is no folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["r.csv"]


def test_an_unsound_score_on_several_domains_has_a_card() -> None:
    found = rs.report(datasets.classifiers(), by="mcc", draws=20)
    assert "no weights" in found["The domains"].lines[0]
    assert found["The domains"].table is None


def test_the_figure_of_intervals_shows_those_of_the_table(tmp_path: Path) -> None:
    one = rs.report(ROWS, tmp_path / "a.html", draws=50, rng=np.random.default_rng(3))
    other = rs.report(ROWS, draws=50, rng=np.random.default_rng(3))
    assert list(one["Leaderboard"].table.rows()) == list(other["Leaderboard"].table.rows())


def test_the_answers_are_those_of_the_functions() -> None:
    P = datasets.classifiers().in_domain("breast cancer")
    found = rs.report(P, by="f1", draws=100)
    text, table = " ".join(found["What would change the answer"].lines), found["What would change the answer"].table
    flips = rs.regions.flips(P, by="f1")
    low = flips.along_b[0] / (1 - flips.along_b[0])
    assert f"a miss is worth at least {within(low, up=True)} false alarms" in text
    assert f"by a factor of up to {np.floor(100 / low) / 100:.3g} and the winner stays the same" in text
    assert "On these data the other ten never come first." in text
    assert len(P) - len(rs.regions.winners(P)) == 10
    assert f"On {100 * rs.regions.without_skill(P):.1f} % of the Tile no model beats" in text
    for change, flip in zip(table["nearest change"], flips.flips, strict=True):
        one, less, end = re.fullmatch(r"a (miss|detection) worth (less|more) than (\S+) .*", change).groups()
        assert flip.direction.startswith({"less": "fewer", "more": "more"}[less])
        assert flip.direction.endswith(one)
        place = flip.b if one == "miss" else flip.a
        assert float(end) == pytest.approx(place / (1 - place), rel=0.01)
    tradeoff = found["Between precision and recall"]
    optimal = dict(zip(tradeoff.table["rank by"], tradeoff.table["degree of optimality"], strict=True))
    assert optimal["F1"] == f"{100 * rs.tradeoff(P).optimality(beta=1):.1f} %"
    assert "tied models get the best rank of the tie" in " ".join(found["The question"].lines)
    ties = rs.report(P, by="f1", ties="max", draws=100)["The question"].lines
    assert "tied models get the worst rank of the tie" in " ".join(ties)


def test_the_data_and_domains_are_those_of_the_functions(of_domains: rs.Card) -> None:
    P, found = datasets.classifiers(), of_domains
    cases = P.counts.sum(axis=1)
    assert f"{cases.min()} to {cases.max()}" in " ".join(found["The data"].lines)
    roles, table = rs.domains.roles(P, by="f1"), found["The domains"].table
    for role in ("easiest", "hardest", "preponderant", "bottleneck"):
        for shown, names in zip(table[role], roles.sets[role], strict=True):
            more = f"{', '.join(names[:2])} and {len(names) - 2} more"
            assert shown == (more if names[2:] else " and ".join(names))


def test_the_hash_is_found_where_the_card_says() -> None:
    found = card()
    line = next(line for line in found.made if "SHA-256" in line)
    module, _, function = re.search(r"\(([\w.]+)\)", line)[1].rpartition(".")
    P = Performances.from_counts(ROWS, names=["a", "b", "c", "d"])
    assert line.endswith(getattr(importlib.import_module(module), function)(P))


def test_weights_and_gaps_are_those_of_the_summary(tmp_path: Path) -> None:
    rows = [[95, 5, 5, 95], [60, 40, 40, 60], [94, 6, 6, 94], [30, 70, 10, 90], [80, 20, 20, 80]]
    P = Performances.from_counts(rows, names=list("aabbc"), domains=list("xyxyx"))
    found = rs.report(P, weights={"x": 3, "y": 1}, missing="available", draws=50)
    with pytest.warns(rs.domains.MissingDomainsWarning):
        summary = rs.summarize(P, {"x": 3, "y": 1}, "available")
    expected = rs.rank(summary, by="f1")
    assert found["Leaderboard"].table["model"] == list(expected)
    text = " ".join(found["The data"].lines)
    assert "averaged over up to 2 domains with the weights given (x 75.0 %, y 25.0 %)" in text
    assert "c lacks 1 domain (y)" in text
    assert "c lacks" not in " ".join(found["The question"].lines)
    assert found["What would change the answer"].lines[0].startswith(next(iter(expected)))
    with pytest.raises(rs.DataError, match="missing"):
        rs.report(P, draws=50)


def test_the_card_says_at_which_shares_of_positives_the_answer_holds() -> None:
    rows = [[836, 44, 12, 108], [792, 88, 4, 116], [871, 9, 40, 80]]
    P = Performances.from_counts(rows, names=["A", "B", "C"])
    lines = rs.report(P, draws=0)["What would change the answer"].lines
    assert (
        "It stays first for any share of positives from 0.0938 to 0.384 (here 0.12). Below it, C comes first; above it, B."
        in lines
    )
    areas = sorted(rs.regions.first(P.shift_priors(0.5)).areas.items(), key=lambda item: -item[1])
    assert f"At the reference share (0.5): {', '.join(f'{name} {100 * area:.1f} %' for name, area in areas)}." in lines


def test_the_first_page_says_what_the_weights_say() -> None:
    data = rs.tasks.success.from_counts([9, 5, 8, 4], 10, names=["a", "b"] * 2, domains=["x", "x", "y", "y"])
    card = rs.report(data, draws=0)
    (line,) = [line for line in card["Who is first for which weights"].lines if "whatever weight" in line]
    assert card.front is not None
    assert (card.front.changes, card.front.unchanged) == ((), f"{line}.")
    alone = {name: rs.report(P, draws=0).front for name, P in (("many", data.in_domain("x")), ("one", data[:1]))}
    assert alone["many"] is not None
    assert alone["one"] is not None
    assert alone["many"].unchanged == "Only other cases: every ranking score gives the same order."
    assert alone["one"].unchanged == "Nothing: there is no other model."
