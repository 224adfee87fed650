"""Results of 1000 random inputs: a faster way must give the same.

What is decided exactly is held as a short digest: names, ranks, integers, fractions, what is undefined, and how many
numbers there are. The other floats stand beside it as one weighted sum, which is the same to ``BOUND`` of its terms.

``python tests/golden/results.py`` writes the present state beside this file. That is right only where a result is meant
to change: say in the commit which, and why.
"""

import hashlib
import json
import math
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

import rankscape as rs

FILE = Path(__file__).with_name("results.json")
N_INPUTS = 1000
PER_INPUT = 5
"""How many ways each input goes; the ways take turns."""

SCORES = ("f1", "accuracy", "precision", "npv", "mcc", "kappa", "ba", "jaccard", "f0.5", "informedness")
ENDS = (("ppv", "tpr"), ("npv", "tnr"), ("ppv", "npv"), ("tnr", "ppv"))


def performances(number: int) -> rs.Performances:
    """Return one of the inputs: few or many, ties, zeros, huge counts, floats, averages, shifted priors."""
    random = Random(number)

    def below(top: int) -> int:
        return int(random.random() * top)

    n = 2 + below(9) if number % 10 else 40 + below(60)
    kind = ("counts", "huge", "floats", "averaged", "shifted")[number % 5]
    top = (5, 30, 10_000)[below(3)] if kind != "huge" else 10**12
    equal_priors = random.random() < 0.5
    negatives, positives = 1 + below(top), 1 + below(top)

    def row() -> list[int]:
        if not equal_priors:
            counts = [below(top + 1) for _ in range(4)]
            return counts if any(counts) else [1, 0, 0, 0]
        fp, fn = below(negatives + 1), below(positives + 1)
        return [negatives - fp, fp, fn, positives - fn]

    if kind == "averaged":
        m = 2 + below(3)
        rows, names = [row() for _ in range(n * m)], [f"e{i}" for i in range(n) for _ in range(m)]
        P = rs.Performances.from_counts(rows, names=names, domains=[f"d{j}" for _ in range(n) for j in range(m)])
        return P.over_domains()
    if kind == "floats":
        raw = np.array([[0.0 if random.random() < 0.05 else random.random() for _ in range(4)] for _ in range(n)])
        raw[:, 0] += raw.sum(axis=1) == 0
        return rs.Performances.from_probabilities(raw / raw.sum(axis=1, keepdims=True))
    counts = [row() for _ in range(n)]
    if kind == "shifted":
        counts = [[tn + (tn + fp == 0), fp, fn, tp + (fn + tp == 0)] for tn, fp, fn, tp in counts]
        return rs.Performances.from_counts(counts).shift_priors(0.05 + 0.9 * random.random())
    return rs.Performances.from_counts(counts)


def _rank(P: rs.Performances, turn: int) -> Any:
    ranking = rs.rank(P, by=SCORES[turn % len(SCORES)], ties=("min", "max", "average")[turn % 3])
    return ranking.values, ranking.bounds, ranking.ranks, ranking.reasons, ranking.exact, sorted(ranking.best)


def _compare(P: rs.Performances, turn: int) -> Any:
    return rs.compare(P[0], P[1], by=SCORES[turn % len(SCORES)]), rs.regions.dominates(P[0], P[1])


def _tau(P: rs.Performances, turn: int) -> Any:
    return rs.tile.correlation(SCORES[turn % 3], P, statistic="kendall", resolution=9).values


def _rho(P: rs.Performances, turn: int) -> Any:
    return rs.tile.correlation(SCORES[turn % 3], P, statistic="spearman", resolution=9).values


def _ranks(P: rs.Performances, turn: int) -> Any:
    return rs.tile.ranking(P, P.names[turn % len(P)], resolution=9).values


def _entity(P: rs.Performances, turn: int) -> Any:
    view = rs.tile.entity(P, rank=1 + turn % 2, last=turn % 3 == 0, resolution=9)
    return view.values, view.sets, view.ties, list(view.shares)


def _regions(P: rs.Performances, turn: int) -> Any:
    regions = rs.regions.first(P[:20], rank=1 + turn % 2)
    pieces = [(piece.start, piece.end, piece.low, piece.high) for region in regions for piece in region.pieces]
    return [region.names for region in regions], pieces, sorted(rs.regions.winners(P))


def _flips(P: rs.Performances, turn: int) -> Any:
    flips = rs.regions.flips(P, by=("f1", "accuracy", "f2", [1, 2, 3, 4])[turn % 4])
    changes = [(flip.direction, flip.place, flip.names) for flip in flips.flips]
    return sorted(flips.first), changes, flips.along_a, flips.along_b, flips.factor


def _tradeoff(P: rs.Performances, turn: int) -> Any:
    found = rs.tradeoff(P, ends=ENDS[turn % len(ENDS)], distinct=turn % 3 == 0)
    return (
        found.place,
        found.n_discordant,
        found.quantile(0.3),
        found.n_rankings,
        list(found.compare().rows()),
        found.notes,
    )


def _path(P: rs.Performances, turn: int) -> Any:
    path = rs.tradeoff(P[:15], ends=ENDS[turn % len(ENDS)]).path()
    return path.rankings, path.low, path.high


def _values(P: rs.Performances, turn: int) -> Any:
    return rs.tile.best(P, resolution=9).values, rs.tile.margin(P, resolution=9).values


def _views(P: rs.Performances, turn: int) -> Any:
    view = (rs.views.roc, rs.views.pr)[turn % 2](P)
    return list(view.table().rows())


def _measures(P: rs.Performances, turn: int) -> Any:
    return P.mass, P.priors, P.no_skill().mass, P.mix().mass, P.filter([1, 2, 1, 3]).mass, P.swap_classes().mass


WAYS: tuple[Callable[[rs.Performances, int], Any], ...] = (
    _rank, _compare, _tau, _rho, _ranks, _entity, _regions, _flips, _tradeoff, _path, _values, _views, _measures
)  # fmt: skip


BOUND = 1e-13
"""How far a sum may be off, relative to the sum of the sizes of its terms: some hundred times the rounding of one."""


class Held(NamedTuple):
    """A digest of what is decided exactly, and Σ w·x of the other floats, with Σ w·|x|."""

    digest: str
    total: float
    size: float


def results(number: int) -> dict[str, Held]:
    """Return what is held of the result, or of the error, of each of the ways that an input goes."""
    P = performances(number)
    out = {}
    for way in (WAYS[(number + step * 3) % len(WAYS)] for step in range(PER_INPUT)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                result: Any = way(P, number // 5)
            except rs.RankscapeError as error:
                result = type(error).__name__
        out[way.__name__[1:]] = held(result)
    return out


def held(result: Any) -> Held:
    """Return what is held of a result; the weights of floats differ, so that they cannot change places."""
    floats: list[float] = []
    digest = hashlib.sha256("|".join(_exactly(result, floats)).encode()).hexdigest()[:12]
    terms = [x / (2 + k % 97) for k, x in enumerate(floats)]
    return Held(digest, math.fsum(terms), math.fsum(map(abs, terms)))


def _exactly(result: Any, floats: list[float]) -> Iterator[str]:
    """Yield all that a result consists of; floats are put aside but for those of an array of whole numbers and halves."""
    if isinstance(result, np.ndarray):
        yield f"{result.shape}"
        if result.dtype.kind == "f" and (2 * result == np.rint(2 * result))[np.isfinite(result)].all():
            yield from map(str, (2 * result).ravel().tolist())
            return
        result = result.tolist()
    if isinstance(result, dict):
        result = list(result.items())
    if isinstance(result, (list, tuple)):
        yield f"{len(result)}"
        for part in result:
            yield from _exactly(part, floats)
    elif isinstance(result, (float, np.floating)):
        finite = math.isfinite(result)
        floats += [float(result)] if finite else []
        yield "x" if finite else str(float(result))
    elif isinstance(result, (bool, np.bool_)):
        yield str(bool(result))
    else:
        yield str(int(result)) if isinstance(result, (int, np.integer)) else repr(result)


if __name__ == "__main__":
    rows = [
        {way: [one.digest, float(f"{one.total:.15g}")] for way, one in results(number).items()}
        for number in range(N_INPUTS)
    ]
    FILE.write_text(json.dumps(rows, separators=(",", ":")).replace("},", "},\n") + "\n")
