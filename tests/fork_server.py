"""The servers of `tests.forks`: single-threaded processes that import libraries and fork a command for each request.

The first process has imported nothing. It forks a server for a kind of command when the first of that kind is asked
for; a kind below another has what that one has imported, and more. All end when the pipe that is their stdin closes.
Nothing of this project is imported.
"""

import gc
import json
import os
import selectors
import signal
import socket
import struct
import sys
import traceback
import warnings
from contextlib import suppress

from tests.fork_command import place_files, run

LENGTH = struct.Struct("!I")
FILES = 16  # that a request can bring


class Server:
    """A process that has the libraries of a kind of command, and forks for every request.

    Args:
        kind: `name`, None for the first process; `libraries` to import; `below`, the kinds that have these and more.
        listeners: where the requests of a kind come in, this one's and those below.
    """

    def __init__(self, kind: dict, listeners: dict[str, socket.socket]):
        self._kind, self._listeners = kind, listeners
        self._told: dict[int, int] = {}  # pid of a command -> the pipe on which its end is told
        self._callers: dict[int, socket.socket] = {}  # pid of a command -> whose end is its end
        self._servers: list[int] = []  # of the kinds below
        gc.disable()
        for library in kind["libraries"]:
            __import__(library)
        gc.collect()
        gc.freeze()
        gc.enable()
        self._woken = os.pipe2(os.O_NONBLOCK) if hasattr(os, "pipe2") else os.pipe()
        os.set_blocking(self._woken[1], False)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the tests, and these then close our stdin
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._woken[1], warn_on_full_buffer=False)
        self._selector = selectors.DefaultSelector()
        for source, data in (
            (0, "end"),
            (self._woken[0], "child"),
            *((listener, name) for name, listener in listeners.items()),
        ):
            self._selector.register(source, selectors.EVENT_READ, data)

    def serve(self) -> None:
        """Until stdin is closed."""
        while True:
            for key, _ in self._selector.select():
                if key.data == "end":
                    self._end()
                elif key.data == "child":
                    os.read(self._woken[0], 1 << 12)
                elif isinstance(key.data, int):
                    self._kill(key.data)
                elif key.data == self._kind["name"]:
                    self._take(key.fileobj.accept()[0])
                else:
                    self._hand_on(next(lower for lower in self._kind["below"] if key.data in _names(lower)))
                    break
            self._reap()

    def _end(self) -> None:
        for server in self._servers:  # whose time counts as this process's
            with suppress(ChildProcessError):
                os.waitpid(server, 0)
        os._exit(0)  # to take all those modules down would last long

    def _leave(self) -> None:
        """Forget in a fork what is the server's alone."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._selector.close()
        for connection in (*self._listeners.values(), *self._callers.values()):
            connection.close()
        for descriptor in (*self._woken, *self._told.values()):
            os.close(descriptor)

    def _hand_on(self, kind: dict) -> None:
        """Fork the server of a kind, which takes the requests for it from now on."""
        listeners = {name: self._listeners.pop(name) for name in _names(kind)}
        server = os.fork()
        if not server:
            self._leave()
            Server(kind, listeners).serve()
        self._servers.append(server)
        for listener in listeners.values():
            self._selector.unregister(listener)
            listener.close()

    def _take(self, client: socket.socket) -> None:
        """Fork for the request of a client."""
        head, descriptors, _, _ = socket.recv_fds(client, LENGTH.size, FILES)
        message = b""
        while head and (left := LENGTH.unpack(head)[0] - len(message)):
            chunk = client.recv(left)
            head, message = head if chunk else b"", message + chunk  # without more, the client has died
        if not head:
            client.close()
            return
        request = json.loads(message)
        reports, *files = descriptors
        tied = request.pop("tied", False)
        command = os.fork()
        if not command:
            self._leave()
            client.close()
            os.close(reports)
            _run(request, files)
        for descriptor in files:
            os.close(descriptor)
        self._told[command] = reports
        if tied:
            self._callers[command] = client
            self._selector.register(client, selectors.EVENT_READ, command)
        else:
            client.close()
        _tell(reports, command)

    def _kill(self, command: int) -> None:
        """Kill a command whose caller has ended before it."""
        self._forget_caller(command)
        for kill in (os.kill, os.killpg):  # it may not lead a group of its own yet
            with suppress(ProcessLookupError):
                kill(command, signal.SIGKILL)

    def _forget_caller(self, command: int) -> None:
        if caller := self._callers.pop(command, None):
            self._selector.unregister(caller)
            caller.close()

    def _reap(self) -> None:
        """Report the commands that have ended."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                command, status = ended
                self._forget_caller(command)
                if command in self._told:
                    reports = self._told.pop(command)
                    _tell(reports, status)
                    os.close(reports)


def _names(kind: dict) -> list[str]:
    return [kind["name"], *(name for lower in kind["below"] for name in _names(lower))]


def _tell(reports: int, number: int) -> None:
    with suppress(BrokenPipeError):
        os.write(reports, LENGTH.pack(number))


def _run(request: dict, files: list[int]) -> None:
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        place_files(dict(zip(request.pop("numbers"), files, strict=True)))
        status = run(**request)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)  # to take all those modules down would last longer than most commands


if __name__ == "__main__":
    # Python 3.12 and later warn of jemalloc's thread, which is safe to fork
    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning, module="__main__")
    tree, descriptors_of_listeners = (json.loads(argument) for argument in sys.argv[1:])
    Server(tree, {name: socket.socket(fileno=number) for name, number in descriptors_of_listeners.items()}).serve()
