"""Lines of what a stage prints."""

import os
import socket

import pytest

from flows.processes import messages, stage
from flows.processes.lines import LONGEST_LINE, MAX_BYTES, Lines
from flows.records import logs


def all_lines(*pieces: bytes) -> list[str]:
    lines = Lines()
    return [line for piece in pieces for line in lines.add(piece)] + list(lines.end())


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        ([b"a\nb\n\n", b"c"], ["a", "b", "c"]),
        ([b"ha", b"lf\nwho", b"le\n"], ["half", "whole"]),
        ([b"a\r\nb\r", b"\nc\r\n"], ["a", "b", "c"]),  # lines of Windows
        ([b"  1%\r", b" 20%\r 30%", b"\r100%\nend\n"], ["100%", "end"]),  # a progress bar
        ([b"\r\r\r" * 9999, b"\r" * 9999 + b"a\n"], ["a"]),
        ([b"\xc3", b"\xbc\xff\n"], ["ü�"]),
    ],
)
def test_lines_end_where_they_end_and_not_where_the_output_is_cut(pieces, shown):
    assert all_lines(*pieces) == shown


def test_a_line_without_an_end_is_cut_and_takes_no_more_memory_than_a_long_line():
    lines, zeros = Lines(), bytes(1 << 16)
    for _ in range(1000):
        assert not list(lines.add(zeros))
        assert len(lines._rest) <= MAX_BYTES
    assert [len(line) for line in lines.add(b"\nnext\n")] == [LONGEST_LINE, len("next")]


def test_a_daemon_that_writes_on_does_not_keep_a_stage_that_has_ended(tmp_path):
    flow, child = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    reading, writing = os.pipe()
    lines: list[str] = []

    def log(line: str) -> None:
        lines.append(line)
        assert len(lines) < 9
        os.write(writing, b"from the daemon\n")  # there is more whenever something was read

    os.write(writing, b"from the stage\n")
    messages.send(child, {"outcome": "ran", "usage": None})
    with flow, child, open(reading, "rb", buffering=0) as output, logs.Log(tmp_path / "log") as whole:
        ended = stage._follow("a", flow, output, log, lambda _: False, whole, stage._Deadline(None))
    os.close(writing)
    assert ended == ("ran", None) and lines[0] == "from the stage"
