"""Small DVC repositories made for a test, a real Prefect server for all of them, and the command line as a process."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.forks import Command, Forks
from tests.prefect_servers import running, shared_database

if TYPE_CHECKING:
    from tests.flows.twins import Twins

pytest.register_assert_rewrite("tests.flows.twins")
CHECKOUT = Path(__file__).parents[2]
FORKS = Forks("flows")
# a project that keeps what its runs leave where this project does
PROJECT = """
[tool.dvc-parallel]
scratch = "data/scratch"
profile = "small"
systems = "stages"
data = "data"
"""
TABLES = (CHECKOUT / "pyproject.toml").read_text().partition("[tool.dvc-parallel]")[2].partition("[tool.setuptools")[0]
THIS_PROJECT = f"[tool.dvc-parallel]{TABLES}"  # with its hooks
# a stage that this project wants first, in stages/code/dvc.yaml
DIGEST = {"cmd": "echo '{}' > digest.json", "always_changed": True, "outs": ["digest.json"]}
PATIENCE = 90  # seconds; a busy machine is slow, a hang is a failure


class Repository:
    """A Git and DVC repository whose stages are shell commands."""

    def __init__(self, root: Path, environment: dict[str, str]):
        self.root, self.environment, self.forks = root, dict(environment), FORKS
        self.python: Path | None = None  # what its flows start stages with, when it is not their own interpreter
        if root.exists():  # a copy
            return
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        self.write(".dvc/config", "[core]\n    analytics = false\n    check_update = false\n")
        self.write("pyproject.toml", PROJECT)
        self.write(".dvcignore", "data/scratch\n")
        self.write(".gitignore", "/data/*\n/times\n")
        self.write("in.txt", "input\n")

    def copy(self, root: Path, environment: dict[str, str]) -> "Repository":
        """Another one with the same files, DVC's cache and links into it among them."""
        shutil.copytree(self.root, root, symlinks=True)
        return Repository(root, environment)

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def read(self, name: str) -> str:
        return (self.root / name).read_text()

    def exists(self, name: str) -> bool:
        return (self.root / name).exists()

    def stages(self, stages: dict, file: str = "dvc.yaml", **more) -> None:
        self.write(file, yaml.safe_dump({"stages": stages, **more}, sort_keys=False))

    def start(
        self,
        *arguments: str,
        command: str = "reproduce",
        fresh: bool = False,
        stdin: int | None = None,
        output: int | None = None,
        **environment: str,
    ) -> Command | subprocess.Popen:
        """Start `python -m flows COMMAND`.

        Args:
            fresh: in a new interpreter, and not in a fork.
            stdin: a file, for a fork; so is `output`, for stdout and stderr.
            environment: variables on top of those of the repository.
        """
        environment = self.environment | environment
        if not fresh:
            # a flow starts a process in which DVC runs the stages, and a server if it has none; `serve` one a run, too
            spares = 5 if command == "serve" else 1 if environment.get("PREFECT_API_URL") else 2
            options = {"environment": environment, "new_session": True, "spares": spares, "executable": self.python}
            return self.forks.start(self.root, "flows", command, *arguments, stdin=stdin, output=output, **options)
        return subprocess.Popen(
            [sys.executable, "-m", "flows", command, *arguments],
            cwd=self.root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def flow(
        self, *arguments: str, code: int = 0, command: str = "reproduce", fresh: bool = False, **environment: str
    ) -> str:
        """Run `python -m flows COMMAND` to its end and return all it printed."""
        process = self.start(*arguments, command=command, fresh=fresh, **environment)
        out, errors = self._to_the_end(process)
        assert process.returncode == code, out + errors
        return out + errors

    def dvc(self, *arguments: str, failed: bool = False) -> str:
        """Run a command of DVC to its end, which fails or does not; what it printed."""
        process = self.forks.start(self.root, "dvc", *arguments, environment=self.environment)
        out, errors = self._to_the_end(process)
        assert bool(process.returncode) == failed, out + errors
        return out

    @staticmethod
    def _to_the_end(process) -> tuple[str, str]:
        try:
            return process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise

    def assert_clean(self) -> None:
        assert "up to date" in self.dvc("status")

    def wait_for(self, name: str) -> str:
        return wait_until(lambda: self.exists(name) and self.read(name))

    def span(self, name: str) -> tuple[float, float]:
        """When the command that `timed` made started and ended."""
        start, end = self.read(f"times/{name}").split()
        return float(start), float(end)


def timed(name: str, seconds: float = 0.0, then: str = "true") -> str:
    """A command that writes out/NAME, and to times/NAME when it ran; times is no output, so it may differ each time."""
    return (
        f"mkdir -p out times && a=$(date +%s.%N) && sleep {seconds} && {then} && "
        f"echo {name} > out/{name} && echo $a $(date +%s.%N) > times/{name} && echo {name} >> times/runs"
    )


def stage(name: str, seconds: float = 0.0, after: tuple[str, ...] = (), then: str = "true", **keys) -> dict:
    """One entry of dvc.yaml: a timed command with in.txt or the outputs of `after` as dependencies."""
    deps = [f"out/{upstream}" for upstream in after] or ["in.txt"]
    return {"cmd": timed(name, seconds, then), "deps": deps, "outs": [f"out/{name}"], **keys}


def after_import(folder: Path, module: str, **values: object) -> str:
    """An entry of PYTHONPATH with which a process that imports a module finds other values in it."""
    lines = [f"import {module} as module", *(f"module.{name} = {value!r}" for name, value in values.items())]
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text("\n".join(lines) + "\n")
    return f"{folder}{os.pathsep}{CHECKOUT}"


def wait_until(condition, seconds: float = PATIENCE):
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
    return value


class Api:
    """The few questions that the tests ask a Prefect server."""

    def __init__(self, url: str):
        self.url = url

    def post(self, path: str, body: dict | None = None):
        request = urllib.request.Request(
            f"{self.url}/{path}", json.dumps(body or {}).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            return json.load(reply)

    def last_flow_run(self, name: str = "reproduce") -> dict:
        body = {"sort": "START_TIME_DESC", "limit": 1, "flows": {"name": {"any_": [name]}}}
        return self.post("flow_runs/filter", body)[0]

    def systems(self, flow_run: dict) -> dict[str, dict]:
        """The sub-flow runs of a flow run by name."""
        body = {"flow_runs": {"parent_flow_run_id": {"any_": [flow_run["id"]]}}}
        return {run["name"]: run for run in self.post("flow_runs/filter", body)}

    def tasks(self, flow_run: dict, count: int) -> dict[str, dict]:
        """The task runs of a flow run and its systems by name, once there are `count` and all have ended."""

        def ended():
            ids = [flow_run["id"], *(run["id"] for run in self.systems(flow_run).values())]
            runs = self.post("task_runs/filter", {"flow_runs": {"id": {"any_": ids}}})
            runs = [run for run in runs if run["state"] and not run["state"]["state_details"]["child_flow_run_id"]]
            final = [run for run in runs if run["state_type"] in ("COMPLETED", "FAILED", "CANCELLED", "CRASHED")]
            return len(final) >= count and {run["name"]: run for run in final}

        return wait_until(ended)

    def states(self, count: int) -> dict[str, str]:
        """State names of the last flow run's tasks."""
        return {name: run["state_name"] for name, run in self.tasks(self.last_flow_run(), count).items()}

    def log(self, flow_run: dict, line: str) -> dict:
        """The record of a flow run whose message is `line`, once the server has it."""

        def record():
            ids = [flow_run["id"], *(run["id"] for run in self.systems(flow_run).values())]
            body = {"logs": {"flow_run_id": {"any_": ids}}, "limit": 200}
            return next((log for log in self.post("logs/filter", body) if log["message"] == line), None)

        return wait_until(record)


@pytest.fixture(scope="session")
def environment(tmp_path_factory) -> dict[str, str]:
    """Variables of every process: a separate Prefect home, no server configured, one thread."""
    home = tmp_path_factory.mktemp("prefect")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "DVC_"))}
    path = os.pathsep.join(filter(None, [str(CHECKOUT), os.environ.get("PYTHONPATH")]))
    binaries = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return inherited | {
        "PREFECT_HOME": str(home),
        "PYTHONPATH": path,
        "PATH": binaries,
        "OMP_NUM_THREADS": "1",
        "DVC_NO_ANALYTICS": "1",
        "DVC_SITE_CACHE_DIR": str(tmp_path_factory.mktemp("dvc")),
        "SHELL": "/bin/sh",
        "FLOW_SLOTS": str(tmp_path_factory.mktemp("slots")),  # other tests at the same time do not count
    }


@pytest.fixture(scope="session")
def database(tmp_path_factory) -> Path:
    """A database of Prefect in which nothing has run, once there is an `api`."""
    return shared_database(tmp_path_factory)


@pytest.fixture(scope="session")
def api(environment, database) -> Iterator[Api]:
    """A Prefect server on a free loopback port, with its SQLite database in the session's temporary folder."""
    with running(environment, database) as url:
        yield Api(url)


@pytest.fixture
def prefect_home(tmp_path, api, database) -> Path:
    """Another home of Prefect, with a database in which nothing has run."""
    folder = tmp_path / "home"
    folder.mkdir()
    shutil.copy(database, folder)
    return folder


@pytest.fixture
def offline(tmp_path, environment) -> Repository:
    """A repository in an environment without a configured server."""
    return Repository(tmp_path / "repository", environment)


@pytest.fixture(scope="session")
def served(environment, api) -> dict[str, str]:
    """An environment whose flows report to the session's server."""
    return environment | {"PREFECT_API_URL": api.url}


@pytest.fixture
def repository(tmp_path, served) -> Repository:
    """A repository whose flows report to the session's server."""
    return Repository(tmp_path / "repository", served)


@pytest.fixture
def twins(tmp_path, environment) -> "Twins":
    """A project for the flow and one for `dvc repro`, each with two chains, a to c and x to y, in two dvc.yaml."""
    from tests.flows.twins import two_chains

    return two_chains(tmp_path, environment)
