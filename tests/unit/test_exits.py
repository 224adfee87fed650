"""A script ends without a word on stderr, whatever it has counted with."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("duckdb")

SCRIPTS = {
    "a CSV file": "rs.count('cases.csv', truth='y', prediction='p')",
    "a Parquet file": "rs.count('cases.parquet', truth='y', prediction='p')",
    "a relation of DuckDB": "source = duckdb.sql('select 1 as y, 1 as p'); rs.count(source, truth='y', prediction='p')",
    "weights and scores": "rs.count('cases.csv', truth='y', score='s', weight='w', threshold=0.5)",
    "an error": "try: rs.count('cases.csv', truth='y', prediction='none')\nexcept rs.DataError as error: kept = error",
    "an early end": "rs.count('cases.csv', truth='y', prediction='p'); sys.exit(0)",
}


@pytest.mark.some(2)
@pytest.mark.parametrize("what", SCRIPTS)
def test_a_script_that_counts_ends_without_a_word(what: str, tmp_path: Path) -> None:
    (tmp_path / "cases.csv").write_text("y,p,s,w\n1,1,0.7,1\n0,1,0.6,2\n", "utf-8")
    script = (
        "import sys, duckdb, rankscape as rs\n"
        "duckdb.sql(\"copy (select 1 as y, 1 as p) to 'cases.parquet' (format parquet)\")\n" + SCRIPTS[what]
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
