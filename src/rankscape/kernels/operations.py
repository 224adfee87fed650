"""Operations on two-class measures (…, 4), alike for floats and for exact integers; scale does not matter."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

PERMUTATIONS = {
    "swap_classes": [3, 2, 1, 0],
    "swap_truth_and_prediction": [0, 2, 1, 3],
    "change_prediction": [1, 0, 3, 2],
    "change_truth": [2, 3, 0, 1],
}


def no_skill(p: NDArray[Any]) -> NDArray[Any]:
    """Return the product of the marginals, (truth, prediction) in the order tn, fp, fn, tp."""
    truth = (p[..., 0] + p[..., 1], p[..., 2] + p[..., 3])
    prediction = (p[..., 0] + p[..., 2], p[..., 1] + p[..., 3])
    return np.stack([y * z for y in truth for z in prediction], axis=-1)


def with_priors(p: NDArray[Any], negative: NDArray[Any], positive: NDArray[Any]) -> NDArray[Any]:
    """Return measures with the rates of p, and priors proportional to (negative, positive) where both classes occur."""
    old_negative, old_positive = p[..., 0] + p[..., 1], p[..., 2] + p[..., 3]
    left = negative * np.where(old_positive == 0, 1, old_positive)
    right = positive * np.where(old_negative == 0, 1, old_negative)
    return np.asarray(p * np.stack([left, left, right, right], axis=-1))
