"""A test that is skipped in CI fails there, but for the reasons that the root conftest.py lists."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

SKIPPING = {
    "skip": "import pytest\ndef test_one(): pytest.skip('no browser')",
    "skipif": "import pytest\n@pytest.mark.skipif(True, reason='no browser')\ndef test_one(): pass",
    "importorskip": "import pytest\ndef test_one(): pytest.importorskip('no_such_module', reason='no browser')",
    "module": "import pytest\npytest.skip('no browser', allow_module_level=True)",
    "fixture": "import pytest\n@pytest.fixture\ndef it(): pytest.skip('no browser')\ndef test_one(it): pass",
    "unittest": "import unittest\nclass TestOne(unittest.TestCase):\n def test_one(self): self.skipTest('no browser')",
}


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Run a text as a file of tests, with the project's conftest.py, in CI or elsewhere."""

    def run_(text: str, ci: str) -> pytest.RunResult:
        monkeypatch.setenv("CI", ci)
        pytester.makeconftest((ROOT / "conftest.py").read_text("utf-8"))
        pytester.makepyfile(text)
        return pytester.runpytest_inprocess("-p", "no:cacheprovider")

    return run_


@pytest.mark.parametrize("how", SKIPPING)
def test_a_skip_fails_in_ci(run, how: str) -> None:
    result = run(SKIPPING[how], "true")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*skipped in CI, where everything must run: no browser*"])


@pytest.mark.parametrize("how", SKIPPING)
def test_a_skip_is_a_skip_elsewhere(run, how: str) -> None:
    result = run(SKIPPING[how], "")
    assert result.ret in (0, pytest.ExitCode.NO_TESTS_COLLECTED)
    assert "1 skipped" in result.stdout.str()


@pytest.mark.parametrize(
    "text",
    [
        "import pytest\ndef test_one(): pytest.skip('the shared data are not beside the checkout: cada_rre.csv')",
        "import pytest\n@pytest.mark.skipif(True, reason='POSIX signals')\ndef test_one(): pass",
        "import pytest\n@pytest.mark.xfail(reason='known', strict=True)\ndef test_one(): raise ValueError",
        "import pytest\ndef test_one(): pytest.xfail('known')",
    ],
)
def test_what_is_listed_or_expected_to_fail_passes_in_ci(run, text: str) -> None:
    assert run(text, "true").ret == 0


def test_what_is_left_out_is_said_in_a_line_with_the_way_to_get_it(run) -> None:
    skips = "\n".join(
        f"def test_{i}(): pytest.skip('{reason}')"
        for i, reason in enumerate(["no Chromium on this machine: the page is not opened"] * 3 + ["POSIX signals"])
    )
    lines = [line for line in run(f"import pytest\n{skips}", "").outlines if "left out" in line]
    assert lines == [
        "3 tests were left out: no Chromium on this machine. To run them: apt install chromium",
        "1 test was left out: POSIX signals.",
    ]
