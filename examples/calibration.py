"""Is "first with probability 0.9" right nine times out of ten? A simulation, its tables and its diagrams.

    python examples/calibration.py [--output FOLDER] [--trials N] [--worlds PATTERN]

In each trial of each world, entities with known rates are tried on random cases, and ``rankscape.uncertainty`` says who
is surely better, how good each is, and who is first. Beside it stands what users do today. The seeds are fixed. The
tables are CSV files in the folder; 300 trials take ten to twenty minutes on two cores.
"""

import argparse
import csv
import os
import re
import time
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from calibration_gate import GATES, Verdicts, gate_cells, verdicts
from calibration_measures import Bin, Cell, Floats, Measured, Trial, binned, cells, holm, mean_and_error, of_intervals
from calibration_others import APART, BOOTSTRAP, RANKS, others
from calibration_worlds import WORLDS, Way, World

from rankscape.uncertainty import rank_intervals

DRAWS, TRIALS, PART, NEAREST = 1000, 300, 20, 20
OURS = "rankscape"


class Part(NamedTuple):
    """Some trials of one world: measures (trials, measures) and reliability, per way and method."""

    world: str
    measures: dict[tuple[Way, str], Floats]
    reliability: dict[tuple[Way, str], Bin]


def seed_of(name: str, trial: int) -> int:
    """Return the seed of a trial, which depends on nothing else."""
    return int(np.random.SeedSequence([zlib.crc32(name.encode()), trial]).generate_state(1)[0])


def trials(world: World, numbers: Iterable[int], compare: bool = True) -> Part:
    """Return what some trials of a world show."""
    found: dict[tuple[Way, str], list[Trial]] = {}
    for number in numbers:
        seed = seed_of(world.name, number)
        sample = world.sample(np.random.default_rng(seed))
        for way in world.ways:
            intervals = rank_intervals(world.draws(sample, way, DRAWS, seed), by=world.score)
            found.setdefault((way, OURS), []).append(of_intervals(intervals, sample.true))
            for name, trial in others(world, sample, way, DRAWS, seed).items() if compare else ():
                found.setdefault((way, name), []).append(trial)
    measures = {key: np.array([trial.measured for trial in each]) for key, each in found.items()}
    reliability = {key: binned(each) for key, each in found.items() if not np.isnan(each[0].p_first).any()}
    return Part(world.name, measures, reliability)


def joined(parts: Sequence[Part]) -> Part:
    """Return all trials of one world together."""
    measures = {key: np.concatenate([part.measures[key] for part in parts]) for key in parts[0].measures}
    reliability = {key: Bin(*np.sum([part.reliability[key] for part in parts], axis=0)) for key in parts[0].reliability}
    return Part(parts[0].world, measures, reliability)


def _some_trials(name: str, start: int, stop: int) -> Part:
    return trials(WORLDS[name], range(start, stop))


def run(names: Sequence[str], number: int, workers: int) -> tuple[dict[str, Part], dict[str, Verdicts]]:
    """Return the trials of worlds and gates, made by several processes: which one makes which changes nothing."""
    os.environ["OMP_NUM_THREADS"] = "1"  # of the processes: each has one core
    starts = range(0, number, PART)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        parts = {
            name: [pool.submit(_some_trials, name, start, min(start + PART, number)) for start in starts]
            for name in names
            if name in WORLDS
        }
        gates = {name: pool.submit(verdicts, name, number) for name in names if name in GATES}
        worlds = {name: joined([part.result() for part in each]) for name, each in parts.items()}
        return worlds, {name: gate.result() for name, gate in gates.items()}


def all_cells(worlds: dict[str, Part], gates: dict[str, Verdicts]) -> list[Cell]:
    """Return everything that has a target."""
    out: list[Cell] = []
    for name, part in worlds.items():
        for (way, method), ours in part.measures.items():
            if method == OURS:
                # what users have today: counts kept apart, or the bootstrap, whichever does better in this world
                today = {
                    f"{w}, {m}": rows
                    for (w, m), rows in part.measures.items()
                    if m == BOOTSTRAP or (m == APART and w != "paired")
                }
                out += cells(WORLDS[name], way, ours, today)
    for name, each in gates.items():
        out += gate_cells(name, each)
    return out


def said(values: Floats) -> str:
    """Return a mean and its standard error."""
    if np.isnan(values).all():
        return ""
    mean, error = mean_and_error(values[~np.isnan(values)])
    return f"{mean:.3f} ± {error:.3f}"


def rows_of(worlds: dict[str, Part], ours: bool) -> list[dict[str, str]]:
    """Return the table of the worlds, of rankscape or of the others."""
    out = []
    for name, part in worlds.items():
        for (way, method), rows in part.measures.items():
            if (method == OURS) != ours:
                continue
            each = Measured(*rows.T)
            row = {"world": name, "from": way} if ours else {"world": name, "from": way, "method": method}
            row |= {
                "all ranks": said(each.together), "values": said(each.covered), "stated first": said(each.stated),
                "truly first": said(each.observed), "log loss": said(each.loss),
                "log K": f"{np.log(WORLDS[name].entities):.3f}", "pairs told apart": said(each.power),
            }  # fmt: skip
            out.append(row)
    return out


def reliability_rows(worlds: dict[str, Part]) -> list[dict[str, str]]:
    """Return the reliability of P(first), over all worlds with a target in which somebody is truly first."""
    together: dict[tuple[Way, str], list[Bin]] = {}
    for name, part in worlds.items():
        if not (WORLDS[name].equal or WORLDS[name].limit):
            for key, each in part.reliability.items():
                together.setdefault(key, []).append(each)
    out = []
    for (way, method), each in together.items():
        for number, stated, observed in np.sum(each, axis=0).T:
            if number:
                share = observed / number
                error = np.sqrt(max(share * (1 - share), 0.25 / number) / number)
                out.append({
                    "from": way, "method": method, "statements": f"{number:.0f}", "stated": f"{stated / number:.3f}",
                    "observed": f"{share:.3f}", "error": f"{error:.3f}",
                })  # fmt: skip
    return out


def target_rows(found: list[Cell]) -> list[dict[str, str]]:
    """Return the cells with targets, the nearest to a miss first."""
    return [
        {
            "world": cell.world, "from": cell.way, "measure": cell.measure,
            "value": f"{cell.value:.3f} ± {cell.error:.3f}", "target": cell.target, "p": f"{cell.p:.2g}",
            "p (Holm)": f"{adjusted:.2g}", "world used for tuning": "no" if cell.unseen else "yes",
        }
        for cell, adjusted in holm(found)
    ]  # fmt: skip


def write(path: Path, rows: list[dict[str, str]]) -> None:
    """Write a table, if there is one."""
    if rows:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


def main(arguments: list[str] | None = None) -> int:
    """Write the tables and the diagrams; return 1 where a target is missed beyond chance, else 0."""
    parser = argparse.ArgumentParser(description="Measure how well stated certainty holds where the truth is known.")
    parser.add_argument("--output", type=Path, default=Path("calibration"), help="folder to write (calibration)")
    parser.add_argument("--trials", type=int, default=TRIALS, help=f"trials of each world ({TRIALS})")
    parser.add_argument("--worlds", default="", help="only the worlds of which the name matches this pattern")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (as many as there are cores)")
    options = parser.parse_args(arguments)
    names = [name for name in (*WORLDS, *GATES) if re.search(options.worlds, name)]
    start = time.monotonic()
    worlds, gates = run(names, options.trials, options.workers)
    found = all_cells(worlds, gates)
    options.output.mkdir(parents=True, exist_ok=True)
    tables = {
        "worlds": rows_of(worlds, ours=True), "others": rows_of(worlds, ours=False),
        "reliability": reliability_rows(worlds), "targets": target_rows(found),
        "gate": [row for each in gates.values() for row in each.rows()],
    }  # fmt: skip
    tables["nearest"] = tables["targets"][:NEAREST]
    for name, rows in tables.items():
        write(options.output / f"calibration-{name}.csv", rows)
    for row in tables["worlds"] + tables["gate"]:
        print("  ".join(f"{cell:<{9 if k else 50}}" for k, cell in enumerate(row.values())))
    missed = [row for row in tables["targets"] if float(row["p"]) < 0.05]
    beyond = [row for row in missed if float(row["p (Holm)"]) < 0.05]
    print(f"{len(found)} targets, {len(missed)} missed at p < .05, {len(beyond)} beyond chance (Holm); "
          f"{time.monotonic() - start:.0f} s")  # fmt: skip
    for row in missed:
        print("  ".join(row.values()))
    if tables["reliability"]:
        draw(tables["reliability"], options.output / "calibration.png")
    return int(bool(beyond))


def draw(rows: list[dict[str, str]], path: Path) -> None:
    """Draw the reliability of P(first): stated against observed, of rankscape and of what users do today."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    kinds = [("counts", (OURS, APART)), ("paired", (OURS, BOOTSTRAP, RANKS)), ("clusters", (OURS, BOOTSTRAP)),
             ("domains", (OURS, BOOTSTRAP))]  # fmt: skip
    colors = {OURS: "#0072b2", BOOTSTRAP: "#d55e00", RANKS: "#cc79a7", APART: "#e69f00"}
    figure, axes = plt.subplots(1, 4, figsize=(11, 3.2), sharey=True, layout="constrained")
    for ax, (way, methods) in zip(axes, kinds, strict=True):
        ax.plot([0, 1], [0, 1], color="#4d4d4d", lw=1, ls="--")
        for method in methods:
            here = [row for row in rows if (row["from"], row["method"]) == (way, method)]
            x, y, error = (np.array([float(row[f]) for row in here]) for f in ("stated", "observed", "error"))
            ax.errorbar(x, y, 2 * error, fmt="o-", ms=4, lw=1, color=colors[method], label=method)
        ax.set(title=way, xlim=(0, 1), ylim=(0, 1), xlabel="stated P(first)", aspect="equal")
        ax.legend(loc="upper left", fontsize=7)
    axes[0].set_ylabel("share truly first")
    figure.savefig(path, dpi=90)
    plt.close(figure)


if __name__ == "__main__":
    raise SystemExit(main())
