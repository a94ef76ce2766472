"""What a stage's run record says of its cost, and the table of the systems."""

import json
import shlex
import subprocess
import sys

import pytest

from flows import cost

STAGE = """
import time
from repline.corpora.ordered_map import pool
from stages import run

def work(seconds: float) -> int:
    block = bytearray(150_000_000)
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return len(block)

def main():
    work(0.3)
    with pool({processes}) as (executor, _, _):
        if executor:
            assert executor.submit(work, 0.7).result() == 150_000_000

if __name__ == "__main__":
    run(main)
"""


@pytest.mark.parametrize(("processes", "least"), [(1, 0.3), (2, 1.0)])
def test_the_run_record_counts_cores_and_memory_with_those_of_worker_processes(tmp_path, environment, processes, least):
    (tmp_path / "burn.py").write_text(STAGE.format(processes=processes))
    # through a shell: a program that a large process starts inherits its peak of memory, and the tests' grows
    command = ["sh", "-c", f"{shlex.quote(sys.executable)} -m burn; exit $?"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, timeout=90)
    (path,) = (tmp_path / "data/scratch/runs").glob("*.json")
    record = json.loads(path.read_text())
    assert least <= record["core_seconds"] < least + 20 and record["core_seconds"] != record["seconds"]
    assert 150_000_000 < record["peak_bytes"] < 1_000_000_000


def record(stage: str, core_seconds: float, peak_bytes: int) -> dict:
    return {"stage": stage, "seconds": 1.0, "core_seconds": core_seconds, "peak_bytes": peak_bytes}


def test_the_table_has_a_line_for_each_system_and_a_total(repository):
    records = [
        record("stages/toy/dvc.yaml:train@a", 70.0, 1 << 30),
        record("stages/toy/dvc.yaml:evaluate", 5.5, 1 << 29),
        record("stages.toy.train-b", 10.0, 1 << 28),
        record("stages/other/dvc.yaml:write", 100.0, 3 << 29),
        record("acquire@news", 1.0, 1 << 20),
        record("train-model", 0.2, 1 << 20),
        record("train-tokenizer", 0.1, 1 << 20),
        {"stage": "stages/old/dvc.yaml:train", "seconds": 4.0},
    ]
    for number, entry in enumerate(records):
        repository.write(f"data/scratch/runs/{number}.json", json.dumps(entry))
    printed = repository.flow(command="cost").splitlines()
    assert [line.split() for line in printed[1:]] == [
        ["other", "1", "100.0", "1.50", "GiB"],
        ["toy", "3", "85.5", "1.00", "GiB"],
        ["acquire", "1", "1.0", "0.00", "GiB"],
        ["train-model", "1", "0.2", "0.00", "GiB"],
        ["train-tokenizer", "1", "0.1", "0.00", "GiB"],
        ["total", "7", "186.8", "1.50", "GiB"],
    ]
    repository.write("profiles/tiny.yaml", "{}")
    assert "no stage of profile tiny has run here yet" in repository.flow("--profile", "tiny", command="cost")
    assert "there is no profile 'huge'" in repository.flow("--profile", "huge", command="cost", code=1)


@pytest.mark.parametrize(
    ("stage", "system"),
    [
        ("stages/urn/dvc.yaml:train@dyck", "urn"),
        ("stages.urn.train-dyck", "urn"),
        ("stages.report", "report"),
        ("acquire@glove_6b_50d", "acquire"),
        ("report", "report"),
        ("train-model", "train-model"),
        ("train-model@a.b-c", "train-model"),
        ("train-model@data/a.csv", "train-model"),
        ("dvc.yaml:train-model@a.dvc", "train-model"),
    ],
)
def test_a_stage_belongs_to_the_folder_it_lies_in(stage, system):
    assert cost.system(stage) == system
