"""Forks in place of the new interpreters that a command starts itself, such as a flow its Prefect server.

Each is a child of the command, forked before it has any thread. It waits until the command starts `python -m MODULE`
by `subprocess.Popen`, becomes that process, with the folder, environment, files and session that were asked for, and
leaves unused when the command ends. Once all are taken, a command starts new interpreters.
"""

import fcntl
import inspect
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import traceback
from typing import Any

from tests.fork_command import BEYOND, place_files, run

LENGTH = struct.Struct("!I")
FILES = 16
SPARES_OF = {"prefect.engine": 1}  # of a spare that runs this module

_execute_child = subprocess.Popen._execute_child
_spares: list["_Spare"] = []


def take_the_place_of_new_interpreters(count: int) -> None:
    """From now on the first `count` commands that this process starts as `python -m MODULE` are forks of it."""
    _spares[:] = []
    for _ in range(count):
        _spares.append(_Spare())
    subprocess.Popen._execute_child = _fork_or_execute


class _Spare:
    """A process that waits for what it is to run."""

    def __init__(self) -> None:
        self.asking, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            self.pid = os.fork()
            if self.pid == 0:
                for spare in (self, *_spares):
                    spare.asking.close()
                _wait(theirs)

    def become(self, request: dict[str, Any], descriptors: list[int]) -> None:
        with self.asking:
            message = json.dumps(request).encode()
            socket.send_fds(self.asking, [LENGTH.pack(len(message))], descriptors)
            self.asking.sendall(message)


def _wait(asking: socket.socket) -> None:
    """Wait for a request, run its command, and exit."""
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, signal.SIG_IGN)
    for number in (0, 1, 2):  # whoever reads what the command prints does not wait for us
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    descriptor = fcntl.fcntl(asking.fileno(), fcntl.F_DUPFD_CLOEXEC, BEYOND)  # out of the way of files that come
    asking.close()
    with socket.socket(fileno=descriptor) as inbox:
        head, descriptors, _, _ = socket.recv_fds(inbox, LENGTH.size, FILES)
        if not head:
            os._exit(0)
        message = b""
        while left := LENGTH.unpack(head)[0] - len(message):
            chunk = inbox.recv(left)
            if not chunk:
                os._exit(0)
            message += chunk
    request = json.loads(message)
    status = 1
    try:
        place_files(dict(zip(request.pop("numbers"), descriptors, strict=True)))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        status = run(**request, spares=SPARES_OF.get(request["module"], 0))
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _fork_or_execute(process: subprocess.Popen, *arguments: Any) -> None:
    """Do what `Popen._execute_child` does; a fork for `python -m MODULE` with nothing special about it."""
    options = inspect.signature(_execute_child).bind(process, *arguments).arguments
    line = options["args"]
    is_module = isinstance(line, list | tuple) and list(line[:2]) == [sys.executable, "-m"]
    if not is_module or not _spares or options["shell"] or options["preexec_fn"]:
        return _execute_child(process, *arguments)
    spare = _spares.pop()
    ends = [options["p2cread"], options["c2pwrite"], options["errwrite"]]
    files = {number: end if end != -1 else number for number, end in enumerate(ends)}
    files |= {number: number for number in options["pass_fds"]}
    request = {
        "folder": os.fspath(options["cwd"] or os.getcwd()),
        "module": line[2],
        "arguments": list(line[3:]),
        "environment": dict(os.environ if options["env"] is None else options["env"]),
        "new_session": options["start_new_session"],
        "numbers": list(files),
    }
    spare.become(request, list(files.values()))
    process.pid, process._child_created = spare.pid, True
    process._close_pipe_fds(
        *(options[name] for name in ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite"))
    )
