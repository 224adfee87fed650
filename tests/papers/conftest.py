"""The scripts of the papers, as modules."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "examples" / "papers"


@pytest.fixture(scope="module")
def script(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """Import the script that a module of tests calls SCRIPT, as if run in its folder, and forget it afterwards."""
    before = list(sys.path)
    sys.path.insert(0, str(SCRIPTS))
    yield import_module(request.module.SCRIPT)
    sys.path[:] = before
    for path in SCRIPTS.glob("*.py"):
        sys.modules.pop(path.stem, None)
