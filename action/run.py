"""The step of the action: run a command of rankscape, and tell the job what came of it.

It reads RANKSCAPE_COMMAND (gate, check or site), RANKSCAPE_ARGUMENTS (as in a shell) and RANKSCAPE_UNDECIDED (fail or
warn), and writes to the files that GITHUB_STEP_SUMMARY and GITHUB_OUTPUT name.
"""

import os
import re
import secrets
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

VERDICTS = {0: "pass", 1: "worse", 4: "undecided"}
PLACE = re.compile(r"^(?P<file>[^:]+): .*?\bline (?P<line>\d+)")
COMMANDS = {"gate": ["gate"], "check": ["site", "--check"], "site": ["site"]}


def annotation(level: str, title: str, text: str, file: str = "", line: str = "") -> str:
    """Return an annotation of the job, in which nothing from outside is a command."""
    fields = {"file": file, "line": line, "title": title}
    parts = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in fields.items() if value)
    return f"::{level} {parts}::{_escaped(text)}"


def _escaped(text: str, more: str = "") -> str:
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + more else c for c in text)


def append(variable: str, text: str) -> None:
    """Append to the file that a variable names, if there is one."""
    path = os.environ.get(variable)
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)


def run(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run rankscape, and show what it prints, in which no line is a command of the job."""
    done = subprocess.run(
        [sys.executable, "-m", "rankscape", *arguments], capture_output=True, encoding="utf-8", errors="replace",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"}, check=False,
    )  # fmt: skip
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}\n{done.stdout}{done.stderr}\n::{token}::")
    return done


def gate(arguments: list[str], undecided: str) -> int:
    """Compare two models; the summary is that of the command, and the annotation its first lines."""
    with tempfile.TemporaryDirectory() as folder:
        summary = Path(folder) / "summary.md"
        done = run([*COMMANDS["gate"], *arguments, "--format", "markdown", "-o", str(summary)])
        verdict = VERDICTS.get(done.returncode)
        if verdict is None or not summary.is_file():
            return failed(done)
        text = summary.read_text(encoding="utf-8")
    append("GITHUB_STEP_SUMMARY", text)
    append("GITHUB_OUTPUT", f"verdict={verdict}\n")
    title, advice = [plain(line.rstrip()) for line in text.splitlines()[:2]]
    fails = verdict == "worse" or (verdict == "undecided" and undecided == "fail")
    level = "error" if fails else "warning" if verdict == "undecided" else "notice"
    print(annotation(level, title.removeprefix("## "), advice))
    return done.returncode if fails else 0


def check(arguments: list[str]) -> int:
    """Check submissions; each one that is wrong gets an annotation at its line."""
    done = run([*COMMANDS["check"], *arguments])
    if done.returncode not in (0, 3) or not done.stdout:
        return failed(done)
    wrong = [line.removeprefix("Error: ") for line in done.stdout.splitlines() if line.startswith("Error: ")]
    for text in wrong:
        place = PLACE.match(text)
        where = place.groupdict() if place else {"file": text.partition(":")[0]}
        print(annotation("error", "submission", text, **where))
    warn(done.stdout)
    append("GITHUB_STEP_SUMMARY", f"## {last_line(done)}\n\n{indented(done.stdout)}\n")
    append("GITHUB_OUTPUT", f"verdict={'wrong' if wrong else 'pass'}\n")
    return done.returncode


def site(arguments: list[str]) -> int:
    """Write the site of a challenge."""
    done = run([*COMMANDS["site"], *arguments])
    if done.returncode:
        return failed(done)
    warn(done.stderr)
    append("GITHUB_STEP_SUMMARY", f"## The site of the challenge\n\n{indented(done.stderr)}\n")
    append("GITHUB_OUTPUT", "verdict=pass\n")
    print(annotation("notice", "site", last_line(done)))
    return 0


def warn(text: str) -> None:
    """Annotate the job with the warnings among the lines that a command printed."""
    for line in text.splitlines():
        if line.startswith("warning: "):
            print(annotation("warning", "rankscape", line.removeprefix("warning: ")))


def indented(text: str) -> str:
    """Return lines as Markdown shows them as they are."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """Return the last line that a command printed beside its results; empty where there is none."""
    return (done.stderr.strip().splitlines() or [""])[-1]


def failed(done: subprocess.CompletedProcess[str]) -> int:
    """Say why there is no answer."""
    last = (done.stderr.strip() or "rankscape printed nothing").splitlines()[-1]
    append("GITHUB_STEP_SUMMARY", f"## rankscape could not answer\n\n    {last}\n")
    print(annotation("error", "rankscape could not answer", last))
    return done.returncode or 2


def plain(text: str) -> str:
    """Return Markdown without the signs that keep it from being markup."""
    return re.sub(r"\\(.)", r"\1", text)


def main() -> int:
    """Run what the environment asks for."""
    command, undecided = (os.environ.get(f"RANKSCAPE_{name}", "") for name in ("COMMAND", "UNDECIDED"))
    try:
        arguments = shlex.split(os.environ.get("RANKSCAPE_ARGUMENTS", ""))
    except ValueError as error:
        print(annotation("error", "rankscape", f"the arguments are no shell words: {error}"))
        return 2
    if command not in COMMANDS or undecided not in ("", "fail", "warn"):
        print(annotation("error", "rankscape", "expected the command gate, check or site, and undecided: fail or warn"))
        return 2
    if command == "gate":
        return gate(arguments, undecided or "fail")
    return check(arguments) if command == "check" else site(arguments)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    sys.exit(main())
