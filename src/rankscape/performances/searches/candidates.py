"""Names of the candidates of a search: what differs between their parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import count

import numpy as np

from ...texts import shortened


def candidate_names(params: Sequence[Mapping[str, object]]) -> list[str]:
    """Return a name per candidate: the parameters that differ, with as many digits as keep them apart.

    Parameters of a step of a pipeline go by their last part, where no other has it. Candidates that are equal are
    numbered.

    >>> candidate_names([{"svc__C": 0.1, "svc__tol": 1}, {"svc__C": 1 / 3, "svc__tol": 1}])
    ['C=0.1', 'C=0.3333']
    >>> candidate_names(
    ...     [{"kernel": "linear"}, {"kernel": "rbf", "gamma": 2}, {"kernel": "rbf", "gamma": 2}]
    ... )
    ['kernel=linear', 'kernel=rbf, gamma=2', 'kernel=rbf, gamma=2 (2)']
    """
    keys = list(dict.fromkeys(key for one in params for key in one))
    differing = [key for key in keys if len({_exact(one[key]) if key in one else None for one in params}) > 1]
    differing = differing or keys
    last = Counter(key.rpartition("__")[2] for key in differing)
    called = {key: key.rpartition("__")[2] if last[key.rpartition("__")[2]] == 1 else key for key in differing}
    texts = {key: _texts({_exact(one[key]): one[key] for one in params if key in one}) for key in differing}
    return unique(
        ", ".join(f"{called[key]}={texts[key][_exact(one[key])]}" for key in differing if key in one) or "default"
        for one in params
    )


def unique(names: Iterable[str]) -> list[str]:
    """Return names, those that come again with a number that makes another name of them.

    >>> unique(["a", "b", "a"]), unique(["a", "a (2)", "a"])
    (['a', 'b', 'a (2)'], ['a', 'a (2)', 'a (3)'])
    """
    given = list(names)
    numbers = {name: count(2) for name in given}
    out: dict[str, None] = {}
    for name in given:
        others = (text for n in numbers[name] if (text := f"{name} ({n})") not in numbers and text not in out)
        out[next(others) if name in out else name] = None
    return list(out)


def _texts(values: Mapping[str, object]) -> dict[str, str]:
    """Return a short text for each of several values, by their exact texts: the shortest that keeps them apart."""
    for digits in (4, 6, 9):
        texts = {exact: _text(value, exact, digits) for exact, value in values.items()}
        if len(set(texts.values())) == len(texts):
            return texts
    return {exact: exact for exact in values}


def _text(value: object, exact: str, digits: int) -> str:
    plain = _plain(value)
    if isinstance(plain, float):
        return f"{plain:.{digits}g}"
    return shortened(plain if isinstance(plain, str) else exact, 10 * digits)


def _exact(value: object) -> str:
    """Return a value in full, on one line: functions and classes by their names."""
    plain = _plain(value)
    return str(getattr(plain, "__name__", None) or " ".join(repr(plain).split()))


def _plain(value: object) -> object:
    """Return a number of numpy, or a decimal one, as Python's own."""
    if isinstance(value, np.generic):
        return value.item()
    return float(value) if isinstance(value, Decimal) else value
