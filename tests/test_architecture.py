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
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src"
PACKAGE = "rankscape"

ROOMS = {
    "cli": ("__main__", "testing", "cli"),
    PACKAGE: (),  # the public names, gathered in __init__.py
    "_report": ("_site", "_report"),
    "explorer": (),
    "plots": (),
    "decisions": (),
    "uncertainty": (),
    "cases": (),
    "datasets": (),
    "io": (),
    "published": (),
    "domains": (),
    "soundness": (),
    "_tradeoff": (),
    "tile": ("views", "tile", "regions"),
    "_scores": ("ordering", "_scores", "_costs"),
    "geometry": (),
    "distributions": (),
    "tasks": (),
    "performances": ("typing", "performances", "account", "checks", "outcomes"),
    "results": (),
    "kernels": ("kernels", "lines", "floats", "arrays"),
    "look": ("look", "flavors"),
    "errors": ("outputs", "errors", "texts", "version", "gathered"),
}
"""The rooms from top to bottom, and the modules of a room that has several: each may import from those below it.

So theory, and what averages domains, import nothing that reads.
"""

LATE = {
    "anywidget", "duckdb", "jinja2", "markupsafe", "matplotlib", "narwhals", "pandas", "scipy", "sklearn", "traitlets",
    f"{PACKAGE}.kernels._native",
}  # fmt: skip
"""What is imported inside functions, or for type checkers only: libraries that take long or may be missing."""

UPWARD = {
    (f"{PACKAGE}.{here}", f"{PACKAGE}.{there}")
    for here, there in [
        ("results", "plots"),  # a result draws itself
        ("performances.performances", "io"),  # a path or a frame is read
        ("performances.performances", "uncertainty"),  # evidence is drawn
        ("cases", "uncertainty"),
        ("cases", "decisions"),  # cases are decided on
        ("cases", "decisions.sweeps"),
        ("cases", "_costs"),
        ("published.tables", "uncertainty"),  # printed rates are drawn
        ("published.tables", "uncertainty.draws"),
    ]
}
"""Late lines that may point upwards, each a wish of whoever has the lower thing."""

KINDS = {
    "Performances",
    "Cases",
    "Sweeps",
    "PublishedTable",
    "Pairs",
    "Reconstruction",
    "Leeway",
    "WithThresholds",
    "Draws",
}
"""The kinds of evidence, and what says of which kind a thing is."""

FACES = ("cli/", "_report/", "_site/", "explorer/", "uncertainty/gate.py")
"""Commands, card, site, page and gate: what shows answers, whatever they are about."""

ASKED_BY_FACES = {
    "_report/card.py": 2, "_site/build.py": 1, "_site/submissions.py": 1, "cli/challenges.py": 1, "cli/explore.py": 1,
    "cli/preference.py": 1, "cli/report.py": 1, "explorer/explore.py": 2, "uncertainty/gate.py": 2,
}  # fmt: skip
"""How often they still ask of which kind something is: fewer are welcome, more are not."""

RETIRED = {"found", "mine", "own", "said", "shown", "told", "who", "words"}
"""Names that say too little: the thing is named instead (ranking, intervals, best, rows, sentences)."""

RETIRED_PHRASES = (
    "is told", "are told", "is said", "are said", "for nobody", "for somebody", "first somewhere",
    "whatever one prefers", "misses are dear", "of whom?", "what how much", "in the same terms", "is all it takes",
    "file says what", "files say what",
)  # fmt: skip
"""Phrases that no text uses: they hide who acts, or no native writer says so. "Told apart" is fine."""

SOURCES = sorted((SRC / PACKAGE).rglob("*.py"))


def of_sources(look: Callable[[str], Any]) -> dict[str, Any]:
    """What a look at the text of each module finds, by its place; those where it finds nothing are left out."""
    seen = {path.relative_to(SRC).as_posix(): look(path.read_text("utf-8")) for path in SOURCES}
    return {place: findings for place, findings in seen.items() if findings}


@cache
def parsed(text: str) -> ast.Module:
    """Return the tree of a module, which several tests look at."""
    return ast.parse(text)


# ---- imports run one way


def dotted(path: Path) -> str:
    """Name of the module in a file; that of a package ends in ``.__init__``."""
    return ".".join(path.relative_to(SRC).with_suffix("").parts)


MODULES = {dotted(path).removesuffix(".__init__") for path in SOURCES} | {f"{PACKAGE}.kernels._native"}
ROOM_OF = {module: room for room, modules in ROOMS.items() for module in modules or (room,)}
DEPTH = {module: depth for depth, module in enumerate(ROOM_OF)}


def top_of(module: str) -> str:
    """What comes after the package's name in an absolute module name."""
    parts = [part for part in module.split(".") if part != "__init__"]
    return parts[1] if len(parts) > 1 else PACKAGE


def room_of(module: str) -> str:
    """Room of an absolute module name."""
    return ROOM_OF[top_of(module)]


class Import(NamedTuple):
    line: int
    name: str  # of a module, absolute
    late: bool  # inside a function
    typing_only: bool
    by_name: bool = False  # with import_module


def imports(text: str, module: str) -> list[Import]:
    """The modules that the text of a module imports, wherever it does."""
    found: list[Import] = []

    def names(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            return
        base = ".".join(module.split(".")[: -node.level]) if node.level else ""
        source = ".".join(filter(None, (base, node.module)))
        for alias in node.names:
            inner = f"{source}.{alias.name}"
            yield inner if inner in MODULES or (source == PACKAGE and alias.name in ROOM_OF) else source

    def by_name(node: ast.expr) -> Iterator[str]:
        first = node.values[0] if isinstance(node, ast.JoinedStr) else node  # of f".io.{name}" what comes first
        if isinstance(first, ast.Constant) and str(first.value).startswith("."):
            name = first.value.lstrip(".")
            above = ".".join(module.split(".")[: len(name) - len(first.value)])
            if name:
                yield f"{above}.{name.rstrip('.')}"

    def look(node: ast.AST, late: bool, typing_only: bool) -> None:
        late = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            typing_only = True
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.extend(Import(node.lineno, name, late, typing_only) for name in dict.fromkeys(names(node)))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "import_module":
            found.extend(Import(node.lineno, name, True, typing_only, True) for name in by_name(node.args[0]))
        for child in ast.iter_child_nodes(node):
            look(child, late, typing_only)

    look(parsed(text), False, False)
    return found


def import_findings(text: str, module: str) -> list[str]:
    """Imports of a module that do not run downwards, or that name a room without a place in the list.

    matplotlib is imported by ``plots`` and what lies above it, never by the mathematics, but for type annotations.
    """
    here = top_of(module)
    if here not in DEPTH:
        return [f"{module}: the room {here} has no place in the list"]

    def wrong(one: Import) -> bool:
        root, there = one.name.split(".")[0], top_of(one.name)
        if root == "matplotlib":
            return not one.typing_only and DEPTH[here] > DEPTH["plots"]
        return root == PACKAGE and there != here and DEPTH.get(there, -1) < DEPTH[here]

    return [
        f"{module}, line {one.line}: {here} may not import {one.name}"
        for one in imports(text, module)
        if wrong(one) and not ((one.late or one.typing_only) and (module, one.name) in UPWARD)
    ]


def late_findings(text: str, module: str) -> list[str]:
    """Imports inside functions, or for type checkers only, of what could stand at the top."""
    return [
        f"{module}, line {one.line}: import {one.name} at the top"
        for one in imports(text, module)
        if (one.late or one.typing_only)
        and not one.by_name
        and not {one.name, one.name.split(".")[0]} & LATE
        and (module, one.name) not in UPWARD
    ]


def circle_in(graph: Mapping[str, set[str]]) -> list[str]:
    """The names on one circle of a graph, [] where it has none."""
    sorter = TopologicalSorter(graph)
    try:
        sorter.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@cache
def modules_imported() -> dict[str, set[str]]:
    """The modules of the package, with those that each imports, types included, or on demand, as a stub says.

    Parts of a room that few runs need are loaded by name, and may import the rest of it.
    """
    graph = {}
    for path in SOURCES:
        module, text = dotted(path), path.read_text("utf-8")
        if module != f"{PACKAGE}.__init__" and (stub := path.with_suffix(".pyi")).exists():
            text += stub.read_text("utf-8")
        graph[module.removesuffix(".__init__")] = {
            one.name
            for one in imports(text, module)
            if one.name.split(".")[0] == PACKAGE and (module, one.name) not in UPWARD and not one.by_name
        } - {PACKAGE}
    return graph


def test_imports_run_one_way() -> None:
    assert not [line for path in SOURCES for line in import_findings(path.read_text("utf-8"), dotted(path))]


def test_imports_stand_at_the_top() -> None:
    assert not [line for path in SOURCES for line in late_findings(path.read_text("utf-8"), dotted(path))]


def test_no_module_imports_itself_over_others() -> None:
    graph = modules_imported()
    for room in ROOMS:  # between rooms there is none, for imports run one way
        inside = {module: lower for module, lower in graph.items() if room_of(module) == room}
        circle = circle_in({module: lower & inside.keys() for module, lower in inside.items()})
        assert not circle


def test_circles_are_found() -> None:
    assert sorted(set(circle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}))) == ["a", "b", "c"]
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert modules_imported()[f"{PACKAGE}.cli"] >= {f"{PACKAGE}.cli.endings", f"{PACKAGE}.version"}
    assert modules_imported()[f"{PACKAGE}.domains"] >= {f"{PACKAGE}.domains.roles", f"{PACKAGE}.gathered"}


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("rankscape.errors", "from .outcomes import SampleSpace"),
        ("rankscape.errors", "from rankscape.results import Table"),
        ("rankscape.errors", "import rankscape.results"),
        ("rankscape.errors", "from . import performances"),
        ("rankscape.tile", "from . import Performances"),
        ("rankscape.tile", "import rankscape as rs"),
        ("rankscape._scores.score", "from ..ordering import rank"),
        ("rankscape._scores.__init__", "from ..tile import TileMap"),
        ("rankscape._scores", "def late():\n    from .tile import TileMap"),
        ("rankscape.tile", "from .plots import draw_tile"),
        ("rankscape.tile", "def plot():\n    from .plots import draw_tile"),
        ("rankscape.tile.maps", 'def plot():\n    return import_module("..plots", __package__)'),
        ("rankscape.tile.maps", 'def plot(name):\n    return import_module(f"..io.{name}", __package__)'),
        ("rankscape.results", "from .plots import draw_tile"),
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
        ("rankscape.tile", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from matplotlib.axes import Axes"),
        ("rankscape.plots.tiles", "import numpy as np\ndef draw():\n    from matplotlib import colors"),
        ("rankscape.performances.averages", "from ..checks import checked_names"),
        ("rankscape.__main__", "from .cli import main"),
        ("rankscape.results", 'def plot():\n    return import_module(".plots", __package__)'),
    ],
)
def test_the_check_of_imports_lets_pass_what_is_right(module: str, text: str) -> None:
    assert import_findings(text, module) == []


def test_the_check_of_late_imports_can_fail() -> None:
    late = "def f():\n    import json\n    from ..errors import DataError\n    import scipy.stats\n    from . import _native"
    assert len(late_findings(late, f"{PACKAGE}.kernels.native")) == 2
    typing_only = "if TYPE_CHECKING:\n    from .b import B\n    from matplotlib.axes import Axes"
    assert len(late_findings(typing_only, f"{PACKAGE}.tile.a")) == 1


READING = f"{PACKAGE}.io.reading"
HEAVY = {READING, "matplotlib", "pandas", "polars", "pyarrow", "scipy.stats", "sklearn"}


def loaded_by(statement: str) -> set[str]:
    """Which of the heavy modules a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return HEAVY & set(done.stdout.split())


def test_import_stays_light() -> None:
    assert not loaded_by(f"import {PACKAGE}")


def test_theory_loads_nothing_that_reads() -> None:
    arrays = f"import {PACKAGE} as rs\nP = [[50, 10, 5, 35], [55, 5, 10, 30]]\nrs.rank(P, by='f1')\nrs.tile.best(P)\nrs.tradeoff(P)"
    assert READING not in loaded_by(arrays)


def test_the_check_of_light_imports_can_fail() -> None:
    assert loaded_by("import matplotlib") == {"matplotlib"}
    assert READING in loaded_by(
        f"import {PACKAGE} as rs\nrs.rank({{'tn': [1], 'fp': [1], 'fn': [1], 'tp': [1]}}, by='f1')"
    )


# ---- habits


def habit_findings(text: str) -> list[str]:
    """Calls and statements that do not belong into a library, and promises in comments."""
    findings = [f"{word.group()} stays undone" for word in re.finditer(r"\b(TODO|FIXME|XXX)\b", text)]
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Assert):
            findings.append(f"line {node.lineno}: assert vanishes under python -O; raise an error")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"print", "eval", "exec"}:
            findings.append(f"line {node.lineno}: {node.func.id}(...)")
    return findings


def test_no_assert_print_eval_or_promise() -> None:
    assert not of_sources(habit_findings)


@pytest.mark.parametrize("text", ["assert 1", "print(1)", "def f():\n    return eval('1')", "x = 1  # TO" + "DO: more"])
def test_the_check_of_habits_can_fail(text: str) -> None:
    assert len(habit_findings(text)) == 1


def retired_names(text: str) -> set[str]:
    """Names in code that are retired, whatever underscores stand around them; texts and keys may hold them."""
    names = set()
    for node in ast.walk(parsed(text)):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.MatchAs(name=str(name)):
                names.add(name)
            case ast.alias(name=name, asname=other):
                names |= {name.rpartition(".")[2], other or ""}
    return {name for name in names if name.strip("_") in RETIRED}


def test_things_are_named() -> None:
    assert not of_sources(retired_names)


@pytest.mark.parametrize(
    "text",
    [
        "found = 1",
        "def f(said): ...",
        "def _told(): ...",
        "x.shown",
        "f(who=1)",
        "from a import words as names",
        "import b as mine",
        "for own in x: ...",
    ],
)
def test_the_check_of_names_can_fail(text: str) -> None:
    assert len(retired_names(text)) == 1


def test_the_check_of_names_lets_pass_what_is_right() -> None:
    assert not retired_names("founded = {'words': 'found'}[shown_to]  # told")


_PHRASES = [re.compile(rf"(?<!\w){re.escape(p)}(?! apart)(?!\w)".replace(r"\ ", r"\s+"), re.I) for p in RETIRED_PHRASES]
TEXTS = {".cff", ".js", ".md", ".py", ".rst"}


def retired_phrases(text: str) -> list[str]:
    """Retired phrases of a text, also across the end of a line."""
    return [match.group() for phrase in _PHRASES for match in phrase.finditer(text)]


def test_no_text_uses_a_retired_phrase() -> None:
    findings = {}
    for path in project_files():
        place = path.relative_to(ROOT)
        if path.suffix in TEXTS and place.parts[0] != "tests" and (phrases := retired_phrases(path.read_text("utf-8"))):
            findings[place.as_posix()] = phrases
    assert not findings


@pytest.mark.parametrize(
    "text", ["You are told.", "Best\nfor nobody", "Misses   are dear:", "Of whom? Of", "It IS SAID"]
)
def test_the_check_of_phrases_can_fail(text: str) -> None:
    assert len(retired_phrases(text)) == 1


def test_the_check_of_phrases_lets_pass_what_is_right() -> None:
    assert not retired_phrases(
        "Equal values are told apart by their names. This is saidless. The table says what it costs."
    )


# ---- the same bits on every machine

VARYING = {
    "dot", "vdot", "inner", "matmul", "tensordot", "einsum", "vecdot", "matvec", "vecmat", "cov", "corrcoef", "convolve",
    "correlate", "polyfit", "linalg", "polynomial", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "logaddexp",
    "logaddexp2", "power", "float_power", "pow", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "asin",
    "acos", "atan", "atan2", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "asinh", "acosh", "atanh",
    "hypot", "cbrt", "gamma", "lgamma", "erf", "erfc", "geomspace", "logspace",
}  # fmt: skip
"""Functions of NumPy and of Python's math whose last bit, or order of sums, depends on the machine."""

VARYING_SCIPY = {"special", "stats", "linalg", "optimize", "integrate", "interpolate", "sparse"}

WHERE_BITS_MAY_VARY = {
    "drawn, never printed": ("plots/",),
    "sums of integers, which are exact": (
        "domains/contests.py first_at", "domains/contests.py ends",
        "soundness/verdict.py without_value", "soundness/verdict.py _pairs", "uncertainty/intervals.py through",
    ),
    "sums of parts of few bits, which are exact": ("floats.py large_products",),
    "products with 1, each sum in one order": ("uncertainty/units.py masses_of",),
    "a place to start from; integers prove the answer": (
        "domains/contests.py game", "tasks/detection.py optimal",
    ),
    "plain arithmetic, down to a stated tolerance": ("distributions/families.py optimal_beta",),
    "rounded outwards, or to digits that do not vary": (
        "distributions/closed.py ", "texts.py ", "views/points.py ", "_report/pages.py ",
    ),
    "one number at a time by SciPy: the page on limits names them": (
        "_scores/expressions.py _probit", "uncertainty/intervals.py alike_within", "uncertainty/gate.py _needed",
        "uncertainty/engine.py _likelihood", "domains/case_rankings.py _p_alike", "domains/case_rankings.py _ranks",
    ),
}  # fmt: skip
"""Who may use them, by the reason: a room, or a module and the function (nothing: its imports)."""


def varying(text: str) -> set[str]:
    """The functions of a module that use arithmetic whose bits depend on the machine; "" is the module itself."""
    found: set[str] = set()

    def look(node: ast.AST, function: str) -> None:
        if isinstance(node, ast.FunctionDef):
            function = node.name
        match node:
            case (
                ast.BinOp(op=ast.MatMult())
                | ast.AugAssign(op=ast.MatMult())
                | ast.Attribute(attr="multivariate_normal")
            ):
                found.add(function)
            case ast.Attribute(value=ast.Name(id="np" | "math"), attr=name) if name in VARYING:
                found.add(function)
            case ast.ImportFrom(module="math" | "numpy", names=names) if VARYING & {one.name for one in names}:
                found.add(function)
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] == "scipy":
                if VARYING_SCIPY & {*module.split(".")[1:], *(one.name for one in names)}:
                    found.add(function)
        for child in ast.iter_child_nodes(node):
            look(child, function)

    look(parsed(text), "")
    return found


def test_bits_do_not_depend_on_the_machine() -> None:
    """Sums of products, logarithms and the like come from ``floats``; each exception has a reason, and is needed."""
    found = {f"{place.removeprefix(PACKAGE)[1:]} {one}" for place, ones in of_sources(varying).items() for one in ones}
    allowed = {one for places in WHERE_BITS_MAY_VARY.values() for one in places}
    rooms = tuple(one for one in allowed if one.endswith("/"))
    assert {one for one in found if not one.startswith(rooms)} == {one for one in allowed if not one.endswith("/")}


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    return a @ b\n",
        "def f():\n    a @= b\n",
        "def f():\n    return np.einsum('ij,jk', a, b)\n",
        "def f():\n    return np.linalg.inv(a)\n",
        "def f():\n    return [np.log(x) for x in y]\n",
        "def f():\n    return math.exp(x)\n",
        "def f():\n    from math import floor, log\n",
        "def f():\n    from scipy import special\n",
        "def f():\n    from scipy.stats import norm\n",
        "def f():\n    return rng.multivariate_normal(a, b)\n",
    ],
)
def test_the_check_of_bits_can_fail(text: str) -> None:
    assert varying(text) == {"f"}


def test_the_check_of_bits_lets_pass_what_is_right() -> None:
    assert not varying("@cached\ndef f():\n    from math import floor\n    return np.sqrt(floor(logs(x)) ** 2)\n")


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


# ---- signatures have types by name


def untyped(name: str, function: Callable[..., object]) -> Iterator[str]:
    """Yield what a function takes or returns as Any, or without a type; options that are handed on are left out."""
    signature = inspect.signature(function)
    types = {
        parameter.name: parameter.annotation
        for parameter in signature.parameters.values()
        if parameter.name not in ("self", "cls") and parameter.kind is not inspect.Parameter.VAR_KEYWORD
    }
    for part, annotation in (types | {"return": signature.return_annotation}).items():
        text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
        bare = annotation is inspect.Signature.empty or {"Any", "typing.Any"} & set(re.split(r"[\s|\"']+", text))
        if bare:
            yield f"{name}.{part}"


def public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the public functions, and methods of public classes, of the package and of its public modules."""
    package = importlib.import_module(PACKAGE)
    things = {name: getattr(package, name) for name in package.__all__}
    for name, thing in list(things.items()):
        if inspect.ismodule(thing):
            things |= {f"{name}.{inner}": getattr(thing, inner) for inner in thing.__all__}
    for name, thing in things.items():
        if isinstance(thing, type):
            for method, function in vars(thing).items():
                function = function.__func__ if isinstance(function, classmethod | staticmethod) else function
                function = function.fget if isinstance(function, property) else function
                written = inspect.isfunction(function) and function.__code__.co_filename != "<string>"
                if (
                    written
                    and function.__module__.startswith(PACKAGE)
                    and (not method.startswith("_") or method in ("__init__", "__call__", "__getitem__"))
                ):
                    yield f"{name}.{method}", function
        elif inspect.isfunction(thing):
            yield name, thing


def test_public_signatures_name_their_types() -> None:
    assert not {finding for name, function in public_functions() for finding in untyped(name, function)}


def test_the_check_of_signatures_can_fail() -> None:
    def f(a: Any, b: "Any | None", c: Mapping[str, Any], d, *, e: int, **options: Any) -> Any: ...

    assert set(untyped("f", f)) == {"f.a", "f.b", "f.d", "f.return"}


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
    assert not floor_findings(project["dependencies"], pinned)


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


# ---- evidence answers by what it is


def kinds_asked(text: str) -> int:
    """Return how often a module asks of which kind of evidence a thing is."""
    questions = (node for node in ast.walk(parsed(text)) if isinstance(node, ast.Call) and len(node.args) == 2)
    asked = (node.args[1] for node in questions if ast.unparse(node.func) == "isinstance")
    return sum(bool(KINDS & {name.id for name in ast.walk(kind) if isinstance(name, ast.Name)}) for kind in asked)


def test_faces_ask_seldom_of_which_kind_evidence_is() -> None:
    places = {place.removeprefix(f"{PACKAGE}/"): count for place, count in of_sources(kinds_asked).items()}
    assert {place: count for place, count in places.items() if place.startswith(FACES)} == ASKED_BY_FACES
    assert kinds_asked("isinstance(x, (Draws, Pairs)) or isinstance(x, int)") == 1
