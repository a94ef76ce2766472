"""The record and the output of each run of a stage, found by what dvc.lock says of the stage."""

import os
import subprocess
import time

import pytest
import yaml

from flows.planning import estimates
from flows.planning.dvc_graph import Stage
from flows.records import history
from tests.flows.conftest import stage


def commit(repository, message: str) -> None:
    for command in (["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", message]):
        subprocess.run(["git", *command], cwd=repository.root, check=True)


def test_the_log_of_a_run_is_found_by_the_lock_of_each_revision(offline):
    offline.stages({"a": stage("a", then="echo this is $(cat in.txt)"), "b": stage("b", after=("a",))})
    offline.flow()
    commit(offline, "first")
    offline.write("in.txt", "another\n")
    offline.flow()
    assert "this is another\n" in offline.flow("a", command="log")
    old = offline.flow("a", "--rev", "HEAD", command="log")
    assert "this is input\n" in old and old.startswith("# a, ") and "core-seconds, peak" in old
    assert "Git cannot show dvc.lock of gone" in offline.flow("a", "--rev", "gone", command="log", code=1)
    assert "dvc.lock has no stage 'c'" in offline.flow("c", command="log", code=1)


NAMES = ["a/b", "a:b", "a.b", "'q' r", "1", "n" * 140, "n" * 300]


def test_the_log_of_a_run_is_found_whatever_the_name_of_its_stage(offline):
    offline.stages({name: {"cmd": f"echo this is {number}"} for number, name in enumerate(NAMES)})
    offline.flow()
    for number, name in enumerate(NAMES):
        assert f"this is {number}\n" in offline.flow(name, command="log")
    assert "dvc.lock has no stage 'n'" in offline.flow("n", command="log", code=1)


def test_the_log_of_a_run_is_found_in_a_lock_with_datasets(offline):
    lock = offline.root / "dvc.lock"
    offline.stages({"a": stage("a", then="echo this is $(cat in.txt)")})
    offline.flow()
    data = {"name": "far", "type": "url", "url": "s3://far/away", "meta": {"isdir": True}, "files": []}
    lock.write_text(f"{lock.read_text()}datasets:\n{yaml.safe_dump([data])}")
    assert "this is input\n" in offline.flow("a", command="log")
    assert "dvc.lock has no stage 'far'" in offline.flow("far", command="log", code=1)


def test_a_run_from_the_run_cache_leaves_no_record_and_is_said_to_be_elsewhere(offline):
    offline.stages({"a": stage("a")})
    offline.dvc("repro", "-q")
    (offline.root / "dvc.lock").unlink()
    assert "1 ran" in offline.flow()
    assert list(history.runs(offline.root, "a")) == []
    assert "no run of a with the inputs" in offline.flow("a", command="log", code=1)


def test_the_next_run_knows_the_time_and_the_memory_of_the_last(offline):
    grow = 'python -c "block = bytearray(200_000_000); import time; time.sleep(2)"'
    offline.stages({"a": stage("a", then=grow)})
    offline.flow()
    (record,) = history.last_runs(offline.root)
    assert record["seconds"] > 2 and 200_000_000 < record["peak_bytes"] < 1_000_000_000
    plan = {"a": Stage("a", (), 1, 0, 0, None)}
    assert estimates.read(offline.root, "small", plan)["a"].seconds == pytest.approx(record["seconds"])
    assert estimates.with_memory(offline.root, plan)["a"].memory == record["peak_bytes"]
    assert "a" in offline.flow(command="cost")


def test_old_records_are_removed_but_the_last_of_each_stage(tmp_path, monkeypatch):
    usage: history.Usage = {"seconds": 1.0, "core_seconds": 1.0, "peak_bytes": 1}
    now = time.time()
    for age in (5, 4, 3, 2, 1):
        history.keep(tmp_path, "a", now - age * 1000, usage)
    paths = sorted(history.folder(tmp_path).glob("a/*.json"))
    for path, age in zip(paths, (5, 4, 3, 2, 1), strict=True):
        path.with_suffix(".log").write_text("x" * 1000)
        os.utime(path, (now - age * 1000, now - age * 1000))
    monkeypatch.setattr(history, "MAX_AGE", 3500)
    history.prune(tmp_path)
    assert sorted(history.folder(tmp_path).glob("a/*.json")) == paths[2:]
    monkeypatch.setattr(history, "MAX_BYTES", 0)
    history.prune(tmp_path)
    assert sorted(history.folder(tmp_path).glob("a/*")) == [paths[-1], paths[-1].with_suffix(".log")]
