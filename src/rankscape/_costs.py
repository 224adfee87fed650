"""What errors cost, and what right answers cost or bring: a preference, and the expected cost of each performance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .checks import needs_tn, two_class_only
from .checks.numbers import exact_number, meant
from .errors import Option, UsageError
from .kernels.exact import LARGEST_IN_FLOATS, quotients
from .outcomes import importance
from .performances import as_performances
from .texts import amounts, grouped, visible
from .typing import Floats, Number, PerformancesLike

PER = 1000
"""Cases of which expected costs are shown, unless said otherwise."""

LONGEST_CURRENCY = 20
_ERRORS = {"miss": "a miss", "false_alarm": "a false alarm"}
_RIGHT = {"detection": "a detection", "correct_rejection": "a correct rejection"}
OUTCOMES = (*_ERRORS, *_RIGHT)
"""The names of the outcomes that cost something."""


@dataclass(frozen=True, repr=False)
class Costs:
    """The cost of each outcome, in the unit ``currency``; a negative cost is a benefit.

    It is a preference: wherever an importance is taken, it stands for ``importance``. Get one from :func:`costs`.

    Parameters
    ----------
    miss, false_alarm
        The costs of the two errors, c_fn and c_fp: each at least that of the right answer in its place, one of them
        more.
    detection, correct_rejection
        The costs of the two right answers, c_tp and c_tn; a negative cost is a benefit.
    currency
        The unit of the costs.
    per
        The number of cases of which expected costs are shown.

    Raises
    ------
    UsageError
        For costs or units that mean nothing.

    See Also
    --------
    rankscape.costs
    rankscape.decide

    Examples
    --------
    >>> import rankscape as rs
    >>> c = rs.costs(miss=20, currency="€")
    >>> c.miss, c.false_alarm, c.currency, c.importance.tolist()
    (20, 1, '€', [1, 1, 20, 20])
    """

    miss: Number = 1
    false_alarm: Number = 1
    detection: Number = 0
    correct_rejection: Number = 0
    currency: str = ""
    per: int = PER

    def __post_init__(self) -> None:
        for name in OUTCOMES:
            object.__setattr__(self, name, _checked(name, getattr(self, name)))
        pairs = ((self.miss, self.detection), (self.false_alarm, self.correct_rejection))
        if any(error < right for error, right in pairs) or all(error == right for error, right in pairs):
            if self.detection == self.correct_rejection == 0:
                raise UsageError("costs must not be negative, nor both 0", got=self.phrase)
            problem = "each error must cost at least as much as the right answer in its place, and one of them more"
            raise UsageError(problem, got=self.phrase)
        if not isinstance(self.currency, str) or len(self.currency) > LONGEST_CURRENCY:
            expected = f'a text of at most {LONGEST_CURRENCY} characters, such as "€"'
            raise UsageError(Option("currency", str(self.currency)[:40]), expected=expected)
        object.__setattr__(self, "currency", visible(self.currency.strip()))
        if isinstance(self.per, bool) or not isinstance(self.per, (int, np.integer)) or self.per < 1:
            raise UsageError(Option("per", self.per), expected="a number of cases ≥ 1")

    @property
    def importance(self) -> NDArray[Any]:
        """The importance of each outcome: (c_fp − c_tn, c_fp − c_tn, c_fn − c_tp, c_fn − c_tp), exact."""
        negatives = _difference(self.false_alarm, self.correct_rejection)
        positives = _difference(self.miss, self.detection)
        return importance(tn=negatives, fp=negatives, fn=positives, tp=positives)

    @property
    def by_outcome(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """The costs in the order of the outcomes: (c_tn, c_fp, c_fn, c_tp), exact.

        >>> [str(cost) for cost in costs(miss=20, detection=-0.5).by_outcome]
        ['0', '1', '20', '-1/2']
        """
        four: list[Any] = [self.correct_rejection, self.false_alarm, self.miss, self.detection]
        tn, fp, fn, tp = map(meant, four)
        return tn, fp, fn, tp

    def expected(self, performances: PerformancesLike) -> Floats:
        """Return the expected cost per case (n,) of each performance, at its own share of positives.

        It is c_tn·P(tn) + c_fp·P(fp) + c_fn·P(fn) + c_tp·P(tp), exact but for one rounding. Shift the prior first to
        know the cost at another one.

        Parameters
        ----------
        performances
            The performances: a :class:`rankscape.Performances`, what :func:`rankscape.read` reads, or confusion
            matrices (n, 2, 2).

        Returns
        -------
        (n,)
            The expected costs, in the unit ``currency``; smaller is better.

        Raises
        ------
        UsageError
            For performances that are not of two classes.

        See Also
        --------
        rankscape.Performances.shift_priors
        rankscape.gate
        rankscape.decide

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.costs(miss=20, false_alarm=1).expected([[[90, 5], [1, 4]]]).tolist()
        [0.25]
        """
        performances = as_performances(performances)
        two_class_only(performances.space, "an expected cost")
        four = self.by_outcome
        common = lcm(*(c.denominator for c in four))
        whole = [c.numerator * (common // c.denominator) for c in four]
        rows, largest = performances.small, max(common, *map(abs, whole))
        if rows is None or int(rows.sum(axis=1).max(initial=0)) * largest > LARGEST_IN_FLOATS:
            rows = performances.integers
        weights = np.array(whole, dtype=rows.dtype)
        return quotients((rows * weights).sum(axis=1), rows.sum(axis=1) * common)

    def of_mass(self, mass: NDArray[Any]) -> Floats:
        """Return costs per case for rows (…, 4) of numbers proportional to probabilities; NaN where all are 0.

        These are floats, for draws; :meth:`expected` is exact.

        Parameters
        ----------
        mass : (…, 4)
            Numbers proportional to the probabilities of tn, fp, fn and tp.

        Returns
        -------
        (…,)
            The costs per case; smaller is better.
        """
        weights = np.array(self.by_outcome, dtype=np.float64)
        mass = np.asarray(mass, dtype=np.float64)
        total = mass.sum(axis=-1)
        return np.asarray((mass * weights).sum(axis=-1) / np.where(total > 0, total, np.nan))

    def text(self, value: float) -> str:
        """Return a cost per case as text: that of ``per`` cases with its unit, such as "€ 12 340 per 1 000 cases".

        Parameters
        ----------
        value
            A cost per case.

        Returns
        -------
        str
            The cost of ``per`` cases, with its unit.

        Examples
        --------
        >>> import rankscape as rs
        >>> (
        ...     rs.costs(miss=20, currency="€").text(12.34),
        ...     rs.costs(miss=20).text(0.0253),
        ...     rs.costs(currency="days", per=1).text(3),
        ... )
        ('€ 12 340 per 1 000 cases', '25.3 per 1 000 cases', '3 days per case')
        """
        return f"{self.amounts([value])[0]} {self.unit()}"

    def amounts(self, values: Sequence[float] | Floats) -> list[str]:
        """Return costs per case as :meth:`numbers` does, with the currency.

        Parameters
        ----------
        values : (n,)
            Costs per case.

        Returns
        -------
        list of str
            One text per cost; a dash where it is undefined.

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.costs(currency="€").amounts([0.1, 0.25])
        ['€ 100', '€ 250']
        """
        before, after = self.around
        return [f"{before}{number}{after}" for number in self.numbers(values)]

    @property
    def around(self) -> tuple[str, str]:
        """The text before and after a number: a currency symbol before it, or a word such as "days" after it."""
        if not self.currency:
            return "", ""
        return ("", f" {self.currency}") if self.currency.islower() else (f"{self.currency} ", "")

    def unit(self) -> str:
        """Return the number of cases that a cost is shown for, as a phrase such as "per 1 000 cases".

        Returns
        -------
        str
            The phrase that stands behind a cost.

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.costs().unit(), rs.costs(per=1).unit()
        ('per 1 000 cases', 'per case')
        """
        return "per case" if self.per == 1 else f"per {grouped(self.per)} cases"

    def numbers(self, values: Sequence[float] | Floats) -> list[str]:
        """Return costs for ``per`` cases as text, with just enough digits to tell different ones apart.

        Parameters
        ----------
        values : (n,)
            Costs per case.

        Returns
        -------
        list of str
            One text per cost; a dash where it is undefined.

        Examples
        --------
        >>> import rankscape as rs
        >>> rs.costs().numbers([0.0125, 1.5, float("nan")])
        ['12', '1 500', '—']
        """
        return amounts([float(value) * self.per for value in values])

    def intervals(self, low: Floats, high: Floats, *, outward: bool = False) -> list[str]:
        """Return intervals of costs as text, for the number of cases ``per``; undefined ones are a dash.

        Parameters
        ----------
        low, high : (n,)
            The ends of the intervals, per case.
        outward
            Whether ends are rounded outwards, so that what is printed holds the interval, and one number stands for
            equal ends; by default they are rounded to the nearest.

        Returns
        -------
        list of str
            One text per interval.

        Examples
        --------
        >>> import numpy as np
        >>> import rankscape as rs
        >>> rs.costs().intervals(np.array([0.5]), np.array([1.25]))
        ['500 to 1 250']
        """

        def text(*ends: float) -> str:
            if ends[0] != ends[0] or ends[1] != ends[1]:
                return "—"
            if outward and ends[0] == ends[1]:
                return self.numbers(ends)[0]
            if outward:
                return " to ".join(amounts([float(Fraction(repr(end)) * self.per) for end in ends], outward=True))
            return " to ".join(self.numbers(ends))

        return [text(*ends) for ends in zip(low.tolist(), high.tolist(), strict=True)]

    @property
    def heading(self) -> str:
        """The heading of a column of expected costs.

        >>> costs(currency="€").heading, costs(per=1).heading
        ('€ per 1 000 cases', 'cost per case')
        """
        return f"{self.currency or 'cost'} {self.unit()}"

    @property
    def phrase(self) -> str:
        """The cost of each error as a phrase; right answers are named where they have a cost or a benefit."""
        return ", ".join(self._phrases())

    @property
    def name(self) -> str:
        """The name of the ranking score of these costs."""
        *first, last = self._phrases()
        return f"the ranking score for costs, {', '.join(first)} and {last}"

    def _phrases(self) -> list[str]:
        named = _ERRORS | {name: phrase for name, phrase in _RIGHT.items() if getattr(self, name) != 0}
        before, after = self.around
        return [f"{phrase} {before}{_written(getattr(self, name))}{after}" for name, phrase in named.items()]

    def document(self) -> dict[str, Any]:
        """Return the costs as data, with the unit of expected costs there.

        Returns
        -------
        dict
            The cost of each outcome, the ``currency`` and the ``unit``.
        """
        unit = f"{self.currency or 'cost'} per case"
        return {**{name: getattr(self, name) for name in OUTCOMES}, "currency": self.currency, "unit": unit}

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return self.importance if dtype is None else self.importance.astype(dtype)

    def __repr__(self) -> str:
        given = {name: value for name, value in vars(self).items() if name in _ERRORS or value not in (0, "", PER)}
        return f"costs({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def costs(
    miss: float = 1,
    false_alarm: float = 1,
    *,
    detection: float = 0,
    correct_rejection: float = 0,
    currency: str = "",
    per: int = PER,
) -> Costs:
    """Return the preference that follows from the cost of each outcome: the smaller the expected cost, the better.

    Parameters
    ----------
    miss, false_alarm
        The costs of the two errors, c_fn and c_fp: each at least that of the right answer in its place, one of them
        more.
    detection, correct_rejection
        The costs of the two right answers, c_tp and c_tn; a negative cost is a benefit.
    currency
        The unit of the costs, such as "€" or "days".
    per
        The number of cases of which expected costs are shown.

    Returns
    -------
    Costs
        It is taken wherever an importance is, as (c_fp − c_tn, c_fp − c_tn, c_fn − c_tp, c_fn − c_tp).
        ``expected(P)`` gives the expected cost per case of each performance.

    Raises
    ------
    UsageError
        For an error that costs less than its right answer, or two errors that cost just as much as theirs.

    See Also
    --------
    rankscape.importance : by how much each outcome matters
    rankscape.decide : the model and threshold that cost least
    rankscape.net_benefit

    Notes
    -----
    With the same share of positives for all, R_I = 1 − (C − C₀) / (C₁ − C₀), where C is the expected cost, C₀ that of
    an oracle and C₁ that of always being wrong: the larger the score, the lower the cost. Where the shares differ, the
    score does not order as the cost does.

    Net benefit at the probability p above which one acts is the benefit of detections less the cost of false alarms:
    ``costs(miss=0, detection=-1, false_alarm=p / (1 - p))``, of which the expected cost is the negative. Any utility
    of the four outcomes is given by its negatives.

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.costs(miss=5).importance.tolist()
    [1, 1, 5, 5]
    >>> p = 0.2
    >>> C = rs.costs(miss=0, detection=-1, false_alarm=p / (1 - p))
    >>> (-C.expected([[[80, 8], [2, 10]]])).round(4).tolist()  # net benefit: 0.1 - 0.25 * 0.08
    [0.08]
    """
    return Costs(miss, false_alarm, detection, correct_rejection, currency, per)


def no_costs(costs: Costs, of_gate: bool = False) -> UsageError:
    """Return the error about costs where true negatives are unknown: what they amount to per case is, too.

    >>> str(no_costs(Costs(miss=20))).partition(": ")[2]
    'the F-score of the same exchange rate needs none: by=rs.at(1, Fraction(20, 21))'
    """
    _, false_alarm, miss, _ = (Fraction(x) for x in costs.importance)
    b = miss / (miss + false_alarm)
    same = Option("by", python=f"by=rs.at(1, {b!r})", shell=f"--by 1,{b}")
    if of_gate:
        box = f'"a = 1, b = {b}"'
        same = Option("box", python=f"box={box}", shell=f"--box {box}")
    return needs_tn("an expected cost per case", way_out=[["the F-score of the same exchange rate needs none: ", same]])


def _checked(name: str, value: Any) -> Number:
    """Return a finite number as it is; NumPy's as Python's, others as fractions."""
    value = value.item() if isinstance(value, np.generic) else value
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        exact = Fraction(exact_number(value))
        float(exact)
    except (TypeError, ValueError, OverflowError):
        named = (_ERRORS | _RIGHT)[name].removeprefix("a ")
        raise UsageError(f"the cost of a {named} must be a finite number", got=f"{value!s:.40}") from None
    return value if isinstance(value, (int, float)) else exact


def _written(cost: Any) -> str:
    """Return a cost with all its digits; as a fraction where no float is what was given.

    >>> _written(1234567), _written(Fraction(41, 2)), _written(Fraction(1, 3)), _written(0.1)
    ('1234567', '20.5', '1/3', '0.1')
    """
    text = repr(float(cost)).removesuffix(".0")
    return text if isinstance(cost, float) or Fraction(text) == cost else str(cost)


def _difference(error: Any, right: Any) -> Any:
    """Return a cost less another, exactly: a fraction where floats would round it, or the decimal that one prints."""
    plain, exact = error - right, meant(error) - meant(right)
    return plain if Fraction(plain) == exact else exact
