"""Forks that end with the process they come from: a kill of that one tells them nothing."""

import multiprocessing
import os
import threading
from contextlib import suppress

import psutil


def end_with_the_parent() -> None:
    """End this process of `multiprocessing`, and all that it has started, once its parent is gone."""
    threading.Thread(target=_end_after_the_parent, daemon=True).start()


def _end_after_the_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        kill_with_children(os.getpid())


def kill_with_children(pid: int | None) -> None:
    """Kill a process and all that it has started."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for started in [*process.children(recursive=True), process]:
            with suppress(psutil.NoSuchProcess):
                started.kill()
