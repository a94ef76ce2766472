"""`python -m flows serve`: the Prefect UI, with `reproduce` to start by hand and `refresh` on its schedule."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from flows import upstream
from flows.errors import InputError
from flows.project import hooks, settings
from flows.servers import prefect_server
from flows.workspaces.profiles import default, enter_checkout

if TYPE_CHECKING:
    from prefect.deployments.runner import RunnerDeployment

PORT = 4200  # where people look for Prefect


def command(port: int | None) -> int:
    """Serve until Ctrl-C or SIGTERM; the schedule, where the project has one, is paused when it ends.

    Args:
        port: of a server of its own; None for the usual one.

    Raises:
        InputError: Prefect is not installed, a configured server does not answer, the project is served already, or its
            schedule has a wrong entry.
    """
    prefect_server.check_installed("serve needs")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    root = enter_checkout()
    refreshing = upstream.scheduled(root)
    url = prefect_server.configured()
    if url and port:
        raise InputError(f"--port is for a server of its own, and {url} is configured; leave --port or that server out")
    with ExitStack() as stack:
        address_file = stack.enter_context(_alone(root))
        server = None if url else stack.enter_context(prefect_server.own(port or PORT, ui=True))
        if url:
            prefect_server.check(url)

        from flows.refresh_flow import refresh
        from flows.servers import missed_runs, served

        deployments = _deployments(root, refreshing)
        if server:
            server.wait()
            url = server.url
            missed_runs.leave_the_last(refresh.name)
        served.check_free(deployments)
        address = str(url).removesuffix("/").removesuffix("/api")
        address_file.write_text(address, encoding="utf-8")
        print(f"The Prefect UI is at {address} (Ctrl-C ends it)", flush=True)
        served.serve(deployments)
        print("stopped")
    return 0


def _deployments(root: Path, refreshing: hooks.Schedule) -> "list[RunnerDeployment]":
    """`reproduce`, and `refresh` on its schedule, where the project has one.

    Raises:
        InputError: the times of the schedule are wrong.
    """
    from prefect.deployments.runner import RunnerDeployment
    from prefect.flows import EntrypointType
    from prefect.schedules import Cron

    from flows.refresh_flow import refresh
    from flows.reproduce import reproduce
    from flows.servers import served, time_zone

    version, module = served.place(root), EntrypointType.MODULE_PATH
    deployments = [reproduce.to_deployment("reproduce", version=version, entrypoint_type=module)]
    if cron := refreshing.get("cron"):
        zone = refreshing.get("timezone") or time_zone.of_this_machine()
        watched = {"profile": refreshing.get("profile", default())}
        try:
            schedule = Cron(cron, timezone=zone)
            deployments.append(
                refresh.to_deployment(
                    "refresh", schedule=schedule, parameters=watched, version=version, entrypoint_type=module
                )
            )
        except ValueError as error:
            raise InputError(
                f"the schedule of refresh, cron {cron!r} in the time zone {zone!r}, is wrong: {_in_words(error)}"
            ) from None
    return [deployment for deployment in deployments if isinstance(deployment, RunnerDeployment)]


def _in_words(error: ValueError) -> str:
    """What Pydantic says of the first wrong value, without its advice for programmers."""
    words = str(error.errors()[0]["msg"]) if hasattr(error, "errors") else str(error)
    return words.removeprefix("Value error, ")


@contextmanager
def _alone(root: Path) -> Iterator[Path]:
    """Keep other processes from serving the project; yields the file that tells them the address of the UI.

    Each would pause the deployments of both at its end.
    """
    folder = settings.scratch(root)
    folder.mkdir(parents=True, exist_ok=True)
    address, lock = folder / "served-at", FileLock(folder / "serve.lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        at_address = ""
        with suppress(OSError):  # it has not started yet
            at_address = f" at {address.read_text(encoding='utf-8')}"
        raise InputError(
            f"the Prefect UI of {root} is served{at_address} already; use that, or stop it by Ctrl-C"
        ) from None
    try:
        yield address
    finally:
        address.unlink(missing_ok=True)
        lock.release()
