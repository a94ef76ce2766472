"""Garbage collection of the Prefect server, in a thread of its own instead of its event loop.

SQLite objects in a reference cycle are closed by the thread that collects them, which waits while their connection is
in use. That connection may wait for a lock, and the transaction that holds the lock may be a task of the event loop. If
the event loop is what collects, neither can go on, and the server answers nothing until the wait for the lock times
out, after a minute.
"""

import gc
import threading
import time

PERIOD = 0.2  # seconds


def collect_in_a_thread() -> None:
    """Start a thread that collects this process's garbage about as often as Python would.

    Objects that exist already are never looked at again (`gc.freeze`).
    """
    gc.disable()
    gc.freeze()
    threading.Thread(target=_collect, name="garbage", daemon=True).start()


def _collect() -> None:
    while True:
        time.sleep(PERIOD)
        due = [count > threshold > 0 for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if any(due):
            gc.collect(max(generation for generation, is_due in enumerate(due) if is_due))
