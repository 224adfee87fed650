"""The table of tasks: how outcomes are recognized, and what scores are called. A new task costs one row."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from ..outcomes import TWO_CLASS, SampleSpace
from ..performances import Performances
from . import detection, multi_class, ranking, retrieval, success

ERRORS = ("error", "misclassification", "er", "err", "zero one loss", "zerooneloss")
"""Names of the error rate; the word "rate" goes without saying."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """What other rooms ask about a task.

    ``spaces`` are its sample spaces; or ``several``: one for each set of classes. ``catalogue`` says whether its scores
    are those of ``rs.scores()``; else they are those that its spaces name. ``default`` is the score by which entities
    are ranked where none is named, ``formula`` that of the accuracy; ``errors`` are names of the error rate.
    ``averages`` are the kinds of averages over classes; ``means`` are the scores whose macro-averages have names of
    their own, with these names. ``why_not`` gets a name (normalized, and its words) and says why it is no score here.
    ``columns`` are headers of tables of counts, each with what makes performances of the columns.
    """

    spaces: tuple[SampleSpace, ...] = ()
    several: bool = False
    catalogue: bool = False
    default: str | None = None
    formula: str = ""
    errors: tuple[str, ...] = ()
    averages: tuple[str, ...] = ()
    means: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    why_not: Callable[[str, Collection[str]], str | None] = lambda name, parts: None
    columns: Mapping[tuple[str, ...], Callable[..., Performances]] = field(default_factory=dict)


TASKS = (
    Task(spaces=(TWO_CLASS,), catalogue=True, default="f1"),
    Task(
        several=True,
        default="accuracy",
        formula="P(prediction = truth)",
        errors=ERRORS,
        averages=("macro", "micro", "weighted"),
        means={
            "recall": ("balanced accuracy", "ba"),
            "jaccard": ("mean IoU", "mIoU", "mean intersection over union", "mean jaccard"),
        },
        why_not=multi_class.why_not,
    ),
    Task(
        spaces=(success.SPACE, success.SPACE_WITH_UNANSWERED),
        default="accuracy",
        formula="P(success)",
        errors=(*ERRORS, "failure"),
        columns={
            ("correct", "total"): success.from_counts,
            ("correct", "incorrect"): success.from_both,
            ("passed", "failed"): success.from_both,
            ("right", "wrong"): success.from_both,
        },
    ),
    Task(spaces=(retrieval.SPACE, retrieval.SPACE_WITH_NONE, detection.SPACE), default="f1"),
    Task(spaces=(ranking.SPACE,), why_not=ranking.why_not),
)
"""One row per kind of sample space; clusterings are of two classes, and the outcomes of regression are not finite."""

BY_HAND = Task(default="f1")
"""What holds for a sample space of a user's own."""


def task_of(space: SampleSpace) -> Task:
    """Return the task that has the outcomes of a sample space.

    >>> task_of(success.SPACE).default, task_of(SampleSpace("coin", ("heads", "tails"))) is BY_HAND
    ('accuracy', True)
    """
    for task in TASKS:
        if space.outcomes in [known.outcomes for known in task.spaces] or (task.several and space.labels):
            return task
    return BY_HAND


def default_score(space: SampleSpace) -> str | None:
    """Return the name of the score by which performances are ranked where none is named: F₁, accuracy, the mean grade.

    >>> default_score(multi_class.space(["a", "b", "c"]))
    'accuracy'
    """
    task = task_of(space)
    return task.default if task.catalogue or task.default in space.scores else success.mean_of_grades(space)
