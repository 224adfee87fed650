"""``python -m rankscape`` is the command ``rankscape``."""

from .cli import main

if __name__ == "__main__":
    main(prog_name="rankscape")
