"""For tests: a new model must be no worse than the one in use."""

from __future__ import annotations

from inspect import signature
from typing import Any, Literal

from ._report import render
from .cli.verdict import reading_of
from .errors import UsageError, refuse_unknown
from .typing import PerformancesLike
from .uncertainty import Draws, Gate, gate
from .uncertainty.gate import DEFAULT_BOX

__all__ = ["assert_no_worse"]
__dir__ = __all__.copy  # dir() lists the public names


def assert_no_worse(
    new: PerformancesLike | Draws,
    prod: PerformancesLike | Draws,
    box: str = DEFAULT_BOX,
    *,
    undecided: Literal["fail", "pass"] = "fail",
    **options: Any,
) -> Gate:
    """Raise AssertionError unless a new model is surely at least as good as the one in use, everywhere in a box.

    It asks :func:`rankscape.gate` and nothing else, so that a test, the command line and a pipeline agree.

    Parameters
    ----------
    new, prod
        The new model and the one in use: what :func:`rankscape.gate` takes, such as the names of two files.
    box
        The preferences, and perhaps the priors.
    undecided
        What to do where the data cannot tell: "fail" (the default), or "pass".
    **options
        The other options of :func:`rankscape.gate`, such as ``margin``, ``alpha``, ``costs`` or ``every_domain``.

    Returns
    -------
    Gate
        The decision, for further checks.

    Raises
    ------
    AssertionError
        With the verdict, the numbers, and how sure it is.
    UsageError, DataError
        What :func:`rankscape.gate` raises.

    See Also
    --------
    rankscape.gate

    Examples
    --------
    >>> from rankscape.testing import assert_no_worse
    >>> assert_no_worse([[900, 10, 5, 85]], [[870, 40, 30, 60]], box="beta in [0.5, 2]").verdict
    'pass'
    >>> assert_no_worse([[870, 40, 30, 60]], [[900, 10, 5, 85]])
    Traceback (most recent call last):
        ...
    AssertionError: WORSE: P1 is worse than P1 somewhere in the box
    ...
    """
    refuse_unknown(options, [*signature(assert_no_worse).parameters, *signature(gate).parameters], "assert_no_worse()")
    if undecided not in ("fail", "pass"):
        raise UsageError(f"undecided={undecided!r}", expected="'fail' or 'pass'")
    decision = gate(new, prod, box, **options)
    if decision.verdict == "pass" or (decision.verdict == "undecided" and undecided == "pass"):
        return decision
    raise AssertionError(render(**reading_of(decision)).rstrip())
