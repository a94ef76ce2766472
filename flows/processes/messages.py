"""JSON messages over a stream socket, one a line; open files travel with the first.

Stream sockets, because on macOS no other local socket reports that its other end is gone.
"""

import json
import os
import socket
from collections.abc import Sequence
from typing import Any

CHUNK = 1 << 16  # bytes
MAX_FILES = 8
YES, NO = b"y", b"n"  # the flow's answers to a question of a stage; it sends nothing else


def send(connection: socket.socket, message: dict[str, Any], files: Sequence[int] = ()) -> None:
    """Send one message; the other process gets descriptors of its own for `files`.

    Raises:
        OSError: the other end is gone.
    """
    data = json.dumps(message).encode() + b"\n"
    sent = socket.send_fds(connection, [data], list(files)) if files else 0
    connection.sendall(data[sent:])


class Inbox:
    """Reads messages from a stream socket, which may deliver them in pieces."""

    def __init__(self, connection: socket.socket):
        self._connection = connection
        self._rest = b""
        self._files: list[int] = []

    def read(self) -> list[dict[str, Any]] | None:
        """Wait for the next piece: the messages that it completes (maybe none), or None when the other end is gone."""
        piece, files, _, _ = socket.recv_fds(self._connection, CHUNK, MAX_FILES)
        self._files += files
        if not piece:
            return None
        *lines, self._rest = (self._rest + piece).split(b"\n")
        return [json.loads(line) for line in lines]

    def next(self) -> tuple[dict[str, Any], list[int]] | None:
        """Wait for one message and its files, from a sender that waits for an answer before it sends another."""
        while (messages := self.read()) is not None:
            if messages:
                files, self._files = self._files, []
                return messages[0], files
        for file in self._files:
            os.close(file)
        return None
