"""The JSON documents, field by field, written from their schemas."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rankscape._report.schemas import schemas

from .rst import escaped, in_words, table, title

Schema = dict[str, Any]


def kinds(schema: Schema) -> list[str]:
    """Return the types of a value, in words.

    >>> kinds({"anyOf": [{"type": "number", "minimum": 0}, {"const": "inf"}, {"type": "null"}]})
    ['number ≥ 0', '"inf"', 'null']
    >>> kinds(
    ...     {
    ...         "type": ["array", "null"],
    ...         "items": {"type": ["number", "null"]},
    ...         "minItems": 2,
    ...         "maxItems": 2,
    ...     }
    ... )
    ['array of 2 (number or null)', 'null']
    """
    if "anyOf" in schema:
        return [kind for part in schema["anyOf"] for kind in kinds(part)]
    if "const" in schema:
        return [json.dumps(schema["const"], ensure_ascii=False)]
    if "enum" in schema:
        return [json.dumps(value, ensure_ascii=False) for value in schema["enum"]]
    types = schema.get("type", "any")
    return [_kind(name, schema) for name in (types if isinstance(types, list) else [types])]


def _kind(name: str, schema: Schema) -> str:
    if name in ("number", "integer"):
        low, high = schema.get("minimum"), schema.get("maximum")
        if low is not None and high is not None:
            return f"{name} in [{low}, {high}]"
        above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
        if above is not None and below is not None:
            return f"{name} in ({above}, {below})"
        return f"{name} ≥ {low}" if low is not None else f"{name} > {above}" if above is not None else name
    if name == "array":
        least, most = schema.get("minItems"), schema.get("maxItems")
        number = f"{least} " if least is not None and least == most else ""
        inner = kinds(schema["items"])
        each = f"({' or '.join(inner)})" if len(inner) > 1 else re.sub(r"^\w+", r"\g<0>s", inner[0])
        return f"array of {number}{each}"
    return name


def fields(schema: Schema, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield (field, types, meaning) of everything inside; "a.b" is a field of a, "a[]" an item, "a.*" any name."""
    for part in schema.get("anyOf", ()):
        yield from fields(part, path)
    required = schema.get("required", ())
    inner = {f"{path}.{name}".lstrip("."): part for name, part in schema.get("properties", {}).items()}
    optional = {key for key in inner if key.rpartition(".")[2] not in required}
    if isinstance(schema.get("additionalProperties"), dict):
        inner[f"{path}.*".lstrip(".")] = schema["additionalProperties"]
    inner |= {f"{path}.*".lstrip("."): part for part in schema.get("patternProperties", {}).values()}
    if isinstance(schema.get("items"), dict):
        inner[f"{path}[]"] = schema["items"]
    for key, part in inner.items():
        if not key.endswith("[]"):  # what the items are, the type of the array says
            missing = " May be missing." if key in optional else ""
            yield key, " or ".join(kinds(part)), f"{part.get('description', '')}.{missing}"
        yield from fields(part, key)


def page() -> str:
    """Return the page of all schemas."""
    intro = (
        "This page lists every field of the JSON that rankscape writes and reads, so that a program of yours can rely "
        "on it. ``rankscape schema NAME`` prints the same as a JSON schema.\n\n"
        "A document with named parts has the name of its "
        "schema in the field ``schema``, such as ``rankscape/rank/1``. The number changes when a program that reads "
        "the document must change, too. In the tables ``a.b`` is the field b of a, ``a[].b`` the field b of each item "
        "of the list a, and ``a.*`` the value of each name in a, such as that of an entity. Rates and priors "
        "are shares, not percentages. JSON has neither NaN nor ∞: the meanings say what null stands for.\n"
    )
    parts = [title("JSON documents"), intro]
    for name, schema in schemas().items():
        rows = [(f"``{field}``", escaped(kind), in_words(meaning)) for field, kind, meaning in fields(schema)]
        parts += [f".. _schema-{name}:\n", title(name, "-"), f"{in_words(schema['title'])}.\n"]
        parts.append(table(("Field", "Type", "Meaning"), rows, (38, 22, 40), "fields"))
    return "\n".join(parts)


def write(path: Path) -> None:
    """Write the page."""
    path.write_text(page(), "utf-8")
