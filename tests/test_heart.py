"""The page that explains how a ranking is made: what it names exists where it says, and whoever follows it gets the same."""

import ast
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rankscape as rs

HOME = Path(__file__).resolve().parents[1] / "src" / "rankscape"
PAGE = (HOME / "README.md").read_text("utf-8")
HEART = (
    "errors.py", "texts.py", "results.py", "kernels/exact.py", "lines.py", "outcomes.py", "performances/performances.py",
    "_scores/catalogue.py", "_scores/expressions.py", "_scores/score.py",
    "_scores/lookup.py", "ordering.py", "tile/maps.py", "tile/values.py",
)  # fmt: skip
"""What is read in a day."""


def names_in(path: Path) -> set[str]:
    """Return the functions, classes, methods, fields and constants of a module."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def test_every_file_exists_and_has_the_names_that_stand_beside_it() -> None:
    files = set(re.findall(r"`([\w/]+\.py)`", PAGE))
    assert files
    everything: set[str] = set()
    for file in files:
        everything |= names_in(HOME / file)
    beside = re.findall(r"`(\w+)` \(`([\w/]+\.py)`\)", PAGE) + [
        (name, file) for file, name in re.findall(r"\(`([\w/]+\.py)`, `(\w+)`\)", PAGE)
    ]
    assert len(beside) >= 15
    for name, file in beside:
        assert name in names_in(HOME / file), f"{file} has no {name}"
    shapes = {"a", "b"}
    named = set(re.findall(r"`(\w+)`", PAGE)) - shapes
    assert sorted(name for name in named - everything if not (HOME / name).is_dir()) == []


def test_the_heart_is_read_in_a_day() -> None:
    assert sum((HOME / file).read_text("utf-8").count("\n") for file in HEART) <= 6500
    assert len(PAGE.splitlines()) <= 70


def test_whoever_follows_the_page_gets_the_same_ranks() -> None:
    counts = [[50, 10, 5, 35], [100, 20, 10, 70], [60, 0, 40, 0], [55, 5, 10, 30], [40, 20, 1, 39]]
    for importance in ([0, 1, 1, 2], [1, 1, 1, 1], [0, 1, 0, 1], [2, 3, 1, 6]):
        values = []
        for row in counts:
            earned = row[0] * importance[0] + row[3] * importance[3]
            due = sum(n * weight for n, weight in zip(row, importance, strict=True))
            values.append(Fraction(earned, due) if due else None)
        defined = [value for value in values if value is not None]
        ranks = [np.nan if x is None else 1 + sum(other > x for other in defined) for x in values]
        np.testing.assert_array_equal(rs.rank(rs.Performances.from_counts(counts), by=importance).ranks, ranks)


@pytest.mark.parametrize("row", [[50, 10, 5, 35], [0, 0, 3, 5], [4, 0, 0, 9]])
def test_whoever_follows_the_page_gets_the_same_map(row: list[int]) -> None:
    tn, fp, fn, tp = np.array(row) / sum(row)
    a, b = np.linspace(0, 1, 5)[None, :], np.linspace(0, 1, 5)[:, None]
    with np.errstate(invalid="ignore"):
        satisfied, rest = (1 - a) * tn + a * tp + 0 * b, (1 - b) * fp + b * fn
        values = satisfied / (satisfied + rest)
    np.testing.assert_allclose(
        rs.tile.value(rs.Performances.from_counts([row]), resolution=5).values, values, atol=1e-15
    )
