"""A few of the snapshots, at once; ``make net`` compares them all, and CI does so each night."""

import json
import shlex

import pytest
from console import laid_out, say
from jsonschema import Draft202012Validator
from net.net import asked, difference, lines, part, stored

from rankscape._report.schemas import schemas

FAST = ("rank", "why", "gate", "count", "domains", "tradeoff", "locate", "python counts", "python right side")
ASKED = {(name, question): ask for name, question, ask in asked()}
SOME = [key for key in ASKED if key[0] in FAST][5::14]
STORED = stored()


@pytest.mark.parametrize("key", SOME, ids=lambda key: key[1])
def test_an_answer_is_as_it_was(key: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = ASKED[key]().removesuffix("\n")
    assert now == STORED[key], "where this is meant: make net NET_ARGS=--accept\n" + difference(key, STORED[key], now)


def test_every_document_of_the_net_is_as_its_schema_says() -> None:
    validators = {name: Draft202012Validator(schema) for name, schema in schemas().items()}
    seen: dict[str, int] = {}
    for _, one, line in lines():
        if "--format json" not in line:
            continue
        with laid_out(one.files if one else {}):
            said = say(shlex.split(line))
        if not said.out.startswith("{"):
            continue  # refused, or a plain list of rows
        found = json.loads(said.out)
        name = found["schema"].split("/")[1]
        seen[name] = seen.get(name, 0) + 1
        assert not [error.message for error in validators[name].iter_errors(found)], line
    assert sum(seen.values()) > 80
    assert len(seen) > 7


def test_the_snapshots_are_of_what_is_asked() -> None:
    assert len(SOME) >= 20
    assert len(STORED) > 900
    assert {name for name, _ in STORED} == {name for name, _ in ASKED}


def test_what_is_kept_is_short_and_differs_where_the_answer_does() -> None:
    assert part('{"a": 0.12345678, "b": 1e-17, "c": 1.0.1}') == '{"a": 0.123457, "b": 0, "c": 1.0.1}\n'
    long = "".join(f"line {i}\n" for i in range(2000))
    assert part(long) != part(long + "!")
    assert len(part(long)) < 2000
    assert "-one\n+two" in difference(("rank", "$ rank"), "one\n", "two\n")
