"""Small DVC repositories made for a test, a real Prefect server for all of them, and the command line as a process."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
import yaml
from filelock import FileLock

from flows.processes import forkserver
from flows.servers import prefect_server
from tests.forks import Forks

CHECKOUT = Path(__file__).parents[2]
FORKS = Forks(
    [
        *(name for name in forkserver.PRELOAD if not name.startswith("repline")),
        *("dvc.cli", "dvc.commands.repro", "dvc.commands.status", "filelock", "psutil", "pyarrow.parquet", "pydantic"),
        *("anyio._backends._asyncio", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker", "graphviz"),
        *("prefect.artifacts", "prefect.flow_engine", "prefect.flows"),
        *("prefect.input", "prefect.main", "prefect.runtime", "prefect.task_engine", "prefect.tasks"),
        *("prefect.telemetry.run_telemetry", "prefect.utilities.visualization", "prefect_dask", "rich.live"),
    ],
    PREFECT_HOME=tempfile.gettempdir(),
)
PATIENCE = 90  # seconds; a busy machine is slow, a hang is a failure


class Repository:
    """A Git and DVC repository whose stages are shell commands."""

    def __init__(self, root: Path, environment: dict[str, str]):
        self.root, self.environment = root, environment
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        self.write(".dvc/config", "[core]\n    analytics = false\n    check_update = false\n")
        self.write(".dvcignore", "data/scratch\n")
        self.write(".gitignore", "/data/*\n/times\n")
        self.write("in.txt", "input\n")

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

    def start(self, *arguments: str, command: str = "reproduce", fresh: bool = False, **environment: str):
        """Start `python -m flows COMMAND`; `fresh`: in a new interpreter, and not in a fork."""
        environment = self.environment | environment
        if not fresh:
            return FORKS.start(self.root, "flows", command, *arguments, environment=environment, new_session=True)
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

    def dvc(self, *arguments: str) -> str:
        process = FORKS.start(self.root, "dvc", *arguments, environment=self.environment)
        out, errors = self._to_the_end(process)
        assert process.returncode == 0, out + errors
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


def stage(name: str, seconds: float = 0.0, after: tuple[str, ...] = (), then: str = "true", **more) -> dict:
    """One entry of dvc.yaml: a timed command with in.txt or the outputs of `after` as dependencies."""
    deps = [f"out/{other}" for other in after] or ["in.txt"]
    return {"cmd": timed(name, seconds, then), "deps": deps, "outs": [f"out/{name}"], **more}


def wait_until(condition, seconds: float = PATIENCE):
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
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
            found = self.post("task_runs/filter", {"flow_runs": {"id": {"any_": ids}}})
            found = [run for run in found if not run["state"]["state_details"]["child_flow_run_id"]]
            final = [run for run in found if run["state_type"] in ("COMPLETED", "FAILED", "CANCELLED", "CRASHED")]
            return len(final) >= count and {run["name"]: run for run in final}

        return wait_until(ended)

    def states(self, count: int) -> dict[str, str]:
        """State names of the last flow run's tasks."""
        return {name: run["state_name"] for name, run in self.tasks(self.last_flow_run(), count).items()}

    def log(self, flow_run: dict, line: str) -> dict:
        """The record of a flow run whose message is `line`, once the server has it."""

        def found():
            ids = [flow_run["id"], *(run["id"] for run in self.systems(flow_run).values())]
            body = {"logs": {"flow_run_id": {"any_": ids}}, "limit": 200}
            return next((log for log in self.post("logs/filter", body) if log["message"] == line), None)

        return wait_until(found)


@pytest.fixture(scope="session")
def environment(tmp_path_factory) -> dict[str, str]:
    """Of every process: a Prefect home of its own, no server configured, one thread."""
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
        "REPLINE_SLOTS": str(tmp_path_factory.mktemp("slots")),  # other tests at the same time do not count
    }


@pytest.fixture(scope="session")
def database(tmp_path_factory) -> Path:
    """Where the first server of these tests leaves its database: to make one takes longer than to start a server."""
    shared = tmp_path_factory.getbasetemp()
    return (shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared) / "prefect.db"


@pytest.fixture(scope="session")
def api(environment, database) -> Api:
    """A Prefect server on a free loopback port, with its SQLite database in the session's temporary folder."""
    patch = pytest.MonkeyPatch()
    for name in ("PREFECT_HOME", "PYTHONPATH"):
        patch.setenv(name, environment[name])
    home = Path(environment["PREFECT_HOME"])
    with ExitStack() as stack:
        with FileLock(f"{database}.lock"):
            if database.exists():
                shutil.copy(database, home)
            own = stack.enter_context(prefect_server.own())
            own.wait()
            if not database.exists():
                with closing(sqlite3.connect(home / database.name)) as made, closing(sqlite3.connect(database)) as copy:
                    made.backup(copy)
        patch.delenv("PREFECT_API_URL")
        yield Api(own.url)
        patch.undo()


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


@pytest.fixture
def repository(offline, api) -> Repository:
    """A repository whose flows report to the session's server."""
    offline.environment = offline.environment | {"PREFECT_API_URL": api.url}
    return offline
