"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from .best import BestThresholds as BestThresholds
from .record import Alternative as Alternative
from .record import Candidate as Candidate
from .record import Decision as Decision
from .regions import ModelRegions as ModelRegions
from .sweep import decide as decide
from .sweep import sweep as sweep
from .sweeps import Sweeps as Sweeps
from .thresholds import BestThreshold as BestThreshold
from .thresholds import ThresholdSweep as ThresholdSweep
