"""Published numbers: all tables of counts that round to printed rates, against scans, and ranks bounded over them."""

import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.account import ONLY_COUNTS
from rankscape.cli import main


def test_a_million_cases() -> None:
    result = rs.reconstruct(sensitivity="0.8312", specificity="0.9123", n=10**6, n_positive=10**5, precision="0.5129")
    assert result.n_solutions == 345
    many = rs.reconstruct(sensitivity="0.83", specificity="0.91", n_positive=10**5, n_negative=9 * 10**5)
    assert many.counts is None
    assert many.n_solutions is None
    assert many.bounds.tolist() == [[814500, 76500, 16500, 82500], [823500, 85500, 17500, 83500]]
    assert "more than 1000000 tables" in many.heading
    assert many.table()["tp"] == [82500, 83500]
    with pytest.raises(rs.UsageError, match="more than 1000000 solutions"):
        many.performances()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"auc": 0.9, "n": 10},
            r"'auc' is not a rate from which counts can be reconstructed; expected one of sensitivity",
        ),
        ({"far": 0.9, "n": 10}, r"'far' means several things: type fdr .the false alarm ratio"),
        ({"recall": 83.1, "n": 10}, r'from 0 to 1: write "recall \(%\)" in place of "recall", or write "83.1 %"'),
        ({"recall": "9/10", "n": 10}, r"recall = '9/10' is not a number; expected .*: write 0.9"),
        ({"recall": "0.8 (0.7-0.9)", "n": 10}, r"recall = '0.8 \(0.7-0.9\)' is not a number; expected one such as"),
        ({"recall": "1.2.3", "n": 10}, r"is not a number"),
        ({"recall": float("nan"), "n": 10}, r"recall = nan is not a number; expected a finite number"),
        ({"recall": True, "n": 10}, r"recall = True is not a number"),
        ({"plr": "1,234", "n": 10}, r"may have a decimal comma, or separate thousands"),
        ({"recall": 0.8333, "n": 10, "decimals": 2}, r"recall = 0.8333 has 4 decimals, which is more than decimals=2"),
        ({"recall": 0.83, "n": 10, "decimals": -1}, r"decimals = -1 is not a number of decimals; expected 0 to 12"),
        ({"recall": 0.83, "n": 10, "decimals": {"recall": 2}}, r"decimals = {'recall': 2} is not a number of decimals"),
        ({"n": 10}, r"no rate is given; expected some of sensitivity"),
        ({"recall": "0.83"}, r"rates alone do not say how many cases there are; expected n, or n_positive and"),
        (
            {"recall": "0.83", "n_positive": 60},
            r"n_positive = 60 alone does not say how many cases.*: give n or n_negat",
        ),
        ({"recall": "0.83", "n": 60, "n_positive": 61}, r"n = 60 and n_positive = 61 contradict each other"),
        ({"recall": "0.83", "n": 60.5}, r"n = 60.5 is not a number of cases; expected a whole number"),
        ({"recall": "0.83", "n": 10**10}, r"n = 10000000000 is too large; expected at most 10\*\*9 cases"),
        ({"recall": "0.83", "n": 0}, r"there are no cases; expected n of at least 1"),
        (
            {"recall": "0.83", "n": 10**9},
            r"allow 1e\+09 different numbers of positives.*: give the number of positives",
        ),
    ],
)
def test_what_cannot_be_reconstructed_is_refused(given: dict, message: str) -> None:
    with pytest.raises(rs.UsageError, match=message):
        rs.reconstruct(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"recall": "0.84", "specificity": "0.91", "n_positive": 10, "n_negative": 100},
            r"with n_positive = 10 and n_negative = 100 has recall 0.84: the nearest that does fit with the other numbers "
            r"is recall 0.80",
        ),
        (
            {"recall": "83.1 %", "tnr": "91,0%", "accuracy": "0.85", "n_positive": 60, "n_negative": 1000},
            r"has recall 83.1 %: the nearest that does fit is recall 83.3 %",
        ),
        (
            {"recall": "0.831", "specificity": "0.910", "accuracy": "0.95", "f1": "0.9", "n": 1000},
            r"has recall 0.831, specificity 0.910 and accuracy 0.95: the nearest that does fit",
        ),
        ({"mcc": "0.9", "accuracy": "0.80", "n": 200}, r"has mcc 0.9 and accuracy 0.80: .* is mcc 0.7"),
        ({"precision": "0.5", "recall": "0.0", "n_positive": 9, "n_negative": 9}, r"has precision 0.5 and recall 0.0"),
    ],
)
def test_numbers_that_contradict_each_other_are_named_with_the_nearest(given: dict, message: str) -> None:
    with pytest.raises(rs.DataError, match=message):
        rs.reconstruct(**given)


def test_an_undefined_rate_matches_no_number() -> None:
    with pytest.raises(rs.DataError, match=r"has precision 0.0"):
        rs.reconstruct(precision="0.0", prediction_rate="0.00", n=40)


def test_a_reconstruction_tells_its_tables() -> None:
    result = rs.reconstruct(accuracy="0.8", n_positive=3, n_negative=2)
    assert result.n_solutions == 2
    assert result.performances().counts.tolist() == result.counts.tolist() == [[1, 1, 0, 3], [2, 0, 1, 2]]
    assert repr(result).startswith("2 tables of counts round to accuracy 0.8 at n_positive = 3 and n_negative = 2")
    assert rs.reconstruct(recall="0.50", n_positive=1000, n_negative=0).nearest().tolist() == [0, 0, 500, 500]


# ---- tables of rates

TESTS = "test;Sensitivity;Specificity\nA;83,1 %;91 %\nB;90,2 %;80,5 %\nC;84 %;91 %\n"


def test_ranks_are_bounded_over_all_tables_that_round_to_what_is_printed() -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        tables = [rng.integers(1, 9, 4) for _ in range(3)]
        records = [
            {"model": f"m{i}", "recall": f"{t[3] / (t[2] + t[3]):.1f}", "accuracy": f"{(t[0] + t[3]) / t.sum():.1f}",
             "n_positive": str(t[2:].sum()), "n_negative": str(t[:2].sum())} for i, t in enumerate(tables)
        ]  # fmt: skip
        published = rs.read_published(records)
        assert all(source.counts is not None for source in published.sources)
        for by, prior in (("f1", None), ("accuracy", 0.1), ("mcc", 0.5)):
            with pytest.warns(rs.UnsoundScoreWarning) if by == "mcc" else pytest.MonkeyPatch.context():
                ranking = published.rank(by, shift_prior=prior)
            values = []
            for source in published.sources:
                P = source.performances()
                scores = rs.score(by)(P if prior is None else P.shift_priors(prior)).round(12)
                values.append(scores[~np.isnan(scores)])
            low = [1 + sum(other.min() > v.max() for other in values) for v in values]
            high = [3 - sum(other.max() < v.min() for other in values) for v in values]
            assert ranking.bounds.tolist() == [[float(a), float(b)] for a, b in zip(low, high, strict=True)]
            assert np.allclose(ranking.value_bounds, [[v.min(), v.max()] for v in values], atol=1e-12)
            assert (ranking.value_bounds[:, 0] <= ranking.ranking.values + 1e-12).all()


@pytest.mark.parametrize(
    "by", ["f1", "accuracy", "mcc", "kappa", "balanced accuracy", "precision", "error rate", "fpr"]
)
@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
def test_bounds_over_rates_hold_every_rate_that_rounds_to_what_is_printed(by: str) -> None:
    published = rs.read_published(StringIO(TESTS), entity="test")
    ranking = published.rank(by, shift_prior=0.02)
    rng = np.random.default_rng(0)
    s, t = np.array([[0.91, 0.805, 0.91], [0.831, 0.902, 0.84]])[..., None]
    width = np.array([[0.005, 0.0005, 0.005], [0.0005, 0.0005, 0.005]])[..., None]
    s, t = (side + w * rng.uniform(-1, 1, (3, 400)) for side, w in zip((s, t), width, strict=True))
    mass = np.stack([0.98 * s, 0.98 * (1 - s), 0.02 * (1 - t), 0.02 * t], axis=-1)
    values = np.array([rs.score(by)(rs.Performances.from_probabilities(rows)) for rows in mass])
    assert (values >= ranking.value_bounds[:, :1] - 1e-12).all()
    assert (values <= ranking.value_bounds[:, 1:] + 1e-12).all()
    places = 1 + (values[None] > values[:, None]).sum(axis=1)  # of draws of all three at once
    if rs.score(by).direction == "smaller":
        places = 1 + (values[None] < values[:, None]).sum(axis=1)
    assert (places >= ranking.bounds[:, :1]).all()
    assert (places <= ranking.bounds[:, 1:]).all()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"model": ["a"], "recall": ["0.9"], "tnr": [80]}, r'row 1 \("a"\): tnr = 80 is out of range.*write "80 %"'),
        ({"model": ["a"], "recall": ["0.84"], "tnr": ["0.8"], "n_positive": [10], "n": ["1.000"]}, r'n = "1.000" is not a number'),
        (
            {"model": ["a", "b"], "recall": ["0.8", "0.84"], "tnr": ["0.8"] * 2, "n_positive": [10] * 2, "n": [90] * 2},
            r'row 2 \("b"\): no table of whole counts .* has recall 0.84',
        ),
        ({"model": ["a", "a"], "recall": ["0.8"] * 2, "tnr": ["0.8"] * 2}, r'row 2 \("a"\): this name occurs twice'),
        ({"model": ["a", None], "recall": ["0.8"] * 2, "tnr": ["0.8"] * 2}, r"row 2: model is missing; expected the name of the entity"),
        ({"model": ["a"], "recall": ["0.8"]}, r"this table has too few rates; expected two columns at least"),
        ({"model": ["a"], "accuracy": ["0.8"]}, r"too few rates; .*: accuracies can be ranked with a column n"),
        ({"model": ["a"], "recall": ["0.8"], "tnr": ["0.8"], "tp": [3]}, r'"tp" holds counts; expected rates'),
        ({"model": ["a"] * 2, "fold": ["x", "y"], "recall": ["0.8"] * 2, "tnr": ["0.8"] * 2}, r"rates are of several domains"),
        (
            {"model": ["a", "b"], "fold": ["x", None], "recall": ["0.8"] * 2, "tnr": ["0.8"] * 2},
            r"row 2: fold is missing; expected the name of the domain: fill it in or drop the row",
        ),
        ({"model": ["a"], "recall": ["0.8"], "fnr": ["0.05"], "tnr": ["0.5"]}, r"recall 0.8 and fnr 0.05 contradict each other"),
        ({"model": ["a"], "recall": ["0.8"], "youden": ["0.95"]}, r"recall 0.8 and youden 0.95 contradict each other: the other columns leave 0.94 to 1.00 for recall, or -0.250 to 0.850 for youden"),
    ],
)  # fmt: skip
def test_tables_that_say_too_little_or_too_much_are_refused(table: dict, message: str) -> None:
    with pytest.raises(rs.DataError, match=message):
        rs.read_published(table)


def test_what_the_columns_leave_open_is_refused_with_what_settles_it() -> None:
    published = rs.read_published(StringIO(TESTS), entity="test")
    with pytest.raises(rs.UsageError, match=r'"A" leaves F_1 score open.*shift_prior=PREVALENCE, or add a column prev'):
        published.rank("f1")
    with pytest.raises(rs.UsageError, match=r'"A" leaves shares of outcomes open'):
        published.performances  # noqa: B018
    with pytest.raises(rs.UsageError, match=r"does not know that tn\*tp rises with both rates"):
        published.rank("tn*tp", shift_prior=0.1)
    shares = rs.read_published({"model": ["a"], "recall": ["0.8"], "tnr": ["0.8"], "prevalence": ["0.1"]})
    assert shares.rank("f1").value_bounds[0, 0] < shares.rank("f1").value_bounds[0, 1]
    low, high = shares.rank("kappa").value_bounds[0]
    assert low < rs.score("kappa")([[72, 18, 2, 8]])[0] < high
    two = rs.read_published({"model": ["a"], "precision": ["0.9"], "recall": ["0.8"]})
    with pytest.raises(
        rs.UsageError, match=r'"a" leaves accuracy open, even if it were exact: add a column prevalence$'
    ):
        two.rank("accuracy")
    with pytest.raises(rs.UsageError, match=r"leaves F_1 score open.*; expected sensitivity and specificity, or as"):
        two.rank("f1", shift_prior=0.1)
    for row in ({"recall": ["0.8"], "fnr": ["0.2"]}, {"kappa": ["0.6"], "prevalence": ["0.3"]}):
        one = rs.read_published({"model": ["a"], **row})  # of which a column prevalence would settle nothing
        with pytest.raises(rs.UsageError, match=r"were exact; expected sensitivity, specificity and the prevalence"):
            one.rank("accuracy")


def test_what_is_not_used_and_differing_priors_are_noted() -> None:
    text = "model,sensitivity,specificity,n,n_positive,auc\na,0.83,0.91,160,60,0.9\nb,0.80,0.90,110,10,0.9\n"
    published = rs.read_published(StringIO(text))
    assert published.tables == (1, 1)
    notes = published.rank("f1").notes
    assert notes[0] == 'column not used: "auc"'
    assert "shares of positives differ" in notes[1]
    assert published.performances.counts.tolist() == [[91, 9, 10, 50], [90, 10, 2, 8]]


def test_shares_that_differ_are_shown_apart() -> None:
    table = "model,accuracy,precision,recall,f1\nrf,0.925,0.902,0.847,0.874\nknn,0.894,0.811,0.861,0.835\n"
    shares, differ = rs.read_published(StringIO(table)).rank("f1").notes
    assert "30.36 to 30.94 % (rf), 30.96 to 31.42 % (knn)" in shares  # not 30.3 to 31.0 and 30.9 to 31.5 %
    assert "differ" in differ


def test_rates_of_the_same_number_of_cases_that_leave_other_shares_of_positives_are_refused() -> None:
    counts = np.array([[700, 60, 50, 190], [550, 40, 160, 250]])  # 24 % of positives, and 41 %

    def table(counts: Any, n: list[int]) -> dict[str, object]:
        P = rs.Performances.from_counts(counts)
        rates = {name: [f"{x:.3f}" for x in rs.score(name)(P)] for name in ("accuracy", "precision", "recall")}
        return {"model": ["a", "b"], **rates, **({"n": n} if n else {})}

    with pytest.raises(
        rs.DataError,
        match=r'all rows are of n = 1000 cases, but .* of positives or more for "b", and .* or less for "a"; expected '
        r"rates of the positive class, not averages over classes \(macro, weighted\): add a column n_positive",
    ):
        rs.read_published(table(counts, [1000, 1000]))
    with pytest.raises(rs.DataError, match="all rows are of n = 10 cases"):
        rs.read(table([[7, 1, 1, 1], [5, 0, 1, 4]], [10, 10]))
    for n in ([], [1000, 1000]):
        assert "models: averages" not in str(rs.read_published(table([counts[0], [680, 80, 60, 180]], n)).rank("f1"))
    for rows in (table(counts, []), table([counts[0], 2 * counts[1]], [1000, 2000])):  # of other cases, perhaps
        assert "differ between the models: averages over classes" in rs.read_published(rows).rank("f1").notes[-1]
    shares = table(counts, [1000, 1000]) | {"prevalence": ["0.24", "0.41"]}
    assert rs.read_published(shares).rank("f1").possible_first == ("a",)


@pytest.mark.parametrize("as_typed", [
    float, str, np.float32, lambda value: f"{100 * value} %", lambda value: f"{float(np.float32(value) * np.float32(100))} %",
    lambda value: f"{value:.10f}",
])  # fmt: skip
def test_metrics_that_were_computed_in_32_bits_are_what_they_were(as_typed: Callable[[float], object]) -> None:
    rng, one = np.random.default_rng(4), np.float32
    for tn, fp, fn, tp in rng.integers(1, 3000, (40, 4)).astype(one):
        precision, recall = tp / (tp + fp), tp / (tp + fn)
        rates = {"accuracy": (tn + tp) / (tn + fp + fn + tp), "precision": precision, "recall": recall}
        rates["f1"] = one(2) * precision * recall / (precision + recall)
        printed = {name: as_typed(float(rate)) for name, rate in rates.items()}  # such as 0.8999999761581421
        found = rs.reconstruct(printed, n=int(tn + fp + fn + tp))
        assert [tn, fp, fn, tp] in found.counts.tolist()
    with pytest.raises(rs.DataError, match="no table of whole counts"):
        rs.reconstruct(accuracy=float(one(0.9)), n_positive=7, n_negative=4)


def test_shares_of_positives_are_compared_on_each_domain() -> None:
    def rows(domain: str, *counts: tuple[str, list[int]]) -> list[dict[str, object]]:
        return [
            {"model": name, "dataset": domain, "accuracy": f"{(tn + tp) / 100:.6f}", "precision": f"{tp / (tp + fp):.6f}",
             "recall": f"{tp / (tp + fn):.6f}", "n": 100}
            for name, (tn, fp, fn, tp) in counts
        ]  # fmt: skip

    alike = rows("y", ("a", [70, 10, 5, 15]), ("b", [60, 20, 10, 10]))
    other = rows("x", ("a", [50, 10, 10, 30]), ("b", [40, 20, 10, 30]))
    assert len(rs.read(alike + other)) == 4
    mixed = rows("x", ("a", [70, 10, 5, 15]), ("b", [50, 10, 10, 30]))
    with pytest.raises(rs.DataError, match="all rows are of n = 100 cases"):
        rs.read(mixed + alike)


@pytest.mark.parametrize(
    ("n", "problem"), [("50.0", ""), (Decimal("50.0"), ""), ("50.5", "not a number of cases"), ("x", "not a")]
)
def test_numbers_of_cases_may_have_a_point(n: object, problem: str) -> None:
    table = {"model": ["a", "b"], "sensitivity": ["0.90", "0.80"], "specificity": ["0.80", "0.90"], "n_positive": [n, n],
             "n_negative": [50, 50]}  # fmt: skip
    if problem:
        with pytest.raises(rs.RankscapeError, match=problem):
            rs.read_published(table)
    else:
        assert rs.read(table).counts.tolist() == [[40, 10, 5, 45], [45, 5, 10, 40]]


def test_read_refuses_rates_and_names_the_way() -> None:
    with pytest.raises(
        rs.DataError, match="are rates; give the counts, or rank them as they are printed, with rs.read_published"
    ):
        rs.read(StringIO("model,recall,precision\na,0.8,0.9\n"))
    with pytest.raises(rs.DataError, match="or rank them as they are printed, with rs.read_published, which bounds"):
        rs.read(StringIO("model,recall,specificity\na,0.8,0.9\n"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "published.csv").write_text(TESTS, "utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_command_ranks_printed_rates() -> None:
    run = CliRunner().invoke
    line = ["rank", "published.csv", "--entity-column", "test", "--shift-prior", "0.02", "--by", "accuracy"]
    result = run(main, line)
    assert result.exit_code == 0
    assert "0.903 to 0.914" in result.output
    assert "So the printed decimals leave open whether C or A comes first" in result.output
    again = run(main, ["rank", "-", *line[2:]], input=TESTS)
    assert again.output == result.output
    document = json.loads(run(main, [*line, "--format", "json"]).output)
    assert document["schema"] == "rankscape/published/1"
    assert document["possible_first"] == ["C", "A"]
    assert [row["rank_high"] for row in document["entities"]] == [2, 2, 3]
    assert run(main, [*line, "--format", "csv"]).stdout.startswith("rank,entity,value,value_low,value_high,rank_low")
    refused = run(main, [*line, "--weights", "size"])
    assert refused.exit_code == 2
    assert "--weights would change nothing" in refused.output
    no_cases = run(main, [*line, "--uncertainty"])
    assert no_cases.exit_code == 3
    assert "no numbers of cases" in no_cases.output
    without = run(main, ["rank", "published.csv", "--entity-column", "test"])
    assert without.exit_code == 2
    assert "state the share of positives with --shift-prior PREVALENCE" in without.output


def test_the_command_names_no_parameter_of_python(tmp_path: Path) -> None:
    table = tmp_path / "p.csv"
    table.write_text("model,precision,recall,n,positives\nA,0.89,0.80,200,10\nB,0.8,0.8,100,10\n")
    found = CliRunner().invoke(main, ["rank", str(table), "--by", "f1"])
    assert "shares of positives differ" in found.output
    assert "_prior" not in found.output


def test_draws_mix_chance_and_rounding(tmp_path: Path) -> None:
    columns = {"model": ["a", "b", "c"], "sensitivity": ["0.90", "0.88", "0.5"], "specificity": ["0.9", "0.9", "0.5"],
               "n_positive": [50, 500, 40], "n_negative": [50, 500, 40]}  # fmt: skip
    table = rs.read_published(columns)
    drawn = table.draws(4000)
    assert drawn.values.shape == (4000, 3, 4)
    assert drawn.values.sum(axis=2) == pytest.approx(1)
    tpr = drawn.values[:, :, 3] / drawn.values[:, :, 2:].sum(axis=2)
    counts = table["b"].counts  # 438 to 442 of 500 have the printed sensitivity
    between, within = np.var(counts[:, 3] / 500), 0.88 * 0.12 / 500
    assert np.var(tpr[:, 1]) == pytest.approx(between + within, rel=0.1)
    assert np.var(tpr[:, 0]) > 5 * np.var(tpr[:, 1])
    other = rs.read_published({name: column[::-1] for name, column in columns.items()}).draws(4000)
    assert (other.values[:, ::-1] == drawn.values).all()
    shifted = table.draws(100).shift_priors(0.02)
    assert shifted.values[:, :, 2:].sum(axis=2) == pytest.approx(0.02)
    intervals = rs.uncertainty.rank_intervals(drawn, "accuracy")
    assert intervals.p_first.sum() == pytest.approx(1)
    assert intervals.p_first[2] == 0
    with pytest.raises(rs.DataError, match="no numbers of cases"):
        rs.read_published({"model": ["a"], "sensitivity": ["0.9"], "specificity": ["0.9"]}).draws(10)
    path = tmp_path / "p.csv"
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n")
    shown = CliRunner().invoke(main, ["rank", str(path), "--by", "accuracy", "--uncertainty", "--format", "csv"])
    assert shown.exit_code == 0
    assert "p_first" in shown.stdout
    refused = CliRunner().invoke(main, ["rank", str(path), "--differences"])
    assert refused.exit_code == 2
    assert (
        "the table of sure differences needs counts, but FILE has printed rates: --uncertainty alone prints"
        in refused.stderr
    )


def test_of_one_model_alone_no_place_is_said_to_depend_on_chance(tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("model,accuracy,precision,recall,n\na,0.9,0.8,0.7,100\n")
    for options in ([], ["--uncertainty"]):
        shown = " ".join(CliRunner().invoke(main, ["rank", str(path), *options]).output.split())
        assert "no other model to compare it with" in shown
        assert "see P(first)" not in shown
        assert "comes first, whatever" not in shown


@pytest.mark.parametrize(
    "header", ["Prevalence (%)", "Prevalence (percent)", "Prevalence in percent", "Prevalence [%]"]
)
def test_every_header_in_percent_means_the_same(header: str) -> None:
    table = rs.read_published({"model": ["a"], "recall": ["0.9"], "tnr": ["0.8"], header: ["0.8"]})
    assert table["a"].prior == (Fraction("0.0075"), Fraction("0.0085"))
    found = rs.reconstruct({"Sensitivity (%)": "83.1", header: "40"}, n_positive=65)
    assert 65 in found.counts[:, 2:].sum(axis=1)
    with pytest.raises(rs.DataError, match=r"has Sensitivity \(percent\) 84: .* is Sensitivity \(percent\) 80 %"):
        rs.reconstruct({"Sensitivity (percent)": "84", "tnr": "0.91"}, n_positive=10, n_negative=100)


def test_names_in_the_index_of_a_data_frame_are_names() -> None:
    pd = pytest.importorskip("pandas")
    rates = {"sensitivity": ["0.9", "0.8"], "specificity": ["0.8", "0.9"], "auc": [0.9, 0.8]}
    for name, options in (("model", {}), ("test", {}), (None, {}), ("test", {"entity": "test"})):
        frame = pd.DataFrame(rates, index=pd.Index(["a", "b"], name=name))
        table = rs.read_published(frame, **options)
        assert table.names == ("a", "b")
        assert table.notes == ('column not used: "auc"',)
    repeated = pd.DataFrame(rates | {"dataset": ["x", "y"]}, index=["a", "a"])
    assert rs.read_published(repeated, domain="y").names == ("a",)
    both = pd.DataFrame(rates, index=pd.MultiIndex.from_tuples([("a", "x"), ("b", "y")], names=["model", "dataset"]))
    assert rs.read_published(both, domain="y").names == ("b",)
    assert rs.read_published(pd.DataFrame(rates).drop(columns="auc")).names == ("P1", "P2")


def test_a_number_of_cases_that_says_too_little_is_noted() -> None:
    rates = {"model": ["a", "b"], "recall": ["0.8"] * 2, "tnr": ["0.9"] * 2}
    table = rs.read_published({**rates, "n_positive": [60, None]})
    assert table.tables == (0, 0)
    note = 'n_positive not used for "a": alone it does not say how many cases there are in all; add n, n_negative or a'
    assert table.notes == (f"{note} prevalence above 0",)
    assert table.rank("accuracy", shift_prior=0.1).notes == table.notes
    assert "n_negative not used" in rs.read_published({**rates, "n_negative": [60, 60]}).notes[0]
    assert rs.read_published({**rates, "n_positive": [60, 50], "n": [100, 100]}).notes == ()


def test_the_table_shown_is_the_nearest_of_those_that_have_both_classes() -> None:
    table = rs.read_published({"model": ["a"], "accuracy": ["0.7"], "error rate": ["0.3"], "n": [12]})
    counts = table["a"].counts
    assert table["a"].nearest().tolist() == [0, 0, 4, 8]  # has no negative
    both = counts[(counts[:, :2].sum(axis=1) > 0) & (counts[:, 2:].sum(axis=1) > 0)]
    nearest = table["a"].nearest(both).tolist()
    assert nearest == [0, 1, 3, 8]  # 8 of 12, and the first, [0, 1, 2, 9], is 9 of 12
    moved = rs.Performances.from_counts([nearest]).shift_priors(0.5)
    assert table.shift_priors(0.5).mass.tolist() == moved.mass.tolist()


CASES = {"model": ["a", "b"], "sensitivity": ["0.90", "0.85"], "specificity": ["0.9", "0.8"], "n_positive": [50, 40],
         "n_negative": [50, 60]}  # fmt: skip


def test_draws_take_what_other_draws_take() -> None:
    table = rs.read_published(CASES)
    assert (table.draws(20, 3).values == table.draws(20, np.int64(3)).values).all()
    drawn, again = (table.draws(20, np.random.default_rng(3)) for _ in range(2))
    assert (drawn.values == again.values).all()
    assert drawn.seed is None
    assert table.draws(20, 3).seed == 3
    assert (table.draws(20, None).values != table.draws(20, None).values).any()
    for rng in (-1, "x", 1.5, True):
        with pytest.raises(rs.UsageError, match="rng must be a seed, a whole number ≥ 0, or a numpy.random.Generator"):
            table.draws(20, rng)


def costs_of(P: rs.Performances, costs: rs.Costs, prior: Fraction | None) -> list[float]:
    return costs.expected(P if prior is None else P.shift_priors(prior)).tolist()


@pytest.mark.parametrize("prior", [None, Fraction(1, 50)])
def test_costs_are_bounded_over_all_that_rounds_to_what_is_printed(prior: Fraction | None) -> None:
    costs = rs.costs(miss=5, false_alarm=2, detection=-1)
    table = rs.read_published(CASES)
    ranking = table.rank(costs, shift_prior=prior)
    for name, bounds in zip(ranking.names, ranking.cost_bounds.tolist(), strict=True):
        expected = costs_of(table[name].performances(), costs, prior)
        assert bounds == [min(expected), max(expected)]
    shown = ranking.table()
    assert list(shown.columns)[3:8] == ["value_low", "value_high", "expected_cost", "cost_low", "cost_high"]
    assert all(
        a <= b <= c for a, b, c in zip(shown["cost_low"], shown["expected_cost"], shown["cost_high"], strict=True)
    )
    rates = {name: column for name, column in CASES.items() if not name.startswith("n_")} | {
        "prevalence": ["0.3", "0.2"]
    }
    ranking = rs.read_published(rates).rank(costs, shift_prior=prior)
    rng = np.random.default_rng(0)
    for row, (t, s, p) in enumerate(((0.9, 0.9, 0.3), (0.85, 0.8, 0.2))):
        t = t + rng.uniform(-1, 1, 500) / 200
        s, p = s + rng.uniform(-1, 1, 500) / 20, (p + rng.uniform(-1, 1, 500) / 20 if prior is None else float(prior))
        cost = p * (5 * (1 - t) - t) + (1 - p) * 2 * (1 - s)
        low, high = ranking.cost_bounds[row]
        assert low <= cost.min() <= cost.max() <= high
    assert table.rank("f1").cost_bounds is None


def test_the_command_shows_costs_wherever_they_are_known(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in [CASES, *zip(*CASES.values(), strict=True)]) + "\n")
    line = ["rank", str(path), "--costs", "miss=5,false-alarm=1,currency=€"]
    run = CliRunner().invoke
    assert "€ per 1 000 cases" in run(main, line).stdout
    assert "280 to 320" in run(main, line).stdout  # a: 5 misses and 3 to 7 false alarms in 100 cases
    document = json.loads(run(main, [*line, "--format", "json", "--uncertainty", "--draws", "200"]).stdout)
    assert document["costs"]["unit"] == "€ per case"
    row = document["entities"][0]
    assert row["drawn_cost_low"] < row["cost_low"] <= row["expected_cost"] <= row["cost_high"] < row["drawn_cost_high"]
    assert "expected_cost,cost_low,cost_high" in run(main, [*line, "--format", "csv"]).stdout


def test_shares_and_probabilities_are_not_rounded_to_others(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in [CASES, *zip(*CASES.values(), strict=True)]) + "\n")
    line = ["rank", str(path), "--by", "accuracy", "--shift-prior", "0.99996", "--uncertainty", "--draws", "200"]
    shown = " ".join(CliRunner().invoke(main, [*line, "--level", "0.975"]).stdout.split())
    assert "200 draws (level: at least 97.5 %)." in shown
    assert "the share of positives is 0.99996." in shown


# ---- all that is printed counts

ACCURACY = (
    "model,Accuracy,Precision,Recall,F1\ncautious,0.970,0.8333,0.5000,0.6250\nbalanced,0.963,0.6032,0.7600,0.6726\n"
)


@pytest.mark.parametrize("percent", [False, True])
@pytest.mark.parametrize("markdown", [False, True])
def test_accuracy_precision_and_recall_fix_the_rest(percent: bool, markdown: bool, tmp_path: Path) -> None:
    lines = [line.split(",") for line in ACCURACY.splitlines()]
    if percent:
        lines = [lines[0], *([row[0], *(f"{100 * float(x):.{len(x) - 4}f} %" for x in row[1:])] for row in lines[1:])]
    text = "\n".join(",".join(row) for row in lines)
    if markdown:
        text = "\n".join("| " + " | ".join(row) + " |" for row in [lines[0], ["---"] * 5, *lines[1:]])
    path = tmp_path / ("paper.md" if markdown else "paper.csv")
    path.write_text(text + "\n", "utf-8")
    ranking = rs.read_published(path).rank("specificity")  # tn = .9450, fp = .0050 and tn = .9250, fp = .0250
    assert ranking.ranking.values == pytest.approx([0.9947, 0.9737], abs=2e-3)
    assert ranking.possible_first == ("cautious",)
    assert rs.read_published(path).rank("f1").ranking.values.tolist() == [0.625, 0.6726]  # as it is printed
    shown = CliRunner().invoke(main, ["rank", str(path), "--by", "npv"])
    assert shown.exit_code == 0, shown.output
    assert "the share of positives is not printed; the other columns leave 4.9 to 5.1 % in every row" in " ".join(
        shown.stdout.split()
    )


def test_shares_of_positives_that_may_be_one_are_not_said_to_differ() -> None:
    columns = {
        "model": ["a", "b"],
        "tpr": ["0.840", "0.960"],
        "tnr": ["0.950", "0.900"],
        "accuracy": ["0.925", "0.914"],
    }
    ranking = rs.read_published(columns).rank(rs.costs(miss=10))
    assert not any("differ" in note for note in (*ranking.notes, *ranking.ranking.notes))
    other = rs.read_published(columns | {"accuracy": ["0.925", "0.930"]}).rank(rs.costs(miss=10))
    assert sum("differ" in note for note in (*other.notes, *other.ranking.notes)) == 2


@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
def test_scores_that_do_not_need_the_share_of_positives_are_ranked_without_it() -> None:
    table = rs.read_published(StringIO(TESTS), entity="test")
    for by in ("balanced accuracy", "youden", "plr", "nlr", "sensitivity", "fpr"):
        ranking = table.rank(by)
        shifted = table.rank(by, shift_prior=0.3)
        assert ranking.bounds.tolist() == shifted.bounds.tolist(), by
        assert ranking.value_bounds == pytest.approx(shifted.value_bounds, rel=1e-12), by
    two = rs.read_published({"model": ["a", "b"], "precision": ["0.60", "0.40"], "recall": ["0.40", "0.60"]})
    for by, first in (("f1", {"a", "b"}), ("f2", {"b"}), ("f0.5", {"a"}), ("jaccard", {"a", "b"})):
        assert two.rank(by).ranking.best == first  # the F1 of both is 0.48, exactly
    low, high = two.rank("f1").value_bounds[0]
    assert (low, high) == pytest.approx((2 * 0.595 * 0.395 / 0.99, 2 * 0.605 * 0.405 / 1.01), abs=1e-15)


@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
def test_a_score_that_is_printed_bounds_itself() -> None:
    columns = {"model": ["a", "b"], "recall": ["0.80", "0.80"], "specificity": ["0.90", "0.90"]}
    alone = rs.read_published(columns | {"prevalence": ["0.1", "0.1"]}).rank("kappa")
    assert alone.bounds.tolist() == [[1, 2], [1, 2]]
    for by, values in (("kappa", ("0.49", "0.51")), ("ppv", ("0.46", "0.48"))):
        ranking = rs.read_published(columns | {"prevalence": ["0.1", "0.1"], by: list(values)}).rank(by)
        assert ranking.ranking.values.tolist() == [float(x) for x in values], by
        assert ranking.bounds.tolist() == [[2, 2], [1, 1]], by
        for (low, high), value in zip(ranking.value_bounds, values, strict=True):
            assert float(value) - 0.005 - 1e-12 <= low <= high <= float(value) + 0.005 + 1e-12


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"sensitivity": "0.84", "specificity": "0.95", "PPV": "0.10", "prevalence": "0.25"},
            r'row 2 \("b"\): sensitivity 0.84, PPV 0.10 and prevalence 0.25 contradict each other: the other columns '
            r"leave .* or 0.831 to 0.866 for PPV",
        ),
        (
            {"recall": "0.80", "f1": "0.95"},
            r"recall 0.80 and f1 0.95 contradict each other: .* or 0.000 to 0.892 for f1",
        ),
        (
            {"recall": "0.80", "fnr": "0.25"},
            r"contradict each other: the other columns leave 0.745 to 0.755 for recall",
        ),
        ({"accuracy": "0.90", "precision": "0.99", "recall": "0.20", "f1": "0.90"}, r"f1 0.90 contradict each other"),
    ],
)
def test_rates_that_contradict_each_other_are_named_with_what_the_others_leave(row: dict, message: str) -> None:
    good = {"accuracy": "0.90"} | {name: "0.9" for name in row}
    good |= {"fnr": "0.1", "PPV": "0.9", "prevalence": "0.5", "mcc": "0.8"}
    with pytest.raises(rs.DataError, match=message):
        rs.read_published([{"model": "a"} | {name: good[name] for name in row}, {"model": "b"} | row])


def test_averages_over_classes_are_no_rates_of_one_class() -> None:
    columns = {"model": ["a", "b"], "Accuracy": ["0.9214", "0.8917"], "Recall": ["0.9214", "0.8917"]}
    precision = {"Precision": ["0.9222", "0.8912"]}
    for more in (precision, {"n": [2723, 2723]}, precision | {"specificity": ["0.95", "0.97"]}):
        with pytest.raises(
            rs.DataError, match=r'"Recall" equals "Accuracy" in every row, as in weighted averages over th'
        ):
            rs.read_published(columns | more)
    with pytest.raises(rs.DataError, match=r'"Recall" equals "BA" in every row, as in macro averages over the classes'):
        rs.read_published(
            {"model": ["a", "b"], "BA": ["0.921", "0.89"], "Recall": ["0.921", "0.89"], "F1": ["0.9"] * 2}
        )
    equal = rs.read_published(columns | {"specificity": ["0.9214", "0.8917"]})  # equal error rates, as it shows
    assert equal.rank("accuracy").possible_first == ("a",)
    one = {name: column[:1] for name, column in (columns | precision).items()}
    assert "as in weighted averages over the classes" in rs.read_published(one).notes[0]
    once = {"model": ["a", "b"], "Accuracy": ["0.92", "0.89"], "Recall": ["0.92", "0.80"], "Precision": ["0.8"] * 2}
    assert rs.read_published(once).notes == ()  # in one of two rows, by rounding


def test_macro_averages_of_models_that_always_say_one_class_are_no_rates_of_one_class() -> None:
    two = {"model": ["LR", "tree"], "accuracy": ["0.95", "0.8995"], "precision": ["0.475", "0.4974"]}
    with pytest.raises(rs.DataError, match=r'row 1 \("LR"\): "recall" is 1/2 and the precision 1/2 of the accuracy'):
        rs.read_published(two | {"recall": ["0.5", "0.4971"]})
    three = {"model": ["tree", "LR"], "accuracy": ["0.81", "0.693"], "precision": ["0.702", "0.231"]}
    with pytest.raises(rs.DataError, match=r'row 2 .*"recall" is 1/3 .*averages over 3 classes'):
        rs.read_published(three | {"recall": ["0.655", "0.333"]})
    shown = {"model": ["LR"], "accuracy": ["0.950"], "precision": ["0.475"], "recall": ["0.500"]}
    with pytest.raises(rs.DataError, match="macro averages"):
        rs.read_published(shown)
    assert rs.read_published(shown | {"specificity": ["0.972"]}).names == ("LR",)  # rates of one class, as that shows
    with pytest.raises(rs.DataError, match="macro averages over 2 classes"):
        rs.read_published({"model": ["a"], "accuracy": ["0.90"], "precision": ["0.45"], "recall": ["0.50"]})
    coarse = {"model": ["a"], "accuracy": ["0.9"], "precision": ["0.45"], "recall": ["0.5"]}
    assert rs.read_published(coarse).names == ("a",)  # so few decimals may agree by chance


@pytest.mark.parametrize(
    ("header", "what"),
    [("Cancer Type", "classes"), ("attack_type", "classes"), ("Emotion", "classes"), ("taskDifficulty", "groups")],
)
def test_rows_of_classes_or_groups_are_no_models_unless_they_are_asked_for(header: str, what: str) -> None:
    table = {header: ["easy", "hard"], "Precision": ["0.98", "0.91"], "Recall": ["0.96", "0.93"]}
    with pytest.raises(rs.DataError, match=f"the rows look like the {what}|the rows look like {what}"):
        rs.read_published(table)
    assert rs.read_published(table, entity=header).names == ("easy", "hard")


def test_a_file_of_rates_per_class_holds_no_models_unless_they_are_asked_for(tmp_path: Path) -> None:
    table = "side_effect,precision,recall\nNausea,0.93,0.73\nPain,0.91,0.76\n"
    per_class, other = tmp_path / "per_class_metrics.csv", tmp_path / "metrics.csv"
    for path in (per_class, other):
        path.write_text(table, "utf-8")
    with pytest.raises(rs.DataError, match="the rows look like the classes of one model"):
        rs.read_published(per_class)
    for header, what in (("class", "classes"), ("sex", "groups"), ("seed", "runs")):
        numbers = {header: [0, 1], "tn": [5, 6], "fp": [1, 2], "fn": [2, 1], "tp": [3, 4]}
        with pytest.raises(rs.DataError, match=f"the rows look like (the )?{what}"):
            rs.read(numbers)
        assert rs.read(numbers, entity=header).names == ("0", "1")
    for read in (rs.read_published(other), rs.read_published(per_class, entity="side_effect")):
        assert read.names == ("Nausea", "Pain")


def test_rates_that_fix_the_counts_have_the_draws_of_the_counts(tmp_path: Path) -> None:
    counts = np.array([[90, 10, 9, 41], [85, 15, 5, 45], [88, 12, 7, 43], [60, 40, 2, 48]])
    P = rs.Performances.from_counts(counts, names=list("abcd"))
    table = rs.read_published({
        "model": list("abcd"), "recall": [f"{r[3] / 50:.3f}" for r in counts], "tnr": [f"{r[0] / 100:.3f}" for r in counts],
        "n_positive": [50] * 4, "n_negative": [100] * 4})  # fmt: skip
    assert table.tables == (1, 1, 1, 1)
    for method in ("exchangeable", "jeffreys"):
        drawn, expected = table.draws(400, 3, method=method), rs.uncertainty.posterior(P, 400, 3, method=method)
        assert (drawn.values == expected.values).all()
        one, other = (rs.uncertainty.rank_intervals(draws, "f1") for draws in (drawn, expected))
        assert one.p_first.tolist() == other.p_first.tolist()
        assert (one.low.tolist(), one.high.tolist()) == (other.low.tolist(), other.high.tolist())
    (tmp_path / "c.csv").write_text(
        "entity,tn,fp,fn,tp\n"
        + "".join(f"{n},{','.join(map(str, r))}\n" for n, r in zip("abcd", counts.tolist(), strict=True))
    )
    (tmp_path / "r.csv").write_text("entity,recall,tnr,n_positive,n_negative\n" + "".join(
        f"{n},{r[3] / 50:.3f},{r[0] / 100:.3f},50,100\n" for n, r in zip("abcd", counts.tolist(), strict=True)))  # fmt: skip
    shown = [
        json.loads(CliRunner().invoke(main, ["rank", str(tmp_path / name), "--by", "f1", "--uncertainty", "--draws", "400", "--format", "json"]).stdout)
        for name in ("c.csv", "r.csv")
    ]  # fmt: skip
    assert [[row["p_first"] for row in one["entities"]] for one in shown[:1]] == [
        [row["p_first"] for row in one["entities"]] for one in shown[1:]
    ]


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0)])
def test_whether_other_cases_could_change_who_is_first_does_not_depend_on_the_undefined(order, tmp_path) -> None:
    rows = ["never,0.00,1.00,500,500", "a,0.96,0.96,500,500", "b,0.60,0.70,500,500"]
    path = tmp_path / "rates.csv"

    def asked(*lines: str) -> str:
        path.write_text("\n".join(["model,sensitivity,specificity,n_positive,n_negative", *lines]))
        return CliRunner().invoke(main, ["rank", str(path), "--by", "ppv", "--uncertainty", "--draws", "400"]).stdout

    assert "other cases could change that" not in asked(*(rows[k] for k in order))
    assert "other cases could change that" not in asked(*rows[:2])  # P(first) of one that is ranked alone is unknown
    unsure = asked("never,0.00,1.00,50,50", "a,0.90,0.80,50,50", "b,0.90,0.78,50,50")
    assert "other cases could change that" in unsure
    assert "\nCaution: these counts do not show" in unsure


def test_what_a_value_is_of_is_said(tmp_path: Path) -> None:
    """Numbers of cases fix whole counts, so that a value may differ from that of the rates alone."""
    path = tmp_path / "rates.csv"

    def asked(*lines: str) -> str:
        path.write_text("\n".join(lines))
        return " ".join(CliRunner().invoke(main, ["rank", str(path)]).stdout.split())

    rows = "a,0.745,0.579,0.831,0.683", "b,0.764,0.613,0.773,0.684"
    alone = asked("model,accuracy,precision,recall,f1", *rows)
    counted = asked("model,accuracy,precision,recall,f1,n", *(f"{row},466" for row in rows))
    mixed = asked("model,accuracy,precision,recall,f1,n", f"{rows[0]},466", f"{rows[1]},")
    assert ("1 b 0.6840" in alone, "1 b 0.6839" in counted) == (True, True)
    assert "Each value is that of the numbers as printed; its range" in alone
    assert "Each value is that of the whole counts nearest to the printed numbers; its range" in counted
    assert 'as printed (or, where "tables" has a number, of the nearest whole counts); its range' in mixed


# ---- rates that fix the counts are the counts, everywhere


def table_of(columns: Mapping[str, Sequence[object]]) -> str:
    rows = zip(*columns.values(), strict=True)
    return "\n".join(",".join(map(str, row)) for row in (columns, *rows)) + "\n"


def test_rates_that_fix_the_counts_are_read_as_counts(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    for trial in range(40):
        counts = rng.integers(0, 60, (4, 4)) + np.array([1, 0, 1, 0])
        (tn, fp, fn, tp), names = counts.T.tolist(), ["a", "a", "b", "b"]
        sizes = {"n": counts.sum(axis=1).tolist(), "n_positive": (counts[:, 2] + counts[:, 3]).tolist()}
        rates = {"TPR": [f"{t / (t + f):.4f}" for t, f in zip(tp, fn, strict=True)],
                 "Specificity (%)": [f"{100 * t / (t + f):.2f}" for t, f in zip(tn, fp, strict=True)]}  # fmt: skip
        columns = {"Test": names, "dataset": ["x", "y"] * 2, **rates, **sizes, "year": [2020 + trial] * 4}
        P = rs.read(columns)  # without a warning, for nothing was guessed
        assert P.counts.tolist() == counts.tolist()
        assert (P.names, P.domains, P.account.unused) == (tuple(names), ("x", "y") * 2, ("year",))
        assert P.account.notes == (ONLY_COUNTS,)
    path = tmp_path / "rates.csv"
    path.write_text(table_of(columns))
    assert rs.rank(str(path), by="accuracy").best == rs.rank(P, by="accuracy").best


COMMANDS = ("rank --differences", "why", "tile -o map.csv", "tradeoff", "report --no-figures -o card.md",
            "gate --against rates.csv --entity A --against-entity B")  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_rates_that_fix_the_counts(command: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    name, *options = command.split()
    rates = {"Test": ["A", "B"], "Sensitivity": ["91.1 %", "84.2 %"], "Specificity": ["93.1 %", "97.5 %"]}
    sizes = {"N diseased": [190, 190], "N healthy": [720, 720]}
    counts = [[670, 50, 17, 173], [702, 18, 30, 160]]
    path, shown = Path("rates.csv"), []
    for text in (
        table_of(rates | sizes),
        table_of({"Test": ["A", "B"], **dict(zip(("tn", "fp", "fn", "tp"), zip(*counts, strict=True), strict=True))}),
    ):
        path.write_text(text)
        found = CliRunner().invoke(main, [name, str(path), *options])
        assert found.exit_code in (0, 1, 4), found.output  # of gate: passed, failed, undecided
        shown.append(found)
    assert ONLY_COUNTS in shown[0].stderr
    assert shown[0].stdout == shown[1].stdout
    for table, problem in ((rates | sizes | {"Sensitivity": ["91 %", "84.2 %"]}, "several tables of counts round to Sensitivity 91 %"),
                           (rates, '"Sensitivity", "Specificity" are rates')):  # fmt: skip
        path.write_text(table_of(table))
        found = CliRunner().invoke(main, ["why", "rates.csv"])
        assert found.exit_code == 3
        assert problem in found.stderr
        assert "with `rankscape rank`, which bounds the ranks over the rounding" in found.stderr
        with pytest.raises(rs.DataError, match=r"with rs.read_published, which bounds the ranks over the rounding"):
            rs.rank(table)
    path.write_text(table_of(rates | sizes | {"Sensitivity": ["91.2 %", "84.2 %"]}))
    found = CliRunner().invoke(main, ["why", "rates.csv"])
    assert 'row 1 (line 2, "A"): no table of whole counts with n_positive = 190' in found.stderr


@pytest.mark.parametrize("command", ["rank", "why", "report", "domains"])
def test_a_domain_whose_rates_fix_the_counts_is_read_whatever_those_of_others_do(command: str, tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    rows = ["a,x,0.80,0.90,10,10", "b,x,0.70,0.80,10,10", "a,y,0.8,0.9,1000,1000", "b,y,0.7,0.8,1000,1000"]
    path.write_text("\n".join(["model,dataset,sensitivity,specificity,positives,negatives", *rows]), "utf-8")
    counts = tmp_path / "counts.csv"
    counts.write_text("model,dataset,tn,fp,fn,tp\na,x,9,1,2,8\nb,x,8,2,3,7\n", "utf-8")
    more = ["-o", str(tmp_path / "card.html")] if command == "report" else []
    alone, same = (CliRunner().invoke(main, [command, str(file), "--domain", "x", *more]) for file in (path, counts))
    assert (alone.exit_code, same.exit_code) == (0, 0), alone.output
    assert alone.stdout.replace("r.csv", "") == same.stdout.replace("counts.csv", "")
    assert "on 1 domain (column dataset)" in alone.stderr
    refused = CliRunner().invoke(main, [command, str(path), "--domain", "y", *more])
    assert refused.exit_code == (0 if command == "rank" else 3)  # which bounds the ranks over the rounding
    assert command == "rank" or 'row 3 (line 4, "a"): several tables of counts round to' in refused.stderr


def test_rates_of_both_classes_alone_have_the_value_between_what_they_leave() -> None:
    ranking = rs.read_published([{"model": "a", "specificity": "0.909", "youden": "73.1 %"}]).rank("tpr")
    (low, high), value = ranking.value_bounds[0], ranking.ranking.values[0]
    assert low < 0.822 < high
    assert low <= value <= high


def test_where_two_shares_of_positives_fit_the_smaller_one_has_the_value() -> None:
    rows = [{"model": "m1", "specificity": "67%", "recall": "92%", "kappa": "48%"},
            {"model": "m2", "specificity": "80%", "recall": "80%", "kappa": "55%"}]  # fmt: skip
    ranking = rs.read_published(rows).rank("f1")
    assert ranking.ranking.values.tolist() == pytest.approx([0.66744, 0.69500], abs=2e-4)  # roots of a quadratic
    assert ranking.value_bounds.round(2).tolist() == [[0.66, 0.95], [0.68, 0.86]]


def test_the_account_names_rates_and_sizes_and_says_where_other_numbers_fit() -> None:
    columns = {"model": ["a", "b"], "sensitivity": ["0.9", "0.80"], "specificity": ["0.9", "0.85"]}
    table = rs.read_published({**columns, "n": [100, 100]})
    assert table.account is not None
    assert table.account.columns == {
        "entity": ("model",), "domain": (), "rate": ("sensitivity", "specificity"), "size": ("n",)
    }  # fmt: skip
    assert "rate sensitivity, specificity; size n" in table.account.sentence()
    assert table.account.document()["columns"] == {
        "entity": ["model"], "rate": ["sensitivity", "specificity"], "size": ["n"]
    }  # fmt: skip
    account = table.performances.account
    assert account is not None
    assert account.columns == table.account.columns
    others = "other numbers round to the printed rates of {}, too; the nearest are taken as if exact"
    assert account.notes == (others.format('"a", "b"'),)
    assert account.warnings() == list(account.notes)  # every command that ranks them says so
    one = rs.read_published({**columns, "n_positive": [10, 5], "n_negative": [10, 20]})
    assert one.tables == (1, 1)
    assert one.performances.account == one.account
    rates = rs.read_published(columns).shift_priors(0.2).account
    assert rates is not None
    assert rates.notes == (others.format('"a", "b"'),)
    read = rs.read({**columns, "n_positive": [10, 5], "n_negative": [10, 20]}).account
    assert read is not None
    assert read.columns["size"] == ("n_positive", "n_negative")
