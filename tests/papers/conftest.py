"""The scripts of the papers, as modules."""

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "examples" / "papers"


def once(make: Callable[..., Any]) -> Callable[..., Any]:
    """Make a table or figure once for all tests that ask for all of it, unless it may be of data in a folder."""
    made: list[Any] = []

    @wraps(make)
    def found(*data: Any, **how: Any) -> Any:
        if how or any(any(one.folder.glob("*.csv")) for one in data):
            return make(*data, **how)
        if not made:
            made.append(make(*data))
        return made[0]

    return found


@pytest.fixture(scope="session")
def loaded() -> dict[str, ModuleType]:
    """The scripts that were imported, for the modules of tests that come later."""
    return {}


@pytest.fixture(scope="module")
def load(loaded: dict[str, ModuleType]) -> Iterator[Callable[[str], ModuleType]]:
    """Import scripts as if run in their folder, and forget them after a module of tests."""
    before = list(sys.path)
    sys.path.insert(0, str(SCRIPTS))
    sys.modules.update(loaded)

    def module(name: str) -> ModuleType:
        script = import_module(name)
        if name not in loaded:
            loaded[name] = script
            for makers in (getattr(script, "TABLES", {}), getattr(script, "FIGURES", {})):
                for part, make in makers.items():
                    makers[part] = once(make)
                    setattr(script, make.__name__, makers[part])
        return script

    yield module
    sys.path[:] = before
    for path in SCRIPTS.glob("*.py"):
        if path.stem in sys.modules:
            loaded[path.stem] = sys.modules.pop(path.stem)


@pytest.fixture(scope="module")
def script(request: pytest.FixtureRequest, load: Callable[[str], ModuleType]) -> ModuleType:
    """The script that a module of tests calls SCRIPT."""
    return load(request.module.SCRIPT)
