"""A Dask scheduler and workers as processes of their own, each in its own folder and, where that can be, on a host."""

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import distributed
import psutil

from flows.servers import prefect_server
from tests.flows.conftest import CHECKOUT, FORKS, wait_until
from tests.forks import Command


@cache
def other_hosts() -> bool:
    """Whether a process may be given a host name and mounts of its own (Linux, root)."""
    if not shutil.which("unshare"):
        return False
    return subprocess.run(["unshare", "-um", "hostname", "elsewhere"], capture_output=True).returncode == 0


class Cluster:
    """Started without workers; `stop` ends what is left of it."""

    def __init__(self, folder: Path, environment: dict[str, str], security: distributed.Security | None = None):
        self.folder, self.security = folder, security
        # a worker does not know where the checkout is
        inherited = environment.get("PYTHONPATH", "").split(os.pathsep)
        path = os.pathsep.join(entry for entry in inherited if entry and entry != str(CHECKOUT))
        self.environment = environment | {"PYTHONPATH": path}
        self.environment = {name: value for name, value in self.environment.items() if name != "PREFECT_API_URL"}
        port = prefect_server._free_port(None)
        self.address = f"{'tls' if security else 'tcp'}://127.0.0.1:{port}"
        self.processes: dict[str, Command] = {}
        self._start("scheduler", "dask_scheduler", "--host", self.address, "--no-dashboard")

    def worker(self, name: str, *options: str, host: str = "", mounted: str = "", **environment: str) -> None:
        """Start a worker with one thread, and return when the scheduler knows it.

        Args:
            name: stages find it in the variable WORKER.
            options: of `dask worker`.
            host: its host name; needs `other_hosts()`.
            mounted: a command that runs before it and may change what it sees of the file system.
        """
        elsewhere = [command for command in (mounted, f"hostname {host}" if host else "") if command]
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", name, *options)
        self._start(name, "dask_worker", self.address, *options, elsewhere=elsewhere, WORKER=name, **environment)

    def workers(self) -> int:
        with distributed.Client(self.address, security=self.security, set_as_default=False, timeout=60) as client:
            return len(client.scheduler_info()["workers"])

    def wait_for_workers(self, count: int) -> None:
        wait_until(lambda: self.workers() == count)

    def kill(self, name: str) -> None:
        os.kill(self.pid(name), signal.SIGKILL)

    def pid(self, name: str) -> int:
        return self.processes[name].pid

    def stop(self) -> None:
        """The workers first: one that is to end when its scheduler has gone waits for it."""
        scheduler, *workers = self.processes.values()
        for ending in (workers, [scheduler]):
            children = [child for process in ending for child in _family(process.pid)]
            for child in children:
                with suppress(psutil.NoSuchProcess):  # it ended by itself
                    child.terminate()
            _, alive = psutil.wait_procs(children, timeout=2)
            for child in alive:
                with suppress(psutil.NoSuchProcess):
                    child.kill()
            for process in ending:
                process.wait(10)

    def _start(
        self, name: str, module: str, *arguments: str, elsewhere: Sequence[str] = (), **environment: str
    ) -> None:
        folder = self.folder / name
        folder.mkdir()
        module, environment = f"distributed.cli.{module}", self.environment | environment
        options = {"environment": environment, "new_session": True, "elsewhere": elsewhere, "spares": 1}
        with open(folder / "log", "wb") as log:
            self.processes[name] = FORKS.start(folder, module, *arguments, output=log.fileno(), **options)


def _family(pid: int) -> list[psutil.Process]:
    try:
        return [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
