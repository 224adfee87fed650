"""Prediction files at random, counted by DuckDB, by the strict reader and by pandas: equal counts, or all refuse.

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
from rankscape.io import engines, opening, tally
from rankscape.io.codes import values_of_labels
from rankscape.io.engines import connected, text_relation
from rankscape.io.sheets import FORMATS, Source

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
COUNTED = 200
"""Of so many files one is also counted as a whole, by each reader."""


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


def rows_of(path: Path, headers: list[str], connection: Any) -> dict[str, Any]:
    """Return the sorted rows by each reader: "refused" where there is an error, None where it is not asked."""
    source = Source(str(path), path=str(path))
    try:
        rows = opening._rows([source], [FORMATS[-1]], dict.fromkeys(headers, "column"), [], None)
        strict: Any = sorted(tuple(cell.strip() for cell in cells) for _, cells in rows)
    except rs.RankscapeError:
        strict = "refused"
    try:
        plain = text_relation(connection, [source], True, headers, [])
    except rs.RankscapeError:
        return {"strict": strict, "DuckDB": "refused"}
    fetched = None if plain is None else [tuple(cell or "" for cell in row) for row in plain[0].fetchall()]
    if fetched is not None and plain is not None and len(fetched) != plain[1]:
        return {"strict": strict, "DuckDB": f"{len(fetched)} rows of {plain[1]}"}
    if fetched is not None and tuple(headers) in fetched:  # which counting refuses
        return {"strict": strict, "DuckDB": "refused"}
    return {"strict": strict, "DuckDB": None if fetched is None else sorted(fetched)}


def compared(
    path: Path, content: str, options: dict[str, Any], broken: bool, connection: Any
) -> tuple[str | None, dict[str, Any]]:
    """Return in what the readers differ, None where they agree, and the rows; damaged files pandas mends itself."""
    path.write_bytes(content.encode())
    headers = [options[key] for key in ("truth", "prediction", "entity", "domain") if key in options]
    results = rows_of(path, headers, connection)
    if not broken:
        frame = by_pandas(path)
        if frame is None:
            return "pandas cannot read it", results
        cells = ([cell.strip() for cell in frame[header].tolist()] for header in headers)
        results["pandas"] = sorted(zip(*cells, strict=True))
    strict = results["strict"]
    others = [f"{name} {result}" for name, result in results.items() if result is not None and result != strict]
    return f"strict {strict}, {', '.join(others)}" if others else None, results


def difference_of_counts(path: Path, options: dict[str, Any], broken: bool) -> str | None:
    """Return in what whole counts differ, None where they agree."""
    results = {}
    for name, relation in (("strict", lambda *_: None), ("DuckDB", engines.text_relation)):
        opening.text_relation = relation
        results[name] = counts_of(path, options)
    if not broken and (frame := by_pandas(path)) is not None:
        frame = frame.apply(lambda column: column.str.strip()).replace("", None)
        terms = values_of_labels(label for key in ("y", "p") for label in frame[key] if isinstance(label, str))
        for key in ("y", "p"):  # what is a number in a table of text
            frame[key] = [terms.get(label) for label in frame[key]]
        results["pandas"] = counts_of(frame, options)
    return None if all(result == results["strict"] for result in results.values()) else str(results)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    draw, start, n, rows, refused, plain = random.Random(given.seed), time.monotonic(), 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder, connected() as connection:
        connection.execute("set threads = 1")  # tables are small
        path = Path(folder) / "predictions.csv"
        while n < given.files and time.monotonic() - start < given.seconds:
            content, options, broken = generated(draw)
            problem, result = compared(path, content, options, broken, connection)
            problem = problem or (difference_of_counts(path, options, broken) if n % COUNTED == 0 else None)
            if problem is not None:
                print(f"file {n} of seed {given.seed} differs: {problem}\n{content!r}\n{options}", file=sys.stderr)
                return 1
            n += 1
            refused += result["strict"] == "refused"
            plain += result["DuckDB"] is not None
            rows += 0 if result["strict"] == "refused" else len(result["strict"])
    print(f"{n} files, {rows} rows, 0 lost: {plain} read by DuckDB, {refused} refused, all readers agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
