"""Printed tables: Markdown and HTML, thousands, and what is recomputed of them."""

import io
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import rankscape as rs
from rankscape.cli import main

MARKDOWN = """# Results

| Model | Description |
|-------|-------------|
| unet  | a net       |

We compare with *the* others:

| Method | TN | FP | FN | TP | F1 ↑ (%) |
|:-------|---:|---:|---:|---:|---------:|
| **U-Net**[^1] | **1,234** | 20 | 9 | 90 | 86.1 ± 0.3 |
| [my_net_2](https://x.org)\\* | 1,230 | 24 | 6 | 93 | `86.1` |
"""

HTML = """<!DOCTYPE html><html><head><style>td { color: red }</style></head><body>
<table><tr><td>menu</td></tr></table>
<table><caption>Counts</caption>
<thead><tr><th rowspan=2>Method</th><th colspan="4">Counts</th></tr><tr><th>TN<th>FP<th>FN<th>TP</tr></thead>
<tbody><tr><th>U-Net<sup>a</sup></th><td><b>1&thinsp;234</b></td><td>20</td><td>9</td><td>90</td></tr>
<tr><th>B &amp; C</th><td>1&nbsp;230</td><td>24</td><td>6</td><td>93</td></tr></tbody></table></body></html>
"""

COUNTS = [[1234, 20, 9, 90], [1230, 24, 6, 93]]


LINKS = "[![build](https://x.org/a.svg)](https://x.org), [paper](https://x.org)\n\n"


def test_a_text_that_begins_with_a_link_is_no_json(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text(LINKS + MARKDOWN)
    with pytest.warns(UserWarning, match="only the leading number is read"):
        assert rs.read(path).counts.tolist() == COUNTS
    for text in (LINKS, "[paper](https://x.org)\n", "[1]: https://x.org\n", "[2024](https://x.org)\n", "[project]\n"):
        path.write_text(text + "Nothing is here.\n")
        with pytest.raises(rs.DataError, match="README.md: no columns tn, fp, fn, tp") as found:
            rs.read(path)
        assert "JSON" not in str(found.value)
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(rs.DataError, match="is not JSON"):
            rs.read(tmp_path / "x.json")
    for text in ('[{"tn": 1,}]', "[[1, 2], [3, 4]", "[\n 1, x]", '{"tn": ', "[true, 1"):
        with pytest.raises(rs.DataError, match="is not JSON"):
            rs.read(io.StringIO(text))


def read(text: str, **options: object) -> tuple[rs.Performances, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        P = rs.read(io.StringIO(text), **options)  # type: ignore[arg-type]
    return P, [str(one.message) for one in caught]


@pytest.mark.parametrize(
    ("text", "names"),
    [(MARKDOWN, ("U-Net", "my_net_2")), (HTML, ("U-Net", "B & C"))],
    ids=["markdown", "html"],
)
def test_tables_of_counts(text: str, names: tuple[str, ...], tmp_path: Path) -> None:
    P, _ = read(text)
    assert P.names == names
    assert P.counts is not None
    assert P.counts.tolist() == COUNTS
    path = tmp_path / "paper.txt"
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(main, ["rank", str(path), "--format", "csv"])
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[1].startswith(f"1,{names[0]},0.861")


def test_what_is_left_out_of_cells_is_named() -> None:
    assert read(MARKDOWN)[1] == ["1 cell has a ± part or brackets: only the leading number is read"]


RATES = {
    "markdown": "| Test | Sensitivity | Specificity | n |\n|-|-|-|-|\n| A* | 83.1 \\% | **91.0 %** | 1,200 |\n",
    "html": "<table><tr><th>Test<th>Sensitivity<th>Specificity<th>n<tr><td>A<sup>*</sup><td>83.1&nbsp;%<td><i>91.0 %</i>"
    "<td>1 200</table>",
}  # fmt: skip


@pytest.mark.parametrize("kind", RATES)
def test_tables_of_published_rates(kind: str, tmp_path: Path) -> None:
    table = rs.read_published(io.StringIO(RATES[kind]), entity="test")
    assert table.names == ("A",)
    assert table.rates[0][0].startswith("Sensitivity")
    assert table["A"].n_solutions > 1  # type: ignore[union-attr]
    path = tmp_path / "paper"
    path.write_text(RATES[kind], encoding="utf-8")
    result = CliRunner().invoke(main, ["rank", str(path), "--entity-column", "Test", "--by", "accuracy"])
    assert result.exit_code == 0, result.output
    assert "from printed rates" in result.stdout


@pytest.mark.parametrize("kind", ["markdown", "html"])
def test_success_rates_are_read_of_every_kind(kind: str) -> None:
    text = {
        "markdown": "Model | Correct | Total\n--- | --- | ---\na | 41 | 50\nb | 43 | 50\n",
        "html": "<table><tr><td>Model<td>Correct<td>Total<tr><td>a<td>41<td>50<tr><td>b<td>43<td>50</table>",
    }[kind]
    P, _ = read(text)
    assert P.counts is not None
    assert P.counts.tolist() == [[9, 41], [7, 43]]


# Cells


def one_cell(cell: str, kind: str = "markdown") -> rs.Performances:
    """Read a table whose first cell of tn is given."""
    if kind == "html":
        text = f"<table><tr><th>m<th>tn<th>fp<th>fn<th>tp<tr><td>a<td>{cell}<td>1<td>1<td>1</table>"
    else:
        text = f"| m | tn | fp | fn | tp |\n|---|---|---|---|---|\n| a | {cell} | 1 | 1 | 1 |\n"
    return read(text)[0]


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        *((cell, "markdown") for cell in ("120", "**120**", "_120_", "`120`", "***120***", "~~120~~", "120†", "120 [1]", "$120$")),
        *((cell, "markdown") for cell in ("120<sup>a</sup>", "120 (60 %)", "120 ± 3", "120[^note]", "<b>120</b>", "120\\*")),
        *((cell, "markdown") for cell in (r"$\mathbf{120}$", r"120$^{\dagger}$", r"120 $\pm$ 3", r"$120_{\pm 3}$", r"$120^{\pm 3}$")),
        *((cell, "html") for cell in ("<strong>120</strong>", "120<sup>†</sup>", "<span class=x>120</span>", "120<script>1</script>")),
    ],
)  # fmt: skip
def test_emphasis_marks_and_margins_leave_the_number(cell: str, kind: str) -> None:
    counts = one_cell(cell, kind).counts
    assert counts is not None
    assert counts.tolist() == [[120, 1, 1, 1]]


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("12<sup>10</sup>", "markdown"), ("12¹⁰", "markdown"), ("$12^{2}$", "markdown"), ("12<sup>2</sup>", "html"),
        ("12 34", "markdown"), ("1.234,5", "markdown"), ("12k", "markdown"), ("", "html"), ("--", "markdown"), ("(12)", "html"),
        ("1,23,456", "markdown"), ("60 %", "markdown"), ("-5", "markdown"), ("12–15", "markdown"), ("3/4", "html"), ("nan", "html"),
    ],
)  # fmt: skip
def test_what_is_no_plain_count_is_refused(cell: str, kind: str) -> None:
    with pytest.raises(rs.DataError, match=r'row 1 \((line [0-9], )?"a"\)') as caught:
        one_cell(cell, kind)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "cell", ["1,234", "1 234", "1\N{THIN SPACE}234", "1'234", "1\N{RIGHT SINGLE QUOTATION MARK}234"]
)
def test_thousands_are_read_where_nothing_else_can_be_meant(cell: str) -> None:
    for P in (one_cell(cell), read(f'm,tn,fp,fn,tp\na,"{cell}",1,1,1\n')[0]):
        assert P.counts is not None
        assert P.counts.tolist() == [[1234, 1, 1, 1]]


@pytest.mark.parametrize(
    "rows",
    [
        "| a | 1,234 | 5,678 | 9,012 | 3,456 |",  # fractions with three digits?
        "| a | 1,234 | 5678 | 9 | 3 |",  # why has 5678 none?
        "| a | 1,234 | 5 | 9 | 3 |\n| b | 1,234 | 5,250 | 9,125 | 3,500 |",  # the second row tells nothing
    ],
)
def test_a_doubtful_comma_is_refused_with_the_way_out(rows: str) -> None:
    head = "| m | tn | fp | fn | tp |\n|---|---|---|---|---|\n"
    with pytest.raises(rs.DataError, match="may mean 1234 or 1.234, .*: write 1234 for thousands"):
        read(head + rows + "\n")
    with_point = read(
        head.replace("tp |", "tp | AUC |").replace("\n|", "\n|---|", 1)
        + rows.replace(" |\n", " | 0.9 |\n")
        + " 0.9 |\n"
    )
    assert with_point[0].counts is not None  # a point is decimal, so a comma is not
    assert with_point[0].counts[0, 0] == 1234


@given(st.lists(st.integers(0, 10**7), min_size=4, max_size=4).filter(lambda row: sum(row) > 0))
def test_grouped_numbers_are_read_rightly_or_refused(row: list[int]) -> None:
    cells = " | ".join(f"{number:,}" for number in row)
    text = f"| m | tn | fp | fn | tp |\n|---|---|---|---|---|\n| a | {cells} |\n"
    try:
        P, _ = read(text)
    except rs.DataError as error:
        assert "may mean" in str(error)  # noqa: PT017
        return
    assert P.counts is not None
    assert P.counts.tolist() == [row]


@given(st.lists(st.decimals(0, 100, places=3), min_size=4, max_size=4))
def test_decimal_commas_are_never_read_as_thousands(row: list[object]) -> None:
    cells = ";".join(str(number).replace(".", ",") for number in row)
    try:
        P, _ = read(f"m;tn;fp;fn;tp\na;{cells}\n")
    except rs.DataError:
        return
    assert P.counts is None or P.counts.max() <= 100


# Names


def test_names_lose_their_marks_unless_these_tell_them_apart() -> None:
    head = "| Model | tn | fp | fn | tp |\n|---|---|---|---|---|\n"
    P, _ = read(head + "| Ours* | 5 | 1 | 1 | 5 |\n| **B**† | 5 | 1 | 1 | 5 |\n| F_1 net | 4 | 1 | 1 | 5 |\n")
    assert P.names == ("Ours", "B", "F_1 net")
    P, _ = read(head + "| A | 5 | 1 | 1 | 5 |\n| **A** * | 5 | 1 | 1 | 4 |\n")
    assert P.names == ("A", "A *")


def test_rows_of_several_span_domains() -> None:
    page = (
        "<table><tr><th>Dataset<th>Method<th>TN<th>FP<th>FN<th>TP</tr>"
        "<tr><td rowspan=2>Night<td>a<td>5<td>1<td>1<td>5<tr><td>b<td>6<td>0<td>1<td>5</table>"
    )
    assert read(page)[0].domains == ("Night", "Night")


# What is malformed gets one sentence

HEAD = "| m | tn | fp | fn | tp |\n|---|---|---|---|---|\n"

MALFORMED = {
    "a row too short": (HEAD + "| a | 1 | 2 | 3 |\n", r"row 1 \(line 3\): this row has 4 cells; expected 5"),
    "a row too long": (HEAD + "| a | 1 | 2 | 3 | 4 | 5 |\n", "this row has 6 cells; expected 5, as the headers"),
    "no rows": (HEAD, "there is no row"),
    "two tables": (HEAD + "| a | 1 | 1 | 1 | 1 |\n\n" + HEAD + "| b | 1 | 1 | 1 | 1 |\n", r"2 tables, and 2 of them \(lines 1, 5\) have"),
    "no headers known": ("| x | y |\n|---|---|\n| 1 | 2 |\n\n| z | w |\n|---|---|\n| 1 | 2 |\n", "2 tables, and none of them has"),
    "twice the header": (HEAD.replace("tn", "tp") + "| a | 1 | 1 | 1 | 1 |\n", 'the columns "tp" and "tp" all mean tp'),
    "no table of a page": ("<html><p>tn</p></html>", "this is HTML or XML, not a table"),
    "xml": ("<?xml version='1.0'?><rows><tn>1</tn></rows>", "this is HTML or XML, not a table"),
    "a table of LaTeX": (r"\begin{tabular}{ll} m & tn \\ a & 1 \\ \end{tabular}", "this is LaTeX, which is not read: save the table as CSV"),
    "a paper in LaTeX": ("% mine\n\\documentclass{article}\n", "this is LaTeX, which is not read"),
    "mathematics without end": (HEAD + "| a | $" + "{" * 1200 + "}" * 1200 + "$ | 1 | 1 | 1 |\n", "a cell of 2,40. signs"),
    "grouped headers": (
        "<table><tr><th rowspan=2>m<th colspan=2>x<th colspan=2>y<tr><th>tp<th>fp<th>tp<th>fp<tr><td>a<td>1<td>2<td>3<td>4</table>",
        "no columns tn, fp, fn, tp",
    ),
    "a name twice": (HEAD.replace("m", "model") + "| a | 1 | 1 | 1 | 1 |\n| a | 1 | 1 | 1 | 1 |\n", 'entity "a" occurs 2 times'),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_malformed_gets_one_sentence(name: str, tmp_path: Path) -> None:
    text, sentence = MALFORMED[name]
    with pytest.raises(rs.DataError, match=sentence) as caught:
        read(text)
    assert "\n" not in str(caught.value)
    path = tmp_path / "paper.md"
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(main, ["rank", str(path)])
    assert result.exit_code == 3, result.output
    assert len(result.stderr.splitlines()) == 1


@given(st.text(alphabet="\\{}&%$^_|<>/-abt1 \n*[]()±,.", max_size=120), st.sampled_from(["html", "markdown"]))
def test_no_text_breaks_a_reader(text: str, kind: str) -> None:
    around = {"html": ("<table><tr><th>m<th>tn<tr><td>", "</table>"),
              "markdown": ("| m | tn |\n|---|---|\n|", "")}[kind]  # fmt: skip
    try:
        rs.read(io.StringIO(around[0] + text + around[1]))
    except (rs.DataError, rs.UsageError):
        return


# What is recomputed


def contradictions(text: str) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rs.read(io.StringIO(text))
    return [str(one.message) for one in caught if issubclass(one.category, rs.ContradictionWarning)]


@pytest.mark.parametrize(
    ("header", "cell", "counts"),
    [
        ("Accuracy", "0.625", "10 & 0 & 6 & 0"), ("Accuracy", "0.62", "10 & 0 & 6 & 0"), ("Accuracy", "0.63", "10 & 0 & 6 & 0"),
        ("Accuracy (%)", "62.5", "10 & 0 & 6 & 0"), ("Accuracy", "62.5\N{THIN SPACE}%", "10 & 0 & 6 & 0"), ("Accuracy", "62", "10 & 0 & 6 & 0"),
        ("F<sub>1</sub> ↑", "**.86***", "1,234 & 20 & 9 & 90"), ("Total", "1,353", "1,234 & 20 & 9 & 90"),
        ("Total", "1\N{THIN SPACE}353", "1\N{THIN SPACE}234 & 20 & 9 & 90"), ("Precision", "81.8 ± 0.2", "1,234 & 20 & 9 & 90"),
    ],
)  # fmt: skip
def test_rounding_half_up_and_to_even_contradict_nothing(header: str, cell: str, counts: str) -> None:
    head = f"| Method | TN | FP | FN | TP | {header} |\n|---|---|---|---|---|---|\n"
    assert contradictions(head + f"| a | {counts.replace('&', '|')} | {cell} |\n") == []


@pytest.mark.parametrize(
    ("header", "cell", "given"),
    [("Accuracy", "**0.64**", "Accuracy = 0.64"), ("Acc (%)", "62.4†", r"Acc \(%\) = 62.4"), ("Acc", "63.1 %", "Acc = 63.1 %"),
     ("Recall", "0.01", "Recall = 0.01"), ("Total", "15", "Total = 15")],
)  # fmt: skip
def test_a_contradiction_names_its_cell(header: str, cell: str, given: str) -> None:
    head = f"| m | tn | fp | fn | tp | {header} |\n|---|---|---|---|---|---|\n"
    (message,) = contradictions(head + f"| a | 10 | 0 | 6 | 0 | {cell} |\n")
    assert message.startswith("the file: 1 cell contradicts the counts: row 1 (line 3): ")
    assert given.replace("\\", "") in message


def test_percentages_below_one_and_cells_with_signs_are_not_mistaken() -> None:
    head = "| m | tn | fp | fn | tp | error rate | accuracy |\n|---|---|---|---|---|---|---|\n"
    assert (
        contradictions(head + "| a | 500 | 2 | 2 | 500 | 0.4 | 99.6 % |\n| b | 500 | 3 | 2 | 500 | 0.5 | 99.5 |\n")
        == []
    )
    (message,) = contradictions(
        head + "| a | 500 | 2 | 2 | 500 | 0.4 | 99.6 % |\n| b | 500 | 3 | 2 | 500 | 0.5 | 98 % |\n"
    )
    assert "row 2 (line 4): accuracy = 98 %, the counts give 99.5025 %" in message


def test_the_page_of_a_data_frame() -> None:
    frame = pytest.importorskip("pandas").DataFrame({"model": ["a", "b"], "tn": [5, 6], "fp": 1, "fn": 2, "tp": [3, 4]})
    P, _ = read(frame.to_html())
    assert P.names == ("a", "b")
    assert P.counts is not None
    assert P.counts.tolist() == [[5, 1, 2, 3], [6, 1, 2, 4]]
    named, _ = read(frame.set_index("model").to_html())
    assert named.names == ("a", "b")


def test_intervals_of_rates_leave_the_rate() -> None:
    head = "| Test | Sensitivity (95% CI) | Specificity (%, 95 % CI) |\n|---|---|---|\n"
    text = head + "| A | 0.83 (0.79–0.87) | 91.0 [88.1, 93.5] |\n| B | 84% (80-88%) | 90.5 |\n"
    table = rs.read_published(io.StringIO(text), entity="Test")
    assert [one[0].split()[-1] for one in table.rates] == ["0.83", "84%"]
    assert table.notes == ("3 cells have ± parts or brackets: only the leading number is read",)
    with pytest.raises(rs.DataError, match="'54/65' is not a number"):
        rs.read_published(io.StringIO(text + "| C | 54/65 | 90 |\n"), entity="Test")


def test_headers_and_names_are_read_without_their_marks() -> None:
    text = (
        "| Model | TN (n) | FP ↑* | FN [mean ± SD] | TP (#) |\n|-|-|-|-|-|\n"
        "| U-Net<sup>†</sup>* | 1 | 2 | 3 | 4 |\n| Smith [12] | 1 | 2 | 3 | 4 |\n| [my_net](x.md) [^1] | 1 | 2 | 3 | 4 |\n"
        "| 2<sup>10</sup> | 1 | 2 | 3 | 4 |\n| __a__ \\* | 1 | 2 | 3 | 4 |\n"
    )
    assert read(text)[0].names == ("U-Net", "Smith", "my_net", "2^{10}", "a")
