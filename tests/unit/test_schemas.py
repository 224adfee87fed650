"""JSON documents are as their schemas say, and the schemas say enough to refuse others."""

import json
import re
import shlex
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from rankscape.cli import main

ROWS = "entity,domain,tn,fp,fn,tp\n" + "".join(
    f"{entity},{domain},{counts}\n"
    for domain in "xy"
    for entity, counts in (("a", "50,10,5,35"), ("b", "45,15,2,38"), ("c", "60,0,40,0"), ("d", "30,30,20,20"))
)
NEW, PROD = "entity,tn,fp,fn,tp\nnew,900,30,20,50\n", "entity,tn,fp,fn,tp\nprod,895,35,22,48\n"
BOX = '--box "beta in [0.5,2], prior in [0.05,0.2]" --draws 50'
RUNS = {
    "rank": [
        "rank all.csv",
        "rank all.csv --by precision --uncertainty --draws 20",
        "rank all.csv --by precision --differences --draws 20 --posterior uniform",
        "rank all.csv --by mcc --domain x",
        "rank values.csv --truth y --prediction a --prediction b --task regression",
        "rank values.csv --truth y --prediction a --prediction b --task regression --by mse --uncertainty --draws 20",
    ],
    "published": [
        "rank published.csv --shift-prior 0.02",
        "rank published.csv --shift-prior 0.02 --by precision",
        "rank counted.csv --costs miss=5,false-alarm=1 --uncertainty --draws 20",
    ],
    "why": ["why all.csv", "why all.csv --by npv", "why new.csv", "why right.csv", "why all.csv --domain x"],
    "tradeoff": ["tradeoff all.csv", "tradeoff all.csv --ends npv tpr --quantile 0.3", "tradeoff new.csv"],
    "domains": ["domains all.csv", "domains all.csv --by precision --weights size", "domains all.csv --entity a"],
    "audit": ["audit mcc", "audit f1", "audit 'error rate'", "audit gm --prior 0.2"],
    "gate": [
        f"gate new.csv --against prod.csv {BOX}",
        f"gate prod.csv --against new.csv {BOX}",
        "gate all.csv --entity a --against all.csv --against-entity b --every-domain",
    ],
    "locate": [
        "locate f1",
        "locate kappa",
        "locate kappa --prior 0.3",
        "locate mcc",
        "locate markedness --prediction-rate 0.3",
    ],
    "tile": [f"tile all.csv {flavor}--resolution 21 -o out.json" for flavor in ("", "--flavor ranking --entity a ")],
    "decide": [
        "decide s.csv --truth y --score a --score b --costs miss=5,false-alarm=1",
        "decide s.csv --truth y --score a --costs miss=5 --shift-prior 0.1 --in-use a=0.5 --draws 0",
        "decide s.csv --truth y --score a --score b --costs miss=5,false-alarm=0",
    ],
    "count": [
        "count p.csv --truth y --prediction yhat --entity-column entity",
        "count p.csv --truth y --prediction yhat --entity-column entity --domain-column set",
        "count p.csv --truth y --prediction yhat --entity-column entity --labels 0,1,2",
    ],
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("all.csv").write_text(ROWS)
    Path("s.csv").write_text("y,a,b\n" + "".join(f"{i % 3 == 0:d},{i % 7 / 7},{(i * 5) % 11}\n" for i in range(60)))
    Path("new.csv").write_text(NEW)
    Path("right.csv").write_text("entity,domain,correct,total\na,x,8,9\na,y,4,9\nb,x,6,9\nb,y,7,9\n")
    Path("prod.csv").write_text(PROD)
    Path("published.csv").write_text("model;recall;specificity\na;83,1 %;91 %\nb;90 %;80 %\n")
    Path("counted.csv").write_text("model,recall,specificity,n_positive,n\na,0.8,0.9,40,100\nb,0.9,0.8,40,100\n")
    Path("values.csv").write_text("y,a,b\n1,1.5,2\n2,2,2.5\n4,3,4\n")
    Path("p.csv").write_text("entity,set,y,yhat\n" + "m,s,1,1\nm,s,0,0\nn,s,1,0\nn,s,0,0\n")


def document(line: str) -> Any:
    """Return the JSON document of a command, from the file that it writes or from standard output."""
    arguments = shlex.split(line)
    result = CliRunner().invoke(main, arguments if "-o" in arguments else [*arguments, "--format", "json"])
    assert result.exit_code in (0, 1, 4), result.output
    return json.loads(Path("out.json").read_text("utf-8") if "-o" in arguments else result.stdout)


def schema(name: str) -> dict[str, Any]:
    return json.loads(CliRunner().invoke(main, ["schema", name]).stdout)


def test_every_schema_is_one_and_has_its_runs() -> None:
    names = CliRunner().invoke(main, ["schema"]).stdout.split()
    assert sorted([*RUNS, "explorer", "results"]) == names  # that of the explorer is tested on its page
    for name in names:
        Draft202012Validator.check_schema(schema(name))
        assert schema(name)["$id"] == f"rankscape/{name}/1"


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, lines in RUNS.items() for line in lines])
def test_documents_are_as_their_schema_says(name: str, line: str) -> None:
    found = document(line)
    assert found["schema"] == f"rankscape/{name}/1"
    validator = Draft202012Validator(schema(name))
    assert not [error.message for error in validator.iter_errors(found)]
    one = found
    one["unknown"] = 1
    assert not validator.is_valid(found)
    del one["unknown"]
    shape = schema(name)
    for key in shape.get("items", shape)["required"]:
        kept = one.pop(key)
        assert not validator.is_valid(found)
        one[key] = kept


OF_ROUNDING = {f"entities[].{what}_{end}" for what in ("rank", "value", "cost") for end in ("low", "high")}
UNALIKE = OF_ROUNDING | {
    "a", "b", "beta", "entities", "first", "parameters", "prior", "reason", "rule", "ties", "verdict"
}  # fmt: skip
"""Fields that mean something else in another document."""


def fields(part: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path and the meaning of everything inside."""
    for either in part.get("anyOf", ()):
        yield from fields(either, path)
    inner = [(f"{path}.{name}", one) for name, one in part.get("properties", {}).items()]
    anything = part.get("additionalProperties")
    inner += [(f"{path}.*", one) for one in (anything, *part.get("patternProperties", {}).values()) if one]
    for key, one in inner:
        yield key.lstrip("."), one.get("description", "")
        yield from fields(one, key)
    if "items" in part:
        yield from fields(part["items"], f"{path}[]")


def test_every_field_says_what_it_means_and_the_same_in_all_documents() -> None:
    names = CliRunner().invoke(main, ["schema"]).stdout.split()
    everything = [(name, *field) for name in names for field in fields(schema(name))]
    bare = [(name, key) for name, key, meaning in everything if not re.fullmatch(r"[^.]{8,}.*[^.]", meaning)]
    assert bare == []
    meanings: dict[str, set[str]] = {}
    for _, key, meaning in everything:
        meanings.setdefault(key, set()).add(meaning)
    assert {key for key, texts in meanings.items() if len(texts) > 1} == UNALIKE


def test_null_is_explained_wherever_it_is_allowed() -> None:
    def unexplained(part: dict[str, Any], path: str = "") -> Iterator[str]:
        meaning = part.get("description", "")
        options = (part, *part.get("anyOf", ()))
        nullable = any("null" in one.get("type", ()) or None in one.get("enum", ()) for one in options)
        if meaning and nullable and "null" not in meaning:
            yield path
        for name, one in part.get("properties", {}).items():
            yield from unexplained(one, f"{path}.{name}")
        for one in (part.get("items"), part.get("additionalProperties"), *part.get("anyOf", ())):
            if one:
                yield from unexplained(one, f"{path}[]")

    assert [path for name in RUNS for path in unexplained(schema(name), name)] == []


def test_every_schema_that_is_written_has_a_file() -> None:
    source = files("rankscape").joinpath("cli")
    texts = [file.read_text("utf-8") for file in source.iterdir() if file.name.endswith(".py")]
    for name in ("leaderboard.py", "published.py"):
        texts.append(files("rankscape").joinpath("_report", name).read_text("utf-8"))
    written = {part.split("/")[0] for text in texts for part in text.split('"rankscape/')[1:]}
    assert written == set(RUNS)


def test_what_count_writes_is_a_table_of_results_that_rank_reads() -> None:
    found = document(RUNS["count"][1])
    assert (found["rows"], found["records"], found["left_out"]) == (4, 4, {})
    assert not list(Draft202012Validator(schema("results")).iter_errors(found["results"]))
    Path("counted.json").write_text(json.dumps(found))
    assert document("rank counted.json")["schema"] == "rankscape/rank/1"


def test_an_unknown_schema_is_refused() -> None:
    result = CliRunner().invoke(main, ["schema", "podium"])
    assert result.exit_code == 2
    assert "there are audit, count, decide, domains" in result.stderr
