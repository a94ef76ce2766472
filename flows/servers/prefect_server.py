"""The Prefect server: whether one is configured (found out without importing Prefect), and one of our own when none is.

Ours is for the length of a flow, or of `make ui`. It keeps its runs for a month in a database of the project's, so that
its UI shows them later, and those of no other clone. It leads a process group of its own, so that Ctrl-C in a terminal
ends the flow and leaves the server up until the flow has reported how it ended, and it ends when the process that
started it is gone.
"""

import http.client
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from flows.errors import InputError
from flows.project import settings
from flows.servers.busy_database import TriesAgain
from flows.servers.garbage import collect_in_a_thread

HOST = "127.0.0.1"
FINAL = ("COMPLETED", "FAILED", "CANCELLED", "CRASHED")
SETTLING = 30  # seconds
PATIENCE = 90  # seconds; while its database is locked a Prefect server may answer nothing for 60
TRIES = 9  # in that time
# seconds; Prefect's client uses a connection again for 25 s, and waits 2 s when the server has closed it
KEEP_ALIVE = 60
# runs older than 30 days are removed, unless the user's own settings say otherwise
PRUNING = {
    "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
    "PREFECT_SERVER_SERVICES_DB_VACUUM_RETENTION_PERIOD": str(30 * 24 * 3600),
}
STARTUP = "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS"


def _startup_seconds() -> int:
    """How long a server may take to start; InputError where Prefect's setting of it is no number."""
    text = os.environ.get(STARTUP, "300")
    try:
        return int(text)
    except ValueError:
        raise InputError(
            f"Prefect's setting {STARTUP} is {text!r}: expected a whole number of seconds; correct or unset it"
        ) from None


def installed() -> bool:
    """Whether Prefect can be imported; it is not imported for this."""
    return importlib.util.find_spec("prefect") is not None


def check_installed(needing: str, extras: str = "prefect") -> None:
    """InputError where Prefect is not installed.

    Args:
        needing: the beginning of the sentence, such as "`serve` needs".
        extras: what else the package is to be installed with.
    """
    if not installed():
        raise InputError(f"{needing} Prefect; install dvc-parallel[{extras}]")


def configured() -> str | None:
    """The API's address as Prefect would find it: environment, .env, prefect.toml, pyproject.toml, active profile."""
    if url := os.environ.get("PREFECT_API_URL"):
        return url
    if url := _dotenv(Path(".env")).get("PREFECT_API_URL"):
        return url
    prefect_toml, pyproject, profiles = settings_files()
    for path, keys in ((prefect_toml, ("api",)), (pyproject, ("tool", "prefect", "api"))):
        if url := _toml(path, *keys, "url"):
            return url
    active = os.environ.get("PREFECT_PROFILE") or _toml(profiles, "active")
    return _toml(profiles, "profiles", active, "PREFECT_API_URL") if active else None


def settings_files() -> tuple[Path, Path, Path]:
    """The TOML files that Prefect takes settings from: two here, and the profiles of the user."""
    profiles = Path(os.environ.get("PREFECT_PROFILES_PATH") or home() / "profiles.toml")
    return Path("prefect.toml"), Path("pyproject.toml"), profiles


def home() -> Path:
    """Prefect's folder: PREFECT_HOME, or ~/.prefect."""
    return Path(os.environ.get("PREFECT_HOME") or Path.home() / ".prefect")


def use_writable_home() -> None:
    """Use the project's folder where ~/.prefect cannot be written (a container without a home)."""
    try:
        home().mkdir(parents=True, exist_ok=True)
        if os.access(home(), os.W_OK):
            return
    except OSError:
        pass  # use the project's folder instead
    os.environ["PREFECT_HOME"] = str(_project_home())


def _use_project_home() -> None:
    """Keep the database of our own server in the project's folder, unless PREFECT_HOME names another.

    The user's settings (`prefect config set`) stay in force.
    """
    if os.environ.get("PREFECT_HOME"):
        return
    settings = home() / "profiles.toml"
    if settings.exists():
        os.environ.setdefault("PREFECT_PROFILES_PATH", str(settings))
    os.environ["PREFECT_HOME"] = str(_project_home())


def _project_home() -> Path:
    """The folder `prefect` in the scratch folder of the project that this process is in."""
    return settings.scratch(settings.current_root()) / "prefect"


def check(url: str) -> None:
    """InputError if no Prefect API answers at `url`: at once if nothing listens there, else after PATIENCE seconds."""
    deadline = time.monotonic() + PATIENCE
    while problem := _problem(url, timeout=PATIENCE / TRIES):
        if not isinstance(problem, TimeoutError) or time.monotonic() > deadline:
            raise InputError(
                f"PREFECT_API_URL is {url}, where no Prefect server answers ({problem}); start it with `prefect "
                "server start`, or unset PREFECT_API_URL (`prefect config unset PREFECT_API_URL`) to run without"
            )


@dataclass(frozen=True)
class OwnServer:
    """A server that is starting or running; `wait` returns when it answers."""

    url: str
    process: subprocess.Popen
    output: str  # says where its output can be read
    starting: FileLock  # one server at a time makes or upgrades the database

    def wait(self) -> None:
        """Return when the server answers; InputError if it ends or does not start in time."""
        startup = _startup_seconds()
        deadline = time.monotonic() + startup
        while _problem(self.url, timeout=5):
            if self.process.poll() is not None:
                raise InputError(f"the Prefect server ended while it started; its output: {self.output}")
            if time.monotonic() > deadline:
                raise InputError(f"the Prefect server did not start within {startup} s; run again")
            time.sleep(0.1)
        self.starting.release()

    def settle(self, task_runs: Sequence[str]) -> None:
        """Wait until the server has recorded the end of these task runs, which it does some time after they ended."""
        from prefect.events.worker import EventsWorker
        from prefect.logging.handlers import APILogWorker

        for worker in (APILogWorker, EventsWorker):
            worker.drain_all(timeout=30)
        deadline = time.monotonic() + SETTLING
        while self.ended_task_runs(task_runs) < len(task_runs) and time.monotonic() < deadline:
            time.sleep(0.1)

    def ended_task_runs(self, task_runs: Sequence[str]) -> int:
        """How many of these task runs the server has recorded as ended."""
        condition = {"id": {"any_": list(task_runs)}, "state": {"type": {"any_": list(FINAL)}}}
        body = json.dumps({"task_runs": condition}).encode()
        request = urllib.request.Request(f"{self.url}/task_runs/count", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as reply:
            return json.load(reply)


@contextmanager
def own(port: int | None = None, ui: bool = False) -> Iterator[OwnServer]:
    """Run a server on the loopback until the end of the block, and point PREFECT_API_URL at it.

    Prefect may be imported inside the block only. The server starts in the background: `wait` for it before use.

    Args:
        port: preferred port; any free one when it is taken or None.
        ui: serve the web interface too.
    """
    port = _free_port(port)
    url = f"http://{HOST}:{port}/api"
    _use_project_home()
    reading, writing = os.pipe()
    log_file = home() / "flow_server.log"  # the server's output would disturb the view of the run
    log_file.parent.mkdir(parents=True, exist_ok=True)
    starting = FileLock(log_file.with_name("flow_server.lock"), thread_local=False)
    try:
        starting.acquire(timeout=(startup := _startup_seconds()))
    except Timeout:
        raise InputError(f"another Prefect server has not started within {startup} s; run again") from None
    with nullcontext() if ui else open(log_file, "ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "flows.servers.prefect_server", str(port), str(reading)],
            cwd=Path(__file__).resolve().parents[2],
            env=PRUNING
            | os.environ
            | {"PREFECT_UI_ENABLED": str(int(ui)), "PREFECT__SERVER_FINAL": "1", "PREFECT_API_URL": url}
            | ({} if ui else {"PREFECT__SERVER_EPHEMERAL": "1"}),
            pass_fds=[reading],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    os.close(reading)
    before = os.environ.get("PREFECT_API_URL")
    os.environ["PREFECT_API_URL"] = url
    try:
        yield OwnServer(url, process, "above" if ui else f"in {log_file}", starting)
    finally:
        starting.release()
        os.environ.pop("PREFECT_API_URL") if before is None else os.environ.update(PREFECT_API_URL=before)
        os.close(writing)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def main(port: int, lifeline: int) -> None:
    threading.Thread(target=_end_with_the_flow, args=(lifeline,), daemon=True).start()
    import uvicorn
    from prefect.server.api.server import create_app

    _prune_in_every_server()
    collect_in_a_thread()
    uvicorn.run(
        TriesAgain(create_app()),
        host=HOST,
        port=port,
        log_level="error",
        timeout_graceful_shutdown=2,
        timeout_keep_alive=KEEP_ALIVE,
    )


def _prune_in_every_server() -> None:
    """Patch Prefect: it removes old runs only in a server that lasts, and now also in one for the length of a flow."""
    from prefect.server.services import db_vacuum, perpetual_services

    with suppress(AttributeError):  # another Prefect, which keeps old runs
        for service in perpetual_services.get_perpetual_services():
            if service.function.__module__ == db_vacuum.__name__:
                service.run_in_ephemeral = True


def _end_with_the_flow(lifeline: int) -> None:
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(8)
    os.killpg(0, signal.SIGKILL)


def _free_port(preferred: int | None) -> int:
    for port in [preferred] if preferred else []:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
                return port
            except OSError:
                continue
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def _problem(url: str, timeout: float) -> Exception | None:
    """What keeps the Prefect API at `url` from an answer within `timeout` seconds; None if it answers."""
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=timeout):
            return None
    except urllib.error.HTTPError as error:
        return None if error.code in (401, 403) else error  # a server answers, and Prefect has the key
    except urllib.error.URLError as error:
        return error.reason if isinstance(error.reason, Exception) else error
    except (OSError, ValueError, http.client.HTTPException) as error:
        return error


def _toml(path: Path, *keys: str) -> str | None:
    """The text under these keys of a TOML file; None where there is none, or the file cannot be read."""
    try:
        value: Any = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # Prefect itself says what is wrong with it
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None


def _dotenv(path: Path) -> dict[str, str | None]:
    """The variables of a file `.env`, as Prefect reads them; none where it cannot be read."""
    if not path.is_file():
        return {}
    from dotenv import dotenv_values  # Prefect is installed, and needs it

    try:
        return {name.upper(): value for name, value in dotenv_values(path).items()}
    except (OSError, ValueError):
        return {}  # Prefect itself stops at it


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
