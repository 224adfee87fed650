"""Segmentation: pixels of several classes, void left out, and the scores that people name."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

import rankscape as rs
from rankscape import DataError
from rankscape.tasks import multi_class, segmentation

RNG = np.random.default_rng(7)
TRUTH = RNG.integers(0, 3, (4, 5, 6))  # four images
GUESS = np.where(RNG.random(TRUTH.shape) < 0.7, TRUTH, RNG.integers(0, 3, TRUTH.shape))


def counts(P: rs.Performances) -> list[list[int]]:
    assert P.counts is not None
    return P.counts.tolist()  # type: ignore[no-any-return]


def test_pixels_are_counted_together() -> None:
    expected = metrics.confusion_matrix(TRUTH.ravel(), GUESS.ravel()).ravel().tolist()
    P = segmentation.evaluate(TRUTH, {"net": GUESS})
    assert counts(P) == [expected]
    assert P.names == ("net",)
    assert counts(segmentation.evaluate(list(TRUTH), list(GUESS))) == [expected]
    ragged = segmentation.evaluate([TRUTH[0], TRUTH[1:].ravel()], [GUESS[0], GUESS[1:].ravel()])
    assert counts(ragged) == [expected]
    assert counts(segmentation.evaluate(TRUTH[0, 0], GUESS[0, 0], labels=[0, 1, 2])) == counts(
        multi_class.evaluate(TRUTH[0, 0], GUESS[0, 0], labels=[0, 1, 2])
    )


def test_named_images_are_domains() -> None:
    images = {f"image {i}": image for i, image in enumerate(TRUTH)}
    answers = {f"image {i}": image for i, image in enumerate(GUESS)}
    P = segmentation.evaluate(images, {"net": answers, "copy": images})
    assert P.domains == tuple(name for name in images for _ in range(2))
    assert np.sum(counts(P["net"]), axis=0).tolist() == counts(segmentation.evaluate(TRUTH, GUESS))[0]
    assert list(rs.rank(P, by="accuracy")) == ["copy", "net"]


def test_scores_agree_with_scikit_learn() -> None:
    P = segmentation.evaluate(TRUTH, GUESS)
    each = metrics.jaccard_score(TRUTH.ravel(), GUESS.ravel(), average=None)
    for label in range(3):
        assert rs.score(f"iou({label})", P.space)(P)[0] == pytest.approx(each[label])
    for name in ("miou", "mIoU", "mean iou", "mean IoU", "jaccard macro"):
        by = rs.score(name, P.space)
        assert by(P)[0] == pytest.approx(each.mean())
    assert rs.score("miou", P.space).name == "mean IoU"
    with pytest.warns(rs.UnsoundScoreWarning, match="mean IoU is not sound for ranking"):
        rs.rank(P, by="mean iou")


def test_void_is_not_drawn() -> None:
    truth = TRUTH.copy()
    truth[0] = 255
    P = segmentation.evaluate(truth, {"a": GUESS}, void=255)
    assert P.space.labels == ("0", "1", "2")
    assert counts(P) == counts(segmentation.evaluate(TRUTH[1:], GUESS[1:]))
    named = {f"{i}": image for i, image in enumerate(truth)}
    assert segmentation.evaluate(named, {"a": dict(zip(named, GUESS, strict=True))}, void=255).domains == (
        "1",
        "2",
        "3",
    )


def test_a_prediction_of_void_is_wrong() -> None:
    guess = GUESS.copy()
    guess[0] = 255
    P = segmentation.evaluate(TRUTH, {"shy": guess, "bold": GUESS}, void=255)
    assert P.space.labels == ("0", "1", "2", "255")
    assert rs.score("accuracy", P.space)(P) == pytest.approx([(guess == TRUTH).mean(), (GUESS == TRUTH).mean()])
    ious = np.array([rs.score(f"iou({label})", P.space)(P) for label in range(3)])
    expected = [[metrics.jaccard_score(TRUTH.ravel() == k, g.ravel() == k) for g in (guess, GUESS)] for k in range(3)]
    assert ious == pytest.approx(np.array(expected))
    for name in ("miou", "macro jaccard"):  # void is no class to be averaged
        assert rs.score(name, P.space)(P) == pytest.approx(ious.mean(axis=0))
        exact = rs.score(name, P.space).exact(P)
        assert exact is not None
        assert (exact.top / exact.bottom).astype(float) == pytest.approx(ious.mean(axis=0))
    recalls = np.array([rs.score(f"recall({label})", P.space)(P) for label in range(3)])
    assert rs.score("balanced accuracy", P.space)(P) == pytest.approx(recalls.mean(axis=0))
    assert rs.score("micro f1", P.space)(P) == pytest.approx(rs.score("accuracy", P.space)(P))
    weights = np.bincount(TRUTH.ravel()) / TRUTH.size
    assert rs.score("weighted recall", P.space)(P) == pytest.approx(weights @ recalls)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: segmentation.evaluate([[0, 1]], [[0, 1, 1]]), r'entity "P1", image 1: expected labels of shape \(2,\), .* got shape \(3,\)'),
    (lambda: segmentation.evaluate([[0, 1]], {"a": [[0, 1], [1, 1]]}), 'entity "a": expected 1 predictions, one per input; got 2'),
    (lambda: segmentation.evaluate([[9, 9]], [[0, 1]], void=9), "no pixel has a true label"),
    (lambda: segmentation.evaluate([[0, 1]], [[0, 2]], labels=[0, 1]), "the predicted label 2 is none of the classes 0, 1"),
])  # fmt: skip
def test_what_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()
