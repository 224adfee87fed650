"""What holds the house together: the direction of imports, and the habits that a machine can check.

Every check is a function from text to findings, and is tried on text that breaks the rule.
"""

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src"
PACKAGE = "rankscape"
LONGEST = 400

ROOMS = (
    "cli",
    PACKAGE,  # the public names, gathered in __init__.py
    "_report",
    "explorer",
    "plots",
    "uncertainty",
    "soundness",
    "domains",
    "_tradeoff",
    "views",
    "tile",
    "regions",
    "thresholds",
    "ordering",
    "_scores",
    "geometry",
    "distributions",
    "datasets",
    "io",
    "tasks",
    "typing",
    "performances",
    "outputs",
    "checks",
    "outcomes",
    "results",
    "kernels",
    "arrays",
    "errors",
    "look",
    "flavors",
    "texts",
    "version",
)
"""The rooms from top to bottom: each may import from those below it."""

SOURCES = sorted((SRC / PACKAGE).rglob("*.py"))


def ids(path: Path) -> str:
    return path.relative_to(SRC).as_posix()


# ---- imports run one way


def dotted(path: Path) -> str:
    """Name of the module in a file; that of a package ends in ``.__init__``."""
    return ".".join(path.relative_to(SRC).with_suffix("").parts)


def room_of(module: str) -> str:
    """Room of an absolute module name: what comes after the package's name."""
    parts = [part for part in module.split(".") if part != "__init__"]
    return parts[1] if len(parts) > 1 else PACKAGE


def imported(node: ast.Import | ast.ImportFrom, module: str) -> Iterator[str]:
    """Absolute names of the modules that a statement imports; a public name of the package counts as the package."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = ".".join(module.split(".")[: -node.level]) if node.level else ""
    source = ".".join(filter(None, (base, node.module)))
    if source != PACKAGE:
        yield source
        return
    for alias in node.names:
        yield (
            f"{PACKAGE}.{alias.name}"
            if alias.name in ROOMS or (SRC / PACKAGE / f"{alias.name}.py").exists()
            else PACKAGE
        )


def import_findings(text: str, module: str) -> list[str]:
    """Imports of a module that do not run downwards, or that name a room without a place in the list.

    One exception: a method or function called ``plot`` may import ``plots``, for it is there that drawing is asked for.
    And matplotlib is imported by ``plots`` and what lies above it, never by the mathematics, but for type annotations.
    """
    if module.split(".")[1] == "__main__":
        return []
    here = room_of(module)
    if here not in ROOMS:
        return [f"{module}: the room {here} has no place in the list"]
    findings: list[str] = []

    def wrong(name: str, function: str, typing_only: bool) -> bool:
        root, there = name.split(".")[0], room_of(name)
        if root == "matplotlib":
            return not typing_only and ROOMS.index(here) > ROOMS.index("plots")
        if root != PACKAGE or there == here or (there == "plots" and function == "plot"):
            return False
        return there not in ROOMS or ROOMS.index(there) < ROOMS.index(here)

    def look(node: ast.AST, function: str, typing_only: bool) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node.name
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            typing_only = True
        if isinstance(node, ast.Import | ast.ImportFrom):
            findings.extend(
                f"{module}, line {node.lineno}: {here} may not import {name}"
                for name in imported(node, module)
                if wrong(name, function, typing_only)
            )
        for child in ast.iter_child_nodes(node):
            look(child, function, typing_only)

    look(ast.parse(text), "", False)
    return findings


@pytest.mark.parametrize("path", SOURCES, ids=ids)
def test_imports_run_one_way(path: Path) -> None:
    assert not import_findings(path.read_text("utf-8"), dotted(path))


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("rankscape.errors", "from .outcomes import SampleSpace"),
        ("rankscape.errors", "from rankscape.results import Table"),
        ("rankscape.errors", "import rankscape.results"),
        ("rankscape.errors", "from . import tables"),
        ("rankscape.tile", "from . import Performances"),
        ("rankscape.tile", "import rankscape as rs"),
        ("rankscape._scores.score", "from ..ordering import rank"),
        ("rankscape._scores.__init__", "from ..tile import TileMap"),
        ("rankscape._scores", "def late():\n    from .tile import TileMap"),
        ("rankscape.tile", "from .plots import draw_tile"),
        ("rankscape.tile", "def draw():\n    from .plots import draw_tile"),
        ("rankscape.tile", "def plot():\n    def inner():\n        from .plots import draw_tile"),
        ("rankscape.ordering", "def plot():\n    from .tile import TileMap"),
        ("rankscape.tile", "from .attic import lost"),
        ("rankscape.attic", "import math"),
        ("rankscape.tile", "def plot():\n    import matplotlib.pyplot as plt"),
        ("rankscape.__init__", "from .cli import main"),
    ],
)
def test_the_check_of_imports_can_fail(module: str, text: str) -> None:
    assert len(import_findings(text, module)) == 1


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("rankscape.cli", "from . import Performances, plots\nfrom .errors import DataError"),
        ("rankscape.__init__", "from ._scores import score\nfrom . import tile"),
        ("rankscape._scores.__init__", "from .score import Score\nfrom ..errors import DataError"),
        ("rankscape._scores.score", "from . import rows\nfrom ..kernels.exact import quotients"),
        ("rankscape.tile", "class TileMap:\n    def plot(self):\n        from .plots import draw_tile"),
        ("rankscape.tile", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from matplotlib.axes import Axes"),
        ("rankscape.plots.tiles", "import numpy as np\ndef draw():\n    from matplotlib import colors"),
        ("rankscape.__main__", "from .cli import main"),
    ],
)
def test_the_check_of_imports_lets_pass_what_is_right(module: str, text: str) -> None:
    assert import_findings(text, module) == []


HEAVY = {"matplotlib", "pandas", "polars", "pyarrow", "scipy.stats", "sklearn"}


def loaded_by(statement: str) -> set[str]:
    """Which of the heavy modules a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return HEAVY & set(done.stdout.split())


def test_import_stays_light() -> None:
    assert not loaded_by(f"import {PACKAGE}")


def test_the_check_of_light_imports_can_fail() -> None:
    assert loaded_by("import matplotlib") == {"matplotlib"}


# ---- habits


def habit_findings(text: str) -> list[str]:
    """Calls and statements that do not belong into a library, and promises in comments."""
    findings = [f"{word.group()} stays undone" for word in re.finditer(r"\b(TODO|FIXME|XXX)\b", text)]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assert):
            findings.append(f"line {node.lineno}: assert vanishes under python -O; raise an error")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"print", "eval", "exec"}:
            findings.append(f"line {node.lineno}: {node.func.id}(...)")
    return findings


@pytest.mark.parametrize("path", SOURCES, ids=ids)
def test_no_assert_print_eval_or_promise(path: Path) -> None:
    assert not habit_findings(path.read_text("utf-8"))


@pytest.mark.parametrize("text", ["assert 1", "print(1)", "def f():\n    return eval('1')", "x = 1  # TO" + "DO: more"])
def test_the_check_of_habits_can_fail(text: str) -> None:
    assert len(habit_findings(text)) == 1


@pytest.mark.parametrize("path", SOURCES, ids=ids)
def test_no_file_holds_two_ideas(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST


# ---- the files speak of the project alone

_FOLDERS = "home|root|work|tmp|opt|Users|mnt|srv"
_HOSTS = ("pypi" + ".org", "pythonhosted" + ".org", "anaconda" + ".org", "registry" + ".npmjs")
_MACHINE = re.compile(rf"(?<![\w./])/(?:{_FOLDERS})/\w|\b[A-Z]:\\\w|" + "|".join(map(re.escape, _HOSTS)))


def project_files() -> list[Path]:
    """Files of the project: those that git keeps or would keep, else all but what is hidden or made."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        listed = []
    files = [ROOT / name for name in listed if name] or [
        path
        for path in ROOT.rglob("*")
        if not {"build", "demo", "dist", "__pycache__"} & set(path.relative_to(ROOT).parts)
        and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
    ]
    return [path for path in files if path.is_file()]


def machine_findings(text: str) -> list[str]:
    """Absolute paths of somebody's machine, and hosts of package registries."""
    return [match.group() for match in _MACHINE.finditer(text)]


def test_no_file_names_a_machine() -> None:
    found = {}
    for path in project_files():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:  # a picture or a Parquet file
            continue
        if path != Path(__file__).resolve() and (findings := machine_findings(text)):
            found[path.relative_to(ROOT).as_posix()] = findings
    assert not found


@pytest.mark.parametrize("text", ["see /home/me", '"/tmp/x.csv"', "in C:\\Users", "https://" + _HOSTS[0] + "/simple"])
def test_the_check_of_machines_can_fail(text: str) -> None:
    assert machine_findings(text)


@pytest.mark.parametrize("text", ["#!/usr/bin/env bash", "demo/tile.png", "http://a.org/home/b", "tp/(tp+fn)"])
def test_the_check_of_machines_lets_pass_what_is_right(text: str) -> None:
    assert not machine_findings(text)


# ---- a docstring is a contract that runs


def docstring_findings(names: dict[str, object]) -> list[str]:
    """Names without a docstring, or, where they can be called, without an example; errors and warnings need none."""
    findings = []
    for name, thing in names.items():
        doc = inspect.getdoc(thing) or ""
        error = isinstance(thing, type) and issubclass(thing, BaseException)
        if not doc:
            findings.append(f"{name} has no docstring")
        elif callable(thing) and not error and not isinstance(thing, ModuleType) and ">>>" not in doc:
            findings.append(f"{name} has no example")
    return findings


def test_public_names_have_examples_that_run() -> None:
    package, tile = importlib.import_module(PACKAGE), importlib.import_module(f"{PACKAGE}.tile")
    names = {name: getattr(package, name) for name in package.__all__}
    names |= {
        f"tile.{name}": thing
        for name, thing in vars(tile).items()
        if inspect.isfunction(thing) and thing.__module__ == tile.__name__ and not name.startswith("_")
    }
    assert not docstring_findings(names)


def test_the_check_of_docstrings_can_fail() -> None:
    def bare() -> None: ...

    def told() -> None:
        """Say what, and show nothing."""

    assert docstring_findings({"bare": bare, "told": told}) == ["bare has no docstring", "told has no example"]


# ---- the oldest versions


def floor_findings(allowed: list[str], pinned: list[str]) -> list[str]:
    """Requirements whose floor is not the version that is tested, and pins of what is not required."""
    tested = {requirement.name: requirement.specifier for requirement in map(Requirement, pinned)}
    findings = [
        f"{name} is not required" for name in sorted(tested.keys() - {Requirement(one).name for one in allowed})
    ]
    for requirement in map(Requirement, allowed):
        least = [Version(one.version) for one in requirement.specifier if one.operator == ">="]
        exact = [Version(one.version) for one in tested.get(requirement.name, ()) if one.operator == "=="]
        if len(least) != 1 or least != exact:
            findings.append(f"{requirement} is tested with {tested.get(requirement.name)}")
    return findings


def test_the_oldest_versions_are_those_that_the_package_allows() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    lines = (ROOT / "tests" / "minimum.txt").read_text("utf-8").splitlines()
    pinned = [line for line in lines if line and not line.startswith("#")]
    assert not floor_findings(project["dependencies"] + project["optional-dependencies"]["data"], pinned)


@pytest.mark.parametrize(
    ("allowed", "pinned"),
    [
        (["click>=8.1"], ["click==8.10.0"]),  # which starts with the same characters
        (["click>=8.1"], ["click==8.1.1"]),
        (["click>=8.1"], ["click>=8.1"]),
        (["click>=8.1"], []),
        (["click"], ["click==8.1"]),
        (["click>=8.1"], ["click==8.1.0", "joblib==1.3"]),
    ],
)
def test_the_check_of_the_oldest_versions_can_fail(allowed: list[str], pinned: list[str]) -> None:
    assert len(floor_findings(allowed, pinned)) == 1


def test_the_check_of_the_oldest_versions_lets_pass_what_is_right() -> None:
    assert not floor_findings(["click>=8.1", "numpy>=2,<4"], ["click==8.1.0", "numpy==2.0.0"])
