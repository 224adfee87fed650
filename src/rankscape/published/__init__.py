"""Published numbers: rates as they are printed, the tables of counts they come from, and rankings of them."""

from ..gathered import gather

__all__ = gather(__name__)
