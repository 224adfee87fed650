"""Prediction files at random, read and counted by rankscape and by pandas: equal counts, or both refuse.

    python tests/fuzz/readers.py --files 100000 --seed 1
    python tests/fuzz/readers.py --seconds 20 --seed 1

Exits with 1, and prints the file, where two of them differ.
"""

import argparse
import csv
import io
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pandas as pd

import rankscape as rs
from rankscape.io import tally
from rankscape.io.codes import values_of_labels
from rankscape.io.sheets import Source, separated_table

LABELS = (
    ("0", "1"),
    ("0.0", "1.0"),
    ("no", "yes"),
    ("'", '"'),
    ("a,b", "x;y"),
    ("False", "True"),
    ("-1", "1"),
    ("#", "'a"),
)
NOTES = (
    "", "ok", "'", "'a'", '"', '5" disk', "a\nb", "a\r\nb", "x,y", "x;y", "x\ty", "#c", "# comment", "\\", '\\"', "é", " pad ", "NULL", "NA",
    "nan", "1e5", "''", '""', "a|b", "=1+1", "\u2028", "--", "/*", "y", "p",
)  # fmt: skip
MODELS = ("a", "b", "'c", "m,1", 'q"', "1.10", "1.1", "é", "\xa0r", "s\x1c")
COUNTED = 20
"""Of so many files one is also counted as a whole."""


def generated(draw: random.Random) -> tuple[str, dict[str, Any], bool]:
    """Return the text of a file of predictions, how it is to be counted, and whether it was damaged."""
    labels, separator = draw.choice(LABELS), draw.choice(",,,;\t|")
    headers = ["y", "p", "note"] + ["model"] * draw.choice((0, 1)) + ["dom"] * draw.choice((0, 0, 1))
    draw.shuffle(headers)
    end = draw.choice(("\n", "\n", "\r\n"))
    quoting = draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerow(headers)
    notes = draw.sample(NOTES, draw.randint(1, 4))
    for _ in range(draw.randint(1, 12)):
        cells = {"y": draw.choice(labels), "p": draw.choice(labels), "note": draw.choice(notes)}
        cells |= {
            "model": draw.choice(MODELS[:3]) if draw.random() < 0.9 else draw.choice(MODELS),
            "dom": draw.choice("xy"),
        }
        if draw.random() < 0.03:
            cells[draw.choice(("y", "p"))] = draw.choice(("", " ", "maybe", f" {labels[1]}"))
        writer.writerow([cells[header] for header in headers])
    content = text.getvalue()
    if draw.random() < 0.1:
        content = content.removesuffix(end)
    broken = draw.random() < 0.25
    content = damaged(draw, content, end) if broken else content
    options = {"truth": "y", "prediction": "p", "pos_label": labels[1]}
    options |= {key: name for key, name in (("entity", "model"), ("domain", "dom")) if name in headers}
    return content, options, broken


def damaged(draw: random.Random, content: str, end: str) -> str:
    """Return the text with a character more or less, a blank line, or the header again."""
    at = draw.randrange(len(content))
    lines = content.split(end)
    ways = [
        lambda: content[:at] + draw.choice("'\"\n\r,;\t#\\ ") + content[at:],
        lambda: content[:at] + content[at + 1 :],
        lambda: end.join([*lines[:1], draw.choice(("", " ", ",,,", "''", '""', *lines[:1])), *lines[1:]]),
        lambda: content + lines[0] + end,
        lambda: "\ufeff" + content,
        lambda: content + draw.choice(('"', "'", ",", end * 3)),
    ]
    return str(draw.choice(ways)())


def counts_of(source: Any, options: dict[str, Any]) -> Any:
    """Return the counts by domain and entity, and the rows; "refused" where there is an error."""
    try:
        found = tally(source, **options)
    except rs.RankscapeError:
        return "refused"
    P = found.performances
    places = P.domains or [""] * len(P)
    return sorted(zip(places, P.names, map(tuple, P.counts.tolist()), strict=True)), found.rows


def by_pandas(path: Path) -> pd.DataFrame | None:
    """Return the cells by pandas' own reader; None where it cannot read the file."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        header = file.readline()
    separator = max(",;\t|", key=header.count)
    try:
        frame = pd.read_csv(
            path, sep=separator, dtype=str, keep_default_na=False, encoding="utf-8-sig", index_col=False
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError):
        return None
    return frame if {"y", "p"} <= set(frame.columns) else None


def rows_of(path: Path, headers: list[str]) -> Any:
    """Return the sorted rows of some columns; "refused" where there is an error."""
    try:
        table = separated_table(Source(str(path), path=str(path)), headers.__contains__)
        places = [table.headers.index(header) for header in headers]
        return sorted(tuple(cells[i].strip() for i in places) for _, rows in table.records for cells in rows)
    except (rs.RankscapeError, ValueError):
        return "refused"


def compared(path: Path, content: str, options: dict[str, Any], broken: bool) -> tuple[str | None, Any]:
    """Return in what the readers differ, None where they agree, and the rows; damaged files pandas mends itself."""
    path.write_bytes(content.encode())
    headers = [options[key] for key in ("truth", "prediction", "entity", "domain") if key in options]
    rows = rows_of(path, headers)
    if broken:
        return None, rows
    frame = by_pandas(path)
    if frame is None:
        return "pandas cannot read it", rows
    expected = sorted(zip(*([cell.strip() for cell in frame[header].tolist()] for header in headers), strict=True))
    return None if rows == expected else f"rankscape {rows}, pandas {expected}", rows


def difference_of_counts(path: Path, options: dict[str, Any], broken: bool) -> str | None:
    """Return in what whole counts differ, None where they agree."""
    found = counts_of(path, options)
    if broken or (frame := by_pandas(path)) is None:
        return None
    frame = frame.apply(lambda column: column.str.strip()).replace("", None)
    terms = values_of_labels(label for key in ("y", "p") for label in frame[key] if isinstance(label, str))
    for key in ("y", "p"):  # what is a number in a table of text
        frame[key] = [terms.get(label) for label in frame[key]]
    expected = counts_of(frame, options)
    return None if found == expected else f"rankscape {found}, pandas {expected}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    draw, start, n, rows, refused = random.Random(given.seed), time.monotonic(), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.csv"
        while n < given.files and time.monotonic() - start < given.seconds:
            content, options, broken = generated(draw)
            problem, result = compared(path, content, options, broken)
            problem = problem or (difference_of_counts(path, options, broken) if n % COUNTED == 0 else None)
            if problem is not None:
                print(f"file {n} of seed {given.seed} differs: {problem}\n{content!r}\n{options}", file=sys.stderr)
                return 1
            n += 1
            refused += result == "refused"
            rows += 0 if result == "refused" else len(result)
    print(f"{n} files, {rows} rows, 0 lost: {refused} refused, all readers agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
