"""The table "Where do I put …" of CONTRIBUTING.md: its links, and its rows followed in a copy of the sources."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


@dataclass(frozen=True)
class Row:
    files: int
    places: tuple[str, ...]
    label: str
    link: str


def rows() -> dict[str, Row]:
    """The rows of the table, by what is added."""
    table = PAGE.partition("## Where do I put …")[2].partition("\n\n`tests")[0]
    found = {}
    for line in table.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and cells[1].isdigit():
            label, link = re.fullmatch(r"\[`(.+)`\]\((.+)\)", cells[3]).groups()
            found[cells[0]] = Row(int(cells[1]), tuple(re.findall(r"`([^`]+)`", cells[2])), label, link)
    return found


ROWS = rows()


def test_the_table_has_what_people_add() -> None:
    kinds = {
        "score",
        "flavor of the Tile",
        "task",
        "file format",
        "option of a command",
        "kernel",
        "color or symbol",
        "picture of a result",
        "public name",
        "model of uncertainty",
    }
    assert kinds <= ROWS.keys()


@pytest.mark.parametrize("kind", ROWS)
def test_the_example_is_where_the_link_leads(kind: str) -> None:
    assert ROWS[kind].label in (ROOT / ROWS[kind].link).read_text("utf-8")


@pytest.mark.parametrize("kind", ROWS)
def test_the_places_exist(kind: str) -> None:
    files = [
        place
        for place in ROWS[kind].places
        if "/" in place and place.upper() != place and not re.search("[A-Z]{4}", place)
    ]
    assert files
    for place in files:
        assert (ROOT / "src/rankscape" / place).exists() or (ROOT / place).exists(), place


def test_every_module_of_the_package_has_its_room() -> None:
    rooms = PAGE.partition("## Rooms")[2].partition("\n## ")[0]
    listed = set(re.findall(r"`(\w+)/?`", "".join(line for line in rooms.splitlines() if line.startswith("|"))))
    modules = {path.stem for path in (ROOT / "src/rankscape").iterdir() if path.suffix == ".py" or path.is_dir()}
    assert sorted(modules - listed - {"__main__", "__pycache__"}) == []


# ---- a walk: the files of a row are changed in a copy, and the package knows what was added

SCORE = """    ScoreSpec(key="half_er", name="half error rate", symbol="HER", formula="(fp + fn) / 2", direction="smaller",
              also="walked score", orders_as=(1, 1, 1, 1), source="a test"),
"""
FLAVOR = '''def middle(performances: object, resolution: int = RESOLUTION) -> TileMap:
    """Map halfway between the best and the worst value."""
    highest, lowest = best(performances, resolution), worst(performances, resolution)
    return replace(highest, values=(highest.values + lowest.values) / 2, flavor="middle", title="Halfway")


'''
COLUMN = """  middle({ set }, a, out) {
    const worst = extremes(set, a, new Float64Array(out.length), 2);
    extremes(set, a, out, 0).forEach((value, t) => (out[t] = (value + worst[t]) / 2));
  },
"""
TASK = '''"""A coin: Ω = {tails, heads}."""

from ..outcomes import SampleSpace
from ..performances import Performances

SPACE = SampleSpace("coin", ("tails", "heads"), satisfaction=(0.0, 1.0), scores={"luck": (1, 1)})


def from_counts(tails: int, heads: int, names: list[str]) -> Performances:
    """Return performances from the number of each side."""
    return Performances.from_counts(list(zip(tails, heads, strict=True)), space=SPACE, names=names)
'''


def put(path: Path, text: str, before: str) -> None:
    """Put a text before a passage that stands in a file once."""
    content = path.read_text("utf-8")
    assert content.count(before) == 1, f"{path.name} has no place for it"
    path.write_text(content.replace(before, text + before), "utf-8")


def add_score(package: Path) -> None:
    put(package / "_scores/catalogue.py", SCORE, '    ScoreSpec(key="er", ')


def add_flavor(package: Path) -> None:
    values = package / "tile/values.py"
    put(values, FLAVOR, "def _extreme(")
    values.write_text(
        re.sub(
            r"^(import numpy as np)$",
            r"from dataclasses import replace\n\n\1",
            values.read_text("utf-8"),
            count=1,
            flags=re.M,
        ),
        "utf-8",
    )
    init = package / "tile/__init__.py"
    init.write_text(
        re.sub(r"\bmargin\b,? ?", lambda match: f"{match.group()} middle, ", init.read_text("utf-8"), count=1), "utf-8"
    )
    put(init, '"middle", ', '"no_skill", ')
    put(
        package / "flavors.py",
        '        Flavor("middle", GOOD, "Halfway", "Halfway", "halfway", "sequential"),\n',
        '        Flavor("no_skill", ',
    )
    put(package / "explorer/maps.js", COLUMN, "  no_skill: (")


def add_task(package: Path) -> None:
    (package / "tasks/coin.py").write_text(TASK, "utf-8")
    put(package / "tasks/__init__.pyi", "from . import coin as coin\n", "from . import detection as detection\n")
    table = package / "tasks/table.py"
    table.write_text(
        table.read_text("utf-8").replace("from . import detection, ", "from . import coin, detection, "), "utf-8"
    )
    put(table, '    Task(spaces=(coin.SPACE,), default="luck"),\n', "    Task(spaces=(ranking.SPACE,)")


WALKS = {
    "score": (
        add_score,
        "P = rs.Performances.from_counts(tn=[5], fp=[1], fn=[1], tp=[3], names=['a'])\n"
        "assert rs.score('half error rate')(P).tolist() == rs.score('walked score')(P).tolist() == [0.1]\n"
        "assert 'half_er' in rs.scores()['key']\n"
        "assert rs.score('half error rate').sound == 'always'\n",
    ),
    "flavor of the Tile": (
        add_flavor,
        "P = rs.Performances.from_counts(tn=[5, 4], fp=[1, 2], fn=[1, 2], tp=[3, 2], names=['a', 'b'])\n"
        "assert rs.tile.middle(P, 3).flavor == 'middle'\n"
        "assert 'middle' in dir(rs.tile)\n"
        "P.table().to_csv('results.csv')\n"
        "from rankscape.cli import main\n"
        "main(['tile', 'results.csv', '--flavor', 'middle', '-o', 'middle.csv'], standalone_mode=False)\n"
        "assert open('middle.csv').read().startswith('a,b,')\n"
        "assert 'middle' in [flavor.id for flavor in importlib.import_module('rankscape.flavors').PAGE]\n"
        "assert '  middle({ set }' in importlib.import_module('rankscape.explorer.document').source('maps.js')\n",
    ),
    "task": (
        add_task,
        "P = rs.tasks.coin.from_counts([1, 4], [9, 6], names=['a', 'b'])\n"
        "assert rs.rank(P).score.name == 'luck'\n"
        "assert rs.rank(P).best == {'a'}\n"
        "assert 'coin' in dir(rs.tasks)\n",
    ),
}  # fmt: skip
START = """import importlib
import sys
sys.meta_path = [finder for finder in sys.meta_path if not hasattr(finder, "known_source_files")]  # an editable install
sys.path.insert(0, {source!r})
import rankscape as rs
assert rs.__file__.startswith({source!r}), rs.__file__
"""


@pytest.mark.parametrize("kind", WALKS)
def test_a_row_of_the_table_names_every_file_that_is_touched(kind: str, tmp_path: Path) -> None:
    package = tmp_path / "src/rankscape"
    shutil.copytree(ROOT / "src/rankscape", package, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    before = {path: path.read_bytes() for path in package.rglob("*") if path.is_file()}
    add, program = WALKS[kind]
    add(package)
    after = {path: path.read_bytes() for path in package.rglob("*") if path.is_file()}
    touched = {path.relative_to(package).as_posix() for path in after if after[path] != before.get(path)}
    assert len(touched) == ROWS[kind].files
    patterns = [re.escape(place).replace("NAME", r"\w+") for place in ROWS[kind].places]
    assert all(any(re.fullmatch(pattern, name) for pattern in patterns) for name in touched)
    code = START.format(source=str(package.parent)) + program
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
