"""How FILE is read: a table of counts, one row per entity, or predictions, one row per case, counted on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import PurePath
from typing import Any

import click

from .. import io
from ..account import Account, together
from ..cases import OPTIONS, ROLES, Cases, cases_of
from ..io.headers import UNANSWERED_AS
from ..io.reading import read_quietly
from ..io.sheets import Source as TableSource
from ..io.sheets import is_stream, source_of
from ..outcomes import TWO_CLASS
from ..performances import Performances, as_performances
from ..tasks.pairs import Pairs
from ..texts import visible
from .base import ACCOUNTS, Decorator, Spelled, group, once, one_or_several, say_what_was_read, single

Given = str | list[str]
"""FILE, or several."""

Files = Given | TableSource
"""What FILE... stands for: a file, several, or what standard input holds."""

OF_CLASSES = ("two-class", "multi-class")
"""The tasks whose predictions are classes, which are counted."""

TASKS = ("regression", "clustering")
"""The tasks whose predictions are no classes."""

OF_TOOLS = ("qrels", "depth", "relevance", "annotations", "iou", "min_score", "metric")
OF_COUNTS = ("from_", *OF_TOOLS)
"""Options of what is no table of cases."""

OF_PREDICTIONS = ("prediction", "task", "weight")
OF_BOTH = ("case", "pos_label", "unanswered", "correct", "repeat", "scale")
"""Options of predictions, and of what is read otherwise."""

PARAMETERS = {word: option.replace("-", "_") for word, option in OPTIONS.items()}
"""How the option of each word for cases is called in the code."""

OF_READING = ("entity_column", "domain_column", "truth", "encoding", *OF_PREDICTIONS, *OF_BOTH, *OF_COUNTS)
"""All options that say how FILE is read."""

OF_OUTCOMES = "would change nothing: regression has no domains, clusters or prior"
ABOUT_PREDICTIONS = "is about predictions: pass --truth, the column of true labels, too"


def called(file: Files) -> str | None:
    """Return the name of a file, without its folders; None for several, and for standard input.

    >>> called("runs/results.csv"), called(["a.csv", "b.csv"]), called("-")
    ('results.csv', None, None)
    """
    return PurePath(file).name or None if isinstance(file, str) and file != "-" else None


def _several(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...] | str | None) -> Any:
    """Return the only value of what may be given several times, the values, or None."""
    return given if given is None or isinstance(given, str) else one_or_several(given)


def _repeats(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> str | bool | None:
    """Return the column that numbers repeats, or True for all answers to a case."""
    value = once(ctx, parameter, given)
    return True if value == "all" else value


def _labels(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> str | list[str] | None:
    """Return the labels that are expected, or "all"."""
    value = once(ctx, parameter, given)
    return value if value in (None, "all") else [text.strip() for text in value.split(",")]


def file_argument(*, required: bool = True) -> Decorator:
    """Add the files that are read, one or several, as ``file``."""
    return click.argument("file", metavar="FILE...|-", nargs=-1, required=required, callback=_several)


def case_options(*roles: str, required: Sequence[str] = ()) -> Decorator:
    """Add the options of roles for cases; see :data:`rankscape.cases.ROLES`."""

    def option(word: str) -> Decorator:
        name, role = f"--{OPTIONS[word]}", ROLES[word]
        how: dict[str, Any] = {"metavar": role.metavar, "help": role.help, "required": word in required}
        if word == "unanswered":
            return click.option(name, type=Spelled(UNANSWERED_AS), **how | {"metavar": None})
        if word == "scale":
            return click.option(name, nargs=2, type=float, **how)
        if role.several:
            return click.option(name, multiple=True, callback=_several, **how)
        return single(name, **how | {"callback": {"repeat": _repeats, "labels": _labels}.get(word, once)})

    return group(*map(option, roles))


reading_options = group(
    case_options("entity", "domain", "truth", "prediction", "correct", "case", "repeat", "weight", "pos_label", "scale",
                 "unanswered"),
    click.option(
        "--task",
        type=Spelled((*OF_CLASSES, *TASKS)),
        help="What is predicted: classes (two-class, multi-class), values (regression) or clusters (clustering).",
    ),
    click.option("--encoding", metavar="NAME", help="Encoding of FILE; by default UTF-8."),
    single("--from", "from_", metavar="FORMAT", help="Format of FILE, one of `rankscape formats`; by default its "
           "content tells."),
    single("--metric", metavar="NAME", help="Benchmarks: the score to read, where there are several."),
    single("--qrels", metavar="FILE", help="TREC: the file of judgements."),
    single("--depth", type=int, metavar="K", help="TREC: the number of documents of each run that count, by default "
           "all."),
    single("--relevance", type=float, metavar="G", help="TREC: the least grade of a relevant document, by default 1."),
    single("--annotations", metavar="FILE", help="COCO: the file of annotations."),
    single("--iou", type=float, metavar="X", help="COCO: the least intersection over union of boxes that match, by "
           "default 0.5."),
    single("--min-score", type=float, metavar="X", help="COCO: the least score of a box that counts, by default 0.5."),
)  # fmt: skip
"""The options that say how FILE is to be read; :func:`performances` takes them."""


class Reading(click.Command):
    """A command that reads FILE: its help keeps the many options of reading apart from those of the question."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and say what was read where its output has not."""
        result = super().invoke(ctx)
        say_what_was_read("")
        return result

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options under three headings."""
        sections: dict[str, list[tuple[str, str]]] = {"Options": [], "How FILE is read": [], "Files of other tools": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                place = 2 if parameter.name in OF_TOOLS else 1 if parameter.name in OF_READING else 0
                list(sections.values())[place].append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)


def kept(file: Given) -> Files:
    """Return FILE, or what standard input or a pipe holds, which can then be read twice."""
    return source_of(file) if isinstance(file, str) and (file == "-" or is_stream(file)) else file


def performances(
    file: Files, domain: str | None = None, cluster: str | None = None, pairs: str = "never", **reading: Any
) -> Performances:
    """Read a file, or standard input, count it if it holds predictions, and choose a domain."""
    if domain is not None and (idle := _idle_averages()):
        raise click.UsageError(f"{idle[0]} would change nothing: --domain chooses one domain")
    if reading["truth"] is None:
        refuse_idle(reading, OF_PREDICTIONS, ABOUT_PREDICTIONS)
        names = {"entity": reading["entity_column"], "domain": reading["domain_column"]}
        same = {name: reading[name] for name in ("encoding", *OF_COUNTS, *OF_BOTH) if name != "from_"}
        table: Any = file  # a source is one for read(), too
        everything = read_quietly(table, format=reading["from_"], cluster=cluster, **names, **same)
    elif reading["task"] in TASKS:
        everything = as_performances(task_performances(file, reading))
    elif reading["prediction"] is None:
        raise click.UsageError(
            "--truth needs --prediction, the column of predicted labels; several of them are several models"
        )
    else:
        data = cases_in(file, reading | {"cluster": cluster}, pairs=pairs, only=domain).performances
        if reading["task"] == "multi-class" and data.space == TWO_CLASS:
            raise click.UsageError("--task multi-class would change nothing: the labels are those of two classes")
        return data if domain is not None else averageable(data, file)
    announce(everything.account)
    return averageable(everything, file) if domain is None else everything.in_domain(domain)


def cases_in(file: Files, options: Mapping[str, Any], **how: Any) -> Cases:
    """Read cases as the options of a command say, and keep what was read."""
    refuse_idle(options, OF_COUNTS, "is about tables of counts; with --truth FILE holds predictions")
    roles = {word: options.get(name) for word, name in PARAMETERS.items()}
    among = {"two-class": None, "multi-class": "all"}.get(options.get("task") or "", io.ALL_OF_SEVERAL)
    given: dict[str, Any] = {"among": among, "encoding": options["encoding"]}
    read = cases_of(file, roles, **given | how)
    announce(read.account)
    return read


def announce(account: Account | None) -> None:
    """Keep what was read: one line says it before the output, and JSON has it inside."""
    accounts = click.get_current_context().meta.setdefault(ACCOUNTS, [])
    if account is not None and account not in accounts:
        accounts.append(account)


def accounted(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document of JSON with the account of all that the command has read."""
    whole = together(click.get_current_context().meta.get(ACCOUNTS, []))
    return {**document, "account": None if whole is None else whole.document()}


def task_performances(file: Files, reading: dict[str, Any]) -> Performances | Pairs:
    """Return the performances in a table of predictions that are no classes."""
    names = ("pos_label", "weight", "correct", "scale", *OF_COUNTS)
    refuse_idle(reading, names, f"would change nothing: {reading['task']} has no such thing")
    if isinstance(file, list):
        raise click.UsageError(f"--task {reading['task']} reads one FILE; got {len(file)}")
    read: Performances | Pairs = import_module("..io.task_tables", __package__).read_task(  # which few need
        file, reading["task"], truth=reading["truth"], prediction=reading["prediction"],
        entity=reading["entity_column"], domain=reading["domain_column"], case=reading["case"],
        encoding=reading["encoding"],
    )  # fmt: skip
    return read


def _idle_averages() -> list[str]:
    """Return the options of the current command that average over domains in another way than by default."""
    given = click.get_current_context().params
    kinds = {"--weights": ("given", None), "--missing": ("missing", "error")}
    return [option for option, (name, default) in kinds.items() if given.get(name, default) != default]


def name_of(file: Files) -> str:
    """Return what errors call FILE.

    >>> name_of("results.csv"), name_of("-")
    ('results.csv', 'standard input')
    """
    if isinstance(file, TableSource):
        return file.where
    return "standard input" if file == "-" else visible(file if isinstance(file, str) else file[0])


def averageable(data: Performances, file: Files) -> Performances:
    """Return performances; refuse options of averages where these name no domains."""
    if data.domains is None and (idle := _idle_averages()):
        raise click.UsageError(
            f"{name_of(file)} names no domains, so there is nothing to average: leave out {idle[0]}, or name the "
            "column of domains with --domain-column"
        )
    return data


def is_paired(reading: dict[str, Any]) -> bool:
    """Tell whether what is read has predictions of several entities on the same cases."""
    classes = reading["task"] is None or reading["task"] in OF_CLASSES
    several = reading["case"] is not None or isinstance(reading["prediction"], list) or reading["repeat"] is not None
    return reading["truth"] is not None and reading["weight"] is None and classes and several


def source(file: Files, sure: bool, resample: str | None, cluster: str | None, **reading: Any) -> Performances | Pairs:
    """Read FILE; where draws are asked for (``sure``), they know which cases the entities share, if it says so."""
    if reading["truth"] is not None and reading["task"] == "regression":
        given = {"domain": reading.get("domain"), "resample": resample, "cluster": cluster}
        given["shift_prior"] = click.get_current_context().params["shift_prior"]
        idle = [
            *_idle_averages(),
            *(f"--{name.replace('_', '-')}" for name, value in given.items() if value is not None),
        ]
        if idle:
            raise click.UsageError(f"{idle[0]} would change nothing: regression has no domains, clusters or prior")
        pairs = task_performances(file, reading)
        announce(pairs.account)
        return pairs
    if reading["truth"] is None:
        return performances(file, cluster=cluster, **reading)
    drawn = sure and resample != "domains" and (is_paired(reading) or cluster is not None)
    if cluster is not None and not drawn:
        raise click.UsageError("--cluster would change nothing: domains are drawn")
    return performances(file, cluster=cluster, pairs="always" if drawn else "never", **reading)


def refuse_idle(reading: Mapping[str, Any], names: tuple[str, ...], why: str) -> None:
    """Refuse options of reading that would say nothing of what FILE holds."""
    for name in names:
        if reading.get(name) not in (None, ()):
            raise click.UsageError(f"--{name.rstrip('_').replace('_', '-')} {why}")
