"""Files that stages on a lost host had in use, freed while the run goes on.

DVC's table of files in use names a process, and only its own host can tell whether that lives. Stages end with their
worker: once the last worker of a host is gone from the cluster, none of its stages runs, and those that Dask starts
again elsewhere would wait for ever.
"""

import socket
import threading
from pathlib import Path
from typing import Any

from flows.planning.dead_locks import drop_dead_locks, drop_locks_of_host

INTERVAL = 2.0  # seconds between two looks at the cluster


class LostHosts:
    """Looks at the workers of a cluster in a thread until `close`.

    Args:
        client: the client of the cluster.
        root: the checkout that its workers share.
    """

    def __init__(self, client: Any, root: str | Path):
        self._client, self._root = client, root
        self._hosts: dict[str, str] = {}  # the name of each worker's host, by the worker's address
        self._closing = threading.Event()
        self._look()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._closing.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._closing.wait(INTERVAL):
            try:
                self._look()
            except (OSError, TimeoutError):  # the scheduler is gone, and the run ends because of that
                return

    def _look(self) -> None:
        workers = set(self._client.scheduler_info(n_workers=-1)["workers"])
        if new := sorted(workers - self._hosts.keys()):
            names = self._client.run(socket.gethostname, workers=new, on_error="ignore")
            self._hosts |= {worker: name for worker, name in names.items() if isinstance(name, str)}
        lost = {self._hosts.pop(worker) for worker in self._hosts.keys() - workers} - set(self._hosts.values())
        for host in lost:
            if host == socket.gethostname():
                drop_dead_locks(self._root)
            else:
                drop_locks_of_host(self._root, host)
