"""Checks at the border: what comes in is right, or an error names the place, the expectation and the way out."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Flags, Floats, Integers, array_of
from ..errors import DataError, Option, Place, Text, UsageError
from ..kernels.exact import MOST_DIGITS, decimal_integers, fractions_of, integers_of_fractions, quotients
from ..outcomes import RIGHT_SIDE, TWO_CLASS, SampleSpace, lacks_tn
from ..texts import listed, shortened, some
from ..texts import one_line as one_line
from .names import checked_names as checked_names
from .numbers import exact_number, exact_numbers, finite_numbers, is_number, printed_number, reads_as_number

SUM_TOLERANCE = 1e-6
"""How far the probabilities of a performance may sum from 1: tables are often printed with six or seven digits."""

PRIOR_TOLERANCE = 1e-9
"""How far apart priors may lie and still count as equal: the rounding of probabilities."""

WAYS_TO_EQUAL_PRIORS: list[Text] = [
    Option("shift_priors", option="shift-prior", python="use shift_priors", shell="add --shift-prior P"),
    Option("domain", option="domain", python="take one domain", shell="choose one with --domain"),
]
"""What can be done where entities differ in their priors."""


def unequal_priors(what: str, priors: Floats) -> DataError:
    """Return the error about priors that differ where something needs equal ones."""
    return DataError(
        f"{what} equal priors; here they go from {priors.min():.4g} to {priors.max():.4g}",
        way_out=WAYS_TO_EQUAL_PRIORS,
    )


LARGEST_COUNT = 2**60
"""Four counts of this size can be added in 64 bits."""

LARGEST_SIZE = 10**9
"""More draws, cases or points than this are never meant."""


def checked_counts(
    array: NDArray[Any], names: tuple[str, ...], space: SampleSpace, *, empty_rows: bool = False
) -> Integers:
    """Return counts (n, |Ω|) as int64; rows of zeros only where they are allowed."""
    numbers = _numbers(array, names, space, "count", "counts")
    if array.dtype.kind in "OSU":
        texts = np.array([isinstance(value, (str, bytes)) for value in array.flat], dtype=bool).reshape(array.shape)
        _refuse(texts, array, names, space, "is text; expected a count")
    whole = numbers == np.floor(numbers)
    fraction = "is not a whole number; expected counts (of probabilities: from_probabilities)"
    large = "is too large; expected at most 2**60: divide all counts, or pass whole numbers of any size to from_exact"
    _refuse(~whole, array, names, space, fraction)
    _refuse(np.asarray(array > LARGEST_COUNT, dtype=bool), array, names, space, large)
    counts = array.astype(np.int64)
    empty = (counts.sum(axis=1) == 0) & (not empty_rows)
    _refuse(empty, array, names, space, "all counts are 0: a performance needs at least one case")
    return counts


def checked_integers(array: NDArray[Any], names: tuple[str, ...], space: SampleSpace) -> NDArray[Any]:
    """Return integers (n, |Ω|) of any size, as Python integers."""
    _refuse_columns(array, space)
    whole = np.array([_whole(value) for value in array.flat], dtype=object).reshape(array.shape)
    wrong = np.asarray(whole < 0, dtype=bool)
    _refuse(wrong, array, names, space, expected="an integer that is not negative")
    _refuse(whole.sum(axis=1) == 0, array, names, space, "all integers are 0: a performance needs some mass")
    return whole


def _whole(value: Any) -> int:
    """Return an integer as Python's, -1 for what is none."""
    try:
        exact = exact_number(value)
        return int(exact) if exact == int(exact) else -1
    except (TypeError, ValueError, OverflowError):
        return -1


def checked_sums(array: NDArray[Any], names: tuple[str, ...], space: SampleSpace) -> NDArray[Any]:
    """Return integers in proportion to sums of weights (n, |Ω|), exactly."""
    sums = _numbers(array, names, space, "sum of weights", "sums of weights")
    _refuse(sums > 1e300, array, names, space, "is too large; expected at most 1e300: divide all weights")
    _refuse(sums.sum(axis=1) == 0, array, names, space, "all sums are 0: a performance needs some weight")
    return integers_of_fractions(fractions_of(exact_numbers(array, "weights")))


def checked_mass(array: NDArray[Any], names: tuple[str, ...], space: SampleSpace) -> tuple[Floats, NDArray[Any] | None]:
    """Return probabilities (n, |Ω|) as float64, and integers in proportion to them where floats would round them."""
    mass = _numbers(array, names, space, "probability", "probabilities")
    total = mass.sum(axis=1)
    _refuse(total == 0, array, names, space, "all probabilities are 0; they must sum to 1")
    off = np.abs(total - 1) > SUM_TOLERANCE
    if off.any():
        row = int(np.argmax(off))
        raise DataError(
            f"the probabilities sum to {total[row]:.9g}",
            where=Place(row=row, name=names[row]),
            expected=f"1 within {SUM_TOLERANCE:g}",
            way_out=["divide each row by its sum", "pass counts as integers"],
        )
    exact = exact_numbers(array, "probabilities")
    return mass.copy(), integers_of_fractions(fractions_of(exact)) if exact.dtype == object else None


def stacked_counts(*columns: ArrayLike | None) -> NDArray[Any]:
    """Return the columns tn, fp, fn, tp, or fp, fn, tp, as one array (n, 4) or (n, 3)."""
    if any(column is None for column in columns):
        raise UsageError(
            "from_counts needs tn, fp, fn and tp, or without true negatives fp, fn and tp (or one array of counts with "
            "one row per entity)"
        )
    outcomes = TWO_CLASS.outcomes[-len(columns) :]
    given = [array_of(column, name) for name, column in zip(outcomes, columns, strict=True)]
    arrays = np.broadcast_arrays(*map(np.atleast_1d, given))
    mixed = len({array.dtype for array in arrays}) > 1  # objects, so that integers are not rounded to floats
    return np.stack([array.astype(object) if mixed else array for array in arrays], axis=-1)


class Weights(NamedTuple):
    """Weights of cases, exactly: ``integers`` (m,), of 64 bits where their sum fits, over ``scale``.

    Floats are the shortest decimals that round to them, as a table would hold them. ``floats`` are the nearest ones.
    """

    integers: NDArray[Any]
    scale: int
    floats: Floats

    @property
    def plain(self) -> NDArray[Any]:
        """The weights as int64 where they are whole and fit, else as floats."""
        return self.integers if self.scale == 1 and self.integers.dtype != object else self.floats


def checked_weights(weights: ArrayLike | None, n: int) -> Weights | None:
    """Return weights of n cases: finite, ≥ 0, not all 0."""
    if weights is None:
        return None
    given = array_of(weights, "sample_weight")
    if given.shape != (n,):
        raise DataError(f"sample_weight: expected {n} numbers, one per case; got shape {given.shape}")
    wrong = DataError("sample_weight: expected finite numbers ≥ 0, not all 0")
    try:
        numbers = exact_numbers(given, "sample_weight")
    except DataError as error:
        raise error.located("sample_weight") from None
    except (TypeError, ValueError, OverflowError):
        raise wrong from None
    if not finite_numbers(numbers).all() or (numbers < 0).any() or not (numbers > 0).any():
        raise wrong
    if given.dtype.kind in "iub":
        integers, scale = given.astype(object if given.dtype == np.uint64 else np.int64), 1
    elif given.dtype.kind == "f" and given.dtype.itemsize <= 8:
        integers, scale = decimal_integers(given)
    else:
        fractions = fractions_of([printed_number(value) for value in given.tolist()])[None]
        integers, scale = integers_of_fractions(fractions)[0], lcm(*(weight.denominator for weight in fractions[0]))
    with np.errstate(over="ignore"):  # else any floats do that have the same ratios
        fits = numbers.dtype != object and np.isfinite(numbers.sum())
    floats = numbers if fits else quotients(integers.astype(object), np.array(max(integers.tolist()), dtype=object))
    total = integers.sum(dtype=object if integers.dtype == object else np.float64)
    return Weights(integers.astype(np.int64 if total <= LARGEST_COUNT else object), scale, floats)


def sums_of_weights(sums: NDArray[Any], weights: Weights | None) -> NDArray[Any]:
    """Return the exact sums of weights, of which ``sums`` are those of their integers: fractions where they are."""
    if weights is None or weights.scale == 1:
        return sums
    out = np.empty(sums.size, dtype=object)
    out[:] = [Fraction(number, weights.scale) for number in sums.ravel().tolist()]
    return out.reshape(sums.shape)


def checked_mixture(weights: ArrayLike | None, n: int) -> NDArray[Any]:
    """Return weights of n performances, equal by default, as exact fractions, n on the last axis.

    Floats are the shortest decimals that round to them.
    """
    given = np.atleast_2d(np.ones(n, dtype=int) if weights is None else array_of(weights, "weights"))
    exact: NDArray[Any] = np.empty(given.shape, dtype=object)
    try:
        exact.ravel()[:] = [printed_number(value) for value in given.ravel()]
    except (TypeError, ValueError):
        raise _no_numbers("weights", given) from None
    if given.shape[-1] != n or not finite_numbers(exact).all() or (exact < 0).any():
        raise UsageError(f"mixing {n} performances needs as many weights, finite and not negative")
    if not (exact.sum(axis=-1) > 0).all():
        raise UsageError("at least one weight of a mixture must be positive")
    return fractions_of(exact)


def needs_tn(what: str, way_out: Text | list[Any] = "") -> UsageError:
    """Return the error about what cannot be had without true negatives.

    >>> str(needs_tn("a prior"))
    'a prior needs true negatives, which these data do not have'
    """
    return UsageError(f"{what} needs true negatives, which these data do not have", way_out=way_out)


def two_class_only(space: SampleSpace, what: str) -> None:
    """Raise where an idea of two-class classification meets another sample space."""
    if lacks_tn(space) or space == RIGHT_SIDE:
        raise needs_tn(what)
    if space.outcomes != TWO_CLASS.outcomes:
        raise UsageError(
            f"{what} is defined for two-class performances (tn, fp, fn, tp), not for {space.name}",
            way_out=instead_of_two_classes(space),
        )


def instead_of_two_classes(space: SampleSpace) -> tuple[Option, ...]:
    """Return what works on a sample space of several classes in the place of what needs two; nothing for others."""
    if {*space.outcomes} >= {"success", "failure"}:
        return (
            Option(
                "truth",
                python="rs.rank, rs.summarize and rs.explore take right-or-wrong data; a Tile needs counts tn, fp, fn, "
                "tp, or predictions (rs.count)",
                shell="`rankscape rank`, `why` and `explore` take right-or-wrong data; a Tile needs counts tn, fp, fn, "
                "tp, or predictions with --truth and --prediction",
            ),
        )
    if not space.labels:
        return ()
    label = space.labels[0]
    return (
        Option(
            "pos_label",
            python="rs.rank, rs.summarize, rs.report and rs.explore take several classes, and "
            f"rs.tasks.multi_class.one_vs_rest(P, {label!r:.80}) gives the two-class performances of one class "
            "against the rest",
            shell="`rankscape rank`, `domains`, `report` and `explore` take several classes, and of predictions "
            f"--pos-label {shlex.quote(one_line(label))}, here or of `rankscape count`, gives the two-class counts of "
            "one class against the rest",
        ),
    )


def _refuse_columns(array: NDArray[Any], space: SampleSpace) -> None:
    if array.ndim != 2 or array.shape[1] != len(space):
        expected = f"{len(space)} columns ({listed(space.outcomes)})"
        raise DataError(f"expected {expected}; got an array of shape {array.shape}")


def _numbers(array: NDArray[Any], names: tuple[str, ...], space: SampleSpace, one: str, many: str) -> Floats:
    """Return finite numbers ≥ 0 (n, |Ω|) as floats."""
    _refuse_columns(array, space)
    if array.dtype.kind == "c":
        raise DataError(f"expected real numbers, one {one} per outcome; got complex ones")
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        wrong = np.array([not reads_as_number(value) for value in array.flat], dtype=bool).reshape(array.shape)
        _refuse(wrong, array, names, space, "is not a number", f"a {one}")
        raise
    _refuse(~np.isfinite(numbers), array, names, space, f"is not finite; expected a {one}")
    _refuse(numbers < 0, array, names, space, f"is negative; {many} must be ≥ 0")
    return numbers


def _refuse(
    wrong: Flags, array: NDArray[Any], names: tuple[str, ...], space: SampleSpace, problem: str = "", expected: str = ""
) -> None:
    """Raise for the first cell, or row, that is wrong."""
    if wrong.any():
        row, *column = np.argwhere(wrong)[0].tolist()
        values = [repr(str(array[row, k])) if isinstance(array[row, k], str) else str(array[row, k]) for k in column]
        cell = "".join(
            f"{space.outcomes[k]} = {shortened(value, 80)} " for k, value in zip(column, values, strict=True)
        )
        raise DataError(f"{cell}{problem}".rstrip(), where=Place(row=row, name=names[row]), expected=expected)


def checked_prior(prior: Any, what: str = "a prior", share: str = "the share of positives") -> float:
    """Return a prior, the share of positives, as a float; or another share that is named so."""
    if not is_number(prior):
        raise UsageError(f"{what} is one number, {share}, such as 0.2; got {type(prior).__name__}")
    if not 0 <= prior <= 1:
        beyond = isinstance(prior, (int, Fraction)) and abs(prior) > LARGEST_COUNT  # maybe no float can hold it
        raise UsageError(f"{what} must lie in [0, 1]; got {'a huge number' if beyond else f'{float(prior):g}'}")
    return float(prior)


def checked_reals(values: Any, what: str) -> Floats:
    """Return numbers as floats; raise UsageError for text, complex numbers and what is no number."""
    array = array_of(values, what)
    try:
        texts = array.dtype == object and any(isinstance(value, (str, bytes)) for value in array.ravel())
        if texts or array.dtype.kind not in "iufbO":
            raise TypeError
        return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _no_numbers(what, array) from None


def _no_numbers(what: str, array: NDArray[Any]) -> UsageError:
    odd = (value for value in array.ravel().tolist() if isinstance(value, str) or not reads_as_number(value))
    return UsageError(f"{what} must be numbers, array to array; got {one_line(repr(next(odd, None)))}")


def checked_size(name: str, size: Any, at_least: int = 1) -> int:
    """Return how many of something are asked for."""
    if not isinstance(size, (int, np.integer)) or isinstance(size, bool) or size < at_least:
        raise UsageError(f"{name} must be a whole number, at least {at_least}; got {size!r:.80}")
    if size > LARGEST_SIZE:
        long = "one of more than 30 digits" if size >= 10**30 else ""
        raise UsageError(f"{name} must be at most {LARGEST_SIZE:,}; got {long or f'{size:,}'}")
    return int(size)


def checked_rng(rng: Any) -> np.random.Generator:
    """Return the generator that a seed stands for, or the one that is given."""
    try:
        if isinstance(rng, (bool, np.bool_)):
            raise TypeError
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise UsageError(f"rng must be a seed, a whole number ≥ 0, or a numpy.random.Generator; got {rng!r}") from None


def fraction_of(number: Any) -> Fraction:
    """Return the number in a text such as "0.3" or "1/3", or in the digits of a number, if floats can hold products.

    >>> str(fraction_of("0.3")), str(fraction_of("1/3")), str(fraction_of(0.3))
    ('3/10', '1/3', '3/10')
    """
    text = isinstance(number, str)
    long = text and (len(number) > MOST_DIGITS or re.search(r"e[+-]?0*\d{4}", number, re.IGNORECASE))
    value = Fraction(1, 10**101) if long else Fraction(number if text else printed_number(number))
    if value and not 10**-100 <= abs(value) <= 10**100:
        raise UsageError("a number must be 0, or lie between 1e-100 and 1e100")
    return value


def refuse_no_rank(rank: Any, n: int) -> None:
    """Raise where no one of n entities can have a rank."""
    if not isinstance(rank, (int, np.integer)) or not 1 <= rank <= n:
        raise UsageError(f"rank must lie between 1 and the number of entities, {n}; got {rank!r}")


def checked_new_priors(prior: NDArray[Any], mass: Floats, names: tuple[str, ...]) -> Floats:
    """Return priors to shift to, one per row, after checking that every class that must occur has cases."""
    numbers = checked_reals(prior, "priors")
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise UsageError(f"a prior must lie in [0, 1]; got {numbers[~((numbers >= 0) & (numbers <= 1))][0]:g}")
    for kind, columns, needed in (("negative", slice(2), numbers < 1), ("positive", slice(2, 4), numbers > 0)):
        missing = (mass[:, columns].sum(axis=1) == 0) & needed
        if missing.any():
            row = int(np.argmax(missing))
            raise DataError(
                f"it has no {kind} cases: its priors cannot be shifted to {numbers[row]:g}",
                where=Place(row=row, name=names[row]),
            )
    return numbers


def rows_of(labels: tuple[str, ...], name: str, kind: str) -> list[int]:
    """Return the rows that carry a name, or raise with the nearest names."""
    rows = [i for i, label in enumerate(labels) if label == name]
    if not rows:
        near = get_close_matches(str(name), set(labels), n=3, cutoff=0.4) or sorted(set(labels))[:5]
        nearest = ("is " if len(near) == 1 else "are ") + ", ".join(f"'{one_line(other)}'" for other in near)
        raise UsageError(f"no {kind} is called '{one_line(name)}'; the nearest {nearest}")
    return rows


def rows_chosen(names: tuple[str, ...], key: Any) -> Integers:
    """Return some of the rows, by position, slice, mask, or by the name(s) of entities.

    >>> (
    ...     rows_chosen(("a", "b", "c"), ["c", "a"]).tolist(),
    ...     rows_chosen(("a", "b", "c"), slice(1, None)).tolist(),
    ... )
    ([2, 0], [1, 2])
    """
    key = [key] if isinstance(key, str) else key
    if isinstance(key, (list, tuple)) and key and all(isinstance(name, str) for name in key):
        key = [row for name in key for row in rows_of(names, name, "entity")]
    return np.atleast_1d(np.arange(len(names))[key])


def one_of(names: Sequence[str], python: str, option: str = "entity") -> Option:
    """Return the advice to choose one of several entities."""
    as_in, several = python.format(repr(names[0])), some(names, quote="'", word=one_line)
    shell = f"choose one of {several} with --{option}"
    return Option("entity", option=option, python=f"choose one, as in {as_in}", shell=shell)
