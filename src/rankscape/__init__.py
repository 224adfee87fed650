"""rankscape: sound, performance-based ranking of classifiers and other methods."""

from importlib import import_module
from types import ModuleType

from .version import __version__ as __version__

_MODULES = (
    "datasets", "distributions", "domains", "plots", "regions", "soundness",
    "tasks", "tile", "typing", "uncertainty", "views",
)  # fmt: skip
_HOMES = {
    "_report.card": ("report",),
    "_report.pages": ("Card",),
    "_scores": (
        "Score", "as_scorer", "locate", "probabilistic_score", "probabilistic_scores", "ranking_score", "score",
        "scores", "vut",
    ),
    "_tradeoff": ("Tradeoff", "tradeoff", "tradeoffs"),
    "domains": ("summarize",),
    "errors": (
        "DataError", "MissingExtraError", "NoPlaceError", "RankscapeError", "UndefinedScoreError",
        "UnknownScoreError", "UsageError",
    ),
    "explorer": ("explore",),
    "io": ("Accumulator", "IncompleteDataWarning", "count", "read"),
    "ordering": ("Ranking", "UnsoundScoreWarning", "compare", "kendall_tau", "rank"),
    "outcomes": (
        "TWO_CLASS", "SampleSpace", "at", "canonical_importance", "costs", "fbeta", "importance", "net_benefit",
    ),
    "performances": ("Performances", "concat"),
    "soundness": ("Audit", "Finding", "audit", "check_axioms"),
    "thresholds": ("BestThreshold", "ThresholdSweep", "sweep"),
    "tile": ("TileMap",),
    "uncertainty": ("gate",),
}  # fmt: skip
"""Where each public name is defined; it is imported when it is first asked for. Type checkers read ``__init__.pyi``."""

__all__ = sorted((*_MODULES, *(name for names in _HOMES.values() for name in names)))


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: that keeps the command line and small scripts quick."""
    if name in _MODULES:
        return _module(name)
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(_module(home), name)
    return value


def _module(home: str) -> ModuleType:
    return import_module(f".{home}", __name__)


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
