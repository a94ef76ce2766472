"""Threads and GPUs that the flows of a machine share."""

import os
import signal
import subprocess
import sys
from itertools import pairwise

import pytest

from flows.planning.machine import Machine
from tests.flows.conftest import CHECKOUT, Repository, stage, wait_until

HOLDER = """
import sys
from itertools import pairwise
from pathlib import Path
from flows.planning.machine import Machine
machine = Machine(["0", "1"], ["7"], Path(sys.argv[1]))
with machine.look() as free:
    machine.hold(free, int(sys.argv[2]), sys.argv[3].split())
print("holding", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def hold(tmp_path):
    """Start a process that holds some of a machine with two threads and a GPU."""
    started = []

    def hold(threads: int, gpus: str = "") -> subprocess.Popen:
        command = [sys.executable, "-c", HOLDER, str(tmp_path), str(threads), gpus]
        process = subprocess.Popen(command, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout.readline() == "holding\n"
        return process

    yield hold
    for process in started:
        process.kill()
        process.wait()


def test_what_another_process_holds_is_not_free_until_it_ends_even_by_a_kill(hold, tmp_path):
    machine = Machine(["0", "1"], ["7"], tmp_path)
    holder = hold(1, "7")
    with machine.look() as free:
        assert len(free.threads) == 1 and not free.gpus
        held = machine.hold(free, 1, [])
    with machine.look() as free:
        assert not free.threads
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with machine.look() as free:
        assert len(free.threads) == 1 and list(free.gpus) == ["7"]
    machine.give_back(held)
    with machine.look() as free:
        assert len(free.threads) == 2


def test_a_flow_that_waits_for_all_gets_its_turn(hold, tmp_path):
    holder = hold(1)
    waiting = Machine(["0", "1"], [], tmp_path)
    with waiting.look(idle=True) as free:
        assert len(free.threads) == 1  # it wants two
    latecomer = hold(1)  # finds nothing free, although a thread is: it is not its turn
    with waiting.look(idle=True) as free:
        assert len(free.threads) == 1
    for process in (holder, latecomer):
        process.kill()
        process.wait()
    with waiting.look(idle=True) as free:
        waiting.hold(free, 2, [])
    waiting.close()
    hold(2)
    with waiting.look() as free:
        assert not free.threads


def test_two_flows_of_two_checkouts_take_no_more_threads_than_there_are(tmp_path, environment, api):
    slots = {"FLOW_SLOTS": str(tmp_path / "slots"), "PREFECT_API_URL": api.url}
    wide = {"threads": len(os.sched_getaffinity(0))}
    repositories = [Repository(tmp_path / name, environment) for name in ("one", "two")]
    for repository in repositories:
        repository.stages({name: stage(name, 0.3, meta=wide) for name in "ab"})
    flows = [repository.start(**slots) for repository in repositories]
    printed = ["".join(process.communicate(timeout=120)) for process in flows]
    assert [process.returncode for process in flows] == [0, 0], printed
    spans = sorted(repository.span(name) for repository in repositories for name in "ab")
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_a_killed_flow_leaves_the_machine_to_the_others(tmp_path, environment, api):
    slots = {"FLOW_SLOTS": str(tmp_path / "slots"), "PREFECT_API_URL": api.url}
    wide = {"threads": len(os.sched_getaffinity(0))}
    killed, waiting = (Repository(tmp_path / name, environment) for name in ("one", "two"))
    killed.stages({"slow": stage("slow", then="echo $$ > times/pid && sleep 300", meta=wide)})
    waiting.stages({"a": stage("a", meta=wide)})
    first = killed.start(**slots)
    killed.wait_for("times/pid")
    second = waiting.start(**slots)
    lines = iter(second.stderr.readline, "")
    assert wait_until(lambda: "this one waits until they give some back" in next(lines))
    assert not waiting.exists("out/a")
    first.kill()
    assert "1 ran" in "".join(second.communicate(timeout=90))
    first.wait()


def test_a_folder_that_cannot_be_made_is_named(offline):
    offline.stages({"a": stage("a")})
    file = offline.write("file", "")
    for folder in (file, file / "below"):
        printed = offline.flow(code=1, FLOW_SLOTS=str(folder))
        assert f"{folder} (" in printed and "FLOW_SLOTS" in printed and "Traceback" not in printed
