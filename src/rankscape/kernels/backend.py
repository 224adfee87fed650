"""The kernels that run, bound once: the compiled ones or, where there are none, their twins in NumPy."""

from .native import extension

if extension is None:
    from .reference import (
        COMPILED,
        correlation_rows,
        first_rows,
        inversions,
        inverted_pairs,
        plain_csv,
        rank_rows,
        value_maps,
    )
else:
    from .native import (
        COMPILED,
        correlation_rows,
        first_rows,
        inversions,
        inverted_pairs,
        plain_csv,
        rank_rows,
        value_maps,
    )

__all__ = [
    "COMPILED", "correlation_rows", "first_rows", "inversions", "inverted_pairs", "plain_csv", "rank_rows", "value_maps"
]  # fmt: skip
