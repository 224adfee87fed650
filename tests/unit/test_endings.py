"""How the command line ends: no traceback, a documented status, nothing half-written, no input overwritten."""

import ast
import builtins
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

import rankscape
from rankscape.cli import main
from rankscape.cli.endings import spoken_warnings

TABLE = "entity,tn,fp,fn,tp\na,86,4,1,10\nb,79,6,2,15\nc,1,2,3,4\n"
SRC = str(Path(__file__).parents[2] / "src")
ENVIRONMENT = {**os.environ, "PYTHONPATH": SRC, "PYTHONWARNINGS": ""}
MODULE = f"{sys.executable} -m rankscape"
SCRIPT = Path(sys.executable).with_name("rankscape")
UNIX = pytest.mark.skipif(os.name == "nt", reason="streams are closed in a shell")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text(TABLE)
    return tmp_path


def shell(line, **options):
    found = subprocess.run(
        ["bash", "-c", line.replace("rankscape", MODULE)], capture_output=True, text=True, env=ENVIRONMENT, **options
    )
    assert "Traceback" not in found.stderr + found.stdout
    assert "Exception" not in found.stderr + found.stdout
    return found


# ---- no output overwrites an input


@pytest.mark.parametrize(
    "arguments",
    [
        "rank {} -o {}",
        "rank {} --uncertainty --draws 10 -o {}",
        "why {} -o {}",
        "tile {} -o {}",
        "tradeoff {} -o {}",
        "domains {} -o {}",
        "gate other.csv --against {} -o {}",
        "gate {} --against other.csv -o {}",
        "count other.csv {} --truth y --prediction yhat -o {}",
        "explore {} -o {}",
        "report {} -o {}",
    ],
)
@pytest.mark.parametrize("how", ["the same", "from here", "link", "hard link", "link as input"])
def test_no_command_overwrites_its_input(arguments, how, folder):
    Path("other.csv").write_text(TABLE)
    given = output = "r.csv"
    if how == "from here":
        output = f"{folder}/../{folder.name}/./r.csv"
    elif how == "link":
        output = "link.csv"
        Path(output).symlink_to("r.csv")
    elif how == "hard link":
        output = "hard.csv"
        os.link("r.csv", output)
    elif how == "link as input":
        given = "link.csv"
        Path(given).symlink_to("r.csv")
    found = CliRunner().invoke(main, arguments.format(given, output).split())
    assert found.exit_code == 2
    assert "is an input and would be overwritten" in found.stderr
    assert Path("r.csv").read_text() == TABLE


@pytest.mark.parametrize("given", ["preds", "preds/*.csv", "preds/**/*.csv"])
def test_count_overwrites_no_file_of_a_folder_or_pattern(given, folder):
    Path("preds").mkdir()
    for name in ("a", "b"):
        Path(f"preds/{name}.csv").write_text("y,p\n1,1\n0,0\n")
    options = ["count", given, "--truth", "y", "--prediction", "p", "-o"]
    found = CliRunner().invoke(main, [*options, "preds/b.csv"])
    assert (found.exit_code, "would be overwritten" in found.stderr) == (2, True)
    assert Path("preds/b.csv").read_text() == "y,p\n1,1\n0,0\n"
    assert CliRunner().invoke(main, [*options, "c.csv"]).exit_code == 0
    assert CliRunner().invoke(main, [*options, "c.csv"]).exit_code == 0  # an output may be overwritten


def test_a_report_overwrites_no_input_beside_it(folder):
    table = TABLE
    Path("r_figures").mkdir()
    name = "r_figures/tile.png"
    Path(name).write_text(table)
    found = CliRunner().invoke(main, ["report", name, "-o", "r.md"])
    assert (found.exit_code, "would be overwritten" in found.stderr) == (2, True), found.output
    assert Path(name).read_text() == table


def test_other_outputs_are_written_as_before(folder):
    Path("link.csv").symlink_to("out.csv")
    for output in ("out.csv", "out.csv", "link.csv", "-", os.devnull):
        assert CliRunner().invoke(main, ["rank", "r.csv", "--format", "csv", "-o", output]).exit_code == 0
    assert Path("out.csv").read_text().startswith("rank,")
    assert Path("link.csv").is_symlink()


@UNIX
def test_standard_input_is_an_input_too(folder):
    found = shell("rankscape rank - -o r.csv < r.csv")
    assert (found.returncode, Path("r.csv").read_text()) == (2, TABLE)
    assert "would be overwritten" in found.stderr


# ---- streams that are closed, full, or no longer read


@pytest.mark.some(7)
@UNIX
@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("rankscape rank - <&-", 3, "standard input"),
        ("rankscape count - --truth y --prediction p <&-", 3, "standard input"),
        ("rankscape rank r.csv >&-", 2, "standard output: it is closed"),
        ("rankscape rank r.csv --format json >&-", 2, "standard output: it is closed"),
        ("rankscape why r.csv >&-", 2, "standard output: it is closed"),
        ("rankscape scores >&-", 2, "standard output: it is closed"),
        ("rankscape --help >&-", 2, "standard output: it is closed"),
        ("rankscape --version >&-", 2, "standard output: it is closed"),
        ("rankscape rank r.csv 2>&-", 0, ""),
        ("rankscape rank nothing.csv 2>&-", 3, ""),
        ("rankscape rank r.csv <&- 2>&-", 0, ""),
        ("rankscape rank r.csv -o out.csv <&- >&- 2>&-", 0, ""),
        ("rankscape tile r.csv -o out.csv 2>&-", 0, ""),
        ("rankscape rank nothing.csv 2>/dev/full", 3, ""),
        ("rankscape rank --nothing 2>/dev/full", 2, ""),
        ("rankscape rank r.csv >/dev/full", 2, "cannot write to standard output: no space is left there"),
        ("rankscape --help >/dev/full", 2, "cannot write to standard output: no space is left there"),
        ("rankscape rank r.csv -o /dev/full", 2, "cannot write /dev/full"),
        ("set -o pipefail; rankscape scores | true", 141, ""),
        ("set -o pipefail; rankscape scores --format json 2>&1 | true", 141, ""),
        ("set -o pipefail; rankscape rank --nothing 2>&1 >/dev/null | true", None, ""),
    ],
)
def test_streams_that_take_or_give_nothing(line, status, message, folder):
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("no full disk here")
    found = shell(line)
    assert found.returncode == status or (status is None and found.returncode in (2, 141)), found.stderr
    assert message in found.stderr
    assert sum(not said.startswith("Read ") for said in found.stderr.splitlines()) <= 1  # beside what was read
    if "out.csv" in line:
        assert Path("out.csv").read_text()[:4] in ("rank", "a,b,")
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        {"r.csv", *(["out.csv"] if "out.csv" in line else [])}
    )


@pytest.mark.some(5)
@UNIX
@pytest.mark.parametrize("command", [[sys.executable, "-m", "rankscape"], [str(SCRIPT)]], ids=["module", "script"])
@pytest.mark.parametrize("after", [0.06, 0.1, 0.15, 0.25, 0.4])
def test_control_c_ends_quietly_at_any_time(command, after, folder):
    if not Path(command[0]).exists():
        pytest.skip("not installed as a command")
    lines = "import os, sys, signal; signal.signal(signal.SIGINT, signal.default_int_handler); os.execv(sys.argv[1], sys.argv[1:])"
    started = [sys.executable, "-S", "-c", lines, *command]
    process = subprocess.Popen(
        [*started, "rank", "r.csv", "--uncertainty", "--draws", "3000000", "-o", "out.csv"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    if not _imports(process.pid):
        process.kill()
        pytest.skip("what is being imported cannot be seen here")
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (130, "")
    assert [path.name for path in folder.iterdir()] == ["r.csv"]


def test_control_c_within_an_exec_ends_with_the_same_status(folder):
    """A class that a lazy import makes is such an exec; ``python -m`` ended by the signal, not with a status."""
    Path("interrupted.py").write_text(
        "import sys\nfrom rankscape.cli import endings, main\n"
        "endings.refuse_overwriting = lambda ctx: exec('raise KeyboardInterrupt')\n"
        "sys.argv = ['rankscape', 'rank', 'r.csv']\n"
        "main()\n"
    )
    found = subprocess.run([sys.executable, "-m", "interrupted"], capture_output=True, text=True, env=ENVIRONMENT)
    assert (found.returncode, found.stdout, found.stderr) == (130, "", "")


def _imports(pid):
    """Wait until the process has a part of rankscape, or of what it imports, mapped or open."""
    for _ in range(2000):
        try:
            if "numpy" in Path(f"/proc/{pid}/maps").read_text():
                return True
        except OSError:
            return False
        time.sleep(0.005)
    return False


def test_help_names_every_exit_status():
    text = CliRunner().invoke(main, ["--help"]).stdout
    for status in ("0", "1", "2", "3", "4", "130", "141"):
        assert f" {status} " in text.partition("Exit status")[2]
    assert "70" not in text


def test_a_closed_stream_leaves_its_number_to_no_file(folder):
    script = "rankscape rank r.csv -o out.csv 2>&-; cat out.csv"
    assert shell(script).stdout.startswith("rank,")
    assert shutil.which("bash")


def test_control_c_inside_a_query_of_duckdb_ends_quietly(folder, monkeypatch):
    def interrupted(*_, **__):
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr("rankscape.cli.decide.cases_in", interrupted)
    found = CliRunner().invoke(main, ["decide", "r.csv", "--truth", "tn", "--score", "fp", "--costs", "miss=5"])
    assert found.exit_code == 130
    assert "defect" not in found.output


# ---- warnings are sentences


def _warned() -> dict[str, type[Warning]]:
    """Return the category of each warning that a module raises, by its place."""
    found = {}
    for path in sorted(Path(rankscape.__file__).parent.rglob("*.py")):
        calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        for call in calls:
            if ast.unparse(call.func) in ("warnings.warn", "warn"):
                name = ".".join(path.relative_to(Path(rankscape.__file__).parents[1]).with_suffix("").parts)
                category = call.args[1] if len(call.args) > 1 else ast.Name("UserWarning")
                known = vars(builtins) | vars(importlib.import_module(name))
                found[f"{name}:{call.lineno}"] = known[ast.unparse(category)]
    return found


def test_every_warning_is_one_that_the_command_line_words():
    categories = _warned()
    assert len(categories) > 10
    assert {place: kind for place, kind in categories.items() if not issubclass(kind, rankscape.RankscapeWarning)} == {}


def test_warnings_are_sentences():
    rates = {"precision": 0.5, "recall": 0.5, "f1-score": 0.5, "support": 2}
    Path("report.json").write_text(json.dumps({"a": rates, "b": rates, "c": rates, "accuracy": 0.5}))
    Path("classes.csv").write_text("y,m,n\na,a,a\nb,b,c\nc,a,c\na,a,b\n")
    for line, sentence in (
        ("rankscape rank report.json", "report.json: of 3 classes a report does not hold the confusion matrix"),
        ("rankscape rank classes.csv --truth y --prediction m --prediction n --by 'weighted recall' --format csv",
         'warning: weighted recall orders as the accuracy, under another name: ask for "accuracy"'),
    ):  # fmt: skip
        found = shell(line)
        assert found.returncode == 0
        assert found.stderr.count(sentence) == 1
        assert ".py" not in found.stderr
        assert "Warning" not in found.stderr


def test_other_warnings_stay_those_of_python(capsys):
    with warnings.catch_warnings(record=True) as caught, spoken_warnings():
        warnings.simplefilter("always")
        warnings.warn("of numpy", RuntimeWarning, stacklevel=1)
        for _ in range(2):
            warnings.warn("of rankscape", rankscape.RankscapeWarning, stacklevel=1)
    assert [str(warning.message) for warning in caught] == ["of numpy"]
    assert capsys.readouterr().err == "warning: of rankscape\n"
