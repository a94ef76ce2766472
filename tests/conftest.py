"""How the tests are dealt out to the processes of `make test`, and what each process keeps for itself."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

TOGETHER = Path(__file__).parent / "pipeline"  # its files share one checkout in which everything was made


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a file stay in one process, where they share its fixtures; so do those of tests/pipeline."""
    for item in items:
        group = TOGETHER if item.path.is_relative_to(TOGETHER) else item.path
        item.add_marker(pytest.mark.xdist_group(str(group.relative_to(TOGETHER.parent))))


def pytest_configure() -> None:
    """Flows of these tests do not wait for the threads of other runs on this machine."""
    os.environ["REPLINE_SLOTS"] = tempfile.mkdtemp(prefix="repline-slots-")


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["REPLINE_SLOTS"], ignore_errors=True)
