"""What the page reads in a table that is dropped on it, and writes, against Python: rows exactly, refusals, order, ties."""

import io
import random
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from explorer_reader import all_that_page_reads, canonical, needs_node, page_reads, python_reads
from hypothesis import given, settings
from hypothesis import strategies as st
from table_texts import parts, table_text

import rankscape as rs

pytestmark = needs_node

HEADER = "entity,tn,fp,fn,tp\n"


def written(folder: Path, texts: list[bytes] | list[str]) -> list[Path]:
    """Files with these texts, in a folder of their own."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{i}.txt" for i in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return paths


def same(page: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Whether both read the same rows, or both refuse."""
    keys = ("refused", "rows", "counts")
    return [page.get(key) for key in keys] == [expected.get(key) for key in keys]


@pytest.mark.some(2)
@pytest.mark.parametrize("batch", range(8))
def test_generated_tables_are_read_as_by_python_or_refused_by_both(batch: int, tmp_path: Path) -> None:
    paths = written(tmp_path, [table_text(random.Random(f"{batch} {i}")) for i in range(500)])
    kinds: Counter[str] = Counter()
    for path, page in zip(paths, all_that_page_reads(paths), strict=True):
        expected = python_reads(path)
        assert same(page, expected), (path.read_bytes(), page, expected)
        kinds["refused" if "refused" in page else "counts" if page["counts"] else "probabilities"] += 1
    assert min(kinds[kind] for kind in ("refused", "counts", "probabilities")) > 40


@pytest.mark.parametrize(
    "name", ["per_class_metrics.csv", "metrics-by-label.csv", "EachType.csv", "metrics.csv", "upper.csv"]
)
@pytest.mark.parametrize("header", ["side_effect", "model", "entity", "letters"])
def test_the_name_of_a_file_may_say_that_its_rows_are_classes(header: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(f"{header},tn,fp,fn,tp\nnausea,70,5,5,20\nrash,80,2,3,15\n", "utf-8")
    page, expected = page_reads(path), python_reads(path)
    assert same(page, expected)
    of_classes = header in ("side_effect", "letters") and name not in ("metrics.csv", "upper.csv")
    assert ("classes of one model" in page.get("sentence", "")) == of_classes == ("refused" in page)


READ = {
    "decimals": (f"{HEADER}A,.4,.1,.2,.3\nB,.6,.1,.1,.2\n", [["4", "1", "2", "3"], ["6", "1", "1", "2"]]),
    "whole, with an exponent": (f"{HEADER}A,9007199254740993e0,1.0,1e3,0\n", [["9007199254740993", "1", "1000", "0"]]),
    "the largest count": (f"{HEADER}A,{2**60},1,1,0\n", [[str(2**60), "1", "1", "0"]]),
    "sixty digits": (f"{HEADER}A,.1{'0' * 58}1,0,0,.8{'9' * 59}\n", [[f"1{'0' * 58}1", "0", "0", f"8{'9' * 59}"]]),
    "bare returns": (f"{HEADER}A,1,2,3,4\n".replace("\n", "\r"), [["1", "2", "3", "4"]]),
    "separator by what is understood": ("a;b,entity,tn,fp,fn,tp\n1;2;3;4;5;6,A,1,2,3,4\n", [["1", "2", "3", "4"]]),
    "quotation marks inside": (f'{HEADER}say "A",1,2,3,4\n', [["1", "2", "3", "4"]]),
    "minus sign": (f"{HEADER}A,\N{MINUS SIGN}0,2,3,4\n", [["0", "2", "3", "4"]]),
    "UTF-32": (f"{HEADER}A,1,2,3,4\n".encode("utf-32"), [["1", "2", "3", "4"]]),
    "records": ('[{"entity": "A", "tn": 0.1000, "fp": "0.2", "fn": 3e-1, "tp": 0.4}]', [["1", "2", "3", "4"]]),
    "large numbers of JSON": (
        '{"entity": "A", "tn": 9007199254740993, "fp": 1, "fn": 0, "tp": 0}',
        [["9007199254740993", "1", "0", "0"]],
    ),
    "white space about lines": (
        '{"tn": 1, "fp": 2, "fn": 3, "tp": 4}\xa0\n\xa0{"tn": 5, "fp": 6, "fn": 7, "tp": 8}\x0b',
        [["1", "2", "3", "4"], ["5", "6", "7", "8"]],
    ),
    "columns": (
        '{"tn": [1, 5], "fp": [2, 6], "fn": [3, 7], "tp": [4, 8.0]}',
        [["1", "2", "3", "4"], ["5", "6", "7", "8"]],
    ),
    "by name": ('{"A": {"tn": 1, "fp": 2, "fn": 3, "tp": 4}}', [["1", "2", "3", "4"]]),
    "by column and row": ('{"tn": {"A": 1}, "fp": {"A": 2}, "fn": {"A": 3}, "tp": {"A": 4}}', [["1", "2", "3", "4"]]),
}


@pytest.mark.parametrize(("text", "rows"), READ.values(), ids=list(READ))
def test_these_are_read_exactly(text: str | bytes, rows: list[list[str]], tmp_path: Path) -> None:
    (path,) = written(tmp_path, [text])  # type: ignore[list-item]
    page = page_reads(path)
    assert [row for *_, row in page["rows"]] == rows, page
    assert same(page, python_reads(path))


REFUSED = {
    "repeated header": (f"{HEADER}A,1,2,3,4\n entity ,tn,fp,fn,tp\n", "Line 3 repeats the header"),
    "text behind a quotation mark": (f'{HEADER}"A"x,1,2,3,4\n', "behind a closing quotation mark"),
    "space before a quotation mark": (f'{HEADER} "A,1",1,2,3,4\n', "Line 2 has 6 cells; expected 5"),
    "missing": (f"{HEADER}A,1,N/A,3,4\n", "fp is missing"),
    "beyond the largest count": (f"{HEADER}A,{2**60 + 1},2,3,4\n", "is too large; expected at most 2^60"),
    "thousands in JSON": ('[{"tn": "1,234", "fp": 1, "fn": 1, "tp": 1}]', "may mean 1234 or 1.234"),
    "infinite": ('[{"tn": Infinity, "fp": 1, "fn": 1, "tp": 1}]', "tn is not finite"),
    "a key twice": ('[{"tn": 1, "tn": 2, "fp": 1, "fn": 1, "tp": 1}]', "“tn” is there twice"),
    "a word of JSON": ('[{"tn": true, "fp": 1, "fn": 1, "tp": 1}]', "tn is no number"),
    "broken JSON": ('[{"tn": 1,}]', "Line 1, character 11 is not JSON"),
    "a broken line": ('{"tn": 1, "fp": 1, "fn": 1, "tp": 1}\n{"tn": 01}\n', "Line 2, character 9 is not JSON"),
    "white space behind one record": ('{"tn": 1, "fp": 1, "fn": 1, "tp": 1}\xa0', "Line 1, character 37 is not JSON"),
    "no tn": ("entity,fp,fn,tp\nA,2,3,4\n", "rankscape explore FILE writes the page of fp, fn and tp"),
    "a list": ("[1, 2]", "a list of values"),
    "a name that is none": ('[{"entity": [1], "tn": 1, "fp": 1, "fn": 1, "tp": 1}]', "a list or an object"),
    "lengths": ('{"tn": [1], "fp": [1, 2], "fn": [1], "tp": [1]}', "different lengths"),
    "Parquet": (b"PAR1\0\0", "rankscape explore FILE"),
    "gzip": (b"\x1f\x8b\x08\0", "rankscape explore FILE"),
    "zip": (b"PK\x03\x04\0", "rankscape explore FILE"),
    "HTML": ("<table></table>", "HTML or XML"),
    "damaged UTF-32": (b"\xff\xfe\0\0\0", "begins as UTF-32 but is damaged"),
    "a NUL": (f"{HEADER}A\0,1,2,3,4\n", "Line 2 of this file is no text"),
    "no separator": ('sep="\nentity\n', "names no separator"),
}


@pytest.mark.parametrize(("text", "sentence"), REFUSED.values(), ids=list(REFUSED))
def test_these_are_refused_in_one_sentence(text: str | bytes, sentence: str, tmp_path: Path) -> None:
    (path,) = written(tmp_path, [text])  # type: ignore[list-item]
    page = page_reads(path)
    assert sentence in page.get("sentence", ""), page
    assert page["sentence"].endswith(".")


BESIDE = ['"1,200"', "1 200", "120.0", "1.2e2", "100", "n/a", "1e999999999", "1.200"]


def test_columns_beside_the_counts_are_refused_as_by_python(tmp_path: Path) -> None:
    texts = [f"model,tn,fp,fn,tp,n\na,50,10,5,35,{cell}\n" for cell in BESIDE]
    texts += [f"model,tn,fp,fn,tp,n_positive,n_negative\na,50,10,5,35,40,{n}\n" for n in (60, 80, "")]
    texts += [f"model,tn,fp,fn,tp,n,unanswered\na,50,10,5,35,120,{n}\n" for n in (0, 20, "")]
    texts += ["model,run id,tn,fp,fn,tp\na,x,50,10,5,35\nb,y,50,10,5,35\n"]
    paths = written(tmp_path, texts)
    for path, page in zip(paths, all_that_page_reads(paths), strict=True):
        assert same(page, python_reads(path)), (path.read_text(), page)


def test_rows_of_classes_groups_and_runs_are_no_models_as_in_python(tmp_path: Path) -> None:
    rows, numbered = "{},tn,fp,fn,tp\nx,50,10,5,35\ny,40,20,5,35\n", "{},tn,fp,fn,tp\n0,50,10,5,35\n1,40,20,5,35\n"
    headers = ["Cancer Type", "attack_type", "taskDifficulty", "class", "seed", "Sex", "Model type", "retriever", " "]
    paths = written(tmp_path, [text.format(header) for header in headers for text in (rows, numbered)])
    pages = all_that_page_reads(paths)
    for path, page in zip(paths, pages, strict=True):
        assert same(page, python_reads(path)), (path.read_text(), page)
    assert ["refused" in page for page in pages[::2]] == [True] * 6 + [False] * 3
    assert ["refused" in page for page in pages[1::2]] == [False] * 3 + [True] * 3 + [False] * 3


def test_what_the_page_writes_is_read_back_as_the_same(tmp_path: Path) -> None:
    paths = written(tmp_path / "in", [table_text(random.Random(f"out {i}")) for i in range(600)])
    read = [page for page in all_that_page_reads(paths) if "rows" in page]
    exact = [
        page
        for page in read
        if all(isinstance(x, str) or x == int(x) for key in ("tn", "fp", "fn", "tp") for x in page["source"][key])
    ]
    again = written(tmp_path / "out", [page["exported"] for page in exact])
    assert len(exact) > 200
    for before, path, after in zip(exact, again, all_that_page_reads(again), strict=True):
        assert same(after, before)
        assert same(python_reads(path), before)
        assert after["exported"] == before["exported"]


def test_probabilities_are_written_as_they_were_typed(tmp_path: Path) -> None:
    text = f"{HEADER}A,0.4,0.1,0.2,0.3\nB,0.3333333,0.3333333,0.3333333,0\nC,0.0000000000000000000001,0,0,0.9999999999999999999999\n"
    (path,) = written(tmp_path, [text])
    assert page_reads(path)["exported"] == text


LETTERS = st.one_of(
    st.sampled_from("=+-@' \"\n\r\t,;|#a1\\"), st.characters(exclude_categories=["Cs"], exclude_characters="\0")
)
WORD = re.compile(r"[^\W\d_]{3}|[一-鿿]{2}")  # such as "sum": a row of that name may be left out, as it should be
NAMES = st.text(LETTERS, min_size=1, max_size=12).map(str.strip).filter(lambda name: name and not WORD.search(name))
HOSTILE = [
    "'=x",
    "''+a",
    "-1 model",
    "@SUM",
    "=HYPERLINK(1)",
    '"',
    '"=1"',
    "a\r\nb",
    "a\rb",
    "'",
    "''",
    "'a'",
    "=\n=",
    "'\n=1",
]


def named(names: list[str], domains: list[str] | None = None) -> rs.Performances:
    return rs.Performances.from_counts(np.ones((len(names), 4), dtype=int), names=names, domains=domains)


@given(names=st.lists(NAMES, min_size=1, max_size=8, unique=True), domain=NAMES)
def test_names_come_back_through_the_csv_of_python(names: list[str], domain: str) -> None:
    for performances in (named(names), named(names, [domain] * len(names)), named(HOSTILE)):
        text = performances.table().to_csv()
        back = rs.read(io.BytesIO(text.encode()))
        assert (back.names, back.domains) == (performances.names, performances.domains)


@settings(max_examples=4)
@given(
    tables=st.lists(st.tuples(st.lists(NAMES, min_size=1, max_size=8, unique=True), NAMES), min_size=20, max_size=20)
)
def test_names_come_back_through_the_page_and_across(
    tables: list[tuple[list[str], str]], tmp_path_factory: Any
) -> None:
    folder = tmp_path_factory.mktemp("names")
    given_ = [named(HOSTILE), *(named(names, [domain] * len(names)) for names, domain in tables)]
    expected = [canonical(performances) for performances in given_]
    of_python = all_that_page_reads(written(folder / "python", [one.table().to_csv() for one in given_]))
    assert all(map(same, of_python, expected))
    again = written(folder / "page", [page["exported"] for page in of_python])
    assert all(map(same, all_that_page_reads(again), expected))
    assert all(same(python_reads(path), one) for path, one in zip(again, expected, strict=True))


def decimal_table(rng: random.Random) -> str:
    """Decimals with ties on purpose: few digits, rows that repeat, and tables that mix numbers of digits."""
    places = rng.choice([1, 1, 2, 3, 17, 30])
    rows = [(parts(rng, 10**places), places) for _ in range(rng.randint(3, 12))]
    rows += [([n * 10 for n in row], places + 1) for row, places in rows[:2]]
    return HEADER + "".join(f"m{i},{','.join(f'{n}e-{places}' for n in row)}\n" for i, (row, places) in enumerate(rows))


IMPORTANCES = [[1, 1, 1, 1], [0, 1, 1, 2], [0, 1, 4, 5], [1, 0, 1, 1], [0, 0, 1, 1], [0.1, 0.7, 0.2, 0.4], [7, 3, 0, 2]]


def test_order_and_ties_of_dropped_decimals_are_those_of_python(tmp_path: Path) -> None:
    rng = random.Random(7)
    first = f"{HEADER}A,.4,.1,.2,.3\nB,.6,.1,.1,.2\n"
    paths = written(
        tmp_path, [first, f"{HEADER}A,.4,.1,.2,.3\nB,.5,.2,.1,.2\n", *(decimal_table(rng) for _ in range(150))]
    )
    ties = 0
    for path, page in zip(paths, all_that_page_reads(paths, IMPORTANCES), strict=True):
        performances = rs.read(path)
        for importance, ranked in zip(IMPORTANCES, page["ranks"], strict=True):
            expected = rs.rank(performances, by=importance)
            bounds = np.nan_to_num(expected.bounds).astype(int)
            assert (ranked["low"], ranked["high"]) == (bounds[:, 0].tolist(), bounds[:, 1].tolist()), path.read_text()
            assert ranked["order"] == expected.order.tolist()
            ties += int((bounds[:, 1] > bounds[:, 0]).sum())
    assert ties > 1000


def test_a_row_of_many_cells_is_read_in_no_time(tmp_path: Path) -> None:
    more = 100_000
    text = f"entity,tn,fp,fn,tp{',x' * more}\nA,1,2,3,4{',0' * more}\n"
    (path,) = written(tmp_path, [text])
    start = time.monotonic()
    assert page_reads(path)["rows"] == [[None, "A", ["1", "2", "3", "4"]]]
    assert time.monotonic() - start < 20
