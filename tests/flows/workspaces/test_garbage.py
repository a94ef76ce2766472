"""`make gc` removes from DVC's cache what no workspace uses, and nothing that one does."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.flows.conftest import CHECKOUT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
LOCKS = ("set_up.sh", *(f"requirements{name}.lock" for name in ("", "-uv", "-torch-cpu", "-torch")))


def make_gc(project):
    """Run it with a virtual environment that is ready and has DVC alone."""
    for name in LOCKS:
        project.write(name, "")
    program = project.write(".venv/bin/dvc", f'#!/bin/sh\nexec {sys.executable} -m dvc "$@"\n')
    program.chmod(0o755)
    project.write(".venv/.ready", "")
    command = ["make", "-s", "-f", str(CHECKOUT / "Makefile"), "gc", "OPTIONS=--force"]
    process = subprocess.run(
        command, cwd=project.root, env=os.environ | project.environment, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stdout + process.stderr


def cached(project):
    """What the files in DVC's cache hold, without the lists of its run-cache."""
    files = (project.root / ".dvc/cache/files").rglob("*")
    return sorted(path.read_text().strip() for path in files if path.is_file())


def test_the_cached_results_of_workspaces_stay(offline):
    offline.write("params.yaml", "x: 1\n")
    offline.stages({"a": {"cmd": "echo ${x} > a", "params": ["x"], "outs": ["a"]}})
    offline.flow()
    make_gc(offline)  # there is no workspace yet
    offline.flow("-S", "x=2")
    offline.flow("-S", "x=3")
    offline.write("params.yaml", "x: 4\n")
    offline.flow()
    assert cached(offline) == ["1", "2", "3", "4"]
    make_gc(offline)
    assert cached(offline) == ["2", "3", "4"]
