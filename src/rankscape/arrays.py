"""Array-likes as numpy arrays, at the border: whatever holds the values, none is lost, and a masked one is missing."""

import sys
from collections.abc import Hashable, Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import DataError

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

EXACT = 2**53
"""Integers up to this are floats as well."""

Label: TypeAlias = Hashable
"""A label of a class: a text, a number, or True or False."""

DataFrameLike: TypeAlias = "IntoFrame"
"""A data frame of any library that narwhals knows: pandas, polars, pyarrow, DuckDB, Dask, PySpark."""

PredictionsLike: TypeAlias = "ArrayLike | Mapping[str, ArrayLike] | DataFrameLike"
"""One array, (m,) of one entity or (k, m) of k, or several by the names of entities: a mapping or a data frame."""


def mean_of(values: Floats, sizes: Integers | None = None) -> float:
    """Return the mean of floats, the same in any order of them; those of a class of several count as one together.

    >>> mean_of(np.array([0.1, 0.1, 0.1])), mean_of(np.array([1.0, 4.0, 6.0]), np.array([1, 2, 2]))
    (0.1, 3.0)
    """
    if len(values) and (values == values[0]).all():
        return float(values[0])
    if sizes is None:
        return fsum(values.tolist()) / len(values)
    return fsum((values / sizes).tolist()) / round(fsum((1 / sizes).tolist()))


def rows_in_order(names: Sequence[str], *keys: Floats) -> NDArray[np.intp]:
    """Return the rows sorted by keys, the last key first, and by name where all are equal; NaN comes last.

    So no list depends on the order of the rows.

    >>> rows_in_order(["z", "a", "b"], np.array([1.0, 1.0, np.nan])).tolist()
    [1, 0, 2]
    """
    by_name = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.intp)
    return by_name[np.lexsort([key[by_name] for key in keys])]


def array_of(values: Any, what: str, *, dtype: Any = None) -> NDArray[Any]:
    """Return values as an array; refuse masked ones, which numpy would give back as if nothing masked them.

    Integers that numpy would round, because they stand beside floats or nothing, are kept as objects.

    >>> array_of(np.ma.masked_array([1, 2], mask=False), "truth").tolist()
    [1, 2]
    >>> array_of([2**63 + 1, 0.5], "scores").tolist()
    [9223372036854775809, 0.5]
    """
    if _masks_exist() and isinstance(values, np.ma.MaskedArray):
        if values.dtype.names is not None:
            raise DataError("structured arrays are not read", where=what, way_out="pass one column at a time")
        _refuse_masked(np.ma.getmaskarray(values), what)
        return np.asarray(np.ma.getdata(values), dtype=dtype)
    values = plain_rows(values, what)
    if hasattr(values, "detach") and getattr(values, "requires_grad", False):  # a tensor within a computation
        values = values.detach()
    try:
        array = np.asarray(values, dtype=dtype)
    except ValueError:
        if dtype is not None:
            raise
        raise DataError("expected rows of equal length", where=what) from None
    if dtype is None and array.dtype == np.float64 and (np.abs(array) >= EXACT).any():
        array = _unrounded(values, array)
    one = array.item() if not array.ndim and array.dtype == object else None
    if not (hasattr(type(one), "__float__") or one is None or isinstance(one, (str, bytes))):
        raise DataError(
            f"expected numbers or labels in a list or an array; got {type(values).__name__}",
            where=what,
            way_out="pass a list of its values",
        )
    if array.dtype == object and _masks_exist():
        _refuse_masked(np.array([value is np.ma.masked for value in array.flat], dtype=bool).reshape(array.shape), what)
    return array


def as_given(values: Any, what: str = "labels") -> NDArray[Any]:
    """Return an array of values as they are: as objects, too, where numpy would write numbers as text.

    >>> as_given([1, "1"]).tolist(), as_given([2**60 + 1, 0.5]).tolist()
    ([1, '1'], [1152921504606846977, 0.5])
    """
    values = plain_rows(values, what)
    array = array_of(values, what)
    if not isinstance(values, (list, tuple)) or array.dtype.kind not in "US":
        return array
    given = np.asarray(values, dtype=object)
    return array if all(isinstance(v, (str, bytes)) for v in given.ravel()) else given


def _unrounded(values: Any, floats: NDArray[Any]) -> NDArray[Any]:
    """Return values as objects where floats have rounded integers among them, else the floats."""
    if hasattr(values, "rows"):  # a data frame of polars
        values = values.rows()
    elif hasattr(values, "to_pylist"):  # of Arrow, a column or a table
        columns = getattr(values, "columns", None)
        values = values.to_pylist() if columns is None else list(zip(*(c.to_pylist() for c in columns), strict=True))
    elif hasattr(values, "to_list") and not hasattr(values, "index"):  # a column of polars
        values = values.to_list()
    elif isinstance(values, np.ndarray):
        return floats
    elif hasattr(values, "to_numpy"):  # of pandas
        values = values.to_numpy(dtype=object)
    given = np.asarray(values, dtype=object)
    rounded = any(isinstance(v, (int, np.integer)) and abs(int(v)) > EXACT for v in given.ravel())
    return given if rounded else floats


def _masks_exist() -> bool:
    """Tell whether ``numpy.ma`` is loaded, as it is where anything is masked; NumPy would load it when it is asked."""
    return "numpy.ma" in sys.modules


def plain_rows(values: Any, what: str) -> Any:
    """Return nested lists with plain arrays in the place of what numpy would misread; other values as they are."""
    if not isinstance(values, (list, tuple)) or not any(map(_special, set(map(type, values)))):
        return values
    return [
        plain_rows(one, what) if isinstance(one, (list, tuple)) else array_of(one, what) if _special(type(one)) else one
        for one in values
    ]


def _special(kind: type) -> bool:
    """Tell whether values of a type may hide what numpy would lose: within a list, it would ask each of them."""
    special = (list, tuple, np.ma.MaskedArray) if _masks_exist() else (list, tuple)
    return issubclass(kind, special) or hasattr(kind, "detach")


def _refuse_masked(mask: Flags, what: str) -> None:
    masked = int(mask.sum())
    if masked:
        at = ", ".join(str(i + 1) for i in np.argwhere(mask)[0].tolist())
        raise DataError(
            f"{masked} of {mask.size} values {'is' if masked == 1 else 'are'} masked, the first at position {at or 1}, "
            "and a masked value is a missing one",
            where=what,
            way_out=["drop these cases", "fill them in with filled()"],
        )
