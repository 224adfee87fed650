"""The JSON schemas of what is read and written, each in a file, in short; what several share is in ``parts.json``."""

import json
from importlib.resources import files
from typing import Any

DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas by name, whole.

    In the files, ``{"$ref": NAME}`` stands for a part that several share. An object with properties has no others, and
    all of them, but for the ``optional`` ones.

    >>> schemas()["rank"]["properties"]["account"]["type"]
    ['object', 'null']
    """
    kept = {file.name: json.loads(file.read_text("utf-8")) for file in files(__name__).iterdir()
            if file.name.endswith(".json")}  # fmt: skip
    parts = kept.pop("parts.json")

    def whole(part: Any) -> Any:
        if isinstance(part, list):
            return [whole(one) for one in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            return whole(parts[part["$ref"]])
        filled = {key: whole(one) for key, one in part.items() if key != "optional"}
        if "properties" in part:
            optional = part.get("optional", ())
            filled["required"] = [name for name in part["properties"] if name not in optional]
            filled["additionalProperties"] = filled.get("additionalProperties", False)
        return filled

    return {name.partition("-")[0]: DIALECT | whole(kept[name]) for name in sorted(kept)}
