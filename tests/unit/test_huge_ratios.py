"""Counts of any ratio, up to 2**60 : 1, are answered by every command, and never crash one."""

from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from rankscape._tradeoff.record import inner_odds
from rankscape.cli import main

FULL, BIG = 2**60, 10**18
ROWS = {
    "extreme": [("a", FULL, 1, 1, FULL), ("b", 1, FULL, 3, 5), ("c", BIG, 1, 1, 1), ("d", 5, 4, 3, 2)],
    "rare": [("a", BIG, 1, 1, 1), ("b", BIG, 3, 0, 1), ("c", BIG, 10**9, 1, 10**9)],
    "borders at the end": [
        ("m0", 1, 0, 10**17, 2**53),
        ("m1", 10, 2, 10**16, FULL),
        ("m2", 3, 10, 0, 2**53 + 1),
        ("m3", 10**6, 2**53, 0, 2),
        ("m4", 10**6, 10**15, 1, FULL - 1),
        ("m5", FULL - 1, 10**15, 2**53, 2**53 + 1),
    ],
}
COMMANDS = (
    "rank r.csv --by fbeta(1000)",
    "rank r.csv --uncertainty --draws 20 -o o.svg",
    "why r.csv --by accuracy",
    "why r.csv --format json",
    "tile r.csv -o o.png --rank 2",
    "tile r.csv -o o.svg --flavor ranking --entity {} --resolution 11",
    "tradeoff r.csv",
    "tradeoff r.csv -o o.png",
    "tradeoff r.csv --ends npv tpr --format json",
    "domains d.csv",
    "explore r.csv -o o.html",
    "gate r.csv --against r.csv --entity {} --against-entity {} --draws 20 --margin 0.01",
    "report r.csv -o o.html --draws 20 --by accuracy",
)


@pytest.mark.some(3)
@pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")
@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_answers(line, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(",".join(map(str, row)) + "\n" for row in ROWS[name])
    Path("r.csv").write_text("entity,tn,fp,fn,tp\n" + rows)
    Path("d.csv").write_text("domain,entity,tn,fp,fn,tp\n" + "".join(f"x,{row}\n" for row in rows.splitlines()))
    first = ROWS[name][0][0]
    found = CliRunner().invoke(main, line.format(first, first).split())
    assert found.exit_code in ((0, 1, 4) if line.startswith("gate") else (0,)), found.stderr


def test_the_middle_of_two_places_next_to_one_is_between_them():
    ends = (Fraction(10**16), Fraction(10**16 + 2))
    assert ends[0] < inner_odds(ends) < ends[1]


def test_a_rate_of_10_to_the_18_is_not_infinite(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(f"model,tn,fp,fn,tp\na,{BIG},5,5,6\nb,5,5,5,7\n")
    text = " ".join(CliRunner().invoke(main, ["why", str(tmp_path / "r.csv")]).stdout.split())
    assert "It stays first while a detection is worth at least 1e+18 correct rejections (here ∞)." in text
    assert "a detection worth less than 1e+18 correct rejections a " in text
