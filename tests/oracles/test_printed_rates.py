"""Random rows of printed rates: ranges of scores against an enumeration of tables of shares, and contradictions."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import rankscape as rs
from rankscape.typing import Floats

COLUMNS = ("sensitivity", "specificity", "precision", "npv", "accuracy", "f1", "balanced accuracy", "mcc", "kappa",
           "youden", "f2", "fpr", "prevalence", "jaccard", "fnr", "error rate")  # fmt: skip
USUAL = (("accuracy", "precision", "recall", "f1"), ("sensitivity", "specificity", "ppv", "npv", "accuracy"),
         ("accuracy", "precision", "recall", "f1", "mcc"), ("accuracy", "f1", "balanced accuracy"),
         ("sensitivity", "specificity"), ("precision", "recall"), ("sensitivity", "specificity", "prevalence"))  # fmt: skip
BY = ("f1", "accuracy", "ppv", "npv", "tpr", "tnr", "ba", "kappa", "jaccard", "f2", "youden", "mcc", "fmi", "acp", "p4",
      "gmean", "plr", "nlr", "or", "kulczynski2", "rogotgoldberg", "yuleq")  # fmt: skip

pytestmark = pytest.mark.filterwarnings("ignore::rankscape.UnsoundScoreWarning")


SHARES, PREDICTIONS, ZOOMS = 41, 65, 5
"""How many shares of positives are tried at a time, of predictions at each, and how often around the best of them."""


def random_counts(rng: np.random.Generator) -> np.ndarray:
    """Counts with rare positives, perfect classes and zeros among them."""
    n, prior = int(rng.choice([30, 200, 3000, 100_000])), rng.choice([0.5, 0.3, 0.1, 0.02, 0.002])
    positive = min(max(round(n * prior), 1), n - 1)
    tp, tn = rng.binomial(positive, 1 - rng.beta(1, 4)), rng.binomial(n - positive, 1 - rng.beta(1, 8))
    kind = rng.random()
    tp = positive if kind < 0.05 else 0 if kind < 0.08 else tp
    tn = n - positive if kind > 0.95 else tn
    return np.array([tn, n - positive - tn, positive - tp, tp])


def random_rates(rng: np.random.Generator, counts: np.ndarray) -> dict[str, str]:
    """Some rates of counts as printed, with 2 to 4 decimals or as percentages."""
    usual = USUAL[rng.integers(len(USUAL))]
    names = usual if rng.random() < 0.5 else rng.choice(COLUMNS, size=rng.integers(2, 5), replace=False).tolist()
    decimals, out = int(rng.integers(2, 5)), {}
    for name in names:
        value = rs.score(name)(counts[None])[0]
        if value == value:
            percent = rng.random() < 0.3 and value >= 0
            out[name] = f"{100 * value:.{decimals - 2}f} %" if percent else f"{value:.{decimals}f}"
    return out


# ---- the enumeration


def interval(text: str) -> tuple[float, float, float]:
    """What rounds to a printed number, and its unit."""
    digits, scale = text.rstrip(" %"), 100 if "%" in text else 1
    unit = 10.0 ** -len(digits.partition(".")[2]) / scale
    return float(digits) / scale - unit / 2, float(digits) / scale + unit / 2, unit


def cells(positive: Floats, predicted: Floats, tp: Floats) -> tuple[Floats, ...]:
    return 1 - positive - predicted + tp, predicted - tp, positive - tp, tp


FORMULAS: dict[str, Callable[..., tuple[Floats, Floats]]] = {
    "tpr": lambda tn, fp, fn, tp: (tp, fn + tp),
    "fnr": lambda tn, fp, fn, tp: (fn, fn + tp),
    "tnr": lambda tn, fp, fn, tp: (tn, tn + fp),
    "fpr": lambda tn, fp, fn, tp: (fp, tn + fp),
    "ppv": lambda tn, fp, fn, tp: (tp, fp + tp),
    "npv": lambda tn, fp, fn, tp: (tn, tn + fn),
    "accuracy": lambda tn, fp, fn, tp: (tn + tp, tn + fp + fn + tp),
    "er": lambda tn, fp, fn, tp: (fp + fn, tn + fp + fn + tp),
    "prior": lambda tn, fp, fn, tp: (fn + tp, tn + fp + fn + tp),
    "ba": lambda tn, fp, fn, tp: (tn * (fn + tp) + tp * (tn + fp), 2 * (tn + fp) * (fn + tp)),
    "youden": lambda tn, fp, fn, tp: (tn * tp - fp * fn, (tn + fp) * (fn + tp)),
    "jplus": lambda tn, fp, fn, tp: (tp, fp + fn + tp),
    "kappa": lambda tn, fp, fn, tp: (2 * (tn * tp - fp * fn), (fp + tp) * (tn + fp) + (fn + tp) * (tn + fn)),
}
"""Numerator and denominator of the rates in COLUMNS but F-scores and MCC, written once more."""


@lru_cache
def ratio(name: str) -> Callable[..., tuple[Floats, Floats]] | None:
    """Numerator and denominator of a rate; None for MCC."""
    by = rs.score(name)
    if by.key == "fbeta":
        square = float(by.parameters["beta"]) ** 2
        return lambda tn, fp, fn, tp: ((1 + square) * tp, (1 + square) * tp + square * fn + fp)
    return None if by.key == "mcc" else FORMULAS[by.key]


def true_positives(rates: dict[str, str], positive: Floats, predicted: Floats) -> tuple[Floats, Floats]:
    """The least and the most true positives with which rates round to what is printed; the most is less for none.

    At given shares of positives and of positive predictions every rate rises or falls with the true positives, and all
    of COLUMNS do so as a ratio of linear functions, but for MCC's constant root.
    """
    low, high = np.maximum(positive + predicted - 1, 0), np.minimum(positive, predicted)
    zero = np.zeros_like(low)
    for name, text in rates.items():
        least, most, _ = interval(text)
        formula = ratio(name)
        if formula is None:
            root = np.sqrt(positive * (1 - positive) * predicted * (1 - predicted))
            low, high = np.maximum(low, positive * predicted + least * root), np.minimum(
                high, positive * predicted + most * root)  # fmt: skip
            continue
        (top, bottom), (top_1, bottom_1) = (formula(*cells(positive, predicted, tp)) for tp in (zero, zero + 1))
        for sign, end in ((1, least), (-1, most)):
            start, slope = sign * (top - end * bottom), sign * (top_1 - top - end * (bottom_1 - bottom))
            flat = abs(slope) < 1e-12  # as of a share of positives, which is given
            at = -start / np.where(flat, 1, slope)
            low = np.where(~flat & (slope > 0), np.maximum(low, at), low)
            high = np.where(~flat & (slope < 0), np.minimum(high, at), high)
            high = np.where(flat & (start < -1e-12), -1.0, high)
    return low, high


def predictions(rates: dict[str, str], positive: Floats, known: Floats, more: bool) -> tuple[Floats, Floats, Floats]:
    """The ends of the shares of positive predictions at given shares of positives, and the room between them.

    They are looked for among shares that are ``more``, or not, than that of positives, for precision and recall may
    change places. The room is how much is left at most for the true positives, and negative where nothing is.
    """

    def room(predicted: Floats) -> Floats:
        low, high = true_positives(rates, positive, predicted)
        return high - low

    least, most = (positive, np.ones_like(positive)) if more else (np.zeros_like(positive), positive)
    start = least, most
    for _ in range(45):
        one, two = least + (most - least) * 0.382, least + (most - least) * 0.618
        rises = room(one) < room(two)
        least, most = np.where(rises, one, least), np.where(rises, most, two)
    inside = (known >= start[0]) & (known <= start[1]) & (room(known) >= 0)
    middle = np.where(inside, known, (least + most) / 2)
    ends = []
    for end in start:
        inside, outside = middle, end
        for _ in range(45):
            half = (inside + outside) / 2
            fits = room(half) >= 0
            inside, outside = np.where(fits, half, inside), np.where(fits, outside, half)
        ends.append(inside)
    return ends[0], ends[1], room(middle)


def shares_to_try(rates: dict[str, str], share: float, predicted: float) -> Floats:
    """Shares of positives: on a grid, closer around a known one, and where the room has a peak between the grid's."""
    far, near = np.geomspace(1e-8, 0.5, 160), share * np.geomspace(1e-6, 0.3, 40)
    grid = np.r_[far, 1 - far, share - near, share, share + near]
    for _ in range(3):
        grid = np.unique(grid[(grid > 0) & (grid < 1)])
        known = np.where(grid == share, predicted, 0.5)
        room = np.maximum(*(predictions(rates, grid, known, more)[2] for more in (False, True))) / (grid * (1 - grid))
        peaks = 1 + np.flatnonzero((room[1:-1] < 0) & (room[1:-1] >= room[:-2]) & (room[1:-1] >= room[2:]))
        grid = np.r_[grid, *(np.linspace(grid[i - 1], grid[i + 1], 13) for i in peaks[:10])]
    return np.unique(grid)


def enumerated(rates: dict[str, str], by: rs.Score, prior: float | None, counts: Any) -> tuple[float, float]:
    """The least and the most of a score over tables of shares that round to rates.

    At a share of positives and one of positive predictions both are at the ends of what is left for the true
    positives. Shares of positives are tried in ever finer steps around the best.
    """
    share, predicted = counts[2:].sum() / counts.sum(), counts[[1, 3]].sum() / counts.sum()
    start = shares_to_try(rates, share, predicted)
    first = tried(rates, by, prior, start, np.where(start == share, predicted, 0.5))
    ends = []
    for sign, values in zip((-1, 1), first, strict=True):
        grid, best = start, -np.inf
        for _ in range(ZOOMS):
            at = int(np.argmax(sign * values))
            best = max(best, float(sign * values[at]))
            grid = np.linspace(grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)], SHARES)
            values = tried(rates, by, prior, grid, np.full(len(grid), 0.5))[(sign + 1) // 2]
        ends.append(sign * max(best, float((sign * values).max())))
    return ends[0], ends[1]


def tried(
    rates: dict[str, str], by: rs.Score, prior: float | None, share: Floats, known: Floats
) -> tuple[Floats, Floats]:
    """The least and the most of a score at each of some shares of positives; inf and -inf where nothing fits."""
    sides = [tried_on_a_side(rates, by, prior, share, known, more) for more in (False, True)]
    return np.minimum(sides[0][0], sides[1][0]), np.maximum(sides[0][1], sides[1][1])


def tried_on_a_side(
    rates: dict[str, str], by: rs.Score, prior: float | None, share: Floats, known: Floats, more: bool
) -> tuple[Floats, Floats]:
    """The same where more, or no more, is predicted positive than is."""
    first, last, room = predictions(rates, share, known, more)
    steps = (1 - np.cos(np.linspace(0, np.pi, PREDICTIONS))) / 2
    predicted = first[:, None] + (last - first)[:, None] * steps
    positive = np.broadcast_to(share[:, None], predicted.shape)
    ends = true_positives(rates, positive, predicted)
    tables = np.maximum(np.stack([np.stack(cells(positive, predicted, tp), axis=-1) for tp in ends]), 0).reshape(-1, 4)
    fits = np.ones(len(tables), dtype=bool)  # where counts are next to nothing, floats may have other rates
    for name, text in rates.items():
        shown = rs.score(name)(rs.Performances.from_probabilities(tables / tables.sum(axis=1, keepdims=True)))
        fits &= (shown >= interval(text)[0] - 1e-9) & (shown <= interval(text)[1] + 1e-9)
    if prior is not None:
        negative, positive = tables[:, :2].sum(axis=1), tables[:, 2:].sum(axis=1)
        tables = tables * np.stack([(1 - prior) / negative] * 2 + [prior / positive] * 2, axis=1)
    values = by(rs.Performances.from_probabilities(tables / tables.sum(axis=1, keepdims=True)))
    values[~fits] = np.nan
    values = np.where(room >= 0, values.reshape(2, -1, PREDICTIONS).transpose(0, 2, 1), np.nan)
    low, high = np.fmin.reduce(values, axis=(0, 1)), np.fmax.reduce(values, axis=(0, 1))
    return np.where(np.isnan(low), np.inf, low), np.where(np.isnan(high), -np.inf, high)


# ---- what is compared


def is_as_enumerated(counts: np.ndarray, rates: dict[str, str], by: rs.Score, prior: float | None) -> bool:
    """Compare a range: it is never too narrow, nor 1.05 times and a unit of the last digit too wide; False for none."""
    P, case = rs.Performances.from_counts(counts[None]), (counts.tolist(), rates, by.name, prior)
    table = rs.read_published({"model": ["a"], **{name: [text] for name, text in rates.items()}})
    try:
        ranking = table.rank(by, shift_prior=prior)
        true = by(P if prior is None else P.shift_priors(prior))[0]
    except rs.UsageError as error:
        assert "open, even if it were exact" in str(error), case  # noqa: PT017
        return False
    (low, high), value = ranking.value_bounds[0], ranking.ranking.values[0]
    least, most = enumerated(rates, by, prior, counts)
    unit = max(interval(text)[2] for text in rates.values())
    for one in (true, value, least, most):
        assert not (one < low - slack(one) or one > high + slack(one)), (case, low, high, one)  # noqa: PT018
    wide = high - low > max(1.05 * (most - least), most - least + unit) + 1e-9 and np.isfinite(high)
    assert not wide, (case, low, high, least, most)
    return True


def ranges_are_as_enumerated(trials: int, seed: int) -> None:
    """Ranges are never too narrow, and none is too wide."""
    rng, done = np.random.default_rng(seed), 0
    while done < trials:
        counts = random_counts(rng)
        rates = random_rates(rng, counts)
        if len(rates) < 2:
            continue
        by, prior = rs.score(str(rng.choice(BY))), None if rng.random() < 0.7 else float(rng.choice([0.02, 0.3, 0.5]))
        done += is_as_enumerated(counts, rates, by, prior)


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("counts", "rates", "by", "prior"),
    [
        ([192, 4, 0, 4], {"f1": "0.6667", "sensitivity": "100.00 %", "mcc": "0.6999"}, "kappa", None),
        ([199, 0, 1, 0], {"fpr": "0.00", "jaccard": "0.00"}, "mcc", None),
        ([27, 0, 0, 3], {"accuracy": "1.0000", "precision": "1.0000", "f1": "100.00 %", "mcc": "1.0000"}, "tnr", None),
        ([199, 0, 0, 1], {"accuracy": "1.00", "precision": "1.00", "f1": "100 %", "mcc": "1.00"}, "f1", 0.02),
        ([28, 1, 0, 1], {"f1": "0.667", "prevalence": "0.033", "mcc": "69.5 %"}, "f2", None),  # fp and fn may change
        ([19, 10, 1, 0], {"youden": "-0.3448", "precision": "0.0000"}, "ba", None),
        ([179, 20, 1, 0], {"youden": "-0.1005", "precision": "0.0000"}, "or", None),
    ],
)
def test_ranges_are_narrow_next_to_a_share_of_0_or_1(
    counts: list[int], rates: dict[str, str], by: str, prior: float | None
) -> None:
    assert is_as_enumerated(np.array(counts), rates, rs.score(by), prior)


def slack(value: float) -> float:
    """By so much a value of the enumeration may miss an end, as its shares are floats; ratios to tiny ones by more."""
    return 1e-7 * max(1.0, value * value)


def test_ranges_are_as_enumerated() -> None:
    ranges_are_as_enumerated(1, seed=11)


@pytest.mark.nightly
def test_ranges_are_as_enumerated_in_1000_tables() -> None:
    ranges_are_as_enumerated(1000, seed=12)


def contradictions_are_found(trials: int, seed: int) -> None:
    """One of some rates that fix the table is changed by more than rounding: it is refused and named."""
    rng, refused = np.random.default_rng(seed), 0
    while refused < trials:
        counts = random_counts(rng)
        if counts.min() < 3:
            continue
        names = ("recall", *USUAL[1][1:]) if rng.random() < 0.5 else ("tnr", *USUAL[0])
        rates = {name: f"{rs.score(name)(counts[None])[0]:.4f}" for name in names}
        rs.read_published({"model": ["a"], **{name: [text] for name, text in rates.items()}})  # they agree
        wrong = str(rng.choice(names))
        others = {"model": ["a"], **{name: [text] for name, text in rates.items() if name != wrong}}
        low, high = rs.read_published(others).rank(wrong).value_bounds[0]
        changed = float(rates[wrong]) + rng.choice([-1, 1]) * rng.choice([0.01, 0.05, 0.2])
        if not 0 <= changed <= 1 or low - 1e-4 <= changed <= high + 1e-4:
            continue
        with pytest.raises(rs.DataError, match=f"row 1 .*{wrong} {changed:.4f}.* contradict each other"):
            rs.read_published(others | {wrong: [f"{changed:.4f}"]})
        refused += 1


def test_contradictions_are_found() -> None:
    contradictions_are_found(12, seed=5)


@pytest.mark.nightly
def test_contradictions_are_found_in_300_tables() -> None:
    contradictions_are_found(300, seed=6)
