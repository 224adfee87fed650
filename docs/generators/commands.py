"""A page per command: its options in the groups of its help, and an example that is run when the page is written."""

import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from click.testing import CliRunner

from rankscape.cli import COMMANDS, main

from .rst import block, escaped, in_words, indented, title

ROOT = Path(__file__).resolve().parents[2]

EXAMPLES = {
    "audit": ("rankscape audit mcc --prior 0.2",),
    "convert": ("rankscape convert bm25.run dense.run --answers judgements.qrels --depth 10",),
    "count": ("rankscape count predictions.csv --truth y --prediction yhat --entity-column model",),
    "decide": ("rankscape decide scores.csv --truth y --score s --entity-column model --costs miss=20 --draws 200",),
    "domains": ("rankscape domains three.csv --by f1",),
    "explore": ("rankscape explore three.csv -o explorer.html",),
    "gate": ('rankscape gate new.csv --against prod.csv --box "beta in [0.5, 2], prior in [0.05, 0.2]"', "echo $?"),
    "rank": ('rankscape rank three.csv --by "fbeta(2)"',),
    "report": ("rankscape report three.csv -o report.html --draws 200",),
    "schema": ("rankscape schema",),
    "site": ("rankscape site three.csv -o site --draws 200 --no-figures",),
    "tile": ("rankscape tile three.csv -o tile.png",),
    "tradeoff": ("rankscape tradeoff results.csv",),
    "why": ("rankscape why three.csv --by f1",),
}
"""What is run on the page of a command, where it is not the example of its help."""

SEE_ALSO = {
    "audit": ":func:`rankscape.audit`, :doc:`/howto/audit`",
    "count": ":func:`rankscape.count`, :doc:`/howto/warehouses`",
    "convert": ":func:`rankscape.read`, :doc:`/howto/formats`",
    "decide": ":func:`rankscape.decide`, :doc:`/howto/decide`",
    "demo": ":doc:`/tutorials/index`",
    "domains": ":func:`rankscape.domains.roles`, :func:`rankscape.domains.weightings`, :doc:`/howto/domains`",
    "explore": ":func:`rankscape.explore`, :doc:`/howto/explorer`",
    "formats": ":func:`rankscape.formats`, :doc:`/howto/formats`",
    "gate": ":func:`rankscape.gate`, :doc:`/howto/ci-gate`",
    "locate": ":func:`rankscape.locate`, :doc:`/reference/scores`",
    "rank": ":func:`rankscape.rank`, :func:`rankscape.uncertainty.rank_intervals`, :doc:`/howto/leaderboard`",
    "report": ":func:`rankscape.report`",
    "schema": ":doc:`/reference/schemas`",
    "scores": ":func:`rankscape.scores`, :doc:`/reference/scores`",
    "site": ":func:`rankscape.site`, :doc:`/howto/challenge-site`",
    "tile": ":func:`rankscape.tile.entity`, :func:`rankscape.plots.draw_tile`, :doc:`/reference/2-maps`",
    "tradeoff": ":func:`rankscape.tradeoff`, :doc:`/theory/4-tradeoff`",
    "why": ":func:`rankscape.regions.flips`, :func:`rankscape.regions.prior_flips`",
}
"""What does the same in Python, and the page that shows how."""


ABOUT = {"gate": "In a pipeline", "rank": "Columns of the output", "tile": "Flavors"}
"""The heading of what the end of a help text says."""

WEIGHTS = {"new": 0.4, "old": 0.3}
"""How much of the scores of the made-up models is the truth; the rest is noise."""


class Groups(click.HelpFormatter):
    """A help text that keeps its groups of options apart."""

    def __init__(self) -> None:
        super().__init__(width=10_000)
        self.groups: dict[str, list[tuple[str, str]]] = {}
        self._group = ""

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Note the group."""
        self._group = name
        yield

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Note the options of a group."""
        self.groups.setdefault(self._group, []).extend(rows)


def command_of(name: str) -> tuple[click.Command, click.Context]:
    """Return a command, and the context in which its help is written."""
    context = click.Context(main, info_name="rankscape")
    command = main.get_command(context, name)
    if command is None:
        raise KeyError(name)
    return command, click.Context(command, info_name=name, parent=context)


def options(name: str) -> dict[str, list[tuple[str, str]]]:
    """Return the options of a command, with what they mean, by the group of the help."""
    command, context = command_of(name)
    formatter = Groups()
    command.format_options(context, formatter)
    return formatter.groups


LONGEST_CHOICE = 40
"""Longer lists of choices stand in the text of an option, where lines break."""


KINDS = {"INTEGER RANGE": "N", "FLOAT RANGE": "X", "FLOAT": "X"}
"""What click calls a number, and what the pages call it."""


def limits(text: str) -> str:
    """Return a text of the help with the default and the limits of a value, which click puts into brackets, in words.

    >>> limits("Number of draws. [default: 2000; x>=1]")
    'Number of draws. The default is 2000. The value is at least 1.'
    >>> limits("Share of the way. [0<=x<=1]"), limits("A level. [0<x<1]")
    ('Share of the way. The value lies in [0, 1].', 'A level. The value lies in (0, 1).')
    >>> limits("Column of labels. [required]")
    'Column of labels. Required.'
    """
    before, bracket, inside = text.rstrip().rpartition(" [")
    if not bracket or not inside.endswith("]"):
        return text
    parts = [before]
    for part in inside.removesuffix("]").split("; "):
        if part == "required":
            parts.append("Required.")
        elif part.startswith("default: "):
            parts.append(f"The default is {part.removeprefix('default: ')}.")
        elif match := re.fullmatch(r"x>=(\S+)", part):
            parts.append(f"The value is at least {match[1]}.")
        elif match := re.fullmatch(r"([^<\s]+)(<=?)x(<=?)(\S+)", part):
            ends = ("(", "[")[match[2] == "<="], (")", "]")[match[3] == "<="]
            parts.append(f"The value lies in {ends[0]}{match[1]}, {match[4]}{ends[1]}.")
        else:
            return text
    return " ".join(parts)


def option(flags: str, meaning: str) -> str:
    """Return an option with its meaning.

    >>> print(option("--style [screen|paper]", "Look of a figure."))
    .. option:: --style [screen|paper]
    <BLANKLINE>
       Look of a figure.
    <BLANKLINE>
    """
    name, bracket, choices = flags.partition("[")
    if bracket and len(choices) > LONGEST_CHOICE:
        flags, meaning = f"{name}NAME", f"{meaning} One of {', '.join(choices.rstrip(']').split('|'))}."
    for kind, short in KINDS.items():
        flags = flags.removesuffix(kind) + short if flags.endswith(f" {kind}") else flags
    return f".. option:: {flags}\n\n{indented(in_words(limits(meaning)))}\n"


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text; those whose lines must stay are literal."""
    for part in re.split(r"\n\s*\n", text.strip()):
        if part.lstrip().startswith("\b"):
            yield block("text", part.lstrip().removeprefix("\b").strip("\n"))
        else:
            yield in_words(part) + "\n"


def examples(name: str) -> tuple[str, ...]:
    """Return the lines that the page of a command runs."""
    if name in EXAMPLES:
        return EXAMPLES[name]
    epilog = command_of(name)[0].epilog or ""
    return (epilog.rpartition("Example:")[2].strip(),)


def page(name: str, printed: str = "") -> str:
    """Return the page of a command; ``printed`` is what its example prints, with the lines typed."""
    command, context = command_of(name)
    first, *more = paragraphs((command.help or "").partition("\f")[0])
    about = [part for part in paragraphs((command.epilog or "").partition("\b\nExample:")[0]) if part.strip()]
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [
        f".. _command-{name}:\n",
        title(f"rankscape {name}"),
        first,
        block("text", f"rankscape {name} {usage}"),
        *more,
    ]
    if printed:
        parts += [title("Example", "-"), block("console", printed)]
    parts.append(f".. program:: rankscape {name}\n")
    for group, rows in options(name).items():
        parts.append(title(group, "-"))
        parts += [option(*row) for row in rows]
    if about:
        parts += [title(ABOUT.get(name, "Output"), "-"), *about]
    if name in SEE_ALSO:
        parts.append(f".. seealso:: {SEE_ALSO[name]}\n")
    return "\n".join(parts)


def lay_out(folder: Path) -> None:
    """Write the files of the examples."""
    shutil.copy(ROOT / "examples" / "results.csv", folder)
    rows = (ROOT / "examples" / "results.csv").read_text("utf-8").splitlines()
    kept = ("kernel SVM", "logistic regression", "random forest")
    some = [row for row in rows[1:] if row.split(",")[1] in kept]
    (folder / "three.csv").write_text("\n".join([rows[0], *some]) + "\n", "utf-8")
    cases = [(case % 3 == 0, case * 7919 % 997 / 997) for case in range(240)]
    scores = [
        (model, y, round((1 - weight) * noise + weight * y, 3))
        for model, weight in WEIGHTS.items()
        for y, noise in cases
    ]
    lines = [f"{model},{int(y)},{score}" for model, y, score in scores]
    (folder / "scores.csv").write_text("\n".join(["model,y,s", *lines]) + "\n", "utf-8")
    lines = [f"{model},{int(y)},{int(score >= 0.5)}" for model, y, score in scores]
    (folder / "predictions.csv").write_text("\n".join(["model,y,yhat", *lines]) + "\n", "utf-8")
    (folder / "bm25.run").write_text("q1 Q0 d1 1 9.5 bm25\nq1 Q0 d2 2 8.0 bm25\n", "utf-8")
    (folder / "dense.run").write_text("q1 Q0 d3 1 0.9 dense\nq1 Q0 d1 2 0.8 dense\n", "utf-8")
    (folder / "judgements.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 1\n", "utf-8")
    (folder / "new.csv").write_text("entity,tn,fp,fn,tp\nnew,9120,280,110,490\n", "utf-8")
    (folder / "prod.csv").write_text("entity,tn,fp,fn,tp\nprod,9050,350,150,450\n", "utf-8")


def run(lines: Sequence[str], folder: Path) -> str:
    """Return lines of a shell with what they print, run in a folder."""
    before, status, out = Path.cwd(), 0, []
    os.chdir(folder)
    try:
        for line in lines:
            out.append(f"$ {line}")
            if line == "echo $?":
                out.append(str(status))
                continue
            result = CliRunner().invoke(main, shlex.split(line)[1:], prog_name="rankscape")
            status = result.exit_code
            if status not in (0, 1, 4) or (result.exception and not isinstance(result.exception, SystemExit)):
                raise RuntimeError(f"{line}: {result.output}")
            out.append(result.output.rstrip("\n"))
    finally:
        os.chdir(before)
    return "\n".join(out)


def index() -> str:
    """Return the page that lists the commands."""
    rows = [f":doc:`rankscape {name} <{name}>`\n   {escaped(COMMANDS[name])}\n" for name in sorted(COMMANDS)]
    toc = ".. toctree::\n   :hidden:\n\n" + "".join(f"   {name}\n" for name in sorted(COMMANDS))
    intro = (
        "Each page below describes one command: what it does, an example with its output, and all options in the "
        "order of ``rankscape COMMAND --help``. If you are new, start with :doc:`demo` and :doc:`rank`.\n\n"
        "The examples were run when these pages were built. The table ``results.csv`` is in the folder ``examples``, "
        "and ``three.csv`` holds three of its models. The :doc:`/reference/exit-codes` tell a script how a command "
        "ended.\n"
    )
    return "\n".join([title("Command line"), intro, *rows, toc])


def write(folder: Path) -> None:
    """Write all pages into a folder, and run their examples."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.rst").write_text(index(), "utf-8")
    with tempfile.TemporaryDirectory() as place:
        lay_out(Path(place))
        for name in COMMANDS:
            (folder / f"{name}.rst").write_text(page(name, run(examples(name), Path(place))), "utf-8")
