"""Texts of tables as people and programs write them, and as they should not: made up by a seeded generator."""

import json
import random
from collections.abc import Callable

SPELLINGS = {
    "entity": ["entity", "Model", "method ", "Name", "Sex", "age", "Threshold"],
    "domain": ["domain", "Data set", "fold"],
    "tn": ["tn", "TN", "True_Negatives", "#TN"],
    "fp": ["fp", "False Alarms", "FP count", " fp "],
    "fn": ["fn", "misses", "false-neg"],
    "tp": ["tp", "Hits", "truepos"],
}
NAMES = [
    *("a", "b", "unet", " padded ", "segnet 2", "Ünï", "x,y", "x;y", "tab\there", "a|b", 'say "yes"', '"', "it's"),
    *(
        "'",
        "'quoted'",
        "=1+1",
        "'=1+1",
        "''+a",
        "-1 model",
        "@SUM",
        "+",
        "two\nlines",
        "two\rlines",
        "two\r\nlines",
        "#1",
    ),
    *(
        "# not a comment",
        "1",
        "2.50",
        "nan",
        "n/a",
        "-",
        "",
        "  ",
        "\\",
        "a\\",
        "\ufeffmark",
        "\x1fend\x1f",
        "\x85",
        "\u00a0",
    ),
]
GARBAGE = [
    *(
        "",
        " ",
        "na",
        "N/A",
        "?",
        "-",
        "\N{EM DASH}",
        "abc",
        "1%",
        "0x10",
        "1_000",
        "\u0663",
        "\N{INFINITY}",
        "inf",
        "1e999",
    ),
    *(
        "1,000",
        "1.000",
        "1,000,000",
        "12,34",
        "-3",
        "\N{MINUS SIGN}3",
        "-0",
        "1e-999",
        "1.5",
        "true",
        "1e",
        ".",
        "+",
        "1 000",
    ),
    *(
        "0e99",
        "1e30",
        "1e31",
        "00012",
        "1" * 29,
        "1" * 31,
        "0." + "1" * 70,
        "1.0" + "0" * 80,
        "1e-29",
        "1e-31",
        "1152921504606846976",
    ),
]
OUTCOMES = ("tn", "fp", "fn", "tp")


def parts(rng: random.Random, total: int) -> list[int]:
    """Four integers ≥ 0 with a sum."""
    cuts = sorted(rng.randint(0, total) for _ in range(3))
    return [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]


def count(rng: random.Random) -> str:
    """A whole number in one of the ways to write it."""
    n = rng.choice([rng.randint(0, 9), rng.randint(0, 5000), 2**53 + rng.randint(-3, 3), rng.randint(10**15, 2**60)])
    ways: list[Callable[[], str]] = [
        lambda: str(n),
        lambda: f"{n}.0",
        lambda: f"{n}e0",
        lambda: f"+{n}",
        lambda: f"{n}.",
        lambda: f"00{n}",
    ]
    ways.append(lambda: f"{n // 10**3}e3")
    return rng.choices(ways, [20, 3, 1, 1, 1, 1, 1])[0]()


def decimal(rng: random.Random, n: int, places: int) -> str:
    """n / 10^places in one of the ways to write it."""
    digits = str(n).rjust(places + 1, "0")
    plain = f"{digits[:-places]}.{digits[-places:]}"
    ways: list[Callable[[], str]] = [
        lambda: plain,
        lambda: plain.removeprefix("0"),
        lambda: f"{n}e-{places}",
        lambda: f"+{plain}",
        lambda: f"{plain}000",
    ]
    ways.append(lambda: f"{n // 10}.{n % 10}E-{places - 1}")
    return rng.choices(ways, [12, 4, 2, 1, 2, 1])[0]()


def numbers(rng: random.Random, kind: str) -> list[str]:
    """The four numbers of a row."""
    if kind == "counts":
        return [count(rng) for _ in range(4)]
    if kind == "sevenths":  # the sum is off by less than the tolerance, or by more
        return [
            decimal(rng, n, places)
            for places in [rng.choice([3, 5, 6, 7, 8, 9])]
            for n in parts(rng, 10**places + rng.randint(-2, 2))
        ]
    if kind == "doubles":
        values = [rng.random() for _ in range(4)]
        return [repr(value / sum(values)) for value in values]
    places = rng.choice([1, 1, 2, 2, 3, 7, 17, 25, 58, 61])
    return [decimal(rng, n, places) for n in parts(rng, 10**places)]


def table(rng: random.Random) -> tuple[list[str], list[list[str]], bool]:
    """Headers, rows of cells, and whether the rows have decimal commas."""
    columns = [*OUTCOMES]
    columns += ["entity"] * (rng.random() < 0.8) + ["domain"] * (rng.random() < 0.3)
    extra = rng.choices(
        [[], ["note"], ["run"], ["", "F1"], ["n", "n"], ["model"], ["accuracy"]], [60, 8, 12, 5, 5, 5, 5]
    )[0]
    columns += extra
    if rng.random() < 0.5:
        rng.shuffle(columns)
    headers = [
        rng.choice(SPELLINGS[column]) if column in SPELLINGS and rng.random() < 0.5 else column for column in columns
    ]
    kind = rng.choice(["counts", "decimals", "decimals", "sevenths", "doubles"])
    rows = []
    for i in range(rng.choices([0, 1, 2, 3, 6], [2, 20, 30, 30, 18])[0]):
        values = dict(zip(OUTCOMES, numbers(rng, kind if rng.random() < 0.97 else "counts"), strict=True))
        values["entity"] = rng.choice(NAMES) if rng.random() < 0.35 else f"m{i}"
        values["domain"] = rng.choice(["x", "y", "x y", *NAMES[:8]])
        values["run"] = f"run {i}" if rng.random() < 0.9 else rng.choice(NAMES)
        if rng.random() < 0.04:
            values[rng.choice(OUTCOMES)] = rng.choice(GARBAGE)
        rows.append([values.get(column, rng.choice(["", "yes", "0.5", str(i), "text"])) for column in columns])
    if rows and rng.random() < 0.04:
        rows.append(rng.choice(rows))
    return headers, rows, kind != "counts" and rng.random() < 0.2


def quoted(rng: random.Random, cell: str, separator: str, quotes: float) -> str:
    """A cell in quotation marks where it needs them, mostly."""
    needs = any(sign in cell for sign in (separator, "\n", "\r")) or cell.startswith('"')
    if (needs and rng.random() < 0.97) or rng.random() < quotes:
        text = '"' + cell.replace('"', '""') + '"'
        return rng.choice([" " + text, text + " ", text + "x", text[:-1]]) if rng.random() < 0.01 else text
    return cell


def csv_text(rng: random.Random) -> str:
    """A table of separated values, sometimes with a flaw."""
    headers, rows, comma = table(rng)
    separator = rng.choices([",", ";", "\t", "|"], [1 if comma else 8, 6, 3, 2])[0]
    if comma:
        signs = {row.index(cell): None for row in rows for cell in row if cell[:1].isdigit() and "." in cell}
        rows = [[cell.replace(".", ",") if i in signs else cell for i, cell in enumerate(row)] for row in rows]
    quotes = rng.choice([0, 0, 0.2, 1])
    lines = [separator.join(quoted(rng, cell, separator, quotes) for cell in record) for record in [headers, *rows]]
    for flaw, chance in (
        ("", 0.08),
        ("   ", 0.04),
        (separator * (len(headers) - 1), 0.04),
        ("# a comment", 0.02),
        ("'", 0.01),
        (" " + separator + " ", 0.02),
    ):
        if rng.random() < chance:
            lines.insert(rng.randint(0, len(lines)), flaw)
    if rng.random() < 0.03:
        i = rng.randrange(len(lines))
        lines[i] = rng.choice([lines[i] + separator, lines[i].rpartition(separator)[0], " " + lines[i] + " "])
    if rng.random() < 0.08:
        lines.insert(0, f"sep={separator if rng.random() < 0.9 else ','}")
    end = rng.choices(["\n", "\r\n", "\r"], [6, 3, 1 if not lines[0].startswith("sep=") else 0])[0]
    return end.join(lines) + rng.choice([end, end, "", end * 2])


def json_value(rng: random.Random, cell: str) -> str:
    """A cell as a value of JSON: a number where it can be one, else a text."""
    try:
        json.loads(cell)
    except ValueError:
        return json.dumps(cell, ensure_ascii=rng.random() < 0.5)
    return cell if rng.random() < 0.85 else json.dumps(cell)


def json_text(rng: random.Random) -> str:
    """A table as JSON records, lines, columns, or columns by name, sometimes with a flaw."""
    headers, rows, _ = table(rng)
    headers = [header for i, header in enumerate(headers) if header not in headers[:i] or rng.random() < 0.1]
    rows = [
        [
            json_value(rng, cell) if rng.random() < 0.99 else rng.choice(["null", "NaN", "true", "1.50", "-Infinity"])
            for cell in row[: len(headers)]
        ]
        for row in rows
    ]
    keys = [json.dumps(header) for header in headers]
    records = [
        "{" + ", ".join(f"{key}: {cell}" for key, cell in zip(keys, row, strict=True) if rng.random() < 0.995) + "}"
        for row in rows
    ]
    shape = rng.choice(["records", "records", "lines", "lines", "columns", "index", "names", "one"])
    if shape == "records":
        return "[" + ",\n ".join(records) + "]"
    if shape == "lines":
        return rng.choice(["\n", "\n\n", "\r\n"]).join(records)
    if shape == "names":
        return "{" + ", ".join(f'"n{i}": {record}' for i, record in enumerate(records)) + "}"
    if shape == "one":
        return "".join(records[:1])
    columns = list(zip(*rows, strict=True)) or [()] * len(keys)
    if shape == "columns":
        return "{" + ", ".join(f"{key}: [{', '.join(column)}]" for key, column in zip(keys, columns, strict=True)) + "}"
    by_row = ["{" + ", ".join(f'"{i}": {cell}' for i, cell in enumerate(column)) + "}" for column in columns]
    return "{" + ", ".join(f"{key}: {column}" for key, column in zip(keys, by_row, strict=True)) + "}"


def damaged(rng: random.Random, text: str) -> str:
    """The text with a letter more, or a few less."""
    at = rng.randint(0, len(text))
    letter = rng.choice([*"\"',;\t|\n\r#.0- \\[{", "\ufeff", "\u00a0", "\x1f"])
    return text[:at] + letter + text[at:] if rng.random() < 0.6 else text[:at] + text[at + rng.randint(1, 3) :]


def table_text(rng: random.Random) -> bytes:
    """A file of a table."""
    text = csv_text(rng) if rng.random() < 0.75 else json_text(rng)
    if rng.random() < 0.1:
        text = damaged(rng, text)
    encoding = rng.choices(["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"], [85, 8, 3, 2, 2])[0]
    return text.encode(encoding, errors="replace")
