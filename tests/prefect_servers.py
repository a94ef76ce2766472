"""A Prefect server for the tests of a process, with a copy of the database that the first of all servers made."""

import os
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

from tests.forks import ROOT, Forks

DATABASE = "prefect.db"
PATIENCE = 90  # seconds; a server that does not end in this time never will


def shared_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first server leaves its database: to make one takes longer than to start a server."""
    folder = tmp_path_factory.getbasetemp()
    return (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / DATABASE


@contextmanager
def running(environment: dict[str, str], database: Path) -> Iterator[str]:
    """The address of a server on a free loopback port, as a flow starts it.

    Args:
        environment: of its process; its database lies in PREFECT_HOME.
        database: the shared one, which is made if it is not there.
    """
    home = Path(environment["PREFECT_HOME"])
    reading, writing = os.pipe()
    with FileLock(f"{database}.lock"):
        if database.exists():
            shutil.copy(database, home / DATABASE)
        process = Forks("flows").start(
            ROOT, "tests.prefect_server_alone", environment=environment, stdin=reading, spares=1
        )
        os.close(reading)
        url = process.stdout.readline().strip()
        assert url, process.communicate()
        if not database.exists():
            with closing(sqlite3.connect(home / DATABASE)) as source, closing(sqlite3.connect(database)) as copy:
                source.backup(copy)
    yield url
    os.close(writing)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGABRT)  # faulthandler says where it stands
        raise AssertionError(f"the Prefect server does not end: {process.communicate(PATIENCE)}") from None
