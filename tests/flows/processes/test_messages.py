"""Messages arrive whole and with their files, however the stream cuts them."""

import os
import socket
import threading

import pytest

from flows.processes import messages


@pytest.fixture
def pair():
    first, second = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with first, second:
        yield first, second


def test_messages_are_cut_at_their_ends_and_not_where_the_stream_is(pair):
    sender, receiver = pair
    inbox = messages.Inbox(receiver)
    sender.sendall(b'{"pid": 1')
    assert inbox.read() == []
    sender.sendall(b'2}\n{"outcome": "ran"}\n{"ha')
    assert inbox.read() == [{"pid": 12}, {"outcome": "ran"}]
    sender.close()
    assert inbox.read() is None


def test_a_message_longer_than_any_buffer_brings_its_files(pair):
    sender, receiver = pair
    reading, writing = os.pipe()
    long = {"environment": "x" * (3 * messages.CHUNK + 5)}
    thread = threading.Thread(target=messages.send, args=(sender, long, [writing]))
    thread.start()
    message, files = messages.Inbox(receiver).next()
    thread.join()
    os.close(writing)
    assert message == long and len(files) == 1
    os.write(files[0], b"through it")
    os.close(files[0])
    assert os.read(reading, 100) == b"through it"
    assert os.read(reading, 1) == b""  # nobody else holds its other end
    os.close(reading)


def test_files_of_a_message_whose_sender_died_are_closed(pair):
    sender, receiver = pair
    reading, writing = os.pipe()
    socket.send_fds(sender, [b'{"half'], [writing])
    os.close(writing)
    sender.close()
    assert messages.Inbox(receiver).next() is None
    assert os.read(reading, 1) == b""
    os.close(reading)


def test_sending_to_a_process_that_is_gone_is_an_error(pair):
    sender, receiver = pair
    receiver.close()
    with pytest.raises(OSError):
        messages.send(sender, {"root": "."})
