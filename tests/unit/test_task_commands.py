"""Predictions of other tasks from the command line, and in the card: the numbers are those of the evaluators."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.io.scored import read_task

VALUES = "id,y,a,b\n" + "".join(
    f"{i},{y},{y + d},{y - 2 * d}\n" for i, (y, d) in enumerate([(1, 1), (2, 0), (4, 3), (8, -1)])
)
CLASSES = "id,site,y,a,b\n" + "".join(
    f"{i},s{i % 2},{'xyz'[i % 3]},{'xyz'[i % 5 % 3]},{'xyz'[i % 7 % 3]}\n" for i in range(60)
)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("values.csv").write_text(VALUES)
    Path("classes.csv").write_text(CLASSES)


def run(line: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, line.split())
    assert result.exit_code == status, result.output
    return result.output


def document(line: str) -> dict[str, Any]:
    text = run(f"{line} --format json")
    return json.loads(text[text.index("{") :])  # notes stand before it


def values(line: str) -> dict[str, float]:
    return {row["entity"]: row["value"] for row in document(line)["entities"]}


BOTH = "--truth y --prediction a --prediction b"


def test_regression_is_ranked_by_its_errors() -> None:
    line = f"rank values.csv {BOTH} --task regression"
    assert values(line) == {"a": 1.25, "b": 2.5}
    assert values(f"{line} --by within(1)") == {"a": 0.75, "b": 0.25}
    document = json.loads(run(f"{line} --uncertainty --draws 200 --format json"))
    pairs = rs.tasks.regression.evaluate([1, 2, 4, 8], {"a": [2, 2, 7, 7], "b": [-1, 2, -2, 10]})
    intervals = rs.uncertainty.rank_intervals(pairs, "mae", draws=200, rng=0)
    assert [row["value_low"] for row in document["entities"]] == pytest.approx(sorted(intervals.value_low))
    assert any(row.startswith("rank,entity,value") for row in run(f"{line} --format csv").splitlines())


def test_regression_has_a_card() -> None:
    run(f"report values.csv {BOTH} --task regression -o card.html --draws 200")
    page = Path("card.html").read_text()
    assert "2 models ranked by mean absolute error" in page
    assert "Compared on 4 cases" in page
    pairs = rs.tasks.regression.evaluate([1, 2], {"a": [1, 3]})
    assert rs.report(pairs, by="rmse", draws=0)["Leaderboard"].table is not None


def test_a_long_table_says_which_case_it_is() -> None:
    rows = [(i, name, y, y + d) for i, (y, d) in enumerate([(1, 1), (2, 0), (4, 3)]) for name in ("n", "m")]
    Path("long.csv").write_text("id,model,y,p\n" + "".join(f"{i},{name},{y},{p}\n" for i, name, y, p in rows[::-1]))
    line = "rank long.csv --truth y --prediction p --entity-column model --task regression"
    assert values(f"{line} --case id") == {"n": pytest.approx(4 / 3), "m": pytest.approx(4 / 3)}
    assert "name the column of cases with --case" in run(line, 2)
    Path("long.csv").write_text("id,model,y,p\n1,n,1,2\n1,m,1,2\n2,n,1,2\n")
    assert '"m" lacks 1 of 2 cases' in run(f"{line} --case id", 3)
    Path("long.csv").write_text("id,model,y,p\n1,n,1,2\n1,m,3,2\n")
    assert "1 case with several truths" in run(f"{line} --case id", 3)
    Path("long.csv").write_text("id,model,y,p\n1,n,1,2\n1,n,1,2\n")
    assert "has more than one row of a case: 1 row too many, of 1 case" in run(f"{line} --case id", 3)


@pytest.mark.parametrize(("options", "sentence", "status"), [
    ("--costs miss=5", "costs, places and importances are about outcomes, and regression has errors: choose one with --by", 2),
    ("--shift-prior 0.1", "--shift-prior", 2),
    ("--weights size", "--weights would change nothing: regression has", 2),
    ("--pos-label 1", "--pos-label would change nothing: regression has no such thing", 2),
    ("--domain-column a", "regression has no domains: choose the rows of one, and rank these", 2),
    ("--by f1", "f1", 2),
])  # fmt: skip
def test_what_regression_has_not_is_refused(options: str, sentence: str, status: int) -> None:
    assert sentence in run(f"rank values.csv {BOTH} --task regression {options}", status)


def test_values_must_be_numbers() -> None:
    Path("values.csv").write_text("y,a,b\n1,x,2\n")
    assert '"x" is not a number' in run(f"rank values.csv {BOTH} --task regression", 3)
    Path("values.csv").write_text("y,a,b\n1,,2\n")
    assert "a is missing in 1 row" in run(f"rank values.csv {BOTH} --task regression", 3)


def test_other_commands_say_that_values_have_no_outcomes() -> None:
    for command in ("domains", "why", "tradeoff"):
        assert "rank, gate, report and explore take them" in run(f"{command} values.csv {BOTH} --task regression", 2)


def test_a_gate_compares_errors_and_pairs_of_elements_decide_nothing() -> None:
    both = f"gate values.csv {BOTH} --task regression --entity a --against-entity b"
    assert "PASS: a is at least as good as b\nSo a may replace b\nMean absolute error 1.2500 of a, 2.5000 of b" in run(
        both, 0
    )
    assert "Root mean squared error" in run(f"{both} --by rmse --alpha 0.01", 4)
    worse = f"gate values.csv {BOTH} --task regression --entity b --against-entity a --margin 0.1"
    assert "with a mean absolute error 10.0 % larger" in " ".join(run(worse, 4).split())
    assert "with a mean absolute error 10.0 % larger" in run(f"{worse} --format markdown", 4)
    assert "--costs would change nothing: regressors have no misses" in run(f"{both} --costs miss=2", 2)
    assert "regression has no domains, clusters or prior" in run(f"{both} --cluster y", 2)
    assert "clustering has no gate" in run(
        f"gate classes.csv {BOTH} --entity a --against-entity b --task clustering", 2
    )


def test_one_regressor_may_have_any_name() -> None:
    Path("one.csv").write_text("y,price\n1,1.5\n2,2.5\n")
    assert "First: price (0.5000)" in run("rank one.csv --truth y --prediction price --task regression", 0)


def test_a_column_of_models_names_the_regressors_of_a_long_table() -> None:
    Path("long.csv").write_text("house,price,model,prediction\n1,1,a,2\n2,2,a,2\n1,1,b,4\n2,2,b,2\n", "utf-8")
    line = "rank long.csv --truth price --prediction prediction --task regression"
    assert values(f"{line} --case house") == {"a": 0.5, "b": 1.5}
    assert '"model" names the models, and no column the cases that they share' in run(line, 2)
    Path("one.csv").write_text("price,model,prediction\n1,a,2\n2,a,2\n", "utf-8")  # one model needs no names of cases
    assert values(line.replace("long", "one")) == {"a": 0.5}
    Path("german.csv").write_text("Fall,Modell,y,y_pred\n1,a,1,1\n2,a,0,0\n1,b,1,0\n2,b,0,0\n", "utf-8")
    assert set(values("rank german.csv --truth y --prediction y_pred --by accuracy")) == {"a", "b"}


@pytest.mark.parametrize("option", ["--unanswered common", "--repeat id", "--weight id"])
def test_options_that_regressors_have_no_use_for_are_refused(option: str) -> None:
    line = f"rank values.csv {BOTH} --task regression {option}"
    assert f"{option.split()[0]} would change nothing: regression has no such thing" in run(line, 2)


def test_clusters_are_compared_by_pairs_that_are_no_cases() -> None:
    y, a, b = (np.array([line.split(",")[k] for line in CLASSES.splitlines()[1:]]) for k in (2, 3, 4))
    P = rs.tasks.clustering.evaluate(y, {"a": a, "b": b})
    line = f"rank classes.csv {BOTH} --task clustering"
    assert values(line) == pytest.approx(dict(zip(P.names, rs.score("f1")(P).tolist(), strict=True)))
    assert "uncertainty needs counts" in run(f"{line} --uncertainty", 3)
    site = np.arange(60) % 2 == 0
    parts = [rs.tasks.clustering.evaluate(y[here], {"a": a[here], "b": b[here]}) for here in (site, ~site)]
    mean = np.mean([part.mass for part in parts], axis=0)
    by_site = values(f"{line} --domain-column site --by accuracy")
    assert by_site == pytest.approx(dict(zip(P.names, mean[:, 0] + mean[:, 3], strict=True)))


def test_classes_can_be_taken_as_several_or_as_two() -> None:
    assert values(f"rank classes.csv {BOTH} --task multi-class") == values(f"rank classes.csv {BOTH}")
    Path("classes.csv").write_text("y,a\n1,1\n0,1\n0,0\n")
    line = "rank classes.csv --truth y --prediction a"
    assert "--task multi-class would change nothing: the labels are those of two" in run(
        f"{line} --task multi-class", 2
    )
    assert values(line) == values(f"{line} --task two-class") == {"a": pytest.approx(2 / 3)}
    assert "--task is about predictions" in run("rank classes.csv --task multi-class", 2)


def test_long_tables_of_values_may_have_any_order_and_kind(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {"id": np.tile(np.arange(9), 2), "m": np.repeat(["u", "v"], 9), "y": np.tile(rng.random(9), 2)}
    )
    frame["p"] = frame["y"] + rng.normal(size=18)
    roles: dict[str, Any] = {"truth": "y", "prediction": "p", "entity": "m", "case": "id"}
    expected = {name: abs(of["p"] - of["y"]).mean() for name, of in frame.groupby("m")}
    shuffled = frame.sample(frac=1, random_state=3)
    shuffled.to_csv(tmp_path / "t.csv", index=False)
    shuffled.to_parquet(tmp_path / "t.parquet")
    for source in (shuffled, tmp_path / "t.csv", tmp_path / "t.parquet", shuffled.to_dict("records")):
        P = read_task(source, "regression", **roles)
        assert dict(zip(P.names, rs.rank(P, by="mae").values.tolist(), strict=True)) == pytest.approx(expected)
    short = pd.DataFrame({"y": np.array([0.1, 0.3], dtype=np.float32), "a": np.array([0.2, 0.5], dtype=np.float32)})
    assert rs.rank(
        read_task(short, "regression", truth="y", prediction="a"), by="mae"
    ).values.tolist() == pytest.approx([0.15], rel=1e-12)
