"""The servers of `tests.forks`: single-threaded processes that import libraries and fork a command for each request.

The first process has imported nothing. It forks a server for a kind of command when the first of that kind is asked
for; a kind below another has what that one has imported, and more. All end when the pipe that is their stdin closes.
Between a server and a command is a process that does nothing but wait for it. Nothing of this project is imported.
"""

import gc
import json
import os
import select
import selectors
import signal
import socket
import struct
import sys
import traceback
from contextlib import suppress

from tests.fork_command import place_files, run

LENGTH = struct.Struct("!I")
FILES = 16  # that a request can bring


def serve(kind: dict, listeners: dict[str, socket.socket]) -> None:
    """Import what a kind of command needs; then fork for every request, and a server for every kind below it.

    Args:
        kind: `name`, None for the first process; `libraries` to import; `below`, the kinds that have these and more.
        listeners: where the requests of a kind come in, this one's and those below.
    """
    for library in kind["libraries"]:
        __import__(library)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the tests, and these then close our stdin
    servers: list[int] = []  # of the kinds below
    with selectors.DefaultSelector() as selector:
        selector.register(0, selectors.EVENT_READ)
        for name, listener in listeners.items():
            selector.register(listener, selectors.EVENT_READ, name)
        while True:
            for key, _ in selector.select():
                if key.fileobj == 0:
                    for server in servers:  # whose time counts as this process's
                        with suppress(ChildProcessError):
                            os.waitpid(server, 0)
                    os._exit(0)  # to take all those modules down would last long
                elif key.data == kind["name"]:
                    with key.fileobj.accept()[0] as client:
                        _take(client, selector, listeners)
                else:
                    below = next(lower for lower in kind["below"] if key.data in _names(lower))
                    servers.append(_hand_on(below, selector, listeners))
                    break
            while _reap():
                pass


def _names(kind: dict) -> list[str]:
    return [kind["name"], *(name for lower in kind["below"] for name in _names(lower))]


def _hand_on(kind: dict, selector: selectors.BaseSelector, listeners: dict[str, socket.socket]) -> int:
    """Fork the server of a kind, which takes the requests for it from now on; its pid."""
    theirs = {name: listeners.pop(name) for name in _names(kind)}
    server = os.fork()
    if not server:
        selector.close()
        for listener in listeners.values():
            listener.close()
        serve(kind, theirs)
    for listener in theirs.values():
        selector.unregister(listener)
        listener.close()
    return server


def _take(client: socket.socket, selector: selectors.BaseSelector, listeners: dict[str, socket.socket]) -> None:
    """Fork for the request of a client."""
    head, descriptors, _, _ = socket.recv_fds(client, LENGTH.size, FILES)
    message = b""
    while head and (left := LENGTH.unpack(head)[0] - len(message)):
        chunk = client.recv(left)
        head, message = head if chunk else b"", message + chunk  # without more, the client has died
    if head and not os.fork():
        selector.close()
        for connection in (client, *listeners.values()):
            connection.close()
        _watch(json.loads(message), *descriptors)
    for descriptor in descriptors:
        os.close(descriptor)


def _reap() -> bool:
    """Whether one more of the processes that wait for commands has ended."""
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _watch(asked: dict, told: int, *descriptors: int) -> None:
    """Fork the command, tell of its pid and, at its end, of its wait status, and leave."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tied = asked.pop("tied", False)
    command = os.fork()
    if not command:
        os.close(told)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        status = 1
        try:
            place_files(dict(zip(asked.pop("numbers"), descriptors, strict=True)))
            status = run(**asked)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)  # to take all those modules down would last longer than most commands
    for descriptor in descriptors:
        os.close(descriptor)
    for descriptor in (0, 1, 2):  # whoever reads what the server prints does not wait for us
        os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    with suppress(BrokenPipeError):
        os.write(told, LENGTH.pack(command))
        if tied:
            _end_with_its_caller(command, told)
        os.write(told, LENGTH.pack(os.waitpid(command, 0)[1]))
    os._exit(0)


def _end_with_its_caller(command: int, told: int) -> None:
    """Return when the command has ended; kill it when nobody waits for that any more (Linux)."""
    if not hasattr(os, "pidfd_open"):
        return
    ended = os.pidfd_open(command)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(told, 0)  # an error, when its other end is closed
    if ended not in [descriptor for descriptor, _ in poll.poll()]:
        os.kill(command, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.killpg(command, signal.SIGKILL)


if __name__ == "__main__":
    tree, descriptors_of_listeners = (json.loads(argument) for argument in sys.argv[1:])
    serve(tree, {name: socket.socket(fileno=number) for name, number in descriptors_of_listeners.items()})
