"""The step of the action, as a script on the shipped data; the helper for tests; the hook."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import rankscape as rs
from rankscape.testing import assert_no_worse

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "action" / "run.py"
RESULTS = rs.datasets.example_file("results.csv")


class Job:
    """A job of a pipeline: its status, and what it printed and wrote."""

    def __init__(self, folder: Path, command: str, arguments: str, undecided: str = "") -> None:
        summary, output = folder / "summary.md", folder / "output"
        environment = {
            **os.environ, "PYTHONPATH": str(Path(rs.__file__).parents[1]), "RANKSCAPE_COMMAND": command,
            "RANKSCAPE_ARGUMENTS": arguments, "RANKSCAPE_UNDECIDED": undecided, "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_OUTPUT": str(output),
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, str(SCRIPT)],
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        self.status, self.errors, self.printed = done.returncode, done.stderr, done.stdout
        self.annotations = re.findall(r"^::(?:error|warning|notice) .*$", done.stdout, re.MULTILINE)
        self.summary, self.output = (p.read_text("utf-8") if p.exists() else "" for p in (summary, output))


def compared(folder: Path, new: str, old: str, undecided: str = "") -> Job:
    line = f'"{RESULTS}" --entity "{new}" --against "{RESULTS}" --against-entity "{old}" --resample cases --draws 200'
    return Job(folder, "gate", line, undecided)


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("new", "old", "undecided", "status", "level", "verdict", "advice"),
    [
        ("kernel SVM", "shallow tree", "", 0, "notice", "pass", "So kernel SVM may replace shallow tree"),
        ("shallow tree", "kernel SVM", "", 1, "error", "worse", "So keep kernel SVM"),
        ("kernel SVM", "kernel SVM", "", 4, "error", "undecided", "So keep kernel SVM for now"),
        ("kernel SVM", "kernel SVM", "warn", 0, "warning", "undecided", "So keep kernel SVM for now"),
    ],
)
def test_each_verdict_has_its_status_summary_and_annotation(
    tmp_path: Path, new: str, old: str, undecided: str, status: int, level: str, verdict: str, advice: str
) -> None:
    job = compared(tmp_path, new, old, undecided)
    assert (job.status, job.output) == (status, f"verdict={verdict}\n"), job.errors
    assert job.summary.startswith(f"## {verdict.upper()}: ")
    assert advice in job.summary
    assert len(job.annotations) == 1
    assert job.annotations[0].startswith(f"::{level} title={verdict.upper()}%3A ")
    assert job.annotations[0].endswith(f"::{advice}")


def test_bad_data_and_wrong_usage_say_why(tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text("entity,tn,fp,fn,tp\n::error::x,9,-1,2,3\n")
    job = Job(tmp_path, "gate", "new.csv --against new.csv")
    assert job.status == 3
    assert job.summary.startswith("## rankscape could not answer\n\n    Error: new.csv: row 1 (line 2,")
    assert [line[:43] for line in job.annotations] == ["::error title=rankscape could not answer::E"]
    assert Job(tmp_path, "dance", "").status == 2


def test_wrong_submissions_are_annotated_at_their_lines(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.csv").write_text("entity,tn,fp,fn,tp\na,9,1,2,3\nb,9,-1,2,3\n")
    (tmp_path / "sub" / "b.csv").write_text("entity,tn,fp,fn,tp\na,9,1,2,3\n")
    job = Job(tmp_path, "check", "sub")
    file = Path("sub/a.csv")
    text = f'{file}: row 2 (line 3, "b"): fp = -1 is negative; counts must be ≥ 0'
    assert job.annotations == [f"::error file={file},line=3,title=submission::{text}"]
    assert (job.status, job.output) == (3, "verdict=wrong\n")
    assert job.summary.startswith("## 2 submissions: 1 fine, 1 wrong\n")


def test_the_action_writes_a_site(tmp_path: Path) -> None:
    job = Job(tmp_path, "site", f'"{RESULTS}" -o site --domain "wine 2" --draws 50 --no-figures --title "Two words"')
    assert (job.status, job.output) == (0, "verdict=pass\n"), job.errors
    assert "Two words" in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert re.fullmatch(r"::notice title=site::site: \d+ files \(\d+ new\)", job.annotations[0])


def test_nothing_from_outside_is_a_command_of_the_job(tmp_path: Path) -> None:
    script = runpy.run_path(str(SCRIPT))
    made = script["annotation"]("error", "a: b, c", "100 %\r\n::error::x", file="a,b:c.csv", line="")
    assert made == "::error file=a%2Cb%3Ac.csv,title=a%3A b%2C c::100 %25%0D%0A::error::x"
    assert script["plain"](r"a\_b \*c\* \\d") == r"a_b *c* \d"
    (tmp_path / "::error::x.csv").write_text("entity,tn,fp,fn,tp\na,9,1,2,3\n")
    lines = Job(tmp_path, "check", "::error::x.csv").printed.splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    assert len(token) == 32
    assert lines.index("::error::x.csv: 1 method") < lines.index(f"::{token}::")


@pytest.mark.nightly
def test_a_check_of_nothing_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    job = Job(tmp_path, "check", "sub")
    assert (job.status, job.output) == (3, "")
    assert job.annotations[0].startswith("::error title=rankscape could not answer::Error: sub: no file of this folder")


@pytest.mark.nightly
def test_what_the_site_warns_of_is_annotated(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("entity,domain,tn,fp,fn,tp\na,x,9,1,2,3\na,y,9,1,2,3\nb,x,8,2,2,3\n")
    job = Job(tmp_path, "site", "t.csv -o site --missing complete --draws 0 --no-figures")
    warning, notice = job.annotations
    assert warning.startswith('::warning title=rankscape::1 cell of 4 missing ("b" on "y"): compared on 1 shared')
    assert notice.startswith("::notice title=site::site: ")
    assert "    warning: 1 cell of 4 missing" in job.summary


def test_the_action_runs_this_script_and_nothing_from_outside_is_code() -> None:
    action = (ROOT / "action.yml").read_text("utf-8")
    assert 'run: python "$GITHUB_ACTION_PATH/action/run.py"' in action
    assert not [line for line in action.splitlines() if "run:" in line and "${{" in line]


def test_the_hook_runs_a_command_that_is_there() -> None:
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    assert "entry: rankscape site --check\n" in hook
    assert "pass_filenames" not in hook


GOOD, BAD = [[900, 10, 5, 85]], [[870, 40, 30, 60]]


def test_a_new_model_that_is_no_worse_passes() -> None:
    assert assert_no_worse(GOOD, BAD, box="beta in [0.5, 2]", draws=200).verdict == "pass"
    assert assert_no_worse(GOOD, GOOD, margin=0.2, draws=200).verdict == "pass"
    assert assert_no_worse(GOOD, GOOD, undecided="pass", draws=200).verdict == "undecided"


def test_one_that_is_worse_or_undecided_fails_with_the_reason() -> None:
    with pytest.raises(AssertionError, match=r"^WORSE: P1 is worse than P1 somewhere in the box") as error:
        assert_no_worse(BAD, GOOD, draws=200)
    assert "P(at least as good everywhere in the box) = 0.000; to pass, 0.95 is needed" in str(error.value)
    with pytest.raises(AssertionError, match=r"^UNDECIDED: the data cannot tell"):
        assert_no_worse(GOOD, GOOD, draws=200)
    with pytest.raises(rs.UsageError, match="undecided='skip'; expected 'fail' or 'pass'"):
        assert_no_worse(GOOD, BAD, undecided="skip")  # type: ignore[arg-type]
