"""Tables as text: what is undefined, hostile or long stays readable in every format."""

import csv
import io
import json
from fractions import Fraction

import numpy as np
import pytest

from rankscape import Performances, UsageError, rank, report, tile
from rankscape._report import sections
from rankscape._report.leaderboard import displayed
from rankscape._report.render import (
    FORMATS,
    cell_text,
    decimals,
    in_words,
    interval,
    latex_escaped,
    markdown_escaped,
    render,
    to_json,
    wrapped,
)
from rankscape.results import Table
from rankscape.texts import label, shortened, visible
from rankscape.uncertainty import rank_intervals

HOSTILE = [
    "a|b",
    "50%_of {#1} & $x^2~\\",
    "<script>alert(1)</script>",
    'say "hi"',
    "two\nlines",
    "\x1b[31mred",
    "x" * 500,
]
TABLE = Table({"entity": HOSTILE, "value": [0.5, float("nan"), 1.0, 2.0, 3.0, 4.0, 5.0]})


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"format=.html.; expected one of 'table', 'csv', 'json', 'latex', 'markdown'"):
        render(TABLE, "html")


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_ends_with_one_newline_even_without_rows(format: str) -> None:
    for table in (TABLE, Table({"entity": [], "value": []})):
        text = render(table, format)
        assert text.endswith("\n")
        assert not text.endswith("\n\n")


def test_csv_keeps_hostile_names_as_they_are() -> None:
    rows = list(csv.DictReader(io.StringIO(render(TABLE, "csv"))))
    assert [row["entity"] for row in rows] == HOSTILE
    assert [row["value"] for row in rows][:3] == ["0.5", "", "1.0"]


def test_json_keeps_hostile_names_and_has_null_for_undefined() -> None:
    rows = json.loads(render(TABLE, "json"), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert [row["entity"] for row in rows] == HOSTILE
    assert rows[1]["value"] is None


def test_json_holds_fractions_arrays_and_infinities() -> None:
    document = {"third": Fraction(1, 3), "two": Fraction(2), "grid": np.array([[1.5, np.nan]]), "far": float("inf")}
    assert json.loads(to_json(document)) == {"third": 1 / 3, "two": 2, "grid": [[1.5, None]], "far": None}


@pytest.mark.parametrize("format", ["table", "latex", "markdown"])
def test_a_row_is_one_line_and_nothing_reaches_the_terminal_but_text(format: str) -> None:
    text = render(TABLE, format)
    assert len([line for line in text.splitlines() if "two" in line]) == 1
    assert "\x1b" not in text
    assert "x1b[31mred" in text.replace("{[}", "[").replace("\\[", "[")


def test_markdown_rows_have_as_many_cells_as_the_header() -> None:
    lines = render(TABLE, "markdown").splitlines()
    assert {line.replace("\\|", "").count("|") for line in lines} == {3}
    assert r"| a\|b | 0.5 |" in lines
    assert lines[1] == "| --- | --: |"


def test_markdown_escapes_html_emphasis_and_links() -> None:
    assert markdown_escaped("<b>_x_ *y* [z](u) `c` \\") == r"\<b\>\_x\_ \*y\* \[z\](u) \`c\` \\"


def test_latex_escapes_every_special_character() -> None:
    assert latex_escaped(r"\{}$&#^_~%") == (r"\textbackslash{}\{\}\$\&\#\textasciicircum{}\_\textasciitilde{}\%")
    assert latex_escaped("F₊ of β ≥ 0 — a--b [0] <") == (
        r"F$_+$ of $\beta$ $\geq$ 0 \textemdash{} a-{}-b {[}0{]} \textless{}"
    )


def test_latex_has_booktabs_rules_and_as_many_columns_as_cells() -> None:
    lines = render(TABLE, "latex", title="50% of", summary="done").splitlines()
    assert lines[0] == "% 50% of"
    assert lines[-1] == "% done"
    assert lines[2:6] == [r"\begin{tabular}{lr}", r"\toprule", r"entity & value \\", r"\midrule"]
    assert lines[-4:-2] == [r"\bottomrule", r"\end{tabular}"]
    rows = lines[6:-4]
    assert len(rows) == len(HOSTILE)
    assert {row.replace(r"\&", "").count("&") for row in rows} == {1}
    assert all(row.endswith(r"\\") for row in rows)


def test_columns_of_a_text_table_are_aligned() -> None:
    text = render(Table({"n": [1, 100], "name": ["a", "bbb"], "x": ["", "y"]}), "table", title="T", summary="S")
    assert text == "T\n\n  n  name  x\n  1  a\n100  bbb   y\n\nS\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\tb\r\n", r"a\tb\r\n"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\x9b31m", r"\x9b31m"),
        ("a\ud800", r"a\ud800"),
        ("a\u2028b", r"a\u2028b"),
        ("Überblick 網路 β₂", "Überblick 網路 β₂"),
    ],
)
def test_what_moves_cursors_or_turns_text_is_made_visible(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_long_names_keep_both_ends() -> None:
    assert shortened("a" * 30 + "b" * 30, 11) == "aaaaa…bbbbb"
    assert shortened("short", 5) == "short"
    assert len(label("n\n" * 300)) == 40


def test_cells_are_short_texts() -> None:
    assert [cell_text(cell) for cell in (None, float("nan"), 1 / 3, 7, "a")] == ["", "", "0.333333", "7", "a"]


def test_prose_is_wrapped_but_names_are_not_broken() -> None:
    name = "a-very-long-name_" * 4
    lines = wrapped(f"First: {name}, {name} and 4 more", 40).splitlines()
    assert lines == ["First:", f"  {name},", f"  {name}", "  and 4 more"]


@pytest.mark.parametrize(
    ("importance", "expected"),
    [
        ([1, 1, 1, 1], "a miss counts as a false alarm; a detection as a correct rejection"),
        ([10, 10, 21, 40], "a miss counts as 2.1 false alarms; a detection as 4 correct rejections"),
        ([3, 2, 1, 1], "a false alarm counts as 2 misses; a correct rejection as 3 detections"),
        ([0, 1, 0, 1], "misses do not count; correct rejections do not count"),
        ([1, 0, 1, 0], "false alarms do not count; detections do not count"),
        ([Fraction(1, 3), 0, 1, 1], "false alarms do not count; a detection counts as 3 correct rejections"),
        ([1, 0, 0, 1], "neither misses nor false alarms count; a detection counts as a correct rejection"),
    ],
)
def test_importances_in_words(importance: list[int], expected: str) -> None:
    assert in_words(importance) == expected


def test_decimals_tell_different_values_apart() -> None:
    assert decimals([0.91234567, 0.91234568, 0.5]) == ["0.91234567", "0.91234568", "0.50000000"]
    assert decimals([1 / 3, 1 / 3]) == ["0.3333", "0.3333"]
    assert decimals([123456.7, 2.0]) == ["123456.7", "2"]
    assert decimals([float("nan")]) == ["—"]
    assert decimals([]) == []
    assert decimals([0.5, 0.00002]) == ["0.50000", "0.00002"]
    assert decimals([0.0, 1e-12, 0.5]) == ["0.00000000", "0.00000000", "0.50000000"]


@pytest.mark.parametrize(("ends", "text"), [
    ((0.7502, 0.8713), "0.750 to 0.871"), ((0.81, 1.0), "0.810 to 1.000"), ((0.0, 0.02), "0.000 to 0.020"),
    ((0.0031, 0.0043), "0.0031 to 0.0043"), ((0.003612, 0.003641), "0.003612 to 0.003641"),
    ((0.5, 0.5), "0.500 to 0.500"), ((0.8125, 0.8125), "0.8125 to 0.8125"), ((float("nan"), 0.5), "—"),
    ((1.5e-9, 1.6e-9), "0.00000000 to 0.00000000"), ((20000.0, 30000.0), "20000 to 30000"),
])  # fmt: skip
def test_intervals_do_not_look_empty(ends: tuple[float, float], text: str) -> None:
    assert interval(*ends) == text


def test_a_range_that_is_printed_outward_holds_the_exact_one() -> None:
    rng = np.random.default_rng(3)
    for scale in (1e-9, 1e-3, 1.0, 30.0, 1e4, 1e7, 1e30):
        for low, high in np.sort(rng.uniform(-scale, scale, (40, 2))).tolist():
            least, most = map(Fraction, interval(low, high, outward=True).split(" to "))
            assert least <= Fraction(low)
            assert Fraction(high) <= most
    assert interval(0.7506, 0.8714, outward=True) == "0.750 to 0.872"
    assert interval(0.25, float("inf"), outward=True) == interval(0.25, float("inf"))


def test_leaderboard_and_card_show_small_values_with_their_intervals() -> None:
    rows = [[50, 10, 5, 35], [45, 15, 2, 38], [40, 20, 9, 31]]
    P = Performances.from_counts(rows, names=list("abc"))
    drawn = rank_intervals(P, "f1", draws=400, shift_prior=0.001)
    shown = displayed(rank(P.shift_priors(0.001), by="f1"), None, drawn)
    card = report(P, by="f1", draws=400, shift_prior=0.001)["Leaderboard"].table
    assert card is not None
    for table in (shown, card):
        for value, text in zip(table["value"], table["value interval"], strict=True):
            low, high = text.split(" to ")
            assert float(low) < float(value) < float(high)
            assert float(high) - float(low) > 0.001


@pytest.mark.nightly
def test_a_card_of_very_many_shows_the_first_hundred_and_says_so(tmp_path):
    counts = np.random.default_rng(0).multinomial(900, [0.5, 0.1, 0.1, 0.3], 150)
    names = [f"method {i}" for i in range(150)]
    card = report(Performances.from_counts(counts, names=names), tmp_path / "card.md", by="f1", draws=100)
    assert "The table shows the first 100 of 150 models; `rankscape rank` lists all" in card["Leaderboard"].lines
    assert card["Leaderboard"].table["rank"][-1] == "100"
    text = (tmp_path / "card.md").read_text()
    assert "The first 100 of 150 models, with lines of equal score" in text


@pytest.mark.nightly
def test_figures_and_table_of_a_card_of_many_are_of_all_of_them(tmp_path):
    counts = np.random.default_rng(0).multinomial(900, [0.5, 0.1, 0.1, 0.3], 120)
    asked = []
    draw = sections.draw_rank_paths
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sections, "draw_rank_paths", lambda t, **look: asked.append(t) or draw(t, **look))
        card = report(Performances.from_counts(counts), tmp_path / "card.md", by="f1", draws=0)
    table = card["Between precision and recall"].table
    beta = dict(zip(table["rank by"], table["β"], strict=True))["optimum"]
    assert [t.n for t in asked] == [120]
    assert beta == f"{asked[0].beta:.3g}"


def test_all_that_tie_are_said_to_tie():
    P = Performances.from_counts([[8, 2, 3, 7]] * 5)
    assert tile.entity(P).subtitle == "All 5 models tie, whatever the preference."
    better = Performances.from_counts([[8, 2, 3, 7], [7, 3, 4, 6]])  # of which one alone can be first
    assert tile.entity(better).subtitle == "The same model comes first for every preference."


@pytest.mark.parametrize("by", ["ppv", "fdr"])
def test_a_card_of_a_score_that_is_undefined_for_all(tmp_path, by: str) -> None:
    P = Performances.from_counts([[5, 0, 3, 0], [2, 0, 6, 0]], names=["a", "b"])
    report(P, tmp_path / "card.html", by, draws=0)
    assert "undefined" in (tmp_path / "card.html").read_text("utf-8")
