"""Several domains: summarized performances, the weights that domains really have, their roles, and stability."""

from ..gathered import gather

__all__ = gather(__name__)
