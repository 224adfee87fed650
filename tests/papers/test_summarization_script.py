"""The script of the two scenarios of the summarization slides."""

from pathlib import Path
from types import ModuleType

import pytest

import rankscape as rs

SCRIPT = "summarization"


def test_formulas_without_data(script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checks = script.main(["--only", "formulas", "cdnet", "--data", str(tmp_path), "--output", str(tmp_path)])
    differing = [one.what for one in checks if one.status not in ("exact", "printed")]
    assert differing == ["table: ranks are in the order of the F of CDnet 2014"]
    assert len(checks) == 9
    assert f"Not in {tmp_path}, so left out: cdnet2014_partial.csv for cdnet." in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_two_scenarios_on_made_data(script: ModuleType, tmp_path: Path) -> None:
    rows = ["domain,entity,tn,fp,fn,tp"]
    for domain, cells in {
        "a/1": [(85, 5, 4, 6), (80, 10, 2, 8)],
        "a/2": [(8, 2, 18, 72), (9, 1, 30, 60)],
        "b/3": [(50, 5, 5, 40), (45, 9, 6, 40)],
    }.items():
        rows += [f"{domain},{name},{','.join(map(str, cell))}" for name, cell in zip("mn", cells, strict=True)]
    (tmp_path / "cdnet2014_partial.csv").write_text("\n".join(rows) + "\n")
    table, pages, checks = script.PARTS["cdnet"](tmp_path)
    assert all(one.status in ("exact", "printed") for one in checks)
    assert list(pages) == ["cdnet_spaces"]
    f1 = rs.score("f1")(rs.read(tmp_path / "cdnet2014_partial.csv"))
    by_hand = {"m": ((f1[0] + f1[2]) / 2 + f1[4]) / 2, "n": ((f1[1] + f1[3]) / 2 + f1[5]) / 2}
    for entity, text in zip(table["entity"], table["mean of F₁ (rank)"], strict=True):
        assert text.startswith(f"{by_hand[entity]:.4f} ")


def test_real_data(script: ModuleType, shared_data: Path, tmp_path: Path) -> None:
    checks = script.main(["--only", "cdnet", "fairness", "--data", str(shared_data), "--output", str(tmp_path)])
    assert all(one.status in ("exact", "printed") for one in checks)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cdnet_spaces.png", "fairness_spaces.png"]
