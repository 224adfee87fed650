"""How FILE is read: a table of counts, one row per entity, or predictions, one row per case, counted on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import PurePath
from typing import Any

import click

from .. import io
from ..cases import OPTIONS, ROLES, Cases, cases_of
from ..io.headers import UNANSWERED_AS
from ..io.reading import read_quietly
from ..io.sheets import Source as TableSource
from ..io.sheets import is_stream, source_of
from ..outcomes import TWO_CLASS
from ..performances import Performances, as_performances
from ..tasks.pairs import Pairs
from ..texts import visible
from .base import Decorator, announce, given, group, grouped, once, one_or_several, refuse, single
from .base import say_what_was_read as say_what_was_read
from .endings import WAYS_OUT

Given = str | list[str]
"""FILE, or several."""

Files = Given | TableSource
"""What FILE... stands for: a file, several, or what standard input holds."""

OF_CLASSES = ("two-class", "multi-class")
"""The tasks whose predictions are classes, which are counted."""

TASKS = ("regression", "clustering")
"""The tasks whose predictions are no classes."""

OF_COUNTS = ("format", "answers")
"""Options of what is no table of cases."""

OF_PREDICTIONS = ("prediction", "task", "weight")
OF_BOTH = ("case", "pos_label", "unanswered", "correct", "repeat", "scale")
"""Options of predictions, and of what is read otherwise."""

PARAMETERS = {word: option.replace("-", "_") for word, option in OPTIONS.items()}
"""How the option of each word for cases is called in the code."""

OF_READING = ("domain", "entity_column", "domain_column", "truth", "encoding", *OF_PREDICTIONS, *OF_BOTH, *OF_COUNTS)
"""All options that say how FILE is read."""

REGRESSION_HAS_NONE = "would change nothing: regression has no domains, clusters or prior"


def called(file: Files) -> str | None:
    """Return the name of a file, without its folders; None for several, and for standard input.

    >>> called("runs/results.csv"), called(["a.csv", "b.csv"]), called("-")
    ('results.csv', None, None)
    """
    return PurePath(file).name or None if isinstance(file, str) and file != "-" else None


def name_of(file: Files) -> str:
    """Return what errors call FILE.

    >>> name_of("results.csv"), name_of("-")
    ('results.csv', 'standard input')
    """
    if isinstance(file, TableSource):
        return file.where
    return "standard input" if file == "-" else visible(file if isinstance(file, str) else file[0])


# Options


def _several(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Any:
    """Return the only value of what may be given several times, the values, or None."""
    return one_or_several(values)


def _repeats(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | bool | None:
    """Return the column that numbers repeats, or True for all answers to a case."""
    value = once(ctx, parameter, values)
    return True if value == "all" else value


def _labels(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | list[str] | None:
    """Return the labels that are expected, or "all"."""
    value = once(ctx, parameter, values)
    return value if value in (None, "all") else [text.strip() for text in value.split(",")]


def _files(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Any:
    """Return FILE, or several; standard input is one table, which names no file that could be a model."""
    if len(values) > 1 and "-" in values:
        raise click.UsageError("standard input (-) is read alone: save it as a file to read it beside others")
    return one_or_several(values)


def file_argument() -> Decorator:
    """Add the files that are read, one or several, as ``file``."""
    return click.argument("file", metavar="FILE...|-", nargs=-1, required=True, callback=_files)


def case_options(*roles: str, required: Sequence[str] = ()) -> Decorator:
    """Add the options of roles for cases; see :data:`rankscape.cases.ROLES`."""

    def option(word: str) -> Decorator:
        name, role = f"--{OPTIONS[word]}", ROLES[word]
        how: dict[str, Any] = {"metavar": role.metavar, "help": role.help, "required": word in required}
        if word == "unanswered":
            ways = ("common",) if "score" in roles else UNANSWERED_AS  # a case without a score has no threshold
            return click.option(name, type=click.Choice(ways), **how | {"metavar": None})
        if word == "scale":
            return click.option(name, nargs=2, type=float, **how)
        if role.several:
            return click.option(name, multiple=True, callback=_several, **how)
        return single(name, **how | {"callback": {"repeat": _repeats, "labels": _labels}.get(word, once)})

    return group(*map(option, roles))


encoding_option = click.option("--encoding", metavar="NAME", help="Encoding of FILE; by default UTF-8.")
domain_option = single("--domain", metavar="NAME", help="Use this domain only; by default all are averaged.")
of_tools_options = group(
    single("--from", "format", metavar="FORMAT", help="Format of FILE, one of `rankscape formats`; by default its "
           "content tells."),
    single("--answers", "--qrels", "--annotations", "answers", metavar="FILE", help="The right answers beside FILE: "
           "judgements of TREC, or annotations of COCO."),
)  # fmt: skip


score_option = case_options("score")
NO_DRAWS = (
    "is about draws, and thresholds chosen on these cases have none; for their uncertainty, use `rankscape decide`"
)


def reading_options(*more: Decorator) -> Decorator:
    """Add the options that say how FILE is to be read, with ``more`` before them, as a mapping ``reading``."""
    return grouped(
        "reading", *more,
        case_options("entity", "domain", "truth", "prediction", "correct", "case", "repeat", "weight", "pos_label",
                     "scale", "unanswered"),
        click.option("--task", type=click.Choice((*OF_CLASSES, *TASKS)), help="What is predicted: classes (two-class, "
                     "multi-class), values (regression) or clusters (clustering)."),
        of_tools_options,
        encoding_option,
    )  # fmt: skip


class Reading(click.Command):
    """A command that reads FILE: its help keeps the many options of reading apart from those of the question."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and say what was read where its output has not."""
        result = super().invoke(ctx)
        say_what_was_read()
        return result

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options under two headings."""
        sections: dict[str, list[tuple[str, str]]] = {"Options": [], "How FILE is read": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                sections["How FILE is read" if parameter.name in OF_READING else "Options"].append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)


# Reading


def kept(file: Given, encoding: str | None) -> Files:
    """Return FILE, or what standard input or a pipe holds, which can then be read twice."""
    return source_of(file, encoding) if isinstance(file, str) and (file == "-" or is_stream(file)) else file


def performances(
    file: Files, reading: Mapping[str, Any], cluster: str | None = None, pairs: str = "never"
) -> Performances:
    """Read a file, or standard input, count it if it holds predictions, and choose a domain."""
    domain = reading.get("domain")
    if domain is not None:
        refuse(("weights", "missing"), "would change nothing: --domain chooses one domain")
    if reading["truth"] is None:
        refuse(OF_PREDICTIONS, "is about predictions: pass --truth, the column of true labels, too")
        names = {"entity": reading["entity_column"], "domain": reading["domain_column"], "cluster": cluster}
        table: Any = file  # a source is one for read(), too
        everything = read_quietly(
            table, **names, only=domain, **{name: reading[name] for name in ("encoding", *OF_COUNTS, *OF_BOTH)}
        )
    elif reading["task"] in TASKS:
        everything = as_performances(task_performances(file, reading))
    elif reading["prediction"] is None:
        raise click.UsageError(
            "--truth needs --prediction, the column of predicted labels; several of them are several models"
        )
    else:
        data = cases_in(file, {**reading, "cluster": cluster}, pairs=pairs, only=domain).performances
        if reading["task"] == "multi-class" and data.space == TWO_CLASS:
            raise click.UsageError("--task multi-class would change nothing: the labels are those of two classes")
        return data if domain is not None else averageable(data, file)
    announce(everything.account)
    return averageable(everything, file) if domain is None else everything.in_domain(domain)


def cases_in(file: Files, options: Mapping[str, Any], **how: Any) -> Cases:
    """Read cases as the options of a command say, and keep what was read."""
    refuse(OF_COUNTS, "is about tables of counts; with --truth FILE holds predictions")
    roles = {word: options.get(name) for word, name in PARAMETERS.items()}
    among = {"two-class": None, "multi-class": "all"}.get(options.get("task") or "", io.ALL_OF_SEVERAL)
    given: dict[str, Any] = {"among": among, "encoding": options.get("encoding")}
    read = cases_of(file, roles, **given | how)
    announce(read.account)
    return read


def task_performances(file: Files, reading: Mapping[str, Any]) -> Performances | Pairs:
    """Return the performances in a table of predictions that are no classes."""
    task = reading["task"]
    refuse(
        ("pos_label", "weight", "correct", "scale", "repeat", "unanswered", *OF_COUNTS),
        f"would change nothing: {task} has no such thing",
    )
    if isinstance(file, list):
        raise click.UsageError(f"--task {task} reads one FILE; got {len(file)}")
    read: Performances | Pairs = import_module("..io.scored", __package__).read_task(  # which few need
        file, task, truth=reading["truth"], prediction=reading["prediction"], entity=reading["entity_column"],
        domain=reading["domain_column"], case=reading["case"], encoding=reading["encoding"],
    )  # fmt: skip
    return read


def averageable(data: Performances, file: Files) -> Performances:
    """Return performances; refuse options of averages where these name no domains."""
    if data.domains is None and (idle := given("weights", "missing")):
        raise click.UsageError(
            f"{name_of(file)} names no domains, so there is nothing to average: leave out {idle}, or name the "
            "column of domains with --domain-column"
        )
    return data


def swept(file: Given, reading: Mapping[str, Any], score: Any, weights: Any) -> Any:
    """Return the models whose scores a file holds, for a page that shows each at its best thresholds."""
    if reading["truth"] is None:
        raise click.UsageError("--score needs --truth, the column of true labels")
    refuse(("domain",), "is about predictions and counts: with --score, pass a FILE of one domain")
    refuse(("missing",), f"is about counts: with --score, {WAYS_OUT['--missing']}")
    refuse(("task",), "would change nothing: FILE has one row per case, with scores")
    return cases_in(file, {**reading, "score": score}).sweep(weights or "equal")


def is_paired(reading: Mapping[str, Any]) -> bool:
    """Tell whether what is read has predictions of several entities on the same cases."""
    classes = reading["task"] is None or reading["task"] in OF_CLASSES
    several = reading["case"] is not None or isinstance(reading["prediction"], list) or reading["repeat"] is not None
    return reading["truth"] is not None and reading["weight"] is None and classes and several


def source(file: Files, reading: Mapping[str, Any], drawn: Mapping[str, Any]) -> Performances | Pairs:
    """Read FILE; where draws are asked for, they know which cases the entities share, if it says so."""
    cluster, resample = drawn["cluster"], drawn["resample"]
    if reading["truth"] is not None and reading["task"] == "regression":
        refuse(("weights", "missing", "domain", "resample", "cluster", "shift_prior"), REGRESSION_HAS_NONE)
        pairs = task_performances(file, reading)
        announce(pairs.account)
        return pairs
    if reading["truth"] is None:
        return performances(file, reading, cluster)
    paired = drawn["draws"] > 0 and resample != "domains" and (is_paired(reading) or cluster is not None)
    if cluster is not None and not paired:
        raise click.UsageError("--cluster would change nothing: domains are drawn")
    return performances(file, reading, cluster, "always" if paired else "never")
