"""Processes that run `python -m MODULE`, started by forking one that has imported what others have written.

A new interpreter spends seconds on importing PyTorch, or Prefect and DVC, before it reads the first line of ours. Here
one server for all tests of a worker imports such libraries, and nothing of this project; each command is a fork of it,
with folder, environment, arguments and files as a new process would have them. What a new interpreter alone has, above
all a hash seed of its own, a fork has not.

The server is `tests/fork_server.py`. A request is one message over a socket that brings four descriptors: stdin,
stdout, stderr, and a pipe on which the pid of the command is told, and at the end its wait status.
"""

import atexit
import json
import os
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

SERVER = Path(__file__).with_name("fork_server.py")
LENGTH = struct.Struct("!I")
PROGRAM = """#!{python} -SE
import json, os, socket, struct, sys
if sys.argv[1:2] != ["-m"]:
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
asked = {{"folder": os.getcwd(), "module": sys.argv[2], "arguments": sys.argv[3:], "environment": dict(os.environ)}}
message = json.dumps(asked | {{"new_session": False, "elsewhere": []}}).encode()
reading, writing = os.pipe()
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    socket.send_fds(server, [struct.pack("!I", len(message))], [0, 1, 2, writing])
    server.sendall(message)
os.close(writing)
os.read(reading, 4)
sys.exit(os.waitstatus_to_exitcode(struct.unpack("!I", os.read(reading, 4))[0]) % 256)
"""


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

    def interpreter(self, folder: Path) -> Path:
        """Write a program `python` whose `python -m MODULE ARGUMENTS` is a fork, for whoever starts it by its name."""
        self._server()
        path = folder / "python"
        path.write_text(PROGRAM.format(python=sys.executable, address=self._address))
        path.chmod(0o755)
        return path

    def _server(self) -> socket.socket:
        if not self._process:
            self._folder = tempfile.TemporaryDirectory(prefix="forks-")
            self._address = os.path.join(self._folder.name, "socket")
            self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            with theirs, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as others:
                others.bind(self._address)
                others.listen()
                sockets = [theirs.fileno(), others.fileno()]
                self._process = subprocess.Popen(
                    [
                        sys.executable,
                        "-P",
                        str(SERVER),
                        *map(str, sockets),
                        *self._libraries,
                    ],
                    env=os.environ | self._first,
                    pass_fds=sockets,
                    stdin=subprocess.DEVNULL,
                )
            atexit.register(self._end)
        return self._socket

    def _end(self) -> None:
        self._process.kill()  # it holds nothing, and to take all those modules down would last long
        self._process.wait()
        self._socket.close()
        self._folder.cleanup()


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
        if self.returncode is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._told, selectors.EVENT_READ)
                return self.wait() if selector.select(0) else None
        return self.returncode

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
