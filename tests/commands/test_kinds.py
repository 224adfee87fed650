"""Every command answers on every kind of data, or says in one sentence what to do."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rankscape.cli import main

COUNTED = "scores are counted first, as in `rankscape count"
ERRORS = "with no finite set of outcomes: rank, gate, report and explore take them"
ANSWER = ""

TABLE = {  # ANSWER, or what the sentence says
    "counts": [ANSWER] * 6,
    "probabilities": [ANSWER] * 6,
    "right or wrong": [ANSWER] * 6,
    "grades": [ANSWER] * 6,
    "printed rates": [ANSWER, ANSWER, "names no domains: name the column of domains", ANSWER, ANSWER, ANSWER],
    "scores": [COUNTED, COUNTED, COUNTED, "scores are counted first", ANSWER, ANSWER],
    "predictions": [ANSWER] * 6,
    "regression": [ANSWER, ERRORS, ERRORS, ANSWER, ANSWER, ANSWER],
}
COMMANDS = {
    "rank": "--format json",
    "why": "--format json",
    "domains": "--format json",
    "gate": "--entity a --against-entity b --format json",
    "report": "-o page.html",
    "explore": "-o page.html",
}
SHAPES = {
    "rank": ("rankscape/rank/1", {"score", "formula", "direction", "ties", "entities", "account", "notes"}),
    "why": ("rankscape/why/1", {"score", "first", "flips", "weightings", "areas", "account"}),
    "domains": ("rankscape/domains/1", {"score", "entities", "cells", "leave_one_out", "account"}),
    "gate": ("rankscape/gate/1", {"verdict", "new", "against", "probability", "p_worse", "account"}),
}
EVERY = [(i, model, "xy"[i % 2]) for i in range(40) for model in "ab"]
FILES = {
    "counts": "entity,domain,tn,fp,fn,tp\n"
    + "".join(f"{m},{d},{50 + len(m + d)},{9 + (m == 'b')},{5 + (d == 'y')},35\n" for m in "ab" for d in "xy"),
    "probabilities": "entity,domain,tn,fp,fn,tp\n"
    + "".join(f"{m},{d},0.5,0.{1 + (m == 'b')},0.{3 - (m == 'b')},0.1\n" for m in "ab" for d in "xy"),
    "right or wrong": "case,domain,model,correct\n"
    + "".join(f"{i},{d},{m},{int(i * (1 + 2 * (m == 'b')) % 5 < 3)}\n" for i, m, d in EVERY),
    "grades": "case,domain,model,dice\n"
    + "".join(f"{i},{d},{m},0.{i * (1 + 2 * (m == 'b')) % 7}\n" for i, m, d in EVERY),
    "printed rates": "model,sensitivity,specificity,n_positive,n_negative\na,0.83,0.91,60,100\nb,0.85,0.84,60,100\n",
    "scores": "case,site,y,model,p\n"
    + "".join(f"{i},{d},{i % 3 == 0:d},{m},0.{i * (1 + 2 * (m == 'b')) % 10}\n" for i, m, d in EVERY),
    "predictions": "case,site,y,model,yhat\n"
    + "".join(f"{i},{d},{i % 3 == 0:d},{m},{i * (1 + 2 * (m == 'b')) % 5 < 2:d}\n" for i, m, d in EVERY),
    "regression": "case,y,a,b\n" + "".join(f"{i},{i},{i + i % 3},{i - i % 4}\n" for i in range(40)),
}
OF_ROWS = "--entity-column model --domain-column site --case case"
READ = {
    "grades": "--correct dice --scale 0 1",
    "scores": f"--truth y --score p {OF_ROWS}",
    "predictions": f"--truth y --prediction yhat {OF_ROWS}",
    "regression": "--truth y --prediction a --prediction b --task regression",
}


def ran(kind: str, command: str) -> Result:
    Path("table.csv").write_text(FILES[kind])
    words = f"{command} table.csv {READ.get(kind, '')} {COMMANDS[command]}".split()
    return CliRunner().invoke(main, words, prog_name="rankscape")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", FILES)
def test_every_cell_has_an_answer_or_a_sentence(
    kind: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = ran(kind, command)
    sentence = TABLE[kind][list(COMMANDS).index(command)]
    if sentence:
        assert result.exit_code in (2, 3), result.output
        (line,) = result.stderr.splitlines()
        assert line.startswith("Error: ")
        assert sentence in line
    elif command in SHAPES:
        assert result.exit_code in (0, 1, 4), result.output
        document = json.loads(result.stdout)
        schema, fields = SHAPES[command]
        if (kind, command) == ("printed rates", "rank"):
            schema, fields = "rankscape/published/1", fields
        assert document["schema"] == schema
        assert fields <= document.keys()
    else:
        assert result.exit_code == 0, result.output
        assert "<h1" in Path("page.html").read_text("utf-8") or "rankscape-data" in Path("page.html").read_text("utf-8")


def test_the_table_has_every_cell() -> None:
    assert TABLE.keys() == FILES.keys()
    assert {len(row) for row in TABLE.values()} == {len(COMMANDS)}
