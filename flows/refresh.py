"""The command `refresh`: acquire again what is new upstream, and reproduce what depends on it."""

from contextlib import nullcontext
from typing import TYPE_CHECKING

from flows import upstream
from flows.servers import prefect_server
from flows.workspaces import profiles

if TYPE_CHECKING:
    from flows.running.outcome import Verdict


def command(profile: str | None, verbose: bool = False) -> int:
    """`python -m flows refresh`; without a configured server Prefect starts only when there is something new.

    Args:
        profile: None for the profile that params.yaml names.

    Raises:
        InputError: the project names no source of new data, Prefect is not installed, or a configured server does not
            answer.
    """
    checkout = profiles.enter_checkout()
    profile = profile or upstream.watched(checkout) or profiles.default()
    prefect_server.check_installed("refresh needs")
    root = profiles.enter(profile)
    url = prefect_server.configured()
    if url:
        prefect_server.check(url)
    else:
        news = upstream.look(root)
        if not news[0]:
            print(upstream.summary(*news))
            return 1 if news[1] else 0
        upstream.already_looked.set(news)
    with nullcontext() if url else prefect_server.own() as server:
        return _run(profile, verbose, server)


def _run(profile: str, verbose: bool, server: prefect_server.OwnServer | None) -> int:
    from flows.refresh_flow import refresh
    from flows.running import prefect_console
    from flows.running.prefect_tasks import as_verdict, submitted

    def run() -> "Verdict":
        if server:
            server.wait()
        state = refresh(profile=profile, return_state=True)
        if server:
            server.settle(submitted)
        return as_verdict(state)

    return prefect_console.show(run, profile, verbose)
