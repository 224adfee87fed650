"""Every command answers every kind of data, or says in one sentence what to do."""

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from rankscape.cli import main

CASES = [(i, y, (y + (i % 7 == 0)) % 2, (y + (i % 5 == 0)) % 2) for i, y in enumerate([0, 1, 1, 0, 0, 1, 0, 1] * 5)]
WIDE = "--truth y --prediction a --prediction b"
KINDS = {
    "counts": ("model,tn,fp,fn,tp\na,90,10,20,80\nb,80,20,10,90\n", ""),
    "probabilities": ("model,tn,fp,fn,tp\na,.45,.05,.1,.4\nb,.4,.1,.05,.45\n", ""),
    "right or wrong": ("model,question,correct\n" + "".join(f"a,{i},{int(p == y)}\nb,{i},{int(q == y)}\n" for i, y, p, q in CASES), ""),
    "grades": ("model,question,grade\n" + "".join(f"a,{i},{(i % 5) / 4}\nb,{i},{(i % 3) / 2}\n" for i, *_ in CASES), ""),
    "printed rates": ("model,sensitivity,specificity\na,0.80,0.90\nb,0.90,0.80\n", ""),
    "printed rates of n": ("model,sensitivity,specificity,n_positive,n_negative\na,0.80,0.90,50,50\nb,0.90,0.80,50,50\n", ""),
    "scores": ("y,a,b\n" + "".join(f"{y},{(3 * y + i % 5) / 8},{(2 * y + i % 7) / 9}\n" for i, y, *_ in CASES), "--truth y --score a --score b"),
    "predictions": ("id,y,a,b\n" + "".join(f"{i},{y},{p},{q}\n" for i, y, p, q in CASES), WIDE),
    "regression": ("y,a,b\n" + "".join(f"{i},{i + i % 3},{i - i % 4}\n" for i, *_ in CASES), f"{WIDE} --task regression"),
}  # fmt: skip
COMMANDS = {
    "rank": "", "why": "", "domains": "", "gate": "--entity a --against-entity b", "report": "--draws 100 -o out.html",
    "explore": "--draws 100 -o out.html",
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_command_answers_or_says_what_to_do(
    kind: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    content, columns = KINDS[kind]
    Path("t.csv").write_text(content)
    result = CliRunner().invoke(main, shlex.split(f"{command} t.csv {columns} {COMMANDS[command]}"))
    if result.exit_code in (2, 3):
        message = result.stderr.strip().splitlines()[-1]
        assert message.lower().startswith("error: ")
        assert any(way in message for way in ("`", "--", "take them")), message
    else:
        assert result.exit_code in (0, 1, 4), result.output
        assert result.output
