"""The command line, the card, the page and Python say the same of how sure a ranking is, and of what was drawn."""

import base64
import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import rankscape as rs
from rankscape.cli import main
from rankscape.explorer import build
from rankscape.texts import estimated, rank_range

ROWS = [[80, 2, 9, 9], [76, 6, 6, 12], [40, 42, 3, 15], [81, 1, 16, 2]]
NAMES = list("abcd")
P = rs.Performances.from_counts(ROWS, names=NAMES)
ALIKE = rs.Performances.from_counts([[8, 2, 2, 8], [8, 2, 2, 8], [7, 3, 2, 8]], names=["x", "y", "z"])


def run(*arguments: str, status: int = 0) -> Result:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == status, done.output
    return done


def uncertain(*arguments: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(run("rank", *arguments, "--uncertainty", "--format", "json").stdout)
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("files")
    counts = "".join(f"{name},{','.join(map(str, row))}\n" for name, row in zip(NAMES, ROWS, strict=True))
    (folder / "counts.csv").write_text("entity,tn,fp,fn,tp\n" + counts)
    rng = np.random.default_rng(0)
    truth, hard = rng.random(120) < 0.4, rng.random(120)
    columns = {f"m{i}": (truth ^ (hard < 0.1 + 0.06 * i)).astype(int) for i in range(4)}
    rows = zip(truth.astype(int), range(120), *columns.values(), strict=True)
    lines = [",".join(["y", "patient", *columns]), *(f"{y},p{i // 6},{','.join(map(str, p))}" for y, i, *p in rows)]
    (folder / "cases.csv").write_text("\n".join(lines))
    domains = "".join(
        f"{name},{d},{','.join(str(5000 * x + 7 * d * x + d) for x in row)}\n"
        for name, row in zip(NAMES, ROWS, strict=True)
        for d in range(6)
    )
    (folder / "pixels.csv").write_text("entity,domain,tn,fp,fn,tp\n" + domains)
    return {path.stem: str(path) for path in folder.iterdir()}


HOW: dict[str, tuple[str, ...]] = {
    "counts": ("--seed", "7", "--draws", "900", "--level", "0.9"),
    "pixels": ("--posterior", "jeffreys", "--draws", "500"),
    "cases": ("--truth", "y", *(f"--prediction=m{i}" for i in range(4)), "--draws", "600"),
    "cases, clusters": ("--truth", "y", *(f"--prediction=m{i}" for i in range(4)), "--cluster", "patient"),
    "pixels, cases": ("--resample", "cases", "--posterior", "2", "--draws", "300", "--shift-prior", "0.2"),
}
UNITS = {
    "counts": "Drawn: new samples of cases, separately for each model, as if cases were independent",
    "pixels": "Drawn: new samples of domains, as if the 6 here were a random sample of their kind",
    "cases": "Drawn: new samples of cases, the same for all models, as if cases were independent",
    "cases, clusters": "Drawn: new samples of clusters (20 in the data), the same for all models",
    "pixels, cases": "Drawn: new samples of cases, separately for each model, as if cases were independent; the",
}


@pytest.mark.parametrize("name", HOW)
def test_commands_say_the_same(
    files: dict[str, str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, how = files[name.split(",")[0]], (*HOW[name], "--by", "f1")
    ranked = uncertain(file, *how)
    assert UNITS[name] in ranked["uncertainty"]["unit"]
    table = run("rank", file, *how, "--uncertainty").stdout
    assert UNITS[name] in " ".join(table.split())
    run("report", file, *how, "-o", str(tmp_path / "r.md"), "--no-figures")
    card = (tmp_path / "r.md").read_text()
    assert UNITS[name] in card
    carried: list[dict[str, object]] = []
    kept = build.data_of
    monkeypatch.setattr(build, "data_of", lambda *given: carried.append(kept(*given)) or carried[0])
    run("explore", file, *how, "-o", str(tmp_path / "e.html"))
    page = carried[0]["draws"]
    assert re.sub(r"\bmodel", "method", UNITS[name]) in page["notes"][0]
    numbers = np.frombuffer(base64.b64decode(page["data"]), "<f4").reshape(page["count"], -1, 3)
    prior, fpr, fnr = np.moveaxis(numbers.astype(float), 2, 0)
    prior = prior if "--shift-prior" not in how else np.full_like(prior, 0.2)
    f1 = 2 * prior * (1 - fnr) / (2 * prior * (1 - fnr) + prior * fnr + (1 - prior) * fpr)
    first = (f1 == f1.max(axis=1, keepdims=True)).mean(axis=0)
    of_page = dict(zip([carried[0]["entities"][row] for row in page["rows"]], first, strict=True))
    for row in ranked["entities"]:
        assert of_page[row["entity"]] == pytest.approx(row["p_first"], abs=1e-9)
        ranks, chance = rank_range(row["low"], row["high"]), re.sub("([<>])", r"\\\1", estimated(row["p_first"]))
        assert any(
            f"| {row['entity']} |" in line and line.endswith(f"| {ranks} | {chance} |") for line in card.splitlines()
        )


def test_python_says_the_same_as_the_command_line(files: dict[str, str]) -> None:
    found = uncertain(files["counts"], *HOW["counts"], "--by", "f1")
    python = rs.uncertainty.rank_intervals(P, "f1", 900, 7, level=0.9)
    rows = {row["entity"]: row for row in found["entities"]}
    assert [rows[name]["p_first"] for name in NAMES] == python.p_first.tolist()
    assert [rows[name]["low"] for name in NAMES] == python.low.tolist()
    assert [rows[name]["value_high"] for name in NAMES] == python.value_high.tolist()
    about = found["uncertainty"]
    assert (about["seed"], about["draws"], about["level"], about["paired"]) == (7, 900, 0.9, False)
    assert about["sure_differences"] == int(python.sure.sum())
    assert about["pairs"] == 6


def test_the_card_takes_draws_and_refuses_what_would_change_nothing() -> None:
    drawn = rs.uncertainty.posterior(P, 300, 4)
    assert str(rs.report(drawn, by="f1").sections) == str(rs.report(P, by="f1", draws=300, rng=4).sections)
    shifted = str(rs.report(drawn, by="f1", shift_prior=0.5).sections)
    assert shifted == str(rs.report(P, by="f1", draws=300, rng=4, shift_prior=0.5).sections)
    assert shifted == str(rs.report(drawn.shift_priors(0.5), by="f1").sections)
    for idle in ({"draws": 10}, {"rng": 1}, {"method": "jeffreys"}, {"weights": "size"}, {"resample": "cases"}):
        with pytest.raises(rs.UsageError, match="would change nothing: these are draws already"):
            rs.report(drawn, by="f1", **idle)


def test_the_page_takes_draws_before_the_shift(tmp_path: Path) -> None:
    drawn = rs.uncertainty.posterior(P, 50, 4)
    pages = []
    for given, how in ((drawn, {}), (P, {"draws": 50, "rng": 4})):
        rs.explore(given, tmp_path / "e.html", **how)
        pages.append((tmp_path / "e.html").read_text())
    assert pages[0] == pages[1]
    with pytest.raises(rs.UsageError, match="shifted to a prior already"):
        rs.explore(drawn.shift_priors(0.5), tmp_path / "e.html")


def test_the_table_of_sure_differences(files: dict[str, str], tmp_path: Path) -> None:
    how = (files["counts"], "--by", "f1", "--differences")
    python = rs.uncertainty.rank_intervals(P, "f1")
    shown = run("rank", *how).stdout
    assert shown.startswith("Sure differences of 4 models by F_1 score; larger is better")
    assert rs.uncertainty.on_differences(python)[:40] in " ".join(shown.split())
    assert UNITS["counts"] in " ".join(shown.split())
    found = json.loads(run("rank", *how, "--format", "json").stdout)
    assert [(row["better"], row["worse"]) for row in found["differences"]] == list(
        zip(python.differences["better"], python.differences["worse"], strict=True)
    )
    assert run("rank", *how, "--format", "csv").stdout == python.differences.to_csv()
    run("rank", *how, "-o", str(tmp_path / "d.svg"))
    assert "<svg" in (tmp_path / "d.svg").read_text()


def sentences(performances: object, by: str = "f1", **how: object) -> str:
    return "\n".join(rs.report(performances, by=by, **how)["How sure"].lines)


def test_words_on_what_p_first_leans_on() -> None:
    leaning = ", assuming the models are all of one kind"
    assert leaning in sentences(P)
    assert leaning in rs.report(P, by="f1")["Leaderboard"].lines[0]
    assert leaning not in sentences(P, method="jeffreys")
    assert "Caution: The models are drawn separately: where they are alike, P(first) is too large" in sentences(
        P, method="jeffreys"
    )


def test_words_where_no_difference_is_sure() -> None:
    assert "No difference is sure: the models may all be equally good, and P(first) says little" in sentences(ALIKE)
    assert "Any of these may be the best" not in sentences(ALIKE)
    assert "No difference is sure" not in sentences(P)


def test_words_on_those_that_may_be_first() -> None:
    tied = rs.uncertainty.rank_intervals(P, "f1").tied_for_first
    assert len(tied) == 2
    assert f"Any of these may be the best: {', '.join(tied)}" in sentences(P)
    clear = [[900, 10, 10, 80], [500, 410, 60, 30], [510, 400, 50, 40]]
    assert "P1 is surely better than all others" in sentences(clear)


def test_words_on_counts_that_may_be_of_the_same_cases() -> None:
    caution = "these counts do not show whether the models ran on the same cases. If they did, most differences are"
    assert caution in sentences(P)
    other = rs.Performances.from_counts([*ROWS[:3], [91, 1, 16, 2]], names=NAMES)  # these cannot be the same cases
    assert caution not in sentences(other)
    drawn = rs.uncertainty.paired([0, 1, 1, 0] * 9, {"a": [0, 1, 0, 0] * 9, "b": [1, 1, 1, 0] * 9}, 100)
    assert caution not in sentences(drawn)


def test_words_on_few_cases_draws_and_domains() -> None:
    assert "Caution: Only 3 cases are positive" in sentences([[90, 5, 2, 1], [80, 15, 1, 2]])
    assert "Caution: intervals and P(first) of 50 draws are rough" in sentences(P, draws=50)
    several = rs.Performances.from_counts(ROWS * 2, names=NAMES * 2, domains=["x"] * 4 + ["y"] * 4)
    assert "Caution: Only 2 domains were seen" in sentences(several, resample="domains")


@pytest.mark.parametrize("draws", [1, 20, 99])
def test_few_draws_state_no_probability_and_no_sure_difference(draws: int, tmp_path: Path) -> None:
    clear = [[460, 40, 40, 460], [200, 300, 300, 200]]
    lines = sentences(clear, draws=draws)
    assert f"P1 is first in {draws} of {draws} draw" in lines
    assert "cannot tell" in lines
    assert "with probability 1" not in lines
    assert "surely" not in lines
    card = rs.report(clear, by="f1", draws=draws)
    assert f"P1 is first, in {draws} of {draws} draw" in card["Leaderboard"].lines[0]
    assert card["Leaderboard"].table["P(first)"] == [f"{draws} of {draws}", f"0 of {draws}"]
    assert not rs.uncertainty.rank_intervals(clear, "f1", draws).sure.any()
    assert not rs.uncertainty.rank_intervals(clear, "f1", draws, level=0.5).sure.any()
    assert "P1 is surely better than all others" in sentences(clear, draws=100)


@pytest.mark.parametrize("more", [("--draws", "20"), ("--draws", "20", "--posterior", "jeffreys"), ()])
def test_json_has_all_cautions_of_the_text(files: dict[str, str], more: tuple[str, ...]) -> None:
    how = ("rank", files["counts"], "--uncertainty", *more)
    text = " ".join(run(*how).stdout.split())
    notes = json.loads(run(*how, "--format", "json").stdout)["uncertainty"]["notes"]
    assert len(notes) == text.count("Caution: ") > 0
    assert all(f"Caution: {note}" in text for note in notes)


@pytest.mark.parametrize("draws", ["1", "20"])
@pytest.mark.parametrize("how", [(), ("--shift-prior", "0.2"), ("--posterior", "jeffreys"), ("--by", "mcc")])
def test_no_interval_leaves_out_its_value(files: dict[str, str], draws: str, how: tuple[str, ...]) -> None:
    found = run("rank", files["counts"], "--uncertainty", "--draws", draws, *how, "--format", "json").stdout
    for row in json.loads(found)["entities"]:
        assert row["value_low"] <= row["value"] <= row["value_high"]  # to the last bit


@pytest.mark.parametrize("by", ["f1", "accuracy", "kappa", "ba"])
@pytest.mark.parametrize(
    ("domains", "options"), [(1, {}), (4, {}), (4, {"weights": {"d0": 1, "d1": 2, "d2": 0.3, "d3": 0}})]
)
def test_a_ranking_and_its_intervals_give_the_same_values(by: str, domains: int, options: dict[str, object]) -> None:
    Q = _random(domains)
    ranking = rs.rank(rs.summarize(Q, **options) if domains > 1 else Q, by=by)
    assert rs.uncertainty.rank_intervals(Q, by, 20, **options).values.tolist() == ranking.values.tolist()


@pytest.mark.filterwarnings("ignore::rankscape.domains.grid.MissingDomainsWarning")
def test_a_ranking_and_its_intervals_give_the_same_values_where_cells_are_missing() -> None:
    Q = _random(4)[np.arange(120) % 7 != 0]
    ranking = rs.rank(rs.summarize(Q, missing="available"), by="f1")
    intervals = rs.uncertainty.rank_intervals(Q, "f1", 20, missing="available")
    assert intervals.values.tolist() == ranking.values.tolist()


def test_equivalent_entities_have_the_same_value_in_any_order() -> None:
    Q = _random(1).shift_priors(0.3)  # two entities of the same balanced accuracy, of other rates
    backward = Q[np.arange(len(Q))[::-1]]
    assert rs.rank(backward, by="ba").values[::-1].tolist() == rs.rank(Q, by="ba").values.tolist()


def _random(domains: int) -> rs.Performances:
    rng = np.random.default_rng(3)
    negatives, positives = rng.binomial(60, 0.8, 30 * domains), rng.binomial(40, 0.8, 30 * domains)
    counts = np.stack([negatives, 60 - negatives, 40 - positives, positives], axis=1)
    names, places = ([f"{letter}{i}" for i in range(n)] for letter, n in (("e", 30), ("d", domains)))
    return rs.Performances.from_counts(
        counts, names=[name for name in names for _ in places], domains=places * 30 if domains > 1 else None
    )
