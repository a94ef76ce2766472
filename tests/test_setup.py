"""`make setup`: which Python it takes, uv or pip, and which build of PyTorch.

A Python of the test says what it is asked for, and so does the uv that it installs.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parent.parent
ALL, UV, CUDA, CPU = (f"requirements{name}.lock" for name in ("", "-uv", "-torch", "-torch-cpu"))
# it makes a virtual environment of itself and writes what it is to install, by which program; $MISSING names what is
# not to be had
PYTHON = """#!/bin/sh
for last; do :; done
case "$*" in
  "-m venv"*)
    [ "$4" != --clear ] || rm -r "$3"
    mkdir -p "$3/bin"
    [ -e "$3/bin/python" ] || { cp "$0" "$3/bin/python" && cp "$0.version" "$3/bin/python.version"; }
    exit ;;
  *"version_info[:2]"*) cat "$0.version"; exit ;;
  *"config list") echo "global.index-url='$INDEX'"; exit ;;
  *"-r "*) ;;
  *) exit ;;
esac
program=${0##*/}
[ "$program" = uv ] && program="uv $UV_DEFAULT_INDEX"
echo "$program $last" >> "$ASKED"
case " $MISSING " in *" $last "*) exit 1 ;; esac
[ "$last" != requirements-uv.lock ] || cp "$0" "${0%/*}/uv"
"""
MAKEFILE = ROOT / "Makefile"
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")


@pytest.fixture
def setup(tmp_path):
    """Run `make setup` on a machine of some kind; (program, lock file) of all it installs, and the process.

    It has Python 3.11, and 3.13 as python3.13; `keep` keeps the environment of the call before.
    """

    def run(*arguments, system="Linux", gpu=False, missing="", index="", free=9000, keep=False):
        programs = tmp_path / "programs"
        programs.mkdir(exist_ok=True)
        if not keep:
            shutil.rmtree(tmp_path / "venv", ignore_errors=True)
        for name, version in (("python3", "3.11"), ("python3.13", "3.13")):
            (programs / f"{name}.version").write_text(version)
        texts = {"uname": f"echo {system}", "nvidia-smi": "echo GPU 0" if gpu else "exit 9"}
        texts |= {"python3": PYTHON, "python3.13": PYTHON}
        texts["df"] = f"echo Filesystem; echo /dev/disk 9999999 0 {free * 1024} 1% /"
        for name, text in texts.items():
            (programs / name).write_text(text if text.startswith("#!") else f"#!/bin/sh\n{text}\n")
            (programs / name).chmod(0o755)
        command = ["make", "-s", "-f", str(ROOT / "Makefile"), "setup", f"VENV={tmp_path / 'venv'}", *arguments]
        requests = tmp_path / "asked"
        requests.write_text("")
        variables = {"PATH": f"{programs}:{os.environ['PATH']}", "ASKED": str(requests), "MISSING": missing}
        variables |= {"INDEX": index}
        process = subprocess.run(
            [*command, f"DRIVER={tmp_path / 'driver'}"],
            cwd=ROOT,
            env=os.environ | variables,
            capture_output=True,
            text=True,
        )
        return [tuple(line.rsplit(" ", 1)) for line in requests.read_text().splitlines()], process

    return run


@pytest.mark.parametrize(
    ("arguments", "machine", "installed"),
    [
        ((), {}, [("python", CPU)]),
        ((), {"missing": CPU}, [("python", CPU), ("uv ", CUDA)]),
        ((), {"gpu": True}, [("uv ", CUDA)]),
        (("TORCH=cpu",), {"gpu": True}, [("python", CPU)]),
        (("TORCH=cuda",), {}, [("uv ", CUDA)]),
        ((), {"system": "Darwin"}, [("uv ", CUDA)]),
    ],
)
def test_the_build_of_pytorch_is_that_of_the_machine(setup, arguments, machine, installed):
    installs, process = setup(*arguments, **machine)
    assert process.returncode == 0, process.stderr
    assert installs == [("python", UV), ("uv ", ALL), *installed]


def test_it_says_when_there_is_no_cpu_build(setup):
    assert "PyTorch: cpu\n" in setup()[1].stdout
    output = setup(missing=CPU)[1].stdout
    assert "pip finds no CPU build; the registry's takes several GB more" in output and "PyTorch: cpu" not in output


def test_a_driver_without_its_tools_counts(setup, tmp_path):
    (tmp_path / "driver").mkdir()
    assert setup()[0][-1] == ("uv ", CUDA)


def test_the_cpu_build_that_was_asked_for_is_not_replaced_by_another(setup):
    installs, process = setup("TORCH=cpu", missing=CPU)
    assert installs[-1] == ("python", CPU) and process.returncode != 0


@pytest.mark.parametrize("missing", [UV, ALL], ids=["no uv", "nothing for uv"])
def test_pip_takes_the_place_of_uv(setup, missing):
    installs, process = setup(missing=missing)
    assert ("python", ALL) in installs and "pip takes" in process.stdout
    assert (process.returncode == 0) == (missing == UV)  # pip does not find the other either


def test_a_full_disk_is_said_after_a_failure_alone(setup):
    full = "is full (3 MB left)"
    assert full not in setup(free=3)[1].stdout
    process = setup(missing=ALL, free=3)[1]
    assert process.returncode != 0 and full in process.stdout
    assert "is full" not in setup(missing=ALL)[1].stdout


def test_uv_is_told_of_pips_index(setup):
    assert ("uv https://index.example/packages", ALL) in setup(index="https://index.example/packages")[0]


def test_the_cpu_build_is_pinned_for_every_python():
    """Else pip finds none there, and takes several GB of CUDA libraries."""
    pins = re.findall(r"(?m)^(torch==\S+) ; (.*) \\\n    --hash=sha256:[0-9a-f]{64}$", (ROOT / CPU).read_text())
    assert len({pin for pin, _ in pins}) == 1 and pins[0][0].endswith("+cpu")
    registry = next(line for line in (ROOT / CUDA).read_text().splitlines() if line.startswith("torch=="))
    assert registry.split()[0] == pins[0][0].removesuffix("+cpu")
    for python in ("3.11", "3.12", "3.13"):
        for machine in ("x86_64", "aarch64"):
            environment = {"python_version": python, "platform_machine": machine}
            assert sum(Marker(marker).evaluate(environment) for _, marker in pins) == 1, (python, machine)


def test_an_environment_keeps_its_python_until_another_is_named(setup, tmp_path):
    version = tmp_path / "venv" / "bin" / "python.version"
    setup()
    assert version.read_text() == "3.11"
    assert setup(keep=True)[0] == setup("PYTHON=python3", keep=True)[0] == []
    (tmp_path / "venv" / "old").touch()
    installs, process = setup("PYTHON=python3.13", keep=True)
    assert process.returncode == 0, process.stderr
    assert version.read_text() == "3.13" and not (tmp_path / "venv" / "old").exists()
    assert len(installs) == 3 and "its Python is of another version" in process.stdout
    assert setup(keep=True)[0] == setup("PYTHON=python3.13", keep=True)[0] == []
    process = setup("PYTHON=python3.99", keep=True)[1]
    assert process.returncode != 0 and version.read_text() == "3.13"


def test_a_change_of_python_that_failed_leaves_no_environment(setup):
    setup()
    assert setup("PYTHON=python3.13", keep=True, missing=ALL)[1].returncode != 0
    assert len(setup(keep=True)[0]) == 3


def test_a_variable_of_the_environment_changes_no_python(setup, tmp_path, monkeypatch):
    setup()
    monkeypatch.setenv("PYTHON", "python3.13")
    assert setup(keep=True)[0] == [] and (tmp_path / "venv" / "bin" / "python.version").read_text() == "3.11"


def test_an_environment_keeps_its_build_until_another_is_named(setup):
    setup()
    assert setup(keep=True)[0] == setup("TORCH=cpu", keep=True)[0] == []
    assert setup("TORCH=cuda", keep=True)[0][-1] == ("uv ", CUDA)
    assert setup("TORCH=rocm", keep=True)[1].returncode != 0
    assert setup(keep=True)[0] == setup("TORCH=cuda", keep=True)[0] == []


def test_another_build_is_refused(setup):
    installs, process = setup("TORCH=rocm")
    assert installs == [] and process.returncode != 0 and "it should be cpu or cuda" in process.stdout


@pytest.mark.parametrize("name", ["a$b", "a`b", 'a"b', "a\\b"])
def test_a_path_that_no_environment_works_in_is_refused(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    process = subprocess.run(["sh", str(ROOT / "set_up.sh"), sys.executable, "venv"], cwd=folder, capture_output=True)
    assert process.returncode == 1 and b"move the clone" in process.stdout and not list(folder.iterdir())


def test_only_pythons_that_every_library_has_a_wheel_for(tmp_path):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    allowed = SpecifierSet(project["requires-python"])
    assert [minor for minor in range(8, 16) if f"3.{minor}.1" in allowed] == [11, 12, 13]
    check = next(line for line in (ROOT / "set_up.sh").read_text().splitlines() if "sys.version_info <" in line)
    code = check.split("'", 1)[1].rsplit("'", 1)[0]
    for minor in (10, 11, 13, 14):
        fake = f"import sys; sys.version_info, sys.version = (3, {minor}, 1), '3.{minor}.1'; {code}"
        process = subprocess.run(["python3", "-c", fake], capture_output=True, text=True)
        assert (process.returncode == 0) == (f"3.{minor}.1" in allowed)
        assert process.returncode == 0 or "repline needs Python 3.11, 3.12 or 3.13" in process.stderr


def test_make_help_has_every_target_and_make_alone_reproduces():
    targets = MAKEFILE.read_text().partition(".PHONY: ")[2].partition("\n")[0].split()
    listed = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert sorted(line.partition(":")[0] for line in listed.splitlines()) == sorted(targets)
    alone = subprocess.run(["make", "-n"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "-m flows reproduce" in alone
