"""Paired draws from tables of predictions: those of arrays, on every engine and from the command line."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import engine_tables
import numpy as np
import pytest
from click.testing import CliRunner, Result

import rankscape as rs
from rankscape import DataError, UsageError, gate
from rankscape.cases import joint
from rankscape.checks.labels import crossing_clusters
from rankscape.cli import main
from rankscape.io.codes import Rows, settled, wrong_labels
from rankscape.io.content import data_frame, index_columns
from rankscape.tasks import multi_class
from rankscape.uncertainty import drawn_from, evidence_of_counts, paired, paired_table, rank_intervals

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")

MODELS = [f"m{i:02d}" for i in range(35)]  # more than one 64-bit key holds
ENGINES: dict[str, Callable[[Any], Any]] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "polars, lazy": lambda frame: pl.from_pandas(frame).lazy(),
    "arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "duckdb": duckdb.from_df,
    "ibis": engine_tables.ibis,
}


def _dask(frame: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("dask.dataframe").from_pandas(frame, npartitions=3)


LONG = {"truth": "y", "prediction": "yhat", "entity": "model", "case": "case"}


@pytest.fixture(scope="module")
def wide() -> Any:
    """200 cases in two domains and 20 clusters, sorted by both."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    columns = {name: np.where(rng.random(200) < 0.8, truth, 1 - truth) for name in MODELS}
    site, patient = np.repeat(["north", "south"], 100), np.repeat([f"p{i:02d}" for i in range(20)], 10)
    return pd.DataFrame({"case": np.arange(200), "y": truth, "site": site, "patient": patient, **columns})


@pytest.fixture(scope="module")
def long(wide: Any) -> Any:
    fixed = ["case", "y", "site", "patient"]
    melted = wide.melt(id_vars=fixed, value_vars=MODELS, var_name="model", value_name="yhat")
    return melted.sample(frac=1, random_state=0)


@pytest.mark.some(6)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("cluster", [None, "patient"])
@pytest.mark.parametrize("method", ["exchangeable", "jeffreys"])
def test_a_table_gives_the_draws_of_the_arrays(
    engine: str, cluster: str | None, method: Any, wide: Any, long: Any
) -> None:
    clusters = None if cluster is None else wide["patient"]
    predicted = {name: wide[name] for name in MODELS}
    expected = paired(wide["y"], predicted, 20, domains=wide["site"], clusters=clusters, method=method)
    how = {"domain": "site", "cluster": cluster, "method": method}
    of_columns = paired_table(ENGINES[engine](wide), 20, truth="y", prediction=MODELS[::-1], **how)
    of_rows = paired_table(ENGINES[engine](long), 20, **LONG, **how)
    for found in (of_columns, of_rows):
        assert found.names == expected.names
        assert np.array_equal(found.values, expected.values)
        assert (found.method, found.unit) == (expected.method, expected.unit)


@pytest.mark.parametrize("labels", [("ham", "spam"), (False, True), (0.0, 1.0)])
def test_labels_of_any_type(labels: tuple[Any, Any], wide: Any, long: Any) -> None:
    expected = paired_table(wide, 10, truth="y", prediction=MODELS)
    of_rows = long.assign(y=[labels[y] for y in long["y"]], yhat=[labels[y] for y in long["yhat"]])
    assert np.array_equal(paired_table(of_rows, 10, **LONG, pos_label=labels[1]).values, expected.values)
    turned = paired_table(of_rows, 10, **LONG, pos_label=labels[0]).observed
    assert np.array_equal(turned.mass, expected.observed.mass[:, ::-1])


def test_files(wide: Any, long: Any, tmp_path: Path) -> None:
    expected = paired_table(wide, 10, truth="y", prediction=MODELS)
    long.to_parquet(tmp_path / "long.parquet")
    wide.to_csv(tmp_path / "wide.csv", index=False)
    assert np.array_equal(paired_table(tmp_path / "long.parquet", 10, **LONG).values, expected.values)
    found = paired_table(tmp_path / "wide.csv", 10, truth="y", prediction=MODELS)
    assert np.array_equal(found.values, expected.values)
    for part in range(2):
        long.iloc[part::2].to_csv(tmp_path / f"part{part}.csv", index=False)
    parts = [tmp_path / "part1.csv", tmp_path / "part0.csv"]
    assert np.array_equal(paired_table(parts, 10, **LONG).values, expected.values)


@pytest.mark.parametrize(
    "more", [{}, {"domain": "site"}, {"cluster": "patient"}, {"domain": "site", "cluster": "patient"}]
)
def test_the_order_of_rows_and_entities_changes_nothing(more: Any, wide: Any, long: Any) -> None:
    expected = paired_table(wide, 600, truth="y", prediction=MODELS[:5], **more)  # several blocks of draws
    order = [3, 0, 4, 1, 2]
    turned = wide.sample(frac=1, random_state=1)
    arrays = {name: turned[name] for name in [MODELS[i] for i in order]}
    groups = {{"domain": "domains", "cluster": "clusters"}[role]: turned[name] for role, name in more.items()}
    found = paired(turned["y"], arrays, 600, **groups)
    assert found.names == tuple(arrays)
    assert np.array_equal(found.values, expected.values[:, order])
    few = long[long["model"].isin(MODELS[:5])]
    cases = joint(few.sample(frac=1, random_state=2), **LONG, **more)  # as the command line does
    assert np.array_equal(
        drawn_from(evidence_of_counts(cases.performances.with_pairing(cases)), 600).values, expected.values
    )


# ---- more than two classes

KINDS = ["bird", "cat", "dog", "fox"]


@pytest.fixture(scope="module")
def several(wide: Any) -> Any:
    """The same cases with four classes, one of which is no truth on one of the domains."""
    rng = np.random.default_rng(1)
    truth = np.array(KINDS)[rng.integers(0, 4, 200)]
    truth[:100][truth[:100] == "fox"] = "cat"
    guess = {name: np.where(rng.random(200) < 0.7, truth, np.array(KINDS)[rng.integers(0, 4, 200)]) for name in MODELS}
    return pd.DataFrame({**{name: wide[name] for name in ("case", "site", "patient")}, "y": truth, **guess})


@pytest.mark.some(3)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("more", [{}, {"domain": "site"}, {"domain": "site", "cluster": "patient"}])
def test_several_classes_are_paired_alike_on_every_engine(engine: str, more: Any, several: Any) -> None:
    names = MODELS[:20]  # 16 outcomes: more than one 64-bit key holds
    groups = {{"domain": "domains", "cluster": "clusters"}[role]: several[name] for role, name in more.items()}
    expected = paired(several["y"], {name: several[name] for name in names}, 20, **groups)
    long = several.melt(["case", "y", "site", "patient"], names, "model", "yhat").sample(frac=1, random_state=0)
    of_columns = paired_table(ENGINES[engine](several), 20, truth="y", prediction=names[::-1], **more)
    of_rows = paired_table(ENGINES[engine](long), 20, **LONG, **more)
    for found in (of_columns, of_rows):
        assert (found.space, found.names) == (expected.space, expected.names)
        assert np.array_equal(found.values, expected.values)
        assert np.array_equal(found.observed.integers, expected.observed.integers)
        assert expected.paired


@pytest.mark.nightly
def test_dask_pairs_alike(several: Any) -> None:
    names = MODELS[:17]
    groups = {"domains": several["site"], "clusters": several["patient"]}
    expected = paired(several["y"], several[names], 5, **groups).values
    long = several.melt(["case", "y", "site", "patient"], names, "model", "yhat").sample(frac=1, random_state=0)
    how = {"domain": "site", "cluster": "patient"}
    assert np.array_equal(paired_table(_dask(several), 5, truth="y", prediction=names, **how).values, expected)
    assert np.array_equal(paired_table(_dask(long), 5, **LONG, **how).values, expected)


@pytest.mark.parametrize("labels", [(3, 10, 20, 100), (0.5, 1.0, 1.5, 2.0), tuple(KINDS)])
def test_several_classes_of_any_type_in_files(labels: Any, several: Any, tmp_path: Path) -> None:
    names = MODELS[:3]
    code = dict(zip(KINDS, labels, strict=True))
    table = several[["case", "y", *names]].replace(code).infer_objects()
    expected = paired(several["y"], several[names], 10).values
    table.to_csv(tmp_path / "wide.csv", index=False)
    table.melt(["case", "y"], names, "model", "yhat").to_parquet(tmp_path / "long.parquet")
    assert np.array_equal(paired(table["y"], table[names], 10).values, expected)
    assert np.array_equal(paired_table(tmp_path / "wide.csv", 10, truth="y", prediction=names).values, expected)
    assert np.array_equal(paired_table(tmp_path / "long.parquet", 10, **LONG).values, expected)


def test_what_was_seen_is_what_the_task_evaluates(several: Any) -> None:
    names = MODELS[:3]
    P = multi_class.evaluate(several["y"], several[names])
    drawn = paired(several["y"], several[names], 100)
    assert drawn.space == P.space
    assert np.array_equal(drawn.observed.integers, P.integers)
    longer = [*KINDS[::-1], "owl"]  # named, in another order, and one that nobody is
    P = multi_class.evaluate(several["y"], several[names], labels=longer)
    for drawn in (
        paired(several["y"], several[names], 100, labels=longer),
        paired_table(several, 100, truth="y", prediction=names, labels=longer),
    ):
        assert drawn.space.labels == tuple(longer)
        assert np.array_equal(drawn.observed.integers, P.integers)
    intervals = rank_intervals(drawn, by="accuracy")
    assert set(intervals.names) == set(names)
    assert not np.isnan(intervals.value_low).any()
    of_cats = paired_table(several, 100, truth="y", prediction=names, pos_label="cat")
    assert np.array_equal(of_cats.observed.integers, multi_class.one_vs_rest(P, "cat").integers)
    assert np.array_equal(of_cats.values, paired(several["y"], several[names], 100, pos_label="cat").values)


def test_two_true_classes_and_a_third_prediction_are_refused(several: Any) -> None:
    two = several[several["y"].isin(["cat", "dog"])]
    with pytest.raises(DataError, match="are more than two"):
        paired(two["y"], {"a": two["m00"]}, 10)
    with pytest.raises(DataError, match='are more than two.*labels="all"'):
        paired_table(two, 10, truth="y", prediction="m00")
    assert len(paired_table(two, 10, truth="y", prediction="m00", labels="all").space) == 16
    with pytest.raises(UsageError, match="leave out one"):
        paired(two["y"], {"a": two["m00"]}, 10, labels=KINDS, pos_label="cat")
    with pytest.raises(
        DataError, match="predictions such as 0.5 .*are scores, not labels: give the predicted class of"
    ):
        paired([0, 1, 2], {"a": [0.0, 1.0, 0.5]}, 10)


def test_what_cannot_be_paired(long: Any) -> None:
    def refused(error: type[Exception], message: str, frame: Any = long, **changed: Any) -> None:
        with pytest.raises(error, match=message) as raised:
            paired_table(frame, 10, **{**LONG, **changed})
        assert "invalid=" not in str(raised.value)

    refused(UsageError, "paired by their cases: name the column of cases with case=", case=None)
    refused(UsageError, "several columns of predictions are several entities", prediction=["yhat", "y"])
    refused(DataError, 'no column is called "nobody" \\(cluster\\)', cluster="nobody")
    refused(
        DataError,
        '"m07" lacks 1 of 200 cases',
        long.drop(index=long.index[long.index == 1407]),
    )
    refused(
        DataError,
        'entity "m00" has no case on domain "north"; expected every entity on every domain: .* choose one domain',
        long[(long["model"] != "m00") | (long["site"] == "south")],
        domain="site",
    )
    refused(
        DataError, "in 1 of 7000 rows the prediction is missing", long.assign(yhat=long["yhat"].where(long.index != 5))
    )
    refused(
        DataError, "in 1 row the cluster is missing", long.assign(c=long["patient"].where(long.index != 5)), cluster="c"
    )
    torn = long.assign(c=np.where(long.index == 5, "elsewhere", long["patient"]))
    refused(DataError, 'some cases lie in several clusters of "c"', torn, cluster="c")


@pytest.mark.parametrize("only", ["north", "south"])
def test_one_domain_is_paired_whoever_is_missing_on_another(only: str, wide: Any, long: Any) -> None:
    gap = long[(long["model"] != "m00") | (long["site"] == "south")]
    here = wide[wide["site"] == only]
    names = MODELS if only == "south" else MODELS[1:]
    expected = paired(here["y"], {name: here[name] for name in names}, 20)
    cases = joint(gap, **LONG, domain="site", only=only)
    found = drawn_from(evidence_of_counts(cases.performances.with_pairing(cases)), 20)
    assert found.names == expected.names
    assert np.array_equal(found.values, expected.values)


def run(*arguments: str, status: int = 0) -> Result:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == status, done.output
    return done


@pytest.fixture
def files(wide: Any, long: Any, tmp_path: Path) -> tuple[str, str]:
    wide.to_csv(tmp_path / "wide.csv", index=False)
    long.to_parquet(tmp_path / "long.parquet")
    return str(tmp_path / "wide.csv"), str(tmp_path / "long.parquet")


def test_rank_counts_predictions_and_pairs_them(files: tuple[str, str]) -> None:
    wide, long = files
    columns = [part for name in MODELS for part in ("--prediction", name)]
    rows = ("--prediction", "yhat", "--entity-column", "model")
    plain = run("rank", wide, "--truth", "y", *columns, "--format", "csv").stdout
    assert run("rank", long, "--truth", "y", *rows, "--format", "csv").stdout == plain
    how = ("--uncertainty", "--draws", "50", "--format", "json")
    by_columns = json.loads(run("rank", wide, "--truth", "y", *columns, *how).stdout)
    by_rows = json.loads(run("rank", long, "--truth", "y", *rows, "--case", "case", *how).stdout)
    assert {**by_columns, "account": None} == {**by_rows, "account": None}
    assert by_rows["uncertainty"]["method"].startswith("other cases, the same for all models")
    unpaired = json.loads(run("rank", long, "--truth", "y", *rows, *how).stdout)
    assert "separately for each model" in unpaired["uncertainty"]["method"]
    shown = run("rank", long, "--truth", "y", *rows, "--case", "case", "--cluster", "patient", "--domain-column", "site",
                "--uncertainty", "--draws", "50").stdout  # fmt: skip
    assert "Drawn: new samples of clusters" in " ".join(shown.split())
    assert "the domains stay the same" in " ".join(shown.split())
    assert "pass predictions instead of counts" not in shown
    domains = run("rank", long, "--truth", "y", *rows, "--domain-column", "site", "--uncertainty", "--draws", "50",
                  "--resample", "domains").stdout  # fmt: skip
    assert "Drawn: new samples of domains" in " ".join(domains.split())
    one = run("rank", long, "--truth", "y", *rows, "--case", "case", "--domain-column", "site", "--domain", "south",
              "--uncertainty", "--draws", "50").stdout  # fmt: skip
    assert "On the domain south" in one


def test_other_commands_count_predictions(files: tuple[str, str], tmp_path: Path) -> None:
    _, long = files
    how = ("--truth", "y", "--prediction", "yhat", "--entity-column", "model", "--domain-column", "site")
    counted = str(tmp_path / "counted.csv")
    run(
        "count",
        long,
        "--truth",
        "y",
        "--prediction",
        "yhat",
        "--entity-column",
        "model",
        "--domain-column",
        "site",
        "-o",
        counted,
    )
    for command in ("why", "tradeoff", "domains"):
        assert run(command, long, *how).stdout.replace(long, counted) == run(command, counted).stdout
    for command, name in (("tile", "t.csv"), ("report", "r.md")):
        pages = []
        for source in ((long, *how), (counted,)):
            run(command, *source, "-o", str(tmp_path / name), *(["--no-figures"] if command == "report" else []))
            page = (tmp_path / name).read_text()
            if len(source) > 1 and command == "report":  # of predictions the column of cases is asked for
                asked = "to see that, name the column of cases with --case (case= in Python)"
                assert "these predictions do not show" in page
                assert asked in page
                page = page.replace("these predictions", "these counts")
                page = page.replace(asked, "to see that, pass predictions instead of counts")
            pages.append([line for line in page.splitlines() if not line.startswith("- Read ")])
        assert pages[0] == pages[1]
    run("explore", long, *how, "-o", str(tmp_path / "page.html"))
    assert "m34" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--prediction", "m00"), "--prediction is about predictions: pass --truth"),
        (("--truth", "y"), "--truth needs --prediction"),
        (("--truth", "y", "--prediction", "m00", "--cluster", "patient"), "--cluster is about the draws of --uncertainty"),
        (("--truth", "y", "--prediction", "m00", "--resample", "cases"), "--resample is about the draws of --uncertainty"),
        (("--truth", "y", "--prediction", "m00", "--uncertainty", "--resample", "clusters"), "cluster"),
        (("--truth", "y", "--prediction", "m00", "--uncertainty", "--resample", "domains"), "drawing other domains needs two"),
        (("--score", "p"), "scores are counted first, as in `rankscape count"),
    ],
)  # fmt: skip
def test_rank_says_what_it_cannot_do_with_predictions(files: tuple[str, str], more: Any, message: str) -> None:
    assert message in run("rank", files[0], *more, status=2).output


def test_gate_on_the_same_cases(files: tuple[str, str], wide: Any) -> None:
    file, long = files
    both = ("--entity", "m00", "--against-entity", "m01", "--box", "beta in [0.5, 2]", "--format", "json")
    columns = ("--truth", "y", "--prediction", "m01", "--prediction", "m00")
    draws = rs.uncertainty.paired(wide["y"], {"m00": wide["m00"], "m01": wide["m01"]})
    expected = gate(draws["m00"], draws["m01"], "beta in [0.5, 2]")
    done = run("gate", file, *columns, *both, status=expected.exit_status)
    found = json.loads(done.stdout)
    assert (found["verdict"], found["probability"], found["paired"]) == (expected.verdict, expected.probability, True)
    rows = ("--truth", "y", "--prediction", "yhat", "--entity-column", "model", "--case", "case")
    same = json.loads(run("gate", long, *rows, *both, status=expected.exit_status).stdout)
    assert same["probability"] == expected.probability  # in whatever order rows and models stand
    clustered = json.loads(CliRunner().invoke(main, ["gate", long, *rows, "--cluster", "patient", *both]).stdout)
    assert clustered["unit"].startswith("Drawn: new samples of clusters")
    shown = run("gate", file, *columns, "--entity", "m00", "--against-entity", "m00", status=4).stdout
    assert "UNDECIDED: the two did the same" in " ".join(shown.split())
    assert "Unpaired" not in shown
    # whatever the draws were drawn with, the gate draws its own
    others = rs.uncertainty.paired(wide["y"], {name: wide[name] for name in ("m01", "m00", "m02")}, method="jeffreys")
    assert gate(others["m00"], others["m01"], "beta in [0.5, 2]").probability == expected.probability


def test_a_domain_that_one_model_lacks_costs_the_gate_that_domain_and_no_pairing(tmp_path: Path) -> None:
    rng, rows = np.random.default_rng(3), []
    for site in "xyz":
        for case in range(40):
            truth = int(rng.random() < 0.4)
            rows += [(f"{site}{case}", site, truth, truth ^ int(rng.random() < 0.2)) for _ in range(2)]
    frame = pd.DataFrame(rows, columns=["case", "site", "truth", "prediction"])
    new, old = frame[::2], frame[1::2][frame[1::2]["site"] != "z"]
    for name, part in (("new", new), ("old", old)):
        part.to_csv(tmp_path / f"{name}.csv", index=False)
    where, against = str(tmp_path / "new.csv"), ("--against", str(tmp_path / "old.csv"))
    columns = ("--truth", "truth", "--prediction", "prediction", "--domain-column", "site", "--case", "case")
    refused = run("gate", where, *against, *columns, status=3).output
    assert '1 cell of 6 missing ("old" on "z")' in refused
    assert "--missing complete" in refused
    how = (*against, *columns, "--missing", "complete", "--format", "json")
    P = rs.count(pd.concat([new.assign(model="new"), old.assign(model="old")]), truth="truth", prediction="prediction",
                 entity="model", domain="site", case="case")  # fmt: skip
    decision = gate(P["new"], P["old"], missing="complete")
    found = json.loads(run("gate", where, *how, status=decision.exit_status).stdout)
    assert (decision.paired, decision.domains, found["paired"], found["domains"]) == (
        True,
        ("x", "y"),
        True,
        ["x", "y"],
    )
    both = [side[[name != "z" for name in side.domains]] for side in (P["new"], P["old"])]
    assert decision.probability == found["probability"] == gate(*both).probability
    assert decision.notes == ('Compared on 2 domains that both have, without "z"',)
    with pytest.raises(rs.UsageError, match="missing= would change nothing"):
        gate(*(P.in_domain("x")[name] for name in ("new", "old")), missing="complete")


def test_gate_says_what_it_needs(files: tuple[str, str]) -> None:
    file, _ = files
    columns = ("--truth", "y", "--prediction", "m01", "--prediction", "m00")
    assert "expected --against FILE" in run("gate", file, status=2).output
    assert "say which is which" in run("gate", file, *columns, status=2).output
    two = ("-", "--against", file, "--truth", "y", "--prediction", "m01", "--case", "id")
    assert "models are called by their files" in run("gate", *two, status=2).output
    both = ("--entity", "m00", "--against-entity", "m01")
    missing = ("--missing", "complete")
    assert "leave out --missing, or name the column" in run("gate", file, *columns, *both, *missing, status=2).output
    against = ("--against", file, "--cluster", "patient")
    assert "add --case" in run("gate", file, *columns, *both, *against, status=2).output


# What is inside


def test_rows_that_a_model_lacks_and_wrong_answers() -> None:
    ones, none = np.ones(3, int), np.zeros(3, int)
    given = Rows(np.array([0, 0, 1]), none, np.array([5, 6, 5]), None, None, ones, ones, np.arange(3), ("a", "b"))
    rows, missing, _ = settled(given, common=False)
    assert (rows.entity.tolist(), rows.code.tolist(), rows.row.tolist(), missing) == (
        [0, 0, 1, 1],
        [1, 1, 1, -1],
        [0, 1, 2, 1],
        1,
    )
    assert settled(given, common=True)[0].row.tolist() == [0, 2]
    table = {"y": ["n", "p", "p"], "a": ["n", "p", "p"], "b": ["p", "p", None]}
    options = {"truth": "y", "prediction": ["a", "b"], "pos_label": "p"}
    assert rs.count(table, **options, unanswered="wrong").counts.tolist() == [[1, 0, 0, 2], [0, 1, 1, 1]]
    P = rs.count(table, **options, unanswered="common")
    assert P.account.left_out == {"some model did not answer the case": 1}


def test_a_wrong_answer_is_on_the_other_side() -> None:
    assert wrong_labels(["0", "1"], None) == ["1", "0"]
    assert wrong_labels(["cat", "dog", "fox"], "cat") == ["dog", "cat", "cat"]
    assert wrong_labels(["a", "b", "c"], None) == ["no answer"] * 3


def test_a_cluster_on_two_domains_is_told() -> None:
    assert crossing_clusters([("x", 1), ("y", 2)]) == ""
    assert crossing_clusters([("x", 1), ("y", 1)]).startswith('the cluster "1" lies on the domains "x" and "y"')


def test_headers_and_indexes_of_pandas_are_texts() -> None:
    frame = data_frame(pd.DataFrame([[1, 2]], columns=[("tp", "sum"), 7]), "")
    assert frame is not None
    assert frame.columns == ["tp sum", "7"]
    named = data_frame(pd.DataFrame({"tp": [3, 4]}, index=["unet", "resnet"]), "")
    assert named is not None
    assert index_columns(named) == {"": ["unet", "resnet"]}


def test_rows_without_a_name_make_up_no_missing_predictions() -> None:
    rows = {"y": [0, 1, 0, 1, 1], "p": [0, 1, 1, None, 1], "m": ["a", "a", "b", "b", None], "id": [1, 2, 1, 2, 3]}
    how = {"truth": "y", "prediction": "p", "entity": "m", "case": "id"}
    for given in (rows, rows | {"p": [0, 1, 1, None, None]}):
        for way in ("wrong", "common"):
            with pytest.raises(rs.DataError, match="in 1 of . rows the name of the entity is missing"):
                rs.count(given, **how, unanswered=way)


def test_repeats_that_repeat_nothing_are_refused(long: Any) -> None:
    for rows in (long, long[long["model"].isin(MODELS[:2])].assign(seed=1)):
        column = "seed" if "seed" in rows else "site"
        with pytest.raises(UsageError, match="repeat= would change nothing: no model has several answers to a case"):
            rs.cases(rows, **LONG, repeat=column)
