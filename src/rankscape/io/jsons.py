"""JSON: a list of records, columns, or one record per line; numbers stay as they were written."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any

from ..errors import DataError, Place
from .sheets import located, quoted

EXAMPLE = '{"entity": "unet", "tn": 50, …}'
LONGEST_NUMBER = 4000
"""Digits that a number may have, and its exponent stand for: others would take long to write out."""
_COUNTED = re.compile(r"rankscape/count/[0-9]+")


def value_of(text: str, where: str) -> Any:
    """Return the value of a whole JSON text; the results inside what ``rankscape count`` writes."""
    try:
        value = _loaded(text, where)
    except json.JSONDecodeError as error:
        raise _bad_json(where, error, error.lineno) from None
    if isinstance(value, dict) and _COUNTED.fullmatch(str(value.get("schema"))) and "results" in value:
        return value["results"]
    return value


def is_lines(first: str, where: str) -> bool:
    """Tell whether the first line of a text is a whole record, so that there is one on every line."""
    first = first.strip()  # of more than JSON's own white space
    if not (first.startswith("{") and first.endswith("}")):
        return False
    try:
        return isinstance(_loaded(first, where), dict)
    except json.JSONDecodeError:
        return False


def records_of_lines(lines: Iterable[str], where: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the line and the record on every line that is not blank."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = _loaded(line.strip(), where)
        except json.JSONDecodeError as error:
            error.colno += len(line) - len(line.lstrip())
            raise _bad_json(where, error, number) from None
        if not isinstance(record, dict):
            raise DataError(
                "no record stands here",
                where=Place(where, line=number),
                expected=f"a record, {EXAMPLE}",
                got=quoted(line.strip()),
            )
        yield number, record


def _loaded(text: str, where: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
            raise located(where, f"{quoted(twice)} occurs twice in one JSON object; expected once: rename or drop one")
        return record

    def decimal(number: str) -> Decimal:
        with suppress(InvalidOperation):  # an exponent of many digits
            value = Decimal(number)
            if len(number) <= LONGEST_NUMBER and abs(value.adjusted()) <= LONGEST_NUMBER:
                return value
        problem = f"the JSON holds a number that cannot be read ({quoted(number[:40])})"
        raise located(where, f"{problem}; expected at most {LONGEST_NUMBER} digits")

    try:
        return json.loads(text, parse_float=decimal, object_pairs_hook=unique)
    except RecursionError:
        raise located(where, "the JSON is nested too deeply; expected records or columns") from None
    except (json.JSONDecodeError, DataError):
        raise
    except ValueError as error:  # an integer of thousands of digits
        raise located(where, f"the JSON holds a number that cannot be read ({error})") from None


def _bad_json(where: str, error: json.JSONDecodeError, line: int) -> DataError:
    return DataError(
        f"character {error.colno} is not JSON ({error.msg})",
        where=Place(where, line=line),
        way_out="correct it, or save the table as CSV",
    )
