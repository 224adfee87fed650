"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from .box import ACCURACY as ACCURACY
from .draws import Draws as Draws
from .draws import drawn_from as drawn_from
from .draws import posterior as posterior
from .errors import graded_cases as graded_cases
from .evidence import Evidence as Evidence
from .evidence import evidence_of_counts as evidence_of_counts
from .gate import Gate as Gate
from .gate import gate as gate
from .intervals import RankIntervals as RankIntervals
from .intervals import rank_intervals as rank_intervals
from .paired import paired as paired
from .paired import paired_table as paired_table
from .paired import resampled_domains as resampled_domains
from .summary import about_draws as about_draws
from .summary import cautions_of as cautions_of
from .summary import on_differences as on_differences
from .summary import on_other_domains as on_other_domains
from .summary import sentences as sentences
from .tiles import FirstTile as FirstTile
from .tiles import first_tile as first_tile
