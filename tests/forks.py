"""Processes that run `python -m MODULE`, started by forking one that has imported what others have written.

A new interpreter spends seconds on importing PyTorch, or Prefect and DVC, before it reads the first line of ours. Here
one server for all tests of a worker imports such libraries, and nothing of this project; each command is a fork of it,
with folder, environment, arguments and files as a new process would have them. What a new interpreter alone has, above
all a hash seed of its own, a fork has not.

The server is single-threaded. A request is one message over a socket that brings four descriptors: stdin, stdout,
stderr, and a pipe on which the pid of the command is told, and at the end its wait status. Between the server and a
command is a process that does nothing but wait for it.
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
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
NEW_MOUNTS, NEW_HOST_NAME = 0x00020000, 0x04000000  # of Linux's unshare
LENGTH = struct.Struct("!I")


class Forks:
    """A server that has imported some libraries; it starts with the first command and ends with this process.

    Args:
        libraries: to import.
        first: variables that they are to find when they are imported.
    """

    def __init__(self, libraries: Sequence[str], **first: str):
        self._libraries, self._first = libraries, {"OMP_NUM_THREADS": "1"} | first
        self._process: subprocess.Popen | None = None

    def start(
        self,
        folder: Path,
        module: str,
        *arguments: str,
        environment: dict[str, str],
        new_session: bool = False,
        elsewhere: Sequence[str] = (),
        output: int | None = None,
    ) -> "Command":
        """Start `python -m MODULE ARGUMENTS` in a folder, with its stdout and stderr in pipes.

        Args:
            environment: all its variables.
            new_session: it leads a session of its own.
            elsewhere: commands that change the host name and the mounts for it alone (Linux, root).
            output: a file for both stdout and stderr, in place of the pipes.
        """
        asked = {"folder": str(folder), "module": module, "arguments": arguments, "environment": environment}
        asked |= {"new_session": new_session, "elsewhere": elsewhere}
        message = json.dumps(asked).encode()
        server = self._server()
        told = os.pipe()
        pipes = [] if output is not None else [os.pipe(), os.pipe()]
        with open(os.devnull) as nothing:
            outputs = [writing for _, writing in pipes] or [output, output]
            socket.send_fds(server, [LENGTH.pack(len(message))], [nothing.fileno(), *outputs, told[1]])
        server.sendall(message)
        for _, writing in (told, *pipes):
            os.close(writing)
        return Command([module, *arguments], told[0], *(reading for reading, _ in pipes))

    def _server(self) -> socket.socket:
        if not self._process:
            self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, str(theirs.fileno()), *self._libraries],
                env=os.environ | self._first,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
            theirs.close()
            atexit.register(self._end)
        return self._socket

    def _end(self) -> None:
        self._socket.close()
        self._process.wait(60)


class Command:
    """A running command, with the part of `subprocess.Popen` that the tests use."""

    def __init__(self, args: list[str], told: int, out: int | None = None, errors: int | None = None):
        self.args = args
        self.returncode: int | None = None
        self._told = os.fdopen(told, "rb", buffering=0)
        self.stdout, self.stderr = (one if one is None else os.fdopen(one) for one in (out, errors))
        self.pid = self._read()

    def _read(self) -> int:
        line = self._told.read(LENGTH.size)
        assert len(line) == LENGTH.size, f"{self.args}: the process that it was to be forked from has ended"
        return LENGTH.unpack(line)[0]

    def poll(self) -> int | None:
        """The exit code, once it has ended."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._told, selectors.EVENT_READ)
            return self.wait() if self.returncode is not None or selector.select(0) else None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and return the exit code: of a killed one the signal's number, negative."""
        if self.returncode is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._told, selectors.EVENT_READ)
                if not selector.select(timeout):
                    raise subprocess.TimeoutExpired(self.args, timeout)
            self.returncode = os.waitstatus_to_exitcode(self._read())
            self._told.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end, and return what it printed on stdout and on stderr."""
        deadline = None if timeout is None else time.monotonic() + timeout
        said: dict[int, list[bytes]] = {self.stdout.fileno(): [], self.stderr.fileno(): []}
        with selectors.DefaultSelector() as selector:
            for descriptor in said:
                selector.register(descriptor, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(None if deadline is None else max(deadline - time.monotonic(), 0))
                if not ready:
                    raise subprocess.TimeoutExpired(self.args, timeout)
                for key, _ in ready:
                    chunk = os.read(key.fd, 1 << 16)
                    said[key.fd].append(chunk)
                    if not chunk:
                        selector.unregister(key.fd)
        self.wait(None if deadline is None else max(deadline - time.monotonic(), 0))
        out, errors = (b"".join(said[stream.fileno()]).decode() for stream in (self.stdout, self.stderr))
        self.stdout.close()
        self.stderr.close()
        return out, errors

    def send_signal(self, signum: int) -> None:
        """To the command alone; nothing when it has ended."""
        if self.poll() is None:
            os.kill(self.pid, signum)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _serve(requests: socket.socket, libraries: Sequence[str]) -> None:
    for library in libraries:
        __import__(library)
    while True:
        head, descriptors, _, _ = socket.recv_fds(requests, LENGTH.size, 4)
        if not head:
            return
        message = b""
        while left := LENGTH.unpack(head)[0] - len(message):
            message += requests.recv(left)
        if not os.fork():
            requests.close()
            _watch(json.loads(message), *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        while _reap():
            pass


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
    _serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2:])
