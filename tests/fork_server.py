"""The server of `tests.forks`: a single-threaded process that imports libraries and forks a command for each request.

Between the server and a command is a process that does nothing but wait for it. Nothing of this project is imported.
"""

import atexit
import ctypes
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import runpy
import selectors
import signal
import socket
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Sequence
from types import ModuleType

NEW_MOUNTS, NEW_HOST_NAME = 0x00020000, 0x04000000  # of Linux's unshare
LENGTH = struct.Struct("!I")


def _serve(requests: socket.socket, others: socket.socket, libraries: Sequence[str]) -> None:
    """Fork for every request of the tests, and of the programs `python`, until the tests end."""
    for library in libraries:
        __import__(library)
    with selectors.DefaultSelector() as selector:
        selector.register(requests, selectors.EVENT_READ)
        selector.register(others, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is others:
                    with others.accept()[0] as one:
                        _take(one, requests, others)
                elif not _take(requests, requests, others):
                    return
            while _reap():
                pass


def _take(sender: socket.socket, *ours: socket.socket) -> bool:
    """Fork for the next request of a sender; False when there is none."""
    head, descriptors, _, _ = socket.recv_fds(sender, LENGTH.size, 4)
    if not head:
        return False
    message = b""
    while left := LENGTH.unpack(head)[0] - len(message):
        message += sender.recv(left)
    if not os.fork():
        for one in {sender, *ours}:
            one.close()
        _watch(json.loads(message), *descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    return True


def _reap() -> bool:
    """Whether one more of the processes that wait for commands has ended."""
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _watch(asked: dict, stdin: int, stdout: int, stderr: int, told: int) -> None:
    """Fork the command, tell of it, and leave."""
    command = os.fork()
    if not command:
        os.close(told)
        for number, descriptor in enumerate((stdin, stdout, stderr)):
            os.dup2(descriptor, number)
            os.close(descriptor)
        status = _run(**asked)
        os._exit(status)  # to take all those modules down would last longer than most commands
    for descriptor in (stdin, stdout, stderr):
        os.close(descriptor)
    for descriptor in (0, 1, 2):  # whoever reads what the server prints does not wait for us
        os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    os.write(told, LENGTH.pack(command))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.write(told, LENGTH.pack(os.waitpid(command, 0)[1]))
    os._exit(0)


def _run(
    folder: str,
    module: str,
    arguments: list[str],
    environment: dict[str, str],
    new_session: bool,
    elsewhere: list[str],
) -> int:
    """Run the module in this process to its very end, and return its exit status."""
    if new_session:
        os.setsid()
    if elsewhere:
        _move(elsewhere)
    sys.path[:] = [entry for entry in sys.path if entry not in os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = [folder, *environment.get("PYTHONPATH", "").split(os.pathsep)]
    sys.argv = ["-m", *arguments]
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    sys.meta_path.insert(0, _PrefectAnew())
    if "dask" in sys.modules:
        sys.modules["dask"].config.refresh()
    status = _exit_status(module)
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def _move(commands: list[str]) -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_MOUNTS | NEW_HOST_NAME):
        raise OSError(ctypes.get_errno(), "unshare")
    for command in ("mount --make-rprivate /", *commands):
        subprocess.run(command, shell=True, check=True)


class _PrefectAnew(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Importing Prefect reads the environment: so does importing the one that the server imported."""

    def __init__(self) -> None:
        self._module = sys.modules.pop("prefect", None)

    def find_spec(self, name: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name != "prefect" or not self._module:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        self._spec = self._module.__spec__
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__, module.__loader__ = self._spec, self._spec.loader

        from prefect.context import refresh_global_settings_context
        from prefect.logging.configuration import setup_logging

        refresh_global_settings_context()
        setup_logging(incremental=False)


def _exit_status(module: str) -> int:
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    _serve(*(socket.socket(fileno=int(number)) for number in sys.argv[1:3]), sys.argv[3:])
