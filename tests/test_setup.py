"""`make setup`: which Python it takes, and which build of PyTorch. A Python of the test says what it is asked for."""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parent.parent
CUDA, CPU = "requirements-torch.lock", "requirements-torch-cpu.lock"
# it makes a virtual environment of itself, writes what it is to install, and finds no file that is in $MISSING
PYTHON = """#!/bin/sh
case "$*" in
  "-m venv"*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  *"-r "*) for last; do :; done; echo "$last" >> "$ASKED"; case " $MISSING " in *" $last "*) exit 1 ;; esac ;;
esac
"""
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")


@pytest.fixture
def setup(tmp_path):
    """Run `make setup` on a machine of some kind; what was installed, in order, and what was printed."""

    def run(*arguments, system="Linux", gpu=False, missing=""):
        programs = tmp_path / "programs"
        programs.mkdir()
        texts = {"python3": PYTHON, "uname": f"echo {system}", "nvidia-smi": "echo GPU 0" if gpu else "exit 9"}
        for name, text in texts.items():
            (programs / name).write_text(text if text.startswith("#!") else f"#!/bin/sh\n{text}\n")
            (programs / name).chmod(0o755)
        command = ["make", "-s", "-f", str(ROOT / "Makefile"), "setup", f"VENV={tmp_path / 'venv'}", *arguments]
        asked = tmp_path / "asked"
        asked.touch()
        variables = {"PATH": f"{programs}:{os.environ['PATH']}", "ASKED": str(asked), "MISSING": missing}
        done = subprocess.run(
            [*command, f"DRIVER={tmp_path / 'driver'}"],
            cwd=ROOT,
            env=os.environ | variables,
            capture_output=True,
            text=True,
        )
        return asked.read_text().split()[1:], done

    return run


@pytest.mark.parametrize(
    ("arguments", "machine", "installed"),
    [
        ((), {}, [CPU]),
        ((), {"missing": CPU}, [CPU, CUDA]),
        ((), {"gpu": True}, [CUDA]),
        (("TORCH=cpu",), {"gpu": True}, [CPU]),
        (("TORCH=cuda",), {}, [CUDA]),
        ((), {"system": "Darwin"}, [CUDA]),
    ],
)
def test_the_build_of_pytorch_is_that_of_the_machine(setup, arguments, machine, installed):
    found, done = setup(*arguments, **machine)
    assert (found, done.returncode) == (installed, 0), done.stderr


def test_a_driver_without_its_tools_counts(setup, tmp_path):
    (tmp_path / "driver").mkdir()
    assert setup()[0] == [CUDA]


def test_the_cpu_build_that_was_asked_for_is_not_replaced_by_another(setup):
    found, done = setup("TORCH=cpu", missing=CPU)
    assert found == [CPU] and done.returncode != 0


def test_another_build_is_refused(setup):
    found, done = setup("TORCH=rocm")
    assert found == [] and done.returncode != 0 and "it should be cpu or cuda" in done.stdout


def test_only_pythons_that_every_library_has_a_wheel_for(tmp_path):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    allowed = SpecifierSet(project["requires-python"])
    assert [minor for minor in range(8, 16) if f"3.{minor}.1" in allowed] == [11, 12, 13]
    check = next(line for line in (ROOT / "Makefile").read_text().splitlines() if "sys.version_info <" in line)
    code = check.split("'", 1)[1].rsplit("'", 1)[0]
    for minor in (10, 11, 13, 14):
        fake = f"import sys; sys.version_info, sys.version = (3, {minor}, 1), '3.{minor}.1'; {code}"
        done = subprocess.run(["python3", "-c", fake], capture_output=True, text=True)
        assert (done.returncode == 0) == (f"3.{minor}.1" in allowed)
        assert done.returncode == 0 or "repline needs Python 3.11, 3.12 or 3.13" in done.stderr
