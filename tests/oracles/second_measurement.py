"""The calibration measured a second time, by other code: own trials, and scores and shares by loops over the draws.

Nothing of ``examples/calibration*.py`` is imported here; only the names of the worlds are the same.
"""

from __future__ import annotations

import math
import random
from statistics import NormalDist

import numpy as np

import rankscape as rs
from rankscape.uncertainty import paired, posterior, rank_intervals, resampled_domains

DRAWS = 800
PHI = NormalDist()

# what differs from five entities on 100 cases, 40 % of which are positive, ranked by F1
WORLDS: dict[str, dict] = {
    "2 entities, 50 cases": {"k": 2, "m": 50},
    "5 entities, 100 cases": {},
    "5 entities, 20 cases": {"m": 20},
    "30 entities, 200 cases": {"k": 30, "m": 200},
    "1 % positives, 200 cases, F1": {"m": 200, "pi": 0.01},
    "1 % positives, 1000 cases, F1": {"m": 1000, "pi": 0.01},
    "1 % positives, 200 cases, recall": {"m": 200, "pi": 0.01, "by": "recall"},
    "1 % positives, 1000 cases, recall": {"m": 1000, "pi": 0.01, "by": "recall"},
    "near-perfect": {"at": (4, -4)},
    "near-perfect, shared difficulty": {"at": (4, -4), "rho": 0.8},
    "shared difficulty": {"rho": 0.8},
    "equal models": {"sd": 0},
    "rates from Jeffreys' prior": {"rates": "arcsine"},
    "three good, three bad": {"k": 6, "rates": "two groups"},
    "one always negative among six": {"k": 6, "rates": "one silent"},
    "10 domains of 20 cases": {"domains": [20] * 10},
    "10 domains of 20 cases, 5 % positives": {"domains": [20] * 10, "pi": 0.05},
    "20 clusters of 10 cases": {"m": 200, "clusters": 20, "rho": 0.5},
    "10 clusters of 10 cases": {"m": 100, "clusters": 10, "rho": 0.5},
    "3 random domains": {"domains": [50] * 3, "others": True},
    "5 random domains": {"domains": [50] * 5, "others": True},
    "10 random domains": {"domains": [50] * 10, "others": True},
    "10 alike, 10 000 cases": {"k": 10, "m": 10_000, "sd": 0.1},
    "8 entities, 15 % positives, heavy tails, accuracy": {"k": 8, "m": 150, "pi": 0.15, "by": "accuracy", "rates": "t3"},
    "4 classes, 200 cases, balanced accuracy": {"k": 6, "m": 200, "by": "balanced_accuracy", "classes": [0.4, 0.3, 0.2, 0.1]},
    "3 classes, 120 cases, accuracy": {"k": 8, "m": 120, "by": "accuracy", "classes": [0.5, 0.3, 0.2]},
    "12 entities, 250 cases, 60 % positives, narrow": {"k": 12, "m": 250, "pi": 0.6, "at": (0.8, -0.6), "sd": 0.3},
    "20 success counts of 60": {"k": 20, "m": 60, "by": "accuracy", "success": True},
    "15 domains of 10 to 70 cases, weighted by size": {
        "k": 6, "pi": 0.3, "rho": 0.3, "weights": "size", "domains": [12 + 4 * i for i in range(15)],
    },
}  # fmt: skip


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def _logits(world: dict, chance: random.Random) -> list[tuple[float, float]]:
    """Return a pair of logits, of the true and of the false positive rate, of every entity."""
    k, sd, (up, down) = world.get("k", 5), world.get("sd", 0.5), world.get("at", (1.2, -1.5))
    kind, out = world.get("rates"), []
    for entity in range(k):
        a, b = chance.gauss(up, sd), chance.gauss(down, sd)
        if kind == "arcsine":  # the sine squared of a uniform angle is Beta(½, ½)
            a, b = (2 * math.log(max(math.tan(chance.uniform(0, math.pi / 2)), 1e-9)) for _ in "ab")
        elif kind == "two groups":
            a, b = (a + 0.8, b - 0.8) if entity < k / 2 else (a - 0.8, b + 0.8)
        elif kind == "one silent" and entity == 0:
            a = b = -math.inf
        elif kind == "t3":
            a, b = (
                middle + sd * chance.gauss(0, 1) / math.sqrt(chance.gammavariate(1.5, 2) / 3) for middle in (up, down)
            )
        out.append((a, b))
    return out


def _rate(logit: float) -> float:
    return 0.0 if logit == -math.inf else _logistic(logit)


def _score(tpr: float, fpr: float, pi: float, by: str) -> float:
    if by == "recall":
        return tpr
    if by == "accuracy":
        return pi * tpr + (1 - pi) * (1 - fpr)
    precision = pi * tpr / (pi * tpr + (1 - pi) * fpr) if tpr else 0.0
    return 0.0 if not tpr else 2 / (1 / precision + 1 / tpr)


def _succeeds(p: np.ndarray, together: np.ndarray, rho: float, dice: np.random.Generator) -> np.ndarray:
    """Return whether one entity succeeds on each case: with probability p where the case is of average difficulty."""
    limit = np.array([PHI.inv_cdf(min(max(x, 1e-300), 1 - 1e-16)) for x in np.unique(p)])[
        np.searchsorted(np.unique(p), p)
    ]
    if rho == 0:
        return np.asarray(dice.random(len(p)) < p)
    # given the difficulty, each entity succeeds by itself
    given = (limit - math.sqrt(rho) * together) / math.sqrt(1 - rho)
    chances = np.array([PHI.cdf(x) for x in given])
    return np.asarray(dice.random(len(p)) < chances)


def _trial(world: dict, way: str, chance: random.Random) -> tuple[list[float], rs.uncertainty.Draws]:
    """Return the true scores, and draws."""
    dice = np.random.default_rng(chance.getrandbits(60))
    seed, k, pi, by = chance.getrandbits(31), world.get("k", 5), world.get("pi", 0.4), world.get("by", "f1")
    sizes, rho = world.get("domains", [world.get("m", 100)]), world.get("rho", 0.0)
    logits, names = _logits(world, chance), [f"e{i}" for i in range(k)]
    if world.get("success"):
        wins = [int(dice.binomial(sizes[0], _rate(a))) for a, _ in logits]
        P = rs.tasks.success.from_counts(wins, sizes * k, names=names)
        return [_rate(a) for a, _ in logits], posterior(P, DRAWS, seed)
    if "classes" in world:
        return _several(world, logits, names, dice, seed)
    m = sum(sizes)
    where = [d for d, size in enumerate(sizes) for _ in range(size)]
    while True:
        y = [int(chance.random() < pi) for _ in range(m)]
        if any(y):
            break
    clusters = world.get("clusters")
    cluster = [case * clusters // m for case in range(m)] if clusters else None
    difficulty = dice.standard_normal(clusters or m)
    together = difficulty[cluster] if cluster else difficulty
    half = math.sqrt(0.125) if "domains" in world else 0.0
    common = [(chance.gauss(0, half), chance.gauss(0, half)) for _ in sizes]
    answers, truth = {}, []
    weight = [size / m for size in sizes] if world.get("weights") == "size" else [1 / len(sizes)] * len(sizes)
    for name, (a, b) in zip(names, logits, strict=True):
        here = [(_rate(a + u + chance.gauss(0, half)), _rate(b + v + chance.gauss(0, half))) for u, v in common]
        p = np.array([here[d][0] if label else 1 - here[d][1] for d, label in zip(where, y, strict=True)])
        right = _succeeds(p, together, rho, dice)
        answers[name] = [label if good else 1 - label for label, good in zip(y, right, strict=True)]
        tpr, fpr = (sum(w * rates[side] for w, rates in zip(weight, here, strict=True)) for side in (0, 1))
        if world.get("others"):  # the population of domains, by many quantiles of its normal distribution
            steps = [PHI.inv_cdf((i + 0.5) / 2000) / 2 for i in range(2000)]
            tpr, fpr = (sum(_logistic(x + step) for step in steps) / 2000 for x in (a, b))
        truth.append(_score(tpr, fpr, pi, by))
    options = {"weights": world["weights"]} if "weights" in world else {}
    if way in ("paired", "clusters"):
        places = where if "domains" in world else None
        return truth, paired(y, answers, DRAWS, seed, clusters=cluster, domains=places, **options)
    cells, of, entities = [], [], []
    for d in range(len(sizes)):
        for name in names:
            cell = [0, 0, 0, 0]
            for place, label, said in zip(where, y, answers[name], strict=True):
                cell[2 * label + said] += place == d
            cells.append(cell)
            of.append(f"place {d}")
            entities.append(name)
    P = rs.Performances.from_counts(cells, names=entities, domains=of if "domains" in world else None)
    return truth, (resampled_domains if way == "domains" else posterior)(P, DRAWS, seed, **options)


def _several(
    world: dict, logits: list[tuple[float, float]], names: list[str], dice: np.random.Generator, seed: int
) -> tuple[list[float], rs.uncertainty.Draws]:
    number, m = len(world["classes"]), world["m"]
    y = [
        *range(number),
        *np.searchsorted(np.cumsum(world["classes"])[:-1], dice.random(m - number), side="right").tolist(),
    ]
    answers, truth = {}, []
    for name, (a, _) in zip(names, logits, strict=True):
        recalls = [_logistic(a + dice.normal(0, 0.3)) for _ in range(number)]
        answers[name] = [
            c if dice.random() < recalls[c] else int(dice.choice([o for o in range(number) if o != c])) for c in y
        ]
        # one case of each class is certain
        shares = [1 / number] * number
        if world["by"] == "accuracy":
            shares = [(share * (m - number) + 1) / m for share in world["classes"]]
        truth.append(sum(share * recall for share, recall in zip(shares, recalls, strict=True)))
    return truth, posterior(rs.tasks.multi_class.evaluate(y, answers), DRAWS, seed)


def measure(name: str, way: str, trials: int, seed: int = 0) -> dict[str, tuple[float, float]]:
    """Return mean and standard error of: no false claim, values, stated, observed, log loss of the first."""
    chance = random.Random(f"{name} {way} {seed}")
    by = WORLDS[name].get("by", "f1")
    rows: dict[str, list[float]] = {what: [] for what in ("together", "covered", "stated", "observed", "gap", "loss")}
    for _ in range(trials):
        truth, drawn = _trial(WORLDS[name], way, chance)
        intervals = rank_intervals(drawn, by=by)
        k = len(truth)
        false = any(intervals.claims[i, j] and truth[i] <= truth[j] + 1e-9 for i in range(k) for j in range(k))
        rows["together"].append(not false)
        inside = [low - 1e-9 <= t <= high + 1e-9 for t, low, high in zip(truth, *_values(drawn, by), strict=True)]
        rows["covered"].append(sum(inside) / k)
        votes = [0.0] * k
        for places in intervals.places.tolist():
            winners = [i for i, place in enumerate(places) if place == 1]
            for i in winners:
                votes[i] += 1 / len(winners) / len(intervals.places)
        best = [i for i in range(k) if truth[i] >= max(truth) - 1e-9]
        likeliest = max(range(k), key=votes.__getitem__)
        rows["stated"].append(votes[likeliest])
        rows["observed"].append((likeliest in best) / len(best))
        rows["gap"].append(rows["stated"][-1] - rows["observed"][-1])
        rows["loss"].append(-sum(math.log(max(votes[i], 0.5 / DRAWS)) for i in best) / len(best))
    return {what: (float(np.mean(x)), float(np.std(x, ddof=1)) / math.sqrt(trials)) for what, x in rows.items()}


def _values(drawn: rs.uncertainty.Draws, by: str) -> tuple[list[float], list[float]]:
    """Return the interval of the score of each entity: the middle 95 % of the draws, and what was seen."""
    low, high = [], []
    for i in range(len(drawn.names)):
        found = sorted(v for v in (_value(row, by) for row in drawn.values[:, i]) if not math.isnan(v))
        seen = _value(drawn.observed.mass[i], by)
        cut = round(0.025 * len(found))
        low.append(min(seen, found[cut]))
        high.append(max(seen, found[-1 - cut]))
    return low, high


def _value(row: np.ndarray, by: str) -> float:
    if len(row) == 2:
        return float(row[1] / (row[0] + row[1]))
    if len(row) > 4:
        square = row.reshape(round(math.sqrt(len(row))), -1)
        if by == "accuracy":
            return float(np.trace(square) / square.sum())
        return float(np.mean([square[c, c] / square[c].sum() for c in range(len(square))]))
    tn, fp, fn, tp = row.tolist()
    above, below = {
        "f1": (2 * tp, 2 * tp + fp + fn),
        "recall": (tp, tp + fn),
        "accuracy": (tn + tp, tn + fp + fn + tp),
    }[by]
    return above / below if below else math.nan


def missed(found: dict[str, tuple[float, float]], trials: int, world, way: str) -> list[tuple[str, str, str, float]]:
    """Return the name of each target, and how probable what was found would be if the target just held."""
    at_least = 0.90 if world.equal else 0.94
    hits = round(found["together"][0] * trials)
    tail = sum(math.comb(trials, i) * at_least**i * (1 - at_least) ** (trials - i) for i in range(hits + 1))
    out = [(world.name, way, "ranks", tail), (world.name, way, "values", _below(found["covered"], world.least_covered))]
    if not world.equal:
        out.append(
            (
                world.name,
                way,
                "log loss",
                _below(tuple(x * s for x, s in zip(found["loss"], (-1, 1), strict=True)), -math.log(world.entities)),
            )
        )
        if not (way == "counts" and WORLDS[world.name].get("rho")):
            gap, error = found["gap"]
            out.append((world.name, way, "stated", _below((-abs(gap), error), -0.07)))
    return out


def _below(found: tuple[float, float], target: float) -> float:
    mean, error = found
    return PHI.cdf((mean - target) / error) if error else float(mean >= target)


# cases, share of positives, logits of the true and the false positive rate, correlation
GATES = {
    "gate, 30 cases": (30, 0.4, 1.2, -1.5, 0.8),
    "gate, 100 cases": (100, 0.4, 1.2, -1.5, 0.8),
    "gate, 100 cases, no shared difficulty": (100, 0.4, 1.2, -1.5, 0.0),
    "gate, 400 cases": (400, 0.4, 1.2, -1.5, 0.8),
    "gate, 1 % positives, 1000 cases": (1000, 0.01, 1.2, -1.5, 0.8),
    "gate, near-perfect, 100 cases": (100, 0.4, 4.0, -4.0, 0.8),
}


def gate_shares(name: str, trials: int) -> dict[tuple[str, str], dict[str, float]]:
    """Return the shares of the verdicts, by what counts were known and what is true."""
    m, pi, up, down, rho = GATES[name]
    chance = random.Random(name)
    dice = np.random.default_rng(chance.getrandbits(60))
    old = (_logistic(up), _logistic(down))
    out: dict[tuple[str, str], dict[str, float]] = {}
    for truth, new in (
        ("worse", (_logistic(up - 0.4), _logistic(down + 0.4))), ("equal", old),
        ("better", (min(old[0] + 0.06, 1), max(old[1] - 0.06, 0))),
    ):  # fmt: skip
        for _ in range(trials):
            y = [0]
            while not any(y):
                y = [int(chance.random() < pi) for _ in range(m)]
            together = dice.standard_normal(m)
            answers, cells = {}, []
            for model, (tpr, fpr) in (("new", new), ("old", old)):
                right = _succeeds(np.array([tpr if label else 1 - fpr for label in y]), together, rho, dice)
                answers[model] = [label if good else 1 - label for label, good in zip(y, right, strict=True)]
                both = [2 * label + said for label, said in zip(y, answers[model], strict=True)]
                cells.append([both.count(outcome) for outcome in range(4)])
            pair = paired(y, answers, DRAWS, chance.getrandbits(31))
            counts = rs.Performances.from_counts(cells, names=["new", "old"])
            seed = chance.getrandbits(31)
            for way, decision in (
                ("paired", rs.gate(pair["new"], pair["old"], "beta in [0.5, 2]", alpha=0.05)),
                (
                    "counts",
                    rs.gate(counts["new"], counts["old"], "beta in [0.5, 2]", alpha=0.05, draws=DRAWS, rng=seed),
                ),
            ):
                shares = out.setdefault((way, truth), {"pass": 0.0, "worse": 0.0, "undecided": 0.0})
                shares[decision.verdict] += 1 / trials
    return out
