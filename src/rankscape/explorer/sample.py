"""The draws that the page carries, so that its numbers are those of Python: prior, FPR and FNR of each entity."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ..domains import Prepared
from ..errors import Option, UsageError
from ..typing import Floats, Integers
from ..uncertainty import Draws
from ..uncertainty.claims import critical, least
from ..uncertainty.defaults import LEVEL
from ..uncertainty.intervals import MOST_TOGETHER
from ..uncertainty.summary import about_draws

MOST_NUMBERS = 786_432
"""This many numbers of 4 bytes make 4 MB of base64."""

PLACES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_DRAWN = 300
"""Of very many entities at most so many are drawn."""

Reduced = Callable[[Floats], Floats]
"""From a block of draws (draws, n, outcomes) to the numbers that a page carries of each, (draws, n, some)."""


def carried(
    drawn: Draws | None,
    asked: Prepared,
    level: float = LEVEL,
    reduced: Reduced | None = None,
    ratios: Iterable[Floats] | None = None,
    best: int = 40,
) -> dict[str, Any] | None:
    """Return the draws as the page takes them, or None where there are none.

    ``data`` are the numbers (draws, n, 3) as base64 of float32, of the entities ``rows``: the share of positives, FPR
    and FNR, so that the page can shift the prior. Of many entities there are fewer draws, or only those entities that
    may be first; then ``left`` says so: they are among the ``best`` by one of the ``ratios`` of what is lost to what is
    earned, by default those at 25 places of the Tile. Of other sample spaces ``reduced`` says which numbers.

    >>> from ..uncertainty.page_inputs import prepared_and_drawn
    >>> asked, drawn, *_ = prepared_and_drawn([[50, 10, 5, 35], [45, 15, 2, 38]], 200)
    >>> found = carried(drawn, asked)
    >>> found["count"], found["rows"], len(found["data"])
    (200, [0, 1], 6400)
    """
    if drawn is None:
        return None
    if drawn.prepared is not None and drawn.prepared.shift_prior is not None:
        raise UsageError(
            "these draws are shifted to a prior already, and the page shifts them itself",
            way_out=[["pass the draws before the shift, and ", Option("shift_prior", 0.2)]],
        )
    n = len(drawn.names)
    rows = np.arange(n) if n <= MOST_TOGETHER else contenders(ratios or _odds(asked), best)
    reduced = reduced or _rates
    numbers = _numbers(drawn, rows, reduced)
    count = len(numbers)
    place = {name: i for i, name in enumerate(dict.fromkeys(asked.given.names))}
    return {
        "count": count,
        "rows": [place[drawn.names[row]] for row in rows.tolist()],
        "kinds": drawn.kinds[rows].tolist(),
        "level": level,
        "least": least(min(n, MOST_TOGETHER), level),
        "data": base64.b64encode(numbers.astype("<f4").tobytes()).decode(),
        "apart": _apart(drawn, rows, level, reduced),
        "notes": [_of_methods(note) for note in about_draws(drawn)],
        "left": _left(n, len(rows), len(drawn), count),
    }


def _of_methods(note: str) -> str:
    """Call entities, or models, methods, as the page does."""
    return re.sub(r"\b(?:model|entity)\b", "method", re.sub(r"\b(?:models|entities)\b", "methods", note))


def _apart(drawn: Draws, rows: Integers, level: float, reduced: Reduced) -> dict[str, Any] | None:
    """Return the draws in which nothing is pooled, and which differences are clear there; None where there are none."""
    if drawn.apart is None or len(rows) < len(drawn.names):
        return None
    numbers = _numbers(drawn.apart, rows, reduced)
    data = base64.b64encode(numbers.astype("<f4").tobytes()).decode()
    return {"count": len(numbers), "data": data, "critical": critical(len(rows), level)}


def _left(n: int, rows: int, draws: int, count: int) -> str:
    if rows < n:
        return f"Only the {rows} of {n} methods that may be first are drawn, {count} of {draws} times, without ranks"
    return "" if count == draws else f"The page carries {count} of {draws} draws: rankscape rank takes all"


def _numbers(drawn: Draws, rows: Integers, reduced: Reduced) -> Floats:
    """Return the numbers of some rows in the draws, as many draws as a page takes: (draws, n, some)."""
    parts: list[Floats] = []
    seen, most = 0, len(drawn)
    for block in drawn.blocks():
        numbers = reduced(np.asarray(block[: most - seen, rows], dtype=np.float64))
        if not parts:
            most = min(most, max(1, MOST_NUMBERS // (len(rows) * numbers.shape[2])))
        parts.append(numbers[: most - seen])
        seen += len(parts[-1])
        if seen >= most:
            break
    return np.concatenate(parts)


def _rates(block: Floats) -> Floats:
    """Return prior, FPR and FNR; NaN where a draw is undefined."""
    tn, fp, fn, tp = np.moveaxis(block, 2, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack([(fn + tp) / (tn + fp + fn + tp), fp / (tn + fp), fn / (fn + tp)], axis=2)


def _odds(asked: Prepared) -> Iterator[Floats]:
    """Yield what each entity loses per what it earns at 25 places of the Tile."""
    tn, fp, fn, tp = asked.performances.mass.T
    for a in PLACES:
        for b in PLACES:
            yield ((1 - b) * fp + b * fn) / ((1 - a) * tn + a * tp)


def contenders(ratios: Iterable[Floats], best: int) -> Integers:
    """Return the rows that may be first: those among the best by one of the ratios, the smaller the better.

    >>> contenders([np.array([0.2, 0.1, 0.3]), np.array([0.2, 0.3, 0.4])], 1).tolist()
    [0, 1]
    """
    ranked = [np.argsort(ratio, kind="stable")[:best].tolist() for ratio in ratios]
    rows = dict.fromkeys(row for place in zip(*ranked, strict=True) for row in place)  # the best of every place first
    return np.sort(list(rows)[:MOST_DRAWN])
