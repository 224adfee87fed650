"""What users do today instead: bootstraps, Jeffreys' prior for each by itself, ten folds and a t-test.

The bootstrap of ranks follows challengeR: Wiesenfarth, M., Reinke, A., Landman, B. A., Eisenmann, M., Aguilera Saiz,
L., Cardoso, M. J., Maier-Hein, L., Kopp-Schneider, A.: Methods and open-source toolkit for analyzing and visualizing
challenge results. Scientific Reports 11, 2369 (2021).
"""

import numpy as np
from calibration_measures import TIE, Trial, of_intervals, of_statements
from calibration_worlds import Sample, Way, World, counts_of
from scipy.stats import t as student
from sklearn.model_selection import StratifiedKFold

from rankscape.uncertainty import rank_intervals

FOLDS = 10


def plain_bootstrap(world: World, sample: Sample, way: Way, draws: int, seed: int) -> Trial:
    """Return a trial of the plain bootstrap, with the claims that hold together in its draws."""
    return of_intervals(rank_intervals(world.draws(sample, way, draws, seed, "bootstrap"), by=world.score), sample.true)


def kept_apart(world: World, sample: Sample, way: Way, draws: int, seed: int) -> Trial:
    """Return a trial of Jeffreys' prior for each entity by itself."""
    return of_intervals(rank_intervals(world.draws(sample, way, draws, seed, "jeffreys"), by=world.score), sample.true)


def bootstrap_of_ranks(world: World, sample: Sample, way: Way, draws: int, seed: int) -> Trial:
    """Return a trial of percentiles of bootstrapped ranks: all true ranks must lie in their intervals.

    P(first) is the share of the draws in which an entity has rank 1, alone or tied, as challengeR counts it. These
    shares may add up to more than 1, so that a log loss would flatter them: there is none.
    """
    drawn = world.draws(sample, way, draws, seed, "bootstrap")
    intervals = rank_intervals(drawn, by=world.score, simultaneous=False)
    true = sample.true
    best, last = 1 + (true[:, None] < true - TIE).sum(axis=1), (true[:, None] <= true + TIE).sum(axis=1)
    p_first = (intervals.places == 1).mean(axis=0)
    claims = intervals.high[:, None] < intervals.low
    trial = of_statements(claims, intervals.value_low, intervals.value_high, p_first, true, draws)
    inside = bool(((intervals.low <= last) & (best <= intervals.high)).all())
    return trial._replace(measured=trial.measured._replace(together=float(inside), loss=np.nan))


def ten_folds(world: World, sample: Sample, way: Way, draws: int, seed: int) -> Trial:
    """Return a trial of scores on ten folds and paired t-tests at 5 %, as scikit-learn and SciPy offer them.

    A test says nothing about who is first. The interval of a score is its mean over the folds ± t standard errors.
    """
    values = []
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    for _, fold in folds.split(np.zeros_like(sample.labels), sample.labels):
        tn, fp, fn, tp = counts_of(sample.labels[fold], sample.predicted[:, fold]).T
        with np.errstate(invalid="ignore"):
            f1 = np.nan_to_num(2 * tp / (2 * tp + fp + fn))  # scikit-learn's default: 0 where it is undefined
            values.append({"f1": f1, "accuracy": (tn + tp) / len(fold)}[world.score])
    scores = np.array(values)
    mean, half = scores.mean(axis=0), student.ppf(0.975, FOLDS - 1) * scores.std(axis=0, ddof=1) / np.sqrt(FOLDS)
    difference = scores[:, :, None] - scores[:, None]
    error = difference.std(axis=0, ddof=1) / np.sqrt(FOLDS)
    claims = difference.mean(axis=0) > student.ppf(0.975, FOLDS - 1) * np.maximum(error, 1e-12)
    return of_statements(claims, mean - half, mean + half, None, sample.true, draws)


OTHERS = {
    "plain bootstrap": plain_bootstrap,
    "bootstrap of ranks": bootstrap_of_ranks,
    "Jeffreys, each by itself": kept_apart,
    "ten folds, t-test": ten_folds,
}


def others_of(world: World, way: Way) -> tuple[str, ...]:
    """Return which of them can be used in a world, and are measured there."""
    if way == "counts":
        return ("Jeffreys, each by itself",)
    bootstraps = ("plain bootstrap", "bootstrap of ranks", "Jeffreys, each by itself")
    folds = way == "paired" and not world.sizes and world.score in ("f1", "accuracy")
    enough = world.prior * world.cases >= 3 * FOLDS and world.cases <= 1000
    return (*bootstraps, "ten folds, t-test") if folds and enough else bootstraps
