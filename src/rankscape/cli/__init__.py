"""The command line: a table of subcommands; each one reads, computes and shows."""

from . import interrupts as interrupts  # first: Ctrl-C during the imports below ends the command line quietly

# isort: split
import click

from ..version import __version__
from . import audit, count, demo, domains, explore, gate, locate, rank, report, schema, scores, tile, tradeoff, why
from .base import debug_option, example
from .endings import Commands

ROOMS = (rank, why, tile, tradeoff, domains, gate, audit, count, explore, report, scores, locate, schema, demo)


@click.group(
    cls=Commands,
    epilog=example("rankscape rank results.csv --by f1"),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="rankscape")
@debug_option
def main() -> None:
    """Rank classifiers soundly: leaderboards, and the Tile, the map of all sound rankings.

    Exit status: 0 fine, 1 a finding (such as no place on the Tile), 2 wrong usage, 3 bad data, 4 undecided; as usual
    in shells 130 after Ctrl-C, 141 where nobody reads the output any more.
    """


for room in ROOMS:
    main.add_command(room.command)
