"""Results of scikit-learn's searches and cross-validations: loaded when they are read."""

from ...gathered import gather

__all__ = gather(__name__)
