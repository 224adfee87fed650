"""The kernels that run, bound once: the compiled ones or, where there are none, their twins in NumPy."""

from . import native, reference

COMPILED = native.extension is not None
correlation_rows = native.correlation_rows if COMPILED else reference.correlation_rows
first_rows = native.first_rows if COMPILED else reference.first_rows
inversions = native.inversions if COMPILED else reference.inversions
inverted_pairs = native.inverted_pairs if COMPILED else reference.inverted_pairs
rank_rows = native.rank_rows if COMPILED else reference.rank_rows
