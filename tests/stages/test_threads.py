"""A stage computes with the threads its `meta` names, so that stages side by side do not take each other's cores."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import stages

ROOT = Path(stages.__file__).parent.parent
POOLS = """
import json, os, stages, numpy, scipy.linalg, torch, threadpoolctl
pools = [pool["num_threads"] for pool in threadpoolctl.threadpool_info()]
print(json.dumps([os.environ["OMP_NUM_THREADS"], pools, torch.get_num_threads()]))
"""


def _pools(**environment):
    inherited = {key: value for key, value in os.environ.items() if not key.endswith("_NUM_THREADS")}
    run = [sys.executable, "-c", POOLS]
    printed = subprocess.run(run, cwd=ROOT, env=inherited | environment, capture_output=True, text=True, check=True)
    return json.loads(printed.stdout)


@pytest.mark.parametrize("environment", [{}, {"OMP_NUM_THREADS": "2", "DVC_STAGE": "stages/usif/dvc.yaml:train"}])
def test_every_library_takes_one_thread_in_a_stage_of_one(environment):
    omp_threads, pools, torch = _pools(DVC_ROOT=str(ROOT), **environment)
    assert (omp_threads, torch) == ("1", 1)
    assert pools and set(pools) == {1}


def test_a_stage_of_two_threads_has_two(tmp_path):
    (tmp_path / "dvc.yaml").write_text("stages: {annotate: {meta: {threads: 2}}}")
    omp_threads, pools, _ = _pools(DVC_ROOT=str(tmp_path), DVC_STAGE="dvc.yaml:annotate")
    assert omp_threads == "2"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert set(pools) <= {2, min(2, cores)}  # some libraries take no more threads than there are cores for the process
