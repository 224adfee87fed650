"""What a command loads before it answers: names of modules, for seconds differ between machines."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rankscape
from rankscape.cli import COMMANDS
from rankscape.gathered import Gathered

PACKAGE = rankscape.__name__
SRC = Path(rankscape.__file__).resolve().parents[1]
BEFORE = "import numpy, click"
RANK = "import sys; sys.argv = ['rankscape', 'rank', 'small.csv']; from rankscape.cli import main; main()"

LATE = {
    "_site", "_tradeoff", "decisions", "distributions", "explorer", "plots", "published", "regions", "soundness", "tile", "views",
}  # fmt: skip
"""What a leaderboard of counts does without, and loads nothing of."""

MOST_OF_PYTHONS = 60
"""Modules of Python that ``rankscape rank`` may load beyond numpy and click: some 50 are loaded."""


def modules_after(code: str, folder: Path) -> set[str]:
    """The modules that a fresh interpreter has loaded when a program ends."""
    code = f"import atexit, sys\natexit.register(lambda: print('', *sys.modules, sep='\\n', file=sys.stderr))\n{code}"
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return {line for line in done.stderr.splitlines() if not line.startswith("Read ")} - {""}


def budget_findings(loaded: set[str]) -> list[str]:
    """What a command loads that it can do without."""
    ours = {name for name in loaded if name.split(".")[0] == PACKAGE}
    findings = [f"{name} is not needed" for name in sorted(ours) if name.split(".")[1:2] and name.split(".")[1] in LATE]
    pythons = {name for name in loaded if name.split(".")[0] in sys.stdlib_module_names}
    findings += [f"the library {name} is new" for name in sorted({n.split(".")[0] for n in loaded - ours - pythons})]
    if len(pythons) > MOST_OF_PYTHONS:
        findings.append(f"{len(pythons)} modules of Python, at most {MOST_OF_PYTHONS}: {' '.join(sorted(pythons))}")
    return findings


def test_a_ranking_loads_no_more_than_its_budget(tmp_path: Path) -> None:
    (tmp_path / "small.csv").write_text("entity,tn,fp,fn,tp\na,80,2,9,9\nb,76,6,6,12\n", encoding="utf-8")
    loaded = modules_after(RANK, tmp_path) - modules_after(BEFORE, tmp_path)
    assert f"{PACKAGE}.ordering" in loaded
    loaded = {
        name for name in loaded if name.split(".")[0] != "numpy"
    }  # which parts numpy loads late is its own matter
    assert not budget_findings(loaded), "import what only some runs need through its package, as in gathered.py"
    assert {name for name in loaded if name.startswith(f"{PACKAGE}.uncertainty.")} == {
        f"{PACKAGE}.uncertainty.defaults"
    }


def test_no_random_numbers_and_no_masks_are_loaded_to_rank(tmp_path: Path) -> None:
    (tmp_path / "small.csv").write_text("entity,tn,fp,fn,tp\na,80,2,9,9\nb,76,6,6,12\n", encoding="utf-8")
    late = {"numpy.ma", "numpy.random", "numpy.polynomial"} - modules_after(BEFORE, tmp_path)  # NumPy 2.0 loads them
    assert not late & modules_after(RANK, tmp_path)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_help_loads_no_engine(command: str, tmp_path: Path) -> None:
    loaded = modules_after(RANK.replace("'rank', 'small.csv'", f"'{command}', '--help'"), tmp_path)
    engines = tuple(f"{PACKAGE}.{room}." for room in (*LATE, "_scores", "uncertainty"))
    assert {name for name in loaded if name.startswith(engines)} <= {f"{PACKAGE}.uncertainty.defaults"}


def test_a_gate_of_counts_loads_no_other_engine(tmp_path: Path) -> None:
    for name, row in (("new", "new,9900,100,10,990"), ("old", "old,9000,1000,200,800")):
        (tmp_path / f"{name}.csv").write_text(f"entity,tn,fp,fn,tp\n{row}\n", encoding="utf-8")
    gate = RANK.replace("'rank', 'small.csv'", "'gate', 'new.csv', '--against', 'old.csv'")
    loaded = modules_after(gate, tmp_path)
    assert f"{PACKAGE}.uncertainty.gate" in loaded
    engines = tuple(f"{PACKAGE}.{room}." for room in (*LATE, "_scores.lookup", "_scores.score", "uncertainty.errors"))
    assert not {name for name in loaded if f"{name}.".startswith(engines) and name.count(".") > 1}
    assert f"{PACKAGE}.ordering" not in loaded


def test_the_check_of_the_budget_can_fail() -> None:
    assert not budget_findings({"rankscape", "rankscape.io.reading", "csv"})
    assert budget_findings({"rankscape.tile.maps", "scipy.stats", "csv"}) == [
        "rankscape.tile.maps is not needed",
        "the library scipy is new",
    ]
    assert len(budget_findings({f"json.part{i}" for i in range(MOST_OF_PYTHONS + 1)})) == 1


def test_packages_import_their_names_on_demand() -> None:
    code = (
        "import sys, rankscape.uncertainty as u\n"
        "assert 'rankscape.uncertainty.gate' not in sys.modules\n"
        "import rankscape.uncertainty.gate\n"  # the import system would put the module in the place of the function
        "assert callable(u.gate), u.gate\n"
        "from rankscape.uncertainty import gate\n"
        "assert gate is u.gate and dir(u) == u.__all__, u.__all__\n"
        "from rankscape.uncertainty.summary import about_draws\n"
        "assert u.about_draws is about_draws and 'about_draws' not in u.__all__\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_package_says_what_it_lacks() -> None:
    package = Gathered("nobody")
    with pytest.raises(AttributeError, match="module 'nobody' has no attribute 'nothing'"):
        package.nothing  # noqa: B018
    with pytest.raises(AttributeError, match=r"module 'rankscape\.domains' has no attribute 'nothing'"):
        rankscape.domains.nothing  # noqa: B018


@pytest.mark.nightly
def test_figures_and_domains_load_only_what_they_use_of_scipy(tmp_path: Path) -> None:
    """``scipy.signal`` and ``scipy.stats`` take longer to load than all else that a figure, or a table, takes."""
    slow = {"scipy.signal", "scipy.stats", "scipy.optimize"}
    assert not slow & modules_after("import rankscape.plots", tmp_path)
    rows = [f"m{i},d{d},{40 + i},{9 - i},{d + i},{30 - d}" for i in range(3) for d in range(4)]
    (tmp_path / "small.csv").write_text("\n".join(["entity,domain,tn,fp,fn,tp", *rows]), encoding="utf-8")
    assert not slow & modules_after(RANK.replace("'rank'", "'domains'"), tmp_path)


def test_packages_list_their_public_names_only() -> None:
    """Names for other rooms are found, and not listed."""
    assert {"gate", "rank_intervals", "Draws"} <= set(dir(rankscape.uncertainty))
    assert "evidence_of_counts" not in dir(rankscape.uncertainty)
    assert rankscape.uncertainty.evidence_of_counts
