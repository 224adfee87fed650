"""rankscape: sound, performance-based ranking of classifiers and other methods."""

import re
from importlib import import_module
from pkgutil import get_data

from .version import __version__ as __version__

_STUB = (get_data(__name__, "__init__.pyi") or b"").decode()
_HOMES = {name: home for home, name in re.findall(r"^from \.(\S*) import ([A-Za-z]\w*) as", _STUB, re.MULTILINE)}
"""Where each public name is defined. The table is ``__init__.pyi``, the same one that type checkers read."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: that keeps the command line and small scripts quick."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES[name]
    value = import_module(f".{home or name}", __name__)
    if home:
        value = globals()[name] = getattr(value, name)
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
