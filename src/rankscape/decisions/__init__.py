"""Decisions: which model to deploy, with which threshold, at the costs and the prevalence where it will be used."""

from ..gathered import gather

__all__ = gather(__name__)
