"""What the tests share: reproducible examples, and data that may lie beside the checkout."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real performances that are not part of the project: tests on them run where they are at hand."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the data of ../shared/data are not at hand")
    return folder
