"""The flow `refresh`: is there something new upstream? Then acquire it again and reproduce what depends on it."""

from contextlib import nullcontext

from flows import upstream
from flows.servers import prefect_server
from flows.workspaces import profiles


def command(profile: str | None, verbose: bool = False) -> int:
    """`python -m flows refresh`; without a configured server Prefect starts only when there is something new.

    Args:
        profile: None for the one that params.yaml names.
    """
    profile = profile or upstream.watched(profiles.enter()) or profiles.DEFAULT
    root = profiles.enter(profile)
    url = prefect_server.configured()
    if url:
        prefect_server.check(url)
    else:
        news = upstream.look(root)
        if not news[0]:
            print(upstream.summary(*news))
            return 0
        upstream.given.set(news)
    with nullcontext() if url else prefect_server.own() as own:
        return _run(profile, verbose, own)


def _run(profile: str, verbose: bool, own: prefect_server.OwnServer | None) -> int:
    from flows.display import console
    from flows.refresh_flow import refresh
    from flows.running.graph_run import submitted

    def run():
        if own:
            own.wait()
        state = refresh(profile=profile, return_state=True)
        if own:
            own.settle(submitted)
        return state

    return console.show(run, profile, verbose)
