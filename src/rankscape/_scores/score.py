"""A score: a named function of performances with a domain, a direction and, where it has one, a place on the Tile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._costs import Costs
from ..checks import WAYS_TO_EQUAL_PRIORS, checked_prior, checked_reals, needs_tn
from ..errors import NoPlaceError, Option, Place, RankscapeError, UndefinedScoreError, UsageError
from ..kernels.exact import (
    LARGEST_IN_FLOATS,
    ascending_floats,
    float_levels,
    fractions_of,
    integers_of_fractions,
    quotients,
    ratio_levels,
)
from ..kernels.rounded import TINY, UNIT, Rounded, divided
from ..outcomes import TWO_CLASS, WITHOUT_TN, SampleSpace, checked_importance, lacks_tn
from ..performances import Performances, as_performances
from ..typing import Direction, Floats, Integers, PerformancesLike, Undefined
from .expressions import (
    INCREASING,
    Node,
    NotRationalError,
    Ratio,
    degree,
    evaluate,
    inside,
    weighted_sum,
    whole,
)
from .proofs import mixtures_stay_defined, orders_as, ratio_of_means
from .ranking_scores import limit_of, unknown_way
from .sets import PerformanceSet

Soundness: TypeAlias = Literal["always", "fixed priors", "fixed prediction rates", "never", "unknown"]
"""For which performances a score is sound for ranking; one that is for either kind of share has "fixed priors"."""

TilePlace: TypeAlias = tuple[Fraction, Fraction]
"""A place (a, b) on the Tile."""

LARGEST_SHOWN = 100_000
MOST_SHOWN = 9
"""Importances of outcomes that the name of a ranking score lists."""
SMALLEST_SAFE_MASS = 1e-30
"""Products of ten masses above this do not underflow; below, floats that look undefined are recomputed exactly."""
FEW = 200
"""Rows up to which Python's integers are as quick as floats that know their errors."""

EVERYWHERE = "all performances"
"""What the catalogue calls the domain of a score that is always defined."""
FACES = "a denominator is 0 on faces only, and no mixture enters a face"
CONSTANT = "constant there: all performances are equivalent"
TESTS = ("axiom2", "quasiconvex", "quasiconcave", "domain")
"""What a sound score keeps: Axiom 2, and of Axiom 3 the two bounds of mixtures and that these have a value."""

WAYS: dict[str, tuple[str, list[str | Option]]] = {
    "prior": ("prior", ["pass ", Option("prior"), " (the share of positives)"]),
    "rate": ("prediction rate", ["pass ", Option("prediction_rate"), " (the share of positive predictions)"]),
}
"""What can be fixed so that a score has a place: its name, and the way out of an error."""


@dataclass(frozen=True)
class Proof:
    """How a score stands to a ranking score: ``sign`` +1 as it increases, −1 decreasing, 0 constant."""

    importance: tuple[Fraction, ...]
    sign: int
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class Score:
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
        The expression that is computed, in outcomes and numbers; another that orders alike but is rational; or the
        function in the place of an expression, which returns (n,) values.
    orders_as
        The importance of the ranking score with the same order on all performances.
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

    key: str
    name: str
    symbol: str
    formula: str
    domain: str = "no denominator is 0"
    low: float = -np.inf
    high: float = np.inf
    direction: Direction | None = "larger"
    aliases: tuple[str, ...] = ()
    importance: tuple[Fraction, ...] | None = None
    source: str = ""
    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    note: str = ""
    space: SampleSpace = TWO_CLASS
    node: Node | None = None
    order_node: Node | None = None
    function: Callable[[Performances], ArrayLike] | None = None
    orders_as: tuple[Fraction, ...] | None = None
    known: bool = False
    caution: Callable[[Performances], str | None] | None = None
    exactly: Callable[[Performances], Ratio | None] | None = None
    proved: bool | None = None
    why_undefined: Callable[..., str | None] | None = None
    costs: Costs | None = None

    @property
    def constant(self) -> bool:
        """Whether all outcomes that matter are equally satisfying, so that the score is the same for every entity."""
        if self.orders_as is None or self.space.satisfaction is None:
            return bool(self.proved) and self.orders_as is None
        return len({s for s, w in zip(self.space.satisfaction, self.orders_as, strict=True) if w}) == 1

    @property
    def sign(self) -> int:
        """−1 where smaller values are better, else 1."""
        return -1 if self.direction == "smaller" else 1

    @cached_property
    def sound(self) -> Soundness:
        """For which performances the score is sound for ranking: those of "fixed priors", for example."""
        if self.proved or (self.proved is None and self.orders_as is not None):
            return "always"
        if not self.known:
            return "unknown"
        return "fixed priors" if self.needs("prior") else "fixed prediction rates" if self.needs("rate") else "never"

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
        if performances.space.outcomes != self.space.outcomes:
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
            if degree(self.node) != 0:
                raise needs_tn(f"{self.name}, a share of all cases,")
            importance, orders_as = (one and one[1:] for one in (self.importance, self.orders_as))
            return replace(self, space=space, importance=importance, orders_as=orders_as)
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
        importance, orders_as = (one and (Fraction(0), *one) for one in (self.importance, self.orders_as))
        return replace(self, space=TWO_CLASS, importance=importance, orders_as=orders_as)

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
        sums = None if performances.counts is None else self._sums(performances)
        if sums is not None:
            return quotients(*sums)
        base = performances.mass if performances.counts is None else performances.counts.astype(np.float64)
        try:
            values = self._evaluate(self.node, base, in_floats=True).floats
        except OverflowError:  # constants beyond floats, which may cancel
            try:
                values = self._evaluate(self.node, performances.integers).floats
            except NotRationalError:
                raise UsageError(f"{self.formula[:80]}: its constants are larger than floats can hold") from None
        values = np.broadcast_to(values, len(base)).copy()
        if performances.counts is None:  # floats can underflow: what looks undefined is decided exactly
            doubtful = np.flatnonzero(np.isnan(values))
            doubtful = doubtful[np.where(base[doubtful] > 0, base[doubtful], 1).min(axis=1) < SMALLEST_SAFE_MASS]
            if len(doubtful):
                with suppress(NotRationalError):
                    values[doubtful] = self._evaluate(self.node, performances.integers[doubtful]).floats
        return values

    @cached_property
    def _whole_weights(self) -> Integers | None:
        """The weights (2, k) of E[I·S] and of E[I], whole numbers up to a factor, where the score is defined so."""
        if self.importance is None or self.proved is not None:
            return None
        sides = _earned_and_due(self.importance, self.space)
        rows = [[side.get(outcome, 0) for outcome in self.space.outcomes] for side in sides]
        fit = all(weight == int(weight) and abs(weight) < LARGEST_IN_FLOATS for row in rows for weight in row)
        return np.array(rows, dtype=np.int64) if fit else None

    def _sums(self, performances: Performances) -> tuple[Integers, Integers] | None:
        """Return E[I·S] and E[I] of a ranking score, up to a factor, as integers that floats hold; else None."""
        weights, small = self._whole_weights, performances.small
        if weights is None or small is None:
            return None
        columns = small.T
        most = sum(int(column.max(initial=0)) for column in columns) * int(np.abs(weights).max())
        if most > LARGEST_IN_FLOATS:
            return None
        sums = [np.zeros(len(small), dtype=np.int64) for _ in weights]
        for total, side in zip(sums, weights.tolist(), strict=True):
            for column, weight in zip(columns, side, strict=True):
                if weight:
                    total += column if weight == 1 else column * weight
        return sums[0], sums[1]

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
        known = np.isfinite(values) if self.exactly is None else True  # what is ordered exactly may be beyond floats
        return np.where(known, values, np.nan)

    def _evaluate(self, node: Node, base: NDArray[Any], in_floats: bool = False) -> Ratio:
        total = base.sum(axis=1)
        return whole(evaluate(node, dict(zip(self.space.outcomes, base.T, strict=True)), total, in_floats), total)

    def exact(self, performances: Performances, *, values: bool = False) -> Ratio | None:
        """Return exact ratios of integers that order as the score does; None if none exist, denominator 0 if undefined.

        Parameters
        ----------
        performances
            Performances of the sample space of the score.
        values
            Whether the values themselves are wanted, and no others that order alike.

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
        node, undefined_outside = self.node if values else self.order_node or self.node, ""
        if node is None:
            return None if self.exactly is None else self.exactly(performances)
        while not values and node.kind == "call" and node.value in INCREASING:
            undefined_outside, node = node.value, node.args[0]
        try:
            ratio = self._evaluate(node, performances.integers)
        except NotRationalError:
            return None
        if undefined_outside:  # the innermost domain exactly, those around it by the values
            ratio = inside(undefined_outside, ratio)
            ratio = Ratio(ratio.top, ratio.bottom * ~np.isnan(self._values(performances)))
        top, bottom = (np.broadcast_to(np.asarray(side, dtype=object), len(performances)) for side in ratio[:2])
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
            Values (n,) and bounds of their errors; None for a score without a rational formula.

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
        columns = [Rounded(*pair) for pair in zip(base.T, error.T, strict=True)]
        total: Any = sum(columns[1:], columns[0])
        try:
            with np.errstate(all="ignore"):
                top, bottom = whole(evaluate(node, dict(zip(self.space.outcomes, columns, strict=True)), total), total)[
                    :2
                ]
        except (NotRationalError, OverflowError):
            return None
        if not isinstance(top, Rounded):
            return None
        if not isinstance(bottom, Rounded):
            bottom = Rounded(np.ones(len(base)), np.zeros(len(base))) * bottom
        return divided(top, bottom)

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
        UsageError
            Where both ``prior`` and ``prediction_rate`` are given.
        """
        if prior is not None:
            checked_prior(prior)
        if prediction_rate is not None:
            checked_prior(prediction_rate, "a prediction rate", "the share of positive predictions")
        if prior is not None and prediction_rate is not None:
            raise UsageError(["pass ", Option("prior"), " or ", Option("prediction_rate"), ", not both"])
        if len(self.space) != len(TWO_CLASS) and not lacks_tn(self.space):
            raise NoPlaceError(f"{self.name} is on {self.space.name}, which has no Tile: a Tile is for four outcomes")
        if self.orders_as is not None:
            return place_of_importance((0, *self.orders_as) if lacks_tn(self.space) else self.orders_as)
        fixed = "prior" if prior is not None else "rate" if prediction_rate is not None else None
        ways = [] if fixed else [way for way in WAYS if self.needs(way)]
        if ways:
            only = " or ".join(f"fixed {WAYS[way][0]}s" for way in ways)
            raise NoPlaceError(
                f"{self.name} has a place on the Tile only for {only}", way_out=[WAYS[way][1] for way in ways]
            )
        share = prediction_rate if prior is None else prior
        among = PerformanceSet(fixed, Fraction(share.item() if isinstance(share, np.generic) else share or 0))
        absent = fixed is not None and among.share in (0, 1)
        proof = None if absent else ranking_proof(self, among)
        if absent and fixed is not None and self.needs(fixed):
            must = "both classes must occur" if fixed == "prior" else "both predictions must occur"
            at = f"{WAYS[fixed][0]} {float(among.share):g}"
            raise NoPlaceError(f"{self.name} has no place on the Tile at the {at}: {must}")
        if proof is None:
            what = WAYS[fixed or "prior"][0]
            why = "it breaks the axioms of ranking" if self.known else "it is not known to order as a ranking score"
            why += f", even for fixed {what}s" if fixed is None or self.known else f" at this {what}"
            others = [way for way in WAYS if self.known and self.needs(way)]
            ways_out = [[f"at fixed {WAYS[way][0]}s it has one, ", *WAYS[way][1]] for way in others]
            raise NoPlaceError(f"{self.name} has no place on the Tile: {why}", way_out=ways_out)
        if proof.sign != self.sign:
            why = "it decreases where a ranking score increases" if proof.sign else "it is constant"
            raise NoPlaceError(f"{self.name} has no place on the Tile: {why}")
        return place_of_importance(proof.importance)

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
        prior, rate = performances.common_prior(), performances.common_prediction_rate()
        try:
            return self.exact_place(prior)
        except NoPlaceError:
            if rate is not None:
                with suppress(NoPlaceError):
                    return self.exact_place(prediction_rate=rate)
            kind = "prior" if self.needs("prior") else "rate"
            if (prior if kind == "prior" else rate) is None and self.needs(kind):
                where, ways = differing(performances, kind), WAYS_TO_EQUAL_PRIORS if kind == "prior" else ()
                raise NoPlaceError(f"{self.name} has a place on the Tile only where {where}", way_out=ways) from None
            raise

    def needs(self, fixed: str) -> bool:
        """Tell whether it has a place only where something is fixed.

        Parameters
        ----------
        fixed
            "prior", or "rate" for the prediction rate.

        Returns
        -------
        bool
            Whether it has a place there, and none on all performances.
        """
        if self.orders_as is not None:
            return False
        proof = ranking_proof(self, PerformanceSet(fixed, Fraction(1, 2)))
        return proof is not None and proof.sign == self.sign

    def __repr__(self) -> str:
        return f"<Score {self.symbol}: {self.name}{f' = {self.formula}' if self.formula else ''}>"


def place_of_importance(importance: Any) -> TilePlace:
    """Return a = I(tp)/(I(tn)+I(tp)), b = I(fn)/(I(fp)+I(fn)). (Tile, A.3.1, which differs from 4.2.)"""
    tn, fp, fn, tp = fractions_of(checked_importance(np.asarray(importance, dtype=object)))
    if tn + tp == 0 or fp + fn == 0:
        kind = "satisfying (tn, tp)" if tn + tp == 0 else "unsatisfying (fp, fn)"
        constant = f"no {kind} outcome matters, so its score is constant"
        raise NoPlaceError(f"this importance has no place on the Tile: {constant}")
    return tp / (tn + tp), fn / (fp + fn)


def differing(performances: Performances, fixed: str = "prior") -> str:
    """Say that priors, or prediction rates, would be equal, and what they are."""
    shares = performances.priors if fixed == "prior" else performances.prediction_rates
    return f"{WAYS[fixed][0]}s are equal; here they go from {shares.min():.4g} to {shares.max():.4g}"


# The order of performances


def levels(performances: Performances, by: Score) -> tuple[Integers, bool]:
    """Return a level per performance, 0 for the worst, equal for equivalent ones, −1 for undefined; and whether exact.

    Ranking scores of counts are compared as integers of 64 bits where these suffice, few others as ratios of Python's
    integers. Of many, floats that know their errors are sorted, and those that overlap are compared as such ratios.
    Either way the order is the exact one. Irrational scores and functions are compared as floats.
    """
    by.check(performances)
    sums, exact = by._sums(performances), True
    if sums is not None:
        out = ratio_levels(*sums)
    elif len(performances) > FEW and (rounded := by.rounded(performances)) is not None:
        out = _levels_of_rounded(performances, by, rounded)
    elif (ratio := by.exact(performances)) is not None:
        out = ratio_levels(*ratio[:2])
    else:
        out, exact = float_levels(by(performances)), False
    if by.direction == "smaller":
        out = np.where(out < 0, -1, out.max(initial=-1) - out)
    return out, exact


def one_per_level(values: Floats, level: Integers) -> Floats:
    """Return scores of which equivalent performances have the same, the least of theirs; NaN where undefined.

    >>> one_per_level(np.array([0.5, 0.3, 0.1 + 0.2]), np.array([-1, 0, 0])).tolist()
    [nan, 0.3, 0.3]
    """
    defined = level >= 0
    least = np.full(level.max(initial=-1) + 1, np.nan)
    np.fmin.at(least, level[defined], values[defined])
    out = np.full(len(values), np.nan)
    out[defined] = least[level[defined]]
    return out


def _levels_of_rounded(performances: Performances, by: Score, rounded: Rounded) -> Integers:
    """Return levels by floats whose errors are known, and of those whose errors overlap by their exact ratios."""
    # An interval of length 2·error surrounds each float. Sorted by the floats, those before a gap between the largest
    # upper end so far and the least lower end to come are smaller than all after it: gaps divide the rows into runs.
    # Whoever is alone in a run is decided; within a run exact ratios decide.
    value, error = rounded.value.copy(), rounded.error.copy()
    unknown = np.flatnonzero(np.isinf(error))  # not even the denominator is known: they would overlap with everybody
    if len(unknown):
        value[unknown] = quotients(*_ratio(performances[unknown], by))
        error[unknown] = np.abs(value[unknown]) * 2.0**-52 + 2.0**-1074
    order, ranked = ascending_floats(value)
    with np.errstate(invalid="ignore"):  # quotients beyond floats are infinite, and compared exactly with all others
        high = np.maximum.accumulate(ranked + error[order])
        low = np.minimum.accumulate((ranked - error[order])[::-1])[::-1]
    step = low[1:] > np.nextafter(high[:-1], np.inf)  # the ends of the intervals are rounded, too
    run = np.cumsum(np.append(0, step))[: len(order)]
    doubtful = np.flatnonzero(np.bincount(run, minlength=1)[run] > 1)
    if len(doubtful):
        within = ratio_levels(*_ratio(performances[order[doubtful]], by))
        by_level = np.lexsort((within, run[doubtful]))
        order[doubtful] = order[doubtful][by_level]
        levels_within = np.zeros(len(order), dtype=np.int64)
        levels_within[doubtful] = within[by_level]
        run = np.cumsum(np.append(0, step | (levels_within[1:] != levels_within[:-1])))
    out = np.full(len(performances), -1, dtype=np.int64)
    out[order] = run
    return out


def _ratio(performances: Performances, by: Score) -> tuple[Any, Any]:
    """Return the exact ratios of a score that has some, as it has wherever floats know their errors."""
    ratio = by.exact(performances)
    if ratio is None:
        raise NotRationalError(f"{by.name} is not rational")
    return ratio[0], ratio[1]


# What is proved of a score: the verdict that rankings and audits share


def proved(score: Score, among: PerformanceSet, better: int | None = None) -> dict[str, str]:
    """Return which of the properties of a sound score are proved on a set, and how; nothing is searched.

    A score is sound where it is a strictly monotone function of a ranking score, in the right direction, and mixtures
    of performances with a value have one. A ratio of means is at least quasi-convex and quasi-concave. ``better`` is +1
    where larger values are better, −1 where smaller ones are; by default as the score says.

    >>> from .lookup import score
    >>> list(proved(score("1 - er"), PerformanceSet())), list(proved(score("mcc"), PerformanceSet()))
    (['quasiconvex', 'quasiconcave', 'axiom2', 'domain'], ['domain'])
    """
    better = better or score.sign
    proof, node = ranking_proof(score, among), score.order_node or score.node
    holds: dict[str, str] = {}
    if proof is not None or (node is not None and ratio_of_means(node, among) is not None):
        how = proof.reason if proof is not None else "a ratio of means: its values above a threshold fill a half-space"
        holds |= {"quasiconvex": how, "quasiconcave": how}
    if proof is not None and proof.sign in (0, better):
        holds["axiom2"] = proof.reason
    everywhere = score.node is None and score.domain == EVERYWHERE
    closed = (
        score.known and everywhere if score.node is None else score.known or mixtures_stay_defined(score.node, among)
    )
    return holds | ({"domain": FACES} if closed else {})


def proved_sound(score: Score, among: PerformanceSet) -> bool:
    """Tell whether all properties of a sound score are proved on a set.

    >>> from .lookup import score
    >>> (
    ...     proved_sound(score("tpr + tnr"), PerformanceSet()),
    ...     proved_sound(score("sqrt(acc)"), PerformanceSet()),
    ... )
    (False, True)
    """
    return len(proved(score, among)) == len(TESTS)


def ranking_proof(score: Score, among: PerformanceSet) -> Proof | None:
    """Prove that the score is, on this set, constant or a strictly monotone function of a ranking score; else None."""
    if score.constant:
        return Proof(score.orders_as or (), 0, CONSTANT)
    if score.importance:
        return Proof(score.importance, score.sign, "it is a ranking score R_I")
    node, order = score.order_node or score.node, None
    if score.orders_as is not None:
        order = score.orders_as, score.sign
    elif node is not None and score.space.outcomes == TWO_CLASS.outcomes:
        order = orders_as(node, among)
    if order is None:
        return None
    way = {1: "a strictly increasing function", -1: "a strictly decreasing function"}.get(order[1])
    there = "there, " if among.fixed and score.orders_as is None else ""
    return Proof(*order, f"{there}{way} of a ranking score R_I" if way else CONSTANT)


# Ranking scores of any importance


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
