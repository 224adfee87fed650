"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from ..tasks.table import default_score as default_score
from .lookup import as_score as as_score
from .lookup import locate as locate
from .lookup import named_at as named_at
from .lookup import score as score
from .lookup import score_called as score_called
from .lookup import scores as scores
from .ranking_scores import ranking_score as ranking_score
from .ranking_scores import vut as vut
from .score import Score as Score
from .score import levels as levels
from .score import score_of_importance as score_of_importance
