"""Draw results with matplotlib, on the screen or for a paper; the numbers come from the results."""

from ..gathered import gather

__all__ = gather(__name__)
