"""Small tables, each with what it says: the same rows in many spellings, and files that must be refused.

    python tests/answers/spellings.py FOLDER

writes ``counts/`` (tables of counts or probabilities), ``predictions/`` (one case per row) and ``expected.json``. What is
expected is written down here or follows from the rows that a file was made of; no reader of rankscape is asked.
"""

import gzip
import io
import itertools
import json
import math
import sys
import zipfile
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

Row = tuple[str | None, str, tuple[str, str, str, str]]
"""Domain or None, entity, and tn, fp, fn, tp as they are typed."""

HEADER = ("entity", "tn", "fp", "fn", "tp")
COUNTS: list[Row] = [(None, "unet", ("50", "10", "5", "35")), (None, "segnet", ("45", "15", "2", "38"))]
DECIMALS: list[Row] = [(None, "a", (".4", ".1", ".2", ".3")), (None, "b", ("0.6", "0.10", "1e-1", "+.2"))]
HOSTILE: list[Row] = [
    (None, name, (str(n), "1", "2", "3"))
    for n, name in enumerate(
        (
            "'",
            "'quoted'",
            'a "b" c',
            "x, y",
            "x; y",
            "x | y",
            "line\nbreak",
            "#1",
            "\\",
            "é",
            "深度",
            "</script>",
            "a  b",
            "007",
            "1e5",
            "NA",
            "-",
            "sep=;",
        )
    )
]
DOMAINS: list[Row] = [
    (d, e, (str(9 + i), str(1 + j), "2", "8")) for i, d in enumerate(("city", "night's", "a,b")) for j, e in enumerate(("m", "n"))
]  # fmt: skip
TABLES = {"counts": COUNTS, "decimals": DECIMALS, "hostile": HOSTILE, "domains": DOMAINS}


def exact(cells: tuple[str, ...]) -> list[str]:
    """Return integers in lowest terms proportional to typed numbers."""
    numbers = [Fraction(cell.replace("\N{MINUS SIGN}", "-").replace(",", ".")) for cell in cells]
    scale = math.lcm(*(number.denominator for number in numbers))
    integers = [int(number * scale) for number in numbers]
    return [str(integer // math.gcd(*integers)) for integer in integers]


def expected_of(rows: list[Row]) -> dict[str, Any]:
    """Return what a table of counts or probabilities says."""
    whole = all(Fraction(cell).denominator == 1 for *_, cells in rows for cell in cells)
    return {"rows": [[domain, entity, exact(cells)] for domain, entity, cells in rows], "counts": whole}


def cell_text(cell: str, separator: str, always: bool) -> str:
    """Return a cell as CSV has it: in quotes where it must be, or always."""
    special = (separator, '"', "\n", "\r")
    if always or any(sign in cell for sign in special) or cell != cell.strip():
        return '"' + cell.replace('"', '""') + '"'
    return cell


def table_text(records: list[list[str]], separator: str, end: str, always: bool) -> str:
    """Return records as CSV."""
    return "".join(separator.join(cell_text(cell, separator, always) for cell in record) + end for record in records)


def records_of(rows: list[Row], header: tuple[str, ...] = HEADER) -> list[list[str]]:
    """Return a table as records, the header first; with a column of domains where there are some."""
    named = rows[0][0] is not None
    first = ["domain", *header] if named else list(header)
    return [first, *([*([domain or ""] if named else []), entity, *cells] for domain, entity, cells in rows)]


def spellings_of_counts() -> dict[str, tuple[bytes, dict[str, Any]]]:
    """Return every table in every separator, end of line, quoting and encoding, and as JSON."""
    files: dict[str, tuple[bytes, dict[str, Any]]] = {}
    ends = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
    for (name, rows), (sign, separator), (end_name, end), always in itertools.product(
        TABLES.items(), {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}.items(), ends.items(), (False, True)
    ):
        text = table_text(records_of(rows), separator, end, always)
        suffix = "tsv" if sign == "tab" else "csv"
        stem = f"{name}-{sign}-{end_name}{'-quoted' if always else ''}"
        files[f"{stem}.{suffix}"] = text.encode(), expected_of(rows)
    for name, rows in TABLES.items():
        text, said = table_text(records_of(rows), ",", "\n", False), expected_of(rows)
        for code in ("utf-8-sig", "utf-16"):
            files[f"{name}-{code}.csv"] = text.encode(code), said
        files[f"{name}-utf-16-be.csv"] = b"\xfe\xff" + text.encode("utf-16-be"), said
        files[f"{name}-no-last-end.csv"] = text.rstrip("\n").encode(), said
        files[f"{name}-blank-lines.csv"] = text.replace("\n", "\n\n" if name != "hostile" else "\n").encode(), said
        files[f"{name}-sep.csv"] = ("sep=;\r\n" + table_text(records_of(rows), ";", "\r\n", False)).encode(), said
        files[f"{name}-padded.csv"] = table_text(
            [[f"{cell}" for cell in record] for record in records_of(rows)], ",", "\n", False
        ).replace(",1,", ", 1 ,").encode(), said  # fmt: skip
        headers = ("Model", "True Negatives", "False_Positives", "misses", "#TP")
        files[f"{name}-headers.csv"] = table_text(records_of(rows, headers), ",", "\n", False).encode(), said
        records = [dict(zip(records_of(rows)[0], record, strict=True)) for record in records_of(rows)[1:]]
        files[f"{name}-texts.json"] = json.dumps(records).encode(), said
        files[f"{name}-columns.json"] = json.dumps(
            {header: [record[header] for record in records] for header in records[0]}, ensure_ascii=False
        ).encode(), said  # fmt: skip
        files[f"{name}-lines.jsonl"] = "".join(json.dumps(record) + "\n" for record in records).encode(), said
        typed = "".join(
            "{" + ", ".join(
                f"{json.dumps(key)}: {json.dumps(cell) if key in ('entity', 'domain') else number_of(cell)}"
                for key, cell in record.items()
            ) + "}\n"
            for record in records
        )  # fmt: skip
        files[f"{name}-numbers.jsonl"] = typed.encode(), said
        files[f"{name}-numbers.json"] = ("[" + typed.strip().replace("}\n{", "},\n{") + "]").encode(), said
    return files


def number_of(cell: str) -> str:
    """Return a typed number as JSON writes it."""
    text = cell.lstrip("+")
    return f"0{text}" if text.startswith(".") else text


def packed() -> dict[str, tuple[bytes, dict[str, Any]]]:
    """Return a table packed in every way that needs nothing but the standard library (the page refuses all)."""
    text, said = table_text(records_of(COUNTS), ",", "\n", False).encode(), expected_of(COUNTS) | {"packed": True}
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("inner.csv", text)
    return {"packed.csv.gz": (gzip.compress(text), said), "packed.zip": (archive.getvalue(), said)}


def special_counts() -> dict[str, tuple[bytes, dict[str, Any]]]:
    """Return single files, with what they say."""
    h = "entity,tn,fp,fn,tp\n"

    def rows(*given: Row) -> dict[str, Any]:
        return expected_of(list(given))

    one: Row = (None, "a", ("1", "2", "3", "4"))
    good: dict[str, tuple[str, dict[str, Any]]] = {
        "whole-by-value.csv": (h + "a,1.0,2e0,3.00,0.4e1\n", rows(one)),
        "beyond-doubles.csv": (h + "a,9007199254740993,9007199254740993e0,1,2\n", rows((None, "a", ("9007199254740993", "9007199254740993", "1", "2")))),
        "minus-sign.csv": (h + "a,1,2,3,4\nb,\N{MINUS SIGN}0,1,1,1\n", rows(one, (None, "b", ("0", "1", "1", "1")))),
        "decimal-commas.csv": (h.replace(",", ";") + "a;0,25;0,25;0,4;0,1\n", rows((None, "a", ("0.25", "0.25", "0.4", "0.1")))),
        "quoted-commas.csv": (h + 'a,"0,25","0,25","0,4","0,1"\n', rows((None, "a", ("0.25", "0.25", "0.4", "0.1")))),
        "thirty-digits.csv": (h + f"a,0.{'1' * 29},0.{'2' * 29},0.{'3' * 29},0.{'3' * 28}4\n", rows((None, "a", (f"0.{'1' * 29}", f"0.{'2' * 29}", f"0.{'3' * 29}", f"0.{'3' * 28}4")))),
        "no-entity.csv": ("tn,fp,fn,tp\n1,2,3,4\n5,6,7,8\n", rows((None, "P1", ("1", "2", "3", "4")), (None, "P2", ("5", "6", "7", "8")))),
        "only-text.csv": ("run,tn,fp,fn,tp\nx,1,2,3,4\ny,5,6,7,8\n", rows((None, "x", ("1", "2", "3", "4")), (None, "y", ("5", "6", "7", "8")))),
        "extra-column.csv": ("entity,tn,fp,fn,tp,year\na,1,2,3,4,2020\n", rows(one)),
        "guarded-name.csv": (h + "'=SUM(A1),1,2,3,4\n''+x,5,6,7,8\n", rows((None, "=SUM(A1)", ("1", "2", "3", "4")), (None, "'+x", ("5", "6", "7", "8")))),
        "blank-record.csv": (h + "a,1,2,3,4\n,,,,\n", rows(one)),
        "quoted-blank-record.csv": (h + 'a,1,2,3,4\n"",,,"",\n', rows(one)),
        "comment-is-a-name.csv": (h + "# no comment,1,2,3,4\n", rows((None, "# no comment", ("1", "2", "3", "4")))),
        "quote-inside.csv": (h + '5" disk,1,2,3,4\n', rows((None, '5" disk', ("1", "2", "3", "4")))),
        "backslash.csv": (h + 'a\\,1,2,3,4\n"b\\",5,6,7,8\n', rows((None, "a\\", ("1", "2", "3", "4")), (None, "b\\", ("5", "6", "7", "8")))),
        "apostrophes.csv": (h + "',1,2,3,4\nb',5,6,7,8\n", rows((None, "'", ("1", "2", "3", "4")), (None, "b'", ("5", "6", "7", "8")))),
        "quoted-header.csv": ('"entity","tn","fp","fn","tp"\n"a","1","2","3","4"\n', rows(one)),
        "mixed-ends.csv": (h + "a,1,2,3,4\r\nb,5,6,7,8\rc,9,1,1,1\n", rows(one, (None, "b", ("5", "6", "7", "8")), (None, "c", ("9", "1", "1", "1")))),
        "sum-within-tolerance.csv": (h + "a,0.3333333,0.3333333,0.3333333,0.0000001\n", rows((None, "a", ("0.3333333", "0.3333333", "0.3333333", "0.0000001")))),
        "single-record.json": ('{"entity": "a", "tn": 1, "fp": 2, "fn": 3, "tp": 4}', rows(one)),
        "by-entity.json": ('{"a": {"tn": 1, "fp": 2, "fn": 3, "tp": 4}}', rows(one)),
        "big-integer.json": ('[{"entity": "a", "tn": 9007199254740993, "fp": 1, "fn": 1, "tp": 1}]', rows((None, "a", ("9007199254740993", "1", "1", "1")))),
    }  # fmt: skip
    bad = {
        "empty.csv": "", "header-only.csv": h, "ragged-short.csv": h + "a,1,2,3\n", "ragged-long.csv": h + "a,1,2,3,4,5\n",
        "thousands.csv": h + "a,1,234,2,3,4\n", "grouped.csv": h + 'a,"1,234","2,345","3,456","4,567"\n', "several-commas.csv": h + 'a,"1,234,5",2,3,4\n',
        "grouped-points.csv": h.replace(",", ";") + "a;1.234;2.500;3.000;4.000\n",
        "comma-and-point.csv": h.replace(",", ";") + "a;0,5;0.5;0;0\n",
        "open-quote.csv": h + '"a,1,2,3,4\nb,1,2,3,4\n', "after-quote.csv": h + '"a"b,1,2,3,4\n', "space-quote.csv": h + 'a, "1,2",2,3,4\n',
        "repeated-header.csv": h + "a,1,2,3,4\n" + h + "b,1,2,3,4\n", "twice.csv": h + "a,1,2,3,4\na,5,6,7,8\n",
        "twice-but-for-spaces.csv": h + "a,1,2,3,4\na ,5,6,7,8\n",
        "missing.csv": h + "a,,2,3,4\n", "na.csv": h + "a,NA,2,3,4\n", "dash.csv": h + "a,-,2,3,4\n", "nan.csv": h + "a,nan,2,3,4\n",
        "infinite.csv": h + "a,inf,2,3,4\n", "text.csv": h + "a,many,2,3,4\n", "percent.csv": h + "a,10%,2,3,4\n", "hex.csv": h + "a,0x10,2,3,4\n",
        "underscore.csv": h + "a,1_000,2,3,4\n", "arabic-digits.csv": h + "a,\u0661,2,3,4\n", "negative.csv": h + "a,-1,2,3,4\n",
        "zeros.csv": h + "a,0,0,0,0\n", "too-large.csv": h + "a,1152921504606846977,0,0,1\n", "huge.csv": h + "a,1e40,0,0,1\n",
        "not-one.csv": h + "a,0.5,0.5,0.5,0.5\n", "percentages.csv": h + "a,50.5,20,20,9.5\n", "mixed-kinds.csv": h + "a,1,2,3,4\nb,0.5,0.5,0,0\n",
        "no-name.csv": h + ",1,2,3,4\n", "no-tp.csv": "entity,tn,fp,fn\na,1,2,3\n", "two-tp.csv": "entity,tn,fp,fn,tp,TP\na,1,2,3,4,4\n",
        "rates.csv": "entity,tpr,fpr\na,0.5,0.5\n", "predictions.csv": "y,yhat\n1,1\n", "two-texts.csv": "which,who,tn,fp,fn,tp\nx,a,1,2,3,4\n",
        "html.csv": "<html><body>entity,tn</body></html>", "nul.csv": h + "a\0,1,2,3,4\n",
        "key-twice.json": '[{"entity": "a", "tn": 1, "tn": 2, "fp": 2, "fn": 3, "tp": 4}]', "not-json.json": '[{"tn": 1,}]',
        "list.json": "[1, 2, 3]", "null.json": '[{"entity": "a", "tn": null, "fp": 2, "fn": 3, "tp": 4}]',
        "boolean.json": '[{"entity": "a", "tn": true, "fp": 2, "fn": 3, "tp": 4}]',
    }  # fmt: skip
    files = {name: (text.encode(), said) for name, (text, said) in good.items()}
    files |= {name: (text.encode(), {"refused": True}) for name, text in bad.items()}
    files["latin-1.csv"] = (h + "modèle,1,2,3,4\n").encode("latin-1"), {"refused": True}
    files["utf-32.csv"] = (
        (h + "a,1,2,3,4\n").encode("utf-32"),
        {"rows": [[None, "a", ["1", "2", "3", "4"]]], "counts": True, "packed": True},
    )
    return files


# Predictions

CASES: list[dict[str, str]] = [
    {"model": m, "dom": d, "y": y, "p": p, "note": note}
    for m in ("a", "b'", 'c"')
    for d, y, p, note in (("x", "1", "1", "ok"), ("x", "0", "0", "'"), ("x", "1", "0", "o,k"), ("x", "0", "1", "#"), ("z", "1", "0", "'"), ("z", "0", "0", "two\nlines"), ("z", "1", "1", ""))
]  # fmt: skip
LABELS = {
    "numbers": ("0", "1"),
    "floats": ("0.0", "1.0"),
    "words": ("no", "yes"),
    "booleans": ("False", "True"),
    "signs": ("'", '"'),
}


def expected_counts(cases: list[dict[str, str]], positive: str) -> list[list[Any]]:
    """Return [domain, entity, [tn, fp, fn, tp]] of predictions, sorted."""
    cells = Counter((c["dom"], c["model"], 2 * (c["y"] == positive) + (c["p"] == positive)) for c in cases)
    return [[d, m, [cells[d, m, outcome] for outcome in range(4)]] for d, m in sorted({(d, m) for d, m, _ in cells})]


def predictions() -> dict[str, tuple[bytes, dict[str, Any]]]:
    """Return the same predictions in every separator, end, quoting and kind of labels, and files to be refused."""
    files: dict[str, tuple[bytes, dict[str, Any]]] = {}
    for (kind, labels), (sign, separator), end, always in itertools.product(
        LABELS.items(), {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}.items(), ("\n", "\r\n"), (False, True)
    ):
        cases = [c | {key: labels[int(c[key])] for key in ("y", "p")} for c in CASES]
        header = ["note", "y", "p", "model", "dom"]
        records = [header, *([c[key] for key in header] for c in cases)]
        said = {"counts": expected_counts(cases, labels[1]), "pos_label": labels[1], "rows": len(cases), "cases": cases}
        name = f"{kind}-{sign}-{'crlf' if len(end) > 1 else 'lf'}{'-quoted' if always else ''}"
        files[f"{name}.{'tsv' if sign == 'tab' else 'csv'}"] = (
            table_text(records, separator, end, always).encode(),
            said,
        )
        if sign == "comma" and end == "\n" and not always:
            lines = "".join(json.dumps(c) + "\n" for c in cases)
            files[f"{name}.jsonl"] = lines.encode(), said
            files[f"{name}.json"] = json.dumps(cases).encode(), said
            files[f"{name}-utf-16.csv"] = table_text(records, ",", "\n", False).encode("utf-16"), said
            files[f"{name}.csv.gz"] = gzip.compress(table_text(records, ",", "\n", False).encode()), said
    start = "y,p,model,dom\n1,1,a,x\n0,0,a,x\n"
    for name, text in {
        "ragged.csv": start + "1,1,a\n", "header-again.csv": start + start, "third-label.csv": start + "1,2,a,x\n",
        "no-truth.csv": start + ",1,a,x\n", "no-name.csv": start + "1,1,,x\n", "open-quote.csv": start + '1,1,"a,x\n',
        "after-quote.csv": start + '1,"1"0,a,x\n', "not-a-column.csv": start.replace("p,", "q,"), "empty.csv": "",
    }.items():  # fmt: skip
        files[name] = text.encode(), {"refused": True}
    # With a positive label every other one is negative: nothing but the repeated header speaks against this file.
    files["header-again-of-texts.csv"] = (start + start).encode(), {"refused": True, "pos_label": "1"}
    return files


def make(folder: Path) -> dict[str, dict[str, Any]]:
    """Write all files below a folder, and return what is expected of each, by its path there."""
    expected: dict[str, dict[str, Any]] = {}
    for place, files in (
        ("counts", spellings_of_counts() | special_counts() | packed()),
        ("predictions", predictions()),
    ):
        (folder / place).mkdir(parents=True, exist_ok=True)
        for name, (content, said) in files.items():
            (folder / place / name).write_bytes(content)
            expected[f"{place}/{name}"] = said
    (folder / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1), encoding="utf-8")
    return expected


if __name__ == "__main__":
    print(f"{len(make(Path(sys.argv[1])))} files")
