"""The pages of the documentation: their commands run and print what the pages show, and nothing public is left out.

The ``>>>`` examples of the pages run as doctests of their own (``docs/conftest.py``).
"""

import doctest
import importlib.util
import inspect
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from textwrap import indent
from types import ModuleType

import pytest
from click.testing import CliRunner

import rankscape as rs
from rankscape.cli import main

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
CONSOLE = re.compile(r"^( *)\.\. code-block:: console\n\n((?:(?:\1   .*)?\n)+)", re.MULTILINE)
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def module_at(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"docs_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CONFTEST = module_at(DOCS / "conftest.py")
PAGES = sorted(
    path
    for folder in (".", "course", "tutorials", "howto", "theory", "papers")
    for path in (DOCS / folder).glob("*.rst")
    if path.name != "sg_execution_times.rst"
)


# ---- commands


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of the console blocks of a page, continued lines joined, with the output of each."""
    for margin, block in CONSOLE.findall(text):
        unbroken = re.sub(r" \\\n +", " ", block.rstrip())
        lines = [line[len(margin) + 3 :] for line in unbroken.splitlines()]
        starts = [number for number, line in enumerate(lines) if line.startswith("$ ")] + [len(lines)]
        for start, end in pairwise(starts):
            yield lines[start].removeprefix("$ "), "".join(line + "\n" for line in lines[start + 1 : end])


class Shell:
    """As much of a shell as the pages use: rankscape, its exit status, and looking at a file."""

    def __init__(self) -> None:
        self.status = 0

    def run(self, command: str) -> str:
        name, *words = shlex.split(command)
        if command == "echo $?":
            return f"{self.status}\n"
        if name == "cat":
            return Path(words[0]).read_text(encoding="utf-8")
        assert name == "rankscape", f"the pages run rankscape only, not {command}"
        result = CliRunner().invoke(main, words, prog_name="rankscape")
        assert result.exception is None or isinstance(result.exception, SystemExit), command
        self.status = result.exit_code
        return result.output


TEXTS = {page: page.read_text(encoding="utf-8") for page in PAGES}
WITH_COMMANDS = [page for page in PAGES if CONSOLE.search(TEXTS[page])]


@pytest.fixture
def laid_out(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CONFTEST.lay_out(page, tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("laid_out")
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_the_commands_of_a_page_print_what_it_shows(page: Path) -> None:
    shell = Shell()
    for command, shown in commands(TEXTS[page]):
        printed = shell.run(command)
        assert doctest.OutputChecker().check_output(shown, printed, OPTIONS), f"$ {command}\n{printed}"


@pytest.mark.parametrize("margin", ["", "   "])
def test_commands_are_found_with_what_they_print(margin: str) -> None:
    text = "Look.\n\n.. code-block:: console\n\n   $ one \\\n       two\n   printed\n\n   more\n   $ echo $?\n   0\n\nNext.\n"
    assert list(commands(indent(text, margin))) == [("one two", "printed\n\nmore\n"), ("echo $?", "0\n")]


def test_no_code_of_a_page_goes_unexecuted() -> None:
    """A page shows Python as doctest, commands as console blocks, and files with their name."""
    kinds = {"console", "text"}
    for page in PAGES:
        shown = set(re.findall(r"^ *\.\. code-block:: (\S+)", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert shown <= kinds | {"yaml", "sh"}, page.name


# ---- the course and the tutorials

LESSONS = [page for page in PAGES if page.parent.name in {"course", "tutorials"} and page.stem != "index"]
TABLE = re.compile(r"^( *)\.\. (?:list-table::|code-block:: console)\n(?:\1   .*\n|\n){6,}", re.MULTILINE)
NEXT = re.compile(r"^ *\.\. code-block:: console|^[-=]{4,}$", re.MULTILINE)


def tables_without_advice(text: str) -> list[str]:
    """Beginnings of the tables that no sentence with "So" follows, before the next command or heading."""
    after = [(match.group(), text[match.end() :]) for match in TABLE.finditer(text)]
    return [" ".join(table.split()[3:12]) for table, rest in after if not re.search(r"\bSo\b", NEXT.split(rest)[0])]


@pytest.mark.parametrize("page", LESSONS, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_a_lesson_has_a_picture_and_says_what_to_do(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert ".. picture::" in text  # which the documentation is not built without caption and alternative text
    assert tables_without_advice(text) == []
    if page.parent.name == "course":
        assert "\nDecide\n------\n" in text
        assert "\nExercises\n---------\n" in text
        assert text.count("\n.. admonition:: Answer\n   :collapsible: closed\n") == 2


def test_a_table_without_advice_is_found() -> None:
    table = "\n.. code-block:: console\n\n   $ rankscape rank a.csv\n   rank\n   1\n   2\n   3\n\n"
    assert tables_without_advice(table + "So do it.\n") == []
    assert tables_without_advice(table + "Sold.\n\nNext\n----\n\nSo?\n") == ["$ rankscape rank a.csv rank 1 2 3"]


# ---- the reference


def listed() -> list[str]:
    texts = [page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("[0-9]*.rst"))]
    pattern = re.compile(r"^(?:   |\.\. automodule:: rankscape\.)([\w.]+)$", re.MULTILINE)
    return [name for text in texts for name in pattern.findall(text)]


def public() -> dict[str, object]:
    """Public names of the package and of its public modules; the page of a module lists the names inside it."""
    names = {name: getattr(rs, name) for name in rs.__all__}
    for name, module in list(names.items()):
        if inspect.ismodule(module):
            names |= {f"{name}.{inner}": getattr(module, inner) for inner in module.__all__}
    return names


def test_the_reference_lists_every_public_name_once() -> None:
    names, known = listed(), public()
    assert len(names) == len(set(names))
    on_pages_of_modules = {
        id(thing) for name, thing in known.items() if "." in name and name.partition(".")[0] in names
    }
    missing = [name for name in rs.__all__ if name not in names and id(known[name]) not in on_pages_of_modules]
    assert missing == []
    twice = [name for name in names if inspect.isclass(known.get(name)) and id(known[name]) in on_pages_of_modules]
    assert twice == []  # Sphinx wants one page of a class
    assert [name for name in names if "." not in name and name not in rs.__all__] == []


@pytest.mark.parametrize("task", rs.tasks.__all__)
def test_the_reference_lists_the_public_names_of_a_task(task: str) -> None:
    """Their modules have no pages of their own."""
    module = getattr(rs.tasks, task)
    functions = [name for name, thing in inspect.getmembers(module, inspect.isfunction) if name[0] != "_"]
    here = [name for name in functions if getattr(module, name).__module__ == module.__name__]
    names = [name.rpartition(".")[2] for name in listed() if name.startswith(f"tasks.{task}.")]
    assert sorted(names) == sorted(name for name in getattr(module, "__all__", here) if not name.isupper())


# ---- links


def test_a_dead_link_and_a_thing_from_the_network_are_found(tmp_path: Path) -> None:
    check = module_at(DOCS / "check_links.py")
    (tmp_path / "a.html").write_text('<a href="b.html#here">b</a> <a href="https://example.org">far</a>')
    (tmp_path / "b.html").write_text('<p id="here"></p>')
    assert check.findings(tmp_path) == []
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">b</a> <a href="c.html">c</a> <script src="https://example.org/x.js"></script>'
    )
    assert check.findings(tmp_path) == [
        "a.html links to b.html#there, a page without that place",
        "a.html links to c.html, which is not there",
        "a.html loads https://example.org/x.js from the network",
    ]
    assert len(check.findings(tmp_path / "nothing")) == 1
