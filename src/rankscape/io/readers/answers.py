"""Answers to cases, row by row, from whatever benchmark: right, wrong or graded."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ...errors import DataError, IncompleteDataWarning, Option, Place
from ...performances import Performances
from ...tasks import success
from ...texts import some
from .content import How


@dataclass(frozen=True)
class Answers:
    """Answers, one per position: who answered, on which domain, to which case, and the grade from 0 to 1.

    A grade of None is a case without an answer. Several answers of an entity to a case are averaged. Without
    ``cluster`` cases are drawn by themselves.
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
    """Return the performances of all that answered; cases without an answer are refused, wrong, or left out."""
    lacking = answers.grade.count(None)
    if lacking and how.unanswered is None:
        raise DataError(
            f"{lacking} of {len(answers.grade)} answers are missing", where=Place(some(where, 1, quote="")),
            expected="an answer to every case, or what to do without",
            way_out=[
                ("count them as wrong with ", Option("unanswered", "wrong")),
                ("rank on the cases that each answered with ", Option("unanswered", "apart")),
            ],
        )  # fmt: skip
    groups: dict[tuple[str, str], dict[str, list[Fraction]]] = {}
    for entity, domain, case, grade in zip(answers.entity, answers.domain, answers.case, answers.grade, strict=True):
        cases = groups.setdefault((domain, entity), {})
        if grade is not None or how.unanswered == "wrong":
            cases.setdefault(case, []).append(Fraction(grade or 0))
    if lacking and how.unanswered == "apart":
        warnings.warn(
            f"{lacking} of {len(answers.grade)} answers are missing: ranks compare the cases that each answered",
            IncompleteDataWarning, stacklevel=2,
        )  # fmt: skip
    silent = next(((entity, domain) for (domain, entity), cases in groups.items() if not cases), None)
    if silent is not None:
        raise DataError(f"{silent[0]} answered no case of {silent[1]}", where=Place(some(where, 1, quote="")))
    means = [[sum(grades, Fraction(0)) / len(grades) for grades in cases.values()] for cases in groups.values()]
    right_or_wrong = all(mean in (0, 1) for of_group in means for mean in of_group)
    earned = [sum(of_group, Fraction(0)) for of_group in means]
    return performances_of_sums(earned, list(map(len, means)), list(groups), counts=right_or_wrong)


def performances_of_sums(
    earned: Sequence[Fraction], totals: Sequence[int], keys: Sequence[tuple[str, str]], *, counts: bool
) -> Performances:
    """Return performances from the sum of the grades and the number of cases of each (domain, entity).

    They are ``counts`` of cases that are right or wrong, or shares of graded ones.
    """
    names = [entity for _, entity in keys]
    domains = [domain for domain, _ in keys] if any(domain for domain, _ in keys) else None
    if counts:
        return success.from_counts([int(one) for one in earned], totals, names=names, domains=domains)
    rows = [[total * one.denominator - one.numerator, one.numerator] for one, total in zip(earned, totals, strict=True)]
    return Performances.from_exact(rows, names=names, domains=domains, space=success.SPACE)
