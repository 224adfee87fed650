"""Packages that import a public name when it is first asked for: the command line and small scripts start sooner."""

import re
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_NAMES = re.compile(r"^from \.(\S*) import ([A-Za-z]\w*) as", re.MULTILINE)


class Gathered(ModuleType):
    """A package with its public names, and a table of the modules where names are defined."""

    __all__: list[str]
    homes: dict[str, str]

    def __getattr__(self, name: str) -> object:
        """Import a name when it is first asked for."""
        homes = vars(self).get("homes", {})
        if name not in homes:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        home = homes[name]
        value = import_module(f".{home or name}", self.__name__)
        if home:
            value = getattr(value, name)
            setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute, but for a module that the import system would put in the place of what has its name."""
        if not (isinstance(value, ModuleType) and vars(self).get("homes", {}).get(name)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        """Return the public names."""
        return list(self.__all__)


def gather(package: str, inner: frozenset[str] = frozenset()) -> list[str]:
    """Let a package import its names on demand, and return the public ones: its ``__init__.pyi`` says where each is.

    That is the table that type checkers read, too. ``inner`` are names for other rooms only.
    """
    module = sys.modules[package]
    loader: Any = module.__loader__
    homes = {name: home for home, name in _NAMES.findall(loader.get_data(f"{module.__file__}i").decode())}
    vars(module)["homes"] = homes
    module.__class__ = Gathered
    return sorted(homes.keys() - inner)
