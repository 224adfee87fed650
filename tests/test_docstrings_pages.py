"""The generated pages of the reference: every command, option, score and field is on them, and exit codes are true."""

import importlib.util
import re
import shlex
import sys
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import COMMANDS, endings, main

ROOT = Path(__file__).resolve().parents[1]


def generators() -> dict[str, ModuleType]:
    """Load the generators as one package, as the documentation does, but beside no other package of that name."""
    folder, found = ROOT / "docs" / "generators", {}
    for name in ("", "rst", "commands", "catalogue", "schemas"):
        full = "rankscape_docs_generators" + (f".{name}" if name else "")
        path = folder / f"{name or '__init__'}.py"
        spec = importlib.util.spec_from_file_location(
            full, path, submodule_search_locations=None if name else [str(folder)]
        )
        assert spec is not None
        assert spec.loader is not None
        found[name] = sys.modules[full] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found[name])
    return found


MADE = generators()
PAGES, CATALOGUE, SCHEMAS, RST = MADE["commands"], MADE["catalogue"], MADE["schemas"], MADE["rst"]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_a_command_has_all_its_options(name: str) -> None:
    page = PAGES.page(name)
    command, _ = PAGES.command_of(name)
    flags = {flag for p in command.params if isinstance(p, click.Option) and not p.hidden for flag in p.opts}
    listed = set(re.findall(r"-{1,2}[a-z][a-z-]*", " ".join(re.findall(r"^\.\. option:: (.*)$", page, re.MULTILINE))))
    assert flags <= listed
    assert page.startswith(f".. _command-{name}:")
    assert COMMANDS[name] in page.replace("`", "").replace("\\", "")
    assert set(re.findall(r":doc:`(/[^`>]+)`", page)) <= {
        f"/{path.relative_to(ROOT / 'docs').with_suffix('').as_posix()}" for path in (ROOT / "docs").rglob("*.rst")
    } | {"/reference/scores", "/reference/schemas"}


def test_groups_of_options_are_those_of_the_help() -> None:
    assert list(PAGES.options("rank")) == ["Options", "How FILE is read"]
    assert "One of entity, value, ranking" in PAGES.page("tile")


@pytest.mark.parametrize("name", ["convert", "count", "gate", "locate", "rank", "scores", "schema", "tradeoff"])
def test_the_example_of_a_command_runs(name: str, tmp_path: Path) -> None:
    PAGES.lay_out(tmp_path)
    printed = PAGES.run(PAGES.examples(name), tmp_path)
    assert printed.startswith(f"$ rankscape {name}")
    assert "Error" not in printed
    assert printed.count("\n") > 2


def test_every_example_reads_a_file_that_is_laid_out(tmp_path: Path) -> None:
    PAGES.lay_out(tmp_path)
    for name in COMMANDS:
        words = [word for line in PAGES.examples(name) for word in shlex.split(line)]
        read = {
            word for word, before in zip(words[1:], words, strict=False) if word.endswith(".csv") and before != "-o"
        }
        assert read <= {path.name for path in tmp_path.iterdir()}, name


def test_an_example_that_fails_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="there is no such file"):
        PAGES.run(["rankscape rank nothing.csv"], tmp_path)


def test_the_catalogue_has_every_score_and_every_search_word() -> None:
    page = CATALOGUE.page(audits=False)
    scores = rs.scores()
    labels = re.findall(r"^\.\. _score-(\w+):$", page, re.MULTILINE)
    assert sorted(labels) == sorted(key.partition("(")[0] for key in scores["key"])
    assert len(set(labels)) == len(labels)
    assert set(scores["sound"]) == set(CATALOGUE.VERDICTS)
    for word in ("imbalanced", "AUC", "Dice", "confidence interval", "Jaccard", "sensitivity", "Brier", "macro F1"):
        assert word in page
    assert ":Ranks as: :ref:`K₁ <score-kulczynski1>`, :ref:`F₁ <score-fbeta>`" in page
    assert set(re.findall(r"<score-(\w+)>", page)) <= set(labels)


def test_the_neighbor_of_an_unsound_score_depends_on_the_set() -> None:
    near = list(CATALOGUE.neighbors("mcc"))
    assert near == ["accuracy (τ = 0.76, all performances)", "balanced accuracy (τ = 0.94, the prior 0.2)"]


def test_each_document_has_its_fields() -> None:
    shown = CliRunner().invoke(main, ["schema"]).output.split()
    assert list(SCHEMAS.schemas()) == sorted(shown)
    fields = {field: (kind, meaning) for field, kind, meaning in SCHEMAS.fields(SCHEMAS.schemas()["rank"])}
    assert fields["schema"] == ('"rankscape/rank/1"', "Name and version of the schema of this document.")
    assert fields["entities[].rank"] == ("number or null", "Rank, 1 for the best; null: the score is undefined.")
    assert fields["domains"][0] == "array of strings"
    assert fields["place.a"][0] == "number in [0, 1]"
    assert fields["uncertainty"][1].endswith("asked for. May be missing.")
    page = SCHEMAS.page()
    assert all(f".. _schema-{name}:" in page for name in shown)


def test_markup_is_escaped() -> None:
    assert RST.escaped("2*tp, |Ω|, R_ and `a_*b`") == r"2\*tp, \|Ω\|, R\_ and ``a_*b``"


def test_the_page_of_exit_codes_has_those_of_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "reference" / "exit-codes.rst").read_text("utf-8")
    listed = {int(code) for code in re.findall(r"^   \* - (\d+)$", page, re.MULTILINE)}
    named = {endings.FINDING, endings.BAD_USAGE, endings.BAD_DATA, endings.UNDECIDED, endings.INTERNAL}
    assert listed == named | {0, endings.INTERRUPTED, endings.PIPE_CLOSED}
    PAGES.lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    typed = re.findall(r"^   \$ (rankscape .*)\n   \.\.\.\n   \$ echo \$\?\n   (\d+)$", page, re.MULTILINE)
    assert len(typed) >= 3
    for line, code in typed:
        assert CliRunner().invoke(main, shlex.split(line)[1:]).exit_code == int(code), line
