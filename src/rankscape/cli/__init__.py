"""The command line: a table of commands, each imported when it is called; each one reads, computes and shows."""

from . import interrupts as interrupts  # first: Ctrl-C during the imports below ends the command line quietly

# isort: split
import click

from ..version import __version__
from .endings import DEBUG, Commands, example, spelled

COMMANDS = {
    "audit": "Say whether a score may be used to rank.",
    "convert": "Convert files of other tools into a table of results.",
    "count": "Count outcomes in tables of predictions.",
    "demo": "Rank real classifiers, and write their explorer.",
    "decide": "Decide which model to deploy, at which threshold.",
    "domains": "Show the hardest domain of each model, and its bottleneck.",
    "explore": "Write the explorer: one HTML page to look at all sound rankings.",
    "formats": "List the formats of files that rankscape reads.",
    "gate": "Check that a new model is no worse than the one in use (for CI).",
    "locate": "Say where a score is on the Tile and what it prefers.",
    "rank": "Rank the models of a table by a score or a preference.",
    "report": "Write the ranking card, for a paper or a review.",
    "schema": "Print the JSON schema of an input or an output, or list them.",
    "scores": "List the named scores, or describe those that match PATTERN.",
    "site": "Write the static site of a challenge, or check submissions.",
    "tile": "Draw the Tile, the map of all sound rankings.",
    "tradeoff": "Find the best F_β for ranking, and say how good F1 is.",
    "why": "Say which model is first, and what would change that.",
}
"""Each command with the first sentence of its help; the module of its name has the ``command``."""


@click.group(
    cls=Commands,
    package=__name__,
    summaries=COMMANDS,
    epilog=example("rankscape rank results.csv --by f1"),
    context_settings={"help_option_names": ["-h", "--help"], "token_normalize_func": spelled},
)
@click.version_option(__version__, prog_name="rankscape")
@click.option(DEBUG, is_flag=True, expose_value=False, help="Show where an error came from; anywhere on the line.")
def main() -> None:
    """Rank classifiers soundly: leaderboards, and the Tile, the map of all sound rankings.

    Exit status: 0 fine, 1 a finding (such as no place on the Tile), 2 wrong usage, 3 bad data, 4 undecided; as usual
    in shells 130 after Ctrl-C, 141 where nobody reads the output any more.
    """
