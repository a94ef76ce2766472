"""A run that waits for another one of its workspace leaves Ctrl-C to `serve`."""

import logging
import os
import signal
from contextlib import contextmanager
from types import SimpleNamespace

from filelock import Timeout

from flows.workspaces import workspace_lock


class TakenLock:
    """A lock that another run has, and frees as soon as this one waits for it."""

    def __init__(self, path):
        self.lock_file = path

    def acquire(self, blocking=True):
        if not blocking:
            raise Timeout(str(self.lock_file))

    def release(self):
        pass


def test_ctrl_c_is_left_to_serve_as_soon_as_a_run_is_said_to_wait(tmp_path, monkeypatch):
    states = []

    def set_flow_run_state(run, state):
        states.append(state.name)
        os.kill(os.getpid(), signal.SIGINT)

    @contextmanager
    def get_client(sync_client):
        yield SimpleNamespace(set_flow_run_state=set_flow_run_state)

    monkeypatch.setattr(workspace_lock, "FileLock", TakenLock)
    monkeypatch.setattr(workspace_lock, "flow_run", lambda: SimpleNamespace(deployment_id="d", id="r"))
    monkeypatch.setattr(workspace_lock, "get_run_logger", lambda: logging.getLogger("test"))
    monkeypatch.setattr(workspace_lock, "get_client", get_client)
    before = signal.getsignal(signal.SIGINT)
    with workspace_lock.alone(tmp_path):
        assert signal.getsignal(signal.SIGINT) is before
    assert states == ["Waiting", "Running"]
