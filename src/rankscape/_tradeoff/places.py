"""How good any place between the ends is: the swaps that it has passed, τ with both ends, the degree of optimality."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nan, sqrt
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

        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12]])
        >>> [float(t.swaps_passed(beta)) for beta in (0.5, t.beta, 1)]
        [0.0, 0.5, 1.0]
        """
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
        """Return the degree of optimality 𝒪 = 1 − |N − K/2|/K in [½, 1]; NaN where the ends order all pairs alike.

        The share of the disputed pairs that are ordered as by the optimum, for one β or an array; where swaps coincide,
        nothing may reach 1. (16)

        >>> import rankscape as rs
        >>> t = rs.tradeoff([[80, 2, 9, 9], [76, 6, 6, 12], [70, 12, 3, 15]])
        >>> round(t.optimality(0.75), 4), t.optimality([0, float("inf")]).tolist()
        (0.8333, [0.5, 0.5])
        """
        total = self.n_discordant
        return self._share(beta, lambda passed: float(1 - abs(passed - Fraction(total, 2)) / total) if total else nan)

    def shares(self, beta: Number | ArrayLike = 1.0) -> Shares[Any]:
        """Return the shares of pairs on which the ends agree, and of the others, ordered as by the optimum or not."""

        def shares_at(passed: Fraction) -> tuple[float, float, float]:
            total = self.n_discordant
            against = abs(passed - Fraction(total, 2))
            return self._part(self.n_pairs - total), self._part(total - against), self._part(against)

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
        counts = self.performances.counts
        mass: Any = self.performances.mass[self.rows]
        if self.performances.space == RIGHT_SIDE:
            positives = set() if counts is None else set(counts[self.rows][:, (FN, TP)].sum(axis=1).tolist())
            if counts is None or len(positives) > 1:
                return nan
            mass = counts[self.rows]
        elif counts is not None and len(set(counts[self.rows].sum(axis=1).tolist())) == 1:
            mass = counts[self.rows]  # the same, without rounding
        top, bottom = mass[:, first].sum(), mass[:, second].sum()
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
        if not self.performances.mass[self.rows, TN].any():
            return inf
        if self.performances.common_prior() is None:
            return nan
        tn, fp, fn, tp = self.performances[self.rows[:1]].integers[0]
        return sqrt(quotients(np.array([tn + fp]), np.array([fn + tp]))[0]) if fn + tp else nan
