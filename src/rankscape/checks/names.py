"""Checks of names: one per row, and none twice on a domain."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import DataError, Option, Place
from ..texts import one_line


def checked_names(
    n: int, names: Sequence[object] | None, domains: Sequence[object] | None
) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Return names and domains as strings, after checking lengths and that no (domain, entity) occurs twice."""
    if n == 0:
        raise DataError("the table is empty: expected one row per entity, got none")
    texts = _texts(names, n, "names") or tuple(f"P{i + 1}" for i in range(n))
    places = _texts(domains, n, "domains")
    _refuse_twice(texts, places)
    return texts, places


def _refuse_twice(texts: tuple[str, ...], places: tuple[str, ...] | None) -> None:
    """Refuse a (domain, entity) that occurs twice."""
    if places is None:
        distinct = len(set(texts))
    else:  # of many tuples the garbage collector would look at all again and again; unequal hashes are of unequal pairs
        entity, domain = (np.fromiter(map(hash, part), dtype=np.int64, count=len(part)) for part in (texts, places))
        mixed = np.sort(entity + 1_000_003 * domain)
        distinct = 1 + int(np.count_nonzero(mixed[1:] != mixed[:-1]))
    if distinct == len(texts):
        return
    keys = list(zip(places or [""] * len(texts), texts, strict=True))
    pair, times = Counter(keys).most_common(1)[0]
    if times > 1:  # else two hashes are equal by chance
        rows = [i + 1 for i, key in enumerate(keys) if key == pair]
        what = f'entity "{one_line(pair[1])}"' + ("" if places is None else f' on domain "{one_line(pair[0])}"')
        column = "name the column, or the columns, of domains or folds"
        raise DataError(
            f"{what} occurs {times} times",
            where=Place(column=f"rows {', '.join(map(str, rows[:5]))}"),  # behind the file, once that is known
            expected="once",
            way_out=[
                "merge the rows",
                "rename one",
                Option("domain", python=f"{column} (domain=)", shell=f"{column} (--domain-column)"),
            ],
        )


def _texts(labels: Sequence[object] | None, n: int, kind: str) -> tuple[str, ...] | None:
    if labels is None:
        return None
    given: tuple[Any, ...] = (labels,) if isinstance(labels, str) else tuple(labels)
    texts = given if set(map(type, given)) == {str} else tuple(map(_text, given))
    if len(texts) != n:
        raise DataError(f"{kind}: expected {n}, one per row; got {len(texts)}")
    return texts


def _text(name: object) -> str:
    return domain_text([str(part) for part in name]) if isinstance(name, tuple) else str(name)


def domain_text(parts: Sequence[str]) -> str:
    r"""Return the name of a domain of several levels as one text, "group/name"; inside a part "/" is written "\/".

    >>> domain_text(["shadow", "bus station"]), domain_text(["a/b", "c"])
    ('shadow/bus station', 'a\\/b/c')
    """
    return parts[0] if len(parts) == 1 else joined(parts, "/")


def domain_parts(text: str) -> tuple[str, ...]:
    r"""Return the parts of the name of a domain, which :func:`domain_text` undoes.

    >>> (
    ...     domain_parts("shadow/bus station"),
    ...     domain_parts(domain_text(["a/b", "c"])),
    ...     domain_parts("field"),
    ... )
    (('shadow', 'bus station'), ('a/b', 'c'), ('field',))
    """
    return tuple(parts_of(text, "/"))


def joined(parts: Sequence[str], mark: str) -> str:
    """Return parts with a mark between them; inside a part it gets a backslash, and so does a backslash."""
    return mark.join(part.replace("\\", r"\\").replace(mark, "\\" + mark) for part in parts)


def parts_of(text: str, mark: str) -> list[str]:
    """Return the parts between marks; a backslash that stands for nothing else is one."""
    parts = [""]
    for piece in re.findall(rf"\\[\\{mark}]|{mark}|[^\\{mark}]+|\\", text, re.DOTALL):
        if piece == mark:
            parts.append("")
        else:
            parts[-1] += piece[1:] if piece in ("\\\\", "\\" + mark) else piece
    return parts
