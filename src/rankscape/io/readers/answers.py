"""Answers to cases, row by row, from whatever benchmark: right, wrong or graded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...performances import Performances
from ...tasks import success
from .content import How


@dataclass(frozen=True)
class Answers:
    """Answers, one per position: who answered, on which domain, to which case, and the grade from 0 to 1.

    A grade of None is a case without an answer. Without ``cluster`` cases are drawn by themselves.
    """

    entity: list[str] = field(default_factory=list)
    domain: list[str] = field(default_factory=list)
    case: list[str] = field(default_factory=list)
    grade: list[float | None] = field(default_factory=list)
    cluster: list[str] = field(default_factory=list)

    def add(self, entity: str, domain: str, case: str, grade: float | None, cluster: str | None = None) -> None:
        """Add one answer."""
        self.entity.append(entity)
        self.domain.append(domain)
        self.case.append(case)
        self.grade.append(grade)
        if cluster is not None:
            self.cluster.append(cluster)


def performances_of(answers: Answers, how: How, where: Sequence[str]) -> Performances:
    """Return the performances of all that answered, whose cases are paired where they are the same."""
    groups: dict[tuple[str, str], list[float]] = {}
    for entity, domain, grade in zip(answers.entity, answers.domain, answers.grade, strict=True):
        groups.setdefault((domain, entity), []).append(grade or 0.0)
    names, domains = [entity for _, entity in groups], [domain for domain, _ in groups]
    correct = [sum(grades) for grades in groups.values()]
    return success.from_counts(correct, list(map(len, groups.values())), names=names, domains=domains)
