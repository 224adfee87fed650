"""A score: a named function of performances with a domain, a direction and, where it has one, a place on the Tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import checked_reals, needs_tn
from ..errors import Option, Place, RankscapeError, UndefinedScoreError, UsageError
from ..kernels.exact import LARGEST_IN_FLOATS, fractions_of, integers_of_fractions
from ..kernels.whole import TINY, UNIT, Rounded, Whole, divided, dot
from ..outcomes import TWO_CLASS, WITHOUT_TN, SampleSpace, checked_importance, lacks_tn
from ..performances import Performances, as_performances
from ..typing import Floats, PerformancesLike, Undefined
from .expressions import Node, degree, evaluate, weighted_sum
from .formulated import Formulated
from .places import exact_place, needs, place_among
from .ranking_scores import limit_of, unknown_way
from .ratios import INCREASING, NotRationalError, Ratio

Soundness: TypeAlias = Literal["always", "fixed priors", "fixed prediction rates", "never", "unknown"]
"""For which performances a score is sound for ranking; one that is for either kind of share has "fixed priors"."""

LARGEST_SHOWN = 100_000
MOST_SHOWN = 9
"""Importances of outcomes that the name of a ranking score lists."""
SMALLEST_SAFE_MASS = 1e-30
"""Products of ten masses above this do not underflow; below, floats that look undefined are recomputed exactly."""


@dataclass(frozen=True, eq=False, repr=False)
class Score(Formulated):
    """A real-valued function X of performances, and where it is defined; called with performances, it returns (n,).

    Get one from :func:`rankscape.score`. ``sound`` says whether it may be used to rank: "always", for "fixed priors" or
    only for "fixed prediction rates", "never", or "unknown" for an expression of which nothing was proved.

    Attributes
    ----------
    key, name, symbol, aliases
        What the score is called: in rankscape, in full, in formulas, and elsewhere.
    formula, domain
        The formula in tn, fp, fn, tp, and where it is defined, as texts.
    low, high
        The ends of the range.
    direction
        Which values are better, "larger" or "smaller"; None where neither are.
    importance
        The importance I if the score *is* the ranking score R_I, else None.
    source, note
        Where the score was printed, and a remark.
    parameters
        The parameters of a member of a family, such as β.
    space
        The sample space of the performances.
    node, order_node, function
        The expression that is computed, another that orders alike but is simpler, or the function in the place of an
        expression, which returns (n,) values.
    orders_as, place_nodes, rate_nodes
        The importance of the ranking score with the same order: on all performances, or its place at fixed priors, or
        at fixed prediction rates.
    known, proved
        Whether the score is of the catalogue, whose rows say all that holds, and, of an expression, whether it is
        proved to be sound on all performances.
    caution, exactly, why_undefined
        Functions of performances: why the score is not sound for them, exact ratios that order alike, and why it has no
        value.
    costs
        The costs, where the preference was given so.

    See Also
    --------
    rankscape.score
    rankscape.scores
    rankscape.audit

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.Performances.from_counts([[50, 10, 5, 35], [60, 0, 40, 0]])
    >>> rs.score("precision")(P).round(4).tolist()
    [0.7778, nan]
    >>> rs.score("precision").reasons(P)[1]
    'PPV needs tp + fp > 0; here fp = tp = 0'
    """

    @property
    def sound(self) -> Soundness:
        """For which performances the score is sound for ranking: those of "fixed priors", for example."""
        if self.proved or (self.proved is None and self.orders_as is not None):
            return "always"
        if self.place_nodes is not None:
            return "fixed priors"
        if self.rate_nodes is not None:
            return "fixed prediction rates"
        return "never" if self.known else "unknown"

    def __call__(self, performances: PerformancesLike, undefined: Undefined = "nan") -> Floats:
        """Return the values (n,), NaN outside the domain; or raise there; or take the limit along the Tile's vertical.

        ``undefined="limit"`` is for ranking scores: the limit of R_I as unsatisfying outcomes without importance get a
        vanishing one, which makes the precision of an all-negative classifier 0, as every F_β with β > 0 has it.
        """
        if not isinstance(undefined, str):
            ways = Option("from_labels", python="count them with Performances.from_labels")
            raise UsageError("a score takes performances, not labels", way_out=ways)
        if undefined not in get_args(Undefined):
            raise unknown_way(undefined)
        performances = as_performances(performances)
        if lacks_tn(performances.space) and not lacks_tn(self.space):
            return self.without_tn(performances.space)(performances, undefined)
        self.check(performances)
        values = self._values(performances)
        if undefined == "nan" or not np.isnan(values).any():
            return values
        if undefined == "limit":
            return np.where(np.isnan(values), self._limit(performances), values)
        row = int(np.argmax(np.isnan(values)))
        where = Place(row=row, name=performances.names[row])
        raise UndefinedScoreError(str(self.reasons(performances)[row]), where=where)

    def without_tn(self, space: SampleSpace = WITHOUT_TN) -> Score:
        """Return a score of two classes as a score of performances without true negatives; the values stay the same.

        Parameters
        ----------
        space
            The sample space without true negatives, by default that of fp, fn and tp.

        Returns
        -------
        Score
            The same score of that space.

        Raises
        ------
        UsageError
            For a score that needs true negatives, or the number of all cases.
        """
        if lacks_tn(self.space):
            return self
        if self.node is not None and "tn" not in self.node.names():
            if degree(self.node, self.parameters) != 0:
                raise needs_tn(f"{self.name}, a share of all cases,")
            cut = {name: None if one is None else one[1:] for name, one in self._weights().items()}
            return replace(self, space=space, place_nodes=None, rate_nodes=None, **cut)  # type: ignore[arg-type]
        if self.importance is not None and self.importance[0] == 0:  # such as tp/(1 - tn)
            named = score_of_importance(np.array(self.importance[1:]), space, name=self.name)
            return replace(named, key=self.key, symbol=self.symbol, formula=self.formula)
        raise needs_tn(self.name)

    def with_tn(self) -> Score:
        """Return a score of performances without true negatives as one of two classes.

        Returns
        -------
        Score
            The same score of two classes; scores that are of another space stay as they are.
        """
        if not lacks_tn(self.space):
            return self
        lifted = {name: None if one is None else (Fraction(0), *one) for name, one in self._weights().items()}
        return replace(self, space=TWO_CLASS, **lifted)  # type: ignore[arg-type]

    def _weights(self) -> dict[str, tuple[Fraction, ...] | None]:
        return {"importance": self.importance, "orders_as": self.orders_as}

    def check(self, performances: Performances) -> None:
        """Raise UsageError unless the performances have the outcomes that the score needs.

        Parameters
        ----------
        performances
            What the score is to be computed of.

        Raises
        ------
        UsageError
            For performances of another sample space.
        """
        if performances.space.outcomes != self.space.outcomes:
            spaces = f"{self.space.name} performances, not on {performances.space.name}"
            raise UsageError(f"{self.symbol} is a score on {spaces}")

    def _values(self, performances: Performances) -> Floats:
        if self.node is None:
            return self._values_of_function(performances)
        base = performances.mass if performances.counts is None else performances.counts.astype(np.float64)
        try:
            values = self._evaluate(self.node, base, in_floats=True).value()
        except OverflowError:  # constants beyond floats, which may cancel
            try:
                values = self._evaluate(self.node, performances.integers).value()
            except NotRationalError:
                raise UsageError(f"{self.formula[:80]}: its constants are larger than floats can hold") from None
        values = np.broadcast_to(values, len(base)).copy()
        if performances.counts is None:  # floats can underflow: what looks undefined is decided exactly
            doubtful = np.flatnonzero(np.isnan(values))
            doubtful = doubtful[np.where(base[doubtful] > 0, base[doubtful], 1).min(axis=1) < SMALLEST_SAFE_MASS]
            if len(doubtful):
                with suppress(NotRationalError):
                    values[doubtful] = self._evaluate(self.node, performances.integers[doubtful]).value()
        return values

    def _values_of_function(self, performances: Performances) -> Floats:
        if self.function is None:
            raise UsageError(f"{self.name} has neither a formula nor a function")
        try:
            with np.errstate(divide="ignore", invalid="ignore"):  # what it makes of 0/0 is undefined
                values = checked_reals(self.function(performances), f"the values of {self.name}")
        except (RankscapeError, Warning):
            raise
        except Exception as error:
            way_out = "a function takes performances and returns one number for each; scikit-learn's go by name"
            what = "" if isinstance(error, TypeError) else f"{type(error).__name__}: "
            raise UsageError(f"{self.name} failed ({what}{error}): {way_out}, such as 'f1_score'") from error
        if values.shape != (len(performances),):
            expected = f"{len(performances)} numbers, one per performance"
            raise UsageError(f"{self.name} must return {expected}; got shape {values.shape}")
        return np.where(np.isfinite(values), values, np.nan)

    def _evaluate(self, node: Node, base: NDArray[Any], in_floats: bool = False) -> Ratio:
        total = base.sum(axis=1)
        values = {outcome: Ratio(base[:, i], 1, 1, total) for i, outcome in enumerate(self.space.outcomes)}
        values |= {name: Ratio.constant(value) for name, value in self.parameters.items()}
        return evaluate(node, values, in_floats)

    def exact(self, performances: Performances) -> Ratio | None:
        """Return exact ratios of integers that order as the score does; None if none exist, denominator 0 if undefined.

        Parameters
        ----------
        performances
            Performances of the sample space of the score.

        Returns
        -------
        Ratio or None
            The ratios (n,), of whole numbers; None if the formula is not rational.

        Raises
        ------
        UsageError
            For performances of another sample space.
        """
        self.check(performances)
        node, undefined_outside = self.order_node or self.node, []
        if node is None:
            return None if self.exactly is None else self.exactly(performances)
        while node.kind == "call" and node.value in INCREASING:
            undefined_outside.append(node.value)
            node = node.args[0]
        try:
            ratio = self._evaluate(node, performances.integers)
        except NotRationalError:
            return None
        if undefined_outside:  # the innermost domain exactly, those around it by the values
            ratio = ratio.restricted(undefined_outside[-1])
            ratio = Ratio(ratio.top, ratio.bottom * ~np.isnan(self._values(performances)), ratio.power, ratio.total)
        return _per_row(ratio, len(performances))

    def whole(self, performances: Performances) -> Ratio | None:
        """Return ratios as :meth:`exact` does, if their integers fit into floats; None where they may be larger.

        Parameters
        ----------
        performances
            Performances of the sample space of the score.

        Returns
        -------
        Ratio or None
            The ratios (n,).

        Raises
        ------
        UsageError
            For performances of another sample space.
        """
        node, counts = self.order_node or self.node, performances.small
        self.check(performances)
        if counts is None or node is None:
            return None
        ratio = self._of_columns(node, [Whole(counts[:, i]) for i in range(counts.shape[1])])
        if ratio is None:
            return None
        sides = [ratio.top, ratio.bottom]
        if any((side.most if isinstance(side, Whole) else abs(side)) > LARGEST_IN_FLOATS for side in sides):
            return None
        top, bottom = (np.broadcast_to(getattr(side, "array", side), len(counts)) for side in sides)
        return Ratio(top, bottom)

    def rounded(self, performances: Performances) -> Rounded | None:
        """Return floats that order as the score does, with bounds of their errors; NaN where it is surely undefined.

        Parameters
        ----------
        performances
            Performances of the sample space of the score.

        Returns
        -------
        Rounded or None
            Values (n,) and bounds of their errors; None for a score without a formula.

        Raises
        ------
        UsageError
            For performances of another sample space.
        """
        node = self.order_node or self.node
        self.check(performances)
        if node is None:
            return None
        base, counts = performances.mass, performances.counts
        error = np.zeros(base.shape)  # the floats are what is meant
        if counts is not None:
            base = counts.astype(np.float64)
            error = base * UNIT if counts.max(initial=0) > LARGEST_IN_FLOATS else error
        elif performances.exact is not None:
            error = base * UNIT + TINY
        ratio = self._of_columns(node, [Rounded(*pair) for pair in zip(base.T, error.T, strict=True)])
        if ratio is None or not isinstance(ratio.top, Rounded):
            return None
        bottom = ratio.bottom
        if not isinstance(bottom, Rounded):
            bottom = Rounded(np.ones(len(base)), np.zeros(len(base))) * bottom
        return divided(ratio.top, bottom)

    def _of_columns(self, node: Node, columns: Sequence[Whole] | Sequence[Rounded]) -> Ratio | None:
        """Return the ratio that a formula is of one column per outcome; None where that is left to exact integers."""
        total = dot(columns, [1] * len(columns))
        values = {outcome: Ratio(x, 1, 1, total) for outcome, x in zip(self.space.outcomes, columns, strict=True)}
        values |= {name: Ratio.constant(value) for name, value in self.parameters.items()}
        try:
            with np.errstate(all="ignore"):
                return evaluate(node, values).whole()
        except (NotRationalError, OverflowError):
            return None

    def exact_values(self, performances: Performances) -> Ratio | None:
        """Return the values themselves as exact ratios of integers, None where the formula is not rational.

        Parameters
        ----------
        performances
            Performances of the sample space of the score.

        Returns
        -------
        Ratio or None
            The values (n,); the denominator is 0 where the score is undefined.
        """
        self.check(performances)
        if self.node is None:
            return None
        try:
            return _per_row(self._evaluate(self.node, performances.integers), len(performances))
        except NotRationalError:
            return None

    def reasons(self, performances: PerformancesLike) -> list[str | None]:
        """Return why the score has no value, for each performance outside its domain; None inside.

        Parameters
        ----------
        performances
            The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion
            matrices (n, 2, 2).

        Returns
        -------
        list
            One text or None per performance.
        """
        performances = as_performances(performances)
        if lacks_tn(performances.space) and not lacks_tn(self.space):
            return self.without_tn(performances.space).reasons(performances)
        reasons: list[str | None] = [None] * len(performances)
        for row in np.flatnonzero(np.isnan(self(performances))):
            reasons[row] = self._reason(performances.mass[row])
        return reasons

    def _reason(self, mass: Floats) -> str:
        if np.isnan(mass).all():
            return "nothing was to be found, and nothing was"
        short = None if self.why_undefined is None else self.why_undefined(mass)
        if short is not None:
            return short
        zeros = [outcome for outcome, p in zip(self.space.outcomes, mass, strict=True) if p == 0]
        return f"{self.symbol} needs {self.domain}" + (f"; here {' = '.join(zeros)} = 0" if zeros else "")

    def _limit(self, performances: Performances) -> Floats:
        if self.importance is None:
            limit = Option("undefined", "limit")
            raise UsageError([limit, f' is for ranking scores; {self.name} is none: use "nan" or "raise"'])
        return limit_of(performances.mass, np.array(self.space.satisfaction, dtype=np.float64))

    def place(
        self, prior: float | Fraction | None = None, *, prediction_rate: float | Fraction | None = None
    ) -> tuple[float, float]:
        """Return the place (a, b) of the ordering on the Tile: on all performances, or at a fixed π₊ or τ₊.

        The ordering is that of the score's direction (of FPR, smaller is better: TNR's).

        Parameters
        ----------
        prior
            The prior π₊ in (0, 1) that all share, if any.
        prediction_rate
            The prediction rate τ₊ in (0, 1) that all share, if any.

        Returns
        -------
        tuple of float
            The place (a, b), each in [0, 1].

        Raises
        ------
        NoPlaceError
            Where the ordering has no place.

        See Also
        --------
        rankscape.locate
        rankscape.Score.exact_place
        """
        a, b = self.exact_place(prior, prediction_rate=prediction_rate)
        return float(a), float(b)

    def exact_place(
        self, prior: float | Fraction | None = None, *, prediction_rate: float | Fraction | None = None
    ) -> tuple[Fraction, Fraction]:
        """Return the place as exact fractions.

        Parameters
        ----------
        prior
            The prior π₊ in (0, 1) that all share, if any.
        prediction_rate
            The prediction rate τ₊ in (0, 1) that all share, if any.

        Returns
        -------
        tuple of Fraction
            The place (a, b).

        Raises
        ------
        NoPlaceError
            Where the ordering has no place.
        """
        return exact_place(self, prior, prediction_rate)

    def place_among(self, performances: Performances) -> tuple[Fraction, Fraction]:
        """Return the exact place at the prior, or else at the prediction rate, that all performances share.

        Parameters
        ----------
        performances
            The performances that are compared.

        Returns
        -------
        tuple of Fraction
            The place (a, b).

        Raises
        ------
        NoPlaceError
            Where the ordering has no place among them.
        """
        return place_among(self, performances)

    @property
    def needs_prior(self) -> bool:
        """Whether the score has a place on the Tile at a fixed prior, and none on all performances."""
        return needs(self, "prior")

    @property
    def needs_rate(self) -> bool:
        """Whether the score has a place on the Tile at a fixed prediction rate, and none on all performances."""
        return needs(self, "rate")

    def __repr__(self) -> str:
        return f"<Score {self.symbol}: {self.name}{f' = {self.formula}' if self.formula else ''}>"


def _per_row(ratio: Ratio, n: int) -> Ratio:
    """Return top and bottom as arrays (n,) of integers."""
    whole = ratio.whole()
    top, bottom = (np.broadcast_to(np.asarray(side, dtype=object), (n,)) for side in (whole.top, whole.bottom))
    return Ratio(top, bottom)


def score_of_importance(importance: ArrayLike, space: SampleSpace = TWO_CLASS, name: str | None = None) -> Score:
    """Return the ranking score R_I of one importance, on any sample space with a satisfaction."""
    weights = fractions_of(checked_importance(np.asarray(importance, dtype=object), space))
    if weights.ndim != 1:
        raise UsageError(f"expected one importance of {len(space)} numbers; got an array of shape {weights.shape}")
    if space.satisfaction is None:
        raise UsageError(f"{space.name} has no satisfaction: say what a satisfying outcome is")
    earned, due = _earned_and_due(weights, space)
    node = Node("call", "/", (weighted_sum(earned), weighted_sum(due)))
    texts = [f"{o}={float(w):g}" for o, w in zip(space.outcomes, weights, strict=True)]
    if len(texts) > MOST_SHOWN:
        texts = [*texts[:MOST_SHOWN], "…"]
    return Score(
        key="r",
        name=name or f"ranking score R_I, I({', '.join(texts)})",
        symbol="R_I",
        formula=formula_of(weights, space),
        domain=f"{' + '.join(due)} > 0",
        low=float(min(space.satisfaction)),
        high=float(max(space.satisfaction)),
        importance=tuple(weights),
        orders_as=tuple(weights),
        source="Foundations, 4.3",
        space=space,
        node=node,
    )


def _earned_and_due(importance: Any, space: SampleSpace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the weights of the numerator and of the denominator of R_I, as whole as they can be."""
    pairs = list(zip(space.outcomes, integers_of_fractions(np.asarray(importance, dtype=object)), strict=True))
    earned = {o: w * Fraction(s) for (o, w), s in zip(pairs, space.satisfaction or (), strict=True) if w * s}
    return earned, {o: w for o, w in pairs if w}


def formula_of(importance: Any, space: SampleSpace = TWO_CLASS) -> str:
    """Return the formula of R_I.

    >>> formula_of((0, 1, 1, 2))
    '2*tp / (fp + fn + 2*tp)'
    """
    earned, due = _earned_and_due(importance, space)
    if max(due.values()) > LARGEST_SHOWN:  # of floats: decimals are easier to read than their integers
        given = dict(zip(space.outcomes, importance, strict=True))
        earned, due = ({o: given[o] * w / due[o] for o, w in side.items()} for side in (earned, due))
    above, below = _sum_text(earned), _sum_text(due)
    return f"{f'({above})' if '+' in above else above} / {f'({below})' if '+' in below else below}"


def _sum_text(weights: Mapping[str, Any]) -> str:
    return " + ".join(o if w == 1 else f"{float(w):g}*{o}" for o, w in weights.items()) or "0"
