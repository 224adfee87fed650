"""Decisions: which model to deploy with which threshold, at the costs and the prevalence of its future use."""

from ..gathered import gather

__all__ = gather(__name__)
