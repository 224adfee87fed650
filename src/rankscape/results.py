"""What every result is: a record with a table, and where it has one, a picture. The table needs no pandas."""

import base64
import csv
import html
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from .errors import RankscapeError
from .texts import columns, padded

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 60
"""Rows that a table shows where it is printed; all are in ``rows``, ``frame`` and ``to_csv``."""

SHORT = 20
"""A notebook shows a table of at most so many rows below a picture; a longer one opens on a click."""

MOST_PICTURED = 300
"""Entities with which a notebook draws points and trade-offs unasked; with more it takes seconds."""

_FORMULA = re.compile(r"'*[=+\-@]")
"""What a spreadsheet takes for a formula, behind any number of apostrophes."""


class Table:
    """Columns of equal length, by name: what ``.frame()`` gives where pandas is not installed.

    >>> table = Table({"entity": ["a", "b"], "rank": [1, 2]})
    >>> table.columns
    ['entity', 'rank']
    >>> table["rank"]
    [1, 2]
    >>> table.to_csv().splitlines()
    ['entity,rank', 'a,1', 'b,2']
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns = {name: _plain(values) for name, values in columns.items()}
        if len({len(values) for values in self._columns.values()}) > 1:
            raise ValueError("the columns of a table must have the same length")

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return list(self._columns)

    def __getitem__(self, name: str) -> list[Any]:
        return self._columns[name]

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """One tuple per row, in the order of the columns."""
        return zip(*self._columns.values(), strict=True)

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return the table as CSV text (undefined numbers are empty), and write it if a path is given.

        A text that a spreadsheet would take for a formula (it starts with =, +, - or @) is behind an apostrophe, which
        :func:`rankscape.read` takes off again; headers stay as they are.
        """
        buffer = io.StringIO()
        # a lone \r would stay unquoted
        returns = any("\r" in value for row in self.rows() for value in row if isinstance(value, str))
        writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL)
        writer.writerow(self.columns)
        writer.writerows([_cell(value) for value in row] for row in self.rows())
        if path is not None:
            Path(path).write_text(buffer.getvalue(), encoding="utf-8")
        return buffer.getvalue()

    def frame(self) -> Any:
        """Return a pandas data frame where pandas is installed, else this table itself."""
        try:
            import pandas as pd
        except ImportError:
            return self
        return pd.DataFrame(self._columns)

    def __repr__(self) -> str:
        rows = [[str(value) for value in row] for row in islice(self.rows(), MOST_ROWS)]
        texts = [self.columns, *rows]
        widths = [max(map(columns, column)) for column in zip(*texts, strict=True)]
        lines = ["  ".join(padded(text, w) for text, w in zip(row, widths, strict=True)).rstrip() for row in texts]
        return "\n".join(lines + [f"… {len(self)} rows"] * (len(self) > len(rows)))

    def _repr_html_(self) -> str:
        def cells(tag: str, values: Sequence[Any]) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(str(value))}</{tag}>" for value in values) + "</tr>"

        body = "".join(cells("td", row) for row in islice(self.rows(), MOST_ROWS))
        body += cells("td", [f"… {len(self)} rows"]) if len(self) > MOST_ROWS else ""
        return f"<table><thead>{cells('th', self.columns)}</thead><tbody>{body}</tbody></table>"


class Result:
    """The base of all results: from ``table()`` follow the data frame, what is printed, and what a notebook shows.

    Its ``notes``, where it has some, stand below the table.

    A subclass is a frozen record (``@dataclass(frozen=True, eq=False, repr=False)``) with a method ``table``; its
    ``heading`` is the line above the table; where ``brief`` is set, it is all that is printed. Where ``worded`` is set,
    a notebook shows what is printed instead of the table.
    """

    brief: ClassVar[bool] = False
    worded: ClassVar[bool] = False

    @property
    def heading(self) -> str:
        """One line that says what the table holds."""
        return ""

    def table(self) -> Table:
        """Return the numbers of the result as a small table."""
        raise NotImplementedError(f"{type(self).__name__} has no table")

    def frame(self) -> Any:
        """Return the table as a pandas data frame where pandas is installed, else as a small table."""
        return self.table().frame()

    def __repr__(self) -> str:
        if self.brief:
            return f"<{self.heading}{self.cautions}>"
        return "\n".join(filter(None, (self.heading, repr(self.table()), *getattr(self, "notes", ()))))

    @property
    def cautions(self) -> str:
        """What the notes of a result add to the line that it is printed as."""
        return "".join(f"; caution: {note}" for note in getattr(self, "notes", ()))

    def _repr_html_(self) -> str:
        if self.worded:
            return f"<pre>{html.escape(repr(self))}</pre>"
        above, *below = (
            f"<p>{html.escape(text)}</p>" * bool(text) for text in (self.heading, *getattr(self, "notes", ()))
        )
        return "".join((above, self.table()._repr_html_(), *below))


class DrawnResult(Result):
    """A result that has a picture: ``drawing`` names the function of :mod:`rankscape.plots` that draws it."""

    drawing: ClassVar[str]

    @property
    def pictured(self) -> bool:
        """Whether a notebook shows the picture unasked: not where drawing would take seconds."""
        return True

    def plot(self, ax: "Axes | None" = None, **options: Any) -> "Axes":
        """Draw the result on matplotlib axes, new ones by default, and return them.

        The options are those of the function in :mod:`rankscape.plots` that draws this kind of result, which refuses
        all others; ``result.plot().figure.savefig("figure.pdf")`` writes a file.
        """
        plots = import_module(".plots", __package__)  # with it comes matplotlib
        axes: Axes = getattr(plots, self.drawing)(self, ax=ax, **options)
        return axes

    def _repr_html_(self) -> str:
        if not self.pictured:
            return super()._repr_html_()
        try:
            encoded = base64.b64encode(_image(self)).decode("ascii")
        except RankscapeError:  # a result that cannot be drawn, such as one without entities, still has its table
            return super()._repr_html_()
        alt = html.escape(self.heading or type(self).__name__, quote=True)
        picture = f'<img alt="{alt}" src="data:image/png;base64,{encoded}">'
        is_open = " open" * (len(self.table()) <= SHORT)
        return f"{picture}<details{is_open}><summary>Table</summary>{super()._repr_html_()}</details>"


def _image(result: DrawnResult) -> bytes:
    """Return the picture of a result as PNG, for viewers without a kernel. The figure is closed again."""
    pyplot: Any = import_module("matplotlib.pyplot")
    buffer = io.BytesIO()
    figure: Any = result.plot().figure
    try:
        figure.savefig(buffer, format="png", dpi=100, bbox_inches="tight")
    finally:
        pyplot.close(figure)
    return buffer.getvalue()


def undefined(value: Any) -> bool:
    """Tell whether a cell holds no value: None or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def _cell(value: Any) -> Any:
    """Return what a CSV file holds of a value."""
    if isinstance(value, str):
        text = value.lstrip()
        return f"'{text}" if _FORMULA.match(text) else value
    return "" if undefined(value) else value


def without_guard(name: str) -> str:
    """Return a name of a CSV file without the apostrophe that keeps a spreadsheet from taking it for a formula.

    >>> without_guard("'=1+1"), without_guard("''@x"), without_guard("'quoted'")
    ('=1+1', "'@x", "'quoted'")
    """
    return name[1:] if name.startswith("'") and _FORMULA.match(name) else name


def _plain(values: Any) -> list[Any]:
    """Python numbers instead of numpy ones, so that every writer sees the same types."""
    return values.tolist() if hasattr(values, "tolist") else list(values)
