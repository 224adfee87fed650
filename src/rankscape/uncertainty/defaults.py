"""Numbers and names that those who ask for draws need before there are any."""

from typing import Literal

DRAWS = 2000
"""How many draws are made where no number is asked for."""

LEVEL = 0.95
"""The level of intervals and of sets of ranks where none is asked for."""

UNITS = ("cases", "clusters", "domains")
"""What can be drawn."""

METHODS: tuple[Literal["exchangeable", "jeffreys", "uniform"], ...] = ("exchangeable", "jeffreys", "uniform")
"""The prior distributions that have a name."""

FEW = 100
"""With fewer draws than this, intervals are rough, no probability is stated, and no difference is sure."""
