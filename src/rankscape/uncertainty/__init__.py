"""Uncertainty: draws of performances, intervals of ranks, sure differences, and the gate for a new model."""

from ..gathered import gather

_INNER = frozenset(
    {
        "ACCURACY", "Evidence", "about_draws", "cautions_of", "drawn_from",
        "evidence_of_counts", "graded_cases", "on_differences", "on_other_domains", "sentences",
    }
)  # fmt: skip
"""What other rooms need of draws, where they are asked for; no public names."""

__all__ = gather(__name__, _INNER)
