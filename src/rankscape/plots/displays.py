"""Displays, as scikit-learn has them: made from labels or from an estimator, they hold what they draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self

from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from numpy.typing import ArrayLike

from .. import tile
from ..errors import UsageError
from ..performances import Performances
from ..tile import TileMap
from .tile import draw_tile


class Classifier(Protocol):
    """What has been fitted and predicts labels."""

    def predict(self, X: Any) -> ArrayLike:
        """Return one label per case."""


class TileDisplay:
    """A Tile to draw: the values of one classifier, or who comes first among several.

    Once :meth:`plot` has drawn, ``ax_`` and ``figure_`` are the axes and their figure. Several in one figure need
    ``plt.subplots(1, 2, layout="constrained")``.

    Attributes
    ----------
    tile_map
        What is drawn.
    performances
        Where it comes from.

    Examples
    --------
    >>> import rankscape as rs
    >>> display = rs.plots.TileDisplay.from_predictions(
    ...     [0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]}
    ... )
    >>> display.tile_map.flavor, sorted(display.tile_map.shares)
    ('entity', ['a', 'b'])
    """

    def __init__(self, tile_map: TileMap, performances: Performances | None = None) -> None:
        self.tile_map, self.performances = tile_map, performances
        self.ax_: Axes | None = None
        self.figure_: Figure | SubFigure | None = None

    def plot(self, ax: Axes | None = None, **options: Any) -> Self:
        """Draw the Tile.

        Parameters
        ----------
        ax
            Axes to draw on; by default those of a new figure.
        **options
            Those of :func:`rankscape.plots.draw_tile`.

        Returns
        -------
        TileDisplay
            This display, with ``ax_`` and ``figure_``.
        """
        self.ax_ = draw_tile(self.tile_map, ax, **options)
        self.figure_ = self.ax_.figure.figure
        return self

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike | Mapping[str, ArrayLike],
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        names: Sequence[str] | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw the Tile of predicted labels.

        Parameters
        ----------
        y_true : (m,)
            The true labels.
        y_pred : (m,), (k, m), or a mapping of names to (m,)
            The predicted labels of one classifier, or of several. A mapping of one, {"my model": y_pred}, names it in
            the title, which otherwise says P1.
        pos_label, sample_weight, names
            As of :meth:`rankscape.Performances.from_labels`.
        ax
            Axes to draw on; by default those of a new figure.
        **options
            Those of :func:`rankscape.plots.draw_tile`.

        Returns
        -------
        TileDisplay
            The display, drawn.
        """
        performances = Performances.from_labels(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight, names=names
        )
        tile_map = tile.entity(performances) if len(performances) > 1 else tile.value(performances)
        return cls(tile_map, performances).plot(ax, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Classifier | Mapping[str, Classifier],
        X: Any,
        y: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw the Tile of a fitted classifier, or of several.

        Parameters
        ----------
        estimator
            A fitted classifier, or a dict of them by name. A dict of one, {"my model": it}, names it in the title,
            which otherwise says the class of the estimator.
        X
            The cases: what ``predict`` takes.
        y : (m,)
            Their true labels.
        pos_label, sample_weight
            As of :meth:`rankscape.Performances.from_labels`.
        ax
            Axes to draw on; by default those of a new figure.
        **options
            Those of :func:`rankscape.plots.draw_tile`.

        Returns
        -------
        TileDisplay
            The display, drawn.

        Raises
        ------
        UsageError
            For what cannot predict.

        Examples
        --------
        >>> import rankscape as rs
        >>> from sklearn.dummy import DummyClassifier
        >>> model = DummyClassifier(strategy="constant", constant=1).fit([[0], [1]], [0, 1])
        >>> rs.plots.TileDisplay.from_estimator(model, [[0], [1]], [0, 1]).tile_map.title
        'How good DummyClassifier is, for every preference'
        """
        several = estimator if isinstance(estimator, Mapping) else {type(estimator).__name__: estimator}
        for name, one in several.items():
            if not callable(getattr(one, "predict", None)):
                raise UsageError(f"{name} has no method predict; expected a fitted classifier, or a dict of them")
        predicted = {name: one.predict(X) for name, one in several.items()}
        return cls.from_predictions(y, predicted, pos_label=pos_label, sample_weight=sample_weight, ax=ax, **options)
