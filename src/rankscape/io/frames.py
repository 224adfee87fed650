"""Data frames of any library, as narwhals sees them: plans that their own engine carries out."""

from __future__ import annotations

import atexit
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from ..errors import DataError, Option
from .headers import role
from .sheets import located, quoted

if TYPE_CHECKING:
    import narwhals as nw


def data_frame(native: Any, where: str) -> nw.DataFrame[Any] | nw.LazyFrame[Any] | None:
    """Return a data frame of any library as narwhals sees it, None for anything else.

    Headers of pandas that are numbers or pairs become texts, as a file of the frame would have them.

    >>> import pandas as pd
    >>> data_frame(pd.DataFrame([[1, 2]], columns=[("tp", "sum"), 7]), "").columns
    ['tp sum', '7']
    """
    import narwhals as nw  # not needed for files of text

    try:
        frame = nw.from_native(native, pass_through=True)
        if isinstance(frame, nw.DataFrame) and frame.implementation.is_pandas_like():
            headers = list(frame.columns)
            if not all(isinstance(header, str) for header in headers):
                parts = (header if isinstance(header, tuple) else (header,) for header in headers)
                texts = [" ".join(text for part in of if (text := str(part).strip())) for of in parts]
                frame = nw.from_native(frame.to_native().set_axis(texts, axis=1))
    except Exception as error:  # each library refuses a frame in another way, such as one with equal headers
        raise located(where, f"the data frame cannot be used: {' '.join(str(error).split())}") from error
    return frame if isinstance(frame, (nw.DataFrame, nw.LazyFrame)) else None


def index_columns(frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> dict[str, list[Any]]:
    """Return the index of a pandas data frame as columns that it lacks: known headers, or the only one if it has texts.

    >>> import narwhals as nw, pandas as pd
    >>> index_columns(nw.from_native(pd.DataFrame({"tp": [3, 4]}, index=["unet", "resnet"])))
    {'': ['unet', 'resnet']}
    """
    import narwhals as nw

    columns: dict[str, list[Any]] = {}
    index: Any = nw.maybe_get_index(frame) if isinstance(frame, nw.DataFrame) else None
    for level, name in enumerate([] if index is None else index.names):
        cells, header = index.get_level_values(level), "" if name is None else str(name)
        texts = index.nlevels == 1 and all(isinstance(cell, str) for cell in cells)
        if header not in frame.columns and (texts or role(header) in ("entity", "domain")):
            columns[header] = list(cells)
    return columns


def lazy_frame(native: Any, where: str = "") -> nw.LazyFrame[Any]:
    """Return a data frame of any kind as a plan that its engine will carry out."""
    frame = data_frame(native, where)
    if frame is None:
        raise DataError(
            "",
            expected="files or a data frame of predictions, one case per row",
            got=type(native).__name__,
            way_out=[Option("arrays", python="for arrays use Performances.from_labels, or an Accumulator for batches")],
        )
    return frame.lazy()


def on_duckdb(frame: nw.LazyFrame[Any] | nw.DataFrame[Any]) -> bool:
    """Tell whether DuckDB holds the rows, perhaps behind Ibis or SQLFrame."""
    kind, native = frame.implementation, frame.to_native()
    if kind.is_ibis():
        with suppress(Exception):  # a table without a backend, which is refused when rows are asked for
            return bool(native.get_backend().name == "duckdb")
        return False
    return bool(kind.is_duckdb()) or (kind.is_sqlframe() and type(native).__module__.startswith("sqlframe.duckdb"))


def refuse_misread(frame: nw.LazyFrame[Any] | nw.DataFrame[Any], header: str, where: str) -> None:
    """Refuse the header of a column that SQLFrame takes for a value: 1 is then the number, and null is nothing."""
    named = header.startswith("`") or (header.isidentifier() and header.casefold() != "null")
    if frame.implementation.is_sqlframe() and not named:
        problem = f"SQLFrame does not take {quoted(header)} for the name of a column"
        raise located(where, f"{problem}; expected letters, digits and underscores: rename it")


_CACHED = type(cache(int))


def release_engines() -> None:
    """Empty the caches of narwhals: in them it keeps DuckDB's types, and DuckDB reports what outlives it as leaked."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "narwhals":
            for thing in list(vars(module).values()):
                if isinstance(thing, _CACHED):
                    thing.cache_clear()


atexit.register(release_engines)
