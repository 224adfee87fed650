"""The command line: every option answers, every error is one sentence with its exit status."""

import csv
import errno
import importlib
import inspect
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import rankscape as rs
from rankscape import _report
from rankscape.cli import COMMANDS, base, main

FINLEY = "entity,tn,fp,fn,tp\nFinley,2680,72,23,28\nnever a tornado,2752,0,51,0\n"
RESULTS = """domain,entity,tn,fp,fn,tp
x,svm,86,4,0,10
x,knn,79,6,0,15
x,tree,70,20,5,5
x,never,90,0,10,0
y,svm,40,10,5,45
y,knn,45,5,15,35
y,tree,30,20,20,30
y,never,50,0,50,0
"""
GIVEN = {"results.csv", "finley.csv", "predictions.csv"}
PREDICTIONS = "model,y,yhat\n" + "svm,1,1\nsvm,0,0\nsvm,0,1\nknn,1,0\nknn,0,0\nknn,0,0\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with two tables of counts and one of predictions."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "results.csv").write_text(RESULTS)
    (tmp_path / "finley.csv").write_text(FINLEY)
    (tmp_path / "predictions.csv").write_text(PREDICTIONS)
    return tmp_path


def run(*args: str, status: int = 0, **options: Any) -> Result:
    result = CliRunner().invoke(main, args, **options)
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def ranked(*args: str, file: str = "results.csv") -> list[str]:
    """Names from first to last."""
    return [row["entity"] for row in csv.DictReader(io.StringIO(run("rank", file, *args, "--format", "csv").stdout))]


# rank


def test_finley_first_by_accuracy_is_who_never_warns_and_last_by_f1() -> None:
    assert ranked("--by", "accuracy", file="finley.csv") == ["never a tornado", "Finley"]
    assert ranked("--by", "f1", file="finley.csv") == ["Finley", "never a tornado"]


@pytest.mark.parametrize(
    "options",
    [
        ["--by", "f1"],
        ["--by", "fbeta(2)"],
        ["--by", "0.3,0.7"],
        ["--by", "tn=1,fp=1,fn=5,tp=5"],
        ["--costs", "miss=5,false-alarm=1"],
        ["--by", "sqrt(tpr*tnr)"],
        ["--by", "error rate"],
        ["--domain", "x"],
        ["--by", "kappa", "--domain", "y"],
    ],
)
@pytest.mark.parametrize("format", ["table", "csv", "json", "latex", "markdown"])
def test_every_preference_answers_in_every_format(options: list[str], format: str) -> None:
    text = run("rank", "results.csv", *options, "--format", format).stdout
    assert all(name in text for name in ("svm", "knn", "tree", "never"))


@pytest.mark.parametrize(
    ("options", "by"),
    [
        ([], "f1"),
        (["--by", "fbeta(2)"], "fbeta(2)"),
        (["--by", "0.3,7/10"], rs.at(0.3, 0.7)),
        (["--by", "tn=1,fp=2,fn=5,tp=.5"], [1, 2, 5, 0.5]),
        (["--by", "1, 2, 5, 0.5"], [1, 2, 5, 0.5]),
        (["--costs", "miss=5"], [1, 1, 5, 5]),
        (["--costs", "false_alarm=3,miss=2"], [3, 3, 2, 2]),
    ],
)
def test_the_command_ranks_as_the_library(options: list[str], by: Any) -> None:
    ranking = rs.rank(rs.read("results.csv"), by=by)
    document = json.loads(run("rank", "results.csv", *options, "--format", "json").stdout)
    assert [entity["entity"] for entity in document["entities"]] == [ranking.names[i] for i in ranking.order]
    assert [entity["value"] for entity in document["entities"]] == pytest.approx(ranking.values[ranking.order].tolist())


def test_numbers_are_exact_decimals() -> None:
    document = json.loads(run("rank", "results.csv", "--by", "0.1,1/3", "--format", "json").stdout)
    assert document["formula"] == "(27*tn + 3*tp) / (27*tn + 20*fp + 10*fn + 3*tp)"


def test_the_table_names_score_formula_place_ties_and_who_is_undefined() -> None:
    lines = run("rank", "results.csv", "--by", "precision", "--domain", "x").stdout.splitlines()
    assert lines == [
        "Ranking of 4 models by positive predictive value (PPV); larger is better",
        "PPV = tp / (fp + tp)",
        "On the Tile at a = 1, b = 0: misses do not count; correct rejections do not count",
        "",
        "rank  model   value  note",
        "  1=  knn    0.7143  tied: 1–2",
        "  1=  svm    0.7143  tied: 1–2",
        "   3  tree   0.2000",
        "   —  never       —  PPV needs tp + fp > 0; here fp = tp = 0",
        "",
        "First: knn, svm (0.7143, tied exactly)",
        "Undefined, so not ranked: never (PPV needs tp + fp > 0; here fp = tp = 0)",
        "On the domain x",
    ]


@pytest.mark.parametrize(("ties", "rank"), [("min", "1="), ("max", "2="), ("average", "1.5=")])
def test_ties(ties: str, rank: str) -> None:
    text = _report.leaderboard(rs.read("results.csv").in_domain("x"), "precision", ties).render("table")
    assert re.findall(r"^ *(\S+)  (?:svm|knn)", text, re.MULTILINE) == [rank, rank]


def test_ties_that_are_not_first_are_named() -> None:
    table = "entity,tn,fp,fn,tp\na,9,1,0,10\nb,86,4,0,10\nc,79,6,0,15\nd,4,1,1,4\n"
    text = run("rank", "-", "--by", "ppv", input=table).stdout
    assert "First: a (0.9091)\nTied exactly: b = c\n" in text


def test_domains_are_averaged_and_it_is_said() -> None:
    result = run("rank", "results.csv")
    assert "Performances (not scores) averaged over 2 domains with equal weights" in result.stdout
    document = json.loads(run("rank", "results.csv", "--format", "json").stdout)
    assert document["domains"] == ["x", "y"]
    assert json.loads(run("rank", "results.csv", "--domain", "y", "--format", "json").stdout)["domains"] == ["y"]


def test_json_has_the_schema_and_null_for_undefined() -> None:
    text = run("rank", "results.csv", "--by", "precision", "--domain", "x", "--format", "json").stdout
    document = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert document["schema"] == "rankscape/rank/1"
    assert set(document) >= {
        *("score", "formula", "importance", "place", "ties", "exact", "domains", "notes", "entities")
    }
    assert document["importance"] == {"tn": 0, "fp": 1, "fn": 0, "tp": 1}
    assert document["place"] == {"a": 1, "b": 0}
    assert document["exact"] is True
    assert document["entities"][0] == {
        **{"rank": 1, "entity": "knn", "value": 10 / 14, "rank_low": 1, "rank_high": 2, "reason": None}
    }
    assert document["entities"][3] == {
        **{"rank": None, "entity": "never", "value": None, "rank_low": None, "rank_high": None},
        "reason": "PPV needs tp + fp > 0; here fp = tp = 0",
    }


READ = "Read 8 rows of 4 models (column entity) on 2 domains (column domain)\n"


def test_an_unsound_score_warns_and_the_status_is_0() -> None:
    result = run("rank", "results.csv", "--by", "mcc")
    once = " ".join(result.output.split())  # both streams
    assert once.count("Matthews correlation coefficient is not sound for ranking") == 1
    assert "Caution: Matthews correlation coefficient is not sound for ranking" in " ".join(result.stdout.split())
    assert "a sound neighbor here is" in once
    for format_ in ("csv", "json"):  # data have no text below them
        result = run("rank", "results.csv", "--by", "mcc", "--format", format_)
        read = READ if format_ == "csv" else ""  # which JSON has inside
        assert result.stderr.removeprefix(read).startswith("warning: Matthews correlation coefficient is not sound")
    assert run("rank", "results.csv", "--by", "f1").stderr == READ


def test_the_place_of_kappa_is_that_at_the_common_prior() -> None:
    text = run("rank", "results.csv", "--domain", "y", "--by", "kappa").stdout
    assert "On the Tile at the prior 0.5, at a = 0.5, b = 0.5: a miss counts as a false alarm" in text


def test_costs_say_when_priors_differ() -> None:
    note = "priors differ between models, so the order is not that of expected costs"
    costs = ("rank", "results.csv", "--costs", "miss=5")
    assert f"Note: {note}" in run(*costs).stdout
    assert f"note: {note}" in run(*costs, "--format", "csv").stderr
    assert note in json.loads(run(*costs, "--format", "json").stdout)["notes"]
    assert note not in run(*costs, "--domain", "y").output
    assert note not in run("rank", "results.csv", "--costs", "miss=1").output  # accuracy is 1 - cost at any prior


def test_standard_input() -> None:
    assert "Finley (0.3709)" in run("rank", "-", input=FINLEY).stdout


def test_options_for_reading() -> None:
    Path("odd.csv").write_bytes("net;where;tn;fp;fn;tp\nä;x;0,5;0,2;0,05;0,25\n".encode("latin-1"))
    options = ["--entity-column", "net", "--domain-column", "where"]
    run("convert", "odd.csv", *options, "--encoding", "latin-1", "-o", "even.csv")
    assert "First: ä" in run("rank", "even.csv").stdout
    assert "save the file as UTF-8" in run("rank", "odd.csv", *options, status=3).stderr
    assert "--encoding latin-1" in run("convert", "odd.csv", *options, status=3).stderr


# wrong usage


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--by", "f1", "--costs", "miss=2"], r"--by and --costs each say what to rank by: choose one of"),
        (["--by", "jacard"], r"no score is called 'jacard'; the nearest names are 'Jaccard'"),
        (["--domain", "z"], r"no domain is called 'z'; the nearest are 'x', 'y'"),
        (["--by", "0,2"], r"b must lie in \[0, 1\]; got 2"),
        (["--by", "0,half"], r"'half' is no number; expected one such as 5, 0.3 or 1/3"),
        (["--by", "0,1e999999999"], r"'1e999999999' is no number"),
        (["--by", "0,1/0"], r"'1/0' is no number"),
        (["--by", "0,nan"], r"'nan' is no number"),
        (["--by", "tn=1,fb=2"], r"'fb=2' is not understood; expected, for example, tn=1,fp=1,fn=1,tp=1"),
        (["--by", "tn=1,tn=2"], r"tn is given twice"),
        (["--by", "1,2,3"], r"expected 4 numbers \(tn, fp, fn, tp\); got 3"),
        (["--by", "tn=-1,tp=1"], r"importances must be finite and not negative"),
        (["--by", "tn=0"], r"an importance must be positive for one outcome"),
        (["--costs", "error=1"], r"'error=1' is not understood; expected, for example, miss=1,false-alarm=1"),
        (["--costs", "5"], r"'5' is not understood"),
        (["--format", "xlsx"], r"Invalid value for '--format'"),
        (["-o", "leaderboard.xlsx"], r"leaderboard.xlsx: cannot tell the format from .xlsx: pass --format"),
        (["--nothing"], r"No such option:? '?--nothing'?"),
        (["--by", "1 +"], r"1 \+"),
    ],
)
def test_wrong_usage_is_one_sentence_and_status_2(args: list[str], sentence: str) -> None:
    result = run("rank", "results.csv", *args, status=2)
    assert re.match(f"Error: .*{sentence}", result.stderr), result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_unknown_commands_and_missing_files_are_wrong_usage() -> None:
    assert "No such command 'rnk'" in run("rnk", status=2).stderr
    assert "Missing argument 'FILE...|-'. See 'main rank --help'" in run("rank", status=2).stderr
    assert run("--nothing", status=2).stdout == ""


# bad data


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("entity,tn,fp,fn\na,1,2,3\n", "no column tp"),
        ("entity,tn,fp,fn,tp\nunet,1,-3,3,4\n", r'row 1 .*"unet"\).*fp = -3 is negative'),
        ("entity,tn,fp,fn,tp\n", "there is no row"),
        ("entity,tn,fp,fn,tp\na,0,0,0,0\n", "all counts are 0"),
        (
            "entity,domain,tn,fp,fn,tp\na,x,1,1,1,1\na,y,1,1,1,1\nb,x,1,1,1,1\n",
            r'1 cell of 4 missing \("b" on "y"\).*--missing complete',
        ),
        ("entity,tn,fp,fn,tp\na\x1b[31m,1,-3,3,4\n", r"a\\x1b\[31m"),
    ],
)
@pytest.mark.parametrize("command", ["rank", "tile"])
def test_bad_data_is_one_sentence_and_status_3(table: str, sentence: str, command: str) -> None:
    Path("bad.csv").write_text(table)
    result = run(command, "bad.csv", status=3)
    assert re.match(f"Error: .*{sentence}", result.stderr), result.stderr
    assert result.stderr.count("\n") == 1
    assert not Path("tile.png").exists()


def test_a_file_that_is_not_there_is_bad_data_with_the_nearest_name() -> None:
    assert "there is no such file; near it are" in run("rank", "result.csv", status=3).stderr


def test_python_arguments_in_errors_are_called_by_the_names_of_the_options() -> None:
    Path("two.csv").write_text("model,method,tn,fp,fn,tp\na,b,1,1,1,1\n")
    assert "say which with --entity-column" in run("rank", "two.csv", status=3).stderr
    assert "(--entity-column)" in run("rank", "two.csv", "--entity-column", "net", status=3).stderr


# debug, defects, signals, pipes, encodings


@pytest.mark.parametrize("args", [["--debug", "rank", "no.csv"], ["rank", "no.csv", "--debug"]])
def test_debug_shows_the_traceback_on_either_side_of_the_command(args: list[str]) -> None:
    result = CliRunner().invoke(main, args)
    assert result.exit_code == 3
    assert "Traceback" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("Error: no.csv")


@pytest.mark.parametrize(
    ("raised", "status", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(errno.EPIPE, "closed"), 141, ""),
        (RuntimeError("odd"), 70, "Error: rankscape has failed (RuntimeError: odd); this is a defect"),
    ],
)
def test_interruptions_and_defects(
    raised: BaseException, status: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise raised

    monkeypatch.setattr("rankscape.cli.reading.read_quietly", fail)
    monkeypatch.setattr(os, "dup2", lambda *args: None)
    assert run("rank", "results.csv", status=status).stderr.startswith(said)


SOURCE = {**os.environ, "PYTHONPATH": str(Path(rs.__file__).resolve().parents[1])}


def shell(*args: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    environment = SOURCE | options.pop("env", {})
    command = [sys.executable, "-m", "rankscape", *args]
    return subprocess.run(command, capture_output=True, timeout=60, check=False, env=environment, **options)


def test_the_module_is_the_command() -> None:
    result = shell("rank", "-", "--format", "csv", input=FINLEY.encode())
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(b"rank,entity,value")
    assert shell("rank", "missing.csv").returncode == 3
    assert shell("rank", "missing.csv").stderr.startswith(b"Error: missing.csv")
    version = shell("--version")
    assert rs.__version__.encode() in version.stdout


@pytest.mark.some(1)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_that_knows_few_characters_is_no_reason_to_fail(encoding: str) -> None:
    table = FINLEY.replace("Finley", "網路ü")
    poor = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"}
    result = shell("rank", "-", "--by", "ppv", input=table.encode(), env=poor)
    assert (result.returncode, result.stderr) == (0, b"Read 2 rows of 2 models (column entity)\n")
    assert ("??ü" if encoding == "latin-1" else "網路ü").encode("latin-1" if encoding == "latin-1" else "utf-8") in (
        result.stdout
    )
    data = shell("rank", "-", "--format", "csv", input=table.encode(), env=poor)
    assert "網路ü" in data.stdout.decode("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_reader_that_leaves_early_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "rankscape", "scores"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=SOURCE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()  # before anything is written
        _, said = process.communicate(timeout=60)
    assert said == b""
    assert process.returncode == 141


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_interruption_is_quiet() -> None:
    os.mkfifo("waiting")
    code = (
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored in background jobs
        "from rankscape.cli import main\nmain(['rank', '--debug', 'waiting'])"
    )
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], env=SOURCE, **pipes) as process:
        try:
            writer = opened_by_both("waiting", process)
            until(lambda: asleep(process.pid))  # a signal just before it waits would be heard after it
            process.send_signal(signal.SIGINT)
            out, said = process.communicate(timeout=20)
            os.close(writer)
        finally:
            process.kill()
    assert (process.returncode, out, said) == (130, b"", b"")


def opened_by_both(name: str, process: subprocess.Popen[bytes]) -> int:
    """Open a pipe for writing as soon as the process reads from it."""

    def opened() -> int | None:
        assert process.poll() is None
        with suppress(OSError):
            return os.open(name, os.O_WRONLY | os.O_NONBLOCK)
        return None

    return until(opened)


def asleep(pid: int) -> bool:
    """Tell whether a process waits: for its pipe, where nothing else is left to wait for."""
    with suppress(FileNotFoundError):  # there is no /proc on macOS
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=True).stdout
    return state.startswith("S")


def until(happens: Callable[[], Any]) -> Any:
    """Ask again and again until there is an answer other than None and False, and return it."""
    for _ in range(2000):
        found = happens()
        if found is not None and found is not False:
            return found
        time.sleep(0.01)
    return pytest.fail("it never happened")


def test_help_is_fast_and_loads_neither_matplotlib_nor_scipy() -> None:
    code = (
        "import sys\nfrom rankscape.cli import main\n"
        "main(['rank', '--help'], standalone_mode=False)\n"
        "heavy = {'matplotlib', 'scipy', 'pandas', 'narwhals'} & set(sys.modules)\n"
        "raise SystemExit(', '.join(heavy) or 0)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=60, env=SOURCE)
    assert (result.returncode, result.stderr) == (0, b"")


def test_standard_input_is_read_alone() -> None:
    Path("more.csv").write_text(PREDICTIONS)
    options = ["--truth", "y", "--prediction", "yhat"]
    assert (
        "standard input (-) is read alone" in run("rank", "-", "more.csv", *options, input=PREDICTIONS, status=2).stderr
    )


# count


def test_count_gives_the_table_that_rank_reads() -> None:
    table = run("count", "predictions.csv", "--truth", "y", "--prediction", "yhat", "--entity-column", "model").stdout
    assert table == "entity,tn,fp,fn,tp\nknn,2,0,1,0\nsvm,1,1,0,1\n"
    first = run("rank", "-", "--by", "f1", "--format", "csv", input=table).stdout.splitlines()[1]
    assert first.split(",")[:2] == ["1", "svm"]


def test_count_names_columns_as_the_other_commands_do() -> None:
    table = "net,site,y,yhat\nsvm,x,1,1\nsvm,z,0,1\n"
    options = ["-", "--truth", "y", "--prediction", "yhat"]
    columns = ["--entity-column", "net", "--domain-column", "site"]
    assert run("count", *options, *columns, input=table).stdout.splitlines()[1:] == ["x,svm,0,0,0,1", "z,svm,0,1,0,0"]
    for option in ("--entity", "--domain"):
        assert f"{option}-column" in run("count", *options, option, "net", input=table, status=2).stderr


def test_count_reads_standard_input_and_several_files_and_writes_by_suffix() -> None:
    options = ["--truth", "y", "--prediction", "yhat", "--entity-column", "model"]
    assert run("count", "-", *options, input=PREDICTIONS).stdout == run("count", "predictions.csv", *options).stdout
    Path("more.csv").write_text(PREDICTIONS)
    run("count", "predictions.csv", "more.csv", *options, "-o", "counts.json")
    written = json.loads(Path("counts.json").read_text())
    assert (written["rows"], written["records"]) == (2 * (PREDICTIONS.count("\n") - 1),) * 2
    assert written["results"][0] == {"entity": "knn", "tn": 4, "fp": 0, "fn": 2, "tp": 0}


def test_count_takes_scores_labels_and_the_positive_one() -> None:
    Path("scores.csv").write_text("y,s,name\nham,0.1,x\nspam,0.6,y\nham,0.7,z\n")
    scored = ["count", "scores.csv", "--truth", "y", "--score", "s", "--pos-label", "spam", "--threshold"]
    assert run(*scored, "0.5").stdout.splitlines()[1] == "s,1,1,0,1"
    Path("animals.csv").write_text("y,p\ncat,cat\ndog,bird\nbird,bird\n")
    pairs = run("count", "animals.csv", "--truth", "y", "--prediction", "p", "--labels", "cat,dog,bird").stdout
    assert pairs.splitlines()[1] == "p,1,0,0,0,0,1,0,0,1"
    assert run("count", "predictions.csv", "--truth", "y", "--prediction", "yhat", "--labels", "0,1").stdout


def test_count_says_what_it_cannot_count_and_writes_nothing() -> None:
    Path("holes.csv").write_text("model,y,yhat\na,0,1\na,,1\nb,1,1\n")
    options = [
        "count",
        "holes.csv",
        "--truth",
        "y",
        "--prediction",
        "yhat",
        "--entity-column",
        "model",
        "-o",
        "out.csv",
    ]
    message = run(*options, status=3).stderr
    assert "in 1 of 3 rows the truth is missing" in message
    assert "fill in what is missing" in message
    assert not Path("out.csv").exists()
    assert (
        'no column is called "why" (truth)'
        in run("count", "holes.csv", "--truth", "why", "--score", "y", "--threshold", "1", status=3).stderr
    )
    assert (
        "name the positive class with --pos-label"
        in run("count", "holes.csv", "--truth", "model", "--prediction", "model", status=3).stderr
    )
    assert "either --prediction, the column" in run("count", "holes.csv", "--truth", "y", status=2).stderr


def test_count_answers_options_that_cannot_be_meant() -> None:
    options = ["count", "predictions.csv", "--truth", "y", "--prediction", "yhat"]
    assert (
        'a label is 0, which is none of 1, "²"' in run(*options, "--labels", "²,1", "--pos-label", "1", status=3).stderr
    )
    assert (
        "--pos-label 5 is none of the labels 0, 1: name the positive class with --pos-label"
        in run(*options, "--pos-label", "5", status=3).stderr
    )
    texts = ["count", "predictions.csv", "--truth", "model", "--prediction", "model"]
    assert "nothing says which of the labels" in run(*texts, status=3).stderr
    for option in (
        "--entity-column",
        "--case",
        "--weight",
        "--truth",
        "--labels",
        "--pos-label",
        "--threshold",
    ):
        assert "model, y); expected one" in run(*options, option, "model", option, "y", status=2).stderr


def test_rank_of_predictions_says_how() -> None:
    message = run(
        "rank", "predictions.csv", "--truth", "y", "--prediction", "yhat", "--entity", "model", status=2
    ).stderr
    assert "--truth y --prediction yhat --entity-column model" in message
    assert "add --truth y --prediction yhat" in run("rank", "predictions.csv", status=3).stderr
    assert "--truth needs --prediction" in run("tile", "predictions.csv", "--truth", "y", status=2).stderr


# help


@pytest.mark.some(5)
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_example_in_the_help_works(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    Path("new.csv").write_text("entity,tn,fp,fn,tp\nnew,9900,100,5,995\n")
    Path("prod.csv").write_text("entity,tn,fp,fn,tp\nprod,9500,500,200,800\n")
    Path("bm25.run").write_text("q1 Q0 d1 1 9.5 bm25\n")
    Path("dense.run").write_text("q1 Q0 d3 1 0.9 dense\n")
    Path("judgements.qrels").write_text("q1 0 d1 1\nq1 0 d3 1\n")
    Path("scores.csv").write_text("model,y,s\n" + "".join(f"m{i % 2},{i % 3 == 0:d},{i * 7 % 11}\n" for i in range(60)))
    examples = re.findall(r"^ +rankscape (.+)$", run(command, "--help").stdout, re.MULTILINE)
    assert len(examples) == 1
    assert shlex.split(examples[0])[0] == command
    run(*shlex.split(examples[0]))


@pytest.mark.parametrize("command", ["domains", "explore", "gate", "rank", "report", "tile", "tradeoff", "why"])
def test_the_options_of_reading_stand_under_headings_of_their_own(command: str) -> None:
    parts = re.split(r"^(?:Options|How FILE is read):$", run(command, "--help").stdout, flags=re.MULTILINE)
    _, question, reading = parts
    assert "--help" in question
    assert "FILE...|-" not in question
    assert "--truth HEADER" in reading
    assert "--unanswered" in reading
    assert "--answers, --qrels, --annotations FILE" in reading


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_table_of_commands_has_the_first_sentence_of_each_help(command: str) -> None:
    listed = main.get_command(click.Context(main), command)
    assert listed is not None
    assert listed.name == command
    assert (listed.help or "").partition("\n")[0] == COMMANDS[command]


def test_the_help_lists_the_commands() -> None:
    assert {"demo", "locate", "rank", "scores", "tile", "tradeoff", "why"} <= set(COMMANDS)
    text = run("-h").stdout
    assert all(f"\n  {command} " in text for command in COMMANDS)
    assert "..." not in text.partition("Commands:")[2]


# files


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("out.csv", "rank,entity"),
        ("out.json", "{"),
        ("out.tex", "% Ranking"),
        ("out.md", "Ranking of"),
        ("out.txt", "Ranking of"),
        ("out", "Ranking of"),
    ],
)
def test_output_goes_to_the_file_in_the_format_of_its_name(name: str, start: str, folder: Path) -> None:
    result = run("rank", "results.csv", "-o", name)
    assert result.stdout == ""
    read = "" if name == "out.json" else READ  # JSON has it inside
    assert result.stderr.startswith(f"{read}written to {name}\n")
    notes = result.stderr.removeprefix(read).splitlines(keepends=True)[1:]
    how = "note: Performances (not scores) averaged over 2 domains with equal weights"
    assert notes == ([f"{how}\n"] if name == "out.csv" else [])  # the others have it in their text
    assert Path(name).read_text(encoding="utf-8").startswith(start)
    assert {path.name for path in folder.iterdir()} == {*GIVEN, name}


def test_the_format_goes_before_the_name_of_the_file() -> None:
    run("rank", "results.csv", "-o", "out.txt", "--format", "json")
    assert json.loads(Path("out.txt").read_text())["schema"] == "rankscape/rank/1"
    assert run("rank", "results.csv", "-o", "-").stdout.startswith("Ranking of")


def test_nothing_is_half_written(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    Path("out.csv").write_text("precious")

    def full(*args: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    result = run("rank", "results.csv", "-o", "out.csv", status=2)
    assert result.stderr == "Error: cannot write out.csv: No space left on device\n"
    assert Path("out.csv").read_text() == "precious"
    assert {path.name for path in folder.iterdir()} == {*GIVEN, "out.csv"}


def test_a_bad_table_leaves_the_old_output_alone() -> None:
    Path("out.csv").write_text("precious")
    Path("bad.csv").write_text("entity,tn\na,1\n")
    run("rank", "bad.csv", "-o", "out.csv", status=3)
    assert Path("out.csv").read_text() == "precious"


def test_a_folder_that_is_not_there_is_said() -> None:
    assert (
        "cannot write no/out.csv: there is no folder no"
        in run("rank", "results.csv", "-o", "no/out.csv", status=2).stderr
    )


@pytest.mark.skipif(os.name == "nt", reason="POSIX links and permissions")
def test_links_stay_links_and_the_usual_permissions_are_given(folder: Path) -> None:
    Path("real.csv").write_text("old")
    Path("link.csv").symlink_to("real.csv")
    run("rank", "results.csv", "-o", "link.csv")
    assert Path("link.csv").is_symlink()
    assert Path("real.csv").read_text().startswith("rank,")
    mask = os.umask(0)
    os.umask(mask)
    assert Path("real.csv").stat().st_mode & 0o777 == 0o666 & ~mask


def test_hostile_names_come_through_every_format() -> None:
    names = ["a|b", "50%_of {#1} & $x^2~\\", "<script>", 'say "hi"', "two\nlines", "\x1b[31mred", "x" * 500, "=1+1"]
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerows([["entity", "tn", "fp", "fn", "tp"], *([name, 9, i, 2, 7] for i, name in enumerate(names))])
    Path("hostile.csv").write_text(buffer.getvalue())
    assert ranked(file="hostile.csv") == [*names[:-1], "'=1+1"]  # no formula for a spreadsheet
    document = json.loads(run("rank", "hostile.csv", "--format", "json").stdout)
    assert [entity["entity"] for entity in document["entities"]] == names
    for format in ("table", "latex", "markdown"):
        text = run("rank", "hostile.csv", "--format", format).stdout
        assert "\x1b" not in text
        assert "two\nlines" not in text
        assert ("x" * 500 in text) == (format != "table")
    assert max(map(len, run("rank", "hostile.csv").stdout.splitlines())) <= 100


@pytest.mark.parametrize("width", [80, 100])
def test_prose_stays_inside_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for args in (
        ["rank", "results.csv", "--by", "precision", "--domain", "x"],
        ["scores", "f1"],
        ["tile", "results.csv"],
    ):
        assert max(map(len, run(*args).stdout.splitlines())) <= width


def test_nothing_that_moves_the_cursor_reaches_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    base.Output("csv", None).show("rank,entity\n1,\x1b[31mred\n")
    assert capsys.readouterr().out == "rank,entity\n1,\\x1b[31mred\n"


# tile


@pytest.mark.some(1)
@pytest.mark.parametrize(("name", "magic"), [("t.png", b"\x89PNG"), ("t.svg", b"<?xml"), ("t.pdf", b"%PDF")])
def test_figures(name: str, magic: bytes) -> None:
    result = run("tile", "results.csv", "-o", name, "--resolution", "21")
    assert f"written to {name}\n" in result.stderr
    assert "note: Performances (not scores) averaged over 2 domains with equal weights" in result.stderr
    assert Path(name).read_bytes().startswith(magic)
    first = Path(name).read_bytes()
    run("tile", "results.csv", "-o", name, "--resolution", "21")
    assert Path(name).read_bytes() == first


def test_the_default_figure_and_the_shares() -> None:
    result = run("tile", "results.csv", "--domain", "x", "--resolution", "21")
    assert Path("tile.png").exists()
    assert "averaged" not in result.stderr
    P = rs.read("results.csv").in_domain("x")
    shares = rs.tile.entity(P, resolution=21).shares
    printed = re.findall(r"^ *([\d.]+) % +([\d.]+) %  (\w+)$", result.stdout, re.MULTILINE)
    assert [name for *_, name in printed] == list(shares)
    assert [float(share) for share, *_ in printed] == pytest.approx([100 * x for x in shares.values()], abs=0.05)
    even = rs.regions.first(P.shift_priors(0.5)).areas
    assert [float(share) for _, share, _ in printed] == pytest.approx([100 * even[name] for name in shares], abs=0.05)
    assert "at own priors  at prior 0.5" in result.stdout


def test_shares_of_second_ranks_at_equal_classes() -> None:
    options = ["--domain", "y", "--rank", "2", "--resolution", "21"]
    run("tile", "results.csv", *options, "-o", "out.json")
    document = json.loads(Path("out.json").read_text())
    P = rs.read("results.csv").in_domain("y")
    assert document["reference"]["prior"] == 0.5
    assert document["reference"]["areas"] == pytest.approx(rs.regions.first(P.shift_priors(0.5), rank=2).areas)
    assert "at prior 0.5  model" in run("tile", "results.csv", *options).stdout


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--flavor", "value", "--entity", "svm"], lambda P: rs.tile.value(P, "svm", 11)),
        (["--flavor", "ranking", "--entity", "svm"], lambda P: rs.tile.ranking(P, "svm", 11)),
        (["--flavor", "best"], lambda P: rs.tile.best(P, 11)),
        (["--flavor", "worst"], lambda P: rs.tile.worst(P, 11)),
        (["--rank", "2"], lambda P: rs.tile.entity(P, 2, resolution=11)),
    ],
)
def test_the_numbers_of_every_flavor_are_those_of_the_library(options: list[str], expected: Any) -> None:
    run("tile", "results.csv", *options, "--resolution", "11", "-o", "t.csv")
    run("tile", "results.csv", *options, "--resolution", "11", "-o", "t.json")
    tile_map = expected(rs.read("results.csv"))
    assert Path("t.csv").read_text() == tile_map.table().to_csv()
    document = json.loads(Path("t.json").read_text())
    assert document["schema"] == "rankscape/tile/1"
    assert document["title"] == tile_map.title
    values = [[None if value != value else value for value in row] for row in tile_map.values.tolist()]
    assert document["values"] == values
    assert document["sets"] == [list(names) for names in tile_map.sets]
    assert document["parameters"] == tile_map.parameters


def test_a_file_of_another_rank_can_be_told_apart() -> None:
    for options in (["--rank", "2"], []):
        run("tile", "results.csv", "--resolution", "5", *options, "-o", "t.json")
        parameters = json.loads(Path("t.json").read_text())["parameters"]
        assert parameters == {"rank": 2 if "--rank" in options else 1, "last": False}


def test_the_flavors_are_functions_of_the_library_with_their_arguments_and_all_their_resolutions_are_told() -> None:
    flavors = importlib.import_module("rankscape.cli.tile").FLAVORS
    called = {"entity": "name"}
    help_ = " ".join(run("tile", "--help").stdout.split())
    for flavor, its in flavors.items():
        parameters = inspect.signature(getattr(rs.tile, flavor.replace("-", "_"))).parameters
        reachable = {called.get(option, option) for option in its.needs + its.may}
        own = {"resolution", "progress", "last"}
        assert set(parameters) - own <= reachable
        assert {name for name, p in parameters.items() if p.default is p.empty} <= {called.get(o, o) for o in its.needs}
        assert parameters["resolution"].default == its.resolution == 201
    assert "[default: 201; 2<=x<=2001]" in help_


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["results.csv", "-o", "tile.bmp"], "cannot write 'tile.bmp'; expected a name that ends with .png"),
        (
            ["results.csv", "--flavor", "value"],
            "--entity is required; choose one of 'svm', 'knn', 'tree', 'never'",
        ),
        (["results.csv", "--flavor", "ranking", "--entity", "smv"], "no entity is called 'smv'; the nearest is 'svm'"),
        (["results.csv", "--entity", "svm"], "--entity is for --flavor value or --flavor ranking"),
        (["results.csv", "--flavor", "best", "--rank", "2"], "--rank is for --flavor entity"),
        (["results.csv", "--prior", "0.2"], "the share of positives is --shift-prior"),
        (["results.csv", "--rank", "9"], "rank must lie between 1 and the number of entities, 4; got 9"),
        (["results.csv", "--resolution", "1"], "Invalid value for '--resolution'"),
        ([], "Missing argument 'FILE...|-'"),
        (["--domain", "x"], "Missing argument 'FILE...|-'"),
        (["results.csv", "--flavor", "no-skill"], "Invalid value for '--flavor'"),
    ],
)
def test_wrong_usage_of_tile(args: list[str], sentence: str) -> None:
    result = run("tile", *args, status=2)
    assert result.stderr.startswith("Error: ")
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert not list(Path().glob("tile.*"))


def test_equal_performances_are_named_as_equal() -> None:
    Path("twins.csv").write_text("entity,tn,fp,fn,tp\na,9,1,0,10\nb,18,2,0,20\nc,1,9,9,1\n")
    assert "Equal everywhere: a = b" in run("tile", "twins.csv", "--resolution", "11").stdout


# scores and locate


def test_the_table_of_scores_is_complete_and_fits() -> None:
    text = run("scores").stdout
    table = rs.scores()
    assert len(text.splitlines()) == len(table) + 3
    assert max(map(len, text.splitlines())) <= 100
    rows = list(csv.DictReader(io.StringIO(run("scores", "--format", "csv").stdout)))
    assert [row["key"] for row in rows] == table["key"]
    assert len(json.loads(run("scores", "--format", "json").stdout)) == len(table)
    for format in ("latex", "markdown"):
        assert "Cohen's kappa" in run("scores", "--format", format).stdout


@pytest.mark.parametrize(
    ("pattern", "start"),
    [
        ("pod", "true positive rate (TPR)"),
        ("Cohens KAPPA", "Cohen's kappa (κ)"),
        ("csi", "Jaccard index of the positive class (J₊)"),
        ("π₊", "prior of the positive class (π₊)"),
    ],
)
def test_a_score_is_described_by_any_of_its_names(pattern: str, start: str) -> None:
    text = run("scores", pattern).stdout
    assert text.startswith(start)
    assert text.count("\n  key ") == 1
    assert "\n  formula " in text
    assert "\n  source " in text


def test_a_member_of_a_family_is_described_with_its_parameter_and_place() -> None:
    text = run("scores", "fbeta(2)").stdout
    assert re.search(r"parameters +beta = 2\n", text)
    assert re.search(r"place +a = 1, b = 0.8\n", text)
    assert "a miss counts as 4 false alarms" in text


def test_a_part_of_a_name_finds_all_that_have_it() -> None:
    assert run("scores", "likelihood").stdout.count("\n  key ") == 2


def test_unknown_scores_are_refused_with_the_nearest_names() -> None:
    assert "no score is called 'jacard'" in run("scores", "jacard", status=2).stderr
    assert "no score is called 'kapa'; the nearest names are 'kappa'" in run("locate", "kapa", status=2).stderr


@pytest.mark.parametrize(
    ("args", "place", "importance"),
    [
        (["f1"], (1, 0.5), [0, 1, 1, 2]),
        (["2,3,1,6"], (0.75, 0.25), [2, 3, 1, 6]),
        (["tn=2,fp=3,fn=1,tp=6"], (0.75, 0.25), [2, 3, 1, 6]),
        (["kappa", "--prior", "0.3"], (0.49 / 0.58, 0.5), [9, 29, 29, 49]),
        (["ba", "--prior", "1/5"], (0.8, 0.8), [1, 1, 4, 4]),
        (["markedness", "--prediction-rate", "1/5"], (0.8, 0.2), [1, 4, 1, 4]),
        (["error rate"], (0.5, 0.5), [1, 1, 1, 1]),
    ],
)
def test_places(args: list[str], place: tuple[float, float], importance: list[int]) -> None:
    document = json.loads(run("locate", *args, "--format", "json").stdout)
    assert (document["place"]["a"], document["place"]["b"]) == pytest.approx(place)
    assert list(document["importance"].values()) == importance
    row = next(csv.DictReader(io.StringIO(run("locate", *args, "--format", "csv").stdout)))
    assert (float(row["a"]), float(row["b"])) == pytest.approx(place)
    for format in ("table", "latex", "markdown"):
        assert "a miss counts as" in (text := run("locate", *args, "--format", format).stdout) or "misses" in text


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["mcc"], "Matthews correlation coefficient has no place on the Tile"),
        (
            ["kappa"],
            "Cohen's kappa has a place on the Tile only for fixed priors or fixed prediction rates: pass --prior (the share "
            "of positives), or pass --prediction-rate (the share of positive predictions)",
        ),
        (["markedness", "--prior", "0.3"], "at fixed prediction rates it has one, pass --prediction-rate"),
        (["sqrt(tpr*tnr)"], "it is not known to order as a ranking score"),
        (["1,0,0,1"], "no unsatisfying (fp, fn) outcome matters"),
    ],
)
def test_no_place_is_a_finding(args: list[str], sentence: str) -> None:
    assert sentence in run("locate", *args, status=1).stdout
    document = json.loads(run("locate", *args, "--format", "json", status=1).stdout)
    assert document["place"] is None
    assert document["reason"]


def test_wrong_priors_and_importances_of_locate() -> None:
    assert "a prior must lie in [0, 1]; got 2" in run("locate", "kappa", "--prior", "2", status=2).stderr
    assert "expected 4 numbers" in run("locate", "1,2,3", status=2).stderr


# demo

DEMO_TABLES = {"three.csv", "cases.csv", "hospitals.csv", "results.csv", "predictions.parquet"}


@pytest.mark.nightly  # CI runs the demo itself each time
def test_the_demo_ranks_and_writes_pages() -> None:
    result = run("demo", "-o", "figures")
    assert "Ranking of" in result.stdout
    assert "share of the Tile" in result.stdout
    pages = {"explorer.html", "card.html"}
    written = {path.name for path in Path("figures").iterdir()}
    assert written == {"entity.png"} | pages | DEMO_TABLES
    assert all(str(Path("figures") / name) in result.stdout for name in written - DEMO_TABLES)
    assert "1  eager" in run("rank", str(Path("figures") / "three.csv"), "--costs", "miss=10,false-alarm=1").stdout


def test_the_demo_writes_its_tables_alone() -> None:
    assert "three models" in run("demo", "--data", "tables").stdout
    assert {path.name for path in Path("tables").iterdir()} == DEMO_TABLES


def test_the_demo_says_where_it_cannot_write() -> None:
    Path("file").write_text("")
    assert "cannot make the folder" in run("demo", "-o", "file", status=2).stderr


def test_false_friends_are_noted() -> None:
    result = CliRunner().invoke(main, ["scores", "false alarm ratio"])
    assert "biometricians call the FPR so" in " ".join(result.stdout.split())


def test_what_was_warned_of_is_in_the_file_too() -> None:
    for name in ("out.md", "out.txt", "out.tex"):
        result = run("rank", "results.csv", "--by", "mcc", "-o", name)
        assert "warning: Matthews correlation coefficient is not sound" in result.stderr
        assert "Caution: Matthews correlation coefficient is not sound" in Path(name).read_text().replace("\n", " ")
    assert "Caution" not in run("rank", "results.csv", "--by", "f1").stdout


@pytest.mark.parametrize(
    "args",
    [
        ["rank", "results.csv", "--by", "f1", "--by", "recall"],
        ["tile", "results.csv", "--entity", "a", "--entity", "b"],
    ],
)
def test_an_option_given_twice_is_refused(args: list[str]) -> None:
    assert "given 2 times" in run(*args, status=2).stderr


def test_other_spellings_of_formats_and_flavors() -> None:
    assert (
        run("rank", "results.csv", "--format", "md").stdout == run("rank", "results.csv", "--format", "markdown").stdout
    )
    run("tile", "results.csv", "--flavor", "BEST", "--domain", "y", "-o", "t.csv")
    assert "'latex', 'markdown'" in run("rank", "results.csv", "--format", "html", status=2).stderr


def test_a_family_is_not_called_by_the_names_of_its_members() -> None:
    assert "F2" in run("scores", "fbeta").stdout
    described = run("scores", "f1").stdout
    assert "F2" not in described
    assert "2*tp / (fp + fn + 2*tp)" in described


# why


def test_why_says_who_is_first_and_what_would_change_it() -> None:
    P = rs.read("results.csv").in_domain("y")
    found = rs.regions.flips(P, by="f1")
    text = run("why", "results.csv", "--domain", "y", "--by", "f1").stdout
    assert text.startswith(f"{min(found.first)} is first by F_1 score, among 4 models\n")
    low, high = found.beta
    assert "It stays first while a miss is worth" in text
    assert f"for every β from {low:.3g} to {'∞' if high == float('inf') else f'{high:.3g}'}" in text
    assert found.flips[0].names[0] in text.partition("first beyond")[2]
    assert "Share of the Tile on which each comes first at the data's share of positives (0.5): " in text
    assert re.search(r"On these data \w+ never comes first\.", text)


@pytest.mark.some(7)
@pytest.mark.parametrize(
    "options", [["--by", "accuracy"], ["--by", "0.3,0.7"], ["--costs", "miss=5"], ["--by", "1,1,5,5"], []]
)
@pytest.mark.parametrize("format_", ["table", "csv", "json", "latex", "markdown"])
def test_why_answers_for_every_preference_in_every_format(options: list[str], format_: str) -> None:
    assert run("why", "results.csv", *options, "--format", format_).stdout.strip()


def test_the_numbers_of_why_are_those_of_the_library() -> None:
    document = json.loads(run("why", "finley.csv", "--by", "f1", "--format", "json").stdout)
    P = rs.read("finley.csv")
    found = rs.regions.flips(P, by="f1")
    assert document["first"] == ["Finley"]
    assert document["along_a"] == list(found.along_a)
    assert document["areas"] == rs.regions.first(P).areas
    assert document["without_skill"] == rs.regions.without_skill(P)
    assert [flip["first"] for flip in document["flips"]] == [" = ".join(flip.names) for flip in found.flips]


STUDY = "entity,tn,fp,fn,tp\nA,836,44,12,108\nB,792,88,4,116\nC,871,9,40,80\n"


def test_why_says_for_which_shares_of_positives_the_answer_holds() -> None:
    Path("study.csv").write_text(STUDY)
    text = " ".join(run("why", "study.csv").stdout.split())
    assert "It stays first for any share of positives from 0.0938 to 0.384 (here 0.12)." in text
    assert "Below it, C comes first; above it, B." in text
    assert "at the data's share of positives (0.12): C 54.7 %" in text
    assert "At the reference share (0.5): " in text
    document = json.loads(run("why", "study.csv", "--format", "json").stdout)
    P = rs.read("study.csv")
    changes = rs.regions.prior_flips(P)
    assert document["priors"]["stays"] == list(changes.stays)
    assert [one["first"] for one in document["priors"]["intervals"]] == [["C"], ["A"], ["B"]]
    assert document["reference"] == {"prior": 0.5, "areas": rs.regions.first(P.shift_priors(0.5)).areas}
    assert run("why", "study.csv", "--format", "csv").stdout == rs.regions.flips(P).table().to_csv()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--shift-prior", "0.01"], "any share of positives up to 0.0937 (here 0.01). Above it, A comes first."),
        (["--shift-prior", "0.01"], "at the chosen share of positives (0.01): C 94.7 %"),
        (["--shift-prior", "0.9"], "any share of positives from 0.385 on (here 0.9). Below it, A comes first."),
        (["--shift-prior", "5/13"], "They stay first only at exactly this share of positives (0.385)."),
        (["--shift-prior", "5/13"], "Below it, A comes first; above it, B."),
        (["--by", "balanced accuracy"], "It stays first for any share of positives (here 0.12)."),
        (["--by", "kappa"], "Cohen's kappa weighs outcomes differently at every prior"),
        (["--by", "f1", "--shift-prior", "1/2"], "at the chosen share of positives (0.5): B 57.7 %"),
    ],
)
def test_what_why_says_about_other_priors(options: list[str], expected: str) -> None:
    Path("study.csv").write_text(STUDY)
    text = " ".join(run("why", "study.csv", *options).stdout.split())
    assert expected in text
    assert ("At the reference share" in text) == (options[-1] != "1/2")


def test_why_about_other_priors_where_priors_differ_or_a_class_is_missing() -> None:
    Path("differ.csv").write_text(STUDY.replace("871", "971"))
    text = " ".join(run("why", "differ.csv").stdout.split())
    assert "Shifted to a common share of positives, these would come first: C up to 0.097, A from 0.097" in text
    assert "each with its own share of positives: C" in text
    document = json.loads(run("why", "differ.csv", "--format", "json").stdout)["priors"]
    assert (document["here"], document["first"], document["stays"], len(document["intervals"])) == (None, None, None, 3)
    Path("differ.csv").write_text(STUDY.replace("4,116", "0,0"))
    text = " ".join(run("why", "differ.csv").stdout.split())
    assert "not known, because not every model has cases of both classes" in text
    assert json.loads(run("why", "differ.csv", "--format", "json").stdout)["priors"] is None


def test_why_needs_a_place_on_the_tile() -> None:
    assert "has no place on the Tile" in run("why", "results.csv", "--by", "mcc", status=2).stderr
    assert "only where priors are equal" in run("why", "results.csv", "--domain", "x", "--by", "kappa", status=2).stderr


def test_why_says_that_a_preference_is_on_a_border() -> None:
    Path("ties.csv").write_text("entity,tn,fp,fn,tp\na,5,1,1,3\nb,10,2,2,6\nc,4,2,0,4\n")
    assert "a = b = c are tied for first by accuracy" in run("why", "ties.csv", "--by", "accuracy").stdout


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--flavor", "skill", "--domain", "y"], lambda P: rs.tile.skill(P.in_domain("y"), resolution=11)),
        (["--flavor", "margin"], lambda P: rs.tile.margin(P, 11)),
        (["--flavor", "regret", "--entity", "svm"], lambda P: rs.tile.regret(P, "svm", 11)),
        (
            ["--flavor", "difference", "--entity", "svm", "--against", "knn"],
            lambda P: rs.tile.difference(P, "svm", "knn", 11),
        ),
    ],
)
def test_the_numbers_of_further_flavors(options: list[str], expected: Any) -> None:
    run("tile", "results.csv", *options, "--resolution", "11", "-o", "t.csv")
    assert Path("t.csv").read_text() == expected(rs.read("results.csv")).table().to_csv()
    run("tile", "results.csv", *options, "--resolution", "11", "-o", "t.png")
    assert Path("t.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--flavor", "difference", "--entity", "svm"], "--entity and --against are required"),
        (["--against", "svm"], "--against is for --flavor difference"),
        (["--flavor", "skill"], "a skill map needs equal priors"),
    ],
)
def test_wrong_usage_of_further_flavors(args: list[str], says: str) -> None:
    assert says in run("tile", "results.csv", *args, status=3 if "skill" in args else 2).stderr


def test_the_place_of_a_score_that_lacks_the_best_says_so() -> None:
    Path("plr.csv").write_text("model,tn,fp,fn,tp\nbest,50,0,5,45\nb,40,10,10,40\n")
    text = " ".join(run("why", "plr.csv", "--by", "plr").stdout.split())
    assert "A ranking leaves best out: PLR needs fp > 0" in text
    assert "PPV has a value and orders alike at equal priors: rank by ppv" in text
    assert (
        "orders as   positive predictive value (PPV), where PLR has a value"
        in run("locate", "plr", "--prior", ".5").stdout
    )
    assert json.loads(run("locate", "plr", "--prior", ".5", "--format", "json").stdout)["orders_as"] == "ppv"
    assert "orders as" not in run("locate", "f1").stdout


def test_names_that_run_from_right_to_left_leave_numbers_in_place() -> None:
    name = "\u05de\u05d5\u05d3\u05dc \u05d0"
    Path("rtl.csv").write_text(f"model,tn,fp,fn,tp\n{name},9,1,4,6\nb,7,3,2,8\n", encoding="utf-8")
    inside = f"\u2068{name}\u2069"
    text = run("rank", "rtl.csv").stdout
    assert [line for line in text.splitlines() if name in line and inside not in line] == []
    rows = [line for line in text.splitlines() if line.lstrip()[:1] in "12" and line.strip()]
    assert len({len(row.replace("\u2068", "").replace("\u2069", "")) for row in rows}) == 1
    run("report", "rtl.csv", "-o", "rtl.html", "--draws", "0", "--no-figures")
    page = Path("rtl.html").read_text(encoding="utf-8")
    assert inside in page
    assert page.count(name) == page.count(inside)
    assert (
        "\u2068"
        not in run("rank", "rtl.csv", "--format", "csv").stdout + run("rank", "rtl.csv", "--format", "json").stdout
    )


def test_why_names_everybody_who_comes_first_anywhere() -> None:
    """On an arc many come first one after the other; "between" does so on a border only."""
    rows = [(100 - i * i, i * i, (8 - i) ** 2, 100 - (8 - i) ** 2) for i in range(1, 8)]
    Path("arc.csv").write_text(
        "model,tn,fp,fn,tp\n" + "".join(f"m{i},{','.join(map(str, r))}\n" for i, r in enumerate(rows))
    )
    text = run("why", "arc.csv").stdout
    assert all(re.search(rf"m{i} [\d.]+ %", " ".join(text.split())) for i in range(7))
    Path("tie.csv").write_text("model,tn,fp,fn,tp\na,9,1,4,6\nb,7,3,2,8\nbetween,8,2,3,7\nworse,6,4,4,6\n")
    text = run("why", "tie.csv").stdout
    assert "between comes first only in ties or where an outcome does not count." in text
    assert "On these data worse never comes first." in text


def test_why_says_of_averages_that_other_weights_may_let_others_come_first() -> None:
    Path("domains.csv").write_text(
        "model,domain,tn,fp,fn,tp\na,x,9,1,1,9\nb,x,8,2,3,7\nc,x,1,9,9,1\na,y,9,1,1,9\nb,y,8,2,3,7\nc,y,10,0,0,10\n"
    )
    text = " ".join(run("why", "domains.csv", "--by", "accuracy").stdout.split())
    assert "With these weights, the other two never come first." in text
    assert re.search(r"c for [\d.]+ %", text)
    assert "On these data the other two never come first." in run("why", "domains.csv", "--domain", "x").stdout


def test_why_knows_no_weights_where_counts_can_only_be_added() -> None:
    Path("queries.csv").write_text("model,domain,fp,fn,tp\na,x,1,1,9\nb,x,2,3,7\na,y,0,0,0\nb,y,1,0,0\n")
    text = " ".join(run("why", "queries.csv").stdout.split())
    assert "On these data b never comes first." in text
    assert "Counts pooled" in text


def test_why_says_that_nothing_changes_the_answer() -> None:
    Path("one.csv").write_text("entity,tn,fp,fn,tp\nbetter,9,1,1,9\nworse,8,2,2,8\n")
    text = run("why", "one.csv").stdout
    assert "none: no other model comes first by changing one exchange rate alone" in " ".join(text.split())
    assert "On these data worse never comes first." in text
    assert "wrong about the worth of a miss by any factor and the winner stays the same" in " ".join(text.split())


@pytest.mark.parametrize(
    "options", [["--costs", "miss=1e999"], ["--costs", "miss=1e308,false-alarm=1e-308"], ["--by", "fbeta(1e200)"]]
)
def test_numbers_beyond_floats_are_refused(options: list[str]) -> None:
    done = run("why", "results.csv", *options, status=2)
    assert "between 1e-100 and 1e100" in done.stderr


def test_why_does_not_drop_who_is_first_on_a_side_only(tmp_path: Path) -> None:
    path = tmp_path / "side.csv"
    path.write_text("entity,tn,fp,fn,tp\nA,9,0,1,0\nB,8,1,1,0\n")
    assert "never come" not in run("why", str(path), "--by", "ppv").stdout


def test_why_says_nothing_that_cannot_be_at_a_corner() -> None:
    for options in (["--by", "precision"], ["--by", "tpr"], ["--by", "npv"], ["--by", "tnr"]):
        stdout = run("why", "results.csv", *options).stdout
        assert "may be wrong" not in stdout
        assert "at least ∞" not in stdout
        assert "-0" not in run("why", "results.csv", *options, "--format", "json").stdout


def test_why_at_different_priors_names_a_way_out_that_exists(tmp_path: Path) -> None:
    path = tmp_path / "priors.csv"
    path.write_text("entity,tn,fp,fn,tp\nA,9,1,4,6\nB,8,2,2,18\n")
    done = run("why", str(path), "--by", "kappa", status=2)
    assert "from 0.5 to 0.6667: add --shift-prior P, or choose one with --domain" in done.stderr
    assert "B is first by Cohen's kappa" in run("why", str(path), "--by", "kappa", "--shift-prior", "0.3").stdout


def test_folds_are_domains(tmp_path: Path) -> None:
    path = tmp_path / "folds.csv"
    path.write_text("model,fold,tn,fp,fn,tp\nA,1,9,1,4,6\nA,2,8,2,2,8\n")
    assert rs.read(path).n_domains == 2


# tradeoff


@pytest.mark.parametrize(
    "options",
    [[], ["--domain", "y"], ["--quantile", "0.8"],
     ["--ends", "npv", "tpr"], ["--ends", "tpr", "ppv"], ["--ends", "f0.5", "f2"], ["--ends", "fbeta(0.3)", "tpr"]],
)  # fmt: skip
@pytest.mark.parametrize("format_", ["table", "csv", "json", "latex", "markdown"])
def test_tradeoff_answers_in_every_format(options: list[str], format_: str) -> None:
    stdout = run("tradeoff", "results.csv", *options, "--format", format_).stdout
    if format_ == "json":
        document = json.loads(stdout)
        assert document["schema"] == "rankscape/tradeoff/1"
    elif format_ == "csv":
        rows = list(csv.DictReader(io.StringIO(stdout)))
        assert rows[0].keys() >= {"score", "optimality"}
    else:
        assert "optim" in stdout


def test_the_numbers_of_tradeoff_are_those_of_the_library() -> None:
    document = json.loads(
        run("tradeoff", "results.csv", "--domain", "y", "--quantile", "0.8", "--format", "json").stdout
    )
    t = rs.tradeoff(rs.read("results.csv").in_domain("y"))
    assert document["discordant_pairs"] == t.n_discordant
    assert document["beta"] == (t.beta if t.n_discordant else None)
    by_name = {row["score"]: row for row in document["scores"]}
    assert by_name["TPR"]["beta"] == "inf"
    assert by_name["quantile 0.8"]["beta"] == t.quantile(0.8)
    assert by_name["F1"]["optimality"] == (t.optimality(1) if t.n_discordant else None)


@pytest.mark.parametrize(
    ("options", "status", "says"),
    [
        (["--ends", "mcc", "tpr"], 2, "no place on the Tile"),
        (["--ends", "tpr", "recall"], 2, "order alike"),
        (["--ends", "tnr", "tpr"], 3, "must be equal"),
        (["--quantile", "1.5"], 2, "0<=x<=1"),
        (["--format", "csv", "-o", "x.png"], 2, "leave one of them out"),
        (["-o", "x.bmp"], 2, "cannot tell the format"),
    ],
)
def test_tradeoff_refuses_with_a_sentence(options: list[str], status: int, says: str) -> None:
    assert says in run("tradeoff", "results.csv", *options, status=status).stderr


def test_options_of_count_are_given_once_and_errors_speak_of_options() -> None:
    options = ["count", "predictions.csv", "--truth", "y", "--prediction", "yhat"]
    message = run(*options, "--domain-column", "model", "--domain-column", "model", status=2).stderr
    assert "--domain-column names the columns of a hierarchy; expected different ones" in message
    Path("ab.csv").write_text("y,yhat\na,a\nb,b\n")
    message = run("count", "ab.csv", "--truth", "y", "--prediction", "yhat", status=3).stderr
    assert "nothing says which of the labels" in message
    assert "name the positive class with --pos-label" in message
    Path("holes.csv").write_text("entity,domain,tn,fp,fn,tp\na,x,1,2,3,4\na,y,1,2,3,4\nb,x,4,3,2,1\n")
    message = run("domains", "holes.csv", status=3).stderr
    assert "--missing complete (the domains" in message
    assert "--missing available" in message
    message = run("domains", "holes.csv", "--missing", "available", "--weights", "hierarchical", status=2).stderr
    assert "group/name" in message


RIGHT = "entity,domain,correct,total\nalpha,mmlu,80,100\nalpha,code,50,100\nbeta,mmlu,60,100\nbeta,code,85,100\n"


def test_why_of_right_or_wrong_answers_speaks_of_the_weights(tmp_path: Path) -> None:
    path = tmp_path / "right.csv"
    path.write_text(RIGHT)
    text = " ".join(run("why", str(path)).stdout.split())
    result = rs.domains.weightings(rs.read(path))
    assert text.startswith("beta is first by accuracy, among 2 models beta comes first for 63.6 % of all weightings")
    assert all(f"{sentence}." in text for sentence in result.sentences())
    assert "miss" not in text
    document = json.loads(run("why", str(path), "--format", "json").stdout)
    assert (document["place"], document["first"], document["weightings"]) == (None, ["beta"], result.document())
    assert run("why", str(path), "--format", "csv").stdout == result.changes.to_csv()
    assert "so only the weights of several domains" in run("why", str(path), "--domain", "code", status=2).stderr


def test_why_of_two_classes_speaks_of_preferences_and_of_weights() -> None:
    text = " ".join(run("why", "results.csv", "--by", "f1").stdout.split())
    result = rs.domains.weightings(rs.read("results.csv"), by="f1")
    assert f"{result.about_change}." in text
    assert json.loads(run("why", "results.csv", "--format", "json").stdout)["weightings"] == result.document()
    assert json.loads(run("why", "finley.csv", "--format", "json").stdout)["weightings"] is None


def test_advice_on_predictions_comes_before_idle_options(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("id,model,y,yhat\n1,a,0,0\n2,a,1,1\n1,b,0,1\n2,b,1,1\n")
    advice = "add --truth y --prediction yhat --entity-column model"
    for more in ((), ("--case", "id"), ("--unanswered", "wrong"), ("--domain-column", "model", "--scale", "0", "2")):
        result = CliRunner().invoke(main, ["rank", str(path), *more])
        assert result.exit_code == 3
        assert advice in result.stderr
