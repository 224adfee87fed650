"""One HTML page that carries its script, its style and its data, and asks the network for nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from importlib import resources
from typing import Any, NamedTuple

from ..flavors import as_data
from ..look import as_data as look_as_data
from ..texts import visible

WRITTEN = {"flavors.js": ("TABLE", as_data), "look.js": ("LOOK", look_as_data)}
"""The modules that are written from the table of flavors, and from colors, palettes and words of figures."""

_IMPORT = re.compile(r'^import\b[^;]*"\./(\w+)\.js";\n', re.MULTILINE)
_COMMENT = re.compile(r"^[ ]*(?://[^\n]*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|function|class|async|let)\b)", re.MULTILINE)


def source(name: str) -> str:
    """Return the text of a file of the explorer."""
    if name in WRITTEN:
        constant, data = WRITTEN[name]
        return f"export const {constant} = {json.dumps(data())};\n"
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def bundle(*names: str) -> str:
    """Return modules as one script, each after those that it imports.

    They share one scope, without comments, imports and exports.
    """
    scripts: dict[str, str] = {}

    def add(name: str) -> None:
        if name not in scripts:
            text = source(f"{name}.js")
            for imported in _IMPORT.findall(text):
                add(imported)
            scripts[name] = _EXPORT.sub("", _COMMENT.sub("", _IMPORT.sub("", text)))

    for name in names:
        add(name)
    return "\n".join(scripts.values())


def as_script_data(value: Any) -> str:
    """Return JSON that stays text inside a script element: no <, > or & is left in it."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def digest(text: str) -> str:
    """Return the source expression of a Content-Security-Policy that allows this very text."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


class Page(NamedTuple):
    """What a page is made of: heading, data, how it opens, and whether it has a Tile."""

    title: str
    source: dict[str, Any]
    start: dict[str, Any]
    tile: bool

    @property
    def style(self) -> str:
        """The style of the page and of the widget."""
        return source("style.css") + source("story.css" if self.tile else "simple.css")

    def script(self, last: str) -> str:
        """Return the script that ends with the ``last`` module: page or widget."""
        return bundle("story" if self.tile else "simple_app", last)

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
