"""Which tests look at behavior alone, and which reach inside: the latter die with the code that they look at."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import rankscape as rs

HERE = Path(__file__).parent
FROM = re.compile(r"^[ \t]*from ([\w.]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
IMPORT = re.compile(r"^[ \t]*import (rankscape[\w.]*)", re.MULTILINE)
ATTRIBUTE = re.compile(r"\brs\.(\w+)")
TEXT = re.compile(r"[\"'](rankscape(?:\.[A-Za-z_]\w*)+)[\"']")
"""How a name gets into a module of tests; text by text, for trees of all of them take seconds."""


def inner(text: str) -> set[str]:
    """Return what a test names of the package that is not public, by the text of its module."""
    found = {path for path in IMPORT.findall(text) + TEXT.findall(text) if not public_path(path)}
    found |= {f"rankscape.{name}" for name in ATTRIBUTE.findall(text) if name not in rs.__all__ and name[:2] != "__"}
    for module, names in FROM.findall(text):
        if module.split(".")[0] == "rankscape":
            several = [part.split()[0] for part in re.sub(r"#[^\n]*", "", names).strip("()").split(",") if part.split()]
            found |= {f"{module}.{name}" for name in several if not public(module, name)}
    return found


def public(module: str, name: str) -> bool:
    """Tell whether a name that is imported from a module is public, there or as ``rankscape.name``."""
    return name in rs.__all__ if module == "rankscape" else name in rs.__all__ or public_path(f"{module}.{name}")


def public_path(path: str) -> bool:
    """Tell whether a full name leads over public modules only; what is not ours is public."""
    package, *parts = path.split(".")
    if package != "rankscape" or parts[:1] == ["testing"]:
        return True
    if parts[:1] == ["cli"]:
        return parts[1:] in ([], ["main"], ["COMMANDS"])
    thing = rs
    for part in parts:
        if part not in getattr(thing, "__all__", ()):
            return False
        thing = getattr(thing, part)
    return True


def helpers(text: str) -> Iterator[Path]:
    """Yield the modules of the tests that a test imports."""
    for module, _ in FROM.findall(text):
        places = (HERE / folder / f"{module.replace('.', '/')}.py" for folder in ("", "unit", "views"))
        yield from (path for path in places if path.exists())


@cache
def reaches_inside(path: Path) -> bool:
    """Tell whether a module of tests, or one that it imports from beside it, names what is not public."""
    text = path.read_text("utf-8")
    return bool(inner(text)) or any(reaches_inside(other) for other in helpers(text) if other != path)
