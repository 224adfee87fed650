"""The JSON schemas of what is read and written, each in a file; what several share is in a file of its own."""

import json
from importlib.resources import files
from typing import Any


def schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas by name, whole: the account of what was read is put where it belongs.

    >>> schemas()["rank"]["properties"]["account"]["type"]
    ['object', 'null']
    """
    there = {file.name: json.loads(file.read_text("utf-8")) for file in files(__name__).iterdir()
             if file.name.endswith(".json")}  # fmt: skip
    account = there.pop("account.json")
    for schema in there.values():
        if "account" in schema.get("properties", {}):
            schema["properties"]["account"] = account
    return {name.partition("-")[0]: there[name] for name in sorted(there)}
