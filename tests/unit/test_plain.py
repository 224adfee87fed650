"""Plain tables are read and counted at once: the same numbers as cell by cell, and what is odd is left to that."""

import random
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from rankscape.io.duck import connected, csv_relation
from rankscape.io.sources import Source
from rankscape.kernels import native, reference


@pytest.mark.skipif(native.extension is None, reason="the extension is not built here, or not wanted")
def test_the_shape_of_a_plain_file_is_that_of_its_twin() -> None:
    draw = random.Random(0)
    shapes = set()
    for _ in range(4000):
        text = "".join(
            draw.choice(("a", "b,", ",", "\n", "\n", ' "', '"', "\r\n", "é", " ", "\t"))
            for _ in range(draw.randint(1, 9))
        )
        data = np.frombuffer(text.encode(), dtype=np.uint8)
        shape = native.plain_csv(data, ",", 5)
        assert (shape if shape[0] else (False,)) == reference.plain_csv(data, ",", 5)[: 5 if shape[0] else 1], text
        shapes |= {(shape[0], *shape[2:])} if shape[0] else set()
    assert {(True, *flags) for flags in ((False, False, False), (True, False, False), (False, True, True))} <= shapes


@pytest.mark.parametrize(
    ("cell", "plainly"),
    [
        ("a b", True),
        ("é", True),
        (" a", False),
        ('"a\t"', False),
        ("\x1ca", False),
        ("\xa0a", False),
        ("a\u3000", False),
    ],
)
def test_duckdb_strips_cells_only_where_there_is_white_space(tmp_path: Path, cell: str, plainly: bool) -> None:
    path = tmp_path / "predictions.csv"
    path.write_text(f"y,p\n{cell},b\n,c\n", encoding="utf-8")
    with ExitStack() as stack, connected() as connection:
        relation = csv_relation(connection, [Source(str(path), path=str(path))], ["y", "p"], [], stack)
        assert relation is not None
        assert ("trim" not in relation[0].sql_query()) == plainly
        assert sorted(relation[0].fetchall(), key=str) == [(cell.strip().strip('"').strip(), "b"), (None, "c")]
