"""rankscape: sound, performance-based ranking of classifiers and other methods."""

import atexit
from importlib import import_module
from typing import Any

from . import interrupts as interrupts  # first: Ctrl-C during the imports below ends the command line quietly

# isort: split
from . import datasets, distributions, domains, regions, soundness, tasks, tile, uncertainty, views
from ._report import Card, report
from ._scores import (
    Score,
    as_scorer,
    locate,
    probabilistic_score,
    probabilistic_scores,
    ranking_score,
    score,
    scores,
    vut,
)
from ._tradeoff import Tradeoff, tradeoff, tradeoffs
from .domains import summarize
from .errors import (
    DataError,
    MissingExtraError,
    NoPlaceError,
    RankscapeError,
    UndefinedScoreError,
    UnknownScoreError,
    UsageError,
)
from .exits import release_engines
from .explorer import explore
from .io import Accumulator, IncompleteDataWarning, count, read
from .ordering import Ranking, UnsoundScoreWarning, compare, kendall_tau, rank
from .outcomes import TWO_CLASS, SampleSpace, at, canonical_importance, costs, fbeta, importance, net_benefit
from .performances import Performances
from .soundness import Audit, Finding, audit, check_axioms
from .thresholds import BestThreshold, ThresholdSweep, sweep
from .tile import TileMap
from .uncertainty import gate
from .version import __version__ as __version__

atexit.register(release_engines)


def __getattr__(name: str) -> Any:
    """Import ``plots`` when it is asked for: with it comes matplotlib, which takes a while."""
    if name != "plots":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(".plots", __name__)


__all__ = [
    "TWO_CLASS",
    "Accumulator",
    "Audit",
    "BestThreshold",
    "Card",
    "DataError",
    "Finding",
    "IncompleteDataWarning",
    "MissingExtraError",
    "NoPlaceError",
    "Performances",
    "Ranking",
    "RankscapeError",
    "SampleSpace",
    "Score",
    "ThresholdSweep",
    "TileMap",
    "Tradeoff",
    "UndefinedScoreError",
    "UnknownScoreError",
    "UnsoundScoreWarning",
    "UsageError",
    "as_scorer",
    "at",
    "audit",
    "canonical_importance",
    "check_axioms",
    "compare",
    "costs",
    "count",
    "datasets",
    "distributions",
    "domains",
    "explore",
    "fbeta",
    "gate",
    "importance",
    "kendall_tau",
    "locate",
    "net_benefit",
    "probabilistic_score",
    "probabilistic_scores",
    "rank",
    "ranking_score",
    "read",
    "regions",
    "report",
    "score",
    "scores",
    "soundness",
    "summarize",
    "sweep",
    "tasks",
    "tile",
    "tradeoff",
    "tradeoffs",
    "uncertainty",
    "views",
    "vut",
]
