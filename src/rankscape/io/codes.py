"""Codes: what cells mean, the outcome that a pair of labels is, and the performances that groups of rows amount to."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from ..account import Account
from ..arrays import Label
from ..checks.labels import refuse_scores, refuse_values
from ..checks.positive import positive_class, usual_positive
from ..errors import DataError, Option, UsageError
from ..kernels.exact import MOST_DIGITS
from ..outcomes import TWO_CLASS, SampleSpace
from ..performances import Performances
from ..results import Result, Table, without_guard
from ..tasks.classes import class_text, space
from ..texts import counted, some
from .cells import missing
from .sheets import quoted

ALL_LABELS = "all"
ALL_OF_SEVERAL = "all of several"
"""As ``ALL_LABELS`` where more than two labels are true of some case, and no positive one is named; else as None."""
NO_ANSWER = "no answer"
"""The class that stands for a prediction that is missing, where there are more than two: it is never right."""

LabelsOf: TypeAlias = Literal["all"] | Sequence[Label] | None
"""The labels of a table where they are named: a sequence, or all that occur."""
Invalid: TypeAlias = Literal["error", "warn", "never"]
"""What rows do that cannot be counted: raise, warn, or raise an error that names no way around."""
INVALID: tuple[Invalid, ...] = ("error", "warn")
"""The values that a user may choose."""

_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]+)?(e[+-][0-9]+)?", re.IGNORECASE)  # as programs write them
_READS_AS_NUMBER = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?")
_MOST_STRANGERS = 3
"""Labels that were not expected and are named one by one; of more, all are one sentence."""


class Group(NamedTuple):
    """Equal rows of a table of predictions: how many, and their total weight."""

    domain: Any
    entity: Any
    truth: Any
    predicted: Any
    rows: int
    weight: int | float | Fraction


# What a cell means


def plain_value(value: Any) -> Any:
    """Return a cell as Python has it: None where it holds no value, and whole numbers as integers."""
    if missing(value):
        return None
    value = value.item() if isinstance(value, np.generic) else value
    whole = isinstance(value, (float, Decimal)) and math.isfinite(value)
    whole = whole and (isinstance(value, float) or value.adjusted() < MOST_DIGITS) and value == int(value)
    return int(value) if whole else value


def plain_name(value: Any) -> Any:
    """Return the name of an entity or a domain, None where it is missing or blank."""
    value = plain_value(value)
    return None if isinstance(value, str) and not value.strip() else value


def order_of(value: Any) -> tuple[bool, Any]:
    """Order numbers by value, before all else by text."""
    number = isinstance(value, (Real, Decimal)) and not isinstance(value, bool)
    return not number, value if number else str(value)


def name_order(value: Any) -> tuple[bool, Any, str]:
    """Order names by value where they read as numbers, as those of a CSV file do, before all else by text."""
    text = str(value)
    number = isinstance(value, str) and _READS_AS_NUMBER.fullmatch(value) is not None
    return (*((False, Decimal(text)) if number else order_of(value)), text)


def values_of_labels(texts: Iterable[str]) -> dict[str, Any]:
    """Return what the labels of a table of text are: numbers, true and false, where all are written so; else texts.

    007 and 1e1 are names, and so are 1.1 and 1.10 beside each other; 1 and 1.0 are one number.

    >>> values_of_labels(["0", "1.0", "true"]), values_of_labels(["0", "x"])
    ({'0': 0, '1.0': 1, 'true': True}, {'0': '0', 'x': 'x'})
    """
    values: dict[str, Any] = {}
    for text in dict.fromkeys(texts):
        if text.lower() in ("true", "false"):
            values[text] = text.lower() == "true"
        elif _NUMBER.fullmatch(text):
            values[text] = int(text) if text.lstrip("-").isdigit() else plain_value(float(text))
        else:
            values[text] = None
    broken = [value for value in values.values() if isinstance(value, float)]
    return {text: text for text in values} if None in values.values() or len({*broken}) < len(broken) else values


def meaning_of_labels(cells: Iterable[Any], texts: bool) -> Callable[[Any], Any]:
    """Return what gives the value of each label of a table, of ``texts`` as all of them together are understood."""
    if not texts:
        return plain_value
    values = values_of_labels(cell.strip() for cell in cells if isinstance(cell, str) and cell.strip())
    return lambda raw: values.get(raw.strip(), raw.strip() or None) if isinstance(raw, str) else plain_value(raw)


def name_in(raw: Any, texts: bool) -> Any:
    """Return the name in a cell, None where it is missing or blank; of ``texts`` without what guards it in sheets."""
    name = plain_name(raw)
    return without_guard(name.strip()) if texts and isinstance(name, str) else name


# Which outcome a pair of labels is


class Coding(NamedTuple):
    """How pairs of labels become outcomes: the sample space, what is known, and the position of a pair in Ω."""

    space: SampleSpace
    known: frozenset[Any] | None
    place: Callable[[Any, Any], int]
    positive: Any = None


def coding_of(groups: Sequence[Group], pos_label: Any, labels: Any, scored: bool) -> Coding:
    """Return how the labels of groups are to be read, or raise where that is doubtful.

    Of K > 2 labels Ω is all pairs (truth, prediction), of which the diagonal is satisfying.
    """
    true: Counter[Any] = Counter()
    predicted: Counter[Any] = Counter()
    for group in groups:
        true[group.truth] += group.rows
        if not scored:
            predicted[group.predicted] += group.rows
    refuse_scores(true, predicted)
    _refuse_mixed(true, predicted)
    seen = sorted({*true, *predicted}, key=order_of)
    if isinstance(labels, str) and labels == ALL_OF_SEVERAL:
        several = pos_label is None and len(true) > 2
        if several:
            refuse_values(true, predicted)
        labels = ALL_LABELS if several else None
    given: list[Any] | None = None
    if labels is not None and isinstance(labels, str) and labels == ALL_LABELS:
        given = seen
    elif labels is not None:
        given = [] if isinstance(labels, str) else [_matched(label, seen) for label in labels]
        if len(given) < 2 or len(set(given)) < len(given) or None in given:
            name = Option("labels", python="labels")
            raise UsageError([name, " takes two or more different labels, or all"], got=repr(labels))
        given += [NO_ANSWER] if NO_ANSWER in seen and NO_ANSWER not in given else []
    if given is not None and len(given) > 2 and pos_label is None:
        if scored:
            way_out = [["name the positive class with ", Option("pos_label")]]
            raise UsageError("a score with a threshold has two classes", way_out=way_out)
        alike = Counter(map(class_text, given))
        if again := [label for label in given if alike[class_text(label)] > 1]:
            raise DataError(f"the labels {listed(again)} are written alike, and would be one class: rename all but one")
        at = {label: i for i, label in enumerate(given)}
        return Coding(space(given), frozenset(given), lambda truth, predicted: len(at) * at[truth] + at[predicted])
    known = None if given is None else frozenset(given)
    if given is None:
        usual = usual_positive(seen if len(seen) <= 2 else [*true])
        pair = frozenset({*true, usual if pos_label is None else _matched(pos_label, seen)})
        known = pair if len(true) <= 2 and len(pair) == 2 and None not in pair else None
        if pos_label is None and known is None and len(seen) > 2:
            raise DataError(
                f"the labels {listed(seen)} are more than two",
                way_out=[
                    ["name the positive class with ", Option("pos_label"), " (all others are then negative)"],
                    ["ask for one performance over all pairs of labels with ", Option("labels", "all")],
                ],
            )
    among = given or (sorted(known, key=order_of) if known is not None and pos_label is None else seen)
    positive = positive_class(among, None if pos_label is None else _matched(pos_label, among))

    def place(truth: Any, predicted: Any) -> int:
        return 2 * int(truth == positive) + int(predicted if scored else predicted == positive)

    return Coding(TWO_CLASS, known, place, positive)


def _matched(pos_label: Any, labels: Sequence[Any]) -> Any:
    """Return the positive label as the table has it; a text and a number that read alike are one."""
    positive = plain_value(pos_label)
    texts = [label for label in labels if isinstance(label, str)]
    if isinstance(positive, str) and not texts:
        return values_of_labels([positive.strip()])[positive.strip()]
    if not isinstance(positive, str) and len(texts) == len(labels):  # 1 where a table of text has "1"
        alike = [label for label in texts if values_of_labels([label])[label] == positive]
        return alike[0] if len(alike) == 1 else positive
    return positive


def _refuse_mixed(true: Counter[Any], predicted: Counter[Any]) -> None:
    """Refuse labels of several kinds, such as 1 and "1"."""
    kinds = []
    for what, labels in (("true", true), ("predicted", predicted)):
        met: dict[str, list[Any]] = {}
        for label in labels:
            number = isinstance(label, (Real, Decimal))
            if label != NO_ANSWER or len(labels) == 1:
                kind = "texts" if isinstance(label, str) else "numbers" if number else type(label).__name__
                met.setdefault(kind, []).append(label)
        if len(met) > 1:
            examples = " and ".join(f"{kind} ({quoted_label(of[-1])})" for kind, of in sorted(met.items()))
            rows = ", ".join(f"{sum(map(labels.__getitem__, of))} {kind}" for kind, of in sorted(met.items()))
            raise DataError(f"the {what} labels are {examples} in one column ({rows}): use one kind of label")
        kinds.append(next(iter(met), ""))
    if predicted and kinds[0] != kinds[1]:
        raise DataError(
            f"true labels are {kinds[0]} ({listed(true)}), predicted labels are {kinds[1]} ({listed(predicted)}): "
            "use the same labels in both"
        )


def quoted_label(label: Any) -> str:
    """Return a label as a sentence shows it: texts in quotes."""
    return quoted(label) if isinstance(label, str) else repr(label)


def listed(labels: Iterable[Any]) -> str:
    """Return labels as a sentence shows them: the first few."""
    return some(list(labels), quote="", word=quoted_label)


# From groups to performances


@dataclass(frozen=True, eq=False, repr=False)
class Tally(Result):
    """The performances, and how many rows were counted or left out for each of them.

    ``rows`` is the number of rows counted or left out (of several columns of predictions, of each), ``records`` that of
    the files, by another way of counting, None for data frames; ``left_out`` gives, for each reason, how many were not
    counted; ``warnings`` are sentences about them and about unmatched cases, ``notes`` are other sentences.
    ``positive`` is the positive label, ``known`` are the labels that were expected, None where all are. ``pooled`` are
    the columns that were not used but may name entities or domains: {header: "entity" or "domain"}. Get one from
    :func:`rankscape.io.tally`.
    """

    performances: Performances
    rows: int
    left_out: dict[str, int]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    per_entity: Table
    positive: Any = None
    known: frozenset[Any] | None = None
    records: int | None = None
    pooled: Mapping[str, str] = field(default_factory=dict)

    @property
    def account(self) -> Account:
        """What was read."""
        return self.performances.account or Account()

    def table(self) -> Table:
        """Return the rows and those left out, per domain (if any) and entity."""
        return self.per_entity


def tallied(groups: Sequence[Group], *, pos_label: Any, labels: Any, invalid: Invalid, scored: bool) -> Tally:
    """Return the performances that groups amount to, one per domain and entity, sorted; see :func:`count`.

    With ``scored`` predictions are already True or False. Raises DataError, with numbers, for rows that cannot be
    counted, unless ``invalid`` is "warn"; "never" is an error that names no way around.
    """
    total = sum(group.rows for group in groups)
    if not total:
        raise DataError("there is no row; expected one per case and entity")
    cells = (
        "the truth",
        "the score" if scored else "the prediction",
        "the name of the entity",
        "the name of the domain",
    )
    lacking = {
        what: sum(group.rows for group in groups if group[i] is None)
        for what, i in zip(cells, (2, 3, 1, 0), strict=True)
    }
    problems = [(f"{what} is missing", n) for what, n in lacking.items() if n]
    without = lacking.get("the prediction", 0)
    ways: list[Any] = [] if not without else [
        ["count missing predictions as wrong with ", Option("unanswered", "wrong")],
        ["compare on the cases that every model answered with ", Option("unanswered", "common")],
    ]  # fmt: skip
    ways += ["fill in what is missing"] if sum(lacking.values()) > without else []
    complete = [group for group in groups if None not in group[:4]]
    if not complete:
        raise DataError(f"no row can be counted: {_sentence(problems, total)}", way_out=ways)
    coding = coding_of(complete, pos_label, labels, scored)
    counts: dict[tuple[Any, Any], list[Any]] = {}
    seen, used, strangers = Counter[tuple[Any, Any]](), Counter[tuple[Any, Any]](), Counter[Any]()
    for group in groups:
        seen[group.domain, group.entity] += group.rows
    for domain, entity, truth, predicted, rows, weight in complete:
        strange = [x for x in (truth, predicted)[: 2 - scored] if coding.known is not None and x not in coding.known]
        if strange:
            strangers[strange[0]] += rows
            continue
        outcomes = counts.setdefault((domain, entity), [0] * len(coding.space))
        outcomes[coding.place(truth, predicted)] += weight
        used[domain, entity] += rows
    expected = listed(sorted(coding.known or (), key=order_of))
    most = [(quoted_label(label), n) for label, n in strangers.most_common()]
    if len(most) > _MOST_STRANGERS:
        named = ", ".join(label for label, _ in most[:_MOST_STRANGERS])
        problems.append((f"a label, such as {named}, is none of {expected}", strangers.total()))
    else:
        problems += [(f"a label is {label}, which is none of {expected}", n) for label, n in most]
    if problems and invalid != "warn":
        ways += ["correct the labels"] if strangers else []
        if invalid == "error":
            ways += [["name all labels with ", Option("labels")]] if strangers else []
            ways += [["leave such rows out, and see how many, with ", Option("invalid", "warn")]]
        raise DataError(_sentence(problems, total), way_out=ways)
    for domain, entity in seen:  # none vanishes
        if None not in (domain, entity) and not any(counts.get((domain, entity), ())):
            raise DataError(
                f"entity {quoted(str(entity))}{'' if domain == '' else f' on domain {quoted(str(domain))}'} has no row "
                "that can be counted, or only weights of 0; expected at least one: correct the table, or drop the "
                "entity"
            )
    for of in zip(*counts, strict=True):  # tables of counts are read without spaces around names
        texts: dict[str, str] = {}
        for name in map(str, of):
            if (other := texts.setdefault(name.strip(), name)) != name:
                raise DataError(
                    f"two names differ by spaces only: {quoted(other)} and {quoted(name)}; write them alike"
                )
    keys = sorted(counts, key=lambda key: (name_order(key[0]), name_order(key[1])))
    places, names = dict.fromkeys(d for d, _ in keys), dict.fromkeys(e for _, e in keys)
    absent = [(d, e) for d in places for e in names if (d, e) not in counts]  # without any row
    word = "entity {} on domain {}".format
    cells_of = some(absent, 1, quote="", word=lambda cell: word(quoted(str(cell[1])), quoted(str(cell[0]))))
    domains, entities = [str(domain) for domain, _ in keys], [str(entity) for _, entity in keys]
    on_domains = any(domains)
    per_entity = {"entity": entities, "rows": [seen[key] for key in keys], "counted": [used[key] for key in keys]}
    return Tally(
        Performances.from_weighted_counts(
            np.array([counts[key] for key in keys], dtype=object), names=entities,
            domains=domains if on_domains else None, space=coding.space,
        ),
        total,
        dict(problems),
        tuple(f"{_sentence([problem], total)}: left out" for problem in problems),
        (f"{len(absent)} of {len(places) * len(names)} cells have no row: {cells_of}",) if absent else (),
        Table(({"domain": domains} if on_domains else {}) | per_entity),
        coding.positive,
        coding.known,
    )  # fmt: skip


def _sentence(problems: Sequence[tuple[str, int]], total: int) -> str:
    return "; ".join(f"in {n} of {counted(total, 'row')} {what}" for what, n in problems)
