"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from .reconstruction import Reconstruction as Reconstruction
from .reconstruction import reconstruct as reconstruct
from .tables import PublishedRanking as PublishedRanking
from .tables import PublishedTable as PublishedTable
