"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from .explore import banded as banded
from .explore import explore as explore
from .explore import page_of as page_of
