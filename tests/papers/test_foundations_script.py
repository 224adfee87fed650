"""The script that regenerates Table 1 of the foundations paper."""

from types import ModuleType

import matplotlib as mpl
import pytest

mpl.use("Agg")

SCRIPT = "foundations"
CONSTANT = "Table 1, Chance in Cohen's kappa, pi+=0.5:"


@pytest.mark.nightly
def test_everything_printed_is_reproduced_or_explained(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    checks = script.main([])
    differing = {one.what: one for one in checks if one.status.startswith("differs")}
    assert len(checks) == 81 * 3 + 4 + 8 + 14 + 2
    assert not any("not explained" in one.status or one.status == "differs ()" for one in checks)
    taus = [one for what, one in differing.items() if "tau_" in what and not what.startswith(CONSTANT)]
    assert all(abs(float(one.printed) - float(one.ours)) <= script.NEAR for one in taus)
    assert set(differing) - {one.what for one in taus} == {
        f"{CONSTANT} tests",  # erratum 10
        f"{CONSTANT} tau_min",
        f"{CONSTANT} tau_max",
        "A.7.4: NLR = (1 − R)/R at π₊ = 0.2",  # erratum 11
        "A.7.4: PLR = R/(1 − R) at π₊ = 0.2",
    }
    assert all("4 times" in one.status for what, one in differing.items() if what.startswith("A.7.4"))
    printed = capsys.readouterr().out
    assert "what,printed,ours,status" in printed
    assert "1/17 1/2 1/2 16/17" in printed


def test_one_part_alone(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    checks = script.main(["--only", "sectionA.3.3"])
    assert [one.status for one in checks] == ["exact", "exact"]
    assert capsys.readouterr().out.startswith("sectionA.3.3\na to b")


def test_a_tau_that_is_far_off_is_not_explained(script: ModuleType) -> None:
    assert script.tau_check("x", "0.500", "max", 0.5004, False).status == "printed"
    assert script.tau_check("x", "0.500", "max", 0.502, False).status == "differs (our search goes further)"
    assert script.tau_check("x", "0.500", "max", 0.51, False).status == "differs (not explained)"
    assert script.tau_check("x", "1", "max", 1.0, True).status == "exact"
