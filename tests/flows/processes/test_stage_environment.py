"""The variables of a stage, above all the `python` that it finds."""

import sys
from pathlib import Path

import pytest

from flows import SILENT
from flows.processes.stage_environment import search_path
from tests.flows.conftest import CHECKOUT, PROJECT, Repository

PYTHON = "#!/bin/sh\necho the project\n"
ASK = "python -c 'import sys; print(sys.prefix)'"
FORK = "[tool.dvc-parallel.fork]\npackage = 'stages'\n"


@pytest.fixture
def asking(offline) -> Repository:
    """A project with a `python` of its own, and a stage, and one that runs first, that say which one they find."""
    offline.write("bin/python", PYTHON).chmod(0o755)
    ask = {"cmd": f"{ASK} > a", "outs": ["a"]}
    offline.stages({"a": ask, "first": ask | {"cmd": f"{ASK} > first", "outs": ["first"], "always_changed": True}})
    offline.write("pyproject.toml", PROJECT + "first = ['first']\n")
    (offline.root / "empty").mkdir()
    return offline


def interpreters(repository: Repository, path: str) -> set[str]:
    """The interpreters that both stages find."""
    repository.flow(PATH=path)
    return {repository.read(name) for name in ("a", "first")}


def test_the_python_of_the_path_is_the_one_that_dvc_takes(asking):
    asking.environment["PATH"] = f"{asking.root / 'bin'}:{asking.environment['PATH']}"
    assert interpreters(asking, asking.environment["PATH"]) == {"the project\n"}
    (asking.root / "a").unlink()
    asking.dvc("repro", "-f", "a")
    assert asking.read("a") == "the project\n"


def test_without_a_python_on_the_path_it_is_the_one_that_runs_the_flow(asking):
    assert interpreters(asking, str(asking.root / "empty")) == {f"{sys.prefix}\n"}


def test_a_project_whose_stages_run_in_forks_has_the_one_that_runs_the_flow(asking):
    asking.write("pyproject.toml", asking.read("pyproject.toml") + FORK)
    assert interpreters(asking, str(asking.root / "bin")) == {f"{sys.prefix}\n"}


def test_this_project_needs_no_activated_environment(monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin")
    assert search_path(CHECKOUT) == f"{Path(sys.executable).parent}:/usr/bin"


def test_programs_beside_the_flow_are_found_last(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "/usr/bin")
    assert search_path(tmp_path) == f"/usr/bin:{Path(sys.executable).parent}"
    monkeypatch.setenv("PATH", search_path(tmp_path))
    assert search_path(tmp_path) == f"/usr/bin:{Path(sys.executable).parent}"


def test_a_stage_gets_no_variables_that_only_the_flow_needs(asking):
    asking.environment = {name: value for name, value in asking.environment.items() if name not in SILENT}
    write = {"cmd": "env > a", "outs": ["a"]}
    asking.stages({"a": write, "first": write | {"cmd": "env > first", "outs": ["first"], "always_changed": True}})
    asking.flow(DO_NOT_TRACK="mine", PYTHONUNBUFFERED="")
    for name in ("a", "first"):
        variables = dict(line.split("=", 1) for line in asking.read(name).splitlines() if "=" in line)
        assert {key: variables.get(key) for key in SILENT} == dict.fromkeys(SILENT) | {"DO_NOT_TRACK": "mine"}
        assert variables["PYTHONUNBUFFERED"] == ""
