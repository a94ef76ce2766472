"""One run of a deployment at a time in a workspace, however many are started in the UI or by a schedule."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout
from prefect import get_run_logger
from prefect.client.orchestration import get_client
from prefect.states import Running

from flows.project import settings
from flows.workspaces.flow_context import flow_run


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Wait for the run of a deployment that works in `root`; its lock is freed when its process ends, even if killed.

    Runs from the command line do not wait: DVC keeps two runs of the same stage apart. A sub-flow does not wait either:
    its parent has the lock.
    """
    run = flow_run()
    if not run.deployment_id:
        yield
        return
    lock = FileLock(settings.scratch(root) / "deployment.lock")
    lock_folder = Path(lock.lock_file).parent
    lock_folder.mkdir(parents=True, exist_ok=True)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        get_run_logger().info("waiting for another run that works in %s", root)
        with _without_interrupts(), get_client(sync_client=True) as client:
            client.set_flow_run_state(run.id, Running(name="Waiting", message=f"another run works in {root}"))
            lock.acquire()
            client.set_flow_run_state(run.id, Running())
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Leave Ctrl-C in a terminal to `serve`, which ends its runs by SIGTERM; in this process it would be an error."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
