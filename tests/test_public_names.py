"""Public names: what ``dir`` and ``help`` list, and what can be imported, each in a fresh interpreter where it matters."""

import ast
import inspect
import pickle
import pydoc
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import rankscape as rs

MODULES = [name for name in rs.__all__ if isinstance(getattr(rs, name), ModuleType)]
PERFORMANCES = rs.Performances.from_counts(tn=[80, 76], fp=[2, 6], fn=[9, 6], tp=[9, 12], names=["a", "b"])


def test_dir_lists_the_public_names_and_nothing_else() -> None:
    assert dir(rs) == rs.__all__ == sorted(rs.__all__)
    assert {"plots", "concat", "tile", "rank", "Performances"} <= set(dir(rs))
    assert all(hasattr(rs, name) for name in rs.__all__)
    with pytest.raises(AttributeError, match="module 'rankscape' has no attribute 'nonsense'"):
        rs.nonsense  # noqa: B018


@pytest.mark.parametrize("name", MODULES)
def test_dir_of_a_module_lists_its_public_names_and_nothing_else(name: str) -> None:
    module = getattr(rs, name)
    assert dir(module) == sorted(module.__all__)
    assert all(hasattr(module, inner) for inner in module.__all__)


def test_the_module_of_types_lists_every_alias() -> None:
    tree = ast.parse(Path(inspect.getfile(rs.typing)).read_text("utf-8"))
    aliases = {
        node.target.id for node in tree.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    lower = {"DataFrameLike", "Flags", "Floats", "Integers", "Label", "PredictionsLike"}
    assert aliases | lower == set(dir(rs.typing))


@pytest.mark.some(3)
@pytest.mark.parametrize(
    "statement",
    [
        "from rankscape import rank, plots; plots.draw_tile, rank",
        "import rankscape.tile; rankscape.tile.value",
        "import rankscape as rs; rs.tile.value, rs.plots.draw_tile",
        "from rankscape import *; rank, tile.value, plots.draw_tile, concat",
        "import rankscape as rs; rs.__version__",
        "from rankscape.tile import *; value",
    ],
)
def test_ways_to_import(statement: str) -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", statement], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "make",
    [
        lambda: PERFORMANCES,
        lambda: rs.score("f1"),
        lambda: rs.rank(PERFORMANCES),
        lambda: rs.tradeoff(PERFORMANCES),
        lambda: rs.tile.entity(PERFORMANCES, resolution=3),
        lambda: rs.tile.correlation("mcc", PERFORMANCES, resolution=3),
        lambda: rs.tile.ranking(PERFORMANCES, "a", resolution=3),
        lambda: rs.tile.regret(PERFORMANCES, "a", resolution=3),
        lambda: rs.regions.first(PERFORMANCES),
        lambda: rs.regions.flips(PERFORMANCES, "f1"),
        lambda: rs.regions.prior_flips(PERFORMANCES, "f1"),
        lambda: rs.uncertainty.rank_intervals(PERFORMANCES, "f1", draws=5),
        lambda: rs.gate(PERFORMANCES["a"], PERFORMANCES["b"], draws=5),
        lambda: rs.report(PERFORMANCES, draws=0),
    ],
)
def test_results_can_be_pickled(make) -> None:
    result = make()
    assert repr(pickle.loads(pickle.dumps(result))) == repr(result)


def test_help_lists_what_is_public() -> None:
    text = pydoc.plain(pydoc.render_doc(rs))
    assert "class Performances" in text
    assert "rank(" in text
    assert "_HOMES" not in text


def loaded_by(program: str) -> set[str]:
    """Packages that a fresh interpreter has loaded after a program."""
    code = (
        f"import sys\ntry:\n    exec({program!r})\nexcept SystemExit:\n    pass\nprint('\\n' + ' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("line", ["--help", "--version", "nonsense"])
def test_the_command_line_starts_without_what_takes_long(line: str) -> None:
    modules = loaded_by(f"from rankscape.cli import main\nmain([{line!r}])")
    heavy = {"numpy", "scipy", "matplotlib", "pandas", "narwhals", "duckdb", "sklearn", "rankscape.kernels"}
    assert "rankscape.cli" in modules
    assert not modules & heavy
    assert len([name for name in modules if name.startswith("rankscape")]) < 15
