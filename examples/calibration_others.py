"""What users do today instead: bootstraps, Jeffreys' prior for each by itself, ten folds and a t-test.

The bootstrap of ranks follows challengeR: Wiesenfarth, M., Reinke, A., Landman, B. A., Eisenmann, M., Aguilera Saiz,
L., Cardoso, M. J., Maier-Hein, L., Kopp-Schneider, A.: Methods and open-source toolkit for analyzing and visualizing
challenge results. Scientific Reports 11, 2369 (2021).
"""

import numpy as np
from calibration_measures import TIE, Trial, of_intervals, of_statements
from calibration_worlds import Floats, Sample, Way, World, counts_of
from scipy.stats import t as student
from sklearn.model_selection import StratifiedKFold

from rankscape.uncertainty import Draws, RankIntervals, rank_intervals

BOOTSTRAP, RANKS, APART, FOLDS = (
    "plain bootstrap", "bootstrap of ranks", "Jeffreys, each by itself", "ten folds, t-test",
)  # fmt: skip
NUMBER = 10
"""Of folds."""


def others(world: World, sample: Sample, way: Way, draws: int, seed: int) -> dict[str, Trial]:
    """Return what a trial shows of each that can be used: from counts there is no bootstrap of cases."""
    apart = rank_intervals(world.draws(sample, way, draws, seed, "jeffreys"), by=world.score)
    out = {APART: of_intervals(apart, sample.true)}
    if way != "counts":
        again = rank_intervals(resampled(world, sample, way, draws, seed), by=world.score)
        out = {BOOTSTRAP: of_intervals(again, sample.true), RANKS: of_ranks(again, sample.true), **out}
    enough = world.prior * world.cases >= 3 * NUMBER and world.cases <= 1000
    if way == "paired" and not world.sizes and world.score in ("f1", "accuracy") and enough:
        out[FOLDS] = of_folds(world, sample, draws, seed)
    return out


def resampled(world: World, sample: Sample, way: Way, draws: int, seed: int) -> Draws:
    """Return draws of the plain bootstrap: cases, clusters or domains drawn with replacement, the same for all."""
    rng, drawn = np.random.default_rng(seed), world.draws(sample, way, draws, seed)
    grid, k = drawn.prepared.grid, len(drawn.space)
    weights = np.array([float(weight) for weight in grid.weights])
    if way == "domains":
        times = rng.multinomial(len(weights), np.full(len(weights), 1 / len(weights)), draws) * weights
        values = np.tensordot(times, grid.performances.mass[grid.rows], (1, 1))
    else:
        values = np.zeros((draws, len(drawn.names), k))
        for weight, units in zip(weights, drawn.evidence.units, strict=True):
            cluster = units.cluster
            chance = units.size if cluster is None else np.ones(cluster.max() + 1)
            times = rng.multinomial(int(chance.sum()), chance / chance.sum(), draws)
            counts = units.counts(times.astype(float) if cluster is None else times[:, cluster] * units.size, k)
            values += weight * counts / counts.sum(axis=2, keepdims=True)
    shares = values / values.sum(axis=2, keepdims=True)
    return Draws(drawn.observed, lambda: iter((shares,)), drawn.evidence, draws, BOOTSTRAP, True)


def of_ranks(again: RankIntervals, true: Floats) -> Trial:
    """Return a trial of percentiles of bootstrapped ranks: all true ranks must lie in their intervals.

    P(first) is the share of the draws in which an entity has rank 1, alone or tied, as challengeR counts it. These
    shares may add up to more than 1, so that a log loss would flatter them: there is none.
    """
    places = np.where(again.places == 0, len(true), again.places)  # undefined ones come last
    low, high = np.quantile(places, [0.025, 0.975], axis=0, method="inverted_cdf")
    best, last = 1 + (true[:, None] < true - TIE).sum(axis=1), (true[:, None] <= true + TIE).sum(axis=1)
    p_first = (places == 1).mean(axis=0)
    claims = high[:, None] < low
    trial = of_statements(claims, again.value_low, again.value_high, p_first, true, again.draws)
    inside = bool(((low <= last) & (best <= high)).all())
    return trial._replace(measured=trial.measured._replace(together=float(inside), loss=np.nan))


def of_folds(world: World, sample: Sample, draws: int, seed: int) -> Trial:
    """Return a trial of scores on ten folds and paired t-tests at 5 %, as scikit-learn and SciPy offer them.

    A test says nothing about who is first. The interval of a score is its mean over the folds ± t standard errors.
    """
    values = []
    folds = StratifiedKFold(NUMBER, shuffle=True, random_state=seed)
    for _, fold in folds.split(np.zeros_like(sample.labels), sample.labels):
        tn, fp, fn, tp = counts_of(sample.labels[fold], sample.predicted[:, fold]).T
        with np.errstate(invalid="ignore"):
            f1 = np.nan_to_num(2 * tp / (2 * tp + fp + fn))  # scikit-learn's default: 0 where it is undefined
            values.append({"f1": f1, "accuracy": (tn + tp) / len(fold)}[world.score])
    scores = np.array(values)
    mean, half = scores.mean(axis=0), student.ppf(0.975, NUMBER - 1) * scores.std(axis=0, ddof=1) / np.sqrt(NUMBER)
    difference = scores[:, :, None] - scores[:, None]
    error = difference.std(axis=0, ddof=1) / np.sqrt(NUMBER)
    claims = difference.mean(axis=0) > student.ppf(0.975, NUMBER - 1) * np.maximum(error, 1e-12)
    return of_statements(claims, mean - half, mean + half, None, sample.true, draws)
