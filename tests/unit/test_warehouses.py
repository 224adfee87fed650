"""Tables of Ibis and SQLFrame: what count, sweep and read do with them beyond what every engine is tested for."""

from collections.abc import Callable
from typing import Any

import engine_tables
import pytest

import rankscape as rs
from rankscape.errors import DataError

pd = pytest.importorskip("pandas")
ibis = pytest.importorskip("ibis")
pytest.importorskip("sqlframe")

LAYERS = ("ibis", "sqlframe")


def unbound(**columns: str) -> Any:
    """Return a table of Ibis that no backend holds."""
    return ibis.table(columns, name="nowhere")


@pytest.mark.parametrize("layer", LAYERS)
def test_counts_are_read_and_scores_are_swept(layer: str) -> None:
    counts = pd.DataFrame({"model": ["a", "b"], "tn": [1, 2], "fp": [3, 4], "fn": [5, 6], "tp": [7, 8]})
    assert rs.read(engine_tables.ENGINES[layer](counts)).counts.tolist() == [[1, 3, 5, 7], [2, 4, 6, 8]]
    assert rs.rank(engine_tables.ENGINES[layer](counts), by="recall").names == ("a", "b")
    scores = pd.DataFrame({"y": [0, 1, 1, 0, 1], "s": [0.1, 0.9, 0.3, 0.4, 0.8], "model": list("aabba")})
    how: dict[str, Any] = {"truth": "y", "score": "s", "entity": "model"}
    for bins in (None, 16):
        more = {} if bins is None else {"bins": bins}
        swept = rs.sweep(engine_tables.ENGINES[layer](scores), **how, **more)
        expected = rs.sweep(scores, **how, **more)
        assert swept.names == expected.names
        for name in swept.names:
            assert swept[name].counts.tolist() == expected[name].counts.tolist()


@pytest.mark.parametrize(
    "ask",
    [
        lambda: rs.count(unbound(y="int64", p="int64"), truth="y", prediction="p"),
        lambda: rs.sweep(unbound(y="int64", p="int64"), truth="y", score="p"),
        lambda: rs.read(unbound(model="string", tn="int64", fp="int64", fn="int64", tp="int64")),
    ],
)
def test_a_table_without_a_backend_is_refused_in_a_sentence(ask: Callable[[], Any]) -> None:
    with pytest.raises(DataError, match="unbound tables"):
        ask()


@pytest.mark.parametrize("header", ["1", "null", "a b", "'y'"])
def test_a_name_that_sqlframe_takes_for_a_value_is_refused(header: str) -> None:
    table = engine_tables.sqlframe(pd.DataFrame({header: [0, 1, 1], "p": [0, 1, 0]}))
    with pytest.raises(DataError, match="SQLFrame does not take .* for the name of a column"):
        rs.count(table, truth=header, prediction="p")


def test_a_column_called_read_makes_no_open_file_of_a_frame() -> None:
    frame = pd.DataFrame({"read": [0, 1, 1], "p": [0, 1, 0]})
    for layer in LAYERS:
        assert rs.count(engine_tables.ENGINES[layer](frame), truth="read", prediction="p").counts.tolist() == [
            [1, 0, 1, 1]
        ]
