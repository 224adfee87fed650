"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from .case_rankings import CaseRankings as CaseRankings
from .case_rankings import case_rankings as case_rankings
from .contests import WeightFlip as WeightFlip
from .grid import MissingDomainsWarning as MissingDomainsWarning
from .grid import Prepared as Prepared
from .grid import prepare as prepare
from .roles import LeaveOneOut as LeaveOneOut
from .roles import Roles as Roles
from .roles import leave_one_out as leave_one_out
from .roles import roles as roles
from .roles import roles_tile as roles_tile
from .summary import MeanOfScores as MeanOfScores
from .summary import mean_of_scores as mean_of_scores
from .summary import summarize as summarize
from .weightings import Weightings as Weightings
from .weightings import over_weights as over_weights
from .weightings import weightings as weightings
