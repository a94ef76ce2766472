"""Stages that are modules run in forks of a process that has their libraries, and see what a new interpreter shows."""

import json
import shutil
import signal
import socket
import subprocess
import sys

import psutil
import pytest

from flows.processes.stage_process import module_command
from tests.flows.conftest import CHECKOUT, PATIENCE, THIS_PROJECT, Repository, stage, wait_until
from tests.forks import Forks

PROBE = """
import atexit, json, os, signal, sys, threading, time
from pathlib import Path

from repline.errors import InputError
from repline.files import write_json
from stages import run

ENDINGS = {
    "says": lambda: (_ for _ in ()).throw(InputError("the moon is made of cheese")),
    "breaks": lambda: {}["no such key"],
    "exits": lambda: sys.exit(3),
    "is_killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "sleeps": lambda: time.sleep(600),
}


def main():
    name = sys.argv[1]
    Path("times").mkdir(exist_ok=True)
    Path(f"times/{name}").write_text(str(os.getpid()))
    if name in ENDINGS:
        return ENDINGS[name]()
    import repline, threadpoolctl, torch

    torch.ones(9, 9) @ torch.ones(9, 9)
    facts = {
        "name": __name__, "module": __spec__.name, "file": __file__, "main": sys.modules["__main__"].__spec__.name,
        "arguments": sys.argv[1:], "folder": os.getcwd(), "path": sys.path[0], "library": repline.__file__,
        "variables": {key: os.environ.get(key) for key in ("DVC_STAGE", "DVC_ROOT", "OMP_NUM_THREADS", "MINE")},
        "threads": torch.get_num_threads(), "stdin": sys.stdin.read(),
        "pools": sorted({(one["internal_api"], one["num_threads"]) for one in threadpoolctl.threadpool_info()}),
        "signals": [signal.getsignal(one) == signal.SIG_DFL for one in (signal.SIGCHLD, signal.SIGTERM)],
        "interrupt": signal.getsignal(signal.SIGINT) == signal.default_int_handler,
    }
    write_json(f"out/{name}", facts)
    Path(f"times/{name}-forked").write_text(str("flows.processes.forkserver" in sys.orig_argv))
    atexit.register(Path(f"times/{name}-left").touch)
    threading.Thread(target=lambda: (time.sleep(0.3), Path(f"times/{name}-thread").touch())).start()


if __name__ == "__main__":
    run(main)
"""
ENDINGS = ("says", "breaks", "exits", "is_killed")


@pytest.fixture
def modules(repository) -> Repository:
    """A repository with a package `stages` that has this project's start and the module above."""
    repository.forks = Forks("modules")
    repository.write("pyproject.toml", THIS_PROJECT)
    (repository.root / "stages").mkdir()
    shutil.copy(CHECKOUT / "stages" / "__init__.py", repository.root / "stages")
    repository.write("stages/probe.py", PROBE)
    repository.write("out/.gitignore", "/*\n")
    return repository


def module(name: str, **more) -> dict:
    return {"cmd": f"python -m stages.probe {name}", "outs": [f"out/{name}"], **more}


def facts(repository: Repository, names: list[str]) -> dict[str, dict]:
    return {name: json.loads(repository.read(f"out/{name}")) for name in names}


def test_the_server_ends_without_a_word_when_the_flow_does(tmp_path):
    ours, theirs = socket.socketpair()
    # DuckDB is the one that complains when an interpreter ends in the usual way
    (tmp_path / "pyproject.toml").write_text(
        "[tool.dvc-parallel.fork]\npackage = 'stages'\nlibraries = ['duckdb', 'pyarrow.parquet']\n"
    )
    with theirs:
        server = subprocess.Popen(
            [sys.executable, "-m", "flows.processes.forkserver", str(theirs.fileno()), str(tmp_path)],
            cwd=CHECKOUT,
            pass_fds=[theirs.fileno()],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    ours.close()
    printed = server.communicate(timeout=PATIENCE)[0]
    assert (printed, server.returncode) == ("", 0)


def test_a_module_in_a_fork_sees_what_it_sees_in_a_new_interpreter(modules):
    names = ["one", "two"]
    stages = {"one": module("one"), "two": module("two", meta={"threads": 2})}
    modules.stages(stages | {"shell": stage("shell")} | {name: module(name) for name in ENDINGS})
    printed = modules.flow("--jobs", "2", code=1, MINE="kept")
    forked = facts(modules, names)
    for name in names:
        assert modules.read(f"times/{name}-forked") == "True"
        assert modules.exists(f"times/{name}-left") and modules.exists(f"times/{name}-thread")
    assert modules.exists("out/shell")
    assert "is_killed failed" in printed and "exited with -9" in printed
    assert "exits failed" in printed and "exited with 3" in printed
    assert "says: the moon is made of cheese" in printed
    assert "KeyError: 'no such key'" in printed
    assert [forked[name]["threads"] for name in names] == [1, 2]
    modules.stages(stages)
    modules.environment |= {"MINE": "kept"}
    modules.assert_clean()
    modules.dvc("repro", "--force")
    assert facts(modules, names) == forked
    assert {modules.read(f"times/{name}-forked") for name in names} == {"False"}


def test_an_interrupt_ends_a_module_in_its_own_words(modules):
    modules.stages({name: module(name) for name in ("sleeps", *(f"later{number}" for number in range(5)))})
    process = modules.start("--jobs", "1", "--verbose", "sleeps", *(f"later{number}" for number in range(5)))
    pid = int(modules.wait_for("times/sleeps"))
    process.send_signal(signal.SIGINT)
    printed = "".join(process.communicate(timeout=PATIENCE))
    assert process.returncode == 130 and "sleeps: interrupted" in printed and "Traceback" not in printed, printed
    wait_until(lambda: not psutil.pid_exists(pid))


def test_a_module_whose_dvc_is_killed_does_not_go_on(modules):
    modules.stages({name: module(name) for name in ("sleeps", *(f"later{number}" for number in range(5)))})
    process = modules.start("--jobs", "1", "sleeps", *(f"later{number}" for number in range(5)))
    pid = int(modules.wait_for("times/sleeps"))
    psutil.Process(pid).parent().kill()
    printed = "".join(process.communicate(timeout=PATIENCE))
    assert process.returncode == 1 and "sleeps was killed" in printed, printed
    wait_until(lambda: not psutil.pid_exists(pid))


@pytest.mark.parametrize(
    "command",
    ["python -m stages.urn.train dyck turn", "python -m stages.report", "python -m stages.a measure@b-c,x"],
)
def test_plain_commands_of_modules_are_known(command):
    assert module_command(CHECKOUT, command)


@pytest.mark.parametrize(
    "command",
    ["python -m stages.report > log", "python -m stages.a; true", "A=1 python -m stages.a", "python -m stages.a $X",
     "python -m stages.a 'b c'", "python stages/a.py", "python -m stagesx", "python3 -m stages.a"],
)  # fmt: skip
def test_what_a_shell_would_read_goes_to_a_shell(command):
    assert not module_command(CHECKOUT, command)


# what Python 3.12 and later say where a library has started a thread
WARNS = """
import os, warnings

fork = os.fork


def warn_and_fork():
    text = f"This process (pid={os.getpid()}) is multi-threaded, use of fork() may lead to deadlocks in the child."
    warnings.warn(text, DeprecationWarning, stacklevel=2)
    return fork()


os.fork = warn_and_fork
"""


def test_a_thread_of_a_library_is_no_warning_of_every_run(repository, tmp_path):
    (tmp_path / "patches").mkdir()
    (tmp_path / "patches" / "sitecustomize.py").write_text(WARNS)
    repository.stages({"a": stage("a")})
    path = f"{tmp_path / 'patches'}:{repository.environment.get('PYTHONPATH', '')}"
    printed = repository.flow(fresh=True, PYTHONPATH=path)
    assert "ran a" in printed and "multi-threaded" not in printed
