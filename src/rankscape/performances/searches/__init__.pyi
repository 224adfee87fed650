"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from .cv_results import rows_of_cv_results as rows_of_cv_results
