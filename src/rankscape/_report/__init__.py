"""Reports: tables and numbers as text, for a terminal, a spreadsheet, a program or a paper; and the ranking card."""

from ..gathered import gather

__all__ = gather(__name__)
