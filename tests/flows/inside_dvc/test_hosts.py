"""Whose locks are dead: a pid says it only on the host that wrote it."""

import json
import os
import subprocess

from flows.inside_dvc import hosts
from flows.planning import dead_locks
from tests.flows.conftest import PATIENCE, stage, wait_until


def dead_process() -> int:
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_only_the_locks_of_dead_processes_of_this_host_are_dropped(offline):
    offline.stages({"a": stage("a")})
    offline.dvc("status")
    command = "dvc repro --single-item a"
    here, there = hosts.on_this_host(command), f"{command} (on elsewhere)"
    write = {"/here": {"pid": dead_process(), "cmd": here}, "/there": {"pid": dead_process(), "cmd": there}}
    read = {"/alive": [{"pid": os.getpid(), "cmd": here}], "/both": [write["/here"], write["/there"]]}
    table = offline.write(".dvc/tmp/rwlock", json.dumps({"write": write, "read": read}))
    dead_locks.drop_dead_locks(offline.root)
    left = {"write": {"/there": write["/there"]}, "read": {"/alive": read["/alive"], "/both": [write["/there"]]}}
    assert json.loads(table.read_text()) == left


def test_a_stage_waits_for_a_process_of_another_host(repository):
    repository.stages({"a": stage("a")})
    repository.dvc("status")
    busy = {"pid": dead_process(), "cmd": "dvc repro --single-item a (on elsewhere)"}
    locked = {"write": {str(repository.root / "out" / "a"): busy}, "read": {}}
    table = repository.write(".dvc/tmp/rwlock", json.dumps(locked))
    flow = repository.start("--verbose")
    log = repository.root / "data/scratch/logs/a.log"
    wait_until(lambda: log.exists() and "waiting" in log.read_text())
    assert json.loads(table.read_text()) == locked and not repository.exists("out/a")
    table.write_text("{}")
    printed = "".join(flow.communicate(timeout=PATIENCE))
    assert flow.returncode == 0, printed
    repository.assert_clean()
