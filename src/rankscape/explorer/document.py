"""One HTML page that carries its script, its style and its data, and asks the network for nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any, NamedTuple

from ..flavors import as_data
from ..look import as_data as look_as_data
from ..texts import visible

FLAVOR_TABLE = "flavors"
"""The module that is written from the table of flavors."""

LOOK = "look"
"""The module that is written from the colors, palettes and words of figures."""

_IMPORT = re.compile(r"^import\b[^;]*;\n", re.MULTILINE)
_COMMENT = re.compile(r"^[ ]*(?://[^\n]*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|function|class|async|let)\b)", re.MULTILINE)


def source(name: str) -> str:
    """Return the text of a file of the explorer."""
    if name == f"{FLAVOR_TABLE}.js":
        return f"export const TABLE = {json.dumps(as_data())};\n"
    if name == f"{LOOK}.js":
        return f"export const LOOK = {json.dumps(look_as_data())};\n"
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def bundle(modules: Sequence[str]) -> str:
    """Return modules as one script: in order, without comments, imports and exports, for they share one scope."""
    return "\n".join(_EXPORT.sub("", _COMMENT.sub("", _IMPORT.sub("", source(f"{name}.js")))) for name in modules)


def as_script_data(value: Any) -> str:
    """Return JSON that stays text inside a script element: no <, > or & is left in it."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def digest(text: str) -> str:
    """Return the source expression of a Content-Security-Policy that allows this very text."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


class Page(NamedTuple):
    """What a page is made of: heading, modules but the last one, styles, data, how it opens, whether it has a Tile."""

    title: str
    modules: tuple[str, ...]
    styles: tuple[str, ...]
    source: dict[str, Any]
    start: dict[str, Any]
    tile: bool

    @property
    def style(self) -> str:
        """The style of the page and of the widget."""
        return "".join(source(f"{name}.css") for name in self.styles)

    def script(self, last: str) -> str:
        """Return the modules as one script that ends with the ``last`` one."""
        return bundle((*self.modules, last))

    def html(self) -> str:
        """Return the page: its Content-Security-Policy allows this very script and style, and no request."""
        style, script = self.style, "(() => {\n" + '"use strict";\n' + self.script("page") + "})();\n"
        policy = (
            f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; "
            "img-src data: blob:; base-uri 'none'; form-action 'none'"
        )
        data = as_script_data({"title": self.title, "start": self.start, "source": self.source})
        return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="rankscape">
<title>{html.escape(visible(self.title))}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<div id="rankscape"><p>This page needs JavaScript; it makes no request.</p></div>
<script type="application/json" id="rankscape-data">{data}</script>
<script>{script}</script>
</body>
</html>
"""
