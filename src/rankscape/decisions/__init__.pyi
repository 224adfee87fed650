"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from .decide import decide as decide
from .record import Alternative as Alternative
from .record import Candidate as Candidate
from .record import Decision as Decision
from .regions import ModelRegions as ModelRegions
from .sweeps import Sweeps as Sweeps
from .sweeps import sweep as sweep
from .thresholds import BestThreshold as BestThreshold
from .thresholds import BestThresholds as BestThresholds
from .thresholds import ThresholdSweep as ThresholdSweep
