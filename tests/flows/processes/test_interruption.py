"""Ctrl-C, kills and a second flow: nothing stays behind, and the next run ends with the same bytes."""

import json
import os
import signal
import subprocess
import threading

import psutil
import pytest

from flows.planning import dead_locks
from flows.processes import stage as runner
from tests.flows.conftest import CHECKOUT, PATIENCE, PROJECT, Repository, after_import, stage, wait_until


def slow(**more) -> dict:
    """A stage that says its pid and, the first time, would take a minute."""
    return stage("slow", then="echo $$ > times/pid && { test -e quick || sleep 600; }", **more)


def start_slow(repository: Repository, **environment: str):
    repository.stages({"slow": slow(), "after": stage("after", after=("slow",)), "a": stage("a")})
    process = repository.start("--jobs", "2", **environment)
    pid = int(repository.wait_for("times/pid"))
    wait_until(lambda: repository.exists("dvc.lock") and "\n  a:\n" in repository.read("dvc.lock"))
    return process, pid


def gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def assert_finishes_with_the_same_bytes(repository: Repository) -> None:
    repository.write("quick", "")
    repository.flow()
    repository.assert_clean()
    assert repository.read("times/runs").split().count("a") == 1
    ours = {name: repository.read(name) for name in ("dvc.lock", "out/slow", "out/after", "out/a")}
    repository.dvc("repro", "-q", "--force")
    assert {name: repository.read(name) for name in ours} == ours


@pytest.mark.parametrize(("signum", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_an_interrupt_ends_the_stages_and_leaves_no_lock(repository, api, signum, code):
    process, pid = start_slow(repository)
    process.send_signal(signum)
    printed = "".join(process.communicate(timeout=PATIENCE))
    assert process.returncode == code and "stopped" in printed and "Traceback" not in printed, printed
    assert gone(pid)
    assert api.last_flow_run()["state_type"] == "CANCELLED"
    table = repository.root / ".dvc" / "tmp" / "rwlock"
    assert not any(json.loads(table.read_text()).values())
    assert "changed" in repository.dvc("status")
    assert_finishes_with_the_same_bytes(repository)


def test_a_stage_that_ignores_the_interrupt_is_killed(repository, tmp_path):
    path = after_import(tmp_path / "site", "flows.processes.stage", GRACE=0.5)
    repository.stages({"deaf": stage("deaf", then="trap '' INT TERM && echo $$ > times/pid && sleep 600")})
    process = repository.start(PYTHONPATH=path)
    pid = int(repository.wait_for("times/pid"))
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and gone(pid)


def test_a_stop_ends_no_stage_that_starts_after_it(monkeypatch):
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts tests with & ignores it
    before, after = (subprocess.Popen(["sleep", "600"], start_new_session=True) for _ in range(2))
    signal.signal(signal.SIGINT, heard)
    monkeypatch.setattr(runner, "_running", {"before": before.pid})
    monkeypatch.setattr(runner, "GRACE", 0.2)
    runner.stop()
    runner.resume()
    runner._running["after"] = after.pid
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join()
    assert before.wait(PATIENCE) < 0
    with pytest.raises(subprocess.TimeoutExpired):
        after.wait(0.5)
    after.kill()
    after.wait()


def test_killing_the_flow_takes_its_stages_and_its_server_along(offline):
    process, pid = start_slow(offline)
    children = psutil.Process(process.pid).children(recursive=True)
    assert pid in [child.pid for child in children]
    process.kill()
    process.communicate(timeout=PATIENCE)
    wait_until(lambda: all(gone(child.pid) for child in children))  # who adopts them may be slow to take note
    assert_finishes_with_the_same_bytes(offline)


@pytest.mark.parametrize(
    ("sent", "configured"),
    [(signal.SIGKILL, False), (signal.SIGINT, False), (signal.SIGKILL, True)],  # with a server a fork reads the plan
)
def test_a_stage_that_runs_before_the_plan_ends_with_the_flow(offline, request, sent, configured):
    server = {"PREFECT_API_URL": request.getfixturevalue("api").url} if configured else {}
    offline.write("pyproject.toml", f'{PROJECT}first = ["first"]\n')
    command = "echo $$ > pid && { test -e quick || sleep 600; } && echo 1 > code"
    offline.stages({"first": {"cmd": command, "outs": ["code"], "always_changed": True}, "a": stage("a", after=())})
    process = offline.start(**server)
    wait_until(lambda: offline.exists("pid") and offline.read("pid"))
    children = psutil.Process(process.pid).children(recursive=True)
    assert int(offline.read("pid")) in [child.pid for child in children]
    process.send_signal(sent)
    printed = "".join(process.communicate(timeout=PATIENCE))
    wait_until(lambda: all(gone(child.pid) for child in children))
    assert "Traceback" not in printed
    offline.write("quick", "")
    assert "everything is up to date" in offline.flow()


def test_killing_the_process_that_runs_dvc_fails_the_stage_and_ends_what_it_started(repository):
    process, pid = start_slow(repository)
    os.kill(psutil.Process(pid).ppid(), signal.SIGKILL)
    printed = "".join(process.communicate(timeout=PATIENCE))
    assert process.returncode == 1 and "slow was killed" in printed
    assert gone(pid)
    assert_finishes_with_the_same_bytes(repository)


def test_two_flows_at_the_same_time_run_each_stage_once(repository):
    matrix = stage("${item.name}", 0.1) | {"matrix": {"name": ["a", "b", "c"]}}
    repository.stages({"first": stage("first", 0.5), "many": matrix, "last": stage("last", after=("a", "first"))})
    flows = [repository.start("--jobs", "2") for _ in range(2)]
    for process in flows:
        printed = "".join(process.communicate(timeout=PATIENCE))
        assert process.returncode == 0, printed
    assert sorted(repository.read("times/runs").split()) == ["a", "b", "c", "first", "last"]
    repository.assert_clean()


def test_half_a_lock_table_and_entries_of_a_pid_that_is_another_process_now_are_dropped(offline):
    offline.stages({"a": stage("a")})
    offline.dvc("status")
    table = offline.write(".dvc/tmp/rwlock", '{"write": {"/some/whe')
    dead_locks.drop_dead_locks(offline.root)
    assert not table.exists()

    mine = {"pid": os.getpid(), "cmd": "dvc repro"}
    offline.write(".dvc/tmp/rwlock", json.dumps({"write": {"/x": mine}, "read": {"/y": [mine]}}))
    dead_locks.drop_dead_locks(offline.root)
    assert json.loads(table.read_text()) == {"write": {"/x": mine}, "read": {"/y": [mine]}}
    long_ago = psutil.Process().create_time() - 100
    os.utime(table, (long_ago, long_ago))
    dead_locks.drop_dead_locks(offline.root)
    assert json.loads(table.read_text()) == {"write": {}, "read": {}}


def test_an_interrupt_while_libraries_are_imported_is_a_word(offline, tmp_path):
    (tmp_path / "site/dvc").mkdir(parents=True)
    lines = ["import os, signal", "signal.signal(signal.SIGINT, signal.default_int_handler)"]
    (tmp_path / "site/dvc/__init__.py").write_text("\n".join([*lines, "os.kill(os.getpid(), signal.SIGINT)"]))
    printed = offline.flow(code=130, fresh=True, PYTHONPATH=f"{tmp_path / 'site'}{os.pathsep}{CHECKOUT}")
    assert printed == "python -m flows reproduce: interrupted\n"
