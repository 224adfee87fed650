"""Orders by floats with known errors and by integers of 64 bits are those of fractions, also where nothing is clear."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

import rankscape as rs
from rankscape._scores.score import levels
from rankscape.kernels.exact import integers_of_floats
from rankscape.kernels.rounded import Rounded, divided

SCORES = ("accuracy", "f1", "precision", "npv", "jaccard", "kappa", "mcc", "ba", "informedness", "markedness", "g-mean",
          "error rate", "2*tp/(2*tp + fp + fn) - fp/(tn + fp)", "tp**3/(tp**3 + fn**3)", "min(tpr, tnr)", "lr+")  # fmt: skip


def by_fractions(P: rs.Performances, by: rs.Score) -> list[int]:
    """Return the levels by Python's fractions, one entity after the other."""
    ratio = by.exact(P)
    assert ratio is not None
    pairs = zip(ratio.top.tolist(), ratio.bottom.tolist(), strict=True)
    values = [Fraction(top, bottom) if bottom else None for top, bottom in pairs]
    distinct = sorted({value for value in values if value is not None}, reverse=by.direction == "smaller")
    return [-1 if value is None else distinct.index(value) for value in values]


def neighbors(random: Random) -> rs.Performances:
    """Return floats of which many are one step of the last bit apart."""
    base = np.array([random.random() for _ in range(4)]) / 4
    rows = np.repeat(base[None], 40, axis=0)
    for row in rows:
        for i in range(4):
            for _ in range(int(random.random() * 3)):
                row[i] = np.nextafter(row[i], random.choice([0.0, 1.0]))
    return rs.Performances.from_trusted(integers_of_floats(rows), names(40), None, rs.TWO_CLASS)


def names(n: int) -> tuple[str, ...]:
    """Return n names."""
    return tuple(f"P{i}" for i in range(n))


def sets(seed: int) -> dict[str, rs.Performances]:
    """Return inputs of all kinds: ties, zeros, what floats do not hold, equal ratios of different denominators."""
    random = Random(seed)
    few = [[int(random.random() * 3) for _ in range(4)] for _ in range(60)]
    few = [row if any(row) else [0, 1, 0, 0] for row in few]
    scaled = [[x * 10 ** int(random.random() * 22) for x in row] for row in few[:20] for _ in range(2)]
    huge = [[10**20 + int(random.random() * 3), 10**20, 10**20 + int(random.random() * 3), 10**20] for _ in range(40)]
    large = [[2**60 - int(random.random() * 3), 2**59 + 1, int(random.random() * 2), 2**60] for _ in range(40)]
    tiny = np.array([[random.random() * 10.0 ** -(300 * random.random()) for _ in range(4)] for _ in range(40)])
    tiny[:, 0] = 1 - tiny[:, 1:].sum(axis=1)
    tiny = np.clip(tiny, 0, 1)
    return {
        "few": rs.Performances.from_counts(few),
        "different totals": rs.Performances.from_exact([[x * 10**19 for x in row] for row in scaled]),
        "equal but for scale": rs.Performances.from_exact(scaled),
        "huge": rs.Performances.from_exact(huge),
        "large counts": rs.Performances.from_counts(large),
        "neighbors": neighbors(random),
        "shifted": rs.Performances.from_counts([[a + 1, b, c, d + 1] for a, b, c, d in few]).shift_priors(0.1),
        "tiny": rs.Performances.from_probabilities(tiny / tiny.sum(axis=1, keepdims=True)),
        "beyond floats": rs.Performances.from_exact([[10**400, x, y + 1, 10**380] for x, y, *_ in few]),
    }


@pytest.mark.some(20)
@pytest.mark.parametrize("by", SCORES)
@pytest.mark.parametrize("seed", range(3))
def test_levels_are_those_of_fractions(by: str, seed: int) -> None:
    """Whatever the way: 64 bits, floats with errors, or Python's integers."""
    score = rs.score(by)
    for kind, P in sets(seed).items():
        if score.exact(P) is not None:
            assert levels(P, score)[0].tolist() == by_fractions(P, score), kind


def test_errors_bound_what_floats_lose() -> None:
    """The exact value of a random formula is inside the bound, also where terms cancel, vanish or underflow."""
    random = Random(5)
    for _ in range(300):
        numbers = [random.choice([0.0, 1.0, 1e-160, 1e-308]) * random.random() for _ in range(4)]
        x, y, z, w = (Rounded(np.array([number]), np.zeros(1)) for number in numbers)
        a, b, c, d = map(Fraction, numbers)
        for given, exact in (
            (x * y + -(z * w) + x * 3, a * b - c * d + a * 3),
            ((x - y) * (x - y) * (z + w), (a - b) ** 2 * (c + d)),
            (x + y * -7 + z * (10**17 + 1), a - 7 * b + (10**17 + 1) * c),
        ):
            assert abs(Fraction(float(given.value[0])) - exact) <= Fraction(float(given.error[0]) * (1 + 1e-6))
        quotient = divided(x + -y, z + w)
        if np.isfinite(quotient.error[0]) and c + d:
            assert abs(Fraction(float(quotient.value[0])) - (a - b) / (c + d)) <= Fraction(float(quotient.error[0]))
