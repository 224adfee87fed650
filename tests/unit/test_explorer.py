"""The explorer's page, what it carries, its command and its widget, without a browser."""

import builtins
import html.parser
import io
import json
import re
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main
from rankscape.domains import prepare
from rankscape.errors import MissingExtraError
from rankscape.explorer import build, document
from rankscape.explorer.explore import page_of
from rankscape.flavors import PAGE, as_data
from rankscape.io.headers import _OF_CLASSES, _OF_GROUPS, _PER_CLASS, _THRESHOLDS, HEADERS, RUNS, SIZES, UNANSWERED

P = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]], names=["unet", "segnet"])


class Elements(html.parser.HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") or name in ("style", "src") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] in ("script", "style") and data.strip():
            {"script": self.scripts, "style": self.styles}[self.tags[-1]].append(data)


def test_the_policy_names_the_script_and_the_style_that_are_there() -> None:
    text = page_of(prepare(P)).html()
    found = Elements(text)
    data, code = found.scripts
    assert document.digest(code) in text
    assert document.digest(found.styles[0]) in text
    assert json.loads(data)["source"]["entities"] == ["unet", "segnet"]
    assert "http://" not in code.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in code
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "XMLHttpRequest"):
        assert word not in code, word


def test_names_cannot_leave_the_data_block() -> None:
    names = ["</script><script>alert(1)</script>", "<!-- <script>", "a&b", "\u2028"]
    text = page_of(prepare(rs.Performances.from_counts(np.ones((4, 4), dtype=int), names=names)), "</title><b>&").html()
    found = Elements(text)
    assert found.tags.count("script") == 2
    assert "b" not in found.tags
    assert json.loads(found.scripts[0])["source"]["entities"] == names


def test_what_the_page_carries_is_exact() -> None:
    big = 2**53 + 1
    assert build.payload(rs.Performances.from_counts([[big, 1, 1, 3]]))["tn"] == [str(big)]
    mass = [[0.1, 0.2, 0.3, 0.4]]
    carried = build.payload(rs.Performances.from_probabilities(mass))
    assert [carried[outcome][0] for outcome in ("tn", "fp", "fn", "tp")] == mass[0]
    assert carried["counts"] is False
    shifted = build.payload(P.shift_priors(0.3))
    integers = [[int(shifted[outcome][i]) for outcome in ("tn", "fp", "fn", "tp")] for i in range(2)]
    assert integers == P.shift_priors(0.3).integers.tolist()
    domains = rs.Performances.from_counts(
        np.ones((4, 4), dtype=int), names=["a", "b"] * 2, domains=["x", "x", "y", "y"]
    )
    assert (build.payload(domains)["entity"], build.payload(domains)["domain"]) == ([0, 1, 0, 1], [0, 0, 1, 1])


def test_explore_writes_a_page_and_takes_what_rank_takes(tmp_path: Path) -> None:
    path = rs.explore([[50, 10, 5, 35]], tmp_path / "x.html", title="Ours & theirs")
    assert path.read_text("utf-8").count("<title>Ours &amp; theirs</title>") == 1
    assert rs.explore(io.StringIO("model,tn,fp,fn,tp\na,1,2,3,4\n"), str(tmp_path / "y.html")).is_file()
    assert path.read_bytes() == rs.explore([[50, 10, 5, 35]], tmp_path / "z.html", title="Ours & theirs").read_bytes()
    with pytest.raises(rs.UsageError, match="there is no folder .*nowhere"):
        rs.explore(P, tmp_path / "nowhere" / "x.html")


def test_explore_refuses_other_tasks() -> None:
    space = rs.SampleSpace("detection", ("none", "fp", "fn", "tp", "other"))
    with pytest.raises(rs.UsageError, match="detection has no satisfaction"):
        rs.explore(rs.Performances.from_counts([[1, 2, 3, 4, 5]], space=space), "x.html")


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    table, out = tmp_path / "r.csv", tmp_path / "e.html"
    table.write_text("entity,tn,fp,fn,tp\nunet,50,10,5,35\n", "utf-8")
    done = CliRunner().invoke(main, ["explore", str(table), "-o", str(out), "--title", "Mine"])
    assert (done.exit_code, done.stdout) == (0, "")
    assert "<title>Mine</title>" in out.read_text("utf-8")
    refused = CliRunner().invoke(main, ["explore", str(table), "-o", str(tmp_path / "e.png")])
    assert refused.exit_code == 2
    assert "ends with .html" in refused.stderr
    bad = CliRunner().invoke(main, ["explore", str(tmp_path / "none.csv"), "-o", str(tmp_path / "n.html")])
    assert bad.exit_code == 3
    assert not (tmp_path / "n.html").exists()


def test_modules_share_one_scope_without_clashes() -> None:
    for last in ("page", "widget"):
        text = document.bundle("story", last)
        names = re.findall(r"^(?:const|let|class|function|async function) (\w+)", text, re.MULTILINE)
        assert len(names) == len(set(names)) > 100
        assert not re.search(r"^(import|export)\b", text, re.MULTILINE)


def test_modules_import_what_others_export_without_circles_and_each_is_on_a_page() -> None:
    folder = Path(document.__file__).parent
    names = {path.stem for path in folder.glob("*.js")} | {name.removesuffix(".js") for name in document.WRITTEN}
    needed: dict[str, list[str]] = {}
    for name in names:
        text = document.source(f"{name}.js")
        needed[name] = re.findall(r'^import [^;]*from "\./(\w+)\.js"', text, re.MULTILINE)
        for other in needed[name]:
            known = re.findall(
                r"^export (?:const|(?:async )?function|class) (\w+)", document.source(f"{other}.js"), re.MULTILINE
            )
            wanted = re.search(rf'^import {{([^}}]*)}} from "\./{other}\.js"', text, re.MULTILINE)
            assert wanted is not None
            assert {word.strip() for word in wanted[1].split(",") if word.strip()} <= set(known), (name, other)
    TopologicalSorter(needed).prepare()  # raises CycleError
    reached, waiting = set(), ["story", "simple_app", "page", "widget"]
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting += {*needed[name]} - reached
    assert reached == names


def test_the_page_computes_every_flavor_of_the_table_and_no_other() -> None:
    text = document.source("maps.js")
    columns = text[text.index("const FILLERS") : text.index("export const FLAVORS")]
    computed = re.findall(r"^  (\w+)[:(]", columns, re.MULTILINE)
    assert ["entity", *computed] == [flavor.id for flavor in PAGE]
    wanted = text[text.index("const WANTED") : text.index("/** What a flavor lacks")]
    needs = {need for flavor in as_data() for need in flavor["needs"]}
    assert {name.strip('"') for name in re.findall(r'^  ("?[\w ]+"?):', wanted, re.MULTILINE)} == needs


def test_the_widget_is_in_step_with_python() -> None:
    pytest.importorskip("anywidget")
    widget = rs.explore(P)
    assert (widget.a, widget.b, widget.selected) == (1.0, 0.5, None)
    assert (rs.explore(P, by="accuracy").a, rs.explore(P, by=[1, 1, 2, 1]).b) == (0.5, 2 / 3)
    heard = []
    widget.observe(lambda change: heard.append(change["new"]), names="selected")
    widget.selected = "unet"
    assert heard == ["unet"]
    assert {"a", "b", "prior", "selected", "pinned", "flavor", "uncertainty", "_data"} <= set(widget.keys)
    assert json.loads(widget._data)["entities"] == ["unet", "segnet"]
    assert widget._esm.rstrip().endswith("export default { render };")


def test_without_anywidget_the_command_that_helps_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from rankscape.explorer import widget

    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "anywidget":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    widget._classes.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r'pip install "rankscape\[notebook\]"'):
        rs.explore(P)


def test_a_dropped_table_is_read_by_the_headers_of_python() -> None:
    source = document.source("headers.js")
    text = re.search(r"export const HEADERS = (\{[^}]+\});", source)
    assert text is not None
    found = json.loads(re.sub(r",(\s*\})", r"\1", re.sub(r"^  (\w+):", r'  "\1":', text[1], flags=re.MULTILINE)))
    assert {key: set(names) for key, names in found.items()} == {key: set(names) for key, names in HEADERS.items()}
    listed = re.search(r"^const SIZES = (\{[^}]+\});", source, re.MULTILINE)
    assert listed is not None
    sizes = json.loads(re.sub(r",(\s*\})", r"\1", re.sub(r"^  (\w+):", r'  "\1":', listed[1], flags=re.MULTILINE)))
    python = {"unanswered": UNANSWERED} | {key.removeprefix("n_"): names for key, names in SIZES.items()}
    assert sizes == {key: list(names) for key, names in python.items()}
    for name, expected in (("GROUPS", _OF_GROUPS), ("CLASSES", _OF_CLASSES), ("RUNS", {*RUNS})):
        names = re.search(rf'^const {name} = new Set\("(.+?)"', source, re.M)
        assert names is not None
        assert {*names[1].split()} == expected
    assert f"const PER_CLASS = /{_PER_CLASS.pattern}/i;" in source
    thresholds = re.search(r"^const THRESHOLDS = new Set\((.+?)\)", source, re.M)
    assert thresholds is not None
    assert {*json.loads(thresholds[1])} == _THRESHOLDS


def test_in_how_many_draws_sets_of_ranks_hold_is_said_once(tmp_path: Path) -> None:
    """The page counts that for the preference shown; the notes that it carries state no second share."""
    page = rs.explore(P, tmp_path / "x.html", draws=300).read_text("utf-8")
    assert '"300 draws; seed 0; methods pooled' in page
    assert "at once in at least" not in page.split('"notes":', 1)[1].split("]", 1)[0]
