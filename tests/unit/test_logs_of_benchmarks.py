"""Logs of benchmarks: accuracies unless another metric is named, models with their revision, and what makes runs incomparable."""

import json
import math
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import rankscape as rs

OTHERS = {
    "crows_pairs_english": "pct_stereotype", "cola": "mcc", "calibration": "ece", "rtp": "toxicity", "squad": "f1",
    "cnn": "rouge1", "sst": "balanced_acc", "mqnli": "likelihood_diff", "translation": "bleu_share",
}  # fmt: skip


def log(folder: Path, model: str, tasks: Mapping[str, Mapping[str, Any]], arguments: str = "", **more: Any) -> Path:
    """Write results as lm-evaluation-harness 0.3 does."""
    given = {
        "results": tasks,
        "config": {"model_args": f"pretrained={model}{arguments}", **more.pop("config", {})},
        **more,
    }
    path = folder / f"{len([*folder.iterdir()])}.json"
    path.write_text(json.dumps(given))
    return path


def read(*paths: Path, **options: Any) -> tuple[dict[tuple[str, str], float], list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        P = rs.read([str(path) for path in paths], **options)
    names = zip(P.names, P.domains or [""] * len(P), strict=True)
    return dict(zip(names, P.mass[:, 1].round(9).tolist(), strict=True)), [str(one.message) for one in caught]


@pytest.mark.parametrize("task", OTHERS)
def test_other_metrics_are_never_averaged_with_accuracies(tmp_path: Path, task: str) -> None:
    metric = OTHERS[task]
    a, b = (
        log(tmp_path, f"org/{m}", {task: {metric: x, f"{metric}_stderr": 0.01}, "arc": {"acc": y}})
        for m, x, y in (("a", 0.62, 0.6), ("b", 0.5, 0.64))
    )
    values, notes = read(a, b)
    assert values == {("org/a", "arc"): 0.6, ("org/b", "arc"): 0.64}
    assert notes == [f'left out: 2 rows ("{task}", whose {metric} is no accuracy)']
    values, notes = read(a, b, metric=metric)  # a twin: it is asked for
    assert values == {("org/a", task): 0.62, ("org/b", task): 0.5}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        P = rs.read([a, b], metric=metric)
    assert rs.rank(P).score.name == f"mean {metric}"  # and no right answer
    assert notes == [f'left out: 2 rows ("arc", which has no {metric})']


@pytest.mark.parametrize("task", OTHERS)
def test_logs_without_an_accuracy_ask_for_the_metric(tmp_path: Path, task: str) -> None:
    metric = OTHERS[task]
    path = log(tmp_path, "org/a", {task: {metric: 0.62}})
    left = f'no task is left: "{task}", whose {metric} is no accuracy'
    with pytest.raises(rs.DataError, match=f'{left}: choose one of "{metric}" with metric="{metric}"'):
        rs.read(path)


@pytest.mark.parametrize(
    "metric", ["acc", "acc_norm", "exact_match", "em", "pass@1", "acc,none", "exact_match,strict-match"]
)
def test_accuracies_are_read_unasked(tmp_path: Path, metric: str) -> None:
    a, b = (log(tmp_path, f"org/{m}", {"t": {metric: x}}) for m, x in (("a", 0.25), ("b", 0.5)))
    assert read(a, b) == ({("org/a", "t"): 0.25, ("org/b", "t"): 0.5}, [])


def test_a_task_of_which_some_models_lack_the_accuracy_is_called_that(tmp_path: Path) -> None:
    a = log(tmp_path, "org/a", {"t": {"acc": 0.5}, "u": {"acc": 0.25}})
    b = log(tmp_path, "org/b", {"t": {"acc": 0.75}, "u": {"alias": "u"}})
    values, notes = read(a, b)
    assert values == {("org/a", "t"): 0.5, ("org/b", "t"): 0.75}
    assert notes == ['left out: 2 rows ("u", whose accuracy some models lack)']


# Revisions, and several runs


@pytest.mark.parametrize(("arguments", "name"), [
    (",revision=step1000", "org/a@step1000"), (",revision=main", "org/a"), (",dtype=float16", "org/a"),
    (",revision=step1000,dtype=bfloat16", "org/a@step1000"), (",parallelize=True,revision=v2", "org/a@v2"),
    (",step=500", "org/a@500"), (",trust_remote_code=True", "org/a"),
])  # fmt: skip
def test_the_revision_is_part_of_the_name(tmp_path: Path, arguments: str, name: str) -> None:
    assert [*read(log(tmp_path, "org/a", {"t": {"acc": 0.5}}, arguments))[0]] == [(name, "t")]
    given = dict(part.split("=") for part in arguments.split(",")[1:])
    value = {
        "results": {"t": {"acc,none": 0.5}},
        "config": {"model_args": {"pretrained": "org/a", **given}},
        "model_name": "org/a",
    }
    (tmp_path / "new.json").write_text(json.dumps(value))
    assert [*read(tmp_path / "new.json")[0]] == [(name, "t")]


def test_checkpoints_are_two_models(tmp_path: Path) -> None:
    early, late = (
        log(tmp_path, "org/a", {"t": {"acc": x}}, f",revision=step{n}") for n, x in ((1000, 0.5), (143000, 0.64))
    )
    assert read(early, late)[0] == {("org/a@step1000", "t"): 0.5, ("org/a@step143000", "t"): 0.64}


def test_two_logs_of_one_model_and_task_are_refused_and_named(tmp_path: Path) -> None:
    first, second = (log(tmp_path, "org/a", {"t": {"acc": x}}) for x in (0.5, 0.6))
    with pytest.raises(
        rs.DataError, match=r'1\.json: "org/a" has results of "t" here and in .*0\.json; expected one run'
    ):
        rs.read([first, second])
    other = log(tmp_path, "org/a", {"u": {"acc": 0.7}})  # a twin: another task
    assert read(first, other)[0] == {("org/a", "t"): 0.5, ("org/a", "u"): 0.7}


# What makes runs incomparable


@pytest.mark.parametrize(("one", "two", "says"), [
    ({"config": {"num_fewshot": 0}}, {"config": {"num_fewshot": 25}}, 'shots 0 of "org/a", 25 of "org/b"'),
    ({"n-shot": {"t": 5}}, {"n-shot": {"t": 0}}, 'shots 5 of "org/a", 0 of "org/b"'),
    ({"versions": {"t": 0}}, {"versions": {"t": 1.0}}, 'version 0 of "org/a", 1.0 of "org/b"'),
    ({"config": {"limit": 100}}, {"config": {"limit": None}}, 'limit 100 of "org/a", none of "org/b"'),
    ({"n-samples": {"t": {"original": 100, "effective": 10}}}, {"n-samples": {"t": {"original": 9, "effective": 9}}}, 'limit 10 cases of "org/a", none of'),
    ({"chat_template_sha": "9f1"}, {}, 'template 9f1 of "org/a", none of "org/b"'),
    ({"configs": {"t": {"doc_to_text": "Q: {{q}}"}}}, {"configs": {"t": {"doc_to_text": "{{q}}"}}}, "template Q: {{q}} of"),
    ({"system_instruction": "Be brief."}, {}, 'instruction Be brief. of "org/a", none of "org/b"'),
])  # fmt: skip
def test_what_makes_runs_incomparable_is_named(tmp_path: Path, one: Any, two: Any, says: str) -> None:
    a, b = (log(tmp_path, f"org/{m}", {"t": {"acc": x}}, **more) for m, x, more in (("a", 0.5, one), ("b", 0.6, two)))
    (note,) = read(a, b)[1]
    assert note.startswith('models were not asked alike on "t": ')
    assert says in note
    same = log(tmp_path, "org/c", {"t": {"acc": 0.7}}, **one)  # a twin: asked alike
    assert read(a, same)[1] == []


@pytest.mark.parametrize(("of_run", "says"), [
    ({"eval": {"model_generate_config": {"temperature": 0.7}}}, 'temperature 0.7 of "org/a", none of "org/b"'),
    ({"plan": {"config": {"temperature": 0}}}, 'temperature 0 of "org/a", none of'),
    ({"plan": {"config": {"max_tokens": 512}}}, 'max tokens 512 of "org/a", none of'),
    ({"eval": {"config": {"epochs": 4}}}, 'epochs 4 of "org/a", 1 of "org/b"'),
    ({"eval": {"config": {"limit": 100}}}, 'limit 100 of "org/a", none of'),
    ({"eval": {"task_version": 2}}, 'version 2 of "org/a", 0 of "org/b"'),
    ({"eval": {"task_args": {"shots": 5}}}, "task arguments {'shots': 5} of \"org/a\", none of"),
    ({"plan": {"steps": [{"solver": "ask", "params": {"template": "Q: {prompt}"}}]}}, "template ['Q: {prompt}'] of"),
    ({"plan": {"steps": [{"solver": "think"}, {"solver": "ask"}]}}, 'solver think, ask of "org/a", ask of'),
])  # fmt: skip
def test_what_makes_logs_of_inspect_incomparable_is_named(tmp_path: Path, of_run: Any, says: str) -> None:
    def write(model: str, more: Any) -> Path:
        run = {"task": "t", "model": model, "task_version": 0, "config": {}} | more.get("eval", {})
        plan = {"steps": [{"solver": "ask"}], "config": {}} | more.get("plan", {})
        samples = [{"id": i, "epoch": 1, "scores": {"match": {"value": "C"}}} for i in (1, 2)]
        path = tmp_path / f"{model[-1]}.json"
        path.write_text(json.dumps({"version": 2, "status": "success", "eval": run, "plan": plan, "samples": samples}))
        return path

    a, b, same = write("org/a", of_run), write("org/b", {}), write("org/c", of_run)
    (note,) = read(a, b)[1]
    assert note.startswith('models were not asked alike on "t": ')
    assert says in note
    assert read(a, same)[1] == []  # a twin: asked alike


def test_a_document_that_stands_twice_in_a_file_of_samples_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "org__a"
    folder.mkdir()
    lines = [{"doc_id": i, "metrics": ["acc"], "acc": right} for i, right in enumerate((1, 0, 1))]
    path = folder / "samples_t.jsonl"
    path.write_text("\n".join(map(json.dumps, [*lines, lines[1] | {"acc": 1}])))
    with pytest.raises(rs.DataError, match=r"samples 2 and 4 are of the same document, 1; .*keep one run in the file"):
        rs.read(path)
    path.write_text("\n".join(json.dumps(one | {"filter": of}) for of in ("none", "strict") for one in lines))
    assert read(path)[0] == {("org/a", "t"): pytest.approx(2 / 3)}  # a twin: each document once by each filter


def test_samples_were_asked_as_the_results_beside_them_say(tmp_path: Path) -> None:
    for model, shots, right in (("a", 0, [1, 0]), ("b", 5, [1, 1])):
        folder = tmp_path / f"org__{model}"
        folder.mkdir()
        lines = [json.dumps({"doc_id": i, "metrics": ["acc"], "acc": one}) for i, one in enumerate(right)]
        (folder / "samples_t.jsonl").write_text("\n".join(lines))
        log(folder, f"org/{model}", {"t": {"acc": 0.5}}, config={"num_fewshot": shots})
    values, notes = read(*sorted(tmp_path.iterdir()))
    assert values == {("org/a", "t"): 0.5, ("org/b", "t"): 1.0}
    assert notes == ['models were not asked alike on "t": shots 0 of "org/a", 5 of "org/b"']


def test_scores_of_which_no_two_models_lack_all_but_no_one_is_common_are_refused(tmp_path: Path) -> None:
    tasks = ({"acc": 0.5, "em": 0.5}, {"em": 0.5, "pass@1": 0.5}, {"acc": 0.5, "pass@1": 0.5})
    paths = [log(tmp_path, f"org/{i}", {"t": task}) for i, task in enumerate(tasks)]
    with pytest.raises(rs.DataError, match='"t" is scored by "acc", "em" of "org/0" and by "em", "pass@1" of "org/1"'):
        read(*paths)


def test_grades_and_rates_of_another_metric_keep_its_name_and_their_cases(tmp_path: Path) -> None:
    folder = tmp_path / "org__a"
    folder.mkdir()
    lines = [json.dumps({"doc_id": i, "metrics": ["f1"], "f1": one}) for i, one in enumerate((0.25, 1))]
    (folder / "samples_t.jsonl").write_text("\n".join(lines))
    P = rs.read(folder, metric="f1")
    assert (P.space.name, P.pairing is None) == ("f1", False)
    log(folder, "org/a", {"u": {"f1": 0.5}})
    assert rs.read(folder, metric="f1").mass[:, 1].tolist() == [0.625, 0.5]


def test_one_case_is_a_number_of_cases(tmp_path: Path) -> None:
    P = rs.read(log(tmp_path, "org/a", {"t": {"acc": 1.0}}, **{"n-samples": {"t": {"original": 1, "effective": 1}}}))
    assert P.counts is not None
    assert P.counts.tolist() == [[0, 1]]


# The number of cases behind a standard error


@pytest.mark.parametrize(("k", "n"), [(3, 8), (570, 1000), (1, 3), (12_345, 36_096), (7, 10), (999, 1000)])
def test_the_number_of_cases_follows_from_the_standard_error(tmp_path: Path, k: int, n: int) -> None:
    share = k / n
    se = math.sqrt(share * (1 - share) / (n - 1))
    path = log(tmp_path, "org/a", {"t": {"acc": share, "acc_stderr": se}})
    P = rs.read(path)
    assert P.counts is not None
    assert P.counts.tolist() == [[n - k, k]]
    path.write_text(
        json.dumps({"results": {"t": {"acc,none": share, "acc_stderr,none": se}}, "config": {}, "model_name": "m"})
    )
    assert rs.read(path).counts.tolist() == [[n - k, k]]


@pytest.mark.parametrize(
    ("acc", "se"), [(0.6, 0.01), (0.57, 0.02), (0.5, 0.1234), (1.0, 0.0), (0.0, 0.0), (0.61, None)]
)
def test_where_several_numbers_of_cases_fit_there_are_shares_only(tmp_path: Path, acc: float, se: float | None) -> None:
    metrics = {"acc": acc} if se is None else {"acc": acc, "acc_stderr": se}
    assert rs.read(log(tmp_path, "org/a", {"t": metrics})).counts is None


# Folders with other files


def test_a_file_that_is_no_log_stops_no_folder(tmp_path: Path) -> None:
    a, b = (log(tmp_path, f"org/{m}", {"t": {"acc": x}}) for m, x in (("a", 0.5), ("b", 0.6)))
    (tmp_path / "notes.json").write_text('{"seed": 7, "by": "us"}')
    with pytest.warns(rs.IncompleteDataWarning, match=r"left out: 1 row \(.*notes\.json, which is no log\)"):
        assert rs.read(tmp_path).names == ("org/a", "org/b")
    (tmp_path / "cut.json").write_text(a.read_text()[:-9])  # a log that is broken
    with pytest.raises(rs.DataError, match=r"cut\.json"):
        rs.read(tmp_path)
    assert b.exists()
