"""How fast every path is, for every kind of input and at every size, as ratios: ``python -m benchmarks``."""
