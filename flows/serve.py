"""`python -m flows serve`: the Prefect UI, with `reproduce` to start by hand and `refresh` on its schedule."""

import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from flows.errors import InputError
from flows.project import hooks, settings
from flows.servers import prefect_server
from flows.workspaces.profiles import default, enter


def command(port: int) -> int:
    """Serve until Ctrl-C; the schedule, where the project has one, is paused when it ends.

    Raises:
        InputError: Prefect is not installed, a configured server does not answer, or the project is served already.
    """
    prefect_server.check_installed("serve needs")
    root = enter()
    schedule = hooks.find("schedule")
    refreshing: hooks.Schedule = schedule(root) if schedule else {}
    watched = {"profile": refreshing.get("profile", default())}
    url = prefect_server.configured()
    with ExitStack() as stack:
        address_file = stack.enter_context(_alone(root))
        server = None if url else stack.enter_context(prefect_server.own(port, ui=True))
        if url:
            prefect_server.check(url)

        from prefect import serve
        from prefect.deployments.runner import RunnerDeployment
        from prefect.flows import EntrypointType

        from flows.refresh_flow import refresh
        from flows.reproduce import reproduce
        from flows.servers import missed_runs

        if server:
            server.wait()
            url = server.url
            missed_runs.leave_the_last(refresh.name)
        address = str(url).removesuffix("/").removesuffix("/api")
        address_file.write_text(address, encoding="utf-8")
        print(f"The Prefect UI is at {address} (Ctrl-C ends it)", flush=True)
        module = EntrypointType.MODULE_PATH
        deployments = [reproduce.to_deployment("reproduce", entrypoint_type=module)]
        if cron := refreshing.get("cron"):
            deployments.append(refresh.to_deployment("refresh", cron=cron, parameters=watched, entrypoint_type=module))
        # what Prefect does at SIGTERM calls a coroutine without waiting for it; its end pauses and stops all the same
        warnings.filterwarnings("ignore", "coroutine 'Runner.astop' was never awaited", RuntimeWarning)
        try:
            serve(
                *(deployment for deployment in deployments if isinstance(deployment, RunnerDeployment)),
                print_starting_message=False,
            )
        except KeyboardInterrupt:
            print("stopped")
    return 0


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
