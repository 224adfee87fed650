"""Readers of benchmarks of language models: each format by its files alone, by its name, and on the command line."""

import json
import re
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.io.reading import all_readers

CORPUS = Path(__file__).resolve().parents[1] / "answers" / "readers"


def written(path: Path, value: Any) -> Path:
    """Write JSON, or JSON lines for a list in a file called so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(record) for record in value] if path.suffix == ".jsonl" else [json.dumps(value)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read(path: Path, **options: Any) -> tuple[dict[tuple[str, str], tuple[float, int | None]], list[str]]:
    """Return the success rate and the number of cases by entity and domain, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        P = rs.read(str(path), **options)
    assert P.space.outcomes == ("failure", "success")
    totals = [None] * len(P) if P.counts is None else P.counts.sum(axis=1).tolist()
    domains = P.domains or [""] * len(P)
    values = zip(P.mass[:, 1].round(6).tolist(), totals, strict=True)
    return dict(zip(zip(P.names, domains, strict=True), values, strict=True)), [str(one.message) for one in caught]


# The files of our own


FOLDERS = {
    "lm-eval": {
        ("org/large", "arc_easy"): (0.75, 4), ("org/small", "arc_easy"): (0.5, 4),
        ("org/large", "gsm8k"): (0.666667, 3), ("org/small", "gsm8k"): (0.333333, 3),
    },
    "every-eval-ever": {
        ("org/large", "arc"): (0.75, 4), ("org/small", "arc"): (0.5, 4),
        ("org/large", "gsm8k"): (0.8, 50), ("org/small", "gsm8k"): (0.62, 50),
        ("org/large", "boolq"): (0.62, 50), ("org/small", "boolq"): (0.58, 50),
    },
    "mteb": {
        ("org/large", "Banking"): (0.84125, None), ("org/small", "Banking"): (0.8, None),
        ("org/large", "Emotion"): (0.6, None), ("org/small", "Emotion"): (0.55, None),
    },
    "helm": {
        ("org_large", "mmlu:subject=anatomy"): (0.75, None), ("org_small", "mmlu:subject=anatomy"): (0.25, None),
    },
    "inspect": {("org/large", "arc"): (0.75, None), ("org/small", "arc"): (0.5, None)},
}  # fmt: skip


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_is_recognized_by_its_files_alone_and_by_name(name: str) -> None:
    values, _ = read(CORPUS / name)
    assert values == FOLDERS[name]
    assert read(CORPUS / name, format=name)[0] == values
    result = CliRunner().invoke(main, ["rank", str(CORPUS / name), "--format", "csv"])
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[1].split(",")[1].endswith("large")


def test_folders_of_several_tools_are_put_together() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.IncompleteDataWarning)
        P = rs.read([str(CORPUS / "lm-eval"), str(CORPUS / "inspect")])
    assert dict(zip(zip(P.names, P.domains or (), strict=True), P.mass[:, 1].round(6).tolist(), strict=True)) == {
        key: value for name in ("lm-eval", "inspect") for key, (value, _) in FOLDERS[name].items()
    }


@pytest.mark.parametrize("name", FOLDERS)
def test_one_file_is_enough(name: str) -> None:
    of_tool = {name for reader in all_readers() for name in reader.beside}
    file = next(path for path in sorted((CORPUS / name).rglob("*.json*")) if path.name not in of_tool)
    values, _ = read(file)
    assert {key: values[key] for key in values} == {key: FOLDERS[name][key] for key in values}
    assert CliRunner().invoke(main, ["rank", str(file), "--from", name]).exit_code == 0


def test_the_formats_are_listed() -> None:
    assert {*FOLDERS} <= {*rs.formats()["format"]}
    page = Path(__file__).resolve().parents[2] / "docs" / "howto" / "formats.csv"
    listed = CliRunner().invoke(main, ["formats", "--format", "csv"]).stdout
    assert page.read_text(encoding="utf-8") == listed, "run `rankscape formats -o docs/howto/formats.csv`"


def test_a_packed_log_of_inspect_says_how_to_unpack_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as archive:
        for name in ("_journal/start.json", "samples/1_epoch_1.json", "header.json"):
            archive.writestr(name, "{}")
    with pytest.raises(rs.DataError, match=r"a packed log of Inspect: .* `inspect log dump"):
        rs.read(tmp_path / "log.eval")


# lm-evaluation-harness


DATE = "2026-03-01T10-00-00.000000"


def sample(i: int, **more: Any) -> dict[str, Any]:
    return {"doc_id": i, "doc_hash": f"h{i}", "filter": "none", "metrics": ["acc"], "acc": 1.0} | more


def results(model: str = "org/a", n: int | None = 8, **tasks: Mapping[str, Any]) -> dict[str, Any]:
    sizes = {task: {"original": n, "effective": n} for task in tasks} if n else {}
    return {"results": tasks, "configs": {}, "n-samples": sizes, "config": {}, "model_name": model}


def test_results_alone_are_counts_where_the_number_of_cases_is_known(tmp_path: Path) -> None:
    path = written(tmp_path / f"results_{DATE}.json", results(arc={"acc,none": 0.375}, x={"exact_match,get": 0.5}))
    assert read(path)[0] == {("org/a", "arc"): (0.375, 8), ("org/a", "x"): (0.5, 8)}
    written(path, results(n=None, arc={"acc,none": 0.375}))
    assert read(path)[0] == {("org/a", "arc"): (0.375, None)}
    written(path, results(n=1000, arc={"acc,none": 0.12345}))  # graded: no whole number of the cases is right
    assert read(path)[0] == {("org/a", "arc"): (0.12345, None)}


def test_aggregates_of_tasks_that_are_there_are_left_out(tmp_path: Path) -> None:
    value = results(mmlu={"acc,none": 0.5}, mmlu_a={"acc,none": 0.25}, mmlu_b={"acc,none": 0.75})
    path = written(tmp_path / "results.json", value | {"group_subtasks": {"mmlu": ["mmlu_a", "mmlu_b"], "mmlu_a": []}})
    values, caught = read(path)
    assert values == {("org/a", "mmlu_a"): (0.25, 8), ("org/a", "mmlu_b"): (0.75, 8)}
    assert caught == ['left out: 1 row ("mmlu", an average of tasks that are read themselves)']
    only = written(path, results(mmlu={"acc,none": 0.5}) | {"group_subtasks": {"mmlu": ["mmlu_a", "mmlu_b"]}})
    assert read(only) == ({("org/a", "mmlu"): (0.5, 8)}, [])


def test_results_serve_where_there_are_no_samples(tmp_path: Path) -> None:
    written(tmp_path / "org__a" / f"samples_arc_{DATE}.jsonl", [sample(0), sample(1, acc=0.0)])
    written(tmp_path / "org__a" / f"results_{DATE}.json", results("org/a", 2, arc={"acc,none": 0.0}))
    written(tmp_path / "org__b" / f"results_{DATE}.json", results("org/b", 2, arc={"acc,none": 1.0}))
    assert read(tmp_path)[0] == {("org/a", "arc"): (0.5, 2), ("org/b", "arc"): (1.0, 2)}


def test_the_model_of_samples_is_that_of_the_results_beside_else_the_folder(tmp_path: Path) -> None:
    path = written(tmp_path / "org__a" / f"samples_arc_{DATE}.jsonl", [sample(0)])
    assert [*read(path)[0]] == [("org/a", "arc")]
    arguments = {"config": {"model_args": "pretrained=/data/a,dtype=auto"}, "results": {}}
    written(path.parent / f"results_{DATE}.json", arguments)
    assert [*read(path)[0]] == [("/data/a", "arc")]


def test_the_metric_is_the_first_that_all_models_have(tmp_path: Path) -> None:
    both = {"metrics": ["acc", "acc_norm"], "acc_norm": 0.0}
    written(tmp_path / "a" / f"samples_arc_{DATE}.jsonl", [sample(0, **both)])
    written(tmp_path / "b" / f"samples_arc_{DATE}.jsonl", [sample(0, metrics=["acc_norm"], acc_norm=1.0)])
    assert read(tmp_path)[0] == {("a", "arc"): (0, 1), ("b", "arc"): (1, 1)}
    one = tmp_path / "a"
    values, caught = read(one)
    assert values == {("a", "arc"): (1, 1)}
    assert caught == [
        '"arc": read by acc,none, not acc_norm,none; the option metric (of `rankscape convert`) chooses another'
    ]
    assert read(one, metric="acc_norm") == ({("a", "arc"): (0, 1)}, [])
    result = CliRunner().invoke(main, ["convert", str(one), "--metric", "acc_norm"])
    assert result.stdout.splitlines()[1:] == ["arc,a,1,0"], result.output


def test_a_task_without_shares_is_left_out(tmp_path: Path) -> None:
    value = results(
        arc={"acc,none": 0.5}, wiki={"word_perplexity,none": 9.5, "alias": "wiki"}, blimp={"bleu,none": 31.5}
    )
    values, caught = read(written(tmp_path / "results.json", value))
    assert [*values] == [("org/a", "arc")]
    assert caught == [f'left out: 1 row ("{task}", which has no share from 0 to 1)' for task in ("wiki", "blimp")]


def test_cases_without_an_answer_are_asked_about(tmp_path: Path) -> None:
    path = written(tmp_path / "a" / f"samples_arc_{DATE}.jsonl", [sample(0), sample(1, acc=None)])
    with pytest.raises(rs.DataError, match="1 answer of 2 is empty; expected right or wrong in each"):
        rs.read(path)
    assert read(path, unanswered="wrong")[0] == {("a", "arc"): (0.5, 2)}
    apart = rs.read(path, unanswered="apart")
    assert apart.space.outcomes == ("failure", "unanswered", "success")
    assert rs.score("accuracy when answered", apart.space)(apart).tolist() == [1]
    result = CliRunner().invoke(main, ["rank", str(path)])
    assert result.exit_code == 3
    assert "--unanswered wrong" in result.stderr


# Inspect, HELM, Every Eval Ever


def log(*samples: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    run = {"task": "arc", "model": "org/a", "dataset": {"sample_ids": [1, 2, 3]}}
    return {"version": 2, "status": "success", "eval": run, "samples": list(samples)} | more


def answer(case: int, value: Any, **more: Any) -> dict[str, Any]:
    return {"id": case, "epoch": 1, "scores": {"match": {"value": value}}} | more


@pytest.mark.parametrize(("value", "grade"), [("C", 1), ("I", 0), (1, 1), (0.0, 0), (True, 1), ("yes", 1), ("0", 0)])
def test_values_of_inspect(tmp_path: Path, value: object, grade: int) -> None:
    assert read(written(tmp_path / "log.json", log(answer(1, value))))[0] == {("org/a", "arc"): (grade, 1)}


def test_errors_and_what_an_unfinished_log_lacks_are_no_answers(tmp_path: Path) -> None:
    samples = (answer(1, "C"), answer(2, "C", error={"message": "timeout"}))
    path = written(tmp_path / "log.json", log(*samples, status="error"))
    with pytest.raises(rs.DataError, match="2 answers of 3 are empty"):
        rs.read(path)
    assert read(path, unanswered="wrong")[0] == {("org/a", "arc"): (0.333333, 3)}
    finished = written(path, log(answer(1, "C"), answer(2, "N")))
    assert read(finished, unanswered="wrong")[0] == {("org/a", "arc"): (0.5, 2)}


def test_several_scorers_need_a_choice(tmp_path: Path) -> None:
    one = {"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}, "judge": {"value": {"style": 0, "facts": 1}}}}
    path = written(tmp_path / "log.json", log(one))
    with pytest.raises(rs.DataError, match=r'the metrics of "arc" are "match", "judge/style", "judge/facts"'):
        rs.read(path)
    assert read(path, metric="judge/style")[0] == {("org/a", "arc"): (0, 1)}


def test_a_run_of_helm_is_named_by_its_folder(tmp_path: Path) -> None:
    stats = [{"name": {"name": "exact_match", "split": "test"}, "count": 2, "sum": 2.0}]
    path = tmp_path / "gsm:model=openai_x,stop=none" / "per_instance_stats.json"
    written(path, [{"instance_id": "id1", "train_trial_index": 0, "stats": stats}])
    assert read(path) == ({("openai_x", "gsm,stop=none"): (1, 1)}, [])


def test_a_number_of_cases_counts_only_where_the_decimals_say_how_many_succeeded(tmp_path: Path) -> None:
    def aggregate(score: float, n: int, **config: Any) -> dict[str, Any]:
        result = {
            "evaluation_name": "e", "source_data": {"samples_number": n}, "score_details": {"score": score},
            "metric_config": {"lower_is_better": False, "score_type": "continuous", "min_score": 0, "max_score": 1, "metric_name": "Accuracy"} | config,
        }  # fmt: skip
        return {"schema_version": "0.2.1", "model_info": {"id": "org/a"}, "evaluation_results": [result]}

    path = tmp_path / "run.json"
    assert read(written(path, aggregate(0.81, 40)))[0] == {("org/a", "e"): (0.81, None)}  # none of 32, 33 is printed so
    assert read(written(path, aggregate(0.83, 40)))[0] == {("org/a", "e"): (0.825, 40)}
    assert read(written(path, aggregate(0.83, 1000)))[0] == {("org/a", "e"): (0.83, None)}
    assert read(written(path, aggregate(82.5, 40, max_score=100)))[0] == {("org/a", "e"): (0.825, 40)}
    for scale in ({"min_score": 1}, {"min_score": -1}, {"max_score": 5}, {"score_type": "levels"}):
        with pytest.raises(rs.DataError, match='no task is left: "e", which has no share from 0 to 1'):
            rs.read(written(path, aggregate(0.83, 40, **scale)))
    assert read(written(path, aggregate(0.175, 40, lower_is_better=True, metric_name="error rate")))[0] == {
        ("org/a", "e"): (0.825, 40)
    }


def test_of_one_split_it_does_not_matter_what_it_is_called(tmp_path: Path) -> None:
    task = {"task_name": "T", "scores": {"validation": [{"main_score": 0.5, "accuracy": 0.5}]}}
    assert {*read(written(tmp_path / "T.json", task))[0].values()} == {(0.5, None)}


# What is malformed gets one sentence


def instance(**more: Any) -> dict[str, Any]:
    evaluation = {"score": 1.0, "is_correct": True}
    return {
        "schema_version": "0.2.1",
        "model_id": "a",
        "evaluation_name": "e",
        "sample_id": "1",
        "evaluation": evaluation,
    } | more


def mteb_task(*subsets: Mapping[str, Any]) -> dict[str, Any]:
    return {"task_name": "T", "scores": {"test": list(subsets)}}


def helm_run(*stats: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"instance_id": "id1", "train_trial_index": 0, "stats": list(stats)}]


TWICE = f"a/samples_arc_{DATE}.jsonl"

MALFORMED: dict[str, tuple[dict[str, Any], str]] = {
    "no document": ({TWICE: [sample(0), {"metrics": ["acc"], "acc": 1}]}, "sample 2 has no doc_id"),
    "a run twice": (
        {TWICE: [sample(0)], "a/samples_arc_2026-03-02T10-00-00.1.jsonl": [sample(0)]},
        r'"a" has results of "arc" here and in .*; expected one run of each model on each task',
    ),
    "no share": ({TWICE: [sample(0, metrics=["bleu"], bleu=31.0)]}, 'no task is left: "arc", which has no share from 0 to 1'),
    "other metrics": (
        {TWICE: [sample(0)], f"b/samples_arc_{DATE}.jsonl": [sample(0, metrics=["em"], em=1)]},
        '"arc" is scored by "acc,none" of "a" and by "em,none" of "b"; expected one metric that all have',
    ),
    "no results": ({"results.json": results()}, r"there is no score; expected doc_id, filter, metrics, .*results by task"),
    "no samples": ({"log.json": log() | {"status": "error"}}, r"this log has no samples \(status error\)"),
    "a header only": ({"log.json": {"version": 2, "eval": {"task": "t", "model": "m"}}}, "this log has no samples"),
    "no id": ({"log.json": log(answer(1, "C"), {"scores": {}})}, "sample 2 has no id"),
    "not scored": ({"log.json": log({"id": 1, "scores": None})}, "there is no score; expected eval with task and model"),
    "no grade": ({"log.json": log(answer(1, 7))}, 'no task is left: "arc", which has no share from 0 to 1'),
    "a word": ({"log.json": log(answer(1, "perhaps"))}, 'no task is left: "arc", which has no share from 0 to 1'),
    "no split": ({"T.json": {"task_name": "T", "scores": {}}}, "there is no score; expected task_name, scores by split"),
    "which split": ({"T.json": {"task_name": "T", "scores": {"dev": [], "train": []}}}, "there are the splits dev, train"),
    "no subsets": ({"T.json": {"task_name": "T", "scores": {"test": {"main_score": 1}}}}, 'there is no score; expected task_name'),
    "a score alone": ({"T.json": {"task_name": "T", "scores": {"accuracy": 0.5}}}, "there is no score; expected task_name"),
    "subsets without scores": ({"T.json": {"task_name": "T", "scores": {"test": [1, None]}}}, 'no task is left: "T", which has no'),
    "a sum of stats": ({"s:model=m/per_instance_stats.json": [{"instance_id": "id1", "stats": 5}]}, "there is no score; expected inst"),
    "results as a number": ({"x.json": {"schema_version": "0.2.1", "model_info": {"id": "a"}, "evaluation_results": 5}}, "there is no score"),
    "a correlation": ({"T.json": mteb_task({"main_score": -0.25})}, '"T" has main_score = -0.25; expected a share from 0 to 1'),
    "no main score": ({"T.json": mteb_task({"accuracy": 0.5})}, 'no task is left: "T", which has no share from 0 to 1'),
    "no model": ({"runs/per_instance_stats.json": helm_run()}, 'the folder "runs" names no model'),
    "no stats": ({"s:model=m/per_instance_stats.json": helm_run()}, "there is no score; expected instance_id"),
    "no name": ({"s:model=m/per_instance_stats.json": helm_run({"mean": 1})}, "instance 1: score 1 has no name; expected name in each"),
    "no instance": (
        {"s:model=m/per_instance_stats.json": [*helm_run(), {"stats": []}]}, "instance 2 has no instance_id; expected instance_id and stats in each",
    ),
    "no sample id": ({"x.jsonl": [instance(), instance(sample_id=None)]}, "instance 2 has no sample_id; expected model_id and evaluation_name and sample_id in each"),
    "no score": ({"x.jsonl": [instance(evaluation={"score": 7})]}, "instance 1 has no score from 0 to 1, and no is_correct"),
    "two runs": ({"x.jsonl": [instance(evaluation_id="1"), instance(evaluation_id="2")]}, '"a" has two runs of "e"; expected one: keep'),
    "no model info": ({"x.json": {"schema_version": "0.2.1", "evaluation_results": []}}, "there is no model_info with an id"),
    "nothing": (
        {"x.json": {"schema_version": "0.2.1", "model_info": {"id": "a"}, "evaluation_results": []}},
        "there is no score; expected model_info, evaluation_results",
    ),
    "results as mapping": (
        {"x.json": {"schema_version": "0.2.1", "model_info": {"id": "a"}, "evaluation_results": {}}}, "there is no score",
    ),
    "broken lines": ({TWICE: [sample(0)], f"a/samples_b_{DATE}.jsonl": None}, "is not JSON"),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_malformed_gets_one_sentence(name: str, tmp_path: Path) -> None:
    files, sentence = MALFORMED[name]
    for file, value in files.items():
        path = written(tmp_path / file, [] if value is None else value)
        if value is None:
            path.write_text('{"doc_id": 0, "metrics": ["acc"], "acc": 1}\n{"doc_id": 1, "metr\n')
    with pytest.raises(rs.DataError, match=sentence) as caught:
        rs.read(str(tmp_path))
    assert "\n" not in str(caught.value)
    result = CliRunner().invoke(main, ["rank", str(tmp_path)])
    assert result.exit_code == 3, result.output
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", FOLDERS)
def test_a_name_that_does_not_fit_says_what_the_format_has(name: str, tmp_path: Path) -> None:
    path = written(tmp_path / "other.json", {"a": {"b": 1}})
    columns = dict(zip(*(rs.formats()[header] for header in ("format", "columns")), strict=True))[name]
    with pytest.raises(rs.DataError, match=re.escape(f"this is not of the format {name}; expected {columns}")):
        rs.read(path, format=name)


def test_an_unknown_metric_lists_those_that_are_there() -> None:
    with pytest.raises(
        rs.DataError, match='no task is left: "arc_easy", which has no bleu, "gsm8k", .*: choose one of "acc,none", '
    ):
        rs.read(str(CORPUS / "lm-eval"), metric="bleu")
