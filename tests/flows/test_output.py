"""What a run prints when nobody reads it."""

import os
import subprocess
import sys

import pytest

from tests.flows.conftest import PATIENCE, stage

FLOWS = f"{sys.executable} -P -m flows"


@pytest.mark.parametrize("arguments", [(), ("--verbose",)])
def test_a_run_goes_on_when_nobody_reads_any_more(offline, arguments):
    offline.stages({"a": stage("a", then="echo printed"), "b": stage("b", after=("a",))})
    reading, writing = os.pipe()
    os.close(reading)
    process = offline.start(*arguments, output=writing)
    os.close(writing)
    assert process.wait(PATIENCE) == 0
    offline.assert_clean()


def in_a_shell(repository, command: str) -> tuple[int, str]:
    """The exit code of a command line, and what it left on stderr."""
    done = subprocess.run(
        command, shell=True, cwd=repository.root, env=repository.environment, capture_output=True, timeout=PATIENCE
    )
    return done.returncode, done.stderr.decode()


def test_an_answer_that_nobody_reads_is_no_error(offline):
    offline.stages({"a": stage("a")})
    for command in ("explain a", "reproduce --dry", "cost"):
        assert in_a_shell(offline, f"{FLOWS} {command} | true") == (0, "")


def test_a_run_needs_no_open_streams(offline):
    offline.stages({"a": stage("a")})
    assert in_a_shell(offline, f"{FLOWS} reproduce <&- >&- 2>&-") == (0, "")
    assert offline.read("out/a") == "a\n"
    offline.assert_clean()
