"""Several domains: averaged performances, the weights domains end up with, their roles, and stability."""

from ..gathered import gather

__all__ = gather(__name__, frozenset({"over_weights"}))
