"""Levels: several columns make the names of domains, on the engine that holds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .cases import LARGEST_FLOAT
from .headers import JOINED
from .sheets import located, quoted

if TYPE_CHECKING:
    import narwhals as nw


def with_joined(
    frame: nw.LazyFrame[Any], levels: Sequence[str], absent: Callable[[str], nw.Expr], where: str
) -> nw.LazyFrame[Any]:
    r"""Return a frame with the column :data:`JOINED`, as :func:`rankscape.checks.names.domain_text` joins its parts.

    ``absent`` tells where a cell is missing; then the domain is, too.

    >>> import narwhals as nw, pyarrow as pa
    >>> frame = nw.from_native(pa.table({"a": ["x/y"], "b": [2.0]})).lazy()
    >>> joined = with_joined(frame, ["a", "b"], lambda header: nw.col(header).is_null(), "")
    >>> print(joined.collect()[JOINED].item())
    x\/y/2
    """
    import narwhals as nw

    schema = frame.collect_schema()

    def part(header: str) -> nw.Expr:
        """Return a cell as a text, as Python writes it."""
        kind, cell = schema[header], nw.col(header)
        if not (kind.is_numeric() or kind in (nw.String, nw.Categorical, nw.Enum, nw.Boolean, nw.Object)):
            problem = f"the column {quoted(header)} holds {kind}; expected texts or numbers as a part of a domain"
            raise located(where, f"{problem}: make texts of it")
        text = cell.cast(nw.String())
        if kind == nw.Boolean:
            text = nw.when(cell).then(nw.lit("True")).otherwise(nw.lit("False"))
        elif kind.is_numeric() and not kind.is_integer():
            whole = (cell.abs() < LARGEST_FLOAT) & (cell == cell.round(0))
            integer = nw.when(whole).then(cell).otherwise(nw.lit(0)).cast(nw.Int64())
            text = nw.when(whole).then(integer.cast(nw.String())).otherwise(text)
        for sign in "\\/":  # in this order
            text = text.str.replace_all(sign, f"\\{sign}", literal=True)
        return nw.when(~absent(header)).then(text)

    return frame.with_columns(nw.concat_str([part(level) for level in levels], separator="/").alias(JOINED))
