"""Tasks: what an outcome is, and the evaluators that count outcomes. (Foundations, A.2.)

Each module has ``evaluate(truth, predictions)``, the evaluator of one thought experiment: predictions of one entity, or
of several in a mapping of names; that of two classes is :meth:`rankscape.Performances.from_labels`. It returns
:class:`~rankscape.Performances` over the outcomes of the task, for ``rs.rank``, ``rs.compare`` and ``rs.ranking_score``
(and, with two satisfying and two unsatisfying outcomes, for ``rs.tile`` and ``rs.regions``; with fp, fn and tp only,
for what lies on the right side of the Tile); regression, whose outcomes are not finite, returns pairs for the first
three.

==============  =======================================  ==================================================
module          outcomes                                 named ranking scores
==============  =======================================  ==================================================
two_class       tn, fp, fn, tp                           the catalogue, ``rs.scores()``
multi_class     K² pairs (true class, predicted class)   accuracy; recall, precision, jaccard, f1 of a class
segmentation    the same, of pixels                      the same; iou of a class, mean iou (not sound)
success         failure, success                         accuracy, error rate
regression      ℝ², (truth, prediction)                  mae, mse, rmse, within(ε)
retrieval       fp, fn, tp, or none, fp, fn, tp          precision, recall, f0.5, f1, f2, jaccard
detection       none, fp, fn, tp                         the same, and accuracy
clustering      tn, fp, fn, tp, of pairs of elements     the catalogue; Rand index is accuracy
ranking         discordant, concordant pairs             tau
==============  =======================================  ==================================================
"""

from ..gathered import gather

__all__ = gather(__name__)
