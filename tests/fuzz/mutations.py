"""Files of tests/answers, changed at random, the effect known: the same answer, that of a second reader, or none.

    python tests/fuzz/mutations.py --files 20000 --seed 1
    python tests/fuzz/mutations.py --seconds 20 --seed 1

Rows and columns in another order, other headers for the same, another encoding, end of line or separator, or packed:
the same answer. A row less, or another cell: what a second reader counts, or a refusal. Exits with 1 where not.
"""

import argparse
import csv
import gzip
import io
import json
import random
import re
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.answers import CASES, files
from console import laid_out, say

OUTCOMES = ("tn", "fp", "fn", "tp")
ALIASES = {
    "tn": ("TN", "True Negatives", "#tn"),
    "fp": ("FP", "False Positives", "false_alarms"),
    "fn": ("FN", "False Negatives", "misses"),
    "tp": ("TP", "True Positives", "hits"),
    "model": ("Model", "method", "Classifier", "algorithm"),
    "correct": ("Correct", "CORRECT"),
}
POSITIVE = ("1", "yes", "true", "pos", "positive")
Rows = list[list[str]]


class Sheet(NamedTuple):
    """A file of the corpus: its name, separator and rows, the header first, what is asked, and what is answered."""

    name: str
    separator: str
    rows: Rows
    words: list[str]
    answer: dict[str, Any]
    read: bool
    """Whether the second reader answers the same."""


def answered(content: bytes, name: str, words: Sequence[str]) -> dict[str, Any] | None:
    """Return the values by model that rankscape gives; None where it refuses."""
    with laid_out({name: content}):
        done = say([*words, "--format", "json"])
    if done.status not in (0, 2, 3):
        raise RuntimeError(f"ends with {done.status}: {done.err}")
    if done.status:
        return None
    rows = json.loads(done.out)["entities"]
    return {row["entity"]: row["value"] for row in rows if row.get("domain") in (None, "", "all")}


def sheets() -> list[Sheet]:
    """Return the files of the corpus that are tables of text, and are ranked by themselves."""
    chosen = []
    for case in CASES:
        there, words = files(case) if case != "file-absent" else {}, shlex.split(CASES[case]["ask"])
        name = next(iter(there), "")
        if len(there) != 1 or words[:2] != ["rank", name] or not re.search(r"\.[ct]sv$", name):
            continue
        answer = answered(there[name], name, words)
        text = there[name].decode("utf-8", "replace")
        separator = max(",;\t|", key=text.split("\n")[0].count)
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=separator) if row]
        plain = answer and "\ufffd" not in text and len({*map(len, rows)}) == 1 and len({*rows[0]}) == len(rows[0])
        if answer is not None and plain:
            one = Sheet(name, separator, rows, words, answer, False)
            chosen.append(one._replace(read=same(second(one, rows), answer)))
    return chosen


def same(one: dict[str, Any] | None, other: dict[str, Any] | None) -> bool:
    """Tell whether two answers are the same, but for rounding."""
    if one is None or other is None or one.keys() != other.keys():
        return one == other
    pairs = [(one[name], other[name]) for name in one]
    return all(a == b or (None not in (a, b) and abs(float(a) - float(b)) < 1e-9) for a, b in pairs)


# The second reader

DOMAINS = ("dataset", "benchmark", "domain")


def second(sheet: Sheet, rows: Rows) -> dict[str, Any] | None:
    """Return what rows say, where this reader knows their kind: counts, predictions, or right and wrong."""
    try:
        return _counts(rows) or _predictions(rows, sheet.words) or _answers(rows, sheet.words)
    except (ValueError, KeyError, ZeroDivisionError):
        return None


def _f1(cells: Sequence[Fraction | int]) -> Fraction | None:
    _, fp, fn, tp = cells
    return Fraction(2 * tp) / (2 * tp + fp + fn) if tp + fp + fn else None


def _named(rows: Rows) -> list[dict[str, str]]:
    """Return the rows by header, under the names that this reader knows."""
    known = {re.sub(r"\W|_", "", alias).lower(): name for name, of in ALIASES.items() for alias in (name, *of)}
    headers = [known.get(re.sub(r"\W|_", "", header).lower(), header.strip()) for header in rows[0]]
    return [dict(zip(headers, map(str.strip, row), strict=True)) for row in rows[1:]]


def _counts(rows: Rows) -> dict[str, Any] | None:
    named = _named(rows)
    if not {*OUTCOMES, "model"} <= {*named[0]} or len({row["model"] for row in named}) < len(named):
        return None
    return {row["model"]: _f1([int(row[outcome]) for outcome in OUTCOMES]) for row in named}


def _predictions(rows: Rows, words: Sequence[str]) -> dict[str, Any] | None:
    pairs = [(k, v) for k, v in zip(words, [*words[1:], ""], strict=True) if k.startswith("--")]
    options = {k[2:]: [v for other, v in pairs if other == k] for k, _ in pairs}
    if {*options} - {"truth", "prediction", "entity-column", "weight", "pos-label"} or "prediction" not in options:
        return None
    counts: dict[str, Counter[tuple[bool, bool]]] = {}
    (truth,) = options["truth"]
    cells = [dict(zip(rows[0], map(str.strip, row), strict=True)) for row in rows[1:]]
    labels = {row[header] for row in cells for header in (truth, *options["prediction"])}
    positive = options.get("pos-label") or [x for x in labels if x.lower() in POSITIVE] or [""]
    several = len(labels) > 2 and "pos-label" not in options
    if len(positive) != 1 and not several:
        return None
    for row in cells:
        for header in options["prediction"]:
            model = row[options["entity-column"][0]] if "entity-column" in options else header
            times = int(row[options["weight"][0]]) if "weight" in options else 1
            outcome = row[truth] == positive[0], row[header] == positive[0]
            if several:
                outcome = row[truth] == row[header], True
            counts.setdefault(model, Counter())[outcome] += times
    if several:
        return {name: Fraction(of[True, True], sum(of.values())) for name, of in counts.items()}
    return {name: _f1([of[k > 1, k in (1, 3)] for k in range(4)]) for name, of in counts.items()}


def _answers(rows: Rows, words: Sequence[str]) -> dict[str, Any] | None:
    """Read right and wrong: the mean over cases of those over their repeats, or over domains of those over cases."""
    named = _named(rows)
    if not {"model", "correct"} <= {*named[0]}:
        return None
    by = "case" if "--repeat" in words else next((header for header in DOMAINS if header in named[0]), "")
    got: dict[str, dict[str, list[int]]] = {}
    for row in named:
        got.setdefault(row["model"], {}).setdefault(row.get(by, ""), []).append({"0": 0, "1": 1}[row["correct"]])
    return {name: sum(Fraction(sum(of), len(of)) for of in parts.values()) / len(parts) for name, parts in got.items()}


# Mutations


def text_of(rows: Rows, separator: str, end: str = "\n", quoting: Any = csv.QUOTE_MINIMAL) -> str:
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator, lineterminator=end, quoting=quoting).writerows(rows)
    return stream.getvalue()


def spelled(draw: random.Random, sheet: Sheet, rows: Rows) -> tuple[bytes, str]:
    """Return rows as a file in any spelling, and its name."""
    end = draw.choice(("\n", "\r\n", "\r"))
    quoting = csv.QUOTE_ALL if end == "\r" else draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    data = text_of(rows, sheet.separator, end, quoting).encode(draw.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16")))
    return (gzip.compress(data), f"{sheet.name}.gz") if draw.random() < 0.2 else (data, sheet.name)


def reordered(draw: random.Random, sheet: Sheet) -> Rows:
    """Return the rows in another order, and the columns, but for an index."""
    index = 1 if sheet.rows[0][0] == "" else 0
    columns = [*range(index), *draw.sample(range(index, len(sheet.rows[0])), len(sheet.rows[0]) - index)]
    body = draw.sample(sheet.rows[1:], len(sheet.rows) - 1)
    return [[row[i] for i in columns] for row in [sheet.rows[0], *body]]


def renamed(draw: random.Random, sheet: Sheet) -> Rows:
    """Return the rows under other headers that mean the same, but for those that are asked for."""
    headers = [
        draw.choice(ALIASES[header]) if header in ALIASES and header not in sheet.words else header
        for header in sheet.rows[0]
    ]
    return [headers, *sheet.rows[1:]]


def shortened(draw: random.Random, sheet: Sheet) -> Rows:
    """Return the rows without the last ones."""
    return sheet.rows[: draw.randint(2, len(sheet.rows))]


def changed(draw: random.Random, sheet: Sheet) -> Rows:
    """Return the rows with another cell: one of the same column, a number, nothing, or a slip."""
    rows = [[*row] for row in sheet.rows]
    i, j = draw.randrange(1, len(rows)), draw.randrange(len(rows[0]))
    rows[i][j] = draw.choice((draw.choice(rows[1:])[j], str(draw.randint(0, 99)), "", "x", rows[i][j] + "?"))
    return rows


SAME: tuple[Callable[[random.Random, Sheet], Rows], ...] = (reordered, renamed)
OTHER: tuple[Callable[[random.Random, Sheet], Rows], ...] = (shortened, changed)


def fault(draw: random.Random, corpus: Sequence[Sheet], seen: Counter[str]) -> str:
    """Return what is wrong with the answer to a changed file; empty where all is right."""
    change = draw.choice((*SAME, *OTHER))
    sheet = draw.choice([one for one in corpus if one.read or change in SAME])
    rows = change(draw, sheet)
    data, name = spelled(draw, sheet, rows)
    words = [word if word != sheet.name else name for word in sheet.words]
    got = answered(data, name, words)
    right = sheet.answer if change in SAME else second(sheet, rows)
    seen[change.__name__ if got is not None else f"{change.__name__} and refused"] += 1
    unnamed = any(re.fullmatch(r"P\d+", model) for model in sheet.answer)
    if same(got, right) or (unnamed and change is reordered) or (got is None and change in OTHER):
        return ""
    shown = right and {model: value and float(value) for model, value in right.items()}
    return f"{shlex.join(words)}, {change.__name__}: {got}, and {shown} is right\n{data!r}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    start, n, seen, corpus = time.monotonic(), 0, Counter[str](), sheets()
    while n < options.files and time.monotonic() - start < options.seconds:
        if found := fault(random.Random(f"{options.seed} {n}"), corpus, seen):
            print(f"file {n} of seed {options.seed}: {found}", file=sys.stderr)
            return 1
        n += 1
    what = ", ".join(f"{k} {name}" for name, k in sorted(seen.items()))
    print(f"{n} changes of {len(corpus)} files, {sum(one.read for one in corpus)} read twice: {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
