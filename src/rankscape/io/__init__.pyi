"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from .codes import ALL_OF_SEVERAL as ALL_OF_SEVERAL
from .counting import tally as tally
from .published import read_published as read_published
from .reading import formats as formats
from .reading import read as read
from .scored import ScoredModel as ScoredModel
from .scored import ScoredTable as ScoredTable
from .scored import scored_arrays as scored_arrays
from .scored import scored_table as scored_table
