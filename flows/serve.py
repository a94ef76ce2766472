"""`python -m flows serve`: the Prefect UI, with `reproduce` to start by hand and `refresh` on its schedule."""

from contextlib import ExitStack

from flows.project import hooks
from flows.servers import prefect_server
from flows.workspaces.profiles import default, enter


def command(port: int) -> int:
    """Serve until Ctrl-C; the schedule, where the project has one, is paused when it ends.

    Raises:
        InputError: Prefect is not installed, or a configured server does not answer.
    """
    prefect_server.check_installed("serve needs")
    root = enter()
    schedule = hooks.find("schedule")
    refreshing: hooks.Schedule = schedule(root) if schedule else {}
    watched = {"profile": refreshing.get("profile", default())}
    url = prefect_server.configured()
    with ExitStack() as stack:
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
        print(f"The Prefect UI is at {str(url).removesuffix('/').removesuffix('/api')} (Ctrl-C ends it)", flush=True)
        module = EntrypointType.MODULE_PATH
        deployments = [reproduce.to_deployment("reproduce", entrypoint_type=module)]
        if cron := refreshing.get("cron"):
            deployments.append(refresh.to_deployment("refresh", cron=cron, parameters=watched, entrypoint_type=module))
        try:
            serve(
                *(deployment for deployment in deployments if isinstance(deployment, RunnerDeployment)),
                print_starting_message=False,
            )
        except KeyboardInterrupt:
            print("stopped")
    return 0
