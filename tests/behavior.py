"""Which tests look at behavior alone, and which reach inside: the latter die with the code that they look at."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import rankscape as rs

HERE = Path(__file__).parent


def inner(text: str) -> set[str]:
    """Return what a test names of the package that is not public, by the text of its module."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] == "rankscape":
                found |= {f"{module}.{one.name}" for one in names if not public(module, one.name)}
            case ast.Import(names=names):
                found |= {one.name for one in names if not public_path(one.name)}
            case ast.Attribute(value=ast.Name(id="rs"), attr=name) if name not in rs.__all__ and name[:2] != "__":
                found.add(f"rankscape.{name}")
            case ast.Constant(value=str(path)) if path.startswith("rankscape.") and not public_path(path):
                found |= {path} if all(part.isidentifier() for part in path.split(".")) else set()
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
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (
                path for folder in ("", "unit", "views") if (path := HERE / folder / f"{node.module}.py").exists()
            )


@cache
def reaches_inside(path: Path) -> bool:
    """Tell whether a module of tests, or one that it imports from beside it, names what is not public."""
    text = path.read_text("utf-8")
    return bool(inner(text)) or any(reaches_inside(other) for other in helpers(text) if other != path)
