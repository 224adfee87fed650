"""Answers to cases, row by row, from whatever benchmark: right, wrong or graded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import DataError
from ...performances import Performances
from ...texts import some
from ..right_or_wrong import right_or_wrong
from .content import How


@dataclass(frozen=True)
class Answers:
    """Answers, one per position: who answered, on which domain, to which case, and the grade from 0 to 1.

    A grade of None is a case without an answer. Several answers of an entity to a case are averaged. Without
    ``cluster`` cases are drawn by themselves. ``metric`` is what grades are called that are not right or wrong.
    """

    entity: list[str] = field(default_factory=list)
    domain: list[str] = field(default_factory=list)
    case: list[str] = field(default_factory=list)
    grade: list[float | None] = field(default_factory=list)
    cluster: list[str] = field(default_factory=list)
    metric: str = "grade"

    def add(self, entity: str, domain: str, case: str, grade: float | None, cluster: str | None = None) -> None:
        """Add one answer."""
        self.entity.append(entity)
        self.domain.append(domain)
        self.case.append(case)
        self.grade.append(grade)
        if cluster is not None:
            self.cluster.append(cluster)


def performances_of(answers: Answers, how: How, where: Sequence[str]) -> Performances:
    """Return the performances of all that answered; cases without an answer are refused, wrong, or an outcome."""
    columns: dict[str, list[Any]] = {"entity": answers.entity, "case": answers.case, answers.metric: answers.grade}
    if any(answers.domain):
        columns["domain"] = answers.domain
    if answers.cluster:
        columns["cluster"] = answers.cluster
    places = answers.domain or [""] * len(answers.case)
    several = len({*zip(answers.entity, places, answers.case, strict=True)}) < len(answers.case) or None
    try:
        performances = right_or_wrong(
            columns, correct=answers.metric, entity="entity", case="case",
            domain="domain" if "domain" in columns else None,
            cluster="cluster" if answers.cluster else None, repeat=several, unanswered=how.unanswered,
        )  # fmt: skip
    except DataError as error:
        raise error.located(some(where, 1, quote="")) from None
    return performances.noting(columns=dict.fromkeys((*columns, "correct"), ()))  # which are ours, not those of a file
