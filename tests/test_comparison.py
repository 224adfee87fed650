"""The page that compares tools: what it says of rankscape, scikit-learn and pandas is still so. Times are not tested."""

import csv
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROWS = list(csv.DictReader((ROOT / "docs/comparison.csv").read_text("utf-8").splitlines()))


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("comparison", ROOT / "examples/comparison.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore")
def test_the_answers_are_those_of_the_page(script: ModuleType) -> None:
    data = script.Data()
    for task in script.TASKS:
        for tool in task.answers.keys() & {"rankscape", "scikit-learn", "pandas"}:
            (printed,) = [
                row["answer"] for row in ROWS if (row["task"], row["tool"].split()[0]) == (task.question, tool)
            ]
            assert task.answers[tool](data) == printed, (task.question, tool)


def test_the_page_explains_every_task() -> None:
    page = (ROOT / "docs/comparison.rst").read_text("utf-8")
    explained = re.findall(r"^\*\*(.+?)\.?\*\*", page, re.MULTILINE)
    assert explained == list(dict.fromkeys(row["task"] for row in ROWS))


@pytest.mark.parametrize(("ratio", "text"), [(0.187, "0.2"), (3.46, "3"), (486.3, "500"), (1, "1")])
def test_a_time_has_one_digit(script: ModuleType, ratio: float, text: str) -> None:
    assert script.rounded(ratio) == text
