"""How sure we are: draws of performances, intervals of ranks, sure differences, and the gate for a new model."""

from ..gathered import gather

__all__ = gather(__name__)
