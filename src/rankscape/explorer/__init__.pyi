"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from .explore import explore as explore
