"""The static site of a challenge: its files, what changes between runs, and names and metadata from anywhere."""

import csv
import io
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner, Result

import rankscape as rs
from rankscape._report.schemas import schemas
from rankscape._report.sections import Asked
from rankscape._scores import as_score
from rankscape._site import build as folder_module
from rankscape._site import pages as site_pages
from rankscape._site.build import publish
from rankscape._site.challenge import Challenge, places_of, slugs
from rankscape._site.metadata import Metadata, address, read_metadata
from rankscape._site.submissions import check_submissions
from rankscape.cli import main
from rankscape.uncertainty.page_inputs import prepared_and_drawn

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    '"><svg onload=alert(3)>',
    "../../etc/passwd",
    "line\nbreak, comma; and \"quotes\" & 'more'",
    "<!--",
    "\u202edrawkcab",
    "=HYPERLINK(1)",
    "{{ 7 * 7 }}{% raw %}",
    "CON",
    "a b",
    "A/b",
    "深度",
    r"\href{javascript:x}{y} } , title={",
    "x" * 500,
]
QUICK: dict[str, Any] = {"by": "f1", "draws": 60, "figures": False}
LEVELS = ["field/day", "field/night", "<b>town</b>"]


def performances(names: list[str], domains: list[str] = LEVELS, better: int = 0) -> rs.Performances:
    """Counts of some methods on some domains; the last ones are better, or the first with a negative number."""
    rows, entities, places = [], [], []
    for i, name in enumerate(names):
        for j, domain in enumerate(domains):
            errors = 5 + (len(names) - i + better * i) + 3 * j
            rows.append([200 - errors, errors, errors + j, 100 - errors - j])
            entities.append(name)
            places.append(domain)
    return rs.Performances.from_counts(rows, names=entities, domains=places)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Page(HTMLParser):
    """The tags of a page, with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def links(self) -> list[str]:
        return [value for _, attributes in self.tags for key in ("href", "src") if (value := attributes.get(key))]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of names, and metadata, that try to be anything but text."""
    folder = tmp_path_factory.mktemp("hostile") / "site"
    metadata = {
        "method": HOSTILE[:6],
        "<b>team</b>": HOSTILE[6:12],
        "paper": [
            "javascript:alert(4)",
            "https://example.org/a?b=<i>&c=\"'",
            "data:text/html,x",
            "//evil",
            "",
            " http://x.y ",
        ],
    }
    title = "</title><script>alert(5)</script>"
    rs.site(performances(HOSTILE), folder, title=title, metadata=metadata, **QUICK)
    return folder


def test_a_site_has_its_pages_and_each_link_leads_to_one(hostile: Path) -> None:
    files = contents(hostile)
    assert {"index.html", "about.html", "domains.html", "explorer.html"} <= set(files)
    assert sum(name.startswith("methods/") for name in files) == len(HOSTILE)
    assert sum(name.startswith("methods/") for name in files) == len(HOSTILE)
    assert sum(name.startswith("domains/") for name in files) == 4  # three, and the level of two
    for name, content in files.items():
        if name.endswith(".html") and name != "explorer.html":
            for link in Page(content.decode()).links():
                if not link.startswith(("#", "http", "data:,")):
                    target = os.path.normpath(hostile / Path(name).parent / unquote(urlsplit(link).path))
                    assert Path(target).is_file(), (name, link)


def test_hostile_names_are_text_on_every_page(hostile: Path) -> None:
    allowed = {"http://x.y", "https://example.org/a?b=%3Ci%3E&c=%22'"}
    for name, content in contents(hostile).items():
        if not name.endswith(".html") or name == "explorer.html":
            continue
        page = Page(content.decode())
        tags = [tag for tag, _ in page.tags]
        assert tags.count("script") == 1, name
        assert not {"iframe", "object", "embed", "form", "b", "i"} & set(tags), name
        assert not [key for _, attributes in page.tags for key in attributes if key.startswith("on") or key == "style"]
        far = {link for link in page.links() if urlsplit(link).scheme and link != "data:,"}
        assert far <= allowed, name
        policy = next(a["content"] for t, a in page.tags if t == "meta" and a.get("http-equiv"))
        assert policy.startswith("default-src 'none'; style-src 'sha256-")
        assert "\u202e" not in content.decode()
    assert "{{ 7 * 7 }}{% raw %}" in "".join(Page((hostile / "index.html").read_text("utf-8")).text)
    for name in (name for name in contents(hostile) if name.startswith(("methods/", "domains/"))):
        assert re.fullmatch(r"[a-z]+/[a-z0-9-]+\.html", name)


def test_hostile_names_are_text_in_downloads(hostile: Path) -> None:
    files = contents(hostile)
    rows = list(csv.DictReader(io.StringIO(files["data/leaderboard.csv"].decode())))
    assert {row["entity"] for row in rows} == {"'=HYPERLINK(1)" if n.startswith("=") else n for n in HOSTILE}
    assert rs.read(hostile / "data/results.csv").counts.tolist() == performances(HOSTILE).counts.tolist()
    document = json.loads(files["data/leaderboard.json"])
    jsonschema.validate(document, schemas()["rank"])
    assert next(row for row in rows if row["entity"] == "../../etc/passwd")["paper"] == "//evil"
    assert len(document["entities"]) == len(HOSTILE)


def test_names_of_files_are_different_and_harmless() -> None:
    names = [*HOSTILE, "a-b", slugs(HOSTILE)["a b"], "", "..", ".", "é", "e"]
    files = slugs(names)
    assert len(set(files.values())) == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]*", file) and len(file) <= 55 for file in files.values())


# ---- what changes between runs


def test_a_second_run_touches_nothing(tmp_path: Path) -> None:
    P = performances(["a", "b", "c"])
    rs.site(P, tmp_path, **QUICK)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    again = rs.site(P, tmp_path, **QUICK)  # of which the pages say nothing, for no rank changed
    assert set(again.states.values()) == {"unchanged"}
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
    assert again.heading == f"{tmp_path}: {len(before) - 3} files ({len(before) - 3} unchanged)"  # three folders


def test_an_update_changes_what_it_concerns(tmp_path: Path) -> None:
    (tmp_path / "CNAME").write_text("example.org")
    rs.site(performances(["a", "b", "c"]), tmp_path, **QUICK)
    made = rs.site(performances(["a", "b", "d"], better=2), tmp_path, **QUICK)
    assert made.states["methods/c.html"] == "removed"
    assert made.states["methods/d.html"] == "new"
    assert not (tmp_path / "methods" / "c.html").exists()
    assert (tmp_path / "CNAME").read_text() == "example.org"


def test_a_list_of_files_that_is_none_is_refused(tmp_path: Path) -> None:
    for text in ("{", "[]", '{"schema": "other"}', '{"schema": "rankscape/site/1", "files": [1]}'):
        (tmp_path / "files.json").write_text(text)
        with pytest.raises(
            rs.DataError,
            match=r"files\.json: it is not the list of the files of a site; expected the file that the last",
        ):
            rs.site(performances(["a"]), tmp_path, **QUICK)
    assert len(contents(tmp_path)) == 1


# ---- the folder


def test_an_interrupted_run_leaves_the_old_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(tmp_path, {"a": b"1", "sub/b": b"1"}, ())
    write = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if "sub" in path.parts:
            raise OSError(28, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(rs.UsageError, match="cannot write .*: No space left on device"):
        publish(tmp_path, {"a": b"2", "sub/b": b"2"}, ("a", "sub/b"))
    assert contents(tmp_path) == {"a": b"1", "sub/b": b"1"}


def test_ctrl_c_waits_until_all_files_are_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(tmp_path, {"a": b"1", "b": b"1"}, ())
    replace, calls = os.replace, []

    def interrupted(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) == 1:
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr(folder_module.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        publish(tmp_path, {"a": b"2", "b": b"2"}, ("a", "b"))
    assert contents(tmp_path) == {"a": b"2", "b": b"2"}


def test_files_of_another_origin_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(rs.UsageError, match=r'holds "index\.html", which no earlier site of rankscape wrote'):
        rs.site(performances(["a", "b"]), tmp_path, **QUICK)
    assert contents(tmp_path) == {"index.html": b"mine"}
    with pytest.raises(rs.UsageError, match="is a file; expected the name of a folder"):
        publish(tmp_path / "index.html", {"a": b""}, ())


def test_a_list_of_files_that_leads_elsewhere_removes_nothing(tmp_path: Path) -> None:
    outside, site = tmp_path / "outside", tmp_path / "site"
    outside.write_text("kept")
    site.mkdir()
    publish(site, {"a": b"1"}, ("../outside", str(outside), "..\\outside", "C:outside", ""))
    assert outside.read_text() == "kept"
    assert not any(map(folder_module._harmless, ("C:outside", "..\\outside", "a/../b", "/a", "")))


# ---- metadata


def test_only_addresses_of_http_and_https_are_links() -> None:
    assert address(" https://example.org/x ") == "https://example.org/x"
    bad = ["javascript:alert(1)", "data:text/html,x", "//example.org", "example.org", "http:", "https://", "http://[",
           "java\nscript:x", "ftp://x.org", "", "https://exa\u202emple.org", "file:///etc/passwd", "see http://x.org", "http:\\\\x.org",
           "http://\\x.org", "http:// x.org", "h ttp://x.org", "https:///x"]  # fmt: skip
    assert [text for text in bad if address(text)] == []
    assert address('https://x.org/"onclick=') == "https://x.org/%22onclick="


def test_metadata_stand_beside_the_ranking(tmp_path: Path) -> None:
    (tmp_path / "teams.csv").write_text("name,method,code\nLiège,a,https://example.org/a\nUCL,zzz,\n", encoding="utf-8")
    with pytest.warns(rs.IncompleteDataWarning, match='metadata of methods without results are left out: "zzz"'):
        rs.site(performances(["a", "b"]), tmp_path / "site", metadata=tmp_path / "teams.csv", **QUICK)
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert (
        '<td class="meta short">Liège</td><td class="meta short"><a href="https://example.org/a" rel="noopener noreferrer nofollow">code</a></td>'
        in page
    )
    rows = list(csv.DictReader((tmp_path / "site/data/leaderboard.csv").read_text("utf-8").splitlines()))
    assert {row["entity"]: row["code"] for row in rows} == {"a": "https://example.org/a", "b": ""}


def test_metadata_called_like_a_column_of_the_leaderboard_stand_beside_it(tmp_path: Path) -> None:
    rs.site(performances(["a", "b"]), tmp_path, metadata={"method": ["a"], "rank": ["my rank"]}, **QUICK)
    rows = list(csv.DictReader((tmp_path / "data/leaderboard.csv").read_text("utf-8").splitlines()))
    assert [(row["entity"], row["rank"], row["rank (metadata)"]) for row in rows] == [
        ("b", "1", ""),
        ("a", "2", "my rank"),
    ]


def test_metadata_that_name_no_method_are_refused() -> None:
    with pytest.raises(
        rs.DataError, match='no column names the methods; expected a header such as method, .*got "paper"'
    ):
        read_metadata({"paper": ["x"]}, ["a"])
    with pytest.raises(rs.DataError, match='row 2: the method "a" has two rows; expected one'):
        read_metadata({"method": ["a", "a"]}, ["a"])


# ---- data of all kinds


def test_what_has_no_intervals_says_so_where_the_leaderboard_has_some(tmp_path: Path) -> None:
    P = performances(["a", "b"])
    for draws in (50, 0):
        rs.site(P, tmp_path, **QUICK | {"draws": draws})
        for page in ("domains", "domains/field-day", "methods/a"):
            text = (tmp_path / f"{page}.html").read_text("utf-8")
            assert ("only the official leaderboard has them" in text) == (draws > 0), page


def test_names_that_no_file_can_hold_are_escaped_in_figures_and_found_in_metadata(tmp_path: Path) -> None:
    P = rs.Performances.from_counts([[900, 10, 5, 85], [700, 210, 60, 30]], names=["\ud800\x1b", " b\n"])
    rs.site(P, tmp_path, by="f1", draws=20, metadata={"method": [" b\n"], "team": ["Liège"]})
    figures = list(tmp_path.glob("figures/*.svg"))
    assert figures
    assert [ElementTree.parse(figure).getroot().tag[-3:] for figure in figures] == ["svg"] * len(figures)
    assert "Liège" in (tmp_path / "index.html").read_text("utf-8")


def test_a_long_name_is_cut_in_tables(tmp_path: Path) -> None:
    P = performances(["a", "b"], ["x" * 10_000, "y"])
    rs.site(P, tmp_path, **QUICK)
    for page in ("about", "domains", "methods/a", "domains/y"):
        assert "x" * 201 not in (tmp_path / f"{page}.html").read_text("utf-8"), page


def challenge_of(P: rs.Performances, draws: int = 0, **how: Any) -> Challenge:
    prepared, drawn, *_ = prepared_and_drawn(P, draws, 0 if draws else None, **how)
    return Challenge(Asked(prepared, as_score("f1", P.space), "min", 0.95, drawn), "T", Metadata())


def test_a_domain_has_the_cases_of_the_method_that_was_tried_on_the_most() -> None:
    counts = [[60, 10, 10, 20], [50, 10, 10, 20], [700, 100, 100, 100], [700, 100, 50, 150]]
    P = rs.Performances.from_counts(counts, names=["a", "b"] * 2, domains=["x/1", "x/1", "x/2", "x/2"])
    challenge = challenge_of(P)
    rows = [site_pages.row_of_domain(challenge, local) for local in challenge.places]
    assert [(row["place"].name, row["cases"], row["prior"], row["weight"], row["methods"]) for row in rows] == [
        ("x / 1", "100", "0.3 to 0.333", "50.0 %", 2),
        ("x / 2", "1 000", "0.2", "50.0 %", 2),
    ]


def test_a_card_compares_with_three_better_and_three_worse() -> None:
    P = rs.Performances.from_counts([[90 - i, 10 + i, 10, 20] for i in range(9)], names=list("abcdefghi"))
    challenge = challenge_of(P)
    cards = [site_pages.of_method(challenge, place) for place in (0, 4, 8)]
    assert ["".join(rival["name"] for rival in card["rivals"]) for card in cards] == ["bcd", "bcdfgh", "fgh"]


def test_domains_of_one_level_stand_together() -> None:
    places = places_of(("x/a", "y/a", "x/b", "z", "y/b"))
    assert [place.name for place in places] == ["x", "x / a", "x / b", "y", "y / a", "y / b", "z"]


def test_a_line_begins_each_tier_but_the_first() -> None:
    P = rs.Performances.from_counts([[900, 10, 5, 85], [899, 11, 5, 85], [700, 210, 60, 30]], names=["a", "b", "c"])
    board = challenge_of(P, 200).standings
    assert [(row.name, row.tier, row.begins) for row in board.rows] == [
        ("a", 1, False), ("b", 1, False), ("c", 2, True),
    ]  # fmt: skip
    bars = [board.axis.bar(row.low, row.value, row.high) for row in board.rows]
    assert all(bar.start < bar.at < bar.end for bar in bars)
    board = challenge_of(P).standings
    bars = [board.axis.bar(row.low, row.value, row.high) for row in board.rows]
    assert [bar.start == bar.at == bar.end for bar in bars] == [True] * 3
    assert not any(row.begins or row.tier for row in board.rows)


@pytest.mark.parametrize(
    ("weights", "on_the_level"),
    [
        ("size", "size"),
        ("equal", "equal"),
        ("hierarchical", "equal"),
        ({"x/1": 3, "x/2": 1, "y": 1}, {"x/1": 3, "x/2": 1}),
        ({"x/1": 0, "x/2": 0, "y": 1}, "equal"),
    ],
)
def test_a_level_is_weighted_as_officially(weights: Any, on_the_level: Any) -> None:
    counts = [[60, 10, 10, 20], [700, 50, 50, 200], [60, 10, 10, 20]]
    P = rs.Performances.from_counts(counts, names=["a"] * 3, domains=["x/1", "x/2", "y"])
    level = challenge_of(P, weights=weights).places[0]
    assert (level.name, level.is_level) == ("x", True)
    expected = rs.rank(rs.summarize(P[:2], weights=on_the_level), by="f1").values[0]
    assert level.standings.of["a"].value == pytest.approx(expected)


def test_the_explorer_leads_back(tmp_path: Path) -> None:
    rs.site(performances(["a", "b"]), tmp_path, **QUICK)
    tags = Page((tmp_path / "explorer.html").read_text("utf-8")).tags
    place = tags.index(("a", {"href": "index.html"}))
    assert [tag for tag, _ in tags[place - 2 : place]] == ["body", "nav"]
    assert tags[place + 1] == ("div", {"id": "rankscape"})


def test_sites_of_few_and_of_undefined(tmp_path: Path) -> None:
    one = rs.site(performances(["a"], ["x"]), tmp_path / "one", **QUICK)
    assert "domains.html" not in one.sizes
    P = rs.Performances.from_counts([[9, 0, 1, 0], [8, 1, 1, 0], [5, 5, 0, 0]], names=["never", "b", "c"])
    rs.site(P, tmp_path / "undefined", by="precision", draws=50, figures=False)
    assert "Not ranked" in (tmp_path / "undefined/methods/never.html").read_text("utf-8")
    tied = performances(["a", "b"]).counts[:3]
    P = rs.Performances.from_counts([*tied, *tied], names=["a"] * 3 + ["b"] * 3, domains=LEVELS * 2)
    rs.site(P, tmp_path / "tied", **QUICK)
    assert re.findall(r">\s*(\d+=)\s*<", (tmp_path / "tied/index.html").read_text("utf-8")) == ["1=", "1="]


def test_sites_of_probabilities_and_of_right_answers(tmp_path: Path) -> None:
    rs.site(
        {"entity": ["a", "b"], "tn": [0.5, 0.4], "fp": [0.1, 0.2], "fn": [0.2, 0.2], "tp": [0.2, 0.2]}, tmp_path / "p"
    )
    assert "P(first)" not in (tmp_path / "p/index.html").read_text("utf-8")
    answers = rs.tasks.success.from_counts([8, 5], [10, 10], names=["a", "b"])
    rs.site(answers, tmp_path / "s", draws=50, figures=False)
    assert "80.0 %" in (tmp_path / "s/index.html").read_text("utf-8")


def test_a_missing_domain_is_refused_or_left_out(tmp_path: Path) -> None:
    P = performances(["a", "b"])[:5]
    with pytest.raises(rs.DataError, match="1 cells? of 6 missing"):
        rs.site(P, tmp_path, **QUICK)
    with pytest.raises(rs.UsageError, match="compare methods on different domains; expected 'error' or 'complete'"):
        rs.site(P, tmp_path, **QUICK, missing="available")
    assert contents(tmp_path) == {}
    with pytest.warns(Warning, match="compared on 2 shared domains"):
        rs.site(P, tmp_path, **QUICK, missing="complete")
    assert "does not count officially" in (tmp_path / "domains/b-town-b.html").read_text("utf-8")


@pytest.mark.nightly
def test_three_hundred_methods_make_small_pages(tmp_path: Path) -> None:
    names = [f"method {i:03d} with a rather long name" for i in range(300)]
    P = rs.Performances.from_counts([[500 - i % 90, i % 90, i % 47, 200 - i % 47] for i in range(300)], names=names)
    sizes = rs.site(P, tmp_path, by="f1", draws=20, figures=False).sizes
    assert max(size for name, size in sizes.items() if name != "explorer.html") < 400_000


# ---- the command


def run(*args: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["site", *args])
    assert result.exit_code == status, result.output
    return result


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for i, team in enumerate("abc"):
        rows = "".join(f"{team},{domain},{90 - i},{10 + i},5,{40 - i}\n" for domain in "xy")
        (tmp_path / "submissions").mkdir(exist_ok=True)
        (tmp_path / "submissions" / f"{team}.csv").write_text(f"method,domain,tn,fp,fn,tp\n{rows}")
    return tmp_path


def test_the_command_makes_the_same_site_as_python(tables: Path) -> None:
    result = run("submissions", "-o", "site", "--title", "T", "--draws", "50", "--no-figures")
    assert re.search(r"site: \d+ files \(\d+ new\)", result.output)
    P = rs.read("submissions")
    made = rs.site(P, "site", title="T", draws=50, figures=False)
    assert set(made.states.values()) == {"unchanged"}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("submissions", "Missing option '-o' / '--output', the folder of the site"),
        ("submissions -o site --like x.csv", "--like would change nothing without --check"),
        ("submissions --check -o site", "-o would change nothing: --check only reads"),
        ("submissions --check --by f1", "--by would change nothing: --check only reads"),
        ("submissions -o site --draws 0 --seed 1", "--seed would change nothing: --draws 0 draws nothing"),
    ],
)
def test_options_in_vain_are_refused(tables: Path, line: str, sentence: str) -> None:
    assert sentence in run(*line.split(), status=2).output
    assert not (tables / "site").exists()


def test_submissions_are_checked_one_by_one(tables: Path) -> None:
    result = run("--check", "submissions")
    assert result.output.splitlines()[0] == f"{Path('submissions/a.csv')}: 1 method on 2 domains"
    (tables / "submissions" / "d.csv").write_text("method,domain,tn,fp,fn,tp\nd,x,9,-1,2,3\n")
    (tables / "submissions" / "e.csv").write_text("not a table")
    output = run("--check", "submissions", status=3).output
    assert f'Error: {Path("submissions/d.csv")}: row 1 (line 2, "d"): fp = -1 is negative; counts must be ≥ 0' in output
    assert "5 submissions: 3 fine, 2 wrong" in output
    (tables / "submissions" / "d.csv").write_text("method,domain,tn,fp,fn,tp\nd,x,9,1,2,3\n")
    output = run("--check", "submissions/d.csv", "submissions/a.csv", "--like", "submissions/b.csv", status=3).output
    assert 'd lacks 1 domain ("y"); expected all 2 of the official results' in output
    assert "b.csv: 1 method" not in output


def test_a_row_that_occurs_twice_is_located_in_its_file(tables: Path) -> None:
    (tables / "submissions" / "d.csv").write_text("method,scene,video,tn,fp,fn,tp\nd,s,x,9,1,2,3\nd,t,x,9,1,2,3\n")
    output = run("--check", "submissions", status=3).output
    assert f'Error: {Path("submissions/d.csv")}: rows 1, 2: entity "d" on domain "x" occurs 2 times' in output
    columns = ("--domain-column", "scene", "--domain-column", "video")
    assert "1 method on 2 domains" in run("--check", "submissions/d.csv", *columns).output


def test_submissions_have_the_domains_of_the_official_results(tables: Path) -> None:
    assert [one.error for one in check_submissions("submissions")] == [None] * 3
    (tables / "none").mkdir()
    with pytest.raises(rs.DataError, match="no file of this folder is a table; expected CSV, JSON or Parquet"):
        check_submissions("none")
    official = rs.read("submissions/a.csv")
    (tables / "z.csv").write_text("method,domain,tn,fp,fn,tp\nz,x,1,2,3,4\nz,y,1,2,3,4\nz,w,1,2,3,4\n")
    (tables / "s.csv").write_text("method,correct,total\nz,1,2\n")
    messages = [one.sentence() for one in check_submissions(["z.csv", "s.csv"], official)]
    assert messages[0] == 'z.csv: z has 1 domain that the official results do not have ("w")'
    assert "s.csv: the outcomes differ from those of the official results; expected tn, fp, fn, tp" in messages[1]


def test_what_is_in_the_way_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "site" / "index.html").mkdir(parents=True)
    with pytest.raises(rs.UsageError, match='holds "index.html", in the way of the site'):
        rs.site(rs.datasets.finley(), tmp_path / "site", by="csi", draws=0, figures=False)
    assert [path.name for path in (tmp_path / "site").rglob("*")] == ["index.html"]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "methods").write_text("")
    with pytest.raises(rs.UsageError, match='holds "methods", in the way'):
        rs.site(rs.datasets.finley(), tmp_path / "other", by="csi", draws=0, figures=False)
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["methods"]


def test_metadata_with_a_header_twice_are_refused() -> None:
    rows = "method,team,team\na,1,2\n"
    with pytest.raises(rs.DataError, match='several columns are called "team"'):
        read_metadata(io.StringIO(rows), ["a"])


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"title": 5}, "title=5; expected a text"),
        ({"title": ["a"]}, "expected a text"),
    ],
)
def test_texts_and_addresses_that_are_none_are_refused(option: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(rs.errors.UsageError, match=re.escape(sentence)):
        rs.site(performances(["a", "b"]), tmp_path / "site", "f1", **option)
    assert not (tmp_path / "site").exists()


def test_an_empty_name_is_no_folder(tables: Path) -> None:
    assert "the name is empty" in run("submissions", "-o", "", status=2).output
    with pytest.raises(rs.UsageError, match="path must be the name"):
        rs.site(performances(["a"]), "", "f1", draws=0)


def test_the_folder_may_be_the_one_that_the_shell_is_in(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tables / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    run("../submissions", "-o", ".", "--draws", "0", "--no-figures")
    assert (here / "index.html").is_file()


def test_names_are_spelled_as_given_and_the_score_as_printed(tmp_path: Path) -> None:
    P = rs.Performances.from_counts([[900, 10, 5, 85], [700, 210, 60, 30]], names=["svm", "tree"])
    rs.site(P, tmp_path, by="f1", draws=200, figures=False)
    pages = {page: (tmp_path / page).read_text("utf-8") for page in ("index.html", "about.html", "methods/tree.html")}
    for page in pages.values():
        assert "Svm" not in page
        assert "F_1" not in page
        assert "1.000" not in re.sub(r"<table>(?:(?!</table>).)*degree of optimality.*?</table>", "", page, flags=re.S)
    assert "svm is first" in pages["about.html"]
    assert "&gt; 0.99" in pages["methods/tree.html"]
    assert "1–1" not in pages["index.html"]
