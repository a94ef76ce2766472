"""How `make test` deals out the tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOTES = """
import os, time
import pytest

@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("content", [str(time.time_ns()).encode()])  # as archives are: other bytes in each worker
def test_notes_its_process(number, content, request):
    time.sleep(0.05)
    with open("processes", "a") as file:
        print(request.path.relative_to(request.config.rootpath), os.environ["PYTEST_XDIST_WORKER"], file=file)
"""


@pytest.fixture
def dealt(tmp_path):
    """File -> the processes that ran its tests."""
    for name in ("pipeline/test_a", "pipeline/test_b", "test_c", "test_d"):
        file = tmp_path / "tests" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(NOTES)
    (tmp_path / "tests/conftest.py").write_text((ROOT / "tests/conftest.py").read_text())
    (tmp_path / "pytest.ini").touch()
    command = next(line for line in (ROOT / "Makefile").read_text().splitlines() if "-m pytest" in line)
    options = command.split(" -m pytest ")[1].replace("$(WORKERS)", "2").split()
    command = [sys.executable, "-m", "pytest", "-p", "xdist", *options]
    alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # plugins of other packages take a second to import
    process = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout
    processes = {}
    for line in (tmp_path / "processes").read_text().splitlines():
        file, number = line.split()
        processes.setdefault(file, set()).add(number)
    return processes


def test_a_file_stays_in_one_process_and_so_does_the_pipeline(dealt):
    assert len(dealt) == 4
    assert all(len(processes) == 1 for processes in dealt.values())
    assert dealt["tests/pipeline/test_a.py"] == dealt["tests/pipeline/test_b.py"]
    assert len(set().union(*dealt.values())) == 2
