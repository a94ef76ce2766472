"""How the tests are distributed over the processes of `make test`, and the state of each process."""

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from xdist.scheduler import LoadFileScheduling

_ends = ExitStack()
ONE_PROCESS = "tests/pipeline/"  # its files share a checkout in which all stages have run


class Together(LoadFileScheduling):
    """The tests of a file stay in one process, where they share its fixtures; so do those of tests/pipeline."""

    def _split_scope(self, nodeid: str) -> str:
        # pytest-xdist's own groups (`--dist loadgroup`) are silently no groups under pytest 9.2
        return ONE_PROCESS if nodeid.startswith(ONE_PROCESS) else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)  # also with `-p no:xdist`
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LoadFileScheduling:
    return Together(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is imported and parsed for the tests stays: to look for garbage in it, again and again, takes seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 50, 50)  # as in a stage; at Python's own, tests spend a tenth of their time on it
        gc.enable()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named by their argument: an archive holds the second it was made in, and each worker makes its own."""
    return argname if isinstance(val, bytes) else None


def pytest_configure() -> None:
    """Flows of these tests do not wait for the threads of other runs on this machine; one fork server is for all."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in a shell's background job, and so in commands under test
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["FLOW_SLOTS"] = tempfile.mkdtemp(prefix="repline-slots-")
    if "REPLINE_FORKS" not in os.environ:  # else a worker of xdist, for which the first process has started one
        from tests import forks

        _ends.enter_context(forks.server())


def pytest_unconfigure() -> None:
    _ends.close()
    shutil.rmtree(os.environ["FLOW_SLOTS"], ignore_errors=True)
