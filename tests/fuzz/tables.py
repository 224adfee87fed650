"""Tables of cases at random, as people write: each is answered rightly, or refused with advice that leads there.

    python tests/fuzz/tables.py --tables 3000 --seed 1
    python tests/fuzz/tables.py --seconds 20 --seed 1

What is right is counted here, from the cases that a table was made of. An option that a refusal advises is tried, too.
Exits with 1, and prints the table, where an answer is wrong, or advice leads nowhere.
"""
# fmt: off

import argparse
import csv
import io
import json
import random
import re
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
from console import laid_out, say

NAMES = ("unet", "GPT-4.1", "net_a", "Ö-net", "random forest", "a, b", "7B", "svm (rbf)", "v1.10", "total recall")
MODEL = ("model", "Model", "method", "Classifier", "algorithm", "llm", "agent", "framework", "system", "Team")
TRUTHS = ("truth", "y_true", "label", "gold_standard", "True_Label", "obs", "y_target", "event", "Ground Truth", "y")
PAIRS = (("0", "1"), ("no", "yes"), ("False", "True"), ("neg", "pos"), ("0.0", "1.0"), ("normal", "ill"), ("b", "m"))
SPARE = {
    "note": ("", "ok", "see below; seed 3", "x"), "time (s)": ("3.5", "12", "0.25"), "shard": ("1", "2", "3"),
    "Training Time": ("12 min", "3 h", "40 s"), "date": ("2024-05-01", "2023-11-30"), "params": ("7M", "70M", "1.5M"),
    "site": ("Graz", "Linz"), "age": ("31", "62", "47"), "url": ("https://a.org/1", "https://a.org/2"),
}
MULTIPLE = ("Freq", "n", "count", "weight", "patients", "cases")
ANY = "any"
Columns = dict[str, list[Any]]


class Table(NamedTuple):
    """Files, the words that are asked, and what is right: values by model, perhaps by words, or None for no answer."""

    files: dict[str, str]
    words: list[str]
    right: Any


def one_file(draw: random.Random, columns: Columns, words: Sequence[str], right: Any, spare: int = 0) -> Table:
    text, suffix = text_of(draw, columns, spare)
    return Table({f"t.{suffix}": text}, [f"t.{suffix}", *words], right)


def text_of(draw: random.Random, columns: Columns, spare: int = 0, kept: bool = False) -> tuple[str, str]:
    """Return columns as text, with some that say nothing, in any order, perhaps behind an index; and the suffix."""
    n = len(next(iter(columns.values())))
    columns = columns | {h: draw.choices(SPARE[h], k=n) for h in draw.sample([*SPARE], spare) if h not in columns}
    headers = [*columns] if kept else draw.sample([*columns], len(columns))
    rows = [[columns[header][i] for header in headers] for i in range(n)]
    if draw.random() < 0.15 and "" not in headers:
        return "".join(json.dumps(dict(zip(headers, row, strict=True))) + "\n" for row in rows), "jsonl"
    if draw.random() < 0.2 and not kept:
        headers, rows = ["", *headers], [[i, *row] for i, row in enumerate(rows)]
    stream, separator = io.StringIO(), draw.choice(",,;\t")
    quoting = draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.writer(stream, delimiter=separator, lineterminator=draw.choice(("\n", "\r\n")), quoting=quoting)
    writer.writerows([headers, *rows])
    return stream.getvalue(), "tsv" if separator == "\t" else "csv"


def f1(cells: Sequence[Any]) -> Fraction | None:
    """Return the F1 score of (shares of) tn, fp, fn and tp."""
    return Fraction(2 * cells[3]) / (2 * cells[3] + cells[1] + cells[2]) if any(cells[1:]) else None


def averaged(domains: Sequence[Sequence[int]]) -> list[Fraction]:
    """Return the mean shares of tn, fp, fn and tp over domains."""
    return [sum((Fraction(cells[k], sum(cells)) for cells in domains), Fraction()) / len(domains) for k in range(4)]


def cells_of(truth: Sequence[str], predicted: Sequence[str], positive: str, times: Sequence[int]) -> list[int]:
    """Count the outcomes of predictions: tn, fp, fn and tp."""
    counts = [0] * 4
    for t, p, n in zip(truth, predicted, times, strict=True):
        counts[2 * (t == positive) + (p == positive)] += n
    return counts


def predictions(draw: random.Random) -> Table:
    """Predictions below or beside each other, or in a file for each model, with frequencies, ids, odd labels."""
    classes, n, names = draw.choice(PAIRS), draw.randint(12, 30), draw.sample(NAMES[:7], draw.randint(2, 3))
    truth = [*classes, *draw.choices(classes, k=n - 2)]
    predicted = {m: [*draw.sample(classes, 2), *draw.choices(classes, k=n - 2)] for m in names}
    header, multiple = draw.choice(TRUTHS), draw.random() < 0.25
    times = [draw.randint(1, 5) if multiple else 1 for _ in truth]
    more = {draw.choice(MULTIPLE): times} if multiple else {}
    if draw.random() < 0.6:
        more |= {draw.choice(("case", "id", "image", "patient")): [f"c{i}" for i in range(n)]}

    def right(words: Sequence[str]) -> dict[str, Any]:
        positive = words[words.index("--pos-label") + 1] if "--pos-label" in words else classes[1]
        return {m: f1(cells_of(truth, predicted[m], positive, times)) for m in names}

    way, named = draw.choice(("long", "wide", "wide unasked", "files")), ["--truth", header]
    if way.startswith("wide"):
        asked = [] if way.endswith("unasked") else named + [word for m in names for word in ("--prediction", m)]
        return one_file(draw, {header: truth} | predicted | more, asked, right)
    column, spare = draw.choice(("prediction", "y_pred", "output", "Predicted")), draw.choice((0, 0, 1))
    if way == "files":
        each = [text_of(draw, {header: truth, column: predicted[m]} | more, spare) for m in names]
        files = {f"{i}-net.{suffix}": text for i, (text, suffix) in enumerate(each)}
        called = lambda words: {f"{names.index(m)}-net": value for m, value in right(words).items()}  # noqa: E731
        return Table(files, [*files, *named, "--prediction", column], called)
    columns: Columns = {draw.choice(MODEL): [m for m in names for _ in truth], header: truth * len(names)}
    columns |= {column: [p for m in names for p in predicted[m]]} | {h: of * len(names) for h, of in more.items()}
    return one_file(draw, columns, [*named, "--prediction", column], right, spare)


def predictions_by_domain(draw: random.Random) -> Table:
    """Predictions on several data sets, perhaps with gaps, below or beside each other."""
    classes, names = draw.choice(PAIRS[:5]), draw.sample(NAMES[:7], draw.randint(2, 3))
    domains = {d: [*classes, *draw.choices(classes, k=draw.randint(2, 9))] for d in "xyz"[: draw.randint(2, 3)]}
    gap = draw.choice((0, 0, 0.2))
    got = {(m, d): ["" if draw.random() < gap else draw.choice(classes) for _ in domains[d]]
           for m in names for d in domains}

    def right(words: Sequence[str]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for m in names:
            cells = []
            for d, truth in domains.items():
                kept = [i for i in range(len(truth)) if "common" not in words or all(got[one, d][i] for one in names)]
                predicted = [got[m, d][i] or next(c for c in classes if c != truth[i]) for i in kept]
                cells.append(cells_of([truth[i] for i in kept], predicted, classes[1], [1] * len(kept)))
            values[m] = f1(averaged(cells)) if all(map(sum, cells)) else ANY
        return values

    columns: Columns = {"dataset": [d for d, of in domains.items() for _ in of]}
    columns["y_true"] = [t for of in domains.values() for t in of]
    columns["id"] = [f"{d}{i}" for d, of in domains.items() for i in range(len(of))]
    named = ["--truth", "y_true", *draw.choice(([], ["--case", "id"])), "--domain-column", "dataset"]
    if draw.random() < 0.5:
        columns |= {m: [p for d in domains for p in got[m, d]] for m in names}
        named += [word for m in names for word in ("--prediction", m)]
        return one_file(draw, columns, named, right, draw.choice((0, 1)))
    n, columns = len(columns["id"]), {header: column * len(names) for header, column in columns.items()}
    columns["model"] = [m for m in names for _ in range(n)]
    columns["pred"] = [p for m in names for d in domains for p in got[m, d]]
    return one_file(draw, columns, [*named, "--prediction", "pred"], right, draw.choice((0, 1)))


def answers(draw: random.Random) -> Table:
    """Right and wrong answers, some missing or repeated, below or beside each other."""
    names, n = draw.sample(NAMES[:7], draw.randint(2, 3)), draw.randint(8, 20)
    way = draw.choice(("long", "wide", "repeats"))
    times, gap = (draw.randint(2, 3), 0) if way == "repeats" else (1, draw.choice((0, 0, 0, 0.15)))
    got = {m: [None if draw.random() < gap else draw.randint(0, 1) for _ in range(n * times)] for m in names}
    spelled = draw.choice(({0: "0", 1: "1"}, {0: "False", 1: "True"}, {0: "fail", 1: "pass"})) | {None: ""}
    case, ids = draw.choice(("question", "id", "task_id", "case")), [f"q{i}" for i in range(n) for _ in range(times)]

    def right(words: Sequence[str]) -> dict[str, Any]:
        common = [i for i in range(n * times) if "common" not in words or all(got[m][i] is not None for m in names)]
        return {m: Fraction(sum(got[m][i] or 0 for i in common), len(common)) if common else None for m in names}

    if way == "wide":
        return one_file(draw, {case: ids} | {m: [spelled[x] for x in got[m]] for m in names}, [], right)
    columns: Columns = {draw.choice(MODEL): [m for m in names for _ in ids], case: ids * len(names)}
    columns |= {draw.choice(("correct", "passed", "solved")): [spelled[x] for m in names for x in got[m]]}
    numbered = way == "repeats" and draw.random() < 0.5
    columns |= {"attempt": [str(i % times) for _ in names for i in range(n * times)]} if numbered else {}
    return one_file(draw, columns, [], right, draw.choice((0, 0, 1)))


KINDS = (predictions, predictions_by_domain, answers)


def advised(message: str) -> Iterator[list[str]]:
    """Yield the options that a refusal advises, one way out after the other, where they can be typed as they stand."""
    message = " ".join(message.split())
    if asked := re.search(r'which of the labels "(.*)", "(.*)" is positive', message):
        yield from (["--pos-label", label] for label in asked.groups())
    if "name it with --case" in message:
        yield ["--case", "id"]
    for way in re.split(r",? or (?=add|name|if|choose|say|state|average)|, (?=add |average |if |or )", message):
        found = re.findall(r"--[a-z-]+(?: (?:'[^']*'(?:\"'\"'[^']*')*|[^\s,:'-][^\s,:]*))?", way)
        words = [word for option in found for word in shlex.split(option)]
        words += ["id"] * (words[-1:] == ["--case"])  # who reads it knows the column
        alone = words[:1] == words[2:3] == ["--unanswered"]  # several ways
        each = [words[i : i + 2] for i in range(0, len(words), 2)] if alone else [words]
        if len(words) > 1 and not {"HEADER", "…", "WORST"} & {*words} and not way.startswith("if "):  # it is not so
            yield from each


def same(got: dict[str, Any], right: dict[str, Any]) -> bool:
    pairs = [(got[name], right[name]) for name in got if name in right]
    near = (b is ANY or a == b or (None not in (a, b) and abs(a - b) < 1e-9) for a, b in pairs)
    return got.keys() == right.keys() and all(near)


def fault(one: Table, words: list[str], seen: Counter[str], depth: int = 0) -> str:
    """Return what is wrong with the answer to some words, and to those that it advises; empty where all is right."""
    done = say(["rank", *words, "--format", "json"])
    right = one.right(words) if callable(one.right) else one.right
    if done.status == 0:
        seen["answered as advised" if depth else "answered"] += 1
        rows = json.loads(done.out)["entities"]
        got = {row["entity"]: row["value"] for row in rows if row.get("domain") in (None, "", "all")}
        fine = right is not None and same(got, right)
        return "" if fine else f"{shlex.join(words)} gives {got}, and {right} is right"
    if done.status not in (2, 3) or re.search("No such option|requires|would change nothing", done.err):
        return f"{shlex.join(words)} ends with {done.status}: {done.err}"
    seen["refused again" if depth else "refused"] += 1
    ways = list(advised(done.err)) if depth < 2 else []
    if right is not None and not ways:
        return f"{shlex.join(words)} is refused, with nothing to type: {done.err}"
    return next((found for way in ways if (found := fault(one, [*words, *way], seen, depth + 1))), "")


def main(kinds: Sequence[Callable[[random.Random], Table]] = KINDS, arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    start, n, seen = time.monotonic(), 0, Counter[str]()
    while n < given.tables and time.monotonic() - start < given.seconds:
        draw = random.Random(f"{given.seed} {n}")
        one = draw.choice(kinds)(draw)
        with laid_out(one.files):
            found = fault(one, one.words, seen)
        if found:
            print(f"table {n} of seed {given.seed}: {found}\n{one.files}", file=sys.stderr)
            return 1
        n += 1
    print(f"{n} tables, none misread: {', '.join(f'{k} {what}' for what, k in sorted(seen.items()))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
