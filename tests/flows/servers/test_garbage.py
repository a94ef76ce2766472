"""Garbage of the Prefect server is collected outside the event loop."""

import subprocess
import sys

PROGRAM = """
import asyncio, gc, threading
from flows.servers.garbage import collect_in_a_thread

lock = threading.Lock()
collected = []


class WaitsForTheLock:
    def __init__(self):
        self.cycle = self

    def __del__(self):
        collected.append((threading.current_thread().name, lock.acquire(timeout=60)))


async def main():
    lock.acquire()
    WaitsForTheLock()
    filling = []
    while not collected and lock.locked():
        filling.append([{} for _ in range(2 * gc.get_threshold()[0])])
        await asyncio.sleep(0.05)
        if len(filling) == 10:
            lock.release()
    while not collected:
        await asyncio.sleep(0.05)


collect_in_a_thread()
asyncio.run(main())
print(collected, gc.isenabled())
"""


def test_an_event_loop_goes_on_while_garbage_waits_for_what_it_holds():
    completed = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300)
    assert completed.stdout.strip() == "[('garbage', True)] False", completed
