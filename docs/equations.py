"""Typeset the equations of the pages: TeX becomes MathML when the pages are built, so a browser needs no script for it.

The roles ``:foundations:``, ``:tile:`` and ``:tradeoff:`` name a place in a paper, and link to the paper.
"""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.errors import ExtensionError
from sphinx.util.math import get_node_equation_number

PAPERS = {
    "foundations": ("Foundations", "https://arxiv.org/abs/2412.04227"),
    "tile": ("Tile", "https://arxiv.org/abs/2412.04309"),
    "tradeoff": ("Trade-off", "https://arxiv.org/abs/2511.22442"),
}


def _mathml(node: nodes.Element, as_block: bool) -> str:
    tex = re.sub(r"\\(ln|log)\b", r"\\,\\\1", node.astext())  # in TeX, names of functions have a thin space beside them
    tex = re.sub(r"\\(ln|log) ", r"\\\1\\,", tex)
    try:
        mathml = tex2mathml(tex, as_block=as_block)
    except MathError as error:
        raise ExtensionError(f"{node.astext()!r} cannot be typeset: {error}") from error
    # the bar that docutils puts over a letter touches the letter in browsers
    bar = r'<mover accent="true">(\s*<mi>\w+</mi>\s*)<mo stretchy="false">ˉ</mo>'
    return re.sub(bar, r'<mover>\1<mo stretchy="true">‾</mo>', mathml)


def _keep_together(_app: Any, doctree: nodes.document) -> None:
    """Hand the signs that touch an equation in a line to the equation, so that no line starts with a comma."""
    for node in list(doctree.findall(nodes.math)):
        place = node.parent.index(node)
        for side, neighbor, signs in (("before", place - 1, r"[(“]+$"), ("after", place + 1, r"^[.,;:!?)”’]+")):
            text = node.parent[neighbor] if 0 <= neighbor < len(node.parent) else None
            if isinstance(text, nodes.Text) and (found := re.search(signs, text)):
                node[side] = found.group()
                node.parent.replace(text, nodes.Text(re.sub(signs, "", text)))


def _inline(self: Any, node: nodes.math) -> None:
    self.body.append(f'<span class="unbroken">{node.get("before", "")}')
    self.body.append(self.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
    self.body.append(f"{_mathml(node, as_block=False)}</span>{node.get('after', '')}</span>")
    raise nodes.SkipNode


def _block(self: Any, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="math notranslate nohighlight", tabindex="0"))
    self.body.append(_mathml(node, as_block=True))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def _paper(name: str, _rawtext: str, text: str, *_: Any) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Return the link of a role: :tile:`(6)` is "Tile, (6)"."""
    title, address = PAPERS[name]
    return [nodes.reference("", f"{title}, {text}", refuri=address)], []


def setup(app: Any) -> dict[str, bool]:
    """Add the renderer "mathml", and the roles of the papers."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    for name in PAPERS:
        app.add_role(name, _paper)
    app.connect("doctree-read", _keep_together)
    return {"parallel_read_safe": True}
