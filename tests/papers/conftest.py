"""The scripts of the papers, as modules."""

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from rankscape.soundness import table

SCRIPTS = Path(__file__).resolve().parents[2] / "examples" / "papers"


@pytest.fixture(scope="session", autouse=True)
def _cells_once() -> Iterator[None]:
    """Audit every score of Table 1 on every set once for all modules, each of which asks for the same 81 audits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "score", cache(table.score))  # scores are equal only where they are one object
        patch.setattr(table, "audited", cache(table.audited))
        yield


@pytest.fixture(scope="module")
def script(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """Import the script that a module of tests calls SCRIPT, as if run in its folder, and forget it afterwards."""
    before = list(sys.path)
    sys.path.insert(0, str(SCRIPTS))
    yield import_module(request.module.SCRIPT)
    sys.path[:] = before
    for path in SCRIPTS.glob("*.py"):
        sys.modules.pop(path.stem, None)
