"""Processes that run `python -m MODULE`, started by forking one that has imported what others have written.

A new interpreter spends seconds on importing PyTorch, or Prefect and DVC, before it reads the first line of ours. Here
a server for all processes of a test run imports such libraries, and nothing of this project; each command is a fork of
it, with folder, environment, arguments and files as a new process would have them. What a new interpreter alone has,
above all a hash seed of its own, a fork has not.

The server is `tests/fork_server.py`, which `tests/conftest.py` starts and which imports a library when the first
command needs it. A request is one message over a socket that brings files: a pipe on which the pid of the command is
told, and at the end its wait status, and then those of the command, stdin, stdout and stderr first.
"""

import json
import os
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
ADDRESS = "REPLINE_FORKS"  # the variable that says in which folder the sockets of the server are
LENGTH = struct.Struct("!I")
PROGRAM = """#!{python} -SE
import json, os, signal, socket, struct, sys
if sys.argv[1:2] != ["-m"]:
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
asked = {{"folder": os.getcwd(), "module": sys.argv[2], "arguments": sys.argv[3:], "environment": dict(os.environ)}}
asked["environment"]["FORKED_FOR_GROUP"] = str(os.getpgrp())
message = json.dumps(asked | {{"new_session": True, "tied": True, "numbers": [0, 1, 2]}}).encode()
reading, writing = os.pipe()
server = socket.socket(socket.AF_UNIX)  # open as long as this process lives
server.connect({address!r})
socket.send_fds(server, [struct.pack("!I", len(message))], [writing, 0, 1, 2])
server.sendall(message)
os.close(writing)
pid = struct.unpack("!I", os.read(reading, 4))[0]
for signum in (signal.SIGINT, signal.SIGTERM):
    signal.signal(signum, lambda number, _: os.kill(pid, number))
code = os.waitstatus_to_exitcode(struct.unpack("!I", os.read(reading, 4))[0])
if code < 0:
    signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
    os.kill(os.getpid(), -code)
sys.exit(code)
"""


def kinds() -> dict:
    """The servers: the stages' one has their libraries, the flows' Prefect and DVC, the modules' the ones of both."""
    from tests import fork_libraries

    modules = {"name": "modules", "libraries": fork_libraries.MODULES, "below": []}
    stages = {"name": "stages", "libraries": fork_libraries.STAGES, "below": [modules]}
    flows = {"name": "flows", "libraries": fork_libraries.FLOWS, "below": []}
    return {"name": None, "libraries": [], "below": [stages, flows]}


@contextmanager
def server() -> Iterator[None]:
    """Run the server until the end of the block; processes that are started in it find it in their environment."""
    folder = tempfile.mkdtemp(prefix="forks-")
    listeners = {name: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) for name in ("stages", "modules", "flows")}
    for name, listener in listeners.items():
        listener.bind(os.path.join(folder, name))
        listener.listen(128)
    descriptors = {name: listener.fileno() for name, listener in listeners.items()}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.fork_server", json.dumps(kinds()), json.dumps(descriptors)],
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PREFECT_HOME": folder},
        pass_fds=list(descriptors.values()),
        stdin=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the tests
    )
    for listener in listeners.values():
        listener.close()
    os.environ[ADDRESS] = folder
    try:
        yield
    finally:
        del os.environ[ADDRESS]
        process.stdin.close()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


class Forks:
    """Commands of one kind: see `kinds`."""

    def __init__(self, kind: str):
        self._kind = kind

    @property
    def address(self) -> str:
        return os.path.join(os.environ[ADDRESS], self._kind)

    def start(
        self,
        folder: Path,
        module: str,
        *arguments: str,
        environment: dict[str, str],
        stdin: int | None = None,
        output: int | None = None,
        merged: bool = False,
        **options: object,
    ) -> "Command":
        """Start `python -m MODULE ARGUMENTS` in a folder, with its stdout and stderr in pipes.

        Args:
            environment: all its variables.
            stdin: a file; without it there is nothing to read.
            output: a file for both stdout and stderr, in place of the pipes.
            merged: both come in one pipe, `stdout`.
            options: arguments of `tests.fork_command.run`.
        """
        request = {"folder": str(folder), "module": module, "arguments": arguments, "environment": environment}
        message = json.dumps(request | options | {"numbers": [0, 1, 2]}).encode()
        reports = os.pipe()
        pipes = [os.pipe() for _ in range(0 if output is not None else 1 if merged else 2)]
        with open(os.devnull) as nothing, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            outputs = [writing for _, writing in pipes] or [output]
            files = [reports[1], nothing.fileno() if stdin is None else stdin, outputs[0], outputs[-1]]
            client.connect(self.address)
            socket.send_fds(client, [LENGTH.pack(len(message))], files)
            client.sendall(message)
        for _, writing in (reports, *pipes):
            os.close(writing)
        return Command([module, *arguments], reports[0], *(reading for reading, _ in pipes))

    def interpreter(self, folder: Path) -> Path:
        """Write a program `python` whose `python -m MODULE ARGUMENTS` is a fork, for whoever starts it by its name."""
        path = folder / "python"
        path.write_text(PROGRAM.format(python=sys.executable, address=self.address))
        path.chmod(0o755)
        return path


class Command:
    """A running command, with the part of `subprocess.Popen` that the tests use."""

    def __init__(self, args: list[str], status: int, out: int | None = None, errors: int | None = None):
        self.args = args
        self.returncode: int | None = None
        self._status = os.fdopen(status, "rb", buffering=0)
        self.stdout, self.stderr = (number if number is None else os.fdopen(number) for number in (out, errors))
        self.pid = self._read()

    def _read(self) -> int:
        line = self._status.read(LENGTH.size)
        assert len(line) == LENGTH.size, f"{self.args}: the process that it was to be forked from has ended"
        return LENGTH.unpack(line)[0]

    def poll(self) -> int | None:
        """The exit code, once it has ended."""
        if self.returncode is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._status, selectors.EVENT_READ)
                return self.wait() if selector.select(0) else None
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and return the exit code: of a killed one the signal's number, negative."""
        if self.returncode is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._status, selectors.EVENT_READ)
                if not selector.select(timeout):
                    raise subprocess.TimeoutExpired(self.args, timeout)
            self.returncode = os.waitstatus_to_exitcode(self._read())
            self._status.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end, and return what it printed on stdout and on stderr."""
        deadline = None if timeout is None else time.monotonic() + timeout
        streams = [stream for stream in (self.stdout, self.stderr) if stream]
        printed: dict[int, list[bytes]] = {stream.fileno(): [] for stream in streams}
        with selectors.DefaultSelector() as selector:
            for descriptor in printed:
                selector.register(descriptor, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(None if deadline is None else max(deadline - time.monotonic(), 0))
                if not ready:
                    raise subprocess.TimeoutExpired(self.args, timeout)
                for key, _ in ready:
                    chunk = os.read(key.fd, 1 << 16)
                    printed[key.fd].append(chunk)
                    if not chunk:
                        selector.unregister(key.fd)
        self.wait(None if deadline is None else max(deadline - time.monotonic(), 0))
        texts = [b"".join(chunks).decode() for chunks in printed.values()]
        for stream in streams:
            stream.close()
        return texts[0], "".join(texts[1:])

    def send_signal(self, signum: int) -> None:
        """To the command alone; nothing when it has ended."""
        if self.poll() is None:
            os.kill(self.pid, signum)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)
