"""Odd CSV files at random, through every way in: as many records as a second reader finds in them, or a refusal.

    python tests/fuzz/separated.py --files 20000 --seed 1
    python tests/fuzz/separated.py --seconds 20 --seed 1

Separators, quotes, lines that break inside of them, byte-order marks, encodings, blank lines, NUL, ragged rows, packed
files and pipes. Exits with 1, and prints the file, where a row is lost or an outcome is another.
"""

import argparse
import csv
import gzip
import io
import os
import random
import re
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rankscape as rs

ODD = (
    *("", "ok", "a\nb", "a\r\nb", 'say "no"', "x,y", "x;y", "x\ty", "x|y", "#c", "'", "é", " pad ", "NULL"),
    *("\u2028", "\x1c", "\\", "=1+1", "深度"),
)
MODELS = ("a", "b", "c,1", 'd"', "e;f", "é", "g\nh", "1.10")
ENDS = ("\n", "\n", "\r\n", "\r")
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "latin-1")
OUTCOMES = ("tn", "fp", "fn", "tp")
WAYS = {"predictions": ("model", "y", "p"), "answers": ("model", "case", "correct"), "counts": ("model", *OUTCOMES)}


def rows_of(draw: random.Random, way: str) -> tuple[list[str], list[list[str]]]:
    """Return the headers and the rows of a table."""
    headers = draw.sample([*WAYS[way], "note"], len(WAYS[way]) + 1)
    rows = []
    notes, models = draw.sample(ODD, 4), draw.sample(MODELS, 2)
    for i in range(draw.choice((2, 4, 6, 10, 40))):
        cells = {"model": models[i % 2] if way != "counts" else f"m{i}", "y": draw.choice("01"), "p": draw.choice("01"),
                 "case": f"c{i // 2}", "correct": draw.choice("01"), "note": draw.choice(notes)}  # fmt: skip
        cells |= {outcome: str(draw.randint(1, 10)) for outcome in OUTCOMES}
        rows.append([cells[header] for header in headers])
    if way == "predictions":
        for k, header in enumerate("yp"):
            rows[0][headers.index(header)], rows[1][headers.index(header)] = "01"[k], "10"[k]
    return headers, rows


def spelled(draw: random.Random, table: list[list[str]]) -> tuple[str, str]:
    """Return a table as text, and its separator."""
    separator, end, stream = draw.choice(",,,;\t|"), draw.choice(ENDS), io.StringIO()
    quoting = csv.QUOTE_ALL if end == "\r" else draw.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    csv.writer(stream, delimiter=separator, lineterminator=end, quoting=quoting).writerows(table)
    text = stream.getvalue()
    if draw.random() < 0.2:
        text = text.removesuffix(end)
    if draw.random() < 0.2:
        text += end * draw.randint(1, 3)
    return (end * draw.randint(1, 2) + text if draw.random() < 0.05 else text), separator


def damaged(draw: random.Random, text: str, separator: str) -> str:
    """Return a text with a slip: a cell or a line more or less, a quote, a NUL, a sign in a wrong place."""
    at = draw.randrange(1, len(text))
    lines = text.splitlines(keepends=True)
    k = draw.randrange(len(lines))
    ways = (
        lambda: text[:at] + draw.choice(('"', "\0", separator, "\n", "\r", " ", "'", "\ufeff")) + text[at:],
        lambda: text[:at] + text[at + 1 :],
        lambda: "".join([*lines[:k], separator + lines[k], *lines[k + 1 :]]),
        lambda: "".join([*lines[:k], draw.choice(("\n", " \n", separator * 3 + "\n", "# note\n", '""\n')), *lines[k:]]),
        lambda: text + draw.choice(('"', separator, "x", "\0", "\x1a", lines[0], "Total" + separator + "1\n")),
        lambda: text[:at],
    )
    return str(draw.choice(ways)())


def second(text: str, separator: str) -> list[list[str]] | None:
    """Return the records of a text, one sign after the other; None where it is no table: ragged, or a quote is open.

    Blank lines are no records; blanks around a cell are none of it.
    """
    records, record, cell, quoted, closed = [], [], "", False, False
    signs = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n") + "\n"
    for i, sign in enumerate(signs):
        if quoted:
            if sign != '"':
                cell += sign
            elif signs[i + 1 : i + 2] == '"' and not closed:
                closed, cell = True, cell + '"'
                continue
            elif not closed:
                quoted = False
            closed = False
        elif sign == '"' and not cell:
            quoted, cell = True, ""
        elif sign in (separator, "\n"):
            record.append(cell.strip())
            cell = ""
            if sign == "\n":
                if any(record):
                    records.append(record)
                record = []
        else:
            cell += sign
    return None if quoted or len({*map(len, records)}) != 1 or len(records) < 2 else records


def outcomes(headers: list[str], rows: list[list[str]], way: str) -> Any:
    """Return what rows say: outcomes by model."""
    plain = [re.sub(r"\W+", "", header).lower() for header in headers]
    named = [dict(zip(plain, row, strict=True)) for row in rows]
    number = lambda cell: int(float(cell.replace(",", ".")))  # noqa: E731
    if way == "counts":
        return {row["model"]: tuple(number(row[outcome]) for outcome in OUTCOMES if outcome in row) for row in named}
    found: dict[str, Counter[Any]] = {}
    for row in named:
        predicted = way == "predictions"
        outcome = (row["y"] == "1") * 2 + (row["p"] == "1") if predicted else number(row["correct"])
        found.setdefault(row["model"], Counter())[outcome] += 1
    return {name: tuple(of[k] for k in range(4 if way == "predictions" else 2)) for name, of in found.items()}


def read(source: Any, way: str, encoding: str | None) -> tuple[int | None, Any]:
    """Return the number of records that rankscape read, and the outcomes by model."""
    if way == "counts":
        P = rs.read(source, entity="model", encoding=encoding)
    elif way == "answers":
        P = rs.cases(source, correct="correct", entity="model", case="case", encoding=encoding).performances
    else:
        P = rs.cases(source, truth="y", prediction="p", entity="model", pos_label="1", encoding=encoding).performances
    assert P.account is not None
    names = [name.replace("\r\n", "\n").replace("\r", "\n") for name in P.names]
    if P.counts is None:  # of decimals
        return P.account.records, "shares"
    return P.account.records, {name: tuple(counts) for name, counts in zip(names, P.counts.tolist(), strict=True)}


@contextmanager
def given(draw: random.Random, folder: Path, data: bytes) -> Iterator[Any]:
    """Write a file, perhaps packed, or a pipe that can be read once; give its path."""
    kind = draw.choice(("file", "file", "file", "gz", "pipe"))
    if kind == "pipe":
        ends = os.pipe()

        def write() -> None:
            with os.fdopen(ends[1], "wb") as sink:
                sink.write(data)

        writer = threading.Thread(target=write)
        writer.start()
        yield f"/dev/fd/{ends[0]}"
        while os.read(ends[0], 1 << 16):
            pass
        writer.join()
        os.close(ends[0])
        return
    path = folder / ("t.csv.gz" if kind == "gz" else "t.csv")
    path.write_bytes(gzip.compress(data) if kind == "gz" else data)
    yield path


def fault(draw: random.Random, folder: Path, seen: Counter[str]) -> str:
    """Return what is wrong with how one file is read; empty where nothing is."""
    way = draw.choice(list(WAYS))
    headers, rows = rows_of(draw, way)
    text, separator = spelled(draw, [headers, *rows])
    broken = draw.random() < 0.5
    text = damaged(draw, text, separator) if broken else text
    encoding = draw.choice(ENCODINGS)
    try:
        data = b"\xff\xfe" + text.encode("utf-16-le") if encoding == "utf-16-le-bom" else text.encode(encoding)
    except UnicodeEncodeError:
        encoding, data = "utf-8", text.encode()
    with given(draw, folder, data) as source:
        try:
            records, got = read(source, way, encoding if encoding == "latin-1" else None)
        except rs.RankscapeError as error:
            seen["refused" if broken else "refused, though whole"] += 1
            odd = any(sign in cell for sign in "\x1c\u2028" for row in rows for cell in row)
            return "" if broken or odd else f"{error}\n{data!r}"
    seen["read"] += 1
    found = second(text, separator)
    if found is None:
        return f"{way}: read, though it is ragged or a quote is open: {got}\n{data!r}"
    try:
        right = outcomes(found[0], found[1:], way)
    except (KeyError, ValueError) as error:
        right = repr(error)
    seen["rows"] += len(found) - 1
    if records != len(found) - 1 or got not in (right, "shares"):
        return f"{way}: {records} records, {got}; a second reader finds {len(found) - 1}, {right}\n{data!r}"
    return ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    start, n, seen = time.monotonic(), 0, Counter[str]()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        while n < options.files and time.monotonic() - start < options.seconds:
            found = fault(random.Random(f"{options.seed} {n}"), Path(folder), seen)
            if found:
                print(f"file {n} of seed {options.seed}: {found}", file=sys.stderr)
                return 1
            n += 1
    print(f"{n} files, {seen.pop('rows')} rows, 0 lost: {', '.join(f'{k} {what}' for what, k in sorted(seen.items()))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
