"""How the tests are dealt out to the processes of `make test`."""

from pathlib import Path

import pytest

TOGETHER = Path(__file__).parent / "pipeline"  # its files share one checkout in which everything was made


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a file stay in one process, where they share its fixtures; so do those of tests/pipeline."""
    for item in items:
        group = TOGETHER if item.path.is_relative_to(TOGETHER) else item.path
        item.add_marker(pytest.mark.xdist_group(str(group.relative_to(TOGETHER.parent))))
