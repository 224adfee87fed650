"""Several domains: summarized performances, the weights that domains really have, their roles, and stability."""

from .cross_validation import CrossValidation, cross_validate
from .grid import MissingDomainsWarning
from .prepare import Prepared, prepare
from .role_maps import roles_tile
from .roles import Roles, roles
from .stability import LeaveOneOut, WorstCase, leave_one_out, worst_case
from .summary import MeanOfScores, mean_of_scores, summarize

__all__ = [
    "CrossValidation",
    "LeaveOneOut",
    "MeanOfScores",
    "MissingDomainsWarning",
    "Prepared",
    "Roles",
    "WorstCase",
    "cross_validate",
    "leave_one_out",
    "mean_of_scores",
    "prepare",
    "roles",
    "roles_tile",
    "summarize",
    "worst_case",
]
__dir__ = __all__.copy  # dir() lists the public names
