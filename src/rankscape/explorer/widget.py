"""The explorer in a notebook, through anywidget: the same code as on the page, in step with Python."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from ..errors import MissingExtraError
from ..flavors import PAGE
from . import simple
from .build import MODEL, VIEW, style
from .document import as_script_data, bundle, source
from .still import Still

if TYPE_CHECKING:
    from anywidget import AnyWidget


def script() -> str:
    """Return the explorer as one module, as anywidget wants it."""
    return bundle((*MODEL, *VIEW, "widget")) + "\nexport default { render };\n"


def widget(data: dict[str, Any], title: str, start: dict[str, Any]) -> AnyWidget:
    """Return a widget of some data, as the page carries them.

    It starts at a place {a, b} of the Tile, with weights of the domains and at a prior, or None. Its ``a``, ``b``,
    ``prior``, ``selected``, ``pinned``, ``flavor`` follow what is done in it; setting them moves the widget;
    ``observe`` them to follow it. Raises MissingExtraError, with the command that helps, where anywidget is not
    installed.
    """
    explorer: AnyWidget = _class()(
        _data=as_script_data(data),
        _title=title,
        _weights=start["weights"],
        a=start["a"],
        b=start["b"],
        prior=start["prior"],
    )
    return explorer


def simple_widget(data: dict[str, Any], title: str, start: dict[str, Any]) -> AnyWidget:
    """Return a widget of the simple page, of data and the state in which it opens."""
    page: AnyWidget = _simple_class()(_data=as_script_data(data), _title=title, _start=json.dumps(start))
    return page


@cache
def _simple_class() -> Any:
    anywidget, traitlets = _libraries()

    class SimpleExplorer(Still, anywidget.AnyWidget):  # type: ignore[misc, name-defined, unused-ignore]
        """The simple page of some performances."""

        _esm = bundle((*simple.MODEL, *simple.VIEW, "simple_widget")) + "\nexport default { render };\n"
        _css = source("style.css") + source("simple.css")
        _data = traitlets.Unicode("").tag(sync=True)
        _title = traitlets.Unicode("").tag(sync=True)
        _start = traitlets.Unicode("{}").tag(sync=True)

    return SimpleExplorer


def _libraries() -> tuple[Any, Any]:
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise MissingExtraError(
            'the notebook widget needs anywidget: pip install "rankscape[notebook]"; '
            'or write a page with explore(performances, "explorer.html")'
        ) from None
    return anywidget, traitlets


@cache
def _class() -> Any:
    anywidget, traitlets = _libraries()

    class Explorer(Still, anywidget.AnyWidget):  # type: ignore[misc, name-defined, unused-ignore]
        """The explorer of some performances."""

        _esm = script()
        _css = style()
        _data = traitlets.Unicode("").tag(sync=True)
        _title = traitlets.Unicode("").tag(sync=True)
        _weights: Any = traitlets.List(None, allow_none=True).tag(sync=True)
        a = traitlets.Float(0.5, min=0, max=1).tag(sync=True)
        b = traitlets.Float(0.5, min=0, max=1).tag(sync=True)
        prior = traitlets.Float(None, min=1e-6, max=1 - 1e-6, allow_none=True).tag(sync=True)
        selected = traitlets.Unicode(None, allow_none=True).tag(sync=True)
        pinned = traitlets.Unicode(None, allow_none=True).tag(sync=True)
        flavor = traitlets.Enum([flavor.id for flavor in PAGE], PAGE[0].id).tag(sync=True)
        uncertainty = traitlets.Bool(True).tag(sync=True)

    return Explorer
