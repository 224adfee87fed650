"""The corpus of answers: small files as tools and people write them, and what rankscape must say to each.

``make answers`` prints where the code at hand answers otherwise than ``answers.toml`` expects, and how;
``make answers SINCE=main`` how its answers differ from those of a revision.
"""

import argparse
import difflib
import json
import shlex
import sys
import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from console import asked_of, laid_out, rounded, say

HERE = Path(__file__).parent
CASES: dict[str, dict[str, Any]] = tomllib.loads((HERE / "answers.toml").read_text("utf-8"))
TOLERANCE = 0.0006
UNKNOWN = ("no such option", "no such command", "got unexpected extra argument")


class Answer(NamedTuple):
    """What a command said, as one line of text, and its entities and account where it has some."""

    status: int
    text: str
    entities: list[dict[str, Any]]
    account: dict[str, Any] | None


def files(name: str) -> dict[str, bytes]:
    """Return the files of a case."""
    folder = HERE / "files" / name
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def answer(name: str) -> Answer:
    """Ask what the case asks, and once more for JSON."""
    words = shlex.split(CASES[name]["ask"])
    with laid_out(files(name)):
        said = say(words)
        found: Any = {}
        if said.status == 0:
            plain = say([*words, "--format", "json"]).out
            found = json.loads(plain) if plain.startswith("{") else {}
    text = "\n".join(line.rstrip() for line in (said.err + said.out).splitlines())
    rows = found.get("entities", []) if isinstance(found.get("entities"), list) else []
    rows = [row for row in rows if isinstance(row, dict) and row.get("domain") in (None, "", "all")]
    return Answer(said.status, text, rows, found.get("account"))


def flat(text: str) -> str:
    """Return a text in one line and small letters, twice: a line may break after a hyphen."""
    plain = " ".join(text.split()).lower()
    return f"{plain}\n{plain.replace('- ', '-')}"


def has(text: str, words: str) -> bool:
    """Tell whether a text has one of several words."""
    return any(word in text for word in words.lower().split(" | "))


def row_of(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """Return the one entity that a name means; raise KeyError where there is none, or several."""
    parts = name.split(" & ")
    exact = [row for row in rows if name in ("*", row["entity"])]
    several = exact or [row for row in rows if len(parts) > 1 and all(part in row["entity"] for part in parts)]
    if len(several) != 1:
        raise KeyError(name)
    return several[0]


def faults(right: Mapping[str, Any], said: Answer) -> Iterator[str]:
    """Yield where an answer falls short of one outcome that would be right."""
    text = flat(said.text)
    for words in right.get("unsaid", ()):
        if has(text, words):
            yield f"says {words}"
    if "refused" in right:
        if said.status not in (2, 3) or any(word in text for word in UNKNOWN):
            yield "is not refused for what it is"
        yield from (f"does not say {words}" for words in right["refused"] if not has(text, words))
        return
    if said.status:
        yield "is refused"
        return
    yield from (f"does not say {words}" for words in right.get("said", ()) if not has(text, words))
    try:
        yield from number_faults(right, said.entities)
    except KeyError as error:
        yield f"has no entity {error.args[0]}"


def number_faults(right: Mapping[str, Any], rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the values and ranks that are not as they must be."""
    for name, value in right.get("values", {}).items():
        got = row_of(rows, name)["value"]
        if got is None or abs(got - value) > right.get("tol", TOLERANCE):
            yield f"{name}: {got} in the place of {value}"
    if right.get("only") and len(rows) != len(right["values"]):
        yield f"{len(rows)} entities in the place of {len(right['values'])}"
    for name, fields in right.get("within", {}).items():
        for field, (low, high) in fields.items():
            got = row_of(rows, name).get(field)
            if got is None or not low <= got <= high:
                yield f"{name}: {field} is {got}, not within {low} and {high}"
    if "first" in right and [row["entity"] for row in rows if row["rank"] == 1] != [right["first"]]:
        yield f"{right['first']} is not alone first"
    ranks = [row_of(rows, name)["rank"] for name in right.get("order", ())]
    if any(a >= b for a, b in pairwise(ranks)):
        yield f"the order is not {', '.join(right['order'])}"


def account_faults(wanted: Mapping[str, Any], account: Mapping[str, Any]) -> Iterator[str]:
    """Yield the parts of an account that are not as expected."""
    for key, value in wanted.items():
        got = account.get(key)
        if key == "left_out" and isinstance(got, list):
            got = sum(one["rows"] for one in got)
        if isinstance(value, dict) and isinstance(got, dict):
            yield from account_faults(value, got)
        elif got != value and not (
            isinstance(value, float) and isinstance(got, float) and abs(got - value) <= TOLERANCE
        ):
            yield f"account, {key}: {got} in the place of {value}"


def falls_short(name: str, said: Answer) -> list[str]:
    """Return why none of the outcomes that would be right is there, by the first; [] where one is."""
    each = [list(faults(right, said)) for right in CASES[name]["right"]]
    return [] if [] in each else each[0]


def account_short(name: str, said: Answer) -> list[str]:
    """Return where the account of an answer is not as it must be; a refusal has none."""
    wanted = CASES[name].get("account", {})
    return list(account_faults(wanted, said.account or {})) if wanted and not said.status else []


def all_short(name: str, said: Answer) -> list[str]:
    """Return both, but what is marked as wanted of the account."""
    return falls_short(name, said) + ([] if CASES[name].get("account_wanted") else account_short(name, said))


def brief(said: Answer) -> str:
    """Return what was answered, in a few lines."""
    values = [f"{row['rank']}. {row['entity']} {row['value']}" for row in said.entities]
    account = [f"account {json.dumps(said.account, ensure_ascii=False)}"] if said.account else []
    lines = [f"status {said.status}", *said.text.splitlines()[: None if said.status else 4], *values, *account]
    return "".join(f"  {rounded(line)}\n" for line in lines if line)


def main() -> None:
    """Print where answers are not as expected, or how they differ from those of another state of the code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--since", default="", help="compare with the answers of this revision")
    parser.add_argument("--dump", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("only", nargs="*", help="names of cases; by default all")
    options = parser.parse_args()
    answers = {name: answer(name) for name in options.only or CASES}
    if options.dump:
        print(json.dumps({name: brief(said) for name, said in answers.items()}))
        return
    if options.since:
        before = asked_of(options.since, "answers.answers")
        changed = [name for name, said in answers.items() if before.get(name) != brief(said)]
        for name in changed:
            lines = (before.get(name, "").splitlines(True), brief(answers[name]).splitlines(True))
            print(f"{name}: {CASES[name]['ask']}\n{''.join(list(difflib.unified_diff(*lines, n=0))[2:])}")
        print(f"{len(changed)} of {len(answers)} answers differ from those of {options.since}")
        return
    short = {name: why for name, said in answers.items() if (why := all_short(name, said))}
    for name, why in short.items():
        step = CASES[name].get("wanted")
        print(
            f"{name}: {CASES[name]['ask']}{f'    (wanted: step {step})' if step else ''}\n  {'; '.join(why)}\n{brief(answers[name])}"
        )
    held = [name for name in answers if name not in short and CASES[name].get("wanted")]
    print(
        f"{len(answers) - len(short)} of {len(answers)} answers are as expected"
        + (f"; take away the mark of {', '.join(held)}" * bool(held))
    )
    sys.exit(bool(held) or any(not CASES[name].get("wanted") for name in short))


if __name__ == "__main__":
    main()
