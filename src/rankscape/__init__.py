"""rankscape: sound, performance-based ranking of classifiers and other methods."""

from .gathered import gather
from .version import __version__ as __version__

__all__ = gather(__name__)
