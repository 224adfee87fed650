"""``python -m rankscape`` is the command ``rankscape``."""

from .cli import main

main(prog_name="rankscape")
