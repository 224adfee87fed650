"""What every command prints for every input, and what Python answers: a net under code that moves.

``make net`` prints how the code at hand differs from the snapshots; ``make net NET_ARGS=--accept`` stores what it says.
Look at each difference first: the snapshots say what was, not what is right.
"""

import argparse
import ast
import difflib
import hashlib
import re
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from console import laid_out, readable, rounded, say

from .inputs import EACH, INPUTS, ONCE, RESULTS, Input

FOLDER = Path(__file__).parent / "snapshots"
MOST = 1450
"""So many characters of one output are kept, fewer of a call in Python; of the rest, a digest."""

WALK = Path(__file__).parents[1] / "unit" / "test_every_argument.py"
"""It has calls of every public function, and what they are given."""


def lines() -> Iterator[tuple[str, Input | None, str]]:
    """Yield each line by the name of its snapshots, with the input that it reads."""
    for name, templates in EACH.items():
        for one in INPUTS.values():
            yield from ((name, one, line.format(one.words, pair=one.pair)) for line in templates)
            yield from ((name, one, line) for line in one.more if line.split()[0] == name)
    for name, several in ONCE.items():
        yield from ((name, None, line) for line in several)


def answer(one: Input | None, line: str) -> str:
    """Return status, output, messages and files of a command."""
    with laid_out(one.files if one else {}) as folder:
        said = say(shlex.split(line))
        written = {path for path in folder.rglob("*") if path.is_file()} - {
            folder / name for name in (one.files if one else ())
        }
        parts = [f"status {said.status}\n", part(said.out), *([f"--- messages\n{part(said.err)}"] if said.err else [])]
        parts += [f"--- {path.relative_to(folder).as_posix()}\n{part(content(path))}" for path in sorted(written)]
        return "".join(parts).replace(str(folder), ".")


def content(path: Path) -> str:
    """Return what a file says: of the explorer its data, of a site its first page and its tables, of a picture nothing."""
    if not re.search(r"^(index|e)\.html$|^[\w.-]+\.(md|csv)$|^t\.json$", path.name):
        return ""
    text = path.read_text("utf-8")
    if data := re.search(r'<script type="application/json" id="[\w-]+">(.*?)</script>', text, re.DOTALL):
        return data[1].strip()
    if path.suffix == ".html":
        text = re.sub(r"<(style|script|svg).*?</\1>|<[^>]*>", "", text, flags=re.DOTALL)
    return re.sub(r"\s*\n\s*", "\n", text)


def part(text: str, most: int = MOST) -> str:
    """Return a text as it is kept: short numbers, one end of line, and a digest of what is too long."""
    text = "\n".join(line.rstrip() for line in readable(text).splitlines()) + "\n" if text.strip() else ""
    rest = text[most:]
    return text[:most] + (f"… {len(rest)} more: {hashlib.sha256(rest.encode()).hexdigest()[:12]}\n" if rest else "")


def shown(thing: Any) -> str:
    """Return what a result says, as a table where it has one."""
    if isinstance(thing, dict | list | tuple) and not hasattr(thing, "_fields"):
        return "\n".join(shown(one) for one in (thing.items() if isinstance(thing, dict) else thing))
    if hasattr(thing, "to_csv") and hasattr(thing, "iloc"):
        return str(thing.to_csv(index=False))
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(thing))
    return f"{text}\n{shown(thing.frame())}" if hasattr(thing, "frame") and "\n" not in text else text


class Names(dict[str, Any]):
    """What expressions name: what is public, and inputs, each made when it is first asked for."""

    def __missing__(self, name: str) -> Any:
        self[name] = eval(self["INPUTS"][name], self)
        return self[name]


def walked() -> tuple[dict[str, str], list[str]]:
    """Return the inputs and the calls of the walk over all arguments, but those that draw or write or read files."""
    constants = {
        node.targets[0].id: node.value
        for node in ast.parse(WALK.read_text("utf-8")).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    calls = [line.partition(" | ")[0] for line in ast.literal_eval(constants["CALLS"]).strip().splitlines()]
    left_out = re.compile(
        r"plot|site\(|report\(|explore\(|counted|\.csv|lm-eval|qrels=|annotations=|MODEL|SPLIT|_error", re.I
    )
    return ast.literal_eval(constants["INPUTS"]), [line for line in dict.fromkeys(calls) if not left_out.search(line)]


def evaluated(one: Input | None, line: str) -> str:
    """Return what an expression gives, with its warnings, or its error."""
    import numpy as np

    import rankscape as rs

    public = {key: getattr(rs, key) for key in rs.__all__}
    names = Names(public, np=np, Fraction=Fraction, import_module=import_module, INPUTS=walked()[0])
    exactly = np.printoptions(precision=17, linewidth=100)
    with laid_out(one.files if one else {}), warnings.catch_warnings(record=True) as cautions, exactly:
        warnings.simplefilter("always")
        try:
            if one:
                names["P"] = eval(one.python, names)
            text = shown(eval(line, names))
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
    named = ((one.category.__name__, rounded(str(one.message))) for one in cautions)
    notes = [f"--- {kind}: {text}\n" for kind, text in named if "Deprecat" not in kind]
    return part(text, MOST if one else 600) + "".join(notes)


def asked() -> Iterator[tuple[str, str, Callable[[], str]]]:
    """Yield the file, the question, and what answers it."""
    for name, one, line in lines():
        yield name, f"$ {line}", lambda one=one, line=line: answer(one, line)
    for name, one in INPUTS.items():
        for line in RESULTS.split("\n") if one.python else []:
            if line:
                yield f"python {name}", f">>> {line}", lambda one=one, line=line: evaluated(one, line)
    for line in walked()[1]:
        yield "python", f">>> {line}", lambda line=line: evaluated(None, line)


def stored() -> dict[tuple[str, str], str]:
    """Return the snapshots by file and question."""
    kept = {}
    for path in FOLDER.glob("*.txt"):
        for block in re.split(r"^▌ (?=\$ |>>> )", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            question, _, text = block.partition("\n")
            kept[path.stem, question] = text.removesuffix("\n")
    return kept


def store(answers: dict[tuple[str, str], str]) -> None:
    """Write the snapshots, one file for each command and each input of Python."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    for stem in dict.fromkeys(stem for stem, _ in answers):
        text = "".join(f"▌ {question}\n{text}\n" for (name, question), text in answers.items() if name == stem)
        (FOLDER / f"{stem}.txt").write_text(text, "utf-8", newline="\n")


def difference(question: tuple[str, str], before: str | None, now: str | None) -> str:
    """Return how an answer differs from its snapshot."""
    both = ((text or "(none)").splitlines() for text in (before, now))
    found = list(difflib.unified_diff(*both, n=1, lineterm=""))[2:]
    return "\n".join([f"{question[1]}    [{question[0]}]", *found, ""])


def main() -> None:
    """Compare all, and store it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--accept", action="store_true", help="store what the code says now")
    parser.add_argument("only", nargs="*", help="names of snapshots, such as rank; by default all")
    options = parser.parse_args()
    kept = stored()
    now = {key: text for key, text in kept.items() if options.only and key[0] not in options.only}
    for name, question, ask in asked():
        if not options.only or name in options.only:
            now[name, question] = ask().removesuffix("\n")
    changed = [key for key in dict.fromkeys([*kept, *now]) if kept.get(key) != now.get(key)]
    for key in changed if kept else []:
        print(difference(key, kept.get(key), now.get(key)))
    print(f"{len(now)} snapshots, {len(changed)} differ")
    if options.accept:
        store(now)
    sys.exit(bool(changed) and not options.accept)


if __name__ == "__main__":
    main()
