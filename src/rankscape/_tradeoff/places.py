"""How good any place between the ends is: the swaps that it has passed, τ with both ends, the degree of optimality."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, inf, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..distributions import Shares
from ..errors import UsageError
from ..kernels.exact import quotients
from ..outcomes import RIGHT_SIDE
from ..typing import Number
from .betas import odds_of
from .optimum import Swaps
from .segments import FN, FP, TN, TP


@dataclass(frozen=True, eq=False, repr=False)
class Places(Swaps):
    """The part of a :class:`Tradeoff` that is about all places between the ends, and those that need no swaps."""

    def swaps_passed(self, beta: Number = 1.0) -> Fraction:
        """Return N, the number of swaps between the end at small β and F_β; those at β itself count half.

        The float ``t.beta`` stands for the optimum.

        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]])
        >>> [float(t.swaps_passed(beta)) for beta in (0.5, t.beta, 1)]
        [0.0, 0.5, 1.0]
        """
        if isinstance(beta, float) and self.n_discordant and beta == self.beta:
            return self.passed_by_optimum  # the optimum itself, also where no float is so near
        low, high = self.segment.crossings(*odds_of(beta))
        return Fraction(self.crossings.before(low) + self.crossings.upto(high), 2)

    def _share(self, beta: Any, of: Callable[[Fraction], Any]) -> Any:
        """Apply a function of N to one β, or to each of many: an array, or a tuple of arrays."""
        if np.size(beta) == 0:
            raise UsageError("beta: expected a number, or an array of at least one")
        if np.ndim(beta) == 0:
            return of(self.swaps_passed(beta.item() if isinstance(beta, np.ndarray) else beta))
        each, shape = np.asarray(beta, dtype=object).ravel(), np.shape(beta)
        values = np.array([of(self.swaps_passed(one)) for one in each], dtype=np.float64)
        return values.reshape(shape) if values.ndim == 1 else tuple(column.reshape(shape) for column in values.T)

    def _to_ends(self, passed: Fraction) -> tuple[Fraction, Fraction]:
        """Return the numbers of swaps from the first end and to the second."""
        rest = self.n_discordant - passed
        return (rest, passed) if self.segment.reversed else (passed, rest)

    def tau(self, beta: Number | ArrayLike = 1.0) -> Any:
        """Return Kendall's τ(first end; F_β) and τ(F_β; second end), for one β or an array; larger is more alike. (7)

        Their sum is 1 + ``tau_ends``.

        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> [round(x, 4) for x in t.tau(0.5)]
        [1.0, -1.0]
        """
        return self._share(beta, lambda passed: tuple(map(self._tau, self._to_ends(passed))))

    def distance(self, beta: Number | ArrayLike = 1.0) -> Any:
        """Return Kendall's distances d_τ = (1 − τ)/2, the shares of pairs ordered differently, to the two ends. (5)"""
        return self._share(beta, lambda passed: tuple(map(self._part, self._to_ends(passed))))

    def _part(self, pairs: Fraction | int) -> float:
        return float(Fraction(pairs) / self.n_pairs) if self.n_pairs else nan

    def frechet_variance(self, beta: Number | ArrayLike = 1.0) -> Any:
        """Return σ² = d_τ²(first end; F_β) + d_τ²(F_β; second end), which the optimum minimizes. (8)"""
        return self._share(beta, lambda passed: sum(self._part(pairs) ** 2 for pairs in self._to_ends(passed)))

    def optimality(self, beta: Number | ArrayLike = 1.0) -> Any:
        """Return the degree of optimality: the share of the disputed pairs that F_β orders as the optimum, ``beta``.

        1 − |N − N*|/K with N* of the optimum: a pair that only one of the two ties counts half. It is in [0, 1], and
        NaN where the ends order all pairs alike. Where the optimum is equally far from both ends it is (16), which is
        ``balance`` otherwise. One β, or an array.

        >>> import rankscape as rs
        >>> t = rs.tradeoff([[0, 0, 4, 6], [0, 0, 6, 6], [0, 2, 3, 6], [0, 4, 0, 6]])
        >>> t.optimality(1), t.optimality(t.beta), t.balance(1), t.balance(t.beta)
        (0.9, 1.0, 0.8, 0.9)
        """
        total = self.n_discordant
        best = self.passed_by_optimum
        return self._share(beta, lambda passed: float(1 - abs(passed - best) / total) if total else nan)

    def balance(self, beta: Number | ArrayLike = 1.0) -> Any:
        """Return 1 − |N − K/2|/K in [½, 1], how equally far F_β is from both ends: formula (16), with (14).

        (14) takes the optimum for equally far from both ends, which it is where no two swaps coincide: only then is
        this the share of the disputed pairs ordered as by the optimum, ``optimality``. NaN where the ends order all
        pairs alike.

        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> round(t.balance(0.75), 4), t.balance([0, float("inf")]).tolist()
        (0.8333, [0.5, 0.5])
        """
        total = self.n_discordant
        return self._share(beta, lambda passed: float(1 - abs(passed - Fraction(total, 2)) / total) if total else nan)

    def shares(self, beta: Number | ArrayLike = 1.0) -> Shares[Any]:
        """Return the shares of pairs on which the ends agree, and of the others, ordered as by the optimum or not.

        They are those of (13)-(15), where the optimum is equally far from both ends.
        """

        def shares_at(passed: Fraction) -> tuple[float, float, float]:
            total, unlike = self.n_discordant, abs(passed - self.passed_by_optimum)
            return self._part(self.n_pairs - total), self._part(total - unlike), self._part(unlike)

        return Shares(*self._share(beta, shares_at))

    @property
    def heuristic_beta(self) -> float:
        """The heuristic β² = E[PFP]/E[PFN] of (22); on a horizontal of the Tile, by its symmetries, E[PTN]/E[PTP].

        NaN where both are 0, and along a diagonal, where the paper has none; without true negatives also unless these
        are counts that have as many positives for all entities, which are then taken as those of the same cases.
        """
        if self.segment.kind not in ("vertical", "horizontal"):
            return nan
        first, second = (FP, FN) if self.segment.kind == "vertical" else (TN, TP)
        members, sizes = self.members
        counts = members.counts
        mass: Any = members.mass
        if self.performances.space == RIGHT_SIDE:
            if counts is None or len(set(counts[:, (FN, TP)].sum(axis=1).tolist())) > 1:
                return nan
            mass = counts
        elif counts is not None and len(set(counts.sum(axis=1).tolist())) == 1:
            mass = counts  # the same, without rounding
        top, bottom = (fsum((mass[:, outcome] / sizes).tolist()) for outcome in (first, second))
        if bottom == 0:
            return nan if top == 0 else inf
        return sqrt(top / bottom)

    @property
    def sivf_beta(self) -> float:
        """The β of which F_β orders as SIVF, √(π₋/π₊); NaN where priors differ or the ends are others. (A.1.5)

        NaN, too, where true negatives are not known.

        ∞ where there are no true negatives: SIVF orders as recall then. (4.2)
        """
        if not self.segment.is_f_beta or self.performances.space == RIGHT_SIDE:
            return nan
        members, _ = self.members
        if not members.mass[:, TN].any():
            return inf
        if members.common_prior() is None:
            return nan
        tn, fp, fn, tp = members[np.lexsort(members.mass.T)[:1]].integers[0]  # any: rounding apart they have one prior
        return sqrt(quotients(np.array([tn + fp]), np.array([fn + tp]))[0]) if fn + tp else nan
