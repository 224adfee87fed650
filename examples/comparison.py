"""Give the same tasks on the same data to rankscape and to other tools: what each answers, and how long it takes.

Run ``python examples/comparison.py --output docs`` with Python 3.12 or newer; a tool that is not installed is left out:

    pip install rankscape scikit-learn pycm torchmetrics autorank evalica sorbetto pandas pyarrow

It writes ``comparison.csv`` (task, tool, time, answer): time is the fastest of several calls, divided by that of
rankscape on the same task in the same run. The data are ``predictions.parquet``, beside this file, and ``results.csv``.
"""

import argparse
import csv
import io
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import rankscape as rs

HERE = Path(__file__).parent
MISS = 10
"""How many false alarms a miss is worth."""
RESOLUTION = 1001
"""Cells per side of the Tile: sorbetto's own choice."""


class Data:
    """The predictions of fourteen models on the 569 cases of one dataset, and their counts on fourteen datasets."""

    def __init__(self) -> None:
        frame = pd.read_parquet(HERE / "predictions.parquet")
        frame = frame[frame["domain"] == "breast cancer"]
        wide = frame.pivot(index="case", columns="entity", values="prediction")
        self.truth = frame.groupby("case")["truth"].first().reindex(wide.index).to_numpy()
        self.predicted = {str(name): wide[name].to_numpy() for name in wide}
        self.counts = rs.Performances.from_labels(self.truth, self.predicted)
        self.everywhere = rs.read(HERE / "results.csv")

    @cached_property
    def f1_by_dataset(self) -> pd.DataFrame:
        """F1 of each model (columns) on each dataset (rows)."""
        table = pd.read_csv(HERE / "results.csv")
        table["f1"] = 2 * table["tp"] / (2 * table["tp"] + table["fp"] + table["fn"])
        return table.pivot(index="domain", columns="entity", values="f1")

    @cached_property
    def duels(self) -> tuple[list[str], list[str], list[Any]]:
        """Each two models on each case: right beats wrong."""
        from evalica import Winner

        right = {name: (labels == self.truth).astype(int) for name, labels in self.predicted.items()}
        return duels_of(right, Winner)


def duels_of(values: dict[str, Any], winner: Any) -> tuple[list[str], list[str], list[Any]]:
    """Return who meets whom, and who wins: the larger value."""
    by_sign = {1: winner.X, -1: winner.Y, 0: winner.Draw}
    left, right, won = [], [], []
    for one, other in combinations(values, 2):
        signs = np.sign(np.asarray(values[one]) - np.asarray(values[other])).astype(int).tolist()
        left += [one] * len(signs)
        right += [other] * len(signs)
        won += [by_sign[sign] for sign in signs]
    return left, right, won


def firsts(values: dict[str, float], digits: int = 4) -> str:
    """Say which three have the largest values."""
    best = sorted(values, key=lambda name: (-values[name], name))[:3]
    return ", ".join(f"{name} {values[name]:.{digits}f}" for name in best)


def ranked(ranking: rs.Ranking) -> str:
    """Say the same of a ranking of rankscape's."""
    return firsts(dict(zip(ranking.names, ranking.values.tolist(), strict=True)))


# ---- F1, from predictions


def f1_rankscape(x: Data) -> str:
    return ranked(rs.rank(rs.Performances.from_labels(x.truth, x.predicted), by="f1"))


def f1_sklearn(x: Data) -> str:
    from sklearn.metrics import f1_score

    return firsts({name: float(f1_score(x.truth, labels)) for name, labels in x.predicted.items()})


def f1_pycm(x: Data) -> str:
    from pycm import ConfusionMatrix

    return firsts({name: ConfusionMatrix(x.truth, labels).F1[1] for name, labels in x.predicted.items()})


def f1_torchmetrics(x: Data) -> str:
    from torch import as_tensor
    from torchmetrics.functional.classification import binary_f1_score

    truth = as_tensor(x.truth)
    predicted = {name: as_tensor(labels) for name, labels in x.predicted.items()}
    return firsts({name: float(binary_f1_score(labels, truth)) for name, labels in predicted.items()})


# ---- precision of the model that never answers "positive"


def undefined_rankscape(x: Data) -> str:
    never = rs.Performances.from_labels(x.truth, {"always negative": x.predicted["always negative"]})
    entry = rs.rank(never, by="precision").frame().iloc[0]
    return f"{entry['value']}, without a rank: {entry['reason']}"


def undefined_sklearn(x: Data) -> str:
    from sklearn.metrics import precision_score

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = precision_score(x.truth, x.predicted["always negative"])
    return f"{value:g}" + (", with a warning; zero_division= chooses another value" if caught else "")


def undefined_pycm(x: Data) -> str:
    from pycm import ConfusionMatrix

    return f'"{ConfusionMatrix(x.truth, x.predicted["always negative"]).PPV[1]}"'


def undefined_torchmetrics(x: Data) -> str:
    from torch import as_tensor
    from torchmetrics.functional.classification import binary_precision

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = float(binary_precision(as_tensor(x.predicted["always negative"]), as_tensor(x.truth)))
    return f"{value:g}, {'with' if caught else 'without'} a warning; zero_division= chooses 1"


# ---- costs


def costs_rankscape(x: Data) -> str:
    return ranked(rs.rank(x.counts, by=rs.costs(miss=MISS, false_alarm=1)))


def costs_sklearn(x: Data) -> str:
    from sklearn.metrics import accuracy_score

    weight = np.where(x.truth == 1, MISS, 1)
    values = {name: accuracy_score(x.truth, labels, sample_weight=weight) for name, labels in x.predicted.items()}
    return firsts(values)


def entities_of(x: Data) -> list[Any]:
    """Return the models as entities of sorbetto."""
    from sorbetto.core.entity import Entity
    from sorbetto.performance.two_class_classification_performance import TwoClassClassificationPerformance

    return [
        Entity(TwoClassClassificationPerformance(*map(float, row)), str(name))
        for name, row in zip(x.counts.names, x.counts.mass, strict=True)
    ]


def costs_sorbetto(x: Data) -> str:
    from sorbetto.core.importance import Importance
    from sorbetto.ranking.ranking_induced_by_score import RankingInducedByScore
    from sorbetto.ranking.ranking_score import RankingScore

    entities = entities_of(x)
    ranking = RankingInducedByScore(entities, RankingScore(Importance(1, 1, MISS, MISS)))
    return firsts({entity.name: float(value) for entity, value in zip(entities, ranking.values, strict=True)})


# ---- the Tile


def shares(areas: dict[str, float]) -> str:
    return ", ".join(
        f"{name} {100 * areas[name]:.2f} %" for name in sorted(areas, key=lambda name: -areas[name]) if areas[name]
    )


def tile_rankscape(x: Data) -> str:
    tile = rs.tile.entity(x.counts, resolution=RESOLUTION)
    return shares(cells_of(np.array([len(names) == 1 for names in tile.sets]), tile))


def cells_of(alone: Any, tile: rs.TileMap) -> dict[str, float]:
    """Return the share of the cells in which each model alone is first."""
    places, number = np.unique(tile.values[np.isfinite(tile.values)].astype(int), return_counts=True)
    cells = zip(places.tolist(), number.tolist(), strict=True)
    return {tile.sets[place][0]: n / tile.values.size for place, n in cells if alone[place]}


def tile_sorbetto(x: Data) -> str:
    from sorbetto.flavor.entity_flavor import EntityFlavor
    from sorbetto.parameterization.parameterization_default import ParameterizationDefault
    from sorbetto.tile.entity_tile import EntityTile

    flavor = EntityFlavor(1, entities_of(x))
    values = EntityTile(ParameterizationDefault(), flavor, resolution=RESOLUTION).mat_value
    names = sorted(map(str, x.counts.names))
    places, number = np.unique(values, return_counts=True)
    return shares({names[int(place) - 1]: n / values.size for place, n in zip(places, number, strict=True)})


# ---- fourteen datasets


def datasets_rankscape(x: Data) -> str:
    return ranked(rs.rank(x.everywhere, by="f1"))


def datasets_pandas(x: Data) -> str:
    return firsts(x.f1_by_dataset.mean().to_dict())


def datasets_autorank(x: Data) -> str:
    from autorank import autorank

    ranks = autorank(x.f1_by_dataset, alpha=0.05).rankdf["meanrank"].sort_values()
    return ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.head(3).items())


def datasets_evalica(x: Data) -> str:
    from evalica import Winner, average_win_rate

    duels = duels_of({str(name): column for name, column in x.f1_by_dataset.items()}, Winner)
    return firsts(average_win_rate(*duels).scores.to_dict())


# ---- how sure


def sure_datasets_rankscape(x: Data) -> str:
    draws = rs.uncertainty.resampled_domains(x.everywhere, rng=0)
    return f"{len(rs.uncertainty.rank_intervals(draws, by='f1').tied_for_first)} may be the best"


def sure_datasets_autorank(x: Data) -> str:
    from autorank import autorank

    result = autorank(x.f1_by_dataset, alpha=0.05)
    ranks = result.rankdf["meanrank"]
    return f"{int((ranks - ranks.min() <= result.cd).sum())} within the critical difference of the first"


def sure_rankscape(x: Data) -> str:
    draws = rs.uncertainty.paired(x.truth, x.predicted, rng=0)
    return f"{len(rs.uncertainty.rank_intervals(draws, by='accuracy').tied_for_first)} may be the best"


def sure_evalica(x: Data) -> str:
    from evalica import bootstrap, bradley_terry

    result = bootstrap(bradley_terry, *x.duels, n_resamples=100, bootstrap_method="percentile", random_state=0)
    best = result.result.scores.idxmax()
    return f"{int((result.high >= result.low[best]).sum())} have an interval that overlaps that of the first"


def accuracy_rankscape(x: Data) -> str:
    return ranked(rs.rank(x.counts, by="accuracy"))


def duels_evalica(x: Data) -> str:
    from evalica import bradley_terry

    return firsts(bradley_terry(*x.duels).scores.to_dict())


class Task(NamedTuple):
    """A question, and how each tool answers it; rankscape comes first. How often each is called."""

    question: str
    answers: dict[str, Callable[[Data], str]]
    calls: int = 7


TASKS = (
    Task(
        "F1 from predictions",
        {"rankscape": f1_rankscape, "scikit-learn": f1_sklearn, "pycm": f1_pycm, "torchmetrics": f1_torchmetrics},
    ),
    Task(
        "Precision without positive predictions",
        {
            "rankscape": undefined_rankscape,
            "scikit-learn": undefined_sklearn,
            "pycm": undefined_pycm,
            "torchmetrics": undefined_torchmetrics,
        },
    ),
    Task(
        "A miss costs ten false alarms",
        {"rankscape": costs_rankscape, "scikit-learn": costs_sklearn, "sorbetto": costs_sorbetto},
    ),
    Task("First on the Tile", {"rankscape": tile_rankscape, "sorbetto": tile_sorbetto}, calls=3),
    Task("Right or wrong", {"rankscape": accuracy_rankscape, "evalica": duels_evalica}),
    Task("How sure, 569 cases", {"rankscape": sure_rankscape, "evalica": sure_evalica}, calls=2),
    Task(
        "F1 on fourteen datasets",
        {
            "rankscape": datasets_rankscape,
            "pandas": datasets_pandas,
            "autorank": datasets_autorank,
            "evalica": datasets_evalica,
        },
    ),
    Task(
        "How sure, fourteen datasets",
        {"rankscape": sure_datasets_rankscape, "autorank": sure_datasets_autorank},
        calls=3,
    ),
)


def fastest(answer: Callable[[Data], str], data: Data, calls: int) -> tuple[str, float]:
    """Return an answer, and the time of the fastest of several calls after a first one."""
    times = []
    text = answer(data)
    for _ in range(calls):
        start = time.perf_counter()
        answer(data)
        times.append(time.perf_counter() - start)
    return text, min(times)


def rounded(ratio: float) -> str:
    """Return a ratio with the one digit that another run would give again, more or less.

    >>> rounded(0.187), rounded(3.46), rounded(486.3), rounded(1)
    ('0.2', '3', '500', '1')
    """
    return f"{float(f'{ratio:.1g}'):g}"


def compare(data: Data) -> Iterator[tuple[str, str, str, str]]:
    """Yield task, tool with its version, time in that of rankscape, and answer."""
    for task in TASKS:
        unit = None
        for tool, answer in task.answers.items():
            try:
                named = f"{tool} {version(tool)}"
            except PackageNotFoundError:
                print(f"{tool} is not installed: left out")
                continue
            with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                text, taken = fastest(answer, data, task.calls)
            unit = taken if unit is None else unit
            yield task.question, named, rounded(taken / unit), text


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=Path("."), help="Folder for comparison.csv.")
    folder = parser.parse_args().output
    rows = list(compare(Data()))
    with open(folder / "comparison.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["task", "tool", "time", "answer"])
        table.writerows(rows)
    for row in rows:
        print(" | ".join(row))


if __name__ == "__main__":
    main()
